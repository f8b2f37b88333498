// Each of four workgroups doubles a row of 64 numbers.
!in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x64xf32>>
!out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x64xf32>>
#each = affine_map<(n) -> (n)>
#once = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{thread = [2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [32, 1, 1] subgroup_size = 32>>
func.func @double(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %doubled = flow.dispatch.workgroups(%x) : (tensor<4x64xf32>) -> tensor<4x64xf32> = (%in: !in, %out: !out) {
    %rows = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 64], strides = [1, 1]
      : !in -> tensor<4x64xf32>
    %empty = tensor.empty() : tensor<4x64xf32>
    %all = scf.forall (%i) in (4) shared_outs(%whole = %empty) -> (tensor<4x64xf32>) {
      %row = tensor.extract_slice %rows[%i, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
      %row_empty = tensor.empty() : tensor<64xf32>
      %row_doubled = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%row : tensor<64xf32>) outs(%row_empty : tensor<64xf32>) attrs = {compilation_info = #once} {
      ^bb0(%number: f32, %unused: f32):
        %twice = arith.addf %number, %number : f32
        linalg.yield %twice : f32
      } -> tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %row_doubled into %whole[%i, 0] [1, 64] [1, 1]
          : tensor<64xf32> into tensor<4x64xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %all, %out, offsets = [0, 0], sizes = [4, 64], strides = [1, 1]
      : tensor<4x64xf32> -> !out
    flow.return
  } count() -> (index, index, index) {
    %x0, %y0, %z0 = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x0, %y0, %z0 : index, index, index
  }
  return %doubled : tensor<4x64xf32>
}
