// scores - slope * |position - token|, over b batch, h query head, m query, t KV token.
!scores = tensor<2x8x40x48xf32>
!alibi_slopes = tensor<8xf32>
!output = tensor<2x8x40x48xf32>
#same = affine_map<(b, h, m, t) -> (b, h, m, t)>
#head = affine_map<(b, h, m, t) -> (h)>

func.func @alibi_scores(%scores: !scores, %alibi_slopes: !alibi_slopes) -> !output {
  %first_position = arith.constant 8 : index
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #head, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores, %alibi_slopes : !scores, !alibi_slopes) outs(%empty : !output) {
  ^bb0(%score: f32, %slope: f32, %unused: f32):
    %m = linalg.index 2 : index
    %t = linalg.index 3 : index
    %position = arith.addi %m, %first_position : index
    %ahead = arith.subi %t, %position : index
    %ahead_i32 = arith.index_cast %ahead : index to i32
    %ahead_f32 = arith.sitofp %ahead_i32 : i32 to f32
    %distance = math.absf %ahead_f32 : f32
    %steepness = arith.mulf %slope, %distance : f32
    %biased = arith.subf %score, %steepness : f32
    linalg.yield %biased : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @alibi_scores$async(
    %scores: !scores,
    %alibi_slopes: !alibi_slopes
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @alibi_scores(%scores, %alibi_slopes)
    : (!scores, !alibi_slopes) -> (!output)
  util.return %output : !output
}
