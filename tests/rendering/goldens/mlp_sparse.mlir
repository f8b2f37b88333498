// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x20x256xf16>
!gate_up_weight = tensor<768x256xf16>
!down_weight = tensor<256x384xf16>
!output = tensor<2x20x256xf16>
!tokens = tensor<40x256xf16>
!gate_weight = tensor<384x256xf16>
!up_weight = tensor<384x256xf16>
!gate = tensor<40x384xf32>
!kept = !gate
!active = tensor<40x384xf16>
!up = tensor<40x384xf32>
!inner = tensor<40x384xf16>
!down = tensor<40x256xf32>
!rows = tensor<40x256xf16>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>

func.func @mlp(%hidden: !hidden, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [384, 256] [1, 1] : !gate_up_weight to !gate_weight
  %up_weight = tensor.extract_slice %gate_up_weight[384, 0] [384, 256] [1, 1] : !gate_up_weight to !up_weight
  %empty_gate = tensor.empty() : !gate
  %start_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_gate : !gate) -> !gate
  %gate = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %gate_weight : !tokens, !gate_weight) outs(%start_of_gate : !gate) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !gate
  %columns_of_gate = arith.constant 384.0 : f32
  %cutoff = arith.constant 1.6448536269514715 : f32
  %empty_of_row = tensor.empty() : tensor<40xf32>
  %start_of_row = linalg.fill ins(%zero : f32) outs(%empty_of_row : tensor<40xf32>) -> tensor<40xf32>
  %gate_sums = linalg.generic {
      indexing_maps = [#rows, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%gate : !gate) outs(%start_of_row : tensor<40xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %more = arith.addf %sum, %in : f32
    linalg.yield %more : f32
  } -> tensor<40xf32>
  %gate_squares = linalg.generic {
      indexing_maps = [#rows, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%gate, %gate_sums : !gate, tensor<40xf32>) outs(%start_of_row : tensor<40xf32>) {
  ^bb0(%in: f32, %of_row: f32, %sum: f32):
    %mean = arith.divf %of_row, %columns_of_gate : f32
    %off = arith.subf %in, %mean : f32
    %square = arith.mulf %off, %off : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> tensor<40xf32>
  %empty_kept = tensor.empty() : !gate
  %kept = linalg.generic {
      indexing_maps = [#rows, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%gate, %gate_sums, %gate_squares : !gate, tensor<40xf32>, tensor<40xf32>) outs(%empty_kept : !gate) {
  ^bb0(%in: f32, %of_row: f32, %square_of_row: f32, %unused: f32):
    %mean = arith.divf %of_row, %columns_of_gate : f32
    %variance = arith.divf %square_of_row, %columns_of_gate : f32
    %deviation = math.sqrt %variance : f32
    %above = arith.mulf %deviation, %cutoff : f32
    %off = arith.subf %in, %mean : f32
    %rest = arith.subf %off, %above : f32
    %left = arith.maximumf %rest, %zero : f32
    linalg.yield %left : f32
  } -> !gate
  %empty_active = tensor.empty() : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%kept : !kept) outs(%empty_active : !active) {
  ^bb0(%sum: f32, %unused: f16):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %sum : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %sum, %divisor : f32
    %active_stored = arith.truncf %active : f32 to f16
    linalg.yield %active_stored : f16
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
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !up
  %empty_inner = tensor.empty() : !inner
  %inner = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !up, !active) outs(%empty_inner : !inner) {
  ^bb0(%sum: f32, %factor_stored: f16, %unused: f16):
    %factor = arith.extf %factor_stored : f16 to f32
    %gated = arith.mulf %sum, %factor : f32
    %gated_stored = arith.truncf %gated : f32 to f16
    linalg.yield %gated_stored : f16
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
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !down) outs(%empty_rows : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 20, 256]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mlp$async(
    %hidden: !hidden,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mlp(%hidden, %gate_up_weight, %down_weight)
    : (!hidden, !gate_up_weight, !down_weight) -> (!output)
  util.return %output : !output
}
