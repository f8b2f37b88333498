// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x1x256xf16>
!gate_up_weight = tensor<768x256xf16>
!down_weight = tensor<256x384xf16>
!output = tensor<2x1x256xf16>
!tokens = tensor<2x256xf16>
!gate_up_parts = tensor<768x8x2x16xf16>
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
  %gate_up_parts = iree_tensor_ext.bitcast %gate_up_weight : !gate_up_weight -> !gate_up_parts
  %gate_parts = tensor.extract_slice %gate_up_parts[0, 0, 0, 0] [384, 8, 2, 16] [1, 1, 1, 1] : !gate_up_parts to tensor<384x8x2x16xf16>
  %up_parts = tensor.extract_slice %gate_up_parts[384, 0, 0, 0] [384, 8, 2, 16] [1, 1, 1, 1] : !gate_up_parts to tensor<384x8x2x16xf16>
  %empty_gate = tensor.empty() : !gate
  %start_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_gate : !gate) -> !gate
  %tokens_of_gate = iree_tensor_ext.bitcast %tokens : !tokens -> tensor<2x8x2x16xf16>
  %x0_of_gate = tensor.extract_slice %tokens_of_gate[0, 0, 0, 0] [2, 8, 1, 16] [1, 1, 1, 1] : tensor<2x8x2x16xf16> to tensor<2x8x16xf16>
  %x1_of_gate = tensor.extract_slice %tokens_of_gate[0, 0, 1, 0] [2, 8, 1, 16] [1, 1, 1, 1] : tensor<2x8x2x16xf16> to tensor<2x8x16xf16>
  %w0_of_gate = tensor.extract_slice %gate_parts[0, 0, 0, 0] [384, 8, 1, 16] [1, 1, 1, 1] : tensor<384x8x2x16xf16> to tensor<384x8x16xf16>
  %w1_of_gate = tensor.extract_slice %gate_parts[0, 0, 1, 0] [384, 8, 1, 16] [1, 1, 1, 1] : tensor<384x8x2x16xf16> to tensor<384x8x16xf16>
  %empty_lanes_of_gate = tensor.empty() : tensor<2x384x16xf32>
  %no_lanes_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_gate : tensor<2x384x16xf32>) -> tensor<2x384x16xf32>
  %lanes_of_gate = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_gate, %x1_of_gate, %w0_of_gate, %w1_of_gate
        : tensor<2x8x16xf16>, tensor<2x8x16xf16>, tensor<384x8x16xf16>, tensor<384x8x16xf16>)
      outs(%no_lanes_of_gate : tensor<2x384x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [0, 64, 0, 0], vector_common_parallel = [2, 4, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: f16, %x1: f16, %w0: f16, %w1: f16, %sum: f32):
    %x_low = arith.extf %x0 : f16 to f32
    %x_high = arith.extf %x1 : f16 to f32
    %w_low = arith.extf %w0 : f16 to f32
    %w_high = arith.extf %w1 : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x384x16xf32>
  %gate = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%lanes_of_gate : tensor<2x384x16xf32>) outs(%start_of_gate : tensor<2x384xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x384xf32>
  %empty_active = tensor.empty() : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !gate) outs(%empty_active : !active) {
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
  %tokens_of_up = iree_tensor_ext.bitcast %tokens : !tokens -> tensor<2x8x2x16xf16>
  %x0_of_up = tensor.extract_slice %tokens_of_up[0, 0, 0, 0] [2, 8, 1, 16] [1, 1, 1, 1] : tensor<2x8x2x16xf16> to tensor<2x8x16xf16>
  %x1_of_up = tensor.extract_slice %tokens_of_up[0, 0, 1, 0] [2, 8, 1, 16] [1, 1, 1, 1] : tensor<2x8x2x16xf16> to tensor<2x8x16xf16>
  %w0_of_up = tensor.extract_slice %up_parts[0, 0, 0, 0] [384, 8, 1, 16] [1, 1, 1, 1] : tensor<384x8x2x16xf16> to tensor<384x8x16xf16>
  %w1_of_up = tensor.extract_slice %up_parts[0, 0, 1, 0] [384, 8, 1, 16] [1, 1, 1, 1] : tensor<384x8x2x16xf16> to tensor<384x8x16xf16>
  %empty_lanes_of_up = tensor.empty() : tensor<2x384x16xf32>
  %no_lanes_of_up = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_up : tensor<2x384x16xf32>) -> tensor<2x384x16xf32>
  %lanes_of_up = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_up, %x1_of_up, %w0_of_up, %w1_of_up
        : tensor<2x8x16xf16>, tensor<2x8x16xf16>, tensor<384x8x16xf16>, tensor<384x8x16xf16>)
      outs(%no_lanes_of_up : tensor<2x384x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [0, 64, 0, 0], vector_common_parallel = [2, 4, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: f16, %x1: f16, %w0: f16, %w1: f16, %sum: f32):
    %x_low = arith.extf %x0 : f16 to f32
    %x_high = arith.extf %x1 : f16 to f32
    %w_low = arith.extf %w0 : f16 to f32
    %w_high = arith.extf %w1 : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x384x16xf32>
  %up = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%lanes_of_up : tensor<2x384x16xf32>) outs(%start_of_up : tensor<2x384xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x384xf32>
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
  %down_parts = iree_tensor_ext.bitcast %down_weight : !down_weight -> tensor<256x12x2x16xf16>
  %empty_down = tensor.empty() : !down
  %start_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_down : !down) -> !down
  %tokens_of_down = iree_tensor_ext.bitcast %inner : !inner -> tensor<2x12x2x16xf16>
  %x0_of_down = tensor.extract_slice %tokens_of_down[0, 0, 0, 0] [2, 12, 1, 16] [1, 1, 1, 1] : tensor<2x12x2x16xf16> to tensor<2x12x16xf16>
  %x1_of_down = tensor.extract_slice %tokens_of_down[0, 0, 1, 0] [2, 12, 1, 16] [1, 1, 1, 1] : tensor<2x12x2x16xf16> to tensor<2x12x16xf16>
  %w0_of_down = tensor.extract_slice %down_parts[0, 0, 0, 0] [256, 12, 1, 16] [1, 1, 1, 1] : tensor<256x12x2x16xf16> to tensor<256x12x16xf16>
  %w1_of_down = tensor.extract_slice %down_parts[0, 0, 1, 0] [256, 12, 1, 16] [1, 1, 1, 1] : tensor<256x12x2x16xf16> to tensor<256x12x16xf16>
  %empty_lanes_of_down = tensor.empty() : tensor<2x256x16xf32>
  %no_lanes_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_lanes_of_down : tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
  %lanes_of_down = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (m, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (n, k, l)>,
        affine_map<(m, n, l, k) -> (m, n, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%x0_of_down, %x1_of_down, %w0_of_down, %w1_of_down
        : tensor<2x12x16xf16>, tensor<2x12x16xf16>, tensor<256x12x16xf16>, tensor<256x12x16xf16>)
      outs(%no_lanes_of_down : tensor<2x256x16xf32>)
      attrs = {compilation_info = #iree_codegen.compilation_info<
      lowering_config = #iree_cpu.lowering_config<
        distribution = [0, 64, 0, 0], vector_common_parallel = [2, 4, 16, 0],
        vector_reduction = [0, 0, 0, 1]>,
      translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>} {
  ^bb0(%x0: f16, %x1: f16, %w0: f16, %w1: f16, %sum: f32):
    %x_low = arith.extf %x0 : f16 to f32
    %x_high = arith.extf %x1 : f16 to f32
    %w_low = arith.extf %w0 : f16 to f32
    %w_high = arith.extf %w1 : f16 to f32
    %low = arith.mulf %x_low, %w_low fastmath<contract> : f32
    %high = arith.mulf %x_high, %w_high fastmath<contract> : f32
    %both = arith.addf %low, %high fastmath<contract> : f32
    %more = arith.addf %sum, %both fastmath<contract> : f32
    linalg.yield %more : f32
  } -> tensor<2x256x16xf32>
  %down = linalg.generic {
      indexing_maps = [
        affine_map<(m, n, l) -> (m, n, l)>, affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%lanes_of_down : tensor<2x256x16xf32>) outs(%start_of_down : tensor<2x256xf32>) {
  ^bb0(%lane: f32, %sum: f32):
    %more = arith.addf %sum, %lane : f32
    linalg.yield %more : f32
  } -> tensor<2x256xf32>
  %empty_rows = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !down) outs(%empty_rows : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 1, 256]
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
