// Attention as one kernel of few rows.
!query = tensor<2x8x1x64xbf16>
!key_cache = tensor<9x1x16x64xbf16>
!value_cache = tensor<9x1x16x64xbf16>
!block_table = tensor<2x4xi32>
!context_lens = tensor<2xi32>
!output = tensor<2x8x1x64xbf16>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x1x64xbf16>>
!key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x1x16x64xbf16>>
!value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x1x16x64xbf16>>
!block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x1x64xbf16>>
!output_slice = tensor<8x?x64xbf16>
!lse_slice = tensor<8x?xf32>
!queries = tensor<8x32xi32>
!scores = tensor<8x512xf32>
!weights = tensor<8x256xi32>
!factors = tensor<8xf32>
!row_lanes = tensor<8x16xf32>
!acc = tensor<8x64xf32>
!row = tensor<8xf32>
!given_query = vector<64xbf16>
!query_row = vector<32xi32>
!given_value = vector<32xbf16>
!value_row = vector<32xi32>
!value_block = vector<8x32xf32>
!acc_row = vector<64xf32>
!output_f32 = vector<64xf32>
!output_row = vector<64xbf16>
!logits = vector<512xf32>
!logit_bits = vector<512xi32>
!logit_flags = vector<512xi1>
!key_indices = vector<512xindex>
!key_numbers = vector<512xi32>
!lanes_f32 = vector<16xf32>
!block_bits = vector<8xi32>
!block_flags = vector<8xi1>
!block_numbers = vector<8xf32>
!block_rows0 = vector<8x16xf32>
!block_register8 = vector<8xf32>
!block_register16 = vector<16xf32>
!lanes_i32 = vector<16xi32>
!lane_pairs = vector<32xbf16>
!value_left = vector<8x16xi32>
!value_right = vector<32xi32>
!value_sums = vector<8x2x16xf32>
!value_pairs = vector<64xi16>
!value_bits = vector<32xi16>
#of_row = affine_map<(m, k) -> (m, 0)>
#of_column = affine_map<(k, n) -> (0, n)>
#of_element = affine_map<(m) -> (m, 0)>
!given_key = vector<32xbf16>
!key_lanes = vector<16xi32>
!row_sums = vector<8x16xf32>
!score_sums = vector<2x8x16xf32>
!scores_of_keys = vector<2x8xf32>
!scores_of_rows = vector<8x2xf32>
!keys_numbers = vector<16xf32>
!keys_rows0 = vector<16x16xf32>
!keys_register16 = vector<16xf32>
!query_lanes = vector<8x16xi32>
!score_left = vector<2x16xi32>
!value_block_row = vector<32xf32>
!score_right = vector<128xi32>
!key_memory = memref<9x1x16x64xbf16>
!value_memory = memref<9x1x16x64xbf16>
#arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens) -> !output {
  %output =
    flow.dispatch @output_kernel::@output_kernel(
      %query, %key_cache, %value_cache, %block_table, %context_lens
    ) : (
      tensor<2x8x1x64xbf16>,
      tensor<9x1x16x64xbf16>,
      tensor<9x1x16x64xbf16>,
      tensor<2x4xi32>,
      tensor<2xi32>
    ) -> (tensor<2x8x1x64xbf16>)
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
      : !query_in -> tensor<2x8x1x64xbf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 1, 16, 64], strides = [1, 1, 1, 1]
      : !key_cache_in -> tensor<9x1x16x64xbf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 1, 16, 64], strides = [1, 1, 1, 1]
      : !value_cache_in -> tensor<9x1x16x64xbf16>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [2, 4], strides = [1, 1]
      : !block_table_in -> tensor<2x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !context_lens_in -> tensor<2xi32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 512 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 32 : index
    %tile_heads = arith.constant 8 : index
    %rows = arith.constant 8 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 2 : index
    %heads = arith.constant 1 : index
    %queries_of_head = arith.constant 1 : index
    %keys_of_axis = arith.constant 64 : index
    %q_len = arith.constant 1 : index
    %tiles = arith.constant 1 : index
    %output_empty = tensor.empty() : tensor<2x8x1x64xbf16>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<2x8x1x64xbf16>) {
    %first_head = affine.apply affine_map<(x) -> (x * 8)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
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
      affine_map<(t) -> (t floordiv 512 * 512)>(%tile_begin)
    %key_memory = hal.interface.binding.subspan layout(#arguments) binding(1)
      alignment(64) offset(%none) : !key_memory
    %value_memory = hal.interface.binding.subspan layout(#arguments) binding(2)
      alignment(64) offset(%none) : !value_memory
    %line0 = arith.constant 0 : index
    %line32 = arith.constant 32 : index
    %key_numbers = vector.step : !key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !key_indices to !key_numbers
    %padding = arith.constant 0.0 : bf16
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
    %no_pair = arith.constant 0 : i32
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
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 512)>(%keys_end, %t0, %end)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!acc, !row, !row) {
    %queries_empty = tensor.empty() : !queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
      %query_row_stored = vector.transfer_read
        %query[%b, %head, %query_token, %none], %padding
        {in_bounds = [true]} : !query, !given_query
      %query_row = vector.bitcast %query_row_stored : !given_query to !query_row
      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !query_row, !queries
      scf.yield %after : !queries
    }
          %next_t0 = affine.apply affine_map<(t) -> (t + 32)>(%t0)
          %first_scored = affine.apply
            affine_map<(t) -> (t floordiv 2 * 2)>(%from)
          %scores_empty = tensor.empty() : !scores
          %first_run = affine.apply
            affine_map<(t, f) -> ((t + f) floordiv 16)>(%t0, %from)
          %end_run = affine.apply
            affine_map<(t, e) -> ((t + e) ceildiv 16)>(%t0, %to)
          %scores = scf.for %number = %first_run to %end_run step %one
            iter_args(%before_run = %scores_empty)
            -> (!scores) {
          %run_key = affine.apply affine_map<(r) -> (r * 16)>(%number)
          %next_run_key = affine.min
            affine_map<(t, e) -> (t + 32, (e - 1) floordiv 16 * 16)>
            (%run_key, %end)
          %run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%run_key)
          %run_block_i32 = tensor.extract %block_table[%b, %run_page]
            : !block_table
          %run_block = arith.index_cast %run_block_i32 : i32 to index
          %run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %run_key)
          %next_run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run_key)
          %next_run_block_i32 = tensor.extract %block_table[%b, %next_run_page]
            : !block_table
          %next_run_block = arith.index_cast %next_run_block_i32 : i32 to index
          %next_run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %next_run_key)
          %run_from = affine.max affine_map<(r, t, f) -> (r - t, f)>(%run_key, %t0, %first_scored)
          %run_to = affine.min
            affine_map<(r, t, e) -> (r + 16 - t, e)>(%run_key, %t0, %to)
          %scores_of_run = scf.for %j = %run_from to %run_to
            step %scored_keys iter_args(%before = %before_run) -> (!scores) {
            %key0 = affine.apply affine_map<(j, t) -> (t + j + 0)>(%j, %t0)
        %key0_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%key0, %run_begin)
        %key0_block = arith.addi %run_block, %none : index
            %key1 = affine.apply affine_map<(j, t) -> (t + j + 1)>(%j, %t0)
        %key1_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%key1, %run_begin)
        %key1_block = arith.addi %run_block, %none : index
            %next0 = affine.apply
              affine_map<(t, j) -> (t + j + 0)>(%t0, %j)
        %next0_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next0, %next_run_begin)
        %next0_block = arith.addi %next_run_block, %none : index
            memref.prefetch %key_memory[%next0_block, %kv_head, %next0_slot, %line0],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next0_block, %kv_head, %next0_slot, %line32],
              read, locality<2>, data : !key_memory
            %next1 = affine.apply
              affine_map<(t, j) -> (t + j + 1)>(%t0, %j)
        %next1_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next1, %next_run_begin)
        %next1_block = arith.addi %next_run_block, %none : index
            memref.prefetch %key_memory[%next1_block, %kv_head, %next1_slot, %line0],
              read, locality<2>, data : !key_memory
            memref.prefetch %key_memory[%next1_block, %kv_head, %next1_slot, %line32],
              read, locality<2>, data : !key_memory
            %lane_sums = scf.for %k = %none to %head_steps step %lanes iter_args(%so_far = %no_scores)
              -> !score_sums {
              %column = affine.apply affine_map<(k) -> (k * 2)>(%k)
              %key_lanes0_stored = vector.transfer_read
                %key_cache[%key0_block, %kv_head, %key0_slot, %column], %padding
                {in_bounds = [true]} : !key_cache, !given_key
      %key_lanes0 = vector.bitcast %key_lanes0_stored : !given_key to !key_lanes
              %key_lanes1_stored = vector.transfer_read
                %key_cache[%key1_block, %kv_head, %key1_slot, %column], %padding
                {in_bounds = [true]} : !key_cache, !given_key
      %key_lanes1 = vector.bitcast %key_lanes1_stored : !given_key to !key_lanes
              %no_keys = arith.constant dense<0> : !score_left
              %left_1 = vector.insert %key_lanes0, %no_keys [0]
                : !key_lanes into !score_left
              %left = vector.insert %key_lanes1, %left_1 [1]
                : !key_lanes into !score_left
              %query_lanes = vector.transfer_read %queries[%none, %k], %no_pair
                {in_bounds = [true, true]} : !queries, !query_lanes
              %right = vector.shape_cast %query_lanes : !query_lanes to !score_right
            %right0_i32 = vector.extract_strided_slice %right
              offsets = [0], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right0 = vector.bitcast %right0_i32 : !lanes_i32 to !lane_pairs
            %right1_i32 = vector.extract_strided_slice %right
              offsets = [16], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right1 = vector.bitcast %right1_i32 : !lanes_i32 to !lane_pairs
            %right2_i32 = vector.extract_strided_slice %right
              offsets = [32], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right2 = vector.bitcast %right2_i32 : !lanes_i32 to !lane_pairs
            %right3_i32 = vector.extract_strided_slice %right
              offsets = [48], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right3 = vector.bitcast %right3_i32 : !lanes_i32 to !lane_pairs
            %right4_i32 = vector.extract_strided_slice %right
              offsets = [64], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right4 = vector.bitcast %right4_i32 : !lanes_i32 to !lane_pairs
            %right5_i32 = vector.extract_strided_slice %right
              offsets = [80], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right5 = vector.bitcast %right5_i32 : !lanes_i32 to !lane_pairs
            %right6_i32 = vector.extract_strided_slice %right
              offsets = [96], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right6 = vector.bitcast %right6_i32 : !lanes_i32 to !lane_pairs
            %right7_i32 = vector.extract_strided_slice %right
              offsets = [112], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right7 = vector.bitcast %right7_i32 : !lanes_i32 to !lane_pairs
            %left0_i32 = vector.extract %left[0] : !lanes_i32 from !score_left
            %left0 = vector.bitcast %left0_i32 : !lanes_i32 to !lane_pairs
            %old0_0 = vector.extract %so_far[0, 0]
              : !lanes_f32 from !score_sums
            %new0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_0, %left0, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !lanes_f32 into !score_sums
            %old0_1 = vector.extract %so_far[0, 1]
              : !lanes_f32 from !score_sums
            %new0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_1, %left0, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !lanes_f32 into !score_sums
            %old0_2 = vector.extract %so_far[0, 2]
              : !lanes_f32 from !score_sums
            %new0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_2, %left0, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_3 = vector.insert %new0_2, %more_2 [0, 2]
              : !lanes_f32 into !score_sums
            %old0_3 = vector.extract %so_far[0, 3]
              : !lanes_f32 from !score_sums
            %new0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_3, %left0, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_4 = vector.insert %new0_3, %more_3 [0, 3]
              : !lanes_f32 into !score_sums
            %old0_4 = vector.extract %so_far[0, 4]
              : !lanes_f32 from !score_sums
            %new0_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_4, %left0, %right4)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_5 = vector.insert %new0_4, %more_4 [0, 4]
              : !lanes_f32 into !score_sums
            %old0_5 = vector.extract %so_far[0, 5]
              : !lanes_f32 from !score_sums
            %new0_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_5, %left0, %right5)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_6 = vector.insert %new0_5, %more_5 [0, 5]
              : !lanes_f32 into !score_sums
            %old0_6 = vector.extract %so_far[0, 6]
              : !lanes_f32 from !score_sums
            %new0_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_6, %left0, %right6)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_7 = vector.insert %new0_6, %more_6 [0, 6]
              : !lanes_f32 into !score_sums
            %old0_7 = vector.extract %so_far[0, 7]
              : !lanes_f32 from !score_sums
            %new0_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_7, %left0, %right7)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_8 = vector.insert %new0_7, %more_7 [0, 7]
              : !lanes_f32 into !score_sums
            %left1_i32 = vector.extract %left[1] : !lanes_i32 from !score_left
            %left1 = vector.bitcast %left1_i32 : !lanes_i32 to !lane_pairs
            %old1_0 = vector.extract %so_far[1, 0]
              : !lanes_f32 from !score_sums
            %new1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_0, %left1, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_9 = vector.insert %new1_0, %more_8 [1, 0]
              : !lanes_f32 into !score_sums
            %old1_1 = vector.extract %so_far[1, 1]
              : !lanes_f32 from !score_sums
            %new1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_1, %left1, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_10 = vector.insert %new1_1, %more_9 [1, 1]
              : !lanes_f32 into !score_sums
            %old1_2 = vector.extract %so_far[1, 2]
              : !lanes_f32 from !score_sums
            %new1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_2, %left1, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_11 = vector.insert %new1_2, %more_10 [1, 2]
              : !lanes_f32 into !score_sums
            %old1_3 = vector.extract %so_far[1, 3]
              : !lanes_f32 from !score_sums
            %new1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_3, %left1, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_12 = vector.insert %new1_3, %more_11 [1, 3]
              : !lanes_f32 into !score_sums
            %old1_4 = vector.extract %so_far[1, 4]
              : !lanes_f32 from !score_sums
            %new1_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_4, %left1, %right4)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_13 = vector.insert %new1_4, %more_12 [1, 4]
              : !lanes_f32 into !score_sums
            %old1_5 = vector.extract %so_far[1, 5]
              : !lanes_f32 from !score_sums
            %new1_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_5, %left1, %right5)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_14 = vector.insert %new1_5, %more_13 [1, 5]
              : !lanes_f32 into !score_sums
            %old1_6 = vector.extract %so_far[1, 6]
              : !lanes_f32 from !score_sums
            %new1_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_6, %left1, %right6)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_15 = vector.insert %new1_6, %more_14 [1, 6]
              : !lanes_f32 into !score_sums
            %old1_7 = vector.extract %so_far[1, 7]
              : !lanes_f32 from !score_sums
            %new1_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_7, %left1, %right7)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more = vector.insert %new1_7, %more_15 [1, 7]
              : !lanes_f32 into !score_sums
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
          scf.yield %scores_of_run : !scores
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
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes4 = vector.extract_strided_slice %logit
            offsets = [64], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes5 = vector.extract_strided_slice %logit
            offsets = [80], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes6 = vector.extract_strided_slice %logit
            offsets = [96], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes7 = vector.extract_strided_slice %logit
            offsets = [112], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes8 = vector.extract_strided_slice %logit
            offsets = [128], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes9 = vector.extract_strided_slice %logit
            offsets = [144], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes10 = vector.extract_strided_slice %logit
            offsets = [160], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes11 = vector.extract_strided_slice %logit
            offsets = [176], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes12 = vector.extract_strided_slice %logit
            offsets = [192], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes13 = vector.extract_strided_slice %logit
            offsets = [208], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes14 = vector.extract_strided_slice %logit
            offsets = [224], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes15 = vector.extract_strided_slice %logit
            offsets = [240], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes16 = vector.extract_strided_slice %logit
            offsets = [256], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes17 = vector.extract_strided_slice %logit
            offsets = [272], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes18 = vector.extract_strided_slice %logit
            offsets = [288], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes19 = vector.extract_strided_slice %logit
            offsets = [304], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes20 = vector.extract_strided_slice %logit
            offsets = [320], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes21 = vector.extract_strided_slice %logit
            offsets = [336], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes22 = vector.extract_strided_slice %logit
            offsets = [352], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes23 = vector.extract_strided_slice %logit
            offsets = [368], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes24 = vector.extract_strided_slice %logit
            offsets = [384], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes25 = vector.extract_strided_slice %logit
            offsets = [400], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes26 = vector.extract_strided_slice %logit
            offsets = [416], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes27 = vector.extract_strided_slice %logit
            offsets = [432], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes28 = vector.extract_strided_slice %logit
            offsets = [448], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes29 = vector.extract_strided_slice %logit
            offsets = [464], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes30 = vector.extract_strided_slice %logit
            offsets = [480], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes31 = vector.extract_strided_slice %logit
            offsets = [496], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !lanes_f32
          %top_3 = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
            : !lanes_f32
          %top_4 = arith.maxnumf %top_3, %top_lanes4 fastmath<nnan>
            : !lanes_f32
          %top_5 = arith.maxnumf %top_4, %top_lanes5 fastmath<nnan>
            : !lanes_f32
          %top_6 = arith.maxnumf %top_5, %top_lanes6 fastmath<nnan>
            : !lanes_f32
          %top_7 = arith.maxnumf %top_6, %top_lanes7 fastmath<nnan>
            : !lanes_f32
          %top_8 = arith.maxnumf %top_7, %top_lanes8 fastmath<nnan>
            : !lanes_f32
          %top_9 = arith.maxnumf %top_8, %top_lanes9 fastmath<nnan>
            : !lanes_f32
          %top_10 = arith.maxnumf %top_9, %top_lanes10 fastmath<nnan>
            : !lanes_f32
          %top_11 = arith.maxnumf %top_10, %top_lanes11 fastmath<nnan>
            : !lanes_f32
          %top_12 = arith.maxnumf %top_11, %top_lanes12 fastmath<nnan>
            : !lanes_f32
          %top_13 = arith.maxnumf %top_12, %top_lanes13 fastmath<nnan>
            : !lanes_f32
          %top_14 = arith.maxnumf %top_13, %top_lanes14 fastmath<nnan>
            : !lanes_f32
          %top_15 = arith.maxnumf %top_14, %top_lanes15 fastmath<nnan>
            : !lanes_f32
          %top_16 = arith.maxnumf %top_15, %top_lanes16 fastmath<nnan>
            : !lanes_f32
          %top_17 = arith.maxnumf %top_16, %top_lanes17 fastmath<nnan>
            : !lanes_f32
          %top_18 = arith.maxnumf %top_17, %top_lanes18 fastmath<nnan>
            : !lanes_f32
          %top_19 = arith.maxnumf %top_18, %top_lanes19 fastmath<nnan>
            : !lanes_f32
          %top_20 = arith.maxnumf %top_19, %top_lanes20 fastmath<nnan>
            : !lanes_f32
          %top_21 = arith.maxnumf %top_20, %top_lanes21 fastmath<nnan>
            : !lanes_f32
          %top_22 = arith.maxnumf %top_21, %top_lanes22 fastmath<nnan>
            : !lanes_f32
          %top_23 = arith.maxnumf %top_22, %top_lanes23 fastmath<nnan>
            : !lanes_f32
          %top_24 = arith.maxnumf %top_23, %top_lanes24 fastmath<nnan>
            : !lanes_f32
          %top_25 = arith.maxnumf %top_24, %top_lanes25 fastmath<nnan>
            : !lanes_f32
          %top_26 = arith.maxnumf %top_25, %top_lanes26 fastmath<nnan>
            : !lanes_f32
          %top_27 = arith.maxnumf %top_26, %top_lanes27 fastmath<nnan>
            : !lanes_f32
          %top_28 = arith.maxnumf %top_27, %top_lanes28 fastmath<nnan>
            : !lanes_f32
          %top_29 = arith.maxnumf %top_28, %top_lanes29 fastmath<nnan>
            : !lanes_f32
          %top_30 = arith.maxnumf %top_29, %top_lanes30 fastmath<nnan>
            : !lanes_f32
          %top = arith.maxnumf %top_30, %top_lanes31 fastmath<nnan>
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
        %max_of_step_4 = vector.extract %tops_of_rows[4] : !block_register16 from !block_rows0
        %max_of_step_5 = vector.extract %tops_of_rows[5] : !block_register16 from !block_rows0
        %max_of_step_6 = vector.extract %tops_of_rows[6] : !block_register16 from !block_rows0
        %max_of_step_7 = vector.extract %tops_of_rows[7] : !block_register16 from !block_rows0
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_8 = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !block_register16
        %max_of_step_evens9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_9 = arith.maxnumf
          %max_of_step_evens9, %max_of_step_odds9 fastmath<nnan> : !block_register16
        %max_of_step_evens10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_10 = arith.maxnumf
          %max_of_step_evens10, %max_of_step_odds10 fastmath<nnan> : !block_register16
        %max_of_step_evens11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_11 = arith.maxnumf
          %max_of_step_evens11, %max_of_step_odds11 fastmath<nnan> : !block_register16
        %max_of_step_evens12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_12 = arith.maxnumf
          %max_of_step_evens12, %max_of_step_odds12 fastmath<nnan> : !block_register16
        %max_of_step_evens13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_13 = arith.maxnumf
          %max_of_step_evens13, %max_of_step_odds13 fastmath<nnan> : !block_register16
        %max_of_step_evens14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !block_register16, !block_register16
        %max_of_step_odds14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !block_register16, !block_register16
        %max_of_step_14 = arith.maxnumf
          %max_of_step_evens14, %max_of_step_odds14 fastmath<nnan> : !block_register16
        %max_of_step_evens15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !block_register16, !block_register16
        %max_of_step_odds15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !block_register16, !block_register16
        %max_of_step = arith.maxnumf
          %max_of_step_evens15, %max_of_step_odds15 fastmath<nnan> : !block_register8
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
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes4 = vector.extract_strided_slice %weight
            offsets = [64], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes5 = vector.extract_strided_slice %weight
            offsets = [80], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes6 = vector.extract_strided_slice %weight
            offsets = [96], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes7 = vector.extract_strided_slice %weight
            offsets = [112], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes8 = vector.extract_strided_slice %weight
            offsets = [128], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes9 = vector.extract_strided_slice %weight
            offsets = [144], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes10 = vector.extract_strided_slice %weight
            offsets = [160], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes11 = vector.extract_strided_slice %weight
            offsets = [176], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes12 = vector.extract_strided_slice %weight
            offsets = [192], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes13 = vector.extract_strided_slice %weight
            offsets = [208], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes14 = vector.extract_strided_slice %weight
            offsets = [224], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes15 = vector.extract_strided_slice %weight
            offsets = [240], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes16 = vector.extract_strided_slice %weight
            offsets = [256], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes17 = vector.extract_strided_slice %weight
            offsets = [272], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes18 = vector.extract_strided_slice %weight
            offsets = [288], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes19 = vector.extract_strided_slice %weight
            offsets = [304], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes20 = vector.extract_strided_slice %weight
            offsets = [320], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes21 = vector.extract_strided_slice %weight
            offsets = [336], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes22 = vector.extract_strided_slice %weight
            offsets = [352], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes23 = vector.extract_strided_slice %weight
            offsets = [368], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes24 = vector.extract_strided_slice %weight
            offsets = [384], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes25 = vector.extract_strided_slice %weight
            offsets = [400], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes26 = vector.extract_strided_slice %weight
            offsets = [416], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes27 = vector.extract_strided_slice %weight
            offsets = [432], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes28 = vector.extract_strided_slice %weight
            offsets = [448], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes29 = vector.extract_strided_slice %weight
            offsets = [464], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes30 = vector.extract_strided_slice %weight
            offsets = [480], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes31 = vector.extract_strided_slice %weight
            offsets = [496], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_3 = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_4 = arith.addf %weight_sum_3, %weight_sum_lanes4 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_5 = arith.addf %weight_sum_4, %weight_sum_lanes5 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_6 = arith.addf %weight_sum_5, %weight_sum_lanes6 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_7 = arith.addf %weight_sum_6, %weight_sum_lanes7 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_8 = arith.addf %weight_sum_7, %weight_sum_lanes8 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_9 = arith.addf %weight_sum_8, %weight_sum_lanes9 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_10 = arith.addf %weight_sum_9, %weight_sum_lanes10 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_11 = arith.addf %weight_sum_10, %weight_sum_lanes11 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_12 = arith.addf %weight_sum_11, %weight_sum_lanes12 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_13 = arith.addf %weight_sum_12, %weight_sum_lanes13 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_14 = arith.addf %weight_sum_13, %weight_sum_lanes14 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_15 = arith.addf %weight_sum_14, %weight_sum_lanes15 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_16 = arith.addf %weight_sum_15, %weight_sum_lanes16 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_17 = arith.addf %weight_sum_16, %weight_sum_lanes17 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_18 = arith.addf %weight_sum_17, %weight_sum_lanes18 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_19 = arith.addf %weight_sum_18, %weight_sum_lanes19 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_20 = arith.addf %weight_sum_19, %weight_sum_lanes20 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_21 = arith.addf %weight_sum_20, %weight_sum_lanes21 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_22 = arith.addf %weight_sum_21, %weight_sum_lanes22 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_23 = arith.addf %weight_sum_22, %weight_sum_lanes23 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_24 = arith.addf %weight_sum_23, %weight_sum_lanes24 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_25 = arith.addf %weight_sum_24, %weight_sum_lanes25 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_26 = arith.addf %weight_sum_25, %weight_sum_lanes26 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_27 = arith.addf %weight_sum_26, %weight_sum_lanes27 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_28 = arith.addf %weight_sum_27, %weight_sum_lanes28 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_29 = arith.addf %weight_sum_28, %weight_sum_lanes29 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_30 = arith.addf %weight_sum_29, %weight_sum_lanes30 fastmath<reassoc>
            : !lanes_f32
          %weight_sum = arith.addf %weight_sum_30, %weight_sum_lanes31 fastmath<reassoc>
            : !lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !lanes_f32, !row_lanes
          %pairs1 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes1, %weight_sum_lanes0) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs1_i32 = vector.bitcast %pairs1 : !lane_pairs to !lanes_i32
          %start1 = arith.constant 0 : index
          %weights_after_1 = vector.transfer_write %pairs1_i32,
            %weights_before[%r, %start1] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs2 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes3, %weight_sum_lanes2) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs2_i32 = vector.bitcast %pairs2 : !lane_pairs to !lanes_i32
          %start2 = arith.constant 16 : index
          %weights_after_2 = vector.transfer_write %pairs2_i32,
            %weights_after_1[%r, %start2] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs3 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes5, %weight_sum_lanes4) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs3_i32 = vector.bitcast %pairs3 : !lane_pairs to !lanes_i32
          %start3 = arith.constant 32 : index
          %weights_after_3 = vector.transfer_write %pairs3_i32,
            %weights_after_2[%r, %start3] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs4 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes7, %weight_sum_lanes6) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs4_i32 = vector.bitcast %pairs4 : !lane_pairs to !lanes_i32
          %start4 = arith.constant 48 : index
          %weights_after_4 = vector.transfer_write %pairs4_i32,
            %weights_after_3[%r, %start4] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs5 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes9, %weight_sum_lanes8) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs5_i32 = vector.bitcast %pairs5 : !lane_pairs to !lanes_i32
          %start5 = arith.constant 64 : index
          %weights_after_5 = vector.transfer_write %pairs5_i32,
            %weights_after_4[%r, %start5] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs6 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes11, %weight_sum_lanes10) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs6_i32 = vector.bitcast %pairs6 : !lane_pairs to !lanes_i32
          %start6 = arith.constant 80 : index
          %weights_after_6 = vector.transfer_write %pairs6_i32,
            %weights_after_5[%r, %start6] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs7 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes13, %weight_sum_lanes12) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs7_i32 = vector.bitcast %pairs7 : !lane_pairs to !lanes_i32
          %start7 = arith.constant 96 : index
          %weights_after_7 = vector.transfer_write %pairs7_i32,
            %weights_after_6[%r, %start7] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs8 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes15, %weight_sum_lanes14) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs8_i32 = vector.bitcast %pairs8 : !lane_pairs to !lanes_i32
          %start8 = arith.constant 112 : index
          %weights_after_8 = vector.transfer_write %pairs8_i32,
            %weights_after_7[%r, %start8] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs9 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes17, %weight_sum_lanes16) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs9_i32 = vector.bitcast %pairs9 : !lane_pairs to !lanes_i32
          %start9 = arith.constant 128 : index
          %weights_after_9 = vector.transfer_write %pairs9_i32,
            %weights_after_8[%r, %start9] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs10 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes19, %weight_sum_lanes18) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs10_i32 = vector.bitcast %pairs10 : !lane_pairs to !lanes_i32
          %start10 = arith.constant 144 : index
          %weights_after_10 = vector.transfer_write %pairs10_i32,
            %weights_after_9[%r, %start10] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs11 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes21, %weight_sum_lanes20) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs11_i32 = vector.bitcast %pairs11 : !lane_pairs to !lanes_i32
          %start11 = arith.constant 160 : index
          %weights_after_11 = vector.transfer_write %pairs11_i32,
            %weights_after_10[%r, %start11] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs12 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes23, %weight_sum_lanes22) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs12_i32 = vector.bitcast %pairs12 : !lane_pairs to !lanes_i32
          %start12 = arith.constant 176 : index
          %weights_after_12 = vector.transfer_write %pairs12_i32,
            %weights_after_11[%r, %start12] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs13 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes25, %weight_sum_lanes24) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs13_i32 = vector.bitcast %pairs13 : !lane_pairs to !lanes_i32
          %start13 = arith.constant 192 : index
          %weights_after_13 = vector.transfer_write %pairs13_i32,
            %weights_after_12[%r, %start13] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs14 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes27, %weight_sum_lanes26) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs14_i32 = vector.bitcast %pairs14 : !lane_pairs to !lanes_i32
          %start14 = arith.constant 208 : index
          %weights_after_14 = vector.transfer_write %pairs14_i32,
            %weights_after_13[%r, %start14] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs15 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes29, %weight_sum_lanes28) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs15_i32 = vector.bitcast %pairs15 : !lane_pairs to !lanes_i32
          %start15 = arith.constant 224 : index
          %weights_after_15 = vector.transfer_write %pairs15_i32,
            %weights_after_14[%r, %start15] {in_bounds = [true]} : !lanes_i32, !weights
          %pairs16 = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(
            %weight_sum_lanes31, %weight_sum_lanes30) : (!lanes_f32, !lanes_f32) -> !lane_pairs
          %pairs16_i32 = vector.bitcast %pairs16 : !lane_pairs to !lanes_i32
          %start16 = arith.constant 240 : index
          %weights_after = vector.transfer_write %pairs16_i32,
            %weights_after_15[%r, %start16] {in_bounds = [true]} : !lanes_i32, !weights
          scf.yield %weights_after, %sums_after : !weights, !row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !row_lanes, !block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !block_register16 from !block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !block_register16 from !block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !block_register16 from !block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !block_register16 from !block_rows0
        %sum_of_step_4 = vector.extract %sums_of_rows[4] : !block_register16 from !block_rows0
        %sum_of_step_5 = vector.extract %sums_of_rows[5] : !block_register16 from !block_rows0
        %sum_of_step_6 = vector.extract %sums_of_rows[6] : !block_register16 from !block_rows0
        %sum_of_step_7 = vector.extract %sums_of_rows[7] : !block_register16 from !block_rows0
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_8 = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !block_register16
        %sum_of_step_evens9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_9 = arith.addf
          %sum_of_step_evens9, %sum_of_step_odds9 fastmath<reassoc> : !block_register16
        %sum_of_step_evens10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_10 = arith.addf
          %sum_of_step_evens10, %sum_of_step_odds10 fastmath<reassoc> : !block_register16
        %sum_of_step_evens11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_11 = arith.addf
          %sum_of_step_evens11, %sum_of_step_odds11 fastmath<reassoc> : !block_register16
        %sum_of_step_evens12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_12 = arith.addf
          %sum_of_step_evens12, %sum_of_step_odds12 fastmath<reassoc> : !block_register16
        %sum_of_step_evens13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_13 = arith.addf
          %sum_of_step_evens13, %sum_of_step_odds13 fastmath<reassoc> : !block_register16
        %sum_of_step_evens14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !block_register16, !block_register16
        %sum_of_step_odds14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !block_register16, !block_register16
        %sum_of_step_14 = arith.addf
          %sum_of_step_evens14, %sum_of_step_odds14 fastmath<reassoc> : !block_register16
        %sum_of_step_evens15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !block_register16, !block_register16
        %sum_of_step_odds15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !block_register16, !block_register16
        %sum_of_step = arith.addf
          %sum_of_step_evens15, %sum_of_step_odds15 fastmath<reassoc> : !block_register8
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !row, !block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !block_numbers, !row
          %from_pair = affine.apply affine_map<(j) -> (j floordiv 2)>(%from)
          %to_pair = affine.apply affine_map<(j) -> (j ceildiv 2)>(%to)
          %first_whole = affine.apply affine_map<(j) -> (j ceildiv 2)>(%from)
          %end_whole_any = affine.apply affine_map<(j) -> (j floordiv 2)>(%to)
          %end_whole = arith.maxsi %end_whole_any, %first_whole : index
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
              %shrunk_row0 = vector.extract %shrunk[0] : !value_block_row from !value_block
              %shrunk_order0 = vector.shuffle %shrunk_row0, %shrunk_row0
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_1 = vector.insert %shrunk_order0, %shrunk [0]
                : !value_block_row into !value_block
              %shrunk_row1 = vector.extract %shrunk[1] : !value_block_row from !value_block
              %shrunk_order1 = vector.shuffle %shrunk_row1, %shrunk_row1
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_2 = vector.insert %shrunk_order1, %shrunk_ordered_1 [1]
                : !value_block_row into !value_block
              %shrunk_row2 = vector.extract %shrunk[2] : !value_block_row from !value_block
              %shrunk_order2 = vector.shuffle %shrunk_row2, %shrunk_row2
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_3 = vector.insert %shrunk_order2, %shrunk_ordered_2 [2]
                : !value_block_row into !value_block
              %shrunk_row3 = vector.extract %shrunk[3] : !value_block_row from !value_block
              %shrunk_order3 = vector.shuffle %shrunk_row3, %shrunk_row3
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_4 = vector.insert %shrunk_order3, %shrunk_ordered_3 [3]
                : !value_block_row into !value_block
              %shrunk_row4 = vector.extract %shrunk[4] : !value_block_row from !value_block
              %shrunk_order4 = vector.shuffle %shrunk_row4, %shrunk_row4
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_5 = vector.insert %shrunk_order4, %shrunk_ordered_4 [4]
                : !value_block_row into !value_block
              %shrunk_row5 = vector.extract %shrunk[5] : !value_block_row from !value_block
              %shrunk_order5 = vector.shuffle %shrunk_row5, %shrunk_row5
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_6 = vector.insert %shrunk_order5, %shrunk_ordered_5 [5]
                : !value_block_row into !value_block
              %shrunk_row6 = vector.extract %shrunk[6] : !value_block_row from !value_block
              %shrunk_order6 = vector.shuffle %shrunk_row6, %shrunk_row6
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered_7 = vector.insert %shrunk_order6, %shrunk_ordered_6 [6]
                : !value_block_row into !value_block
              %shrunk_row7 = vector.extract %shrunk[7] : !value_block_row from !value_block
              %shrunk_order7 = vector.shuffle %shrunk_row7, %shrunk_row7
                [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %shrunk_ordered = vector.insert %shrunk_order7, %shrunk_ordered_7 [7]
                : !value_block_row into !value_block
              %shrunk_lanes = vector.shape_cast %shrunk_ordered
                : !value_block to !value_sums
              %sums_of_runs = scf.for %number = %first_run to %end_run step %one
                iter_args(%before_run = %shrunk_lanes) -> !value_sums {
          %run_key = affine.apply affine_map<(r) -> (r * 16)>(%number)
          %next_run_key = affine.min
            affine_map<(t, e) -> (t + 32, (e - 1) floordiv 16 * 16)>
            (%run_key, %end)
          %run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%run_key)
          %run_block_i32 = tensor.extract %block_table[%b, %run_page]
            : !block_table
          %run_block = arith.index_cast %run_block_i32 : i32 to index
          %run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %run_key)
          %next_run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run_key)
          %next_run_block_i32 = tensor.extract %block_table[%b, %next_run_page]
            : !block_table
          %next_run_block = arith.index_cast %next_run_block_i32 : i32 to index
          %next_run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %next_run_key)
                %run_from = affine.max
                  affine_map<(r, t, f) -> ((r - t) floordiv 2, f)>
                  (%run_key, %t0, %first_whole)
                %run_to = affine.min
                  affine_map<(r, t, e) -> ((r + 16 - t) floordiv 2, e)>
                  (%run_key, %t0, %end_whole)
              %of_run = scf.for %j = %run_from to %run_to step %one iter_args(%so_far = %before_run)
                -> !value_sums {
                %left = vector.transfer_read %weights[%v, %j], %no_pair
                  {permutation_map = #of_row, in_bounds = [true, true]} : !weights, !value_left
                %next_column = affine.apply
                  affine_map<(n, v)
                  -> (n + v floordiv 8 * 32)>(%n, %v)
                %next0 = affine.apply
                  affine_map<(t, j) -> (t + 2 * j + 0)>(%t0, %j)
        %next0_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next0, %next_run_begin)
        %next0_block = arith.addi %next_run_block, %none : index
                %next0_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %next0_block, %kv_head, %next0_slot, %next0_column0],
                  read, locality<2>, data : !value_memory
                %next1 = affine.apply
                  affine_map<(t, j) -> (t + 2 * j + 1)>(%t0, %j)
        %next1_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next1, %next_run_begin)
        %next1_block = arith.addi %next_run_block, %none : index
                %next1_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %next1_block, %kv_head, %next1_slot, %next1_column0],
                  read, locality<2>, data : !value_memory
        %no_value = arith.constant dense<0> : !value_bits
        %even = affine.apply affine_map<(j, t) -> (2 * j + t)>(%j, %t0)
        %odd = arith.addi %even, %one : index
        %even_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%even, %run_begin)
        %even_block = arith.addi %run_block, %none : index
        %even_value = vector.transfer_read %value_cache[%even_block, %kv_head, %even_slot, %n], %padding
          {in_bounds = [true]} : !value_cache, !given_value
        %even_bits = vector.bitcast %even_value : !given_value to !value_bits
        %odd_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%odd, %run_begin)
        %odd_block = arith.addi %run_block, %none : index
        %odd_value = vector.transfer_read %value_cache[%odd_block, %kv_head, %odd_slot, %n], %padding
          {in_bounds = [true]} : !value_cache, !given_value
        %odd_bits = vector.bitcast %odd_value : !given_value to !value_bits
        %value_pairs = vector.shuffle %even_bits, %odd_bits [0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47, 20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61, 30, 62, 31, 63]
          : !value_bits, !value_bits
        %value_row = vector.bitcast %value_pairs : !value_pairs to !value_row
            %right0_i32 = vector.extract_strided_slice %value_row
              offsets = [0], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right0 = vector.bitcast %right0_i32 : !lanes_i32 to !lane_pairs
            %right1_i32 = vector.extract_strided_slice %value_row
              offsets = [16], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right1 = vector.bitcast %right1_i32 : !lanes_i32 to !lane_pairs
            %left0_i32 = vector.extract %left[0] : !lanes_i32 from !value_left
            %left0 = vector.bitcast %left0_i32 : !lanes_i32 to !lane_pairs
            %old0_0 = vector.extract %so_far[0, 0]
              : !lanes_f32 from !value_sums
            %new0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_0, %left0, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !lanes_f32 into !value_sums
            %old0_1 = vector.extract %so_far[0, 1]
              : !lanes_f32 from !value_sums
            %new0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_1, %left0, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !lanes_f32 into !value_sums
            %left1_i32 = vector.extract %left[1] : !lanes_i32 from !value_left
            %left1 = vector.bitcast %left1_i32 : !lanes_i32 to !lane_pairs
            %old1_0 = vector.extract %so_far[1, 0]
              : !lanes_f32 from !value_sums
            %new1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_0, %left1, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_3 = vector.insert %new1_0, %more_2 [1, 0]
              : !lanes_f32 into !value_sums
            %old1_1 = vector.extract %so_far[1, 1]
              : !lanes_f32 from !value_sums
            %new1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_1, %left1, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_4 = vector.insert %new1_1, %more_3 [1, 1]
              : !lanes_f32 into !value_sums
            %left2_i32 = vector.extract %left[2] : !lanes_i32 from !value_left
            %left2 = vector.bitcast %left2_i32 : !lanes_i32 to !lane_pairs
            %old2_0 = vector.extract %so_far[2, 0]
              : !lanes_f32 from !value_sums
            %new2_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_0, %left2, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_5 = vector.insert %new2_0, %more_4 [2, 0]
              : !lanes_f32 into !value_sums
            %old2_1 = vector.extract %so_far[2, 1]
              : !lanes_f32 from !value_sums
            %new2_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_1, %left2, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_6 = vector.insert %new2_1, %more_5 [2, 1]
              : !lanes_f32 into !value_sums
            %left3_i32 = vector.extract %left[3] : !lanes_i32 from !value_left
            %left3 = vector.bitcast %left3_i32 : !lanes_i32 to !lane_pairs
            %old3_0 = vector.extract %so_far[3, 0]
              : !lanes_f32 from !value_sums
            %new3_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_0, %left3, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_7 = vector.insert %new3_0, %more_6 [3, 0]
              : !lanes_f32 into !value_sums
            %old3_1 = vector.extract %so_far[3, 1]
              : !lanes_f32 from !value_sums
            %new3_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_1, %left3, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_8 = vector.insert %new3_1, %more_7 [3, 1]
              : !lanes_f32 into !value_sums
            %left4_i32 = vector.extract %left[4] : !lanes_i32 from !value_left
            %left4 = vector.bitcast %left4_i32 : !lanes_i32 to !lane_pairs
            %old4_0 = vector.extract %so_far[4, 0]
              : !lanes_f32 from !value_sums
            %new4_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old4_0, %left4, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_9 = vector.insert %new4_0, %more_8 [4, 0]
              : !lanes_f32 into !value_sums
            %old4_1 = vector.extract %so_far[4, 1]
              : !lanes_f32 from !value_sums
            %new4_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old4_1, %left4, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_10 = vector.insert %new4_1, %more_9 [4, 1]
              : !lanes_f32 into !value_sums
            %left5_i32 = vector.extract %left[5] : !lanes_i32 from !value_left
            %left5 = vector.bitcast %left5_i32 : !lanes_i32 to !lane_pairs
            %old5_0 = vector.extract %so_far[5, 0]
              : !lanes_f32 from !value_sums
            %new5_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old5_0, %left5, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_11 = vector.insert %new5_0, %more_10 [5, 0]
              : !lanes_f32 into !value_sums
            %old5_1 = vector.extract %so_far[5, 1]
              : !lanes_f32 from !value_sums
            %new5_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old5_1, %left5, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_12 = vector.insert %new5_1, %more_11 [5, 1]
              : !lanes_f32 into !value_sums
            %left6_i32 = vector.extract %left[6] : !lanes_i32 from !value_left
            %left6 = vector.bitcast %left6_i32 : !lanes_i32 to !lane_pairs
            %old6_0 = vector.extract %so_far[6, 0]
              : !lanes_f32 from !value_sums
            %new6_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old6_0, %left6, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_13 = vector.insert %new6_0, %more_12 [6, 0]
              : !lanes_f32 into !value_sums
            %old6_1 = vector.extract %so_far[6, 1]
              : !lanes_f32 from !value_sums
            %new6_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old6_1, %left6, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_14 = vector.insert %new6_1, %more_13 [6, 1]
              : !lanes_f32 into !value_sums
            %left7_i32 = vector.extract %left[7] : !lanes_i32 from !value_left
            %left7 = vector.bitcast %left7_i32 : !lanes_i32 to !lane_pairs
            %old7_0 = vector.extract %so_far[7, 0]
              : !lanes_f32 from !value_sums
            %new7_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old7_0, %left7, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_15 = vector.insert %new7_0, %more_14 [7, 0]
              : !lanes_f32 into !value_sums
            %old7_1 = vector.extract %so_far[7, 1]
              : !lanes_f32 from !value_sums
            %new7_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old7_1, %left7, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more = vector.insert %new7_1, %more_15 [7, 1]
              : !lanes_f32 into !value_sums
                scf.yield %more : !value_sums
              }
                scf.yield %of_run : !value_sums
              }
              %lane_sums = scf.for %j = %end_whole to %to_pair step %one iter_args(%so_far = %sums_of_runs)
                -> !value_sums {
                %left = vector.transfer_read %weights[%v, %j], %no_pair
                  {permutation_map = #of_row, in_bounds = [true, true]} : !weights, !value_left
                %next_column = affine.apply
                  affine_map<(n, v)
                  -> (n + v floordiv 8 * 32)>(%n, %v)
                %next0 = affine.min
                  affine_map<(t, j, e)
                  -> (t + 2 * j + 0, e - 1)>(%next_t0, %j, %end)
        %next0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next0)
        %next0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next0)
        %next0_block_i32 = tensor.extract %block_table[%b, %next0_page]
          : !block_table
        %next0_block = arith.index_cast %next0_block_i32 : i32 to index
                %next0_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %next0_block, %kv_head, %next0_slot, %next0_column0],
                  read, locality<2>, data : !value_memory
                %next1 = affine.min
                  affine_map<(t, j, e)
                  -> (t + 2 * j + 1, e - 1)>(%next_t0, %j, %end)
        %next1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next1)
        %next1_block = arith.addi %next0_block, %none : index
                %next1_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %next1_block, %kv_head, %next1_slot, %next1_column0],
                  read, locality<2>, data : !value_memory
        %no_value = arith.constant dense<0> : !value_bits
        %even_any = affine.apply affine_map<(j, t) -> (2 * j + t)>(%j, %t0)
        %odd_any = arith.addi %even_any, %one : index
        %even = arith.maxsi %even_any, %tile_begin : index
        %odd = affine.min affine_map<(t, e) -> (t, e - 1)>(%odd_any, %end)
        %even_is_seen = arith.cmpi sge, %even_any, %tile_begin : index
        %odd_is_seen = arith.cmpi slt, %odd_any, %end : index
        %even_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%even)
        %even_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%even)
        %even_block_i32 = tensor.extract %block_table[%b, %even_page]
          : !block_table
        %even_block = arith.index_cast %even_block_i32 : i32 to index
        %even_value = vector.transfer_read %value_cache[%even_block, %kv_head, %even_slot, %n], %padding
          {in_bounds = [true]} : !value_cache, !given_value
        %even_bits = vector.bitcast %even_value : !given_value to !value_bits
        %odd_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%odd)
        %odd_block = arith.addi %even_block, %none : index
        %odd_value = vector.transfer_read %value_cache[%odd_block, %kv_head, %odd_slot, %n], %padding
          {in_bounds = [true]} : !value_cache, !given_value
        %odd_bits = vector.bitcast %odd_value : !given_value to !value_bits
        %even_counted = arith.select %even_is_seen, %even_bits, %no_value : !value_bits
        %odd_counted = arith.select %odd_is_seen, %odd_bits, %no_value : !value_bits
        %value_pairs = vector.shuffle %even_counted, %odd_counted [0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47, 20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61, 30, 62, 31, 63]
          : !value_bits, !value_bits
        %value_row = vector.bitcast %value_pairs : !value_pairs to !value_row
            %right0_i32 = vector.extract_strided_slice %value_row
              offsets = [0], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right0 = vector.bitcast %right0_i32 : !lanes_i32 to !lane_pairs
            %right1_i32 = vector.extract_strided_slice %value_row
              offsets = [16], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right1 = vector.bitcast %right1_i32 : !lanes_i32 to !lane_pairs
            %left0_i32 = vector.extract %left[0] : !lanes_i32 from !value_left
            %left0 = vector.bitcast %left0_i32 : !lanes_i32 to !lane_pairs
            %old0_0 = vector.extract %so_far[0, 0]
              : !lanes_f32 from !value_sums
            %new0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_0, %left0, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !lanes_f32 into !value_sums
            %old0_1 = vector.extract %so_far[0, 1]
              : !lanes_f32 from !value_sums
            %new0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_1, %left0, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !lanes_f32 into !value_sums
            %left1_i32 = vector.extract %left[1] : !lanes_i32 from !value_left
            %left1 = vector.bitcast %left1_i32 : !lanes_i32 to !lane_pairs
            %old1_0 = vector.extract %so_far[1, 0]
              : !lanes_f32 from !value_sums
            %new1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_0, %left1, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_3 = vector.insert %new1_0, %more_2 [1, 0]
              : !lanes_f32 into !value_sums
            %old1_1 = vector.extract %so_far[1, 1]
              : !lanes_f32 from !value_sums
            %new1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_1, %left1, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_4 = vector.insert %new1_1, %more_3 [1, 1]
              : !lanes_f32 into !value_sums
            %left2_i32 = vector.extract %left[2] : !lanes_i32 from !value_left
            %left2 = vector.bitcast %left2_i32 : !lanes_i32 to !lane_pairs
            %old2_0 = vector.extract %so_far[2, 0]
              : !lanes_f32 from !value_sums
            %new2_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_0, %left2, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_5 = vector.insert %new2_0, %more_4 [2, 0]
              : !lanes_f32 into !value_sums
            %old2_1 = vector.extract %so_far[2, 1]
              : !lanes_f32 from !value_sums
            %new2_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_1, %left2, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_6 = vector.insert %new2_1, %more_5 [2, 1]
              : !lanes_f32 into !value_sums
            %left3_i32 = vector.extract %left[3] : !lanes_i32 from !value_left
            %left3 = vector.bitcast %left3_i32 : !lanes_i32 to !lane_pairs
            %old3_0 = vector.extract %so_far[3, 0]
              : !lanes_f32 from !value_sums
            %new3_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_0, %left3, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_7 = vector.insert %new3_0, %more_6 [3, 0]
              : !lanes_f32 into !value_sums
            %old3_1 = vector.extract %so_far[3, 1]
              : !lanes_f32 from !value_sums
            %new3_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_1, %left3, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_8 = vector.insert %new3_1, %more_7 [3, 1]
              : !lanes_f32 into !value_sums
            %left4_i32 = vector.extract %left[4] : !lanes_i32 from !value_left
            %left4 = vector.bitcast %left4_i32 : !lanes_i32 to !lane_pairs
            %old4_0 = vector.extract %so_far[4, 0]
              : !lanes_f32 from !value_sums
            %new4_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old4_0, %left4, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_9 = vector.insert %new4_0, %more_8 [4, 0]
              : !lanes_f32 into !value_sums
            %old4_1 = vector.extract %so_far[4, 1]
              : !lanes_f32 from !value_sums
            %new4_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old4_1, %left4, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_10 = vector.insert %new4_1, %more_9 [4, 1]
              : !lanes_f32 into !value_sums
            %left5_i32 = vector.extract %left[5] : !lanes_i32 from !value_left
            %left5 = vector.bitcast %left5_i32 : !lanes_i32 to !lane_pairs
            %old5_0 = vector.extract %so_far[5, 0]
              : !lanes_f32 from !value_sums
            %new5_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old5_0, %left5, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_11 = vector.insert %new5_0, %more_10 [5, 0]
              : !lanes_f32 into !value_sums
            %old5_1 = vector.extract %so_far[5, 1]
              : !lanes_f32 from !value_sums
            %new5_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old5_1, %left5, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_12 = vector.insert %new5_1, %more_11 [5, 1]
              : !lanes_f32 into !value_sums
            %left6_i32 = vector.extract %left[6] : !lanes_i32 from !value_left
            %left6 = vector.bitcast %left6_i32 : !lanes_i32 to !lane_pairs
            %old6_0 = vector.extract %so_far[6, 0]
              : !lanes_f32 from !value_sums
            %new6_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old6_0, %left6, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_13 = vector.insert %new6_0, %more_12 [6, 0]
              : !lanes_f32 into !value_sums
            %old6_1 = vector.extract %so_far[6, 1]
              : !lanes_f32 from !value_sums
            %new6_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old6_1, %left6, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_14 = vector.insert %new6_1, %more_13 [6, 1]
              : !lanes_f32 into !value_sums
            %left7_i32 = vector.extract %left[7] : !lanes_i32 from !value_left
            %left7 = vector.bitcast %left7_i32 : !lanes_i32 to !lane_pairs
            %old7_0 = vector.extract %so_far[7, 0]
              : !lanes_f32 from !value_sums
            %new7_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old7_0, %left7, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_15 = vector.insert %new7_0, %more_14 [7, 0]
              : !lanes_f32 into !value_sums
            %old7_1 = vector.extract %so_far[7, 1]
              : !lanes_f32 from !value_sums
            %new7_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old7_1, %left7, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more = vector.insert %new7_1, %more_15 [7, 1]
              : !lanes_f32 into !value_sums
                scf.yield %more : !value_sums
              }
              %columns = vector.shape_cast %lane_sums : !value_sums to !value_block
              %columns_row0 = vector.extract %columns[0] : !value_block_row from !value_block
              %columns_order0 = vector.shuffle %columns_row0, %columns_row0
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_1 = vector.insert %columns_order0, %columns [0]
                : !value_block_row into !value_block
              %columns_row1 = vector.extract %columns[1] : !value_block_row from !value_block
              %columns_order1 = vector.shuffle %columns_row1, %columns_row1
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_2 = vector.insert %columns_order1, %columns_ordered_1 [1]
                : !value_block_row into !value_block
              %columns_row2 = vector.extract %columns[2] : !value_block_row from !value_block
              %columns_order2 = vector.shuffle %columns_row2, %columns_row2
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_3 = vector.insert %columns_order2, %columns_ordered_2 [2]
                : !value_block_row into !value_block
              %columns_row3 = vector.extract %columns[3] : !value_block_row from !value_block
              %columns_order3 = vector.shuffle %columns_row3, %columns_row3
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_4 = vector.insert %columns_order3, %columns_ordered_3 [3]
                : !value_block_row into !value_block
              %columns_row4 = vector.extract %columns[4] : !value_block_row from !value_block
              %columns_order4 = vector.shuffle %columns_row4, %columns_row4
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_5 = vector.insert %columns_order4, %columns_ordered_4 [4]
                : !value_block_row into !value_block
              %columns_row5 = vector.extract %columns[5] : !value_block_row from !value_block
              %columns_order5 = vector.shuffle %columns_row5, %columns_row5
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_6 = vector.insert %columns_order5, %columns_ordered_5 [5]
                : !value_block_row into !value_block
              %columns_row6 = vector.extract %columns[6] : !value_block_row from !value_block
              %columns_order6 = vector.shuffle %columns_row6, %columns_row6
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered_7 = vector.insert %columns_order6, %columns_ordered_6 [6]
                : !value_block_row into !value_block
              %columns_row7 = vector.extract %columns[7] : !value_block_row from !value_block
              %columns_order7 = vector.shuffle %columns_row7, %columns_row7
                [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !value_block_row, !value_block_row
              %columns_ordered = vector.insert %columns_order7, %columns_ordered_7 [7]
                : !value_block_row into !value_block
              %after = vector.transfer_write %columns_ordered, %before[%first_row, %n] {in_bounds = [true, true]}
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
    %mean_stored = arith.truncf %mean : !output_f32 to !output_row
        %after = vector.transfer_write %mean_stored,
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
      : tensor<2x8x1x64xbf16> -> !output_out
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
