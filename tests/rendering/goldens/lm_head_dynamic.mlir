// hidden · weightᵀ
// m token, n token of the vocabulary, k hidden column
!hidden = tensor<?x?x256xf16>
!weight = tensor<1000x256xf16>
!logits = tensor<?x?x1000xf16>
!tokens = tensor<?x256xf16>
!acc = tensor<?x1000xf32>
!rows = tensor<?x1000xf16>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>

func.func @lm_head(%hidden_given: !hidden, %weight: !weight) -> !logits {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %hidden_given, %batch_axis : !hidden
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %hidden_given, %q_len_axis : !hidden
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 20, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%batch_dim, %q_len_dim}
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !tokens
  %empty_acc = tensor.empty(%rows_dim) : !acc
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
  %empty = tensor.empty(%rows_dim) : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %logits = tensor.expand_shape %rows [[0, 1], [2]] output_shape [%batch_dim, %q_len_dim, 1000]
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
