// attended · weightᵀ + bias; the sum runs over heads and their columns, so that no head is moved.
// m token, n hidden column, h query head, k head column
!attended = tensor<1x8x64x64xf16>
!weight = tensor<256x512xf16>
!output = tensor<1x64x256xf16>
!sequences = tensor<8x64x64xf16>
!head_weights = tensor<256x8x64xf16>
!acc = tensor<64x256xf32>
!sums = tensor<64x256xf16>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
    workgroup = [64, 128, 0, 0], reduction = [0, 0, 1, 2], subgroup = [2, 4, 0, 0],
    promote_operands = [0, 1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>>
#attended = affine_map<(m, n, h, k) -> (h, m, k)>
#weight = affine_map<(m, n, h, k) -> (n, h, k)>
#acc = affine_map<(m, n, h, k) -> (m, n)>
#sums = affine_map<(m, n) -> (m, n)>

func.func @output_projection(%attended: !attended, %weight: !weight) -> !output {
  %head_weights = tensor.expand_shape %weight [[0], [1, 2]] output_shape [256, 8, 64] : !weight into !head_weights
  %sequences = tensor.collapse_shape %attended [[0, 1], [2], [3]] : !attended into !sequences
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
  %acc = linalg.generic {
      indexing_maps = [#attended, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]
    } ins(%sequences, %head_weights : !sequences, !head_weights) outs(%start : !acc) attrs = {compilation_info = #tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !acc
  %empty = tensor.empty() : !sums
  %sums = linalg.generic {
      indexing_maps = [#sums, #sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !sums) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [1, 64, 256] : !sums into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @output_projection$async(
    %attended: !attended,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @output_projection(%attended, %weight)
    : (!attended, !weight) -> (!output)
  util.return %output : !output
}
