// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// b batch, h head, m token, n head column, k hidden column
!hidden = tensor<2x40x256xf32>
!weight = tensor<768x256xf32>
!bias = tensor<768xf32>
!query = tensor<2x8x40x64xf32>
!key = tensor<2x2x40x64xf32>
!value = tensor<2x2x40x64xf32>
!tokens = tensor<2x40x256xf32>
!head_weights = tensor<12x64x256xf32>
!head_bias = tensor<12x64xf32>
#bias = affine_map<(b, h, m, n) -> (h, n)>
#hidden = affine_map<(b, h, m, n, k) -> (b, m, k)>
#weight = affine_map<(b, h, m, n, k) -> (h, n, k)>
#acc = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#heads = affine_map<(b, h, m, n) -> (b, h, m, n)>

func.func @qkv_projection(%hidden: !hidden, %weight: !weight, %bias: !bias) -> (!query, !key, !value) {
  %zero = arith.constant 0.0 : f32
  %head_weights = tensor.expand_shape %weight [[0, 1], [2]] output_shape [12, 64, 256] : !weight into !head_weights
  %head_bias = tensor.expand_shape %bias [[0, 1]] output_shape [12, 64] : !bias into !head_bias
  // query: 8 heads from head 0 on
  %weight_of_query = tensor.extract_slice %head_weights[0, 0, 0] [8, 64, 256] [1, 1, 1] : !head_weights to tensor<8x64x256xf32>
  %empty_acc_of_query = tensor.empty() : tensor<2x8x40x64xf32>
  %start_of_query = linalg.fill ins(%zero : f32) outs(%empty_acc_of_query : tensor<2x8x40x64xf32>) -> tensor<2x8x40x64xf32>
  %acc_of_query = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%hidden, %weight_of_query : !tokens, tensor<8x64x256xf32>) outs(%start_of_query : tensor<2x8x40x64xf32>) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x8x40x64xf32>
  %bias_of_query = tensor.extract_slice %head_bias[0, 0] [8, 64] [1, 1] : !head_bias to tensor<8x64xf32>
  %empty_query = tensor.empty() : tensor<2x8x40x64xf32>
  %query = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_query, %bias_of_query : tensor<2x8x40x64xf32>, tensor<8x64xf32>) outs(%empty_query : tensor<2x8x40x64xf32>) {
  ^bb0(%sum: f32, %shift: f32, %unused: f32):

    %shifted = arith.addf %sum, %shift : f32

    linalg.yield %shifted : f32
  } -> tensor<2x8x40x64xf32>
  // key: 2 heads from head 8 on
  %weight_of_key = tensor.extract_slice %head_weights[8, 0, 0] [2, 64, 256] [1, 1, 1] : !head_weights to tensor<2x64x256xf32>
  %empty_acc_of_key = tensor.empty() : tensor<2x2x40x64xf32>
  %start_of_key = linalg.fill ins(%zero : f32) outs(%empty_acc_of_key : tensor<2x2x40x64xf32>) -> tensor<2x2x40x64xf32>
  %acc_of_key = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%hidden, %weight_of_key : !tokens, tensor<2x64x256xf32>) outs(%start_of_key : tensor<2x2x40x64xf32>) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x2x40x64xf32>
  %bias_of_key = tensor.extract_slice %head_bias[8, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf32>
  %empty_key = tensor.empty() : tensor<2x2x40x64xf32>
  %key = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_key, %bias_of_key : tensor<2x2x40x64xf32>, tensor<2x64xf32>) outs(%empty_key : tensor<2x2x40x64xf32>) {
  ^bb0(%sum: f32, %shift: f32, %unused: f32):

    %shifted = arith.addf %sum, %shift : f32

    linalg.yield %shifted : f32
  } -> tensor<2x2x40x64xf32>
  // value: 2 heads from head 10 on
  %weight_of_value = tensor.extract_slice %head_weights[10, 0, 0] [2, 64, 256] [1, 1, 1] : !head_weights to tensor<2x64x256xf32>
  %empty_acc_of_value = tensor.empty() : tensor<2x2x40x64xf32>
  %start_of_value = linalg.fill ins(%zero : f32) outs(%empty_acc_of_value : tensor<2x2x40x64xf32>) -> tensor<2x2x40x64xf32>
  %acc_of_value = linalg.generic {
      indexing_maps = [#hidden, #weight, #acc],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%hidden, %weight_of_value : !tokens, tensor<2x64x256xf32>) outs(%start_of_value : tensor<2x2x40x64xf32>) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x2x40x64xf32>
  %bias_of_value = tensor.extract_slice %head_bias[10, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf32>
  %empty_value = tensor.empty() : tensor<2x2x40x64xf32>
  %value = linalg.generic {
      indexing_maps = [#heads, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_value, %bias_of_value : tensor<2x2x40x64xf32>, tensor<2x64xf32>) outs(%empty_value : tensor<2x2x40x64xf32>) {
  ^bb0(%sum: f32, %shift: f32, %unused: f32):

    %shifted = arith.addf %sum, %shift : f32

    linalg.yield %shifted : f32
  } -> tensor<2x2x40x64xf32>
  return %query, %key, %value : !query, !key, !value
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @qkv_projection$async(
    %hidden: !hidden,
    %weight: !weight,
    %bias: !bias
  ) -> (!query, !key, !value) attributes {iree.abi.model = "coarse-fences"} {
  %query, %key, %value = func.call @qkv_projection(%hidden, %weight, %bias)
    : (!hidden, !weight, !bias) -> (!query, !key, !value)
  util.return %query, %key, %value : !query, !key, !value
}
