// Gated linear attention: a wave takes all tokens through some columns of a head's state.
!query = tensor<2x1x9x64xf16>
!key = tensor<2x1x9x64xf16>
!value = tensor<2x2x9x64xf16>
!g = tensor<2x2x9xf32>
!beta = tensor<2x2x9xf16>
!initial_state = tensor<2x2x64x64xf32>
!q_lens = tensor<2xi32>
!output = tensor<2x2x9x64xf16>
!final_state = tensor<2x2x64x64xf32>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<18x64xf16>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<18x64xf16>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<36x64xf16>>
!g_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<36xf32>>
!beta_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<36xf16>>
!q_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<256x64xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<36x64xf16>>
!own = vector<4xf32>
!own_stored = vector<4xf16>
!own_keys = vector<8xf32>
!own_keys_stored = vector<8xf16>
!own_state = tensor<?x?xf32>
!own_output = tensor<?x?xf16>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [32, 1, 1] subgroup_size = 32,
  {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @gated_delta_rule_kernel {
  flow.executable.export public @gated_delta_rule_kernel
      workgroups() -> (index, index, index) {
    %blocks = arith.constant 4 : index
    %heads = arith.constant 2 : index
    %batch = arith.constant 2 : index
    flow.return %blocks, %heads, %batch : index, index, index
  }
  builtin.module {
  func.func @gated_delta_rule_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %value_in: !value_in,
      %g_in: !g_in,
      %beta_in: !beta_in,
      %q_lens_in: !q_lens_in,
      %state_in: !state_in,
      %output_out: !output_out
    ) attributes {translation_info = #lanes} {
    %batch = arith.constant 2 : index
    %q_len = arith.constant 9 : index
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %block = flow.dispatch.workgroup.id[0] : index
    %h = flow.dispatch.workgroup.id[1] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %key_head = affine.apply affine_map<(h) -> (h floordiv 2)>(%h)
    %column = affine.apply affine_map<(i) -> (i * 16)>(%block)
    %most = arith.index_cast %q_len : index to i32
    %q_lens = iree_tensor_ext.dispatch.tensor.load %q_lens_in,
      offsets = [0], sizes = [2], strides = [1]
      : !q_lens_in -> tensor<2xi32>
    %count_told = tensor.extract %q_lens[%b] : tensor<2xi32>
    %count_kept = arith.minui %count_told, %most : i32
    %count = arith.index_cast %count_kept : i32 to index
    %key_head_of_all = affine.apply affine_map<(b, h) -> (b * 1 + h)>(%b, %key_head)
    %key_row = arith.muli %key_head_of_all, %q_len : index
    %tokens = affine.apply affine_map<()[n] -> (n)>()[%count]
    %value_head_of_all = affine.apply affine_map<(b, h) -> (b * 2 + h)>(%b, %h)
    %value_row = arith.muli %value_head_of_all, %q_len : index
    %state_row = affine.apply
      affine_map<(b, h) -> ((b * 2 + h) * 64)>(%b, %h)
    %query_tile = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [%key_row, 0], sizes = [%count, 64], strides = [1, 1]
      : !query_in -> tensor<?x64xf16>
    %key_tile = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [%key_row, 0], sizes = [%count, 64], strides = [1, 1]
      : !key_in -> tensor<?x64xf16>
    %value_tile = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [%value_row, %column], sizes = [%count, 16], strides = [1, 1]
      : !value_in -> tensor<?x16xf16>
    %g_tile = iree_tensor_ext.dispatch.tensor.load %g_in,
      offsets = [%value_row], sizes = [%count], strides = [1]
      : !g_in -> tensor<?xf32>
    %beta_tile = iree_tensor_ext.dispatch.tensor.load %beta_in,
      offsets = [%value_row], sizes = [%count], strides = [1]
      : !beta_in -> tensor<?xf16>
    %state_before = iree_tensor_ext.dispatch.tensor.load %state_in,
      offsets = [%state_row, %column], sizes = [64, 16], strides = [1, 1]
      : !state_in -> tensor<64x16xf32>
    %no_element = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %scale = arith.constant 0.125 : f32
    %log2e = arith.constant 1.4426950408889634 : f32
    %no_own = arith.constant dense<0.0> : !own
    %wave_size = arith.constant 32 : i32
    %distance4 = arith.constant 4 : i32
    %distance8 = arith.constant 8 : i32
    %distance16 = arith.constant 16 : i32
    %output_empty = tensor.empty() : tensor<9x16xf16>
    %state_after, %output_after = scf.forall (%lane) in (32)
        shared_outs(%state_tile = %state_before, %output_tile = %output_empty)
        -> (tensor<64x16xf32>, tensor<9x16xf16>) {
      %first_own_row = affine.apply
        affine_map<(l) -> (l floordiv 4 * 8)>(%lane)
      %own_column = affine.apply
        affine_map<(l) -> (l mod 4 * 4)>(%lane)
      %all_columns = arith.constant 16 : index
      %rows_left = affine.min
        affine_map<(r) -> (8, 64 - r)>(%first_own_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %columns_left = affine.min
        affine_map<(c)[n] -> (4, n - c)>(%own_column)[%all_columns]
      %own_columns = arith.maxsi %columns_left, %none : index
      %is_first_group = arith.cmpi eq, %first_own_row, %none : index
      %output_rows = affine.apply affine_map<()[n] -> (n)>()[
        %q_len]
      %own_output_rows = arith.select %is_first_group, %output_rows, %none : index
      %own_row = affine.min affine_map<(r) -> (r, 63)>(%first_own_row)
      %own_place = affine.min affine_map<(c)[n] -> (c, n - 1)>(%own_column)[%all_columns]
      %state_own = tensor.extract_slice %state_tile[%own_row, %own_place] [%own_rows, %own_columns] [1, 1]
        : tensor<64x16xf32> to !own_state
      %output_own = tensor.extract_slice %output_tile[%none, %own_place] [%own_output_rows, %own_columns]
        [1, 1] : tensor<9x16xf16> to !own_output
      %row_number0 = arith.constant 0 : index
      %begin0 = vector.transfer_read %state_own[%row_number0, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number1 = arith.constant 1 : index
      %begin1 = vector.transfer_read %state_own[%row_number1, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number2 = arith.constant 2 : index
      %begin2 = vector.transfer_read %state_own[%row_number2, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number3 = arith.constant 3 : index
      %begin3 = vector.transfer_read %state_own[%row_number3, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number4 = arith.constant 4 : index
      %begin4 = vector.transfer_read %state_own[%row_number4, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number5 = arith.constant 5 : index
      %begin5 = vector.transfer_read %state_own[%row_number5, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number6 = arith.constant 6 : index
      %begin6 = vector.transfer_read %state_own[%row_number6, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %row_number7 = arith.constant 7 : index
      %begin7 = vector.transfer_read %state_own[%row_number7, %none], %zero
        {in_bounds = [true]} : !own_state, !own
      %end0, %end1, %end2, %end3, %end4, %end5, %end6, %end7, %output_real = scf.for %t = %none to %tokens step %one
          iter_args(%before0 = %begin0, %before1 = %begin1, %before2 = %begin2, %before3 = %begin3, %before4 = %begin4, %before5 = %begin5, %before6 = %begin6, %before7 = %begin7, %output_before = %output_own)
            -> (!own, !own, !own, !own, !own, !own, !own, !own, !own_output) {
          %query_stored = vector.transfer_read
            %query_tile[%t, %first_own_row], %no_element
            {in_bounds = [true]}
            : tensor<?x64xf16>, !own_keys_stored
    %query = arith.extf %query_stored : !own_keys_stored to !own_keys
          %query0 = vector.extract %query[0] : f32 from !own_keys
          %query_of_row0 = vector.broadcast %query0 : f32 to !own
          %query1 = vector.extract %query[1] : f32 from !own_keys
          %query_of_row1 = vector.broadcast %query1 : f32 to !own
          %query2 = vector.extract %query[2] : f32 from !own_keys
          %query_of_row2 = vector.broadcast %query2 : f32 to !own
          %query3 = vector.extract %query[3] : f32 from !own_keys
          %query_of_row3 = vector.broadcast %query3 : f32 to !own
          %query4 = vector.extract %query[4] : f32 from !own_keys
          %query_of_row4 = vector.broadcast %query4 : f32 to !own
          %query5 = vector.extract %query[5] : f32 from !own_keys
          %query_of_row5 = vector.broadcast %query5 : f32 to !own
          %query6 = vector.extract %query[6] : f32 from !own_keys
          %query_of_row6 = vector.broadcast %query6 : f32 to !own
          %query7 = vector.extract %query[7] : f32 from !own_keys
          %query_of_row7 = vector.broadcast %query7 : f32 to !own
          %query_squares = arith.mulf %query, %query : !own_keys
          %query_sum = vector.reduction <add>, %query_squares fastmath<reassoc>
            : !own_keys into f32
          %query_sum_there4, %query_sum_is_there4 =
            gpu.shuffle xor %query_sum, %distance4, %wave_size : f32
          %query_sum_of_all_1 = arith.addf %query_sum, %query_sum_there4 : f32
          %query_sum_there8, %query_sum_is_there8 =
            gpu.shuffle xor %query_sum_of_all_1, %distance8, %wave_size : f32
          %query_sum_of_all_2 = arith.addf %query_sum_of_all_1, %query_sum_there8 : f32
          %query_sum_there16, %query_sum_is_there16 =
            gpu.shuffle xor %query_sum_of_all_2, %distance16, %wave_size : f32
          %query_sum_of_all = arith.addf %query_sum_of_all_2, %query_sum_there16 : f32
          %query_eps = arith.constant 1.0e-06 : f32
          %query_more = arith.addf %query_sum_of_all, %query_eps : f32
          %query_factor = math.rsqrt %query_more : f32
          %key_stored = vector.transfer_read
            %key_tile[%t, %first_own_row], %no_element
            {in_bounds = [true]}
            : tensor<?x64xf16>, !own_keys_stored
    %key = arith.extf %key_stored : !own_keys_stored to !own_keys
          %key0 = vector.extract %key[0] : f32 from !own_keys
          %key_of_row0 = vector.broadcast %key0 : f32 to !own
          %key1 = vector.extract %key[1] : f32 from !own_keys
          %key_of_row1 = vector.broadcast %key1 : f32 to !own
          %key2 = vector.extract %key[2] : f32 from !own_keys
          %key_of_row2 = vector.broadcast %key2 : f32 to !own
          %key3 = vector.extract %key[3] : f32 from !own_keys
          %key_of_row3 = vector.broadcast %key3 : f32 to !own
          %key4 = vector.extract %key[4] : f32 from !own_keys
          %key_of_row4 = vector.broadcast %key4 : f32 to !own
          %key5 = vector.extract %key[5] : f32 from !own_keys
          %key_of_row5 = vector.broadcast %key5 : f32 to !own
          %key6 = vector.extract %key[6] : f32 from !own_keys
          %key_of_row6 = vector.broadcast %key6 : f32 to !own
          %key7 = vector.extract %key[7] : f32 from !own_keys
          %key_of_row7 = vector.broadcast %key7 : f32 to !own
          %key_squares = arith.mulf %key, %key : !own_keys
          %key_sum = vector.reduction <add>, %key_squares fastmath<reassoc>
            : !own_keys into f32
          %key_sum_there4, %key_sum_is_there4 =
            gpu.shuffle xor %key_sum, %distance4, %wave_size : f32
          %key_sum_of_all_1 = arith.addf %key_sum, %key_sum_there4 : f32
          %key_sum_there8, %key_sum_is_there8 =
            gpu.shuffle xor %key_sum_of_all_1, %distance8, %wave_size : f32
          %key_sum_of_all_2 = arith.addf %key_sum_of_all_1, %key_sum_there8 : f32
          %key_sum_there16, %key_sum_is_there16 =
            gpu.shuffle xor %key_sum_of_all_2, %distance16, %wave_size : f32
          %key_sum_of_all = arith.addf %key_sum_of_all_2, %key_sum_there16 : f32
          %key_eps = arith.constant 1.0e-06 : f32
          %key_more = arith.addf %key_sum_of_all, %key_eps : f32
          %key_factor = math.rsqrt %key_more : f32
          %output_factor = arith.mulf %query_factor, %scale : f32
          %g = tensor.extract %g_tile[%t] : tensor<?xf32>
          %kept_in_base_2 = arith.mulf %g, %log2e : f32
          %kept = llvm.call_intrinsic "llvm.exp2"
            (%kept_in_base_2) : (f32) -> f32
          %decay = vector.broadcast %kept : f32 to !own
          %beta_stored = tensor.extract %beta_tile[%t] : tensor<?xf16>
    %beta = arith.extf %beta_stored : f16 to f32
          %value_stored = vector.transfer_read %value_tile[%t, %own_column], %no_element
            {in_bounds = [true]}
            : tensor<?x16xf16>, !own_stored
    %value = arith.extf %value_stored : !own_stored to !own
          %forgotten0 = arith.mulf %before0, %decay : !own
          %forgotten1 = arith.mulf %before1, %decay : !own
          %forgotten2 = arith.mulf %before2, %decay : !own
          %forgotten3 = arith.mulf %before3, %decay : !own
          %forgotten4 = arith.mulf %before4, %decay : !own
          %forgotten5 = arith.mulf %before5, %decay : !own
          %forgotten6 = arith.mulf %before6, %decay : !own
          %forgotten7 = arith.mulf %before7, %decay : !own
          %beta_of_key = arith.mulf %beta, %key_factor : f32
          %shares = vector.broadcast %beta_of_key : f32 to !own
          %delta = arith.mulf %value, %shares : !own
          %after0 = math.fma %key_of_row0, %delta, %forgotten0 : !own
          %made_1 = math.fma %after0, %query_of_row0, %no_own : !own
          %after1 = math.fma %key_of_row1, %delta, %forgotten1 : !own
          %made_2 = math.fma %after1, %query_of_row1, %made_1 : !own
          %after2 = math.fma %key_of_row2, %delta, %forgotten2 : !own
          %made_3 = math.fma %after2, %query_of_row2, %made_2 : !own
          %after3 = math.fma %key_of_row3, %delta, %forgotten3 : !own
          %made_4 = math.fma %after3, %query_of_row3, %made_3 : !own
          %after4 = math.fma %key_of_row4, %delta, %forgotten4 : !own
          %made_5 = math.fma %after4, %query_of_row4, %made_4 : !own
          %after5 = math.fma %key_of_row5, %delta, %forgotten5 : !own
          %made_6 = math.fma %after5, %query_of_row5, %made_5 : !own
          %after6 = math.fma %key_of_row6, %delta, %forgotten6 : !own
          %made_7 = math.fma %after6, %query_of_row6, %made_6 : !own
          %after7 = math.fma %key_of_row7, %delta, %forgotten7 : !own
          %made = math.fma %after7, %query_of_row7, %made_7 : !own
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
          %output_factors = vector.broadcast %output_factor : f32 to !own
          %output = arith.mulf %made_of_all, %output_factors : !own
    %output_stored = arith.truncf %output : !own to !own_stored
          %output_next = scf.if %is_first_group -> (!own_output) {
            %output_written = vector.transfer_write %output_stored, %output_before[%t, %none]
              {in_bounds = [true]} : !own_stored, !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_before : !own_output
          }
          scf.yield %after0, %after1, %after2, %after3, %after4, %after5, %after6, %after7, %output_next : !own, !own, !own, !own, !own, !own, !own, !own, !own_output
      }

      %no_values = arith.constant dense<0.0> : !own_stored
      %output_done = scf.for %t = %tokens to %own_output_rows step %one
          iter_args(%output_before = %output_real) -> (!own_output) {
        %output_next = vector.transfer_write %no_values, %output_before[%t, %none]
          {in_bounds = [true]} : !own_stored, !own_output
        scf.yield %output_next : !own_output
      }

      %state_done_1 = vector.transfer_write %end0, %state_own[%row_number0, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done_2 = vector.transfer_write %end1, %state_done_1[%row_number1, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done_3 = vector.transfer_write %end2, %state_done_2[%row_number2, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done_4 = vector.transfer_write %end3, %state_done_3[%row_number3, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done_5 = vector.transfer_write %end4, %state_done_4[%row_number4, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done_6 = vector.transfer_write %end5, %state_done_5[%row_number5, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done_7 = vector.transfer_write %end6, %state_done_6[%row_number6, %none]
        {in_bounds = [true]} : !own, !own_state
      %state_done = vector.transfer_write %end7, %state_done_7[%row_number7, %none]
        {in_bounds = [true]} : !own, !own_state
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_tile[%own_row, %own_place]
          [%own_rows, %own_columns] [1, 1] : !own_state into tensor<64x16xf32>
        tensor.parallel_insert_slice %output_done into %output_tile[%none, %own_place]
          [%own_output_rows, %own_columns] [1, 1] : !own_output into tensor<9x16xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %state_after, %state_in,
      offsets = [%state_row, %column], sizes = [64, 16], strides = [1, 1]
      : tensor<64x16xf32> -> !state_in
    iree_tensor_ext.dispatch.tensor.store %output_after, %output_out,
      offsets = [%value_row, %column], sizes = [9, 16], strides = [1, 1]
      : tensor<9x16xf16> -> !output_out
    return
  }
  }
}
func.func @gated_delta_rule(%query: !query, %key: !key, %value: !value, %g: !g, %beta: !beta, %initial_state: !initial_state {iree.abi.consume}, %q_lens: !q_lens) -> (!output, !final_state) {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : !query into tensor<18x64xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : !key into tensor<18x64xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : !value into tensor<36x64xf16>
  %g_rows = tensor.collapse_shape %g [[0, 1, 2]]
    : !g into tensor<36xf32>
  %beta_rows = tensor.collapse_shape %beta [[0, 1, 2]]
    : !beta into tensor<36xf16>
  %initial_state_rows = tensor.collapse_shape %initial_state [[0, 1, 2], [3]]
    : !initial_state into tensor<256x64xf32>
  %made:2 = flow.dispatch @gated_delta_rule_kernel::@gated_delta_rule_kernel(
      %query_rows, %key_rows, %value_rows, %g_rows, %beta_rows, %q_lens, %initial_state_rows
    ) : (
      tensor<18x64xf16>,
      tensor<18x64xf16>,
      tensor<36x64xf16>,
      tensor<36xf32>,
      tensor<36xf16>,
      tensor<2xi32>,
      tensor<256x64xf32>
    ) -> (%initial_state_rows, tensor<36x64xf16>)
  %final_state = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [2, 2, 64, 64] : tensor<256x64xf32> into !final_state
  %output = tensor.expand_shape %made#1 [[0, 1, 2], [3]]
    output_shape [2, 2, 9, 64] : tensor<36x64xf16> into !output
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
    %q_lens: !q_lens
  ) -> (!output, !final_state) attributes {iree.abi.model = "coarse-fences"} {
  %output, %final_state = func.call @gated_delta_rule(%query, %key, %value, %g, %beta, %initial_state, %q_lens)
    : (!query, !key, !value, !g, !beta, !initial_state, !q_lens) -> (!output, !final_state)
  util.return %output, %final_state : !output, !final_state
}
