// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!hidden = tensor<1x?x256xf16>
!weight = tensor<768x256xf16>
!query = tensor<1x8x?x64xf16>
!key = tensor<1x2x?x64xf16>
!value = tensor<1x2x?x64xf16>
!tokens = tensor<?x256xf16>
!head_weights = tensor<12x64x256xf16>
#hidden = affine_map<(h, m, n, k) -> (m, k)>
#weight = affine_map<(h, m, n, k) -> (h, n, k)>
#acc = affine_map<(h, m, n, k) -> (h, m, n)>
#heads = affine_map<(h, m, n) -> (h, m, n)>

func.func @qkv_projection(%hidden_given: !hidden, %weight: !weight) -> (!query, !key, !value) {
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %hidden_given, %q_len_axis : !hidden
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 40, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%q_len_dim}
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %head_weights = tensor.expand_shape %weight [[0, 1], [2]] output_shape [12, 64, 256] : !weight into !head_weights
  // query: 8 heads from head 0 on
  %weight_of_query = tensor.extract_slice %head_weights[0, 0, 0] [8, 64, 256] [1, 1, 1] : !head_weights to tensor<8x64x256xf16>
  %empty_acc_of_query = tensor.empty(%q_len_dim) : tensor<8x?x64xf32>
  %start_of_query = linalg.fill ins(%zero : f32) outs(%empty_acc_of_query : tensor<8x?x64xf32>) -> tensor<8x?x64xf32>
  %acc_of_query = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %weight_of_query : !tokens, tensor<8x64x256xf16>) outs(%start_of_query : tensor<8x?x64xf32>) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<8x?x64xf32>
  %empty_query = tensor.empty(%q_len_dim) : tensor<8x?x64xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#heads, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_query : tensor<8x?x64xf32>) outs(%empty_query : tensor<8x?x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<8x?x64xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, %q_len_dim, 64] : tensor<8x?x64xf16> into !query
  // key: 2 heads from head 8 on
  %weight_of_key = tensor.extract_slice %head_weights[8, 0, 0] [2, 64, 256] [1, 1, 1] : !head_weights to tensor<2x64x256xf16>
  %empty_acc_of_key = tensor.empty(%q_len_dim) : tensor<2x?x64xf32>
  %start_of_key = linalg.fill ins(%zero : f32) outs(%empty_acc_of_key : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %acc_of_key = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %weight_of_key : !tokens, tensor<2x64x256xf16>) outs(%start_of_key : tensor<2x?x64xf32>) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x?x64xf32>
  %empty_key = tensor.empty(%q_len_dim) : tensor<2x?x64xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#heads, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_key : tensor<2x?x64xf32>) outs(%empty_key : tensor<2x?x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<2x?x64xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, %q_len_dim, 64] : tensor<2x?x64xf16> into !key
  // value: 2 heads from head 10 on
  %weight_of_value = tensor.extract_slice %head_weights[10, 0, 0] [2, 64, 256] [1, 1, 1] : !head_weights to tensor<2x64x256xf16>
  %empty_acc_of_value = tensor.empty(%q_len_dim) : tensor<2x?x64xf32>
  %start_of_value = linalg.fill ins(%zero : f32) outs(%empty_acc_of_value : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %acc_of_value = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %weight_of_value : !tokens, tensor<2x64x256xf16>) outs(%start_of_value : tensor<2x?x64xf32>) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x?x64xf32>
  %empty_value = tensor.empty(%q_len_dim) : tensor<2x?x64xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#heads, #heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_value : tensor<2x?x64xf32>) outs(%empty_value : tensor<2x?x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<2x?x64xf16>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, %q_len_dim, 64] : tensor<2x?x64xf16> into !value
  return %query, %key, %value : !query, !key, !value
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @qkv_projection$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!query, !key, !value) attributes {iree.abi.model = "coarse-fences"} {
  %query, %key, %value = func.call @qkv_projection(%hidden, %weight)
    : (!hidden, !weight) -> (!query, !key, !value)
  util.return %query, %key, %value : !query, !key, !value
}
