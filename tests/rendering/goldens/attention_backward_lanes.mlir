// The gradient of attention: a kernel of keys and one of queries, of lanes. Both make scores anew, their
// weights by the log-sum-exp, and products with these.
!query = tensor<1x4x260x64xbf16>
!key = tensor<1x1x53x64xbf16>
!value = tensor<1x1x53x64xbf16>
!output = tensor<1x4x260x64xbf16>
!lse = tensor<1x4x260xf32>
!output_gradient = tensor<1x4x260x64xbf16>
!alibi_slopes = tensor<4xf32>
!bias = tensor<1x4x260x53xbf16>
!keep_mask = tensor<1x1x260x1xi1>
!sinks = tensor<4xf32>
!query_gradient = tensor<1x4x260x64xbf16>
!key_gradient = tensor<1x1x53x64xbf16>
!value_gradient = tensor<1x1x53x64xbf16>
!bias_gradient = tensor<1x4x260x53xbf16>
!sinks_gradient = tensor<4xf32>
!row_numbers = tensor<1x4x260xf32>
#values = affine_map<(b, h, m, n) -> (b, h, m, n)>
#value_row = affine_map<(b, h, m, n) -> (b, h, m)>
#head = affine_map<(h, b, m) -> (h)>
#row_of_head = affine_map<(h, b, m) -> (b, h, m)>
!query_rows = tensor<1040x64xbf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1040x64xbf16>>
!key_rows = tensor<53x64xbf16>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<53x64xbf16>>
!value_rows = tensor<53x64xbf16>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<53x64xbf16>>
!lse_rows = tensor<1040xf32>
!lse_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1040xf32>>
!output_gradient_rows = tensor<1040x64xbf16>
!output_gradient_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1040x64xbf16>>
!alibi_slopes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
!delta_rows = tensor<1040xf32>
!delta_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1040xf32>>
!bias_elements = tensor<55120xbf16>
!bias_elements_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<55120xbf16>>
!keep_mask_bytes = tensor<260xi8>
!keep_mask_bytes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<260xi8>>
!value_gradient_shares_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<212x64xf32>>
!key_gradient_shares_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<212x64xf32>>
!query_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1040x64xbf16>>
!tile = tensor<?x64xbf16>
!own_tile = tensor<?x32xbf16>
!sums_tile = tensor<?x64xf32>
!own_sums_tile = tensor<?x32xf32>
!sums_of_shares = tensor<1x1x4x53x64xf32>
!added = tensor<1x1x53x64xf32>
// b batch, h KV head, s share of its query heads, m token, n column
#sums = affine_map<(b, h, m, n, s) -> (b, h, s, m, n)>
#added = affine_map<(b, h, m, n, s) -> (b, h, m, n)>
#stored = affine_map<(b, h, m, n) -> (b, h, m, n)>
!of_logits_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1040x4x1x2x8xf32>>
!logits_tile = tensor<?x4x1x2x8xf32>
!own_logits = tensor<?x4x1x1x8xf32>
!logit_rows = vector<1x1x1x1x8xf32>
!logit_scores = vector<1x1x8xf32>
!logits_by_row = vector<1x1x8xf32>
!logits_whole = tensor<1040x64xf32>
!logits_cut = tensor<1040x53xf32>
!logits = tensor<1x4x260x53xf32>
#logits = affine_map<(b, h, m, t) -> (b, h, m, t)>
#bias_sums = affine_map<(b, h, m, t) -> (h, m, t)>
#bias_stored = affine_map<(h, m, t) -> (h, m, t)>
!bias_sums = tensor<4x260x53xf32>
!bias_made = tensor<4x260x53xbf16>
!access = vector<8xbf16>
!fetched = vector<2x8xbf16>
!pair = vector<2xbf16>
!chunk = vector<16xbf16>
!row_parts = vector<1x1x16xbf16>
!own_parts =
  vector<1x1x1x1x16xbf16>
!own_turned =
  vector<1x1x1x1x16xbf16>
!own_operand =
  vector<1x1x1x16xbf16>
!step_operand = vector<1x1x1x16xbf16>
!column_part = vector<16xbf16>
!column_parts = vector<1x16xbf16>
!columns_operand = vector<1x1x1x16xbf16>
!weights_operand = vector<1x1x1x16xbf16>
!sums = vector<1x1x1x8xf32>
!own_f32 = vector<8xf32>
!score_tile = vector<1x8xf32>
!scores = vector<1x1x8xf32>
!scores_flat = vector<8xf32>
!score_bits = vector<1x1x8xi32>
!is_seen = vector<1x1x8xi1>
!row_bits = vector<1x1xi32>
!row_flags = vector<1x1xi1>
!row_numbers_of_lane = vector<1x1xf32>
!stored_scores = vector<1x1x8xbf16>
!stored_by_row = vector<1x1x8xbf16>
!stored_flat = vector<8xbf16>
!score_pairs = vector<4xi32>
!all_pairs = vector<8xi32>
!all_stored = vector<16xbf16>
!acc = vector<4x1x1x1x8xf32>
!acc_by_column = vector<4x1x8xf32>
!acc_by_row = vector<1x4x8xf32>
!result_rows = vector<1x32xf32>
!stored_rows = vector<1x32xbf16>
!own_lds = memref<64x72xbf16, #gpu.address_space<workgroup>>
!rows_lds = memref<32x72xbf16,
  #gpu.address_space<workgroup>>
!columns_lds = memref<64x40xbf16, #gpu.address_space<workgroup>>
!numbers_lds = memref<2x32xf32, #gpu.address_space<workgroup>>
// i row and j column of a product, k depth
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#product = affine_map<(i, j, k) -> (i, j)>
#parallel = #linalg.iterator_type<parallel>
#reduction = #linalg.iterator_type<reduction>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [128, 1, 1] subgroup_size = 32,
  {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
   iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @attention_backward_of_keys {
  flow.executable.export public @attention_backward_of_keys
      workgroups() -> (index, index, index) {
    %own_count = arith.constant 53 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %heads = arith.constant 4 : index
    %sequences = arith.constant 1 : index
    flow.return %heads, %blocks, %sequences : index, index, index
  }
  builtin.module {
  func.func @attention_backward_of_keys(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %lse_rows_in: !lse_rows_in,
      %output_gradient_rows_in: !output_gradient_rows_in,
      %alibi_slopes_in: !alibi_slopes_in,
      %delta_rows_in: !delta_rows_in,
      %bias_elements_in: !bias_elements_in,
      %keep_mask_bytes_in: !keep_mask_bytes_in,
      %value_gradient_shares_out: !value_gradient_shares_out,
      %key_gradient_shares_out: !key_gradient_shares_out
    ) attributes {translation_info = #lanes} {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %chunk_tokens = arith.constant 16 : index
    %step_tokens = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %minus_unit = arith.constant -1.0 : f32
    %no_element = arith.constant 0.0 : bf16
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1040, 64], strides = [1, 1]
      : !query_rows_in -> !query_rows
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !key_rows_in -> !key_rows
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !value_rows_in -> !value_rows
    %lse_rows = iree_tensor_ext.dispatch.tensor.load %lse_rows_in,
      offsets = [0], sizes = [1040], strides = [1]
      : !lse_rows_in -> !lse_rows
    %output_gradient_rows = iree_tensor_ext.dispatch.tensor.load %output_gradient_rows_in,
      offsets = [0, 0], sizes = [1040, 64], strides = [1, 1]
      : !output_gradient_rows_in -> !output_gradient_rows
    %alibi_slopes = iree_tensor_ext.dispatch.tensor.load %alibi_slopes_in,
      offsets = [0], sizes = [4], strides = [1]
      : !alibi_slopes_in -> !alibi_slopes
    %delta_rows = iree_tensor_ext.dispatch.tensor.load %delta_rows_in,
      offsets = [0], sizes = [1040], strides = [1]
      : !delta_rows_in -> !delta_rows
    %bias_elements = iree_tensor_ext.dispatch.tensor.load %bias_elements_in,
      offsets = [0], sizes = [55120], strides = [1]
      : !bias_elements_in -> !bias_elements
    %keep_mask_bytes = iree_tensor_ext.dispatch.tensor.load %keep_mask_bytes_in,
      offsets = [0], sizes = [260], strides = [1]
      : !keep_mask_bytes_in -> !keep_mask_bytes
    %own_count = arith.constant 53 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %block = flow.dispatch.workgroup.id[1] : index
    %x = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %row_0 = affine.apply affine_map<(i) -> (i * 64)>(%block)
    %own_len = arith.constant 53 : index
    %step_len = arith.constant 260 : index
    %shift = arith.constant 207 : index
    %last_token = arith.constant 259 : index
    %own_base = affine.apply affine_map<(b, x, r)
      -> ((b * 1 + x floordiv 4) * 53 + r)>(%b, %x, %row_0)
    // A share has sums of its own.
    %made_base = affine.apply affine_map<(b, x, r)
      -> ((b * 4 + x) * 53 + r)>(%b, %x, %row_0)
    %rows_to_end = affine.min affine_map<(r, n) -> (64, n - r)>(%row_0, %own_len)
    %rows_here = arith.maxsi %rows_to_end, %none : index
    %first_head = affine.apply affine_map<(x) -> (x * 1)>(%x)
    %last_head = affine.apply affine_map<(x) -> (x * 1 + 0)>(%x)
    %begin = affine.max affine_map<(r, s)
      -> ((r + s - 0) floordiv 32 * 32, 0)>(
        %row_0, %shift)
    %end = affine.apply affine_map<(n) -> (n)>(%step_len)
    %steps_any = affine.apply affine_map<(f, e) -> ((e - f) ceildiv 32)>(%begin, %end)
    %steps_of_head = arith.maxsi %steps_any, %none : index
    %steps = affine.apply affine_map<(n) -> (n * 1)>(%steps_of_head)
    %query_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %query_columns_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}>
      : () -> !columns_lds
    %output_gradient_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %output_gradient_columns_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}>
      : () -> !columns_lds
    %numbers_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !numbers_lds
    %empty0 = tensor.empty(%rows_here) : !sums_tile
    %empty1 = tensor.empty(%rows_here) : !sums_tile
    %value_gradient_shares_made, %key_gradient_shares_made =
      scf.forall (%lane) in (128)
        shared_outs(
          %tile0 = %empty0,
          %tile1 = %empty1
        ) -> (!sums_tile, !sums_tile) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      %is_group0 = arith.cmpi eq, %group, %none : index
      %distance = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %first_row =
        affine.apply affine_map<(w, i) -> (w * 16 + i * 1)>(%wave, %index)
      %chunk_column = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %no_own = arith.constant dense<0.0> : !own_parts
      %own_row0 = affine.min affine_map<(r, n) -> (r + 0, n - 1)>(%first_row, %rows_here)
      %own_place0 = arith.addi %own_base, %own_row0 : index
      %column0 = affine.apply affine_map<(c) -> (c + 0)>(%chunk_column)
      %column1 = affine.apply affine_map<(c) -> (c + 16)>(%chunk_column)
      %column2 = affine.apply affine_map<(c) -> (c + 32)>(%chunk_column)
      %column3 = affine.apply affine_map<(c) -> (c + 48)>(%chunk_column)
      %key_read0_0 = vector.transfer_read %key_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
            %key_parts0_0 = vector.shape_cast %key_read0_0
              : !chunk to !row_parts
            %key_rows0 = vector.insert
              %key_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_turned0 = vector.transpose %key_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own0 = vector.shape_cast %key_turned0
              : !own_turned to !own_operand
      %key_read0_1 = vector.transfer_read %key_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
            %key_parts0_1 = vector.shape_cast %key_read0_1
              : !chunk to !row_parts
            %key_rows1 = vector.insert
              %key_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_turned1 = vector.transpose %key_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own1 = vector.shape_cast %key_turned1
              : !own_turned to !own_operand
      %key_read0_2 = vector.transfer_read %key_rows[%own_place0, %column2],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
            %key_parts0_2 = vector.shape_cast %key_read0_2
              : !chunk to !row_parts
            %key_rows2 = vector.insert
              %key_parts0_2, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_turned2 = vector.transpose %key_rows2, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own2 = vector.shape_cast %key_turned2
              : !own_turned to !own_operand
      %key_read0_3 = vector.transfer_read %key_rows[%own_place0, %column3],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
            %key_parts0_3 = vector.shape_cast %key_read0_3
              : !chunk to !row_parts
            %key_rows3 = vector.insert
              %key_parts0_3, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_turned3 = vector.transpose %key_rows3, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own3 = vector.shape_cast %key_turned3
              : !own_turned to !own_operand
      %value_read0_0 = vector.transfer_read %value_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
            %value_parts0_0 = vector.shape_cast %value_read0_0
              : !chunk to !row_parts
            %value_rows0 = vector.insert
              %value_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_turned0 = vector.transpose %value_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own0 = vector.shape_cast %value_turned0
              : !own_turned to !own_operand
      %value_read0_1 = vector.transfer_read %value_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
            %value_parts0_1 = vector.shape_cast %value_read0_1
              : !chunk to !row_parts
            %value_rows1 = vector.insert
              %value_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_turned1 = vector.transpose %value_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own1 = vector.shape_cast %value_turned1
              : !own_turned to !own_operand
      %value_read0_2 = vector.transfer_read %value_rows[%own_place0, %column2],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
            %value_parts0_2 = vector.shape_cast %value_read0_2
              : !chunk to !row_parts
            %value_rows2 = vector.insert
              %value_parts0_2, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_turned2 = vector.transpose %value_rows2, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own2 = vector.shape_cast %value_turned2
              : !own_turned to !own_operand
      %value_read0_3 = vector.transfer_read %value_rows[%own_place0, %column3],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
            %value_parts0_3 = vector.shape_cast %value_read0_3
              : !chunk to !row_parts
            %value_rows3 = vector.insert
              %value_parts0_3, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_turned3 = vector.transpose %value_rows3, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own3 = vector.shape_cast %value_turned3
              : !own_turned to !own_operand
      %token_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %position0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %first_seen0 = affine.max affine_map<(p) -> (p - 0, 0)>(%position0)
      %seen0 = affine.min affine_map<(p, f, n)
        -> (n - f)>(
          %position0, %first_seen0, %step_len)
      %seen_any0 = arith.maxsi %seen0, %none : index
      %seen_count0 = arith.index_cast %seen_any0 : index to i32
      %seen_rows = vector.from_elements %seen_count0 : !row_bits
      %seen_counts = vector.broadcast %seen_rows : !row_bits to !score_bits
      %token_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : !score_bits
      %stands_at0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %own_of_sequence0 = affine.max affine_map<(r, o) -> (r + o, 0)>(%row_0, %own_row0)
      %own_i32_0 = arith.index_cast %own_of_sequence0 : index to i32
      %position_i32_0 = arith.index_cast %stands_at0 : index to i32
      %own_i32 = vector.from_elements %own_i32_0 : !row_bits
      %position_rows = vector.from_elements %position_i32_0 : !row_bits
      %position_everywhere = vector.broadcast %position_rows : !row_bits to !score_bits
      %sequence_here = affine.apply affine_map<(b) -> (b)>(%b)
      %wave_position = affine.apply affine_map<(r, w, s)
        -> (r + w * 16 + s)>(%row_0, %wave, %shift)
      %fetch_column = affine.apply affine_map<(l) -> (l floordiv 16 * 8)>(%lane)
      %fetch_token = affine.apply affine_map<(l) -> (l mod 16 * 2)>(%lane)
      %fetch_token_after = affine.apply affine_map<(t) -> (t + 1)>(%fetch_token)
      %lds_column0 = affine.apply affine_map<(c)
        -> ((c + 0) mod 32 floordiv 8 * 16
          + (c + 0) floordiv 32 * 1
          + (c + 0) mod 8 * 2)>(%fetch_column)
      %lds_column1 = affine.apply affine_map<(c)
        -> ((c + 1) mod 32 floordiv 8 * 16
          + (c + 1) floordiv 32 * 1
          + (c + 1) mod 8 * 2)>(%fetch_column)
      %lds_column2 = affine.apply affine_map<(c)
        -> ((c + 2) mod 32 floordiv 8 * 16
          + (c + 2) floordiv 32 * 1
          + (c + 2) mod 8 * 2)>(%fetch_column)
      %lds_column3 = affine.apply affine_map<(c)
        -> ((c + 3) mod 32 floordiv 8 * 16
          + (c + 3) floordiv 32 * 1
          + (c + 3) mod 8 * 2)>(%fetch_column)
      %lds_column4 = affine.apply affine_map<(c)
        -> ((c + 4) mod 32 floordiv 8 * 16
          + (c + 4) floordiv 32 * 1
          + (c + 4) mod 8 * 2)>(%fetch_column)
      %lds_column5 = affine.apply affine_map<(c)
        -> ((c + 5) mod 32 floordiv 8 * 16
          + (c + 5) floordiv 32 * 1
          + (c + 5) mod 8 * 2)>(%fetch_column)
      %lds_column6 = affine.apply affine_map<(c)
        -> ((c + 6) mod 32 floordiv 8 * 16
          + (c + 6) floordiv 32 * 1
          + (c + 6) mod 8 * 2)>(%fetch_column)
      %lds_column7 = affine.apply affine_map<(c)
        -> ((c + 7) mod 32 floordiv 8 * 16
          + (c + 7) floordiv 32 * 1
          + (c + 7) mod 8 * 2)>(%fetch_column)
      %token_of_index = affine.apply affine_map<(i)
        -> (i mod 2 * 8 + i floordiv 2)>(%index)
      %depth_of_group = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %scale = arith.constant dense<0.0625> : !scores
      %no_scores = arith.constant dense<0.0> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
      %no_columns = arith.constant dense<0.0> : !column_parts
      %places_numbers = arith.cmpi slt, %lane, %step_tokens : index
      %number_place = affine.apply affine_map<(l) -> (l mod 32)>(%lane)
        %base_first = affine.apply affine_map<(b, h)
          -> ((b * 4 + h) * 260)>(%b, %first_head)
        %token_first0 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 0, n)>(
            %begin, %lane, %last_token)
        %row_first0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first0)
        %token_first1 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 1, n)>(
            %begin, %lane, %last_token)
        %row_first1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first1)
        %query_none_first = arith.constant dense<0.0> : !fetched
        %query_first_read0 =
          vector.transfer_read %query_rows[%row_first0, %fetch_column],
          %no_element {in_bounds = [true]} : !query_rows, !access
        %query_first_1 = vector.insert %query_first_read0, %query_none_first[0]
          : !access into !fetched
        %query_first_read1 =
          vector.transfer_read %query_rows[%row_first1, %fetch_column],
          %no_element {in_bounds = [true]} : !query_rows, !access
        %query_first = vector.insert %query_first_read1, %query_first_1[1]
          : !access into !fetched
        %output_gradient_none_first = arith.constant dense<0.0> : !fetched
        %output_gradient_first_read0 =
          vector.transfer_read %output_gradient_rows[%row_first0, %fetch_column],
          %no_element {in_bounds = [true]} : !output_gradient_rows, !access
        %output_gradient_first_1 = vector.insert %output_gradient_first_read0, %output_gradient_none_first[0]
          : !access into !fetched
        %output_gradient_first_read1 =
          vector.transfer_read %output_gradient_rows[%row_first1, %fetch_column],
          %no_element {in_bounds = [true]} : !output_gradient_rows, !access
        %output_gradient_first = vector.insert %output_gradient_first_read1, %output_gradient_first_1[1]
          : !access into !fetched
        %number_token_first = affine.min
          affine_map<(t, l, n) -> (t + l mod 32, n)>(%begin, %lane, %last_token)
        %number_row_first = arith.addi %base_first, %number_token_first : index
        %lse_first = tensor.extract %lse_rows[%number_row_first] : !lse_rows
        %delta_first = tensor.extract %delta_rows[%number_row_first] : !delta_rows
      %t_done, %head_done, %acc_done0, %acc_done1,
          %query_done, %output_gradient_done, %lse_done, %delta_done =
        scf.for %i = %none to %steps step %one
          iter_args(%t0 = %begin, %head = %first_head,
            %acc0 = %no_acc,
            %acc1 = %no_acc,
            %query_here = %query_first,
            %output_gradient_here = %output_gradient_first,
            %lse_here = %lse_first,
            %delta_here = %delta_first
          ) -> (index, index, !acc, !acc, !fetched, !fetched, f32, f32) {
        %t_more = arith.addi %t0, %step_tokens : index
        %is_last_of_head = arith.cmpi sge, %t_more, %end : index
        %t_next = arith.select %is_last_of_head, %begin, %t_more : index
        %head_more = affine.min affine_map<(h, l) -> (h + 1, l)>(%head, %last_head)
        %head_next = arith.select %is_last_of_head, %head_more, %head : index
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %no_access = arith.constant dense<0.0> : !access
        %token_here0 = affine.apply affine_map<(t, f) -> (t + f + 0)>(%t0, %fetch_token)
        %is_token0 = arith.cmpi slt, %token_here0, %step_len : index
        %token_here1 = affine.apply affine_map<(t, f) -> (t + f + 1)>(%t0, %fetch_token)
        %is_token1 = arith.cmpi slt, %token_here1, %step_len : index
        %query_given0 = vector.extract %query_here[0] : !access from !fetched
        %query_row0 = arith.select %is_token0, %query_given0, %no_access : !access
        "vector.store"(%query_row0, %query_lds, %fetch_token, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %query_given1 = vector.extract %query_here[1] : !access from !fetched
        %query_row1 = arith.select %is_token1, %query_given1, %no_access : !access
        "vector.store"(%query_row1, %query_lds, %fetch_token_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %query_element0_0 = vector.extract %query_row0[0]
          : bf16 from !access
        %query_element0_1 = vector.extract %query_row1[0]
          : bf16 from !access
        %query_pair0 =
          vector.from_elements %query_element0_0, %query_element0_1 : !pair
        "vector.store"(%query_pair0, %query_columns_lds, %lds_column0, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element1_0 = vector.extract %query_row0[1]
          : bf16 from !access
        %query_element1_1 = vector.extract %query_row1[1]
          : bf16 from !access
        %query_pair1 =
          vector.from_elements %query_element1_0, %query_element1_1 : !pair
        "vector.store"(%query_pair1, %query_columns_lds, %lds_column1, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element2_0 = vector.extract %query_row0[2]
          : bf16 from !access
        %query_element2_1 = vector.extract %query_row1[2]
          : bf16 from !access
        %query_pair2 =
          vector.from_elements %query_element2_0, %query_element2_1 : !pair
        "vector.store"(%query_pair2, %query_columns_lds, %lds_column2, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element3_0 = vector.extract %query_row0[3]
          : bf16 from !access
        %query_element3_1 = vector.extract %query_row1[3]
          : bf16 from !access
        %query_pair3 =
          vector.from_elements %query_element3_0, %query_element3_1 : !pair
        "vector.store"(%query_pair3, %query_columns_lds, %lds_column3, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element4_0 = vector.extract %query_row0[4]
          : bf16 from !access
        %query_element4_1 = vector.extract %query_row1[4]
          : bf16 from !access
        %query_pair4 =
          vector.from_elements %query_element4_0, %query_element4_1 : !pair
        "vector.store"(%query_pair4, %query_columns_lds, %lds_column4, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element5_0 = vector.extract %query_row0[5]
          : bf16 from !access
        %query_element5_1 = vector.extract %query_row1[5]
          : bf16 from !access
        %query_pair5 =
          vector.from_elements %query_element5_0, %query_element5_1 : !pair
        "vector.store"(%query_pair5, %query_columns_lds, %lds_column5, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element6_0 = vector.extract %query_row0[6]
          : bf16 from !access
        %query_element6_1 = vector.extract %query_row1[6]
          : bf16 from !access
        %query_pair6 =
          vector.from_elements %query_element6_0, %query_element6_1 : !pair
        "vector.store"(%query_pair6, %query_columns_lds, %lds_column6, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element7_0 = vector.extract %query_row0[7]
          : bf16 from !access
        %query_element7_1 = vector.extract %query_row1[7]
          : bf16 from !access
        %query_pair7 =
          vector.from_elements %query_element7_0, %query_element7_1 : !pair
        "vector.store"(%query_pair7, %query_columns_lds, %lds_column7, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_given0 = vector.extract %output_gradient_here[0] : !access from !fetched
        %output_gradient_row0 = arith.select %is_token0, %output_gradient_given0, %no_access : !access
        "vector.store"(%output_gradient_row0, %output_gradient_lds, %fetch_token, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %output_gradient_given1 = vector.extract %output_gradient_here[1] : !access from !fetched
        %output_gradient_row1 = arith.select %is_token1, %output_gradient_given1, %no_access : !access
        "vector.store"(%output_gradient_row1, %output_gradient_lds, %fetch_token_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %output_gradient_element0_0 = vector.extract %output_gradient_row0[0]
          : bf16 from !access
        %output_gradient_element0_1 = vector.extract %output_gradient_row1[0]
          : bf16 from !access
        %output_gradient_pair0 =
          vector.from_elements %output_gradient_element0_0, %output_gradient_element0_1 : !pair
        "vector.store"(%output_gradient_pair0, %output_gradient_columns_lds, %lds_column0, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element1_0 = vector.extract %output_gradient_row0[1]
          : bf16 from !access
        %output_gradient_element1_1 = vector.extract %output_gradient_row1[1]
          : bf16 from !access
        %output_gradient_pair1 =
          vector.from_elements %output_gradient_element1_0, %output_gradient_element1_1 : !pair
        "vector.store"(%output_gradient_pair1, %output_gradient_columns_lds, %lds_column1, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element2_0 = vector.extract %output_gradient_row0[2]
          : bf16 from !access
        %output_gradient_element2_1 = vector.extract %output_gradient_row1[2]
          : bf16 from !access
        %output_gradient_pair2 =
          vector.from_elements %output_gradient_element2_0, %output_gradient_element2_1 : !pair
        "vector.store"(%output_gradient_pair2, %output_gradient_columns_lds, %lds_column2, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element3_0 = vector.extract %output_gradient_row0[3]
          : bf16 from !access
        %output_gradient_element3_1 = vector.extract %output_gradient_row1[3]
          : bf16 from !access
        %output_gradient_pair3 =
          vector.from_elements %output_gradient_element3_0, %output_gradient_element3_1 : !pair
        "vector.store"(%output_gradient_pair3, %output_gradient_columns_lds, %lds_column3, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element4_0 = vector.extract %output_gradient_row0[4]
          : bf16 from !access
        %output_gradient_element4_1 = vector.extract %output_gradient_row1[4]
          : bf16 from !access
        %output_gradient_pair4 =
          vector.from_elements %output_gradient_element4_0, %output_gradient_element4_1 : !pair
        "vector.store"(%output_gradient_pair4, %output_gradient_columns_lds, %lds_column4, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element5_0 = vector.extract %output_gradient_row0[5]
          : bf16 from !access
        %output_gradient_element5_1 = vector.extract %output_gradient_row1[5]
          : bf16 from !access
        %output_gradient_pair5 =
          vector.from_elements %output_gradient_element5_0, %output_gradient_element5_1 : !pair
        "vector.store"(%output_gradient_pair5, %output_gradient_columns_lds, %lds_column5, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element6_0 = vector.extract %output_gradient_row0[6]
          : bf16 from !access
        %output_gradient_element6_1 = vector.extract %output_gradient_row1[6]
          : bf16 from !access
        %output_gradient_pair6 =
          vector.from_elements %output_gradient_element6_0, %output_gradient_element6_1 : !pair
        "vector.store"(%output_gradient_pair6, %output_gradient_columns_lds, %lds_column6, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element7_0 = vector.extract %output_gradient_row0[7]
          : bf16 from !access
        %output_gradient_element7_1 = vector.extract %output_gradient_row1[7]
          : bf16 from !access
        %output_gradient_pair7 =
          vector.from_elements %output_gradient_element7_0, %output_gradient_element7_1 : !pair
        "vector.store"(%output_gradient_pair7, %output_gradient_columns_lds, %lds_column7, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %base_any_here_any = arith.mulf %lse_here, %minus_unit : f32
        %base_any_here_is_empty = arith.cmpf oeq, %lse_here, %minus_inf : f32
        %base_any_here = arith.select %base_any_here_is_empty, %minus_inf, %base_any_here_any : f32
        %number_place_here = arith.addi %t0, %number_place : index
        %is_query_here = arith.cmpi slt, %number_place_here, %step_len : index
        %base_here_here = arith.select %is_query_here, %base_any_here, %minus_inf : f32
        %delta_here_here = arith.select %is_query_here, %delta_here, %zero : f32
        scf.if %places_numbers {
          memref.store %base_here_here, %numbers_lds[%none, %number_place] : !numbers_lds
          memref.store %delta_here_here, %numbers_lds[%one, %number_place] : !numbers_lds
        }
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %base_next = affine.apply affine_map<(b, h)
          -> ((b * 4 + h) * 260)>(%b, %head_next)
        %token_next0 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 0, n)>(
            %t_next, %lane, %last_token)
        %row_next0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next0)
        %token_next1 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 1, n)>(
            %t_next, %lane, %last_token)
        %row_next1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next1)
        %query_none_next = arith.constant dense<0.0> : !fetched
        %query_next_read0 =
          vector.transfer_read %query_rows[%row_next0, %fetch_column],
          %no_element {in_bounds = [true]} : !query_rows, !access
        %query_next_1 = vector.insert %query_next_read0, %query_none_next[0]
          : !access into !fetched
        %query_next_read1 =
          vector.transfer_read %query_rows[%row_next1, %fetch_column],
          %no_element {in_bounds = [true]} : !query_rows, !access
        %query_next = vector.insert %query_next_read1, %query_next_1[1]
          : !access into !fetched
        %output_gradient_none_next = arith.constant dense<0.0> : !fetched
        %output_gradient_next_read0 =
          vector.transfer_read %output_gradient_rows[%row_next0, %fetch_column],
          %no_element {in_bounds = [true]} : !output_gradient_rows, !access
        %output_gradient_next_1 = vector.insert %output_gradient_next_read0, %output_gradient_none_next[0]
          : !access into !fetched
        %output_gradient_next_read1 =
          vector.transfer_read %output_gradient_rows[%row_next1, %fetch_column],
          %no_element {in_bounds = [true]} : !output_gradient_rows, !access
        %output_gradient_next = vector.insert %output_gradient_next_read1, %output_gradient_next_1[1]
          : !access into !fetched
        %number_token_next = affine.min
          affine_map<(t, l, n) -> (t + l mod 32, n)>(%t_next, %lane, %last_token)
        %number_row_next = arith.addi %base_next, %number_token_next : index
        %lse_next = tensor.extract %lse_rows[%number_row_next] : !lse_rows
        %delta_next = tensor.extract %delta_rows[%number_row_next] : !delta_rows
        %acc_next0, %acc_next1 = scf.for %c = %none to %step_tokens step %chunk_tokens
            iter_args(%acc_before0 = %acc0, %acc_before1 = %acc1) -> (!acc, !acc) {
          %t_chunk = arith.addi %t0, %c : index
          %before_end = arith.cmpi slt, %t_chunk, %end : index
          %first_of_wave = affine.apply affine_map<(p) -> (p - 15)>(%wave_position)
          %is_not_behind = arith.cmpi sge, %t_chunk, %first_of_wave : index
          %always = arith.constant true
          %wave_sees_1 = arith.andi %always, %before_end : i1
          %wave_sees = arith.andi %wave_sees_1, %is_not_behind : i1
          %acc_after0, %acc_after1 = scf.if %wave_sees -> (!acc, !acc) {
            %token_row0 =
              affine.apply affine_map<(c, i) -> (c + i + 0)>(%c, %token_of_index)
            %query0_0_read = "vector.load"(%query_lds, %token_row0, %column0)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %query0_0 = vector.shape_cast %query0_0_read : !chunk to !step_operand
            %score_sums0_1 = iree_codegen.inner_tiled
              ins(%query0_0, %key_own0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %query0_1_read = "vector.load"(%query_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %query0_1 = vector.shape_cast %query0_1_read : !chunk to !step_operand
            %score_sums0_2 = iree_codegen.inner_tiled
              ins(%query0_1, %key_own1) outs(%score_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %query0_2_read = "vector.load"(%query_lds, %token_row0, %column2)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %query0_2 = vector.shape_cast %query0_2_read : !chunk to !step_operand
            %score_sums0_3 = iree_codegen.inner_tiled
              ins(%query0_2, %key_own2) outs(%score_sums0_2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %query0_3_read = "vector.load"(%query_lds, %token_row0, %column3)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %query0_3 = vector.shape_cast %query0_3_read : !chunk to !step_operand
            %score_sums0 = iree_codegen.inner_tiled
              ins(%query0_3, %key_own3) outs(%score_sums0_3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %score_tile0 = vector.shape_cast %score_sums0 : !sums to !score_tile
            %scores_given = vector.insert %score_tile0, %no_scores[0]
              : !score_tile into !scores
            %output_gradient0_0_read = "vector.load"(%output_gradient_lds, %token_row0, %column0)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %output_gradient0_0 = vector.shape_cast %output_gradient0_0_read : !chunk to !step_operand
            %weight_sums0_1 = iree_codegen.inner_tiled
              ins(%output_gradient0_0, %value_own0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %output_gradient0_1_read = "vector.load"(%output_gradient_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %output_gradient0_1 = vector.shape_cast %output_gradient0_1_read : !chunk to !step_operand
            %weight_sums0_2 = iree_codegen.inner_tiled
              ins(%output_gradient0_1, %value_own1) outs(%weight_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %output_gradient0_2_read = "vector.load"(%output_gradient_lds, %token_row0, %column2)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %output_gradient0_2 = vector.shape_cast %output_gradient0_2_read : !chunk to !step_operand
            %weight_sums0_3 = iree_codegen.inner_tiled
              ins(%output_gradient0_2, %value_own2) outs(%weight_sums0_2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %output_gradient0_3_read = "vector.load"(%output_gradient_lds, %token_row0, %column3)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %output_gradient0_3 = vector.shape_cast %output_gradient0_3_read : !chunk to !step_operand
            %weight_sums0 = iree_codegen.inner_tiled
              ins(%output_gradient0_3, %value_own3) outs(%weight_sums0_3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %weight_tile0 = vector.shape_cast %weight_sums0 : !sums to !score_tile
            %weights_given = vector.insert %weight_tile0, %no_scores[0]
              : !score_tile into !scores
            %bases_token0 = affine.apply affine_map<(c, g)
              -> (c + g * 8 + 0)>(%c, %group)
            %bases_read0 =
              "vector.load"(%numbers_lds, %none, %bases_token0)
              <{alignment = 16 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %bases_tile0 = vector.broadcast %bases_read0 : !own_f32 to !score_tile
            %bases = vector.insert %bases_tile0, %no_scores[0]
              : !score_tile into !scores
            %deltas_token0 = affine.apply affine_map<(c, g)
              -> (c + g * 8 + 0)>(%c, %group)
            %deltas_read0 =
              "vector.load"(%numbers_lds, %one, %deltas_token0)
              <{alignment = 16 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %deltas_tile0 = vector.broadcast %deltas_read0 : !own_f32 to !score_tile
            %deltas = vector.insert %deltas_tile0, %no_scores[0]
              : !score_tile into !scores
            %first_token = arith.addi %t_chunk, %token_of_group : index
            %first_token_i32 = arith.index_cast %first_token : index to i32
            %first_tokens = vector.broadcast %first_token_i32 : i32 to !score_bits
            %tokens_any = arith.addi %first_tokens, %token_numbers : !score_bits
            %last_token_real = arith.maxsi %last_token, %none : index
            %last_token_i32 = arith.index_cast %last_token_real : index to i32
            %last_tokens = vector.broadcast %last_token_i32 : i32 to !score_bits
            %tokens_i32 = arith.minsi %tokens_any, %last_tokens : !score_bits
            %own_everywhere = vector.broadcast %own_i32 : !row_bits to !score_bits
            %no_numbers = arith.constant dense<0> : !score_bits
            %queries_i32 = arith.addi %tokens_i32, %no_numbers
              : !score_bits
            %keys_i32 = arith.addi %own_everywhere, %no_numbers
              : !score_bits
            %query_head = affine.apply affine_map<(h) -> (h)>(%head)
            %head_i32 = arith.index_cast %query_head : index to i32
            %batch_i32 = arith.index_cast %sequence_here : index to i32
            %parts = arith.mulf %scores_given, %scale : !scores
            %twice = arith.constant dense<2.8853900817779268> : !scores
            %exponents = arith.mulf %parts, %twice : !scores
            %exponents_flat = vector.shape_cast %exponents : !scores to !scores_flat
            %ratios_flat = llvm.call_intrinsic "llvm.exp2"(%exponents_flat)
              : (!scores_flat) -> !scores_flat
            %ratios = vector.shape_cast %ratios_flat : !scores_flat to !scores
            %unit = arith.constant 1.0 : f32
            %ratio0 = vector.extract %ratios_flat[0] : f32 from !scores_flat
            %whole0 = arith.addf %ratio0, %unit : f32
            %inverse0 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole0)
                : (f32) -> f32
            %ratio1 = vector.extract %ratios_flat[1] : f32 from !scores_flat
            %whole1 = arith.addf %ratio1, %unit : f32
            %inverse1 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole1)
                : (f32) -> f32
            %ratio2 = vector.extract %ratios_flat[2] : f32 from !scores_flat
            %whole2 = arith.addf %ratio2, %unit : f32
            %inverse2 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole2)
                : (f32) -> f32
            %ratio3 = vector.extract %ratios_flat[3] : f32 from !scores_flat
            %whole3 = arith.addf %ratio3, %unit : f32
            %inverse3 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole3)
                : (f32) -> f32
            %ratio4 = vector.extract %ratios_flat[4] : f32 from !scores_flat
            %whole4 = arith.addf %ratio4, %unit : f32
            %inverse4 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole4)
                : (f32) -> f32
            %ratio5 = vector.extract %ratios_flat[5] : f32 from !scores_flat
            %whole5 = arith.addf %ratio5, %unit : f32
            %inverse5 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole5)
                : (f32) -> f32
            %ratio6 = vector.extract %ratios_flat[6] : f32 from !scores_flat
            %whole6 = arith.addf %ratio6, %unit : f32
            %inverse6 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole6)
                : (f32) -> f32
            %ratio7 = vector.extract %ratios_flat[7] : f32 from !scores_flat
            %whole7 = arith.addf %ratio7, %unit : f32
            %inverse7 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole7)
                : (f32) -> f32
            %inverses = vector.from_elements %inverse0, %inverse1, %inverse2, %inverse3, %inverse4, %inverse5, %inverse6, %inverse7 : !scores_flat
            %inverses_here = vector.shape_cast %inverses : !scores_flat to !scores
            %minus_two = arith.constant dense<-2.0> : !scores
            %units = arith.constant dense<1.0> : !scores
            %bent = math.fma %inverses_here, %minus_two, %units : !scores
            %cap = arith.constant dense<2.0> : !scores
            %unbiased = math.fma %bent, %cap, %bases : !scores
            %bias_start = arith.constant dense<0> : !score_bits
            %bias_h = vector.broadcast %head_i32
              : i32 to !score_bits
    %bias_h_count = arith.constant 4 : index
            %bias_h_size = arith.index_cast %bias_h_count : index to i32
            %bias_h_sizes = vector.broadcast %bias_h_size : i32 to !score_bits
            %bias_h_before = arith.muli %bias_start, %bias_h_sizes : !score_bits
            %bias_places_1 = arith.addi %bias_h_before, %bias_h : !score_bits
            %bias_q = arith.addi %queries_i32, %no_numbers
              : !score_bits
    %bias_q_count = arith.constant 260 : index
            %bias_q_size = arith.index_cast %bias_q_count : index to i32
            %bias_q_sizes = vector.broadcast %bias_q_size : i32 to !score_bits
            %bias_q_before = arith.muli %bias_places_1, %bias_q_sizes : !score_bits
            %bias_places_2 = arith.addi %bias_q_before, %bias_q : !score_bits
            %bias_k = arith.addi %keys_i32, %no_numbers
              : !score_bits
    %bias_k_count = arith.constant 53 : index
            %bias_k_size = arith.index_cast %bias_k_count : index to i32
            %bias_k_sizes = vector.broadcast %bias_k_size : i32 to !score_bits
            %bias_k_before = arith.muli %bias_places_2, %bias_k_sizes : !score_bits
            %bias_places = arith.addi %bias_k_before, %bias_k : !score_bits
            %added_stored_places = vector.shape_cast %bias_places : !score_bits to vector<8xi32>
            %added_stored_place0 = vector.extract %added_stored_places[0] : i32 from vector<8xi32>
            %added_stored_at0 = arith.index_cast %added_stored_place0 : i32 to index
            %added_stored_one0 = tensor.extract %bias_elements[%added_stored_at0] : tensor<55120xbf16>
            %added_stored_place1 = vector.extract %added_stored_places[1] : i32 from vector<8xi32>
            %added_stored_at1 = arith.index_cast %added_stored_place1 : i32 to index
            %added_stored_one1 = tensor.extract %bias_elements[%added_stored_at1] : tensor<55120xbf16>
            %added_stored_place2 = vector.extract %added_stored_places[2] : i32 from vector<8xi32>
            %added_stored_at2 = arith.index_cast %added_stored_place2 : i32 to index
            %added_stored_one2 = tensor.extract %bias_elements[%added_stored_at2] : tensor<55120xbf16>
            %added_stored_place3 = vector.extract %added_stored_places[3] : i32 from vector<8xi32>
            %added_stored_at3 = arith.index_cast %added_stored_place3 : i32 to index
            %added_stored_one3 = tensor.extract %bias_elements[%added_stored_at3] : tensor<55120xbf16>
            %added_stored_place4 = vector.extract %added_stored_places[4] : i32 from vector<8xi32>
            %added_stored_at4 = arith.index_cast %added_stored_place4 : i32 to index
            %added_stored_one4 = tensor.extract %bias_elements[%added_stored_at4] : tensor<55120xbf16>
            %added_stored_place5 = vector.extract %added_stored_places[5] : i32 from vector<8xi32>
            %added_stored_at5 = arith.index_cast %added_stored_place5 : i32 to index
            %added_stored_one5 = tensor.extract %bias_elements[%added_stored_at5] : tensor<55120xbf16>
            %added_stored_place6 = vector.extract %added_stored_places[6] : i32 from vector<8xi32>
            %added_stored_at6 = arith.index_cast %added_stored_place6 : i32 to index
            %added_stored_one6 = tensor.extract %bias_elements[%added_stored_at6] : tensor<55120xbf16>
            %added_stored_place7 = vector.extract %added_stored_places[7] : i32 from vector<8xi32>
            %added_stored_at7 = arith.index_cast %added_stored_place7 : i32 to index
            %added_stored_one7 = tensor.extract %bias_elements[%added_stored_at7] : tensor<55120xbf16>
            %added_stored_ones = vector.from_elements %added_stored_one0, %added_stored_one1, %added_stored_one2, %added_stored_one3, %added_stored_one4, %added_stored_one5, %added_stored_one6, %added_stored_one7
              : vector<8xbf16>
            %added_stored = vector.shape_cast %added_stored_ones : vector<8xbf16> to !stored_scores
    %added = arith.extf %added_stored : !stored_scores to !scores
            %level = arith.addf %unbiased, %added : !scores
            %distances_i32 = arith.subi %tokens_any, %position_everywhere : !score_bits
            %distances_any = arith.sitofp %distances_i32 : !score_bits to !scores
            %distances = math.absf %distances_any : !scores
            %slope = tensor.extract %alibi_slopes[%query_head] : !alibi_slopes
            %slope_down = arith.mulf %slope, %minus_unit : f32
            %slopes = vector.broadcast %slope_down : f32 to !scores
            %natural_below = math.fma %distances, %slopes, %level : !scores
            %log2e = arith.constant dense<1.4426950408889634> : !scores
            %below = arith.mulf %natural_below, %log2e : !scores
            %below_flat = vector.shape_cast %below : !scores to !scores_flat
            %weights_any_flat = llvm.call_intrinsic "llvm.exp2"(%below_flat)
              : (!scores_flat) -> !scores_flat
            %weights_any = vector.shape_cast %weights_any_flat : !scores_flat to !scores
            %beyond = arith.subf %weights_given, %deltas : !scores
            %of_logits = arith.mulf %weights_any, %beyond : !scores
            %bend = arith.mulf %bent, %of_logits : !scores
            %bend_again = arith.mulf %bend, %bent : !scores
            %of_capped = arith.subf %of_logits, %bend_again : !scores
            %mask_start = arith.constant dense<0> : !score_bits
            %mask_b = vector.broadcast %batch_i32
              : i32 to !score_bits
    %mask_b_count = arith.constant 1 : index
            %mask_b_size = arith.index_cast %mask_b_count : index to i32
            %mask_b_sizes = vector.broadcast %mask_b_size : i32 to !score_bits
            %mask_b_before = arith.muli %mask_start, %mask_b_sizes : !score_bits
            %mask_places_1 = arith.addi %mask_b_before, %mask_b : !score_bits
            %mask_q = arith.addi %queries_i32, %no_numbers
              : !score_bits
    %mask_q_count = arith.constant 260 : index
            %mask_q_size = arith.index_cast %mask_q_count : index to i32
            %mask_q_sizes = vector.broadcast %mask_q_size : i32 to !score_bits
            %mask_q_before = arith.muli %mask_places_1, %mask_q_sizes : !score_bits
            %mask_places = arith.addi %mask_q_before, %mask_q : !score_bits
            %mask_bytes_places = vector.shape_cast %mask_places : !score_bits to vector<8xi32>
            %mask_bytes_place0 = vector.extract %mask_bytes_places[0] : i32 from vector<8xi32>
            %mask_bytes_at0 = arith.index_cast %mask_bytes_place0 : i32 to index
            %mask_bytes_one0 = tensor.extract %keep_mask_bytes[%mask_bytes_at0] : tensor<260xi8>
            %mask_bytes_place1 = vector.extract %mask_bytes_places[1] : i32 from vector<8xi32>
            %mask_bytes_at1 = arith.index_cast %mask_bytes_place1 : i32 to index
            %mask_bytes_one1 = tensor.extract %keep_mask_bytes[%mask_bytes_at1] : tensor<260xi8>
            %mask_bytes_place2 = vector.extract %mask_bytes_places[2] : i32 from vector<8xi32>
            %mask_bytes_at2 = arith.index_cast %mask_bytes_place2 : i32 to index
            %mask_bytes_one2 = tensor.extract %keep_mask_bytes[%mask_bytes_at2] : tensor<260xi8>
            %mask_bytes_place3 = vector.extract %mask_bytes_places[3] : i32 from vector<8xi32>
            %mask_bytes_at3 = arith.index_cast %mask_bytes_place3 : i32 to index
            %mask_bytes_one3 = tensor.extract %keep_mask_bytes[%mask_bytes_at3] : tensor<260xi8>
            %mask_bytes_place4 = vector.extract %mask_bytes_places[4] : i32 from vector<8xi32>
            %mask_bytes_at4 = arith.index_cast %mask_bytes_place4 : i32 to index
            %mask_bytes_one4 = tensor.extract %keep_mask_bytes[%mask_bytes_at4] : tensor<260xi8>
            %mask_bytes_place5 = vector.extract %mask_bytes_places[5] : i32 from vector<8xi32>
            %mask_bytes_at5 = arith.index_cast %mask_bytes_place5 : i32 to index
            %mask_bytes_one5 = tensor.extract %keep_mask_bytes[%mask_bytes_at5] : tensor<260xi8>
            %mask_bytes_place6 = vector.extract %mask_bytes_places[6] : i32 from vector<8xi32>
            %mask_bytes_at6 = arith.index_cast %mask_bytes_place6 : i32 to index
            %mask_bytes_one6 = tensor.extract %keep_mask_bytes[%mask_bytes_at6] : tensor<260xi8>
            %mask_bytes_place7 = vector.extract %mask_bytes_places[7] : i32 from vector<8xi32>
            %mask_bytes_at7 = arith.index_cast %mask_bytes_place7 : i32 to index
            %mask_bytes_one7 = tensor.extract %keep_mask_bytes[%mask_bytes_at7] : tensor<260xi8>
            %mask_bytes_ones = vector.from_elements %mask_bytes_one0, %mask_bytes_one1, %mask_bytes_one2, %mask_bytes_one3, %mask_bytes_one4, %mask_bytes_one5, %mask_bytes_one6, %mask_bytes_one7
              : vector<8xi8>
            %mask_bytes = vector.shape_cast %mask_bytes_ones : vector<8xi8> to vector<1x1x8xi8>
            %no_bytes = arith.constant dense<0> : vector<1x1x8xi8>
            %is_kept = arith.cmpi ne, %mask_bytes, %no_bytes : vector<1x1x8xi8>
            %hides_key = arith.constant dense<0xFF800000> : !scores
            %shows = arith.cmpf une, %added, %hides_key : !scores
            %first_of_chunk0 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen0, %t_chunk, %token_of_group)
            %first_i32_0 = arith.index_cast %first_of_chunk0 : index to i32
            %first_rows = vector.from_elements %first_i32_0 : !row_bits
            %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
            %after_first = arith.subi %token_numbers, %firsts : !score_bits
            %is_in_range =
              arith.cmpi ult, %after_first, %seen_counts : !score_bits
            %all_seen = arith.constant dense<true> : !is_seen
            %is_seen_1 = arith.andi %all_seen, %is_in_range : !is_seen
            %is_seen_2 = arith.andi %is_seen_1, %is_kept : !is_seen
            %is_seen = arith.andi %is_seen_2, %shows : !is_seen
            %weights = arith.select %is_seen, %weights_any, %no_scores : !is_seen, !scores
            %of_scores = arith.select %is_seen, %of_capped, %no_scores : !is_seen, !scores
            %depth0 =
              affine.apply affine_map<(c, d) -> (c + d + 0)>(%c, %depth_of_group)
    %weights_stored = arith.truncf %weights : !scores to !stored_scores
            %weights_flat = vector.shape_cast %weights_stored : !stored_scores to !stored_flat
            %weights_here = vector.bitcast %weights_flat : !stored_flat to !score_pairs
            %weights_here0 = vector.extract %weights_here[0] : i32 from !score_pairs
            %weights_there0, %weights_is_there0 =
              gpu.shuffle xor %weights_here0, %distance, %wave_size : i32
            %weights_here1 = vector.extract %weights_here[1] : i32 from !score_pairs
            %weights_there1, %weights_is_there1 =
              gpu.shuffle xor %weights_here1, %distance, %wave_size : i32
            %weights_here2 = vector.extract %weights_here[2] : i32 from !score_pairs
            %weights_there2, %weights_is_there2 =
              gpu.shuffle xor %weights_here2, %distance, %wave_size : i32
            %weights_here3 = vector.extract %weights_here[3] : i32 from !score_pairs
            %weights_there3, %weights_is_there3 =
              gpu.shuffle xor %weights_here3, %distance, %wave_size : i32
            %weights_there = vector.from_elements
              %weights_there0, %weights_there1, %weights_there2, %weights_there3 : !score_pairs
            %weights_group0 = arith.select %is_group0, %weights_here, %weights_there : !score_pairs
            %weights_group1 = arith.select %is_group0, %weights_there, %weights_here : !score_pairs
            %weights_pairs =
              vector.shuffle %weights_group0, %weights_group1 [0, 1, 2, 3, 4, 5, 6, 7]
              : !score_pairs, !score_pairs
            %weights_both = vector.bitcast %weights_pairs : !all_pairs to !all_stored
            %weights_operand = vector.shape_cast %weights_both : !all_stored to !weights_operand
            %output_gradient_column0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
            %output_gradient_piece0_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column0, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns0 =
              vector.insert %output_gradient_piece0_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand0 = vector.shape_cast %output_gradient_columns0
              : !column_parts to !columns_operand
            %output_gradient_so_far0 = vector.extract %acc_before0[0] : !sums from !acc
            %output_gradient_summed0 = iree_codegen.inner_tiled
              ins(%output_gradient_operand0, %weights_operand) outs(%output_gradient_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_1 = vector.insert %output_gradient_summed0, %acc_before0[0] : !sums into !acc
            %output_gradient_column1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
            %output_gradient_piece1_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column1, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns1 =
              vector.insert %output_gradient_piece1_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand1 = vector.shape_cast %output_gradient_columns1
              : !column_parts to !columns_operand
            %output_gradient_so_far1 = vector.extract %acc_added0_1[1] : !sums from !acc
            %output_gradient_summed1 = iree_codegen.inner_tiled
              ins(%output_gradient_operand1, %weights_operand) outs(%output_gradient_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_2 = vector.insert %output_gradient_summed1, %acc_added0_1[1] : !sums into !acc
            %output_gradient_column2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
            %output_gradient_piece2_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column2, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns2 =
              vector.insert %output_gradient_piece2_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand2 = vector.shape_cast %output_gradient_columns2
              : !column_parts to !columns_operand
            %output_gradient_so_far2 = vector.extract %acc_added0_2[2] : !sums from !acc
            %output_gradient_summed2 = iree_codegen.inner_tiled
              ins(%output_gradient_operand2, %weights_operand) outs(%output_gradient_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_3 = vector.insert %output_gradient_summed2, %acc_added0_2[2] : !sums into !acc
            %output_gradient_column3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
            %output_gradient_piece3_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column3, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns3 =
              vector.insert %output_gradient_piece3_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand3 = vector.shape_cast %output_gradient_columns3
              : !column_parts to !columns_operand
            %output_gradient_so_far3 = vector.extract %acc_added0_3[3] : !sums from !acc
            %output_gradient_summed3 = iree_codegen.inner_tiled
              ins(%output_gradient_operand3, %weights_operand) outs(%output_gradient_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0 = vector.insert %output_gradient_summed3, %acc_added0_3[3] : !sums into !acc
    %of_scores_stored = arith.truncf %of_scores : !scores to !stored_scores
            %of_scores_flat = vector.shape_cast %of_scores_stored : !stored_scores to !stored_flat
            %of_scores_here = vector.bitcast %of_scores_flat : !stored_flat to !score_pairs
            %of_scores_here0 = vector.extract %of_scores_here[0] : i32 from !score_pairs
            %of_scores_there0, %of_scores_is_there0 =
              gpu.shuffle xor %of_scores_here0, %distance, %wave_size : i32
            %of_scores_here1 = vector.extract %of_scores_here[1] : i32 from !score_pairs
            %of_scores_there1, %of_scores_is_there1 =
              gpu.shuffle xor %of_scores_here1, %distance, %wave_size : i32
            %of_scores_here2 = vector.extract %of_scores_here[2] : i32 from !score_pairs
            %of_scores_there2, %of_scores_is_there2 =
              gpu.shuffle xor %of_scores_here2, %distance, %wave_size : i32
            %of_scores_here3 = vector.extract %of_scores_here[3] : i32 from !score_pairs
            %of_scores_there3, %of_scores_is_there3 =
              gpu.shuffle xor %of_scores_here3, %distance, %wave_size : i32
            %of_scores_there = vector.from_elements
              %of_scores_there0, %of_scores_there1, %of_scores_there2, %of_scores_there3 : !score_pairs
            %of_scores_group0 = arith.select %is_group0, %of_scores_here, %of_scores_there : !score_pairs
            %of_scores_group1 = arith.select %is_group0, %of_scores_there, %of_scores_here : !score_pairs
            %of_scores_pairs =
              vector.shuffle %of_scores_group0, %of_scores_group1 [0, 1, 2, 3, 4, 5, 6, 7]
              : !score_pairs, !score_pairs
            %of_scores_both = vector.bitcast %of_scores_pairs : !all_pairs to !all_stored
            %of_scores_operand = vector.shape_cast %of_scores_both : !all_stored to !weights_operand
            %query_column0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
            %query_piece0_0 =
              "vector.load"(%query_columns_lds, %query_column0, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns0 =
              vector.insert %query_piece0_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand0 = vector.shape_cast %query_columns0
              : !column_parts to !columns_operand
            %query_so_far0 = vector.extract %acc_before1[0] : !sums from !acc
            %query_summed0 = iree_codegen.inner_tiled
              ins(%query_operand0, %of_scores_operand) outs(%query_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1_1 = vector.insert %query_summed0, %acc_before1[0] : !sums into !acc
            %query_column1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
            %query_piece1_0 =
              "vector.load"(%query_columns_lds, %query_column1, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns1 =
              vector.insert %query_piece1_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand1 = vector.shape_cast %query_columns1
              : !column_parts to !columns_operand
            %query_so_far1 = vector.extract %acc_added1_1[1] : !sums from !acc
            %query_summed1 = iree_codegen.inner_tiled
              ins(%query_operand1, %of_scores_operand) outs(%query_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1_2 = vector.insert %query_summed1, %acc_added1_1[1] : !sums into !acc
            %query_column2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
            %query_piece2_0 =
              "vector.load"(%query_columns_lds, %query_column2, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns2 =
              vector.insert %query_piece2_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand2 = vector.shape_cast %query_columns2
              : !column_parts to !columns_operand
            %query_so_far2 = vector.extract %acc_added1_2[2] : !sums from !acc
            %query_summed2 = iree_codegen.inner_tiled
              ins(%query_operand2, %of_scores_operand) outs(%query_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1_3 = vector.insert %query_summed2, %acc_added1_2[2] : !sums into !acc
            %query_column3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
            %query_piece3_0 =
              "vector.load"(%query_columns_lds, %query_column3, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns3 =
              vector.insert %query_piece3_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand3 = vector.shape_cast %query_columns3
              : !column_parts to !columns_operand
            %query_so_far3 = vector.extract %acc_added1_3[3] : !sums from !acc
            %query_summed3 = iree_codegen.inner_tiled
              ins(%query_operand3, %of_scores_operand) outs(%query_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1 = vector.insert %query_summed3, %acc_added1_3[3] : !sums into !acc
            scf.yield %acc_added0, %acc_added1 : !acc, !acc
          } else {
            scf.yield %acc_before0, %acc_before1 : !acc, !acc
          }
          scf.yield %acc_after0, %acc_after1 : !acc, !acc
        }
        scf.yield %t_next, %head_next, %acc_next0, %acc_next1,
            %query_next, %output_gradient_next, %lse_next, %delta_next
          : index, index, !acc, !acc, !fetched, !fetched, f32, f32
      }
      %rows_left = affine.min affine_map<(n, r) -> (n - r, 1)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %output_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %by_column0 = vector.shape_cast %acc_done0 : !acc to !acc_by_column
      %by_row0 = vector.transpose %by_column0, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums0 = vector.shape_cast %by_row0 : !acc_by_row to !result_rows
      %factor0 = arith.constant dense<1.0> : !result_rows
      %made0 = arith.mulf %sums0, %factor0 : !result_rows

      %own_tile0 = tensor.extract_slice %tile0[%first_row, %output_column]
        [%own_rows, 32] [1, 1] : !sums_tile to !own_sums_tile
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %has_row0 = arith.cmpi slt, %none, %own_rows : index
      %written0 = scf.if %has_row0 -> (!own_sums_tile) {
        %written_row0 =
          vector.transfer_write %made0, %own_tile0[%none, %none]
          {in_bounds = [false, true]} : !result_rows, !own_sums_tile
        scf.yield %written_row0 : !own_sums_tile
      } else {
        scf.yield %own_tile0 : !own_sums_tile
      }
      %by_column1 = vector.shape_cast %acc_done1 : !acc to !acc_by_column
      %by_row1 = vector.transpose %by_column1, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums1 = vector.shape_cast %by_row1 : !acc_by_row to !result_rows
      %factor1 = arith.constant dense<0.125> : !result_rows
      %made1 = arith.mulf %sums1, %factor1 : !result_rows

      %own_tile1 = tensor.extract_slice %tile1[%first_row, %output_column]
        [%own_rows, 32] [1, 1] : !sums_tile to !own_sums_tile
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %has_row1 = arith.cmpi slt, %none, %own_rows : index
      %written1 = scf.if %has_row1 -> (!own_sums_tile) {
        %written_row1 =
          vector.transfer_write %made1, %own_tile1[%none, %none]
          {in_bounds = [false, true]} : !result_rows, !own_sums_tile
        scf.yield %written_row1 : !own_sums_tile
      } else {
        scf.yield %own_tile1 : !own_sums_tile
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written0
          into %tile0[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : !own_sums_tile into !sums_tile
        tensor.parallel_insert_slice %written1
          into %tile1[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : !own_sums_tile into !sums_tile
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %value_gradient_shares_made,
      %value_gradient_shares_out,
      offsets = [%made_base, 0],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !sums_tile -> !value_gradient_shares_out
    iree_tensor_ext.dispatch.tensor.store %key_gradient_shares_made,
      %key_gradient_shares_out,
      offsets = [%made_base, 0],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !sums_tile -> !key_gradient_shares_out
    return
  }
  }
}
flow.executable private @attention_backward_of_queries {
  flow.executable.export public @attention_backward_of_queries
      workgroups() -> (index, index, index) {
    %own_count = arith.constant 260 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %heads = arith.constant 4 : index
    %sequences = arith.constant 1 : index
    flow.return %heads, %blocks, %sequences : index, index, index
  }
  builtin.module {
  func.func @attention_backward_of_queries(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %lse_rows_in: !lse_rows_in,
      %output_gradient_rows_in: !output_gradient_rows_in,
      %alibi_slopes_in: !alibi_slopes_in,
      %delta_rows_in: !delta_rows_in,
      %bias_elements_in: !bias_elements_in,
      %keep_mask_bytes_in: !keep_mask_bytes_in,
      %query_gradient_rows_out: !query_gradient_rows_out,
      %of_logits_out: !of_logits_out
    ) attributes {translation_info = #lanes} {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %chunk_tokens = arith.constant 16 : index
    %step_tokens = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %minus_unit = arith.constant -1.0 : f32
    %no_element = arith.constant 0.0 : bf16
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1040, 64], strides = [1, 1]
      : !query_rows_in -> !query_rows
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !key_rows_in -> !key_rows
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !value_rows_in -> !value_rows
    %lse_rows = iree_tensor_ext.dispatch.tensor.load %lse_rows_in,
      offsets = [0], sizes = [1040], strides = [1]
      : !lse_rows_in -> !lse_rows
    %output_gradient_rows = iree_tensor_ext.dispatch.tensor.load %output_gradient_rows_in,
      offsets = [0, 0], sizes = [1040, 64], strides = [1, 1]
      : !output_gradient_rows_in -> !output_gradient_rows
    %alibi_slopes = iree_tensor_ext.dispatch.tensor.load %alibi_slopes_in,
      offsets = [0], sizes = [4], strides = [1]
      : !alibi_slopes_in -> !alibi_slopes
    %delta_rows = iree_tensor_ext.dispatch.tensor.load %delta_rows_in,
      offsets = [0], sizes = [1040], strides = [1]
      : !delta_rows_in -> !delta_rows
    %bias_elements = iree_tensor_ext.dispatch.tensor.load %bias_elements_in,
      offsets = [0], sizes = [55120], strides = [1]
      : !bias_elements_in -> !bias_elements
    %keep_mask_bytes = iree_tensor_ext.dispatch.tensor.load %keep_mask_bytes_in,
      offsets = [0], sizes = [260], strides = [1]
      : !keep_mask_bytes_in -> !keep_mask_bytes
    %own_count = arith.constant 260 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %block_any = flow.dispatch.workgroup.id[1] : index
    // The last queries see most keys: they begin.
    %block = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%block_any)[%blocks]
    %x = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %row_0 = affine.apply affine_map<(i) -> (i * 64)>(%block)
    %own_len = arith.constant 260 : index
    %step_len = arith.constant 53 : index
    %shift = arith.constant -207 : index
    %last_token = arith.constant 52 : index
    %own_base = affine.apply affine_map<(b, x, r)
      -> ((b * 4 + x) * 260 + r)>(%b, %x, %row_0)
    %rows_to_end = affine.min affine_map<(r, n) -> (64, n - r)>(%row_0, %own_len)
    %rows_here = arith.maxsi %rows_to_end, %none : index
    %first_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %begin = arith.constant 0 : index
    %end = affine.min affine_map<(r, n, s, l) -> (r + n + s + 0, l)>(
      %row_0, %rows_here, %shift, %step_len)
    %steps_any = affine.apply affine_map<(f, e) -> ((e - f) ceildiv 32)>(%begin, %end)
    %steps_of_head = arith.maxsi %steps_any, %none : index
    %steps = affine.apply affine_map<(n) -> (n * 1)>(%steps_of_head)
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %key_columns_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}>
      : () -> !columns_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %empty0 = tensor.empty(%rows_here) : !tile
    %empty_logits = tensor.empty(%rows_here) : !logits_tile
    %query_gradient_rows_made, %of_logits_made =
      scf.forall (%lane) in (128)
        shared_outs(
          %tile0 = %empty0,
          %tile_logits = %empty_logits
        ) -> (!tile, !logits_tile) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      %is_group0 = arith.cmpi eq, %group, %none : index
      %distance = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %first_row =
        affine.apply affine_map<(w, i) -> (w * 16 + i * 1)>(%wave, %index)
      %chunk_column = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %no_own = arith.constant dense<0.0> : !own_parts
      %own_row0 = affine.min affine_map<(r, n) -> (r + 0, n - 1)>(%first_row, %rows_here)
      %own_place0 = arith.addi %own_base, %own_row0 : index
      %column0 = affine.apply affine_map<(c) -> (c + 0)>(%chunk_column)
      %column1 = affine.apply affine_map<(c) -> (c + 16)>(%chunk_column)
      %column2 = affine.apply affine_map<(c) -> (c + 32)>(%chunk_column)
      %column3 = affine.apply affine_map<(c) -> (c + 48)>(%chunk_column)
      %query_read0_0 = vector.transfer_read %query_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
            %query_parts0_0 = vector.shape_cast %query_read0_0
              : !chunk to !row_parts
            %query_rows0 = vector.insert
              %query_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_turned0 = vector.transpose %query_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own0 = vector.shape_cast %query_turned0
              : !own_turned to !own_operand
      %query_read0_1 = vector.transfer_read %query_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
            %query_parts0_1 = vector.shape_cast %query_read0_1
              : !chunk to !row_parts
            %query_rows1 = vector.insert
              %query_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_turned1 = vector.transpose %query_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own1 = vector.shape_cast %query_turned1
              : !own_turned to !own_operand
      %query_read0_2 = vector.transfer_read %query_rows[%own_place0, %column2],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
            %query_parts0_2 = vector.shape_cast %query_read0_2
              : !chunk to !row_parts
            %query_rows2 = vector.insert
              %query_parts0_2, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_turned2 = vector.transpose %query_rows2, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own2 = vector.shape_cast %query_turned2
              : !own_turned to !own_operand
      %query_read0_3 = vector.transfer_read %query_rows[%own_place0, %column3],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
            %query_parts0_3 = vector.shape_cast %query_read0_3
              : !chunk to !row_parts
            %query_rows3 = vector.insert
              %query_parts0_3, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_turned3 = vector.transpose %query_rows3, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own3 = vector.shape_cast %query_turned3
              : !own_turned to !own_operand
      %output_gradient_read0_0 = vector.transfer_read %output_gradient_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
            %output_gradient_parts0_0 = vector.shape_cast %output_gradient_read0_0
              : !chunk to !row_parts
            %output_gradient_rows0 = vector.insert
              %output_gradient_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_turned0 = vector.transpose %output_gradient_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own0 = vector.shape_cast %output_gradient_turned0
              : !own_turned to !own_operand
      %output_gradient_read0_1 = vector.transfer_read %output_gradient_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
            %output_gradient_parts0_1 = vector.shape_cast %output_gradient_read0_1
              : !chunk to !row_parts
            %output_gradient_rows1 = vector.insert
              %output_gradient_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_turned1 = vector.transpose %output_gradient_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own1 = vector.shape_cast %output_gradient_turned1
              : !own_turned to !own_operand
      %output_gradient_read0_2 = vector.transfer_read %output_gradient_rows[%own_place0, %column2],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
            %output_gradient_parts0_2 = vector.shape_cast %output_gradient_read0_2
              : !chunk to !row_parts
            %output_gradient_rows2 = vector.insert
              %output_gradient_parts0_2, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_turned2 = vector.transpose %output_gradient_rows2, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own2 = vector.shape_cast %output_gradient_turned2
              : !own_turned to !own_operand
      %output_gradient_read0_3 = vector.transfer_read %output_gradient_rows[%own_place0, %column3],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
            %output_gradient_parts0_3 = vector.shape_cast %output_gradient_read0_3
              : !chunk to !row_parts
            %output_gradient_rows3 = vector.insert
              %output_gradient_parts0_3, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_turned3 = vector.transpose %output_gradient_rows3, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own3 = vector.shape_cast %output_gradient_turned3
              : !own_turned to !own_operand
      %own_number0 = affine.apply affine_map<(p) -> (p)>(%own_place0)
      %lse0 = tensor.extract %lse_rows[%own_number0] : !lse_rows
        %base0_any = arith.mulf %lse0, %minus_unit : f32
        %base0_is_empty = arith.cmpf oeq, %lse0, %minus_inf : f32
        %base0 = arith.select %base0_is_empty, %minus_inf, %base0_any : f32
      %delta0 = tensor.extract %delta_rows[%own_number0] : !delta_rows
      %base_rows = vector.from_elements %base0 : !row_numbers_of_lane
      %bases = vector.broadcast %base_rows : !row_numbers_of_lane to !scores
      %delta_of_rows = vector.from_elements %delta0 : !row_numbers_of_lane
      %deltas = vector.broadcast %delta_of_rows : !row_numbers_of_lane to !scores
      %token_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %position0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %first_seen0 = arith.constant 0 : index
      %seen0 = affine.min affine_map<(p, f, n)
        -> (p - f + 1, n - f)>(
          %position0, %first_seen0, %step_len)
      %seen_any0 = arith.maxsi %seen0, %none : index
      %seen_count0 = arith.index_cast %seen_any0 : index to i32
      %seen_rows = vector.from_elements %seen_count0 : !row_bits
      %seen_counts = vector.broadcast %seen_rows : !row_bits to !score_bits
      %token_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : !score_bits
      %stands_at0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %own_of_sequence0 = affine.max affine_map<(r, o) -> (r + o, 0)>(%row_0, %own_row0)
      %own_i32_0 = arith.index_cast %own_of_sequence0 : index to i32
      %position_i32_0 = arith.index_cast %stands_at0 : index to i32
      %own_i32 = vector.from_elements %own_i32_0 : !row_bits
      %position_rows = vector.from_elements %position_i32_0 : !row_bits
      %position_everywhere = vector.broadcast %position_rows : !row_bits to !score_bits
      %sequence_here = affine.apply affine_map<(b) -> (b)>(%b)
      %wave_position = affine.apply affine_map<(r, w, s)
        -> (r + w * 16 + s)>(%row_0, %wave, %shift)
      %fetch_column = affine.apply affine_map<(l) -> (l floordiv 16 * 8)>(%lane)
      %fetch_token = affine.apply affine_map<(l) -> (l mod 16 * 2)>(%lane)
      %fetch_token_after = affine.apply affine_map<(t) -> (t + 1)>(%fetch_token)
      %lds_column0 = affine.apply affine_map<(c)
        -> ((c + 0) mod 32 floordiv 8 * 16
          + (c + 0) floordiv 32 * 1
          + (c + 0) mod 8 * 2)>(%fetch_column)
      %lds_column1 = affine.apply affine_map<(c)
        -> ((c + 1) mod 32 floordiv 8 * 16
          + (c + 1) floordiv 32 * 1
          + (c + 1) mod 8 * 2)>(%fetch_column)
      %lds_column2 = affine.apply affine_map<(c)
        -> ((c + 2) mod 32 floordiv 8 * 16
          + (c + 2) floordiv 32 * 1
          + (c + 2) mod 8 * 2)>(%fetch_column)
      %lds_column3 = affine.apply affine_map<(c)
        -> ((c + 3) mod 32 floordiv 8 * 16
          + (c + 3) floordiv 32 * 1
          + (c + 3) mod 8 * 2)>(%fetch_column)
      %lds_column4 = affine.apply affine_map<(c)
        -> ((c + 4) mod 32 floordiv 8 * 16
          + (c + 4) floordiv 32 * 1
          + (c + 4) mod 8 * 2)>(%fetch_column)
      %lds_column5 = affine.apply affine_map<(c)
        -> ((c + 5) mod 32 floordiv 8 * 16
          + (c + 5) floordiv 32 * 1
          + (c + 5) mod 8 * 2)>(%fetch_column)
      %lds_column6 = affine.apply affine_map<(c)
        -> ((c + 6) mod 32 floordiv 8 * 16
          + (c + 6) floordiv 32 * 1
          + (c + 6) mod 8 * 2)>(%fetch_column)
      %lds_column7 = affine.apply affine_map<(c)
        -> ((c + 7) mod 32 floordiv 8 * 16
          + (c + 7) floordiv 32 * 1
          + (c + 7) mod 8 * 2)>(%fetch_column)
      %token_of_index = affine.apply affine_map<(i)
        -> (i mod 2 * 8 + i floordiv 2)>(%index)
      %depth_of_group = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %scale = arith.constant dense<0.0625> : !scores
      %no_scores = arith.constant dense<0.0> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
      %no_columns = arith.constant dense<0.0> : !column_parts
        %base_first = affine.apply affine_map<(b, h)
          -> ((b * 1 + h) * 53)>(%b, %first_head)
        %token_first0 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 0, n)>(
            %begin, %lane, %last_token)
        %row_first0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first0)
        %token_first1 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 1, n)>(
            %begin, %lane, %last_token)
        %row_first1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first1)
        %key_none_first = arith.constant dense<0.0> : !fetched
        %key_first_read0 =
          vector.transfer_read %key_rows[%row_first0, %fetch_column],
          %no_element {in_bounds = [true]} : !key_rows, !access
        %key_first_1 = vector.insert %key_first_read0, %key_none_first[0]
          : !access into !fetched
        %key_first_read1 =
          vector.transfer_read %key_rows[%row_first1, %fetch_column],
          %no_element {in_bounds = [true]} : !key_rows, !access
        %key_first = vector.insert %key_first_read1, %key_first_1[1]
          : !access into !fetched
        %value_none_first = arith.constant dense<0.0> : !fetched
        %value_first_read0 =
          vector.transfer_read %value_rows[%row_first0, %fetch_column],
          %no_element {in_bounds = [true]} : !value_rows, !access
        %value_first_1 = vector.insert %value_first_read0, %value_none_first[0]
          : !access into !fetched
        %value_first_read1 =
          vector.transfer_read %value_rows[%row_first1, %fetch_column],
          %no_element {in_bounds = [true]} : !value_rows, !access
        %value_first = vector.insert %value_first_read1, %value_first_1[1]
          : !access into !fetched
      // The lane's gradients of logits: zeros where no score is made.
      %logit_rows_left = affine.min affine_map<(n, r) -> (n - r, 1)>(%rows_here, %first_row)
      %logit_rows = arith.maxsi %logit_rows_left, %none : index
      %has_logits = arith.cmpi slt, %none, %logit_rows : index
      %logits_empty = tensor.extract_slice %tile_logits[%first_row, 0, 0, %group, 0]
        [%logit_rows, 4, 1, 1, 8] [1, 1, 1, 1, 1]
        : !logits_tile to !own_logits
      %no_logits = arith.constant dense<0.0> : !logit_rows
      %logit_chunks = arith.constant 4 : index
      %zero_logits = scf.for %n = %none to %logit_chunks step %one iter_args(%before = %logits_empty)
          -> !own_logits {
            %with_zeros = scf.if %has_logits -> (!own_logits) {
            %with_zeros_row = vector.transfer_write %no_logits,
              %before[%none, %n, %none, %none, %none]
              {in_bounds = [false, true, true, true, true]}
              : !logit_rows, !own_logits
              scf.yield %with_zeros_row : !own_logits
            } else {
              scf.yield %before : !own_logits
            }
        scf.yield %with_zeros : !own_logits
      }
      %t_done, %head_done, %acc_done0, %acc_done_logits,
          %key_done, %value_done =
        scf.for %i = %none to %steps step %one
          iter_args(%t0 = %begin, %head = %first_head,
            %acc0 = %no_acc,
            %acc_logits = %zero_logits,
            %key_here = %key_first,
            %value_here = %value_first
          ) -> (index, index, !acc, !own_logits, !fetched, !fetched) {
        %t_more = arith.addi %t0, %step_tokens : index
        %t_next = affine.apply affine_map<(t) -> (t)>(%t_more)
        %head_next = affine.apply affine_map<(h) -> (h)>(%head)
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %no_access = arith.constant dense<0.0> : !access
        %token_here0 = affine.apply affine_map<(t, f) -> (t + f + 0)>(%t0, %fetch_token)
        %is_token0 = arith.cmpi slt, %token_here0, %step_len : index
        %token_here1 = affine.apply affine_map<(t, f) -> (t + f + 1)>(%t0, %fetch_token)
        %is_token1 = arith.cmpi slt, %token_here1, %step_len : index
        %key_given0 = vector.extract %key_here[0] : !access from !fetched
        %key_row0 = arith.select %is_token0, %key_given0, %no_access : !access
        "vector.store"(%key_row0, %key_lds, %fetch_token, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %key_given1 = vector.extract %key_here[1] : !access from !fetched
        %key_row1 = arith.select %is_token1, %key_given1, %no_access : !access
        "vector.store"(%key_row1, %key_lds, %fetch_token_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %key_element0_0 = vector.extract %key_row0[0]
          : bf16 from !access
        %key_element0_1 = vector.extract %key_row1[0]
          : bf16 from !access
        %key_pair0 =
          vector.from_elements %key_element0_0, %key_element0_1 : !pair
        "vector.store"(%key_pair0, %key_columns_lds, %lds_column0, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element1_0 = vector.extract %key_row0[1]
          : bf16 from !access
        %key_element1_1 = vector.extract %key_row1[1]
          : bf16 from !access
        %key_pair1 =
          vector.from_elements %key_element1_0, %key_element1_1 : !pair
        "vector.store"(%key_pair1, %key_columns_lds, %lds_column1, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element2_0 = vector.extract %key_row0[2]
          : bf16 from !access
        %key_element2_1 = vector.extract %key_row1[2]
          : bf16 from !access
        %key_pair2 =
          vector.from_elements %key_element2_0, %key_element2_1 : !pair
        "vector.store"(%key_pair2, %key_columns_lds, %lds_column2, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element3_0 = vector.extract %key_row0[3]
          : bf16 from !access
        %key_element3_1 = vector.extract %key_row1[3]
          : bf16 from !access
        %key_pair3 =
          vector.from_elements %key_element3_0, %key_element3_1 : !pair
        "vector.store"(%key_pair3, %key_columns_lds, %lds_column3, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element4_0 = vector.extract %key_row0[4]
          : bf16 from !access
        %key_element4_1 = vector.extract %key_row1[4]
          : bf16 from !access
        %key_pair4 =
          vector.from_elements %key_element4_0, %key_element4_1 : !pair
        "vector.store"(%key_pair4, %key_columns_lds, %lds_column4, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element5_0 = vector.extract %key_row0[5]
          : bf16 from !access
        %key_element5_1 = vector.extract %key_row1[5]
          : bf16 from !access
        %key_pair5 =
          vector.from_elements %key_element5_0, %key_element5_1 : !pair
        "vector.store"(%key_pair5, %key_columns_lds, %lds_column5, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element6_0 = vector.extract %key_row0[6]
          : bf16 from !access
        %key_element6_1 = vector.extract %key_row1[6]
          : bf16 from !access
        %key_pair6 =
          vector.from_elements %key_element6_0, %key_element6_1 : !pair
        "vector.store"(%key_pair6, %key_columns_lds, %lds_column6, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element7_0 = vector.extract %key_row0[7]
          : bf16 from !access
        %key_element7_1 = vector.extract %key_row1[7]
          : bf16 from !access
        %key_pair7 =
          vector.from_elements %key_element7_0, %key_element7_1 : !pair
        "vector.store"(%key_pair7, %key_columns_lds, %lds_column7, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %value_given0 = vector.extract %value_here[0] : !access from !fetched
        %value_row0 = arith.select %is_token0, %value_given0, %no_access : !access
        "vector.store"(%value_row0, %value_lds, %fetch_token, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %value_given1 = vector.extract %value_here[1] : !access from !fetched
        %value_row1 = arith.select %is_token1, %value_given1, %no_access : !access
        "vector.store"(%value_row1, %value_lds, %fetch_token_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %base_next = affine.apply affine_map<(b, h)
          -> ((b * 1 + h) * 53)>(%b, %head_next)
        %token_next0 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 0, n)>(
            %t_next, %lane, %last_token)
        %row_next0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next0)
        %token_next1 = affine.min
          affine_map<(t, l, n) -> (t + l mod 16 * 2 + 1, n)>(
            %t_next, %lane, %last_token)
        %row_next1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next1)
        %key_none_next = arith.constant dense<0.0> : !fetched
        %key_next_read0 =
          vector.transfer_read %key_rows[%row_next0, %fetch_column],
          %no_element {in_bounds = [true]} : !key_rows, !access
        %key_next_1 = vector.insert %key_next_read0, %key_none_next[0]
          : !access into !fetched
        %key_next_read1 =
          vector.transfer_read %key_rows[%row_next1, %fetch_column],
          %no_element {in_bounds = [true]} : !key_rows, !access
        %key_next = vector.insert %key_next_read1, %key_next_1[1]
          : !access into !fetched
        %value_none_next = arith.constant dense<0.0> : !fetched
        %value_next_read0 =
          vector.transfer_read %value_rows[%row_next0, %fetch_column],
          %no_element {in_bounds = [true]} : !value_rows, !access
        %value_next_1 = vector.insert %value_next_read0, %value_none_next[0]
          : !access into !fetched
        %value_next_read1 =
          vector.transfer_read %value_rows[%row_next1, %fetch_column],
          %no_element {in_bounds = [true]} : !value_rows, !access
        %value_next = vector.insert %value_next_read1, %value_next_1[1]
          : !access into !fetched
        %acc_next0, %acc_next_logits = scf.for %c = %none to %step_tokens step %chunk_tokens
            iter_args(%acc_before0 = %acc0, %acc_before_logits = %acc_logits) -> (!acc, !own_logits) {
          %t_chunk = arith.addi %t0, %c : index
          %before_end = arith.cmpi slt, %t_chunk, %end : index
          %last_of_wave =
            affine.apply affine_map<(p) -> (p + 15)>(%wave_position)
          %is_not_ahead = arith.cmpi sle, %t_chunk, %last_of_wave : index
          %always = arith.constant true
          %wave_sees_1 = arith.andi %always, %before_end : i1
          %wave_sees = arith.andi %wave_sees_1, %is_not_ahead : i1
          %acc_after0, %acc_after_logits = scf.if %wave_sees -> (!acc, !own_logits) {
            %token_row0 =
              affine.apply affine_map<(c, i) -> (c + i + 0)>(%c, %token_of_index)
            %key0_0_read = "vector.load"(%key_lds, %token_row0, %column0)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %key0_0 = vector.shape_cast %key0_0_read : !chunk to !step_operand
            %score_sums0_1 = iree_codegen.inner_tiled
              ins(%key0_0, %query_own0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %key0_1_read = "vector.load"(%key_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %key0_1 = vector.shape_cast %key0_1_read : !chunk to !step_operand
            %score_sums0_2 = iree_codegen.inner_tiled
              ins(%key0_1, %query_own1) outs(%score_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %key0_2_read = "vector.load"(%key_lds, %token_row0, %column2)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %key0_2 = vector.shape_cast %key0_2_read : !chunk to !step_operand
            %score_sums0_3 = iree_codegen.inner_tiled
              ins(%key0_2, %query_own2) outs(%score_sums0_2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %key0_3_read = "vector.load"(%key_lds, %token_row0, %column3)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %key0_3 = vector.shape_cast %key0_3_read : !chunk to !step_operand
            %score_sums0 = iree_codegen.inner_tiled
              ins(%key0_3, %query_own3) outs(%score_sums0_3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %score_tile0 = vector.shape_cast %score_sums0 : !sums to !score_tile
            %scores_given = vector.insert %score_tile0, %no_scores[0]
              : !score_tile into !scores
            %value0_0_read = "vector.load"(%value_lds, %token_row0, %column0)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %value0_0 = vector.shape_cast %value0_0_read : !chunk to !step_operand
            %weight_sums0_1 = iree_codegen.inner_tiled
              ins(%value0_0, %output_gradient_own0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %value0_1_read = "vector.load"(%value_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %value0_1 = vector.shape_cast %value0_1_read : !chunk to !step_operand
            %weight_sums0_2 = iree_codegen.inner_tiled
              ins(%value0_1, %output_gradient_own1) outs(%weight_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %value0_2_read = "vector.load"(%value_lds, %token_row0, %column2)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %value0_2 = vector.shape_cast %value0_2_read : !chunk to !step_operand
            %weight_sums0_3 = iree_codegen.inner_tiled
              ins(%value0_2, %output_gradient_own2) outs(%weight_sums0_2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %value0_3_read = "vector.load"(%value_lds, %token_row0, %column3)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %value0_3 = vector.shape_cast %value0_3_read : !chunk to !step_operand
            %weight_sums0 = iree_codegen.inner_tiled
              ins(%value0_3, %output_gradient_own3) outs(%weight_sums0_3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %weight_tile0 = vector.shape_cast %weight_sums0 : !sums to !score_tile
            %weights_given = vector.insert %weight_tile0, %no_scores[0]
              : !score_tile into !scores
            %first_token = arith.addi %t_chunk, %token_of_group : index
            %first_token_i32 = arith.index_cast %first_token : index to i32
            %first_tokens = vector.broadcast %first_token_i32 : i32 to !score_bits
            %tokens_any = arith.addi %first_tokens, %token_numbers : !score_bits
            %last_token_real = arith.maxsi %last_token, %none : index
            %last_token_i32 = arith.index_cast %last_token_real : index to i32
            %last_tokens = vector.broadcast %last_token_i32 : i32 to !score_bits
            %tokens_i32 = arith.minsi %tokens_any, %last_tokens : !score_bits
            %own_everywhere = vector.broadcast %own_i32 : !row_bits to !score_bits
            %no_numbers = arith.constant dense<0> : !score_bits
            %queries_i32 = arith.addi %own_everywhere, %no_numbers
              : !score_bits
            %keys_i32 = arith.addi %tokens_i32, %no_numbers
              : !score_bits
            %query_head = affine.apply affine_map<(h) -> (h)>(%x)
            %head_i32 = arith.index_cast %query_head : index to i32
            %batch_i32 = arith.index_cast %sequence_here : index to i32
            %parts = arith.mulf %scores_given, %scale : !scores
            %twice = arith.constant dense<2.8853900817779268> : !scores
            %exponents = arith.mulf %parts, %twice : !scores
            %exponents_flat = vector.shape_cast %exponents : !scores to !scores_flat
            %ratios_flat = llvm.call_intrinsic "llvm.exp2"(%exponents_flat)
              : (!scores_flat) -> !scores_flat
            %ratios = vector.shape_cast %ratios_flat : !scores_flat to !scores
            %unit = arith.constant 1.0 : f32
            %ratio0 = vector.extract %ratios_flat[0] : f32 from !scores_flat
            %whole0 = arith.addf %ratio0, %unit : f32
            %inverse0 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole0)
                : (f32) -> f32
            %ratio1 = vector.extract %ratios_flat[1] : f32 from !scores_flat
            %whole1 = arith.addf %ratio1, %unit : f32
            %inverse1 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole1)
                : (f32) -> f32
            %ratio2 = vector.extract %ratios_flat[2] : f32 from !scores_flat
            %whole2 = arith.addf %ratio2, %unit : f32
            %inverse2 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole2)
                : (f32) -> f32
            %ratio3 = vector.extract %ratios_flat[3] : f32 from !scores_flat
            %whole3 = arith.addf %ratio3, %unit : f32
            %inverse3 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole3)
                : (f32) -> f32
            %ratio4 = vector.extract %ratios_flat[4] : f32 from !scores_flat
            %whole4 = arith.addf %ratio4, %unit : f32
            %inverse4 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole4)
                : (f32) -> f32
            %ratio5 = vector.extract %ratios_flat[5] : f32 from !scores_flat
            %whole5 = arith.addf %ratio5, %unit : f32
            %inverse5 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole5)
                : (f32) -> f32
            %ratio6 = vector.extract %ratios_flat[6] : f32 from !scores_flat
            %whole6 = arith.addf %ratio6, %unit : f32
            %inverse6 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole6)
                : (f32) -> f32
            %ratio7 = vector.extract %ratios_flat[7] : f32 from !scores_flat
            %whole7 = arith.addf %ratio7, %unit : f32
            %inverse7 = llvm.call_intrinsic
              "llvm.amdgcn.rcp"(%whole7)
                : (f32) -> f32
            %inverses = vector.from_elements %inverse0, %inverse1, %inverse2, %inverse3, %inverse4, %inverse5, %inverse6, %inverse7 : !scores_flat
            %inverses_here = vector.shape_cast %inverses : !scores_flat to !scores
            %minus_two = arith.constant dense<-2.0> : !scores
            %units = arith.constant dense<1.0> : !scores
            %bent = math.fma %inverses_here, %minus_two, %units : !scores
            %cap = arith.constant dense<2.0> : !scores
            %unbiased = math.fma %bent, %cap, %bases : !scores
            %bias_start = arith.constant dense<0> : !score_bits
            %bias_h = vector.broadcast %head_i32
              : i32 to !score_bits
    %bias_h_count = arith.constant 4 : index
            %bias_h_size = arith.index_cast %bias_h_count : index to i32
            %bias_h_sizes = vector.broadcast %bias_h_size : i32 to !score_bits
            %bias_h_before = arith.muli %bias_start, %bias_h_sizes : !score_bits
            %bias_places_1 = arith.addi %bias_h_before, %bias_h : !score_bits
            %bias_q = arith.addi %queries_i32, %no_numbers
              : !score_bits
    %bias_q_count = arith.constant 260 : index
            %bias_q_size = arith.index_cast %bias_q_count : index to i32
            %bias_q_sizes = vector.broadcast %bias_q_size : i32 to !score_bits
            %bias_q_before = arith.muli %bias_places_1, %bias_q_sizes : !score_bits
            %bias_places_2 = arith.addi %bias_q_before, %bias_q : !score_bits
            %bias_k = arith.addi %keys_i32, %no_numbers
              : !score_bits
    %bias_k_count = arith.constant 53 : index
            %bias_k_size = arith.index_cast %bias_k_count : index to i32
            %bias_k_sizes = vector.broadcast %bias_k_size : i32 to !score_bits
            %bias_k_before = arith.muli %bias_places_2, %bias_k_sizes : !score_bits
            %bias_places = arith.addi %bias_k_before, %bias_k : !score_bits
            %added_stored_places = vector.shape_cast %bias_places : !score_bits to vector<8xi32>
            %added_stored_place0 = vector.extract %added_stored_places[0] : i32 from vector<8xi32>
            %added_stored_at0 = arith.index_cast %added_stored_place0 : i32 to index
            %added_stored_one0 = tensor.extract %bias_elements[%added_stored_at0] : tensor<55120xbf16>
            %added_stored_place1 = vector.extract %added_stored_places[1] : i32 from vector<8xi32>
            %added_stored_at1 = arith.index_cast %added_stored_place1 : i32 to index
            %added_stored_one1 = tensor.extract %bias_elements[%added_stored_at1] : tensor<55120xbf16>
            %added_stored_place2 = vector.extract %added_stored_places[2] : i32 from vector<8xi32>
            %added_stored_at2 = arith.index_cast %added_stored_place2 : i32 to index
            %added_stored_one2 = tensor.extract %bias_elements[%added_stored_at2] : tensor<55120xbf16>
            %added_stored_place3 = vector.extract %added_stored_places[3] : i32 from vector<8xi32>
            %added_stored_at3 = arith.index_cast %added_stored_place3 : i32 to index
            %added_stored_one3 = tensor.extract %bias_elements[%added_stored_at3] : tensor<55120xbf16>
            %added_stored_place4 = vector.extract %added_stored_places[4] : i32 from vector<8xi32>
            %added_stored_at4 = arith.index_cast %added_stored_place4 : i32 to index
            %added_stored_one4 = tensor.extract %bias_elements[%added_stored_at4] : tensor<55120xbf16>
            %added_stored_place5 = vector.extract %added_stored_places[5] : i32 from vector<8xi32>
            %added_stored_at5 = arith.index_cast %added_stored_place5 : i32 to index
            %added_stored_one5 = tensor.extract %bias_elements[%added_stored_at5] : tensor<55120xbf16>
            %added_stored_place6 = vector.extract %added_stored_places[6] : i32 from vector<8xi32>
            %added_stored_at6 = arith.index_cast %added_stored_place6 : i32 to index
            %added_stored_one6 = tensor.extract %bias_elements[%added_stored_at6] : tensor<55120xbf16>
            %added_stored_place7 = vector.extract %added_stored_places[7] : i32 from vector<8xi32>
            %added_stored_at7 = arith.index_cast %added_stored_place7 : i32 to index
            %added_stored_one7 = tensor.extract %bias_elements[%added_stored_at7] : tensor<55120xbf16>
            %added_stored_ones = vector.from_elements %added_stored_one0, %added_stored_one1, %added_stored_one2, %added_stored_one3, %added_stored_one4, %added_stored_one5, %added_stored_one6, %added_stored_one7
              : vector<8xbf16>
            %added_stored = vector.shape_cast %added_stored_ones : vector<8xbf16> to !stored_scores
    %added = arith.extf %added_stored : !stored_scores to !scores
            %level = arith.addf %unbiased, %added : !scores
            %distances_i32 = arith.subi %tokens_any, %position_everywhere : !score_bits
            %distances_any = arith.sitofp %distances_i32 : !score_bits to !scores
            %distances = math.absf %distances_any : !scores
            %slope = tensor.extract %alibi_slopes[%query_head] : !alibi_slopes
            %slope_down = arith.mulf %slope, %minus_unit : f32
            %slopes = vector.broadcast %slope_down : f32 to !scores
            %natural_below = math.fma %distances, %slopes, %level : !scores
            %log2e = arith.constant dense<1.4426950408889634> : !scores
            %below = arith.mulf %natural_below, %log2e : !scores
            %below_flat = vector.shape_cast %below : !scores to !scores_flat
            %weights_any_flat = llvm.call_intrinsic "llvm.exp2"(%below_flat)
              : (!scores_flat) -> !scores_flat
            %weights_any = vector.shape_cast %weights_any_flat : !scores_flat to !scores
            %beyond = arith.subf %weights_given, %deltas : !scores
            %of_logits = arith.mulf %weights_any, %beyond : !scores
            %bend = arith.mulf %bent, %of_logits : !scores
            %bend_again = arith.mulf %bend, %bent : !scores
            %of_capped = arith.subf %of_logits, %bend_again : !scores
            %mask_start = arith.constant dense<0> : !score_bits
            %mask_b = vector.broadcast %batch_i32
              : i32 to !score_bits
    %mask_b_count = arith.constant 1 : index
            %mask_b_size = arith.index_cast %mask_b_count : index to i32
            %mask_b_sizes = vector.broadcast %mask_b_size : i32 to !score_bits
            %mask_b_before = arith.muli %mask_start, %mask_b_sizes : !score_bits
            %mask_places_1 = arith.addi %mask_b_before, %mask_b : !score_bits
            %mask_q = arith.addi %queries_i32, %no_numbers
              : !score_bits
    %mask_q_count = arith.constant 260 : index
            %mask_q_size = arith.index_cast %mask_q_count : index to i32
            %mask_q_sizes = vector.broadcast %mask_q_size : i32 to !score_bits
            %mask_q_before = arith.muli %mask_places_1, %mask_q_sizes : !score_bits
            %mask_places = arith.addi %mask_q_before, %mask_q : !score_bits
            %mask_bytes_places = vector.shape_cast %mask_places : !score_bits to vector<8xi32>
            %mask_bytes_place0 = vector.extract %mask_bytes_places[0] : i32 from vector<8xi32>
            %mask_bytes_at0 = arith.index_cast %mask_bytes_place0 : i32 to index
            %mask_bytes_one0 = tensor.extract %keep_mask_bytes[%mask_bytes_at0] : tensor<260xi8>
            %mask_bytes_place1 = vector.extract %mask_bytes_places[1] : i32 from vector<8xi32>
            %mask_bytes_at1 = arith.index_cast %mask_bytes_place1 : i32 to index
            %mask_bytes_one1 = tensor.extract %keep_mask_bytes[%mask_bytes_at1] : tensor<260xi8>
            %mask_bytes_place2 = vector.extract %mask_bytes_places[2] : i32 from vector<8xi32>
            %mask_bytes_at2 = arith.index_cast %mask_bytes_place2 : i32 to index
            %mask_bytes_one2 = tensor.extract %keep_mask_bytes[%mask_bytes_at2] : tensor<260xi8>
            %mask_bytes_place3 = vector.extract %mask_bytes_places[3] : i32 from vector<8xi32>
            %mask_bytes_at3 = arith.index_cast %mask_bytes_place3 : i32 to index
            %mask_bytes_one3 = tensor.extract %keep_mask_bytes[%mask_bytes_at3] : tensor<260xi8>
            %mask_bytes_place4 = vector.extract %mask_bytes_places[4] : i32 from vector<8xi32>
            %mask_bytes_at4 = arith.index_cast %mask_bytes_place4 : i32 to index
            %mask_bytes_one4 = tensor.extract %keep_mask_bytes[%mask_bytes_at4] : tensor<260xi8>
            %mask_bytes_place5 = vector.extract %mask_bytes_places[5] : i32 from vector<8xi32>
            %mask_bytes_at5 = arith.index_cast %mask_bytes_place5 : i32 to index
            %mask_bytes_one5 = tensor.extract %keep_mask_bytes[%mask_bytes_at5] : tensor<260xi8>
            %mask_bytes_place6 = vector.extract %mask_bytes_places[6] : i32 from vector<8xi32>
            %mask_bytes_at6 = arith.index_cast %mask_bytes_place6 : i32 to index
            %mask_bytes_one6 = tensor.extract %keep_mask_bytes[%mask_bytes_at6] : tensor<260xi8>
            %mask_bytes_place7 = vector.extract %mask_bytes_places[7] : i32 from vector<8xi32>
            %mask_bytes_at7 = arith.index_cast %mask_bytes_place7 : i32 to index
            %mask_bytes_one7 = tensor.extract %keep_mask_bytes[%mask_bytes_at7] : tensor<260xi8>
            %mask_bytes_ones = vector.from_elements %mask_bytes_one0, %mask_bytes_one1, %mask_bytes_one2, %mask_bytes_one3, %mask_bytes_one4, %mask_bytes_one5, %mask_bytes_one6, %mask_bytes_one7
              : vector<8xi8>
            %mask_bytes = vector.shape_cast %mask_bytes_ones : vector<8xi8> to vector<1x1x8xi8>
            %no_bytes = arith.constant dense<0> : vector<1x1x8xi8>
            %is_kept = arith.cmpi ne, %mask_bytes, %no_bytes : vector<1x1x8xi8>
            %hides_key = arith.constant dense<0xFF800000> : !scores
            %shows = arith.cmpf une, %added, %hides_key : !scores
            %first_of_chunk0 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen0, %t_chunk, %token_of_group)
            %first_i32_0 = arith.index_cast %first_of_chunk0 : index to i32
            %first_rows = vector.from_elements %first_i32_0 : !row_bits
            %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
            %after_first = arith.subi %token_numbers, %firsts : !score_bits
            %is_in_range =
              arith.cmpi ult, %after_first, %seen_counts : !score_bits
            %all_seen = arith.constant dense<true> : !is_seen
            %is_seen_1 = arith.andi %all_seen, %is_in_range : !is_seen
            %is_seen_2 = arith.andi %is_seen_1, %is_kept : !is_seen
            %is_seen = arith.andi %is_seen_2, %shows : !is_seen
            %weights = arith.select %is_seen, %weights_any, %no_scores : !is_seen, !scores
            %of_scores = arith.select %is_seen, %of_capped, %no_scores : !is_seen, !scores
            %logits_seen = arith.select %is_seen, %of_logits, %no_scores : !is_seen, !scores
            %logits_by_row = vector.transpose %logits_seen, [1, 0, 2] : !logit_scores to !logits_by_row
            %logits_here = vector.shape_cast %logits_by_row : !logits_by_row to !logit_rows
            %logit_chunk = affine.apply affine_map<(t) -> (t floordiv 16)>(%t_chunk)
            %acc_added_logits = scf.if %has_logits -> (!own_logits) {
            %acc_added_logits_row = vector.transfer_write %logits_here,
              %acc_before_logits[%none, %logit_chunk, %none, %none, %none]
              {in_bounds = [false, true, true, true, true]}
              : !logit_rows, !own_logits
              scf.yield %acc_added_logits_row : !own_logits
            } else {
              scf.yield %acc_before_logits : !own_logits
            }
            %depth0 =
              affine.apply affine_map<(c, d) -> (c + d + 0)>(%c, %depth_of_group)
    %of_scores_stored = arith.truncf %of_scores : !scores to !stored_scores
            %of_scores_flat = vector.shape_cast %of_scores_stored : !stored_scores to !stored_flat
            %of_scores_here = vector.bitcast %of_scores_flat : !stored_flat to !score_pairs
            %of_scores_here0 = vector.extract %of_scores_here[0] : i32 from !score_pairs
            %of_scores_there0, %of_scores_is_there0 =
              gpu.shuffle xor %of_scores_here0, %distance, %wave_size : i32
            %of_scores_here1 = vector.extract %of_scores_here[1] : i32 from !score_pairs
            %of_scores_there1, %of_scores_is_there1 =
              gpu.shuffle xor %of_scores_here1, %distance, %wave_size : i32
            %of_scores_here2 = vector.extract %of_scores_here[2] : i32 from !score_pairs
            %of_scores_there2, %of_scores_is_there2 =
              gpu.shuffle xor %of_scores_here2, %distance, %wave_size : i32
            %of_scores_here3 = vector.extract %of_scores_here[3] : i32 from !score_pairs
            %of_scores_there3, %of_scores_is_there3 =
              gpu.shuffle xor %of_scores_here3, %distance, %wave_size : i32
            %of_scores_there = vector.from_elements
              %of_scores_there0, %of_scores_there1, %of_scores_there2, %of_scores_there3 : !score_pairs
            %of_scores_group0 = arith.select %is_group0, %of_scores_here, %of_scores_there : !score_pairs
            %of_scores_group1 = arith.select %is_group0, %of_scores_there, %of_scores_here : !score_pairs
            %of_scores_pairs =
              vector.shuffle %of_scores_group0, %of_scores_group1 [0, 1, 2, 3, 4, 5, 6, 7]
              : !score_pairs, !score_pairs
            %of_scores_both = vector.bitcast %of_scores_pairs : !all_pairs to !all_stored
            %of_scores_operand = vector.shape_cast %of_scores_both : !all_stored to !weights_operand
            %key_column0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
            %key_piece0_0 =
              "vector.load"(%key_columns_lds, %key_column0, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns0 =
              vector.insert %key_piece0_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand0 = vector.shape_cast %key_columns0
              : !column_parts to !columns_operand
            %key_so_far0 = vector.extract %acc_before0[0] : !sums from !acc
            %key_summed0 = iree_codegen.inner_tiled
              ins(%key_operand0, %of_scores_operand) outs(%key_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_1 = vector.insert %key_summed0, %acc_before0[0] : !sums into !acc
            %key_column1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
            %key_piece1_0 =
              "vector.load"(%key_columns_lds, %key_column1, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns1 =
              vector.insert %key_piece1_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand1 = vector.shape_cast %key_columns1
              : !column_parts to !columns_operand
            %key_so_far1 = vector.extract %acc_added0_1[1] : !sums from !acc
            %key_summed1 = iree_codegen.inner_tiled
              ins(%key_operand1, %of_scores_operand) outs(%key_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_2 = vector.insert %key_summed1, %acc_added0_1[1] : !sums into !acc
            %key_column2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
            %key_piece2_0 =
              "vector.load"(%key_columns_lds, %key_column2, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns2 =
              vector.insert %key_piece2_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand2 = vector.shape_cast %key_columns2
              : !column_parts to !columns_operand
            %key_so_far2 = vector.extract %acc_added0_2[2] : !sums from !acc
            %key_summed2 = iree_codegen.inner_tiled
              ins(%key_operand2, %of_scores_operand) outs(%key_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_3 = vector.insert %key_summed2, %acc_added0_2[2] : !sums into !acc
            %key_column3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
            %key_piece3_0 =
              "vector.load"(%key_columns_lds, %key_column3, %depth0)
              <{alignment = 16 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns3 =
              vector.insert %key_piece3_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand3 = vector.shape_cast %key_columns3
              : !column_parts to !columns_operand
            %key_so_far3 = vector.extract %acc_added0_3[3] : !sums from !acc
            %key_summed3 = iree_codegen.inner_tiled
              ins(%key_operand3, %of_scores_operand) outs(%key_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0 = vector.insert %key_summed3, %acc_added0_3[3] : !sums into !acc
            scf.yield %acc_added0, %acc_added_logits : !acc, !own_logits
          } else {
            scf.yield %acc_before0, %acc_before_logits : !acc, !own_logits
          }
          scf.yield %acc_after0, %acc_after_logits : !acc, !own_logits
        }
        scf.yield %t_next, %head_next, %acc_next0, %acc_next_logits,
            %key_next, %value_next
          : index, index, !acc, !own_logits, !fetched, !fetched
      }
      %rows_left = affine.min affine_map<(n, r) -> (n - r, 1)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %output_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %by_column0 = vector.shape_cast %acc_done0 : !acc to !acc_by_column
      %by_row0 = vector.transpose %by_column0, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums0 = vector.shape_cast %by_row0 : !acc_by_row to !result_rows
      %factor0 = arith.constant dense<0.125> : !result_rows
      %made0 = arith.mulf %sums0, %factor0 : !result_rows
    %made0_stored = arith.truncf %made0 : !result_rows to !stored_rows
      %own_tile0 = tensor.extract_slice %tile0[%first_row, %output_column]
        [%own_rows, 32] [1, 1] : !tile to !own_tile
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %has_row0 = arith.cmpi slt, %none, %own_rows : index
      %written0 = scf.if %has_row0 -> (!own_tile) {
        %written_row0 =
          vector.transfer_write %made0_stored, %own_tile0[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
        scf.yield %written_row0 : !own_tile
      } else {
        scf.yield %own_tile0 : !own_tile
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %acc_done_logits into %tile_logits[%first_row, 0, 0, %group, 0]
          [%logit_rows, 4, 1, 1, 8] [1, 1, 1, 1, 1]
          : !own_logits into !logits_tile
        tensor.parallel_insert_slice %written0
          into %tile0[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : !own_tile into !tile
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %query_gradient_rows_made,
      %query_gradient_rows_out,
      offsets = [%own_base, 0],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !query_gradient_rows_out
    iree_tensor_ext.dispatch.tensor.store %of_logits_made, %of_logits_out,
      offsets = [%own_base, 0, 0, 0, 0],
      sizes = [%rows_here, 4, 1, 2, 8], strides = [1, 1, 1, 1, 1]
      : !logits_tile -> !of_logits_out
    return
  }
  }
}
func.func @attention_backward(%query: !query, %key: !key, %value: !value, %output: !output, %lse: !lse, %output_gradient: !output_gradient, %alibi_slopes: !alibi_slopes, %bias: !bias, %keep_mask: !keep_mask, %sinks: !sinks) -> (!query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient) {
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
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into !query_rows
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]] : !key into !key_rows
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]] : !value into !value_rows
  %output_gradient_rows = tensor.collapse_shape %output_gradient [[0, 1, 2], [3]] : !output_gradient into !output_gradient_rows
  %lse_rows = tensor.collapse_shape %lse [[0, 1, 2]] : !lse into !lse_rows
  %delta_rows = tensor.collapse_shape %delta [[0, 1, 2]] : !row_numbers into !delta_rows
  %keep_mask_i8 = arith.extui %keep_mask : !keep_mask to tensor<1x1x260x1xi8>
  %keep_mask_bytes = tensor.collapse_shape %keep_mask_i8 [[0, 1, 2, 3]]
    : tensor<1x1x260x1xi8> into !keep_mask_bytes
  %bias_elements = tensor.collapse_shape %bias [[0, 1, 2, 3]] : !bias into !bias_elements
  %value_gradient_shares, %key_gradient_shares = flow.dispatch @attention_backward_of_keys::@attention_backward_of_keys(
      %query_rows, %key_rows, %value_rows, %lse_rows, %output_gradient_rows, %alibi_slopes, %delta_rows, %bias_elements, %keep_mask_bytes)
    : (!query_rows, !key_rows, !value_rows, !lse_rows, !output_gradient_rows, !alibi_slopes, !delta_rows, !bias_elements, !keep_mask_bytes)
    -> (tensor<212x64xf32>, tensor<212x64xf32>)
  %value_gradient_sums = tensor.expand_shape %value_gradient_shares [[0, 1, 2, 3], [4]]
    output_shape [1, 1, 4, 53, 64] : tensor<212x64xf32> into !sums_of_shares
  %key_gradient_sums = tensor.expand_shape %key_gradient_shares [[0, 1, 2, 3], [4]]
    output_shape [1, 1, 4, 53, 64] : tensor<212x64xf32> into !sums_of_shares
  %no_sum = arith.constant 0.0 : f32
  %added_empty = tensor.empty() : !added
  %added_start = linalg.fill ins(%no_sum : f32) outs(%added_empty : !added) -> !added
  %value_gradient_added, %key_gradient_added = linalg.generic {
      indexing_maps = [#sums, #sums, #added, #added],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%value_gradient_sums, %key_gradient_sums : !sums_of_shares, !sums_of_shares)
      outs(%added_start, %added_start : !added, !added) {
  ^bb0(%value_gradient_sum: f32, %key_gradient_sum: f32, %value_gradient_total: f32, %key_gradient_total: f32):
    %value_gradient_more = arith.addf %value_gradient_total, %value_gradient_sum : f32
    %key_gradient_more = arith.addf %key_gradient_total, %key_gradient_sum : f32
    linalg.yield %value_gradient_more, %key_gradient_more : f32, f32
  } -> (!added, !added)
  %value_gradient_empty = tensor.empty() : !value_gradient
  %key_gradient_empty = tensor.empty() : !key_gradient
  %value_gradient, %key_gradient = linalg.generic {
      indexing_maps = [#stored, #stored, #stored, #stored],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%value_gradient_added, %key_gradient_added : !added, !added)
      outs(%value_gradient_empty, %key_gradient_empty : !value_gradient, !key_gradient) {
  ^bb0(%value_gradient_total: f32, %key_gradient_total: f32, %value_gradient_unused: bf16, %key_gradient_unused: bf16):
    %value_gradient_total_stored = arith.truncf %value_gradient_total : f32 to bf16
    %key_gradient_total_stored = arith.truncf %key_gradient_total : f32 to bf16
    linalg.yield %value_gradient_total_stored, %key_gradient_total_stored : bf16, bf16
  } -> (!value_gradient, !key_gradient)
  %query_gradient_rows, %of_logits = flow.dispatch @attention_backward_of_queries::@attention_backward_of_queries(
      %query_rows, %key_rows, %value_rows, %lse_rows, %output_gradient_rows, %alibi_slopes, %delta_rows, %bias_elements, %keep_mask_bytes)
    : (!query_rows, !key_rows, !value_rows, !lse_rows, !output_gradient_rows, !alibi_slopes, !delta_rows, !bias_elements, !keep_mask_bytes)
    -> (tensor<1040x64xbf16>, tensor<1040x4x1x2x8xf32>)
  %query_gradient = tensor.expand_shape %query_gradient_rows [[0, 1, 2], [3]]
    output_shape [1, 4, 260, 64] : tensor<1040x64xbf16> into !query_gradient
  %logits_whole = tensor.collapse_shape %of_logits [[0], [1, 2, 3, 4]]
    : tensor<1040x4x1x2x8xf32> into !logits_whole
  %logits_cut = tensor.extract_slice %logits_whole[0, 0]
    [1040, 53] [1, 1] : !logits_whole to !logits_cut
  %logits = tensor.expand_shape %logits_cut [[0, 1, 2], [3]]
    output_shape [1, 4, 260, 53] : !logits_cut into !logits
  %bias_zero = arith.constant 0.0 : f32
  %bias_sums_empty = tensor.empty() : !bias_sums
  %bias_start = linalg.fill ins(%bias_zero : f32) outs(%bias_sums_empty : !bias_sums) -> !bias_sums
  %bias_sums = linalg.generic {
      indexing_maps = [#logits, #bias_sums],
      iterator_types = ["reduction", "parallel", "parallel", "parallel"]
    } ins(%logits : !logits) outs(%bias_start : !bias_sums) {
  ^bb0(%of_logit: f32, %total: f32):
    %more = arith.addf %total, %of_logit : f32
    linalg.yield %more : f32
  } -> !bias_sums
  %bias_made_empty = tensor.empty() : !bias_made
  %bias_made = linalg.generic {
      indexing_maps = [#bias_stored, #bias_stored],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%bias_sums : !bias_sums) outs(%bias_made_empty : !bias_made) {
  ^bb0(%total: f32, %unused: bf16):
    %total_stored = arith.truncf %total : f32 to bf16
    linalg.yield %total_stored : bf16
  } -> !bias_made
  %bias_gradient = tensor.expand_shape %bias_made [[0, 1], [2], [3]]
    output_shape [1, 4, 260, 53] : !bias_made into !bias_gradient
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
    %sinks: !sinks
  ) -> (!query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient) attributes {iree.abi.model = "coarse-fences"} {
  %query_gradient, %key_gradient, %value_gradient, %bias_gradient, %sinks_gradient = func.call @attention_backward(%query, %key, %value, %output, %lse, %output_gradient, %alibi_slopes, %bias, %keep_mask, %sinks)
    : (!query, !key, !value, !output, !lse, !output_gradient, !alibi_slopes, !bias, !keep_mask, !sinks) -> (!query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient)
  util.return %query_gradient, %key_gradient, %value_gradient, %bias_gradient, %sinks_gradient : !query_gradient, !key_gradient, !value_gradient, !bias_gradient, !sinks_gradient
}
