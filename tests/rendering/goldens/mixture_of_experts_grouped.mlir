// The router chooses 2 of 4 experts for each token. Tokens are sorted by expert, in blocks of at most
// 8, and each block is multiplied with the weights of its expert.
// m token, e and f expert, r rank of an expert of a token, p place of a token in the order of experts,
// b block of places, c chunk of tokens, u token of a chunk, n column of a product, k column of what is multiplied
// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!shared__hidden = tensor<?x?x64xf32>
!shared__gate_up_weight = tensor<40x64xf32>
!shared__down_weight = tensor<64x20xf32>
!shared__output = tensor<?x?x64xf32>
!shared__tokens = tensor<?x64xf32>
!shared__gate_weight = tensor<20x64xf32>
!shared__up_weight = tensor<20x64xf32>
!shared__gate = tensor<?x20xf32>
!shared__active = tensor<?x20xf32>
!shared__up = tensor<?x20xf32>
!shared__inner = tensor<?x20xf32>
!shared__down = tensor<?x64xf32>
!shared__rows = tensor<?x64xf32>
#shared__x = affine_map<(m, n, k) -> (m, k)>
#shared__weight = affine_map<(m, n, k) -> (n, k)>
#shared__acc = affine_map<(m, n, k) -> (m, n)>
#shared__rows = affine_map<(m, n) -> (m, n)>

func.func private @shared(%hidden: !shared__hidden, %gate_up_weight: !shared__gate_up_weight, %down_weight: !shared__down_weight) -> !shared__output {
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %hidden, %batch_axis : !shared__hidden
  %q_len_axis = arith.constant 1 : index
  %q_len_dim = tensor.dim %hidden, %q_len_axis : !shared__hidden
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !shared__hidden into !shared__tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !shared__tokens
  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [20, 64] [1, 1] : !shared__gate_up_weight to !shared__gate_weight
  %up_weight = tensor.extract_slice %gate_up_weight[20, 0] [20, 64] [1, 1] : !shared__gate_up_weight to !shared__up_weight
  %empty_gate = tensor.empty(%rows_dim) : !shared__gate
  %start_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_gate : !shared__gate) -> !shared__gate
  %gate = linalg.generic {
      indexing_maps = [#shared__x, #shared__weight, #shared__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %gate_weight : !shared__tokens, !shared__gate_weight) outs(%start_of_gate : !shared__gate) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !shared__gate
  %empty_active = tensor.empty(%rows_dim) : !shared__active
  %active = linalg.generic {
      indexing_maps = [#shared__rows, #shared__rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !shared__gate) outs(%empty_active : !shared__active) {
  ^bb0(%sum: f32, %unused: f32):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %sum : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %sum, %divisor : f32

    linalg.yield %active : f32
  } -> !shared__active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !shared__active{%rows_dim} -> !shared__active
  %empty_up = tensor.empty(%rows_dim) : !shared__up
  %start_of_up = linalg.fill ins(%zero : f32)
    outs(%empty_up : !shared__up) -> !shared__up
  %up = linalg.generic {
      indexing_maps = [#shared__x, #shared__weight, #shared__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %up_weight : !shared__tokens, !shared__up_weight) outs(%start_of_up : !shared__up) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !shared__up
  %empty_inner = tensor.empty(%rows_dim) : !shared__inner
  %inner = linalg.generic {
      indexing_maps = [#shared__rows, #shared__rows, #shared__rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !shared__up, !shared__active) outs(%empty_inner : !shared__inner) {
  ^bb0(%sum: f32, %factor: f32, %unused: f32):

    %gated = arith.mulf %sum, %factor : f32

    linalg.yield %gated : f32
  } -> !shared__inner
  %empty_down = tensor.empty(%rows_dim) : !shared__down
  %start_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_down : !shared__down) -> !shared__down
  %down = linalg.generic {
      indexing_maps = [#shared__x, #shared__weight, #shared__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%inner, %down_weight : !shared__inner, !shared__down_weight) outs(%start_of_down : !shared__down) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !shared__down
  %empty_rows = tensor.empty(%rows_dim) : !shared__rows
  %rows = linalg.generic {
      indexing_maps = [#shared__rows, #shared__rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !shared__down) outs(%empty_rows : !shared__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !shared__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [%batch_dim, %q_len_dim, 64]
    : !shared__rows into !shared__output
  return %output : !shared__output
}
!hidden = tensor<?x?x64xf32>
!router_weight = tensor<4x64xf32>
!choice_bias = tensor<4xf32>
!gate_up_weight = tensor<4x128x64xf32>
!gate_up_bias = tensor<4x128xf32>
!down_weight = tensor<4x64x64xf32>
!down_bias = tensor<4x64xf32>
!shared_gate_up_weight = tensor<40x64xf32>
!shared_down_weight = tensor<64x20xf32>
!shared_gate_weight = tensor<1x64xf32>
!output = tensor<?x?x64xf32>
!tokens = tensor<?x64xf32>
!scores = tensor<?x4xf32>
!products = !scores
!orders = tensor<?x4xi32>
!chosen = tensor<?x2xf32>
!ids = tensor<?x2xi32>
!of_token = tensor<?xf32>
!grouped = tensor<?x2x2xf32>
!grouped_orders = tensor<?x2x2xi32>
!group_rows = tensor<?x2xi32>
!of_group = tensor<?x2xf32>
!group_orders = tensor<?x2xi32>
!padded = tensor<?x4xi32>
!chunked = tensor<?x64x4xi32>
!of_chunk = tensor<?x4xi32>
!of_expert = tensor<4xi32>
!pairs = tensor<?xi32>
!pair_places = tensor<?x1xi32>
!place_tokens = tensor<?xi32>
!token_column = tensor<?x1xi32>
!of_block = tensor<?xi32>
!gate_up_rows = tensor<512x64xf32>
!down_rows = tensor<256x64xf32>
!gate_up_sums = tensor<?x128xf32>
!gate_column = tensor<64xf32>
!halves = tensor<?x64xf32>
!inner = tensor<?x64xf32>
!down_sums = tensor<?x64xf32>
!sums = tensor<?x64xf32>
!rows = !tokens
#own = affine_map<(m, e, f) -> (m, e)>
#other = affine_map<(m, e, f) -> (m, f)>
#first = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#middle = affine_map<(m, r, n) -> (m, r)>
#outer = affine_map<(m, r, n) -> (m, n)>
#x = affine_map<(m, n, k) -> (m, k)>
#weight = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, n) -> (m, n)>
// A lane counts for a number: with its own tile, the compiler is at it for minutes.
#counting = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 32, 0], thread = [1, 1, 0], reduction = [0, 0, 1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
!sorted = tensor<?x64xf32>
#tile_of_gate_up_sums = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [0, 0, 0], partial_reduction = [0, 0, 64], thread = [8, 4, 4],
    lane_basis = [[1, 2, 16], [0, 1, 2]],
    subgroup_basis = [[1, 1, 1], [0, 1, 2]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
flow.executable private @gate_up_sums_kernel {
  flow.executable.export public @gate_up_sums_kernel
      workgroups(%places_dim: index, %blocks_dim: index) -> (index, index, index) {
    %tiles = arith.constant 16 : index
    %one = arith.constant 1 : index
    flow.return %tiles, %blocks_dim, %one : index, index, index
  }
  builtin.module {
  func.func @gate_up_sums_kernel(
      %sorted_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>,
      %gate_up_rows_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf32>>,
      %block_experts_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>,
      %block_ends_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>,
      %places_dim_in: index,
      %blocks_dim_in: index,
      %gate_up_sums_out: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
    ) {
    %places_dim = iree_tensor_ext.dispatch.workload.ordinal %places_dim_in, 0 : index
    %blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %blocks_dim_in, 1 : index
    %sorted_tied = flow.dispatch.tie_shape %sorted_in
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%places_dim}
    %block_experts_tied = flow.dispatch.tie_shape %block_experts_in
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim}
    %block_ends_tied = flow.dispatch.tie_shape %block_ends_in
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim}
    %gate_up_sums_tied = flow.dispatch.tie_shape %gate_up_sums_out
      : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>{%places_dim}
    %i = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[1] : index
    %block_experts = iree_tensor_ext.dispatch.tensor.load %block_experts_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim} -> tensor<?xi32>
    %expert_told = tensor.extract %block_experts[%b] : tensor<?xi32>
    %expert = arith.index_cast %expert_told : i32 to index
    %block_ends = iree_tensor_ext.dispatch.tensor.load %block_ends_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim} -> tensor<?xi32>
    %no_end = arith.constant 0 : i32
    %end = tensor.extract %block_ends[%b] : tensor<?xi32>
    %is_any = arith.cmpi ne, %end, %no_end : i32
    %row = affine.apply affine_map<(b) -> (b * 8)>(%b)
    %column = affine.apply affine_map<(i) -> (i * 8)>(%i)
    scf.if %is_any {
    %weight_row = affine.apply
      affine_map<(i)[e] -> (i * 8 + e * 128)>(%i)[%expert]
    %own_x = iree_tensor_ext.dispatch.tensor.load %sorted_tied,
      offsets = [%row, 0], sizes = [8, 64], strides = [1, 1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%places_dim} -> tensor<8x64xf32>
    %own_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_rows_in,
      offsets = [%weight_row, 0], sizes = [8, 64], strides = [1, 1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf32>> -> tensor<8x64xf32>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8x8xf32>
    %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
    %sums = linalg.generic {
        indexing_maps = [
          affine_map<(m, n, k) -> (m, k)>,
          affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%own_x, %own_weight : tensor<8x64xf32>, tensor<8x64xf32>) outs(%start : tensor<8x8xf32>)
        attrs = {compilation_info = #tile_of_gate_up_sums} {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
    } -> tensor<8x8xf32>
    iree_tensor_ext.dispatch.tensor.store %sums, %gate_up_sums_tied,
      offsets = [%row, %column], sizes = [8, 8], strides = [1, 1]
      : tensor<8x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>{%places_dim}
    } else {
      // Nobody's rows, which are activated all the same.
      %no_sum = arith.constant 0.0 : f32
      %empty_block = tensor.empty() : tensor<8x8xf32>
      %no_sums = linalg.fill ins(%no_sum : f32) outs(%empty_block : tensor<8x8xf32>) -> tensor<8x8xf32>
    iree_tensor_ext.dispatch.tensor.store %no_sums, %gate_up_sums_tied,
      offsets = [%row, %column], sizes = [8, 8], strides = [1, 1]
      : tensor<8x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>{%places_dim}
    }
    return
  }
  }
}
#tile_of_down_sums = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [0, 0, 0], partial_reduction = [0, 0, 64], thread = [8, 4, 4],
    lane_basis = [[1, 2, 16], [0, 1, 2]],
    subgroup_basis = [[1, 1, 1], [0, 1, 2]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
flow.executable private @down_sums_kernel {
  flow.executable.export public @down_sums_kernel
      workgroups(%places_dim: index, %blocks_dim: index) -> (index, index, index) {
    %tiles = arith.constant 8 : index
    %one = arith.constant 1 : index
    flow.return %tiles, %blocks_dim, %one : index, index, index
  }
  builtin.module {
  func.func @down_sums_kernel(
      %inner_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>,
      %down_rows_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>,
      %block_experts_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>,
      %block_ends_in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>,
      %places_dim_in: index,
      %blocks_dim_in: index,
      %down_sums_out: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf32>>
    ) {
    %places_dim = iree_tensor_ext.dispatch.workload.ordinal %places_dim_in, 0 : index
    %blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %blocks_dim_in, 1 : index
    %inner_tied = flow.dispatch.tie_shape %inner_in
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%places_dim}
    %block_experts_tied = flow.dispatch.tie_shape %block_experts_in
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim}
    %block_ends_tied = flow.dispatch.tie_shape %block_ends_in
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim}
    %down_sums_tied = flow.dispatch.tie_shape %down_sums_out
      : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf32>>{%places_dim}
    %i = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[1] : index
    %block_experts = iree_tensor_ext.dispatch.tensor.load %block_experts_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim} -> tensor<?xi32>
    %expert_told = tensor.extract %block_experts[%b] : tensor<?xi32>
    %expert = arith.index_cast %expert_told : i32 to index
    %block_ends = iree_tensor_ext.dispatch.tensor.load %block_ends_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>{%blocks_dim} -> tensor<?xi32>
    %no_end = arith.constant 0 : i32
    %end = tensor.extract %block_ends[%b] : tensor<?xi32>
    %is_any = arith.cmpi ne, %end, %no_end : i32
    %row = affine.apply affine_map<(b) -> (b * 8)>(%b)
    %column = affine.apply affine_map<(i) -> (i * 8)>(%i)
    scf.if %is_any {
    %weight_row = affine.apply
      affine_map<(i)[e] -> (i * 8 + e * 64)>(%i)[%expert]
    %own_x = iree_tensor_ext.dispatch.tensor.load %inner_tied,
      offsets = [%row, 0], sizes = [8, 64], strides = [1, 1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%places_dim} -> tensor<8x64xf32>
    %own_weight = iree_tensor_ext.dispatch.tensor.load %down_rows_in,
      offsets = [%weight_row, 0], sizes = [8, 64], strides = [1, 1]
      : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>> -> tensor<8x64xf32>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8x8xf32>
    %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
    %sums = linalg.generic {
        indexing_maps = [
          affine_map<(m, n, k) -> (m, k)>,
          affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%own_x, %own_weight : tensor<8x64xf32>, tensor<8x64xf32>) outs(%start : tensor<8x8xf32>)
        attrs = {compilation_info = #tile_of_down_sums} {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
    } -> tensor<8x8xf32>
    iree_tensor_ext.dispatch.tensor.store %sums, %down_sums_tied,
      offsets = [%row, %column], sizes = [8, 8], strides = [1, 1]
      : tensor<8x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf32>>{%places_dim}
    } else {
      // Nobody's rows, which are activated all the same.
      %no_sum = arith.constant 0.0 : f32
      %empty_block = tensor.empty() : tensor<8x8xf32>
      %no_sums = linalg.fill ins(%no_sum : f32) outs(%empty_block : tensor<8x8xf32>) -> tensor<8x8xf32>
    iree_tensor_ext.dispatch.tensor.store %no_sums, %down_sums_tied,
      offsets = [%row, %column], sizes = [8, 8], strides = [1, 1]
      : tensor<8x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf32>>{%places_dim}
    }
    return
  }
  }
}
func.func @mixture_of_experts(%hidden_given: !hidden, %router_weight: !router_weight, %choice_bias: !choice_bias, %gate_up_weight: !gate_up_weight, %gate_up_bias: !gate_up_bias, %down_weight: !down_weight, %down_bias: !down_bias, %shared_gate_up_weight: !shared_gate_up_weight, %shared_down_weight: !shared_down_weight, %shared_gate_weight: !shared_gate_weight) -> !output {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %hidden_given, %batch_axis : !hidden
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %hidden_given, %q_len_axis : !hidden
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 40, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%batch_dim, %q_len_dim}
  %zero = arith.constant 0.0 : f32
  %zero_i32 = arith.constant 0 : i32
  %magnitude_bits = arith.constant 2147483647 : i32
  %infinity = arith.constant 2139095040 : i32
  %largest = arith.constant -1 : i32
  %middle = arith.constant -2147483648 : i32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !tokens
  %group_rows_dim = affine.apply affine_map<()[n] -> (n * 2)>()[%rows_dim]
  %pairs_dim = affine.apply affine_map<()[n] -> (n * 2)>()[%rows_dim]
  %blocks_dim = affine.apply affine_map<()[n] -> ((n * 2) floordiv 8 + 4)>()[%rows_dim]
  %places_dim = affine.apply affine_map<()[n] -> (((n * 2) floordiv 8 + 4) * 8)>()[%rows_dim]
  %chunks_dim = affine.apply affine_map<()[n] -> (n ceildiv 64)>()[%rows_dim]
  %padded_dim = affine.apply affine_map<()[n] -> (n ceildiv 64 * 64)>()[%rows_dim]
  %padding_dim = affine.apply affine_map<()[n] -> (n ceildiv 64 * 64 - n)>()[%rows_dim]
  %empty_products = tensor.empty(%rows_dim) : !products
  %start_of_products = linalg.fill ins(%zero : f32)
    outs(%empty_products : !products) -> !products
  %products = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %router_weight : !tokens, !router_weight) outs(%start_of_products : !products) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !products
  // The compiler has no code for the product and all that is made of it in one kernel.
  %routed = iree_tensor_ext.compute_barrier.start %products : !scores{%rows_dim} -> !scores
  %scores_empty = tensor.empty(%rows_dim) : !scores
  %orders_empty = tensor.empty(%rows_dim) : !orders
  %score, %wanted, %order_of_all = linalg.generic {
      indexing_maps = [#rows, #column, #rows, #rows, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%routed, %choice_bias : !scores, !choice_bias)
      outs(%scores_empty, %scores_empty, %orders_empty : !scores, !scores, !orders) {
  ^bb0(%product: f32, %preferred: f32, %no_score: f32, %not_wanted: f32, %no_order: i32):
    %share_one = arith.constant 1.0 : f32
    %share_negated = arith.negf %product : f32
    %share_power = math.exp %share_negated : f32
    %share_divisor = arith.addf %share_power, %share_one : f32
    %share = arith.divf %share_one, %share_divisor : f32
    %preference = arith.addf %share, %preferred : f32
    %bits = arith.bitcast %preference : f32 to i32
    %magnitude = arith.andi %bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero_i32, %magnitude : i32
    %is_negative = arith.cmpi slt, %bits, %zero_i32 : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %largest, %above_zero : i32
    linalg.yield %share, %preference, %order : f32, f32, i32
  } -> (!scores, !scores, !orders)
  %grouped_orders = tensor.expand_shape %order_of_all [[0], [1, 2]]
    output_shape [%rows_dim, 2, 2] : !orders into !grouped_orders
  %group_rows = tensor.collapse_shape %grouped_orders [[0, 1], [2]] : !grouped_orders into !group_rows
  %rank_in_group_empty = tensor.empty(%group_rows_dim) : !group_rows
  %rank_in_group_start = linalg.fill ins(%zero_i32 : i32)
    outs(%rank_in_group_empty : !group_rows) -> !group_rows
  %rank_in_group = linalg.generic {
      indexing_maps = [#own, #other, #own],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%group_rows, %group_rows : !group_rows, !group_rows)
      outs(%rank_in_group_start : !group_rows) attrs = {compilation_info = #counting} {
  ^bb0(%own: i32, %other: i32, %count: i32):
    %e = linalg.index 1 : index
    %f = linalg.index 2 : index
    %is_better = arith.cmpi ugt, %other, %own : i32
    %is_equal = arith.cmpi eq, %other, %own : i32
    %is_earlier = arith.cmpi ult, %f, %e : index
    %is_first = arith.andi %is_equal, %is_earlier : i1
    %is_before = arith.ori %is_better, %is_first : i1
    %one = arith.extui %is_before : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !group_rows
  %ranks_in_groups = tensor.expand_shape %rank_in_group [[0, 1], [2]]
    output_shape [%rows_dim, 2, 2] : !group_rows into !grouped_orders
  %wanted_of_groups = tensor.expand_shape %wanted [[0], [1, 2]]
    output_shape [%rows_dim, 2, 2] : !scores into !grouped
  %of_groups_empty = tensor.empty(%rows_dim) : !of_group
  %of_groups_start = linalg.fill ins(%zero : f32) outs(%of_groups_empty : !of_group) -> !of_group
  %group_scores = linalg.generic {
      indexing_maps = [affine_map<(m, g, e) -> (m, g, e)>, affine_map<(m, g, e) -> (m, g, e)>, #middle],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%ranks_in_groups, %wanted_of_groups : !grouped_orders, !grouped)
      outs(%of_groups_start : !of_group) {
  ^bb0(%rank: i32, %score_of_one: f32, %sum: f32):
    %scored = arith.constant 2 : i32
    %is_scored = arith.cmpi ult, %rank, %scored : i32
    %counted = arith.select %is_scored, %score_of_one, %zero : f32
    %more = arith.addf %sum, %counted : f32
    linalg.yield %more : f32
  } -> !of_group
  %group_orders_empty = tensor.empty(%rows_dim) : !group_orders
  %group_orders = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%group_scores : !of_group) outs(%group_orders_empty : !group_orders) {
  ^bb0(%sum: f32, %unused: i32):
    %bits = arith.bitcast %sum : f32 to i32
    %magnitude = arith.andi %bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero_i32, %magnitude : i32
    %is_negative = arith.cmpi slt, %bits, %zero_i32 : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %largest, %above_zero : i32
    linalg.yield %order : i32
  } -> !group_orders
  %group_ranks_empty = tensor.empty(%rows_dim) : !group_orders
  %group_ranks_start = linalg.fill ins(%zero_i32 : i32)
    outs(%group_ranks_empty : !group_orders) -> !group_orders
  %group_ranks = linalg.generic {
      indexing_maps = [#own, #other, #own],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%group_orders, %group_orders : !group_orders, !group_orders)
      outs(%group_ranks_start : !group_orders) attrs = {compilation_info = #counting} {
  ^bb0(%own: i32, %other: i32, %count: i32):
    %e = linalg.index 1 : index
    %f = linalg.index 2 : index
    %is_better = arith.cmpi ugt, %other, %own : i32
    %is_equal = arith.cmpi eq, %other, %own : i32
    %is_earlier = arith.cmpi ult, %f, %e : index
    %is_first = arith.andi %is_equal, %is_earlier : i1
    %is_before = arith.ori %is_better, %is_first : i1
    %one = arith.extui %is_before : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !group_orders
  %kept_empty = tensor.empty(%rows_dim) : !grouped_orders
  %kept_in_groups = linalg.generic {
      indexing_maps = [affine_map<(m, g, e) -> (m, g, e)>, #middle, affine_map<(m, g, e) -> (m, g, e)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%grouped_orders, %group_ranks : !grouped_orders, !group_orders)
      outs(%kept_empty : !grouped_orders) {
  ^bb0(%order: i32, %rank: i32, %unused: i32):
    %most = arith.constant 1 : i32
    %is_kept = arith.cmpi ult, %rank, %most : i32
    %kept = arith.select %is_kept, %order, %zero_i32 : i32
    linalg.yield %kept : i32
  } -> !grouped_orders
  %kept_orders = tensor.collapse_shape %kept_in_groups [[0], [1, 2]] : !grouped_orders into !orders
  %rank_empty = tensor.empty(%rows_dim) : !orders
  %rank_start = linalg.fill ins(%zero_i32 : i32)
    outs(%rank_empty : !orders) -> !orders
  %rank = linalg.generic {
      indexing_maps = [#own, #other, #own],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%kept_orders, %kept_orders : !orders, !orders)
      outs(%rank_start : !orders) attrs = {compilation_info = #counting} {
  ^bb0(%own: i32, %other: i32, %count: i32):
    %e = linalg.index 1 : index
    %f = linalg.index 2 : index
    %is_better = arith.cmpi ugt, %other, %own : i32
    %is_equal = arith.cmpi eq, %other, %own : i32
    %is_earlier = arith.cmpi ult, %f, %e : index
    %is_first = arith.andi %is_equal, %is_earlier : i1
    %is_before = arith.ori %is_better, %is_first : i1
    %one = arith.extui %is_before : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !orders
  %ids_empty = tensor.empty(%rows_dim) : !ids
  %ids_start = linalg.fill ins(%zero_i32 : i32) outs(%ids_empty : !ids) -> !ids
  %chosen_empty = tensor.empty(%rows_dim) : !chosen
  %chosen_start = linalg.fill ins(%zero : f32) outs(%chosen_empty : !chosen) -> !chosen
  %ids, %chosen = linalg.generic {
      indexing_maps = [#outer, #outer, #middle, #middle],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%rank, %score : !orders, !scores) outs(%ids_start, %chosen_start : !ids, !chosen) {
  ^bb0(%rank_of_one: i32, %score_of_one: f32, %id: i32, %found: f32):
    %r = linalg.index 1 : index
    %e = linalg.index 2 : index
    %wanted_rank = arith.index_cast %r : index to i32
    %expert = arith.index_cast %e : index to i32
    %is_it = arith.cmpi eq, %rank_of_one, %wanted_rank : i32
    %new_id = arith.select %is_it, %expert, %id : i32
    %new_score = arith.select %is_it, %score_of_one, %found : f32
    linalg.yield %new_id, %new_score : i32, f32
  } -> (!ids, !chosen)
  %whole_empty = tensor.empty(%rows_dim) : !of_token
  %whole_start = linalg.fill ins(%zero : f32) outs(%whole_empty : !of_token) -> !of_token
  %whole = linalg.generic {
      indexing_maps = [#rows, #first], iterator_types = ["parallel", "reduction"]
    } ins(%chosen : !chosen) outs(%whole_start : !of_token) {
  ^bb0(%one: f32, %sum: f32):
    %more = arith.addf %sum, %one : f32
    linalg.yield %more : f32
  } -> !of_token
  %weights = linalg.generic {
      indexing_maps = [#rows, #first, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%chosen, %whole : !chosen, !of_token) outs(%chosen_empty : !chosen) {
  ^bb0(%one: f32, %sum: f32, %unused: f32):
    %least = arith.constant 1.0e-20 : f32
    %divisor = arith.addf %sum, %least : f32
    %share = arith.divf %one, %divisor : f32
    %scale = arith.constant 1.0 : f32
    %weight = arith.mulf %share, %scale : f32
    linalg.yield %weight : f32
  } -> !chosen

  %out_of_reach = arith.constant 4 : i32
  %padded = tensor.pad %rank low[0, 0] high[%padding_dim, 0] {
  ^bb0(%m: index, %e: index):
    tensor.yield %out_of_reach : i32
  } : !orders to !padded
  %chunked = tensor.expand_shape %padded [[0, 1], [2]]
    output_shape [%chunks_dim, 64, 4] : !padded into !chunked
  %in_chunk_empty = tensor.empty(%chunks_dim) : !chunked
  %in_chunk_start = linalg.fill ins(%zero_i32 : i32) outs(%in_chunk_empty : !chunked) -> !chunked
  %each = arith.constant 2 : i32
  %in_chunk = linalg.generic {
      indexing_maps = [affine_map<(c, u, e, v) -> (c, v, e)>, affine_map<(c, u, e, v) -> (c, u, e)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%chunked : !chunked) outs(%in_chunk_start : !chunked) {
  ^bb0(%rank_there: i32, %count: i32):
    %u = linalg.index 1 : index
    %v = linalg.index 3 : index
    %is_chosen = arith.cmpi ult, %rank_there, %each : i32
    %is_before = arith.cmpi ult, %v, %u : index
    %is_counted = arith.andi %is_chosen, %is_before : i1
    %one = arith.extui %is_counted : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !chunked
  %of_chunk_empty = tensor.empty(%chunks_dim) : !of_chunk
  %of_chunk_start = linalg.fill ins(%zero_i32 : i32) outs(%of_chunk_empty : !of_chunk) -> !of_chunk
  %of_chunk = linalg.generic {
      indexing_maps = [affine_map<(c, e, u) -> (c, u, e)>, affine_map<(c, e, u) -> (c, e)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%chunked : !chunked) outs(%of_chunk_start : !of_chunk) {
  ^bb0(%rank_there: i32, %count: i32):
    %is_chosen = arith.cmpi ult, %rank_there, %each : i32
    %one = arith.extui %is_chosen : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !of_chunk
  %before_chunk = linalg.generic {
      indexing_maps = [affine_map<(c, e, d) -> (d, e)>, affine_map<(c, e, d) -> (c, e)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%of_chunk : !of_chunk) outs(%of_chunk_start : !of_chunk) {
  ^bb0(%of_one: i32, %count: i32):
    %c = linalg.index 0 : index
    %d = linalg.index 2 : index
    %is_before = arith.cmpi ult, %d, %c : index
    %counted = arith.select %is_before, %of_one, %zero_i32 : i32
    %more = arith.addi %count, %counted : i32
    linalg.yield %more : i32
  } -> !of_chunk
  %of_expert_empty = tensor.empty() : !of_expert
  %of_expert_start = linalg.fill ins(%zero_i32 : i32) outs(%of_expert_empty : !of_expert) -> !of_expert
  %of_expert = linalg.generic {
      indexing_maps = [affine_map<(e, c) -> (c, e)>, affine_map<(e, c) -> (e)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%of_chunk : !of_chunk) outs(%of_expert_start : !of_expert) {
  ^bb0(%of_one: i32, %count: i32):
    %more = arith.addi %count, %of_one : i32
    linalg.yield %more : i32
  } -> !of_expert
  %block_rows = arith.constant 8 : i32
  %alignment = arith.constant 8 : i32
  %first_places, %first_blocks = linalg.generic {
      indexing_maps = [affine_map<(e, f) -> (f)>, affine_map<(e, f) -> (e)>, affine_map<(e, f) -> (e)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%of_expert : !of_expert) outs(%of_expert_start, %of_expert_start : !of_expert, !of_expert) {
  ^bb0(%of_one: i32, %places_before: i32, %blocks_before: i32):
    %e = linalg.index 0 : index
    %f = linalg.index 1 : index
    %is_before = arith.cmpi ult, %f, %e : index
    %counted = arith.select %is_before, %of_one, %zero_i32 : i32
    %steps = arith.ceildivui %counted, %alignment : i32
    %aligned = arith.muli %steps, %alignment : i32
    %more_places = arith.addi %places_before, %aligned : i32
    %filled = arith.ceildivui %counted, %block_rows : i32
    %more_blocks = arith.addi %blocks_before, %filled : i32
    linalg.yield %more_places, %more_blocks : i32, i32
  } -> (!of_expert, !of_expert)
  %places = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%ids : !ids) outs(%ids_empty : !ids) {
  ^bb0(%id: i32, %unused: i32):
    %m = linalg.index 0 : index
    %e = arith.index_cast %id : i32 to index
    %c = affine.apply affine_map<(m) -> (m floordiv 64)>(%m)
    %u = affine.apply affine_map<(m) -> (m mod 64)>(%m)
    %first = tensor.extract %first_places[%e] : !of_expert
    %in_chunks = tensor.extract %before_chunk[%c, %e] : !of_chunk
    %in_own = tensor.extract %in_chunk[%c, %u, %e] : !chunked
    %of_earlier = arith.addi %in_chunks, %in_own : i32
    %place = arith.addi %first, %of_earlier : i32
    linalg.yield %place : i32
  } -> !ids
  %place_of_pair = tensor.collapse_shape %places [[0, 1]] : !ids into !pairs
  %pair_places = tensor.expand_shape %place_of_pair [[0, 1]] output_shape [%pairs_dim, 1] : !pairs into !pair_places
  %pairs_empty = tensor.empty(%pairs_dim) : !pairs
  %pair_tokens = linalg.generic {
      indexing_maps = [affine_map<(p) -> (p)>], iterator_types = ["parallel"]
    } outs(%pairs_empty : !pairs) {
  ^bb0(%unused: i32):
    %p = linalg.index 0 : index
    %m = affine.apply affine_map<(p) -> (p floordiv 2)>(%p)
    %token = arith.index_cast %m : index to i32
    linalg.yield %token : i32
  } -> !pairs
  %pair_token_column = tensor.expand_shape %pair_tokens [[0, 1]] output_shape [%pairs_dim, 1]
    : !pairs into !pair_places
  %token_column_empty = tensor.empty(%places_dim) : !token_column
  %no_tokens = linalg.fill ins(%zero_i32 : i32) outs(%token_column_empty : !token_column) -> !token_column
  %token_column = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%pair_token_column, %pair_places : !pair_places, !pair_places) outs(%no_tokens : !token_column) {
  ^bb0(%new: i32, %old: i32):
    iree_linalg_ext.yield %new : i32
  } -> !token_column
  %place_tokens = tensor.collapse_shape %token_column [[0, 1]] : !token_column into !place_tokens
  %of_block_empty = tensor.empty(%blocks_dim) : !of_block
  %of_block_start = linalg.fill ins(%zero_i32 : i32) outs(%of_block_empty : !of_block) -> !of_block
  %experts_before = linalg.generic {
      indexing_maps = [affine_map<(b, e) -> (e)>, affine_map<(b, e) -> (e)>, affine_map<(b, e) -> (b)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%first_blocks, %of_expert : !of_expert, !of_expert) outs(%of_block_start : !of_block) {
  ^bb0(%first: i32, %of_one: i32, %count: i32):
    %b = linalg.index 0 : index
    %block = arith.index_cast %b : index to i32
    %filled = arith.ceildivui %of_one, %block_rows : i32
    %end = arith.addi %first, %filled : i32
    %is_before = arith.cmpi ule, %end, %block : i32
    %one = arith.extui %is_before : i1 to i32
    %more = arith.addi %count, %one : i32
    linalg.yield %more : i32
  } -> !of_block
  %block_experts, %block_firsts, %block_ends = linalg.generic {
      indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>, affine_map<(b) -> (b)>, affine_map<(b) -> (b)>],
      iterator_types = ["parallel"]
    } ins(%experts_before : !of_block) outs(%of_block_empty, %of_block_empty, %of_block_empty : !of_block, !of_block, !of_block) {
  ^bb0(%before: i32, %no_expert: i32, %no_first: i32, %no_end: i32):
    %b = linalg.index 0 : index
    %block = arith.index_cast %b : index to i32
    %last_expert = arith.constant 3 : i32
    %expert = arith.minui %before, %last_expert : i32
    %e = arith.index_cast %expert : i32 to index
    %first_block = tensor.extract %first_blocks[%e] : !of_expert
    %first_place = tensor.extract %first_places[%e] : !of_expert
    %count = tensor.extract %of_expert[%e] : !of_expert
    %number = arith.subi %block, %first_block : i32
    %offset = arith.muli %number, %block_rows : i32
    %first = arith.addi %first_place, %offset : i32
    %any_end = arith.addi %first, %block_rows : i32
    %expert_end = arith.addi %first_place, %count : i32
    %end = arith.minui %any_end, %expert_end : i32
    %is_any = arith.cmpi ule, %before, %last_expert : i32
    %some_first = arith.select %is_any, %first, %zero_i32 : i32
    %some_end = arith.select %is_any, %end, %zero_i32 : i32
    linalg.yield %expert, %some_first, %some_end : i32, i32, i32
  } -> (!of_block, !of_block, !of_block)
  %gate_up_rows = tensor.collapse_shape %gate_up_weight [[0, 1], [2]] : !gate_up_weight into !gate_up_rows
  %down_rows = tensor.collapse_shape %down_weight [[0, 1], [2]] : !down_weight into !down_rows
  %sorted_empty = tensor.empty(%places_dim) : !sorted
  %sorted = linalg.generic {
      indexing_maps = [#first, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%place_tokens : !place_tokens) outs(%sorted_empty : !sorted) {
  ^bb0(%token: i32, %unused: f32):
    %k = linalg.index 1 : index
    %m = arith.index_cast %token : i32 to index
    %given = tensor.extract %tokens[%m, %k] : !tokens
    linalg.yield %given : f32
  } -> !sorted
  %gate_up_sums = flow.dispatch @gate_up_sums_kernel::@gate_up_sums_kernel[%places_dim, %blocks_dim](%sorted, %gate_up_rows, %block_experts, %block_ends, %places_dim, %blocks_dim) : (
      tensor<?x64xf32>{%places_dim},
      tensor<512x64xf32>,
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%blocks_dim},
      index,
      index
    ) -> tensor<?x128xf32>{%places_dim}
  %gate_up_empty = tensor.empty(%places_dim) : !gate_up_sums
  %gate_up_shifted = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate_up_sums : !gate_up_sums) outs(%gate_up_empty : !gate_up_sums) {
  ^bb0(%sum: f32, %unused: f32):
    %p = linalg.index 0 : index
    %n = linalg.index 1 : index
    %b = affine.apply affine_map<(p) -> (p floordiv 8)>(%p)
    %expert_told = tensor.extract %block_experts[%b] : !of_block
    %expert = arith.index_cast %expert_told : i32 to index
    %shift = tensor.extract %gate_up_bias[%expert, %n] : !gate_up_bias

    %shifted = arith.addf %sum, %shift : f32
    linalg.yield %shifted : f32
  } -> !gate_up_sums
  %inner_empty = tensor.empty(%places_dim) : !inner
  %gate = tensor.extract_slice %gate_up_shifted[0, 0] [%places_dim, 64] [1, 1] : !gate_up_sums to !halves
  %up = tensor.extract_slice %gate_up_shifted[0, 64] [%places_dim, 64] [1, 1] : !gate_up_sums to !halves
  %inner = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate, %up : !halves, !halves) outs(%inner_empty : !inner) {
  ^bb0(%open: f32, %through: f32, %unused: f32):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %open : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %open, %divisor : f32
    %made = arith.mulf %active, %through : f32

    linalg.yield %made : f32
  } -> !inner
  %down_sums = flow.dispatch @down_sums_kernel::@down_sums_kernel[%places_dim, %blocks_dim](%inner, %down_rows, %block_experts, %block_ends, %places_dim, %blocks_dim) : (
      tensor<?x64xf32>{%places_dim},
      tensor<256x64xf32>,
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%blocks_dim},
      index,
      index
    ) -> tensor<?x64xf32>{%places_dim}
  %down_empty = tensor.empty(%places_dim) : !down_sums
  %down_shifted = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down_sums : !down_sums) outs(%down_empty : !down_sums) {
  ^bb0(%sum: f32, %unused: f32):
    %p = linalg.index 0 : index
    %n = linalg.index 1 : index
    %b = affine.apply affine_map<(p) -> (p floordiv 8)>(%p)
    %expert_told = tensor.extract %block_experts[%b] : !of_block
    %expert = arith.index_cast %expert_told : i32 to index
    %shift = tensor.extract %down_bias[%expert, %n] : !down_bias

    %shifted = arith.addf %sum, %shift : f32
    linalg.yield %shifted : f32
  } -> !down_sums
  %sums_empty = tensor.empty(%rows_dim) : !sums
  %sums_start = linalg.fill ins(%zero : f32) outs(%sums_empty : !sums) -> !sums
  %sums = linalg.generic {
      indexing_maps = [#middle, #middle, #outer],
      iterator_types = ["parallel", "reduction", "parallel"]
    } ins(%weights, %places : !chosen, !ids) outs(%sums_start : !sums) {
  ^bb0(%weight: f32, %place: i32, %sum: f32):
    %n = linalg.index 2 : index
    %p = arith.index_cast %place : i32 to index
    %made = tensor.extract %down_shifted[%p, %n] : !down_sums
    %weighted = arith.mulf %weight, %made : f32
    %more = arith.addf %sum, %weighted : f32
    linalg.yield %more : f32
  } -> !sums
  %shared = call @shared(%hidden, %shared_gate_up_weight, %shared_down_weight) : (tensor<?x?x64xf32>, tensor<40x64xf32>, tensor<64x20xf32>) -> (tensor<?x?x64xf32>)
  %shared_rows = tensor.collapse_shape %shared [[0, 1], [2]] : !hidden into !tokens
  %shared_gate_column = tensor.collapse_shape %shared_gate_weight [[0, 1]] : !shared_gate_weight into !gate_column
  %shares_empty = tensor.empty(%rows_dim) : !of_token
  %shares_start = linalg.fill ins(%zero : f32) outs(%shares_empty : !of_token) -> !of_token
  %shared_gates = linalg.generic {
      indexing_maps = [#rows, #column, #first], iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %shared_gate_column : !tokens, !gate_column) outs(%shares_start : !of_token) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !of_token
  %rows_empty = tensor.empty(%rows_dim) : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows, #first, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%sums, %shared_rows, %shared_gates : !sums, !tokens, !of_token) outs(%rows_empty : !rows) {
  ^bb0(%of_experts: f32, %beside: f32, %gate_of_token: f32, %unused: f32):

    %share_one = arith.constant 1.0 : f32
    %share_negated = arith.negf %gate_of_token : f32
    %share_power = math.exp %share_negated : f32
    %share_divisor = arith.addf %share_power, %share_one : f32
    %share = arith.divf %share_one, %share_divisor : f32
    %opened = arith.mulf %beside, %share : f32
    %both = arith.addf %of_experts, %opened : f32

    linalg.yield %both : f32
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [%batch_dim, %q_len_dim, 64]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mixture_of_experts$async(
    %hidden: !hidden,
    %router_weight: !router_weight,
    %choice_bias: !choice_bias,
    %gate_up_weight: !gate_up_weight,
    %gate_up_bias: !gate_up_bias,
    %down_weight: !down_weight,
    %down_bias: !down_bias,
    %shared_gate_up_weight: !shared_gate_up_weight,
    %shared_down_weight: !shared_down_weight,
    %shared_gate_weight: !shared_gate_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mixture_of_experts(%hidden, %router_weight, %choice_bias, %gate_up_weight, %gate_up_bias, %down_weight, %down_bias, %shared_gate_up_weight, %shared_down_weight, %shared_gate_weight)
    : (!hidden, !router_weight, !choice_bias, !gate_up_weight, !gate_up_bias, !down_weight, !down_bias, !shared_gate_up_weight, !shared_down_weight, !shared_gate_weight) -> (!output)
  util.return %output : !output
}
