// hidden · weightᵀ
// m token, n token of the vocabulary, k hidden column
!hidden = tensor<2x1x256xf16>
!weight = tensor<1000x256xf16>
!logits = tensor<2x1x1000xf16>
!tokens = tensor<2x256xf16>
!acc = tensor<2x1000xf32>
!rows = tensor<2x1000xf16>
#rows = affine_map<(m, n) -> (m, n)>

func.func @lm_head(%hidden: !hidden, %weight: !weight) -> !logits {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %weight_parts = iree_tensor_ext.bitcast %weight : !weight -> tensor<1000x8x2x16xf16>
  %empty_acc = tensor.empty() : !acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !acc) -> !acc
  %tokens_of_acc = iree_tensor_ext.bitcast %tokens : !tokens -> tensor<2x8x2x16xf16>
  %x0_of_acc = tensor.extract_slice %tokens_of_acc[0, 0, 0, 0] [2, 8, 1, 16] [1, 1, 1, 1] : tensor<2x8x2x16xf16> to tensor<2x8x16xf16>
  %x1_of_acc = tensor.extract_slice %tokens_of_acc[0, 0, 1, 0] [2, 8, 1, 16] [1, 1, 1, 1] : tensor<2x8x2x16xf16> to tensor<2x8x16xf16>
  %w0_of_acc = tensor.extract_slice %weight_parts[0, 0, 0, 0] [1000, 8, 1, 16] [1, 1, 1, 1] : tensor<1000x8x2x16xf16> to tensor<1000x8x16xf16>
  %w1_of_acc = tensor.extract_slice %weight_parts[0, 0, 1, 0] [1000, 8, 1, 16] [1, 1, 1, 1] : tensor<1000x8x2x16xf16> to tensor<1000x8x16xf16>
  %empty_lanes_of_acc = tensor.empty() : tensor<2x1000x16xf32>
  %no_lanes_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_acc : tensor<2x1000x16xf32>) -> tensor<2x1000x16xf32>
  %lanes_of_acc = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_acc, %x1_of_acc, %w0_of_acc, %w1_of_acc
        : tensor<2x8x16xf16>, tensor<2x8x16xf16>, tensor<1000x8x16xf16>, tensor<1000x8x16xf16>)
      outs(%no_lanes_of_acc : tensor<2x1000x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [0, 64, 0, 0], vector_common_parallel = [2, 1, 16, 0],
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
  } -> tensor<2x1000x16xf32>
  %acc = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%lanes_of_acc : tensor<2x1000x16xf32>) outs(%start_of_acc : tensor<2x1000xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x1000xf32>
  %empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %logits = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 1, 1000]
    : !rows into !logits
  return %logits : !logits
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @lm_head$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!logits) attributes {iree.abi.model = "coarse-fences"} {
  %logits = func.call @lm_head(%hidden, %weight)
    : (!hidden, !weight) -> (!logits)
  util.return %logits : !logits
}
