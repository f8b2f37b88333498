// Attention over a block cache in query blocks: the pages of each sequence are laid out in token
// order once, and every block of query rows reads them.
// b batch, h KV head, c batch and KV head, g query head of the KV head's group, m query (of products:
// all heads of the group), p page of the sequence, s slot of the page, t KV token, k head column,
// n value column
!query = tensor<2x8x1x64xf32>
!key_cache = tensor<9x2x16x64xf32>
!value_cache = tensor<9x2x16x64xf32>
!block_table = tensor<2x4xi32>
!context_lens = tensor<2xi32>
!output = tensor<2x8x1x64xf32>
!grouped_query = tensor<4x4x1x64xf32>
!grouped_output = tensor<4x4x1x64xf32>
!grouped_lse = tensor<4x4x1xf32>
!key_tokens = tensor<4x64x64xf32>
!value_tokens = tensor<4x64x64xf32>
!keys = tensor<4x64x64xf32>
!values = tensor<4x64x64xf32>
#lhs = affine_map<(c, m, t, k) -> (c, m, k)>
#transposed = affine_map<(c, m, t, k) -> (c, t, k)>
#product = affine_map<(c, m, t, k) -> (c, m, t)>
#scores = affine_map<(c, m, t) -> (c, m, t)>
#row = affine_map<(c, m, t) -> (c, m)>
!by_head = tensor<2x2x4x16x64xf32>

func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens) -> !output {
  %zero = arith.constant 0.0 : f32
  %zero_f32 = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale = arith.constant 0.125 : f32
  %output_empty = tensor.empty() : !grouped_output
  // Rows that no block covers see no token and stay as they are here.
  %output0 = linalg.fill ins(%zero : f32) outs(%output_empty : !grouped_output) -> !grouped_output
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into tensor<16x64xf32>
  %grouped_query = tensor.expand_shape %flat_query [[0, 1, 2], [3]] output_shape [4, 4, 1, 64] : tensor<16x64xf32> into !grouped_query
  %key_pages_empty = tensor.empty() : !by_head
  %key_by_head = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, p, s, k) -> (b, p)>,
        affine_map<(b, h, p, s, k) -> (b, h, p, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%block_table : !block_table) outs(%key_pages_empty : !by_head) {
  ^bb0(%id: i32, %unused: f32):
    %block = arith.index_cast %id : i32 to index
    %h = linalg.index 1 : index
    %s = linalg.index 3 : index
    %k = linalg.index 4 : index
    %in = tensor.extract %key_cache[%block, %h, %s, %k] : !key_cache
    linalg.yield %in : f32
  } -> !by_head
  %key_in_order = tensor.collapse_shape %key_by_head [[0, 1], [2, 3], [4]] : !by_head into !key_tokens
  // Laid out once, not again in every block.
  %key_tokens = iree_tensor_ext.compute_barrier.start %key_in_order : !key_tokens -> !key_tokens
  %keys = tensor.cast %key_tokens : !key_tokens to !keys
  %value_pages_empty = tensor.empty() : !by_head
  %value_by_head = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, p, s, k) -> (b, p)>,
        affine_map<(b, h, p, s, k) -> (b, h, p, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%block_table : !block_table) outs(%value_pages_empty : !by_head) {
  ^bb0(%id: i32, %unused: f32):
    %block = arith.index_cast %id : i32 to index
    %h = linalg.index 1 : index
    %s = linalg.index 3 : index
    %k = linalg.index 4 : index
    %in = tensor.extract %value_cache[%block, %h, %s, %k] : !value_cache
    linalg.yield %in : f32
  } -> !by_head
  %value_in_order = tensor.collapse_shape %value_by_head [[0, 1], [2, 3], [4]] : !by_head into !value_tokens
  // Laid out once, not again in every block.
  %value_tokens = iree_tensor_ext.compute_barrier.start %value_in_order : !value_tokens -> !value_tokens
  %values = tensor.cast %value_tokens : !value_tokens to !values
  // Query rows 0 to 0 against tokens 0 to 63.
  %output1 = scf.execute_region -> !grouped_output {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [4, 64, 64] [1, 1, 1] : !keys to tensor<4x64x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [4, 64, 64] [1, 1, 1] : !values to tensor<4x64x64xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, 0, 0] [4, 4, 1, 64] [1, 1, 1, 1] : !grouped_query to tensor<4x4x1x64xf32>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<4x4x1x64xf32> into tensor<4x4x64xf32>
    %scores_empty = tensor.empty() : tensor<4x4x64xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<4x4x64xf32>) -> tensor<4x4x64xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%folded, %keys_seen : tensor<4x4x64xf32>, tensor<4x64x64xf32>) outs(%scores_start : tensor<4x4x64xf32>) -> tensor<4x4x64xf32>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [2, 2, 4, 1, 64] : tensor<4x4x64xf32> into tensor<2x2x4x1x64xf32>
    %by_head_empty = tensor.empty() : tensor<2x2x4x1x64xf32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head, %context_lens : tensor<2x2x4x1x64xf32>, tensor<2xi32>) outs(%by_head_empty : tensor<2x2x4x1x64xf32>) {
    ^bb0(%score: f32, %context_len: i32, %unused: f32):
      %row = linalg.index 3 : index
      %start = arith.constant 0 : index
      %m = arith.addi %row, %start : index
      %token = linalg.index 4 : index
      %begin = arith.constant 0 : index
      %t = arith.addi %token, %begin : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %q_len = arith.constant 1 : i32
    %first_position = arith.subi %context_len, %q_len : i32
    %q_position = arith.addi %m_i32, %first_position : i32
    %ahead = arith.subi %t_i32, %q_position : i32
    %seen0 = arith.constant true
    %key_is_real = arith.cmpi slt, %t_i32, %context_len : i32
    %seen1 = arith.andi %seen0, %key_is_real : i1
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen2 = arith.andi %seen1, %causal : i1
      %logit0 = arith.mulf %score, %scale : f32

      %logit = arith.select %seen2, %logit0, %minus_inf : f32
      linalg.yield %logit : f32
    } -> tensor<2x2x4x1x64xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<2x2x4x1x64xf32> into tensor<4x4x64xf32>
    %row_empty = tensor.empty() : tensor<4x4xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<4x4xf32>) -> tensor<4x4xf32>
    %max = linalg.generic {
        indexing_maps = [#scores, #row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<4x4x64xf32>) outs(%max_start : tensor<4x4xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<4x4xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<4x4xf32>) -> tensor<4x4xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#scores, #row, #scores, #row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<4x4x64xf32>, tensor<4x4xf32>) outs(%scores_empty, %sum_start : tensor<4x4x64xf32>, tensor<4x4xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<4x4x64xf32>, tensor<4x4xf32>)
    %acc_empty = tensor.empty() : tensor<4x4x64xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<4x4x64xf32>) -> tensor<4x4x64xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<4x4x64xf32>, tensor<4x64x64xf32>) outs(%acc_start : tensor<4x4x64xf32>) -> tensor<4x4x64xf32>
    %means_empty = tensor.empty() : tensor<4x4x64xf32>
    %means = linalg.generic {
        indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1 : tensor<4x4x64xf32>, tensor<4x4xf32>) outs(%means_empty : tensor<4x4x64xf32>) {
    ^bb0(%weighted: f32, %sum: f32, %unused: f32):
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %sum, %zero_f32 : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      linalg.yield %mean : f32
    } -> tensor<4x4x64xf32>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [4, 4, 1, 64] : tensor<4x4x64xf32> into tensor<4x4x1x64xf32>
    %written = tensor.insert_slice %grouped into %output0[0, 0, 0, 0] [4, 4, 1, 64] [1, 1, 1, 1] : tensor<4x4x1x64xf32> into !grouped_output
    scf.yield %written : !grouped_output
  }
  %flat_output = tensor.collapse_shape %output1 [[0, 1, 2], [3]] : !grouped_output into tensor<16x64xf32>
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [2, 8, 1, 64] : tensor<16x64xf32> into !output
  return %output : !output
}
