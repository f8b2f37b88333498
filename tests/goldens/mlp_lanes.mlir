// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x1x256xf16>
!gate_up_weight = tensor<768x256xf16>
!down_weight = tensor<256x384xf16>
!output = tensor<2x1x256xf16>
!tokens = tensor<2x256xf16>
!gate_up_pairs = tensor<768x8x16xi32>
!gate = tensor<2x384xf32>
!active = tensor<2x384xf16>
!up = tensor<2x384xf32>
!inner = tensor<2x384xf16>
!down = tensor<2x256xf32>
!rows = tensor<2x256xf16>
#rows = affine_map<(m, n) -> (m, n)>

func.func @mlp(%hidden: !hidden, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %gate_up_pairs = iree_tensor_ext.bitcast %gate_up_weight : !gate_up_weight -> !gate_up_pairs
  %gate_pairs = tensor.extract_slice %gate_up_pairs[0, 0, 0] [384, 8, 16] [1, 1, 1] : !gate_up_pairs to tensor<384x8x16xi32>
  %up_pairs = tensor.extract_slice %gate_up_pairs[384, 0, 0] [384, 8, 16] [1, 1, 1] : !gate_up_pairs to tensor<384x8x16xi32>
  %gate_empty = tensor.empty() : !gate
  %gate_start = linalg.fill ins(%zero : f32) outs(%gate_empty : !gate) -> !gate
  %gate_tokens = iree_tensor_ext.bitcast %tokens : !tokens -> tensor<2x8x16xi32>
  %gate_lanes_empty = tensor.empty() : tensor<2x384x16xf32>
  %gate_lanes_start = linalg.fill ins(%zero : f32) outs(%gate_lanes_empty : tensor<2x384x16xf32>) -> tensor<2x384x16xf32>
  %gate_lanes = linalg.generic {
      indexing_maps = [affine_map<(m, n, l, k) -> (m, k, l)>,
                       affine_map<(m, n, l, k) -> (n, k, l)>,
                       affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%gate_tokens, %gate_pairs : tensor<2x8x16xi32>, tensor<384x8x16xi32>) outs(%gate_lanes_start : tensor<2x384x16xf32>) {
  ^bb0(%x: i32, %w: i32, %sum: f32):
    %half = arith.constant 16 : i32
    %x_shifted = arith.shrui %x, %half : i32
    %x_low_bits = arith.trunci %x : i32 to i16
    %x_low_given = arith.bitcast %x_low_bits : i16 to f16
    %x_low = arith.extf %x_low_given : f16 to f32
    %x_high_bits = arith.trunci %x_shifted : i32 to i16
    %x_high_given = arith.bitcast %x_high_bits : i16 to f16
    %x_high = arith.extf %x_high_given : f16 to f32
    %w_shifted = arith.shrui %w, %half : i32
    %w_low_bits = arith.trunci %w : i32 to i16
    %w_low_given = arith.bitcast %w_low_bits : i16 to f16
    %w_low = arith.extf %w_low_given : f16 to f32
    %w_high_bits = arith.trunci %w_shifted : i32 to i16
    %w_high_given = arith.bitcast %w_high_bits : i16 to f16
    %w_high = arith.extf %w_high_given : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x384x16xf32>
  %gate = linalg.generic {
      indexing_maps = [affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%gate_lanes : tensor<2x384x16xf32>) outs(%gate_start : tensor<2x384xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x384xf32>
  %active_empty = tensor.empty() : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !gate) outs(%active_empty : !active) {
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
  %up_empty = tensor.empty() : !up
  %up_start = linalg.fill ins(%zero : f32) outs(%up_empty : !up) -> !up
  %up_tokens = iree_tensor_ext.bitcast %tokens : !tokens -> tensor<2x8x16xi32>
  %up_lanes_empty = tensor.empty() : tensor<2x384x16xf32>
  %up_lanes_start = linalg.fill ins(%zero : f32) outs(%up_lanes_empty : tensor<2x384x16xf32>) -> tensor<2x384x16xf32>
  %up_lanes = linalg.generic {
      indexing_maps = [affine_map<(m, n, l, k) -> (m, k, l)>,
                       affine_map<(m, n, l, k) -> (n, k, l)>,
                       affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%up_tokens, %up_pairs : tensor<2x8x16xi32>, tensor<384x8x16xi32>) outs(%up_lanes_start : tensor<2x384x16xf32>) {
  ^bb0(%x: i32, %w: i32, %sum: f32):
    %half = arith.constant 16 : i32
    %x_shifted = arith.shrui %x, %half : i32
    %x_low_bits = arith.trunci %x : i32 to i16
    %x_low_given = arith.bitcast %x_low_bits : i16 to f16
    %x_low = arith.extf %x_low_given : f16 to f32
    %x_high_bits = arith.trunci %x_shifted : i32 to i16
    %x_high_given = arith.bitcast %x_high_bits : i16 to f16
    %x_high = arith.extf %x_high_given : f16 to f32
    %w_shifted = arith.shrui %w, %half : i32
    %w_low_bits = arith.trunci %w : i32 to i16
    %w_low_given = arith.bitcast %w_low_bits : i16 to f16
    %w_low = arith.extf %w_low_given : f16 to f32
    %w_high_bits = arith.trunci %w_shifted : i32 to i16
    %w_high_given = arith.bitcast %w_high_bits : i16 to f16
    %w_high = arith.extf %w_high_given : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x384x16xf32>
  %up = linalg.generic {
      indexing_maps = [affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%up_lanes : tensor<2x384x16xf32>) outs(%up_start : tensor<2x384xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x384xf32>
  %inner_empty = tensor.empty() : !inner
  %inner = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !up, !active) outs(%inner_empty : !inner) {
  ^bb0(%sum: f32, %factor: f16, %unused: f16):
    %factor_f32 = arith.extf %factor : f16 to f32
    %gated = arith.mulf %sum, %factor_f32 : f32
    %gated_stored = arith.truncf %gated : f32 to f16
    linalg.yield %gated_stored : f16
  } -> !inner
  %down_pairs = iree_tensor_ext.bitcast %down_weight : !down_weight -> tensor<256x12x16xi32>
  %down_empty = tensor.empty() : !down
  %down_start = linalg.fill ins(%zero : f32) outs(%down_empty : !down) -> !down
  %down_tokens = iree_tensor_ext.bitcast %inner : !inner -> tensor<2x12x16xi32>
  %down_lanes_empty = tensor.empty() : tensor<2x256x16xf32>
  %down_lanes_start = linalg.fill ins(%zero : f32) outs(%down_lanes_empty : tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
  %down_lanes = linalg.generic {
      indexing_maps = [affine_map<(m, n, l, k) -> (m, k, l)>,
                       affine_map<(m, n, l, k) -> (n, k, l)>,
                       affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%down_tokens, %down_pairs : tensor<2x12x16xi32>, tensor<256x12x16xi32>) outs(%down_lanes_start : tensor<2x256x16xf32>) {
  ^bb0(%x: i32, %w: i32, %sum: f32):
    %half = arith.constant 16 : i32
    %x_shifted = arith.shrui %x, %half : i32
    %x_low_bits = arith.trunci %x : i32 to i16
    %x_low_given = arith.bitcast %x_low_bits : i16 to f16
    %x_low = arith.extf %x_low_given : f16 to f32
    %x_high_bits = arith.trunci %x_shifted : i32 to i16
    %x_high_given = arith.bitcast %x_high_bits : i16 to f16
    %x_high = arith.extf %x_high_given : f16 to f32
    %w_shifted = arith.shrui %w, %half : i32
    %w_low_bits = arith.trunci %w : i32 to i16
    %w_low_given = arith.bitcast %w_low_bits : i16 to f16
    %w_low = arith.extf %w_low_given : f16 to f32
    %w_high_bits = arith.trunci %w_shifted : i32 to i16
    %w_high_given = arith.bitcast %w_high_bits : i16 to f16
    %w_high = arith.extf %w_high_given : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x256x16xf32>
  %down = linalg.generic {
      indexing_maps = [affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%down_lanes : tensor<2x256x16xf32>) outs(%down_start : tensor<2x256xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x256xf32>
  %rows_empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !down) outs(%rows_empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 1, 256] : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mlp$async(%hidden: !hidden, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mlp(%hidden, %gate_up_weight, %down_weight) : (!hidden, !gate_up_weight, !down_weight) -> (!output)
  util.return %output : !output
}
