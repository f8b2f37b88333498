// Attention over a block cache as one kernel: the gather of pages is fused into it.
// b batch, h KV head, g query head of the KV head's group, m query, p page of the sequence,
// t token of the page, k head column, n value column
!query = tensor<?x8x1x64xf16>
!key_cache = tensor<?x2x16x64xf16>
!value_cache = tensor<?x2x16x64xf16>
!block_table = tensor<?x?xi32>
!context_lens = tensor<?xi32>
!output = tensor<?x8x1x64xf16>
!grouped_query = tensor<?x2x4x1x64xf16>
!padded_query = tensor<?x2x16x1x64xf16>
!loop_query = tensor<?x2x16x1x64xf16>
!grouped_output = tensor<?x2x4x1x64xf16>
!padded_output = tensor<?x2x16x1x64xf16>
!acc = tensor<?x2x16x1x64xf32>
!row = tensor<?x2x16x1xf32>
!rules = tensor<?x1x?x16xi1>
#acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
#qk = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 4, 5, 6]], promote_operands = [1]}>
#pv = #iree_gpu.lowering_config<{
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
  subgroup_basis = [[1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 5, 6]], promote_operands = [1]}>
#tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [1, 1, 16, 0, 0, 0, 0], reduction = [0, 0, 0, 0, 0, 1, 16], promote_operands = [1, 2]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!padded_table = tensor<?x?xi32>
!pages = tensor<?x?x2x16x64xf16>
!padded_pages = tensor<?x?x2x16x64xf16>

func.func @paged_attention(%query_given: !query, %key_cache_given: !key_cache, %value_cache_given: !value_cache, %block_table_given: !block_table, %context_lens_given: !context_lens) -> !output {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %query_given, %batch_axis : !query
  %batch_dim = util.assume.int %batch_given<umin = 1, umax = 2, udiv = 1> : index
  %num_blocks_axis = arith.constant 0 : index
  %num_blocks_given = tensor.dim %key_cache_given, %num_blocks_axis : !key_cache
  %num_blocks_dim = util.assume.int %num_blocks_given<umin = 1, umax = 9, udiv = 1> : index
  %max_blocks_axis = arith.constant 1 : index
  %max_blocks_given = tensor.dim %block_table_given, %max_blocks_axis : !block_table
  %max_blocks_dim = util.assume.int %max_blocks_given<umin = 1, umax = 4, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given : !query{%batch_dim}
  %key_cache = flow.tensor.tie_shape %key_cache_given : !key_cache{%num_blocks_dim}
  %value_cache = flow.tensor.tie_shape %value_cache_given : !value_cache{%num_blocks_dim}
  %block_table = flow.tensor.tie_shape %block_table_given : !block_table{%batch_dim, %max_blocks_dim}
  %context_lens = flow.tensor.tie_shape %context_lens_given : !context_lens{%batch_dim}
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_log2e = arith.constant 0.18033688011112042 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty(%batch_dim) : !acc
  %row_empty = tensor.empty(%batch_dim) : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [%batch_dim, 2, 4, 1, 64] : !query into !grouped_query
  %padded_query = tensor.pad %grouped_query low[0, 0, 0, 0, 0] high[0, 0, 12, 0, 0] {
  ^bb0(%pad0: index, %pad1: index, %pad2: index, %pad3: index, %pad4: index):
    tensor.yield %zero : f16
  } : !grouped_query to !padded_query
  %pages_empty = tensor.empty(%batch_dim, %max_blocks_dim) : !pages
  %key_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%key_cache, %block_table : !key_cache, !padded_table) outs(%pages_empty : !pages) -> !pages
  %value_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%value_cache, %block_table : !value_cache, !padded_table) outs(%pages_empty : !pages) -> !pages

  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty(%batch_dim, %max_blocks_dim) : !rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, p, t) -> (b)>,
        affine_map<(b, m, p, t) -> (b, m, p, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%context_lens : tensor<?xi32>) outs(%rules_empty : !rules) {
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
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>],
      decomposition_config = {qk_attrs = {lowering_config = #qk}, pv_attrs = {lowering_config = #pv}}}>
    {compilation_info = #tile}
    ins(%padded_query, %key_pages, %value_pages, %ln2, %rules : !loop_query, !pages, !pages, f32, !rules)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row
  %output_empty = tensor.empty(%batch_dim) : !padded_output
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
  %grouped_output = tensor.extract_slice %padded_output[0, 0, 0, 0, 0] [%batch_dim, 2, 4, 1, 64] [1, 1, 1, 1, 1] : !padded_output to !grouped_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !grouped_output into !output
  return %output : !output
}
