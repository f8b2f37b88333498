// heads · weightᵀ, head by head.
// b batch, h head, m token, n column of the output, k column of what goes in
!heads = tensor<2x4x16x32xf32>
!weight = tensor<4x24x32xf32>
!projected = tensor<2x4x16x24xf32>
!acc = tensor<2x4x16x24xf32>
!rows = tensor<2x4x16x24xf32>
#x = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#weight = affine_map<(b, h, m, n, k) -> (h, n, k)>
#acc = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#rows = affine_map<(b, h, m, n) -> (b, h, m, n)>

func.func @head_projection(%heads: !heads, %weight: !weight) -> !projected {
  %zero = arith.constant 0.0 : f32
  %empty_acc = tensor.empty() : !acc
  %start = linalg.fill ins(%zero : f32) outs(%empty_acc : !acc) -> !acc
  %acc = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%heads, %weight : !heads, !weight) outs(%start : !acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !acc
  %empty = tensor.empty() : !rows
  %projected = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !rows
  return %projected : !projected
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @head_projection$async(
    %heads: !heads,
    %weight: !weight
  ) -> (!projected) attributes {iree.abi.model = "coarse-fences"} {
  %projected = func.call @head_projection(%heads, %weight)
    : (!heads, !weight) -> (!projected)
  util.return %projected : !projected
}
