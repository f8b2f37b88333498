// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!query = tensor<1x8x64x64xf16>
!key = tensor<1x2x64x64xf16>
!positions = tensor<1x64xi32>
!cos = tensor<4096x8xf32>
!sin = tensor<4096x8xf32>
!rotated_query = tensor<1x8x64x64xf16>
!rotated_key = tensor<1x2x64x64xf16>

func.func @rope(%query: !query, %key: !key, %positions: !positions, %cos: !cos, %sin: !sin) -> (!rotated_query, !rotated_key) {
  %column_bits = arith.constant 16 : i32
  %last_pair = arith.constant 7 : index
  %words_of_query = iree_tensor_ext.bitcast %query : !query -> tensor<1x8x64x32xi32>
  %empty_query = tensor.empty() : tensor<1x8x64x32xi32>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_query, %positions : tensor<1x8x64x32xi32>, !positions)
      outs(%empty_query : tensor<1x8x64x32xi32>) {
  ^bb0(%word: i32, %position: i32, %unused: i32):
    %last_row = arith.constant 4095 : i32
    %row_kept = arith.minui %position, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %pair_in_head = linalg.index 3 : index
    // Pairs that are passed through have no column in the tables; any other will do.
    %column = arith.minui %pair_in_head, %last_pair : index
    %cos_at = tensor.extract %cos[%row, %column] : !cos
    %sin_at = tensor.extract %sin[%row, %column] : !sin
    %low_bits = arith.trunci %word : i32 to i16
    %high_word = arith.shrui %word, %column_bits : i32
    %high_bits = arith.trunci %high_word : i32 to i16
    %low_stored = arith.bitcast %low_bits : i16 to f16
    %high_stored = arith.bitcast %high_bits : i16 to f16
    %low = arith.extf %low_stored : f16 to f32
    %high = arith.extf %high_stored : f16 to f32
    %low_cos = arith.mulf %low, %cos_at : f32
    %high_sin = arith.mulf %high, %sin_at : f32
    %high_cos = arith.mulf %high, %cos_at : f32
    %low_sin = arith.mulf %low, %sin_at : f32
    %turned_low = arith.subf %low_cos, %high_sin : f32
    %turned_high = arith.addf %high_cos, %low_sin : f32
    %turned_low_stored = arith.truncf %turned_low : f32 to f16
    %turned_high_stored = arith.truncf %turned_high : f32 to f16
    %out_low_bits = arith.bitcast %turned_low_stored : f16 to i16
    %out_high_bits = arith.bitcast %turned_high_stored : f16 to i16
    %out_low = arith.extui %out_low_bits : i16 to i32
    %out_high_word = arith.extui %out_high_bits : i16 to i32
    %out_high = arith.shli %out_high_word, %column_bits : i32
    %turned = arith.ori %out_low, %out_high : i32
    %i = linalg.index 3 : index
    %is_turned = arith.cmpi ule, %i, %last_pair : index
    %out = arith.select %is_turned, %turned, %word : i32
    linalg.yield %out : i32
  } -> tensor<1x8x64x32xi32>
  %rotated_query = iree_tensor_ext.bitcast %turned_query : tensor<1x8x64x32xi32> -> !rotated_query
  %words_of_key = iree_tensor_ext.bitcast %key : !key -> tensor<1x2x64x32xi32>
  %empty_key = tensor.empty() : tensor<1x2x64x32xi32>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_key, %positions : tensor<1x2x64x32xi32>, !positions)
      outs(%empty_key : tensor<1x2x64x32xi32>) {
  ^bb0(%word: i32, %position: i32, %unused: i32):
    %last_row = arith.constant 4095 : i32
    %row_kept = arith.minui %position, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %pair_in_head = linalg.index 3 : index
    // Pairs that are passed through have no column in the tables; any other will do.
    %column = arith.minui %pair_in_head, %last_pair : index
    %cos_at = tensor.extract %cos[%row, %column] : !cos
    %sin_at = tensor.extract %sin[%row, %column] : !sin
    %low_bits = arith.trunci %word : i32 to i16
    %high_word = arith.shrui %word, %column_bits : i32
    %high_bits = arith.trunci %high_word : i32 to i16
    %low_stored = arith.bitcast %low_bits : i16 to f16
    %high_stored = arith.bitcast %high_bits : i16 to f16
    %low = arith.extf %low_stored : f16 to f32
    %high = arith.extf %high_stored : f16 to f32
    %low_cos = arith.mulf %low, %cos_at : f32
    %high_sin = arith.mulf %high, %sin_at : f32
    %high_cos = arith.mulf %high, %cos_at : f32
    %low_sin = arith.mulf %low, %sin_at : f32
    %turned_low = arith.subf %low_cos, %high_sin : f32
    %turned_high = arith.addf %high_cos, %low_sin : f32
    %turned_low_stored = arith.truncf %turned_low : f32 to f16
    %turned_high_stored = arith.truncf %turned_high : f32 to f16
    %out_low_bits = arith.bitcast %turned_low_stored : f16 to i16
    %out_high_bits = arith.bitcast %turned_high_stored : f16 to i16
    %out_low = arith.extui %out_low_bits : i16 to i32
    %out_high_word = arith.extui %out_high_bits : i16 to i32
    %out_high = arith.shli %out_high_word, %column_bits : i32
    %turned = arith.ori %out_low, %out_high : i32
    %i = linalg.index 3 : index
    %is_turned = arith.cmpi ule, %i, %last_pair : index
    %out = arith.select %is_turned, %turned, %word : i32
    linalg.yield %out : i32
  } -> tensor<1x2x64x32xi32>
  %rotated_key = iree_tensor_ext.bitcast %turned_key : tensor<1x2x64x32xi32> -> !rotated_key
  return %rotated_query, %rotated_key : !rotated_query, !rotated_key
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @rope$async(
    %query: !query,
    %key: !key,
    %positions: !positions,
    %cos: !cos,
    %sin: !sin
  ) -> (!rotated_query, !rotated_key) attributes {iree.abi.model = "coarse-fences"} {
  %rotated_query, %rotated_key = func.call @rope(%query, %key, %positions, %cos, %sin)
    : (!query, !key, !positions, !cos, !sin) -> (!rotated_query, !rotated_key)
  util.return %rotated_query, %rotated_key : !rotated_query, !rotated_key
}
