// Attention as one kernel of tensors.
!query = tensor<2x20x8x80xf16>
!key = tensor<2x128x2x80xf16>
!value = tensor<2x128x2x80xf16>
!offsets = tensor<2xi32>
!output = tensor<2x20x8x80xf16>
!lse = tensor<2x8x20xf32>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1600x16xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2560x16xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2560x16xf16>>
!offsets_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x640xf16>>
!lse_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<320xf32>>
!query_tile = tensor<128x5x16xf16>
!key_tile = tensor<32x5x16xf16>
!value_tile = tensor<32x5x16xf16>
!values = tensor<5x16x32xf16>
!scores = tensor<128x32xf32>
!weights = tensor<128x32xf16>
!acc = tensor<128x5x16xf32>
!row = tensor<128xf32>
!output_tile = tensor<128x5x16xf16>
!query_numbers = tensor<128xi32>
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
  subgroup_basis = [[8, 1, 1, 1], [0, 1, 2, 3]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#weights_value = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0, 0], reduction = [0, 0, 0, 0],
  subgroup_basis = [[8, 1, 1, 1], [0, 1, 2, 3]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #query_key,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [256, 1, 1] subgroup_size = 32,
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
      %offsets_in: !offsets_in,
      %output_rows_out: !output_rows_out,
      %lse_rows_out: !lse_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [1600, 16], strides = [1, 1]
      : !query_rows_in -> tensor<1600x16xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [2560, 16], strides = [1, 1]
      : !key_rows_in -> tensor<2560x16xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [2560, 16], strides = [1, 1]
      : !value_rows_in -> tensor<2560x16xf16>
    %offsets = iree_tensor_ext.dispatch.tensor.load %offsets_in,
      offsets = [0], sizes = [2], strides = [1]
      : !offsets_in -> tensor<2xi32>
    %output_rows_empty = tensor.empty() : tensor<40x640xf16>
    %lse_rows_empty = tensor.empty() : tensor<320xf32>
    %sequences = arith.constant 2 : index
    %heads = arith.constant 8 : index
    %rows_of_head = arith.constant 20 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 128 : index
    %q_len = arith.constant 20 : index
    %context_len = arith.constant 128 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 128 * p)>()[%rows_of_head, %parts]
    %workgroups:2 =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty, %lse_rows_all = %lse_rows_empty) -> (tensor<40x640xf16>, tensor<320xf32>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 4 + x floordiv 2)>(%head_number)
    // The tiles with most keys begin first.
    %tile = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %head = affine.apply affine_map<(b, x) -> (b * 8 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %token_base = arith.muli %b, %rows_of_head : index
    %query_base = affine.apply affine_map<(t, x) -> (t * 8 + x)>(%token_base, %x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %key_token_base = arith.muli %b, %keys_of_head : index
    %key_base = affine.apply
      affine_map<(t, h) -> (t * 2 + h)>(%key_token_base, %kv_head)
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 128)>(%tile)
    %result_row = arith.addi %token_base, %row_in_head : index
    %result_column = affine.apply affine_map<(x) -> (x * 80)>(%x)
    %lse_place = arith.addi %head_base, %row_in_head : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 32 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 128)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (128, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position_i32 = tensor.extract %offsets[%b] : tensor<2xi32>
    %first_position = arith.index_cast %first_position_i32 : i32 to index
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
      %empty_places_of_query = tensor.empty() : tensor<128x5xi32>
      %places_of_query = linalg.generic {
          indexing_maps = [
            affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>],
          iterator_types = ["parallel", "parallel"]
        } ins(%query_numbers : !query_numbers) outs(%empty_places_of_query : tensor<128x5xi32>) {
      ^bb0(%number: i32, %unused: i32):
        %row = arith.index_cast %number : i32 to index
        %chunk = linalg.index 1 : index
        %place = affine.apply affine_map<(r, c) -> (r * 5 + c)>(%row, %chunk)
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> tensor<128x5xi32>
      %read_query = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %places_of_query : tensor<1600x16xf16>, tensor<128x5xi32>)
        outs(%empty_query : !query_tile) -> !query_tile
    %positions = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !query_numbers) outs(%row_numbers_empty : !query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %position = arith.addi %first, %row : i32
      linalg.yield %position : i32
    } -> !query_numbers
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
          affine_map<(b, k) -> (b + k * 2)>(%key_base, %real_key)
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
        ins(%key_rows, %places_of_keys : tensor<2560x16xf16>, tensor<32x5xi32>)
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
        ins(%value_rows, %places_of_values : tensor<2560x16xf16>, tensor<32x5xi32>)
        outs(%empty_values : !value_tile) -> !value_tile
      %placed_keys = iree_vector_ext.to_layout %read_keys to layout(#key_layout) : !key_tile
      // Values are turned on their way to the product, which takes neighbours along the keys.
      %turned_empty = tensor.empty() : !values
      %turned = linalg.transpose ins(%read_values : !value_tile) outs(%turned_empty : !values)
        permutation = [1, 2, 0]
      %placed_values = iree_vector_ext.to_layout %turned
        to layout(#value_layout) : !values
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
          indexing_maps = [#element, #of_row, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions
          : !scores, !query_numbers)
        outs(%scores_empty : !scores) {
      ^bb0(%score: f32, %position: i32, %unused: f32):
        %scale = arith.constant 0.16129820911147805 : f32
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
        indexing_maps = [#sum, #row_of_sum, #row_of_sum, #sum],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc_end, %max_end, %sum_end : !acc, !row, !row)
      outs(%output_tile_empty : !output_tile) {
    ^bb0(%weighted: f32, %max: f32, %sum: f32, %unused: f16):
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
    %mean_stored = arith.truncf %mean : f32 to f16
      linalg.yield %mean_stored : f16
    } -> !output_tile
    %lse_tile = linalg.generic {
        indexing_maps = [#each, #each, #each], iterator_types = ["parallel"]
      } ins(%max_end, %sum_end : !row, !row)
      outs(%row_empty : !row) {
    ^bb0(%max: f32, %sum: f32, %unused: f32):
      %log = math.log %sum : f32
      %unit = arith.constant 0.6931471805599453 : f32
      %max_natural = arith.mulf %max, %unit : f32
      %lse = arith.addf %max_natural, %log : f32
      linalg.yield %lse : f32
    } -> !row
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
    } : tensor<128x5x16xf16> into tensor<?x80xf16> -> tensor<?x80xf16>
    %empty_lse_rows_stored = tensor.empty(%rows_here) : tensor<?xf32>
    %lse_rows_stored = iree_linalg_ext.map_store %lse_tile into %empty_lse_rows_stored {
    ^bb0(%m: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
      iree_linalg_ext.yield %m, %is_row
        : index, i1
    } : tensor<128xf32> into tensor<?xf32> -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 80] [1, 1]
        : tensor<?x80xf16> into tensor<40x640xf16>
      tensor.parallel_insert_slice %lse_rows_stored
        into %lse_rows_all[%lse_place]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<320xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_rows_out,
      offsets = [0, 0], sizes = [40, 640], strides = [1, 1]
      : tensor<40x640xf16> -> !output_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_rows_out,
      offsets = [0], sizes = [320], strides = [1]
      : tensor<320xf32> -> !lse_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value, %offsets: !offsets) -> (!output, !lse) {
  %query_elements = tensor.collapse_shape %query [[0, 1, 2, 3]]
    : tensor<2x20x8x80xf16> into tensor<25600xf16>
  %query_rows = tensor.expand_shape %query_elements [[0, 1]]
    output_shape [1600, 16] : tensor<25600xf16> into tensor<1600x16xf16>
  %key_elements = tensor.collapse_shape %key [[0, 1, 2, 3]]
    : tensor<2x128x2x80xf16> into tensor<40960xf16>
  %key_rows = tensor.expand_shape %key_elements [[0, 1]]
    output_shape [2560, 16] : tensor<40960xf16> into tensor<2560x16xf16>
  %value_elements = tensor.collapse_shape %value [[0, 1, 2, 3]]
    : tensor<2x128x2x80xf16> into tensor<40960xf16>
  %value_rows = tensor.expand_shape %value_elements [[0, 1]]
    output_shape [2560, 16] : tensor<40960xf16> into tensor<2560x16xf16>
  %made:2 = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows, %offsets
    ) : (
      tensor<1600x16xf16>,
      tensor<2560x16xf16>,
      tensor<2560x16xf16>,
      tensor<2xi32>
    ) -> (tensor<40x640xf16>, tensor<320xf32>)
  %output = tensor.expand_shape %made#0 [[0, 1], [2, 3]]
    output_shape [2, 20, 8, 80] : tensor<40x640xf16> into tensor<2x20x8x80xf16>
  %lse = tensor.expand_shape %made#1 [[0, 1, 2]]
    output_shape [2, 8, 20] : tensor<320xf32> into tensor<2x8x20xf32>
  return %output, %lse
    : !output, !lse
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %offsets: !offsets
  ) -> (!output, !lse) attributes {iree.abi.model = "coarse-fences"} {
  %output, %lse = func.call @attention(%query, %key, %value, %offsets)
    : (!query, !key, !value, !offsets) -> (!output, !lse)
  util.return %output, %lse : !output, !lse
}
