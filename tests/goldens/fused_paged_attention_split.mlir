// Attention over a block cache as one kernel: the gather of pages is fused into it.
// b batch, h KV head, g query head of the KV head's group, m query, p page of the sequence,
// t token of the page, k head column, n value column, s part of the pages
!query = tensor<2x8x1x64xf16>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x32xi32>
!context_lens = tensor<2xi32>
!sinks = tensor<8xf32>
!output = tensor<2x8x1x64xf16>
!grouped_query = tensor<2x2x4x1x64xf16>
!padded_query = tensor<2x2x16x1x64xf16>
!loop_query = tensor<2x2x2x16x1x64xf16>
!grouped_output = tensor<2x2x4x1x64xf16>
!padded_output = tensor<2x2x16x1x64xf16>
!acc = tensor<2x2x2x16x1x64xf32>
!row = tensor<2x2x2x16x1xf32>
!merged_acc = tensor<2x2x16x1x64xf32>
!merged_row = tensor<2x2x16x1xf32>
!rules = tensor<2x1x2x16x16xi1>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
#head = affine_map<(b, h, g, m, n) -> (h, g)>
#qk = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 5, 6, 7]], promote_operands = [1]}>
#pv = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 6, 7]], promote_operands = [1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 1, 1, 16, 0, 0, 0, 0], reduction = [0, 0, 0, 0, 0, 0, 1, 16], promote_operands = [1, 2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!padded_table = tensor<2x2x16xi32>
!pages = tensor<2x2x16x2x16x64xf16>
!padded_pages = tensor<2x2x16x2x16x64xf16>

func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens, %sinks: !sinks) -> !output {
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
  %padded_query = tensor.pad %grouped_query low[0, 0, 0, 0, 0] high[0, 0, 12, 0, 0] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index, %pad4: index):
    tensor.yield %zero : f16
  } : !grouped_query to !padded_query
  // Every part of the keys gets the query.
  %loop_query_empty = tensor.empty() : !loop_query
  %loop_query = linalg.broadcast ins(%padded_query : !padded_query) outs(%loop_query_empty : !loop_query) dimensions = [2]
  %padded_table = tensor.expand_shape %block_table [[0], [1, 2]] output_shape [2, 2, 16] : !block_table into !padded_table
  %pages_empty = tensor.empty() : !pages
  %key_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%key_cache, %padded_table : !key_cache, !padded_table) outs(%pages_empty : !pages) -> !pages
  %value_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%value_cache, %padded_table : !value_cache, !padded_table) outs(%pages_empty : !pages) -> !pages

  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty() : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, s, p, t) -> (b)>,
        affine_map<(b, m, s, p, t) -> (b, m, s, p, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%context_lens : tensor<2xi32>) outs(%rules_empty : !rules) {
  ^bb0(%context_len: i32, %unused: i1):
    %m = linalg.index 1 : index
    %part = linalg.index 2 : index
    %in_part = linalg.index 3 : index
    %part_size = arith.constant 16 : index
    %part_start = arith.muli %part, %part_size : index
    %page = arith.addi %part_start, %in_part : index
    %slot = linalg.index 4 : index
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
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, h, s, g, m, k)>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, s, p, h, t, k)>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, s, p, h, t, n)>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> ()>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, m, s, p, t)>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, h, s, g, m, n)>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, h, s, g, m)>,
      affine_map<(b, h, s, g, m, n, k, p, t) -> (b, h, s, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%loop_query, %key_pages, %value_pages, %ln2, %rules : !loop_query, !pages, !pages, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %tops_empty = tensor.empty() : !merged_row
  %tops_start = linalg.fill ins(%lowest : f32) outs(%tops_empty : !merged_row) -> !merged_row
  %tops = linalg.reduce ins(%state#1 : !row) outs(%tops_start : !merged_row) dimensions = [2]
    (%max: f32, %best: f32) {
      %better = arith.maximumf %max, %best : f32
      linalg.yield %better : f32
    }
  %zero_rows = linalg.fill ins(%zero_f32 : f32) outs(%tops_empty : !merged_row) -> !merged_row
  %totals = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, m, s) -> (b, h, s, g, m)>, affine_map<(b, h, g, m, s) -> (b, h, s, g, m)>,
        affine_map<(b, h, g, m, s) -> (b, h, g, m)>, affine_map<(b, h, g, m, s) -> (b, h, g, m)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%state#2, %state#1, %tops : !row, !row, !merged_row) outs(%zero_rows : !merged_row) {
  ^bb0(%sum: f32, %max: f32, %top: f32, %total: f32):
    %below = arith.subf %max, %top : f32
    %share = math.exp2 %below : f32
    %part = arith.mulf %sum, %share : f32
    %more = arith.addf %total, %part : f32
    linalg.yield %more : f32
  } -> !merged_row
  %merged_empty = tensor.empty() : !merged_acc
  %merged_start = linalg.fill ins(%zero_f32 : f32) outs(%merged_empty : !merged_acc) -> !merged_acc
  %merged = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, m, n, s) -> (b, h, s, g, m, n)>, affine_map<(b, h, g, m, n, s) -> (b, h, s, g, m)>,
        affine_map<(b, h, g, m, n, s) -> (b, h, g, m)>, affine_map<(b, h, g, m, n, s) -> (b, h, g, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%state#0, %state#1, %tops : !acc, !row, !merged_row) outs(%merged_start : !merged_acc) {
  ^bb0(%weighted: f32, %max: f32, %top: f32, %total: f32):
    %below = arith.subf %max, %top : f32
    %share = math.exp2 %below : f32
    %part = arith.mulf %weighted, %share : f32
    %more = arith.addf %total, %part : f32
    linalg.yield %more : f32
  } -> !merged_acc
  %real_sinks = tensor.expand_shape %sinks [[0, 1]] output_shape [2, 4] : !sinks into tensor<2x4xf32>
  %grouped_sinks = tensor.pad %real_sinks low[0, 0] high[0, 12] {
  ^bb0(%pad0: index, %pad1: index):
    tensor.yield %zero_f32 : f32
  } : tensor<2x4xf32> to tensor<2x16xf32>
  %output_empty = tensor.empty() : !padded_output
  %padded_output = linalg.generic {
      indexing_maps = [#acc, #row, #row, #head, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%merged, %totals, %tops, %grouped_sinks : !merged_acc, !merged_row, !merged_row, tensor<2x16xf32>) outs(%output_empty : !padded_output) {
  ^bb0(%weighted: f32, %sum: f32, %max: f32, %sink: f32, %unused: f16):
    %log2e = arith.constant 1.4426950408889634 : f32
    %sink_log2 = arith.mulf %sink, %log2e : f32
    %top = arith.maximumf %max, %sink_log2 : f32
    %fallen = arith.subf %max, %top : f32
    %shrink = math.exp2 %fallen : f32
    %sink_below = arith.subf %sink_log2, %top : f32
    %sink_weight = math.exp2 %sink_below : f32
    %shrunk = arith.mulf %sum, %shrink : f32
    %total = arith.addf %shrunk, %sink_weight : f32
    %kept = arith.mulf %weighted, %shrink : f32
    %any = arith.cmpf ogt, %total, %zero_f32 : f32
    %quotient = arith.divf %kept, %total : f32
    %mean = arith.select %any, %quotient, %zero_f32 : f32
    %narrow = arith.truncf %mean : f32 to f16
    linalg.yield %narrow : f16
  } -> !padded_output
  %grouped_output = tensor.extract_slice %padded_output[0, 0, 0, 0, 0] [2, 2, 4, 1, 64] [1, 1, 1, 1, 1] : !padded_output to !grouped_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  return %output : !output
}
