// weights · value, with the query heads of a group as rows of one product.
// c batch and KV head, r query row of the group, n value column, t KV token
!weights = tensor<2x8x40x48xf32>
!value = tensor<2x2x48x64xf32>
!output = tensor<2x8x40x64xf32>
!flat_weights = tensor<640x48xf32>
!grouped_weights = tensor<4x160x48xf32>
!narrow_weights = tensor<4x160x48xf32>
!tokens = tensor<4x48x64xf32>
!acc = tensor<4x160x64xf32>
!means = tensor<4x160x64xf32>
!flat_output = tensor<640x64xf32>
#same = affine_map<(c, r, t) -> (c, r, t)>

func.func @weighted_values(%weights: !weights, %value: !value) -> !output {
  %flat_weights = tensor.collapse_shape %weights [[0, 1, 2], [3]] : !weights into !flat_weights
  %grouped_weights = tensor.expand_shape %flat_weights [[0, 1], [2]] output_shape [4, 160, 48] : !flat_weights into !grouped_weights
  %tokens = tensor.collapse_shape %value [[0, 1], [2], [3]] : !value into !tokens
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
  // The product widens what it reads.
  %acc = linalg.batch_matmul
      ins(%grouped_weights, %tokens : !narrow_weights, !tokens) outs(%start : !acc) -> !acc
  %flat_output = tensor.collapse_shape %acc [[0, 1], [2]] : !acc into !flat_output
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [2, 8, 40, 64] : !flat_output into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @weighted_values$async(
    %weights: !weights,
    %value: !value
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @weighted_values(%weights, %value)
    : (!weights, !value) -> (!output)
  util.return %output : !output
}
