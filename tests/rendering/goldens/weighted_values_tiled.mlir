// weights · value, with the query heads of a group as rows of one product.
// c batch and KV head, r query row of the group, n value column, t KV token
!weights = tensor<2x8x32x64xf32>
!value = tensor<2x2x64x128xf16>
!output = tensor<2x8x32x128xf16>
!flat_weights = tensor<512x64xf32>
!grouped_weights = tensor<4x128x64xf32>
!narrow_weights = tensor<4x128x64xf16>
!tokens = tensor<4x64x128xf16>
!acc = tensor<4x128x128xf32>
!means = tensor<4x128x128xf16>
!flat_output = tensor<512x128xf16>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
    workgroup = [1, 64, 128, 0], reduction = [0, 0, 0, 2], subgroup = [1, 2, 4, 0],
    promote_operands = [0, 1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>>
#same = affine_map<(c, r, t) -> (c, r, t)>

func.func @weighted_values(%weights: !weights, %value: !value) -> !output {
  %flat_weights = tensor.collapse_shape %weights [[0, 1, 2], [3]] : !weights into !flat_weights
  %grouped_weights = tensor.expand_shape %flat_weights [[0, 1], [2]] output_shape [4, 128, 64] : !flat_weights into !grouped_weights
  %tokens = tensor.collapse_shape %value [[0, 1], [2], [3]] : !value into !tokens
  // Matrix instructions take both factors in one type.
  %narrow_empty = tensor.empty() : !narrow_weights
  %narrow_weights = linalg.generic {
      indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%grouped_weights : !grouped_weights) outs(%narrow_empty : !narrow_weights) {
  ^bb0(%weight: f32, %unused: f16):
    %weight_stored = arith.truncf %weight : f32 to f16
    linalg.yield %weight_stored : f16
  } -> !narrow_weights
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
  // The product widens what it reads.
  %acc = linalg.batch_matmul {compilation_info = #tile}
      ins(%narrow_weights, %tokens : !narrow_weights, !tokens) outs(%start : !acc) -> !acc
  %means_empty = tensor.empty() : !means
  %means = linalg.generic {
      indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc : !acc) outs(%means_empty : !means) {
  ^bb0(%mean: f32, %unused: f16):
    %mean_stored = arith.truncf %mean : f32 to f16
    linalg.yield %mean_stored : f16
  } -> !means
  %flat_output = tensor.collapse_shape %means [[0, 1], [2]] : !means into !flat_output
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [2, 8, 32, 128] : !flat_output into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @weighted_values$async(
    %weights: !weights,
    %value: !value
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @weighted_values(%weights, %value)
    : (!weights, !value) -> (!output)
  util.return %output : !output
}
