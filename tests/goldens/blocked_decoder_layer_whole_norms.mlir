// A decoder layer. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<16x512xf16>
!norm__weight = tensor<512xf16>
!norm__output = tensor<16x512xf16>
!norm__row = tensor<16xf32>
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
  ^bb0(%in: f16, %sum: f32):
    %in_f32 = arith.extf %in : f16 to f32
    %square = arith.mulf %in_f32, %in_f32 : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !norm__row
  %columns = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !norm__output
  %output = linalg.generic {
      indexing_maps = [#norm__x, #norm__row, #norm__weight, #norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !norm__x, !norm__row, !norm__weight) outs(%output_empty : !norm__output) {
  ^bb0(%in: f16, %sum: f32, %w: f16, %unused: f16):
    %in_f32 = arith.extf %in : f16 to f32
    %w_f32 = arith.extf %w : f16 to f32
    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in_f32, %size : f32
    %factor = arith.addf %w_f32, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !norm__output
  return %output : !norm__output
}
// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!qkv__hidden = tensor<1x16x512xf16>
!qkv__weight = tensor<768x512xf16>
!qkv__query = tensor<1x8x16x64xf16>
!qkv__key = tensor<1x2x16x64xf16>
!qkv__value = tensor<1x2x16x64xf16>
!qkv__tokens = tensor<16x512xf16>
!qkv__head_weights = tensor<12x64x512xf16>
#qkv__hidden = affine_map<(h, m, n, k) -> (m, k)>
#qkv__weight = affine_map<(h, m, n, k) -> (h, n, k)>
#qkv__acc = affine_map<(h, m, n, k) -> (h, m, n)>
#qkv__heads = affine_map<(h, m, n) -> (h, m, n)>

func.func private @qkv(%hidden: !qkv__hidden, %weight: !qkv__weight) -> (!qkv__query, !qkv__key, !qkv__value) {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !qkv__hidden into !qkv__tokens
  %head_weights = tensor.expand_shape %weight [[0, 1], [2]] output_shape [12, 64, 512] : !qkv__weight into !qkv__head_weights
  // query: 8 heads from head 0 on
  %query_weight = tensor.extract_slice %head_weights[0, 0, 0] [8, 64, 512] [1, 1, 1] : !qkv__head_weights to tensor<8x64x512xf16>
  %query_acc_empty = tensor.empty() : tensor<8x16x64xf32>
  %query_start = linalg.fill ins(%zero : f32) outs(%query_acc_empty : tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
  %query_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %query_weight : !qkv__tokens, tensor<8x64x512xf16>) outs(%query_start : tensor<8x16x64xf32>) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<8x16x64xf32>
  %query_empty = tensor.empty() : tensor<8x16x64xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%query_acc : tensor<8x16x64xf32>) outs(%query_empty : tensor<8x16x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<8x16x64xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 16, 64] : tensor<8x16x64xf16> into !qkv__query
  // key: 2 heads from head 8 on
  %key_weight = tensor.extract_slice %head_weights[8, 0, 0] [2, 64, 512] [1, 1, 1] : !qkv__head_weights to tensor<2x64x512xf16>
  %key_acc_empty = tensor.empty() : tensor<2x16x64xf32>
  %key_start = linalg.fill ins(%zero : f32) outs(%key_acc_empty : tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
  %key_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %key_weight : !qkv__tokens, tensor<2x64x512xf16>) outs(%key_start : tensor<2x16x64xf32>) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x16x64xf32>
  %key_empty = tensor.empty() : tensor<2x16x64xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_acc : tensor<2x16x64xf32>) outs(%key_empty : tensor<2x16x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<2x16x64xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, 16, 64] : tensor<2x16x64xf16> into !qkv__key
  // value: 2 heads from head 10 on
  %value_weight = tensor.extract_slice %head_weights[10, 0, 0] [2, 64, 512] [1, 1, 1] : !qkv__head_weights to tensor<2x64x512xf16>
  %value_acc_empty = tensor.empty() : tensor<2x16x64xf32>
  %value_start = linalg.fill ins(%zero : f32) outs(%value_acc_empty : tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
  %value_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %value_weight : !qkv__tokens, tensor<2x64x512xf16>) outs(%value_start : tensor<2x16x64xf32>) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x16x64xf32>
  %value_empty = tensor.empty() : tensor<2x16x64xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_acc : tensor<2x16x64xf32>) outs(%value_empty : tensor<2x16x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<2x16x64xf16>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, 16, 64] : tensor<2x16x64xf16> into !qkv__value
  return %query, %key, %value : !qkv__query, !qkv__key, !qkv__value
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!rope__turns = tensor<32xi64>
!rope__query = tensor<1x8x16x64xf16>
!rope__key = tensor<1x2x16x64xf16>
!rope__positions = tensor<1x16xi32>
!rope__rotated_query = tensor<1x8x16x64xf16>
!rope__rotated_key = tensor<1x2x16x64xf16>

func.func private @rope(%query: !rope__query, %key: !rope__key, %positions: !rope__positions) -> (!rope__rotated_query, !rope__rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !rope__turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %chunk0 = arith.constant 0 : index
  %query_low = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 16, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x16x32xf16>
  %query_high = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, 16, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x16x32xf16>
  %query_empty = tensor.empty() : tensor<1x8x16x2x32xf16>
  %query_rotated = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%query_low, %query_high, %positions, %turns
        : tensor<1x8x16x32xf16>, tensor<1x8x16x32xf16>, !rope__positions, !rope__turns)
      outs(%query_empty : tensor<1x8x16x2x32xf16>) {
  ^bb0(%low: f16, %high: f16, %position: i32, %turn: i64, %unused: f16):
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
    %this = arith.select %is_low, %low, %high : f16
    %other = arith.select %is_low, %high, %low : f16
    %this_f32 = arith.extf %this : f16 to f32
    %other_f32 = arith.extf %other : f16 to f32
    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this_f32, %cos_at : f32
    %from_other = arith.mulf %other_f32, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32
    %turned_stored = arith.truncf %turned : f32 to f16
    linalg.yield %turned_stored : f16
  } -> tensor<1x8x16x2x32xf16>
  %rotated_query = tensor.collapse_shape %query_rotated [[0], [1], [2], [3, 4]] : tensor<1x8x16x2x32xf16> into !rope__rotated_query
  %key_low = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, 16, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x16x32xf16>
  %key_high = tensor.extract_slice %key[0, 0, 0, 32] [1, 2, 16, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x16x32xf16>
  %key_empty = tensor.empty() : tensor<1x2x16x2x32xf16>
  %key_rotated = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%key_low, %key_high, %positions, %turns
        : tensor<1x2x16x32xf16>, tensor<1x2x16x32xf16>, !rope__positions, !rope__turns)
      outs(%key_empty : tensor<1x2x16x2x32xf16>) {
  ^bb0(%low: f16, %high: f16, %position: i32, %turn: i64, %unused: f16):
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
    %this = arith.select %is_low, %low, %high : f16
    %other = arith.select %is_low, %high, %low : f16
    %this_f32 = arith.extf %this : f16 to f32
    %other_f32 = arith.extf %other : f16 to f32
    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this_f32, %cos_at : f32
    %from_other = arith.mulf %other_f32, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32
    %turned_stored = arith.truncf %turned : f32 to f16
    linalg.yield %turned_stored : f16
  } -> tensor<1x2x16x2x32xf16>
  %rotated_key = tensor.collapse_shape %key_rotated [[0], [1], [2], [3, 4]] : tensor<1x2x16x2x32xf16> into !rope__rotated_key
  return %rotated_query, %rotated_key : !rope__rotated_query, !rope__rotated_key
}
// New tokens are written into a block cache, in its own memory; then the pages of each sequence are
// laid out in token order, and every block of query rows reads them.
// b batch, h KV head, c batch and KV head, g query head of the KV head's group, m query (of products:
// all heads of the group), p page of the sequence, s slot of the page, t KV token, k head column,
// n value column
!attention__query = tensor<1x8x16x64xf16>
!attention__key = tensor<1x2x16x64xf16>
!attention__value = tensor<1x2x16x64xf16>
!attention__slot_mapping = tensor<1x16xi32>
!attention__key_cache = tensor<9x2x16x64xf16>
!attention__value_cache = tensor<9x2x16x64xf16>
!attention__block_table = tensor<1x4xi32>
!attention__context_lens = tensor<1xi32>
!attention__output = tensor<1x8x16x64xf16>
!attention__updated_key_cache = tensor<9x2x16x64xf16>
!attention__updated_value_cache = tensor<9x2x16x64xf16>
!attention__grouped_query = tensor<2x4x16x64xf16>
!attention__grouped_output = tensor<2x4x16x64xf16>
!attention__grouped_lse = tensor<2x4x16xf32>
!attention__key_tokens = tensor<2x64x64xf16>
!attention__value_tokens = tensor<2x64x64xf16>
!attention__keys = tensor<2x64x64xf32>
!attention__values = tensor<2x64x64xf32>
#attention__lhs = affine_map<(c, m, t, k) -> (c, m, k)>
#attention__transposed = affine_map<(c, m, t, k) -> (c, t, k)>
#attention__product = affine_map<(c, m, t, k) -> (c, m, t)>
#attention__scores = affine_map<(c, m, t) -> (c, m, t)>
#attention__row = affine_map<(c, m, t) -> (c, m)>
!attention__by_head = tensor<1x2x4x16x64xf16>
!attention__cache_rows = tensor<288x64xf16>
!attention__row_numbers = tensor<1x2x16xi32>
!attention__is_written = tensor<1x2x16xi1>

func.func private @attention(%query: !attention__query, %key: !attention__key, %value: !attention__value, %slot_mapping: !attention__slot_mapping, %key_cache: !attention__key_cache, %value_cache: !attention__value_cache, %block_table: !attention__block_table, %context_lens: !attention__context_lens) -> (!attention__output, !attention__updated_key_cache, !attention__updated_value_cache) {
  // The row of every head of every token, and whether it is written; those of skipped tokens mean
  // nothing. The compiler makes both inside the kernels that write.
  %row_numbers_empty = tensor.empty() : !attention__row_numbers
  %written_empty = tensor.empty() : !attention__is_written
  %row_numbers, %is_written = linalg.generic {
      indexing_maps = [affine_map<(b, h, m) -> (b, m)>, affine_map<(b, h, m) -> (b, h, m)>, affine_map<(b, h, m) -> (b, h, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%slot_mapping : !attention__slot_mapping) outs(%row_numbers_empty, %written_empty : !attention__row_numbers, !attention__is_written) {
  ^bb0(%slot: i32, %unused_number: i32, %unused_flag: i1):
    %slots_per_block = arith.constant 16 : i32
    %heads = arith.constant 2 : i32
    %none = arith.constant 0 : i32
    %h = linalg.index 1 : index
    %head = arith.index_cast %h : index to i32
    %block = arith.divsi %slot, %slots_per_block : i32
    %slot_in_block = arith.remsi %slot, %slots_per_block : i32
    %first_head = arith.muli %block, %heads : i32
    %block_and_head = arith.addi %first_head, %head : i32
    %first_row = arith.muli %block_and_head, %slots_per_block : i32
    %row = arith.addi %first_row, %slot_in_block : i32
    %is_written = arith.cmpi sge, %slot, %none : i32
    linalg.yield %row, %is_written : i32, i1
  } -> (!attention__row_numbers, !attention__is_written)
  %key_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]] : !attention__key_cache into !attention__cache_rows
  %updated_key_rows = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%key, %row_numbers, %is_written : !attention__key, !attention__row_numbers, !attention__is_written) outs(%key_rows : !attention__cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !attention__cache_rows
  %updated_key_cache = tensor.expand_shape %updated_key_rows [[0, 1, 2], [3]] output_shape [9, 2, 16, 64] : !attention__cache_rows into !attention__updated_key_cache
  %value_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]] : !attention__value_cache into !attention__cache_rows
  %updated_value_rows = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%value, %row_numbers, %is_written : !attention__value, !attention__row_numbers, !attention__is_written) outs(%value_rows : !attention__cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !attention__cache_rows
  %updated_value_cache = tensor.expand_shape %updated_value_rows [[0, 1, 2], [3]] output_shape [9, 2, 16, 64] : !attention__cache_rows into !attention__updated_value_cache
  %zero = arith.constant 0.0 : f16
  %zero_f32 = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  // The row maximum starts finite, so that exp(-inf - maximum) is 0 in a row that sees no token.
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale = arith.constant 0.125 : f32
  %output_empty = tensor.empty() : !attention__grouped_output
  // Rows that no block covers see no token and stay as they are here.
  %output0 = linalg.fill ins(%zero : f16) outs(%output_empty : !attention__grouped_output) -> !attention__grouped_output
  %flat_query = tensor.collapse_shape %query [[0, 1, 2], [3]] : !attention__query into tensor<128x64xf16>
  %grouped_query = tensor.expand_shape %flat_query [[0, 1, 2], [3]] output_shape [2, 4, 16, 64] : tensor<128x64xf16> into !attention__grouped_query
  %key_pages_empty = tensor.empty() : !attention__by_head
  %key_by_head = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, p, s, k) -> (b, p)>,
        affine_map<(b, h, p, s, k) -> (b, h, p, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%block_table : !attention__block_table) outs(%key_pages_empty : !attention__by_head) {
  ^bb0(%id: i32, %unused: f16):
    %block = arith.index_cast %id : i32 to index
    %h = linalg.index 1 : index
    %s = linalg.index 3 : index
    %k = linalg.index 4 : index
    %in = tensor.extract %updated_key_cache[%block, %h, %s, %k] : !attention__updated_key_cache
    linalg.yield %in : f16
  } -> !attention__by_head
  %key_in_order = tensor.collapse_shape %key_by_head [[0, 1], [2, 3], [4]] : !attention__by_head into !attention__key_tokens
  // Laid out once, not again in every block.
  %key_tokens = iree_tensor_ext.compute_barrier.start %key_in_order : !attention__key_tokens -> !attention__key_tokens
  %key_empty = tensor.empty() : !attention__keys
  %keys = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_tokens : !attention__key_tokens) outs(%key_empty : !attention__keys) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !attention__keys
  %value_pages_empty = tensor.empty() : !attention__by_head
  %value_by_head = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, p, s, k) -> (b, p)>,
        affine_map<(b, h, p, s, k) -> (b, h, p, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%block_table : !attention__block_table) outs(%value_pages_empty : !attention__by_head) {
  ^bb0(%id: i32, %unused: f16):
    %block = arith.index_cast %id : i32 to index
    %h = linalg.index 1 : index
    %s = linalg.index 3 : index
    %k = linalg.index 4 : index
    %in = tensor.extract %updated_value_cache[%block, %h, %s, %k] : !attention__updated_value_cache
    linalg.yield %in : f16
  } -> !attention__by_head
  %value_in_order = tensor.collapse_shape %value_by_head [[0, 1], [2, 3], [4]] : !attention__by_head into !attention__value_tokens
  // Laid out once, not again in every block.
  %value_tokens = iree_tensor_ext.compute_barrier.start %value_in_order : !attention__value_tokens -> !attention__value_tokens
  %value_empty = tensor.empty() : !attention__values
  %values = linalg.generic {
      indexing_maps = [affine_map<(c, t, k) -> (c, t, k)>, affine_map<(c, t, k) -> (c, t, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_tokens : !attention__value_tokens) outs(%value_empty : !attention__values) {
  ^bb0(%narrow: f16, %unused: f32):
    %wide = arith.extf %narrow : f16 to f32
    linalg.yield %wide : f32
  } -> !attention__values
  // Query rows 0 to 15 against tokens 0 to 63.
  %output1 = scf.execute_region -> !attention__grouped_output {
    %keys_seen = tensor.extract_slice %keys[0, 0, 0] [2, 64, 64] [1, 1, 1] : !attention__keys to tensor<2x64x64xf32>
    %values_seen = tensor.extract_slice %values[0, 0, 0] [2, 64, 64] [1, 1, 1] : !attention__values to tensor<2x64x64xf32>
    %rows = tensor.extract_slice %grouped_query[0, 0, 0, 0] [2, 4, 16, 64] [1, 1, 1, 1] : !attention__grouped_query to tensor<2x4x16x64xf16>
    %folded = tensor.collapse_shape %rows [[0], [1, 2], [3]] : tensor<2x4x16x64xf16> into tensor<2x64x64xf16>
    %wide_empty = tensor.empty() : tensor<2x64x64xf32>
    %wide_rows = linalg.generic {
        indexing_maps = [affine_map<(c, m, k) -> (c, m, k)>, affine_map<(c, m, k) -> (c, m, k)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%folded : tensor<2x64x64xf16>) outs(%wide_empty : tensor<2x64x64xf32>) {
    ^bb0(%in: f16, %unused: f32):
      %wide = arith.extf %in : f16 to f32
      linalg.yield %wide : f32
    } -> tensor<2x64x64xf32>
    %scores_empty = tensor.empty() : tensor<2x64x64xf32>
    %scores_start = linalg.fill ins(%zero_f32 : f32) outs(%scores_empty : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
    %scores = linalg.batch_matmul indexing_maps = [#attention__lhs, #attention__transposed, #attention__product]
        ins(%wide_rows, %keys_seen : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%scores_start : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
    %scores_by_head = tensor.expand_shape %scores [[0, 1], [2, 3], [4]] output_shape [1, 2, 4, 16, 64] : tensor<2x64x64xf32> into tensor<1x2x4x16x64xf32>
    %by_head_empty = tensor.empty() : tensor<1x2x4x16x64xf32>
    %logits_by_head = linalg.generic {
        indexing_maps = [
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>,
          affine_map<(b, h, g, m, t) -> (b)>,
          affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
      } ins(%scores_by_head, %context_lens : tensor<1x2x4x16x64xf32>, tensor<1xi32>) outs(%by_head_empty : tensor<1x2x4x16x64xf32>) {
    ^bb0(%score: f32, %context_len: i32, %unused: f32):
      %row = linalg.index 3 : index
      %start = arith.constant 0 : index
      %m = arith.addi %row, %start : index
      %token = linalg.index 4 : index
      %begin = arith.constant 0 : index
      %t = arith.addi %token, %begin : index
    %t_i32 = arith.index_cast %t : index to i32
    %m_i32 = arith.index_cast %m : index to i32
    %q_len = arith.constant 16 : i32
    %first_position = arith.subi %context_len, %q_len : i32
    %q_position = arith.addi %m_i32, %first_position : i32
    %ahead = arith.subi %t_i32, %q_position : i32
    %seen0 = arith.constant true
    %key_is_real = arith.cmpi slt, %t_i32, %context_len : i32
    %seen1 = arith.andi %seen0, %key_is_real : i1
    %here = arith.constant 0 : i32
    %causal = arith.cmpi sle, %ahead, %here : i32
    %seen2 = arith.andi %seen1, %causal : i1
      %logit0 = arith.mulf %score, %scale : f32

      %logit = arith.select %seen2, %logit0, %minus_inf : f32
      linalg.yield %logit : f32
    } -> tensor<1x2x4x16x64xf32>
    %logits = tensor.collapse_shape %logits_by_head [[0, 1], [2, 3], [4]] : tensor<1x2x4x16x64xf32> into tensor<2x64x64xf32>
    %row_empty = tensor.empty() : tensor<2x64xf32>
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<2x64xf32>) -> tensor<2x64xf32>
    %max = linalg.generic {
        indexing_maps = [#attention__scores, #attention__row], iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits : tensor<2x64x64xf32>) outs(%max_start : tensor<2x64xf32>) {
    ^bb0(%score: f32, %best: f32):
      %better = arith.maximumf %score, %best : f32
      linalg.yield %better : f32
    } -> tensor<2x64xf32>
    %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : tensor<2x64xf32>) -> tensor<2x64xf32>
    %weights:2 = linalg.generic {
        indexing_maps = [#attention__scores, #attention__row, #attention__scores, #attention__row],
        iterator_types = ["parallel", "parallel", "reduction"]
      } ins(%logits, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%scores_empty, %sum_start : tensor<2x64x64xf32>, tensor<2x64xf32>) {
    ^bb0(%score: f32, %best: f32, %unused: f32, %sum: f32):
      %below = arith.subf %score, %best : f32
      %weight = math.exp %below : f32
      %more = arith.addf %sum, %weight : f32
      linalg.yield %weight, %more : f32, f32
    } -> (tensor<2x64x64xf32>, tensor<2x64xf32>)
    %acc_empty = tensor.empty() : tensor<2x64x64xf32>
    %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
    %acc = linalg.batch_matmul
        ins(%weights#0, %values_seen : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%acc_start : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
    %means_empty = tensor.empty() : tensor<2x64x64xf16>
    %means = linalg.generic {
        indexing_maps = [#attention__scores, #attention__row, #attention__scores], iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%acc, %weights#1 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%means_empty : tensor<2x64x64xf16>) {
    ^bb0(%weighted: f32, %sum: f32, %unused: f16):
      // A row that saw nothing has sum 0 and becomes zeros.
      %any = arith.cmpf ogt, %sum, %zero_f32 : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %any, %quotient, %zero_f32 : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<2x64x64xf16>
    %grouped = tensor.expand_shape %means [[0], [1, 2], [3]] output_shape [2, 4, 16, 64] : tensor<2x64x64xf16> into tensor<2x4x16x64xf16>
    %written = tensor.insert_slice %grouped into %output0[0, 0, 0, 0] [2, 4, 16, 64] [1, 1, 1, 1] : tensor<2x4x16x64xf16> into !attention__grouped_output
    scf.yield %written : !attention__grouped_output
  }
  %flat_output = tensor.collapse_shape %output1 [[0, 1, 2], [3]] : !attention__grouped_output into tensor<128x64xf16>
  %output = tensor.expand_shape %flat_output [[0, 1, 2], [3]] output_shape [1, 8, 16, 64] : tensor<128x64xf16> into !attention__output
  return %output, %updated_key_cache, %updated_value_cache : !attention__output, !attention__updated_key_cache, !attention__updated_value_cache
}
// attended · weightᵀ + bias; the sum runs over heads and their columns, so that no head is moved.
// m token, n hidden column, h query head, k head column
!projection__attended = tensor<1x8x16x64xf16>
!projection__weight = tensor<512x512xf16>
!projection__output = tensor<1x16x512xf16>
!projection__sequences = tensor<8x16x64xf16>
!projection__head_weights = tensor<512x8x64xf16>
!projection__acc = tensor<16x512xf32>
!projection__sums = tensor<16x512xf16>
#projection__attended = affine_map<(m, n, h, k) -> (h, m, k)>
#projection__weight = affine_map<(m, n, h, k) -> (n, h, k)>
#projection__acc = affine_map<(m, n, h, k) -> (m, n)>
#projection__sums = affine_map<(m, n) -> (m, n)>

func.func private @projection(%attended: !projection__attended, %weight: !projection__weight) -> !projection__output {
  %head_weights = tensor.expand_shape %weight [[0], [1, 2]] output_shape [512, 8, 64] : !projection__weight into !projection__head_weights
  %sequences = tensor.collapse_shape %attended [[0, 1], [2], [3]] : !projection__attended into !projection__sequences
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !projection__acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !projection__acc) -> !projection__acc
  %acc = linalg.generic {
      indexing_maps = [#projection__attended, #projection__weight, #projection__acc],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]
    } ins(%sequences, %head_weights : !projection__sequences, !projection__head_weights) outs(%start : !projection__acc) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !projection__acc
  %empty = tensor.empty() : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> !projection__sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [1, 16, 512] : !projection__sums into !projection__output
  return %output : !projection__output
}
// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ + bias.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!mlp__hidden = tensor<1x16x512xf16>
!mlp__gate_up_weight = tensor<1536x512xf16>
!mlp__gate_up_bias = tensor<1536xf16>
!mlp__down_weight = tensor<512x768xf16>
!mlp__down_bias = tensor<512xf16>
!mlp__output = tensor<1x16x512xf16>
!mlp__tokens = tensor<16x512xf16>
!mlp__gate_weight = tensor<768x512xf16>
!mlp__up_weight = tensor<768x512xf16>
!mlp__gate = tensor<16x768xf32>
!mlp__active = tensor<16x768xf16>
!mlp__gate_bias = tensor<768xf16>
!mlp__up_bias = tensor<768xf16>
!mlp__up = tensor<16x768xf32>
!mlp__inner = tensor<16x768xf16>
!mlp__down = tensor<16x512xf32>
!mlp__rows = tensor<16x512xf16>
#mlp__bias = affine_map<(m, n) -> (n)>
#mlp__x = affine_map<(m, n, k) -> (m, k)>
#mlp__weight = affine_map<(m, n, k) -> (n, k)>
#mlp__acc = affine_map<(m, n, k) -> (m, n)>
#mlp__rows = affine_map<(m, n) -> (m, n)>

func.func private @mlp(%hidden: !mlp__hidden, %gate_up_weight: !mlp__gate_up_weight, %gate_up_bias: !mlp__gate_up_bias, %down_weight: !mlp__down_weight, %down_bias: !mlp__down_bias) -> !mlp__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !mlp__hidden into !mlp__tokens
  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [768, 512] [1, 1] : !mlp__gate_up_weight to !mlp__gate_weight
  %gate_bias = tensor.extract_slice %gate_up_bias[0] [768] [1] : !mlp__gate_up_bias to !mlp__gate_bias
  %up_weight = tensor.extract_slice %gate_up_weight[768, 0] [768, 512] [1, 1] : !mlp__gate_up_weight to !mlp__up_weight
  %up_bias = tensor.extract_slice %gate_up_bias[768] [768] [1] : !mlp__gate_up_bias to !mlp__up_bias
  %gate_empty = tensor.empty() : !mlp__gate
  %gate_start = linalg.fill ins(%zero : f32) outs(%gate_empty : !mlp__gate) -> !mlp__gate
  %gate = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %gate_weight : !mlp__tokens, !mlp__gate_weight) outs(%gate_start : !mlp__gate) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !mlp__gate
  %active_empty = tensor.empty() : !mlp__active
  %active = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__bias, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate, %gate_bias : !mlp__gate, !mlp__gate_bias) outs(%active_empty : !mlp__active) {
  ^bb0(%sum: f32, %shift: f16, %unused: f16):
    %shift_f32 = arith.extf %shift : f16 to f32
    %shifted = arith.addf %sum, %shift_f32 : f32
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %shifted : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %shifted, %divisor : f32
    %active_stored = arith.truncf %active : f32 to f16
    linalg.yield %active_stored : f16
  } -> !mlp__active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !mlp__active -> !mlp__active
  %up_empty = tensor.empty() : !mlp__up
  %up_start = linalg.fill ins(%zero : f32) outs(%up_empty : !mlp__up) -> !mlp__up
  %up = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %up_weight : !mlp__tokens, !mlp__up_weight) outs(%up_start : !mlp__up) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !mlp__up
  %inner_empty = tensor.empty() : !mlp__inner
  %inner = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__bias, #mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %up_bias, %open : !mlp__up, !mlp__up_bias, !mlp__active) outs(%inner_empty : !mlp__inner) {
  ^bb0(%sum: f32, %shift: f16, %factor: f16, %unused: f16):
    %shift_f32 = arith.extf %shift : f16 to f32
    %shifted = arith.addf %sum, %shift_f32 : f32
    %factor_f32 = arith.extf %factor : f16 to f32
    %gated = arith.mulf %shifted, %factor_f32 : f32
    %gated_stored = arith.truncf %gated : f32 to f16
    linalg.yield %gated_stored : f16
  } -> !mlp__inner
  %down_empty = tensor.empty() : !mlp__down
  %down_start = linalg.fill ins(%zero : f32) outs(%down_empty : !mlp__down) -> !mlp__down
  %down = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc], iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%inner, %down_weight : !mlp__inner, !mlp__down_weight) outs(%down_start : !mlp__down) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !mlp__down
  %rows_empty = tensor.empty() : !mlp__rows
  %rows = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__bias, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%down, %down_bias : !mlp__down, !mlp__down_bias) outs(%rows_empty : !mlp__rows) {
  ^bb0(%sum: f32, %shift: f16, %unused: f16):
    %shift_f32 = arith.extf %shift : f16 to f32
    %shifted = arith.addf %sum, %shift_f32 : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> !mlp__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 16, 512] : !mlp__rows into !mlp__output
  return %output : !mlp__output
}
!hidden = tensor<1x16x512xf16>
!norm_weight = tensor<512xf16>
!qkv_weight = tensor<768x512xf16>
!positions = tensor<1x16xi32>
!slot_mapping = tensor<1x16xi32>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<1x4xi32>
!context_lens = tensor<1xi32>
!output_weight = tensor<512x512xf16>
!post_norm_weight = tensor<512xf16>
!mlp_norm_weight = tensor<512xf16>
!gate_up_weight = tensor<1536x512xf16>
!gate_up_bias = tensor<1536xf16>
!down_weight = tensor<512x768xf16>
!down_bias = tensor<512xf16>
!mlp_post_norm_weight = tensor<512xf16>
!output = tensor<1x16x512xf16>
!updated_key_cache = tensor<9x2x16x64xf16>
!updated_value_cache = tensor<9x2x16x64xf16>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden: !hidden, %norm_weight: !norm_weight, %qkv_weight: !qkv_weight, %positions: !positions, %slot_mapping: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %block_table: !block_table, %context_lens: !context_lens, %output_weight: !output_weight, %post_norm_weight: !post_norm_weight, %mlp_norm_weight: !mlp_norm_weight, %gate_up_weight: !gate_up_weight, %gate_up_bias: !gate_up_bias, %down_weight: !down_weight, %down_bias: !down_bias, %mlp_post_norm_weight: !mlp_post_norm_weight) -> (!output, !updated_key_cache, !updated_value_cache) {
  %normed_rows = tensor.collapse_shape %hidden [[0, 1], [2]] : tensor<1x16x512xf16> into tensor<16x512xf16>
  %normed_normed = call @norm(%normed_rows, %norm_weight) : (tensor<16x512xf16>, tensor<512xf16>) -> (tensor<16x512xf16>)
  %normed = tensor.expand_shape %normed_normed [[0, 1], [2]] output_shape [1, 16, 512] : tensor<16x512xf16> into tensor<1x16x512xf16>
  %qkv:3 = call @qkv(%normed, %qkv_weight) : (tensor<1x16x512xf16>, tensor<768x512xf16>) -> (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x2x16x64xf16>)
  %rotated:2 = call @rope(%qkv#0, %qkv#1, %positions) : (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x16xi32>) -> (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>)
  // On a CPU, the kernel that writes the cache would compute all new keys in its stack.
  %new_key = util.optimization_barrier %rotated#1 : tensor<1x2x16x64xf16>
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %rotated#0 : tensor<1x8x16x64xf16> -> tensor<1x8x16x64xf16>
  %attended:3 = call @attention(%new_query, %new_key, %qkv#2, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens) : (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x16xi32>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>, tensor<1x4xi32>, tensor<1xi32>) -> (tensor<1x8x16x64xf16>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<1x8x16x64xf16> -> tensor<1x8x16x64xf16>
  %projected = call @projection(%heads, %output_weight) : (tensor<1x8x16x64xf16>, tensor<512x512xf16>) -> (tensor<1x16x512xf16>)
  %added_rows = tensor.collapse_shape %projected [[0, 1], [2]] : tensor<1x16x512xf16> into tensor<16x512xf16>
  %added_normed = call @norm(%added_rows, %post_norm_weight) : (tensor<16x512xf16>, tensor<512xf16>) -> (tensor<16x512xf16>)
  %added = tensor.expand_shape %added_normed [[0, 1], [2]] output_shape [1, 16, 512] : tensor<16x512xf16> into tensor<1x16x512xf16>
  %between_empty = tensor.empty() : !output
  %between = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %added : !hidden, !output) outs(%between_empty : !output) {
  ^bb0(%residual: f16, %change: f16, %unused: f16):
    %residual_f32 = arith.extf %residual : f16 to f32
    %change_f32 = arith.extf %change : f16 to f32
    %sum = arith.addf %residual_f32, %change_f32 : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  %mlp_normed_rows = tensor.collapse_shape %between [[0, 1], [2]] : tensor<1x16x512xf16> into tensor<16x512xf16>
  %mlp_normed_normed = call @norm(%mlp_normed_rows, %mlp_norm_weight) : (tensor<16x512xf16>, tensor<512xf16>) -> (tensor<16x512xf16>)
  %mlp_normed = tensor.expand_shape %mlp_normed_normed [[0, 1], [2]] output_shape [1, 16, 512] : tensor<16x512xf16> into tensor<1x16x512xf16>
  %mlp = call @mlp(%mlp_normed, %gate_up_weight, %gate_up_bias, %down_weight, %down_bias) : (tensor<1x16x512xf16>, tensor<1536x512xf16>, tensor<1536xf16>, tensor<512x768xf16>, tensor<512xf16>) -> (tensor<1x16x512xf16>)
  %mlp_added_rows = tensor.collapse_shape %mlp [[0, 1], [2]] : tensor<1x16x512xf16> into tensor<16x512xf16>
  %mlp_added_normed = call @norm(%mlp_added_rows, %mlp_post_norm_weight) : (tensor<16x512xf16>, tensor<512xf16>) -> (tensor<16x512xf16>)
  %mlp_added = tensor.expand_shape %mlp_added_normed [[0, 1], [2]] output_shape [1, 16, 512] : tensor<16x512xf16> into tensor<1x16x512xf16>
  %output_empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%between, %mlp_added : !hidden, !output) outs(%output_empty : !output) {
  ^bb0(%residual: f16, %change: f16, %unused: f16):
    %residual_f32 = arith.extf %residual : f16 to f32
    %change_f32 = arith.extf %change : f16 to f32
    %sum = arith.addf %residual_f32, %change_f32 : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  return %output, %attended#1, %attended#2 : !output, !updated_key_cache, !updated_value_cache
}
