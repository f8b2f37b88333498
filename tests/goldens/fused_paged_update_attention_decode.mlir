// New tokens are written into a block cache, in its own memory, and attention over it runs as one
// kernel.
// b batch, h KV head, g query head of the KV head's group, m query, p page of the sequence,
// t token of the page, k head column, n value column
!query = tensor<2x8x1x64xf16>
!key = tensor<2x2x1x64xf16>
!value = tensor<2x2x1x64xf16>
!slot_mapping = tensor<2x1xi32>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x4xi32>
!context_lens = tensor<2xi32>
!output = tensor<2x8x1x64xf16>
!updated_key_cache = tensor<9x2x16x64xf16>
!updated_value_cache = tensor<9x2x16x64xf16>
!grouped_query = tensor<2x2x4x1x64xf16>
!padded_query = tensor<2x2x4x1x64xf16>
!loop_query = tensor<2x2x4x1x64xf16>
!grouped_output = tensor<2x2x4x1x64xf16>
!padded_output = tensor<2x2x4x1x64xf16>
!acc = tensor<2x2x4x1x64xf32>
!row = tensor<2x2x4x1xf32>
!rules = tensor<2x1x4x16xi1>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
!padded_table = tensor<2x4xi32>
!pages = tensor<2x4x2x16x64xf16>
!padded_pages = tensor<2x4x2x16x64xf16>
!cache_rows = tensor<288x64xf16>
!row_numbers = tensor<2x2x1xi32>
!is_written = tensor<2x2x1xi1>

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
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_log2e = arith.constant 0.18033688011112042 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty() : !acc
  %row_empty = tensor.empty() : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [2, 2, 4, 1, 64] : !query into !grouped_query
  %pages_empty = tensor.empty() : !pages
  %key_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%updated_key_cache, %block_table : !updated_key_cache, !padded_table) outs(%pages_empty : !pages) -> !pages
  %value_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%updated_value_cache, %block_table : !updated_value_cache, !padded_table) outs(%pages_empty : !pages) -> !pages

  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty() : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, p, t) -> (b)>,
        affine_map<(b, m, p, t) -> (b, m, p, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%context_lens : tensor<2xi32>) outs(%rules_empty : !rules) {
  ^bb0(%context_len: i32, %unused: i1):
    %m = linalg.index 1 : index
    %page = linalg.index 2 : index
    %slot = linalg.index 3 : index
    %block_size = arith.constant 16 : index
    %page_start = arith.muli %page, %block_size : index
    %t = arith.addi %page_start, %slot : index
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
    linalg.yield %seen2 : i1
  } -> !rules
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, k)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, p, h, t, k)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, p, h, t, n)>,
      affine_map<(b, h, g, m, n, k, p, t) -> ()>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, m, p, t)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>]}>
    ins(%grouped_query, %key_pages, %value_pages, %ln2, %rules : !loop_query, !pages, !pages, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %output_empty = tensor.empty() : !padded_output
  %grouped_output = linalg.generic {
      indexing_maps = [#acc, #row, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%state#0, %state#2 : !acc, !row) outs(%output_empty : !padded_output) {
  ^bb0(%weighted: f32, %sum: f32, %unused: f16):
    %any = arith.cmpf ogt, %sum, %zero_f32 : f32
    %quotient = arith.divf %weighted, %sum : f32
    %mean = arith.select %any, %quotient, %zero_f32 : f32
    %narrow = arith.truncf %mean : f32 to f16
    linalg.yield %narrow : f16
  } -> !padded_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  return %output, %updated_key_cache, %updated_value_cache : !output, !updated_key_cache, !updated_value_cache
}
