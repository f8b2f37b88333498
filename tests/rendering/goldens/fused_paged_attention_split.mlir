// Attention as one kernel of lanes, and a merge of parts of the keys.
!query = tensor<2x8x1x64xf16>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x64xi32>
!context_lens = tensor<2xi32>
!sinks = tensor<8xf32>
!output = tensor<2x8x1x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x64xf16>>
!key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<128xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!part_acc_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x64xf32>>
!part_max_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32xf32>>
!part_sum_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32xf32>>
!part_acc = tensor<2x2x2x4x64xf32>
!part_max = tensor<2x2x2x4xf32>
!part_sum = tensor<2x2x2x4xf32>
!part_acc_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x2x4x64xf32>>
!part_max_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x2x4xf32>>
!part_sum_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x2x4xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf16>>
!merged_row = tensor<1x64xf16>
!merged_lse = tensor<1xf32>
!merged_stored = vector<1x1xf16>
!own_of_row = tensor<?x1xf16>
#merge = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [64, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!head_chunk = vector<16xf16>
!query_columns = vector<1x1x16xf16>
!queries = vector<1x1x1x1x16xf16>
!queries_turned = vector<1x1x1x1x16xf16>
!query_operand = vector<1x1x1x16xf16>
!key_operand = vector<1x1x1x16xf16>
!value_keys = vector<16xf16>
!value_operand = vector<1x1x1x16xf16>
!weight_parts = vector<1x1x1x1x16xf16>
!weight_parts_turned = vector<1x1x1x1x16xf16>
!weights_operand = vector<1x1x1x16xf16>
!row_scores = vector<8xf32>
!score_tile = vector<1x8xf32>
!scores = vector<1x1x8xf32>
!scores_flat = vector<8xf32>
!score_bits = vector<1x1x8xi32>
!is_seen = vector<1x1x8xi1>
!weight_bits = vector<1x1x8xi16>
!weights_by_key = vector<1x1x8xf16>
!weights_own = vector<1x1x8xf16>
!weights_flat = vector<8xf16>
!pair = vector<2xf16>
!pairs = vector<4x2xf16>
!pair_bits = vector<4xi32>
!all_bits = vector<8xi32>
!all_weights = vector<16xf16>
!sums = vector<1x1x1x8xf32>
!sum_factors = vector<1x1x1x1xf32>
!acc = vector<4x1x1x1x8xf32>
!acc_by_column = vector<4x1x8xf32>
!acc_by_row = vector<1x8x4xf32>
!acc_row = vector<8x4xf32>
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
!output_rows = vector<1x2xf16>
!row_number = vector<1xf32>
!access = vector<4xf16>
!access_bits = vector<2xi32>
!column_bits = vector<8xi32>
!waves = vector<4xf32>
!piece = vector<2xf32>
!part_acc_rows = vector<1x2xf32>
!query_lds = memref<16x72xf16, #gpu.address_space<workgroup>>
!acc_lds = memref<4x4x68xf32, #gpu.address_space<workgroup>>
!max_lds = memref<4x4xf32, #gpu.address_space<workgroup>>
!sum_lds = !max_lds
// The group that has the row of index i of a tile's sums, and the row's number there.
#group_of_row = affine_map<(i) -> (i mod 2)>
#row_of_group = affine_map<(i) -> (i floordiv 2)>
// What a lane has of the step that begins at key t: keys, of row r of group s, and neighbours of its first
// key f to multiply values of.
#key_of_step0 = affine_map<(t, s, r) -> (t + s * 8 + r + 0)>
#value_neighbour0 = affine_map<(f) -> (f + 0)>
#value_neighbour1 = affine_map<(f) -> (f + 1)>
#value_neighbour2 = affine_map<(f) -> (f + 2)>
#value_neighbour3 = affine_map<(f) -> (f + 3)>
#value_neighbour4 = affine_map<(f) -> (f + 4)>
#value_neighbour5 = affine_map<(f) -> (f + 5)>
#value_neighbour6 = affine_map<(f) -> (f + 6)>
#value_neighbour7 = affine_map<(f) -> (f + 7)>
#value_neighbour8 = affine_map<(f) -> (f + 8)>
#value_neighbour9 = affine_map<(f) -> (f + 9)>
#value_neighbour10 = affine_map<(f) -> (f + 10)>
#value_neighbour11 = affine_map<(f) -> (f + 11)>
#value_neighbour12 = affine_map<(f) -> (f + 12)>
#value_neighbour13 = affine_map<(f) -> (f + 13)>
#value_neighbour14 = affine_map<(f) -> (f + 14)>
#value_neighbour15 = affine_map<(f) -> (f + 15)>
#value_column = affine_map<(s, r) -> ((s * 8 + r) * 4)>
flow.executable private @paged_attention_kernel {
  flow.executable.export public @paged_attention_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @paged_attention_kernel(
      %query_rows_in: !query_rows_in,
      %key_cache_rows_in: !key_cache_rows_in,
      %value_cache_rows_in: !value_cache_rows_in,
      %block_table_rows_in: !block_table_rows_in,
      %context_lens_in: !context_lens_in,
      %sinks_in: !sinks_in,
      %part_acc_rows_out: !part_acc_rows_out,
      %part_max_rows_out: !part_max_rows_out,
      %part_sum_rows_out: !part_sum_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [16, 64], strides = [1, 1]
      : !query_rows_in -> tensor<16x64xf16>
    %key_cache_rows = iree_tensor_ext.dispatch.tensor.load %key_cache_rows_in,
      offsets = [0, 0], sizes = [288, 64], strides = [1, 1]
      : !key_cache_rows_in -> tensor<288x64xf16>
    %value_cache_rows = iree_tensor_ext.dispatch.tensor.load %value_cache_rows_in,
      offsets = [0, 0], sizes = [288, 64], strides = [1, 1]
      : !value_cache_rows_in -> tensor<288x64xf16>
    %block_table_rows = iree_tensor_ext.dispatch.tensor.load %block_table_rows_in,
      offsets = [0], sizes = [128], strides = [1]
      : !block_table_rows_in -> tensor<128xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !context_lens_in -> tensor<2xi32>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %part_acc_rows_empty = tensor.empty() : tensor<32x64xf32>
    %part_max_rows_empty = tensor.empty() : tensor<32xf32>
    %part_sum_rows_empty = tensor.empty() : tensor<32xf32>
    %sequences = arith.constant 2 : index
    %heads = arith.constant 2 : index
    %rows_of_head = arith.constant 4 : index
    %parts = arith.constant 2 : index
    %keys_of_head = arith.constant 1024 : index
    %q_len = arith.constant 1 : index
    %pages = arith.constant 64 : index
    %cache_blocks = arith.constant 9 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 16 * p)>()[%rows_of_head, %parts]
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%part_acc_rows_all = %part_acc_rows_empty, %part_max_rows_all = %part_max_rows_empty, %part_sum_rows_all = %part_sum_rows_empty) -> (tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>) {
    %last_block_index = affine.apply affine_map<()[n] -> (n - 1)>()[%cache_blocks]
    %last_block = arith.index_cast %last_block_index : index to i32
    %tile = affine.apply affine_map<(i)[p] -> (i floordiv p)>(%i)[%parts]
    %part = affine.apply affine_map<(i)[p] -> (i mod p)>(%i)[%parts]
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %table_base = arith.muli %b, %pages : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<2xi32>
    %context_len_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len = arith.index_cast %context_len_kept : i32 to index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %head_and_part = affine.apply affine_map<(x, p)[n] -> (x * n + p)>(%head, %part)[%parts]
    %part_base = arith.muli %head_and_part, %rows_of_head : index
    %result_row = arith.addi %part_base, %row_in_head : index
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
    %first_query = arith.constant 0 : index
    %query_end = affine.apply affine_map<(n) -> (n)>(%q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    // The step of the first key that the first query sees.
    %seen_begin = affine.apply
      affine_map<(q, p)
      -> ((p + q - 99) floordiv 16 * 16)>(%first_query,
        %first_position)
    // Entries of the table before this key may name pages of others: no token of theirs is read.
    %window_begin = affine.max
      affine_map<(q, p) -> (p + q - 99, 0)>(%first_query, %first_position)
    %first_key = arith.minsi %window_begin, %last_key : index
    %part_first_seen = affine.max
      affine_map<(n) -> ((n - 100) floordiv 192, 0)>(%context_len)
    %part_there = arith.addi %part, %part_first_seen : index
    %part_begin = affine.apply affine_map<(p) -> (p * 192)>(%part_there)
    %part_end = affine.apply affine_map<(p) -> (p * 192 + 192)>(%part_there)
    %begin = affine.max affine_map<(a, b, c) -> (a, b, c)>(%none, %seen_begin, %part_begin)
    %end = affine.min affine_map<(a, b, c) -> (a, b, c)>(%keys_end, %seen_end, %part_end)
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %acc_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !acc_lds
    %max_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !max_lds
    %sum_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !sum_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf32>
    %tile_empty1 = tensor.empty(%rows_here)
      : tensor<?xf32>
    %tile_empty2 = tensor.empty(%rows_here)
      : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%zero : f32)
      outs(%tile_empty0 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %part_acc_rows_stored, %part_max_rows_stored, %part_sum_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
          , %tile1 = %tile_empty1
          , %tile2 = %tile_empty2
        ) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      // How long sequences are is known in the kernel alone: a part beyond the end of one would wait for
      // queries in vain. Nothing of it is merged.
      %is_idle = arith.cmpi sge, %part_begin, %context_len : index
      scf.if %is_idle {
        llvm.inline_asm has_side_effects "s_endpgm", "" : () -> ()
      }
      %first_of_wave = affine.apply affine_map<(p, w)
        -> (p * 192 + w * 48)>(%part_there, %wave)
      %wave_begin = affine.max affine_map<(b, w) -> (b, w)>(%begin, %first_of_wave)
      %wave_end = affine.min affine_map<(e, w) -> (e, w + 48)>(%end, %first_of_wave)
    %full_from = affine.max affine_map<(b, q, p)
      -> ((p + q - 100) ceildiv 16 * 16, b)>(
        %wave_begin, %query_end, %first_position)
    %full_begin = arith.minsi %full_from, %wave_end : index
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 16 * 16, e floordiv 16 *
      16)>(%wave_end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %full_begin : index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 0 + i * 1)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<16x64xf16>, !head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<16x64xf16>, !head_chunk
      %column0_2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_2 = vector.transfer_read
        %query_rows[%query_row0, %column0_2],
        %no_element {in_bounds = [true]} : tensor<16x64xf16>, !head_chunk
      %column0_3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
      %query_chunk0_3 = vector.transfer_read
        %query_rows[%query_row0, %column0_3],
        %no_element {in_bounds = [true]} : tensor<16x64xf16>, !head_chunk
      %no_queries = arith.constant dense<0.0> : !queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !head_chunk to !query_columns
        %queries0 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !query_columns into !queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !queries_turned to !query_operand
        %query_columns0_1 = vector.shape_cast %query_chunk0_1
          : !head_chunk to !query_columns
        %queries1 = vector.insert
          %query_columns0_1, %no_queries[0, 0]
          : !query_columns into !queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !queries_turned to !query_operand
        %query_columns0_2 = vector.shape_cast %query_chunk0_2
          : !head_chunk to !query_columns
        %queries2 = vector.insert
          %query_columns0_2, %no_queries[0, 0]
          : !query_columns into !queries
        %queries_turned2 = vector.transpose
          %queries2, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query2 = vector.shape_cast %queries_turned2 : !queries_turned to !query_operand
        %query_columns0_3 = vector.shape_cast %query_chunk0_3
          : !head_chunk to !query_columns
        %queries3 = vector.insert
          %query_columns0_3, %no_queries[0, 0]
          : !query_columns into !queries
        %queries_turned3 = vector.transpose
          %queries3, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query3 = vector.shape_cast %queries_turned3 : !queries_turned to !query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %query_of_head0 = affine.apply affine_map<(r)
        -> (r mod 1)>(%row_of_head0)
      %position0 = arith.addi %first_position, %query_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %first_seen0 = affine.apply affine_map<(p, k)
        -> (p - 99 - k)>(%position0, %key_of_group)
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      %score_sums0_0 = arith.constant dense<0.0> : !sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %max0_1, %sum0_1, %acc_1 =
        scf.for %t0 = %wave_begin to %full_begin step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %sum0 = %sum0_0,
            %acc = %acc_0)
          -> (f32, f32, !acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #group_of_row(%index)
        %row_of_group = affine.apply #row_of_group(%index)
      %key_any_k0 = affine.apply #key_of_step0(%t0, %group_of_row, %row_of_group)
      %key_late_k0 = arith.maxsi %key_any_k0, %first_key : index
      %key_k0 = arith.minsi %key_late_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<128xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_any_v0 = affine.apply #value_neighbour0(%first_value)
      %key_late_v0 = arith.maxsi %key_any_v0, %first_key : index
      %key_v0 = arith.minsi %key_late_v0, %last_key : index
        %is_v0 = arith.cmpi slt, %key_any_v0, %context_len : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<128xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #value_neighbour1(%first_value)
      %key_late_v1 = arith.maxsi %key_any_v1, %first_key : index
      %key_v1 = arith.minsi %key_late_v1, %last_key : index
        %is_v1 = arith.cmpi slt, %key_any_v1, %context_len : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #value_neighbour2(%first_value)
      %key_late_v2 = arith.maxsi %key_any_v2, %first_key : index
      %key_v2 = arith.minsi %key_late_v2, %last_key : index
        %is_v2 = arith.cmpi slt, %key_any_v2, %context_len : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #value_neighbour3(%first_value)
      %key_late_v3 = arith.maxsi %key_any_v3, %first_key : index
      %key_v3 = arith.minsi %key_late_v3, %last_key : index
        %is_v3 = arith.cmpi slt, %key_any_v3, %context_len : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_any_v4 = affine.apply #value_neighbour4(%first_value)
      %key_late_v4 = arith.maxsi %key_any_v4, %first_key : index
      %key_v4 = arith.minsi %key_late_v4, %last_key : index
        %is_v4 = arith.cmpi slt, %key_any_v4, %context_len : index
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_any_v5 = affine.apply #value_neighbour5(%first_value)
      %key_late_v5 = arith.maxsi %key_any_v5, %first_key : index
      %key_v5 = arith.minsi %key_late_v5, %last_key : index
        %is_v5 = arith.cmpi slt, %key_any_v5, %context_len : index
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_any_v6 = affine.apply #value_neighbour6(%first_value)
      %key_late_v6 = arith.maxsi %key_any_v6, %first_key : index
      %key_v6 = arith.minsi %key_late_v6, %last_key : index
        %is_v6 = arith.cmpi slt, %key_any_v6, %context_len : index
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_any_v7 = affine.apply #value_neighbour7(%first_value)
      %key_late_v7 = arith.maxsi %key_any_v7, %first_key : index
      %key_v7 = arith.minsi %key_late_v7, %last_key : index
        %is_v7 = arith.cmpi slt, %key_any_v7, %context_len : index
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_any_v8 = affine.apply #value_neighbour8(%first_value)
      %key_late_v8 = arith.maxsi %key_any_v8, %first_key : index
      %key_v8 = arith.minsi %key_late_v8, %last_key : index
        %is_v8 = arith.cmpi slt, %key_any_v8, %context_len : index
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_any_v9 = affine.apply #value_neighbour9(%first_value)
      %key_late_v9 = arith.maxsi %key_any_v9, %first_key : index
      %key_v9 = arith.minsi %key_late_v9, %last_key : index
        %is_v9 = arith.cmpi slt, %key_any_v9, %context_len : index
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_any_v10 = affine.apply #value_neighbour10(%first_value)
      %key_late_v10 = arith.maxsi %key_any_v10, %first_key : index
      %key_v10 = arith.minsi %key_late_v10, %last_key : index
        %is_v10 = arith.cmpi slt, %key_any_v10, %context_len : index
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_any_v11 = affine.apply #value_neighbour11(%first_value)
      %key_late_v11 = arith.maxsi %key_any_v11, %first_key : index
      %key_v11 = arith.minsi %key_late_v11, %last_key : index
        %is_v11 = arith.cmpi slt, %key_any_v11, %context_len : index
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_any_v12 = affine.apply #value_neighbour12(%first_value)
      %key_late_v12 = arith.maxsi %key_any_v12, %first_key : index
      %key_v12 = arith.minsi %key_late_v12, %last_key : index
        %is_v12 = arith.cmpi slt, %key_any_v12, %context_len : index
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_any_v13 = affine.apply #value_neighbour13(%first_value)
      %key_late_v13 = arith.maxsi %key_any_v13, %first_key : index
      %key_v13 = arith.minsi %key_late_v13, %last_key : index
        %is_v13 = arith.cmpi slt, %key_any_v13, %context_len : index
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_any_v14 = affine.apply #value_neighbour14(%first_value)
      %key_late_v14 = arith.maxsi %key_any_v14, %first_key : index
      %key_v14 = arith.minsi %key_late_v14, %last_key : index
        %is_v14 = arith.cmpi slt, %key_any_v14, %context_len : index
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_any_v15 = affine.apply #value_neighbour15(%first_value)
      %key_late_v15 = arith.maxsi %key_any_v15, %first_key : index
      %key_v15 = arith.minsi %key_late_v15, %last_key : index
        %is_v15 = arith.cmpi slt, %key_any_v15, %context_len : index
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_0 = vector.bitcast %read0_0 : !access to !access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_1 = vector.bitcast %read0_1 : !access to !access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_2 = vector.bitcast %read0_2 : !access to !access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_3 = vector.bitcast %read0_3 : !access to !access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_4 = vector.bitcast %read0_4 : !access to !access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_5 = vector.bitcast %read0_5 : !access to !access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_6 = vector.bitcast %read0_6 : !access to !access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_7 = vector.bitcast %read0_7 : !access to !access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_8 = vector.bitcast %read0_8 : !access to !access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_9 = vector.bitcast %read0_9 : !access to !access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_10 = vector.bitcast %read0_10 : !access to !access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_11 = vector.bitcast %read0_11 : !access to !access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_12 = vector.bitcast %read0_12 : !access to !access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_13 = vector.bitcast %read0_13 : !access to !access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_14 = vector.bitcast %read0_14 : !access to !access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_15 = vector.bitcast %read0_15 : !access to !access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !head_chunk to !key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !head_chunk to !key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !sums to !score_tile
        %scores = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_rows = vector.from_elements %last_i32_0 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %first_of_step0 = arith.subi %first_seen0, %t0 : index
        %first_i32_0 = arith.index_cast %first_of_step0 : index to i32
        %first_rows = vector.from_elements %first_i32_0 : !row_bits
        %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
        %is_first_seen = arith.cmpi sge, %key_numbers, %firsts : !score_bits
        %is_seen = arith.andi %is_last_seen, %is_first_seen : !is_seen
        %scores_ruled = arith.select %is_seen, %scores, %hidden
          : !is_seen, !scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %top0 = vector.extract %top0_0[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %acc_less = arith.mulf %acc, %all_factors : !acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !pair
        %no_pairs = arith.constant dense<0.0> : !pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !pair into !pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !pair into !pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !pair into !pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
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
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any0_0 =
          vector.extract %values0_0[0] : i32 from !access_bits
        %bits0_0 =
          arith.select %is_v0, %bits_any0_0, %no_bits : i32
        %bits_any0_1 =
          vector.extract %values0_1[0] : i32 from !access_bits
        %bits0_1 =
          arith.select %is_v1, %bits_any0_1, %no_bits : i32
        %bits_any0_2 =
          vector.extract %values0_2[0] : i32 from !access_bits
        %bits0_2 =
          arith.select %is_v2, %bits_any0_2, %no_bits : i32
        %bits_any0_3 =
          vector.extract %values0_3[0] : i32 from !access_bits
        %bits0_3 =
          arith.select %is_v3, %bits_any0_3, %no_bits : i32
        %bits_any0_4 =
          vector.extract %values0_4[0] : i32 from !access_bits
        %bits0_4 =
          arith.select %is_v4, %bits_any0_4, %no_bits : i32
        %bits_any0_5 =
          vector.extract %values0_5[0] : i32 from !access_bits
        %bits0_5 =
          arith.select %is_v5, %bits_any0_5, %no_bits : i32
        %bits_any0_6 =
          vector.extract %values0_6[0] : i32 from !access_bits
        %bits0_6 =
          arith.select %is_v6, %bits_any0_6, %no_bits : i32
        %bits_any0_7 =
          vector.extract %values0_7[0] : i32 from !access_bits
        %bits0_7 =
          arith.select %is_v7, %bits_any0_7, %no_bits : i32
        %bits_any0_8 =
          vector.extract %values0_8[0] : i32 from !access_bits
        %bits0_8 =
          arith.select %is_v8, %bits_any0_8, %no_bits : i32
        %bits_any0_9 =
          vector.extract %values0_9[0] : i32 from !access_bits
        %bits0_9 =
          arith.select %is_v9, %bits_any0_9, %no_bits : i32
        %bits_any0_10 =
          vector.extract %values0_10[0] : i32 from !access_bits
        %bits0_10 =
          arith.select %is_v10, %bits_any0_10, %no_bits : i32
        %bits_any0_11 =
          vector.extract %values0_11[0] : i32 from !access_bits
        %bits0_11 =
          arith.select %is_v11, %bits_any0_11, %no_bits : i32
        %bits_any0_12 =
          vector.extract %values0_12[0] : i32 from !access_bits
        %bits0_12 =
          arith.select %is_v12, %bits_any0_12, %no_bits : i32
        %bits_any0_13 =
          vector.extract %values0_13[0] : i32 from !access_bits
        %bits0_13 =
          arith.select %is_v13, %bits_any0_13, %no_bits : i32
        %bits_any0_14 =
          vector.extract %values0_14[0] : i32 from !access_bits
        %bits0_14 =
          arith.select %is_v14, %bits_any0_14, %no_bits : i32
        %bits_any0_15 =
          vector.extract %values0_15[0] : i32 from !access_bits
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
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !column_bits
        %value_keys0 = vector.bitcast %column0 : !column_bits to !value_keys
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
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !column_bits
        %value_keys1 = vector.bitcast %column1 : !column_bits to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any2_0 =
          vector.extract %values0_0[1] : i32 from !access_bits
        %bits2_0 =
          arith.select %is_v0, %bits_any2_0, %no_bits : i32
        %bits_any2_1 =
          vector.extract %values0_1[1] : i32 from !access_bits
        %bits2_1 =
          arith.select %is_v1, %bits_any2_1, %no_bits : i32
        %bits_any2_2 =
          vector.extract %values0_2[1] : i32 from !access_bits
        %bits2_2 =
          arith.select %is_v2, %bits_any2_2, %no_bits : i32
        %bits_any2_3 =
          vector.extract %values0_3[1] : i32 from !access_bits
        %bits2_3 =
          arith.select %is_v3, %bits_any2_3, %no_bits : i32
        %bits_any2_4 =
          vector.extract %values0_4[1] : i32 from !access_bits
        %bits2_4 =
          arith.select %is_v4, %bits_any2_4, %no_bits : i32
        %bits_any2_5 =
          vector.extract %values0_5[1] : i32 from !access_bits
        %bits2_5 =
          arith.select %is_v5, %bits_any2_5, %no_bits : i32
        %bits_any2_6 =
          vector.extract %values0_6[1] : i32 from !access_bits
        %bits2_6 =
          arith.select %is_v6, %bits_any2_6, %no_bits : i32
        %bits_any2_7 =
          vector.extract %values0_7[1] : i32 from !access_bits
        %bits2_7 =
          arith.select %is_v7, %bits_any2_7, %no_bits : i32
        %bits_any2_8 =
          vector.extract %values0_8[1] : i32 from !access_bits
        %bits2_8 =
          arith.select %is_v8, %bits_any2_8, %no_bits : i32
        %bits_any2_9 =
          vector.extract %values0_9[1] : i32 from !access_bits
        %bits2_9 =
          arith.select %is_v9, %bits_any2_9, %no_bits : i32
        %bits_any2_10 =
          vector.extract %values0_10[1] : i32 from !access_bits
        %bits2_10 =
          arith.select %is_v10, %bits_any2_10, %no_bits : i32
        %bits_any2_11 =
          vector.extract %values0_11[1] : i32 from !access_bits
        %bits2_11 =
          arith.select %is_v11, %bits_any2_11, %no_bits : i32
        %bits_any2_12 =
          vector.extract %values0_12[1] : i32 from !access_bits
        %bits2_12 =
          arith.select %is_v12, %bits_any2_12, %no_bits : i32
        %bits_any2_13 =
          vector.extract %values0_13[1] : i32 from !access_bits
        %bits2_13 =
          arith.select %is_v13, %bits_any2_13, %no_bits : i32
        %bits_any2_14 =
          vector.extract %values0_14[1] : i32 from !access_bits
        %bits2_14 =
          arith.select %is_v14, %bits_any2_14, %no_bits : i32
        %bits_any2_15 =
          vector.extract %values0_15[1] : i32 from !access_bits
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
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !column_bits
        %value_keys2 = vector.bitcast %column2 : !column_bits to !value_keys
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
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !column_bits
        %value_keys3 = vector.bitcast %column3 : !column_bits to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !acc
      }
      %max0_2, %sum0_2, %acc_2 =
        scf.for %t0 = %full_begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %sum0 = %sum0_1,
            %acc = %acc_1)
          -> (f32, f32, !acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #group_of_row(%index)
        %row_of_group = affine.apply #row_of_group(%index)
      %key_k0 = affine.apply #key_of_step0(%t0, %group_of_row, %row_of_group)
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<128xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_v0 = affine.apply #value_neighbour0(%first_value)
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<128xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_v1 = affine.apply #value_neighbour1(%first_value)
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_v2 = affine.apply #value_neighbour2(%first_value)
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_v3 = affine.apply #value_neighbour3(%first_value)
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_v4 = affine.apply #value_neighbour4(%first_value)
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_v5 = affine.apply #value_neighbour5(%first_value)
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_v6 = affine.apply #value_neighbour6(%first_value)
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_v7 = affine.apply #value_neighbour7(%first_value)
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_v8 = affine.apply #value_neighbour8(%first_value)
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_v9 = affine.apply #value_neighbour9(%first_value)
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_v10 = affine.apply #value_neighbour10(%first_value)
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_v11 = affine.apply #value_neighbour11(%first_value)
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_v12 = affine.apply #value_neighbour12(%first_value)
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_v13 = affine.apply #value_neighbour13(%first_value)
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_v14 = affine.apply #value_neighbour14(%first_value)
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_v15 = affine.apply #value_neighbour15(%first_value)
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_0 = vector.bitcast %read0_0 : !access to !access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_1 = vector.bitcast %read0_1 : !access to !access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_2 = vector.bitcast %read0_2 : !access to !access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_3 = vector.bitcast %read0_3 : !access to !access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_4 = vector.bitcast %read0_4 : !access to !access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_5 = vector.bitcast %read0_5 : !access to !access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_6 = vector.bitcast %read0_6 : !access to !access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_7 = vector.bitcast %read0_7 : !access to !access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_8 = vector.bitcast %read0_8 : !access to !access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_9 = vector.bitcast %read0_9 : !access to !access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_10 = vector.bitcast %read0_10 : !access to !access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_11 = vector.bitcast %read0_11 : !access to !access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_12 = vector.bitcast %read0_12 : !access to !access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_13 = vector.bitcast %read0_13 : !access to !access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_14 = vector.bitcast %read0_14 : !access to !access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_15 = vector.bitcast %read0_15 : !access to !access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !head_chunk to !key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !head_chunk to !key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !sums to !score_tile
        %scores_ruled = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %top0 = vector.extract %top0_0[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %acc_less = arith.mulf %acc, %all_factors : !acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !pair
        %no_pairs = arith.constant dense<0.0> : !pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !pair into !pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !pair into !pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !pair into !pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
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
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits0_0 =
          vector.extract %values0_0[0] : i32 from !access_bits
        %bits0_1 =
          vector.extract %values0_1[0] : i32 from !access_bits
        %bits0_2 =
          vector.extract %values0_2[0] : i32 from !access_bits
        %bits0_3 =
          vector.extract %values0_3[0] : i32 from !access_bits
        %bits0_4 =
          vector.extract %values0_4[0] : i32 from !access_bits
        %bits0_5 =
          vector.extract %values0_5[0] : i32 from !access_bits
        %bits0_6 =
          vector.extract %values0_6[0] : i32 from !access_bits
        %bits0_7 =
          vector.extract %values0_7[0] : i32 from !access_bits
        %bits0_8 =
          vector.extract %values0_8[0] : i32 from !access_bits
        %bits0_9 =
          vector.extract %values0_9[0] : i32 from !access_bits
        %bits0_10 =
          vector.extract %values0_10[0] : i32 from !access_bits
        %bits0_11 =
          vector.extract %values0_11[0] : i32 from !access_bits
        %bits0_12 =
          vector.extract %values0_12[0] : i32 from !access_bits
        %bits0_13 =
          vector.extract %values0_13[0] : i32 from !access_bits
        %bits0_14 =
          vector.extract %values0_14[0] : i32 from !access_bits
        %bits0_15 =
          vector.extract %values0_15[0] : i32 from !access_bits
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
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !column_bits
        %value_keys0 = vector.bitcast %column0 : !column_bits to !value_keys
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
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !column_bits
        %value_keys1 = vector.bitcast %column1 : !column_bits to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits2_0 =
          vector.extract %values0_0[1] : i32 from !access_bits
        %bits2_1 =
          vector.extract %values0_1[1] : i32 from !access_bits
        %bits2_2 =
          vector.extract %values0_2[1] : i32 from !access_bits
        %bits2_3 =
          vector.extract %values0_3[1] : i32 from !access_bits
        %bits2_4 =
          vector.extract %values0_4[1] : i32 from !access_bits
        %bits2_5 =
          vector.extract %values0_5[1] : i32 from !access_bits
        %bits2_6 =
          vector.extract %values0_6[1] : i32 from !access_bits
        %bits2_7 =
          vector.extract %values0_7[1] : i32 from !access_bits
        %bits2_8 =
          vector.extract %values0_8[1] : i32 from !access_bits
        %bits2_9 =
          vector.extract %values0_9[1] : i32 from !access_bits
        %bits2_10 =
          vector.extract %values0_10[1] : i32 from !access_bits
        %bits2_11 =
          vector.extract %values0_11[1] : i32 from !access_bits
        %bits2_12 =
          vector.extract %values0_12[1] : i32 from !access_bits
        %bits2_13 =
          vector.extract %values0_13[1] : i32 from !access_bits
        %bits2_14 =
          vector.extract %values0_14[1] : i32 from !access_bits
        %bits2_15 =
          vector.extract %values0_15[1] : i32 from !access_bits
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
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !column_bits
        %value_keys2 = vector.bitcast %column2 : !column_bits to !value_keys
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
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !column_bits
        %value_keys3 = vector.bitcast %column3 : !column_bits to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !acc
      }
      %max0_3, %sum0_3, %acc_3 =
        scf.for %t0 = %full_end to %wave_end step %keys_of_step
          iter_args(
            %max0 = %max0_2,
            %sum0 = %sum0_2,
            %acc = %acc_2)
          -> (f32, f32, !acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #group_of_row(%index)
        %row_of_group = affine.apply #row_of_group(%index)
      %key_any_k0 = affine.apply #key_of_step0(%t0, %group_of_row, %row_of_group)
      %key_late_k0 = arith.maxsi %key_any_k0, %first_key : index
      %key_k0 = arith.minsi %key_late_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<128xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_any_v0 = affine.apply #value_neighbour0(%first_value)
      %key_late_v0 = arith.maxsi %key_any_v0, %first_key : index
      %key_v0 = arith.minsi %key_late_v0, %last_key : index
        %is_v0 = arith.cmpi slt, %key_any_v0, %context_len : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<128xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #value_neighbour1(%first_value)
      %key_late_v1 = arith.maxsi %key_any_v1, %first_key : index
      %key_v1 = arith.minsi %key_late_v1, %last_key : index
        %is_v1 = arith.cmpi slt, %key_any_v1, %context_len : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #value_neighbour2(%first_value)
      %key_late_v2 = arith.maxsi %key_any_v2, %first_key : index
      %key_v2 = arith.minsi %key_late_v2, %last_key : index
        %is_v2 = arith.cmpi slt, %key_any_v2, %context_len : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #value_neighbour3(%first_value)
      %key_late_v3 = arith.maxsi %key_any_v3, %first_key : index
      %key_v3 = arith.minsi %key_late_v3, %last_key : index
        %is_v3 = arith.cmpi slt, %key_any_v3, %context_len : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_any_v4 = affine.apply #value_neighbour4(%first_value)
      %key_late_v4 = arith.maxsi %key_any_v4, %first_key : index
      %key_v4 = arith.minsi %key_late_v4, %last_key : index
        %is_v4 = arith.cmpi slt, %key_any_v4, %context_len : index
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_any_v5 = affine.apply #value_neighbour5(%first_value)
      %key_late_v5 = arith.maxsi %key_any_v5, %first_key : index
      %key_v5 = arith.minsi %key_late_v5, %last_key : index
        %is_v5 = arith.cmpi slt, %key_any_v5, %context_len : index
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_any_v6 = affine.apply #value_neighbour6(%first_value)
      %key_late_v6 = arith.maxsi %key_any_v6, %first_key : index
      %key_v6 = arith.minsi %key_late_v6, %last_key : index
        %is_v6 = arith.cmpi slt, %key_any_v6, %context_len : index
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_any_v7 = affine.apply #value_neighbour7(%first_value)
      %key_late_v7 = arith.maxsi %key_any_v7, %first_key : index
      %key_v7 = arith.minsi %key_late_v7, %last_key : index
        %is_v7 = arith.cmpi slt, %key_any_v7, %context_len : index
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_any_v8 = affine.apply #value_neighbour8(%first_value)
      %key_late_v8 = arith.maxsi %key_any_v8, %first_key : index
      %key_v8 = arith.minsi %key_late_v8, %last_key : index
        %is_v8 = arith.cmpi slt, %key_any_v8, %context_len : index
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_any_v9 = affine.apply #value_neighbour9(%first_value)
      %key_late_v9 = arith.maxsi %key_any_v9, %first_key : index
      %key_v9 = arith.minsi %key_late_v9, %last_key : index
        %is_v9 = arith.cmpi slt, %key_any_v9, %context_len : index
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_any_v10 = affine.apply #value_neighbour10(%first_value)
      %key_late_v10 = arith.maxsi %key_any_v10, %first_key : index
      %key_v10 = arith.minsi %key_late_v10, %last_key : index
        %is_v10 = arith.cmpi slt, %key_any_v10, %context_len : index
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_any_v11 = affine.apply #value_neighbour11(%first_value)
      %key_late_v11 = arith.maxsi %key_any_v11, %first_key : index
      %key_v11 = arith.minsi %key_late_v11, %last_key : index
        %is_v11 = arith.cmpi slt, %key_any_v11, %context_len : index
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_any_v12 = affine.apply #value_neighbour12(%first_value)
      %key_late_v12 = arith.maxsi %key_any_v12, %first_key : index
      %key_v12 = arith.minsi %key_late_v12, %last_key : index
        %is_v12 = arith.cmpi slt, %key_any_v12, %context_len : index
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_any_v13 = affine.apply #value_neighbour13(%first_value)
      %key_late_v13 = arith.maxsi %key_any_v13, %first_key : index
      %key_v13 = arith.minsi %key_late_v13, %last_key : index
        %is_v13 = arith.cmpi slt, %key_any_v13, %context_len : index
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_any_v14 = affine.apply #value_neighbour14(%first_value)
      %key_late_v14 = arith.maxsi %key_any_v14, %first_key : index
      %key_v14 = arith.minsi %key_late_v14, %last_key : index
        %is_v14 = arith.cmpi slt, %key_any_v14, %context_len : index
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_any_v15 = affine.apply #value_neighbour15(%first_value)
      %key_late_v15 = arith.maxsi %key_any_v15, %first_key : index
      %key_v15 = arith.minsi %key_late_v15, %last_key : index
        %is_v15 = arith.cmpi slt, %key_any_v15, %context_len : index
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_0 = vector.bitcast %read0_0 : !access to !access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_1 = vector.bitcast %read0_1 : !access to !access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_2 = vector.bitcast %read0_2 : !access to !access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_3 = vector.bitcast %read0_3 : !access to !access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_4 = vector.bitcast %read0_4 : !access to !access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_5 = vector.bitcast %read0_5 : !access to !access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_6 = vector.bitcast %read0_6 : !access to !access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_7 = vector.bitcast %read0_7 : !access to !access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_8 = vector.bitcast %read0_8 : !access to !access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_9 = vector.bitcast %read0_9 : !access to !access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_10 = vector.bitcast %read0_10 : !access to !access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_11 = vector.bitcast %read0_11 : !access to !access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_12 = vector.bitcast %read0_12 : !access to !access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_13 = vector.bitcast %read0_13 : !access to !access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_14 = vector.bitcast %read0_14 : !access to !access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !access
        %values0_15 = vector.bitcast %read0_15 : !access to !access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !head_chunk to !key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !head_chunk to !key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !sums to !score_tile
        %scores = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_rows = vector.from_elements %last_i32_0 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %first_of_step0 = arith.subi %first_seen0, %t0 : index
        %first_i32_0 = arith.index_cast %first_of_step0 : index to i32
        %first_rows = vector.from_elements %first_i32_0 : !row_bits
        %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
        %is_first_seen = arith.cmpi sge, %key_numbers, %firsts : !score_bits
        %is_seen = arith.andi %is_last_seen, %is_first_seen : !is_seen
        %scores_ruled = arith.select %is_seen, %scores, %hidden
          : !is_seen, !scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %top0 = vector.extract %top0_0[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %acc_less = arith.mulf %acc, %all_factors : !acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !pair
        %no_pairs = arith.constant dense<0.0> : !pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !pair into !pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !pair into !pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !pair into !pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
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
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any0_0 =
          vector.extract %values0_0[0] : i32 from !access_bits
        %bits0_0 =
          arith.select %is_v0, %bits_any0_0, %no_bits : i32
        %bits_any0_1 =
          vector.extract %values0_1[0] : i32 from !access_bits
        %bits0_1 =
          arith.select %is_v1, %bits_any0_1, %no_bits : i32
        %bits_any0_2 =
          vector.extract %values0_2[0] : i32 from !access_bits
        %bits0_2 =
          arith.select %is_v2, %bits_any0_2, %no_bits : i32
        %bits_any0_3 =
          vector.extract %values0_3[0] : i32 from !access_bits
        %bits0_3 =
          arith.select %is_v3, %bits_any0_3, %no_bits : i32
        %bits_any0_4 =
          vector.extract %values0_4[0] : i32 from !access_bits
        %bits0_4 =
          arith.select %is_v4, %bits_any0_4, %no_bits : i32
        %bits_any0_5 =
          vector.extract %values0_5[0] : i32 from !access_bits
        %bits0_5 =
          arith.select %is_v5, %bits_any0_5, %no_bits : i32
        %bits_any0_6 =
          vector.extract %values0_6[0] : i32 from !access_bits
        %bits0_6 =
          arith.select %is_v6, %bits_any0_6, %no_bits : i32
        %bits_any0_7 =
          vector.extract %values0_7[0] : i32 from !access_bits
        %bits0_7 =
          arith.select %is_v7, %bits_any0_7, %no_bits : i32
        %bits_any0_8 =
          vector.extract %values0_8[0] : i32 from !access_bits
        %bits0_8 =
          arith.select %is_v8, %bits_any0_8, %no_bits : i32
        %bits_any0_9 =
          vector.extract %values0_9[0] : i32 from !access_bits
        %bits0_9 =
          arith.select %is_v9, %bits_any0_9, %no_bits : i32
        %bits_any0_10 =
          vector.extract %values0_10[0] : i32 from !access_bits
        %bits0_10 =
          arith.select %is_v10, %bits_any0_10, %no_bits : i32
        %bits_any0_11 =
          vector.extract %values0_11[0] : i32 from !access_bits
        %bits0_11 =
          arith.select %is_v11, %bits_any0_11, %no_bits : i32
        %bits_any0_12 =
          vector.extract %values0_12[0] : i32 from !access_bits
        %bits0_12 =
          arith.select %is_v12, %bits_any0_12, %no_bits : i32
        %bits_any0_13 =
          vector.extract %values0_13[0] : i32 from !access_bits
        %bits0_13 =
          arith.select %is_v13, %bits_any0_13, %no_bits : i32
        %bits_any0_14 =
          vector.extract %values0_14[0] : i32 from !access_bits
        %bits0_14 =
          arith.select %is_v14, %bits_any0_14, %no_bits : i32
        %bits_any0_15 =
          vector.extract %values0_15[0] : i32 from !access_bits
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
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !column_bits
        %value_keys0 = vector.bitcast %column0 : !column_bits to !value_keys
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
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !column_bits
        %value_keys1 = vector.bitcast %column1 : !column_bits to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any2_0 =
          vector.extract %values0_0[1] : i32 from !access_bits
        %bits2_0 =
          arith.select %is_v0, %bits_any2_0, %no_bits : i32
        %bits_any2_1 =
          vector.extract %values0_1[1] : i32 from !access_bits
        %bits2_1 =
          arith.select %is_v1, %bits_any2_1, %no_bits : i32
        %bits_any2_2 =
          vector.extract %values0_2[1] : i32 from !access_bits
        %bits2_2 =
          arith.select %is_v2, %bits_any2_2, %no_bits : i32
        %bits_any2_3 =
          vector.extract %values0_3[1] : i32 from !access_bits
        %bits2_3 =
          arith.select %is_v3, %bits_any2_3, %no_bits : i32
        %bits_any2_4 =
          vector.extract %values0_4[1] : i32 from !access_bits
        %bits2_4 =
          arith.select %is_v4, %bits_any2_4, %no_bits : i32
        %bits_any2_5 =
          vector.extract %values0_5[1] : i32 from !access_bits
        %bits2_5 =
          arith.select %is_v5, %bits_any2_5, %no_bits : i32
        %bits_any2_6 =
          vector.extract %values0_6[1] : i32 from !access_bits
        %bits2_6 =
          arith.select %is_v6, %bits_any2_6, %no_bits : i32
        %bits_any2_7 =
          vector.extract %values0_7[1] : i32 from !access_bits
        %bits2_7 =
          arith.select %is_v7, %bits_any2_7, %no_bits : i32
        %bits_any2_8 =
          vector.extract %values0_8[1] : i32 from !access_bits
        %bits2_8 =
          arith.select %is_v8, %bits_any2_8, %no_bits : i32
        %bits_any2_9 =
          vector.extract %values0_9[1] : i32 from !access_bits
        %bits2_9 =
          arith.select %is_v9, %bits_any2_9, %no_bits : i32
        %bits_any2_10 =
          vector.extract %values0_10[1] : i32 from !access_bits
        %bits2_10 =
          arith.select %is_v10, %bits_any2_10, %no_bits : i32
        %bits_any2_11 =
          vector.extract %values0_11[1] : i32 from !access_bits
        %bits2_11 =
          arith.select %is_v11, %bits_any2_11, %no_bits : i32
        %bits_any2_12 =
          vector.extract %values0_12[1] : i32 from !access_bits
        %bits2_12 =
          arith.select %is_v12, %bits_any2_12, %no_bits : i32
        %bits_any2_13 =
          vector.extract %values0_13[1] : i32 from !access_bits
        %bits2_13 =
          arith.select %is_v13, %bits_any2_13, %no_bits : i32
        %bits_any2_14 =
          vector.extract %values0_14[1] : i32 from !access_bits
        %bits2_14 =
          arith.select %is_v14, %bits_any2_14, %no_bits : i32
        %bits_any2_15 =
          vector.extract %values0_15[1] : i32 from !access_bits
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
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !column_bits
        %value_keys2 = vector.bitcast %column2 : !column_bits to !value_keys
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
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !column_bits
        %value_keys3 = vector.bitcast %column3 : !column_bits to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !acc
      }
      %acc_by_column = vector.shape_cast %acc_3 : !acc to !acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 2, 0] : !acc_by_column to !acc_by_row
      %sums_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %rows_of_wave = arith.constant 4 : index
      %is_group_first = arith.cmpi eq, %group, %none : index
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_3, %distance1, %wave_size : f32
        %total0 = arith.addf %sum0_3, %total_there0_1 : f32
      %lds_row0 = affine.apply affine_map<(r) -> (r + 0)>(%first_row)
      %is_row0 = arith.cmpi slt, %lds_row0, %rows_of_wave : index
      scf.if %is_row0 {
        %sums_of_row0 = vector.extract %acc_by_row[0] : !acc_row from !acc_by_row
        %sums_flat0 = vector.shape_cast %sums_of_row0 : !acc_row to !output_f32
        "vector.store"(%sums_flat0, %acc_lds, %wave, %lds_row0, %sums_column) <{alignment = 16
          : i64}> : (!output_f32, !acc_lds, index, index, index) -> ()
        scf.if %is_group_first {
          memref.store %max0_3, %max_lds[%lds_row0, %wave] : !max_lds
          memref.store %total0, %sum_lds[%lds_row0, %wave] : !sum_lds
        }
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %own_row = affine.apply affine_map<(l) -> (l floordiv 32)>(%lane)
      %own_column = affine.apply affine_map<(l) -> (l mod 32 * 2)>(%lane)
      %row_there = affine.min affine_map<(r) -> (r, 4 - 1)>(%own_row)
      %maxima = vector.load %max_lds[%row_there, %none] : !max_lds, !waves
      %totals = vector.load %sum_lds[%row_there, %none] : !sum_lds, !waves
      %top = vector.reduction <maxnumf>, %maxima : !waves into f32
      %no_piece = arith.constant dense<0.0> : !piece
      %max_of0 = vector.extract %maxima[0] : f32 from !waves
      %below_top0 = arith.subf %max_of0, %top : f32
      %shrink0 = llvm.call_intrinsic "llvm.exp2"(%below_top0) : (f32) -> f32
      %total_of0 = vector.extract %totals[0] : f32 from !waves
      %sum_to_wave0 = math.fma
        %total_of0, %shrink0, %zero : f32
      %number0 = arith.constant 0 : index
      %acc_of0 = "vector.load"(%acc_lds, %number0, %row_there, %own_column) <{alignment =
        8 : i64}> : (!acc_lds, index, index, index) -> !piece
      %shrinks0 = vector.broadcast %shrink0 : f32 to !piece
      %acc_piece_1 = math.fma %acc_of0, %shrinks0, %no_piece : !piece
      %max_of1 = vector.extract %maxima[1] : f32 from !waves
      %below_top1 = arith.subf %max_of1, %top : f32
      %shrink1 = llvm.call_intrinsic "llvm.exp2"(%below_top1) : (f32) -> f32
      %total_of1 = vector.extract %totals[1] : f32 from !waves
      %sum_to_wave1 = math.fma
        %total_of1, %shrink1, %sum_to_wave0 : f32
      %number1 = arith.constant 1 : index
      %acc_of1 = "vector.load"(%acc_lds, %number1, %row_there, %own_column) <{alignment =
        8 : i64}> : (!acc_lds, index, index, index) -> !piece
      %shrinks1 = vector.broadcast %shrink1 : f32 to !piece
      %acc_piece_2 = math.fma %acc_of1, %shrinks1, %acc_piece_1 : !piece
      %max_of2 = vector.extract %maxima[2] : f32 from !waves
      %below_top2 = arith.subf %max_of2, %top : f32
      %shrink2 = llvm.call_intrinsic "llvm.exp2"(%below_top2) : (f32) -> f32
      %total_of2 = vector.extract %totals[2] : f32 from !waves
      %sum_to_wave2 = math.fma
        %total_of2, %shrink2, %sum_to_wave1 : f32
      %number2 = arith.constant 2 : index
      %acc_of2 = "vector.load"(%acc_lds, %number2, %row_there, %own_column) <{alignment =
        8 : i64}> : (!acc_lds, index, index, index) -> !piece
      %shrinks2 = vector.broadcast %shrink2 : f32 to !piece
      %acc_piece_3 = math.fma %acc_of2, %shrinks2, %acc_piece_2 : !piece
      %max_of3 = vector.extract %maxima[3] : f32 from !waves
      %below_top3 = arith.subf %max_of3, %top : f32
      %shrink3 = llvm.call_intrinsic "llvm.exp2"(%below_top3) : (f32) -> f32
      %total_of3 = vector.extract %totals[3] : f32 from !waves
      %sum_to_wave3 = math.fma
        %total_of3, %shrink3, %sum_to_wave2 : f32
      %number3 = arith.constant 3 : index
      %acc_of3 = "vector.load"(%acc_lds, %number3, %row_there, %own_column) <{alignment =
        8 : i64}> : (!acc_lds, index, index, index) -> !piece
      %shrinks3 = vector.broadcast %shrink3 : f32 to !piece
      %acc_piece = math.fma %acc_of3, %shrinks3, %acc_piece_3 : !piece
      %sum_row = arith.addf %sum_to_wave3, %zero : f32
      %part_acc = vector.shape_cast %acc_piece : !piece to !part_acc_rows
      %part_max = vector.from_elements %top : !row_number
      %part_sum = vector.from_elements %sum_row : !row_number
      %rows_left_here = affine.min affine_map<(n, r) -> (n - r, 1)>(%rows_here, %own_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %numbers_left = affine.min affine_map<(n, c) -> (n, 1 - c)>(%own_rows, %own_column)
      %own_numbers = arith.maxsi %numbers_left, %none : index
      %has_row = arith.cmpi slt, %none, %own_rows : index
      %has_number = arith.cmpi slt, %none, %own_numbers : index
      %old_rows0 = tensor.extract_slice %tile0[%own_row, %own_column] [%own_rows, 2]
        [1, 1] : tensor<?x64xf32> to tensor<?x2xf32>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows0 = scf.if %has_row
          -> (tensor<?x2xf32>) {
        %new_rows0 = vector.transfer_write %part_acc, %old_rows0
          [%none, %none]
          {in_bounds = [true, true]}
          : !part_acc_rows, tensor<?x2xf32>
        scf.yield %new_rows0 : tensor<?x2xf32>
      } else {
        scf.yield %old_rows0 : tensor<?x2xf32>
      }
      %old_rows1 = tensor.extract_slice %tile1[%own_row] [%own_numbers]
        [1] : tensor<?xf32> to tensor<?xf32>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows1 = scf.if %has_number
          -> (tensor<?xf32>) {
        %new_rows1 = vector.transfer_write %part_max, %old_rows1
          [%none]
          {in_bounds = [true]}
          : !row_number, tensor<?xf32>
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
          : !row_number, tensor<?xf32>
        scf.yield %new_rows2 : tensor<?xf32>
      } else {
        scf.yield %old_rows2 : tensor<?xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%own_row, %own_column]
          [%own_rows, 2] [1, 1] : tensor<?x2xf32> into tensor<?x64xf32>
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
        : tensor<?x64xf32> into tensor<32x64xf32>
      tensor.parallel_insert_slice %part_max_rows_stored
        into %part_max_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<32xf32>
      tensor.parallel_insert_slice %part_sum_rows_stored
        into %part_sum_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<32xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_rows_out,
      offsets = [0, 0], sizes = [32, 64], strides = [1, 1]
      : tensor<32x64xf32> -> !part_acc_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_rows_out,
      offsets = [0], sizes = [32], strides = [1]
      : tensor<32xf32> -> !part_max_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_rows_out,
      offsets = [0], sizes = [32], strides = [1]
      : tensor<32xf32> -> !part_sum_rows_out
    return
  }
  }
}
flow.executable private @paged_attention_merge {
  flow.executable.export public @paged_attention_merge
      workgroups() -> (index, index, index) {
    %sequences = arith.constant 2 : index
    %heads = arith.constant 2 : index
    %tiles = arith.constant 4 : index
    %pages = arith.constant 64 : index
    flow.return %tiles, %heads, %sequences : index, index, index
  }
  builtin.module {
  func.func @paged_attention_merge(
      %part_acc_in: !part_acc_in,
      %part_max_in: !part_max_in,
      %part_sum_in: !part_sum_in,
      %sinks_in: !sinks_in,
      %context_lens_in: !context_lens_in,
      %output_rows_out: !output_rows_out
    ) {
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_in,
      offsets = [0, 0, 0, 0, 0], sizes = [2, 2, 2, 4, 64], strides = [1, 1, 1, 1, 1]
      : !part_acc_in -> tensor<2x2x2x4x64xf32>
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 2, 4], strides = [1, 1, 1, 1]
      : !part_max_in -> tensor<2x2x2x4xf32>
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_in,
      offsets = [0, 0, 0, 0], sizes = [2, 2, 2, 4], strides = [1, 1, 1, 1]
      : !part_sum_in -> tensor<2x2x2x4xf32>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !context_lens_in -> tensor<2xi32>
    %sequences = arith.constant 2 : index
    %heads = arith.constant 2 : index
    %tiles = arith.constant 4 : index
    %pages = arith.constant 64 : index
    %i = flow.dispatch.workgroup.id[0] : index
    %x = flow.dispatch.workgroup.id[1] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %none = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %result_row = affine.apply
      affine_map<(b, x, m) -> ((b * 2 + x) * 4 + m)>(%b, %x, %i)
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_element = arith.constant 0.0 : f16
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<2xi32>
    %context_len_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len = arith.index_cast %context_len_kept : i32 to index
    %part_first_seen = affine.max
      affine_map<(n) -> ((n - 100) floordiv 192, 0)>(%context_len)
    %all_parts = affine.apply affine_map<(n, p)
      -> ((n + 191) floordiv 192 - p)>(%context_len, %part_first_seen)
    %parts_of_step = arith.constant 2 : index
    %q_head = affine.apply affine_map<(x, m) -> (x * 4 + m floordiv 1)>(%x, %i)
    %sink = tensor.extract %sinks[%q_head] : !sinks
    %row_empty = tensor.empty() : !merged_row
    %row_start = linalg.fill {compilation_info = #merge} ins(%no_element : f16)
      outs(%row_empty : !merged_row) -> !merged_row
    %output_rows_row = scf.forall (%lane) in (64)
        shared_outs(%own_row = %row_start)
        -> (!merged_row) {
      %group = affine.apply affine_map<(l) -> (l floordiv 64)>(%lane)
      %column = affine.apply affine_map<(l) -> (l mod 64)>(%lane)
      %first_part = affine.apply affine_map<(g) -> (g * 2)>(%group)
      %max_own, %sum_own, %acc_own = scf.for %p = %first_part to %all_parts step %parts_of_step
          iter_args(%max = %lowest, %sum = %zero, %acc = %zero) -> (f32, f32, f32) {
        %part0_any = affine.apply affine_map<(p) -> (p + 0)>(%p)
        %part0 = affine.min affine_map<(p)[n] -> (p, n - 1)>(%part0_any)[%all_parts]
        %is_part0 = arith.cmpi slt, %part0_any, %all_parts : index
        %max0_any = tensor.extract %part_max[%b, %x, %part0, %i] : !part_max
        %sum0_any = tensor.extract %part_sum[%b, %x, %part0, %i] : !part_sum
        %acc0_any = tensor.extract %part_acc[%b, %x, %part0, %i, %column] : !part_acc
        %part1_any = affine.apply affine_map<(p) -> (p + 1)>(%p)
        %part1 = affine.min affine_map<(p)[n] -> (p, n - 1)>(%part1_any)[%all_parts]
        %is_part1 = arith.cmpi slt, %part1_any, %all_parts : index
        %max1_any = tensor.extract %part_max[%b, %x, %part1, %i] : !part_max
        %sum1_any = tensor.extract %part_sum[%b, %x, %part1, %i] : !part_sum
        %acc1_any = tensor.extract %part_acc[%b, %x, %part1, %i, %column] : !part_acc
        %max0 = arith.select %is_part0, %max0_any, %lowest : f32
        %sum0 = arith.select %is_part0, %sum0_any, %zero : f32
        %acc0 = arith.select %is_part0, %acc0_any, %zero : f32
        %max1 = arith.select %is_part1, %max1_any, %lowest : f32
        %sum1 = arith.select %is_part1, %sum1_any, %zero : f32
        %acc1 = arith.select %is_part1, %acc1_any, %zero : f32
        %top_1 = arith.maxnumf %max, %max0 : f32
        %top = arith.maxnumf %top_1, %max1 : f32
        %below = arith.subf %max, %top : f32
        %shrink = math.exp2 %below : f32
        %sum_shrunk = arith.mulf %sum, %shrink : f32
        %acc_shrunk = arith.mulf %acc, %shrink : f32
        %below0 = arith.subf %max0, %top : f32
        %factor0 = math.exp2 %below0 : f32
        %below1 = arith.subf %max1, %top : f32
        %factor1 = math.exp2 %below1 : f32
        %sum_next_1 = math.fma %sum0, %factor0, %sum_shrunk : f32
        %sum_next = math.fma %sum1, %factor1, %sum_next_1 : f32
        %acc_next_1 = math.fma %acc0, %factor0, %acc_shrunk : f32
        %acc_next = math.fma %acc1, %factor1, %acc_next_1 : f32
        scf.yield %top, %sum_next, %acc_next : f32, f32, f32
      }
      %is_empty = arith.cmpf oeq, %sum_own, %zero : f32
      %sink_unit = arith.constant 1.4426950408889634 : f32
      %sink_logit = arith.mulf %sink, %sink_unit : f32
      %max_with_sink = arith.maxnumf %max_own, %sink_logit : f32
      %max_below = arith.subf %max_own, %max_with_sink : f32
        %sink_factor = math.exp2 %max_below : f32
      %sink_below = arith.subf %sink_logit, %max_with_sink : f32
        %sink_exp = math.exp2 %sink_below : f32
      %sum_shrunk = arith.mulf %sum_own, %sink_factor : f32
      %sum_with_sink = arith.addf %sum_shrunk, %sink_exp : f32
      %share = arith.mulf %acc_own, %sink_factor : f32
      %quotient = arith.divf %share, %sum_with_sink : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
    %mean_stored = arith.truncf %mean : f32 to f16
      %piece = vector.broadcast %mean_stored : f16 to !merged_stored
      %own_rows = affine.max affine_map<(g) -> (1 - g, 0)>(%group)
      %writes = arith.cmpi eq, %group, %none : index
      %row_before = tensor.extract_slice %own_row[%none, %column] [%own_rows, 1] [1, 1]
        : !merged_row to !own_of_row
      %row_after = scf.if %writes -> (!own_of_row) {
        %row_written = vector.transfer_write %piece, %row_before[%none, %none] {in_bounds = [true, true]}
          : !merged_stored, !own_of_row
        scf.yield %row_written : !own_of_row
      } else {
        scf.yield %row_before : !own_of_row
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %row_after into %own_row[%none, %column]
          [%own_rows, 1] [1, 1] : !own_of_row into !merged_row
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %output_rows_row, %output_rows_out,
      offsets = [%result_row, %none], sizes = [1, 64], strides = [1, 1]
      : tensor<1x64xf16> -> !output_rows_out
    return
  }
  }
}
func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens, %sinks: !sinks) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<2x8x1x64xf16> into tensor<16x64xf16>
  %key_cache_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : tensor<9x2x16x64xf16> into tensor<288x64xf16>
  %value_cache_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : tensor<9x2x16x64xf16> into tensor<288x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<2x64xi32> into tensor<128xi32>
  %made:3 = flow.dispatch @paged_attention_kernel::@paged_attention_kernel(
      %query_rows, %key_cache_rows, %value_cache_rows, %block_table_rows, %context_lens, %sinks
    ) : (
      tensor<16x64xf16>,
      tensor<288x64xf16>,
      tensor<288x64xf16>,
      tensor<128xi32>,
      tensor<2xi32>,
      tensor<8xf32>
    ) -> (tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>)
  %part_acc = tensor.expand_shape %made#0 [[0, 1, 2, 3], [4]]
    output_shape [2, 2, 2, 4, 64] : tensor<32x64xf32> into tensor<2x2x2x4x64xf32>
  %part_max = tensor.expand_shape %made#1 [[0, 1, 2, 3]]
    output_shape [2, 2, 2, 4] : tensor<32xf32> into tensor<2x2x2x4xf32>
  %part_sum = tensor.expand_shape %made#2 [[0, 1, 2, 3]]
    output_shape [2, 2, 2, 4] : tensor<32xf32> into tensor<2x2x2x4xf32>
  %merged = flow.dispatch @paged_attention_merge::@paged_attention_merge(
      %part_acc, %part_max, %part_sum, %sinks, %context_lens
    ) : (
      tensor<2x2x2x4x64xf32>,
      tensor<2x2x2x4xf32>,
      tensor<2x2x2x4xf32>,
      tensor<8xf32>,
      tensor<2xi32>
    ) -> tensor<16x64xf16>
  %output = tensor.expand_shape %merged [[0, 1, 2], [3]]
    output_shape [2, 8, 1, 64] : tensor<16x64xf16> into tensor<2x8x1x64xf16>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @paged_attention$async(
    %query: !query,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %sinks: !sinks
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @paged_attention(%query, %key_cache, %value_cache, %block_table, %context_lens, %sinks)
    : (!query, !key_cache, !value_cache, !block_table, !context_lens, !sinks) -> (!output)
  util.return %output : !output
}
