// Attention as one kernel with an online softmax, and a merge of parts of the keys.
!query = tensor<1x8x1x64xf16>
!key = tensor<1x2x512x64xf16>
!value = tensor<1x2x512x64xf16>
!output = tensor<1x8x1x64xf16>
!lse = tensor<1x8x1xf32>
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
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x64xf16>>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x64xf16>>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x64xf16>>
!part_acc_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf32>>
!part_max_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
!part_sum_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
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
!part_acc = tensor<1x2x2x4x64xf32>
!part_max = tensor<1x2x2x4xf32>
!part_sum = tensor<1x2x2x4xf32>
!merged_row = tensor<64xf16>
!merged_lse = tensor<1xf32>
!part_acc_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x2x4x64xf32>>
!part_max_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x2x4xf32>>
!part_sum_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x2x4xf32>>
!output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x64xf16>>
!lse_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
#each_column = affine_map<(n) -> (n)>
#parts = affine_map<(b, x, p, m) -> (p)>
#parts_of_column = affine_map<(b, x, p, m, n) -> (p)>
#merge = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{thread = [1]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [64, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
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
      %part_acc_rows_out: !part_acc_rows_out,
      %part_max_rows_out: !part_max_rows_out,
      %part_sum_rows_out: !part_sum_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [8, 64], strides = [1, 1]
      : !query_rows_in -> tensor<8x64xf16>
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : !key_rows_in -> tensor<1024x64xf16>
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [1024, 64], strides = [1, 1]
      : !value_rows_in -> tensor<1024x64xf16>
    %part_acc_rows_empty = tensor.empty() : tensor<16x64xf32>
    %part_max_rows_empty = tensor.empty() : tensor<16xf32>
    %part_sum_rows_empty = tensor.empty() : tensor<16xf32>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %rows_of_head = arith.constant 4 : index
    %parts = arith.constant 2 : index
    %keys_of_head = arith.constant 512 : index
    %q_len = arith.constant 1 : index
    %context_len = arith.constant 512 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 16 * p)>()[%rows_of_head, %parts]
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%part_acc_rows_all = %part_acc_rows_empty, %part_max_rows_all = %part_max_rows_empty, %part_sum_rows_all = %part_sum_rows_empty) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>) {
    %tile = affine.apply affine_map<(i)[p] -> (i floordiv p)>(%i)[%parts]
    %part = affine.apply affine_map<(i)[p] -> (i mod p)>(%i)[%parts]
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = affine.apply affine_map<(h) -> (h)>(%head_base)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %kv_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %kv_head)
    %key_base = arith.muli %kv_head_of_all, %keys_of_head : index
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
        ins(%query_rows, %query_numbers : tensor<8x64xf16>, !query_numbers)
        outs(%query_read_empty : !query_tile) -> !query_tile

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
      %keys_read_empty = tensor.empty() : !key_tile
      %keys_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_rows, %key_numbers : tensor<1024x64xf16>, !key_numbers)
        outs(%keys_read_empty : !key_tile) -> !key_tile
      %values_read_empty = tensor.empty() : !value_tile
      %values_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_rows, %key_numbers : tensor<1024x64xf16>, !key_numbers)
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
          indexing_maps = [#element, #element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores
          : !scores)
        outs(%scores_empty : !scores) {
      ^bb0(%score: f32, %unused: f32):
        %scale = arith.constant 0.18033688011112042 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %seen0 = arith.constant true
        %logit = arith.select %seen0, %logit0, %minus_inf : f32
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
        : tensor<?x64xf32> into tensor<16x64xf32>
      tensor.parallel_insert_slice %part_max_rows_stored
        into %part_max_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<16xf32>
      tensor.parallel_insert_slice %part_sum_rows_stored
        into %part_sum_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<16xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_rows_out,
      offsets = [0, 0], sizes = [16, 64], strides = [1, 1]
      : tensor<16x64xf32> -> !part_acc_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_rows_out,
      offsets = [0], sizes = [16], strides = [1]
      : tensor<16xf32> -> !part_max_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_rows_out,
      offsets = [0], sizes = [16], strides = [1]
      : tensor<16xf32> -> !part_sum_rows_out
    return
  }
  }
}
flow.executable private @attention_merge {
  flow.executable.export public @attention_merge
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @attention_merge(
      %part_acc_in: !part_acc_in,
      %part_max_in: !part_max_in,
      %part_sum_in: !part_sum_in,
      %output_rows_out: !output_rows_out,
      %lse_rows_out: !lse_rows_out
    ) {
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_in,
      offsets = [0, 0, 0, 0, 0], sizes = [1, 2, 2, 4, 64], strides = [1, 1, 1, 1, 1]
      : !part_acc_in -> tensor<1x2x2x4x64xf32>
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 2, 4], strides = [1, 1, 1, 1]
      : !part_max_in -> tensor<1x2x2x4xf32>
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 2, 4], strides = [1, 1, 1, 1]
      : !part_sum_in -> tensor<1x2x2x4xf32>
    %output_rows_empty = tensor.empty() : tensor<8x64xf16>
    %lse_rows_empty = tensor.empty() : tensor<8xf32>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %tiles = arith.constant 4 : index
    %workgroups:2 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_rows_all = %output_rows_empty, %lse_rows_all = %lse_rows_empty) -> (tensor<8x64xf16>, tensor<8xf32>) {
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
      %quotient = arith.divf %acc, %sum : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> !merged_row
    %log = math.log %sum : f32
    %unit = arith.constant 0.6931471805599453 : f32
    %max_natural = arith.mulf %max, %unit : f32
    %lse_number = arith.addf %max_natural, %log : f32
    %merged_lse_empty = tensor.empty() : !merged_lse
    %merged_lse = scf.forall (%only) in (1) shared_outs(%numbers = %merged_lse_empty) -> (!merged_lse) {
      %own_lse = tensor.from_elements %lse_number : !merged_lse
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %own_lse into %numbers[%only] [1] [1] : !merged_lse into !merged_lse
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %merged_row into %output_rows_all[%row_number, %none]
        [1, 64] [1, 1] : !merged_row into tensor<8x64xf16>
      tensor.parallel_insert_slice %merged_lse into %lse_rows_all[%row_number]
        [1] [1] : !merged_lse into tensor<8xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %output_rows_out,
      offsets = [0, 0], sizes = [8, 64], strides = [1, 1]
      : tensor<8x64xf16> -> !output_rows_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %lse_rows_out,
      offsets = [0], sizes = [8], strides = [1]
      : tensor<8xf32> -> !lse_rows_out
    return
  }
  }
}
func.func @attention(%query: !query, %key: !key, %value: !value) -> (!output, !lse) {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x8x1x64xf16> into tensor<8x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : tensor<1x2x512x64xf16> into tensor<1024x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : tensor<1x2x512x64xf16> into tensor<1024x64xf16>
  %made:3 = flow.dispatch @attention_kernel::@attention_kernel(
      %query_rows, %key_rows, %value_rows
    ) : (
      tensor<8x64xf16>,
      tensor<1024x64xf16>,
      tensor<1024x64xf16>
    ) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
  %part_acc = tensor.expand_shape %made#0 [[0, 1, 2, 3], [4]]
    output_shape [1, 2, 2, 4, 64] : tensor<16x64xf32> into tensor<1x2x2x4x64xf32>
  %part_max = tensor.expand_shape %made#1 [[0, 1, 2, 3]]
    output_shape [1, 2, 2, 4] : tensor<16xf32> into tensor<1x2x2x4xf32>
  %part_sum = tensor.expand_shape %made#2 [[0, 1, 2, 3]]
    output_shape [1, 2, 2, 4] : tensor<16xf32> into tensor<1x2x2x4xf32>
  %merged:2 = flow.dispatch @attention_merge::@attention_merge(
      %part_acc, %part_max, %part_sum
    ) : (
      tensor<1x2x2x4x64xf32>,
      tensor<1x2x2x4xf32>,
      tensor<1x2x2x4xf32>
    ) -> (tensor<8x64xf16>, tensor<8xf32>)
  %output = tensor.expand_shape %merged#0 [[0, 1, 2], [3]]
    output_shape [1, 8, 1, 64] : tensor<8x64xf16> into tensor<1x8x1x64xf16>
  %lse = tensor.expand_shape %merged#1 [[0, 1, 2]]
    output_shape [1, 8, 1] : tensor<8xf32> into tensor<1x8x1xf32>
  return %output, %lse : !output, !lse
}
