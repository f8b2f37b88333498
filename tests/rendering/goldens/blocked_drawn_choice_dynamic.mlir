// A token of each row, drawn by its likelihood.
// b batch, m token, c part, n token of the vocabulary, of a part or of all
!logits = tensor<?x1x97xf16>
!temperature = tensor<?x1xf32>
!top_k = tensor<?x1xi32>
!top_p = tensor<?x1xf32>
!min_p = tensor<?x1xf32>
!seeds = tensor<?x1x3xi32>
!token_ids = tensor<?x1xi32>
!padded = tensor<?x1x128xf16>
!parts = tensor<?x1x1x128xf16>
!of_part = tensor<?x1x1xi32>
!of_row = !token_ids
#parts = affine_map<(b, m, c, n) -> (b, m, c, n)>
#of_part = affine_map<(b, m, c, n) -> (b, m, c)>
#candidates = affine_map<(b, m, c) -> (b, m, c)>
#of_row = affine_map<(b, m, c) -> (b, m)>
!orders = tensor<?x1x128xi32>
!order_parts = tensor<?x1x1x128xi32>
!of_row_f32 = tensor<?x1xf32>
!orders_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1x128xi32>>
!weights_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1x128xi32>>
!largest_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1xi32>>
!temperature_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1xf32>>
!top_k_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1xi32>>
!top_p_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1xf32>>
!min_p_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1xf32>>
!seeds_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1x3xi32>>
!token_ids_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x1xi32>>
!largest = tensor<?x1xi32>
!some = vector<8xi32>
!sums = vector<8xi64>
#row_alone = affine_map<(b, m) -> (b, m)>
#row_of_parts = affine_map<(b, m, c, n) -> (b, m)>
func.func @drawn_choice(%logits_given: !logits, %temperature_given: !temperature, %top_k_given: !top_k, %top_p_given: !top_p, %min_p_given: !min_p, %seeds_given: !seeds) -> !token_ids {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %logits_given, %batch_axis : !logits
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %logits = flow.tensor.tie_shape %logits_given
    : !logits{%batch_dim}
  %temperature = flow.tensor.tie_shape %temperature_given
    : !temperature{%batch_dim}
  %top_k = flow.tensor.tie_shape %top_k_given
    : !top_k{%batch_dim}
  %top_p = flow.tensor.tie_shape %top_p_given
    : !top_p{%batch_dim}
  %min_p = flow.tensor.tie_shape %min_p_given
    : !min_p{%batch_dim}
  %seeds = flow.tensor.tie_shape %seeds_given
    : !seeds{%batch_dim}
  %zero = arith.constant 0 : i32
  %magnitude_bits = arith.constant 32767 : i32
  %infinity = arith.constant 31744 : i32
  // On GPUs, the compiler makes wrong code of the least and the largest of numbers with a sign: these
  // have none, and this is the largest.
  %none = arith.constant -1 : i32
  %middle = arith.constant -2147483648 : i32
  // What is added comes last, and is never larger.
  %lowest = arith.constant 0xFC00 : f16
  %padded = tensor.pad %logits low[0, 0, 0] high[0, 0, 31] {
  ^bb0(%b: index, %m: index, %n: index):
    tensor.yield %lowest : f16
  } : !logits to !padded
  %parts = tensor.expand_shape %padded [[0], [1], [2, 3]] output_shape [%batch_dim, 1, 1, 128] : !padded into !parts
  %of_part_empty = tensor.empty(%batch_dim) : !of_part
  %largest_start = linalg.fill ins(%zero : i32) outs(%of_part_empty : !of_part) -> !of_part
  %largest = linalg.generic {
      indexing_maps = [#parts, #of_part],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%parts : !parts) outs(%largest_start : !of_part) {
  ^bb0(%logit: f16, %before: i32):
    %bits = arith.bitcast %logit : f16 to i16
    %wide_bits = arith.extsi %bits : i16 to i32
    %magnitude = arith.andi %wide_bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero, %magnitude : i32
    %is_negative = arith.cmpi slt, %wide_bits, %zero : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %none, %above_zero : i32
    %larger = arith.maxui %before, %order : i32
    linalg.yield %larger : i32
  } -> !of_part
  %of_row_empty = tensor.empty(%batch_dim) : !of_row
  %row_start = linalg.fill ins(%zero : i32) outs(%of_row_empty : !of_row) -> !of_row
  %row_largest = linalg.generic {
      indexing_maps = [#candidates, #of_row], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%largest : !of_part) outs(%row_start : !of_row) {
  ^bb0(%order: i32, %before: i32):
    %larger = arith.maxui %before, %order : i32
    linalg.yield %larger : i32
  } -> !of_row
  %distance_scale = arith.constant 94548.4621996991 : f32
  %no_distance = arith.constant 0.0 : f32
  %least_temperature = arith.constant 7.62939453125e-06 : f32
  %sign = arith.constant -32768 : i32
  %of_row_f32_empty = tensor.empty(%batch_dim) : !of_row_f32
  %row_logit, %row_scale = linalg.generic {
      indexing_maps = [#row_alone, #row_alone, #row_alone, #row_alone], iterator_types = ["parallel", "parallel"]
    } ins(%row_largest, %temperature : !of_row, !temperature)
      outs(%of_row_f32_empty, %of_row_f32_empty : !of_row_f32, !of_row_f32) {
  ^bb0(%order: i32, %of_temperature: f32, %unused_logit: f32, %unused_scale: f32):
    %number = arith.subi %order, %middle : i32
    %is_negative = arith.cmpi slt, %number, %zero : i32
    %magnitude_below = arith.subi %zero, %number : i32
    %negative_bits = arith.ori %magnitude_below, %sign : i32
    %bits_of_logit = arith.select %is_negative, %negative_bits, %number : i32
    %bits_as_stored = arith.trunci %bits_of_logit : i32 to i16
    %logit_stored = arith.bitcast %bits_as_stored : i16 to f16
    %logit = arith.extf %logit_stored : f16 to f32
    %scale_any = arith.divf %distance_scale, %of_temperature : f32
    %is_drawn = arith.cmpf oge, %of_temperature, %least_temperature : f32
    %scale = arith.select %is_drawn, %scale_any, %no_distance : f32
    linalg.yield %logit, %scale : f32, f32
  } -> (!of_row_f32, !of_row_f32)
  // Beyond barriers, weights are no part of the search for the largest, of which a core has whole rows.
  %row_largest_known = iree_tensor_ext.compute_barrier.start %row_largest : !of_row{%batch_dim} -> !of_row
  %row_logit_known = iree_tensor_ext.compute_barrier.start %row_logit : !of_row_f32{%batch_dim} -> !of_row_f32
  %row_scale_known = iree_tensor_ext.compute_barrier.start %row_scale : !of_row_f32{%batch_dim} -> !of_row_f32
  %term1 = arith.constant 2977029614 : i64
  %term2 = arith.constant 1031565858 : i64
  %term3 = arith.constant 237500342 : i64
  %term4 = arith.constant 39538599 : i64
  %term5 = arith.constant 4058329 : i64
  %fraction_bits = arith.constant 16 : i64
  %half_bits = arith.constant 17 : i64
  %whole_bits = arith.constant 16 : i32
  %fraction_mask = arith.constant 65535 : i32
  %heaviest = arith.constant 2147483648 : i64
  %far = arith.constant 2097152.0 : f32
  %vocab_size = arith.constant 97 : index
  %order_parts_empty = tensor.empty(%batch_dim) : !order_parts
  %order_parts, %weight_parts = linalg.generic {
      indexing_maps = [#parts, #row_of_parts, #row_of_parts, #row_of_parts, #parts, #parts],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%parts, %row_largest_known, %row_logit_known, %row_scale_known : !parts, !of_row, !of_row_f32, !of_row_f32)
      outs(%order_parts_empty, %order_parts_empty : !order_parts, !order_parts) {
  ^bb0(%logit: f16, %largest_order: i32, %largest_logit: f32, %scale: f32, %unused_order: i32, %unused_weight: i32):
    %bits = arith.bitcast %logit : f16 to i16
    %wide_bits = arith.extsi %bits : i16 to i32
    %magnitude = arith.andi %wide_bits, %magnitude_bits : i32
    %below_zero = arith.subi %zero, %magnitude : i32
    %is_negative = arith.cmpi slt, %wide_bits, %zero : i32
    %number = arith.select %is_negative, %below_zero, %magnitude : i32
    %is_nan = arith.cmpi sgt, %magnitude, %infinity : i32
    %above_zero = arith.addi %number, %middle : i32
    %order = arith.select %is_nan, %none, %above_zero : i32
    %logit_number = arith.extf %logit : f16 to f32
    %below = arith.subf %largest_logit, %logit_number : f32
    %distance_any = arith.mulf %below, %scale : f32
    %is_largest = arith.cmpi eq, %order, %largest_order : i32
    %distance = arith.select %is_largest, %no_distance, %distance_any : f32
    %is_near = arith.cmpf olt, %distance, %far : f32
    %near = arith.select %is_near, %distance, %no_distance : f32
    %units = arith.fptoui %near : f32 to i32
    %whole = arith.shrui %units, %whole_bits : i32
    %fraction_units = arith.andi %units, %fraction_mask : i32
    %fraction = arith.extui %fraction_units : i32 to i64
    %times4 = arith.muli %fraction, %term5 : i64
    %less4 = arith.shrui %times4, %fraction_bits : i64
    %sum4 = arith.subi %term4, %less4 : i64
    %times3 = arith.muli %fraction, %sum4 : i64
    %less3 = arith.shrui %times3, %fraction_bits : i64
    %sum3 = arith.subi %term3, %less3 : i64
    %times2 = arith.muli %fraction, %sum3 : i64
    %less2 = arith.shrui %times2, %fraction_bits : i64
    %sum2 = arith.subi %term2, %less2 : i64
    %times1 = arith.muli %fraction, %sum2 : i64
    %less1 = arith.shrui %times1, %fraction_bits : i64
    %sum1 = arith.subi %term1, %less1 : i64
    %times = arith.muli %fraction, %sum1 : i64
    %less = arith.shrui %times, %half_bits : i64
    %wide = arith.subi %heaviest, %less : i64
    %halved_never = arith.trunci %wide : i64 to i32
    %halved = arith.shrui %halved_never, %whole : i32
    %c = linalg.index 2 : index
    %n = linalg.index 3 : index
    %token = affine.apply affine_map<(c, n) -> (c * 128 + n)>(%c, %n)
    %is_token = arith.cmpi ult, %token, %vocab_size : index
    %weighs = arith.andi %is_near, %is_token : i1
    %weight = arith.select %weighs, %halved, %zero : i32
    %order_of_token = arith.select %is_token, %order, %zero : i32
    linalg.yield %order_of_token, %weight : i32, i32
  } -> (!order_parts, !order_parts)
  %orders = tensor.collapse_shape %order_parts [[0], [1], [2, 3]] : !order_parts into !orders
  %weights = tensor.collapse_shape %weight_parts [[0], [1], [2, 3]] : !order_parts into !orders
  %token_ids =
    flow.dispatch @token_ids_kernel::@token_ids_kernel[%batch_dim](
      %orders, %weights, %row_largest, %temperature, %top_k, %top_p, %min_p, %seeds, %batch_dim
    ) : (
      tensor<?x1x128xi32>{%batch_dim},
      tensor<?x1x128xi32>{%batch_dim},
      tensor<?x1xi32>{%batch_dim},
      tensor<?x1xf32>{%batch_dim},
      tensor<?x1xi32>{%batch_dim},
      tensor<?x1xf32>{%batch_dim},
      tensor<?x1xf32>{%batch_dim},
      tensor<?x1x3xi32>{%batch_dim},
      index
    ) -> (tensor<?x1xi32>{%batch_dim})
  return %token_ids
    : !token_ids
}
flow.executable private @token_ids_kernel {
  flow.executable.export public @token_ids_kernel
      workgroups(%batch_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @token_ids_kernel(
      %orders_in: !orders_in,
      %weights_in: !weights_in,
      %largest_in: !largest_in,
      %temperature_in: !temperature_in,
      %top_k_in: !top_k_in,
      %top_p_in: !top_p_in,
      %min_p_in: !min_p_in,
      %seeds_in: !seeds_in,
      %batch_dim_in: index,
      %token_ids_out: !token_ids_out
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %orders_tied = flow.dispatch.tie_shape %orders_in
      : !orders_in{%batch_dim}
    %orders = iree_tensor_ext.dispatch.tensor.load %orders_tied,
      offsets = [0, 0, 0], sizes = [%batch_dim, 1, 128], strides = [1, 1, 1]
      : !orders_in{%batch_dim} -> tensor<?x1x128xi32>
    %weights_tied = flow.dispatch.tie_shape %weights_in
      : !weights_in{%batch_dim}
    %weights = iree_tensor_ext.dispatch.tensor.load %weights_tied,
      offsets = [0, 0, 0], sizes = [%batch_dim, 1, 128], strides = [1, 1, 1]
      : !weights_in{%batch_dim} -> tensor<?x1x128xi32>
    %largest_tied = flow.dispatch.tie_shape %largest_in
      : !largest_in{%batch_dim}
    %largest = iree_tensor_ext.dispatch.tensor.load %largest_tied,
      offsets = [0, 0], sizes = [%batch_dim, 1], strides = [1, 1]
      : !largest_in{%batch_dim} -> tensor<?x1xi32>
    %temperature_tied = flow.dispatch.tie_shape %temperature_in
      : !temperature_in{%batch_dim}
    %temperature = iree_tensor_ext.dispatch.tensor.load %temperature_tied,
      offsets = [0, 0], sizes = [%batch_dim, 1], strides = [1, 1]
      : !temperature_in{%batch_dim} -> tensor<?x1xf32>
    %top_k_tied = flow.dispatch.tie_shape %top_k_in
      : !top_k_in{%batch_dim}
    %top_k = iree_tensor_ext.dispatch.tensor.load %top_k_tied,
      offsets = [0, 0], sizes = [%batch_dim, 1], strides = [1, 1]
      : !top_k_in{%batch_dim} -> tensor<?x1xi32>
    %top_p_tied = flow.dispatch.tie_shape %top_p_in
      : !top_p_in{%batch_dim}
    %top_p = iree_tensor_ext.dispatch.tensor.load %top_p_tied,
      offsets = [0, 0], sizes = [%batch_dim, 1], strides = [1, 1]
      : !top_p_in{%batch_dim} -> tensor<?x1xf32>
    %min_p_tied = flow.dispatch.tie_shape %min_p_in
      : !min_p_in{%batch_dim}
    %min_p = iree_tensor_ext.dispatch.tensor.load %min_p_tied,
      offsets = [0, 0], sizes = [%batch_dim, 1], strides = [1, 1]
      : !min_p_in{%batch_dim} -> tensor<?x1xf32>
    %seeds_tied = flow.dispatch.tie_shape %seeds_in
      : !seeds_in{%batch_dim}
    %seeds = iree_tensor_ext.dispatch.tensor.load %seeds_tied,
      offsets = [0, 0, 0], sizes = [%batch_dim, 1, 3], strides = [1, 1, 1]
      : !seeds_in{%batch_dim} -> tensor<?x1x3xi32>
    %token_ids_tied = flow.dispatch.tie_shape %token_ids_out
      : !token_ids_out{%batch_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %q_len = arith.constant 1 : index
    %token_ids_empty = tensor.empty(%batch_dim) : !token_ids
    %workgroups = scf.forall (%b, %m) in (%batch_dim, %q_len) shared_outs(%all = %token_ids_empty) -> (!token_ids) {
      %no_number = arith.constant 0 : i32
      %no_some = arith.constant dense<0> : !some
      %ones = arith.constant dense<1> : !some
      %no_sums = arith.constant dense<0> : !sums
      %size = arith.constant 128 : index
      %stride = arith.constant 8 : index
      %order_steps = arith.constant 16 : index
      %token_steps = arith.constant 7 : index
      %rounds = arith.constant 10 : index
      %third = arith.constant 2 : index
      %lowest_order = arith.constant 2147450880 : i32
      %first_order_shift = arith.constant 15 : i32
      %first_token_shift = arith.constant 6 : i32
      %nothing = arith.constant 0 : i32
      %unit = arith.constant 1 : i32
      %bits_of_step = arith.constant 1 : i32
      %nan = arith.constant -1 : i32
      %zero_weight = arith.constant 0 : i64
      %least_weight = arith.constant 1 : i64
      %word_bits = arith.constant 32 : i64
      %word_mask = arith.constant 4294967295 : i64
      %no_share = arith.constant 0.0 : f32
      %whole_share = arith.constant 1.0 : f32
      %units_of_share = arith.constant 4294967296.0 : f32
      %units_of_weight = arith.constant 2147483648.0 : f32
      %least_temperature = arith.constant 7.62939453125e-06 : f32
      %row_largest = tensor.extract %largest[%b, %m] : !largest
      %row_temperature = tensor.extract %temperature[%b, %m] : !temperature
      %has_temperature = arith.cmpf oge, %row_temperature, %least_temperature : f32
      %has_numbers = arith.cmpi ne, %row_largest, %nan : i32
      %is_drawn = arith.andi %has_temperature, %has_numbers : i1
      %token_order, %before = scf.if %is_drawn -> (i32, i64) {
      %row_min_p = tensor.extract %min_p[%b, %m] : !min_p
      %has_min_p = arith.cmpf ogt, %row_min_p, %no_share : f32
      %some_min_p = arith.select %has_min_p, %row_min_p, %no_share : f32
      %min_share = arith.minnumf %some_min_p, %whole_share : f32
      %min_units = arith.mulf %min_share, %units_of_weight : f32
      %min_whole = math.ceil %min_units : f32
      %min_weight = arith.fptoui %min_whole : f32 to i32
      %min_weight_of_some = vector.broadcast %min_weight : i32 to !some
      %all_own:2 = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums, %so_far2 = %no_sums) -> (!sums, !sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_enough = arith.cmpi uge, %weight, %min_weight_of_some : !some
        %part1 = arith.addi %weight, %no_some : !some
        %part2 = arith.select %is_enough, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        %wide2 = arith.extui %part2 : !some to !sums
        %more2 = arith.addi %so_far2, %wide2 : !sums
        scf.yield %more1, %more2 : !sums, !sums
      }
      %all1 = vector.reduction <add>, %all_own#0 : !sums into i64
      %all2 = vector.reduction <add>, %all_own#1 : !sums into i64
      %row_top_k = tensor.extract %top_k[%b, %m] : !top_k
      %vocab_size = arith.constant 97 : i32
      %is_some = arith.cmpi sgt, %row_top_k, %nothing : i32
      %is_less = arith.cmpi slt, %row_top_k, %vocab_size : i32
      %has_top_k = arith.andi %is_some, %is_less : i1
      %sum_of_k = scf.if %has_top_k -> (i64) {
        %count = arith.extui %row_top_k : i32 to i64
      %k = scf.for %step = %none to %order_steps step %one iter_args(%low = %lowest_order) -> (i32) {
        %number = arith.index_cast %step : index to i32
        %bits = arith.muli %number, %bits_of_step : i32
        %shift = arith.subi %first_order_shift, %bits : i32
        %between = arith.shli %unit, %shift : i32
        %bound1 = arith.addi %low, %between : i32
        %bound1_of_some = vector.broadcast %bound1 : i32 to !some
      %sum_own = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums) -> (!sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_above1 = arith.cmpi uge, %order, %bound1_of_some : !some
        %part1 = arith.select %is_above1, %ones, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        scf.yield %more1 : !sums
      }
      %sum1 = vector.reduction <add>, %sum_own : !sums into i64
        %reaches1 = arith.cmpi uge, %sum1, %count : i64
        %low_next = arith.select %reaches1, %bound1, %low : i32
        scf.yield %low_next : i32
      }
      %k_of_some = vector.broadcast %k : i32 to !some
      %k_above_own:3 = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums, %so_far2 = %no_sums, %so_far3 = %no_sums) -> (!sums, !sums, !sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_above = arith.cmpi ugt, %order, %k_of_some : !some
        %is_there = arith.cmpi eq, %order, %k_of_some : !some
        %part1 = arith.select %is_above, %weight, %no_some : vector<8xi1>, !some
        %part2 = arith.select %is_above, %ones, %no_some : vector<8xi1>, !some
        %part3 = arith.select %is_there, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        %wide2 = arith.extui %part2 : !some to !sums
        %more2 = arith.addi %so_far2, %wide2 : !sums
        %wide3 = arith.extui %part3 : !some to !sums
        %more3 = arith.ori %so_far3, %wide3 : !sums
        scf.yield %more1, %more2, %more3 : !sums, !sums, !sums
      }
      %k_above1 = vector.reduction <add>, %k_above_own#0 : !sums into i64
      %k_above2 = vector.reduction <add>, %k_above_own#1 : !sums into i64
      %k_above3 = vector.reduction <or>, %k_above_own#2 : !sums into i64
        %equal_ones = arith.subi %count, %k_above2 : i64
        %equal_weight = arith.muli %equal_ones, %k_above3 : i64
        %sum = arith.addi %k_above1, %equal_weight : i64
        scf.yield %sum : i64
      } else {
        scf.yield %all1 : i64
      }
      %row_top_p = tensor.extract %top_p[%b, %m] : !top_p
      %has_top_p = arith.cmpf olt, %row_top_p, %whole_share : f32
      %sum_of_p = scf.if %has_top_p -> (i64) {
        %share_any = arith.maxnumf %row_top_p, %no_share : f32
        %share_units = arith.mulf %share_any, %units_of_share : f32
        %share = arith.fptoui %share_units : f32 to i64
        %product_low, %product_high = arith.mului_extended %share, %sum_of_k : i64
        %units_low = arith.shrui %product_low, %word_bits : i64
        %units_high = arith.shli %product_high, %word_bits : i64
        %units = arith.ori %units_low, %units_high : i64
        %left = arith.andi %product_low, %word_mask : i64
        %has_left = arith.cmpi ne, %left, %zero_weight : i64
        %one_more = arith.extui %has_left : i1 to i64
        %units_up = arith.addi %units, %one_more : i64
        %enough = arith.maxui %units_up, %least_weight : i64
      %p = scf.for %step = %none to %order_steps step %one iter_args(%low = %lowest_order) -> (i32) {
        %number = arith.index_cast %step : index to i32
        %bits = arith.muli %number, %bits_of_step : i32
        %shift = arith.subi %first_order_shift, %bits : i32
        %between = arith.shli %unit, %shift : i32
        %bound1 = arith.addi %low, %between : i32
        %bound1_of_some = vector.broadcast %bound1 : i32 to !some
      %sum_own = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums) -> (!sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_above1 = arith.cmpi uge, %order, %bound1_of_some : !some
        %part1 = arith.select %is_above1, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        scf.yield %more1 : !sums
      }
      %sum1 = vector.reduction <add>, %sum_own : !sums into i64
        %reaches1 = arith.cmpi uge, %sum1, %enough : i64
        %low_next = arith.select %reaches1, %bound1, %low : i32
        scf.yield %low_next : i32
      }
      %p_of_some = vector.broadcast %p : i32 to !some
      %p_above_own:3 = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums, %so_far2 = %no_sums, %so_far3 = %no_sums) -> (!sums, !sums, !sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_above = arith.cmpi ugt, %order, %p_of_some : !some
        %is_there = arith.cmpi eq, %order, %p_of_some : !some
        %part1 = arith.select %is_above, %weight, %no_some : vector<8xi1>, !some
        %part2 = arith.select %is_above, %ones, %no_some : vector<8xi1>, !some
        %part3 = arith.select %is_there, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        %wide2 = arith.extui %part2 : !some to !sums
        %more2 = arith.addi %so_far2, %wide2 : !sums
        %wide3 = arith.extui %part3 : !some to !sums
        %more3 = arith.ori %so_far3, %wide3 : !sums
        scf.yield %more1, %more2, %more3 : !sums, !sums, !sums
      }
      %p_above1 = vector.reduction <add>, %p_above_own#0 : !sums into i64
      %p_above2 = vector.reduction <add>, %p_above_own#1 : !sums into i64
      %p_above3 = vector.reduction <or>, %p_above_own#2 : !sums into i64
        %missing = arith.subi %enough, %p_above1 : i64
        %missing_and_some = arith.addi %missing, %p_above3 : i64
        %almost = arith.subi %missing_and_some, %least_weight : i64
        %equal_ones = arith.divui %almost, %p_above3 : i64
        %equal_weight = arith.muli %equal_ones, %p_above3 : i64
        %sum = arith.addi %p_above1, %equal_weight : i64
        scf.yield %sum : i64
      } else {
        scf.yield %sum_of_k : i64
      }
      %sum = arith.minui %sum_of_p, %all2 : i64
      %seed = tensor.extract %seeds[%b, %m, %none] : !seeds
      %high_seed = tensor.extract %seeds[%b, %m, %one] : !seeds
      %at = tensor.extract %seeds[%b, %m, %third] : !seeds
      %words:6 = scf.for %round = %none to %rounds step %one
          iter_args(%c0 = %at, %c1 = %nothing, %c2 = %nothing, %c3 = %nothing, %k0 = %seed, %k1 = %high_seed)
            -> (i32, i32, i32, i32, i32, i32) {
        %multiplier0 = arith.constant 0xD2511F53 : i32
        %multiplier1 = arith.constant 0xCD9E8D57 : i32
        %key_step0 = arith.constant 0x9E3779B9 : i32
        %key_step1 = arith.constant 0xBB67AE85 : i32
        %low0, %high0 = arith.mului_extended %multiplier0, %c0 : i32
        %low1, %high1 = arith.mului_extended %multiplier1, %c2 : i32
        %mixed0 = arith.xori %high1, %c1 : i32
        %mixed2 = arith.xori %high0, %c3 : i32
        %word0 = arith.xori %mixed0, %k0 : i32
        %word2 = arith.xori %mixed2, %k1 : i32
        %next_k0 = arith.addi %k0, %key_step0 : i32
        %next_k1 = arith.addi %k1, %key_step1 : i32
        scf.yield %word0, %low1, %word2, %low0, %next_k0, %next_k1 : i32, i32, i32, i32, i32, i32
      }
      %random_low = arith.extui %words#0 : i32 to i64
      %random_word1 = arith.extui %words#1 : i32 to i64
      %random_high = arith.shli %random_word1, %word_bits : i64
      %random = arith.ori %random_high, %random_low : i64
      %below, %drawn = arith.mului_extended %random, %sum : i64
      %passed = arith.addi %drawn, %least_weight : i64
      %drawn_order = scf.for %step = %none to %order_steps step %one iter_args(%low = %lowest_order) -> (i32) {
        %number = arith.index_cast %step : index to i32
        %bits = arith.muli %number, %bits_of_step : i32
        %shift = arith.subi %first_order_shift, %bits : i32
        %between = arith.shli %unit, %shift : i32
        %bound1 = arith.addi %low, %between : i32
        %bound1_of_some = vector.broadcast %bound1 : i32 to !some
      %sum_own = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums) -> (!sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_above1 = arith.cmpi uge, %order, %bound1_of_some : !some
        %part1 = arith.select %is_above1, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        scf.yield %more1 : !sums
      }
      %sum1 = vector.reduction <add>, %sum_own : !sums into i64
        %reaches1 = arith.cmpi uge, %sum1, %passed : i64
        %low_next = arith.select %reaches1, %bound1, %low : i32
        scf.yield %low_next : i32
      }
      %drawn_order_of_some = vector.broadcast %drawn_order : i32 to !some
      %drawn_order_above_own:3 = scf.for %n = %none to %size step %stride
          iter_args(%so_far1 = %no_sums, %so_far2 = %no_sums, %so_far3 = %no_sums) -> (!sums, !sums, !sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %is_above = arith.cmpi ugt, %order, %drawn_order_of_some : !some
        %is_there = arith.cmpi eq, %order, %drawn_order_of_some : !some
        %part1 = arith.select %is_above, %weight, %no_some : vector<8xi1>, !some
        %part2 = arith.select %is_above, %ones, %no_some : vector<8xi1>, !some
        %part3 = arith.select %is_there, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        %wide2 = arith.extui %part2 : !some to !sums
        %more2 = arith.addi %so_far2, %wide2 : !sums
        %wide3 = arith.extui %part3 : !some to !sums
        %more3 = arith.ori %so_far3, %wide3 : !sums
        scf.yield %more1, %more2, %more3 : !sums, !sums, !sums
      }
      %drawn_order_above1 = vector.reduction <add>, %drawn_order_above_own#0 : !sums into i64
      %drawn_order_above2 = vector.reduction <add>, %drawn_order_above_own#1 : !sums into i64
      %drawn_order_above3 = vector.reduction <or>, %drawn_order_above_own#2 : !sums into i64
      %rest = arith.subi %drawn, %drawn_order_above1 : i64
      scf.yield %drawn_order, %rest : i32, i64
      } else {
        scf.yield %row_largest, %zero_weight : i32, i64
      }
      %order_of_some = vector.broadcast %token_order : i32 to !some
      %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : !some
      %token, %passed_before = scf.for %step = %none to %token_steps step %one
          iter_args(%low = %nothing, %sum_before = %zero_weight) -> (i32, i64) {
        %number = arith.index_cast %step : index to i32
        %bits = arith.muli %number, %bits_of_step : i32
        %shift = arith.subi %first_token_shift, %bits : i32
        %between = arith.shli %unit, %shift : i32
        %bound1 = arith.addi %low, %between : i32
        %low_of_some = vector.broadcast %low : i32 to !some
        %bound1_of_some = vector.broadcast %bound1 : i32 to !some
        %low_token = arith.index_cast %low : i32 to index
        %bound_token = arith.index_cast %bound1 : i32 to index
        %first = affine.apply affine_map<(n) -> (n floordiv 8 * 8)>(%low_token)
        %end = arith.minsi %bound_token, %size : index
      %sum_own = scf.for %n = %first to %end step %stride
          iter_args(%so_far1 = %no_sums) -> (!sums) {
        %order = vector.transfer_read %orders[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %weight = vector.transfer_read %weights[%b, %m, %n], %no_number {in_bounds = [true]}
          : tensor<?x1x128xi32>, !some
        %n_of_all = arith.index_cast %n : index to i32
        %n_of_some = vector.broadcast %n_of_all : i32 to !some
        %token_of_some = arith.addi %n_of_some, %numbers : !some
        %is_order = arith.cmpi eq, %order, %order_of_some : !some
        %is_from_low = arith.cmpi uge, %token_of_some, %low_of_some : !some
        %counts = arith.andi %is_order, %is_from_low : vector<8xi1>
        %is_below1 = arith.cmpi ult, %token_of_some, %bound1_of_some : !some
        %counts1 = arith.andi %counts, %is_below1 : vector<8xi1>
        %part1 = arith.select %counts1, %weight, %no_some : vector<8xi1>, !some
        %wide1 = arith.extui %part1 : !some to !sums
        %more1 = arith.addi %so_far1, %wide1 : !sums
        scf.yield %more1 : !sums
      }
      %sum1 = vector.reduction <add>, %sum_own : !sums into i64
        %until1 = arith.addi %sum_before, %sum1 : i64
        %reaches1 = arith.cmpi ule, %until1, %before : i64
        %low_next = arith.select %reaches1, %bound1, %low : i32
        %sum_before_next = arith.select %reaches1, %until1, %sum_before : i64
        scf.yield %low_next, %sum_before_next : i32, i64
      }
      %token_of_row = tensor.from_elements %token : tensor<1x1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %token_of_row into %all[%b, %m] [1, 1] [1, 1] : tensor<1x1xi32> into !token_ids
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %token_ids_tied,
      offsets = [0, 0], sizes = [%batch_dim, 1], strides = [1, 1]
      : tensor<?x1xi32> -> !token_ids_out{%batch_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @drawn_choice$async(
    %logits: !logits,
    %temperature: !temperature,
    %top_k: !top_k,
    %top_p: !top_p,
    %min_p: !min_p,
    %seeds: !seeds
  ) -> (!token_ids) attributes {iree.abi.model = "coarse-fences"} {
  %token_ids = func.call @drawn_choice(%logits, %temperature, %top_k, %top_p, %min_p, %seeds)
    : (!logits, !temperature, !top_k, !top_p, !min_p, !seeds) -> (!token_ids)
  util.return %token_ids : !token_ids
}
