// Each of four workgroups doubles 64 rows of four numbers, each of its lanes two of them.
!in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x64x4xf32>>
!out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x32x2x4xf32>>
#lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [32, 1, 1] subgroup_size = 32>>
func.func @double(%x: tensor<4x64x4xf32>) -> tensor<4x32x2x4xf32> {
  %doubled = flow.dispatch.workgroups(%x) : (tensor<4x64x4xf32>) -> tensor<4x32x2x4xf32> = (%in: !in, %out: !out) {
    %i = flow.dispatch.workgroup.id[0] : index
    %none = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %rows = iree_tensor_ext.dispatch.tensor.load %in, offsets = [%i, 0, 0], sizes = [1, 64, 4], strides = [1, 1, 1]
      : !in -> tensor<64x4xf32>
    %tile_empty = tensor.empty() : tensor<32x2x4xf32>
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%zero : f32)
      outs(%tile_empty : tensor<32x2x4xf32>) -> tensor<32x2x4xf32>
    %tile = scf.forall (%lane) in (32) shared_outs(%whole = %tile_start) -> (tensor<32x2x4xf32>) {
      %row = affine.apply affine_map<(l) -> (l * 2)>(%lane)
      %own = vector.transfer_read %rows[%row, %none], %zero {in_bounds = [true, true]}
        : tensor<64x4xf32>, vector<2x4xf32>
      %twice = arith.addf %own, %own : vector<2x4xf32>
      %before = tensor.extract_slice %whole[%lane, 0, 0] [1, 2, 4] [1, 1, 1]
        : tensor<32x2x4xf32> to tensor<2x4xf32>
      %after = vector.transfer_write %twice, %before[%none, %none] {in_bounds = [true, true]}
        : vector<2x4xf32>, tensor<2x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %after into %whole[%lane, 0, 0] [1, 2, 4] [1, 1, 1]
          : tensor<2x4xf32> into tensor<32x2x4xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %tile, %out,
      offsets = [%i, 0, 0, 0], sizes = [1, 32, 2, 4], strides = [1, 1, 1, 1] : tensor<32x2x4xf32> -> !out
    flow.return
  } count() -> (index, index, index) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    flow.return %four, %one, %one : index, index, index
  }
  return %doubled : tensor<4x32x2x4xf32>
}
