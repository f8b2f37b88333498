// scores + bias, over the axes as the bias names them: b batch, h query head, q query, k key. A bias
// of -inf hides the key, whatever its score.
!scores = tensor<2x8x40x48xf32>
!bias = tensor<1x8x1x48xf16>
!output = tensor<2x8x40x48xf32>
#same = affine_map<(b, h, q, k) -> (b, h, q, k)>
#bias = affine_map<(b, h, q, k) -> (0, h, 0, k)>

func.func @bias_scores(%scores: !scores, %bias: !bias) -> !output {
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #bias, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores, %bias : !scores, !bias) outs(%empty : !output) {
  ^bb0(%score: f32, %added_stored: f16, %unused: f32):
    %added = arith.extf %added_stored : f16 to f32
    %biased = arith.addf %score, %added : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %shows = arith.cmpf une, %added, %minus_inf : f32
    %logit = arith.select %shows, %biased, %minus_inf : f32
    linalg.yield %logit : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @bias_scores$async(
    %scores: !scores,
    %bias: !bias
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @bias_scores(%scores, %bias)
    : (!scores, !bias) -> (!output)
  util.return %output : !output
}
