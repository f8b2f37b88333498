// Attention as one kernel with an online softmax.
// b batch, h KV head, g query head of the KV head's group, m query, t KV token, k head column,
// n value column
!query = tensor<?x8x33x80xf16>
!key = tensor<?x2x?x80xf16>
!value = tensor<?x2x?x40xf16>
!q_lens = tensor<?xi32>
!context_lens = tensor<?xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<1x8x33x?xf16>
!sinks = tensor<8xf32>
!output = tensor<?x8x33x40xf16>
!lse = tensor<?x8x33xf32>
!grouped_query = tensor<?x2x4x33x80xf16>
!padded_query = tensor<?x2x4x64x128xf16>
!loop_query = tensor<?x2x4x64x128xf16>
!grouped_output = tensor<?x2x4x33x40xf16>
!padded_output = tensor<?x2x4x64x64xf16>
!acc = tensor<?x2x4x64x64xf32>
!row = tensor<?x2x4x64xf32>
!rules = tensor<?x2x4x64x?xf32>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
#head = affine_map<(b, h, g, m, n) -> (h, g)>
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
!padded_key = tensor<?x2x?x128xf16>
!padded_value = tensor<?x2x?x64xf16>

func.func @attention(%query_given: !query, %key_given: !key, %value_given: !value, %q_lens_given: !q_lens, %context_lens_given: !context_lens, %alibi_slopes: !alibi_slopes, %bias_given: !bias, %sinks: !sinks) -> (!output, !lse) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %query_given, %batch_axis : !query
  %batch_dim = util.assume.int %batch_given<umin = 1, umax = 2, udiv = 1> : index
  %kv_len_axis = arith.constant 2 : index
  %kv_len_given = tensor.dim %key_given, %kv_len_axis : !key
  %kv_len_dim = util.assume.int %kv_len_given<umin = 64, umax = 128, udiv = 64> : index
  %query = flow.tensor.tie_shape %query_given : !query{%batch_dim}
  %key = flow.tensor.tie_shape %key_given : !key{%batch_dim, %kv_len_dim}
  %value = flow.tensor.tie_shape %value_given : !value{%batch_dim, %kv_len_dim}
  %q_lens = flow.tensor.tie_shape %q_lens_given : !q_lens{%batch_dim}
  %context_lens = flow.tensor.tie_shape %context_lens_given : !context_lens{%batch_dim}
  %bias = flow.tensor.tie_shape %bias_given : !bias{%kv_len_dim}
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_over_cap = arith.constant 0.0037267799624996494 : f32
  %cap_log2e = arith.constant 43.2808512266689 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty(%batch_dim) : !acc
  %row_empty = tensor.empty(%batch_dim) : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [%batch_dim, 2, 4, 33, 80] : !query into !grouped_query
  %padded_query = tensor.pad %grouped_query low[0, 0, 0, 0, 0] high[0, 0, 0, 31, 48] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index, %pad4: index):
    tensor.yield %zero : f16
  } : !grouped_query to !padded_query
  %padded_key = tensor.pad %key low[0, 0, 0, 0] high[0, 0, 0, 48] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index):
    tensor.yield %zero : f16
  } : !key to !padded_key
  %padded_value = tensor.pad %value low[0, 0, 0, 0] high[0, 0, 0, 24] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index):
    tensor.yield %zero : f16
  } : !value to !padded_value


  %alibi_slopes_grouped = tensor.expand_shape %alibi_slopes [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %bias_flat = tensor.collapse_shape %bias [[0, 1, 2, 3]] : !bias into tensor<?xf16>
  %bias_grouped = tensor.expand_shape %bias_flat [[0, 1, 2, 3]] output_shape [2, 4, 33, %kv_len_dim] : tensor<?xf16> into tensor<2x4x33x?xf16>
  %no_bias = arith.constant 0.0 : f16
  %padded_bias = tensor.pad %bias_grouped low[0, 0, 0, 0] high[0, 0, 31, 0] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index):
    tensor.yield %no_bias : f16
  } : tensor<2x4x33x?xf16> to tensor<2x4x64x?xf16>
  // Added to the logits, -inf where the query does not see the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty(%batch_dim, %kv_len_dim) : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, m, t) -> (b)>,
        affine_map<(b, h, g, m, t) -> (b)>,
        affine_map<(b, h, g, m, t) -> (h, g)>,
        affine_map<(b, h, g, m, t) -> (h, g, m, t)>,
        affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%q_lens, %context_lens, %alibi_slopes_grouped, %padded_bias : tensor<?xi32>, tensor<?xi32>, tensor<2x4xf32>, tensor<2x4x64x?xf16>) outs(%rules_empty : !rules) {
  ^bb0(%q_len: i32, %context_len: i32, %slope: f32, %bias_at: f16, %unused: f32):
    %m = linalg.index 3 : index
    %t = linalg.index 4 : index
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
    %logit0 = arith.constant 0.0 : f32
    %bias_added = arith.extf %bias_at : f16 to f32
    %logit1 = arith.addf %logit0, %bias_added : f32
    %ahead_f32 = arith.sitofp %ahead : i32 to f32
    %distance = math.absf %ahead_f32 : f32
    %steepness = arith.mulf %slope, %distance : f32
    %alibi_added = arith.negf %steepness : f32
    %logit2 = arith.addf %logit1, %alibi_added : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %logit = arith.select %seen2, %logit2, %minus_inf : f32
    linalg.yield %logit : f32
  } -> !rules
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, k)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, t, k)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, t, n)>,
      affine_map<(b, h, g, m, n, k, t) -> ()>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, t)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m)>,
      affine_map<(b, h, g, m, n, k, t) -> (b, h, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%padded_query, %padded_key, %padded_value, %ln2, %rules : !loop_query, !padded_key, !padded_value, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %fraction = arith.mulf %score, %scale_over_cap : f32
    %bounded = math.tanh %fraction : f32
    %scaled = arith.mulf %bounded, %cap_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %grouped_sinks = tensor.expand_shape %sinks [[0, 1]] output_shape [2, 4] : !sinks into tensor<2x4xf32>
  %output_empty = tensor.empty(%batch_dim) : !padded_output
  %padded_output = linalg.generic {
      indexing_maps = [#acc, #row, #row, #head, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%state#0, %state#2, %state#1, %grouped_sinks : !acc, !row, !row, tensor<2x4xf32>) outs(%output_empty : !padded_output) {
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
  %grouped_output = tensor.extract_slice %padded_output[0, 0, 0, 0, 0] [%batch_dim, 2, 4, 33, 40] [1, 1, 1, 1, 1] : !padded_output to !grouped_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  %padded_lse = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, m) -> (b, h, g, m)>, affine_map<(b, h, g, m) -> (b, h, g, m)>,
        affine_map<(b, h, g, m) -> (h, g)>,
        affine_map<(b, h, g, m) -> (b, h, g, m)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%state#1, %state#2, %grouped_sinks : !row, !row, tensor<2x4xf32>) outs(%row_empty : !row) {
  ^bb0(%max: f32, %sum: f32, %sink: f32, %unused: f32):
    %log2e = arith.constant 1.4426950408889634 : f32
    %sink_log2 = arith.mulf %sink, %log2e : f32
    %top = arith.maximumf %max, %sink_log2 : f32
    %fallen = arith.subf %max, %top : f32
    %shrink = math.exp2 %fallen : f32
    %sink_below = arith.subf %sink_log2, %top : f32
    %sink_weight = math.exp2 %sink_below : f32
    %shrunk = arith.mulf %sum, %shrink : f32
    %total = arith.addf %shrunk, %sink_weight : f32
    %log_sum = math.log %total : f32
    %max_natural = arith.mulf %top, %ln2 : f32
    %log = arith.addf %max_natural, %log_sum : f32
    linalg.yield %log : f32
  } -> !row
  %grouped_lse = tensor.extract_slice %padded_lse[0, 0, 0, 0] [%batch_dim, 2, 4, 33] [1, 1, 1, 1] : !row to tensor<?x2x4x33xf32>
  %lse = tensor.collapse_shape %grouped_lse [[0], [1, 2], [3]] : tensor<?x2x4x33xf32> into !lse
  return %output, %lse : !output, !lse
}
