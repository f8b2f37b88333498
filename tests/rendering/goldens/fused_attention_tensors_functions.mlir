// Attention as one kernel of tensors.
!query = tensor<1x8x128x64xf32>
!key = tensor<1x2x128x64xf32>
!value = tensor<1x2x128x64xf32>
!captured_SLOPES = tensor<8xf16>
!captured_FLAGS = tensor<128x128xi1>
!output = tensor<1x8x128x64xf32>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x64xf32>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>
!captured_SLOPES_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf16>>
!captured_FLAGS_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16384xi8>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024x64xf32>>
!query_tile = tensor<32x64xf32>
!key_tile = tensor<8x64xf32>
!value_tile = tensor<8x64xf32>
!values = !value_tile
!scores = tensor<32x8xf32>
!weights = tensor<32x8xf32>
!acc = tensor<32x64xf32>
!row = tensor<32xf32>
!output_tile = tensor<32x64xf32>
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
  thread_tile = [8, 16], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [16, 1]>
#value_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1],
  outer_tile = [1, 1],
  thread_tile = [8, 16], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [16, 1]>
#reading_mask_mod_10 = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 1],
  outer_tile = [1, 1],
  thread_tile = [16, 8], element_tile = [1, 1],
  subgroup_strides = [0, 0], thread_strides = [8, 1]>
#in_rules_mask_mod_10 = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 8],
  outer_tile = [1, 1],
  thread_tile = [8, 1], element_tile = [1, 1],
  subgroup_strides = [1, 0], thread_strides = [4, 0]>
#reading_mask_mod_22 = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1],
  outer_tile = [1],
  thread_tile = [8], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
#in_rules_mask_mod_22 = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [8],
  outer_tile = [1],
  thread_tile = [1], element_tile = [1],
  subgroup_strides = [0], thread_strides = [0]>
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
      %captured_SLOPES_in: !captured_SLOPES_in,
      %captured_FLAGS_rows_in: !captured_FLAGS_rows_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : !query_rows_in -> tensor<1024x64xf32>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [256, 64], strides = [1, 1]
      : !key_rows_in -> tensor<256x64xf32>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [256, 64], strides = [1, 1]
      : !value_rows_in -> tensor<256x64xf32>
    %captured_SLOPES = iree_tensor_ext.dispatch.tensor.load %captured_SLOPES_in,
      offsets = [0], sizes = [8], strides = [1]
      : !captured_SLOPES_in -> tensor<8xf16>
    %captured_FLAGS_rows = iree_tensor_ext.dispatch.tensor.load %captured_FLAGS_rows_in,
      offsets = [0], sizes = [16384], strides = [1]
      : !captured_FLAGS_rows_in -> tensor<16384xi8>
    %output_rows_empty = tensor.empty() : tensor<1024x64xf32>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 8 : index
    %rows_of_head = arith.constant 128 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 128 : index
    %q_len = arith.constant 128 : index
    %context_len = arith.constant 128 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 32 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<1024x64xf32>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 4 + x floordiv 2)>(%head_number)
    // The tiles with most keys begin first.
    %tile = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %head = affine.apply affine_map<(b, x) -> (b * 8 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
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
        ins(%query_rows, %query_numbers : tensor<1024x64xf32>, !query_numbers)
        outs(%empty_query : !query_tile) -> !query_tile
    %positions = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %position = arith.addi %first, %row : i32
      linalg.yield %position : i32
    } -> !query_numbers
      %empty_numbers_of_score_mod_5 = tensor.empty() : tensor<32xi32>
      %numbers_of_score_mod_5 = linalg.generic {
          indexing_maps = [#each],
          iterator_types = ["parallel"]
        } outs(%empty_numbers_of_score_mod_5 : tensor<32xi32>) {
      ^bb0(%unused: i32):
        %x_i32 = arith.index_cast %x : index to i32
        %no_head = arith.constant 0 : i32
        %head_i32 = arith.addi %x_i32, %no_head : i32

        linalg.yield %head_i32 : i32
      } -> tensor<32xi32>
      %empty_score_mod_5 = tensor.empty() : tensor<32xf16>
      %read_score_mod_5 = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%captured_SLOPES, %numbers_of_score_mod_5 : tensor<8xf16>, tensor<32xi32>)
        outs(%empty_score_mod_5 : tensor<32xf16>) -> tensor<32xf16>
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
        ins(%key_rows, %key_numbers : tensor<256x64xf32>, !key_numbers)
        outs(%empty_keys : !key_tile) -> !key_tile
      %empty_values = tensor.empty() : !value_tile
      %read_values = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_rows, %key_numbers : tensor<256x64xf32>, !key_numbers)
        outs(%empty_values : !value_tile) -> !value_tile
      %placed_keys = iree_vector_ext.to_layout %read_keys to layout(#key_layout) : !key_tile
      %placed_values = iree_vector_ext.to_layout %read_values
        to layout(#value_layout) : !values
      %empty_numbers_of_mask_mod_10 = tensor.empty() : tensor<32x8xi32>
      %numbers_of_mask_mod_10 = linalg.generic {
          indexing_maps = [#of_row, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%rows_in_head : !query_numbers) outs(%empty_numbers_of_mask_mod_10 : tensor<32x8xi32>) {
      ^bb0(%row: i32, %unused: i32):
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %no_query = arith.constant 0 : i32
        %query_i32 = arith.addi %row, %no_query : i32
          %mask_mod_0 = arith.constant 0 : i32
          %mask_mod_1 = arith.constant 128 : i32
          %mask_mod_2 = arith.muli %mask_mod_0, %mask_mod_1 : i32
          %mask_mod_3 = arith.addi %mask_mod_2, %query_i32 : i32
          %mask_mod_4 = arith.addi %t_i32, %t0_i32 : i32
          %mask_mod_5 = arith.constant 127 : i32
          %mask_mod_6 = arith.minsi %mask_mod_4, %mask_mod_5 : i32
          %mask_mod_7 = arith.constant 128 : i32
          %mask_mod_8 = arith.muli %mask_mod_3, %mask_mod_7 : i32
          %mask_mod_9 = arith.addi %mask_mod_8, %mask_mod_6 : i32
        linalg.yield %mask_mod_9 : i32
      } -> tensor<32x8xi32>
      %empty_mask_mod_10 = tensor.empty() : tensor<32x8xi8>
      %given_mask_mod_10 = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%captured_FLAGS_rows, %numbers_of_mask_mod_10 : tensor<16384xi8>, tensor<32x8xi32>)
        outs(%empty_mask_mod_10 : tensor<32x8xi8>) -> tensor<32x8xi8>
      %apart_mask_mod_10 = iree_vector_ext.to_layout %given_mask_mod_10
        to layout(#reading_mask_mod_10) : tensor<32x8xi8>
      %read_mask_mod_10 = iree_vector_ext.to_layout %apart_mask_mod_10
        to layout(#in_rules_mask_mod_10) : tensor<32x8xi8>
      %empty_numbers_of_mask_mod_22 = tensor.empty() : tensor<8xi32>
      %numbers_of_mask_mod_22 = linalg.generic {
          indexing_maps = [#each],
          iterator_types = ["parallel"]
        } outs(%empty_numbers_of_mask_mod_22 : tensor<8xi32>) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %x_i32 = arith.index_cast %x : index to i32
        %no_head = arith.constant 0 : i32
        %head_i32 = arith.addi %x_i32, %no_head : i32
          %mask_mod_4 = arith.addi %t_i32, %t0_i32 : i32
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
        linalg.yield %mask_mod_21 : i32
      } -> tensor<8xi32>
      %empty_mask_mod_22 = tensor.empty() : tensor<8xi8>
      %given_mask_mod_22 = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%captured_FLAGS_rows, %numbers_of_mask_mod_22 : tensor<16384xi8>, tensor<8xi32>)
        outs(%empty_mask_mod_22 : tensor<8xi8>) -> tensor<8xi8>
      %apart_mask_mod_22 = iree_vector_ext.to_layout %given_mask_mod_22
        to layout(#reading_mask_mod_22) : tensor<8xi8>
      %read_mask_mod_22 = iree_vector_ext.to_layout %apart_mask_mod_22
        to layout(#in_rules_mask_mod_22) : tensor<8xi8>
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
          indexing_maps = [#element, #of_row, #of_row, #of_row, #element, #of_key, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions, %rows_in_head, %read_score_mod_5, %read_mask_mod_10, %read_mask_mod_22
          : !scores, !query_numbers, !query_numbers, tensor<32xf16>, tensor<32x8xi8>, tensor<8xi8>)
        outs(%scores_empty : !scores) {
      ^bb0(%score: f32, %position: i32, %row: i32, %score_mod_5_stored: f16, %mask_mod_10_stored: i8, %mask_mod_22_stored: i8, %unused: f32):
        %scale = arith.constant 0.125 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %batch_i32 = arith.index_cast
          %b : index to i32
        %no_query = arith.constant 0 : i32
        %query_i32 = arith.addi %row, %no_query : i32
          %score_mod_0 = arith.constant 0.5 : f32
          %score_mod_1 = arith.cmpf olt,
            %score_mod_0, %logit0 : f32
          %score_mod_2 = math.tanh %logit0 fastmath<contract> : f32
          %score_mod_3 = arith.select %score_mod_1, %score_mod_2, %logit0 : i1, f32
          %score_mod_5 = arith.extf %score_mod_5_stored : f16 to f32
          %score_mod_6 = arith.addi %t_i32, %t0_i32 : i32
          %score_mod_7 = arith.subi %score_mod_6, %query_i32 : i32
          %score_mod_8 = arith.sitofp %score_mod_7 : i32 to f32
          %score_mod_9 = arith.mulf %score_mod_5, %score_mod_8 fastmath<contract> : f32
          %score_mod_10 = arith.addf %score_mod_3, %score_mod_9 fastmath<contract> : f32
          %mask_mod_4 = arith.addi %t_i32, %t0_i32 : i32
          %mask_mod_10_no = arith.constant 0 : i8
          %mask_mod_10 = arith.cmpi ne, %mask_mod_10_stored, %mask_mod_10_no : i8
          %mask_mod_22_no = arith.constant 0 : i8
          %mask_mod_22 = arith.cmpi ne, %mask_mod_22_stored, %mask_mod_22_no : i8
          %mask_mod_23 = arith.ori %mask_mod_10, %mask_mod_22 : i1
          %mask_mod_25 = arith.constant 3 : i32
          %mask_mod_26 = arith.andi %mask_mod_4, %mask_mod_25 : i32
          %mask_mod_27 = arith.addi %batch_i32, %mask_mod_26 : i32
          %mask_mod_28 = arith.constant 0 : i32
          %mask_mod_29 = arith.cmpi eq,
            %mask_mod_27, %mask_mod_28 : i32
          %mask_mod_30_ones = arith.constant 1 : i1
          %mask_mod_30 = arith.xori %mask_mod_29, %mask_mod_30_ones : i1
          %mask_mod_31 = arith.ori %mask_mod_23, %mask_mod_30 : i1
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
        %seen0 = arith.constant true
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen1 = arith.andi %seen0, %ahead_is_seen : i1
        %seen_by_mask = arith.andi %seen1, %mask_mod_31 : i1
        %logit = arith.select %seen_by_mask, %score_mod_10, %minus_inf : f32
        // IREE 3.13.0 refuses a loop whose scores nobody asks for. All are at least -inf, or NaN, which
        // LLVM knows, and MLIR does not.
        %is_score = arith.cmpf uge, %score, %minus_inf : f32
        %logit_of_score = arith.select %is_score, %logit, %score : f32
        linalg.yield %logit_of_score : f32
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
        %factor_log2e = arith.constant 1.4426950408889634 : f32
        %factor_in_base_2 = arith.mulf %below, %factor_log2e : f32
        %factor = math.exp2 %factor_in_base_2 : f32
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
        %exp_log2e = arith.constant 1.4426950408889634 : f32
        %exp_in_base_2 = arith.mulf %below, %exp_log2e : f32
        %exp = math.exp2 %exp_in_base_2 : f32
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
        } ins(%exps, %placed_values : !weights, !values)
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
        [32, 64] [1, 1]
        : tensor<32x64xf32> into tensor<1024x64xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : tensor<1024x64xf32> -> !output_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value, %captured_SLOPES: !captured_SLOPES, %captured_FLAGS: !captured_FLAGS) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x8x128x64xf32> into tensor<1024x64xf32>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x128x64xf32> into tensor<256x64xf32>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x128x64xf32> into tensor<256x64xf32>
  %captured_FLAGS_elements = tensor.collapse_shape %captured_FLAGS [[0, 1]]
    : tensor<128x128xi1> into tensor<16384xi1>
  %captured_FLAGS_rows = flow.tensor.bitcast %captured_FLAGS_elements
    : tensor<16384xi1> -> tensor<16384xi8>
  %made = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows, %captured_SLOPES, %captured_FLAGS_rows
    ) : (
      tensor<1024x64xf32>,
      tensor<256x64xf32>,
      tensor<256x64xf32>,
      tensor<8xf16>,
      tensor<16384xi8>
    ) -> tensor<1024x64xf32>
  %output = tensor.expand_shape %made [[0, 1, 2], [3]]
    output_shape [1, 8, 128, 64] : tensor<1024x64xf32> into tensor<1x8x128x64xf32>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %captured_SLOPES: !captured_SLOPES,
    %captured_FLAGS: !captured_FLAGS
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention(%query, %key, %value, %captured_SLOPES, %captured_FLAGS)
    : (!query, !key, !value, !captured_SLOPES, !captured_FLAGS) -> (!output)
  util.return %output : !output
}
