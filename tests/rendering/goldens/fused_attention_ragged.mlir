// Attention as one kernel of lanes.
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
!output_rows = vector<2x32xf16>
!lse_rows = vector<2xf32>
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
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty, %lse_rows_all = %lse_rows_empty) -> (tensor<1024x64xf16>, tensor<1024xf32>) {
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
    %q_len_i32 = tensor.extract %q_lens[%b] : tensor<2xi32>
    %q_len = arith.index_cast %q_len_i32 : i32 to index
    %most_keys_index = affine.apply affine_map<()[n] -> (n)>()[%keys_of_head]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<2xi32>
    %context_len_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len = arith.index_cast %context_len_kept : i32 to index
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
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf16>
    %tile_empty1 = tensor.empty(%rows_here)
      : tensor<?xf32>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 32 * 32, e floordiv 32 *
      32)>(%end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %begin : index
    %output_rows_stored, %lse_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
          , %tile1 = %tile_empty1
        ) -> (tensor<?x64xf16>, tensor<?xf32>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 32 + i * 2)>(%wave, %index)
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
      %score_sums0_0 = arith.constant dense<0.0> : !sums
      %score_sums1_0 = arith.constant dense<0.0> : !sums
      %limit0_0 = arith.constant -3.40282347E+38 : f32
      %minus_max0_0 = arith.constant 3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %limit1_0 = arith.constant -3.40282347E+38 : f32
      %minus_max1_0 = arith.constant 3.40282347E+38 : f32
      %sum1_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %keys_0, %values_0 = scf.execute_region -> (!keys, !values) {
        %t_next = arith.minsi %begin, %t_last : index
      %key_any_k0 = affine.apply #key_of_step0(%t_next, %lane)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %row_k0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_any_v1 = affine.apply #value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !access into !values
        scf.yield %keys_next, %values_next : !keys, !values
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
          -> (f32, f32, f32, f32, f32, f32, !acc, !keys, !values) {
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
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_any_v1 = affine.apply #value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
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
        %score16 = vector.extract %scores_any[16] : f32 from !scores_flat
        %power16 = arith.mulf %score16, %steepness : f32
        %ratio16 = llvm.call_intrinsic "llvm.exp2"(%power16) : (f32) -> f32
        %whole16 = arith.addf %ratio16, %one_each : f32
        %place16 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole16) : (f32) -> f32
        %large16 = arith.addf %place16, %half_less : f32
        %square16 = arith.mulf %power16, %power16 : f32
        %polynomial16_1 = math.fma %coefficient0, %square16, %coefficient1 : f32
        %polynomial16_2 = math.fma %polynomial16_1, %square16, %coefficient2 : f32
        %polynomial16 = math.fma %polynomial16_2, %square16, %coefficient3 : f32
        %small16 = arith.mulf %polynomial16, %power16 : f32
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
        %polynomial17_1 = math.fma %coefficient0, %square17, %coefficient1 : f32
        %polynomial17_2 = math.fma %polynomial17_1, %square17, %coefficient2 : f32
        %polynomial17 = math.fma %polynomial17_2, %square17, %coefficient3 : f32
        %small17 = arith.mulf %polynomial17, %power17 : f32
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
        %polynomial18_1 = math.fma %coefficient0, %square18, %coefficient1 : f32
        %polynomial18_2 = math.fma %polynomial18_1, %square18, %coefficient2 : f32
        %polynomial18 = math.fma %polynomial18_2, %square18, %coefficient3 : f32
        %small18 = arith.mulf %polynomial18, %power18 : f32
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
        %polynomial19_1 = math.fma %coefficient0, %square19, %coefficient1 : f32
        %polynomial19_2 = math.fma %polynomial19_1, %square19, %coefficient2 : f32
        %polynomial19 = math.fma %polynomial19_2, %square19, %coefficient3 : f32
        %small19 = arith.mulf %polynomial19, %power19 : f32
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
        %polynomial20_1 = math.fma %coefficient0, %square20, %coefficient1 : f32
        %polynomial20_2 = math.fma %polynomial20_1, %square20, %coefficient2 : f32
        %polynomial20 = math.fma %polynomial20_2, %square20, %coefficient3 : f32
        %small20 = arith.mulf %polynomial20, %power20 : f32
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
        %polynomial21_1 = math.fma %coefficient0, %square21, %coefficient1 : f32
        %polynomial21_2 = math.fma %polynomial21_1, %square21, %coefficient2 : f32
        %polynomial21 = math.fma %polynomial21_2, %square21, %coefficient3 : f32
        %small21 = arith.mulf %polynomial21, %power21 : f32
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
        %polynomial22_1 = math.fma %coefficient0, %square22, %coefficient1 : f32
        %polynomial22_2 = math.fma %polynomial22_1, %square22, %coefficient2 : f32
        %polynomial22 = math.fma %polynomial22_2, %square22, %coefficient3 : f32
        %small22 = arith.mulf %polynomial22, %power22 : f32
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
        %polynomial23_1 = math.fma %coefficient0, %square23, %coefficient1 : f32
        %polynomial23_2 = math.fma %polynomial23_1, %square23, %coefficient2 : f32
        %polynomial23 = math.fma %polynomial23_2, %square23, %coefficient3 : f32
        %small23 = arith.mulf %polynomial23, %power23 : f32
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
        %polynomial24_1 = math.fma %coefficient0, %square24, %coefficient1 : f32
        %polynomial24_2 = math.fma %polynomial24_1, %square24, %coefficient2 : f32
        %polynomial24 = math.fma %polynomial24_2, %square24, %coefficient3 : f32
        %small24 = arith.mulf %polynomial24, %power24 : f32
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
        %polynomial25_1 = math.fma %coefficient0, %square25, %coefficient1 : f32
        %polynomial25_2 = math.fma %polynomial25_1, %square25, %coefficient2 : f32
        %polynomial25 = math.fma %polynomial25_2, %square25, %coefficient3 : f32
        %small25 = arith.mulf %polynomial25, %power25 : f32
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
        %polynomial26_1 = math.fma %coefficient0, %square26, %coefficient1 : f32
        %polynomial26_2 = math.fma %polynomial26_1, %square26, %coefficient2 : f32
        %polynomial26 = math.fma %polynomial26_2, %square26, %coefficient3 : f32
        %small26 = arith.mulf %polynomial26, %power26 : f32
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
        %polynomial27_1 = math.fma %coefficient0, %square27, %coefficient1 : f32
        %polynomial27_2 = math.fma %polynomial27_1, %square27, %coefficient2 : f32
        %polynomial27 = math.fma %polynomial27_2, %square27, %coefficient3 : f32
        %small27 = arith.mulf %polynomial27, %power27 : f32
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
        %polynomial28_1 = math.fma %coefficient0, %square28, %coefficient1 : f32
        %polynomial28_2 = math.fma %polynomial28_1, %square28, %coefficient2 : f32
        %polynomial28 = math.fma %polynomial28_2, %square28, %coefficient3 : f32
        %small28 = arith.mulf %polynomial28, %power28 : f32
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
        %polynomial29_1 = math.fma %coefficient0, %square29, %coefficient1 : f32
        %polynomial29_2 = math.fma %polynomial29_1, %square29, %coefficient2 : f32
        %polynomial29 = math.fma %polynomial29_2, %square29, %coefficient3 : f32
        %small29 = arith.mulf %polynomial29, %power29 : f32
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
        %polynomial30_1 = math.fma %coefficient0, %square30, %coefficient1 : f32
        %polynomial30_2 = math.fma %polynomial30_1, %square30, %coefficient2 : f32
        %polynomial30 = math.fma %polynomial30_2, %square30, %coefficient3 : f32
        %small30 = arith.mulf %polynomial30, %power30 : f32
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
        %polynomial31_1 = math.fma %coefficient0, %square31, %coefficient1 : f32
        %polynomial31_2 = math.fma %polynomial31_1, %square31, %coefficient2 : f32
        %polynomial31 = math.fma %polynomial31_2, %square31, %coefficient3 : f32
        %small31 = arith.mulf %polynomial31, %power31 : f32
        %size31 = math.absf %power31 : f32
        %is_small31 = arith.cmpf olt, %size31, %most_small : f32
        %capped31 = arith.select %is_small31, %small31, %large31 : f32
        %capped = vector.from_elements %capped0, %capped1, %capped2, %capped3, %capped4, %capped5, %capped6, %capped7, %capped8, %capped9, %capped10, %capped11, %capped12, %capped13, %capped14, %capped15, %capped16, %capped17, %capped18, %capped19, %capped20, %capped21, %capped22, %capped23, %capped24, %capped25, %capped26, %capped27, %capped28, %capped29, %capped30, %capped31 : !scores_flat
        %scores_ruled = vector.shape_cast %capped : !scores_flat to !scores
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
        %top1_0 = vector.extract %scores_ruled[0, 1] : !row_scores from !scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !row_scores from !scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !row_scores
        %top1 = vector.extract %top1_1[0] : f32 from !row_scores
        %of_key1_1 = vector.extract %top1_1[1]
          : f32 from !row_scores
        %largest1_1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %of_key1_2 = vector.extract %top1_1[2]
          : f32 from !row_scores
        %largest1_2 = arith.maxnumf %largest1_1, %of_key1_2 fastmath<nnan> : f32
        %of_key1_3 = vector.extract %top1_1[3]
          : f32 from !row_scores
        %largest1_3 = arith.maxnumf %largest1_2, %of_key1_3 fastmath<nnan> : f32
        %of_key1_4 = vector.extract %top1_1[4]
          : f32 from !row_scores
        %largest1_4 = arith.maxnumf %largest1_3, %of_key1_4 fastmath<nnan> : f32
        %of_key1_5 = vector.extract %top1_1[5]
          : f32 from !row_scores
        %largest1_5 = arith.maxnumf %largest1_4, %of_key1_5 fastmath<nnan> : f32
        %of_key1_6 = vector.extract %top1_1[6]
          : f32 from !row_scores
        %largest1_6 = arith.maxnumf %largest1_5, %of_key1_6 fastmath<nnan> : f32
        %of_key1_7 = vector.extract %top1_1[7]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, f32, f32, f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0, %factor1 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %has_sums0 = arith.cmpf une, %sum0, %zero : f32
          %any_sums_here_1 = arith.ori %no, %has_sums0 : i1
          %has_sums1 = arith.cmpf une, %sum1, %zero : f32
          %any_sums_here = arith.ori %any_sums_here_1, %has_sums1 : i1
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
          %limit_less1 = arith.addf %higher1, %margin : f32
        %minus_max_less1_any = arith.negf %higher1 : f32
        %minus_max_less1 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less1_any : (f32) -> f32
          scf.yield %limit_less0, %limit_less1, %minus_max_less0, %minus_max_less1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, f32, f32, !acc
        } else {
          scf.yield %limit0, %limit1, %minus_max0, %minus_max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, f32, f32, !acc
        }
        %minus_maxs = vector.from_elements %minus_max_next0, %minus_max_next1 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %weights_by_key = arith.truncf %exps : !scores to !weights_by_key
        %weights_own = vector.transpose %weights_by_key, [1, 0, 2] : !weights_by_key to !weights_own
        %exps_to0 = vector.extract %exps[0] : !score_tile from !scores
        %exps_of1 = vector.extract %exps[1] : !score_tile from !scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !score_tile
        %row_exps0 = vector.extract %exps_to1[0] : !row_scores from !score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !row_scores
          into f32
        %row_exps1 = vector.extract %exps_to1[1] : !row_scores from !score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !row_scores
          into f32
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
        %other_bits_8 = vector.insert %bits_there7, %other_bits_7[7] : i32 into !pair_bits
        %own_bits8 = vector.extract %own_bits[8] : i32 from !pair_bits
        %bits_there8, %bits_are_there8 =
          gpu.shuffle xor %own_bits8, %distance1, %wave_size : i32
        %other_bits_9 = vector.insert %bits_there8, %other_bits_8[8] : i32 into !pair_bits
        %own_bits9 = vector.extract %own_bits[9] : i32 from !pair_bits
        %bits_there9, %bits_are_there9 =
          gpu.shuffle xor %own_bits9, %distance1, %wave_size : i32
        %other_bits_10 = vector.insert %bits_there9, %other_bits_9[9] : i32 into !pair_bits
        %own_bits10 = vector.extract %own_bits[10] : i32 from !pair_bits
        %bits_there10, %bits_are_there10 =
          gpu.shuffle xor %own_bits10, %distance1, %wave_size : i32
        %other_bits_11 = vector.insert %bits_there10, %other_bits_10[10] : i32 into !pair_bits
        %own_bits11 = vector.extract %own_bits[11] : i32 from !pair_bits
        %bits_there11, %bits_are_there11 =
          gpu.shuffle xor %own_bits11, %distance1, %wave_size : i32
        %other_bits_12 = vector.insert %bits_there11, %other_bits_11[11] : i32 into !pair_bits
        %own_bits12 = vector.extract %own_bits[12] : i32 from !pair_bits
        %bits_there12, %bits_are_there12 =
          gpu.shuffle xor %own_bits12, %distance1, %wave_size : i32
        %other_bits_13 = vector.insert %bits_there12, %other_bits_12[12] : i32 into !pair_bits
        %own_bits13 = vector.extract %own_bits[13] : i32 from !pair_bits
        %bits_there13, %bits_are_there13 =
          gpu.shuffle xor %own_bits13, %distance1, %wave_size : i32
        %other_bits_14 = vector.insert %bits_there13, %other_bits_13[13] : i32 into !pair_bits
        %own_bits14 = vector.extract %own_bits[14] : i32 from !pair_bits
        %bits_there14, %bits_are_there14 =
          gpu.shuffle xor %own_bits14, %distance1, %wave_size : i32
        %other_bits_15 = vector.insert %bits_there14, %other_bits_14[14] : i32 into !pair_bits
        %own_bits15 = vector.extract %own_bits[15] : i32 from !pair_bits
        %bits_there15, %bits_are_there15 =
          gpu.shuffle xor %own_bits15, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there15, %other_bits_15[15] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !pair_bits, !pair_bits
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
        scf.yield %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, f32, f32, f32, !acc, !keys, !values
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
          -> (f32, f32, f32, f32, f32, f32, !acc, !keys, !values) {
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
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k0)
      %key_any_k1 = affine.apply #key_of_step1(%t_next, %lane)
      %key_k1 = arith.minsi %key_any_k1, %last_key : index
      %row_k1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_k1)
      %key_any_v0 = affine.apply #value_of_step0(%t_next, %lane)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
      %row_v0 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v0)
      %key_any_v1 = affine.apply #value_of_step1(%t_next, %lane)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
      %row_v1 = affine.apply
        affine_map<(b, k) -> (b + k * 1)>(%key_base, %key_v1)
        %no_keys = arith.constant dense<0.0> : !keys
        %key_column = affine.apply #key_column(%lane)
        %key_read0 = vector.transfer_read
          %key_rows[%row_k0, %key_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<512x64xf16>, !access
        %values_next = vector.insert %value_read1, %values_next_1[1] : !access into !values
        %wave_sees = arith.cmpi sle, %t0, %last_of_wave : index
        %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next =
          scf.if %wave_sees -> (f32, f32, f32, f32, f32, f32, !acc) {
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
        %score16 = vector.extract %scores_any[16] : f32 from !scores_flat
        %power16 = arith.mulf %score16, %steepness : f32
        %ratio16 = llvm.call_intrinsic "llvm.exp2"(%power16) : (f32) -> f32
        %whole16 = arith.addf %ratio16, %one_each : f32
        %place16 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%whole16) : (f32) -> f32
        %large16 = arith.addf %place16, %half_less : f32
        %square16 = arith.mulf %power16, %power16 : f32
        %polynomial16_1 = math.fma %coefficient0, %square16, %coefficient1 : f32
        %polynomial16_2 = math.fma %polynomial16_1, %square16, %coefficient2 : f32
        %polynomial16 = math.fma %polynomial16_2, %square16, %coefficient3 : f32
        %small16 = arith.mulf %polynomial16, %power16 : f32
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
        %polynomial17_1 = math.fma %coefficient0, %square17, %coefficient1 : f32
        %polynomial17_2 = math.fma %polynomial17_1, %square17, %coefficient2 : f32
        %polynomial17 = math.fma %polynomial17_2, %square17, %coefficient3 : f32
        %small17 = arith.mulf %polynomial17, %power17 : f32
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
        %polynomial18_1 = math.fma %coefficient0, %square18, %coefficient1 : f32
        %polynomial18_2 = math.fma %polynomial18_1, %square18, %coefficient2 : f32
        %polynomial18 = math.fma %polynomial18_2, %square18, %coefficient3 : f32
        %small18 = arith.mulf %polynomial18, %power18 : f32
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
        %polynomial19_1 = math.fma %coefficient0, %square19, %coefficient1 : f32
        %polynomial19_2 = math.fma %polynomial19_1, %square19, %coefficient2 : f32
        %polynomial19 = math.fma %polynomial19_2, %square19, %coefficient3 : f32
        %small19 = arith.mulf %polynomial19, %power19 : f32
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
        %polynomial20_1 = math.fma %coefficient0, %square20, %coefficient1 : f32
        %polynomial20_2 = math.fma %polynomial20_1, %square20, %coefficient2 : f32
        %polynomial20 = math.fma %polynomial20_2, %square20, %coefficient3 : f32
        %small20 = arith.mulf %polynomial20, %power20 : f32
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
        %polynomial21_1 = math.fma %coefficient0, %square21, %coefficient1 : f32
        %polynomial21_2 = math.fma %polynomial21_1, %square21, %coefficient2 : f32
        %polynomial21 = math.fma %polynomial21_2, %square21, %coefficient3 : f32
        %small21 = arith.mulf %polynomial21, %power21 : f32
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
        %polynomial22_1 = math.fma %coefficient0, %square22, %coefficient1 : f32
        %polynomial22_2 = math.fma %polynomial22_1, %square22, %coefficient2 : f32
        %polynomial22 = math.fma %polynomial22_2, %square22, %coefficient3 : f32
        %small22 = arith.mulf %polynomial22, %power22 : f32
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
        %polynomial23_1 = math.fma %coefficient0, %square23, %coefficient1 : f32
        %polynomial23_2 = math.fma %polynomial23_1, %square23, %coefficient2 : f32
        %polynomial23 = math.fma %polynomial23_2, %square23, %coefficient3 : f32
        %small23 = arith.mulf %polynomial23, %power23 : f32
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
        %polynomial24_1 = math.fma %coefficient0, %square24, %coefficient1 : f32
        %polynomial24_2 = math.fma %polynomial24_1, %square24, %coefficient2 : f32
        %polynomial24 = math.fma %polynomial24_2, %square24, %coefficient3 : f32
        %small24 = arith.mulf %polynomial24, %power24 : f32
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
        %polynomial25_1 = math.fma %coefficient0, %square25, %coefficient1 : f32
        %polynomial25_2 = math.fma %polynomial25_1, %square25, %coefficient2 : f32
        %polynomial25 = math.fma %polynomial25_2, %square25, %coefficient3 : f32
        %small25 = arith.mulf %polynomial25, %power25 : f32
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
        %polynomial26_1 = math.fma %coefficient0, %square26, %coefficient1 : f32
        %polynomial26_2 = math.fma %polynomial26_1, %square26, %coefficient2 : f32
        %polynomial26 = math.fma %polynomial26_2, %square26, %coefficient3 : f32
        %small26 = arith.mulf %polynomial26, %power26 : f32
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
        %polynomial27_1 = math.fma %coefficient0, %square27, %coefficient1 : f32
        %polynomial27_2 = math.fma %polynomial27_1, %square27, %coefficient2 : f32
        %polynomial27 = math.fma %polynomial27_2, %square27, %coefficient3 : f32
        %small27 = arith.mulf %polynomial27, %power27 : f32
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
        %polynomial28_1 = math.fma %coefficient0, %square28, %coefficient1 : f32
        %polynomial28_2 = math.fma %polynomial28_1, %square28, %coefficient2 : f32
        %polynomial28 = math.fma %polynomial28_2, %square28, %coefficient3 : f32
        %small28 = arith.mulf %polynomial28, %power28 : f32
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
        %polynomial29_1 = math.fma %coefficient0, %square29, %coefficient1 : f32
        %polynomial29_2 = math.fma %polynomial29_1, %square29, %coefficient2 : f32
        %polynomial29 = math.fma %polynomial29_2, %square29, %coefficient3 : f32
        %small29 = arith.mulf %polynomial29, %power29 : f32
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
        %polynomial30_1 = math.fma %coefficient0, %square30, %coefficient1 : f32
        %polynomial30_2 = math.fma %polynomial30_1, %square30, %coefficient2 : f32
        %polynomial30 = math.fma %polynomial30_2, %square30, %coefficient3 : f32
        %small30 = arith.mulf %polynomial30, %power30 : f32
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
        %polynomial31_1 = math.fma %coefficient0, %square31, %coefficient1 : f32
        %polynomial31_2 = math.fma %polynomial31_1, %square31, %coefficient2 : f32
        %polynomial31 = math.fma %polynomial31_2, %square31, %coefficient3 : f32
        %small31 = arith.mulf %polynomial31, %power31 : f32
        %size31 = math.absf %power31 : f32
        %is_small31 = arith.cmpf olt, %size31, %most_small : f32
        %capped31 = arith.select %is_small31, %small31, %large31 : f32
        %capped = vector.from_elements %capped0, %capped1, %capped2, %capped3, %capped4, %capped5, %capped6, %capped7, %capped8, %capped9, %capped10, %capped11, %capped12, %capped13, %capped14, %capped15, %capped16, %capped17, %capped18, %capped19, %capped20, %capped21, %capped22, %capped23, %capped24, %capped25, %capped26, %capped27, %capped28, %capped29, %capped30, %capped31 : !scores_flat
        %scores_ruled_1 = vector.shape_cast %capped : !scores_flat to !scores
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
        %scores_ruled = scf.if %hides_some -> (!scores) {
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]], [[16, 17, 18, 19, 20, 21, 22, 23], [16, 17, 18, 19, 20, 21, 22, 23]]]> : !score_bits
          %last_i32_0_here = llvm.inline_asm has_side_effects "", "=v,0" %last_i32_0
            : (i32) -> i32
          %last_i32_1_here = llvm.inline_asm has_side_effects "", "=v,0" %last_i32_1
            : (i32) -> i32
        %last_rows = vector.from_elements %last_i32_0_here, %last_i32_1_here : !row_bits
        %lasts = vector.broadcast %last_rows : !row_bits to !score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !score_bits
        %scores_hidden = arith.select %is_last_seen, %scores_ruled_1, %hidden
          : !is_seen, !scores
          scf.yield %scores_hidden : !scores
        } else {
          scf.yield %scores_ruled_1 : !scores
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
        %top1_0 = vector.extract %scores_ruled[0, 1] : !row_scores from !scores
        %of_tile1_1 = vector.extract %scores_ruled[1, 1]
          : !row_scores from !scores
        %top1_1 = arith.maxnumf %top1_0, %of_tile1_1
          fastmath<nnan> : !row_scores
        %top1 = vector.extract %top1_1[0] : f32 from !row_scores
        %of_key1_1 = vector.extract %top1_1[1]
          : f32 from !row_scores
        %largest1_1 = arith.maxnumf %top1, %of_key1_1 fastmath<nnan> : f32
        %of_key1_2 = vector.extract %top1_1[2]
          : f32 from !row_scores
        %largest1_2 = arith.maxnumf %largest1_1, %of_key1_2 fastmath<nnan> : f32
        %of_key1_3 = vector.extract %top1_1[3]
          : f32 from !row_scores
        %largest1_3 = arith.maxnumf %largest1_2, %of_key1_3 fastmath<nnan> : f32
        %of_key1_4 = vector.extract %top1_1[4]
          : f32 from !row_scores
        %largest1_4 = arith.maxnumf %largest1_3, %of_key1_4 fastmath<nnan> : f32
        %of_key1_5 = vector.extract %top1_1[5]
          : f32 from !row_scores
        %largest1_5 = arith.maxnumf %largest1_4, %of_key1_5 fastmath<nnan> : f32
        %of_key1_6 = vector.extract %top1_1[6]
          : f32 from !row_scores
        %largest1_6 = arith.maxnumf %largest1_5, %of_key1_6 fastmath<nnan> : f32
        %of_key1_7 = vector.extract %top1_1[7]
          : f32 from !row_scores
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
          scf.if %any_grows -> (f32, f32, f32, f32, f32, f32, !acc) {
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
          %factors = vector.from_elements %factor0, %factor1 : !rows
          %sum_factors = vector.shape_cast %factors : !rows to !sum_factors
          %all_factors = vector.broadcast %sum_factors : !sum_factors to !acc
          %has_sums0 = arith.cmpf une, %sum0, %zero : f32
          %any_sums_here_1 = arith.ori %no, %has_sums0 : i1
          %has_sums1 = arith.cmpf une, %sum1, %zero : f32
          %any_sums_here = arith.ori %any_sums_here_1, %has_sums1 : i1
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
          %limit_less1 = arith.addf %higher1, %margin : f32
        %minus_max_less1_any = arith.negf %higher1 : f32
        %minus_max_less1 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max_less1_any : (f32) -> f32
          scf.yield %limit_less0, %limit_less1, %minus_max_less0, %minus_max_less1, %sum_less0, %sum_less1, %acc_less
            : f32, f32, f32, f32, f32, f32, !acc
        } else {
          scf.yield %limit0, %limit1, %minus_max0, %minus_max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, f32, f32, !acc
        }
        %minus_maxs = vector.from_elements %minus_max_next0, %minus_max_next1 : !rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !rows to !scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %weights_by_key = arith.truncf %exps : !scores to !weights_by_key
        %weights_own = vector.transpose %weights_by_key, [1, 0, 2] : !weights_by_key to !weights_own
        %exps_to0 = vector.extract %exps[0] : !score_tile from !scores
        %exps_of1 = vector.extract %exps[1] : !score_tile from !scores
        %exps_to1 = arith.addf %exps_to0, %exps_of1 : !score_tile
        %row_exps0 = vector.extract %exps_to1[0] : !row_scores from !score_tile
        %sum_next0 =
          vector.reduction <add>, %row_exps0, %sum_brought0 fastmath<reassoc> : !row_scores
          into f32
        %row_exps1 = vector.extract %exps_to1[1] : !row_scores from !score_tile
        %sum_next1 =
          vector.reduction <add>, %row_exps1, %sum_brought1 fastmath<reassoc> : !row_scores
          into f32
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
        %other_bits_8 = vector.insert %bits_there7, %other_bits_7[7] : i32 into !pair_bits
        %own_bits8 = vector.extract %own_bits[8] : i32 from !pair_bits
        %bits_there8, %bits_are_there8 =
          gpu.shuffle xor %own_bits8, %distance1, %wave_size : i32
        %other_bits_9 = vector.insert %bits_there8, %other_bits_8[8] : i32 into !pair_bits
        %own_bits9 = vector.extract %own_bits[9] : i32 from !pair_bits
        %bits_there9, %bits_are_there9 =
          gpu.shuffle xor %own_bits9, %distance1, %wave_size : i32
        %other_bits_10 = vector.insert %bits_there9, %other_bits_9[9] : i32 into !pair_bits
        %own_bits10 = vector.extract %own_bits[10] : i32 from !pair_bits
        %bits_there10, %bits_are_there10 =
          gpu.shuffle xor %own_bits10, %distance1, %wave_size : i32
        %other_bits_11 = vector.insert %bits_there10, %other_bits_10[10] : i32 into !pair_bits
        %own_bits11 = vector.extract %own_bits[11] : i32 from !pair_bits
        %bits_there11, %bits_are_there11 =
          gpu.shuffle xor %own_bits11, %distance1, %wave_size : i32
        %other_bits_12 = vector.insert %bits_there11, %other_bits_11[11] : i32 into !pair_bits
        %own_bits12 = vector.extract %own_bits[12] : i32 from !pair_bits
        %bits_there12, %bits_are_there12 =
          gpu.shuffle xor %own_bits12, %distance1, %wave_size : i32
        %other_bits_13 = vector.insert %bits_there12, %other_bits_12[12] : i32 into !pair_bits
        %own_bits13 = vector.extract %own_bits[13] : i32 from !pair_bits
        %bits_there13, %bits_are_there13 =
          gpu.shuffle xor %own_bits13, %distance1, %wave_size : i32
        %other_bits_14 = vector.insert %bits_there13, %other_bits_13[13] : i32 into !pair_bits
        %own_bits14 = vector.extract %own_bits[14] : i32 from !pair_bits
        %bits_there14, %bits_are_there14 =
          gpu.shuffle xor %own_bits14, %distance1, %wave_size : i32
        %other_bits_15 = vector.insert %bits_there14, %other_bits_14[14] : i32 into !pair_bits
        %own_bits15 = vector.extract %own_bits[15] : i32 from !pair_bits
        %bits_there15, %bits_are_there15 =
          gpu.shuffle xor %own_bits15, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there15, %other_bits_15[15] : i32 into !pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] : !pair_bits, !pair_bits
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
          scf.yield %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next
            : f32, f32, f32, f32, f32, f32, !acc
        } else {
          scf.yield %limit0, %limit1, %minus_max0, %minus_max1, %sum0, %sum1, %acc
            : f32, f32, f32, f32, f32, f32, !acc
        }
        scf.yield %limit_next0, %limit_next1, %minus_max_next0, %minus_max_next1, %sum_next0, %sum_next1, %acc_next,
            %keys_next, %values_next
          : f32, f32, f32, f32, f32, f32, !acc, !keys, !values
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
      %is_query0 = arith.cmpi slt, %row_of_head0, %q_len : index
      %sum_row0 = arith.select %is_query0, %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %max_row0 = arith.select %is_query0, %max0_2, %lowest : f32
      %sink_unit0 = arith.constant 1.4426950408889634 : f32
      %sink_logit0 = arith.mulf %sink, %sink_unit0 : f32
      %max_with_sink0 = arith.maxnumf %max_row0, %sink_logit0 : f32
      %max_below0 = arith.subf %max_row0, %max_with_sink0 : f32
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
      %output_f32_1 = vector.insert %means_flat0, %no_rows[0] : !output_f32 into !rows_f32
      %log0 = math.log %sum_with_sink0 : f32
      %natural0 = arith.constant 0.6931471805599453 : f32
      %max_natural0 = arith.mulf %max_with_sink0, %natural0 : f32
      %lse0 = arith.addf %max_natural0, %log0 : f32
      %max1_2 = arith.negf %minus_max1_2 : f32
        %total_there1_1, %total_is_there1_1 =
          gpu.shuffle xor %sum1_2, %distance1, %wave_size : f32
        %total1 = arith.addf %sum1_2, %total_there1_1 : f32
      %is_query1 = arith.cmpi slt, %row_of_head1, %q_len : index
      %sum_row1 = arith.select %is_query1, %total1, %zero : f32
      %is_empty1 = arith.cmpf oeq, %sum_row1, %zero : f32
      %max_row1 = arith.select %is_query1, %max1_2, %lowest : f32
      %sink_unit1 = arith.constant 1.4426950408889634 : f32
      %sink_logit1 = arith.mulf %sink, %sink_unit1 : f32
      %max_with_sink1 = arith.maxnumf %max_row1, %sink_logit1 : f32
      %max_below1 = arith.subf %max_row1, %max_with_sink1 : f32
        %sink_factor1 = math.exp2 %max_below1 : f32
      %sink_below1 = arith.subf %sink_logit1, %max_with_sink1 : f32
        %sink_exp1 = math.exp2 %sink_below1 : f32
      %sum_shrunk1 = arith.mulf %sum_row1, %sink_factor1 : f32
      %sum_with_sink1 = arith.addf %sum_shrunk1, %sink_exp1 : f32
      %sums_of_row1 = vector.extract %acc_by_row[1] : !acc_row from !acc_by_row
      %sums_real1 = scf.if %is_empty1 -> (!acc_row) {
        %nothing1 = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
        %no_sums1 = vector.broadcast %nothing1 : f32 to !acc_row
        scf.yield %no_sums1 : !acc_row
      } else {
        scf.yield %sums_of_row1 : !acc_row
      }
      %inverse_any1 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%sum_with_sink1) : (f32) -> f32
      %inverse_of_sink1 = arith.mulf %sink_factor1, %inverse_any1 : f32
      %inverse1 = arith.select %is_empty1, %zero, %inverse_of_sink1 : f32
      %inverses1 = vector.broadcast %inverse1 : f32 to !acc_row
      %means1 = arith.mulf %sums_real1, %inverses1 : !acc_row
      %means_flat1 = vector.shape_cast %means1 : !acc_row to !output_f32
      %output_f32 = vector.insert %means_flat1, %output_f32_1[1] : !output_f32 into !rows_f32
      %log1 = math.log %sum_with_sink1 : f32
      %natural1 = arith.constant 0.6931471805599453 : f32
      %max_natural1 = arith.mulf %max_with_sink1, %natural1 : f32
      %lse1 = arith.addf %max_natural1, %log1 : f32
      %output = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %lse = vector.from_elements %lse0, %lse1 : !lse_rows
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [%own_rows, 32]
        [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [false, true]}
          : !output_rows, tensor<?x32xf16>
      %old_rows1 = tensor.extract_slice %tile1[%first_row] [%own_rows]
        [1] : tensor<?xf32> to tensor<?xf32>
        %new_rows1 = vector.transfer_write %lse, %old_rows1
          [%none]
          {in_bounds = [false]}
          : !lse_rows, tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : tensor<?x32xf16> into tensor<?x64xf16>
        tensor.parallel_insert_slice %new_rows1 into %tile1[%first_row]
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
  return %output, %lse
    : !output, !lse
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %q_lens: !q_lens,
    %context_lens: !context_lens,
    %sinks: !sinks
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @attention(%query, %key, %value, %q_lens, %context_lens, %sinks)
    : (!query, !key, !value, !q_lens, !context_lens, !sinks) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
