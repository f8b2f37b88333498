// Attention in query blocks: a block reads only the tokens that its rows see, and scores take
// memory for one block at a time.
// b batch, h KV head, c batch and KV head, g query head of the KV head's group, m query (of products:
// all heads of the group), t KV token, k head column, n value column
!query = tensor<?x8x?x80xf16>
!key = tensor<?x2x?x80xf16>
!value = tensor<?x2x?x40xf16>
!q_lens = tensor<?xi32>
!context_lens = tensor<?xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<1x8x?x?xf16>
!sinks = tensor<8xf32>
!output = tensor<?x8x?x40xf16>
!lse = tensor<?x8x?xf32>
!grouped_query = tensor<?x4x?x80xf16>
!grouped_output = tensor<?x4x?x40xf16>
!grouped_lse = tensor<?x4x?xf32>
!key_tokens = tensor<?x?x80xf16>
!value_tokens = tensor<?x?x40xf16>
!keys = tensor<?x?x80xf32>
!values = tensor<?x?x40xf32>
#lhs = affine_map<(c, m, t, k) -> (c, m, k)>
#transposed = affine_map<(c, m, t, k) -> (c, t, k)>
#product = affine_map<(c, m, t, k) -> (c, m, t)>
#scores = affine_map<(c, m, t) -> (c, m, t)>
#row = affine_map<(c, m, t) -> (c, m)>
#rows = affine_map<(c, m) -> (c, m)>

func.func @attention(%query_given: !query, %key_given: !key, %value_given: !value, %q_lens_given: !q_lens, %context_lens_given: !context_lens, %alibi_slopes: !alibi_slopes, %bias_given: !bias, %sinks: !sinks) -> (!output, !lse) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %query_given, %batch_axis : !query
  %batch_dim = util.assume.int %batch_given<umin = 1, umax = 2, udiv = 1> : index
  %q_len_axis = arith.constant 2 : index
  %q_len_given = tensor.dim %query_given, %q_len_axis : !query
  %q_len_dim = util.assume.int %q_len_given<umin = 64, umax = 128, udiv = 64> : index
  %kv_len_axis = arith.constant 2 : index
  %kv_len_given = tensor.dim %key_given, %kv_len_axis : !key
  %kv_len_dim = util.assume.int %kv_len_given<umin = 64, umax = 128, udiv = 64> : index
  %query = flow.tensor.tie_shape %query_given : !query{%batch_dim, %q_len_dim}
  %key = flow.tensor.tie_shape %key_given : !key{%batch_dim, %kv_len_dim}
  %value = flow.tensor.tie_shape %value_given : !value{%batch_dim, %kv_len_dim}
  %q_lens = flow.tensor.tie_shape %q_lens_given : !q_lens{%batch_dim}
  %context_lens = flow.tensor.tie_shape %context_lens_given : !context_lens{%batch_dim}
  %bias = flow.tensor.tie_shape %bias_given : !bias{%q_len_dim, %kv_len_dim}
  %num_kv_heads = arith.constant 2 : index
  %batch_heads_dim = arith.muli %batch_dim, %num_kv_heads : index
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale_over_cap = arith.constant 0.0037267799624996494 : f32
  %cap = arith.constant 30.0 : f32
  %output_empty = tensor.empty(%batch_heads_dim, %q_len_dim) : !grouped_output
  // Rows that no block covers see no token and stay as they are here.
  %output0 = linalg.fill ins(%zero : f16) outs(%output_empty : !grouped_output) -> !grouped_output


  %alibi_slopes_grouped = tensor.expand_shape %alibi_slopes [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %bias_flat = tensor.collapse_shape %bias [[0, 1, 2, 3]] : !bias into tensor<?xf16>
  %bias_grouped = tensor.expand_shape %bias_flat [[0, 1, 2, 3]] output_shape [2, 4, %q_len_dim, %kv_len_dim] : tensor<?xf16> into tensor<2x4x?x?xf16>
  %grouped_sinks = tensor.expand_shape %sinks [[0, 1]] output_shape [2, 4] : !sinks into tensor<2x4xf32>
  %by_batch_empty = tensor.empty(%batch_dim, %q_len_dim) : tensor<?x2x4x?xf32>
  %sinks_by_batch = linalg.generic {
      indexing_maps = [affine_map<(b, h, g, m) -> (h, g)>, affine_map<(b, h, g, m) -> (b, h, g, m)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%grouped_sinks : tensor<2x4xf32>) outs(%by_batch_empty : tensor<?x2x4x?xf32>) {
  ^bb0(%sink: f32, %unused: f32):
    linalg.yield %sink : f32
  } -> tensor<?x2x4x?xf32>
  %lse0 = tensor.collapse_shape %sinks_by_batch [[0, 1], [2], [3]] : tensor<?x2x4x?xf32> into !grouped_lse
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into tensor<?x80xf16>
  %grouped_query = tensor.expand_shape %flat_query [[0, 1, 2], [3]] output_shape [%batch_heads_dim, 4, %q_len_dim, 80] : tensor<?x80xf16> into !grouped_query
  %key_tokens = tensor.collapse_shape %key [[0, 1], [2], [3]] : !key into !key_tokens
  %value_tokens = tensor.collapse_shape %value [[0, 1], [2], [3]] : !value into !value_tokens
  %key_empty = tensor.empty(%batch_heads_dim, %kv_len_dim) : !keys
  %keys = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_tokens : !key_tokens) outs(%key_empty : !keys) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !keys
  %value_empty = tensor.empty(%batch_heads_dim, %kv_len_dim) : !values
  %values = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_tokens : !value_tokens) outs(%value_empty : !values) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !values
  // 64 query rows at a time against all tokens.
  %first_row = arith.constant 0 : index
  %block_rows = arith.constant 64 : index
  %block1:2 = scf.for %start_dim = %first_row to %q_len_dim step %block_rows
      iter_args(%output_so_far = %output0, %lse_so_far = %lse0) -> (!grouped_output, !grouped_lse) {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [%batch_heads_dim, %kv_len_dim, 80] [1, 1, 1] : !keys to tensor<?x?x80xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [%batch_heads_dim, %kv_len_dim, 40] [1, 1, 1] : !values to tensor<?x?x40xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, %start_dim, 0] [%batch_heads_dim, 4, 64, 80] [1, 1, 1, 1] : !grouped_query to tensor<?x4x64x80xf16>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<?x4x64x80xf16> into tensor<?x256x80xf16>
    %wide_empty = tensor.empty(%batch_heads_dim) : tensor<?x256x80xf32>
    %wide_rows = linalg.generic {
        indexing_maps = [affine_map<(c, m, k) -> (c, m, k)>, affine_map<(c, m, k) -> (c, m, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%folded : tensor<?x256x80xf16>) outs(%wide_empty : tensor<?x256x80xf32>) {
    ^bb0(%in: f16, %unused: f32):
      %wide = arith.extf %in : f16 to f32
      linalg.yield %wide : f32
    } -> tensor<?x256x80xf32>
    %scores_empty = tensor.empty(%batch_heads_dim, %kv_len_dim) : tensor<?x256x?xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<?x256x?xf32>) -> tensor<?x256x?xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%wide_rows, %keys_seen : tensor<?x256x80xf32>, tensor<?x?x80xf32>) outs(%scores_start : tensor<?x256x?xf32>) -> tensor<?x256x?xf32>
    %bias_seen = tensor.extract_slice %bias_grouped[0, 0, %start_dim, 0] [2, 4, 64, %kv_len_dim] [1, 1, 1, 1] : tensor<2x4x?x?xf16> to tensor<2x4x64x?xf16>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [%batch_dim, 2, 4, 64, %kv_len_dim] : tensor<?x256x?xf32> into tensor<?x2x4x64x?xf32>
    %by_head_empty = tensor.empty(%batch_dim, %kv_len_dim) : tensor<?x2x4x64x?xf32>
    // As a tensor: the compiler does not fuse a body that uses a value from outside, and whole rows of
    // logits would go onto the stack.
    %start_i32 = arith.index_cast %start_dim : index to i32
    %start_given = tensor.from_elements %start_i32 : tensor<i32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> ()>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (h, g)>,
          affine_map<(b, h, g, m, t) -> (h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head, %start_given, %q_lens, %context_lens, %alibi_slopes_grouped, %bias_seen : tensor<?x2x4x64x?xf32>, tensor<i32>, tensor<?xi32>, tensor<?xi32>, tensor<2x4xf32>, tensor<2x4x64x?xf16>) outs(%by_head_empty : tensor<?x2x4x64x?xf32>) {
    ^bb0(%score: f32, %start_at: i32, %q_len: i32, %context_len: i32, %slope: f32, %bias_at: f16, %unused: f32):
      %row = linalg.index 3 : index
      %start = arith.index_cast %start_at : i32 to index
      %m = arith.addi %row, %start : index
      %token = linalg.index 4 : index
      %begin = arith.constant 0 : index
      %t = arith.addi %token, %begin : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %first_position = arith.subi %context_len, %q_len : i32
    %q_position = arith.addi %m_i32, %first_position : i32
    %ahead = arith.subi %t_i32, %q_position : i32
    %seen0 = arith.constant true
    %key_is_real = arith.cmpi slt, %t_i32, %context_len : i32
    %seen1 = arith.andi %seen0, %key_is_real : i1
    %query_is_real = arith.cmpi slt, %m_i32, %q_len : i32
    %seen2 = arith.andi %seen1, %query_is_real : i1
      %fraction = arith.mulf %score, %scale_over_cap : f32
      %bounded = math.tanh %fraction : f32
      %logit0 = arith.mulf %bounded, %cap : f32
    %bias_added = arith.extf %bias_at : f16 to f32
    %logit1 = arith.addf %logit0, %bias_added : f32
    %ahead_f32 = arith.sitofp %ahead : i32 to f32
    %distance = math.absf %ahead_f32 : f32
    %steepness = arith.mulf %slope, %distance : f32
    %alibi_added = arith.negf %steepness : f32
    %logit2 = arith.addf %logit1, %alibi_added : f32
      %logit = arith.select %seen2, %logit2, %minus_inf : f32
      linalg.yield %logit : f32
    } -> tensor<?x2x4x64x?xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<?x2x4x64x?xf32> into tensor<?x256x?xf32>
    %row_empty = tensor.empty(%batch_heads_dim) : tensor<?x256xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<?x256xf32>) -> tensor<?x256xf32>
    %max = linalg.generic {
        indexing_maps = [#scores, #row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<?x256x?xf32>) outs(%max_start : tensor<?x256xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<?x256xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<?x256xf32>) -> tensor<?x256xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#scores, #row, #scores, #row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<?x256x?xf32>, tensor<?x256xf32>) outs(%scores_empty, %sum_start : tensor<?x256x?xf32>, tensor<?x256xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<?x256x?xf32>, tensor<?x256xf32>)
    %acc_empty = tensor.empty(%batch_heads_dim) : tensor<?x256x40xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<?x256x40xf32>) -> tensor<?x256x40xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<?x256x?xf32>, tensor<?x?x40xf32>) outs(%acc_start : tensor<?x256x40xf32>) -> tensor<?x256x40xf32>
    %sinks_seen = tensor.extract_slice %lse0[0, 0, %start_dim] [%batch_heads_dim, 4, 64] [1, 1, 1] : !grouped_lse to tensor<?x4x64xf32>
    %row_sinks = tensor.collapse_shape %sinks_seen [[0], [1, 2]] : tensor<?x4x64xf32> into tensor<?x256xf32>
    %means_empty = tensor.empty(%batch_heads_dim) : tensor<?x256x40xf16>
    %means = linalg.generic {
        indexing_maps = [#scores, #row, #row, #row, #scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1, %max, %row_sinks : tensor<?x256x40xf32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>) outs(%means_empty : tensor<?x256x40xf16>) {
    ^bb0(%weighted: f32, %sum: f32, %best: f32, %sink: f32, %unused: f16):
      %top = arith.maximumf %best, %sink : f32
      %fallen = arith.subf %best, %top : f32
      %shrink = math.exp %fallen : f32
      %sink_below = arith.subf %sink, %top : f32
      %sink_weight = math.exp %sink_below : f32
      %shrunk = arith.mulf %sum, %shrink : f32
      %total = arith.addf %shrunk, %sink_weight : f32
      %kept = arith.mulf %weighted, %shrink : f32
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %total, %zero_f32 : f32
      %quotient = arith.divf %kept, %total : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<?x256x40xf16>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [%batch_heads_dim, 4, 64, 40] : tensor<?x256x40xf16> into tensor<?x4x64x40xf16>
    %written = tensor.insert_slice %grouped into %output_so_far[0, 0, %start_dim, 0] [%batch_heads_dim, 4, 64, 40] [1, 1, 1, 1] : tensor<?x4x64x40xf16> into !grouped_output
    %logs = linalg.generic {
        indexing_maps = [#rows, #rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
      } ins(%max, %weights#1, %row_sinks : tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>) outs(%row_empty : tensor<?x256xf32>) {
    ^bb0(%best: f32, %sum: f32, %sink: f32, %unused: f32):
      %top = arith.maximumf %best, %sink : f32
      %fallen = arith.subf %best, %top : f32
      %shrink = math.exp %fallen : f32
      %sink_below = arith.subf %sink, %top : f32
      %sink_weight = math.exp %sink_below : f32
      %shrunk = arith.mulf %sum, %shrink : f32
      %total = arith.addf %shrunk, %sink_weight : f32
      %log_sum = math.log %total : f32
      %log = arith.addf %top, %log_sum : f32
      linalg.yield %log : f32
    } -> tensor<?x256xf32>
    %grouped_logs = tensor.expand_shape %logs [[0], [1, 2]] output_shape [%batch_heads_dim, 4, 64] : tensor<?x256xf32> into tensor<?x4x64xf32>
    %logs_written = tensor.insert_slice %grouped_logs into %lse_so_far[0, 0, %start_dim] [%batch_heads_dim, 4, 64] [1, 1, 1] : tensor<?x4x64xf32> into !grouped_lse
    scf.yield %written, %logs_written : !grouped_output, !grouped_lse
  }
  %flat_output = tensor.collapse_shape %block1#0 [[0, 1, 2], [3]] : !grouped_output into tensor<?x40xf16>
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [%batch_dim, 8, %q_len_dim, 40] : tensor<?x40xf16> into !output
  %flat_lse = tensor.collapse_shape %block1#1 [[0, 1, 2]] : !grouped_lse into tensor<?xf32>
  %lse = tensor.expand_shape %flat_lse [[0, 1, 2]] output_shape [%batch_dim, 8, %q_len_dim] : tensor<?xf32> into !lse
  return %output, %lse : !output, !lse
}
