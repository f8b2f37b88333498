// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ + bias.
// Gate and up are products of their own, each with what is done to it.
// b batch, m token, n column of a product, k column of what is multiplied
!hidden = tensor<?x20x256xf16>
!gate_up_weight = tensor<768x256xf16>
!gate_up_bias = tensor<768xf16>
!down_weight = tensor<256x384xf16>
!down_bias = tensor<256xf16>
!output = tensor<?x20x256xf16>
!tokens = tensor<?x20x256xf16>
!gate_weight = tensor<384x256xf16>
!up_weight = tensor<384x256xf16>
!gate = tensor<?x20x384xf32>
!active = tensor<?x20x384xf16>
!gate_bias = tensor<384xf16>
!up_bias = tensor<384xf16>
!up = tensor<?x20x384xf32>
!inner = tensor<?x20x384xf16>
!down = tensor<?x20x256xf32>
!rows = tensor<?x20x256xf16>
#bias = affine_map<(b, m, n) -> (n)>
#x = affine_map<(b, m, n, k) -> (b, m, k)>
#weight = affine_map<(b, m, n, k) -> (n, k)>
#acc = affine_map<(b, m, n, k) -> (b, m, n)>
#rows = affine_map<(b, m, n) -> (b, m, n)>

func.func @mlp(%hidden_given: !hidden, %gate_up_weight: !gate_up_weight, %gate_up_bias: !gate_up_bias, %down_weight: !down_weight, %down_bias: !down_bias) -> !output {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %hidden_given, %batch_axis : !hidden
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%batch_dim}
  %zero = arith.constant 0.0 : f32

  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [384, 256] [1, 1] : !gate_up_weight to !gate_weight
  %gate_bias = tensor.extract_slice %gate_up_bias[0] [384] [1] : !gate_up_bias to !gate_bias
  %up_weight = tensor.extract_slice %gate_up_weight[384, 0] [384, 256] [1, 1] : !gate_up_weight to !up_weight
  %up_bias = tensor.extract_slice %gate_up_bias[384] [384] [1] : !gate_up_bias to !up_bias
  %empty_gate = tensor.empty(%batch_dim) : !gate
  %start_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_gate : !gate) -> !gate
  %gate = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%hidden, %gate_weight : !hidden, !gate_weight) outs(%start_of_gate : !gate) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !gate
  %empty_active = tensor.empty(%batch_dim) : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%gate, %gate_bias : !gate, !gate_bias) outs(%empty_active : !active) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %shifted : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %shifted, %divisor : f32
    %active_stored = arith.truncf %active : f32 to f16
    linalg.yield %active_stored : f16
  } -> !active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !active{%batch_dim} -> !active
  %empty_up = tensor.empty(%batch_dim) : !up
  %start_of_up = linalg.fill ins(%zero : f32)
    outs(%empty_up : !up) -> !up
  %up = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%hidden, %up_weight : !hidden, !up_weight) outs(%start_of_up : !up) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !up
  %empty_inner = tensor.empty(%batch_dim) : !inner
  %inner = linalg.generic {
      indexing_maps = [#rows, #bias, #rows, #rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%up, %up_bias, %open : !up, !up_bias, !active) outs(%empty_inner : !inner) {
  ^bb0(%sum: f32, %shift_stored: f16, %factor_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %factor = arith.extf %factor_stored : f16 to f32
    %gated = arith.mulf %shifted, %factor : f32
    %gated_stored = arith.truncf %gated : f32 to f16
    linalg.yield %gated_stored : f16
  } -> !inner
  %empty_down = tensor.empty(%batch_dim) : !down
  %start_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_down : !down) -> !down
  %down = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%inner, %down_weight : !inner, !down_weight) outs(%start_of_down : !down) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !down
  %empty_rows = tensor.empty(%batch_dim) : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%down, %down_bias : !down, !down_bias) outs(%empty_rows : !rows) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> !rows
  return %rows : !output
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
