// scores * softmax_scale, over b batch, h query head, m query, t KV token.
!scores = tensor<2x8x40x48xf32>
!output = tensor<2x8x40x48xf32>
#same = affine_map<(b, h, m, t) -> (b, h, m, t)>

func.func @scale_scores(%scores: !scores) -> !output {
  %scale = arith.constant 0.125 : f32
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores : !scores) outs(%empty : !output) {
  ^bb0(%score: f32, %unused: f32):
    %scaled = arith.mulf %score, %scale : f32
    linalg.yield %scaled : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @scale_scores$async(
    %scores: !scores
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @scale_scores(%scores)
    : (!scores) -> (!output)
  util.return %output : !output
}
