// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!hidden = tensor<1x64x256xbf16>
!weight = tensor<1536x256xbf16>
!bias = tensor<1536xbf16>
!query = tensor<1x8x64x128xbf16>
!key = tensor<1x2x64x128xbf16>
!value = tensor<1x2x64x128xbf16>
!tokens = tensor<64x256xbf16>
!head_weights = tensor<12x128x256xbf16>
!head_bias = tensor<12x128xbf16>
#bias = affine_map<(h, m, n) -> (h, n)>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
    workgroup = [1, 64, 128, 0], reduction = [0, 0, 0, 2], subgroup = [1, 2, 4, 0],
    promote_operands = [0, 1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>>
#hidden = affine_map<(h, m, n, k) -> (m, k)>
#weight = affine_map<(h, m, n, k) -> (h, n, k)>
#acc = affine_map<(h, m, n, k) -> (h, m, n)>
#heads = affine_map<(h, m, n) -> (h, m, n)>

func.func @qkv_projection(%hidden: !hidden, %weight: !weight, %bias: !bias) -> (!query, !key, !value) {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %head_weights = tensor.expand_shape %weight [[0, 1], [2]] output_shape [12, 128, 256] : !weight into !head_weights
  %head_bias = tensor.expand_shape %bias [[0, 1]] output_shape [12, 128] : !bias into !head_bias
  // query: 8 heads from head 0 on
  %weight_of_query = tensor.extract_slice %head_weights[0, 0, 0] [8, 128, 256] [1, 1, 1] : !head_weights to tensor<8x128x256xbf16>
  %empty_acc_of_query = tensor.empty() : tensor<8x64x128xf32>
  %start_of_query = linalg.fill ins(%zero : f32) outs(%empty_acc_of_query : tensor<8x64x128xf32>) -> tensor<8x64x128xf32>
  %acc_of_query = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %weight_of_query : !tokens, tensor<8x128x256xbf16>) outs(%start_of_query : tensor<8x64x128xf32>) attrs = {compilation_info = #tile} {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<8x64x128xf32>
  %bias_of_query = tensor.extract_slice %head_bias[0, 0] [8, 128] [1, 1] : !head_bias to tensor<8x128xbf16>
  %empty_query = tensor.empty() : tensor<8x64x128xbf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_query, %bias_of_query : tensor<8x64x128xf32>, tensor<8x128xbf16>) outs(%empty_query : tensor<8x64x128xbf16>) {
  ^bb0(%sum: f32, %shift_stored: bf16, %unused: bf16):
    %shift = arith.extf %shift_stored : bf16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to bf16
    linalg.yield %shifted_stored : bf16
  } -> tensor<8x64x128xbf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 64, 128] : tensor<8x64x128xbf16> into !query
  // key: 2 heads from head 8 on
  %weight_of_key = tensor.extract_slice %head_weights[8, 0, 0] [2, 128, 256] [1, 1, 1] : !head_weights to tensor<2x128x256xbf16>
  %empty_acc_of_key = tensor.empty() : tensor<2x64x128xf32>
  %start_of_key = linalg.fill ins(%zero : f32) outs(%empty_acc_of_key : tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
  %acc_of_key = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %weight_of_key : !tokens, tensor<2x128x256xbf16>) outs(%start_of_key : tensor<2x64x128xf32>) attrs = {compilation_info = #tile} {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x64x128xf32>
  %bias_of_key = tensor.extract_slice %head_bias[8, 0] [2, 128] [1, 1] : !head_bias to tensor<2x128xbf16>
  %empty_key = tensor.empty() : tensor<2x64x128xbf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_key, %bias_of_key : tensor<2x64x128xf32>, tensor<2x128xbf16>) outs(%empty_key : tensor<2x64x128xbf16>) {
  ^bb0(%sum: f32, %shift_stored: bf16, %unused: bf16):
    %shift = arith.extf %shift_stored : bf16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to bf16
    linalg.yield %shifted_stored : bf16
  } -> tensor<2x64x128xbf16>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, 64, 128] : tensor<2x64x128xbf16> into !key
  // value: 2 heads from head 10 on
  %weight_of_value = tensor.extract_slice %head_weights[10, 0, 0] [2, 128, 256] [1, 1, 1] : !head_weights to tensor<2x128x256xbf16>
  %empty_acc_of_value = tensor.empty() : tensor<2x64x128xf32>
  %start_of_value = linalg.fill ins(%zero : f32) outs(%empty_acc_of_value : tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
  %acc_of_value = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %weight_of_value : !tokens, tensor<2x128x256xbf16>) outs(%start_of_value : tensor<2x64x128xf32>) attrs = {compilation_info = #tile} {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x64x128xf32>
  %bias_of_value = tensor.extract_slice %head_bias[10, 0] [2, 128] [1, 1] : !head_bias to tensor<2x128xbf16>
  %empty_value = tensor.empty() : tensor<2x64x128xbf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_value, %bias_of_value : tensor<2x64x128xf32>, tensor<2x128xbf16>) outs(%empty_value : tensor<2x64x128xbf16>) {
  ^bb0(%sum: f32, %shift_stored: bf16, %unused: bf16):
    %shift = arith.extf %shift_stored : bf16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to bf16
    linalg.yield %shifted_stored : bf16
  } -> tensor<2x64x128xbf16>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, 64, 128] : tensor<2x64x128xbf16> into !value
  return %query, %key, %value : !query, !key, !value
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @qkv_projection$async(
    %hidden: !hidden,
    %weight: !weight,
    %bias: !bias
  ) -> (!query, !key, !value) attributes {iree.abi.model = "coarse-fences"} {
  %query, %key, %value = func.call @qkv_projection(%hidden, %weight, %bias)
    : (!hidden, !weight, !bias) -> (!query, !key, !value)
  util.return %query, %key, %value : !query, !key, !value
}
