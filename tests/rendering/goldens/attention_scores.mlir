// query · keyᵀ, with the query heads of a group as rows of one product.
// c batch and KV head, r query row of the group, t KV token, k head column
!query = tensor<2x8x40x64xf16>
!key = tensor<2x2x48x64xf16>
!output = tensor<2x8x40x48xf32>
!flat_query = tensor<640x64xf16>
!rows = tensor<4x160x64xf16>
!tokens = tensor<4x48x64xf16>
!scores = tensor<4x160x48xf32>
!flat_scores = tensor<640x48xf32>
#rows = affine_map<(c, r, t, k) -> (c, r, k)>
#tokens = affine_map<(c, r, t, k) -> (c, t, k)>
#scores = affine_map<(c, r, t, k) -> (c, r, t)>

func.func @attention_scores(%query: !query, %key: !key) -> !output {
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into !flat_query
  %rows = tensor.expand_shape %flat_query [[0, 1], [2]] output_shape [4, 160, 64] : !flat_query into !rows
  %tokens = tensor.collapse_shape %key [[0, 1], [2], [3]] : !key into !tokens
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !scores
  %start = linalg.fill ins(%zero : f32) outs(%empty : !scores) -> !scores
  // The product widens what it reads.
  %scores = linalg.batch_matmul indexing_maps = [#rows, #tokens, #scores]
      ins(%rows, %tokens : !rows, !tokens) outs(%start : !scores) -> !scores
  %flat_scores = tensor.collapse_shape %scores [[0, 1], [2]] : !scores into !flat_scores
  %output = tensor.expand_shape %flat_scores [[0, 1, 2], [3]] output_shape [2, 8, 40, 48] : !flat_scores into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention_scores$async(
    %query: !query,
    %key: !key
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention_scores(%query, %key)
    : (!query, !key) -> (!output)
  util.return %output : !output
}
