// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!hidden = tensor<2x16x128xf32>
!weight = tensor<97x128xf32>
!output = tensor<2x16x97xf32>
!tokens = tensor<32x128xf32>
!acc = tensor<32x97xf32>
!rows = tensor<32x97xf32>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>

func.func @linear(%hidden: !hidden, %weight: !weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %empty_acc = tensor.empty() : !acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !acc) -> !acc
  %acc = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !tokens, !weight) outs(%start_of_acc : !acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !acc
  %empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 16, 97]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @linear$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @linear(%hidden, %weight)
    : (!hidden, !weight) -> (!output)
  util.return %output : !output
}
