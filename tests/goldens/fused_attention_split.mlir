// Attention as one kernel with an online softmax.
// b batch, h KV head, g query head of the KV head's group, m query, t KV token, k head column,
// n value column, s part of the keys
!query = tensor<1x8x1x64xf16>
!key = tensor<1x2x512x64xf16>
!value = tensor<1x2x512x64xf16>
!output = tensor<1x8x1x64xf16>
!lse = tensor<1x8x1xf32>
!grouped_query = tensor<1x2x4x1x64xf16>
!padded_query = tensor<1x2x16x1x64xf16>
!loop_query = tensor<1x2x2x16x1x64xf16>
!grouped_output = tensor<1x2x4x1x64xf16>
!padded_output = tensor<1x2x16x1x64xf16>
!acc = tensor<1x2x2x16x1x64xf32>
!row = tensor<1x2x2x16x1xf32>
!merged_acc = tensor<1x2x16x1x64xf32>
!merged_row = tensor<1x2x16x1xf32>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
#qk = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 1, 1, 1], [0, 1, 2, 4, 5]], promote_operands = [1]}>
#pv = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 5]], promote_operands = [1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 1, 16, 0, 0, 0], reduction = [0, 0, 0, 0, 0, 32], promote_operands = [1, 2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!padded_key = tensor<1x2x2x256x64xf16>
!padded_value = tensor<1x2x2x256x64xf16>

func.func @attention(%query: !query, %key: !key, %value: !value) -> (!output, !lse) {
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
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 1, 64] : !query into !grouped_query
  %padded_query = tensor.pad %grouped_query low[0, 0, 0, 0, 0] high[0, 0, 12, 0, 0] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index, %pad4: index):
    tensor.yield %zero : f16
  } : !grouped_query to !padded_query
  // Every part of the keys gets the query.
  %loop_query_empty = tensor.empty() : !loop_query
  %loop_query = linalg.broadcast ins(%padded_query : !padded_query) outs(%loop_query_empty : !loop_query) dimensions = [2]
  %padded_key = tensor.expand_shape %key [[0], [1], [2, 3], [4]] output_shape [1, 2, 2, 256, 64] : !key into !padded_key
  %padded_value = tensor.expand_shape %value [[0], [1], [2, 3], [4]] output_shape [1, 2, 2, 256, 64] : !value into !padded_value
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(b, h, s, g, m, n, k, t) -> (b, h, s, g, m, k)>,
      affine_map<(b, h, s, g, m, n, k, t) -> (b, h, s, t, k)>,
      affine_map<(b, h, s, g, m, n, k, t) -> (b, h, s, t, n)>,
      affine_map<(b, h, s, g, m, n, k, t) -> ()>,
      affine_map<(b, h, s, g, m, n, k, t) -> (b, h, s, g, m, n)>,
      affine_map<(b, h, s, g, m, n, k, t) -> (b, h, s, g, m)>,
      affine_map<(b, h, s, g, m, n, k, t) -> (b, h, s, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%loop_query, %padded_key, %padded_value, %ln2 : !loop_query, !padded_key, !padded_value, f32)
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
  %output_empty = tensor.empty() : !padded_output
  %padded_output = linalg.generic {
      indexing_maps = [#acc, #row, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%merged, %totals : !merged_acc, !merged_row) outs(%output_empty : !padded_output) {
  ^bb0(%weighted: f32, %sum: f32, %unused: f16):
    %any = arith.cmpf ogt, %sum, %zero_f32 : f32
    %quotient = arith.divf %weighted, %sum : f32
    %mean = arith.select %any, %quotient, %zero_f32 : f32
    %narrow = arith.truncf %mean : f32 to f16
    linalg.yield %narrow : f16
  } -> !padded_output
  %grouped_output = tensor.extract_slice %padded_output[0, 0, 0, 0, 0] [1, 2, 4, 1, 64] [1, 1, 1, 1, 1] : !padded_output to !grouped_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  %padded_lse = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, m) -> (b, h, g, m)>, affine_map<(b, h, g, m) -> (b, h, g, m)>,
        affine_map<(b, h, g, m) -> (b, h, g, m)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%tops, %totals : !merged_row, !merged_row) outs(%tops_empty : !merged_row) {
  ^bb0(%max: f32, %sum: f32, %unused: f32):
    %log_sum = math.log %sum : f32
    %max_natural = arith.mulf %max, %ln2 : f32
    %log = arith.addf %max_natural, %log_sum : f32
    linalg.yield %log : f32
  } -> !merged_row
  %grouped_lse = tensor.extract_slice %padded_lse[0, 0, 0, 0] [1, 2, 4, 1] [1, 1, 1, 1] : !merged_row to tensor<1x2x4x1xf32>
  %lse = tensor.collapse_shape %grouped_lse [[0], [1, 2], [3]] : tensor<1x2x4x1xf32> into !lse
  return %output, %lse : !output, !lse
}
