// Each of two workgroups adds its row of four numbers to itself: it reads both rows, by masks of which one sees all.
!in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>
!out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>
func.func @double(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %doubled = flow.dispatch.workgroups(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32> = (%in: !in, %out: !out) {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %i = flow.dispatch.workgroup.id[0] : index
    %other = affine.apply affine_map<(i) -> (1 - i)>(%i)
    %rows = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [2, 4], strides = [1, 1]
      : !in -> tensor<2x4xf32>
    // One row, or none.
    %of_first = vector.create_mask %one, %other, %four : vector<1x1x4xi1>
    %of_second = vector.create_mask %one, %i, %four : vector<1x1x4xi1>
    %sees_first = vector.shape_cast %of_first : vector<1x1x4xi1> to vector<4xi1>
    %sees_second = vector.shape_cast %of_second : vector<1x1x4xi1> to vector<4xi1>
    %first = vector.transfer_read %rows[%none, %none], %zero, %sees_first {in_bounds = [true]}
      : tensor<2x4xf32>, vector<4xf32>
    %second = vector.transfer_read %rows[%one, %none], %zero, %sees_second {in_bounds = [true]}
      : tensor<2x4xf32>, vector<4xf32>
    %own = arith.addf %first, %second : vector<4xf32>
    %twice = arith.addf %own, %own : vector<4xf32>
    %empty = tensor.empty() : tensor<1x4xf32>
    %row = vector.transfer_write %twice, %empty[%none, %none] {in_bounds = [true]} : vector<4xf32>, tensor<1x4xf32>
    iree_tensor_ext.dispatch.tensor.store %row, %out, offsets = [%i, 0], sizes = [1, 4], strides = [1, 1]
      : tensor<1x4xf32> -> !out
    flow.return
  } count() -> (index, index, index) {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    flow.return %two, %one, %one : index, index, index
  }
  return %doubled : tensor<2x4xf32>
}
