// Attention as one kernel of tensors.
!query = tensor<77x8x80xf16>
!key = tensor<128x2x80xf16>
!value = tensor<128x2x80xf16>
!cu_seqlens_q = tensor<4xi32>
!cu_seqlens_k = tensor<4xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<8x77x128xf16>
!sinks = tensor<8xf32>
!output = tensor<77x8x80xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3080x16xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1280x16xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1280x16xf16>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!cu_seqlens_k_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!alibi_slopes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!bias_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<78848xf16>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<77x640xf16>>
!query_tile = tensor<64x5x16xf16>
!key_tile = tensor<32x5x16xf16>
!value_tile = tensor<32x5x16xf16>
!values = tensor<5x16x32xf16>
!scores = tensor<64x32xf32>
!weights = tensor<64x32xf16>
!acc = tensor<64x5x16xf32>
!row = tensor<64xf32>
!output_tile = tensor<64x5x16xf16>
!query_numbers = tensor<64xi32>
!key_numbers = tensor<32xi32>
// m row of the tile, t key of the step
#element = affine_map<(m, t) -> (m, t)>
#of_row = affine_map<(m, t) -> (m)>
#of_key = affine_map<(m, t) -> (t)>
#each = affine_map<(m) -> (m)>
#row_of_query = affine_map<(m, t, c, k) -> (m, c, k)>
#row_of_key = affine_map<(m, t, c, k) -> (t, c, k)>
#score = affine_map<(m, t, c, k) -> (m, t)>
#weight = affine_map<(m, e, n, t) -> (m, t)>
#column_of_value = affine_map<(m, e, n, t) -> (e, n, t)>
#sum_of_values = affine_map<(m, e, n, t) -> (m, e, n)>
#sum = affine_map<(m, e, n) -> (m, e, n)>
#row_of_sum = affine_map<(m, e, n) -> (m)>
#query_key = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0, 0], reduction = [0, 0, 0, 0],
  subgroup_basis = [[4, 1, 1, 1], [0, 1, 2, 3]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#weights_value = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0, 0], reduction = [0, 0, 0, 0],
  subgroup_basis = [[4, 1, 1, 1], [0, 1, 2, 3]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #query_key,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
#key_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1, 1], batch_tile = [1, 5, 1],
  outer_tile = [1, 1, 1],
  thread_tile = [32, 1, 2], element_tile = [1, 1, 8],
  subgroup_strides = [0, 0, 0], thread_strides = [2, 0, 1]>
#value_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2, 1], batch_tile = [5, 1, 1],
  outer_tile = [1, 1, 1],
  thread_tile = [1, 1, 32], element_tile = [1, 8, 1],
  subgroup_strides = [0, 1, 0], thread_strides = [0, 1, 1]>
#reading_bias = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [16, 1],
  outer_tile = [1, 1],
  thread_tile = [4, 32], element_tile = [1, 1],
  subgroup_strides = [0, 0], thread_strides = [32, 1]>
#in_rules_bias = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 2],
  outer_tile = [1, 8],
  thread_tile = [16, 2], element_tile = [1, 1],
  subgroup_strides = [1, 0], thread_strides = [1, 16]>
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
      %sinks_in: !sinks_in,
      %output_rows_out: !output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [3080, 16], strides = [1, 1]
      : !query_rows_in -> tensor<3080x16xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [1280, 16], strides = [1, 1]
      : !key_rows_in -> tensor<1280x16xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [1280, 16], strides = [1, 1]
      : !value_rows_in -> tensor<1280x16xf16>
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
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %output_rows_empty = tensor.empty() : tensor<77x640xf16>
    %sequences = arith.constant 1 : index
    %packed = arith.constant 3 : index
    %heads = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %q_tokens = arith.constant 77 : index
    %kv_tokens = arith.constant 128 : index
    %tiles = arith.constant 5 : index
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<77x640xf16>) {
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
    %result_column = affine.apply affine_map<(x) -> (x * 80)>(%x)
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
    %row_numbers_empty = tensor.empty() : !query_numbers
    %rows_in_head = linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]}
      outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%unused: i32):
      %m = linalg.index 0 : index
      %r = arith.addi %m, %row_0 : index
      %row = arith.minsi %r, %last_row : index
      %row_i32 = arith.index_cast %row : index to i32
      linalg.yield %row_i32 : i32
    } -> !query_numbers
    %query_numbers = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %base = arith.index_cast %query_base : index to i32
      %stride = arith.constant 8 : i32
      %ahead = arith.muli %row, %stride : i32
      %number = arith.addi %base, %ahead : i32
      linalg.yield %number : i32
    } -> !query_numbers
      %empty_query = tensor.empty() : !query_tile
      %empty_places_of_query = tensor.empty() : tensor<64x5xi32>
      %places_of_query = linalg.generic {
          indexing_maps = [
            affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>],
          iterator_types = ["parallel", "parallel"]
        } ins(%query_numbers : !query_numbers) outs(%empty_places_of_query : tensor<64x5xi32>) {
      ^bb0(%number: i32, %unused: i32):
        %row = arith.index_cast %number : i32 to index
        %chunk = linalg.index 1 : index
        %place = affine.apply affine_map<(r, c) -> (r * 5 + c)>(%row, %chunk)
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> tensor<64x5xi32>
      %read_query = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %places_of_query : tensor<3080x16xf16>, tensor<64x5xi32>)
        outs(%empty_query : !query_tile) -> !query_tile
    %positions = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %position = arith.addi %first, %row : i32
      linalg.yield %position : i32
    } -> !query_numbers
      %empty_numbers_of_alibi_slopes = tensor.empty() : tensor<64xi32>
      %numbers_of_alibi_slopes = linalg.generic {
          indexing_maps = [#each, #each], iterator_types = ["parallel"]
        } ins(%rows_in_head : !query_numbers)
        outs(%empty_numbers_of_alibi_slopes : tensor<64xi32>) {
      ^bb0(%row_i32: i32, %unused: i32):
        %row = arith.index_cast %row_i32 : i32 to index
        %number0 = arith.constant 0 : index
        %step_h = affine.apply
          affine_map<(i)[]
          -> (i * 1)>(%x)
          []
        %number1 = arith.addi %number0, %step_h : index
        %number = arith.index_cast %number1 : index to i32
        linalg.yield %number : i32
      } -> tensor<64xi32>

      %empty_alibi_slopes = tensor.empty() : tensor<64xf32>
      %read_alibi_slopes = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%alibi_slopes, %numbers_of_alibi_slopes : tensor<8xf32>, tensor<64xi32>)
        outs(%empty_alibi_slopes : tensor<64xf32>) -> tensor<64xf32>
      %empty_numbers_of_sinks = tensor.empty() : tensor<64xi32>
      %numbers_of_sinks = linalg.generic {
          indexing_maps = [#each, #each], iterator_types = ["parallel"]
        } ins(%rows_in_head : !query_numbers)
        outs(%empty_numbers_of_sinks : tensor<64xi32>) {
      ^bb0(%row_i32: i32, %unused: i32):
        %row = arith.index_cast %row_i32 : i32 to index
        %number0 = arith.constant 0 : index
        %step_h = affine.apply
          affine_map<(i)[]
          -> (i * 1)>(%x)
          []
        %number1 = arith.addi %number0, %step_h : index
        %number = arith.index_cast %number1 : index to i32
        linalg.yield %number : i32
      } -> tensor<64xi32>

      %empty_sinks = tensor.empty() : tensor<64xf32>
      %read_sinks = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%sinks, %numbers_of_sinks : tensor<8xf32>, tensor<64xi32>)
        outs(%empty_sinks : tensor<64xf32>) -> tensor<64xf32>
    %zero = arith.constant 0.0 : f32
    // Not known to be zero.
    %no_score = llvm.inline_asm has_side_effects "", "=v,0" %zero : (f32) -> f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %acc_empty = tensor.empty() : !acc
    %row_empty = tensor.empty() : !row
    %scores_empty = tensor.empty() : !scores
    %weights_empty = tensor.empty() : !weights
    %acc_start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
    %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !row) -> !row
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %keys_of_step
        iter_args(%acc = %acc_start, %max = %max_start, %sum = %sum_start) -> (!acc, !row, !row) {
      %key_numbers_empty = tensor.empty() : !key_numbers
      %key_numbers = linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]}
        outs(%key_numbers_empty : !key_numbers) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %token = arith.addi %first_key_token, %real_key : index
        %number = affine.apply affine_map<(k, h) -> (k * 2 + h)>(%token, %kv_head)
        %number_i32 = arith.index_cast %number : index to i32
        linalg.yield %number_i32 : i32
      } -> !key_numbers
      %empty_keys = tensor.empty() : !key_tile
      %empty_places_of_keys = tensor.empty() : tensor<32x5xi32>
      %places_of_keys = linalg.generic {
          indexing_maps = [
            affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>],
          iterator_types = ["parallel", "parallel"]
        } ins(%key_numbers : !key_numbers) outs(%empty_places_of_keys : tensor<32x5xi32>) {
      ^bb0(%number: i32, %unused: i32):
        %row = arith.index_cast %number : i32 to index
        %chunk = linalg.index 1 : index
        %place = affine.apply affine_map<(r, c) -> (r * 5 + c)>(%row, %chunk)
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> tensor<32x5xi32>
      %read_keys = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_rows, %places_of_keys : tensor<1280x16xf16>, tensor<32x5xi32>)
        outs(%empty_keys : !key_tile) -> !key_tile
      %empty_values = tensor.empty() : !value_tile
      %empty_places_of_values = tensor.empty() : tensor<32x5xi32>
      %places_of_values = linalg.generic {
          indexing_maps = [
            affine_map<(r, e) -> (r)>, affine_map<(r, e) -> (r, e)>],
          iterator_types = ["parallel", "parallel"]
        } ins(%key_numbers : !key_numbers) outs(%empty_places_of_values : tensor<32x5xi32>) {
      ^bb0(%number: i32, %unused: i32):
        %row = arith.index_cast %number : i32 to index
        %chunk = linalg.index 1 : index
        %place = affine.apply affine_map<(r, c) -> (r * 5 + c)>(%row, %chunk)
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> tensor<32x5xi32>
      %read_values = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_rows, %places_of_values : tensor<1280x16xf16>, tensor<32x5xi32>)
        outs(%empty_values : !value_tile) -> !value_tile
      %placed_keys = iree_vector_ext.to_layout %read_keys to layout(#key_layout) : !key_tile
      // Values are turned on their way to the product, which takes neighbours along the keys.
      %turned_empty = tensor.empty() : !values
      %turned = linalg.transpose ins(%read_values : !value_tile) outs(%turned_empty : !values)
        permutation = [1, 2, 0]
      %placed_values = iree_vector_ext.to_layout %turned
        to layout(#value_layout) : !values
      %empty_numbers_of_bias = tensor.empty() : tensor<64x32xi32>
      %numbers_of_bias = linalg.generic {
          indexing_maps = [#of_row, #element], iterator_types = ["parallel", "parallel"]
        } ins(%rows_in_head : !query_numbers)
        outs(%empty_numbers_of_bias : tensor<64x32xi32>) {
      ^bb0(%row_i32: i32, %unused: i32):
        %row = arith.index_cast %row_i32 : i32 to index
        %number0 = arith.constant 0 : index
        %step_h = affine.apply
          affine_map<(i)[]
          -> (i * 9856)>(%x)
          []
        %number1 = arith.addi %number0, %step_h : index
        %query_token = arith.addi %row, %first_token : index
        %step_q = affine.apply
          affine_map<(i)[]
          -> (i * 128)>(%query_token)
          []
        %number2 = arith.addi %number1, %step_q : index
        %t = linalg.index 1 : index
        %token = arith.addi %t, %t0 : index
        %real_token = arith.minsi %token, %last_key : index
        %key_token = arith.addi %real_token, %first_key_token : index
        %step_k = affine.apply
          affine_map<(i)[]
          -> (i * 1)>(%key_token)
          []
        %number3 = arith.addi %number2, %step_k : index
        %number = arith.index_cast %number3 : index to i32
        linalg.yield %number : i32
      } -> tensor<64x32xi32>

      %empty_bias = tensor.empty() : tensor<64x32xf16>
      %given_bias = iree_linalg_ext.gather
        dimension_map = [0]
        ins(%bias_rows, %numbers_of_bias : tensor<78848xf16>, tensor<64x32xi32>)
        outs(%empty_bias : tensor<64x32xf16>) -> tensor<64x32xf16>
      %apart_bias = iree_vector_ext.to_layout %given_bias
        to layout(#reading_bias) : tensor<64x32xf16>
      %read_bias = iree_vector_ext.to_layout %apart_bias
        to layout(#in_rules_bias) : tensor<64x32xf16>
      %scores_start = linalg.fill ins(%no_score : f32) outs(%scores_empty : !scores) -> !scores
      %scores = linalg.generic {
          indexing_maps = [#row_of_query, #row_of_key, #score],
          iterator_types = ["parallel", "parallel", "reduction", "reduction"]
        } ins(%read_query, %placed_keys : !query_tile, !key_tile)
          outs(%scores_start : !scores) attrs = {compilation_info = #tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !scores
      %logits = linalg.generic {
          indexing_maps = [#element, #of_row, #of_row, #element, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions, %read_alibi_slopes, %read_bias
          : !scores, !query_numbers, tensor<64xf32>, tensor<64x32xf16>)
        outs(%scores_empty : !scores) {
      ^bb0(%score: f32, %position: i32, %slope: f32, %bias_stored: f16, %unused: f32):
        %scale_over_cap = arith.constant 0.0037267799624996494 : f32
        %fraction = arith.mulf %score, %scale_over_cap : f32
        %bounded = math.tanh %fraction : f32
        %cap = arith.constant 30.0 : f32
        %logit0 = arith.mulf %bounded, %cap : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
    %bias = arith.extf %bias_stored : f16 to f32
        %logit1 = arith.addf %logit0, %bias : f32
        %ahead_f32 = arith.sitofp %ahead : i32 to f32
        %distance = math.absf %ahead_f32 : f32
        %unit = arith.constant -1.0 : f32
        %steepness = arith.mulf %slope, %unit : f32
        %alibi = arith.mulf %steepness, %distance : f32
        %logit2 = arith.addf %logit1, %alibi : f32
        %seen0 = arith.constant true
        %keys_end_i32 = arith.index_cast %context_len : index to i32
        %key_is_real = arith.cmpi slt, %token, %keys_end_i32 : i32
        %seen1 = arith.andi %seen0, %key_is_real : i1
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen2 = arith.andi %seen1, %ahead_is_seen : i1
        // The sum alone would not hide a key whose score is NaN or infinite.
        %bias_shows = arith.cmpf une, %bias, %minus_inf : f32
        %seen3 = arith.andi %seen2, %bias_shows : i1
        %logit = arith.select %seen3, %logit2, %minus_inf : f32
        linalg.yield %logit : f32
      } -> !scores
      // A NaN is no maximum, and makes its weight, and so its row, NaN.
      %best_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
      %best = linalg.generic {indexing_maps = [#element, #of_row], iterator_types = ["parallel", "reduction"]}
        ins(%logits : !scores) outs(%best_start : !row) {
      ^bb0(%logit: f32, %top: f32):
        %better = arith.maxnumf %logit, %top : f32
        linalg.yield %better : f32
      } -> !row
      %shrink = linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel"]}
        ins(%max, %best : !row, !row) outs(%row_empty : !row) {
      ^bb0(%before: f32, %now: f32, %unused: f32):
        %top = arith.maxnumf %before, %now : f32
        %below = arith.subf %before, %top : f32
        %factor_log2e = arith.constant 1.4426950408889634 : f32
        %factor_in_base_2 = arith.mulf %below, %factor_log2e : f32
        %factor = math.exp2 %factor_in_base_2 : f32
        linalg.yield %factor : f32
      } -> !row
      %max_next = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%best : !row) outs(%max : !row) {
      ^bb0(%now: f32, %before: f32):
        %top = arith.maxnumf %before, %now : f32
        linalg.yield %top : f32
      } -> !row
      %exps = linalg.generic {
          indexing_maps = [#element, #of_row, #element], iterator_types = ["parallel", "parallel"]
        } ins(%logits, %max_next : !scores, !row) outs(%scores_empty : !scores) {
      ^bb0(%logit: f32, %top: f32, %unused: f32):
        %below = arith.subf %logit, %top : f32
        %exp_log2e = arith.constant 1.4426950408889634 : f32
        %exp_in_base_2 = arith.mulf %below, %exp_log2e : f32
        %exp = math.exp2 %exp_in_base_2 : f32
        linalg.yield %exp : f32
      } -> !scores
      %sum_before = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%shrink : !row) outs(%sum : !row) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !row
      %sum_next = linalg.generic {
          indexing_maps = [#element, #of_row], iterator_types = ["parallel", "reduction"]
        } ins(%exps : !scores) outs(%sum_before : !row) {
      ^bb0(%exp: f32, %total: f32):
        %more = arith.addf %total, %exp : f32
        linalg.yield %more : f32
      } -> !row
      %weights = linalg.generic {
          indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]
        } ins(%exps : !scores) outs(%weights_empty : !weights) {
      ^bb0(%exp: f32, %unused: f16):
        %weight = arith.truncf %exp : f32 to f16
        linalg.yield %weight : f16
      } -> !weights
      %acc_before = linalg.generic {
          indexing_maps = [#row_of_sum, #sum], iterator_types = ["parallel", "parallel", "parallel"]
        } ins(%shrink : !row) outs(%acc : !acc) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !acc
      %acc_next = linalg.generic {
          indexing_maps = [#weight, #column_of_value, #sum_of_values],
          iterator_types = ["parallel", "parallel", "parallel", "reduction"]
        } ins(%weights, %placed_values : !weights, !values)
          outs(%acc_before : !acc) attrs = {lowering_config = #weights_value} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !acc
      scf.yield %acc_next, %max_next, %sum_next : !acc, !row, !row
    }
    %output_tile_empty = tensor.empty() : !output_tile
    %output_tile = linalg.generic {
        indexing_maps = [#sum, #row_of_sum, #row_of_sum, #row_of_sum, #sum],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc_end, %max_end, %sum_end, %read_sinks : !acc, !row, !row, !row)
      outs(%output_tile_empty : !output_tile) {
    ^bb0(%weighted: f32, %max: f32, %sum: f32, %sink: f32, %unused: f16):
      %sink_unit = arith.constant 1.0 : f32
      %sink_logit = arith.mulf %sink, %sink_unit : f32
      %max_with_sink = arith.maxnumf %max, %sink_logit : f32
      %max_below = arith.subf %max, %max_with_sink : f32
        %sink_factor_log2e = arith.constant 1.4426950408889634 : f32
        %sink_factor_in_base_2 = arith.mulf %max_below, %sink_factor_log2e : f32
        %sink_factor = math.exp2 %sink_factor_in_base_2 : f32
      %sink_below = arith.subf %sink_logit, %max_with_sink : f32
        %sink_exp_log2e = arith.constant 1.4426950408889634 : f32
        %sink_exp_in_base_2 = arith.mulf %sink_below, %sink_exp_log2e : f32
        %sink_exp = math.exp2 %sink_exp_in_base_2 : f32
      %sum_shrunk = arith.mulf %sum, %sink_factor : f32
      %sum_with_sink = arith.addf %sum_shrunk, %sink_exp : f32
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %share = arith.mulf %weighted, %sink_factor : f32
      %quotient = arith.divf %share, %sum_with_sink : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
    %mean_stored = arith.truncf %mean : f32 to f16
      linalg.yield %mean_stored : f16
    } -> !output_tile
    %empty_output_rows_stored = tensor.empty(%rows_here) : tensor<?x80xf16>
    %output_rows_stored = iree_linalg_ext.map_store %output_tile into %empty_output_rows_stored {
    ^bb0(%m: index, %chunk: index, %in_chunk: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
        %whole_start = affine.apply affine_map<(c) -> (c * 16)>(%chunk)
        %last_start = arith.constant 64 : index
        %start = arith.minsi %whole_start, %last_start : index
        %column = affine.apply affine_map<(s, n) -> (s + n)>(%start, %in_chunk)
      iree_linalg_ext.yield %m, %column, %is_row
        : index, index, i1
    } : tensor<64x5x16xf16> into tensor<?x80xf16> -> tensor<?x80xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 80] [1, 1]
        : tensor<?x80xf16> into tensor<77x640xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [77, 640], strides = [1, 1]
      : tensor<77x640xf16> -> !output_rows_out
    return
  }
  }
}
func.func @packed_attention(%query: !query, %key: !key, %value: !value, %cu_seqlens_q: !cu_seqlens_q, %cu_seqlens_k: !cu_seqlens_k, %alibi_slopes: !alibi_slopes, %bias: !bias, %sinks: !sinks) -> !output {
  %query_elements = tensor.collapse_shape %query [[0, 1, 2]]
    : tensor<77x8x80xf16> into tensor<49280xf16>
  %query_rows = tensor.expand_shape %query_elements [[0, 1]]
    output_shape [3080, 16] : tensor<49280xf16> into tensor<3080x16xf16>
  %key_elements = tensor.collapse_shape %key [[0, 1, 2]]
    : tensor<128x2x80xf16> into tensor<20480xf16>
  %key_rows = tensor.expand_shape %key_elements [[0, 1]]
    output_shape [1280, 16] : tensor<20480xf16> into tensor<1280x16xf16>
  %value_elements = tensor.collapse_shape %value [[0, 1, 2]]
    : tensor<128x2x80xf16> into tensor<20480xf16>
  %value_rows = tensor.expand_shape %value_elements [[0, 1]]
    output_shape [1280, 16] : tensor<20480xf16> into tensor<1280x16xf16>
  %bias_rows = tensor.collapse_shape %bias [[0, 1, 2]]
    : tensor<8x77x128xf16> into tensor<78848xf16>
  %made = flow.dispatch @packed_attention_kernel::@packed_attention_kernel(
      %query_rows, %key_rows, %value_rows, %cu_seqlens_q, %cu_seqlens_k, %alibi_slopes, %bias_rows, %sinks
    ) : (
      tensor<3080x16xf16>,
      tensor<1280x16xf16>,
      tensor<1280x16xf16>,
      tensor<4xi32>,
      tensor<4xi32>,
      tensor<8xf32>,
      tensor<78848xf16>,
      tensor<8xf32>
    ) -> tensor<77x640xf16>
  %output = tensor.expand_shape %made [[0], [1, 2]]
    output_shape [77, 8, 80] : tensor<77x640xf16> into tensor<77x8x80xf16>
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
    %sinks: !sinks
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @packed_attention(%query, %key, %value, %cu_seqlens_q, %cu_seqlens_k, %alibi_slopes, %bias, %sinks)
    : (!query, !key, !value, !cu_seqlens_q, !cu_seqlens_k, !alibi_slopes, !bias, !sinks) -> (!output)
  util.return %output : !output
}
