// Attention as one kernel of many rows.
!query = tensor<2x8x64x64xf16>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x4xi32>
!context_lens = tensor<2xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<1x8x64x64xf16>
!sinks = tensor<8xf32>
!output = tensor<2x8x64x64xf16>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x64x64xf16>>
!key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf16>>
!value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf16>>
!block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!alibi_slopes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!bias_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x64x64xf16>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x64x64xf16>>
!output_slice = tensor<4x?x64xf16>
!lse_slice = tensor<4x?xf32>
!queries = tensor<8x64xf32>
!scores = tensor<8x64xf32>
!weights = tensor<8x64xf32>
!factors = tensor<8xf32>
!row_lanes = tensor<8x16xf32>
!acc = tensor<128x64xf32>
!row = tensor<128xf32>
!given_query = vector<64xf16>
!query_row = vector<64xf32>
!given_value = vector<64xf16>
!value_row = vector<64xf32>
!value_block = vector<8x32xf32>
!acc_row = vector<64xf32>
!output_f32 = vector<64xf32>
!output_row = vector<64xf16>
!logits = vector<64xf32>
!logit_bits = vector<64xi32>
!logit_flags = vector<64xi1>
!key_indices = vector<64xindex>
!key_numbers = vector<64xi32>
!lanes_f32 = vector<16xf32>
!block_bits = vector<8xi32>
!block_flags = vector<8xi1>
!block_numbers = vector<8xf32>
!block_rows0 = vector<8x16xf32>
!block_register8 = vector<8xf32>
!block_register16 = vector<16xf32>
!bias_of_row = tensor<?xf16>
!bias_read = vector<64xf16>
#of_row = affine_map<(m, k) -> (m, 0)>
#of_column = affine_map<(k, n) -> (0, n)>
#of_element = affine_map<(m) -> (m, 0)>
!keys = tensor<64x64xf32>
!values = tensor<64x64xf32>
!run_rows = tensor<?x64xf16>
!given_run = vector<16x16xf16>
!run = vector<16x16xf32>
!turned_run = vector<16x16xf32>
!half_run = vector<8x16xf32>
!pairs = vector<8x32xf32>
!score_block = vector<8x32xf32>
!score_row = vector<32xf32>
func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens, %alibi_slopes: !alibi_slopes, %bias: !bias, %sinks: !sinks) -> !output {
  %output =
    flow.dispatch @output_kernel::@output_kernel(
      %query, %key_cache, %value_cache, %block_table, %context_lens, %alibi_slopes, %bias, %sinks
    ) : (
      tensor<2x8x64x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<2x4xi32>,
      tensor<2xi32>,
      tensor<8xf32>,
      tensor<1x8x64x64xf16>,
      tensor<8xf32>
    ) -> (tensor<2x8x64x64xf16>)
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
      %alibi_slopes_in: !alibi_slopes_in,
      %bias_in: !bias_in,
      %sinks_in: !sinks_in,
      %output_out: !output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [2, 8, 64, 64], strides = [1, 1, 1, 1]
      : !query_in -> tensor<2x8x64x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !key_cache_in -> tensor<9x2x16x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !value_cache_in -> tensor<9x2x16x64xf16>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [2, 4], strides = [1, 1]
      : !block_table_in -> tensor<2x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !context_lens_in -> tensor<2xi32>
    %alibi_slopes = iree_tensor_ext.dispatch.tensor.load %alibi_slopes_in,
      offsets = [0], sizes = [8], strides = [1]
      : !alibi_slopes_in -> tensor<8xf32>
    %bias = iree_tensor_ext.dispatch.tensor.load %bias_in,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 64, 64], strides = [1, 1, 1, 1]
      : !bias_in -> tensor<1x8x64x64xf16>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 4 : index
    %rows = arith.constant 128 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 2 : index
    %heads = arith.constant 2 : index
    %queries_of_head = arith.constant 64 : index
    %keys_of_axis = arith.constant 64 : index
    %q_len = arith.constant 64 : index
    %tiles = arith.constant 2 : index
    %output_empty = tensor.empty() : tensor<2x8x64x64xf16>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<2x8x64x64xf16>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    // The tiles with most keys begin first.
    %first_query = affine.apply affine_map<(i)[n] -> ((n - 1 - i) * 32)>(%i)[%tiles]
    %queries_here = affine.min
      affine_map<(m)[n] -> (n - m, 32)>(%first_query)[%queries_of_head]
    %last_query = affine.apply affine_map<()[n] -> (n - 1)>()[%queries_of_head]
    %context_len_i32 = tensor.extract %context_lens[%b] : !context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 32)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %key_numbers = vector.step : !key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !key_indices to !key_numbers
    %padding = arith.constant 0.0 : f16
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
    %no_scores = arith.constant dense<0.0> : !score_block
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!acc, !row, !row) {
      %keys_here = affine.min affine_map<(t, e) -> (e - t, 64)>(%t0, %end)
      %first_run = affine.max
        affine_map<(s, t) -> ((s - t) floordiv 16 * 16, 0)>(%tile_begin, %t0)
      %run_keys = arith.constant 16 : index
      %keys_empty = tensor.empty() : !keys
      %keys = scf.for %j = %first_run to %keys_here step %run_keys iter_args(%of_step = %keys_empty)
        -> !keys {
        %t = arith.addi %t0, %j : index
        %left = affine.min affine_map<(j, n) -> (n - j, 16)>(%j, %keys_here)
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%b, %t_page]
          : !block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %run_rows = tensor.extract_slice %key_cache[%t_block, %kv_head, %t_slot, 0]
          [1, 1, %left, 64] [1, 1, 1, 1]
          : !key_cache to !run_rows
        %of_run = scf.for %k = %none to %head_steps step %lanes iter_args(%before = %of_step) -> !keys {
          %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
          %run_stored = vector.transfer_read %run_rows[%none, %column], %padding
            {in_bounds = [false, true]} : !run_rows, !given_run
    %run = arith.extf %run_stored : !given_run to !run
          %first0 = vector.extract_strided_slice %run
            offsets = [0], sizes = [8], strides = [1] : !run to !half_run
          %second0 = vector.extract_strided_slice %run
            offsets = [8], sizes = [8], strides = [1] : !run to !half_run
          %pairs0 = vector.interleave %first0, %second0
            : !half_run -> !pairs
          %turned_1 = vector.shape_cast %pairs0 : !pairs to !run
          %first1 = vector.extract_strided_slice %turned_1
            offsets = [0], sizes = [8], strides = [1] : !run to !half_run
          %second1 = vector.extract_strided_slice %turned_1
            offsets = [8], sizes = [8], strides = [1] : !run to !half_run
          %pairs1 = vector.interleave %first1, %second1
            : !half_run -> !pairs
          %turned_2 = vector.shape_cast %pairs1 : !pairs to !run
          %first2 = vector.extract_strided_slice %turned_2
            offsets = [0], sizes = [8], strides = [1] : !run to !half_run
          %second2 = vector.extract_strided_slice %turned_2
            offsets = [8], sizes = [8], strides = [1] : !run to !half_run
          %pairs2 = vector.interleave %first2, %second2
            : !half_run -> !pairs
          %turned_3 = vector.shape_cast %pairs2 : !pairs to !run
          %first3 = vector.extract_strided_slice %turned_3
            offsets = [0], sizes = [8], strides = [1] : !run to !half_run
          %second3 = vector.extract_strided_slice %turned_3
            offsets = [8], sizes = [8], strides = [1] : !run to !half_run
          %pairs3 = vector.interleave %first3, %second3
            : !half_run -> !pairs
          %turned = vector.shape_cast %pairs3 : !pairs to !run
          %after = vector.transfer_write %turned, %before[%k, %j] {in_bounds = [true, true]}
            : !turned_run, !keys
          scf.yield %after : !keys
        }
        scf.yield %of_run : !keys
      }
      %values_empty = tensor.empty() : !values
      %first_seen = affine.max affine_map<(s, t) -> (s - t, 0)>(%tile_begin, %t0)
      %values = scf.for %j = %first_seen
        to %keys_here step %one
        iter_args(%before = %values_empty) -> !values {
        %t = arith.addi %t0, %j : index
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%b, %t_page]
          : !block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %value_row_stored = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %none], %padding
          {in_bounds = [true]} : !value_cache, !given_value
    %value_row = arith.extf %value_row_stored : !given_value to !value_row
        %after = vector.transfer_write %value_row, %before[%j, %none] {in_bounds = [true]}
          : !value_row, !values
        scf.yield %after : !values
      }
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!acc, !row, !row) {
    %block_query = affine.apply affine_map<(r, m) -> (m + r mod 32)>(%r0, %first_query)
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
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!acc, !row, !row) {
    %queries_empty = tensor.empty() : !queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 32, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 32)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
      %query_row_stored = vector.transfer_read
        %query[%b, %head, %query_token, %none], %padding
        {in_bounds = [true]} : !query, !given_query
    %query_row = arith.extf %query_row_stored : !given_query to !query_row
      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !query_row, !queries
      scf.yield %after : !queries
    }
          %scores_empty = tensor.empty() : !scores
          %scores = scf.for %n = %from_block to %to step %score_block iter_args(%before = %scores_empty)
            -> !scores {
            %sums = scf.for %k = %none to %head_steps step %one iter_args(%so_far = %no_scores)
              -> !score_block {
              %left = vector.transfer_read %queries[%none, %k], %zero
                {permutation_map = #of_row, in_bounds = [true, true]} : !queries, !score_block
              %right = vector.transfer_read %keys[%k, %n], %zero
                {permutation_map = #of_column, in_bounds = [true, true]} : !keys, !score_block
              %more = vector.fma %left, %right, %so_far : !score_block
              scf.yield %more : !score_block
            }
            %after = vector.transfer_write %sums, %before[%none, %n] {in_bounds = [true, true]}
              : !score_block, !scores
            scf.yield %after : !scores
          }
        %hidden = arith.constant dense<0xFF800000> : !logits
        %lanes_empty = tensor.empty() : !row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!scores, !row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 32, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 32)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !scores, !logits
          %scale = arith.constant dense<0.004166666666666667> : !logits
          %scaled = arith.mulf %score, %scale : !logits
          %bounded = math.tanh %scaled : !logits
          %cap = arith.constant dense<30.0> : !logits
          %capped = arith.mulf %bounded, %cap : !logits
          %bias_left = affine.min affine_map<(t)[n] -> (n - t, 64)>
            (%t0)[%keys_of_axis]
          %bias_of_row = tensor.extract_slice %bias[%none, %head, %query_token, %t0]
            [1, 1, 1, %bias_left] [1, 1, 1, 1] : !bias to !bias_of_row
          %bias_none = arith.constant 0.0 : f16
          %bias_of_keys_stored = vector.transfer_read %bias_of_row[%none], %bias_none
            {in_bounds = [false]} : !bias_of_row, !bias_read
    %bias_of_keys = arith.extf %bias_of_keys_stored : !bias_read to !logits
          %sum_with_bias = arith.addf %capped, %bias_of_keys : !logits
          // The sum alone would not hide a key whose score is NaN or infinite.
          %bias_shows = arith.cmpf une, %bias_of_keys, %hidden : !logits
          %logit_added_1 = arith.select %bias_shows, %sum_with_bias, %hidden : !logit_flags, !logits
          %slope = tensor.extract %alibi_slopes[%head] : !alibi_slopes
          %slope_everywhere = vector.broadcast %slope : f32 to !logits
          %position = affine.apply affine_map<(q, p, t) -> (q + p - t)>(%m, %first_position, %t0)
          %position_i32 = arith.index_cast %position : index to i32
          %position_everywhere = vector.broadcast %position_i32 : i32 to !key_numbers
          %ahead = arith.subi %key_numbers_i32, %position_everywhere : !key_numbers
          %ahead_f32 = arith.sitofp %ahead : !key_numbers to !logits
          %distance = math.absf %ahead_f32 : !logits
          %steepness = arith.mulf %slope_everywhere, %distance : !logits
          %unit = arith.constant dense<1.0> : !logits
          %alibi = arith.mulf %steepness, %unit : !logits
          %logit_added = arith.subf %logit_added_1, %alibi : !logits
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
          %logit = arith.select %ahead_is_seen, %logit_added, %hidden
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
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !lanes_f32
          %top = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
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
          %factor_log2e = arith.constant dense<1.4426950408889634> : !block_numbers
          %factor_in_base_2 = arith.mulf %max_below, %factor_log2e : !block_numbers
          %factor_least = arith.constant dense<-127.0> : !block_numbers
          %factor_is_low = arith.cmpf olt, %factor_in_base_2, %factor_least : !block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %factor_in_base_2
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
          %weight_log2e = arith.constant dense<1.4426950408889634> : !logits
          %weight_in_base_2 = arith.mulf %below, %weight_log2e : !logits
          %weight_least = arith.constant dense<-127.0> : !logits
          %weight_is_low = arith.cmpf olt, %weight_in_base_2, %weight_least : !logits
          %weight_power = arith.select %weight_is_low, %weight_least, %weight_in_base_2
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
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !lanes_f32
          %weight_sum = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
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
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk) -> !value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #of_row, in_bounds = [true, true]} : !weights, !value_block
                %right = vector.transfer_read %values[%j, %n], %zero
                  {permutation_map = #of_column, in_bounds = [true, true]} : !values, !value_block
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
    %output_slice = tensor.extract_slice %output_all[%b, %first_head, %first_query, %none] [1, 4, %queries_here, 64] [1, 1, 1, 1] : !output to !output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 32 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !row
        %row_max = tensor.extract %max_end[%row] : !row
        %head = arith.addi %first_head, %g : index
        %sink = tensor.extract %sinks[%head] : !sinks
        %sink_unit = arith.constant 1.0 : f32
        %sink_logit = arith.mulf %sink, %sink_unit : f32
        %max_with_sink = arith.maxnumf %row_max, %sink_logit : f32
        %max_below = arith.subf %row_max, %max_with_sink : f32
          %sink_factor_log2e = arith.constant 1.4426950408889634 : f32
          %sink_factor_in_base_2 = arith.mulf %max_below, %sink_factor_log2e : f32
          %sink_factor_least = arith.constant -127.0 : f32
          %sink_factor_is_low = arith.cmpf olt, %sink_factor_in_base_2, %sink_factor_least : f32
          %sink_factor_power = arith.select %sink_factor_is_low, %sink_factor_least, %sink_factor_in_base_2
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
          %sink_exp_log2e = arith.constant 1.4426950408889634 : f32
          %sink_exp_in_base_2 = arith.mulf %sink_below, %sink_exp_log2e : f32
          %sink_exp_least = arith.constant -127.0 : f32
          %sink_exp_is_low = arith.cmpf olt, %sink_exp_in_base_2, %sink_exp_least : f32
          %sink_exp_power = arith.select %sink_exp_is_low, %sink_exp_least, %sink_exp_in_base_2
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
          : !acc, !output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %inverse = arith.divf %sink_factor, %sum_with_sink : f32
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
      tensor.parallel_insert_slice %output_written into %output_all[%b, %first_head, %first_query, %none] [1, 4, %queries_here, 64] [1, 1, 1, 1]
        : !output_slice into !output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0, 0], sizes = [2, 8, 64, 64], strides = [1, 1, 1, 1]
      : tensor<2x8x64x64xf16> -> !output_out
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
    %context_lens: !context_lens,
    %alibi_slopes: !alibi_slopes,
    %bias: !bias,
    %sinks: !sinks
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @paged_attention(%query, %key_cache, %value_cache, %block_table, %context_lens, %alibi_slopes, %bias, %sinks)
    : (!query, !key_cache, !value_cache, !block_table, !context_lens, !alibi_slopes, !bias, !sinks) -> (!output)
  util.return %output : !output
}
