// Attention in query blocks: a block reads only the tokens that its rows see, and scores take
// memory for one block at a time.
// b batch, h KV head, c batch and KV head, g query head of the KV head's group, m query (of products:
// all heads of the group), t KV token, k head column, n value column
!query = tensor<1x8x128x64xbf16>
!key = tensor<1x2x128x64xbf16>
!value = tensor<1x2x128x64xbf16>
!output = tensor<1x8x128x64xbf16>
!grouped_query = tensor<2x4x128x64xbf16>
!grouped_output = tensor<2x4x128x64xbf16>
!grouped_lse = tensor<2x4x128xf32>
!key_tokens = tensor<2x128x64xbf16>
!value_tokens = tensor<2x128x64xbf16>
!keys = tensor<2x128x64xf32>
!values = tensor<2x128x64xf32>
#lhs = affine_map<(c, m, t, k) -> (c, m, k)>
#transposed = affine_map<(c, m, t, k) -> (c, t, k)>
#product = affine_map<(c, m, t, k) -> (c, m, t)>
#scores = affine_map<(c, m, t) -> (c, m, t)>
#row = affine_map<(c, m, t) -> (c, m)>

func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %zero = arith.constant 0.0 : bf16
  %zero_f32 = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale = arith.constant 0.125 : f32
  %output_empty = tensor.empty() : !grouped_output
  // Rows that no block covers see no token and stay as they are here.
  %output0 = linalg.fill ins(%zero : bf16) outs(%output_empty : !grouped_output) -> !grouped_output
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into tensor<1024x64xbf16>
  %grouped_query = tensor.expand_shape %flat_query [[0, 1, 2], [3]] output_shape [2, 4, 128, 64] : tensor<1024x64xbf16> into !grouped_query
  %key_tokens = tensor.collapse_shape %key [[0, 1], [2], [3]] : !key into !key_tokens
  %value_tokens = tensor.collapse_shape %value [[0, 1], [2], [3]] : !value into !value_tokens
  %key_empty = tensor.empty() : !keys
  %keys = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_tokens : !key_tokens) outs(%key_empty : !keys) {
  ^bb0(%narrow: bf16, %unused: f32):
    %wide = arith.extf %narrow : bf16 to f32
    linalg.yield %wide : f32
  } -> !keys
  %value_empty = tensor.empty() : !values
  %values = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_tokens : !value_tokens) outs(%value_empty : !values) {
  ^bb0(%narrow: bf16, %unused: f32):
    %wide = arith.extf %narrow : bf16 to f32
    linalg.yield %wide : f32
  } -> !values
  // Query rows 0 to 63 against tokens 0 to 63.
  %output1 = scf.execute_region -> !grouped_output {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [2, 64, 64] [1, 1, 1] : !keys to tensor<2x64x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [2, 64, 64] [1, 1, 1] : !values to tensor<2x64x64xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, 0, 0] [2, 4, 64, 64] [1, 1, 1, 1] : !grouped_query to tensor<2x4x64x64xbf16>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<2x4x64x64xbf16> into tensor<2x256x64xbf16>
    %wide_empty = tensor.empty() : tensor<2x256x64xf32>
    %wide_rows = linalg.generic {
        indexing_maps = [affine_map<(c, m, k) -> (c, m, k)>, affine_map<(c, m, k) -> (c, m, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%folded : tensor<2x256x64xbf16>) outs(%wide_empty : tensor<2x256x64xf32>) {
    ^bb0(%in: bf16, %unused: f32):
      %wide = arith.extf %in : bf16 to f32
      linalg.yield %wide : f32
    } -> tensor<2x256x64xf32>
    %scores_empty = tensor.empty() : tensor<2x256x64xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%wide_rows, %keys_seen : tensor<2x256x64xf32>, tensor<2x64x64xf32>) outs(%scores_start : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [1, 2, 4, 64, 64] : tensor<2x256x64xf32> into tensor<1x2x4x64x64xf32>
    %by_head_empty = tensor.empty() : tensor<1x2x4x64x64xf32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head : tensor<1x2x4x64x64xf32>) outs(%by_head_empty : tensor<1x2x4x64x64xf32>) {
    ^bb0(%score: f32, %unused: f32):
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
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen1 = arith.andi %seen0, %causal : i1
      %logit0 = arith.mulf %score, %scale : f32

      %logit = arith.select %seen1, %logit0, %minus_inf : f32
      linalg.yield %logit : f32
    } -> tensor<1x2x4x64x64xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<1x2x4x64x64xf32> into tensor<2x256x64xf32>
    %row_empty = tensor.empty() : tensor<2x256xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<2x256xf32>) -> tensor<2x256xf32>
    %max = linalg.generic {
        indexing_maps = [#scores, #row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<2x256x64xf32>) outs(%max_start : tensor<2x256xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<2x256xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<2x256xf32>) -> tensor<2x256xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#scores, #row, #scores, #row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<2x256x64xf32>, tensor<2x256xf32>) outs(%scores_empty, %sum_start : tensor<2x256x64xf32>, tensor<2x256xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<2x256x64xf32>, tensor<2x256xf32>)
    %acc_empty = tensor.empty() : tensor<2x256x64xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<2x256x64xf32>, tensor<2x64x64xf32>) outs(%acc_start : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
    %means_empty = tensor.empty() : tensor<2x256x64xbf16>
    %means = linalg.generic {
        indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1 : tensor<2x256x64xf32>, tensor<2x256xf32>) outs(%means_empty : tensor<2x256x64xbf16>) {
    ^bb0(%weighted: f32, %sum: f32, %unused: bf16):
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %sum, %zero_f32 : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      %narrow = arith.truncf %mean : f32 to bf16
      linalg.yield %narrow : bf16
    } -> tensor<2x256x64xbf16>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [2, 4, 64, 64] : tensor<2x256x64xbf16> into tensor<2x4x64x64xbf16>
    %written = tensor.insert_slice %grouped into %output0[0, 0, 0, 0] [2, 4, 64, 64] [1, 1, 1, 1] : tensor<2x4x64x64xbf16> into !grouped_output
    scf.yield %written : !grouped_output
  }
  // Query rows 64 to 127 against tokens 0 to 127.
  %output2 = scf.execute_region -> !grouped_output {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [2, 128, 64] [1, 1, 1] : !keys to tensor<2x128x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [2, 128, 64] [1, 1, 1] : !values to tensor<2x128x64xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, 64, 0] [2, 4, 64, 64] [1, 1, 1, 1] : !grouped_query to tensor<2x4x64x64xbf16>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<2x4x64x64xbf16> into tensor<2x256x64xbf16>
    %wide_empty = tensor.empty() : tensor<2x256x64xf32>
    %wide_rows = linalg.generic {
        indexing_maps = [affine_map<(c, m, k) -> (c, m, k)>, affine_map<(c, m, k) -> (c, m, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%folded : tensor<2x256x64xbf16>) outs(%wide_empty : tensor<2x256x64xf32>) {
    ^bb0(%in: bf16, %unused: f32):
      %wide = arith.extf %in : bf16 to f32
      linalg.yield %wide : f32
    } -> tensor<2x256x64xf32>
    %scores_empty = tensor.empty() : tensor<2x256x128xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%wide_rows, %keys_seen : tensor<2x256x64xf32>, tensor<2x128x64xf32>) outs(%scores_start : tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [1, 2, 4, 64, 128] : tensor<2x256x128xf32> into tensor<1x2x4x64x128xf32>
    %by_head_empty = tensor.empty() : tensor<1x2x4x64x128xf32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head : tensor<1x2x4x64x128xf32>) outs(%by_head_empty : tensor<1x2x4x64x128xf32>) {
    ^bb0(%score: f32, %unused: f32):
      %row = linalg.index 3 : index
      %start = arith.constant 64 : index
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
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen1 = arith.andi %seen0, %causal : i1
      %logit0 = arith.mulf %score, %scale : f32

      %logit = arith.select %seen1, %logit0, %minus_inf : f32
      linalg.yield %logit : f32
    } -> tensor<1x2x4x64x128xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<1x2x4x64x128xf32> into tensor<2x256x128xf32>
    %row_empty = tensor.empty() : tensor<2x256xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<2x256xf32>) -> tensor<2x256xf32>
    %max = linalg.generic {
        indexing_maps = [#scores, #row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<2x256x128xf32>) outs(%max_start : tensor<2x256xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<2x256xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<2x256xf32>) -> tensor<2x256xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#scores, #row, #scores, #row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<2x256x128xf32>, tensor<2x256xf32>) outs(%scores_empty, %sum_start : tensor<2x256x128xf32>, tensor<2x256xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<2x256x128xf32>, tensor<2x256xf32>)
    %acc_empty = tensor.empty() : tensor<2x256x64xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<2x256x128xf32>, tensor<2x128x64xf32>) outs(%acc_start : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
    %means_empty = tensor.empty() : tensor<2x256x64xbf16>
    %means = linalg.generic {
        indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1 : tensor<2x256x64xf32>, tensor<2x256xf32>) outs(%means_empty : tensor<2x256x64xbf16>) {
    ^bb0(%weighted: f32, %sum: f32, %unused: bf16):
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %sum, %zero_f32 : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      %narrow = arith.truncf %mean : f32 to bf16
      linalg.yield %narrow : bf16
    } -> tensor<2x256x64xbf16>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [2, 4, 64, 64] : tensor<2x256x64xbf16> into tensor<2x4x64x64xbf16>
    %written = tensor.insert_slice %grouped into %output1[0, 0, 64, 0] [2, 4, 64, 64] [1, 1, 1, 1] : tensor<2x4x64x64xbf16> into !grouped_output
    scf.yield %written : !grouped_output
  }
  %flat_output = tensor.collapse_shape %output2 [[0, 1, 2], [3]] : !grouped_output into tensor<1024x64xbf16>
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [1, 8, 128, 64] : tensor<1024x64xbf16> into !output
  return %output : !output
}
