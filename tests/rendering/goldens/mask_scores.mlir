// -inf where the mask is false, over the axes as the mask names them: b batch, h query head,
// q query, k key.
!scores = tensor<2x8x40x48xf32>
!keep_mask = tensor<2x1x1x48xi1>
!output = tensor<2x8x40x48xf32>
#same = affine_map<(b, h, q, k) -> (b, h, q, k)>
#mask = affine_map<(b, h, q, k) -> (b, 0, 0, k)>

func.func @mask_scores(%scores: !scores, %keep_mask: !keep_mask) -> !output {
  %minus_inf = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #mask, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores, %keep_mask : !scores, !keep_mask) outs(%empty : !output) {
  ^bb0(%score: f32, %kept: i1, %unused: f32):
    %masked = arith.select %kept, %score, %minus_inf : f32
    linalg.yield %masked : f32
  } -> !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mask_scores$async(
    %scores: !scores,
    %keep_mask: !keep_mask
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mask_scores(%scores, %keep_mask)
    : (!scores, !keep_mask) -> (!output)
  util.return %output : !output
}
