// The gradient of attention: scores anew, their weights by the log-sum-exp, and the products of both.
// c batch and KV head, r query row of the group, t KV token, k head column; b batch, h query head, m query
!query = tensor<1x4x37x136xbf16>
!key = tensor<1x1x53x136xbf16>
!value = tensor<1x1x53x136xbf16>
!output = tensor<1x4x37x136xbf16>
!lse = tensor<1x4x37xf32>
!output_gradient = tensor<1x4x37x136xbf16>
!alibi_slopes = tensor<4xf32>
!bias = tensor<1x4x1x53xbf16>
!keep_mask = tensor<1x1x1x53xi1>
!sinks = tensor<4xf32>
!captured_SLOPES = tensor<8xf16>
!captured_FLAGS = tensor<128x128xi1>
!query_gradient = tensor<1x4x37x136xbf16>
!key_gradient = tensor<1x1x53x136xbf16>
!value_gradient = tensor<1x1x53x136xbf16>
!bias_gradient = tensor<1x4x1x53xbf16>
!sinks_gradient = tensor<4xf32>
!row_numbers = tensor<1x4x37xf32>
#values = affine_map<(b, h, m, n) -> (b, h, m, n)>
#value_row = affine_map<(b, h, m, n) -> (b, h, m)>
#head = affine_map<(h, b, m) -> (h)>
#row_of_head = affine_map<(h, b, m) -> (b, h, m)>
!flat_rows = tensor<160x144xbf16>
!flat_value_rows = tensor<160x144xbf16>
!flat_scores = tensor<160x64xf32>
!flat_stored = tensor<160x64xbf16>
!rows = tensor<1x160x144xbf16>
!value_rows = tensor<1x160x144xbf16>
!tokens = tensor<1x64x144xbf16>
!value_tokens = tensor<1x64x144xbf16>
!scores = tensor<1x160x64xf32>
!stored_scores = tensor<1x160x64xbf16>
!logits = tensor<1x4x40x64xf32>
!real_logits = tensor<1x4x37x53xf32>
!query_tiles = tensor<1x4x40x144xbf16>
!key_tiles = tensor<1x1x64x144xbf16>
!value_tiles = tensor<1x1x64x144xbf16>
!output_gradient_tiles = tensor<1x4x40x144xbf16>
!lse_tiles = tensor<1x4x40xf32>
!bias_tiles = tensor<1x4x1x64xbf16>
!keep_mask_tiles = tensor<1x1x1x64xi1>
!delta_of_rows_tiles = tensor<1x4x40xf32>
!stored_logits = tensor<1x4x40x64xbf16>
!query_sums = tensor<1x160x144xf32>
!key_sums = tensor<1x64x144xf32>
!value_sums = tensor<1x64x144xf32>
#rows = affine_map<(c, r, t, k) -> (c, r, k)>
#tokens = affine_map<(c, r, t, k) -> (c, t, k)>
#scores = affine_map<(c, r, t, k) -> (c, r, t)>
#rows_summed = affine_map<(c, t, k, r) -> (c, r, k)>
#scores_of_rows = affine_map<(c, t, k, r) -> (c, r, t)>
#sums_of_rows = affine_map<(c, t, k, r) -> (c, t, k)>
#tokens_summed = affine_map<(c, r, k, t) -> (c, t, k)>
#scores_of_tokens = affine_map<(c, r, k, t) -> (c, r, t)>
#sums_of_tokens = affine_map<(c, r, k, t) -> (c, r, k)>
#same = affine_map<(c, r, t) -> (c, r, t)>
#logits = affine_map<(b, h, m, t) -> (b, h, m, t)>
#row = affine_map<(b, h, m, t) -> (b, h, m)>
#alibi_slopes = affine_map<(b, h, m, t) -> (h)>
#bias = affine_map<(b, h, m, t) -> (0, h, 0, t)>
#keep_mask = affine_map<(b, h, m, t) -> (b, 0, 0, t)>
#bias_sums = affine_map<(b, h, m, t) -> (h, t)>
#bias_stored = affine_map<(h, t) -> (h, t)>
!bias_sums = tensor<4x53xf32>
!bias_made = tensor<4x53xbf16>
func.func @attention_backward(%query: !query, %key: !key, %value: !value, %output: !output, %lse: !lse, %output_gradient: !output_gradient, %alibi_slopes: !alibi_slopes, %bias: !bias, %keep_mask: !keep_mask, %sinks: !sinks, %captured_SLOPES: !captured_SLOPES, %captured_FLAGS: !captured_FLAGS) -> (!query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient) {
  %zero = arith.constant 0.0 : f32
  %delta_zero = arith.constant 0.0 : f32
  %delta_empty = tensor.empty() : !row_numbers
  %delta_start = linalg.fill ins(%delta_zero : f32) outs(%delta_empty : !row_numbers) -> !row_numbers
  %delta = linalg.generic {
      indexing_maps = [#values, #values, #value_row],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%output, %output_gradient : !output, !output_gradient) outs(%delta_start : !row_numbers) {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !row_numbers
  // IREE 3.13.0 takes both that read it into one loop, and adds each sum up again in every step, in silence.
  %delta_of_rows = util.optimization_barrier %delta : !row_numbers
  %captured_FLAGS_bytes = arith.extui %captured_FLAGS : !captured_FLAGS to tensor<128x128xi8>
  %captured_FLAGS_row = tensor.collapse_shape %captured_FLAGS_bytes [[0, 1]]
    : tensor<128x128xi8> into tensor<16384xi8>
  %query_tiles = tensor.pad %query
      low[0, 0, 0, 0] high[0, 0, 3, 8] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index, %axis3: index):
    %nothing = arith.constant 0.0 : bf16
    tensor.yield %nothing : bf16
  } : tensor<1x4x37x136xbf16> to !query_tiles
  %key_tiles = tensor.pad %key
      low[0, 0, 0, 0] high[0, 0, 11, 8] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index, %axis3: index):
    %nothing = arith.constant 0.0 : bf16
    tensor.yield %nothing : bf16
  } : tensor<1x1x53x136xbf16> to !key_tiles
  %value_tiles = tensor.pad %value
      low[0, 0, 0, 0] high[0, 0, 11, 8] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index, %axis3: index):
    %nothing = arith.constant 0.0 : bf16
    tensor.yield %nothing : bf16
  } : tensor<1x1x53x136xbf16> to !value_tiles
  %output_gradient_tiles = tensor.pad %output_gradient
      low[0, 0, 0, 0] high[0, 0, 3, 8] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index, %axis3: index):
    %nothing = arith.constant 0.0 : bf16
    tensor.yield %nothing : bf16
  } : tensor<1x4x37x136xbf16> to !output_gradient_tiles
  %lse_tiles = tensor.pad %lse
      low[0, 0, 0] high[0, 0, 3] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index):
    %nothing = arith.constant 0.0 : f32
    tensor.yield %nothing : f32
  } : tensor<1x4x37xf32> to !lse_tiles
  %bias_tiles = tensor.pad %bias
      low[0, 0, 0, 0] high[0, 0, 0, 11] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index, %axis3: index):
    %nothing = arith.constant 0.0 : bf16
    tensor.yield %nothing : bf16
  } : tensor<1x4x1x53xbf16> to !bias_tiles
  %keep_mask_tiles = tensor.pad %keep_mask
      low[0, 0, 0, 0] high[0, 0, 0, 11] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index, %axis3: index):
    %nothing = arith.constant false
    tensor.yield %nothing : i1
  } : tensor<1x1x1x53xi1> to !keep_mask_tiles
  %delta_of_rows_tiles = tensor.pad %delta_of_rows
      low[0, 0, 0] high[0, 0, 3] {
  ^bb0(%axis0: index, %axis1: index, %axis2: index):
    %nothing = arith.constant 0.0 : f32
    tensor.yield %nothing : f32
  } : tensor<1x4x37xf32> to !delta_of_rows_tiles
  %query_flat = tensor.collapse_shape %query_tiles [[0, 1, 2], [3]]
    : !query_tiles into !flat_rows
  %query_rows = tensor.expand_shape %query_flat [[0, 1], [2]]
    output_shape [1, 160, 144] : !flat_rows into !rows
  %output_gradient_flat = tensor.collapse_shape %output_gradient_tiles [[0, 1, 2], [3]]
    : !output_gradient_tiles into !flat_value_rows
  %output_gradient_rows = tensor.expand_shape %output_gradient_flat [[0, 1], [2]]
    output_shape [1, 160, 144] : !flat_value_rows into !value_rows
  %key_tokens = tensor.collapse_shape %key_tiles [[0, 1], [2], [3]]
    : !key_tiles into !tokens
  %value_tokens = tensor.collapse_shape %value_tiles [[0, 1], [2], [3]]
    : !value_tiles into !value_tokens
  %scores_empty = tensor.empty() : !scores
  %scores_start = linalg.fill ins(%zero : f32) outs(%scores_empty : !scores) -> !scores
  %scores = linalg.generic {
      indexing_maps = [#rows, #tokens, #scores],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%query_rows, %key_tokens : !rows, !tokens) outs(%scores_start : !scores) {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !scores
  %of_weights_empty = tensor.empty() : !scores
  %of_weights_start = linalg.fill ins(%zero : f32) outs(%of_weights_empty : !scores) -> !scores
  %of_weights = linalg.generic {
      indexing_maps = [#rows, #tokens, #scores],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%output_gradient_rows, %value_tokens : !value_rows, !value_tokens) outs(%of_weights_start : !scores) {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !scores
  %scores_flat = tensor.collapse_shape %scores [[0, 1], [2]] : !scores into !flat_scores
  %scores_logits = tensor.expand_shape %scores_flat [[0, 1, 2], [3]] output_shape [1, 4, 40, 64]
    : !flat_scores into !logits
  %of_weights_flat = tensor.collapse_shape %of_weights [[0, 1], [2]] : !scores into !flat_scores
  %of_weights_logits = tensor.expand_shape %of_weights_flat [[0, 1, 2], [3]] output_shape [1, 4, 40, 64]
    : !flat_scores into !logits
  %weights_empty = tensor.empty() : !stored_logits
  %of_scores_empty = tensor.empty() : !stored_logits
  %of_logits_empty = tensor.empty() : !logits
  %weights, %of_scores, %of_logits = linalg.generic {
      indexing_maps = [#logits, #logits, #row, #row, #alibi_slopes, #bias, #keep_mask,
        #logits, #logits, #logits],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%scores_logits, %of_weights_logits, %lse_tiles, %delta_of_rows_tiles, %alibi_slopes, %bias_tiles, %keep_mask_tiles
      : !logits, !logits, tensor<1x4x40xf32>, tensor<1x4x40xf32>, tensor<4xf32>, tensor<1x4x1x64xbf16>, tensor<1x1x1x64xi1>)
      outs(%weights_empty, %of_scores_empty, %of_logits_empty
      : !stored_logits, !stored_logits, !logits) {
  ^bb0(%score: f32, %of_weight: f32, %lse_of_row: f32, %delta_of_row: f32,
    %alibi_slopes_here: f32,
    %added_stored: bf16,
    %keep_mask_here: i1,
    %unused_weight: bf16, %unused_score: bf16, %unused_logit: f32):
    %scale = arith.constant 0.08574929257125442 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %scaled = arith.mulf %score, %scale : f32
    %cap = arith.constant 2.0 : f32
    %parts = arith.divf %scaled, %cap : f32
    %bent = math.tanh %parts : f32
    %logit = arith.mulf %bent, %cap : f32
    %batch_here = linalg.index 0 : index
    %batch_i32 = arith.index_cast %batch_here : index to i32
    %head_here = linalg.index 1 : index
    %head_i32 = arith.index_cast %head_here : index to i32
    %query_here = linalg.index 2 : index
    %query_i32_any = arith.index_cast %query_here : index to i32
    // Functions read no array beyond what it has.
    %last_query = arith.constant 36 : i32
    %query_i32 = arith.minui %query_i32_any, %last_query : i32
    %key_here = linalg.index 3 : index
    %key_i32_any = arith.index_cast %key_here : index to i32
    // Functions read no array beyond what it has.
    %last_key = arith.constant 52 : i32
    %key_i32 = arith.minui %key_i32_any, %last_key : i32
    %first_key_i32 = arith.constant 0 : i32
          %score_mod_0 = arith.constant 0.5 : f32
          %score_mod_1 = arith.cmpf olt,
            %score_mod_0, %logit : f32
          %score_mod_2 = math.tanh %logit fastmath<contract> : f32
          %score_mod_3 = arith.select %score_mod_1, %score_mod_2, %logit : i1, f32
          %score_mod_4 = arith.constant 0 : i32
    %score_mod_5_at = arith.index_cast %head_i32 : i32 to index
    %score_mod_5_stored = tensor.extract %captured_SLOPES[%score_mod_5_at] : tensor<8xf16>
          %score_mod_5 = arith.extf %score_mod_5_stored : f16 to f32
          %score_mod_6 = arith.addi %key_i32, %first_key_i32 : i32
          %score_mod_7 = arith.subi %score_mod_6, %query_i32 : i32
          %score_mod_8 = arith.sitofp %score_mod_7 : i32 to f32
          %score_mod_9 = arith.mulf %score_mod_5, %score_mod_8 fastmath<contract> : f32
          %score_mod_10 = arith.addf %score_mod_3, %score_mod_9 fastmath<contract> : f32
          %mask_mod_0 = arith.constant 0 : i32
          %mask_mod_1 = arith.constant 128 : i32
          %mask_mod_2 = arith.muli %mask_mod_0, %mask_mod_1 : i32
          %mask_mod_3 = arith.addi %mask_mod_2, %query_i32 : i32
          %mask_mod_4 = arith.addi %key_i32, %first_key_i32 : i32
          %mask_mod_5 = arith.constant 127 : i32
          %mask_mod_6 = arith.minsi %mask_mod_4, %mask_mod_5 : i32
          %mask_mod_7 = arith.constant 128 : i32
          %mask_mod_8 = arith.muli %mask_mod_3, %mask_mod_7 : i32
          %mask_mod_9 = arith.addi %mask_mod_8, %mask_mod_6 : i32
    %mask_mod_10_at = arith.index_cast %mask_mod_9 : i32 to index
    %mask_mod_10_stored = tensor.extract %captured_FLAGS_row[%mask_mod_10_at] : tensor<16384xi8>
          %mask_mod_10_no = arith.constant 0 : i8
          %mask_mod_10 = arith.cmpi ne, %mask_mod_10_stored, %mask_mod_10_no : i8
          %mask_mod_11 = arith.constant 3 : i32
          %mask_mod_12 = arith.divui %mask_mod_4, %mask_mod_11 : i32
          %mask_mod_13 = arith.constant 127 : i32
          %mask_mod_14 = arith.minsi %mask_mod_12, %mask_mod_13 : i32
          %mask_mod_15 = arith.constant 0 : i32
          %mask_mod_16 = arith.constant 128 : i32
          %mask_mod_17 = arith.muli %mask_mod_15, %mask_mod_16 : i32
          %mask_mod_18 = arith.addi %mask_mod_17, %mask_mod_14 : i32
          %mask_mod_19 = arith.constant 128 : i32
          %mask_mod_20 = arith.muli %mask_mod_18, %mask_mod_19 : i32
          %mask_mod_21 = arith.addi %mask_mod_20, %head_i32 : i32
    %mask_mod_22_at = arith.index_cast %mask_mod_21 : i32 to index
    %mask_mod_22_stored = tensor.extract %captured_FLAGS_row[%mask_mod_22_at] : tensor<16384xi8>
          %mask_mod_22_no = arith.constant 0 : i8
          %mask_mod_22 = arith.cmpi ne, %mask_mod_22_stored, %mask_mod_22_no : i8
          %mask_mod_23 = arith.ori %mask_mod_10, %mask_mod_22 : i1
          %mask_mod_24 = arith.constant 4 : i32
          %mask_mod_25 = arith.constant 3 : i32
          %mask_mod_26 = arith.andi %mask_mod_4, %mask_mod_25 : i32
          %mask_mod_27 = arith.addi %batch_i32, %mask_mod_26 : i32
          %mask_mod_28 = arith.constant 0 : i32
          %mask_mod_29 = arith.cmpi eq,
            %mask_mod_27, %mask_mod_28 : i32
          %mask_mod_30_ones = arith.constant 1 : i1
          %mask_mod_30 = arith.xori %mask_mod_29, %mask_mod_30_ones : i1
          %mask_mod_31 = arith.ori %mask_mod_23, %mask_mod_30 : i1
          %score_derivative_0 = arith.constant 1.0 : f32
          %score_derivative_1 = arith.constant 0.5 : f32
          %score_derivative_2 = arith.cmpf olt,
            %score_derivative_1, %logit : f32
          %score_derivative_3 = math.tanh %logit fastmath<contract> : f32
          %score_derivative_4 = arith.mulf %score_derivative_3, %score_derivative_3 fastmath<contract> : f32
          %score_derivative_5 = arith.subf %score_derivative_0, %score_derivative_4 fastmath<contract> : f32
          %score_derivative_6 = arith.select %score_derivative_2, %score_derivative_5, %score_derivative_0 : i1, f32
    %added = arith.extf %added_stored : bf16 to f32
    %biased = arith.addf %score_mod_10, %added : f32
    %m = linalg.index 2 : index
    %t = linalg.index 3 : index
    %first_position = arith.constant 16 : index
    %position = arith.addi %m, %first_position : index
    %ahead = arith.subi %t, %position : index
    %ahead_i32 = arith.index_cast %ahead : index to i32
    %ahead_f32 = arith.sitofp %ahead_i32 : i32 to f32
    %distance = math.absf %ahead_f32 : f32
    %steepness = arith.mulf %alibi_slopes_here, %distance : f32
    %sloped = arith.subf %biased, %steepness : f32
    %is_empty = arith.cmpf oeq, %lse_of_row, %minus_inf : f32
    %base = arith.select %is_empty, %none, %lse_of_row : f32
    %below = arith.subf %sloped, %base : f32
    %weight_any = math.exp %below : f32
    %place2 = linalg.index 2 : index
    %places2 = arith.constant 37 : index
    %is_real2 = arith.cmpi slt, %place2, %places2 : index
    %place3 = linalg.index 3 : index
    %places3 = arith.constant 53 : index
    %is_real3 = arith.cmpi slt, %place3, %places3 : index
    %last_ahead = arith.constant 0 : index
    %ahead_is_seen = arith.cmpi sle, %ahead, %last_ahead : index
    %shows = arith.cmpf une, %added, %minus_inf : f32
    %has_weight = arith.cmpf une, %weight_any, %none : f32
    %any_is_seen = arith.constant true
    %is_seen_1 = arith.andi %any_is_seen, %is_real2 : i1
    %is_seen_2 = arith.andi %is_seen_1, %is_real3 : i1
    %is_seen_3 = arith.andi %is_seen_2, %ahead_is_seen : i1
    %is_seen_4 = arith.andi %is_seen_3, %keep_mask_here : i1
    %is_seen_5 = arith.andi %is_seen_4, %shows : i1
    %is_seen_6 = arith.andi %is_seen_5, %mask_mod_31 : i1
    %is_seen = arith.andi %is_seen_6, %has_weight : i1
    %weight = arith.select %is_seen, %weight_any, %none : f32
    %beyond = arith.subf %of_weight, %delta_of_row : f32
    %of_logit_any = arith.mulf %weight, %beyond : f32
    %of_logit = arith.select %is_seen, %of_logit_any, %none : f32
    %of_given = arith.mulf %of_logit, %score_derivative_6 : f32
    %one = arith.constant 1.0 : f32
    %bent_squared = arith.mulf %bent, %bent : f32
    %steepness_of_cap = arith.subf %one, %bent_squared : f32
    %of_capped = arith.mulf %of_given, %steepness_of_cap : f32
    %of_score = arith.select %is_seen, %of_capped, %none : f32
    %weight_stored = arith.truncf %weight : f32 to bf16
    %of_score_stored = arith.truncf %of_score : f32 to bf16
    linalg.yield %weight_stored, %of_score_stored, %of_logit : bf16, bf16, f32
  } -> (!stored_logits, !stored_logits, !logits)
  %weights_flat = tensor.collapse_shape %weights [[0, 1, 2], [3]] : !stored_logits into !flat_stored
  %weights_rows = tensor.expand_shape %weights_flat [[0, 1], [2]]
    output_shape [1, 160, 64] : !flat_stored into !stored_scores
  %of_scores_flat = tensor.collapse_shape %of_scores [[0, 1, 2], [3]] : !stored_logits into !flat_stored
  %of_scores_rows = tensor.expand_shape %of_scores_flat [[0, 1], [2]]
    output_shape [1, 160, 64] : !flat_stored into !stored_scores
  %value_sums_empty = tensor.empty() : !value_sums
  %value_sums_start = linalg.fill ins(%zero : f32) outs(%value_sums_empty : !value_sums) -> !value_sums
  %value_sums = linalg.generic {
      indexing_maps = [#scores_of_rows, #rows_summed, #sums_of_rows],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%weights_rows, %output_gradient_rows : !stored_scores, !value_rows) outs(%value_sums_start : !value_sums) {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !value_sums
  %key_sums_empty = tensor.empty() : !key_sums
  %key_sums_start = linalg.fill ins(%zero : f32) outs(%key_sums_empty : !key_sums) -> !key_sums
  %key_sums = linalg.generic {
      indexing_maps = [#scores_of_rows, #rows_summed, #sums_of_rows],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%of_scores_rows, %query_rows : !stored_scores, !rows) outs(%key_sums_start : !key_sums) {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !key_sums
  %query_sums_empty = tensor.empty() : !query_sums
  %query_sums_start = linalg.fill ins(%zero : f32) outs(%query_sums_empty : !query_sums) -> !query_sums
  %query_sums = linalg.generic {
      indexing_maps = [#scores_of_tokens, #tokens_summed, #sums_of_tokens],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%of_scores_rows, %key_tokens : !stored_scores, !tokens) outs(%query_sums_start : !query_sums) {
  ^bb0(%left_stored: bf16, %right_stored: bf16, %total: f32):
    %left = arith.extf %left_stored : bf16 to f32
    %right = arith.extf %right_stored : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !query_sums
  %value_made_empty = tensor.empty() : !value_tokens
  %value_made = linalg.generic {
      indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_sums : !value_sums) outs(%value_made_empty : !value_tokens) {
  ^bb0(%sum: f32, %unused: bf16):
    %factor = arith.constant 1.0 : f32
    %scaled = arith.mulf %sum, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to bf16
    linalg.yield %scaled_stored : bf16
  } -> !value_tokens
  %key_made_empty = tensor.empty() : !tokens
  %key_made = linalg.generic {
      indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_sums : !key_sums) outs(%key_made_empty : !tokens) {
  ^bb0(%sum: f32, %unused: bf16):
    %factor = arith.constant 0.08574929257125442 : f32
    %scaled = arith.mulf %sum, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to bf16
    linalg.yield %scaled_stored : bf16
  } -> !tokens
  %query_made_empty = tensor.empty() : !rows
  %query_made = linalg.generic {
      indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%query_sums : !query_sums) outs(%query_made_empty : !rows) {
  ^bb0(%sum: f32, %unused: bf16):
    %factor = arith.constant 0.08574929257125442 : f32
    %scaled = arith.mulf %sum, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to bf16
    linalg.yield %scaled_stored : bf16
  } -> !rows
  %query_made_flat = tensor.collapse_shape %query_made [[0, 1], [2]] : !rows into !flat_rows
  %query_by_head = tensor.expand_shape %query_made_flat [[0, 1, 2], [3]]
    output_shape [1, 4, 40, 144] : !flat_rows into tensor<1x4x40x144xbf16>
  %key_by_head = tensor.expand_shape %key_made [[0, 1], [2], [3]]
    output_shape [1, 1, 64, 144] : !tokens into tensor<1x1x64x144xbf16>
  %value_by_head = tensor.expand_shape %value_made [[0, 1], [2], [3]]
    output_shape [1, 1, 64, 144] : !value_tokens into tensor<1x1x64x144xbf16>
  %query_gradient = tensor.extract_slice %query_by_head[0, 0, 0, 0]
    [1, 4, 37, 136] [1, 1, 1, 1] : tensor<1x4x40x144xbf16> to !query_gradient
  %key_gradient = tensor.extract_slice %key_by_head[0, 0, 0, 0]
    [1, 1, 53, 136] [1, 1, 1, 1] : tensor<1x1x64x144xbf16> to !key_gradient
  %value_gradient = tensor.extract_slice %value_by_head[0, 0, 0, 0]
    [1, 1, 53, 136] [1, 1, 1, 1] : tensor<1x1x64x144xbf16> to !value_gradient
  %of_real_logits = tensor.extract_slice %of_logits[0, 0, 0, 0]
    [1, 4, 37, 53] [1, 1, 1, 1] : !logits to !real_logits
  %bias_zero = arith.constant 0.0 : f32
  %bias_sums_empty = tensor.empty() : !bias_sums
  %bias_start = linalg.fill ins(%bias_zero : f32) outs(%bias_sums_empty : !bias_sums) -> !bias_sums
  %bias_sums = linalg.generic {
      indexing_maps = [#logits, #bias_sums],
      iterator_types = ["reduction", "parallel", "reduction", "parallel"]
    } ins(%of_real_logits : !real_logits) outs(%bias_start : !bias_sums) {
  ^bb0(%of_logit: f32, %total: f32):
    %more = arith.addf %total, %of_logit : f32
    linalg.yield %more : f32
  } -> !bias_sums
  %bias_made_empty = tensor.empty() : !bias_made
  %bias_made = linalg.generic {
      indexing_maps = [#bias_stored, #bias_stored],
      iterator_types = ["parallel", "parallel"]
    } ins(%bias_sums : !bias_sums) outs(%bias_made_empty : !bias_made) {
  ^bb0(%total: f32, %unused: bf16):
    %total_stored = arith.truncf %total : f32 to bf16
    linalg.yield %total_stored : bf16
  } -> !bias_made
  %bias_gradient = tensor.expand_shape %bias_made [[0, 1], [2, 3]]
    output_shape [1, 4, 1, 53] : !bias_made into !bias_gradient
  %sinks_empty = tensor.empty() : !sinks_gradient
  %sinks_start = linalg.fill ins(%delta_zero : f32) outs(%sinks_empty : !sinks_gradient) -> !sinks_gradient
  %sinks_gradient = linalg.generic {
      indexing_maps = [#head, #row_of_head, #row_of_head, #head],
      iterator_types = ["parallel", "reduction", "reduction"]
    } ins(%sinks, %lse, %delta : !sinks, !lse, !row_numbers) outs(%sinks_start : !sinks_gradient) {
  ^bb0(%sink: f32, %lse_of_row: f32, %delta_of_row: f32, %total: f32):
    %minus_inf = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %is_empty = arith.cmpf oeq, %lse_of_row, %minus_inf : f32
    %base = arith.select %is_empty, %none, %lse_of_row : f32
    %below = arith.subf %sink, %base : f32
    // IREE 3.13.0 shares a sum among lanes where terms are added, and refuses terms that are taken away.
    %share = math.exp %below : f32
    %share_lost = arith.negf %share : f32
    %term = arith.mulf %share_lost, %delta_of_row : f32
    %more = arith.addf %total, %term : f32
    linalg.yield %more : f32
  } -> !sinks_gradient
  return %query_gradient, %key_gradient, %value_gradient, %bias_gradient, %sinks_gradient
    : !query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention_backward$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %output: !output,
    %lse: !lse,
    %output_gradient: !output_gradient,
    %alibi_slopes: !alibi_slopes,
    %bias: !bias,
    %keep_mask: !keep_mask,
    %sinks: !sinks,
    %captured_SLOPES: !captured_SLOPES,
    %captured_FLAGS: !captured_FLAGS
  ) -> (!query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient) attributes {iree.abi.model = "coarse-fences"} {
  %query_gradient, %key_gradient, %value_gradient, %bias_gradient, %sinks_gradient = func.call @attention_backward(%query, %key, %value, %output, %lse, %output_gradient, %alibi_slopes, %bias, %keep_mask, %sinks, %captured_SLOPES, %captured_FLAGS)
    : (!query, !key, !value, !output, !lse, !output_gradient, !alibi_slopes, !bias, !keep_mask, !sinks, !captured_SLOPES, !captured_FLAGS) -> (!query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient)
  util.return %query_gradient, %key_gradient, %value_gradient, %bias_gradient, %sinks_gradient : !query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient
}
