// The gated delta rule: a wave takes all tokens through some columns of a head's state.
!query = tensor<?x2x20xf32>
!key = tensor<?x2x20xf32>
!value = tensor<?x2x33xf32>
!g = tensor<?x2x20xf32>
!beta = tensor<?x2xf32>
!initial_state = tensor<?x2x20x33xf32>
!cu_seqlens_q = tensor<?xi32>
!output = tensor<?x2x33xf32>
!final_state = tensor<?x2x20x33xf32>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x40xf32>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x40xf32>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x66xf32>>
!g_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x40xf32>>
!beta_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2xf32>>
!cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x33xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x66xf32>>
!own = vector<4xf32>
!own_stored = vector<4xf32>
!own_keys = vector<3xf32>
!own_keys_stored = vector<3xf32>
!own_state = tensor<?x?xf32>
!own_output = tensor<?x?xf32>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [32, 1, 1] subgroup_size = 32,
  {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @gated_delta_rule_kernel {
  flow.executable.export public @gated_delta_rule_kernel
      workgroups(%batch_dim: index, %q_len_dim: index, %bounds_dim: index, %state_rows_dim: index) -> (index, index, index) {
    %blocks = arith.constant 3 : index
    %heads = arith.constant 2 : index
    flow.return %blocks, %heads, %batch_dim : index, index, index
  }
  builtin.module {
  func.func @gated_delta_rule_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %value_in: !value_in,
      %g_in: !g_in,
      %beta_in: !beta_in,
      %cu_seqlens_q_in: !cu_seqlens_q_in,
      %state_in: !state_in,
      %batch_dim_in: index,
      %q_len_dim_in: index,
      %bounds_dim_in: index,
      %state_rows_dim_in: index,
      %output_out: !output_out
    ) attributes {translation_info = #lanes} {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %q_len_dim = iree_tensor_ext.dispatch.workload.ordinal %q_len_dim_in, 1 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal %bounds_dim_in, 2 : index
    %state_rows_dim = iree_tensor_ext.dispatch.workload.ordinal %state_rows_dim_in, 3 : index
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %block = flow.dispatch.workgroup.id[0] : index
    %h = flow.dispatch.workgroup.id[1] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %key_head = affine.apply affine_map<(h) -> (h floordiv 1)>(%h)
    %column = affine.apply affine_map<(i) -> (i * 16)>(%block)
    %columns_here = affine.min affine_map<(c) -> (16, 33 - c)>(%column)
    %most = arith.index_cast %q_len_dim : index to i32
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in : !cu_seqlens_q_in{%bounds_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%bounds_dim], strides = [1]
      : !cu_seqlens_q_in{%bounds_dim} -> tensor<?xi32>
    %next = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %first_told = tensor.extract %cu_seqlens_q[%b] : tensor<?xi32>
    %end_told = tensor.extract %cu_seqlens_q[%next] : tensor<?xi32>
    %first_kept = arith.minui %first_told, %most : i32
    %first = arith.index_cast %first_kept : i32 to index
    %end_kept = arith.minui %end_told, %most : i32
    %end = arith.index_cast %end_kept : i32 to index
    %count_any = arith.subi %end, %first : index
    %count = arith.maxsi %count_any, %none : index
    %key_row = affine.apply affine_map<(f) -> (f)>(%first)
    %tokens = affine.apply affine_map<()[n] -> (n)>()[%count]
    %first_key_column = affine.apply affine_map<(h) -> (h * 20)>(%key_head)
    // The last sequence has the tokens after all, too.
    %is_last = arith.cmpi eq, %next, %batch_dim : index
    %rest = arith.subi %q_len_dim, %first : index
    %output_count = arith.select %is_last, %rest, %count : index
    %value_row = affine.apply affine_map<(r) -> (r)>(%key_row)
    %first_gate_column = affine.apply affine_map<(h) -> (h * 20)>(%h)
    %first_value_column = affine.apply affine_map<(h, c) -> (h * 33 + c)>(%h, %column)
    %state_row = affine.apply
      affine_map<(b, h) -> ((b * 2 + h) * 20)>(%b, %h)
    %query_tied = flow.dispatch.tie_shape %query_in : !query_in{%q_len_dim}
    %query_tile = iree_tensor_ext.dispatch.tensor.load %query_tied,
      offsets = [%key_row, %first_key_column], sizes = [%count, 20], strides = [1, 1]
      : !query_in{%q_len_dim} -> tensor<?x20xf32>
    %key_tied = flow.dispatch.tie_shape %key_in : !key_in{%q_len_dim}
    %key_tile = iree_tensor_ext.dispatch.tensor.load %key_tied,
      offsets = [%key_row, %first_key_column], sizes = [%count, 20], strides = [1, 1]
      : !key_in{%q_len_dim} -> tensor<?x20xf32>
    %value_tied = flow.dispatch.tie_shape %value_in : !value_in{%q_len_dim}
    %value_tile = iree_tensor_ext.dispatch.tensor.load %value_tied,
      offsets = [%value_row, %first_value_column], sizes = [%count, %columns_here], strides = [1, 1]
      : !value_in{%q_len_dim} -> tensor<?x?xf32>
    %g_tied = flow.dispatch.tie_shape %g_in : !g_in{%q_len_dim}
    %g_tile = iree_tensor_ext.dispatch.tensor.load %g_tied,
      offsets = [%value_row, %first_gate_column], sizes = [%count, 20], strides = [1, 1]
      : !g_in{%q_len_dim} -> tensor<?x20xf32>
    %beta_tied = flow.dispatch.tie_shape %beta_in : !beta_in{%q_len_dim}
    %beta_tile = iree_tensor_ext.dispatch.tensor.load %beta_tied,
      offsets = [%value_row, %h], sizes = [%count, 1], strides = [1, 1]
      : !beta_in{%q_len_dim} -> tensor<?x1xf32>
    %state_tied = flow.dispatch.tie_shape %state_in : !state_in{%state_rows_dim}
    %state_before = iree_tensor_ext.dispatch.tensor.load %state_tied,
      offsets = [%state_row, %column], sizes = [20, %columns_here], strides = [1, 1]
      : !state_in{%state_rows_dim} -> tensor<20x?xf32>
    %no_element = arith.constant 0.0 : f32
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %scale = arith.constant 0.22360679774997896 : f32
    %log2e = arith.constant 1.4426950408889634 : f32
    %no_own = arith.constant dense<0.0> : !own
    %wave_size = arith.constant 32 : i32
    %distance4 = arith.constant 4 : i32
    %distance8 = arith.constant 8 : i32
    %distance16 = arith.constant 16 : i32
    %output_empty = tensor.empty(%output_count, %columns_here) : tensor<?x?xf32>
    %state_after, %output_after = scf.forall (%lane) in (32)
        shared_outs(%state_tile = %state_before, %output_tile = %output_empty)
        -> (tensor<20x?xf32>, tensor<?x?xf32>) {
      %first_own_row = affine.apply
        affine_map<(l) -> (l floordiv 4 * 3)>(%lane)
      %own_column = affine.apply
        affine_map<(l) -> (l mod 4 * 4)>(%lane)
      %rows_left = affine.min
        affine_map<(r) -> (3, 20 - r)>(%first_own_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %columns_left = affine.min
        affine_map<(c)[n] -> (4, n - c)>(%own_column)[%columns_here]
      %own_columns = arith.maxsi %columns_left, %none : index
      %is_first_group = arith.cmpi eq, %first_own_row, %none : index
      %output_rows = affine.apply affine_map<()[n] -> (n)>()[
        %output_count]
      %own_output_rows = arith.select %is_first_group, %output_rows, %none : index
      %own_row = affine.min affine_map<(r) -> (r, 19)>(%first_own_row)
      %own_place = affine.min affine_map<(c)[n] -> (c, n - 1)>(%own_column)[%columns_here]
      %state_own = tensor.extract_slice %state_tile[%own_row, %own_place] [%own_rows, %own_columns] [1, 1]
        : tensor<20x?xf32> to !own_state
      %output_own = tensor.extract_slice %output_tile[%none, %own_place] [%own_output_rows, %own_columns]
        [1, 1] : tensor<?x?xf32> to !own_output
      %row_number0 = arith.constant 0 : index
      %has_row0 = arith.cmpi slt, %row_number0, %own_rows : index
      %begin0 = scf.if %has_row0 -> (!own) {
        %begin_read0 = vector.transfer_read %state_own[%row_number0, %none], %zero
          {in_bounds = [false]} : !own_state, !own
        scf.yield %begin_read0 : !own
      } else {
        scf.yield %no_own : !own
      }
      %row_number1 = arith.constant 1 : index
      %has_row1 = arith.cmpi slt, %row_number1, %own_rows : index
      %begin1 = scf.if %has_row1 -> (!own) {
        %begin_read1 = vector.transfer_read %state_own[%row_number1, %none], %zero
          {in_bounds = [false]} : !own_state, !own
        scf.yield %begin_read1 : !own
      } else {
        scf.yield %no_own : !own
      }
      %row_number2 = arith.constant 2 : index
      %has_row2 = arith.cmpi slt, %row_number2, %own_rows : index
      %begin2 = scf.if %has_row2 -> (!own) {
        %begin_read2 = vector.transfer_read %state_own[%row_number2, %none], %zero
          {in_bounds = [false]} : !own_state, !own
        scf.yield %begin_read2 : !own
      } else {
        scf.yield %no_own : !own
      }
      %end0, %end1, %end2, %output_real = scf.for %t = %none to %tokens step %one
          iter_args(%before0 = %begin0, %before1 = %begin1, %before2 = %begin2, %output_before = %output_own)
            -> (!own, !own, !own, !own_output) {
          %query = vector.transfer_read
            %query_tile[%t, %first_own_row], %no_element
            {in_bounds = [false]}
            : tensor<?x20xf32>, !own_keys_stored

          %query0 = vector.extract %query[0] : f32 from !own_keys
          %query_of_row0 = vector.broadcast %query0 : f32 to !own
          %query1 = vector.extract %query[1] : f32 from !own_keys
          %query_of_row1 = vector.broadcast %query1 : f32 to !own
          %query2 = vector.extract %query[2] : f32 from !own_keys
          %query_of_row2 = vector.broadcast %query2 : f32 to !own
          %key = vector.transfer_read
            %key_tile[%t, %first_own_row], %no_element
            {in_bounds = [false]}
            : tensor<?x20xf32>, !own_keys_stored

          %key0 = vector.extract %key[0] : f32 from !own_keys
          %key_of_row0 = vector.broadcast %key0 : f32 to !own
          %key1 = vector.extract %key[1] : f32 from !own_keys
          %key_of_row1 = vector.broadcast %key1 : f32 to !own
          %key2 = vector.extract %key[2] : f32 from !own_keys
          %key_of_row2 = vector.broadcast %key2 : f32 to !own
          %g = vector.transfer_read %g_tile[%t, %first_own_row], %zero
            {in_bounds = [false]} : tensor<?x20xf32>, !own_keys
          %g0 = vector.extract %g[0] : f32 from !own_keys
          %kept0_in_base_2 = arith.mulf %g0, %log2e : f32
          %kept0 = llvm.call_intrinsic "llvm.exp2"
            (%kept0_in_base_2) : (f32) -> f32
          %decay0 = vector.broadcast %kept0 : f32 to !own
          %g1 = vector.extract %g[1] : f32 from !own_keys
          %kept1_in_base_2 = arith.mulf %g1, %log2e : f32
          %kept1 = llvm.call_intrinsic "llvm.exp2"
            (%kept1_in_base_2) : (f32) -> f32
          %decay1 = vector.broadcast %kept1 : f32 to !own
          %g2 = vector.extract %g[2] : f32 from !own_keys
          %kept2_in_base_2 = arith.mulf %g2, %log2e : f32
          %kept2 = llvm.call_intrinsic "llvm.exp2"
            (%kept2_in_base_2) : (f32) -> f32
          %decay2 = vector.broadcast %kept2 : f32 to !own
          %beta = tensor.extract %beta_tile[%t, %none] : tensor<?x1xf32>

          %value = vector.transfer_read %value_tile[%t, %own_column], %no_element
            {in_bounds = [false]}
            : tensor<?x?xf32>, !own_stored

          %forgotten0 = arith.mulf %before0, %decay0 : !own
          %held_1 = math.fma %forgotten0, %key_of_row0, %no_own : !own
          %forgotten1 = arith.mulf %before1, %decay1 : !own
          %held_2 = math.fma %forgotten1, %key_of_row1, %held_1 : !own
          %forgotten2 = arith.mulf %before2, %decay2 : !own
          %held = math.fma %forgotten2, %key_of_row2, %held_2 : !own
          %held_of_column0 = vector.extract %held[0] : f32 from !own
          %held_of_column0_there4, %held_of_column0_is_there4 =
            gpu.shuffle xor %held_of_column0, %distance4, %wave_size : f32
          %held_of_column0_of_all_1 = arith.addf %held_of_column0, %held_of_column0_there4 : f32
          %held_of_column0_there8, %held_of_column0_is_there8 =
            gpu.shuffle xor %held_of_column0_of_all_1, %distance8, %wave_size : f32
          %held_of_column0_of_all_2 = arith.addf %held_of_column0_of_all_1, %held_of_column0_there8 : f32
          %held_of_column0_there16, %held_of_column0_is_there16 =
            gpu.shuffle xor %held_of_column0_of_all_2, %distance16, %wave_size : f32
          %held_of_column0_of_all = arith.addf %held_of_column0_of_all_2, %held_of_column0_there16 : f32
          %held_of_column1 = vector.extract %held[1] : f32 from !own
          %held_of_column1_there4, %held_of_column1_is_there4 =
            gpu.shuffle xor %held_of_column1, %distance4, %wave_size : f32
          %held_of_column1_of_all_1 = arith.addf %held_of_column1, %held_of_column1_there4 : f32
          %held_of_column1_there8, %held_of_column1_is_there8 =
            gpu.shuffle xor %held_of_column1_of_all_1, %distance8, %wave_size : f32
          %held_of_column1_of_all_2 = arith.addf %held_of_column1_of_all_1, %held_of_column1_there8 : f32
          %held_of_column1_there16, %held_of_column1_is_there16 =
            gpu.shuffle xor %held_of_column1_of_all_2, %distance16, %wave_size : f32
          %held_of_column1_of_all = arith.addf %held_of_column1_of_all_2, %held_of_column1_there16 : f32
          %held_of_column2 = vector.extract %held[2] : f32 from !own
          %held_of_column2_there4, %held_of_column2_is_there4 =
            gpu.shuffle xor %held_of_column2, %distance4, %wave_size : f32
          %held_of_column2_of_all_1 = arith.addf %held_of_column2, %held_of_column2_there4 : f32
          %held_of_column2_there8, %held_of_column2_is_there8 =
            gpu.shuffle xor %held_of_column2_of_all_1, %distance8, %wave_size : f32
          %held_of_column2_of_all_2 = arith.addf %held_of_column2_of_all_1, %held_of_column2_there8 : f32
          %held_of_column2_there16, %held_of_column2_is_there16 =
            gpu.shuffle xor %held_of_column2_of_all_2, %distance16, %wave_size : f32
          %held_of_column2_of_all = arith.addf %held_of_column2_of_all_2, %held_of_column2_there16 : f32
          %held_of_column3 = vector.extract %held[3] : f32 from !own
          %held_of_column3_there4, %held_of_column3_is_there4 =
            gpu.shuffle xor %held_of_column3, %distance4, %wave_size : f32
          %held_of_column3_of_all_1 = arith.addf %held_of_column3, %held_of_column3_there4 : f32
          %held_of_column3_there8, %held_of_column3_is_there8 =
            gpu.shuffle xor %held_of_column3_of_all_1, %distance8, %wave_size : f32
          %held_of_column3_of_all_2 = arith.addf %held_of_column3_of_all_1, %held_of_column3_there8 : f32
          %held_of_column3_there16, %held_of_column3_is_there16 =
            gpu.shuffle xor %held_of_column3_of_all_2, %distance16, %wave_size : f32
          %held_of_column3_of_all = arith.addf %held_of_column3_of_all_2, %held_of_column3_there16 : f32
          %held_of_all = vector.from_elements
            %held_of_column0_of_all, %held_of_column1_of_all, %held_of_column2_of_all, %held_of_column3_of_all : !own
          %new = arith.subf %value, %held_of_all : !own
          %shares = vector.broadcast %beta : f32 to !own
          %delta = arith.mulf %new, %shares : !own
          %after0 = math.fma %key_of_row0, %delta, %forgotten0 : !own
          %made_1 = math.fma %after0, %query_of_row0, %no_own : !own
          %after1 = math.fma %key_of_row1, %delta, %forgotten1 : !own
          %made_2 = math.fma %after1, %query_of_row1, %made_1 : !own
          %after2 = math.fma %key_of_row2, %delta, %forgotten2 : !own
          %made = math.fma %after2, %query_of_row2, %made_2 : !own
          %made_of_column0 = vector.extract %made[0] : f32 from !own
          %made_of_column0_there4, %made_of_column0_is_there4 =
            gpu.shuffle xor %made_of_column0, %distance4, %wave_size : f32
          %made_of_column0_of_all_1 = arith.addf %made_of_column0, %made_of_column0_there4 : f32
          %made_of_column0_there8, %made_of_column0_is_there8 =
            gpu.shuffle xor %made_of_column0_of_all_1, %distance8, %wave_size : f32
          %made_of_column0_of_all_2 = arith.addf %made_of_column0_of_all_1, %made_of_column0_there8 : f32
          %made_of_column0_there16, %made_of_column0_is_there16 =
            gpu.shuffle xor %made_of_column0_of_all_2, %distance16, %wave_size : f32
          %made_of_column0_of_all = arith.addf %made_of_column0_of_all_2, %made_of_column0_there16 : f32
          %made_of_column1 = vector.extract %made[1] : f32 from !own
          %made_of_column1_there4, %made_of_column1_is_there4 =
            gpu.shuffle xor %made_of_column1, %distance4, %wave_size : f32
          %made_of_column1_of_all_1 = arith.addf %made_of_column1, %made_of_column1_there4 : f32
          %made_of_column1_there8, %made_of_column1_is_there8 =
            gpu.shuffle xor %made_of_column1_of_all_1, %distance8, %wave_size : f32
          %made_of_column1_of_all_2 = arith.addf %made_of_column1_of_all_1, %made_of_column1_there8 : f32
          %made_of_column1_there16, %made_of_column1_is_there16 =
            gpu.shuffle xor %made_of_column1_of_all_2, %distance16, %wave_size : f32
          %made_of_column1_of_all = arith.addf %made_of_column1_of_all_2, %made_of_column1_there16 : f32
          %made_of_column2 = vector.extract %made[2] : f32 from !own
          %made_of_column2_there4, %made_of_column2_is_there4 =
            gpu.shuffle xor %made_of_column2, %distance4, %wave_size : f32
          %made_of_column2_of_all_1 = arith.addf %made_of_column2, %made_of_column2_there4 : f32
          %made_of_column2_there8, %made_of_column2_is_there8 =
            gpu.shuffle xor %made_of_column2_of_all_1, %distance8, %wave_size : f32
          %made_of_column2_of_all_2 = arith.addf %made_of_column2_of_all_1, %made_of_column2_there8 : f32
          %made_of_column2_there16, %made_of_column2_is_there16 =
            gpu.shuffle xor %made_of_column2_of_all_2, %distance16, %wave_size : f32
          %made_of_column2_of_all = arith.addf %made_of_column2_of_all_2, %made_of_column2_there16 : f32
          %made_of_column3 = vector.extract %made[3] : f32 from !own
          %made_of_column3_there4, %made_of_column3_is_there4 =
            gpu.shuffle xor %made_of_column3, %distance4, %wave_size : f32
          %made_of_column3_of_all_1 = arith.addf %made_of_column3, %made_of_column3_there4 : f32
          %made_of_column3_there8, %made_of_column3_is_there8 =
            gpu.shuffle xor %made_of_column3_of_all_1, %distance8, %wave_size : f32
          %made_of_column3_of_all_2 = arith.addf %made_of_column3_of_all_1, %made_of_column3_there8 : f32
          %made_of_column3_there16, %made_of_column3_is_there16 =
            gpu.shuffle xor %made_of_column3_of_all_2, %distance16, %wave_size : f32
          %made_of_column3_of_all = arith.addf %made_of_column3_of_all_2, %made_of_column3_there16 : f32
          %made_of_all = vector.from_elements
            %made_of_column0_of_all, %made_of_column1_of_all, %made_of_column2_of_all, %made_of_column3_of_all : !own
          %output_factors = vector.broadcast %scale : f32 to !own
          %output = arith.mulf %made_of_all, %output_factors : !own

          %output_next = scf.if %is_first_group -> (!own_output) {
            %output_written = vector.transfer_write %output, %output_before[%t, %none]
              {in_bounds = [false]} : !own_stored, !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_before : !own_output
          }
          scf.yield %after0, %after1, %after2, %output_next : !own, !own, !own, !own_output
      }

      %no_values = arith.constant dense<0.0> : !own_stored
      %output_done = scf.for %t = %tokens to %own_output_rows step %one
          iter_args(%output_before = %output_real) -> (!own_output) {
        %output_next = vector.transfer_write %no_values, %output_before[%t, %none]
          {in_bounds = [false]} : !own_stored, !own_output
        scf.yield %output_next : !own_output
      }

      %state_done_1 = scf.if %has_row0 -> (!own_state) {
        %state_written0 = vector.transfer_write %end0, %state_own[%row_number0, %none]
          {in_bounds = [false]} : !own, !own_state
        scf.yield %state_written0 : !own_state
      } else {
        scf.yield %state_own : !own_state
      }
      %state_done_2 = scf.if %has_row1 -> (!own_state) {
        %state_written1 = vector.transfer_write %end1, %state_done_1[%row_number1, %none]
          {in_bounds = [false]} : !own, !own_state
        scf.yield %state_written1 : !own_state
      } else {
        scf.yield %state_done_1 : !own_state
      }
      %state_done = scf.if %has_row2 -> (!own_state) {
        %state_written2 = vector.transfer_write %end2, %state_done_2[%row_number2, %none]
          {in_bounds = [false]} : !own, !own_state
        scf.yield %state_written2 : !own_state
      } else {
        scf.yield %state_done_2 : !own_state
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_tile[%own_row, %own_place]
          [%own_rows, %own_columns] [1, 1] : !own_state into tensor<20x?xf32>
        tensor.parallel_insert_slice %output_done into %output_tile[%none, %own_place]
          [%own_output_rows, %own_columns] [1, 1] : !own_output into tensor<?x?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %state_after, %state_tied,
      offsets = [%state_row, %column], sizes = [20, %columns_here], strides = [1, 1]
      : tensor<20x?xf32> -> !state_in{%state_rows_dim}
    %output_tied = flow.dispatch.tie_shape %output_out : !output_out{%q_len_dim}
    iree_tensor_ext.dispatch.tensor.store %output_after, %output_tied,
      offsets = [%value_row, %first_value_column], sizes = [%output_count, %columns_here], strides = [1, 1]
      : tensor<?x?xf32> -> !output_out{%q_len_dim}
    return
  }
  }
}
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
  %state_rows_dim = affine.apply affine_map<()[a]
    -> (a * 40)>()[%batch_dim]
  %query_rows = tensor.collapse_shape %query [[0], [1, 2]]
    : !query into tensor<?x40xf32>
  %key_rows = tensor.collapse_shape %key [[0], [1, 2]]
    : !key into tensor<?x40xf32>
  %value_rows = tensor.collapse_shape %value [[0], [1, 2]]
    : !value into tensor<?x66xf32>
  %g_rows = tensor.collapse_shape %g [[0], [1, 2]]
    : !g into tensor<?x40xf32>
  %initial_state_rows = tensor.collapse_shape %initial_state [[0, 1, 2], [3]]
    : !initial_state into tensor<?x33xf32>
  %made:2 = flow.dispatch @gated_delta_rule_kernel::@gated_delta_rule_kernel[%batch_dim, %q_len_dim, %bounds_dim, %state_rows_dim](
      %query_rows, %key_rows, %value_rows, %g_rows, %beta, %cu_seqlens_q, %initial_state_rows, %batch_dim, %q_len_dim, %bounds_dim, %state_rows_dim
    ) : (
      tensor<?x40xf32>{%q_len_dim},
      tensor<?x40xf32>{%q_len_dim},
      tensor<?x66xf32>{%q_len_dim},
      tensor<?x40xf32>{%q_len_dim},
      tensor<?x2xf32>{%q_len_dim},
      tensor<?xi32>{%bounds_dim},
      tensor<?x33xf32>{%state_rows_dim},
      index,
      index,
      index,
      index
    ) -> (%initial_state_rows{%state_rows_dim}, tensor<?x66xf32>{%q_len_dim})
  %final_state = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [%batch_dim, 2, 20, 33] : tensor<?x33xf32> into !final_state
  %output = tensor.expand_shape %made#1 [[0], [1, 2]]
    output_shape [%q_len_dim, 2, 33] : tensor<?x66xf32> into !output
  return %output, %final_state
    : !output, !final_state
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
