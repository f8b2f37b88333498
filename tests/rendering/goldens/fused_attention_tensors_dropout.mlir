// Attention as one kernel of tensors.
!query = tensor<1x4x32x32xf32>
!key = tensor<1x2x32x32xf32>
!value = tensor<1x2x32x32xf32>
!dropout_seed = tensor<3xi32>
!output = tensor<1x4x32x32xf32>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x32xf32>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>
!dropout_seed_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xi32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x32xf32>>
!query_tile = tensor<32x32xf32>
!key_tile = tensor<8x32xf32>
!value_tile = tensor<8x32xf32>
!values = !value_tile
!scores = tensor<32x8xf32>
!weights = tensor<32x8xf32>
!acc = tensor<32x32xf32>
!row = tensor<32xf32>
!output_tile = tensor<32x32xf32>
!query_numbers = tensor<32xi32>
!key_numbers = tensor<8xi32>
// m row of the tile, t key of the step
#element = affine_map<(m, t) -> (m, t)>
#of_row = affine_map<(m, t) -> (m)>
#of_key = affine_map<(m, t) -> (t)>
#each = affine_map<(m) -> (m)>
#row_of_query = affine_map<(m, t, k) -> (m, k)>
#row_of_key = affine_map<(m, t, k) -> (t, k)>
#score = affine_map<(m, t, k) -> (m, t)>
#weight = affine_map<(m, n, t) -> (m, t)>
#column_of_value = affine_map<(m, n, t) -> (t, n)>
#sum_of_values = affine_map<(m, n, t) -> (m, n)>
#sum = affine_map<(m, n) -> (m, n)>
#row_of_sum = affine_map<(m, n) -> (m)>
#query_key = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0], reduction = [0, 0, 0],
  subgroup_basis = [[4, 1, 1], [0, 1, 2]],
  lane_basis = [[8, 1, 4], [0, 1, 2]], thread = [1, 1, 4]}>
#weights_value = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0], reduction = [0, 0, 0],
  subgroup_basis = [[4, 1, 1], [0, 1, 2]],
  lane_basis = [[8, 4, 1], [0, 1, 2]], thread = [1, 4, 1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #query_key,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
#key_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1],
  outer_tile = [1, 1],
  thread_tile = [8, 8], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [8, 1]>
#value_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1],
  outer_tile = [1, 1],
  thread_tile = [8, 8], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [8, 1]>
flow.executable private @attention_kernel {
  flow.executable.export public @attention_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @attention_kernel(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %dropout_seed_in: !dropout_seed_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [128, 32], strides = [1, 1]
      : !query_rows_in -> tensor<128x32xf32>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [64, 32], strides = [1, 1]
      : !key_rows_in -> tensor<64x32xf32>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [64, 32], strides = [1, 1]
      : !value_rows_in -> tensor<64x32xf32>
    %dropout_seed = iree_tensor_ext.dispatch.tensor.load %dropout_seed_in,
      offsets = [0], sizes = [3], strides = [1]
      : !dropout_seed_in -> tensor<3xi32>
    %output_rows_empty = tensor.empty() : tensor<128x32xf32>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 4 : index
    %rows_of_head = arith.constant 32 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 32 : index
    %q_len = arith.constant 32 : index
    %context_len = arith.constant 32 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 32 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<128x32xf32>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 2 + x floordiv 2)>(%head_number)
    // The tiles with most keys begin first.
    %tile = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %head = affine.apply affine_map<(b, x) -> (b * 4 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 2)>(%x)
    %kv_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %kv_head)
    %key_base = arith.muli %kv_head_of_all, %keys_of_head : index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 32)>(%tile)
    %result_row = arith.addi %head_base, %row_in_head : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 8 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 32)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (32, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(i) -> (i * 32)>(%tile)
    %query_end = affine.min
      affine_map<(r, n) -> (r + 32, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %begin = affine.max affine_map<(a) -> (a)>(%none)
    %end = affine.min affine_map<(a, b) -> (a, b)>(%keys_end, %seen_end)
    %row_numbers_empty = tensor.empty() : !query_numbers
    %rows_in_head = linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]}
      outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%unused: i32):
      %m = linalg.index 0 : index
      %r = arith.addi %m, %row_0 : index
      %row = arith.minsi %r, %last_row : index
      %row_i32 = arith.index_cast %row : index to i32
      linalg.yield %row_i32 : i32
    } -> !query_numbers
    %query_numbers = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %base = arith.index_cast %query_base : index to i32
      %stride = arith.constant 1 : i32
      %ahead = arith.muli %row, %stride : i32
      %number = arith.addi %base, %ahead : i32
      linalg.yield %number : i32
    } -> !query_numbers
      %empty_query = tensor.empty() : !query_tile
      %read_query = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %query_numbers : tensor<128x32xf32>, !query_numbers)
        outs(%empty_query : !query_tile) -> !query_tile
    %positions = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %position = arith.addi %first, %row : i32
      linalg.yield %position : i32
    } -> !query_numbers
      %empty_numbers_of_dropout_p_2 = tensor.empty() : tensor<32xi32>
      %numbers_of_dropout_p_2 = linalg.generic {
          indexing_maps = [#each],
          iterator_types = ["parallel"]
        } outs(%empty_numbers_of_dropout_p_2 : tensor<32xi32>) {
      ^bb0(%unused: i32):

          %dropout_p_0 = arith.constant 0 : i32
        linalg.yield %dropout_p_0 : i32
      } -> tensor<32xi32>
      %empty_dropout_p_2 = tensor.empty() : tensor<32xi32>
      %read_dropout_p_2 = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%dropout_seed, %numbers_of_dropout_p_2 : tensor<3xi32>, tensor<32xi32>)
        outs(%empty_dropout_p_2 : tensor<32xi32>) -> tensor<32xi32>
      %empty_numbers_of_dropout_p_5 = tensor.empty() : tensor<32xi32>
      %numbers_of_dropout_p_5 = linalg.generic {
          indexing_maps = [#each],
          iterator_types = ["parallel"]
        } outs(%empty_numbers_of_dropout_p_5 : tensor<32xi32>) {
      ^bb0(%unused: i32):

          %dropout_p_3 = arith.constant 1 : i32
        linalg.yield %dropout_p_3 : i32
      } -> tensor<32xi32>
      %empty_dropout_p_5 = tensor.empty() : tensor<32xi32>
      %read_dropout_p_5 = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%dropout_seed, %numbers_of_dropout_p_5 : tensor<3xi32>, tensor<32xi32>)
        outs(%empty_dropout_p_5 : tensor<32xi32>) -> tensor<32xi32>
      %empty_numbers_of_dropout_p_8 = tensor.empty() : tensor<32xi32>
      %numbers_of_dropout_p_8 = linalg.generic {
          indexing_maps = [#each],
          iterator_types = ["parallel"]
        } outs(%empty_numbers_of_dropout_p_8 : tensor<32xi32>) {
      ^bb0(%unused: i32):

          %dropout_p_6 = arith.constant 2 : i32
        linalg.yield %dropout_p_6 : i32
      } -> tensor<32xi32>
      %empty_dropout_p_8 = tensor.empty() : tensor<32xi32>
      %read_dropout_p_8 = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%dropout_seed, %numbers_of_dropout_p_8 : tensor<3xi32>, tensor<32xi32>)
        outs(%empty_dropout_p_8 : tensor<32xi32>) -> tensor<32xi32>
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %acc_empty = tensor.empty() : !acc
    %row_empty = tensor.empty() : !row
    %scores_empty = tensor.empty() : !scores
    %weights_empty = tensor.empty() : !weights
    %acc_start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
    %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !row) -> !row
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %keys_of_step
        iter_args(%acc = %acc_start, %max = %max_start, %sum = %sum_start) -> (!acc, !row, !row) {
      %key_numbers_empty = tensor.empty() : !key_numbers
      %key_numbers = linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]}
        outs(%key_numbers_empty : !key_numbers) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %number = affine.apply
          affine_map<(b, k) -> (b + k * 1)>(%key_base, %real_key)
        %number_i32 = arith.index_cast %number : index to i32
        linalg.yield %number_i32 : i32
      } -> !key_numbers
      %empty_keys = tensor.empty() : !key_tile
      %read_keys = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_rows, %key_numbers : tensor<64x32xf32>, !key_numbers)
        outs(%empty_keys : !key_tile) -> !key_tile
      %empty_values = tensor.empty() : !value_tile
      %read_values = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_rows, %key_numbers : tensor<64x32xf32>, !key_numbers)
        outs(%empty_values : !value_tile) -> !value_tile
      %placed_keys = iree_vector_ext.to_layout %read_keys to layout(#key_layout) : !key_tile
      %placed_values = iree_vector_ext.to_layout %read_values
        to layout(#value_layout) : !values
      %scores_start = linalg.fill ins(%zero : f32) outs(%scores_empty : !scores) -> !scores
      %scores = linalg.generic {
          indexing_maps = [#row_of_query, #row_of_key, #score],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%read_query, %placed_keys : !query_tile, !key_tile)
          outs(%scores_start : !scores) attrs = {compilation_info = #tile} {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !scores
      %logits = linalg.generic {
          indexing_maps = [#element, #of_row, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions
          : !scores, !query_numbers)
        outs(%scores_empty : !scores) {
      ^bb0(%score: f32, %position: i32, %unused: f32):
        %scale = arith.constant 0.25503486164919736 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
        %seen0 = arith.constant true
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen1 = arith.andi %seen0, %ahead_is_seen : i1
        %logit = arith.select %seen1, %logit0, %minus_inf : f32
        linalg.yield %logit : f32
      } -> !scores
      // A NaN is no maximum, and makes its weight, and so its row, NaN.
      %best_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
      %best = linalg.generic {indexing_maps = [#element, #of_row], iterator_types = ["parallel", "reduction"]}
        ins(%logits : !scores) outs(%best_start : !row) {
      ^bb0(%logit: f32, %top: f32):
        %better = arith.maxnumf %logit, %top : f32
        linalg.yield %better : f32
      } -> !row
      %shrink = linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel"]}
        ins(%max, %best : !row, !row) outs(%row_empty : !row) {
      ^bb0(%before: f32, %now: f32, %unused: f32):
        %top = arith.maxnumf %before, %now : f32
        %below = arith.subf %before, %top : f32
        %factor = math.exp2 %below : f32
        linalg.yield %factor : f32
      } -> !row
      %max_next = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%best : !row) outs(%max : !row) {
      ^bb0(%now: f32, %before: f32):
        %top = arith.maxnumf %before, %now : f32
        linalg.yield %top : f32
      } -> !row
      %exps = linalg.generic {
          indexing_maps = [#element, #of_row, #element], iterator_types = ["parallel", "parallel"]
        } ins(%logits, %max_next : !scores, !row) outs(%scores_empty : !scores) {
      ^bb0(%logit: f32, %top: f32, %unused: f32):
        %below = arith.subf %logit, %top : f32
        %exp = math.exp2 %below : f32
        linalg.yield %exp : f32
      } -> !scores
      %sum_before = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%shrink : !row) outs(%sum : !row) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !row
      %sum_next = linalg.generic {
          indexing_maps = [#element, #of_row], iterator_types = ["parallel", "reduction"]
        } ins(%exps : !scores) outs(%sum_before : !row) {
      ^bb0(%exp: f32, %total: f32):
        %more = arith.addf %total, %exp : f32
        linalg.yield %more : f32
      } -> !row
      %exps_kept = linalg.generic {
          indexing_maps = [#element, #of_row, #of_row, #of_row, #of_row, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%exps, %rows_in_head, %read_dropout_p_2, %read_dropout_p_5, %read_dropout_p_8
          : !scores, !query_numbers, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>)
        outs(%scores_empty : !scores) {
      ^bb0(%exp: f32, %row: i32, %dropout_p_2: i32, %dropout_p_5: i32, %dropout_p_8: i32, %unused: f32):
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %batch_i32 = arith.index_cast
          %b : index to i32
        %x_i32 = arith.index_cast %x : index to i32
        %no_head = arith.constant 0 : i32
        %head_i32 = arith.addi %x_i32, %no_head : i32
        %no_query = arith.constant 0 : i32
        %query_i32 = arith.addi %row, %no_query : i32
          %dropout_p_0 = arith.constant 0 : i32

          %dropout_p_3 = arith.constant 1 : i32

          %dropout_p_6 = arith.constant 2 : i32

          %dropout_p_9 = arith.constant 4 : i32
          %dropout_p_10 = arith.addi %t_i32, %t0_i32 : i32
          %dropout_p_11 = arith.constant 2 : i32
          %dropout_p_12 = arith.shrsi %dropout_p_10, %dropout_p_11 : i32
          %dropout_p_13 = arith.muli %batch_i32, %dropout_p_9 : i32
          %dropout_p_14 = arith.addi %dropout_p_13, %head_i32 : i32
          %dropout_p_15 = arith.addi %dropout_p_2, %dropout_p_0 : i32
          %dropout_p_16 = arith.addi %dropout_p_5, %dropout_p_0 : i32
          %dropout_p_17 = arith.constant -766435501 : i32
          %dropout_p_18 = arith.muli %dropout_p_12, %dropout_p_17 : i32
          %dropout_p_19_wide1 = arith.extui %dropout_p_12 : i32 to i64
          %dropout_p_19_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_19_product = arith.muli %dropout_p_19_wide1, %dropout_p_19_wide2 : i64
          %dropout_p_19_bits = arith.constant 32 : i64
          %dropout_p_19_upper = arith.shrui %dropout_p_19_product, %dropout_p_19_bits : i64
          %dropout_p_19 = arith.trunci %dropout_p_19_upper : i64 to i32
          %dropout_p_20 = arith.constant -845247145 : i32
          %dropout_p_21 = arith.muli %dropout_p_14, %dropout_p_20 : i32
          %dropout_p_22_wide1 = arith.extui %dropout_p_14 : i32 to i64
          %dropout_p_22_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_22_product = arith.muli %dropout_p_22_wide1, %dropout_p_22_wide2 : i64
          %dropout_p_22_bits = arith.constant 32 : i64
          %dropout_p_22_upper = arith.shrui %dropout_p_22_product, %dropout_p_22_bits : i64
          %dropout_p_22 = arith.trunci %dropout_p_22_upper : i64 to i32
          %dropout_p_23 = arith.xori %dropout_p_22, %query_i32 : i32
          %dropout_p_24 = arith.xori %dropout_p_23, %dropout_p_15 : i32
          %dropout_p_25 = arith.xori %dropout_p_19, %dropout_p_8 : i32
          %dropout_p_26 = arith.xori %dropout_p_25, %dropout_p_16 : i32
          %dropout_p_27 = arith.constant -1640531527 : i32
          %dropout_p_28 = arith.addi %dropout_p_2, %dropout_p_27 : i32
          %dropout_p_29 = arith.constant -1150833019 : i32
          %dropout_p_30 = arith.addi %dropout_p_5, %dropout_p_29 : i32
          %dropout_p_31 = arith.muli %dropout_p_24, %dropout_p_17 : i32
          %dropout_p_32_wide1 = arith.extui %dropout_p_24 : i32 to i64
          %dropout_p_32_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_32_product = arith.muli %dropout_p_32_wide1, %dropout_p_32_wide2 : i64
          %dropout_p_32_bits = arith.constant 32 : i64
          %dropout_p_32_upper = arith.shrui %dropout_p_32_product, %dropout_p_32_bits : i64
          %dropout_p_32 = arith.trunci %dropout_p_32_upper : i64 to i32
          %dropout_p_33 = arith.muli %dropout_p_26, %dropout_p_20 : i32
          %dropout_p_34_wide1 = arith.extui %dropout_p_26 : i32 to i64
          %dropout_p_34_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_34_product = arith.muli %dropout_p_34_wide1, %dropout_p_34_wide2 : i64
          %dropout_p_34_bits = arith.constant 32 : i64
          %dropout_p_34_upper = arith.shrui %dropout_p_34_product, %dropout_p_34_bits : i64
          %dropout_p_34 = arith.trunci %dropout_p_34_upper : i64 to i32
          %dropout_p_35 = arith.xori %dropout_p_34, %dropout_p_21 : i32
          %dropout_p_36 = arith.xori %dropout_p_35, %dropout_p_28 : i32
          %dropout_p_37 = arith.xori %dropout_p_32, %dropout_p_18 : i32
          %dropout_p_38 = arith.xori %dropout_p_37, %dropout_p_30 : i32
          %dropout_p_39 = arith.constant 1013904242 : i32
          %dropout_p_40 = arith.addi %dropout_p_2, %dropout_p_39 : i32
          %dropout_p_41 = arith.constant 1993301258 : i32
          %dropout_p_42 = arith.addi %dropout_p_5, %dropout_p_41 : i32
          %dropout_p_43 = arith.muli %dropout_p_36, %dropout_p_17 : i32
          %dropout_p_44_wide1 = arith.extui %dropout_p_36 : i32 to i64
          %dropout_p_44_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_44_product = arith.muli %dropout_p_44_wide1, %dropout_p_44_wide2 : i64
          %dropout_p_44_bits = arith.constant 32 : i64
          %dropout_p_44_upper = arith.shrui %dropout_p_44_product, %dropout_p_44_bits : i64
          %dropout_p_44 = arith.trunci %dropout_p_44_upper : i64 to i32
          %dropout_p_45 = arith.muli %dropout_p_38, %dropout_p_20 : i32
          %dropout_p_46_wide1 = arith.extui %dropout_p_38 : i32 to i64
          %dropout_p_46_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_46_product = arith.muli %dropout_p_46_wide1, %dropout_p_46_wide2 : i64
          %dropout_p_46_bits = arith.constant 32 : i64
          %dropout_p_46_upper = arith.shrui %dropout_p_46_product, %dropout_p_46_bits : i64
          %dropout_p_46 = arith.trunci %dropout_p_46_upper : i64 to i32
          %dropout_p_47 = arith.xori %dropout_p_46, %dropout_p_33 : i32
          %dropout_p_48 = arith.xori %dropout_p_47, %dropout_p_40 : i32
          %dropout_p_49 = arith.xori %dropout_p_44, %dropout_p_31 : i32
          %dropout_p_50 = arith.xori %dropout_p_49, %dropout_p_42 : i32
          %dropout_p_51 = arith.constant -626627285 : i32
          %dropout_p_52 = arith.addi %dropout_p_2, %dropout_p_51 : i32
          %dropout_p_53 = arith.constant 842468239 : i32
          %dropout_p_54 = arith.addi %dropout_p_5, %dropout_p_53 : i32
          %dropout_p_55 = arith.muli %dropout_p_48, %dropout_p_17 : i32
          %dropout_p_56_wide1 = arith.extui %dropout_p_48 : i32 to i64
          %dropout_p_56_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_56_product = arith.muli %dropout_p_56_wide1, %dropout_p_56_wide2 : i64
          %dropout_p_56_bits = arith.constant 32 : i64
          %dropout_p_56_upper = arith.shrui %dropout_p_56_product, %dropout_p_56_bits : i64
          %dropout_p_56 = arith.trunci %dropout_p_56_upper : i64 to i32
          %dropout_p_57 = arith.muli %dropout_p_50, %dropout_p_20 : i32
          %dropout_p_58_wide1 = arith.extui %dropout_p_50 : i32 to i64
          %dropout_p_58_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_58_product = arith.muli %dropout_p_58_wide1, %dropout_p_58_wide2 : i64
          %dropout_p_58_bits = arith.constant 32 : i64
          %dropout_p_58_upper = arith.shrui %dropout_p_58_product, %dropout_p_58_bits : i64
          %dropout_p_58 = arith.trunci %dropout_p_58_upper : i64 to i32
          %dropout_p_59 = arith.xori %dropout_p_58, %dropout_p_45 : i32
          %dropout_p_60 = arith.xori %dropout_p_59, %dropout_p_52 : i32
          %dropout_p_61 = arith.xori %dropout_p_56, %dropout_p_43 : i32
          %dropout_p_62 = arith.xori %dropout_p_61, %dropout_p_54 : i32
          %dropout_p_63 = arith.constant 2027808484 : i32
          %dropout_p_64 = arith.addi %dropout_p_2, %dropout_p_63 : i32
          %dropout_p_65 = arith.constant -308364780 : i32
          %dropout_p_66 = arith.addi %dropout_p_5, %dropout_p_65 : i32
          %dropout_p_67 = arith.muli %dropout_p_60, %dropout_p_17 : i32
          %dropout_p_68_wide1 = arith.extui %dropout_p_60 : i32 to i64
          %dropout_p_68_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_68_product = arith.muli %dropout_p_68_wide1, %dropout_p_68_wide2 : i64
          %dropout_p_68_bits = arith.constant 32 : i64
          %dropout_p_68_upper = arith.shrui %dropout_p_68_product, %dropout_p_68_bits : i64
          %dropout_p_68 = arith.trunci %dropout_p_68_upper : i64 to i32
          %dropout_p_69 = arith.muli %dropout_p_62, %dropout_p_20 : i32
          %dropout_p_70_wide1 = arith.extui %dropout_p_62 : i32 to i64
          %dropout_p_70_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_70_product = arith.muli %dropout_p_70_wide1, %dropout_p_70_wide2 : i64
          %dropout_p_70_bits = arith.constant 32 : i64
          %dropout_p_70_upper = arith.shrui %dropout_p_70_product, %dropout_p_70_bits : i64
          %dropout_p_70 = arith.trunci %dropout_p_70_upper : i64 to i32
          %dropout_p_71 = arith.xori %dropout_p_70, %dropout_p_57 : i32
          %dropout_p_72 = arith.xori %dropout_p_71, %dropout_p_64 : i32
          %dropout_p_73 = arith.xori %dropout_p_68, %dropout_p_55 : i32
          %dropout_p_74 = arith.xori %dropout_p_73, %dropout_p_66 : i32
          %dropout_p_75 = arith.constant 387276957 : i32
          %dropout_p_76 = arith.addi %dropout_p_2, %dropout_p_75 : i32
          %dropout_p_77 = arith.constant -1459197799 : i32
          %dropout_p_78 = arith.addi %dropout_p_5, %dropout_p_77 : i32
          %dropout_p_79 = arith.muli %dropout_p_72, %dropout_p_17 : i32
          %dropout_p_80_wide1 = arith.extui %dropout_p_72 : i32 to i64
          %dropout_p_80_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_80_product = arith.muli %dropout_p_80_wide1, %dropout_p_80_wide2 : i64
          %dropout_p_80_bits = arith.constant 32 : i64
          %dropout_p_80_upper = arith.shrui %dropout_p_80_product, %dropout_p_80_bits : i64
          %dropout_p_80 = arith.trunci %dropout_p_80_upper : i64 to i32
          %dropout_p_81 = arith.muli %dropout_p_74, %dropout_p_20 : i32
          %dropout_p_82_wide1 = arith.extui %dropout_p_74 : i32 to i64
          %dropout_p_82_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_82_product = arith.muli %dropout_p_82_wide1, %dropout_p_82_wide2 : i64
          %dropout_p_82_bits = arith.constant 32 : i64
          %dropout_p_82_upper = arith.shrui %dropout_p_82_product, %dropout_p_82_bits : i64
          %dropout_p_82 = arith.trunci %dropout_p_82_upper : i64 to i32
          %dropout_p_83 = arith.xori %dropout_p_82, %dropout_p_69 : i32
          %dropout_p_84 = arith.xori %dropout_p_83, %dropout_p_76 : i32
          %dropout_p_85 = arith.xori %dropout_p_80, %dropout_p_67 : i32
          %dropout_p_86 = arith.xori %dropout_p_85, %dropout_p_78 : i32
          %dropout_p_87 = arith.constant -1253254570 : i32
          %dropout_p_88 = arith.addi %dropout_p_2, %dropout_p_87 : i32
          %dropout_p_89 = arith.constant 1684936478 : i32
          %dropout_p_90 = arith.addi %dropout_p_5, %dropout_p_89 : i32
          %dropout_p_91 = arith.muli %dropout_p_84, %dropout_p_17 : i32
          %dropout_p_92_wide1 = arith.extui %dropout_p_84 : i32 to i64
          %dropout_p_92_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_92_product = arith.muli %dropout_p_92_wide1, %dropout_p_92_wide2 : i64
          %dropout_p_92_bits = arith.constant 32 : i64
          %dropout_p_92_upper = arith.shrui %dropout_p_92_product, %dropout_p_92_bits : i64
          %dropout_p_92 = arith.trunci %dropout_p_92_upper : i64 to i32
          %dropout_p_93 = arith.muli %dropout_p_86, %dropout_p_20 : i32
          %dropout_p_94_wide1 = arith.extui %dropout_p_86 : i32 to i64
          %dropout_p_94_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_94_product = arith.muli %dropout_p_94_wide1, %dropout_p_94_wide2 : i64
          %dropout_p_94_bits = arith.constant 32 : i64
          %dropout_p_94_upper = arith.shrui %dropout_p_94_product, %dropout_p_94_bits : i64
          %dropout_p_94 = arith.trunci %dropout_p_94_upper : i64 to i32
          %dropout_p_95 = arith.xori %dropout_p_94, %dropout_p_81 : i32
          %dropout_p_96 = arith.xori %dropout_p_95, %dropout_p_88 : i32
          %dropout_p_97 = arith.xori %dropout_p_92, %dropout_p_79 : i32
          %dropout_p_98 = arith.xori %dropout_p_97, %dropout_p_90 : i32
          %dropout_p_99 = arith.constant 1401181199 : i32
          %dropout_p_100 = arith.addi %dropout_p_2, %dropout_p_99 : i32
          %dropout_p_101 = arith.constant 534103459 : i32
          %dropout_p_102 = arith.addi %dropout_p_5, %dropout_p_101 : i32
          %dropout_p_103 = arith.muli %dropout_p_96, %dropout_p_17 : i32
          %dropout_p_104_wide1 = arith.extui %dropout_p_96 : i32 to i64
          %dropout_p_104_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_104_product = arith.muli %dropout_p_104_wide1, %dropout_p_104_wide2 : i64
          %dropout_p_104_bits = arith.constant 32 : i64
          %dropout_p_104_upper = arith.shrui %dropout_p_104_product, %dropout_p_104_bits : i64
          %dropout_p_104 = arith.trunci %dropout_p_104_upper : i64 to i32
          %dropout_p_105 = arith.muli %dropout_p_98, %dropout_p_20 : i32
          %dropout_p_106_wide1 = arith.extui %dropout_p_98 : i32 to i64
          %dropout_p_106_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_106_product = arith.muli %dropout_p_106_wide1, %dropout_p_106_wide2 : i64
          %dropout_p_106_bits = arith.constant 32 : i64
          %dropout_p_106_upper = arith.shrui %dropout_p_106_product, %dropout_p_106_bits : i64
          %dropout_p_106 = arith.trunci %dropout_p_106_upper : i64 to i32
          %dropout_p_107 = arith.xori %dropout_p_106, %dropout_p_93 : i32
          %dropout_p_108 = arith.xori %dropout_p_107, %dropout_p_100 : i32
          %dropout_p_109 = arith.xori %dropout_p_104, %dropout_p_91 : i32
          %dropout_p_110 = arith.xori %dropout_p_109, %dropout_p_102 : i32
          %dropout_p_111 = arith.constant -239350328 : i32
          %dropout_p_112 = arith.addi %dropout_p_2, %dropout_p_111 : i32
          %dropout_p_113 = arith.constant -616729560 : i32
          %dropout_p_114 = arith.addi %dropout_p_5, %dropout_p_113 : i32
          %dropout_p_115 = arith.muli %dropout_p_108, %dropout_p_17 : i32
          %dropout_p_116_wide1 = arith.extui %dropout_p_108 : i32 to i64
          %dropout_p_116_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_116_product = arith.muli %dropout_p_116_wide1, %dropout_p_116_wide2 : i64
          %dropout_p_116_bits = arith.constant 32 : i64
          %dropout_p_116_upper = arith.shrui %dropout_p_116_product, %dropout_p_116_bits : i64
          %dropout_p_116 = arith.trunci %dropout_p_116_upper : i64 to i32
          %dropout_p_117 = arith.muli %dropout_p_110, %dropout_p_20 : i32
          %dropout_p_118_wide1 = arith.extui %dropout_p_110 : i32 to i64
          %dropout_p_118_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_118_product = arith.muli %dropout_p_118_wide1, %dropout_p_118_wide2 : i64
          %dropout_p_118_bits = arith.constant 32 : i64
          %dropout_p_118_upper = arith.shrui %dropout_p_118_product, %dropout_p_118_bits : i64
          %dropout_p_118 = arith.trunci %dropout_p_118_upper : i64 to i32
          %dropout_p_119 = arith.xori %dropout_p_118, %dropout_p_105 : i32
          %dropout_p_120 = arith.xori %dropout_p_119, %dropout_p_112 : i32
          %dropout_p_121 = arith.xori %dropout_p_116, %dropout_p_103 : i32
          %dropout_p_122 = arith.xori %dropout_p_121, %dropout_p_114 : i32
          %dropout_p_123 = arith.constant -1879881855 : i32
          %dropout_p_124 = arith.addi %dropout_p_2, %dropout_p_123 : i32
          %dropout_p_125 = arith.constant -1767562579 : i32
          %dropout_p_126 = arith.addi %dropout_p_5, %dropout_p_125 : i32
          %dropout_p_127 = arith.muli %dropout_p_120, %dropout_p_17 : i32
          %dropout_p_128_wide1 = arith.extui %dropout_p_120 : i32 to i64
          %dropout_p_128_wide2 = arith.extui %dropout_p_17 : i32 to i64
          %dropout_p_128_product = arith.muli %dropout_p_128_wide1, %dropout_p_128_wide2 : i64
          %dropout_p_128_bits = arith.constant 32 : i64
          %dropout_p_128_upper = arith.shrui %dropout_p_128_product, %dropout_p_128_bits : i64
          %dropout_p_128 = arith.trunci %dropout_p_128_upper : i64 to i32
          %dropout_p_129 = arith.muli %dropout_p_122, %dropout_p_20 : i32
          %dropout_p_130_wide1 = arith.extui %dropout_p_122 : i32 to i64
          %dropout_p_130_wide2 = arith.extui %dropout_p_20 : i32 to i64
          %dropout_p_130_product = arith.muli %dropout_p_130_wide1, %dropout_p_130_wide2 : i64
          %dropout_p_130_bits = arith.constant 32 : i64
          %dropout_p_130_upper = arith.shrui %dropout_p_130_product, %dropout_p_130_bits : i64
          %dropout_p_130 = arith.trunci %dropout_p_130_upper : i64 to i32
          %dropout_p_131 = arith.xori %dropout_p_130, %dropout_p_117 : i32
          %dropout_p_132 = arith.xori %dropout_p_131, %dropout_p_124 : i32
          %dropout_p_133 = arith.xori %dropout_p_128, %dropout_p_115 : i32
          %dropout_p_134 = arith.xori %dropout_p_133, %dropout_p_126 : i32
          %dropout_p_135 = arith.constant 3 : i32
          %dropout_p_136 = arith.andi %dropout_p_10, %dropout_p_135 : i32
          %dropout_p_137 = arith.cmpi eq,
            %dropout_p_136, %dropout_p_0 : i32
          %dropout_p_138 = arith.select %dropout_p_137, %dropout_p_132, %dropout_p_127 : i1, i32
          %dropout_p_139 = arith.cmpi eq,
            %dropout_p_136, %dropout_p_3 : i32
          %dropout_p_140 = arith.select %dropout_p_139, %dropout_p_129, %dropout_p_138 : i1, i32
          %dropout_p_141 = arith.cmpi eq,
            %dropout_p_136, %dropout_p_6 : i32
          %dropout_p_142 = arith.select %dropout_p_141, %dropout_p_134, %dropout_p_140 : i1, i32
          %dropout_p_143 = arith.constant -1073741824 : i32
          %dropout_p_144 = arith.constant -2147483648 : i32
          %dropout_p_145 = arith.xori %dropout_p_142, %dropout_p_144 : i32
          %dropout_p_146 = arith.cmpi sle,
            %dropout_p_143, %dropout_p_145 : i32
        %kept_factor = arith.constant 1.3333333333333333 : f32
        %no_share = arith.constant 0.0 : f32
        %share = arith.select %dropout_p_146, %kept_factor, %no_share : f32
        %exp_kept = arith.mulf %exp, %share : f32
        linalg.yield %exp_kept : f32
      } -> !scores
      %acc_before = linalg.generic {
          indexing_maps = [#row_of_sum, #sum], iterator_types = ["parallel", "parallel"]
        } ins(%shrink : !row) outs(%acc : !acc) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !acc
      %acc_next = linalg.generic {
          indexing_maps = [#weight, #column_of_value, #sum_of_values],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%exps_kept, %placed_values : !weights, !values)
          outs(%acc_before : !acc) attrs = {lowering_config = #weights_value} {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !acc
      scf.yield %acc_next, %max_next, %sum_next : !acc, !row, !row
    }
    %output_tile_empty = tensor.empty() : !output_tile
    %output_tile = linalg.generic {
        indexing_maps = [#sum, #row_of_sum, #row_of_sum, #sum],
        iterator_types = ["parallel", "parallel"]
      } ins(%acc_end, %max_end, %sum_end : !acc, !row, !row)
      outs(%output_tile_empty : !output_tile) {
    ^bb0(%weighted: f32, %max: f32, %sum: f32, %unused: f32):
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32

      linalg.yield %mean : f32
    } -> !output_tile
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_tile
        into %output_rows_all[%result_row, %none]
        [32, 32] [1, 1]
        : tensor<32x32xf32> into tensor<128x32xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [128, 32], strides = [1, 1]
      : tensor<128x32xf32> -> !output_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value, %dropout_seed: !dropout_seed) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x4x32x32xf32> into tensor<128x32xf32>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x32x32xf32> into tensor<64x32xf32>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x32x32xf32> into tensor<64x32xf32>
  %made = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows, %dropout_seed
    ) : (
      tensor<128x32xf32>,
      tensor<64x32xf32>,
      tensor<64x32xf32>,
      tensor<3xi32>
    ) -> tensor<128x32xf32>
  %output = tensor.expand_shape %made [[0, 1, 2], [3]]
    output_shape [1, 4, 32, 32] : tensor<128x32xf32> into tensor<1x4x32x32xf32>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %dropout_seed: !dropout_seed
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention(%query, %key, %value, %dropout_seed)
    : (!query, !key, !value, !dropout_seed) -> (!output)
  util.return %output : !output
}
