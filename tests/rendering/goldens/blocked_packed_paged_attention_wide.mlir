// Packed queries attend over a block cache: many of a sequence first, then those of sequences of a few.
// Attention as one kernel of many rows.
!many__query = tensor<50x64x64xf16>
!many__key_cache = tensor<99x2x16x64xf16>
!many__value_cache = tensor<99x2x16x64xf16>
!many__cu_seqlens_q = tensor<5xi32>
!many__block_table = tensor<4x40xi32>
!many__context_lens = tensor<4xi32>
!many__offsets = tensor<4xi32>
!many__bias = tensor<64x50x640xf16>
!many__output = tensor<50x64x64xf16>
!many__lse = tensor<64x50xf32>
!many__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<50x64x64xf16>>
!many__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<99x2x16x64xf16>>
!many__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<99x2x16x64xf16>>
!many__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!many__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x40xi32>>
!many__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!many__offsets_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!many__bias_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x50x640xf16>>
!many__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<50x64x64xf16>>
!many__lse_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x50xf32>>
!many__output_slice = tensor<?x16x64xf16>
!many__lse_slice = tensor<16x?xf32>
!many__queries = tensor<8x64xf32>
!many__scores = tensor<8x64xf32>
!many__weights = tensor<8x64xf32>
!many__factors = tensor<8xf32>
!many__row_lanes = tensor<8x16xf32>
!many__acc = tensor<128x64xf32>
!many__row = tensor<128xf32>
!many__given_query = vector<64xf16>
!many__query_row = vector<64xf32>
!many__given_value = vector<64xf16>
!many__value_row = vector<64xf32>
!many__value_block = vector<8x32xf32>
!many__acc_row = vector<64xf32>
!many__output_f32 = vector<64xf32>
!many__output_row = vector<64xf16>
!many__logits = vector<64xf32>
!many__logit_bits = vector<64xi32>
!many__logit_flags = vector<64xi1>
!many__key_indices = vector<64xindex>
!many__key_numbers = vector<64xi32>
!many__lanes_f32 = vector<16xf32>
!many__block_bits = vector<8xi32>
!many__block_flags = vector<8xi1>
!many__block_numbers = vector<8xf32>
!many__block_rows0 = vector<8x16xf32>
!many__block_register8 = vector<8xf32>
!many__block_register16 = vector<16xf32>
!many__bias_of_row = tensor<?xf16>
!many__bias_read = vector<64xf16>
#many__of_row = affine_map<(m, k) -> (m, 0)>
#many__of_column = affine_map<(k, n) -> (0, n)>
#many__of_element = affine_map<(m) -> (m, 0)>
!many__keys = tensor<64x64xf32>
!many__values = tensor<64x64xf32>
!many__run_rows = tensor<?x64xf16>
!many__given_run = vector<16x16xf16>
!many__run = vector<16x16xf32>
!many__turned_run = vector<16x16xf32>
!many__half_run = vector<8x16xf32>
!many__pairs = vector<8x32xf32>
!many__score_block = vector<8x32xf32>
!many__score_row = vector<32xf32>
func.func private @many(%query: !many__query, %key_cache: !many__key_cache, %value_cache: !many__value_cache, %cu_seqlens_q: !many__cu_seqlens_q, %block_table: !many__block_table, %context_lens: !many__context_lens, %offsets: !many__offsets, %bias: !many__bias) -> (!many__output, !many__lse) {
  %output, %lse =
    flow.dispatch @many_output_kernel::@many_output_kernel(
      %query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %offsets, %bias
    ) : (
      tensor<50x64x64xf16>,
      tensor<99x2x16x64xf16>,
      tensor<99x2x16x64xf16>,
      tensor<5xi32>,
      tensor<4x40xi32>,
      tensor<4xi32>,
      tensor<4xi32>,
      tensor<64x50x640xf16>
    ) -> (tensor<50x64x64xf16>, tensor<64x50xf32>)
  return %output, %lse
    : !many__output, !many__lse
}
flow.executable private @many_output_kernel {
  flow.executable.export public @many_output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @many_output_kernel(
      %query_in: !many__query_in,
      %key_cache_in: !many__key_cache_in,
      %value_cache_in: !many__value_cache_in,
      %cu_seqlens_q_in: !many__cu_seqlens_q_in,
      %block_table_in: !many__block_table_in,
      %context_lens_in: !many__context_lens_in,
      %offsets_in: !many__offsets_in,
      %bias_in: !many__bias_in,
      %output_out: !many__output_out,
      %lse_out: !many__lse_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0], sizes = [50, 64, 64], strides = [1, 1, 1]
      : !many__query_in -> tensor<50x64x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : !many__key_cache_in -> tensor<99x2x16x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : !many__value_cache_in -> tensor<99x2x16x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !many__cu_seqlens_q_in -> tensor<5xi32>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [4, 40], strides = [1, 1]
      : !many__block_table_in -> tensor<4x40xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !many__context_lens_in -> tensor<4xi32>
    %offsets = iree_tensor_ext.dispatch.tensor.load %offsets_in,
      offsets = [0], sizes = [4], strides = [1]
      : !many__offsets_in -> tensor<4xi32>
    %bias = iree_tensor_ext.dispatch.tensor.load %bias_in,
      offsets = [0, 0, 0], sizes = [64, 50, 640], strides = [1, 1, 1]
      : !many__bias_in -> tensor<64x50x640xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 16 : index
    %tile_rows = arith.constant 128 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 1 : index
    %heads = arith.constant 4 : index
    %packed = arith.constant 4 : index
    %q_tokens = arith.constant 50 : index
    %keys_of_axis = arith.constant 640 : index
    %few = arith.constant 8 : index
    %tiles = arith.constant 11 : index
    %output_empty = tensor.empty() : tensor<50x64x64xf16>
    %lse_empty = tensor.empty() : tensor<64x50xf32>
    %workgroups:2 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty, %lse_all = %lse_empty) -> (tensor<50x64x64xf16>, tensor<64x50xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 16)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 2)>(%x)
    %with_padding = arith.addi %packed, %one : index
    %all_tiles, %first_tile, %q_start, %q_end, %k_start, %k_end, %s_or_padding =
      scf.for %s = %none to %with_padding step %one
        iter_args(%tiles_before = %none, %tile_0 = %none, %q_0 = %none, %q_1 = %none, %k_0 = %none,
          %k_1 = %none, %s_0 = %none)
        -> (index, index, index, index, index, index, index) {
      %after = affine.min affine_map<(s)[n] -> (s + 1, n)>(%s)[%packed]
      %is_padding = arith.cmpi eq, %s, %packed : index
      %q_from_i32 = tensor.extract %cu_seqlens_q[%s] : !many__cu_seqlens_q
      %q_from = arith.index_cast %q_from_i32 : i32 to index
      %q_to_i32 = tensor.extract %cu_seqlens_q[%after] : !many__cu_seqlens_q
      %q_to = arith.index_cast %q_to_i32 : i32 to index
      %known = affine.min affine_map<(s)[n] -> (s, n - 1)>(%s)[%packed]
      %k_known_i32 = tensor.extract %context_lens[%known] : !many__context_lens
      %k_known = arith.index_cast %k_known_i32 : i32 to index
      %k_from = arith.constant 0 : index
      %k_to = arith.select %is_padding, %none, %k_known : index
      %q_until = arith.select %is_padding, %q_tokens, %q_to : index
      // Those of a few queries have no tile.
      %q_count = arith.subi %q_until, %q_from : index
      %is_many = arith.cmpi sgt, %q_count, %few : index
      %has_tiles = arith.ori %is_many, %is_padding : i1
      %q_tiled = arith.select %has_tiles, %q_until, %q_from : index
      %tiles_after = affine.apply
        affine_map<(n, a, e)
        -> (n + (e - a) ceildiv 8)>(%tiles_before, %q_from, %q_tiled)
      %begun = arith.cmpi sle, %tiles_before, %i : index
      %unfinished = arith.cmpi slt, %i, %tiles_after : index
      %is_here = arith.andi %begun, %unfinished : i1
      %tile_here = arith.select %is_here, %tiles_before, %tile_0 : index
      %q_from_here = arith.select %is_here, %q_from, %q_0 : index
      %q_to_here = arith.select %is_here, %q_until, %q_1 : index
      %k_from_here = arith.select %is_here, %k_from, %k_0 : index
      %k_to_here = arith.select %is_here, %k_to, %k_1 : index
      %s_here = arith.select %is_here, %s, %s_0 : index
      scf.yield %tiles_after, %tile_here, %q_from_here, %q_to_here, %k_from_here, %k_to_here, %s_here
        : index, index, index, index, index, index, index
    }
    // Padding stands where the last sequence does.
    %sequence = affine.min affine_map<(s)[n] -> (s, n - 1)>(%s_or_padding)[%packed]
    %q_len = arith.subi %q_end, %q_start : index
    %context_len = arith.subi %k_end, %k_start : index
    %first_query = affine.apply affine_map<(i, f) -> ((i - f) * 8)>(%i, %first_tile)
    %queries_left = affine.min affine_map<(m, n) -> (n - m, 8)>(%first_query, %q_len)
    %queries_here = arith.maxsi %queries_left, %none : index
    %first_token = arith.addi %q_start, %first_query : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %first_position_i32 = tensor.extract %offsets[%sequence] : !many__offsets
    %first_position = arith.index_cast %first_position_i32 : i32 to index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %is_tile = arith.cmpi sgt, %queries_here, %none : index
    %rows = arith.select %is_tile, %tile_rows, %none : index
    %key_numbers = vector.step : !many__key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !many__key_indices to !many__key_numbers
    %padding = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !many__value_block
    %acc_empty = tensor.empty() : !many__acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !many__acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !many__acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !many__value_block, !many__acc
        scf.yield %after : !many__acc
      }
      scf.yield %filled : !many__acc
    }
    %max_empty = tensor.empty() : !many__row
    %sum_empty = tensor.empty() : !many__row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!many__row, !many__row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !many__row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !many__row
      scf.yield %max_after, %sum_after : !many__row, !many__row
    }
    %no_scores = arith.constant dense<0.0> : !many__score_block
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!many__acc, !many__row, !many__row) {
      %keys_here = affine.min affine_map<(t, e) -> (e - t, 64)>(%t0, %end)
      %first_run = affine.max
        affine_map<(s, t) -> ((s - t) floordiv 16 * 16, 0)>(%tile_begin, %t0)
      %run_keys = arith.constant 16 : index
      %keys_empty = tensor.empty() : !many__keys
      %keys = scf.for %j = %first_run to %keys_here step %run_keys iter_args(%of_step = %keys_empty)
        -> !many__keys {
        %t = arith.addi %t0, %j : index
        %left = affine.min affine_map<(j, n) -> (n - j, 16)>(%j, %keys_here)
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%sequence, %t_page]
          : !many__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %run_rows = tensor.extract_slice %key_cache[%t_block, %kv_head, %t_slot, 0]
          [1, 1, %left, 64] [1, 1, 1, 1]
          : !many__key_cache to !many__run_rows
        %of_run = scf.for %k = %none to %head_steps step %lanes iter_args(%before = %of_step) -> !many__keys {
          %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
          %run_stored = vector.transfer_read %run_rows[%none, %column], %padding
            {in_bounds = [false, true]} : !many__run_rows, !many__given_run
    %run = arith.extf %run_stored : !many__given_run to !many__run
          %first0 = vector.extract_strided_slice %run
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second0 = vector.extract_strided_slice %run
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs0 = vector.interleave %first0, %second0
            : !many__half_run -> !many__pairs
          %turned_1 = vector.shape_cast %pairs0 : !many__pairs to !many__run
          %first1 = vector.extract_strided_slice %turned_1
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second1 = vector.extract_strided_slice %turned_1
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs1 = vector.interleave %first1, %second1
            : !many__half_run -> !many__pairs
          %turned_2 = vector.shape_cast %pairs1 : !many__pairs to !many__run
          %first2 = vector.extract_strided_slice %turned_2
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second2 = vector.extract_strided_slice %turned_2
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs2 = vector.interleave %first2, %second2
            : !many__half_run -> !many__pairs
          %turned_3 = vector.shape_cast %pairs2 : !many__pairs to !many__run
          %first3 = vector.extract_strided_slice %turned_3
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second3 = vector.extract_strided_slice %turned_3
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs3 = vector.interleave %first3, %second3
            : !many__half_run -> !many__pairs
          %turned = vector.shape_cast %pairs3 : !many__pairs to !many__run
          %after = vector.transfer_write %turned, %before[%k, %j] {in_bounds = [true, true]}
            : !many__turned_run, !many__keys
          scf.yield %after : !many__keys
        }
        scf.yield %of_run : !many__keys
      }
      %values_empty = tensor.empty() : !many__values
      %first_seen = affine.max affine_map<(s, t) -> (s - t, 0)>(%tile_begin, %t0)
      %values = scf.for %j = %first_seen
        to %keys_here step %one
        iter_args(%before = %values_empty) -> !many__values {
        %t = arith.addi %t0, %j : index
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%sequence, %t_page]
          : !many__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %value_row_stored = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %none], %padding
          {in_bounds = [true]} : !many__value_cache, !many__given_value
    %value_row = arith.extf %value_row_stored : !many__given_value to !many__value_row
        %after = vector.transfer_write %value_row, %before[%j, %none] {in_bounds = [true]}
          : !many__value_row, !many__values
        scf.yield %after : !many__values
      }
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!many__acc, !many__row, !many__row) {
    %block_query = affine.apply affine_map<(r, m) -> (m + r mod 8)>(%r0, %first_query)
    %block_end = affine.apply affine_map<(m) -> (m + 8)>(%block_query)
    %keys_end_query = arith.minsi %block_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %block_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 64)>(%keys_end, %t0, %end)
        %from_block = affine.apply
          affine_map<(t) -> (t floordiv 32 * 32)>(%from)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!many__acc, !many__row, !many__row) {
    %queries_empty = tensor.empty() : !many__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !many__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 8, 15)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 8)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
      %query_row_stored = vector.transfer_read
        %query[%query_token, %head, %none], %padding
        {in_bounds = [true]} : !many__query, !many__given_query
    %query_row = arith.extf %query_row_stored : !many__given_query to !many__query_row
      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !many__query_row, !many__queries
      scf.yield %after : !many__queries
    }
          %scores_empty = tensor.empty() : !many__scores
          %scores = scf.for %n = %from_block to %to step %score_block iter_args(%before = %scores_empty)
            -> !many__scores {
            %sums = scf.for %k = %none to %head_steps step %one iter_args(%so_far = %no_scores)
              -> !many__score_block {
              %left = vector.transfer_read %queries[%none, %k], %zero
                {permutation_map = #many__of_row, in_bounds = [true, true]} : !many__queries, !many__score_block
              %right = vector.transfer_read %keys[%k, %n], %zero
                {permutation_map = #many__of_column, in_bounds = [true, true]} : !many__keys, !many__score_block
              %more = vector.fma %left, %right, %so_far : !many__score_block
              scf.yield %more : !many__score_block
            }
            %after = vector.transfer_write %sums, %before[%none, %n] {in_bounds = [true, true]}
              : !many__score_block, !many__scores
            scf.yield %after : !many__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !many__logits
        %lanes_empty = tensor.empty() : !many__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!many__scores, !many__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 8, 15)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 8)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !many__scores, !many__logits
          %scale = arith.constant dense<0.125> : !many__logits
          %scaled = arith.mulf %score, %scale : !many__logits
          %bias_left = affine.min affine_map<(t)[n] -> (n - t, 64)>
            (%t0)[%keys_of_axis]
          %bias_of_row = tensor.extract_slice %bias[%head, %query_token, %t0]
            [1, 1, %bias_left] [1, 1, 1] : !many__bias to !many__bias_of_row
          %bias_none = arith.constant 0.0 : f16
          %bias_of_keys_stored = vector.transfer_read %bias_of_row[%none], %bias_none
            {in_bounds = [false]} : !many__bias_of_row, !many__bias_read
    %bias_of_keys = arith.extf %bias_of_keys_stored : !many__bias_read to !many__logits
          %sum_with_bias = arith.addf %scaled, %bias_of_keys : !many__logits
          // The sum alone would not hide a key whose score is NaN or infinite.
          %bias_shows = arith.cmpf une, %bias_of_keys, %hidden : !many__logits
          %logit_added = arith.select %bias_shows, %sum_with_bias, %hidden : !many__logit_flags, !many__logits
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
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !many__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !many__key_numbers
          %logit = arith.select %ahead_is_seen, %logit_added, %hidden
            : !many__logit_flags, !many__logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !many__lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !many__lanes_f32
          %top = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
            : !many__lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !many__logits, !many__scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !many__lanes_f32, !many__row_lanes
          scf.yield %logits_after, %tops_after : !many__scores, !many__row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !many__row_lanes, !many__block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !many__block_register16 from !many__block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !many__block_register16 from !many__block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !many__block_register16 from !many__block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !many__block_register16 from !many__block_rows0
        %max_of_step_4 = vector.extract %tops_of_rows[4] : !many__block_register16 from !many__block_rows0
        %max_of_step_5 = vector.extract %tops_of_rows[5] : !many__block_register16 from !many__block_rows0
        %max_of_step_6 = vector.extract %tops_of_rows[6] : !many__block_register16 from !many__block_rows0
        %max_of_step_7 = vector.extract %tops_of_rows[7] : !many__block_register16 from !many__block_rows0
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_8 = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !many__block_register16
        %max_of_step_evens9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_9 = arith.maxnumf
          %max_of_step_evens9, %max_of_step_odds9 fastmath<nnan> : !many__block_register16
        %max_of_step_evens10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_10 = arith.maxnumf
          %max_of_step_evens10, %max_of_step_odds10 fastmath<nnan> : !many__block_register16
        %max_of_step_evens11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_11 = arith.maxnumf
          %max_of_step_evens11, %max_of_step_odds11 fastmath<nnan> : !many__block_register16
        %max_of_step_evens12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_12 = arith.maxnumf
          %max_of_step_evens12, %max_of_step_odds12 fastmath<nnan> : !many__block_register16
        %max_of_step_evens13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_13 = arith.maxnumf
          %max_of_step_evens13, %max_of_step_odds13 fastmath<nnan> : !many__block_register16
        %max_of_step_evens14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !many__block_register16, !many__block_register16
        %max_of_step_odds14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !many__block_register16, !many__block_register16
        %max_of_step_14 = arith.maxnumf
          %max_of_step_evens14, %max_of_step_odds14 fastmath<nnan> : !many__block_register16
        %max_of_step_evens15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !many__block_register16, !many__block_register16
        %max_of_step_odds15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !many__block_register16, !many__block_register16
        %max_of_step = arith.maxnumf
          %max_of_step_evens15, %max_of_step_odds15 fastmath<nnan> : !many__block_register8
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !many__row, !many__block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !many__block_numbers
        %max_below = arith.subf %max_before, %max_now : !many__block_numbers
          %factor_log2e = arith.constant dense<1.4426950408889634> : !many__block_numbers
          %factor_in_base_2 = arith.mulf %max_below, %factor_log2e : !many__block_numbers
          %factor_least = arith.constant dense<-127.0> : !many__block_numbers
          %factor_is_low = arith.cmpf olt, %factor_in_base_2, %factor_least : !many__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %factor_in_base_2
            : !many__block_flags, !many__block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !many__block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !many__block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !many__block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !many__block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !many__block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !many__block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !many__block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !many__block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !many__block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !many__block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !many__block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !many__block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !many__block_numbers
          %factor_term5 = arith.constant dense<1.0> : !many__block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !many__block_numbers
          %factor_number = arith.bitcast %factor_rounded : !many__block_numbers to !many__block_bits
          %factor_place = arith.constant dense<23> : !many__block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !many__block_bits
          %factor_scale = arith.bitcast %factor_shifted : !many__block_bits to !many__block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !many__block_numbers
        %factors_empty = tensor.empty() : !many__factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !many__block_numbers, !many__factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !many__block_numbers, !many__row
        %weights_empty = tensor.empty() : !many__weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!many__weights, !many__row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !many__scores, !many__logits
          %max_of_row = tensor.extract %max_next[%row] : !many__row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !many__logits
          %below = arith.subf %logit, %max_everywhere : !many__logits
          %weight_log2e = arith.constant dense<1.4426950408889634> : !many__logits
          %weight_in_base_2 = arith.mulf %below, %weight_log2e : !many__logits
          %weight_least = arith.constant dense<-127.0> : !many__logits
          %weight_is_low = arith.cmpf olt, %weight_in_base_2, %weight_least : !many__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %weight_in_base_2
            : !many__logit_flags, !many__logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !many__logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !many__logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !many__logits
          %weight_left = arith.subf %weight_power, %weight_whole : !many__logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !many__logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !many__logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !many__logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !many__logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !many__logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !many__logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !many__logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !many__logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !many__logits
          %weight_term5 = arith.constant dense<1.0> : !many__logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !many__logits
          %weight_number = arith.bitcast %weight_rounded : !many__logits to !many__logit_bits
          %weight_place = arith.constant dense<23> : !many__logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !many__logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !many__logit_bits to !many__logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !many__logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !many__lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !many__lanes_f32
          %weight_sum = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
            : !many__lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !many__lanes_f32, !many__row_lanes
          %weights_after = vector.transfer_write %weight, %weights_before[%r, %none] {in_bounds = [true]}
            : !many__logits, !many__weights
          scf.yield %weights_after, %sums_after : !many__weights, !many__row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !many__row_lanes, !many__block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !many__block_register16 from !many__block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !many__block_register16 from !many__block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !many__block_register16 from !many__block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !many__block_register16 from !many__block_rows0
        %sum_of_step_4 = vector.extract %sums_of_rows[4] : !many__block_register16 from !many__block_rows0
        %sum_of_step_5 = vector.extract %sums_of_rows[5] : !many__block_register16 from !many__block_rows0
        %sum_of_step_6 = vector.extract %sums_of_rows[6] : !many__block_register16 from !many__block_rows0
        %sum_of_step_7 = vector.extract %sums_of_rows[7] : !many__block_register16 from !many__block_rows0
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_8 = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_9 = arith.addf
          %sum_of_step_evens9, %sum_of_step_odds9 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_10 = arith.addf
          %sum_of_step_evens10, %sum_of_step_odds10 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_11 = arith.addf
          %sum_of_step_evens11, %sum_of_step_odds11 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_12 = arith.addf
          %sum_of_step_evens12, %sum_of_step_odds12 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_13 = arith.addf
          %sum_of_step_evens13, %sum_of_step_odds13 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !many__block_register16, !many__block_register16
        %sum_of_step_odds14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_14 = arith.addf
          %sum_of_step_evens14, %sum_of_step_odds14 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !many__block_register16, !many__block_register16
        %sum_of_step_odds15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !many__block_register16, !many__block_register16
        %sum_of_step = arith.addf
          %sum_of_step_evens15, %sum_of_step_odds15 fastmath<reassoc> : !many__block_register8
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !many__row, !many__block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !many__block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !many__block_numbers, !many__row
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !many__acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !many__acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !many__acc, !many__value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #many__of_element, in_bounds = [true, true]} : !many__factors, !many__value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !many__value_block
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk) -> !many__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #many__of_row, in_bounds = [true, true]} : !many__weights, !many__value_block
                %right = vector.transfer_read %values[%j, %n], %zero
                  {permutation_map = #many__of_column, in_bounds = [true, true]} : !many__values, !many__value_block
                %more = vector.fma %left, %right, %so_far : !many__value_block
                scf.yield %more : !many__value_block
              }
              %after = vector.transfer_write %sums, %before[%first_row, %n] {in_bounds = [true, true]}
                : !many__value_block, !many__acc
              scf.yield %after : !many__acc
            }
            scf.yield %acc_of_columns : !many__acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !many__acc, !many__row, !many__row
        } else {
          scf.yield %acc, %max, %sum : !many__acc, !many__row, !many__row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !many__acc, !many__row, !many__row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !many__acc, !many__row, !many__row
    }
    %output_slice = tensor.extract_slice %output_all[%first_token, %first_head, %none] [%queries_here, 16, 64] [1, 1, 1] : !many__output to !many__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !many__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !many__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 8 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !many__row
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !many__acc, !many__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !many__output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !many__output_f32
        %nothing = arith.constant dense<0.0> : !many__output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !many__output_f32
    %mean_stored = arith.truncf %mean : !many__output_f32 to !many__output_row
        %after = vector.transfer_write %mean_stored,
          %before[%m, %g, %none] {in_bounds = [true]}
          : !many__output_row, !many__output_slice
        scf.yield %after : !many__output_slice
      }
      scf.yield %of_head : !many__output_slice
    }
    %lse_slice = tensor.extract_slice %lse_all[%first_head, %first_token] [16, %queries_here] [1, 1] : !many__lse to !many__lse_slice
    %lse_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %lse_slice)
      -> !many__lse_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads) -> !many__lse_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 8 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !many__row
        %row_max = tensor.extract %max_end[%row] : !many__row
        %log = math.log %row_sum : f32
        %unit = arith.constant 1.0 : f32
        %max_natural = arith.mulf %row_max, %unit : f32
        %lse = arith.addf %max_natural, %log : f32
        %after = tensor.insert %lse into %before[%g, %m] : !many__lse_slice
        scf.yield %after : !many__lse_slice
      }
      scf.yield %of_head : !many__lse_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%first_token, %first_head, %none] [%queries_here, 16, 64] [1, 1, 1]
        : !many__output_slice into !many__output
      tensor.parallel_insert_slice %lse_written into %lse_all[%first_head, %first_token] [16, %queries_here] [1, 1] : !many__lse_slice into !many__lse
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_out,
      offsets = [0, 0, 0], sizes = [50, 64, 64], strides = [1, 1, 1]
      : tensor<50x64x64xf16> -> !many__output_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_out,
      offsets = [0, 0], sizes = [64, 50], strides = [1, 1]
      : tensor<64x50xf32> -> !many__lse_out
    return
  }
  }
}
// Attention as one kernel of many rows, and a merge of parts of the keys.
!few__query = tensor<50x64x64xf16>
!few__key_cache = tensor<99x2x16x64xf16>
!few__value_cache = tensor<99x2x16x64xf16>
!few__cu_seqlens_q = tensor<5xi32>
!few__block_table = tensor<4x40xi32>
!few__context_lens = tensor<4xi32>
!few__offsets = tensor<4xi32>
!few__bias = tensor<64x50x640xf16>
!few__output_of_many = tensor<50x64x64xf16>
!few__lse_of_many = tensor<64x50xf32>
!few__output = tensor<50x64x64xf16>
!few__lse = tensor<64x50xf32>
!few__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<50x64x64xf16>>
!few__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<99x2x16x64xf16>>
!few__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<99x2x16x64xf16>>
!few__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!few__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x40xi32>>
!few__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__offsets_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__bias_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x50x640xf16>>
!few__part_acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x1x1024x64xf32>>
!few__part_max_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x1x1024xf32>>
!few__part_sum_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x1x1024xf32>>
!few__output_slice = tensor<?x32x64xf16>
!few__lse_slice = tensor<32x?xf32>
!few__part_acc = tensor<2x1x1024x64xf32>
!few__part_max = tensor<2x1x1024xf32>
!few__part_acc_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x1x1024x64xf32>>
!few__part_max_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x1x1024xf32>>
!few__part_sum_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x1x1024xf32>>
!few__cu_seqlens_q_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!few__context_lens_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__offsets_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__output_of_many_to_merge = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<50x64x64xf16>>
!few__lse_of_many_to_merge = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x50xf32>>
!few__acc_of_query = tensor<32x64xf32>
!few__row_of_query = tensor<32xf32>
!few__queries = tensor<8x64xf32>
!few__scores = tensor<8x64xf32>
!few__weights = tensor<8x64xf32>
!few__factors = tensor<8xf32>
!few__row_lanes = tensor<8x16xf32>
!few__acc = tensor<?x64xf32>
!few__row = tensor<?xf32>
!few__given_query = vector<64xf16>
!few__query_row = vector<64xf32>
!few__given_value = vector<64xf16>
!few__value_row = vector<64xf32>
!few__value_block = vector<8x32xf32>
!few__acc_row = vector<64xf32>
!few__output_f32 = vector<64xf32>
!few__output_row = vector<64xf16>
!few__logits = vector<64xf32>
!few__logit_bits = vector<64xi32>
!few__logit_flags = vector<64xi1>
!few__key_indices = vector<64xindex>
!few__key_numbers = vector<64xi32>
!few__lanes_f32 = vector<16xf32>
!few__block_bits = vector<8xi32>
!few__block_flags = vector<8xi1>
!few__block_numbers = vector<8xf32>
!few__block_rows0 = vector<8x16xf32>
!few__block_register8 = vector<8xf32>
!few__block_register16 = vector<16xf32>
!few__bias_of_row = tensor<?xf16>
!few__bias_read = vector<64xf16>
#few__of_row = affine_map<(m, k) -> (m, 0)>
#few__of_column = affine_map<(k, n) -> (0, n)>
#few__of_element = affine_map<(m) -> (m, 0)>
!few__keys = tensor<64x64xf32>
!few__values = tensor<64x64xf32>
!few__run_rows = tensor<?x64xf16>
!few__given_run = vector<16x16xf16>
!few__run = vector<16x16xf32>
!few__turned_run = vector<16x16xf32>
!few__half_run = vector<8x16xf32>
!few__pairs = vector<8x32xf32>
!few__score_block = vector<8x32xf32>
!few__score_row = vector<32xf32>
func.func private @few(%query: !few__query, %key_cache: !few__key_cache, %value_cache: !few__value_cache, %cu_seqlens_q: !few__cu_seqlens_q, %block_table: !few__block_table, %context_lens: !few__context_lens, %offsets: !few__offsets, %bias: !few__bias, %output_of_many: !few__output_of_many, %lse_of_many: !few__lse_of_many) -> (!few__output, !few__lse) {
  %part_acc, %part_max, %part_sum =
    flow.dispatch @few_part_acc_kernel::@few_part_acc_kernel(
      %query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %offsets, %bias
    ) : (
      tensor<50x64x64xf16>,
      tensor<99x2x16x64xf16>,
      tensor<99x2x16x64xf16>,
      tensor<5xi32>,
      tensor<4x40xi32>,
      tensor<4xi32>,
      tensor<4xi32>,
      tensor<64x50x640xf16>
    ) -> (tensor<2x1x1024x64xf32>, tensor<2x1x1024xf32>, tensor<2x1x1024xf32>)
  %output, %lse =
    flow.dispatch @few_output_kernel::@few_output_kernel(
      %part_acc, %part_max, %part_sum, %cu_seqlens_q, %context_lens, %offsets, %output_of_many, %lse_of_many
    ) : (
      tensor<2x1x1024x64xf32>,
      tensor<2x1x1024xf32>,
      tensor<2x1x1024xf32>,
      tensor<5xi32>,
      tensor<4xi32>,
      tensor<4xi32>,
      tensor<50x64x64xf16>,
      tensor<64x50xf32>
    ) -> (%output_of_many, %lse_of_many)
  return %output, %lse
    : !few__output, !few__lse
}
flow.executable private @few_part_acc_kernel {
  flow.executable.export public @few_part_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @few_part_acc_kernel(
      %query_in: !few__query_in,
      %key_cache_in: !few__key_cache_in,
      %value_cache_in: !few__value_cache_in,
      %cu_seqlens_q_in: !few__cu_seqlens_q_in,
      %block_table_in: !few__block_table_in,
      %context_lens_in: !few__context_lens_in,
      %offsets_in: !few__offsets_in,
      %bias_in: !few__bias_in,
      %part_acc_out: !few__part_acc_out,
      %part_max_out: !few__part_max_out,
      %part_sum_out: !few__part_sum_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0], sizes = [50, 64, 64], strides = [1, 1, 1]
      : !few__query_in -> tensor<50x64x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : !few__key_cache_in -> tensor<99x2x16x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : !few__value_cache_in -> tensor<99x2x16x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !few__cu_seqlens_q_in -> tensor<5xi32>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [4, 40], strides = [1, 1]
      : !few__block_table_in -> tensor<4x40xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__context_lens_in -> tensor<4xi32>
    %offsets = iree_tensor_ext.dispatch.tensor.load %offsets_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__offsets_in -> tensor<4xi32>
    %bias = iree_tensor_ext.dispatch.tensor.load %bias_in,
      offsets = [0, 0, 0], sizes = [64, 50, 640], strides = [1, 1, 1]
      : !few__bias_in -> tensor<64x50x640xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 32 : index
    %tile_rows = arith.constant 32 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 4 : index
    %heads = arith.constant 2 : index
    %packed = arith.constant 4 : index
    %q_tokens = arith.constant 50 : index
    %keys_of_axis = arith.constant 640 : index
    %few = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %part_acc_empty = tensor.empty() : tensor<2x1x1024x64xf32>
    %part_max_empty = tensor.empty() : tensor<2x1x1024xf32>
    %part_sum_empty = tensor.empty() : tensor<2x1x1024xf32>
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %parts)
        shared_outs(%part_acc_all = %part_acc_empty, %part_max_all = %part_max_empty, %part_sum_all = %part_sum_empty) -> (tensor<2x1x1024x64xf32>, tensor<2x1x1024xf32>, tensor<2x1x1024xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 32)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %first_query = arith.constant 0 : index
    %q_start_i32 = tensor.extract %cu_seqlens_q[%b] : !few__cu_seqlens_q
    %q_start = arith.index_cast %q_start_i32 : i32 to index
    %next_sequence = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %q_end_i32 = tensor.extract %cu_seqlens_q[%next_sequence] : !few__cu_seqlens_q
    %q_end = arith.index_cast %q_end_i32 : i32 to index
    %q_count = arith.subi %q_end, %q_start : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %q_len = arith.select %is_few, %q_count, %none : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %rows_begin = affine.min
      affine_map<(q, b) -> (q * 32, b * (8 * 32))>
      (%q_start, %b)
    %context_len_i32 = tensor.extract %context_lens[%b] : !few__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position_i32 = tensor.extract %offsets[%b] : !few__offsets
    %first_position = arith.index_cast %first_position_i32 : i32 to index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %tile_end_query = arith.minsi %queries_end, %q_len : index
    %tile_end_is_real = arith.cmpi slt, %first_query, %tile_end_query : index
    %tile_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%tile_end_query, %first_position, %context_len)
    %tile_end = arith.select %tile_end_is_real, %tile_end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %first_step = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %first_part = affine.apply affine_map<(t) -> (t floordiv 1024)>(%first_step)
    %end_part = affine.apply affine_map<(t) -> (t ceildiv 1024)>(%tile_end)
    %begin = affine.max affine_map<(t, i) -> (t, i * 1024)>(%first_step, %i)
    %end = affine.min
      affine_map<(t, i) -> (t, i * 1024 + 1024)>(%tile_end, %i)
    %is_behind_first = arith.cmpi sge, %i, %first_part : index
    %is_before_end = arith.cmpi slt, %i, %end_part : index
    %exists = arith.andi %is_behind_first, %is_before_end : i1
    %rows_of_queries = affine.apply affine_map<(m) -> (m * 32)>(%q_len)
    %rows = arith.select %exists, %rows_of_queries, %none : index
    %key_numbers = vector.step : !few__key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !few__key_indices to !few__key_numbers
    %padding = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !few__value_block
    %acc_empty = tensor.extract_slice %part_acc_all[%x, %i, %rows_begin, %none] [1, 1, %rows, 64] [1, 1, 1, 1] : !few__part_acc to !few__acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !few__acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !few__acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !few__value_block, !few__acc
        scf.yield %after : !few__acc
      }
      scf.yield %filled : !few__acc
    }
    %max_empty = tensor.extract_slice %part_max_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1]
      : !few__part_max to !few__row
    %sum_empty = tensor.extract_slice %part_sum_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1]
      : !few__part_max to !few__row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!few__row, !few__row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !few__row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !few__row
      scf.yield %max_after, %sum_after : !few__row, !few__row
    }
    %no_scores = arith.constant dense<0.0> : !few__score_block
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!few__acc, !few__row, !few__row) {
      %keys_here = affine.min affine_map<(t, e) -> (e - t, 64)>(%t0, %end)
      %first_run = affine.max
        affine_map<(s, t) -> ((s - t) floordiv 16 * 16, 0)>(%tile_begin, %t0)
      %run_keys = arith.constant 16 : index
      %keys_empty = tensor.empty() : !few__keys
      %keys = scf.for %j = %first_run to %keys_here step %run_keys iter_args(%of_step = %keys_empty)
        -> !few__keys {
        %t = arith.addi %t0, %j : index
        %left = affine.min affine_map<(j, n) -> (n - j, 16)>(%j, %keys_here)
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%b, %t_page]
          : !few__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %run_rows = tensor.extract_slice %key_cache[%t_block, %kv_head, %t_slot, 0]
          [1, 1, %left, 64] [1, 1, 1, 1]
          : !few__key_cache to !few__run_rows
        %of_run = scf.for %k = %none to %head_steps step %lanes iter_args(%before = %of_step) -> !few__keys {
          %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
          %run_stored = vector.transfer_read %run_rows[%none, %column], %padding
            {in_bounds = [false, true]} : !few__run_rows, !few__given_run
    %run = arith.extf %run_stored : !few__given_run to !few__run
          %first0 = vector.extract_strided_slice %run
            offsets = [0], sizes = [8], strides = [1] : !few__run to !few__half_run
          %second0 = vector.extract_strided_slice %run
            offsets = [8], sizes = [8], strides = [1] : !few__run to !few__half_run
          %pairs0 = vector.interleave %first0, %second0
            : !few__half_run -> !few__pairs
          %turned_1 = vector.shape_cast %pairs0 : !few__pairs to !few__run
          %first1 = vector.extract_strided_slice %turned_1
            offsets = [0], sizes = [8], strides = [1] : !few__run to !few__half_run
          %second1 = vector.extract_strided_slice %turned_1
            offsets = [8], sizes = [8], strides = [1] : !few__run to !few__half_run
          %pairs1 = vector.interleave %first1, %second1
            : !few__half_run -> !few__pairs
          %turned_2 = vector.shape_cast %pairs1 : !few__pairs to !few__run
          %first2 = vector.extract_strided_slice %turned_2
            offsets = [0], sizes = [8], strides = [1] : !few__run to !few__half_run
          %second2 = vector.extract_strided_slice %turned_2
            offsets = [8], sizes = [8], strides = [1] : !few__run to !few__half_run
          %pairs2 = vector.interleave %first2, %second2
            : !few__half_run -> !few__pairs
          %turned_3 = vector.shape_cast %pairs2 : !few__pairs to !few__run
          %first3 = vector.extract_strided_slice %turned_3
            offsets = [0], sizes = [8], strides = [1] : !few__run to !few__half_run
          %second3 = vector.extract_strided_slice %turned_3
            offsets = [8], sizes = [8], strides = [1] : !few__run to !few__half_run
          %pairs3 = vector.interleave %first3, %second3
            : !few__half_run -> !few__pairs
          %turned = vector.shape_cast %pairs3 : !few__pairs to !few__run
          %after = vector.transfer_write %turned, %before[%k, %j] {in_bounds = [true, true]}
            : !few__turned_run, !few__keys
          scf.yield %after : !few__keys
        }
        scf.yield %of_run : !few__keys
      }
      %values_empty = tensor.empty() : !few__values
      %first_seen = affine.max affine_map<(s, t) -> (s - t, 0)>(%tile_begin, %t0)
      %values = scf.for %j = %first_seen
        to %keys_here step %one
        iter_args(%before = %values_empty) -> !few__values {
        %t = arith.addi %t0, %j : index
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%b, %t_page]
          : !few__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %value_row_stored = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %none], %padding
          {in_bounds = [true]} : !few__value_cache, !few__given_value
    %value_row = arith.extf %value_row_stored : !few__given_value to !few__value_row
        %after = vector.transfer_write %value_row, %before[%j, %none] {in_bounds = [true]}
          : !few__value_row, !few__values
        scf.yield %after : !few__values
      }
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!few__acc, !few__row, !few__row) {
    %block_query = affine.apply affine_map<(r) -> (r floordiv 32)>(%r0)
    %block_end = affine.apply affine_map<(m) -> (m + 1)>(%block_query)
    %keys_end_query = arith.minsi %block_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %block_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 64)>(%keys_end, %t0, %end)
        %from_block = affine.apply
          affine_map<(t) -> (t floordiv 32 * 32)>(%from)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!few__acc, !few__row, !few__row) {
    %queries_empty = tensor.empty() : !few__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !few__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r mod 32, 31)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r floordiv 32)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
      %query_row_stored = vector.transfer_read
        %query[%query_token, %head, %none], %padding
        {in_bounds = [true]} : !few__query, !few__given_query
    %query_row = arith.extf %query_row_stored : !few__given_query to !few__query_row
      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !few__query_row, !few__queries
      scf.yield %after : !few__queries
    }
          %scores_empty = tensor.empty() : !few__scores
          %scores = scf.for %n = %from_block to %to step %score_block iter_args(%before = %scores_empty)
            -> !few__scores {
            %sums = scf.for %k = %none to %head_steps step %one iter_args(%so_far = %no_scores)
              -> !few__score_block {
              %left = vector.transfer_read %queries[%none, %k], %zero
                {permutation_map = #few__of_row, in_bounds = [true, true]} : !few__queries, !few__score_block
              %right = vector.transfer_read %keys[%k, %n], %zero
                {permutation_map = #few__of_column, in_bounds = [true, true]} : !few__keys, !few__score_block
              %more = vector.fma %left, %right, %so_far : !few__score_block
              scf.yield %more : !few__score_block
            }
            %after = vector.transfer_write %sums, %before[%none, %n] {in_bounds = [true, true]}
              : !few__score_block, !few__scores
            scf.yield %after : !few__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !few__logits
        %lanes_empty = tensor.empty() : !few__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!few__scores, !few__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r mod 32, 31)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r floordiv 32)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !few__scores, !few__logits
          %scale = arith.constant dense<0.125> : !few__logits
          %scaled = arith.mulf %score, %scale : !few__logits
          %bias_left = affine.min affine_map<(t)[n] -> (n - t, 64)>
            (%t0)[%keys_of_axis]
          %bias_of_row = tensor.extract_slice %bias[%head, %query_token, %t0]
            [1, 1, %bias_left] [1, 1, 1] : !few__bias to !few__bias_of_row
          %bias_none = arith.constant 0.0 : f16
          %bias_of_keys_stored = vector.transfer_read %bias_of_row[%none], %bias_none
            {in_bounds = [false]} : !few__bias_of_row, !few__bias_read
    %bias_of_keys = arith.extf %bias_of_keys_stored : !few__bias_read to !few__logits
          %sum_with_bias = arith.addf %scaled, %bias_of_keys : !few__logits
          // The sum alone would not hide a key whose score is NaN or infinite.
          %bias_shows = arith.cmpf une, %bias_of_keys, %hidden : !few__logits
          %logit_added = arith.select %bias_shows, %sum_with_bias, %hidden : !few__logit_flags, !few__logits
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
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !few__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !few__key_numbers
          %logit = arith.select %ahead_is_seen, %logit_added, %hidden
            : !few__logit_flags, !few__logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !few__lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !few__lanes_f32
          %top = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
            : !few__lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !few__logits, !few__scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !few__lanes_f32, !few__row_lanes
          scf.yield %logits_after, %tops_after : !few__scores, !few__row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !few__row_lanes, !few__block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !few__block_register16 from !few__block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !few__block_register16 from !few__block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !few__block_register16 from !few__block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !few__block_register16 from !few__block_rows0
        %max_of_step_4 = vector.extract %tops_of_rows[4] : !few__block_register16 from !few__block_rows0
        %max_of_step_5 = vector.extract %tops_of_rows[5] : !few__block_register16 from !few__block_rows0
        %max_of_step_6 = vector.extract %tops_of_rows[6] : !few__block_register16 from !few__block_rows0
        %max_of_step_7 = vector.extract %tops_of_rows[7] : !few__block_register16 from !few__block_rows0
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_8 = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !few__block_register16
        %max_of_step_evens9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_9 = arith.maxnumf
          %max_of_step_evens9, %max_of_step_odds9 fastmath<nnan> : !few__block_register16
        %max_of_step_evens10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_10 = arith.maxnumf
          %max_of_step_evens10, %max_of_step_odds10 fastmath<nnan> : !few__block_register16
        %max_of_step_evens11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_11 = arith.maxnumf
          %max_of_step_evens11, %max_of_step_odds11 fastmath<nnan> : !few__block_register16
        %max_of_step_evens12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_12 = arith.maxnumf
          %max_of_step_evens12, %max_of_step_odds12 fastmath<nnan> : !few__block_register16
        %max_of_step_evens13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_13 = arith.maxnumf
          %max_of_step_evens13, %max_of_step_odds13 fastmath<nnan> : !few__block_register16
        %max_of_step_evens14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__block_register16, !few__block_register16
        %max_of_step_odds14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__block_register16, !few__block_register16
        %max_of_step_14 = arith.maxnumf
          %max_of_step_evens14, %max_of_step_odds14 fastmath<nnan> : !few__block_register16
        %max_of_step_evens15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !few__block_register16, !few__block_register16
        %max_of_step_odds15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !few__block_register16, !few__block_register16
        %max_of_step = arith.maxnumf
          %max_of_step_evens15, %max_of_step_odds15 fastmath<nnan> : !few__block_register8
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !few__row, !few__block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !few__block_numbers
        %max_below = arith.subf %max_before, %max_now : !few__block_numbers
          %factor_log2e = arith.constant dense<1.4426950408889634> : !few__block_numbers
          %factor_in_base_2 = arith.mulf %max_below, %factor_log2e : !few__block_numbers
          %factor_least = arith.constant dense<-127.0> : !few__block_numbers
          %factor_is_low = arith.cmpf olt, %factor_in_base_2, %factor_least : !few__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %factor_in_base_2
            : !few__block_flags, !few__block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !few__block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !few__block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !few__block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !few__block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !few__block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !few__block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !few__block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !few__block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !few__block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !few__block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !few__block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !few__block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !few__block_numbers
          %factor_term5 = arith.constant dense<1.0> : !few__block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !few__block_numbers
          %factor_number = arith.bitcast %factor_rounded : !few__block_numbers to !few__block_bits
          %factor_place = arith.constant dense<23> : !few__block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !few__block_bits
          %factor_scale = arith.bitcast %factor_shifted : !few__block_bits to !few__block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !few__block_numbers
        %factors_empty = tensor.empty() : !few__factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !few__block_numbers, !few__factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !few__block_numbers, !few__row
        %weights_empty = tensor.empty() : !few__weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!few__weights, !few__row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !few__scores, !few__logits
          %max_of_row = tensor.extract %max_next[%row] : !few__row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !few__logits
          %below = arith.subf %logit, %max_everywhere : !few__logits
          %weight_log2e = arith.constant dense<1.4426950408889634> : !few__logits
          %weight_in_base_2 = arith.mulf %below, %weight_log2e : !few__logits
          %weight_least = arith.constant dense<-127.0> : !few__logits
          %weight_is_low = arith.cmpf olt, %weight_in_base_2, %weight_least : !few__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %weight_in_base_2
            : !few__logit_flags, !few__logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !few__logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !few__logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !few__logits
          %weight_left = arith.subf %weight_power, %weight_whole : !few__logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !few__logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !few__logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !few__logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !few__logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !few__logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !few__logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !few__logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !few__logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !few__logits
          %weight_term5 = arith.constant dense<1.0> : !few__logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !few__logits
          %weight_number = arith.bitcast %weight_rounded : !few__logits to !few__logit_bits
          %weight_place = arith.constant dense<23> : !few__logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !few__logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !few__logit_bits to !few__logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !few__logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !few__lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !few__lanes_f32
          %weight_sum = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
            : !few__lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !few__lanes_f32, !few__row_lanes
          %weights_after = vector.transfer_write %weight, %weights_before[%r, %none] {in_bounds = [true]}
            : !few__logits, !few__weights
          scf.yield %weights_after, %sums_after : !few__weights, !few__row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !few__row_lanes, !few__block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !few__block_register16 from !few__block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !few__block_register16 from !few__block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !few__block_register16 from !few__block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !few__block_register16 from !few__block_rows0
        %sum_of_step_4 = vector.extract %sums_of_rows[4] : !few__block_register16 from !few__block_rows0
        %sum_of_step_5 = vector.extract %sums_of_rows[5] : !few__block_register16 from !few__block_rows0
        %sum_of_step_6 = vector.extract %sums_of_rows[6] : !few__block_register16 from !few__block_rows0
        %sum_of_step_7 = vector.extract %sums_of_rows[7] : !few__block_register16 from !few__block_rows0
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_8 = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_9 = arith.addf
          %sum_of_step_evens9, %sum_of_step_odds9 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_10 = arith.addf
          %sum_of_step_evens10, %sum_of_step_odds10 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_11 = arith.addf
          %sum_of_step_evens11, %sum_of_step_odds11 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_12 = arith.addf
          %sum_of_step_evens12, %sum_of_step_odds12 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_13 = arith.addf
          %sum_of_step_evens13, %sum_of_step_odds13 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__block_register16, !few__block_register16
        %sum_of_step_odds14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_14 = arith.addf
          %sum_of_step_evens14, %sum_of_step_odds14 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !few__block_register16, !few__block_register16
        %sum_of_step_odds15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !few__block_register16, !few__block_register16
        %sum_of_step = arith.addf
          %sum_of_step_evens15, %sum_of_step_odds15 fastmath<reassoc> : !few__block_register8
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !few__row, !few__block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !few__block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !few__block_numbers, !few__row
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !few__acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !few__acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !few__acc, !few__value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #few__of_element, in_bounds = [true, true]} : !few__factors, !few__value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !few__value_block
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk) -> !few__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #few__of_row, in_bounds = [true, true]} : !few__weights, !few__value_block
                %right = vector.transfer_read %values[%j, %n], %zero
                  {permutation_map = #few__of_column, in_bounds = [true, true]} : !few__values, !few__value_block
                %more = vector.fma %left, %right, %so_far : !few__value_block
                scf.yield %more : !few__value_block
              }
              %after = vector.transfer_write %sums, %before[%first_row, %n] {in_bounds = [true, true]}
                : !few__value_block, !few__acc
              scf.yield %after : !few__acc
            }
            scf.yield %acc_of_columns : !few__acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !few__acc, !few__row, !few__row
        } else {
          scf.yield %acc, %max, %sum : !few__acc, !few__row, !few__row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !few__acc, !few__row, !few__row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !few__acc, !few__row, !few__row
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc_end into %part_acc_all[%x, %i, %rows_begin, %none] [1, 1, %rows, 64] [1, 1, 1, 1] : !few__acc into !few__part_acc
      tensor.parallel_insert_slice %max_end into %part_max_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1] : !few__row into !few__part_max
      tensor.parallel_insert_slice %sum_end into %part_sum_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1] : !few__row into !few__part_max
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_out,
      offsets = [0, 0, 0, 0], sizes = [2, 1, 1024, 64], strides = [1, 1, 1, 1]
      : tensor<2x1x1024x64xf32> -> !few__part_acc_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_out,
      offsets = [0, 0, 0], sizes = [2, 1, 1024], strides = [1, 1, 1]
      : tensor<2x1x1024xf32> -> !few__part_max_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_out,
      offsets = [0, 0, 0], sizes = [2, 1, 1024], strides = [1, 1, 1]
      : tensor<2x1x1024xf32> -> !few__part_sum_out
    return
  }
  }
}
flow.executable private @few_output_kernel {
  flow.executable.export public @few_output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @few_output_kernel(
      %part_acc_in: !few__part_acc_to_merge,
      %part_max_in: !few__part_max_to_merge,
      %part_sum_in: !few__part_sum_to_merge,
      %cu_seqlens_q_in: !few__cu_seqlens_q_to_merge,
      %context_lens_in: !few__context_lens_to_merge,
      %offsets_in: !few__offsets_to_merge,
      %output_of_many_in: !few__output_of_many_to_merge,
      %lse_of_many_in: !few__lse_of_many_to_merge
    ) {
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_in,
      offsets = [0, 0, 0, 0], sizes = [2, 1, 1024, 64], strides = [1, 1, 1, 1]
      : !few__part_acc_to_merge -> tensor<2x1x1024x64xf32>
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_in,
      offsets = [0, 0, 0], sizes = [2, 1, 1024], strides = [1, 1, 1]
      : !few__part_max_to_merge -> tensor<2x1x1024xf32>
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_in,
      offsets = [0, 0, 0], sizes = [2, 1, 1024], strides = [1, 1, 1]
      : !few__part_sum_to_merge -> tensor<2x1x1024xf32>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !few__cu_seqlens_q_to_merge -> tensor<5xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__context_lens_to_merge -> tensor<4xi32>
    %offsets = iree_tensor_ext.dispatch.tensor.load %offsets_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__offsets_to_merge -> tensor<4xi32>
    %output_of_many = iree_tensor_ext.dispatch.tensor.load %output_of_many_in,
      offsets = [0, 0, 0], sizes = [50, 64, 64], strides = [1, 1, 1]
      : !few__output_of_many_to_merge -> tensor<50x64x64xf16>
    %lse_of_many = iree_tensor_ext.dispatch.tensor.load %lse_of_many_in,
      offsets = [0, 0], sizes = [64, 50], strides = [1, 1]
      : !few__lse_of_many_to_merge -> tensor<64x50xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 32 : index
    %tile_rows = arith.constant 32 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 4 : index
    %heads = arith.constant 2 : index
    %packed = arith.constant 4 : index
    %q_tokens = arith.constant 50 : index
    %keys_of_axis = arith.constant 640 : index
    %few = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %workgroups:2 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %few)
        shared_outs(%output_all = %output_of_many, %lse_all = %lse_of_many) -> (tensor<50x64x64xf16>, tensor<64x50xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 32)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %first_query = arith.constant 0 : index
    %q_start_i32 = tensor.extract %cu_seqlens_q[%b] : !few__cu_seqlens_q
    %q_start = arith.index_cast %q_start_i32 : i32 to index
    %next_sequence = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %q_end_i32 = tensor.extract %cu_seqlens_q[%next_sequence] : !few__cu_seqlens_q
    %q_end = arith.index_cast %q_end_i32 : i32 to index
    %q_count = arith.subi %q_end, %q_start : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %q_len = arith.select %is_few, %q_count, %none : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %rows_begin = affine.min
      affine_map<(q, b) -> (q * 32, b * (8 * 32))>
      (%q_start, %b)
    %context_len_i32 = tensor.extract %context_lens[%b] : !few__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position_i32 = tensor.extract %offsets[%b] : !few__offsets
    %first_position = arith.index_cast %first_position_i32 : i32 to index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %tile_end_query = arith.minsi %queries_end, %q_len : index
    %tile_end_is_real = arith.cmpi slt, %first_query, %tile_end_query : index
    %tile_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%tile_end_query, %first_position, %context_len)
    %tile_end = arith.select %tile_end_is_real, %tile_end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %first_step = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %first_part = affine.apply affine_map<(t) -> (t floordiv 1024)>(%first_step)
    %end_part = affine.apply affine_map<(t) -> (t ceildiv 1024)>(%tile_end)
    %is_query = arith.cmpi slt, %i, %q_len : index
    %queries_here = arith.select %is_query, %one, %none : index
    %rows = arith.select %is_query, %tile_rows, %none : index
    %first_token = arith.addi %q_start, %i : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !few__value_block
    %acc_empty = tensor.empty() : !few__acc_of_query
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !few__acc_of_query {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !few__acc_of_query {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !few__value_block, !few__acc_of_query
        scf.yield %after : !few__acc_of_query
      }
      scf.yield %filled : !few__acc_of_query
    }
    %max_empty = tensor.empty() : !few__row_of_query
    %sum_empty = tensor.empty() : !few__row_of_query
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!few__row_of_query, !few__row_of_query) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !few__row_of_query
      %sum_after = tensor.insert %zero into %sum_before[%r] : !few__row_of_query
      scf.yield %max_after, %sum_after : !few__row_of_query, !few__row_of_query
    }
    %acc_end, %max_end, %sum_end = scf.for %part = %first_part to %end_part step %one
        iter_args(%acc_of_parts = %acc_start, %max_of_parts = %max_start, %sum_of_parts = %sum_start)
          -> (!few__acc_of_query, !few__row_of_query, !few__row_of_query) {
      %acc_of_part, %max_of_part, %sum_of_part = scf.for %row = %none to %rows step %one
          iter_args(%acc = %acc_of_parts, %max = %max_of_parts, %sum = %sum_of_parts)
          -> (!few__acc_of_query, !few__row_of_query, !few__row_of_query) {
        %row_of_part = affine.apply
          affine_map<(i, r, f) -> (f + i * 32 + r)>(%i, %row, %rows_begin)
        %max_before = tensor.extract %max[%row] : !few__row_of_query
        %part_row_max = tensor.extract %part_max[%x, %part, %row_of_part] : !few__part_max
        %max_now = arith.maxnumf %max_before, %part_row_max : f32
        %below = arith.subf %max_before, %max_now : f32
          %factor_log2e = arith.constant 1.4426950408889634 : f32
          %factor_in_base_2 = arith.mulf %below, %factor_log2e : f32
          %factor_least = arith.constant -127.0 : f32
          %factor_is_low = arith.cmpf olt, %factor_in_base_2, %factor_least : f32
          %factor_power = arith.select %factor_is_low, %factor_least, %factor_in_base_2
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant 12583039.0 : f32
          %factor_rounded = arith.addf %factor_power, %factor_rounder : f32
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : f32
          %factor_left = arith.subf %factor_power, %factor_whole : f32
          %factor_p0 = arith.constant 0.0013264727200922393 : f32
          %factor_term1 = arith.constant 0.009671512659844018 : f32
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : f32
          %factor_term2 = arith.constant 0.05550733743430322 : f32
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : f32
          %factor_term3 = arith.constant 0.24022242085060824 : f32
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : f32
          %factor_term4 = arith.constant 0.6931469775989539 : f32
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : f32
          %factor_term5 = arith.constant 1.0 : f32
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : f32
          %factor_number = arith.bitcast %factor_rounded : f32 to i32
          %factor_place = arith.constant 23 : i32
          %factor_shifted = arith.shli %factor_number, %factor_place : i32
          %factor_scale = arith.bitcast %factor_shifted : i32 to f32
          %factor = arith.mulf %factor_p5, %factor_scale
            : f32
        %part_below = arith.subf %part_row_max, %max_now : f32
          %part_factor_log2e = arith.constant 1.4426950408889634 : f32
          %part_factor_in_base_2 = arith.mulf %part_below, %part_factor_log2e : f32
          %part_factor_least = arith.constant -127.0 : f32
          %part_factor_is_low = arith.cmpf olt, %part_factor_in_base_2, %part_factor_least : f32
          %part_factor_power = arith.select %part_factor_is_low, %part_factor_least, %part_factor_in_base_2
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %part_factor_rounder = arith.constant 12583039.0 : f32
          %part_factor_rounded = arith.addf %part_factor_power, %part_factor_rounder : f32
          %part_factor_whole = arith.subf %part_factor_rounded, %part_factor_rounder : f32
          %part_factor_left = arith.subf %part_factor_power, %part_factor_whole : f32
          %part_factor_p0 = arith.constant 0.0013264727200922393 : f32
          %part_factor_term1 = arith.constant 0.009671512659844018 : f32
          %part_factor_p1 = math.fma %part_factor_p0, %part_factor_left,
            %part_factor_term1 : f32
          %part_factor_term2 = arith.constant 0.05550733743430322 : f32
          %part_factor_p2 = math.fma %part_factor_p1, %part_factor_left,
            %part_factor_term2 : f32
          %part_factor_term3 = arith.constant 0.24022242085060824 : f32
          %part_factor_p3 = math.fma %part_factor_p2, %part_factor_left,
            %part_factor_term3 : f32
          %part_factor_term4 = arith.constant 0.6931469775989539 : f32
          %part_factor_p4 = math.fma %part_factor_p3, %part_factor_left,
            %part_factor_term4 : f32
          %part_factor_term5 = arith.constant 1.0 : f32
          %part_factor_p5 = math.fma %part_factor_p4, %part_factor_left,
            %part_factor_term5 : f32
          %part_factor_number = arith.bitcast %part_factor_rounded : f32 to i32
          %part_factor_place = arith.constant 23 : i32
          %part_factor_shifted = arith.shli %part_factor_number, %part_factor_place : i32
          %part_factor_scale = arith.bitcast %part_factor_shifted : i32 to f32
          %part_factor = arith.mulf %part_factor_p5, %part_factor_scale
            : f32
        %sum_before = tensor.extract %sum[%row] : !few__row_of_query
        %part_row_sum = tensor.extract %part_sum[%x, %part, %row_of_part] : !few__part_max
        %sum_shrunk = arith.mulf %sum_before, %factor : f32
        %sum_now = math.fma %part_row_sum, %part_factor, %sum_shrunk : f32
        %max_after = tensor.insert %max_now into %max[%row] : !few__row_of_query
        %sum_after = tensor.insert %sum_now into %sum[%row] : !few__row_of_query
        %factor_everywhere = vector.broadcast %factor : f32 to !few__acc_row
        %part_factor_everywhere = vector.broadcast %part_factor : f32 to !few__acc_row
        %acc_now = vector.transfer_read %acc[%row, %none], %zero {in_bounds = [true]} : !few__acc_of_query, !few__acc_row
        %part_row_acc = vector.transfer_read %part_acc[%x, %part, %row_of_part, %none], %zero
          {in_bounds = [true]} : !few__part_acc, !few__acc_row
        %acc_shrunk = arith.mulf %acc_now, %factor_everywhere : !few__acc_row
        %acc_sum = vector.fma %part_row_acc, %part_factor_everywhere, %acc_shrunk : !few__acc_row
        %acc_after = vector.transfer_write %acc_sum, %acc[%row, %none] {in_bounds = [true]}
          : !few__acc_row, !few__acc_of_query
        scf.yield %acc_after, %max_after, %sum_after : !few__acc_of_query, !few__row_of_query, !few__row_of_query
      }
      scf.yield %acc_of_part, %max_of_part, %sum_of_part : !few__acc_of_query, !few__row_of_query, !few__row_of_query
    }
    %output_slice = tensor.extract_slice %output_all[%first_token, %first_head, %none] [%queries_here, 32, 64] [1, 1, 1] : !few__output to !few__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !few__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !few__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !few__row_of_query
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !few__acc_of_query, !few__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !few__output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !few__output_f32
        %nothing = arith.constant dense<0.0> : !few__output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !few__output_f32
    %mean_stored = arith.truncf %mean : !few__output_f32 to !few__output_row
        %after = vector.transfer_write %mean_stored,
          %before[%m, %g, %none] {in_bounds = [true]}
          : !few__output_row, !few__output_slice
        scf.yield %after : !few__output_slice
      }
      scf.yield %of_head : !few__output_slice
    }
    %lse_slice = tensor.extract_slice %lse_all[%first_head, %first_token] [32, %queries_here] [1, 1] : !few__lse to !few__lse_slice
    %lse_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %lse_slice)
      -> !few__lse_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads) -> !few__lse_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !few__row_of_query
        %row_max = tensor.extract %max_end[%row] : !few__row_of_query
        %log = math.log %row_sum : f32
        %unit = arith.constant 1.0 : f32
        %max_natural = arith.mulf %row_max, %unit : f32
        %lse = arith.addf %max_natural, %log : f32
        %after = tensor.insert %lse into %before[%g, %m] : !few__lse_slice
        scf.yield %after : !few__lse_slice
      }
      scf.yield %of_head : !few__lse_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%first_token, %first_head, %none] [%queries_here, 32, 64] [1, 1, 1]
        : !few__output_slice into !few__output
      tensor.parallel_insert_slice %lse_written into %lse_all[%first_head, %first_token] [32, %queries_here] [1, 1] : !few__lse_slice into !few__lse
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_of_many_in,
      offsets = [0, 0, 0], sizes = [50, 64, 64], strides = [1, 1, 1]
      : tensor<50x64x64xf16> -> !few__output_of_many_to_merge
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_of_many_in,
      offsets = [0, 0], sizes = [64, 50], strides = [1, 1]
      : tensor<64x50xf32> -> !few__lse_of_many_to_merge
    return
  }
  }
}
!query = tensor<50x64x64xf16>
!key_cache = tensor<99x2x16x64xf16>
!value_cache = tensor<99x2x16x64xf16>
!cu_seqlens_q = tensor<5xi32>
!block_table = tensor<4x40xi32>
!context_lens = tensor<4xi32>
!offsets = tensor<4xi32>
!bias = tensor<64x50x640xf16>
!output = tensor<50x64x64xf16>
!lse = tensor<64x50xf32>

func.func @packed_paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %cu_seqlens_q: !cu_seqlens_q, %block_table: !block_table, %context_lens: !context_lens, %offsets: !offsets, %bias: !bias) -> (!output, !lse) {
  %output_of_many, %lse_of_many = call @many(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %offsets, %bias)
    : (tensor<50x64x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<5xi32>, tensor<4x40xi32>, tensor<4xi32>, tensor<4xi32>, tensor<64x50x640xf16>)
    -> (tensor<50x64x64xf16>, tensor<64x50xf32>)
  %output, %lse = call @few(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %offsets, %bias, %output_of_many, %lse_of_many)
    : (tensor<50x64x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<5xi32>, tensor<4x40xi32>, tensor<4xi32>, tensor<4xi32>, tensor<64x50x640xf16>, tensor<50x64x64xf16>, tensor<64x50xf32>)
    -> (tensor<50x64x64xf16>, tensor<64x50xf32>)
  return %output, %lse
    : !output, !lse
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @packed_paged_attention$async(
    %query: !query,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %cu_seqlens_q: !cu_seqlens_q,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %offsets: !offsets,
    %bias: !bias
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @packed_paged_attention(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %offsets, %bias)
    : (!query, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens, !offsets, !bias) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
// The same into memory of the caller's, for all that the function makes.
util.func public @packed_paged_attention$async_into(
    %query: !query,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %cu_seqlens_q: !cu_seqlens_q,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %offsets: !offsets,
    %bias: !bias,
    %output_memory: !hal.buffer {iree.abi.output = 0 : index},
    %lse_memory: !hal.buffer {iree.abi.output = 1 : index}
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @packed_paged_attention(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %offsets, %bias)
    : (!query, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens, !offsets, !bias) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
