// Attention as one kernel of lanes.
!query = tensor<1x8x128x64xf16>
!key = tensor<1x2x150x64xf16>
!value = tensor<1x2x150x64xf16>
!block_counts = tensor<1x8x2x2xi32>
!block_columns = tensor<1x8x2x3xi32>
!output = tensor<1x8x128x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x64xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<300x64xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<300x64xf16>>
!block_counts_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xi32>>
!block_columns_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<48xi32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024x64xf16>>
!head_chunk = vector<8xf16>
!query_columns = vector<2x2x2xf16>
!queries = vector<1x2x2x2x2xf16>
!queries_turned = vector<1x2x2x2x2xf16>
!query_operand = vector<1x2x4x2xf16>
!key_operand = vector<1x2x2x2xf16>
!value_keys = vector<16xf16>
!value_operand = vector<1x4x2x2xf16>
!weight_parts = vector<1x2x4x2x2xf16>
!weight_parts_turned = vector<1x4x2x2x2xf16>
!weights_operand = vector<1x4x4x2xf16>
!row_scores = vector<2xf32>
!score_tile = vector<2x2xf32>
!scores = vector<8x2x2xf32>
!scores_flat = vector<32xf32>
!score_bits = vector<8x2x2xi32>
!is_seen = vector<8x2x2xi1>
!weight_bits = vector<8x2x2xi16>
!weights_by_key = vector<8x2x2xf16>
!weights_own = vector<2x8x2xf16>
!weights_flat = vector<32xf16>
!pair = vector<2xf16>
!pairs = vector<16x2xf16>
!pair_bits = vector<16xi32>
!all_bits = vector<32xi32>
!all_weights = vector<64xf16>
!sums = vector<1x1x2x2xf32>
!sum_factors = vector<1x1x2x1xf32>
!acc = vector<8x1x1x2x2xf32>
!acc_by_column = vector<8x2x2xf32>
!acc_by_row = vector<2x8x2xf32>
!acc_row = vector<8x2xf32>
!rows = vector<2x1xf32>
!row_bits = vector<2x1xi32>
!row_flags = vector<2x1xi1>
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
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!output_rows = vector<2x16xf16>
!output_row = vector<16xf16>
!output_bits = vector<8xi32>
!lse_rows = vector<2xf32>
!turned = vector<4x2xf16>
!all_turned = vector<2x4x2xf16>
!keys_there = memref<300x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!values_there = memref<300x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!key_lds = memref<128x96xf16, #gpu.address_space<workgroup>>
!value_lds = memref<128x72xf16, #gpu.address_space<workgroup>>
// The keys that lane l copies of the step that begins at key t, and the column that it copies from.
#key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 0)>
#key_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 16)>
#key_of_step2 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 32)>
#key_of_step3 = affine_map<(t, l)
  -> (t + l floordiv 8 * 1 + 48)>
#copied_column = affine_map<(l) -> (l mod 8 * 8)>
// The LDS row of key n of a step: neighbours are a lane's own of one tile, then those of other groups.
#lds_row = affine_map<(n) -> (n mod 16 floordiv 2 * 8
  + n floordiv 16 mod 4 * 2 + n mod 2)>
// The first LDS row of the step that begins at key t.
#buffer = affine_map<(t) -> (t floordiv 64 * 64 mod 128)>
flow.executable private @attention_kernel {
  flow.executable.export public @attention_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @attention_kernel(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %block_counts_rows_in: !block_counts_rows_in,
      %block_columns_rows_in: !block_columns_rows_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : !query_rows_in -> tensor<1024x64xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [300, 64], strides = [1, 1]
      : !key_rows_in -> tensor<300x64xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [300, 64], strides = [1, 1]
      : !value_rows_in -> tensor<300x64xf16>
    %block_counts_rows = iree_tensor_ext.dispatch.tensor.load %block_counts_rows_in,
      offsets = [0], sizes = [32], strides = [1]
      : !block_counts_rows_in -> tensor<32xi32>
    %block_columns_rows = iree_tensor_ext.dispatch.tensor.load %block_columns_rows_in,
      offsets = [0], sizes = [48], strides = [1]
      : !block_columns_rows_in -> tensor<48xi32>
    %output_rows_empty = tensor.empty() : tensor<1024x64xf16>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 8 : index
    %rows_of_head = arith.constant 128 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 150 : index
    %q_len = arith.constant 128 : index
    %context_len = arith.constant 150 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 64 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<1024x64xf16>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 4 + x floordiv 2)>(%head_number)
    // The tiles with most keys begin first.
    %tile = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %head = affine.apply affine_map<(b, x) -> (b * 8 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %kv_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %kv_head)
    %key_base = arith.muli %kv_head_of_all, %keys_of_head : index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 64)>(%tile)
    %result_row = arith.addi %head_base, %row_in_head : index
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
    %keys_there = bufferization.to_buffer %key_rows read_only
      : tensor<300x64xf16> to !keys_there
    %values_there = bufferization.to_buffer %value_rows read_only
      : tensor<300x64xf16> to !values_there
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !value_lds
    %tile_empty0 = tensor.empty()
      : tensor<64x64xf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<64x64xf16>) -> tensor<64x64xf16>
    %one_step = arith.constant 1 : index
    %row_of_blocks = affine.apply affine_map<(b, x, r)
      -> ((b * 8 + x) * 2 + r floordiv 64)>(%b, %x, %row_0)
    %first_listed = affine.apply affine_map<(r) -> (r * 3)>(%row_of_blocks)
    %partial_count_at = affine.apply affine_map<(r) -> (r * 2 + 0)>(%row_of_blocks)
    %partial_count_i32 = tensor.extract %block_counts_rows[%partial_count_at] : tensor<32xi32>
    %partial_count = arith.index_cast %partial_count_i32 : i32 to index
    %full_count_at = affine.apply affine_map<(r) -> (r * 2 + 1)>(%row_of_blocks)
    %full_count_i32 = tensor.extract %block_counts_rows[%full_count_at] : tensor<32xi32>
    %full_count = arith.index_cast %full_count_i32 : i32 to index
    %partial_steps = affine.min affine_map<(p)
      -> (p * 1, 3)>(%partial_count)
    %seen_steps = affine.min affine_map<(p, f)
      -> ((p + f) * 1, 3)>(%partial_count, %full_count)
    %last_step = affine.max affine_map<(n) -> (n - 1, 0)>(%seen_steps)
    %output_tile =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<64x64xf16>) {
      %wave, %index, %group = affine.delinearize_index %lane into (4, 8, 4)
        : index, index, index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 16 + i * 2)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<1024x64xf16>, !head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<1024x64xf16>, !head_chunk
      %row1 = affine.min affine_map<(r, n) -> (r + 1, n)>(%first_row, %row_last)
      %row_of_head1 = arith.addi %row_0, %row1 : index
      %row_real1 = arith.minsi %row_of_head1, %last_row : index
      %query_row1 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real1)
      %column1_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk1_0 = vector.transfer_read
        %query_rows[%query_row1, %column1_0],
        %no_element {in_bounds = [true]} : tensor<1024x64xf16>, !head_chunk
      %column1_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk1_1 = vector.transfer_read
        %query_rows[%query_row1, %column1_1],
        %no_element {in_bounds = [true]} : tensor<1024x64xf16>, !head_chunk
      %no_queries = arith.constant dense<0.0> : !queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !head_chunk to !query_columns
        %queries0_1 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !query_columns into !queries
        %query_columns1_0 = vector.shape_cast %query_chunk1_0
          : !head_chunk to !query_columns
        %queries0 = vector.insert
          %query_columns1_0, %queries0_1[0, 1]
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
          %query_columns1_1, %queries1_1[0, 1]
          : !query_columns into !queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !queries_turned to !query_operand
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
      %last_of_wave = affine.apply affine_map<(p) -> (p + 15)>(%wave_position)
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      %score_sums0_0 = arith.constant dense<0.0> : !sums
      %score_sums1_0 = arith.constant dense<0.0> : !sums
      %score_sums2_0 = arith.constant dense<0.0> : !sums
      %score_sums3_0 = arith.constant dense<0.0> : !sums
      %score_sums4_0 = arith.constant dense<0.0> : !sums
      %score_sums5_0 = arith.constant dense<0.0> : !sums
      %score_sums6_0 = arith.constant dense<0.0> : !sums
      %score_sums7_0 = arith.constant dense<0.0> : !sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %max1_0 = arith.constant -3.40282347E+38 : f32
      %sum1_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 1 : i32
      %distance2 = arith.constant 2 : i32
      %wave_size = arith.constant 32 : i32
      %query0_i32 = arith.index_cast %row_real0 : index to i32
      %query1_i32 = arith.index_cast %row_real1 : index to i32
      %query_i32 = vector.from_elements %query0_i32, %query1_i32 : !row_bits
      %key_offsets_i32 = arith.constant dense<[[[0, 1], [0, 1]], [[2, 3], [2, 3]], [[4, 5], [4, 5]], [[6, 7], [6, 7]], [[8, 9], [8, 9]], [[10, 11], [10, 11]], [[12, 13], [12, 13]], [[14, 15], [14, 15]]]> : !score_bits
          %mask_mod_2 = arith.constant 5 : i32
          %mask_mod_5 = arith.constant -858993459 : i32
          %mask_mod_8 = arith.constant 2 : i32
          %mask_mod_14 = arith.constant 2 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 64 * 64)>(%last_key)
      %copied_column = affine.apply #copied_column(%lane)
      %key_of_lane0 = affine.apply #key_of_step0(%none, %lane)
      %lds_row0 = affine.apply #lds_row(%key_of_lane0)
      %key_of_lane1 = affine.apply #key_of_step1(%none, %lane)
      %lds_row1 = affine.apply #lds_row(%key_of_lane1)
      %key_of_lane2 = affine.apply #key_of_step2(%none, %lane)
      %lds_row2 = affine.apply #lds_row(%key_of_lane2)
      %key_of_lane3 = affine.apply #key_of_step3(%none, %lane)
      %lds_row3 = affine.apply #lds_row(%key_of_lane3)
      %turned_row = affine.apply affine_map<(l) -> (l mod 32)>(%lane)
      scf.execute_region {
        %t_after = affine.apply affine_map<(s) -> (s)>(%none)
        %t_next_listed = affine.apply affine_map<(f, s)
          -> (f + s floordiv 1)>(%first_listed, %none)
        %t_next_column_i32 = tensor.extract %block_columns_rows[%t_next_listed] : tensor<48xi32>
        %t_next_column = arith.index_cast %t_next_column_i32 : i32 to index
        %t_next = affine.apply affine_map<(c, s)
          -> (c * 64 + s mod 1 * 64)>(
            %t_next_column, %none)
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_any_k2 = affine.apply #key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k2)
      %key_any_k3 = affine.apply #key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k3)
      %key_any_v0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_any_v1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
      %key_any_v2 = affine.apply #key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v2)
      %key_any_v3 = affine.apply #key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v3)
        %buffer_after = affine.apply #buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #key_of_step0(%t_next, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #key_of_step1(%t_next, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #key_of_step2(%t_next, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #key_of_step3(%t_next, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        scf.yield
      }
      %max0_1, %max1_1, %sum0_1, %sum1_1, %acc_1 =
        scf.for %step = %none to %partial_steps step %one_step
          iter_args(
            %max0 = %max0_0,
            %max1 = %max1_0,
            %sum0 = %sum0_0,
            %sum1 = %sum1_0,
            %acc = %acc_0) -> (f32, f32, f32, f32, !acc) {
        %t0_listed = affine.apply affine_map<(f, s)
          -> (f + s floordiv 1)>(%first_listed, %step)
        %t0_column_i32 = tensor.extract %block_columns_rows[%t0_listed] : tensor<48xi32>
        %t0_column = arith.index_cast %t0_column_i32 : i32 to index
        %t0 = affine.apply affine_map<(c, s)
          -> (c * 64 + s mod 1 * 64)>(
            %t0_column, %step)
        %step_after = affine.min affine_map<(s, l) -> (s + 1, l)>(%step, %last_step)
        %t_next_listed = affine.apply affine_map<(f, s)
          -> (f + s floordiv 1)>(%first_listed, %step_after)
        %t_next_column_i32 = tensor.extract %block_columns_rows[%t_next_listed] : tensor<48xi32>
        %t_next_column = arith.index_cast %t_next_column_i32 : i32 to index
        %t_next = affine.apply affine_map<(c, s)
          -> (c * 64 + s mod 1 * 64)>(
            %t_next_column, %step_after)
        %t_here = arith.muli %step, %keys_of_step : index
        %t_after = arith.addi %t_here, %keys_of_step : index
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_any_k2 = affine.apply #key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k2)
      %key_any_k3 = affine.apply #key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k3)
      %key_any_v0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_any_v1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
      %key_any_v2 = affine.apply #key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v2)
      %key_any_v3 = affine.apply #key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v3)
        %buffer_after = affine.apply #buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #key_of_step0(%t_next, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #key_of_step1(%t_next, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #key_of_step2(%t_next, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #key_of_step3(%t_next, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, !acc) {
        %buffer_here = affine.apply #buffer(%t_here)
        %index_here = arith.addi %buffer_here, %index : index
        %value_row0 = affine.apply
          affine_map<(b, r) -> (b + r + 0)>(%buffer_here, %turned_row)
        %value_row1 = affine.apply
          affine_map<(b, r) -> (b + r + 32)>(%buffer_here, %turned_row)
        %none_turned = arith.constant dense<0.0> : !all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%query0, %keys0_0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !head_chunk to !key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%query0, %keys1_0) outs(%score_sums1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row2_0 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_0 =
          "vector.load"(%key_lds, %key_row2_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys2_0 = vector.shape_cast %key_chunk2_0
          : !head_chunk to !key_operand
        %score_sums2_1 = iree_codegen.inner_tiled
          ins(%query0, %keys2_0) outs(%score_sums2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row3_0 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_0 =
          "vector.load"(%key_lds, %key_row3_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys3_0 = vector.shape_cast %key_chunk3_0
          : !head_chunk to !key_operand
        %score_sums3_1 = iree_codegen.inner_tiled
          ins(%query0, %keys3_0) outs(%score_sums3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row4_0 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_0 =
          "vector.load"(%key_lds, %key_row4_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys4_0 = vector.shape_cast %key_chunk4_0
          : !head_chunk to !key_operand
        %score_sums4_1 = iree_codegen.inner_tiled
          ins(%query0, %keys4_0) outs(%score_sums4_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row5_0 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_0 =
          "vector.load"(%key_lds, %key_row5_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys5_0 = vector.shape_cast %key_chunk5_0
          : !head_chunk to !key_operand
        %score_sums5_1 = iree_codegen.inner_tiled
          ins(%query0, %keys5_0) outs(%score_sums5_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row6_0 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_0 =
          "vector.load"(%key_lds, %key_row6_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys6_0 = vector.shape_cast %key_chunk6_0
          : !head_chunk to !key_operand
        %score_sums6_1 = iree_codegen.inner_tiled
          ins(%query0, %keys6_0) outs(%score_sums6_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row7_0 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_0 =
          "vector.load"(%key_lds, %key_row7_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys7_0 = vector.shape_cast %key_chunk7_0
          : !head_chunk to !key_operand
        %score_sums7_1 = iree_codegen.inner_tiled
          ins(%query0, %keys7_0) outs(%score_sums7_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%query1, %keys0_1) outs(%score_sums0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row1_1 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !head_chunk to !key_operand
        %score_sums1_2 = iree_codegen.inner_tiled
          ins(%query1, %keys1_1) outs(%score_sums1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row2_1 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_1 =
          "vector.load"(%key_lds, %key_row2_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys2_1 = vector.shape_cast %key_chunk2_1
          : !head_chunk to !key_operand
        %score_sums2_2 = iree_codegen.inner_tiled
          ins(%query1, %keys2_1) outs(%score_sums2_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row3_1 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_1 =
          "vector.load"(%key_lds, %key_row3_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys3_1 = vector.shape_cast %key_chunk3_1
          : !head_chunk to !key_operand
        %score_sums3_2 = iree_codegen.inner_tiled
          ins(%query1, %keys3_1) outs(%score_sums3_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row4_1 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_1 =
          "vector.load"(%key_lds, %key_row4_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys4_1 = vector.shape_cast %key_chunk4_1
          : !head_chunk to !key_operand
        %score_sums4_2 = iree_codegen.inner_tiled
          ins(%query1, %keys4_1) outs(%score_sums4_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row5_1 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_1 =
          "vector.load"(%key_lds, %key_row5_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys5_1 = vector.shape_cast %key_chunk5_1
          : !head_chunk to !key_operand
        %score_sums5_2 = iree_codegen.inner_tiled
          ins(%query1, %keys5_1) outs(%score_sums5_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row6_1 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_1 =
          "vector.load"(%key_lds, %key_row6_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys6_1 = vector.shape_cast %key_chunk6_1
          : !head_chunk to !key_operand
        %score_sums6_2 = iree_codegen.inner_tiled
          ins(%query1, %keys6_1) outs(%score_sums6_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row7_1 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_1 =
          "vector.load"(%key_lds, %key_row7_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys7_1 = vector.shape_cast %key_chunk7_1
          : !head_chunk to !key_operand
        %score_sums7_2 = iree_codegen.inner_tiled
          ins(%query1, %keys7_1) outs(%score_sums7_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !sums to !score_tile
        %scores_2 = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %score_tile2 = vector.shape_cast %score_sums2_2
          : !sums to !score_tile
        %scores_3 = vector.insert %score_tile2, %scores_2[2]
          : !score_tile into !scores
        %score_tile3 = vector.shape_cast %score_sums3_2
          : !sums to !score_tile
        %scores_4 = vector.insert %score_tile3, %scores_3[3]
          : !score_tile into !scores
        %score_tile4 = vector.shape_cast %score_sums4_2
          : !sums to !score_tile
        %scores_5 = vector.insert %score_tile4, %scores_4[4]
          : !score_tile into !scores
        %score_tile5 = vector.shape_cast %score_sums5_2
          : !sums to !score_tile
        %scores_6 = vector.insert %score_tile5, %scores_5[5]
          : !score_tile into !scores
        %score_tile6 = vector.shape_cast %score_sums6_2
          : !sums to !score_tile
        %scores_7 = vector.insert %score_tile6, %scores_6[6]
          : !score_tile into !scores
        %score_tile7 = vector.shape_cast %score_sums7_2
          : !sums to !score_tile
        %scores = vector.insert %score_tile7, %scores_7[7]
          : !score_tile into !scores
        %first_key_of_step = arith.addi %t0, %key_of_group : index
        %first_key_i32 = arith.index_cast %first_key_of_step : index to i32
        %first_keys_i32 = vector.broadcast %first_key_i32 : i32 to !row_bits
          %mask_mod_0 = vector.broadcast %query_i32 : !row_bits to !row_bits
          %mask_mod_1 = arith.addi %mask_mod_0, %first_keys_i32 : !row_bits
          %mask_mod_3 = vector.broadcast %mask_mod_1 : !row_bits to !score_bits
          %mask_mod_4 = arith.addi %key_offsets_i32, %mask_mod_3 : !score_bits
          %mask_mod_6 = vector.broadcast %mask_mod_5 : i32 to !score_bits
          %mask_mod_7_low, %mask_mod_7 = arith.mului_extended %mask_mod_4, %mask_mod_6 : !score_bits
          %mask_mod_9 = vector.broadcast %mask_mod_8 : i32 to !score_bits
          %mask_mod_10 = arith.shrsi %mask_mod_7, %mask_mod_9 : !score_bits
          %mask_mod_11 = vector.broadcast %mask_mod_2 : i32 to !score_bits
          %mask_mod_12 = arith.muli %mask_mod_10, %mask_mod_11 : !score_bits
          %mask_mod_13 = arith.subi %mask_mod_4, %mask_mod_12 : !score_bits
          %mask_mod_15 = vector.broadcast %mask_mod_14 : i32 to !score_bits
          %mask_mod_16 = arith.cmpi ne,
            %mask_mod_13, %mask_mod_15 : !score_bits
        %scores_ruled_1 = arith.select %mask_mod_16, %scores, %hidden
          : !is_seen, !scores
        %key_numbers = arith.constant dense<[[[0, 1], [0, 1]], [[2, 3], [2, 3]], [[4, 5], [4, 5]], [[6, 7], [6, 7]], [[8, 9], [8, 9]], [[10, 11], [10, 11]], [[12, 13], [12, 13]], [[14, 15], [14, 15]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %last_rows = vector.from_elements %last_i32_0, %last_i32_1 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_ruled = arith.select %is_last_seen, %scores_ruled_1, %hidden
          : !is_seen, !scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !row_scores from !scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !row_scores
        %of_tile0_2 = vector.extract %scores_ruled[2, 0]
          : !row_scores from !scores
        %top0_2 = arith.maxnumf %top0_1, %of_tile0_2
          fastmath<nnan> : !row_scores
        %of_tile0_3 = vector.extract %scores_ruled[3, 0]
          : !row_scores from !scores
        %top0_3 = arith.maxnumf %top0_2, %of_tile0_3
          fastmath<nnan> : !row_scores
        %of_tile0_4 = vector.extract %scores_ruled[4, 0]
          : !row_scores from !scores
        %top0_4 = arith.maxnumf %top0_3, %of_tile0_4
          fastmath<nnan> : !row_scores
        %of_tile0_5 = vector.extract %scores_ruled[5, 0]
          : !row_scores from !scores
        %top0_5 = arith.maxnumf %top0_4, %of_tile0_5
          fastmath<nnan> : !row_scores
        %of_tile0_6 = vector.extract %scores_ruled[6, 0]
          : !row_scores from !scores
        %top0_6 = arith.maxnumf %top0_5, %of_tile0_6
          fastmath<nnan> : !row_scores
        %of_tile0_7 = vector.extract %scores_ruled[7, 0]
          : !row_scores from !scores
        %top0_7 = arith.maxnumf %top0_6, %of_tile0_7
          fastmath<nnan> : !row_scores
        %top0 = vector.extract %top0_7[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_7[1]
          : f32 from !row_scores
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
        %top1_0 = vector.extract %scores_ruled[0, 1] : !row_scores from !scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !row_scores from !scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !row_scores
        %of_tile1_2 = vector.extract %scores_ruled[2, 1]
          : !row_scores from !scores
        %top1_2 = arith.maxnumf %top1_1, %of_tile1_2
          fastmath<nnan> : !row_scores
        %of_tile1_3 = vector.extract %scores_ruled[3, 1]
          : !row_scores from !scores
        %top1_3 = arith.maxnumf %top1_2, %of_tile1_3
          fastmath<nnan> : !row_scores
        %of_tile1_4 = vector.extract %scores_ruled[4, 1]
          : !row_scores from !scores
        %top1_4 = arith.maxnumf %top1_3, %of_tile1_4
          fastmath<nnan> : !row_scores
        %of_tile1_5 = vector.extract %scores_ruled[5, 1]
          : !row_scores from !scores
        %top1_5 = arith.maxnumf %top1_4, %of_tile1_5
          fastmath<nnan> : !row_scores
        %of_tile1_6 = vector.extract %scores_ruled[6, 1]
          : !row_scores from !scores
        %top1_6 = arith.maxnumf %top1_5, %of_tile1_6
          fastmath<nnan> : !row_scores
        %of_tile1_7 = vector.extract %scores_ruled[7, 1]
          : !row_scores from !scores
        %top1_7 = arith.maxnumf %top1_6, %of_tile1_7
          fastmath<nnan> : !row_scores
        %top1 = vector.extract %top1_7[0] : f32 from !row_scores
        %of_key1_1 = vector.extract %top1_7[1]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, f32, f32, !acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %acc_less = arith.mulf %acc, %all_factors : !acc
          scf.yield %higher0, %higher1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, !acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !acc
        }
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %logit0 = vector.extract %logits_flat[0] : f32 from !scores_flat
        %exp0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit0) : (f32) -> f32
        %logit1 = vector.extract %logits_flat[1] : f32 from !scores_flat
        %exp1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit1) : (f32) -> f32
        %logit2 = vector.extract %logits_flat[2] : f32 from !scores_flat
        %exp2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit2) : (f32) -> f32
        %logit3 = vector.extract %logits_flat[3] : f32 from !scores_flat
        %exp3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit3) : (f32) -> f32
        %logit4 = vector.extract %logits_flat[4] : f32 from !scores_flat
        %exp4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit4) : (f32) -> f32
        %logit5 = vector.extract %logits_flat[5] : f32 from !scores_flat
        %exp5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit5) : (f32) -> f32
        %logit6 = vector.extract %logits_flat[6] : f32 from !scores_flat
        %exp6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit6) : (f32) -> f32
        %logit7 = vector.extract %logits_flat[7] : f32 from !scores_flat
        %exp7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit7) : (f32) -> f32
        %logit8 = vector.extract %logits_flat[8] : f32 from !scores_flat
        %exp8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit8) : (f32) -> f32
        %logit9 = vector.extract %logits_flat[9] : f32 from !scores_flat
        %exp9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit9) : (f32) -> f32
        %logit10 = vector.extract %logits_flat[10] : f32 from !scores_flat
        %exp10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit10) : (f32) -> f32
        %logit11 = vector.extract %logits_flat[11] : f32 from !scores_flat
        %exp11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit11) : (f32) -> f32
        %logit12 = vector.extract %logits_flat[12] : f32 from !scores_flat
        %exp12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit12) : (f32) -> f32
        %logit13 = vector.extract %logits_flat[13] : f32 from !scores_flat
        %exp13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit13) : (f32) -> f32
        %logit14 = vector.extract %logits_flat[14] : f32 from !scores_flat
        %exp14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit14) : (f32) -> f32
        %logit15 = vector.extract %logits_flat[15] : f32 from !scores_flat
        %exp15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit15) : (f32) -> f32
        %logit16 = vector.extract %logits_flat[16] : f32 from !scores_flat
        %exp16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit16) : (f32) -> f32
        %logit17 = vector.extract %logits_flat[17] : f32 from !scores_flat
        %exp17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit17) : (f32) -> f32
        %logit18 = vector.extract %logits_flat[18] : f32 from !scores_flat
        %exp18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit18) : (f32) -> f32
        %logit19 = vector.extract %logits_flat[19] : f32 from !scores_flat
        %exp19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit19) : (f32) -> f32
        %logit20 = vector.extract %logits_flat[20] : f32 from !scores_flat
        %exp20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit20) : (f32) -> f32
        %logit21 = vector.extract %logits_flat[21] : f32 from !scores_flat
        %exp21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit21) : (f32) -> f32
        %logit22 = vector.extract %logits_flat[22] : f32 from !scores_flat
        %exp22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit22) : (f32) -> f32
        %logit23 = vector.extract %logits_flat[23] : f32 from !scores_flat
        %exp23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit23) : (f32) -> f32
        %logit24 = vector.extract %logits_flat[24] : f32 from !scores_flat
        %exp24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit24) : (f32) -> f32
        %logit25 = vector.extract %logits_flat[25] : f32 from !scores_flat
        %exp25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit25) : (f32) -> f32
        %logit26 = vector.extract %logits_flat[26] : f32 from !scores_flat
        %exp26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit26) : (f32) -> f32
        %logit27 = vector.extract %logits_flat[27] : f32 from !scores_flat
        %exp27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit27) : (f32) -> f32
        %logit28 = vector.extract %logits_flat[28] : f32 from !scores_flat
        %exp28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit28) : (f32) -> f32
        %logit29 = vector.extract %logits_flat[29] : f32 from !scores_flat
        %exp29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit29) : (f32) -> f32
        %logit30 = vector.extract %logits_flat[30] : f32 from !scores_flat
        %exp30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit30) : (f32) -> f32
        %logit31 = vector.extract %logits_flat[31] : f32 from !scores_flat
        %exp31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit31) : (f32) -> f32
        %exps_flat = vector.from_elements %exp0, %exp1, %exp2, %exp3, %exp4, %exp5, %exp6, %exp7, %exp8, %exp9, %exp10, %exp11, %exp12, %exp13, %exp14, %exp15, %exp16, %exp17, %exp18, %exp19, %exp20, %exp21, %exp22, %exp23, %exp24, %exp25, %exp26, %exp27, %exp28, %exp29, %exp30, %exp31 : !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %no_pairs = arith.constant dense<0.0> : !pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0 = "nvvm.convert.f32x2.to.f16x2"(%odd0, %even0)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !pair into !pairs
        %even1 = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd1 = vector.extract %exps[1, 0, 1] : f32 from !scores
        %pair1 = "nvvm.convert.f32x2.to.f16x2"(%odd1, %even1)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !pair into !pairs
        %even2 = vector.extract %exps[2, 0, 0] : f32 from !scores
        %odd2 = vector.extract %exps[2, 0, 1] : f32 from !scores
        %pair2 = "nvvm.convert.f32x2.to.f16x2"(%odd2, %even2)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !pair into !pairs
        %even3 = vector.extract %exps[3, 0, 0] : f32 from !scores
        %odd3 = vector.extract %exps[3, 0, 1] : f32 from !scores
        %pair3 = "nvvm.convert.f32x2.to.f16x2"(%odd3, %even3)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
        %even4 = vector.extract %exps[4, 0, 0] : f32 from !scores
        %odd4 = vector.extract %exps[4, 0, 1] : f32 from !scores
        %pair4 = "nvvm.convert.f32x2.to.f16x2"(%odd4, %even4)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !pair into !pairs
        %even5 = vector.extract %exps[5, 0, 0] : f32 from !scores
        %odd5 = vector.extract %exps[5, 0, 1] : f32 from !scores
        %pair5 = "nvvm.convert.f32x2.to.f16x2"(%odd5, %even5)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !pair into !pairs
        %even6 = vector.extract %exps[6, 0, 0] : f32 from !scores
        %odd6 = vector.extract %exps[6, 0, 1] : f32 from !scores
        %pair6 = "nvvm.convert.f32x2.to.f16x2"(%odd6, %even6)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !pair into !pairs
        %even7 = vector.extract %exps[7, 0, 0] : f32 from !scores
        %odd7 = vector.extract %exps[7, 0, 1] : f32 from !scores
        %pair7 = "nvvm.convert.f32x2.to.f16x2"(%odd7, %even7)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !pair into !pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !scores
        %pair8 = "nvvm.convert.f32x2.to.f16x2"(%odd8, %even8)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !pair into !pairs
        %even9 = vector.extract %exps[1, 1, 0] : f32 from !scores
        %odd9 = vector.extract %exps[1, 1, 1] : f32 from !scores
        %pair9 = "nvvm.convert.f32x2.to.f16x2"(%odd9, %even9)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !pair into !pairs
        %even10 = vector.extract %exps[2, 1, 0] : f32 from !scores
        %odd10 = vector.extract %exps[2, 1, 1] : f32 from !scores
        %pair10 = "nvvm.convert.f32x2.to.f16x2"(%odd10, %even10)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !pair into !pairs
        %even11 = vector.extract %exps[3, 1, 0] : f32 from !scores
        %odd11 = vector.extract %exps[3, 1, 1] : f32 from !scores
        %pair11 = "nvvm.convert.f32x2.to.f16x2"(%odd11, %even11)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !pair into !pairs
        %even12 = vector.extract %exps[4, 1, 0] : f32 from !scores
        %odd12 = vector.extract %exps[4, 1, 1] : f32 from !scores
        %pair12 = "nvvm.convert.f32x2.to.f16x2"(%odd12, %even12)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !pair into !pairs
        %even13 = vector.extract %exps[5, 1, 0] : f32 from !scores
        %odd13 = vector.extract %exps[5, 1, 1] : f32 from !scores
        %pair13 = "nvvm.convert.f32x2.to.f16x2"(%odd13, %even13)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !pair into !pairs
        %even14 = vector.extract %exps[6, 1, 0] : f32 from !scores
        %odd14 = vector.extract %exps[6, 1, 1] : f32 from !scores
        %pair14 = "nvvm.convert.f32x2.to.f16x2"(%odd14, %even14)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !pair into !pairs
        %even15 = vector.extract %exps[7, 1, 0] : f32 from !scores
        %odd15 = vector.extract %exps[7, 1, 1] : f32 from !scores
        %pair15 = "nvvm.convert.f32x2.to.f16x2"(%odd15, %even15)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs = vector.insert %pair15, %pairs_15[15] : !pair into !pairs
        %weights_own = vector.shape_cast %pairs : !pairs to !weights_own
        %exps_to0 = vector.extract %exps[0] : !score_tile from !scores
        %exps_of1 = vector.extract %exps[1] : !score_tile from !scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !score_tile
        %exps_of2 = vector.extract %exps[2] : !score_tile from !scores
        %exps_to2 = arith.addf %exps_to1, %exps_of2 : !score_tile
        %exps_of3 = vector.extract %exps[3] : !score_tile from !scores
        %exps_to3 = arith.addf %exps_to2, %exps_of3 : !score_tile
        %exps_of4 = vector.extract %exps[4] : !score_tile from !scores
        %exps_to4 = arith.addf %exps_to3, %exps_of4 : !score_tile
        %exps_of5 = vector.extract %exps[5] : !score_tile from !scores
        %exps_to5 = arith.addf %exps_to4, %exps_of5 : !score_tile
        %exps_of6 = vector.extract %exps[6] : !score_tile from !scores
        %exps_to6 = arith.addf %exps_to5, %exps_of6 : !score_tile
        %exps_of7 = vector.extract %exps[7] : !score_tile from !scores
        %exps_to7 = arith.addf %exps_to6, %exps_of7 : !score_tile
        %row_exps0 = vector.extract %exps_to7[0] : !row_scores from !score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !row_scores
          into f32
        %row_exps1 = vector.extract %exps_to7[1] : !row_scores from !score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !row_scores
          into f32
        %weight_parts = vector.shape_cast %weights_own : !weights_own to !weight_parts
        %weight_parts_turned = vector.transpose %weight_parts, [0, 2, 1, 3, 4]
          : !weight_parts to !weight_parts_turned
        %weights = vector.shape_cast %weight_parts_turned : !weight_parts_turned to !weights_operand
        %value_column0 = arith.constant 0 : index
        %turned0_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0]
          : !turned into !all_turned
        %turned0_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1]
          : !turned into !all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !all_turned to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%weights, %value0) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value_column1 = arith.constant 8 : index
        %turned1_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0]
          : !turned into !all_turned
        %turned1_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1]
          : !turned into !all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !all_turned to !value_keys
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%weights, %value1) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        %value_column2 = arith.constant 16 : index
        %turned2_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0]
          : !turned into !all_turned
        %turned2_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1]
          : !turned into !all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !all_turned to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%weights, %value2) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value_column3 = arith.constant 24 : index
        %turned3_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0]
          : !turned into !all_turned
        %turned3_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1]
          : !turned into !all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !all_turned to !value_keys
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%weights, %value3) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        %value_column4 = arith.constant 32 : index
        %turned4_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0]
          : !turned into !all_turned
        %turned4_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1]
          : !turned into !all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !all_turned to !value_keys
        %value4 = vector.shape_cast %value_keys4 : !value_keys to !value_operand
        %sums4 = vector.extract %acc_next_4[4] : !sums from !acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%weights, %value4) outs(%sums4)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !sums into !acc
        %value_column5 = arith.constant 40 : index
        %turned5_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0]
          : !turned into !all_turned
        %turned5_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1]
          : !turned into !all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !all_turned to !value_keys
        %value5 = vector.shape_cast %value_keys5 : !value_keys to !value_operand
        %sums5 = vector.extract %acc_next_5[5] : !sums from !acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%weights, %value5) outs(%sums5)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !sums into !acc
        %value_column6 = arith.constant 48 : index
        %turned6_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0]
          : !turned into !all_turned
        %turned6_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1]
          : !turned into !all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !all_turned to !value_keys
        %value6 = vector.shape_cast %value_keys6 : !value_keys to !value_operand
        %sums6 = vector.extract %acc_next_6[6] : !sums from !acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%weights, %value6) outs(%sums6)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !sums into !acc
        %value_column7 = arith.constant 56 : index
        %turned7_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0]
          : !turned into !all_turned
        %turned7_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1]
          : !turned into !all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !all_turned to !value_keys
        %value7 = vector.shape_cast %value_keys7 : !value_keys to !value_operand
        %sums7 = vector.extract %acc_next_7[7] : !sums from !acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%weights, %value7) outs(%sums7)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !sums into !acc
          scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
            : f32, f32, f32, f32, !acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !acc
        }
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
          : f32, f32, f32, f32, !acc
      }
      %max0_2, %max1_2, %sum0_2, %sum1_2, %acc_2 =
        scf.for %step = %partial_steps to %seen_steps step %one_step
          iter_args(
            %max0 = %max0_1,
            %max1 = %max1_1,
            %sum0 = %sum0_1,
            %sum1 = %sum1_1,
            %acc = %acc_1) -> (f32, f32, f32, f32, !acc) {
        %t0_listed = affine.apply affine_map<(f, s)
          -> (f + s floordiv 1)>(%first_listed, %step)
        %t0_column_i32 = tensor.extract %block_columns_rows[%t0_listed] : tensor<48xi32>
        %t0_column = arith.index_cast %t0_column_i32 : i32 to index
        %t0 = affine.apply affine_map<(c, s)
          -> (c * 64 + s mod 1 * 64)>(
            %t0_column, %step)
        %step_after = affine.min affine_map<(s, l) -> (s + 1, l)>(%step, %last_step)
        %t_next_listed = affine.apply affine_map<(f, s)
          -> (f + s floordiv 1)>(%first_listed, %step_after)
        %t_next_column_i32 = tensor.extract %block_columns_rows[%t_next_listed] : tensor<48xi32>
        %t_next_column = arith.index_cast %t_next_column_i32 : i32 to index
        %t_next = affine.apply affine_map<(c, s)
          -> (c * 64 + s mod 1 * 64)>(
            %t_next_column, %step_after)
        %t_here = arith.muli %step, %keys_of_step : index
        %t_after = arith.addi %t_here, %keys_of_step : index
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_any_k2 = affine.apply #key_of_step2(%t_next, %lane)
      %key_k2 = arith.minsi %key_any_k2, %last_key : index
      %row_k2 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k2)
      %key_any_k3 = affine.apply #key_of_step3(%t_next, %lane)
      %key_k3 = arith.minsi %key_any_k3, %last_key : index
      %row_k3 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k3)
      %key_any_v0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_any_v1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
      %key_any_v2 = affine.apply #key_of_step2(%t_next, %lane)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
      %row_v2 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v2)
      %key_any_v3 = affine.apply #key_of_step3(%t_next, %lane)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
      %row_v3 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v3)
        %buffer_after = affine.apply #buffer(%t_after)
        %row_after0 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row0)
        %key_copy0 = "nvgpu.device_async_copy"(
            %key_lds, %row_after0, %copied_column, %keys_there, %row_k0, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after1 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row1)
        %key_copy1 = "nvgpu.device_async_copy"(
            %key_lds, %row_after1, %copied_column, %keys_there, %row_k1, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after2 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row2)
        %key_copy2 = "nvgpu.device_async_copy"(
            %key_lds, %row_after2, %copied_column, %keys_there, %row_k2, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %row_after3 = affine.apply affine_map<(b, r) -> (b + r)>(%buffer_after, %lds_row3)
        %key_copy3 = "nvgpu.device_async_copy"(
            %key_lds, %row_after3, %copied_column, %keys_there, %row_k3, %copied_column)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 0>}>
          : (!key_lds, index, index, !keys_there, index, index) -> !nvgpu.device.async.token
        %all_elements = arith.constant 8 : index
        %token0 = affine.apply #key_of_step0(%t_next, %lane)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %elements0 = arith.select %is_token0, %all_elements, %none : index
        %token1 = affine.apply #key_of_step1(%t_next, %lane)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %elements1 = arith.select %is_token1, %all_elements, %none : index
        %token2 = affine.apply #key_of_step2(%t_next, %lane)
        %is_token2 = arith.cmpi slt, %token2, %context_len : index
        %elements2 = arith.select %is_token2, %all_elements, %none : index
        %token3 = affine.apply #key_of_step3(%t_next, %lane)
        %is_token3 = arith.cmpi slt, %token3, %context_len : index
        %elements3 = arith.select %is_token3, %all_elements, %none : index
        %value_copy0 = "nvgpu.device_async_copy"(
            %value_lds, %row_after0, %copied_column,
            %values_there, %row_v0, %copied_column, %elements0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy1 = "nvgpu.device_async_copy"(
            %value_lds, %row_after1, %copied_column,
            %values_there, %row_v1, %copied_column, %elements1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy2 = "nvgpu.device_async_copy"(
            %value_lds, %row_after2, %copied_column,
            %values_there, %row_v2, %copied_column, %elements2)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy3 = "nvgpu.device_async_copy"(
            %value_lds, %row_after3, %copied_column,
            %values_there, %row_v3, %copied_column, %elements3)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!value_lds, index, index, !values_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, !acc) {
        %buffer_here = affine.apply #buffer(%t_here)
        %index_here = arith.addi %buffer_here, %index : index
        %value_row0 = affine.apply
          affine_map<(b, r) -> (b + r + 0)>(%buffer_here, %turned_row)
        %value_row1 = affine.apply
          affine_map<(b, r) -> (b + r + 32)>(%buffer_here, %turned_row)
        %none_turned = arith.constant dense<0.0> : !all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !head_chunk to !key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%query0, %keys0_0) outs(%score_sums0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0
          : !head_chunk to !key_operand
        %score_sums1_1 = iree_codegen.inner_tiled
          ins(%query0, %keys1_0) outs(%score_sums1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row2_0 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_0 =
          "vector.load"(%key_lds, %key_row2_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys2_0 = vector.shape_cast %key_chunk2_0
          : !head_chunk to !key_operand
        %score_sums2_1 = iree_codegen.inner_tiled
          ins(%query0, %keys2_0) outs(%score_sums2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row3_0 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_0 =
          "vector.load"(%key_lds, %key_row3_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys3_0 = vector.shape_cast %key_chunk3_0
          : !head_chunk to !key_operand
        %score_sums3_1 = iree_codegen.inner_tiled
          ins(%query0, %keys3_0) outs(%score_sums3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row4_0 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_0 =
          "vector.load"(%key_lds, %key_row4_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys4_0 = vector.shape_cast %key_chunk4_0
          : !head_chunk to !key_operand
        %score_sums4_1 = iree_codegen.inner_tiled
          ins(%query0, %keys4_0) outs(%score_sums4_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row5_0 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_0 =
          "vector.load"(%key_lds, %key_row5_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys5_0 = vector.shape_cast %key_chunk5_0
          : !head_chunk to !key_operand
        %score_sums5_1 = iree_codegen.inner_tiled
          ins(%query0, %keys5_0) outs(%score_sums5_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row6_0 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_0 =
          "vector.load"(%key_lds, %key_row6_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys6_0 = vector.shape_cast %key_chunk6_0
          : !head_chunk to !key_operand
        %score_sums6_1 = iree_codegen.inner_tiled
          ins(%query0, %keys6_0) outs(%score_sums6_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row7_0 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_0 =
          "vector.load"(%key_lds, %key_row7_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys7_0 = vector.shape_cast %key_chunk7_0
          : !head_chunk to !key_operand
        %score_sums7_1 = iree_codegen.inner_tiled
          ins(%query0, %keys7_0) outs(%score_sums7_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%query1, %keys0_1) outs(%score_sums0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row1_1 = affine.apply affine_map<(i) -> (i + 8)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !head_chunk to !key_operand
        %score_sums1_2 = iree_codegen.inner_tiled
          ins(%query1, %keys1_1) outs(%score_sums1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row2_1 = affine.apply affine_map<(i) -> (i + 16)>(%index_here)
        %key_chunk2_1 =
          "vector.load"(%key_lds, %key_row2_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys2_1 = vector.shape_cast %key_chunk2_1
          : !head_chunk to !key_operand
        %score_sums2_2 = iree_codegen.inner_tiled
          ins(%query1, %keys2_1) outs(%score_sums2_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row3_1 = affine.apply affine_map<(i) -> (i + 24)>(%index_here)
        %key_chunk3_1 =
          "vector.load"(%key_lds, %key_row3_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys3_1 = vector.shape_cast %key_chunk3_1
          : !head_chunk to !key_operand
        %score_sums3_2 = iree_codegen.inner_tiled
          ins(%query1, %keys3_1) outs(%score_sums3_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row4_1 = affine.apply affine_map<(i) -> (i + 32)>(%index_here)
        %key_chunk4_1 =
          "vector.load"(%key_lds, %key_row4_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys4_1 = vector.shape_cast %key_chunk4_1
          : !head_chunk to !key_operand
        %score_sums4_2 = iree_codegen.inner_tiled
          ins(%query1, %keys4_1) outs(%score_sums4_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row5_1 = affine.apply affine_map<(i) -> (i + 40)>(%index_here)
        %key_chunk5_1 =
          "vector.load"(%key_lds, %key_row5_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys5_1 = vector.shape_cast %key_chunk5_1
          : !head_chunk to !key_operand
        %score_sums5_2 = iree_codegen.inner_tiled
          ins(%query1, %keys5_1) outs(%score_sums5_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row6_1 = affine.apply affine_map<(i) -> (i + 48)>(%index_here)
        %key_chunk6_1 =
          "vector.load"(%key_lds, %key_row6_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys6_1 = vector.shape_cast %key_chunk6_1
          : !head_chunk to !key_operand
        %score_sums6_2 = iree_codegen.inner_tiled
          ins(%query1, %keys6_1) outs(%score_sums6_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %key_row7_1 = affine.apply affine_map<(i) -> (i + 56)>(%index_here)
        %key_chunk7_1 =
          "vector.load"(%key_lds, %key_row7_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys7_1 = vector.shape_cast %key_chunk7_1
          : !head_chunk to !key_operand
        %score_sums7_2 = iree_codegen.inner_tiled
          ins(%query1, %keys7_1) outs(%score_sums7_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !query_operand, !key_operand into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_2
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_2
          : !sums to !score_tile
        %scores_2 = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %score_tile2 = vector.shape_cast %score_sums2_2
          : !sums to !score_tile
        %scores_3 = vector.insert %score_tile2, %scores_2[2]
          : !score_tile into !scores
        %score_tile3 = vector.shape_cast %score_sums3_2
          : !sums to !score_tile
        %scores_4 = vector.insert %score_tile3, %scores_3[3]
          : !score_tile into !scores
        %score_tile4 = vector.shape_cast %score_sums4_2
          : !sums to !score_tile
        %scores_5 = vector.insert %score_tile4, %scores_4[4]
          : !score_tile into !scores
        %score_tile5 = vector.shape_cast %score_sums5_2
          : !sums to !score_tile
        %scores_6 = vector.insert %score_tile5, %scores_5[5]
          : !score_tile into !scores
        %score_tile6 = vector.shape_cast %score_sums6_2
          : !sums to !score_tile
        %scores_7 = vector.insert %score_tile6, %scores_6[6]
          : !score_tile into !scores
        %score_tile7 = vector.shape_cast %score_sums7_2
          : !sums to !score_tile
        %scores = vector.insert %score_tile7, %scores_7[7]
          : !score_tile into !scores
        %first_key_of_step = arith.addi %t0, %key_of_group : index
        %first_key_i32 = arith.index_cast %first_key_of_step : index to i32
        %first_keys_i32 = vector.broadcast %first_key_i32 : i32 to !row_bits
        %key_numbers = arith.constant dense<[[[0, 1], [0, 1]], [[2, 3], [2, 3]], [[4, 5], [4, 5]], [[6, 7], [6, 7]], [[8, 9], [8, 9]], [[10, 11], [10, 11]], [[12, 13], [12, 13]], [[14, 15], [14, 15]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %last_rows = vector.from_elements %last_i32_0, %last_i32_1 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !is_seen, !scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !row_scores from !scores
        %of_tile0_1 = vector.extract %scores_ruled[1, 0]
          : !row_scores from !scores
        %top0_1 = arith.maxnumf %top0_0, %of_tile0_1
          fastmath<nnan> : !row_scores
        %of_tile0_2 = vector.extract %scores_ruled[2, 0]
          : !row_scores from !scores
        %top0_2 = arith.maxnumf %top0_1, %of_tile0_2
          fastmath<nnan> : !row_scores
        %of_tile0_3 = vector.extract %scores_ruled[3, 0]
          : !row_scores from !scores
        %top0_3 = arith.maxnumf %top0_2, %of_tile0_3
          fastmath<nnan> : !row_scores
        %of_tile0_4 = vector.extract %scores_ruled[4, 0]
          : !row_scores from !scores
        %top0_4 = arith.maxnumf %top0_3, %of_tile0_4
          fastmath<nnan> : !row_scores
        %of_tile0_5 = vector.extract %scores_ruled[5, 0]
          : !row_scores from !scores
        %top0_5 = arith.maxnumf %top0_4, %of_tile0_5
          fastmath<nnan> : !row_scores
        %of_tile0_6 = vector.extract %scores_ruled[6, 0]
          : !row_scores from !scores
        %top0_6 = arith.maxnumf %top0_5, %of_tile0_6
          fastmath<nnan> : !row_scores
        %of_tile0_7 = vector.extract %scores_ruled[7, 0]
          : !row_scores from !scores
        %top0_7 = arith.maxnumf %top0_6, %of_tile0_7
          fastmath<nnan> : !row_scores
        %top0 = vector.extract %top0_7[0] : f32 from !row_scores
        %of_key0_1 = vector.extract %top0_7[1]
          : f32 from !row_scores
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
        %top1_0 = vector.extract %scores_ruled[0, 1] : !row_scores from !scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !row_scores from !scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !row_scores
        %of_tile1_2 = vector.extract %scores_ruled[2, 1]
          : !row_scores from !scores
        %top1_2 = arith.maxnumf %top1_1, %of_tile1_2
          fastmath<nnan> : !row_scores
        %of_tile1_3 = vector.extract %scores_ruled[3, 1]
          : !row_scores from !scores
        %top1_3 = arith.maxnumf %top1_2, %of_tile1_3
          fastmath<nnan> : !row_scores
        %of_tile1_4 = vector.extract %scores_ruled[4, 1]
          : !row_scores from !scores
        %top1_4 = arith.maxnumf %top1_3, %of_tile1_4
          fastmath<nnan> : !row_scores
        %of_tile1_5 = vector.extract %scores_ruled[5, 1]
          : !row_scores from !scores
        %top1_5 = arith.maxnumf %top1_4, %of_tile1_5
          fastmath<nnan> : !row_scores
        %of_tile1_6 = vector.extract %scores_ruled[6, 1]
          : !row_scores from !scores
        %top1_6 = arith.maxnumf %top1_5, %of_tile1_6
          fastmath<nnan> : !row_scores
        %of_tile1_7 = vector.extract %scores_ruled[7, 1]
          : !row_scores from !scores
        %top1_7 = arith.maxnumf %top1_6, %of_tile1_7
          fastmath<nnan> : !row_scores
        %top1 = vector.extract %top1_7[0] : f32 from !row_scores
        %of_key1_1 = vector.extract %top1_7[1]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, f32, f32, !acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below1) : (f32) -> f32
          %sum_less1 = arith.mulf %sum1, %factor1 : f32
          %factors = vector.from_elements %factor0, %factor1 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %acc_less = arith.mulf %acc, %all_factors : !acc
          scf.yield %higher0, %higher1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, !acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !acc
        }
        %minus_max0 = arith.negf %max_next0 : f32
        %minus_max1 = arith.negf %max_next1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %logit0 = vector.extract %logits_flat[0] : f32 from !scores_flat
        %exp0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit0) : (f32) -> f32
        %logit1 = vector.extract %logits_flat[1] : f32 from !scores_flat
        %exp1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit1) : (f32) -> f32
        %logit2 = vector.extract %logits_flat[2] : f32 from !scores_flat
        %exp2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit2) : (f32) -> f32
        %logit3 = vector.extract %logits_flat[3] : f32 from !scores_flat
        %exp3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit3) : (f32) -> f32
        %logit4 = vector.extract %logits_flat[4] : f32 from !scores_flat
        %exp4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit4) : (f32) -> f32
        %logit5 = vector.extract %logits_flat[5] : f32 from !scores_flat
        %exp5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit5) : (f32) -> f32
        %logit6 = vector.extract %logits_flat[6] : f32 from !scores_flat
        %exp6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit6) : (f32) -> f32
        %logit7 = vector.extract %logits_flat[7] : f32 from !scores_flat
        %exp7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit7) : (f32) -> f32
        %logit8 = vector.extract %logits_flat[8] : f32 from !scores_flat
        %exp8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit8) : (f32) -> f32
        %logit9 = vector.extract %logits_flat[9] : f32 from !scores_flat
        %exp9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit9) : (f32) -> f32
        %logit10 = vector.extract %logits_flat[10] : f32 from !scores_flat
        %exp10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit10) : (f32) -> f32
        %logit11 = vector.extract %logits_flat[11] : f32 from !scores_flat
        %exp11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit11) : (f32) -> f32
        %logit12 = vector.extract %logits_flat[12] : f32 from !scores_flat
        %exp12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit12) : (f32) -> f32
        %logit13 = vector.extract %logits_flat[13] : f32 from !scores_flat
        %exp13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit13) : (f32) -> f32
        %logit14 = vector.extract %logits_flat[14] : f32 from !scores_flat
        %exp14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit14) : (f32) -> f32
        %logit15 = vector.extract %logits_flat[15] : f32 from !scores_flat
        %exp15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit15) : (f32) -> f32
        %logit16 = vector.extract %logits_flat[16] : f32 from !scores_flat
        %exp16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit16) : (f32) -> f32
        %logit17 = vector.extract %logits_flat[17] : f32 from !scores_flat
        %exp17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit17) : (f32) -> f32
        %logit18 = vector.extract %logits_flat[18] : f32 from !scores_flat
        %exp18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit18) : (f32) -> f32
        %logit19 = vector.extract %logits_flat[19] : f32 from !scores_flat
        %exp19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit19) : (f32) -> f32
        %logit20 = vector.extract %logits_flat[20] : f32 from !scores_flat
        %exp20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit20) : (f32) -> f32
        %logit21 = vector.extract %logits_flat[21] : f32 from !scores_flat
        %exp21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit21) : (f32) -> f32
        %logit22 = vector.extract %logits_flat[22] : f32 from !scores_flat
        %exp22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit22) : (f32) -> f32
        %logit23 = vector.extract %logits_flat[23] : f32 from !scores_flat
        %exp23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit23) : (f32) -> f32
        %logit24 = vector.extract %logits_flat[24] : f32 from !scores_flat
        %exp24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit24) : (f32) -> f32
        %logit25 = vector.extract %logits_flat[25] : f32 from !scores_flat
        %exp25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit25) : (f32) -> f32
        %logit26 = vector.extract %logits_flat[26] : f32 from !scores_flat
        %exp26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit26) : (f32) -> f32
        %logit27 = vector.extract %logits_flat[27] : f32 from !scores_flat
        %exp27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit27) : (f32) -> f32
        %logit28 = vector.extract %logits_flat[28] : f32 from !scores_flat
        %exp28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit28) : (f32) -> f32
        %logit29 = vector.extract %logits_flat[29] : f32 from !scores_flat
        %exp29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit29) : (f32) -> f32
        %logit30 = vector.extract %logits_flat[30] : f32 from !scores_flat
        %exp30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit30) : (f32) -> f32
        %logit31 = vector.extract %logits_flat[31] : f32 from !scores_flat
        %exp31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%logit31) : (f32) -> f32
        %exps_flat = vector.from_elements %exp0, %exp1, %exp2, %exp3, %exp4, %exp5, %exp6, %exp7, %exp8, %exp9, %exp10, %exp11, %exp12, %exp13, %exp14, %exp15, %exp16, %exp17, %exp18, %exp19, %exp20, %exp21, %exp22, %exp23, %exp24, %exp25, %exp26, %exp27, %exp28, %exp29, %exp30, %exp31 : !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %no_pairs = arith.constant dense<0.0> : !pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !scores
        %pair0 = "nvvm.convert.f32x2.to.f16x2"(%odd0, %even0)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !pair into !pairs
        %even1 = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd1 = vector.extract %exps[1, 0, 1] : f32 from !scores
        %pair1 = "nvvm.convert.f32x2.to.f16x2"(%odd1, %even1)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !pair into !pairs
        %even2 = vector.extract %exps[2, 0, 0] : f32 from !scores
        %odd2 = vector.extract %exps[2, 0, 1] : f32 from !scores
        %pair2 = "nvvm.convert.f32x2.to.f16x2"(%odd2, %even2)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !pair into !pairs
        %even3 = vector.extract %exps[3, 0, 0] : f32 from !scores
        %odd3 = vector.extract %exps[3, 0, 1] : f32 from !scores
        %pair3 = "nvvm.convert.f32x2.to.f16x2"(%odd3, %even3)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
        %even4 = vector.extract %exps[4, 0, 0] : f32 from !scores
        %odd4 = vector.extract %exps[4, 0, 1] : f32 from !scores
        %pair4 = "nvvm.convert.f32x2.to.f16x2"(%odd4, %even4)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !pair into !pairs
        %even5 = vector.extract %exps[5, 0, 0] : f32 from !scores
        %odd5 = vector.extract %exps[5, 0, 1] : f32 from !scores
        %pair5 = "nvvm.convert.f32x2.to.f16x2"(%odd5, %even5)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !pair into !pairs
        %even6 = vector.extract %exps[6, 0, 0] : f32 from !scores
        %odd6 = vector.extract %exps[6, 0, 1] : f32 from !scores
        %pair6 = "nvvm.convert.f32x2.to.f16x2"(%odd6, %even6)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !pair into !pairs
        %even7 = vector.extract %exps[7, 0, 0] : f32 from !scores
        %odd7 = vector.extract %exps[7, 0, 1] : f32 from !scores
        %pair7 = "nvvm.convert.f32x2.to.f16x2"(%odd7, %even7)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !pair into !pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !scores
        %pair8 = "nvvm.convert.f32x2.to.f16x2"(%odd8, %even8)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !pair into !pairs
        %even9 = vector.extract %exps[1, 1, 0] : f32 from !scores
        %odd9 = vector.extract %exps[1, 1, 1] : f32 from !scores
        %pair9 = "nvvm.convert.f32x2.to.f16x2"(%odd9, %even9)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !pair into !pairs
        %even10 = vector.extract %exps[2, 1, 0] : f32 from !scores
        %odd10 = vector.extract %exps[2, 1, 1] : f32 from !scores
        %pair10 = "nvvm.convert.f32x2.to.f16x2"(%odd10, %even10)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !pair into !pairs
        %even11 = vector.extract %exps[3, 1, 0] : f32 from !scores
        %odd11 = vector.extract %exps[3, 1, 1] : f32 from !scores
        %pair11 = "nvvm.convert.f32x2.to.f16x2"(%odd11, %even11)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !pair into !pairs
        %even12 = vector.extract %exps[4, 1, 0] : f32 from !scores
        %odd12 = vector.extract %exps[4, 1, 1] : f32 from !scores
        %pair12 = "nvvm.convert.f32x2.to.f16x2"(%odd12, %even12)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !pair into !pairs
        %even13 = vector.extract %exps[5, 1, 0] : f32 from !scores
        %odd13 = vector.extract %exps[5, 1, 1] : f32 from !scores
        %pair13 = "nvvm.convert.f32x2.to.f16x2"(%odd13, %even13)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !pair into !pairs
        %even14 = vector.extract %exps[6, 1, 0] : f32 from !scores
        %odd14 = vector.extract %exps[6, 1, 1] : f32 from !scores
        %pair14 = "nvvm.convert.f32x2.to.f16x2"(%odd14, %even14)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !pair into !pairs
        %even15 = vector.extract %exps[7, 1, 0] : f32 from !scores
        %odd15 = vector.extract %exps[7, 1, 1] : f32 from !scores
        %pair15 = "nvvm.convert.f32x2.to.f16x2"(%odd15, %even15)
          <{rnd = #nvvm.fp_rnd_mode<rn>}> : (f32, f32) -> !pair
        %pairs = vector.insert %pair15, %pairs_15[15] : !pair into !pairs
        %weights_own = vector.shape_cast %pairs : !pairs to !weights_own
        %exps_to0 = vector.extract %exps[0] : !score_tile from !scores
        %exps_of1 = vector.extract %exps[1] : !score_tile from !scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !score_tile
        %exps_of2 = vector.extract %exps[2] : !score_tile from !scores
        %exps_to2 = arith.addf %exps_to1, %exps_of2 : !score_tile
        %exps_of3 = vector.extract %exps[3] : !score_tile from !scores
        %exps_to3 = arith.addf %exps_to2, %exps_of3 : !score_tile
        %exps_of4 = vector.extract %exps[4] : !score_tile from !scores
        %exps_to4 = arith.addf %exps_to3, %exps_of4 : !score_tile
        %exps_of5 = vector.extract %exps[5] : !score_tile from !scores
        %exps_to5 = arith.addf %exps_to4, %exps_of5 : !score_tile
        %exps_of6 = vector.extract %exps[6] : !score_tile from !scores
        %exps_to6 = arith.addf %exps_to5, %exps_of6 : !score_tile
        %exps_of7 = vector.extract %exps[7] : !score_tile from !scores
        %exps_to7 = arith.addf %exps_to6, %exps_of7 : !score_tile
        %row_exps0 = vector.extract %exps_to7[0] : !row_scores from !score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !row_scores
          into f32
        %row_exps1 = vector.extract %exps_to7[1] : !row_scores from !score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !row_scores
          into f32
        %weight_parts = vector.shape_cast %weights_own : !weights_own to !weight_parts
        %weight_parts_turned = vector.transpose %weight_parts, [0, 2, 1, 3, 4]
          : !weight_parts to !weight_parts_turned
        %weights = vector.shape_cast %weight_parts_turned : !weight_parts_turned to !weights_operand
        %value_column0 = arith.constant 0 : index
        %turned0_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0]
          : !turned into !all_turned
        %turned0_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column0)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1]
          : !turned into !all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !all_turned to !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %acc_brought[0] : !sums from !acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%weights, %value0) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !sums into !acc
        %value_column1 = arith.constant 8 : index
        %turned1_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0]
          : !turned into !all_turned
        %turned1_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column1)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1]
          : !turned into !all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !all_turned to !value_keys
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_next_1[1] : !sums from !acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%weights, %value1) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !sums into !acc
        %value_column2 = arith.constant 16 : index
        %turned2_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0]
          : !turned into !all_turned
        %turned2_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column2)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1]
          : !turned into !all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !all_turned to !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_next_2[2] : !sums from !acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%weights, %value2) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !sums into !acc
        %value_column3 = arith.constant 24 : index
        %turned3_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0]
          : !turned into !all_turned
        %turned3_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column3)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1]
          : !turned into !all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !all_turned to !value_keys
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_next_3[3] : !sums from !acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%weights, %value3) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        %value_column4 = arith.constant 32 : index
        %turned4_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0]
          : !turned into !all_turned
        %turned4_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column4)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1]
          : !turned into !all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !all_turned to !value_keys
        %value4 = vector.shape_cast %value_keys4 : !value_keys to !value_operand
        %sums4 = vector.extract %acc_next_4[4] : !sums from !acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%weights, %value4) outs(%sums4)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !sums into !acc
        %value_column5 = arith.constant 40 : index
        %turned5_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0]
          : !turned into !all_turned
        %turned5_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column5)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1]
          : !turned into !all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !all_turned to !value_keys
        %value5 = vector.shape_cast %value_keys5 : !value_keys to !value_operand
        %sums5 = vector.extract %acc_next_5[5] : !sums from !acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%weights, %value5) outs(%sums5)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !sums into !acc
        %value_column6 = arith.constant 48 : index
        %turned6_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0]
          : !turned into !all_turned
        %turned6_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column6)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1]
          : !turned into !all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !all_turned to !value_keys
        %value6 = vector.shape_cast %value_keys6 : !value_keys to !value_operand
        %sums6 = vector.extract %acc_next_6[6] : !sums from !acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%weights, %value6) outs(%sums6)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !sums into !acc
        %value_column7 = arith.constant 56 : index
        %turned7_0 = "nvgpu.ldmatrix"(%value_lds, %value_row0, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0]
          : !turned into !all_turned
        %turned7_1 = "nvgpu.ldmatrix"(%value_lds, %value_row1, %value_column7)
          <{numTiles = 4 : i32, transpose = true}> : (!value_lds, index, index) -> !turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1]
          : !turned into !all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !all_turned to !value_keys
        %value7 = vector.shape_cast %value_keys7 : !value_keys to !value_operand
        %sums7 = vector.extract %acc_next_7[7] : !sums from !acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%weights, %value7) outs(%sums7)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !weights_operand, !value_operand into !sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !sums into !acc
          scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
            : f32, f32, f32, f32, !acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, !acc
        }
        scf.yield %max_next0, %max_next1, %sum_next0, %sum_next1, %acc_next
          : f32, f32, f32, f32, !acc
      }
      nvvm.cp.async.wait.group 0
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
      %output_spread = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %is_upper = affine.apply affine_map<(g) -> (g floordiv 2)>(%group)
      %is_odd = affine.apply affine_map<(g) -> (g mod 2)>(%group)
      %is_bit2 = arith.cmpi ne, %is_upper, %none : index
      %is_bit1 = arith.cmpi ne, %is_odd, %none : index
      %no_output = arith.constant dense<0.0> : !output_rows
      %spread0 = vector.extract %output_spread[0] : !output_row from !output_rows
      %spread_bits0 = vector.bitcast %spread0 : !output_row to !output_bits
      %pair0_0_s = vector.extract %spread_bits0[0] : i32 from !output_bits
      %pair0_1_s = vector.extract %spread_bits0[1] : i32 from !output_bits
      %pair0_2_s = vector.extract %spread_bits0[2] : i32 from !output_bits
      %pair0_3_s = vector.extract %spread_bits0[3] : i32 from !output_bits
      %pair0_4_s = vector.extract %spread_bits0[4] : i32 from !output_bits
      %pair0_5_s = vector.extract %spread_bits0[5] : i32 from !output_bits
      %pair0_6_s = vector.extract %spread_bits0[6] : i32 from !output_bits
      %pair0_7_s = vector.extract %spread_bits0[7] : i32 from !output_bits
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
        : !output_bits
      %gathered_row0 = vector.bitcast %gathered0 : !output_bits to !output_row
      %output_1 = vector.insert %gathered_row0, %no_output[0]
        : !output_row into !output_rows
      %spread1 = vector.extract %output_spread[1] : !output_row from !output_rows
      %spread_bits1 = vector.bitcast %spread1 : !output_row to !output_bits
      %pair1_0_s = vector.extract %spread_bits1[0] : i32 from !output_bits
      %pair1_1_s = vector.extract %spread_bits1[1] : i32 from !output_bits
      %pair1_2_s = vector.extract %spread_bits1[2] : i32 from !output_bits
      %pair1_3_s = vector.extract %spread_bits1[3] : i32 from !output_bits
      %pair1_4_s = vector.extract %spread_bits1[4] : i32 from !output_bits
      %pair1_5_s = vector.extract %spread_bits1[5] : i32 from !output_bits
      %pair1_6_s = vector.extract %spread_bits1[6] : i32 from !output_bits
      %pair1_7_s = vector.extract %spread_bits1[7] : i32 from !output_bits
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
        : !output_bits
      %gathered_row1 = vector.bitcast %gathered1 : !output_bits to !output_row
      %output = vector.insert %gathered_row1, %output_1[1]
        : !output_row into !output_rows
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [2, 16]
        [1, 1] : tensor<64x64xf16> to tensor<2x16xf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [true, true]}
          : !output_rows, tensor<2x16xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [2, 16] [1, 1] : tensor<2x16xf16> into tensor<64x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_tile
        into %output_rows_all[%result_row, %none]
        [64, 64] [1, 1]
        : tensor<64x64xf16> into tensor<1024x64xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : tensor<1024x64xf16> -> !output_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value, %block_counts: !block_counts, %block_columns: !block_columns) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x8x128x64xf16> into tensor<1024x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x150x64xf16> into tensor<300x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x150x64xf16> into tensor<300x64xf16>
  %block_counts_rows = tensor.collapse_shape %block_counts [[0, 1, 2, 3]]
    : tensor<1x8x2x2xi32> into tensor<32xi32>
  %block_columns_rows = tensor.collapse_shape %block_columns [[0, 1, 2, 3]]
    : tensor<1x8x2x3xi32> into tensor<48xi32>
  %made = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows, %block_counts_rows, %block_columns_rows
    ) : (
      tensor<1024x64xf16>,
      tensor<300x64xf16>,
      tensor<300x64xf16>,
      tensor<32xi32>,
      tensor<48xi32>
    ) -> tensor<1024x64xf16>
  %output = tensor.expand_shape %made [[0, 1, 2], [3]]
    output_shape [1, 8, 128, 64] : tensor<1024x64xf16> into tensor<1x8x128x64xf16>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %block_counts: !block_counts,
    %block_columns: !block_columns,
    %output_memory: !hal.buffer {iree.abi.output = 0 : index},
    %between: !hal.buffer {iree.abi.transients}
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention(%query, %key, %value, %block_counts, %block_columns)
    : (!query, !key, !value, !block_counts, !block_columns) -> (!output)
  util.return %output : !output
}
