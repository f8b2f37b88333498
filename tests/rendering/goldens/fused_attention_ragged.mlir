// Attention as one kernel with an online softmax.
!query = tensor<2x8x64x64xf16>
!key = tensor<2x2x128x64xf16>
!value = tensor<2x2x128x64xf16>
!q_lens = tensor<2xi32>
!context_lens = tensor<2xi32>
!sinks = tensor<8xf32>
!output = tensor<2x8x64x64xf16>
!lse = tensor<2x8x64xf32>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x64xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf16>>
!q_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024x64xf16>>
!lse_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
!head_chunk = vector<64xf16>
!query_columns = vector<4x1x16xf16>
!queries = vector<2x1x4x1x16xf16>
!queries_turned = vector<2x4x1x1x16xf16>
!query_operand = vector<2x4x1x16xf16>
!key_operand = vector<1x4x1x16xf16>
!value_keys = vector<32xf16>
!value_operand = vector<1x2x1x16xf16>
!weight_parts = vector<2x1x2x1x16xf16>
!weight_parts_turned = vector<2x2x1x1x16xf16>
!weights_operand = vector<2x2x1x16xf16>
!row_scores = vector<8xf32>
!score_tile = vector<2x8xf32>
!scores = vector<2x2x8xf32>
!scores_flat = vector<32xf32>
!score_bits = vector<2x2x8xi32>
!is_seen = vector<2x2x8xi1>
!weight_bits = vector<2x2x8xi16>
!weights_by_key = vector<2x2x8xf16>
!weights_own = vector<2x2x8xf16>
!weights_flat = vector<32xf16>
!pair = vector<2xf16>
!pairs = vector<16x2xf16>
!pair_bits = vector<16xi32>
!all_bits = vector<32xi32>
!all_weights = vector<64xf16>
!sums = vector<1x2x1x8xf32>
!sum_factors = vector<1x2x1x1xf32>
!acc = vector<4x1x2x1x8xf32>
!acc_by_column = vector<4x2x8xf32>
!acc_by_row = vector<2x4x8xf32>
!acc_row = vector<4x8xf32>
!rows = vector<2x1xf32>
!row_bits = vector<2x1xi32>
!output_f32 = vector<32xf32>
!rows_f32 = vector<2x32xf32>
!output_rows = vector<2x32xf16>
!lse_rows = vector<2xf32>
!access = vector<8xf16>
!keys = vector<2x8xf16>
!values = vector<2x8xf16>
!column = vector<2xf16>
!columns = vector<8x2xf16>
!key_lds = memref<32x72xf16, #gpu.address_space<workgroup>>
!value_lds =
  memref<64x40xf16, #gpu.address_space<workgroup>>
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
      %q_lens_in: !q_lens_in,
      %context_lens_in: !context_lens_in,
      %sinks_in: !sinks_in,
      %output_rows_out: !output_rows_out,
      %lse_rows_out: !lse_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : !query_rows_in -> tensor<1024x64xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [512, 64], strides = [1, 1]
      : !key_rows_in -> tensor<512x64xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [512, 64], strides = [1, 1]
      : !value_rows_in -> tensor<512x64xf16>
    %q_lens = iree_tensor_ext.dispatch.tensor.load %q_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !q_lens_in -> tensor<2xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !context_lens_in -> tensor<2xi32>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %output_rows_empty = tensor.empty() : tensor<1024x64xf16>
    %lse_rows_empty = tensor.empty() : tensor<1024xf32>
    %sequences = arith.constant 2 : index
    %heads = arith.constant 8 : index
    %rows_of_head = arith.constant 64 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 128 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 128 * p)>()[%rows_of_head, %parts]
    %workgroups:2 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_rows_all = %output_rows_empty, %lse_rows_all = %lse_rows_empty) -> (tensor<1024x64xf16>, tensor<1024xf32>) {
    // The tiles with most keys begin first.
    %tile = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %head = affine.apply affine_map<(b, x) -> (b * 8 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %kv_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %kv_head)
    %key_base = arith.muli %kv_head_of_all, %keys_of_head : index
    %q_len_i32 = tensor.extract %q_lens[%b] : tensor<2xi32>
    %q_len = arith.index_cast %q_len_i32 : i32 to index
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<2xi32>
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 128)>(%tile)
    %result_row = arith.addi %head_base, %row_in_head : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 32 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 128)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (128, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.constant 0 : index
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
    %output_rows_tile_empty = tensor.empty(%rows_here) : tensor<?x64xf16>
    %lse_rows_tile_empty = tensor.empty(%rows_here) : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%no_element : f16)
      outs(%output_rows_tile_empty : tensor<?x64xf16>) -> tensor<?x64xf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 32 * 32, e floordiv 32 *
      32)>(%end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %begin : index
%output_rows_stored, %lse_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%output_tile =
          %tile_start, %lse_tile = %lse_rows_tile_empty)
        -> (tensor<?x64xf16>, tensor<?xf32>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 32 + i * 2)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (0)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %chunk0_0 = vector.transfer_read %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<1024x64xf16>, !head_chunk
      %row1 = affine.min affine_map<(r, n) -> (r + 1, n)>(%first_row, %row_last)
      %row_of_head1 = arith.addi %row_0, %row1 : index
      %row_real1 = arith.minsi %row_of_head1, %last_row : index
      %query_row1 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real1)
      %column1_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %chunk1_0 = vector.transfer_read %query_rows[%query_row1, %column1_0],
        %no_element {in_bounds = [true]} : tensor<1024x64xf16>, !head_chunk
        %queries0_0 = arith.constant dense<0.0> : !queries
        %part0_0 = vector.shape_cast %chunk0_0
          : !head_chunk to !query_columns
        %queries0_1 = vector.insert
          %part0_0, %queries0_0[0, 0]
          : !query_columns into !queries
        %part1_0 = vector.shape_cast %chunk1_0
          : !head_chunk to !query_columns
        %queries0_2 = vector.insert
          %part1_0, %queries0_1[1, 0]
          : !query_columns into !queries
        %queries_turned0 = vector.transpose
          %queries0_2, [0, 2, 1, 3, 4] : !queries to !queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !queries_turned to !query_operand
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
      %last_of_wave = affine.apply affine_map<(p) -> (p + 31)>(%wave_position)
      %unit = arith.constant 86.5617024533378 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %t_first = arith.minsi %begin, %t_last : index

      %any_first_k0 = affine.apply affine_map<(t, l)
        -> (t + 0 + l floordiv 8)>(%t_first, %lane)
      %key_first_k0 = arith.minsi %any_first_k0, %last_key : index
      %row_first_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_first_k0)
      %any_first_k1 = affine.apply affine_map<(t, l)
        -> (t + 16 + l floordiv 8)>(%t_first, %lane)
      %key_first_k1 = arith.minsi %any_first_k1, %last_key : index
      %row_first_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_first_k1)
      %any_first_v0 = affine.apply affine_map<(t, l)
        -> (t + 0 + l mod 16 * 2)>(%t_first, %lane)
      %key_first_v0 = arith.minsi %any_first_v0, %last_key : index
      %row_first_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_first_v0)
      %any_first_v1 = affine.apply affine_map<(t, l)
        -> (t + 1 + l mod 16 * 2)>(%t_first, %lane)
      %key_first_v1 = arith.minsi %any_first_v1, %last_key : index
      %row_first_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_first_v1)
      %keys_first_0 = arith.constant dense<0.0> : !keys
      %key_column_first = affine.apply affine_map<(l)
        -> (l mod 8 * 8)>(%lane)
      %read_first_k0 = vector.transfer_read
        %key_rows[%row_first_k0, %key_column_first], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %keys_first_1 =
        vector.insert %read_first_k0, %keys_first_0[0]
        : !access into !keys
      %read_first_k1 = vector.transfer_read
        %key_rows[%row_first_k1, %key_column_first], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %keys_first =
        vector.insert %read_first_k1, %keys_first_1[1]
        : !access into !keys
      %values_first_0 = arith.constant dense<0.0> : !values
      %value_column_first = affine.apply affine_map<(l)
        -> (l floordiv 16 * 8)>(%lane)
      %read_first_v0 = vector.transfer_read
        %value_rows[%row_first_v0, %value_column_first], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %values_first_1 =
        vector.insert %read_first_v0, %values_first_0[0]
        : !access into !values
      %read_first_v1 = vector.transfer_read
        %value_rows[%row_first_v1, %value_column_first], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %values_first =
        vector.insert %read_first_v1, %values_first_1[1]
        : !access into !values
      %key_column = affine.apply affine_map<(g) -> (0)>(%group)
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %state1:7 = scf.for %t0 =
        %begin to %full_end step %keys_of_step
          iter_args(            %max0 = %lowest,
            %max1 = %lowest,
            %sum0 = %zero,
            %sum1 = %zero,
            %acc = %no_acc,
            %keys_here = %keys_first,
            %values_here = %values_first)
          -> (f32, f32, f32, f32, !acc, !keys, !values) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index

        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply affine_map<(l)
          -> (l mod 8 * 8)>(%lane)
        %key_lds_row0 = affine.apply affine_map<(l)
          -> ((l floordiv 8 + 0) floordiv 16 * 16 + (l floordiv 8 + 0) floordiv 8 mod 2 * 1 + (l floordiv 8 + 0) mod 8 * 2)>(%lane)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %key_lds_row1 = affine.apply affine_map<(l)
          -> ((l floordiv 8 + 16) floordiv 16 * 16 + (l floordiv 8 + 16) floordiv 8 mod 2 * 1 + (l floordiv 8 + 16) mod 8 * 2)>(%lane)
        %key1 = vector.extract %keys_here[1] : !access from !keys
        "vector.store"(%key1, %key_lds, %key_lds_row1, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()

        %columns =
          vector.transpose %values_here, [1, 0]
          : !values to !columns
        %value_lds_key = affine.apply affine_map<(l) -> (l mod 16 * 2)>(%lane)
        %value_lds_row0 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 0) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 0) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 0) mod 8 * 2)>(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 1) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 1) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 1) mod 8 * 2)>(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 2) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 2) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 2) mod 8 * 2)>(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 3) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 3) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 3) mod 8 * 2)>(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 4) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 4) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 4) mod 8 * 2)>(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 5) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 5) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 5) mod 8 * 2)>(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 6) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 6) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 6) mod 8 * 2)>(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 7) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 7) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 7) mod 8 * 2)>(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %any_next_k0 = affine.apply affine_map<(t, l)
        -> (t + 0 + l floordiv 8)>(%t_next, %lane)
      %key_next_k0 = arith.minsi %any_next_k0, %last_key : index
      %row_next_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_k0)
      %any_next_k1 = affine.apply affine_map<(t, l)
        -> (t + 16 + l floordiv 8)>(%t_next, %lane)
      %key_next_k1 = arith.minsi %any_next_k1, %last_key : index
      %row_next_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_k1)
      %any_next_v0 = affine.apply affine_map<(t, l)
        -> (t + 0 + l mod 16 * 2)>(%t_next, %lane)
      %key_next_v0 = arith.minsi %any_next_v0, %last_key : index
      %row_next_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_v0)
      %any_next_v1 = affine.apply affine_map<(t, l)
        -> (t + 1 + l mod 16 * 2)>(%t_next, %lane)
      %key_next_v1 = arith.minsi %any_next_v1, %last_key : index
      %row_next_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_v1)
      %keys_next_0 = arith.constant dense<0.0> : !keys
      %key_column_next = affine.apply affine_map<(l)
        -> (l mod 8 * 8)>(%lane)
      %read_next_k0 = vector.transfer_read
        %key_rows[%row_next_k0, %key_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %keys_next_1 =
        vector.insert %read_next_k0, %keys_next_0[0]
        : !access into !keys
      %read_next_k1 = vector.transfer_read
        %key_rows[%row_next_k1, %key_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %keys_next =
        vector.insert %read_next_k1, %keys_next_1[1]
        : !access into !keys
      %values_next_0 = arith.constant dense<0.0> : !values
      %value_column_next = affine.apply affine_map<(l)
        -> (l floordiv 16 * 8)>(%lane)
      %read_next_v0 = vector.transfer_read
        %value_rows[%row_next_v0, %value_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %values_next_1 =
        vector.insert %read_next_v0, %values_next_0[0]
        : !access into !values
      %read_next_v1 = vector.transfer_read
        %value_rows[%row_next_v1, %value_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %values_next =
        vector.insert %read_next_v1, %values_next_1[1]
        : !access into !values
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 = "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0 : !head_chunk to !key_operand
        %score_sums0_1 =
          iree_codegen.inner_tiled ins(%keys0_0, %query0) outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 = "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0 : !head_chunk to !key_operand
        %score_sums1_1 =
          iree_codegen.inner_tiled ins(%keys1_0, %query0) outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %scores_0 = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_1
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %scores_0[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !sums to !score_tile
        %scores_2 = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %steepness = arith.constant -0.012022458674074695 : f32
        %one_each = arith.constant 1.0 : f32
        %half_less = arith.constant -0.5 : f32
        %most_small = arith.constant 1.1541560327111708 : f32
        %bent0 = arith.constant 1.42797844e-05 : f32
        %bent1 = arith.constant -0.00033178 : f32
        %bent2 = arith.constant 0.00693760347 : f32
        %bent3 = arith.constant -0.173286781 : f32
        %scores_any = vector.shape_cast %scores_2 : !scores to !scores_flat
        %score0 = vector.extract %scores_any[0] : f32 from !scores_flat
        %power0 = arith.mulf %score0, %steepness : f32
        %ratio0 = llvm.call_intrinsic "llvm.exp2"(%power0) : (f32) -> f32
        %whole0 = arith.addf %ratio0, %one_each : f32
        %place0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole0) : (f32) -> f32
        %large0 = arith.addf %place0, %half_less : f32
        %square0 = arith.mulf %power0, %power0 : f32
        %bent0_1 =
          math.fma %bent0, %square0,
          %bent1 : f32
        %bent0_2 =
          math.fma %bent0_1, %square0,
          %bent2 : f32
        %bent0_3 =
          math.fma %bent0_2, %square0,
          %bent3 : f32
        %small0 =
          arith.mulf %bent0_3, %power0 : f32
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
        %bent1_1 =
          math.fma %bent0, %square1,
          %bent1 : f32
        %bent1_2 =
          math.fma %bent1_1, %square1,
          %bent2 : f32
        %bent1_3 =
          math.fma %bent1_2, %square1,
          %bent3 : f32
        %small1 =
          arith.mulf %bent1_3, %power1 : f32
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
        %bent2_1 =
          math.fma %bent0, %square2,
          %bent1 : f32
        %bent2_2 =
          math.fma %bent2_1, %square2,
          %bent2 : f32
        %bent2_3 =
          math.fma %bent2_2, %square2,
          %bent3 : f32
        %small2 =
          arith.mulf %bent2_3, %power2 : f32
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
        %bent3_1 =
          math.fma %bent0, %square3,
          %bent1 : f32
        %bent3_2 =
          math.fma %bent3_1, %square3,
          %bent2 : f32
        %bent3_3 =
          math.fma %bent3_2, %square3,
          %bent3 : f32
        %small3 =
          arith.mulf %bent3_3, %power3 : f32
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
        %bent4_1 =
          math.fma %bent0, %square4,
          %bent1 : f32
        %bent4_2 =
          math.fma %bent4_1, %square4,
          %bent2 : f32
        %bent4_3 =
          math.fma %bent4_2, %square4,
          %bent3 : f32
        %small4 =
          arith.mulf %bent4_3, %power4 : f32
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
        %bent5_1 =
          math.fma %bent0, %square5,
          %bent1 : f32
        %bent5_2 =
          math.fma %bent5_1, %square5,
          %bent2 : f32
        %bent5_3 =
          math.fma %bent5_2, %square5,
          %bent3 : f32
        %small5 =
          arith.mulf %bent5_3, %power5 : f32
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
        %bent6_1 =
          math.fma %bent0, %square6,
          %bent1 : f32
        %bent6_2 =
          math.fma %bent6_1, %square6,
          %bent2 : f32
        %bent6_3 =
          math.fma %bent6_2, %square6,
          %bent3 : f32
        %small6 =
          arith.mulf %bent6_3, %power6 : f32
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
        %bent7_1 =
          math.fma %bent0, %square7,
          %bent1 : f32
        %bent7_2 =
          math.fma %bent7_1, %square7,
          %bent2 : f32
        %bent7_3 =
          math.fma %bent7_2, %square7,
          %bent3 : f32
        %small7 =
          arith.mulf %bent7_3, %power7 : f32
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
        %bent8_1 =
          math.fma %bent0, %square8,
          %bent1 : f32
        %bent8_2 =
          math.fma %bent8_1, %square8,
          %bent2 : f32
        %bent8_3 =
          math.fma %bent8_2, %square8,
          %bent3 : f32
        %small8 =
          arith.mulf %bent8_3, %power8 : f32
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
        %bent9_1 =
          math.fma %bent0, %square9,
          %bent1 : f32
        %bent9_2 =
          math.fma %bent9_1, %square9,
          %bent2 : f32
        %bent9_3 =
          math.fma %bent9_2, %square9,
          %bent3 : f32
        %small9 =
          arith.mulf %bent9_3, %power9 : f32
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
        %bent10_1 =
          math.fma %bent0, %square10,
          %bent1 : f32
        %bent10_2 =
          math.fma %bent10_1, %square10,
          %bent2 : f32
        %bent10_3 =
          math.fma %bent10_2, %square10,
          %bent3 : f32
        %small10 =
          arith.mulf %bent10_3, %power10 : f32
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
        %bent11_1 =
          math.fma %bent0, %square11,
          %bent1 : f32
        %bent11_2 =
          math.fma %bent11_1, %square11,
          %bent2 : f32
        %bent11_3 =
          math.fma %bent11_2, %square11,
          %bent3 : f32
        %small11 =
          arith.mulf %bent11_3, %power11 : f32
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
        %bent12_1 =
          math.fma %bent0, %square12,
          %bent1 : f32
        %bent12_2 =
          math.fma %bent12_1, %square12,
          %bent2 : f32
        %bent12_3 =
          math.fma %bent12_2, %square12,
          %bent3 : f32
        %small12 =
          arith.mulf %bent12_3, %power12 : f32
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
        %bent13_1 =
          math.fma %bent0, %square13,
          %bent1 : f32
        %bent13_2 =
          math.fma %bent13_1, %square13,
          %bent2 : f32
        %bent13_3 =
          math.fma %bent13_2, %square13,
          %bent3 : f32
        %small13 =
          arith.mulf %bent13_3, %power13 : f32
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
        %bent14_1 =
          math.fma %bent0, %square14,
          %bent1 : f32
        %bent14_2 =
          math.fma %bent14_1, %square14,
          %bent2 : f32
        %bent14_3 =
          math.fma %bent14_2, %square14,
          %bent3 : f32
        %small14 =
          arith.mulf %bent14_3, %power14 : f32
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
        %bent15_1 =
          math.fma %bent0, %square15,
          %bent1 : f32
        %bent15_2 =
          math.fma %bent15_1, %square15,
          %bent2 : f32
        %bent15_3 =
          math.fma %bent15_2, %square15,
          %bent3 : f32
        %small15 =
          arith.mulf %bent15_3, %power15 : f32
        %size15 = math.absf %power15 : f32
        %is_small15 = arith.cmpf olt, %size15, %most_small : f32
        %capped15 = arith.select %is_small15, %small15, %large15 : f32
        %score16 = vector.extract %scores_any[16] : f32 from !scores_flat
        %power16 = arith.mulf %score16, %steepness : f32
        %ratio16 = llvm.call_intrinsic "llvm.exp2"(%power16) : (f32) -> f32
        %whole16 = arith.addf %ratio16, %one_each : f32
        %place16 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole16) : (f32) -> f32
        %large16 = arith.addf %place16, %half_less : f32
        %square16 = arith.mulf %power16, %power16 : f32
        %bent16_1 =
          math.fma %bent0, %square16,
          %bent1 : f32
        %bent16_2 =
          math.fma %bent16_1, %square16,
          %bent2 : f32
        %bent16_3 =
          math.fma %bent16_2, %square16,
          %bent3 : f32
        %small16 =
          arith.mulf %bent16_3, %power16 : f32
        %size16 = math.absf %power16 : f32
        %is_small16 = arith.cmpf olt, %size16, %most_small : f32
        %capped16 = arith.select %is_small16, %small16, %large16 : f32
        %score17 = vector.extract %scores_any[17] : f32 from !scores_flat
        %power17 = arith.mulf %score17, %steepness : f32
        %ratio17 = llvm.call_intrinsic "llvm.exp2"(%power17) : (f32) -> f32
        %whole17 = arith.addf %ratio17, %one_each : f32
        %place17 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole17) : (f32) -> f32
        %large17 = arith.addf %place17, %half_less : f32
        %square17 = arith.mulf %power17, %power17 : f32
        %bent17_1 =
          math.fma %bent0, %square17,
          %bent1 : f32
        %bent17_2 =
          math.fma %bent17_1, %square17,
          %bent2 : f32
        %bent17_3 =
          math.fma %bent17_2, %square17,
          %bent3 : f32
        %small17 =
          arith.mulf %bent17_3, %power17 : f32
        %size17 = math.absf %power17 : f32
        %is_small17 = arith.cmpf olt, %size17, %most_small : f32
        %capped17 = arith.select %is_small17, %small17, %large17 : f32
        %score18 = vector.extract %scores_any[18] : f32 from !scores_flat
        %power18 = arith.mulf %score18, %steepness : f32
        %ratio18 = llvm.call_intrinsic "llvm.exp2"(%power18) : (f32) -> f32
        %whole18 = arith.addf %ratio18, %one_each : f32
        %place18 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole18) : (f32) -> f32
        %large18 = arith.addf %place18, %half_less : f32
        %square18 = arith.mulf %power18, %power18 : f32
        %bent18_1 =
          math.fma %bent0, %square18,
          %bent1 : f32
        %bent18_2 =
          math.fma %bent18_1, %square18,
          %bent2 : f32
        %bent18_3 =
          math.fma %bent18_2, %square18,
          %bent3 : f32
        %small18 =
          arith.mulf %bent18_3, %power18 : f32
        %size18 = math.absf %power18 : f32
        %is_small18 = arith.cmpf olt, %size18, %most_small : f32
        %capped18 = arith.select %is_small18, %small18, %large18 : f32
        %score19 = vector.extract %scores_any[19] : f32 from !scores_flat
        %power19 = arith.mulf %score19, %steepness : f32
        %ratio19 = llvm.call_intrinsic "llvm.exp2"(%power19) : (f32) -> f32
        %whole19 = arith.addf %ratio19, %one_each : f32
        %place19 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole19) : (f32) -> f32
        %large19 = arith.addf %place19, %half_less : f32
        %square19 = arith.mulf %power19, %power19 : f32
        %bent19_1 =
          math.fma %bent0, %square19,
          %bent1 : f32
        %bent19_2 =
          math.fma %bent19_1, %square19,
          %bent2 : f32
        %bent19_3 =
          math.fma %bent19_2, %square19,
          %bent3 : f32
        %small19 =
          arith.mulf %bent19_3, %power19 : f32
        %size19 = math.absf %power19 : f32
        %is_small19 = arith.cmpf olt, %size19, %most_small : f32
        %capped19 = arith.select %is_small19, %small19, %large19 : f32
        %score20 = vector.extract %scores_any[20] : f32 from !scores_flat
        %power20 = arith.mulf %score20, %steepness : f32
        %ratio20 = llvm.call_intrinsic "llvm.exp2"(%power20) : (f32) -> f32
        %whole20 = arith.addf %ratio20, %one_each : f32
        %place20 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole20) : (f32) -> f32
        %large20 = arith.addf %place20, %half_less : f32
        %square20 = arith.mulf %power20, %power20 : f32
        %bent20_1 =
          math.fma %bent0, %square20,
          %bent1 : f32
        %bent20_2 =
          math.fma %bent20_1, %square20,
          %bent2 : f32
        %bent20_3 =
          math.fma %bent20_2, %square20,
          %bent3 : f32
        %small20 =
          arith.mulf %bent20_3, %power20 : f32
        %size20 = math.absf %power20 : f32
        %is_small20 = arith.cmpf olt, %size20, %most_small : f32
        %capped20 = arith.select %is_small20, %small20, %large20 : f32
        %score21 = vector.extract %scores_any[21] : f32 from !scores_flat
        %power21 = arith.mulf %score21, %steepness : f32
        %ratio21 = llvm.call_intrinsic "llvm.exp2"(%power21) : (f32) -> f32
        %whole21 = arith.addf %ratio21, %one_each : f32
        %place21 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole21) : (f32) -> f32
        %large21 = arith.addf %place21, %half_less : f32
        %square21 = arith.mulf %power21, %power21 : f32
        %bent21_1 =
          math.fma %bent0, %square21,
          %bent1 : f32
        %bent21_2 =
          math.fma %bent21_1, %square21,
          %bent2 : f32
        %bent21_3 =
          math.fma %bent21_2, %square21,
          %bent3 : f32
        %small21 =
          arith.mulf %bent21_3, %power21 : f32
        %size21 = math.absf %power21 : f32
        %is_small21 = arith.cmpf olt, %size21, %most_small : f32
        %capped21 = arith.select %is_small21, %small21, %large21 : f32
        %score22 = vector.extract %scores_any[22] : f32 from !scores_flat
        %power22 = arith.mulf %score22, %steepness : f32
        %ratio22 = llvm.call_intrinsic "llvm.exp2"(%power22) : (f32) -> f32
        %whole22 = arith.addf %ratio22, %one_each : f32
        %place22 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole22) : (f32) -> f32
        %large22 = arith.addf %place22, %half_less : f32
        %square22 = arith.mulf %power22, %power22 : f32
        %bent22_1 =
          math.fma %bent0, %square22,
          %bent1 : f32
        %bent22_2 =
          math.fma %bent22_1, %square22,
          %bent2 : f32
        %bent22_3 =
          math.fma %bent22_2, %square22,
          %bent3 : f32
        %small22 =
          arith.mulf %bent22_3, %power22 : f32
        %size22 = math.absf %power22 : f32
        %is_small22 = arith.cmpf olt, %size22, %most_small : f32
        %capped22 = arith.select %is_small22, %small22, %large22 : f32
        %score23 = vector.extract %scores_any[23] : f32 from !scores_flat
        %power23 = arith.mulf %score23, %steepness : f32
        %ratio23 = llvm.call_intrinsic "llvm.exp2"(%power23) : (f32) -> f32
        %whole23 = arith.addf %ratio23, %one_each : f32
        %place23 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole23) : (f32) -> f32
        %large23 = arith.addf %place23, %half_less : f32
        %square23 = arith.mulf %power23, %power23 : f32
        %bent23_1 =
          math.fma %bent0, %square23,
          %bent1 : f32
        %bent23_2 =
          math.fma %bent23_1, %square23,
          %bent2 : f32
        %bent23_3 =
          math.fma %bent23_2, %square23,
          %bent3 : f32
        %small23 =
          arith.mulf %bent23_3, %power23 : f32
        %size23 = math.absf %power23 : f32
        %is_small23 = arith.cmpf olt, %size23, %most_small : f32
        %capped23 = arith.select %is_small23, %small23, %large23 : f32
        %score24 = vector.extract %scores_any[24] : f32 from !scores_flat
        %power24 = arith.mulf %score24, %steepness : f32
        %ratio24 = llvm.call_intrinsic "llvm.exp2"(%power24) : (f32) -> f32
        %whole24 = arith.addf %ratio24, %one_each : f32
        %place24 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole24) : (f32) -> f32
        %large24 = arith.addf %place24, %half_less : f32
        %square24 = arith.mulf %power24, %power24 : f32
        %bent24_1 =
          math.fma %bent0, %square24,
          %bent1 : f32
        %bent24_2 =
          math.fma %bent24_1, %square24,
          %bent2 : f32
        %bent24_3 =
          math.fma %bent24_2, %square24,
          %bent3 : f32
        %small24 =
          arith.mulf %bent24_3, %power24 : f32
        %size24 = math.absf %power24 : f32
        %is_small24 = arith.cmpf olt, %size24, %most_small : f32
        %capped24 = arith.select %is_small24, %small24, %large24 : f32
        %score25 = vector.extract %scores_any[25] : f32 from !scores_flat
        %power25 = arith.mulf %score25, %steepness : f32
        %ratio25 = llvm.call_intrinsic "llvm.exp2"(%power25) : (f32) -> f32
        %whole25 = arith.addf %ratio25, %one_each : f32
        %place25 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole25) : (f32) -> f32
        %large25 = arith.addf %place25, %half_less : f32
        %square25 = arith.mulf %power25, %power25 : f32
        %bent25_1 =
          math.fma %bent0, %square25,
          %bent1 : f32
        %bent25_2 =
          math.fma %bent25_1, %square25,
          %bent2 : f32
        %bent25_3 =
          math.fma %bent25_2, %square25,
          %bent3 : f32
        %small25 =
          arith.mulf %bent25_3, %power25 : f32
        %size25 = math.absf %power25 : f32
        %is_small25 = arith.cmpf olt, %size25, %most_small : f32
        %capped25 = arith.select %is_small25, %small25, %large25 : f32
        %score26 = vector.extract %scores_any[26] : f32 from !scores_flat
        %power26 = arith.mulf %score26, %steepness : f32
        %ratio26 = llvm.call_intrinsic "llvm.exp2"(%power26) : (f32) -> f32
        %whole26 = arith.addf %ratio26, %one_each : f32
        %place26 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole26) : (f32) -> f32
        %large26 = arith.addf %place26, %half_less : f32
        %square26 = arith.mulf %power26, %power26 : f32
        %bent26_1 =
          math.fma %bent0, %square26,
          %bent1 : f32
        %bent26_2 =
          math.fma %bent26_1, %square26,
          %bent2 : f32
        %bent26_3 =
          math.fma %bent26_2, %square26,
          %bent3 : f32
        %small26 =
          arith.mulf %bent26_3, %power26 : f32
        %size26 = math.absf %power26 : f32
        %is_small26 = arith.cmpf olt, %size26, %most_small : f32
        %capped26 = arith.select %is_small26, %small26, %large26 : f32
        %score27 = vector.extract %scores_any[27] : f32 from !scores_flat
        %power27 = arith.mulf %score27, %steepness : f32
        %ratio27 = llvm.call_intrinsic "llvm.exp2"(%power27) : (f32) -> f32
        %whole27 = arith.addf %ratio27, %one_each : f32
        %place27 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole27) : (f32) -> f32
        %large27 = arith.addf %place27, %half_less : f32
        %square27 = arith.mulf %power27, %power27 : f32
        %bent27_1 =
          math.fma %bent0, %square27,
          %bent1 : f32
        %bent27_2 =
          math.fma %bent27_1, %square27,
          %bent2 : f32
        %bent27_3 =
          math.fma %bent27_2, %square27,
          %bent3 : f32
        %small27 =
          arith.mulf %bent27_3, %power27 : f32
        %size27 = math.absf %power27 : f32
        %is_small27 = arith.cmpf olt, %size27, %most_small : f32
        %capped27 = arith.select %is_small27, %small27, %large27 : f32
        %score28 = vector.extract %scores_any[28] : f32 from !scores_flat
        %power28 = arith.mulf %score28, %steepness : f32
        %ratio28 = llvm.call_intrinsic "llvm.exp2"(%power28) : (f32) -> f32
        %whole28 = arith.addf %ratio28, %one_each : f32
        %place28 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole28) : (f32) -> f32
        %large28 = arith.addf %place28, %half_less : f32
        %square28 = arith.mulf %power28, %power28 : f32
        %bent28_1 =
          math.fma %bent0, %square28,
          %bent1 : f32
        %bent28_2 =
          math.fma %bent28_1, %square28,
          %bent2 : f32
        %bent28_3 =
          math.fma %bent28_2, %square28,
          %bent3 : f32
        %small28 =
          arith.mulf %bent28_3, %power28 : f32
        %size28 = math.absf %power28 : f32
        %is_small28 = arith.cmpf olt, %size28, %most_small : f32
        %capped28 = arith.select %is_small28, %small28, %large28 : f32
        %score29 = vector.extract %scores_any[29] : f32 from !scores_flat
        %power29 = arith.mulf %score29, %steepness : f32
        %ratio29 = llvm.call_intrinsic "llvm.exp2"(%power29) : (f32) -> f32
        %whole29 = arith.addf %ratio29, %one_each : f32
        %place29 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole29) : (f32) -> f32
        %large29 = arith.addf %place29, %half_less : f32
        %square29 = arith.mulf %power29, %power29 : f32
        %bent29_1 =
          math.fma %bent0, %square29,
          %bent1 : f32
        %bent29_2 =
          math.fma %bent29_1, %square29,
          %bent2 : f32
        %bent29_3 =
          math.fma %bent29_2, %square29,
          %bent3 : f32
        %small29 =
          arith.mulf %bent29_3, %power29 : f32
        %size29 = math.absf %power29 : f32
        %is_small29 = arith.cmpf olt, %size29, %most_small : f32
        %capped29 = arith.select %is_small29, %small29, %large29 : f32
        %score30 = vector.extract %scores_any[30] : f32 from !scores_flat
        %power30 = arith.mulf %score30, %steepness : f32
        %ratio30 = llvm.call_intrinsic "llvm.exp2"(%power30) : (f32) -> f32
        %whole30 = arith.addf %ratio30, %one_each : f32
        %place30 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole30) : (f32) -> f32
        %large30 = arith.addf %place30, %half_less : f32
        %square30 = arith.mulf %power30, %power30 : f32
        %bent30_1 =
          math.fma %bent0, %square30,
          %bent1 : f32
        %bent30_2 =
          math.fma %bent30_1, %square30,
          %bent2 : f32
        %bent30_3 =
          math.fma %bent30_2, %square30,
          %bent3 : f32
        %small30 =
          arith.mulf %bent30_3, %power30 : f32
        %size30 = math.absf %power30 : f32
        %is_small30 = arith.cmpf olt, %size30, %most_small : f32
        %capped30 = arith.select %is_small30, %small30, %large30 : f32
        %score31 = vector.extract %scores_any[31] : f32 from !scores_flat
        %power31 = arith.mulf %score31, %steepness : f32
        %ratio31 = llvm.call_intrinsic "llvm.exp2"(%power31) : (f32) -> f32
        %whole31 = arith.addf %ratio31, %one_each : f32
        %place31 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole31) : (f32) -> f32
        %large31 = arith.addf %place31, %half_less : f32
        %square31 = arith.mulf %power31, %power31 : f32
        %bent31_1 =
          math.fma %bent0, %square31,
          %bent1 : f32
        %bent31_2 =
          math.fma %bent31_1, %square31,
          %bent2 : f32
        %bent31_3 =
          math.fma %bent31_2, %square31,
          %bent3 : f32
        %small31 =
          arith.mulf %bent31_3, %power31 : f32
        %size31 = math.absf %power31 : f32
        %is_small31 = arith.cmpf olt, %size31, %most_small : f32
        %capped31 = arith.select %is_small31, %small31, %large31 : f32
        %capped = vector.from_elements %capped0, %capped1, %capped2, %capped3, %capped4, %capped5, %capped6, %capped7, %capped8, %capped9, %capped10, %capped11, %capped12, %capped13, %capped14, %capped15, %capped16, %capped17, %capped18, %capped19, %capped20, %capped21, %capped22, %capped23, %capped24, %capped25, %capped26, %capped27, %capped28, %capped29, %capped30, %capped31 : !scores_flat
        %scores_capped = vector.shape_cast %capped : !scores_flat to !scores

        %tops0_0 = vector.extract %scores_capped[0, 0] : !row_scores from !scores
        %tops0_1 = vector.extract %scores_capped[1, 0] : !row_scores from !scores
        %top0_1 =
          arith.maxnumf %tops0_0, %tops0_1
          fastmath<nnan> : !row_scores
        %larger0_0_own = vector.extract %top0_1[0]
          : f32 from !row_scores
        %larger0_1_own = vector.extract %top0_1[1]
          : f32 from !row_scores
        %larger0_1 =
          arith.maxnumf %larger0_0_own, %larger0_1_own
          fastmath<nnan> : f32
        %larger0_2_own = vector.extract %top0_1[2]
          : f32 from !row_scores
        %larger0_2 =
          arith.maxnumf %larger0_1, %larger0_2_own
          fastmath<nnan> : f32
        %larger0_3_own = vector.extract %top0_1[3]
          : f32 from !row_scores
        %larger0_3 =
          arith.maxnumf %larger0_2, %larger0_3_own
          fastmath<nnan> : f32
        %larger0_4_own = vector.extract %top0_1[4]
          : f32 from !row_scores
        %larger0_4 =
          arith.maxnumf %larger0_3, %larger0_4_own
          fastmath<nnan> : f32
        %larger0_5_own = vector.extract %top0_1[5]
          : f32 from !row_scores
        %larger0_5 =
          arith.maxnumf %larger0_4, %larger0_5_own
          fastmath<nnan> : f32
        %larger0_6_own = vector.extract %top0_1[6]
          : f32 from !row_scores
        %larger0_6 =
          arith.maxnumf %larger0_5, %larger0_6_own
          fastmath<nnan> : f32
        %larger0_7_own = vector.extract %top0_1[7]
          : f32 from !row_scores
        %largest0 =
          arith.maxnumf %larger0_6, %larger0_7_own
          fastmath<nnan> : f32
        %best0_lanes1 = arith.constant 16 : i32
        %best0_wave1 = arith.constant 32 : i32
        %best0_far1, %best0_is_far1 =
          gpu.shuffle xor %largest0, %best0_lanes1,
          %best0_wave1 : f32
        %best0 =
          arith.maxnumf %largest0, %best0_far1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %tops1_0 = vector.extract %scores_capped[0, 1] : !row_scores from !scores
        %tops1_1 = vector.extract %scores_capped[1, 1] : !row_scores from !scores
        %top1_1 =
          arith.maxnumf %tops1_0, %tops1_1
          fastmath<nnan> : !row_scores
        %larger1_0_own = vector.extract %top1_1[0]
          : f32 from !row_scores
        %larger1_1_own = vector.extract %top1_1[1]
          : f32 from !row_scores
        %larger1_1 =
          arith.maxnumf %larger1_0_own, %larger1_1_own
          fastmath<nnan> : f32
        %larger1_2_own = vector.extract %top1_1[2]
          : f32 from !row_scores
        %larger1_2 =
          arith.maxnumf %larger1_1, %larger1_2_own
          fastmath<nnan> : f32
        %larger1_3_own = vector.extract %top1_1[3]
          : f32 from !row_scores
        %larger1_3 =
          arith.maxnumf %larger1_2, %larger1_3_own
          fastmath<nnan> : f32
        %larger1_4_own = vector.extract %top1_1[4]
          : f32 from !row_scores
        %larger1_4 =
          arith.maxnumf %larger1_3, %larger1_4_own
          fastmath<nnan> : f32
        %larger1_5_own = vector.extract %top1_1[5]
          : f32 from !row_scores
        %larger1_5 =
          arith.maxnumf %larger1_4, %larger1_5_own
          fastmath<nnan> : f32
        %larger1_6_own = vector.extract %top1_1[6]
          : f32 from !row_scores
        %larger1_6 =
          arith.maxnumf %larger1_5, %larger1_6_own
          fastmath<nnan> : f32
        %larger1_7_own = vector.extract %top1_1[7]
          : f32 from !row_scores
        %largest1 =
          arith.maxnumf %larger1_6, %larger1_7_own
          fastmath<nnan> : f32
        %best1_lanes1 = arith.constant 16 : i32
        %best1_wave1 = arith.constant 32 : i32
        %best1_far1, %best1_is_far1 =
          gpu.shuffle xor %largest1, %best1_lanes1,
          %best1_wave1 : f32
        %best1 =
          arith.maxnumf %largest1, %best1_far1 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %grows_1 =
          arith.ori %no, %grows0 : i1
        %grows_2 =
          arith.ori %grows_1, %grows1 : i1
        %brought:5 = scf.if %grows_2
          -> (f32, f32, f32, f32, !acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.exp2"(%below1) : (f32) -> f32
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
        %minus_max0 = arith.negf %brought#0 : f32
        %minus_max1 = arith.negf %brought#1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_capped, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %weights_by_key = arith.truncf %exps : !scores to !weights_by_key
        %weights_own = vector.transpose %weights_by_key, [1, 0, 2] : !weights_by_key to !weights_own
        %exps_of0 = vector.extract %exps[0] : !score_tile from !scores
        %exps_of1 = vector.extract %exps[1] : !score_tile from !scores
        %exps_to1 =
          arith.addf %exps_of0, %exps_of1
          : !score_tile
        %row_exps0 = vector.extract %exps_to1[0]
          : !row_scores from !score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %brought#2 fastmath<reassoc> : !row_scores
          into f32
        %row_exps1 = vector.extract %exps_to1[1]
          : !row_scores from !score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %brought#3 fastmath<reassoc> : !row_scores
          into f32
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %far = arith.constant 16 : i32
        %wave_size = arith.constant 32 : i32
        %weights_flat = vector.shape_cast %weights_own : !weights_own to !weights_flat
        %own_bits = vector.bitcast %weights_flat : !weights_flat to !pair_bits
        %others_0 = arith.constant dense<0> : !pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !pair_bits
        %other_bits0, %is_other0 = gpu.shuffle xor %own_bits0, %far, %wave_size : i32
        %others_1 = vector.insert %other_bits0, %others_0[0] : i32
          into !pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !pair_bits
        %other_bits1, %is_other1 = gpu.shuffle xor %own_bits1, %far, %wave_size : i32
        %others_2 = vector.insert %other_bits1, %others_1[1] : i32
          into !pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !pair_bits
        %other_bits2, %is_other2 = gpu.shuffle xor %own_bits2, %far, %wave_size : i32
        %others_3 = vector.insert %other_bits2, %others_2[2] : i32
          into !pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !pair_bits
        %other_bits3, %is_other3 = gpu.shuffle xor %own_bits3, %far, %wave_size : i32
        %others_4 = vector.insert %other_bits3, %others_3[3] : i32
          into !pair_bits
        %own_bits4 = vector.extract %own_bits[4] : i32 from !pair_bits
        %other_bits4, %is_other4 = gpu.shuffle xor %own_bits4, %far, %wave_size : i32
        %others_5 = vector.insert %other_bits4, %others_4[4] : i32
          into !pair_bits
        %own_bits5 = vector.extract %own_bits[5] : i32 from !pair_bits
        %other_bits5, %is_other5 = gpu.shuffle xor %own_bits5, %far, %wave_size : i32
        %others_6 = vector.insert %other_bits5, %others_5[5] : i32
          into !pair_bits
        %own_bits6 = vector.extract %own_bits[6] : i32 from !pair_bits
        %other_bits6, %is_other6 = gpu.shuffle xor %own_bits6, %far, %wave_size : i32
        %others_7 = vector.insert %other_bits6, %others_6[6] : i32
          into !pair_bits
        %own_bits7 = vector.extract %own_bits[7] : i32 from !pair_bits
        %other_bits7, %is_other7 = gpu.shuffle xor %own_bits7, %far, %wave_size : i32
        %others_8 = vector.insert %other_bits7, %others_7[7] : i32
          into !pair_bits
        %own_bits8 = vector.extract %own_bits[8] : i32 from !pair_bits
        %other_bits8, %is_other8 = gpu.shuffle xor %own_bits8, %far, %wave_size : i32
        %others_9 = vector.insert %other_bits8, %others_8[8] : i32
          into !pair_bits
        %own_bits9 = vector.extract %own_bits[9] : i32 from !pair_bits
        %other_bits9, %is_other9 = gpu.shuffle xor %own_bits9, %far, %wave_size : i32
        %others_10 = vector.insert %other_bits9, %others_9[9] : i32
          into !pair_bits
        %own_bits10 = vector.extract %own_bits[10] : i32 from !pair_bits
        %other_bits10, %is_other10 = gpu.shuffle xor %own_bits10, %far, %wave_size : i32
        %others_11 = vector.insert %other_bits10, %others_10[10] : i32
          into !pair_bits
        %own_bits11 = vector.extract %own_bits[11] : i32 from !pair_bits
        %other_bits11, %is_other11 = gpu.shuffle xor %own_bits11, %far, %wave_size : i32
        %others_12 = vector.insert %other_bits11, %others_11[11] : i32
          into !pair_bits
        %own_bits12 = vector.extract %own_bits[12] : i32 from !pair_bits
        %other_bits12, %is_other12 = gpu.shuffle xor %own_bits12, %far, %wave_size : i32
        %others_13 = vector.insert %other_bits12, %others_12[12] : i32
          into !pair_bits
        %own_bits13 = vector.extract %own_bits[13] : i32 from !pair_bits
        %other_bits13, %is_other13 = gpu.shuffle xor %own_bits13, %far, %wave_size : i32
        %others_14 = vector.insert %other_bits13, %others_13[13] : i32
          into !pair_bits
        %own_bits14 = vector.extract %own_bits[14] : i32 from !pair_bits
        %other_bits14, %is_other14 = gpu.shuffle xor %own_bits14, %far, %wave_size : i32
        %others_15 = vector.insert %other_bits14, %others_14[14] : i32
          into !pair_bits
        %own_bits15 = vector.extract %own_bits[15] : i32 from !pair_bits
        %other_bits15, %is_other15 = gpu.shuffle xor %own_bits15, %far, %wave_size : i32
        %others_16 = vector.insert %other_bits15, %others_15[15] : i32
          into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %others_16 : !pair_bits
        %of_group_1 = arith.select %is_group_0, %others_16, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_keys0 = "vector.load"(%value_lds, %value_row0, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %brought#4[0] : !sums from !acc
        %sums_next0 =
          iree_codegen.inner_tiled ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_1 =
          vector.insert %sums_next0, %brought#4[0] : !sums into !acc
        %value_row1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %value_keys1 = "vector.load"(%value_lds, %value_row1, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_1[1] : !sums from !acc
        %sums_next1 =
          iree_codegen.inner_tiled ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_2 =
          vector.insert %sums_next1, %acc_1[1] : !sums into !acc
        %value_row2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
        %value_keys2 = "vector.load"(%value_lds, %value_row2, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_2[2] : !sums from !acc
        %sums_next2 =
          iree_codegen.inner_tiled ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_3 =
          vector.insert %sums_next2, %acc_2[2] : !sums into !acc
        %value_row3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
        %value_keys3 = "vector.load"(%value_lds, %value_row3, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_3[3] : !sums from !acc
        %sums_next3 =
          iree_codegen.inner_tiled ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next =
          vector.insert %sums_next3, %acc_3[3] : !sums into !acc
        scf.yield %brought#0, %brought#1, %sum_next0, %sum_next1, %acc_next, %keys_next, %values_next
          : f32, f32, f32, f32, !acc, !keys, !values
      }
      %state2:7 = scf.for %t0 =
        %full_end to %end step %keys_of_step
          iter_args(            %max0 = %state1#0,
            %max1 = %state1#1,
            %sum0 = %state1#2,
            %sum1 = %state1#3,
            %acc = %state1#4,
            %keys_here = %state1#5,
            %values_here = %state1#6)
          -> (f32, f32, f32, f32, !acc, !keys, !values) {
        %t_after = arith.addi %t0, %keys_of_step : index
        %t_next = arith.minsi %t_after, %t_last : index

        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %key_lds_column = affine.apply affine_map<(l)
          -> (l mod 8 * 8)>(%lane)
        %key_lds_row0 = affine.apply affine_map<(l)
          -> ((l floordiv 8 + 0) floordiv 16 * 16 + (l floordiv 8 + 0) floordiv 8 mod 2 * 1 + (l floordiv 8 + 0) mod 8 * 2)>(%lane)
        %key0 = vector.extract %keys_here[0] : !access from !keys
        "vector.store"(%key0, %key_lds, %key_lds_row0, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %key_lds_row1 = affine.apply affine_map<(l)
          -> ((l floordiv 8 + 16) floordiv 16 * 16 + (l floordiv 8 + 16) floordiv 8 mod 2 * 1 + (l floordiv 8 + 16) mod 8 * 2)>(%lane)
        %key1 = vector.extract %keys_here[1] : !access from !keys
        "vector.store"(%key1, %key_lds, %key_lds_row1, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %first_of_block = affine.apply affine_map<(t, l)
          -> (t + l mod 16 * 2)>(%t0, %lane)
        %no_access = arith.constant dense<0.0> : !access
        %values_real0 = arith.constant dense<0.0> : !values
        %token0 = affine.apply affine_map<(t) -> (t + 0)>(%first_of_block)
        %is_token0 = arith.cmpi slt, %token0, %context_len : index
        %given0 = vector.extract %values_here[0] : !access from !values
        %real0 = arith.select %is_token0, %given0, %no_access : !access
        %values_real1 =
          vector.insert %real0, %values_real0[0] : !access into !values
        %token1 = affine.apply affine_map<(t) -> (t + 1)>(%first_of_block)
        %is_token1 = arith.cmpi slt, %token1, %context_len : index
        %given1 = vector.extract %values_here[1] : !access from !values
        %real1 = arith.select %is_token1, %given1, %no_access : !access
        %values_real =
          vector.insert %real1, %values_real1[1] : !access into !values
        %columns =
          vector.transpose %values_real, [1, 0]
          : !values to !columns
        %value_lds_key = affine.apply affine_map<(l) -> (l mod 16 * 2)>(%lane)
        %value_lds_row0 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 0) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 0) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 0) mod 8 * 2)>(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 1) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 1) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 1) mod 8 * 2)>(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 2) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 2) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 2) mod 8 * 2)>(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 3) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 3) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 3) mod 8 * 2)>(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 4) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 4) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 4) mod 8 * 2)>(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 5) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 5) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 5) mod 8 * 2)>(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 6) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 6) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 6) mod 8 * 2)>(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply affine_map<(l)
          -> ((l floordiv 16 * 8 + 7) mod 32 floordiv 8 * 16 + (l floordiv 16 * 8 + 7) floordiv 32 mod 2 * 1 + (l floordiv 16 * 8 + 7) mod 8 * 2)>(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_key)
          <{alignment = 4 : i64}> : (!column, !value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]
      %any_next_k0 = affine.apply affine_map<(t, l)
        -> (t + 0 + l floordiv 8)>(%t_next, %lane)
      %key_next_k0 = arith.minsi %any_next_k0, %last_key : index
      %row_next_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_k0)
      %any_next_k1 = affine.apply affine_map<(t, l)
        -> (t + 16 + l floordiv 8)>(%t_next, %lane)
      %key_next_k1 = arith.minsi %any_next_k1, %last_key : index
      %row_next_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_k1)
      %any_next_v0 = affine.apply affine_map<(t, l)
        -> (t + 0 + l mod 16 * 2)>(%t_next, %lane)
      %key_next_v0 = arith.minsi %any_next_v0, %last_key : index
      %row_next_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_v0)
      %any_next_v1 = affine.apply affine_map<(t, l)
        -> (t + 1 + l mod 16 * 2)>(%t_next, %lane)
      %key_next_v1 = arith.minsi %any_next_v1, %last_key : index
      %row_next_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_next_v1)
      %keys_next_0 = arith.constant dense<0.0> : !keys
      %key_column_next = affine.apply affine_map<(l)
        -> (l mod 8 * 8)>(%lane)
      %read_next_k0 = vector.transfer_read
        %key_rows[%row_next_k0, %key_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %keys_next_1 =
        vector.insert %read_next_k0, %keys_next_0[0]
        : !access into !keys
      %read_next_k1 = vector.transfer_read
        %key_rows[%row_next_k1, %key_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %keys_next =
        vector.insert %read_next_k1, %keys_next_1[1]
        : !access into !keys
      %values_next_0 = arith.constant dense<0.0> : !values
      %value_column_next = affine.apply affine_map<(l)
        -> (l floordiv 16 * 8)>(%lane)
      %read_next_v0 = vector.transfer_read
        %value_rows[%row_next_v0, %value_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %values_next_1 =
        vector.insert %read_next_v0, %values_next_0[0]
        : !access into !values
      %read_next_v1 = vector.transfer_read
        %value_rows[%row_next_v1, %value_column_next], %no_element
        {in_bounds = [true]} : tensor<512x64xf16>, !access
      %values_next =
        vector.insert %read_next_v1, %values_next_1[1]
        : !access into !values
        %sees_last = arith.cmpi sle, %t0, %last_of_wave : index
        %wave_sees = arith.andi %sees_last, %sees_last : i1
        %summed:5 = scf.if %wave_sees -> (f32, f32, f32, f32, !acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_row0_0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %key_chunk0_0 = "vector.load"(%key_lds, %key_row0_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys0_0 = vector.shape_cast %key_chunk0_0 : !head_chunk to !key_operand
        %score_sums0_1 =
          iree_codegen.inner_tiled ins(%keys0_0, %query0) outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %key_row1_0 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %key_chunk1_0 = "vector.load"(%key_lds, %key_row1_0, %key_column0)
          <{alignment = 16 : i64}> : (!key_lds, index, index) -> !head_chunk
        %keys1_0 = vector.shape_cast %key_chunk1_0 : !head_chunk to !key_operand
        %score_sums1_1 =
          iree_codegen.inner_tiled ins(%keys1_0, %query0) outs(%no_sums)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !key_operand, !query_operand into !sums
        %scores_0 = arith.constant dense<0.0> : !scores
        %score_tile0 = vector.shape_cast %score_sums0_1
          : !sums to !score_tile
        %scores_1 = vector.insert %score_tile0, %scores_0[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !sums to !score_tile
        %scores_2 = vector.insert %score_tile1, %scores_1[1]
          : !score_tile into !scores
        %steepness = arith.constant -0.012022458674074695 : f32
        %one_each = arith.constant 1.0 : f32
        %half_less = arith.constant -0.5 : f32
        %most_small = arith.constant 1.1541560327111708 : f32
        %bent0 = arith.constant 1.42797844e-05 : f32
        %bent1 = arith.constant -0.00033178 : f32
        %bent2 = arith.constant 0.00693760347 : f32
        %bent3 = arith.constant -0.173286781 : f32
        %scores_any = vector.shape_cast %scores_2 : !scores to !scores_flat
        %score0 = vector.extract %scores_any[0] : f32 from !scores_flat
        %power0 = arith.mulf %score0, %steepness : f32
        %ratio0 = llvm.call_intrinsic "llvm.exp2"(%power0) : (f32) -> f32
        %whole0 = arith.addf %ratio0, %one_each : f32
        %place0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole0) : (f32) -> f32
        %large0 = arith.addf %place0, %half_less : f32
        %square0 = arith.mulf %power0, %power0 : f32
        %bent0_1 =
          math.fma %bent0, %square0,
          %bent1 : f32
        %bent0_2 =
          math.fma %bent0_1, %square0,
          %bent2 : f32
        %bent0_3 =
          math.fma %bent0_2, %square0,
          %bent3 : f32
        %small0 =
          arith.mulf %bent0_3, %power0 : f32
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
        %bent1_1 =
          math.fma %bent0, %square1,
          %bent1 : f32
        %bent1_2 =
          math.fma %bent1_1, %square1,
          %bent2 : f32
        %bent1_3 =
          math.fma %bent1_2, %square1,
          %bent3 : f32
        %small1 =
          arith.mulf %bent1_3, %power1 : f32
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
        %bent2_1 =
          math.fma %bent0, %square2,
          %bent1 : f32
        %bent2_2 =
          math.fma %bent2_1, %square2,
          %bent2 : f32
        %bent2_3 =
          math.fma %bent2_2, %square2,
          %bent3 : f32
        %small2 =
          arith.mulf %bent2_3, %power2 : f32
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
        %bent3_1 =
          math.fma %bent0, %square3,
          %bent1 : f32
        %bent3_2 =
          math.fma %bent3_1, %square3,
          %bent2 : f32
        %bent3_3 =
          math.fma %bent3_2, %square3,
          %bent3 : f32
        %small3 =
          arith.mulf %bent3_3, %power3 : f32
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
        %bent4_1 =
          math.fma %bent0, %square4,
          %bent1 : f32
        %bent4_2 =
          math.fma %bent4_1, %square4,
          %bent2 : f32
        %bent4_3 =
          math.fma %bent4_2, %square4,
          %bent3 : f32
        %small4 =
          arith.mulf %bent4_3, %power4 : f32
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
        %bent5_1 =
          math.fma %bent0, %square5,
          %bent1 : f32
        %bent5_2 =
          math.fma %bent5_1, %square5,
          %bent2 : f32
        %bent5_3 =
          math.fma %bent5_2, %square5,
          %bent3 : f32
        %small5 =
          arith.mulf %bent5_3, %power5 : f32
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
        %bent6_1 =
          math.fma %bent0, %square6,
          %bent1 : f32
        %bent6_2 =
          math.fma %bent6_1, %square6,
          %bent2 : f32
        %bent6_3 =
          math.fma %bent6_2, %square6,
          %bent3 : f32
        %small6 =
          arith.mulf %bent6_3, %power6 : f32
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
        %bent7_1 =
          math.fma %bent0, %square7,
          %bent1 : f32
        %bent7_2 =
          math.fma %bent7_1, %square7,
          %bent2 : f32
        %bent7_3 =
          math.fma %bent7_2, %square7,
          %bent3 : f32
        %small7 =
          arith.mulf %bent7_3, %power7 : f32
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
        %bent8_1 =
          math.fma %bent0, %square8,
          %bent1 : f32
        %bent8_2 =
          math.fma %bent8_1, %square8,
          %bent2 : f32
        %bent8_3 =
          math.fma %bent8_2, %square8,
          %bent3 : f32
        %small8 =
          arith.mulf %bent8_3, %power8 : f32
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
        %bent9_1 =
          math.fma %bent0, %square9,
          %bent1 : f32
        %bent9_2 =
          math.fma %bent9_1, %square9,
          %bent2 : f32
        %bent9_3 =
          math.fma %bent9_2, %square9,
          %bent3 : f32
        %small9 =
          arith.mulf %bent9_3, %power9 : f32
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
        %bent10_1 =
          math.fma %bent0, %square10,
          %bent1 : f32
        %bent10_2 =
          math.fma %bent10_1, %square10,
          %bent2 : f32
        %bent10_3 =
          math.fma %bent10_2, %square10,
          %bent3 : f32
        %small10 =
          arith.mulf %bent10_3, %power10 : f32
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
        %bent11_1 =
          math.fma %bent0, %square11,
          %bent1 : f32
        %bent11_2 =
          math.fma %bent11_1, %square11,
          %bent2 : f32
        %bent11_3 =
          math.fma %bent11_2, %square11,
          %bent3 : f32
        %small11 =
          arith.mulf %bent11_3, %power11 : f32
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
        %bent12_1 =
          math.fma %bent0, %square12,
          %bent1 : f32
        %bent12_2 =
          math.fma %bent12_1, %square12,
          %bent2 : f32
        %bent12_3 =
          math.fma %bent12_2, %square12,
          %bent3 : f32
        %small12 =
          arith.mulf %bent12_3, %power12 : f32
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
        %bent13_1 =
          math.fma %bent0, %square13,
          %bent1 : f32
        %bent13_2 =
          math.fma %bent13_1, %square13,
          %bent2 : f32
        %bent13_3 =
          math.fma %bent13_2, %square13,
          %bent3 : f32
        %small13 =
          arith.mulf %bent13_3, %power13 : f32
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
        %bent14_1 =
          math.fma %bent0, %square14,
          %bent1 : f32
        %bent14_2 =
          math.fma %bent14_1, %square14,
          %bent2 : f32
        %bent14_3 =
          math.fma %bent14_2, %square14,
          %bent3 : f32
        %small14 =
          arith.mulf %bent14_3, %power14 : f32
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
        %bent15_1 =
          math.fma %bent0, %square15,
          %bent1 : f32
        %bent15_2 =
          math.fma %bent15_1, %square15,
          %bent2 : f32
        %bent15_3 =
          math.fma %bent15_2, %square15,
          %bent3 : f32
        %small15 =
          arith.mulf %bent15_3, %power15 : f32
        %size15 = math.absf %power15 : f32
        %is_small15 = arith.cmpf olt, %size15, %most_small : f32
        %capped15 = arith.select %is_small15, %small15, %large15 : f32
        %score16 = vector.extract %scores_any[16] : f32 from !scores_flat
        %power16 = arith.mulf %score16, %steepness : f32
        %ratio16 = llvm.call_intrinsic "llvm.exp2"(%power16) : (f32) -> f32
        %whole16 = arith.addf %ratio16, %one_each : f32
        %place16 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole16) : (f32) -> f32
        %large16 = arith.addf %place16, %half_less : f32
        %square16 = arith.mulf %power16, %power16 : f32
        %bent16_1 =
          math.fma %bent0, %square16,
          %bent1 : f32
        %bent16_2 =
          math.fma %bent16_1, %square16,
          %bent2 : f32
        %bent16_3 =
          math.fma %bent16_2, %square16,
          %bent3 : f32
        %small16 =
          arith.mulf %bent16_3, %power16 : f32
        %size16 = math.absf %power16 : f32
        %is_small16 = arith.cmpf olt, %size16, %most_small : f32
        %capped16 = arith.select %is_small16, %small16, %large16 : f32
        %score17 = vector.extract %scores_any[17] : f32 from !scores_flat
        %power17 = arith.mulf %score17, %steepness : f32
        %ratio17 = llvm.call_intrinsic "llvm.exp2"(%power17) : (f32) -> f32
        %whole17 = arith.addf %ratio17, %one_each : f32
        %place17 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole17) : (f32) -> f32
        %large17 = arith.addf %place17, %half_less : f32
        %square17 = arith.mulf %power17, %power17 : f32
        %bent17_1 =
          math.fma %bent0, %square17,
          %bent1 : f32
        %bent17_2 =
          math.fma %bent17_1, %square17,
          %bent2 : f32
        %bent17_3 =
          math.fma %bent17_2, %square17,
          %bent3 : f32
        %small17 =
          arith.mulf %bent17_3, %power17 : f32
        %size17 = math.absf %power17 : f32
        %is_small17 = arith.cmpf olt, %size17, %most_small : f32
        %capped17 = arith.select %is_small17, %small17, %large17 : f32
        %score18 = vector.extract %scores_any[18] : f32 from !scores_flat
        %power18 = arith.mulf %score18, %steepness : f32
        %ratio18 = llvm.call_intrinsic "llvm.exp2"(%power18) : (f32) -> f32
        %whole18 = arith.addf %ratio18, %one_each : f32
        %place18 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole18) : (f32) -> f32
        %large18 = arith.addf %place18, %half_less : f32
        %square18 = arith.mulf %power18, %power18 : f32
        %bent18_1 =
          math.fma %bent0, %square18,
          %bent1 : f32
        %bent18_2 =
          math.fma %bent18_1, %square18,
          %bent2 : f32
        %bent18_3 =
          math.fma %bent18_2, %square18,
          %bent3 : f32
        %small18 =
          arith.mulf %bent18_3, %power18 : f32
        %size18 = math.absf %power18 : f32
        %is_small18 = arith.cmpf olt, %size18, %most_small : f32
        %capped18 = arith.select %is_small18, %small18, %large18 : f32
        %score19 = vector.extract %scores_any[19] : f32 from !scores_flat
        %power19 = arith.mulf %score19, %steepness : f32
        %ratio19 = llvm.call_intrinsic "llvm.exp2"(%power19) : (f32) -> f32
        %whole19 = arith.addf %ratio19, %one_each : f32
        %place19 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole19) : (f32) -> f32
        %large19 = arith.addf %place19, %half_less : f32
        %square19 = arith.mulf %power19, %power19 : f32
        %bent19_1 =
          math.fma %bent0, %square19,
          %bent1 : f32
        %bent19_2 =
          math.fma %bent19_1, %square19,
          %bent2 : f32
        %bent19_3 =
          math.fma %bent19_2, %square19,
          %bent3 : f32
        %small19 =
          arith.mulf %bent19_3, %power19 : f32
        %size19 = math.absf %power19 : f32
        %is_small19 = arith.cmpf olt, %size19, %most_small : f32
        %capped19 = arith.select %is_small19, %small19, %large19 : f32
        %score20 = vector.extract %scores_any[20] : f32 from !scores_flat
        %power20 = arith.mulf %score20, %steepness : f32
        %ratio20 = llvm.call_intrinsic "llvm.exp2"(%power20) : (f32) -> f32
        %whole20 = arith.addf %ratio20, %one_each : f32
        %place20 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole20) : (f32) -> f32
        %large20 = arith.addf %place20, %half_less : f32
        %square20 = arith.mulf %power20, %power20 : f32
        %bent20_1 =
          math.fma %bent0, %square20,
          %bent1 : f32
        %bent20_2 =
          math.fma %bent20_1, %square20,
          %bent2 : f32
        %bent20_3 =
          math.fma %bent20_2, %square20,
          %bent3 : f32
        %small20 =
          arith.mulf %bent20_3, %power20 : f32
        %size20 = math.absf %power20 : f32
        %is_small20 = arith.cmpf olt, %size20, %most_small : f32
        %capped20 = arith.select %is_small20, %small20, %large20 : f32
        %score21 = vector.extract %scores_any[21] : f32 from !scores_flat
        %power21 = arith.mulf %score21, %steepness : f32
        %ratio21 = llvm.call_intrinsic "llvm.exp2"(%power21) : (f32) -> f32
        %whole21 = arith.addf %ratio21, %one_each : f32
        %place21 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole21) : (f32) -> f32
        %large21 = arith.addf %place21, %half_less : f32
        %square21 = arith.mulf %power21, %power21 : f32
        %bent21_1 =
          math.fma %bent0, %square21,
          %bent1 : f32
        %bent21_2 =
          math.fma %bent21_1, %square21,
          %bent2 : f32
        %bent21_3 =
          math.fma %bent21_2, %square21,
          %bent3 : f32
        %small21 =
          arith.mulf %bent21_3, %power21 : f32
        %size21 = math.absf %power21 : f32
        %is_small21 = arith.cmpf olt, %size21, %most_small : f32
        %capped21 = arith.select %is_small21, %small21, %large21 : f32
        %score22 = vector.extract %scores_any[22] : f32 from !scores_flat
        %power22 = arith.mulf %score22, %steepness : f32
        %ratio22 = llvm.call_intrinsic "llvm.exp2"(%power22) : (f32) -> f32
        %whole22 = arith.addf %ratio22, %one_each : f32
        %place22 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole22) : (f32) -> f32
        %large22 = arith.addf %place22, %half_less : f32
        %square22 = arith.mulf %power22, %power22 : f32
        %bent22_1 =
          math.fma %bent0, %square22,
          %bent1 : f32
        %bent22_2 =
          math.fma %bent22_1, %square22,
          %bent2 : f32
        %bent22_3 =
          math.fma %bent22_2, %square22,
          %bent3 : f32
        %small22 =
          arith.mulf %bent22_3, %power22 : f32
        %size22 = math.absf %power22 : f32
        %is_small22 = arith.cmpf olt, %size22, %most_small : f32
        %capped22 = arith.select %is_small22, %small22, %large22 : f32
        %score23 = vector.extract %scores_any[23] : f32 from !scores_flat
        %power23 = arith.mulf %score23, %steepness : f32
        %ratio23 = llvm.call_intrinsic "llvm.exp2"(%power23) : (f32) -> f32
        %whole23 = arith.addf %ratio23, %one_each : f32
        %place23 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole23) : (f32) -> f32
        %large23 = arith.addf %place23, %half_less : f32
        %square23 = arith.mulf %power23, %power23 : f32
        %bent23_1 =
          math.fma %bent0, %square23,
          %bent1 : f32
        %bent23_2 =
          math.fma %bent23_1, %square23,
          %bent2 : f32
        %bent23_3 =
          math.fma %bent23_2, %square23,
          %bent3 : f32
        %small23 =
          arith.mulf %bent23_3, %power23 : f32
        %size23 = math.absf %power23 : f32
        %is_small23 = arith.cmpf olt, %size23, %most_small : f32
        %capped23 = arith.select %is_small23, %small23, %large23 : f32
        %score24 = vector.extract %scores_any[24] : f32 from !scores_flat
        %power24 = arith.mulf %score24, %steepness : f32
        %ratio24 = llvm.call_intrinsic "llvm.exp2"(%power24) : (f32) -> f32
        %whole24 = arith.addf %ratio24, %one_each : f32
        %place24 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole24) : (f32) -> f32
        %large24 = arith.addf %place24, %half_less : f32
        %square24 = arith.mulf %power24, %power24 : f32
        %bent24_1 =
          math.fma %bent0, %square24,
          %bent1 : f32
        %bent24_2 =
          math.fma %bent24_1, %square24,
          %bent2 : f32
        %bent24_3 =
          math.fma %bent24_2, %square24,
          %bent3 : f32
        %small24 =
          arith.mulf %bent24_3, %power24 : f32
        %size24 = math.absf %power24 : f32
        %is_small24 = arith.cmpf olt, %size24, %most_small : f32
        %capped24 = arith.select %is_small24, %small24, %large24 : f32
        %score25 = vector.extract %scores_any[25] : f32 from !scores_flat
        %power25 = arith.mulf %score25, %steepness : f32
        %ratio25 = llvm.call_intrinsic "llvm.exp2"(%power25) : (f32) -> f32
        %whole25 = arith.addf %ratio25, %one_each : f32
        %place25 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole25) : (f32) -> f32
        %large25 = arith.addf %place25, %half_less : f32
        %square25 = arith.mulf %power25, %power25 : f32
        %bent25_1 =
          math.fma %bent0, %square25,
          %bent1 : f32
        %bent25_2 =
          math.fma %bent25_1, %square25,
          %bent2 : f32
        %bent25_3 =
          math.fma %bent25_2, %square25,
          %bent3 : f32
        %small25 =
          arith.mulf %bent25_3, %power25 : f32
        %size25 = math.absf %power25 : f32
        %is_small25 = arith.cmpf olt, %size25, %most_small : f32
        %capped25 = arith.select %is_small25, %small25, %large25 : f32
        %score26 = vector.extract %scores_any[26] : f32 from !scores_flat
        %power26 = arith.mulf %score26, %steepness : f32
        %ratio26 = llvm.call_intrinsic "llvm.exp2"(%power26) : (f32) -> f32
        %whole26 = arith.addf %ratio26, %one_each : f32
        %place26 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole26) : (f32) -> f32
        %large26 = arith.addf %place26, %half_less : f32
        %square26 = arith.mulf %power26, %power26 : f32
        %bent26_1 =
          math.fma %bent0, %square26,
          %bent1 : f32
        %bent26_2 =
          math.fma %bent26_1, %square26,
          %bent2 : f32
        %bent26_3 =
          math.fma %bent26_2, %square26,
          %bent3 : f32
        %small26 =
          arith.mulf %bent26_3, %power26 : f32
        %size26 = math.absf %power26 : f32
        %is_small26 = arith.cmpf olt, %size26, %most_small : f32
        %capped26 = arith.select %is_small26, %small26, %large26 : f32
        %score27 = vector.extract %scores_any[27] : f32 from !scores_flat
        %power27 = arith.mulf %score27, %steepness : f32
        %ratio27 = llvm.call_intrinsic "llvm.exp2"(%power27) : (f32) -> f32
        %whole27 = arith.addf %ratio27, %one_each : f32
        %place27 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole27) : (f32) -> f32
        %large27 = arith.addf %place27, %half_less : f32
        %square27 = arith.mulf %power27, %power27 : f32
        %bent27_1 =
          math.fma %bent0, %square27,
          %bent1 : f32
        %bent27_2 =
          math.fma %bent27_1, %square27,
          %bent2 : f32
        %bent27_3 =
          math.fma %bent27_2, %square27,
          %bent3 : f32
        %small27 =
          arith.mulf %bent27_3, %power27 : f32
        %size27 = math.absf %power27 : f32
        %is_small27 = arith.cmpf olt, %size27, %most_small : f32
        %capped27 = arith.select %is_small27, %small27, %large27 : f32
        %score28 = vector.extract %scores_any[28] : f32 from !scores_flat
        %power28 = arith.mulf %score28, %steepness : f32
        %ratio28 = llvm.call_intrinsic "llvm.exp2"(%power28) : (f32) -> f32
        %whole28 = arith.addf %ratio28, %one_each : f32
        %place28 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole28) : (f32) -> f32
        %large28 = arith.addf %place28, %half_less : f32
        %square28 = arith.mulf %power28, %power28 : f32
        %bent28_1 =
          math.fma %bent0, %square28,
          %bent1 : f32
        %bent28_2 =
          math.fma %bent28_1, %square28,
          %bent2 : f32
        %bent28_3 =
          math.fma %bent28_2, %square28,
          %bent3 : f32
        %small28 =
          arith.mulf %bent28_3, %power28 : f32
        %size28 = math.absf %power28 : f32
        %is_small28 = arith.cmpf olt, %size28, %most_small : f32
        %capped28 = arith.select %is_small28, %small28, %large28 : f32
        %score29 = vector.extract %scores_any[29] : f32 from !scores_flat
        %power29 = arith.mulf %score29, %steepness : f32
        %ratio29 = llvm.call_intrinsic "llvm.exp2"(%power29) : (f32) -> f32
        %whole29 = arith.addf %ratio29, %one_each : f32
        %place29 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole29) : (f32) -> f32
        %large29 = arith.addf %place29, %half_less : f32
        %square29 = arith.mulf %power29, %power29 : f32
        %bent29_1 =
          math.fma %bent0, %square29,
          %bent1 : f32
        %bent29_2 =
          math.fma %bent29_1, %square29,
          %bent2 : f32
        %bent29_3 =
          math.fma %bent29_2, %square29,
          %bent3 : f32
        %small29 =
          arith.mulf %bent29_3, %power29 : f32
        %size29 = math.absf %power29 : f32
        %is_small29 = arith.cmpf olt, %size29, %most_small : f32
        %capped29 = arith.select %is_small29, %small29, %large29 : f32
        %score30 = vector.extract %scores_any[30] : f32 from !scores_flat
        %power30 = arith.mulf %score30, %steepness : f32
        %ratio30 = llvm.call_intrinsic "llvm.exp2"(%power30) : (f32) -> f32
        %whole30 = arith.addf %ratio30, %one_each : f32
        %place30 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole30) : (f32) -> f32
        %large30 = arith.addf %place30, %half_less : f32
        %square30 = arith.mulf %power30, %power30 : f32
        %bent30_1 =
          math.fma %bent0, %square30,
          %bent1 : f32
        %bent30_2 =
          math.fma %bent30_1, %square30,
          %bent2 : f32
        %bent30_3 =
          math.fma %bent30_2, %square30,
          %bent3 : f32
        %small30 =
          arith.mulf %bent30_3, %power30 : f32
        %size30 = math.absf %power30 : f32
        %is_small30 = arith.cmpf olt, %size30, %most_small : f32
        %capped30 = arith.select %is_small30, %small30, %large30 : f32
        %score31 = vector.extract %scores_any[31] : f32 from !scores_flat
        %power31 = arith.mulf %score31, %steepness : f32
        %ratio31 = llvm.call_intrinsic "llvm.exp2"(%power31) : (f32) -> f32
        %whole31 = arith.addf %ratio31, %one_each : f32
        %place31 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole31) : (f32) -> f32
        %large31 = arith.addf %place31, %half_less : f32
        %square31 = arith.mulf %power31, %power31 : f32
        %bent31_1 =
          math.fma %bent0, %square31,
          %bent1 : f32
        %bent31_2 =
          math.fma %bent31_1, %square31,
          %bent2 : f32
        %bent31_3 =
          math.fma %bent31_2, %square31,
          %bent3 : f32
        %small31 =
          arith.mulf %bent31_3, %power31 : f32
        %size31 = math.absf %power31 : f32
        %is_small31 = arith.cmpf olt, %size31, %most_small : f32
        %capped31 = arith.select %is_small31, %small31, %large31 : f32
        %capped = vector.from_elements %capped0, %capped1, %capped2, %capped3, %capped4, %capped5, %capped6, %capped7, %capped8, %capped9, %capped10, %capped11, %capped12, %capped13, %capped14, %capped15, %capped16, %capped17, %capped18, %capped19, %capped20, %capped21, %capped22, %capped23, %capped24, %capped25, %capped26, %capped27, %capped28, %capped29, %capped30, %capped31 : !scores_flat
        %scores_capped = vector.shape_cast %capped : !scores_flat to !scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]], [[16, 17, 18, 19, 20, 21, 22, 23], [16, 17, 18, 19, 20, 21, 22, 23]]]> : !score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_of_step1 = arith.subi %last_seen1, %t0 : index
        %last_i32_1 = arith.index_cast %last_of_step1 : index to i32
        %last_rows = vector.from_elements %last_i32_0, %last_i32_1 : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_seen =
          arith.select %is_last_seen, %scores_capped,
          %hidden : !is_seen, !scores
        %tops0_0 = vector.extract %scores_seen[0, 0] : !row_scores from !scores
        %tops0_1 = vector.extract %scores_seen[1, 0] : !row_scores from !scores
        %top0_1 =
          arith.maxnumf %tops0_0, %tops0_1
          fastmath<nnan> : !row_scores
        %larger0_0_own = vector.extract %top0_1[0]
          : f32 from !row_scores
        %larger0_1_own = vector.extract %top0_1[1]
          : f32 from !row_scores
        %larger0_1 =
          arith.maxnumf %larger0_0_own, %larger0_1_own
          fastmath<nnan> : f32
        %larger0_2_own = vector.extract %top0_1[2]
          : f32 from !row_scores
        %larger0_2 =
          arith.maxnumf %larger0_1, %larger0_2_own
          fastmath<nnan> : f32
        %larger0_3_own = vector.extract %top0_1[3]
          : f32 from !row_scores
        %larger0_3 =
          arith.maxnumf %larger0_2, %larger0_3_own
          fastmath<nnan> : f32
        %larger0_4_own = vector.extract %top0_1[4]
          : f32 from !row_scores
        %larger0_4 =
          arith.maxnumf %larger0_3, %larger0_4_own
          fastmath<nnan> : f32
        %larger0_5_own = vector.extract %top0_1[5]
          : f32 from !row_scores
        %larger0_5 =
          arith.maxnumf %larger0_4, %larger0_5_own
          fastmath<nnan> : f32
        %larger0_6_own = vector.extract %top0_1[6]
          : f32 from !row_scores
        %larger0_6 =
          arith.maxnumf %larger0_5, %larger0_6_own
          fastmath<nnan> : f32
        %larger0_7_own = vector.extract %top0_1[7]
          : f32 from !row_scores
        %largest0 =
          arith.maxnumf %larger0_6, %larger0_7_own
          fastmath<nnan> : f32
        %best0_lanes1 = arith.constant 16 : i32
        %best0_wave1 = arith.constant 32 : i32
        %best0_far1, %best0_is_far1 =
          gpu.shuffle xor %largest0, %best0_lanes1,
          %best0_wave1 : f32
        %best0 =
          arith.maxnumf %largest0, %best0_far1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
        %tops1_0 = vector.extract %scores_seen[0, 1] : !row_scores from !scores
        %tops1_1 = vector.extract %scores_seen[1, 1] : !row_scores from !scores
        %top1_1 =
          arith.maxnumf %tops1_0, %tops1_1
          fastmath<nnan> : !row_scores
        %larger1_0_own = vector.extract %top1_1[0]
          : f32 from !row_scores
        %larger1_1_own = vector.extract %top1_1[1]
          : f32 from !row_scores
        %larger1_1 =
          arith.maxnumf %larger1_0_own, %larger1_1_own
          fastmath<nnan> : f32
        %larger1_2_own = vector.extract %top1_1[2]
          : f32 from !row_scores
        %larger1_2 =
          arith.maxnumf %larger1_1, %larger1_2_own
          fastmath<nnan> : f32
        %larger1_3_own = vector.extract %top1_1[3]
          : f32 from !row_scores
        %larger1_3 =
          arith.maxnumf %larger1_2, %larger1_3_own
          fastmath<nnan> : f32
        %larger1_4_own = vector.extract %top1_1[4]
          : f32 from !row_scores
        %larger1_4 =
          arith.maxnumf %larger1_3, %larger1_4_own
          fastmath<nnan> : f32
        %larger1_5_own = vector.extract %top1_1[5]
          : f32 from !row_scores
        %larger1_5 =
          arith.maxnumf %larger1_4, %larger1_5_own
          fastmath<nnan> : f32
        %larger1_6_own = vector.extract %top1_1[6]
          : f32 from !row_scores
        %larger1_6 =
          arith.maxnumf %larger1_5, %larger1_6_own
          fastmath<nnan> : f32
        %larger1_7_own = vector.extract %top1_1[7]
          : f32 from !row_scores
        %largest1 =
          arith.maxnumf %larger1_6, %larger1_7_own
          fastmath<nnan> : f32
        %best1_lanes1 = arith.constant 16 : i32
        %best1_wave1 = arith.constant 32 : i32
        %best1_far1, %best1_is_far1 =
          gpu.shuffle xor %largest1, %best1_lanes1,
          %best1_wave1 : f32
        %best1 =
          arith.maxnumf %largest1, %best1_far1 : f32
        %best_logit1 = arith.mulf %best1, %unit : f32
        %limit1 = arith.addf %max1, %margin : f32
        %grows1 = arith.cmpf ogt, %best_logit1, %limit1 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %grows_1 =
          arith.ori %no, %grows0 : i1
        %grows_2 =
          arith.ori %grows_1, %grows1 : i1
        %brought:5 = scf.if %grows_2
          -> (f32, f32, f32, f32, !acc) {
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %higher1 = arith.select %grows1, %best_logit1, %max1 : f32
          %below1 = arith.subf %max1, %higher1 : f32
          %factor1 = llvm.call_intrinsic "llvm.exp2"(%below1) : (f32) -> f32
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
        %minus_max0 = arith.negf %brought#0 : f32
        %minus_max1 = arith.negf %brought#1 : f32
        %minus_maxs = vector.from_elements %minus_max0, %minus_max1 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_seen, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %weights_by_key = arith.truncf %exps : !scores to !weights_by_key
        %weights_own = vector.transpose %weights_by_key, [1, 0, 2] : !weights_by_key to !weights_own
        %exps_of0 = vector.extract %exps[0] : !score_tile from !scores
        %exps_of1 = vector.extract %exps[1] : !score_tile from !scores
        %exps_to1 =
          arith.addf %exps_of0, %exps_of1
          : !score_tile
        %row_exps0 = vector.extract %exps_to1[0]
          : !row_scores from !score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %brought#2 fastmath<reassoc> : !row_scores
          into f32
        %row_exps1 = vector.extract %exps_to1[1]
          : !row_scores from !score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %brought#3 fastmath<reassoc> : !row_scores
          into f32
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %far = arith.constant 16 : i32
        %wave_size = arith.constant 32 : i32
        %weights_flat = vector.shape_cast %weights_own : !weights_own to !weights_flat
        %own_bits = vector.bitcast %weights_flat : !weights_flat to !pair_bits
        %others_0 = arith.constant dense<0> : !pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !pair_bits
        %other_bits0, %is_other0 = gpu.shuffle xor %own_bits0, %far, %wave_size : i32
        %others_1 = vector.insert %other_bits0, %others_0[0] : i32
          into !pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !pair_bits
        %other_bits1, %is_other1 = gpu.shuffle xor %own_bits1, %far, %wave_size : i32
        %others_2 = vector.insert %other_bits1, %others_1[1] : i32
          into !pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !pair_bits
        %other_bits2, %is_other2 = gpu.shuffle xor %own_bits2, %far, %wave_size : i32
        %others_3 = vector.insert %other_bits2, %others_2[2] : i32
          into !pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !pair_bits
        %other_bits3, %is_other3 = gpu.shuffle xor %own_bits3, %far, %wave_size : i32
        %others_4 = vector.insert %other_bits3, %others_3[3] : i32
          into !pair_bits
        %own_bits4 = vector.extract %own_bits[4] : i32 from !pair_bits
        %other_bits4, %is_other4 = gpu.shuffle xor %own_bits4, %far, %wave_size : i32
        %others_5 = vector.insert %other_bits4, %others_4[4] : i32
          into !pair_bits
        %own_bits5 = vector.extract %own_bits[5] : i32 from !pair_bits
        %other_bits5, %is_other5 = gpu.shuffle xor %own_bits5, %far, %wave_size : i32
        %others_6 = vector.insert %other_bits5, %others_5[5] : i32
          into !pair_bits
        %own_bits6 = vector.extract %own_bits[6] : i32 from !pair_bits
        %other_bits6, %is_other6 = gpu.shuffle xor %own_bits6, %far, %wave_size : i32
        %others_7 = vector.insert %other_bits6, %others_6[6] : i32
          into !pair_bits
        %own_bits7 = vector.extract %own_bits[7] : i32 from !pair_bits
        %other_bits7, %is_other7 = gpu.shuffle xor %own_bits7, %far, %wave_size : i32
        %others_8 = vector.insert %other_bits7, %others_7[7] : i32
          into !pair_bits
        %own_bits8 = vector.extract %own_bits[8] : i32 from !pair_bits
        %other_bits8, %is_other8 = gpu.shuffle xor %own_bits8, %far, %wave_size : i32
        %others_9 = vector.insert %other_bits8, %others_8[8] : i32
          into !pair_bits
        %own_bits9 = vector.extract %own_bits[9] : i32 from !pair_bits
        %other_bits9, %is_other9 = gpu.shuffle xor %own_bits9, %far, %wave_size : i32
        %others_10 = vector.insert %other_bits9, %others_9[9] : i32
          into !pair_bits
        %own_bits10 = vector.extract %own_bits[10] : i32 from !pair_bits
        %other_bits10, %is_other10 = gpu.shuffle xor %own_bits10, %far, %wave_size : i32
        %others_11 = vector.insert %other_bits10, %others_10[10] : i32
          into !pair_bits
        %own_bits11 = vector.extract %own_bits[11] : i32 from !pair_bits
        %other_bits11, %is_other11 = gpu.shuffle xor %own_bits11, %far, %wave_size : i32
        %others_12 = vector.insert %other_bits11, %others_11[11] : i32
          into !pair_bits
        %own_bits12 = vector.extract %own_bits[12] : i32 from !pair_bits
        %other_bits12, %is_other12 = gpu.shuffle xor %own_bits12, %far, %wave_size : i32
        %others_13 = vector.insert %other_bits12, %others_12[12] : i32
          into !pair_bits
        %own_bits13 = vector.extract %own_bits[13] : i32 from !pair_bits
        %other_bits13, %is_other13 = gpu.shuffle xor %own_bits13, %far, %wave_size : i32
        %others_14 = vector.insert %other_bits13, %others_13[13] : i32
          into !pair_bits
        %own_bits14 = vector.extract %own_bits[14] : i32 from !pair_bits
        %other_bits14, %is_other14 = gpu.shuffle xor %own_bits14, %far, %wave_size : i32
        %others_15 = vector.insert %other_bits14, %others_14[14] : i32
          into !pair_bits
        %own_bits15 = vector.extract %own_bits[15] : i32 from !pair_bits
        %other_bits15, %is_other15 = gpu.shuffle xor %own_bits15, %far, %wave_size : i32
        %others_16 = vector.insert %other_bits15, %others_15[15] : i32
          into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %others_16 : !pair_bits
        %of_group_1 = arith.select %is_group_0, %others_16, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !pair_bits, !pair_bits
        %all_weights = vector.bitcast %all_bits : !all_bits to !all_weights
        %weights = vector.shape_cast %all_weights : !all_weights to !weights_operand
        %value_row0 = affine.apply affine_map<(i) -> (i + 0)>(%index)
        %value_keys0 = "vector.load"(%value_lds, %value_row0, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value0 = vector.shape_cast %value_keys0 : !value_keys to !value_operand
        %sums0 = vector.extract %brought#4[0] : !sums from !acc
        %sums_next0 =
          iree_codegen.inner_tiled ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_1 =
          vector.insert %sums_next0, %brought#4[0] : !sums into !acc
        %value_row1 = affine.apply affine_map<(i) -> (i + 16)>(%index)
        %value_keys1 = "vector.load"(%value_lds, %value_row1, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value1 = vector.shape_cast %value_keys1 : !value_keys to !value_operand
        %sums1 = vector.extract %acc_1[1] : !sums from !acc
        %sums_next1 =
          iree_codegen.inner_tiled ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_2 =
          vector.insert %sums_next1, %acc_1[1] : !sums into !acc
        %value_row2 = affine.apply affine_map<(i) -> (i + 32)>(%index)
        %value_keys2 = "vector.load"(%value_lds, %value_row2, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value2 = vector.shape_cast %value_keys2 : !value_keys to !value_operand
        %sums2 = vector.extract %acc_2[2] : !sums from !acc
        %sums_next2 =
          iree_codegen.inner_tiled ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_3 =
          vector.insert %sums_next2, %acc_2[2] : !sums into !acc
        %value_row3 = affine.apply affine_map<(i) -> (i + 48)>(%index)
        %value_keys3 = "vector.load"(%value_lds, %value_row3, %key_column) <{alignment = 16
          : i64}>
          : (!value_lds, index, index) -> !value_keys
        %value3 = vector.shape_cast %value_keys3 : !value_keys to !value_operand
        %sums3 = vector.extract %acc_3[3] : !sums from !acc
        %sums_next3 =
          iree_codegen.inner_tiled ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next =
          vector.insert %sums_next3, %acc_3[3] : !sums into !acc
          scf.yield %brought#0, %brought#1, %sum_next0, %sum_next1, %acc_next : f32, f32, f32, f32, !acc
        } else {
          scf.yield %max0, %max1, %sum0, %sum1, %acc : f32, f32, f32, f32, !acc
        }
        scf.yield %summed#0, %summed#1, %summed#2, %summed#3, %summed#4, %keys_next, %values_next
          : f32, f32, f32, f32, !acc, !keys, !values
      }
      %one_f32 = arith.constant 1.0 : f32
      %acc_by_column = vector.shape_cast %state2#4 : !acc to !acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 0, 2] : !acc_by_column to !acc_by_row
      %output_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %output_rows_0 = arith.constant dense<0.0> : !rows_f32
      %sink = tensor.extract %sinks[%x] : tensor<8xf32>
        %total0_lanes1 = arith.constant 16 : i32
        %total0_wave1 = arith.constant 32 : i32
        %total0_far1, %total0_is_far1 =
          gpu.shuffle xor %state2#2, %total0_lanes1,
          %total0_wave1 : f32
        %total0 =
          arith.addf %state2#2, %total0_far1 : f32
      %is_query0 = arith.cmpi slt, %row_of_head0, %q_len : index
      %sum_row0 = arith.select %is_query0, %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %max_row0 = arith.select %is_query0, %state2#0, %lowest : f32
      %unit_of_sink_row0 = arith.constant 1.4426950408889634 : f32
      %sink_logit_row0 = arith.mulf %sink, %unit_of_sink_row0 : f32
      %top_row0 = arith.maxnumf %max_row0, %sink_logit_row0 : f32
      %below_row0 = arith.subf %max_row0, %top_row0 : f32
        %factor_row0 = math.exp2 %below_row0 : f32
      %sink_below_row0 = arith.subf %sink_logit_row0, %top_row0 : f32
        %sink_exp_row0 = math.exp2 %sink_below_row0 : f32
      %shrunk_row0 = arith.mulf %sum_row0, %factor_row0 : f32
      %total_row0 = arith.addf %shrunk_row0, %sink_exp_row0 : f32
      %inverse0 = arith.divf %factor_row0, %total_row0 : f32
      %inverses0 = vector.broadcast %inverse0 : f32 to !acc_row
      %sums_of_row0 = vector.extract %acc_by_row[0] : !acc_row from !acc_by_row
      %means_any0 = arith.mulf %sums_of_row0, %inverses0 : !acc_row
      %no_means0 = arith.constant dense<0.0> : !acc_row
      %means0 = arith.select %is_empty0, %no_means0, %means_any0 : !acc_row
      %means_flat0 = vector.shape_cast %means0 : !acc_row to !output_f32
      %output_rows_1 = vector.insert %means_flat0, %output_rows_0[0]
        : !output_f32 into !rows_f32
      %log0 = math.log %total_row0 : f32
      %natural0 = arith.constant 0.6931471805599453 : f32
      %max_natural0 = arith.mulf %top_row0, %natural0 : f32
      %lse_row0 = arith.addf %max_natural0, %log0 : f32
        %total1_lanes1 = arith.constant 16 : i32
        %total1_wave1 = arith.constant 32 : i32
        %total1_far1, %total1_is_far1 =
          gpu.shuffle xor %state2#3, %total1_lanes1,
          %total1_wave1 : f32
        %total1 =
          arith.addf %state2#3, %total1_far1 : f32
      %is_query1 = arith.cmpi slt, %row_of_head1, %q_len : index
      %sum_row1 = arith.select %is_query1, %total1, %zero : f32
      %is_empty1 = arith.cmpf oeq, %sum_row1, %zero : f32
      %max_row1 = arith.select %is_query1, %state2#1, %lowest : f32
      %unit_of_sink_row1 = arith.constant 1.4426950408889634 : f32
      %sink_logit_row1 = arith.mulf %sink, %unit_of_sink_row1 : f32
      %top_row1 = arith.maxnumf %max_row1, %sink_logit_row1 : f32
      %below_row1 = arith.subf %max_row1, %top_row1 : f32
        %factor_row1 = math.exp2 %below_row1 : f32
      %sink_below_row1 = arith.subf %sink_logit_row1, %top_row1 : f32
        %sink_exp_row1 = math.exp2 %sink_below_row1 : f32
      %shrunk_row1 = arith.mulf %sum_row1, %factor_row1 : f32
      %total_row1 = arith.addf %shrunk_row1, %sink_exp_row1 : f32
      %inverse1 = arith.divf %factor_row1, %total_row1 : f32
      %inverses1 = vector.broadcast %inverse1 : f32 to !acc_row
      %sums_of_row1 = vector.extract %acc_by_row[1] : !acc_row from !acc_by_row
      %means_any1 = arith.mulf %sums_of_row1, %inverses1 : !acc_row
      %no_means1 = arith.constant dense<0.0> : !acc_row
      %means1 = arith.select %is_empty1, %no_means1, %means_any1 : !acc_row
      %means_flat1 = vector.shape_cast %means1 : !acc_row to !output_f32
      %output_rows_2 = vector.insert %means_flat1, %output_rows_1[1]
        : !output_f32 into !rows_f32
      %log1 = math.log %total_row1 : f32
      %natural1 = arith.constant 0.6931471805599453 : f32
      %max_natural1 = arith.mulf %top_row1, %natural1 : f32
      %lse_row1 = arith.addf %max_natural1, %log1 : f32
      %output_row_values = arith.truncf %output_rows_2 : !rows_f32 to !output_rows
      %lse_row_values = vector.from_elements
%lse_row0, %lse_row1 : !lse_rows
      %rows_left_here = affine.min affine_map<(n, r) -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %output_old = tensor.extract_slice %output_tile[%first_row, %output_column] [%own_rows, 32]
        [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
      %output_part = vector.transfer_write %output_row_values, %output_old
        [%none, %none]
        {in_bounds = [false, true]}
        : !output_rows, tensor<?x32xf16>
      %lse_old = tensor.extract_slice %lse_tile[%first_row] [%own_rows]
        [1] : tensor<?xf32> to tensor<?xf32>
      %lse_part = vector.transfer_write %lse_row_values, %lse_old
        [%none]
        {in_bounds = [false]}
        : !lse_rows, tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %output_part into %output_tile[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : tensor<?x32xf16> into tensor<?x64xf16>
        tensor.parallel_insert_slice %lse_part into %lse_tile[%first_row]
          [%own_rows] [1] : tensor<?xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %none]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<1024x64xf16>
      tensor.parallel_insert_slice %lse_rows_stored
        into %lse_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<1024xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_rows_out,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : tensor<1024x64xf16> -> !output_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_rows_out,
      offsets = [0], sizes = [1024], strides = [1]
      : tensor<1024xf32> -> !lse_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value, %q_lens: !q_lens, %context_lens: !context_lens, %sinks: !sinks) -> (!output, !lse) {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<2x8x64x64xf16> into tensor<1024x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<2x2x128x64xf16> into tensor<512x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<2x2x128x64xf16> into tensor<512x64xf16>
  %made:2 = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows, %q_lens, %context_lens, %sinks
    ) : (
      tensor<1024x64xf16>,
      tensor<512x64xf16>,
      tensor<512x64xf16>,
      tensor<2xi32>,
      tensor<2xi32>,
      tensor<8xf32>
    ) -> (tensor<1024x64xf16>, tensor<1024xf32>)
  %output = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [2, 8, 64, 64] : tensor<1024x64xf16> into tensor<2x8x64x64xf16>
  %lse = tensor.expand_shape %made#1 [[0, 1, 2]]
    output_shape [2, 8, 64] : tensor<1024xf32> into tensor<2x8x64xf32>
  return %output, %lse : !output, !lse
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(%query: !query, %key: !key, %value: !value, %q_lens: !q_lens, %context_lens: !context_lens, %sinks: !sinks) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @attention(%query, %key, %value, %q_lens, %context_lens, %sinks) : (!query, !key, !value, !q_lens, !context_lens, !sinks) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
