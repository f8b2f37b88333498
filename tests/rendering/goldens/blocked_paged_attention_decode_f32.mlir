// Attention as one kernel of few rows.
!query = tensor<2x8x1x64xf32>
!key_cache = tensor<9x2x16x64xf32>
!value_cache = tensor<9x2x16x64xf32>
!block_table = tensor<2x4xi32>
!context_lens = tensor<2xi32>
!output = tensor<2x8x1x64xf32>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x1x64xf32>>
!key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf32>>
!value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf32>>
!block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x1x64xf32>>
!output_slice = tensor<8x?x64xf32>
!lse_slice = tensor<8x?xf32>
!queries = tensor<4x64xf32>
!scores = tensor<4x32xf32>
!weights = tensor<4x32xf32>
!factors = tensor<4xf32>
!row_lanes = tensor<4x16xf32>
!acc = tensor<8x64xf32>
!row = tensor<8xf32>
!given_query = vector<64xf32>
!query_row = vector<64xf32>
!given_value = vector<64xf32>
!value_row = vector<64xf32>
!value_block = vector<4x64xf32>
!acc_row = vector<64xf32>
!output_f32 = vector<64xf32>
!output_row = vector<64xf32>
!logits = vector<32xf32>
!logit_bits = vector<32xi32>
!logit_flags = vector<32xi1>
!key_indices = vector<32xindex>
!key_numbers = vector<32xi32>
!lanes_f32 = vector<16xf32>
!block_bits = vector<4xi32>
!block_flags = vector<4xi1>
!block_numbers = vector<4xf32>
!block_rows0 = vector<4x16xf32>
!block_register4 = vector<4xf32>
!block_register8 = vector<8xf32>
!block_register16 = vector<16xf32>
#of_row = affine_map<(m, k) -> (m, 0)>
#of_column = affine_map<(k, n) -> (0, n)>
#of_element = affine_map<(m) -> (m, 0)>
!given_key = vector<16xf32>
!key_lanes = vector<16xf32>
!row_sums = vector<4x16xf32>
!score_sums = vector<4x4x16xf32>
!scores_of_keys = vector<4x4xf32>
!scores_of_rows = vector<4x4xf32>
!keys_numbers = vector<16xf32>
!keys_rows0 = vector<16x16xf32>
!keys_register16 = vector<16xf32>
!key_memory = memref<9x2x16x64xf32>
!value_memory = memref<9x2x16x64xf32>
#arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens) -> !output {
  %output =
    flow.dispatch @output_kernel::@output_kernel(
      %query, %key_cache, %value_cache, %block_table, %context_lens
    ) : (
      tensor<2x8x1x64xf32>,
      tensor<9x2x16x64xf32>,
      tensor<9x2x16x64xf32>,
      tensor<2x4xi32>,
      tensor<2xi32>
    ) -> (tensor<2x8x1x64xf32>)
  return %output
    : !output
}
flow.executable private @output_kernel {
  flow.executable.export public @output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @output_kernel(
      %query_in: !query_in,
      %key_cache_in: !key_cache_in,
      %value_cache_in: !value_cache_in,
      %block_table_in: !block_table_in,
      %context_lens_in: !context_lens_in,
      %output_out: !output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [2, 8, 1, 64], strides = [1, 1, 1, 1]
      : !query_in -> tensor<2x8x1x64xf32>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !key_cache_in -> tensor<9x2x16x64xf32>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !value_cache_in -> tensor<9x2x16x64xf32>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [2, 4], strides = [1, 1]
      : !block_table_in -> tensor<2x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !context_lens_in -> tensor<2xi32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 32 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 8 : index
    %rows = arith.constant 8 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 64 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 2 : index
    %heads = arith.constant 1 : index
    %queries_of_head = arith.constant 1 : index
    %keys_of_axis = arith.constant 64 : index
    %q_len = arith.constant 1 : index
    %tiles = arith.constant 1 : index
    %output_empty = tensor.empty() : tensor<2x8x1x64xf32>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<2x8x1x64xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 8)>(%x)
    // The tiles with most keys begin first.
    %first_query = affine.apply affine_map<(i)[n] -> ((n - 1 - i) * 1)>(%i)[%tiles]
    %queries_here = affine.min
      affine_map<(m)[n] -> (n - m, 1)>(%first_query)[%queries_of_head]
    %last_query = affine.apply affine_map<()[n] -> (n - 1)>()[%queries_of_head]
    %context_len_i32 = tensor.extract %context_lens[%b] : !context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 1)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 32 * 32)>(%tile_begin)
    %key_memory = hal.interface.binding.subspan layout(#arguments) binding(1)
      alignment(64) offset(%none) : !key_memory
    %value_memory = hal.interface.binding.subspan layout(#arguments) binding(2)
      alignment(64) offset(%none) : !value_memory
    %line0 = arith.constant 0 : index
    %line16 = arith.constant 16 : index
    %line32 = arith.constant 32 : index
    %line48 = arith.constant 48 : index
    %key_numbers = vector.step : !key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !key_indices to !key_numbers
    %padding = arith.constant 0.0 : f32
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !value_block
    %acc_empty = tensor.empty() : !acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !value_block, !acc
        scf.yield %after : !acc
      }
      scf.yield %filled : !acc
    }
    %max_empty = tensor.empty() : !row
    %sum_empty = tensor.empty() : !row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!row, !row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !row
      scf.yield %max_after, %sum_after : !row, !row
    }
    %no_scores = arith.constant dense<0.0> : !score_sums
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!acc, !row, !row) {
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!acc, !row, !row) {
    %keys_end_query = arith.minsi %queries_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %first_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 32)>(%keys_end, %t0, %end)
        %sees = arith.cmpi slt, %from, %to : index
        %kv_head = affine.apply
          affine_map<(h, r) -> ((h + r floordiv 1) floordiv 4)>
          (%first_head, %r0)
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!acc, !row, !row) {
    %queries_empty = tensor.empty() : !queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
      %query_row = vector.transfer_read
        %query[%b, %head, %query_token, %none], %padding
        {in_bounds = [true]} : !query, !given_query

      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !query_row, !queries
      scf.yield %after : !queries
    }
          %step_run0_key = affine.min affine_map<(t, e) -> (t + 0, e - 1)>(%t0, %end)
          %step_run0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%step_run0_key)
          %step_run0_block_i32 = tensor.extract %block_table[%b, %step_run0_page]
            : !block_table
          %step_run0_block = arith.index_cast %step_run0_block_i32 : i32 to index
          %step_run16_key = affine.min affine_map<(t, e) -> (t + 16, e - 1)>(%t0, %end)
          %step_run16_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%step_run16_key)
          %step_run16_block_i32 = tensor.extract %block_table[%b, %step_run16_page]
            : !block_table
          %step_run16_block = arith.index_cast %step_run16_block_i32 : i32 to index
          %next_head = affine.apply
            affine_map<(h) -> ((h + 1) mod 2 + h floordiv 2 * 2)>(%kv_head)
          %next_t0 = affine.apply
            affine_map<(t, h)
            -> (t + (h mod 2 + 1) floordiv 2 * 32)>(%t0, %kv_head)
          %next_run0_key = affine.min affine_map<(t, e) -> (t + 0, e - 1)>(%next_t0, %end)
          %next_run0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run0_key)
          %next_run0_block_i32 = tensor.extract %block_table[%b, %next_run0_page]
            : !block_table
          %next_run0_block = arith.index_cast %next_run0_block_i32 : i32 to index
          %next_run16_key = affine.min affine_map<(t, e) -> (t + 16, e - 1)>(%next_t0, %end)
          %next_run16_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run16_key)
          %next_run16_block_i32 = tensor.extract %block_table[%b, %next_run16_page]
            : !block_table
          %next_run16_block = arith.index_cast %next_run16_block_i32 : i32 to index
          %first_scored = affine.apply
            affine_map<(t) -> (t floordiv 4 * 4)>(%from)
          %scores_empty = tensor.empty() : !scores
          %scores = scf.for %j = %first_scored to %to
            step %scored_keys iter_args(%before = %scores_empty) -> (!scores) {
          %step_block_begin = arith.constant 16 : index
          %step_block_is_behind = arith.cmpi sge, %j, %step_block_begin : index
          %step_block = arith.select %step_block_is_behind, %step_run16_block, %step_run0_block
            : index
          %next_block_begin = arith.constant 16 : index
          %next_block_is_behind = arith.cmpi sge, %j, %next_block_begin : index
          %next_block = arith.select %next_block_is_behind, %next_run16_block, %next_run0_block
            : index
            %key0 = affine.apply affine_map<(j, t) -> (t + j + 0)>(%j, %t0)
        %key0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key0)
        %key0_block = arith.addi %step_block, %none : index
            %key1 = affine.apply affine_map<(j, t) -> (t + j + 1)>(%j, %t0)
        %key1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key1)
        %key1_block = arith.addi %step_block, %none : index
            %key2 = affine.apply affine_map<(j, t) -> (t + j + 2)>(%j, %t0)
        %key2_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key2)
        %key2_block = arith.addi %step_block, %none : index
            %key3 = affine.apply affine_map<(j, t) -> (t + j + 3)>(%j, %t0)
        %key3_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key3)
        %key3_block = arith.addi %step_block, %none : index
            %next0 = affine.apply
              affine_map<(t, j) -> (t + j + 0)>(%next_t0, %j)
        %next0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next0)
        %next0_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line0],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line16],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line32],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line48],
              read, locality<2>, data : !key_memory
            %next1 = affine.apply
              affine_map<(t, j) -> (t + j + 1)>(%next_t0, %j)
        %next1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next1)
        %next1_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line0],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line16],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line32],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line48],
              read, locality<2>, data : !key_memory
            %next2 = affine.apply
              affine_map<(t, j) -> (t + j + 2)>(%next_t0, %j)
        %next2_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next2)
        %next2_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line0],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line16],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line32],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line48],
              read, locality<2>, data : !key_memory
            %next3 = affine.apply
              affine_map<(t, j) -> (t + j + 3)>(%next_t0, %j)
        %next3_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next3)
        %next3_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line0],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line16],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line32],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line48],
              read, locality<2>, data : !key_memory
            %lane_sums = scf.for %k = %none to %head_steps step %lanes iter_args(%so_far = %no_scores)
              -> !score_sums {
              %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
              %key_lanes0 = vector.transfer_read
                %key_cache[%key0_block, %kv_head, %key0_slot, %column], %padding
                {in_bounds = [true]} : !key_cache, !given_key

              %key_lanes1 = vector.transfer_read
                %key_cache[%key1_block, %kv_head, %key1_slot, %column], %padding
                {in_bounds = [true]} : !key_cache, !given_key

              %key_lanes2 = vector.transfer_read
                %key_cache[%key2_block, %kv_head, %key2_slot, %column], %padding
                {in_bounds = [true]} : !key_cache, !given_key

              %key_lanes3 = vector.transfer_read
                %key_cache[%key3_block, %kv_head, %key3_slot, %column], %padding
                {in_bounds = [true]} : !key_cache, !given_key

              %left = vector.transfer_read %queries[%none, %k], %zero {in_bounds = [true, true]}
                : !queries, !row_sums
              %right0 = vector.broadcast %key_lanes0 : !key_lanes to !row_sums
              %old0 = vector.extract %so_far[0] : !row_sums from !score_sums
              %new0 = vector.fma %left, %right0, %old0 : !row_sums
              %more_1 = vector.insert %new0, %so_far [0] : !row_sums into !score_sums
              %right1 = vector.broadcast %key_lanes1 : !key_lanes to !row_sums
              %old1 = vector.extract %so_far[1] : !row_sums from !score_sums
              %new1 = vector.fma %left, %right1, %old1 : !row_sums
              %more_2 = vector.insert %new1, %more_1 [1] : !row_sums into !score_sums
              %right2 = vector.broadcast %key_lanes2 : !key_lanes to !row_sums
              %old2 = vector.extract %so_far[2] : !row_sums from !score_sums
              %new2 = vector.fma %left, %right2, %old2 : !row_sums
              %more_3 = vector.insert %new2, %more_2 [2] : !row_sums into !score_sums
              %right3 = vector.broadcast %key_lanes3 : !key_lanes to !row_sums
              %old3 = vector.extract %so_far[3] : !row_sums from !score_sums
              %new3 = vector.fma %left, %right3, %old3 : !row_sums
              %more = vector.insert %new3, %more_3 [3] : !row_sums into !score_sums
              scf.yield %more : !score_sums
            }
            %sums_of_keys = vector.shape_cast %lane_sums : !score_sums to !keys_rows0
        %sums_0 = vector.extract %sums_of_keys[0] : !keys_register16 from !keys_rows0
        %sums_1 = vector.extract %sums_of_keys[1] : !keys_register16 from !keys_rows0
        %sums_2 = vector.extract %sums_of_keys[2] : !keys_register16 from !keys_rows0
        %sums_3 = vector.extract %sums_of_keys[3] : !keys_register16 from !keys_rows0
        %sums_4 = vector.extract %sums_of_keys[4] : !keys_register16 from !keys_rows0
        %sums_5 = vector.extract %sums_of_keys[5] : !keys_register16 from !keys_rows0
        %sums_6 = vector.extract %sums_of_keys[6] : !keys_register16 from !keys_rows0
        %sums_7 = vector.extract %sums_of_keys[7] : !keys_register16 from !keys_rows0
        %sums_8 = vector.extract %sums_of_keys[8] : !keys_register16 from !keys_rows0
        %sums_9 = vector.extract %sums_of_keys[9] : !keys_register16 from !keys_rows0
        %sums_10 = vector.extract %sums_of_keys[10] : !keys_register16 from !keys_rows0
        %sums_11 = vector.extract %sums_of_keys[11] : !keys_register16 from !keys_rows0
        %sums_12 = vector.extract %sums_of_keys[12] : !keys_register16 from !keys_rows0
        %sums_13 = vector.extract %sums_of_keys[13] : !keys_register16 from !keys_rows0
        %sums_14 = vector.extract %sums_of_keys[14] : !keys_register16 from !keys_rows0
        %sums_15 = vector.extract %sums_of_keys[15] : !keys_register16 from !keys_rows0
        %sums_evens16 = vector.shuffle
          %sums_0, %sums_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds16 = vector.shuffle
          %sums_0, %sums_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_16 = arith.addf
          %sums_evens16, %sums_odds16 fastmath<reassoc> : !keys_register16
        %sums_evens17 = vector.shuffle
          %sums_2, %sums_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds17 = vector.shuffle
          %sums_2, %sums_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_17 = arith.addf
          %sums_evens17, %sums_odds17 fastmath<reassoc> : !keys_register16
        %sums_evens18 = vector.shuffle
          %sums_4, %sums_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds18 = vector.shuffle
          %sums_4, %sums_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_18 = arith.addf
          %sums_evens18, %sums_odds18 fastmath<reassoc> : !keys_register16
        %sums_evens19 = vector.shuffle
          %sums_6, %sums_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds19 = vector.shuffle
          %sums_6, %sums_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_19 = arith.addf
          %sums_evens19, %sums_odds19 fastmath<reassoc> : !keys_register16
        %sums_evens20 = vector.shuffle
          %sums_8, %sums_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds20 = vector.shuffle
          %sums_8, %sums_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_20 = arith.addf
          %sums_evens20, %sums_odds20 fastmath<reassoc> : !keys_register16
        %sums_evens21 = vector.shuffle
          %sums_10, %sums_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds21 = vector.shuffle
          %sums_10, %sums_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_21 = arith.addf
          %sums_evens21, %sums_odds21 fastmath<reassoc> : !keys_register16
        %sums_evens22 = vector.shuffle
          %sums_12, %sums_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds22 = vector.shuffle
          %sums_12, %sums_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_22 = arith.addf
          %sums_evens22, %sums_odds22 fastmath<reassoc> : !keys_register16
        %sums_evens23 = vector.shuffle
          %sums_14, %sums_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds23 = vector.shuffle
          %sums_14, %sums_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_23 = arith.addf
          %sums_evens23, %sums_odds23 fastmath<reassoc> : !keys_register16
        %sums_evens24 = vector.shuffle
          %sums_16, %sums_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds24 = vector.shuffle
          %sums_16, %sums_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_24 = arith.addf
          %sums_evens24, %sums_odds24 fastmath<reassoc> : !keys_register16
        %sums_evens25 = vector.shuffle
          %sums_18, %sums_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds25 = vector.shuffle
          %sums_18, %sums_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_25 = arith.addf
          %sums_evens25, %sums_odds25 fastmath<reassoc> : !keys_register16
        %sums_evens26 = vector.shuffle
          %sums_20, %sums_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds26 = vector.shuffle
          %sums_20, %sums_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_26 = arith.addf
          %sums_evens26, %sums_odds26 fastmath<reassoc> : !keys_register16
        %sums_evens27 = vector.shuffle
          %sums_22, %sums_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds27 = vector.shuffle
          %sums_22, %sums_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_27 = arith.addf
          %sums_evens27, %sums_odds27 fastmath<reassoc> : !keys_register16
        %sums_evens28 = vector.shuffle
          %sums_24, %sums_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !keys_register16, !keys_register16
        %sums_odds28 = vector.shuffle
          %sums_24, %sums_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !keys_register16, !keys_register16
        %sums_28 = arith.addf
          %sums_evens28, %sums_odds28 fastmath<reassoc> : !keys_register16
        %sums_evens29 = vector.shuffle
          %sums_26, %sums_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !keys_register16, !keys_register16
        %sums_odds29 = vector.shuffle
          %sums_26, %sums_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !keys_register16, !keys_register16
        %sums_29 = arith.addf
          %sums_evens29, %sums_odds29 fastmath<reassoc> : !keys_register16
        %sums_evens30 = vector.shuffle
          %sums_28, %sums_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !keys_register16, !keys_register16
        %sums_odds30 = vector.shuffle
          %sums_28, %sums_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !keys_register16, !keys_register16
        %sums = arith.addf
          %sums_evens30, %sums_odds30 fastmath<reassoc> : !keys_register16
            %scores_of_keys = vector.shape_cast %sums : !keys_numbers to !scores_of_keys
            %scores_of_rows = vector.transpose %scores_of_keys, [1, 0] : !scores_of_keys to !scores_of_rows
            %after = vector.transfer_write %scores_of_rows, %before[%none, %j] {in_bounds = [true, true]}
              : !scores_of_rows, !scores
            scf.yield %after : !scores
          }
        %hidden = arith.constant dense<0xFF800000> : !logits
        %lanes_empty = tensor.empty() : !row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!scores, !row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !scores, !logits
          %scale = arith.constant dense<0.18033688011112042> : !logits
          %scaled = arith.mulf %score, %scale : !logits
          %next_query = arith.addi %m, %one : index
    %row_end_query = arith.minsi %next_query, %q_len : index
    %row_end_is_real = arith.cmpi slt, %m, %row_end_query : index
    %row_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%row_end_query, %first_position, %context_len)
    %row_end = arith.select %row_end_is_real, %row_end_limit, %none : index
    %row_begin = arith.constant 0 : index
          %row_to = arith.subi %row_end, %t0 : index
          %row_to_i32 = arith.index_cast %row_to : index to i32
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !key_numbers
          %logit = arith.select %ahead_is_seen, %scaled, %hidden
            : !logit_flags, !logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !logits, !scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !lanes_f32, !row_lanes
          scf.yield %logits_after, %tops_after : !scores, !row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !row_lanes, !block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !block_register16 from !block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !block_register16 from !block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !block_register16 from !block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !block_register16 from !block_rows0
        %max_of_step_evens4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_4 = arith.maxnumf
          %max_of_step_evens4, %max_of_step_odds4 fastmath<nnan> : !block_register16
        %max_of_step_evens5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_5 = arith.maxnumf
          %max_of_step_evens5, %max_of_step_odds5 fastmath<nnan> : !block_register16
        %max_of_step_evens6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_6 = arith.maxnumf
          %max_of_step_evens6, %max_of_step_odds6 fastmath<nnan> : !block_register16
        %max_of_step_evens7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !block_register16, !block_register16
        %max_of_step_odds7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !block_register16, !block_register16
        %max_of_step_7 = arith.maxnumf
          %max_of_step_evens7, %max_of_step_odds7 fastmath<nnan> : !block_register8
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [0, 1, 2, 3] : !block_register8, !block_register8
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [4, 5, 6, 7] : !block_register8, !block_register8
        %max_of_step = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !block_register4
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !row, !block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !block_numbers
        %max_below = arith.subf %max_before, %max_now : !block_numbers
          %factor_least = arith.constant dense<-127.0> : !block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
            : !block_flags, !block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !block_numbers
          %factor_term5 = arith.constant dense<1.0> : !block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !block_numbers
          %factor_number = arith.bitcast %factor_rounded : !block_numbers to !block_bits
          %factor_place = arith.constant dense<23> : !block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !block_bits
          %factor_scale = arith.bitcast %factor_shifted : !block_bits to !block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !block_numbers
        %factors_empty = tensor.empty() : !factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !block_numbers, !factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !block_numbers, !row
        %weights_empty = tensor.empty() : !weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!weights, !row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !scores, !logits
          %max_of_row = tensor.extract %max_next[%row] : !row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !logits
          %below = arith.subf %logit, %max_everywhere : !logits
          %weight_least = arith.constant dense<-127.0> : !logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
            : !logit_flags, !logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !logits
          %weight_left = arith.subf %weight_power, %weight_whole : !logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !logits
          %weight_term5 = arith.constant dense<1.0> : !logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !logits
          %weight_number = arith.bitcast %weight_rounded : !logits to !logit_bits
          %weight_place = arith.constant dense<23> : !logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !logit_bits to !logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !lanes_f32, !row_lanes
          %weights_after = vector.transfer_write %weight, %weights_before[%r, %none] {in_bounds = [true]}
            : !logits, !weights
          scf.yield %weights_after, %sums_after : !weights, !row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !row_lanes, !block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !block_register16 from !block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !block_register16 from !block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !block_register16 from !block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !block_register16 from !block_rows0
        %sum_of_step_evens4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_4 = arith.addf
          %sum_of_step_evens4, %sum_of_step_odds4 fastmath<reassoc> : !block_register16
        %sum_of_step_evens5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_5 = arith.addf
          %sum_of_step_evens5, %sum_of_step_odds5 fastmath<reassoc> : !block_register16
        %sum_of_step_evens6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_6 = arith.addf
          %sum_of_step_evens6, %sum_of_step_odds6 fastmath<reassoc> : !block_register16
        %sum_of_step_evens7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !block_register16, !block_register16
        %sum_of_step_odds7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !block_register16, !block_register16
        %sum_of_step_7 = arith.addf
          %sum_of_step_evens7, %sum_of_step_odds7 fastmath<reassoc> : !block_register8
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [0, 1, 2, 3] : !block_register8, !block_register8
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [4, 5, 6, 7] : !block_register8, !block_register8
        %sum_of_step = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !block_register4
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !row, !block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !block_numbers, !row
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !acc, !value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #of_element, in_bounds = [true, true]} : !factors, !value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !value_block
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk)
                -> !value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #of_row, in_bounds = [true, true]} : !weights, !value_block
                %next_column = affine.apply
                  affine_map<(n, v)
                  -> (n + v floordiv 4 * 64)>(%n, %v)
                %first_of_values = affine.apply affine_map<(j) -> (1 * j)>(%j)
          %step_block_begin = arith.constant 16 : index
          %step_block_is_behind = arith.cmpi sge, %first_of_values, %step_block_begin : index
          %step_block = arith.select %step_block_is_behind, %step_run16_block, %step_run0_block
            : index
          %next_block_begin = arith.constant 16 : index
          %next_block_is_behind = arith.cmpi sge, %first_of_values, %next_block_begin : index
          %next_block = arith.select %next_block_is_behind, %next_run16_block, %next_run0_block
            : index
                %next0 = affine.apply
                  affine_map<(t, j) -> (t + 1 * j + 0)>(%next_t0, %j)
        %next0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next0)
        %next0_block = arith.addi %next_block, %none : index
                %next0_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column0],
                  read, locality<2>, data : !value_memory
                %next0_column16 = arith.addi %next_column, %line16 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column16],
                  read, locality<2>, data : !value_memory
                %next0_column32 = arith.addi %next_column, %line32 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column32],
                  read, locality<2>, data : !value_memory
                %next0_column48 = arith.addi %next_column, %line48 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column48],
                  read, locality<2>, data : !value_memory
        %t = arith.addi %t0, %j : index
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block = arith.addi %step_block, %none : index
        %value_row = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %n], %padding
          {in_bounds = [true]} : !value_cache, !given_value
                %right = vector.broadcast %value_row : !value_row to !value_block
                %more = vector.fma %left, %right, %so_far : !value_block
                scf.yield %more : !value_block
              }
              %after = vector.transfer_write %sums, %before[%first_row, %n] {in_bounds = [true, true]}
                : !value_block, !acc
              scf.yield %after : !acc
            }
            scf.yield %acc_of_columns : !acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !acc, !row, !row
        } else {
          scf.yield %acc, %max, %sum : !acc, !row, !row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !acc, !row, !row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !acc, !row, !row
    }
    %output_slice = tensor.extract_slice %output_all[%b, %first_head, %first_query, %none] [1, 8, %queries_here, 64] [1, 1, 1, 1] : !output to !output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !row
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !acc, !output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !output_f32
        %nothing = arith.constant dense<0.0> : !output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !output_f32

        %after = vector.transfer_write %mean,
          %before[%g, %m, %none] {in_bounds = [true]}
          : !output_row, !output_slice
        scf.yield %after : !output_slice
      }
      scf.yield %of_head : !output_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%b, %first_head, %first_query, %none] [1, 8, %queries_here, 64] [1, 1, 1, 1]
        : !output_slice into !output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0, 0], sizes = [2, 8, 1, 64], strides = [1, 1, 1, 1]
      : tensor<2x8x1x64xf32> -> !output_out
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @paged_attention$async(
    %query: !query,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %block_table: !block_table,
    %context_lens: !context_lens
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @paged_attention(%query, %key_cache, %value_cache, %block_table, %context_lens)
    : (!query, !key_cache, !value_cache, !block_table, !context_lens) -> (!output)
  util.return %output : !output
}
