// The gradient of attention: a kernel of keys and one of queries, of lanes. Both make scores anew, their
// weights by the log-sum-exp, and products with these.
!query = tensor<?x2x64xf16>
!key = tensor<?x1x64xf16>
!value = tensor<?x1x64xf16>
!output = tensor<?x2x64xf16>
!lse = tensor<2x?xf32>
!output_gradient = tensor<?x2x64xf16>
!cu_seqlens_q = tensor<4xi32>
!cu_seqlens_k = tensor<4xi32>
!keep_mask = tensor<2x?x?xi1>
!sinks = tensor<2xf32>
!captured_SLOPES = tensor<8xf16>
!captured_FLAGS = tensor<128x128xi1>
!query_gradient = tensor<?x2x64xf16>
!key_gradient = tensor<?x1x64xf16>
!value_gradient = tensor<?x1x64xf16>
!sinks_gradient = tensor<2xf32>
!row_numbers = tensor<2x?xf32>
#values = affine_map<(h, m, n) -> (m, h, n)>
#value_row = affine_map<(h, m, n) -> (h, m)>
#head = affine_map<(h, m) -> (h)>
#row_of_head = affine_map<(h, m) -> (h, m)>
!query_rows = tensor<?x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
!key_rows = tensor<?x64xf16>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
!value_rows = tensor<?x64xf16>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
!lse_rows = tensor<?xf32>
!lse_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>
!output_gradient_rows = tensor<?x64xf16>
!output_gradient_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!cu_seqlens_k_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!delta_rows = tensor<?xf32>
!delta_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>
!keep_mask_bytes = tensor<?xi8>
!keep_mask_bytes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi8>>
!captured_SLOPES_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf16>>
!captured_FLAGS_row = tensor<16384xi8>
!captured_FLAGS_row_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16384xi8>>
!value_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf16>>
!key_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf16>>
!query_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf16>>
!tile = tensor<?x64xf16>
!own_tile = tensor<?x16xf16>
!access = vector<8xf16>
!fetched = vector<2x8xf16>
!pair = vector<2xf16>
!chunk = vector<8xf16>
!row_parts = vector<2x1x4xf16>
!own_parts =
  vector<2x1x2x1x4xf16>
!own_turned =
  vector<2x2x1x1x4xf16>
!own_operand =
  vector<2x2x1x4xf16>
!step_operand = vector<1x2x1x4xf16>
!column_part = vector<4xf16>
!column_parts = vector<1x4xf16>
!columns_operand = vector<1x1x1x4xf16>
!weights_operand = vector<2x1x1x4xf16>
!sums = vector<1x2x1x4xf32>
!own_f32 = vector<4xf32>
!score_tile = vector<2x4xf32>
!scores = vector<1x2x4xf32>
!scores_flat = vector<8xf32>
!score_bits = vector<1x2x4xi32>
!is_seen = vector<1x2x4xi1>
!row_bits = vector<2x1xi32>
!row_flags = vector<2x1xi1>
!row_numbers_of_lane = vector<2x1xf32>
!stored_scores = vector<1x2x4xf16>
!stored_by_row = vector<2x1x4xf16>
!acc = vector<4x1x2x1x4xf32>
!acc_by_column = vector<4x2x4xf32>
!acc_by_row = vector<2x4x4xf32>
!result_rows = vector<2x16xf32>
!stored_rows = vector<2x16xf16>
!own_lds = memref<128x80xf16, #gpu.address_space<workgroup>>
!rows_lds = memref<64x80xf16,
  #gpu.address_space<workgroup>>
!columns_lds = memref<80x68xf16, #gpu.address_space<workgroup>>
!numbers_lds = memref<2x64xf32, #gpu.address_space<workgroup>>
// i row and j column of a product, k depth
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#product = affine_map<(i, j, k) -> (i, j)>
#parallel = #linalg.iterator_type<parallel>
#reduction = #linalg.iterator_type<reduction>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [256, 1, 1] subgroup_size = 64,
  {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
   iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @packed_attention_backward_of_keys {
  flow.executable.export public @packed_attention_backward_of_keys
      workgroups(%q_tokens_dim: index, %kv_tokens_dim: index, %q_tokens_by_2_dim: index, %q_tokens_kv_tokens_by_2_dim: index) -> (index, index, index) {
    %own_count = affine.apply affine_map<()[n] -> (n)>()[%kv_tokens_dim]
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 128 + 3)>()[%own_count]
    %heads = arith.constant 1 : index
    %sequences = arith.constant 1 : index
    flow.return %heads, %blocks, %sequences : index, index, index
  }
  builtin.module {
  func.func @packed_attention_backward_of_keys(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %lse_rows_in: !lse_rows_in,
      %output_gradient_rows_in: !output_gradient_rows_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %cu_seqlens_k_in: !cu_seqlens_k_in,
      %delta_rows_in: !delta_rows_in,
      %keep_mask_bytes_in: !keep_mask_bytes_in,
      %captured_SLOPES_in: !captured_SLOPES_in,
      %captured_FLAGS_row_in: !captured_FLAGS_row_in,
      %q_tokens_dim_in: index,
      %kv_tokens_dim_in: index,
      %q_tokens_by_2_dim_in: index,
      %q_tokens_kv_tokens_by_2_dim_in: index,
      %value_gradient_rows_out: !value_gradient_rows_out,
      %key_gradient_rows_out: !key_gradient_rows_out
    ) attributes {translation_info = #lanes} {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %chunk_tokens = arith.constant 16 : index
    %step_tokens = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %minus_unit = arith.constant -1.4426950408889634 : f32
    %no_element = arith.constant 0.0 : f16
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 0 : index
    %kv_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %kv_tokens_dim_in, 1 : index
    %q_tokens_by_2_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_by_2_dim_in, 2 : index
    %q_tokens_kv_tokens_by_2_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_kv_tokens_by_2_dim_in, 3 : index
    %query_rows_tied = flow.dispatch.tie_shape %query_rows_in : !query_rows_in{%q_tokens_by_2_dim}
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_tied,
      offsets = [0, 0], sizes = [%q_tokens_by_2_dim, 64], strides = [1, 1]
      : !query_rows_in{%q_tokens_by_2_dim} -> !query_rows
    %key_rows_tied = flow.dispatch.tie_shape %key_rows_in : !key_rows_in{%kv_tokens_dim}
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_tied,
      offsets = [0, 0], sizes = [%kv_tokens_dim, 64], strides = [1, 1]
      : !key_rows_in{%kv_tokens_dim} -> !key_rows
    %value_rows_tied = flow.dispatch.tie_shape %value_rows_in : !value_rows_in{%kv_tokens_dim}
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_tied,
      offsets = [0, 0], sizes = [%kv_tokens_dim, 64], strides = [1, 1]
      : !value_rows_in{%kv_tokens_dim} -> !value_rows
    %lse_rows_tied = flow.dispatch.tie_shape %lse_rows_in : !lse_rows_in{%q_tokens_by_2_dim}
    %lse_rows = iree_tensor_ext.dispatch.tensor.load %lse_rows_tied,
      offsets = [0], sizes = [%q_tokens_by_2_dim], strides = [1]
      : !lse_rows_in{%q_tokens_by_2_dim} -> !lse_rows
    %output_gradient_rows_tied = flow.dispatch.tie_shape %output_gradient_rows_in : !output_gradient_rows_in{%q_tokens_by_2_dim}
    %output_gradient_rows = iree_tensor_ext.dispatch.tensor.load %output_gradient_rows_tied,
      offsets = [0, 0], sizes = [%q_tokens_by_2_dim, 64], strides = [1, 1]
      : !output_gradient_rows_in{%q_tokens_by_2_dim} -> !output_gradient_rows
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_q_in -> !cu_seqlens_q
    %cu_seqlens_k = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_k_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_k_in -> !cu_seqlens_k
    %delta_rows_tied = flow.dispatch.tie_shape %delta_rows_in : !delta_rows_in{%q_tokens_by_2_dim}
    %delta_rows = iree_tensor_ext.dispatch.tensor.load %delta_rows_tied,
      offsets = [0], sizes = [%q_tokens_by_2_dim], strides = [1]
      : !delta_rows_in{%q_tokens_by_2_dim} -> !delta_rows
    %keep_mask_bytes_tied = flow.dispatch.tie_shape %keep_mask_bytes_in : !keep_mask_bytes_in{%q_tokens_kv_tokens_by_2_dim}
    %keep_mask_bytes = iree_tensor_ext.dispatch.tensor.load %keep_mask_bytes_tied,
      offsets = [0], sizes = [%q_tokens_kv_tokens_by_2_dim], strides = [1]
      : !keep_mask_bytes_in{%q_tokens_kv_tokens_by_2_dim} -> !keep_mask_bytes
    %captured_SLOPES = iree_tensor_ext.dispatch.tensor.load %captured_SLOPES_in,
      offsets = [0], sizes = [8], strides = [1]
      : !captured_SLOPES_in -> !captured_SLOPES
    %captured_FLAGS_row = iree_tensor_ext.dispatch.tensor.load %captured_FLAGS_row_in,
      offsets = [0], sizes = [16384], strides = [1]
      : !captured_FLAGS_row_in -> !captured_FLAGS_row
    %own_count = affine.apply affine_map<()[n] -> (n)>()[%kv_tokens_dim]
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 128 + 3)>()[%own_count]
    %block = flow.dispatch.workgroup.id[1] : index
    %x = flow.dispatch.workgroup.id[0] : index
    %step_count = affine.apply affine_map<()[n] -> (n)>()[%q_tokens_dim]
    %sequences = arith.constant 3 : index
    %most_own = arith.index_cast %own_count : index to i32
    %most_step = arith.index_cast %step_count : index to i32
    %sequence, %row_there, %blocks_before = scf.for %s = %none to %sequences step %one
        iter_args(%s_so_far = %sequences, %row_so_far = %none, %before = %none) -> (index, index, index) {
      %s_next = affine.apply affine_map<(s) -> (s + 1)>(%s)
      %from_told = tensor.extract %cu_seqlens_k[%s] : !cu_seqlens_k
      %to_told = tensor.extract %cu_seqlens_k[%s_next] : !cu_seqlens_k
    %from_kept = arith.minui %from_told, %most_own : i32
    %from = arith.index_cast %from_kept : i32 to index
    %to_kept = arith.minui %to_told, %most_own : i32
    %to = arith.index_cast %to_kept : i32 to index
      %blocks_any = affine.apply affine_map<(f, t) -> ((t - f) ceildiv 128)>(%from, %to)
      %blocks_of_s = arith.maxsi %blocks_any, %none : index
      %after = arith.addi %before, %blocks_of_s : index
      %is_not_before = arith.cmpi sge, %block, %before : index
      %is_not_after = arith.cmpi slt, %block, %after : index
      %is_there = arith.andi %is_not_before, %is_not_after : i1
      %row_of_s = affine.apply affine_map<(i, n) -> ((i - n) * 128)>(%block, %before)
      %s_found = arith.select %is_there, %s, %s_so_far : index
      %row_found = arith.select %is_there, %row_of_s, %row_so_far : index
      scf.yield %s_found, %row_found, %after : index, index, index
    }
    %is_padding = arith.cmpi eq, %sequence, %sequences : index
    %row_of_padding = affine.apply
      affine_map<(i, n) -> ((i - n) * 128)>(%block, %blocks_before)
    %row_0 = arith.select %is_padding, %row_of_padding, %row_there : index
    %sequence_next = affine.min affine_map<(s) -> (s + 1, 3)>(%sequence)
    %own_first_told = tensor.extract %cu_seqlens_k[%sequence] : !cu_seqlens_k
    %own_end_told = tensor.extract %cu_seqlens_k[%sequence_next] : !cu_seqlens_k
    %own_first_kept = arith.minui %own_first_told, %most_own : i32
    %own_first = arith.index_cast %own_first_kept : i32 to index
    %own_end_any_kept = arith.minui %own_end_told, %most_own : i32
    %own_end_any = arith.index_cast %own_end_any_kept : i32 to index
    %step_first_told = tensor.extract %cu_seqlens_q[%sequence] : !cu_seqlens_q
    %step_end_told = tensor.extract %cu_seqlens_q[%sequence_next] : !cu_seqlens_q
    %step_first_kept = arith.minui %step_first_told, %most_step : i32
    %step_first = arith.index_cast %step_first_kept : i32 to index
    %step_end_any_kept = arith.minui %step_end_told, %most_step : i32
    %step_end_any = arith.index_cast %step_end_any_kept : i32 to index
    %own_end = arith.select %is_padding, %own_count, %own_end_any : index
    %own_len = arith.subi %own_end, %own_first : index
    %step_len_any = arith.subi %step_end_any, %step_first : index
    %step_len = arith.maxsi %step_len_any, %none : index
    // Of a sequence that has none, some token is fetched: zeros take its place.
    %last_token_any = affine.min affine_map<(n, f)[c]
      -> (n - 1, c - f - 1)>(%step_len, %step_first)[%step_count]
    %minus_first = affine.apply affine_map<(f) -> (-f)>(%step_first)
    %last_token = arith.maxsi %last_token_any, %minus_first : index
    %shift = arith.subi %step_len, %own_len : index
    %own_token_0 = affine.apply affine_map<(f, r) -> (f + r)>(%own_first, %row_0)
    %first_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %rows_to_end = affine.min affine_map<(r, n) -> (128, n - r)>(%row_0, %own_len)
    %rows_here = arith.maxsi %rows_to_end, %none : index
    %first_head = affine.apply affine_map<(x) -> (x * 2)>(%x)
    %last_head = affine.apply affine_map<(x) -> (x * 2 + 1)>(%x)
    %begin = affine.max affine_map<(r, s)
      -> ((r + s - 0) floordiv 64 * 64, 0)>(
        %row_0, %shift)
    %end = affine.min affine_map<(r, n, s, l) -> (r + n + s + 20, l)>(
      %row_0, %rows_here, %shift, %step_len)
    %steps_any = affine.apply affine_map<(f, e) -> ((e - f) ceildiv 64)>(%begin, %end)
    %steps_of_head = arith.maxsi %steps_any, %none : index
    %steps = affine.apply affine_map<(n) -> (n * 2)>(%steps_of_head)
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
    %empty0 = tensor.empty(%rows_here) : !tile
    %empty1 = tensor.empty(%rows_here) : !tile
    %value_gradient_rows_made, %key_gradient_rows_made =
      scf.forall (%lane) in (256)
        shared_outs(
          %tile0 = %empty0,
          %tile1 = %empty1
        ) -> (!tile, !tile) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 4, 16)
        : index, index, index
      %first_row =
        affine.apply affine_map<(w, i) -> (w * 32 + i * 2)>(%wave, %index)
      %chunk_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %no_own = arith.constant dense<0.0> : !own_parts
      %own_row0 = affine.min affine_map<(r, n) -> (r + 0, n - 1)>(%first_row, %rows_here)
      %own_token_any0 = affine.min affine_map<(f, r, o)[n]
        -> (f + r + o, n - 1)>(%own_first, %row_0, %own_row0)[%own_count]
      %own_token0 = arith.maxsi %own_token_any0, %none : index
      %own_place0 = affine.apply affine_map<(t, x)
        -> (t * 1 + x)>(%own_token0, %x)
      %own_row1 = affine.min affine_map<(r, n) -> (r + 1, n - 1)>(%first_row, %rows_here)
      %own_token_any1 = affine.min affine_map<(f, r, o)[n]
        -> (f + r + o, n - 1)>(%own_first, %row_0, %own_row1)[%own_count]
      %own_token1 = arith.maxsi %own_token_any1, %none : index
      %own_place1 = affine.apply affine_map<(t, x)
        -> (t * 1 + x)>(%own_token1, %x)
      %column0 = affine.apply affine_map<(c) -> (c + 0)>(%chunk_column)
      %column1 = affine.apply affine_map<(c) -> (c + 32)>(%chunk_column)
      %key_read0_0 = vector.transfer_read %key_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
      %key_read1_0 = vector.transfer_read %key_rows[%own_place1, %column0],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
            %key_parts0_0 = vector.shape_cast %key_read0_0
              : !chunk to !row_parts
            %key_rows0_1 = vector.insert
              %key_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_parts1_0 = vector.shape_cast %key_read1_0
              : !chunk to !row_parts
            %key_rows0 = vector.insert
              %key_parts1_0, %key_rows0_1[1, 0]
              : !row_parts into !own_parts
            %key_turned0 = vector.transpose %key_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own0 = vector.shape_cast %key_turned0
              : !own_turned to !own_operand
      %key_read0_1 = vector.transfer_read %key_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
      %key_read1_1 = vector.transfer_read %key_rows[%own_place1, %column1],
        %no_element {in_bounds = [true]} : !key_rows, !chunk
            %key_parts0_1 = vector.shape_cast %key_read0_1
              : !chunk to !row_parts
            %key_rows1_1 = vector.insert
              %key_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_parts1_1 = vector.shape_cast %key_read1_1
              : !chunk to !row_parts
            %key_rows1 = vector.insert
              %key_parts1_1, %key_rows1_1[1, 0]
              : !row_parts into !own_parts
            %key_turned1 = vector.transpose %key_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own1 = vector.shape_cast %key_turned1
              : !own_turned to !own_operand
      %value_read0_0 = vector.transfer_read %value_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
      %value_read1_0 = vector.transfer_read %value_rows[%own_place1, %column0],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
            %value_parts0_0 = vector.shape_cast %value_read0_0
              : !chunk to !row_parts
            %value_rows0_1 = vector.insert
              %value_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_parts1_0 = vector.shape_cast %value_read1_0
              : !chunk to !row_parts
            %value_rows0 = vector.insert
              %value_parts1_0, %value_rows0_1[1, 0]
              : !row_parts into !own_parts
            %value_turned0 = vector.transpose %value_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own0 = vector.shape_cast %value_turned0
              : !own_turned to !own_operand
      %value_read0_1 = vector.transfer_read %value_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
      %value_read1_1 = vector.transfer_read %value_rows[%own_place1, %column1],
        %no_element {in_bounds = [true]} : !value_rows, !chunk
            %value_parts0_1 = vector.shape_cast %value_read0_1
              : !chunk to !row_parts
            %value_rows1_1 = vector.insert
              %value_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_parts1_1 = vector.shape_cast %value_read1_1
              : !chunk to !row_parts
            %value_rows1 = vector.insert
              %value_parts1_1, %value_rows1_1[1, 0]
              : !row_parts into !own_parts
            %value_turned1 = vector.transpose %value_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own1 = vector.shape_cast %value_turned1
              : !own_turned to !own_operand
      %token_of_group = affine.apply affine_map<(g) -> (g * 4)>(%group)
      %position0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %first_seen0 = affine.max affine_map<(p) -> (p - 0, 0)>(%position0)
      %seen0 = affine.min affine_map<(p, f, n)
        -> (p - f + 21, n - f)>(
          %position0, %first_seen0, %step_len)
      %seen_any0 = arith.maxsi %seen0, %none : index
      %seen_count0 = arith.index_cast %seen_any0 : index to i32
      %position1 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 1)>(%row_0, %first_row, %shift)
      %first_seen1 = affine.max affine_map<(p) -> (p - 0, 0)>(%position1)
      %seen1 = affine.min affine_map<(p, f, n)
        -> (p - f + 21, n - f)>(
          %position1, %first_seen1, %step_len)
      %seen_any1 = arith.maxsi %seen1, %none : index
      %seen_count1 = arith.index_cast %seen_any1 : index to i32
      %seen_rows = vector.from_elements %seen_count0, %seen_count1 : !row_bits
      %seen_counts = vector.broadcast %seen_rows : !row_bits to !score_bits
      %token_numbers = arith.constant dense<[[[0, 1, 2, 3], [0, 1, 2, 3]]]> : !score_bits
      %stands_at0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %own_of_sequence0 = affine.max affine_map<(r, o) -> (r + o, 0)>(%row_0, %own_row0)
      %own_i32_0 = arith.index_cast %own_of_sequence0 : index to i32
      %position_i32_0 = arith.index_cast %stands_at0 : index to i32
      %stands_at1 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 1)>(%row_0, %first_row, %shift)
      %own_of_sequence1 = affine.max affine_map<(r, o) -> (r + o, 0)>(%row_0, %own_row1)
      %own_i32_1 = arith.index_cast %own_of_sequence1 : index to i32
      %position_i32_1 = arith.index_cast %stands_at1 : index to i32
      %own_i32 = vector.from_elements %own_i32_0, %own_i32_1 : !row_bits
      %position_rows = vector.from_elements %position_i32_0, %position_i32_1 : !row_bits
      %position_everywhere = vector.broadcast %position_rows : !row_bits to !score_bits
      %sequence_here = affine.min affine_map<(s) -> (s, 2)>(%sequence)
      %wave_position = affine.apply affine_map<(r, w, s)
        -> (r + w * 32 + s)>(%row_0, %wave, %shift)
      %fetch_column = affine.apply affine_map<(l)
        -> ((l floordiv 4 mod 2 + l floordiv 64 * 2) * 8)>(%lane)
      %fetch_token = affine.apply affine_map<(l) -> ((l mod 4 + l floordiv 8 mod 8 * 4) * 2)>(%lane)
      %fetch_token_after = affine.apply affine_map<(t) -> (t + 1)>(%fetch_token)
      // Of some pairs the second token's row comes first, so that rows of these lie in other banks.
      %fetch_swaps = affine.apply affine_map<(t) -> ((t floordiv 4 + t floordiv 8) mod 2)>(%fetch_token)
      %fetch_row = affine.apply affine_map<(t, s) -> (t + s)>(%fetch_token, %fetch_swaps)
      %fetch_row_after = affine.apply affine_map<(t, s) -> (t + 1 - s)>(%fetch_token, %fetch_swaps)
      %lds_column0 = affine.apply affine_map<(c)
        -> ((c + 0) mod 16 floordiv 4 * 20
          + (c + 0) floordiv 16 * 4
          + (c + 0) mod 4 * 1)>(%fetch_column)
      %lds_column1 = affine.apply affine_map<(c)
        -> ((c + 1) mod 16 floordiv 4 * 20
          + (c + 1) floordiv 16 * 4
          + (c + 1) mod 4 * 1)>(%fetch_column)
      %lds_column2 = affine.apply affine_map<(c)
        -> ((c + 2) mod 16 floordiv 4 * 20
          + (c + 2) floordiv 16 * 4
          + (c + 2) mod 4 * 1)>(%fetch_column)
      %lds_column3 = affine.apply affine_map<(c)
        -> ((c + 3) mod 16 floordiv 4 * 20
          + (c + 3) floordiv 16 * 4
          + (c + 3) mod 4 * 1)>(%fetch_column)
      %lds_column4 = affine.apply affine_map<(c)
        -> ((c + 4) mod 16 floordiv 4 * 20
          + (c + 4) floordiv 16 * 4
          + (c + 4) mod 4 * 1)>(%fetch_column)
      %lds_column5 = affine.apply affine_map<(c)
        -> ((c + 5) mod 16 floordiv 4 * 20
          + (c + 5) floordiv 16 * 4
          + (c + 5) mod 4 * 1)>(%fetch_column)
      %lds_column6 = affine.apply affine_map<(c)
        -> ((c + 6) mod 16 floordiv 4 * 20
          + (c + 6) floordiv 16 * 4
          + (c + 6) mod 4 * 1)>(%fetch_column)
      %lds_column7 = affine.apply affine_map<(c)
        -> ((c + 7) mod 16 floordiv 4 * 20
          + (c + 7) floordiv 16 * 4
          + (c + 7) mod 4 * 1)>(%fetch_column)
      %token_of_index = affine.apply affine_map<(i)
        -> (i floordiv 2 * 2 + (i + i floordiv 4 + i floordiv 8) mod 2)>(%index)
      %depth_of_group = affine.apply affine_map<(g) -> (g * 4)>(%group)
      %scale = arith.constant dense<0.125> : !scores
      %no_scores = arith.constant dense<0.0> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
      %no_columns = arith.constant dense<0.0> : !column_parts
      %places_numbers = arith.cmpi slt, %lane, %step_tokens : index
      %number_place = affine.apply affine_map<(l) -> (l mod 64)>(%lane)
        %base_first = affine.apply affine_map<(f, h) -> (f * 2 + h)>(%step_first, %first_head)
        %token_first0 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 0, n)>(
            %begin, %lane, %last_token)
        %row_first0 = affine.apply affine_map<(b, t)
          -> (b + t * 2)>(%base_first, %token_first0)
        %token_first1 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 1, n)>(
            %begin, %lane, %last_token)
        %row_first1 = affine.apply affine_map<(b, t)
          -> (b + t * 2)>(%base_first, %token_first1)
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
          affine_map<(t, l, n) -> (t + l mod 64, n)>(%begin, %lane, %last_token)
        %number_row_first = affine.apply affine_map<(h, f, t)[n]
          -> (h * n + f + t)>(%first_head, %step_first, %number_token_first)[%step_count]
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
        "vector.store"(%query_row0, %query_lds, %fetch_row, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %query_given1 = vector.extract %query_here[1] : !access from !fetched
        %query_row1 = arith.select %is_token1, %query_given1, %no_access : !access
        "vector.store"(%query_row1, %query_lds, %fetch_row_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %query_element0_0 = vector.extract %query_row0[0]
          : f16 from !access
        %query_element0_1 = vector.extract %query_row1[0]
          : f16 from !access
        %query_pair0 =
          vector.from_elements %query_element0_0, %query_element0_1 : !pair
        "vector.store"(%query_pair0, %query_columns_lds, %lds_column0, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element1_0 = vector.extract %query_row0[1]
          : f16 from !access
        %query_element1_1 = vector.extract %query_row1[1]
          : f16 from !access
        %query_pair1 =
          vector.from_elements %query_element1_0, %query_element1_1 : !pair
        "vector.store"(%query_pair1, %query_columns_lds, %lds_column1, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element2_0 = vector.extract %query_row0[2]
          : f16 from !access
        %query_element2_1 = vector.extract %query_row1[2]
          : f16 from !access
        %query_pair2 =
          vector.from_elements %query_element2_0, %query_element2_1 : !pair
        "vector.store"(%query_pair2, %query_columns_lds, %lds_column2, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element3_0 = vector.extract %query_row0[3]
          : f16 from !access
        %query_element3_1 = vector.extract %query_row1[3]
          : f16 from !access
        %query_pair3 =
          vector.from_elements %query_element3_0, %query_element3_1 : !pair
        "vector.store"(%query_pair3, %query_columns_lds, %lds_column3, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element4_0 = vector.extract %query_row0[4]
          : f16 from !access
        %query_element4_1 = vector.extract %query_row1[4]
          : f16 from !access
        %query_pair4 =
          vector.from_elements %query_element4_0, %query_element4_1 : !pair
        "vector.store"(%query_pair4, %query_columns_lds, %lds_column4, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element5_0 = vector.extract %query_row0[5]
          : f16 from !access
        %query_element5_1 = vector.extract %query_row1[5]
          : f16 from !access
        %query_pair5 =
          vector.from_elements %query_element5_0, %query_element5_1 : !pair
        "vector.store"(%query_pair5, %query_columns_lds, %lds_column5, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element6_0 = vector.extract %query_row0[6]
          : f16 from !access
        %query_element6_1 = vector.extract %query_row1[6]
          : f16 from !access
        %query_pair6 =
          vector.from_elements %query_element6_0, %query_element6_1 : !pair
        "vector.store"(%query_pair6, %query_columns_lds, %lds_column6, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %query_element7_0 = vector.extract %query_row0[7]
          : f16 from !access
        %query_element7_1 = vector.extract %query_row1[7]
          : f16 from !access
        %query_pair7 =
          vector.from_elements %query_element7_0, %query_element7_1 : !pair
        "vector.store"(%query_pair7, %query_columns_lds, %lds_column7, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_given0 = vector.extract %output_gradient_here[0] : !access from !fetched
        %output_gradient_row0 = arith.select %is_token0, %output_gradient_given0, %no_access : !access
        "vector.store"(%output_gradient_row0, %output_gradient_lds, %fetch_row, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %output_gradient_given1 = vector.extract %output_gradient_here[1] : !access from !fetched
        %output_gradient_row1 = arith.select %is_token1, %output_gradient_given1, %no_access : !access
        "vector.store"(%output_gradient_row1, %output_gradient_lds, %fetch_row_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %output_gradient_element0_0 = vector.extract %output_gradient_row0[0]
          : f16 from !access
        %output_gradient_element0_1 = vector.extract %output_gradient_row1[0]
          : f16 from !access
        %output_gradient_pair0 =
          vector.from_elements %output_gradient_element0_0, %output_gradient_element0_1 : !pair
        "vector.store"(%output_gradient_pair0, %output_gradient_columns_lds, %lds_column0, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element1_0 = vector.extract %output_gradient_row0[1]
          : f16 from !access
        %output_gradient_element1_1 = vector.extract %output_gradient_row1[1]
          : f16 from !access
        %output_gradient_pair1 =
          vector.from_elements %output_gradient_element1_0, %output_gradient_element1_1 : !pair
        "vector.store"(%output_gradient_pair1, %output_gradient_columns_lds, %lds_column1, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element2_0 = vector.extract %output_gradient_row0[2]
          : f16 from !access
        %output_gradient_element2_1 = vector.extract %output_gradient_row1[2]
          : f16 from !access
        %output_gradient_pair2 =
          vector.from_elements %output_gradient_element2_0, %output_gradient_element2_1 : !pair
        "vector.store"(%output_gradient_pair2, %output_gradient_columns_lds, %lds_column2, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element3_0 = vector.extract %output_gradient_row0[3]
          : f16 from !access
        %output_gradient_element3_1 = vector.extract %output_gradient_row1[3]
          : f16 from !access
        %output_gradient_pair3 =
          vector.from_elements %output_gradient_element3_0, %output_gradient_element3_1 : !pair
        "vector.store"(%output_gradient_pair3, %output_gradient_columns_lds, %lds_column3, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element4_0 = vector.extract %output_gradient_row0[4]
          : f16 from !access
        %output_gradient_element4_1 = vector.extract %output_gradient_row1[4]
          : f16 from !access
        %output_gradient_pair4 =
          vector.from_elements %output_gradient_element4_0, %output_gradient_element4_1 : !pair
        "vector.store"(%output_gradient_pair4, %output_gradient_columns_lds, %lds_column4, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element5_0 = vector.extract %output_gradient_row0[5]
          : f16 from !access
        %output_gradient_element5_1 = vector.extract %output_gradient_row1[5]
          : f16 from !access
        %output_gradient_pair5 =
          vector.from_elements %output_gradient_element5_0, %output_gradient_element5_1 : !pair
        "vector.store"(%output_gradient_pair5, %output_gradient_columns_lds, %lds_column5, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element6_0 = vector.extract %output_gradient_row0[6]
          : f16 from !access
        %output_gradient_element6_1 = vector.extract %output_gradient_row1[6]
          : f16 from !access
        %output_gradient_pair6 =
          vector.from_elements %output_gradient_element6_0, %output_gradient_element6_1 : !pair
        "vector.store"(%output_gradient_pair6, %output_gradient_columns_lds, %lds_column6, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %output_gradient_element7_0 = vector.extract %output_gradient_row0[7]
          : f16 from !access
        %output_gradient_element7_1 = vector.extract %output_gradient_row1[7]
          : f16 from !access
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
        %base_next = affine.apply affine_map<(f, h) -> (f * 2 + h)>(%step_first, %head_next)
        %token_next0 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 0, n)>(
            %t_next, %lane, %last_token)
        %row_next0 = affine.apply affine_map<(b, t)
          -> (b + t * 2)>(%base_next, %token_next0)
        %token_next1 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 1, n)>(
            %t_next, %lane, %last_token)
        %row_next1 = affine.apply affine_map<(b, t)
          -> (b + t * 2)>(%base_next, %token_next1)
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
          affine_map<(t, l, n) -> (t + l mod 64, n)>(%t_next, %lane, %last_token)
        %number_row_next = affine.apply affine_map<(h, f, t)[n]
          -> (h * n + f + t)>(%head_next, %step_first, %number_token_next)[%step_count]
        %lse_next = tensor.extract %lse_rows[%number_row_next] : !lse_rows
        %delta_next = tensor.extract %delta_rows[%number_row_next] : !delta_rows
        %acc_next0, %acc_next1 = scf.for %c = %none to %step_tokens step %chunk_tokens
            iter_args(%acc_before0 = %acc0, %acc_before1 = %acc1) -> (!acc, !acc) {
          %t_chunk = arith.addi %t0, %c : index
          %before_end = arith.cmpi slt, %t_chunk, %end : index
          %last_of_wave =
            affine.apply affine_map<(p) -> (p + 51)>(%wave_position)
          %is_not_ahead = arith.cmpi sle, %t_chunk, %last_of_wave : index
          %first_of_wave = affine.apply affine_map<(p) -> (p - 15)>(%wave_position)
          %is_not_behind = arith.cmpi sge, %t_chunk, %first_of_wave : index
          %always = arith.constant true
          %wave_sees_1 = arith.andi %always, %before_end : i1
          %wave_sees_2 = arith.andi %wave_sees_1, %is_not_ahead : i1
          %wave_sees = arith.andi %wave_sees_2, %is_not_behind : i1
          %acc_after0, %acc_after1 = scf.if %wave_sees -> (!acc, !acc) {
            %token_row0 =
              affine.apply affine_map<(c, i) -> (c + i + 0)>(%c, %token_of_index)
            %query0_0_read = "vector.load"(%query_lds, %token_row0, %column0)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %query0_0 = vector.shape_cast %query0_0_read : !chunk to !step_operand
            %score_sums0_1 = iree_codegen.inner_tiled
              ins(%query0_0, %key_own0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %query0_1_read = "vector.load"(%query_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %query0_1 = vector.shape_cast %query0_1_read : !chunk to !step_operand
            %score_sums0 = iree_codegen.inner_tiled
              ins(%query0_1, %key_own1) outs(%score_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
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
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %output_gradient0_1_read = "vector.load"(%output_gradient_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %output_gradient0_1 = vector.shape_cast %output_gradient0_1_read : !chunk to !step_operand
            %weight_sums0 = iree_codegen.inner_tiled
              ins(%output_gradient0_1, %value_own1) outs(%weight_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %weight_tile0 = vector.shape_cast %weight_sums0 : !sums to !score_tile
            %weights_given = vector.insert %weight_tile0, %no_scores[0]
              : !score_tile into !scores
            %bases_token0 = affine.apply affine_map<(c, g)
              -> (c + g * 4 + 0)>(%c, %group)
            %bases_read0 =
              "vector.load"(%numbers_lds, %none, %bases_token0)
              <{alignment = 16 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %bases_tile0 = vector.broadcast %bases_read0 : !own_f32 to !score_tile
            %bases = vector.insert %bases_tile0, %no_scores[0]
              : !score_tile into !scores
            %deltas_token0 = affine.apply affine_map<(c, g)
              -> (c + g * 4 + 0)>(%c, %group)
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
            %natural = arith.mulf %scores_given, %scale : !scores
          %score_mod_0 = arith.constant 0.5 : f32
          %score_mod_1 = vector.broadcast %score_mod_0 : f32 to !scores
          %score_mod_2 = arith.cmpf olt,
            %score_mod_1, %natural : !scores
          %score_mod_3 = math.tanh %natural fastmath<contract> : !scores
          %score_mod_4 = arith.select %score_mod_2, %score_mod_3, %natural : !is_seen, !scores
          %score_mod_5 = arith.constant 0 : i32
            %score_mod_6_at = arith.index_cast %head_i32 : i32 to index
            %score_mod_6_stored = tensor.extract %captured_SLOPES[%score_mod_6_at]
              : tensor<8xf16>
          %score_mod_6 = arith.extf %score_mod_6_stored : f16 to f32
          %score_mod_7 = vector.broadcast %own_i32 : !row_bits to !score_bits
          %score_mod_8 = arith.addi %no_numbers, %score_mod_7 : !score_bits
          %score_mod_9 = arith.subi %score_mod_8, %tokens_i32 : !score_bits
          %score_mod_10 = arith.sitofp %score_mod_9 : !score_bits to !scores
          %score_mod_11 = vector.broadcast %score_mod_6 : f32 to !scores
          %score_mod_12 = arith.mulf %score_mod_11, %score_mod_10 fastmath<contract> : !scores
          %score_mod_13 = arith.addf %score_mod_4, %score_mod_12 fastmath<contract> : !scores
          %mask_mod_0 = arith.constant 0 : i32
          %mask_mod_1 = arith.constant 128 : i32
          %mask_mod_2 = arith.muli %mask_mod_0, %mask_mod_1 : i32
          %mask_mod_3 = vector.broadcast %mask_mod_2 : i32 to !score_bits
          %mask_mod_4 = arith.addi %mask_mod_3, %tokens_i32 : !score_bits
          %mask_mod_5 = vector.broadcast %own_i32 : !row_bits to !score_bits
          %mask_mod_6 = arith.addi %no_numbers, %mask_mod_5 : !score_bits
          %mask_mod_7 = arith.constant 127 : i32
          %mask_mod_8 = vector.broadcast %mask_mod_7 : i32 to !score_bits
          %mask_mod_9 = arith.minsi %mask_mod_6, %mask_mod_8 : !score_bits
          %mask_mod_10 = arith.constant 128 : i32
          %mask_mod_11 = vector.broadcast %mask_mod_10 : i32 to !score_bits
          %mask_mod_12 = arith.muli %mask_mod_4, %mask_mod_11 : !score_bits
          %mask_mod_13 = arith.addi %mask_mod_12, %mask_mod_9 : !score_bits
            %mask_mod_14_stored_places = vector.shape_cast %mask_mod_13 : !score_bits to vector<8xi32>
            %mask_mod_14_stored_place0 = vector.extract %mask_mod_14_stored_places[0] : i32 from vector<8xi32>
            %mask_mod_14_stored_at0 = arith.index_cast %mask_mod_14_stored_place0 : i32 to index
            %mask_mod_14_stored_one0 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at0] : tensor<16384xi8>
            %mask_mod_14_stored_place1 = vector.extract %mask_mod_14_stored_places[1] : i32 from vector<8xi32>
            %mask_mod_14_stored_at1 = arith.index_cast %mask_mod_14_stored_place1 : i32 to index
            %mask_mod_14_stored_one1 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at1] : tensor<16384xi8>
            %mask_mod_14_stored_place2 = vector.extract %mask_mod_14_stored_places[2] : i32 from vector<8xi32>
            %mask_mod_14_stored_at2 = arith.index_cast %mask_mod_14_stored_place2 : i32 to index
            %mask_mod_14_stored_one2 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at2] : tensor<16384xi8>
            %mask_mod_14_stored_place3 = vector.extract %mask_mod_14_stored_places[3] : i32 from vector<8xi32>
            %mask_mod_14_stored_at3 = arith.index_cast %mask_mod_14_stored_place3 : i32 to index
            %mask_mod_14_stored_one3 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at3] : tensor<16384xi8>
            %mask_mod_14_stored_place4 = vector.extract %mask_mod_14_stored_places[4] : i32 from vector<8xi32>
            %mask_mod_14_stored_at4 = arith.index_cast %mask_mod_14_stored_place4 : i32 to index
            %mask_mod_14_stored_one4 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at4] : tensor<16384xi8>
            %mask_mod_14_stored_place5 = vector.extract %mask_mod_14_stored_places[5] : i32 from vector<8xi32>
            %mask_mod_14_stored_at5 = arith.index_cast %mask_mod_14_stored_place5 : i32 to index
            %mask_mod_14_stored_one5 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at5] : tensor<16384xi8>
            %mask_mod_14_stored_place6 = vector.extract %mask_mod_14_stored_places[6] : i32 from vector<8xi32>
            %mask_mod_14_stored_at6 = arith.index_cast %mask_mod_14_stored_place6 : i32 to index
            %mask_mod_14_stored_one6 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at6] : tensor<16384xi8>
            %mask_mod_14_stored_place7 = vector.extract %mask_mod_14_stored_places[7] : i32 from vector<8xi32>
            %mask_mod_14_stored_at7 = arith.index_cast %mask_mod_14_stored_place7 : i32 to index
            %mask_mod_14_stored_one7 = tensor.extract %captured_FLAGS_row[%mask_mod_14_stored_at7] : tensor<16384xi8>
            %mask_mod_14_stored_ones = vector.from_elements %mask_mod_14_stored_one0, %mask_mod_14_stored_one1, %mask_mod_14_stored_one2, %mask_mod_14_stored_one3, %mask_mod_14_stored_one4, %mask_mod_14_stored_one5, %mask_mod_14_stored_one6, %mask_mod_14_stored_one7
              : vector<8xi8>
            %mask_mod_14_stored = vector.shape_cast %mask_mod_14_stored_ones : vector<8xi8> to vector<1x2x4xi8>
          %mask_mod_14_no = arith.constant dense<0> : vector<1x2x4xi8>
          %mask_mod_14 = arith.cmpi ne, %mask_mod_14_stored, %mask_mod_14_no : vector<1x2x4xi8>
          %mask_mod_15 = arith.constant 3 : i32
          %mask_mod_16 = vector.broadcast %mask_mod_15 : i32 to !score_bits
          %mask_mod_17 = arith.divui %mask_mod_6, %mask_mod_16 : !score_bits
          %mask_mod_18 = arith.constant 127 : i32
          %mask_mod_19 = vector.broadcast %mask_mod_18 : i32 to !score_bits
          %mask_mod_20 = arith.minsi %mask_mod_17, %mask_mod_19 : !score_bits
          %mask_mod_21 = arith.constant 0 : i32
          %mask_mod_22 = arith.constant 128 : i32
          %mask_mod_23 = arith.muli %mask_mod_21, %mask_mod_22 : i32
          %mask_mod_24 = vector.broadcast %mask_mod_23 : i32 to !score_bits
          %mask_mod_25 = arith.addi %mask_mod_24, %mask_mod_20 : !score_bits
          %mask_mod_26 = arith.constant 128 : i32
          %mask_mod_27 = vector.broadcast %mask_mod_26 : i32 to !score_bits
          %mask_mod_28 = arith.muli %mask_mod_25, %mask_mod_27 : !score_bits
          %mask_mod_29 = vector.broadcast %head_i32 : i32 to !score_bits
          %mask_mod_30 = arith.addi %mask_mod_28, %mask_mod_29 : !score_bits
            %mask_mod_31_stored_places = vector.shape_cast %mask_mod_30 : !score_bits to vector<8xi32>
            %mask_mod_31_stored_place0 = vector.extract %mask_mod_31_stored_places[0] : i32 from vector<8xi32>
            %mask_mod_31_stored_at0 = arith.index_cast %mask_mod_31_stored_place0 : i32 to index
            %mask_mod_31_stored_one0 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at0] : tensor<16384xi8>
            %mask_mod_31_stored_place1 = vector.extract %mask_mod_31_stored_places[1] : i32 from vector<8xi32>
            %mask_mod_31_stored_at1 = arith.index_cast %mask_mod_31_stored_place1 : i32 to index
            %mask_mod_31_stored_one1 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at1] : tensor<16384xi8>
            %mask_mod_31_stored_place2 = vector.extract %mask_mod_31_stored_places[2] : i32 from vector<8xi32>
            %mask_mod_31_stored_at2 = arith.index_cast %mask_mod_31_stored_place2 : i32 to index
            %mask_mod_31_stored_one2 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at2] : tensor<16384xi8>
            %mask_mod_31_stored_place3 = vector.extract %mask_mod_31_stored_places[3] : i32 from vector<8xi32>
            %mask_mod_31_stored_at3 = arith.index_cast %mask_mod_31_stored_place3 : i32 to index
            %mask_mod_31_stored_one3 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at3] : tensor<16384xi8>
            %mask_mod_31_stored_place4 = vector.extract %mask_mod_31_stored_places[4] : i32 from vector<8xi32>
            %mask_mod_31_stored_at4 = arith.index_cast %mask_mod_31_stored_place4 : i32 to index
            %mask_mod_31_stored_one4 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at4] : tensor<16384xi8>
            %mask_mod_31_stored_place5 = vector.extract %mask_mod_31_stored_places[5] : i32 from vector<8xi32>
            %mask_mod_31_stored_at5 = arith.index_cast %mask_mod_31_stored_place5 : i32 to index
            %mask_mod_31_stored_one5 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at5] : tensor<16384xi8>
            %mask_mod_31_stored_place6 = vector.extract %mask_mod_31_stored_places[6] : i32 from vector<8xi32>
            %mask_mod_31_stored_at6 = arith.index_cast %mask_mod_31_stored_place6 : i32 to index
            %mask_mod_31_stored_one6 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at6] : tensor<16384xi8>
            %mask_mod_31_stored_place7 = vector.extract %mask_mod_31_stored_places[7] : i32 from vector<8xi32>
            %mask_mod_31_stored_at7 = arith.index_cast %mask_mod_31_stored_place7 : i32 to index
            %mask_mod_31_stored_one7 = tensor.extract %captured_FLAGS_row[%mask_mod_31_stored_at7] : tensor<16384xi8>
            %mask_mod_31_stored_ones = vector.from_elements %mask_mod_31_stored_one0, %mask_mod_31_stored_one1, %mask_mod_31_stored_one2, %mask_mod_31_stored_one3, %mask_mod_31_stored_one4, %mask_mod_31_stored_one5, %mask_mod_31_stored_one6, %mask_mod_31_stored_one7
              : vector<8xi8>
            %mask_mod_31_stored = vector.shape_cast %mask_mod_31_stored_ones : vector<8xi8> to vector<1x2x4xi8>
          %mask_mod_31_no = arith.constant dense<0> : vector<1x2x4xi8>
          %mask_mod_31 = arith.cmpi ne, %mask_mod_31_stored, %mask_mod_31_no : vector<1x2x4xi8>
          %mask_mod_32 = arith.ori %mask_mod_14, %mask_mod_31 : !is_seen
          %mask_mod_33 = arith.constant 4 : i32
          %mask_mod_34 = arith.constant 3 : i32
          %mask_mod_35 = vector.broadcast %mask_mod_34 : i32 to !score_bits
          %mask_mod_36 = arith.andi %mask_mod_6, %mask_mod_35 : !score_bits
          %mask_mod_37 = vector.broadcast %batch_i32 : i32 to !score_bits
          %mask_mod_38 = arith.addi %mask_mod_37, %mask_mod_36 : !score_bits
          %mask_mod_39 = arith.constant 0 : i32
          %mask_mod_40 = vector.broadcast %mask_mod_39 : i32 to !score_bits
          %mask_mod_41 = arith.cmpi eq,
            %mask_mod_38, %mask_mod_40 : !score_bits
          %mask_mod_42_ones = arith.constant dense<true> : !is_seen
          %mask_mod_42 = arith.xori %mask_mod_41, %mask_mod_42_ones : !is_seen
          %mask_mod_43 = arith.ori %mask_mod_32, %mask_mod_42 : !is_seen
          %score_derivative_0 = arith.constant 1.0 : f32
          %score_derivative_1 = arith.constant 0.5 : f32
          %score_derivative_2 = vector.broadcast %score_derivative_1 : f32 to !scores
          %score_derivative_3 = arith.cmpf olt,
            %score_derivative_2, %natural : !scores
          %score_derivative_4 = math.tanh %natural fastmath<contract> : !scores
          %score_derivative_5 = arith.mulf %score_derivative_4, %score_derivative_4 fastmath<contract> : !scores
          %score_derivative_6 = vector.broadcast %score_derivative_0 : f32 to !scores
          %score_derivative_7 = arith.subf %score_derivative_6, %score_derivative_5 fastmath<contract> : !scores
          %score_derivative_8 = arith.select %score_derivative_3, %score_derivative_7, %score_derivative_6 : !is_seen, !scores
            %unit_of_all = arith.constant dense<1.4426950408889634> : !scores
            %below = math.fma %score_mod_13, %unit_of_all, %bases : !scores
            %below_flat = vector.shape_cast %below : !scores to !scores_flat
            %weights_any_flat = llvm.call_intrinsic "llvm.exp2"(%below_flat)
              : (!scores_flat) -> !scores_flat
            %weights_any = vector.shape_cast %weights_any_flat : !scores_flat to !scores
            %beyond = arith.subf %weights_given, %deltas : !scores
            %of_logits = arith.mulf %weights_any, %beyond : !scores
            %of_given = arith.mulf %of_logits, %score_derivative_8 : !scores
            %mask_start = arith.constant dense<0> : !score_bits
            %mask_h = vector.broadcast %head_i32
              : i32 to !score_bits
    %mask_h_count = arith.constant 2 : index
            %mask_h_size = arith.index_cast %mask_h_count : index to i32
            %mask_h_sizes = vector.broadcast %mask_h_size : i32 to !score_bits
            %mask_h_before = arith.muli %mask_start, %mask_h_sizes : !score_bits
            %mask_places_1 = arith.addi %mask_h_before, %mask_h : !score_bits
            %mask_q_first = arith.index_cast
              %step_first : index to i32
            %mask_q_firsts = vector.broadcast %mask_q_first : i32 to !score_bits
            %mask_q = arith.addi %queries_i32,
              %mask_q_firsts : !score_bits
    %mask_q_count = affine.apply affine_map<()[n] -> (n)>()[%q_tokens_dim]
            %mask_q_size = arith.index_cast %mask_q_count : index to i32
            %mask_q_sizes = vector.broadcast %mask_q_size : i32 to !score_bits
            %mask_q_before = arith.muli %mask_places_1, %mask_q_sizes : !score_bits
            %mask_places_2 = arith.addi %mask_q_before, %mask_q : !score_bits
            %mask_k_first = arith.index_cast
              %own_first : index to i32
            %mask_k_firsts = vector.broadcast %mask_k_first : i32 to !score_bits
            %mask_k = arith.addi %keys_i32,
              %mask_k_firsts : !score_bits
    %mask_k_count = affine.apply affine_map<()[n] -> (n)>()[%kv_tokens_dim]
            %mask_k_size = arith.index_cast %mask_k_count : index to i32
            %mask_k_sizes = vector.broadcast %mask_k_size : i32 to !score_bits
            %mask_k_before = arith.muli %mask_places_2, %mask_k_sizes : !score_bits
            %mask_places = arith.addi %mask_k_before, %mask_k : !score_bits
            %mask_bytes_places = vector.shape_cast %mask_places : !score_bits to vector<8xi32>
            %mask_bytes_place0 = vector.extract %mask_bytes_places[0] : i32 from vector<8xi32>
            %mask_bytes_at0 = arith.index_cast %mask_bytes_place0 : i32 to index
            %mask_bytes_one0 = tensor.extract %keep_mask_bytes[%mask_bytes_at0] : tensor<?xi8>
            %mask_bytes_place1 = vector.extract %mask_bytes_places[1] : i32 from vector<8xi32>
            %mask_bytes_at1 = arith.index_cast %mask_bytes_place1 : i32 to index
            %mask_bytes_one1 = tensor.extract %keep_mask_bytes[%mask_bytes_at1] : tensor<?xi8>
            %mask_bytes_place2 = vector.extract %mask_bytes_places[2] : i32 from vector<8xi32>
            %mask_bytes_at2 = arith.index_cast %mask_bytes_place2 : i32 to index
            %mask_bytes_one2 = tensor.extract %keep_mask_bytes[%mask_bytes_at2] : tensor<?xi8>
            %mask_bytes_place3 = vector.extract %mask_bytes_places[3] : i32 from vector<8xi32>
            %mask_bytes_at3 = arith.index_cast %mask_bytes_place3 : i32 to index
            %mask_bytes_one3 = tensor.extract %keep_mask_bytes[%mask_bytes_at3] : tensor<?xi8>
            %mask_bytes_place4 = vector.extract %mask_bytes_places[4] : i32 from vector<8xi32>
            %mask_bytes_at4 = arith.index_cast %mask_bytes_place4 : i32 to index
            %mask_bytes_one4 = tensor.extract %keep_mask_bytes[%mask_bytes_at4] : tensor<?xi8>
            %mask_bytes_place5 = vector.extract %mask_bytes_places[5] : i32 from vector<8xi32>
            %mask_bytes_at5 = arith.index_cast %mask_bytes_place5 : i32 to index
            %mask_bytes_one5 = tensor.extract %keep_mask_bytes[%mask_bytes_at5] : tensor<?xi8>
            %mask_bytes_place6 = vector.extract %mask_bytes_places[6] : i32 from vector<8xi32>
            %mask_bytes_at6 = arith.index_cast %mask_bytes_place6 : i32 to index
            %mask_bytes_one6 = tensor.extract %keep_mask_bytes[%mask_bytes_at6] : tensor<?xi8>
            %mask_bytes_place7 = vector.extract %mask_bytes_places[7] : i32 from vector<8xi32>
            %mask_bytes_at7 = arith.index_cast %mask_bytes_place7 : i32 to index
            %mask_bytes_one7 = tensor.extract %keep_mask_bytes[%mask_bytes_at7] : tensor<?xi8>
            %mask_bytes_ones = vector.from_elements %mask_bytes_one0, %mask_bytes_one1, %mask_bytes_one2, %mask_bytes_one3, %mask_bytes_one4, %mask_bytes_one5, %mask_bytes_one6, %mask_bytes_one7
              : vector<8xi8>
            %mask_bytes = vector.shape_cast %mask_bytes_ones : vector<8xi8> to vector<1x2x4xi8>
            %no_bytes = arith.constant dense<0> : vector<1x2x4xi8>
            %is_kept = arith.cmpi ne, %mask_bytes, %no_bytes : vector<1x2x4xi8>
            %has_weight = arith.cmpf une, %weights_any, %no_scores : !scores
            %first_of_chunk0 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen0, %t_chunk, %token_of_group)
            %first_i32_0 = arith.index_cast %first_of_chunk0 : index to i32
            %first_of_chunk1 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen1, %t_chunk, %token_of_group)
            %first_i32_1 = arith.index_cast %first_of_chunk1 : index to i32
            %first_rows = vector.from_elements %first_i32_0, %first_i32_1 : !row_bits
            %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
            %after_first = arith.subi %token_numbers, %firsts : !score_bits
            %is_in_range =
              arith.cmpi ult, %after_first, %seen_counts : !score_bits
            %all_seen = arith.constant dense<true> : !is_seen
            %is_seen_1 = arith.andi %all_seen, %is_in_range : !is_seen
            %is_seen_2 = arith.andi %is_seen_1, %is_kept : !is_seen
            %is_seen_3 = arith.andi %is_seen_2, %mask_mod_43 : !is_seen
            %is_seen = arith.andi %is_seen_3, %has_weight : !is_seen
            %weights = arith.select %is_seen, %weights_any, %no_scores : !is_seen, !scores
            %of_scores = arith.select %is_seen, %of_given, %no_scores : !is_seen, !scores
            %depth0 =
              affine.apply affine_map<(c, d) -> (c + d + 0)>(%c, %depth_of_group)
    %weights_stored = arith.truncf %weights : !scores to !stored_scores
            %weights_by_row = vector.transpose %weights_stored, [1, 0, 2]
              : !stored_scores to !stored_by_row
            %weights_operand = vector.shape_cast %weights_by_row : !stored_by_row to !weights_operand
            %output_gradient_column0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
            %output_gradient_piece0_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column0, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns0 =
              vector.insert %output_gradient_piece0_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand0 = vector.shape_cast %output_gradient_columns0
              : !column_parts to !columns_operand
            %output_gradient_so_far0 = vector.extract %acc_before0[0] : !sums from !acc
            %output_gradient_summed0 = iree_codegen.inner_tiled
              ins(%output_gradient_operand0, %weights_operand) outs(%output_gradient_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_1 = vector.insert %output_gradient_summed0, %acc_before0[0] : !sums into !acc
            %output_gradient_column1 = affine.apply affine_map<(i) -> (i + 20)>(%index)
            %output_gradient_piece1_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column1, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns1 =
              vector.insert %output_gradient_piece1_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand1 = vector.shape_cast %output_gradient_columns1
              : !column_parts to !columns_operand
            %output_gradient_so_far1 = vector.extract %acc_added0_1[1] : !sums from !acc
            %output_gradient_summed1 = iree_codegen.inner_tiled
              ins(%output_gradient_operand1, %weights_operand) outs(%output_gradient_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_2 = vector.insert %output_gradient_summed1, %acc_added0_1[1] : !sums into !acc
            %output_gradient_column2 = affine.apply affine_map<(i) -> (i + 40)>(%index)
            %output_gradient_piece2_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column2, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns2 =
              vector.insert %output_gradient_piece2_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand2 = vector.shape_cast %output_gradient_columns2
              : !column_parts to !columns_operand
            %output_gradient_so_far2 = vector.extract %acc_added0_2[2] : !sums from !acc
            %output_gradient_summed2 = iree_codegen.inner_tiled
              ins(%output_gradient_operand2, %weights_operand) outs(%output_gradient_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_3 = vector.insert %output_gradient_summed2, %acc_added0_2[2] : !sums into !acc
            %output_gradient_column3 = affine.apply affine_map<(i) -> (i + 60)>(%index)
            %output_gradient_piece3_0 =
              "vector.load"(%output_gradient_columns_lds, %output_gradient_column3, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %output_gradient_columns3 =
              vector.insert %output_gradient_piece3_0, %no_columns[0]
              : !column_part into !column_parts
            %output_gradient_operand3 = vector.shape_cast %output_gradient_columns3
              : !column_parts to !columns_operand
            %output_gradient_so_far3 = vector.extract %acc_added0_3[3] : !sums from !acc
            %output_gradient_summed3 = iree_codegen.inner_tiled
              ins(%output_gradient_operand3, %weights_operand) outs(%output_gradient_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0 = vector.insert %output_gradient_summed3, %acc_added0_3[3] : !sums into !acc
    %of_scores_stored = arith.truncf %of_scores : !scores to !stored_scores
            %of_scores_by_row = vector.transpose %of_scores_stored, [1, 0, 2]
              : !stored_scores to !stored_by_row
            %of_scores_operand = vector.shape_cast %of_scores_by_row : !stored_by_row to !weights_operand
            %query_column0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
            %query_piece0_0 =
              "vector.load"(%query_columns_lds, %query_column0, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns0 =
              vector.insert %query_piece0_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand0 = vector.shape_cast %query_columns0
              : !column_parts to !columns_operand
            %query_so_far0 = vector.extract %acc_before1[0] : !sums from !acc
            %query_summed0 = iree_codegen.inner_tiled
              ins(%query_operand0, %of_scores_operand) outs(%query_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1_1 = vector.insert %query_summed0, %acc_before1[0] : !sums into !acc
            %query_column1 = affine.apply affine_map<(i) -> (i + 20)>(%index)
            %query_piece1_0 =
              "vector.load"(%query_columns_lds, %query_column1, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns1 =
              vector.insert %query_piece1_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand1 = vector.shape_cast %query_columns1
              : !column_parts to !columns_operand
            %query_so_far1 = vector.extract %acc_added1_1[1] : !sums from !acc
            %query_summed1 = iree_codegen.inner_tiled
              ins(%query_operand1, %of_scores_operand) outs(%query_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1_2 = vector.insert %query_summed1, %acc_added1_1[1] : !sums into !acc
            %query_column2 = affine.apply affine_map<(i) -> (i + 40)>(%index)
            %query_piece2_0 =
              "vector.load"(%query_columns_lds, %query_column2, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns2 =
              vector.insert %query_piece2_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand2 = vector.shape_cast %query_columns2
              : !column_parts to !columns_operand
            %query_so_far2 = vector.extract %acc_added1_2[2] : !sums from !acc
            %query_summed2 = iree_codegen.inner_tiled
              ins(%query_operand2, %of_scores_operand) outs(%query_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added1_3 = vector.insert %query_summed2, %acc_added1_2[2] : !sums into !acc
            %query_column3 = affine.apply affine_map<(i) -> (i + 60)>(%index)
            %query_piece3_0 =
              "vector.load"(%query_columns_lds, %query_column3, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %query_columns3 =
              vector.insert %query_piece3_0, %no_columns[0]
              : !column_part into !column_parts
            %query_operand3 = vector.shape_cast %query_columns3
              : !column_parts to !columns_operand
            %query_so_far3 = vector.extract %acc_added1_3[3] : !sums from !acc
            %query_summed3 = iree_codegen.inner_tiled
              ins(%query_operand3, %of_scores_operand) outs(%query_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
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
      %rows_left = affine.min affine_map<(n, r) -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %by_column0 = vector.shape_cast %acc_done0 : !acc to !acc_by_column
      %by_row0 = vector.transpose %by_column0, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums0 = vector.shape_cast %by_row0 : !acc_by_row to !result_rows
      %factor0 = arith.constant dense<1.0> : !result_rows
      %made0 = arith.mulf %sums0, %factor0 : !result_rows
    %made0_stored = arith.truncf %made0 : !result_rows to !stored_rows
      %own_tile0 = tensor.extract_slice %tile0[%first_row, %output_column]
        [%own_rows, 16] [1, 1] : !tile to !own_tile
        %written0 =
          vector.transfer_write %made0_stored, %own_tile0[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
      %by_column1 = vector.shape_cast %acc_done1 : !acc to !acc_by_column
      %by_row1 = vector.transpose %by_column1, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums1 = vector.shape_cast %by_row1 : !acc_by_row to !result_rows
      %factor1 = arith.constant dense<0.125> : !result_rows
      %made1 = arith.mulf %sums1, %factor1 : !result_rows
    %made1_stored = arith.truncf %made1 : !result_rows to !stored_rows
      %own_tile1 = tensor.extract_slice %tile1[%first_row, %output_column]
        [%own_rows, 16] [1, 1] : !tile to !own_tile
        %written1 =
          vector.transfer_write %made1_stored, %own_tile1[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written0
          into %tile0[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : !own_tile into !tile
        tensor.parallel_insert_slice %written1
          into %tile1[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : !own_tile into !tile
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %value_gradient_rows_tied = flow.dispatch.tie_shape %value_gradient_rows_out
      : !value_gradient_rows_out{%kv_tokens_dim}
    iree_tensor_ext.dispatch.tensor.store %value_gradient_rows_made,
      %value_gradient_rows_tied,
      offsets = [%own_token_0, %first_column],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !value_gradient_rows_out{%kv_tokens_dim}
    %key_gradient_rows_tied = flow.dispatch.tie_shape %key_gradient_rows_out
      : !key_gradient_rows_out{%kv_tokens_dim}
    iree_tensor_ext.dispatch.tensor.store %key_gradient_rows_made,
      %key_gradient_rows_tied,
      offsets = [%own_token_0, %first_column],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !key_gradient_rows_out{%kv_tokens_dim}
    return
  }
  }
}
flow.executable private @packed_attention_backward_of_queries {
  flow.executable.export public @packed_attention_backward_of_queries
      workgroups(%q_tokens_dim: index, %kv_tokens_dim: index, %q_tokens_by_2_dim: index, %q_tokens_kv_tokens_by_2_dim: index) -> (index, index, index) {
    %own_count = affine.apply affine_map<()[n] -> (n)>()[%q_tokens_dim]
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 128 + 3)>()[%own_count]
    %heads = arith.constant 2 : index
    %sequences = arith.constant 1 : index
    flow.return %heads, %blocks, %sequences : index, index, index
  }
  builtin.module {
  func.func @packed_attention_backward_of_queries(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %lse_rows_in: !lse_rows_in,
      %output_gradient_rows_in: !output_gradient_rows_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %cu_seqlens_k_in: !cu_seqlens_k_in,
      %delta_rows_in: !delta_rows_in,
      %keep_mask_bytes_in: !keep_mask_bytes_in,
      %captured_SLOPES_in: !captured_SLOPES_in,
      %captured_FLAGS_row_in: !captured_FLAGS_row_in,
      %q_tokens_dim_in: index,
      %kv_tokens_dim_in: index,
      %q_tokens_by_2_dim_in: index,
      %q_tokens_kv_tokens_by_2_dim_in: index,
      %query_gradient_rows_out: !query_gradient_rows_out
    ) attributes {translation_info = #lanes} {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %chunk_tokens = arith.constant 16 : index
    %step_tokens = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %minus_unit = arith.constant -1.4426950408889634 : f32
    %no_element = arith.constant 0.0 : f16
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 0 : index
    %kv_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %kv_tokens_dim_in, 1 : index
    %q_tokens_by_2_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_by_2_dim_in, 2 : index
    %q_tokens_kv_tokens_by_2_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_kv_tokens_by_2_dim_in, 3 : index
    %query_rows_tied = flow.dispatch.tie_shape %query_rows_in : !query_rows_in{%q_tokens_by_2_dim}
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_tied,
      offsets = [0, 0], sizes = [%q_tokens_by_2_dim, 64], strides = [1, 1]
      : !query_rows_in{%q_tokens_by_2_dim} -> !query_rows
    %key_rows_tied = flow.dispatch.tie_shape %key_rows_in : !key_rows_in{%kv_tokens_dim}
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_tied,
      offsets = [0, 0], sizes = [%kv_tokens_dim, 64], strides = [1, 1]
      : !key_rows_in{%kv_tokens_dim} -> !key_rows
    %value_rows_tied = flow.dispatch.tie_shape %value_rows_in : !value_rows_in{%kv_tokens_dim}
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_tied,
      offsets = [0, 0], sizes = [%kv_tokens_dim, 64], strides = [1, 1]
      : !value_rows_in{%kv_tokens_dim} -> !value_rows
    %lse_rows_tied = flow.dispatch.tie_shape %lse_rows_in : !lse_rows_in{%q_tokens_by_2_dim}
    %lse_rows = iree_tensor_ext.dispatch.tensor.load %lse_rows_tied,
      offsets = [0], sizes = [%q_tokens_by_2_dim], strides = [1]
      : !lse_rows_in{%q_tokens_by_2_dim} -> !lse_rows
    %output_gradient_rows_tied = flow.dispatch.tie_shape %output_gradient_rows_in : !output_gradient_rows_in{%q_tokens_by_2_dim}
    %output_gradient_rows = iree_tensor_ext.dispatch.tensor.load %output_gradient_rows_tied,
      offsets = [0, 0], sizes = [%q_tokens_by_2_dim, 64], strides = [1, 1]
      : !output_gradient_rows_in{%q_tokens_by_2_dim} -> !output_gradient_rows
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_q_in -> !cu_seqlens_q
    %cu_seqlens_k = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_k_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_k_in -> !cu_seqlens_k
    %delta_rows_tied = flow.dispatch.tie_shape %delta_rows_in : !delta_rows_in{%q_tokens_by_2_dim}
    %delta_rows = iree_tensor_ext.dispatch.tensor.load %delta_rows_tied,
      offsets = [0], sizes = [%q_tokens_by_2_dim], strides = [1]
      : !delta_rows_in{%q_tokens_by_2_dim} -> !delta_rows
    %keep_mask_bytes_tied = flow.dispatch.tie_shape %keep_mask_bytes_in : !keep_mask_bytes_in{%q_tokens_kv_tokens_by_2_dim}
    %keep_mask_bytes = iree_tensor_ext.dispatch.tensor.load %keep_mask_bytes_tied,
      offsets = [0], sizes = [%q_tokens_kv_tokens_by_2_dim], strides = [1]
      : !keep_mask_bytes_in{%q_tokens_kv_tokens_by_2_dim} -> !keep_mask_bytes
    %captured_SLOPES = iree_tensor_ext.dispatch.tensor.load %captured_SLOPES_in,
      offsets = [0], sizes = [8], strides = [1]
      : !captured_SLOPES_in -> !captured_SLOPES
    %captured_FLAGS_row = iree_tensor_ext.dispatch.tensor.load %captured_FLAGS_row_in,
      offsets = [0], sizes = [16384], strides = [1]
      : !captured_FLAGS_row_in -> !captured_FLAGS_row
    %own_count = affine.apply affine_map<()[n] -> (n)>()[%q_tokens_dim]
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 128 + 3)>()[%own_count]
    %block_any = flow.dispatch.workgroup.id[1] : index
    // The last queries see most keys: they begin.
    %block = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%block_any)[%blocks]
    %x = flow.dispatch.workgroup.id[0] : index
    %step_count = affine.apply affine_map<()[n] -> (n)>()[%kv_tokens_dim]
    %sequences = arith.constant 3 : index
    %most_own = arith.index_cast %own_count : index to i32
    %most_step = arith.index_cast %step_count : index to i32
    %sequence, %row_there, %blocks_before = scf.for %s = %none to %sequences step %one
        iter_args(%s_so_far = %sequences, %row_so_far = %none, %before = %none) -> (index, index, index) {
      %s_next = affine.apply affine_map<(s) -> (s + 1)>(%s)
      %from_told = tensor.extract %cu_seqlens_q[%s] : !cu_seqlens_q
      %to_told = tensor.extract %cu_seqlens_q[%s_next] : !cu_seqlens_q
    %from_kept = arith.minui %from_told, %most_own : i32
    %from = arith.index_cast %from_kept : i32 to index
    %to_kept = arith.minui %to_told, %most_own : i32
    %to = arith.index_cast %to_kept : i32 to index
      %blocks_any = affine.apply affine_map<(f, t) -> ((t - f) ceildiv 128)>(%from, %to)
      %blocks_of_s = arith.maxsi %blocks_any, %none : index
      %after = arith.addi %before, %blocks_of_s : index
      %is_not_before = arith.cmpi sge, %block, %before : index
      %is_not_after = arith.cmpi slt, %block, %after : index
      %is_there = arith.andi %is_not_before, %is_not_after : i1
      %row_of_s = affine.apply affine_map<(i, n) -> ((i - n) * 128)>(%block, %before)
      %s_found = arith.select %is_there, %s, %s_so_far : index
      %row_found = arith.select %is_there, %row_of_s, %row_so_far : index
      scf.yield %s_found, %row_found, %after : index, index, index
    }
    %is_padding = arith.cmpi eq, %sequence, %sequences : index
    %row_of_padding = affine.apply
      affine_map<(i, n) -> ((i - n) * 128)>(%block, %blocks_before)
    %row_0 = arith.select %is_padding, %row_of_padding, %row_there : index
    %sequence_next = affine.min affine_map<(s) -> (s + 1, 3)>(%sequence)
    %own_first_told = tensor.extract %cu_seqlens_q[%sequence] : !cu_seqlens_q
    %own_end_told = tensor.extract %cu_seqlens_q[%sequence_next] : !cu_seqlens_q
    %own_first_kept = arith.minui %own_first_told, %most_own : i32
    %own_first = arith.index_cast %own_first_kept : i32 to index
    %own_end_any_kept = arith.minui %own_end_told, %most_own : i32
    %own_end_any = arith.index_cast %own_end_any_kept : i32 to index
    %step_first_told = tensor.extract %cu_seqlens_k[%sequence] : !cu_seqlens_k
    %step_end_told = tensor.extract %cu_seqlens_k[%sequence_next] : !cu_seqlens_k
    %step_first_kept = arith.minui %step_first_told, %most_step : i32
    %step_first = arith.index_cast %step_first_kept : i32 to index
    %step_end_any_kept = arith.minui %step_end_told, %most_step : i32
    %step_end_any = arith.index_cast %step_end_any_kept : i32 to index
    %own_end = arith.select %is_padding, %own_count, %own_end_any : index
    %own_len = arith.subi %own_end, %own_first : index
    %step_len_any = arith.subi %step_end_any, %step_first : index
    %step_len = arith.maxsi %step_len_any, %none : index
    // Of a sequence that has none, some token is fetched: zeros take its place.
    %last_token_any = affine.min affine_map<(n, f)[c]
      -> (n - 1, c - f - 1)>(%step_len, %step_first)[%step_count]
    %minus_first = affine.apply affine_map<(f) -> (-f)>(%step_first)
    %last_token = arith.maxsi %last_token_any, %minus_first : index
    %shift = arith.subi %step_len, %own_len : index
    %own_token_0 = affine.apply affine_map<(f, r) -> (f + r)>(%own_first, %row_0)
    %first_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %rows_to_end = affine.min affine_map<(r, n) -> (128, n - r)>(%row_0, %own_len)
    %rows_here = arith.maxsi %rows_to_end, %none : index
    %first_head = affine.apply affine_map<(x) -> (x floordiv 2)>(%x)
    %begin = affine.max affine_map<(r, s)
      -> ((r + s - 20) floordiv 64 * 64, 0)>(
        %row_0, %shift)
    %end = affine.min affine_map<(r, n, s, l) -> (r + n + s + 0, l)>(
      %row_0, %rows_here, %shift, %step_len)
    %steps_any = affine.apply affine_map<(f, e) -> ((e - f) ceildiv 64)>(%begin, %end)
    %steps_of_head = arith.maxsi %steps_any, %none : index
    %steps = affine.apply affine_map<(n) -> (n * 1)>(%steps_of_head)
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %key_columns_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}>
      : () -> !columns_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %empty0 = tensor.empty(%rows_here) : !tile
    %query_gradient_rows_made =
      scf.forall (%lane) in (256)
        shared_outs(
          %tile0 = %empty0
        ) -> (!tile) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 4, 16)
        : index, index, index
      %first_row =
        affine.apply affine_map<(w, i) -> (w * 32 + i * 2)>(%wave, %index)
      %chunk_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %no_own = arith.constant dense<0.0> : !own_parts
      %own_row0 = affine.min affine_map<(r, n) -> (r + 0, n - 1)>(%first_row, %rows_here)
      %own_token_any0 = affine.min affine_map<(f, r, o)[n]
        -> (f + r + o, n - 1)>(%own_first, %row_0, %own_row0)[%own_count]
      %own_token0 = arith.maxsi %own_token_any0, %none : index
      %own_place0 = affine.apply affine_map<(t, x)
        -> (t * 2 + x)>(%own_token0, %x)
      %own_row1 = affine.min affine_map<(r, n) -> (r + 1, n - 1)>(%first_row, %rows_here)
      %own_token_any1 = affine.min affine_map<(f, r, o)[n]
        -> (f + r + o, n - 1)>(%own_first, %row_0, %own_row1)[%own_count]
      %own_token1 = arith.maxsi %own_token_any1, %none : index
      %own_place1 = affine.apply affine_map<(t, x)
        -> (t * 2 + x)>(%own_token1, %x)
      %column0 = affine.apply affine_map<(c) -> (c + 0)>(%chunk_column)
      %column1 = affine.apply affine_map<(c) -> (c + 32)>(%chunk_column)
      %query_read0_0 = vector.transfer_read %query_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
      %query_read1_0 = vector.transfer_read %query_rows[%own_place1, %column0],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
            %query_parts0_0 = vector.shape_cast %query_read0_0
              : !chunk to !row_parts
            %query_rows0_1 = vector.insert
              %query_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_parts1_0 = vector.shape_cast %query_read1_0
              : !chunk to !row_parts
            %query_rows0 = vector.insert
              %query_parts1_0, %query_rows0_1[1, 0]
              : !row_parts into !own_parts
            %query_turned0 = vector.transpose %query_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own0 = vector.shape_cast %query_turned0
              : !own_turned to !own_operand
      %query_read0_1 = vector.transfer_read %query_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
      %query_read1_1 = vector.transfer_read %query_rows[%own_place1, %column1],
        %no_element {in_bounds = [true]} : !query_rows, !chunk
            %query_parts0_1 = vector.shape_cast %query_read0_1
              : !chunk to !row_parts
            %query_rows1_1 = vector.insert
              %query_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_parts1_1 = vector.shape_cast %query_read1_1
              : !chunk to !row_parts
            %query_rows1 = vector.insert
              %query_parts1_1, %query_rows1_1[1, 0]
              : !row_parts into !own_parts
            %query_turned1 = vector.transpose %query_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own1 = vector.shape_cast %query_turned1
              : !own_turned to !own_operand
      %output_gradient_read0_0 = vector.transfer_read %output_gradient_rows[%own_place0, %column0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
      %output_gradient_read1_0 = vector.transfer_read %output_gradient_rows[%own_place1, %column0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
            %output_gradient_parts0_0 = vector.shape_cast %output_gradient_read0_0
              : !chunk to !row_parts
            %output_gradient_rows0_1 = vector.insert
              %output_gradient_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_parts1_0 = vector.shape_cast %output_gradient_read1_0
              : !chunk to !row_parts
            %output_gradient_rows0 = vector.insert
              %output_gradient_parts1_0, %output_gradient_rows0_1[1, 0]
              : !row_parts into !own_parts
            %output_gradient_turned0 = vector.transpose %output_gradient_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own0 = vector.shape_cast %output_gradient_turned0
              : !own_turned to !own_operand
      %output_gradient_read0_1 = vector.transfer_read %output_gradient_rows[%own_place0, %column1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
      %output_gradient_read1_1 = vector.transfer_read %output_gradient_rows[%own_place1, %column1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !chunk
            %output_gradient_parts0_1 = vector.shape_cast %output_gradient_read0_1
              : !chunk to !row_parts
            %output_gradient_rows1_1 = vector.insert
              %output_gradient_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_parts1_1 = vector.shape_cast %output_gradient_read1_1
              : !chunk to !row_parts
            %output_gradient_rows1 = vector.insert
              %output_gradient_parts1_1, %output_gradient_rows1_1[1, 0]
              : !row_parts into !own_parts
            %output_gradient_turned1 = vector.transpose %output_gradient_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own1 = vector.shape_cast %output_gradient_turned1
              : !own_turned to !own_operand
      %own_number0 = affine.apply affine_map<(x, t)[n]
        -> (x * n + t)>(%x, %own_token0)[%own_count]
      %lse0 = tensor.extract %lse_rows[%own_number0] : !lse_rows
        %base0_any = arith.mulf %lse0, %minus_unit : f32
        %base0_is_empty = arith.cmpf oeq, %lse0, %minus_inf : f32
        %base0 = arith.select %base0_is_empty, %minus_inf, %base0_any : f32
      %delta0 = tensor.extract %delta_rows[%own_number0] : !delta_rows
      %own_number1 = affine.apply affine_map<(x, t)[n]
        -> (x * n + t)>(%x, %own_token1)[%own_count]
      %lse1 = tensor.extract %lse_rows[%own_number1] : !lse_rows
        %base1_any = arith.mulf %lse1, %minus_unit : f32
        %base1_is_empty = arith.cmpf oeq, %lse1, %minus_inf : f32
        %base1 = arith.select %base1_is_empty, %minus_inf, %base1_any : f32
      %delta1 = tensor.extract %delta_rows[%own_number1] : !delta_rows
      %base_rows = vector.from_elements %base0, %base1 : !row_numbers_of_lane
      %bases = vector.broadcast %base_rows : !row_numbers_of_lane to !scores
      %delta_of_rows = vector.from_elements %delta0, %delta1 : !row_numbers_of_lane
      %deltas = vector.broadcast %delta_of_rows : !row_numbers_of_lane to !scores
      %token_of_group = affine.apply affine_map<(g) -> (g * 4)>(%group)
      %position0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %first_seen0 = affine.max affine_map<(p) -> (p - 20, 0)>(%position0)
      %seen0 = affine.min affine_map<(p, f, n)
        -> (p - f + 1, n - f)>(
          %position0, %first_seen0, %step_len)
      %seen_any0 = arith.maxsi %seen0, %none : index
      %seen_count0 = arith.index_cast %seen_any0 : index to i32
      %position1 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 1)>(%row_0, %first_row, %shift)
      %first_seen1 = affine.max affine_map<(p) -> (p - 20, 0)>(%position1)
      %seen1 = affine.min affine_map<(p, f, n)
        -> (p - f + 1, n - f)>(
          %position1, %first_seen1, %step_len)
      %seen_any1 = arith.maxsi %seen1, %none : index
      %seen_count1 = arith.index_cast %seen_any1 : index to i32
      %seen_rows = vector.from_elements %seen_count0, %seen_count1 : !row_bits
      %seen_counts = vector.broadcast %seen_rows : !row_bits to !score_bits
      %token_numbers = arith.constant dense<[[[0, 1, 2, 3], [0, 1, 2, 3]]]> : !score_bits
      %stands_at0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %own_of_sequence0 = affine.max affine_map<(r, o) -> (r + o, 0)>(%row_0, %own_row0)
      %own_i32_0 = arith.index_cast %own_of_sequence0 : index to i32
      %position_i32_0 = arith.index_cast %stands_at0 : index to i32
      %stands_at1 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 1)>(%row_0, %first_row, %shift)
      %own_of_sequence1 = affine.max affine_map<(r, o) -> (r + o, 0)>(%row_0, %own_row1)
      %own_i32_1 = arith.index_cast %own_of_sequence1 : index to i32
      %position_i32_1 = arith.index_cast %stands_at1 : index to i32
      %own_i32 = vector.from_elements %own_i32_0, %own_i32_1 : !row_bits
      %position_rows = vector.from_elements %position_i32_0, %position_i32_1 : !row_bits
      %position_everywhere = vector.broadcast %position_rows : !row_bits to !score_bits
      %sequence_here = affine.min affine_map<(s) -> (s, 2)>(%sequence)
      %wave_position = affine.apply affine_map<(r, w, s)
        -> (r + w * 32 + s)>(%row_0, %wave, %shift)
      %fetch_column = affine.apply affine_map<(l)
        -> ((l floordiv 4 mod 2 + l floordiv 64 * 2) * 8)>(%lane)
      %fetch_token = affine.apply affine_map<(l) -> ((l mod 4 + l floordiv 8 mod 8 * 4) * 2)>(%lane)
      %fetch_token_after = affine.apply affine_map<(t) -> (t + 1)>(%fetch_token)
      // Of some pairs the second token's row comes first, so that rows of these lie in other banks.
      %fetch_swaps = affine.apply affine_map<(t) -> ((t floordiv 4 + t floordiv 8) mod 2)>(%fetch_token)
      %fetch_row = affine.apply affine_map<(t, s) -> (t + s)>(%fetch_token, %fetch_swaps)
      %fetch_row_after = affine.apply affine_map<(t, s) -> (t + 1 - s)>(%fetch_token, %fetch_swaps)
      %lds_column0 = affine.apply affine_map<(c)
        -> ((c + 0) mod 16 floordiv 4 * 20
          + (c + 0) floordiv 16 * 4
          + (c + 0) mod 4 * 1)>(%fetch_column)
      %lds_column1 = affine.apply affine_map<(c)
        -> ((c + 1) mod 16 floordiv 4 * 20
          + (c + 1) floordiv 16 * 4
          + (c + 1) mod 4 * 1)>(%fetch_column)
      %lds_column2 = affine.apply affine_map<(c)
        -> ((c + 2) mod 16 floordiv 4 * 20
          + (c + 2) floordiv 16 * 4
          + (c + 2) mod 4 * 1)>(%fetch_column)
      %lds_column3 = affine.apply affine_map<(c)
        -> ((c + 3) mod 16 floordiv 4 * 20
          + (c + 3) floordiv 16 * 4
          + (c + 3) mod 4 * 1)>(%fetch_column)
      %lds_column4 = affine.apply affine_map<(c)
        -> ((c + 4) mod 16 floordiv 4 * 20
          + (c + 4) floordiv 16 * 4
          + (c + 4) mod 4 * 1)>(%fetch_column)
      %lds_column5 = affine.apply affine_map<(c)
        -> ((c + 5) mod 16 floordiv 4 * 20
          + (c + 5) floordiv 16 * 4
          + (c + 5) mod 4 * 1)>(%fetch_column)
      %lds_column6 = affine.apply affine_map<(c)
        -> ((c + 6) mod 16 floordiv 4 * 20
          + (c + 6) floordiv 16 * 4
          + (c + 6) mod 4 * 1)>(%fetch_column)
      %lds_column7 = affine.apply affine_map<(c)
        -> ((c + 7) mod 16 floordiv 4 * 20
          + (c + 7) floordiv 16 * 4
          + (c + 7) mod 4 * 1)>(%fetch_column)
      %token_of_index = affine.apply affine_map<(i)
        -> (i floordiv 2 * 2 + (i + i floordiv 4 + i floordiv 8) mod 2)>(%index)
      %depth_of_group = affine.apply affine_map<(g) -> (g * 4)>(%group)
      %scale = arith.constant dense<0.125> : !scores
      %no_scores = arith.constant dense<0.0> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
      %no_columns = arith.constant dense<0.0> : !column_parts
        %base_first = affine.apply affine_map<(f, h) -> (f * 1 + h)>(%step_first, %first_head)
        %token_first0 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 0, n)>(
            %begin, %lane, %last_token)
        %row_first0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first0)
        %token_first1 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 1, n)>(
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
      %t_done, %head_done, %acc_done0,
          %key_done, %value_done =
        scf.for %i = %none to %steps step %one
          iter_args(%t0 = %begin, %head = %first_head,
            %acc0 = %no_acc,
            %key_here = %key_first,
            %value_here = %value_first
          ) -> (index, index, !acc, !fetched, !fetched) {
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
        "vector.store"(%key_row0, %key_lds, %fetch_row, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %key_given1 = vector.extract %key_here[1] : !access from !fetched
        %key_row1 = arith.select %is_token1, %key_given1, %no_access : !access
        "vector.store"(%key_row1, %key_lds, %fetch_row_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %key_element0_0 = vector.extract %key_row0[0]
          : f16 from !access
        %key_element0_1 = vector.extract %key_row1[0]
          : f16 from !access
        %key_pair0 =
          vector.from_elements %key_element0_0, %key_element0_1 : !pair
        "vector.store"(%key_pair0, %key_columns_lds, %lds_column0, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element1_0 = vector.extract %key_row0[1]
          : f16 from !access
        %key_element1_1 = vector.extract %key_row1[1]
          : f16 from !access
        %key_pair1 =
          vector.from_elements %key_element1_0, %key_element1_1 : !pair
        "vector.store"(%key_pair1, %key_columns_lds, %lds_column1, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element2_0 = vector.extract %key_row0[2]
          : f16 from !access
        %key_element2_1 = vector.extract %key_row1[2]
          : f16 from !access
        %key_pair2 =
          vector.from_elements %key_element2_0, %key_element2_1 : !pair
        "vector.store"(%key_pair2, %key_columns_lds, %lds_column2, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element3_0 = vector.extract %key_row0[3]
          : f16 from !access
        %key_element3_1 = vector.extract %key_row1[3]
          : f16 from !access
        %key_pair3 =
          vector.from_elements %key_element3_0, %key_element3_1 : !pair
        "vector.store"(%key_pair3, %key_columns_lds, %lds_column3, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element4_0 = vector.extract %key_row0[4]
          : f16 from !access
        %key_element4_1 = vector.extract %key_row1[4]
          : f16 from !access
        %key_pair4 =
          vector.from_elements %key_element4_0, %key_element4_1 : !pair
        "vector.store"(%key_pair4, %key_columns_lds, %lds_column4, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element5_0 = vector.extract %key_row0[5]
          : f16 from !access
        %key_element5_1 = vector.extract %key_row1[5]
          : f16 from !access
        %key_pair5 =
          vector.from_elements %key_element5_0, %key_element5_1 : !pair
        "vector.store"(%key_pair5, %key_columns_lds, %lds_column5, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element6_0 = vector.extract %key_row0[6]
          : f16 from !access
        %key_element6_1 = vector.extract %key_row1[6]
          : f16 from !access
        %key_pair6 =
          vector.from_elements %key_element6_0, %key_element6_1 : !pair
        "vector.store"(%key_pair6, %key_columns_lds, %lds_column6, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %key_element7_0 = vector.extract %key_row0[7]
          : f16 from !access
        %key_element7_1 = vector.extract %key_row1[7]
          : f16 from !access
        %key_pair7 =
          vector.from_elements %key_element7_0, %key_element7_1 : !pair
        "vector.store"(%key_pair7, %key_columns_lds, %lds_column7, %fetch_token)
          <{alignment = 4 : i64}> : (!pair, !columns_lds, index, index) -> ()
        %value_given0 = vector.extract %value_here[0] : !access from !fetched
        %value_row0 = arith.select %is_token0, %value_given0, %no_access : !access
        "vector.store"(%value_row0, %value_lds, %fetch_row, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        %value_given1 = vector.extract %value_here[1] : !access from !fetched
        %value_row1 = arith.select %is_token1, %value_given1, %no_access : !access
        "vector.store"(%value_row1, %value_lds, %fetch_row_after, %fetch_column)
          <{alignment = 16 : i64}> : (!access, !rows_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %base_next = affine.apply affine_map<(f, h) -> (f * 1 + h)>(%step_first, %head_next)
        %token_next0 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 0, n)>(
            %t_next, %lane, %last_token)
        %row_next0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next0)
        %token_next1 = affine.min
          affine_map<(t, l, n) -> (t + (l mod 4 + l floordiv 8 mod 8 * 4) * 2 + 1, n)>(
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
        %acc_next0 = scf.for %c = %none to %step_tokens step %chunk_tokens
            iter_args(%acc_before0 = %acc0) -> (!acc) {
          %t_chunk = arith.addi %t0, %c : index
          %before_end = arith.cmpi slt, %t_chunk, %end : index
          %last_of_wave =
            affine.apply affine_map<(p) -> (p + 31)>(%wave_position)
          %is_not_ahead = arith.cmpi sle, %t_chunk, %last_of_wave : index
          %first_of_wave = affine.apply affine_map<(p) -> (p - 35)>(%wave_position)
          %is_not_behind = arith.cmpi sge, %t_chunk, %first_of_wave : index
          %always = arith.constant true
          %wave_sees_1 = arith.andi %always, %before_end : i1
          %wave_sees_2 = arith.andi %wave_sees_1, %is_not_ahead : i1
          %wave_sees = arith.andi %wave_sees_2, %is_not_behind : i1
          %acc_after0 = scf.if %wave_sees -> (!acc) {
            %token_row0 =
              affine.apply affine_map<(c, i) -> (c + i + 0)>(%c, %token_of_index)
            %key0_0_read = "vector.load"(%key_lds, %token_row0, %column0)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %key0_0 = vector.shape_cast %key0_0_read : !chunk to !step_operand
            %score_sums0_1 = iree_codegen.inner_tiled
              ins(%key0_0, %query_own0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %key0_1_read = "vector.load"(%key_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %key0_1 = vector.shape_cast %key0_1_read : !chunk to !step_operand
            %score_sums0 = iree_codegen.inner_tiled
              ins(%key0_1, %query_own1) outs(%score_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
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
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !step_operand, !own_operand into !sums
            %value0_1_read = "vector.load"(%value_lds, %token_row0, %column1)
              <{alignment = 16 : i64}> : (!rows_lds, index, index) -> !chunk
            %value0_1 = vector.shape_cast %value0_1_read : !chunk to !step_operand
            %weight_sums0 = iree_codegen.inner_tiled
              ins(%value0_1, %output_gradient_own1) outs(%weight_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
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
            %natural = arith.mulf %scores_given, %scale : !scores
          %score_mod_0 = arith.constant 0.5 : f32
          %score_mod_1 = vector.broadcast %score_mod_0 : f32 to !scores
          %score_mod_2 = arith.cmpf olt,
            %score_mod_1, %natural : !scores
          %score_mod_3 = math.tanh %natural fastmath<contract> : !scores
          %score_mod_4 = arith.select %score_mod_2, %score_mod_3, %natural : !is_seen, !scores
          %score_mod_5 = arith.constant 0 : i32
            %score_mod_6_at = arith.index_cast %head_i32 : i32 to index
            %score_mod_6_stored = tensor.extract %captured_SLOPES[%score_mod_6_at]
              : tensor<8xf16>
          %score_mod_6 = arith.extf %score_mod_6_stored : f16 to f32
          %score_mod_7 = vector.broadcast %first_token_i32 : i32 to !row_bits
          %score_mod_8 = arith.subi %score_mod_7, %own_i32 : !row_bits
          %score_mod_9 = arith.sitofp %token_numbers : !score_bits to !scores
          %score_mod_10 = arith.sitofp %score_mod_8 : !row_bits to !row_numbers_of_lane
          %score_mod_11 = vector.broadcast %score_mod_10 : !row_numbers_of_lane to !scores
          %score_mod_12 = arith.addf %score_mod_9, %score_mod_11 fastmath<contract> : !scores
          %score_mod_13 = vector.broadcast %score_mod_6 : f32 to !scores
          %score_mod_14 = arith.mulf %score_mod_13, %score_mod_12 fastmath<contract> : !scores
          %score_mod_15 = arith.addf %score_mod_4, %score_mod_14 fastmath<contract> : !scores
          %mask_mod_0 = arith.constant 0 : i32
          %mask_mod_1 = arith.constant 128 : i32
          %mask_mod_2 = arith.muli %mask_mod_0, %mask_mod_1 : i32
          %mask_mod_3 = vector.broadcast %mask_mod_2 : i32 to !row_bits
          %mask_mod_4 = arith.addi %mask_mod_3, %own_i32 : !row_bits
          %mask_mod_5 = arith.constant 128 : i32
          %mask_mod_6 = vector.broadcast %mask_mod_5 : i32 to !row_bits
          %mask_mod_7 = arith.muli %mask_mod_4, %mask_mod_6 : !row_bits
            %mask_mod_8_rows = vector.broadcast %mask_mod_7 : !row_bits to !score_bits
            %mask_mod_8_keys = arith.addi %mask_mod_8_rows, %keys_i32 : !score_bits
            %mask_mod_8_stored_places = vector.shape_cast %mask_mod_8_keys : !score_bits to vector<8xi32>
            %mask_mod_8_stored_place0 = vector.extract %mask_mod_8_stored_places[0] : i32 from vector<8xi32>
            %mask_mod_8_stored_at0 = arith.index_cast %mask_mod_8_stored_place0 : i32 to index
            %mask_mod_8_stored_one0 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at0] : tensor<16384xi8>
            %mask_mod_8_stored_place1 = vector.extract %mask_mod_8_stored_places[1] : i32 from vector<8xi32>
            %mask_mod_8_stored_at1 = arith.index_cast %mask_mod_8_stored_place1 : i32 to index
            %mask_mod_8_stored_one1 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at1] : tensor<16384xi8>
            %mask_mod_8_stored_place2 = vector.extract %mask_mod_8_stored_places[2] : i32 from vector<8xi32>
            %mask_mod_8_stored_at2 = arith.index_cast %mask_mod_8_stored_place2 : i32 to index
            %mask_mod_8_stored_one2 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at2] : tensor<16384xi8>
            %mask_mod_8_stored_place3 = vector.extract %mask_mod_8_stored_places[3] : i32 from vector<8xi32>
            %mask_mod_8_stored_at3 = arith.index_cast %mask_mod_8_stored_place3 : i32 to index
            %mask_mod_8_stored_one3 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at3] : tensor<16384xi8>
            %mask_mod_8_stored_place4 = vector.extract %mask_mod_8_stored_places[4] : i32 from vector<8xi32>
            %mask_mod_8_stored_at4 = arith.index_cast %mask_mod_8_stored_place4 : i32 to index
            %mask_mod_8_stored_one4 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at4] : tensor<16384xi8>
            %mask_mod_8_stored_place5 = vector.extract %mask_mod_8_stored_places[5] : i32 from vector<8xi32>
            %mask_mod_8_stored_at5 = arith.index_cast %mask_mod_8_stored_place5 : i32 to index
            %mask_mod_8_stored_one5 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at5] : tensor<16384xi8>
            %mask_mod_8_stored_place6 = vector.extract %mask_mod_8_stored_places[6] : i32 from vector<8xi32>
            %mask_mod_8_stored_at6 = arith.index_cast %mask_mod_8_stored_place6 : i32 to index
            %mask_mod_8_stored_one6 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at6] : tensor<16384xi8>
            %mask_mod_8_stored_place7 = vector.extract %mask_mod_8_stored_places[7] : i32 from vector<8xi32>
            %mask_mod_8_stored_at7 = arith.index_cast %mask_mod_8_stored_place7 : i32 to index
            %mask_mod_8_stored_one7 = tensor.extract %captured_FLAGS_row[%mask_mod_8_stored_at7] : tensor<16384xi8>
            %mask_mod_8_stored_ones = vector.from_elements %mask_mod_8_stored_one0, %mask_mod_8_stored_one1, %mask_mod_8_stored_one2, %mask_mod_8_stored_one3, %mask_mod_8_stored_one4, %mask_mod_8_stored_one5, %mask_mod_8_stored_one6, %mask_mod_8_stored_one7
              : vector<8xi8>
            %mask_mod_8_stored = vector.shape_cast %mask_mod_8_stored_ones : vector<8xi8> to vector<1x2x4xi8>
          %mask_mod_8_no = arith.constant dense<0> : vector<1x2x4xi8>
          %mask_mod_8 = arith.cmpi ne, %mask_mod_8_stored, %mask_mod_8_no : vector<1x2x4xi8>
          %mask_mod_9 = arith.constant 3 : i32
          %mask_mod_10 = vector.broadcast %first_token_i32 : i32 to !score_bits
          %mask_mod_11 = arith.addi %token_numbers, %mask_mod_10 : !score_bits
          %mask_mod_12 = vector.broadcast %mask_mod_9 : i32 to !score_bits
          %mask_mod_13 = arith.divui %mask_mod_11, %mask_mod_12 : !score_bits
          %mask_mod_14 = arith.constant 127 : i32
          %mask_mod_15 = vector.broadcast %mask_mod_14 : i32 to !score_bits
          %mask_mod_16 = arith.minsi %mask_mod_13, %mask_mod_15 : !score_bits
          %mask_mod_17 = arith.constant 0 : i32
          %mask_mod_18 = arith.constant 128 : i32
          %mask_mod_19 = arith.muli %mask_mod_17, %mask_mod_18 : i32
          %mask_mod_20 = vector.broadcast %mask_mod_19 : i32 to !score_bits
          %mask_mod_21 = arith.addi %mask_mod_20, %mask_mod_16 : !score_bits
          %mask_mod_22 = arith.constant 128 : i32
          %mask_mod_23 = vector.broadcast %mask_mod_22 : i32 to !score_bits
          %mask_mod_24 = arith.muli %mask_mod_21, %mask_mod_23 : !score_bits
          %mask_mod_25 = vector.broadcast %head_i32 : i32 to !score_bits
          %mask_mod_26 = arith.addi %mask_mod_24, %mask_mod_25 : !score_bits
            %mask_mod_27_stored_places = vector.shape_cast %mask_mod_26 : !score_bits to vector<8xi32>
            %mask_mod_27_stored_place0 = vector.extract %mask_mod_27_stored_places[0] : i32 from vector<8xi32>
            %mask_mod_27_stored_at0 = arith.index_cast %mask_mod_27_stored_place0 : i32 to index
            %mask_mod_27_stored_one0 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at0] : tensor<16384xi8>
            %mask_mod_27_stored_place1 = vector.extract %mask_mod_27_stored_places[1] : i32 from vector<8xi32>
            %mask_mod_27_stored_at1 = arith.index_cast %mask_mod_27_stored_place1 : i32 to index
            %mask_mod_27_stored_one1 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at1] : tensor<16384xi8>
            %mask_mod_27_stored_place2 = vector.extract %mask_mod_27_stored_places[2] : i32 from vector<8xi32>
            %mask_mod_27_stored_at2 = arith.index_cast %mask_mod_27_stored_place2 : i32 to index
            %mask_mod_27_stored_one2 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at2] : tensor<16384xi8>
            %mask_mod_27_stored_place3 = vector.extract %mask_mod_27_stored_places[3] : i32 from vector<8xi32>
            %mask_mod_27_stored_at3 = arith.index_cast %mask_mod_27_stored_place3 : i32 to index
            %mask_mod_27_stored_one3 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at3] : tensor<16384xi8>
            %mask_mod_27_stored_place4 = vector.extract %mask_mod_27_stored_places[4] : i32 from vector<8xi32>
            %mask_mod_27_stored_at4 = arith.index_cast %mask_mod_27_stored_place4 : i32 to index
            %mask_mod_27_stored_one4 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at4] : tensor<16384xi8>
            %mask_mod_27_stored_place5 = vector.extract %mask_mod_27_stored_places[5] : i32 from vector<8xi32>
            %mask_mod_27_stored_at5 = arith.index_cast %mask_mod_27_stored_place5 : i32 to index
            %mask_mod_27_stored_one5 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at5] : tensor<16384xi8>
            %mask_mod_27_stored_place6 = vector.extract %mask_mod_27_stored_places[6] : i32 from vector<8xi32>
            %mask_mod_27_stored_at6 = arith.index_cast %mask_mod_27_stored_place6 : i32 to index
            %mask_mod_27_stored_one6 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at6] : tensor<16384xi8>
            %mask_mod_27_stored_place7 = vector.extract %mask_mod_27_stored_places[7] : i32 from vector<8xi32>
            %mask_mod_27_stored_at7 = arith.index_cast %mask_mod_27_stored_place7 : i32 to index
            %mask_mod_27_stored_one7 = tensor.extract %captured_FLAGS_row[%mask_mod_27_stored_at7] : tensor<16384xi8>
            %mask_mod_27_stored_ones = vector.from_elements %mask_mod_27_stored_one0, %mask_mod_27_stored_one1, %mask_mod_27_stored_one2, %mask_mod_27_stored_one3, %mask_mod_27_stored_one4, %mask_mod_27_stored_one5, %mask_mod_27_stored_one6, %mask_mod_27_stored_one7
              : vector<8xi8>
            %mask_mod_27_stored = vector.shape_cast %mask_mod_27_stored_ones : vector<8xi8> to vector<1x2x4xi8>
          %mask_mod_27_no = arith.constant dense<0> : vector<1x2x4xi8>
          %mask_mod_27 = arith.cmpi ne, %mask_mod_27_stored, %mask_mod_27_no : vector<1x2x4xi8>
          %mask_mod_28 = arith.ori %mask_mod_8, %mask_mod_27 : !is_seen
          %mask_mod_29 = arith.constant 4 : i32
          %mask_mod_30 = arith.constant 3 : i32
          %mask_mod_31 = vector.broadcast %mask_mod_30 : i32 to !score_bits
          %mask_mod_32 = arith.andi %mask_mod_11, %mask_mod_31 : !score_bits
          %mask_mod_33 = vector.broadcast %batch_i32 : i32 to !score_bits
          %mask_mod_34 = arith.addi %mask_mod_33, %mask_mod_32 : !score_bits
          %mask_mod_35 = arith.constant 0 : i32
          %mask_mod_36 = vector.broadcast %mask_mod_35 : i32 to !score_bits
          %mask_mod_37 = arith.cmpi eq,
            %mask_mod_34, %mask_mod_36 : !score_bits
          %mask_mod_38_ones = arith.constant dense<true> : !is_seen
          %mask_mod_38 = arith.xori %mask_mod_37, %mask_mod_38_ones : !is_seen
          %mask_mod_39 = arith.ori %mask_mod_28, %mask_mod_38 : !is_seen
          %score_derivative_0 = arith.constant 1.0 : f32
          %score_derivative_1 = arith.constant 0.5 : f32
          %score_derivative_2 = vector.broadcast %score_derivative_1 : f32 to !scores
          %score_derivative_3 = arith.cmpf olt,
            %score_derivative_2, %natural : !scores
          %score_derivative_4 = math.tanh %natural fastmath<contract> : !scores
          %score_derivative_5 = arith.mulf %score_derivative_4, %score_derivative_4 fastmath<contract> : !scores
          %score_derivative_6 = vector.broadcast %score_derivative_0 : f32 to !scores
          %score_derivative_7 = arith.subf %score_derivative_6, %score_derivative_5 fastmath<contract> : !scores
          %score_derivative_8 = arith.select %score_derivative_3, %score_derivative_7, %score_derivative_6 : !is_seen, !scores
            %unit_of_all = arith.constant dense<1.4426950408889634> : !scores
            %below = math.fma %score_mod_15, %unit_of_all, %bases : !scores
            %below_flat = vector.shape_cast %below : !scores to !scores_flat
            %weights_any_flat = llvm.call_intrinsic "llvm.exp2"(%below_flat)
              : (!scores_flat) -> !scores_flat
            %weights_any = vector.shape_cast %weights_any_flat : !scores_flat to !scores
            %beyond = arith.subf %weights_given, %deltas : !scores
            %of_logits = arith.mulf %weights_any, %beyond : !scores
            %of_given = arith.mulf %of_logits, %score_derivative_8 : !scores
            %mask_start = arith.constant dense<0> : !score_bits
            %mask_h = vector.broadcast %head_i32
              : i32 to !score_bits
    %mask_h_count = arith.constant 2 : index
            %mask_h_size = arith.index_cast %mask_h_count : index to i32
            %mask_h_sizes = vector.broadcast %mask_h_size : i32 to !score_bits
            %mask_h_before = arith.muli %mask_start, %mask_h_sizes : !score_bits
            %mask_places_1 = arith.addi %mask_h_before, %mask_h : !score_bits
            %mask_q_first = arith.index_cast
              %own_first : index to i32
            %mask_q_firsts = vector.broadcast %mask_q_first : i32 to !score_bits
            %mask_q = arith.addi %queries_i32,
              %mask_q_firsts : !score_bits
    %mask_q_count = affine.apply affine_map<()[n] -> (n)>()[%q_tokens_dim]
            %mask_q_size = arith.index_cast %mask_q_count : index to i32
            %mask_q_sizes = vector.broadcast %mask_q_size : i32 to !score_bits
            %mask_q_before = arith.muli %mask_places_1, %mask_q_sizes : !score_bits
            %mask_places_2 = arith.addi %mask_q_before, %mask_q : !score_bits
            %mask_k_first = arith.index_cast
              %step_first : index to i32
            %mask_k_firsts = vector.broadcast %mask_k_first : i32 to !score_bits
            %mask_k = arith.addi %keys_i32,
              %mask_k_firsts : !score_bits
    %mask_k_count = affine.apply affine_map<()[n] -> (n)>()[%kv_tokens_dim]
            %mask_k_size = arith.index_cast %mask_k_count : index to i32
            %mask_k_sizes = vector.broadcast %mask_k_size : i32 to !score_bits
            %mask_k_before = arith.muli %mask_places_2, %mask_k_sizes : !score_bits
            %mask_places = arith.addi %mask_k_before, %mask_k : !score_bits
            %mask_bytes_places = vector.shape_cast %mask_places : !score_bits to vector<8xi32>
            %mask_bytes_place0 = vector.extract %mask_bytes_places[0] : i32 from vector<8xi32>
            %mask_bytes_at0 = arith.index_cast %mask_bytes_place0 : i32 to index
            %mask_bytes_one0 = tensor.extract %keep_mask_bytes[%mask_bytes_at0] : tensor<?xi8>
            %mask_bytes_place1 = vector.extract %mask_bytes_places[1] : i32 from vector<8xi32>
            %mask_bytes_at1 = arith.index_cast %mask_bytes_place1 : i32 to index
            %mask_bytes_one1 = tensor.extract %keep_mask_bytes[%mask_bytes_at1] : tensor<?xi8>
            %mask_bytes_place2 = vector.extract %mask_bytes_places[2] : i32 from vector<8xi32>
            %mask_bytes_at2 = arith.index_cast %mask_bytes_place2 : i32 to index
            %mask_bytes_one2 = tensor.extract %keep_mask_bytes[%mask_bytes_at2] : tensor<?xi8>
            %mask_bytes_place3 = vector.extract %mask_bytes_places[3] : i32 from vector<8xi32>
            %mask_bytes_at3 = arith.index_cast %mask_bytes_place3 : i32 to index
            %mask_bytes_one3 = tensor.extract %keep_mask_bytes[%mask_bytes_at3] : tensor<?xi8>
            %mask_bytes_place4 = vector.extract %mask_bytes_places[4] : i32 from vector<8xi32>
            %mask_bytes_at4 = arith.index_cast %mask_bytes_place4 : i32 to index
            %mask_bytes_one4 = tensor.extract %keep_mask_bytes[%mask_bytes_at4] : tensor<?xi8>
            %mask_bytes_place5 = vector.extract %mask_bytes_places[5] : i32 from vector<8xi32>
            %mask_bytes_at5 = arith.index_cast %mask_bytes_place5 : i32 to index
            %mask_bytes_one5 = tensor.extract %keep_mask_bytes[%mask_bytes_at5] : tensor<?xi8>
            %mask_bytes_place6 = vector.extract %mask_bytes_places[6] : i32 from vector<8xi32>
            %mask_bytes_at6 = arith.index_cast %mask_bytes_place6 : i32 to index
            %mask_bytes_one6 = tensor.extract %keep_mask_bytes[%mask_bytes_at6] : tensor<?xi8>
            %mask_bytes_place7 = vector.extract %mask_bytes_places[7] : i32 from vector<8xi32>
            %mask_bytes_at7 = arith.index_cast %mask_bytes_place7 : i32 to index
            %mask_bytes_one7 = tensor.extract %keep_mask_bytes[%mask_bytes_at7] : tensor<?xi8>
            %mask_bytes_ones = vector.from_elements %mask_bytes_one0, %mask_bytes_one1, %mask_bytes_one2, %mask_bytes_one3, %mask_bytes_one4, %mask_bytes_one5, %mask_bytes_one6, %mask_bytes_one7
              : vector<8xi8>
            %mask_bytes = vector.shape_cast %mask_bytes_ones : vector<8xi8> to vector<1x2x4xi8>
            %no_bytes = arith.constant dense<0> : vector<1x2x4xi8>
            %is_kept = arith.cmpi ne, %mask_bytes, %no_bytes : vector<1x2x4xi8>
            %has_weight = arith.cmpf une, %weights_any, %no_scores : !scores
            %first_of_chunk0 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen0, %t_chunk, %token_of_group)
            %first_i32_0 = arith.index_cast %first_of_chunk0 : index to i32
            %first_of_chunk1 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen1, %t_chunk, %token_of_group)
            %first_i32_1 = arith.index_cast %first_of_chunk1 : index to i32
            %first_rows = vector.from_elements %first_i32_0, %first_i32_1 : !row_bits
            %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
            %after_first = arith.subi %token_numbers, %firsts : !score_bits
            %is_in_range =
              arith.cmpi ult, %after_first, %seen_counts : !score_bits
            %all_seen = arith.constant dense<true> : !is_seen
            %is_seen_1 = arith.andi %all_seen, %is_in_range : !is_seen
            %is_seen_2 = arith.andi %is_seen_1, %is_kept : !is_seen
            %is_seen_3 = arith.andi %is_seen_2, %mask_mod_39 : !is_seen
            %is_seen = arith.andi %is_seen_3, %has_weight : !is_seen
            %weights = arith.select %is_seen, %weights_any, %no_scores : !is_seen, !scores
            %of_scores = arith.select %is_seen, %of_given, %no_scores : !is_seen, !scores
            %depth0 =
              affine.apply affine_map<(c, d) -> (c + d + 0)>(%c, %depth_of_group)
    %of_scores_stored = arith.truncf %of_scores : !scores to !stored_scores
            %of_scores_by_row = vector.transpose %of_scores_stored, [1, 0, 2]
              : !stored_scores to !stored_by_row
            %of_scores_operand = vector.shape_cast %of_scores_by_row : !stored_by_row to !weights_operand
            %key_column0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
            %key_piece0_0 =
              "vector.load"(%key_columns_lds, %key_column0, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns0 =
              vector.insert %key_piece0_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand0 = vector.shape_cast %key_columns0
              : !column_parts to !columns_operand
            %key_so_far0 = vector.extract %acc_before0[0] : !sums from !acc
            %key_summed0 = iree_codegen.inner_tiled
              ins(%key_operand0, %of_scores_operand) outs(%key_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_1 = vector.insert %key_summed0, %acc_before0[0] : !sums into !acc
            %key_column1 = affine.apply affine_map<(i) -> (i + 20)>(%index)
            %key_piece1_0 =
              "vector.load"(%key_columns_lds, %key_column1, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns1 =
              vector.insert %key_piece1_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand1 = vector.shape_cast %key_columns1
              : !column_parts to !columns_operand
            %key_so_far1 = vector.extract %acc_added0_1[1] : !sums from !acc
            %key_summed1 = iree_codegen.inner_tiled
              ins(%key_operand1, %of_scores_operand) outs(%key_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_2 = vector.insert %key_summed1, %acc_added0_1[1] : !sums into !acc
            %key_column2 = affine.apply affine_map<(i) -> (i + 40)>(%index)
            %key_piece2_0 =
              "vector.load"(%key_columns_lds, %key_column2, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns2 =
              vector.insert %key_piece2_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand2 = vector.shape_cast %key_columns2
              : !column_parts to !columns_operand
            %key_so_far2 = vector.extract %acc_added0_2[2] : !sums from !acc
            %key_summed2 = iree_codegen.inner_tiled
              ins(%key_operand2, %of_scores_operand) outs(%key_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0_3 = vector.insert %key_summed2, %acc_added0_2[2] : !sums into !acc
            %key_column3 = affine.apply affine_map<(i) -> (i + 60)>(%index)
            %key_piece3_0 =
              "vector.load"(%key_columns_lds, %key_column3, %depth0)
              <{alignment = 8 : i64}>
                : (!columns_lds, index, index) -> !column_part
            %key_columns3 =
              vector.insert %key_piece3_0, %no_columns[0]
              : !column_part into !column_parts
            %key_operand3 = vector.shape_cast %key_columns3
              : !column_parts to !columns_operand
            %key_so_far3 = vector.extract %acc_added0_3[3] : !sums from !acc
            %key_summed3 = iree_codegen.inner_tiled
              ins(%key_operand3, %of_scores_operand) outs(%key_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !columns_operand, !weights_operand into !sums
            %acc_added0 = vector.insert %key_summed3, %acc_added0_3[3] : !sums into !acc
            scf.yield %acc_added0 : !acc
          } else {
            scf.yield %acc_before0 : !acc
          }
          scf.yield %acc_after0 : !acc
        }
        scf.yield %t_next, %head_next, %acc_next0,
            %key_next, %value_next
          : index, index, !acc, !fetched, !fetched
      }
      %rows_left = affine.min affine_map<(n, r) -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %by_column0 = vector.shape_cast %acc_done0 : !acc to !acc_by_column
      %by_row0 = vector.transpose %by_column0, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums0 = vector.shape_cast %by_row0 : !acc_by_row to !result_rows
      %factor0 = arith.constant dense<0.125> : !result_rows
      %made0 = arith.mulf %sums0, %factor0 : !result_rows
    %made0_stored = arith.truncf %made0 : !result_rows to !stored_rows
      %own_tile0 = tensor.extract_slice %tile0[%first_row, %output_column]
        [%own_rows, 16] [1, 1] : !tile to !own_tile
        %written0 =
          vector.transfer_write %made0_stored, %own_tile0[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written0
          into %tile0[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : !own_tile into !tile
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %query_gradient_rows_tied = flow.dispatch.tie_shape %query_gradient_rows_out
      : !query_gradient_rows_out{%q_tokens_dim}
    iree_tensor_ext.dispatch.tensor.store %query_gradient_rows_made,
      %query_gradient_rows_tied,
      offsets = [%own_token_0, %first_column],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !query_gradient_rows_out{%q_tokens_dim}
    return
  }
  }
}
func.func @packed_attention_backward(%query_given: !query, %key_given: !key, %value_given: !value, %output_given: !output, %lse_given: !lse, %output_gradient_given: !output_gradient, %cu_seqlens_q: !cu_seqlens_q, %cu_seqlens_k: !cu_seqlens_k, %keep_mask_given: !keep_mask, %sinks: !sinks, %captured_SLOPES: !captured_SLOPES, %captured_FLAGS: !captured_FLAGS) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient) {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_given = tensor.dim %query_given, %q_tokens_axis : !query
  %q_tokens_dim = util.assume.int %q_tokens_given
    <umin = 1, umax = 40, udiv = 1> : index
  %kv_tokens_axis = arith.constant 0 : index
  %kv_tokens_given = tensor.dim %key_given, %kv_tokens_axis : !key
  %kv_tokens_dim = util.assume.int %kv_tokens_given
    <umin = 1, umax = 50, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%q_tokens_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%kv_tokens_dim}
  %value = flow.tensor.tie_shape %value_given
    : !value{%kv_tokens_dim}
  %output = flow.tensor.tie_shape %output_given
    : !output{%q_tokens_dim}
  %lse = flow.tensor.tie_shape %lse_given
    : !lse{%q_tokens_dim}
  %output_gradient = flow.tensor.tie_shape %output_gradient_given
    : !output_gradient{%q_tokens_dim}
  %keep_mask = flow.tensor.tie_shape %keep_mask_given
    : !keep_mask{%q_tokens_dim, %kv_tokens_dim}
  %q_tokens_by_2_dim = affine.apply affine_map<()[a]
    -> (a * 2)>()[%q_tokens_dim]
  %q_tokens_kv_tokens_by_2_dim = affine.apply affine_map<()[a, b]
    -> (a * b * 2)>()[%q_tokens_dim, %kv_tokens_dim]
  %delta_zero = arith.constant 0.0 : f32
  %delta_empty = tensor.empty(%q_tokens_dim) : !row_numbers
  %delta_start = linalg.fill ins(%delta_zero : f32) outs(%delta_empty : !row_numbers) -> !row_numbers
  %delta = linalg.generic {
      indexing_maps = [#values, #values, #value_row],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%output, %output_gradient : !output, !output_gradient) outs(%delta_start : !row_numbers) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !row_numbers
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]] : !query into !query_rows
  %key_rows = tensor.collapse_shape %key [[0, 1], [2]] : !key into !key_rows
  %value_rows = tensor.collapse_shape %value [[0, 1], [2]] : !value into !value_rows
  %output_gradient_rows = tensor.collapse_shape %output_gradient [[0, 1], [2]] : !output_gradient into !output_gradient_rows
  %lse_rows = tensor.collapse_shape %lse [[0, 1]] : !lse into !lse_rows
  %delta_rows = tensor.collapse_shape %delta [[0, 1]] : !row_numbers into !delta_rows
  %keep_mask_i8 = arith.extui %keep_mask : !keep_mask to tensor<2x?x?xi8>
  %keep_mask_bytes = tensor.collapse_shape %keep_mask_i8 [[0, 1, 2]]
    : tensor<2x?x?xi8> into !keep_mask_bytes
  %captured_FLAGS_bytes = arith.extui %captured_FLAGS : !captured_FLAGS to tensor<128x128xi8>
  %captured_FLAGS_row = tensor.collapse_shape %captured_FLAGS_bytes [[0, 1]]
    : tensor<128x128xi8> into tensor<16384xi8>
  %value_gradient_rows, %key_gradient_rows = flow.dispatch @packed_attention_backward_of_keys::@packed_attention_backward_of_keys[%q_tokens_dim, %kv_tokens_dim, %q_tokens_by_2_dim, %q_tokens_kv_tokens_by_2_dim](
      %query_rows, %key_rows, %value_rows, %lse_rows, %output_gradient_rows, %cu_seqlens_q, %cu_seqlens_k, %delta_rows, %keep_mask_bytes, %captured_SLOPES, %captured_FLAGS_row, %q_tokens_dim, %kv_tokens_dim, %q_tokens_by_2_dim, %q_tokens_kv_tokens_by_2_dim)
    : (!query_rows{%q_tokens_by_2_dim}, !key_rows{%kv_tokens_dim}, !value_rows{%kv_tokens_dim}, !lse_rows{%q_tokens_by_2_dim}, !output_gradient_rows{%q_tokens_by_2_dim}, !cu_seqlens_q, !cu_seqlens_k, !delta_rows{%q_tokens_by_2_dim}, !keep_mask_bytes{%q_tokens_kv_tokens_by_2_dim}, !captured_SLOPES, !captured_FLAGS_row, index, index, index, index)
    -> (tensor<?x64xf16>{%kv_tokens_dim}, tensor<?x64xf16>{%kv_tokens_dim})
  %value_gradient = tensor.expand_shape %value_gradient_rows [[0], [1, 2]]
    output_shape [%kv_tokens_dim, 1, 64] : tensor<?x64xf16> into !value_gradient
  %key_gradient = tensor.expand_shape %key_gradient_rows [[0], [1, 2]]
    output_shape [%kv_tokens_dim, 1, 64] : tensor<?x64xf16> into !key_gradient
  %query_gradient_rows = flow.dispatch @packed_attention_backward_of_queries::@packed_attention_backward_of_queries[%q_tokens_dim, %kv_tokens_dim, %q_tokens_by_2_dim, %q_tokens_kv_tokens_by_2_dim](
      %query_rows, %key_rows, %value_rows, %lse_rows, %output_gradient_rows, %cu_seqlens_q, %cu_seqlens_k, %delta_rows, %keep_mask_bytes, %captured_SLOPES, %captured_FLAGS_row, %q_tokens_dim, %kv_tokens_dim, %q_tokens_by_2_dim, %q_tokens_kv_tokens_by_2_dim)
    : (!query_rows{%q_tokens_by_2_dim}, !key_rows{%kv_tokens_dim}, !value_rows{%kv_tokens_dim}, !lse_rows{%q_tokens_by_2_dim}, !output_gradient_rows{%q_tokens_by_2_dim}, !cu_seqlens_q, !cu_seqlens_k, !delta_rows{%q_tokens_by_2_dim}, !keep_mask_bytes{%q_tokens_kv_tokens_by_2_dim}, !captured_SLOPES, !captured_FLAGS_row, index, index, index, index)
    -> (tensor<?x128xf16>{%q_tokens_dim})
  %query_gradient = tensor.expand_shape %query_gradient_rows [[0], [1, 2]]
    output_shape [%q_tokens_dim, 2, 64] : tensor<?x128xf16> into !query_gradient
  %sinks_empty = tensor.empty() : !sinks_gradient
  %sinks_start = linalg.fill ins(%delta_zero : f32) outs(%sinks_empty : !sinks_gradient) -> !sinks_gradient
  %sinks_gradient = linalg.generic {
      indexing_maps = [#head, #row_of_head, #row_of_head, #head],
      iterator_types = ["parallel", "reduction"]
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
    // Padding has no share, whatever lies there.
    %m = linalg.index 1 : index
    %last_bound = arith.constant 3 : index
    %end_told = tensor.extract %cu_seqlens_q[%last_bound] : !cu_seqlens_q
    %m_i32 = arith.index_cast %m : index to i32
    %is_query = arith.cmpi slt, %m_i32, %end_told : i32
    %term_any = arith.mulf %share_lost, %delta_of_row : f32
    %term = arith.select %is_query, %term_any, %none : f32
    %more = arith.addf %total, %term : f32
    linalg.yield %more : f32
  } -> !sinks_gradient
  return %query_gradient, %key_gradient, %value_gradient, %sinks_gradient
    : !query_gradient, !key_gradient, !value_gradient, !sinks_gradient
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @packed_attention_backward$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %output: !output,
    %lse: !lse,
    %output_gradient: !output_gradient,
    %cu_seqlens_q: !cu_seqlens_q,
    %cu_seqlens_k: !cu_seqlens_k,
    %keep_mask: !keep_mask,
    %sinks: !sinks,
    %captured_SLOPES: !captured_SLOPES,
    %captured_FLAGS: !captured_FLAGS
  ) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient) attributes {iree.abi.model = "coarse-fences"} {
  %query_gradient, %key_gradient, %value_gradient, %sinks_gradient = func.call @packed_attention_backward(%query, %key, %value, %output, %lse, %output_gradient, %cu_seqlens_q, %cu_seqlens_k, %keep_mask, %sinks, %captured_SLOPES, %captured_FLAGS)
    : (!query, !key, !value, !output, !lse, !output_gradient, !cu_seqlens_q, !cu_seqlens_k, !keep_mask, !sinks, !captured_SLOPES, !captured_FLAGS) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient)
  util.return %query_gradient, %key_gradient, %value_gradient, %sinks_gradient : !query_gradient, !key_gradient, !value_gradient, !sinks_gradient
}
