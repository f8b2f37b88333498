// A causal convolution of 4 tokens, a channel at a time.
// b sequence, t token, c channel
!x = tensor<9x64xf32>
!weight = tensor<64x4xf32>
!initial_state = tensor<2x3x64xf32>
!cu_seqlens_q = tensor<3xi32>
!output = tensor<9x64xf32>
!final_state = tensor<2x3x64xf32>
!begins = tensor<2xi32>
!sequences = tensor<9xi32>
#token = affine_map<(b, t, c) -> (b, t, c)>

func.func @short_convolution(%x: !x, %weight: !weight, %initial_state: !initial_state, %cu_seqlens_q: !cu_seqlens_q) -> (!output, !final_state) {
  %none = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = arith.constant 9 : index
  %most = arith.index_cast %tokens : index to i32
  %output_empty = tensor.empty() : !output
  // The sequence of each token: the last that has begun, so that no bound of others matters to it.
  %begins = tensor.extract_slice %cu_seqlens_q[0] [2] [1] : !cu_seqlens_q to !begins
  %no_sequence = arith.constant 0 : i32
  %sequences_empty = tensor.empty() : !sequences
  %sequences_none = linalg.fill ins(%no_sequence : i32) outs(%sequences_empty : !sequences) -> !sequences
  %sequences = linalg.generic {
      indexing_maps = [affine_map<(t, b) -> (b)>, affine_map<(t, b) -> (t)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%begins : !begins) outs(%sequences_none : !sequences) {
  ^bb0(%begin_told: i32, %before: i32):
    %t_index = linalg.index 0 : index
    %b_index = linalg.index 1 : index
    %b_i32 = arith.index_cast %b_index : index to i32
    %begin_kept = arith.minui %begin_told, %most : i32
    %begin = arith.index_cast %begin_kept : i32 to index
    %has_begun = arith.cmpi ule, %begin, %t_index : index
    %own = arith.select %has_begun, %b_i32, %no_sequence : i32
    %so_far = arith.maxsi %before, %own : i32
    linalg.yield %so_far : i32
  } -> !sequences
  %output = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%sequences : !sequences) outs(%output_empty : !output) {
  ^bb0(%sequence: i32, %unused: f32):
    %b = arith.index_cast %sequence : i32 to index
    %place = linalg.index 0 : index
    %c = linalg.index 1 : index
    %next = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %first_told = tensor.extract %cu_seqlens_q[%b] : !cu_seqlens_q
    %end_told = tensor.extract %cu_seqlens_q[%next] : !cu_seqlens_q
    %first_kept = arith.minui %first_told, %most : i32
    %first = arith.index_cast %first_kept : i32 to index
    %end_kept = arith.minui %end_told, %most : i32
    %end = arith.index_cast %end_kept : i32 to index
    %t = affine.apply affine_map<(p)[f] -> (p - f)>(%place)[%first]
    %is_begun = arith.cmpi sge, %t, %none : index
    %is_before_end = arith.cmpi slt, %place, %end : index
    %is_real = arith.andi %is_begun, %is_before_end : i1
    %in0_place = affine.apply affine_map<(t) -> (t + 0 - 3)>(%t)
    %in0_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in0_place)
    %in0_is_new = arith.cmpi sge, %in0_place, %none : index
    %in0_new_place = arith.maxsi %in0_place, %none : index
    // Bounds that a call tells may fall.
    %in0_in_sequence = arith.maxsi %in0_in_state, %none : index
    %in0_old_place = affine.min affine_map<(p) -> (p, 2)>(%in0_in_sequence)
    %in0_at = affine.min affine_map<(p)[f, n] -> (p + f, n - 1)>(%in0_new_place)[%first, %tokens]
    %in0_new = tensor.extract %x[%in0_at, %c] : !x
    %in0_old = tensor.extract %initial_state[%b, %in0_old_place, %c] : !initial_state
    %in0 = arith.select %in0_is_new, %in0_new, %in0_old
      : f32

    %tap0 = arith.constant 0 : index
    %weight0 = tensor.extract %weight[%c, %tap0] : !weight

    %sum_1 = math.fma %in0, %weight0, %zero : f32
    %in1_place = affine.apply affine_map<(t) -> (t + 1 - 3)>(%t)
    %in1_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in1_place)
    %in1_is_new = arith.cmpi sge, %in1_place, %none : index
    %in1_new_place = arith.maxsi %in1_place, %none : index
    // Bounds that a call tells may fall.
    %in1_in_sequence = arith.maxsi %in1_in_state, %none : index
    %in1_old_place = affine.min affine_map<(p) -> (p, 2)>(%in1_in_sequence)
    %in1_at = affine.min affine_map<(p)[f, n] -> (p + f, n - 1)>(%in1_new_place)[%first, %tokens]
    %in1_new = tensor.extract %x[%in1_at, %c] : !x
    %in1_old = tensor.extract %initial_state[%b, %in1_old_place, %c] : !initial_state
    %in1 = arith.select %in1_is_new, %in1_new, %in1_old
      : f32

    %tap1 = arith.constant 1 : index
    %weight1 = tensor.extract %weight[%c, %tap1] : !weight

    %sum_2 = math.fma %in1, %weight1, %sum_1 : f32
    %in2_place = affine.apply affine_map<(t) -> (t + 2 - 3)>(%t)
    %in2_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in2_place)
    %in2_is_new = arith.cmpi sge, %in2_place, %none : index
    %in2_new_place = arith.maxsi %in2_place, %none : index
    // Bounds that a call tells may fall.
    %in2_in_sequence = arith.maxsi %in2_in_state, %none : index
    %in2_old_place = affine.min affine_map<(p) -> (p, 2)>(%in2_in_sequence)
    %in2_at = affine.min affine_map<(p)[f, n] -> (p + f, n - 1)>(%in2_new_place)[%first, %tokens]
    %in2_new = tensor.extract %x[%in2_at, %c] : !x
    %in2_old = tensor.extract %initial_state[%b, %in2_old_place, %c] : !initial_state
    %in2 = arith.select %in2_is_new, %in2_new, %in2_old
      : f32

    %tap2 = arith.constant 2 : index
    %weight2 = tensor.extract %weight[%c, %tap2] : !weight

    %sum_3 = math.fma %in2, %weight2, %sum_2 : f32
    %in3_place = affine.apply affine_map<(t) -> (t + 3 - 3)>(%t)
    %in3_in_state = affine.apply affine_map<(p) -> (p + 3)>(%in3_place)
    %in3_is_new = arith.cmpi sge, %in3_place, %none : index
    %in3_new_place = arith.maxsi %in3_place, %none : index
    // Bounds that a call tells may fall.
    %in3_in_sequence = arith.maxsi %in3_in_state, %none : index
    %in3_old_place = affine.min affine_map<(p) -> (p, 2)>(%in3_in_sequence)
    %in3_at = affine.min affine_map<(p)[f, n] -> (p + f, n - 1)>(%in3_new_place)[%first, %tokens]
    %in3_new = tensor.extract %x[%in3_at, %c] : !x
    %in3_old = tensor.extract %initial_state[%b, %in3_old_place, %c] : !initial_state
    %in3 = arith.select %in3_is_new, %in3_new, %in3_old
      : f32

    %tap3 = arith.constant 3 : index
    %weight3 = tensor.extract %weight[%c, %tap3] : !weight

    %sum = math.fma %in3, %weight3, %sum_3 : f32
    %minus_z = arith.negf %sum : f32
    %closing = math.exp %minus_z : f32
    %one = arith.constant 1.0 : f32
    %divisor = arith.addf %closing, %one : f32
    %opened = arith.divf %sum, %divisor : f32
    %made = arith.select %is_real, %opened, %zero : f32

    linalg.yield %made : f32
  } -> !output

  // The last tokens.
  %final_state_empty = tensor.empty() : !final_state
  %final_state = linalg.generic {
      indexing_maps = [#token], iterator_types = ["parallel", "parallel", "parallel"]
    } outs(%final_state_empty : !final_state) {
  ^bb0(%unused: f32):
    %b = linalg.index 0 : index
    %t = linalg.index 1 : index
    %c = linalg.index 2 : index
    %next = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %first_told = tensor.extract %cu_seqlens_q[%b] : !cu_seqlens_q
    %end_told = tensor.extract %cu_seqlens_q[%next] : !cu_seqlens_q
    %first_kept = arith.minui %first_told, %most : i32
    %first = arith.index_cast %first_kept : i32 to index
    %end_kept = arith.minui %end_told, %most : i32
    %end = arith.index_cast %end_kept : i32 to index
    %count = affine.apply affine_map<()[f, e] -> (e - f)>()[%first, %end]
    %last_place = affine.apply affine_map<(t)[n] -> (t + n - 3)>(%t)[%count]
    %last_in_state = affine.apply affine_map<(p) -> (p + 3)>(%last_place)
    %last_is_new = arith.cmpi sge, %last_place, %none : index
    %last_new_place = arith.maxsi %last_place, %none : index
    // Bounds that a call tells may fall.
    %last_in_sequence = arith.maxsi %last_in_state, %none : index
    %last_old_place = affine.min affine_map<(p) -> (p, 2)>(%last_in_sequence)
    %last_at = affine.min affine_map<(p)[f, n] -> (p + f, n - 1)>(%last_new_place)[%first, %tokens]
    %last_new = tensor.extract %x[%last_at, %c] : !x
    %last_old = tensor.extract %initial_state[%b, %last_old_place, %c] : !initial_state
    %last = arith.select %last_is_new, %last_new, %last_old
      : f32
    linalg.yield %last : f32
  } -> !final_state
  return %output, %final_state
    : !output, !final_state
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @short_convolution$async(
    %x: !x,
    %weight: !weight,
    %initial_state: !initial_state,
    %cu_seqlens_q: !cu_seqlens_q
  ) -> (!output, !final_state) attributes {iree.abi.model = "coarse-fences"} {
  %output, %final_state = func.call @short_convolution(%x, %weight, %initial_state, %cu_seqlens_q)
    : (!x, !weight, !initial_state, !cu_seqlens_q) -> (!output, !final_state)
  util.return %output, %final_state : !output, !final_state
}
