// Softmax over the tokens of each query: b batch, h query head, m query, t KV token.
!scores = tensor<2x8x40x48xf32>
!output = tensor<2x8x40x48xf32>
!row = tensor<2x8x40xf32>
#scores = affine_map<(b, h, m, t) -> (b, h, m, t)>
#row = affine_map<(b, h, m, t) -> (b, h, m)>

func.func @softmax(%scores: !scores) -> !output {
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
      indexing_maps = [#scores, #row, #row],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%scores, %max : !scores, !row) outs(%sum_start : !row) {
  ^bb0(%score: f32, %best: f32, %sum_before: f32):
    %below = arith.subf %score, %best : f32
    %weight = math.exp %below : f32
    %more = arith.addf %sum_before, %weight : f32
    linalg.yield %more : f32
  } -> !row
  %output = linalg.generic {
      indexing_maps = [#scores, #row, #row, #scores],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores, %max, %sum : !scores, !row, !row) outs(%empty : !output) {
  ^bb0(%score: f32, %best: f32, %total: f32, %unused: f32):
    %below = arith.subf %score, %best : f32
    %weight = math.exp %below : f32
    // A row that saw nothing has sum 0 and becomes zeros; one that saw a NaN is NaN.
    %any = arith.cmpf une, %total, %zero : f32
    %quotient = arith.divf %weight, %total : f32
    %share = arith.select %any, %quotient, %zero : f32
    linalg.yield %share : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @softmax$async(
    %scores: !scores
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @softmax(%scores)
    : (!scores) -> (!output)
  util.return %output : !output
}
