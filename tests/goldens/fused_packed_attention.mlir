// Attention within packed sequences as one kernel over all pairs of tokens.
// h KV head, g query head of the KV head's group, m query token, t KV token, k head column,
// n value column, s sequence
!query = tensor<128x8x64xf16>
!key = tensor<128x2x64xf16>
!value = tensor<128x2x64xf16>
!cu_seqlens_q = tensor<4xi32>
!cu_seqlens_k = tensor<4xi32>
!output = tensor<128x8x64xf16>
!grouped_query = tensor<128x2x4x64xf16>
!padded_query = tensor<128x2x4x64xf16>
!loop_query = tensor<128x2x4x64xf16>
!grouped_output = tensor<128x2x4x64xf16>
!padded_output = tensor<128x2x4x64xf16>
!acc = tensor<2x4x128x64xf32>
!row = tensor<2x4x128xf32>
!rules = tensor<128x128xi1>
#acc = affine_map<(h, g, m, n) -> (h, g, m, n)>
#output = affine_map<(h, g, m, n) -> (m, h, g, n)>
#row = affine_map<(h, g, m, n) -> (h, g, m)>
#qk = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 4, 1, 1, 1], [0, 1, 2, 4, 5]], promote_operands = [1]}>
#pv = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 4, 1, 1, 1], [0, 1, 2, 3, 5]], promote_operands = [1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 1, 64, 0, 0, 0], reduction = [0, 0, 0, 0, 0, 16], promote_operands = [1, 2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!padded_key = tensor<128x2x64xf16>
!padded_value = tensor<128x2x64xf16>
!bounds = tensor<3xi32>
#bound = affine_map<(t, s) -> (s)>
#token = affine_map<(t, s) -> (t)>

func.func @packed_attention(%query: !query, %key: !key, %value: !value, %cu_seqlens_q: !cu_seqlens_q, %cu_seqlens_k: !cu_seqlens_k) -> !output {
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
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3]] output_shape [128, 2, 4, 64] : !query into !grouped_query
  %q_starts = tensor.extract_slice %cu_seqlens_q[0] [3] [1] : !cu_seqlens_q to !bounds
  %q_ends = tensor.extract_slice %cu_seqlens_q[1] [3] [1] : !cu_seqlens_q to !bounds
  %k_starts = tensor.extract_slice %cu_seqlens_k[0] [3] [1] : !cu_seqlens_k to !bounds
  %k_ends = tensor.extract_slice %cu_seqlens_k[1] [3] [1] : !cu_seqlens_k to !bounds
  %zero_i32 = arith.constant 0 : i32
  %q_empty = tensor.empty() : tensor<128xi32>
  %q_zeros = linalg.fill ins(%zero_i32 : i32) outs(%q_empty : tensor<128xi32>) -> tensor<128xi32>
  %q_places:2 = linalg.generic {
      indexing_maps = [#bound, #bound, #bound, #bound, #token, #token], iterator_types = ["parallel", "reduction"]
    } ins(%q_starts, %q_ends, %k_starts, %k_ends : !bounds, !bounds, !bounds, !bounds) outs(%q_zeros, %q_zeros : tensor<128xi32>, tensor<128xi32>) {
  ^bb0(%q_start: i32, %q_end: i32, %k_start: i32, %k_end: i32, %sequence: i32, %position: i32):
    %index = linalg.index 0 : index
    %token = arith.index_cast %index : index to i32
    %from = arith.cmpi sge, %token, %q_start : i32
    %until = arith.cmpi slt, %token, %q_end : i32
    %inside = arith.andi %from, %until : i1
    %s = linalg.index 1 : index
    %one = arith.constant 1 : index
    %number = arith.addi %s, %one : index
    %number_i32 = arith.index_cast %number : index to i32
    %its_number = arith.select %inside, %number_i32, %zero_i32 : i32
    %this_sequence = arith.addi %sequence, %its_number : i32
    %counted = arith.subi %token, %q_start : i32
    // The last query of a sequence stands at its last key.
    %k_len = arith.subi %k_end, %k_start : i32
    %q_len = arith.subi %q_end, %q_start : i32
    %first = arith.subi %k_len, %q_len : i32
    %aligned = arith.addi %counted, %first : i32
    %its_position = arith.select %inside, %aligned, %zero_i32 : i32
    %this_position = arith.addi %position, %its_position : i32
    linalg.yield %this_sequence, %this_position : i32, i32
  } -> (tensor<128xi32>, tensor<128xi32>)
  %k_empty = tensor.empty() : tensor<128xi32>
  %k_zeros = linalg.fill ins(%zero_i32 : i32) outs(%k_empty : tensor<128xi32>) -> tensor<128xi32>
  %k_places:2 = linalg.generic {
      indexing_maps = [#bound, #bound, #bound, #bound, #token, #token], iterator_types = ["parallel", "reduction"]
    } ins(%q_starts, %q_ends, %k_starts, %k_ends : !bounds, !bounds, !bounds, !bounds) outs(%k_zeros, %k_zeros : tensor<128xi32>, tensor<128xi32>) {
  ^bb0(%q_start: i32, %q_end: i32, %k_start: i32, %k_end: i32, %sequence: i32, %position: i32):
    %index = linalg.index 0 : index
    %token = arith.index_cast %index : index to i32
    %from = arith.cmpi sge, %token, %k_start : i32
    %until = arith.cmpi slt, %token, %k_end : i32
    %inside = arith.andi %from, %until : i1
    %s = linalg.index 1 : index
    %one = arith.constant 1 : index
    %number = arith.addi %s, %one : index
    %number_i32 = arith.index_cast %number : index to i32
    %its_number = arith.select %inside, %number_i32, %zero_i32 : i32
    %this_sequence = arith.addi %sequence, %its_number : i32
    %counted = arith.subi %token, %k_start : i32
    %its_position = arith.select %inside, %counted, %zero_i32 : i32
    %this_position = arith.addi %position, %its_position : i32
    linalg.yield %this_sequence, %this_position : i32, i32
  } -> (tensor<128xi32>, tensor<128xi32>)




  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty() : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(m, t) -> (m)>,
        affine_map<(m, t) -> (m)>,
        affine_map<(m, t) -> (t)>,
        affine_map<(m, t) -> (t)>,
        affine_map<(m, t) -> (m, t)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%q_places#0, %q_places#1, %k_places#0, %k_places#1 : tensor<128xi32>, tensor<128xi32>, tensor<128xi32>, tensor<128xi32>) outs(%rules_empty : !rules) {
  ^bb0(%q_sequence: i32, %q_position: i32, %k_sequence: i32, %k_position: i32, %unused: i1):
    %ahead = arith.subi %k_position, %q_position : i32
    %seen0 = arith.constant true
    %none = arith.constant 0 : i32
    %packed = arith.cmpi ne, %k_sequence, %none : i32
    %alike = arith.cmpi eq, %q_sequence, %k_sequence : i32
    %same_sequence = arith.andi %packed, %alike : i1
    %seen1 = arith.andi %seen0, %same_sequence : i1
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen2 = arith.andi %seen1, %causal : i1
    linalg.yield %seen2 : i1
  } -> !rules
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(h, g, m, n, k, t) -> (m, h, g, k)>,
      affine_map<(h, g, m, n, k, t) -> (t, h, k)>,
      affine_map<(h, g, m, n, k, t) -> (t, h, n)>,
      affine_map<(h, g, m, n, k, t) -> ()>,
      affine_map<(h, g, m, n, k, t) -> (m, t)>,
      affine_map<(h, g, m, n, k, t) -> (h, g, m, n)>,
      affine_map<(h, g, m, n, k, t) -> (h, g, m)>,
      affine_map<(h, g, m, n, k, t) -> (h, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%grouped_query, %key, %value, %ln2, %rules : !loop_query, !padded_key, !padded_value, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %output_empty = tensor.empty() : !padded_output
  %grouped_output = linalg.generic {
      indexing_maps = [#acc, #row, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%state#0, %state#2 : !acc, !row) outs(%output_empty : !padded_output) {
  ^bb0(%weighted: f32, %sum: f32, %unused: f16):
    %any = arith.cmpf ogt, %sum, %zero_f32 : f32
    %quotient = arith.divf %weighted, %sum : f32
    %mean = arith.select %any, %quotient, %zero_f32 : f32
    %narrow = arith.truncf %mean : f32 to f16
    linalg.yield %narrow : f16
  } -> !padded_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3]] : !grouped_output into !output
  return %output : !output
}
