// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!query = tensor<1x8x64x64xf16>
!key = tensor<1x2x64x64xf16>
!positions = tensor<1x64xi32>
!cos = tensor<4096x24xf32>
!sin = tensor<4096x24xf32>
!rotated_query = tensor<1x8x64x64xf16>
!rotated_key = tensor<1x2x64x64xf16>

func.func @rope(%query: !query, %key: !key, %positions: !positions, %cos: !cos, %sin: !sin) -> (!rotated_query, !rotated_key) {
  %chunk0 = arith.constant 0 : index
  %chunk1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 64, 24] [1, 1, 1, 1] : !query to tensor<1x8x64x24xf16>
  %high_query = tensor.extract_slice %query[0, 0, 0, 24] [1, 8, 64, 24] [1, 1, 1, 1] : !query to tensor<1x8x64x24xf16>
  %padded_query = tensor.pad %query low[0, 0, 0, 0] high[0, 0, 0, 8] {
  ^bb0(%pb: index, %ph: index, %pm: index, %pk: index):
    tensor.yield %zero : f16
  } : !query to tensor<1x8x64x72xf16>
  %chunks_of_query = tensor.expand_shape %padded_query [[0], [1], [2], [3, 4]] output_shape [1, 8, 64, 3, 24] : tensor<1x8x64x72xf16> into tensor<1x8x64x3x24xf16>
  %empty_query = tensor.empty() : tensor<1x8x64x3x24xf16>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %positions, %chunks_of_query
        : tensor<1x8x64x24xf16>, tensor<1x8x64x24xf16>, !positions, tensor<1x8x64x3x24xf16>)
      outs(%empty_query : tensor<1x8x64x3x24xf16>) {
  ^bb0(%low: f16, %high: f16, %position: i32, %own: f16, %unused: f16):
    %last_row = arith.constant 4095 : i32
    %row_kept = arith.minui %position, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %column = linalg.index 4 : index
    %cos_at = tensor.extract %cos[%row, %column] : !cos
    %sin_at = tensor.extract %sin[%row, %column] : !sin
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
    %is_turned = arith.cmpi ule, %c, %chunk1 : index
    %out = arith.select %is_turned, %turned_stored, %own : f16
    linalg.yield %out : f16
  } -> tensor<1x8x64x3x24xf16>
  %whole_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<1x8x64x3x24xf16> into tensor<1x8x64x72xf16>
  %rotated_query = tensor.extract_slice %whole_query[0, 0, 0, 0] [1, 8, 64, 64] [1, 1, 1, 1] : tensor<1x8x64x72xf16> to !rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, 64, 24] [1, 1, 1, 1] : !key to tensor<1x2x64x24xf16>
  %high_key = tensor.extract_slice %key[0, 0, 0, 24] [1, 2, 64, 24] [1, 1, 1, 1] : !key to tensor<1x2x64x24xf16>
  %padded_key = tensor.pad %key low[0, 0, 0, 0] high[0, 0, 0, 8] {
  ^bb0(%pb: index, %ph: index, %pm: index, %pk: index):
    tensor.yield %zero : f16
  } : !key to tensor<1x2x64x72xf16>
  %chunks_of_key = tensor.expand_shape %padded_key [[0], [1], [2], [3, 4]] output_shape [1, 2, 64, 3, 24] : tensor<1x2x64x72xf16> into tensor<1x2x64x3x24xf16>
  %empty_key = tensor.empty() : tensor<1x2x64x3x24xf16>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %positions, %chunks_of_key
        : tensor<1x2x64x24xf16>, tensor<1x2x64x24xf16>, !positions, tensor<1x2x64x3x24xf16>)
      outs(%empty_key : tensor<1x2x64x3x24xf16>) {
  ^bb0(%low: f16, %high: f16, %position: i32, %own: f16, %unused: f16):
    %last_row = arith.constant 4095 : i32
    %row_kept = arith.minui %position, %last_row : i32
    %row = arith.index_cast %row_kept : i32 to index
    %column = linalg.index 4 : index
    %cos_at = tensor.extract %cos[%row, %column] : !cos
    %sin_at = tensor.extract %sin[%row, %column] : !sin
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
    %is_turned = arith.cmpi ule, %c, %chunk1 : index
    %out = arith.select %is_turned, %turned_stored, %own : f16
    linalg.yield %out : f16
  } -> tensor<1x2x64x3x24xf16>
  %whole_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<1x2x64x3x24xf16> into tensor<1x2x64x72xf16>
  %rotated_key = tensor.extract_slice %whole_key[0, 0, 0, 0] [1, 2, 64, 64] [1, 1, 1, 1] : tensor<1x2x64x72xf16> to !rotated_key
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
