// Attention as one kernel of lanes.
!query = tensor<1x2x600x64xf16>
!key = tensor<1x2x600x64xf16>
!value = tensor<1x2x600x64xf16>
!output = tensor<1x2x600x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1200x64xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1200x64xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1200x64xf16>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1200x64xf16>>
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
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1200, 64], strides = [1, 1]
      : !query_rows_in -> tensor<1200x64xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [1200, 64], strides = [1, 1]
      : !key_rows_in -> tensor<1200x64xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [1200, 64], strides = [1, 1]
      : !value_rows_in -> tensor<1200x64xf16>
    %output_rows_empty = tensor.empty() : tensor<1200x64xf16>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %rows_of_head = arith.constant 600 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 600 : index
    %q_len = arith.constant 600 : index
    %context_len = arith.constant 600 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 128 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<1200x64xf16>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 1 + x floordiv 2)>(%head_number)
    // The tiles with most keys begin first.
    // Those of the second round come in reverse order: the first of it begins beside the last of the first.
    %second_begins = arith.constant 3 : index
    %second_ends = arith.constant 5 : index
    %is_not_first = arith.cmpi sge, %i, %second_begins : index
    %is_not_later = arith.cmpi slt, %i, %second_ends : index
    %is_second = arith.andi %is_not_first, %is_not_later : i1
    %reversed = affine.apply affine_map<(i) -> (7 - i)>(%i)
    %number_by_keys = arith.select %is_second, %reversed, %i : index
    %tile = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%number_by_keys)[%tiles]
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %kv_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %kv_head)
    %key_base = arith.muli %kv_head_of_all, %keys_of_head : index
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
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<?x64xf16>) {
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
        %no_element {in_bounds = [true]} : tensor<1200x64xf16>, !head_chunk
      %row1 = affine.min affine_map<(r, n) -> (r + 1, n)>(%first_row, %row_last)
      %row_of_head1 = arith.addi %row_0, %row1 : index
      %row_real1 = arith.minsi %row_of_head1, %last_row : index
      %query_row1 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real1)
      %column1_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk1_0 = vector.transfer_read
        %query_rows[%query_row1, %column1_0],
        %no_element {in_bounds = [true]} : tensor<1200x64xf16>, !head_chunk
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
      %unit = arith.constant 0.18033688011112042 : f32
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
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
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
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
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
        %scores_ruled_1 = vector.insert %score_tile0, %no_scores[0]
          : !score_tile into !scores
        %score_tile1 = vector.shape_cast %score_sums1_1
          : !sums to !score_tile
        %scores_ruled = vector.insert %score_tile1, %scores_ruled_1[1]
          : !score_tile into !scores
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
        %sum_to_pair3 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
        %even4 = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd4 = vector.extract %exps[1, 0, 1] : f32 from !scores
        %pair4 = rocdl.cvt.pkrtz %even4, %odd4 : !pair
        %sum_to_pair4 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4, %ones, %sum_to_pair3, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !pair into !pairs
        %even5 = vector.extract %exps[1, 0, 2] : f32 from !scores
        %odd5 = vector.extract %exps[1, 0, 3] : f32 from !scores
        %pair5 = rocdl.cvt.pkrtz %even5, %odd5 : !pair
        %sum_to_pair5 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5, %ones, %sum_to_pair4, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !pair into !pairs
        %even6 = vector.extract %exps[1, 0, 4] : f32 from !scores
        %odd6 = vector.extract %exps[1, 0, 5] : f32 from !scores
        %pair6 = rocdl.cvt.pkrtz %even6, %odd6 : !pair
        %sum_to_pair6 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6, %ones, %sum_to_pair5, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !pair into !pairs
        %even7 = vector.extract %exps[1, 0, 6] : f32 from !scores
        %odd7 = vector.extract %exps[1, 0, 7] : f32 from !scores
        %pair7 = rocdl.cvt.pkrtz %even7, %odd7 : !pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7, %ones, %sum_to_pair6, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !pair into !pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !scores
        %pair8 = rocdl.cvt.pkrtz %even8, %odd8 : !pair
        %sum_to_pair8 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair8, %ones, %sum_brought1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !pair into !pairs
        %even9 = vector.extract %exps[0, 1, 2] : f32 from !scores
        %odd9 = vector.extract %exps[0, 1, 3] : f32 from !scores
        %pair9 = rocdl.cvt.pkrtz %even9, %odd9 : !pair
        %sum_to_pair9 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair9, %ones, %sum_to_pair8, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !pair into !pairs
        %even10 = vector.extract %exps[0, 1, 4] : f32 from !scores
        %odd10 = vector.extract %exps[0, 1, 5] : f32 from !scores
        %pair10 = rocdl.cvt.pkrtz %even10, %odd10 : !pair
        %sum_to_pair10 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair10, %ones, %sum_to_pair9, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !pair into !pairs
        %even11 = vector.extract %exps[0, 1, 6] : f32 from !scores
        %odd11 = vector.extract %exps[0, 1, 7] : f32 from !scores
        %pair11 = rocdl.cvt.pkrtz %even11, %odd11 : !pair
        %sum_to_pair11 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair11, %ones, %sum_to_pair10, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !pair into !pairs
        %even12 = vector.extract %exps[1, 1, 0] : f32 from !scores
        %odd12 = vector.extract %exps[1, 1, 1] : f32 from !scores
        %pair12 = rocdl.cvt.pkrtz %even12, %odd12 : !pair
        %sum_to_pair12 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair12, %ones, %sum_to_pair11, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !pair into !pairs
        %even13 = vector.extract %exps[1, 1, 2] : f32 from !scores
        %odd13 = vector.extract %exps[1, 1, 3] : f32 from !scores
        %pair13 = rocdl.cvt.pkrtz %even13, %odd13 : !pair
        %sum_to_pair13 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair13, %ones, %sum_to_pair12, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !pair into !pairs
        %even14 = vector.extract %exps[1, 1, 4] : f32 from !scores
        %odd14 = vector.extract %exps[1, 1, 5] : f32 from !scores
        %pair14 = rocdl.cvt.pkrtz %even14, %odd14 : !pair
        %sum_to_pair14 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair14, %ones, %sum_to_pair13, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !pair into !pairs
        %even15 = vector.extract %exps[1, 1, 6] : f32 from !scores
        %odd15 = vector.extract %exps[1, 1, 7] : f32 from !scores
        %pair15 = rocdl.cvt.pkrtz %even15, %odd15 : !pair
        %sum_next1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair15, %ones, %sum_to_pair14, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs = vector.insert %pair15, %pairs_15[15] : !pair into !pairs
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
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_read1 = vector.transfer_read
          %key_rows[%row_k1, %key_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %keys_next = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_column = affine.apply #value_column(%lane)
        %value_read0 = vector.transfer_read
          %value_rows[%row_v0, %value_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_read1 = vector.transfer_read
          %value_rows[%row_v1, %value_column], %no_element
          {in_bounds = [true]} : tensor<1200x64xf16>, !access
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
        %scores_hidden = arith.select %is_last_seen, %scores, %hidden
          : !is_seen, !scores
          scf.yield %scores_hidden : !scores
        } else {
          scf.yield %scores : !scores
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
        %sum_to_pair3 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_4 = vector.insert %pair3, %pairs_3[3] : !pair into !pairs
        %even4 = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd4 = vector.extract %exps[1, 0, 1] : f32 from !scores
        %pair4 = rocdl.cvt.pkrtz %even4, %odd4 : !pair
        %sum_to_pair4 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair4, %ones, %sum_to_pair3, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_5 = vector.insert %pair4, %pairs_4[4] : !pair into !pairs
        %even5 = vector.extract %exps[1, 0, 2] : f32 from !scores
        %odd5 = vector.extract %exps[1, 0, 3] : f32 from !scores
        %pair5 = rocdl.cvt.pkrtz %even5, %odd5 : !pair
        %sum_to_pair5 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair5, %ones, %sum_to_pair4, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_6 = vector.insert %pair5, %pairs_5[5] : !pair into !pairs
        %even6 = vector.extract %exps[1, 0, 4] : f32 from !scores
        %odd6 = vector.extract %exps[1, 0, 5] : f32 from !scores
        %pair6 = rocdl.cvt.pkrtz %even6, %odd6 : !pair
        %sum_to_pair6 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair6, %ones, %sum_to_pair5, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_7 = vector.insert %pair6, %pairs_6[6] : !pair into !pairs
        %even7 = vector.extract %exps[1, 0, 6] : f32 from !scores
        %odd7 = vector.extract %exps[1, 0, 7] : f32 from !scores
        %pair7 = rocdl.cvt.pkrtz %even7, %odd7 : !pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair7, %ones, %sum_to_pair6, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_8 = vector.insert %pair7, %pairs_7[7] : !pair into !pairs
        %even8 = vector.extract %exps[0, 1, 0] : f32 from !scores
        %odd8 = vector.extract %exps[0, 1, 1] : f32 from !scores
        %pair8 = rocdl.cvt.pkrtz %even8, %odd8 : !pair
        %sum_to_pair8 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair8, %ones, %sum_brought1, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_9 = vector.insert %pair8, %pairs_8[8] : !pair into !pairs
        %even9 = vector.extract %exps[0, 1, 2] : f32 from !scores
        %odd9 = vector.extract %exps[0, 1, 3] : f32 from !scores
        %pair9 = rocdl.cvt.pkrtz %even9, %odd9 : !pair
        %sum_to_pair9 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair9, %ones, %sum_to_pair8, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_10 = vector.insert %pair9, %pairs_9[9] : !pair into !pairs
        %even10 = vector.extract %exps[0, 1, 4] : f32 from !scores
        %odd10 = vector.extract %exps[0, 1, 5] : f32 from !scores
        %pair10 = rocdl.cvt.pkrtz %even10, %odd10 : !pair
        %sum_to_pair10 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair10, %ones, %sum_to_pair9, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_11 = vector.insert %pair10, %pairs_10[10] : !pair into !pairs
        %even11 = vector.extract %exps[0, 1, 6] : f32 from !scores
        %odd11 = vector.extract %exps[0, 1, 7] : f32 from !scores
        %pair11 = rocdl.cvt.pkrtz %even11, %odd11 : !pair
        %sum_to_pair11 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair11, %ones, %sum_to_pair10, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_12 = vector.insert %pair11, %pairs_11[11] : !pair into !pairs
        %even12 = vector.extract %exps[1, 1, 0] : f32 from !scores
        %odd12 = vector.extract %exps[1, 1, 1] : f32 from !scores
        %pair12 = rocdl.cvt.pkrtz %even12, %odd12 : !pair
        %sum_to_pair12 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair12, %ones, %sum_to_pair11, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_13 = vector.insert %pair12, %pairs_12[12] : !pair into !pairs
        %even13 = vector.extract %exps[1, 1, 2] : f32 from !scores
        %odd13 = vector.extract %exps[1, 1, 3] : f32 from !scores
        %pair13 = rocdl.cvt.pkrtz %even13, %odd13 : !pair
        %sum_to_pair13 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair13, %ones, %sum_to_pair12, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_14 = vector.insert %pair13, %pairs_13[13] : !pair into !pairs
        %even14 = vector.extract %exps[1, 1, 4] : f32 from !scores
        %odd14 = vector.extract %exps[1, 1, 5] : f32 from !scores
        %pair14 = rocdl.cvt.pkrtz %even14, %odd14 : !pair
        %sum_to_pair14 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair14, %ones, %sum_to_pair13, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_15 = vector.insert %pair14, %pairs_14[14] : !pair into !pairs
        %even15 = vector.extract %exps[1, 1, 6] : f32 from !scores
        %odd15 = vector.extract %exps[1, 1, 7] : f32 from !scores
        %pair15 = rocdl.cvt.pkrtz %even15, %odd15 : !pair
        %sum_next1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair15, %ones, %sum_to_pair14, %keeps)
          : (!pair, !pair, f32, i1) -> f32
        %pairs = vector.insert %pair15, %pairs_15[15] : !pair into !pairs
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
      %max0_2 = arith.negf %minus_max0_2 : f32
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0 = arith.addf %sum0_2, %total_there0_1 : f32
      %sum_row0 = arith.addf %total0, %zero : f32
      %is_empty0 = arith.cmpf oeq, %sum_row0, %zero : f32
      %sums_of_row0 = vector.extract %acc_by_row[0] : !acc_row from !acc_by_row
      %sums_real0 = scf.if %is_empty0 -> (!acc_row) {
        %nothing0 = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
        %no_sums0 = vector.broadcast %nothing0 : f32 to !acc_row
        scf.yield %no_sums0 : !acc_row
      } else {
        scf.yield %sums_of_row0 : !acc_row
      }
      %inverse_any0 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%sum_row0) : (f32) -> f32
      %inverse0 = arith.select %is_empty0, %zero, %inverse_any0 : f32
      %inverses0 = vector.broadcast %inverse0 : f32 to !acc_row
      %means0 = arith.mulf %sums_real0, %inverses0 : !acc_row
      %means_flat0 = vector.shape_cast %means0 : !acc_row to !output_f32
      %output_f32_1 = vector.insert %means_flat0, %no_rows[0] : !output_f32 into !rows_f32
      %max1_2 = arith.negf %minus_max1_2 : f32
        %total_there1_1, %total_is_there1_1 =
          gpu.shuffle xor %sum1_2, %distance1, %wave_size : f32
        %total1 = arith.addf %sum1_2, %total_there1_1 : f32
      %sum_row1 = arith.addf %total1, %zero : f32
      %is_empty1 = arith.cmpf oeq, %sum_row1, %zero : f32
      %sums_of_row1 = vector.extract %acc_by_row[1] : !acc_row from !acc_by_row
      %sums_real1 = scf.if %is_empty1 -> (!acc_row) {
        %nothing1 = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
        %no_sums1 = vector.broadcast %nothing1 : f32 to !acc_row
        scf.yield %no_sums1 : !acc_row
      } else {
        scf.yield %sums_of_row1 : !acc_row
      }
      %inverse_any1 = llvm.call_intrinsic "llvm.amdgcn.rcp"(%sum_row1) : (f32) -> f32
      %inverse1 = arith.select %is_empty1, %zero, %inverse_any1 : f32
      %inverses1 = vector.broadcast %inverse1 : f32 to !acc_row
      %means1 = arith.mulf %sums_real1, %inverses1 : !acc_row
      %means_flat1 = vector.shape_cast %means1 : !acc_row to !output_f32
      %output_f32 = vector.insert %means_flat1, %output_f32_1[1] : !output_f32 into !rows_f32
      %output = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %rows_left_here = affine.min affine_map<(n, r)
        -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [%own_rows, 32]
        [1, 1] : tensor<?x64xf16> to tensor<?x32xf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [false, true]}
          : !output_rows, tensor<?x32xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [%own_rows, 32] [1, 1] : tensor<?x32xf16> into tensor<?x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %none]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<1200x64xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [1200, 64], strides = [1, 1]
      : tensor<1200x64xf16> -> !output_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x2x600x64xf16> into tensor<1200x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x600x64xf16> into tensor<1200x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x600x64xf16> into tensor<1200x64xf16>
  %made = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows
    ) : (
      tensor<1200x64xf16>,
      tensor<1200x64xf16>,
      tensor<1200x64xf16>
    ) -> tensor<1200x64xf16>
  %output = tensor.expand_shape %made [[0, 1, 2], [3]]
    output_shape [1, 2, 600, 64] : tensor<1200x64xf16> into tensor<1x2x600x64xf16>
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
