// The router chooses 2 of 4 experts for each token. Tokens are sorted by expert, in blocks of at most
// 32, and each block is multiplied with the weights of its expert.
// m token, e and f expert, r rank of an expert of a token, p place of a token in the order of experts,
// b block of places, c chunk of tokens, u token of a chunk, n column of a product, k column of what is multiplied
!hidden = tensor<2x40x33xf16>
!router_weight = tensor<4x33xf16>
!gate_up_weight = tensor<4x128x33xf16>
!down_weight = tensor<4x33x64xf16>
!output = tensor<2x40x33xf16>
!tokens = tensor<80x33xf16>
!scores = tensor<80x4xf32>
!products = !scores
!orders = tensor<80x4xi32>
!chosen = tensor<80x2xf32>
!ids = tensor<80x2xi32>
!of_token = tensor<80xf32>
!padded = tensor<128x4xi32>
!chunked = tensor<2x64x4xi32>
!of_chunk = tensor<2x4xi32>
!of_expert = tensor<4xi32>
!pairs = tensor<160xi32>
!pair_places = tensor<160x1xi32>
!place_tokens = tensor<288xi32>
!token_column = tensor<288x1xi32>
!of_block = tensor<9xi32>
!gate_up_rows = tensor<512x33xf16>
!down_rows = tensor<132x64xf16>
!gate_up_sums = tensor<288x128xf32>
!halves = tensor<288x64xf32>
!inner = tensor<288x64xf16>
!down_sums = tensor<288x33xf32>
!sums = tensor<80x33xf32>
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
!sorted = tensor<288x33xf16>
#tile_of_gate_up_sums = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 32, 4, 0], thread = [1, 1, 4, 0], reduction = [0, 0, 0, 1]}>,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
#tile_of_down_sums = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 32, 1, 0], thread = [1, 1, 1, 0], reduction = [0, 0, 0, 4]}>,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
func.func @mixture_of_experts(%hidden: !hidden, %router_weight: !router_weight, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %zero_i32 = arith.constant 0 : i32
  %magnitude_bits = arith.constant 2147483647 : i32
  %infinity = arith.constant 2139095040 : i32
  %largest = arith.constant -1 : i32
  %middle = arith.constant -2147483648 : i32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %empty_products = tensor.empty() : !products
  %start_of_products = linalg.fill ins(%zero : f32)
    outs(%empty_products : !products) -> !products
  %products = linalg.generic {
      indexing_maps = [#x, #weight, #acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %router_weight : !tokens, !router_weight) outs(%start_of_products : !products) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !products
  // The compiler has no code for the product and all that is made of it in one kernel.
  %routed = iree_tensor_ext.compute_barrier.start %products : !scores -> !scores
  %scores_empty = tensor.empty() : !scores
  %orders_empty = tensor.empty() : !orders
  %score, %wanted, %order_of_all = linalg.generic {
      indexing_maps = [#rows, #rows, #rows, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%routed : !scores)
      outs(%scores_empty, %scores_empty, %orders_empty : !scores, !scores, !orders) {
  ^bb0(%product: f32, %no_score: f32, %not_wanted: f32, %no_order: i32):
    %bits = arith.bitcast %product : f32 to i32
    %magnitude = arith.andi %bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero_i32, %magnitude : i32
    %is_negative = arith.cmpi slt, %bits, %zero_i32 : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %largest, %above_zero : i32
    linalg.yield %product, %product, %order : f32, f32, i32
  } -> (!scores, !scores, !orders)
  %rank_empty = tensor.empty() : !orders
  %rank_start = linalg.fill ins(%zero_i32 : i32)
    outs(%rank_empty : !orders) -> !orders
  %rank = linalg.generic {
      indexing_maps = [#own, #other, #own],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%order_of_all, %order_of_all : !orders, !orders)
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
  %ids_empty = tensor.empty() : !ids
  %ids_start = linalg.fill ins(%zero_i32 : i32) outs(%ids_empty : !ids) -> !ids
  %chosen_empty = tensor.empty() : !chosen
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
  %best = tensor.extract_slice %chosen[0, 0] [80, 1] [1, 1] : !chosen to !of_token
  %whole_empty = tensor.empty() : !of_token
  %whole_start = linalg.fill ins(%zero : f32) outs(%whole_empty : !of_token) -> !of_token
  %whole = linalg.generic {
      indexing_maps = [#rows, #first, #first], iterator_types = ["parallel", "reduction"]
    } ins(%chosen, %best : !chosen, !of_token) outs(%whole_start : !of_token) {
  ^bb0(%one: f32, %most: f32, %sum: f32):
    %less = arith.subf %one, %most : f32
    %part = math.exp %less : f32
    %more = arith.addf %sum, %part : f32
    linalg.yield %more : f32
  } -> !of_token
  %weights = linalg.generic {
      indexing_maps = [#rows, #first, #first, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%chosen, %best, %whole : !chosen, !of_token, !of_token) outs(%chosen_empty : !chosen) {
  ^bb0(%one: f32, %most: f32, %sum: f32, %unused: f32):
    %less = arith.subf %one, %most : f32
    %part = math.exp %less : f32
    %share = arith.divf %part, %sum : f32
    %scale = arith.constant 1.0 : f32
    %weight = arith.mulf %share, %scale : f32
    linalg.yield %weight : f32
  } -> !chosen

  %out_of_reach = arith.constant 4 : i32
  %padded = tensor.pad %rank low[0, 0] high[48, 0] {
  ^bb0(%m: index, %e: index):
    tensor.yield %out_of_reach : i32
  } : !orders to !padded
  %chunked = tensor.expand_shape %padded [[0, 1], [2]]
    output_shape [2, 64, 4] : !padded into !chunked
  %in_chunk_empty = tensor.empty() : !chunked
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
  %of_chunk_empty = tensor.empty() : !of_chunk
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
  %alignment = arith.constant 32 : i32
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
  %pair_places = tensor.expand_shape %place_of_pair [[0, 1]] output_shape [160, 1] : !pairs into !pair_places
  %pairs_empty = tensor.empty() : !pairs
  %pair_tokens = linalg.generic {
      indexing_maps = [affine_map<(p) -> (p)>], iterator_types = ["parallel"]
    } outs(%pairs_empty : !pairs) {
  ^bb0(%unused: i32):
    %p = linalg.index 0 : index
    %m = affine.apply affine_map<(p) -> (p floordiv 2)>(%p)
    %token = arith.index_cast %m : index to i32
    linalg.yield %token : i32
  } -> !pairs
  %pair_token_column = tensor.expand_shape %pair_tokens [[0, 1]] output_shape [160, 1]
    : !pairs into !pair_places
  %token_column_empty = tensor.empty() : !token_column
  %no_tokens = linalg.fill ins(%zero_i32 : i32) outs(%token_column_empty : !token_column) -> !token_column
  %token_column = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%pair_token_column, %pair_places : !pair_places, !pair_places) outs(%no_tokens : !token_column) {
  ^bb0(%new: i32, %old: i32):
    iree_linalg_ext.yield %new : i32
  } -> !token_column
  %place_tokens = tensor.collapse_shape %token_column [[0, 1]] : !token_column into !place_tokens
  %of_block_empty = tensor.empty() : !of_block
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
  %sorted_empty = tensor.empty() : !sorted
  %sorted = linalg.generic {
      indexing_maps = [#first, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%place_tokens : !place_tokens) outs(%sorted_empty : !sorted) {
  ^bb0(%token: i32, %unused: f16):
    %k = linalg.index 1 : index
    %m = arith.index_cast %token : i32 to index
    %given = tensor.extract %tokens[%m, %k] : !tokens
    linalg.yield %given : f16
  } -> !sorted
  %sorted_of_blocks = tensor.expand_shape %sorted [[0, 1], [2]]
    output_shape [9, 32, 33] : tensor<288x33xf16> into tensor<9x32x33xf16>
  %empty_gate_up_sums = tensor.empty() : tensor<9x32x128xf32>
  %start_of_gate_up_sums = linalg.fill ins(%zero : f32)
    outs(%empty_gate_up_sums : tensor<9x32x128xf32>) -> tensor<9x32x128xf32>
  %gate_up_sums_of_blocks = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, n, k) -> (b, m, k)>,
        affine_map<(b, m, n, k) -> (b)>,
        affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%sorted_of_blocks, %block_experts : tensor<9x32x33xf16>, tensor<9xi32>)
      outs(%start_of_gate_up_sums : tensor<9x32x128xf32>) attrs = {compilation_info = #tile_of_gate_up_sums} {
  ^bb0(%left_stored: f16, %expert_told: i32, %sum: f32):
    %n = linalg.index 2 : index
    %k = linalg.index 3 : index
    %expert = arith.index_cast %expert_told : i32 to index
    %row = affine.apply affine_map<(n)[e] -> (n + e * 128)>(%n)[%expert]
    %right_stored = tensor.extract %gate_up_rows[%row, %k] : tensor<512x33xf16>
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<9x32x128xf32>
  %gate_up_sums = tensor.collapse_shape %gate_up_sums_of_blocks [[0, 1], [2]]
    : tensor<9x32x128xf32> into tensor<288x128xf32>
  %inner_empty = tensor.empty() : !inner
  %gate = tensor.extract_slice %gate_up_sums[0, 0] [288, 64] [1, 1] : !gate_up_sums to !halves
  %up = tensor.extract_slice %gate_up_sums[0, 64] [288, 64] [1, 1] : !gate_up_sums to !halves
  %inner = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate, %up : !halves, !halves) outs(%inner_empty : !inner) {
  ^bb0(%open: f32, %through: f32, %unused: f16):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %open : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %open, %divisor : f32
    %made = arith.mulf %active, %through : f32
    %made_stored = arith.truncf %made : f32 to f16
    linalg.yield %made_stored : f16
  } -> !inner
  %inner_of_blocks = tensor.expand_shape %inner [[0, 1], [2]]
    output_shape [9, 32, 64] : tensor<288x64xf16> into tensor<9x32x64xf16>
  %empty_down_sums = tensor.empty() : tensor<9x32x33xf32>
  %start_of_down_sums = linalg.fill ins(%zero : f32)
    outs(%empty_down_sums : tensor<9x32x33xf32>) -> tensor<9x32x33xf32>
  %down_sums_of_blocks = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, n, k) -> (b, m, k)>,
        affine_map<(b, m, n, k) -> (b)>,
        affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%inner_of_blocks, %block_experts : tensor<9x32x64xf16>, tensor<9xi32>)
      outs(%start_of_down_sums : tensor<9x32x33xf32>) attrs = {compilation_info = #tile_of_down_sums} {
  ^bb0(%left_stored: f16, %expert_told: i32, %sum: f32):
    %n = linalg.index 2 : index
    %k = linalg.index 3 : index
    %expert = arith.index_cast %expert_told : i32 to index
    %row = affine.apply affine_map<(n)[e] -> (n + e * 33)>(%n)[%expert]
    %right_stored = tensor.extract %down_rows[%row, %k] : tensor<132x64xf16>
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<9x32x33xf32>
  %down_sums = tensor.collapse_shape %down_sums_of_blocks [[0, 1], [2]]
    : tensor<9x32x33xf32> into tensor<288x33xf32>
  %sums_empty = tensor.empty() : !sums
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
  %rows_empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%sums : !sums) outs(%rows_empty : !rows) {
  ^bb0(%of_experts: f32, %unused: f16):
    %of_experts_stored = arith.truncf %of_experts : f32 to f16
    linalg.yield %of_experts_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 40, 33]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mixture_of_experts$async(
    %hidden: !hidden,
    %router_weight: !router_weight,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mixture_of_experts(%hidden, %router_weight, %gate_up_weight, %down_weight)
    : (!hidden, !router_weight, !gate_up_weight, !down_weight) -> (!output)
  util.return %output : !output
}
