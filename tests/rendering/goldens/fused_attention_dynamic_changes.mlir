// Attention as one kernel of tensors.
!query = tensor<?x8x33x80xf16>
!key = tensor<?x2x?x80xf16>
!value = tensor<?x2x?x40xf16>
!q_lens = tensor<?xi32>
!context_lens = tensor<?xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<1x8x33x?xf16>
!sinks = tensor<8xf32>
!output = tensor<?x8x33x40xf16>
!lse = tensor<?x8x33xf32>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x16xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x16xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf16>>
!q_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!alibi_slopes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!bias_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf16>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x40xf16>>
!lse_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>
!query_tile = tensor<64x5x16xf16>
!key_tile = tensor<32x5x16xf16>
!value_tile = tensor<32x3x16xf16>
!values = tensor<3x16x32xf16>
!scores = tensor<64x32xf32>
!weights = tensor<64x32xf16>
!acc = tensor<64x3x16xf32>
!row = tensor<64xf32>
!output_tile = tensor<64x3x16xf16>
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
  subgroup_tile = [1, 4, 1], batch_tile = [3, 1, 4],
  outer_tile = [1, 1, 1],
  thread_tile = [1, 4, 8], element_tile = [1, 1, 1],
  subgroup_strides = [0, 1, 0], thread_strides = [0, 1, 4]>
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
flow.executable private @attention_kernel {
  flow.executable.export public @attention_kernel
      workgroups(%batch_dim: index, %kv_len_dim: index, %query_rows_dim: index, %key_rows_dim: index, %value_rows_dim: index, %q_lens_dim: index, %context_lens_dim: index, %bias_rows_dim: index, %output_rows_dim: index, %lse_rows_dim: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim, %kv_len_dim, %query_rows_dim, %key_rows_dim, %value_rows_dim, %q_lens_dim, %context_lens_dim, %bias_rows_dim, %output_rows_dim, %lse_rows_dim)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @attention_kernel(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %q_lens_in: !q_lens_in,
      %context_lens_in: !context_lens_in,
      %alibi_slopes_in: !alibi_slopes_in,
      %bias_rows_in: !bias_rows_in,
      %sinks_in: !sinks_in,
      %batch_dim_in: index,
      %kv_len_dim_in: index,
      %query_rows_dim_in: index,
      %key_rows_dim_in: index,
      %value_rows_dim_in: index,
      %q_lens_dim_in: index,
      %context_lens_dim_in: index,
      %bias_rows_dim_in: index,
      %output_rows_dim_in: index,
      %lse_rows_dim_in: index,
      %output_rows_out: !output_rows_out,
      %lse_rows_out: !lse_rows_out
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal
      %batch_dim_in, 0 : index
    %kv_len_dim = iree_tensor_ext.dispatch.workload.ordinal
      %kv_len_dim_in, 1 : index
    %query_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %query_rows_dim_in, 2 : index
    %key_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %key_rows_dim_in, 3 : index
    %value_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %value_rows_dim_in, 4 : index
    %q_lens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %q_lens_dim_in, 5 : index
    %context_lens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %context_lens_dim_in, 6 : index
    %bias_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %bias_rows_dim_in, 7 : index
    %output_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %output_rows_dim_in, 8 : index
    %lse_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %lse_rows_dim_in, 9 : index
    %query_rows_tied = flow.dispatch.tie_shape %query_rows_in
      : !query_rows_in{%query_rows_dim}
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_tied,
      offsets = [0, 0], sizes = [%query_rows_dim, 16], strides = [1, 1]
      : !query_rows_in{%query_rows_dim} -> tensor<?x16xf16>
    %key_rows_tied = flow.dispatch.tie_shape %key_rows_in
      : !key_rows_in{%key_rows_dim}
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_tied,
      offsets = [0, 0], sizes = [%key_rows_dim, 16], strides = [1, 1]
      : !key_rows_in{%key_rows_dim} -> tensor<?x16xf16>
    %value_rows_tied = flow.dispatch.tie_shape %value_rows_in
      : !value_rows_in{%value_rows_dim}
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_tied,
      offsets = [0], sizes = [%value_rows_dim], strides = [1]
      : !value_rows_in{%value_rows_dim} -> tensor<?xf16>
    %q_lens_tied = flow.dispatch.tie_shape %q_lens_in
      : !q_lens_in{%q_lens_dim}
    %q_lens = iree_tensor_ext.dispatch.tensor.load %q_lens_tied,
      offsets = [0], sizes = [%q_lens_dim], strides = [1]
      : !q_lens_in{%q_lens_dim} -> tensor<?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !context_lens_in{%context_lens_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%context_lens_dim], strides = [1]
      : !context_lens_in{%context_lens_dim} -> tensor<?xi32>
    %alibi_slopes = iree_tensor_ext.dispatch.tensor.load %alibi_slopes_in,
      offsets = [0], sizes = [8], strides = [1]
      : !alibi_slopes_in -> tensor<8xf32>
    %bias_rows_tied = flow.dispatch.tie_shape %bias_rows_in
      : !bias_rows_in{%bias_rows_dim}
    %bias_rows = iree_tensor_ext.dispatch.tensor.load %bias_rows_tied,
      offsets = [0], sizes = [%bias_rows_dim], strides = [1]
      : !bias_rows_in{%bias_rows_dim} -> tensor<?xf16>
    %sinks = iree_tensor_ext.dispatch.tensor.load %sinks_in,
      offsets = [0], sizes = [8], strides = [1]
      : !sinks_in -> tensor<8xf32>
    %output_rows_empty = tensor.empty(%output_rows_dim) : tensor<?x40xf16>
    %lse_rows_empty = tensor.empty(%lse_rows_dim) : tensor<?xf32>
    %heads = arith.constant 2 : index
    %rows_of_head = arith.constant 132 : index
    %parts = arith.constant 1 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 64 * p)>()[%rows_of_head, %parts]
    %workgroups:2 =
      scf.forall (%b, %x, %i) in (%batch_dim, %heads, %tiles)
        shared_outs(%output_rows_all = %output_rows_empty, %lse_rows_all = %lse_rows_empty) -> (tensor<?x40xf16>, tensor<?xf32>) {
    %tile = affine.apply affine_map<(i) -> (i)>(%i)
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %kv_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %kv_head)
    %key_base = arith.muli %kv_head_of_all, %kv_len_dim : index
    %q_len_i32 = tensor.extract %q_lens[%b] : tensor<?xi32>
    %q_len = arith.index_cast %q_len_i32 : i32 to index
    %most_keys_index = affine.apply affine_map<()[n] -> (n)>()[%kv_len_dim]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<?xi32>
    %context_len_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len = arith.index_cast %context_len_kept : i32 to index
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
    %first_query = arith.constant 0 : index
    %query_end = affine.apply affine_map<(n) -> (n)>(%q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    %begin = affine.max affine_map<(a) -> (a)>(%none)
    %end = affine.min affine_map<(a) -> (a)>(%keys_end)
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
      %stride = arith.constant 1 : i32
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
        ins(%query_rows, %places_of_query : tensor<?x16xf16>, tensor<64x5xi32>)
        outs(%empty_query : !query_tile) -> !query_tile
    %positions = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %queries = arith.constant 33 : i32
      %query = arith.remsi %row, %queries : i32
      %position = arith.addi %first, %query : i32
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
        %q_head = affine.apply
          affine_map<(r, x)
          -> (x * 4 + r floordiv 33)>(%row, %x)
        %step_h = affine.apply
          affine_map<(i)[]
          -> (i * 1)>(%q_head)
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
        %q_head = affine.apply
          affine_map<(r, x)
          -> (x * 4 + r floordiv 33)>(%row, %x)
        %step_h = affine.apply
          affine_map<(i)[]
          -> (i * 1)>(%q_head)
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
        %number = affine.apply
          affine_map<(b, k) -> (b + k * 1)>(%key_base, %real_key)
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
        ins(%key_rows, %places_of_keys : tensor<?x16xf16>, tensor<32x5xi32>)
        outs(%empty_keys : !key_tile) -> !key_tile
      %empty_values = tensor.empty() : !value_tile
      %empty_places_of_values = tensor.empty() : tensor<32x3x16xi32>
      %places_of_values = linalg.generic {
          indexing_maps = [
            affine_map<(r, e, n) -> (r)>, affine_map<(r, e, n) -> (r, e, n)>],
          iterator_types = ["parallel", "parallel", "parallel"]
        } ins(%key_numbers : !key_numbers) outs(%empty_places_of_values : tensor<32x3x16xi32>) {
      ^bb0(%number: i32, %unused: i32):
        %row = arith.index_cast %number : i32 to index
        %chunk = linalg.index 1 : index
        %in_chunk = linalg.index 2 : index
        %whole_start = affine.apply affine_map<(c) -> (c * 16)>(%chunk)
        %last_start = arith.constant 24 : index
        %start = arith.minsi %whole_start, %last_start : index
        %column = affine.apply affine_map<(s, n) -> (s + n)>(%start, %in_chunk)
        %place = affine.apply affine_map<(r, n) -> (r * 40 + n)>(%row, %column)
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> tensor<32x3x16xi32>
      %read_values = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_rows, %places_of_values : tensor<?xf16>, tensor<32x3x16xi32>)
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
        %q_head = affine.apply
          affine_map<(r, x)
          -> (x * 4 + r floordiv 33)>(%row, %x)
        %step_h = affine.apply
          affine_map<(i)[a]
          -> (i * a * 33)>(%q_head)
          [%kv_len_dim]
        %number1 = arith.addi %number0, %step_h : index
        %query_token = affine.apply affine_map<(r) -> (r mod 33)>(%row)
        %step_q = affine.apply
          affine_map<(i)[a]
          -> (i * a * 1)>(%query_token)
          [%kv_len_dim]
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
        ins(%bias_rows, %numbers_of_bias : tensor<?xf16>, tensor<64x32xi32>)
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
        %queries_end = arith.addi %first_position, %q_len : index
        %queries_end_i32 = arith.index_cast %queries_end : index to i32
        %query_is_real = arith.cmpi slt, %position, %queries_end_i32 : i32
        %seen2 = arith.andi %seen1, %query_is_real : i1
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
    %lse_tile = linalg.generic {
        indexing_maps = [#each, #each, #each, #each], iterator_types = ["parallel"]
      } ins(%max_end, %sum_end, %read_sinks : !row, !row, !row)
      outs(%row_empty : !row) {
    ^bb0(%max: f32, %sum: f32, %sink: f32, %unused: f32):
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
      %log = math.log %sum_with_sink : f32
      %unit = arith.constant 1.0 : f32
      %max_natural = arith.mulf %max_with_sink, %unit : f32
      %lse = arith.addf %max_natural, %log : f32
      linalg.yield %lse : f32
    } -> !row
    %empty_output_rows_stored = tensor.empty(%rows_here) : tensor<?x40xf16>
    %output_rows_stored = iree_linalg_ext.map_store %output_tile into %empty_output_rows_stored {
    ^bb0(%m: index, %chunk: index, %in_chunk: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
        %whole_start = affine.apply affine_map<(c) -> (c * 16)>(%chunk)
        %last_start = arith.constant 24 : index
        %start = arith.minsi %whole_start, %last_start : index
        %column = affine.apply affine_map<(s, n) -> (s + n)>(%start, %in_chunk)
      iree_linalg_ext.yield %m, %column, %is_row
        : index, index, i1
    } : tensor<64x3x16xf16> into tensor<?x40xf16> -> tensor<?x40xf16>
    %empty_lse_rows_stored = tensor.empty(%rows_here) : tensor<?xf32>
    %lse_rows_stored = iree_linalg_ext.map_store %lse_tile into %empty_lse_rows_stored {
    ^bb0(%m: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
      iree_linalg_ext.yield %m, %is_row
        : index, i1
    } : tensor<64xf32> into tensor<?xf32> -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %none]
        [%rows_here, 40] [1, 1]
        : tensor<?x40xf16> into tensor<?x40xf16>
      tensor.parallel_insert_slice %lse_rows_stored
        into %lse_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<?xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    %output_rows_tied = flow.dispatch.tie_shape %output_rows_out
      : !output_rows_out{%output_rows_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_rows_tied,
      offsets = [0, 0], sizes = [%output_rows_dim, 40], strides = [1, 1]
      : tensor<?x40xf16> -> !output_rows_out{%output_rows_dim}
    %lse_rows_tied = flow.dispatch.tie_shape %lse_rows_out
      : !lse_rows_out{%lse_rows_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_rows_tied,
      offsets = [0], sizes = [%lse_rows_dim], strides = [1]
      : tensor<?xf32> -> !lse_rows_out{%lse_rows_dim}
    return
  }
  }
}
func.func @attention(%query_given: !query, %key_given: !key, %value_given: !value, %q_lens_given: !q_lens, %context_lens_given: !context_lens, %alibi_slopes: !alibi_slopes, %bias_given: !bias, %sinks: !sinks) -> (!output, !lse) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %query_given, %batch_axis : !query
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %kv_len_axis = arith.constant 2 : index
  %kv_len_given = tensor.dim %key_given, %kv_len_axis : !key
  %kv_len_dim = util.assume.int %kv_len_given
    <umin = 64, umax = 128, udiv = 64> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%batch_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%batch_dim, %kv_len_dim}
  %value = flow.tensor.tie_shape %value_given
    : !value{%batch_dim, %kv_len_dim}
  %q_lens = flow.tensor.tie_shape %q_lens_given
    : !q_lens{%batch_dim}
  %context_lens = flow.tensor.tie_shape %context_lens_given
    : !context_lens{%batch_dim}
  %bias = flow.tensor.tie_shape %bias_given
    : !bias{%kv_len_dim}
  %query_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 1320)>()[%batch_dim]
  %key_rows_dim = affine.apply
    affine_map<()[a, b]
    -> (a * b * 10)>()[%batch_dim, %kv_len_dim]
  %value_rows_dim = affine.apply
    affine_map<()[a, b]
    -> (a * b * 80)>()[%batch_dim, %kv_len_dim]
  %q_lens_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%batch_dim]
  %context_lens_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%batch_dim]
  %bias_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 264)>()[%kv_len_dim]
  %output_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 264)>()[%batch_dim]
  %lse_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 264)>()[%batch_dim]
  %query_elements = tensor.collapse_shape %query [[0, 1, 2, 3]]
    : tensor<?x8x33x80xf16> into tensor<?xf16>
  %query_rows = tensor.expand_shape %query_elements [[0, 1]]
    output_shape [%query_rows_dim, 16] : tensor<?xf16> into tensor<?x16xf16>
  %key_elements = tensor.collapse_shape %key [[0, 1, 2, 3]]
    : tensor<?x2x?x80xf16> into tensor<?xf16>
  %key_rows = tensor.expand_shape %key_elements [[0, 1]]
    output_shape [%key_rows_dim, 16] : tensor<?xf16> into tensor<?x16xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2, 3]]
    : tensor<?x2x?x40xf16> into tensor<?xf16>
  %bias_rows = tensor.collapse_shape %bias [[0, 1, 2, 3]]
    : tensor<1x8x33x?xf16> into tensor<?xf16>
  %made:2 = flow.dispatch @attention_kernel::@attention_kernel[%batch_dim, %kv_len_dim, %query_rows_dim, %key_rows_dim, %value_rows_dim, %q_lens_dim, %context_lens_dim, %bias_rows_dim, %output_rows_dim, %lse_rows_dim](
      %query_rows, %key_rows, %value_rows, %q_lens, %context_lens, %alibi_slopes, %bias_rows, %sinks, %batch_dim, %kv_len_dim, %query_rows_dim, %key_rows_dim, %value_rows_dim, %q_lens_dim, %context_lens_dim, %bias_rows_dim, %output_rows_dim, %lse_rows_dim
    ) : (
      tensor<?x16xf16>{%query_rows_dim},
      tensor<?x16xf16>{%key_rows_dim},
      tensor<?xf16>{%value_rows_dim},
      tensor<?xi32>{%q_lens_dim},
      tensor<?xi32>{%context_lens_dim},
      tensor<8xf32>,
      tensor<?xf16>{%bias_rows_dim},
      tensor<8xf32>,
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index
    ) -> (tensor<?x40xf16>{%output_rows_dim}, tensor<?xf32>{%lse_rows_dim})
  %output = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [%batch_dim, 8, 33, 40] : tensor<?x40xf16> into tensor<?x8x33x40xf16>
  %lse = tensor.expand_shape %made#1 [[0, 1, 2]]
    output_shape [%batch_dim, 8, 33] : tensor<?xf32> into tensor<?x8x33xf32>
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
    %alibi_slopes: !alibi_slopes,
    %bias: !bias,
    %sinks: !sinks
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @attention(%query, %key, %value, %q_lens, %context_lens, %alibi_slopes, %bias, %sinks)
    : (!query, !key, !value, !q_lens, !context_lens, !alibi_slopes, !bias, !sinks) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
