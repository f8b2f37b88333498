// The row of the weights that each token id names, scaled.
// b batch, m token, n column
!token_ids = tensor<1x?xi32>
!weight = tensor<1000x256xf16>
!output = tensor<1x?x256xf16>
#token = affine_map<(b, m, n) -> (b, m)>
#output = affine_map<(b, m, n) -> (b, m, n)>
func.func @embedding(%token_ids_given: !token_ids, %weight: !weight) -> !output {
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %token_ids_given, %q_len_axis : !token_ids
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 20, udiv = 1> : index
  %token_ids = flow.tensor.tie_shape %token_ids_given
    : !token_ids{%q_len_dim}
  %empty = tensor.empty(%q_len_dim) : !output
  %output = linalg.generic {
      indexing_maps = [#token, #output], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%token_ids : !token_ids) outs(%empty : !output) {
  ^bb0(%id: i32, %unused: f16):
    %last_row = arith.constant 999 : i32
    %row_kept = arith.minui %id, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %n = linalg.index 2 : index
    %embedding = tensor.extract %weight[%row, %n] : !weight
    linalg.yield %embedding : f16
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @embedding$async(
    %token_ids: !token_ids,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @embedding(%token_ids, %weight)
    : (!token_ids, !weight) -> (!output)
  util.return %output : !output
}
