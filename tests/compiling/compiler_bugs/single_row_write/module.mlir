// Each of two workgroups doubles three rows of four numbers; each of its first three lanes has one of them.
!in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x4xf32>>
!out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x3x4xf32>>
#lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [32, 1, 1] subgroup_size = 32>>
func.func @double(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %doubled = flow.dispatch.workgroups(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> = (%in: !in, %out: !out) {
    %none = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // The second three rows come first.
    %i = flow.dispatch.workgroup.id[0] : index
    %three = affine.apply affine_map<(i) -> (1 - i)>(%i)
    %rows = iree_tensor_ext.dispatch.tensor.load %in, offsets = [%three, 0, 0], sizes = [1, 3, 4],
      strides = [1, 1, 1] : !in -> tensor<3x4xf32>
    %tile_empty = tensor.empty() : tensor<3x4xf32>
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%zero : f32)
      outs(%tile_empty : tensor<3x4xf32>) -> tensor<3x4xf32>
    %tile = scf.forall (%lane) in (32) shared_outs(%whole = %tile_start) -> (tensor<3x4xf32>) {
      %row_read = affine.min affine_map<(l) -> (l, 2)>(%lane)
      %own = vector.transfer_read %rows[%row_read, %none], %zero {in_bounds = [true, true]}
        : tensor<3x4xf32>, vector<1x4xf32>
      %twice = arith.addf %own, %own : vector<1x4xf32>
      // One, or none.
      %left = affine.min affine_map<(l) -> (3 - l, 1)>(%lane)
      %own_rows = arith.maxsi %left, %none : index
      %before = tensor.extract_slice %whole[%lane, 0] [%own_rows, 4] [1, 1]
        : tensor<3x4xf32> to tensor<?x4xf32>
      %after = vector.transfer_write %twice, %before[%none, %none] {in_bounds = [false, true]}
        : vector<1x4xf32>, tensor<?x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %after into %whole[%lane, 0] [%own_rows, 4] [1, 1]
          : tensor<?x4xf32> into tensor<3x4xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %tile, %out, offsets = [%three, 0, 0], sizes = [1, 3, 4],
      strides = [1, 1, 1] : tensor<3x4xf32> -> !out
    flow.return
  } count() -> (index, index, index) {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    flow.return %two, %one, %one : index, index, index
  }
  return %doubled : tensor<2x3x4xf32>
}
