// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!turns = tensor<32xi64>
!query = tensor<?x8x?x64xf16>
!key = tensor<?x2x?x64xf16>
!positions = tensor<?x?xi32>
!rotated_query = tensor<?x8x?x64xf16>
!rotated_key = tensor<?x2x?x64xf16>

func.func @rope(%query_given: !query, %key_given: !key, %positions_given: !positions) -> (!rotated_query, !rotated_key) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %query_given, %batch_axis : !query
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %q_len_axis = arith.constant 2 : index
  %q_len_given = tensor.dim %query_given, %q_len_axis : !query
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 64, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%batch_dim, %q_len_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%batch_dim, %q_len_dim}
  %positions = flow.tensor.tie_shape %positions_given
    : !positions{%batch_dim, %q_len_dim}
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %column_bits = arith.constant 16 : i32
  %words_of_query = iree_tensor_ext.bitcast %query : !query{%batch_dim, %q_len_dim} -> tensor<?x8x?x32xi32>{%batch_dim, %q_len_dim}
  %empty_query = tensor.empty(%batch_dim, %q_len_dim) : tensor<?x8x?x32xi32>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m)>, affine_map<(b, h, m, i) -> (i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_query, %positions, %turns : tensor<?x8x?x32xi32>, !positions, !turns)
      outs(%empty_query : tensor<?x8x?x32xi32>) {
  ^bb0(%word: i32, %position: i32, %turn: i64, %unused: i32):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
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
    linalg.yield %turned : i32
  } -> tensor<?x8x?x32xi32>
  %rotated_query = iree_tensor_ext.bitcast %turned_query : tensor<?x8x?x32xi32>{%batch_dim, %q_len_dim} -> !rotated_query{%batch_dim, %q_len_dim}
  %words_of_key = iree_tensor_ext.bitcast %key : !key{%batch_dim, %q_len_dim} -> tensor<?x2x?x32xi32>{%batch_dim, %q_len_dim}
  %empty_key = tensor.empty(%batch_dim, %q_len_dim) : tensor<?x2x?x32xi32>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m)>, affine_map<(b, h, m, i) -> (i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_key, %positions, %turns : tensor<?x2x?x32xi32>, !positions, !turns)
      outs(%empty_key : tensor<?x2x?x32xi32>) {
  ^bb0(%word: i32, %position: i32, %turn: i64, %unused: i32):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
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
    linalg.yield %turned : i32
  } -> tensor<?x2x?x32xi32>
  %rotated_key = iree_tensor_ext.bitcast %turned_key : tensor<?x2x?x32xi32>{%batch_dim, %q_len_dim} -> !rotated_key{%batch_dim, %q_len_dim}
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
