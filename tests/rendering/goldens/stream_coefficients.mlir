// tanh(RMSNorm(hidden) · router_weightᵀ / hidden_size) · weightᵀ.
// The parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<5x40xf32>
!norm__weight = tensor<40xf32>
!norm__output = tensor<5x40xf32>
!norm__row = tensor<5xf32>
#norm__x = affine_map<(r, n) -> (r, n)>
#norm__row = affine_map<(r, n) -> (r)>
#norm__weight = affine_map<(r, n) -> (n)>

func.func private @norm(%x: !norm__x, %weight: !norm__weight) -> !norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !norm__row) -> !norm__row
  %squares = linalg.generic {
      indexing_maps = [#norm__x, #norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !norm__x) outs(%start : !norm__row) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !norm__row
  %columns = arith.constant 40.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !norm__output
  %output = linalg.generic {
      indexing_maps = [#norm__x, #norm__row, #norm__weight, #norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !norm__x, !norm__row, !norm__weight) outs(%output_empty : !norm__output) {
  ^bb0(%in: f32, %sum: f32, %w: f32, %unused: f32):


    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32

    linalg.yield %scaled : f32
  } -> !norm__output
  return %output : !norm__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!router__hidden = tensor<5x1x40xf32>
!router__weight = tensor<4x40xf32>
!router__output = tensor<5x1x4xf32>
!router__tokens = tensor<5x40xf32>
!router__acc = tensor<5x4xf32>
!router__rows = tensor<5x4xf32>
#router__x = affine_map<(m, n, k) -> (m, k)>
#router__weight = affine_map<(m, n, k) -> (n, k)>
#router__acc = affine_map<(m, n, k) -> (m, n)>
#router__rows = affine_map<(m, n) -> (m, n)>

func.func private @router(%hidden: !router__hidden, %weight: !router__weight) -> !router__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !router__hidden into !router__tokens
  %empty_acc = tensor.empty() : !router__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !router__acc) -> !router__acc
  %acc = linalg.generic {
      indexing_maps = [#router__x, #router__weight, #router__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !router__tokens, !router__weight) outs(%start_of_acc : !router__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !router__acc
  %empty = tensor.empty() : !router__rows
  %rows = linalg.generic {
      indexing_maps = [#router__rows, #router__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !router__acc) outs(%empty : !router__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !router__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [5, 1, 4]
    : !router__rows into !router__output
  return %output : !router__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!product__hidden = tensor<5x1x4xf32>
!product__weight = tensor<16x4xf32>
!product__output = tensor<5x1x16xf32>
!product__tokens = tensor<5x4xf32>
!product__acc = tensor<5x16xf32>
!product__rows = tensor<5x16xf32>
#product__x = affine_map<(m, n, k) -> (m, k)>
#product__weight = affine_map<(m, n, k) -> (n, k)>
#product__acc = affine_map<(m, n, k) -> (m, n)>
#product__rows = affine_map<(m, n) -> (m, n)>

func.func private @product(%hidden: !product__hidden, %weight: !product__weight) -> !product__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !product__hidden into !product__tokens
  %empty_acc = tensor.empty() : !product__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !product__acc) -> !product__acc
  %acc = linalg.generic {
      indexing_maps = [#product__x, #product__weight, #product__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !product__tokens, !product__weight) outs(%start_of_acc : !product__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !product__acc
  %empty = tensor.empty() : !product__rows
  %rows = linalg.generic {
      indexing_maps = [#product__rows, #product__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !product__acc) outs(%empty : !product__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !product__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [5, 1, 16]
    : !product__rows into !product__output
  return %output : !product__output
}
!hidden = tensor<5x40xf32>
!norm_weight = tensor<40xf32>
!router_weight = tensor<4x40xf32>
!weight = tensor<16x4xf32>
!coefficients = tensor<5x16xf32>
!tokens = tensor<5x1x40xf32>
!routed = tensor<5x1x4xf32>
#routed = affine_map<(b, m, n) -> (b, m, n)>

func.func @stream_coefficients(%hidden: !hidden, %norm_weight: !norm_weight, %router_weight: !router_weight, %weight: !weight) -> !coefficients {
  %normed = call @norm(%hidden, %norm_weight) : (tensor<5x40xf32>, tensor<40xf32>) -> (tensor<5x40xf32>)
  %tokens = tensor.expand_shape %normed [[0, 1], [2]] output_shape [5, 1, 40]
      : !hidden into !tokens
  %routed = call @router(%tokens, %router_weight) : (tensor<5x1x40xf32>, tensor<4x40xf32>) -> (tensor<5x1x4xf32>)
  %size = arith.constant 40.0 : f32
  %empty = tensor.empty() : !routed
  %bent = linalg.generic {
      indexing_maps = [#routed, #routed], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%routed : !routed) outs(%empty : !routed) {
  ^bb0(%in: f32, %unused: f32):

    %small = arith.divf %in, %size : f32
    %tanh = math.tanh %small : f32

    linalg.yield %tanh : f32
  } -> !routed
  %made = call @product(%bent, %weight) : (tensor<5x1x4xf32>, tensor<16x4xf32>) -> (tensor<5x1x16xf32>)
  %coefficients = tensor.collapse_shape %made [[0, 1], [2]]
      : tensor<5x1x16xf32> into !coefficients
  return %coefficients : !coefficients
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @stream_coefficients$async(
    %hidden: !hidden,
    %norm_weight: !norm_weight,
    %router_weight: !router_weight,
    %weight: !weight
  ) -> (!coefficients) attributes {iree.abi.model = "coarse-fences"} {
  %coefficients = func.call @stream_coefficients(%hidden, %norm_weight, %router_weight, %weight)
    : (!hidden, !norm_weight, !router_weight, !weight) -> (!coefficients)
  util.return %coefficients : !coefficients
}
