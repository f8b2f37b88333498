// Attention over a block cache as one kernel: the gather of pages is fused into it.
// b batch, h KV head, g query head of the KV head's group, m query, p page of the sequence,
// t token of the page, k head column, n value column
!query = tensor<2x8x64x64xf16>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<2x1xi32>
!context_lens = tensor<2xi32>
!alibi_slopes = tensor<8xf32>
!bias = tensor<1x8x64x16xf16>
!sinks = tensor<8xf32>
!output = tensor<2x8x64x64xf16>
!grouped_query = tensor<2x2x4x64x64xf16>
!padded_query = tensor<2x2x4x64x64xf16>
!loop_query = tensor<2x2x4x64x64xf16>
!grouped_output = tensor<2x2x4x64x64xf16>
!padded_output = tensor<2x2x4x64x64xf16>
!acc = tensor<2x2x4x64x64xf32>
!row = tensor<2x2x4x64xf32>
!rules = tensor<2x2x4x64x2x16xf32>
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
!padded_table = tensor<2x2xi32>
!pages = tensor<2x2x2x16x64xf16>
!padded_pages = tensor<2x2x2x16x64xf16>

func.func @paged_attention(%query: !query, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens, %alibi_slopes: !alibi_slopes, %bias: !bias, %sinks: !sinks) -> !output {
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_over_cap = arith.constant 0.004166666666666667 : f32
  %cap_log2e = arith.constant 43.2808512266689 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty() : !acc
  %row_empty = tensor.empty() : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [2, 2, 4, 64, 64] : !query into !grouped_query
  // Block 0 stands in for the pages added here: they are hidden.
  %block_0 = arith.constant 0 : i32
  %padded_table = tensor.pad %block_table low[0, 0] high[0, 1] {
  ^bb0(%pad0: index, %pad1: index):
    tensor.yield %block_0 : i32
  } : !block_table to !padded_table
  %pages_empty = tensor.empty() : !pages
  %key_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%key_cache, %padded_table : !key_cache, !padded_table) outs(%pages_empty : !pages) -> !pages
  %value_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%value_cache, %padded_table : !value_cache, !padded_table) outs(%pages_empty : !pages) -> !pages

  %alibi_slopes_grouped = tensor.expand_shape %alibi_slopes [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %bias_flat = tensor.collapse_shape %bias [[0, 1, 2, 3]] : !bias into tensor<8192xf16>
  %bias_grouped = tensor.expand_shape %bias_flat [[0, 1, 2, 3, 4]] output_shape [2, 4, 64, 1, 16] : tensor<8192xf16> into tensor<2x4x64x1x16xf16>
  %no_bias = arith.constant 0.0 : f16
  %padded_bias = tensor.pad %bias_grouped low[0, 0, 0, 0, 0] high[0, 0, 0, 1, 0] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index, %pad4: index):
    tensor.yield %no_bias : f16
  } : tensor<2x4x64x1x16xf16> to tensor<2x4x64x2x16xf16>
  // Added to the logits, -inf where the query does not see the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty() : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, g, m, p, t) -> (b)>,
        affine_map<(b, h, g, m, p, t) -> (h, g)>,
        affine_map<(b, h, g, m, p, t) -> (h, g, m, p, t)>,
        affine_map<(b, h, g, m, p, t) -> (b, h, g, m, p, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%context_lens, %alibi_slopes_grouped, %padded_bias : tensor<2xi32>, tensor<2x4xf32>, tensor<2x4x64x2x16xf16>) outs(%rules_empty : !rules) {
  ^bb0(%context_len: i32, %slope: f32, %bias_at: f16, %unused: f32):
    %m = linalg.index 3 : index
    %page = linalg.index 4 : index
    %slot = linalg.index 5 : index
    %block_size = arith.constant 16 : index
    %page_start = arith.muli %page, %block_size : index
    %t = arith.addi %page_start, %slot : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %q_len = arith.constant 64 : i32
    %first_position = arith.subi %context_len, %q_len : i32
    %q_position = arith.addi %m_i32, %first_position : i32
    %ahead = arith.subi %t_i32, %q_position : i32
    %seen0 = arith.constant true
    %key_is_real = arith.cmpi slt, %t_i32, %context_len : i32
    %seen1 = arith.andi %seen0, %key_is_real : i1
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen2 = arith.andi %seen1, %causal : i1
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
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, k)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, p, h, t, k)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, p, h, t, n)>,
      affine_map<(b, h, g, m, n, k, p, t) -> ()>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, p, t)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%grouped_query, %key_pages, %value_pages, %ln2, %rules : !loop_query, !pages, !pages, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %fraction = arith.mulf %score, %scale_over_cap : f32
    %bounded = math.tanh %fraction : f32
    %scaled = arith.mulf %bounded, %cap_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %grouped_sinks = tensor.expand_shape %sinks [[0, 1]] output_shape [2, 4] : !sinks into tensor<2x4xf32>
  %output_empty = tensor.empty() : !padded_output
  %grouped_output = linalg.generic {
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
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  return %output : !output
}
