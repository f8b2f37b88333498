// Attention in query blocks: a block reads only the tokens that its rows see, and scores take
// memory for one block at a time.
// b batch, h KV head, c batch and KV head, g query head of the KV head's group, m query (of products:
// all heads of the group), t KV token, k head column, n value column
!query = tensor<2x8x64x64xf16>
!key = tensor<2x2x128x64xf16>
!value = tensor<2x2x128x64xf16>
!q_lens = tensor<2xi32>
!context_lens = tensor<2xi32>
!output = tensor<2x8x64x64xf16>
!lse = tensor<2x8x64xf32>
!grouped_query = tensor<4x4x64x64xf16>
!grouped_output = tensor<4x4x64x64xf16>
!grouped_lse = tensor<4x4x64xf32>
!key_tokens = tensor<4x128x64xf16>
!value_tokens = tensor<4x128x64xf16>
!keys = tensor<4x128x64xf32>
!values = tensor<4x128x64xf32>
#lhs = affine_map<(c, m, t, k) -> (c, m, k)>
#transposed = affine_map<(c, m, t, k) -> (c, t, k)>
#product = affine_map<(c, m, t, k) -> (c, m, t)>
#scores = affine_map<(c, m, t) -> (c, m, t)>
#row = affine_map<(c, m, t) -> (c, m)>
#rows = affine_map<(c, m) -> (c, m)>

func.func @attention(%query: !query, %key: !key, %value: !value, %q_lens: !q_lens, %context_lens: !context_lens) -> (!output, !lse) {
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale = arith.constant 0.125 : f32
  %output_empty = tensor.empty() : !grouped_output
  // Rows that no block covers see no token and stay as they are here.
  %output0 = linalg.fill ins(%zero : f16) outs(%output_empty : !grouped_output) -> !grouped_output


  %lse_empty = tensor.empty() : !grouped_lse
  %lse0 = linalg.fill ins(%minus_inf : f32) outs(%lse_empty : !grouped_lse) -> !grouped_lse
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into tensor<1024x64xf16>
  %grouped_query = tensor.expand_shape %flat_query [[0, 1, 2], [3]] output_shape [4, 4, 64, 64] : tensor<1024x64xf16> into !grouped_query
  %key_tokens = tensor.collapse_shape %key [[0, 1], [2], [3]] : !key into !key_tokens
  %value_tokens = tensor.collapse_shape %value [[0, 1], [2], [3]] : !value into !value_tokens
  %key_empty = tensor.empty() : !keys
  %keys = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_tokens : !key_tokens) outs(%key_empty : !keys) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !keys
  %value_empty = tensor.empty() : !values
  %values = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_tokens : !value_tokens) outs(%value_empty : !values) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !values
  // Query rows 0 to 63 against tokens 0 to 127.
  %block1:2 = scf.execute_region -> (!grouped_output, !grouped_lse) {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [4, 128, 64] [1, 1, 1] : !keys to tensor<4x128x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [4, 128, 64] [1, 1, 1] : !values to tensor<4x128x64xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, 0, 0] [4, 4, 64, 64] [1, 1, 1, 1] : !grouped_query to tensor<4x4x64x64xf16>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<4x4x64x64xf16> into tensor<4x256x64xf16>
    %wide_empty = tensor.empty() : tensor<4x256x64xf32>
    %wide_rows = linalg.generic {
        indexing_maps = [affine_map<(c, m, k) -> (c, m, k)>, affine_map<(c, m, k) -> (c, m, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%folded : tensor<4x256x64xf16>) outs(%wide_empty : tensor<4x256x64xf32>) {
    ^bb0(%in: f16, %unused: f32):
      %wide = arith.extf %in : f16 to f32
      linalg.yield %wide : f32
    } -> tensor<4x256x64xf32>
    %scores_empty = tensor.empty() : tensor<4x256x128xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%wide_rows, %keys_seen : tensor<4x256x64xf32>, tensor<4x128x64xf32>) outs(%scores_start : tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [2, 2, 4, 64, 128] : tensor<4x256x128xf32> into tensor<2x2x4x64x128xf32>
    %by_head_empty = tensor.empty() : tensor<2x2x4x64x128xf32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head, %q_lens, %context_lens : tensor<2x2x4x64x128xf32>, tensor<2xi32>, tensor<2xi32>) outs(%by_head_empty : tensor<2x2x4x64x128xf32>) {
    ^bb0(%score: f32, %q_len: i32, %context_len: i32, %unused: f32):
      %row = linalg.index 3 : index
      %start = arith.constant 0 : index
      %m = arith.addi %row, %start : index
      %token = linalg.index 4 : index
      %begin = arith.constant 0 : index
      %t = arith.addi %token, %begin : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %first_position = arith.constant 0 : i32
    %q_position = arith.addi %m_i32, %first_position : i32
    %ahead = arith.subi %t_i32, %q_position : i32
    %seen0 = arith.constant true
    %key_is_real = arith.cmpi slt, %t_i32, %context_len : i32
    %seen1 = arith.andi %seen0, %key_is_real : i1
    %query_is_real = arith.cmpi slt, %m_i32, %q_len : i32
    %seen2 = arith.andi %seen1, %query_is_real : i1
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen3 = arith.andi %seen2, %causal : i1
      %logit0 = arith.mulf %score, %scale : f32

      %logit = arith.select %seen3, %logit0, %minus_inf : f32
      linalg.yield %logit : f32
    } -> tensor<2x2x4x64x128xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<2x2x4x64x128xf32> into tensor<4x256x128xf32>
    %row_empty = tensor.empty() : tensor<4x256xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<4x256xf32>) -> tensor<4x256xf32>
    %max = linalg.generic {
        indexing_maps = [#scores, #row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<4x256x128xf32>) outs(%max_start : tensor<4x256xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<4x256xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<4x256xf32>) -> tensor<4x256xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#scores, #row, #scores, #row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<4x256x128xf32>, tensor<4x256xf32>) outs(%scores_empty, %sum_start : tensor<4x256x128xf32>, tensor<4x256xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<4x256x128xf32>, tensor<4x256xf32>)
    %acc_empty = tensor.empty() : tensor<4x256x64xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<4x256x128xf32>, tensor<4x128x64xf32>) outs(%acc_start : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %means_empty = tensor.empty() : tensor<4x256x64xf16>
    %means = linalg.generic {
        indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1 : tensor<4x256x64xf32>, tensor<4x256xf32>) outs(%means_empty : tensor<4x256x64xf16>) {
    ^bb0(%weighted: f32, %sum: f32, %unused: f16):
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %sum, %zero_f32 : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<4x256x64xf16>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [4, 4, 64, 64] : tensor<4x256x64xf16> into tensor<4x4x64x64xf16>
    %written = tensor.insert_slice %grouped into %output0[0, 0, 0, 0] [4, 4, 64, 64] [1, 1, 1, 1] : tensor<4x4x64x64xf16> into !grouped_output
    %logs = linalg.generic {
        indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
      } ins(%max, %weights#1 : tensor<4x256xf32>, tensor<4x256xf32>) outs(%row_empty : tensor<4x256xf32>) {
    ^bb0(%best: f32, %sum: f32, %unused: f32):
      %log_sum = math.log %sum : f32
      %log = arith.addf %best, %log_sum : f32
      linalg.yield %log : f32
    } -> tensor<4x256xf32>
    %grouped_logs = tensor.expand_shape %logs [[0], [1, 2]] output_shape [4, 4, 64] : tensor<4x256xf32> into tensor<4x4x64xf32>
    %logs_written = tensor.insert_slice %grouped_logs into %lse0[0, 0, 0] [4, 4, 64] [1, 1, 1] : tensor<4x4x64xf32> into !grouped_lse
    scf.yield %written, %logs_written : !grouped_output, !grouped_lse
  }
  %flat_output = tensor.collapse_shape %block1#0 [[0, 1, 2], [3]] : !grouped_output into tensor<1024x64xf16>
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [2, 8, 64, 64] : tensor<1024x64xf16> into !output
  %flat_lse = tensor.collapse_shape %block1#1 [[0, 1, 2]] : !grouped_lse into tensor<1024xf32>
  %lse = tensor.expand_shape %flat_lse [[0, 1, 2]] output_shape [2, 8, 64] : tensor<1024xf32> into !lse
  return %output, %lse : !output, !lse
}
