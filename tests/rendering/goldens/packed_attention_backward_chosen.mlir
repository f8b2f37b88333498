// The gradient of attention: tiles of keys, and of the queries that see some of them.
// m query row, t key, k head column, n value column
!query = tensor<?x2x64xf16>
!key = tensor<?x1x64xf16>
!value = tensor<?x1x64xf16>
!output = tensor<?x2x64xf16>
!lse = tensor<2x?xf32>
!output_gradient = tensor<?x2x64xf16>
!cu_seqlens_q = tensor<4xi32>
!cu_seqlens_k = tensor<4xi32>
!sinks = tensor<2xf32>
!query_gradient = tensor<?x2x64xf16>
!key_gradient = tensor<?x1x64xf16>
!value_gradient = tensor<?x1x64xf16>
!sinks_gradient = tensor<2xf32>
!row_numbers = tensor<2x?xf32>
#values = affine_map<(h, m, n) -> (m, h, n)>
#value_row = affine_map<(h, m, n) -> (h, m)>
#head = affine_map<(h, m) -> (h)>
#row_of_head = affine_map<(h, m) -> (h, m)>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x64xf16>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1x64xf16>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x1x64xf16>>
!lse_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x?xf32>>
!output_gradient_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x64xf16>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!cu_seqlens_k_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!delta_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x?xf32>>
!keys_memory_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x1x1x48x64xf32>>
!turned_keys_memory_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x1x1x64x48xf32>>
!turned_values_memory_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x1x1x64x48xf32>>
!key_sums_memory_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x1x1x48x64xf32>>
!value_sums_memory_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<3x1x1x48x64xf32>>
!query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x?x64xf32>>
!key_gradient_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x1x64xf16>>
!value_gradient_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x1x64xf16>>
!delta = !row_numbers
!query_sums = tensor<2x?x64xf32>
!own_sums = tensor<2x?x64xf32>
!rows_of_64 = tensor<?x64xf16>
!keys = tensor<48x64xf32>
!turned_keys = tensor<64x48xf32>
!turned_values = tensor<64x48xf32>
!key_sums = !keys
!value_sums = tensor<48x64xf32>
!queries = tensor<60x64xf32>
!gradients = tensor<60x64xf32>
!weights = tensor<60x48xf32>
!of_scores = !weights
!of_rows = tensor<60xf32>
!columns = vector<16xf32>
!given_columns = vector<16xf16>
!block = vector<6x16xf32>
!given_block = vector<6x16xf16>
!given_square = vector<8x8xf16>
!square = vector<8x8xf32>
!scored = vector<16xf32>
!scored_bits = vector<16xi32>
!scored_flags = vector<16xi1>
!scored_bytes = vector<16xi8>
!scored_numbers = vector<16xindex>
#token = affine_map<(m, h, k) -> (m, h, k)>

func.func @packed_attention_backward(%query_given: !query, %key_given: !key, %value_given: !value, %output_given: !output, %lse_given: !lse, %output_gradient_given: !output_gradient, %cu_seqlens_q: !cu_seqlens_q, %cu_seqlens_k: !cu_seqlens_k, %sinks: !sinks) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient) {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_given = tensor.dim %query_given, %q_tokens_axis : !query
  %q_tokens_dim = util.assume.int %q_tokens_given
    <umin = 1, umax = 40, udiv = 1> : index
  %kv_tokens_axis = arith.constant 0 : index
  %kv_tokens_given = tensor.dim %key_given, %kv_tokens_axis : !key
  %kv_tokens_dim = util.assume.int %kv_tokens_given
    <umin = 1, umax = 50, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%q_tokens_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%kv_tokens_dim}
  %value = flow.tensor.tie_shape %value_given
    : !value{%kv_tokens_dim}
  %output = flow.tensor.tie_shape %output_given
    : !output{%q_tokens_dim}
  %lse = flow.tensor.tie_shape %lse_given
    : !lse{%q_tokens_dim}
  %output_gradient = flow.tensor.tie_shape %output_gradient_given
    : !output_gradient{%q_tokens_dim}
  %delta_zero = arith.constant 0.0 : f32
  %delta_empty = tensor.empty(%q_tokens_dim) : !row_numbers
  %delta_start = linalg.fill ins(%delta_zero : f32) outs(%delta_empty : !row_numbers) -> !row_numbers
  %delta = linalg.generic {
      indexing_maps = [#values, #values, #value_row],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%output, %output_gradient : !output, !output_gradient) outs(%delta_start : !row_numbers) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !row_numbers
  // Memory of workgroups: what it holds is written before it is read. Of numbers, the compiler would make
  // constants, kept as long as the module is, and copy them with each call.
  %keys_memory = flow.tensor.alloca : tensor<3x1x1x48x64xf32>
  %turned_keys_memory = flow.tensor.alloca : tensor<3x1x1x64x48xf32>
  %turned_values_memory = flow.tensor.alloca : tensor<3x1x1x64x48xf32>
  %key_sums_memory = flow.tensor.alloca : tensor<3x1x1x48x64xf32>
  %value_sums_memory = flow.tensor.alloca : tensor<3x1x1x48x64xf32>
  %padded_queries = affine.apply affine_map<(n) -> (n + 180)>(%q_tokens_dim)
  %keys_memory_left, %turned_keys_memory_left, %turned_values_memory_left, %key_sums_memory_left, %value_sums_memory_left, %query_sums, %key_made, %value_made =
    flow.dispatch @keys_memory_left_kernel::@keys_memory_left_kernel[%q_tokens_dim, %kv_tokens_dim, %padded_queries](
      %query, %key, %value, %lse, %output_gradient, %cu_seqlens_q, %cu_seqlens_k, %delta, %keys_memory, %turned_keys_memory, %turned_values_memory, %key_sums_memory, %value_sums_memory, %q_tokens_dim, %kv_tokens_dim, %padded_queries
    ) : (
      tensor<?x2x64xf16>{%q_tokens_dim},
      tensor<?x1x64xf16>{%kv_tokens_dim},
      tensor<?x1x64xf16>{%kv_tokens_dim},
      tensor<2x?xf32>{%q_tokens_dim},
      tensor<?x2x64xf16>{%q_tokens_dim},
      tensor<4xi32>,
      tensor<4xi32>,
      tensor<2x?xf32>{%q_tokens_dim},
      tensor<3x1x1x48x64xf32>,
      tensor<3x1x1x64x48xf32>,
      tensor<3x1x1x64x48xf32>,
      tensor<3x1x1x48x64xf32>,
      tensor<3x1x1x48x64xf32>,
      index,
      index,
      index
    ) -> (%keys_memory, %turned_keys_memory, %turned_values_memory, %key_sums_memory, %value_sums_memory, tensor<2x?x64xf32>{%padded_queries}, tensor<?x1x64xf16>{%kv_tokens_dim}, tensor<?x1x64xf16>{%kv_tokens_dim})
  %query_empty = tensor.empty(%q_tokens_dim) : !query_gradient
  %query_gradient = linalg.generic {
      indexing_maps = [#token], iterator_types = ["parallel", "parallel", "parallel"]
    }  outs(%query_empty : !query_gradient) {
  ^bb0(%unused: f16):
    %m = linalg.index 0 : index
    %m_i32 = arith.index_cast %m : index to i32
    %last_bound = arith.constant 3 : index
    %end_told = tensor.extract %cu_seqlens_q[%last_bound] : !cu_seqlens_q
    %is_real = arith.cmpi slt, %m_i32, %end_told : i32
    %nothing = arith.constant 0.0 : f16
    %h = linalg.index 1 : index
    %k = linalg.index 2 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sequences = arith.constant 3 : index
    %place = scf.for %s = %zero to %sequences step %one iter_args(%before = %m) -> (index) {
      %next = arith.addi %s, %one : index
      %ended_told = tensor.extract %cu_seqlens_q[%next] : !cu_seqlens_q
      %has_ended = arith.cmpi sle, %ended_told, %m_i32 : i32
      %tile = arith.constant 60 : index
      %after_any = arith.addi %before, %tile : index
      %after = arith.select %has_ended, %after_any, %before : index
      scf.yield %after : index
    }
    %sum = tensor.extract %query_sums[%h, %place, %k] : !query_sums
    %made = arith.truncf %sum : f32 to f16
    %given = arith.select %is_real, %made, %nothing : f16
    linalg.yield %given : f16
  } -> !query_gradient
  %key_empty = tensor.empty(%kv_tokens_dim) : !key_gradient
  %key_gradient = linalg.generic {
      indexing_maps = [#token, #token], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_made : !key_gradient) outs(%key_empty : !key_gradient) {
  ^bb0(%made: f16, %unused: f16):
    %m = linalg.index 0 : index
    %m_i32 = arith.index_cast %m : index to i32
    %last_bound = arith.constant 3 : index
    %end_told = tensor.extract %cu_seqlens_k[%last_bound] : !cu_seqlens_k
    %is_real = arith.cmpi slt, %m_i32, %end_told : i32
    %nothing = arith.constant 0.0 : f16
    %given = arith.select %is_real, %made, %nothing : f16
    linalg.yield %given : f16
  } -> !key_gradient
  %value_empty = tensor.empty(%kv_tokens_dim) : !value_gradient
  %value_gradient = linalg.generic {
      indexing_maps = [#token, #token], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_made : !value_gradient) outs(%value_empty : !value_gradient) {
  ^bb0(%made: f16, %unused: f16):
    %m = linalg.index 0 : index
    %m_i32 = arith.index_cast %m : index to i32
    %last_bound = arith.constant 3 : index
    %end_told = tensor.extract %cu_seqlens_k[%last_bound] : !cu_seqlens_k
    %is_real = arith.cmpi slt, %m_i32, %end_told : i32
    %nothing = arith.constant 0.0 : f16
    %given = arith.select %is_real, %made, %nothing : f16
    linalg.yield %given : f16
  } -> !value_gradient
  %sinks_empty = tensor.empty() : !sinks_gradient
  %sinks_start = linalg.fill ins(%delta_zero : f32) outs(%sinks_empty : !sinks_gradient) -> !sinks_gradient
  %sinks_gradient = linalg.generic {
      indexing_maps = [#head, #row_of_head, #row_of_head, #head],
      iterator_types = ["parallel", "reduction"]
    } ins(%sinks, %lse, %delta : !sinks, !lse, !row_numbers) outs(%sinks_start : !sinks_gradient) {
  ^bb0(%sink: f32, %lse_of_row: f32, %delta_of_row: f32, %total: f32):
    %minus_inf = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %is_empty = arith.cmpf oeq, %lse_of_row, %minus_inf : f32
    %base = arith.select %is_empty, %none, %lse_of_row : f32
    %below = arith.subf %sink, %base : f32
    // IREE 3.13.0 shares a sum among lanes where terms are added, and refuses terms that are taken away.
    %share = math.exp %below : f32
    %share_lost = arith.negf %share : f32
    // Padding has no share, whatever lies there.
    %m = linalg.index 1 : index
    %last_bound = arith.constant 3 : index
    %end_told = tensor.extract %cu_seqlens_q[%last_bound] : !cu_seqlens_q
    %m_i32 = arith.index_cast %m : index to i32
    %is_query = arith.cmpi slt, %m_i32, %end_told : i32
    %term_any = arith.mulf %share_lost, %delta_of_row : f32
    %term = arith.select %is_query, %term_any, %none : f32
    %more = arith.addf %total, %term : f32
    linalg.yield %more : f32
  } -> !sinks_gradient
  return %query_gradient, %key_gradient, %value_gradient, %sinks_gradient
    : !query_gradient, !key_gradient, !value_gradient, !sinks_gradient
}
flow.executable private @keys_memory_left_kernel {
  flow.executable.export public @keys_memory_left_kernel
      workgroups(%q_tokens_dim_asked: index, %kv_tokens_dim_asked: index, %padded_queries_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%q_tokens_dim_asked, %kv_tokens_dim_asked, %padded_queries_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @keys_memory_left_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %value_in: !value_in,
      %lse_in: !lse_in,
      %output_gradient_in: !output_gradient_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %cu_seqlens_k_in: !cu_seqlens_k_in,
      %delta_in: !delta_in,
      %keys_memory_in: !keys_memory_in,
      %turned_keys_memory_in: !turned_keys_memory_in,
      %turned_values_memory_in: !turned_values_memory_in,
      %key_sums_memory_in: !key_sums_memory_in,
      %value_sums_memory_in: !value_sums_memory_in,
      %q_tokens_dim_in: index,
      %kv_tokens_dim_in: index,
      %padded_queries_in: index,
      %query_sums_out: !query_sums_out,
      %key_gradient_out: !key_gradient_out,
      %value_gradient_out: !value_gradient_out
    ) {
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 0 : index
    %kv_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %kv_tokens_dim_in, 1 : index
    %padded_queries = iree_tensor_ext.dispatch.workload.ordinal %padded_queries_in, 2 : index
    %query_tied = flow.dispatch.tie_shape %query_in
      : !query_in{%q_tokens_dim}
    %query = iree_tensor_ext.dispatch.tensor.load %query_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 2, 64], strides = [1, 1, 1]
      : !query_in{%q_tokens_dim} -> tensor<?x2x64xf16>
    %key_tied = flow.dispatch.tie_shape %key_in
      : !key_in{%kv_tokens_dim}
    %key = iree_tensor_ext.dispatch.tensor.load %key_tied,
      offsets = [0, 0, 0], sizes = [%kv_tokens_dim, 1, 64], strides = [1, 1, 1]
      : !key_in{%kv_tokens_dim} -> tensor<?x1x64xf16>
    %value_tied = flow.dispatch.tie_shape %value_in
      : !value_in{%kv_tokens_dim}
    %value = iree_tensor_ext.dispatch.tensor.load %value_tied,
      offsets = [0, 0, 0], sizes = [%kv_tokens_dim, 1, 64], strides = [1, 1, 1]
      : !value_in{%kv_tokens_dim} -> tensor<?x1x64xf16>
    %lse_tied = flow.dispatch.tie_shape %lse_in
      : !lse_in{%q_tokens_dim}
    %lse = iree_tensor_ext.dispatch.tensor.load %lse_tied,
      offsets = [0, 0], sizes = [2, %q_tokens_dim], strides = [1, 1]
      : !lse_in{%q_tokens_dim} -> tensor<2x?xf32>
    %output_gradient_tied = flow.dispatch.tie_shape %output_gradient_in
      : !output_gradient_in{%q_tokens_dim}
    %output_gradient = iree_tensor_ext.dispatch.tensor.load %output_gradient_tied,
      offsets = [0, 0, 0], sizes = [%q_tokens_dim, 2, 64], strides = [1, 1, 1]
      : !output_gradient_in{%q_tokens_dim} -> tensor<?x2x64xf16>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_q_in -> tensor<4xi32>
    %cu_seqlens_k = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_k_in,
      offsets = [0], sizes = [4], strides = [1]
      : !cu_seqlens_k_in -> tensor<4xi32>
    %delta_tied = flow.dispatch.tie_shape %delta_in
      : !delta_in{%q_tokens_dim}
    %delta = iree_tensor_ext.dispatch.tensor.load %delta_tied,
      offsets = [0, 0], sizes = [2, %q_tokens_dim], strides = [1, 1]
      : !delta_in{%q_tokens_dim} -> tensor<2x?xf32>
    %keys_memory = iree_tensor_ext.dispatch.tensor.load %keys_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 48, 64], strides = [1, 1, 1, 1, 1]
      : !keys_memory_in -> tensor<3x1x1x48x64xf32>
    %turned_keys_memory = iree_tensor_ext.dispatch.tensor.load %turned_keys_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 64, 48], strides = [1, 1, 1, 1, 1]
      : !turned_keys_memory_in -> tensor<3x1x1x64x48xf32>
    %turned_values_memory = iree_tensor_ext.dispatch.tensor.load %turned_values_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 64, 48], strides = [1, 1, 1, 1, 1]
      : !turned_values_memory_in -> tensor<3x1x1x64x48xf32>
    %key_sums_memory = iree_tensor_ext.dispatch.tensor.load %key_sums_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 48, 64], strides = [1, 1, 1, 1, 1]
      : !key_sums_memory_in -> tensor<3x1x1x48x64xf32>
    %value_sums_memory = iree_tensor_ext.dispatch.tensor.load %value_sums_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 48, 64], strides = [1, 1, 1, 1, 1]
      : !value_sums_memory_in -> tensor<3x1x1x48x64xf32>
    %query_sums_tied = flow.dispatch.tie_shape %query_sums_out
      : !query_sums_out{%padded_queries}
    %key_gradient_tied = flow.dispatch.tie_shape %key_gradient_out
      : !key_gradient_out{%kv_tokens_dim}
    %value_gradient_tied = flow.dispatch.tie_shape %value_gradient_out
      : !value_gradient_out{%kv_tokens_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %batch = arith.constant 3 : index
    %kv_heads = arith.constant 1 : index
    %parts = arith.constant 1 : index
    %group = arith.constant 2 : index
    %head_dim = arith.constant 64 : index
    %value_dim = arith.constant 64 : index
    %lanes = arith.constant 8 : index
    %block = arith.constant 6 : index
    %columns = arith.constant 16 : index
    %head_columns = arith.constant 64 : index
    %value_columns = arith.constant 64 : index
    %key_tile = arith.constant 48 : index
    %query_tile = arith.constant 60 : index
    %scored_keys = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %padding = arith.constant 0.0 : f16
    %minus_inf = arith.constant 0xFF800000 : f32
    %plus_inf = arith.constant 0x7F800000 : f32
    %no_columns = arith.constant dense<0.0> : !columns
    %no_scores = arith.constant dense<0.0> : !scored
    %hidden = arith.constant dense<0xFF800000> : !scored
    %numbers = vector.step : !scored_numbers
    %numbers_i32 = arith.index_cast %numbers : !scored_numbers to !scored_bits
    %query_sums_empty = tensor.empty(%padded_queries) : tensor<2x?x64xf32>
    %key_gradient_empty = tensor.empty(%kv_tokens_dim) : tensor<?x1x64xf16>
    %value_gradient_empty = tensor.empty(%kv_tokens_dim) : tensor<?x1x64xf16>
    %workgroups:8 = scf.forall (%b, %x, %p) in (%batch, %kv_heads, %parts)
        shared_outs(%keys_memory_all = %keys_memory, %turned_keys_memory_all = %turned_keys_memory, %turned_values_memory_all = %turned_values_memory, %key_sums_memory_all = %key_sums_memory, %value_sums_memory_all = %value_sums_memory, %query_sums_all = %query_sums_empty, %key_gradient_all = %key_gradient_empty, %value_gradient_all = %value_gradient_empty)
        -> (tensor<3x1x1x48x64xf32>, tensor<3x1x1x64x48xf32>, tensor<3x1x1x64x48xf32>, tensor<3x1x1x48x64xf32>, tensor<3x1x1x48x64xf32>, tensor<2x?x64xf32>, tensor<?x1x64xf16>, tensor<?x1x64xf16>) {
      %first_head = affine.apply affine_map<(x) -> (x * 2)>(%x)
      %b_next = affine.apply affine_map<(b) -> (b + 1)>(%b)
      %most_query = arith.index_cast %q_tokens_dim : index to i32
      %query_first_told = tensor.extract %cu_seqlens_q[%b] : !cu_seqlens_q
      %query_end_told = tensor.extract %cu_seqlens_q[%b_next] : !cu_seqlens_q
    %first_query_token_kept = arith.minui %query_first_told, %most_query : i32
    %first_query_token = arith.index_cast %first_query_token_kept : i32 to index
    %query_end_kept = arith.minui %query_end_told, %most_query : i32
    %query_end = arith.index_cast %query_end_kept : i32 to index
      %query_count = arith.subi %query_end, %first_query_token : index
      %q_len = arith.maxsi %query_count, %none : index
      %most_key = arith.index_cast %kv_tokens_dim : index to i32
      %key_first_told = tensor.extract %cu_seqlens_k[%b] : !cu_seqlens_k
      %key_end_told = tensor.extract %cu_seqlens_k[%b_next] : !cu_seqlens_k
    %first_key_kept = arith.minui %key_first_told, %most_key : i32
    %first_key = arith.index_cast %first_key_kept : i32 to index
    %key_end_kept = arith.minui %key_end_told, %most_key : i32
    %key_end = arith.index_cast %key_end_kept : i32 to index
      %key_count = arith.subi %key_end, %first_key : index
      %kv_len = arith.maxsi %key_count, %none : index
      %first_position = arith.subi %kv_len, %q_len : index
      %part_begin = arith.constant 0 : index
      %part_end = affine.apply affine_map<(n) -> (n)>(%kv_len)
      %part_here = affine.apply affine_map<(n) -> (n)>(%kv_len)
      %own_first = affine.apply affine_map<(f, b) -> (f + b * 60)>(%first_query_token, %b)
      %own_queries = affine.apply affine_map<(n)
        -> (n ceildiv 60 * 60)>(%q_len)
      %own_empty = tensor.extract_slice %query_sums_all[%first_head, %own_first, 0]
        [2, %own_queries, 64] [1, 1, 1] : !query_sums to !own_sums
      %own_start = scf.for %g = %none to %group step %one iter_args(%of_heads = %own_empty) -> !own_sums {
        %of_head = scf.for %m = %none to %own_queries step %one iter_args(%of_rows = %of_heads) -> !own_sums {
          %of_row = scf.for %c = %none to %head_columns step %columns iter_args(%before = %of_rows) -> !own_sums {
            %after = vector.transfer_write %no_columns, %before[%g, %m, %c] {in_bounds = [true]}
              : !columns, !own_sums
            scf.yield %after : !own_sums
          }
          scf.yield %of_row : !own_sums
        }
        scf.yield %of_head : !own_sums
      }
      %key_own = tensor.extract_slice %key_gradient_all[%first_key, %x, 0]
        [%part_here, 1, 64] [1, 1, 1] : !key_gradient to !rows_of_64
      %value_own = tensor.extract_slice %value_gradient_all[%first_key, %x, 0]
        [%part_here, 1, 64] [1, 1, 1] : !value_gradient to !rows_of_64
      %keys_own = tensor.extract_slice %keys_memory_all[%b, %x, %p, 0, 0]
        [1, 1, 1, 48, 64] [1, 1, 1, 1, 1] : tensor<3x1x1x48x64xf32> to !keys
      %turned_keys_own = tensor.extract_slice %turned_keys_memory_all[%b, %x, %p, 0, 0]
        [1, 1, 1, 64, 48] [1, 1, 1, 1, 1] : tensor<3x1x1x64x48xf32> to !turned_keys
      %turned_values_own = tensor.extract_slice %turned_values_memory_all[%b, %x, %p, 0, 0]
        [1, 1, 1, 64, 48] [1, 1, 1, 1, 1] : tensor<3x1x1x64x48xf32> to !turned_values
      %key_sums_own = tensor.extract_slice %key_sums_memory_all[%b, %x, %p, 0, 0]
        [1, 1, 1, 48, 64] [1, 1, 1, 1, 1] : tensor<3x1x1x48x64xf32> to !key_sums
      %value_sums_own = tensor.extract_slice %value_sums_memory_all[%b, %x, %p, 0, 0]
        [1, 1, 1, 48, 64] [1, 1, 1, 1, 1] : tensor<3x1x1x48x64xf32> to !value_sums
      %own_done, %key_done, %value_done, %keys_done, %turned_keys_done, %turned_values_done, %key_sums_done, %value_sums_done =
          scf.for %t0 = %part_begin to %part_end step %key_tile
          iter_args(%own_of_part = %own_start, %key_of_part = %key_own, %value_of_part = %value_own,
            %keys_before = %keys_own, %turned_keys_before = %turned_keys_own, %turned_values_before = %turned_values_own, %key_sums_before = %key_sums_own, %value_sums_before = %value_sums_own) -> (!own_sums, !rows_of_64, !rows_of_64, !keys, !turned_keys, !turned_values, !key_sums, !value_sums) {
        %keys_here = affine.min affine_map<(t, n) -> (n - t, 48)>(%t0, %kv_len)
        %keys_token = arith.addi %first_key, %t0 : index
        %keys_rows = tensor.extract_slice %key[%keys_token, %x, 0]
          [%keys_here, 1, 64] [1, 1, 1] : !key to !rows_of_64
        %keys = scf.for %r = %none to %key_tile step %block iter_args(%of_rows = %keys_before) -> !keys {
          %of_block = scf.for %c = %none to %head_columns step %columns iter_args(%before = %of_rows) -> !keys {
            %read_stored = vector.transfer_read %keys_rows[%r, %c], %padding
              {in_bounds = [false, true]}
              : !rows_of_64, !given_block
    %read = arith.extf %read_stored : !given_block to !block
            %after = vector.transfer_write %read, %before[%r, %c] {in_bounds = [true, true]} : !block, !keys
            scf.yield %after : !keys
          }
          scf.yield %of_block : !keys
        }
        %turned_keys_token = arith.addi %first_key, %t0 : index
        %turned_keys_rows = tensor.extract_slice %key[%turned_keys_token, %x, 0]
          [%keys_here, 1, 64] [1, 1, 1] : !key to !rows_of_64
        %turned_keys = scf.for %j = %none to %key_tile step %lanes iter_args(%of_keys = %turned_keys_before) -> !turned_keys {
          %of_square = scf.for %c = %none to %head_columns step %lanes iter_args(%before = %of_keys) -> !turned_keys {
            %square_stored = vector.transfer_read %turned_keys_rows[%j, %c], %padding
              {in_bounds = [false, true]}
              : !rows_of_64, !given_square
    %square = arith.extf %square_stored : !given_square to !square
            %square_turned = vector.transpose %square, [1, 0] : !square to !square
            %after = vector.transfer_write %square_turned, %before[%c, %j] {in_bounds = [true, true]}
              : !square, !turned_keys
            scf.yield %after : !turned_keys
          }
          scf.yield %of_square : !turned_keys
        }
        %turned_values_token = arith.addi %first_key, %t0 : index
        %turned_values_rows = tensor.extract_slice %value[%turned_values_token, %x, 0]
          [%keys_here, 1, 64] [1, 1, 1] : !value to !rows_of_64
        %turned_values = scf.for %j = %none to %key_tile step %lanes iter_args(%of_keys = %turned_values_before) -> !turned_values {
          %of_square = scf.for %c = %none to %value_columns step %lanes iter_args(%before = %of_keys) -> !turned_values {
            %square_stored = vector.transfer_read %turned_values_rows[%j, %c], %padding
              {in_bounds = [false, true]}
              : !rows_of_64, !given_square
    %square = arith.extf %square_stored : !given_square to !square
            %square_turned = vector.transpose %square, [1, 0] : !square to !square
            %after = vector.transfer_write %square_turned, %before[%c, %j] {in_bounds = [true, true]}
              : !square, !turned_values
            scf.yield %after : !turned_values
          }
          scf.yield %of_square : !turned_values
        }
        %key_sums = scf.for %r = %none to %key_tile step %one iter_args(%of_rows = %key_sums_before) -> !key_sums {
          %of_row = scf.for %c = %none to %head_columns step %columns iter_args(%before = %of_rows) -> !key_sums {
            %after = vector.transfer_write %no_columns, %before[%r, %c] {in_bounds = [true]} : !columns, !key_sums
            scf.yield %after : !key_sums
          }
          scf.yield %of_row : !key_sums
        }
        %value_sums = scf.for %r = %none to %key_tile step %one iter_args(%of_rows = %value_sums_before) -> !value_sums {
          %of_row = scf.for %c = %none to %value_columns step %columns iter_args(%before = %of_rows) -> !value_sums {
            %after = vector.transfer_write %no_columns, %before[%r, %c] {in_bounds = [true]} : !columns, !value_sums
            scf.yield %after : !value_sums
          }
          scf.yield %of_row : !value_sums
        }
        %first_query = affine.max affine_map<(t, p) -> (t - p - 0, 0)>(%t0, %first_position)
        %queries_begin = affine.apply affine_map<(m) -> (m floordiv 60 * 60)>(%first_query)
        %queries_end = affine.apply affine_map<(n) -> (n)>(%q_len)
        %own_of_tile, %key_sums_of_tile, %value_sums_of_tile = scf.for %g = %none to %group step %one
            iter_args(%own_of_heads = %own_of_part, %key_sums_of_heads = %key_sums, %value_sums_of_heads = %value_sums)
            -> (!own_sums, !key_sums, !value_sums) {
          %head = arith.addi %first_head, %g : index
          %own_of_head, %key_sums_of_head, %value_sums_of_head = scf.for %m0 = %queries_begin to %queries_end step %query_tile
              iter_args(%own_sums_so_far = %own_of_heads, %key_sums_so_far = %key_sums_of_heads,
                %value_sums_so_far = %value_sums_of_heads)
              -> (!own_sums, !key_sums, !value_sums) {
            %queries_here = affine.min affine_map<(m, n) -> (n - m, 60)>(%m0, %q_len)
            %queries_empty = tensor.empty() : !queries
        %queries_token = arith.addi %first_query_token, %m0 : index
        %queries_rows = tensor.extract_slice %query[%queries_token, %head, 0]
          [%queries_here, 1, 64] [1, 1, 1] : !query to !rows_of_64
        %queries = scf.for %r = %none to %query_tile step %block iter_args(%of_rows = %queries_empty) -> !queries {
          %of_block = scf.for %c = %none to %head_columns step %columns iter_args(%before = %of_rows) -> !queries {
            %read_stored = vector.transfer_read %queries_rows[%r, %c], %padding
              {in_bounds = [false, true]}
              : !rows_of_64, !given_block
    %read = arith.extf %read_stored : !given_block to !block
            %after = vector.transfer_write %read, %before[%r, %c] {in_bounds = [true, true]} : !block, !queries
            scf.yield %after : !queries
          }
          scf.yield %of_block : !queries
        }
            %gradients_empty = tensor.empty() : !gradients
        %gradients_token = arith.addi %first_query_token, %m0 : index
        %gradients_rows = tensor.extract_slice %output_gradient[%gradients_token, %head, 0]
          [%queries_here, 1, 64] [1, 1, 1] : !output_gradient to !rows_of_64
        %gradients = scf.for %r = %none to %query_tile step %block iter_args(%of_rows = %gradients_empty) -> !gradients {
          %of_block = scf.for %c = %none to %value_columns step %columns iter_args(%before = %of_rows) -> !gradients {
            %read_stored = vector.transfer_read %gradients_rows[%r, %c], %padding
              {in_bounds = [false, true]}
              : !rows_of_64, !given_block
    %read = arith.extf %read_stored : !given_block to !block
            %after = vector.transfer_write %read, %before[%r, %c] {in_bounds = [true, true]} : !block, !gradients
            scf.yield %after : !gradients
          }
          scf.yield %of_block : !gradients
        }
            %bases_empty = tensor.empty() : !of_rows
            %deltas_empty = tensor.empty() : !of_rows
            %bases, %deltas = scf.for %r = %none to %query_tile step %one
                iter_args(%bases_before = %bases_empty, %deltas_before = %deltas_empty)
                -> (!of_rows, !of_rows) {
              %m_any = arith.addi %m0, %r : index
              %m = affine.min affine_map<(m, n) -> (m, n - 1)>(%m_any, %q_len)
              %m_token = arith.addi %first_query_token, %m : index
              %is_real = arith.cmpi eq, %m, %m_any : index
              %lse_of_row = tensor.extract %lse[%head, %m_token] : !lse
              %unit = arith.constant 1.4426950408889634 : f32
              %lse_in_base = arith.mulf %lse_of_row, %unit : f32
              // A row that sees nothing: any finite number makes its weights 0.
              %is_empty = arith.cmpf oeq, %lse_of_row, %minus_inf : f32
              %base_any = arith.select %is_empty, %zero, %lse_in_base : f32
              %base = arith.select %is_real, %base_any, %plus_inf : f32
              %delta_any = tensor.extract %delta[%head, %m_token] : !delta
              %delta_of_row = arith.select %is_real, %delta_any, %zero : f32
              %bases_after = tensor.insert %base into %bases_before[%r] : !of_rows
              %deltas_after = tensor.insert %delta_of_row into %deltas_before[%r] : !of_rows
              scf.yield %bases_after, %deltas_after : !of_rows, !of_rows
            }
            %scores_empty = tensor.empty() : !weights
            %scores = scf.for %n = %none to %key_tile step %scored_keys
                iter_args(%of_keys = %scores_empty) -> !weights {
            %first_seeing = affine.max affine_map<(n, t, m, p)
              -> (n + t - m - p - 0, 0)>(%n, %t0, %m0, %first_position)
              %first_block = affine.apply affine_map<(r) ->
                (r floordiv 6 * 6)>(%first_seeing)
              %of_block = scf.for %r = %first_block to %query_tile step %block iter_args(%before = %of_keys) -> !weights {
                %row0 = affine.apply affine_map<(r) -> (r + 0)>(%r)
                %start0 = arith.constant dense<0.0> : !scored
                %row1 = affine.apply affine_map<(r) -> (r + 1)>(%r)
                %start1 = arith.constant dense<0.0> : !scored
                %row2 = affine.apply affine_map<(r) -> (r + 2)>(%r)
                %start2 = arith.constant dense<0.0> : !scored
                %row3 = affine.apply affine_map<(r) -> (r + 3)>(%r)
                %start3 = arith.constant dense<0.0> : !scored
                %row4 = affine.apply affine_map<(r) -> (r + 4)>(%r)
                %start4 = arith.constant dense<0.0> : !scored
                %row5 = affine.apply affine_map<(r) -> (r + 5)>(%r)
                %start5 = arith.constant dense<0.0> : !scored
            %sum0, %sum1, %sum2, %sum3, %sum4, %sum5 = scf.for %k = %none to %head_dim step %one
                iter_args(%so_far0 = %start0, %so_far1 = %start1, %so_far2 = %start2, %so_far3 = %start3, %so_far4 = %start4, %so_far5 = %start5)
                -> (!scored, !scored, !scored, !scored, !scored, !scored) {
              %right = vector.transfer_read %turned_keys[%k, %n], %zero {in_bounds = [true]} : !turned_keys, !scored
              %left0 = tensor.extract %queries[%row0, %k] : !queries
              %lefts0 = vector.broadcast %left0 : f32 to !scored
              %more0 = vector.fma %lefts0, %right, %so_far0 : !scored
              %left1 = tensor.extract %queries[%row1, %k] : !queries
              %lefts1 = vector.broadcast %left1 : f32 to !scored
              %more1 = vector.fma %lefts1, %right, %so_far1 : !scored
              %left2 = tensor.extract %queries[%row2, %k] : !queries
              %lefts2 = vector.broadcast %left2 : f32 to !scored
              %more2 = vector.fma %lefts2, %right, %so_far2 : !scored
              %left3 = tensor.extract %queries[%row3, %k] : !queries
              %lefts3 = vector.broadcast %left3 : f32 to !scored
              %more3 = vector.fma %lefts3, %right, %so_far3 : !scored
              %left4 = tensor.extract %queries[%row4, %k] : !queries
              %lefts4 = vector.broadcast %left4 : f32 to !scored
              %more4 = vector.fma %lefts4, %right, %so_far4 : !scored
              %left5 = tensor.extract %queries[%row5, %k] : !queries
              %lefts5 = vector.broadcast %left5 : f32 to !scored
              %more5 = vector.fma %lefts5, %right, %so_far5 : !scored
              scf.yield %more0, %more1, %more2, %more3, %more4, %more5 : !scored, !scored, !scored, !scored, !scored, !scored
            }
                %after_1 = vector.transfer_write %sum0, %before[%row0, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_2 = vector.transfer_write %sum1, %after_1[%row1, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_3 = vector.transfer_write %sum2, %after_2[%row2, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_4 = vector.transfer_write %sum3, %after_3[%row3, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_5 = vector.transfer_write %sum4, %after_4[%row4, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after = vector.transfer_write %sum5, %after_5[%row5, %n] {in_bounds = [true]}
                  : !scored, !weights
                scf.yield %after : !weights
              }
              scf.yield %of_block : !weights
            }
            %of_weights_empty = tensor.empty() : !weights
            %of_weights = scf.for %n = %none to %key_tile step %scored_keys
                iter_args(%of_keys = %of_weights_empty) -> !weights {
            %first_seeing = affine.max affine_map<(n, t, m, p)
              -> (n + t - m - p - 0, 0)>(%n, %t0, %m0, %first_position)
              %first_block = affine.apply affine_map<(r) ->
                (r floordiv 6 * 6)>(%first_seeing)
              %of_block = scf.for %r = %first_block to %query_tile step %block iter_args(%before = %of_keys) -> !weights {
                %row0 = affine.apply affine_map<(r) -> (r + 0)>(%r)
                %start0 = arith.constant dense<0.0> : !scored
                %row1 = affine.apply affine_map<(r) -> (r + 1)>(%r)
                %start1 = arith.constant dense<0.0> : !scored
                %row2 = affine.apply affine_map<(r) -> (r + 2)>(%r)
                %start2 = arith.constant dense<0.0> : !scored
                %row3 = affine.apply affine_map<(r) -> (r + 3)>(%r)
                %start3 = arith.constant dense<0.0> : !scored
                %row4 = affine.apply affine_map<(r) -> (r + 4)>(%r)
                %start4 = arith.constant dense<0.0> : !scored
                %row5 = affine.apply affine_map<(r) -> (r + 5)>(%r)
                %start5 = arith.constant dense<0.0> : !scored
            %sum0, %sum1, %sum2, %sum3, %sum4, %sum5 = scf.for %k = %none to %value_dim step %one
                iter_args(%so_far0 = %start0, %so_far1 = %start1, %so_far2 = %start2, %so_far3 = %start3, %so_far4 = %start4, %so_far5 = %start5)
                -> (!scored, !scored, !scored, !scored, !scored, !scored) {
              %right = vector.transfer_read %turned_values[%k, %n], %zero {in_bounds = [true]} : !turned_values, !scored
              %left0 = tensor.extract %gradients[%row0, %k] : !gradients
              %lefts0 = vector.broadcast %left0 : f32 to !scored
              %more0 = vector.fma %lefts0, %right, %so_far0 : !scored
              %left1 = tensor.extract %gradients[%row1, %k] : !gradients
              %lefts1 = vector.broadcast %left1 : f32 to !scored
              %more1 = vector.fma %lefts1, %right, %so_far1 : !scored
              %left2 = tensor.extract %gradients[%row2, %k] : !gradients
              %lefts2 = vector.broadcast %left2 : f32 to !scored
              %more2 = vector.fma %lefts2, %right, %so_far2 : !scored
              %left3 = tensor.extract %gradients[%row3, %k] : !gradients
              %lefts3 = vector.broadcast %left3 : f32 to !scored
              %more3 = vector.fma %lefts3, %right, %so_far3 : !scored
              %left4 = tensor.extract %gradients[%row4, %k] : !gradients
              %lefts4 = vector.broadcast %left4 : f32 to !scored
              %more4 = vector.fma %lefts4, %right, %so_far4 : !scored
              %left5 = tensor.extract %gradients[%row5, %k] : !gradients
              %lefts5 = vector.broadcast %left5 : f32 to !scored
              %more5 = vector.fma %lefts5, %right, %so_far5 : !scored
              scf.yield %more0, %more1, %more2, %more3, %more4, %more5 : !scored, !scored, !scored, !scored, !scored, !scored
            }
                %after_1 = vector.transfer_write %sum0, %before[%row0, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_2 = vector.transfer_write %sum1, %after_1[%row1, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_3 = vector.transfer_write %sum2, %after_2[%row2, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_4 = vector.transfer_write %sum3, %after_3[%row3, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after_5 = vector.transfer_write %sum4, %after_4[%row4, %n] {in_bounds = [true]}
                  : !scored, !weights
                %after = vector.transfer_write %sum5, %after_5[%row5, %n] {in_bounds = [true]}
                  : !scored, !weights
                scf.yield %after : !weights
              }
              scf.yield %of_block : !weights
            }
            %weights, %of_scores = scf.for %r = %none to %query_tile step %one
                iter_args(%weights_of_rows = %scores, %of_scores_of_rows = %of_weights) -> (!weights, !of_scores) {
              %base_of_row = tensor.extract %bases[%r] : !of_rows
              %base_everywhere = vector.broadcast %base_of_row : f32 to !scored
              %delta_of_row = tensor.extract %deltas[%r] : !of_rows
              %delta_everywhere = vector.broadcast %delta_of_row : f32 to !scored
              %weights_of_row, %of_scores_of_row = scf.for %n = %none to %key_tile step %scored_keys
                  iter_args(%weights_before = %weights_of_rows, %of_scores_before = %of_scores_of_rows)
                  -> (!weights, !of_scores) {
            %score = vector.transfer_read %weights_before[%r, %n], %zero {in_bounds = [true]} : !weights, !scored
            %of_weight = vector.transfer_read %of_scores_before[%r, %n], %zero {in_bounds = [true]}
              : !of_scores, !scored
            %scale = arith.constant dense<0.18033688011112042> : !scored
            %factor = arith.constant dense<0.125> : !scored
            %scaled = arith.mulf %score, %scale : !scored
            %position = affine.apply
              affine_map<(r, m, t, n, p) -> (r + m + p - t - n)>(%r, %m0, %t0, %n, %first_position)
            %end = affine.min
              affine_map<(p, k, n) -> (k - n, p + 1)>
              (%position, %keys_here, %n)
            %end_i32 = arith.index_cast %end : index to i32
            %ends = vector.broadcast %end_i32 : i32 to !scored_bits
            %is_before_end = arith.cmpi slt, %numbers_i32, %ends : !scored_bits
            %below_any = arith.subf %scaled, %base_everywhere : !scored
            %below = arith.select %is_before_end, %below_any, %hidden : !scored_flags, !scored
          %weight_least = arith.constant dense<-127.0> : !scored
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !scored
          %weight_power = arith.select %weight_is_low, %weight_least, %below
            : !scored_flags, !scored
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !scored
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !scored
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !scored
          %weight_left = arith.subf %weight_power, %weight_whole : !scored
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !scored
          %weight_term1 = arith.constant dense<0.009671512659844018> : !scored
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !scored
          %weight_term2 = arith.constant dense<0.05550733743430322> : !scored
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !scored
          %weight_term3 = arith.constant dense<0.24022242085060824> : !scored
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !scored
          %weight_term4 = arith.constant dense<0.6931469775989539> : !scored
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !scored
          %weight_term5 = arith.constant dense<1.0> : !scored
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !scored
          %weight_number = arith.bitcast %weight_rounded : !scored to !scored_bits
          %weight_place = arith.constant dense<23> : !scored_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !scored_bits
          %weight_scale = arith.bitcast %weight_shifted : !scored_bits to !scored
          %weight = arith.mulf %weight_p5, %weight_scale
            : !scored
            %beyond = arith.subf %of_weight, %delta_everywhere : !scored
            %beyond_scaled = arith.mulf %beyond, %factor : !scored
            %of_logit = arith.mulf %weight, %beyond_scaled : !scored
            %of_score = arith.select %is_before_end, %of_logit, %no_scores : !scored_flags, !scored
            %weights_after = vector.transfer_write %weight, %weights_before[%r, %n] {in_bounds = [true]}
              : !scored, !weights
            %of_scores_after = vector.transfer_write %of_score, %of_scores_before[%r, %n] {in_bounds = [true]}
              : !scored, !of_scores
                scf.yield %weights_after, %of_scores_after : !weights, !of_scores
              }
              scf.yield %weights_of_row, %of_scores_of_row : !weights, !of_scores
            }
          %value_sums_after = scf.for %n = %none to %value_columns step %columns
              iter_args(%of_columns = %value_sums_so_far) -> !value_sums {
            %of_column = scf.for %r = %none to %key_tile step %block iter_args(%of_rows = %of_columns) -> !value_sums {
              %row0 = affine.apply affine_map<(r) -> (r + 0)>(%r)
              %query0 = affine.apply affine_map<(r, m) -> (r + m + 0)>(%r, %m0)
              %start0 = vector.transfer_read %of_rows[%row0, %n], %zero {in_bounds = [true]}
                : !value_sums, !columns
              %row1 = affine.apply affine_map<(r) -> (r + 1)>(%r)
              %query1 = affine.apply affine_map<(r, m) -> (r + m + 1)>(%r, %m0)
              %start1 = vector.transfer_read %of_rows[%row1, %n], %zero {in_bounds = [true]}
                : !value_sums, !columns
              %row2 = affine.apply affine_map<(r) -> (r + 2)>(%r)
              %query2 = affine.apply affine_map<(r, m) -> (r + m + 2)>(%r, %m0)
              %start2 = vector.transfer_read %of_rows[%row2, %n], %zero {in_bounds = [true]}
                : !value_sums, !columns
              %row3 = affine.apply affine_map<(r) -> (r + 3)>(%r)
              %query3 = affine.apply affine_map<(r, m) -> (r + m + 3)>(%r, %m0)
              %start3 = vector.transfer_read %of_rows[%row3, %n], %zero {in_bounds = [true]}
                : !value_sums, !columns
              %row4 = affine.apply affine_map<(r) -> (r + 4)>(%r)
              %query4 = affine.apply affine_map<(r, m) -> (r + m + 4)>(%r, %m0)
              %start4 = vector.transfer_read %of_rows[%row4, %n], %zero {in_bounds = [true]}
                : !value_sums, !columns
              %row5 = affine.apply affine_map<(r) -> (r + 5)>(%r)
              %query5 = affine.apply affine_map<(r, m) -> (r + m + 5)>(%r, %m0)
              %start5 = vector.transfer_read %of_rows[%row5, %n], %zero {in_bounds = [true]}
                : !value_sums, !columns
            %from = affine.max affine_map<(n, t, m, p)
              -> (n + t - m - p - 0, 0)>(%r, %t0, %m0, %first_position)
              %to = affine.apply affine_map<() -> (60)>()
            %sum0, %sum1, %sum2, %sum3, %sum4, %sum5 = scf.for %k = %from to %to step %one
                iter_args(%so_far0 = %start0, %so_far1 = %start1, %so_far2 = %start2, %so_far3 = %start3, %so_far4 = %start4, %so_far5 = %start5)
                -> (!columns, !columns, !columns, !columns, !columns, !columns) {
              %right = vector.transfer_read %gradients[%k, %n], %zero {in_bounds = [true]} : !gradients, !columns
              %left0 = tensor.extract %weights[%k, %row0] : !weights
              %lefts0 = vector.broadcast %left0 : f32 to !columns
              %more0 = vector.fma %lefts0, %right, %so_far0 : !columns
              %left1 = tensor.extract %weights[%k, %row1] : !weights
              %lefts1 = vector.broadcast %left1 : f32 to !columns
              %more1 = vector.fma %lefts1, %right, %so_far1 : !columns
              %left2 = tensor.extract %weights[%k, %row2] : !weights
              %lefts2 = vector.broadcast %left2 : f32 to !columns
              %more2 = vector.fma %lefts2, %right, %so_far2 : !columns
              %left3 = tensor.extract %weights[%k, %row3] : !weights
              %lefts3 = vector.broadcast %left3 : f32 to !columns
              %more3 = vector.fma %lefts3, %right, %so_far3 : !columns
              %left4 = tensor.extract %weights[%k, %row4] : !weights
              %lefts4 = vector.broadcast %left4 : f32 to !columns
              %more4 = vector.fma %lefts4, %right, %so_far4 : !columns
              %left5 = tensor.extract %weights[%k, %row5] : !weights
              %lefts5 = vector.broadcast %left5 : f32 to !columns
              %more5 = vector.fma %lefts5, %right, %so_far5 : !columns
              scf.yield %more0, %more1, %more2, %more3, %more4, %more5 : !columns, !columns, !columns, !columns, !columns, !columns
            }
              %of_block_1 = vector.transfer_write %sum0, %of_rows[%row0, %n] {in_bounds = [true]}
                : !columns, !value_sums
              %of_block_2 = vector.transfer_write %sum1, %of_block_1[%row1, %n] {in_bounds = [true]}
                : !columns, !value_sums
              %of_block_3 = vector.transfer_write %sum2, %of_block_2[%row2, %n] {in_bounds = [true]}
                : !columns, !value_sums
              %of_block_4 = vector.transfer_write %sum3, %of_block_3[%row3, %n] {in_bounds = [true]}
                : !columns, !value_sums
              %of_block_5 = vector.transfer_write %sum4, %of_block_4[%row4, %n] {in_bounds = [true]}
                : !columns, !value_sums
              %of_block = vector.transfer_write %sum5, %of_block_5[%row5, %n] {in_bounds = [true]}
                : !columns, !value_sums
              scf.yield %of_block : !value_sums
            }
            scf.yield %of_column : !value_sums
          }
          %key_sums_after = scf.for %n = %none to %head_columns step %columns
              iter_args(%of_columns = %key_sums_so_far) -> !key_sums {
            %of_column = scf.for %r = %none to %key_tile step %block iter_args(%of_rows = %of_columns) -> !key_sums {
              %row0 = affine.apply affine_map<(r) -> (r + 0)>(%r)
              %query0 = affine.apply affine_map<(r, m) -> (r + m + 0)>(%r, %m0)
              %start0 = vector.transfer_read %of_rows[%row0, %n], %zero {in_bounds = [true]}
                : !key_sums, !columns
              %row1 = affine.apply affine_map<(r) -> (r + 1)>(%r)
              %query1 = affine.apply affine_map<(r, m) -> (r + m + 1)>(%r, %m0)
              %start1 = vector.transfer_read %of_rows[%row1, %n], %zero {in_bounds = [true]}
                : !key_sums, !columns
              %row2 = affine.apply affine_map<(r) -> (r + 2)>(%r)
              %query2 = affine.apply affine_map<(r, m) -> (r + m + 2)>(%r, %m0)
              %start2 = vector.transfer_read %of_rows[%row2, %n], %zero {in_bounds = [true]}
                : !key_sums, !columns
              %row3 = affine.apply affine_map<(r) -> (r + 3)>(%r)
              %query3 = affine.apply affine_map<(r, m) -> (r + m + 3)>(%r, %m0)
              %start3 = vector.transfer_read %of_rows[%row3, %n], %zero {in_bounds = [true]}
                : !key_sums, !columns
              %row4 = affine.apply affine_map<(r) -> (r + 4)>(%r)
              %query4 = affine.apply affine_map<(r, m) -> (r + m + 4)>(%r, %m0)
              %start4 = vector.transfer_read %of_rows[%row4, %n], %zero {in_bounds = [true]}
                : !key_sums, !columns
              %row5 = affine.apply affine_map<(r) -> (r + 5)>(%r)
              %query5 = affine.apply affine_map<(r, m) -> (r + m + 5)>(%r, %m0)
              %start5 = vector.transfer_read %of_rows[%row5, %n], %zero {in_bounds = [true]}
                : !key_sums, !columns
            %from = affine.max affine_map<(n, t, m, p)
              -> (n + t - m - p - 0, 0)>(%r, %t0, %m0, %first_position)
              %to = affine.apply affine_map<() -> (60)>()
            %sum0, %sum1, %sum2, %sum3, %sum4, %sum5 = scf.for %k = %from to %to step %one
                iter_args(%so_far0 = %start0, %so_far1 = %start1, %so_far2 = %start2, %so_far3 = %start3, %so_far4 = %start4, %so_far5 = %start5)
                -> (!columns, !columns, !columns, !columns, !columns, !columns) {
              %right = vector.transfer_read %queries[%k, %n], %zero {in_bounds = [true]} : !queries, !columns
              %left0 = tensor.extract %of_scores[%k, %row0] : !of_scores
              %lefts0 = vector.broadcast %left0 : f32 to !columns
              %more0 = vector.fma %lefts0, %right, %so_far0 : !columns
              %left1 = tensor.extract %of_scores[%k, %row1] : !of_scores
              %lefts1 = vector.broadcast %left1 : f32 to !columns
              %more1 = vector.fma %lefts1, %right, %so_far1 : !columns
              %left2 = tensor.extract %of_scores[%k, %row2] : !of_scores
              %lefts2 = vector.broadcast %left2 : f32 to !columns
              %more2 = vector.fma %lefts2, %right, %so_far2 : !columns
              %left3 = tensor.extract %of_scores[%k, %row3] : !of_scores
              %lefts3 = vector.broadcast %left3 : f32 to !columns
              %more3 = vector.fma %lefts3, %right, %so_far3 : !columns
              %left4 = tensor.extract %of_scores[%k, %row4] : !of_scores
              %lefts4 = vector.broadcast %left4 : f32 to !columns
              %more4 = vector.fma %lefts4, %right, %so_far4 : !columns
              %left5 = tensor.extract %of_scores[%k, %row5] : !of_scores
              %lefts5 = vector.broadcast %left5 : f32 to !columns
              %more5 = vector.fma %lefts5, %right, %so_far5 : !columns
              scf.yield %more0, %more1, %more2, %more3, %more4, %more5 : !columns, !columns, !columns, !columns, !columns, !columns
            }
              %of_block_1 = vector.transfer_write %sum0, %of_rows[%row0, %n] {in_bounds = [true]}
                : !columns, !key_sums
              %of_block_2 = vector.transfer_write %sum1, %of_block_1[%row1, %n] {in_bounds = [true]}
                : !columns, !key_sums
              %of_block_3 = vector.transfer_write %sum2, %of_block_2[%row2, %n] {in_bounds = [true]}
                : !columns, !key_sums
              %of_block_4 = vector.transfer_write %sum3, %of_block_3[%row3, %n] {in_bounds = [true]}
                : !columns, !key_sums
              %of_block_5 = vector.transfer_write %sum4, %of_block_4[%row4, %n] {in_bounds = [true]}
                : !columns, !key_sums
              %of_block = vector.transfer_write %sum5, %of_block_5[%row5, %n] {in_bounds = [true]}
                : !columns, !key_sums
              scf.yield %of_block : !key_sums
            }
            scf.yield %of_column : !key_sums
          }
          %own_sums_after = scf.for %n = %none to %head_columns step %columns
              iter_args(%of_columns = %own_sums_so_far) -> !own_sums {
            %of_column = scf.for %r = %none to %query_tile step %block iter_args(%of_rows = %of_columns) -> !own_sums {
              %row0 = affine.apply affine_map<(r) -> (r + 0)>(%r)
              %query0 = affine.apply affine_map<(r, m) -> (r + m + 0)>(%r, %m0)
              %start0 = vector.transfer_read %of_rows[%g, %query0, %n], %zero {in_bounds = [true]}
                : !own_sums, !columns
              %row1 = affine.apply affine_map<(r) -> (r + 1)>(%r)
              %query1 = affine.apply affine_map<(r, m) -> (r + m + 1)>(%r, %m0)
              %start1 = vector.transfer_read %of_rows[%g, %query1, %n], %zero {in_bounds = [true]}
                : !own_sums, !columns
              %row2 = affine.apply affine_map<(r) -> (r + 2)>(%r)
              %query2 = affine.apply affine_map<(r, m) -> (r + m + 2)>(%r, %m0)
              %start2 = vector.transfer_read %of_rows[%g, %query2, %n], %zero {in_bounds = [true]}
                : !own_sums, !columns
              %row3 = affine.apply affine_map<(r) -> (r + 3)>(%r)
              %query3 = affine.apply affine_map<(r, m) -> (r + m + 3)>(%r, %m0)
              %start3 = vector.transfer_read %of_rows[%g, %query3, %n], %zero {in_bounds = [true]}
                : !own_sums, !columns
              %row4 = affine.apply affine_map<(r) -> (r + 4)>(%r)
              %query4 = affine.apply affine_map<(r, m) -> (r + m + 4)>(%r, %m0)
              %start4 = vector.transfer_read %of_rows[%g, %query4, %n], %zero {in_bounds = [true]}
                : !own_sums, !columns
              %row5 = affine.apply affine_map<(r) -> (r + 5)>(%r)
              %query5 = affine.apply affine_map<(r, m) -> (r + m + 5)>(%r, %m0)
              %start5 = vector.transfer_read %of_rows[%g, %query5, %n], %zero {in_bounds = [true]}
                : !own_sums, !columns
              %from = arith.constant 0 : index
              %to_any = affine.min affine_map<(r, m, t, p)
                -> (r + m - t + p + 6, 48)>
                (%r, %m0, %t0, %first_position)
              %to = arith.maxsi %to_any, %none : index
            %sum0, %sum1, %sum2, %sum3, %sum4, %sum5 = scf.for %k = %from to %to step %one
                iter_args(%so_far0 = %start0, %so_far1 = %start1, %so_far2 = %start2, %so_far3 = %start3, %so_far4 = %start4, %so_far5 = %start5)
                -> (!columns, !columns, !columns, !columns, !columns, !columns) {
              %right = vector.transfer_read %keys[%k, %n], %zero {in_bounds = [true]} : !keys, !columns
              %left0 = tensor.extract %of_scores[%row0, %k] : !of_scores
              %lefts0 = vector.broadcast %left0 : f32 to !columns
              %more0 = vector.fma %lefts0, %right, %so_far0 : !columns
              %left1 = tensor.extract %of_scores[%row1, %k] : !of_scores
              %lefts1 = vector.broadcast %left1 : f32 to !columns
              %more1 = vector.fma %lefts1, %right, %so_far1 : !columns
              %left2 = tensor.extract %of_scores[%row2, %k] : !of_scores
              %lefts2 = vector.broadcast %left2 : f32 to !columns
              %more2 = vector.fma %lefts2, %right, %so_far2 : !columns
              %left3 = tensor.extract %of_scores[%row3, %k] : !of_scores
              %lefts3 = vector.broadcast %left3 : f32 to !columns
              %more3 = vector.fma %lefts3, %right, %so_far3 : !columns
              %left4 = tensor.extract %of_scores[%row4, %k] : !of_scores
              %lefts4 = vector.broadcast %left4 : f32 to !columns
              %more4 = vector.fma %lefts4, %right, %so_far4 : !columns
              %left5 = tensor.extract %of_scores[%row5, %k] : !of_scores
              %lefts5 = vector.broadcast %left5 : f32 to !columns
              %more5 = vector.fma %lefts5, %right, %so_far5 : !columns
              scf.yield %more0, %more1, %more2, %more3, %more4, %more5 : !columns, !columns, !columns, !columns, !columns, !columns
            }
              %of_block_1 = vector.transfer_write %sum0, %of_rows[%g, %query0, %n] {in_bounds = [true]}
                : !columns, !own_sums
              %of_block_2 = vector.transfer_write %sum1, %of_block_1[%g, %query1, %n] {in_bounds = [true]}
                : !columns, !own_sums
              %of_block_3 = vector.transfer_write %sum2, %of_block_2[%g, %query2, %n] {in_bounds = [true]}
                : !columns, !own_sums
              %of_block_4 = vector.transfer_write %sum3, %of_block_3[%g, %query3, %n] {in_bounds = [true]}
                : !columns, !own_sums
              %of_block_5 = vector.transfer_write %sum4, %of_block_4[%g, %query4, %n] {in_bounds = [true]}
                : !columns, !own_sums
              %of_block = vector.transfer_write %sum5, %of_block_5[%g, %query5, %n] {in_bounds = [true]}
                : !columns, !own_sums
              scf.yield %of_block : !own_sums
            }
            scf.yield %of_column : !own_sums
          }
            scf.yield %own_sums_after, %key_sums_after, %value_sums_after : !own_sums, !key_sums, !value_sums
          }
          scf.yield %own_of_head, %key_sums_of_head, %value_sums_of_head : !own_sums, !key_sums, !value_sums
        }
        %first_row = arith.subi %t0, %part_begin : index
        %key_written = scf.for %j = %none to %keys_here step %one iter_args(%of_keys = %key_of_part)
            -> !rows_of_64 {
          %row = arith.addi %first_row, %j : index
          %of_key = scf.for %c = %none to %head_columns step %columns iter_args(%before = %of_keys) -> !rows_of_64 {
            %made = vector.transfer_read %key_sums_of_tile[%j, %c], %zero {in_bounds = [true]}
              : !key_sums, !columns
    %made_stored = arith.truncf %made : !columns to !given_columns
            %after = vector.transfer_write %made_stored, %before[%row, %c]
              {in_bounds = [true]} : !given_columns, !rows_of_64
            scf.yield %after : !rows_of_64
          }
          scf.yield %of_key : !rows_of_64
        }
        %value_written = scf.for %j = %none to %keys_here step %one iter_args(%of_keys = %value_of_part)
            -> !rows_of_64 {
          %row = arith.addi %first_row, %j : index
          %of_key = scf.for %c = %none to %value_columns step %columns iter_args(%before = %of_keys) -> !rows_of_64 {
            %made = vector.transfer_read %value_sums_of_tile[%j, %c], %zero {in_bounds = [true]}
              : !value_sums, !columns
    %made_stored = arith.truncf %made : !columns to !given_columns
            %after = vector.transfer_write %made_stored, %before[%row, %c]
              {in_bounds = [true]} : !given_columns, !rows_of_64
            scf.yield %after : !rows_of_64
          }
          scf.yield %of_key : !rows_of_64
        }
        scf.yield %own_of_tile, %key_written, %value_written, %keys, %turned_keys, %turned_values,
          %key_sums_of_tile, %value_sums_of_tile : !own_sums, !rows_of_64, !rows_of_64, !keys, !turned_keys, !turned_values, !key_sums, !value_sums
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %own_done into %query_sums_all[%first_head, %own_first, 0]
          [2, %own_queries, 64] [1, 1, 1] : !own_sums into !query_sums
        tensor.parallel_insert_slice %key_done into %key_gradient_all[%first_key, %x, 0]
          [%part_here, 1, 64] [1, 1, 1] : !rows_of_64 into !key_gradient
        tensor.parallel_insert_slice %value_done into %value_gradient_all[%first_key, %x, 0]
          [%part_here, 1, 64] [1, 1, 1] : !rows_of_64 into !value_gradient
        tensor.parallel_insert_slice %keys_done into %keys_memory_all[%b, %x, %p, 0, 0]
          [1, 1, 1, 48, 64] [1, 1, 1, 1, 1] : !keys into tensor<3x1x1x48x64xf32>
        tensor.parallel_insert_slice %turned_keys_done into %turned_keys_memory_all[%b, %x, %p, 0, 0]
          [1, 1, 1, 64, 48] [1, 1, 1, 1, 1] : !turned_keys into tensor<3x1x1x64x48xf32>
        tensor.parallel_insert_slice %turned_values_done into %turned_values_memory_all[%b, %x, %p, 0, 0]
          [1, 1, 1, 64, 48] [1, 1, 1, 1, 1] : !turned_values into tensor<3x1x1x64x48xf32>
        tensor.parallel_insert_slice %key_sums_done into %key_sums_memory_all[%b, %x, %p, 0, 0]
          [1, 1, 1, 48, 64] [1, 1, 1, 1, 1] : !key_sums into tensor<3x1x1x48x64xf32>
        tensor.parallel_insert_slice %value_sums_done into %value_sums_memory_all[%b, %x, %p, 0, 0]
          [1, 1, 1, 48, 64] [1, 1, 1, 1, 1] : !value_sums into tensor<3x1x1x48x64xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %keys_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 48, 64], strides = [1, 1, 1, 1, 1]
      : tensor<3x1x1x48x64xf32> -> !keys_memory_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %turned_keys_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 64, 48], strides = [1, 1, 1, 1, 1]
      : tensor<3x1x1x64x48xf32> -> !turned_keys_memory_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %turned_values_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 64, 48], strides = [1, 1, 1, 1, 1]
      : tensor<3x1x1x64x48xf32> -> !turned_values_memory_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#3, %key_sums_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 48, 64], strides = [1, 1, 1, 1, 1]
      : tensor<3x1x1x48x64xf32> -> !key_sums_memory_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#4, %value_sums_memory_in,
      offsets = [0, 0, 0, 0, 0], sizes = [3, 1, 1, 48, 64], strides = [1, 1, 1, 1, 1]
      : tensor<3x1x1x48x64xf32> -> !value_sums_memory_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#5, %query_sums_tied,
      offsets = [0, 0, 0], sizes = [2, %padded_queries, 64], strides = [1, 1, 1]
      : tensor<2x?x64xf32> -> !query_sums_out{%padded_queries}
    iree_tensor_ext.dispatch.tensor.store %workgroups#6, %key_gradient_tied,
      offsets = [0, 0, 0], sizes = [%kv_tokens_dim, 1, 64], strides = [1, 1, 1]
      : tensor<?x1x64xf16> -> !key_gradient_out{%kv_tokens_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#7, %value_gradient_tied,
      offsets = [0, 0, 0], sizes = [%kv_tokens_dim, 1, 64], strides = [1, 1, 1]
      : tensor<?x1x64xf16> -> !value_gradient_out{%kv_tokens_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @packed_attention_backward$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %output: !output,
    %lse: !lse,
    %output_gradient: !output_gradient,
    %cu_seqlens_q: !cu_seqlens_q,
    %cu_seqlens_k: !cu_seqlens_k,
    %sinks: !sinks
  ) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient) attributes {iree.abi.model = "coarse-fences"} {
  %query_gradient, %key_gradient, %value_gradient, %sinks_gradient = func.call @packed_attention_backward(%query, %key, %value, %output, %lse, %output_gradient, %cu_seqlens_q, %cu_seqlens_k, %sinks)
    : (!query, !key, !value, !output, !lse, !output_gradient, !cu_seqlens_q, !cu_seqlens_k, !sinks) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient)
  util.return %query_gradient, %key_gradient, %value_gradient, %sinks_gradient : !query_gradient, !key_gradient, !value_gradient, !sinks_gradient
}
