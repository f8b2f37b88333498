// cap * tanh(score / cap), over b batch, h query head, m query, t KV token.
!scores = tensor<2x8x40x48xf32>
!output = tensor<2x8x40x48xf32>
#same = affine_map<(b, h, m, t) -> (b, h, m, t)>

func.func @soft_cap_scores(%scores: !scores) -> !output {
  %cap = arith.constant 30.0 : f32
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores : !scores) outs(%empty : !output) {
  ^bb0(%score: f32, %unused: f32):
    %fraction = arith.divf %score, %cap : f32
    %bounded = math.tanh %fraction : f32
    %capped = arith.mulf %bounded, %cap : f32
    linalg.yield %capped : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @soft_cap_scores$async(
    %scores: !scores
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @soft_cap_scores(%scores)
    : (!scores) -> (!output)
  util.return %output : !output
}
