// Packed queries attend over a block cache: many of a sequence first, then those of sequences of a few.
// Attention as one kernel of lanes.
!many__query = tensor<50x8x64xf16>
!many__key_cache = tensor<99x2x16x64xf16>
!many__value_cache = tensor<99x2x16x64xf16>
!many__cu_seqlens_q = tensor<5xi32>
!many__block_table = tensor<4x40xi32>
!many__context_lens = tensor<4xi32>
!many__output = tensor<50x8x64xf16>
!many__lse = tensor<8x50xf32>
!many__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<400x64xf16>>
!many__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!many__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!many__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!many__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160xi32>>
!many__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!many__output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<50x512xf16>>
!many__lse_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<400xf32>>
!many__head_chunk = vector<8xf16>
!many__query_columns = vector<2x2x2xf16>
!many__queries = vector<1x2x2x2x2xf16>
!many__queries_turned = vector<1x2x2x2x2xf16>
!many__query_operand = vector<1x2x4x2xf16>
!many__key_operand = vector<1x2x2x2xf16>
!many__value_keys = vector<16xf16>
!many__value_operand = vector<1x4x2x2xf16>
!many__weight_parts = vector<1x2x4x2x2xf16>
!many__weight_parts_turned = vector<1x4x2x2x2xf16>
!many__weights_operand = vector<1x4x4x2xf16>
!many__row_scores = vector<2xf32>
!many__score_tile = vector<2x2xf32>
!many__scores = vector<8x2x2xf32>
!many__scores_flat = vector<32xf32>
!many__score_bits = vector<8x2x2xi32>
!many__is_seen = vector<8x2x2xi1>
!many__weight_bits = vector<8x2x2xi16>
!many__weights_by_key = vector<8x2x2xf16>
!many__weights_own = vector<2x8x2xf16>
!many__weights_flat = vector<32xf16>
!many__pair = vector<2xf16>
!many__pairs = vector<16x2xf16>
!many__pair_bits = vector<16xi32>
!many__all_bits = vector<32xi32>
!many__all_weights = vector<64xf16>
!many__sums = vector<1x1x2x2xf32>
!many__sum_factors = vector<1x1x2x1xf32>
!many__acc = vector<8x1x1x2x2xf32>
!many__acc_by_column = vector<8x2x2xf32>
!many__acc_by_row = vector<2x8x2xf32>
!many__acc_row = vector<8x2xf32>
!many__rows = vector<2x1xf32>
!many__row_bits = vector<2x1xi32>
!many__output_f32 = vector<16xf32>
!many__rows_f32 = vector<2x16xf32>
// i row and j column of a product, k depth
#many__left = affine_map<(i, j, k) -> (i, k)>
#many__right = affine_map<(i, j, k) -> (j, k)>
#many__product = affine_map<(i, j, k) -> (i, j)>
#many__parallel = #linalg.iterator_type<parallel>
#many__reduction = #linalg.iterator_type<reduction>
#many__lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!many__output_rows = vector<2x16xf16>
!many__output_row = vector<16xf16>
!many__output_bits = vector<8xi32>
!many__lse_rows = vector<2xf32>
!many__turned = vector<4x2xf16>
!many__all_turned = vector<2x4x2xf16>
!many__keys_there = memref<3168x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!many__values_there = memref<3168x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!many__key_lds = memref<128x96xf16, #gpu.address_space<workgroup>>
!many__value_lds = memref<128x72xf16, #gpu.address_space<workgroup>>
// The keys that lane l copies of the step that begins at key t, and the column that it copies from.
#many__key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 0)>
#many__key_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 1)>
#many__key_of_step2 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 2)>
#many__key_of_step3 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 3)>
#many__copied_column = affine_map<(l) -> (l mod 8 * 8)>
// The LDS row of key n of a step: neighbours are a lane's own of one tile, then those of other groups.
#many__lds_row = affine_map<(n) -> (n mod 16 floordiv 2 * 8
  + n floordiv 16 mod 4 * 2 + n mod 2)>
// The first LDS row of the step that begins at key t.
#many__buffer = affine_map<(t) -> (t floordiv 64 * 64 mod 128)>
flow.executable private @packed_paged_many_kernel {
  flow.executable.export public @packed_paged_many_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @packed_paged_many_kernel(
      %query_rows_in: !many__query_rows_in,
      %key_cache_rows_in: !many__key_cache_rows_in,
      %value_cache_rows_in: !many__value_cache_rows_in,
      %cu_seqlens_q_in: !many__cu_seqlens_q_in,
      %block_table_rows_in: !many__block_table_rows_in,
      %context_lens_in: !many__context_lens_in,
      %output_rows_out: !many__output_rows_out,
      %lse_rows_out: !many__lse_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [400, 64], strides = [1, 1]
      : !many__query_rows_in -> tensor<400x64xf16>
    %key_cache_rows = iree_tensor_ext.dispatch.tensor.load %key_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !many__key_cache_rows_in -> tensor<3168x64xf16>
    %value_cache_rows = iree_tensor_ext.dispatch.tensor.load %value_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !many__value_cache_rows_in -> tensor<3168x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !many__cu_seqlens_q_in -> tensor<5xi32>
    %block_table_rows = iree_tensor_ext.dispatch.tensor.load %block_table_rows_in,
      offsets = [0], sizes = [160], strides = [1]
      : !many__block_table_rows_in -> tensor<160xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !many__context_lens_in -> tensor<4xi32>
    %output_rows_empty = tensor.empty() : tensor<50x512xf16>
    %lse_rows_empty = tensor.empty() : tensor<400xf32>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %heads = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %q_tokens = arith.constant 50 : index
    %kv_tokens = arith.constant 640 : index
    %tiles = arith.constant 3 : index
    %pages = arith.constant 40 : index
    %cache_blocks = arith.constant 99 : index
    %workgroups:2 =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty, %lse_rows_all = %lse_rows_empty) -> (tensor<50x512xf16>, tensor<400xf32>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 4 + x floordiv 2)>(%head_number)
    %last_block_index = affine.apply affine_map<()[n] -> (n - 1)>()[%cache_blocks]
    %last_block = arith.index_cast %last_block_index : index to i32
    // The last sequence's last tiles begin first: of each sequence those with most keys.
    %tile_of_all = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %one = arith.constant 1 : index
    %first_sequence = arith.constant 0 : index
    %most_queries = arith.index_cast %q_tokens : index to i32
    %halvings = arith.constant 3 : index
    %widest = arith.constant 4 : index
    %sequence = scf.for %halving = %first_sequence to %halvings step %one
        iter_args(%found = %first_sequence) -> (index) {
      %width = arith.shrui %widest, %halving : index
      %further = arith.addi %found, %width : index
      %candidate = arith.minsi %further, %packed : index
      %candidate_i32 = tensor.extract %cu_seqlens_q[%candidate] : tensor<5xi32>
    %candidate_start_kept = arith.minui %candidate_i32, %most_queries : i32
    %candidate_start = arith.index_cast %candidate_start_kept : i32 to index
      %begun = affine.min
        affine_map<(q, s) -> (s, q floordiv 17)>(%candidate_start, %candidate)
      %candidate_place = affine.apply
        affine_map<(q, s) -> (q floordiv 64 + s)>(%candidate_start, %begun)
      %is_there = arith.cmpi sle, %candidate_place, %tile_of_all : index
      %better = arith.select %is_there, %candidate, %found : index
      scf.yield %better : index
    }
    %next = affine.min affine_map<(s)[n] -> (s + 1, n)>(%sequence)[%packed]
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<5xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<5xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    // Padding stands where the last sequence does.
    %real_sequence = affine.min affine_map<(s)[n] -> (s, n - 1)>(%sequence)[%packed]
    %is_padding = arith.cmpi eq, %sequence, %packed : index
    %q_end = arith.select %is_padding, %q_tokens, %q_next : index
    %q_count = arith.subi %q_end, %q_start : index
    %few = arith.constant 16 : index
    %is_many = arith.cmpi sgt, %q_count, %few : index
    %has_tiles = arith.ori %is_many, %is_padding : i1
    %q_len = arith.select %has_tiles, %q_count, %first_sequence : index
    %rows_of_head = arith.select %has_tiles, %q_count, %first_sequence : index
    %tiles_begun = affine.min
      affine_map<(q, s) -> (s, q floordiv 17)>(%q_start, %sequence)
    // A sequence that is told to begin after this tile has its first one here.
    %tile = affine.max
      affine_map<(i, q, s) -> (i - q floordiv 64 - s, 0)>(%tile_of_all, %q_start, %tiles_begun)
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%real_sequence] : tensor<4xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %real_sequence, %pages : index
    %context_len = arith.select %is_padding, %first_sequence, %context_len_of_sequence : index
    %first_key_token = arith.constant 0 : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    // Where there are no more tokens, the last one is read, and counts for nothing.
    %first_token = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens]
    %query_base = affine.apply affine_map<(q, x) -> (q * 8 + x)>(%first_token, %x)
    %result_row = affine.apply affine_map<(q, i) -> (q + i * 64)>(%q_start, %tile)
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 64 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 64)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (64, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(i) -> (i * 64)>(%tile)
    %query_end = affine.min
      affine_map<(r, n) -> (r + 64, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %begin = affine.max affine_map<(a) -> (a)>(%none)
    %end = affine.min affine_map<(a, b) -> (a, b)>(%keys_end, %seen_end)
    %keys_there = bufferization.to_buffer %key_cache_rows read_only
      : tensor<3168x64xf16> to !many__keys_there
    %values_there = bufferization.to_buffer %value_cache_rows read_only
      : tensor<3168x64xf16> to !many__values_there
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !many__key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !many__value_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf16>
    %tile_empty1 = tensor.empty(%rows_here)
      : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #many__lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 64 * 64, e floordiv 64 *
      64)>(%end, %first_query, %first_position)
    %rows_of_others = arith.constant 48 : index
    %all_have_rows = arith.cmpi sgt, %rows_here, %rows_of_others : index
    %full_to_if_any = arith.select %all_have_rows, %full_to, %begin : index
    %full_end = arith.maxsi %full_to_if_any, %begin : index
    %output_rows_stored, %lse_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
          , %tile1 = %tile_empty1
        ) -> (tensor<?x64xf16>, tensor<?xf32>) {
      %wave, %index, %group = affine.delinearize_index %lane into (4, 8, 4)
        : index, index, index
      // Which sequences are there, and how long they are, is known in the kernel alone: a workgroup without
      // rows would wait for queries and keys in vain.
      %is_idle = arith.cmpi eq, %rows_here, %none : index
      scf.if %is_idle {
        llvm.inline_asm has_side_effects "exit;", "" : () -> ()
      }
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 16 + i * 2)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 8)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !many__head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !many__head_chunk
      %row1 = affine.min affine_map<(r, n) -> (r + 1, n)>(%first_row, %row_last)
      %row_of_head1 = arith.addi %row_0, %row1 : index
      %row_real1 = arith.minsi %row_of_head1, %last_row : index
      %query_row1 = affine.apply affine_map<(b, r)
        -> (b + r * 8)>(%query_base, %row_real1)
      %column1_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk1_0 = vector.transfer_read
        %query_rows[%query_row1, %column1_0],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !many__head_chunk
      %column1_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk1_1 = vector.transfer_read
        %query_rows[%query_row1, %column1_1],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !many__head_chunk
      %no_queries = arith.constant dense<0.0> : !many__queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !many__head_chunk to !many__query_columns
        %queries0_1 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !many__query_columns into !many__queries
        %query_columns1_0 = vector.shape_cast %query_chunk1_0
          : !many__head_chunk to !many__query_columns
        %queries0 = vector.insert
          %query_columns1_0, %queries0_1[0, 1]
          : !many__query_columns into !many__queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !many__queries to !many__queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !many__queries_turned to !many__query_operand
        %query_columns0_1 = vector.shape_cast %query_chunk0_1
          : !many__head_chunk to !many__query_columns
        %queries1_1 = vector.insert
          %query_columns0_1, %no_queries[0, 0]
          : !many__query_columns into !many__queries
        %query_columns1_1 = vector.shape_cast %query_chunk1_1
          : !many__head_chunk to !many__query_columns
        %queries1 = vector.insert
          %query_columns1_1, %queries1_1[0, 1]
          : !many__query_columns into !many__queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !many__queries to !many__queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !many__queries_turned to !many__query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %position0 = arith.addi %first_position, %row_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %position1 = arith.addi %first_position, %row_of_head1 : index
      %last_any1 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position1, %context_len)
      %last_seen1 = arith.subi %last_any1, %key_of_group : index
      %wave_position = affine.apply affine_map<(p, r, w)
        -> (p + r + w * 16)>(%first_position, %row_0, %wave)
      %last_of_rows = affine.apply affine_map<(p) -> (p + 15)>(%wave_position)
      %row_of_wave = affine.apply affine_map<(w) -> (w * 16)>(%wave)
      %has_rows = arith.cmpi slt, %row_of_wave, %rows_here : index
      %before_keys = arith.constant -1 : index
      %last_of_wave = arith.select
        %has_rows, %last_of_rows, %before_keys : index
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !many__scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !many__scores
      %score_sums0_0 = arith.constant dense<0.0> : !many__sums
      %score_sums1_0 = arith.constant dense<0.0> : !many__sums
      %score_sums2_0 = arith.constant dense<0.0> : !many__sums
      %score_sums3_0 = arith.constant dense<0.0> : !many__sums
      %score_sums4_0 = arith.constant dense<0.0> : !many__sums
      %score_sums5_0 = arith.constant dense<0.0> : !many__sums
      %score_sums6_0 = arith.constant dense<0.0> : !many__sums
      %score_sums7_0 = arith.constant dense<0.0> : !many__sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %max1_0 = arith.constant -3.40282347E+38 : f32
      %sum1_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !many__acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 1 : i32
      %distance2 = arith.constant 2 : i32
      %wave_size = arith.constant 32 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 64 * 64)>(%last_key)
      %copied_column = affine.apply #many__copied_column(%lane)
      %key_of_lane0 = affine.apply #many__key_of_step0(%none, %lane)
      %lds_row0 = affine.apply #many__lds_row(%key_of_lane0)
      %key_of_lane1 = affine.apply #many__key_of_step1(%none, %lane)
      %lds_row1 = affine.apply #many__lds_row(%key_of_lane1)
      %key_of_lane2 = affine.apply #many__key_of_step2(%none, %lane)
      %lds_row2 = affine.apply #many__lds_row(%key_of_lane2)
      %key_of_lane3 = affine.apply #many__key_of_step3(%none, %lane)
      %lds_row3 = affine.apply #many__lds_row(%key_of_lane3)
      %turned_row = affine.apply affine_map<(l) -> (l mod 32)>(%lane)
      scf.execute_region {
        %t_after = affine.apply affine_map<(t) -> (t)>(%begin)
        %t_next = arith.minsi %t_after, %t_last : index
      %key_any_k0 = affine.apply #many__key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<160xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
      %key_any_k1 = affine.apply #many__key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k1, %key_k0)
      %key_any_k2 = affine.apply #many__key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k2, %key_k0)
      %key_any_k3 = affine.apply #many__key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k3, %key_k0)
      %key_any_v0 = affine.apply #many__key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<160xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #many__key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #many__key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #many__key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
        %buffer_after = affine.apply #many__buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #many__key_of_step0(%t_after, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #many__key_of_step1(%t_after, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #many__key_of_step2(%t_after, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #many__key_of_step3(%t_after, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        scf.yield
      }
      %max0_1, %max1_1, %sum0_1, %sum1_1, %acc_1 =
        scf.for %t0 = %begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %max1 = %max1_0,
            %sum0 = %sum0_0,
            %sum1 = %sum1_0,
            %acc = %acc_0) -> (f32, f32, f32, f32, !many__acc) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
      %key_any_k0 = affine.apply #many__key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<160xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
      %key_any_k1 = affine.apply #many__key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k1, %key_k0)
      %key_any_k2 = affine.apply #many__key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k2, %key_k0)
      %key_any_k3 = affine.apply #many__key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k3, %key_k0)
      %key_any_v0 = affine.apply #many__key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<160xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #many__key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #many__key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #many__key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %buffer_after = affine.apply #many__buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #many__key_of_step0(%t_after, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #many__key_of_step1(%t_after, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #many__key_of_step2(%t_after, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #many__key_of_step3(%t_after, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %buffer_here = affine.apply #many__buffer(%t0)
        %index_here = arith.addi %buffer_here, %index : index
        %value_row0 = affine.apply
          affine_map<(b, r) -> (b + r + 0)>(%buffer_here, %turned_row)
        %value_row1 = affine.apply
          affine_map<(b, r) -> (b + r + 32)>(%buffer_here, %turned_row)
        %none_turned = arith.constant dense<0.0> : !many__all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !many__head_chunk to !many__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%query0, %keys0_0) outs(%score_sums0_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !many__head_chunk to !many__key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%query0, %keys1_0) outs(%score_sums1_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row2_0 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_0 =
          "vector.load"(%key_lds, %key_row2_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys2_0 = vector.shape_cast %key_chunk2_0
          : !many__head_chunk to !many__key_operand
        %score_sums2_1 = iree_codegen.inner_tiled
          ins(%query0, %keys2_0) outs(%score_sums2_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row3_0 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_0 =
          "vector.load"(%key_lds, %key_row3_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys3_0 = vector.shape_cast %key_chunk3_0
          : !many__head_chunk to !many__key_operand
        %score_sums3_1 = iree_codegen.inner_tiled
          ins(%query0, %keys3_0) outs(%score_sums3_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row4_0 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_0 =
          "vector.load"(%key_lds, %key_row4_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys4_0 = vector.shape_cast %key_chunk4_0
          : !many__head_chunk to !many__key_operand
        %score_sums4_1 = iree_codegen.inner_tiled
          ins(%query0, %keys4_0) outs(%score_sums4_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row5_0 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_0 =
          "vector.load"(%key_lds, %key_row5_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys5_0 = vector.shape_cast %key_chunk5_0
          : !many__head_chunk to !many__key_operand
        %score_sums5_1 = iree_codegen.inner_tiled
          ins(%query0, %keys5_0) outs(%score_sums5_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row6_0 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_0 =
          "vector.load"(%key_lds, %key_row6_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys6_0 = vector.shape_cast %key_chunk6_0
          : !many__head_chunk to !many__key_operand
        %score_sums6_1 = iree_codegen.inner_tiled
          ins(%query0, %keys6_0) outs(%score_sums6_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row7_0 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_0 =
          "vector.load"(%key_lds, %key_row7_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys7_0 = vector.shape_cast %key_chunk7_0
          : !many__head_chunk to !many__key_operand
        %score_sums7_1 = iree_codegen.inner_tiled
          ins(%query0, %keys7_0) outs(%score_sums7_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !many__head_chunk to !many__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%query1, %keys0_1) outs(%score_sums0_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row1_1 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !many__head_chunk to !many__key_operand
        %score_sums1_2 = iree_codegen.inner_tiled
          ins(%query1, %keys1_1) outs(%score_sums1_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row2_1 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_1 =
          "vector.load"(%key_lds, %key_row2_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys2_1 = vector.shape_cast %key_chunk2_1
          : !many__head_chunk to !many__key_operand
        %score_sums2_2 = iree_codegen.inner_tiled
          ins(%query1, %keys2_1) outs(%score_sums2_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row3_1 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_1 =
          "vector.load"(%key_lds, %key_row3_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys3_1 = vector.shape_cast %key_chunk3_1
          : !many__head_chunk to !many__key_operand
        %score_sums3_2 = iree_codegen.inner_tiled
          ins(%query1, %keys3_1) outs(%score_sums3_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row4_1 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_1 =
          "vector.load"(%key_lds, %key_row4_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys4_1 = vector.shape_cast %key_chunk4_1
          : !many__head_chunk to !many__key_operand
        %score_sums4_2 = iree_codegen.inner_tiled
          ins(%query1, %keys4_1) outs(%score_sums4_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row5_1 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_1 =
          "vector.load"(%key_lds, %key_row5_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys5_1 = vector.shape_cast %key_chunk5_1
          : !many__head_chunk to !many__key_operand
        %score_sums5_2 = iree_codegen.inner_tiled
          ins(%query1, %keys5_1) outs(%score_sums5_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row6_1 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_1 =
          "vector.load"(%key_lds, %key_row6_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys6_1 = vector.shape_cast %key_chunk6_1
          : !many__head_chunk to !many__key_operand
        %score_sums6_2 = iree_codegen.inner_tiled
          ins(%query1, %keys6_1) outs(%score_sums6_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row7_1 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_1 =
          "vector.load"(%key_lds, %key_row7_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys7_1 = vector.shape_cast %key_chunk7_1
          : !many__head_chunk to !many__key_operand
        %score_sums7_2 = iree_codegen.inner_tiled
          ins(%query1, %keys7_1) outs(%score_sums7_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %no_scores = arith.constant dense<0.0> : !many__scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !many__sums to !many__score_tile
        %scores_ruled_1 = vector.insert %score_tile0, %no_scores[0]
          : !many__score_tile into !many__scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !many__sums to !many__score_tile
        %scores_ruled_2 = vector.insert %score_tile1, %scores_ruled_1[1]
          : !many__score_tile into !many__scores
        %score_tile2 = vector.shape_cast %score_sums2_2
          : !many__sums to !many__score_tile
        %scores_ruled_3 = vector.insert %score_tile2, %scores_ruled_2[2]
          : !many__score_tile into !many__scores
        %score_tile3 = vector.shape_cast %score_sums3_2
          : !many__sums to !many__score_tile
        %scores_ruled_4 = vector.insert %score_tile3, %scores_ruled_3[3]
          : !many__score_tile into !many__scores
        %score_tile4 = vector.shape_cast %score_sums4_2
          : !many__sums to !many__score_tile
        %scores_ruled_5 = vector.insert %score_tile4, %scores_ruled_4[4]
          : !many__score_tile into !many__scores
        %score_tile5 = vector.shape_cast %score_sums5_2
          : !many__sums to !many__score_tile
        %scores_ruled_6 = vector.insert %score_tile5, %scores_ruled_5[5]
          : !many__score_tile into !many__scores
        %score_tile6 = vector.shape_cast %score_sums6_2
          : !many__sums to !many__score_tile
        %scores_ruled_7 = vector.insert %score_tile6, %scores_ruled_6[6]
          : !many__score_tile into !many__scores
        %score_tile7 = vector.shape_cast %score_sums7_2
          : !many__sums to !many__score_tile
        %scores_ruled = vector.insert %score_tile7, %scores_ruled_7[7]
          : !many__score_tile into !many__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !many__row_scores from !many__scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !many__row_scores from !many__scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !many__row_scores
        %of_tile0_2 = vector.extract %scores_ruled[2, 0]
          : !many__row_scores from !many__scores
        %top0_2 = arith.maxnumf %top0_1, %of_tile0_2
          fastmath<nnan> : !many__row_scores
        %of_tile0_3 = vector.extract %scores_ruled[3, 0]
          : !many__row_scores from !many__scores
        %top0_3 = arith.maxnumf %top0_2, %of_tile0_3
          fastmath<nnan> : !many__row_scores
        %of_tile0_4 = vector.extract %scores_ruled[4, 0]
          : !many__row_scores from !many__scores
        %top0_4 = arith.maxnumf %top0_3, %of_tile0_4
          fastmath<nnan> : !many__row_scores
        %of_tile0_5 = vector.extract %scores_ruled[5, 0]
          : !many__row_scores from !many__scores
        %top0_5 = arith.maxnumf %top0_4, %of_tile0_5
          fastmath<nnan> : !many__row_scores
        %of_tile0_6 = vector.extract %scores_ruled[6, 0]
          : !many__row_scores from !many__scores
        %top0_6 = arith.maxnumf %top0_5, %of_tile0_6
          fastmath<nnan> : !many__row_scores
        %of_tile0_7 = vector.extract %scores_ruled[7, 0]
          : !many__row_scores from !many__scores
        %top0_7 = arith.maxnumf %top0_6, %of_tile0_7
          fastmath<nnan> : !many__row_scores
        %top0 = vector.extract %top0_7[0] : f32 from !many__row_scores
        %of_key0_1 = vector.extract %top0_7[1]
          : f32 from !many__row_scores
        %largest0 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0_1 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_there0_2, %best_is_there0_2 =
          gpu.shuffle xor %best0_1, %distance2, %wave_size : f32
        %best0 = arith.maxnumf %best0_1, %best_there0_2 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %top1_0 = vector.extract %scores_ruled[0, 1] : !many__row_scores from !many__scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !many__row_scores from !many__scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !many__row_scores
        %of_tile1_2 = vector.extract %scores_ruled[2, 1]
          : !many__row_scores from !many__scores
        %top1_2 = arith.maxnumf %top1_1, %of_tile1_2
          fastmath<nnan> : !many__row_scores
        %of_tile1_3 = vector.extract %scores_ruled[3, 1]
          : !many__row_scores from !many__scores
        %top1_3 = arith.maxnumf %top1_2, %of_tile1_3
          fastmath<nnan> : !many__row_scores
        %of_tile1_4 = vector.extract %scores_ruled[4, 1]
          : !many__row_scores from !many__scores
        %top1_4 = arith.maxnumf %top1_3, %of_tile1_4
          fastmath<nnan> : !many__row_scores
        %of_tile1_5 = vector.extract %scores_ruled[5, 1]
          : !many__row_scores from !many__scores
        %top1_5 = arith.maxnumf %top1_4, %of_tile1_5
          fastmath<nnan> : !many__row_scores
        %of_tile1_6 = vector.extract %scores_ruled[6, 1]
          : !many__row_scores from !many__scores
        %top1_6 = arith.maxnumf %top1_5, %of_tile1_6
          fastmath<nnan> : !many__row_scores
        %of_tile1_7 = vector.extract %scores_ruled[7, 1]
          : !many__row_scores from !many__scores
        %top1_7 = arith.maxnumf %top1_6, %of_tile1_7
          fastmath<nnan> : !many__row_scores
        %top1 = vector.extract %top1_7[0] : f32 from !many__row_scores
        %of_key1_1 = vector.extract %top1_7[1]
          : f32 from !many__row_scores
        %largest1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %largest1, %distance1, %wave_size : f32
        %best1_1 = arith.maxnumf %largest1, %best_there1_1 : f32
        %best_there1_2, %best_is_there1_2 =
          gpu.shuffle xor %best1_1, %distance2, %wave_size : f32
        %best1 = arith.maxnumf %best1_1, %best_there1_2 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_1 = arith.ori %no, %grows0 : i1
        %any_grows = arith.ori %any_grows_1, %grows1 : i1
        %max_next0, %max_next1, %sum_brought0, %sum_brought1, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, f32, !many__acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !many__rows
          %sum_factors = vector.shape_cast %factors : !many__rows to !many__sum_factors
          %all_factors = vector.broadcast %sum_factors : !many__sum_factors to !many__acc
          %acc_less = arith.mulf %acc, %all_factors : !many__acc
          scf.yield %higher0, %higher1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, !many__acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !many__acc
        }
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !many__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !many__rows to !many__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !many__scores
        %logits_flat = vector.shape_cast %logits : !many__scores to !many__scores_flat
        %logit0 = vector.extract %logits_flat[0] : f32 from !many__scores_flat
        %exp0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit0) : (f32) -> f32
        %logit1 = vector.extract %logits_flat[1] : f32 from !many__scores_flat
        %exp1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit1) : (f32) -> f32
        %logit2 = vector.extract %logits_flat[2] : f32 from !many__scores_flat
        %exp2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit2) : (f32) -> f32
        %logit3 = vector.extract %logits_flat[3] : f32 from !many__scores_flat
        %exp3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit3) : (f32) -> f32
        %logit4 = vector.extract %logits_flat[4] : f32 from !many__scores_flat
        %exp4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit4) : (f32) -> f32
        %logit5 = vector.extract %logits_flat[5] : f32 from !many__scores_flat
        %exp5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit5) : (f32) -> f32
        %logit6 = vector.extract %logits_flat[6] : f32 from !many__scores_flat
        %exp6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit6) : (f32) -> f32
        %logit7 = vector.extract %logits_flat[7] : f32 from !many__scores_flat
        %exp7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit7) : (f32) -> f32
        %logit8 = vector.extract %logits_flat[8] : f32 from !many__scores_flat
        %exp8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit8) : (f32) -> f32
        %logit9 = vector.extract %logits_flat[9] : f32 from !many__scores_flat
        %exp9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit9) : (f32) -> f32
        %logit10 = vector.extract %logits_flat[10] : f32 from !many__scores_flat
        %exp10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit10) : (f32) -> f32
        %logit11 = vector.extract %logits_flat[11] : f32 from !many__scores_flat
        %exp11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit11) : (f32) -> f32
        %logit12 = vector.extract %logits_flat[12] : f32 from !many__scores_flat
        %exp12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit12) : (f32) -> f32
        %logit13 = vector.extract %logits_flat[13] : f32 from !many__scores_flat
        %exp13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit13) : (f32) -> f32
        %logit14 = vector.extract %logits_flat[14] : f32 from !many__scores_flat
        %exp14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit14) : (f32) -> f32
        %logit15 = vector.extract %logits_flat[15] : f32 from !many__scores_flat
        %exp15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit15) : (f32) -> f32
        %logit16 = vector.extract %logits_flat[16] : f32 from !many__scores_flat
        %exp16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit16) : (f32) -> f32
        %logit17 = vector.extract %logits_flat[17] : f32 from !many__scores_flat
        %exp17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit17) : (f32) -> f32
        %logit18 = vector.extract %logits_flat[18] : f32 from !many__scores_flat
        %exp18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit18) : (f32) -> f32
        %logit19 = vector.extract %logits_flat[19] : f32 from !many__scores_flat
        %exp19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit19) : (f32) -> f32
        %logit20 = vector.extract %logits_flat[20] : f32 from !many__scores_flat
        %exp20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit20) : (f32) -> f32
        %logit21 = vector.extract %logits_flat[21] : f32 from !many__scores_flat
        %exp21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit21) : (f32) -> f32
        %logit22 = vector.extract %logits_flat[22] : f32 from !many__scores_flat
        %exp22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit22) : (f32) -> f32
        %logit23 = vector.extract %logits_flat[23] : f32 from !many__scores_flat
        %exp23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit23) : (f32) -> f32
        %logit24 = vector.extract %logits_flat[24] : f32 from !many__scores_flat
        %exp24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit24) : (f32) -> f32
        %logit25 = vector.extract %logits_flat[25] : f32 from !many__scores_flat
        %exp25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit25) : (f32) -> f32
        %logit26 = vector.extract %logits_flat[26] : f32 from !many__scores_flat
        %exp26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit26) : (f32) -> f32
        %logit27 = vector.extract %logits_flat[27] : f32 from !many__scores_flat
        %exp27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit27) : (f32) -> f32
        %logit28 = vector.extract %logits_flat[28] : f32 from !many__scores_flat
        %exp28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit28) : (f32) -> f32
        %logit29 = vector.extract %logits_flat[29] : f32 from !many__scores_flat
        %exp29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit29) : (f32) -> f32
        %logit30 = vector.extract %logits_flat[30] : f32 from !many__scores_flat
        %exp30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit30) : (f32) -> f32
        %logit31 = vector.extract %logits_flat[31] : f32 from !many__scores_flat
        %exp31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit31) : (f32) -> f32
        %exps_flat = vector.from_elements %exp0, %exp1, %exp2, %exp3, %exp4, %exp5, %exp6, %exp7, %exp8, %exp9, %exp10, %exp11, %exp12, %exp13, %exp14, %exp15, %exp16, %exp17, %exp18, %exp19, %exp20, %exp21, %exp22, %exp23, %exp24, %exp25, %exp26, %exp27, %exp28, %exp29, %exp30, %exp31 : !many__scores_flat
        %exps = vector.shape_cast %exps_flat : !many__scores_flat to !many__scores
        %no_pairs = arith.constant dense<0.0> : !many__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !many__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !many__scores
        %pair0 = "nvvm.convert.f32x2.to.f16x2"(%odd0, %even0)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !many__pair into !many__pairs
        %even1 = vector.extract %exps[1, 0, 0] : f32 from !many__scores
        %odd1 = vector.extract %exps[1, 0, 1] : f32 from !many__scores
        %pair1 = "nvvm.convert.f32x2.to.f16x2"(%odd1, %even1)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !many__pair into !many__pairs
        %even2 = vector.extract %exps[2, 0, 0] : f32 from !many__scores
        %odd2 = vector.extract %exps[2, 0, 1] : f32 from !many__scores
        %pair2 = "nvvm.convert.f32x2.to.f16x2"(%odd2, %even2)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !many__pair into !many__pairs
        %even3 = vector.extract %exps[3, 0, 0] : f32 from !many__scores
        %odd3 = vector.extract %exps[3, 0, 1] : f32 from !many__scores
        %pair3 = "nvvm.convert.f32x2.to.f16x2"(%odd3, %even3)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !many__pair into !many__pairs
        %even4 = vector.extract %exps[4, 0, 0] : f32 from !many__scores
        %odd4 = vector.extract %exps[4, 0, 1] : f32 from !many__scores
        %pair4 = "nvvm.convert.f32x2.to.f16x2"(%odd4, %even4)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !many__pair into !many__pairs
        %even5 = vector.extract %exps[5, 0, 0] : f32 from !many__scores
        %odd5 = vector.extract %exps[5, 0, 1] : f32 from !many__scores
        %pair5 = "nvvm.convert.f32x2.to.f16x2"(%odd5, %even5)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !many__pair into !many__pairs
        %even6 = vector.extract %exps[6, 0, 0] : f32 from !many__scores
        %odd6 = vector.extract %exps[6, 0, 1] : f32 from !many__scores
        %pair6 = "nvvm.convert.f32x2.to.f16x2"(%odd6, %even6)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !many__pair into !many__pairs
        %even7 = vector.extract %exps[7, 0, 0] : f32 from !many__scores
        %odd7 = vector.extract %exps[7, 0, 1] : f32 from !many__scores
        %pair7 = "nvvm.convert.f32x2.to.f16x2"(%odd7, %even7)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !many__pair into !many__pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !many__scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !many__scores
        %pair8 = "nvvm.convert.f32x2.to.f16x2"(%odd8, %even8)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !many__pair into !many__pairs
        %even9 = vector.extract %exps[1, 1, 0] : f32 from !many__scores
        %odd9 = vector.extract %exps[1, 1, 1] : f32 from !many__scores
        %pair9 = "nvvm.convert.f32x2.to.f16x2"(%odd9, %even9)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !many__pair into !many__pairs
        %even10 = vector.extract %exps[2, 1, 0] : f32 from !many__scores
        %odd10 = vector.extract %exps[2, 1, 1] : f32 from !many__scores
        %pair10 = "nvvm.convert.f32x2.to.f16x2"(%odd10, %even10)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !many__pair into !many__pairs
        %even11 = vector.extract %exps[3, 1, 0] : f32 from !many__scores
        %odd11 = vector.extract %exps[3, 1, 1] : f32 from !many__scores
        %pair11 = "nvvm.convert.f32x2.to.f16x2"(%odd11, %even11)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !many__pair into !many__pairs
        %even12 = vector.extract %exps[4, 1, 0] : f32 from !many__scores
        %odd12 = vector.extract %exps[4, 1, 1] : f32 from !many__scores
        %pair12 = "nvvm.convert.f32x2.to.f16x2"(%odd12, %even12)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !many__pair into !many__pairs
        %even13 = vector.extract %exps[5, 1, 0] : f32 from !many__scores
        %odd13 = vector.extract %exps[5, 1, 1] : f32 from !many__scores
        %pair13 = "nvvm.convert.f32x2.to.f16x2"(%odd13, %even13)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !many__pair into !many__pairs
        %even14 = vector.extract %exps[6, 1, 0] : f32 from !many__scores
        %odd14 = vector.extract %exps[6, 1, 1] : f32 from !many__scores
        %pair14 = "nvvm.convert.f32x2.to.f16x2"(%odd14, %even14)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !many__pair into !many__pairs
        %even15 = vector.extract %exps[7, 1, 0] : f32 from !many__scores
        %odd15 = vector.extract %exps[7, 1, 1] : f32 from !many__scores
        %pair15 = "nvvm.convert.f32x2.to.f16x2"(%odd15, %even15)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs = vector.insert %pair15, %pairs_15[15] : !many__pair into !many__pairs
        %weights_own = vector.shape_cast %pairs : !many__pairs to !many__weights_own
        %exps_to0 = vector.extract %exps[0] : !many__score_tile from !many__scores
        %exps_of1 = vector.extract %exps[1] : !many__score_tile from !many__scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !many__score_tile
        %exps_of2 = vector.extract %exps[2] : !many__score_tile from !many__scores
        %exps_to2 = arith.addf %exps_to1, %exps_of2 : !many__score_tile
        %exps_of3 = vector.extract %exps[3] : !many__score_tile from !many__scores
        %exps_to3 = arith.addf %exps_to2, %exps_of3 : !many__score_tile
        %exps_of4 = vector.extract %exps[4] : !many__score_tile from !many__scores
        %exps_to4 = arith.addf %exps_to3, %exps_of4 : !many__score_tile
        %exps_of5 = vector.extract %exps[5] : !many__score_tile from !many__scores
        %exps_to5 = arith.addf %exps_to4, %exps_of5 : !many__score_tile
        %exps_of6 = vector.extract %exps[6] : !many__score_tile from !many__scores
        %exps_to6 = arith.addf %exps_to5, %exps_of6 : !many__score_tile
        %exps_of7 = vector.extract %exps[7] : !many__score_tile from !many__scores
        %exps_to7 = arith.addf %exps_to6, %exps_of7 : !many__score_tile
        %row_exps0 = vector.extract %exps_to7[0] : !many__row_scores from !many__score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !many__row_scores
          into f32
        %row_exps1 = vector.extract %exps_to7[1] : !many__row_scores from !many__score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !many__row_scores
          into f32
        %weight_parts = vector.shape_cast %weights_own : !many__weights_own to !many__weight_parts
        %weight_parts_turned = vector.transpose %weight_parts, [0, 2, 1, 3, 4]
          : !many__weight_parts to !many__weight_parts_turned
        %weights = vector.shape_cast %weight_parts_turned : !many__weight_parts_turned to !many__weights_operand
        %value_column0 = arith.constant 0 : index
        %turned0_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned0_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1]
          : !many__turned into !many__all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !many__all_turned to !many__value_keys
        %value0 = vector.shape_cast %value_keys0 : !many__value_keys to !many__value_operand
        %sums0 = vector.extract %acc_brought[0] : !many__sums from !many__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%weights, %value0) outs(%sums0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !many__sums into !many__acc
        %value_column1 = arith.constant 8 : index
        %turned1_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned1_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1]
          : !many__turned into !many__all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !many__all_turned to !many__value_keys
        %value1 = vector.shape_cast %value_keys1 : !many__value_keys to !many__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !many__sums from !many__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%weights, %value1) outs(%sums1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !many__sums into !many__acc
        %value_column2 = arith.constant 16 : index
        %turned2_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned2_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1]
          : !many__turned into !many__all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !many__all_turned to !many__value_keys
        %value2 = vector.shape_cast %value_keys2 : !many__value_keys to !many__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !many__sums from !many__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%weights, %value2) outs(%sums2)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !many__sums into !many__acc
        %value_column3 = arith.constant 24 : index
        %turned3_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned3_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1]
          : !many__turned into !many__all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !many__all_turned to !many__value_keys
        %value3 = vector.shape_cast %value_keys3 : !many__value_keys to !many__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !many__sums from !many__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%weights, %value3) outs(%sums3)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !many__sums into !many__acc
        %value_column4 = arith.constant 32 : index
        %turned4_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned4_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1]
          : !many__turned into !many__all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !many__all_turned to !many__value_keys
        %value4 = vector.shape_cast %value_keys4 : !many__value_keys to !many__value_operand
        %sums4 = vector.extract %acc_next_4[4] : !many__sums from !many__acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%weights, %value4) outs(%sums4)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !many__sums into !many__acc
        %value_column5 = arith.constant 40 : index
        %turned5_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned5_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1]
          : !many__turned into !many__all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !many__all_turned to !many__value_keys
        %value5 = vector.shape_cast %value_keys5 : !many__value_keys to !many__value_operand
        %sums5 = vector.extract %acc_next_5[5] : !many__sums from !many__acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%weights, %value5) outs(%sums5)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !many__sums into !many__acc
        %value_column6 = arith.constant 48 : index
        %turned6_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned6_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1]
          : !many__turned into !many__all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !many__all_turned to !many__value_keys
        %value6 = vector.shape_cast %value_keys6 : !many__value_keys to !many__value_operand
        %sums6 = vector.extract %acc_next_6[6] : !many__sums from !many__acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%weights, %value6) outs(%sums6)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !many__sums into !many__acc
        %value_column7 = arith.constant 56 : index
        %turned7_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned7_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1]
          : !many__turned into !many__all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !many__all_turned to !many__value_keys
        %value7 = vector.shape_cast %value_keys7 : !many__value_keys to !many__value_operand
        %sums7 = vector.extract %acc_next_7[7] : !many__sums from !many__acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%weights, %value7) outs(%sums7)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !many__sums into !many__acc
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
          : f32, f32, f32, f32, !many__acc
      }
      %max0_2, %max1_2, %sum0_2, %sum1_2, %acc_2 =
        scf.for %t0 = %full_end to %end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %max1 = %max1_1,
            %sum0 = %sum0_1,
            %sum1 = %sum1_1,
            %acc = %acc_1) -> (f32, f32, f32, f32, !many__acc) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
      %key_any_k0 = affine.apply #many__key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<160xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
      %key_any_k1 = affine.apply #many__key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k1, %key_k0)
      %key_any_k2 = affine.apply #many__key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k2, %key_k0)
      %key_any_k3 = affine.apply #many__key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k3, %key_k0)
      %key_any_v0 = affine.apply #many__key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<160xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #many__key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #many__key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #many__key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %buffer_after = affine.apply #many__buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!many__key_lds, index, index, !many__keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #many__key_of_step0(%t_after, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #many__key_of_step1(%t_after, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #many__key_of_step2(%t_after, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #many__key_of_step3(%t_after, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!many__value_lds, index, index, !many__values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, !many__acc) {
        %buffer_here = affine.apply #many__buffer(%t0)
        %index_here = arith.addi %buffer_here, %index : index
        %value_row0 = affine.apply
          affine_map<(b, r) -> (b + r + 0)>(%buffer_here, %turned_row)
        %value_row1 = affine.apply
          affine_map<(b, r) -> (b + r + 32)>(%buffer_here, %turned_row)
        %none_turned = arith.constant dense<0.0> : !many__all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !many__head_chunk to !many__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%query0, %keys0_0) outs(%score_sums0_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !many__head_chunk to !many__key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%query0, %keys1_0) outs(%score_sums1_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row2_0 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_0 =
          "vector.load"(%key_lds, %key_row2_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys2_0 = vector.shape_cast %key_chunk2_0
          : !many__head_chunk to !many__key_operand
        %score_sums2_1 = iree_codegen.inner_tiled
          ins(%query0, %keys2_0) outs(%score_sums2_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row3_0 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_0 =
          "vector.load"(%key_lds, %key_row3_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys3_0 = vector.shape_cast %key_chunk3_0
          : !many__head_chunk to !many__key_operand
        %score_sums3_1 = iree_codegen.inner_tiled
          ins(%query0, %keys3_0) outs(%score_sums3_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row4_0 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_0 =
          "vector.load"(%key_lds, %key_row4_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys4_0 = vector.shape_cast %key_chunk4_0
          : !many__head_chunk to !many__key_operand
        %score_sums4_1 = iree_codegen.inner_tiled
          ins(%query0, %keys4_0) outs(%score_sums4_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row5_0 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_0 =
          "vector.load"(%key_lds, %key_row5_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys5_0 = vector.shape_cast %key_chunk5_0
          : !many__head_chunk to !many__key_operand
        %score_sums5_1 = iree_codegen.inner_tiled
          ins(%query0, %keys5_0) outs(%score_sums5_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row6_0 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_0 =
          "vector.load"(%key_lds, %key_row6_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys6_0 = vector.shape_cast %key_chunk6_0
          : !many__head_chunk to !many__key_operand
        %score_sums6_1 = iree_codegen.inner_tiled
          ins(%query0, %keys6_0) outs(%score_sums6_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row7_0 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_0 =
          "vector.load"(%key_lds, %key_row7_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys7_0 = vector.shape_cast %key_chunk7_0
          : !many__head_chunk to !many__key_operand
        %score_sums7_1 = iree_codegen.inner_tiled
          ins(%query0, %keys7_0) outs(%score_sums7_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !many__head_chunk to !many__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%query1, %keys0_1) outs(%score_sums0_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row1_1 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !many__head_chunk to !many__key_operand
        %score_sums1_2 = iree_codegen.inner_tiled
          ins(%query1, %keys1_1) outs(%score_sums1_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row2_1 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_1 =
          "vector.load"(%key_lds, %key_row2_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys2_1 = vector.shape_cast %key_chunk2_1
          : !many__head_chunk to !many__key_operand
        %score_sums2_2 = iree_codegen.inner_tiled
          ins(%query1, %keys2_1) outs(%score_sums2_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row3_1 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_1 =
          "vector.load"(%key_lds, %key_row3_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys3_1 = vector.shape_cast %key_chunk3_1
          : !many__head_chunk to !many__key_operand
        %score_sums3_2 = iree_codegen.inner_tiled
          ins(%query1, %keys3_1) outs(%score_sums3_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row4_1 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_1 =
          "vector.load"(%key_lds, %key_row4_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys4_1 = vector.shape_cast %key_chunk4_1
          : !many__head_chunk to !many__key_operand
        %score_sums4_2 = iree_codegen.inner_tiled
          ins(%query1, %keys4_1) outs(%score_sums4_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row5_1 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_1 =
          "vector.load"(%key_lds, %key_row5_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys5_1 = vector.shape_cast %key_chunk5_1
          : !many__head_chunk to !many__key_operand
        %score_sums5_2 = iree_codegen.inner_tiled
          ins(%query1, %keys5_1) outs(%score_sums5_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row6_1 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_1 =
          "vector.load"(%key_lds, %key_row6_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys6_1 = vector.shape_cast %key_chunk6_1
          : !many__head_chunk to !many__key_operand
        %score_sums6_2 = iree_codegen.inner_tiled
          ins(%query1, %keys6_1) outs(%score_sums6_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %key_row7_1 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_1 =
          "vector.load"(%key_lds, %key_row7_1, %key_column1)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys7_1 = vector.shape_cast %key_chunk7_1
          : !many__head_chunk to !many__key_operand
        %score_sums7_2 = iree_codegen.inner_tiled
          ins(%query1, %keys7_1) outs(%score_sums7_1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__query_operand, !many__key_operand into !many__sums
        %no_scores = arith.constant dense<0.0> : !many__scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !many__sums to !many__score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !many__score_tile into !many__scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !many__sums to !many__score_tile
        %scores_2 = vector.insert %score_tile1, %scores_1[1]
          : !many__score_tile into !many__scores
        %score_tile2 = vector.shape_cast %score_sums2_2
          : !many__sums to !many__score_tile
        %scores_3 = vector.insert %score_tile2, %scores_2[2]
          : !many__score_tile into !many__scores
        %score_tile3 = vector.shape_cast %score_sums3_2
          : !many__sums to !many__score_tile
        %scores_4 = vector.insert %score_tile3, %scores_3[3]
          : !many__score_tile into !many__scores
        %score_tile4 = vector.shape_cast %score_sums4_2
          : !many__sums to !many__score_tile
        %scores_5 = vector.insert %score_tile4, %scores_4[4]
          : !many__score_tile into !many__scores
        %score_tile5 = vector.shape_cast %score_sums5_2
          : !many__sums to !many__score_tile
        %scores_6 = vector.insert %score_tile5, %scores_5[5]
          : !many__score_tile into !many__scores
        %score_tile6 = vector.shape_cast %score_sums6_2
          : !many__sums to !many__score_tile
        %scores_7 = vector.insert %score_tile6, %scores_6[6]
          : !many__score_tile into !many__scores
        %score_tile7 = vector.shape_cast %score_sums7_2
          : !many__sums to !many__score_tile
        %scores = vector.insert %score_tile7, %scores_7[7]
          : !many__score_tile into !many__scores
        %key_numbers = arith.constant dense<[[[0, 1], [0, 1]], [[2, 3], [2, 3]], [[4, 5], [4, 5]], [[6, 7], [6, 7]], [[8, 9], [8, 9]], [[10, 11], [10, 11]], [[12, 13], [12, 13]], [[14, 15], [14, 15]]]> : !many__score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %last_rows = vector.from_elements %last_i32_0, %last_i32_1 : !many__row_bits
        %lasts = vector.broadcast %last_rows : !many__row_bits to !many__score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !many__score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !many__is_seen, !many__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !many__row_scores from !many__scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !many__row_scores from !many__scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !many__row_scores
        %of_tile0_2 = vector.extract %scores_ruled[2, 0]
          : !many__row_scores from !many__scores
        %top0_2 = arith.maxnumf %top0_1, %of_tile0_2
          fastmath<nnan> : !many__row_scores
        %of_tile0_3 = vector.extract %scores_ruled[3, 0]
          : !many__row_scores from !many__scores
        %top0_3 = arith.maxnumf %top0_2, %of_tile0_3
          fastmath<nnan> : !many__row_scores
        %of_tile0_4 = vector.extract %scores_ruled[4, 0]
          : !many__row_scores from !many__scores
        %top0_4 = arith.maxnumf %top0_3, %of_tile0_4
          fastmath<nnan> : !many__row_scores
        %of_tile0_5 = vector.extract %scores_ruled[5, 0]
          : !many__row_scores from !many__scores
        %top0_5 = arith.maxnumf %top0_4, %of_tile0_5
          fastmath<nnan> : !many__row_scores
        %of_tile0_6 = vector.extract %scores_ruled[6, 0]
          : !many__row_scores from !many__scores
        %top0_6 = arith.maxnumf %top0_5, %of_tile0_6
          fastmath<nnan> : !many__row_scores
        %of_tile0_7 = vector.extract %scores_ruled[7, 0]
          : !many__row_scores from !many__scores
        %top0_7 = arith.maxnumf %top0_6, %of_tile0_7
          fastmath<nnan> : !many__row_scores
        %top0 = vector.extract %top0_7[0] : f32 from !many__row_scores
        %of_key0_1 = vector.extract %top0_7[1]
          : f32 from !many__row_scores
        %largest0 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0_1 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_there0_2, %best_is_there0_2 =
          gpu.shuffle xor %best0_1, %distance2, %wave_size : f32
        %best0 = arith.maxnumf %best0_1, %best_there0_2 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %top1_0 = vector.extract %scores_ruled[0, 1] : !many__row_scores from !many__scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !many__row_scores from !many__scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !many__row_scores
        %of_tile1_2 = vector.extract %scores_ruled[2, 1]
          : !many__row_scores from !many__scores
        %top1_2 = arith.maxnumf %top1_1, %of_tile1_2
          fastmath<nnan> : !many__row_scores
        %of_tile1_3 = vector.extract %scores_ruled[3, 1]
          : !many__row_scores from !many__scores
        %top1_3 = arith.maxnumf %top1_2, %of_tile1_3
          fastmath<nnan> : !many__row_scores
        %of_tile1_4 = vector.extract %scores_ruled[4, 1]
          : !many__row_scores from !many__scores
        %top1_4 = arith.maxnumf %top1_3, %of_tile1_4
          fastmath<nnan> : !many__row_scores
        %of_tile1_5 = vector.extract %scores_ruled[5, 1]
          : !many__row_scores from !many__scores
        %top1_5 = arith.maxnumf %top1_4, %of_tile1_5
          fastmath<nnan> : !many__row_scores
        %of_tile1_6 = vector.extract %scores_ruled[6, 1]
          : !many__row_scores from !many__scores
        %top1_6 = arith.maxnumf %top1_5, %of_tile1_6
          fastmath<nnan> : !many__row_scores
        %of_tile1_7 = vector.extract %scores_ruled[7, 1]
          : !many__row_scores from !many__scores
        %top1_7 = arith.maxnumf %top1_6, %of_tile1_7
          fastmath<nnan> : !many__row_scores
        %top1 = vector.extract %top1_7[0] : f32 from !many__row_scores
        %of_key1_1 = vector.extract %top1_7[1]
          : f32 from !many__row_scores
        %largest1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %largest1, %distance1, %wave_size : f32
        %best1_1 = arith.maxnumf %largest1, %best_there1_1 : f32
        %best_there1_2, %best_is_there1_2 =
          gpu.shuffle xor %best1_1, %distance2, %wave_size : f32
        %best1 = arith.maxnumf %best1_1, %best_there1_2 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_1 = arith.ori %no, %grows0 : i1
        %any_grows = arith.ori %any_grows_1, %grows1 : i1
        %max_next0, %max_next1, %sum_brought0, %sum_brought1, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, f32, !many__acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !many__rows
          %sum_factors = vector.shape_cast %factors : !many__rows to !many__sum_factors
          %all_factors = vector.broadcast %sum_factors : !many__sum_factors to !many__acc
          %acc_less = arith.mulf %acc, %all_factors : !many__acc
          scf.yield %higher0, %higher1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, !many__acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !many__acc
        }
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !many__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !many__rows to !many__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !many__scores
        %logits_flat = vector.shape_cast %logits : !many__scores to !many__scores_flat
        %logit0 = vector.extract %logits_flat[0] : f32 from !many__scores_flat
        %exp0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit0) : (f32) -> f32
        %logit1 = vector.extract %logits_flat[1] : f32 from !many__scores_flat
        %exp1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit1) : (f32) -> f32
        %logit2 = vector.extract %logits_flat[2] : f32 from !many__scores_flat
        %exp2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit2) : (f32) -> f32
        %logit3 = vector.extract %logits_flat[3] : f32 from !many__scores_flat
        %exp3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit3) : (f32) -> f32
        %logit4 = vector.extract %logits_flat[4] : f32 from !many__scores_flat
        %exp4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit4) : (f32) -> f32
        %logit5 = vector.extract %logits_flat[5] : f32 from !many__scores_flat
        %exp5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit5) : (f32) -> f32
        %logit6 = vector.extract %logits_flat[6] : f32 from !many__scores_flat
        %exp6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit6) : (f32) -> f32
        %logit7 = vector.extract %logits_flat[7] : f32 from !many__scores_flat
        %exp7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit7) : (f32) -> f32
        %logit8 = vector.extract %logits_flat[8] : f32 from !many__scores_flat
        %exp8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit8) : (f32) -> f32
        %logit9 = vector.extract %logits_flat[9] : f32 from !many__scores_flat
        %exp9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit9) : (f32) -> f32
        %logit10 = vector.extract %logits_flat[10] : f32 from !many__scores_flat
        %exp10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit10) : (f32) -> f32
        %logit11 = vector.extract %logits_flat[11] : f32 from !many__scores_flat
        %exp11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit11) : (f32) -> f32
        %logit12 = vector.extract %logits_flat[12] : f32 from !many__scores_flat
        %exp12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit12) : (f32) -> f32
        %logit13 = vector.extract %logits_flat[13] : f32 from !many__scores_flat
        %exp13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit13) : (f32) -> f32
        %logit14 = vector.extract %logits_flat[14] : f32 from !many__scores_flat
        %exp14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit14) : (f32) -> f32
        %logit15 = vector.extract %logits_flat[15] : f32 from !many__scores_flat
        %exp15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit15) : (f32) -> f32
        %logit16 = vector.extract %logits_flat[16] : f32 from !many__scores_flat
        %exp16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit16) : (f32) -> f32
        %logit17 = vector.extract %logits_flat[17] : f32 from !many__scores_flat
        %exp17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit17) : (f32) -> f32
        %logit18 = vector.extract %logits_flat[18] : f32 from !many__scores_flat
        %exp18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit18) : (f32) -> f32
        %logit19 = vector.extract %logits_flat[19] : f32 from !many__scores_flat
        %exp19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit19) : (f32) -> f32
        %logit20 = vector.extract %logits_flat[20] : f32 from !many__scores_flat
        %exp20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit20) : (f32) -> f32
        %logit21 = vector.extract %logits_flat[21] : f32 from !many__scores_flat
        %exp21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit21) : (f32) -> f32
        %logit22 = vector.extract %logits_flat[22] : f32 from !many__scores_flat
        %exp22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit22) : (f32) -> f32
        %logit23 = vector.extract %logits_flat[23] : f32 from !many__scores_flat
        %exp23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit23) : (f32) -> f32
        %logit24 = vector.extract %logits_flat[24] : f32 from !many__scores_flat
        %exp24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit24) : (f32) -> f32
        %logit25 = vector.extract %logits_flat[25] : f32 from !many__scores_flat
        %exp25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit25) : (f32) -> f32
        %logit26 = vector.extract %logits_flat[26] : f32 from !many__scores_flat
        %exp26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit26) : (f32) -> f32
        %logit27 = vector.extract %logits_flat[27] : f32 from !many__scores_flat
        %exp27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit27) : (f32) -> f32
        %logit28 = vector.extract %logits_flat[28] : f32 from !many__scores_flat
        %exp28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit28) : (f32) -> f32
        %logit29 = vector.extract %logits_flat[29] : f32 from !many__scores_flat
        %exp29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit29) : (f32) -> f32
        %logit30 = vector.extract %logits_flat[30] : f32 from !many__scores_flat
        %exp30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit30) : (f32) -> f32
        %logit31 = vector.extract %logits_flat[31] : f32 from !many__scores_flat
        %exp31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit31) : (f32) -> f32
        %exps_flat = vector.from_elements %exp0, %exp1, %exp2, %exp3, %exp4, %exp5, %exp6, %exp7, %exp8, %exp9, %exp10, %exp11, %exp12, %exp13, %exp14, %exp15, %exp16, %exp17, %exp18, %exp19, %exp20, %exp21, %exp22, %exp23, %exp24, %exp25, %exp26, %exp27, %exp28, %exp29, %exp30, %exp31 : !many__scores_flat
        %exps = vector.shape_cast %exps_flat : !many__scores_flat to !many__scores
        %no_pairs = arith.constant dense<0.0> : !many__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !many__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !many__scores
        %pair0 = "nvvm.convert.f32x2.to.f16x2"(%odd0, %even0)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !many__pair into !many__pairs
        %even1 = vector.extract %exps[1, 0, 0] : f32 from !many__scores
        %odd1 = vector.extract %exps[1, 0, 1] : f32 from !many__scores
        %pair1 = "nvvm.convert.f32x2.to.f16x2"(%odd1, %even1)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !many__pair into !many__pairs
        %even2 = vector.extract %exps[2, 0, 0] : f32 from !many__scores
        %odd2 = vector.extract %exps[2, 0, 1] : f32 from !many__scores
        %pair2 = "nvvm.convert.f32x2.to.f16x2"(%odd2, %even2)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !many__pair into !many__pairs
        %even3 = vector.extract %exps[3, 0, 0] : f32 from !many__scores
        %odd3 = vector.extract %exps[3, 0, 1] : f32 from !many__scores
        %pair3 = "nvvm.convert.f32x2.to.f16x2"(%odd3, %even3)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !many__pair into !many__pairs
        %even4 = vector.extract %exps[4, 0, 0] : f32 from !many__scores
        %odd4 = vector.extract %exps[4, 0, 1] : f32 from !many__scores
        %pair4 = "nvvm.convert.f32x2.to.f16x2"(%odd4, %even4)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !many__pair into !many__pairs
        %even5 = vector.extract %exps[5, 0, 0] : f32 from !many__scores
        %odd5 = vector.extract %exps[5, 0, 1] : f32 from !many__scores
        %pair5 = "nvvm.convert.f32x2.to.f16x2"(%odd5, %even5)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !many__pair into !many__pairs
        %even6 = vector.extract %exps[6, 0, 0] : f32 from !many__scores
        %odd6 = vector.extract %exps[6, 0, 1] : f32 from !many__scores
        %pair6 = "nvvm.convert.f32x2.to.f16x2"(%odd6, %even6)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !many__pair into !many__pairs
        %even7 = vector.extract %exps[7, 0, 0] : f32 from !many__scores
        %odd7 = vector.extract %exps[7, 0, 1] : f32 from !many__scores
        %pair7 = "nvvm.convert.f32x2.to.f16x2"(%odd7, %even7)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !many__pair into !many__pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !many__scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !many__scores
        %pair8 = "nvvm.convert.f32x2.to.f16x2"(%odd8, %even8)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !many__pair into !many__pairs
        %even9 = vector.extract %exps[1, 1, 0] : f32 from !many__scores
        %odd9 = vector.extract %exps[1, 1, 1] : f32 from !many__scores
        %pair9 = "nvvm.convert.f32x2.to.f16x2"(%odd9, %even9)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !many__pair into !many__pairs
        %even10 = vector.extract %exps[2, 1, 0] : f32 from !many__scores
        %odd10 = vector.extract %exps[2, 1, 1] : f32 from !many__scores
        %pair10 = "nvvm.convert.f32x2.to.f16x2"(%odd10, %even10)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !many__pair into !many__pairs
        %even11 = vector.extract %exps[3, 1, 0] : f32 from !many__scores
        %odd11 = vector.extract %exps[3, 1, 1] : f32 from !many__scores
        %pair11 = "nvvm.convert.f32x2.to.f16x2"(%odd11, %even11)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !many__pair into !many__pairs
        %even12 = vector.extract %exps[4, 1, 0] : f32 from !many__scores
        %odd12 = vector.extract %exps[4, 1, 1] : f32 from !many__scores
        %pair12 = "nvvm.convert.f32x2.to.f16x2"(%odd12, %even12)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !many__pair into !many__pairs
        %even13 = vector.extract %exps[5, 1, 0] : f32 from !many__scores
        %odd13 = vector.extract %exps[5, 1, 1] : f32 from !many__scores
        %pair13 = "nvvm.convert.f32x2.to.f16x2"(%odd13, %even13)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !many__pair into !many__pairs
        %even14 = vector.extract %exps[6, 1, 0] : f32 from !many__scores
        %odd14 = vector.extract %exps[6, 1, 1] : f32 from !many__scores
        %pair14 = "nvvm.convert.f32x2.to.f16x2"(%odd14, %even14)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !many__pair into !many__pairs
        %even15 = vector.extract %exps[7, 1, 0] : f32 from !many__scores
        %odd15 = vector.extract %exps[7, 1, 1] : f32 from !many__scores
        %pair15 = "nvvm.convert.f32x2.to.f16x2"(%odd15, %even15)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !many__pair
        %pairs = vector.insert %pair15, %pairs_15[15] : !many__pair into !many__pairs
        %weights_own = vector.shape_cast %pairs : !many__pairs to !many__weights_own
        %exps_to0 = vector.extract %exps[0] : !many__score_tile from !many__scores
        %exps_of1 = vector.extract %exps[1] : !many__score_tile from !many__scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !many__score_tile
        %exps_of2 = vector.extract %exps[2] : !many__score_tile from !many__scores
        %exps_to2 = arith.addf %exps_to1, %exps_of2 : !many__score_tile
        %exps_of3 = vector.extract %exps[3] : !many__score_tile from !many__scores
        %exps_to3 = arith.addf %exps_to2, %exps_of3 : !many__score_tile
        %exps_of4 = vector.extract %exps[4] : !many__score_tile from !many__scores
        %exps_to4 = arith.addf %exps_to3, %exps_of4 : !many__score_tile
        %exps_of5 = vector.extract %exps[5] : !many__score_tile from !many__scores
        %exps_to5 = arith.addf %exps_to4, %exps_of5 : !many__score_tile
        %exps_of6 = vector.extract %exps[6] : !many__score_tile from !many__scores
        %exps_to6 = arith.addf %exps_to5, %exps_of6 : !many__score_tile
        %exps_of7 = vector.extract %exps[7] : !many__score_tile from !many__scores
        %exps_to7 = arith.addf %exps_to6, %exps_of7 : !many__score_tile
        %row_exps0 = vector.extract %exps_to7[0] : !many__row_scores from !many__score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !many__row_scores
          into f32
        %row_exps1 = vector.extract %exps_to7[1] : !many__row_scores from !many__score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !many__row_scores
          into f32
        %weight_parts = vector.shape_cast %weights_own : !many__weights_own to !many__weight_parts
        %weight_parts_turned = vector.transpose %weight_parts, [0, 2, 1, 3, 4]
          : !many__weight_parts to !many__weight_parts_turned
        %weights = vector.shape_cast %weight_parts_turned : !many__weight_parts_turned to !many__weights_operand
        %value_column0 = arith.constant 0 : index
        %turned0_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned0_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1]
          : !many__turned into !many__all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !many__all_turned to !many__value_keys
        %value0 = vector.shape_cast %value_keys0 : !many__value_keys to !many__value_operand
        %sums0 = vector.extract %acc_brought[0] : !many__sums from !many__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%weights, %value0) outs(%sums0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !many__sums into !many__acc
        %value_column1 = arith.constant 8 : index
        %turned1_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned1_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1]
          : !many__turned into !many__all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !many__all_turned to !many__value_keys
        %value1 = vector.shape_cast %value_keys1 : !many__value_keys to !many__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !many__sums from !many__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%weights, %value1) outs(%sums1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !many__sums into !many__acc
        %value_column2 = arith.constant 16 : index
        %turned2_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned2_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1]
          : !many__turned into !many__all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !many__all_turned to !many__value_keys
        %value2 = vector.shape_cast %value_keys2 : !many__value_keys to !many__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !many__sums from !many__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%weights, %value2) outs(%sums2)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !many__sums into !many__acc
        %value_column3 = arith.constant 24 : index
        %turned3_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned3_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1]
          : !many__turned into !many__all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !many__all_turned to !many__value_keys
        %value3 = vector.shape_cast %value_keys3 : !many__value_keys to !many__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !many__sums from !many__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%weights, %value3) outs(%sums3)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !many__sums into !many__acc
        %value_column4 = arith.constant 32 : index
        %turned4_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned4_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1]
          : !many__turned into !many__all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !many__all_turned to !many__value_keys
        %value4 = vector.shape_cast %value_keys4 : !many__value_keys to !many__value_operand
        %sums4 = vector.extract %acc_next_4[4] : !many__sums from !many__acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%weights, %value4) outs(%sums4)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !many__sums into !many__acc
        %value_column5 = arith.constant 40 : index
        %turned5_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned5_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1]
          : !many__turned into !many__all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !many__all_turned to !many__value_keys
        %value5 = vector.shape_cast %value_keys5 : !many__value_keys to !many__value_operand
        %sums5 = vector.extract %acc_next_5[5] : !many__sums from !many__acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%weights, %value5) outs(%sums5)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !many__sums into !many__acc
        %value_column6 = arith.constant 48 : index
        %turned6_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned6_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1]
          : !many__turned into !many__all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !many__all_turned to !many__value_keys
        %value6 = vector.shape_cast %value_keys6 : !many__value_keys to !many__value_operand
        %sums6 = vector.extract %acc_next_6[6] : !many__sums from !many__acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%weights, %value6) outs(%sums6)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !many__sums into !many__acc
        %value_column7 = arith.constant 56 : index
        %turned7_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0]
          : !many__turned into !many__all_turned
        %turned7_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!many__value_lds, index, index) -> !many__turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1]
          : !many__turned into !many__all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !many__all_turned to !many__value_keys
        %value7 = vector.shape_cast %value_keys7 : !many__value_keys to !many__value_operand
        %sums7 = vector.extract %acc_next_7[7] : !many__sums from !many__acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%weights, %value7) outs(%sums7)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__weights_operand, !many__value_operand into !many__sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !many__sums into !many__acc
          scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
            : f32, f32, f32, f32, !many__acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !many__acc
        }
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
          : f32, f32, f32, f32, !many__acc
      }
      nvvm.cp.async.wait.group 0
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %acc_2 : !many__acc to !many__acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !many__acc_by_column to !many__acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %no_rows = arith.constant dense<0.0> : !many__rows_f32
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0_1 = arith.addf %sum0_2, %total_there0_1 : f32
        %total_there0_2, %total_is_there0_2 =
          gpu.shuffle xor %total0_1, %distance2, %wave_size : f32
        %total0 = arith.addf %total0_1, %total_there0_2 : f32
      %sum_row0 = arith.addf %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %inverse0 = arith.divf %one_f32, %sum_row0 : f32
      %inverses0 = vector.broadcast %inverse0 : f32 to !many__acc_row
      %sums_of_row0 = vector.extract %acc_by_row[0] : !many__acc_row from !many__acc_by_row
      %means_any0 = arith.mulf %sums_of_row0, %inverses0 : !many__acc_row
      %no_means0 = arith.constant dense<0.0> : !many__acc_row
      %means0 = arith.select %is_empty0, %no_means0, %means_any0 : !many__acc_row
      %means_flat0 = vector.shape_cast %means0 : !many__acc_row to !many__output_f32
      %output_f32_1 = vector.insert %means_flat0, %no_rows[0] : !many__output_f32 into !many__rows_f32
      %log0 = math.log %sum_row0 : f32
      %natural0 = arith.constant 0.6931471805599453 : f32
      %max_natural0 = arith.mulf %max0_2, %natural0 : f32
      %lse0 = arith.addf %max_natural0, %log0 : f32
        %total_there1_1, %total_is_there1_1 =
          gpu.shuffle xor %sum1_2, %distance1, %wave_size : f32
        %total1_1 = arith.addf %sum1_2, %total_there1_1 : f32
        %total_there1_2, %total_is_there1_2 =
          gpu.shuffle xor %total1_1, %distance2, %wave_size : f32
        %total1 = arith.addf %total1_1, %total_there1_2 : f32
      %sum_row1 = arith.addf %total1, %zero : f32
      %is_empty1 = arith.cmpf oeq, %sum_row1, %zero : f32
      %inverse1 = arith.divf %one_f32, %sum_row1 : f32
      %inverses1 = vector.broadcast %inverse1 : f32 to !many__acc_row
      %sums_of_row1 = vector.extract %acc_by_row[1] : !many__acc_row from !many__acc_by_row
      %means_any1 = arith.mulf %sums_of_row1, %inverses1 : !many__acc_row
      %no_means1 = arith.constant dense<0.0> : !many__acc_row
      %means1 = arith.select %is_empty1, %no_means1, %means_any1 : !many__acc_row
      %means_flat1 = vector.shape_cast %means1 : !many__acc_row to !many__output_f32
      %output_f32 = vector.insert %means_flat1, %output_f32_1[1] : !many__output_f32 into !many__rows_f32
      %log1 = math.log %sum_row1 : f32
      %natural1 = arith.constant 0.6931471805599453 : f32
      %max_natural1 = arith.mulf %max1_2, %natural1 : f32
      %lse1 = arith.addf %max_natural1, %log1 : f32
      %output_spread = arith.truncf %output_f32 : !many__rows_f32 to !many__output_rows
      %lse = vector.from_elements %lse0, %lse1 : !many__lse_rows
      %is_upper = affine.apply affine_map<(g) -> (g floordiv 2)>(%group)
      %is_odd = affine.apply affine_map<(g) -> (g mod 2)>(%group)
      %is_bit2 = arith.cmpi ne, %is_upper, %none : index
      %is_bit1 = arith.cmpi ne, %is_odd, %none : index
      %no_output = arith.constant dense<0.0> : !many__output_rows
      %spread0 = vector.extract %output_spread[0] : !many__output_row from !many__output_rows
      %spread_bits0 = vector.bitcast %spread0 : !many__output_row to !many__output_bits
      %pair0_0_s = vector.extract %spread_bits0[0] : i32 from !many__output_bits
      %pair0_1_s = vector.extract %spread_bits0[1] : i32 from !many__output_bits
      %pair0_2_s = vector.extract %spread_bits0[2] : i32 from !many__output_bits
      %pair0_3_s = vector.extract %spread_bits0[3] : i32 from !many__output_bits
      %pair0_4_s = vector.extract %spread_bits0[4] : i32 from !many__output_bits
      %pair0_5_s = vector.extract %spread_bits0[5] : i32 from !many__output_bits
      %pair0_6_s = vector.extract %spread_bits0[6] : i32 from !many__output_bits
      %pair0_7_s = vector.extract %spread_bits0[7] : i32 from !many__output_bits
      %given0_0_s = arith.select %is_bit2, %pair0_0_s, %pair0_4_s : i32
      %kept0_0_s = arith.select %is_bit2, %pair0_4_s, %pair0_0_s : i32
      %there0_0_s, %is_there0_0_s =
        gpu.shuffle xor %given0_0_s, %distance2, %wave_size : i32
      %pair0_0_s0 = arith.select %is_bit2, %there0_0_s, %kept0_0_s : i32
      %pair0_0_s1 = arith.select %is_bit2, %kept0_0_s, %there0_0_s : i32
      %given0_1_s = arith.select %is_bit2, %pair0_1_s, %pair0_5_s : i32
      %kept0_1_s = arith.select %is_bit2, %pair0_5_s, %pair0_1_s : i32
      %there0_1_s, %is_there0_1_s =
        gpu.shuffle xor %given0_1_s, %distance2, %wave_size : i32
      %pair0_1_s0 = arith.select %is_bit2, %there0_1_s, %kept0_1_s : i32
      %pair0_1_s1 = arith.select %is_bit2, %kept0_1_s, %there0_1_s : i32
      %given0_2_s = arith.select %is_bit2, %pair0_2_s, %pair0_6_s : i32
      %kept0_2_s = arith.select %is_bit2, %pair0_6_s, %pair0_2_s : i32
      %there0_2_s, %is_there0_2_s =
        gpu.shuffle xor %given0_2_s, %distance2, %wave_size : i32
      %pair0_2_s0 = arith.select %is_bit2, %there0_2_s, %kept0_2_s : i32
      %pair0_2_s1 = arith.select %is_bit2, %kept0_2_s, %there0_2_s : i32
      %given0_3_s = arith.select %is_bit2, %pair0_3_s, %pair0_7_s : i32
      %kept0_3_s = arith.select %is_bit2, %pair0_7_s, %pair0_3_s : i32
      %there0_3_s, %is_there0_3_s =
        gpu.shuffle xor %given0_3_s, %distance2, %wave_size : i32
      %pair0_3_s0 = arith.select %is_bit2, %there0_3_s, %kept0_3_s : i32
      %pair0_3_s1 = arith.select %is_bit2, %kept0_3_s, %there0_3_s : i32
      %given0_0_s0 = arith.select %is_bit1, %pair0_0_s0, %pair0_2_s0 : i32
      %kept0_0_s0 = arith.select %is_bit1, %pair0_2_s0, %pair0_0_s0 : i32
      %there0_0_s0, %is_there0_0_s0 =
        gpu.shuffle xor %given0_0_s0, %distance1, %wave_size : i32
      %pair0_0_s00 = arith.select %is_bit1, %there0_0_s0, %kept0_0_s0 : i32
      %pair0_0_s01 = arith.select %is_bit1, %kept0_0_s0, %there0_0_s0 : i32
      %given0_1_s0 = arith.select %is_bit1, %pair0_1_s0, %pair0_3_s0 : i32
      %kept0_1_s0 = arith.select %is_bit1, %pair0_3_s0, %pair0_1_s0 : i32
      %there0_1_s0, %is_there0_1_s0 =
        gpu.shuffle xor %given0_1_s0, %distance1, %wave_size : i32
      %pair0_1_s00 = arith.select %is_bit1, %there0_1_s0, %kept0_1_s0 : i32
      %pair0_1_s01 = arith.select %is_bit1, %kept0_1_s0, %there0_1_s0 : i32
      %given0_0_s1 = arith.select %is_bit1, %pair0_0_s1, %pair0_2_s1 : i32
      %kept0_0_s1 = arith.select %is_bit1, %pair0_2_s1, %pair0_0_s1 : i32
      %there0_0_s1, %is_there0_0_s1 =
        gpu.shuffle xor %given0_0_s1, %distance1, %wave_size : i32
      %pair0_0_s10 = arith.select %is_bit1, %there0_0_s1, %kept0_0_s1 : i32
      %pair0_0_s11 = arith.select %is_bit1, %kept0_0_s1, %there0_0_s1 : i32
      %given0_1_s1 = arith.select %is_bit1, %pair0_1_s1, %pair0_3_s1 : i32
      %kept0_1_s1 = arith.select %is_bit1, %pair0_3_s1, %pair0_1_s1 : i32
      %there0_1_s1, %is_there0_1_s1 =
        gpu.shuffle xor %given0_1_s1, %distance1, %wave_size : i32
      %pair0_1_s10 = arith.select %is_bit1, %there0_1_s1, %kept0_1_s1 : i32
      %pair0_1_s11 = arith.select %is_bit1, %kept0_1_s1, %there0_1_s1 : i32
      %gathered0 = vector.from_elements
        %pair0_0_s00,
        %pair0_0_s01,
        %pair0_0_s10,
        %pair0_0_s11,
        %pair0_1_s00,
        %pair0_1_s01,
        %pair0_1_s10,
        %pair0_1_s11
        : !many__output_bits
      %gathered_row0 = vector.bitcast %gathered0 : !many__output_bits to !many__output_row
      %output_1 = vector.insert %gathered_row0, %no_output[0]
        : !many__output_row into !many__output_rows
      %spread1 = vector.extract %output_spread[1] : !many__output_row from !many__output_rows
      %spread_bits1 = vector.bitcast %spread1 : !many__output_row to !many__output_bits
      %pair1_0_s = vector.extract %spread_bits1[0] : i32 from !many__output_bits
      %pair1_1_s = vector.extract %spread_bits1[1] : i32 from !many__output_bits
      %pair1_2_s = vector.extract %spread_bits1[2] : i32 from !many__output_bits
      %pair1_3_s = vector.extract %spread_bits1[3] : i32 from !many__output_bits
      %pair1_4_s = vector.extract %spread_bits1[4] : i32 from !many__output_bits
      %pair1_5_s = vector.extract %spread_bits1[5] : i32 from !many__output_bits
      %pair1_6_s = vector.extract %spread_bits1[6] : i32 from !many__output_bits
      %pair1_7_s = vector.extract %spread_bits1[7] : i32 from !many__output_bits
      %given1_0_s = arith.select %is_bit2, %pair1_0_s, %pair1_4_s : i32
      %kept1_0_s = arith.select %is_bit2, %pair1_4_s, %pair1_0_s : i32
      %there1_0_s, %is_there1_0_s =
        gpu.shuffle xor %given1_0_s, %distance2, %wave_size : i32
      %pair1_0_s0 = arith.select %is_bit2, %there1_0_s, %kept1_0_s : i32
      %pair1_0_s1 = arith.select %is_bit2, %kept1_0_s, %there1_0_s : i32
      %given1_1_s = arith.select %is_bit2, %pair1_1_s, %pair1_5_s : i32
      %kept1_1_s = arith.select %is_bit2, %pair1_5_s, %pair1_1_s : i32
      %there1_1_s, %is_there1_1_s =
        gpu.shuffle xor %given1_1_s, %distance2, %wave_size : i32
      %pair1_1_s0 = arith.select %is_bit2, %there1_1_s, %kept1_1_s : i32
      %pair1_1_s1 = arith.select %is_bit2, %kept1_1_s, %there1_1_s : i32
      %given1_2_s = arith.select %is_bit2, %pair1_2_s, %pair1_6_s : i32
      %kept1_2_s = arith.select %is_bit2, %pair1_6_s, %pair1_2_s : i32
      %there1_2_s, %is_there1_2_s =
        gpu.shuffle xor %given1_2_s, %distance2, %wave_size : i32
      %pair1_2_s0 = arith.select %is_bit2, %there1_2_s, %kept1_2_s : i32
      %pair1_2_s1 = arith.select %is_bit2, %kept1_2_s, %there1_2_s : i32
      %given1_3_s = arith.select %is_bit2, %pair1_3_s, %pair1_7_s : i32
      %kept1_3_s = arith.select %is_bit2, %pair1_7_s, %pair1_3_s : i32
      %there1_3_s, %is_there1_3_s =
        gpu.shuffle xor %given1_3_s, %distance2, %wave_size : i32
      %pair1_3_s0 = arith.select %is_bit2, %there1_3_s, %kept1_3_s : i32
      %pair1_3_s1 = arith.select %is_bit2, %kept1_3_s, %there1_3_s : i32
      %given1_0_s0 = arith.select %is_bit1, %pair1_0_s0, %pair1_2_s0 : i32
      %kept1_0_s0 = arith.select %is_bit1, %pair1_2_s0, %pair1_0_s0 : i32
      %there1_0_s0, %is_there1_0_s0 =
        gpu.shuffle xor %given1_0_s0, %distance1, %wave_size : i32
      %pair1_0_s00 = arith.select %is_bit1, %there1_0_s0, %kept1_0_s0 : i32
      %pair1_0_s01 = arith.select %is_bit1, %kept1_0_s0, %there1_0_s0 : i32
      %given1_1_s0 = arith.select %is_bit1, %pair1_1_s0, %pair1_3_s0 : i32
      %kept1_1_s0 = arith.select %is_bit1, %pair1_3_s0, %pair1_1_s0 : i32
      %there1_1_s0, %is_there1_1_s0 =
        gpu.shuffle xor %given1_1_s0, %distance1, %wave_size : i32
      %pair1_1_s00 = arith.select %is_bit1, %there1_1_s0, %kept1_1_s0 : i32
      %pair1_1_s01 = arith.select %is_bit1, %kept1_1_s0, %there1_1_s0 : i32
      %given1_0_s1 = arith.select %is_bit1, %pair1_0_s1, %pair1_2_s1 : i32
      %kept1_0_s1 = arith.select %is_bit1, %pair1_2_s1, %pair1_0_s1 : i32
      %there1_0_s1, %is_there1_0_s1 =
        gpu.shuffle xor %given1_0_s1, %distance1, %wave_size : i32
      %pair1_0_s10 = arith.select %is_bit1, %there1_0_s1, %kept1_0_s1 : i32
      %pair1_0_s11 = arith.select %is_bit1, %kept1_0_s1, %there1_0_s1 : i32
      %given1_1_s1 = arith.select %is_bit1, %pair1_1_s1, %pair1_3_s1 : i32
      %kept1_1_s1 = arith.select %is_bit1, %pair1_3_s1, %pair1_1_s1 : i32
      %there1_1_s1, %is_there1_1_s1 =
        gpu.shuffle xor %given1_1_s1, %distance1, %wave_size : i32
      %pair1_1_s10 = arith.select %is_bit1, %there1_1_s1, %kept1_1_s1 : i32
      %pair1_1_s11 = arith.select %is_bit1, %kept1_1_s1, %there1_1_s1 : i32
      %gathered1 = vector.from_elements
        %pair1_0_s00,
        %pair1_0_s01,
        %pair1_0_s10,
        %pair1_0_s11,
        %pair1_1_s00,
        %pair1_1_s01,
        %pair1_1_s10,
        %pair1_1_s11
        : !many__output_bits
      %gathered_row1 = vector.bitcast %gathered1 : !many__output_bits to !many__output_row
      %output = vector.insert %gathered_row1, %output_1[1]
        : !many__output_row into !many__output_rows
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [%own_rows, 16]
        [1, 1] : tensor<?x64xf16> to tensor<?x16xf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [false, true]}
          : !many__output_rows, tensor<?x16xf16>
      %old_rows1 = tensor.extract_slice %tile1[%first_row] [%own_rows]
        [1] : tensor<?xf32> to tensor<?xf32>
        %new_rows1 = vector.transfer_write %lse, %old_rows1
          [%none]
          {in_bounds = [false]}
          : !many__lse_rows, tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : tensor<?x16xf16> into tensor<?x64xf16>
        tensor.parallel_insert_slice %new_rows1 into %tile1[%first_row]
          [%own_rows] [1] : tensor<?xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<50x512xf16>
      tensor.parallel_insert_slice %lse_rows_stored
        into %lse_rows_all[%lse_place]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<400xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_rows_out,
      offsets = [0, 0], sizes = [50, 512], strides = [1, 1]
      : tensor<50x512xf16> -> !many__output_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_rows_out,
      offsets = [0], sizes = [400], strides = [1]
      : tensor<400xf32> -> !many__lse_rows_out
    return
  }
  }
}
func.func private @many(%query: !many__query, %key_cache: !many__key_cache, %value_cache: !many__value_cache, %cu_seqlens_q: !many__cu_seqlens_q, %block_table: !many__block_table, %context_lens: !many__context_lens) -> (!many__output, !many__lse) {
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<50x8x64xf16> into tensor<400x64xf16>
  %key_cache_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %value_cache_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<4x40xi32> into tensor<160xi32>
  %made:2 = flow.dispatch @packed_paged_many_kernel::@packed_paged_many_kernel(
      %query_rows, %key_cache_rows, %value_cache_rows, %cu_seqlens_q, %block_table_rows, %context_lens
    ) : (
      tensor<400x64xf16>,
      tensor<3168x64xf16>,
      tensor<3168x64xf16>,
      tensor<5xi32>,
      tensor<160xi32>,
      tensor<4xi32>
    ) -> (tensor<50x512xf16>, tensor<400xf32>)
  %output = tensor.expand_shape %made#0 [[0], [1, 2]]
    output_shape [50, 8, 64] : tensor<50x512xf16> into tensor<50x8x64xf16>
  %lse = tensor.expand_shape %made#1 [[0, 1]]
    output_shape [8, 50] : tensor<400xf32> into tensor<8x50xf32>
  return %output, %lse
    : !many__output, !many__lse
}
// Attention as one kernel of lanes, and a merge of parts of the keys.
!few__query = tensor<50x8x64xf16>
!few__key_cache = tensor<99x2x16x64xf16>
!few__value_cache = tensor<99x2x16x64xf16>
!few__cu_seqlens_q = tensor<5xi32>
!few__block_table = tensor<4x40xi32>
!few__context_lens = tensor<4xi32>
!few__output_of_many = tensor<50x8x64xf16>
!few__lse_of_many = tensor<8x50xf32>
!few__output = tensor<50x8x64xf16>
!few__lse = tensor<8x50xf32>
!few__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<400x64xf16>>
!few__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!few__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!few__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!few__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160xi32>>
!few__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__part_acc_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1200x64xf32>>
!few__part_max_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1200xf32>>
!few__part_sum_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1200xf32>>
!few__part_acc = tensor<2x3x200x64xf32>
!few__part_max = tensor<2x3x200xf32>
!few__part_sum = tensor<2x3x200xf32>
!few__part_acc_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x200x64xf32>>
!few__part_max_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x200xf32>>
!few__part_sum_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x200xf32>>
!few__output_rows_out = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<50x512xf16>>
!few__lse_rows_out = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<400xf32>>
!few__merged = vector<1x2xf16>
!few__merged_columns = vector<2xf16>
!few__columns_of_lane = vector<2xf32>
!few__merged_lse = vector<1xf32>
!few__merged_row = tensor<64xf16>
!few__own_of_output_rows = tensor<?x2xf16>
!few__own_of_lse_rows = tensor<?xf32>
#few__each_column = affine_map<(n) -> (n)>
#few__merge = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [32, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!few__head_chunk = vector<8xf16>
!few__query_columns = vector<2x2x2xf16>
!few__queries = vector<1x2x2x2x2xf16>
!few__queries_turned = vector<1x2x2x2x2xf16>
!few__query_operand = vector<1x2x4x2xf16>
!few__key_operand = vector<1x2x2x2xf16>
!few__value_keys = vector<16xf16>
!few__value_operand = vector<1x4x2x2xf16>
!few__weight_parts = vector<1x2x4x2x2xf16>
!few__weight_parts_turned = vector<1x4x2x2x2xf16>
!few__weights_operand = vector<1x4x4x2xf16>
!few__row_scores = vector<2xf32>
!few__score_tile = vector<2x2xf32>
!few__scores = vector<8x2x2xf32>
!few__scores_flat = vector<32xf32>
!few__score_bits = vector<8x2x2xi32>
!few__is_seen = vector<8x2x2xi1>
!few__weight_bits = vector<8x2x2xi16>
!few__weights_by_key = vector<8x2x2xf16>
!few__weights_own = vector<2x8x2xf16>
!few__weights_flat = vector<32xf16>
!few__pair = vector<2xf16>
!few__pairs = vector<16x2xf16>
!few__pair_bits = vector<16xi32>
!few__all_bits = vector<32xi32>
!few__all_weights = vector<64xf16>
!few__sums = vector<1x1x2x2xf32>
!few__sum_factors = vector<1x1x2x1xf32>
!few__acc = vector<8x1x1x2x2xf32>
!few__acc_by_column = vector<8x2x2xf32>
!few__acc_by_row = vector<2x8x2xf32>
!few__acc_row = vector<8x2xf32>
!few__rows = vector<2x1xf32>
!few__row_bits = vector<2x1xi32>
!few__output_f32 = vector<16xf32>
!few__rows_f32 = vector<2x16xf32>
// i row and j column of a product, k depth
#few__left = affine_map<(i, j, k) -> (i, k)>
#few__right = affine_map<(i, j, k) -> (j, k)>
#few__product = affine_map<(i, j, k) -> (i, j)>
#few__parallel = #linalg.iterator_type<parallel>
#few__reduction = #linalg.iterator_type<reduction>
#few__lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!few__output_rows = vector<2x16xf16>
!few__output_row = vector<16xf16>
!few__output_bits = vector<8xi32>
!few__part_numbers = vector<2xf32>
!few__piece = vector<2x4xf32>
!few__turned = vector<4x2xf16>
!few__all_turned = vector<2x4x2xf16>
!few__keys_there = memref<3168x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!few__values_there = memref<3168x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!few__key_lds = memref<128x96xf16, #gpu.address_space<workgroup>>
!few__value_lds = memref<128x72xf16, #gpu.address_space<workgroup>>
// The keys that lane l copies of the step that begins at key t, and the column that it copies from.
#few__key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 0)>
#few__key_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 1)>
#few__key_of_step2 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 2)>
#few__key_of_step3 = affine_map<(t, l)
  -> (t + l floordiv 8 * 4 + 3)>
#few__copied_column = affine_map<(l) -> (l mod 8 * 8)>
// The LDS row of key n of a step: neighbours are a lane's own of one tile, then those of other groups.
#few__lds_row = affine_map<(n) -> (n mod 16 floordiv 2 * 8
  + n floordiv 16 mod 4 * 2 + n mod 2)>
// The first LDS row of the step that begins at key t.
#few__buffer = affine_map<(t) -> (t floordiv 64 * 64 mod 128)>
flow.executable private @packed_paged_few_kernel {
  flow.executable.export public @packed_paged_few_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @packed_paged_few_kernel(
      %query_rows_in: !few__query_rows_in,
      %key_cache_rows_in: !few__key_cache_rows_in,
      %value_cache_rows_in: !few__value_cache_rows_in,
      %cu_seqlens_q_in: !few__cu_seqlens_q_in,
      %block_table_rows_in: !few__block_table_rows_in,
      %context_lens_in: !few__context_lens_in,
      %part_acc_rows_out: !few__part_acc_rows_out,
      %part_max_rows_out: !few__part_max_rows_out,
      %part_sum_rows_out: !few__part_sum_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [400, 64], strides = [1, 1]
      : !few__query_rows_in -> tensor<400x64xf16>
    %key_cache_rows = iree_tensor_ext.dispatch.tensor.load %key_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !few__key_cache_rows_in -> tensor<3168x64xf16>
    %value_cache_rows = iree_tensor_ext.dispatch.tensor.load %value_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !few__value_cache_rows_in -> tensor<3168x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !few__cu_seqlens_q_in -> tensor<5xi32>
    %block_table_rows = iree_tensor_ext.dispatch.tensor.load %block_table_rows_in,
      offsets = [0], sizes = [160], strides = [1]
      : !few__block_table_rows_in -> tensor<160xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__context_lens_in -> tensor<4xi32>
    %part_acc_rows_empty = tensor.empty() : tensor<1200x64xf32>
    %part_max_rows_empty = tensor.empty() : tensor<1200xf32>
    %part_sum_rows_empty = tensor.empty() : tensor<1200xf32>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %heads = arith.constant 2 : index
    %parts = arith.constant 3 : index
    %q_tokens = arith.constant 50 : index
    %kv_tokens = arith.constant 640 : index
    %tiles = arith.constant 12 : index
    %few_rows = arith.constant 200 : index
    %pages = arith.constant 40 : index
    %cache_blocks = arith.constant 99 : index
    %workgroups:3 =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%part_acc_rows_all = %part_acc_rows_empty, %part_max_rows_all = %part_max_rows_empty, %part_sum_rows_all = %part_sum_rows_empty) -> (tensor<1200x64xf32>, tensor<1200xf32>, tensor<1200xf32>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 1 + x floordiv 2)>(%head_number)
    %last_block_index = affine.apply affine_map<()[n] -> (n - 1)>()[%cache_blocks]
    %last_block = arith.index_cast %last_block_index : index to i32
    %part = affine.apply affine_map<(i)[p] -> (i mod p)>(%i)[%parts]
    %sequence = affine.apply affine_map<(i)[p, n] -> ((i floordiv p) mod n)>(%i)[%parts, %packed]
    %tile = affine.apply affine_map<(i)[p, n] -> ((i floordiv p) floordiv n)>(%i)[%parts, %packed]
    %zero_queries = arith.constant 0 : index
    %next = affine.apply affine_map<(s) -> (s + 1)>(%sequence)
    %most_queries = arith.index_cast %q_tokens : index to i32
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<5xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<5xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    %few_slot = affine.min affine_map<(q, s) -> (q, s * 16)>(%q_start, %sequence)
    %q_count = arith.subi %q_next, %q_start : index
    %few = arith.constant 16 : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %queries_of_few = arith.select %is_few, %q_count, %zero_queries : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%sequence] : tensor<4xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %sequence, %pages : index
    %context_len = affine.apply affine_map<(n) -> (n)>(%context_len_of_sequence)
    %part_keys = affine.max affine_map<(n)
      -> (n ceildiv 192 * 64, 64)>(%context_len)
    %part_start = arith.muli %part, %part_keys : index
    %is_part = arith.cmpi slt, %part_start, %context_len : index
    %q_len = arith.select %is_part, %queries_of_few, %zero_queries : index
    %rows_of_head = affine.apply affine_map<(q) -> (q * 4)>(%q_len)
    %kv_head = affine.apply affine_map<(x) -> (x)>(%x)
    %first_token = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens]
    %first_key_token = arith.constant 0 : index
    %query_base = affine.apply
      affine_map<(q, x) -> (q * 8 + x * 4)>(%first_token, %x)
    %head_and_part = affine.apply affine_map<(x, p)[n] -> (x * n + p)>(%x, %part)[%parts]
    %rows_of_parts = arith.muli %head_and_part, %few_rows : index
    %result_row = affine.apply
      affine_map<(p, q, i) -> (p + q * 4 + i * 64)>(%rows_of_parts, %few_slot, %tile)
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 64 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 64)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (64, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(r) -> (r floordiv 4)>(%row_0)
    %query_end = affine.min
      affine_map<(r, n) -> ((r + 64) ceildiv 4, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %part_begin = arith.muli %part, %part_keys : index
    %part_end = arith.addi %part_begin, %part_keys : index
    %begin = affine.max affine_map<(a, b) -> (a, b)>(%none, %part_begin)
    %end = affine.min affine_map<(a, b, c) -> (a, b, c)>(%keys_end, %seen_end, %part_end)
    %keys_there = bufferization.to_buffer %key_cache_rows read_only
      : tensor<3168x64xf16> to !few__keys_there
    %values_there = bufferization.to_buffer %value_cache_rows read_only
      : tensor<3168x64xf16> to !few__values_there
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !few__key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !few__value_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf32>
    %tile_empty1 = tensor.empty(%rows_here)
      : tensor<?xf32>
    %tile_empty2 = tensor.empty(%rows_here)
      : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #few__lanes} ins(%zero : f32)
      outs(%tile_empty0 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 64 * 64, e floordiv 64 *
      64)>(%end, %first_query, %first_position)
    %rows_of_others = arith.constant 48 : index
    %all_have_rows = arith.cmpi sgt, %rows_here, %rows_of_others : index
    %full_to_if_any = arith.select %all_have_rows, %full_to, %begin : index
    %full_end = arith.maxsi %full_to_if_any, %begin : index
    %part_acc_rows_stored, %part_max_rows_stored, %part_sum_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
          , %tile1 = %tile_empty1
          , %tile2 = %tile_empty2
        ) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) {
      %wave, %index, %group = affine.delinearize_index %lane into (4, 8, 4)
        : index, index, index
      // Which sequences are there, and how long they are, is known in the kernel alone: a workgroup without
      // rows would wait for queries and keys in vain.
      %is_idle = arith.cmpi eq, %rows_here, %none : index
      scf.if %is_idle {
        llvm.inline_asm has_side_effects "exit;", "" : () -> ()
      }
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 16 + i * 2)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + (r floordiv 4) * 8 + r mod 4)>(
          %query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %row1 = affine.min affine_map<(r, n) -> (r + 1, n)>(%first_row, %row_last)
      %row_of_head1 = arith.addi %row_0, %row1 : index
      %row_real1 = arith.minsi %row_of_head1, %last_row : index
      %query_row1 = affine.apply affine_map<(b, r)
        -> (b + (r floordiv 4) * 8 + r mod 4)>(
          %query_base, %row_real1)
      %column1_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk1_0 = vector.transfer_read
        %query_rows[%query_row1, %column1_0],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %column1_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk1_1 = vector.transfer_read
        %query_rows[%query_row1, %column1_1],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %no_queries = arith.constant dense<0.0> : !few__queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !few__head_chunk to !few__query_columns
        %queries0_1 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !few__query_columns into !few__queries
        %query_columns1_0 = vector.shape_cast %query_chunk1_0
          : !few__head_chunk to !few__query_columns
        %queries0 = vector.insert
          %query_columns1_0, %queries0_1[0, 1]
          : !few__query_columns into !few__queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !few__queries to !few__queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !few__queries_turned to !few__query_operand
        %query_columns0_1 = vector.shape_cast %query_chunk0_1
          : !few__head_chunk to !few__query_columns
        %queries1_1 = vector.insert
          %query_columns0_1, %no_queries[0, 0]
          : !few__query_columns into !few__queries
        %query_columns1_1 = vector.shape_cast %query_chunk1_1
          : !few__head_chunk to !few__query_columns
        %queries1 = vector.insert
          %query_columns1_1, %queries1_1[0, 1]
          : !few__query_columns into !few__queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !few__queries to !few__queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !few__queries_turned to !few__query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %query_of_head0 = affine.apply affine_map<(r)
        -> (r floordiv 4)>(%row_of_head0)
      %position0 = arith.addi %first_position, %query_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %query_of_head1 = affine.apply affine_map<(r)
        -> (r floordiv 4)>(%row_of_head1)
      %position1 = arith.addi %first_position, %query_of_head1 : index
      %last_any1 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position1, %context_len)
      %last_seen1 = arith.subi %last_any1, %key_of_group : index
      %row_of_wave = affine.apply affine_map<(w) -> (w * 16)>(%wave)
      %has_rows = arith.cmpi slt, %row_of_wave, %rows_here : index
      %before_keys = arith.constant -1 : index
      %last_of_wave = arith.select
        %has_rows, %last_key, %before_keys : index
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !few__scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !few__scores
      %score_sums0_0 = arith.constant dense<0.0> : !few__sums
      %score_sums1_0 = arith.constant dense<0.0> : !few__sums
      %score_sums2_0 = arith.constant dense<0.0> : !few__sums
      %score_sums3_0 = arith.constant dense<0.0> : !few__sums
      %score_sums4_0 = arith.constant dense<0.0> : !few__sums
      %score_sums5_0 = arith.constant dense<0.0> : !few__sums
      %score_sums6_0 = arith.constant dense<0.0> : !few__sums
      %score_sums7_0 = arith.constant dense<0.0> : !few__sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %max1_0 = arith.constant -3.40282347E+38 : f32
      %sum1_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !few__acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 1 : i32
      %distance2 = arith.constant 2 : i32
      %wave_size = arith.constant 32 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 64 * 64)>(%last_key)
      %copied_column = affine.apply #few__copied_column(%lane)
      %key_of_lane0 = affine.apply #few__key_of_step0(%none, %lane)
      %lds_row0 = affine.apply #few__lds_row(%key_of_lane0)
      %key_of_lane1 = affine.apply #few__key_of_step1(%none, %lane)
      %lds_row1 = affine.apply #few__lds_row(%key_of_lane1)
      %key_of_lane2 = affine.apply #few__key_of_step2(%none, %lane)
      %lds_row2 = affine.apply #few__lds_row(%key_of_lane2)
      %key_of_lane3 = affine.apply #few__key_of_step3(%none, %lane)
      %lds_row3 = affine.apply #few__lds_row(%key_of_lane3)
      %turned_row = affine.apply affine_map<(l) -> (l mod 32)>(%lane)
      %has_step = arith.cmpi slt, %begin, %end : index
      scf.if %has_step {
        %t_after = affine.apply affine_map<(t) -> (t)>(%begin)
        %t_next = arith.minsi %t_after, %t_last : index
      %key_any_k0 = affine.apply #few__key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<160xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
      %key_any_k1 = affine.apply #few__key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k1, %key_k0)
      %key_any_k2 = affine.apply #few__key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k2, %key_k0)
      %key_any_k3 = affine.apply #few__key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k3, %key_k0)
      %key_any_v0 = affine.apply #few__key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<160xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #few__key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #few__key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #few__key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
        %buffer_after = affine.apply #few__buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #few__key_of_step0(%t_after, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #few__key_of_step1(%t_after, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #few__key_of_step2(%t_after, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #few__key_of_step3(%t_after, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
      }
      %max0_1, %max1_1, %sum0_1, %sum1_1, %acc_1 =
        scf.for %t0 = %begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %max1 = %max1_0,
            %sum0 = %sum0_0,
            %sum1 = %sum1_0,
            %acc = %acc_0) -> (f32, f32, f32, f32, !few__acc) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
      %key_any_k0 = affine.apply #few__key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<160xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
      %key_any_k1 = affine.apply #few__key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k1, %key_k0)
      %key_any_k2 = affine.apply #few__key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k2, %key_k0)
      %key_any_k3 = affine.apply #few__key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k3, %key_k0)
      %key_any_v0 = affine.apply #few__key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<160xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #few__key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #few__key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #few__key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %has_next = arith.cmpi slt, %t_after, %end : index
        scf.if %has_next {
        %buffer_after = affine.apply #few__buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #few__key_of_step0(%t_after, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #few__key_of_step1(%t_after, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #few__key_of_step2(%t_after, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #few__key_of_step3(%t_after, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        }
        %buffer_here = affine.apply #few__buffer(%t0)
        %index_here = arith.addi %buffer_here, %index : index
        %value_row0 = affine.apply
          affine_map<(b, r) -> (b + r + 0)>(%buffer_here, %turned_row)
        %value_row1 = affine.apply
          affine_map<(b, r) -> (b + r + 32)>(%buffer_here, %turned_row)
        %none_turned = arith.constant dense<0.0> : !few__all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !few__head_chunk to !few__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%query0, %keys0_0) outs(%score_sums0_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !few__head_chunk to !few__key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%query0, %keys1_0) outs(%score_sums1_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row2_0 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_0 =
          "vector.load"(%key_lds, %key_row2_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys2_0 = vector.shape_cast %key_chunk2_0
          : !few__head_chunk to !few__key_operand
        %score_sums2_1 = iree_codegen.inner_tiled
          ins(%query0, %keys2_0) outs(%score_sums2_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row3_0 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_0 =
          "vector.load"(%key_lds, %key_row3_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys3_0 = vector.shape_cast %key_chunk3_0
          : !few__head_chunk to !few__key_operand
        %score_sums3_1 = iree_codegen.inner_tiled
          ins(%query0, %keys3_0) outs(%score_sums3_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row4_0 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_0 =
          "vector.load"(%key_lds, %key_row4_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys4_0 = vector.shape_cast %key_chunk4_0
          : !few__head_chunk to !few__key_operand
        %score_sums4_1 = iree_codegen.inner_tiled
          ins(%query0, %keys4_0) outs(%score_sums4_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row5_0 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_0 =
          "vector.load"(%key_lds, %key_row5_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys5_0 = vector.shape_cast %key_chunk5_0
          : !few__head_chunk to !few__key_operand
        %score_sums5_1 = iree_codegen.inner_tiled
          ins(%query0, %keys5_0) outs(%score_sums5_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row6_0 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_0 =
          "vector.load"(%key_lds, %key_row6_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys6_0 = vector.shape_cast %key_chunk6_0
          : !few__head_chunk to !few__key_operand
        %score_sums6_1 = iree_codegen.inner_tiled
          ins(%query0, %keys6_0) outs(%score_sums6_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row7_0 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_0 =
          "vector.load"(%key_lds, %key_row7_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys7_0 = vector.shape_cast %key_chunk7_0
          : !few__head_chunk to !few__key_operand
        %score_sums7_1 = iree_codegen.inner_tiled
          ins(%query0, %keys7_0) outs(%score_sums7_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !few__head_chunk to !few__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%query1, %keys0_1) outs(%score_sums0_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row1_1 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !few__head_chunk to !few__key_operand
        %score_sums1_2 = iree_codegen.inner_tiled
          ins(%query1, %keys1_1) outs(%score_sums1_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row2_1 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_1 =
          "vector.load"(%key_lds, %key_row2_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys2_1 = vector.shape_cast %key_chunk2_1
          : !few__head_chunk to !few__key_operand
        %score_sums2_2 = iree_codegen.inner_tiled
          ins(%query1, %keys2_1) outs(%score_sums2_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row3_1 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_1 =
          "vector.load"(%key_lds, %key_row3_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys3_1 = vector.shape_cast %key_chunk3_1
          : !few__head_chunk to !few__key_operand
        %score_sums3_2 = iree_codegen.inner_tiled
          ins(%query1, %keys3_1) outs(%score_sums3_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row4_1 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_1 =
          "vector.load"(%key_lds, %key_row4_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys4_1 = vector.shape_cast %key_chunk4_1
          : !few__head_chunk to !few__key_operand
        %score_sums4_2 = iree_codegen.inner_tiled
          ins(%query1, %keys4_1) outs(%score_sums4_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row5_1 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_1 =
          "vector.load"(%key_lds, %key_row5_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys5_1 = vector.shape_cast %key_chunk5_1
          : !few__head_chunk to !few__key_operand
        %score_sums5_2 = iree_codegen.inner_tiled
          ins(%query1, %keys5_1) outs(%score_sums5_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row6_1 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_1 =
          "vector.load"(%key_lds, %key_row6_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys6_1 = vector.shape_cast %key_chunk6_1
          : !few__head_chunk to !few__key_operand
        %score_sums6_2 = iree_codegen.inner_tiled
          ins(%query1, %keys6_1) outs(%score_sums6_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row7_1 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_1 =
          "vector.load"(%key_lds, %key_row7_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys7_1 = vector.shape_cast %key_chunk7_1
          : !few__head_chunk to !few__key_operand
        %score_sums7_2 = iree_codegen.inner_tiled
          ins(%query1, %keys7_1) outs(%score_sums7_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %no_scores = arith.constant dense<0.0> : !few__scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !few__sums to !few__score_tile
        %scores_ruled_1 = vector.insert %score_tile0, %no_scores[0]
          : !few__score_tile into !few__scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !few__sums to !few__score_tile
        %scores_ruled_2 = vector.insert %score_tile1, %scores_ruled_1[1]
          : !few__score_tile into !few__scores
        %score_tile2 = vector.shape_cast %score_sums2_2
          : !few__sums to !few__score_tile
        %scores_ruled_3 = vector.insert %score_tile2, %scores_ruled_2[2]
          : !few__score_tile into !few__scores
        %score_tile3 = vector.shape_cast %score_sums3_2
          : !few__sums to !few__score_tile
        %scores_ruled_4 = vector.insert %score_tile3, %scores_ruled_3[3]
          : !few__score_tile into !few__scores
        %score_tile4 = vector.shape_cast %score_sums4_2
          : !few__sums to !few__score_tile
        %scores_ruled_5 = vector.insert %score_tile4, %scores_ruled_4[4]
          : !few__score_tile into !few__scores
        %score_tile5 = vector.shape_cast %score_sums5_2
          : !few__sums to !few__score_tile
        %scores_ruled_6 = vector.insert %score_tile5, %scores_ruled_5[5]
          : !few__score_tile into !few__scores
        %score_tile6 = vector.shape_cast %score_sums6_2
          : !few__sums to !few__score_tile
        %scores_ruled_7 = vector.insert %score_tile6, %scores_ruled_6[6]
          : !few__score_tile into !few__scores
        %score_tile7 = vector.shape_cast %score_sums7_2
          : !few__sums to !few__score_tile
        %scores_ruled = vector.insert %score_tile7, %scores_ruled_7[7]
          : !few__score_tile into !few__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !few__row_scores from !few__scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !few__row_scores from !few__scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !few__row_scores
        %of_tile0_2 = vector.extract %scores_ruled[2, 0]
          : !few__row_scores from !few__scores
        %top0_2 = arith.maxnumf %top0_1, %of_tile0_2
          fastmath<nnan> : !few__row_scores
        %of_tile0_3 = vector.extract %scores_ruled[3, 0]
          : !few__row_scores from !few__scores
        %top0_3 = arith.maxnumf %top0_2, %of_tile0_3
          fastmath<nnan> : !few__row_scores
        %of_tile0_4 = vector.extract %scores_ruled[4, 0]
          : !few__row_scores from !few__scores
        %top0_4 = arith.maxnumf %top0_3, %of_tile0_4
          fastmath<nnan> : !few__row_scores
        %of_tile0_5 = vector.extract %scores_ruled[5, 0]
          : !few__row_scores from !few__scores
        %top0_5 = arith.maxnumf %top0_4, %of_tile0_5
          fastmath<nnan> : !few__row_scores
        %of_tile0_6 = vector.extract %scores_ruled[6, 0]
          : !few__row_scores from !few__scores
        %top0_6 = arith.maxnumf %top0_5, %of_tile0_6
          fastmath<nnan> : !few__row_scores
        %of_tile0_7 = vector.extract %scores_ruled[7, 0]
          : !few__row_scores from !few__scores
        %top0_7 = arith.maxnumf %top0_6, %of_tile0_7
          fastmath<nnan> : !few__row_scores
        %top0 = vector.extract %top0_7[0] : f32 from !few__row_scores
        %of_key0_1 = vector.extract %top0_7[1]
          : f32 from !few__row_scores
        %largest0 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0_1 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_there0_2, %best_is_there0_2 =
          gpu.shuffle xor %best0_1, %distance2, %wave_size : f32
        %best0 = arith.maxnumf %best0_1, %best_there0_2 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %top1_0 = vector.extract %scores_ruled[0, 1] : !few__row_scores from !few__scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !few__row_scores from !few__scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !few__row_scores
        %of_tile1_2 = vector.extract %scores_ruled[2, 1]
          : !few__row_scores from !few__scores
        %top1_2 = arith.maxnumf %top1_1, %of_tile1_2
          fastmath<nnan> : !few__row_scores
        %of_tile1_3 = vector.extract %scores_ruled[3, 1]
          : !few__row_scores from !few__scores
        %top1_3 = arith.maxnumf %top1_2, %of_tile1_3
          fastmath<nnan> : !few__row_scores
        %of_tile1_4 = vector.extract %scores_ruled[4, 1]
          : !few__row_scores from !few__scores
        %top1_4 = arith.maxnumf %top1_3, %of_tile1_4
          fastmath<nnan> : !few__row_scores
        %of_tile1_5 = vector.extract %scores_ruled[5, 1]
          : !few__row_scores from !few__scores
        %top1_5 = arith.maxnumf %top1_4, %of_tile1_5
          fastmath<nnan> : !few__row_scores
        %of_tile1_6 = vector.extract %scores_ruled[6, 1]
          : !few__row_scores from !few__scores
        %top1_6 = arith.maxnumf %top1_5, %of_tile1_6
          fastmath<nnan> : !few__row_scores
        %of_tile1_7 = vector.extract %scores_ruled[7, 1]
          : !few__row_scores from !few__scores
        %top1_7 = arith.maxnumf %top1_6, %of_tile1_7
          fastmath<nnan> : !few__row_scores
        %top1 = vector.extract %top1_7[0] : f32 from !few__row_scores
        %of_key1_1 = vector.extract %top1_7[1]
          : f32 from !few__row_scores
        %largest1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %largest1, %distance1, %wave_size : f32
        %best1_1 = arith.maxnumf %largest1, %best_there1_1 : f32
        %best_there1_2, %best_is_there1_2 =
          gpu.shuffle xor %best1_1, %distance2, %wave_size : f32
        %best1 = arith.maxnumf %best1_1, %best_there1_2 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_1 = arith.ori %no, %grows0 : i1
        %any_grows = arith.ori %any_grows_1, %grows1 : i1
        %max_next0, %max_next1, %sum_brought0, %sum_brought1, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, f32, !few__acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !few__rows
          %sum_factors = vector.shape_cast %factors : !few__rows to !few__sum_factors
          %all_factors = vector.broadcast %sum_factors : !few__sum_factors to !few__acc
          %acc_less = arith.mulf %acc, %all_factors : !few__acc
          scf.yield %higher0, %higher1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, !few__acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !few__acc
        }
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !few__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !few__rows to !few__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !few__scores
        %logits_flat = vector.shape_cast %logits : !few__scores to !few__scores_flat
        %logit0 = vector.extract %logits_flat[0] : f32 from !few__scores_flat
        %exp0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit0) : (f32) -> f32
        %logit1 = vector.extract %logits_flat[1] : f32 from !few__scores_flat
        %exp1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit1) : (f32) -> f32
        %logit2 = vector.extract %logits_flat[2] : f32 from !few__scores_flat
        %exp2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit2) : (f32) -> f32
        %logit3 = vector.extract %logits_flat[3] : f32 from !few__scores_flat
        %exp3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit3) : (f32) -> f32
        %logit4 = vector.extract %logits_flat[4] : f32 from !few__scores_flat
        %exp4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit4) : (f32) -> f32
        %logit5 = vector.extract %logits_flat[5] : f32 from !few__scores_flat
        %exp5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit5) : (f32) -> f32
        %logit6 = vector.extract %logits_flat[6] : f32 from !few__scores_flat
        %exp6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit6) : (f32) -> f32
        %logit7 = vector.extract %logits_flat[7] : f32 from !few__scores_flat
        %exp7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit7) : (f32) -> f32
        %logit8 = vector.extract %logits_flat[8] : f32 from !few__scores_flat
        %exp8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit8) : (f32) -> f32
        %logit9 = vector.extract %logits_flat[9] : f32 from !few__scores_flat
        %exp9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit9) : (f32) -> f32
        %logit10 = vector.extract %logits_flat[10] : f32 from !few__scores_flat
        %exp10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit10) : (f32) -> f32
        %logit11 = vector.extract %logits_flat[11] : f32 from !few__scores_flat
        %exp11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit11) : (f32) -> f32
        %logit12 = vector.extract %logits_flat[12] : f32 from !few__scores_flat
        %exp12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit12) : (f32) -> f32
        %logit13 = vector.extract %logits_flat[13] : f32 from !few__scores_flat
        %exp13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit13) : (f32) -> f32
        %logit14 = vector.extract %logits_flat[14] : f32 from !few__scores_flat
        %exp14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit14) : (f32) -> f32
        %logit15 = vector.extract %logits_flat[15] : f32 from !few__scores_flat
        %exp15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit15) : (f32) -> f32
        %logit16 = vector.extract %logits_flat[16] : f32 from !few__scores_flat
        %exp16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit16) : (f32) -> f32
        %logit17 = vector.extract %logits_flat[17] : f32 from !few__scores_flat
        %exp17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit17) : (f32) -> f32
        %logit18 = vector.extract %logits_flat[18] : f32 from !few__scores_flat
        %exp18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit18) : (f32) -> f32
        %logit19 = vector.extract %logits_flat[19] : f32 from !few__scores_flat
        %exp19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit19) : (f32) -> f32
        %logit20 = vector.extract %logits_flat[20] : f32 from !few__scores_flat
        %exp20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit20) : (f32) -> f32
        %logit21 = vector.extract %logits_flat[21] : f32 from !few__scores_flat
        %exp21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit21) : (f32) -> f32
        %logit22 = vector.extract %logits_flat[22] : f32 from !few__scores_flat
        %exp22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit22) : (f32) -> f32
        %logit23 = vector.extract %logits_flat[23] : f32 from !few__scores_flat
        %exp23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit23) : (f32) -> f32
        %logit24 = vector.extract %logits_flat[24] : f32 from !few__scores_flat
        %exp24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit24) : (f32) -> f32
        %logit25 = vector.extract %logits_flat[25] : f32 from !few__scores_flat
        %exp25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit25) : (f32) -> f32
        %logit26 = vector.extract %logits_flat[26] : f32 from !few__scores_flat
        %exp26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit26) : (f32) -> f32
        %logit27 = vector.extract %logits_flat[27] : f32 from !few__scores_flat
        %exp27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit27) : (f32) -> f32
        %logit28 = vector.extract %logits_flat[28] : f32 from !few__scores_flat
        %exp28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit28) : (f32) -> f32
        %logit29 = vector.extract %logits_flat[29] : f32 from !few__scores_flat
        %exp29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit29) : (f32) -> f32
        %logit30 = vector.extract %logits_flat[30] : f32 from !few__scores_flat
        %exp30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit30) : (f32) -> f32
        %logit31 = vector.extract %logits_flat[31] : f32 from !few__scores_flat
        %exp31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit31) : (f32) -> f32
        %exps_flat = vector.from_elements %exp0, %exp1, %exp2, %exp3, %exp4, %exp5, %exp6, %exp7, %exp8, %exp9, %exp10, %exp11, %exp12, %exp13, %exp14, %exp15, %exp16, %exp17, %exp18, %exp19, %exp20, %exp21, %exp22, %exp23, %exp24, %exp25, %exp26, %exp27, %exp28, %exp29, %exp30, %exp31 : !few__scores_flat
        %exps = vector.shape_cast %exps_flat : !few__scores_flat to !few__scores
        %no_pairs = arith.constant dense<0.0> : !few__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !few__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !few__scores
        %pair0 = "nvvm.convert.f32x2.to.f16x2"(%odd0, %even0)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !few__pair into !few__pairs
        %even1 = vector.extract %exps[1, 0, 0] : f32 from !few__scores
        %odd1 = vector.extract %exps[1, 0, 1] : f32 from !few__scores
        %pair1 = "nvvm.convert.f32x2.to.f16x2"(%odd1, %even1)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !few__pair into !few__pairs
        %even2 = vector.extract %exps[2, 0, 0] : f32 from !few__scores
        %odd2 = vector.extract %exps[2, 0, 1] : f32 from !few__scores
        %pair2 = "nvvm.convert.f32x2.to.f16x2"(%odd2, %even2)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !few__pair into !few__pairs
        %even3 = vector.extract %exps[3, 0, 0] : f32 from !few__scores
        %odd3 = vector.extract %exps[3, 0, 1] : f32 from !few__scores
        %pair3 = "nvvm.convert.f32x2.to.f16x2"(%odd3, %even3)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !few__pair into !few__pairs
        %even4 = vector.extract %exps[4, 0, 0] : f32 from !few__scores
        %odd4 = vector.extract %exps[4, 0, 1] : f32 from !few__scores
        %pair4 = "nvvm.convert.f32x2.to.f16x2"(%odd4, %even4)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !few__pair into !few__pairs
        %even5 = vector.extract %exps[5, 0, 0] : f32 from !few__scores
        %odd5 = vector.extract %exps[5, 0, 1] : f32 from !few__scores
        %pair5 = "nvvm.convert.f32x2.to.f16x2"(%odd5, %even5)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !few__pair into !few__pairs
        %even6 = vector.extract %exps[6, 0, 0] : f32 from !few__scores
        %odd6 = vector.extract %exps[6, 0, 1] : f32 from !few__scores
        %pair6 = "nvvm.convert.f32x2.to.f16x2"(%odd6, %even6)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !few__pair into !few__pairs
        %even7 = vector.extract %exps[7, 0, 0] : f32 from !few__scores
        %odd7 = vector.extract %exps[7, 0, 1] : f32 from !few__scores
        %pair7 = "nvvm.convert.f32x2.to.f16x2"(%odd7, %even7)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !few__pair into !few__pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !few__scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !few__scores
        %pair8 = "nvvm.convert.f32x2.to.f16x2"(%odd8, %even8)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !few__pair into !few__pairs
        %even9 = vector.extract %exps[1, 1, 0] : f32 from !few__scores
        %odd9 = vector.extract %exps[1, 1, 1] : f32 from !few__scores
        %pair9 = "nvvm.convert.f32x2.to.f16x2"(%odd9, %even9)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !few__pair into !few__pairs
        %even10 = vector.extract %exps[2, 1, 0] : f32 from !few__scores
        %odd10 = vector.extract %exps[2, 1, 1] : f32 from !few__scores
        %pair10 = "nvvm.convert.f32x2.to.f16x2"(%odd10, %even10)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !few__pair into !few__pairs
        %even11 = vector.extract %exps[3, 1, 0] : f32 from !few__scores
        %odd11 = vector.extract %exps[3, 1, 1] : f32 from !few__scores
        %pair11 = "nvvm.convert.f32x2.to.f16x2"(%odd11, %even11)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !few__pair into !few__pairs
        %even12 = vector.extract %exps[4, 1, 0] : f32 from !few__scores
        %odd12 = vector.extract %exps[4, 1, 1] : f32 from !few__scores
        %pair12 = "nvvm.convert.f32x2.to.f16x2"(%odd12, %even12)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !few__pair into !few__pairs
        %even13 = vector.extract %exps[5, 1, 0] : f32 from !few__scores
        %odd13 = vector.extract %exps[5, 1, 1] : f32 from !few__scores
        %pair13 = "nvvm.convert.f32x2.to.f16x2"(%odd13, %even13)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !few__pair into !few__pairs
        %even14 = vector.extract %exps[6, 1, 0] : f32 from !few__scores
        %odd14 = vector.extract %exps[6, 1, 1] : f32 from !few__scores
        %pair14 = "nvvm.convert.f32x2.to.f16x2"(%odd14, %even14)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !few__pair into !few__pairs
        %even15 = vector.extract %exps[7, 1, 0] : f32 from !few__scores
        %odd15 = vector.extract %exps[7, 1, 1] : f32 from !few__scores
        %pair15 = "nvvm.convert.f32x2.to.f16x2"(%odd15, %even15)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs = vector.insert %pair15, %pairs_15[15] : !few__pair into !few__pairs
        %weights_own = vector.shape_cast %pairs : !few__pairs to !few__weights_own
        %exps_to0 = vector.extract %exps[0] : !few__score_tile from !few__scores
        %exps_of1 = vector.extract %exps[1] : !few__score_tile from !few__scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !few__score_tile
        %exps_of2 = vector.extract %exps[2] : !few__score_tile from !few__scores
        %exps_to2 = arith.addf %exps_to1, %exps_of2 : !few__score_tile
        %exps_of3 = vector.extract %exps[3] : !few__score_tile from !few__scores
        %exps_to3 = arith.addf %exps_to2, %exps_of3 : !few__score_tile
        %exps_of4 = vector.extract %exps[4] : !few__score_tile from !few__scores
        %exps_to4 = arith.addf %exps_to3, %exps_of4 : !few__score_tile
        %exps_of5 = vector.extract %exps[5] : !few__score_tile from !few__scores
        %exps_to5 = arith.addf %exps_to4, %exps_of5 : !few__score_tile
        %exps_of6 = vector.extract %exps[6] : !few__score_tile from !few__scores
        %exps_to6 = arith.addf %exps_to5, %exps_of6 : !few__score_tile
        %exps_of7 = vector.extract %exps[7] : !few__score_tile from !few__scores
        %exps_to7 = arith.addf %exps_to6, %exps_of7 : !few__score_tile
        %row_exps0 = vector.extract %exps_to7[0] : !few__row_scores from !few__score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !few__row_scores
          into f32
        %row_exps1 = vector.extract %exps_to7[1] : !few__row_scores from !few__score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !few__row_scores
          into f32
        %weight_parts = vector.shape_cast %weights_own : !few__weights_own to !few__weight_parts
        %weight_parts_turned = vector.transpose %weight_parts, [0, 2, 1, 3, 4]
          : !few__weight_parts to !few__weight_parts_turned
        %weights = vector.shape_cast %weight_parts_turned : !few__weight_parts_turned to !few__weights_operand
        %value_column0 = arith.constant 0 : index
        %turned0_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned0_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1]
          : !few__turned into !few__all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !few__all_turned to !few__value_keys
        %value0 = vector.shape_cast %value_keys0 : !few__value_keys to !few__value_operand
        %sums0 = vector.extract %acc_brought[0] : !few__sums from !few__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%weights, %value0) outs(%sums0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !few__sums into !few__acc
        %value_column1 = arith.constant 8 : index
        %turned1_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned1_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1]
          : !few__turned into !few__all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !few__all_turned to !few__value_keys
        %value1 = vector.shape_cast %value_keys1 : !few__value_keys to !few__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !few__sums from !few__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%weights, %value1) outs(%sums1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !few__sums into !few__acc
        %value_column2 = arith.constant 16 : index
        %turned2_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned2_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1]
          : !few__turned into !few__all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !few__all_turned to !few__value_keys
        %value2 = vector.shape_cast %value_keys2 : !few__value_keys to !few__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !few__sums from !few__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%weights, %value2) outs(%sums2)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !few__sums into !few__acc
        %value_column3 = arith.constant 24 : index
        %turned3_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned3_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1]
          : !few__turned into !few__all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !few__all_turned to !few__value_keys
        %value3 = vector.shape_cast %value_keys3 : !few__value_keys to !few__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !few__sums from !few__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%weights, %value3) outs(%sums3)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !few__sums into !few__acc
        %value_column4 = arith.constant 32 : index
        %turned4_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned4_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1]
          : !few__turned into !few__all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !few__all_turned to !few__value_keys
        %value4 = vector.shape_cast %value_keys4 : !few__value_keys to !few__value_operand
        %sums4 = vector.extract %acc_next_4[4] : !few__sums from !few__acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%weights, %value4) outs(%sums4)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !few__sums into !few__acc
        %value_column5 = arith.constant 40 : index
        %turned5_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned5_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1]
          : !few__turned into !few__all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !few__all_turned to !few__value_keys
        %value5 = vector.shape_cast %value_keys5 : !few__value_keys to !few__value_operand
        %sums5 = vector.extract %acc_next_5[5] : !few__sums from !few__acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%weights, %value5) outs(%sums5)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !few__sums into !few__acc
        %value_column6 = arith.constant 48 : index
        %turned6_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned6_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1]
          : !few__turned into !few__all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !few__all_turned to !few__value_keys
        %value6 = vector.shape_cast %value_keys6 : !few__value_keys to !few__value_operand
        %sums6 = vector.extract %acc_next_6[6] : !few__sums from !few__acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%weights, %value6) outs(%sums6)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !few__sums into !few__acc
        %value_column7 = arith.constant 56 : index
        %turned7_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned7_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1]
          : !few__turned into !few__all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !few__all_turned to !few__value_keys
        %value7 = vector.shape_cast %value_keys7 : !few__value_keys to !few__value_operand
        %sums7 = vector.extract %acc_next_7[7] : !few__sums from !few__acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%weights, %value7) outs(%sums7)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !few__sums into !few__acc
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
          : f32, f32, f32, f32, !few__acc
      }
      %max0_2, %max1_2, %sum0_2, %sum1_2, %acc_2 =
        scf.for %t0 = %full_end to %end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %max1 = %max1_1,
            %sum0 = %sum0_1,
            %sum1 = %sum1_1,
            %acc = %acc_1) -> (f32, f32, f32, f32, !few__acc) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
      %key_any_k0 = affine.apply #few__key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<160xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
      %key_any_k1 = affine.apply #few__key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k1, %key_k0)
      %key_any_k2 = affine.apply #few__key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k2, %key_k0)
      %key_any_k3 = affine.apply #few__key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_k0, %key_k3, %key_k0)
      %key_any_v0 = affine.apply #few__key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<160xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #few__key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #few__key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #few__key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %has_next = arith.cmpi slt, %t_after, %end : index
        scf.if %has_next {
        %buffer_after = affine.apply #few__buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!few__key_lds, index, index, !few__keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #few__key_of_step0(%t_after, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #few__key_of_step1(%t_after, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #few__key_of_step2(%t_after, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #few__key_of_step3(%t_after, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!few__value_lds, index, index, !few__values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        }
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, !few__acc) {
        %buffer_here = affine.apply #few__buffer(%t0)
        %index_here = arith.addi %buffer_here, %index : index
        %value_row0 = affine.apply
          affine_map<(b, r) -> (b + r + 0)>(%buffer_here, %turned_row)
        %value_row1 = affine.apply
          affine_map<(b, r) -> (b + r + 32)>(%buffer_here, %turned_row)
        %none_turned = arith.constant dense<0.0> : !few__all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !few__head_chunk to !few__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%query0, %keys0_0) outs(%score_sums0_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !few__head_chunk to !few__key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%query0, %keys1_0) outs(%score_sums1_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row2_0 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_0 =
          "vector.load"(%key_lds, %key_row2_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys2_0 = vector.shape_cast %key_chunk2_0
          : !few__head_chunk to !few__key_operand
        %score_sums2_1 = iree_codegen.inner_tiled
          ins(%query0, %keys2_0) outs(%score_sums2_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row3_0 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_0 =
          "vector.load"(%key_lds, %key_row3_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys3_0 = vector.shape_cast %key_chunk3_0
          : !few__head_chunk to !few__key_operand
        %score_sums3_1 = iree_codegen.inner_tiled
          ins(%query0, %keys3_0) outs(%score_sums3_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row4_0 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_0 =
          "vector.load"(%key_lds, %key_row4_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys4_0 = vector.shape_cast %key_chunk4_0
          : !few__head_chunk to !few__key_operand
        %score_sums4_1 = iree_codegen.inner_tiled
          ins(%query0, %keys4_0) outs(%score_sums4_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row5_0 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_0 =
          "vector.load"(%key_lds, %key_row5_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys5_0 = vector.shape_cast %key_chunk5_0
          : !few__head_chunk to !few__key_operand
        %score_sums5_1 = iree_codegen.inner_tiled
          ins(%query0, %keys5_0) outs(%score_sums5_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row6_0 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_0 =
          "vector.load"(%key_lds, %key_row6_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys6_0 = vector.shape_cast %key_chunk6_0
          : !few__head_chunk to !few__key_operand
        %score_sums6_1 = iree_codegen.inner_tiled
          ins(%query0, %keys6_0) outs(%score_sums6_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row7_0 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_0 =
          "vector.load"(%key_lds, %key_row7_0, %key_column0)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys7_0 = vector.shape_cast %key_chunk7_0
          : !few__head_chunk to !few__key_operand
        %score_sums7_1 = iree_codegen.inner_tiled
          ins(%query0, %keys7_0) outs(%score_sums7_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !few__head_chunk to !few__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%query1, %keys0_1) outs(%score_sums0_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row1_1 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !few__head_chunk to !few__key_operand
        %score_sums1_2 = iree_codegen.inner_tiled
          ins(%query1, %keys1_1) outs(%score_sums1_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row2_1 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_1 =
          "vector.load"(%key_lds, %key_row2_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys2_1 = vector.shape_cast %key_chunk2_1
          : !few__head_chunk to !few__key_operand
        %score_sums2_2 = iree_codegen.inner_tiled
          ins(%query1, %keys2_1) outs(%score_sums2_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row3_1 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_1 =
          "vector.load"(%key_lds, %key_row3_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys3_1 = vector.shape_cast %key_chunk3_1
          : !few__head_chunk to !few__key_operand
        %score_sums3_2 = iree_codegen.inner_tiled
          ins(%query1, %keys3_1) outs(%score_sums3_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row4_1 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_1 =
          "vector.load"(%key_lds, %key_row4_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys4_1 = vector.shape_cast %key_chunk4_1
          : !few__head_chunk to !few__key_operand
        %score_sums4_2 = iree_codegen.inner_tiled
          ins(%query1, %keys4_1) outs(%score_sums4_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row5_1 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_1 =
          "vector.load"(%key_lds, %key_row5_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys5_1 = vector.shape_cast %key_chunk5_1
          : !few__head_chunk to !few__key_operand
        %score_sums5_2 = iree_codegen.inner_tiled
          ins(%query1, %keys5_1) outs(%score_sums5_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row6_1 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_1 =
          "vector.load"(%key_lds, %key_row6_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys6_1 = vector.shape_cast %key_chunk6_1
          : !few__head_chunk to !few__key_operand
        %score_sums6_2 = iree_codegen.inner_tiled
          ins(%query1, %keys6_1) outs(%score_sums6_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %key_row7_1 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_1 =
          "vector.load"(%key_lds, %key_row7_1, %key_column1)
          <{alignment = 16 : i64}> : (!few__key_lds, index, index) -> !few__head_chunk
        %keys7_1 = vector.shape_cast %key_chunk7_1
          : !few__head_chunk to !few__key_operand
        %score_sums7_2 = iree_codegen.inner_tiled
          ins(%query1, %keys7_1) outs(%score_sums7_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__query_operand, !few__key_operand into !few__sums
        %no_scores = arith.constant dense<0.0> : !few__scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !few__sums to !few__score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !few__score_tile into !few__scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !few__sums to !few__score_tile
        %scores_2 = vector.insert %score_tile1, %scores_1[1]
          : !few__score_tile into !few__scores
        %score_tile2 = vector.shape_cast %score_sums2_2
          : !few__sums to !few__score_tile
        %scores_3 = vector.insert %score_tile2, %scores_2[2]
          : !few__score_tile into !few__scores
        %score_tile3 = vector.shape_cast %score_sums3_2
          : !few__sums to !few__score_tile
        %scores_4 = vector.insert %score_tile3, %scores_3[3]
          : !few__score_tile into !few__scores
        %score_tile4 = vector.shape_cast %score_sums4_2
          : !few__sums to !few__score_tile
        %scores_5 = vector.insert %score_tile4, %scores_4[4]
          : !few__score_tile into !few__scores
        %score_tile5 = vector.shape_cast %score_sums5_2
          : !few__sums to !few__score_tile
        %scores_6 = vector.insert %score_tile5, %scores_5[5]
          : !few__score_tile into !few__scores
        %score_tile6 = vector.shape_cast %score_sums6_2
          : !few__sums to !few__score_tile
        %scores_7 = vector.insert %score_tile6, %scores_6[6]
          : !few__score_tile into !few__scores
        %score_tile7 = vector.shape_cast %score_sums7_2
          : !few__sums to !few__score_tile
        %scores = vector.insert %score_tile7, %scores_7[7]
          : !few__score_tile into !few__scores
        %key_numbers = arith.constant dense<[[[0, 1], [0, 1]], [[2, 3], [2, 3]], [[4, 5], [4, 5]], [[6, 7], [6, 7]], [[8, 9], [8, 9]], [[10, 11], [10, 11]], [[12, 13], [12, 13]], [[14, 15], [14, 15]]]> : !few__score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %last_rows = vector.from_elements %last_i32_0, %last_i32_1 : !few__row_bits
        %lasts = vector.broadcast %last_rows : !few__row_bits to !few__score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !few__score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !few__is_seen, !few__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !few__row_scores from !few__scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !few__row_scores from !few__scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !few__row_scores
        %of_tile0_2 = vector.extract %scores_ruled[2, 0]
          : !few__row_scores from !few__scores
        %top0_2 = arith.maxnumf %top0_1, %of_tile0_2
          fastmath<nnan> : !few__row_scores
        %of_tile0_3 = vector.extract %scores_ruled[3, 0]
          : !few__row_scores from !few__scores
        %top0_3 = arith.maxnumf %top0_2, %of_tile0_3
          fastmath<nnan> : !few__row_scores
        %of_tile0_4 = vector.extract %scores_ruled[4, 0]
          : !few__row_scores from !few__scores
        %top0_4 = arith.maxnumf %top0_3, %of_tile0_4
          fastmath<nnan> : !few__row_scores
        %of_tile0_5 = vector.extract %scores_ruled[5, 0]
          : !few__row_scores from !few__scores
        %top0_5 = arith.maxnumf %top0_4, %of_tile0_5
          fastmath<nnan> : !few__row_scores
        %of_tile0_6 = vector.extract %scores_ruled[6, 0]
          : !few__row_scores from !few__scores
        %top0_6 = arith.maxnumf %top0_5, %of_tile0_6
          fastmath<nnan> : !few__row_scores
        %of_tile0_7 = vector.extract %scores_ruled[7, 0]
          : !few__row_scores from !few__scores
        %top0_7 = arith.maxnumf %top0_6, %of_tile0_7
          fastmath<nnan> : !few__row_scores
        %top0 = vector.extract %top0_7[0] : f32 from !few__row_scores
        %of_key0_1 = vector.extract %top0_7[1]
          : f32 from !few__row_scores
        %largest0 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0_1 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_there0_2, %best_is_there0_2 =
          gpu.shuffle xor %best0_1, %distance2, %wave_size : f32
        %best0 = arith.maxnumf %best0_1, %best_there0_2 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %top1_0 = vector.extract %scores_ruled[0, 1] : !few__row_scores from !few__scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !few__row_scores from !few__scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !few__row_scores
        %of_tile1_2 = vector.extract %scores_ruled[2, 1]
          : !few__row_scores from !few__scores
        %top1_2 = arith.maxnumf %top1_1, %of_tile1_2
          fastmath<nnan> : !few__row_scores
        %of_tile1_3 = vector.extract %scores_ruled[3, 1]
          : !few__row_scores from !few__scores
        %top1_3 = arith.maxnumf %top1_2, %of_tile1_3
          fastmath<nnan> : !few__row_scores
        %of_tile1_4 = vector.extract %scores_ruled[4, 1]
          : !few__row_scores from !few__scores
        %top1_4 = arith.maxnumf %top1_3, %of_tile1_4
          fastmath<nnan> : !few__row_scores
        %of_tile1_5 = vector.extract %scores_ruled[5, 1]
          : !few__row_scores from !few__scores
        %top1_5 = arith.maxnumf %top1_4, %of_tile1_5
          fastmath<nnan> : !few__row_scores
        %of_tile1_6 = vector.extract %scores_ruled[6, 1]
          : !few__row_scores from !few__scores
        %top1_6 = arith.maxnumf %top1_5, %of_tile1_6
          fastmath<nnan> : !few__row_scores
        %of_tile1_7 = vector.extract %scores_ruled[7, 1]
          : !few__row_scores from !few__scores
        %top1_7 = arith.maxnumf %top1_6, %of_tile1_7
          fastmath<nnan> : !few__row_scores
        %top1 = vector.extract %top1_7[0] : f32 from !few__row_scores
        %of_key1_1 = vector.extract %top1_7[1]
          : f32 from !few__row_scores
        %largest1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %largest1, %distance1, %wave_size : f32
        %best1_1 = arith.maxnumf %largest1, %best_there1_1 : f32
        %best_there1_2, %best_is_there1_2 =
          gpu.shuffle xor %best1_1, %distance2, %wave_size : f32
        %best1 = arith.maxnumf %best1_1, %best_there1_2 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_1 = arith.ori %no, %grows0 : i1
        %any_grows = arith.ori %any_grows_1, %grows1 : i1
        %max_next0, %max_next1, %sum_brought0, %sum_brought1, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, f32, !few__acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !few__rows
          %sum_factors = vector.shape_cast %factors : !few__rows to !few__sum_factors
          %all_factors = vector.broadcast %sum_factors : !few__sum_factors to !few__acc
          %acc_less = arith.mulf %acc, %all_factors : !few__acc
          scf.yield %higher0, %higher1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, !few__acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !few__acc
        }
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !few__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !few__rows to !few__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !few__scores
        %logits_flat = vector.shape_cast %logits : !few__scores to !few__scores_flat
        %logit0 = vector.extract %logits_flat[0] : f32 from !few__scores_flat
        %exp0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit0) : (f32) -> f32
        %logit1 = vector.extract %logits_flat[1] : f32 from !few__scores_flat
        %exp1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit1) : (f32) -> f32
        %logit2 = vector.extract %logits_flat[2] : f32 from !few__scores_flat
        %exp2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit2) : (f32) -> f32
        %logit3 = vector.extract %logits_flat[3] : f32 from !few__scores_flat
        %exp3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit3) : (f32) -> f32
        %logit4 = vector.extract %logits_flat[4] : f32 from !few__scores_flat
        %exp4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit4) : (f32) -> f32
        %logit5 = vector.extract %logits_flat[5] : f32 from !few__scores_flat
        %exp5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit5) : (f32) -> f32
        %logit6 = vector.extract %logits_flat[6] : f32 from !few__scores_flat
        %exp6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit6) : (f32) -> f32
        %logit7 = vector.extract %logits_flat[7] : f32 from !few__scores_flat
        %exp7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit7) : (f32) -> f32
        %logit8 = vector.extract %logits_flat[8] : f32 from !few__scores_flat
        %exp8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit8) : (f32) -> f32
        %logit9 = vector.extract %logits_flat[9] : f32 from !few__scores_flat
        %exp9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit9) : (f32) -> f32
        %logit10 = vector.extract %logits_flat[10] : f32 from !few__scores_flat
        %exp10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit10) : (f32) -> f32
        %logit11 = vector.extract %logits_flat[11] : f32 from !few__scores_flat
        %exp11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit11) : (f32) -> f32
        %logit12 = vector.extract %logits_flat[12] : f32 from !few__scores_flat
        %exp12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit12) : (f32) -> f32
        %logit13 = vector.extract %logits_flat[13] : f32 from !few__scores_flat
        %exp13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit13) : (f32) -> f32
        %logit14 = vector.extract %logits_flat[14] : f32 from !few__scores_flat
        %exp14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit14) : (f32) -> f32
        %logit15 = vector.extract %logits_flat[15] : f32 from !few__scores_flat
        %exp15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit15) : (f32) -> f32
        %logit16 = vector.extract %logits_flat[16] : f32 from !few__scores_flat
        %exp16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit16) : (f32) -> f32
        %logit17 = vector.extract %logits_flat[17] : f32 from !few__scores_flat
        %exp17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit17) : (f32) -> f32
        %logit18 = vector.extract %logits_flat[18] : f32 from !few__scores_flat
        %exp18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit18) : (f32) -> f32
        %logit19 = vector.extract %logits_flat[19] : f32 from !few__scores_flat
        %exp19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit19) : (f32) -> f32
        %logit20 = vector.extract %logits_flat[20] : f32 from !few__scores_flat
        %exp20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit20) : (f32) -> f32
        %logit21 = vector.extract %logits_flat[21] : f32 from !few__scores_flat
        %exp21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit21) : (f32) -> f32
        %logit22 = vector.extract %logits_flat[22] : f32 from !few__scores_flat
        %exp22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit22) : (f32) -> f32
        %logit23 = vector.extract %logits_flat[23] : f32 from !few__scores_flat
        %exp23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit23) : (f32) -> f32
        %logit24 = vector.extract %logits_flat[24] : f32 from !few__scores_flat
        %exp24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit24) : (f32) -> f32
        %logit25 = vector.extract %logits_flat[25] : f32 from !few__scores_flat
        %exp25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit25) : (f32) -> f32
        %logit26 = vector.extract %logits_flat[26] : f32 from !few__scores_flat
        %exp26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit26) : (f32) -> f32
        %logit27 = vector.extract %logits_flat[27] : f32 from !few__scores_flat
        %exp27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit27) : (f32) -> f32
        %logit28 = vector.extract %logits_flat[28] : f32 from !few__scores_flat
        %exp28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit28) : (f32) -> f32
        %logit29 = vector.extract %logits_flat[29] : f32 from !few__scores_flat
        %exp29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit29) : (f32) -> f32
        %logit30 = vector.extract %logits_flat[30] : f32 from !few__scores_flat
        %exp30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit30) : (f32) -> f32
        %logit31 = vector.extract %logits_flat[31] : f32 from !few__scores_flat
        %exp31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit31) : (f32) -> f32
        %exps_flat = vector.from_elements %exp0, %exp1, %exp2, %exp3, %exp4, %exp5, %exp6, %exp7, %exp8, %exp9, %exp10, %exp11, %exp12, %exp13, %exp14, %exp15, %exp16, %exp17, %exp18, %exp19, %exp20, %exp21, %exp22, %exp23, %exp24, %exp25, %exp26, %exp27, %exp28, %exp29, %exp30, %exp31 : !few__scores_flat
        %exps = vector.shape_cast %exps_flat : !few__scores_flat to !few__scores
        %no_pairs = arith.constant dense<0.0> : !few__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !few__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !few__scores
        %pair0 = "nvvm.convert.f32x2.to.f16x2"(%odd0, %even0)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !few__pair into !few__pairs
        %even1 = vector.extract %exps[1, 0, 0] : f32 from !few__scores
        %odd1 = vector.extract %exps[1, 0, 1] : f32 from !few__scores
        %pair1 = "nvvm.convert.f32x2.to.f16x2"(%odd1, %even1)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !few__pair into !few__pairs
        %even2 = vector.extract %exps[2, 0, 0] : f32 from !few__scores
        %odd2 = vector.extract %exps[2, 0, 1] : f32 from !few__scores
        %pair2 = "nvvm.convert.f32x2.to.f16x2"(%odd2, %even2)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !few__pair into !few__pairs
        %even3 = vector.extract %exps[3, 0, 0] : f32 from !few__scores
        %odd3 = vector.extract %exps[3, 0, 1] : f32 from !few__scores
        %pair3 = "nvvm.convert.f32x2.to.f16x2"(%odd3, %even3)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !few__pair into !few__pairs
        %even4 = vector.extract %exps[4, 0, 0] : f32 from !few__scores
        %odd4 = vector.extract %exps[4, 0, 1] : f32 from !few__scores
        %pair4 = "nvvm.convert.f32x2.to.f16x2"(%odd4, %even4)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !few__pair into !few__pairs
        %even5 = vector.extract %exps[5, 0, 0] : f32 from !few__scores
        %odd5 = vector.extract %exps[5, 0, 1] : f32 from !few__scores
        %pair5 = "nvvm.convert.f32x2.to.f16x2"(%odd5, %even5)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !few__pair into !few__pairs
        %even6 = vector.extract %exps[6, 0, 0] : f32 from !few__scores
        %odd6 = vector.extract %exps[6, 0, 1] : f32 from !few__scores
        %pair6 = "nvvm.convert.f32x2.to.f16x2"(%odd6, %even6)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !few__pair into !few__pairs
        %even7 = vector.extract %exps[7, 0, 0] : f32 from !few__scores
        %odd7 = vector.extract %exps[7, 0, 1] : f32 from !few__scores
        %pair7 = "nvvm.convert.f32x2.to.f16x2"(%odd7, %even7)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !few__pair into !few__pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !few__scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !few__scores
        %pair8 = "nvvm.convert.f32x2.to.f16x2"(%odd8, %even8)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !few__pair into !few__pairs
        %even9 = vector.extract %exps[1, 1, 0] : f32 from !few__scores
        %odd9 = vector.extract %exps[1, 1, 1] : f32 from !few__scores
        %pair9 = "nvvm.convert.f32x2.to.f16x2"(%odd9, %even9)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !few__pair into !few__pairs
        %even10 = vector.extract %exps[2, 1, 0] : f32 from !few__scores
        %odd10 = vector.extract %exps[2, 1, 1] : f32 from !few__scores
        %pair10 = "nvvm.convert.f32x2.to.f16x2"(%odd10, %even10)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !few__pair into !few__pairs
        %even11 = vector.extract %exps[3, 1, 0] : f32 from !few__scores
        %odd11 = vector.extract %exps[3, 1, 1] : f32 from !few__scores
        %pair11 = "nvvm.convert.f32x2.to.f16x2"(%odd11, %even11)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !few__pair into !few__pairs
        %even12 = vector.extract %exps[4, 1, 0] : f32 from !few__scores
        %odd12 = vector.extract %exps[4, 1, 1] : f32 from !few__scores
        %pair12 = "nvvm.convert.f32x2.to.f16x2"(%odd12, %even12)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !few__pair into !few__pairs
        %even13 = vector.extract %exps[5, 1, 0] : f32 from !few__scores
        %odd13 = vector.extract %exps[5, 1, 1] : f32 from !few__scores
        %pair13 = "nvvm.convert.f32x2.to.f16x2"(%odd13, %even13)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !few__pair into !few__pairs
        %even14 = vector.extract %exps[6, 1, 0] : f32 from !few__scores
        %odd14 = vector.extract %exps[6, 1, 1] : f32 from !few__scores
        %pair14 = "nvvm.convert.f32x2.to.f16x2"(%odd14, %even14)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !few__pair into !few__pairs
        %even15 = vector.extract %exps[7, 1, 0] : f32 from !few__scores
        %odd15 = vector.extract %exps[7, 1, 1] : f32 from !few__scores
        %pair15 = "nvvm.convert.f32x2.to.f16x2"(%odd15, %even15)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !few__pair
        %pairs = vector.insert %pair15, %pairs_15[15] : !few__pair into !few__pairs
        %weights_own = vector.shape_cast %pairs : !few__pairs to !few__weights_own
        %exps_to0 = vector.extract %exps[0] : !few__score_tile from !few__scores
        %exps_of1 = vector.extract %exps[1] : !few__score_tile from !few__scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !few__score_tile
        %exps_of2 = vector.extract %exps[2] : !few__score_tile from !few__scores
        %exps_to2 = arith.addf %exps_to1, %exps_of2 : !few__score_tile
        %exps_of3 = vector.extract %exps[3] : !few__score_tile from !few__scores
        %exps_to3 = arith.addf %exps_to2, %exps_of3 : !few__score_tile
        %exps_of4 = vector.extract %exps[4] : !few__score_tile from !few__scores
        %exps_to4 = arith.addf %exps_to3, %exps_of4 : !few__score_tile
        %exps_of5 = vector.extract %exps[5] : !few__score_tile from !few__scores
        %exps_to5 = arith.addf %exps_to4, %exps_of5 : !few__score_tile
        %exps_of6 = vector.extract %exps[6] : !few__score_tile from !few__scores
        %exps_to6 = arith.addf %exps_to5, %exps_of6 : !few__score_tile
        %exps_of7 = vector.extract %exps[7] : !few__score_tile from !few__scores
        %exps_to7 = arith.addf %exps_to6, %exps_of7 : !few__score_tile
        %row_exps0 = vector.extract %exps_to7[0] : !few__row_scores from !few__score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !few__row_scores
          into f32
        %row_exps1 = vector.extract %exps_to7[1] : !few__row_scores from !few__score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !few__row_scores
          into f32
        %weight_parts = vector.shape_cast %weights_own : !few__weights_own to !few__weight_parts
        %weight_parts_turned = vector.transpose %weight_parts, [0, 2, 1, 3, 4]
          : !few__weight_parts to !few__weight_parts_turned
        %weights = vector.shape_cast %weight_parts_turned : !few__weight_parts_turned to !few__weights_operand
        %value_column0 = arith.constant 0 : index
        %turned0_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned0_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1]
          : !few__turned into !few__all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !few__all_turned to !few__value_keys
        %value0 = vector.shape_cast %value_keys0 : !few__value_keys to !few__value_operand
        %sums0 = vector.extract %acc_brought[0] : !few__sums from !few__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%weights, %value0) outs(%sums0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !few__sums into !few__acc
        %value_column1 = arith.constant 8 : index
        %turned1_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned1_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1]
          : !few__turned into !few__all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !few__all_turned to !few__value_keys
        %value1 = vector.shape_cast %value_keys1 : !few__value_keys to !few__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !few__sums from !few__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%weights, %value1) outs(%sums1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !few__sums into !few__acc
        %value_column2 = arith.constant 16 : index
        %turned2_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned2_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1]
          : !few__turned into !few__all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !few__all_turned to !few__value_keys
        %value2 = vector.shape_cast %value_keys2 : !few__value_keys to !few__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !few__sums from !few__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%weights, %value2) outs(%sums2)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !few__sums into !few__acc
        %value_column3 = arith.constant 24 : index
        %turned3_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned3_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1]
          : !few__turned into !few__all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !few__all_turned to !few__value_keys
        %value3 = vector.shape_cast %value_keys3 : !few__value_keys to !few__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !few__sums from !few__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%weights, %value3) outs(%sums3)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !few__sums into !few__acc
        %value_column4 = arith.constant 32 : index
        %turned4_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned4_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1]
          : !few__turned into !few__all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !few__all_turned to !few__value_keys
        %value4 = vector.shape_cast %value_keys4 : !few__value_keys to !few__value_operand
        %sums4 = vector.extract %acc_next_4[4] : !few__sums from !few__acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%weights, %value4) outs(%sums4)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !few__sums into !few__acc
        %value_column5 = arith.constant 40 : index
        %turned5_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned5_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1]
          : !few__turned into !few__all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !few__all_turned to !few__value_keys
        %value5 = vector.shape_cast %value_keys5 : !few__value_keys to !few__value_operand
        %sums5 = vector.extract %acc_next_5[5] : !few__sums from !few__acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%weights, %value5) outs(%sums5)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !few__sums into !few__acc
        %value_column6 = arith.constant 48 : index
        %turned6_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned6_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1]
          : !few__turned into !few__all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !few__all_turned to !few__value_keys
        %value6 = vector.shape_cast %value_keys6 : !few__value_keys to !few__value_operand
        %sums6 = vector.extract %acc_next_6[6] : !few__sums from !few__acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%weights, %value6) outs(%sums6)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !few__sums into !few__acc
        %value_column7 = arith.constant 56 : index
        %turned7_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0]
          : !few__turned into !few__all_turned
        %turned7_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!few__value_lds, index, index) -> !few__turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1]
          : !few__turned into !few__all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !few__all_turned to !few__value_keys
        %value7 = vector.shape_cast %value_keys7 : !few__value_keys to !few__value_operand
        %sums7 = vector.extract %acc_next_7[7] : !few__sums from !few__acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%weights, %value7) outs(%sums7)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__weights_operand, !few__value_operand into !few__sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !few__sums into !few__acc
          scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
            : f32, f32, f32, f32, !few__acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !few__acc
        }
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
          : f32, f32, f32, f32, !few__acc
      }
      nvvm.cp.async.wait.group 0
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %acc_2 : !few__acc to !few__acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !few__acc_by_column to !few__acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %no_rows = arith.constant dense<0.0> : !few__rows_f32
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0_1 = arith.addf %sum0_2, %total_there0_1 : f32
        %total_there0_2, %total_is_there0_2 =
          gpu.shuffle xor %total0_1, %distance2, %wave_size : f32
        %total0 = arith.addf %total0_1, %total_there0_2 : f32
      %sum_row0 = arith.addf %total0, %zero : f32
      %sums_of_row0 = vector.extract %acc_by_row[0] : !few__acc_row from !few__acc_by_row
      %sums_flat0 = vector.shape_cast %sums_of_row0 : !few__acc_row to !few__output_f32
      %part_acc_1 = vector.insert %sums_flat0, %no_rows[0] : !few__output_f32 into !few__rows_f32
        %total_there1_1, %total_is_there1_1 =
          gpu.shuffle xor %sum1_2, %distance1, %wave_size : f32
        %total1_1 = arith.addf %sum1_2, %total_there1_1 : f32
        %total_there1_2, %total_is_there1_2 =
          gpu.shuffle xor %total1_1, %distance2, %wave_size : f32
        %total1 = arith.addf %total1_1, %total_there1_2 : f32
      %sum_row1 = arith.addf %total1, %zero : f32
      %sums_of_row1 = vector.extract %acc_by_row[1] : !few__acc_row from !few__acc_by_row
      %sums_flat1 = vector.shape_cast %sums_of_row1 : !few__acc_row to !few__output_f32
      %part_acc = vector.insert %sums_flat1, %part_acc_1[1] : !few__output_f32 into !few__rows_f32
      %part_max = vector.from_elements %max0_2, %max1_2 : !few__part_numbers
      %part_sum = vector.from_elements %sum_row0, %sum_row1 : !few__part_numbers
      %is_odd = affine.apply affine_map<(g) -> (g mod 2)>(%group)
      %takes_second = arith.cmpi ne, %is_odd, %none : index
      %piece_column = affine.apply
        affine_map<(g) -> (g mod 2 * 8 + g floordiv 2 * 4)>(%group)
      %part_row0 = vector.extract %part_acc[0] : !few__output_f32 from !few__rows_f32
      %part_row1 = vector.extract %part_acc[1] : !few__output_f32 from !few__rows_f32
      %first0_0_0 = vector.extract %part_row0[0] : f32 from !few__output_f32
      %second0_0_0 = vector.extract %part_row0[2] : f32 from !few__output_f32
      %given0_0_0 = arith.select %takes_second, %first0_0_0, %second0_0_0 : f32
      %kept0_0_0 = arith.select %takes_second, %second0_0_0, %first0_0_0 : f32
      %there0_0_0, %is_there0_0_0 = gpu.shuffle xor %given0_0_0, %distance1, %wave_size : f32
      %low0_0_0 = arith.select %takes_second, %there0_0_0, %kept0_0_0 : f32
      %high0_0_0 = arith.select %takes_second, %kept0_0_0, %there0_0_0 : f32
      %first0_0_1 = vector.extract %part_row0[1] : f32 from !few__output_f32
      %second0_0_1 = vector.extract %part_row0[3] : f32 from !few__output_f32
      %given0_0_1 = arith.select %takes_second, %first0_0_1, %second0_0_1 : f32
      %kept0_0_1 = arith.select %takes_second, %second0_0_1, %first0_0_1 : f32
      %there0_0_1, %is_there0_0_1 = gpu.shuffle xor %given0_0_1, %distance1, %wave_size : f32
      %low0_0_1 = arith.select %takes_second, %there0_0_1, %kept0_0_1 : f32
      %high0_0_1 = arith.select %takes_second, %kept0_0_1, %there0_0_1 : f32
      %first0_1_0 = vector.extract %part_row1[0] : f32 from !few__output_f32
      %second0_1_0 = vector.extract %part_row1[2] : f32 from !few__output_f32
      %given0_1_0 = arith.select %takes_second, %first0_1_0, %second0_1_0 : f32
      %kept0_1_0 = arith.select %takes_second, %second0_1_0, %first0_1_0 : f32
      %there0_1_0, %is_there0_1_0 = gpu.shuffle xor %given0_1_0, %distance1, %wave_size : f32
      %low0_1_0 = arith.select %takes_second, %there0_1_0, %kept0_1_0 : f32
      %high0_1_0 = arith.select %takes_second, %kept0_1_0, %there0_1_0 : f32
      %first0_1_1 = vector.extract %part_row1[1] : f32 from !few__output_f32
      %second0_1_1 = vector.extract %part_row1[3] : f32 from !few__output_f32
      %given0_1_1 = arith.select %takes_second, %first0_1_1, %second0_1_1 : f32
      %kept0_1_1 = arith.select %takes_second, %second0_1_1, %first0_1_1 : f32
      %there0_1_1, %is_there0_1_1 = gpu.shuffle xor %given0_1_1, %distance1, %wave_size : f32
      %low0_1_1 = arith.select %takes_second, %there0_1_1, %kept0_1_1 : f32
      %high0_1_1 = arith.select %takes_second, %kept0_1_1, %there0_1_1 : f32
      %piece0 = vector.from_elements
        %low0_0_0, %low0_0_1, %high0_0_0, %high0_0_1,
        %low0_1_0, %low0_1_1, %high0_1_0, %high0_1_1
        : !few__piece
      %column_of_piece0 = affine.apply
        affine_map<(c) -> (c + 0)>(%piece_column)
      %first1_0_0 = vector.extract %part_row0[4] : f32 from !few__output_f32
      %second1_0_0 = vector.extract %part_row0[6] : f32 from !few__output_f32
      %given1_0_0 = arith.select %takes_second, %first1_0_0, %second1_0_0 : f32
      %kept1_0_0 = arith.select %takes_second, %second1_0_0, %first1_0_0 : f32
      %there1_0_0, %is_there1_0_0 = gpu.shuffle xor %given1_0_0, %distance1, %wave_size : f32
      %low1_0_0 = arith.select %takes_second, %there1_0_0, %kept1_0_0 : f32
      %high1_0_0 = arith.select %takes_second, %kept1_0_0, %there1_0_0 : f32
      %first1_0_1 = vector.extract %part_row0[5] : f32 from !few__output_f32
      %second1_0_1 = vector.extract %part_row0[7] : f32 from !few__output_f32
      %given1_0_1 = arith.select %takes_second, %first1_0_1, %second1_0_1 : f32
      %kept1_0_1 = arith.select %takes_second, %second1_0_1, %first1_0_1 : f32
      %there1_0_1, %is_there1_0_1 = gpu.shuffle xor %given1_0_1, %distance1, %wave_size : f32
      %low1_0_1 = arith.select %takes_second, %there1_0_1, %kept1_0_1 : f32
      %high1_0_1 = arith.select %takes_second, %kept1_0_1, %there1_0_1 : f32
      %first1_1_0 = vector.extract %part_row1[4] : f32 from !few__output_f32
      %second1_1_0 = vector.extract %part_row1[6] : f32 from !few__output_f32
      %given1_1_0 = arith.select %takes_second, %first1_1_0, %second1_1_0 : f32
      %kept1_1_0 = arith.select %takes_second, %second1_1_0, %first1_1_0 : f32
      %there1_1_0, %is_there1_1_0 = gpu.shuffle xor %given1_1_0, %distance1, %wave_size : f32
      %low1_1_0 = arith.select %takes_second, %there1_1_0, %kept1_1_0 : f32
      %high1_1_0 = arith.select %takes_second, %kept1_1_0, %there1_1_0 : f32
      %first1_1_1 = vector.extract %part_row1[5] : f32 from !few__output_f32
      %second1_1_1 = vector.extract %part_row1[7] : f32 from !few__output_f32
      %given1_1_1 = arith.select %takes_second, %first1_1_1, %second1_1_1 : f32
      %kept1_1_1 = arith.select %takes_second, %second1_1_1, %first1_1_1 : f32
      %there1_1_1, %is_there1_1_1 = gpu.shuffle xor %given1_1_1, %distance1, %wave_size : f32
      %low1_1_1 = arith.select %takes_second, %there1_1_1, %kept1_1_1 : f32
      %high1_1_1 = arith.select %takes_second, %kept1_1_1, %there1_1_1 : f32
      %piece1 = vector.from_elements
        %low1_0_0, %low1_0_1, %high1_0_0, %high1_0_1,
        %low1_1_0, %low1_1_1, %high1_1_0, %high1_1_1
        : !few__piece
      %column_of_piece1 = affine.apply
        affine_map<(c) -> (c + 16)>(%piece_column)
      %first2_0_0 = vector.extract %part_row0[8] : f32 from !few__output_f32
      %second2_0_0 = vector.extract %part_row0[10] : f32 from !few__output_f32
      %given2_0_0 = arith.select %takes_second, %first2_0_0, %second2_0_0 : f32
      %kept2_0_0 = arith.select %takes_second, %second2_0_0, %first2_0_0 : f32
      %there2_0_0, %is_there2_0_0 = gpu.shuffle xor %given2_0_0, %distance1, %wave_size : f32
      %low2_0_0 = arith.select %takes_second, %there2_0_0, %kept2_0_0 : f32
      %high2_0_0 = arith.select %takes_second, %kept2_0_0, %there2_0_0 : f32
      %first2_0_1 = vector.extract %part_row0[9] : f32 from !few__output_f32
      %second2_0_1 = vector.extract %part_row0[11] : f32 from !few__output_f32
      %given2_0_1 = arith.select %takes_second, %first2_0_1, %second2_0_1 : f32
      %kept2_0_1 = arith.select %takes_second, %second2_0_1, %first2_0_1 : f32
      %there2_0_1, %is_there2_0_1 = gpu.shuffle xor %given2_0_1, %distance1, %wave_size : f32
      %low2_0_1 = arith.select %takes_second, %there2_0_1, %kept2_0_1 : f32
      %high2_0_1 = arith.select %takes_second, %kept2_0_1, %there2_0_1 : f32
      %first2_1_0 = vector.extract %part_row1[8] : f32 from !few__output_f32
      %second2_1_0 = vector.extract %part_row1[10] : f32 from !few__output_f32
      %given2_1_0 = arith.select %takes_second, %first2_1_0, %second2_1_0 : f32
      %kept2_1_0 = arith.select %takes_second, %second2_1_0, %first2_1_0 : f32
      %there2_1_0, %is_there2_1_0 = gpu.shuffle xor %given2_1_0, %distance1, %wave_size : f32
      %low2_1_0 = arith.select %takes_second, %there2_1_0, %kept2_1_0 : f32
      %high2_1_0 = arith.select %takes_second, %kept2_1_0, %there2_1_0 : f32
      %first2_1_1 = vector.extract %part_row1[9] : f32 from !few__output_f32
      %second2_1_1 = vector.extract %part_row1[11] : f32 from !few__output_f32
      %given2_1_1 = arith.select %takes_second, %first2_1_1, %second2_1_1 : f32
      %kept2_1_1 = arith.select %takes_second, %second2_1_1, %first2_1_1 : f32
      %there2_1_1, %is_there2_1_1 = gpu.shuffle xor %given2_1_1, %distance1, %wave_size : f32
      %low2_1_1 = arith.select %takes_second, %there2_1_1, %kept2_1_1 : f32
      %high2_1_1 = arith.select %takes_second, %kept2_1_1, %there2_1_1 : f32
      %piece2 = vector.from_elements
        %low2_0_0, %low2_0_1, %high2_0_0, %high2_0_1,
        %low2_1_0, %low2_1_1, %high2_1_0, %high2_1_1
        : !few__piece
      %column_of_piece2 = affine.apply
        affine_map<(c) -> (c + 32)>(%piece_column)
      %first3_0_0 = vector.extract %part_row0[12] : f32 from !few__output_f32
      %second3_0_0 = vector.extract %part_row0[14] : f32 from !few__output_f32
      %given3_0_0 = arith.select %takes_second, %first3_0_0, %second3_0_0 : f32
      %kept3_0_0 = arith.select %takes_second, %second3_0_0, %first3_0_0 : f32
      %there3_0_0, %is_there3_0_0 = gpu.shuffle xor %given3_0_0, %distance1, %wave_size : f32
      %low3_0_0 = arith.select %takes_second, %there3_0_0, %kept3_0_0 : f32
      %high3_0_0 = arith.select %takes_second, %kept3_0_0, %there3_0_0 : f32
      %first3_0_1 = vector.extract %part_row0[13] : f32 from !few__output_f32
      %second3_0_1 = vector.extract %part_row0[15] : f32 from !few__output_f32
      %given3_0_1 = arith.select %takes_second, %first3_0_1, %second3_0_1 : f32
      %kept3_0_1 = arith.select %takes_second, %second3_0_1, %first3_0_1 : f32
      %there3_0_1, %is_there3_0_1 = gpu.shuffle xor %given3_0_1, %distance1, %wave_size : f32
      %low3_0_1 = arith.select %takes_second, %there3_0_1, %kept3_0_1 : f32
      %high3_0_1 = arith.select %takes_second, %kept3_0_1, %there3_0_1 : f32
      %first3_1_0 = vector.extract %part_row1[12] : f32 from !few__output_f32
      %second3_1_0 = vector.extract %part_row1[14] : f32 from !few__output_f32
      %given3_1_0 = arith.select %takes_second, %first3_1_0, %second3_1_0 : f32
      %kept3_1_0 = arith.select %takes_second, %second3_1_0, %first3_1_0 : f32
      %there3_1_0, %is_there3_1_0 = gpu.shuffle xor %given3_1_0, %distance1, %wave_size : f32
      %low3_1_0 = arith.select %takes_second, %there3_1_0, %kept3_1_0 : f32
      %high3_1_0 = arith.select %takes_second, %kept3_1_0, %there3_1_0 : f32
      %first3_1_1 = vector.extract %part_row1[13] : f32 from !few__output_f32
      %second3_1_1 = vector.extract %part_row1[15] : f32 from !few__output_f32
      %given3_1_1 = arith.select %takes_second, %first3_1_1, %second3_1_1 : f32
      %kept3_1_1 = arith.select %takes_second, %second3_1_1, %first3_1_1 : f32
      %there3_1_1, %is_there3_1_1 = gpu.shuffle xor %given3_1_1, %distance1, %wave_size : f32
      %low3_1_1 = arith.select %takes_second, %there3_1_1, %kept3_1_1 : f32
      %high3_1_1 = arith.select %takes_second, %kept3_1_1, %there3_1_1 : f32
      %piece3 = vector.from_elements
        %low3_0_0, %low3_0_1, %high3_0_0, %high3_0_1,
        %low3_1_0, %low3_1_1, %high3_1_0, %high3_1_1
        : !few__piece
      %column_of_piece3 = affine.apply
        affine_map<(c) -> (c + 48)>(%piece_column)
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %none] [%own_rows, 64]
        [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
        %new_rows0_1 = vector.transfer_write %piece0,
          %old_rows0[%none, %column_of_piece0]
          {in_bounds = [false, true]} : !few__piece, tensor<?x64xf32>
        %new_rows0_2 = vector.transfer_write %piece1,
          %new_rows0_1[%none, %column_of_piece1]
          {in_bounds = [false, true]} : !few__piece, tensor<?x64xf32>
        %new_rows0_3 = vector.transfer_write %piece2,
          %new_rows0_2[%none, %column_of_piece2]
          {in_bounds = [false, true]} : !few__piece, tensor<?x64xf32>
        %new_rows0 = vector.transfer_write %piece3,
          %new_rows0_3[%none, %column_of_piece3]
          {in_bounds = [false, true]} : !few__piece, tensor<?x64xf32>
      %old_rows1 = tensor.extract_slice %tile1[%first_row] [%own_rows]
        [1] : tensor<?xf32> to tensor<?xf32>
        %new_rows1 = vector.transfer_write %part_max, %old_rows1
          [%none]
          {in_bounds = [false]}
          : !few__part_numbers, tensor<?xf32>
      %old_rows2 = tensor.extract_slice %tile2[%first_row] [%own_rows]
        [1] : tensor<?xf32> to tensor<?xf32>
        %new_rows2 = vector.transfer_write %part_sum, %old_rows2
          [%none]
          {in_bounds = [false]}
          : !few__part_numbers, tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %none]
          [%own_rows, 64] [1, 1] : tensor<?x64xf32> into tensor<?x64xf32>
        tensor.parallel_insert_slice %new_rows1 into %tile1[%first_row]
          [%own_rows] [1] : tensor<?xf32> into tensor<?xf32>
        tensor.parallel_insert_slice %new_rows2 into %tile2[%first_row]
          [%own_rows] [1] : tensor<?xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part_acc_rows_stored
        into %part_acc_rows_all[%result_row, %none]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf32> into tensor<1200x64xf32>
      tensor.parallel_insert_slice %part_max_rows_stored
        into %part_max_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<1200xf32>
      tensor.parallel_insert_slice %part_sum_rows_stored
        into %part_sum_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<1200xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_rows_out,
      offsets = [0, 0], sizes = [1200, 64], strides = [1, 1]
      : tensor<1200x64xf32> -> !few__part_acc_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_rows_out,
      offsets = [0], sizes = [1200], strides = [1]
      : tensor<1200xf32> -> !few__part_max_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_rows_out,
      offsets = [0], sizes = [1200], strides = [1]
      : tensor<1200xf32> -> !few__part_sum_rows_out
    return
  }
  }
}
flow.executable private @packed_paged_few_merge {
  flow.executable.export public @packed_paged_few_merge
      workgroups() -> (index, index, index) {
    %sequences = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %heads = arith.constant 8 : index
    %q_tokens = arith.constant 50 : index
    %tiles = arith.constant 50 : index
    %pages = arith.constant 40 : index
    flow.return %tiles, %heads, %sequences : index, index, index
  }
  builtin.module {
  func.func @packed_paged_few_merge(
      %part_acc_in: !few__part_acc_in,
      %part_max_in: !few__part_max_in,
      %part_sum_in: !few__part_sum_in,
      %cu_seqlens_q_in: !few__cu_seqlens_q_in,
      %context_lens_in: !few__context_lens_in,
      %output_rows_out: !few__output_rows_out,
      %lse_rows_out: !few__lse_rows_out
    ) {
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_in,
      offsets = [0, 0, 0, 0], sizes = [2, 3, 200, 64], strides = [1, 1, 1, 1]
      : !few__part_acc_in -> tensor<2x3x200x64xf32>
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_in,
      offsets = [0, 0, 0], sizes = [2, 3, 200], strides = [1, 1, 1]
      : !few__part_max_in -> tensor<2x3x200xf32>
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_in,
      offsets = [0, 0, 0], sizes = [2, 3, 200], strides = [1, 1, 1]
      : !few__part_sum_in -> tensor<2x3x200xf32>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !few__cu_seqlens_q_in -> tensor<5xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__context_lens_in -> tensor<4xi32>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %heads = arith.constant 8 : index
    %q_tokens = arith.constant 50 : index
    %tiles = arith.constant 50 : index
    %pages = arith.constant 40 : index
    %i = flow.dispatch.workgroup.id[0] : index
    %x = flow.dispatch.workgroup.id[1] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %one = arith.constant 1 : index
    %first_sequence = arith.constant 0 : index
    %most_queries = arith.index_cast %q_tokens : index to i32
    %halvings = arith.constant 3 : index
    %widest = arith.constant 4 : index
    %sequence_found = scf.for %halving = %first_sequence to %halvings step %one
        iter_args(%found = %first_sequence) -> (index) {
      %width = arith.shrui %widest, %halving : index
      %further = arith.addi %found, %width : index
      %candidate = arith.minsi %further, %packed : index
      %candidate_i32 = tensor.extract %cu_seqlens_q[%candidate] : tensor<5xi32>
    %candidate_start_kept = arith.minui %candidate_i32, %most_queries : i32
    %candidate_start = arith.index_cast %candidate_start_kept : i32 to index
      %candidate_place = affine.apply affine_map<(q) -> (q)>(%candidate_start)
      %is_there = arith.cmpi sle, %candidate_place, %i : index
      %better = arith.select %is_there, %candidate, %found : index
      scf.yield %better : index
    }
    // Padding is not the last sequence's.
    %sequence = affine.min affine_map<(s)[n] -> (s, n - 1)>(%sequence_found)[%packed]
    %zero_queries = arith.constant 0 : index
    %next = affine.apply affine_map<(s) -> (s + 1)>(%sequence)
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<5xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<5xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    %few_slot = affine.min affine_map<(q, s) -> (q, s * 16)>(%q_start, %sequence)
    %q_count = arith.subi %q_next, %q_start : index
    %few = arith.constant 16 : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %queries_of_few = arith.select %is_few, %q_count, %zero_queries : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%sequence] : tensor<4xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %sequence, %pages : index
    %context_len = affine.apply affine_map<(n) -> (n)>(%context_len_of_sequence)
    %part_keys = affine.max affine_map<(n)
      -> (n ceildiv 192 * 64, 64)>(%context_len)
    %none = arith.constant 0 : index
    %query = arith.subi %i, %q_start : index
    %is_row = arith.cmpi ult, %query, %queries_of_few : index
    %rows_here = arith.select %is_row, %one, %none : index
    %parts_here = arith.ceildivui %context_len, %part_keys : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %slot = arith.addi %few_slot, %query : index
    %first_row = affine.apply affine_map<(q, x) -> (q * 4 + x mod 4)>(%slot, %x)
    %result_row = affine.apply affine_map<(i) -> (i)>(%i)
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %at_once = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_element = arith.constant 0.0 : f16
    %tile_empty0 = tensor.empty(%rows_here) : tensor<?x64xf16>
    %tile_empty1 = tensor.empty(%rows_here) : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #few__merge} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %output_tile, %lse_tile =
      scf.forall (%lane) in (32)
        shared_outs(%tile0 = %tile_start, %tile1 = %tile_empty1)
        -> (tensor<?x64xf16>, tensor<?xf32>) {
      %column = affine.min affine_map<(l)
        -> (l * 2, 62)>(%lane)
      %lanes_of_row = arith.constant 32 : index
      %writes0 = arith.cmpi slt, %lane, %lanes_of_row : index
      %writes1 = arith.cmpi eq, %lane, %none : index
      %own_rows0 = arith.select %writes0, %rows_here, %none : index
      %own0 = tensor.extract_slice %tile0[%none, %column] [%own_rows0, 2]
        [1, 1] : tensor<?x64xf16> to !few__own_of_output_rows
      %own_rows1 = arith.select %writes1, %rows_here, %none : index
      %own1 = tensor.extract_slice %tile1[%none] [%own_rows1]
        [1] : tensor<?xf32> to !few__own_of_lse_rows
      %rows_of_output_rows, %rows_of_lse_rows = scf.for %m = %none to %rows_here step %one
        iter_args(%before0 = %own0, %before1 = %own1)
        -> (!few__own_of_output_rows, !few__own_of_lse_rows) {
        %row = affine.apply affine_map<(r, m) -> (r + m * 4)>(%first_row, %m)
      %max = scf.for %p = %none to %parts_here step %at_once iter_args(%max_before = %lowest) -> (f32) {
        %part0 = affine.min affine_map<(p)[e] -> (p + 0, e - 1)>(%p)[%parts_here]
        %max_of_part0 = tensor.extract %part_max[%kv_head, %part0, %row] : !few__part_max
        %max_after_1 = arith.maxnumf %max_before, %max_of_part0 : f32
        %part1 = affine.min affine_map<(p)[e] -> (p + 1, e - 1)>(%p)[%parts_here]
        %max_of_part1 = tensor.extract %part_max[%kv_head, %part1, %row] : !few__part_max
        %max_after_2 = arith.maxnumf %max_after_1, %max_of_part1 : f32
        %part2 = affine.min affine_map<(p)[e] -> (p + 2, e - 1)>(%p)[%parts_here]
        %max_of_part2 = tensor.extract %part_max[%kv_head, %part2, %row] : !few__part_max
        %max_after = arith.maxnumf %max_after_2, %max_of_part2 : f32
        scf.yield %max_after : f32
      }
      %no_columns = arith.constant dense<0.0> : !few__columns_of_lane
      %sum, %acc = scf.for %p = %none to %parts_here step %at_once
          iter_args(%sum_before = %zero, %acc_before = %no_columns) -> (f32, !few__columns_of_lane) {
        %part_any0 = affine.apply affine_map<(p) -> (p + 0)>(%p)
        %is_part0 = arith.cmpi slt, %part_any0, %parts_here : index
        %part0 = affine.min affine_map<(p)[e] -> (p + 0, e - 1)>(%p)[%parts_here]
        %max_of_part0 = tensor.extract %part_max[%kv_head, %part0, %row] : !few__part_max
        %below_max0 = arith.subf %max_of_part0, %max : f32
        %shrink_any0 = math.exp2 %below_max0 : f32
        %shrink0 = arith.select %is_part0, %shrink_any0, %zero : f32
        %sum_of_part0 = tensor.extract %part_sum[%kv_head, %part0, %row] : !few__part_sum
        %acc_of_part0 = vector.transfer_read %part_acc[%kv_head, %part0, %row, %column], %zero
          {in_bounds = [true]} : !few__part_acc, !few__columns_of_lane
        %acc_counted0 = arith.select %is_part0, %acc_of_part0, %no_columns
          : !few__columns_of_lane
        %all_shrink0 = vector.broadcast %shrink0 : f32 to !few__columns_of_lane
        %part_any1 = affine.apply affine_map<(p) -> (p + 1)>(%p)
        %is_part1 = arith.cmpi slt, %part_any1, %parts_here : index
        %part1 = affine.min affine_map<(p)[e] -> (p + 1, e - 1)>(%p)[%parts_here]
        %max_of_part1 = tensor.extract %part_max[%kv_head, %part1, %row] : !few__part_max
        %below_max1 = arith.subf %max_of_part1, %max : f32
        %shrink_any1 = math.exp2 %below_max1 : f32
        %shrink1 = arith.select %is_part1, %shrink_any1, %zero : f32
        %sum_of_part1 = tensor.extract %part_sum[%kv_head, %part1, %row] : !few__part_sum
        %acc_of_part1 = vector.transfer_read %part_acc[%kv_head, %part1, %row, %column], %zero
          {in_bounds = [true]} : !few__part_acc, !few__columns_of_lane
        %acc_counted1 = arith.select %is_part1, %acc_of_part1, %no_columns
          : !few__columns_of_lane
        %all_shrink1 = vector.broadcast %shrink1 : f32 to !few__columns_of_lane
        %part_any2 = affine.apply affine_map<(p) -> (p + 2)>(%p)
        %is_part2 = arith.cmpi slt, %part_any2, %parts_here : index
        %part2 = affine.min affine_map<(p)[e] -> (p + 2, e - 1)>(%p)[%parts_here]
        %max_of_part2 = tensor.extract %part_max[%kv_head, %part2, %row] : !few__part_max
        %below_max2 = arith.subf %max_of_part2, %max : f32
        %shrink_any2 = math.exp2 %below_max2 : f32
        %shrink2 = arith.select %is_part2, %shrink_any2, %zero : f32
        %sum_of_part2 = tensor.extract %part_sum[%kv_head, %part2, %row] : !few__part_sum
        %acc_of_part2 = vector.transfer_read %part_acc[%kv_head, %part2, %row, %column], %zero
          {in_bounds = [true]} : !few__part_acc, !few__columns_of_lane
        %acc_counted2 = arith.select %is_part2, %acc_of_part2, %no_columns
          : !few__columns_of_lane
        %all_shrink2 = vector.broadcast %shrink2 : f32 to !few__columns_of_lane
        %sum_after_1 = math.fma %sum_of_part0, %shrink0, %sum_before : f32
        %sum_after_2 = math.fma %sum_of_part1, %shrink1, %sum_after_1 : f32
        %sum_after = math.fma %sum_of_part2, %shrink2, %sum_after_2 : f32
        %acc_after_1 = math.fma %acc_counted0, %all_shrink0, %acc_before : !few__columns_of_lane
        %acc_after_2 = math.fma %acc_counted1, %all_shrink1, %acc_after_1 : !few__columns_of_lane
        %acc_after = math.fma %acc_counted2, %all_shrink2, %acc_after_2 : !few__columns_of_lane
        scf.yield %sum_after, %acc_after : f32, !few__columns_of_lane
      }
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %zero_each = vector.broadcast %zero : f32 to !few__columns_of_lane
      %sum_each = vector.broadcast %sum : f32 to !few__columns_of_lane
      %mean_any = arith.divf %acc, %sum_each : !few__columns_of_lane
      %mean = arith.select %is_empty, %zero_each, %mean_any : !few__columns_of_lane
    %mean_stored = arith.truncf %mean : !few__columns_of_lane to !few__merged_columns
        %output = vector.shape_cast %mean_stored : !few__merged_columns to !few__merged
      %log = math.log %sum : f32
      %unit = arith.constant 0.6931471805599453 : f32
      %max_natural = arith.mulf %max, %unit : f32
      %lse_number = arith.addf %max_natural, %log : f32
        %lse = vector.from_elements %lse_number : !few__merged_lse
        %after0 = scf.if %writes0 -> (!few__own_of_output_rows) {
          %written0 = vector.transfer_write %output,
            %before0[%m, %none]
            {in_bounds = [true, true]} : !few__merged, !few__own_of_output_rows
          scf.yield %written0 : !few__own_of_output_rows
        } else {
          scf.yield %before0 : !few__own_of_output_rows
        }
        %after1 = scf.if %writes1 -> (!few__own_of_lse_rows) {
          %written1 = vector.transfer_write %lse,
            %before1[%m]
            {in_bounds = [true]} : !few__merged_lse, !few__own_of_lse_rows
          scf.yield %written1 : !few__own_of_lse_rows
        } else {
          scf.yield %before1 : !few__own_of_lse_rows
        }
        scf.yield %after0, %after1
          : !few__own_of_output_rows, !few__own_of_lse_rows
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %rows_of_output_rows into %tile0[%none, %column]
          [%own_rows0, 2] [1, 1]
          : !few__own_of_output_rows into tensor<?x64xf16>
        tensor.parallel_insert_slice %rows_of_lse_rows into %tile1[%none]
          [%own_rows1] [1]
          : !few__own_of_lse_rows into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %output_tile, %output_rows_out,
      offsets = [%result_row, %result_column], sizes = [%rows_here, 64], strides = [1, 1]
      : tensor<?x64xf16> -> !few__output_rows_out
    iree_tensor_ext.dispatch.tensor.store %lse_tile, %lse_rows_out,
      offsets = [%lse_place], sizes = [%rows_here], strides = [1]
      : tensor<?xf32> -> !few__lse_rows_out
    return
  }
  }
}
func.func private @few(%query: !few__query, %key_cache: !few__key_cache, %value_cache: !few__value_cache, %cu_seqlens_q: !few__cu_seqlens_q, %block_table: !few__block_table, %context_lens: !few__context_lens, %output_of_many: !few__output_of_many, %lse_of_many: !few__lse_of_many) -> (!few__output, !few__lse) {
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<50x8x64xf16> into tensor<400x64xf16>
  %key_cache_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %value_cache_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<4x40xi32> into tensor<160xi32>
  %made:3 = flow.dispatch @packed_paged_few_kernel::@packed_paged_few_kernel(
      %query_rows, %key_cache_rows, %value_cache_rows, %cu_seqlens_q, %block_table_rows, %context_lens
    ) : (
      tensor<400x64xf16>,
      tensor<3168x64xf16>,
      tensor<3168x64xf16>,
      tensor<5xi32>,
      tensor<160xi32>,
      tensor<4xi32>
    ) -> (tensor<1200x64xf32>, tensor<1200xf32>, tensor<1200xf32>)
  %part_acc = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [2, 3, 200, 64] : tensor<1200x64xf32> into tensor<2x3x200x64xf32>
  %part_max = tensor.expand_shape %made#1 [[0, 1, 2]]
    output_shape [2, 3, 200] : tensor<1200xf32> into tensor<2x3x200xf32>
  %part_sum = tensor.expand_shape %made#2 [[0, 1, 2]]
    output_shape [2, 3, 200] : tensor<1200xf32> into tensor<2x3x200xf32>
  %output_of_many_rows = tensor.collapse_shape %output_of_many [[0], [1, 2]]
    : tensor<50x8x64xf16> into tensor<50x512xf16>
  %lse_of_many_rows = tensor.collapse_shape %lse_of_many [[0, 1]]
    : tensor<8x50xf32> into tensor<400xf32>
  %merged:2 = flow.dispatch @packed_paged_few_merge::@packed_paged_few_merge(
      %part_acc, %part_max, %part_sum, %cu_seqlens_q, %context_lens, %output_of_many_rows, %lse_of_many_rows
    ) : (
      tensor<2x3x200x64xf32>,
      tensor<2x3x200xf32>,
      tensor<2x3x200xf32>,
      tensor<5xi32>,
      tensor<4xi32>,
      tensor<50x512xf16>,
      tensor<400xf32>
    ) -> (%output_of_many_rows, %lse_of_many_rows)
  %output = tensor.expand_shape %merged#0 [[0], [1, 2]]
    output_shape [50, 8, 64] : tensor<50x512xf16> into tensor<50x8x64xf16>
  %lse = tensor.expand_shape %merged#1 [[0, 1]]
    output_shape [8, 50] : tensor<400xf32> into tensor<8x50xf32>
  return %output, %lse
    : !few__output, !few__lse
}
!query = tensor<50x8x64xf16>
!key_cache = tensor<99x2x16x64xf16>
!value_cache = tensor<99x2x16x64xf16>
!cu_seqlens_q = tensor<5xi32>
!block_table = tensor<4x40xi32>
!context_lens = tensor<4xi32>
!output = tensor<50x8x64xf16>
!lse = tensor<8x50xf32>

func.func @packed_paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %cu_seqlens_q: !cu_seqlens_q, %block_table: !block_table, %context_lens: !context_lens) -> (!output, !lse) {
  %output_of_many, %lse_of_many = call @many(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens)
    : (tensor<50x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<5xi32>, tensor<4x40xi32>, tensor<4xi32>)
    -> (tensor<50x8x64xf16>, tensor<8x50xf32>)
  %output, %lse = call @few(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %output_of_many, %lse_of_many)
    : (tensor<50x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<5xi32>, tensor<4x40xi32>, tensor<4xi32>, tensor<50x8x64xf16>, tensor<8x50xf32>)
    -> (tensor<50x8x64xf16>, tensor<8x50xf32>)
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
    %output_memory: !hal.buffer {iree.abi.output = 0 : index},
    %lse_memory: !hal.buffer {iree.abi.output = 1 : index},
    %between: !hal.buffer {iree.abi.transients}
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @packed_paged_attention(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens)
    : (!query, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
