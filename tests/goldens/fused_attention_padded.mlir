// Attention as one kernel with an online softmax.
// b batch, h KV head, g query head of the KV head's group, m query, t KV token, k head column,
// n value column
!query = tensor<1x8x33x80xf16>
!key = tensor<1x2x77x80xf16>
!value = tensor<1x2x77x40xf16>
!output = tensor<1x8x33x40xf16>
!grouped_query = tensor<1x2x4x33x80xf16>
!padded_query = tensor<1x2x4x64x128xf16>
!loop_query = tensor<1x2x4x64x128xf16>
!grouped_output = tensor<1x2x4x33x40xf16>
!padded_output = tensor<1x2x4x64x64xf16>
!acc = tensor<1x2x4x64x64xf32>
!row = tensor<1x2x4x64xf32>
!rules = tensor<128xi1>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
#qk = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 4, 1, 1, 1], [0, 1, 3, 4]], promote_operands = [1]}>
#pv = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 4, 1, 1, 1], [0, 1, 2, 4]], promote_operands = [1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 64, 0, 0, 0], reduction = [0, 0, 0, 0, 32], promote_operands = [1, 2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!padded_key = tensor<1x2x128x128xf16>
!padded_value = tensor<1x2x128x64xf16>

func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_log2e = arith.constant 0.16129820911147805 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty() : !acc
  %row_empty = tensor.empty() : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 33, 80] : !query into !grouped_query
  %padded_query = tensor.pad %grouped_query low[0, 0, 0, 0, 0] high[0, 0, 0, 31, 48] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index, %pad4: index):
    tensor.yield %zero : f16
  } : !grouped_query to !padded_query
  %padded_key = tensor.pad %key low[0, 0, 0, 0] high[0, 0, 51, 48] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index):
    tensor.yield %zero : f16
  } : !key to !padded_key
  %padded_value = tensor.pad %value low[0, 0, 0, 0] high[0, 0, 51, 24] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index):
    tensor.yield %zero : f16
  } : !value to !padded_value
  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty() : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(t) -> (t)>],
      iterator_types = ["parallel"]
    } outs(%rules_empty : !rules) {
  ^bb0(%unused: i1):
    %t = linalg.index 0 : index
    %t_i32 = arith.index_cast %t : index to i32
    %seen0 = arith.constant true
    %context_len = arith.constant 77 : i32
    %key_is_real = arith.cmpi slt, %t_i32, %context_len : i32
    %seen1 = arith.andi %seen0, %key_is_real : i1
    linalg.yield %seen1 : i1
  } -> !rules
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, k)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, t, k)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, t, n)>,
      affine_map<(b, h, g, m, n, k, t) -> ()>,
      affine_map<(b, h, g, m, n, k, t) -> (t)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%padded_query, %padded_key, %padded_value, %ln2, %rules : !loop_query, !padded_key, !padded_value, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %output_empty = tensor.empty() : !padded_output
  %padded_output = linalg.generic {
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
  %grouped_output = tensor.extract_slice %padded_output[0, 0, 0, 0, 0] [1, 2, 4, 33, 40] [1, 1, 1, 1, 1] : !padded_output to !grouped_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  return %output : !output
}
