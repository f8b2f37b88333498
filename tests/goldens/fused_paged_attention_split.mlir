// Attention over a block cache as one kernel, and a merge of parts of the keys.
!query = tensor<2x8x1x64xf16>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x32xi32>
!context_lens = tensor<2xi32>
!sinks = tensor<8xf32>
!output = tensor<2x8x1x64xf16>
!query_tile = tensor<16x64xf16>
!key_tile = tensor<32x64xf16>
!value_tile = tensor<32x64xf16>
!values = tensor<64x32xf16>
!scores = tensor<16x32xf32>
!weights = tensor<16x32xf16>
!acc = tensor<16x64xf32>
!row = tensor<16xf32>
!output_tile = tensor<16x64xf16>
!query_numbers = tensor<16xi32>
!key_numbers = tensor<32xi32>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x64xf16>>
!key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xi32>>
!context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!sinks_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
!part_acc_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x64xf32>>
!part_max_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32xf32>>
!part_sum_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32xf32>>
// m row of the tile, t key of the step
#element = affine_map<(m, t) -> (m, t)>
#of_row = affine_map<(m, t) -> (m)>
#of_key = affine_map<(m, t) -> (t)>
#each = affine_map<(m) -> (m)>
#row_of_query = affine_map<(m, t, k) -> (m, k)>
#row_of_key = affine_map<(m, t, k) -> (t, k)>
#score = affine_map<(m, t, k) -> (m, t)>
#weight = affine_map<(m, n, t) -> (m, t)>
#column_of_value = affine_map<(m, n, t) -> (n, t)>
#sum_of_values = affine_map<(m, n, t) -> (m, n)>
#sum = affine_map<(m, n) -> (m, n)>
#row_of_sum = affine_map<(m, n) -> (m)>
#query_key = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0], reduction = [0, 0, 0],
  subgroup_basis = [[1, 2, 1], [0, 1, 2]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#weights_value = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0], reduction = [0, 0, 0],
  subgroup_basis = [[1, 2, 1], [0, 1, 2]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #query_key,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [64, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
#key_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [4, 1],
  outer_tile = [1, 1],
  thread_tile = [8, 8], element_tile = [1, 8],
  subgroup_strides = [0, 0], thread_strides = [8, 1]>
#value_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 4],
  outer_tile = [1, 1],
  thread_tile = [4, 8], element_tile = [8, 1],
  subgroup_strides = [1, 0], thread_strides = [1, 4]>
!part_acc = tensor<2x2x2x4x64xf32>
!part_max = tensor<2x2x2x4xf32>
!part_sum = tensor<2x2x2x4xf32>
!merged_row = tensor<64xf16>
!merged_lse = tensor<1xf32>
!part_acc_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x2x4x64xf32>>
!part_max_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x2x4xf32>>
!part_sum_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x2x2x4xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf16>>
#each_column = affine_map<(n) -> (n)>
#parts = affine_map<(b, x, p, m) -> (p)>
#parts_of_column = affine_map<(b, x, p, m, n) -> (p)>
#merge = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{thread = [1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [64, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
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
      offsets = [0], sizes = [64], strides = [1]
      : !block_table_rows_in -> tensor<64xi32>
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
    %keys_of_head = arith.constant 512 : index
    %q_len = arith.constant 1 : index
    %pages = arith.constant 32 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 16 * p)>()[%rows_of_head, %parts]
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%part_acc_rows_all = %part_acc_rows_empty, %part_max_rows_all = %part_max_rows_empty, %part_sum_rows_all = %part_sum_rows_empty) -> (tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>) {
    %tile = affine.apply affine_map<(i)[p] -> (i floordiv p)>(%i)[%parts]
    %part = affine.apply affine_map<(i)[p] -> (i mod p)>(%i)[%parts]
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = affine.apply affine_map<(h) -> (h)>(%head_base)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %table_base = arith.muli %b, %pages : index
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<2xi32>
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %head_and_part = affine.apply affine_map<(x, p)[n] -> (x * n + p)>(%head, %part)[%parts]
    %part_base = arith.muli %head_and_part, %rows_of_head : index
    %result_row = arith.addi %part_base, %row_in_head : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 32 : index
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
    %part_begin = affine.apply affine_map<(p) -> (p * 256)>(%part)
    %part_end = affine.apply affine_map<(p) -> (p * 256 + 256)>(%part)
    %begin = affine.max affine_map<(a, b) -> (a, b)>(%none, %part_begin)
    %end = affine.min affine_map<(a, b, c) -> (a, b, c)>(%keys_end, %seen_end, %part_end)
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
      %query_read_empty = tensor.empty() : !query_tile
      %query_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %query_numbers : tensor<16x64xf16>, !query_numbers)
        outs(%query_read_empty : !query_tile) -> !query_tile
    %positions = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %queries = arith.constant 1 : i32
      %query = arith.remsi %row, %queries : i32
      %position = arith.addi %first, %query : i32
      linalg.yield %position : i32
    } -> !query_numbers
      %sinks_numbers_empty = tensor.empty() : tensor<16xi32>
      %sinks_numbers = linalg.generic {
          indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>],
          iterator_types = ["parallel"]
        } ins(%rows_in_head : !query_numbers)
        outs(%sinks_numbers_empty : tensor<16xi32>) {
      ^bb0(%row_i32: i32, %unused: i32):
        %row = arith.index_cast %row_i32 : i32 to index
        %number0 = arith.constant 0 : index
        %at_h = affine.apply
          affine_map<(r, x)
          -> (x * 4 + r floordiv 1)>(%row, %x)
        %step_h = affine.apply
          affine_map<(i)[]
          -> (i * 1)>(%at_h)
          []
        %number1 = arith.addi %number0, %step_h : index
        %number = arith.index_cast %number1 : index to i32
        linalg.yield %number : i32
      } -> tensor<16xi32>
      %sinks_read_empty = tensor.empty() : tensor<16xf32>
      %sinks_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%sinks, %sinks_numbers : tensor<8xf32>, tensor<16xi32>)
        outs(%sinks_read_empty : tensor<16xf32>) -> tensor<16xf32>
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %acc_empty = tensor.empty() : !acc
    %row_empty = tensor.empty() : !row
    %scores_empty = tensor.empty() : !scores
    %weights_empty = tensor.empty() : !weights
    %acc_start = linalg.fill ins(%zero : f32) outs(%acc_empty : !acc) -> !acc
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
    %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !row) -> !row
    %state:3 = scf.for %t0 = %begin to %end step %keys_of_step
        iter_args(%acc = %acc_start, %max = %max_start, %sum = %sum_start) -> (!acc, !row, !row) {
      %key_numbers_empty = tensor.empty() : !key_numbers
      %table_places = linalg.generic {indexing_maps = [#each], iterator_types = ["parallel"]}
        outs(%key_numbers_empty : !key_numbers) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %page = affine.apply affine_map<(t) -> (t floordiv 16)>(%real_key)
        %place = arith.addi %table_base, %page : index
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> !key_numbers
      %blocks_empty = tensor.empty() : !key_numbers
      %blocks = iree_linalg_ext.gather dimension_map = [0]
        ins(%block_table_rows, %table_places : tensor<64xi32>, !key_numbers)
        outs(%blocks_empty : !key_numbers) -> !key_numbers
      %key_numbers = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
        ins(%blocks : !key_numbers) outs(%key_numbers_empty : !key_numbers) {
      ^bb0(%block_i32: i32, %unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %slot = affine.apply affine_map<(t) -> (t mod 16)>(%real_key)
        %block = arith.index_cast %block_i32 : i32 to index
        %number = affine.apply
          affine_map<(p, h, s)
          -> ((p * 2 + h) * 16 + s)>(%block, %kv_head, %slot)
        %number_i32 = arith.index_cast %number : index to i32
        linalg.yield %number_i32 : i32
      } -> !key_numbers
      %keys_read_empty = tensor.empty() : !key_tile
      %keys_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_cache_rows, %key_numbers : tensor<288x64xf16>, !key_numbers)
        outs(%keys_read_empty : !key_tile) -> !key_tile
      %values_read_empty = tensor.empty() : !value_tile
      %values_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_cache_rows, %key_numbers : tensor<288x64xf16>, !key_numbers)
        outs(%values_read_empty : !value_tile) -> !value_tile
      %keys = iree_vector_ext.to_layout %keys_read to layout(#key_layout) : !key_tile
      // Values are turned on their way to the product, which takes neighbours along the keys.
      %turned_empty = tensor.empty() : !values
      %turned = linalg.transpose ins(%values_read : !value_tile) outs(%turned_empty : !values)
        permutation = [1, 0]
      %values = iree_vector_ext.to_layout %turned to layout(#value_layout) : !values
      %scores_start = linalg.fill ins(%zero : f32) outs(%scores_empty : !scores) -> !scores
      %scores = linalg.generic {
          indexing_maps = [#row_of_query, #row_of_key, #score],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%query_read, %keys
          : !query_tile, !key_tile)
          outs(%scores_start : !scores) attrs = {compilation_info = #tile} {
      ^bb0(%left: f16, %right: f16, %total: f32):
        %left_f32 = arith.extf %left : f16 to f32
        %right_f32 = arith.extf %right : f16 to f32
        %product = arith.mulf %left_f32, %right_f32 : f32
        %more = arith.addf %total, %product : f32
        linalg.yield %more : f32
      } -> !scores
      %logits = linalg.generic {
          indexing_maps = [#element, #of_row, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions
          : !scores, !query_numbers)
        outs(%scores_empty : !scores) {
      ^bb0(%score: f32, %position: i32, %unused: f32):
        %scale = arith.constant 0.18033688011112042 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
        %seen0 = arith.constant true
        %keys_end_i32 = arith.index_cast %context_len : index to i32
        %key_is_real = arith.cmpi slt, %token, %keys_end_i32 : i32
        %seen1 = arith.andi %seen0, %key_is_real : i1
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen2 = arith.andi %seen1, %ahead_is_seen : i1
        %logit = arith.select %seen2, %logit0, %minus_inf : f32
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
        %factor = math.exp2 %below : f32
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
        %exp = math.exp2 %below : f32
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
          indexing_maps = [#row_of_sum, #sum], iterator_types = ["parallel", "parallel"]
        } ins(%shrink : !row) outs(%acc : !acc) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !acc
      %acc_next = linalg.generic {
          indexing_maps = [#weight, #column_of_value, #sum_of_values],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%weights, %values : !weights, !values)
          outs(%acc_before : !acc) attrs = {lowering_config = #weights_value} {
      ^bb0(%left: f16, %right: f16, %total: f32):
        %left_f32 = arith.extf %left : f16 to f32
        %right_f32 = arith.extf %right : f16 to f32
        %product = arith.mulf %left_f32, %right_f32 : f32
        %more = arith.addf %total, %product : f32
        linalg.yield %more : f32
      } -> !acc
      scf.yield %acc_next, %max_next, %sum_next : !acc, !row, !row
    }
    %part_acc_rows_stored_empty = tensor.empty(%rows_here) : tensor<?x64xf32>
    %part_acc_rows_stored = iree_linalg_ext.map_store %state#0 into %part_acc_rows_stored_empty {
    ^bb0(%m: index, %n: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
      iree_linalg_ext.yield %m, %n, %is_row
        : index, index, i1
    } : tensor<16x64xf32> into tensor<?x64xf32> -> tensor<?x64xf32>
    %part_max_rows_stored_empty = tensor.empty(%rows_here) : tensor<?xf32>
    %part_max_rows_stored = iree_linalg_ext.map_store %state#1 into %part_max_rows_stored_empty {
    ^bb0(%m: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
      iree_linalg_ext.yield %m, %is_row
        : index, i1
    } : tensor<16xf32> into tensor<?xf32> -> tensor<?xf32>
    %part_sum_rows_stored_empty = tensor.empty(%rows_here) : tensor<?xf32>
    %part_sum_rows_stored = iree_linalg_ext.map_store %state#2 into %part_sum_rows_stored_empty {
    ^bb0(%m: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
      iree_linalg_ext.yield %m, %is_row
        : index, i1
    } : tensor<16xf32> into tensor<?xf32> -> tensor<?xf32>
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
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @paged_attention_merge(
      %part_acc_in: !part_acc_in,
      %part_max_in: !part_max_in,
      %part_sum_in: !part_sum_in,
      %sinks_in: !sinks_in,
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
    %output_rows_empty = tensor.empty() : tensor<16x64xf16>
    %sequences = arith.constant 2 : index
    %heads = arith.constant 2 : index
    %tiles = arith.constant 4 : index
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<16x64xf16>) {
    %none = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %row_number = affine.apply
      affine_map<(b, x, m) -> ((b * 2 + x) * 4 + m)>(%b, %x, %i)
    %begin1 = arith.constant 0 : index
    %end1 = arith.constant 2 : index
    %step1 = arith.constant 2 : index
    %max =
      scf.for %p = %begin1 to %end1 step %step1
        iter_args(%before = %lowest) -> (f32) {
      %maxima = vector.transfer_read %part_max[%b, %x, %p, %i], %zero
        {in_bounds = [true], permutation_map = #parts} : !part_max, vector<2xf32>
      %after = vector.reduction <maxnumf>, %maxima, %before : vector<2xf32> into f32
      scf.yield %after : f32
    }
    %sum =
      scf.for %p = %begin1 to %end1 step %step1
        iter_args(%before = %zero) -> (f32) {
      %maxima = vector.transfer_read %part_max[%b, %x, %p, %i], %zero
        {in_bounds = [true], permutation_map = #parts} : !part_max, vector<2xf32>
      %all_max = vector.broadcast %max : f32 to vector<2xf32>
      %part_below = arith.subf %maxima, %all_max : vector<2xf32>
        %part_factors = math.exp2 %part_below : vector<2xf32>
      %own = vector.transfer_read %part_sum[%b, %x, %p, %i], %zero
        {in_bounds = [true], permutation_map = #parts}
        : !part_sum, vector<2xf32>
      %part_shrunk = arith.mulf %own, %part_factors : vector<2xf32>
      %after = vector.reduction <add>, %part_shrunk, %before : vector<2xf32> into f32
      scf.yield %after : f32
    }
    %q_head = affine.apply affine_map<(x, m) -> (x * 4 + m floordiv 1)>(%x, %i)
    %sink = tensor.extract %sinks[%q_head] : !sinks
      %unit_of_sink = arith.constant 1.4426950408889634 : f32
      %sink_logit = arith.mulf %sink, %unit_of_sink : f32
      %top = arith.maxnumf %max, %sink_logit : f32
      %below = arith.subf %max, %top : f32
        %factor = math.exp2 %below : f32
      %sink_below = arith.subf %sink_logit, %top : f32
        %sink_exp = math.exp2 %sink_below : f32
      %shrunk = arith.mulf %sum, %factor : f32
      %total = arith.addf %shrunk, %sink_exp : f32
    %is_empty = arith.cmpf oeq, %sum, %zero : f32
    %merged_row_empty = tensor.empty() : !merged_row
    %merged_row = linalg.generic {indexing_maps = [#each_column], iterator_types = ["parallel"]}
      outs(%merged_row_empty : !merged_row) attrs = {compilation_info = #merge} {
    ^bb0(%unused: f16):
      %n = linalg.index 0 : index
    %acc =
      scf.for %p = %begin1 to %end1 step %step1
        iter_args(%before = %zero) -> (f32) {
      %maxima = vector.transfer_read %part_max[%b, %x, %p, %i], %zero
        {in_bounds = [true], permutation_map = #parts} : !part_max, vector<2xf32>
      %all_max = vector.broadcast %max : f32 to vector<2xf32>
      %part_below = arith.subf %maxima, %all_max : vector<2xf32>
        %part_factors = math.exp2 %part_below : vector<2xf32>
      %own = vector.transfer_read %part_acc[%b, %x, %p, %i, %n], %zero
        {in_bounds = [true], permutation_map = #parts_of_column}
        : !part_acc, vector<2xf32>
      %part_shrunk = arith.mulf %own, %part_factors : vector<2xf32>
      %after = vector.reduction <add>, %part_shrunk, %before : vector<2xf32> into f32
      scf.yield %after : f32
    }
      %share = arith.mulf %acc, %factor : f32
      %quotient = arith.divf %share, %total : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> !merged_row
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %merged_row into %output_rows_all[%row_number, %none]
        [1, 64] [1, 1] : !merged_row into tensor<16x64xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [16, 64], strides = [1, 1]
      : tensor<16x64xf16> -> !output_rows_out
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
    : tensor<2x32xi32> into tensor<64xi32>
  %made:3 = flow.dispatch @paged_attention_kernel::@paged_attention_kernel(
      %query_rows, %key_cache_rows, %value_cache_rows, %block_table_rows, %context_lens, %sinks
    ) : (
      tensor<16x64xf16>,
      tensor<288x64xf16>,
      tensor<288x64xf16>,
      tensor<64xi32>,
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
      %part_acc, %part_max, %part_sum, %sinks
    ) : (
      tensor<2x2x2x4x64xf32>,
      tensor<2x2x2x4xf32>,
      tensor<2x2x2x4xf32>,
      tensor<8xf32>
    ) -> tensor<16x64xf16>
  %output = tensor.expand_shape %merged [[0, 1, 2], [3]]
    output_shape [2, 8, 1, 64] : tensor<16x64xf16> into tensor<2x8x1x64xf16>
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @paged_attention$async(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens, %sinks: !sinks) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @paged_attention(%query, %key_cache, %value_cache, %block_table, %context_lens, %sinks) : (!query, !key_cache, !value_cache, !block_table, !context_lens, !sinks) -> (!output)
  util.return %output : !output
}
