// Attention as one kernel with an online softmax.
// b batch, h KV head, g query head of the KV head's group, m query, t KV token, k head column,
// n value column
!query = tensor<1x8x?x64xf16>
!key = tensor<1x2x?x64xf16>
!value = tensor<1x2x?x64xf16>
!q_lens = tensor<1xi32>
!context_lens = tensor<1xi32>
!output = tensor<1x8x?x64xf16>
!grouped_query = tensor<1x2x4x?x64xf16>
!padded_query = tensor<1x2x4x?x64xf16>
!loop_query = tensor<1x2x4x?x64xf16>
!grouped_output = tensor<1x2x4x?x64xf16>
!padded_output = tensor<1x2x4x?x64xf16>
!acc = tensor<1x2x4x?x64xf32>
!row = tensor<1x2x4x?xf32>
!rules = tensor<1x?x?xi1>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
#qk = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 4, 1, 1, 1, 1], [0, 1, 2, 3, 5, 6, 7]], promote_operands = [1]}>
#pv = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 4, 1, 1, 1, 1], [0, 1, 2, 3, 4, 6, 7]], promote_operands = [1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 1, 1, 64, 0, 0, 0, 0], reduction = [0, 0, 0, 0, 0, 0, 1, 16], promote_operands = [1, 2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!padded_key = tensor<1x2x?x64xf16>
!padded_value = tensor<1x2x?x64xf16>

func.func @attention(%query_given: !query, %key_given: !key, %value_given: !value, %q_lens: !q_lens, %context_lens: !context_lens) -> !output {
  %q_len_axis = arith.constant 2 : index
  %q_len_given = tensor.dim %query_given, %q_len_axis : !query
  %q_len_dim = util.assume.int %q_len_given<umin = 64, umax = 128, udiv = 64> : index
  %kv_len_axis = arith.constant 2 : index
  %kv_len_given = tensor.dim %key_given, %kv_len_axis : !key
  %kv_len_dim = util.assume.int %kv_len_given<umin = 64, umax = 128, udiv = 64> : index
  %query = flow.tensor.tie_shape %query_given : !query{%q_len_dim}
  %key = flow.tensor.tie_shape %key_given : !key{%kv_len_dim}
  %value = flow.tensor.tie_shape %value_given : !value{%kv_len_dim}
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_log2e = arith.constant 0.18033688011112042 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty(%q_len_dim) : !acc
  %row_empty = tensor.empty(%q_len_dim) : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, %q_len_dim, 64] : !query into !grouped_query


  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty(%q_len_dim, %kv_len_dim) : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, t) -> (b)>,
        affine_map<(b, m, t) -> (b)>,
        affine_map<(b, m, t) -> (b, m, t)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%q_lens, %context_lens : tensor<1xi32>, tensor<1xi32>) outs(%rules_empty : !rules) {
  ^bb0(%q_len: i32, %context_len: i32, %unused: i1):
    %m = linalg.index 1 : index
    %t = linalg.index 2 : index
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
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen3 = arith.andi %seen2, %causal : i1
    linalg.yield %seen3 : i1
  } -> !rules
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, k)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, t, k)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, t, n)>,
      affine_map<(b, h, g, m, n, k, t) -> ()>,
      affine_map<(b, h, g, m, n, k, t) -> (b, m, t)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%grouped_query, %key, %value, %ln2, %rules : !loop_query, !padded_key, !padded_value, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %output_empty = tensor.empty(%q_len_dim) : !padded_output
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
  return %output : !output
}
