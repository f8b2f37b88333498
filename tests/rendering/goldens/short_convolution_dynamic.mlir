// A causal convolution of 4 tokens, a channel at a time.
// b sequence, t token, c channel
!x = tensor<1x?x8192xf16>
!weight = tensor<8192x4xf16>
!bias = tensor<8192xf16>
!initial_state = tensor<1x3x8192xf16>
!output = tensor<1x?x8192xf16>
!final_state = tensor<1x3x8192xf16>
#token = affine_map<(b, t, c) -> (b, t, c)>

func.func @short_convolution(%x_given: !x, %weight: !weight, %bias: !bias, %initial_state: !initial_state) -> (!output, !final_state) {
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %x_given, %q_len_axis : !x
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 2048, udiv = 1> : index
  %x = flow.tensor.tie_shape %x_given
    : !x{%q_len_dim}
  %none = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = affine.apply affine_map<()[n] -> (n)>()[%q_len_dim]
  %most = arith.index_cast %tokens : index to i32
  %output_empty = tensor.empty(%q_len_dim) : !output
  %output = linalg.generic {
      indexing_maps = [#token], iterator_types = ["parallel", "parallel", "parallel"]
    } outs(%output_empty : !output) {
  ^bb0(%unused: f16):
    %b = linalg.index 0 : index
    %t = linalg.index 1 : index
    %c = linalg.index 2 : index
    %in0_place = affine.apply affine_map<(t) -> (t + 0 - 3)>(%t)
    %in0_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in0_place)
    %in0_is_new = arith.cmpi sge, %in0_place, %none : index
    %in0_new_place = arith.maxsi %in0_place, %none : index
    %in0_old_place = affine.min affine_map<(p) -> (p, 2)>(%in0_in_state)
    %in0_new = tensor.extract %x[%b, %in0_new_place, %c] : !x
    %in0_old = tensor.extract %initial_state[%b, %in0_old_place, %c] : !initial_state
    %in0_stored = arith.select %in0_is_new, %in0_new, %in0_old
      : f16
    %in0 = arith.extf %in0_stored : f16 to f32
    %tap0 = arith.constant 0 : index
    %weight0_stored = tensor.extract %weight[%c, %tap0] : !weight
    %weight0 = arith.extf %weight0_stored : f16 to f32
    %sum_1 = math.fma %in0, %weight0, %zero : f32
    %in1_place = affine.apply affine_map<(t) -> (t + 1 - 3)>(%t)
    %in1_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in1_place)
    %in1_is_new = arith.cmpi sge, %in1_place, %none : index
    %in1_new_place = arith.maxsi %in1_place, %none : index
    %in1_old_place = affine.min affine_map<(p) -> (p, 2)>(%in1_in_state)
    %in1_new = tensor.extract %x[%b, %in1_new_place, %c] : !x
    %in1_old = tensor.extract %initial_state[%b, %in1_old_place, %c] : !initial_state
    %in1_stored = arith.select %in1_is_new, %in1_new, %in1_old
      : f16
    %in1 = arith.extf %in1_stored : f16 to f32
    %tap1 = arith.constant 1 : index
    %weight1_stored = tensor.extract %weight[%c, %tap1] : !weight
    %weight1 = arith.extf %weight1_stored : f16 to f32
    %sum_2 = math.fma %in1, %weight1, %sum_1 : f32
    %in2_place = affine.apply affine_map<(t) -> (t + 2 - 3)>(%t)
    %in2_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in2_place)
    %in2_is_new = arith.cmpi sge, %in2_place, %none : index
    %in2_new_place = arith.maxsi %in2_place, %none : index
    %in2_old_place = affine.min affine_map<(p) -> (p, 2)>(%in2_in_state)
    %in2_new = tensor.extract %x[%b, %in2_new_place, %c] : !x
    %in2_old = tensor.extract %initial_state[%b, %in2_old_place, %c] : !initial_state
    %in2_stored = arith.select %in2_is_new, %in2_new, %in2_old
      : f16
    %in2 = arith.extf %in2_stored : f16 to f32
    %tap2 = arith.constant 2 : index
    %weight2_stored = tensor.extract %weight[%c, %tap2] : !weight
    %weight2 = arith.extf %weight2_stored : f16 to f32
    %sum_3 = math.fma %in2, %weight2, %sum_2 : f32
    %in3_place = affine.apply affine_map<(t) -> (t + 3 - 3)>(%t)
    %in3_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in3_place)
    %in3_is_new = arith.cmpi sge, %in3_place, %none : index
    %in3_new_place = arith.maxsi %in3_place, %none : index
    %in3_old_place = affine.min affine_map<(p) -> (p, 2)>(%in3_in_state)
    %in3_new = tensor.extract %x[%b, %in3_new_place, %c] : !x
    %in3_old = tensor.extract %initial_state[%b, %in3_old_place, %c] : !initial_state
    %in3_stored = arith.select %in3_is_new, %in3_new, %in3_old
      : f16
    %in3 = arith.extf %in3_stored : f16 to f32
    %tap3 = arith.constant 3 : index
    %weight3_stored = tensor.extract %weight[%c, %tap3] : !weight
    %weight3 = arith.extf %weight3_stored : f16 to f32
    %sum = math.fma %in3, %weight3, %sum_3 : f32
    %own_bias_stored = tensor.extract %bias[%c] : !bias
    %own_bias = arith.extf %own_bias_stored : f16 to f32
    %with_bias = arith.addf %sum, %own_bias : f32
    %with_bias_stored = arith.truncf %with_bias : f32 to f16
    linalg.yield %with_bias_stored : f16
  } -> !output

  // The last tokens.
  %final_state_empty = tensor.empty() : !final_state
  %final_state = linalg.generic {
      indexing_maps = [#token], iterator_types = ["parallel", "parallel", "parallel"]
    } outs(%final_state_empty : !final_state) {
  ^bb0(%unused: f16):
    %b = linalg.index 0 : index
    %t = linalg.index 1 : index
    %c = linalg.index 2 : index
    %last_place = affine.apply affine_map<(t)[n] -> (t + n - 3)>(%t)[%tokens]
    %last_in_state = affine.apply affine_map<(p) -> (p + 3)>(%last_place)
    %last_is_new = arith.cmpi sge, %last_place, %none : index
    %last_new_place = arith.maxsi %last_place, %none : index
    %last_old_place = affine.min affine_map<(p) -> (p, 2)>(%last_in_state)
    %last_new = tensor.extract %x[%b, %last_new_place, %c] : !x
    %last_old = tensor.extract %initial_state[%b, %last_old_place, %c] : !initial_state
    %last_stored = arith.select %last_is_new, %last_new, %last_old
      : f16
    linalg.yield %last_stored : f16
  } -> !final_state
  return %output, %final_state
    : !output, !final_state
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @short_convolution$async(
    %x: !x,
    %weight: !weight,
    %bias: !bias,
    %initial_state: !initial_state
  ) -> (!output, !final_state) attributes {iree.abi.model = "coarse-fences"} {
  %output, %final_state = func.call @short_convolution(%x, %weight, %bias, %initial_state)
    : (!x, !weight, !bias, !initial_state) -> (!output, !final_state)
  util.return %output, %final_state : !output, !final_state
}
