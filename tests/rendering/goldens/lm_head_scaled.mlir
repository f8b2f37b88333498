// hidden · weightᵀ * scale, as cap * tanh(logit / cap)
// m token, n token of the vocabulary, k hidden column
!hidden = tensor<2x20x256xf16>
!weight = tensor<1000x256xf16>
!logits = tensor<2x20x1000xf16>
!tokens = tensor<40x256xf16>
!acc = tensor<40x1000xf32>
!rows = tensor<40x1000xf16>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>

func.func @lm_head(%hidden: !hidden, %weight: !weight) -> !logits {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %empty_acc = tensor.empty() : !acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !acc) -> !acc
  %acc = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !tokens, !weight) outs(%start_of_acc : !acc) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !acc
  %empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %scale = arith.constant 0.25 : f32
    %scaled = arith.mulf %sum, %scale : f32
    %cap = arith.constant 30.0 : f32
    %fraction = arith.divf %scaled, %cap : f32
    %bounded = math.tanh %fraction : f32
    %capped = arith.mulf %bounded, %cap : f32
    %capped_stored = arith.truncf %capped : f32 to f16
    linalg.yield %capped_stored : f16
  } -> !rows
  %logits = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 20, 1000]
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
