
// The gated delta rule: 2 tokens of a head read and write its state together.
!query = tensor<?x2x20xf32>
!key = tensor<?x2x20xf32>
!value = tensor<?x2x33xf32>
!g = tensor<?x2x20xf32>
!beta = tensor<?x2xf32>
!initial_state = tensor<?x2x20x33xf32>
!cu_seqlens_q = tensor<?xi32>
!output = tensor<?x2x33xf32>
!final_state = tensor<?x2x20x33xf32>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x20xf32>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x20xf32>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x33xf32>>
!g_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x20xf32>>
!beta_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2xf32>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!initial_state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x2x20x33xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x2x33xf32>>
!state = tensor<?x2x20x33xf32>
!key_given = vector<8xf32>
!key_part = vector<8xf32>
!value_given = vector<8xf32>
!row = vector<8xf32>
!reading = tensor<4x24xf32>
!writing = tensor<2x24xf32>
!row_decays = tensor<24xf32>

func.func @gated_delta_rule(%query_given: !query, %key_given: !key, %value_given: !value, %g_given: !g, %beta_given: !beta, %initial_state_given: !initial_state {iree.abi.consume}, %cu_seqlens_q_given: !cu_seqlens_q) -> (!output, !final_state) {
  %q_len_axis = arith.constant 0 : index
  %q_len_given = tensor.dim %query_given, %q_len_axis : !query
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 9, udiv = 1> : index
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %initial_state_given, %batch_axis : !initial_state
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %bounds_axis = arith.constant 0 : index
  %bounds_given = tensor.dim %cu_seqlens_q_given, %bounds_axis : !cu_seqlens_q
  %bounds_dim = util.assume.int %bounds_given
    <umin = 1, umax = 3, udiv = 1> : index
  %query = flow.tensor.tie_shape %query_given
    : !query{%q_len_dim}
  %key = flow.tensor.tie_shape %key_given
    : !key{%q_len_dim}
  %value = flow.tensor.tie_shape %value_given
    : !value{%q_len_dim}
  %g = flow.tensor.tie_shape %g_given
    : !g{%q_len_dim}
  %beta = flow.tensor.tie_shape %beta_given
    : !beta{%q_len_dim}
  %initial_state = flow.tensor.tie_shape %initial_state_given
    : !initial_state{%batch_dim}
  %cu_seqlens_q = flow.tensor.tie_shape %cu_seqlens_q_given
    : !cu_seqlens_q{%bounds_dim}
  %final_state, %output =
    flow.dispatch @final_state_kernel::@final_state_kernel[%batch_dim, %bounds_dim, %q_len_dim](
      %query, %key, %value, %g, %beta, %cu_seqlens_q, %initial_state, %batch_dim, %bounds_dim, %q_len_dim
    ) : (
      tensor<?x2x20xf32>{%q_len_dim},
      tensor<?x2x20xf32>{%q_len_dim},
      tensor<?x2x33xf32>{%q_len_dim},
      tensor<?x2x20xf32>{%q_len_dim},
      tensor<?x2xf32>{%q_len_dim},
      tensor<?xi32>{%bounds_dim},
      tensor<?x2x20x33xf32>{%batch_dim},
      index,
      index,
      index
    ) -> (%initial_state{%batch_dim}, tensor<?x2x33xf32>{%q_len_dim})
  return %output, %final_state
    : !output, !final_state
}
flow.executable private @final_state_kernel {
  flow.executable.export public @final_state_kernel
      workgroups(%batch_dim_asked: index, %bounds_dim_asked: index, %q_len_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim_asked, %bounds_dim_asked, %q_len_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @final_state_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %value_in: !value_in,
      %g_in: !g_in,
      %beta_in: !beta_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %initial_state_in: !initial_state_in,
      %batch_dim_in: index,
      %bounds_dim_in: index,
      %q_len_dim_in: index,
      %output_out: !output_out
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal %bounds_dim_in, 1 : index
    %q_len_dim = iree_tensor_ext.dispatch.workload.ordinal %q_len_dim_in, 2 : index
    %query_tied = flow.dispatch.tie_shape %query_in
      : !query_in{%q_len_dim}
    %query = iree_tensor_ext.dispatch.tensor.load %query_tied,
      offsets = [0, 0, 0], sizes = [%q_len_dim, 2, 20], strides = [1, 1, 1]
      : !query_in{%q_len_dim} -> tensor<?x2x20xf32>
    %key_tied = flow.dispatch.tie_shape %key_in
      : !key_in{%q_len_dim}
    %key = iree_tensor_ext.dispatch.tensor.load %key_tied,
      offsets = [0, 0, 0], sizes = [%q_len_dim, 2, 20], strides = [1, 1, 1]
      : !key_in{%q_len_dim} -> tensor<?x2x20xf32>
    %value_tied = flow.dispatch.tie_shape %value_in
      : !value_in{%q_len_dim}
    %value = iree_tensor_ext.dispatch.tensor.load %value_tied,
      offsets = [0, 0, 0], sizes = [%q_len_dim, 2, 33], strides = [1, 1, 1]
      : !value_in{%q_len_dim} -> tensor<?x2x33xf32>
    %g_tied = flow.dispatch.tie_shape %g_in
      : !g_in{%q_len_dim}
    %g = iree_tensor_ext.dispatch.tensor.load %g_tied,
      offsets = [0, 0, 0], sizes = [%q_len_dim, 2, 20], strides = [1, 1, 1]
      : !g_in{%q_len_dim} -> tensor<?x2x20xf32>
    %beta_tied = flow.dispatch.tie_shape %beta_in
      : !beta_in{%q_len_dim}
    %beta = iree_tensor_ext.dispatch.tensor.load %beta_tied,
      offsets = [0, 0], sizes = [%q_len_dim, 2], strides = [1, 1]
      : !beta_in{%q_len_dim} -> tensor<?x2xf32>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !cu_seqlens_q_in{%bounds_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%bounds_dim], strides = [1]
      : !cu_seqlens_q_in{%bounds_dim} -> tensor<?xi32>
    %initial_state_tied = flow.dispatch.tie_shape %initial_state_in
      : !initial_state_in{%batch_dim}
    %initial_state = iree_tensor_ext.dispatch.tensor.load %initial_state_tied,
      offsets = [0, 0, 0, 0], sizes = [%batch_dim, 2, 20, 33], strides = [1, 1, 1, 1]
      : !initial_state_in{%batch_dim} -> tensor<?x2x20x33xf32>
    %output_tied = flow.dispatch.tie_shape %output_out
      : !output_out{%q_len_dim}
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %turn = arith.constant 2 : index
    %heads = arith.constant 2 : index
    %key_dim = arith.constant 20 : index
    %value_dim = arith.constant 33 : index
    %lanes = arith.constant 8 : index
    %columns = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %padding = arith.constant 0.0 : f32
    %no_key_part = arith.constant dense<0.0> : !key_part
    %no_row = arith.constant dense<0.0> : !row
    %reading_empty = tensor.empty() : !reading
    %writing_empty = tensor.empty() : !writing
    %row_decays_empty = tensor.empty() : !row_decays
    %units = arith.constant dense<1.0> : !key_part
    %output_empty = tensor.empty(%q_len_dim) : !output
    %workgroups:2 = scf.forall (%b, %h) in (%batch_dim, %heads)
        shared_outs(%state_all = %initial_state, %output_all = %output_empty) -> (!state, !output) {
      %key_head = affine.apply affine_map<(h) -> (h floordiv 1)>(%h)
      %most = arith.index_cast %q_len_dim : index to i32
      %next = affine.apply affine_map<(b) -> (b + 1)>(%b)
      %first_told = tensor.extract %cu_seqlens_q[%b] : !cu_seqlens_q
      %end_told = tensor.extract %cu_seqlens_q[%next] : !cu_seqlens_q
    %first_kept = arith.minui %first_told, %most : i32
    %first = arith.index_cast %first_kept : i32 to index
    %end_kept = arith.minui %end_told, %most : i32
    %end = arith.index_cast %end_kept : i32 to index
      %state_done, %output_real = scf.for %start = %first to %end step %turn
          iter_args(%state_before = %state_all, %output_before = %output_all) -> (!state, !output) {
        %t0 = affine.min affine_map<(t)[e] -> (t + 0, e - 1)>(%start)[%end]
        %beta0 = tensor.extract %beta[%t0, %h] : !beta

        %t1 = affine.min affine_map<(t)[e] -> (t + 1, e - 1)>(%start)[%end]
        %t_any1 = affine.apply affine_map<(t) -> (t + 1)>(%start)
        %is_real1 = arith.cmpi slt, %t_any1, %end : index
        %beta_any1 = tensor.extract %beta[%t1, %h] : !beta

        %beta1 = arith.select %is_real1, %beta_any1, %zero : f32
        %scale = arith.constant 0.22360679774997896 : f32
        %reading, %writing, %row_decays, %key1_0_lanes, %query0_0_lanes, %query1_0_lanes, %query1_1_lanes =
          scf.for %c = %none to %key_dim step %lanes
            iter_args(%reading_before = %reading_empty, %writing_before = %writing_empty, %row_decays_before = %row_decays_empty,
              %key1_0_before = %no_key_part, %query0_0_before = %no_key_part, %query1_0_before = %no_key_part, %query1_1_before = %no_key_part)
              -> (!reading, !writing, !row_decays, !key_part, !key_part, !key_part, !key_part) {
          %query0 = vector.transfer_read
            %query[%t0, %key_head, %c], %padding {in_bounds = [false]}
            : !query, !key_given
          %query_factors0 = vector.broadcast
            %scale : f32 to !key_part
          %query_made0 = arith.mulf %query0, %query_factors0 : !key_part
          %key0 = vector.transfer_read
            %key[%t0, %key_head, %c], %padding {in_bounds = [false]}
            : !key, !key_given
          %g0 = vector.transfer_read %g[%t0, %h, %c], %zero {in_bounds = [false]}
            : !g, !key_part
          %kept0 = math.exp %g0 : !key_part
          %query1 = vector.transfer_read
            %query[%t1, %key_head, %c], %padding {in_bounds = [false]}
            : !query, !key_given
          %query_factors1 = vector.broadcast
            %scale : f32 to !key_part
          %query_made1 = arith.mulf %query1, %query_factors1 : !key_part
          %key1 = vector.transfer_read
            %key[%t1, %key_head, %c], %padding {in_bounds = [false]}
            : !key, !key_given
          %g1 = vector.transfer_read %g[%t1, %h, %c], %zero {in_bounds = [false]}
            : !g, !key_part
          %kept_any1 = math.exp %g1 : !key_part
          %kept1 = arith.select %is_real1, %kept_any1, %units : !key_part
        %until1 = arith.mulf %kept0, %kept1 : !key_part
          %key0_reads = arith.mulf %key0,
            %kept0 : !key_part
          %key0_row = arith.constant 0 : index
          %reading_after_1 = vector.transfer_write %key0_reads, %reading_before[%key0_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %key1_reads = arith.mulf %key1,
            %until1 : !key_part
          %key1_row = arith.constant 1 : index
          %reading_after_2 = vector.transfer_write %key1_reads, %reading_after_1[%key1_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %query0_reads = arith.mulf %query_made0,
            %kept0 : !key_part
          %query0_row = arith.constant 2 : index
          %reading_after_3 = vector.transfer_write %query0_reads, %reading_after_2[%query0_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %query1_reads = arith.mulf %query_made1,
            %until1 : !key_part
          %query1_row = arith.constant 3 : index
          %reading_after = vector.transfer_write %query1_reads, %reading_after_3[%query1_row, %c]
            {in_bounds = [true]} : !key_part, !reading
          %written0 = arith.mulf %key0,
            %kept1 : !key_part
          %writing_row0 = arith.constant 0 : index
          %writing_after_1 = vector.transfer_write %written0,
            %writing_before[%writing_row0, %c] {in_bounds = [true]} : !key_part, !writing
          %writing_row1 = arith.constant 1 : index
          %writing_after = vector.transfer_write %key1,
            %writing_after_1[%writing_row1, %c] {in_bounds = [true]} : !key_part, !writing
          %row_decays_after = vector.transfer_write %until1, %row_decays_before[%c]
            {in_bounds = [true]} : !key_part, !row_decays
          %key1_0_key = arith.mulf %key0, %kept1 : !key_part
          %key1_0_after = math.fma
            %key1, %key1_0_key,
            %key1_0_before : !key_part
          %query0_0_after = math.fma
            %query_made0, %key0,
            %query0_0_before : !key_part
          %query1_0_key = arith.mulf %key0, %kept1 : !key_part
          %query1_0_after = math.fma
            %query_made1, %query1_0_key,
            %query1_0_before : !key_part
          %query1_1_after = math.fma
            %query_made1, %key1,
            %query1_1_before : !key_part
          scf.yield %reading_after, %writing_after, %row_decays_after, %key1_0_after, %query0_0_after, %query1_0_after, %query1_1_after
            : !reading, !writing, !row_decays, !key_part, !key_part, !key_part, !key_part
        }
        %key1_0 = vector.reduction <add>, %key1_0_lanes
          fastmath<reassoc> : !key_part into f32
        %key1_0_of_row = vector.broadcast %key1_0 : f32 to !row
        %query0_0 = vector.reduction <add>, %query0_0_lanes
          fastmath<reassoc> : !key_part into f32
        %query0_0_of_row = vector.broadcast %query0_0 : f32 to !row
        %query1_0 = vector.reduction <add>, %query1_0_lanes
          fastmath<reassoc> : !key_part into f32
        %query1_0_of_row = vector.broadcast %query1_0 : f32 to !row
        %query1_1 = vector.reduction <add>, %query1_1_lanes
          fastmath<reassoc> : !key_part into f32
        %query1_1_of_row = vector.broadcast %query1_1 : f32 to !row
        %beta_of_row0 = vector.broadcast %beta0 : f32 to !row
        %beta_of_row1 = vector.broadcast %beta1 : f32 to !row
        %state_after, %output_after = scf.for %c = %none to %value_dim step %columns
            iter_args(%state_now = %state_before, %output_now = %output_before) -> (!state, !output) {
          %held0, %held1, %held2, %held3 = scf.for %r = %none to %key_dim step %one
              iter_args(%held_before0 = %no_row, %held_before1 = %no_row, %held_before2 = %no_row, %held_before3 = %no_row)
                -> (!row, !row, !row, !row) {
            %state_row = vector.transfer_read %state_now[%b, %h, %r, %c], %zero
              {in_bounds = [false]} : !state, !row
            %number0 = arith.constant 0 : index
            %read0 = tensor.extract %reading[%number0, %r] : !reading
            %reads0 = vector.broadcast %read0 : f32 to !row
            %held_after0 = math.fma %state_row, %reads0, %held_before0 : !row
            %number1 = arith.constant 1 : index
            %read1 = tensor.extract %reading[%number1, %r] : !reading
            %reads1 = vector.broadcast %read1 : f32 to !row
            %held_after1 = math.fma %state_row, %reads1, %held_before1 : !row
            %number2 = arith.constant 2 : index
            %read2 = tensor.extract %reading[%number2, %r] : !reading
            %reads2 = vector.broadcast %read2 : f32 to !row
            %held_after2 = math.fma %state_row, %reads2, %held_before2 : !row
            %number3 = arith.constant 3 : index
            %read3 = tensor.extract %reading[%number3, %r] : !reading
            %reads3 = vector.broadcast %read3 : f32 to !row
            %held_after3 = math.fma %state_row, %reads3, %held_before3 : !row
            scf.yield %held_after0, %held_after1, %held_after2, %held_after3 : !row, !row, !row, !row
          }
          %value0 = vector.transfer_read %value[%t0, %h, %c], %padding
            {in_bounds = [false]} : !value, !value_given

          %new0 = arith.subf %value0, %held0 : !row
          %delta0 = arith.mulf %new0, %beta_of_row0 : !row
          %output_row0 = math.fma %delta0, %query0_0_of_row, %held2 : !row

          %value1 = vector.transfer_read %value[%t1, %h, %c], %padding
            {in_bounds = [false]} : !value, !value_given

          %held_in_turn1 = math.fma %delta0, %key1_0_of_row, %held1 : !row
          %new1 = arith.subf %value1, %held_in_turn1 : !row
          %delta1 = arith.mulf %new1, %beta_of_row1 : !row
          %output_row1_1 = math.fma %delta0, %query1_0_of_row, %held3 : !row
          %output_row1 = math.fma %delta1, %query1_1_of_row, %output_row1_1 : !row

          %output_next_1 = vector.transfer_write %output_row0, %output_now[%t0, %h, %c]
            {in_bounds = [false]} : !value_given, !output
          %output_next = scf.if %is_real1 -> (!output) {
            %output_written1 = vector.transfer_write %output_row1, %output_next_1[%t1, %h, %c]
              {in_bounds = [false]} : !value_given, !output
            scf.yield %output_written1 : !output
          } else {
            scf.yield %output_next_1 : !output
          }
          %state_next = scf.for %r = %none to %key_dim step %one iter_args(%state_so_far = %state_now)
              -> (!state) {
            %state_row = vector.transfer_read %state_so_far[%b, %h, %r, %c], %zero
              {in_bounds = [false]} : !state, !row
            %row_decay = tensor.extract %row_decays[%r] : !row_decays
            %decay = vector.broadcast %row_decay : f32 to !row
            %kept_row = arith.mulf %state_row, %decay : !row
            %number0 = arith.constant 0 : index
            %write0 = tensor.extract %writing[%number0, %r] : !writing
            %writes0 = vector.broadcast %write0 : f32 to !row
            %new_row_1 = math.fma %delta0, %writes0, %kept_row : !row
            %number1 = arith.constant 1 : index
            %write1 = tensor.extract %writing[%number1, %r] : !writing
            %writes1 = vector.broadcast %write1 : f32 to !row
            %new_row = math.fma %delta1, %writes1, %new_row_1 : !row
            %state_with_row = vector.transfer_write %new_row, %state_so_far[%b, %h, %r, %c]
              {in_bounds = [false]} : !row, !state
            scf.yield %state_with_row : !state
          }
          scf.yield %state_next, %output_next : !state, !output
        }
        scf.yield %state_after, %output_after : !state, !output
      }
      %no_values = arith.constant dense<0.0> : !value_given
      %length = affine.apply affine_map<()[n] -> (n)>()[%q_len_dim]
      %is_last = arith.cmpi eq, %next, %batch_dim : index
      %padding_end = arith.select %is_last, %length, %end : index
      %output_done = scf.for %t = %end to %padding_end step %one
          iter_args(%output_before = %output_real) -> (!output) {
        %output_after = scf.for %c = %none to %value_dim step %columns
            iter_args(%output_now = %output_before) -> (!output) {
          %output_next = vector.transfer_write %no_values, %output_now[%t, %h, %c]
            {in_bounds = [false]} : !value_given, !output
          scf.yield %output_next : !output
        }
        scf.yield %output_after : !output
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_all
          [0, 0, 0, 0] [%batch_dim, 2, 20, 33] [1, 1, 1, 1] : tensor<?x2x20x33xf32> into tensor<?x2x20x33xf32>
        tensor.parallel_insert_slice %output_done into %output_all
          [0, 0, 0] [%q_len_dim, 2, 33] [1, 1, 1] : tensor<?x2x33xf32> into tensor<?x2x33xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %initial_state_tied,
      offsets = [0, 0, 0, 0], sizes = [%batch_dim, 2, 20, 33], strides = [1, 1, 1, 1]
      : tensor<?x2x20x33xf32> -> !initial_state_in{%batch_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %output_tied,
      offsets = [0, 0, 0], sizes = [%q_len_dim, 2, 33], strides = [1, 1, 1]
      : tensor<?x2x33xf32> -> !output_out{%q_len_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @gated_delta_rule$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %g: !g,
    %beta: !beta,
    %initial_state: !initial_state {iree.abi.consume},
    %cu_seqlens_q: !cu_seqlens_q
  ) -> (!output, !final_state) attributes {iree.abi.model = "coarse-fences"} {
  %output, %final_state = func.call @gated_delta_rule(%query, %key, %value, %g, %beta, %initial_state, %cu_seqlens_q)
    : (!query, !key, !value, !g, !beta, !initial_state, !cu_seqlens_q) -> (!output, !final_state)
  util.return %output, %final_state : !output, !final_state
}
