// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!turns = tensor<32xi64>
!of_tokens = tensor<1x64x32xf32>
!query = tensor<1x8x64x64xf16>
!key = tensor<1x2x64x64xf16>
!positions = tensor<1x64xi32>
!rotated_query = tensor<1x8x64x64xf16>
!rotated_key = tensor<1x2x64x64xf16>

func.func @rope(%query: !query, %key: !key, %positions: !positions) -> (!rotated_query, !rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 928410095122917248, 293589050328200128, 92841009512291728, 29358905032820016, 9284100951229172, 2935890503282001, 928410095122917, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : !turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %column_bits = arith.constant 16 : i32
  %last_pair = arith.constant 7 : index
  %of_tokens_empty = tensor.empty() : !of_tokens
  %cos_made, %sin_made = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, i) -> (b, m)>, affine_map<(b, m, i) -> (i)>,
        affine_map<(b, m, i) -> (b, m, i)>, affine_map<(b, m, i) -> (b, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%positions, %turns : !positions, !turns) outs(%of_tokens_empty, %of_tokens_empty : !of_tokens, !of_tokens) {
  ^bb0(%position: i32, %turn: i64, %unused_cos: f32, %unused_sin: f32):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
    linalg.yield %cos_at, %sin_at : f32, f32
  } -> (!of_tokens, !of_tokens)
  // Beyond a barrier, no kernel of query or key makes them again for each of its heads.
  %cos_of_tokens = iree_tensor_ext.compute_barrier.start %cos_made : !of_tokens -> !of_tokens
  %sin_of_tokens = iree_tensor_ext.compute_barrier.start %sin_made : !of_tokens -> !of_tokens
  %words_of_query = iree_tensor_ext.bitcast %query : !query -> tensor<1x8x64x32xi32>
  %empty_query = tensor.empty() : tensor<1x8x64x32xi32>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_query, %cos_of_tokens, %sin_of_tokens : tensor<1x8x64x32xi32>, !of_tokens, !of_tokens)
      outs(%empty_query : tensor<1x8x64x32xi32>) {
  ^bb0(%word: i32, %cos_at: f32, %sin_at: f32, %unused: i32):
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
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_key, %cos_of_tokens, %sin_of_tokens : tensor<1x2x64x32xi32>, !of_tokens, !of_tokens)
      outs(%empty_key : tensor<1x2x64x32xi32>) {
  ^bb0(%word: i32, %cos_at: f32, %sin_at: f32, %unused: i32):
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
    %positions: !positions
  ) -> (!rotated_query, !rotated_key) attributes {iree.abi.model = "coarse-fences"} {
  %rotated_query, %rotated_key = func.call @rope(%query, %key, %positions)
    : (!query, !key, !positions) -> (!rotated_query, !rotated_key)
  util.return %rotated_query, %rotated_key : !rotated_query, !rotated_key
}
