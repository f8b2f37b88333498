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
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %square = arith.mulf %in, %in : f32
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
  ^bb0(%in_stored: f16, %sum: f32, %w_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %w = arith.extf %w_stored : f16 to f32
    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !norm__output
  return %output : !norm__output
}
// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// n column of all heads, k hidden column
!qkv__hidden = tensor<1x1x512xf16>
!qkv__weight = tensor<768x512xf16>
!qkv__query = tensor<1x8x1x64xf16>
!qkv__key = tensor<1x2x1x64xf16>
!qkv__value = tensor<1x2x1x64xf16>
!qkv__tokens = tensor<512xf16>
#qkv__tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [4, 0], partial_reduction = [0, 256], thread = [4, 8],
    lane_basis = [[1, 32], [0, 1]],
    subgroup_basis = [[1, 1], [0, 1]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
#qkv__hidden = affine_map<(n, k) -> (k)>
#qkv__weight = affine_map<(n, k) -> (n, k)>
#qkv__acc = affine_map<(n, k) -> (n)>
#qkv__heads = affine_map<(n) -> (n)>

func.func private @qkv(%hidden: !qkv__hidden, %weight: !qkv__weight) -> (!qkv__query, !qkv__key, !qkv__value) {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1, 2]] : !qkv__hidden into !qkv__tokens
  // query: 8 heads from head 0 on
  %weight_of_query = tensor.extract_slice %weight[0, 0] [512, 512] [1, 1] : !qkv__weight to tensor<512x512xf16>
  %empty_acc_of_query = tensor.empty() : tensor<512xf32>
  %start_of_query = linalg.fill ins(%zero : f32) outs(%empty_acc_of_query : tensor<512xf32>) -> tensor<512xf32>
  %acc_of_query = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %weight_of_query : !qkv__tokens, tensor<512x512xf16>) outs(%start_of_query : tensor<512xf32>) attrs = {compilation_info = #qkv__tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<512xf32>
  %empty_query = tensor.empty() : tensor<512xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel"]
    } ins(%acc_of_query : tensor<512xf32>) outs(%empty_query : tensor<512xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<512xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1, 2, 3]] output_shape [1, 8, 1, 64] : tensor<512xf16> into !qkv__query
  // key: 2 heads from head 8 on
  %weight_of_key = tensor.extract_slice %weight[512, 0] [128, 512] [1, 1] : !qkv__weight to tensor<128x512xf16>
  %empty_acc_of_key = tensor.empty() : tensor<128xf32>
  %start_of_key = linalg.fill ins(%zero : f32) outs(%empty_acc_of_key : tensor<128xf32>) -> tensor<128xf32>
  %acc_of_key = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %weight_of_key : !qkv__tokens, tensor<128x512xf16>) outs(%start_of_key : tensor<128xf32>) attrs = {compilation_info = #qkv__tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %empty_key = tensor.empty() : tensor<128xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel"]
    } ins(%acc_of_key : tensor<128xf32>) outs(%empty_key : tensor<128xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<128xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1, 2, 3]] output_shape [1, 2, 1, 64] : tensor<128xf16> into !qkv__key
  // value: 2 heads from head 10 on
  %weight_of_value = tensor.extract_slice %weight[640, 0] [128, 512] [1, 1] : !qkv__weight to tensor<128x512xf16>
  %empty_acc_of_value = tensor.empty() : tensor<128xf32>
  %start_of_value = linalg.fill ins(%zero : f32) outs(%empty_acc_of_value : tensor<128xf32>) -> tensor<128xf32>
  %acc_of_value = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %weight_of_value : !qkv__tokens, tensor<128x512xf16>) outs(%start_of_value : tensor<128xf32>) attrs = {compilation_info = #qkv__tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %empty_value = tensor.empty() : tensor<128xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel"]
    } ins(%acc_of_value : tensor<128xf32>) outs(%empty_value : tensor<128xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<128xf16>
  %value = tensor.expand_shape %grouped_value [[0, 1, 2, 3]] output_shape [1, 2, 1, 64] : tensor<128xf16> into !qkv__value
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
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf16>
  %high_query = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf16>
  %empty_query = tensor.empty() : tensor<1x8x1x2x32xf16>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %positions, %turns
        : tensor<1x8x1x32xf16>, tensor<1x8x1x32xf16>, !rope__positions, !rope__turns)
      outs(%empty_query : tensor<1x8x1x2x32xf16>) {
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
    %this_stored = arith.select %is_low, %low, %high : f16
    %other_stored = arith.select %is_low, %high, %low : f16
    %this = arith.extf %this_stored : f16 to f32
    %other = arith.extf %other_stored : f16 to f32
    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32
    %turned_stored = arith.truncf %turned : f32 to f16
    linalg.yield %turned_stored : f16
  } -> tensor<1x8x1x2x32xf16>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<1x8x1x2x32xf16> into !rope__rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x1x32xf16>
  %high_key = tensor.extract_slice %key[0, 0, 0, 32] [1, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x1x32xf16>
  %empty_key = tensor.empty() : tensor<1x2x1x2x32xf16>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>, affine_map<(b, h, m, c, i) -> (i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %positions, %turns
        : tensor<1x2x1x32xf16>, tensor<1x2x1x32xf16>, !rope__positions, !rope__turns)
      outs(%empty_key : tensor<1x2x1x2x32xf16>) {
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
    %this_stored = arith.select %is_low, %low, %high : f16
    %other_stored = arith.select %is_low, %high, %low : f16
    %this = arith.extf %this_stored : f16 to f32
    %other = arith.extf %other_stored : f16 to f32
    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32
    %turned_stored = arith.truncf %turned : f32 to f16
    linalg.yield %turned_stored : f16
  } -> tensor<1x2x1x2x32xf16>
  %rotated_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<1x2x1x2x32xf16> into !rope__rotated_key
  return %rotated_query, %rotated_key : !rope__rotated_query, !rope__rotated_key
}
// Attention as one kernel of lanes.
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
!attention__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x64xf16>>
!attention__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!attention__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!attention__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!attention__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xi32>>
!attention__output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x64xf16>>
!attention__key_cache_rows = tensor<288x64xf16>
!attention__value_cache_rows = tensor<288x64xf16>
!attention__row_numbers = tensor<1x2x1xi32>
!attention__is_written = tensor<1x2x1xi1>
!attention__head_chunk = vector<16xf16>
!attention__query_columns = vector<1x1x16xf16>
!attention__queries = vector<1x1x1x1x16xf16>
!attention__queries_turned = vector<1x1x1x1x16xf16>
!attention__query_operand = vector<1x1x1x16xf16>
!attention__key_operand = vector<1x1x1x16xf16>
!attention__value_keys = vector<16xf16>
!attention__value_operand = vector<1x1x1x16xf16>
!attention__weight_parts = vector<1x1x1x1x16xf16>
!attention__weight_parts_turned = vector<1x1x1x1x16xf16>
!attention__weights_operand = vector<1x1x1x16xf16>
!attention__row_scores = vector<8xf32>
!attention__score_tile = vector<1x8xf32>
!attention__scores = vector<1x1x8xf32>
!attention__scores_flat = vector<8xf32>
!attention__score_bits = vector<1x1x8xi32>
!attention__is_seen = vector<1x1x8xi1>
!attention__weight_bits = vector<1x1x8xi16>
!attention__weights_by_key = vector<1x1x8xf16>
!attention__weights_own = vector<1x1x8xf16>
!attention__weights_flat = vector<8xf16>
!attention__pair = vector<2xf16>
!attention__pairs = vector<4x2xf16>
!attention__pair_bits = vector<4xi32>
!attention__all_bits = vector<8xi32>
!attention__all_weights = vector<16xf16>
!attention__sums = vector<1x1x1x8xf32>
!attention__sum_factors = vector<1x1x1x1xf32>
!attention__acc = vector<4x1x1x1x8xf32>
!attention__acc_by_column = vector<4x1x8xf32>
!attention__acc_by_row = vector<1x8x4xf32>
!attention__acc_row = vector<8x4xf32>
!attention__rows = vector<1x1xf32>
!attention__row_bits = vector<1x1xi32>
!attention__output_f32 = vector<32xf32>
!attention__rows_f32 = vector<1x32xf32>
// i row and j column of a product, k depth
#attention__left = affine_map<(i, j, k) -> (i, k)>
#attention__right = affine_map<(i, j, k) -> (j, k)>
#attention__product = affine_map<(i, j, k) -> (i, j)>
#attention__parallel = #linalg.iterator_type<parallel>
#attention__reduction = #linalg.iterator_type<reduction>
#attention__lanes = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<TileAndFuse>
    workgroup_size = [128, 1, 1] subgroup_size = 32,
    {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
     iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
!attention__output_rows = vector<1x2xf16>
!attention__row_number = vector<1xf32>
!attention__access = vector<4xf16>
!attention__access_bits = vector<2xi32>
!attention__column_bits = vector<8xi32>
!attention__waves = vector<4xf32>
!attention__piece = vector<2xf32>
!attention__part_acc_rows = vector<1x2xf32>
!attention__query_lds = memref<16x72xf16, #gpu.address_space<workgroup>>
!attention__acc_lds = memref<4x4x68xf32, #gpu.address_space<workgroup>>
!attention__max_lds = memref<4x4xf32, #gpu.address_space<workgroup>>
!attention__sum_lds = !attention__max_lds
// The group that has the row of index i of a tile's sums, and the row's number there.
#attention__group_of_row = affine_map<(i) -> (i mod 2)>
#attention__row_of_group = affine_map<(i) -> (i floordiv 2)>
// What a lane has of the step that begins at key t: keys, of row r of group s, and neighbours of its first
// key f to multiply values of.
#attention__key_of_step0 = affine_map<(t, s, r) -> (t + s * 8 + r + 0)>
#attention__value_neighbour0 = affine_map<(f) -> (f + 0)>
#attention__value_neighbour1 = affine_map<(f) -> (f + 1)>
#attention__value_neighbour2 = affine_map<(f) -> (f + 2)>
#attention__value_neighbour3 = affine_map<(f) -> (f + 3)>
#attention__value_neighbour4 = affine_map<(f) -> (f + 4)>
#attention__value_neighbour5 = affine_map<(f) -> (f + 5)>
#attention__value_neighbour6 = affine_map<(f) -> (f + 6)>
#attention__value_neighbour7 = affine_map<(f) -> (f + 7)>
#attention__value_neighbour8 = affine_map<(f) -> (f + 8)>
#attention__value_neighbour9 = affine_map<(f) -> (f + 9)>
#attention__value_neighbour10 = affine_map<(f) -> (f + 10)>
#attention__value_neighbour11 = affine_map<(f) -> (f + 11)>
#attention__value_neighbour12 = affine_map<(f) -> (f + 12)>
#attention__value_neighbour13 = affine_map<(f) -> (f + 13)>
#attention__value_neighbour14 = affine_map<(f) -> (f + 14)>
#attention__value_neighbour15 = affine_map<(f) -> (f + 15)>
#attention__value_column = affine_map<(s, r) -> ((s * 8 + r) * 4)>
flow.executable private @paged_update_attention_kernel {
  flow.executable.export public @paged_update_attention_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @paged_update_attention_kernel(
      %query_rows_in: !attention__query_rows_in,
      %key_cache_rows_in: !attention__key_cache_rows_in,
      %value_cache_rows_in: !attention__value_cache_rows_in,
      %block_table_rows_in: !attention__block_table_rows_in,
      %context_lens_in: !attention__context_lens_in,
      %output_rows_out: !attention__output_rows_out
    ) {
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [8, 64], strides = [1, 1]
      : !attention__query_rows_in -> tensor<8x64xf16>
    %key_cache_rows = iree_tensor_ext.dispatch.tensor.load %key_cache_rows_in,
      offsets = [0, 0], sizes = [288, 64], strides = [1, 1]
      : !attention__key_cache_rows_in -> tensor<288x64xf16>
    %value_cache_rows = iree_tensor_ext.dispatch.tensor.load %value_cache_rows_in,
      offsets = [0, 0], sizes = [288, 64], strides = [1, 1]
      : !attention__value_cache_rows_in -> tensor<288x64xf16>
    %block_table_rows = iree_tensor_ext.dispatch.tensor.load %block_table_rows_in,
      offsets = [0], sizes = [4], strides = [1]
      : !attention__block_table_rows_in -> tensor<4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [1], strides = [1]
      : !attention__context_lens_in -> tensor<1xi32>
    %output_rows_empty = tensor.empty() : tensor<8x64xf16>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %rows_of_head = arith.constant 4 : index
    %parts = arith.constant 1 : index
    %keys_of_head = arith.constant 64 : index
    %q_len = arith.constant 1 : index
    %pages = arith.constant 4 : index
    %cache_blocks = arith.constant 9 : index
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 16 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<8x64xf16>) {
    %last_block_index = affine.apply affine_map<()[n] -> (n - 1)>()[%cache_blocks]
    %last_block = arith.index_cast %last_block_index : index to i32
    %tile = affine.apply affine_map<(i) -> (i)>(%i)
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = arith.muli %head, %rows_of_head : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %table_base = arith.muli %b, %pages : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<1xi32>
    %context_len_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len = arith.index_cast %context_len_kept : i32 to index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %result_row = arith.addi %head_base, %row_in_head : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 16 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (16, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = arith.constant 0 : index
    %query_end = affine.apply affine_map<(n) -> (n)>(%q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %begin = affine.max affine_map<(a) -> (a)>(%none)
    %end = affine.min affine_map<(a, b) -> (a, b)>(%keys_end, %seen_end)
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f16
    %acc_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !attention__acc_lds
    %max_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !attention__max_lds
    %sum_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !attention__sum_lds
    %tile_empty0 = tensor.empty(%rows_here)
      : tensor<?x64xf16>
    // Every element is written again: this only says how the work is spread.
    %tile_start = linalg.fill {compilation_info = #attention__lanes} ins(%no_element : f16)
      outs(%tile_empty0 : tensor<?x64xf16>) -> tensor<?x64xf16>
    %output_rows_stored =
      scf.forall (%lane) in (128)
        shared_outs(%tile0 = %tile_start
        ) -> (tensor<?x64xf16>) {
      %wave, %group, %index = affine.delinearize_index %lane into (4, 2, 16)
        : index, index, index
      %first_of_wave = affine.apply affine_map<(p, w)
        -> (p * 192 + w * 48)>(%none, %wave)
      %wave_begin = affine.max affine_map<(b, w) -> (b, w)>(%begin, %first_of_wave)
      %wave_end = affine.min affine_map<(e, w) -> (e, w + 48)>(%end, %first_of_wave)
    %full_to = affine.min affine_map<(e, q, p)
      -> ((p + q + 1) floordiv 16 * 16, e floordiv 16 *
      16)>(%wave_end, %first_query, %first_position)
    %full_end = arith.maxsi %full_to, %wave_begin : index
      %first_row = affine.apply affine_map<(w, i)
        -> (w * 0 + i * 1)>(%wave, %index)
      %row_last = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_here)
      %head_column = affine.apply affine_map<(g) -> (g * 0)>(%group)
      %row0 = affine.min affine_map<(r, n) -> (r + 0, n)>(%first_row, %row_last)
      %row_of_head0 = arith.addi %row_0, %row0 : index
      %row_real0 = arith.minsi %row_of_head0, %last_row : index
      %query_row0 = affine.apply affine_map<(b, r)
        -> (b + r * 1)>(%query_base, %row_real0)
      %column0_0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
      %query_chunk0_0 = vector.transfer_read
        %query_rows[%query_row0, %column0_0],
        %no_element {in_bounds = [true]} : tensor<8x64xf16>, !attention__head_chunk
      %column0_1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
      %query_chunk0_1 = vector.transfer_read
        %query_rows[%query_row0, %column0_1],
        %no_element {in_bounds = [true]} : tensor<8x64xf16>, !attention__head_chunk
      %column0_2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
      %query_chunk0_2 = vector.transfer_read
        %query_rows[%query_row0, %column0_2],
        %no_element {in_bounds = [true]} : tensor<8x64xf16>, !attention__head_chunk
      %column0_3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
      %query_chunk0_3 = vector.transfer_read
        %query_rows[%query_row0, %column0_3],
        %no_element {in_bounds = [true]} : tensor<8x64xf16>, !attention__head_chunk
      %no_queries = arith.constant dense<0.0> : !attention__queries
        %query_columns0_0 = vector.shape_cast %query_chunk0_0
          : !attention__head_chunk to !attention__query_columns
        %queries0 = vector.insert
          %query_columns0_0, %no_queries[0, 0]
          : !attention__query_columns into !attention__queries
        %queries_turned0 = vector.transpose
          %queries0, [0, 2, 1, 3, 4] : !attention__queries to !attention__queries_turned
        %query0 = vector.shape_cast %queries_turned0 : !attention__queries_turned to !attention__query_operand
        %query_columns0_1 = vector.shape_cast %query_chunk0_1
          : !attention__head_chunk to !attention__query_columns
        %queries1 = vector.insert
          %query_columns0_1, %no_queries[0, 0]
          : !attention__query_columns into !attention__queries
        %queries_turned1 = vector.transpose
          %queries1, [0, 2, 1, 3, 4] : !attention__queries to !attention__queries_turned
        %query1 = vector.shape_cast %queries_turned1 : !attention__queries_turned to !attention__query_operand
        %query_columns0_2 = vector.shape_cast %query_chunk0_2
          : !attention__head_chunk to !attention__query_columns
        %queries2 = vector.insert
          %query_columns0_2, %no_queries[0, 0]
          : !attention__query_columns into !attention__queries
        %queries_turned2 = vector.transpose
          %queries2, [0, 2, 1, 3, 4] : !attention__queries to !attention__queries_turned
        %query2 = vector.shape_cast %queries_turned2 : !attention__queries_turned to !attention__query_operand
        %query_columns0_3 = vector.shape_cast %query_chunk0_3
          : !attention__head_chunk to !attention__query_columns
        %queries3 = vector.insert
          %query_columns0_3, %no_queries[0, 0]
          : !attention__query_columns into !attention__queries
        %queries_turned3 = vector.transpose
          %queries3, [0, 2, 1, 3, 4] : !attention__queries to !attention__queries_turned
        %query3 = vector.shape_cast %queries_turned3 : !attention__queries_turned to !attention__query_operand
      %key_of_group = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %query_of_head0 = affine.apply affine_map<(r)
        -> (r mod 1)>(%row_of_head0)
      %position0 = arith.addi %first_position, %query_of_head0 : index
      %last_any0 = affine.min affine_map<(p, n)
        -> (p + 0, n - 1)>(%position0, %context_len)
      %last_seen0 = arith.subi %last_any0, %key_of_group : index
      %unit = arith.constant 0.18033688011112042 : f32
      %units = vector.broadcast %unit : f32 to !attention__scores
      %lowest = arith.constant -3.40282347E+38 : f32
      %hidden = arith.constant dense<0xFF800000> : !attention__scores
      %score_sums0_0 = arith.constant dense<0.0> : !attention__sums
      %max0_0 = arith.constant -3.40282347E+38 : f32
      %sum0_0 = arith.constant 0.0 : f32
      %acc_0 = arith.constant dense<0.0> : !attention__acc
      %margin = arith.constant 8.0 : f32
      %no = arith.constant false
      %distance1 = arith.constant 16 : i32
      %wave_size = arith.constant 32 : i32
      %max0_1, %sum0_1, %acc_1 =
        scf.for %t0 = %wave_begin to %full_end step %keys_of_step
          iter_args(
            %max0 = %max0_0,
            %sum0 = %sum0_0,
            %acc = %acc_0)
          -> (f32, f32, !attention__acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #attention__group_of_row(%index)
        %row_of_group = affine.apply #attention__row_of_group(%index)
      %key_k0 = affine.apply #attention__key_of_step0(%t0, %group_of_row, %row_of_group)
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<4xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #attention__value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_v0 = affine.apply #attention__value_neighbour0(%first_value)
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<4xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_v1 = affine.apply #attention__value_neighbour1(%first_value)
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_v2 = affine.apply #attention__value_neighbour2(%first_value)
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_v3 = affine.apply #attention__value_neighbour3(%first_value)
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_v4 = affine.apply #attention__value_neighbour4(%first_value)
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_v5 = affine.apply #attention__value_neighbour5(%first_value)
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_v6 = affine.apply #attention__value_neighbour6(%first_value)
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_v7 = affine.apply #attention__value_neighbour7(%first_value)
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_v8 = affine.apply #attention__value_neighbour8(%first_value)
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_v9 = affine.apply #attention__value_neighbour9(%first_value)
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_v10 = affine.apply #attention__value_neighbour10(%first_value)
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_v11 = affine.apply #attention__value_neighbour11(%first_value)
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_v12 = affine.apply #attention__value_neighbour12(%first_value)
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_v13 = affine.apply #attention__value_neighbour13(%first_value)
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_v14 = affine.apply #attention__value_neighbour14(%first_value)
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_v15 = affine.apply #attention__value_neighbour15(%first_value)
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_0 = vector.bitcast %read0_0 : !attention__access to !attention__access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_1 = vector.bitcast %read0_1 : !attention__access to !attention__access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_2 = vector.bitcast %read0_2 : !attention__access to !attention__access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_3 = vector.bitcast %read0_3 : !attention__access to !attention__access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_4 = vector.bitcast %read0_4 : !attention__access to !attention__access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_5 = vector.bitcast %read0_5 : !attention__access to !attention__access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_6 = vector.bitcast %read0_6 : !attention__access to !attention__access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_7 = vector.bitcast %read0_7 : !attention__access to !attention__access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_8 = vector.bitcast %read0_8 : !attention__access to !attention__access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_9 = vector.bitcast %read0_9 : !attention__access to !attention__access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_10 = vector.bitcast %read0_10 : !attention__access to !attention__access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_11 = vector.bitcast %read0_11 : !attention__access to !attention__access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_12 = vector.bitcast %read0_12 : !attention__access to !attention__access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_13 = vector.bitcast %read0_13 : !attention__access to !attention__access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_14 = vector.bitcast %read0_14 : !attention__access to !attention__access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_15 = vector.bitcast %read0_15 : !attention__access to !attention__access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %no_scores = arith.constant dense<0.0> : !attention__scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !attention__sums to !attention__score_tile
        %scores_ruled = vector.insert %score_tile0, %no_scores[0]
          : !attention__score_tile into !attention__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !attention__row_scores from !attention__scores
        %top0 = vector.extract %top0_0[0] : f32 from !attention__row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !attention__row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !attention__row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !attention__row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !attention__row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !attention__row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !attention__row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !attention__row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %limit_of_lane0 = arith.addf %max0, %margin : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit_of_lane0 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %max_next0, %sum_brought0, %acc_brought =
          scf.if %any_grows -> (f32, f32, !attention__acc) {
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %factors = vector.from_elements %factor0 : !attention__rows
          %sum_factors = vector.shape_cast %factors : !attention__rows to !attention__sum_factors
          %all_factors = vector.broadcast %sum_factors : !attention__sum_factors to !attention__acc
          %acc_less = arith.mulf %acc, %all_factors : !attention__acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !attention__acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !attention__acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !attention__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !attention__rows to !attention__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !attention__scores
        %logits_flat = vector.shape_cast %logits : !attention__scores to !attention__scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!attention__scores_flat) -> !attention__scores_flat
        %exps = vector.shape_cast %exps_flat : !attention__scores_flat to !attention__scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !attention__pair
        %no_pairs = arith.constant dense<0.0> : !attention__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !attention__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !attention__scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !attention__pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !attention__pair into !attention__pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !attention__scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !attention__scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !attention__pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !attention__pair into !attention__pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !attention__scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !attention__scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !attention__pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !attention__pair into !attention__pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !attention__scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !attention__scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !attention__pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !attention__pair into !attention__pairs
        %weights_own = vector.shape_cast %pairs : !attention__pairs to !attention__weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !attention__weights_own to !attention__weights_flat
        %own_bits = vector.bitcast %weights_flat : !attention__weights_flat to !attention__pair_bits
        %no_pair_bits = arith.constant dense<0> : !attention__pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !attention__pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !attention__pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !attention__pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !attention__pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !attention__pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !attention__pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !attention__pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !attention__pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !attention__pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !attention__pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !attention__pair_bits, !attention__pair_bits
        %all_weights = vector.bitcast %all_bits : !attention__all_bits to !attention__all_weights
        %weights = vector.shape_cast %all_weights : !attention__all_weights to !attention__weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits0_0 =
          vector.extract %values0_0[0] : i32 from !attention__access_bits
        %bits0_1 =
          vector.extract %values0_1[0] : i32 from !attention__access_bits
        %bits0_2 =
          vector.extract %values0_2[0] : i32 from !attention__access_bits
        %bits0_3 =
          vector.extract %values0_3[0] : i32 from !attention__access_bits
        %bits0_4 =
          vector.extract %values0_4[0] : i32 from !attention__access_bits
        %bits0_5 =
          vector.extract %values0_5[0] : i32 from !attention__access_bits
        %bits0_6 =
          vector.extract %values0_6[0] : i32 from !attention__access_bits
        %bits0_7 =
          vector.extract %values0_7[0] : i32 from !attention__access_bits
        %bits0_8 =
          vector.extract %values0_8[0] : i32 from !attention__access_bits
        %bits0_9 =
          vector.extract %values0_9[0] : i32 from !attention__access_bits
        %bits0_10 =
          vector.extract %values0_10[0] : i32 from !attention__access_bits
        %bits0_11 =
          vector.extract %values0_11[0] : i32 from !attention__access_bits
        %bits0_12 =
          vector.extract %values0_12[0] : i32 from !attention__access_bits
        %bits0_13 =
          vector.extract %values0_13[0] : i32 from !attention__access_bits
        %bits0_14 =
          vector.extract %values0_14[0] : i32 from !attention__access_bits
        %bits0_15 =
          vector.extract %values0_15[0] : i32 from !attention__access_bits
        %halves0 = arith.constant 0x05040100 : i32
        %joined0_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves0)
          : (i32, i32, i32) -> i32
        %column0 = vector.from_elements
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !attention__column_bits
        %value_keys0 = vector.bitcast %column0 : !attention__column_bits to !attention__value_keys
        %halves1 = arith.constant 0x07060302 : i32
        %joined1_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves1)
          : (i32, i32, i32) -> i32
        %column1 = vector.from_elements
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !attention__column_bits
        %value_keys1 = vector.bitcast %column1 : !attention__column_bits to !attention__value_keys
        %value0 = vector.shape_cast %value_keys0 : !attention__value_keys to !attention__value_operand
        %sums0 = vector.extract %acc_brought[0] : !attention__sums from !attention__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !attention__sums into !attention__acc
        %value1 = vector.shape_cast %value_keys1 : !attention__value_keys to !attention__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !attention__sums from !attention__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !attention__sums into !attention__acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits2_0 =
          vector.extract %values0_0[1] : i32 from !attention__access_bits
        %bits2_1 =
          vector.extract %values0_1[1] : i32 from !attention__access_bits
        %bits2_2 =
          vector.extract %values0_2[1] : i32 from !attention__access_bits
        %bits2_3 =
          vector.extract %values0_3[1] : i32 from !attention__access_bits
        %bits2_4 =
          vector.extract %values0_4[1] : i32 from !attention__access_bits
        %bits2_5 =
          vector.extract %values0_5[1] : i32 from !attention__access_bits
        %bits2_6 =
          vector.extract %values0_6[1] : i32 from !attention__access_bits
        %bits2_7 =
          vector.extract %values0_7[1] : i32 from !attention__access_bits
        %bits2_8 =
          vector.extract %values0_8[1] : i32 from !attention__access_bits
        %bits2_9 =
          vector.extract %values0_9[1] : i32 from !attention__access_bits
        %bits2_10 =
          vector.extract %values0_10[1] : i32 from !attention__access_bits
        %bits2_11 =
          vector.extract %values0_11[1] : i32 from !attention__access_bits
        %bits2_12 =
          vector.extract %values0_12[1] : i32 from !attention__access_bits
        %bits2_13 =
          vector.extract %values0_13[1] : i32 from !attention__access_bits
        %bits2_14 =
          vector.extract %values0_14[1] : i32 from !attention__access_bits
        %bits2_15 =
          vector.extract %values0_15[1] : i32 from !attention__access_bits
        %halves2 = arith.constant 0x05040100 : i32
        %joined2_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves2)
          : (i32, i32, i32) -> i32
        %column2 = vector.from_elements
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !attention__column_bits
        %value_keys2 = vector.bitcast %column2 : !attention__column_bits to !attention__value_keys
        %halves3 = arith.constant 0x07060302 : i32
        %joined3_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves3)
          : (i32, i32, i32) -> i32
        %column3 = vector.from_elements
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !attention__column_bits
        %value_keys3 = vector.bitcast %column3 : !attention__column_bits to !attention__value_keys
        %value2 = vector.shape_cast %value_keys2 : !attention__value_keys to !attention__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !attention__sums from !attention__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !attention__sums into !attention__acc
        %value3 = vector.shape_cast %value_keys3 : !attention__value_keys to !attention__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !attention__sums from !attention__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !attention__sums into !attention__acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !attention__acc
      }
      %max0_2, %sum0_2, %acc_2 =
        scf.for %t0 = %full_end to %wave_end step %keys_of_step
          iter_args(
            %max0 = %max0_1,
            %sum0 = %sum0_1,
            %acc = %acc_1)
          -> (f32, f32, !attention__acc) {
        %key_column0 = affine.apply affine_map<(c) -> (c + 0)>(%head_column)
        %key_column1 = affine.apply affine_map<(c) -> (c + 16)>(%head_column)
        %key_column2 = affine.apply affine_map<(c) -> (c + 32)>(%head_column)
        %key_column3 = affine.apply affine_map<(c) -> (c + 48)>(%head_column)
        %group_of_row = affine.apply #attention__group_of_row(%index)
        %row_of_group = affine.apply #attention__row_of_group(%index)
      %key_any_k0 = affine.apply #attention__key_of_step0(%t0, %group_of_row, %row_of_group)
      %key_k0 = arith.minsi %key_any_k0, %last_key : index
      %page_k0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_k0)
      %block_k0_any = tensor.extract %block_table_rows[%page_k0] : tensor<4xi32>
    %block_k0_kept = arith.minui %block_k0_any, %last_block : i32
    %block_k0 = arith.index_cast %block_k0_kept : i32 to index
      %slot_k0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_k0)
      %row_k0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_k0,
          %kv_head, %slot_k0)
        %key_chunk0_0 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %key_chunk0_1 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column1], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %key_chunk0_2 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column2], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %key_chunk0_3 = vector.transfer_read
          %key_cache_rows[%row_k0, %key_column3], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__head_chunk
        %first_value = affine.apply affine_map<(t, g) -> (t + g * 0)>(%t0, %group)
        %value_column = affine.apply #attention__value_column(%group_of_row, %row_of_group)
        %no_bits = arith.constant 0 : i32
      %key_any_v0 = affine.apply #attention__value_neighbour0(%first_value)
      %key_v0 = arith.minsi %key_any_v0, %last_key : index
        %is_v0 = arith.cmpi slt, %key_any_v0, %context_len : index
      %page_v0 = affine.apply
        affine_map<(b, k) -> (b + k floordiv 16)>(%table_base, %key_v0)
      %block_v0_any = tensor.extract %block_table_rows[%page_v0] : tensor<4xi32>
    %block_v0_kept = arith.minui %block_v0_any, %last_block : i32
    %block_v0 = arith.index_cast %block_v0_kept : i32 to index
      %slot_v0 = affine.apply affine_map<(k) -> (k mod 16)>(%key_v0)
      %row_v0 = affine.apply
        affine_map<(p, h, s)
        -> ((p * 2 + h) * 16 + s)>(%block_v0,
          %kv_head, %slot_v0)
      %key_any_v1 = affine.apply #attention__value_neighbour1(%first_value)
      %key_v1 = arith.minsi %key_any_v1, %last_key : index
        %is_v1 = arith.cmpi slt, %key_any_v1, %context_len : index
      %row_v1 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v1, %key_v0)
      %key_any_v2 = affine.apply #attention__value_neighbour2(%first_value)
      %key_v2 = arith.minsi %key_any_v2, %last_key : index
        %is_v2 = arith.cmpi slt, %key_any_v2, %context_len : index
      %row_v2 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v2, %key_v0)
      %key_any_v3 = affine.apply #attention__value_neighbour3(%first_value)
      %key_v3 = arith.minsi %key_any_v3, %last_key : index
        %is_v3 = arith.cmpi slt, %key_any_v3, %context_len : index
      %row_v3 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v3, %key_v0)
      %key_any_v4 = affine.apply #attention__value_neighbour4(%first_value)
      %key_v4 = arith.minsi %key_any_v4, %last_key : index
        %is_v4 = arith.cmpi slt, %key_any_v4, %context_len : index
      %row_v4 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v4, %key_v0)
      %key_any_v5 = affine.apply #attention__value_neighbour5(%first_value)
      %key_v5 = arith.minsi %key_any_v5, %last_key : index
        %is_v5 = arith.cmpi slt, %key_any_v5, %context_len : index
      %row_v5 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v5, %key_v0)
      %key_any_v6 = affine.apply #attention__value_neighbour6(%first_value)
      %key_v6 = arith.minsi %key_any_v6, %last_key : index
        %is_v6 = arith.cmpi slt, %key_any_v6, %context_len : index
      %row_v6 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v6, %key_v0)
      %key_any_v7 = affine.apply #attention__value_neighbour7(%first_value)
      %key_v7 = arith.minsi %key_any_v7, %last_key : index
        %is_v7 = arith.cmpi slt, %key_any_v7, %context_len : index
      %row_v7 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v7, %key_v0)
      %key_any_v8 = affine.apply #attention__value_neighbour8(%first_value)
      %key_v8 = arith.minsi %key_any_v8, %last_key : index
        %is_v8 = arith.cmpi slt, %key_any_v8, %context_len : index
      %row_v8 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v8, %key_v0)
      %key_any_v9 = affine.apply #attention__value_neighbour9(%first_value)
      %key_v9 = arith.minsi %key_any_v9, %last_key : index
        %is_v9 = arith.cmpi slt, %key_any_v9, %context_len : index
      %row_v9 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v9, %key_v0)
      %key_any_v10 = affine.apply #attention__value_neighbour10(%first_value)
      %key_v10 = arith.minsi %key_any_v10, %last_key : index
        %is_v10 = arith.cmpi slt, %key_any_v10, %context_len : index
      %row_v10 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v10, %key_v0)
      %key_any_v11 = affine.apply #attention__value_neighbour11(%first_value)
      %key_v11 = arith.minsi %key_any_v11, %last_key : index
        %is_v11 = arith.cmpi slt, %key_any_v11, %context_len : index
      %row_v11 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v11, %key_v0)
      %key_any_v12 = affine.apply #attention__value_neighbour12(%first_value)
      %key_v12 = arith.minsi %key_any_v12, %last_key : index
        %is_v12 = arith.cmpi slt, %key_any_v12, %context_len : index
      %row_v12 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v12, %key_v0)
      %key_any_v13 = affine.apply #attention__value_neighbour13(%first_value)
      %key_v13 = arith.minsi %key_any_v13, %last_key : index
        %is_v13 = arith.cmpi slt, %key_any_v13, %context_len : index
      %row_v13 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v13, %key_v0)
      %key_any_v14 = affine.apply #attention__value_neighbour14(%first_value)
      %key_v14 = arith.minsi %key_any_v14, %last_key : index
        %is_v14 = arith.cmpi slt, %key_any_v14, %context_len : index
      %row_v14 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v14, %key_v0)
      %key_any_v15 = affine.apply #attention__value_neighbour15(%first_value)
      %key_v15 = arith.minsi %key_any_v15, %last_key : index
        %is_v15 = arith.cmpi slt, %key_any_v15, %context_len : index
      %row_v15 = affine.apply
        affine_map<(r, k, f) -> (r + (k - f) * 1)>(
          %row_v0, %key_v15, %key_v0)
        %access_column0 = affine.apply
          affine_map<(c) -> (c + 0)>(%value_column)
        %read0_0 = vector.transfer_read
          %value_cache_rows[%row_v0, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_0 = vector.bitcast %read0_0 : !attention__access to !attention__access_bits
        %read0_1 = vector.transfer_read
          %value_cache_rows[%row_v1, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_1 = vector.bitcast %read0_1 : !attention__access to !attention__access_bits
        %read0_2 = vector.transfer_read
          %value_cache_rows[%row_v2, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_2 = vector.bitcast %read0_2 : !attention__access to !attention__access_bits
        %read0_3 = vector.transfer_read
          %value_cache_rows[%row_v3, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_3 = vector.bitcast %read0_3 : !attention__access to !attention__access_bits
        %read0_4 = vector.transfer_read
          %value_cache_rows[%row_v4, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_4 = vector.bitcast %read0_4 : !attention__access to !attention__access_bits
        %read0_5 = vector.transfer_read
          %value_cache_rows[%row_v5, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_5 = vector.bitcast %read0_5 : !attention__access to !attention__access_bits
        %read0_6 = vector.transfer_read
          %value_cache_rows[%row_v6, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_6 = vector.bitcast %read0_6 : !attention__access to !attention__access_bits
        %read0_7 = vector.transfer_read
          %value_cache_rows[%row_v7, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_7 = vector.bitcast %read0_7 : !attention__access to !attention__access_bits
        %read0_8 = vector.transfer_read
          %value_cache_rows[%row_v8, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_8 = vector.bitcast %read0_8 : !attention__access to !attention__access_bits
        %read0_9 = vector.transfer_read
          %value_cache_rows[%row_v9, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_9 = vector.bitcast %read0_9 : !attention__access to !attention__access_bits
        %read0_10 = vector.transfer_read
          %value_cache_rows[%row_v10, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_10 = vector.bitcast %read0_10 : !attention__access to !attention__access_bits
        %read0_11 = vector.transfer_read
          %value_cache_rows[%row_v11, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_11 = vector.bitcast %read0_11 : !attention__access to !attention__access_bits
        %read0_12 = vector.transfer_read
          %value_cache_rows[%row_v12, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_12 = vector.bitcast %read0_12 : !attention__access to !attention__access_bits
        %read0_13 = vector.transfer_read
          %value_cache_rows[%row_v13, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_13 = vector.bitcast %read0_13 : !attention__access to !attention__access_bits
        %read0_14 = vector.transfer_read
          %value_cache_rows[%row_v14, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_14 = vector.bitcast %read0_14 : !attention__access to !attention__access_bits
        %read0_15 = vector.transfer_read
          %value_cache_rows[%row_v15, %access_column0], %no_element
          {in_bounds = [true]} : tensor<288x64xf16>, !attention__access
        %values0_15 = vector.bitcast %read0_15 : !attention__access to !attention__access_bits
        %keys0_0 = vector.shape_cast %key_chunk0_0
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_1 = iree_codegen.inner_tiled
          ins(%keys0_0, %query0) outs(%score_sums0_0)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %keys0_1 = vector.shape_cast %key_chunk0_1
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_2 = iree_codegen.inner_tiled
          ins(%keys0_1, %query1) outs(%score_sums0_1)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %keys0_2 = vector.shape_cast %key_chunk0_2
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_3 = iree_codegen.inner_tiled
          ins(%keys0_2, %query2) outs(%score_sums0_2)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %keys0_3 = vector.shape_cast %key_chunk0_3
          : !attention__head_chunk to !attention__key_operand
        %score_sums0_4 = iree_codegen.inner_tiled
          ins(%keys0_3, %query3) outs(%score_sums0_3)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__key_operand, !attention__query_operand into !attention__sums
        %no_scores = arith.constant dense<0.0> : !attention__scores
        %score_tile0 = vector.shape_cast %score_sums0_4
          : !attention__sums to !attention__score_tile
        %scores = vector.insert %score_tile0, %no_scores[0]
          : !attention__score_tile into !attention__scores
        %key_numbers = arith.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7]]]> : !attention__score_bits
        %last_of_step0 = arith.subi %last_seen0, %t0 : index
        %last_i32_0 = arith.index_cast %last_of_step0 : index to i32
        %last_rows = vector.from_elements %last_i32_0 : !attention__row_bits
        %lasts = vector.broadcast %last_rows : !attention__row_bits to !attention__score_bits
        %is_last_seen = arith.cmpi sle, %key_numbers, %lasts : !attention__score_bits
        %scores_ruled = arith.select %is_last_seen, %scores, %hidden
          : !attention__is_seen, !attention__scores
        %top0_0 = vector.extract %scores_ruled[0, 0] : !attention__row_scores from !attention__scores
        %top0 = vector.extract %top0_0[0] : f32 from !attention__row_scores
        %of_key0_1 = vector.extract %top0_0[1]
          : f32 from !attention__row_scores
        %largest0_1 = arith.maxnumf %top0, %of_key0_1 fastmath<nnan> : f32
        %of_key0_2 = vector.extract %top0_0[2]
          : f32 from !attention__row_scores
        %largest0_2 = arith.maxnumf %largest0_1, %of_key0_2 fastmath<nnan> : f32
        %of_key0_3 = vector.extract %top0_0[3]
          : f32 from !attention__row_scores
        %largest0_3 = arith.maxnumf %largest0_2, %of_key0_3 fastmath<nnan> : f32
        %of_key0_4 = vector.extract %top0_0[4]
          : f32 from !attention__row_scores
        %largest0_4 = arith.maxnumf %largest0_3, %of_key0_4 fastmath<nnan> : f32
        %of_key0_5 = vector.extract %top0_0[5]
          : f32 from !attention__row_scores
        %largest0_5 = arith.maxnumf %largest0_4, %of_key0_5 fastmath<nnan> : f32
        %of_key0_6 = vector.extract %top0_0[6]
          : f32 from !attention__row_scores
        %largest0_6 = arith.maxnumf %largest0_5, %of_key0_6 fastmath<nnan> : f32
        %of_key0_7 = vector.extract %top0_0[7]
          : f32 from !attention__row_scores
        %largest0 = arith.maxnumf %largest0_6, %of_key0_7 fastmath<nnan> : f32
        %best_logit_of_lane0 = arith.mulf %largest0, %unit : f32
        %limit_of_lane0 = arith.addf %max0, %margin : f32
        %grows_of_lane0 = arith.cmpf ogt, %best_logit_of_lane0, %limit_of_lane0 : f32
        // What is summed up is brought down only where it would grow out of proportion.
        %any_grows_of_lane = arith.ori %no, %grows_of_lane0 : i1
        %any_grows_lanes = llvm.call_intrinsic "llvm.amdgcn.ballot.i32"(%any_grows_of_lane) : (i1) -> i32
        %any_grows_none = arith.constant 0 : i32
        %any_grows = arith.cmpi ne, %any_grows_lanes, %any_grows_none : i32
        %max_next0, %sum_brought0, %acc_brought =
          scf.if %any_grows -> (f32, f32, !attention__acc) {
        %best_there0_1, %best_is_there0_1 =
          gpu.shuffle xor %largest0, %distance1, %wave_size : f32
        %best0 = arith.maxnumf %largest0, %best_there0_1 : f32
        %best_logit0 = arith.mulf %best0, %unit : f32
        %limit0 = arith.addf %max0, %margin : f32
        %grows0 = arith.cmpf ogt, %best_logit0, %limit0 : f32
          %higher0 = arith.select %grows0, %best_logit0, %max0 : f32
          %below0 = arith.subf %max0, %higher0 : f32
          %factor0 = llvm.call_intrinsic "llvm.exp2"(%below0) : (f32) -> f32
          %sum_less0 = arith.mulf %sum0, %factor0 : f32
          %factors = vector.from_elements %factor0 : !attention__rows
          %sum_factors = vector.shape_cast %factors : !attention__rows to !attention__sum_factors
          %all_factors = vector.broadcast %sum_factors : !attention__sum_factors to !attention__acc
          %acc_less = arith.mulf %acc, %all_factors : !attention__acc
          scf.yield %higher0, %sum_less0, %acc_less
            : f32, f32, !attention__acc
        } else {
          scf.yield %max0, %sum0, %acc
            : f32, f32, !attention__acc
        }
        %minus_max0_any = arith.negf %max_next0 : f32
        %minus_max0 = llvm.inline_asm has_side_effects "", "=v,0" %minus_max0_any : (f32) -> f32
        %minus_maxs = vector.from_elements %minus_max0 : !attention__rows
        %all_minus_maxs = vector.broadcast %minus_maxs : !attention__rows to !attention__scores
        %logits = math.fma %scores_ruled, %units, %all_minus_maxs : !attention__scores
        %logits_flat = vector.shape_cast %logits : !attention__scores to !attention__scores_flat
        %exps_flat = llvm.call_intrinsic "llvm.exp2"(%logits_flat) : (!attention__scores_flat) -> !attention__scores_flat
        %exps = vector.shape_cast %exps_flat : !attention__scores_flat to !attention__scores
        %keeps = arith.constant false
        %ones = arith.constant dense<1.0> : !attention__pair
        %no_pairs = arith.constant dense<0.0> : !attention__pairs
        %even0 = vector.extract %exps[0, 0, 0] : f32 from !attention__scores
        %odd0 = vector.extract %exps[0, 0, 1] : f32 from !attention__scores
        %pair0 = rocdl.cvt.pkrtz %even0, %odd0 : !attention__pair
        %sum_to_pair0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair0, %ones, %sum_brought0, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs_1 = vector.insert %pair0, %no_pairs[0] : !attention__pair into !attention__pairs
        %even1 = vector.extract %exps[0, 0, 2] : f32 from !attention__scores
        %odd1 = vector.extract %exps[0, 0, 3] : f32 from !attention__scores
        %pair1 = rocdl.cvt.pkrtz %even1, %odd1 : !attention__pair
        %sum_to_pair1 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair1, %ones, %sum_to_pair0, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs_2 = vector.insert %pair1, %pairs_1[1] : !attention__pair into !attention__pairs
        %even2 = vector.extract %exps[0, 0, 4] : f32 from !attention__scores
        %odd2 = vector.extract %exps[0, 0, 5] : f32 from !attention__scores
        %pair2 = rocdl.cvt.pkrtz %even2, %odd2 : !attention__pair
        %sum_to_pair2 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair2, %ones, %sum_to_pair1, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs_3 = vector.insert %pair2, %pairs_2[2] : !attention__pair into !attention__pairs
        %even3 = vector.extract %exps[0, 0, 6] : f32 from !attention__scores
        %odd3 = vector.extract %exps[0, 0, 7] : f32 from !attention__scores
        %pair3 = rocdl.cvt.pkrtz %even3, %odd3 : !attention__pair
        %sum_next0 =
          llvm.call_intrinsic "llvm.amdgcn.fdot2"(%pair3, %ones, %sum_to_pair2, %keeps)
          : (!attention__pair, !attention__pair, f32, i1) -> f32
        %pairs = vector.insert %pair3, %pairs_3[3] : !attention__pair into !attention__pairs
        %weights_own = vector.shape_cast %pairs : !attention__pairs to !attention__weights_own
        // Each group needs the weights of the other too.
        %is_group_0 = arith.cmpi eq, %group, %none : index
        %weights_flat = vector.shape_cast %weights_own : !attention__weights_own to !attention__weights_flat
        %own_bits = vector.bitcast %weights_flat : !attention__weights_flat to !attention__pair_bits
        %no_pair_bits = arith.constant dense<0> : !attention__pair_bits
        %own_bits0 = vector.extract %own_bits[0] : i32 from !attention__pair_bits
        %bits_there0, %bits_are_there0 =
          gpu.shuffle xor %own_bits0, %distance1, %wave_size : i32
        %other_bits_1 = vector.insert %bits_there0, %no_pair_bits[0] : i32 into !attention__pair_bits
        %own_bits1 = vector.extract %own_bits[1] : i32 from !attention__pair_bits
        %bits_there1, %bits_are_there1 =
          gpu.shuffle xor %own_bits1, %distance1, %wave_size : i32
        %other_bits_2 = vector.insert %bits_there1, %other_bits_1[1] : i32 into !attention__pair_bits
        %own_bits2 = vector.extract %own_bits[2] : i32 from !attention__pair_bits
        %bits_there2, %bits_are_there2 =
          gpu.shuffle xor %own_bits2, %distance1, %wave_size : i32
        %other_bits_3 = vector.insert %bits_there2, %other_bits_2[2] : i32 into !attention__pair_bits
        %own_bits3 = vector.extract %own_bits[3] : i32 from !attention__pair_bits
        %bits_there3, %bits_are_there3 =
          gpu.shuffle xor %own_bits3, %distance1, %wave_size : i32
        %other_bits = vector.insert %bits_there3, %other_bits_3[3] : i32 into !attention__pair_bits
        %of_group_0 = arith.select %is_group_0, %own_bits, %other_bits : !attention__pair_bits
        %of_group_1 = arith.select %is_group_0, %other_bits, %own_bits : !attention__pair_bits
        %all_bits = vector.shuffle %of_group_0, %of_group_1 [0, 1, 2, 3, 4, 5, 6, 7] : !attention__pair_bits, !attention__pair_bits
        %all_weights = vector.bitcast %all_bits : !attention__all_bits to !attention__all_weights
        %weights = vector.shape_cast %all_weights : !attention__all_weights to !attention__weights_operand
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any0_0 =
          vector.extract %values0_0[0] : i32 from !attention__access_bits
        %bits0_0 =
          arith.select %is_v0, %bits_any0_0, %no_bits : i32
        %bits_any0_1 =
          vector.extract %values0_1[0] : i32 from !attention__access_bits
        %bits0_1 =
          arith.select %is_v1, %bits_any0_1, %no_bits : i32
        %bits_any0_2 =
          vector.extract %values0_2[0] : i32 from !attention__access_bits
        %bits0_2 =
          arith.select %is_v2, %bits_any0_2, %no_bits : i32
        %bits_any0_3 =
          vector.extract %values0_3[0] : i32 from !attention__access_bits
        %bits0_3 =
          arith.select %is_v3, %bits_any0_3, %no_bits : i32
        %bits_any0_4 =
          vector.extract %values0_4[0] : i32 from !attention__access_bits
        %bits0_4 =
          arith.select %is_v4, %bits_any0_4, %no_bits : i32
        %bits_any0_5 =
          vector.extract %values0_5[0] : i32 from !attention__access_bits
        %bits0_5 =
          arith.select %is_v5, %bits_any0_5, %no_bits : i32
        %bits_any0_6 =
          vector.extract %values0_6[0] : i32 from !attention__access_bits
        %bits0_6 =
          arith.select %is_v6, %bits_any0_6, %no_bits : i32
        %bits_any0_7 =
          vector.extract %values0_7[0] : i32 from !attention__access_bits
        %bits0_7 =
          arith.select %is_v7, %bits_any0_7, %no_bits : i32
        %bits_any0_8 =
          vector.extract %values0_8[0] : i32 from !attention__access_bits
        %bits0_8 =
          arith.select %is_v8, %bits_any0_8, %no_bits : i32
        %bits_any0_9 =
          vector.extract %values0_9[0] : i32 from !attention__access_bits
        %bits0_9 =
          arith.select %is_v9, %bits_any0_9, %no_bits : i32
        %bits_any0_10 =
          vector.extract %values0_10[0] : i32 from !attention__access_bits
        %bits0_10 =
          arith.select %is_v10, %bits_any0_10, %no_bits : i32
        %bits_any0_11 =
          vector.extract %values0_11[0] : i32 from !attention__access_bits
        %bits0_11 =
          arith.select %is_v11, %bits_any0_11, %no_bits : i32
        %bits_any0_12 =
          vector.extract %values0_12[0] : i32 from !attention__access_bits
        %bits0_12 =
          arith.select %is_v12, %bits_any0_12, %no_bits : i32
        %bits_any0_13 =
          vector.extract %values0_13[0] : i32 from !attention__access_bits
        %bits0_13 =
          arith.select %is_v13, %bits_any0_13, %no_bits : i32
        %bits_any0_14 =
          vector.extract %values0_14[0] : i32 from !attention__access_bits
        %bits0_14 =
          arith.select %is_v14, %bits_any0_14, %no_bits : i32
        %bits_any0_15 =
          vector.extract %values0_15[0] : i32 from !attention__access_bits
        %bits0_15 =
          arith.select %is_v15, %bits_any0_15, %no_bits : i32
        %halves0 = arith.constant 0x05040100 : i32
        %joined0_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves0)
          : (i32, i32, i32) -> i32
        %joined0_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves0)
          : (i32, i32, i32) -> i32
        %column0 = vector.from_elements
          %joined0_0, %joined0_2, %joined0_4, %joined0_6, %joined0_8, %joined0_10, %joined0_12, %joined0_14 : !attention__column_bits
        %value_keys0 = vector.bitcast %column0 : !attention__column_bits to !attention__value_keys
        %halves1 = arith.constant 0x07060302 : i32
        %joined1_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_1, %bits0_0, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_3, %bits0_2, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_5, %bits0_4, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_7, %bits0_6, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_9, %bits0_8, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_11, %bits0_10, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_13, %bits0_12, %halves1)
          : (i32, i32, i32) -> i32
        %joined1_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits0_15, %bits0_14, %halves1)
          : (i32, i32, i32) -> i32
        %column1 = vector.from_elements
          %joined1_0, %joined1_2, %joined1_4, %joined1_6, %joined1_8, %joined1_10, %joined1_12, %joined1_14 : !attention__column_bits
        %value_keys1 = vector.bitcast %column1 : !attention__column_bits to !attention__value_keys
        %value0 = vector.shape_cast %value_keys0 : !attention__value_keys to !attention__value_operand
        %sums0 = vector.extract %acc_brought[0] : !attention__sums from !attention__acc
        %sums_next0 = iree_codegen.inner_tiled
          ins(%value0, %weights) outs(%sums0)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next_1 = vector.insert %sums_next0, %acc_brought[0] : !attention__sums into !attention__acc
        %value1 = vector.shape_cast %value_keys1 : !attention__value_keys to !attention__value_operand
        %sums1 = vector.extract %acc_next_1[1] : !attention__sums from !attention__acc
        %sums_next1 = iree_codegen.inner_tiled
          ins(%value1, %weights) outs(%sums1)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next_2 = vector.insert %sums_next1, %acc_next_1[1] : !attention__sums into !attention__acc
        // Registers are short: what comes after does not come before.
        rocdl.sched.barrier none
        %bits_any2_0 =
          vector.extract %values0_0[1] : i32 from !attention__access_bits
        %bits2_0 =
          arith.select %is_v0, %bits_any2_0, %no_bits : i32
        %bits_any2_1 =
          vector.extract %values0_1[1] : i32 from !attention__access_bits
        %bits2_1 =
          arith.select %is_v1, %bits_any2_1, %no_bits : i32
        %bits_any2_2 =
          vector.extract %values0_2[1] : i32 from !attention__access_bits
        %bits2_2 =
          arith.select %is_v2, %bits_any2_2, %no_bits : i32
        %bits_any2_3 =
          vector.extract %values0_3[1] : i32 from !attention__access_bits
        %bits2_3 =
          arith.select %is_v3, %bits_any2_3, %no_bits : i32
        %bits_any2_4 =
          vector.extract %values0_4[1] : i32 from !attention__access_bits
        %bits2_4 =
          arith.select %is_v4, %bits_any2_4, %no_bits : i32
        %bits_any2_5 =
          vector.extract %values0_5[1] : i32 from !attention__access_bits
        %bits2_5 =
          arith.select %is_v5, %bits_any2_5, %no_bits : i32
        %bits_any2_6 =
          vector.extract %values0_6[1] : i32 from !attention__access_bits
        %bits2_6 =
          arith.select %is_v6, %bits_any2_6, %no_bits : i32
        %bits_any2_7 =
          vector.extract %values0_7[1] : i32 from !attention__access_bits
        %bits2_7 =
          arith.select %is_v7, %bits_any2_7, %no_bits : i32
        %bits_any2_8 =
          vector.extract %values0_8[1] : i32 from !attention__access_bits
        %bits2_8 =
          arith.select %is_v8, %bits_any2_8, %no_bits : i32
        %bits_any2_9 =
          vector.extract %values0_9[1] : i32 from !attention__access_bits
        %bits2_9 =
          arith.select %is_v9, %bits_any2_9, %no_bits : i32
        %bits_any2_10 =
          vector.extract %values0_10[1] : i32 from !attention__access_bits
        %bits2_10 =
          arith.select %is_v10, %bits_any2_10, %no_bits : i32
        %bits_any2_11 =
          vector.extract %values0_11[1] : i32 from !attention__access_bits
        %bits2_11 =
          arith.select %is_v11, %bits_any2_11, %no_bits : i32
        %bits_any2_12 =
          vector.extract %values0_12[1] : i32 from !attention__access_bits
        %bits2_12 =
          arith.select %is_v12, %bits_any2_12, %no_bits : i32
        %bits_any2_13 =
          vector.extract %values0_13[1] : i32 from !attention__access_bits
        %bits2_13 =
          arith.select %is_v13, %bits_any2_13, %no_bits : i32
        %bits_any2_14 =
          vector.extract %values0_14[1] : i32 from !attention__access_bits
        %bits2_14 =
          arith.select %is_v14, %bits_any2_14, %no_bits : i32
        %bits_any2_15 =
          vector.extract %values0_15[1] : i32 from !attention__access_bits
        %bits2_15 =
          arith.select %is_v15, %bits_any2_15, %no_bits : i32
        %halves2 = arith.constant 0x05040100 : i32
        %joined2_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves2)
          : (i32, i32, i32) -> i32
        %joined2_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves2)
          : (i32, i32, i32) -> i32
        %column2 = vector.from_elements
          %joined2_0, %joined2_2, %joined2_4, %joined2_6, %joined2_8, %joined2_10, %joined2_12, %joined2_14 : !attention__column_bits
        %value_keys2 = vector.bitcast %column2 : !attention__column_bits to !attention__value_keys
        %halves3 = arith.constant 0x07060302 : i32
        %joined3_0 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_1, %bits2_0, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_2 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_3, %bits2_2, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_4 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_5, %bits2_4, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_6 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_7, %bits2_6, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_8 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_9, %bits2_8, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_10 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_11, %bits2_10, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_12 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_13, %bits2_12, %halves3)
          : (i32, i32, i32) -> i32
        %joined3_14 = llvm.call_intrinsic "llvm.amdgcn.perm"(
            %bits2_15, %bits2_14, %halves3)
          : (i32, i32, i32) -> i32
        %column3 = vector.from_elements
          %joined3_0, %joined3_2, %joined3_4, %joined3_6, %joined3_8, %joined3_10, %joined3_12, %joined3_14 : !attention__column_bits
        %value_keys3 = vector.bitcast %column3 : !attention__column_bits to !attention__value_keys
        %value2 = vector.shape_cast %value_keys2 : !attention__value_keys to !attention__value_operand
        %sums2 = vector.extract %acc_next_2[2] : !attention__sums from !attention__acc
        %sums_next2 = iree_codegen.inner_tiled
          ins(%value2, %weights) outs(%sums2)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next_3 = vector.insert %sums_next2, %acc_next_2[2] : !attention__sums into !attention__acc
        %value3 = vector.shape_cast %value_keys3 : !attention__value_keys to !attention__value_operand
        %sums3 = vector.extract %acc_next_3[3] : !attention__sums from !attention__acc
        %sums_next3 = iree_codegen.inner_tiled
          ins(%value3, %weights) outs(%sums3)
          <indexing_maps = [#attention__left, #attention__right, #attention__product], iterator_types = [#attention__parallel, #attention__parallel, #attention__reduction],
           kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
           semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>> : !attention__value_operand, !attention__weights_operand into !attention__sums
        %acc_next = vector.insert %sums_next3, %acc_next_3[3] : !attention__sums into !attention__acc
        scf.yield %max_next0, %sum_next0, %acc_next
          : f32, f32, !attention__acc
      }
      %acc_by_column = vector.shape_cast %acc_2 : !attention__acc to !attention__acc_by_column
      %acc_by_row = vector.transpose %acc_by_column, [1, 2, 0] : !attention__acc_by_column to !attention__acc_by_row
      %sums_column = affine.apply affine_map<(g) -> (g * 32)>(%group)
      %rows_of_wave = arith.constant 4 : index
      %is_group_first = arith.cmpi eq, %group, %none : index
        %total_there0_1, %total_is_there0_1 =
          gpu.shuffle xor %sum0_2, %distance1, %wave_size : f32
        %total0 = arith.addf %sum0_2, %total_there0_1 : f32
      %lds_row0 = affine.apply affine_map<(r) -> (r + 0)>(%first_row)
      %is_row0 = arith.cmpi slt, %lds_row0, %rows_of_wave : index
      scf.if %is_row0 {
        %sums_of_row0 = vector.extract %acc_by_row[0] : !attention__acc_row from !attention__acc_by_row
        %sums_flat0 = vector.shape_cast %sums_of_row0 : !attention__acc_row to !attention__output_f32
        "vector.store"(%sums_flat0, %acc_lds, %wave, %lds_row0, %sums_column) <{alignment = 16
          : i64}> : (!attention__output_f32, !attention__acc_lds, index, index, index) -> ()
        scf.if %is_group_first {
          memref.store %max0_2, %max_lds[%lds_row0, %wave] : !attention__max_lds
          memref.store %total0, %sum_lds[%lds_row0, %wave] : !attention__sum_lds
        }
      }
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      %own_row = affine.apply affine_map<(l) -> (l floordiv 32)>(%lane)
      %own_column = affine.apply affine_map<(l) -> (l mod 32 * 2)>(%lane)
      %row_there = affine.min affine_map<(r) -> (r, 4 - 1)>(%own_row)
      %maxima = vector.load %max_lds[%row_there, %none] : !attention__max_lds, !attention__waves
      %totals = vector.load %sum_lds[%row_there, %none] : !attention__sum_lds, !attention__waves
      %top = vector.reduction <maxnumf>, %maxima : !attention__waves into f32
      %no_piece = arith.constant dense<0.0> : !attention__piece
      %max_of0 = vector.extract %maxima[0] : f32 from !attention__waves
      %below_top0 = arith.subf %max_of0, %top : f32
      %shrink0 = llvm.call_intrinsic "llvm.exp2"(%below_top0) : (f32) -> f32
      %total_of0 = vector.extract %totals[0] : f32 from !attention__waves
      %sum_to_wave0 = math.fma
        %total_of0, %shrink0, %zero : f32
      %number0 = arith.constant 0 : index
      %acc_of0 = "vector.load"(%acc_lds, %number0, %row_there, %own_column) <{alignment =
        8 : i64}> : (!attention__acc_lds, index, index, index) -> !attention__piece
      %shrinks0 = vector.broadcast %shrink0 : f32 to !attention__piece
      %acc_piece_1 = math.fma %acc_of0, %shrinks0, %no_piece : !attention__piece
      %max_of1 = vector.extract %maxima[1] : f32 from !attention__waves
      %below_top1 = arith.subf %max_of1, %top : f32
      %shrink1 = llvm.call_intrinsic "llvm.exp2"(%below_top1) : (f32) -> f32
      %total_of1 = vector.extract %totals[1] : f32 from !attention__waves
      %sum_to_wave1 = math.fma
        %total_of1, %shrink1, %sum_to_wave0 : f32
      %number1 = arith.constant 1 : index
      %acc_of1 = "vector.load"(%acc_lds, %number1, %row_there, %own_column) <{alignment =
        8 : i64}> : (!attention__acc_lds, index, index, index) -> !attention__piece
      %shrinks1 = vector.broadcast %shrink1 : f32 to !attention__piece
      %acc_piece_2 = math.fma %acc_of1, %shrinks1, %acc_piece_1 : !attention__piece
      %max_of2 = vector.extract %maxima[2] : f32 from !attention__waves
      %below_top2 = arith.subf %max_of2, %top : f32
      %shrink2 = llvm.call_intrinsic "llvm.exp2"(%below_top2) : (f32) -> f32
      %total_of2 = vector.extract %totals[2] : f32 from !attention__waves
      %sum_to_wave2 = math.fma
        %total_of2, %shrink2, %sum_to_wave1 : f32
      %number2 = arith.constant 2 : index
      %acc_of2 = "vector.load"(%acc_lds, %number2, %row_there, %own_column) <{alignment =
        8 : i64}> : (!attention__acc_lds, index, index, index) -> !attention__piece
      %shrinks2 = vector.broadcast %shrink2 : f32 to !attention__piece
      %acc_piece_3 = math.fma %acc_of2, %shrinks2, %acc_piece_2 : !attention__piece
      %max_of3 = vector.extract %maxima[3] : f32 from !attention__waves
      %below_top3 = arith.subf %max_of3, %top : f32
      %shrink3 = llvm.call_intrinsic "llvm.exp2"(%below_top3) : (f32) -> f32
      %total_of3 = vector.extract %totals[3] : f32 from !attention__waves
      %sum_to_wave3 = math.fma
        %total_of3, %shrink3, %sum_to_wave2 : f32
      %number3 = arith.constant 3 : index
      %acc_of3 = "vector.load"(%acc_lds, %number3, %row_there, %own_column) <{alignment =
        8 : i64}> : (!attention__acc_lds, index, index, index) -> !attention__piece
      %shrinks3 = vector.broadcast %shrink3 : f32 to !attention__piece
      %acc_piece = math.fma %acc_of3, %shrinks3, %acc_piece_3 : !attention__piece
      %sum_row = arith.addf %sum_to_wave3, %zero : f32
      %is_empty = arith.cmpf oeq, %sum_row, %zero : f32
      %sums = vector.broadcast %sum_row : f32 to !attention__piece
      %means_any = arith.divf %acc_piece, %sums : !attention__piece
      %means = arith.select %is_empty, %no_piece, %means_any : !attention__piece
      %output_f32 = vector.shape_cast %means : !attention__piece to !attention__part_acc_rows
      %output = arith.truncf %output_f32 : !attention__part_acc_rows to !attention__output_rows
      %rows_left_here = affine.min affine_map<(n, r) -> (n - r, 1)>(%rows_here, %own_row)
      %own_rows = arith.maxsi %rows_left_here, %none : index
      %numbers_left = affine.min affine_map<(n, c) -> (n, 1 - c)>(%own_rows, %own_column)
      %own_numbers = arith.maxsi %numbers_left, %none : index
      %has_row = arith.cmpi slt, %none, %own_rows : index
      %has_number = arith.cmpi slt, %none, %own_numbers : index
      %old_rows0 = tensor.extract_slice %tile0[%own_row, %own_column] [%own_rows, 2]
        [1, 1] : tensor<?x64xf16> to tensor<?x2xf16>
      // IREE 3.13.0 writes a single row without asking whether it is in bounds, in silence.
      %new_rows0 = scf.if %has_row
          -> (tensor<?x2xf16>) {
        %new_rows0 = vector.transfer_write %output, %old_rows0
          [%none, %none]
          {in_bounds = [true, true]}
          : !attention__output_rows, tensor<?x2xf16>
        scf.yield %new_rows0 : tensor<?x2xf16>
      } else {
        scf.yield %old_rows0 : tensor<?x2xf16>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %new_rows0 into %tile0[%own_row, %own_column]
          [%own_rows, 2] [1, 1] : tensor<?x2xf16> into tensor<?x64xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %none]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<8x64xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_out,
      offsets = [0, 0], sizes = [8, 64], strides = [1, 1]
      : tensor<8x64xf16> -> !attention__output_rows_out
    return
  }
  }
}
func.func private @attention(%query: !attention__query, %key: !attention__key, %value: !attention__value, %slot_mapping: !attention__slot_mapping, %key_cache: !attention__key_cache, %value_cache: !attention__value_cache, %block_table: !attention__block_table, %context_lens: !attention__context_lens) -> (!attention__output, !attention__updated_key_cache, !attention__updated_value_cache) {
  // New tokens are written into the cache, in its own memory.
  %slots = arith.constant 144 : i32
  // The row of every head of every token, and whether it is written; those of skipped tokens mean
  // nothing. The compiler makes both inside the kernels that write.
  %row_numbers_empty = tensor.empty() : !attention__row_numbers
  %written_empty = tensor.empty() : !attention__is_written
  %row_numbers, %is_written = linalg.generic {
      indexing_maps = [affine_map<(b, h, m) -> (b, m)>, affine_map<(b, h, m) -> (b, h, m)>, affine_map<(b, h, m) -> (b, h, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%slot_mapping : !attention__slot_mapping)
      outs(%row_numbers_empty, %written_empty : !attention__row_numbers, !attention__is_written) {
  ^bb0(%slot: i32, %unused_number: i32, %unused_flag: i1):
    %heads = arith.constant 2 : i32
    %h = linalg.index 1 : index
    %head = arith.index_cast %h : index to i32
    %slots_per_block = arith.constant 16 : i32
    %block = arith.divsi %slot, %slots_per_block : i32
    %slot_in_block = arith.remsi %slot, %slots_per_block : i32
    %first_head = arith.muli %block, %heads : i32
    %block_and_head = arith.addi %first_head, %head : i32
    %first_row = arith.muli %block_and_head, %slots_per_block : i32
    %row = arith.addi %first_row, %slot_in_block : i32
    // Read without a sign, a slot below 0 is beyond all others.
    %is_written = arith.cmpi ult, %slot, %slots : i32
    linalg.yield %row, %is_written : i32, i1
  } -> (!attention__row_numbers, !attention__is_written)
  %rows_of_key = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : !attention__key_cache into !attention__key_cache_rows
  %updated_rows_of_key = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%key, %row_numbers, %is_written
      : !attention__key, !attention__row_numbers, !attention__is_written)
    outs(%rows_of_key : !attention__key_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !attention__key_cache_rows
  %updated_key_cache = tensor.expand_shape %updated_rows_of_key [[0, 1, 2], [3]]
    output_shape [9, 2, 16, 64] : !attention__key_cache_rows into !attention__updated_key_cache
  %rows_of_value = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : !attention__value_cache into !attention__value_cache_rows
  %updated_rows_of_value = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%value, %row_numbers, %is_written
      : !attention__value, !attention__row_numbers, !attention__is_written)
    outs(%rows_of_value : !attention__value_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !attention__value_cache_rows
  %updated_value_cache = tensor.expand_shape %updated_rows_of_value [[0, 1, 2], [3]]
    output_shape [9, 2, 16, 64] : !attention__value_cache_rows into !attention__updated_value_cache
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : tensor<1x8x1x64xf16> into tensor<8x64xf16>
  %key_cache_rows = tensor.collapse_shape %updated_key_cache [[0, 1, 2], [3]]
    : tensor<9x2x16x64xf16> into tensor<288x64xf16>
  %value_cache_rows = tensor.collapse_shape %updated_value_cache [[0, 1, 2], [3]]
    : tensor<9x2x16x64xf16> into tensor<288x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<1x4xi32> into tensor<4xi32>
  %made = flow.dispatch @paged_update_attention_kernel::@paged_update_attention_kernel(
      %query_rows, %key_cache_rows, %value_cache_rows, %block_table_rows, %context_lens
    ) : (
      tensor<8x64xf16>,
      tensor<288x64xf16>,
      tensor<288x64xf16>,
      tensor<4xi32>,
      tensor<1xi32>
    ) -> tensor<8x64xf16>
  %output = tensor.expand_shape %made [[0, 1, 2], [3]]
    output_shape [1, 8, 1, 64] : tensor<8x64xf16> into tensor<1x8x1x64xf16>
  return %output, %updated_key_cache, %updated_value_cache
    : !attention__output, !attention__updated_key_cache, !attention__updated_value_cache
}
// attended · weightᵀ + bias, the heads of a token side by side.
// n hidden column, k column of a head
!projection__attended = tensor<1x8x1x64xf16>
!projection__weight = tensor<512x512xf16>
!projection__output = tensor<1x1x512xf16>
!projection__sequences = tensor<512xf16>
!projection__acc = tensor<512xf32>
!projection__sums = tensor<512xf16>
#projection__tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [4, 0], partial_reduction = [0, 256], thread = [4, 8],
    lane_basis = [[1, 32], [0, 1]],
    subgroup_basis = [[1, 1], [0, 1]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
#projection__attended = affine_map<(n, k) -> (k)>
#projection__weight = affine_map<(n, k) -> (n, k)>
#projection__acc = affine_map<(n, k) -> (n)>
#projection__sums = affine_map<(n) -> (n)>

func.func private @projection(%attended: !projection__attended, %weight: !projection__weight) -> !projection__output {
  %sequences = tensor.collapse_shape %attended [[0, 1, 2, 3]] : !projection__attended into !projection__sequences
  %zero = arith.constant 0.0 : f32
  %acc_empty = tensor.empty() : !projection__acc
  %start = linalg.fill ins(%zero : f32) outs(%acc_empty : !projection__acc) -> !projection__acc
  %acc = linalg.generic {
      indexing_maps = [#projection__attended, #projection__weight, #projection__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%sequences, %weight : !projection__sequences, !projection__weight) outs(%start : !projection__acc) attrs = {compilation_info = #projection__tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !projection__acc
  %empty = tensor.empty() : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !projection__sums
  %output = tensor.expand_shape %sums [[0, 1, 2]] output_shape [1, 1, 512] : !projection__sums into !projection__output
  return %output : !projection__output
}
// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// n column of a product, k column of what is multiplied
!mlp__hidden = tensor<1x1x512xf16>
!mlp__gate_up_weight = tensor<1536x512xf16>
!mlp__down_weight = tensor<512x768xf16>
!mlp__output = tensor<1x1x512xf16>
!mlp__tokens = tensor<512xf16>
!mlp__gate_weight = tensor<768x512xf16>
!mlp__up_weight = tensor<768x512xf16>
!mlp__gate = tensor<768xf32>
!mlp__active = tensor<768xf16>
!mlp__up = tensor<768xf32>
!mlp__inner = tensor<768xf16>
!mlp__down = tensor<512xf32>
!mlp__rows = tensor<512xf16>
#mlp__up_tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [4, 0], partial_reduction = [0, 256], thread = [4, 8],
    lane_basis = [[1, 32], [0, 1]],
    subgroup_basis = [[1, 1], [0, 1]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
#mlp__down_tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [4, 0], partial_reduction = [0, 256], thread = [4, 8],
    lane_basis = [[1, 32], [0, 1]],
    subgroup_basis = [[1, 1], [0, 1]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
#mlp__x = affine_map<(n, k) -> (k)>
#mlp__weight = affine_map<(n, k) -> (n, k)>
#mlp__acc = affine_map<(n, k) -> (n)>
#mlp__rows = affine_map<(n) -> (n)>

func.func private @mlp(%hidden: !mlp__hidden, %gate_up_weight: !mlp__gate_up_weight, %down_weight: !mlp__down_weight) -> !mlp__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1, 2]] : !mlp__hidden into !mlp__tokens
  %gate_weight = tensor.extract_slice %gate_up_weight[0, 0] [768, 512] [1, 1] : !mlp__gate_up_weight to !mlp__gate_weight
  %up_weight = tensor.extract_slice %gate_up_weight[768, 0] [768, 512] [1, 1] : !mlp__gate_up_weight to !mlp__up_weight
  %empty_gate = tensor.empty() : !mlp__gate
  %start_of_gate = linalg.fill ins(%zero : f32)
    outs(%empty_gate : !mlp__gate) -> !mlp__gate
  %gate = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %gate_weight : !mlp__tokens, !mlp__gate_weight) outs(%start_of_gate : !mlp__gate) attrs = {compilation_info = #mlp__up_tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !mlp__gate
  %empty_active = tensor.empty() : !mlp__active
  %active = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel"]
    } ins(%gate : !mlp__gate) outs(%empty_active : !mlp__active) {
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
  %empty_up = tensor.empty() : !mlp__up
  %start_of_up = linalg.fill ins(%zero : f32)
    outs(%empty_up : !mlp__up) -> !mlp__up
  %up = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %up_weight : !mlp__tokens, !mlp__up_weight) outs(%start_of_up : !mlp__up) attrs = {compilation_info = #mlp__up_tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !mlp__up
  %empty_inner = tensor.empty() : !mlp__inner
  %inner = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows, #mlp__rows], iterator_types = ["parallel"]
    } ins(%up, %open : !mlp__up, !mlp__active) outs(%empty_inner : !mlp__inner) {
  ^bb0(%sum: f32, %factor_stored: f16, %unused: f16):
    %factor = arith.extf %factor_stored : f16 to f32
    %gated = arith.mulf %sum, %factor : f32
    %gated_stored = arith.truncf %gated : f32 to f16
    linalg.yield %gated_stored : f16
  } -> !mlp__inner
  %empty_down = tensor.empty() : !mlp__down
  %start_of_down = linalg.fill ins(%zero : f32)
    outs(%empty_down : !mlp__down) -> !mlp__down
  %down = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%inner, %down_weight : !mlp__inner, !mlp__down_weight) outs(%start_of_down : !mlp__down) attrs = {compilation_info = #mlp__down_tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !mlp__down
  %empty_rows = tensor.empty() : !mlp__rows
  %rows = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel"]
    } ins(%down : !mlp__down) outs(%empty_rows : !mlp__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !mlp__rows
  %output = tensor.expand_shape %rows [[0, 1, 2]] output_shape [1, 1, 512]
    : !mlp__rows into !mlp__output
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
  %rows_of_normed = tensor.collapse_shape %hidden [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_normed = call @norm(%rows_of_normed, %norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %normed = tensor.expand_shape %normed_rows_of_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %qkv:3 = call @qkv(%normed, %qkv_weight) : (tensor<1x1x512xf16>, tensor<768x512xf16>) -> (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x2x1x64xf16>)
  %rotated:2 = call @rope(%qkv#0, %qkv#1, %positions) : (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x1xi32>) -> (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>)
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %rotated#0 : tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  %attended:3 = call @attention(%new_query, %rotated#1, %qkv#2, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens) : (tensor<1x8x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x2x1x64xf16>, tensor<1x1xi32>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>, tensor<1x4xi32>, tensor<1xi32>) -> (tensor<1x8x1x64xf16>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  %projected = call @projection(%heads, %output_weight) : (tensor<1x8x1x64xf16>, tensor<512x512xf16>) -> (tensor<1x1x512xf16>)
  %empty_between = tensor.empty() : !output
  %between = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %projected : !hidden, !output) outs(%empty_between : !output) {
  ^bb0(%residual_stored: f16, %change_stored: f16, %unused: f16):
    %residual = arith.extf %residual_stored : f16 to f32
    %change = arith.extf %change_stored : f16 to f32
    %sum = arith.addf %residual, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  %rows_of_mlp_normed = tensor.collapse_shape %between [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_mlp_normed = call @norm(%rows_of_mlp_normed, %mlp_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %mlp_normed = tensor.expand_shape %normed_rows_of_mlp_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %mlp = call @mlp(%mlp_normed, %gate_up_weight, %down_weight) : (tensor<1x1x512xf16>, tensor<1536x512xf16>, tensor<512x768xf16>) -> (tensor<1x1x512xf16>)
  %empty_output = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%between, %mlp : !hidden, !output) outs(%empty_output : !output) {
  ^bb0(%residual_stored: f16, %change_stored: f16, %unused: f16):
    %residual = arith.extf %residual_stored : f16 to f32
    %change = arith.extf %change_stored : f16 to f32
    %sum = arith.addf %residual, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !output
  return %output, %attended#1, %attended#2 : !output, !updated_key_cache, !updated_value_cache
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @decoder_layer$async(
    %hidden: !hidden,
    %norm_weight: !norm_weight,
    %qkv_weight: !qkv_weight,
    %positions: !positions,
    %slot_mapping: !slot_mapping,
    %key_cache: !key_cache {iree.abi.consume},
    %value_cache: !value_cache {iree.abi.consume},
    %block_table: !block_table,
    %context_lens: !context_lens,
    %output_weight: !output_weight,
    %mlp_norm_weight: !mlp_norm_weight,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight
  ) -> (!output, !updated_key_cache, !updated_value_cache) attributes {iree.abi.model = "coarse-fences"} {
  %output, %updated_key_cache, %updated_value_cache = func.call @decoder_layer(%hidden, %norm_weight, %qkv_weight, %positions, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens, %output_weight, %mlp_norm_weight, %gate_up_weight, %down_weight)
    : (!hidden, !norm_weight, !qkv_weight, !positions, !slot_mapping, !key_cache, !value_cache, !block_table, !context_lens, !output_weight, !mlp_norm_weight, !gate_up_weight, !down_weight) -> (!output, !updated_key_cache, !updated_value_cache)
  util.return %output, %updated_key_cache, %updated_value_cache : !output, !updated_key_cache, !updated_value_cache
}
