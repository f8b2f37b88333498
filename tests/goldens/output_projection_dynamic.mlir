// attended · weightᵀ + bias, with the heads of a token side by side.
// b batch, m token, n hidden column, k column of a head
!attended = tensor<?x8x40x64xf16>
!weight = tensor<256x512xf16>
!output = tensor<?x40x256xf16>
!by_token = tensor<?x40x8x64xf16>
!sequences = tensor<?x40x512xf16>
!acc = tensor<?x40x256xf32>
!sums = tensor<?x40x256xf16>
#attended = affine_map<(b, m, n, k) -> (b, m, k)>
#weight = affine_map<(b, m, n, k) -> (n, k)>
#acc = affine_map<(b, m, n, k) -> (b, m, n)>
#sums = affine_map<(b, m, n) -> (b, m, n)>

func.func @output_projection(%attended_given: !attended, %weight: !weight) -> !output {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %attended_given, %batch_axis : !attended
  %batch_dim = util.assume.int %batch_given<umin = 1, umax = 2, udiv = 1> : index
  %attended = flow.tensor.tie_shape %attended_given : !attended{%batch_dim}
  %by_token_empty = tensor.empty(%batch_dim) : !by_token
  %by_token = linalg.transpose ins(%attended : !attended) outs(%by_token_empty : !by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0], [1], [2, 3]] : !by_token into !sequences
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty(%batch_dim) : !acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
  %acc = linalg.generic {
      indexing_maps = [#attended, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%sequences, %weight : !sequences, !weight) outs(%start : !acc) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !acc
  %empty = tensor.empty(%batch_dim) : !sums
  %output = linalg.generic {
      indexing_maps = [#sums, #sums],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !sums) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> !sums
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @output_projection$async(%attended: !attended, %weight: !weight) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @output_projection(%attended, %weight) : (!attended, !weight) -> (!output)
  util.return %output : !output
}
