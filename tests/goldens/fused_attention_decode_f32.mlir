// Attention as one kernel with an online softmax.
// c batch and KV head, m query row (heads of the group times query tokens), t KV token,
// k head column, n value column
!query = tensor<1x8x1x64xf32>
!key = tensor<1x2x77x64xf32>
!value = tensor<1x2x77x64xf32>
!output = tensor<1x8x1x64xf32>
!flat_query = tensor<8x64xf32>
!flat_output = tensor<8x64xf32>
!grouped_query = tensor<2x4x64xf32>
!grouped_output = tensor<2x4x64xf32>
!folded_key = tensor<2x77x64xf32>
!folded_value = tensor<2x77x64xf32>
!padded_query = tensor<2x4x64xf32>
!padded_key = tensor<2x77x64xf32>
!padded_value = tensor<2x77x64xf32>
!padded_output = tensor<2x4x64xf32>
!acc = tensor<2x4x64xf32>
!row = tensor<2x4xf32>
#output = affine_map<(c, m, n) -> (c, m, n)>
#row = affine_map<(c, m, n) -> (c, m)>


func.func @attention(%query: !query, %key: !key, %value: !value) -> !output {
  %zero = arith.constant 0.0 : f32
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_log2e = arith.constant 0.18033688011112042 : f32
  %zero_f32 = arith.constant 0.0 : f32
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty() : !acc
  %row_empty = tensor.empty() : !row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !acc) -> !acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !row) -> !row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !row) -> !row
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into !flat_query
  %grouped_query = tensor.expand_shape %flat_query [[0, 1], [2]] output_shape [2, 4, 64] : !flat_query into !grouped_query
  %folded_key = tensor.collapse_shape %key [[0, 1], [2], [3]] : !key into !folded_key
  %folded_value = tensor.collapse_shape %value [[0, 1], [2], [3]] : !value into !folded_value
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(c, m, n, k, t) -> (c, m, k)>,
      affine_map<(c, m, n, k, t) -> (c, t, k)>,
      affine_map<(c, m, n, k, t) -> (c, t, n)>,
      affine_map<(c, m, n, k, t) -> ()>,
      affine_map<(c, m, n, k, t) -> (c, m, n)>,
      affine_map<(c, m, n, k, t) -> (c, m)>,
      affine_map<(c, m, n, k, t) -> (c, m)>]}>
    ins(%grouped_query, %folded_key, %folded_value, %ln2 : !padded_query, !padded_key, !padded_value, f32)
    outs(%acc_start, %max_start, %sum_start : !acc, !row, !row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !acc, !row, !row

  %normal_empty = tensor.empty() : !padded_output
  %grouped_output = linalg.generic {
      indexing_maps = [#output, #row, #output],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%state#0, %state#2 : !acc, !row) outs(%normal_empty : !padded_output) {
  ^bb0(%weighted: f32, %sum: f32, %unused: f32):
    %any = arith.cmpf ogt, %sum, %zero_f32 : f32
    %quotient = arith.divf %weighted, %sum : f32
    %mean = arith.select %any, %quotient, %zero_f32 : f32
    linalg.yield %mean : f32
  } -> !padded_output
  %flat_output = tensor.collapse_shape %grouped_output [[0, 1], [2]] : !grouped_output into !flat_output
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [1, 8, 1, 64] : !flat_output into !output
  return %output : !output
}
