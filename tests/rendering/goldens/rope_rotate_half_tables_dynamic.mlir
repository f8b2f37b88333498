// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!turns = tensor<32xi64>
!of_tokens = tensor<1x?x32xf32>
!query = tensor<1x8x?x64xf16>
!key = tensor<1x2x?x64xf16>
!positions = tensor<1x?xi32>
!rotated_query = tensor<1x8x?x64xf16>
!rotated_key = tensor<1x2x?x64xf16>

func.func @rope(%query_given: !query, %key_given: !key, %positions_given: !positions) -> (!rotated_query, !rotated_key) {
  %q_len_axis = arith.constant 2 : index
  %q_len_given = tensor.dim %query_given, %q_len_axis : !query
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 64, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%q_len_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%q_len_dim}
  %positions = flow.tensor.tie_shape %positions_given
    : !positions{%q_len_dim}
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %chunk0 = arith.constant 0 : index
  %of_tokens_empty = tensor.empty(%q_len_dim) : !of_tokens
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
  %cos_of_tokens = iree_tensor_ext.compute_barrier.start %cos_made : !of_tokens{%q_len_dim} -> !of_tokens
  %sin_of_tokens = iree_tensor_ext.compute_barrier.start %sin_made : !of_tokens{%q_len_dim} -> !of_tokens
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, %q_len_dim, 32] [1, 1, 1, 1] : !query to tensor<1x8x?x32xf16>
  %high_query = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, %q_len_dim, 32] [1, 1, 1, 1] : !query to tensor<1x8x?x32xf16>
  %empty_query = tensor.empty(%q_len_dim) : tensor<1x8x?x2x32xf16>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %cos_of_tokens, %sin_of_tokens
        : tensor<1x8x?x32xf16>, tensor<1x8x?x32xf16>, !of_tokens, !of_tokens)
      outs(%empty_query : tensor<1x8x?x2x32xf16>) {
  ^bb0(%low: f16, %high: f16, %cos_at: f32, %sin_at: f32, %unused: f16):
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
  } -> tensor<1x8x?x2x32xf16>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<1x8x?x2x32xf16> into !rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, %q_len_dim, 32] [1, 1, 1, 1] : !key to tensor<1x2x?x32xf16>
  %high_key = tensor.extract_slice %key[0, 0, 0, 32] [1, 2, %q_len_dim, 32] [1, 1, 1, 1] : !key to tensor<1x2x?x32xf16>
  %empty_key = tensor.empty(%q_len_dim) : tensor<1x2x?x2x32xf16>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %cos_of_tokens, %sin_of_tokens
        : tensor<1x2x?x32xf16>, tensor<1x2x?x32xf16>, !of_tokens, !of_tokens)
      outs(%empty_key : tensor<1x2x?x2x32xf16>) {
  ^bb0(%low: f16, %high: f16, %cos_at: f32, %sin_at: f32, %unused: f16):
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
  } -> tensor<1x2x?x2x32xf16>
  %rotated_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<1x2x?x2x32xf16> into !rotated_key
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
