// down(gelu_tanh(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x32x256xf16>
!gate_up_weight = tensor<768x256xf16>
!down_weight = tensor<256x384xf16>
!output = tensor<2x32x256xf16>
!tokens = tensor<64x256xf16>
!gate_weight = tensor<384x256xf16>
!up_weight = tensor<384x256xf16>
!gate = tensor<64x384xf32>
!active = tensor<64x384xf16>
!up = tensor<64x384xf32>
!inner = tensor<64x384xf16>
!down = tensor<64x256xf32>
!rows = tensor<64x256xf16>
#up_tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
    workgroup = [64, 128, 0], reduction = [0, 0, 2], subgroup = [2, 4, 0],
    promote_operands = [0, 1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>>
#down_tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
    workgroup = [64, 128, 0], reduction = [0, 0, 2], subgroup = [2, 4, 0],
    promote_operands = [0, 1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>>
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
    } ins(%tokens, %gate_weight : !tokens, !gate_weight) outs(%start_of_gate : !gate) attrs = {compilation_info = #up_tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !gate
  %empty_active = tensor.empty() : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !gate) outs(%empty_active : !active) {
  ^bb0(%sum: f32, %unused: f16):
    %cubic = arith.constant 0.044715 : f32
    %sqrt_8_over_pi = arith.constant 1.5957691216057308 : f32
    %square = arith.mulf %sum, %sum : f32
    %cube = arith.mulf %square, %sum : f32
    %part = arith.mulf %cube, %cubic : f32
    %curved = arith.addf %sum, %part : f32
    %bent = arith.mulf %curved, %sqrt_8_over_pi : f32
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %bent : f32
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
    } ins(%tokens, %up_weight : !tokens, !up_weight) outs(%start_of_up : !up) attrs = {compilation_info = #up_tile} {
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
    } ins(%inner, %down_weight : !inner, !down_weight) outs(%start_of_down : !down) attrs = {compilation_info = #down_tile} {
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
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 32, 256]
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
