// Softmax over the tokens of each query and one sink: b batch, h query head, m query, t KV token.
!scores = tensor<2x8x40x48xf32>
!sinks = tensor<8xf32>
!output = tensor<2x8x40x48xf32>
!row = tensor<2x8x40xf32>
#scores = affine_map<(b, h, m, t) -> (b, h, m, t)>
#row = affine_map<(b, h, m, t) -> (b, h, m)>
#head = affine_map<(b, h, m, t) -> (h)>

func.func @softmax_with_sinks(%scores: !scores, %sinks: !sinks) -> !output {
  %zero = arith.constant 0.0 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %row_empty = tensor.empty() : !row
  %empty = tensor.empty() : !output
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %max = linalg.generic {
      indexing_maps = [#scores, #row],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%scores : !scores) outs(%max_start : !row) {
  ^bb0(%score: f32, %best: f32):
    %better = arith.maximumf %score, %best : f32
    linalg.yield %better : f32
  } -> !row
  %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !row) -> !row
  %sum = linalg.generic {
      indexing_maps = [#scores, #row, #head, #row],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%scores, %max, %sinks : !scores, !row, !sinks) outs(%sum_start : !row) {
  ^bb0(%score: f32, %best: f32, %sink: f32, %sum_before: f32):
    %top = arith.maximumf %best, %sink : f32
    %below = arith.subf %score, %top : f32
    %weight = math.exp %below : f32
    %more = arith.addf %sum_before, %weight : f32
    linalg.yield %more : f32
  } -> !row
  %output = linalg.generic {
      indexing_maps = [#scores, #row, #row, #head, #scores],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores, %max, %sum, %sinks : !scores, !row, !row, !sinks) outs(%empty : !output) {
  ^bb0(%score: f32, %best: f32, %sum_of_keys: f32, %sink: f32, %unused: f32):
    %top = arith.maximumf %best, %sink : f32
    %below = arith.subf %score, %top : f32
    %weight = math.exp %below : f32
    %sink_below = arith.subf %sink, %top : f32
    %sink_weight = math.exp %sink_below : f32
    %total = arith.addf %sum_of_keys, %sink_weight : f32
    // Without a sink, a row that saw nothing has sum 0 and becomes zeros; one that saw a NaN is NaN.
    %any = arith.cmpf une, %total, %zero : f32
    %quotient = arith.divf %weight, %total : f32
    %share = arith.select %any, %quotient, %zero : f32
    linalg.yield %share : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @softmax_with_sinks$async(
    %scores: !scores,
    %sinks: !sinks
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @softmax_with_sinks(%scores, %sinks)
    : (!scores, !sinks) -> (!output)
  util.return %output : !output
}
