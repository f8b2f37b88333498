// The selective scan: a lane takes all tokens through the state of a channel.
!x = tensor<9x64xf16>
!steps = tensor<9x64xf16>
!key = tensor<9x4xf16>
!query = tensor<9x4xf16>
!gate = tensor<9x64xf16>
!decay_log = tensor<4x64xf32>
!time_bias = tensor<64xf32>
!skip_weight = tensor<64xf32>
!initial_state = tensor<2x4x64xf32>
!cu_seqlens_q = tensor<3xi32>
!output = tensor<9x64xf16>
!final_state = tensor<2x4x64xf32>
!x_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x64xf16>>
!steps_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x64xf16>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x4xf16>>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x4xf16>>
!gate_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x64xf16>>
!decay_log_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x64xf32>>
!time_bias_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
!skip_weight_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xi32>>
!state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<2x4x64xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<9x64xf16>>
!one = vector<1xf32>
!one_stored = vector<1xf16>
!columns = vector<4xf32>
!columns_stored = vector<4xf16>
!own_state = tensor<4x?xf32>
!own_output = tensor<?x?xf16>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [32, 1, 1] subgroup_size = 32,
  {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @selective_scan_kernel {
  flow.executable.export public @selective_scan_kernel
      workgroups() -> (index, index, index) {
    %blocks = arith.constant 2 : index
    %batch = arith.constant 2 : index
    %one = arith.constant 1 : index
    flow.return %blocks, %batch, %one : index, index, index
  }
  builtin.module {
  func.func @selective_scan_kernel(
      %x_in: !x_in,
      %steps_in: !steps_in,
      %key_in: !key_in,
      %query_in: !query_in,
      %gate_in: !gate_in,
      %decay_log_in: !decay_log_in,
      %time_bias_in: !time_bias_in,
      %skip_weight_in: !skip_weight_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %state_in: !state_in,
      %output_out: !output_out
    ) attributes {translation_info = #lanes} {
    %batch = arith.constant 2 : index
    %q_tokens = arith.constant 9 : index
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %block = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[1] : index
    %channel = affine.apply affine_map<(i) -> (i * 32)>(%block)
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [3], strides = [1]
      : !cu_seqlens_q_in -> tensor<3xi32>
    %most = arith.index_cast %q_tokens : index to i32
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
    %count_any = arith.subi %end, %first : index
    %count = arith.maxsi %count_any, %none : index
    %is_last = arith.cmpi eq, %next, %batch : index
    %rest = arith.subi %q_tokens, %first : index
    %output_count = arith.select %is_last, %rest, %count : index
    %x_tile = iree_tensor_ext.dispatch.tensor.load %x_in,
      offsets = [%first, %channel], sizes = [%count, 32], strides = [1, 1]
      : !x_in -> tensor<?x32xf16>
    %steps_tile = iree_tensor_ext.dispatch.tensor.load %steps_in,
      offsets = [%first, %channel], sizes = [%count, 32], strides = [1, 1]
      : !steps_in -> tensor<?x32xf16>
    %key_tile = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [%first, 0], sizes = [%count, 4], strides = [1, 1]
      : !key_in -> tensor<?x4xf16>
    %query_tile = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [%first, 0], sizes = [%count, 4], strides = [1, 1]
      : !query_in -> tensor<?x4xf16>
    %gate_tile = iree_tensor_ext.dispatch.tensor.load %gate_in,
      offsets = [%first, %channel], sizes = [%count, 32], strides = [1, 1]
      : !gate_in -> tensor<?x32xf16>
    %decay_log_tile = iree_tensor_ext.dispatch.tensor.load %decay_log_in,
      offsets = [0, %channel], sizes = [4, 32], strides = [1, 1]
      : !decay_log_in -> tensor<4x32xf32>
    %time_bias_tile = iree_tensor_ext.dispatch.tensor.load %time_bias_in,
      offsets = [%channel], sizes = [32], strides = [1]
      : !time_bias_in -> tensor<32xf32>
    %skip_weight_tile = iree_tensor_ext.dispatch.tensor.load %skip_weight_in,
      offsets = [%channel], sizes = [32], strides = [1]
      : !skip_weight_in -> tensor<32xf32>
    %state_before = iree_tensor_ext.dispatch.tensor.load %state_in,
      offsets = [%b, 0, %channel], sizes = [1, 4, 32], strides = [1, 1, 1]
      : !state_in -> tensor<1x4x32xf32>

    %no_element = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %log2e = arith.constant 1.4426950408889634 : f32
    %output_empty = tensor.empty(%output_count) : tensor<?x32xf16>
    %state_after, %output_after = scf.forall (%lane) in (32)
        shared_outs(%state_tile = %state_before, %output_tile = %output_empty)
        -> (tensor<1x4x32xf32>, tensor<?x32xf16>) {
      %own_place = affine.apply affine_map<(l) -> (l)>(%lane)
      %own_width = arith.constant 1 : index
      %state_own = tensor.extract_slice %state_tile[0, 0, %own_place] [1, 4, %own_width]
        [1, 1, 1] : tensor<1x4x32xf32> to !own_state
      %output_own = tensor.extract_slice %output_tile[0, %own_place] [%output_count, %own_width] [1, 1]
        : tensor<?x32xf16> to !own_output
      %bias_one = vector.transfer_read %time_bias_tile[%lane],
        %zero {in_bounds = [true]}
            : tensor<32xf32>, vector<1xf32>

      %bias = vector.extract %bias_one[0] : f32 from !one
      %skip_one = vector.transfer_read %skip_weight_tile[%lane],
        %zero {in_bounds = [true]}
            : tensor<32xf32>, vector<1xf32>

      %skip = vector.extract %skip_one[0] : f32 from !one
      %column0 = arith.constant 0 : index
      %decay_log0_one = vector.transfer_read %decay_log_tile[%column0, %lane],
        %zero {in_bounds = [true]}
            : tensor<4x32xf32>, vector<1xf32>

      %decay_log0 = vector.extract %decay_log0_one[0] : f32 from !one
      %speed_power0 = arith.mulf %decay_log0, %log2e : f32
      %speed0 = llvm.call_intrinsic "llvm.exp2"
        (%speed_power0) : (f32) -> f32
      %rate_of_e0 = arith.negf %speed0 : f32
      %rate0 = arith.mulf %rate_of_e0, %log2e : f32
      %begin_one0 = vector.transfer_read %state_own[%column0, %none], %zero {in_bounds = [true]}
        : !own_state, !one
      %begin0 = vector.extract %begin_one0[0] : f32 from !one
      %column1 = arith.constant 1 : index
      %decay_log1_one = vector.transfer_read %decay_log_tile[%column1, %lane],
        %zero {in_bounds = [true]}
            : tensor<4x32xf32>, vector<1xf32>

      %decay_log1 = vector.extract %decay_log1_one[0] : f32 from !one
      %speed_power1 = arith.mulf %decay_log1, %log2e : f32
      %speed1 = llvm.call_intrinsic "llvm.exp2"
        (%speed_power1) : (f32) -> f32
      %rate_of_e1 = arith.negf %speed1 : f32
      %rate1 = arith.mulf %rate_of_e1, %log2e : f32
      %begin_one1 = vector.transfer_read %state_own[%column1, %none], %zero {in_bounds = [true]}
        : !own_state, !one
      %begin1 = vector.extract %begin_one1[0] : f32 from !one
      %column2 = arith.constant 2 : index
      %decay_log2_one = vector.transfer_read %decay_log_tile[%column2, %lane],
        %zero {in_bounds = [true]}
            : tensor<4x32xf32>, vector<1xf32>

      %decay_log2 = vector.extract %decay_log2_one[0] : f32 from !one
      %speed_power2 = arith.mulf %decay_log2, %log2e : f32
      %speed2 = llvm.call_intrinsic "llvm.exp2"
        (%speed_power2) : (f32) -> f32
      %rate_of_e2 = arith.negf %speed2 : f32
      %rate2 = arith.mulf %rate_of_e2, %log2e : f32
      %begin_one2 = vector.transfer_read %state_own[%column2, %none], %zero {in_bounds = [true]}
        : !own_state, !one
      %begin2 = vector.extract %begin_one2[0] : f32 from !one
      %column3 = arith.constant 3 : index
      %decay_log3_one = vector.transfer_read %decay_log_tile[%column3, %lane],
        %zero {in_bounds = [true]}
            : tensor<4x32xf32>, vector<1xf32>

      %decay_log3 = vector.extract %decay_log3_one[0] : f32 from !one
      %speed_power3 = arith.mulf %decay_log3, %log2e : f32
      %speed3 = llvm.call_intrinsic "llvm.exp2"
        (%speed_power3) : (f32) -> f32
      %rate_of_e3 = arith.negf %speed3 : f32
      %rate3 = arith.mulf %rate_of_e3, %log2e : f32
      %begin_one3 = vector.transfer_read %state_own[%column3, %none], %zero {in_bounds = [true]}
        : !own_state, !one
      %begin3 = vector.extract %begin_one3[0] : f32 from !one
      %done0, %done1, %done2, %done3, %output_real = scf.for %t = %none to %count step %one
          iter_args(%before0 = %begin0, %before1 = %begin1, %before2 = %begin2, %before3 = %begin3, %output_before = %output_own)
            -> (f32, f32, f32, f32, !own_output) {
      %x_one_stored = vector.transfer_read %x_tile[%t, %lane],
        %no_element {in_bounds = [true]}
            : tensor<?x32xf16>, vector<1xf16>
    %x_one = arith.extf %x_one_stored : vector<1xf16> to !one
      %x = vector.extract %x_one[0] : f32 from !one
      %steps_one_stored = vector.transfer_read %steps_tile[%t, %lane],
        %no_element {in_bounds = [true]}
            : tensor<?x32xf16>, vector<1xf16>
    %steps_one = arith.extf %steps_one_stored : vector<1xf16> to !one
      %steps = vector.extract %steps_one[0] : f32 from !one
      %gate_one_stored = vector.transfer_read %gate_tile[%t, %lane],
        %no_element {in_bounds = [true]}
            : tensor<?x32xf16>, vector<1xf16>
    %gate_one = arith.extf %gate_one_stored : vector<1xf16> to !one
      %gate = vector.extract %gate_one[0] : f32 from !one
        %key_stored = vector.transfer_read %key_tile[%t, %none], %no_element
          {in_bounds = [true]} : tensor<?x4xf16>, !columns_stored
    %key = arith.extf %key_stored : !columns_stored to !columns
        %query_stored = vector.transfer_read %query_tile[%t, %none], %no_element
          {in_bounds = [true]} : tensor<?x4xf16>, !columns_stored
    %query = arith.extf %query_stored : !columns_stored to !columns
        %z = arith.addf %steps, %bias : f32
        %size = math.absf %z : f32
        %minus_size = arith.negf %size : f32
        %rest_of_time = math.exp %minus_size : f32
        %more = math.log1p %rest_of_time : f32
        %positive = arith.maximumf %z, %zero : f32
        %time = arith.addf %positive, %more : f32
        %written = arith.mulf %time, %x : f32
        %power0 = arith.mulf %time, %rate0 : f32
      %kept0 = llvm.call_intrinsic "llvm.exp2"
        (%power0) : (f32) -> f32
        %key0 = vector.extract %key[0] : f32 from !columns
        %query0 = vector.extract %query[0] : f32 from !columns
        %forgotten0 = arith.mulf %before0, %kept0 : f32
        %after0 = math.fma %written, %key0, %forgotten0 : f32
        %read_1 = math.fma %after0, %query0, %zero : f32
        %power1 = arith.mulf %time, %rate1 : f32
      %kept1 = llvm.call_intrinsic "llvm.exp2"
        (%power1) : (f32) -> f32
        %key1 = vector.extract %key[1] : f32 from !columns
        %query1 = vector.extract %query[1] : f32 from !columns
        %forgotten1 = arith.mulf %before1, %kept1 : f32
        %after1 = math.fma %written, %key1, %forgotten1 : f32
        %read_2 = math.fma %after1, %query1, %read_1 : f32
        %power2 = arith.mulf %time, %rate2 : f32
      %kept2 = llvm.call_intrinsic "llvm.exp2"
        (%power2) : (f32) -> f32
        %key2 = vector.extract %key[2] : f32 from !columns
        %query2 = vector.extract %query[2] : f32 from !columns
        %forgotten2 = arith.mulf %before2, %kept2 : f32
        %after2 = math.fma %written, %key2, %forgotten2 : f32
        %read_3 = math.fma %after2, %query2, %read_2 : f32
        %power3 = arith.mulf %time, %rate3 : f32
      %kept3 = llvm.call_intrinsic "llvm.exp2"
        (%power3) : (f32) -> f32
        %key3 = vector.extract %key[3] : f32 from !columns
        %query3 = vector.extract %query[3] : f32 from !columns
        %forgotten3 = arith.mulf %before3, %kept3 : f32
        %after3 = math.fma %written, %key3, %forgotten3 : f32
        %read = math.fma %after3, %query3, %read_3 : f32
        %around = math.fma %x, %skip, %read : f32
        %minus_gate = arith.negf %gate : f32
        %closing = math.exp %minus_gate : f32
        %divisor = arith.addf %closing, %unit : f32
        %opened = arith.divf %gate, %divisor : f32
        %made = arith.mulf %around, %opened : f32
    %made_stored = arith.truncf %made : f32 to f16
        %made_one = vector.broadcast %made_stored : f16 to !one_stored
        %output_next = vector.transfer_write %made_one, %output_before[%t, %none] {in_bounds = [true]}
          : !one_stored, !own_output
        scf.yield %after0, %after1, %after2, %after3, %output_next : f32, f32, f32, f32, !own_output
      }
      %no_output = arith.constant dense<0.0> : !one_stored
      %output_done = scf.for %t = %count to %output_count step %one iter_args(%output_before = %output_real)
          -> (!own_output) {
        %output_next = vector.transfer_write %no_output, %output_before[%t, %none] {in_bounds = [true]}
          : !one_stored, !own_output
        scf.yield %output_next : !own_output
      }
      %done_one0 = vector.broadcast %done0 : f32 to !one
      %state_done_1 = vector.transfer_write %done_one0, %state_own[%column0, %none]
          {in_bounds = [true]}
        : !one, !own_state
      %done_one1 = vector.broadcast %done1 : f32 to !one
      %state_done_2 = vector.transfer_write %done_one1, %state_done_1[%column1, %none]
          {in_bounds = [true]}
        : !one, !own_state
      %done_one2 = vector.broadcast %done2 : f32 to !one
      %state_done_3 = vector.transfer_write %done_one2, %state_done_2[%column2, %none]
          {in_bounds = [true]}
        : !one, !own_state
      %done_one3 = vector.broadcast %done3 : f32 to !one
      %state_done = vector.transfer_write %done_one3, %state_done_3[%column3, %none]
          {in_bounds = [true]}
        : !one, !own_state
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_tile[0, 0, %own_place]
          [1, 4, %own_width] [1, 1, 1] : !own_state into tensor<1x4x32xf32>
        tensor.parallel_insert_slice %output_done into %output_tile[0, %own_place]
          [%output_count, %own_width] [1, 1] : !own_output into tensor<?x32xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %state_after, %state_in,
      offsets = [%b, 0, %channel], sizes = [1, 4, 32], strides = [1, 1, 1]
      : tensor<1x4x32xf32> -> !state_in
    iree_tensor_ext.dispatch.tensor.store %output_after, %output_out,
      offsets = [%first, %channel], sizes = [%output_count, 32], strides = [1, 1]
      : tensor<?x32xf16> -> !output_out
    return
  }
  }
}

func.func @selective_scan(%x: !x, %steps: !steps, %key: !key, %query: !query, %gate: !gate, %decay_log: !decay_log, %time_bias: !time_bias, %skip_weight: !skip_weight, %initial_state: !initial_state {iree.abi.consume}, %cu_seqlens_q: !cu_seqlens_q) -> (!output, !final_state) {
  %final_state, %output = flow.dispatch @selective_scan_kernel::@selective_scan_kernel(
      %x, %steps, %key, %query, %gate, %decay_log, %time_bias, %skip_weight, %cu_seqlens_q, %initial_state
    ) : (
      tensor<9x64xf16>,
      tensor<9x64xf16>,
      tensor<9x4xf16>,
      tensor<9x4xf16>,
      tensor<9x64xf16>,
      tensor<4x64xf32>,
      tensor<64xf32>,
      tensor<64xf32>,
      tensor<3xi32>,
      tensor<2x4x64xf32>
    ) -> (%initial_state, tensor<9x64xf16>)
  return %output, %final_state
    : !output, !final_state
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
