// down(xielu(up(hidden))), each of them x · weightᵀ + bias.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x20x256xf16>
!up_weight = tensor<384x256xf16>
!up_bias = tensor<384xf16>
!down_weight = tensor<256x384xf16>
!down_bias = tensor<256xf16>
!activation_weight = tensor<4xf32>
!output = tensor<2x20x256xf16>
!tokens = tensor<40x256xf16>
!up = tensor<40x384xf32>
!inner = tensor<40x384xf16>
!down = tensor<40x256xf32>
!rows = tensor<40x256xf16>
#bias = affine_map<(m, n) -> (n)>
#one = affine_map<(m, n) -> ()>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>

func.func @mlp(%hidden: !hidden, %up_weight: !up_weight, %up_bias: !up_bias, %down_weight: !down_weight, %down_bias: !down_bias, %activation_weight: !activation_weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %given_above = tensor.extract_slice %activation_weight[0] [1] [1] : !activation_weight to tensor<f32>
  %given_below = tensor.extract_slice %activation_weight[1] [1] [1] : !activation_weight to tensor<f32>
  %given_slope = tensor.extract_slice %activation_weight[2] [1] [1] : !activation_weight to tensor<f32>
  %given_edge = tensor.extract_slice %activation_weight[3] [1] [1] : !activation_weight to tensor<f32>
  %empty_up = tensor.empty() : !up
  %start_of_up = linalg.fill ins(%zero : f32)
    outs(%empty_up : !up) -> !up
  %up = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %up_weight : !tokens, !up_weight) outs(%start_of_up : !up) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !up
  %empty_inner = tensor.empty() : !inner
  %inner = linalg.generic {
      indexing_maps = [#rows, #bias, #one, #one, #one, #one, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %up_bias, %given_above, %given_below, %given_slope, %given_edge : !up, !up_bias, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%empty_inner : !inner) {
  ^bb0(%sum: f32, %shift_stored: f16, %above: f32, %below: f32, %slope: f32, %edge: f32, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %least = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %cut = arith.minimumf %shifted, %edge : f32
    %exponential = math.exp %cut : f32
    %raised = arith.subf %exponential, %one : f32
    %bent = arith.subf %raised, %shifted : f32
    %part = arith.mulf %bent, %below : f32
    %square = arith.mulf %shifted, %shifted : f32
    %risen = arith.mulf %square, %above : f32
    %is_above = arith.cmpf ogt, %shifted, %least : f32
    %curved = arith.select %is_above, %risen, %part : f32
    %straight = arith.mulf %shifted, %slope : f32
    %active = arith.addf %curved, %straight : f32
    %active_stored = arith.truncf %active : f32 to f16
    linalg.yield %active_stored : f16
  } -> !inner
  %empty_down = tensor.empty() : !down
  %start_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_down : !down) -> !down
  %down = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%inner, %down_weight : !inner, !down_weight) outs(%start_of_down : !down) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !down
  %empty_rows = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down, %down_bias : !down, !down_bias) outs(%empty_rows : !rows) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 20, 256]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mlp$async(
    %hidden: !hidden,
    %up_weight: !up_weight,
    %up_bias: !up_bias,
    %down_weight: !down_weight,
    %down_bias: !down_bias,
    %activation_weight: !activation_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mlp(%hidden, %up_weight, %up_bias, %down_weight, %down_bias, %activation_weight)
    : (!hidden, !up_weight, !up_bias, !down_weight, !down_bias, !activation_weight) -> (!output)
  util.return %output : !output
}
