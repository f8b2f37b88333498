// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!turns = tensor<32xi64>
!query = tensor<1x8x64x64xf32>
!key = tensor<1x2x64x64xf32>
!positions = tensor<1x64xi32>
!rotated_query = tensor<1x8x64x64xf32>
!rotated_key = tensor<1x2x64x64xf32>

func.func @rope(%query: !query, %key: !key, %positions: !positions) -> (!rotated_query, !rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %column_bits = arith.constant 32 : i64
  %words_of_query = iree_tensor_ext.bitcast %query : !query -> tensor<1x8x64x32xi64>
  %empty_query = tensor.empty() : tensor<1x8x64x32xi64>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m)>, affine_map<(b, h, m, i) -> (i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_query, %positions, %turns : tensor<1x8x64x32xi64>, !positions, !turns)
      outs(%empty_query : tensor<1x8x64x32xi64>) {
  ^bb0(%word: i64, %position: i32, %turn: i64, %unused: i64):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
    %low_bits = arith.trunci %word : i64 to i32
    %high_word = arith.shrui %word, %column_bits : i64
    %high_bits = arith.trunci %high_word : i64 to i32
    %low = arith.bitcast %low_bits : i32 to f32
    %high = arith.bitcast %high_bits : i32 to f32


    %low_cos = arith.mulf %low, %cos_at : f32
    %high_sin = arith.mulf %high, %sin_at : f32
    %high_cos = arith.mulf %high, %cos_at : f32
    %low_sin = arith.mulf %low, %sin_at : f32
    %turned_low = arith.subf %low_cos, %high_sin : f32
    %turned_high = arith.addf %high_cos, %low_sin : f32


    %out_low_bits = arith.bitcast %turned_low : f32 to i32
    %out_high_bits = arith.bitcast %turned_high : f32 to i32
    %out_low = arith.extui %out_low_bits : i32 to i64
    %out_high_word = arith.extui %out_high_bits : i32 to i64
    %out_high = arith.shli %out_high_word, %column_bits : i64
    %turned = arith.ori %out_low, %out_high : i64
    linalg.yield %turned : i64
  } -> tensor<1x8x64x32xi64>
  %rotated_query = iree_tensor_ext.bitcast %turned_query : tensor<1x8x64x32xi64> -> !rotated_query
  %words_of_key = iree_tensor_ext.bitcast %key : !key -> tensor<1x2x64x32xi64>
  %empty_key = tensor.empty() : tensor<1x2x64x32xi64>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m)>, affine_map<(b, h, m, i) -> (i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_key, %positions, %turns : tensor<1x2x64x32xi64>, !positions, !turns)
      outs(%empty_key : tensor<1x2x64x32xi64>) {
  ^bb0(%word: i64, %position: i32, %turn: i64, %unused: i64):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
    %low_bits = arith.trunci %word : i64 to i32
    %high_word = arith.shrui %word, %column_bits : i64
    %high_bits = arith.trunci %high_word : i64 to i32
    %low = arith.bitcast %low_bits : i32 to f32
    %high = arith.bitcast %high_bits : i32 to f32


    %low_cos = arith.mulf %low, %cos_at : f32
    %high_sin = arith.mulf %high, %sin_at : f32
    %high_cos = arith.mulf %high, %cos_at : f32
    %low_sin = arith.mulf %low, %sin_at : f32
    %turned_low = arith.subf %low_cos, %high_sin : f32
    %turned_high = arith.addf %high_cos, %low_sin : f32


    %out_low_bits = arith.bitcast %turned_low : f32 to i32
    %out_high_bits = arith.bitcast %turned_high : f32 to i32
    %out_low = arith.extui %out_low_bits : i32 to i64
    %out_high_word = arith.extui %out_high_bits : i32 to i64
    %out_high = arith.shli %out_high_word, %column_bits : i64
    %turned = arith.ori %out_low, %out_high : i64
    linalg.yield %turned : i64
  } -> tensor<1x2x64x32xi64>
  %rotated_key = iree_tensor_ext.bitcast %turned_key : tensor<1x2x64x32xi64> -> !rotated_key
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
