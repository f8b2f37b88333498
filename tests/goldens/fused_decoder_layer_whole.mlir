// A decoder layer. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<1x512xf16>
!norm__weight = tensor<512xf16>
!norm__output = tensor<1x512xf16>
!norm__row = tensor<1xf32>
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
!qkv__hidden = tensor<1x1x512xf16>
!qkv__weight = tensor<768x512xf16>
!qkv__query = tensor<1x8x1x64xf16>
!qkv__key = tensor<1x2x1x64xf16>
!qkv__value = tensor<1x2x1x64xf16>
!qkv__tokens = tensor<1x512xf16>
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
  %query_acc_empty = tensor.empty() : tensor<8x1x64xf32>
  %query_start = linalg.fill ins(%zero : f32) outs(%query_acc_empty : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %query_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %query_weight : !qkv__tokens, tensor<8x64x512xf16>) outs(%query_start : tensor<8x1x64xf32>) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<8x1x64xf32>
  %query_empty = tensor.empty() : tensor<8x1x64xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%query_acc : tensor<8x1x64xf32>) outs(%query_empty : tensor<8x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<8x1x64xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 1, 64] : tensor<8x1x64xf16> into !qkv__query
  // key: 2 heads from head 8 on
  %key_weight = tensor.extract_slice %head_weights[8, 0, 0] [2, 64, 512] [1, 1, 1] : !qkv__head_weights to tensor<2x64x512xf16>
  %key_acc_empty = tensor.empty() : tensor<2x1x64xf32>
  %key_start = linalg.fill ins(%zero : f32) outs(%key_acc_empty : tensor<2x1x64xf32>) -> tensor<2x1x64xf32>
  %key_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %key_weight : !qkv__tokens, tensor<2x64x512xf16>) outs(%key_start : tensor<2x1x64xf32>) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x1x64xf32>
  %key_empty = tensor.empty() : tensor<2x1x64xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%key_acc : tensor<2x1x64xf32>) outs(%key_empty : tensor<2x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<2x1x64xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, 1, 64] : tensor<2x1x64xf16> into !qkv__key
  // value: 2 heads from head 10 on
  %value_weight = tensor.extract_slice %head_weights[10, 0, 0] [2, 64, 512] [1, 1, 1] : !qkv__head_weights to tensor<2x64x512xf16>
  %value_acc_empty = tensor.empty() : tensor<2x1x64xf32>
  %value_start = linalg.fill ins(%zero : f32) outs(%value_acc_empty : tensor<2x1x64xf32>) -> tensor<2x1x64xf32>
  %value_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%tokens, %value_weight : !qkv__tokens, tensor<2x64x512xf16>) outs(%value_start : tensor<2x1x64xf32>) {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<2x1x64xf32>
  %value_empty = tensor.empty() : tensor<2x1x64xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%value_acc : tensor<2x1x64xf32>) outs(%value_empty : tensor<2x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<2x1x64xf16>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, 1, 64] : tensor<2x1x64xf16> into !qkv__value
  return %query, %key, %value : !qkv__query, !qkv__key, !qkv__value
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!rope__turns = tensor<32xi64>
!rope__query = tensor<1x8x1x64xf16>
!rope__key = tensor<1x2x1x64xf16>
!rope__positions = tensor<1x1xi32>
!rope__rotated_query = tensor<1x8x1x64xf16>
!rope__rotated_key = tensor<1x2x1x64xf16>

func.func private @rope(%query: !rope__query, %key: !rope__key, %positions: !rope__positions) -> (!rope__rotated_query, !rope__rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !rope__turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %chunk0 = arith.constant 0 : index
  %query_low = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf16>
  %query_high = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf16>
  %query_empty = tensor.empty() : tensor<1x8x1x2x32xf16>
  %query_rotated = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%query_low, %query_high, %positions, %turns
        : tensor<1x8x1x32xf16>, tensor<1x8x1x32xf16>, !rope__positions, !rope__turns)
      outs(%query_empty : tensor<1x8x1x2x32xf16>) {
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
  } -> tensor<1x8x1x2x32xf16>
  %rotated_query = tensor.collapse_shape %query_rotated [[0], [1], [2], [3, 4]] : tensor<1x8x1x2x32xf16> into !rope__rotated_query
  %key_low = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x1x32xf16>
  %key_high = tensor.extract_slice %key[0, 0, 0, 32] [1, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x1x32xf16>
  %key_empty = tensor.empty() : tensor<1x2x1x2x32xf16>
  %key_rotated = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%key_low, %key_high, %positions, %turns
        : tensor<1x2x1x32xf16>, tensor<1x2x1x32xf16>, !rope__positions, !rope__turns)
      outs(%key_empty : tensor<1x2x1x2x32xf16>) {
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
  } -> tensor<1x2x1x2x32xf16>
  %rotated_key = tensor.collapse_shape %key_rotated [[0], [1], [2], [3, 4]] : tensor<1x2x1x2x32xf16> into !rope__rotated_key
  return %rotated_query, %rotated_key : !rope__rotated_query, !rope__rotated_key
}
// New tokens are written into a block cache, in its own memory, and attention over it runs as one
// kernel.
// b batch, h KV head, g query head of the KV head's group, m query, p page of the sequence,
// t token of the page, k head column, n value column
!attention__query = tensor<1x8x1x64xf16>
!attention__key = tensor<1x2x1x64xf16>
!attention__value = tensor<1x2x1x64xf16>
!attention__slot_mapping = tensor<1x1xi32>
!attention__key_cache = tensor<9x2x16x64xf16>
!attention__value_cache = tensor<9x2x16x64xf16>
!attention__block_table = tensor<1x4xi32>
!attention__context_lens = tensor<1xi32>
!attention__output = tensor<1x8x1x64xf16>
!attention__updated_key_cache = tensor<9x2x16x64xf16>
!attention__updated_value_cache = tensor<9x2x16x64xf16>
!attention__grouped_query = tensor<1x2x4x1x64xf16>
!attention__padded_query = tensor<1x2x4x1x64xf16>
!attention__loop_query = tensor<1x2x4x1x64xf16>
!attention__grouped_output = tensor<1x2x4x1x64xf16>
!attention__padded_output = tensor<1x2x4x1x64xf16>
!attention__acc = tensor<1x2x4x1x64xf32>
!attention__row = tensor<1x2x4x1xf32>
!attention__rules = tensor<1x1x4x16xi1>
#attention__acc = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#attention__output = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#attention__row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>
!attention__padded_table = tensor<1x4xi32>
!attention__pages = tensor<1x4x2x16x64xf16>
!attention__padded_pages = tensor<1x4x2x16x64xf16>
!attention__cache_rows = tensor<288x64xf16>
!attention__row_numbers = tensor<1x2x1xi32>
!attention__is_written = tensor<1x2x1xi1>

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
  %ln2 = arith.constant 0.69314718055994531 : f32
  %scale_log2e = arith.constant 0.18033688011112042 : f32
  // The row maximum starts finite: a row whose scores are all -inf then has sum 0, not NaN.
  %lowest = arith.constant -3.40282347E+38 : f32
  %acc_empty = tensor.empty() : !attention__acc
  %row_empty = tensor.empty() : !attention__row
  %acc_start = linalg.fill ins(%zero_f32 : f32) outs(%acc_empty : !attention__acc) -> !attention__acc
  %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !attention__row) -> !attention__row
  %sum_start = linalg.fill ins(%zero_f32 : f32) outs(%row_empty : !attention__row) -> !attention__row
  %grouped_query = tensor.expand_shape %query [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 1, 64] : !attention__query into !attention__grouped_query
  %pages_empty = tensor.empty() : !attention__pages
  %key_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%updated_key_cache, %block_table : !attention__updated_key_cache, !attention__padded_table) outs(%pages_empty : !attention__pages) -> !attention__pages
  %value_pages = iree_linalg_ext.gather dimension_map = [0]
      ins(%updated_value_cache, %block_table : !attention__updated_value_cache, !attention__padded_table) outs(%pages_empty : !attention__pages) -> !attention__pages

  // True where the query sees the token. The compiler makes it inside the attention kernel.
  %rules_empty = tensor.empty() : !attention__rules
  %rules = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, p, t) -> (b)>,
        affine_map<(b, m, p, t) -> (b, m, p, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%context_lens : tensor<1xi32>) outs(%rules_empty : !attention__rules) {
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
  } -> !attention__rules
  %state:3 = iree_linalg_ext.online_attention <{indexing_maps = [
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, k)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, p, h, t, k)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, p, h, t, n)>,
      affine_map<(b, h, g, m, n, k, p, t) -> ()>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, m, p, t)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>,
      affine_map<(b, h, g, m, n, k, p, t) -> (b, h, g, m)>]}>
    ins(%grouped_query, %key_pages, %value_pages, %ln2, %rules : !attention__loop_query, !attention__pages, !attention__pages, f32, !attention__rules)
    outs(%acc_start, %max_start, %sum_start : !attention__acc, !attention__row, !attention__row) {
  ^bb0(%score: f32):
    %scaled = arith.mulf %score, %scale_log2e : f32
    iree_linalg_ext.yield %scaled : f32
  } -> !attention__acc, !attention__row, !attention__row
  %output_empty = tensor.empty() : !attention__padded_output
  %grouped_output = linalg.generic {
      indexing_maps = [#attention__acc, #attention__row, #attention__output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%state#0, %state#2 : !attention__acc, !attention__row) outs(%output_empty : !attention__padded_output) {
  ^bb0(%weighted: f32, %sum: f32, %unused: f16):
    %any = arith.cmpf ogt, %sum, %zero_f32 : f32
    %quotient = arith.divf %weighted, %sum : f32
    %mean = arith.select %any, %quotient, %zero_f32 : f32
    %narrow = arith.truncf %mean : f32 to f16
    linalg.yield %narrow : f16
  } -> !attention__padded_output
  %output = tensor.collapse_shape %grouped_output [[0], [1, 2], [3], [4]] : !attention__grouped_output into !attention__output
  return %output, %updated_key_cache, %updated_value_cache : !attention__output, !attention__updated_key_cache, !attention__updated_value_cache
}
// attended · weightᵀ + bias; the sum runs over heads and their columns, so that no head is moved.
// m token, n hidden column, h query head, k head column
!projection__attended = tensor<1x8x1x64xf16>
!projection__weight = tensor<512x512xf16>
!projection__output = tensor<1x1x512xf16>
!projection__sequences = tensor<8x1x64xf16>
!projection__head_weights = tensor<512x8x64xf16>
!projection__acc = tensor<1x512xf32>
!projection__sums = tensor<1x512xf16>
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
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [1, 1, 512] : !projection__sums into !projection__output
  return %output : !projection__output
}
// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!mlp__hidden = tensor<1x1x512xf16>
!mlp__gate_up_weight = tensor<1536x512xf16>
!mlp__down_weight = tensor<512x768xf16>
!mlp__output = tensor<1x1x512xf16>
!mlp__tokens = tensor<1x512xf16>
!mlp__gate_weight = tensor<768x512xf16>
!mlp__up_weight = tensor<768x512xf16>
!mlp__gate = tensor<1x768xf32>
!mlp__active = tensor<1x768xf16>
!mlp__up = tensor<1x768xf32>
!mlp__inner = tensor<1x768xf16>
!mlp__down = tensor<1x512xf32>
!mlp__rows = tensor<1x512xf16>
#mlp__x = affine_map<(m, n, k) -> (m, k)>
#mlp__weight = affine_map<(m, n, k) -> (n, k)>
#mlp__acc = affine_map<(m, n, k) -> (m, n)>
#mlp__rows = affine_map<(m, n) -> (m, n)>

func.func private @mlp(%hidden: !mlp__hidden, %gate_up_weight: !mlp__gate_up_weight, %down_weight: !mlp__down_weight) -> !mlp__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !mlp__hidden into !mlp__tokens
  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [768, 512] [1, 1] : !mlp__gate_up_weight to !mlp__gate_weight
  %up_weight = tensor.extract_slice %gate_up_weight[768, 0] [768, 512] [1, 1] : !mlp__gate_up_weight to !mlp__up_weight
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
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !mlp__gate) outs(%active_empty : !mlp__active) {
  ^bb0(%sum: f32, %unused: f16):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %sum : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %sum, %divisor : f32
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
      indexing_maps = [#mlp__rows, #mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !mlp__up, !mlp__active) outs(%inner_empty : !mlp__inner) {
  ^bb0(%sum: f32, %factor: f16, %unused: f16):
    %factor_f32 = arith.extf %factor : f16 to f32
    %gated = arith.mulf %sum, %factor_f32 : f32
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
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !mlp__down) outs(%rows_empty : !mlp__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !mlp__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 512] : !mlp__rows into !mlp__output
  return %output : !mlp__output
}
!hidden = tensor<1x1x512xf16>
!norm_weight = tensor<512xf16>
!qkv_weight = tensor<768x512xf16>
!positions = tensor<1x1xi32>
!slot_mapping = tensor<1x1xi32>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<1x4xi32>
!context_lens = tensor<1xi32>
!output_weight = tensor<512x512xf16>
!mlp_norm_weight = tensor<512xf16>
!gate_up_weight = tensor<1536x512xf16>
!down_weight = tensor<512x768xf16>
!output = tensor<1x1x512xf16>
!updated_key_cache = tensor<9x2x16x64xf16>
!updated_value_cache = tensor<9x2x16x64xf16>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden: !hidden, %norm_weight: !norm_weight, %qkv_weight: !qkv_weight, %positions: !positions, %slot_mapping: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %block_table: !block_table, %context_lens: !context_lens, %output_weight: !output_weight, %mlp_norm_weight: !mlp_norm_weight, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> (!output, !updated_key_cache, !updated_value_cache) {
  %normed_rows = tensor.collapse_shape %hidden [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_normed = call @norm(%normed_rows, %norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %normed = tensor.expand_shape %normed_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %qkv:3 = call @qkv(%normed, %qkv_weight) : (tensor<1x1x512xf16>, tensor<768x512xf16>) -> (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x2x1x64xf16>)
  %rotated:2 = call @rope(%qkv#0, %qkv#1, %positions) : (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x1xi32>) -> (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>)
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %rotated#0 : tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  %attended:3 = call @attention(%new_query, %rotated#1, %qkv#2, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens) : (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x1xi32>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>, tensor<1x4xi32>, tensor<1xi32>) -> (tensor<1x8x1x64xf16>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  %projected = call @projection(%heads, %output_weight) : (tensor<1x8x1x64xf16>, tensor<512x512xf16>) -> (tensor<1x1x512xf16>)
  %between_empty = tensor.empty() : !output
  %between = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %projected : !hidden, !output) outs(%between_empty : !output) {
  ^bb0(%residual: f16, %change: f16, %unused: f16):
    %residual_f32 = arith.extf %residual : f16 to f32
    %change_f32 = arith.extf %change : f16 to f32
    %sum = arith.addf %residual_f32, %change_f32 : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  %mlp_normed_rows = tensor.collapse_shape %between [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %mlp_normed_normed = call @norm(%mlp_normed_rows, %mlp_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %mlp_normed = tensor.expand_shape %mlp_normed_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %mlp = call @mlp(%mlp_normed, %gate_up_weight, %down_weight) : (tensor<1x1x512xf16>, tensor<1536x512xf16>, tensor<512x768xf16>) -> (tensor<1x1x512xf16>)
  %output_empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%between, %mlp : !hidden, !output) outs(%output_empty : !output) {
  ^bb0(%residual: f16, %change: f16, %unused: f16):
    %residual_f32 = arith.extf %residual : f16 to f32
    %change_f32 = arith.extf %change : f16 to f32
    %sum = arith.addf %residual_f32, %change_f32 : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  return %output, %attended#1, %attended#2 : !output, !updated_key_cache, !updated_value_cache
}
