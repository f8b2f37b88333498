// attended · weightᵀ + bias; the sum runs over heads and their columns, so that no head is moved.
// b batch, m token, n hidden column, h query head, k head column
!attended = tensor<2x8x40x64xf16>
!weight = tensor<256x512xf16>
!bias = tensor<256xf16>
!output = tensor<2x40x256xf16>
!sequences = tensor<2x8x40x64xf16>
!head_weights = tensor<256x8x64xf16>
!acc = tensor<2x40x256xf32>
!sums = tensor<2x40x256xf16>
#bias = affine_map<(b, m, n) -> (n)>
#attended = affine_map<(b, m, n, h, k) -> (b, h, m, k)>
#weight = affine_map<(b, m, n, h, k) -> (n, h, k)>
#acc = affine_map<(b, m, n, h, k) -> (b, m, n)>
#sums = affine_map<(b, m, n) -> (b, m, n)>

func.func @output_projection(%attended: !attended, %weight: !weight, %bias: !bias) -> !output {
  %head_weights = tensor.expand_shape %weight [[0], [1, 2]] output_shape [256, 8, 64] : !weight into !head_weights
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
  %acc = linalg.generic {
      indexing_maps = [#attended, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
    } ins(%attended, %head_weights : !sequences, !head_weights) outs(%start : !acc) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !acc
  %empty = tensor.empty() : !sums
  %output = linalg.generic {
      indexing_maps = [#sums, #bias, #sums],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc, %bias : !acc, !bias) outs(%empty : !sums) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> !sums
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @output_projection$async(
    %attended: !attended,
    %weight: !weight,
    %bias: !bias
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @output_projection(%attended, %weight, %bias)
    : (!attended, !weight, !bias) -> (!output)
  util.return %output : !output
}
