// -inf where a token lies after the query's position, over b batch, h query head, m query, t KV
// token.
!scores = tensor<2x8x40x48xf32>
!output = tensor<2x8x40x48xf32>
#same = affine_map<(b, h, m, t) -> (b, h, m, t)>

func.func @causal_mask(%scores: !scores) -> !output {
  %minus_inf = arith.constant 0xFF800000 : f32
  %first_position = arith.constant 0 : index
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores : !scores) outs(%empty : !output) {
  ^bb0(%score: f32, %unused: f32):
    %m = linalg.index 2 : index
    %t = linalg.index 3 : index
    %position = arith.addi %m, %first_position : index
    %seen = arith.cmpi sle, %t, %position : index
    %masked = arith.select %seen, %score, %minus_inf : f32
    linalg.yield %masked : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @causal_mask$async(
    %scores: !scores
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @causal_mask(%scores)
    : (!scores) -> (!output)
  util.return %output : !output
}
