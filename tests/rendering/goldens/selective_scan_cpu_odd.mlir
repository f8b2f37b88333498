
// The selective scan: the lanes of a register are channels.
!x = tensor<?x37xf32>
!steps = tensor<?x37xf32>
!key = tensor<?x3xf32>
!query = tensor<?x3xf32>
!gate = tensor<?x37xf32>
!decay_log = tensor<3x37xf32>
!time_bias = tensor<37xf32>
!skip_weight = tensor<37xf32>
!initial_state = tensor<2x3x37xf32>
!cu_seqlens_q = tensor<3xi32>
!output = tensor<?x37xf32>
!final_state = tensor<2x3x37xf32>
!x_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x37xf32>>
!steps_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x37xf32>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x3xf32>>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x3xf32>>
!gate_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x37xf32>>
!decay_log_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x37xf32>>
!time_bias_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<37xf32>>
!skip_weight_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<37xf32>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xi32>>
!initial_state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x3x37xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x37xf32>>
!lanes = vector<8xf32>
!lanes_stored = vector<8xf32>

func.func @selective_scan(%x_given: !x, %steps_given: !steps, %key_given: !key, %query_given: !query, %gate_given: !gate, %decay_log: !decay_log, %time_bias: !time_bias, %skip_weight: !skip_weight, %initial_state: !initial_state {iree.abi.consume}, %cu_seqlens_q: !cu_seqlens_q) -> (!output, !final_state) {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_given = tensor.dim %x_given, %q_tokens_axis : !x
  %q_tokens_dim = util.assume.int %q_tokens_given
    <umin = 1, umax = 9, udiv = 1> : index
  %x = flow.tensor.tie_shape %x_given
    : !x{%q_tokens_dim}
  %steps = flow.tensor.tie_shape %steps_given
    : !steps{%q_tokens_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%q_tokens_dim}
  %query = flow.tensor.tie_shape %query_given
    : !query{%q_tokens_dim}
  %gate = flow.tensor.tie_shape %gate_given
    : !gate{%q_tokens_dim}
  %final_state, %output =
    flow.dispatch @final_state_kernel::@final_state_kernel[%q_tokens_dim](
      %x, %steps, %key, %query, %gate, %decay_log, %time_bias, %skip_weight, %cu_seqlens_q, %initial_state, %q_tokens_dim
    ) : (
      tensor<?x37xf32>{%q_tokens_dim},
      tensor<?x37xf32>{%q_tokens_dim},
      tensor<?x3xf32>{%q_tokens_dim},
      tensor<?x3xf32>{%q_tokens_dim},
      tensor<?x37xf32>{%q_tokens_dim},
      tensor<3x37xf32>,
      tensor<37xf32>,
      tensor<37xf32>,
      tensor<3xi32>,
      tensor<2x3x37xf32>,
      index
    ) -> (%initial_state, tensor<?x37xf32>{%q_tokens_dim})
  return %output, %final_state
    : !output, !final_state
}
flow.executable private @final_state_kernel {
  flow.executable.export public @final_state_kernel
      workgroups(%q_tokens_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%q_tokens_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @final_state_kernel(
      %x_in: !x_in,
      %steps_in: !steps_in,
      %key_in: !key_in,
      %query_in: !query_in,
      %gate_in: !gate_in,
      %decay_log_in: !decay_log_in,
      %time_bias_in: !time_bias_in,
      %skip_weight_in: !skip_weight_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %initial_state_in: !initial_state_in,
      %q_tokens_dim_in: index,
      %output_out: !output_out
    ) {
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %q_tokens_dim_in, 0 : index
    %x_tied = flow.dispatch.tie_shape %x_in
      : !x_in{%q_tokens_dim}
    %x = iree_tensor_ext.dispatch.tensor.load %x_tied,
      offsets = [0, 0], sizes = [%q_tokens_dim, 37], strides = [1, 1]
      : !x_in{%q_tokens_dim} -> tensor<?x37xf32>
    %steps_tied = flow.dispatch.tie_shape %steps_in
      : !steps_in{%q_tokens_dim}
    %steps = iree_tensor_ext.dispatch.tensor.load %steps_tied,
      offsets = [0, 0], sizes = [%q_tokens_dim, 37], strides = [1, 1]
      : !steps_in{%q_tokens_dim} -> tensor<?x37xf32>
    %key_tied = flow.dispatch.tie_shape %key_in
      : !key_in{%q_tokens_dim}
    %key = iree_tensor_ext.dispatch.tensor.load %key_tied,
      offsets = [0, 0], sizes = [%q_tokens_dim, 3], strides = [1, 1]
      : !key_in{%q_tokens_dim} -> tensor<?x3xf32>
    %query_tied = flow.dispatch.tie_shape %query_in
      : !query_in{%q_tokens_dim}
    %query = iree_tensor_ext.dispatch.tensor.load %query_tied,
      offsets = [0, 0], sizes = [%q_tokens_dim, 3], strides = [1, 1]
      : !query_in{%q_tokens_dim} -> tensor<?x3xf32>
    %gate_tied = flow.dispatch.tie_shape %gate_in
      : !gate_in{%q_tokens_dim}
    %gate = iree_tensor_ext.dispatch.tensor.load %gate_tied,
      offsets = [0, 0], sizes = [%q_tokens_dim, 37], strides = [1, 1]
      : !gate_in{%q_tokens_dim} -> tensor<?x37xf32>
    %decay_log = iree_tensor_ext.dispatch.tensor.load %decay_log_in,
      offsets = [0, 0], sizes = [3, 37], strides = [1, 1]
      : !decay_log_in -> tensor<3x37xf32>
    %time_bias = iree_tensor_ext.dispatch.tensor.load %time_bias_in,
      offsets = [0], sizes = [37], strides = [1]
      : !time_bias_in -> tensor<37xf32>
    %skip_weight = iree_tensor_ext.dispatch.tensor.load %skip_weight_in,
      offsets = [0], sizes = [37], strides = [1]
      : !skip_weight_in -> tensor<37xf32>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [3], strides = [1]
      : !cu_seqlens_q_in -> tensor<3xi32>
    %initial_state = iree_tensor_ext.dispatch.tensor.load %initial_state_in,
      offsets = [0, 0, 0], sizes = [2, 3, 37], strides = [1, 1, 1]
      : !initial_state_in -> tensor<2x3x37xf32>
    %output_tied = flow.dispatch.tie_shape %output_out
      : !output_out{%q_tokens_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %batch = arith.constant 2 : index
    %blocks = arith.constant 5 : index
    %zero = arith.constant 0.0 : f32
    %no_element = arith.constant 0.0 : f32
    %no_lanes = arith.constant dense<0.0> : !lanes
    %units = arith.constant dense<1.0> : !lanes
    %log2e = arith.constant dense<1.4426950408889634> : !lanes
    %output_empty = tensor.empty(%q_tokens_dim) : !output
    %workgroups:2 = scf.forall (%b, %block) in (%batch, %blocks)
        shared_outs(%state_all = %initial_state, %output_all = %output_empty) -> (!initial_state, !output) {
      %c = affine.apply affine_map<(i) -> (i * 8)>(%block)
      %most = arith.index_cast %q_tokens_dim : index to i32
      %next = affine.apply affine_map<(b) -> (b + 1)>(%b)
      // The first sequence has the tokens before all, too, so that each row is written whatever the bounds.
      %is_first = arith.cmpi eq, %b, %none : index
      %first_row = arith.constant 0 : i32
      %first_given = tensor.extract %cu_seqlens_q[%b] : !cu_seqlens_q
      %first_told = arith.select %is_first, %first_row, %first_given : i32
      %end_told = tensor.extract %cu_seqlens_q[%next] : !cu_seqlens_q
    %first_kept = arith.minui %first_told, %most : i32
    %first = arith.index_cast %first_kept : i32 to index
    %end_kept = arith.minui %end_told, %most : i32
    %end = arith.index_cast %end_kept : i32 to index
      %own_time_bias = vector.transfer_read %time_bias[%c], %zero {in_bounds = [false]} : !time_bias, !lanes
      %own_skip_weight = vector.transfer_read %skip_weight[%c], %zero {in_bounds = [false]} : !skip_weight, !lanes
      %column0 = arith.constant 0 : index
      %decay_log0 = vector.transfer_read %decay_log[%column0, %c], %zero {in_bounds = [false]}
        : !decay_log, !lanes
      %speed0 = math.exp %decay_log0 : !lanes
      %rate_of_e0 = arith.negf %speed0 : !lanes
      %rate0 = arith.mulf %rate_of_e0, %log2e : !lanes
      %begin0 = vector.transfer_read %state_all[%b, %column0, %c], %zero {in_bounds = [false]}
        : !initial_state, !lanes
      %column1 = arith.constant 1 : index
      %decay_log1 = vector.transfer_read %decay_log[%column1, %c], %zero {in_bounds = [false]}
        : !decay_log, !lanes
      %speed1 = math.exp %decay_log1 : !lanes
      %rate_of_e1 = arith.negf %speed1 : !lanes
      %rate1 = arith.mulf %rate_of_e1, %log2e : !lanes
      %begin1 = vector.transfer_read %state_all[%b, %column1, %c], %zero {in_bounds = [false]}
        : !initial_state, !lanes
      %column2 = arith.constant 2 : index
      %decay_log2 = vector.transfer_read %decay_log[%column2, %c], %zero {in_bounds = [false]}
        : !decay_log, !lanes
      %speed2 = math.exp %decay_log2 : !lanes
      %rate_of_e2 = arith.negf %speed2 : !lanes
      %rate2 = arith.mulf %rate_of_e2, %log2e : !lanes
      %begin2 = vector.transfer_read %state_all[%b, %column2, %c], %zero {in_bounds = [false]}
        : !initial_state, !lanes
      %done0, %done1, %done2, %output_real = scf.for %t = %first to %end step %one
          iter_args(%before0 = %begin0, %before1 = %begin1, %before2 = %begin2, %output_before = %output_all)
            -> (!lanes, !lanes, !lanes, !output) {
        %own_x = vector.transfer_read %x[%t, %c], %no_element
          {in_bounds = [false]} : !x, !lanes_stored

        %own_steps = vector.transfer_read %steps[%t, %c], %no_element
          {in_bounds = [false]} : !steps, !lanes_stored

        %own_gate = vector.transfer_read %gate[%t, %c], %no_element
          {in_bounds = [false]} : !gate, !lanes_stored

        %z = arith.addf %own_steps, %own_time_bias : !lanes
        %size = math.absf %z : !lanes
        %minus_size = arith.negf %size : !lanes
        %rest = math.exp %minus_size : !lanes
        %more = math.log1p %rest : !lanes
        %positive = arith.maximumf %z, %no_lanes : !lanes
        %time = arith.addf %positive, %more : !lanes
        %written = arith.mulf %time, %own_x : !lanes
        %key0 = tensor.extract %key[%t, %column0] : !key

        %key_of_lanes0 = vector.broadcast %key0 : f32 to !lanes
        %query0 = tensor.extract %query[%t, %column0] : !query

        %query_of_lanes0 = vector.broadcast %query0 : f32 to !lanes
        %power0 = arith.mulf %time, %rate0 : !lanes
        %kept0 = math.exp2 %power0 : !lanes
        %forgotten0 = arith.mulf %before0, %kept0 : !lanes
        %after0 = math.fma %written, %key_of_lanes0, %forgotten0 : !lanes
        %read_1 = math.fma %after0, %query_of_lanes0, %no_lanes : !lanes
        %key1 = tensor.extract %key[%t, %column1] : !key

        %key_of_lanes1 = vector.broadcast %key1 : f32 to !lanes
        %query1 = tensor.extract %query[%t, %column1] : !query

        %query_of_lanes1 = vector.broadcast %query1 : f32 to !lanes
        %power1 = arith.mulf %time, %rate1 : !lanes
        %kept1 = math.exp2 %power1 : !lanes
        %forgotten1 = arith.mulf %before1, %kept1 : !lanes
        %after1 = math.fma %written, %key_of_lanes1, %forgotten1 : !lanes
        %read_2 = math.fma %after1, %query_of_lanes1, %read_1 : !lanes
        %key2 = tensor.extract %key[%t, %column2] : !key

        %key_of_lanes2 = vector.broadcast %key2 : f32 to !lanes
        %query2 = tensor.extract %query[%t, %column2] : !query

        %query_of_lanes2 = vector.broadcast %query2 : f32 to !lanes
        %power2 = arith.mulf %time, %rate2 : !lanes
        %kept2 = math.exp2 %power2 : !lanes
        %forgotten2 = arith.mulf %before2, %kept2 : !lanes
        %after2 = math.fma %written, %key_of_lanes2, %forgotten2 : !lanes
        %read = math.fma %after2, %query_of_lanes2, %read_2 : !lanes
        %around = math.fma %own_x, %own_skip_weight, %read : !lanes
        %minus_gate = arith.negf %own_gate : !lanes
        %closing = math.exp %minus_gate : !lanes
        %divisor = arith.addf %closing, %units : !lanes
        %opened = arith.divf %own_gate, %divisor : !lanes
        %made = arith.mulf %around, %opened : !lanes

        %output_next = vector.transfer_write %made, %output_before[%t, %c]
          {in_bounds = [false]} : !lanes_stored, !output
        scf.yield %after0, %after1, %after2, %output_next : !lanes, !lanes, !lanes, !output
      }
      %state_done_1 = vector.transfer_write %done0, %state_all[%b, %column0, %c] {in_bounds = [false]}
        : !lanes, !initial_state
      %state_done_2 = vector.transfer_write %done1, %state_done_1[%b, %column1, %c] {in_bounds = [false]}
        : !lanes, !initial_state
      %state_done = vector.transfer_write %done2, %state_done_2[%b, %column2, %c] {in_bounds = [false]}
        : !lanes, !initial_state
      %no_output = arith.constant dense<0.0> : !lanes_stored
      %is_last = arith.cmpi eq, %next, %batch : index
      %padding_end = arith.select %is_last, %q_tokens_dim, %end : index
      %output_done = scf.for %t = %end to %padding_end step %one iter_args(%output_before = %output_real)
          -> (!output) {
        %output_next = vector.transfer_write %no_output, %output_before[%t, %c] {in_bounds = [false]}
          : !lanes_stored, !output
        scf.yield %output_next : !output
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_all
          [0, 0, 0] [2, 3, 37] [1, 1, 1]
              : tensor<2x3x37xf32> into tensor<2x3x37xf32>
        tensor.parallel_insert_slice %output_done into %output_all
          [0, 0] [%q_tokens_dim, 37] [1, 1]
              : tensor<?x37xf32> into tensor<?x37xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %initial_state_in,
      offsets = [0, 0, 0], sizes = [2, 3, 37], strides = [1, 1, 1]
      : tensor<2x3x37xf32> -> !initial_state_in
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %output_tied,
      offsets = [0, 0], sizes = [%q_tokens_dim, 37], strides = [1, 1]
      : tensor<?x37xf32> -> !output_out{%q_tokens_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @selective_scan$async(
    %x: !x,
    %steps: !steps,
    %key: !key,
    %query: !query,
    %gate: !gate,
    %decay_log: !decay_log,
    %time_bias: !time_bias,
    %skip_weight: !skip_weight,
    %initial_state: !initial_state {iree.abi.consume},
    %cu_seqlens_q: !cu_seqlens_q
  ) -> (!output, !final_state) attributes {iree.abi.model = "coarse-fences"} {
  %output, %final_state = func.call @selective_scan(%x, %steps, %key, %query, %gate, %decay_log, %time_bias, %skip_weight, %initial_state, %cu_seqlens_q)
    : (!x, !steps, !key, !query, !gate, !decay_log, !time_bias, !skip_weight, !initial_state, !cu_seqlens_q) -> (!output, !final_state)
  util.return %output, %final_state : !output, !final_state
}
