// Hidden states to absorbed queries and to latents. The parts are functions, which the compiler inlines.
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!query_down__hidden = tensor<2x16x128xf32>
!query_down__weight = tensor<24x128xf32>
!query_down__output = tensor<2x16x24xf32>
!query_down__tokens = tensor<32x128xf32>
!query_down__acc = tensor<32x24xf32>
!query_down__rows = tensor<32x24xf32>
#query_down__x = affine_map<(m, n, k) -> (m, k)>
#query_down__weight = affine_map<(m, n, k) -> (n, k)>
#query_down__acc = affine_map<(m, n, k) -> (m, n)>
#query_down__rows = affine_map<(m, n) -> (m, n)>

func.func private @query_down(%hidden: !query_down__hidden, %weight: !query_down__weight) -> !query_down__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !query_down__hidden into !query_down__tokens
  %empty_acc = tensor.empty() : !query_down__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !query_down__acc) -> !query_down__acc
  %acc = linalg.generic {
      indexing_maps = [#query_down__x, #query_down__weight, #query_down__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !query_down__tokens, !query_down__weight) outs(%start_of_acc : !query_down__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !query_down__acc
  %empty = tensor.empty() : !query_down__rows
  %rows = linalg.generic {
      indexing_maps = [#query_down__rows, #query_down__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !query_down__acc) outs(%empty : !query_down__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !query_down__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 16, 24]
    : !query_down__rows into !query_down__output
  return %output : !query_down__output
}
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!query_down_norm__x = tensor<32x24xf32>
!query_down_norm__weight = tensor<24xf32>
!query_down_norm__output = tensor<32x24xf32>
!query_down_norm__row = tensor<32xf32>
#query_down_norm__x = affine_map<(r, n) -> (r, n)>
#query_down_norm__row = affine_map<(r, n) -> (r)>
#query_down_norm__weight = affine_map<(r, n) -> (n)>

func.func private @query_down_norm(%x: !query_down_norm__x, %weight: !query_down_norm__weight) -> !query_down_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !query_down_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !query_down_norm__row) -> !query_down_norm__row
  %squares = linalg.generic {
      indexing_maps = [#query_down_norm__x, #query_down_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !query_down_norm__x) outs(%start : !query_down_norm__row) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !query_down_norm__row
  %columns = arith.constant 24.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !query_down_norm__output
  %output = linalg.generic {
      indexing_maps = [#query_down_norm__x, #query_down_norm__row, #query_down_norm__weight, #query_down_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !query_down_norm__x, !query_down_norm__row, !query_down_norm__weight) outs(%output_empty : !query_down_norm__output) {
  ^bb0(%in: f32, %sum: f32, %w: f32, %unused: f32):


    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32

    linalg.yield %scaled : f32
  } -> !query_down_norm__output
  return %output : !query_down_norm__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!query_up__hidden = tensor<2x16x24xf32>
!query_up__weight = tensor<96x24xf32>
!query_up__output = tensor<2x16x96xf32>
!query_up__tokens = tensor<32x24xf32>
!query_up__acc = tensor<32x96xf32>
!query_up__rows = tensor<32x96xf32>
#query_up__x = affine_map<(m, n, k) -> (m, k)>
#query_up__weight = affine_map<(m, n, k) -> (n, k)>
#query_up__acc = affine_map<(m, n, k) -> (m, n)>
#query_up__rows = affine_map<(m, n) -> (m, n)>

func.func private @query_up(%hidden: !query_up__hidden, %weight: !query_up__weight) -> !query_up__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !query_up__hidden into !query_up__tokens
  %empty_acc = tensor.empty() : !query_up__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !query_up__acc) -> !query_up__acc
  %acc = linalg.generic {
      indexing_maps = [#query_up__x, #query_up__weight, #query_up__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !query_up__tokens, !query_up__weight) outs(%start_of_acc : !query_up__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !query_up__acc
  %empty = tensor.empty() : !query_up__rows
  %rows = linalg.generic {
      indexing_maps = [#query_up__rows, #query_up__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !query_up__acc) outs(%empty : !query_up__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !query_up__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 16, 96]
    : !query_up__rows into !query_up__output
  return %output : !query_up__output
}
// heads · weightᵀ, head by head.
// b batch, h head, m token, n column of the output, k column of what goes in
!absorption__heads = tensor<2x4x16x16xf32>
!absorption__weight = tensor<4x32x16xf32>
!absorption__projected = tensor<2x4x16x32xf32>
!absorption__acc = tensor<2x4x16x32xf32>
!absorption__rows = tensor<2x4x16x32xf32>
#absorption__x = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#absorption__weight = affine_map<(b, h, m, n, k) -> (h, n, k)>
#absorption__acc = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#absorption__rows = affine_map<(b, h, m, n) -> (b, h, m, n)>

func.func private @absorption(%heads: !absorption__heads, %weight: !absorption__weight) -> !absorption__projected {
  %zero = arith.constant 0.0 : f32
  %empty_acc = tensor.empty() : !absorption__acc
  %start = linalg.fill ins(%zero : f32) outs(%empty_acc : !absorption__acc) -> !absorption__acc
  %acc = linalg.generic {
      indexing_maps = [#absorption__x, #absorption__weight, #absorption__acc],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%heads, %weight : !absorption__heads, !absorption__weight) outs(%start : !absorption__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !absorption__acc
  %empty = tensor.empty() : !absorption__rows
  %projected = linalg.generic {
      indexing_maps = [#absorption__rows, #absorption__rows], iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc : !absorption__acc) outs(%empty : !absorption__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !absorption__rows
  return %projected : !absorption__projected
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!latent_down__hidden = tensor<2x16x128xf32>
!latent_down__weight = tensor<40x128xf32>
!latent_down__output = tensor<2x16x40xf32>
!latent_down__tokens = tensor<32x128xf32>
!latent_down__acc = tensor<32x40xf32>
!latent_down__rows = tensor<32x40xf32>
#latent_down__x = affine_map<(m, n, k) -> (m, k)>
#latent_down__weight = affine_map<(m, n, k) -> (n, k)>
#latent_down__acc = affine_map<(m, n, k) -> (m, n)>
#latent_down__rows = affine_map<(m, n) -> (m, n)>

func.func private @latent_down(%hidden: !latent_down__hidden, %weight: !latent_down__weight) -> !latent_down__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !latent_down__hidden into !latent_down__tokens
  %empty_acc = tensor.empty() : !latent_down__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !latent_down__acc) -> !latent_down__acc
  %acc = linalg.generic {
      indexing_maps = [#latent_down__x, #latent_down__weight, #latent_down__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !latent_down__tokens, !latent_down__weight) outs(%start_of_acc : !latent_down__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !latent_down__acc
  %empty = tensor.empty() : !latent_down__rows
  %rows = linalg.generic {
      indexing_maps = [#latent_down__rows, #latent_down__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !latent_down__acc) outs(%empty : !latent_down__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !latent_down__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 16, 40]
    : !latent_down__rows into !latent_down__output
  return %output : !latent_down__output
}
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!latent_norm__x = tensor<32x32xf32>
!latent_norm__weight = tensor<32xf32>
!latent_norm__output = tensor<32x32xf32>
!latent_norm__row = tensor<32xf32>
#latent_norm__x = affine_map<(r, n) -> (r, n)>
#latent_norm__row = affine_map<(r, n) -> (r)>
#latent_norm__weight = affine_map<(r, n) -> (n)>

func.func private @latent_norm(%x: !latent_norm__x, %weight: !latent_norm__weight) -> !latent_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !latent_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !latent_norm__row) -> !latent_norm__row
  %squares = linalg.generic {
      indexing_maps = [#latent_norm__x, #latent_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !latent_norm__x) outs(%start : !latent_norm__row) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !latent_norm__row
  %columns = arith.constant 32.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !latent_norm__output
  %output = linalg.generic {
      indexing_maps = [#latent_norm__x, #latent_norm__row, #latent_norm__weight, #latent_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !latent_norm__x, !latent_norm__row, !latent_norm__weight) outs(%output_empty : !latent_norm__output) {
  ^bb0(%in: f32, %sum: f32, %w: f32, %unused: f32):


    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32

    linalg.yield %scaled : f32
  } -> !latent_norm__output
  return %output : !latent_norm__output
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!latent_rope__turns = tensor<4xi64>
!latent_rope__query = tensor<2x4x16x8xf32>
!latent_rope__key = tensor<2x1x16x8xf32>
!latent_rope__positions = tensor<2x16xi32>
!latent_rope__rotated_query = tensor<2x4x16x8xf32>
!latent_rope__rotated_key = tensor<2x1x16x8xf32>

func.func private @latent_rope(%query: !latent_rope__query, %key: !latent_rope__key, %positions: !latent_rope__positions) -> (!latent_rope__rotated_query, !latent_rope__rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 293589050328200128, 29358905032820016, 2935890503282001]> : !latent_rope__turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %chunk0 = arith.constant 0 : index
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [2, 4, 16, 4] [1, 1, 1, 1] : !latent_rope__query to tensor<2x4x16x4xf32>
  %high_query = tensor.extract_slice %query[0, 0, 0, 4] [2, 4, 16, 4] [1, 1, 1, 1] : !latent_rope__query to tensor<2x4x16x4xf32>
  %empty_query = tensor.empty() : tensor<2x4x16x2x4xf32>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %positions, %turns
        : tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>, !latent_rope__positions, !latent_rope__turns)
      outs(%empty_query : tensor<2x4x16x2x4xf32>) {
  ^bb0(%low: f32, %high: f32, %position: i32, %turn: i64, %unused: f32):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
    %c = linalg.index 3 : index
    %is_low = arith.cmpi eq, %c, %chunk0 : index
    %this = arith.select %is_low, %low, %high : f32
    %other = arith.select %is_low, %high, %low : f32


    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32

    linalg.yield %turned : f32
  } -> tensor<2x4x16x2x4xf32>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<2x4x16x2x4xf32> into !latent_rope__rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [2, 1, 16, 4] [1, 1, 1, 1] : !latent_rope__key to tensor<2x1x16x4xf32>
  %high_key = tensor.extract_slice %key[0, 0, 0, 4] [2, 1, 16, 4] [1, 1, 1, 1] : !latent_rope__key to tensor<2x1x16x4xf32>
  %empty_key = tensor.empty() : tensor<2x1x16x2x4xf32>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %positions, %turns
        : tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>, !latent_rope__positions, !latent_rope__turns)
      outs(%empty_key : tensor<2x1x16x2x4xf32>) {
  ^bb0(%low: f32, %high: f32, %position: i32, %turn: i64, %unused: f32):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
    %c = linalg.index 3 : index
    %is_low = arith.cmpi eq, %c, %chunk0 : index
    %this = arith.select %is_low, %low, %high : f32
    %other = arith.select %is_low, %high, %low : f32


    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32

    linalg.yield %turned : f32
  } -> tensor<2x1x16x2x4xf32>
  %rotated_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<2x1x16x2x4xf32> into !latent_rope__rotated_key
  return %rotated_query, %rotated_key : !latent_rope__rotated_query, !latent_rope__rotated_key
}
!hidden = tensor<2x16x128xf32>
!query_down_weight = tensor<24x128xf32>
!query_down_norm_weight = tensor<24xf32>
!query_weight = tensor<96x24xf32>
!key_weight = tensor<4x32x16xf32>
!latent_weight = tensor<40x128xf32>
!latent_norm_weight = tensor<32xf32>
!positions = tensor<2x16xi32>
!query = tensor<2x4x16x40xf32>
!latents = tensor<2x1x16x40xf32>

func.func @latent_projection(%hidden: !hidden, %query_down_weight: !query_down_weight, %query_down_norm_weight: !query_down_norm_weight, %query_weight: !query_weight, %key_weight: !key_weight, %latent_weight: !latent_weight, %latent_norm_weight: !latent_norm_weight, %positions: !positions) -> (!query, !latents) {
  %down = call @query_down(%hidden, %query_down_weight) : (tensor<2x16x128xf32>, tensor<24x128xf32>) -> (tensor<2x16x24xf32>)
  %rows_of_normed_down = tensor.collapse_shape %down [[0, 1], [2]] : tensor<2x16x24xf32> into tensor<32x24xf32>
  %normed_rows_of_normed_down = call @query_down_norm(%rows_of_normed_down, %query_down_norm_weight) : (tensor<32x24xf32>, tensor<24xf32>) -> (tensor<32x24xf32>)
  %normed_down = tensor.expand_shape %normed_rows_of_normed_down [[0, 1], [2]] output_shape [2, 16, 24] : tensor<32x24xf32> into tensor<2x16x24xf32>
  %of_all_heads = call @query_up(%normed_down, %query_weight) : (tensor<2x16x24xf32>, tensor<96x24xf32>) -> (tensor<2x16x96xf32>)
  // Before the barrier, the product keeps the dimensions that its tile is made for.
  %all_heads = iree_tensor_ext.compute_barrier.start %of_all_heads : tensor<2x16x96xf32> -> tensor<2x16x96xf32>
  %by_token = tensor.expand_shape %all_heads [[0], [1], [2, 3]] output_shape [2, 16, 4, 24]
    : tensor<2x16x96xf32> into tensor<2x16x4x24xf32>
  %empty_heads = tensor.empty() : tensor<2x4x16x24xf32>
  %heads = linalg.transpose ins(%by_token : tensor<2x16x4x24xf32>) outs(%empty_heads : tensor<2x4x16x24xf32>) permutation = [0, 2, 1, 3]
  %plain = tensor.extract_slice %heads[0, 0, 0, 0] [2, 4, 16, 16] [1, 1, 1, 1]
    : tensor<2x4x16x24xf32> to tensor<2x4x16x16xf32>
  %unturned = tensor.extract_slice %heads[0, 0, 0, 16] [2, 4, 16, 8] [1, 1, 1, 1]
    : tensor<2x4x16x24xf32> to tensor<2x4x16x8xf32>
  %absorbed = call @absorption(%plain, %key_weight) : (tensor<2x4x16x16xf32>, tensor<4x32x16xf32>) -> (tensor<2x4x16x32xf32>)
  %latent_and_key = call @latent_down(%hidden, %latent_weight) : (tensor<2x16x128xf32>, tensor<40x128xf32>) -> (tensor<2x16x40xf32>)
  %latent = tensor.extract_slice %latent_and_key[0, 0, 0] [2, 16, 32] [1, 1, 1]
    : tensor<2x16x40xf32> to tensor<2x16x32xf32>
  %rows_of_normed_latent = tensor.collapse_shape %latent [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
  %normed_rows_of_normed_latent = call @latent_norm(%rows_of_normed_latent, %latent_norm_weight) : (tensor<32x32xf32>, tensor<32xf32>) -> (tensor<32x32xf32>)
  %normed_latent = tensor.expand_shape %normed_rows_of_normed_latent [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf32> into tensor<2x16x32xf32>
  %key = tensor.extract_slice %latent_and_key[0, 0, 32] [2, 16, 8] [1, 1, 1]
    : tensor<2x16x40xf32> to tensor<2x16x8xf32>
  %latent_of_head = tensor.expand_shape %normed_latent [[0], [1, 2], [3]] output_shape [2, 1, 16, 32]
    : tensor<2x16x32xf32> into tensor<2x1x16x32xf32>
  %key_of_head = tensor.expand_shape %key [[0], [1, 2], [3]] output_shape [2, 1, 16, 8]
    : tensor<2x16x8xf32> into tensor<2x1x16x8xf32>
  %rotated:2 = call @latent_rope(%unturned, %key_of_head, %positions) : (tensor<2x4x16x8xf32>, tensor<2x1x16x8xf32>, tensor<2x16xi32>) -> (tensor<2x4x16x8xf32>, tensor<2x1x16x8xf32>)
  %empty_query = tensor.empty() : tensor<2x4x16x40xf32>
  %left_of_query = tensor.insert_slice %absorbed into %empty_query[0, 0, 0, 0] [2, 4, 16, 32] [1, 1, 1, 1]
    : tensor<2x4x16x32xf32> into tensor<2x4x16x40xf32>
  %query = tensor.insert_slice %rotated#0 into %left_of_query[0, 0, 0, 32] [2, 4, 16, 8] [1, 1, 1, 1]
    : tensor<2x4x16x8xf32> into tensor<2x4x16x40xf32>
  %empty_latents = tensor.empty() : tensor<2x1x16x40xf32>
  %left_of_latents = tensor.insert_slice %latent_of_head into %empty_latents[0, 0, 0, 0] [2, 1, 16, 32] [1, 1, 1, 1]
    : tensor<2x1x16x32xf32> into tensor<2x1x16x40xf32>
  %latents = tensor.insert_slice %rotated#1 into %left_of_latents[0, 0, 0, 32] [2, 1, 16, 8] [1, 1, 1, 1]
    : tensor<2x1x16x8xf32> into tensor<2x1x16x40xf32>
  return %query, %latents : !query, !latents
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @latent_projection$async(
    %hidden: !hidden,
    %query_down_weight: !query_down_weight,
    %query_down_norm_weight: !query_down_norm_weight,
    %query_weight: !query_weight,
    %key_weight: !key_weight,
    %latent_weight: !latent_weight,
    %latent_norm_weight: !latent_norm_weight,
    %positions: !positions
  ) -> (!query, !latents) attributes {iree.abi.model = "coarse-fences"} {
  %query, %latents = func.call @latent_projection(%hidden, %query_down_weight, %query_down_norm_weight, %query_weight, %key_weight, %latent_weight, %latent_norm_weight, %positions)
    : (!hidden, !query_down_weight, !query_down_norm_weight, !query_weight, !key_weight, !latent_weight, !latent_norm_weight, !positions) -> (!query, !latents)
  util.return %query, %latents : !query, !latents
}
