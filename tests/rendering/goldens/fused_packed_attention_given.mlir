// Attention as one kernel of lanes.
!query = tensor<77x8x64xf16>
!key = tensor<128x2x64xf16>
!value = tensor<128x2x64xf16>
!cu_seqlens_q = tensor<4xi32>
!cu_seqlens_k = tensor<4xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<8x77x128xf16>
!keep_mask = tensor<1x77x1xi1>
!sinks = tensor<8xf32>
!output = tensor<77x8x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<616x64xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf16>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!cu_seqlens_k_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!alibi_slopes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!bias_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<78848xf16>>
!keep_mask_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<77xi8>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<77x512xf16>>
!head_chunk = vector<64xf16>
!query_columns = vector<4x1x16xf16>
!queries = vector<1x1x4x1x16xf16>
!queries_turned = vector<1x4x1x1x16xf16>
!query_operand = vector<1x4x1x16xf16>
!key_operand = vector<1x4x1x16xf16>
!value_keys = vector<32xf16>
!value_operand = vector<1x2x1x16xf16>
!weight_parts = vector<1x1x2x1x16xf16>
!weight_parts_turned = vector<1x2x1x1x16xf16>
!weights_operand = vector<1x2x1x16xf16>
!row_scores = vector<8xf32>
!bias_piece = vector<8xf16>
!bias_scores = vector<2x1x8xf16>
!keep_mask_rows = vector<1x1xi8>
!keep_mask_scores = vector<2x1x8xi8>
!score_tile = vector<1x8xf32>
!scores = vector<2x1x8xf32>
!scores_flat = vector<16xf32>
!score_bits = vector<2x1x8xi32>
!is_seen = vector<2x1x8xi1>
!weight_bits = vector<2x1x8xi16>
!weights_by_key = vector<2x1x8xf16>
!weights_own = vector<1x2x8xf16>
!weights_flat = vector<16xf16>
!pair = vector<2xf16>
!pairs = vector<8x2xf16>
!pair_bits = vector<8xi32>
!all_bits = vector<16xi32>
!all_weights = vector<32xf16>
!sums = vector<1x1x1x8xf32>
!sum_factors = vector<1x1x1x1xf32>
!acc = vector<4x1x1x1x8xf32>
!acc_by_column = vector<4x1x8xf32>
!acc_by_row = vector<1x4x8xf32>
!acc_row = vector<4x8xf32>
!rows = vector<1x1xf32>
!row_bits = vector<1x1xi32>
!output_f32 = vector<32xf32>
!rows_f32 = vector<1x32xf32>
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
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!output_rows = vector<1x32xf16>
!lse_rows = vector<1xf32>
!access = vector<8xf16>
!keys = vector<2x8xf16>
!values = vector<2x8xf16>
!column = vector<2xf16>
!value_piece = vector<32xf16>
!value_pieces = vector<1x32xf16>
!columns = vector<8x2xf16>
!key_lds = memref<32x72xf16, #gpu.address_space<workgroup>>
!value_lds =
  memref<64x40xf16, #gpu.address_space<workgroup>>
// What lane l fetches of the step that begins at key t: keys, and neighbouring keys' values, all from one
// column on.
#key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 0)>
#key_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 16)>
#key_column = affine_map<(l) -> (l mod 8 * 8)>
#value_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 16 * 2 + 0)>
#value_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 16 * 2 + 1)>
// The LDS column of the lane's first key of a step's: pieces of keys, of one group after the other.
#value_lds_column = affine_map<(l) -> (l floordiv 1 mod 16 * 2)>
#value_column = affine_map<(l)
  -> ((l floordiv 16 * 1 + l mod 1)
      * 8)>
// The LDS row of key, or value column, n: neighbours are a lane's own of one tile, then those of other groups
// or tiles, so that lanes read one row after the other.
#key_lds_row = affine_map<(n) -> (n floordiv 16 * 16
  + n floordiv 8 mod 2 * 1 + n mod 8 * 2)>
#value_lds_row0 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 0) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 0) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 0) mod 8 * 2)>
#value_lds_row1 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 1) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 1) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 1) mod 8 * 2)>
#value_lds_row2 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 2) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 2) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 2) mod 8 * 2)>
#value_lds_row3 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 3) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 3) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 3) mod 8 * 2)>
#value_lds_row4 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 4) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 4) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 4) mod 8 * 2)>
#value_lds_row5 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 5) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 5) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 5) mod 8 * 2)>
#value_lds_row6 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 6) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 6) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 6) mod 8 * 2)>
#value_lds_row7 = affine_map<(l)
  -> (((l floordiv 16 * 1 + l mod 1) * 8
  + 7) mod 32 floordiv 8 * 16
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 7) floordiv 32 mod 2 * 1
    + ((l floordiv 16 * 1 + l mod 1) * 8
  + 7) mod 8 * 2)>
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
      %alibi_slopes_in: !alibi_slopes_in,
      %bias_rows_in: !bias_rows_in,
      %keep_mask_rows_in: !keep_mask_rows_in,
      %sinks_in: !sinks_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [616, 64], strides = [1, 1]
      : !query_rows_in -> tensor<616x64xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [256, 64], strides = [1, 1]
      : !key_rows_in -> tensor<256x64xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [256, 64], strides = [1, 1]
      : !value_rows_in -> tensor<256x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_q_in -> tensor<4xi32>
    %cu_seqlens_k = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_k_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_k_in -> tensor<4xi32>
    %alibi_slopes = iree_tensor_ext.dispatch.tensor.load %alibi_slopes_in,
      offsets = [0], sizes = [8], strides = [1]
      : !alibi_slopes_in -> tensor<8xf32>
    %bias_rows = iree_tensor_ext.dispatch.tensor.load %bias_rows_in,
      offsets = [0], sizes = [78848], strides = [1]
      : !bias_rows_in -> tensor<78848xf16>
    %keep_mask_rows = iree_tensor_ext.dispatch.tensor.load %keep_mask_rows_in,
      offsets = [0], sizes = [77], strides = [1]
      : !keep_mask_rows_in -> tensor<77xi8>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %output_rows_empty = tensor.empty() : tensor<77x512xf16>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 3 : index
    %heads = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %q_tokens = arith.constant 77 : index
    %kv_tokens = arith.constant 128 : index
    %tiles = arith.constant 5 : index
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<77x512xf16>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 4 + x floordiv 2)>(%head_number)
    // The last sequence's last tiles begin first: of each sequence those with most keys.
    %tile_of_all = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %one = arith.constant 1 : index
    %first_sequence = arith.constant 0 : index
    %most_queries = arith.index_cast %q_tokens : index to i32
    %halvings = arith.constant 2 : index
    %widest = arith.constant 2 : index
    %sequence = scf.for %halving = %first_sequence to %halvings step %one
        iter_args(%found = %first_sequence) -> (index) {
      %width = arith.shrui %widest, %halving : index
      %further = arith.addi %found, %width : index
      %candidate = arith.minsi %further, %packed : index
      %candidate_i32 = tensor.extract %cu_seqlens_q[%candidate] : tensor<4xi32>
    %candidate_start_kept = arith.minui %candidate_i32, %most_queries : i32
    %candidate_start = arith.index_cast %candidate_start_kept : i32 to index
      %candidate_place = affine.apply
        affine_map<(q, s) -> (q floordiv 64 + s)>(%candidate_start, %candidate)
      %is_there = arith.cmpi sle, %candidate_place, %tile_of_all : index
      %better = arith.select %is_there, %candidate, %found : index
      scf.yield %better : index
    }
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
    // A sequence that is told to begin after this tile has its first one here.
    %tile = affine.max
      affine_map<(i, q, s) -> (i - q floordiv 64 - s, 0)>(%tile_of_all, %q_start, %sequence)
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
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    // Where there are no more tokens, the last one is read, and counts for nothing.
    %first_token = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens]
    %query_base = affine.apply affine_map<(q, x) -> (q * 8 + x)>(%first_token, %x)
    %result_row = affine.apply affine_map<(q, i) -> (q + i * 64)>(%q_start, %tile)
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 32 : index
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
        -> (w * 16 + i * 1)>(%wave, %index)
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
        %no_element {in_bounds = [true]} : tensor<616x64xf16>, !head_chunk
      %no_queries = arith.constant dense<0.0> : !queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !head_chunk to !query_columns
        %queries0 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !query_columns into !queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !queries_turned to !query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %position0 = arith.addi %first_position, %row_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %wave_position = affine.apply affine_map<(p, r, w)
        -> (p + r + w * 16)>(%first_position, %row_0, %wave)
      %last_of_wave = affine.apply affine_map<(p) -> (p + 15)>(%wave_position)
      %unit = arith.constant 86.5617024533378 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      // Not known to be zero.
      %no_score = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
      %score_sums0_0 = vector.broadcast %no_score : f32 to !sums
      %score_sums1_0 = vector.broadcast %no_score : f32 to !sums
      %limit0_0 = arith.constant -3.40282347E+38 : f32
      %minus_max0_0 = arith.constant 3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %token_of_all0 = arith.addi %row_real0, %first_token : index
      %slope0 = tensor.extract %alibi_slopes[%x]
        : tensor<8xf32>
      %slope_unit0 = arith.constant -0.016666666666666666 : f32
      %steepness0 = arith.mulf %slope0, %slope_unit0 : f32
      %first_bias0_0 = affine.apply affine_map<(k) -> (k)>(%first_key_token)
      %first_bias0_1 = affine.apply
        affine_map<(n, i)[]
        -> (n + i * 9856)>(
          %first_bias0_0, %x)
        []
      %first_bias0_2 = affine.apply
        affine_map<(n, i)[]
        -> (n + i * 128)>(
          %first_bias0_1, %token_of_all0)
        []
      %first_bias0 = affine.apply
        affine_map<(n) -> (n)>(%first_bias0_2)
      %first_keep_mask0_0 = arith.constant 0 : index
      %first_keep_mask0_1 = affine.apply
        affine_map<(n, i)[]
        -> (n + i * 1)>(
          %first_keep_mask0_0, %token_of_all0)
        []
      %first_keep_mask0 = affine.apply
        affine_map<(n) -> (n)>(%first_keep_mask0_1)
      %keep_mask_of_row0 = tensor.extract %keep_mask_rows[%first_keep_mask0]
        : tensor<77xi8>
      %keep_mask_of_rows = vector.from_elements %keep_mask_of_row0
        : !keep_mask_rows
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %keys_0, %values_0 = scf.execute_region -> (!keys, !values) {
        %t_next = arith.minsi %begin, %t_last : index
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_k1, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_v0, %kv_head)
      %key_any_v1 = affine.apply #value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_v1, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !access into !values
        scf.yield %keys_next, %values_next : !keys, !values
      }
      %value_key0 = affine.apply affine_map<(g)
        -> (g * 0 + 0)>(%group)
      %limit0_1, %minus_max0_1, %sum0_1, %acc_1,
          %keys_1, %values_1 =
        scf.for %t0 = %begin to %full_end step %keys_of_step
          iter_args(
            %limit0 = %limit0_0,
            %minus_max0 = %minus_max0_0,
            %sum0 = %sum0_0,
            %acc = %acc_0, %keys_here = %keys_0, %values_here = %values_0)
          -> (f32, f32, f32, !acc, !keys, !values) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply #key_column(%lane)
        %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %key_of_lane1 = affine.apply #key_of_step1(%none, %lane)
        %key_lds_row1 = affine.apply #key_lds_row(%key_of_lane1)
        %key1 = vector.extract %keys_here[1] : !access from !keys
        "vector.store"(%key1, %key_lds, %key_lds_row1, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %columns = vector.transpose %values_here, [1, 0]
          : !values to !columns
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_k1, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_v0, %kv_head)
      %key_any_v1 = affine.apply #value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_v1, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !access into !values
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !head_chunk to !key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%keys1_0, %query0) outs(%score_sums1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %no_value_pieces = arith.constant dense<0.0> : !value_pieces
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_1
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !sums to !score_tile
        %scores = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %steepness = arith.constant -0.012022458674074695 : f32
        %one_each = arith.constant 1.0 : f32
        %half_less = arith.constant -0.5 : f32
        %most_small = arith.constant 1.1541560327111708 : f32
        %coefficient0 = arith.constant 1.42797844e-05 : f32
        %coefficient1 = arith.constant -0.00033178 : f32
        %coefficient2 = arith.constant 0.00693760347 : f32
        %coefficient3 = arith.constant -0.173286781 : f32
        %scores_any = vector.shape_cast %scores : !scores to !scores_flat
        %score0 = vector.extract %scores_any[0] : f32 from !scores_flat
        %power0 = arith.mulf %score0, %steepness : f32
        %ratio0 = llvm.call_intrinsic "llvm.exp2"(%power0) : (f32) -> f32
        %whole0 = arith.addf %ratio0, %one_each : f32
        %place0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole0) : (f32) -> f32
        %large0 = arith.addf %place0, %half_less : f32
        %square0 = arith.mulf %power0, %power0 : f32
        %polynomial0_1 = math.fma %coefficient0, %square0, %coefficient1 : f32
        %polynomial0_2 = math.fma %polynomial0_1, %square0, %coefficient2 : f32
        %polynomial0 = math.fma %polynomial0_2, %square0, %coefficient3 : f32
        %small0 = arith.mulf %polynomial0, %power0 : f32
        %size0 = math.absf %power0 : f32
        %is_small0 = arith.cmpf olt, %size0, %most_small : f32
        %capped0 = arith.select %is_small0, %small0, %large0 : f32
        %score1 = vector.extract %scores_any[1] : f32 from !scores_flat
        %power1 = arith.mulf %score1, %steepness : f32
        %ratio1 = llvm.call_intrinsic "llvm.exp2"(%power1) : (f32) -> f32
        %whole1 = arith.addf %ratio1, %one_each : f32
        %place1 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole1) : (f32) -> f32
        %large1 = arith.addf %place1, %half_less : f32
        %square1 = arith.mulf %power1, %power1 : f32
        %polynomial1_1 = math.fma %coefficient0, %square1, %coefficient1 : f32
        %polynomial1_2 = math.fma %polynomial1_1, %square1, %coefficient2 : f32
        %polynomial1 = math.fma %polynomial1_2, %square1, %coefficient3 : f32
        %small1 = arith.mulf %polynomial1, %power1 : f32
        %size1 = math.absf %power1 : f32
        %is_small1 = arith.cmpf olt, %size1, %most_small : f32
        %capped1 = arith.select %is_small1, %small1, %large1 : f32
        %score2 = vector.extract %scores_any[2] : f32 from !scores_flat
        %power2 = arith.mulf %score2, %steepness : f32
        %ratio2 = llvm.call_intrinsic "llvm.exp2"(%power2) : (f32) -> f32
        %whole2 = arith.addf %ratio2, %one_each : f32
        %place2 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole2) : (f32) -> f32
        %large2 = arith.addf %place2, %half_less : f32
        %square2 = arith.mulf %power2, %power2 : f32
        %polynomial2_1 = math.fma %coefficient0, %square2, %coefficient1 : f32
        %polynomial2_2 = math.fma %polynomial2_1, %square2, %coefficient2 : f32
        %polynomial2 = math.fma %polynomial2_2, %square2, %coefficient3 : f32
        %small2 = arith.mulf %polynomial2, %power2 : f32
        %size2 = math.absf %power2 : f32
        %is_small2 = arith.cmpf olt, %size2, %most_small : f32
        %capped2 = arith.select %is_small2, %small2, %large2 : f32
        %score3 = vector.extract %scores_any[3] : f32 from !scores_flat
        %power3 = arith.mulf %score3, %steepness : f32
        %ratio3 = llvm.call_intrinsic "llvm.exp2"(%power3) : (f32) -> f32
        %whole3 = arith.addf %ratio3, %one_each : f32
        %place3 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole3) : (f32) -> f32
        %large3 = arith.addf %place3, %half_less : f32
        %square3 = arith.mulf %power3, %power3 : f32
        %polynomial3_1 = math.fma %coefficient0, %square3, %coefficient1 : f32
        %polynomial3_2 = math.fma %polynomial3_1, %square3, %coefficient2 : f32
        %polynomial3 = math.fma %polynomial3_2, %square3, %coefficient3 : f32
        %small3 = arith.mulf %polynomial3, %power3 : f32
        %size3 = math.absf %power3 : f32
        %is_small3 = arith.cmpf olt, %size3, %most_small : f32
        %capped3 = arith.select %is_small3, %small3, %large3 : f32
        %score4 = vector.extract %scores_any[4] : f32 from !scores_flat
        %power4 = arith.mulf %score4, %steepness : f32
        %ratio4 = llvm.call_intrinsic "llvm.exp2"(%power4) : (f32) -> f32
        %whole4 = arith.addf %ratio4, %one_each : f32
        %place4 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole4) : (f32) -> f32
        %large4 = arith.addf %place4, %half_less : f32
        %square4 = arith.mulf %power4, %power4 : f32
        %polynomial4_1 = math.fma %coefficient0, %square4, %coefficient1 : f32
        %polynomial4_2 = math.fma %polynomial4_1, %square4, %coefficient2 : f32
        %polynomial4 = math.fma %polynomial4_2, %square4, %coefficient3 : f32
        %small4 = arith.mulf %polynomial4, %power4 : f32
        %size4 = math.absf %power4 : f32
        %is_small4 = arith.cmpf olt, %size4, %most_small : f32
        %capped4 = arith.select %is_small4, %small4, %large4 : f32
        %score5 = vector.extract %scores_any[5] : f32 from !scores_flat
        %power5 = arith.mulf %score5, %steepness : f32
        %ratio5 = llvm.call_intrinsic "llvm.exp2"(%power5) : (f32) -> f32
        %whole5 = arith.addf %ratio5, %one_each : f32
        %place5 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole5) : (f32) -> f32
        %large5 = arith.addf %place5, %half_less : f32
        %square5 = arith.mulf %power5, %power5 : f32
        %polynomial5_1 = math.fma %coefficient0, %square5, %coefficient1 : f32
        %polynomial5_2 = math.fma %polynomial5_1, %square5, %coefficient2 : f32
        %polynomial5 = math.fma %polynomial5_2, %square5, %coefficient3 : f32
        %small5 = arith.mulf %polynomial5, %power5 : f32
        %size5 = math.absf %power5 : f32
        %is_small5 = arith.cmpf olt, %size5, %most_small : f32
        %capped5 = arith.select %is_small5, %small5, %large5 : f32
        %score6 = vector.extract %scores_any[6] : f32 from !scores_flat
        %power6 = arith.mulf %score6, %steepness : f32
        %ratio6 = llvm.call_intrinsic "llvm.exp2"(%power6) : (f32) -> f32
        %whole6 = arith.addf %ratio6, %one_each : f32
        %place6 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole6) : (f32) -> f32
        %large6 = arith.addf %place6, %half_less : f32
        %square6 = arith.mulf %power6, %power6 : f32
        %polynomial6_1 = math.fma %coefficient0, %square6, %coefficient1 : f32
        %polynomial6_2 = math.fma %polynomial6_1, %square6, %coefficient2 : f32
        %polynomial6 = math.fma %polynomial6_2, %square6, %coefficient3 : f32
        %small6 = arith.mulf %polynomial6, %power6 : f32
        %size6 = math.absf %power6 : f32
        %is_small6 = arith.cmpf olt, %size6, %most_small : f32
        %capped6 = arith.select %is_small6, %small6, %large6 : f32
        %score7 = vector.extract %scores_any[7] : f32 from !scores_flat
        %power7 = arith.mulf %score7, %steepness : f32
        %ratio7 = llvm.call_intrinsic "llvm.exp2"(%power7) : (f32) -> f32
        %whole7 = arith.addf %ratio7, %one_each : f32
        %place7 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole7) : (f32) -> f32
        %large7 = arith.addf %place7, %half_less : f32
        %square7 = arith.mulf %power7, %power7 : f32
        %polynomial7_1 = math.fma %coefficient0, %square7, %coefficient1 : f32
        %polynomial7_2 = math.fma %polynomial7_1, %square7, %coefficient2 : f32
        %polynomial7 = math.fma %polynomial7_2, %square7, %coefficient3 : f32
        %small7 = arith.mulf %polynomial7, %power7 : f32
        %size7 = math.absf %power7 : f32
        %is_small7 = arith.cmpf olt, %size7, %most_small : f32
        %capped7 = arith.select %is_small7, %small7, %large7 : f32
        %score8 = vector.extract %scores_any[8] : f32 from !scores_flat
        %power8 = arith.mulf %score8, %steepness : f32
        %ratio8 = llvm.call_intrinsic "llvm.exp2"(%power8) : (f32) -> f32
        %whole8 = arith.addf %ratio8, %one_each : f32
        %place8 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole8) : (f32) -> f32
        %large8 = arith.addf %place8, %half_less : f32
        %square8 = arith.mulf %power8, %power8 : f32
        %polynomial8_1 = math.fma %coefficient0, %square8, %coefficient1 : f32
        %polynomial8_2 = math.fma %polynomial8_1, %square8, %coefficient2 : f32
        %polynomial8 = math.fma %polynomial8_2, %square8, %coefficient3 : f32
        %small8 = arith.mulf %polynomial8, %power8 : f32
        %size8 = math.absf %power8 : f32
        %is_small8 = arith.cmpf olt, %size8, %most_small : f32
        %capped8 = arith.select %is_small8, %small8, %large8 : f32
        %score9 = vector.extract %scores_any[9] : f32 from !scores_flat
        %power9 = arith.mulf %score9, %steepness : f32
        %ratio9 = llvm.call_intrinsic "llvm.exp2"(%power9) : (f32) -> f32
        %whole9 = arith.addf %ratio9, %one_each : f32
        %place9 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole9) : (f32) -> f32
        %large9 = arith.addf %place9, %half_less : f32
        %square9 = arith.mulf %power9, %power9 : f32
        %polynomial9_1 = math.fma %coefficient0, %square9, %coefficient1 : f32
        %polynomial9_2 = math.fma %polynomial9_1, %square9, %coefficient2 : f32
        %polynomial9 = math.fma %polynomial9_2, %square9, %coefficient3 : f32
        %small9 = arith.mulf %polynomial9, %power9 : f32
        %size9 = math.absf %power9 : f32
        %is_small9 = arith.cmpf olt, %size9, %most_small : f32
        %capped9 = arith.select %is_small9, %small9, %large9 : f32
        %score10 = vector.extract %scores_any[10] : f32 from !scores_flat
        %power10 = arith.mulf %score10, %steepness : f32
        %ratio10 = llvm.call_intrinsic "llvm.exp2"(%power10) : (f32) -> f32
        %whole10 = arith.addf %ratio10, %one_each : f32
        %place10 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole10) : (f32) -> f32
        %large10 = arith.addf %place10, %half_less : f32
        %square10 = arith.mulf %power10, %power10 : f32
        %polynomial10_1 = math.fma %coefficient0, %square10, %coefficient1 : f32
        %polynomial10_2 = math.fma %polynomial10_1, %square10, %coefficient2 : f32
        %polynomial10 = math.fma %polynomial10_2, %square10, %coefficient3 : f32
        %small10 = arith.mulf %polynomial10, %power10 : f32
        %size10 = math.absf %power10 : f32
        %is_small10 = arith.cmpf olt, %size10, %most_small : f32
        %capped10 = arith.select %is_small10, %small10, %large10 : f32
        %score11 = vector.extract %scores_any[11] : f32 from !scores_flat
        %power11 = arith.mulf %score11, %steepness : f32
        %ratio11 = llvm.call_intrinsic "llvm.exp2"(%power11) : (f32) -> f32
        %whole11 = arith.addf %ratio11, %one_each : f32
        %place11 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole11) : (f32) -> f32
        %large11 = arith.addf %place11, %half_less : f32
        %square11 = arith.mulf %power11, %power11 : f32
        %polynomial11_1 = math.fma %coefficient0, %square11, %coefficient1 : f32
        %polynomial11_2 = math.fma %polynomial11_1, %square11, %coefficient2 : f32
        %polynomial11 = math.fma %polynomial11_2, %square11, %coefficient3 : f32
        %small11 = arith.mulf %polynomial11, %power11 : f32
        %size11 = math.absf %power11 : f32
        %is_small11 = arith.cmpf olt, %size11, %most_small : f32
        %capped11 = arith.select %is_small11, %small11, %large11 : f32
        %score12 = vector.extract %scores_any[12] : f32 from !scores_flat
        %power12 = arith.mulf %score12, %steepness : f32
        %ratio12 = llvm.call_intrinsic "llvm.exp2"(%power12) : (f32) -> f32
        %whole12 = arith.addf %ratio12, %one_each : f32
        %place12 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole12) : (f32) -> f32
        %large12 = arith.addf %place12, %half_less : f32
        %square12 = arith.mulf %power12, %power12 : f32
        %polynomial12_1 = math.fma %coefficient0, %square12, %coefficient1 : f32
        %polynomial12_2 = math.fma %polynomial12_1, %square12, %coefficient2 : f32
        %polynomial12 = math.fma %polynomial12_2, %square12, %coefficient3 : f32
        %small12 = arith.mulf %polynomial12, %power12 : f32
        %size12 = math.absf %power12 : f32
        %is_small12 = arith.cmpf olt, %size12, %most_small : f32
        %capped12 = arith.select %is_small12, %small12, %large12 : f32
        %score13 = vector.extract %scores_any[13] : f32 from !scores_flat
        %power13 = arith.mulf %score13, %steepness : f32
        %ratio13 = llvm.call_intrinsic "llvm.exp2"(%power13) : (f32) -> f32
        %whole13 = arith.addf %ratio13, %one_each : f32
        %place13 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole13) : (f32) -> f32
        %large13 = arith.addf %place13, %half_less : f32
        %square13 = arith.mulf %power13, %power13 : f32
        %polynomial13_1 = math.fma %coefficient0, %square13, %coefficient1 : f32
        %polynomial13_2 = math.fma %polynomial13_1, %square13, %coefficient2 : f32
        %polynomial13 = math.fma %polynomial13_2, %square13, %coefficient3 : f32
        %small13 = arith.mulf %polynomial13, %power13 : f32
        %size13 = math.absf %power13 : f32
        %is_small13 = arith.cmpf olt, %size13, %most_small : f32
        %capped13 = arith.select %is_small13, %small13, %large13 : f32
        %score14 = vector.extract %scores_any[14] : f32 from !scores_flat
        %power14 = arith.mulf %score14, %steepness : f32
        %ratio14 = llvm.call_intrinsic "llvm.exp2"(%power14) : (f32) -> f32
        %whole14 = arith.addf %ratio14, %one_each : f32
        %place14 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole14) : (f32) -> f32
        %large14 = arith.addf %place14, %half_less : f32
        %square14 = arith.mulf %power14, %power14 : f32
        %polynomial14_1 = math.fma %coefficient0, %square14, %coefficient1 : f32
        %polynomial14_2 = math.fma %polynomial14_1, %square14, %coefficient2 : f32
        %polynomial14 = math.fma %polynomial14_2, %square14, %coefficient3 : f32
        %small14 = arith.mulf %polynomial14, %power14 : f32
        %size14 = math.absf %power14 : f32
        %is_small14 = arith.cmpf olt, %size14, %most_small : f32
        %capped14 = arith.select %is_small14, %small14, %large14 : f32
        %score15 = vector.extract %scores_any[15] : f32 from !scores_flat
        %power15 = arith.mulf %score15, %steepness : f32
        %ratio15 = llvm.call_intrinsic "llvm.exp2"(%power15) : (f32) -> f32
        %whole15 = arith.addf %ratio15, %one_each : f32
        %place15 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole15) : (f32) -> f32
        %large15 = arith.addf %place15, %half_less : f32
        %square15 = arith.mulf %power15, %power15 : f32
        %polynomial15_1 = math.fma %coefficient0, %square15, %coefficient1 : f32
        %polynomial15_2 = math.fma %polynomial15_1, %square15, %coefficient2 : f32
        %polynomial15 = math.fma %polynomial15_2, %square15, %coefficient3 : f32
        %small15 = arith.mulf %polynomial15, %power15 : f32
        %size15 = math.absf %power15 : f32
        %is_small15 = arith.cmpf olt, %size15, %most_small : f32
        %capped15 = arith.select %is_small15, %small15, %large15 : f32
        %capped = vector.from_elements %capped0, %capped1, %capped2, %capped3, %capped4, %capped5, %capped6, %capped7, %capped8, %capped9, %capped10, %capped11, %capped12, %capped13, %capped14, %capped15 : !scores_flat
        %scores_ruled_1 = vector.shape_cast %capped : !scores_flat to !scores
        %no_bias = arith.constant dense<0.0> : !bias_scores
        %key_bias0 = affine.apply affine_map<(g, t) -> (g + t + 0)>(%key_of_group, %t0)
        %place_bias0 = arith.addi %first_bias0, %key_bias0 : index
        %nothing_bias0 = arith.constant 0.0 : f16
        %piece_bias0 = vector.transfer_read %bias_rows[%place_bias0], %nothing_bias0
          {in_bounds = [true]} : tensor<78848xf16>, !bias_piece
        %bias_scores_1 = vector.insert %piece_bias0, %no_bias[0, 0]
          : !bias_piece into !bias_scores
        %key_bias1 = affine.apply affine_map<(g, t) -> (g + t + 16)>(%key_of_group, %t0)
        %place_bias1 = arith.addi %first_bias0, %key_bias1 : index
        %nothing_bias1 = arith.constant 0.0 : f16
        %piece_bias1 = vector.transfer_read %bias_rows[%place_bias1], %nothing_bias1
          {in_bounds = [true]} : tensor<78848xf16>, !bias_piece
        %bias_scores = vector.insert %piece_bias1, %bias_scores_1[1, 0]
          : !bias_piece into !bias_scores
        %bias_f32 = arith.extf %bias_scores : !bias_scores to !scores
        %bias_unit = arith.constant dense<0.016666666666666666> : !scores
        %scores_ruled_2 = math.fma %bias_f32, %bias_unit, %scores_ruled_1 : !scores
        %bias_hides = arith.cmpf oeq, %bias_f32, %hidden : !scores
        %alibi_offsets_i32 = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]], [[16, 17, 18, 19, 20, 21, 22, 23]]]> : !score_bits
        %alibi_offsets = arith.sitofp %alibi_offsets_i32 : !score_bits to !scores
        %keys_ahead0 = affine.apply affine_map<(t, g, p) -> (t + g - p)>(
          %t0, %key_of_group, %position0)
        %ahead_i32_0 = arith.index_cast %keys_ahead0 : index to i32
        %ahead_f32_0 = arith.sitofp %ahead_i32_0 : i32 to f32
        %ahead_rows = vector.from_elements %ahead_f32_0 : !rows
        %ahead_firsts = vector.broadcast %ahead_rows : !rows to !scores
        %ahead = arith.addf %ahead_firsts, %alibi_offsets : !scores
        %distances = math.absf %ahead : !scores
        %steep_rows = vector.from_elements %steepness0 : !rows
        %steepnesses = vector.broadcast %steep_rows : !rows to !scores
        %scores_ruled_3 = math.fma %distances, %steepnesses, %scores_ruled_2 : !scores
        %keep_mask_scores = vector.broadcast %keep_mask_of_rows : !keep_mask_rows to !keep_mask_scores
        %dropped = arith.constant dense<0> : !keep_mask_scores
        %is_kept = arith.cmpi ne, %keep_mask_scores, %dropped : !keep_mask_scores
        %scores_ruled = arith.select %is_kept, %scores_ruled_3, %hidden : !is_seen, !scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !row_scores from !scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !row_scores
        %top0 = vector.extract %top0_1[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_1[1]
          : f32 from !row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_1[2]
          : f32 from !row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_1[3]
          : f32 from !row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_1[4]
          : f32 from !row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_1[5]
          : f32 from !row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_1[6]
          : f32 from !row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_1[7]
          : f32 from !row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit0 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %limit_next0, %minus_max_next0, %sum_brought0, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %has_sums0 = arith.cmpf une, %sum0, %zero : f32
          %any_sums_here = arith.ori %no, %has_sums0 : i1
        %any_sums_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_sums_here) : (i1) -> i32
        %any_sums_none = arith.constant 0 : i32
        %any_sums = arith.cmpi ne, %any_sums_lanes, %any_sums_none : i32
          %acc_less = scf.if %any_sums -> (!acc) {
            %acc_brought_down = arith.mulf %acc, %all_factors : !acc
            scf.yield %acc_brought_down : !acc
          } else {
            scf.yield %acc : !acc
          }
          %limit_less0 = arith.addf %higher0, %margin : f32
        %minus_max_less0_any = arith.negf %higher0 : f32
        %minus_max_less0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less0_any : (f32) -> f32
          scf.yield %limit_less0, %minus_max_less0, %sum_less0, %acc_less
            : f32, f32, f32, !acc
        } else {
          scf.yield %limit0, %minus_max0, %sum0, %acc
            : f32, f32, f32, !acc
        }
        %minus_maxs = vector.from_elements %minus_max_next0 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps_any = arith.constant false
        %ones_any = arith.constant dense<1.0> : !pair
        %no_pairs_any = arith.constant dense<0.0> : !pairs
        %even0_any = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0_any = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0_any = rocdl.cvt.pkrtz %even0_any, %odd0_any : !pair
        %sum_to_pair0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0_any, %ones_any, %sum_brought0, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_1 = vector.insert %pair0_any, %no_pairs_any[0] : !pair into !pairs
        %even1_any = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1_any = vector.extract %exps[0, 0, 3] : f32 from !scores
        %pair1_any = rocdl.cvt.pkrtz %even1_any, %odd1_any : !pair
        %sum_to_pair1_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1_any, %ones_any, %sum_to_pair0_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_2 = vector.insert %pair1_any, %pairs_any_1[1] : !pair into !pairs
        %even2_any = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2_any = vector.extract %exps[0, 0, 5] : f32 from !scores
        %pair2_any = rocdl.cvt.pkrtz %even2_any, %odd2_any : !pair
        %sum_to_pair2_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2_any, %ones_any, %sum_to_pair1_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_3 = vector.insert %pair2_any, %pairs_any_2[2] : !pair into !pairs
        %even3_any = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3_any = vector.extract %exps[0, 0, 7] : f32 from !scores
        %pair3_any = rocdl.cvt.pkrtz %even3_any, %odd3_any : !pair
        %sum_to_pair3_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3_any, %ones_any, %sum_to_pair2_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_4 = vector.insert %pair3_any, %pairs_any_3[3] : !pair into !pairs
        %even4_any = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd4_any = vector.extract %exps[1, 0, 1] : f32 from !scores
        %pair4_any = rocdl.cvt.pkrtz %even4_any, %odd4_any : !pair
        %sum_to_pair4_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4_any, %ones_any, %sum_to_pair3_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_5 = vector.insert %pair4_any, %pairs_any_4[4] : !pair into !pairs
        %even5_any = vector.extract %exps[1, 0, 2] : f32 from !scores
        %odd5_any = vector.extract %exps[1, 0, 3] : f32 from !scores
        %pair5_any = rocdl.cvt.pkrtz %even5_any, %odd5_any : !pair
        %sum_to_pair5_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5_any, %ones_any, %sum_to_pair4_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_6 = vector.insert %pair5_any, %pairs_any_5[5] : !pair into !pairs
        %even6_any = vector.extract %exps[1, 0, 4] : f32 from !scores
        %odd6_any = vector.extract %exps[1, 0, 5] : f32 from !scores
        %pair6_any = rocdl.cvt.pkrtz %even6_any, %odd6_any : !pair
        %sum_to_pair6_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6_any, %ones_any, %sum_to_pair5_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_7 = vector.insert %pair6_any, %pairs_any_6[6] : !pair into !pairs
        %even7_any = vector.extract %exps[1, 0, 6] : f32 from !scores
        %odd7_any = vector.extract %exps[1, 0, 7] : f32 from !scores
        %pair7_any = rocdl.cvt.pkrtz %even7_any, %odd7_any : !pair
        %sum_next0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7_any, %ones_any, %sum_to_pair6_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any = vector.insert %pair7_any, %pairs_any_7[7] : !pair into !pairs
        %is_nan0 = arith.cmpf uno, %sum_next0_any, %sum_next0_any : f32
        %is_any_nan = arith.ori %no, %is_nan0 : i1
        %sum_next0, %pairs =
          scf.if %is_any_nan -> (f32, !pairs) {
          %hidden_weights = arith.constant dense<0.0> : !scores
          %exps_seen = arith.select %bias_hides, %hidden_weights, %exps : !is_seen, !scores
        %keeps_seen = arith.constant false
        %ones_seen = arith.constant dense<1.0> : !pair
        %no_pairs_seen = arith.constant dense<0.0> : !pairs
        %even0_seen = vector.extract %exps_seen[0, 0, 0] : f32 from !scores
        %odd0_seen = vector.extract %exps_seen[0, 0, 1] : f32 from !scores
        %pair0_seen = rocdl.cvt.pkrtz %even0_seen, %odd0_seen : !pair
        %sum_to_pair0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0_seen, %ones_seen, %sum_brought0, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_1 = vector.insert %pair0_seen, %no_pairs_seen[0] : !pair into !pairs
        %even1_seen = vector.extract %exps_seen[0, 0, 2] : f32 from !scores
        %odd1_seen = vector.extract %exps_seen[0, 0, 3] : f32 from !scores
        %pair1_seen = rocdl.cvt.pkrtz %even1_seen, %odd1_seen : !pair
        %sum_to_pair1_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1_seen, %ones_seen, %sum_to_pair0_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_2 = vector.insert %pair1_seen, %pairs_seen_1[1] : !pair into !pairs
        %even2_seen = vector.extract %exps_seen[0, 0, 4] : f32 from !scores
        %odd2_seen = vector.extract %exps_seen[0, 0, 5] : f32 from !scores
        %pair2_seen = rocdl.cvt.pkrtz %even2_seen, %odd2_seen : !pair
        %sum_to_pair2_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2_seen, %ones_seen, %sum_to_pair1_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_3 = vector.insert %pair2_seen, %pairs_seen_2[2] : !pair into !pairs
        %even3_seen = vector.extract %exps_seen[0, 0, 6] : f32 from !scores
        %odd3_seen = vector.extract %exps_seen[0, 0, 7] : f32 from !scores
        %pair3_seen = rocdl.cvt.pkrtz %even3_seen, %odd3_seen : !pair
        %sum_to_pair3_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3_seen, %ones_seen, %sum_to_pair2_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_4 = vector.insert %pair3_seen, %pairs_seen_3[3] : !pair into !pairs
        %even4_seen = vector.extract %exps_seen[1, 0, 0] : f32 from !scores
        %odd4_seen = vector.extract %exps_seen[1, 0, 1] : f32 from !scores
        %pair4_seen = rocdl.cvt.pkrtz %even4_seen, %odd4_seen : !pair
        %sum_to_pair4_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4_seen, %ones_seen, %sum_to_pair3_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_5 = vector.insert %pair4_seen, %pairs_seen_4[4] : !pair into !pairs
        %even5_seen = vector.extract %exps_seen[1, 0, 2] : f32 from !scores
        %odd5_seen = vector.extract %exps_seen[1, 0, 3] : f32 from !scores
        %pair5_seen = rocdl.cvt.pkrtz %even5_seen, %odd5_seen : !pair
        %sum_to_pair5_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5_seen, %ones_seen, %sum_to_pair4_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_6 = vector.insert %pair5_seen, %pairs_seen_5[5] : !pair into !pairs
        %even6_seen = vector.extract %exps_seen[1, 0, 4] : f32 from !scores
        %odd6_seen = vector.extract %exps_seen[1, 0, 5] : f32 from !scores
        %pair6_seen = rocdl.cvt.pkrtz %even6_seen, %odd6_seen : !pair
        %sum_to_pair6_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6_seen, %ones_seen, %sum_to_pair5_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_7 = vector.insert %pair6_seen, %pairs_seen_6[6] : !pair into !pairs
        %even7_seen = vector.extract %exps_seen[1, 0, 6] : f32 from !scores
        %odd7_seen = vector.extract %exps_seen[1, 0, 7] : f32 from !scores
        %pair7_seen = rocdl.cvt.pkrtz %even7_seen, %odd7_seen : !pair
        %sum_next0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7_seen, %ones_seen, %sum_to_pair6_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen = vector.insert %pair7_seen, %pairs_seen_7[7] : !pair into !pairs
          scf.yield %sum_next0_seen, %pairs_seen
            : f32, !pairs
        } else {
          scf.yield %sum_next0_any, %pairs_any
            : f32, !pairs
        }
        %weights_own = vector.shape_cast %pairs : !pairs to !weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !weights_own to !weights_flat
        %own_bits = vector.bitcast %weights_flat : !weights_flat to !pair_bits
        %no_pair_bits = arith.constant dense<0> : !pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits_4 = vector.insert %bits_there3, %other_bits_3[3] : i32 into !pair_bits
        %own_bits4 = vector.extract %own_bits[4] : i32 from !pair_bits
        %bits_there4, %bits_are_there4 =
          gpu.shuffle xor %own_bits4, %distance1, %wave_size : i32
        %other_bits_5 = vector.insert %bits_there4, %other_bits_4[4] : i32 into !pair_bits
        %own_bits5 = vector.extract %own_bits[5] : i32 from !pair_bits
        %bits_there5, %bits_are_there5 =
          gpu.shuffle xor %own_bits5, %distance1, %wave_size : i32
        %other_bits_6 = vector.insert %bits_there5, %other_bits_5[5] : i32 into !pair_bits
        %own_bits6 = vector.extract %own_bits[6] : i32 from !pair_bits
        %bits_there6, %bits_are_there6 =
          gpu.shuffle xor %own_bits6, %distance1, %wave_size : i32
        %other_bits_7 = vector.insert %bits_there6, %other_bits_6[6] : i32 into !pair_bits
        %own_bits7 = vector.extract %own_bits[7] : i32 from !pair_bits
        %bits_there7, %bits_are_there7 =
          gpu.shuffle xor %own_bits7, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there7, %other_bits_7[7] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_piece0_0 =
          "vector.load"(%value_lds, %value_row0, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces0 = vector.insert
          %value_piece0_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys0 = vector.shape_cast %value_pieces0 : !value_pieces to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value_row1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %value_piece1_0 =
          "vector.load"(%value_lds, %value_row1, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces1 = vector.insert
          %value_piece1_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys1 = vector.shape_cast %value_pieces1 : !value_pieces to !value_keys
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        %value_row2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
        %value_piece2_0 =
          "vector.load"(%value_lds, %value_row2, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces2 = vector.insert
          %value_piece2_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys2 = vector.shape_cast %value_pieces2 : !value_pieces to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value_row3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
        %value_piece3_0 =
          "vector.load"(%value_lds, %value_row3, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces3 = vector.insert
          %value_piece3_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys3 = vector.shape_cast %value_pieces3 : !value_pieces to !value_keys
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        scf.yield %limit_next0, %minus_max_next0, %sum_next0, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, !acc, !keys, !values
      }
      %limit0_2, %minus_max0_2, %sum0_2, %acc_2,
          %keys_2, %values_2 =
        scf.for %t0 = %full_end to %end step %keys_of_step
          iter_args(
            %limit0 = %limit0_1,
            %minus_max0 = %minus_max0_1,
            %sum0 = %sum0_1,
            %acc = %acc_1, %keys_here = %keys_1, %values_here = %values_1)
          -> (f32, f32, f32, !acc, !keys, !values) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply #key_column(%lane)
        %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
        %key_lds_row0 = affine.apply #key_lds_row(%key_of_lane0)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %key_of_lane1 = affine.apply #key_of_step1(%none, %lane)
        %key_lds_row1 = affine.apply #key_lds_row(%key_of_lane1)
        %key1 = vector.extract %keys_here[1] : !access from !keys
        "vector.store"(%key1, %key_lds, %key_lds_row1, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %no_access = arith.constant dense<0.0> : !access
        %none_real = arith.constant dense<0.0> : !values
        %token0 = affine.apply #value_of_step0(%t0, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !access from !values
        %real0 = arith.select %is_token0, %given0, %no_access : !access
        %values_real_1 = vector.insert %real0, %none_real[0] : !access into !values
        %token1 = affine.apply #value_of_step1(%t0, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %given1 = vector.extract %values_here[1] : !access from !values
        %real1 = arith.select %is_token1, %given1, %no_access : !access
        %values_real = vector.insert %real1, %values_real_1[1] : !access into !values
        %columns = vector.transpose %values_real, [1, 0]
          : !values to !columns
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_k0, %kv_head)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_k1, %kv_head)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_v0, %kv_head)
      %key_any_v1 = affine.apply #value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(s, k, h)
        -> ((s + k) * 2 + h)>(%first_key_token, %key_v1, %kv_head)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<256x64xf16>, !access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !access into !values
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %limit_next0, %minus_max_next0, %sum_next0, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, !acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !head_chunk to !key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%keys1_0, %query0) outs(%score_sums1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %no_value_pieces = arith.constant dense<0.0> : !value_pieces
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_1
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !sums to !score_tile
        %scores = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %steepness = arith.constant -0.012022458674074695 : f32
        %one_each = arith.constant 1.0 : f32
        %half_less = arith.constant -0.5 : f32
        %most_small = arith.constant 1.1541560327111708 : f32
        %coefficient0 = arith.constant 1.42797844e-05 : f32
        %coefficient1 = arith.constant -0.00033178 : f32
        %coefficient2 = arith.constant 0.00693760347 : f32
        %coefficient3 = arith.constant -0.173286781 : f32
        %scores_any = vector.shape_cast %scores : !scores to !scores_flat
        %score0 = vector.extract %scores_any[0] : f32 from !scores_flat
        %power0 = arith.mulf %score0, %steepness : f32
        %ratio0 = llvm.call_intrinsic "llvm.exp2"(%power0) : (f32) -> f32
        %whole0 = arith.addf %ratio0, %one_each : f32
        %place0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole0) : (f32) -> f32
        %large0 = arith.addf %place0, %half_less : f32
        %square0 = arith.mulf %power0, %power0 : f32
        %polynomial0_1 = math.fma %coefficient0, %square0, %coefficient1 : f32
        %polynomial0_2 = math.fma %polynomial0_1, %square0, %coefficient2 : f32
        %polynomial0 = math.fma %polynomial0_2, %square0, %coefficient3 : f32
        %small0 = arith.mulf %polynomial0, %power0 : f32
        %size0 = math.absf %power0 : f32
        %is_small0 = arith.cmpf olt, %size0, %most_small : f32
        %capped0 = arith.select %is_small0, %small0, %large0 : f32
        %score1 = vector.extract %scores_any[1] : f32 from !scores_flat
        %power1 = arith.mulf %score1, %steepness : f32
        %ratio1 = llvm.call_intrinsic "llvm.exp2"(%power1) : (f32) -> f32
        %whole1 = arith.addf %ratio1, %one_each : f32
        %place1 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole1) : (f32) -> f32
        %large1 = arith.addf %place1, %half_less : f32
        %square1 = arith.mulf %power1, %power1 : f32
        %polynomial1_1 = math.fma %coefficient0, %square1, %coefficient1 : f32
        %polynomial1_2 = math.fma %polynomial1_1, %square1, %coefficient2 : f32
        %polynomial1 = math.fma %polynomial1_2, %square1, %coefficient3 : f32
        %small1 = arith.mulf %polynomial1, %power1 : f32
        %size1 = math.absf %power1 : f32
        %is_small1 = arith.cmpf olt, %size1, %most_small : f32
        %capped1 = arith.select %is_small1, %small1, %large1 : f32
        %score2 = vector.extract %scores_any[2] : f32 from !scores_flat
        %power2 = arith.mulf %score2, %steepness : f32
        %ratio2 = llvm.call_intrinsic "llvm.exp2"(%power2) : (f32) -> f32
        %whole2 = arith.addf %ratio2, %one_each : f32
        %place2 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole2) : (f32) -> f32
        %large2 = arith.addf %place2, %half_less : f32
        %square2 = arith.mulf %power2, %power2 : f32
        %polynomial2_1 = math.fma %coefficient0, %square2, %coefficient1 : f32
        %polynomial2_2 = math.fma %polynomial2_1, %square2, %coefficient2 : f32
        %polynomial2 = math.fma %polynomial2_2, %square2, %coefficient3 : f32
        %small2 = arith.mulf %polynomial2, %power2 : f32
        %size2 = math.absf %power2 : f32
        %is_small2 = arith.cmpf olt, %size2, %most_small : f32
        %capped2 = arith.select %is_small2, %small2, %large2 : f32
        %score3 = vector.extract %scores_any[3] : f32 from !scores_flat
        %power3 = arith.mulf %score3, %steepness : f32
        %ratio3 = llvm.call_intrinsic "llvm.exp2"(%power3) : (f32) -> f32
        %whole3 = arith.addf %ratio3, %one_each : f32
        %place3 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole3) : (f32) -> f32
        %large3 = arith.addf %place3, %half_less : f32
        %square3 = arith.mulf %power3, %power3 : f32
        %polynomial3_1 = math.fma %coefficient0, %square3, %coefficient1 : f32
        %polynomial3_2 = math.fma %polynomial3_1, %square3, %coefficient2 : f32
        %polynomial3 = math.fma %polynomial3_2, %square3, %coefficient3 : f32
        %small3 = arith.mulf %polynomial3, %power3 : f32
        %size3 = math.absf %power3 : f32
        %is_small3 = arith.cmpf olt, %size3, %most_small : f32
        %capped3 = arith.select %is_small3, %small3, %large3 : f32
        %score4 = vector.extract %scores_any[4] : f32 from !scores_flat
        %power4 = arith.mulf %score4, %steepness : f32
        %ratio4 = llvm.call_intrinsic "llvm.exp2"(%power4) : (f32) -> f32
        %whole4 = arith.addf %ratio4, %one_each : f32
        %place4 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole4) : (f32) -> f32
        %large4 = arith.addf %place4, %half_less : f32
        %square4 = arith.mulf %power4, %power4 : f32
        %polynomial4_1 = math.fma %coefficient0, %square4, %coefficient1 : f32
        %polynomial4_2 = math.fma %polynomial4_1, %square4, %coefficient2 : f32
        %polynomial4 = math.fma %polynomial4_2, %square4, %coefficient3 : f32
        %small4 = arith.mulf %polynomial4, %power4 : f32
        %size4 = math.absf %power4 : f32
        %is_small4 = arith.cmpf olt, %size4, %most_small : f32
        %capped4 = arith.select %is_small4, %small4, %large4 : f32
        %score5 = vector.extract %scores_any[5] : f32 from !scores_flat
        %power5 = arith.mulf %score5, %steepness : f32
        %ratio5 = llvm.call_intrinsic "llvm.exp2"(%power5) : (f32) -> f32
        %whole5 = arith.addf %ratio5, %one_each : f32
        %place5 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole5) : (f32) -> f32
        %large5 = arith.addf %place5, %half_less : f32
        %square5 = arith.mulf %power5, %power5 : f32
        %polynomial5_1 = math.fma %coefficient0, %square5, %coefficient1 : f32
        %polynomial5_2 = math.fma %polynomial5_1, %square5, %coefficient2 : f32
        %polynomial5 = math.fma %polynomial5_2, %square5, %coefficient3 : f32
        %small5 = arith.mulf %polynomial5, %power5 : f32
        %size5 = math.absf %power5 : f32
        %is_small5 = arith.cmpf olt, %size5, %most_small : f32
        %capped5 = arith.select %is_small5, %small5, %large5 : f32
        %score6 = vector.extract %scores_any[6] : f32 from !scores_flat
        %power6 = arith.mulf %score6, %steepness : f32
        %ratio6 = llvm.call_intrinsic "llvm.exp2"(%power6) : (f32) -> f32
        %whole6 = arith.addf %ratio6, %one_each : f32
        %place6 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole6) : (f32) -> f32
        %large6 = arith.addf %place6, %half_less : f32
        %square6 = arith.mulf %power6, %power6 : f32
        %polynomial6_1 = math.fma %coefficient0, %square6, %coefficient1 : f32
        %polynomial6_2 = math.fma %polynomial6_1, %square6, %coefficient2 : f32
        %polynomial6 = math.fma %polynomial6_2, %square6, %coefficient3 : f32
        %small6 = arith.mulf %polynomial6, %power6 : f32
        %size6 = math.absf %power6 : f32
        %is_small6 = arith.cmpf olt, %size6, %most_small : f32
        %capped6 = arith.select %is_small6, %small6, %large6 : f32
        %score7 = vector.extract %scores_any[7] : f32 from !scores_flat
        %power7 = arith.mulf %score7, %steepness : f32
        %ratio7 = llvm.call_intrinsic "llvm.exp2"(%power7) : (f32) -> f32
        %whole7 = arith.addf %ratio7, %one_each : f32
        %place7 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole7) : (f32) -> f32
        %large7 = arith.addf %place7, %half_less : f32
        %square7 = arith.mulf %power7, %power7 : f32
        %polynomial7_1 = math.fma %coefficient0, %square7, %coefficient1 : f32
        %polynomial7_2 = math.fma %polynomial7_1, %square7, %coefficient2 : f32
        %polynomial7 = math.fma %polynomial7_2, %square7, %coefficient3 : f32
        %small7 = arith.mulf %polynomial7, %power7 : f32
        %size7 = math.absf %power7 : f32
        %is_small7 = arith.cmpf olt, %size7, %most_small : f32
        %capped7 = arith.select %is_small7, %small7, %large7 : f32
        %score8 = vector.extract %scores_any[8] : f32 from !scores_flat
        %power8 = arith.mulf %score8, %steepness : f32
        %ratio8 = llvm.call_intrinsic "llvm.exp2"(%power8) : (f32) -> f32
        %whole8 = arith.addf %ratio8, %one_each : f32
        %place8 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole8) : (f32) -> f32
        %large8 = arith.addf %place8, %half_less : f32
        %square8 = arith.mulf %power8, %power8 : f32
        %polynomial8_1 = math.fma %coefficient0, %square8, %coefficient1 : f32
        %polynomial8_2 = math.fma %polynomial8_1, %square8, %coefficient2 : f32
        %polynomial8 = math.fma %polynomial8_2, %square8, %coefficient3 : f32
        %small8 = arith.mulf %polynomial8, %power8 : f32
        %size8 = math.absf %power8 : f32
        %is_small8 = arith.cmpf olt, %size8, %most_small : f32
        %capped8 = arith.select %is_small8, %small8, %large8 : f32
        %score9 = vector.extract %scores_any[9] : f32 from !scores_flat
        %power9 = arith.mulf %score9, %steepness : f32
        %ratio9 = llvm.call_intrinsic "llvm.exp2"(%power9) : (f32) -> f32
        %whole9 = arith.addf %ratio9, %one_each : f32
        %place9 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole9) : (f32) -> f32
        %large9 = arith.addf %place9, %half_less : f32
        %square9 = arith.mulf %power9, %power9 : f32
        %polynomial9_1 = math.fma %coefficient0, %square9, %coefficient1 : f32
        %polynomial9_2 = math.fma %polynomial9_1, %square9, %coefficient2 : f32
        %polynomial9 = math.fma %polynomial9_2, %square9, %coefficient3 : f32
        %small9 = arith.mulf %polynomial9, %power9 : f32
        %size9 = math.absf %power9 : f32
        %is_small9 = arith.cmpf olt, %size9, %most_small : f32
        %capped9 = arith.select %is_small9, %small9, %large9 : f32
        %score10 = vector.extract %scores_any[10] : f32 from !scores_flat
        %power10 = arith.mulf %score10, %steepness : f32
        %ratio10 = llvm.call_intrinsic "llvm.exp2"(%power10) : (f32) -> f32
        %whole10 = arith.addf %ratio10, %one_each : f32
        %place10 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole10) : (f32) -> f32
        %large10 = arith.addf %place10, %half_less : f32
        %square10 = arith.mulf %power10, %power10 : f32
        %polynomial10_1 = math.fma %coefficient0, %square10, %coefficient1 : f32
        %polynomial10_2 = math.fma %polynomial10_1, %square10, %coefficient2 : f32
        %polynomial10 = math.fma %polynomial10_2, %square10, %coefficient3 : f32
        %small10 = arith.mulf %polynomial10, %power10 : f32
        %size10 = math.absf %power10 : f32
        %is_small10 = arith.cmpf olt, %size10, %most_small : f32
        %capped10 = arith.select %is_small10, %small10, %large10 : f32
        %score11 = vector.extract %scores_any[11] : f32 from !scores_flat
        %power11 = arith.mulf %score11, %steepness : f32
        %ratio11 = llvm.call_intrinsic "llvm.exp2"(%power11) : (f32) -> f32
        %whole11 = arith.addf %ratio11, %one_each : f32
        %place11 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole11) : (f32) -> f32
        %large11 = arith.addf %place11, %half_less : f32
        %square11 = arith.mulf %power11, %power11 : f32
        %polynomial11_1 = math.fma %coefficient0, %square11, %coefficient1 : f32
        %polynomial11_2 = math.fma %polynomial11_1, %square11, %coefficient2 : f32
        %polynomial11 = math.fma %polynomial11_2, %square11, %coefficient3 : f32
        %small11 = arith.mulf %polynomial11, %power11 : f32
        %size11 = math.absf %power11 : f32
        %is_small11 = arith.cmpf olt, %size11, %most_small : f32
        %capped11 = arith.select %is_small11, %small11, %large11 : f32
        %score12 = vector.extract %scores_any[12] : f32 from !scores_flat
        %power12 = arith.mulf %score12, %steepness : f32
        %ratio12 = llvm.call_intrinsic "llvm.exp2"(%power12) : (f32) -> f32
        %whole12 = arith.addf %ratio12, %one_each : f32
        %place12 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole12) : (f32) -> f32
        %large12 = arith.addf %place12, %half_less : f32
        %square12 = arith.mulf %power12, %power12 : f32
        %polynomial12_1 = math.fma %coefficient0, %square12, %coefficient1 : f32
        %polynomial12_2 = math.fma %polynomial12_1, %square12, %coefficient2 : f32
        %polynomial12 = math.fma %polynomial12_2, %square12, %coefficient3 : f32
        %small12 = arith.mulf %polynomial12, %power12 : f32
        %size12 = math.absf %power12 : f32
        %is_small12 = arith.cmpf olt, %size12, %most_small : f32
        %capped12 = arith.select %is_small12, %small12, %large12 : f32
        %score13 = vector.extract %scores_any[13] : f32 from !scores_flat
        %power13 = arith.mulf %score13, %steepness : f32
        %ratio13 = llvm.call_intrinsic "llvm.exp2"(%power13) : (f32) -> f32
        %whole13 = arith.addf %ratio13, %one_each : f32
        %place13 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole13) : (f32) -> f32
        %large13 = arith.addf %place13, %half_less : f32
        %square13 = arith.mulf %power13, %power13 : f32
        %polynomial13_1 = math.fma %coefficient0, %square13, %coefficient1 : f32
        %polynomial13_2 = math.fma %polynomial13_1, %square13, %coefficient2 : f32
        %polynomial13 = math.fma %polynomial13_2, %square13, %coefficient3 : f32
        %small13 = arith.mulf %polynomial13, %power13 : f32
        %size13 = math.absf %power13 : f32
        %is_small13 = arith.cmpf olt, %size13, %most_small : f32
        %capped13 = arith.select %is_small13, %small13, %large13 : f32
        %score14 = vector.extract %scores_any[14] : f32 from !scores_flat
        %power14 = arith.mulf %score14, %steepness : f32
        %ratio14 = llvm.call_intrinsic "llvm.exp2"(%power14) : (f32) -> f32
        %whole14 = arith.addf %ratio14, %one_each : f32
        %place14 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole14) : (f32) -> f32
        %large14 = arith.addf %place14, %half_less : f32
        %square14 = arith.mulf %power14, %power14 : f32
        %polynomial14_1 = math.fma %coefficient0, %square14, %coefficient1 : f32
        %polynomial14_2 = math.fma %polynomial14_1, %square14, %coefficient2 : f32
        %polynomial14 = math.fma %polynomial14_2, %square14, %coefficient3 : f32
        %small14 = arith.mulf %polynomial14, %power14 : f32
        %size14 = math.absf %power14 : f32
        %is_small14 = arith.cmpf olt, %size14, %most_small : f32
        %capped14 = arith.select %is_small14, %small14, %large14 : f32
        %score15 = vector.extract %scores_any[15] : f32 from !scores_flat
        %power15 = arith.mulf %score15, %steepness : f32
        %ratio15 = llvm.call_intrinsic "llvm.exp2"(%power15) : (f32) -> f32
        %whole15 = arith.addf %ratio15, %one_each : f32
        %place15 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole15) : (f32) -> f32
        %large15 = arith.addf %place15, %half_less : f32
        %square15 = arith.mulf %power15, %power15 : f32
        %polynomial15_1 = math.fma %coefficient0, %square15, %coefficient1 : f32
        %polynomial15_2 = math.fma %polynomial15_1, %square15, %coefficient2 : f32
        %polynomial15 = math.fma %polynomial15_2, %square15, %coefficient3 : f32
        %small15 = arith.mulf %polynomial15, %power15 : f32
        %size15 = math.absf %power15 : f32
        %is_small15 = arith.cmpf olt, %size15, %most_small : f32
        %capped15 = arith.select %is_small15, %small15, %large15 : f32
        %capped = vector.from_elements %capped0, %capped1, %capped2, %capped3, %capped4, %capped5, %capped6, %capped7, %capped8, %capped9, %capped10, %capped11, %capped12, %capped13, %capped14, %capped15 : !scores_flat
        %scores_ruled_1 = vector.shape_cast %capped : !scores_flat to !scores
        %no_bias = arith.constant dense<0.0> : !bias_scores
        %nothing_bias0 = arith.constant dense<0.0> : !bias_piece
        %key_bias0_0 = affine.min affine_map<(g, t, l)
          -> (g + t + 0, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_0 = arith.addi %first_bias0, %key_bias0_0 : index
        %one_bias0_0 = tensor.extract %bias_rows[%place_bias0_0] : tensor<78848xf16>
        %piece_bias0_1 = vector.insert %one_bias0_0, %nothing_bias0[0]
          : f16 into !bias_piece
        %key_bias0_1 = affine.min affine_map<(g, t, l)
          -> (g + t + 1, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_1 = arith.addi %first_bias0, %key_bias0_1 : index
        %one_bias0_1 = tensor.extract %bias_rows[%place_bias0_1] : tensor<78848xf16>
        %piece_bias0_2 = vector.insert %one_bias0_1, %piece_bias0_1[1]
          : f16 into !bias_piece
        %key_bias0_2 = affine.min affine_map<(g, t, l)
          -> (g + t + 2, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_2 = arith.addi %first_bias0, %key_bias0_2 : index
        %one_bias0_2 = tensor.extract %bias_rows[%place_bias0_2] : tensor<78848xf16>
        %piece_bias0_3 = vector.insert %one_bias0_2, %piece_bias0_2[2]
          : f16 into !bias_piece
        %key_bias0_3 = affine.min affine_map<(g, t, l)
          -> (g + t + 3, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_3 = arith.addi %first_bias0, %key_bias0_3 : index
        %one_bias0_3 = tensor.extract %bias_rows[%place_bias0_3] : tensor<78848xf16>
        %piece_bias0_4 = vector.insert %one_bias0_3, %piece_bias0_3[3]
          : f16 into !bias_piece
        %key_bias0_4 = affine.min affine_map<(g, t, l)
          -> (g + t + 4, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_4 = arith.addi %first_bias0, %key_bias0_4 : index
        %one_bias0_4 = tensor.extract %bias_rows[%place_bias0_4] : tensor<78848xf16>
        %piece_bias0_5 = vector.insert %one_bias0_4, %piece_bias0_4[4]
          : f16 into !bias_piece
        %key_bias0_5 = affine.min affine_map<(g, t, l)
          -> (g + t + 5, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_5 = arith.addi %first_bias0, %key_bias0_5 : index
        %one_bias0_5 = tensor.extract %bias_rows[%place_bias0_5] : tensor<78848xf16>
        %piece_bias0_6 = vector.insert %one_bias0_5, %piece_bias0_5[5]
          : f16 into !bias_piece
        %key_bias0_6 = affine.min affine_map<(g, t, l)
          -> (g + t + 6, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_6 = arith.addi %first_bias0, %key_bias0_6 : index
        %one_bias0_6 = tensor.extract %bias_rows[%place_bias0_6] : tensor<78848xf16>
        %piece_bias0_7 = vector.insert %one_bias0_6, %piece_bias0_6[6]
          : f16 into !bias_piece
        %key_bias0_7 = affine.min affine_map<(g, t, l)
          -> (g + t + 7, l)>(%key_of_group, %t0, %last_key)
        %place_bias0_7 = arith.addi %first_bias0, %key_bias0_7 : index
        %one_bias0_7 = tensor.extract %bias_rows[%place_bias0_7] : tensor<78848xf16>
        %piece_bias0 = vector.insert %one_bias0_7, %piece_bias0_7[7]
          : f16 into !bias_piece
        %bias_scores_1 = vector.insert %piece_bias0, %no_bias[0, 0]
          : !bias_piece into !bias_scores
        %nothing_bias1 = arith.constant dense<0.0> : !bias_piece
        %key_bias1_0 = affine.min affine_map<(g, t, l)
          -> (g + t + 16, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_0 = arith.addi %first_bias0, %key_bias1_0 : index
        %one_bias1_0 = tensor.extract %bias_rows[%place_bias1_0] : tensor<78848xf16>
        %piece_bias1_1 = vector.insert %one_bias1_0, %nothing_bias1[0]
          : f16 into !bias_piece
        %key_bias1_1 = affine.min affine_map<(g, t, l)
          -> (g + t + 17, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_1 = arith.addi %first_bias0, %key_bias1_1 : index
        %one_bias1_1 = tensor.extract %bias_rows[%place_bias1_1] : tensor<78848xf16>
        %piece_bias1_2 = vector.insert %one_bias1_1, %piece_bias1_1[1]
          : f16 into !bias_piece
        %key_bias1_2 = affine.min affine_map<(g, t, l)
          -> (g + t + 18, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_2 = arith.addi %first_bias0, %key_bias1_2 : index
        %one_bias1_2 = tensor.extract %bias_rows[%place_bias1_2] : tensor<78848xf16>
        %piece_bias1_3 = vector.insert %one_bias1_2, %piece_bias1_2[2]
          : f16 into !bias_piece
        %key_bias1_3 = affine.min affine_map<(g, t, l)
          -> (g + t + 19, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_3 = arith.addi %first_bias0, %key_bias1_3 : index
        %one_bias1_3 = tensor.extract %bias_rows[%place_bias1_3] : tensor<78848xf16>
        %piece_bias1_4 = vector.insert %one_bias1_3, %piece_bias1_3[3]
          : f16 into !bias_piece
        %key_bias1_4 = affine.min affine_map<(g, t, l)
          -> (g + t + 20, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_4 = arith.addi %first_bias0, %key_bias1_4 : index
        %one_bias1_4 = tensor.extract %bias_rows[%place_bias1_4] : tensor<78848xf16>
        %piece_bias1_5 = vector.insert %one_bias1_4, %piece_bias1_4[4]
          : f16 into !bias_piece
        %key_bias1_5 = affine.min affine_map<(g, t, l)
          -> (g + t + 21, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_5 = arith.addi %first_bias0, %key_bias1_5 : index
        %one_bias1_5 = tensor.extract %bias_rows[%place_bias1_5] : tensor<78848xf16>
        %piece_bias1_6 = vector.insert %one_bias1_5, %piece_bias1_5[5]
          : f16 into !bias_piece
        %key_bias1_6 = affine.min affine_map<(g, t, l)
          -> (g + t + 22, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_6 = arith.addi %first_bias0, %key_bias1_6 : index
        %one_bias1_6 = tensor.extract %bias_rows[%place_bias1_6] : tensor<78848xf16>
        %piece_bias1_7 = vector.insert %one_bias1_6, %piece_bias1_6[6]
          : f16 into !bias_piece
        %key_bias1_7 = affine.min affine_map<(g, t, l)
          -> (g + t + 23, l)>(%key_of_group, %t0, %last_key)
        %place_bias1_7 = arith.addi %first_bias0, %key_bias1_7 : index
        %one_bias1_7 = tensor.extract %bias_rows[%place_bias1_7] : tensor<78848xf16>
        %piece_bias1 = vector.insert %one_bias1_7, %piece_bias1_7[7]
          : f16 into !bias_piece
        %bias_scores = vector.insert %piece_bias1, %bias_scores_1[1, 0]
          : !bias_piece into !bias_scores
        %bias_f32 = arith.extf %bias_scores : !bias_scores to !scores
        %bias_unit = arith.constant dense<0.016666666666666666> : !scores
        %scores_ruled_2 = math.fma %bias_f32, %bias_unit, %scores_ruled_1 : !scores
        %bias_hides = arith.cmpf oeq, %bias_f32, %hidden : !scores
        %alibi_offsets_i32 = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]], [[16, 17, 18, 19, 20, 21, 22, 23]]]> : !score_bits
        %alibi_offsets = arith.sitofp %alibi_offsets_i32 : !score_bits to !scores
        %keys_ahead0 = affine.apply affine_map<(t, g, p) -> (t + g - p)>(
          %t0, %key_of_group, %position0)
        %ahead_i32_0 = arith.index_cast %keys_ahead0 : index to i32
        %ahead_f32_0 = arith.sitofp %ahead_i32_0 : i32 to f32
        %ahead_rows = vector.from_elements %ahead_f32_0 : !rows
        %ahead_firsts = vector.broadcast %ahead_rows : !rows to !scores
        %ahead = arith.addf %ahead_firsts, %alibi_offsets : !scores
        %distances = math.absf %ahead : !scores
        %steep_rows = vector.from_elements %steepness0 : !rows
        %steepnesses = vector.broadcast %steep_rows : !rows to !scores
        %scores_ruled_3 = math.fma %distances, %steepnesses, %scores_ruled_2 : !scores
        %keep_mask_scores = vector.broadcast %keep_mask_of_rows : !keep_mask_rows to !keep_mask_scores
        %dropped = arith.constant dense<0> : !keep_mask_scores
        %is_kept = arith.cmpi ne, %keep_mask_scores, %dropped : !keep_mask_scores
        %scores_ruled_4 = arith.select %is_kept, %scores_ruled_3, %hidden : !is_seen, !scores
        %last_offset = arith.constant 23 : i32
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %hides_last0 = arith.cmpi slt, %last_i32_0, %last_offset : i32
        %hides_any_last = arith.ori %no, %hides_last0 : i1
        %hides_some_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%hides_any_last) : (i1) -> i32
        %hides_some_none = arith.constant 0 : i32
        %hides_some = arith.cmpi ne, %hides_some_lanes, %hides_some_none : i32
        %scores_ruled = scf.if %hides_some -> (!scores) {
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]], [[16, 17, 18, 19, 20, 21, 22, 23]]]> : !score_bits
          %last_i32_0_here = llvm.inline_asm has_side_effects "", "=v,0" %last_i32_0
            : (i32) -> i32
        %last_rows = vector.from_elements %last_i32_0_here : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_hidden = arith.select %is_last_seen, %scores_ruled_4, %hidden
          : !is_seen, !scores
          scf.yield %scores_hidden : !scores
        } else {
          scf.yield %scores_ruled_4 : !scores
        }
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !row_scores from !scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !row_scores
        %top0 = vector.extract %top0_1[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_1[1]
          : f32 from !row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_1[2]
          : f32 from !row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_1[3]
          : f32 from !row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_1[4]
          : f32 from !row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_1[5]
          : f32 from !row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_1[6]
          : f32 from !row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_1[7]
          : f32 from !row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit0 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %limit_next0, %minus_max_next0, %sum_brought0, %acc_brought =
          scf.if %any_grows -> (f32, f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %has_sums0 = arith.cmpf une, %sum0, %zero : f32
          %any_sums_here = arith.ori %no, %has_sums0 : i1
        %any_sums_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_sums_here) : (i1) -> i32
        %any_sums_none = arith.constant 0 : i32
        %any_sums = arith.cmpi ne, %any_sums_lanes, %any_sums_none : i32
          %acc_less = scf.if %any_sums -> (!acc) {
            %acc_brought_down = arith.mulf %acc, %all_factors : !acc
            scf.yield %acc_brought_down : !acc
          } else {
            scf.yield %acc : !acc
          }
          %limit_less0 = arith.addf %higher0, %margin : f32
        %minus_max_less0_any = arith.negf %higher0 : f32
        %minus_max_less0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less0_any : (f32) -> f32
          scf.yield %limit_less0, %minus_max_less0, %sum_less0, %acc_less
            : f32, f32, f32, !acc
        } else {
          scf.yield %limit0, %minus_max0, %sum0, %acc
            : f32, f32, f32, !acc
        }
        %minus_maxs = vector.from_elements %minus_max_next0 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps_any = arith.constant false
        %ones_any = arith.constant dense<1.0> : !pair
        %no_pairs_any = arith.constant dense<0.0> : !pairs
        %even0_any = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0_any = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0_any = rocdl.cvt.pkrtz %even0_any, %odd0_any : !pair
        %sum_to_pair0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0_any, %ones_any, %sum_brought0, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_1 = vector.insert %pair0_any, %no_pairs_any[0] : !pair into !pairs
        %even1_any = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1_any = vector.extract %exps[0, 0, 3] : f32 from !scores
        %pair1_any = rocdl.cvt.pkrtz %even1_any, %odd1_any : !pair
        %sum_to_pair1_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1_any, %ones_any, %sum_to_pair0_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_2 = vector.insert %pair1_any, %pairs_any_1[1] : !pair into !pairs
        %even2_any = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2_any = vector.extract %exps[0, 0, 5] : f32 from !scores
        %pair2_any = rocdl.cvt.pkrtz %even2_any, %odd2_any : !pair
        %sum_to_pair2_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2_any, %ones_any, %sum_to_pair1_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_3 = vector.insert %pair2_any, %pairs_any_2[2] : !pair into !pairs
        %even3_any = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3_any = vector.extract %exps[0, 0, 7] : f32 from !scores
        %pair3_any = rocdl.cvt.pkrtz %even3_any, %odd3_any : !pair
        %sum_to_pair3_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3_any, %ones_any, %sum_to_pair2_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_4 = vector.insert %pair3_any, %pairs_any_3[3] : !pair into !pairs
        %even4_any = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd4_any = vector.extract %exps[1, 0, 1] : f32 from !scores
        %pair4_any = rocdl.cvt.pkrtz %even4_any, %odd4_any : !pair
        %sum_to_pair4_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4_any, %ones_any, %sum_to_pair3_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_5 = vector.insert %pair4_any, %pairs_any_4[4] : !pair into !pairs
        %even5_any = vector.extract %exps[1, 0, 2] : f32 from !scores
        %odd5_any = vector.extract %exps[1, 0, 3] : f32 from !scores
        %pair5_any = rocdl.cvt.pkrtz %even5_any, %odd5_any : !pair
        %sum_to_pair5_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5_any, %ones_any, %sum_to_pair4_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_6 = vector.insert %pair5_any, %pairs_any_5[5] : !pair into !pairs
        %even6_any = vector.extract %exps[1, 0, 4] : f32 from !scores
        %odd6_any = vector.extract %exps[1, 0, 5] : f32 from !scores
        %pair6_any = rocdl.cvt.pkrtz %even6_any, %odd6_any : !pair
        %sum_to_pair6_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6_any, %ones_any, %sum_to_pair5_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_7 = vector.insert %pair6_any, %pairs_any_6[6] : !pair into !pairs
        %even7_any = vector.extract %exps[1, 0, 6] : f32 from !scores
        %odd7_any = vector.extract %exps[1, 0, 7] : f32 from !scores
        %pair7_any = rocdl.cvt.pkrtz %even7_any, %odd7_any : !pair
        %sum_next0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7_any, %ones_any, %sum_to_pair6_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any = vector.insert %pair7_any, %pairs_any_7[7] : !pair into !pairs
        %is_nan0 = arith.cmpf uno, %sum_next0_any, %sum_next0_any : f32
        %is_any_nan = arith.ori %no, %is_nan0 : i1
        %sum_next0, %pairs =
          scf.if %is_any_nan -> (f32, !pairs) {
          %hidden_weights = arith.constant dense<0.0> : !scores
          %exps_seen = arith.select %bias_hides, %hidden_weights, %exps : !is_seen, !scores
        %keeps_seen = arith.constant false
        %ones_seen = arith.constant dense<1.0> : !pair
        %no_pairs_seen = arith.constant dense<0.0> : !pairs
        %even0_seen = vector.extract %exps_seen[0, 0, 0] : f32 from !scores
        %odd0_seen = vector.extract %exps_seen[0, 0, 1] : f32 from !scores
        %pair0_seen = rocdl.cvt.pkrtz %even0_seen, %odd0_seen : !pair
        %sum_to_pair0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0_seen, %ones_seen, %sum_brought0, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_1 = vector.insert %pair0_seen, %no_pairs_seen[0] : !pair into !pairs
        %even1_seen = vector.extract %exps_seen[0, 0, 2] : f32 from !scores
        %odd1_seen = vector.extract %exps_seen[0, 0, 3] : f32 from !scores
        %pair1_seen = rocdl.cvt.pkrtz %even1_seen, %odd1_seen : !pair
        %sum_to_pair1_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1_seen, %ones_seen, %sum_to_pair0_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_2 = vector.insert %pair1_seen, %pairs_seen_1[1] : !pair into !pairs
        %even2_seen = vector.extract %exps_seen[0, 0, 4] : f32 from !scores
        %odd2_seen = vector.extract %exps_seen[0, 0, 5] : f32 from !scores
        %pair2_seen = rocdl.cvt.pkrtz %even2_seen, %odd2_seen : !pair
        %sum_to_pair2_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2_seen, %ones_seen, %sum_to_pair1_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_3 = vector.insert %pair2_seen, %pairs_seen_2[2] : !pair into !pairs
        %even3_seen = vector.extract %exps_seen[0, 0, 6] : f32 from !scores
        %odd3_seen = vector.extract %exps_seen[0, 0, 7] : f32 from !scores
        %pair3_seen = rocdl.cvt.pkrtz %even3_seen, %odd3_seen : !pair
        %sum_to_pair3_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3_seen, %ones_seen, %sum_to_pair2_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_4 = vector.insert %pair3_seen, %pairs_seen_3[3] : !pair into !pairs
        %even4_seen = vector.extract %exps_seen[1, 0, 0] : f32 from !scores
        %odd4_seen = vector.extract %exps_seen[1, 0, 1] : f32 from !scores
        %pair4_seen = rocdl.cvt.pkrtz %even4_seen, %odd4_seen : !pair
        %sum_to_pair4_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4_seen, %ones_seen, %sum_to_pair3_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_5 = vector.insert %pair4_seen, %pairs_seen_4[4] : !pair into !pairs
        %even5_seen = vector.extract %exps_seen[1, 0, 2] : f32 from !scores
        %odd5_seen = vector.extract %exps_seen[1, 0, 3] : f32 from !scores
        %pair5_seen = rocdl.cvt.pkrtz %even5_seen, %odd5_seen : !pair
        %sum_to_pair5_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5_seen, %ones_seen, %sum_to_pair4_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_6 = vector.insert %pair5_seen, %pairs_seen_5[5] : !pair into !pairs
        %even6_seen = vector.extract %exps_seen[1, 0, 4] : f32 from !scores
        %odd6_seen = vector.extract %exps_seen[1, 0, 5] : f32 from !scores
        %pair6_seen = rocdl.cvt.pkrtz %even6_seen, %odd6_seen : !pair
        %sum_to_pair6_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6_seen, %ones_seen, %sum_to_pair5_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_7 = vector.insert %pair6_seen, %pairs_seen_6[6] : !pair into !pairs
        %even7_seen = vector.extract %exps_seen[1, 0, 6] : f32 from !scores
        %odd7_seen = vector.extract %exps_seen[1, 0, 7] : f32 from !scores
        %pair7_seen = rocdl.cvt.pkrtz %even7_seen, %odd7_seen : !pair
        %sum_next0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7_seen, %ones_seen, %sum_to_pair6_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen = vector.insert %pair7_seen, %pairs_seen_7[7] : !pair into !pairs
          scf.yield %sum_next0_seen, %pairs_seen
            : f32, !pairs
        } else {
          scf.yield %sum_next0_any, %pairs_any
            : f32, !pairs
        }
        %weights_own = vector.shape_cast %pairs : !pairs to !weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !weights_own to !weights_flat
        %own_bits = vector.bitcast %weights_flat : !weights_flat to !pair_bits
        %no_pair_bits = arith.constant dense<0> : !pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits_4 = vector.insert %bits_there3, %other_bits_3[3] : i32 into !pair_bits
        %own_bits4 = vector.extract %own_bits[4] : i32 from !pair_bits
        %bits_there4, %bits_are_there4 =
          gpu.shuffle xor %own_bits4, %distance1, %wave_size : i32
        %other_bits_5 = vector.insert %bits_there4, %other_bits_4[4] : i32 into !pair_bits
        %own_bits5 = vector.extract %own_bits[5] : i32 from !pair_bits
        %bits_there5, %bits_are_there5 =
          gpu.shuffle xor %own_bits5, %distance1, %wave_size : i32
        %other_bits_6 = vector.insert %bits_there5, %other_bits_5[5] : i32 into !pair_bits
        %own_bits6 = vector.extract %own_bits[6] : i32 from !pair_bits
        %bits_there6, %bits_are_there6 =
          gpu.shuffle xor %own_bits6, %distance1, %wave_size : i32
        %other_bits_7 = vector.insert %bits_there6, %other_bits_6[6] : i32 into !pair_bits
        %own_bits7 = vector.extract %own_bits[7] : i32 from !pair_bits
        %bits_there7, %bits_are_there7 =
          gpu.shuffle xor %own_bits7, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there7, %other_bits_7[7] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_piece0_0 =
          "vector.load"(%value_lds, %value_row0, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces0 = vector.insert
          %value_piece0_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys0 = vector.shape_cast %value_pieces0 : !value_pieces to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value_row1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %value_piece1_0 =
          "vector.load"(%value_lds, %value_row1, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces1 = vector.insert
          %value_piece1_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys1 = vector.shape_cast %value_pieces1 : !value_pieces to !value_keys
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        %value_row2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
        %value_piece2_0 =
          "vector.load"(%value_lds, %value_row2, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces2 = vector.insert
          %value_piece2_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys2 = vector.shape_cast %value_pieces2 : !value_pieces to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value_row3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
        %value_piece3_0 =
          "vector.load"(%value_lds, %value_row3, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces3 = vector.insert
          %value_piece3_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys3 = vector.shape_cast %value_pieces3 : !value_pieces to !value_keys
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
          scf.yield %limit_next0, %minus_max_next0, %sum_next0, %acc_next
            : f32, f32, f32, !acc
        } else {
          scf.yield %limit0, %minus_max0, %sum0, %acc
            : f32, f32, f32, !acc
        }
        scf.yield %limit_next0, %minus_max_next0, %sum_next0, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, !acc, !keys, !values
      }
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %acc_2 : !acc to !acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !acc_by_column to !acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %no_rows = arith.constant dense<0.0> : !rows_f32
      %sink = tensor.extract %sinks[%x] : tensor<8xf32>
      %max0_2 = arith.negf %minus_max0_2 : f32
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0 = arith.addf %sum0_2, %total_there0_1 : f32
      %sum_row0 = arith.addf %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %sink_unit0 = arith.constant 1.4426950408889634 : f32
      %sink_logit0 = arith.mulf %sink, %sink_unit0 : f32
      %max_with_sink0 = arith.maxnumf %max0_2, %sink_logit0 : f32
      %max_below0 = arith.subf %max0_2, %max_with_sink0 : f32
        %sink_factor0 = math.exp2 %max_below0 : f32
      %sink_below0 = arith.subf %sink_logit0, %max_with_sink0 : f32
        %sink_exp0 = math.exp2 %sink_below0 : f32
      %sum_shrunk0 = arith.mulf %sum_row0, %sink_factor0 : f32
      %sum_with_sink0 = arith.addf %sum_shrunk0, %sink_exp0 : f32
      %sums_of_row0 = vector.extract %acc_by_row[0] : !acc_row from !acc_by_row
      %sums_real0 = scf.if %is_empty0 -> (!acc_row) {
        %nothing0 = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
        %no_sums0 = vector.broadcast %nothing0 : f32 to !acc_row
        scf.yield %no_sums0 : !acc_row
      } else {
        scf.yield %sums_of_row0 : !acc_row
      }
      %inverse_any0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%sum_with_sink0) : (f32) -> f32
      %inverse_of_sink0 = arith.mulf %sink_factor0, %inverse_any0 : f32
      %inverse0 = arith.select %is_empty0, %zero, %inverse_of_sink0 : f32
      %inverses0 = vector.broadcast %inverse0 : f32 to !acc_row
      %means0 = arith.mulf %sums_real0, %inverses0 : !acc_row
      %means_flat0 = vector.shape_cast %means0 : !acc_row to !output_f32
      %output_f32 = vector.insert %means_flat0, %no_rows[0] : !output_f32 into !rows_f32
      %output = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 1)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %has_row = arith.cmpi slt, %none, %own_rows : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [%own_rows, 32]
        [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows0 = scf.if %has_row
          -> (tensor<?x32xf16>) {
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [true, true]}
          : !output_rows, tensor<?x32xf16>
        scf.yield %new_rows0 : tensor<?x32xf16>
      } else {
        scf.yield %old_rows0 : tensor<?x32xf16>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : tensor<?x32xf16> into tensor<?x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<77x512xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [77, 512], strides = [1, 1]
      : tensor<77x512xf16> -> !output_rows_out
    return
  }
  }
}
func.func @packed_attention(%query: !query, %key: !key, %value: !value, %cu_seqlens_q: !cu_seqlens_q, %cu_seqlens_k: !cu_seqlens_k, %alibi_slopes: !alibi_slopes, %bias: !bias, %keep_mask: !keep_mask, %sinks: !sinks) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<77x8x64xf16> into tensor<616x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1], [2]]
    : tensor<128x2x64xf16> into tensor<256x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1], [2]]
    : tensor<128x2x64xf16> into tensor<256x64xf16>
  %bias_rows = tensor.collapse_shape %bias [[0, 1, 2]]
    : tensor<8x77x128xf16> into tensor<78848xf16>
  %keep_mask_elements = tensor.collapse_shape %keep_mask [[0, 1, 2]]
    : tensor<1x77x1xi1> into tensor<77xi1>
  %keep_mask_rows = flow.tensor.bitcast %keep_mask_elements
    : tensor<77xi1> -> tensor<77xi8>
  %made = flow.dispatch @packed_attention_kernel::@packed_attention_kernel(
      %query_rows, %key_rows, %value_rows, %cu_seqlens_q, %cu_seqlens_k, %alibi_slopes, %bias_rows, %keep_mask_rows, %sinks
    ) : (
      tensor<616x64xf16>,
      tensor<256x64xf16>,
      tensor<256x64xf16>,
      tensor<4xi32>,
      tensor<4xi32>,
      tensor<8xf32>,
      tensor<78848xf16>,
      tensor<77xi8>,
      tensor<8xf32>
    ) -> tensor<77x512xf16>
  %output = tensor.expand_shape %made [[0], [1, 2]]
    output_shape [77, 8, 64] : tensor<77x512xf16> into tensor<77x8x64xf16>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @packed_attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %cu_seqlens_q: !cu_seqlens_q,
    %cu_seqlens_k: !cu_seqlens_k,
    %alibi_slopes: !alibi_slopes,
    %bias: !bias,
    %keep_mask: !keep_mask,
    %sinks: !sinks
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @packed_attention(%query, %key, %value, %cu_seqlens_q, %cu_seqlens_k, %alibi_slopes, %bias, %keep_mask, %sinks)
    : (!query, !key, !value, !cu_seqlens_q, !cu_seqlens_k, !alibi_slopes, !bias, !keep_mask, !sinks) -> (!output)
  util.return %output : !output
}
