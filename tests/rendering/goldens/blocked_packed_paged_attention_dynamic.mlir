// Packed queries attend over a block cache: many of a sequence first, then those of sequences of a few.
// Attention as one kernel of many rows.
!many__query = tensor<?x8x64xf16>
!many__key_cache = tensor<?x2x16x64xf16>
!many__value_cache = tensor<?x2x16x64xf16>
!many__cu_seqlens_q = tensor<?xi32>
!many__block_table = tensor<?x?xi32>
!many__context_lens = tensor<?xi32>
!many__sinks = tensor<8xf32>
!many__output = tensor<?x8x64xf16>
!many__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8x64xf16>>
!many__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x16x64xf16>>
!many__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x16x64xf16>>
!many__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!many__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xi32>>
!many__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!many__sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!many__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x8x64xf16>>
!many__output_slice = tensor<?x4x64xf16>
!many__lse_slice = tensor<4x?xf32>
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
func.func private @many(%query: !many__query, %key_cache: !many__key_cache, %value_cache: !many__value_cache, %cu_seqlens_q: !many__cu_seqlens_q, %block_table: !many__block_table, %context_lens: !many__context_lens, %sinks: !many__sinks) -> !many__output {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_dim = tensor.dim %query, %q_tokens_axis : !many__query
  %num_blocks_axis = arith.constant 0 : index
  %num_blocks_dim = tensor.dim %key_cache, %num_blocks_axis : !many__key_cache
  %bounds_axis = arith.constant 0 : index
  %bounds_dim = tensor.dim %cu_seqlens_q, %bounds_axis : !many__cu_seqlens_q
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %block_table, %batch_axis : !many__block_table
  %max_blocks_axis = arith.constant 1 : index
  %max_blocks_dim = tensor.dim %block_table, %max_blocks_axis : !many__block_table
  %output =
    flow.dispatch @many_output_kernel::@many_output_kernel[%batch_dim, %bounds_dim, %max_blocks_dim, %num_blocks_dim, %q_tokens_dim](
      %query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %sinks, %batch_dim, %bounds_dim, %max_blocks_dim, %num_blocks_dim, %q_tokens_dim
    ) : (
      tensor<?x8x64xf16>{%q_tokens_dim},
      tensor<?x2x16x64xf16>{%num_blocks_dim},
      tensor<?x2x16x64xf16>{%num_blocks_dim},
      tensor<?xi32>{%bounds_dim},
      tensor<?x?xi32>{%batch_dim, %max_blocks_dim},
      tensor<?xi32>{%batch_dim},
      tensor<8xf32>,
      index,
      index,
      index,
      index,
      index
    ) -> (tensor<?x8x64xf16>{%q_tokens_dim})
  return %output
    : !many__output
}
flow.executable private @many_output_kernel {
  flow.executable.export public @many_output_kernel
      workgroups(%batch_dim_asked: index, %bounds_dim_asked: index, %max_blocks_dim_asked: index, %num_blocks_dim_asked: index, %q_tokens_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim_asked, %bounds_dim_asked, %max_blocks_dim_asked, %num_blocks_dim_asked, %q_tokens_dim_asked)
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
      %sinks_in: !many__sinks_in,
      %batch_dim_in: index,
      %bounds_dim_in: index,
      %max_blocks_dim_in: index,
      %num_blocks_dim_in: index,
      %q_tokens_dim_in: index,
      %output_out: !many__output_out
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal %bounds_dim_in, 1 : index
    %max_blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %max_blocks_dim_in, 2 : index
    %num_blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %num_blocks_dim_in, 3 : index
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 4 : index
    %query_tied = flow.dispatch.tie_shape %query_in
      : !many__query_in{%q_tokens_dim}
    %query = iree_tensor_ext.dispatch.tensor.load %query_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 8, 64], strides = [1, 1, 1]
      : !many__query_in{%q_tokens_dim} -> tensor<?x8x64xf16>
    %key_cache_tied = flow.dispatch.tie_shape %key_cache_in
      : !many__key_cache_in{%num_blocks_dim}
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_tied,
      offsets = [0, 0, 0, 0], sizes = [%num_blocks_dim, 2, 16, 64], strides = [1, 1, 1, 1]
      : !many__key_cache_in{%num_blocks_dim} -> tensor<?x2x16x64xf16>
    %value_cache_tied = flow.dispatch.tie_shape %value_cache_in
      : !many__value_cache_in{%num_blocks_dim}
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_tied,
      offsets = [0, 0, 0, 0], sizes = [%num_blocks_dim, 2, 16, 64], strides = [1, 1, 1, 1]
      : !many__value_cache_in{%num_blocks_dim} -> tensor<?x2x16x64xf16>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !many__cu_seqlens_q_in{%bounds_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%bounds_dim], strides = [1]
      : !many__cu_seqlens_q_in{%bounds_dim} -> tensor<?xi32>
    %block_table_tied = flow.dispatch.tie_shape %block_table_in
      : !many__block_table_in{%batch_dim, %max_blocks_dim}
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_tied,
      offsets = [0, 0], sizes = [%batch_dim, %max_blocks_dim], strides = [1, 1]
      : !many__block_table_in{%batch_dim, %max_blocks_dim} -> tensor<?x?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !many__context_lens_in{%batch_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%batch_dim], strides = [1]
      : !many__context_lens_in{%batch_dim} -> tensor<?xi32>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !many__sinks_in -> tensor<8xf32>
    %output_tied = flow.dispatch.tie_shape %output_out
      : !many__output_out{%q_tokens_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 4 : index
    %tile_rows = arith.constant 128 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %few = arith.constant 8 : index
    %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
    // Each sequence of many queries, and padding, may have a tile that is not
    // full.
    %tiles = affine.min affine_map<()[m, n]
      -> (m floordiv 32 + n + 1,
          m floordiv 32 + m floordiv (8 + 1) + 1)>
      ()[%q_tokens_dim, %packed]
    %output_empty = tensor.empty(%q_tokens_dim) : tensor<?x8x64xf16>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<?x8x64xf16>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
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
      %q_until = arith.select %is_padding, %q_tokens_dim, %q_to : index
      // Those of a few queries have no tile.
      %q_count = arith.subi %q_until, %q_from : index
      %is_many = arith.cmpi sgt, %q_count, %few : index
      %has_tiles = arith.ori %is_many, %is_padding : i1
      %q_tiled = arith.select %has_tiles, %q_until, %q_from : index
      %tiles_after = affine.apply
        affine_map<(n, a, e)
        -> (n + (e - a) ceildiv 32)>(%tiles_before, %q_from, %q_tiled)
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
    %first_query = affine.apply affine_map<(i, f) -> ((i - f) * 32)>(%i, %first_tile)
    %queries_left = affine.min affine_map<(m, n) -> (n - m, 32)>(%first_query, %q_len)
    %queries_here = arith.maxsi %queries_left, %none : index
    %first_token = arith.addi %q_start, %first_query : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 32)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%first_query, %first_position)
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
    %block_query = affine.apply affine_map<(r, m) -> (m + r mod 32)>(%r0, %first_query)
    %block_end = affine.apply affine_map<(m) -> (m + 8)>(%block_query)
    %keys_end_query = arith.minsi %block_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %block_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%block_query, %first_position)
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 64)>(%keys_end, %t0, %end)
        %from_block = affine.apply
          affine_map<(t) -> (t floordiv 32 * 32)>(%from)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!many__acc, !many__row, !many__row) {
    %queries_empty = tensor.empty() : !many__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !many__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 32, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 32)>(%row)
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
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 32, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 32)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !many__scores, !many__logits
          %scale = arith.constant dense<0.18033688011112042> : !many__logits
          %scaled = arith.mulf %score, %scale : !many__logits
          %next_query = arith.addi %m, %one : index
    %row_end_query = arith.minsi %next_query, %q_len : index
    %row_end_is_real = arith.cmpi slt, %m, %row_end_query : index
    %row_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%row_end_query, %first_position, %context_len)
    %row_end = arith.select %row_end_is_real, %row_end_limit, %none : index
    %row_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%m, %first_position)
          %row_to = arith.subi %row_end, %t0 : index
          %row_to_i32 = arith.index_cast %row_to : index to i32
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !many__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !many__key_numbers
          %row_from = arith.subi %row_begin, %t0 : index
          %row_from_i32 = arith.index_cast %row_from : index to i32
          %row_from_everywhere = vector.broadcast %row_from_i32 : i32 to !many__key_numbers
          %behind_is_seen = arith.cmpi sge, %key_numbers_i32, %row_from_everywhere : !many__key_numbers
          %is_seen = arith.andi %ahead_is_seen, %behind_is_seen : !many__logit_flags
          %logit = arith.select %is_seen, %scaled, %hidden
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
          %factor_least = arith.constant dense<-127.0> : !many__block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !many__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
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
          %weight_least = arith.constant dense<-127.0> : !many__logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !many__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
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
    %output_slice = tensor.extract_slice %output_all[%first_token, %first_head, %none] [%queries_here, 4, 64] [1, 1, 1] : !many__output to !many__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !many__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !many__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 32 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !many__row
        %row_max = tensor.extract %max_end[%row] : !many__row
        %head = arith.addi %first_head, %g : index
        %sink = tensor.extract %sinks[%head] : !many__sinks
        %sink_unit = arith.constant 1.4426950408889634 : f32
        %sink_logit = arith.mulf %sink, %sink_unit : f32
        %max_with_sink = arith.maxnumf %row_max, %sink_logit : f32
        %max_below = arith.subf %row_max, %max_with_sink : f32
          %sink_factor_least = arith.constant -127.0 : f32
          %sink_factor_is_low = arith.cmpf olt, %max_below, %sink_factor_least : f32
          %sink_factor_power = arith.select %sink_factor_is_low, %sink_factor_least, %max_below
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %sink_factor_rounder = arith.constant 12583039.0 : f32
          %sink_factor_rounded = arith.addf %sink_factor_power, %sink_factor_rounder : f32
          %sink_factor_whole = arith.subf %sink_factor_rounded, %sink_factor_rounder : f32
          %sink_factor_left = arith.subf %sink_factor_power, %sink_factor_whole : f32
          %sink_factor_p0 = arith.constant 0.0013264727200922393 : f32
          %sink_factor_term1 = arith.constant 0.009671512659844018 : f32
          %sink_factor_p1 = math.fma %sink_factor_p0, %sink_factor_left,
            %sink_factor_term1 : f32
          %sink_factor_term2 = arith.constant 0.05550733743430322 : f32
          %sink_factor_p2 = math.fma %sink_factor_p1, %sink_factor_left,
            %sink_factor_term2 : f32
          %sink_factor_term3 = arith.constant 0.24022242085060824 : f32
          %sink_factor_p3 = math.fma %sink_factor_p2, %sink_factor_left,
            %sink_factor_term3 : f32
          %sink_factor_term4 = arith.constant 0.6931469775989539 : f32
          %sink_factor_p4 = math.fma %sink_factor_p3, %sink_factor_left,
            %sink_factor_term4 : f32
          %sink_factor_term5 = arith.constant 1.0 : f32
          %sink_factor_p5 = math.fma %sink_factor_p4, %sink_factor_left,
            %sink_factor_term5 : f32
          %sink_factor_number = arith.bitcast %sink_factor_rounded : f32 to i32
          %sink_factor_place = arith.constant 23 : i32
          %sink_factor_shifted = arith.shli %sink_factor_number, %sink_factor_place : i32
          %sink_factor_scale = arith.bitcast %sink_factor_shifted : i32 to f32
          %sink_factor = arith.mulf %sink_factor_p5, %sink_factor_scale
            : f32
        %sink_below = arith.subf %sink_logit, %max_with_sink : f32
          %sink_exp_least = arith.constant -127.0 : f32
          %sink_exp_is_low = arith.cmpf olt, %sink_below, %sink_exp_least : f32
          %sink_exp_power = arith.select %sink_exp_is_low, %sink_exp_least, %sink_below
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %sink_exp_rounder = arith.constant 12583039.0 : f32
          %sink_exp_rounded = arith.addf %sink_exp_power, %sink_exp_rounder : f32
          %sink_exp_whole = arith.subf %sink_exp_rounded, %sink_exp_rounder : f32
          %sink_exp_left = arith.subf %sink_exp_power, %sink_exp_whole : f32
          %sink_exp_p0 = arith.constant 0.0013264727200922393 : f32
          %sink_exp_term1 = arith.constant 0.009671512659844018 : f32
          %sink_exp_p1 = math.fma %sink_exp_p0, %sink_exp_left,
            %sink_exp_term1 : f32
          %sink_exp_term2 = arith.constant 0.05550733743430322 : f32
          %sink_exp_p2 = math.fma %sink_exp_p1, %sink_exp_left,
            %sink_exp_term2 : f32
          %sink_exp_term3 = arith.constant 0.24022242085060824 : f32
          %sink_exp_p3 = math.fma %sink_exp_p2, %sink_exp_left,
            %sink_exp_term3 : f32
          %sink_exp_term4 = arith.constant 0.6931469775989539 : f32
          %sink_exp_p4 = math.fma %sink_exp_p3, %sink_exp_left,
            %sink_exp_term4 : f32
          %sink_exp_term5 = arith.constant 1.0 : f32
          %sink_exp_p5 = math.fma %sink_exp_p4, %sink_exp_left,
            %sink_exp_term5 : f32
          %sink_exp_number = arith.bitcast %sink_exp_rounded : f32 to i32
          %sink_exp_place = arith.constant 23 : i32
          %sink_exp_shifted = arith.shli %sink_exp_number, %sink_exp_place : i32
          %sink_exp_scale = arith.bitcast %sink_exp_shifted : i32 to f32
          %sink_exp = arith.mulf %sink_exp_p5, %sink_exp_scale
            : f32
        %sum_shrunk = arith.mulf %row_sum, %sink_factor : f32
        %sum_with_sink = arith.addf %sum_shrunk, %sink_exp : f32
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !many__acc, !many__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %inverse = arith.divf %sink_factor, %sum_with_sink : f32
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
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%first_token, %first_head, %none] [%queries_here, 4, 64] [1, 1, 1]
        : !many__output_slice into !many__output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 8, 64], strides = [1, 1, 1]
      : tensor<?x8x64xf16> -> !many__output_out{%q_tokens_dim}
    return
  }
  }
}
// Attention as one kernel of few rows, and a merge of parts of the keys.
!few__query = tensor<?x8x64xf16>
!few__key_cache = tensor<?x2x16x64xf16>
!few__value_cache = tensor<?x2x16x64xf16>
!few__cu_seqlens_q = tensor<?xi32>
!few__block_table = tensor<?x?xi32>
!few__context_lens = tensor<?xi32>
!few__sinks = tensor<8xf32>
!few__output_of_many = tensor<?x8x64xf16>
!few__output = tensor<?x8x64xf16>
!few__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8x64xf16>>
!few__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x16x64xf16>>
!few__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x16x64xf16>>
!few__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xi32>>
!few__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__part_acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x?x?x64xf32>>
!few__part_max_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x?x?xf32>>
!few__part_sum_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x?x?xf32>>
!few__output_slice = tensor<?x8x64xf16>
!few__lse_slice = tensor<8x?xf32>
!few__part_acc = tensor<1x?x?x64xf32>
!few__part_max = tensor<1x?x?xf32>
!few__part_acc_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x?x?x64xf32>>
!few__part_max_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x?x?xf32>>
!few__part_sum_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x?x?xf32>>
!few__cu_seqlens_q_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__context_lens_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__sinks_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!few__output_of_many_to_merge = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x8x64xf16>>
!few__acc_of_query = tensor<8x64xf32>
!few__row_of_query = tensor<8xf32>
!few__queries = tensor<4x64xf32>
!few__scores = tensor<4x32xf32>
!few__weights = tensor<4x32xf32>
!few__factors = tensor<4xf32>
!few__row_lanes = tensor<4x16xf32>
!few__acc = tensor<?x64xf32>
!few__row = tensor<?xf32>
!few__given_query = vector<64xf16>
!few__query_row = vector<64xf32>
!few__given_value = vector<64xf16>
!few__value_row = vector<64xf32>
!few__value_block = vector<4x64xf32>
!few__acc_row = vector<64xf32>
!few__output_f32 = vector<64xf32>
!few__output_row = vector<64xf16>
!few__logits = vector<32xf32>
!few__logit_bits = vector<32xi32>
!few__logit_flags = vector<32xi1>
!few__key_indices = vector<32xindex>
!few__key_numbers = vector<32xi32>
!few__lanes_f32 = vector<16xf32>
!few__block_bits = vector<4xi32>
!few__block_flags = vector<4xi1>
!few__block_numbers = vector<4xf32>
!few__block_rows0 = vector<4x16xf32>
!few__block_register4 = vector<4xf32>
!few__block_register8 = vector<8xf32>
!few__block_register16 = vector<16xf32>
#few__of_row = affine_map<(m, k) -> (m, 0)>
#few__of_column = affine_map<(k, n) -> (0, n)>
#few__of_element = affine_map<(m) -> (m, 0)>
!few__given_key = vector<16xf16>
!few__key_lanes = vector<16xf32>
!few__row_sums = vector<4x16xf32>
!few__score_sums = vector<4x4x16xf32>
!few__scores_of_keys = vector<4x4xf32>
!few__scores_of_rows = vector<4x4xf32>
!few__keys_numbers = vector<16xf32>
!few__keys_rows0 = vector<16x16xf32>
!few__keys_register16 = vector<16xf32>
!few__key_memory = memref<?x2x16x64xf16>
!few__value_memory = memref<?x2x16x64xf16>
#few__arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func private @few(%query: !few__query, %key_cache: !few__key_cache, %value_cache: !few__value_cache, %cu_seqlens_q: !few__cu_seqlens_q, %block_table: !few__block_table, %context_lens: !few__context_lens, %sinks: !few__sinks, %output_of_many: !few__output_of_many) -> !few__output {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_dim = tensor.dim %query, %q_tokens_axis : !few__query
  %num_blocks_axis = arith.constant 0 : index
  %num_blocks_dim = tensor.dim %key_cache, %num_blocks_axis : !few__key_cache
  %bounds_axis = arith.constant 0 : index
  %bounds_dim = tensor.dim %cu_seqlens_q, %bounds_axis : !few__cu_seqlens_q
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %block_table, %batch_axis : !few__block_table
  %max_blocks_axis = arith.constant 1 : index
  %max_blocks_dim = tensor.dim %block_table, %max_blocks_axis : !few__block_table
  %parts = affine.apply
    affine_map<()[n]
    -> ((n * 16) ceildiv 512)>()[%max_blocks_dim]
  %part_rows = affine.min
    affine_map<()[m, n]
    -> (m * 8, n * (8 * 8))>
    ()[%q_tokens_dim, %batch_dim]
  %part_acc, %part_max, %part_sum =
    flow.dispatch @few_part_acc_kernel::@few_part_acc_kernel[%batch_dim, %bounds_dim, %max_blocks_dim, %num_blocks_dim, %q_tokens_dim, %parts, %part_rows](
      %query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %batch_dim, %bounds_dim, %max_blocks_dim, %num_blocks_dim, %q_tokens_dim, %parts, %part_rows
    ) : (
      tensor<?x8x64xf16>{%q_tokens_dim},
      tensor<?x2x16x64xf16>{%num_blocks_dim},
      tensor<?x2x16x64xf16>{%num_blocks_dim},
      tensor<?xi32>{%bounds_dim},
      tensor<?x?xi32>{%batch_dim, %max_blocks_dim},
      tensor<?xi32>{%batch_dim},
      index,
      index,
      index,
      index,
      index,
      index,
      index
    ) -> (tensor<1x?x?x64xf32>{%parts, %part_rows}, tensor<1x?x?xf32>{%parts, %part_rows}, tensor<1x?x?xf32>{%parts, %part_rows})
  %output =
    flow.dispatch @few_output_kernel::@few_output_kernel[%batch_dim, %bounds_dim, %max_blocks_dim, %num_blocks_dim, %q_tokens_dim, %parts, %part_rows](
      %part_acc, %part_max, %part_sum, %cu_seqlens_q, %context_lens, %sinks, %output_of_many, %batch_dim, %bounds_dim, %max_blocks_dim, %num_blocks_dim, %q_tokens_dim, %parts, %part_rows
    ) : (
      tensor<1x?x?x64xf32>{%parts, %part_rows},
      tensor<1x?x?xf32>{%parts, %part_rows},
      tensor<1x?x?xf32>{%parts, %part_rows},
      tensor<?xi32>{%bounds_dim},
      tensor<?xi32>{%batch_dim},
      tensor<8xf32>,
      tensor<?x8x64xf16>{%q_tokens_dim},
      index,
      index,
      index,
      index,
      index,
      index,
      index
    ) -> (%output_of_many{%q_tokens_dim})
  return %output
    : !few__output
}
flow.executable private @few_part_acc_kernel {
  flow.executable.export public @few_part_acc_kernel
      workgroups(%batch_dim_asked: index, %bounds_dim_asked: index, %max_blocks_dim_asked: index, %num_blocks_dim_asked: index, %q_tokens_dim_asked: index, %parts_asked: index, %part_rows_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim_asked, %bounds_dim_asked, %max_blocks_dim_asked, %num_blocks_dim_asked, %q_tokens_dim_asked, %parts_asked, %part_rows_asked)
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
      %batch_dim_in: index,
      %bounds_dim_in: index,
      %max_blocks_dim_in: index,
      %num_blocks_dim_in: index,
      %q_tokens_dim_in: index,
      %parts_in: index,
      %part_rows_in: index,
      %part_acc_out: !few__part_acc_out,
      %part_max_out: !few__part_max_out,
      %part_sum_out: !few__part_sum_out
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal %bounds_dim_in, 1 : index
    %max_blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %max_blocks_dim_in, 2 : index
    %num_blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %num_blocks_dim_in, 3 : index
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 4 : index
    %parts = iree_tensor_ext.dispatch.workload.ordinal %parts_in, 5 : index
    %part_rows = iree_tensor_ext.dispatch.workload.ordinal %part_rows_in, 6 : index
    %query_tied = flow.dispatch.tie_shape %query_in
      : !few__query_in{%q_tokens_dim}
    %query = iree_tensor_ext.dispatch.tensor.load %query_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 8, 64], strides = [1, 1, 1]
      : !few__query_in{%q_tokens_dim} -> tensor<?x8x64xf16>
    %key_cache_tied = flow.dispatch.tie_shape %key_cache_in
      : !few__key_cache_in{%num_blocks_dim}
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_tied,
      offsets = [0, 0, 0, 0], sizes = [%num_blocks_dim, 2, 16, 64], strides = [1, 1, 1, 1]
      : !few__key_cache_in{%num_blocks_dim} -> tensor<?x2x16x64xf16>
    %value_cache_tied = flow.dispatch.tie_shape %value_cache_in
      : !few__value_cache_in{%num_blocks_dim}
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_tied,
      offsets = [0, 0, 0, 0], sizes = [%num_blocks_dim, 2, 16, 64], strides = [1, 1, 1, 1]
      : !few__value_cache_in{%num_blocks_dim} -> tensor<?x2x16x64xf16>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !few__cu_seqlens_q_in{%bounds_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%bounds_dim], strides = [1]
      : !few__cu_seqlens_q_in{%bounds_dim} -> tensor<?xi32>
    %block_table_tied = flow.dispatch.tie_shape %block_table_in
      : !few__block_table_in{%batch_dim, %max_blocks_dim}
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_tied,
      offsets = [0, 0], sizes = [%batch_dim, %max_blocks_dim], strides = [1, 1]
      : !few__block_table_in{%batch_dim, %max_blocks_dim} -> tensor<?x?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !few__context_lens_in{%batch_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%batch_dim], strides = [1]
      : !few__context_lens_in{%batch_dim} -> tensor<?xi32>
    %part_acc_tied = flow.dispatch.tie_shape %part_acc_out
      : !few__part_acc_out{%parts, %part_rows}
    %part_max_tied = flow.dispatch.tie_shape %part_max_out
      : !few__part_max_out{%parts, %part_rows}
    %part_sum_tied = flow.dispatch.tie_shape %part_sum_out
      : !few__part_sum_out{%parts, %part_rows}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 32 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 8 : index
    %tile_rows = arith.constant 8 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 64 : index
    %value_columns = arith.constant 64 : index
    %heads = arith.constant 1 : index
    %few = arith.constant 8 : index
    %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
    %part_acc_empty = tensor.empty(%parts, %part_rows) : tensor<1x?x?x64xf32>
    %part_max_empty = tensor.empty(%parts, %part_rows) : tensor<1x?x?xf32>
    %part_sum_empty = tensor.empty(%parts, %part_rows) : tensor<1x?x?xf32>
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%batch_dim, %heads, %parts)
        shared_outs(%part_acc_all = %part_acc_empty, %part_max_all = %part_max_empty, %part_sum_all = %part_sum_empty) -> (tensor<1x?x?x64xf32>, tensor<1x?x?xf32>, tensor<1x?x?xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 8)>(%x)
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
      affine_map<(q, b) -> (q * 8, b * (8 * 8))>
      (%q_start, %b)
    %context_len_i32 = tensor.extract %context_lens[%b] : !few__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %tile_end_query = arith.minsi %queries_end, %q_len : index
    %tile_end_is_real = arith.cmpi slt, %first_query, %tile_end_query : index
    %tile_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%tile_end_query, %first_position, %context_len)
    %tile_end = arith.select %tile_end_is_real, %tile_end_limit, %none : index
    %tile_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%first_query, %first_position)
    %first_step = affine.apply
      affine_map<(t) -> (t floordiv 32 * 32)>(%tile_begin)
    %first_part = affine.apply affine_map<(t) -> (t floordiv 512)>(%first_step)
    %end_part = affine.apply affine_map<(t) -> (t ceildiv 512)>(%tile_end)
    %begin = affine.max affine_map<(t, i) -> (t, i * 512)>(%first_step, %i)
    %end = affine.min
      affine_map<(t, i) -> (t, i * 512 + 512)>(%tile_end, %i)
    %is_behind_first = arith.cmpi sge, %i, %first_part : index
    %is_before_end = arith.cmpi slt, %i, %end_part : index
    %exists = arith.andi %is_behind_first, %is_before_end : i1
    %rows_of_queries = affine.apply affine_map<(m) -> (m * 8)>(%q_len)
    %rows = arith.select %exists, %rows_of_queries, %none : index
    %key_memory = hal.interface.binding.subspan layout(#few__arguments) binding(1)
      alignment(64) offset(%none) : !few__key_memory{%num_blocks_dim}
    %value_memory = hal.interface.binding.subspan layout(#few__arguments) binding(2)
      alignment(64) offset(%none) : !few__value_memory{%num_blocks_dim}
    %line0 = arith.constant 0 : index
    %line32 = arith.constant 32 : index
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
    %no_scores = arith.constant dense<0.0> : !few__score_sums
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!few__acc, !few__row, !few__row) {
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!few__acc, !few__row, !few__row) {
    %block_query = affine.apply affine_map<(r) -> (r floordiv 8)>(%r0)
    %block_end = affine.apply affine_map<(m) -> (m + 1)>(%block_query)
    %keys_end_query = arith.minsi %block_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %block_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%block_query, %first_position)
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 32)>(%keys_end, %t0, %end)
        %sees = arith.cmpi slt, %from, %to : index
        %kv_head = affine.apply
          affine_map<(h, r) -> ((h + r mod 8) floordiv 4)>
          (%first_head, %r0)
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!few__acc, !few__row, !few__row) {
    %queries_empty = tensor.empty() : !few__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !few__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r mod 8, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r floordiv 8)>(%row)
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
          %step_run0_key = affine.min affine_map<(t, e) -> (t + 0, e - 1)>(%t0, %end)
          %step_run0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%step_run0_key)
          %step_run0_block_i32 = tensor.extract %block_table[%b, %step_run0_page]
            : !few__block_table
          %step_run0_block = arith.index_cast %step_run0_block_i32 : i32 to index
          %step_run16_key = affine.min affine_map<(t, e) -> (t + 16, e - 1)>(%t0, %end)
          %step_run16_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%step_run16_key)
          %step_run16_block_i32 = tensor.extract %block_table[%b, %step_run16_page]
            : !few__block_table
          %step_run16_block = arith.index_cast %step_run16_block_i32 : i32 to index
          %next_head = affine.apply
            affine_map<(h) -> ((h + 1) mod 2 + h floordiv 2 * 2)>(%kv_head)
          %next_t0 = affine.apply
            affine_map<(t, h)
            -> (t + (h mod 2 + 1) floordiv 2 * 32)>(%t0, %kv_head)
          %next_run0_key = affine.min affine_map<(t, e) -> (t + 0, e - 1)>(%next_t0, %end)
          %next_run0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run0_key)
          %next_run0_block_i32 = tensor.extract %block_table[%b, %next_run0_page]
            : !few__block_table
          %next_run0_block = arith.index_cast %next_run0_block_i32 : i32 to index
          %next_run16_key = affine.min affine_map<(t, e) -> (t + 16, e - 1)>(%next_t0, %end)
          %next_run16_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run16_key)
          %next_run16_block_i32 = tensor.extract %block_table[%b, %next_run16_page]
            : !few__block_table
          %next_run16_block = arith.index_cast %next_run16_block_i32 : i32 to index
          %first_scored = affine.apply
            affine_map<(t) -> (t floordiv 4 * 4)>(%from)
          %scores_empty = tensor.empty() : !few__scores
          %scores = scf.for %j = %first_scored to %to
            step %scored_keys iter_args(%before = %scores_empty) -> (!few__scores) {
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
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %next1 = affine.apply
              affine_map<(t, j) -> (t + j + 1)>(%next_t0, %j)
        %next1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next1)
        %next1_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %next2 = affine.apply
              affine_map<(t, j) -> (t + j + 2)>(%next_t0, %j)
        %next2_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next2)
        %next2_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %next3 = affine.apply
              affine_map<(t, j) -> (t + j + 3)>(%next_t0, %j)
        %next3_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next3)
        %next3_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %lane_sums = scf.for %k = %none to %head_steps step %lanes iter_args(%so_far = %no_scores)
              -> !few__score_sums {
              %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
              %key_lanes0_stored = vector.transfer_read
                %key_cache[%key0_block, %kv_head, %key0_slot, %column], %padding
                {in_bounds = [true]} : !few__key_cache, !few__given_key
    %key_lanes0 = arith.extf %key_lanes0_stored : !few__given_key to !few__key_lanes
              %key_lanes1_stored = vector.transfer_read
                %key_cache[%key1_block, %kv_head, %key1_slot, %column], %padding
                {in_bounds = [true]} : !few__key_cache, !few__given_key
    %key_lanes1 = arith.extf %key_lanes1_stored : !few__given_key to !few__key_lanes
              %key_lanes2_stored = vector.transfer_read
                %key_cache[%key2_block, %kv_head, %key2_slot, %column], %padding
                {in_bounds = [true]} : !few__key_cache, !few__given_key
    %key_lanes2 = arith.extf %key_lanes2_stored : !few__given_key to !few__key_lanes
              %key_lanes3_stored = vector.transfer_read
                %key_cache[%key3_block, %kv_head, %key3_slot, %column], %padding
                {in_bounds = [true]} : !few__key_cache, !few__given_key
    %key_lanes3 = arith.extf %key_lanes3_stored : !few__given_key to !few__key_lanes
              %left = vector.transfer_read %queries[%none, %k], %zero {in_bounds = [true, true]}
                : !few__queries, !few__row_sums
              %right0 = vector.broadcast %key_lanes0 : !few__key_lanes to !few__row_sums
              %old0 = vector.extract %so_far[0] : !few__row_sums from !few__score_sums
              %new0 = vector.fma %left, %right0, %old0 : !few__row_sums
              %more_1 = vector.insert %new0, %so_far [0] : !few__row_sums into !few__score_sums
              %right1 = vector.broadcast %key_lanes1 : !few__key_lanes to !few__row_sums
              %old1 = vector.extract %so_far[1] : !few__row_sums from !few__score_sums
              %new1 = vector.fma %left, %right1, %old1 : !few__row_sums
              %more_2 = vector.insert %new1, %more_1 [1] : !few__row_sums into !few__score_sums
              %right2 = vector.broadcast %key_lanes2 : !few__key_lanes to !few__row_sums
              %old2 = vector.extract %so_far[2] : !few__row_sums from !few__score_sums
              %new2 = vector.fma %left, %right2, %old2 : !few__row_sums
              %more_3 = vector.insert %new2, %more_2 [2] : !few__row_sums into !few__score_sums
              %right3 = vector.broadcast %key_lanes3 : !few__key_lanes to !few__row_sums
              %old3 = vector.extract %so_far[3] : !few__row_sums from !few__score_sums
              %new3 = vector.fma %left, %right3, %old3 : !few__row_sums
              %more = vector.insert %new3, %more_3 [3] : !few__row_sums into !few__score_sums
              scf.yield %more : !few__score_sums
            }
            %sums_of_keys = vector.shape_cast %lane_sums : !few__score_sums to !few__keys_rows0
        %sums_0 = vector.extract %sums_of_keys[0] : !few__keys_register16 from !few__keys_rows0
        %sums_1 = vector.extract %sums_of_keys[1] : !few__keys_register16 from !few__keys_rows0
        %sums_2 = vector.extract %sums_of_keys[2] : !few__keys_register16 from !few__keys_rows0
        %sums_3 = vector.extract %sums_of_keys[3] : !few__keys_register16 from !few__keys_rows0
        %sums_4 = vector.extract %sums_of_keys[4] : !few__keys_register16 from !few__keys_rows0
        %sums_5 = vector.extract %sums_of_keys[5] : !few__keys_register16 from !few__keys_rows0
        %sums_6 = vector.extract %sums_of_keys[6] : !few__keys_register16 from !few__keys_rows0
        %sums_7 = vector.extract %sums_of_keys[7] : !few__keys_register16 from !few__keys_rows0
        %sums_8 = vector.extract %sums_of_keys[8] : !few__keys_register16 from !few__keys_rows0
        %sums_9 = vector.extract %sums_of_keys[9] : !few__keys_register16 from !few__keys_rows0
        %sums_10 = vector.extract %sums_of_keys[10] : !few__keys_register16 from !few__keys_rows0
        %sums_11 = vector.extract %sums_of_keys[11] : !few__keys_register16 from !few__keys_rows0
        %sums_12 = vector.extract %sums_of_keys[12] : !few__keys_register16 from !few__keys_rows0
        %sums_13 = vector.extract %sums_of_keys[13] : !few__keys_register16 from !few__keys_rows0
        %sums_14 = vector.extract %sums_of_keys[14] : !few__keys_register16 from !few__keys_rows0
        %sums_15 = vector.extract %sums_of_keys[15] : !few__keys_register16 from !few__keys_rows0
        %sums_evens16 = vector.shuffle
          %sums_0, %sums_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds16 = vector.shuffle
          %sums_0, %sums_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_16 = arith.addf
          %sums_evens16, %sums_odds16 fastmath<reassoc> : !few__keys_register16
        %sums_evens17 = vector.shuffle
          %sums_2, %sums_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds17 = vector.shuffle
          %sums_2, %sums_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_17 = arith.addf
          %sums_evens17, %sums_odds17 fastmath<reassoc> : !few__keys_register16
        %sums_evens18 = vector.shuffle
          %sums_4, %sums_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds18 = vector.shuffle
          %sums_4, %sums_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_18 = arith.addf
          %sums_evens18, %sums_odds18 fastmath<reassoc> : !few__keys_register16
        %sums_evens19 = vector.shuffle
          %sums_6, %sums_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds19 = vector.shuffle
          %sums_6, %sums_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_19 = arith.addf
          %sums_evens19, %sums_odds19 fastmath<reassoc> : !few__keys_register16
        %sums_evens20 = vector.shuffle
          %sums_8, %sums_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds20 = vector.shuffle
          %sums_8, %sums_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_20 = arith.addf
          %sums_evens20, %sums_odds20 fastmath<reassoc> : !few__keys_register16
        %sums_evens21 = vector.shuffle
          %sums_10, %sums_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds21 = vector.shuffle
          %sums_10, %sums_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_21 = arith.addf
          %sums_evens21, %sums_odds21 fastmath<reassoc> : !few__keys_register16
        %sums_evens22 = vector.shuffle
          %sums_12, %sums_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds22 = vector.shuffle
          %sums_12, %sums_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_22 = arith.addf
          %sums_evens22, %sums_odds22 fastmath<reassoc> : !few__keys_register16
        %sums_evens23 = vector.shuffle
          %sums_14, %sums_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds23 = vector.shuffle
          %sums_14, %sums_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_23 = arith.addf
          %sums_evens23, %sums_odds23 fastmath<reassoc> : !few__keys_register16
        %sums_evens24 = vector.shuffle
          %sums_16, %sums_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds24 = vector.shuffle
          %sums_16, %sums_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_24 = arith.addf
          %sums_evens24, %sums_odds24 fastmath<reassoc> : !few__keys_register16
        %sums_evens25 = vector.shuffle
          %sums_18, %sums_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds25 = vector.shuffle
          %sums_18, %sums_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_25 = arith.addf
          %sums_evens25, %sums_odds25 fastmath<reassoc> : !few__keys_register16
        %sums_evens26 = vector.shuffle
          %sums_20, %sums_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds26 = vector.shuffle
          %sums_20, %sums_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_26 = arith.addf
          %sums_evens26, %sums_odds26 fastmath<reassoc> : !few__keys_register16
        %sums_evens27 = vector.shuffle
          %sums_22, %sums_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds27 = vector.shuffle
          %sums_22, %sums_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_27 = arith.addf
          %sums_evens27, %sums_odds27 fastmath<reassoc> : !few__keys_register16
        %sums_evens28 = vector.shuffle
          %sums_24, %sums_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__keys_register16, !few__keys_register16
        %sums_odds28 = vector.shuffle
          %sums_24, %sums_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__keys_register16, !few__keys_register16
        %sums_28 = arith.addf
          %sums_evens28, %sums_odds28 fastmath<reassoc> : !few__keys_register16
        %sums_evens29 = vector.shuffle
          %sums_26, %sums_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__keys_register16, !few__keys_register16
        %sums_odds29 = vector.shuffle
          %sums_26, %sums_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__keys_register16, !few__keys_register16
        %sums_29 = arith.addf
          %sums_evens29, %sums_odds29 fastmath<reassoc> : !few__keys_register16
        %sums_evens30 = vector.shuffle
          %sums_28, %sums_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__keys_register16, !few__keys_register16
        %sums_odds30 = vector.shuffle
          %sums_28, %sums_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__keys_register16, !few__keys_register16
        %sums = arith.addf
          %sums_evens30, %sums_odds30 fastmath<reassoc> : !few__keys_register16
            %scores_of_keys = vector.shape_cast %sums : !few__keys_numbers to !few__scores_of_keys
            %scores_of_rows = vector.transpose %scores_of_keys, [1, 0] : !few__scores_of_keys to !few__scores_of_rows
            %after = vector.transfer_write %scores_of_rows, %before[%none, %j] {in_bounds = [true, true]}
              : !few__scores_of_rows, !few__scores
            scf.yield %after : !few__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !few__logits
        %lanes_empty = tensor.empty() : !few__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!few__scores, !few__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r mod 8, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r floordiv 8)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !few__scores, !few__logits
          %scale = arith.constant dense<0.18033688011112042> : !few__logits
          %scaled = arith.mulf %score, %scale : !few__logits
          %next_query = arith.addi %m, %one : index
    %row_end_query = arith.minsi %next_query, %q_len : index
    %row_end_is_real = arith.cmpi slt, %m, %row_end_query : index
    %row_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%row_end_query, %first_position, %context_len)
    %row_end = arith.select %row_end_is_real, %row_end_limit, %none : index
    %row_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%m, %first_position)
          %row_to = arith.subi %row_end, %t0 : index
          %row_to_i32 = arith.index_cast %row_to : index to i32
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !few__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !few__key_numbers
          %row_from = arith.subi %row_begin, %t0 : index
          %row_from_i32 = arith.index_cast %row_from : index to i32
          %row_from_everywhere = vector.broadcast %row_from_i32 : i32 to !few__key_numbers
          %behind_is_seen = arith.cmpi sge, %key_numbers_i32, %row_from_everywhere : !few__key_numbers
          %is_seen = arith.andi %ahead_is_seen, %behind_is_seen : !few__logit_flags
          %logit = arith.select %is_seen, %scaled, %hidden
            : !few__logit_flags, !few__logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
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
        %max_of_step_evens4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_4 = arith.maxnumf
          %max_of_step_evens4, %max_of_step_odds4 fastmath<nnan> : !few__block_register16
        %max_of_step_evens5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_5 = arith.maxnumf
          %max_of_step_evens5, %max_of_step_odds5 fastmath<nnan> : !few__block_register16
        %max_of_step_evens6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_6 = arith.maxnumf
          %max_of_step_evens6, %max_of_step_odds6 fastmath<nnan> : !few__block_register16
        %max_of_step_evens7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !few__block_register16, !few__block_register16
        %max_of_step_odds7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !few__block_register16, !few__block_register16
        %max_of_step_7 = arith.maxnumf
          %max_of_step_evens7, %max_of_step_odds7 fastmath<nnan> : !few__block_register8
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [0, 1, 2, 3] : !few__block_register8, !few__block_register8
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [4, 5, 6, 7] : !few__block_register8, !few__block_register8
        %max_of_step = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !few__block_register4
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !few__row, !few__block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !few__block_numbers
        %max_below = arith.subf %max_before, %max_now : !few__block_numbers
          %factor_least = arith.constant dense<-127.0> : !few__block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !few__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
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
          %weight_least = arith.constant dense<-127.0> : !few__logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !few__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
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
          %weight_sum = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
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
        %sum_of_step_evens4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_4 = arith.addf
          %sum_of_step_evens4, %sum_of_step_odds4 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_5 = arith.addf
          %sum_of_step_evens5, %sum_of_step_odds5 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_6 = arith.addf
          %sum_of_step_evens6, %sum_of_step_odds6 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !few__block_register16, !few__block_register16
        %sum_of_step_odds7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !few__block_register16, !few__block_register16
        %sum_of_step_7 = arith.addf
          %sum_of_step_evens7, %sum_of_step_odds7 fastmath<reassoc> : !few__block_register8
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [0, 1, 2, 3] : !few__block_register8, !few__block_register8
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [4, 5, 6, 7] : !few__block_register8, !few__block_register8
        %sum_of_step = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !few__block_register4
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
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk)
                -> !few__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #few__of_row, in_bounds = [true, true]} : !few__weights, !few__value_block
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
                  read, locality<2>, data : !few__value_memory
                %next0_column32 = arith.addi %next_column, %line32 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column32],
                  read, locality<2>, data : !few__value_memory
        %t = arith.addi %t0, %j : index
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block = arith.addi %step_block, %none : index
        %value_row_stored = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %n], %padding
          {in_bounds = [true]} : !few__value_cache, !few__given_value
    %value_row = arith.extf %value_row_stored : !few__given_value to !few__value_row
                %right = vector.broadcast %value_row : !few__value_row to !few__value_block
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
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_tied,
      offsets = [0, 0, 0, 0], sizes = [1, %parts, %part_rows, 64], strides = [1, 1, 1, 1]
      : tensor<1x?x?x64xf32> -> !few__part_acc_out{%parts, %part_rows}
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_tied,
      offsets = [0, 0, 0], sizes = [1, %parts, %part_rows], strides = [1, 1, 1]
      : tensor<1x?x?xf32> -> !few__part_max_out{%parts, %part_rows}
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_tied,
      offsets = [0, 0, 0], sizes = [1, %parts, %part_rows], strides = [1, 1, 1]
      : tensor<1x?x?xf32> -> !few__part_sum_out{%parts, %part_rows}
    return
  }
  }
}
flow.executable private @few_output_kernel {
  flow.executable.export public @few_output_kernel
      workgroups(%batch_dim_asked: index, %bounds_dim_asked: index, %max_blocks_dim_asked: index, %num_blocks_dim_asked: index, %q_tokens_dim_asked: index, %parts_asked: index, %part_rows_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim_asked, %bounds_dim_asked, %max_blocks_dim_asked, %num_blocks_dim_asked, %q_tokens_dim_asked, %parts_asked, %part_rows_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @few_output_kernel(
      %part_acc_in: !few__part_acc_to_merge,
      %part_max_in: !few__part_max_to_merge,
      %part_sum_in: !few__part_sum_to_merge,
      %cu_seqlens_q_in: !few__cu_seqlens_q_to_merge,
      %context_lens_in: !few__context_lens_to_merge,
      %sinks_in: !few__sinks_to_merge,
      %output_of_many_in: !few__output_of_many_to_merge,
      %batch_dim_in: index,
      %bounds_dim_in: index,
      %max_blocks_dim_in: index,
      %num_blocks_dim_in: index,
      %q_tokens_dim_in: index,
      %parts_in: index,
      %part_rows_in: index
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal %bounds_dim_in, 1 : index
    %max_blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %max_blocks_dim_in, 2 : index
    %num_blocks_dim = iree_tensor_ext.dispatch.workload.ordinal %num_blocks_dim_in, 3 : index
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 4 : index
    %parts = iree_tensor_ext.dispatch.workload.ordinal %parts_in, 5 : index
    %part_rows = iree_tensor_ext.dispatch.workload.ordinal %part_rows_in, 6 : index
    %part_acc_tied = flow.dispatch.tie_shape %part_acc_in
      : !few__part_acc_to_merge{%parts, %part_rows}
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_tied,
      offsets = [0, 0, 0, 0], sizes = [1, %parts, %part_rows, 64], strides = [1, 1, 1, 1]
      : !few__part_acc_to_merge{%parts, %part_rows} -> tensor<1x?x?x64xf32>
    %part_max_tied = flow.dispatch.tie_shape %part_max_in
      : !few__part_max_to_merge{%parts, %part_rows}
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_tied,
      offsets = [0, 0, 0], sizes = [1, %parts, %part_rows], strides = [1, 1, 1]
      : !few__part_max_to_merge{%parts, %part_rows} -> tensor<1x?x?xf32>
    %part_sum_tied = flow.dispatch.tie_shape %part_sum_in
      : !few__part_sum_to_merge{%parts, %part_rows}
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_tied,
      offsets = [0, 0, 0], sizes = [1, %parts, %part_rows], strides = [1, 1, 1]
      : !few__part_sum_to_merge{%parts, %part_rows} -> tensor<1x?x?xf32>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !few__cu_seqlens_q_to_merge{%bounds_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%bounds_dim], strides = [1]
      : !few__cu_seqlens_q_to_merge{%bounds_dim} -> tensor<?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !few__context_lens_to_merge{%batch_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%batch_dim], strides = [1]
      : !few__context_lens_to_merge{%batch_dim} -> tensor<?xi32>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !few__sinks_to_merge -> tensor<8xf32>
    %output_of_many_tied = flow.dispatch.tie_shape %output_of_many_in
      : !few__output_of_many_to_merge{%q_tokens_dim}
    %output_of_many = iree_tensor_ext.dispatch.tensor.load %output_of_many_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 8, 64], strides = [1, 1, 1]
      : !few__output_of_many_to_merge{%q_tokens_dim} -> tensor<?x8x64xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 32 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 8 : index
    %tile_rows = arith.constant 8 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 64 : index
    %value_columns = arith.constant 64 : index
    %heads = arith.constant 1 : index
    %few = arith.constant 8 : index
    %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
    %workgroups =
      scf.forall (%b, %x, %i) in (%batch_dim, %heads, %few)
        shared_outs(%output_all = %output_of_many) -> (tensor<?x8x64xf16>) {
    %first_head = affine.apply affine_map<(x) -> (x * 8)>(%x)
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
      affine_map<(q, b) -> (q * 8, b * (8 * 8))>
      (%q_start, %b)
    %context_len_i32 = tensor.extract %context_lens[%b] : !few__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %tile_end_query = arith.minsi %queries_end, %q_len : index
    %tile_end_is_real = arith.cmpi slt, %first_query, %tile_end_query : index
    %tile_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%tile_end_query, %first_position, %context_len)
    %tile_end = arith.select %tile_end_is_real, %tile_end_limit, %none : index
    %tile_begin = affine.max
      affine_map<(q, p) -> (p + q - 9, 0)>(%first_query, %first_position)
    %first_step = affine.apply
      affine_map<(t) -> (t floordiv 32 * 32)>(%tile_begin)
    %first_part = affine.apply affine_map<(t) -> (t floordiv 512)>(%first_step)
    %end_part = affine.apply affine_map<(t) -> (t ceildiv 512)>(%tile_end)
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
          affine_map<(i, r, f) -> (f + i * 8 + r)>(%i, %row, %rows_begin)
        %max_before = tensor.extract %max[%row] : !few__row_of_query
        %part_row_max = tensor.extract %part_max[%x, %part, %row_of_part] : !few__part_max
        %max_now = arith.maxnumf %max_before, %part_row_max : f32
        %below = arith.subf %max_before, %max_now : f32
          %factor_least = arith.constant -127.0 : f32
          %factor_is_low = arith.cmpf olt, %below, %factor_least : f32
          %factor_power = arith.select %factor_is_low, %factor_least, %below
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
          %part_factor_least = arith.constant -127.0 : f32
          %part_factor_is_low = arith.cmpf olt, %part_below, %part_factor_least : f32
          %part_factor_power = arith.select %part_factor_is_low, %part_factor_least, %part_below
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
    %output_slice = tensor.extract_slice %output_all[%first_token, %first_head, %none] [%queries_here, 8, 64] [1, 1, 1] : !few__output to !few__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !few__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !few__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !few__row_of_query
        %row_max = tensor.extract %max_end[%row] : !few__row_of_query
        %head = arith.addi %first_head, %g : index
        %sink = tensor.extract %sinks[%head] : !few__sinks
        %sink_unit = arith.constant 1.4426950408889634 : f32
        %sink_logit = arith.mulf %sink, %sink_unit : f32
        %max_with_sink = arith.maxnumf %row_max, %sink_logit : f32
        %max_below = arith.subf %row_max, %max_with_sink : f32
          %sink_factor_least = arith.constant -127.0 : f32
          %sink_factor_is_low = arith.cmpf olt, %max_below, %sink_factor_least : f32
          %sink_factor_power = arith.select %sink_factor_is_low, %sink_factor_least, %max_below
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %sink_factor_rounder = arith.constant 12583039.0 : f32
          %sink_factor_rounded = arith.addf %sink_factor_power, %sink_factor_rounder : f32
          %sink_factor_whole = arith.subf %sink_factor_rounded, %sink_factor_rounder : f32
          %sink_factor_left = arith.subf %sink_factor_power, %sink_factor_whole : f32
          %sink_factor_p0 = arith.constant 0.0013264727200922393 : f32
          %sink_factor_term1 = arith.constant 0.009671512659844018 : f32
          %sink_factor_p1 = math.fma %sink_factor_p0, %sink_factor_left,
            %sink_factor_term1 : f32
          %sink_factor_term2 = arith.constant 0.05550733743430322 : f32
          %sink_factor_p2 = math.fma %sink_factor_p1, %sink_factor_left,
            %sink_factor_term2 : f32
          %sink_factor_term3 = arith.constant 0.24022242085060824 : f32
          %sink_factor_p3 = math.fma %sink_factor_p2, %sink_factor_left,
            %sink_factor_term3 : f32
          %sink_factor_term4 = arith.constant 0.6931469775989539 : f32
          %sink_factor_p4 = math.fma %sink_factor_p3, %sink_factor_left,
            %sink_factor_term4 : f32
          %sink_factor_term5 = arith.constant 1.0 : f32
          %sink_factor_p5 = math.fma %sink_factor_p4, %sink_factor_left,
            %sink_factor_term5 : f32
          %sink_factor_number = arith.bitcast %sink_factor_rounded : f32 to i32
          %sink_factor_place = arith.constant 23 : i32
          %sink_factor_shifted = arith.shli %sink_factor_number, %sink_factor_place : i32
          %sink_factor_scale = arith.bitcast %sink_factor_shifted : i32 to f32
          %sink_factor = arith.mulf %sink_factor_p5, %sink_factor_scale
            : f32
        %sink_below = arith.subf %sink_logit, %max_with_sink : f32
          %sink_exp_least = arith.constant -127.0 : f32
          %sink_exp_is_low = arith.cmpf olt, %sink_below, %sink_exp_least : f32
          %sink_exp_power = arith.select %sink_exp_is_low, %sink_exp_least, %sink_below
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %sink_exp_rounder = arith.constant 12583039.0 : f32
          %sink_exp_rounded = arith.addf %sink_exp_power, %sink_exp_rounder : f32
          %sink_exp_whole = arith.subf %sink_exp_rounded, %sink_exp_rounder : f32
          %sink_exp_left = arith.subf %sink_exp_power, %sink_exp_whole : f32
          %sink_exp_p0 = arith.constant 0.0013264727200922393 : f32
          %sink_exp_term1 = arith.constant 0.009671512659844018 : f32
          %sink_exp_p1 = math.fma %sink_exp_p0, %sink_exp_left,
            %sink_exp_term1 : f32
          %sink_exp_term2 = arith.constant 0.05550733743430322 : f32
          %sink_exp_p2 = math.fma %sink_exp_p1, %sink_exp_left,
            %sink_exp_term2 : f32
          %sink_exp_term3 = arith.constant 0.24022242085060824 : f32
          %sink_exp_p3 = math.fma %sink_exp_p2, %sink_exp_left,
            %sink_exp_term3 : f32
          %sink_exp_term4 = arith.constant 0.6931469775989539 : f32
          %sink_exp_p4 = math.fma %sink_exp_p3, %sink_exp_left,
            %sink_exp_term4 : f32
          %sink_exp_term5 = arith.constant 1.0 : f32
          %sink_exp_p5 = math.fma %sink_exp_p4, %sink_exp_left,
            %sink_exp_term5 : f32
          %sink_exp_number = arith.bitcast %sink_exp_rounded : f32 to i32
          %sink_exp_place = arith.constant 23 : i32
          %sink_exp_shifted = arith.shli %sink_exp_number, %sink_exp_place : i32
          %sink_exp_scale = arith.bitcast %sink_exp_shifted : i32 to f32
          %sink_exp = arith.mulf %sink_exp_p5, %sink_exp_scale
            : f32
        %sum_shrunk = arith.mulf %row_sum, %sink_factor : f32
        %sum_with_sink = arith.addf %sum_shrunk, %sink_exp : f32
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !few__acc_of_query, !few__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %inverse = arith.divf %sink_factor, %sum_with_sink : f32
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
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%first_token, %first_head, %none] [%queries_here, 8, 64] [1, 1, 1]
        : !few__output_slice into !few__output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_of_many_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 8, 64], strides = [1, 1, 1]
      : tensor<?x8x64xf16> -> !few__output_of_many_to_merge{%q_tokens_dim}
    return
  }
  }
}
!query = tensor<?x8x64xf16>
!key_cache = tensor<?x2x16x64xf16>
!value_cache = tensor<?x2x16x64xf16>
!cu_seqlens_q = tensor<?xi32>
!block_table = tensor<?x?xi32>
!context_lens = tensor<?xi32>
!sinks = tensor<8xf32>
!output = tensor<?x8x64xf16>

func.func @packed_paged_attention(%query_given: !query, %key_cache_given: !key_cache, %value_cache_given: !value_cache, %cu_seqlens_q_given: !cu_seqlens_q, %block_table_given: !block_table, %context_lens_given: !context_lens, %sinks: !sinks) -> !output {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_given = tensor.dim %query_given, %q_tokens_axis : !query
  %q_tokens_dim = util.assume.int %q_tokens_given
    <umin = 1, umax = 50, udiv = 1> : index
  %num_blocks_axis = arith.constant 0 : index
  %num_blocks_given = tensor.dim %key_cache_given, %num_blocks_axis : !key_cache
  %num_blocks_dim = util.assume.int %num_blocks_given
    <umin = 1, umax = 99, udiv = 1> : index
  %bounds_axis = arith.constant 0 : index
  %bounds_given = tensor.dim %cu_seqlens_q_given, %bounds_axis : !cu_seqlens_q
  %bounds_dim = util.assume.int %bounds_given
    <umin = 1, umax = 5, udiv = 1> : index
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %block_table_given, %batch_axis : !block_table
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 4, udiv = 1> : index
  %max_blocks_axis = arith.constant 1 : index
  %max_blocks_given = tensor.dim %block_table_given, %max_blocks_axis : !block_table
  %max_blocks_dim = util.assume.int %max_blocks_given
    <umin = 1, umax = 40, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%q_tokens_dim}
  %key_cache = flow.tensor.tie_shape %key_cache_given
    : !key_cache{%num_blocks_dim}
  %value_cache = flow.tensor.tie_shape %value_cache_given
    : !value_cache{%num_blocks_dim}
  %cu_seqlens_q = flow.tensor.tie_shape %cu_seqlens_q_given
    : !cu_seqlens_q{%bounds_dim}
  %block_table = flow.tensor.tie_shape %block_table_given
    : !block_table{%batch_dim, %max_blocks_dim}
  %context_lens = flow.tensor.tie_shape %context_lens_given
    : !context_lens{%batch_dim}
  %output_of_many = call @many(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %sinks)
    : (tensor<?x8x64xf16>, tensor<?x2x16x64xf16>, tensor<?x2x16x64xf16>, tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>, tensor<8xf32>)
    -> (tensor<?x8x64xf16>)
  %output = call @few(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %sinks, %output_of_many)
    : (tensor<?x8x64xf16>, tensor<?x2x16x64xf16>, tensor<?x2x16x64xf16>, tensor<?xi32>, tensor<?x?xi32>, tensor<?xi32>, tensor<8xf32>, tensor<?x8x64xf16>)
    -> (tensor<?x8x64xf16>)
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @packed_paged_attention$async(
    %query: !query,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %cu_seqlens_q: !cu_seqlens_q,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %sinks: !sinks
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @packed_paged_attention(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %sinks)
    : (!query, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens, !sinks) -> (!output)
  util.return %output : !output
}
// The same into memory of the caller's, for all that the function makes.
util.func public @packed_paged_attention$async_into(
    %query: !query,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %cu_seqlens_q: !cu_seqlens_q,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %sinks: !sinks,
    %output_memory: !hal.buffer {iree.abi.output = 0 : index}
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @packed_paged_attention(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %sinks)
    : (!query, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens, !sinks) -> (!output)
  util.return %output : !output
}
