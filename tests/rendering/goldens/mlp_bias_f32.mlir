// down(relu(gate(hidden)) * up(hidden)), each of them x · weightᵀ + bias.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x20x256xf32>
!gate_up_weight = tensor<768x256xf32>
!gate_up_bias = tensor<768xf32>
!down_weight = tensor<256x384xf32>
!down_bias = tensor<256xf32>
!output = tensor<2x20x256xf32>
!tokens = tensor<40x256xf32>
!gate_weight = tensor<384x256xf32>
!up_weight = tensor<384x256xf32>
!gate = tensor<40x384xf32>
!active = tensor<40x384xf32>
!gate_bias = tensor<384xf32>
!up_bias = tensor<384xf32>
!up = tensor<40x384xf32>
!inner = tensor<40x384xf32>
!down = tensor<40x256xf32>
!rows = tensor<40x256xf32>
#bias = affine_map<(m, n) -> (n)>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>

func.func @mlp(%hidden: !hidden, %gate_up_weight: !gate_up_weight, %gate_up_bias: !gate_up_bias, %down_weight: !down_weight, %down_bias: !down_bias) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [384, 256] [1, 1] : !gate_up_weight to !gate_weight
  %gate_bias = tensor.extract_slice %gate_up_bias[0] [384] [1] : !gate_up_bias to !gate_bias
  %up_weight = tensor.extract_slice %gate_up_weight[384, 0] [384, 256] [1, 1] : !gate_up_weight to !up_weight
  %up_bias = tensor.extract_slice %gate_up_bias[384] [384] [1] : !gate_up_bias to !up_bias
  %empty_gate = tensor.empty() : !gate
  %start_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_gate : !gate) -> !gate
  %gate = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %gate_weight : !tokens, !gate_weight) outs(%start_of_gate : !gate) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !gate
  %empty_active = tensor.empty() : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate, %gate_bias : !gate, !gate_bias) outs(%empty_active : !active) {
  ^bb0(%sum: f32, %shift: f32, %unused: f32):

    %shifted = arith.addf %sum, %shift : f32
    %least = arith.constant 0.0 : f32
    %active = arith.maximumf %shifted, %least : f32

    linalg.yield %active : f32
  } -> !active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !active -> !active
  %empty_up = tensor.empty() : !up
  %start_of_up = linalg.fill ins(%zero : f32)
    outs(%empty_up : !up) -> !up
  %up = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %up_weight : !tokens, !up_weight) outs(%start_of_up : !up) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !up
  %empty_inner = tensor.empty() : !inner
  %inner = linalg.generic {
      indexing_maps = [#rows, #bias, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %up_bias, %open : !up, !up_bias, !active) outs(%empty_inner : !inner) {
  ^bb0(%sum: f32, %shift: f32, %factor: f32, %unused: f32):

    %shifted = arith.addf %sum, %shift : f32

    %gated = arith.mulf %shifted, %factor : f32

    linalg.yield %gated : f32
  } -> !inner
  %empty_down = tensor.empty() : !down
  %start_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_down : !down) -> !down
  %down = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%inner, %down_weight : !inner, !down_weight) outs(%start_of_down : !down) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !down
  %empty_rows = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down, %down_bias : !down, !down_bias) outs(%empty_rows : !rows) {
  ^bb0(%sum: f32, %shift: f32, %unused: f32):

    %shifted = arith.addf %sum, %shift : f32

    linalg.yield %shifted : f32
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 20, 256]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mlp$async(
    %hidden: !hidden,
    %gate_up_weight: !gate_up_weight,
    %gate_up_bias: !gate_up_bias,
    %down_weight: !down_weight,
    %down_bias: !down_bias
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mlp(%hidden, %gate_up_weight, %gate_up_bias, %down_weight, %down_bias)
    : (!hidden, !gate_up_weight, !gate_up_bias, !down_weight, !down_bias) -> (!output)
  util.return %output : !output
}
