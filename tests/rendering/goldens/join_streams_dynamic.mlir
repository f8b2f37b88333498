// The mean of the first stream and of products of the others that are as large.
// r token, s stream but the first, n column
// heads · weightᵀ, head by head.
// h head, m token, n column of the output, k column of what goes in
!product__heads = tensor<?x3x1x40xf32>
!product__weight = tensor<3x40x40xf32>
!product__projected = tensor<?x3x1x40xf32>
!product__rows_of_heads = tensor<?x3x40xf32>
!product__acc = tensor<?x3x40xf32>
!product__rows = tensor<?x3x40xf32>
#product__x = affine_map<(h, m, n, k) -> (m, h, k)>
#product__weight = affine_map<(h, m, n, k) -> (h, n, k)>
#product__acc = affine_map<(h, m, n, k) -> (m, h, n)>
#product__rows = affine_map<(m, h, n) -> (m, h, n)>

func.func private @product(%heads: !product__heads, %weight: !product__weight) -> !product__projected {
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %heads, %batch_axis : !product__heads
  %rows_of_heads = tensor.collapse_shape %heads [[0], [1, 2], [3]] : !product__heads into !product__rows_of_heads
  %zero = arith.constant 0.0 : f32
  %empty_acc = tensor.empty(%batch_dim) : !product__acc
  %start = linalg.fill ins(%zero : f32) outs(%empty_acc : !product__acc) -> !product__acc
  %acc = linalg.generic {
      indexing_maps = [#product__x, #product__weight, #product__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%rows_of_heads, %weight : !product__rows_of_heads, !product__weight) outs(%start : !product__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !product__acc
  %empty = tensor.empty(%batch_dim) : !product__rows
  %rows = linalg.generic {
      indexing_maps = [#product__rows, #product__rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc : !product__acc) outs(%empty : !product__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !product__rows
  %projected = tensor.expand_shape %rows [[0], [1, 2], [3]] output_shape [%batch_dim, 3, 1, 40] : !product__rows into !product__projected
  return %projected : !product__projected
}
!streams = tensor<?x4x40xf32>
!weight = tensor<3x40x40xf32>
!hidden = tensor<?x40xf32>
!others = tensor<?x3x40xf32>
!heads = tensor<?x3x1x40xf32>
!sums = tensor<?x40xf32>
#row = affine_map<(r, n) -> (r, n)>

func.func @join_streams(%streams_given: !streams, %weight: !weight) -> !hidden {
  %rows_axis = arith.constant 0 : index
  %rows_given = tensor.dim %streams_given, %rows_axis : !streams
  %rows_dim = util.assume.int %rows_given
    <umin = 1, umax = 5, udiv = 1> : index
  %streams = flow.tensor.tie_shape %streams_given
    : !streams{%rows_dim}
  %first = tensor.extract_slice %streams[0, 0, 0] [%rows_dim, 1, 40] [1, 1, 1]
      : !streams to !hidden
  %given = tensor.extract_slice %streams[0, 1, 0] [%rows_dim, 3, 40] [1, 1, 1]
      : !streams to !others
  %heads = tensor.expand_shape %given [[0], [1, 2], [3]] output_shape [%rows_dim, 3, 1, 40]
      : !others into !heads
  %made = call @product(%heads, %weight) : (tensor<?x3x1x40xf32>, tensor<3x40x40xf32>) -> (tensor<?x3x1x40xf32>)
  %others = tensor.collapse_shape %made [[0], [1, 2], [3]] : !heads into !others
  %zero_of_squares = arith.constant 0.0 : f32
  %columns_of_squares = arith.constant 40.0 : f32
  %least_square = arith.constant 1.0e-05 : f32
  %empty_first_squares = tensor.empty(%rows_dim) : tensor<?xf32>
  %start_first_squares = linalg.fill ins(%zero_of_squares : f32)
      outs(%empty_first_squares : tensor<?xf32>) -> tensor<?xf32>
  %first_squares = linalg.generic {
      indexing_maps = [affine_map<(r, n) -> (r, n)>, affine_map<(r, n) -> (r)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%first : tensor<?x40xf32>) outs(%start_first_squares : tensor<?xf32>) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> tensor<?xf32>
  %empty_made_squares = tensor.empty(%rows_dim) : tensor<?x3xf32>
  %start_made_squares = linalg.fill ins(%zero_of_squares : f32)
      outs(%empty_made_squares : tensor<?x3xf32>) -> tensor<?x3xf32>
  %made_squares = linalg.generic {
      indexing_maps = [affine_map<(r, s, n) -> (r, s, n)>, affine_map<(r, s, n) -> (r, s)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%others : tensor<?x3x40xf32>) outs(%start_made_squares : tensor<?x3xf32>) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> tensor<?x3xf32>
  %empty_sizes = tensor.empty(%rows_dim) : tensor<?x3xf32>
  %sizes = linalg.generic {
      indexing_maps = [affine_map<(r, s) -> (r)>, affine_map<(r, s) -> (r, s)>, affine_map<(r, s) -> (r, s)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%first_squares, %made_squares : tensor<?xf32>, tensor<?x3xf32>)
        outs(%empty_sizes : tensor<?x3xf32>) {
  ^bb0(%of_first: f32, %of_made: f32, %unused: f32):
    %mean_of_first = arith.divf %of_first, %columns_of_squares : f32
    %mean_of_made = arith.divf %of_made, %columns_of_squares : f32
    %kept = arith.maximumf %mean_of_made, %least_square : f32
    %size_of_first = math.sqrt %mean_of_first : f32
    %size_of_made = math.sqrt %kept : f32
    %factor = arith.divf %size_of_first, %size_of_made : f32
    linalg.yield %factor : f32
  } -> tensor<?x3xf32>
  %empty_sums = tensor.empty(%rows_dim) : !sums
  %start = linalg.generic {
      indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]
    } ins(%first : !hidden) outs(%empty_sums : !sums) {
  ^bb0(%in: f32, %unused: f32):

    linalg.yield %in : f32
  } -> !sums
  %sums = linalg.generic {
      indexing_maps = [affine_map<(r, n, s) -> (r, s, n)>, affine_map<(r, n, s) -> (r, s)>,
          affine_map<(r, n, s) -> (r, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%others, %sizes : !others, tensor<?x3xf32>) outs(%start : !sums) {
  ^bb0(%in: f32, %size: f32, %sum: f32):

    %as_large = arith.mulf %in, %size : f32
    %more = arith.addf %sum, %as_large : f32
    linalg.yield %more : f32
  } -> !sums
  %count = arith.constant 4.0 : f32
  %empty = tensor.empty(%rows_dim) : !hidden
  %hidden = linalg.generic {
      indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]
    } ins(%sums : !sums) outs(%empty : !hidden) {
  ^bb0(%sum: f32, %unused: f32):
    %mean = arith.divf %sum, %count : f32

    linalg.yield %mean : f32
  } -> !hidden
  return %hidden : !hidden
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @join_streams$async(
    %streams: !streams,
    %weight: !weight
  ) -> (!hidden) attributes {iree.abi.model = "coarse-fences"} {
  %hidden = func.call @join_streams(%streams, %weight)
    : (!streams, !weight) -> (!hidden)
  util.return %hidden : !hidden
}
