// Packed queries attend over a block cache: many of a sequence first, then those of sequences of a few.
// Attention as one kernel of lanes.
!many__query = tensor<50x8x64xf16>
!many__key_cache = tensor<99x2x16x64xf16>
!many__value_cache = tensor<99x2x16x64xf16>
!many__cu_seqlens_q = tensor<5xi32>
!many__block_table = tensor<4x40xi32>
!many__context_lens = tensor<4xi32>
!many__output = tensor<50x8x64xf16>
!many__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<400x64xf16>>
!many__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!many__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!many__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!many__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160xi32>>
!many__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!many__output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<50x512xf16>>
!many__head_chunk = vector<64xf16>
!many__query_columns = vector<4x1x16xf16>
!many__queries = vector<2x1x4x1x16xf16>
!many__queries_turned = vector<2x4x1x1x16xf16>
!many__query_operand = vector<2x4x1x16xf16>
!many__key_operand = vector<1x4x1x16xf16>
!many__value_keys = vector<32xf16>
!many__value_operand = vector<1x2x1x16xf16>
!many__weight_parts = vector<2x1x2x1x16xf16>
!many__weight_parts_turned = vector<2x2x1x1x16xf16>
!many__weights_operand = vector<2x2x1x16xf16>
!many__row_scores = vector<8xf32>
!many__score_tile = vector<2x8xf32>
!many__scores = vector<2x2x8xf32>
!many__scores_flat = vector<32xf32>
!many__score_bits = vector<2x2x8xi32>
!many__is_seen = vector<2x2x8xi1>
!many__weight_bits = vector<2x2x8xi16>
!many__weights_by_key = vector<2x2x8xf16>
!many__weights_own = vector<2x2x8xf16>
!many__weights_flat = vector<32xf16>
!many__pair = vector<2xf16>
!many__pairs = vector<16x2xf16>
!many__pair_bits = vector<16xi32>
!many__all_bits = vector<32xi32>
!many__all_weights = vector<64xf16>
!many__sums = vector<1x2x1x8xf32>
!many__sum_factors = vector<1x2x1x1xf32>
!many__acc = vector<4x1x2x1x8xf32>
!many__acc_by_column = vector<4x2x8xf32>
!many__acc_by_row = vector<2x4x8xf32>
!many__acc_row = vector<4x8xf32>
!many__rows = vector<2x1xf32>
!many__row_bits = vector<2x1xi32>
!many__output_f32 = vector<32xf32>
!many__rows_f32 = vector<2x32xf32>
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
!many__output_rows = vector<2x32xf16>
!many__lse_rows = vector<2xf32>
!many__access = vector<8xf16>
!many__keys = vector<2x8xf16>
!many__values = vector<2x8xf16>
!many__column = vector<2xf16>
!many__value_piece = vector<32xf16>
!many__value_pieces = vector<1x32xf16>
!many__columns = vector<8x2xf16>
!many__key_lds = memref<32x72xf16, #gpu.address_space<workgroup>>
!many__value_lds =
  memref<64x40xf16, #gpu.address_space<workgroup>>
// What lane l fetches of the step that begins at key t: keys, and neighbouring keys' values, all from one
// column on.
#many__key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 0)>
#many__key_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 16)>
#many__key_column = affine_map<(l) -> (l mod 8 * 8)>
#many__value_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 16 * 2 + 0)>
#many__value_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 16 * 2 + 1)>
// The LDS column of the lane's first key of a step's: pieces of keys, of one group after the other.
#many__value_lds_column = affine_map<(l) -> (l floordiv 1 mod 16 * 2)>
#many__value_column = affine_map<(l)
  -> ((l floordiv 16 * 1 + l mod 1)
      * 8)>
// The LDS row of key, or value column, n: neighbours are a lane's own of one tile, then those of other groups
// or tiles, so that lanes read one row after the other.
#many__key_lds_row = affine_map<(n) -> (n floordiv 16 * 16
  + n floordiv 8 mod 2 * 1 + n mod 8 * 2)>
#many__value_lds_row0 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 0) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 0) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 0) mod 8 * 2)>
#many__value_lds_row1 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 1) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 1) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 1) mod 8 * 2)>
#many__value_lds_row2 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 2) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 2) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 2) mod 8 * 2)>
#many__value_lds_row3 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 3) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 3) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 3) mod 8 * 2)>
#many__value_lds_row4 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 4) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 4) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 4) mod 8 * 2)>
#many__value_lds_row5 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 5) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 5) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 5) mod 8 * 2)>
#many__value_lds_row6 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 6) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 6) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 6) mod 8 * 2)>
#many__value_lds_row7 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 7) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 7) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 7) mod 8 * 2)>
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
      %output_rows_out: !many__output_rows_out
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
    %sequences = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %heads = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %q_tokens = arith.constant 50 : index
    %kv_tokens = arith.constant 640 : index
    %tiles = arith.constant 5 : index
    %pages = arith.constant 40 : index
    %cache_blocks = arith.constant 99 : index
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<50x512xf16>) {
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
        affine_map<(q, s) -> (s, q floordiv 9)>(%candidate_start, %candidate)
      %candidate_place = affine.apply
        affine_map<(q, s) -> (q floordiv 128 + s)>(%candidate_start, %begun)
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
    %few = arith.constant 8 : index
    %is_many = arith.cmpi sgt, %q_count, %few : index
    %has_tiles = arith.ori %is_many, %is_padding : i1
    %q_len = arith.select %has_tiles, %q_count, %first_sequence : index
    %rows_of_head = arith.select %has_tiles, %q_count, %first_sequence : index
    %tiles_begun = affine.min
      affine_map<(q, s) -> (s, q floordiv 9)>(%q_start, %sequence)
    // A sequence that is told to begin after this tile has its first one here.
    %tile = affine.max
      affine_map<(i, q, s) -> (i - q floordiv 128 - s, 0)>(%tile_of_all, %q_start, %tiles_begun)
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
    %result_row = affine.apply affine_map<(q, i) -> (q + i * 128)>(%q_start, %tile)
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 32 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 128)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (128, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(i) -> (i * 128)>(%tile)
    %query_end = affine.min
      affine_map<(r, n) -> (r + 128, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %begin = affine.max affine_map<(a) -> (a)>(%none)
    %end = affine.min affine_map<(a, b) -> (a, b)>(%keys_end, %seen_end)
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !many__key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !many__value_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #many__lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 32 * 32, e floordiv 32 *
      32)>(%end, %first_query, %first_position)
    %rows_of_others = arith.constant 96 : index
    %all_have_rows = arith.cmpi sgt, %rows_here, %rows_of_others : index
    %full_to_if_any = arith.select %all_have_rows, %full_to, %begin : index
    %full_end = arith.maxsi %full_to_if_any, %begin : index
    %output_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<?x64xf16>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      // Which sequences are there, and how long they are, is known in the kernel alone: a workgroup without
      // rows would wait for queries and keys in vain.
      %is_idle = arith.cmpi eq, %rows_here, %none : index
      scf.if %is_idle {
        llvm.inline_asm has_side_effects "s_endpgm", "" : () -> ()
      }
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 32 + i * 2)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 8)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
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
      %no_queries = arith.constant dense<0.0> : !many__queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !many__head_chunk to !many__query_columns
        %queries0_1 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !many__query_columns into !many__queries
        %query_columns1_0 = vector.shape_cast %query_chunk1_0
          : !many__head_chunk to !many__query_columns
        %queries0 = vector.insert
          %query_columns1_0, %queries0_1[1, 0]
          : !many__query_columns into !many__queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !many__queries to !many__queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !many__queries_turned to !many__query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %position0 = arith.addi %first_position, %row_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %position1 = arith.addi %first_position, %row_of_head1 : index
      %last_any1 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position1, %context_len)
      %last_seen1 = arith.subi %last_any1, %key_of_group : index
      %wave_position = affine.apply affine_map<(p, r, w)
        -> (p + r + w * 32)>(%first_position, %row_0, %wave)
      %last_of_rows = affine.apply affine_map<(p) -> (p + 31)>(%wave_position)
      %row_of_wave = affine.apply affine_map<(w) -> (w * 32)>(%wave)
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
      %limit0_0 = arith.constant -3.40282347E+38 : f32
      %minus_max0_0 = arith.constant 3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %limit1_0 = arith.constant -3.40282347E+38 : f32
      %minus_max1_0 = arith.constant 3.40282347E+38 : f32
      %sum1_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !many__acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %keys_0, %values_0 = scf.execute_region -> (!many__keys, !many__values) {
        %t_next = arith.minsi %begin, %t_last : index
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
      %page_k1 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k1)
      %block_k1_any = tensor.extract %block_table_rows[%page_k1] : tensor<160xi32>
    %block_k1_kept = arith.minui %block_k1_any, %last_block : i32
    %block_k1 = arith.index_cast %block_k1_kept : i32 to index
      %slot_k1 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k1)
      %row_k1 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k1,
          %kv_head, %slot_k1)
      %key_any_v0 = affine.apply #many__value_of_step0(%t_next, %lane)
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
      %key_any_v1 = affine.apply #many__value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
        %no_keys = arith.constant dense<0.0> : !many__keys
        %key_column = affine.apply #many__key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !many__access into !many__keys
        %key_read1 = vector.transfer_read
          %key_cache_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !many__access into !many__keys
        %no_values = arith.constant dense<0.0> : !many__values
        %value_column = affine.apply #many__value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_cache_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !many__access into !many__values
        %value_read1 = vector.transfer_read
          %value_cache_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !many__access into !many__values
        scf.yield %keys_next, %values_next : !many__keys, !many__values
      }
      %value_key0 = affine.apply affine_map<(g)
        -> (g * 0 + 0)>(%group)
      %limit0_1, %limit1_1, %minus_max0_1, %minus_max1_1, %sum0_1, %sum1_1, %acc_1,
          %keys_1, %values_1 =
        scf.for %t0 = %begin to %full_end step %keys_of_step
          iter_args(
            %limit0 = %limit0_0,
            %limit1 = %limit1_0,
            %minus_max0 = %minus_max0_0,
            %minus_max1 = %minus_max1_0,
            %sum0 = %sum0_0,
            %sum1 = %sum1_0,
            %acc = %acc_0, %keys_here = %keys_0, %values_here = %values_0)
          -> (f32, f32, f32, f32, f32, f32, !many__acc, !many__keys, !many__values) {
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
      %page_k1 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k1)
      %block_k1_any = tensor.extract %block_table_rows[%page_k1] : tensor<160xi32>
    %block_k1_kept = arith.minui %block_k1_any, %last_block : i32
    %block_k1 = arith.index_cast %block_k1_kept : i32 to index
      %slot_k1 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k1)
      %row_k1 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k1,
          %kv_head, %slot_k1)
      %key_any_v0 = affine.apply #many__value_of_step0(%t_next, %lane)
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
      %key_any_v1 = affine.apply #many__value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply #many__key_column(%lane)
        %key_of_lane0 = affine.apply #many__key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #many__key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !many__access from !many__keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!many__access, !many__key_lds, index, index) -> ()
        %key_of_lane1 = affine.apply #many__key_of_step1(%none, %lane)
        %key_lds_row1 = affine.apply #many__key_lds_row(%key_of_lane1)
        %key1 = vector.extract %keys_here[1] : !many__access from !many__keys
        "vector.store"(%key1, %key_lds, %key_lds_row1, %key_lds_column) <{alignment = 16
          : i64}> : (!many__access, !many__key_lds, index, index) -> ()
        %columns = vector.transpose %values_here, [1, 0]
          : !many__values to !many__columns
        %value_lds_column = affine.apply #many__value_lds_column(%lane)
        %value_lds_row0 = affine.apply #many__value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !many__column from !many__columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #many__value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !many__column from !many__columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #many__value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !many__column from !many__columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #many__value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !many__column from !many__columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #many__value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !many__column from !many__columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #many__value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !many__column from !many__columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #many__value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !many__column from !many__columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #many__value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !many__column from !many__columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %no_keys = arith.constant dense<0.0> : !many__keys
        %key_column = affine.apply #many__key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !many__access into !many__keys
        %key_read1 = vector.transfer_read
          %key_cache_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !many__access into !many__keys
        %no_values = arith.constant dense<0.0> : !many__values
        %value_column = affine.apply #many__value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_cache_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !many__access into !many__values
        %value_read1 = vector.transfer_read
          %value_cache_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !many__access into !many__values
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !many__head_chunk to !many__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__key_operand, !many__query_operand into !many__sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !many__head_chunk to !many__key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%keys1_0, %query0) outs(%score_sums1_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__key_operand, !many__query_operand into !many__sums
        %no_value_pieces = arith.constant dense<0.0> : !many__value_pieces
        %no_scores = arith.constant dense<0.0> : !many__scores
        %score_tile0 = vector.shape_cast %score_sums0_1
          : !many__sums to !many__score_tile
        %scores_ruled_1 = vector.insert %score_tile0, %no_scores[0]
          : !many__score_tile into !many__scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !many__sums to !many__score_tile
        %scores_ruled = vector.insert %score_tile1, %scores_ruled_1[1]
          : !many__score_tile into !many__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !many__row_scores from !many__scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !many__row_scores from !many__scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !many__row_scores
        %top0 = vector.extract %top0_1[0] : f32 from !many__row_scores
        %of_key0_1 = vector.extract %top0_1[1]
          : f32 from !many__row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_1[2]
          : f32 from !many__row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_1[3]
          : f32 from !many__row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_1[4]
          : f32 from !many__row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_1[5]
          : f32 from !many__row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_1[6]
          : f32 from !many__row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_1[7]
          : f32 from !many__row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit0 : f32
        %top1_0 = vector.extract %scores_ruled[0, 1] : !many__row_scores from !many__scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !many__row_scores from !many__scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !many__row_scores
        %top1 = vector.extract %top1_1[0] : f32 from !many__row_scores
        %of_key1_1 = vector.extract %top1_1[1]
          : f32 from !many__row_scores
        %largest1_1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %of_key1_2 = vector.extract %top1_1[2]
          : f32 from !many__row_scores
        %largest1_2 = arith.maxnumf %largest1_1, %of_key1_2 fastmath<nnan> : f32
        %of_key1_3 = vector.extract %top1_1[3]
          : f32 from !many__row_scores
        %largest1_3 = arith.maxnumf %largest1_2, %of_key1_3 fastmath<nnan> : f32
        %of_key1_4 = vector.extract %top1_1[4]
          : f32 from !many__row_scores
        %largest1_4 = arith.maxnumf %largest1_3, %of_key1_4 fastmath<nnan> : f32
        %of_key1_5 = vector.extract %top1_1[5]
          : f32 from !many__row_scores
        %largest1_5 = arith.maxnumf %largest1_4, %of_key1_5 fastmath<nnan> : f32
        %of_key1_6 = vector.extract %top1_1[6]
          : f32 from !many__row_scores
        %largest1_6 = arith.maxnumf %largest1_5, %of_key1_6 fastmath<nnan> : f32
        %of_key1_7 = vector.extract %top1_1[7]
          : f32 from !many__row_scores
        %largest1 = arith.maxnumf %largest1_6, %of_key1_7 fastmath<nnan> : f32
        %best_logit_of_lane1 = arith.mulf %largest1, %unit : f32
        %grows_of_lane1 = arith.cmpf ogt, %best_logit_of_lane1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane_1 = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_of_lane = arith.ori %any_grows_of_lane_1, %grows_of_lane1 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_brought0, %sum_brought1, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, f32, f32, f32, !many__acc) {
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
          %max0 = arith.negf %minus_max0 : f32
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %largest1, %distance1, %wave_size : f32
        %best1 = arith.maxnumf %largest1, %best_there1_1 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
          %max1 = arith.negf %minus_max1 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.exp2"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !many__rows
          %sum_factors = vector.shape_cast %factors : !many__rows to !many__sum_factors
          %all_factors = vector.broadcast %sum_factors : !many__sum_factors to !many__acc
          %has_sums0 = arith.cmpf une, %sum0, %zero : f32
          %any_sums_here_1 = arith.ori %no, %has_sums0 : i1
          %has_sums1 = arith.cmpf une, %sum1, %zero : f32
          %any_sums_here = arith.ori %any_sums_here_1, %has_sums1 : i1
        %any_sums_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_sums_here) : (i1) -> i32
        %any_sums_none = arith.constant 0 : i32
        %any_sums = arith.cmpi ne, %any_sums_lanes, %any_sums_none : i32
          %acc_less = scf.if %any_sums -> (!many__acc) {
            %acc_brought_down = arith.mulf %acc, %all_factors : !many__acc
            scf.yield %acc_brought_down : !many__acc
          } else {
            scf.yield %acc : !many__acc
          }
          %limit_less0 = arith.addf %higher0, %margin : f32
        %minus_max_less0_any = arith.negf %higher0 : f32
        %minus_max_less0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less0_any : (f32) -> f32
          %limit_less1 = arith.addf %higher1, %margin : f32
        %minus_max_less1_any = arith.negf %higher1 : f32
        %minus_max_less1 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less1_any : (f32) -> f32
          scf.yield %limit_less0, %limit_less1, %minus_max_less0, %minus_max_less1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, f32, f32, !many__acc
        } else {
          scf.yield %limit0, %limit1, %minus_max0, %minus_max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, f32, f32, !many__acc
        }
        %minus_maxs = vector.from_elements %minus_max_next0, %minus_max_next1 : !many__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !many__rows to !many__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !many__scores
        %logits_flat = vector.shape_cast %logits : !many__scores to !many__scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!many__scores_flat) -> !many__scores_flat
        %exps = vector.shape_cast %exps_flat : !many__scores_flat to !many__scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !many__pair
        %no_pairs = arith.constant dense<0.0> : !many__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !many__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !many__scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !many__pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !many__pair into !many__pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !many__scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !many__scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !many__pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !many__pair into !many__pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !many__scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !many__scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !many__pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !many__pair into !many__pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !many__scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !many__scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !many__pair
        %sum_to_pair3 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !many__pair into !many__pairs
        %even4 = vector.extract %exps[1, 0, 0] : f32 from !many__scores
        %odd4 = vector.extract %exps[1, 0, 1] : f32 from !many__scores
        %pair4 = rocdl.cvt.pkrtz %even4, %odd4 : !many__pair
        %sum_to_pair4 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4, %ones, %sum_to_pair3, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !many__pair into !many__pairs
        %even5 = vector.extract %exps[1, 0, 2] : f32 from !many__scores
        %odd5 = vector.extract %exps[1, 0, 3] : f32 from !many__scores
        %pair5 = rocdl.cvt.pkrtz %even5, %odd5 : !many__pair
        %sum_to_pair5 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5, %ones, %sum_to_pair4, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !many__pair into !many__pairs
        %even6 = vector.extract %exps[1, 0, 4] : f32 from !many__scores
        %odd6 = vector.extract %exps[1, 0, 5] : f32 from !many__scores
        %pair6 = rocdl.cvt.pkrtz %even6, %odd6 : !many__pair
        %sum_to_pair6 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6, %ones, %sum_to_pair5, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !many__pair into !many__pairs
        %even7 = vector.extract %exps[1, 0, 6] : f32 from !many__scores
        %odd7 = vector.extract %exps[1, 0, 7] : f32 from !many__scores
        %pair7 = rocdl.cvt.pkrtz %even7, %odd7 : !many__pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7, %ones, %sum_to_pair6, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !many__pair into !many__pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !many__scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !many__scores
        %pair8 = rocdl.cvt.pkrtz %even8, %odd8 : !many__pair
        %sum_to_pair8 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair8, %ones, %sum_brought1, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !many__pair into !many__pairs
        %even9 = vector.extract %exps[0, 1, 2] : f32 from !many__scores
        %odd9 = vector.extract %exps[0, 1, 3] : f32 from !many__scores
        %pair9 = rocdl.cvt.pkrtz %even9, %odd9 : !many__pair
        %sum_to_pair9 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair9, %ones, %sum_to_pair8, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !many__pair into !many__pairs
        %even10 = vector.extract %exps[0, 1, 4] : f32 from !many__scores
        %odd10 = vector.extract %exps[0, 1, 5] : f32 from !many__scores
        %pair10 = rocdl.cvt.pkrtz %even10, %odd10 : !many__pair
        %sum_to_pair10 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair10, %ones, %sum_to_pair9, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !many__pair into !many__pairs
        %even11 = vector.extract %exps[0, 1, 6] : f32 from !many__scores
        %odd11 = vector.extract %exps[0, 1, 7] : f32 from !many__scores
        %pair11 = rocdl.cvt.pkrtz %even11, %odd11 : !many__pair
        %sum_to_pair11 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair11, %ones, %sum_to_pair10, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !many__pair into !many__pairs
        %even12 = vector.extract %exps[1, 1, 0] : f32 from !many__scores
        %odd12 = vector.extract %exps[1, 1, 1] : f32 from !many__scores
        %pair12 = rocdl.cvt.pkrtz %even12, %odd12 : !many__pair
        %sum_to_pair12 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair12, %ones, %sum_to_pair11, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !many__pair into !many__pairs
        %even13 = vector.extract %exps[1, 1, 2] : f32 from !many__scores
        %odd13 = vector.extract %exps[1, 1, 3] : f32 from !many__scores
        %pair13 = rocdl.cvt.pkrtz %even13, %odd13 : !many__pair
        %sum_to_pair13 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair13, %ones, %sum_to_pair12, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !many__pair into !many__pairs
        %even14 = vector.extract %exps[1, 1, 4] : f32 from !many__scores
        %odd14 = vector.extract %exps[1, 1, 5] : f32 from !many__scores
        %pair14 = rocdl.cvt.pkrtz %even14, %odd14 : !many__pair
        %sum_to_pair14 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair14, %ones, %sum_to_pair13, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !many__pair into !many__pairs
        %even15 = vector.extract %exps[1, 1, 6] : f32 from !many__scores
        %odd15 = vector.extract %exps[1, 1, 7] : f32 from !many__scores
        %pair15 = rocdl.cvt.pkrtz %even15, %odd15 : !many__pair
        %sum_next1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair15, %ones, %sum_to_pair14, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs = vector.insert %pair15, %pairs_15[15] : !many__pair into !many__pairs
        %weights_own = vector.shape_cast %pairs : !many__pairs to !many__weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !many__weights_own to !many__weights_flat
        %own_bits = vector.bitcast %weights_flat : !many__weights_flat to !many__pair_bits
        %no_pair_bits = arith.constant dense<0> : !many__pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !many__pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !many__pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !many__pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !many__pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !many__pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !many__pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !many__pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits_4 = vector.insert %bits_there3, %other_bits_3[3] : i32 into !many__pair_bits
        %own_bits4 = vector.extract %own_bits[4] : i32 from !many__pair_bits
        %bits_there4, %bits_are_there4 =
          gpu.shuffle xor %own_bits4, %distance1, %wave_size : i32
        %other_bits_5 = vector.insert %bits_there4, %other_bits_4[4] : i32 into !many__pair_bits
        %own_bits5 = vector.extract %own_bits[5] : i32 from !many__pair_bits
        %bits_there5, %bits_are_there5 =
          gpu.shuffle xor %own_bits5, %distance1, %wave_size : i32
        %other_bits_6 = vector.insert %bits_there5, %other_bits_5[5] : i32 into !many__pair_bits
        %own_bits6 = vector.extract %own_bits[6] : i32 from !many__pair_bits
        %bits_there6, %bits_are_there6 =
          gpu.shuffle xor %own_bits6, %distance1, %wave_size : i32
        %other_bits_7 = vector.insert %bits_there6, %other_bits_6[6] : i32 into !many__pair_bits
        %own_bits7 = vector.extract %own_bits[7] : i32 from !many__pair_bits
        %bits_there7, %bits_are_there7 =
          gpu.shuffle xor %own_bits7, %distance1, %wave_size : i32
        %other_bits_8 = vector.insert %bits_there7, %other_bits_7[7] : i32 into !many__pair_bits
        %own_bits8 = vector.extract %own_bits[8] : i32 from !many__pair_bits
        %bits_there8, %bits_are_there8 =
          gpu.shuffle xor %own_bits8, %distance1, %wave_size : i32
        %other_bits_9 = vector.insert %bits_there8, %other_bits_8[8] : i32 into !many__pair_bits
        %own_bits9 = vector.extract %own_bits[9] : i32 from !many__pair_bits
        %bits_there9, %bits_are_there9 =
          gpu.shuffle xor %own_bits9, %distance1, %wave_size : i32
        %other_bits_10 = vector.insert %bits_there9, %other_bits_9[9] : i32 into !many__pair_bits
        %own_bits10 = vector.extract %own_bits[10] : i32 from !many__pair_bits
        %bits_there10, %bits_are_there10 =
          gpu.shuffle xor %own_bits10, %distance1, %wave_size : i32
        %other_bits_11 = vector.insert %bits_there10, %other_bits_10[10] : i32 into !many__pair_bits
        %own_bits11 = vector.extract %own_bits[11] : i32 from !many__pair_bits
        %bits_there11, %bits_are_there11 =
          gpu.shuffle xor %own_bits11, %distance1, %wave_size : i32
        %other_bits_12 = vector.insert %bits_there11, %other_bits_11[11] : i32 into !many__pair_bits
        %own_bits12 = vector.extract %own_bits[12] : i32 from !many__pair_bits
        %bits_there12, %bits_are_there12 =
          gpu.shuffle xor %own_bits12, %distance1, %wave_size : i32
        %other_bits_13 = vector.insert %bits_there12, %other_bits_12[12] : i32 into !many__pair_bits
        %own_bits13 = vector.extract %own_bits[13] : i32 from !many__pair_bits
        %bits_there13, %bits_are_there13 =
          gpu.shuffle xor %own_bits13, %distance1, %wave_size : i32
        %other_bits_14 = vector.insert %bits_there13, %other_bits_13[13] : i32 into !many__pair_bits
        %own_bits14 = vector.extract %own_bits[14] : i32 from !many__pair_bits
        %bits_there14, %bits_are_there14 =
          gpu.shuffle xor %own_bits14, %distance1, %wave_size : i32
        %other_bits_15 = vector.insert %bits_there14, %other_bits_14[14] : i32 into !many__pair_bits
        %own_bits15 = vector.extract %own_bits[15] : i32 from !many__pair_bits
        %bits_there15, %bits_are_there15 =
          gpu.shuffle xor %own_bits15, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there15, %other_bits_15[15] : i32 into !many__pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !many__pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !many__pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !many__pair_bits, !many__pair_bits
        %all_weights = vector.bitcast %all_bits : !many__all_bits to !many__all_weights
        %weights = vector.shape_cast %all_weights : !many__all_weights to !many__weights_operand
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_piece0_0 =
          "vector.load"(%value_lds, %value_row0, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces0 = vector.insert
          %value_piece0_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys0 = vector.shape_cast %value_pieces0 : !many__value_pieces to !many__value_keys
        %value0 = vector.shape_cast %value_keys0 : !many__value_keys to !many__value_operand
        %sums0 = vector.extract %acc_brought[0] : !many__sums from !many__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !many__sums into !many__acc
        %value_row1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %value_piece1_0 =
          "vector.load"(%value_lds, %value_row1, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces1 = vector.insert
          %value_piece1_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys1 = vector.shape_cast %value_pieces1 : !many__value_pieces to !many__value_keys
        %value1 = vector.shape_cast %value_keys1 : !many__value_keys to !many__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !many__sums from !many__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !many__sums into !many__acc
        %value_row2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
        %value_piece2_0 =
          "vector.load"(%value_lds, %value_row2, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces2 = vector.insert
          %value_piece2_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys2 = vector.shape_cast %value_pieces2 : !many__value_pieces to !many__value_keys
        %value2 = vector.shape_cast %value_keys2 : !many__value_keys to !many__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !many__sums from !many__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !many__sums into !many__acc
        %value_row3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
        %value_piece3_0 =
          "vector.load"(%value_lds, %value_row3, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces3 = vector.insert
          %value_piece3_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys3 = vector.shape_cast %value_pieces3 : !many__value_pieces to !many__value_keys
        %value3 = vector.shape_cast %value_keys3 : !many__value_keys to !many__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !many__sums from !many__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !many__sums into !many__acc
        scf.yield %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, f32, f32, f32, !many__acc, !many__keys, !many__values
      }
      %limit0_2, %limit1_2, %minus_max0_2, %minus_max1_2, %sum0_2, %sum1_2, %acc_2,
          %keys_2, %values_2 =
        scf.for %t0 = %full_end to %end step %keys_of_step
          iter_args(
            %limit0 = %limit0_1,
            %limit1 = %limit1_1,
            %minus_max0 = %minus_max0_1,
            %minus_max1 = %minus_max1_1,
            %sum0 = %sum0_1,
            %sum1 = %sum1_1,
            %acc = %acc_1, %keys_here = %keys_1, %values_here = %values_1)
          -> (f32, f32, f32, f32, f32, f32, !many__acc, !many__keys, !many__values) {
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
      %page_k1 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k1)
      %block_k1_any = tensor.extract %block_table_rows[%page_k1] : tensor<160xi32>
    %block_k1_kept = arith.minui %block_k1_any, %last_block : i32
    %block_k1 = arith.index_cast %block_k1_kept : i32 to index
      %slot_k1 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k1)
      %row_k1 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k1,
          %kv_head, %slot_k1)
      %key_any_v0 = affine.apply #many__value_of_step0(%t_next, %lane)
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
      %key_any_v1 = affine.apply #many__value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply #many__key_column(%lane)
        %key_of_lane0 = affine.apply #many__key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #many__key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !many__access from !many__keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!many__access, !many__key_lds, index, index) -> ()
        %key_of_lane1 = affine.apply #many__key_of_step1(%none, %lane)
        %key_lds_row1 = affine.apply #many__key_lds_row(%key_of_lane1)
        %key1 = vector.extract %keys_here[1] : !many__access from !many__keys
        "vector.store"(%key1, %key_lds, %key_lds_row1, %key_lds_column) <{alignment = 16
          : i64}> : (!many__access, !many__key_lds, index, index) -> ()
        %no_access = arith.constant dense<0.0> : !many__access
        %none_real = arith.constant dense<0.0> : !many__values
        %token0 = affine.apply #many__value_of_step0(%t0, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !many__access from !many__values
        %real0 = arith.select %is_token0, %given0, %no_access : !many__access
        %values_real_1 = vector.insert %real0, %none_real[0] : !many__access into !many__values
        %token1 = affine.apply #many__value_of_step1(%t0, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %given1 = vector.extract %values_here[1] : !many__access from !many__values
        %real1 = arith.select %is_token1, %given1, %no_access : !many__access
        %values_real = vector.insert %real1, %values_real_1[1] : !many__access into !many__values
        %columns = vector.transpose %values_real, [1, 0]
          : !many__values to !many__columns
        %value_lds_column = affine.apply #many__value_lds_column(%lane)
        %value_lds_row0 = affine.apply #many__value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !many__column from !many__columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #many__value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !many__column from !many__columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #many__value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !many__column from !many__columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #many__value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !many__column from !many__columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #many__value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !many__column from !many__columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #many__value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !many__column from !many__columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #many__value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !many__column from !many__columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #many__value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !many__column from !many__columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 4 : i64}> : (!many__column, !many__value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %no_keys = arith.constant dense<0.0> : !many__keys
        %key_column = affine.apply #many__key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !many__access into !many__keys
        %key_read1 = vector.transfer_read
          %key_cache_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !many__access into !many__keys
        %no_values = arith.constant dense<0.0> : !many__values
        %value_column = affine.apply #many__value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_cache_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !many__access into !many__values
        %value_read1 = vector.transfer_read
          %value_cache_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !many__access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !many__access into !many__values
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, f32, f32, !many__acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !many__head_chunk to !many__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__key_operand, !many__query_operand into !many__sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!many__key_lds, index, index) -> !many__head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !many__head_chunk to !many__key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%keys1_0, %query0) outs(%score_sums1_0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__key_operand, !many__query_operand into !many__sums
        %no_value_pieces = arith.constant dense<0.0> : !many__value_pieces
        %no_scores = arith.constant dense<0.0> : !many__scores
        %score_tile0 = vector.shape_cast %score_sums0_1
          : !many__sums to !many__score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !many__score_tile into !many__scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !many__sums to !many__score_tile
        %scores = vector.insert %score_tile1, %scores_1[1]
          : !many__score_tile into !many__scores
        %last_offset = arith.constant 23 : i32
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %hides_last0 = arith.cmpi slt, %last_i32_0, %last_offset : i32
        %hides_any_last_1 = arith.ori %no, %hides_last0 : i1
        %hides_last1 = arith.cmpi slt, %last_i32_1, %last_offset : i32
        %hides_any_last = arith.ori %hides_any_last_1, %hides_last1 : i1
        %hides_some_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%hides_any_last) : (i1) -> i32
        %hides_some_none = arith.constant 0 : i32
        %hides_some = arith.cmpi ne, %hides_some_lanes, %hides_some_none : i32
        %scores_ruled = scf.if %hides_some -> (!many__scores) {
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]], [[16, 17, 18, 19, 20, 21, 22, 23], [16, 17, 18, 19, 20, 21, 22, 23]]]> : !many__score_bits
          %last_i32_0_here = llvm.inline_asm has_side_effects "", "=v,0" %last_i32_0
            : (i32) -> i32
          %last_i32_1_here = llvm.inline_asm has_side_effects "", "=v,0" %last_i32_1
            : (i32) -> i32
        %last_rows = vector.from_elements %last_i32_0_here, %last_i32_1_here : !many__row_bits
        %lasts = vector.broadcast %last_rows : !many__row_bits to !many__score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !many__score_bits
        %scores_hidden = arith.select %is_last_seen, %scores, %hidden
          : !many__is_seen, !many__scores
          scf.yield %scores_hidden : !many__scores
        } else {
          scf.yield %scores : !many__scores
        }
        %top0_0 = vector.extract %scores_ruled[0, 0] : !many__row_scores from !many__scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !many__row_scores from !many__scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !many__row_scores
        %top0 = vector.extract %top0_1[0] : f32 from !many__row_scores
        %of_key0_1 = vector.extract %top0_1[1]
          : f32 from !many__row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_1[2]
          : f32 from !many__row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_1[3]
          : f32 from !many__row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_1[4]
          : f32 from !many__row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_1[5]
          : f32 from !many__row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_1[6]
          : f32 from !many__row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_1[7]
          : f32 from !many__row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit0 : f32
        %top1_0 = vector.extract %scores_ruled[0, 1] : !many__row_scores from !many__scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !many__row_scores from !many__scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !many__row_scores
        %top1 = vector.extract %top1_1[0] : f32 from !many__row_scores
        %of_key1_1 = vector.extract %top1_1[1]
          : f32 from !many__row_scores
        %largest1_1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %of_key1_2 = vector.extract %top1_1[2]
          : f32 from !many__row_scores
        %largest1_2 = arith.maxnumf %largest1_1, %of_key1_2 fastmath<nnan> : f32
        %of_key1_3 = vector.extract %top1_1[3]
          : f32 from !many__row_scores
        %largest1_3 = arith.maxnumf %largest1_2, %of_key1_3 fastmath<nnan> : f32
        %of_key1_4 = vector.extract %top1_1[4]
          : f32 from !many__row_scores
        %largest1_4 = arith.maxnumf %largest1_3, %of_key1_4 fastmath<nnan> : f32
        %of_key1_5 = vector.extract %top1_1[5]
          : f32 from !many__row_scores
        %largest1_5 = arith.maxnumf %largest1_4, %of_key1_5 fastmath<nnan> : f32
        %of_key1_6 = vector.extract %top1_1[6]
          : f32 from !many__row_scores
        %largest1_6 = arith.maxnumf %largest1_5, %of_key1_6 fastmath<nnan> : f32
        %of_key1_7 = vector.extract %top1_1[7]
          : f32 from !many__row_scores
        %largest1 = arith.maxnumf %largest1_6, %of_key1_7 fastmath<nnan> : f32
        %best_logit_of_lane1 = arith.mulf %largest1, %unit : f32
        %grows_of_lane1 = arith.cmpf ogt, %best_logit_of_lane1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane_1 = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_of_lane = arith.ori %any_grows_of_lane_1, %grows_of_lane1 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_brought0, %sum_brought1, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, f32, f32, f32, !many__acc) {
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
          %max0 = arith.negf %minus_max0 : f32
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %largest1, %distance1, %wave_size : f32
        %best1 = arith.maxnumf %largest1, %best_there1_1 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
          %max1 = arith.negf %minus_max1 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.exp2"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !many__rows
          %sum_factors = vector.shape_cast %factors : !many__rows to !many__sum_factors
          %all_factors = vector.broadcast %sum_factors : !many__sum_factors to !many__acc
          %has_sums0 = arith.cmpf une, %sum0, %zero : f32
          %any_sums_here_1 = arith.ori %no, %has_sums0 : i1
          %has_sums1 = arith.cmpf une, %sum1, %zero : f32
          %any_sums_here = arith.ori %any_sums_here_1, %has_sums1 : i1
        %any_sums_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_sums_here) : (i1) -> i32
        %any_sums_none = arith.constant 0 : i32
        %any_sums = arith.cmpi ne, %any_sums_lanes, %any_sums_none : i32
          %acc_less = scf.if %any_sums -> (!many__acc) {
            %acc_brought_down = arith.mulf %acc, %all_factors : !many__acc
            scf.yield %acc_brought_down : !many__acc
          } else {
            scf.yield %acc : !many__acc
          }
          %limit_less0 = arith.addf %higher0, %margin : f32
        %minus_max_less0_any = arith.negf %higher0 : f32
        %minus_max_less0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less0_any : (f32) -> f32
          %limit_less1 = arith.addf %higher1, %margin : f32
        %minus_max_less1_any = arith.negf %higher1 : f32
        %minus_max_less1 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less1_any : (f32) -> f32
          scf.yield %limit_less0, %limit_less1, %minus_max_less0, %minus_max_less1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, f32, f32, !many__acc
        } else {
          scf.yield %limit0, %limit1, %minus_max0, %minus_max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, f32, f32, !many__acc
        }
        %minus_maxs = vector.from_elements %minus_max_next0, %minus_max_next1 : !many__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !many__rows to !many__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !many__scores
        %logits_flat = vector.shape_cast %logits : !many__scores to !many__scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!many__scores_flat) -> !many__scores_flat
        %exps = vector.shape_cast %exps_flat : !many__scores_flat to !many__scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !many__pair
        %no_pairs = arith.constant dense<0.0> : !many__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !many__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !many__scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !many__pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !many__pair into !many__pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !many__scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !many__scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !many__pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !many__pair into !many__pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !many__scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !many__scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !many__pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !many__pair into !many__pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !many__scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !many__scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !many__pair
        %sum_to_pair3 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !many__pair into !many__pairs
        %even4 = vector.extract %exps[1, 0, 0] : f32 from !many__scores
        %odd4 = vector.extract %exps[1, 0, 1] : f32 from !many__scores
        %pair4 = rocdl.cvt.pkrtz %even4, %odd4 : !many__pair
        %sum_to_pair4 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4, %ones, %sum_to_pair3, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !many__pair into !many__pairs
        %even5 = vector.extract %exps[1, 0, 2] : f32 from !many__scores
        %odd5 = vector.extract %exps[1, 0, 3] : f32 from !many__scores
        %pair5 = rocdl.cvt.pkrtz %even5, %odd5 : !many__pair
        %sum_to_pair5 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5, %ones, %sum_to_pair4, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !many__pair into !many__pairs
        %even6 = vector.extract %exps[1, 0, 4] : f32 from !many__scores
        %odd6 = vector.extract %exps[1, 0, 5] : f32 from !many__scores
        %pair6 = rocdl.cvt.pkrtz %even6, %odd6 : !many__pair
        %sum_to_pair6 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6, %ones, %sum_to_pair5, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !many__pair into !many__pairs
        %even7 = vector.extract %exps[1, 0, 6] : f32 from !many__scores
        %odd7 = vector.extract %exps[1, 0, 7] : f32 from !many__scores
        %pair7 = rocdl.cvt.pkrtz %even7, %odd7 : !many__pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7, %ones, %sum_to_pair6, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !many__pair into !many__pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !many__scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !many__scores
        %pair8 = rocdl.cvt.pkrtz %even8, %odd8 : !many__pair
        %sum_to_pair8 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair8, %ones, %sum_brought1, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !many__pair into !many__pairs
        %even9 = vector.extract %exps[0, 1, 2] : f32 from !many__scores
        %odd9 = vector.extract %exps[0, 1, 3] : f32 from !many__scores
        %pair9 = rocdl.cvt.pkrtz %even9, %odd9 : !many__pair
        %sum_to_pair9 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair9, %ones, %sum_to_pair8, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !many__pair into !many__pairs
        %even10 = vector.extract %exps[0, 1, 4] : f32 from !many__scores
        %odd10 = vector.extract %exps[0, 1, 5] : f32 from !many__scores
        %pair10 = rocdl.cvt.pkrtz %even10, %odd10 : !many__pair
        %sum_to_pair10 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair10, %ones, %sum_to_pair9, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !many__pair into !many__pairs
        %even11 = vector.extract %exps[0, 1, 6] : f32 from !many__scores
        %odd11 = vector.extract %exps[0, 1, 7] : f32 from !many__scores
        %pair11 = rocdl.cvt.pkrtz %even11, %odd11 : !many__pair
        %sum_to_pair11 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair11, %ones, %sum_to_pair10, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !many__pair into !many__pairs
        %even12 = vector.extract %exps[1, 1, 0] : f32 from !many__scores
        %odd12 = vector.extract %exps[1, 1, 1] : f32 from !many__scores
        %pair12 = rocdl.cvt.pkrtz %even12, %odd12 : !many__pair
        %sum_to_pair12 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair12, %ones, %sum_to_pair11, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !many__pair into !many__pairs
        %even13 = vector.extract %exps[1, 1, 2] : f32 from !many__scores
        %odd13 = vector.extract %exps[1, 1, 3] : f32 from !many__scores
        %pair13 = rocdl.cvt.pkrtz %even13, %odd13 : !many__pair
        %sum_to_pair13 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair13, %ones, %sum_to_pair12, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !many__pair into !many__pairs
        %even14 = vector.extract %exps[1, 1, 4] : f32 from !many__scores
        %odd14 = vector.extract %exps[1, 1, 5] : f32 from !many__scores
        %pair14 = rocdl.cvt.pkrtz %even14, %odd14 : !many__pair
        %sum_to_pair14 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair14, %ones, %sum_to_pair13, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !many__pair into !many__pairs
        %even15 = vector.extract %exps[1, 1, 6] : f32 from !many__scores
        %odd15 = vector.extract %exps[1, 1, 7] : f32 from !many__scores
        %pair15 = rocdl.cvt.pkrtz %even15, %odd15 : !many__pair
        %sum_next1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair15, %ones, %sum_to_pair14, %keeps)
          : (!many__pair, !many__pair, f32, i1) -> f32
        %pairs = vector.insert %pair15, %pairs_15[15] : !many__pair into !many__pairs
        %weights_own = vector.shape_cast %pairs : !many__pairs to !many__weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !many__weights_own to !many__weights_flat
        %own_bits = vector.bitcast %weights_flat : !many__weights_flat to !many__pair_bits
        %no_pair_bits = arith.constant dense<0> : !many__pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !many__pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !many__pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !many__pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !many__pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !many__pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !many__pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !many__pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits_4 = vector.insert %bits_there3, %other_bits_3[3] : i32 into !many__pair_bits
        %own_bits4 = vector.extract %own_bits[4] : i32 from !many__pair_bits
        %bits_there4, %bits_are_there4 =
          gpu.shuffle xor %own_bits4, %distance1, %wave_size : i32
        %other_bits_5 = vector.insert %bits_there4, %other_bits_4[4] : i32 into !many__pair_bits
        %own_bits5 = vector.extract %own_bits[5] : i32 from !many__pair_bits
        %bits_there5, %bits_are_there5 =
          gpu.shuffle xor %own_bits5, %distance1, %wave_size : i32
        %other_bits_6 = vector.insert %bits_there5, %other_bits_5[5] : i32 into !many__pair_bits
        %own_bits6 = vector.extract %own_bits[6] : i32 from !many__pair_bits
        %bits_there6, %bits_are_there6 =
          gpu.shuffle xor %own_bits6, %distance1, %wave_size : i32
        %other_bits_7 = vector.insert %bits_there6, %other_bits_6[6] : i32 into !many__pair_bits
        %own_bits7 = vector.extract %own_bits[7] : i32 from !many__pair_bits
        %bits_there7, %bits_are_there7 =
          gpu.shuffle xor %own_bits7, %distance1, %wave_size : i32
        %other_bits_8 = vector.insert %bits_there7, %other_bits_7[7] : i32 into !many__pair_bits
        %own_bits8 = vector.extract %own_bits[8] : i32 from !many__pair_bits
        %bits_there8, %bits_are_there8 =
          gpu.shuffle xor %own_bits8, %distance1, %wave_size : i32
        %other_bits_9 = vector.insert %bits_there8, %other_bits_8[8] : i32 into !many__pair_bits
        %own_bits9 = vector.extract %own_bits[9] : i32 from !many__pair_bits
        %bits_there9, %bits_are_there9 =
          gpu.shuffle xor %own_bits9, %distance1, %wave_size : i32
        %other_bits_10 = vector.insert %bits_there9, %other_bits_9[9] : i32 into !many__pair_bits
        %own_bits10 = vector.extract %own_bits[10] : i32 from !many__pair_bits
        %bits_there10, %bits_are_there10 =
          gpu.shuffle xor %own_bits10, %distance1, %wave_size : i32
        %other_bits_11 = vector.insert %bits_there10, %other_bits_10[10] : i32 into !many__pair_bits
        %own_bits11 = vector.extract %own_bits[11] : i32 from !many__pair_bits
        %bits_there11, %bits_are_there11 =
          gpu.shuffle xor %own_bits11, %distance1, %wave_size : i32
        %other_bits_12 = vector.insert %bits_there11, %other_bits_11[11] : i32 into !many__pair_bits
        %own_bits12 = vector.extract %own_bits[12] : i32 from !many__pair_bits
        %bits_there12, %bits_are_there12 =
          gpu.shuffle xor %own_bits12, %distance1, %wave_size : i32
        %other_bits_13 = vector.insert %bits_there12, %other_bits_12[12] : i32 into !many__pair_bits
        %own_bits13 = vector.extract %own_bits[13] : i32 from !many__pair_bits
        %bits_there13, %bits_are_there13 =
          gpu.shuffle xor %own_bits13, %distance1, %wave_size : i32
        %other_bits_14 = vector.insert %bits_there13, %other_bits_13[13] : i32 into !many__pair_bits
        %own_bits14 = vector.extract %own_bits[14] : i32 from !many__pair_bits
        %bits_there14, %bits_are_there14 =
          gpu.shuffle xor %own_bits14, %distance1, %wave_size : i32
        %other_bits_15 = vector.insert %bits_there14, %other_bits_14[14] : i32 into !many__pair_bits
        %own_bits15 = vector.extract %own_bits[15] : i32 from !many__pair_bits
        %bits_there15, %bits_are_there15 =
          gpu.shuffle xor %own_bits15, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there15, %other_bits_15[15] : i32 into !many__pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !many__pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !many__pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !many__pair_bits, !many__pair_bits
        %all_weights = vector.bitcast %all_bits : !many__all_bits to !many__all_weights
        %weights = vector.shape_cast %all_weights : !many__all_weights to !many__weights_operand
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_piece0_0 =
          "vector.load"(%value_lds, %value_row0, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces0 = vector.insert
          %value_piece0_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys0 = vector.shape_cast %value_pieces0 : !many__value_pieces to !many__value_keys
        %value0 = vector.shape_cast %value_keys0 : !many__value_keys to !many__value_operand
        %sums0 = vector.extract %acc_brought[0] : !many__sums from !many__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !many__sums into !many__acc
        %value_row1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %value_piece1_0 =
          "vector.load"(%value_lds, %value_row1, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces1 = vector.insert
          %value_piece1_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys1 = vector.shape_cast %value_pieces1 : !many__value_pieces to !many__value_keys
        %value1 = vector.shape_cast %value_keys1 : !many__value_keys to !many__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !many__sums from !many__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !many__sums into !many__acc
        %value_row2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
        %value_piece2_0 =
          "vector.load"(%value_lds, %value_row2, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces2 = vector.insert
          %value_piece2_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys2 = vector.shape_cast %value_pieces2 : !many__value_pieces to !many__value_keys
        %value2 = vector.shape_cast %value_keys2 : !many__value_keys to !many__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !many__sums from !many__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !many__sums into !many__acc
        %value_row3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
        %value_piece3_0 =
          "vector.load"(%value_lds, %value_row3, %value_key0) <{alignment = 16 : i64}>
          : (!many__value_lds, index, index) -> !many__value_piece
        %value_pieces3 = vector.insert
          %value_piece3_0, %no_value_pieces[0]
          : !many__value_piece into !many__value_pieces
        %value_keys3 = vector.shape_cast %value_pieces3 : !many__value_pieces to !many__value_keys
        %value3 = vector.shape_cast %value_keys3 : !many__value_keys to !many__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !many__sums from !many__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#many__left, #many__right, #many__product], iterator_types = [#many__parallel, #many__parallel, #many__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !many__value_operand, !many__weights_operand into !many__sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !many__sums into !many__acc
          scf.yield %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next
            : f32, f32, f32, f32, f32, f32, !many__acc
        } else {
          scf.yield %limit0, %limit1, %minus_max0, %minus_max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, f32, f32, !many__acc
        }
        scf.yield %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, f32, f32, f32, !many__acc, !many__keys, !many__values
      }
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %acc_2 : !many__acc to !many__acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !many__acc_by_column to !many__acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %no_rows = arith.constant dense<0.0> : !many__rows_f32
      %max0_2 = arith.negf %minus_max0_2 : f32
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0 = arith.addf %sum0_2, %total_there0_1 : f32
      %sum_row0 = arith.addf %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %sums_of_row0 = vector.extract %acc_by_row[0] : !many__acc_row from !many__acc_by_row
      %sums_real0 = scf.if %is_empty0 -> (!many__acc_row) {
        %nothing0 = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
        %no_sums0 = vector.broadcast %nothing0 : f32 to !many__acc_row
        scf.yield %no_sums0 : !many__acc_row
      } else {
        scf.yield %sums_of_row0 : !many__acc_row
      }
      %inverse_any0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%sum_row0) : (f32) -> f32
      %inverse0 = arith.select %is_empty0, %zero, %inverse_any0 : f32
      %inverses0 = vector.broadcast %inverse0 : f32 to !many__acc_row
      %means0 = arith.mulf %sums_real0, %inverses0 : !many__acc_row
      %means_flat0 = vector.shape_cast %means0 : !many__acc_row to !many__output_f32
      %output_f32_1 = vector.insert %means_flat0, %no_rows[0] : !many__output_f32 into !many__rows_f32
      %max1_2 = arith.negf %minus_max1_2 : f32
        %total_there1_1, %total_is_there1_1 =
          gpu.shuffle xor %sum1_2, %distance1, %wave_size : f32
        %total1 = arith.addf %sum1_2, %total_there1_1 : f32
      %sum_row1 = arith.addf %total1, %zero : f32
      %is_empty1 = arith.cmpf oeq, %sum_row1, %zero : f32
      %sums_of_row1 = vector.extract %acc_by_row[1] : !many__acc_row from !many__acc_by_row
      %sums_real1 = scf.if %is_empty1 -> (!many__acc_row) {
        %nothing1 = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
        %no_sums1 = vector.broadcast %nothing1 : f32 to !many__acc_row
        scf.yield %no_sums1 : !many__acc_row
      } else {
        scf.yield %sums_of_row1 : !many__acc_row
      }
      %inverse_any1 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%sum_row1) : (f32) -> f32
      %inverse1 = arith.select %is_empty1, %zero, %inverse_any1 : f32
      %inverses1 = vector.broadcast %inverse1 : f32 to !many__acc_row
      %means1 = arith.mulf %sums_real1, %inverses1 : !many__acc_row
      %means_flat1 = vector.shape_cast %means1 : !many__acc_row to !many__output_f32
      %output_f32 = vector.insert %means_flat1, %output_f32_1[1] : !many__output_f32 into !many__rows_f32
      %output = arith.truncf %output_f32 : !many__rows_f32 to !many__output_rows
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [%own_rows, 32]
        [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [false, true]}
          : !many__output_rows, tensor<?x32xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : tensor<?x32xf16> into tensor<?x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<50x512xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [50, 512], strides = [1, 1]
      : tensor<50x512xf16> -> !many__output_rows_out
    return
  }
  }
}
func.func private @many(%query: !many__query, %key_cache: !many__key_cache, %value_cache: !many__value_cache, %cu_seqlens_q: !many__cu_seqlens_q, %block_table: !many__block_table, %context_lens: !many__context_lens) -> !many__output {
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<50x8x64xf16> into tensor<400x64xf16>
  %key_cache_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %value_cache_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<4x40xi32> into tensor<160xi32>
  %made = flow.dispatch @packed_paged_many_kernel::@packed_paged_many_kernel(
      %query_rows, %key_cache_rows, %value_cache_rows, %cu_seqlens_q, %block_table_rows, %context_lens
    ) : (
      tensor<400x64xf16>,
      tensor<3168x64xf16>,
      tensor<3168x64xf16>,
      tensor<5xi32>,
      tensor<160xi32>,
      tensor<4xi32>
    ) -> tensor<50x512xf16>
  %output = tensor.expand_shape %made [[0], [1, 2]]
    output_shape [50, 8, 64] : tensor<50x512xf16> into tensor<50x8x64xf16>
  return %output
    : !many__output
}
// Attention as one kernel of lanes, and a merge of parts of the keys.
!few__query = tensor<50x8x64xf16>
!few__key_cache = tensor<99x2x16x64xf16>
!few__value_cache = tensor<99x2x16x64xf16>
!few__cu_seqlens_q = tensor<5xi32>
!few__block_table = tensor<4x40xi32>
!few__context_lens = tensor<4xi32>
!few__output_of_many = tensor<50x8x64xf16>
!few__output = tensor<50x8x64xf16>
!few__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<400x64xf16>>
!few__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!few__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!few__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!few__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160xi32>>
!few__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__part_acc_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024x64xf32>>
!few__part_max_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
!few__part_sum_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
!few__part_acc = tensor<2x4x128x64xf32>
!few__part_max = tensor<2x4x128xf32>
!few__part_sum = tensor<2x4x128xf32>
!few__part_acc_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4x128x64xf32>>
!few__part_max_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4x128xf32>>
!few__part_sum_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4x128xf32>>
!few__output_rows_out = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<50x512xf16>>
!few__merged = vector<1x1xf16>
!few__merged_columns = vector<1xf16>
!few__columns_of_lane = vector<1xf32>
!few__merged_lse = vector<1xf32>
!few__merged_row = tensor<64xf16>
!few__own_of_output_rows = tensor<?x1xf16>
#few__each_column = affine_map<(n) -> (n)>
#few__merge = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [64, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!few__head_chunk = vector<16xf16>
!few__query_columns = vector<1x1x16xf16>
!few__queries = vector<1x1x1x1x16xf16>
!few__queries_turned = vector<1x1x1x1x16xf16>
!few__query_operand = vector<1x1x1x16xf16>
!few__key_operand = vector<1x1x1x16xf16>
!few__value_keys = vector<16xf16>
!few__value_operand = vector<1x1x1x16xf16>
!few__weight_parts = vector<1x1x1x1x16xf16>
!few__weight_parts_turned = vector<1x1x1x1x16xf16>
!few__weights_operand = vector<1x1x1x16xf16>
!few__row_scores = vector<8xf32>
!few__score_tile = vector<1x8xf32>
!few__scores = vector<1x1x8xf32>
!few__scores_flat = vector<8xf32>
!few__score_bits = vector<1x1x8xi32>
!few__is_seen = vector<1x1x8xi1>
!few__weight_bits = vector<1x1x8xi16>
!few__weights_by_key = vector<1x1x8xf16>
!few__weights_own = vector<1x1x8xf16>
!few__weights_flat = vector<8xf16>
!few__pair = vector<2xf16>
!few__pairs = vector<4x2xf16>
!few__pair_bits = vector<4xi32>
!few__all_bits = vector<8xi32>
!few__all_weights = vector<16xf16>
!few__sums = vector<1x1x1x8xf32>
!few__sum_factors = vector<1x1x1x1xf32>
!few__acc = vector<4x1x1x1x8xf32>
!few__acc_by_column = vector<4x1x8xf32>
!few__acc_by_row = vector<1x8x4xf32>
!few__acc_row = vector<8x4xf32>
!few__rows = vector<1x1xf32>
!few__row_bits = vector<1x1xi32>
!few__output_f32 = vector<32xf32>
!few__rows_f32 = vector<1x32xf32>
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
!few__output_rows = vector<1x8xf16>
!few__row_number = vector<1xf32>
!few__access = vector<4xf16>
!few__access_bits = vector<2xi32>
!few__column_bits = vector<8xi32>
!few__waves = vector<4xf32>
!few__piece = vector<8xf32>
!few__part_acc_rows = vector<1x8xf32>
!few__query_lds = memref<16x72xf16, #gpu.address_space<workgroup>>
!few__acc_lds = memref<16x68xf32, #gpu.address_space<workgroup>>
!few__max_lds = memref<16x4xf32, #gpu.address_space<workgroup>>
!few__sum_lds = !few__max_lds
// The group that has the row of index i of a tile's sums, and the row's number there.
#few__group_of_row = affine_map<(i) -> (i mod 2)>
#few__row_of_group = affine_map<(i) -> (i floordiv 2)>
// What a lane has of the step that begins at key t: keys, of row r of group s, and neighbours of its first
// key f to multiply values of.
#few__key_of_step0 = affine_map<(t, s, r) -> (t + s * 8 + r + 0)>
#few__value_neighbour0 = affine_map<(f) -> (f + 0)>
#few__value_neighbour1 = affine_map<(f) -> (f + 1)>
#few__value_neighbour2 = affine_map<(f) -> (f + 2)>
#few__value_neighbour3 = affine_map<(f) -> (f + 3)>
#few__value_neighbour4 = affine_map<(f) -> (f + 4)>
#few__value_neighbour5 = affine_map<(f) -> (f + 5)>
#few__value_neighbour6 = affine_map<(f) -> (f + 6)>
#few__value_neighbour7 = affine_map<(f) -> (f + 7)>
#few__value_neighbour8 = affine_map<(f) -> (f + 8)>
#few__value_neighbour9 = affine_map<(f) -> (f + 9)>
#few__value_neighbour10 = affine_map<(f) -> (f + 10)>
#few__value_neighbour11 = affine_map<(f) -> (f + 11)>
#few__value_neighbour12 = affine_map<(f) -> (f + 12)>
#few__value_neighbour13 = affine_map<(f) -> (f + 13)>
#few__value_neighbour14 = affine_map<(f) -> (f + 14)>
#few__value_neighbour15 = affine_map<(f) -> (f + 15)>
#few__value_column = affine_map<(s, r) -> ((s * 8 + r) * 4)>
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
    %part_acc_rows_empty = tensor.empty() : tensor<1024x64xf32>
    %part_max_rows_empty = tensor.empty() : tensor<1024xf32>
    %part_sum_rows_empty = tensor.empty() : tensor<1024xf32>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %heads = arith.constant 2 : index
    %parts = arith.constant 4 : index
    %q_tokens = arith.constant 50 : index
    %kv_tokens = arith.constant 640 : index
    %tiles = arith.constant 32 : index
    %few_rows = arith.constant 128 : index
    %pages = arith.constant 40 : index
    %cache_blocks = arith.constant 99 : index
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%part_acc_rows_all = %part_acc_rows_empty, %part_max_rows_all = %part_max_rows_empty, %part_sum_rows_all = %part_sum_rows_empty) -> (tensor<1024x64xf32>, tensor<1024xf32>, tensor<1024xf32>) {
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
    %few_slot = affine.min affine_map<(q, s) -> (q, s * 8)>(%q_start, %sequence)
    %q_count = arith.subi %q_next, %q_start : index
    %few = arith.constant 8 : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %queries_of_few = arith.select %is_few, %q_count, %zero_queries : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%sequence] : tensor<4xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %sequence, %pages : index
    %context_len = affine.apply affine_map<(n) -> (n)>(%context_len_of_sequence)
    %part_keys = arith.constant 192 : index
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
      affine_map<(p, q, i) -> (p + q * 4 + i * 16)>(%rows_of_parts, %few_slot, %tile)
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 16 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (16, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(r) -> (r floordiv 4)>(%row_0)
    %query_end = affine.min
      affine_map<(r, n) -> ((r + 16) ceildiv 4, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %part_begin = arith.muli %part, %part_keys : index
    %part_end = arith.addi %part_begin, %part_keys : index
    %begin = affine.max affine_map<(a, b) -> (a, b)>(%none, %part_begin)
    %end = affine.min affine_map<(a, b, c) -> (a, b, c)>(%keys_end, %seen_end, %part_end)
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %acc_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !few__acc_lds
    %max_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !few__max_lds
    %sum_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !few__sum_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf32>
    %tile_empty1 = tensor.empty(%rows_here)
      : tensor<?xf32>
    %tile_empty2 = tensor.empty(%rows_here)
      : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #few__lanes} ins(%zero : f32)
      outs(%tile_empty0 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %part_acc_rows_stored, %part_max_rows_stored, %part_sum_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
          , %tile1 = %tile_empty1
          , %tile2 = %tile_empty2
        ) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      // Which sequences are there, and how long they are, is known in the kernel alone: a workgroup without
      // rows would wait for queries and keys in vain.
      %is_idle = arith.cmpi eq, %rows_here, %none : index
      scf.if %is_idle {
        llvm.inline_asm has_side_effects "s_endpgm", "" : () -> ()
      }
      %first_of_wave = affine.apply affine_map<(p, w)
        -> (p * 192 + w * 48)>(%part, %wave)
      %wave_begin = affine.max affine_map<(b, w) -> (b, w)>(%begin, %first_of_wave)
      %wave_end = affine.min affine_map<(e, w) -> (e, w + 48)>(%end, %first_of_wave)
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 16 * 16, e floordiv 16 *
      16)>(%wave_end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %wave_begin : index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 0 + i * 1)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 0)>(%group)
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
      %column0_1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %column0_2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_2 = vector.transfer_read
        %query_rows[%query_row0, %column0_2],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %column0_3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
      %query_chunk0_3 = vector.transfer_read
        %query_rows[%query_row0, %column0_3],
        %no_element {in_bounds = [true]} : tensor<400x64xf16>, !few__head_chunk
      %no_queries = arith.constant dense<0.0> : !few__queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !few__head_chunk to !few__query_columns
        %queries0 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !few__query_columns into !few__queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !few__queries to !few__queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !few__queries_turned to !few__query_operand
        %query_columns0_1 = vector.shape_cast %query_chunk0_1
          : !few__head_chunk to !few__query_columns
        %queries1 = vector.insert
          %query_columns0_1, %no_queries[0, 0]
          : !few__query_columns into !few__queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !few__queries to !few__queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !few__queries_turned to !few__query_operand
        %query_columns0_2 = vector.shape_cast %query_chunk0_2
          : !few__head_chunk to !few__query_columns
        %queries2 = vector.insert
          %query_columns0_2, %no_queries[0, 0]
          : !few__query_columns into !few__queries
        %queries_turned2 = vector.transpose
          %queries2, [0, 2, 1, 3, 4] : !few__queries to !few__queries_turned
        %query2 = vector.shape_cast %queries_turned2 : !few__queries_turned to !few__query_operand
        %query_columns0_3 = vector.shape_cast %query_chunk0_3
          : !few__head_chunk to !few__query_columns
        %queries3 = vector.insert
          %query_columns0_3, %no_queries[0, 0]
          : !few__query_columns into !few__queries
        %queries_turned3 = vector.transpose
          %queries3, [0, 2, 1, 3, 4] : !few__queries to !few__queries_turned
        %query3 = vector.shape_cast %queries_turned3 : !few__queries_turned to !few__query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %query_of_head0 = affine.apply affine_map<(r)
        -> (r floordiv 4)>(%row_of_head0)
      %position0 = arith.addi %first_position, %query_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !few__scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !few__scores
      %score_sums0_0 = arith.constant dense<0.0> : !few__sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !few__acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %max0_1, %sum0_1, %acc_1 =
        scf.for %t0 = %wave_begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %sum0 = %sum0_0,
            %acc = %acc_0)
          -> (f32, f32, !few__acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #few__group_of_row(%index)
        %row_of_group = affine.apply #few__row_of_group(%index)
      %key_k0 = affine.apply #few__key_of_step0(%t0, %group_of_row, %row_of_group)
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
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #few__value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_v0 = affine.apply #few__value_neighbour0(%first_value)
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
      %key_v1 = affine.apply #few__value_neighbour1(%first_value)
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_v2 = affine.apply #few__value_neighbour2(%first_value)
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_v3 = affine.apply #few__value_neighbour3(%first_value)
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_v4 = affine.apply #few__value_neighbour4(%first_value)
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_v5 = affine.apply #few__value_neighbour5(%first_value)
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_v6 = affine.apply #few__value_neighbour6(%first_value)
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_v7 = affine.apply #few__value_neighbour7(%first_value)
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_v8 = affine.apply #few__value_neighbour8(%first_value)
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_v9 = affine.apply #few__value_neighbour9(%first_value)
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_v10 = affine.apply #few__value_neighbour10(%first_value)
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_v11 = affine.apply #few__value_neighbour11(%first_value)
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_v12 = affine.apply #few__value_neighbour12(%first_value)
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_v13 = affine.apply #few__value_neighbour13(%first_value)
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_v14 = affine.apply #few__value_neighbour14(%first_value)
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_v15 = affine.apply #few__value_neighbour15(%first_value)
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_0 = vector.bitcast %read0_0 : !few__access to !few__access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_1 = vector.bitcast %read0_1 : !few__access to !few__access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_2 = vector.bitcast %read0_2 : !few__access to !few__access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_3 = vector.bitcast %read0_3 : !few__access to !few__access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_4 = vector.bitcast %read0_4 : !few__access to !few__access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_5 = vector.bitcast %read0_5 : !few__access to !few__access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_6 = vector.bitcast %read0_6 : !few__access to !few__access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_7 = vector.bitcast %read0_7 : !few__access to !few__access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_8 = vector.bitcast %read0_8 : !few__access to !few__access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_9 = vector.bitcast %read0_9 : !few__access to !few__access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_10 = vector.bitcast %read0_10 : !few__access to !few__access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_11 = vector.bitcast %read0_11 : !few__access to !few__access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_12 = vector.bitcast %read0_12 : !few__access to !few__access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_13 = vector.bitcast %read0_13 : !few__access to !few__access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_14 = vector.bitcast %read0_14 : !few__access to !few__access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_15 = vector.bitcast %read0_15 : !few__access to !few__access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !few__head_chunk to !few__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !few__head_chunk to !few__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !few__head_chunk to !few__key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !few__head_chunk to !few__key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %no_scores = arith.constant dense<0.0> : !few__scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !few__sums to !few__score_tile
        %scores_ruled = vector.insert %score_tile0, %no_scores[0]
          : !few__score_tile into !few__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !few__row_scores from !few__scores
        %top0 = vector.extract %top0_0[0] : f32 from !few__row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !few__row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !few__row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !few__row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !few__row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !few__row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !few__row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !few__row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %limit_of_lane0 = arith.addf %max0, %margin : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit_of_lane0 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %max_next0, %sum_brought0, %acc_brought =
          scf.if %any_grows -> (f32, f32, !few__acc) {
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %factors = vector.from_elements %factor0 : !few__rows
          %sum_factors = vector.shape_cast %factors : !few__rows to !few__sum_factors
          %all_factors = vector.broadcast %sum_factors : !few__sum_factors to !few__acc
          %acc_less = arith.mulf %acc, %all_factors : !few__acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !few__acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !few__acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !few__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !few__rows to !few__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !few__scores
        %logits_flat = vector.shape_cast %logits : !few__scores to !few__scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!few__scores_flat) -> !few__scores_flat
        %exps = vector.shape_cast %exps_flat : !few__scores_flat to !few__scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !few__pair
        %no_pairs = arith.constant dense<0.0> : !few__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !few__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !few__scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !few__pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !few__pair into !few__pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !few__scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !few__scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !few__pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !few__pair into !few__pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !few__scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !few__scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !few__pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !few__pair into !few__pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !few__scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !few__scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !few__pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !few__pair into !few__pairs
        %weights_own = vector.shape_cast %pairs : !few__pairs to !few__weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !few__weights_own to !few__weights_flat
        %own_bits = vector.bitcast %weights_flat : !few__weights_flat to !few__pair_bits
        %no_pair_bits = arith.constant dense<0> : !few__pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !few__pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !few__pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !few__pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !few__pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !few__pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !few__pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !few__pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !few__pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !few__pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !few__pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !few__pair_bits, !few__pair_bits
        %all_weights = vector.bitcast %all_bits : !few__all_bits to !few__all_weights
        %weights = vector.shape_cast %all_weights : !few__all_weights to !few__weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits0_0 =
          vector.extract %values0_0[0] : i32 from !few__access_bits
        %bits0_1 =
          vector.extract %values0_1[0] : i32 from !few__access_bits
        %bits0_2 =
          vector.extract %values0_2[0] : i32 from !few__access_bits
        %bits0_3 =
          vector.extract %values0_3[0] : i32 from !few__access_bits
        %bits0_4 =
          vector.extract %values0_4[0] : i32 from !few__access_bits
        %bits0_5 =
          vector.extract %values0_5[0] : i32 from !few__access_bits
        %bits0_6 =
          vector.extract %values0_6[0] : i32 from !few__access_bits
        %bits0_7 =
          vector.extract %values0_7[0] : i32 from !few__access_bits
        %bits0_8 =
          vector.extract %values0_8[0] : i32 from !few__access_bits
        %bits0_9 =
          vector.extract %values0_9[0] : i32 from !few__access_bits
        %bits0_10 =
          vector.extract %values0_10[0] : i32 from !few__access_bits
        %bits0_11 =
          vector.extract %values0_11[0] : i32 from !few__access_bits
        %bits0_12 =
          vector.extract %values0_12[0] : i32 from !few__access_bits
        %bits0_13 =
          vector.extract %values0_13[0] : i32 from !few__access_bits
        %bits0_14 =
          vector.extract %values0_14[0] : i32 from !few__access_bits
        %bits0_15 =
          vector.extract %values0_15[0] : i32 from !few__access_bits
        %halves0 = arith.constant 0x05040100 : i32
        %joined0_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves0)
          : (i32, i32, i32) -> i32
        %column0 = vector.from_elements
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !few__column_bits
        %value_keys0 = vector.bitcast %column0 : !few__column_bits to !few__value_keys
        %halves1 = arith.constant 0x07060302 : i32
        %joined1_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves1)
          : (i32, i32, i32) -> i32
        %column1 = vector.from_elements
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !few__column_bits
        %value_keys1 = vector.bitcast %column1 : !few__column_bits to !few__value_keys
        %value0 = vector.shape_cast %value_keys0 : !few__value_keys to !few__value_operand
        %sums0 = vector.extract %acc_brought[0] : !few__sums from !few__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !few__sums into !few__acc
        %value1 = vector.shape_cast %value_keys1 : !few__value_keys to !few__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !few__sums from !few__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !few__sums into !few__acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits2_0 =
          vector.extract %values0_0[1] : i32 from !few__access_bits
        %bits2_1 =
          vector.extract %values0_1[1] : i32 from !few__access_bits
        %bits2_2 =
          vector.extract %values0_2[1] : i32 from !few__access_bits
        %bits2_3 =
          vector.extract %values0_3[1] : i32 from !few__access_bits
        %bits2_4 =
          vector.extract %values0_4[1] : i32 from !few__access_bits
        %bits2_5 =
          vector.extract %values0_5[1] : i32 from !few__access_bits
        %bits2_6 =
          vector.extract %values0_6[1] : i32 from !few__access_bits
        %bits2_7 =
          vector.extract %values0_7[1] : i32 from !few__access_bits
        %bits2_8 =
          vector.extract %values0_8[1] : i32 from !few__access_bits
        %bits2_9 =
          vector.extract %values0_9[1] : i32 from !few__access_bits
        %bits2_10 =
          vector.extract %values0_10[1] : i32 from !few__access_bits
        %bits2_11 =
          vector.extract %values0_11[1] : i32 from !few__access_bits
        %bits2_12 =
          vector.extract %values0_12[1] : i32 from !few__access_bits
        %bits2_13 =
          vector.extract %values0_13[1] : i32 from !few__access_bits
        %bits2_14 =
          vector.extract %values0_14[1] : i32 from !few__access_bits
        %bits2_15 =
          vector.extract %values0_15[1] : i32 from !few__access_bits
        %halves2 = arith.constant 0x05040100 : i32
        %joined2_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves2)
          : (i32, i32, i32) -> i32
        %column2 = vector.from_elements
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !few__column_bits
        %value_keys2 = vector.bitcast %column2 : !few__column_bits to !few__value_keys
        %halves3 = arith.constant 0x07060302 : i32
        %joined3_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves3)
          : (i32, i32, i32) -> i32
        %column3 = vector.from_elements
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !few__column_bits
        %value_keys3 = vector.bitcast %column3 : !few__column_bits to !few__value_keys
        %value2 = vector.shape_cast %value_keys2 : !few__value_keys to !few__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !few__sums from !few__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !few__sums into !few__acc
        %value3 = vector.shape_cast %value_keys3 : !few__value_keys to !few__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !few__sums from !few__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !few__sums into !few__acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !few__acc
      }
      %max0_2, %sum0_2, %acc_2 =
        scf.for %t0 = %full_end to %wave_end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %sum0 = %sum0_1,
            %acc = %acc_1)
          -> (f32, f32, !few__acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #few__group_of_row(%index)
        %row_of_group = affine.apply #few__row_of_group(%index)
      %key_any_k0 = affine.apply #few__key_of_step0(%t0, %group_of_row, %row_of_group)
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
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #few__value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_any_v0 = affine.apply #few__value_neighbour0(%first_value)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
        %is_v0 = arith.cmpi slt, %key_any_v0, %context_len : index
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
      %key_any_v1 = affine.apply #few__value_neighbour1(%first_value)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
        %is_v1 = arith.cmpi slt, %key_any_v1, %context_len : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #few__value_neighbour2(%first_value)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
        %is_v2 = arith.cmpi slt, %key_any_v2, %context_len : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #few__value_neighbour3(%first_value)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
        %is_v3 = arith.cmpi slt, %key_any_v3, %context_len : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_any_v4 = affine.apply #few__value_neighbour4(%first_value)
      %key_v4 = arith.minsi %key_any_v4, %last_key : index
        %is_v4 = arith.cmpi slt, %key_any_v4, %context_len : index
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_any_v5 = affine.apply #few__value_neighbour5(%first_value)
      %key_v5 = arith.minsi %key_any_v5, %last_key : index
        %is_v5 = arith.cmpi slt, %key_any_v5, %context_len : index
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_any_v6 = affine.apply #few__value_neighbour6(%first_value)
      %key_v6 = arith.minsi %key_any_v6, %last_key : index
        %is_v6 = arith.cmpi slt, %key_any_v6, %context_len : index
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_any_v7 = affine.apply #few__value_neighbour7(%first_value)
      %key_v7 = arith.minsi %key_any_v7, %last_key : index
        %is_v7 = arith.cmpi slt, %key_any_v7, %context_len : index
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_any_v8 = affine.apply #few__value_neighbour8(%first_value)
      %key_v8 = arith.minsi %key_any_v8, %last_key : index
        %is_v8 = arith.cmpi slt, %key_any_v8, %context_len : index
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_any_v9 = affine.apply #few__value_neighbour9(%first_value)
      %key_v9 = arith.minsi %key_any_v9, %last_key : index
        %is_v9 = arith.cmpi slt, %key_any_v9, %context_len : index
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_any_v10 = affine.apply #few__value_neighbour10(%first_value)
      %key_v10 = arith.minsi %key_any_v10, %last_key : index
        %is_v10 = arith.cmpi slt, %key_any_v10, %context_len : index
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_any_v11 = affine.apply #few__value_neighbour11(%first_value)
      %key_v11 = arith.minsi %key_any_v11, %last_key : index
        %is_v11 = arith.cmpi slt, %key_any_v11, %context_len : index
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_any_v12 = affine.apply #few__value_neighbour12(%first_value)
      %key_v12 = arith.minsi %key_any_v12, %last_key : index
        %is_v12 = arith.cmpi slt, %key_any_v12, %context_len : index
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_any_v13 = affine.apply #few__value_neighbour13(%first_value)
      %key_v13 = arith.minsi %key_any_v13, %last_key : index
        %is_v13 = arith.cmpi slt, %key_any_v13, %context_len : index
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_any_v14 = affine.apply #few__value_neighbour14(%first_value)
      %key_v14 = arith.minsi %key_any_v14, %last_key : index
        %is_v14 = arith.cmpi slt, %key_any_v14, %context_len : index
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_any_v15 = affine.apply #few__value_neighbour15(%first_value)
      %key_v15 = arith.minsi %key_any_v15, %last_key : index
        %is_v15 = arith.cmpi slt, %key_any_v15, %context_len : index
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_0 = vector.bitcast %read0_0 : !few__access to !few__access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_1 = vector.bitcast %read0_1 : !few__access to !few__access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_2 = vector.bitcast %read0_2 : !few__access to !few__access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_3 = vector.bitcast %read0_3 : !few__access to !few__access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_4 = vector.bitcast %read0_4 : !few__access to !few__access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_5 = vector.bitcast %read0_5 : !few__access to !few__access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_6 = vector.bitcast %read0_6 : !few__access to !few__access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_7 = vector.bitcast %read0_7 : !few__access to !few__access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_8 = vector.bitcast %read0_8 : !few__access to !few__access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_9 = vector.bitcast %read0_9 : !few__access to !few__access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_10 = vector.bitcast %read0_10 : !few__access to !few__access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_11 = vector.bitcast %read0_11 : !few__access to !few__access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_12 = vector.bitcast %read0_12 : !few__access to !few__access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_13 = vector.bitcast %read0_13 : !few__access to !few__access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_14 = vector.bitcast %read0_14 : !few__access to !few__access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<3168x64xf16>, !few__access
        %values0_15 = vector.bitcast %read0_15 : !few__access to !few__access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !few__head_chunk to !few__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !few__head_chunk to !few__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !few__head_chunk to !few__key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !few__head_chunk to !few__key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__key_operand, !few__query_operand into !few__sums
        %no_scores = arith.constant dense<0.0> : !few__scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !few__sums to !few__score_tile
        %scores = vector.insert %score_tile0, %no_scores[0]
          : !few__score_tile into !few__scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : !few__score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_rows = vector.from_elements %last_i32_0 : !few__row_bits
        %lasts = vector.broadcast %last_rows : !few__row_bits to !few__score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !few__score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !few__is_seen, !few__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !few__row_scores from !few__scores
        %top0 = vector.extract %top0_0[0] : f32 from !few__row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !few__row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !few__row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !few__row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !few__row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !few__row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !few__row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !few__row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %limit_of_lane0 = arith.addf %max0, %margin : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit_of_lane0 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %max_next0, %sum_brought0, %acc_brought =
          scf.if %any_grows -> (f32, f32, !few__acc) {
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %factors = vector.from_elements %factor0 : !few__rows
          %sum_factors = vector.shape_cast %factors : !few__rows to !few__sum_factors
          %all_factors = vector.broadcast %sum_factors : !few__sum_factors to !few__acc
          %acc_less = arith.mulf %acc, %all_factors : !few__acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !few__acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !few__acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !few__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !few__rows to !few__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !few__scores
        %logits_flat = vector.shape_cast %logits : !few__scores to !few__scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!few__scores_flat) -> !few__scores_flat
        %exps = vector.shape_cast %exps_flat : !few__scores_flat to !few__scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !few__pair
        %no_pairs = arith.constant dense<0.0> : !few__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !few__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !few__scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !few__pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !few__pair into !few__pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !few__scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !few__scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !few__pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !few__pair into !few__pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !few__scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !few__scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !few__pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !few__pair into !few__pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !few__scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !few__scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !few__pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!few__pair, !few__pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !few__pair into !few__pairs
        %weights_own = vector.shape_cast %pairs : !few__pairs to !few__weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !few__weights_own to !few__weights_flat
        %own_bits = vector.bitcast %weights_flat : !few__weights_flat to !few__pair_bits
        %no_pair_bits = arith.constant dense<0> : !few__pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !few__pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !few__pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !few__pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !few__pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !few__pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !few__pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !few__pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !few__pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !few__pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !few__pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !few__pair_bits, !few__pair_bits
        %all_weights = vector.bitcast %all_bits : !few__all_bits to !few__all_weights
        %weights = vector.shape_cast %all_weights : !few__all_weights to !few__weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any0_0 =
          vector.extract %values0_0[0] : i32 from !few__access_bits
        %bits0_0 =
          arith.select %is_v0, %bits_any0_0, %no_bits : i32
        %bits_any0_1 =
          vector.extract %values0_1[0] : i32 from !few__access_bits
        %bits0_1 =
          arith.select %is_v1, %bits_any0_1, %no_bits : i32
        %bits_any0_2 =
          vector.extract %values0_2[0] : i32 from !few__access_bits
        %bits0_2 =
          arith.select %is_v2, %bits_any0_2, %no_bits : i32
        %bits_any0_3 =
          vector.extract %values0_3[0] : i32 from !few__access_bits
        %bits0_3 =
          arith.select %is_v3, %bits_any0_3, %no_bits : i32
        %bits_any0_4 =
          vector.extract %values0_4[0] : i32 from !few__access_bits
        %bits0_4 =
          arith.select %is_v4, %bits_any0_4, %no_bits : i32
        %bits_any0_5 =
          vector.extract %values0_5[0] : i32 from !few__access_bits
        %bits0_5 =
          arith.select %is_v5, %bits_any0_5, %no_bits : i32
        %bits_any0_6 =
          vector.extract %values0_6[0] : i32 from !few__access_bits
        %bits0_6 =
          arith.select %is_v6, %bits_any0_6, %no_bits : i32
        %bits_any0_7 =
          vector.extract %values0_7[0] : i32 from !few__access_bits
        %bits0_7 =
          arith.select %is_v7, %bits_any0_7, %no_bits : i32
        %bits_any0_8 =
          vector.extract %values0_8[0] : i32 from !few__access_bits
        %bits0_8 =
          arith.select %is_v8, %bits_any0_8, %no_bits : i32
        %bits_any0_9 =
          vector.extract %values0_9[0] : i32 from !few__access_bits
        %bits0_9 =
          arith.select %is_v9, %bits_any0_9, %no_bits : i32
        %bits_any0_10 =
          vector.extract %values0_10[0] : i32 from !few__access_bits
        %bits0_10 =
          arith.select %is_v10, %bits_any0_10, %no_bits : i32
        %bits_any0_11 =
          vector.extract %values0_11[0] : i32 from !few__access_bits
        %bits0_11 =
          arith.select %is_v11, %bits_any0_11, %no_bits : i32
        %bits_any0_12 =
          vector.extract %values0_12[0] : i32 from !few__access_bits
        %bits0_12 =
          arith.select %is_v12, %bits_any0_12, %no_bits : i32
        %bits_any0_13 =
          vector.extract %values0_13[0] : i32 from !few__access_bits
        %bits0_13 =
          arith.select %is_v13, %bits_any0_13, %no_bits : i32
        %bits_any0_14 =
          vector.extract %values0_14[0] : i32 from !few__access_bits
        %bits0_14 =
          arith.select %is_v14, %bits_any0_14, %no_bits : i32
        %bits_any0_15 =
          vector.extract %values0_15[0] : i32 from !few__access_bits
        %bits0_15 =
          arith.select %is_v15, %bits_any0_15, %no_bits : i32
        %halves0 = arith.constant 0x05040100 : i32
        %joined0_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves0)
          : (i32, i32, i32) -> i32
        %column0 = vector.from_elements
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !few__column_bits
        %value_keys0 = vector.bitcast %column0 : !few__column_bits to !few__value_keys
        %halves1 = arith.constant 0x07060302 : i32
        %joined1_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves1)
          : (i32, i32, i32) -> i32
        %column1 = vector.from_elements
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !few__column_bits
        %value_keys1 = vector.bitcast %column1 : !few__column_bits to !few__value_keys
        %value0 = vector.shape_cast %value_keys0 : !few__value_keys to !few__value_operand
        %sums0 = vector.extract %acc_brought[0] : !few__sums from !few__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !few__sums into !few__acc
        %value1 = vector.shape_cast %value_keys1 : !few__value_keys to !few__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !few__sums from !few__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !few__sums into !few__acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any2_0 =
          vector.extract %values0_0[1] : i32 from !few__access_bits
        %bits2_0 =
          arith.select %is_v0, %bits_any2_0, %no_bits : i32
        %bits_any2_1 =
          vector.extract %values0_1[1] : i32 from !few__access_bits
        %bits2_1 =
          arith.select %is_v1, %bits_any2_1, %no_bits : i32
        %bits_any2_2 =
          vector.extract %values0_2[1] : i32 from !few__access_bits
        %bits2_2 =
          arith.select %is_v2, %bits_any2_2, %no_bits : i32
        %bits_any2_3 =
          vector.extract %values0_3[1] : i32 from !few__access_bits
        %bits2_3 =
          arith.select %is_v3, %bits_any2_3, %no_bits : i32
        %bits_any2_4 =
          vector.extract %values0_4[1] : i32 from !few__access_bits
        %bits2_4 =
          arith.select %is_v4, %bits_any2_4, %no_bits : i32
        %bits_any2_5 =
          vector.extract %values0_5[1] : i32 from !few__access_bits
        %bits2_5 =
          arith.select %is_v5, %bits_any2_5, %no_bits : i32
        %bits_any2_6 =
          vector.extract %values0_6[1] : i32 from !few__access_bits
        %bits2_6 =
          arith.select %is_v6, %bits_any2_6, %no_bits : i32
        %bits_any2_7 =
          vector.extract %values0_7[1] : i32 from !few__access_bits
        %bits2_7 =
          arith.select %is_v7, %bits_any2_7, %no_bits : i32
        %bits_any2_8 =
          vector.extract %values0_8[1] : i32 from !few__access_bits
        %bits2_8 =
          arith.select %is_v8, %bits_any2_8, %no_bits : i32
        %bits_any2_9 =
          vector.extract %values0_9[1] : i32 from !few__access_bits
        %bits2_9 =
          arith.select %is_v9, %bits_any2_9, %no_bits : i32
        %bits_any2_10 =
          vector.extract %values0_10[1] : i32 from !few__access_bits
        %bits2_10 =
          arith.select %is_v10, %bits_any2_10, %no_bits : i32
        %bits_any2_11 =
          vector.extract %values0_11[1] : i32 from !few__access_bits
        %bits2_11 =
          arith.select %is_v11, %bits_any2_11, %no_bits : i32
        %bits_any2_12 =
          vector.extract %values0_12[1] : i32 from !few__access_bits
        %bits2_12 =
          arith.select %is_v12, %bits_any2_12, %no_bits : i32
        %bits_any2_13 =
          vector.extract %values0_13[1] : i32 from !few__access_bits
        %bits2_13 =
          arith.select %is_v13, %bits_any2_13, %no_bits : i32
        %bits_any2_14 =
          vector.extract %values0_14[1] : i32 from !few__access_bits
        %bits2_14 =
          arith.select %is_v14, %bits_any2_14, %no_bits : i32
        %bits_any2_15 =
          vector.extract %values0_15[1] : i32 from !few__access_bits
        %bits2_15 =
          arith.select %is_v15, %bits_any2_15, %no_bits : i32
        %halves2 = arith.constant 0x05040100 : i32
        %joined2_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves2)
          : (i32, i32, i32) -> i32
        %column2 = vector.from_elements
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !few__column_bits
        %value_keys2 = vector.bitcast %column2 : !few__column_bits to !few__value_keys
        %halves3 = arith.constant 0x07060302 : i32
        %joined3_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves3)
          : (i32, i32, i32) -> i32
        %column3 = vector.from_elements
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !few__column_bits
        %value_keys3 = vector.bitcast %column3 : !few__column_bits to !few__value_keys
        %value2 = vector.shape_cast %value_keys2 : !few__value_keys to !few__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !few__sums from !few__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !few__sums into !few__acc
        %value3 = vector.shape_cast %value_keys3 : !few__value_keys to !few__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !few__sums from !few__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#few__left, #few__right, #few__product], iterator_types = [#few__parallel, #few__parallel, #few__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !few__value_operand, !few__weights_operand into !few__sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !few__sums into !few__acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !few__acc
      }
      %acc_by_column = vector.shape_cast %acc_2 : !few__acc to !few__acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 2, 0] : !few__acc_by_column to !few__acc_by_row
      %sums_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %rows_of_wave = affine.apply affine_map<(n) -> (n)>(%rows_here)
      %is_group_first = arith.cmpi eq, %group, %none : index
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0 = arith.addf %sum0_2, %total_there0_1 : f32
      %lds_row0 = affine.apply affine_map<(r) -> (r + 0)>(%first_row)
      %is_row0 = arith.cmpi slt, %lds_row0, %rows_of_wave : index
      scf.if %is_row0 {
        scf.if %is_group_first {
          memref.store %max0_2, %max_lds[%lds_row0, %wave] : !few__max_lds
          memref.store %total0, %sum_lds[%lds_row0, %wave] : !few__sum_lds
        }
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %lds_row_there0 = affine.min affine_map<(r) -> (r, 16 - 1)>(%lds_row0)
      %maxima_of_row0 = vector.load %max_lds[%lds_row_there0, %none] : !few__max_lds, !few__waves
      %top_of_row0 = vector.reduction <maxnumf>, %maxima_of_row0 : !few__waves into f32
      %wave_below0 = arith.subf %max0_2, %top_of_row0 : f32
      %wave_shrink0 = llvm.call_intrinsic "llvm.exp2"(%wave_below0) : (f32) -> f32
      %wave_shrinks0 = vector.broadcast %wave_shrink0 : f32 to !few__output_f32
      %sums_of_row0 = vector.extract %acc_by_row[0] : !few__acc_row from !few__acc_by_row
      %sums_any0 = vector.shape_cast %sums_of_row0 : !few__acc_row to !few__output_f32
      %sums_flat0 = arith.mulf %sums_any0, %wave_shrinks0 : !few__output_f32
      %turn0 = arith.constant 0 : index
      %is_turn0 = arith.cmpi eq, %wave, %turn0 : index
      %writes0_0 = arith.andi %is_turn0, %is_row0 : i1
      scf.if %writes0_0 {
        "vector.store"(%sums_flat0, %acc_lds, %lds_row0, %sums_column) <{alignment = 16 : i64}>
          : (!few__output_f32, !few__acc_lds, index, index) -> ()
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %turn1 = arith.constant 1 : index
      %is_turn1 = arith.cmpi eq, %wave, %turn1 : index
      %writes1_0 = arith.andi %is_turn1, %is_row0 : i1
      scf.if %writes1_0 {
        %before1_0 = "vector.load"(%acc_lds, %lds_row0, %sums_column) <{alignment = 16
          : i64}> : (!few__acc_lds, index, index) -> !few__output_f32
        %sums_now1_0 = arith.addf %before1_0, %sums_flat0 : !few__output_f32
        "vector.store"(%sums_now1_0, %acc_lds, %lds_row0, %sums_column) <{alignment = 16 : i64}>
          : (!few__output_f32, !few__acc_lds, index, index) -> ()
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %turn2 = arith.constant 2 : index
      %is_turn2 = arith.cmpi eq, %wave, %turn2 : index
      %writes2_0 = arith.andi %is_turn2, %is_row0 : i1
      scf.if %writes2_0 {
        %before2_0 = "vector.load"(%acc_lds, %lds_row0, %sums_column) <{alignment = 16
          : i64}> : (!few__acc_lds, index, index) -> !few__output_f32
        %sums_now2_0 = arith.addf %before2_0, %sums_flat0 : !few__output_f32
        "vector.store"(%sums_now2_0, %acc_lds, %lds_row0, %sums_column) <{alignment = 16 : i64}>
          : (!few__output_f32, !few__acc_lds, index, index) -> ()
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %turn3 = arith.constant 3 : index
      %is_turn3 = arith.cmpi eq, %wave, %turn3 : index
      %writes3_0 = arith.andi %is_turn3, %is_row0 : i1
      scf.if %writes3_0 {
        %before3_0 = "vector.load"(%acc_lds, %lds_row0, %sums_column) <{alignment = 16
          : i64}> : (!few__acc_lds, index, index) -> !few__output_f32
        %sums_now3_0 = arith.addf %before3_0, %sums_flat0 : !few__output_f32
        "vector.store"(%sums_now3_0, %acc_lds, %lds_row0, %sums_column) <{alignment = 16 : i64}>
          : (!few__output_f32, !few__acc_lds, index, index) -> ()
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %own_row = affine.apply affine_map<(l) -> (l floordiv 8)>(%lane)
      %own_column = affine.apply affine_map<(l) -> (l mod 8 * 8)>(%lane)
      %row_there = affine.min affine_map<(r) -> (r, 16 - 1)>(%own_row)
      %maxima = vector.load %max_lds[%row_there, %none] : !few__max_lds, !few__waves
      %totals = vector.load %sum_lds[%row_there, %none] : !few__sum_lds, !few__waves
      %top = vector.reduction <maxnumf>, %maxima : !few__waves into f32
      %no_piece = arith.constant dense<0.0> : !few__piece
      %max_of0 = vector.extract %maxima[0] : f32 from !few__waves
      %below_top0 = arith.subf %max_of0, %top : f32
      %shrink0 = llvm.call_intrinsic "llvm.exp2"(%below_top0) : (f32) -> f32
      %total_of0 = vector.extract %totals[0] : f32 from !few__waves
      %sum_to_wave0 = math.fma
        %total_of0, %shrink0, %zero : f32
      %max_of1 = vector.extract %maxima[1] : f32 from !few__waves
      %below_top1 = arith.subf %max_of1, %top : f32
      %shrink1 = llvm.call_intrinsic "llvm.exp2"(%below_top1) : (f32) -> f32
      %total_of1 = vector.extract %totals[1] : f32 from !few__waves
      %sum_to_wave1 = math.fma
        %total_of1, %shrink1, %sum_to_wave0 : f32
      %max_of2 = vector.extract %maxima[2] : f32 from !few__waves
      %below_top2 = arith.subf %max_of2, %top : f32
      %shrink2 = llvm.call_intrinsic "llvm.exp2"(%below_top2) : (f32) -> f32
      %total_of2 = vector.extract %totals[2] : f32 from !few__waves
      %sum_to_wave2 = math.fma
        %total_of2, %shrink2, %sum_to_wave1 : f32
      %max_of3 = vector.extract %maxima[3] : f32 from !few__waves
      %below_top3 = arith.subf %max_of3, %top : f32
      %shrink3 = llvm.call_intrinsic "llvm.exp2"(%below_top3) : (f32) -> f32
      %total_of3 = vector.extract %totals[3] : f32 from !few__waves
      %sum_to_wave3 = math.fma
        %total_of3, %shrink3, %sum_to_wave2 : f32
      %acc_piece = "vector.load"(%acc_lds, %row_there, %own_column) <{alignment = 16
        : i64}> : (!few__acc_lds, index, index) -> !few__piece
      %sum_row = arith.addf %sum_to_wave3, %zero : f32
      %part_acc = vector.shape_cast %acc_piece : !few__piece to !few__part_acc_rows
      %part_max = vector.from_elements %top : !few__row_number
      %part_sum = vector.from_elements %sum_row : !few__row_number
      %rows_left_here = affine.min affine_map<(n, r) -> (n - r, 1)>(%rows_here, %own_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %numbers_left = affine.min affine_map<(n, c) -> (n, 1 - c)>(%own_rows, %own_column)
      %own_numbers = arith.maxsi %numbers_left, %none : index
      %has_row = arith.cmpi slt, %none, %own_rows : index
      %has_number = arith.cmpi slt, %none, %own_numbers : index
      %old_rows0 = tensor.extract_slice %tile0[%own_row, %own_column] [%own_rows, 8]
        [1, 1] : tensor<?x64xf32> to tensor<?x8xf32>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows0 = scf.if %has_row
          -> (tensor<?x8xf32>) {
        %new_rows0 = vector.transfer_write %part_acc, %old_rows0
          [%none, %none]
          {in_bounds = [true, true]}
          : !few__part_acc_rows, tensor<?x8xf32>
        scf.yield %new_rows0 : tensor<?x8xf32>
      } else {
        scf.yield %old_rows0 : tensor<?x8xf32>
      }
      %old_rows1 = tensor.extract_slice %tile1[%own_row] [%own_numbers]
        [1] : tensor<?xf32> to tensor<?xf32>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows1 = scf.if %has_number
          -> (tensor<?xf32>) {
        %new_rows1 = vector.transfer_write %part_max, %old_rows1
          [%none]
          {in_bounds = [true]}
          : !few__row_number, tensor<?xf32>
        scf.yield %new_rows1 : tensor<?xf32>
      } else {
        scf.yield %old_rows1 : tensor<?xf32>
      }
      %old_rows2 = tensor.extract_slice %tile2[%own_row] [%own_numbers]
        [1] : tensor<?xf32> to tensor<?xf32>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows2 = scf.if %has_number
          -> (tensor<?xf32>) {
        %new_rows2 = vector.transfer_write %part_sum, %old_rows2
          [%none]
          {in_bounds = [true]}
          : !few__row_number, tensor<?xf32>
        scf.yield %new_rows2 : tensor<?xf32>
      } else {
        scf.yield %old_rows2 : tensor<?xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%own_row, %own_column]
          [%own_rows, 8] [1, 1] : tensor<?x8xf32> into tensor<?x64xf32>
        tensor.parallel_insert_slice %new_rows1 into %tile1[%own_row]
          [%own_numbers] [1] : tensor<?xf32> into tensor<?xf32>
        tensor.parallel_insert_slice %new_rows2 into %tile2[%own_row]
          [%own_numbers] [1] : tensor<?xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part_acc_rows_stored
        into %part_acc_rows_all[%result_row, %none]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf32> into tensor<1024x64xf32>
      tensor.parallel_insert_slice %part_max_rows_stored
        into %part_max_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<1024xf32>
      tensor.parallel_insert_slice %part_sum_rows_stored
        into %part_sum_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<1024xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_rows_out,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : tensor<1024x64xf32> -> !few__part_acc_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_rows_out,
      offsets = [0], sizes = [1024], strides = [1]
      : tensor<1024xf32> -> !few__part_max_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_rows_out,
      offsets = [0], sizes = [1024], strides = [1]
      : tensor<1024xf32> -> !few__part_sum_rows_out
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
    %tiles = arith.constant 4 : index
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
      %output_rows_out: !few__output_rows_out
    ) {
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_in,
      offsets = [0, 0, 0, 0], sizes = [2, 4, 128, 64], strides = [1, 1, 1, 1]
      : !few__part_acc_in -> tensor<2x4x128x64xf32>
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_in,
      offsets = [0, 0, 0], sizes = [2, 4, 128], strides = [1, 1, 1]
      : !few__part_max_in -> tensor<2x4x128xf32>
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_in,
      offsets = [0, 0, 0], sizes = [2, 4, 128], strides = [1, 1, 1]
      : !few__part_sum_in -> tensor<2x4x128xf32>
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
    %tiles = arith.constant 4 : index
    %pages = arith.constant 40 : index
    %i = flow.dispatch.workgroup.id[0] : index
    %x = flow.dispatch.workgroup.id[1] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %sequence = affine.apply affine_map<(i) -> (i)>(%i)
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
    %few_slot = affine.min affine_map<(q, s) -> (q, s * 8)>(%q_start, %sequence)
    %q_count = arith.subi %q_next, %q_start : index
    %few = arith.constant 8 : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %queries_of_few = arith.select %is_few, %q_count, %zero_queries : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%sequence] : tensor<4xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %sequence, %pages : index
    %context_len = affine.apply affine_map<(n) -> (n)>(%context_len_of_sequence)
    %part_keys = arith.constant 192 : index
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows_here = affine.apply affine_map<(q) -> (q)>(%queries_of_few)
    %parts_here = arith.ceildivui %context_len, %part_keys : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %first_row = affine.apply affine_map<(q, x) -> (q * 4 + x mod 4)>(%few_slot, %x)
    %result_row = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens]
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %at_once = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_element = arith.constant 0.0 : f16
    %tile_empty0 = tensor.empty(%rows_here) : tensor<?x64xf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #few__merge} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %output_tile =
      scf.forall (%lane) in (64)
        shared_outs(%tile0 = %tile_start)
        -> (tensor<?x64xf16>) {
      %column = affine.min affine_map<(l)
        -> (l * 1, 63)>(%lane)
      %lanes_of_row = arith.constant 64 : index
      %writes0 = arith.cmpi slt, %lane, %lanes_of_row : index
      %writes1 = arith.cmpi eq, %lane, %none : index
      %own_rows0 = arith.select %writes0, %rows_here, %none : index
      %own0 = tensor.extract_slice %tile0[%none, %column] [%own_rows0, 1]
        [1, 1] : tensor<?x64xf16> to !few__own_of_output_rows
      %rows_of_output_rows = scf.for %m = %none to %rows_here step %one
        iter_args(%before0 = %own0)
        -> (!few__own_of_output_rows) {
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
        %max_after_3 = arith.maxnumf %max_after_2, %max_of_part2 : f32
        %part3 = affine.min affine_map<(p)[e] -> (p + 3, e - 1)>(%p)[%parts_here]
        %max_of_part3 = tensor.extract %part_max[%kv_head, %part3, %row] : !few__part_max
        %max_after = arith.maxnumf %max_after_3, %max_of_part3 : f32
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
        %part_any3 = affine.apply affine_map<(p) -> (p + 3)>(%p)
        %is_part3 = arith.cmpi slt, %part_any3, %parts_here : index
        %part3 = affine.min affine_map<(p)[e] -> (p + 3, e - 1)>(%p)[%parts_here]
        %max_of_part3 = tensor.extract %part_max[%kv_head, %part3, %row] : !few__part_max
        %below_max3 = arith.subf %max_of_part3, %max : f32
        %shrink_any3 = math.exp2 %below_max3 : f32
        %shrink3 = arith.select %is_part3, %shrink_any3, %zero : f32
        %sum_of_part3 = tensor.extract %part_sum[%kv_head, %part3, %row] : !few__part_sum
        %acc_of_part3 = vector.transfer_read %part_acc[%kv_head, %part3, %row, %column], %zero
          {in_bounds = [true]} : !few__part_acc, !few__columns_of_lane
        %acc_counted3 = arith.select %is_part3, %acc_of_part3, %no_columns
          : !few__columns_of_lane
        %all_shrink3 = vector.broadcast %shrink3 : f32 to !few__columns_of_lane
        %sum_after_1 = math.fma %sum_of_part0, %shrink0, %sum_before : f32
        %sum_after_2 = math.fma %sum_of_part1, %shrink1, %sum_after_1 : f32
        %sum_after_3 = math.fma %sum_of_part2, %shrink2, %sum_after_2 : f32
        %sum_after = math.fma %sum_of_part3, %shrink3, %sum_after_3 : f32
        %acc_after_1 = math.fma %acc_counted0, %all_shrink0, %acc_before : !few__columns_of_lane
        %acc_after_2 = math.fma %acc_counted1, %all_shrink1, %acc_after_1 : !few__columns_of_lane
        %acc_after_3 = math.fma %acc_counted2, %all_shrink2, %acc_after_2 : !few__columns_of_lane
        %acc_after = math.fma %acc_counted3, %all_shrink3, %acc_after_3 : !few__columns_of_lane
        scf.yield %sum_after, %acc_after : f32, !few__columns_of_lane
      }
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %zero_each = vector.broadcast %zero : f32 to !few__columns_of_lane
      %sum_each = vector.broadcast %sum : f32 to !few__columns_of_lane
      %mean_any = arith.divf %acc, %sum_each : !few__columns_of_lane
      %mean = arith.select %is_empty, %zero_each, %mean_any : !few__columns_of_lane
    %mean_stored = arith.truncf %mean : !few__columns_of_lane to !few__merged_columns
        %output = vector.shape_cast %mean_stored : !few__merged_columns to !few__merged
        %after0 = scf.if %writes0 -> (!few__own_of_output_rows) {
          %written0 = vector.transfer_write %output,
            %before0[%m, %none]
            {in_bounds = [true, true]} : !few__merged, !few__own_of_output_rows
          scf.yield %written0 : !few__own_of_output_rows
        } else {
          scf.yield %before0 : !few__own_of_output_rows
        }
        scf.yield %after0
          : !few__own_of_output_rows
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %rows_of_output_rows into %tile0[%none, %column]
          [%own_rows0, 1] [1, 1]
          : !few__own_of_output_rows into tensor<?x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %output_tile, %output_rows_out,
      offsets = [%result_row, %result_column], sizes = [%rows_here, 64], strides = [1, 1]
      : tensor<?x64xf16> -> !few__output_rows_out
    return
  }
  }
}
func.func private @few(%query: !few__query, %key_cache: !few__key_cache, %value_cache: !few__value_cache, %cu_seqlens_q: !few__cu_seqlens_q, %block_table: !few__block_table, %context_lens: !few__context_lens, %output_of_many: !few__output_of_many) -> !few__output {
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
    ) -> (tensor<1024x64xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %part_acc = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [2, 4, 128, 64] : tensor<1024x64xf32> into tensor<2x4x128x64xf32>
  %part_max = tensor.expand_shape %made#1 [[0, 1, 2]]
    output_shape [2, 4, 128] : tensor<1024xf32> into tensor<2x4x128xf32>
  %part_sum = tensor.expand_shape %made#2 [[0, 1, 2]]
    output_shape [2, 4, 128] : tensor<1024xf32> into tensor<2x4x128xf32>
  %output_of_many_rows = tensor.collapse_shape %output_of_many [[0], [1, 2]]
    : tensor<50x8x64xf16> into tensor<50x512xf16>
  %merged = flow.dispatch @packed_paged_few_merge::@packed_paged_few_merge(
      %part_acc, %part_max, %part_sum, %cu_seqlens_q, %context_lens, %output_of_many_rows
    ) : (
      tensor<2x4x128x64xf32>,
      tensor<2x4x128xf32>,
      tensor<2x4x128xf32>,
      tensor<5xi32>,
      tensor<4xi32>,
      tensor<50x512xf16>
    ) -> %output_of_many_rows
  %output = tensor.expand_shape %merged [[0], [1, 2]]
    output_shape [50, 8, 64] : tensor<50x512xf16> into tensor<50x8x64xf16>
  return %output
    : !few__output
}
!query = tensor<50x8x64xf16>
!key_cache = tensor<99x2x16x64xf16>
!value_cache = tensor<99x2x16x64xf16>
!cu_seqlens_q = tensor<5xi32>
!block_table = tensor<4x40xi32>
!context_lens = tensor<4xi32>
!output = tensor<50x8x64xf16>

func.func @packed_paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %cu_seqlens_q: !cu_seqlens_q, %block_table: !block_table, %context_lens: !context_lens) -> !output {
  %output_of_many = call @many(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens)
    : (tensor<50x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<5xi32>, tensor<4x40xi32>, tensor<4xi32>)
    -> (tensor<50x8x64xf16>)
  %output = call @few(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %output_of_many)
    : (tensor<50x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<5xi32>, tensor<4x40xi32>, tensor<4xi32>, tensor<50x8x64xf16>)
    -> (tensor<50x8x64xf16>)
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
    %context_lens: !context_lens
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @packed_paged_attention(%query, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens)
    : (!query, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens) -> (!output)
  util.return %output : !output
}
