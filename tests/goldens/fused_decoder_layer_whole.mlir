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
    lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]]}>,
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
  %query_weight = tensor.extract_slice %weight[0, 0] [512, 512] [1, 1] : !qkv__weight to tensor<512x512xf16>
  %query_acc_empty = tensor.empty() : tensor<512xf32>
  %query_start = linalg.fill ins(%zero : f32) outs(%query_acc_empty : tensor<512xf32>) -> tensor<512xf32>
  %query_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %query_weight : !qkv__tokens, tensor<512x512xf16>) outs(%query_start : tensor<512xf32>) attrs = {compilation_info = #qkv__tile} {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<512xf32>
  %query_empty = tensor.empty() : tensor<512xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel"]
    } ins(%query_acc : tensor<512xf32>) outs(%query_empty : tensor<512xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<512xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1, 2, 3]] output_shape [1, 8, 1, 64] : tensor<512xf16> into !qkv__query
  // key: 2 heads from head 8 on
  %key_weight = tensor.extract_slice %weight[512, 0] [128, 512] [1, 1] : !qkv__weight to tensor<128x512xf16>
  %key_acc_empty = tensor.empty() : tensor<128xf32>
  %key_start = linalg.fill ins(%zero : f32) outs(%key_acc_empty : tensor<128xf32>) -> tensor<128xf32>
  %key_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %key_weight : !qkv__tokens, tensor<128x512xf16>) outs(%key_start : tensor<128xf32>) attrs = {compilation_info = #qkv__tile} {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %key_empty = tensor.empty() : tensor<128xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel"]
    } ins(%key_acc : tensor<128xf32>) outs(%key_empty : tensor<128xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<128xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1, 2, 3]] output_shape [1, 2, 1, 64] : tensor<128xf16> into !qkv__key
  // value: 2 heads from head 10 on
  %value_weight = tensor.extract_slice %weight[640, 0] [128, 512] [1, 1] : !qkv__weight to tensor<128x512xf16>
  %value_acc_empty = tensor.empty() : tensor<128xf32>
  %value_start = linalg.fill ins(%zero : f32) outs(%value_acc_empty : tensor<128xf32>) -> tensor<128xf32>
  %value_acc = linalg.generic {
      indexing_maps = [#qkv__hidden, #qkv__weight, #qkv__acc],
      iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %value_weight : !qkv__tokens, tensor<128x512xf16>) outs(%value_start : tensor<128xf32>) attrs = {compilation_info = #qkv__tile} {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %value_empty = tensor.empty() : tensor<128xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#qkv__heads, #qkv__heads],
      iterator_types = ["parallel"]
    } ins(%value_acc : tensor<128xf32>) outs(%value_empty : tensor<128xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
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
// New tokens are written into a block cache, in its own memory; attention over it is one
// kernel.
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
!attention__query_tile = tensor<16x64xf16>
!attention__key_tile = tensor<32x64xf16>
!attention__value_tile = tensor<32x64xf16>
!attention__values = tensor<64x32xf16>
!attention__scores = tensor<16x32xf32>
!attention__weights = tensor<16x32xf16>
!attention__acc = tensor<16x64xf32>
!attention__row = tensor<16xf32>
!attention__output_tile = tensor<16x64xf16>
!attention__query_numbers = tensor<16xi32>
!attention__key_numbers = tensor<32xi32>
!attention__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x64xf16>>
!attention__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!attention__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<288x64xf16>>
!attention__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!attention__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xi32>>
!attention__output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x64xf16>>
// m row of the tile, t key of the step
#attention__element = affine_map<(m, t) -> (m, t)>
#attention__of_row = affine_map<(m, t) -> (m)>
#attention__of_key = affine_map<(m, t) -> (t)>
#attention__each = affine_map<(m) -> (m)>
#attention__row_of_query = affine_map<(m, t, k) -> (m, k)>
#attention__row_of_key = affine_map<(m, t, k) -> (t, k)>
#attention__score = affine_map<(m, t, k) -> (m, t)>
#attention__weight = affine_map<(m, n, t) -> (m, t)>
#attention__column_of_value = affine_map<(m, n, t) -> (n, t)>
#attention__sum_of_values = affine_map<(m, n, t) -> (m, n)>
#attention__sum = affine_map<(m, n) -> (m, n)>
#attention__row_of_sum = affine_map<(m, n) -> (m)>
#attention__query_key = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0], reduction = [0, 0, 0],
  subgroup_basis = [[1, 2, 1], [0, 1, 2]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#attention__weights_value = #iree_gpu.lowering_config<{
  workgroup = [0, 0, 0], reduction = [0, 0, 0],
  subgroup_basis = [[1, 2, 1], [0, 1, 2]],
  mma_kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16, col_major = true>}>
#attention__tile = #iree_codegen.compilation_info<
  lowering_config = #attention__query_key,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [64, 1, 1] subgroup_size = 32,
    {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>>
#attention__key_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [4, 1],
  outer_tile = [1, 1],
  thread_tile = [8, 8], element_tile = [1, 8],
  subgroup_strides = [0, 0], thread_strides = [8, 1]>
#attention__value_layout = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 4],
  outer_tile = [1, 1],
  thread_tile = [4, 8], element_tile = [8, 1],
  subgroup_strides = [1, 0], thread_strides = [1, 4]>
!attention__key_cache_rows = tensor<288x64xf16>
!attention__value_cache_rows = tensor<288x64xf16>
!attention__row_numbers = tensor<1x2x1xi32>
!attention__is_written = tensor<1x2x1xi1>
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
    %tiles = affine.apply
      affine_map<()[n, p]
      -> (n ceildiv 16 * p)>()[%rows_of_head, %parts]
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<8x64xf16>) {
    %tile = affine.apply affine_map<(i) -> (i)>(%i)
    %head = affine.apply affine_map<(b, x) -> (b * 2 + x)>(%b, %x)
    %head_base = arith.muli %head, %rows_of_head : index
    %query_base = affine.apply affine_map<(h) -> (h)>(%head_base)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %table_base = arith.muli %b, %pages : index
    %context_len_i32 = tensor.extract %context_lens[%b] : tensor<1xi32>
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_token = arith.constant 0 : index
    %first_key_token = arith.constant 0 : index
    %row_in_head = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %result_row = arith.addi %head_base, %row_in_head : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 32 : index
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
    %row_numbers_empty = tensor.empty() : !attention__query_numbers
    %rows_in_head = linalg.generic {indexing_maps = [#attention__each], iterator_types = ["parallel"]}
      outs(%row_numbers_empty : !attention__query_numbers) {
    ^bb0(%unused: i32):
      %m = linalg.index 0 : index
      %r = arith.addi %m, %row_0 : index
      %row = arith.minsi %r, %last_row : index
      %row_i32 = arith.index_cast %row : index to i32
      linalg.yield %row_i32 : i32
    } -> !attention__query_numbers
    %query_numbers = linalg.generic {indexing_maps = [#attention__each, #attention__each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !attention__query_numbers) outs(%row_numbers_empty : !attention__query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %base = arith.index_cast %query_base : index to i32
      %stride = arith.constant 1 : i32
      %ahead = arith.muli %row, %stride : i32
      %number = arith.addi %base, %ahead : i32
      linalg.yield %number : i32
    } -> !attention__query_numbers
      %query_read_empty = tensor.empty() : !attention__query_tile
      %query_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %query_numbers : tensor<8x64xf16>, !attention__query_numbers)
        outs(%query_read_empty : !attention__query_tile) -> !attention__query_tile
    %positions = linalg.generic {indexing_maps = [#attention__each, #attention__each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !attention__query_numbers) outs(%row_numbers_empty : !attention__query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %queries = arith.constant 1 : i32
      %query = arith.remsi %row, %queries : i32
      %position = arith.addi %first, %query : i32
      linalg.yield %position : i32
    } -> !attention__query_numbers

    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %acc_empty = tensor.empty() : !attention__acc
    %row_empty = tensor.empty() : !attention__row
    %scores_empty = tensor.empty() : !attention__scores
    %weights_empty = tensor.empty() : !attention__weights
    %acc_start = linalg.fill ins(%zero : f32) outs(%acc_empty : !attention__acc) -> !attention__acc
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !attention__row) -> !attention__row
    %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !attention__row) -> !attention__row
    %state:3 = scf.for %t0 = %begin to %end step %keys_of_step
        iter_args(%acc = %acc_start, %max = %max_start, %sum = %sum_start) -> (!attention__acc, !attention__row, !attention__row) {
      %key_numbers_empty = tensor.empty() : !attention__key_numbers
      %table_places = linalg.generic {indexing_maps = [#attention__each], iterator_types = ["parallel"]}
        outs(%key_numbers_empty : !attention__key_numbers) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %page = affine.apply affine_map<(t) -> (t floordiv 16)>(%real_key)
        %place = arith.addi %table_base, %page : index
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> !attention__key_numbers
      %blocks_empty = tensor.empty() : !attention__key_numbers
      %blocks = iree_linalg_ext.gather dimension_map = [0]
        ins(%block_table_rows, %table_places : tensor<4xi32>, !attention__key_numbers)
        outs(%blocks_empty : !attention__key_numbers) -> !attention__key_numbers
      %key_numbers = linalg.generic {indexing_maps = [#attention__each, #attention__each], iterator_types = ["parallel"]}
        ins(%blocks : !attention__key_numbers) outs(%key_numbers_empty : !attention__key_numbers) {
      ^bb0(%block_i32: i32, %unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %slot = affine.apply affine_map<(t) -> (t mod 16)>(%real_key)
        %block = arith.index_cast %block_i32 : i32 to index
        %number = affine.apply
          affine_map<(p, h, s)
          -> ((p * 2 + h) * 16 + s)>(%block, %kv_head, %slot)
        %number_i32 = arith.index_cast %number : index to i32
        linalg.yield %number_i32 : i32
      } -> !attention__key_numbers
      %keys_read_empty = tensor.empty() : !attention__key_tile
      %keys_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_cache_rows, %key_numbers : tensor<288x64xf16>, !attention__key_numbers)
        outs(%keys_read_empty : !attention__key_tile) -> !attention__key_tile
      %values_read_empty = tensor.empty() : !attention__value_tile
      %values_read = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_cache_rows, %key_numbers : tensor<288x64xf16>, !attention__key_numbers)
        outs(%values_read_empty : !attention__value_tile) -> !attention__value_tile
      %keys = iree_vector_ext.to_layout %keys_read to layout(#attention__key_layout) : !attention__key_tile
      // Values are turned on their way to the product, which takes neighbours along the keys.
      %turned_empty = tensor.empty() : !attention__values
      %turned = linalg.transpose ins(%values_read : !attention__value_tile) outs(%turned_empty : !attention__values)
        permutation = [1, 0]
      %values = iree_vector_ext.to_layout %turned to layout(#attention__value_layout) : !attention__values
      %scores_start = linalg.fill ins(%zero : f32) outs(%scores_empty : !attention__scores) -> !attention__scores
      %scores = linalg.generic {
          indexing_maps = [#attention__row_of_query, #attention__row_of_key, #attention__score],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%query_read, %keys
          : !attention__query_tile, !attention__key_tile)
          outs(%scores_start : !attention__scores) attrs = {compilation_info = #attention__tile} {
      ^bb0(%left: f16, %right: f16, %total: f32):
        %left_f32 = arith.extf %left : f16 to f32
        %right_f32 = arith.extf %right : f16 to f32
        %product = arith.mulf %left_f32, %right_f32 : f32
        %more = arith.addf %total, %product : f32
        linalg.yield %more : f32
      } -> !attention__scores
      %logits = linalg.generic {
          indexing_maps = [#attention__element, #attention__of_row, #attention__element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions
          : !attention__scores, !attention__query_numbers)
        outs(%scores_empty : !attention__scores) {
      ^bb0(%score: f32, %position: i32, %unused: f32):
        %scale = arith.constant 0.18033688011112042 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
        %seen0 = arith.constant true
        %keys_end_i32 = arith.index_cast %context_len : index to i32
        %key_is_real = arith.cmpi slt, %token, %keys_end_i32 : i32
        %seen1 = arith.andi %seen0, %key_is_real : i1
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen2 = arith.andi %seen1, %ahead_is_seen : i1
        %logit = arith.select %seen2, %logit0, %minus_inf : f32
        linalg.yield %logit : f32
      } -> !attention__scores
      // A NaN is no maximum, and makes its weight, and so its row, NaN.
      %best_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !attention__row) -> !attention__row
      %best = linalg.generic {indexing_maps = [#attention__element, #attention__of_row], iterator_types = ["parallel", "reduction"]}
        ins(%logits : !attention__scores) outs(%best_start : !attention__row) {
      ^bb0(%logit: f32, %top: f32):
        %better = arith.maxnumf %logit, %top : f32
        linalg.yield %better : f32
      } -> !attention__row
      %shrink = linalg.generic {indexing_maps = [#attention__each, #attention__each, #attention__each], iterator_types = ["parallel"]}
        ins(%max, %best : !attention__row, !attention__row) outs(%row_empty : !attention__row) {
      ^bb0(%before: f32, %now: f32, %unused: f32):
        %top = arith.maxnumf %before, %now : f32
        %below = arith.subf %before, %top : f32
        %factor = math.exp2 %below : f32
        linalg.yield %factor : f32
      } -> !attention__row
      %max_next = linalg.generic {indexing_maps = [#attention__each, #attention__each], iterator_types = ["parallel"]}
        ins(%best : !attention__row) outs(%max : !attention__row) {
      ^bb0(%now: f32, %before: f32):
        %top = arith.maxnumf %before, %now : f32
        linalg.yield %top : f32
      } -> !attention__row
      %exps = linalg.generic {
          indexing_maps = [#attention__element, #attention__of_row, #attention__element], iterator_types = ["parallel", "parallel"]
        } ins(%logits, %max_next : !attention__scores, !attention__row) outs(%scores_empty : !attention__scores) {
      ^bb0(%logit: f32, %top: f32, %unused: f32):
        %below = arith.subf %logit, %top : f32
        %exp = math.exp2 %below : f32
        linalg.yield %exp : f32
      } -> !attention__scores
      %sum_before = linalg.generic {indexing_maps = [#attention__each, #attention__each], iterator_types = ["parallel"]}
        ins(%shrink : !attention__row) outs(%sum : !attention__row) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !attention__row
      %sum_next = linalg.generic {
          indexing_maps = [#attention__element, #attention__of_row], iterator_types = ["parallel", "reduction"]
        } ins(%exps : !attention__scores) outs(%sum_before : !attention__row) {
      ^bb0(%exp: f32, %total: f32):
        %more = arith.addf %total, %exp : f32
        linalg.yield %more : f32
      } -> !attention__row
      %weights = linalg.generic {
          indexing_maps = [#attention__element, #attention__element], iterator_types = ["parallel", "parallel"]
        } ins(%exps : !attention__scores) outs(%weights_empty : !attention__weights) {
      ^bb0(%exp: f32, %unused: f16):
        %weight = arith.truncf %exp : f32 to f16
        linalg.yield %weight : f16
      } -> !attention__weights
      %acc_before = linalg.generic {
          indexing_maps = [#attention__row_of_sum, #attention__sum], iterator_types = ["parallel", "parallel"]
        } ins(%shrink : !attention__row) outs(%acc : !attention__acc) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !attention__acc
      %acc_next = linalg.generic {
          indexing_maps = [#attention__weight, #attention__column_of_value, #attention__sum_of_values],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%weights, %values : !attention__weights, !attention__values)
          outs(%acc_before : !attention__acc) attrs = {lowering_config = #attention__weights_value} {
      ^bb0(%left: f16, %right: f16, %total: f32):
        %left_f32 = arith.extf %left : f16 to f32
        %right_f32 = arith.extf %right : f16 to f32
        %product = arith.mulf %left_f32, %right_f32 : f32
        %more = arith.addf %total, %product : f32
        linalg.yield %more : f32
      } -> !attention__acc
      scf.yield %acc_next, %max_next, %sum_next : !attention__acc, !attention__row, !attention__row
    }
    %output_tile_empty = tensor.empty() : !attention__output_tile
    %output_tile = linalg.generic {
        indexing_maps = [#attention__sum, #attention__row_of_sum, #attention__row_of_sum, #attention__sum],
        iterator_types = ["parallel", "parallel"]
      } ins(%state#0, %state#1, %state#2 : !attention__acc, !attention__row, !attention__row)
      outs(%output_tile_empty : !attention__output_tile) {
    ^bb0(%weighted: f32, %max: f32, %sum: f32, %unused: f16):

      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
      %narrow = arith.truncf %mean : f32 to f16
      linalg.yield %narrow : f16
    } -> !attention__output_tile
    %output_rows_stored_empty = tensor.empty(%rows_here) : tensor<?x64xf16>
    %output_rows_stored = iree_linalg_ext.map_store %output_tile into %output_rows_stored_empty {
    ^bb0(%m: index, %n: index):
      %is_row = arith.cmpi slt, %m, %rows_here : index
      iree_linalg_ext.yield %m, %n, %is_row
        : index, index, i1
    } : tensor<16x64xf16> into tensor<?x64xf16> -> tensor<?x64xf16>
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
  // The row of every head of every token, and whether it is written; those of skipped tokens mean
  // nothing. The compiler makes both inside the kernels that write.
  %row_numbers_empty = tensor.empty() : !attention__row_numbers
  %written_empty = tensor.empty() : !attention__is_written
  %row_numbers, %is_written = linalg.generic {
      indexing_maps = [affine_map<(b, h, m) -> (b, m)>, affine_map<(b, h, m) -> (b, h, m)>, affine_map<(b, h, m) -> (b, h, m)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%slot_mapping : !attention__slot_mapping) outs(%row_numbers_empty, %written_empty : !attention__row_numbers, !attention__is_written) {
  ^bb0(%slot: i32, %unused_number: i32, %unused_flag: i1):
    %heads = arith.constant 2 : i32
    %none = arith.constant 0 : i32
    %h = linalg.index 1 : index
    %head = arith.index_cast %h : index to i32
    %slots_per_block = arith.constant 16 : i32
    %block = arith.divsi %slot, %slots_per_block : i32
    %slot_in_block = arith.remsi %slot, %slots_per_block : i32
    %first_head = arith.muli %block, %heads : i32
    %block_and_head = arith.addi %first_head, %head : i32
    %first_row = arith.muli %block_and_head, %slots_per_block : i32
    %row = arith.addi %first_row, %slot_in_block : i32
    %is_written = arith.cmpi sge, %slot, %none : i32
    linalg.yield %row, %is_written : i32, i1
  } -> (!attention__row_numbers, !attention__is_written)
  %key_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : !attention__key_cache into !attention__key_cache_rows
  %updated_key_rows = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%key, %row_numbers, %is_written
      : !attention__key, !attention__row_numbers, !attention__is_written) outs(%key_rows : !attention__key_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !attention__key_cache_rows
  %updated_key_cache = tensor.expand_shape %updated_key_rows [[0, 1, 2], [3]]
    output_shape [9, 2, 16, 64] : !attention__key_cache_rows into !attention__updated_key_cache
  %value_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : !attention__value_cache into !attention__value_cache_rows
  %updated_value_rows = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
    ins(%value, %row_numbers, %is_written
      : !attention__value, !attention__row_numbers, !attention__is_written) outs(%value_rows : !attention__value_cache_rows) {
  ^bb0(%new: f16, %old: f16):
    iree_linalg_ext.yield %new : f16
  } -> !attention__value_cache_rows
  %updated_value_cache = tensor.expand_shape %updated_value_rows [[0, 1, 2], [3]]
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
  return %output, %updated_key_cache, %updated_value_cache : !attention__output, !attention__updated_key_cache, !attention__updated_value_cache
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
    lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]]}>,
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
      iterator_types = ["parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f16):
    %narrow = arith.truncf %sum : f32 to f16
    linalg.yield %narrow : f16
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
    lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]]}>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [32, 1, 1] subgroup_size = 32>>
#mlp__down_tile = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{
    workgroup = [4, 0], partial_reduction = [0, 256], thread = [4, 8],
    lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]]}>,
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
  %gate_empty = tensor.empty() : !mlp__gate
  %gate_start = linalg.fill ins(%zero : f32) outs(%gate_empty : !mlp__gate) -> !mlp__gate
  %gate = linalg.generic {
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc], iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %gate_weight : !mlp__tokens, !mlp__gate_weight) outs(%gate_start : !mlp__gate) attrs = {compilation_info = #mlp__up_tile} {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !mlp__gate
  %active_empty = tensor.empty() : !mlp__active
  %active = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel"]
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
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc], iterator_types = ["parallel", "reduction"]
    } ins(%tokens, %up_weight : !mlp__tokens, !mlp__up_weight) outs(%up_start : !mlp__up) attrs = {compilation_info = #mlp__up_tile} {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !mlp__up
  %inner_empty = tensor.empty() : !mlp__inner
  %inner = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows, #mlp__rows], iterator_types = ["parallel"]
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
      indexing_maps = [#mlp__x, #mlp__weight, #mlp__acc], iterator_types = ["parallel", "reduction"]
    } ins(%inner, %down_weight : !mlp__inner, !mlp__down_weight) outs(%down_start : !mlp__down) attrs = {compilation_info = #mlp__down_tile} {
  ^bb0(%x: f16, %w: f16, %sum: f32):
    %wide_x = arith.extf %x : f16 to f32
    %wide_w = arith.extf %w : f16 to f32
    %product = arith.mulf %wide_x, %wide_w : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> !mlp__down
  %rows_empty = tensor.empty() : !mlp__rows
  %rows = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel"]
    } ins(%down : !mlp__down) outs(%rows_empty : !mlp__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !mlp__rows
  %output = tensor.expand_shape %rows [[0, 1, 2]] output_shape [1, 1, 512] : !mlp__rows into !mlp__output
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
