// New tokens are written into a block cache, in its own memory; then the pages of each sequence are
// laid out in token order, and every block of query rows reads them.
// b batch, h KV head, c batch and KV head, g query head of the KV head's group, m query (of products:
// all heads of the group), p page of the sequence, s slot of the page, t KV token, k head column,
// n value column
!query = tensor<2x8x65x64xf16>
!key = tensor<2x2x65x64xf16>
!value = tensor<2x2x65x64xf16>
!slot_mapping = tensor<2x65xi32>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x4xi32>
!context_lens = tensor<2xi32>
!output = tensor<2x8x65x64xf16>
!updated_key_cache = tensor<9x2x16x64xf16>
!updated_value_cache = tensor<9x2x16x64xf16>
!grouped_query = tensor<4x4x65x64xf16>
!grouped_output = tensor<4x4x65x64xf16>
!grouped_lse = tensor<4x4x65xf32>
!key_tokens = tensor<4x64x64xf16>
!value_tokens = tensor<4x64x64xf16>
!keys = tensor<4x64x64xf32>
!values = tensor<4x64x64xf32>
#lhs = affine_map<(c, m, t, k) -> (c, m, k)>
#transposed = affine_map<(c, m, t, k) -> (c, t, k)>
#product = affine_map<(c, m, t, k) -> (c, m, t)>
#scores = affine_map<(c, m, t) -> (c, m, t)>
#row = affine_map<(c, m, t) -> (c, m)>
!by_head = tensor<2x2x4x16x64xf16>
!cache_rows = tensor<288x64xf16>
!row_numbers = tensor<2x2x65xi32>
!is_written = tensor<2x2x65xi1>

func.func @paged_update_attention(%query: !query, %key: !key, %value: !value, %slot_mapping: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %block_table: !block_table, %context_lens: !context_lens) -> (!output, !updated_key_cache, !updated_value_cache) {
  // The row of every head of every token, and whether it is written; those of skipped tokens mean
  // nothing. The compiler makes both inside the kernels that write.
  %row_numbers_empty = tensor.empty() : !row_numbers
  %written_empty = tensor.empty() : !is_written
  %row_numbers, %is_written = linalg.generic {
      indexing_maps = [affine_map<(b, h, m) -> (b, m)>, affine_map<(b, h, m) -> (b, h, m)>, affine_map<(b, h, m) -> (b, h, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%slot_mapping : !slot_mapping) outs(%row_numbers_empty, %written_empty : !row_numbers, !is_written) {
  ^bb0(%slot: i32, %unused_number: i32, %unused_flag: i1):
    %slots_per_block = arith.constant 16 : i32
    %heads = arith.constant 2 : i32
    %none = arith.constant 0 : i32
    %h = linalg.index 1 : index
    %head = arith.index_cast %h : index to i32
    %block = arith.divsi %slot, %slots_per_block : i32
    %slot_in_block = arith.remsi %slot, %slots_per_block : i32
    %first_head = arith.muli %block, %heads : i32
    %block_and_head = arith.addi %first_head, %head : i32
    %first_row = arith.muli %block_and_head, %slots_per_block : i32
    %row = arith.addi %first_row, %slot_in_block : i32
    %is_written = arith.cmpi sge, %slot, %none : i32
    linalg.yield %row, %is_written : i32, i1
  } -> (!row_numbers, !is_written)
  %key_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]] : !key_cache into !cache_rows
  %updated_key_rows = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%key, %row_numbers, %is_written : !key, !row_numbers, !is_written) outs(%key_rows : !cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !cache_rows
  %updated_key_cache = tensor.expand_shape %updated_key_rows [[0, 1, 2], [3]] output_shape [9, 2, 16, 64] : !cache_rows into !updated_key_cache
  %value_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]] : !value_cache into !cache_rows
  %updated_value_rows = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%value, %row_numbers, %is_written : !value, !row_numbers, !is_written) outs(%value_rows : !cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !cache_rows
  %updated_value_cache = tensor.expand_shape %updated_value_rows [[0, 1, 2], [3]] output_shape [9, 2, 16, 64] : !cache_rows into !updated_value_cache
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale = arith.constant 0.125 : f32
  %output_empty = tensor.empty() : !grouped_output
  // Rows that no block covers see no token and stay as they are here.
  %output0 = linalg.fill ins(%zero : f16) outs(%output_empty : !grouped_output) -> !grouped_output
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into tensor<1040x64xf16>
  %grouped_query = tensor.expand_shape %flat_query [[0, 1, 2], [3]] output_shape [4, 4, 65, 64] : tensor<1040x64xf16> into !grouped_query
  %key_pages_empty = tensor.empty() : !by_head
  %key_by_head = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, p, s, k) -> (b, p)>,
        affine_map<(b, h, p, s, k) -> (b, h, p, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%block_table : !block_table) outs(%key_pages_empty : !by_head) {
  ^bb0(%id: i32, %unused: f16):
    %block = arith.index_cast %id : i32 to index
    %h = linalg.index 1 : index
    %s = linalg.index 3 : index
    %k = linalg.index 4 : index
    %in = tensor.extract %updated_key_cache[%block, %h, %s, %k] : !updated_key_cache
    linalg.yield %in : f16
  } -> !by_head
  %key_in_order = tensor.collapse_shape %key_by_head [[0, 1], [2, 3], [4]] : !by_head into !key_tokens
  // Laid out once, not again in every block.
  %key_tokens = iree_tensor_ext.compute_barrier.start %key_in_order : !key_tokens -> !key_tokens
  %key_empty = tensor.empty() : !keys
  %keys = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_tokens : !key_tokens) outs(%key_empty : !keys) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !keys
  %value_pages_empty = tensor.empty() : !by_head
  %value_by_head = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, p, s, k) -> (b, p)>,
        affine_map<(b, h, p, s, k) -> (b, h, p, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%block_table : !block_table) outs(%value_pages_empty : !by_head) {
  ^bb0(%id: i32, %unused: f16):
    %block = arith.index_cast %id : i32 to index
    %h = linalg.index 1 : index
    %s = linalg.index 3 : index
    %k = linalg.index 4 : index
    %in = tensor.extract %updated_value_cache[%block, %h, %s, %k] : !updated_value_cache
    linalg.yield %in : f16
  } -> !by_head
  %value_in_order = tensor.collapse_shape %value_by_head [[0, 1], [2, 3], [4]] : !by_head into !value_tokens
  // Laid out once, not again in every block.
  %value_tokens = iree_tensor_ext.compute_barrier.start %value_in_order : !value_tokens -> !value_tokens
  %value_empty = tensor.empty() : !values
  %values = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_tokens : !value_tokens) outs(%value_empty : !values) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !values
  // Query rows 0 to 63 against tokens 0 to 63.
  %output1 = scf.execute_region -> !grouped_output {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [4, 64, 64] [1, 1, 1] : !keys to tensor<4x64x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [4, 64, 64] [1, 1, 1] : !values to tensor<4x64x64xf32>
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
    %scores_empty = tensor.empty() : tensor<4x256x64xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%wide_rows, %keys_seen : tensor<4x256x64xf32>, tensor<4x64x64xf32>) outs(%scores_start : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [2, 2, 4, 64, 64] : tensor<4x256x64xf32> into tensor<2x2x4x64x64xf32>
    %by_head_empty = tensor.empty() : tensor<2x2x4x64x64xf32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head, %context_lens : tensor<2x2x4x64x64xf32>, tensor<2xi32>) outs(%by_head_empty : tensor<2x2x4x64x64xf32>) {
    ^bb0(%score: f32, %context_len: i32, %unused: f32):
      %row = linalg.index 3 : index
      %start = arith.constant 0 : index
      %m = arith.addi %row, %start : index
      %token = linalg.index 4 : index
      %begin = arith.constant 0 : index
      %t = arith.addi %token, %begin : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %q_len = arith.constant 65 : i32
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
    } -> tensor<2x2x4x64x64xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<2x2x4x64x64xf32> into tensor<4x256x64xf32>
    %row_empty = tensor.empty() : tensor<4x256xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<4x256xf32>) -> tensor<4x256xf32>
    %max = linalg.generic {
        indexing_maps = [#scores, #row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<4x256x64xf32>) outs(%max_start : tensor<4x256xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<4x256xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<4x256xf32>) -> tensor<4x256xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#scores, #row, #scores, #row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<4x256x64xf32>, tensor<4x256xf32>) outs(%scores_empty, %sum_start : tensor<4x256x64xf32>, tensor<4x256xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<4x256x64xf32>, tensor<4x256xf32>)
    %acc_empty = tensor.empty() : tensor<4x256x64xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<4x256x64xf32>, tensor<4x64x64xf32>) outs(%acc_start : tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
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
    scf.yield %written : !grouped_output
  }
  // Query rows 64 to 64 against tokens 0 to 63.
  %output2 = scf.execute_region -> !grouped_output {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [4, 64, 64] [1, 1, 1] : !keys to tensor<4x64x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [4, 64, 64] [1, 1, 1] : !values to tensor<4x64x64xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, 64, 0] [4, 4, 1, 64] [1, 1, 1, 1] : !grouped_query to tensor<4x4x1x64xf16>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<4x4x1x64xf16> into tensor<4x4x64xf16>
    %wide_empty = tensor.empty() : tensor<4x4x64xf32>
    %wide_rows = linalg.generic {
        indexing_maps = [affine_map<(c, m, k) -> (c, m, k)>, affine_map<(c, m, k) -> (c, m, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%folded : tensor<4x4x64xf16>) outs(%wide_empty : tensor<4x4x64xf32>) {
    ^bb0(%in: f16, %unused: f32):
      %wide = arith.extf %in : f16 to f32
      linalg.yield %wide : f32
    } -> tensor<4x4x64xf32>
    %scores_empty = tensor.empty() : tensor<4x4x64xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<4x4x64xf32>) -> tensor<4x4x64xf32>
    %scores = linalg.batch_matmul indexing_maps = [#lhs, #transposed, #product]
        ins(%wide_rows, %keys_seen : tensor<4x4x64xf32>, tensor<4x64x64xf32>) outs(%scores_start : tensor<4x4x64xf32>) -> tensor<4x4x64xf32>
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
      %start = arith.constant 64 : index
      %m = arith.addi %row, %start : index
      %token = linalg.index 4 : index
      %begin = arith.constant 0 : index
      %t = arith.addi %token, %begin : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %q_len = arith.constant 65 : i32
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
    %means_empty = tensor.empty() : tensor<4x4x64xf16>
    %means = linalg.generic {
        indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1 : tensor<4x4x64xf32>, tensor<4x4xf32>) outs(%means_empty : tensor<4x4x64xf16>) {
    ^bb0(%weighted: f32, %sum: f32, %unused: f16):
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %sum, %zero_f32 : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<4x4x64xf16>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [4, 4, 1, 64] : tensor<4x4x64xf16> into tensor<4x4x1x64xf16>
    %written = tensor.insert_slice %grouped into %output1[0, 0, 64, 0] [4, 4, 1, 64] [1, 1, 1, 1] : tensor<4x4x1x64xf16> into !grouped_output
    scf.yield %written : !grouped_output
  }
  %flat_output = tensor.collapse_shape %output2 [[0, 1, 2], [3]] : !grouped_output into tensor<1040x64xf16>
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [2, 8, 65, 64] : tensor<1040x64xf16> into !output
  return %output, %updated_key_cache, %updated_value_cache : !output, !updated_key_cache, !updated_value_cache
}
