// The router chooses 2 of 4 experts for each token. Tokens are sorted by expert, in blocks of at most
// 32, and each block is multiplied with the weights of its expert.
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
!depth_single_given = vector<8xf32>
!depth_single_lanes = vector<8xf32>
!depth_single_block = vector<1x8x8xf32>
!depth_single_part = vector<1x8x8xf32>
!depth_single_sums = vector<1x8xf32>
!depth_single_row = vector<8xf32>
!depth_single_numbers = vector<8xf32>
!depth_single_rows0 = vector<8x8xf32>
!depth_single_register8 = vector<8xf32>
!depth_several_given = vector<8xf32>
!depth_several_lanes = vector<8xf32>
!depth_several_block = vector<3x4x8xf32>
!depth_several_part = vector<1x4x8xf32>
!depth_several_sums = vector<1x4xf32>
!depth_several_row = vector<4xf32>
!depth_several_numbers = vector<4xf32>
!depth_several_rows0 = vector<4x8xf32>
!depth_several_register4 = vector<4xf32>
!depth_several_register8 = vector<8xf32>
!tokens_of_products = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>
!router_weight_of_products = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x64xf32>>
!products_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xf32>>
#rows = affine_map<(m, n) -> (m, n)>
!single_given = vector<8xf32>
!single_lanes = vector<8xf32>
!single_block = vector<1x8x8xf32>
!single_part = vector<1x8x8xf32>
!single_sums = vector<1x8xf32>
!single_row = vector<8xf32>
!single_numbers = vector<8xf32>
!single_rows0 = vector<8x8xf32>
!single_register8 = vector<8xf32>
!single_stored_row = vector<8xf32>
!several_given = vector<8xf32>
!several_lanes = vector<8xf32>
!several_block = vector<3x4x8xf32>
!several_part = vector<1x4x8xf32>
!several_sums = vector<1x4xf32>
!several_row = vector<4xf32>
!several_numbers = vector<4xf32>
!several_rows0 = vector<4x8xf32>
!several_register4 = vector<4xf32>
!several_register8 = vector<8xf32>
!several_stored_row = vector<4xf32>
!tokens_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>
!gate_up_rows_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf32>>
!block_experts_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!block_firsts_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!block_ends_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!place_tokens_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!gate_up_bias_of_gate_up_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x128xf32>>
!gate_up_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
!inner_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>
!down_rows_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>
!block_experts_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!block_firsts_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!block_ends_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!down_bias_of_down_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x64xf32>>
!down_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf32>>
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
  %blocks_dim = affine.apply affine_map<()[n] -> ((n * 2) floordiv 32 + 4)>()[%rows_dim]
  %places_dim = affine.apply affine_map<()[n] -> (n * 2)>()[%rows_dim]
  %chunks_dim = affine.apply affine_map<()[n] -> (n ceildiv 64)>()[%rows_dim]
  %padded_dim = affine.apply affine_map<()[n] -> (n ceildiv 64 * 64)>()[%rows_dim]
  %padding_dim = affine.apply affine_map<()[n] -> (n ceildiv 64 * 64 - n)>()[%rows_dim]
  %products =
    flow.dispatch @products_kernel::@products_kernel[%rows_dim](
      %tokens, %router_weight, %rows_dim
    ) : (
      tensor<?x64xf32>{%rows_dim},
      tensor<4x64xf32>,
      index
    ) -> (tensor<?x4xf32>{%rows_dim})
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
      outs(%rank_in_group_start : !group_rows) {
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
      outs(%group_ranks_start : !group_orders) {
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
      outs(%rank_start : !orders) {
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
  %block_rows = arith.constant 32 : i32
  %alignment = arith.constant 1 : i32
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
  %gate_up_sums =
    flow.dispatch @gate_up_sums_kernel::@gate_up_sums_kernel[%rows_dim, %blocks_dim, %places_dim](
      %tokens, %gate_up_rows, %block_experts, %block_firsts, %block_ends, %place_tokens, %gate_up_bias, %rows_dim, %blocks_dim, %places_dim
    ) : (
      tensor<?x64xf32>{%rows_dim},
      tensor<512x64xf32>,
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%places_dim},
      tensor<4x128xf32>,
      index,
      index,
      index
    ) -> (tensor<?x128xf32>{%places_dim})
  %inner_empty = tensor.empty(%places_dim) : !inner
  %gate = tensor.extract_slice %gate_up_sums[0, 0] [%places_dim, 64] [1, 1] : !gate_up_sums to !halves
  %up = tensor.extract_slice %gate_up_sums[0, 64] [%places_dim, 64] [1, 1] : !gate_up_sums to !halves
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
  %down_sums =
    flow.dispatch @down_sums_kernel::@down_sums_kernel[%places_dim, %blocks_dim](
      %inner, %down_rows, %block_experts, %block_firsts, %block_ends, %down_bias, %places_dim, %blocks_dim
    ) : (
      tensor<?x64xf32>{%places_dim},
      tensor<256x64xf32>,
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%blocks_dim},
      tensor<?xi32>{%blocks_dim},
      tensor<4x64xf32>,
      index,
      index
    ) -> (tensor<?x64xf32>{%places_dim})
  %sums_empty = tensor.empty(%rows_dim) : !sums
  %sums_start = linalg.fill ins(%zero : f32) outs(%sums_empty : !sums) -> !sums
  %sums = linalg.generic {
      indexing_maps = [#middle, #middle, #outer],
      iterator_types = ["parallel", "reduction", "parallel"]
    } ins(%weights, %places : !chosen, !ids) outs(%sums_start : !sums) {
  ^bb0(%weight: f32, %place: i32, %sum: f32):
    %n = linalg.index 2 : index
    %p = arith.index_cast %place : i32 to index
    %made = tensor.extract %down_sums[%p, %n] : !down_sums
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
flow.executable private @products_kernel {
  flow.executable.export public @products_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @products_kernel(
      %tokens_in: !tokens_of_products,
      %router_weight_in: !router_weight_of_products,
      %rows_dim_in: index,
      %products_out: !products_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !tokens_of_products{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 64], strides = [1, 1]
      : !tokens_of_products{%rows_dim} -> tensor<?x64xf32>
    %router_weight = iree_tensor_ext.dispatch.tensor.load %router_weight_in,
      offsets = [0, 0], sizes = [4, 64], strides = [1, 1]
      : !router_weight_of_products -> tensor<4x64xf32>
    %products_tied = flow.dispatch.tie_shape %products_out
      : !products_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 64 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 4 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<4x64xf32>
    %empty = tensor.empty(%rows_dim) : tensor<?x4xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x4xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %second_row = affine.apply affine_map<(f) -> (f + 1)>(%first_row)
      %is_single = arith.cmpi eq, %second_row, %end_row : index
      %end_row_single = arith.select %is_single, %end_row, %first_row : index
      %end_row_several = arith.select %is_single, %first_row, %end_row : index
      %column_step_single = arith.constant 8 : index
      %row_step_single = arith.constant 1 : index
      %of_columns_1 = scf.for %n = %first_column to %end_column step %column_step_single
        iter_args(%of_all = %all) -> (tensor<?x4xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_single_block
        %n0 = affine.min affine_map<(n) -> (n + 0, 3)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 3)>(%n)[%column_step_single]
        %n1 = affine.min affine_map<(n) -> (n + 1, 3)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 3)>(%n)[%column_step_single]
        %n2 = affine.min affine_map<(n) -> (n + 2, 3)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 3)>(%n)[%column_step_single]
        %n3 = affine.min affine_map<(n) -> (n + 3, 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 3)>(%n)[%column_step_single]
        %n4 = affine.min affine_map<(n) -> (n + 4, 3)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 3)>(%n)[%column_step_single]
        %n5 = affine.min affine_map<(n) -> (n + 5, 3)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 3)>(%n)[%column_step_single]
        %n6 = affine.min affine_map<(n) -> (n + 6, 3)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 3)>(%n)[%column_step_single]
        %n7 = affine.min affine_map<(n) -> (n + 7, 3)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 3)>(%n)[%column_step_single]
        %of_rows = scf.for %m = %first_row to %end_row_single step %row_step_single
          iter_args(%before = %of_all) -> (tensor<?x4xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<4x64xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_single_given
            %right0_0 = vector.transfer_read
              %router_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_single_lanes from !depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_single_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_single_lanes into !depth_single_block
            %right1_0 = vector.transfer_read
              %router_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_1_0 = vector.extract %more0_1[0, 1] : !depth_single_lanes from !depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_single_lanes
            %more0_2 = vector.insert %new0_1_0, %more0_1 [0, 1]
              : !depth_single_lanes into !depth_single_block
            %right2_0 = vector.transfer_read
              %router_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_2_0 = vector.extract %more0_2[0, 2] : !depth_single_lanes from !depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_single_lanes
            %more0_3 = vector.insert %new0_2_0, %more0_2 [0, 2]
              : !depth_single_lanes into !depth_single_block
            %right3_0 = vector.transfer_read
              %router_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_3_0 = vector.extract %more0_3[0, 3] : !depth_single_lanes from !depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_single_lanes
            %more0_4 = vector.insert %new0_3_0, %more0_3 [0, 3]
              : !depth_single_lanes into !depth_single_block
            %right4_0 = vector.transfer_read
              %router_weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_4_0 = vector.extract %more0_4[0, 4] : !depth_single_lanes from !depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !depth_single_lanes
            %more0_5 = vector.insert %new0_4_0, %more0_4 [0, 4]
              : !depth_single_lanes into !depth_single_block
            %right5_0 = vector.transfer_read
              %router_weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_5_0 = vector.extract %more0_5[0, 5] : !depth_single_lanes from !depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !depth_single_lanes
            %more0_6 = vector.insert %new0_5_0, %more0_5 [0, 5]
              : !depth_single_lanes into !depth_single_block
            %right6_0 = vector.transfer_read
              %router_weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_6_0 = vector.extract %more0_6[0, 6] : !depth_single_lanes from !depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !depth_single_lanes
            %more0_7 = vector.insert %new0_6_0, %more0_6 [0, 6]
              : !depth_single_lanes into !depth_single_block
            %right7_0 = vector.transfer_read
              %router_weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_7_0 = vector.extract %more0_7[0, 7] : !depth_single_lanes from !depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !depth_single_lanes
            %more0 = vector.insert %new0_7_0, %more0_7 [0, 7]
              : !depth_single_lanes into !depth_single_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %tokens[%m0, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_single_given
            %right0_8 = vector.transfer_read
              %router_weight[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_0_8 = vector.extract %more0[0, 0] : !depth_single_lanes from !depth_single_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !depth_single_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !depth_single_lanes into !depth_single_block
            %right1_8 = vector.transfer_read
              %router_weight[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_1_8 = vector.extract %more_1[0, 1] : !depth_single_lanes from !depth_single_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !depth_single_lanes
            %more_2 = vector.insert %new0_1_8, %more_1 [0, 1]
              : !depth_single_lanes into !depth_single_block
            %right2_8 = vector.transfer_read
              %router_weight[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_2_8 = vector.extract %more_2[0, 2] : !depth_single_lanes from !depth_single_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !depth_single_lanes
            %more_3 = vector.insert %new0_2_8, %more_2 [0, 2]
              : !depth_single_lanes into !depth_single_block
            %right3_8 = vector.transfer_read
              %router_weight[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_3_8 = vector.extract %more_3[0, 3] : !depth_single_lanes from !depth_single_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !depth_single_lanes
            %more_4 = vector.insert %new0_3_8, %more_3 [0, 3]
              : !depth_single_lanes into !depth_single_block
            %right4_8 = vector.transfer_read
              %router_weight[%n4, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_4_8 = vector.extract %more_4[0, 4] : !depth_single_lanes from !depth_single_block
            %new0_4_8 = vector.fma %left0_8, %right4_8, %old0_4_8 : !depth_single_lanes
            %more_5 = vector.insert %new0_4_8, %more_4 [0, 4]
              : !depth_single_lanes into !depth_single_block
            %right5_8 = vector.transfer_read
              %router_weight[%n5, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_5_8 = vector.extract %more_5[0, 5] : !depth_single_lanes from !depth_single_block
            %new0_5_8 = vector.fma %left0_8, %right5_8, %old0_5_8 : !depth_single_lanes
            %more_6 = vector.insert %new0_5_8, %more_5 [0, 5]
              : !depth_single_lanes into !depth_single_block
            %right6_8 = vector.transfer_read
              %router_weight[%n6, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_6_8 = vector.extract %more_6[0, 6] : !depth_single_lanes from !depth_single_block
            %new0_6_8 = vector.fma %left0_8, %right6_8, %old0_6_8 : !depth_single_lanes
            %more_7 = vector.insert %new0_6_8, %more_6 [0, 6]
              : !depth_single_lanes into !depth_single_block
            %right7_8 = vector.transfer_read
              %router_weight[%n7, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_single_given
            %old0_7_8 = vector.extract %more_7[0, 7] : !depth_single_lanes from !depth_single_block
            %new0_7_8 = vector.fma %left0_8, %right7_8, %old0_7_8 : !depth_single_lanes
            %more = vector.insert %new0_7_8, %more_7 [0, 7]
              : !depth_single_lanes into !depth_single_block
            scf.yield %more : !depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_single_block to !depth_single_part
          %registers0 = vector.shape_cast %part0 : !depth_single_part to !depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_single_register8 from !depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_single_register8 from !depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_single_register8 from !depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_single_register8 from !depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_single_register8 from !depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_single_register8 from !depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_single_register8 from !depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_single_register8 from !depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_single_register8, !depth_single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_single_register8, !depth_single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !depth_single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_single_register8, !depth_single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_single_register8, !depth_single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !depth_single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_single_register8, !depth_single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_single_register8, !depth_single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !depth_single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_single_register8, !depth_single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_single_register8, !depth_single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !depth_single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_single_register8, !depth_single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_single_register8, !depth_single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !depth_single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_single_register8, !depth_single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_single_register8, !depth_single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !depth_single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !depth_single_register8, !depth_single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !depth_single_register8, !depth_single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !depth_single_numbers to !depth_single_sums
          %row0 = vector.extract %sums0[0] : !depth_single_row from !depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [false]} : !depth_single_row, tensor<?x4xf32>
          scf.yield %after : tensor<?x4xf32>
        }
        scf.yield %of_rows : tensor<?x4xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x4xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_several_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 3)>(%n)[%column_step_several]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 3)>(%n)[%column_step_several]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 3)>(%n)[%column_step_several]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 3)>(%n)[%column_step_several]
        %of_rows = scf.for %m = %first_row to %end_row_several step %row_step_several
          iter_args(%before = %of_all) -> (tensor<?x4xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 3)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<4x64xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<4x64xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<4x64xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_several_given
            %left1_0 = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_several_given
            %left2_0 = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_several_given
            %right0_0 = vector.transfer_read
              %router_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_several_lanes from !depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_several_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_several_lanes into !depth_several_block
            %old1_0_0 = vector.extract %more0_1[1, 0] : !depth_several_lanes from !depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_several_lanes
            %more0_2 = vector.insert %new1_0_0, %more0_1 [1, 0]
              : !depth_several_lanes into !depth_several_block
            %old2_0_0 = vector.extract %more0_2[2, 0] : !depth_several_lanes from !depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !depth_several_lanes
            %more0_3 = vector.insert %new2_0_0, %more0_2 [2, 0]
              : !depth_several_lanes into !depth_several_block
            %right1_0 = vector.transfer_read
              %router_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_1_0 = vector.extract %more0_3[0, 1] : !depth_several_lanes from !depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_several_lanes
            %more0_4 = vector.insert %new0_1_0, %more0_3 [0, 1]
              : !depth_several_lanes into !depth_several_block
            %old1_1_0 = vector.extract %more0_4[1, 1] : !depth_several_lanes from !depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_several_lanes
            %more0_5 = vector.insert %new1_1_0, %more0_4 [1, 1]
              : !depth_several_lanes into !depth_several_block
            %old2_1_0 = vector.extract %more0_5[2, 1] : !depth_several_lanes from !depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_several_lanes
            %more0_6 = vector.insert %new2_1_0, %more0_5 [2, 1]
              : !depth_several_lanes into !depth_several_block
            %right2_0 = vector.transfer_read
              %router_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_2_0 = vector.extract %more0_6[0, 2] : !depth_several_lanes from !depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_several_lanes
            %more0_7 = vector.insert %new0_2_0, %more0_6 [0, 2]
              : !depth_several_lanes into !depth_several_block
            %old1_2_0 = vector.extract %more0_7[1, 2] : !depth_several_lanes from !depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_several_lanes
            %more0_8 = vector.insert %new1_2_0, %more0_7 [1, 2]
              : !depth_several_lanes into !depth_several_block
            %old2_2_0 = vector.extract %more0_8[2, 2] : !depth_several_lanes from !depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_several_lanes
            %more0_9 = vector.insert %new2_2_0, %more0_8 [2, 2]
              : !depth_several_lanes into !depth_several_block
            %right3_0 = vector.transfer_read
              %router_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_3_0 = vector.extract %more0_9[0, 3] : !depth_several_lanes from !depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_several_lanes
            %more0_10 = vector.insert %new0_3_0, %more0_9 [0, 3]
              : !depth_several_lanes into !depth_several_block
            %old1_3_0 = vector.extract %more0_10[1, 3] : !depth_several_lanes from !depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_several_lanes
            %more0_11 = vector.insert %new1_3_0, %more0_10 [1, 3]
              : !depth_several_lanes into !depth_several_block
            %old2_3_0 = vector.extract %more0_11[2, 3] : !depth_several_lanes from !depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_several_lanes
            %more0 = vector.insert %new2_3_0, %more0_11 [2, 3]
              : !depth_several_lanes into !depth_several_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %tokens[%m0, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_several_given
            %left1_8 = vector.transfer_read
              %tokens[%m1, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_several_given
            %left2_8 = vector.transfer_read
              %tokens[%m2, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !depth_several_given
            %right0_8 = vector.transfer_read
              %router_weight[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_0_8 = vector.extract %more0[0, 0] : !depth_several_lanes from !depth_several_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !depth_several_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !depth_several_lanes into !depth_several_block
            %old1_0_8 = vector.extract %more_1[1, 0] : !depth_several_lanes from !depth_several_block
            %new1_0_8 = vector.fma %left1_8, %right0_8, %old1_0_8 : !depth_several_lanes
            %more_2 = vector.insert %new1_0_8, %more_1 [1, 0]
              : !depth_several_lanes into !depth_several_block
            %old2_0_8 = vector.extract %more_2[2, 0] : !depth_several_lanes from !depth_several_block
            %new2_0_8 = vector.fma %left2_8, %right0_8, %old2_0_8 : !depth_several_lanes
            %more_3 = vector.insert %new2_0_8, %more_2 [2, 0]
              : !depth_several_lanes into !depth_several_block
            %right1_8 = vector.transfer_read
              %router_weight[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_1_8 = vector.extract %more_3[0, 1] : !depth_several_lanes from !depth_several_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !depth_several_lanes
            %more_4 = vector.insert %new0_1_8, %more_3 [0, 1]
              : !depth_several_lanes into !depth_several_block
            %old1_1_8 = vector.extract %more_4[1, 1] : !depth_several_lanes from !depth_several_block
            %new1_1_8 = vector.fma %left1_8, %right1_8, %old1_1_8 : !depth_several_lanes
            %more_5 = vector.insert %new1_1_8, %more_4 [1, 1]
              : !depth_several_lanes into !depth_several_block
            %old2_1_8 = vector.extract %more_5[2, 1] : !depth_several_lanes from !depth_several_block
            %new2_1_8 = vector.fma %left2_8, %right1_8, %old2_1_8 : !depth_several_lanes
            %more_6 = vector.insert %new2_1_8, %more_5 [2, 1]
              : !depth_several_lanes into !depth_several_block
            %right2_8 = vector.transfer_read
              %router_weight[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_2_8 = vector.extract %more_6[0, 2] : !depth_several_lanes from !depth_several_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !depth_several_lanes
            %more_7 = vector.insert %new0_2_8, %more_6 [0, 2]
              : !depth_several_lanes into !depth_several_block
            %old1_2_8 = vector.extract %more_7[1, 2] : !depth_several_lanes from !depth_several_block
            %new1_2_8 = vector.fma %left1_8, %right2_8, %old1_2_8 : !depth_several_lanes
            %more_8 = vector.insert %new1_2_8, %more_7 [1, 2]
              : !depth_several_lanes into !depth_several_block
            %old2_2_8 = vector.extract %more_8[2, 2] : !depth_several_lanes from !depth_several_block
            %new2_2_8 = vector.fma %left2_8, %right2_8, %old2_2_8 : !depth_several_lanes
            %more_9 = vector.insert %new2_2_8, %more_8 [2, 2]
              : !depth_several_lanes into !depth_several_block
            %right3_8 = vector.transfer_read
              %router_weight[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<4x64xf32>, !depth_several_given
            %old0_3_8 = vector.extract %more_9[0, 3] : !depth_several_lanes from !depth_several_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !depth_several_lanes
            %more_10 = vector.insert %new0_3_8, %more_9 [0, 3]
              : !depth_several_lanes into !depth_several_block
            %old1_3_8 = vector.extract %more_10[1, 3] : !depth_several_lanes from !depth_several_block
            %new1_3_8 = vector.fma %left1_8, %right3_8, %old1_3_8 : !depth_several_lanes
            %more_11 = vector.insert %new1_3_8, %more_10 [1, 3]
              : !depth_several_lanes into !depth_several_block
            %old2_3_8 = vector.extract %more_11[2, 3] : !depth_several_lanes from !depth_several_block
            %new2_3_8 = vector.fma %left2_8, %right3_8, %old2_3_8 : !depth_several_lanes
            %more = vector.insert %new2_3_8, %more_11 [2, 3]
              : !depth_several_lanes into !depth_several_block
            scf.yield %more : !depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_several_block to !depth_several_part
          %registers0 = vector.shape_cast %part0 : !depth_several_part to !depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_several_register8 from !depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_several_register8 from !depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_several_register8 from !depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_several_register8 from !depth_several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !depth_several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !depth_several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !depth_several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !depth_several_register8, !depth_several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !depth_several_register8, !depth_several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !depth_several_register4
          %sums0 = vector.shape_cast %numbers0 : !depth_several_numbers to !depth_several_sums
          %row0 = vector.extract %sums0[0] : !depth_several_row from !depth_several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !depth_several_block to !depth_several_part
          %registers1 = vector.shape_cast %part1 : !depth_several_part to !depth_several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !depth_several_register8 from !depth_several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !depth_several_register8 from !depth_several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !depth_several_register8 from !depth_several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !depth_several_register8 from !depth_several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !depth_several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !depth_several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !depth_several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !depth_several_register8, !depth_several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !depth_several_register8, !depth_several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !depth_several_register4
          %sums1 = vector.shape_cast %numbers1 : !depth_several_numbers to !depth_several_sums
          %row1 = vector.extract %sums1[0] : !depth_several_row from !depth_several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !depth_several_block to !depth_several_part
          %registers2 = vector.shape_cast %part2 : !depth_several_part to !depth_several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !depth_several_register8 from !depth_several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !depth_several_register8 from !depth_several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !depth_several_register8 from !depth_several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !depth_several_register8 from !depth_several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !depth_several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !depth_several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_several_register8, !depth_several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_several_register8, !depth_several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !depth_several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !depth_several_register8, !depth_several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !depth_several_register8, !depth_several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !depth_several_register4
          %sums2 = vector.shape_cast %numbers2 : !depth_several_numbers to !depth_several_sums
          %row2 = vector.extract %sums2[0] : !depth_several_row from !depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x4xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x4xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x4xf32>
          scf.yield %after : tensor<?x4xf32>
        }
        scf.yield %of_rows : tensor<?x4xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 4] [1, 1]
          : tensor<?x4xf32> into tensor<?x4xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %products_tied,
      offsets = [0, 0], sizes = [%rows_dim, 4], strides = [1, 1]
      : tensor<?x4xf32> -> !products_out{%rows_dim}
    return
  }
  }
}
flow.executable private @gate_up_sums_kernel {
  flow.executable.export public @gate_up_sums_kernel
      workgroups(%rows_dim_asked: index, %blocks_dim_asked: index, %places_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked, %blocks_dim_asked, %places_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @gate_up_sums_kernel(
      %tokens_in: !tokens_of_gate_up_sums,
      %gate_up_rows_in: !gate_up_rows_of_gate_up_sums,
      %block_experts_in: !block_experts_of_gate_up_sums,
      %block_firsts_in: !block_firsts_of_gate_up_sums,
      %block_ends_in: !block_ends_of_gate_up_sums,
      %place_tokens_in: !place_tokens_of_gate_up_sums,
      %gate_up_bias_in: !gate_up_bias_of_gate_up_sums,
      %rows_dim_in: index,
      %blocks_dim_in: index,
      %places_dim_in: index,
      %gate_up_sums_out: !gate_up_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %blocks_dim_in, 1 : index
    %places_dim = iree_tensor_ext.dispatch.workload.ordinal %places_dim_in, 2 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !tokens_of_gate_up_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 64], strides = [1, 1]
      : !tokens_of_gate_up_sums{%rows_dim} -> tensor<?x64xf32>
    %gate_up_rows = iree_tensor_ext.dispatch.tensor.load %gate_up_rows_in,
      offsets = [0, 0], sizes = [512, 64], strides = [1, 1]
      : !gate_up_rows_of_gate_up_sums -> tensor<512x64xf32>
    %block_experts_tied = flow.dispatch.tie_shape %block_experts_in
      : !block_experts_of_gate_up_sums{%blocks_dim}
    %block_experts = iree_tensor_ext.dispatch.tensor.load %block_experts_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !block_experts_of_gate_up_sums{%blocks_dim} -> tensor<?xi32>
    %block_firsts_tied = flow.dispatch.tie_shape %block_firsts_in
      : !block_firsts_of_gate_up_sums{%blocks_dim}
    %block_firsts = iree_tensor_ext.dispatch.tensor.load %block_firsts_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !block_firsts_of_gate_up_sums{%blocks_dim} -> tensor<?xi32>
    %block_ends_tied = flow.dispatch.tie_shape %block_ends_in
      : !block_ends_of_gate_up_sums{%blocks_dim}
    %block_ends = iree_tensor_ext.dispatch.tensor.load %block_ends_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !block_ends_of_gate_up_sums{%blocks_dim} -> tensor<?xi32>
    %place_tokens_tied = flow.dispatch.tie_shape %place_tokens_in
      : !place_tokens_of_gate_up_sums{%places_dim}
    %place_tokens = iree_tensor_ext.dispatch.tensor.load %place_tokens_tied,
      offsets = [0], sizes = [%places_dim], strides = [1]
      : !place_tokens_of_gate_up_sums{%places_dim} -> tensor<?xi32>
    %gate_up_bias = iree_tensor_ext.dispatch.tensor.load %gate_up_bias_in,
      offsets = [0, 0], sizes = [4, 128], strides = [1, 1]
      : !gate_up_bias_of_gate_up_sums -> tensor<4x128xf32>
    %gate_up_sums_tied = flow.dispatch.tie_shape %gate_up_sums_out
      : !gate_up_sums_out{%places_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %depth = arith.constant 64 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f32
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 128)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x64xf32>
    %blocks = tensor.dim %block_experts, %none : tensor<?xi32>
    %empty = tensor.empty(%places_dim) : tensor<?x128xf32>
    // Blocks of the same expert follow one another: its columns are read from memory once.
    %workgroups = scf.forall (%x, %b) in (%column_tiles, %blocks) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %expert_told = tensor.extract %block_experts[%b] : tensor<?xi32>
      %expert = arith.index_cast %expert_told : i32 to index
      %first_weight = affine.apply affine_map<(e) -> (e * 128)>(%expert)
      %first_told = tensor.extract %block_firsts[%b] : tensor<?xi32>
      %end_told = tensor.extract %block_ends[%b] : tensor<?xi32>
      %first = arith.index_cast %first_told : i32 to index
      %end = arith.index_cast %end_told : i32 to index
      %first_column = affine.apply affine_map<(x) -> (x * 128)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 128, n)>(%first_column)[%columns]
      %second = affine.apply affine_map<(f) -> (f + 1)>(%first)
      %is_single = arith.cmpi eq, %second, %end : index
      %end_of_single = arith.select %is_single, %end, %first : index
      %end_of_several = arith.select %is_single, %first, %end : index
      %rows_single = arith.constant 1 : index
      %columns_single = arith.constant 8 : index
      %of_all_1 = scf.for %n = %first_column to %end_column step %columns_single
        iter_args(%given = %all) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !single_block
        %column0 = affine.min affine_map<(n) -> (n + 0, 127)>(%n)
        %n0 = affine.apply affine_map<(n)[f] -> (n + f)>(%column0)[%first_weight]
        %next0 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column0)[
            %first_weight, %columns_single]
        %column1 = affine.min affine_map<(n) -> (n + 1, 127)>(%n)
        %n1 = affine.apply affine_map<(n)[f] -> (n + f)>(%column1)[%first_weight]
        %next1 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column1)[
            %first_weight, %columns_single]
        %column2 = affine.min affine_map<(n) -> (n + 2, 127)>(%n)
        %n2 = affine.apply affine_map<(n)[f] -> (n + f)>(%column2)[%first_weight]
        %next2 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column2)[
            %first_weight, %columns_single]
        %column3 = affine.min affine_map<(n) -> (n + 3, 127)>(%n)
        %n3 = affine.apply affine_map<(n)[f] -> (n + f)>(%column3)[%first_weight]
        %next3 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column3)[
            %first_weight, %columns_single]
        %column4 = affine.min affine_map<(n) -> (n + 4, 127)>(%n)
        %n4 = affine.apply affine_map<(n)[f] -> (n + f)>(%column4)[%first_weight]
        %next4 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column4)[
            %first_weight, %columns_single]
        %column5 = affine.min affine_map<(n) -> (n + 5, 127)>(%n)
        %n5 = affine.apply affine_map<(n)[f] -> (n + f)>(%column5)[%first_weight]
        %next5 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column5)[
            %first_weight, %columns_single]
        %column6 = affine.min affine_map<(n) -> (n + 6, 127)>(%n)
        %n6 = affine.apply affine_map<(n)[f] -> (n + f)>(%column6)[%first_weight]
        %next6 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column6)[
            %first_weight, %columns_single]
        %column7 = affine.min affine_map<(n) -> (n + 7, 127)>(%n)
        %n7 = affine.apply affine_map<(n)[f] -> (n + f)>(%column7)[%first_weight]
        %next7 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column7)[
            %first_weight, %columns_single]
        %bias_of_block = vector.transfer_read
          %gate_up_bias[%expert, %n], %padding
          {in_bounds = [true]} : tensor<4x128xf32>, !single_stored_row

        %of_rows = scf.for %m = %first to %end_of_single step %rows_single iter_args(%before = %given)
          -> (tensor<?x128xf32>) {
          %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end]
          %token0 = tensor.extract %place_tokens[%m0] : tensor<?xi32>
          %x0 = arith.index_cast %token0 : i32 to index
          %is_first = arith.cmpi eq, %m, %first : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<512x64xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%x0, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !single_given
            %right0_0 = vector.transfer_read
              %gate_up_rows[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !single_lanes from !single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !single_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !single_lanes into !single_block
            %right1_0 = vector.transfer_read
              %gate_up_rows[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_1_0 = vector.extract %more0_1[0, 1] : !single_lanes from !single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !single_lanes
            %more0_2 = vector.insert %new0_1_0, %more0_1 [0, 1]
              : !single_lanes into !single_block
            %right2_0 = vector.transfer_read
              %gate_up_rows[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_2_0 = vector.extract %more0_2[0, 2] : !single_lanes from !single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !single_lanes
            %more0_3 = vector.insert %new0_2_0, %more0_2 [0, 2]
              : !single_lanes into !single_block
            %right3_0 = vector.transfer_read
              %gate_up_rows[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_3_0 = vector.extract %more0_3[0, 3] : !single_lanes from !single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !single_lanes
            %more0_4 = vector.insert %new0_3_0, %more0_3 [0, 3]
              : !single_lanes into !single_block
            %right4_0 = vector.transfer_read
              %gate_up_rows[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_4_0 = vector.extract %more0_4[0, 4] : !single_lanes from !single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !single_lanes
            %more0_5 = vector.insert %new0_4_0, %more0_4 [0, 4]
              : !single_lanes into !single_block
            %right5_0 = vector.transfer_read
              %gate_up_rows[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_5_0 = vector.extract %more0_5[0, 5] : !single_lanes from !single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !single_lanes
            %more0_6 = vector.insert %new0_5_0, %more0_5 [0, 5]
              : !single_lanes into !single_block
            %right6_0 = vector.transfer_read
              %gate_up_rows[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_6_0 = vector.extract %more0_6[0, 6] : !single_lanes from !single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !single_lanes
            %more0_7 = vector.insert %new0_6_0, %more0_6 [0, 6]
              : !single_lanes into !single_block
            %right7_0 = vector.transfer_read
              %gate_up_rows[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_7_0 = vector.extract %more0_7[0, 7] : !single_lanes from !single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !single_lanes
            %more0 = vector.insert %new0_7_0, %more0_7 [0, 7]
              : !single_lanes into !single_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %tokens[%x0, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !single_given
            %right0_8 = vector.transfer_read
              %gate_up_rows[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_0_8 = vector.extract %more0[0, 0] : !single_lanes from !single_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !single_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !single_lanes into !single_block
            %right1_8 = vector.transfer_read
              %gate_up_rows[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_1_8 = vector.extract %more_1[0, 1] : !single_lanes from !single_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !single_lanes
            %more_2 = vector.insert %new0_1_8, %more_1 [0, 1]
              : !single_lanes into !single_block
            %right2_8 = vector.transfer_read
              %gate_up_rows[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_2_8 = vector.extract %more_2[0, 2] : !single_lanes from !single_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !single_lanes
            %more_3 = vector.insert %new0_2_8, %more_2 [0, 2]
              : !single_lanes into !single_block
            %right3_8 = vector.transfer_read
              %gate_up_rows[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_3_8 = vector.extract %more_3[0, 3] : !single_lanes from !single_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !single_lanes
            %more_4 = vector.insert %new0_3_8, %more_3 [0, 3]
              : !single_lanes into !single_block
            %right4_8 = vector.transfer_read
              %gate_up_rows[%n4, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_4_8 = vector.extract %more_4[0, 4] : !single_lanes from !single_block
            %new0_4_8 = vector.fma %left0_8, %right4_8, %old0_4_8 : !single_lanes
            %more_5 = vector.insert %new0_4_8, %more_4 [0, 4]
              : !single_lanes into !single_block
            %right5_8 = vector.transfer_read
              %gate_up_rows[%n5, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_5_8 = vector.extract %more_5[0, 5] : !single_lanes from !single_block
            %new0_5_8 = vector.fma %left0_8, %right5_8, %old0_5_8 : !single_lanes
            %more_6 = vector.insert %new0_5_8, %more_5 [0, 5]
              : !single_lanes into !single_block
            %right6_8 = vector.transfer_read
              %gate_up_rows[%n6, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_6_8 = vector.extract %more_6[0, 6] : !single_lanes from !single_block
            %new0_6_8 = vector.fma %left0_8, %right6_8, %old0_6_8 : !single_lanes
            %more_7 = vector.insert %new0_6_8, %more_6 [0, 6]
              : !single_lanes into !single_block
            %right7_8 = vector.transfer_read
              %gate_up_rows[%n7, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !single_given
            %old0_7_8 = vector.extract %more_7[0, 7] : !single_lanes from !single_block
            %new0_7_8 = vector.fma %left0_8, %right7_8, %old0_7_8 : !single_lanes
            %more = vector.insert %new0_7_8, %more_7 [0, 7]
              : !single_lanes into !single_block
            scf.yield %more : !single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !single_block to !single_part
          %registers0 = vector.shape_cast %part0 : !single_part to !single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !single_register8 from !single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !single_register8 from !single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !single_register8 from !single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !single_register8 from !single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !single_register8 from !single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !single_register8 from !single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !single_register8 from !single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !single_register8 from !single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !single_register8, !single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !single_register8, !single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !single_register8
          %sums0 = vector.shape_cast %numbers0 : !single_numbers to !single_sums
          %row0 = vector.extract %sums0[0] : !single_row from !single_sums
          %shifted0 = arith.addf %row0, %bias_of_block : !single_row
          %after = vector.transfer_write %shifted0,
            %before[%m0, %n]
            {in_bounds = [true]} : !single_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      %rows_several = arith.constant 3 : index
      %columns_several = arith.constant 4 : index
      %of_all = scf.for %n = %first_column to %end_column step %columns_several
        iter_args(%given = %of_all_1) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !several_block
        %column0 = affine.min affine_map<(n) -> (n + 0, 127)>(%n)
        %n0 = affine.apply affine_map<(n)[f] -> (n + f)>(%column0)[%first_weight]
        %next0 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column0)[
            %first_weight, %columns_several]
        %column1 = affine.min affine_map<(n) -> (n + 1, 127)>(%n)
        %n1 = affine.apply affine_map<(n)[f] -> (n + f)>(%column1)[%first_weight]
        %next1 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column1)[
            %first_weight, %columns_several]
        %column2 = affine.min affine_map<(n) -> (n + 2, 127)>(%n)
        %n2 = affine.apply affine_map<(n)[f] -> (n + f)>(%column2)[%first_weight]
        %next2 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column2)[
            %first_weight, %columns_several]
        %column3 = affine.min affine_map<(n) -> (n + 3, 127)>(%n)
        %n3 = affine.apply affine_map<(n)[f] -> (n + f)>(%column3)[%first_weight]
        %next3 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 511)>(%column3)[
            %first_weight, %columns_several]
        %bias_of_block = vector.transfer_read
          %gate_up_bias[%expert, %n], %padding
          {in_bounds = [true]} : tensor<4x128xf32>, !several_stored_row

        %of_rows = scf.for %m = %first to %end_of_several step %rows_several iter_args(%before = %given)
          -> (tensor<?x128xf32>) {
          %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end]
          %token0 = tensor.extract %place_tokens[%m0] : tensor<?xi32>
          %x0 = arith.index_cast %token0 : i32 to index
          %m1 = affine.min affine_map<(m)[e] -> (m + 1, e - 1)>(%m)[%end]
          %token1 = tensor.extract %place_tokens[%m1] : tensor<?xi32>
          %x1 = arith.index_cast %token1 : i32 to index
          %m2 = affine.min affine_map<(m)[e] -> (m + 2, e - 1)>(%m)[%end]
          %token2 = tensor.extract %place_tokens[%m2] : tensor<?xi32>
          %x2 = arith.index_cast %token2 : i32 to index
          %is_first = arith.cmpi eq, %m, %first : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 511)>(%n0, %m)[%first]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first]
          %is_few = arith.cmpi sle, %end, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x64xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x64xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<512x64xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%x0, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left1_0 = vector.transfer_read
              %tokens[%x1, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left2_0 = vector.transfer_read
              %tokens[%x2, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %right0_0 = vector.transfer_read
              %gate_up_rows[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !several_lanes from !several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !several_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !several_lanes into !several_block
            %old1_0_0 = vector.extract %more0_1[1, 0] : !several_lanes from !several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !several_lanes
            %more0_2 = vector.insert %new1_0_0, %more0_1 [1, 0]
              : !several_lanes into !several_block
            %old2_0_0 = vector.extract %more0_2[2, 0] : !several_lanes from !several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !several_lanes
            %more0_3 = vector.insert %new2_0_0, %more0_2 [2, 0]
              : !several_lanes into !several_block
            %right1_0 = vector.transfer_read
              %gate_up_rows[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_1_0 = vector.extract %more0_3[0, 1] : !several_lanes from !several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !several_lanes
            %more0_4 = vector.insert %new0_1_0, %more0_3 [0, 1]
              : !several_lanes into !several_block
            %old1_1_0 = vector.extract %more0_4[1, 1] : !several_lanes from !several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !several_lanes
            %more0_5 = vector.insert %new1_1_0, %more0_4 [1, 1]
              : !several_lanes into !several_block
            %old2_1_0 = vector.extract %more0_5[2, 1] : !several_lanes from !several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !several_lanes
            %more0_6 = vector.insert %new2_1_0, %more0_5 [2, 1]
              : !several_lanes into !several_block
            %right2_0 = vector.transfer_read
              %gate_up_rows[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_2_0 = vector.extract %more0_6[0, 2] : !several_lanes from !several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !several_lanes
            %more0_7 = vector.insert %new0_2_0, %more0_6 [0, 2]
              : !several_lanes into !several_block
            %old1_2_0 = vector.extract %more0_7[1, 2] : !several_lanes from !several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !several_lanes
            %more0_8 = vector.insert %new1_2_0, %more0_7 [1, 2]
              : !several_lanes into !several_block
            %old2_2_0 = vector.extract %more0_8[2, 2] : !several_lanes from !several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !several_lanes
            %more0_9 = vector.insert %new2_2_0, %more0_8 [2, 2]
              : !several_lanes into !several_block
            %right3_0 = vector.transfer_read
              %gate_up_rows[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_3_0 = vector.extract %more0_9[0, 3] : !several_lanes from !several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !several_lanes
            %more0_10 = vector.insert %new0_3_0, %more0_9 [0, 3]
              : !several_lanes into !several_block
            %old1_3_0 = vector.extract %more0_10[1, 3] : !several_lanes from !several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !several_lanes
            %more0_11 = vector.insert %new1_3_0, %more0_10 [1, 3]
              : !several_lanes into !several_block
            %old2_3_0 = vector.extract %more0_11[2, 3] : !several_lanes from !several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !several_lanes
            %more0 = vector.insert %new2_3_0, %more0_11 [2, 3]
              : !several_lanes into !several_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %tokens[%x0, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left1_8 = vector.transfer_read
              %tokens[%x1, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left2_8 = vector.transfer_read
              %tokens[%x2, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %right0_8 = vector.transfer_read
              %gate_up_rows[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_0_8 = vector.extract %more0[0, 0] : !several_lanes from !several_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !several_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !several_lanes into !several_block
            %old1_0_8 = vector.extract %more_1[1, 0] : !several_lanes from !several_block
            %new1_0_8 = vector.fma %left1_8, %right0_8, %old1_0_8 : !several_lanes
            %more_2 = vector.insert %new1_0_8, %more_1 [1, 0]
              : !several_lanes into !several_block
            %old2_0_8 = vector.extract %more_2[2, 0] : !several_lanes from !several_block
            %new2_0_8 = vector.fma %left2_8, %right0_8, %old2_0_8 : !several_lanes
            %more_3 = vector.insert %new2_0_8, %more_2 [2, 0]
              : !several_lanes into !several_block
            %right1_8 = vector.transfer_read
              %gate_up_rows[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_1_8 = vector.extract %more_3[0, 1] : !several_lanes from !several_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !several_lanes
            %more_4 = vector.insert %new0_1_8, %more_3 [0, 1]
              : !several_lanes into !several_block
            %old1_1_8 = vector.extract %more_4[1, 1] : !several_lanes from !several_block
            %new1_1_8 = vector.fma %left1_8, %right1_8, %old1_1_8 : !several_lanes
            %more_5 = vector.insert %new1_1_8, %more_4 [1, 1]
              : !several_lanes into !several_block
            %old2_1_8 = vector.extract %more_5[2, 1] : !several_lanes from !several_block
            %new2_1_8 = vector.fma %left2_8, %right1_8, %old2_1_8 : !several_lanes
            %more_6 = vector.insert %new2_1_8, %more_5 [2, 1]
              : !several_lanes into !several_block
            %right2_8 = vector.transfer_read
              %gate_up_rows[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_2_8 = vector.extract %more_6[0, 2] : !several_lanes from !several_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !several_lanes
            %more_7 = vector.insert %new0_2_8, %more_6 [0, 2]
              : !several_lanes into !several_block
            %old1_2_8 = vector.extract %more_7[1, 2] : !several_lanes from !several_block
            %new1_2_8 = vector.fma %left1_8, %right2_8, %old1_2_8 : !several_lanes
            %more_8 = vector.insert %new1_2_8, %more_7 [1, 2]
              : !several_lanes into !several_block
            %old2_2_8 = vector.extract %more_8[2, 2] : !several_lanes from !several_block
            %new2_2_8 = vector.fma %left2_8, %right2_8, %old2_2_8 : !several_lanes
            %more_9 = vector.insert %new2_2_8, %more_8 [2, 2]
              : !several_lanes into !several_block
            %right3_8 = vector.transfer_read
              %gate_up_rows[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<512x64xf32>, !several_given
            %old0_3_8 = vector.extract %more_9[0, 3] : !several_lanes from !several_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !several_lanes
            %more_10 = vector.insert %new0_3_8, %more_9 [0, 3]
              : !several_lanes into !several_block
            %old1_3_8 = vector.extract %more_10[1, 3] : !several_lanes from !several_block
            %new1_3_8 = vector.fma %left1_8, %right3_8, %old1_3_8 : !several_lanes
            %more_11 = vector.insert %new1_3_8, %more_10 [1, 3]
              : !several_lanes into !several_block
            %old2_3_8 = vector.extract %more_11[2, 3] : !several_lanes from !several_block
            %new2_3_8 = vector.fma %left2_8, %right3_8, %old2_3_8 : !several_lanes
            %more = vector.insert %new2_3_8, %more_11 [2, 3]
              : !several_lanes into !several_block
            scf.yield %more : !several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !several_block to !several_part
          %registers0 = vector.shape_cast %part0 : !several_part to !several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !several_register8 from !several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !several_register8 from !several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !several_register8 from !several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !several_register8 from !several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !several_register8, !several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !several_register8, !several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !several_register4
          %sums0 = vector.shape_cast %numbers0 : !several_numbers to !several_sums
          %row0 = vector.extract %sums0[0] : !several_row from !several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !several_block to !several_part
          %registers1 = vector.shape_cast %part1 : !several_part to !several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !several_register8 from !several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !several_register8 from !several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !several_register8 from !several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !several_register8 from !several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !several_register8, !several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !several_register8, !several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !several_register4
          %sums1 = vector.shape_cast %numbers1 : !several_numbers to !several_sums
          %row1 = vector.extract %sums1[0] : !several_row from !several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !several_block to !several_part
          %registers2 = vector.shape_cast %part2 : !several_part to !several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !several_register8 from !several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !several_register8 from !several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !several_register8 from !several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !several_register8 from !several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !several_register8, !several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !several_register8, !several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !several_register4
          %sums2 = vector.shape_cast %numbers2 : !several_numbers to !several_sums
          %row2 = vector.extract %sums2[0] : !several_row from !several_sums
          %shifted0 = arith.addf %row0, %bias_of_block : !several_row
          %after_1 = vector.transfer_write %shifted0,
            %before[%m0, %n]
            {in_bounds = [true]} : !several_row, tensor<?x128xf32>
          %shifted1 = arith.addf %row1, %bias_of_block : !several_row
          %after_2 = vector.transfer_write %shifted1,
            %after_1[%m1, %n]
            {in_bounds = [true]} : !several_row, tensor<?x128xf32>
          %shifted2 = arith.addf %row2, %bias_of_block : !several_row
          %after = vector.transfer_write %shifted2,
            %after_2[%m2, %n]
            {in_bounds = [true]} : !several_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_all
          into %all[0, 0] [%places_dim, 128] [1, 1]
          : tensor<?x128xf32> into tensor<?x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %gate_up_sums_tied,
      offsets = [0, 0], sizes = [%places_dim, 128], strides = [1, 1]
      : tensor<?x128xf32> -> !gate_up_sums_out{%places_dim}
    return
  }
  }
}
flow.executable private @down_sums_kernel {
  flow.executable.export public @down_sums_kernel
      workgroups(%places_dim_asked: index, %blocks_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%places_dim_asked, %blocks_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @down_sums_kernel(
      %inner_in: !inner_of_down_sums,
      %down_rows_in: !down_rows_of_down_sums,
      %block_experts_in: !block_experts_of_down_sums,
      %block_firsts_in: !block_firsts_of_down_sums,
      %block_ends_in: !block_ends_of_down_sums,
      %down_bias_in: !down_bias_of_down_sums,
      %places_dim_in: index,
      %blocks_dim_in: index,
      %down_sums_out: !down_sums_out
    ) {
    %places_dim = iree_tensor_ext.dispatch.workload.ordinal %places_dim_in, 0 : index
    %blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %blocks_dim_in, 1 : index
    %inner_tied = flow.dispatch.tie_shape %inner_in
      : !inner_of_down_sums{%places_dim}
    %inner = iree_tensor_ext.dispatch.tensor.load %inner_tied,
      offsets = [0, 0], sizes = [%places_dim, 64], strides = [1, 1]
      : !inner_of_down_sums{%places_dim} -> tensor<?x64xf32>
    %down_rows = iree_tensor_ext.dispatch.tensor.load %down_rows_in,
      offsets = [0, 0], sizes = [256, 64], strides = [1, 1]
      : !down_rows_of_down_sums -> tensor<256x64xf32>
    %block_experts_tied = flow.dispatch.tie_shape %block_experts_in
      : !block_experts_of_down_sums{%blocks_dim}
    %block_experts = iree_tensor_ext.dispatch.tensor.load %block_experts_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !block_experts_of_down_sums{%blocks_dim} -> tensor<?xi32>
    %block_firsts_tied = flow.dispatch.tie_shape %block_firsts_in
      : !block_firsts_of_down_sums{%blocks_dim}
    %block_firsts = iree_tensor_ext.dispatch.tensor.load %block_firsts_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !block_firsts_of_down_sums{%blocks_dim} -> tensor<?xi32>
    %block_ends_tied = flow.dispatch.tie_shape %block_ends_in
      : !block_ends_of_down_sums{%blocks_dim}
    %block_ends = iree_tensor_ext.dispatch.tensor.load %block_ends_tied,
      offsets = [0], sizes = [%blocks_dim], strides = [1]
      : !block_ends_of_down_sums{%blocks_dim} -> tensor<?xi32>
    %down_bias = iree_tensor_ext.dispatch.tensor.load %down_bias_in,
      offsets = [0, 0], sizes = [4, 64], strides = [1, 1]
      : !down_bias_of_down_sums -> tensor<4x64xf32>
    %down_sums_tied = flow.dispatch.tie_shape %down_sums_out
      : !down_sums_out{%places_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %depth = arith.constant 64 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 64 : index
    %padding = arith.constant 0.0 : f32
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 128)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<256x64xf32>
    %blocks = tensor.dim %block_experts, %none : tensor<?xi32>
    %empty = tensor.empty(%places_dim) : tensor<?x64xf32>
    // Blocks of the same expert follow one another: its columns are read from memory once.
    %workgroups = scf.forall (%x, %b) in (%column_tiles, %blocks) shared_outs(%all = %empty)
      -> (tensor<?x64xf32>) {
      %expert_told = tensor.extract %block_experts[%b] : tensor<?xi32>
      %expert = arith.index_cast %expert_told : i32 to index
      %first_weight = affine.apply affine_map<(e) -> (e * 64)>(%expert)
      %first_told = tensor.extract %block_firsts[%b] : tensor<?xi32>
      %end_told = tensor.extract %block_ends[%b] : tensor<?xi32>
      %first = arith.index_cast %first_told : i32 to index
      %end = arith.index_cast %end_told : i32 to index
      %first_column = affine.apply affine_map<(x) -> (x * 128)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 128, n)>(%first_column)[%columns]
      %second = affine.apply affine_map<(f) -> (f + 1)>(%first)
      %is_single = arith.cmpi eq, %second, %end : index
      %end_of_single = arith.select %is_single, %end, %first : index
      %end_of_several = arith.select %is_single, %first, %end : index
      %rows_single = arith.constant 1 : index
      %columns_single = arith.constant 8 : index
      %of_all_1 = scf.for %n = %first_column to %end_column step %columns_single
        iter_args(%given = %all) -> (tensor<?x64xf32>) {
        %no_sums = arith.constant dense<0.0> : !single_block
        %column0 = affine.min affine_map<(n) -> (n + 0, 63)>(%n)
        %n0 = affine.apply affine_map<(n)[f] -> (n + f)>(%column0)[%first_weight]
        %next0 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column0)[
            %first_weight, %columns_single]
        %column1 = affine.min affine_map<(n) -> (n + 1, 63)>(%n)
        %n1 = affine.apply affine_map<(n)[f] -> (n + f)>(%column1)[%first_weight]
        %next1 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column1)[
            %first_weight, %columns_single]
        %column2 = affine.min affine_map<(n) -> (n + 2, 63)>(%n)
        %n2 = affine.apply affine_map<(n)[f] -> (n + f)>(%column2)[%first_weight]
        %next2 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column2)[
            %first_weight, %columns_single]
        %column3 = affine.min affine_map<(n) -> (n + 3, 63)>(%n)
        %n3 = affine.apply affine_map<(n)[f] -> (n + f)>(%column3)[%first_weight]
        %next3 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column3)[
            %first_weight, %columns_single]
        %column4 = affine.min affine_map<(n) -> (n + 4, 63)>(%n)
        %n4 = affine.apply affine_map<(n)[f] -> (n + f)>(%column4)[%first_weight]
        %next4 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column4)[
            %first_weight, %columns_single]
        %column5 = affine.min affine_map<(n) -> (n + 5, 63)>(%n)
        %n5 = affine.apply affine_map<(n)[f] -> (n + f)>(%column5)[%first_weight]
        %next5 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column5)[
            %first_weight, %columns_single]
        %column6 = affine.min affine_map<(n) -> (n + 6, 63)>(%n)
        %n6 = affine.apply affine_map<(n)[f] -> (n + f)>(%column6)[%first_weight]
        %next6 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column6)[
            %first_weight, %columns_single]
        %column7 = affine.min affine_map<(n) -> (n + 7, 63)>(%n)
        %n7 = affine.apply affine_map<(n)[f] -> (n + f)>(%column7)[%first_weight]
        %next7 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column7)[
            %first_weight, %columns_single]
        %bias_of_block = vector.transfer_read
          %down_bias[%expert, %n], %padding
          {in_bounds = [true]} : tensor<4x64xf32>, !single_stored_row

        %of_rows = scf.for %m = %first to %end_of_single step %rows_single iter_args(%before = %given)
          -> (tensor<?x64xf32>) {
          %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end]
          %x0 = affine.apply affine_map<(m) -> (m)>(%m0)
          %is_first = arith.cmpi eq, %m, %first : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<256x64xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %inner[%x0, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !single_given
            %right0_0 = vector.transfer_read
              %down_rows[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !single_lanes from !single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !single_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !single_lanes into !single_block
            %right1_0 = vector.transfer_read
              %down_rows[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_1_0 = vector.extract %more0_1[0, 1] : !single_lanes from !single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !single_lanes
            %more0_2 = vector.insert %new0_1_0, %more0_1 [0, 1]
              : !single_lanes into !single_block
            %right2_0 = vector.transfer_read
              %down_rows[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_2_0 = vector.extract %more0_2[0, 2] : !single_lanes from !single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !single_lanes
            %more0_3 = vector.insert %new0_2_0, %more0_2 [0, 2]
              : !single_lanes into !single_block
            %right3_0 = vector.transfer_read
              %down_rows[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_3_0 = vector.extract %more0_3[0, 3] : !single_lanes from !single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !single_lanes
            %more0_4 = vector.insert %new0_3_0, %more0_3 [0, 3]
              : !single_lanes into !single_block
            %right4_0 = vector.transfer_read
              %down_rows[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_4_0 = vector.extract %more0_4[0, 4] : !single_lanes from !single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !single_lanes
            %more0_5 = vector.insert %new0_4_0, %more0_4 [0, 4]
              : !single_lanes into !single_block
            %right5_0 = vector.transfer_read
              %down_rows[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_5_0 = vector.extract %more0_5[0, 5] : !single_lanes from !single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !single_lanes
            %more0_6 = vector.insert %new0_5_0, %more0_5 [0, 5]
              : !single_lanes into !single_block
            %right6_0 = vector.transfer_read
              %down_rows[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_6_0 = vector.extract %more0_6[0, 6] : !single_lanes from !single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !single_lanes
            %more0_7 = vector.insert %new0_6_0, %more0_6 [0, 6]
              : !single_lanes into !single_block
            %right7_0 = vector.transfer_read
              %down_rows[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_7_0 = vector.extract %more0_7[0, 7] : !single_lanes from !single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !single_lanes
            %more0 = vector.insert %new0_7_0, %more0_7 [0, 7]
              : !single_lanes into !single_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %inner[%x0, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !single_given
            %right0_8 = vector.transfer_read
              %down_rows[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_0_8 = vector.extract %more0[0, 0] : !single_lanes from !single_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !single_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !single_lanes into !single_block
            %right1_8 = vector.transfer_read
              %down_rows[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_1_8 = vector.extract %more_1[0, 1] : !single_lanes from !single_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !single_lanes
            %more_2 = vector.insert %new0_1_8, %more_1 [0, 1]
              : !single_lanes into !single_block
            %right2_8 = vector.transfer_read
              %down_rows[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_2_8 = vector.extract %more_2[0, 2] : !single_lanes from !single_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !single_lanes
            %more_3 = vector.insert %new0_2_8, %more_2 [0, 2]
              : !single_lanes into !single_block
            %right3_8 = vector.transfer_read
              %down_rows[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_3_8 = vector.extract %more_3[0, 3] : !single_lanes from !single_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !single_lanes
            %more_4 = vector.insert %new0_3_8, %more_3 [0, 3]
              : !single_lanes into !single_block
            %right4_8 = vector.transfer_read
              %down_rows[%n4, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_4_8 = vector.extract %more_4[0, 4] : !single_lanes from !single_block
            %new0_4_8 = vector.fma %left0_8, %right4_8, %old0_4_8 : !single_lanes
            %more_5 = vector.insert %new0_4_8, %more_4 [0, 4]
              : !single_lanes into !single_block
            %right5_8 = vector.transfer_read
              %down_rows[%n5, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_5_8 = vector.extract %more_5[0, 5] : !single_lanes from !single_block
            %new0_5_8 = vector.fma %left0_8, %right5_8, %old0_5_8 : !single_lanes
            %more_6 = vector.insert %new0_5_8, %more_5 [0, 5]
              : !single_lanes into !single_block
            %right6_8 = vector.transfer_read
              %down_rows[%n6, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_6_8 = vector.extract %more_6[0, 6] : !single_lanes from !single_block
            %new0_6_8 = vector.fma %left0_8, %right6_8, %old0_6_8 : !single_lanes
            %more_7 = vector.insert %new0_6_8, %more_6 [0, 6]
              : !single_lanes into !single_block
            %right7_8 = vector.transfer_read
              %down_rows[%n7, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !single_given
            %old0_7_8 = vector.extract %more_7[0, 7] : !single_lanes from !single_block
            %new0_7_8 = vector.fma %left0_8, %right7_8, %old0_7_8 : !single_lanes
            %more = vector.insert %new0_7_8, %more_7 [0, 7]
              : !single_lanes into !single_block
            scf.yield %more : !single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !single_block to !single_part
          %registers0 = vector.shape_cast %part0 : !single_part to !single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !single_register8 from !single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !single_register8 from !single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !single_register8 from !single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !single_register8 from !single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !single_register8 from !single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !single_register8 from !single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !single_register8 from !single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !single_register8 from !single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !single_register8, !single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !single_register8, !single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !single_register8, !single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !single_register8, !single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !single_register8
          %sums0 = vector.shape_cast %numbers0 : !single_numbers to !single_sums
          %row0 = vector.extract %sums0[0] : !single_row from !single_sums
          %shifted0 = arith.addf %row0, %bias_of_block : !single_row
          %after = vector.transfer_write %shifted0,
            %before[%m0, %n]
            {in_bounds = [true]} : !single_row, tensor<?x64xf32>
          scf.yield %after : tensor<?x64xf32>
        }
        scf.yield %of_rows : tensor<?x64xf32>
      }
      %rows_several = arith.constant 3 : index
      %columns_several = arith.constant 4 : index
      %of_all = scf.for %n = %first_column to %end_column step %columns_several
        iter_args(%given = %of_all_1) -> (tensor<?x64xf32>) {
        %no_sums = arith.constant dense<0.0> : !several_block
        %column0 = affine.min affine_map<(n) -> (n + 0, 63)>(%n)
        %n0 = affine.apply affine_map<(n)[f] -> (n + f)>(%column0)[%first_weight]
        %next0 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column0)[
            %first_weight, %columns_several]
        %column1 = affine.min affine_map<(n) -> (n + 1, 63)>(%n)
        %n1 = affine.apply affine_map<(n)[f] -> (n + f)>(%column1)[%first_weight]
        %next1 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column1)[
            %first_weight, %columns_several]
        %column2 = affine.min affine_map<(n) -> (n + 2, 63)>(%n)
        %n2 = affine.apply affine_map<(n)[f] -> (n + f)>(%column2)[%first_weight]
        %next2 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column2)[
            %first_weight, %columns_several]
        %column3 = affine.min affine_map<(n) -> (n + 3, 63)>(%n)
        %n3 = affine.apply affine_map<(n)[f] -> (n + f)>(%column3)[%first_weight]
        %next3 = affine.min
          affine_map<(n)[f, c] -> (n + f + c, 255)>(%column3)[
            %first_weight, %columns_several]
        %bias_of_block = vector.transfer_read
          %down_bias[%expert, %n], %padding
          {in_bounds = [true]} : tensor<4x64xf32>, !several_stored_row

        %of_rows = scf.for %m = %first to %end_of_several step %rows_several iter_args(%before = %given)
          -> (tensor<?x64xf32>) {
          %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end]
          %x0 = affine.apply affine_map<(m) -> (m)>(%m0)
          %m1 = affine.min affine_map<(m)[e] -> (m + 1, e - 1)>(%m)[%end]
          %x1 = affine.apply affine_map<(m) -> (m)>(%m1)
          %m2 = affine.min affine_map<(m)[e] -> (m + 2, e - 1)>(%m)[%end]
          %x2 = affine.apply affine_map<(m) -> (m)>(%m2)
          %is_first = arith.cmpi eq, %m, %first : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 255)>(%n0, %m)[%first]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first]
          %is_few = arith.cmpi sle, %end, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<256x64xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<256x64xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<256x64xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %inner[%x0, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left1_0 = vector.transfer_read
              %inner[%x1, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left2_0 = vector.transfer_read
              %inner[%x2, %k0], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %right0_0 = vector.transfer_read
              %down_rows[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !several_lanes from !several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !several_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !several_lanes into !several_block
            %old1_0_0 = vector.extract %more0_1[1, 0] : !several_lanes from !several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !several_lanes
            %more0_2 = vector.insert %new1_0_0, %more0_1 [1, 0]
              : !several_lanes into !several_block
            %old2_0_0 = vector.extract %more0_2[2, 0] : !several_lanes from !several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !several_lanes
            %more0_3 = vector.insert %new2_0_0, %more0_2 [2, 0]
              : !several_lanes into !several_block
            %right1_0 = vector.transfer_read
              %down_rows[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_1_0 = vector.extract %more0_3[0, 1] : !several_lanes from !several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !several_lanes
            %more0_4 = vector.insert %new0_1_0, %more0_3 [0, 1]
              : !several_lanes into !several_block
            %old1_1_0 = vector.extract %more0_4[1, 1] : !several_lanes from !several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !several_lanes
            %more0_5 = vector.insert %new1_1_0, %more0_4 [1, 1]
              : !several_lanes into !several_block
            %old2_1_0 = vector.extract %more0_5[2, 1] : !several_lanes from !several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !several_lanes
            %more0_6 = vector.insert %new2_1_0, %more0_5 [2, 1]
              : !several_lanes into !several_block
            %right2_0 = vector.transfer_read
              %down_rows[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_2_0 = vector.extract %more0_6[0, 2] : !several_lanes from !several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !several_lanes
            %more0_7 = vector.insert %new0_2_0, %more0_6 [0, 2]
              : !several_lanes into !several_block
            %old1_2_0 = vector.extract %more0_7[1, 2] : !several_lanes from !several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !several_lanes
            %more0_8 = vector.insert %new1_2_0, %more0_7 [1, 2]
              : !several_lanes into !several_block
            %old2_2_0 = vector.extract %more0_8[2, 2] : !several_lanes from !several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !several_lanes
            %more0_9 = vector.insert %new2_2_0, %more0_8 [2, 2]
              : !several_lanes into !several_block
            %right3_0 = vector.transfer_read
              %down_rows[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_3_0 = vector.extract %more0_9[0, 3] : !several_lanes from !several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !several_lanes
            %more0_10 = vector.insert %new0_3_0, %more0_9 [0, 3]
              : !several_lanes into !several_block
            %old1_3_0 = vector.extract %more0_10[1, 3] : !several_lanes from !several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !several_lanes
            %more0_11 = vector.insert %new1_3_0, %more0_10 [1, 3]
              : !several_lanes into !several_block
            %old2_3_0 = vector.extract %more0_11[2, 3] : !several_lanes from !several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !several_lanes
            %more0 = vector.insert %new2_3_0, %more0_11 [2, 3]
              : !several_lanes into !several_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %inner[%x0, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left1_8 = vector.transfer_read
              %inner[%x1, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %left2_8 = vector.transfer_read
              %inner[%x2, %k8], %padding {in_bounds = [true]}
              : tensor<?x64xf32>, !several_given
            %right0_8 = vector.transfer_read
              %down_rows[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_0_8 = vector.extract %more0[0, 0] : !several_lanes from !several_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !several_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !several_lanes into !several_block
            %old1_0_8 = vector.extract %more_1[1, 0] : !several_lanes from !several_block
            %new1_0_8 = vector.fma %left1_8, %right0_8, %old1_0_8 : !several_lanes
            %more_2 = vector.insert %new1_0_8, %more_1 [1, 0]
              : !several_lanes into !several_block
            %old2_0_8 = vector.extract %more_2[2, 0] : !several_lanes from !several_block
            %new2_0_8 = vector.fma %left2_8, %right0_8, %old2_0_8 : !several_lanes
            %more_3 = vector.insert %new2_0_8, %more_2 [2, 0]
              : !several_lanes into !several_block
            %right1_8 = vector.transfer_read
              %down_rows[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_1_8 = vector.extract %more_3[0, 1] : !several_lanes from !several_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !several_lanes
            %more_4 = vector.insert %new0_1_8, %more_3 [0, 1]
              : !several_lanes into !several_block
            %old1_1_8 = vector.extract %more_4[1, 1] : !several_lanes from !several_block
            %new1_1_8 = vector.fma %left1_8, %right1_8, %old1_1_8 : !several_lanes
            %more_5 = vector.insert %new1_1_8, %more_4 [1, 1]
              : !several_lanes into !several_block
            %old2_1_8 = vector.extract %more_5[2, 1] : !several_lanes from !several_block
            %new2_1_8 = vector.fma %left2_8, %right1_8, %old2_1_8 : !several_lanes
            %more_6 = vector.insert %new2_1_8, %more_5 [2, 1]
              : !several_lanes into !several_block
            %right2_8 = vector.transfer_read
              %down_rows[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_2_8 = vector.extract %more_6[0, 2] : !several_lanes from !several_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !several_lanes
            %more_7 = vector.insert %new0_2_8, %more_6 [0, 2]
              : !several_lanes into !several_block
            %old1_2_8 = vector.extract %more_7[1, 2] : !several_lanes from !several_block
            %new1_2_8 = vector.fma %left1_8, %right2_8, %old1_2_8 : !several_lanes
            %more_8 = vector.insert %new1_2_8, %more_7 [1, 2]
              : !several_lanes into !several_block
            %old2_2_8 = vector.extract %more_8[2, 2] : !several_lanes from !several_block
            %new2_2_8 = vector.fma %left2_8, %right2_8, %old2_2_8 : !several_lanes
            %more_9 = vector.insert %new2_2_8, %more_8 [2, 2]
              : !several_lanes into !several_block
            %right3_8 = vector.transfer_read
              %down_rows[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<256x64xf32>, !several_given
            %old0_3_8 = vector.extract %more_9[0, 3] : !several_lanes from !several_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !several_lanes
            %more_10 = vector.insert %new0_3_8, %more_9 [0, 3]
              : !several_lanes into !several_block
            %old1_3_8 = vector.extract %more_10[1, 3] : !several_lanes from !several_block
            %new1_3_8 = vector.fma %left1_8, %right3_8, %old1_3_8 : !several_lanes
            %more_11 = vector.insert %new1_3_8, %more_10 [1, 3]
              : !several_lanes into !several_block
            %old2_3_8 = vector.extract %more_11[2, 3] : !several_lanes from !several_block
            %new2_3_8 = vector.fma %left2_8, %right3_8, %old2_3_8 : !several_lanes
            %more = vector.insert %new2_3_8, %more_11 [2, 3]
              : !several_lanes into !several_block
            scf.yield %more : !several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !several_block to !several_part
          %registers0 = vector.shape_cast %part0 : !several_part to !several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !several_register8 from !several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !several_register8 from !several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !several_register8 from !several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !several_register8 from !several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !several_register8, !several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !several_register8, !several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !several_register4
          %sums0 = vector.shape_cast %numbers0 : !several_numbers to !several_sums
          %row0 = vector.extract %sums0[0] : !several_row from !several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !several_block to !several_part
          %registers1 = vector.shape_cast %part1 : !several_part to !several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !several_register8 from !several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !several_register8 from !several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !several_register8 from !several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !several_register8 from !several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !several_register8, !several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !several_register8, !several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !several_register4
          %sums1 = vector.shape_cast %numbers1 : !several_numbers to !several_sums
          %row1 = vector.extract %sums1[0] : !several_row from !several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !several_block to !several_part
          %registers2 = vector.shape_cast %part2 : !several_part to !several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !several_register8 from !several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !several_register8 from !several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !several_register8 from !several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !several_register8 from !several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !several_register8, !several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !several_register8, !several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !several_register8, !several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !several_register8, !several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !several_register4
          %sums2 = vector.shape_cast %numbers2 : !several_numbers to !several_sums
          %row2 = vector.extract %sums2[0] : !several_row from !several_sums
          %shifted0 = arith.addf %row0, %bias_of_block : !several_row
          %after_1 = vector.transfer_write %shifted0,
            %before[%m0, %n]
            {in_bounds = [true]} : !several_row, tensor<?x64xf32>
          %shifted1 = arith.addf %row1, %bias_of_block : !several_row
          %after_2 = vector.transfer_write %shifted1,
            %after_1[%m1, %n]
            {in_bounds = [true]} : !several_row, tensor<?x64xf32>
          %shifted2 = arith.addf %row2, %bias_of_block : !several_row
          %after = vector.transfer_write %shifted2,
            %after_2[%m2, %n]
            {in_bounds = [true]} : !several_row, tensor<?x64xf32>
          scf.yield %after : tensor<?x64xf32>
        }
        scf.yield %of_rows : tensor<?x64xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_all
          into %all[0, 0] [%places_dim, 64] [1, 1]
          : tensor<?x64xf32> into tensor<?x64xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %down_sums_tied,
      offsets = [0, 0], sizes = [%places_dim, 64], strides = [1, 1]
      : tensor<?x64xf32> -> !down_sums_out{%places_dim}
    return
  }
  }
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
