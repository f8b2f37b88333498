// Attention as one kernel of lanes.
!query = tensor<1x8x128x128xbf16>
!key = tensor<1x2x128x128xbf16>
!value = tensor<1x2x128x128xbf16>
!bias = tensor<1x8x128x128xbf16>
!output = tensor<1x8x128x128xbf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x128xbf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x128xbf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x128xbf16>>
!bias_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<131072xbf16>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024x128xbf16>>
!head_chunk = vector<128xbf16>
!query_columns = vector<8x1x16xbf16>
!queries = vector<1x1x8x1x16xbf16>
!queries_turned = vector<1x8x1x1x16xbf16>
!query_operand = vector<1x8x1x16xbf16>
!key_operand = vector<1x8x1x16xbf16>
!value_keys = vector<32xbf16>
!value_operand = vector<1x2x1x16xbf16>
!weight_parts = vector<1x1x2x1x16xbf16>
!weight_parts_turned = vector<1x2x1x1x16xbf16>
!weights_operand = vector<1x2x1x16xbf16>
!row_scores = vector<8xf32>
!bias_piece = vector<8xbf16>
!bias_scores = vector<2x1x8xbf16>
!score_tile = vector<1x8xf32>
!scores = vector<2x1x8xf32>
!scores_flat = vector<16xf32>
!score_bits = vector<2x1x8xi32>
!is_seen = vector<2x1x8xi1>
!weight_bits = vector<2x1x8xi16>
!weights_by_key = vector<2x1x8xbf16>
!weights_own = vector<1x2x8xbf16>
!weights_flat = vector<16xbf16>
!pair = vector<2xbf16>
!pairs = vector<8x2xbf16>
!pair_bits = vector<8xi32>
!all_bits = vector<16xi32>
!all_weights = vector<32xbf16>
!sums = vector<1x1x1x8xf32>
!sum_factors = vector<1x1x1x1xf32>
!acc = vector<8x1x1x1x8xf32>
!acc_by_column = vector<8x1x8xf32>
!acc_by_row = vector<1x8x8xf32>
!acc_row = vector<8x8xf32>
!rows = vector<1x1xf32>
!row_bits = vector<1x1xi32>
!output_f32 = vector<64xf32>
!rows_f32 = vector<1x64xf32>
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
!output_rows = vector<1x64xbf16>
!lse_rows = vector<1xf32>
!access = vector<8xbf16>
!keys = vector<4x8xbf16>
!values = vector<4x8xbf16>
!column = vector<4xbf16>
!value_piece = vector<32xbf16>
!value_pieces = vector<1x32xbf16>
!columns = vector<8x4xbf16>
!key_lds = memref<32x136xbf16, #gpu.address_space<workgroup>>
!value_lds =
  memref<128x40xbf16, #gpu.address_space<workgroup>>
// What lane l fetches of the step that begins at key t: keys, and neighbouring keys' values, all from one
// column on.
#key_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 16 * 1 + 0)>
#key_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 16 * 1 + 8)>
#key_of_step2 = affine_map<(t, l)
  -> (t + l floordiv 16 * 1 + 16)>
#key_of_step3 = affine_map<(t, l)
  -> (t + l floordiv 16 * 1 + 24)>
#key_column = affine_map<(l) -> (l mod 16 * 8)>
#value_of_step0 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 8 * 4 + 0)>
#value_of_step1 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 8 * 4 + 1)>
#value_of_step2 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 8 * 4 + 2)>
#value_of_step3 = affine_map<(t, l)
  -> (t + l floordiv 1 mod 8 * 4 + 3)>
// The LDS column of the lane's first key of a step's: pieces of keys, of one group after the other.
#value_lds_column = affine_map<(l) -> (l floordiv 1 mod 8 * 4)>
#value_column = affine_map<(l)
  -> ((l floordiv 8 * 1 + l mod 1)
      * 8)>
// The LDS row of key, or value column, n: neighbours are a lane's own of one tile, then those of other groups
// or tiles, so that lanes read one row after the other.
#key_lds_row = affine_map<(n) -> (n floordiv 16 * 16
  + n floordiv 8 mod 2 * 1 + n mod 8 * 2)>
#value_lds_row0 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 0) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 0) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 0) mod 8 * 2)>
#value_lds_row1 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 1) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 1) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 1) mod 8 * 2)>
#value_lds_row2 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 2) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 2) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 2) mod 8 * 2)>
#value_lds_row3 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 3) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 3) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 3) mod 8 * 2)>
#value_lds_row4 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 4) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 4) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 4) mod 8 * 2)>
#value_lds_row5 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 5) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 5) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 5) mod 8 * 2)>
#value_lds_row6 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 6) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 6) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 6) mod 8 * 2)>
#value_lds_row7 = affine_map<(l)
  -> (((l floordiv 8 * 1 + l mod 1) * 8
  + 7) mod 64 floordiv 8 * 16
    + ((l floordiv 8 * 1 + l mod 1) * 8
  + 7) floordiv 64 mod 2 * 1
    + ((l floordiv 8 * 1 + l mod 1) * 8
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
      %bias_rows_in: !bias_rows_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1024, 128], strides = [1, 1]
      : !query_rows_in -> tensor<1024x128xbf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [256, 128], strides = [1, 1]
      : !key_rows_in -> tensor<256x128xbf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [256, 128], strides = [1, 1]
      : !value_rows_in -> tensor<256x128xbf16>
    %bias_rows = iree_tensor_ext.dispatch.tensor.load %bias_rows_in,
      offsets = [0], sizes = [131072], strides = [1]
      : !bias_rows_in -> tensor<131072xbf16>
    %output_rows_empty = tensor.empty() : tensor<1024x128xbf16>
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
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<1024x128xbf16>) {
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
    %keys_flat = tensor.collapse_shape %key_rows [[0, 1]]
      : tensor<256x128xbf16> into tensor<32768xbf16>
    %values_flat = tensor.collapse_shape %value_rows [[0, 1]]
      : tensor<256x128xbf16> into tensor<32768xbf16>
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : bf16
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !key_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !value_lds
    %tile_empty0 = tensor.empty()
      : tensor<64x128xbf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #lanes} ins(%no_element : bf16)
      outs(%tile_empty0 : tensor<64x128xbf16>) -> tensor<64x128xbf16>
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 32 * 32, e floordiv 32 *
      32)>(%end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %begin : index
    %output_tile =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<64x128xbf16>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 16 + i * 1)>(%wave, %index)
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
        %no_element {in_bounds = [true]} : tensor<1024x128xbf16>, !head_chunk
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
      %unit = arith.constant 1.0 : f32
      %units = vector.broadcast %unit : f32 to !scores
      %log2e = arith.constant 1.4426950408889634 : f32
      %all_log2e = vector.broadcast %log2e : f32 to !scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !scores
      %score_sums0_0 = arith.constant dense<0.0> : !sums
      %score_sums1_0 = arith.constant dense<0.0> : !sums
      %limit0_0 = arith.constant -3.40282347E+38 : f32
      %minus_max0_0 = arith.constant 3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %first_bias0_0 = arith.constant 0 : index
      %first_bias0_1 = affine.apply
        affine_map<(n, i)[]
        -> (n + i * 16384)>(
          %first_bias0_0, %x)
        []
      %first_bias0_2 = affine.apply
        affine_map<(n, i)[]
        -> (n + i * 128)>(
          %first_bias0_1, %row_real0)
        []
      %first_bias0 = affine.apply
        affine_map<(n) -> (n)>(%first_bias0_2)
      %t_last = affine.apply affine_map<(n)
        -> (n floordiv 32 * 32)>(%last_key)
      %key_row_of_lane = affine.apply #key_of_step0(%none, %lane)
      %key_column_of_lane = affine.apply #key_column(%lane)
      %key_place_any = affine.apply affine_map<(r, c)
        -> (r * 1 * 128 + c)>(
          %key_row_of_lane, %key_column_of_lane)
      %key_place_i32 = arith.index_cast %key_place_any : index to i32
      %key_place_kept = llvm.inline_asm has_side_effects "", "=v,0" %key_place_i32
        : (i32) -> i32
      %key_place = arith.index_cast %key_place_kept : i32 to index
      %value_row_of_lane = affine.apply #value_of_step0(%none, %lane)
      %value_column_of_lane = affine.apply #value_column(%lane)
      %value_place_any = affine.apply affine_map<(r, c)
        -> (r * 1 * 128 + c)>(
          %value_row_of_lane, %value_column_of_lane)
      %value_place_i32 = arith.index_cast %value_place_any : index to i32
      %value_place_kept = llvm.inline_asm has_side_effects "", "=v,0" %value_place_i32
        : (i32) -> i32
      %value_place = arith.index_cast %value_place_kept : i32 to index
      %keys_0, %values_0 = scf.execute_region -> (!keys, !values) {
        %t_next = arith.minsi %begin, %t_last : index

        %no_keys = arith.constant dense<0.0> : !keys
        %key_at0 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 0) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read0 = vector.transfer_read %keys_flat[%key_at0], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_at1 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 8) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read1 = vector.transfer_read %keys_flat[%key_at1], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_2 = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %key_at2 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 16) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read2 = vector.transfer_read %keys_flat[%key_at2], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_3 = vector.insert %key_read2, %keys_next_2[2] : !access into !keys
        %key_at3 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 24) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read3 = vector.transfer_read %keys_flat[%key_at3], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next = vector.insert %key_read3, %keys_next_3[3] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_at0 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 0) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read0 = vector.transfer_read %values_flat[%value_at0], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_at1 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 1) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read1 = vector.transfer_read %values_flat[%value_at1], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_2 = vector.insert %value_read1, %values_next_1[1] : !access into !values
        %value_at2 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 2) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read2 = vector.transfer_read %values_flat[%value_at2], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_3 = vector.insert %value_read2, %values_next_2[2] : !access into !values
        %value_at3 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 3) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read3 = vector.transfer_read %values_flat[%value_at3], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next = vector.insert %value_read3, %values_next_3[3] : !access into !values
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
        %key_of_lane2 = affine.apply #key_of_step2(%none, %lane)
        %key_lds_row2 = affine.apply #key_lds_row(%key_of_lane2)
        %key2 = vector.extract %keys_here[2] : !access from !keys
        "vector.store"(%key2, %key_lds, %key_lds_row2, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %key_of_lane3 = affine.apply #key_of_step3(%none, %lane)
        %key_lds_row3 = affine.apply #key_lds_row(%key_of_lane3)
        %key3 = vector.extract %keys_here[3] : !access from !keys
        "vector.store"(%key3, %key_lds, %key_lds_row3, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %columns = vector.transpose %values_here, [1, 0]
          : !values to !columns
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]

        %no_keys = arith.constant dense<0.0> : !keys
        %key_at0 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 0) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read0 = vector.transfer_read %keys_flat[%key_at0], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_at1 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 8) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read1 = vector.transfer_read %keys_flat[%key_at1], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_2 = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %key_at2 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 16) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read2 = vector.transfer_read %keys_flat[%key_at2], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_3 = vector.insert %key_read2, %keys_next_2[2] : !access into !keys
        %key_at3 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 24) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read3 = vector.transfer_read %keys_flat[%key_at3], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next = vector.insert %key_read3, %keys_next_3[3] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_at0 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 0) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read0 = vector.transfer_read %values_flat[%value_at0], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_at1 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 1) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read1 = vector.transfer_read %values_flat[%value_at1], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_2 = vector.insert %value_read1, %values_next_1[1] : !access into !values
        %value_at2 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 2) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read2 = vector.transfer_read %values_flat[%value_at2], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_3 = vector.insert %value_read2, %values_next_2[2] : !access into !values
        %value_at3 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 3) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read3 = vector.transfer_read %values_flat[%value_at3], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next = vector.insert %value_read3, %values_next_3[3] : !access into !values
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
        %no_bias = arith.constant dense<0.0> : !bias_scores
        %key_bias0 = affine.apply affine_map<(g, t) -> (g + t + 0)>(%key_of_group, %t0)
        %place_bias0 = arith.addi %first_bias0, %key_bias0 : index
        %nothing_bias0 = arith.constant 0.0 : bf16
        %piece_bias0 = vector.transfer_read %bias_rows[%place_bias0], %nothing_bias0
          {in_bounds = [true]} : tensor<131072xbf16>, !bias_piece
        %bias_scores_1 = vector.insert %piece_bias0, %no_bias[0, 0]
          : !bias_piece into !bias_scores
        %key_bias1 = affine.apply affine_map<(g, t) -> (g + t + 16)>(%key_of_group, %t0)
        %place_bias1 = arith.addi %first_bias0, %key_bias1 : index
        %nothing_bias1 = arith.constant 0.0 : bf16
        %piece_bias1 = vector.transfer_read %bias_rows[%place_bias1], %nothing_bias1
          {in_bounds = [true]} : tensor<131072xbf16>, !bias_piece
        %bias_scores = vector.insert %piece_bias1, %bias_scores_1[1, 0]
          : !bias_piece into !bias_scores
        %bias_f32 = arith.extf %bias_scores : !bias_scores to !scores
        %score_unit = arith.constant dense<0.08838834764831845> : !scores
        %scores_ruled = math.fma %scores, %score_unit, %bias_f32 : !scores
        %bias_hides = arith.cmpf oeq, %bias_f32, %hidden : !scores
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
        %below0_in_base_2 = arith.mulf %below0, %log2e : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0_in_base_2) : (f32) -> f32
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
        %logits_above = arith.addf %scores_ruled, %all_minus_maxs : !scores
        %logits = arith.mulf %logits_above, %all_log2e : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps_any = arith.constant false
        %ones_any = arith.constant dense<1.0> : !pair
        %no_pairs_any = arith.constant dense<0.0> : !pairs
        %even0_any = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0_any = vector.extract %exps[0, 0, 1] : f32 from !scores
        %even_bits0_any = arith.bitcast %even0_any : f32 to i32
        %odd_bits0_any = arith.bitcast %odd0_any : f32 to i32
        %upper_halves0_any = arith.constant 0x07060302 : i32
        %pair_bits0_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits0_any, %even_bits0_any, %upper_halves0_any)
          : (i32, i32, i32) -> i32
        %pair0_any = llvm.bitcast %pair_bits0_any : i32 to !pair
        %sum_to_pair0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair0_any, %ones_any, %sum_brought0, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_1 = vector.insert %pair0_any, %no_pairs_any[0] : !pair into !pairs
        %even1_any = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1_any = vector.extract %exps[0, 0, 3] : f32 from !scores
        %even_bits1_any = arith.bitcast %even1_any : f32 to i32
        %odd_bits1_any = arith.bitcast %odd1_any : f32 to i32
        %upper_halves1_any = arith.constant 0x07060302 : i32
        %pair_bits1_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits1_any, %even_bits1_any, %upper_halves1_any)
          : (i32, i32, i32) -> i32
        %pair1_any = llvm.bitcast %pair_bits1_any : i32 to !pair
        %sum_to_pair1_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair1_any, %ones_any, %sum_to_pair0_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_2 = vector.insert %pair1_any, %pairs_any_1[1] : !pair into !pairs
        %even2_any = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2_any = vector.extract %exps[0, 0, 5] : f32 from !scores
        %even_bits2_any = arith.bitcast %even2_any : f32 to i32
        %odd_bits2_any = arith.bitcast %odd2_any : f32 to i32
        %upper_halves2_any = arith.constant 0x07060302 : i32
        %pair_bits2_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits2_any, %even_bits2_any, %upper_halves2_any)
          : (i32, i32, i32) -> i32
        %pair2_any = llvm.bitcast %pair_bits2_any : i32 to !pair
        %sum_to_pair2_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair2_any, %ones_any, %sum_to_pair1_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_3 = vector.insert %pair2_any, %pairs_any_2[2] : !pair into !pairs
        %even3_any = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3_any = vector.extract %exps[0, 0, 7] : f32 from !scores
        %even_bits3_any = arith.bitcast %even3_any : f32 to i32
        %odd_bits3_any = arith.bitcast %odd3_any : f32 to i32
        %upper_halves3_any = arith.constant 0x07060302 : i32
        %pair_bits3_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits3_any, %even_bits3_any, %upper_halves3_any)
          : (i32, i32, i32) -> i32
        %pair3_any = llvm.bitcast %pair_bits3_any : i32 to !pair
        %sum_to_pair3_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair3_any, %ones_any, %sum_to_pair2_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_4 = vector.insert %pair3_any, %pairs_any_3[3] : !pair into !pairs
        %even4_any = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd4_any = vector.extract %exps[1, 0, 1] : f32 from !scores
        %even_bits4_any = arith.bitcast %even4_any : f32 to i32
        %odd_bits4_any = arith.bitcast %odd4_any : f32 to i32
        %upper_halves4_any = arith.constant 0x07060302 : i32
        %pair_bits4_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits4_any, %even_bits4_any, %upper_halves4_any)
          : (i32, i32, i32) -> i32
        %pair4_any = llvm.bitcast %pair_bits4_any : i32 to !pair
        %sum_to_pair4_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair4_any, %ones_any, %sum_to_pair3_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_5 = vector.insert %pair4_any, %pairs_any_4[4] : !pair into !pairs
        %even5_any = vector.extract %exps[1, 0, 2] : f32 from !scores
        %odd5_any = vector.extract %exps[1, 0, 3] : f32 from !scores
        %even_bits5_any = arith.bitcast %even5_any : f32 to i32
        %odd_bits5_any = arith.bitcast %odd5_any : f32 to i32
        %upper_halves5_any = arith.constant 0x07060302 : i32
        %pair_bits5_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits5_any, %even_bits5_any, %upper_halves5_any)
          : (i32, i32, i32) -> i32
        %pair5_any = llvm.bitcast %pair_bits5_any : i32 to !pair
        %sum_to_pair5_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair5_any, %ones_any, %sum_to_pair4_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_6 = vector.insert %pair5_any, %pairs_any_5[5] : !pair into !pairs
        %even6_any = vector.extract %exps[1, 0, 4] : f32 from !scores
        %odd6_any = vector.extract %exps[1, 0, 5] : f32 from !scores
        %even_bits6_any = arith.bitcast %even6_any : f32 to i32
        %odd_bits6_any = arith.bitcast %odd6_any : f32 to i32
        %upper_halves6_any = arith.constant 0x07060302 : i32
        %pair_bits6_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits6_any, %even_bits6_any, %upper_halves6_any)
          : (i32, i32, i32) -> i32
        %pair6_any = llvm.bitcast %pair_bits6_any : i32 to !pair
        %sum_to_pair6_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair6_any, %ones_any, %sum_to_pair5_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_7 = vector.insert %pair6_any, %pairs_any_6[6] : !pair into !pairs
        %even7_any = vector.extract %exps[1, 0, 6] : f32 from !scores
        %odd7_any = vector.extract %exps[1, 0, 7] : f32 from !scores
        %even_bits7_any = arith.bitcast %even7_any : f32 to i32
        %odd_bits7_any = arith.bitcast %odd7_any : f32 to i32
        %upper_halves7_any = arith.constant 0x07060302 : i32
        %pair_bits7_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits7_any, %even_bits7_any, %upper_halves7_any)
          : (i32, i32, i32) -> i32
        %pair7_any = llvm.bitcast %pair_bits7_any : i32 to !pair
        %sum_next0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair7_any, %ones_any, %sum_to_pair6_any, %keeps_any)
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
        %even_bits0_seen = arith.bitcast %even0_seen : f32 to i32
        %odd_bits0_seen = arith.bitcast %odd0_seen : f32 to i32
        %upper_halves0_seen = arith.constant 0x07060302 : i32
        %pair_bits0_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits0_seen, %even_bits0_seen, %upper_halves0_seen)
          : (i32, i32, i32) -> i32
        %pair0_seen = llvm.bitcast %pair_bits0_seen : i32 to !pair
        %sum_to_pair0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair0_seen, %ones_seen, %sum_brought0, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_1 = vector.insert %pair0_seen, %no_pairs_seen[0] : !pair into !pairs
        %even1_seen = vector.extract %exps_seen[0, 0, 2] : f32 from !scores
        %odd1_seen = vector.extract %exps_seen[0, 0, 3] : f32 from !scores
        %even_bits1_seen = arith.bitcast %even1_seen : f32 to i32
        %odd_bits1_seen = arith.bitcast %odd1_seen : f32 to i32
        %upper_halves1_seen = arith.constant 0x07060302 : i32
        %pair_bits1_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits1_seen, %even_bits1_seen, %upper_halves1_seen)
          : (i32, i32, i32) -> i32
        %pair1_seen = llvm.bitcast %pair_bits1_seen : i32 to !pair
        %sum_to_pair1_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair1_seen, %ones_seen, %sum_to_pair0_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_2 = vector.insert %pair1_seen, %pairs_seen_1[1] : !pair into !pairs
        %even2_seen = vector.extract %exps_seen[0, 0, 4] : f32 from !scores
        %odd2_seen = vector.extract %exps_seen[0, 0, 5] : f32 from !scores
        %even_bits2_seen = arith.bitcast %even2_seen : f32 to i32
        %odd_bits2_seen = arith.bitcast %odd2_seen : f32 to i32
        %upper_halves2_seen = arith.constant 0x07060302 : i32
        %pair_bits2_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits2_seen, %even_bits2_seen, %upper_halves2_seen)
          : (i32, i32, i32) -> i32
        %pair2_seen = llvm.bitcast %pair_bits2_seen : i32 to !pair
        %sum_to_pair2_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair2_seen, %ones_seen, %sum_to_pair1_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_3 = vector.insert %pair2_seen, %pairs_seen_2[2] : !pair into !pairs
        %even3_seen = vector.extract %exps_seen[0, 0, 6] : f32 from !scores
        %odd3_seen = vector.extract %exps_seen[0, 0, 7] : f32 from !scores
        %even_bits3_seen = arith.bitcast %even3_seen : f32 to i32
        %odd_bits3_seen = arith.bitcast %odd3_seen : f32 to i32
        %upper_halves3_seen = arith.constant 0x07060302 : i32
        %pair_bits3_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits3_seen, %even_bits3_seen, %upper_halves3_seen)
          : (i32, i32, i32) -> i32
        %pair3_seen = llvm.bitcast %pair_bits3_seen : i32 to !pair
        %sum_to_pair3_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair3_seen, %ones_seen, %sum_to_pair2_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_4 = vector.insert %pair3_seen, %pairs_seen_3[3] : !pair into !pairs
        %even4_seen = vector.extract %exps_seen[1, 0, 0] : f32 from !scores
        %odd4_seen = vector.extract %exps_seen[1, 0, 1] : f32 from !scores
        %even_bits4_seen = arith.bitcast %even4_seen : f32 to i32
        %odd_bits4_seen = arith.bitcast %odd4_seen : f32 to i32
        %upper_halves4_seen = arith.constant 0x07060302 : i32
        %pair_bits4_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits4_seen, %even_bits4_seen, %upper_halves4_seen)
          : (i32, i32, i32) -> i32
        %pair4_seen = llvm.bitcast %pair_bits4_seen : i32 to !pair
        %sum_to_pair4_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair4_seen, %ones_seen, %sum_to_pair3_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_5 = vector.insert %pair4_seen, %pairs_seen_4[4] : !pair into !pairs
        %even5_seen = vector.extract %exps_seen[1, 0, 2] : f32 from !scores
        %odd5_seen = vector.extract %exps_seen[1, 0, 3] : f32 from !scores
        %even_bits5_seen = arith.bitcast %even5_seen : f32 to i32
        %odd_bits5_seen = arith.bitcast %odd5_seen : f32 to i32
        %upper_halves5_seen = arith.constant 0x07060302 : i32
        %pair_bits5_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits5_seen, %even_bits5_seen, %upper_halves5_seen)
          : (i32, i32, i32) -> i32
        %pair5_seen = llvm.bitcast %pair_bits5_seen : i32 to !pair
        %sum_to_pair5_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair5_seen, %ones_seen, %sum_to_pair4_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_6 = vector.insert %pair5_seen, %pairs_seen_5[5] : !pair into !pairs
        %even6_seen = vector.extract %exps_seen[1, 0, 4] : f32 from !scores
        %odd6_seen = vector.extract %exps_seen[1, 0, 5] : f32 from !scores
        %even_bits6_seen = arith.bitcast %even6_seen : f32 to i32
        %odd_bits6_seen = arith.bitcast %odd6_seen : f32 to i32
        %upper_halves6_seen = arith.constant 0x07060302 : i32
        %pair_bits6_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits6_seen, %even_bits6_seen, %upper_halves6_seen)
          : (i32, i32, i32) -> i32
        %pair6_seen = llvm.bitcast %pair_bits6_seen : i32 to !pair
        %sum_to_pair6_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair6_seen, %ones_seen, %sum_to_pair5_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_7 = vector.insert %pair6_seen, %pairs_seen_6[6] : !pair into !pairs
        %even7_seen = vector.extract %exps_seen[1, 0, 6] : f32 from !scores
        %odd7_seen = vector.extract %exps_seen[1, 0, 7] : f32 from !scores
        %even_bits7_seen = arith.bitcast %even7_seen : f32 to i32
        %odd_bits7_seen = arith.bitcast %odd7_seen : f32 to i32
        %upper_halves7_seen = arith.constant 0x07060302 : i32
        %pair_bits7_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits7_seen, %even_bits7_seen, %upper_halves7_seen)
          : (i32, i32, i32) -> i32
        %pair7_seen = llvm.bitcast %pair_bits7_seen : i32 to !pair
        %sum_next0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair7_seen, %ones_seen, %sum_to_pair6_seen, %keeps_seen)
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        %value_row4 = affine.apply affine_map<(i) -> (i + 64)>(%index)
        %value_piece4_0 =
          "vector.load"(%value_lds, %value_row4, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces4 = vector.insert
          %value_piece4_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys4 = vector.shape_cast %value_pieces4 : !value_pieces to !value_keys
        %value4 = vector.shape_cast %value_keys4 : !value_keys to !value_operand
        %sums4 = vector.extract %acc_next_4[4] : !sums from !acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%value4, %weights) outs(%sums4)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !sums into !acc
        %value_row5 = affine.apply affine_map<(i) -> (i + 80)>(%index)
        %value_piece5_0 =
          "vector.load"(%value_lds, %value_row5, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces5 = vector.insert
          %value_piece5_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys5 = vector.shape_cast %value_pieces5 : !value_pieces to !value_keys
        %value5 = vector.shape_cast %value_keys5 : !value_keys to !value_operand
        %sums5 = vector.extract %acc_next_5[5] : !sums from !acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%value5, %weights) outs(%sums5)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !sums into !acc
        %value_row6 = affine.apply affine_map<(i) -> (i + 96)>(%index)
        %value_piece6_0 =
          "vector.load"(%value_lds, %value_row6, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces6 = vector.insert
          %value_piece6_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys6 = vector.shape_cast %value_pieces6 : !value_pieces to !value_keys
        %value6 = vector.shape_cast %value_keys6 : !value_keys to !value_operand
        %sums6 = vector.extract %acc_next_6[6] : !sums from !acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%value6, %weights) outs(%sums6)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !sums into !acc
        %value_row7 = affine.apply affine_map<(i) -> (i + 112)>(%index)
        %value_piece7_0 =
          "vector.load"(%value_lds, %value_row7, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces7 = vector.insert
          %value_piece7_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys7 = vector.shape_cast %value_pieces7 : !value_pieces to !value_keys
        %value7 = vector.shape_cast %value_keys7 : !value_keys to !value_operand
        %sums7 = vector.extract %acc_next_7[7] : !sums from !acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%value7, %weights) outs(%sums7)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !sums into !acc
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
        %key_of_lane2 = affine.apply #key_of_step2(%none, %lane)
        %key_lds_row2 = affine.apply #key_lds_row(%key_of_lane2)
        %key2 = vector.extract %keys_here[2] : !access from !keys
        "vector.store"(%key2, %key_lds, %key_lds_row2, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %key_of_lane3 = affine.apply #key_of_step3(%none, %lane)
        %key_lds_row3 = affine.apply #key_lds_row(%key_of_lane3)
        %key3 = vector.extract %keys_here[3] : !access from !keys
        "vector.store"(%key3, %key_lds, %key_lds_row3, %key_lds_column) <{alignment = 16
          : i64}> : (!access, !key_lds, index, index) -> ()
        %columns = vector.transpose %values_here, [1, 0]
          : !values to !columns
        %value_lds_column = affine.apply #value_lds_column(%lane)
        %value_lds_row0 = affine.apply #value_lds_row0(%lane)
        %column0 = vector.extract %columns[0] : !column from !columns
        "vector.store"(%column0, %value_lds, %value_lds_row0, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row1 = affine.apply #value_lds_row1(%lane)
        %column1 = vector.extract %columns[1] : !column from !columns
        "vector.store"(%column1, %value_lds, %value_lds_row1, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row2 = affine.apply #value_lds_row2(%lane)
        %column2 = vector.extract %columns[2] : !column from !columns
        "vector.store"(%column2, %value_lds, %value_lds_row2, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row3 = affine.apply #value_lds_row3(%lane)
        %column3 = vector.extract %columns[3] : !column from !columns
        "vector.store"(%column3, %value_lds, %value_lds_row3, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row4 = affine.apply #value_lds_row4(%lane)
        %column4 = vector.extract %columns[4] : !column from !columns
        "vector.store"(%column4, %value_lds, %value_lds_row4, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row5 = affine.apply #value_lds_row5(%lane)
        %column5 = vector.extract %columns[5] : !column from !columns
        "vector.store"(%column5, %value_lds, %value_lds_row5, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row6 = affine.apply #value_lds_row6(%lane)
        %column6 = vector.extract %columns[6] : !column from !columns
        "vector.store"(%column6, %value_lds, %value_lds_row6, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        %value_lds_row7 = affine.apply #value_lds_row7(%lane)
        %column7 = vector.extract %columns[7] : !column from !columns
        "vector.store"(%column7, %value_lds, %value_lds_row7, %value_lds_column)
          <{alignment = 8 : i64}> : (!column, !value_lds, index, index) -> ()
        gpu.barrier memfence [#gpu.address_space<workgroup>]

        %no_keys = arith.constant dense<0.0> : !keys
        %key_at0 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 0) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read0 = vector.transfer_read %keys_flat[%key_at0], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_1 = vector.insert %key_read0, %no_keys[0] : !access into !keys
        %key_at1 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 8) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read1 = vector.transfer_read %keys_flat[%key_at1], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_2 = vector.insert %key_read1, %keys_next_1[1] : !access into !keys
        %key_at2 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 16) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read2 = vector.transfer_read %keys_flat[%key_at2], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next_3 = vector.insert %key_read2, %keys_next_2[2] : !access into !keys
        %key_at3 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 24) * 1) * 128 + p
            + 0)>(%key_base, %t_next, %key_place)
        %key_read3 = vector.transfer_read %keys_flat[%key_at3], %no_element {in_bounds = [true]}
          : tensor<32768xbf16>, !access
        %keys_next = vector.insert %key_read3, %keys_next_3[3] : !access into !keys
        %no_values = arith.constant dense<0.0> : !values
        %value_at0 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 0) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read0 = vector.transfer_read %values_flat[%value_at0], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_1 = vector.insert %value_read0, %no_values[0] : !access into !values
        %value_at1 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 1) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read1 = vector.transfer_read %values_flat[%value_at1], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_2 = vector.insert %value_read1, %values_next_1[1] : !access into !values
        %value_at2 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 2) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read2 = vector.transfer_read %values_flat[%value_at2], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next_3 = vector.insert %value_read2, %values_next_2[2] : !access into !values
        %value_at3 = affine.apply affine_map<(b, t, p)
          -> ((b + (t + 3) * 1) * 128 + p)>(
            %key_base, %t_next, %value_place)
        %value_read3 = vector.transfer_read %values_flat[%value_at3], %no_element
          {in_bounds = [true]} : tensor<32768xbf16>, !access
        %values_next = vector.insert %value_read3, %values_next_3[3] : !access into !values
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
        %no_bias = arith.constant dense<0.0> : !bias_scores
        %key_bias0 = affine.min affine_map<(g, t)
          -> (g + t + 0, 120)>(%key_of_group, %t0)
        %place_bias0 = arith.addi %first_bias0, %key_bias0 : index
        %nothing_bias0 = arith.constant 0.0 : bf16
        %piece_bias0 = vector.transfer_read %bias_rows[%place_bias0], %nothing_bias0
          {in_bounds = [true]} : tensor<131072xbf16>, !bias_piece
        %bias_scores_1 = vector.insert %piece_bias0, %no_bias[0, 0]
          : !bias_piece into !bias_scores
        %key_bias1 = affine.min affine_map<(g, t)
          -> (g + t + 16, 120)>(%key_of_group, %t0)
        %place_bias1 = arith.addi %first_bias0, %key_bias1 : index
        %nothing_bias1 = arith.constant 0.0 : bf16
        %piece_bias1 = vector.transfer_read %bias_rows[%place_bias1], %nothing_bias1
          {in_bounds = [true]} : tensor<131072xbf16>, !bias_piece
        %bias_scores = vector.insert %piece_bias1, %bias_scores_1[1, 0]
          : !bias_piece into !bias_scores
        %bias_f32 = arith.extf %bias_scores : !bias_scores to !scores
        %score_unit = arith.constant dense<0.08838834764831845> : !scores
        %scores_ruled_1 = math.fma %scores, %score_unit, %bias_f32 : !scores
        %bias_hides = arith.cmpf oeq, %bias_f32, %hidden : !scores
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
        %below0_in_base_2 = arith.mulf %below0, %log2e : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0_in_base_2) : (f32) -> f32
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
        %logits_above = arith.addf %scores_ruled, %all_minus_maxs : !scores
        %logits = arith.mulf %logits_above, %all_log2e : !scores
        %logits_flat = vector.shape_cast %logits : !scores to !scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!scores_flat) -> !scores_flat
        %exps = vector.shape_cast %exps_flat : !scores_flat to !scores
        %keeps_any = arith.constant false
        %ones_any = arith.constant dense<1.0> : !pair
        %no_pairs_any = arith.constant dense<0.0> : !pairs
        %even0_any = vector.extract %exps[0, 0, 0] : f32 from !scores
        %odd0_any = vector.extract %exps[0, 0, 1] : f32 from !scores
        %even_bits0_any = arith.bitcast %even0_any : f32 to i32
        %odd_bits0_any = arith.bitcast %odd0_any : f32 to i32
        %upper_halves0_any = arith.constant 0x07060302 : i32
        %pair_bits0_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits0_any, %even_bits0_any, %upper_halves0_any)
          : (i32, i32, i32) -> i32
        %pair0_any = llvm.bitcast %pair_bits0_any : i32 to !pair
        %sum_to_pair0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair0_any, %ones_any, %sum_brought0, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_1 = vector.insert %pair0_any, %no_pairs_any[0] : !pair into !pairs
        %even1_any = vector.extract %exps[0, 0, 2] : f32 from !scores
        %odd1_any = vector.extract %exps[0, 0, 3] : f32 from !scores
        %even_bits1_any = arith.bitcast %even1_any : f32 to i32
        %odd_bits1_any = arith.bitcast %odd1_any : f32 to i32
        %upper_halves1_any = arith.constant 0x07060302 : i32
        %pair_bits1_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits1_any, %even_bits1_any, %upper_halves1_any)
          : (i32, i32, i32) -> i32
        %pair1_any = llvm.bitcast %pair_bits1_any : i32 to !pair
        %sum_to_pair1_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair1_any, %ones_any, %sum_to_pair0_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_2 = vector.insert %pair1_any, %pairs_any_1[1] : !pair into !pairs
        %even2_any = vector.extract %exps[0, 0, 4] : f32 from !scores
        %odd2_any = vector.extract %exps[0, 0, 5] : f32 from !scores
        %even_bits2_any = arith.bitcast %even2_any : f32 to i32
        %odd_bits2_any = arith.bitcast %odd2_any : f32 to i32
        %upper_halves2_any = arith.constant 0x07060302 : i32
        %pair_bits2_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits2_any, %even_bits2_any, %upper_halves2_any)
          : (i32, i32, i32) -> i32
        %pair2_any = llvm.bitcast %pair_bits2_any : i32 to !pair
        %sum_to_pair2_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair2_any, %ones_any, %sum_to_pair1_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_3 = vector.insert %pair2_any, %pairs_any_2[2] : !pair into !pairs
        %even3_any = vector.extract %exps[0, 0, 6] : f32 from !scores
        %odd3_any = vector.extract %exps[0, 0, 7] : f32 from !scores
        %even_bits3_any = arith.bitcast %even3_any : f32 to i32
        %odd_bits3_any = arith.bitcast %odd3_any : f32 to i32
        %upper_halves3_any = arith.constant 0x07060302 : i32
        %pair_bits3_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits3_any, %even_bits3_any, %upper_halves3_any)
          : (i32, i32, i32) -> i32
        %pair3_any = llvm.bitcast %pair_bits3_any : i32 to !pair
        %sum_to_pair3_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair3_any, %ones_any, %sum_to_pair2_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_4 = vector.insert %pair3_any, %pairs_any_3[3] : !pair into !pairs
        %even4_any = vector.extract %exps[1, 0, 0] : f32 from !scores
        %odd4_any = vector.extract %exps[1, 0, 1] : f32 from !scores
        %even_bits4_any = arith.bitcast %even4_any : f32 to i32
        %odd_bits4_any = arith.bitcast %odd4_any : f32 to i32
        %upper_halves4_any = arith.constant 0x07060302 : i32
        %pair_bits4_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits4_any, %even_bits4_any, %upper_halves4_any)
          : (i32, i32, i32) -> i32
        %pair4_any = llvm.bitcast %pair_bits4_any : i32 to !pair
        %sum_to_pair4_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair4_any, %ones_any, %sum_to_pair3_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_5 = vector.insert %pair4_any, %pairs_any_4[4] : !pair into !pairs
        %even5_any = vector.extract %exps[1, 0, 2] : f32 from !scores
        %odd5_any = vector.extract %exps[1, 0, 3] : f32 from !scores
        %even_bits5_any = arith.bitcast %even5_any : f32 to i32
        %odd_bits5_any = arith.bitcast %odd5_any : f32 to i32
        %upper_halves5_any = arith.constant 0x07060302 : i32
        %pair_bits5_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits5_any, %even_bits5_any, %upper_halves5_any)
          : (i32, i32, i32) -> i32
        %pair5_any = llvm.bitcast %pair_bits5_any : i32 to !pair
        %sum_to_pair5_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair5_any, %ones_any, %sum_to_pair4_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_6 = vector.insert %pair5_any, %pairs_any_5[5] : !pair into !pairs
        %even6_any = vector.extract %exps[1, 0, 4] : f32 from !scores
        %odd6_any = vector.extract %exps[1, 0, 5] : f32 from !scores
        %even_bits6_any = arith.bitcast %even6_any : f32 to i32
        %odd_bits6_any = arith.bitcast %odd6_any : f32 to i32
        %upper_halves6_any = arith.constant 0x07060302 : i32
        %pair_bits6_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits6_any, %even_bits6_any, %upper_halves6_any)
          : (i32, i32, i32) -> i32
        %pair6_any = llvm.bitcast %pair_bits6_any : i32 to !pair
        %sum_to_pair6_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair6_any, %ones_any, %sum_to_pair5_any, %keeps_any)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_any_7 = vector.insert %pair6_any, %pairs_any_6[6] : !pair into !pairs
        %even7_any = vector.extract %exps[1, 0, 6] : f32 from !scores
        %odd7_any = vector.extract %exps[1, 0, 7] : f32 from !scores
        %even_bits7_any = arith.bitcast %even7_any : f32 to i32
        %odd_bits7_any = arith.bitcast %odd7_any : f32 to i32
        %upper_halves7_any = arith.constant 0x07060302 : i32
        %pair_bits7_any =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits7_any, %even_bits7_any, %upper_halves7_any)
          : (i32, i32, i32) -> i32
        %pair7_any = llvm.bitcast %pair_bits7_any : i32 to !pair
        %sum_next0_any =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair7_any, %ones_any, %sum_to_pair6_any, %keeps_any)
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
        %even_bits0_seen = arith.bitcast %even0_seen : f32 to i32
        %odd_bits0_seen = arith.bitcast %odd0_seen : f32 to i32
        %upper_halves0_seen = arith.constant 0x07060302 : i32
        %pair_bits0_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits0_seen, %even_bits0_seen, %upper_halves0_seen)
          : (i32, i32, i32) -> i32
        %pair0_seen = llvm.bitcast %pair_bits0_seen : i32 to !pair
        %sum_to_pair0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair0_seen, %ones_seen, %sum_brought0, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_1 = vector.insert %pair0_seen, %no_pairs_seen[0] : !pair into !pairs
        %even1_seen = vector.extract %exps_seen[0, 0, 2] : f32 from !scores
        %odd1_seen = vector.extract %exps_seen[0, 0, 3] : f32 from !scores
        %even_bits1_seen = arith.bitcast %even1_seen : f32 to i32
        %odd_bits1_seen = arith.bitcast %odd1_seen : f32 to i32
        %upper_halves1_seen = arith.constant 0x07060302 : i32
        %pair_bits1_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits1_seen, %even_bits1_seen, %upper_halves1_seen)
          : (i32, i32, i32) -> i32
        %pair1_seen = llvm.bitcast %pair_bits1_seen : i32 to !pair
        %sum_to_pair1_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair1_seen, %ones_seen, %sum_to_pair0_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_2 = vector.insert %pair1_seen, %pairs_seen_1[1] : !pair into !pairs
        %even2_seen = vector.extract %exps_seen[0, 0, 4] : f32 from !scores
        %odd2_seen = vector.extract %exps_seen[0, 0, 5] : f32 from !scores
        %even_bits2_seen = arith.bitcast %even2_seen : f32 to i32
        %odd_bits2_seen = arith.bitcast %odd2_seen : f32 to i32
        %upper_halves2_seen = arith.constant 0x07060302 : i32
        %pair_bits2_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits2_seen, %even_bits2_seen, %upper_halves2_seen)
          : (i32, i32, i32) -> i32
        %pair2_seen = llvm.bitcast %pair_bits2_seen : i32 to !pair
        %sum_to_pair2_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair2_seen, %ones_seen, %sum_to_pair1_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_3 = vector.insert %pair2_seen, %pairs_seen_2[2] : !pair into !pairs
        %even3_seen = vector.extract %exps_seen[0, 0, 6] : f32 from !scores
        %odd3_seen = vector.extract %exps_seen[0, 0, 7] : f32 from !scores
        %even_bits3_seen = arith.bitcast %even3_seen : f32 to i32
        %odd_bits3_seen = arith.bitcast %odd3_seen : f32 to i32
        %upper_halves3_seen = arith.constant 0x07060302 : i32
        %pair_bits3_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits3_seen, %even_bits3_seen, %upper_halves3_seen)
          : (i32, i32, i32) -> i32
        %pair3_seen = llvm.bitcast %pair_bits3_seen : i32 to !pair
        %sum_to_pair3_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair3_seen, %ones_seen, %sum_to_pair2_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_4 = vector.insert %pair3_seen, %pairs_seen_3[3] : !pair into !pairs
        %even4_seen = vector.extract %exps_seen[1, 0, 0] : f32 from !scores
        %odd4_seen = vector.extract %exps_seen[1, 0, 1] : f32 from !scores
        %even_bits4_seen = arith.bitcast %even4_seen : f32 to i32
        %odd_bits4_seen = arith.bitcast %odd4_seen : f32 to i32
        %upper_halves4_seen = arith.constant 0x07060302 : i32
        %pair_bits4_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits4_seen, %even_bits4_seen, %upper_halves4_seen)
          : (i32, i32, i32) -> i32
        %pair4_seen = llvm.bitcast %pair_bits4_seen : i32 to !pair
        %sum_to_pair4_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair4_seen, %ones_seen, %sum_to_pair3_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_5 = vector.insert %pair4_seen, %pairs_seen_4[4] : !pair into !pairs
        %even5_seen = vector.extract %exps_seen[1, 0, 2] : f32 from !scores
        %odd5_seen = vector.extract %exps_seen[1, 0, 3] : f32 from !scores
        %even_bits5_seen = arith.bitcast %even5_seen : f32 to i32
        %odd_bits5_seen = arith.bitcast %odd5_seen : f32 to i32
        %upper_halves5_seen = arith.constant 0x07060302 : i32
        %pair_bits5_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits5_seen, %even_bits5_seen, %upper_halves5_seen)
          : (i32, i32, i32) -> i32
        %pair5_seen = llvm.bitcast %pair_bits5_seen : i32 to !pair
        %sum_to_pair5_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair5_seen, %ones_seen, %sum_to_pair4_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_6 = vector.insert %pair5_seen, %pairs_seen_5[5] : !pair into !pairs
        %even6_seen = vector.extract %exps_seen[1, 0, 4] : f32 from !scores
        %odd6_seen = vector.extract %exps_seen[1, 0, 5] : f32 from !scores
        %even_bits6_seen = arith.bitcast %even6_seen : f32 to i32
        %odd_bits6_seen = arith.bitcast %odd6_seen : f32 to i32
        %upper_halves6_seen = arith.constant 0x07060302 : i32
        %pair_bits6_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits6_seen, %even_bits6_seen, %upper_halves6_seen)
          : (i32, i32, i32) -> i32
        %pair6_seen = llvm.bitcast %pair_bits6_seen : i32 to !pair
        %sum_to_pair6_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair6_seen, %ones_seen, %sum_to_pair5_seen, %keeps_seen)
          : (!pair, !pair, f32, i1) -> f32
        %pairs_seen_7 = vector.insert %pair6_seen, %pairs_seen_6[6] : !pair into !pairs
        %even7_seen = vector.extract %exps_seen[1, 0, 6] : f32 from !scores
        %odd7_seen = vector.extract %exps_seen[1, 0, 7] : f32 from !scores
        %even_bits7_seen = arith.bitcast %even7_seen : f32 to i32
        %odd_bits7_seen = arith.bitcast %odd7_seen : f32 to i32
        %upper_halves7_seen = arith.constant 0x07060302 : i32
        %pair_bits7_seen =
          llvm.call_intrinsic "llvm.amdgcn.perm"(%odd_bits7_seen, %even_bits7_seen, %upper_halves7_seen)
          : (i32, i32, i32) -> i32
        %pair7_seen = llvm.bitcast %pair_bits7_seen : i32 to !pair
        %sum_next0_seen =
          llvm.call_intrinsic "llvm.amdgcn.fdot2.f32.bf16"(%pair7_seen, %ones_seen, %sum_to_pair6_seen, %keeps_seen)
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
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
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_4 = vector.insert %sums_next3, %acc_next_3[3] : !sums into !acc
        %value_row4 = affine.apply affine_map<(i) -> (i + 64)>(%index)
        %value_piece4_0 =
          "vector.load"(%value_lds, %value_row4, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces4 = vector.insert
          %value_piece4_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys4 = vector.shape_cast %value_pieces4 : !value_pieces to !value_keys
        %value4 = vector.shape_cast %value_keys4 : !value_keys to !value_operand
        %sums4 = vector.extract %acc_next_4[4] : !sums from !acc
        %sums_next4 = iree_codegen.inner_tiled
          ins(%value4, %weights) outs(%sums4)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_5 = vector.insert %sums_next4, %acc_next_4[4] : !sums into !acc
        %value_row5 = affine.apply affine_map<(i) -> (i + 80)>(%index)
        %value_piece5_0 =
          "vector.load"(%value_lds, %value_row5, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces5 = vector.insert
          %value_piece5_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys5 = vector.shape_cast %value_pieces5 : !value_pieces to !value_keys
        %value5 = vector.shape_cast %value_keys5 : !value_keys to !value_operand
        %sums5 = vector.extract %acc_next_5[5] : !sums from !acc
        %sums_next5 = iree_codegen.inner_tiled
          ins(%value5, %weights) outs(%sums5)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_6 = vector.insert %sums_next5, %acc_next_5[5] : !sums into !acc
        %value_row6 = affine.apply affine_map<(i) -> (i + 96)>(%index)
        %value_piece6_0 =
          "vector.load"(%value_lds, %value_row6, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces6 = vector.insert
          %value_piece6_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys6 = vector.shape_cast %value_pieces6 : !value_pieces to !value_keys
        %value6 = vector.shape_cast %value_keys6 : !value_keys to !value_operand
        %sums6 = vector.extract %acc_next_6[6] : !sums from !acc
        %sums_next6 = iree_codegen.inner_tiled
          ins(%value6, %weights) outs(%sums6)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next_7 = vector.insert %sums_next6, %acc_next_6[6] : !sums into !acc
        %value_row7 = affine.apply affine_map<(i) -> (i + 112)>(%index)
        %value_piece7_0 =
          "vector.load"(%value_lds, %value_row7, %value_key0) <{alignment = 16 : i64}>
          : (!value_lds, index, index) -> !value_piece
        %value_pieces7 = vector.insert
          %value_piece7_0, %no_value_pieces[0]
          : !value_piece into !value_pieces
        %value_keys7 = vector.shape_cast %value_pieces7 : !value_pieces to !value_keys
        %value7 = vector.shape_cast %value_keys7 : !value_keys to !value_operand
        %sums7 = vector.extract %acc_next_7[7] : !sums from !acc
        %sums_next7 = iree_codegen.inner_tiled
          ins(%value7, %weights) outs(%sums7)
          <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_BF16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !value_operand, !weights_operand into !sums
        %acc_next = vector.insert %sums_next7, %acc_next_7[7] : !sums into !acc
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
      %output_column = affine.apply affine_map<(g) -> (g * 64)>(%group)
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
      %output_f32 = vector.insert %means_flat0, %no_rows[0] : !output_f32 into !rows_f32
      %output = arith.truncf %output_f32 : !rows_f32 to !output_rows
      %old_rows0 = tensor.extract_slice %tile0[%first_row, %output_column] [1, 64]
        [1, 1] : tensor<64x128xbf16> to tensor<1x64xbf16>
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [true, true]}
          : !output_rows, tensor<1x64xbf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%first_row, %output_column]
          [1, 64] [1, 1] : tensor<1x64xbf16> into tensor<64x128xbf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_tile
        into %output_rows_all[%result_row, %none]
        [64, 128] [1, 1]
        : tensor<64x128xbf16> into tensor<1024x128xbf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [1024, 128], strides = [1, 1]
      : tensor<1024x128xbf16> -> !output_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value, %bias: !bias) -> !output {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x8x128x128xbf16> into tensor<1024x128xbf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x128x128xbf16> into tensor<256x128xbf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x128x128xbf16> into tensor<256x128xbf16>
  %bias_rows = tensor.collapse_shape %bias [[0, 1, 2, 3]]
    : tensor<1x8x128x128xbf16> into tensor<131072xbf16>
  %made = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows, %bias_rows
    ) : (
      tensor<1024x128xbf16>,
      tensor<256x128xbf16>,
      tensor<256x128xbf16>,
      tensor<131072xbf16>
    ) -> tensor<1024x128xbf16>
  %output = tensor.expand_shape %made [[0, 1, 2], [3]]
    output_shape [1, 8, 128, 128] : tensor<1024x128xbf16> into tensor<1x8x128x128xbf16>
  return %output
    : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %bias: !bias
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention(%query, %key, %value, %bias)
    : (!query, !key, !value, !bias) -> (!output)
  util.return %output : !output
}
