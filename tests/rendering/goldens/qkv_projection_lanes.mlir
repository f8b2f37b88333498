// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!hidden = tensor<1x1x256xf16>
!weight = tensor<768x256xf16>
!bias = tensor<768xf16>
!query = tensor<1x8x1x64xf16>
!key = tensor<1x2x1x64xf16>
!value = tensor<1x2x1x64xf16>
!tokens = tensor<1x256xf16>
!head_weights = tensor<12x64x8x2x16xf16>
!head_bias = tensor<12x64xf16>
#bias = affine_map<(h, m, n) -> (h, n)>
#heads = affine_map<(h, m, n) -> (h, m, n)>

func.func @qkv_projection(%hidden: !hidden, %weight: !weight, %bias: !bias) -> (!query, !key, !value) {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %token_parts = iree_tensor_ext.bitcast %tokens : !tokens -> tensor<1x8x2x16xf16>
  %head_weights = iree_tensor_ext.bitcast %weight : !weight -> !head_weights
  %head_bias = tensor.expand_shape %bias [[0, 1]] output_shape [12, 64] : !bias into !head_bias
  // query: 8 heads from head 0 on
  %weight_of_query = tensor.extract_slice %head_weights[0, 0, 0, 0, 0] [8, 64, 8, 2, 16] [1, 1, 1, 1, 1] : !head_weights to tensor<8x64x8x2x16xf16>
  %empty_acc_of_query = tensor.empty() : tensor<8x1x64xf32>
  %start_of_query = linalg.fill ins(%zero : f32) outs(%empty_acc_of_query : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %x0_of_acc_of_query = tensor.extract_slice %token_parts[0, 0, 0, 0] [1, 8, 1, 16] [1, 1, 1, 1] : tensor<1x8x2x16xf16> to tensor<8x16xf16>
  %x1_of_acc_of_query = tensor.extract_slice %token_parts[0, 0, 1, 0] [1, 8, 1, 16] [1, 1, 1, 1] : tensor<1x8x2x16xf16> to tensor<8x16xf16>
  %w0_of_acc_of_query = tensor.extract_slice %weight_of_query[0, 0, 0, 0, 0] [8, 64, 8, 1, 16] [1, 1, 1, 1, 1] : tensor<8x64x8x2x16xf16> to tensor<8x64x8x16xf16>
  %w1_of_acc_of_query = tensor.extract_slice %weight_of_query[0, 0, 0, 1, 0] [8, 64, 8, 1, 16] [1, 1, 1, 1, 1] : tensor<8x64x8x2x16xf16> to tensor<8x64x8x16xf16>
  %empty_lanes_of_acc_of_query = tensor.empty() : tensor<8x64x16xf32>
  %no_lanes_of_acc_of_query = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_acc_of_query : tensor<8x64x16xf32>) -> tensor<8x64x16xf32>
  %lanes_of_acc_of_query = linalg.generic {
      indexing_maps = [
        affine_map<(h, n, l, k) -> (k, l)>,
        affine_map<(h, n, l, k) -> (k, l)>,
        affine_map<(h, n, l, k) -> (h, n, k, l)>,
        affine_map<(h, n, l, k) -> (h, n, k, l)>,
        affine_map<(h, n, l, k) -> (h, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_acc_of_query, %x1_of_acc_of_query, %w0_of_acc_of_query, %w1_of_acc_of_query
        : tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x64x8x16xf16>, tensor<8x64x8x16xf16>)
      outs(%no_lanes_of_acc_of_query : tensor<8x64x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [1, 64, 0, 0], vector_common_parallel = [1, 1, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: f16, %x1: f16, %w0: f16, %w1: f16, %sum: f32):
    %x_low = arith.extf %x0 : f16 to f32
    %x_high = arith.extf %x1 : f16 to f32
    %w_low = arith.extf %w0 : f16 to f32
    %w_high = arith.extf %w1 : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<8x64x16xf32>
  %acc_of_query = linalg.generic {
      indexing_maps = [
        affine_map<(h, m, n, l) -> (h, n, l)>, affine_map<(h, m, n, l) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%lanes_of_acc_of_query : tensor<8x64x16xf32>) outs(%start_of_query : tensor<8x1x64xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<8x1x64xf32>
  %bias_of_query = tensor.extract_slice %head_bias[0, 0] [8, 64] [1, 1] : !head_bias to tensor<8x64xf16>
  %empty_query = tensor.empty() : tensor<8x1x64xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_query, %bias_of_query : tensor<8x1x64xf32>, tensor<8x64xf16>) outs(%empty_query : tensor<8x1x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<8x1x64xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 1, 64] : tensor<8x1x64xf16> into !query
  // key: 2 heads from head 8 on
  %weight_of_key = tensor.extract_slice %head_weights[8, 0, 0, 0, 0] [2, 64, 8, 2, 16] [1, 1, 1, 1, 1] : !head_weights to tensor<2x64x8x2x16xf16>
  %empty_acc_of_key = tensor.empty() : tensor<2x1x64xf32>
  %start_of_key = linalg.fill ins(%zero : f32) outs(%empty_acc_of_key : tensor<2x1x64xf32>) -> tensor<2x1x64xf32>
  %x0_of_acc_of_key = tensor.extract_slice %token_parts[0, 0, 0, 0] [1, 8, 1, 16] [1, 1, 1, 1] : tensor<1x8x2x16xf16> to tensor<8x16xf16>
  %x1_of_acc_of_key = tensor.extract_slice %token_parts[0, 0, 1, 0] [1, 8, 1, 16] [1, 1, 1, 1] : tensor<1x8x2x16xf16> to tensor<8x16xf16>
  %w0_of_acc_of_key = tensor.extract_slice %weight_of_key[0, 0, 0, 0, 0] [2, 64, 8, 1, 16] [1, 1, 1, 1, 1] : tensor<2x64x8x2x16xf16> to tensor<2x64x8x16xf16>
  %w1_of_acc_of_key = tensor.extract_slice %weight_of_key[0, 0, 0, 1, 0] [2, 64, 8, 1, 16] [1, 1, 1, 1, 1] : tensor<2x64x8x2x16xf16> to tensor<2x64x8x16xf16>
  %empty_lanes_of_acc_of_key = tensor.empty() : tensor<2x64x16xf32>
  %no_lanes_of_acc_of_key = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_acc_of_key : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %lanes_of_acc_of_key = linalg.generic {
      indexing_maps = [
        affine_map<(h, n, l, k) -> (k, l)>,
        affine_map<(h, n, l, k) -> (k, l)>,
        affine_map<(h, n, l, k) -> (h, n, k, l)>,
        affine_map<(h, n, l, k) -> (h, n, k, l)>,
        affine_map<(h, n, l, k) -> (h, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_acc_of_key, %x1_of_acc_of_key, %w0_of_acc_of_key, %w1_of_acc_of_key
        : tensor<8x16xf16>, tensor<8x16xf16>, tensor<2x64x8x16xf16>, tensor<2x64x8x16xf16>)
      outs(%no_lanes_of_acc_of_key : tensor<2x64x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [1, 64, 0, 0], vector_common_parallel = [1, 1, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: f16, %x1: f16, %w0: f16, %w1: f16, %sum: f32):
    %x_low = arith.extf %x0 : f16 to f32
    %x_high = arith.extf %x1 : f16 to f32
    %w_low = arith.extf %w0 : f16 to f32
    %w_high = arith.extf %w1 : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x64x16xf32>
  %acc_of_key = linalg.generic {
      indexing_maps = [
        affine_map<(h, m, n, l) -> (h, n, l)>, affine_map<(h, m, n, l) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%lanes_of_acc_of_key : tensor<2x64x16xf32>) outs(%start_of_key : tensor<2x1x64xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x1x64xf32>
  %bias_of_key = tensor.extract_slice %head_bias[8, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf16>
  %empty_key = tensor.empty() : tensor<2x1x64xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_key, %bias_of_key : tensor<2x1x64xf32>, tensor<2x64xf16>) outs(%empty_key : tensor<2x1x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<2x1x64xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, 1, 64] : tensor<2x1x64xf16> into !key
  // value: 2 heads from head 10 on
  %weight_of_value = tensor.extract_slice %head_weights[10, 0, 0, 0, 0] [2, 64, 8, 2, 16] [1, 1, 1, 1, 1] : !head_weights to tensor<2x64x8x2x16xf16>
  %empty_acc_of_value = tensor.empty() : tensor<2x1x64xf32>
  %start_of_value = linalg.fill ins(%zero : f32) outs(%empty_acc_of_value : tensor<2x1x64xf32>) -> tensor<2x1x64xf32>
  %x0_of_acc_of_value = tensor.extract_slice %token_parts[0, 0, 0, 0] [1, 8, 1, 16] [1, 1, 1, 1] : tensor<1x8x2x16xf16> to tensor<8x16xf16>
  %x1_of_acc_of_value = tensor.extract_slice %token_parts[0, 0, 1, 0] [1, 8, 1, 16] [1, 1, 1, 1] : tensor<1x8x2x16xf16> to tensor<8x16xf16>
  %w0_of_acc_of_value = tensor.extract_slice %weight_of_value[0, 0, 0, 0, 0] [2, 64, 8, 1, 16] [1, 1, 1, 1, 1] : tensor<2x64x8x2x16xf16> to tensor<2x64x8x16xf16>
  %w1_of_acc_of_value = tensor.extract_slice %weight_of_value[0, 0, 0, 1, 0] [2, 64, 8, 1, 16] [1, 1, 1, 1, 1] : tensor<2x64x8x2x16xf16> to tensor<2x64x8x16xf16>
  %empty_lanes_of_acc_of_value = tensor.empty() : tensor<2x64x16xf32>
  %no_lanes_of_acc_of_value = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_acc_of_value : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %lanes_of_acc_of_value = linalg.generic {
      indexing_maps = [
        affine_map<(h, n, l, k) -> (k, l)>,
        affine_map<(h, n, l, k) -> (k, l)>,
        affine_map<(h, n, l, k) -> (h, n, k, l)>,
        affine_map<(h, n, l, k) -> (h, n, k, l)>,
        affine_map<(h, n, l, k) -> (h, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_acc_of_value, %x1_of_acc_of_value, %w0_of_acc_of_value, %w1_of_acc_of_value
        : tensor<8x16xf16>, tensor<8x16xf16>, tensor<2x64x8x16xf16>, tensor<2x64x8x16xf16>)
      outs(%no_lanes_of_acc_of_value : tensor<2x64x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [1, 64, 0, 0], vector_common_parallel = [1, 1, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: f16, %x1: f16, %w0: f16, %w1: f16, %sum: f32):
    %x_low = arith.extf %x0 : f16 to f32
    %x_high = arith.extf %x1 : f16 to f32
    %w_low = arith.extf %w0 : f16 to f32
    %w_high = arith.extf %w1 : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x64x16xf32>
  %acc_of_value = linalg.generic {
      indexing_maps = [
        affine_map<(h, m, n, l) -> (h, n, l)>, affine_map<(h, m, n, l) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%lanes_of_acc_of_value : tensor<2x64x16xf32>) outs(%start_of_value : tensor<2x1x64xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x1x64xf32>
  %bias_of_value = tensor.extract_slice %head_bias[10, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf16>
  %empty_value = tensor.empty() : tensor<2x1x64xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_value, %bias_of_value : tensor<2x1x64xf32>, tensor<2x64xf16>) outs(%empty_value : tensor<2x1x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<2x1x64xf16>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, 1, 64] : tensor<2x1x64xf16> into !value
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
