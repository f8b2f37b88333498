// Hidden states, and products of them that are as large.
// r token, s stream but the first, n column
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!product__hidden = tensor<5x1x40xf32>
!product__weight = tensor<120x40xf32>
!product__output = tensor<5x1x120xf32>
!product__tokens = tensor<5x40xf32>
!product__acc = tensor<5x120xf32>
!product__rows = tensor<5x120xf32>
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
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [5, 1, 120]
    : !product__rows into !product__output
  return %output : !product__output
}
!hidden = tensor<5x40xf32>
!weight = tensor<3x40x40xf32>
!streams = tensor<5x4x40xf32>
!tokens = tensor<5x1x40xf32>
!columns = tensor<5x120xf32>
!others = tensor<5x3x40xf32>
!rows_of_weight = tensor<120x40xf32>

func.func @split_streams(%hidden: !hidden, %weight: !weight) -> !streams {
  %rows_of_weight = tensor.collapse_shape %weight [[0, 1], [2]] : !weight into !rows_of_weight
  %tokens = tensor.expand_shape %hidden [[0, 1], [2]] output_shape [5, 1, 40]
      : !hidden into !tokens
  %made = call @product(%tokens, %rows_of_weight) : (tensor<5x1x40xf32>, tensor<120x40xf32>) -> (tensor<5x1x120xf32>)
  %columns = tensor.collapse_shape %made [[0, 1], [2]] : tensor<5x1x120xf32> into !columns
  %others = tensor.expand_shape %columns [[0], [1, 2]] output_shape [5, 3, 40]
      : !columns into !others
  %zero_of_squares = arith.constant 0.0 : f32
  %columns_of_squares = arith.constant 40.0 : f32
  %least_square = arith.constant 1.0e-05 : f32
  %empty_first_squares = tensor.empty() : tensor<5xf32>
  %start_first_squares = linalg.fill ins(%zero_of_squares : f32)
      outs(%empty_first_squares : tensor<5xf32>) -> tensor<5xf32>
  %first_squares = linalg.generic {
      indexing_maps = [affine_map<(r, n) -> (r, n)>, affine_map<(r, n) -> (r)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%hidden : tensor<5x40xf32>) outs(%start_first_squares : tensor<5xf32>) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> tensor<5xf32>
  %empty_made_squares = tensor.empty() : tensor<5x3xf32>
  %start_made_squares = linalg.fill ins(%zero_of_squares : f32)
      outs(%empty_made_squares : tensor<5x3xf32>) -> tensor<5x3xf32>
  %made_squares = linalg.generic {
      indexing_maps = [affine_map<(r, s, n) -> (r, s, n)>, affine_map<(r, s, n) -> (r, s)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%others : tensor<5x3x40xf32>) outs(%start_made_squares : tensor<5x3xf32>) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> tensor<5x3xf32>
  %empty_sizes = tensor.empty() : tensor<5x3xf32>
  %sizes = linalg.generic {
      indexing_maps = [affine_map<(r, s) -> (r)>, affine_map<(r, s) -> (r, s)>, affine_map<(r, s) -> (r, s)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%first_squares, %made_squares : tensor<5xf32>, tensor<5x3xf32>)
        outs(%empty_sizes : tensor<5x3xf32>) {
  ^bb0(%of_first: f32, %of_made: f32, %unused: f32):
    %mean_of_first = arith.divf %of_first, %columns_of_squares : f32
    %mean_of_made = arith.divf %of_made, %columns_of_squares : f32
    %kept = arith.maximumf %mean_of_made, %least_square : f32
    %size_of_first = math.sqrt %mean_of_first : f32
    %size_of_made = math.sqrt %kept : f32
    %factor = arith.divf %size_of_first, %size_of_made : f32
    linalg.yield %factor : f32
  } -> tensor<5x3xf32>
  %others_empty = tensor.empty() : !others
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(r, s, n) -> (r, s, n)>, affine_map<(r, s, n) -> (r, s)>,
          affine_map<(r, s, n) -> (r, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%others, %sizes : !others, tensor<5x3xf32>) outs(%others_empty : !others) {
  ^bb0(%in: f32, %size: f32, %unused: f32):

    %as_large = arith.mulf %in, %size : f32

    linalg.yield %as_large : f32
  } -> !others
  %empty = tensor.empty() : !streams
  %first = tensor.insert_slice %hidden into %empty[0, 0, 0] [5, 1, 40] [1, 1, 1]
      : !hidden into !streams
  %streams = tensor.insert_slice %scaled into %first[0, 1, 0] [5, 3, 40] [1, 1, 1]
      : !others into !streams
  return %streams : !streams
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @split_streams$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!streams) attributes {iree.abi.model = "coarse-fences"} {
  %streams = func.call @split_streams(%hidden, %weight)
    : (!hidden, !weight) -> (!streams)
  util.return %streams : !streams
}
