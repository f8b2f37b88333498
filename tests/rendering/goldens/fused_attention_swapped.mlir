// Attention as one kernel of lanes.
!query = tensor<1x8x128x128xf16>
!key = tensor<1x2x128x128xf16>
!value = tensor<1x2x128x128xf16>
!output = tensor<1x8x128x128xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x128xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x128xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x128xf16>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024x4x4x8xf16>>
!head_chunk = vector<8xf16>
!query_columns = vector<1x1x8xf16>
!queries = vector<1x1x1x1x8xf16>
!queries_turned = vector<1x1x1x1x8xf16>
!query_operand = vector<1x1x1x8xf16>
!key_operand = vector<1x1x1x8xf16>
!value_keys = vector<8xf16>
!value_operand = vector<1x1x1x8xf16>
!weight_parts = vector<1x1x1x1x8xf16>
!weight_parts_turned = vector<1x1x1x1x8xf16>
!weights_operand = vector<1x1x1x8xf16>
!row_scores = vector<4xf32>
!score_tile = vector<1x4xf32>
!scores = vector<2x1x4xf32>
!scores_flat = vector<8xf32>
!score_bits = vector<2x1x4xi32>
!is_seen = vector<2x1x4xi1>
!weight_bits = vector<2x1x4xi16>
!weights_by_key = vector<2x1x4xf16>
!weights_own = vector<1x2x4xf16>
!weights_flat = vector<8xf16>
!pair = vector<2xf16>
!pairs = vector<4x2xf16>
!pair_bits = vector<4xi32>
!all_bits = vector<8xi32>
!all_weights = vector<16xf16>
!sums = vector<1x1x1x4xf32>
!sum_factors = vector<1x1x1x1xf32>
!acc = vector<8x1x1x1x4xf32>
!acc_by_column = vector<8x1x4xf32>
!acc_by_row = vector<1x8x4xf32>
!acc_row = vector<8x4xf32>
!rows = vector<1x1xf32>
!row_bits = vector<1x1xi32>
!output_f32 = vector<32xf32>
!rows_f32 = vector<1x32xf32>
!output_pieces =
  vector<1x4x1x8xf16>
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
!output_rows = vector<1x32xf16>
!lse_rows = vector<1xf32>
!columns_made = vector<1x32xf16>
!accesses = vector<1x4x2x4xf16>
!halves = vector<1x4x1x4xf16>
!output_words = vector<1x16xi32>
!swapped = !llvm.struct<(i32, i32)>
!access = vector<8xf16>
!turned = vector<4xf16>
!all_turned = vector<2x4xf16>
!query_part = vector<1x1x1x8xf16>
!key_part = vector<1x1x1x8xf16>
!value_part = vector<1x1x1x8xf16>
!query_row = vector<8xf16>
!key_row = vector<8xf16>
!value_row = vector<8xf16>
!sums_of_one = vector<1x1x1x4xf32>
!acc_of_one = vector<8x1x1x1x4xf32>
!pairs_of_part = vector<4x2xf16>
!two = vector<2xf32>
!two_bits = vector<2xi32>
!keys_there = memref<256x128xf16, strided<[?, 1], offset: ?>, #amdgpu.address_space<fat_raw_buffer>>
!values_there = memref<256x128xf16, strided<[?, 1], offset: ?>, #amdgpu.address_space<fat_raw_buffer>>
!key_lds = memref<16x544xf16, #gpu.address_space<workgroup>>
!value_lds = memref<16x544xf16, #gpu.address_space<workgroup>>
// The keys that lane l copies of the step that begins at key t, and the column that it copies from: of the
// rows of a block, in the order of LDS, an access of each, of the columns of one group after the other.
#key_of_step0 = affine_map<(t, l)
  -> (t + (l floordiv 64 * 4 + l mod 4 + 0) mod 16 floordiv 4 * 8
    + (l floordiv 64 * 4 + l mod 4 + 0) floordiv 16 * 4 + (l floordiv 64 * 4 + l mod 4 + 0) mod 4)>
#key_of_step1 = affine_map<(t, l)
  -> (t + (l floordiv 64 * 4 + l mod 4 + 16) mod 16 floordiv 4 * 8
    + (l floordiv 64 * 4 + l mod 4 + 16) floordiv 16 * 4 + (l floordiv 64 * 4 + l mod 4 + 16) mod 4)>
#copied_column = affine_map<(l)
  -> (l mod 64 floordiv 4 mod 4 * 32
    + l mod 64 floordiv 4 floordiv 4 * 8)>
// The first LDS block of the step that begins at key t.
#buffer = affine_map<(t)
  -> (t floordiv 32 * 8 mod 16)>
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
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1024, 128], strides = [1, 1]
      : !query_rows_in -> tensor<1024x128xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [256, 128], strides = [1, 1]
      : !key_rows_in -> tensor<256x128xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [256, 128], strides = [1, 1]
      : !value_rows_in -> tensor<256x128xf16>
    %output_rows_empty = tensor.empty() : tensor<1024x4x4x8xf16>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 8 : index
    %rows_of_head = arith.constant 128 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 128 : index
    %q_len = arith.constant 128 : index
    %context_len = arith.constant 128 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 64 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<1024x4x4x8xf16>) {
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
    %keys_there = bufferization.to_buffer %key_rows read_only
      : tensor<256x128xf16> to !keys_there
    %values_there = bufferization.to_buffer %value_rows read_only
      : tensor<256x128xf16> to !values_there
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !value_lds
    %tile_empty0 = tensor.empty()
      : tensor<64x4x4x8xf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<64x4x4x8xf16>) -> tensor<64x4x4x8xf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 32 * 32, e floordiv 32 *
      32)>(%end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %begin : index
    %output_tile =
      scf.forall (%lane) in (256)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<64x4x4x8xf16>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 4, 16)
        : index, index, index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 16 + i * 1)>(%wave, %index)
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
        %no_element {in_bounds = [true]} : tensor<1024x128xf16>, !head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<1024x128xf16>, !head_chunk
      %column0_2 = affine.apply affine_map<(c) -> (c + 64)>(%head_column)
      %query_chunk0_2 = vector.transfer_read
        %query_rows[%query_row0, %column0_2],
        %no_element {in_bounds = [true]} : tensor<1024x128xf16>, !head_chunk
      %column0_3 = affine.apply affine_map<(c) -> (c + 96)>(%head_column)
      %query_chunk0_3 = vector.transfer_read
        %query_rows[%query_row0, %column0_3],
        %no_element {in_bounds = [true]} : tensor<1024x128xf16>, !head_chunk
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
      %position0 = arith.addi %first_position, %row_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %wave_position = affine.apply affine_map<(p, r, w)
        -> (p + r + w * 16)>(%first_position, %row_0, %wave)
      %last_of_wave = affine.apply affine_map<(p) -> (p + 15)>(%wave_position)
      %unit = arith.constant 0.12751743082459868 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      %score_sums0_0 = arith.constant dense<0.0> : !sums
      %score_sums1_0 = arith.constant dense<0.0> : !sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %distance2 = arith.constant 32 : i32
      %wave_size = arith.constant 64 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %copied_column = affine.apply #copied_column(%lane)
      // What all lanes of a wave have alike is said to be so.
      %wave_i32 = arith.index_cast %wave : index to i32
      %wave_of_all_i32 = rocdl.readfirstlane %wave_i32 : i32
      %wave_of_all = arith.index_cast %wave_of_all_i32 : i32 to index
      %place_of_lane = affine.apply
        affine_map<(l) -> (l mod 64 * 8)>(%lane)
      %block_of_index = affine.apply affine_map<(i) -> (i floordiv 4)>(%index)
      %place_of_index = affine.apply affine_map<(i, g)
        -> (i mod 4 * 8 + g mod 4 * 32 * 4
          + g floordiv 4 * 32)>(%index, %group)
      %block_turned = affine.apply
        affine_map<(g, i) -> ((g * 4 + i floordiv 4) floordiv 4)>(%group, %index)
      %half_column0 = affine.apply affine_map<(g, i)
        -> (i mod 4 * 32
          + (g * 4 + i floordiv 4) mod 4 * 8
          + (i mod 4 floordiv 1 + 0) mod 2 * 4)>(%group, %index)
      %half_column1 = affine.apply affine_map<(g, i)
        -> (i mod 4 * 32
          + (g * 4 + i floordiv 4) mod 4 * 8
          + (i mod 4 floordiv 1 + 1) mod 2 * 4)>(%group, %index)
      scf.execute_region {
        %t_after = affine.apply affine_map<(t) -> (t)>(%begin)
        %t_next = arith.minsi %t_after, %t_last : index
      %key_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_v0 = affine.apply #key_of_step0(%t_next, %lane)
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_v1 = affine.apply #key_of_step1(%t_next, %lane)
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
        %buffer_after = affine.apply #buffer(%t_after)
        %block_after0 = affine.apply affine_map<(b, w)
          -> (b + w + 0)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k0, %copied_column,
            %key_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v0, %copied_column,
            %value_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        %block_after1 = affine.apply affine_map<(b, w)
          -> (b + w + 4)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k1, %copied_column,
            %key_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v1, %copied_column,
            %value_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        rocdl.asyncmark
        scf.yield
      }
      %max0_1, %sum0_1, %acc_1 =
        scf.for %t0 = %begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %sum0 = %sum0_0,
            %acc = %acc_0) -> (f32, f32, !acc) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
        %buffer_here = affine.apply #buffer(%t0)
        rocdl.wait.asyncmark 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %key_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_v0 = affine.apply #key_of_step0(%t_next, %lane)
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_v1 = affine.apply #key_of_step1(%t_next, %lane)
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
        %index_here = arith.addi %buffer_here, %block_of_index : index
        %value_block0 = affine.apply affine_map<(b, r)
          -> (b + r + 0)>(%buffer_here, %block_turned)
        %value_block1 = affine.apply affine_map<(b, r)
          -> (b + r + 4)>(%buffer_here, %block_turned)
        %none_turned = arith.constant dense<0.0> : !all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%place_of_index)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_0 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%place_of_index)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_1 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column2 = affine.apply affine_map<(c) -> (c + 64)>(%place_of_index)
        %key_row0_2 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_2 =
          "vector.load"(%key_lds, %key_row0_2, %key_column2)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_2 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_2 =
          "vector.load"(%key_lds, %key_row1_2, %key_column2)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column3 = affine.apply affine_map<(c) -> (c + 96)>(%place_of_index)
        %key_row0_3 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_3 =
          "vector.load"(%key_lds, %key_row0_3, %key_column3)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_3 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_3 =
          "vector.load"(%key_lds, %key_row1_3, %key_column3)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %value_column0 = affine.apply affine_map<(c)
          -> (c + 0)>(%half_column0)
        %turned0_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column0] : !value_lds -> !turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0] : !turned into !all_turned
        %turned0_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column0] : !value_lds -> !turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1] : !turned into !all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !all_turned to !value_keys
        %value_column1 = affine.apply affine_map<(c)
          -> (c + 0)>(%half_column1)
        %turned1_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column1] : !value_lds -> !turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0] : !turned into !all_turned
        %turned1_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column1] : !value_lds -> !turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1] : !turned into !all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !all_turned to !value_keys
        %value_column2 = affine.apply affine_map<(c)
          -> (c + 128)>(%half_column0)
        %turned2_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column2] : !value_lds -> !turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0] : !turned into !all_turned
        %turned2_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column2] : !value_lds -> !turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1] : !turned into !all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !all_turned to !value_keys
        %value_column3 = affine.apply affine_map<(c)
          -> (c + 128)>(%half_column1)
        %turned3_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column3] : !value_lds -> !turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0] : !turned into !all_turned
        %turned3_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column3] : !value_lds -> !turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1] : !turned into !all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !all_turned to !value_keys
        %value_column4 = affine.apply affine_map<(c)
          -> (c + 256)>(%half_column0)
        %turned4_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column4] : !value_lds -> !turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0] : !turned into !all_turned
        %turned4_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column4] : !value_lds -> !turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1] : !turned into !all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !all_turned to !value_keys
        %value_column5 = affine.apply affine_map<(c)
          -> (c + 256)>(%half_column1)
        %turned5_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column5] : !value_lds -> !turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0] : !turned into !all_turned
        %turned5_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column5] : !value_lds -> !turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1] : !turned into !all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !all_turned to !value_keys
        %value_column6 = affine.apply affine_map<(c)
          -> (c + 384)>(%half_column0)
        %turned6_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column6] : !value_lds -> !turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0] : !turned into !all_turned
        %turned6_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column6] : !value_lds -> !turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1] : !turned into !all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !all_turned to !value_keys
        %value_column7 = affine.apply affine_map<(c)
          -> (c + 384)>(%half_column1)
        %turned7_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column7] : !value_lds -> !turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0] : !turned into !all_turned
        %turned7_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column7] : !value_lds -> !turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1] : !turned into !all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !all_turned to !value_keys
        %buffer_after = affine.apply #buffer(%t_after)
        %block_after0 = affine.apply affine_map<(b, w)
          -> (b + w + 0)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k0, %copied_column,
            %key_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v0, %copied_column,
            %value_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        %block_after1 = affine.apply affine_map<(b, w)
          -> (b + w + 4)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k1, %copied_column,
            %key_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v1, %copied_column,
            %value_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        rocdl.asyncmark
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
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %key_row0_at1 = vector.extract %keys0_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at1 = vector.shape_cast %key_row0_at1
          : !key_row to !key_part
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !head_chunk to !key_operand
        %key_row1_at1 = vector.extract %keys1_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at1 = vector.shape_cast %key_row1_at1
          : !key_row to !key_part
        %query_row0_at1 = vector.extract %query1[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at1 = vector.shape_cast %query_row0_at1
          : !query_row to !query_part
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !head_chunk to !key_operand
        %key_row0_at2 = vector.extract %keys0_2[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at2 = vector.shape_cast %key_row0_at2
          : !key_row to !key_part
        %keys1_2 = vector.shape_cast %key_chunk1_2
          : !head_chunk to !key_operand
        %key_row1_at2 = vector.extract %keys1_2[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at2 = vector.shape_cast %key_row1_at2
          : !key_row to !key_part
        %query_row0_at2 = vector.extract %query2[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at2 = vector.shape_cast %query_row0_at2
          : !query_row to !query_part
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !head_chunk to !key_operand
        %key_row0_at3 = vector.extract %keys0_3[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at3 = vector.shape_cast %key_row0_at3
          : !key_row to !key_part
        %keys1_3 = vector.shape_cast %key_chunk1_3
          : !head_chunk to !key_operand
        %key_row1_at3 = vector.extract %keys1_3[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at3 = vector.shape_cast %key_row1_at3
          : !key_row to !key_part
        %query_row0_at3 = vector.extract %query3[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at3 = vector.shape_cast %query_row0_at3
          : !query_row to !query_part
        %scores_of0_0_0 = iree_codegen.inner_tiled
          ins(%key_part0_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_0 = iree_codegen.inner_tiled
          ins(%key_part1_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_0_1 = iree_codegen.inner_tiled
          ins(%key_part0_at1, %query_part0_at1)
          outs(%scores_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_1 = iree_codegen.inner_tiled
          ins(%key_part1_at1, %query_part0_at1)
          outs(%scores_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_0_2 = iree_codegen.inner_tiled
          ins(%key_part0_at2, %query_part0_at2)
          outs(%scores_of0_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_2 = iree_codegen.inner_tiled
          ins(%key_part1_at2, %query_part0_at2)
          outs(%scores_of0_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_0_3 = iree_codegen.inner_tiled
          ins(%key_part0_at3, %query_part0_at3)
          outs(%scores_of0_0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_3 = iree_codegen.inner_tiled
          ins(%key_part1_at3, %query_part0_at3)
          outs(%scores_of0_1_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %row_scores0_0 = vector.shape_cast
          %scores_of0_0_3 : !sums_of_one to !row_scores
        %row_scores0_1 = vector.shape_cast
          %scores_of0_1_3 : !sums_of_one to !row_scores
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
        %best_bits0_1 = arith.bitcast %best_to0_0 : f32 to i32
        %halves0_1 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
            %best_bits0_1, %best_bits0_1, %no, %no)
          : (i32, i32, i1, i1) -> !llvm.struct<(i32, i32)>
        %lower_bits0_1 = llvm.extractvalue %halves0_1[0] : !llvm.struct<(i32, i32)>
        %upper_bits0_1 = llvm.extractvalue %halves0_1[1] : !llvm.struct<(i32, i32)>
        %lower0_1 = arith.bitcast %lower_bits0_1 : i32 to f32
        %upper0_1 = arith.bitcast %upper_bits0_1 : i32 to f32
        %best_to0_1 = arith.maxnumf %lower0_1, %upper0_1 fastmath<nnan> : f32
        %best_bits0_2 = arith.bitcast %best_to0_1 : f32 to i32
        %halves0_2 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
            %best_bits0_2, %best_bits0_2, %no, %no)
          : (i32, i32, i1, i1) -> !llvm.struct<(i32, i32)>
        %lower_bits0_2 = llvm.extractvalue %halves0_2[0] : !llvm.struct<(i32, i32)>
        %upper_bits0_2 = llvm.extractvalue %halves0_2[1] : !llvm.struct<(i32, i32)>
        %lower0_2 = arith.bitcast %lower_bits0_2 : i32 to f32
        %upper0_2 = arith.bitcast %upper_bits0_2 : i32 to f32
        %best0 = arith.maxnumf %lower0_2, %upper0_2 fastmath<nnan> : f32
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
        rocdl.sched.barrier none
        %values0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %value_row0_at0 = vector.extract %values0[0, 0, 0]
          : !value_row from !value_operand
        %value_part0_at0 = vector.shape_cast %value_row0_at0
          : !value_row to !value_part
        %values1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %value_row1_at0 = vector.extract %values1[0, 0, 0]
          : !value_row from !value_operand
        %value_part1_at0 = vector.shape_cast %value_row1_at0
          : !value_row to !value_part
        %values2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %value_row2_at0 = vector.extract %values2[0, 0, 0]
          : !value_row from !value_operand
        %value_part2_at0 = vector.shape_cast %value_row2_at0
          : !value_row to !value_part
        %values3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %value_row3_at0 = vector.extract %values3[0, 0, 0]
          : !value_row from !value_operand
        %value_part3_at0 = vector.shape_cast %value_row3_at0
          : !value_row to !value_part
        %values4 = vector.shape_cast %value_keys4 : !value_keys to !value_operand
        %value_row4_at0 = vector.extract %values4[0, 0, 0]
          : !value_row from !value_operand
        %value_part4_at0 = vector.shape_cast %value_row4_at0
          : !value_row to !value_part
        %values5 = vector.shape_cast %value_keys5 : !value_keys to !value_operand
        %value_row5_at0 = vector.extract %values5[0, 0, 0]
          : !value_row from !value_operand
        %value_part5_at0 = vector.shape_cast %value_row5_at0
          : !value_row to !value_part
        %values6 = vector.shape_cast %value_keys6 : !value_keys to !value_operand
        %value_row6_at0 = vector.extract %values6[0, 0, 0]
          : !value_row from !value_operand
        %value_part6_at0 = vector.shape_cast %value_row6_at0
          : !value_row to !value_part
        %values7 = vector.shape_cast %value_keys7 : !value_keys to !value_operand
        %value_row7_at0 = vector.extract %values7[0, 0, 0]
          : !value_row from !value_operand
        %value_part7_at0 = vector.shape_cast %value_row7_at0
          : !value_row to !value_part
        %acc_of0 = vector.extract_strided_slice %acc
          offsets = [0, 0, 0], sizes = [8, 1, 1], strides = [1, 1, 1] : !acc to !acc_of_one
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
        %pairs0_at0_2 = vector.insert %pair1, %pairs0_at0_1[1]
          : !pair into !pairs_of_part
        %pairs0_at0_3 = vector.insert %pair2, %pairs0_at0_2[2]
          : !pair into !pairs_of_part
        %pairs0_at0 = vector.insert %pair3, %pairs0_at0_3[3]
          : !pair into !pairs_of_part
        %weight_part0_at0 = vector.shape_cast %pairs0_at0 : !pairs_of_part to !value_part
        %sums_of0_0_0 = vector.extract %acc_brought0[0] : !sums_of_one from !acc_of_one
        %sums_next0_0_0 = iree_codegen.inner_tiled
          ins(%value_part0_at0, %weight_part0_at0)
          outs(%sums_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_1 = vector.insert %sums_next0_0_0, %acc_brought0[0]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_1_0 = vector.extract %acc_summed0_1[1] : !sums_of_one from !acc_of_one
        %sums_next0_1_0 = iree_codegen.inner_tiled
          ins(%value_part1_at0, %weight_part0_at0)
          outs(%sums_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_2 = vector.insert %sums_next0_1_0, %acc_summed0_1[1]
          : !sums_of_one into !acc_of_one
        %step_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair0, %ones, %zero, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of0_2_0 = vector.extract %acc_summed0_2[2] : !sums_of_one from !acc_of_one
        %sums_next0_2_0 = iree_codegen.inner_tiled
          ins(%value_part2_at0, %weight_part0_at0)
          outs(%sums_of0_2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_3 = vector.insert %sums_next0_2_0, %acc_summed0_2[2]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_3_0 = vector.extract %acc_summed0_3[3] : !sums_of_one from !acc_of_one
        %sums_next0_3_0 = iree_codegen.inner_tiled
          ins(%value_part3_at0, %weight_part0_at0)
          outs(%sums_of0_3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_4 = vector.insert %sums_next0_3_0, %acc_summed0_3[3]
          : !sums_of_one into !acc_of_one
        %step_sum1 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair1, %ones, %step_sum0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of0_4_0 = vector.extract %acc_summed0_4[4] : !sums_of_one from !acc_of_one
        %sums_next0_4_0 = iree_codegen.inner_tiled
          ins(%value_part4_at0, %weight_part0_at0)
          outs(%sums_of0_4_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_5 = vector.insert %sums_next0_4_0, %acc_summed0_4[4]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_5_0 = vector.extract %acc_summed0_5[5] : !sums_of_one from !acc_of_one
        %sums_next0_5_0 = iree_codegen.inner_tiled
          ins(%value_part5_at0, %weight_part0_at0)
          outs(%sums_of0_5_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_6 = vector.insert %sums_next0_5_0, %acc_summed0_5[5]
          : !sums_of_one into !acc_of_one
        %step_sum2 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair2, %ones, %step_sum1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of0_6_0 = vector.extract %acc_summed0_6[6] : !sums_of_one from !acc_of_one
        %sums_next0_6_0 = iree_codegen.inner_tiled
          ins(%value_part6_at0, %weight_part0_at0)
          outs(%sums_of0_6_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_7 = vector.insert %sums_next0_6_0, %acc_summed0_6[6]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_7_0 = vector.extract %acc_summed0_7[7] : !sums_of_one from !acc_of_one
        %sums_next0_7_0 = iree_codegen.inner_tiled
          ins(%value_part7_at0, %weight_part0_at0)
          outs(%sums_of0_7_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0 = vector.insert %sums_next0_7_0, %acc_summed0_7[7]
          : !sums_of_one into !acc_of_one
        %weights_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair3, %ones, %step_sum2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %acc_next = vector.insert_strided_slice %acc_summed0, %acc
          offsets = [0, 0, 0, 0, 0], strides = [1, 1, 1, 1, 1] : !acc_of_one into !acc
        %sum_next0 = arith.addf %sum_brought0, %weights_sum0 : f32
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !acc
      }
      %max0_2, %sum0_2, %acc_2 =
        scf.for %t0 = %full_end to %end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %sum0 = %sum0_1,
            %acc = %acc_1) -> (f32, f32, !acc) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index
        %buffer_here = affine.apply #buffer(%t0)
        rocdl.wait.asyncmark 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %key_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_v0 = affine.apply #key_of_step0(%t_next, %lane)
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_v1 = affine.apply #key_of_step1(%t_next, %lane)
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %max_next0, %sum_next0, %acc_next =
          scf.if %wave_sees -> (f32, f32, !acc) {
        %index_here = arith.addi %buffer_here, %block_of_index : index
        %value_block0 = affine.apply affine_map<(b, r)
          -> (b + r + 0)>(%buffer_here, %block_turned)
        %value_block1 = affine.apply affine_map<(b, r)
          -> (b + r + 4)>(%buffer_here, %block_turned)
        %none_turned = arith.constant dense<0.0> : !all_turned
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%place_of_index)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_0 =
          "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_0 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_0 =
          "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column1 = affine.apply affine_map<(c) -> (c + 32)>(%place_of_index)
        %key_row0_1 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_1 =
          "vector.load"(%key_lds, %key_row0_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_1 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_1 =
          "vector.load"(%key_lds, %key_row1_1, %key_column1)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column2 = affine.apply affine_map<(c) -> (c + 64)>(%place_of_index)
        %key_row0_2 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_2 =
          "vector.load"(%key_lds, %key_row0_2, %key_column2)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_2 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_2 =
          "vector.load"(%key_lds, %key_row1_2, %key_column2)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_column3 = affine.apply affine_map<(c) -> (c + 96)>(%place_of_index)
        %key_row0_3 = affine.apply affine_map<(i) -> (i + 0)>(%index_here)
        %key_chunk0_3 =
          "vector.load"(%key_lds, %key_row0_3, %key_column3)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %key_row1_3 = affine.apply affine_map<(i) -> (i + 4)>(%index_here)
        %key_chunk1_3 =
          "vector.load"(%key_lds, %key_row1_3, %key_column3)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk

        %value_column0 = affine.apply affine_map<(c)
          -> (c + 0)>(%half_column0)
        %turned0_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column0] : !value_lds -> !turned
        %all_turned0_1 = vector.insert %turned0_0, %none_turned[0] : !turned into !all_turned
        %turned0_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column0] : !value_lds -> !turned
        %all_turned0 = vector.insert %turned0_1, %all_turned0_1[1] : !turned into !all_turned
        %value_keys0 = vector.shape_cast %all_turned0 : !all_turned to !value_keys
        %value_column1 = affine.apply affine_map<(c)
          -> (c + 0)>(%half_column1)
        %turned1_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column1] : !value_lds -> !turned
        %all_turned1_1 = vector.insert %turned1_0, %none_turned[0] : !turned into !all_turned
        %turned1_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column1] : !value_lds -> !turned
        %all_turned1 = vector.insert %turned1_1, %all_turned1_1[1] : !turned into !all_turned
        %value_keys1 = vector.shape_cast %all_turned1 : !all_turned to !value_keys
        %value_column2 = affine.apply affine_map<(c)
          -> (c + 128)>(%half_column0)
        %turned2_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column2] : !value_lds -> !turned
        %all_turned2_1 = vector.insert %turned2_0, %none_turned[0] : !turned into !all_turned
        %turned2_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column2] : !value_lds -> !turned
        %all_turned2 = vector.insert %turned2_1, %all_turned2_1[1] : !turned into !all_turned
        %value_keys2 = vector.shape_cast %all_turned2 : !all_turned to !value_keys
        %value_column3 = affine.apply affine_map<(c)
          -> (c + 128)>(%half_column1)
        %turned3_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column3] : !value_lds -> !turned
        %all_turned3_1 = vector.insert %turned3_0, %none_turned[0] : !turned into !all_turned
        %turned3_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column3] : !value_lds -> !turned
        %all_turned3 = vector.insert %turned3_1, %all_turned3_1[1] : !turned into !all_turned
        %value_keys3 = vector.shape_cast %all_turned3 : !all_turned to !value_keys
        %value_column4 = affine.apply affine_map<(c)
          -> (c + 256)>(%half_column0)
        %turned4_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column4] : !value_lds -> !turned
        %all_turned4_1 = vector.insert %turned4_0, %none_turned[0] : !turned into !all_turned
        %turned4_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column4] : !value_lds -> !turned
        %all_turned4 = vector.insert %turned4_1, %all_turned4_1[1] : !turned into !all_turned
        %value_keys4 = vector.shape_cast %all_turned4 : !all_turned to !value_keys
        %value_column5 = affine.apply affine_map<(c)
          -> (c + 256)>(%half_column1)
        %turned5_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column5] : !value_lds -> !turned
        %all_turned5_1 = vector.insert %turned5_0, %none_turned[0] : !turned into !all_turned
        %turned5_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column5] : !value_lds -> !turned
        %all_turned5 = vector.insert %turned5_1, %all_turned5_1[1] : !turned into !all_turned
        %value_keys5 = vector.shape_cast %all_turned5 : !all_turned to !value_keys
        %value_column6 = affine.apply affine_map<(c)
          -> (c + 384)>(%half_column0)
        %turned6_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column6] : !value_lds -> !turned
        %all_turned6_1 = vector.insert %turned6_0, %none_turned[0] : !turned into !all_turned
        %turned6_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column6] : !value_lds -> !turned
        %all_turned6 = vector.insert %turned6_1, %all_turned6_1[1] : !turned into !all_turned
        %value_keys6 = vector.shape_cast %all_turned6 : !all_turned to !value_keys
        %value_column7 = affine.apply affine_map<(c)
          -> (c + 384)>(%half_column1)
        %turned7_0 = amdgpu.transpose_load
          %value_lds[%value_block0, %value_column7] : !value_lds -> !turned
        %all_turned7_1 = vector.insert %turned7_0, %none_turned[0] : !turned into !all_turned
        %turned7_1 = amdgpu.transpose_load
          %value_lds[%value_block1, %value_column7] : !value_lds -> !turned
        %all_turned7 = vector.insert %turned7_1, %all_turned7_1[1] : !turned into !all_turned
        %value_keys7 = vector.shape_cast %all_turned7 : !all_turned to !value_keys
        %buffer_after = affine.apply #buffer(%t_after)
        %block_after0 = affine.apply affine_map<(b, w)
          -> (b + w + 0)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k0, %copied_column,
            %key_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v0, %copied_column,
            %value_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        %block_after1 = affine.apply affine_map<(b, w)
          -> (b + w + 4)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k1, %copied_column,
            %key_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v1, %copied_column,
            %value_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        rocdl.asyncmark
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
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !head_chunk to !key_operand
        %key_row0_at1 = vector.extract %keys0_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at1 = vector.shape_cast %key_row0_at1
          : !key_row to !key_part
        %keys1_1 = vector.shape_cast %key_chunk1_1
          : !head_chunk to !key_operand
        %key_row1_at1 = vector.extract %keys1_1[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at1 = vector.shape_cast %key_row1_at1
          : !key_row to !key_part
        %query_row0_at1 = vector.extract %query1[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at1 = vector.shape_cast %query_row0_at1
          : !query_row to !query_part
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !head_chunk to !key_operand
        %key_row0_at2 = vector.extract %keys0_2[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at2 = vector.shape_cast %key_row0_at2
          : !key_row to !key_part
        %keys1_2 = vector.shape_cast %key_chunk1_2
          : !head_chunk to !key_operand
        %key_row1_at2 = vector.extract %keys1_2[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at2 = vector.shape_cast %key_row1_at2
          : !key_row to !key_part
        %query_row0_at2 = vector.extract %query2[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at2 = vector.shape_cast %query_row0_at2
          : !query_row to !query_part
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !head_chunk to !key_operand
        %key_row0_at3 = vector.extract %keys0_3[0, 0, 0]
          : !key_row from !key_operand
        %key_part0_at3 = vector.shape_cast %key_row0_at3
          : !key_row to !key_part
        %keys1_3 = vector.shape_cast %key_chunk1_3
          : !head_chunk to !key_operand
        %key_row1_at3 = vector.extract %keys1_3[0, 0, 0]
          : !key_row from !key_operand
        %key_part1_at3 = vector.shape_cast %key_row1_at3
          : !key_row to !key_part
        %query_row0_at3 = vector.extract %query3[0, 0, 0]
          : !query_row from !query_operand
        %query_part0_at3 = vector.shape_cast %query_row0_at3
          : !query_row to !query_part
        %scores_of0_0_0 = iree_codegen.inner_tiled
          ins(%key_part0_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_0 = iree_codegen.inner_tiled
          ins(%key_part1_at0, %query_part0_at0)
          outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_0_1 = iree_codegen.inner_tiled
          ins(%key_part0_at1, %query_part0_at1)
          outs(%scores_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_1 = iree_codegen.inner_tiled
          ins(%key_part1_at1, %query_part0_at1)
          outs(%scores_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_0_2 = iree_codegen.inner_tiled
          ins(%key_part0_at2, %query_part0_at2)
          outs(%scores_of0_0_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_2 = iree_codegen.inner_tiled
          ins(%key_part1_at2, %query_part0_at2)
          outs(%scores_of0_1_1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_0_3 = iree_codegen.inner_tiled
          ins(%key_part0_at3, %query_part0_at3)
          outs(%scores_of0_0_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %scores_of0_1_3 = iree_codegen.inner_tiled
          ins(%key_part1_at3, %query_part0_at3)
          outs(%scores_of0_1_2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_part, !query_part into !sums_of_one
        rocdl.sched.barrier none
        %row_scores_any0_0 = vector.shape_cast
          %scores_of0_0_3 : !sums_of_one to !row_scores
        %row_scores_any0_1 = vector.shape_cast
          %scores_of0_1_3 : !sums_of_one to !row_scores
        %no_sums0 = arith.constant dense<0.0> : !sums
        %score_sums0_4 = vector.insert %row_scores_any0_0, %no_sums0[0, 0, 0]
          : !row_scores into !sums
        %no_sums1 = arith.constant dense<0.0> : !sums
        %score_sums1_4 = vector.insert %row_scores_any0_1, %no_sums1[0, 0, 0]
          : !row_scores into !sums
        %no_scores = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_4
          : !sums to !score_tile
        %scores = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3]], [[4, 5, 6, 7]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_rows = vector.from_elements %last_i32_0 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !is_seen, !scores
        %row_scores0_0 = vector.extract %scores_ruled[0, 0]
          : !row_scores from !scores
        %row_scores0_1 = vector.extract %scores_ruled[1, 0]
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
        %best_bits0_1 = arith.bitcast %best_to0_0 : f32 to i32
        %halves0_1 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
            %best_bits0_1, %best_bits0_1, %no, %no)
          : (i32, i32, i1, i1) -> !llvm.struct<(i32, i32)>
        %lower_bits0_1 = llvm.extractvalue %halves0_1[0] : !llvm.struct<(i32, i32)>
        %upper_bits0_1 = llvm.extractvalue %halves0_1[1] : !llvm.struct<(i32, i32)>
        %lower0_1 = arith.bitcast %lower_bits0_1 : i32 to f32
        %upper0_1 = arith.bitcast %upper_bits0_1 : i32 to f32
        %best_to0_1 = arith.maxnumf %lower0_1, %upper0_1 fastmath<nnan> : f32
        %best_bits0_2 = arith.bitcast %best_to0_1 : f32 to i32
        %halves0_2 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
            %best_bits0_2, %best_bits0_2, %no, %no)
          : (i32, i32, i1, i1) -> !llvm.struct<(i32, i32)>
        %lower_bits0_2 = llvm.extractvalue %halves0_2[0] : !llvm.struct<(i32, i32)>
        %upper_bits0_2 = llvm.extractvalue %halves0_2[1] : !llvm.struct<(i32, i32)>
        %lower0_2 = arith.bitcast %lower_bits0_2 : i32 to f32
        %upper0_2 = arith.bitcast %upper_bits0_2 : i32 to f32
        %best0 = arith.maxnumf %lower0_2, %upper0_2 fastmath<nnan> : f32
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
        rocdl.sched.barrier none
        %values0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %value_row0_at0 = vector.extract %values0[0, 0, 0]
          : !value_row from !value_operand
        %value_part0_at0 = vector.shape_cast %value_row0_at0
          : !value_row to !value_part
        %values1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %value_row1_at0 = vector.extract %values1[0, 0, 0]
          : !value_row from !value_operand
        %value_part1_at0 = vector.shape_cast %value_row1_at0
          : !value_row to !value_part
        %values2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %value_row2_at0 = vector.extract %values2[0, 0, 0]
          : !value_row from !value_operand
        %value_part2_at0 = vector.shape_cast %value_row2_at0
          : !value_row to !value_part
        %values3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %value_row3_at0 = vector.extract %values3[0, 0, 0]
          : !value_row from !value_operand
        %value_part3_at0 = vector.shape_cast %value_row3_at0
          : !value_row to !value_part
        %values4 = vector.shape_cast %value_keys4 : !value_keys to !value_operand
        %value_row4_at0 = vector.extract %values4[0, 0, 0]
          : !value_row from !value_operand
        %value_part4_at0 = vector.shape_cast %value_row4_at0
          : !value_row to !value_part
        %values5 = vector.shape_cast %value_keys5 : !value_keys to !value_operand
        %value_row5_at0 = vector.extract %values5[0, 0, 0]
          : !value_row from !value_operand
        %value_part5_at0 = vector.shape_cast %value_row5_at0
          : !value_row to !value_part
        %values6 = vector.shape_cast %value_keys6 : !value_keys to !value_operand
        %value_row6_at0 = vector.extract %values6[0, 0, 0]
          : !value_row from !value_operand
        %value_part6_at0 = vector.shape_cast %value_row6_at0
          : !value_row to !value_part
        %values7 = vector.shape_cast %value_keys7 : !value_keys to !value_operand
        %value_row7_at0 = vector.extract %values7[0, 0, 0]
          : !value_row from !value_operand
        %value_part7_at0 = vector.shape_cast %value_row7_at0
          : !value_row to !value_part
        %acc_of0 = vector.extract_strided_slice %acc
          offsets = [0, 0, 0], sizes = [8, 1, 1], strides = [1, 1, 1] : !acc to !acc_of_one
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
        %pairs0_at0_2 = vector.insert %pair1, %pairs0_at0_1[1]
          : !pair into !pairs_of_part
        %pairs0_at0_3 = vector.insert %pair2, %pairs0_at0_2[2]
          : !pair into !pairs_of_part
        %pairs0_at0 = vector.insert %pair3, %pairs0_at0_3[3]
          : !pair into !pairs_of_part
        %weight_part0_at0 = vector.shape_cast %pairs0_at0 : !pairs_of_part to !value_part
        %sums_of0_0_0 = vector.extract %acc_brought0[0] : !sums_of_one from !acc_of_one
        %sums_next0_0_0 = iree_codegen.inner_tiled
          ins(%value_part0_at0, %weight_part0_at0)
          outs(%sums_of0_0_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_1 = vector.insert %sums_next0_0_0, %acc_brought0[0]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_1_0 = vector.extract %acc_summed0_1[1] : !sums_of_one from !acc_of_one
        %sums_next0_1_0 = iree_codegen.inner_tiled
          ins(%value_part1_at0, %weight_part0_at0)
          outs(%sums_of0_1_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_2 = vector.insert %sums_next0_1_0, %acc_summed0_1[1]
          : !sums_of_one into !acc_of_one
        %step_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair0, %ones, %zero, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of0_2_0 = vector.extract %acc_summed0_2[2] : !sums_of_one from !acc_of_one
        %sums_next0_2_0 = iree_codegen.inner_tiled
          ins(%value_part2_at0, %weight_part0_at0)
          outs(%sums_of0_2_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_3 = vector.insert %sums_next0_2_0, %acc_summed0_2[2]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_3_0 = vector.extract %acc_summed0_3[3] : !sums_of_one from !acc_of_one
        %sums_next0_3_0 = iree_codegen.inner_tiled
          ins(%value_part3_at0, %weight_part0_at0)
          outs(%sums_of0_3_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_4 = vector.insert %sums_next0_3_0, %acc_summed0_3[3]
          : !sums_of_one into !acc_of_one
        %step_sum1 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair1, %ones, %step_sum0, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of0_4_0 = vector.extract %acc_summed0_4[4] : !sums_of_one from !acc_of_one
        %sums_next0_4_0 = iree_codegen.inner_tiled
          ins(%value_part4_at0, %weight_part0_at0)
          outs(%sums_of0_4_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_5 = vector.insert %sums_next0_4_0, %acc_summed0_4[4]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_5_0 = vector.extract %acc_summed0_5[5] : !sums_of_one from !acc_of_one
        %sums_next0_5_0 = iree_codegen.inner_tiled
          ins(%value_part5_at0, %weight_part0_at0)
          outs(%sums_of0_5_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_6 = vector.insert %sums_next0_5_0, %acc_summed0_5[5]
          : !sums_of_one into !acc_of_one
        %step_sum2 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair2, %ones, %step_sum1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %sums_of0_6_0 = vector.extract %acc_summed0_6[6] : !sums_of_one from !acc_of_one
        %sums_next0_6_0 = iree_codegen.inner_tiled
          ins(%value_part6_at0, %weight_part0_at0)
          outs(%sums_of0_6_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0_7 = vector.insert %sums_next0_6_0, %acc_summed0_6[6]
          : !sums_of_one into !acc_of_one
        rocdl.sched.barrier none
        %sums_of0_7_0 = vector.extract %acc_summed0_7[7] : !sums_of_one from !acc_of_one
        %sums_next0_7_0 = iree_codegen.inner_tiled
          ins(%value_part7_at0, %weight_part0_at0)
          outs(%sums_of0_7_0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<MFMA_F32_16x16x32_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_part, !value_part into !sums_of_one
        %acc_summed0 = vector.insert %sums_next0_7_0, %acc_summed0_7[7]
          : !sums_of_one into !acc_of_one
        %weights_sum0 = llvm.call_intrinsic "llvm.amdgcn.fdot2"(
            %pair3, %ones, %step_sum2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        rocdl.sched.barrier none
        %acc_next = vector.insert_strided_slice %acc_summed0, %acc
          offsets = [0, 0, 0, 0, 0], strides = [1, 1, 1, 1, 1] : !acc_of_one into !acc
        %sum_next0 = arith.addf %sum_brought0, %weights_sum0 : f32
          scf.yield %max_next0, %sum_next0, %acc_next
            : f32, f32, !acc
        } else {
        %buffer_after = affine.apply #buffer(%t_after)
        %block_after0 = affine.apply affine_map<(b, w)
          -> (b + w + 0)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k0, %copied_column,
            %key_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v0, %copied_column,
            %value_lds, %block_after0, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        %block_after1 = affine.apply affine_map<(b, w)
          -> (b + w + 4)>(%buffer_after, %wave_of_all)
        "amdgpu.gather_to_lds"(
            %keys_there, %row_k1, %copied_column,
            %key_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!keys_there, index, index, !key_lds, index, index) -> ()
        "amdgpu.gather_to_lds"(
            %values_there, %row_v1, %copied_column,
            %value_lds, %block_after1, %none)
          <{async, operandSegmentSizes = array<i32: 1, 2, 1, 2>, transferType = !access}>
          : (!values_there, index, index, !value_lds, index, index) -> ()
        rocdl.asyncmark
          scf.yield %max0, %sum0, %acc
            : f32, f32, !acc
        }
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !acc
      }
      rocdl.wait.asyncmark 0
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %acc_2 : !acc to !acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !acc_by_column to !acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
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
      %output_f32 = vector.insert %means_flat0, %no_rows[0] : !output_f32 into !rows_f32
      %output_spread = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %is_turned_group = affine.apply affine_map<(g) -> (g floordiv 1 mod 2)>(%group)
      %is_turned = arith.cmpi ne, %is_turned_group, %none : index
      %accesses_any = vector.shape_cast %output_spread : !columns_made to !accesses
      %halves0 = vector.extract_strided_slice %accesses_any
        offsets = [0, 0, 0], sizes = [1, 4, 1],
        strides = [1, 1, 1] : !accesses to !halves
      %halves1 = vector.extract_strided_slice %accesses_any
        offsets = [0, 0, 1], sizes = [1, 4, 1],
        strides = [1, 1, 1] : !accesses to !halves
      %accesses_half = vector.insert_strided_slice %halves1, %accesses_any
        offsets = [0, 0, 0, 0], strides = [1, 1, 1, 1] : !halves into !accesses
      %accesses_turned = vector.insert_strided_slice %halves0, %accesses_half
        offsets = [0, 0, 1, 0], strides = [1, 1, 1, 1] : !halves into !accesses
      %accesses = arith.select %is_turned, %accesses_turned, %accesses_any : !accesses
      %output = vector.shape_cast %accesses : !accesses to !columns_made
      %words0 = vector.bitcast %output : !output_rows to !output_words
      %low32_0 = vector.extract %words0[0, 0] : i32 from !output_words
      %high32_0 = vector.extract %words0[0, 8] : i32 from !output_words
      %swapped32_0 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_0, %high32_0, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_0 = llvm.extractvalue %swapped32_0[0] : !swapped
      %high_after32_0 = llvm.extractvalue %swapped32_0[1] : !swapped
      %words_half32_0 = vector.insert %low_after32_0, %words0[0, 0]
        : i32 into !output_words
      %words1_1 = vector.insert %high_after32_0, %words_half32_0[0, 8]
        : i32 into !output_words
      %low32_1 = vector.extract %words1_1[0, 1] : i32 from !output_words
      %high32_1 = vector.extract %words1_1[0, 9] : i32 from !output_words
      %swapped32_1 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_1, %high32_1, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_1 = llvm.extractvalue %swapped32_1[0] : !swapped
      %high_after32_1 = llvm.extractvalue %swapped32_1[1] : !swapped
      %words_half32_1 = vector.insert %low_after32_1, %words1_1[0, 1]
        : i32 into !output_words
      %words1_2 = vector.insert %high_after32_1, %words_half32_1[0, 9]
        : i32 into !output_words
      %low32_2 = vector.extract %words1_2[0, 2] : i32 from !output_words
      %high32_2 = vector.extract %words1_2[0, 10] : i32 from !output_words
      %swapped32_2 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_2, %high32_2, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_2 = llvm.extractvalue %swapped32_2[0] : !swapped
      %high_after32_2 = llvm.extractvalue %swapped32_2[1] : !swapped
      %words_half32_2 = vector.insert %low_after32_2, %words1_2[0, 2]
        : i32 into !output_words
      %words1_3 = vector.insert %high_after32_2, %words_half32_2[0, 10]
        : i32 into !output_words
      %low32_3 = vector.extract %words1_3[0, 3] : i32 from !output_words
      %high32_3 = vector.extract %words1_3[0, 11] : i32 from !output_words
      %swapped32_3 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_3, %high32_3, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_3 = llvm.extractvalue %swapped32_3[0] : !swapped
      %high_after32_3 = llvm.extractvalue %swapped32_3[1] : !swapped
      %words_half32_3 = vector.insert %low_after32_3, %words1_3[0, 3]
        : i32 into !output_words
      %words1_4 = vector.insert %high_after32_3, %words_half32_3[0, 11]
        : i32 into !output_words
      %low32_4 = vector.extract %words1_4[0, 4] : i32 from !output_words
      %high32_4 = vector.extract %words1_4[0, 12] : i32 from !output_words
      %swapped32_4 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_4, %high32_4, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_4 = llvm.extractvalue %swapped32_4[0] : !swapped
      %high_after32_4 = llvm.extractvalue %swapped32_4[1] : !swapped
      %words_half32_4 = vector.insert %low_after32_4, %words1_4[0, 4]
        : i32 into !output_words
      %words1_5 = vector.insert %high_after32_4, %words_half32_4[0, 12]
        : i32 into !output_words
      %low32_5 = vector.extract %words1_5[0, 5] : i32 from !output_words
      %high32_5 = vector.extract %words1_5[0, 13] : i32 from !output_words
      %swapped32_5 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_5, %high32_5, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_5 = llvm.extractvalue %swapped32_5[0] : !swapped
      %high_after32_5 = llvm.extractvalue %swapped32_5[1] : !swapped
      %words_half32_5 = vector.insert %low_after32_5, %words1_5[0, 5]
        : i32 into !output_words
      %words1_6 = vector.insert %high_after32_5, %words_half32_5[0, 13]
        : i32 into !output_words
      %low32_6 = vector.extract %words1_6[0, 6] : i32 from !output_words
      %high32_6 = vector.extract %words1_6[0, 14] : i32 from !output_words
      %swapped32_6 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_6, %high32_6, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_6 = llvm.extractvalue %swapped32_6[0] : !swapped
      %high_after32_6 = llvm.extractvalue %swapped32_6[1] : !swapped
      %words_half32_6 = vector.insert %low_after32_6, %words1_6[0, 6]
        : i32 into !output_words
      %words1_7 = vector.insert %high_after32_6, %words_half32_6[0, 14]
        : i32 into !output_words
      %low32_7 = vector.extract %words1_7[0, 7] : i32 from !output_words
      %high32_7 = vector.extract %words1_7[0, 15] : i32 from !output_words
      %swapped32_7 = llvm.call_intrinsic "llvm.amdgcn.permlane32.swap"(
          %low32_7, %high32_7, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after32_7 = llvm.extractvalue %swapped32_7[0] : !swapped
      %high_after32_7 = llvm.extractvalue %swapped32_7[1] : !swapped
      %words_half32_7 = vector.insert %low_after32_7, %words1_7[0, 7]
        : i32 into !output_words
      %words1 = vector.insert %high_after32_7, %words_half32_7[0, 15]
        : i32 into !output_words
      %low16_0 = vector.extract %words1[0, 0] : i32 from !output_words
      %high16_0 = vector.extract %words1[0, 4] : i32 from !output_words
      %swapped16_0 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_0, %high16_0, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_0 = llvm.extractvalue %swapped16_0[0] : !swapped
      %high_after16_0 = llvm.extractvalue %swapped16_0[1] : !swapped
      %words_half16_0 = vector.insert %low_after16_0, %words1[0, 0]
        : i32 into !output_words
      %words2_1 = vector.insert %high_after16_0, %words_half16_0[0, 4]
        : i32 into !output_words
      %low16_1 = vector.extract %words2_1[0, 1] : i32 from !output_words
      %high16_1 = vector.extract %words2_1[0, 5] : i32 from !output_words
      %swapped16_1 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_1, %high16_1, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_1 = llvm.extractvalue %swapped16_1[0] : !swapped
      %high_after16_1 = llvm.extractvalue %swapped16_1[1] : !swapped
      %words_half16_1 = vector.insert %low_after16_1, %words2_1[0, 1]
        : i32 into !output_words
      %words2_2 = vector.insert %high_after16_1, %words_half16_1[0, 5]
        : i32 into !output_words
      %low16_2 = vector.extract %words2_2[0, 2] : i32 from !output_words
      %high16_2 = vector.extract %words2_2[0, 6] : i32 from !output_words
      %swapped16_2 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_2, %high16_2, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_2 = llvm.extractvalue %swapped16_2[0] : !swapped
      %high_after16_2 = llvm.extractvalue %swapped16_2[1] : !swapped
      %words_half16_2 = vector.insert %low_after16_2, %words2_2[0, 2]
        : i32 into !output_words
      %words2_3 = vector.insert %high_after16_2, %words_half16_2[0, 6]
        : i32 into !output_words
      %low16_3 = vector.extract %words2_3[0, 3] : i32 from !output_words
      %high16_3 = vector.extract %words2_3[0, 7] : i32 from !output_words
      %swapped16_3 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_3, %high16_3, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_3 = llvm.extractvalue %swapped16_3[0] : !swapped
      %high_after16_3 = llvm.extractvalue %swapped16_3[1] : !swapped
      %words_half16_3 = vector.insert %low_after16_3, %words2_3[0, 3]
        : i32 into !output_words
      %words2_4 = vector.insert %high_after16_3, %words_half16_3[0, 7]
        : i32 into !output_words
      %low16_4 = vector.extract %words2_4[0, 8] : i32 from !output_words
      %high16_4 = vector.extract %words2_4[0, 12] : i32 from !output_words
      %swapped16_4 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_4, %high16_4, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_4 = llvm.extractvalue %swapped16_4[0] : !swapped
      %high_after16_4 = llvm.extractvalue %swapped16_4[1] : !swapped
      %words_half16_4 = vector.insert %low_after16_4, %words2_4[0, 8]
        : i32 into !output_words
      %words2_5 = vector.insert %high_after16_4, %words_half16_4[0, 12]
        : i32 into !output_words
      %low16_5 = vector.extract %words2_5[0, 9] : i32 from !output_words
      %high16_5 = vector.extract %words2_5[0, 13] : i32 from !output_words
      %swapped16_5 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_5, %high16_5, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_5 = llvm.extractvalue %swapped16_5[0] : !swapped
      %high_after16_5 = llvm.extractvalue %swapped16_5[1] : !swapped
      %words_half16_5 = vector.insert %low_after16_5, %words2_5[0, 9]
        : i32 into !output_words
      %words2_6 = vector.insert %high_after16_5, %words_half16_5[0, 13]
        : i32 into !output_words
      %low16_6 = vector.extract %words2_6[0, 10] : i32 from !output_words
      %high16_6 = vector.extract %words2_6[0, 14] : i32 from !output_words
      %swapped16_6 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_6, %high16_6, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_6 = llvm.extractvalue %swapped16_6[0] : !swapped
      %high_after16_6 = llvm.extractvalue %swapped16_6[1] : !swapped
      %words_half16_6 = vector.insert %low_after16_6, %words2_6[0, 10]
        : i32 into !output_words
      %words2_7 = vector.insert %high_after16_6, %words_half16_6[0, 14]
        : i32 into !output_words
      %low16_7 = vector.extract %words2_7[0, 11] : i32 from !output_words
      %high16_7 = vector.extract %words2_7[0, 15] : i32 from !output_words
      %swapped16_7 = llvm.call_intrinsic "llvm.amdgcn.permlane16.swap"(
          %low16_7, %high16_7, %no, %no) : (i32, i32, i1, i1) -> !swapped
      %low_after16_7 = llvm.extractvalue %swapped16_7[0] : !swapped
      %high_after16_7 = llvm.extractvalue %swapped16_7[1] : !swapped
      %words_half16_7 = vector.insert %low_after16_7, %words2_7[0, 11]
        : i32 into !output_words
      %words2 = vector.insert %high_after16_7, %words_half16_7[0, 15]
        : i32 into !output_words
      %output_placed = vector.bitcast %words2 : !output_words to !output_rows
      %output_pieces = vector.shape_cast %output_placed : !output_rows to !output_pieces
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %none, %group, %none] [1, 4, 1, 8]
        [1, 1, 1, 1] : tensor<64x4x4x8xf16> to tensor<1x4x1x8xf16>
        %new_rows0 = vector.transfer_write %output_pieces, %old_rows0
          [%none, %none, %none, %none]
          {in_bounds = [true, true, true, true]}
          : !output_pieces, tensor<1x4x1x8xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %none, %group, %none]
          [1, 4, 1, 8] [1, 1, 1, 1] : tensor<1x4x1x8xf16> into tensor<64x4x4x8xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_tile
        into %output_rows_all[%result_row, %none, %none, %none]
        [64, 4, 4, 8] [1, 1, 1, 1]
        : tensor<64x4x4x8xf16> into tensor<1024x4x4x8xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0, 0, 0], sizes = [1024, 4, 4, 8], strides = [1, 1, 1, 1]
      : tensor<1024x4x4x8xf16> -> !output_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x8x128x128xf16> into tensor<1024x128xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x128x128xf16> into tensor<256x128xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x128x128xf16> into tensor<256x128xf16>
  %made = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows
    ) : (
      tensor<1024x128xf16>,
      tensor<256x128xf16>,
      tensor<256x128xf16>
    ) -> tensor<1024x4x4x8xf16>
  %output_rows_whole = tensor.collapse_shape %made [[0], [1, 2, 3]]
    : tensor<1024x4x4x8xf16> into tensor<1024x128xf16>
  %output = tensor.expand_shape %output_rows_whole [[0, 1, 2], [3]]
    output_shape [1, 8, 128, 128] : tensor<1024x128xf16> into tensor<1x8x128x128xf16>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention(%query, %key, %value)
    : (!query, !key, !value) -> (!output)
  util.return %output : !output
}
