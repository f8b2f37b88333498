// Attention as one kernel of lanes.
!query = tensor<4096x64x64xf16>
!key = tensor<4096x8x64xf16>
!value = tensor<4096x8x64xf16>
!cu_seqlens_q = tensor<4xi32>
!cu_seqlens_k = tensor<4xi32>
!output = tensor<4096x64x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<262144x64xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<32768x64xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<32768x64xf16>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!cu_seqlens_k_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096x4096xf16>>
!head_chunk = vector<8xf16>
!query_columns = vector<2x1x4xf16>
!queries = vector<2x1x2x1x4xf16>
!queries_turned = vector<2x2x1x1x4xf16>
!query_operand = vector<2x2x1x4xf16>
!key_operand = vector<1x2x1x4xf16>
!value_keys = vector<8xf16>
!value_operand = vector<1x2x1x4xf16>
!weight_parts = vector<2x1x2x1x4xf16>
!weight_parts_turned = vector<2x2x1x1x4xf16>
!weights_operand = vector<2x2x1x4xf16>
!row_scores = vector<4xf32>
!score_tile = vector<2x4xf32>
!scores = vector<2x2x4xf32>
!scores_flat = vector<16xf32>
!score_bits = vector<2x2x4xi32>
!is_seen = vector<2x2x4xi1>
!weight_bits = vector<2x2x4xi16>
!weights_by_key = vector<2x2x4xf16>
!weights_own = vector<2x2x4xf16>
!weights_flat = vector<16xf16>
!pair = vector<2xf16>
!pairs = vector<8x2xf16>
!pair_bits = vector<8xi32>
!all_bits = vector<16xi32>
!all_weights = vector<32xf16>
!sums = vector<1x2x1x4xf32>
!sum_factors = vector<1x2x1x1xf32>
!acc = vector<4x1x2x1x4xf32>
!acc_by_column = vector<4x2x4xf32>
!acc_by_row = vector<2x4x4xf32>
!acc_row = vector<4x4xf32>
!rows = vector<2x1xf32>
!row_bits = vector<2x1xi32>
!output_f32 = vector<16xf32>
!rows_f32 = vector<2x16xf32>
// i row and j column of a product, k depth
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#product = affine_map<(i, j, k) -> (i, j)>
#parallel = #linalg.iterator_type<parallel>
#reduction = #linalg.iterator_type<reduction>
#lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [256, 1, 1] subgroup_size = 64,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!output_rows = vector<2x16xf16>
!lse_rows = vector<2xf32>
!access = vector<8xf16>
!keys = vector<1x8xf16>
!values = vector<1x8xf16>
!column = vector<1xf16>
!value_piece = vector<8xf16>
!value_pieces = vector<1x8xf16>
!columns = vector<8x1xf16>
!query_part = vector<1x1x1x4xf16>
!key_part = vector<1x1x1x4xf16>
!value_part = vector<1x1x1x4xf16>
!query_row = vector<4xf16>
!key_row = vector<4xf16>
!value_row = vector<4xf16>
!sums_of_one = vector<1x1x1x4xf32>
!acc_of_one = vector<4x1x1x1x4xf32>
!pairs_of_part = vector<2x2xf16>
!two = vector<2xf32>
!two_bits = vector<2xi32>
!two_columns = vector<1x2xf16>
!two_turned = vector<2x1xf16>
!key_lds = memref<32x80xf16, #gpu.address_space<workgroup>>
!value_lds =
  memref<68x48xf16, #gpu.address_space<workgroup>>
// What lane l fetches of the step that begins at key t: keys, and neighbouring keys' values, all from one
// column on.
#key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 0)>
#key_column = affine_map<(l) -> (l mod 8 * 8)>
#value_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 32 * 1 + 0)>
// The LDS column of the lane's first key of a step's: pieces of keys, of one group after the other.
#value_lds_column = affine_map<(l) -> (l floordiv 1 mod 32 * 1)>
#value_column = affine_map<(l)
  -> ((l floordiv 32 * 1 + l mod 1)
      * 8)>
// The LDS row of key, or value column, n: neighbours are a lane's own of one tile, then those of other groups
// or tiles, so that lanes read one row after the other.
#key_lds_row = affine_map<(n) -> (n mod 8 floordiv 4 * 16
  + n floordiv 8 mod 4 * 4 + n mod 4 * 1)>
#value_lds_row0 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 0) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 0) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 0) mod 4 * 1)>
#value_lds_row1 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 1) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 1) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 1) mod 4 * 1)>
#value_lds_row2 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 2) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 2) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 2) mod 4 * 1)>
#value_lds_row3 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 3) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 3) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 3) mod 4 * 1)>
#value_lds_row4 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 4) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 4) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 4) mod 4 * 1)>
#value_lds_row5 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 5) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 5) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 5) mod 4 * 1)>
#value_lds_row6 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 6) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 6) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 6) mod 4 * 1)>
#value_lds_row7 = affine_map<(l)
  -> (((l floordiv 32 * 1 + l mod 1) * 8
  + 7) mod 16 floordiv 4 * 17
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 7) floordiv 16 mod 4 * 4
    + ((l floordiv 32 * 1 + l mod 1) * 8
  + 7) mod 4 * 1)>
flow.executable private @packed_attention_kernel {
  flow.executable.export public @packed_attention_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @packed_attention_kernel(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %cu_seqlens_k_in: !cu_seqlens_k_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [262144, 64], strides = [1, 1]
      : !query_rows_in -> tensor<262144x64xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [32768, 64], strides = [1, 1]
      : !key_rows_in -> tensor<32768x64xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [32768, 64], strides = [1, 1]
      : !value_rows_in -> tensor<32768x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_q_in -> tensor<4xi32>
    %cu_seqlens_k = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_k_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_k_in -> tensor<4xi32>
    %output_rows_empty = tensor.empty() : tensor<4096x4096xf16>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 3 : index
    %heads = arith.constant 64 : index
    %parts = arith.constant 1 : index
    %q_tokens = arith.constant 4096 : index
    %kv_tokens = arith.constant 4096 : index
    %tiles = arith.constant 36 : index
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<4096x4096xf16>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 8 * 8 + x floordiv 8)>(%head_number)
    %one = arith.constant 1 : index
    %first_sequence = arith.constant 0 : index
    %most_queries = arith.index_cast %q_tokens : index to i32
    %none_i32 = arith.constant 0 : i32
    %one_i32 = arith.constant 1 : i32
    %no_levels = arith.constant dense<0> : vector<3xi32>
    %starts_told = vector.transfer_read %cu_seqlens_q[%first_sequence], %none_i32 {in_bounds = [true]}
      : tensor<4xi32>, vector<3xi32>
    %ends_told = vector.transfer_read %cu_seqlens_q[%one], %none_i32 {in_bounds = [true]}
      : tensor<4xi32>, vector<3xi32>
    %most_of_each = vector.broadcast %most_queries : i32 to vector<3xi32>
    %starts = arith.minui %starts_told, %most_of_each : vector<3xi32>
    %ends_any = arith.minui %ends_told, %most_of_each : vector<3xi32>
    %ends = arith.maxsi %ends_any, %starts : vector<3xi32>
    %tokens_of_each = arith.subi %ends, %starts : vector<3xi32>
    %rows_of_tile = arith.constant dense<128> : vector<3xi32>
    %tiles_of_each = arith.ceildivui %tokens_of_each, %rows_of_tile : vector<3xi32>
    %tiles_of_sequences = vector.reduction <add>, %tiles_of_each : vector<3xi32> into i32
    %place_of_all = arith.index_cast %i : index to i32
    // The last level that has, with later ones, more tiles than begin before this one.
    %level_halvings = arith.constant 6 : index
    %widest_level = arith.constant 32 : i32
    %level = scf.for %level_halving = %first_sequence to %level_halvings step %one
        iter_args(%level_found = %none_i32) -> (i32) {
      %level_halving_i32 = arith.index_cast %level_halving : index to i32
      %levels_further = arith.shrui %widest_level, %level_halving_i32 : i32
      %level_candidate = arith.addi %level_found, %levels_further : i32
      %tiles_from_candidate_levels = vector.broadcast %level_candidate : i32 to vector<3xi32>
      %tiles_from_candidate_after = arith.subi %tiles_of_each, %tiles_from_candidate_levels : vector<3xi32>
      %tiles_from_candidate_of_each = arith.maxsi %tiles_from_candidate_after, %no_levels : vector<3xi32>
      %tiles_from_candidate = vector.reduction <add>, %tiles_from_candidate_of_each : vector<3xi32> into i32
      %begins_later = arith.cmpi ugt, %tiles_from_candidate, %place_of_all : i32
      %level_better = arith.select %begins_later, %level_candidate, %level_found : i32
      scf.yield %level_better : i32
    }
    %next_level = arith.addi %level, %one_i32 : i32
      %tiles_begun_before_levels = vector.broadcast %next_level : i32 to vector<3xi32>
      %tiles_begun_before_after = arith.subi %tiles_of_each, %tiles_begun_before_levels : vector<3xi32>
      %tiles_begun_before_of_each = arith.maxsi %tiles_begun_before_after, %no_levels : vector<3xi32>
      %tiles_begun_before = vector.reduction <add>, %tiles_begun_before_of_each : vector<3xi32> into i32
    %place_in_level = arith.subi %place_of_all, %tiles_begun_before : i32
    // Of the sequences that have a tile of the level, the one that so many come before.
    %level_of_each = vector.broadcast %level : i32 to vector<3xi32>
    %has_level = arith.cmpi ugt, %tiles_of_each, %level_of_each : vector<3xi32>
    %of_level = arith.extui %has_level : vector<3xi1> to vector<3xi32>
    %of_level0 = vector.extract %of_level[0] : i32 from vector<3xi32>
    %counted_1 = arith.addi %none_i32, %of_level0 : i32
    %is_before0 = arith.cmpi sle, %counted_1, %place_in_level : i32
    %sequence_before0 = arith.extui %is_before0 : i1 to i32
    %of_level1 = vector.extract %of_level[1] : i32 from vector<3xi32>
    %counted_2 = arith.addi %counted_1, %of_level1 : i32
    %is_before1 = arith.cmpi sle, %counted_2, %place_in_level : i32
    %sequence_before1 = arith.extui %is_before1 : i1 to i32
    %of_level2 = vector.extract %of_level[2] : i32 from vector<3xi32>
    %counted = arith.addi %counted_2, %of_level2 : i32
    %is_before2 = arith.cmpi sle, %counted, %place_in_level : i32
    %sequence_before2 = arith.extui %is_before2 : i1 to i32
    %sequences_before_1 = arith.addi %none_i32, %sequence_before0 : i32
    %sequences_before_2 = arith.addi %sequences_before_1, %sequence_before1 : i32
    %sequences_before = arith.addi %sequences_before_2, %sequence_before2 : i32
    %padding_tile = arith.subi %place_of_all, %tiles_of_sequences : i32
    %has_no_tile = arith.cmpi sge, %padding_tile, %none_i32 : i32
    %sequence_of_level = arith.index_cast %sequences_before : i32 to index
    %sequence = arith.select %has_no_tile, %packed, %sequence_of_level : index
    %tile_i32 = arith.select %has_no_tile, %padding_tile, %level : i32
    %tile = arith.index_cast %tile_i32 : i32 to index
    %next = affine.min affine_map<(s)[n] -> (s + 1, n)>(%sequence)[%packed]
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<4xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<4xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    // Padding stands where the last sequence does.
    %real_sequence = affine.min affine_map<(s)[n] -> (s, n - 1)>(%sequence)[%packed]
    %is_padding = arith.cmpi eq, %sequence, %packed : index
    %q_end = arith.select %is_padding, %q_tokens, %q_next : index
    %rows_of_head = arith.subi %q_end, %q_start : index
    %q_len = arith.subi %q_end, %q_start : index
    %most_keys = arith.index_cast %kv_tokens : index to i32
    %k_start_i32 = tensor.extract %cu_seqlens_k[%sequence] : tensor<4xi32>
    %k_start_kept = arith.minui %k_start_i32, %most_keys : i32
    %k_start = arith.index_cast %k_start_kept : i32 to index
    %k_next_i32 = tensor.extract %cu_seqlens_k[%next] : tensor<4xi32>
    %k_next_any_kept = arith.minui %k_next_i32, %most_keys : i32
    %k_next_any = arith.index_cast %k_next_any_kept : i32 to index
    %k_next = arith.maxsi %k_next_any, %k_start : index
    %context_len = arith.subi %k_next, %k_start : index
    %first_key_token = affine.min affine_map<(k)[n] -> (k, n - 1)>(%k_start)[%kv_tokens]
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 8)>(%x)
    // Where there are no more tokens, the last one is read, and counts for nothing.
    %first_token = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens]
    %query_base = affine.apply affine_map<(q, x) -> (q * 64 + x)>(%first_token, %x)
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
      -> !key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !value_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 32 * 32, e floordiv 32 *
      32)>(%end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %begin : index
    %output_rows_stored =
      scf.forall (%lane) in (256)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<?x64xf16>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 4, 16)
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
      %head_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 64)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<262144x64xf16>, !head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<262144x64xf16>, !head_chunk
      %row1 = affine.min affine_map<(r, n) -> (r + 1, n)>(%first_row, %row_last)
      %row_of_head1 = arith.addi %row_0, %row1 : index
      %row_real1 = arith.minsi %row_of_head1, %last_row : index
      %query_row1 = affine.apply affine_map<(b, r)
        -> (b + r * 64)>(%query_base, %row_real1)
      %column1_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk1_0 = vector.transfer_read
        %query_rows[%query_row1, %column1_0],
        %no_element {in_bounds = [true]} : tensor<262144x64xf16>, !head_chunk
      %column1_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk1_1 = vector.transfer_read
        %query_rows[%query_row1, %column1_1],
        %no_element {in_bounds = [true]} : tensor<262144x64xf16>, !head_chunk
      %no_queries = arith.constant dense<0.0> : !queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !head_chunk to !query_columns
        %queries0_1 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !query_columns into !queries
        %query_columns1_0 = vector.shape_cast %query_chunk1_0
          : !head_chunk to !query_columns
        %queries0 = vector.insert
          %query_columns1_0, %queries0_1[1, 0]
          : !query_columns into !queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !queries_turned to !query_operand
        %query_columns0_1 = vector.shape_cast %query_chunk0_1
          : !head_chunk to !query_columns
        %queries1_1 = vector.insert
          %query_columns0_1, %no_queries[0, 0]
          : !query_columns into !queries
        %query_columns1_1 = vector.shape_cast %query_chunk1_1
          : !head_chunk to !query_columns
        %queries1 = vector.insert
          %query_columns1_1, %queries1_1[1, 0]
          : !query_columns into !queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !queries_turned to !query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %position0 = arith.addi %first_position, %row_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %position1 = arith.addi %first_position, %row_of_head1 : index
      %last_any1 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position1, %context_len)
      %last_seen1 = arith.subi %last_any1, %key_of_group : index
      // What all lanes of a wave have alike is said to be so.
      %wave_i32 = arith.index_cast %wave : index to i32
      %wave_of_all_i32 = rocdl.readfirstlane %wave_i32 : i32
      %wave_of_all = arith.index_cast %wave_of_all_i32 : i32 to index
      %wave_position = affine.apply affine_map<(p, r, w)
        -> (p + r + w * 32)>(%first_position, %row_0, %wave_of_all)
      %last_of_wave = affine.apply affine_map<(p) -> (p + 31)>(%wave_position)
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      %score_sums0_0 = arith.constant dense<0.0> : !sums
      %score_sums1_0 = arith.constant dense<0.0> : !sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %max1_0 = arith.constant -3.40282347E+38 : f32
      %sum1_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %distance2 = arith.constant 32 : i32
      %wave_size = arith.constant 64 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %keys_0, %values_0 = scf.execute_region -> (!keys, !values) {
      %keys_here, %values_here = scf.execute_region -> (!keys, !values) {
        %t_next = arith.minsi %begin, %t_last : index
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_v0, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %keys_next = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %values_next = vector.insert %value_read0, %no_values[0] : !access into !values
        scf.yield %keys_next, %values_next : !keys, !values
      }
        %key_lds_column = affine.apply #key_column(%lane)
        %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %t_placed = arith.minsi %begin, %t_last : index
        %t_next = arith.addi %t_placed, %keys_of_step : index
        %has_next = arith.cmpi slt, %t_next, %end : index
        %no_access = arith.constant dense<0.0> : !access
        %none_real = arith.constant dense<0.0> : !values
        %token0 = affine.apply #value_of_step0(%t_placed, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !access from !values
        %real0 = arith.select %is_token0, %given0, %no_access : !access
        %values_real = vector.insert %real0, %none_real[0] : !access into !values
        %columns = vector.transpose %values_real, [1, 0]
          : !values to !columns
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %keys_next, %values_next = scf.if %has_next -> (!keys, !values) {
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_v0, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %keys_fetched = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %values_fetched = vector.insert %value_read0, %no_values[0] : !access into !values
          scf.yield %keys_fetched, %values_fetched : !keys, !values
        } else {
          scf.yield %keys_here, %values_here : !keys, !values
        }
        scf.yield %keys_next, %values_next : !keys, !values
      }
      %value_key0 = affine.apply affine_map<(g)
        -> (g * 8 + 0)>(%group)
      %max0_1, %max1_1, %sum0_1, %sum1_1, %acc_1,
          %keys_1, %values_1 =
        scf.for %t0 = %begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %max1 = %max1_0,
            %sum0 = %sum0_0,
            %sum1 = %sum1_0,
            %acc = %acc_0, %keys_here = %keys_0, %values_here = %values_0)
          -> (f32, f32, f32, f32, !acc, !keys, !values) {
        %t_placed = arith.addi %t0, %keys_of_step : index
        %t_next = arith.addi %t_placed, %keys_of_step : index
        %has_next = arith.cmpi slt, %t_next, %end : index
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %no_value_pieces = arith.constant dense<0.0> : !value_pieces
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_piece0_0 =
          "vector.load"(%value_lds, %value_row0, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces0 = vector.insert
          %value_piece0_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys0 = vector.shape_cast %value_pieces0 : !value_pieces to !value_keys
        %value_row1 = affine.apply affine_map<(i) -> (i + 17)>(%index)
        %value_piece1_0 =
          "vector.load"(%value_lds, %value_row1, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces1 = vector.insert
          %value_piece1_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys1 = vector.shape_cast %value_pieces1 : !value_pieces to !value_keys
        %value_row2 = affine.apply affine_map<(i) -> (i + 34)>(%index)
        %value_piece2_0 =
          "vector.load"(%value_lds, %value_row2, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces2 = vector.insert
          %value_piece2_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys2 = vector.shape_cast %value_pieces2 : !value_pieces to !value_keys
        %value_row3 = affine.apply affine_map<(i) -> (i + 51)>(%index)
        %value_piece3_0 =
          "vector.load"(%value_lds, %value_row3, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces3 = vector.insert
          %value_piece3_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys3 = vector.shape_cast %value_pieces3 : !value_pieces to !value_keys
        rocdl.sched.barrier none
        %no_sums = arith.constant dense<0.0> : !sums_of_one
        %two_units = vector.broadcast %unit : f32 to !two
        %ones = arith.constant dense<1.0> : !pair
        %keeps = arith.constant false
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %key_row0_at0 = vector.extract %keys0_0[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at0 = vector.shape_cast %key_row0_at0
          : !key_row to !key_part
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !head_chunk to !key_operand
        %key_row1_at0 = vector.extract %keys1_0[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at0 = vector.shape_cast %key_row1_at0
          : !key_row to !key_part
        %query_row0_at0 = vector.extract %query0[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at0 = vector.shape_cast %query_row0_at0
          : !query_row to !query_part
        %query_row1_at0 = vector.extract %query0[1, 0, 0]
          : !query_row from !query_operand
        %query_part1_at0 = vector.shape_cast %query_row1_at0
          : !query_row to !query_part
        %key_row0_at1 = vector.extract %keys0_0[0, 1, 0]
          : !key_row from !key_operand
        %key_part0_at1 = vector.shape_cast %key_row0_at1
          : !key_row to !key_part
        %key_row1_at1 = vector.extract %keys1_0[0, 1, 0]
          : !key_row from !key_operand
        %key_part1_at1 = vector.shape_cast %key_row1_at1
          : !key_row to !key_part
        %query_row0_at1 = vector.extract %query0[0, 1, 0]
          : !query_row from !query_operand
        %query_part0_at1 = vector.shape_cast %query_row0_at1
          : !query_row to !query_part
        %query_row1_at1 = vector.extract %query0[1, 1, 0]
          : !query_row from !query_operand
        %query_part1_at1 = vector.shape_cast %query_row1_at1
          : !query_row to !query_part
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %key_row0_at2 = vector.extract %keys0_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at2 = vector.shape_cast %key_row0_at2
          : !key_row to !key_part
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !head_chunk to !key_operand
        %key_row1_at2 = vector.extract %keys1_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at2 = vector.shape_cast %key_row1_at2
          : !key_row to !key_part
        %query_row0_at2 = vector.extract %query1[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at2 = vector.shape_cast %query_row0_at2
          : !query_row to !query_part
        %query_row1_at2 = vector.extract %query1[1, 0, 0]
          : !query_row from !query_operand
        %query_part1_at2 = vector.shape_cast %query_row1_at2
          : !query_row to !query_part
        %key_row0_at3 = vector.extract %keys0_1[0, 1, 0]
          : !key_row from !key_operand
        %key_part0_at3 = vector.shape_cast %key_row0_at3
          : !key_row to !key_part
        %key_row1_at3 = vector.extract %keys1_1[0, 1, 0]
          : !key_row from !key_operand
        %key_part1_at3 = vector.shape_cast %key_row1_at3
          : !key_row to !key_part
        %query_row0_at3 = vector.extract %query1[0, 1, 0]
          : !query_row from !query_operand
        %query_part0_at3 = vector.shape_cast %query_row0_at3
          : !query_row to !query_part
        %query_row1_at3 = vector.extract %query1[1, 1, 0]
          : !query_row from !query_operand
        %query_part1_at3 = vector.shape_cast %query_row1_at3
          : !query_row to !query_part
        %scores_of0_0_0 = iree_codegen.inner_tiled
          ins(%key_part0_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        rocdl.sched.barrier none
        %scores_of0_1_0 = iree_codegen.inner_tiled
          ins(%key_part1_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %key_lds_column = affine.apply #key_column(%lane)
        %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %placed_end = affine.apply affine_map<(t) -> (t + 32)>(%t_placed)
        %is_cut = arith.cmpi sgt, %placed_end, %context_len : index
        %values_placed = scf.if %is_cut -> !values {
        %no_access = arith.constant dense<0.0> : !access
        %none_real = arith.constant dense<0.0> : !values
        %token0 = affine.apply #value_of_step0(%t_placed, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !access from !values
        %real0 = arith.select %is_token0, %given0, %no_access : !access
        %values_real = vector.insert %real0, %none_real[0] : !access into !values
          scf.yield %values_real : !values
        } else {
          scf.yield %values_here : !values
        }
        rocdl.sched.barrier none
        %scores_of0_0_1 = iree_codegen.inner_tiled
          ins(%key_part0_at1, %query_part0_at1)
          outs(%scores_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns0 = vector.extract_strided_slice %values_placed
          offsets = [0, 0], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned0 = vector.transpose %two_columns0, [1, 0] : !two_columns to !two_turned
        %turned_any0 = vector.extract %two_turned0[0] : !column from !two_turned
        %turned_bits0 = llvm.bitcast %turned_any0 : !column to i16
        %turned_here0 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits0
          : (i16) -> i16
        %turned0 = llvm.bitcast %turned_here0 : i16 to !column
        %turned_any1 = vector.extract %two_turned0[1] : !column from !two_turned
        %turned_bits1 = llvm.bitcast %turned_any1 : !column to i16
        %turned_here1 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits1
          : (i16) -> i16
        %turned1 = llvm.bitcast %turned_here1 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_1_1 = iree_codegen.inner_tiled
          ins(%key_part1_at1, %query_part0_at1)
          outs(%scores_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns2 = vector.extract_strided_slice %values_placed
          offsets = [0, 2], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned2 = vector.transpose %two_columns2, [1, 0] : !two_columns to !two_turned
        %turned_any2 = vector.extract %two_turned2[0] : !column from !two_turned
        %turned_bits2 = llvm.bitcast %turned_any2 : !column to i16
        %turned_here2 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits2
          : (i16) -> i16
        %turned2 = llvm.bitcast %turned_here2 : i16 to !column
        %turned_any3 = vector.extract %two_turned2[1] : !column from !two_turned
        %turned_bits3 = llvm.bitcast %turned_any3 : !column to i16
        %turned_here3 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits3
          : (i16) -> i16
        %turned3 = llvm.bitcast %turned_here3 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_0_2 = iree_codegen.inner_tiled
          ins(%key_part0_at2, %query_part0_at2)
          outs(%scores_of0_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns4 = vector.extract_strided_slice %values_placed
          offsets = [0, 4], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned4 = vector.transpose %two_columns4, [1, 0] : !two_columns to !two_turned
        %turned_any4 = vector.extract %two_turned4[0] : !column from !two_turned
        %turned_bits4 = llvm.bitcast %turned_any4 : !column to i16
        %turned_here4 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits4
          : (i16) -> i16
        %turned4 = llvm.bitcast %turned_here4 : i16 to !column
        %turned_any5 = vector.extract %two_turned4[1] : !column from !two_turned
        %turned_bits5 = llvm.bitcast %turned_any5 : !column to i16
        %turned_here5 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits5
          : (i16) -> i16
        %turned5 = llvm.bitcast %turned_here5 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_1_2 = iree_codegen.inner_tiled
          ins(%key_part1_at2, %query_part0_at2)
          outs(%scores_of0_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns6 = vector.extract_strided_slice %values_placed
          offsets = [0, 6], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned6 = vector.transpose %two_columns6, [1, 0] : !two_columns to !two_turned
        %turned_any6 = vector.extract %two_turned6[0] : !column from !two_turned
        %turned_bits6 = llvm.bitcast %turned_any6 : !column to i16
        %turned_here6 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits6
          : (i16) -> i16
        %turned6 = llvm.bitcast %turned_here6 : i16 to !column
        %turned_any7 = vector.extract %two_turned6[1] : !column from !two_turned
        %turned_bits7 = llvm.bitcast %turned_any7 : !column to i16
        %turned_here7 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits7
          : (i16) -> i16
        %turned7 = llvm.bitcast %turned_here7 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_0_3 = iree_codegen.inner_tiled
          ins(%key_part0_at3, %query_part0_at3)
          outs(%scores_of0_0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        "vector.store"(%turned0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        "vector.store"(%turned1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        "vector.store"(%turned2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        "vector.store"(%turned3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        "vector.store"(%turned4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        "vector.store"(%turned5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        "vector.store"(%turned6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        "vector.store"(%turned7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        rocdl.sched.barrier none
        %scores_of0_1_3 = iree_codegen.inner_tiled
          ins(%key_part1_at3, %query_part0_at3)
          outs(%scores_of0_1_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %keys_next, %values_next = scf.if %has_next -> (!keys, !values) {
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_v0, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %keys_fetched = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %values_fetched = vector.insert %value_read0, %no_values[0] : !access into !values
          scf.yield %keys_fetched, %values_fetched : !keys, !values
        } else {
          scf.yield %keys_here, %values_here : !keys, !values
        }
        rocdl.sched.barrier none
        %row_scores0_0 = vector.shape_cast
          %scores_of0_0_3 : !sums_of_one to !row_scores
        %row_scores0_1 = vector.shape_cast
          %scores_of0_1_3 : !sums_of_one to !row_scores
        %scores_of1_0_0 = iree_codegen.inner_tiled
          ins(%key_part0_at0, %query_part1_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %top0_0 = vector.shape_cast %row_scores0_0 : !row_scores to !row_scores
        %top0_1 = arith.maxnumf %top0_0, %row_scores0_1
          fastmath<nnan> : !row_scores
        %of_key0_0 = vector.extract %top0_1[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_1[1] : f32 from !row_scores
        %best_to0_0_1 = arith.maxnumf %of_key0_0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_1[2] : f32 from !row_scores
        %best_to0_0_2 = arith.maxnumf %best_to0_0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_1[3] : f32 from !row_scores
        %best_to0_0 = arith.maxnumf %best_to0_0_2, %of_key0_3 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %scores_of1_1_0 = iree_codegen.inner_tiled
          ins(%key_part1_at0, %query_part1_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %best_to0_0, %distance1, %wave_size : f32
        rocdl.sched.barrier none
        %scores_of1_0_1 = iree_codegen.inner_tiled
          ins(%key_part0_at1, %query_part1_at1)
          outs(%scores_of1_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_1_1 = iree_codegen.inner_tiled
          ins(%key_part1_at1, %query_part1_at1)
          outs(%scores_of1_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %best_to0_1 = arith.maxnumf %best_to0_0, %best_there0_1 fastmath<nnan> : f32
        %best_there0_2, %best_is_there0_2 =
          gpu.shuffle xor %best_to0_1, %distance2, %wave_size : f32
        rocdl.sched.barrier none
        %scores_of1_0_2 = iree_codegen.inner_tiled
          ins(%key_part0_at2, %query_part1_at2)
          outs(%scores_of1_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_1_2 = iree_codegen.inner_tiled
          ins(%key_part1_at2, %query_part1_at2)
          outs(%scores_of1_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %best0 = arith.maxnumf %best_to0_1, %best_there0_2 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %scores_of1_0_3 = iree_codegen.inner_tiled
          ins(%key_part0_at3, %query_part1_at3)
          outs(%scores_of1_0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %max_next0 = arith.select %grows0, %best_logit0, %max0 : f32
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_maxs0 = vector.broadcast %minus_max0 : f32 to !two
        rocdl.sched.barrier none
        %scores_of1_1_3 = iree_codegen.inner_tiled
          ins(%key_part1_at3, %query_part1_at3)
          outs(%scores_of1_1_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_scores0 = vector.extract_strided_slice %row_scores0_0
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits0 = math.fma %two_scores0, %two_units, %minus_maxs0 : !two
        %exps0 = llvm.call_intrinsic "llvm.exp2"(%two_logits0) : (!two) -> !two
        %even0 = vector.extract %exps0[0] : f32 from !two
        %odd0 = vector.extract %exps0[1] : f32 from !two
        %pair_any0 = rocdl.cvt.pkrtz %even0, %odd0 : !pair
        %pair_bits0 = llvm.bitcast %pair_any0 : !pair to i32
        %pair_here0 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits0 : (i32) -> i32
        %pair0 = llvm.bitcast %pair_here0 : i32 to !pair
        %two_scores1 = vector.extract_strided_slice %row_scores0_0
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits1 = math.fma %two_scores1, %two_units, %minus_maxs0 : !two
        %exps1 = llvm.call_intrinsic "llvm.exp2"(%two_logits1) : (!two) -> !two
        %even1 = vector.extract %exps1[0] : f32 from !two
        %odd1 = vector.extract %exps1[1] : f32 from !two
        %pair_any1 = rocdl.cvt.pkrtz %even1, %odd1 : !pair
        %pair_bits1 = llvm.bitcast %pair_any1 : !pair to i32
        %pair_here1 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits1 : (i32) -> i32
        %pair1 = llvm.bitcast %pair_here1 : i32 to !pair
        rocdl.sched.barrier none
        %row_scores1_0 = vector.shape_cast
          %scores_of1_0_3 : !sums_of_one to !row_scores
        %row_scores1_1 = vector.shape_cast
          %scores_of1_1_3 : !sums_of_one to !row_scores
        rocdl.sched.barrier none
        %values0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %value_row0_at0 = vector.extract %values0[0, 0, 0]
          : !value_row from !value_operand
        %value_part0_at0 = vector.shape_cast %value_row0_at0
          : !value_row to !value_part
        %value_row0_at1 = vector.extract %values0[0, 1, 0]
          : !value_row from !value_operand
        %value_part0_at1 = vector.shape_cast %value_row0_at1
          : !value_row to !value_part
        %values1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %value_row1_at0 = vector.extract %values1[0, 0, 0]
          : !value_row from !value_operand
        %value_part1_at0 = vector.shape_cast %value_row1_at0
          : !value_row to !value_part
        %value_row1_at1 = vector.extract %values1[0, 1, 0]
          : !value_row from !value_operand
        %value_part1_at1 = vector.shape_cast %value_row1_at1
          : !value_row to !value_part
        %values2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %value_row2_at0 = vector.extract %values2[0, 0, 0]
          : !value_row from !value_operand
        %value_part2_at0 = vector.shape_cast %value_row2_at0
          : !value_row to !value_part
        %value_row2_at1 = vector.extract %values2[0, 1, 0]
          : !value_row from !value_operand
        %value_part2_at1 = vector.shape_cast %value_row2_at1
          : !value_row to !value_part
        %values3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %value_row3_at0 = vector.extract %values3[0, 0, 0]
          : !value_row from !value_operand
        %value_part3_at0 = vector.shape_cast %value_row3_at0
          : !value_row to !value_part
        %value_row3_at1 = vector.extract %values3[0, 1, 0]
          : !value_row from !value_operand
        %value_part3_at1 = vector.shape_cast %value_row3_at1
          : !value_row to !value_part
        %acc_of0 = vector.extract_strided_slice %acc
          offsets = [0, 0, 0], sizes = [4, 1, 1], strides = [1, 1, 1] : !acc to !acc_of_one
        %sum_brought0, %acc_brought0 = scf.if %grows0 -> (f32, !acc_of_one) {
          %below0 = arith.subf %max0, %max_next0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %factors0 = vector.broadcast %factor0 : f32 to !acc_of_one
          %acc_less0 = arith.mulf %acc_of0, %factors0 : !acc_of_one
          scf.yield %sum_less0, %acc_less0 : f32, !acc_of_one
        } else {
          scf.yield %sum0, %acc_of0 : f32, !acc_of_one
        }
        %no_pairs0_at0 = arith.constant dense<0.0> : !pairs_of_part
        %pairs0_at0_1 = vector.insert %pair0, %no_pairs0_at0[0]
          : !pair into !pairs_of_part
        %pairs0_at0 = vector.insert %pair1, %pairs0_at0_1[1]
          : !pair into !pairs_of_part
        %weight_part0_at0 = vector.shape_cast %pairs0_at0 : !pairs_of_part to !value_part
        %sums_of0_0_0 = vector.extract %acc_brought0[0] : !sums_of_one from !acc_of_one
        %sums_next0_0_0 = iree_codegen.inner_tiled
          ins(%value_part0_at0, %weight_part0_at0)
          outs(%sums_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_1 = vector.insert %sums_next0_0_0, %acc_brought0[0]
          : !sums_of_one into !acc_of_one
        %two_scores2 = vector.extract_strided_slice %row_scores0_1
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits2 = math.fma %two_scores2, %two_units, %minus_maxs0 : !two
        %exps2 = llvm.call_intrinsic "llvm.exp2"(%two_logits2) : (!two) -> !two
        %even2 = vector.extract %exps2[0] : f32 from !two
        %odd2 = vector.extract %exps2[1] : f32 from !two
        %pair_any2 = rocdl.cvt.pkrtz %even2, %odd2 : !pair
        %pair_bits2 = llvm.bitcast %pair_any2 : !pair to i32
        %pair_here2 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits2 : (i32) -> i32
        %pair2 = llvm.bitcast %pair_here2 : i32 to !pair
        rocdl.sched.barrier none
        %sums_of0_1_0 = vector.extract %acc_summed0_1[1] : !sums_of_one from !acc_of_one
        %sums_next0_1_0 = iree_codegen.inner_tiled
          ins(%value_part1_at0, %weight_part0_at0)
          outs(%sums_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_2 = vector.insert %sums_next0_1_0, %acc_summed0_1[1]
          : !sums_of_one into !acc_of_one
        %two_scores3 = vector.extract_strided_slice %row_scores0_1
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits3 = math.fma %two_scores3, %two_units, %minus_maxs0 : !two
        %exps3 = llvm.call_intrinsic "llvm.exp2"(%two_logits3) : (!two) -> !two
        %even3 = vector.extract %exps3[0] : f32 from !two
        %odd3 = vector.extract %exps3[1] : f32 from !two
        %pair_any3 = rocdl.cvt.pkrtz %even3, %odd3 : !pair
        %pair_bits3 = llvm.bitcast %pair_any3 : !pair to i32
        %pair_here3 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits3 : (i32) -> i32
        %pair3 = llvm.bitcast %pair_here3 : i32 to !pair
        %top1_0 = vector.shape_cast %row_scores1_0 : !row_scores to !row_scores
        %top1_1 = arith.maxnumf %top1_0, %row_scores1_1
          fastmath<nnan> : !row_scores
        %of_key1_0 = vector.extract %top1_1[0] : f32 from !row_scores
        %of_key1_1 = vector.extract %top1_1[1] : f32 from !row_scores
        %best_to1_0_1 = arith.maxnumf %of_key1_0, %of_key1_1 fastmath<nnan> : f32
        %of_key1_2 = vector.extract %top1_1[2] : f32 from !row_scores
        %best_to1_0_2 = arith.maxnumf %best_to1_0_1, %of_key1_2 fastmath<nnan> : f32
        %of_key1_3 = vector.extract %top1_1[3] : f32 from !row_scores
        %best_to1_0 = arith.maxnumf %best_to1_0_2, %of_key1_3 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %sums_of0_2_0 = vector.extract %acc_summed0_2[2] : !sums_of_one from !acc_of_one
        %sums_next0_2_0 = iree_codegen.inner_tiled
          ins(%value_part2_at0, %weight_part0_at0)
          outs(%sums_of0_2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_3 = vector.insert %sums_next0_2_0, %acc_summed0_2[2]
          : !sums_of_one into !acc_of_one
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %best_to1_0, %distance1, %wave_size : f32
        rocdl.sched.barrier none
        %sums_of0_3_0 = vector.extract %acc_summed0_3[3] : !sums_of_one from !acc_of_one
        %sums_next0_3_0 = iree_codegen.inner_tiled
          ins(%value_part3_at0, %weight_part0_at0)
          outs(%sums_of0_3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_4 = vector.insert %sums_next0_3_0, %acc_summed0_3[3]
          : !sums_of_one into !acc_of_one
        %best_to1_1 = arith.maxnumf %best_to1_0, %best_there1_1 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %no_pairs0_at1 = arith.constant dense<0.0> : !pairs_of_part
        %pairs0_at1_1 = vector.insert %pair2, %no_pairs0_at1[0]
          : !pair into !pairs_of_part
        %pairs0_at1 = vector.insert %pair3, %pairs0_at1_1[1]
          : !pair into !pairs_of_part
        %weight_part0_at1 = vector.shape_cast %pairs0_at1 : !pairs_of_part to !value_part
        %sums_of0_0_1 = vector.extract %acc_summed0_4[0] : !sums_of_one from !acc_of_one
        %sums_next0_0_1 = iree_codegen.inner_tiled
          ins(%value_part0_at1, %weight_part0_at1)
          outs(%sums_of0_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_5 = vector.insert %sums_next0_0_1, %acc_summed0_4[0]
          : !sums_of_one into !acc_of_one
        %best_there1_2, %best_is_there1_2 =
          gpu.shuffle xor %best_to1_1, %distance2, %wave_size : f32
        rocdl.sched.barrier none
        %sums_of0_1_1 = vector.extract %acc_summed0_5[1] : !sums_of_one from !acc_of_one
        %sums_next0_1_1 = iree_codegen.inner_tiled
          ins(%value_part1_at1, %weight_part0_at1)
          outs(%sums_of0_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_6 = vector.insert %sums_next0_1_1, %acc_summed0_5[1]
          : !sums_of_one into !acc_of_one
        %best1 = arith.maxnumf %best_to1_1, %best_there1_2 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %sums_of0_2_1 = vector.extract %acc_summed0_6[2] : !sums_of_one from !acc_of_one
        %sums_next0_2_1 = iree_codegen.inner_tiled
          ins(%value_part2_at1, %weight_part0_at1)
          outs(%sums_of0_2_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_7 = vector.insert %sums_next0_2_1, %acc_summed0_6[2]
          : !sums_of_one into !acc_of_one
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        %max_next1 = arith.select %grows1, %best_logit1, %max1 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs1 = vector.broadcast %minus_max1 : f32 to !two
        rocdl.sched.barrier none
        %sums_of0_3_1 = vector.extract %acc_summed0_7[3] : !sums_of_one from !acc_of_one
        %sums_next0_3_1 = iree_codegen.inner_tiled
          ins(%value_part3_at1, %weight_part0_at1)
          outs(%sums_of0_3_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0 = vector.insert %sums_next0_3_1, %acc_summed0_7[3]
          : !sums_of_one into !acc_of_one
        %two_scores4 = vector.extract_strided_slice %row_scores1_0
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits4 = math.fma %two_scores4, %two_units, %minus_maxs1 : !two
        %exps4 = llvm.call_intrinsic "llvm.exp2"(%two_logits4) : (!two) -> !two
        %even4 = vector.extract %exps4[0] : f32 from !two
        %odd4 = vector.extract %exps4[1] : f32 from !two
        %pair_any4 = rocdl.cvt.pkrtz %even4, %odd4 : !pair
        %pair_bits4 = llvm.bitcast %pair_any4 : !pair to i32
        %pair_here4 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits4 : (i32) -> i32
        %pair4 = llvm.bitcast %pair_here4 : i32 to !pair
        %two_scores5 = vector.extract_strided_slice %row_scores1_0
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits5 = math.fma %two_scores5, %two_units, %minus_maxs1 : !two
        %exps5 = llvm.call_intrinsic "llvm.exp2"(%two_logits5) : (!two) -> !two
        %even5 = vector.extract %exps5[0] : f32 from !two
        %odd5 = vector.extract %exps5[1] : f32 from !two
        %pair_any5 = rocdl.cvt.pkrtz %even5, %odd5 : !pair
        %pair_bits5 = llvm.bitcast %pair_any5 : !pair to i32
        %pair_here5 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits5 : (i32) -> i32
        %pair5 = llvm.bitcast %pair_here5 : i32 to !pair
        rocdl.sched.barrier none
        %acc_next_1 = vector.insert_strided_slice %acc_summed0, %acc
          offsets = [0, 0, 0, 0, 0], strides = [1, 1, 1, 1, 1] : !acc_of_one into !acc
        %acc_of1 = vector.extract_strided_slice %acc
          offsets = [0, 0, 1], sizes = [4, 1, 1], strides = [1, 1, 1] : !acc to !acc_of_one
        %sum_brought1, %acc_brought1 = scf.if %grows1 -> (f32, !acc_of_one) {
          %below1 = arith.subf %max1, %max_next1 : f32
          %factor1 = llvm.call_intrinsic "llvm.exp2"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors1 = vector.broadcast %factor1 : f32 to !acc_of_one
          %acc_less1 = arith.mulf %acc_of1, %factors1 : !acc_of_one
          scf.yield %sum_less1, %acc_less1 : f32, !acc_of_one
        } else {
          scf.yield %sum1, %acc_of1 : f32, !acc_of_one
        }
        %no_pairs1_at0 = arith.constant dense<0.0> : !pairs_of_part
        %pairs1_at0_1 = vector.insert %pair4, %no_pairs1_at0[0]
          : !pair into !pairs_of_part
        %pairs1_at0 = vector.insert %pair5, %pairs1_at0_1[1]
          : !pair into !pairs_of_part
        %weight_part1_at0 = vector.shape_cast %pairs1_at0 : !pairs_of_part to !value_part
        %sums_of1_0_0 = vector.extract %acc_brought1[0] : !sums_of_one from !acc_of_one
        %sums_next1_0_0 = iree_codegen.inner_tiled
          ins(%value_part0_at0, %weight_part1_at0)
          outs(%sums_of1_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_1 = vector.insert %sums_next1_0_0, %acc_brought1[0]
          : !sums_of_one into !acc_of_one
        %two_scores6 = vector.extract_strided_slice %row_scores1_1
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits6 = math.fma %two_scores6, %two_units, %minus_maxs1 : !two
        %exps6 = llvm.call_intrinsic "llvm.exp2"(%two_logits6) : (!two) -> !two
        %even6 = vector.extract %exps6[0] : f32 from !two
        %odd6 = vector.extract %exps6[1] : f32 from !two
        %pair_any6 = rocdl.cvt.pkrtz %even6, %odd6 : !pair
        %pair_bits6 = llvm.bitcast %pair_any6 : !pair to i32
        %pair_here6 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits6 : (i32) -> i32
        %pair6 = llvm.bitcast %pair_here6 : i32 to !pair
        rocdl.sched.barrier none
        %sums_of1_1_0 = vector.extract %acc_summed1_1[1] : !sums_of_one from !acc_of_one
        %sums_next1_1_0 = iree_codegen.inner_tiled
          ins(%value_part1_at0, %weight_part1_at0)
          outs(%sums_of1_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_2 = vector.insert %sums_next1_1_0, %acc_summed1_1[1]
          : !sums_of_one into !acc_of_one
        %two_scores7 = vector.extract_strided_slice %row_scores1_1
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits7 = math.fma %two_scores7, %two_units, %minus_maxs1 : !two
        %exps7 = llvm.call_intrinsic "llvm.exp2"(%two_logits7) : (!two) -> !two
        %even7 = vector.extract %exps7[0] : f32 from !two
        %odd7 = vector.extract %exps7[1] : f32 from !two
        %pair_any7 = rocdl.cvt.pkrtz %even7, %odd7 : !pair
        %pair_bits7 = llvm.bitcast %pair_any7 : !pair to i32
        %pair_here7 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits7 : (i32) -> i32
        %pair7 = llvm.bitcast %pair_here7 : i32 to !pair
        rocdl.sched.barrier none
        %sums_of1_2_0 = vector.extract %acc_summed1_2[2] : !sums_of_one from !acc_of_one
        %sums_next1_2_0 = iree_codegen.inner_tiled
          ins(%value_part2_at0, %weight_part1_at0)
          outs(%sums_of1_2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_3 = vector.insert %sums_next1_2_0, %acc_summed1_2[2]
          : !sums_of_one into !acc_of_one
        %step_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair0, %ones, %zero, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_3_0 = vector.extract %acc_summed1_3[3] : !sums_of_one from !acc_of_one
        %sums_next1_3_0 = iree_codegen.inner_tiled
          ins(%value_part3_at0, %weight_part1_at0)
          outs(%sums_of1_3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_4 = vector.insert %sums_next1_3_0, %acc_summed1_3[3]
          : !sums_of_one into !acc_of_one
        %step_sum1 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair1, %ones, %step_sum0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %step_sum2 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair2, %ones, %step_sum1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %no_pairs1_at1 = arith.constant dense<0.0> : !pairs_of_part
        %pairs1_at1_1 = vector.insert %pair6, %no_pairs1_at1[0]
          : !pair into !pairs_of_part
        %pairs1_at1 = vector.insert %pair7, %pairs1_at1_1[1]
          : !pair into !pairs_of_part
        %weight_part1_at1 = vector.shape_cast %pairs1_at1 : !pairs_of_part to !value_part
        %sums_of1_0_1 = vector.extract %acc_summed1_4[0] : !sums_of_one from !acc_of_one
        %sums_next1_0_1 = iree_codegen.inner_tiled
          ins(%value_part0_at1, %weight_part1_at1)
          outs(%sums_of1_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_5 = vector.insert %sums_next1_0_1, %acc_summed1_4[0]
          : !sums_of_one into !acc_of_one
        %weights_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair3, %ones, %step_sum2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_1_1 = vector.extract %acc_summed1_5[1] : !sums_of_one from !acc_of_one
        %sums_next1_1_1 = iree_codegen.inner_tiled
          ins(%value_part1_at1, %weight_part1_at1)
          outs(%sums_of1_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_6 = vector.insert %sums_next1_1_1, %acc_summed1_5[1]
          : !sums_of_one into !acc_of_one
        %step_sum4 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair4, %ones, %zero, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_2_1 = vector.extract %acc_summed1_6[2] : !sums_of_one from !acc_of_one
        %sums_next1_2_1 = iree_codegen.inner_tiled
          ins(%value_part2_at1, %weight_part1_at1)
          outs(%sums_of1_2_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_7 = vector.insert %sums_next1_2_1, %acc_summed1_6[2]
          : !sums_of_one into !acc_of_one
        %step_sum5 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair5, %ones, %step_sum4, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_3_1 = vector.extract %acc_summed1_7[3] : !sums_of_one from !acc_of_one
        %sums_next1_3_1 = iree_codegen.inner_tiled
          ins(%value_part3_at1, %weight_part1_at1)
          outs(%sums_of1_3_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1 = vector.insert %sums_next1_3_1, %acc_summed1_7[3]
          : !sums_of_one into !acc_of_one
        %step_sum6 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair6, %ones, %step_sum5, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %weights_sum1 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair7, %ones, %step_sum6, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %acc_next = vector.insert_strided_slice %acc_summed1, %acc_next_1
          offsets = [0, 0, 1, 0, 0], strides = [1, 1, 1, 1, 1] : !acc_of_one into !acc
        %sum_next0 = arith.addf %sum_brought0, %weights_sum0 : f32
        %sum_next1 = arith.addf %sum_brought1, %weights_sum1 : f32
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, f32, !acc, !keys, !values
      }
      %max0_2, %max1_2, %sum0_2, %sum1_2, %acc_2,
          %keys_2, %values_2 =
        scf.for %t0 = %full_end to %end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %max1 = %max1_1,
            %sum0 = %sum0_1,
            %sum1 = %sum1_1,
            %acc = %acc_1, %keys_here = %keys_1, %values_here = %values_1)
          -> (f32, f32, f32, f32, !acc, !keys, !values) {
        %t_placed = arith.addi %t0, %keys_of_step : index
        %t_next = arith.addi %t_placed, %keys_of_step : index
        %has_next = arith.cmpi slt, %t_next, %end : index
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next, %keys_next, %values_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, !acc, !keys, !values) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %no_value_pieces = arith.constant dense<0.0> : !value_pieces
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_piece0_0 =
          "vector.load"(%value_lds, %value_row0, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces0 = vector.insert
          %value_piece0_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys0 = vector.shape_cast %value_pieces0 : !value_pieces to !value_keys
        %value_row1 = affine.apply affine_map<(i) -> (i + 17)>(%index)
        %value_piece1_0 =
          "vector.load"(%value_lds, %value_row1, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces1 = vector.insert
          %value_piece1_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys1 = vector.shape_cast %value_pieces1 : !value_pieces to !value_keys
        %value_row2 = affine.apply affine_map<(i) -> (i + 34)>(%index)
        %value_piece2_0 =
          "vector.load"(%value_lds, %value_row2, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces2 = vector.insert
          %value_piece2_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys2 = vector.shape_cast %value_pieces2 : !value_pieces to !value_keys
        %value_row3 = affine.apply affine_map<(i) -> (i + 51)>(%index)
        %value_piece3_0 =
          "vector.load"(%value_lds, %value_row3, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces3 = vector.insert
          %value_piece3_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys3 = vector.shape_cast %value_pieces3 : !value_pieces to !value_keys
        rocdl.sched.barrier none
        %no_sums = arith.constant dense<0.0> : !sums_of_one
        %two_units = vector.broadcast %unit : f32 to !two
        %ones = arith.constant dense<1.0> : !pair
        %keeps = arith.constant false
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %key_row0_at0 = vector.extract %keys0_0[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at0 = vector.shape_cast %key_row0_at0
          : !key_row to !key_part
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !head_chunk to !key_operand
        %key_row1_at0 = vector.extract %keys1_0[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at0 = vector.shape_cast %key_row1_at0
          : !key_row to !key_part
        %query_row0_at0 = vector.extract %query0[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at0 = vector.shape_cast %query_row0_at0
          : !query_row to !query_part
        %query_row1_at0 = vector.extract %query0[1, 0, 0]
          : !query_row from !query_operand
        %query_part1_at0 = vector.shape_cast %query_row1_at0
          : !query_row to !query_part
        %key_row0_at1 = vector.extract %keys0_0[0, 1, 0]
          : !key_row from !key_operand
        %key_part0_at1 = vector.shape_cast %key_row0_at1
          : !key_row to !key_part
        %key_row1_at1 = vector.extract %keys1_0[0, 1, 0]
          : !key_row from !key_operand
        %key_part1_at1 = vector.shape_cast %key_row1_at1
          : !key_row to !key_part
        %query_row0_at1 = vector.extract %query0[0, 1, 0]
          : !query_row from !query_operand
        %query_part0_at1 = vector.shape_cast %query_row0_at1
          : !query_row to !query_part
        %query_row1_at1 = vector.extract %query0[1, 1, 0]
          : !query_row from !query_operand
        %query_part1_at1 = vector.shape_cast %query_row1_at1
          : !query_row to !query_part
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %key_row0_at2 = vector.extract %keys0_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at2 = vector.shape_cast %key_row0_at2
          : !key_row to !key_part
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !head_chunk to !key_operand
        %key_row1_at2 = vector.extract %keys1_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at2 = vector.shape_cast %key_row1_at2
          : !key_row to !key_part
        %query_row0_at2 = vector.extract %query1[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at2 = vector.shape_cast %query_row0_at2
          : !query_row to !query_part
        %query_row1_at2 = vector.extract %query1[1, 0, 0]
          : !query_row from !query_operand
        %query_part1_at2 = vector.shape_cast %query_row1_at2
          : !query_row to !query_part
        %key_row0_at3 = vector.extract %keys0_1[0, 1, 0]
          : !key_row from !key_operand
        %key_part0_at3 = vector.shape_cast %key_row0_at3
          : !key_row to !key_part
        %key_row1_at3 = vector.extract %keys1_1[0, 1, 0]
          : !key_row from !key_operand
        %key_part1_at3 = vector.shape_cast %key_row1_at3
          : !key_row to !key_part
        %query_row0_at3 = vector.extract %query1[0, 1, 0]
          : !query_row from !query_operand
        %query_part0_at3 = vector.shape_cast %query_row0_at3
          : !query_row to !query_part
        %query_row1_at3 = vector.extract %query1[1, 1, 0]
          : !query_row from !query_operand
        %query_part1_at3 = vector.shape_cast %query_row1_at3
          : !query_row to !query_part
        %scores_of0_0_0 = iree_codegen.inner_tiled
          ins(%key_part0_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        rocdl.sched.barrier none
        %scores_of0_1_0 = iree_codegen.inner_tiled
          ins(%key_part1_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %key_lds_column = affine.apply #key_column(%lane)
        %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %placed_end = affine.apply affine_map<(t) -> (t + 32)>(%t_placed)
        %is_cut = arith.cmpi sgt, %placed_end, %context_len : index
        %values_placed = scf.if %is_cut -> !values {
        %no_access = arith.constant dense<0.0> : !access
        %none_real = arith.constant dense<0.0> : !values
        %token0 = affine.apply #value_of_step0(%t_placed, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !access from !values
        %real0 = arith.select %is_token0, %given0, %no_access : !access
        %values_real = vector.insert %real0, %none_real[0] : !access into !values
          scf.yield %values_real : !values
        } else {
          scf.yield %values_here : !values
        }
        rocdl.sched.barrier none
        %scores_of0_0_1 = iree_codegen.inner_tiled
          ins(%key_part0_at1, %query_part0_at1)
          outs(%scores_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns0 = vector.extract_strided_slice %values_placed
          offsets = [0, 0], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned0 = vector.transpose %two_columns0, [1, 0] : !two_columns to !two_turned
        %turned_any0 = vector.extract %two_turned0[0] : !column from !two_turned
        %turned_bits0 = llvm.bitcast %turned_any0 : !column to i16
        %turned_here0 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits0
          : (i16) -> i16
        %turned0 = llvm.bitcast %turned_here0 : i16 to !column
        %turned_any1 = vector.extract %two_turned0[1] : !column from !two_turned
        %turned_bits1 = llvm.bitcast %turned_any1 : !column to i16
        %turned_here1 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits1
          : (i16) -> i16
        %turned1 = llvm.bitcast %turned_here1 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_1_1 = iree_codegen.inner_tiled
          ins(%key_part1_at1, %query_part0_at1)
          outs(%scores_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns2 = vector.extract_strided_slice %values_placed
          offsets = [0, 2], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned2 = vector.transpose %two_columns2, [1, 0] : !two_columns to !two_turned
        %turned_any2 = vector.extract %two_turned2[0] : !column from !two_turned
        %turned_bits2 = llvm.bitcast %turned_any2 : !column to i16
        %turned_here2 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits2
          : (i16) -> i16
        %turned2 = llvm.bitcast %turned_here2 : i16 to !column
        %turned_any3 = vector.extract %two_turned2[1] : !column from !two_turned
        %turned_bits3 = llvm.bitcast %turned_any3 : !column to i16
        %turned_here3 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits3
          : (i16) -> i16
        %turned3 = llvm.bitcast %turned_here3 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_0_2 = iree_codegen.inner_tiled
          ins(%key_part0_at2, %query_part0_at2)
          outs(%scores_of0_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns4 = vector.extract_strided_slice %values_placed
          offsets = [0, 4], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned4 = vector.transpose %two_columns4, [1, 0] : !two_columns to !two_turned
        %turned_any4 = vector.extract %two_turned4[0] : !column from !two_turned
        %turned_bits4 = llvm.bitcast %turned_any4 : !column to i16
        %turned_here4 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits4
          : (i16) -> i16
        %turned4 = llvm.bitcast %turned_here4 : i16 to !column
        %turned_any5 = vector.extract %two_turned4[1] : !column from !two_turned
        %turned_bits5 = llvm.bitcast %turned_any5 : !column to i16
        %turned_here5 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits5
          : (i16) -> i16
        %turned5 = llvm.bitcast %turned_here5 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_1_2 = iree_codegen.inner_tiled
          ins(%key_part1_at2, %query_part0_at2)
          outs(%scores_of0_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %two_columns6 = vector.extract_strided_slice %values_placed
          offsets = [0, 6], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned6 = vector.transpose %two_columns6, [1, 0] : !two_columns to !two_turned
        %turned_any6 = vector.extract %two_turned6[0] : !column from !two_turned
        %turned_bits6 = llvm.bitcast %turned_any6 : !column to i16
        %turned_here6 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits6
          : (i16) -> i16
        %turned6 = llvm.bitcast %turned_here6 : i16 to !column
        %turned_any7 = vector.extract %two_turned6[1] : !column from !two_turned
        %turned_bits7 = llvm.bitcast %turned_any7 : !column to i16
        %turned_here7 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits7
          : (i16) -> i16
        %turned7 = llvm.bitcast %turned_here7 : i16 to !column
        rocdl.sched.barrier none
        %scores_of0_0_3 = iree_codegen.inner_tiled
          ins(%key_part0_at3, %query_part0_at3)
          outs(%scores_of0_0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        "vector.store"(%turned0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        "vector.store"(%turned1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        "vector.store"(%turned2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        "vector.store"(%turned3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        "vector.store"(%turned4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        "vector.store"(%turned5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        "vector.store"(%turned6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        "vector.store"(%turned7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        rocdl.sched.barrier none
        %scores_of0_1_3 = iree_codegen.inner_tiled
          ins(%key_part1_at3, %query_part0_at3)
          outs(%scores_of0_1_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        %keys_next, %values_next = scf.if %has_next -> (!keys, !values) {
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_v0, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %keys_fetched = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %values_fetched = vector.insert %value_read0, %no_values[0] : !access into !values
          scf.yield %keys_fetched, %values_fetched : !keys, !values
        } else {
          scf.yield %keys_here, %values_here : !keys, !values
        }
        rocdl.sched.barrier none
        %row_scores_any0_0 = vector.shape_cast
          %scores_of0_0_3 : !sums_of_one to !row_scores
        %row_scores_any0_1 = vector.shape_cast
          %scores_of0_1_3 : !sums_of_one to !row_scores
        %scores_of1_0_0 = iree_codegen.inner_tiled
          ins(%key_part0_at0, %query_part1_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_1_0 = iree_codegen.inner_tiled
          ins(%key_part1_at0, %query_part1_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_0_1 = iree_codegen.inner_tiled
          ins(%key_part0_at1, %query_part1_at1)
          outs(%scores_of1_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_1_1 = iree_codegen.inner_tiled
          ins(%key_part1_at1, %query_part1_at1)
          outs(%scores_of1_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_0_2 = iree_codegen.inner_tiled
          ins(%key_part0_at2, %query_part1_at2)
          outs(%scores_of1_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_1_2 = iree_codegen.inner_tiled
          ins(%key_part1_at2, %query_part1_at2)
          outs(%scores_of1_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_0_3 = iree_codegen.inner_tiled
          ins(%key_part0_at3, %query_part1_at3)
          outs(%scores_of1_0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of1_1_3 = iree_codegen.inner_tiled
          ins(%key_part1_at3, %query_part1_at3)
          outs(%scores_of1_1_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %row_scores_any1_0 = vector.shape_cast
          %scores_of1_0_3 : !sums_of_one to !row_scores
        %row_scores_any1_1 = vector.shape_cast
          %scores_of1_1_3 : !sums_of_one to !row_scores
        %no_sums0 = arith.constant dense<0.0> : !sums
        %score_sums0_2_1 = vector.insert %row_scores_any0_0, %no_sums0[0, 0, 0]
          : !row_scores into !sums
        %score_sums0_2 = vector.insert %row_scores_any1_0, %score_sums0_2_1[0, 1, 0]
          : !row_scores into !sums
        %no_sums1 = arith.constant dense<0.0> : !sums
        %score_sums1_2_1 = vector.insert %row_scores_any0_1, %no_sums1[0, 0, 0]
          : !row_scores into !sums
        %score_sums1_2 = vector.insert %row_scores_any1_1, %score_sums1_2_1[0, 1, 0]
          : !row_scores into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !sums to !score_tile
        %scores = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3], [0, 1, 2, 3]], [[4, 5, 6, 7], [4, 5, 6, 7]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %last_rows = vector.from_elements %last_i32_0, %last_i32_1 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !is_seen, !scores
        %row_scores0_0 = vector.extract %scores_ruled[0, 0]
          : !row_scores from !scores
        %row_scores0_1 = vector.extract %scores_ruled[1, 0]
          : !row_scores from !scores
        %row_scores1_0 = vector.extract %scores_ruled[0, 1]
          : !row_scores from !scores
        %row_scores1_1 = vector.extract %scores_ruled[1, 1]
          : !row_scores from !scores
        %top0_0 = vector.shape_cast %row_scores0_0 : !row_scores to !row_scores
        %top0_1 = arith.maxnumf %top0_0, %row_scores0_1
          fastmath<nnan> : !row_scores
        %of_key0_0 = vector.extract %top0_1[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_1[1] : f32 from !row_scores
        %best_to0_0_1 = arith.maxnumf %of_key0_0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_1[2] : f32 from !row_scores
        %best_to0_0_2 = arith.maxnumf %best_to0_0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_1[3] : f32 from !row_scores
        %best_to0_0 = arith.maxnumf %best_to0_0_2, %of_key0_3 fastmath<nnan> : f32
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %best_to0_0, %distance1, %wave_size : f32
        %best_to0_1 = arith.maxnumf %best_to0_0, %best_there0_1 fastmath<nnan> : f32
        %best_there0_2, %best_is_there0_2 =
          gpu.shuffle xor %best_to0_1, %distance2, %wave_size : f32
        %best0 = arith.maxnumf %best_to0_1, %best_there0_2 fastmath<nnan> : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %max_next0 = arith.select %grows0, %best_logit0, %max0 : f32
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_maxs0 = vector.broadcast %minus_max0 : f32 to !two
        %two_scores0 = vector.extract_strided_slice %row_scores0_0
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits0 = math.fma %two_scores0, %two_units, %minus_maxs0 : !two
        %exps0 = llvm.call_intrinsic "llvm.exp2"(%two_logits0) : (!two) -> !two
        %even0 = vector.extract %exps0[0] : f32 from !two
        %odd0 = vector.extract %exps0[1] : f32 from !two
        %pair_any0 = rocdl.cvt.pkrtz %even0, %odd0 : !pair
        %pair_bits0 = llvm.bitcast %pair_any0 : !pair to i32
        %pair_here0 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits0 : (i32) -> i32
        %pair0 = llvm.bitcast %pair_here0 : i32 to !pair
        %two_scores1 = vector.extract_strided_slice %row_scores0_0
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits1 = math.fma %two_scores1, %two_units, %minus_maxs0 : !two
        %exps1 = llvm.call_intrinsic "llvm.exp2"(%two_logits1) : (!two) -> !two
        %even1 = vector.extract %exps1[0] : f32 from !two
        %odd1 = vector.extract %exps1[1] : f32 from !two
        %pair_any1 = rocdl.cvt.pkrtz %even1, %odd1 : !pair
        %pair_bits1 = llvm.bitcast %pair_any1 : !pair to i32
        %pair_here1 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits1 : (i32) -> i32
        %pair1 = llvm.bitcast %pair_here1 : i32 to !pair
        rocdl.sched.barrier none
        %values0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %value_row0_at0 = vector.extract %values0[0, 0, 0]
          : !value_row from !value_operand
        %value_part0_at0 = vector.shape_cast %value_row0_at0
          : !value_row to !value_part
        %value_row0_at1 = vector.extract %values0[0, 1, 0]
          : !value_row from !value_operand
        %value_part0_at1 = vector.shape_cast %value_row0_at1
          : !value_row to !value_part
        %values1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %value_row1_at0 = vector.extract %values1[0, 0, 0]
          : !value_row from !value_operand
        %value_part1_at0 = vector.shape_cast %value_row1_at0
          : !value_row to !value_part
        %value_row1_at1 = vector.extract %values1[0, 1, 0]
          : !value_row from !value_operand
        %value_part1_at1 = vector.shape_cast %value_row1_at1
          : !value_row to !value_part
        %values2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %value_row2_at0 = vector.extract %values2[0, 0, 0]
          : !value_row from !value_operand
        %value_part2_at0 = vector.shape_cast %value_row2_at0
          : !value_row to !value_part
        %value_row2_at1 = vector.extract %values2[0, 1, 0]
          : !value_row from !value_operand
        %value_part2_at1 = vector.shape_cast %value_row2_at1
          : !value_row to !value_part
        %values3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %value_row3_at0 = vector.extract %values3[0, 0, 0]
          : !value_row from !value_operand
        %value_part3_at0 = vector.shape_cast %value_row3_at0
          : !value_row to !value_part
        %value_row3_at1 = vector.extract %values3[0, 1, 0]
          : !value_row from !value_operand
        %value_part3_at1 = vector.shape_cast %value_row3_at1
          : !value_row to !value_part
        %acc_of0 = vector.extract_strided_slice %acc
          offsets = [0, 0, 0], sizes = [4, 1, 1], strides = [1, 1, 1] : !acc to !acc_of_one
        %sum_brought0, %acc_brought0 = scf.if %grows0 -> (f32, !acc_of_one) {
          %below0 = arith.subf %max0, %max_next0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %factors0 = vector.broadcast %factor0 : f32 to !acc_of_one
          %acc_less0 = arith.mulf %acc_of0, %factors0 : !acc_of_one
          scf.yield %sum_less0, %acc_less0 : f32, !acc_of_one
        } else {
          scf.yield %sum0, %acc_of0 : f32, !acc_of_one
        }
        %no_pairs0_at0 = arith.constant dense<0.0> : !pairs_of_part
        %pairs0_at0_1 = vector.insert %pair0, %no_pairs0_at0[0]
          : !pair into !pairs_of_part
        %pairs0_at0 = vector.insert %pair1, %pairs0_at0_1[1]
          : !pair into !pairs_of_part
        %weight_part0_at0 = vector.shape_cast %pairs0_at0 : !pairs_of_part to !value_part
        %sums_of0_0_0 = vector.extract %acc_brought0[0] : !sums_of_one from !acc_of_one
        %sums_next0_0_0 = iree_codegen.inner_tiled
          ins(%value_part0_at0, %weight_part0_at0)
          outs(%sums_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_1 = vector.insert %sums_next0_0_0, %acc_brought0[0]
          : !sums_of_one into !acc_of_one
        %two_scores2 = vector.extract_strided_slice %row_scores0_1
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits2 = math.fma %two_scores2, %two_units, %minus_maxs0 : !two
        %exps2 = llvm.call_intrinsic "llvm.exp2"(%two_logits2) : (!two) -> !two
        %even2 = vector.extract %exps2[0] : f32 from !two
        %odd2 = vector.extract %exps2[1] : f32 from !two
        %pair_any2 = rocdl.cvt.pkrtz %even2, %odd2 : !pair
        %pair_bits2 = llvm.bitcast %pair_any2 : !pair to i32
        %pair_here2 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits2 : (i32) -> i32
        %pair2 = llvm.bitcast %pair_here2 : i32 to !pair
        rocdl.sched.barrier none
        %sums_of0_1_0 = vector.extract %acc_summed0_1[1] : !sums_of_one from !acc_of_one
        %sums_next0_1_0 = iree_codegen.inner_tiled
          ins(%value_part1_at0, %weight_part0_at0)
          outs(%sums_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_2 = vector.insert %sums_next0_1_0, %acc_summed0_1[1]
          : !sums_of_one into !acc_of_one
        %two_scores3 = vector.extract_strided_slice %row_scores0_1
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits3 = math.fma %two_scores3, %two_units, %minus_maxs0 : !two
        %exps3 = llvm.call_intrinsic "llvm.exp2"(%two_logits3) : (!two) -> !two
        %even3 = vector.extract %exps3[0] : f32 from !two
        %odd3 = vector.extract %exps3[1] : f32 from !two
        %pair_any3 = rocdl.cvt.pkrtz %even3, %odd3 : !pair
        %pair_bits3 = llvm.bitcast %pair_any3 : !pair to i32
        %pair_here3 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits3 : (i32) -> i32
        %pair3 = llvm.bitcast %pair_here3 : i32 to !pair
        %top1_0 = vector.shape_cast %row_scores1_0 : !row_scores to !row_scores
        %top1_1 = arith.maxnumf %top1_0, %row_scores1_1
          fastmath<nnan> : !row_scores
        %of_key1_0 = vector.extract %top1_1[0] : f32 from !row_scores
        %of_key1_1 = vector.extract %top1_1[1] : f32 from !row_scores
        %best_to1_0_1 = arith.maxnumf %of_key1_0, %of_key1_1 fastmath<nnan> : f32
        %of_key1_2 = vector.extract %top1_1[2] : f32 from !row_scores
        %best_to1_0_2 = arith.maxnumf %best_to1_0_1, %of_key1_2 fastmath<nnan> : f32
        %of_key1_3 = vector.extract %top1_1[3] : f32 from !row_scores
        %best_to1_0 = arith.maxnumf %best_to1_0_2, %of_key1_3 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %sums_of0_2_0 = vector.extract %acc_summed0_2[2] : !sums_of_one from !acc_of_one
        %sums_next0_2_0 = iree_codegen.inner_tiled
          ins(%value_part2_at0, %weight_part0_at0)
          outs(%sums_of0_2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_3 = vector.insert %sums_next0_2_0, %acc_summed0_2[2]
          : !sums_of_one into !acc_of_one
        %best_there1_1, %best_is_there1_1 =
          gpu.shuffle xor %best_to1_0, %distance1, %wave_size : f32
        rocdl.sched.barrier none
        %sums_of0_3_0 = vector.extract %acc_summed0_3[3] : !sums_of_one from !acc_of_one
        %sums_next0_3_0 = iree_codegen.inner_tiled
          ins(%value_part3_at0, %weight_part0_at0)
          outs(%sums_of0_3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_4 = vector.insert %sums_next0_3_0, %acc_summed0_3[3]
          : !sums_of_one into !acc_of_one
        %best_to1_1 = arith.maxnumf %best_to1_0, %best_there1_1 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %no_pairs0_at1 = arith.constant dense<0.0> : !pairs_of_part
        %pairs0_at1_1 = vector.insert %pair2, %no_pairs0_at1[0]
          : !pair into !pairs_of_part
        %pairs0_at1 = vector.insert %pair3, %pairs0_at1_1[1]
          : !pair into !pairs_of_part
        %weight_part0_at1 = vector.shape_cast %pairs0_at1 : !pairs_of_part to !value_part
        %sums_of0_0_1 = vector.extract %acc_summed0_4[0] : !sums_of_one from !acc_of_one
        %sums_next0_0_1 = iree_codegen.inner_tiled
          ins(%value_part0_at1, %weight_part0_at1)
          outs(%sums_of0_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_5 = vector.insert %sums_next0_0_1, %acc_summed0_4[0]
          : !sums_of_one into !acc_of_one
        %best_there1_2, %best_is_there1_2 =
          gpu.shuffle xor %best_to1_1, %distance2, %wave_size : f32
        rocdl.sched.barrier none
        %sums_of0_1_1 = vector.extract %acc_summed0_5[1] : !sums_of_one from !acc_of_one
        %sums_next0_1_1 = iree_codegen.inner_tiled
          ins(%value_part1_at1, %weight_part0_at1)
          outs(%sums_of0_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_6 = vector.insert %sums_next0_1_1, %acc_summed0_5[1]
          : !sums_of_one into !acc_of_one
        %best1 = arith.maxnumf %best_to1_1, %best_there1_2 fastmath<nnan> : f32
        rocdl.sched.barrier none
        %sums_of0_2_1 = vector.extract %acc_summed0_6[2] : !sums_of_one from !acc_of_one
        %sums_next0_2_1 = iree_codegen.inner_tiled
          ins(%value_part2_at1, %weight_part0_at1)
          outs(%sums_of0_2_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_7 = vector.insert %sums_next0_2_1, %acc_summed0_6[2]
          : !sums_of_one into !acc_of_one
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        %max_next1 = arith.select %grows1, %best_logit1, %max1 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs1 = vector.broadcast %minus_max1 : f32 to !two
        rocdl.sched.barrier none
        %sums_of0_3_1 = vector.extract %acc_summed0_7[3] : !sums_of_one from !acc_of_one
        %sums_next0_3_1 = iree_codegen.inner_tiled
          ins(%value_part3_at1, %weight_part0_at1)
          outs(%sums_of0_3_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0 = vector.insert %sums_next0_3_1, %acc_summed0_7[3]
          : !sums_of_one into !acc_of_one
        %two_scores4 = vector.extract_strided_slice %row_scores1_0
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits4 = math.fma %two_scores4, %two_units, %minus_maxs1 : !two
        %exps4 = llvm.call_intrinsic "llvm.exp2"(%two_logits4) : (!two) -> !two
        %even4 = vector.extract %exps4[0] : f32 from !two
        %odd4 = vector.extract %exps4[1] : f32 from !two
        %pair_any4 = rocdl.cvt.pkrtz %even4, %odd4 : !pair
        %pair_bits4 = llvm.bitcast %pair_any4 : !pair to i32
        %pair_here4 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits4 : (i32) -> i32
        %pair4 = llvm.bitcast %pair_here4 : i32 to !pair
        %two_scores5 = vector.extract_strided_slice %row_scores1_0
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits5 = math.fma %two_scores5, %two_units, %minus_maxs1 : !two
        %exps5 = llvm.call_intrinsic "llvm.exp2"(%two_logits5) : (!two) -> !two
        %even5 = vector.extract %exps5[0] : f32 from !two
        %odd5 = vector.extract %exps5[1] : f32 from !two
        %pair_any5 = rocdl.cvt.pkrtz %even5, %odd5 : !pair
        %pair_bits5 = llvm.bitcast %pair_any5 : !pair to i32
        %pair_here5 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits5 : (i32) -> i32
        %pair5 = llvm.bitcast %pair_here5 : i32 to !pair
        rocdl.sched.barrier none
        %acc_next_1 = vector.insert_strided_slice %acc_summed0, %acc
          offsets = [0, 0, 0, 0, 0], strides = [1, 1, 1, 1, 1] : !acc_of_one into !acc
        %acc_of1 = vector.extract_strided_slice %acc
          offsets = [0, 0, 1], sizes = [4, 1, 1], strides = [1, 1, 1] : !acc to !acc_of_one
        %sum_brought1, %acc_brought1 = scf.if %grows1 -> (f32, !acc_of_one) {
          %below1 = arith.subf %max1, %max_next1 : f32
          %factor1 = llvm.call_intrinsic "llvm.exp2"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors1 = vector.broadcast %factor1 : f32 to !acc_of_one
          %acc_less1 = arith.mulf %acc_of1, %factors1 : !acc_of_one
          scf.yield %sum_less1, %acc_less1 : f32, !acc_of_one
        } else {
          scf.yield %sum1, %acc_of1 : f32, !acc_of_one
        }
        %no_pairs1_at0 = arith.constant dense<0.0> : !pairs_of_part
        %pairs1_at0_1 = vector.insert %pair4, %no_pairs1_at0[0]
          : !pair into !pairs_of_part
        %pairs1_at0 = vector.insert %pair5, %pairs1_at0_1[1]
          : !pair into !pairs_of_part
        %weight_part1_at0 = vector.shape_cast %pairs1_at0 : !pairs_of_part to !value_part
        %sums_of1_0_0 = vector.extract %acc_brought1[0] : !sums_of_one from !acc_of_one
        %sums_next1_0_0 = iree_codegen.inner_tiled
          ins(%value_part0_at0, %weight_part1_at0)
          outs(%sums_of1_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_1 = vector.insert %sums_next1_0_0, %acc_brought1[0]
          : !sums_of_one into !acc_of_one
        %two_scores6 = vector.extract_strided_slice %row_scores1_1
          offsets = [0], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits6 = math.fma %two_scores6, %two_units, %minus_maxs1 : !two
        %exps6 = llvm.call_intrinsic "llvm.exp2"(%two_logits6) : (!two) -> !two
        %even6 = vector.extract %exps6[0] : f32 from !two
        %odd6 = vector.extract %exps6[1] : f32 from !two
        %pair_any6 = rocdl.cvt.pkrtz %even6, %odd6 : !pair
        %pair_bits6 = llvm.bitcast %pair_any6 : !pair to i32
        %pair_here6 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits6 : (i32) -> i32
        %pair6 = llvm.bitcast %pair_here6 : i32 to !pair
        rocdl.sched.barrier none
        %sums_of1_1_0 = vector.extract %acc_summed1_1[1] : !sums_of_one from !acc_of_one
        %sums_next1_1_0 = iree_codegen.inner_tiled
          ins(%value_part1_at0, %weight_part1_at0)
          outs(%sums_of1_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_2 = vector.insert %sums_next1_1_0, %acc_summed1_1[1]
          : !sums_of_one into !acc_of_one
        %two_scores7 = vector.extract_strided_slice %row_scores1_1
          offsets = [2], sizes = [2], strides = [1] : !row_scores to !two
        %two_logits7 = math.fma %two_scores7, %two_units, %minus_maxs1 : !two
        %exps7 = llvm.call_intrinsic "llvm.exp2"(%two_logits7) : (!two) -> !two
        %even7 = vector.extract %exps7[0] : f32 from !two
        %odd7 = vector.extract %exps7[1] : f32 from !two
        %pair_any7 = rocdl.cvt.pkrtz %even7, %odd7 : !pair
        %pair_bits7 = llvm.bitcast %pair_any7 : !pair to i32
        %pair_here7 = llvm.inline_asm has_side_effects "", "=v,0" %pair_bits7 : (i32) -> i32
        %pair7 = llvm.bitcast %pair_here7 : i32 to !pair
        rocdl.sched.barrier none
        %sums_of1_2_0 = vector.extract %acc_summed1_2[2] : !sums_of_one from !acc_of_one
        %sums_next1_2_0 = iree_codegen.inner_tiled
          ins(%value_part2_at0, %weight_part1_at0)
          outs(%sums_of1_2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_3 = vector.insert %sums_next1_2_0, %acc_summed1_2[2]
          : !sums_of_one into !acc_of_one
        %step_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair0, %ones, %zero, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_3_0 = vector.extract %acc_summed1_3[3] : !sums_of_one from !acc_of_one
        %sums_next1_3_0 = iree_codegen.inner_tiled
          ins(%value_part3_at0, %weight_part1_at0)
          outs(%sums_of1_3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_4 = vector.insert %sums_next1_3_0, %acc_summed1_3[3]
          : !sums_of_one into !acc_of_one
        %step_sum1 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair1, %ones, %step_sum0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %step_sum2 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair2, %ones, %step_sum1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %no_pairs1_at1 = arith.constant dense<0.0> : !pairs_of_part
        %pairs1_at1_1 = vector.insert %pair6, %no_pairs1_at1[0]
          : !pair into !pairs_of_part
        %pairs1_at1 = vector.insert %pair7, %pairs1_at1_1[1]
          : !pair into !pairs_of_part
        %weight_part1_at1 = vector.shape_cast %pairs1_at1 : !pairs_of_part to !value_part
        %sums_of1_0_1 = vector.extract %acc_summed1_4[0] : !sums_of_one from !acc_of_one
        %sums_next1_0_1 = iree_codegen.inner_tiled
          ins(%value_part0_at1, %weight_part1_at1)
          outs(%sums_of1_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_5 = vector.insert %sums_next1_0_1, %acc_summed1_4[0]
          : !sums_of_one into !acc_of_one
        %weights_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair3, %ones, %step_sum2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_1_1 = vector.extract %acc_summed1_5[1] : !sums_of_one from !acc_of_one
        %sums_next1_1_1 = iree_codegen.inner_tiled
          ins(%value_part1_at1, %weight_part1_at1)
          outs(%sums_of1_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_6 = vector.insert %sums_next1_1_1, %acc_summed1_5[1]
          : !sums_of_one into !acc_of_one
        %step_sum4 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair4, %ones, %zero, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_2_1 = vector.extract %acc_summed1_6[2] : !sums_of_one from !acc_of_one
        %sums_next1_2_1 = iree_codegen.inner_tiled
          ins(%value_part2_at1, %weight_part1_at1)
          outs(%sums_of1_2_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1_7 = vector.insert %sums_next1_2_1, %acc_summed1_6[2]
          : !sums_of_one into !acc_of_one
        %step_sum5 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair5, %ones, %step_sum4, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of1_3_1 = vector.extract %acc_summed1_7[3] : !sums_of_one from !acc_of_one
        %sums_next1_3_1 = iree_codegen.inner_tiled
          ins(%value_part3_at1, %weight_part1_at1)
          outs(%sums_of1_3_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed1 = vector.insert %sums_next1_3_1, %acc_summed1_7[3]
          : !sums_of_one into !acc_of_one
        %step_sum6 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair6, %ones, %step_sum5, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %weights_sum1 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair7, %ones, %step_sum6, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %acc_next = vector.insert_strided_slice %acc_summed1, %acc_next_1
          offsets = [0, 0, 1, 0, 0], strides = [1, 1, 1, 1, 1] : !acc_of_one into !acc
        %sum_next0 = arith.addf %sum_brought0, %weights_sum0 : f32
        %sum_next1 = arith.addf %sum_brought1, %weights_sum1 : f32
          scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next, %keys_next, %values_next
            : f32, f32, f32, f32, !acc, !keys, !values
        } else {
          llvm.inline_asm has_side_effects "", "" : () -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply #key_column(%lane)
        %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %placed_end = affine.apply affine_map<(t) -> (t + 32)>(%t_placed)
        %is_cut = arith.cmpi sgt, %placed_end, %context_len : index
        %values_placed = scf.if %is_cut -> !values {
        %no_access = arith.constant dense<0.0> : !access
        %none_real = arith.constant dense<0.0> : !values
        %token0 = affine.apply #value_of_step0(%t_placed, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !access from !values
        %real0 = arith.select %is_token0, %given0, %no_access : !access
        %values_real = vector.insert %real0, %none_real[0] : !access into !values
          scf.yield %values_real : !values
        } else {
          scf.yield %values_here : !values
        }
        %two_columns0 = vector.extract_strided_slice %values_placed
          offsets = [0, 0], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned0 = vector.transpose %two_columns0, [1, 0] : !two_columns to !two_turned
        %turned_any0 = vector.extract %two_turned0[0] : !column from !two_turned
        %turned_bits0 = llvm.bitcast %turned_any0 : !column to i16
        %turned_here0 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits0
          : (i16) -> i16
        %turned0 = llvm.bitcast %turned_here0 : i16 to !column
        %turned_any1 = vector.extract %two_turned0[1] : !column from !two_turned
        %turned_bits1 = llvm.bitcast %turned_any1 : !column to i16
        %turned_here1 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits1
          : (i16) -> i16
        %turned1 = llvm.bitcast %turned_here1 : i16 to !column
        %two_columns2 = vector.extract_strided_slice %values_placed
          offsets = [0, 2], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned2 = vector.transpose %two_columns2, [1, 0] : !two_columns to !two_turned
        %turned_any2 = vector.extract %two_turned2[0] : !column from !two_turned
        %turned_bits2 = llvm.bitcast %turned_any2 : !column to i16
        %turned_here2 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits2
          : (i16) -> i16
        %turned2 = llvm.bitcast %turned_here2 : i16 to !column
        %turned_any3 = vector.extract %two_turned2[1] : !column from !two_turned
        %turned_bits3 = llvm.bitcast %turned_any3 : !column to i16
        %turned_here3 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits3
          : (i16) -> i16
        %turned3 = llvm.bitcast %turned_here3 : i16 to !column
        %two_columns4 = vector.extract_strided_slice %values_placed
          offsets = [0, 4], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned4 = vector.transpose %two_columns4, [1, 0] : !two_columns to !two_turned
        %turned_any4 = vector.extract %two_turned4[0] : !column from !two_turned
        %turned_bits4 = llvm.bitcast %turned_any4 : !column to i16
        %turned_here4 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits4
          : (i16) -> i16
        %turned4 = llvm.bitcast %turned_here4 : i16 to !column
        %turned_any5 = vector.extract %two_turned4[1] : !column from !two_turned
        %turned_bits5 = llvm.bitcast %turned_any5 : !column to i16
        %turned_here5 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits5
          : (i16) -> i16
        %turned5 = llvm.bitcast %turned_here5 : i16 to !column
        %two_columns6 = vector.extract_strided_slice %values_placed
          offsets = [0, 6], sizes = [1, 2], strides = [1, 1] : !values to !two_columns
        %two_turned6 = vector.transpose %two_columns6, [1, 0] : !two_columns to !two_turned
        %turned_any6 = vector.extract %two_turned6[0] : !column from !two_turned
        %turned_bits6 = llvm.bitcast %turned_any6 : !column to i16
        %turned_here6 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits6
          : (i16) -> i16
        %turned6 = llvm.bitcast %turned_here6 : i16 to !column
        %turned_any7 = vector.extract %two_turned6[1] : !column from !two_turned
        %turned_bits7 = llvm.bitcast %turned_any7 : !column to i16
        %turned_here7 = llvm.inline_asm has_side_effects "", "=v,0" %turned_bits7
          : (i16) -> i16
        %turned7 = llvm.bitcast %turned_here7 : i16 to !column
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        "vector.store"(%turned0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        "vector.store"(%turned1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        "vector.store"(%turned2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        "vector.store"(%turned3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        "vector.store"(%turned4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        "vector.store"(%turned5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        "vector.store"(%turned6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        "vector.store"(%turned7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 2 : i64}> : (!column, !value_lds, index, index) -> ()
        %keys_next, %values_next = scf.if %has_next -> (!keys, !values) {
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 8 + h)>(%first_key_token, %key_v0, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %keys_fetched = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<32768x64xf16>, !access
        %values_fetched = vector.insert %value_read0, %no_values[0] : !access into !values
          scf.yield %keys_fetched, %values_fetched : !keys, !values
        } else {
          scf.yield %keys_here, %values_here : !keys, !values
        }
          scf.yield %max0, %max1, %sum0, %sum1, %acc, %keys_next, %values_next
            : f32, f32, f32, f32, !acc, !keys, !values
        }
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, f32, !acc, !keys, !values
      }
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %acc_2 : !acc to !acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !acc_by_column to !acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %no_rows = arith.constant dense<0.0> : !rows_f32
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0_1 = arith.addf %sum0_2, %total_there0_1 : f32
        %total_there0_2, %total_is_there0_2 =
          gpu.shuffle xor %total0_1, %distance2, %wave_size : f32
        %total0 = arith.addf %total0_1, %total_there0_2 : f32
      %sum_row0 = arith.addf %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %inverse0 = arith.divf %one_f32, %sum_row0 : f32
      %inverses0 = vector.broadcast %inverse0 : f32 to !acc_row
      %sums_of_row0 = vector.extract %acc_by_row[0] : !acc_row from !acc_by_row
      %means_any0 = arith.mulf %sums_of_row0, %inverses0 : !acc_row
      %no_means0 = arith.constant dense<0.0> : !acc_row
      %means0 = arith.select %is_empty0, %no_means0, %means_any0 : !acc_row
      %means_flat0 = vector.shape_cast %means0 : !acc_row to !output_f32
      %output_f32_1 = vector.insert %means_flat0, %no_rows[0] : !output_f32 into !rows_f32
        %total_there1_1, %total_is_there1_1 =
          gpu.shuffle xor %sum1_2, %distance1, %wave_size : f32
        %total1_1 = arith.addf %sum1_2, %total_there1_1 : f32
        %total_there1_2, %total_is_there1_2 =
          gpu.shuffle xor %total1_1, %distance2, %wave_size : f32
        %total1 = arith.addf %total1_1, %total_there1_2 : f32
      %sum_row1 = arith.addf %total1, %zero : f32
      %is_empty1 = arith.cmpf oeq, %sum_row1, %zero : f32
      %inverse1 = arith.divf %one_f32, %sum_row1 : f32
      %inverses1 = vector.broadcast %inverse1 : f32 to !acc_row
      %sums_of_row1 = vector.extract %acc_by_row[1] : !acc_row from !acc_by_row
      %means_any1 = arith.mulf %sums_of_row1, %inverses1 : !acc_row
      %no_means1 = arith.constant dense<0.0> : !acc_row
      %means1 = arith.select %is_empty1, %no_means1, %means_any1 : !acc_row
      %means_flat1 = vector.shape_cast %means1 : !acc_row to !output_f32
      %output_f32 = vector.insert %means_flat1, %output_f32_1[1] : !output_f32 into !rows_f32
      %output = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [%own_rows, 16]
        [1, 1] : tensor<?x64xf16> to tensor<?x16xf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [false, true]}
          : !output_rows, tensor<?x16xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : tensor<?x16xf16> into tensor<?x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<4096x4096xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [4096, 4096], strides = [1, 1]
      : tensor<4096x4096xf16> -> !output_rows_out
    return
  }
  }
}
func.func @packed_attention(%query: !query, %key: !key, %value: !value, %cu_seqlens_q: !cu_seqlens_q, %cu_seqlens_k: !cu_seqlens_k) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<4096x64x64xf16> into tensor<262144x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1], [2]]
    : tensor<4096x8x64xf16> into tensor<32768x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1], [2]]
    : tensor<4096x8x64xf16> into tensor<32768x64xf16>
  %made = flow.dispatch @packed_attention_kernel::@packed_attention_kernel(
      %query_rows, %key_rows, %value_rows, %cu_seqlens_q, %cu_seqlens_k
    ) : (
      tensor<262144x64xf16>,
      tensor<32768x64xf16>,
      tensor<32768x64xf16>,
      tensor<4xi32>,
      tensor<4xi32>
    ) -> tensor<4096x4096xf16>
  %output = tensor.expand_shape %made [[0], [1, 2]]
    output_shape [4096, 64, 64] : tensor<4096x4096xf16> into tensor<4096x64x64xf16>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @packed_attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %cu_seqlens_q: !cu_seqlens_q,
    %cu_seqlens_k: !cu_seqlens_k
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @packed_attention(%query, %key, %value, %cu_seqlens_q, %cu_seqlens_k)
    : (!query, !key, !value, !cu_seqlens_q, !cu_seqlens_k) -> (!output)
  util.return %output : !output
}
