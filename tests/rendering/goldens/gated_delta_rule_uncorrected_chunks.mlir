// Gated linear attention, 16 tokens at once: waves take the state through them.
!query = tensor<2x1x40x16xf16>
!key = tensor<2x1x40x16xf16>
!value = tensor<2x2x40x16xf16>
!g = tensor<2x2x40xf32>
!beta = tensor<2x2x40xf16>
!initial_state = tensor<2x2x16x16xf32>
!q_lens = tensor<2xi32>
!output = tensor<2x2x40x16xf16>
!final_state = tensor<2x2x16x16xf32>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<80x16xf16>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<80x16xf16>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160x16xf16>>
!g_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160xf32>>
!beta_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<160xf16>>
!q_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xi32>>
!query_scores_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<80x16xf32>>
!key_factor_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<80xf32>>
!query_factor_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<80xf32>>
!state_in = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x16xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<160x16xf16>>
!own_state = tensor<8x1xf32>
!own_output = tensor<?x1xf16>
!own_scores = tensor<?x8xf32>
!own_keys = vector<8xf16>
!own_keys_f32 = vector<8xf32>
!key_steps = vector<1x8xf16>
!key_groups = vector<2x1x8xf16>
!steps_of_groups = vector<1x2x8xf16>
!key_operand = vector<1x1x1x16xf16>
!chunk_operand = vector<1x1x1x16xf16>
!turned_operand = vector<1x1x1x16xf16>
!own_state_f32 = vector<8xf32>
!state_sums = vector<1x1x1x8xf32>
!own_f32 = vector<8xf32>
!sums = vector<1x1x1x8xf32>
!part = vector<16xf16>
!chunk = vector<16xf32>
!numbers = memref<1x4x16xf32, #gpu.address_space<workgroup>>
!scores = memref<1x1x16x20xf32, #gpu.address_space<workgroup>>
!squares = memref<1x1x16x16xf16, #gpu.address_space<workgroup>>
!turned_keys = memref<1x16x16xf16, #gpu.address_space<workgroup>>
// i row and j column of a product, k depth
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#sums = affine_map<(i, j, k) -> (i, j)>
#parallel = #linalg.iterator_type<parallel>
#reduction = #linalg.iterator_type<reduction>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [32, 1, 1] subgroup_size = 32,
  {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @gated_delta_rule_kernel {
  flow.executable.export public @gated_delta_rule_kernel
      workgroups() -> (index, index, index) {
    %blocks = arith.constant 1 : index
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
      %query_scores_in: !query_scores_in,
      %key_factor_in: !key_factor_in,
      %query_factor_in: !query_factor_in,
      %state_in: !state_in,
      %output_out: !output_out
    ) attributes {translation_info = #lanes} {
    %batch = arith.constant 2 : index
    %q_len = arith.constant 40 : index
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
      affine_map<(b, h) -> ((b * 2 + h) * 16)>(%b, %h)
    %query_tile = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [%key_row, 0], sizes = [%count, 16], strides = [1, 1]
      : !query_in -> tensor<?x16xf16>
    %key_tile = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [%key_row, 0], sizes = [%count, 16], strides = [1, 1]
      : !key_in -> tensor<?x16xf16>
    %value_tile = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [%value_row, %column], sizes = [%count, 16], strides = [1, 1]
      : !value_in -> tensor<?x16xf16>
    %g_tile = iree_tensor_ext.dispatch.tensor.load %g_in,
      offsets = [%value_row], sizes = [%count], strides = [1]
      : !g_in -> tensor<?xf32>
    %beta_tile = iree_tensor_ext.dispatch.tensor.load %beta_in,
      offsets = [%value_row], sizes = [%count], strides = [1]
      : !beta_in -> tensor<?xf16>
    %query_scores_tile = iree_tensor_ext.dispatch.tensor.load %query_scores_in,
      offsets = [%key_row, 0], sizes = [%count, 16], strides = [1, 1]
      : !query_scores_in -> tensor<?x16xf32>
    %key_factor_tile = iree_tensor_ext.dispatch.tensor.load %key_factor_in,
      offsets = [%key_row], sizes = [%count], strides = [1]
      : !key_factor_in -> tensor<?xf32>
    %query_factor_tile = iree_tensor_ext.dispatch.tensor.load %query_factor_in,
      offsets = [%key_row], sizes = [%count], strides = [1]
      : !query_factor_in -> tensor<?xf32>
    %state_before = iree_tensor_ext.dispatch.tensor.load %state_in,
      offsets = [%state_row, %column], sizes = [16, 16], strides = [1, 1]
      : !state_in -> tensor<16x16xf32>
    %given_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !numbers
    %made_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !numbers
    %scores_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !scores
    %squares_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !squares
    %turned_keys_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !turned_keys
    %no_element = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %log2e = arith.constant 1.4426950408889634 : f32
    %wave_size = arith.constant 32 : i32
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %tokens_of_turn = arith.constant 16 : index
    // The bits of the exponent, and of the largest power of 2.
    %exponent = arith.constant 0x7F800000 : i32
    %exponents = arith.constant 0x7F000000 : i32
    %exponent_of_1 = arith.constant 0x3F800000 : i32
    %no_sums = arith.constant dense<0.0> : !sums
    %last_token = arith.subi %tokens, %one : index
    %distance16 = arith.constant 16 : i32
    %output_empty = tensor.empty() : tensor<40x16xf16>
    %state_after, %output_after = scf.forall (%lane) in (32)
        shared_outs(%state_tile = %state_before, %output_tile = %output_empty)
        -> (tensor<16x16xf32>, tensor<40x16xf16>) {
      %wave, %group, %index = affine.delinearize_index %lane
        into (1, 2, 16) : index, index, index
      %own_row = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %own_token = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %token = affine.apply affine_map<(i)
        -> (i mod 2 * 8 + i floordiv 2)>(%index)
      %is_group0 = arith.cmpi eq, %group, %none : index
      %own_column = affine.apply affine_map<(w, i) -> (w * 16 + i)>(%wave, %index)
      %own_depth = arith.constant 0 : index
      %output_rows = affine.apply affine_map<()[n] -> (n)>()[
        %q_len]
      %state_own = tensor.extract_slice %state_tile[%own_row, %own_column] [8, 1] [1, 1]
        : tensor<16x16xf32> to !own_state
      // Lanes of other groups have rows of the same column: each writes its own tokens only.
      %output_own = tensor.extract_slice %output_tile[%none, %own_column] [%output_rows, 1] [1, 1]
        : tensor<40x16xf16> to !own_output
      %row_number0 = arith.constant 0 : index
      %begin0 = tensor.extract %state_own[%row_number0, %none] : !own_state
      %row_number1 = arith.constant 1 : index
      %begin1 = tensor.extract %state_own[%row_number1, %none] : !own_state
      %row_number2 = arith.constant 2 : index
      %begin2 = tensor.extract %state_own[%row_number2, %none] : !own_state
      %row_number3 = arith.constant 3 : index
      %begin3 = tensor.extract %state_own[%row_number3, %none] : !own_state
      %row_number4 = arith.constant 4 : index
      %begin4 = tensor.extract %state_own[%row_number4, %none] : !own_state
      %row_number5 = arith.constant 5 : index
      %begin5 = tensor.extract %state_own[%row_number5, %none] : !own_state
      %row_number6 = arith.constant 6 : index
      %begin6 = tensor.extract %state_own[%row_number6, %none] : !own_state
      %row_number7 = arith.constant 7 : index
      %begin7 = tensor.extract %state_own[%row_number7, %none] : !own_state
      %begin_flat = vector.from_elements %begin0, %begin1, %begin2, %begin3, %begin4, %begin5, %begin6, %begin7 : !own_state_f32
      %begin = vector.shape_cast %begin_flat : !own_state_f32 to !state_sums
      %end_state, %output_real =
        scf.for %start = %none to %tokens step %tokens_of_turn
          iter_args(%state_of_turn = %begin, %output_of_turn = %output_own) -> (!state_sums, !own_output) {
          %token_any = affine.apply affine_map<(s, w, t) -> (s + w * 16 + t)>(%start, %wave, %token)
          %row = arith.minsi %token_any, %last_token : index
          %g = tensor.extract %g_tile[%row] : tensor<?xf32>
          %g_in_base_2 = arith.mulf %g, %log2e : f32
          %kept_any = llvm.call_intrinsic "llvm.exp2"(%g_in_base_2) : (f32) -> f32
          %beta_stored = tensor.extract %beta_tile[%row] : tensor<?xf16>
          %beta_any = arith.extf %beta_stored : f16 to f32
          %is_real = arith.cmpi slt, %token_any, %tokens : index
          %kept = arith.select %is_real, %kept_any, %unit : f32
          %beta = arith.select %is_real, %beta_any, %zero : f32
          %key_own = vector.transfer_read %key_tile[%row, %own_row], %no_element
            {in_bounds = [true]} : tensor<?x16xf16>, !own_keys
          %query_scores_own = vector.transfer_read %query_scores_tile[%row, %own_token], %zero
            {in_bounds = [true]} : tensor<?x16xf32>, !own_f32
          %key_factor = tensor.extract %key_factor_tile[%row] : tensor<?xf32>
          %query_factor = tensor.extract %query_factor_tile[%row] : tensor<?xf32>
          %factor_bits = arith.bitcast %key_factor : f32 to i32
          %key_power_bits = arith.andi %factor_bits, %exponent : i32
          %key_power = arith.bitcast %key_power_bits : i32 to f32
          %digits = arith.xori %factor_bits, %key_power_bits : i32
          %digits_of_1 = arith.ori %digits, %exponent_of_1 : i32
          %key_factor_left = arith.bitcast %digits_of_1 : i32 to f32
          %key_f32 = arith.extf %key_own : !own_keys to !own_keys_f32
          %key_powers = vector.broadcast %key_power : f32 to !own_keys_f32
          %keys_near_1 = arith.mulf %key_f32, %key_powers : !own_keys_f32
          %keys_written = arith.truncf %keys_near_1 : !own_keys_f32 to !own_keys
          gpu.barrier memfence [#gpu.address_space<workgroup>]
          "vector.store"(%query_scores_own, %scores_lds, %wave, %none,
              %token, %own_token) <{alignment = 16 : i64}> : (!own_f32, !scores, index, index, index, index) -> ()
          memref.store %kept, %given_lds[%wave, %none, %token] : !numbers
          memref.store %query_factor, %given_lds[%wave, %one, %token] : !numbers
          %turned_row0 = affine.apply affine_map<(t) -> (t + 0)>(%own_token)
          %turned0 = vector.extract %keys_written[0]
            : f16 from !own_keys
          memref.store %turned0, %turned_keys_lds[%wave, %turned_row0, %token] : !turned_keys
          %turned_row1 = affine.apply affine_map<(t) -> (t + 1)>(%own_token)
          %turned1 = vector.extract %keys_written[1]
            : f16 from !own_keys
          memref.store %turned1, %turned_keys_lds[%wave, %turned_row1, %token] : !turned_keys
          %turned_row2 = affine.apply affine_map<(t) -> (t + 2)>(%own_token)
          %turned2 = vector.extract %keys_written[2]
            : f16 from !own_keys
          memref.store %turned2, %turned_keys_lds[%wave, %turned_row2, %token] : !turned_keys
          %turned_row3 = affine.apply affine_map<(t) -> (t + 3)>(%own_token)
          %turned3 = vector.extract %keys_written[3]
            : f16 from !own_keys
          memref.store %turned3, %turned_keys_lds[%wave, %turned_row3, %token] : !turned_keys
          %turned_row4 = affine.apply affine_map<(t) -> (t + 4)>(%own_token)
          %turned4 = vector.extract %keys_written[4]
            : f16 from !own_keys
          memref.store %turned4, %turned_keys_lds[%wave, %turned_row4, %token] : !turned_keys
          %turned_row5 = affine.apply affine_map<(t) -> (t + 5)>(%own_token)
          %turned5 = vector.extract %keys_written[5]
            : f16 from !own_keys
          memref.store %turned5, %turned_keys_lds[%wave, %turned_row5, %token] : !turned_keys
          %turned_row6 = affine.apply affine_map<(t) -> (t + 6)>(%own_token)
          %turned6 = vector.extract %keys_written[6]
            : f16 from !own_keys
          memref.store %turned6, %turned_keys_lds[%wave, %turned_row6, %token] : !turned_keys
          %turned_row7 = affine.apply affine_map<(t) -> (t + 7)>(%own_token)
          %turned7 = vector.extract %keys_written[7]
            : f16 from !own_keys
          memref.store %turned7, %turned_keys_lds[%wave, %turned_row7, %token] : !turned_keys
          gpu.barrier memfence [#gpu.address_space<workgroup>]
          %token_i32 = arith.index_cast %token : index to i32
          %number_i32_1 = arith.constant 1 : i32
          %is_later1 = arith.cmpi sgt, %number_i32_1, %token_i32 : i32
          %number_i32_2 = arith.constant 2 : i32
          %is_later2 = arith.cmpi sgt, %number_i32_2, %token_i32 : i32
          %number_i32_3 = arith.constant 3 : i32
          %is_later3 = arith.cmpi sgt, %number_i32_3, %token_i32 : i32
          %number_i32_4 = arith.constant 4 : i32
          %is_later4 = arith.cmpi sgt, %number_i32_4, %token_i32 : i32
          %number_i32_5 = arith.constant 5 : i32
          %is_later5 = arith.cmpi sgt, %number_i32_5, %token_i32 : i32
          %number_i32_6 = arith.constant 6 : i32
          %is_later6 = arith.cmpi sgt, %number_i32_6, %token_i32 : i32
          %number_i32_7 = arith.constant 7 : i32
          %is_later7 = arith.cmpi sgt, %number_i32_7, %token_i32 : i32
          %number_i32_8 = arith.constant 8 : i32
          %is_later8 = arith.cmpi sgt, %number_i32_8, %token_i32 : i32
          %number_i32_9 = arith.constant 9 : i32
          %is_later9 = arith.cmpi sgt, %number_i32_9, %token_i32 : i32
          %number_i32_10 = arith.constant 10 : i32
          %is_later10 = arith.cmpi sgt, %number_i32_10, %token_i32 : i32
          %number_i32_11 = arith.constant 11 : i32
          %is_later11 = arith.cmpi sgt, %number_i32_11, %token_i32 : i32
          %number_i32_12 = arith.constant 12 : i32
          %is_later12 = arith.cmpi sgt, %number_i32_12, %token_i32 : i32
          %number_i32_13 = arith.constant 13 : i32
          %is_later13 = arith.cmpi sgt, %number_i32_13, %token_i32 : i32
          %number_i32_14 = arith.constant 14 : i32
          %is_later14 = arith.cmpi sgt, %number_i32_14, %token_i32 : i32
          %number_i32_15 = arith.constant 15 : i32
          %is_later15 = arith.cmpi sgt, %number_i32_15, %token_i32 : i32
          %kept_each = "vector.load"(%given_lds, %wave, %none, %none)
            <{alignment = 16 : i64}> : (!numbers, index, index, index) -> !chunk
          %query_factor_each = "vector.load"(%given_lds, %wave, %one, %none)
            <{alignment = 16 : i64}> : (!numbers, index, index, index) -> !chunk
          %kept0 = vector.extract %kept_each[0] : f32 from !chunk
          %decay0 = arith.constant 1.0 : f32
          %kept1 = vector.extract %kept_each[1] : f32 from !chunk
          %kept_after1 = arith.select %is_later1, %kept1, %unit : f32
          %kept_before1 = arith.select %is_later1, %unit, %kept1 : f32
          %decay1 = arith.mulf %decay0, %kept_after1 : f32
          %until_1 = arith.mulf %kept0, %kept_before1 : f32
          %kept2 = vector.extract %kept_each[2] : f32 from !chunk
          %kept_after2 = arith.select %is_later2, %kept2, %unit : f32
          %kept_before2 = arith.select %is_later2, %unit, %kept2 : f32
          %decay2 = arith.mulf %decay1, %kept_after2 : f32
          %until_2 = arith.mulf %until_1, %kept_before2 : f32
          %kept3 = vector.extract %kept_each[3] : f32 from !chunk
          %kept_after3 = arith.select %is_later3, %kept3, %unit : f32
          %kept_before3 = arith.select %is_later3, %unit, %kept3 : f32
          %decay3 = arith.mulf %decay2, %kept_after3 : f32
          %until_3 = arith.mulf %until_2, %kept_before3 : f32
          %kept4 = vector.extract %kept_each[4] : f32 from !chunk
          %kept_after4 = arith.select %is_later4, %kept4, %unit : f32
          %kept_before4 = arith.select %is_later4, %unit, %kept4 : f32
          %decay4 = arith.mulf %decay3, %kept_after4 : f32
          %until_4 = arith.mulf %until_3, %kept_before4 : f32
          %kept5 = vector.extract %kept_each[5] : f32 from !chunk
          %kept_after5 = arith.select %is_later5, %kept5, %unit : f32
          %kept_before5 = arith.select %is_later5, %unit, %kept5 : f32
          %decay5 = arith.mulf %decay4, %kept_after5 : f32
          %until_5 = arith.mulf %until_4, %kept_before5 : f32
          %kept6 = vector.extract %kept_each[6] : f32 from !chunk
          %kept_after6 = arith.select %is_later6, %kept6, %unit : f32
          %kept_before6 = arith.select %is_later6, %unit, %kept6 : f32
          %decay6 = arith.mulf %decay5, %kept_after6 : f32
          %until_6 = arith.mulf %until_5, %kept_before6 : f32
          %kept7 = vector.extract %kept_each[7] : f32 from !chunk
          %kept_after7 = arith.select %is_later7, %kept7, %unit : f32
          %kept_before7 = arith.select %is_later7, %unit, %kept7 : f32
          %decay7 = arith.mulf %decay6, %kept_after7 : f32
          %until_7 = arith.mulf %until_6, %kept_before7 : f32
          %kept8 = vector.extract %kept_each[8] : f32 from !chunk
          %kept_after8 = arith.select %is_later8, %kept8, %unit : f32
          %kept_before8 = arith.select %is_later8, %unit, %kept8 : f32
          %decay8 = arith.mulf %decay7, %kept_after8 : f32
          %until_8 = arith.mulf %until_7, %kept_before8 : f32
          %kept9 = vector.extract %kept_each[9] : f32 from !chunk
          %kept_after9 = arith.select %is_later9, %kept9, %unit : f32
          %kept_before9 = arith.select %is_later9, %unit, %kept9 : f32
          %decay9 = arith.mulf %decay8, %kept_after9 : f32
          %until_9 = arith.mulf %until_8, %kept_before9 : f32
          %kept10 = vector.extract %kept_each[10] : f32 from !chunk
          %kept_after10 = arith.select %is_later10, %kept10, %unit : f32
          %kept_before10 = arith.select %is_later10, %unit, %kept10 : f32
          %decay10 = arith.mulf %decay9, %kept_after10 : f32
          %until_10 = arith.mulf %until_9, %kept_before10 : f32
          %kept11 = vector.extract %kept_each[11] : f32 from !chunk
          %kept_after11 = arith.select %is_later11, %kept11, %unit : f32
          %kept_before11 = arith.select %is_later11, %unit, %kept11 : f32
          %decay11 = arith.mulf %decay10, %kept_after11 : f32
          %until_11 = arith.mulf %until_10, %kept_before11 : f32
          %kept12 = vector.extract %kept_each[12] : f32 from !chunk
          %kept_after12 = arith.select %is_later12, %kept12, %unit : f32
          %kept_before12 = arith.select %is_later12, %unit, %kept12 : f32
          %decay12 = arith.mulf %decay11, %kept_after12 : f32
          %until_12 = arith.mulf %until_11, %kept_before12 : f32
          %kept13 = vector.extract %kept_each[13] : f32 from !chunk
          %kept_after13 = arith.select %is_later13, %kept13, %unit : f32
          %kept_before13 = arith.select %is_later13, %unit, %kept13 : f32
          %decay13 = arith.mulf %decay12, %kept_after13 : f32
          %until_13 = arith.mulf %until_12, %kept_before13 : f32
          %kept14 = vector.extract %kept_each[14] : f32 from !chunk
          %kept_after14 = arith.select %is_later14, %kept14, %unit : f32
          %kept_before14 = arith.select %is_later14, %unit, %kept14 : f32
          %decay14 = arith.mulf %decay13, %kept_after14 : f32
          %until_14 = arith.mulf %until_13, %kept_before14 : f32
          %kept15 = vector.extract %kept_each[15] : f32 from !chunk
          %kept_after15 = arith.select %is_later15, %kept15, %unit : f32
          %kept_before15 = arith.select %is_later15, %unit, %kept15 : f32
          %decay15 = arith.mulf %decay14, %kept_after15 : f32
          %until = arith.mulf %until_14, %kept_before15 : f32
          %decays = vector.from_elements %decay0, %decay1, %decay2, %decay3, %decay4, %decay5, %decay6, %decay7, %decay8, %decay9, %decay10, %decay11, %decay12, %decay13, %decay14, %decay15 : !chunk
          %key_factors = vector.broadcast %key_factor : f32 to !chunk
          %of_lane = arith.mulf %decays, %key_factors : !chunk
          %query_scores = "vector.load"(%scores_lds, %wave, %none, %token, %none)
            <{alignment = 16 : i64}> : (!scores, index, index, index, index) -> !chunk
          %query_shares = arith.mulf %of_lane, %query_factor_each : !chunk
          %weights_any = arith.mulf %query_shares, %query_scores : !chunk
          %weight_any0 = vector.extract %weights_any[0]
            : f32 from !chunk
          %weight_seen0 = arith.select %is_later1, %weight_any0, %zero : f32
          %weight_any1 = vector.extract %weights_any[1]
            : f32 from !chunk
          %weight_seen1 = arith.select %is_later2, %weight_any1, %zero : f32
          %weight_any2 = vector.extract %weights_any[2]
            : f32 from !chunk
          %weight_seen2 = arith.select %is_later3, %weight_any2, %zero : f32
          %weight_any3 = vector.extract %weights_any[3]
            : f32 from !chunk
          %weight_seen3 = arith.select %is_later4, %weight_any3, %zero : f32
          %weight_any4 = vector.extract %weights_any[4]
            : f32 from !chunk
          %weight_seen4 = arith.select %is_later5, %weight_any4, %zero : f32
          %weight_any5 = vector.extract %weights_any[5]
            : f32 from !chunk
          %weight_seen5 = arith.select %is_later6, %weight_any5, %zero : f32
          %weight_any6 = vector.extract %weights_any[6]
            : f32 from !chunk
          %weight_seen6 = arith.select %is_later7, %weight_any6, %zero : f32
          %weight_any7 = vector.extract %weights_any[7]
            : f32 from !chunk
          %weight_seen7 = arith.select %is_later8, %weight_any7, %zero : f32
          %weight_any8 = vector.extract %weights_any[8]
            : f32 from !chunk
          %weight_seen8 = arith.select %is_later9, %weight_any8, %zero : f32
          %weight_any9 = vector.extract %weights_any[9]
            : f32 from !chunk
          %weight_seen9 = arith.select %is_later10, %weight_any9, %zero : f32
          %weight_any10 = vector.extract %weights_any[10]
            : f32 from !chunk
          %weight_seen10 = arith.select %is_later11, %weight_any10, %zero : f32
          %weight_any11 = vector.extract %weights_any[11]
            : f32 from !chunk
          %weight_seen11 = arith.select %is_later12, %weight_any11, %zero : f32
          %weight_any12 = vector.extract %weights_any[12]
            : f32 from !chunk
          %weight_seen12 = arith.select %is_later13, %weight_any12, %zero : f32
          %weight_any13 = vector.extract %weights_any[13]
            : f32 from !chunk
          %weight_seen13 = arith.select %is_later14, %weight_any13, %zero : f32
          %weight_any14 = vector.extract %weights_any[14]
            : f32 from !chunk
          %weight_seen14 = arith.select %is_later15, %weight_any14, %zero : f32
          %weight_seen15 = vector.extract %weights_any[15]
            : f32 from !chunk
          %weights = vector.from_elements %weight_seen0, %weight_seen1, %weight_seen2, %weight_seen3, %weight_seen4, %weight_seen5, %weight_seen6, %weight_seen7, %weight_seen8, %weight_seen9, %weight_seen10, %weight_seen11, %weight_seen12, %weight_seen13, %weight_seen14, %weight_seen15 : !chunk
          %weights_rounded = arith.truncf %weights : !chunk to vector<16xf16>
          %number0 = arith.constant 0 : index
          %weight0 = vector.extract %weights_rounded[0] : f16 from vector<16xf16>
          memref.store %weight0, %squares_lds[%wave, %none, %number0, %token] : !squares
          %number1 = arith.constant 1 : index
          %weight1 = vector.extract %weights_rounded[1] : f16 from vector<16xf16>
          memref.store %weight1, %squares_lds[%wave, %none, %number1, %token] : !squares
          %number2 = arith.constant 2 : index
          %weight2 = vector.extract %weights_rounded[2] : f16 from vector<16xf16>
          memref.store %weight2, %squares_lds[%wave, %none, %number2, %token] : !squares
          %number3 = arith.constant 3 : index
          %weight3 = vector.extract %weights_rounded[3] : f16 from vector<16xf16>
          memref.store %weight3, %squares_lds[%wave, %none, %number3, %token] : !squares
          %number4 = arith.constant 4 : index
          %weight4 = vector.extract %weights_rounded[4] : f16 from vector<16xf16>
          memref.store %weight4, %squares_lds[%wave, %none, %number4, %token] : !squares
          %number5 = arith.constant 5 : index
          %weight5 = vector.extract %weights_rounded[5] : f16 from vector<16xf16>
          memref.store %weight5, %squares_lds[%wave, %none, %number5, %token] : !squares
          %number6 = arith.constant 6 : index
          %weight6 = vector.extract %weights_rounded[6] : f16 from vector<16xf16>
          memref.store %weight6, %squares_lds[%wave, %none, %number6, %token] : !squares
          %number7 = arith.constant 7 : index
          %weight7 = vector.extract %weights_rounded[7] : f16 from vector<16xf16>
          memref.store %weight7, %squares_lds[%wave, %none, %number7, %token] : !squares
          %number8 = arith.constant 8 : index
          %weight8 = vector.extract %weights_rounded[8] : f16 from vector<16xf16>
          memref.store %weight8, %squares_lds[%wave, %none, %number8, %token] : !squares
          %number9 = arith.constant 9 : index
          %weight9 = vector.extract %weights_rounded[9] : f16 from vector<16xf16>
          memref.store %weight9, %squares_lds[%wave, %none, %number9, %token] : !squares
          %number10 = arith.constant 10 : index
          %weight10 = vector.extract %weights_rounded[10] : f16 from vector<16xf16>
          memref.store %weight10, %squares_lds[%wave, %none, %number10, %token] : !squares
          %number11 = arith.constant 11 : index
          %weight11 = vector.extract %weights_rounded[11] : f16 from vector<16xf16>
          memref.store %weight11, %squares_lds[%wave, %none, %number11, %token] : !squares
          %number12 = arith.constant 12 : index
          %weight12 = vector.extract %weights_rounded[12] : f16 from vector<16xf16>
          memref.store %weight12, %squares_lds[%wave, %none, %number12, %token] : !squares
          %number13 = arith.constant 13 : index
          %weight13 = vector.extract %weights_rounded[13] : f16 from vector<16xf16>
          memref.store %weight13, %squares_lds[%wave, %none, %number13, %token] : !squares
          %number14 = arith.constant 14 : index
          %weight14 = vector.extract %weights_rounded[14] : f16 from vector<16xf16>
          memref.store %weight14, %squares_lds[%wave, %none, %number14, %token] : !squares
          %number15 = arith.constant 15 : index
          %weight15 = vector.extract %weights_rounded[15] : f16 from vector<16xf16>
          memref.store %weight15, %squares_lds[%wave, %none, %number15, %token] : !squares
          %reads_query = arith.mulf %until, %query_factor : f32
          %writes_key = arith.mulf %decay15, %key_factor_left : f32
          memref.store %beta, %made_lds[%wave, %none, %token] : !numbers
          memref.store %reads_query, %made_lds[%wave, %one, %token] : !numbers
          memref.store %writes_key, %made_lds[%wave, %two, %token] : !numbers
          memref.store %until, %made_lds[%wave, %three, %token] : !numbers
          gpu.barrier memfence [#gpu.address_space<workgroup>]
          %chunks = affine.min affine_map<(s)[n] -> (1, (n - s) ceildiv 16)>(
            %start)[%tokens]
          %state_after_turn, %output_after_turn = scf.for %c = %none to %chunks step %one
              iter_args(%state = %state_of_turn, %output_before = %output_of_turn)
                -> (!state_sums, !own_output) {
          %row_any = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t)>(%start, %c, %token)
          %row_here = arith.minsi %row_any, %last_token : index
          %query_here_none = arith.constant dense<0.0> : !key_groups
          %query_here_column0 = arith.constant 0 : index
          %query_here_read0 = vector.transfer_read
            %query_tile[%row_here, %query_here_column0], %no_element {in_bounds = [true]}
            : tensor<?x16xf16>, !own_keys
          %query_here_steps0 = vector.shape_cast %query_here_read0
            : !own_keys to !key_steps
          %query_here_groups_1 = vector.insert %query_here_steps0, %query_here_none[0]
            : !key_steps into !key_groups
          %query_here_column1 = arith.constant 8 : index
          %query_here_read1 = vector.transfer_read
            %query_tile[%row_here, %query_here_column1], %no_element {in_bounds = [true]}
            : tensor<?x16xf16>, !own_keys
          %query_here_steps1 = vector.shape_cast %query_here_read1
            : !own_keys to !key_steps
          %query_here_groups = vector.insert %query_here_steps1, %query_here_groups_1[1]
            : !key_steps into !key_groups
          %query_here_turned = vector.transpose %query_here_groups, [1, 0, 2]
            : !key_groups to !steps_of_groups
          %query_here_operand = vector.shape_cast %query_here_turned : !steps_of_groups to !key_operand
          %beta_here = "vector.load"(%made_lds, %c, %none, %own_token)
            <{alignment = 16 : i64}> : (!numbers, index, index, index) -> !own_f32
          %reads_query_here = "vector.load"(%made_lds, %c, %one, %own_token)
            <{alignment = 16 : i64}> : (!numbers, index, index, index) -> !own_f32
          %writes_key_here = "vector.load"(%made_lds, %c, %two, %own_token)
            <{alignment = 16 : i64}> : (!numbers, index, index, index) -> !own_f32
          %weights_row =
            "vector.load"(%squares_lds, %c, %none, %token, %own_depth)
            <{alignment = 16 : i64}> : (!squares, index, index, index, index) -> !part
          %weights_here = vector.shape_cast %weights_row : !part to !chunk_operand
          %token_of0 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 0)>(
            %start, %c, %own_token)
          %token0 = arith.minsi %token_of0, %last_token : index
          %value_stored0 = tensor.extract %value_tile[%token0, %own_column]
            : tensor<?x16xf16>
          %value0 = arith.extf %value_stored0 : f16 to f32
          %token_of1 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 1)>(
            %start, %c, %own_token)
          %token1 = arith.minsi %token_of1, %last_token : index
          %value_stored1 = tensor.extract %value_tile[%token1, %own_column]
            : tensor<?x16xf16>
          %value1 = arith.extf %value_stored1 : f16 to f32
          %token_of2 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 2)>(
            %start, %c, %own_token)
          %token2 = arith.minsi %token_of2, %last_token : index
          %value_stored2 = tensor.extract %value_tile[%token2, %own_column]
            : tensor<?x16xf16>
          %value2 = arith.extf %value_stored2 : f16 to f32
          %token_of3 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 3)>(
            %start, %c, %own_token)
          %token3 = arith.minsi %token_of3, %last_token : index
          %value_stored3 = tensor.extract %value_tile[%token3, %own_column]
            : tensor<?x16xf16>
          %value3 = arith.extf %value_stored3 : f16 to f32
          %token_of4 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 4)>(
            %start, %c, %own_token)
          %token4 = arith.minsi %token_of4, %last_token : index
          %value_stored4 = tensor.extract %value_tile[%token4, %own_column]
            : tensor<?x16xf16>
          %value4 = arith.extf %value_stored4 : f16 to f32
          %token_of5 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 5)>(
            %start, %c, %own_token)
          %token5 = arith.minsi %token_of5, %last_token : index
          %value_stored5 = tensor.extract %value_tile[%token5, %own_column]
            : tensor<?x16xf16>
          %value5 = arith.extf %value_stored5 : f16 to f32
          %token_of6 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 6)>(
            %start, %c, %own_token)
          %token6 = arith.minsi %token_of6, %last_token : index
          %value_stored6 = tensor.extract %value_tile[%token6, %own_column]
            : tensor<?x16xf16>
          %value6 = arith.extf %value_stored6 : f16 to f32
          %token_of7 = affine.apply affine_map<(s, c, t) -> (s + c * 16 + t + 7)>(
            %start, %c, %own_token)
          %token7 = arith.minsi %token_of7, %last_token : index
          %value_stored7 = tensor.extract %value_tile[%token7, %own_column]
            : tensor<?x16xf16>
          %value7 = arith.extf %value_stored7 : f16 to f32
          %values_given =
            vector.from_elements %value0, %value1, %value2, %value3, %value4, %value5, %value6, %value7 : !own_f32
          %state_any = vector.shape_cast %state : !state_sums to !own_state_f32
          %state_sizes = math.absf %state_any : !own_state_f32
          %value_sizes = math.absf %values_given : !own_f32
          %state_size = vector.reduction <maxnumf>, %state_sizes : !own_state_f32 into f32
          %size = vector.reduction <maxnumf>, %value_sizes, %state_size : !own_f32 into f32
          %size_there16, %size_is_there16 =
            gpu.shuffle xor %size, %distance16, %wave_size : f32
          %largest = arith.maxnumf %size, %size_there16 : f32
          %largest_bits = arith.bitcast %largest : f32 to i32
          %power_bits = arith.andi %largest_bits, %exponent : i32
          %power = arith.bitcast %power_bits : i32 to f32
          %inverse_bits = arith.subi %exponents, %power_bits : i32
          %inverse = arith.bitcast %inverse_bits : i32 to f32
          %inverse_of_state = vector.broadcast %inverse : f32 to !own_state_f32
          %inverse_of_own = vector.broadcast %inverse : f32 to !own_f32
          %state_flat = arith.mulf %state_any, %inverse_of_state : !own_state_f32
          %values = arith.mulf %values_given, %inverse_of_own : !own_f32
          %state_flat_rounded = arith.truncf %state_flat : vector<8xf32> to vector<8xf16>
          %state_flat_here = vector.bitcast %state_flat_rounded : vector<8xf16> to vector<4xi32>
          %state_flat_here0 = vector.extract %state_flat_here[0] : i32 from vector<4xi32>
          %state_flat_there0, %state_flat_is_there0 =
            gpu.shuffle xor %state_flat_here0, %distance16, %wave_size : i32
          %state_flat_here1 = vector.extract %state_flat_here[1] : i32 from vector<4xi32>
          %state_flat_there1, %state_flat_is_there1 =
            gpu.shuffle xor %state_flat_here1, %distance16, %wave_size : i32
          %state_flat_here2 = vector.extract %state_flat_here[2] : i32 from vector<4xi32>
          %state_flat_there2, %state_flat_is_there2 =
            gpu.shuffle xor %state_flat_here2, %distance16, %wave_size : i32
          %state_flat_here3 = vector.extract %state_flat_here[3] : i32 from vector<4xi32>
          %state_flat_there3, %state_flat_is_there3 =
            gpu.shuffle xor %state_flat_here3, %distance16, %wave_size : i32
          %state_flat_there = vector.from_elements %state_flat_there0, %state_flat_there1, %state_flat_there2, %state_flat_there3
            : vector<4xi32>
          %state_flat_of_group0 = arith.select %is_group0, %state_flat_here, %state_flat_there : vector<4xi32>
          %state_flat_of_group1 = arith.select %is_group0, %state_flat_there, %state_flat_here : vector<4xi32>
          %state_flat_pairs = vector.shuffle %state_flat_of_group0, %state_flat_of_group1
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %state_flat_both = vector.bitcast %state_flat_pairs : vector<8xi32> to vector<16xf16>
          %state_flat_operand = vector.shape_cast %state_flat_both : vector<16xf16> to !key_operand
          %given_sums = iree_codegen.inner_tiled ins(%query_here_operand, %state_flat_operand) outs(%no_sums)
            <indexing_maps = [#left, #right, #sums], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
            : !key_operand, !key_operand into !sums
          %written = arith.mulf %values, %beta_here : !own_f32
          %written_rounded = arith.truncf %written : vector<8xf32> to vector<8xf16>
          %written_here = vector.bitcast %written_rounded : vector<8xf16> to vector<4xi32>
          %written_here0 = vector.extract %written_here[0] : i32 from vector<4xi32>
          %written_there0, %written_is_there0 =
            gpu.shuffle xor %written_here0, %distance16, %wave_size : i32
          %written_here1 = vector.extract %written_here[1] : i32 from vector<4xi32>
          %written_there1, %written_is_there1 =
            gpu.shuffle xor %written_here1, %distance16, %wave_size : i32
          %written_here2 = vector.extract %written_here[2] : i32 from vector<4xi32>
          %written_there2, %written_is_there2 =
            gpu.shuffle xor %written_here2, %distance16, %wave_size : i32
          %written_here3 = vector.extract %written_here[3] : i32 from vector<4xi32>
          %written_there3, %written_is_there3 =
            gpu.shuffle xor %written_here3, %distance16, %wave_size : i32
          %written_there = vector.from_elements %written_there0, %written_there1, %written_there2, %written_there3
            : vector<4xi32>
          %written_of_group0 = arith.select %is_group0, %written_here, %written_there : vector<4xi32>
          %written_of_group1 = arith.select %is_group0, %written_there, %written_here : vector<4xi32>
          %written_pairs = vector.shuffle %written_of_group0, %written_of_group1
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %written_both = vector.bitcast %written_pairs : vector<8xi32> to vector<16xf16>
          %written_operand = vector.shape_cast %written_both : vector<16xf16> to !chunk_operand
          %given_any = vector.shape_cast %given_sums : !sums to !own_f32
          %given = arith.mulf %given_any, %reads_query_here : !own_f32
          %given_back = vector.shape_cast %given : !own_f32 to !sums
          %output_sums = iree_codegen.inner_tiled ins(%weights_here, %written_operand) outs(%given_back)
            <indexing_maps = [#left, #right, #sums], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
            : !chunk_operand, !chunk_operand into !sums
          %power_of_own = vector.broadcast %power : f32 to !own_f32
          %output_scaled = vector.shape_cast %output_sums : !sums to !own_f32
          %output_f32 = arith.mulf %output_scaled, %power_of_own : !own_f32
          %outputs = arith.truncf %output_f32 : !own_f32 to vector<8xf16>
          %output0 = vector.extract %outputs[0] : f16 from vector<8xf16>
          %is_real0 = arith.cmpi slt, %token_of0, %tokens : index
          %output_next_1 = scf.if %is_real0 -> (!own_output) {
            %output_written = tensor.insert %output0 into %output_before[%token_of0, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_before : !own_output
          }
          %output1 = vector.extract %outputs[1] : f16 from vector<8xf16>
          %is_real1 = arith.cmpi slt, %token_of1, %tokens : index
          %output_next_2 = scf.if %is_real1 -> (!own_output) {
            %output_written = tensor.insert %output1 into %output_next_1[%token_of1, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_1 : !own_output
          }
          %output2 = vector.extract %outputs[2] : f16 from vector<8xf16>
          %is_real2 = arith.cmpi slt, %token_of2, %tokens : index
          %output_next_3 = scf.if %is_real2 -> (!own_output) {
            %output_written = tensor.insert %output2 into %output_next_2[%token_of2, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_2 : !own_output
          }
          %output3 = vector.extract %outputs[3] : f16 from vector<8xf16>
          %is_real3 = arith.cmpi slt, %token_of3, %tokens : index
          %output_next_4 = scf.if %is_real3 -> (!own_output) {
            %output_written = tensor.insert %output3 into %output_next_3[%token_of3, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_3 : !own_output
          }
          %output4 = vector.extract %outputs[4] : f16 from vector<8xf16>
          %is_real4 = arith.cmpi slt, %token_of4, %tokens : index
          %output_next_5 = scf.if %is_real4 -> (!own_output) {
            %output_written = tensor.insert %output4 into %output_next_4[%token_of4, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_4 : !own_output
          }
          %output5 = vector.extract %outputs[5] : f16 from vector<8xf16>
          %is_real5 = arith.cmpi slt, %token_of5, %tokens : index
          %output_next_6 = scf.if %is_real5 -> (!own_output) {
            %output_written = tensor.insert %output5 into %output_next_5[%token_of5, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_5 : !own_output
          }
          %output6 = vector.extract %outputs[6] : f16 from vector<8xf16>
          %is_real6 = arith.cmpi slt, %token_of6, %tokens : index
          %output_next_7 = scf.if %is_real6 -> (!own_output) {
            %output_written = tensor.insert %output6 into %output_next_6[%token_of6, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_6 : !own_output
          }
          %output7 = vector.extract %outputs[7] : f16 from vector<8xf16>
          %is_real7 = arith.cmpi slt, %token_of7, %tokens : index
          %output_next = scf.if %is_real7 -> (!own_output) {
            %output_written = tensor.insert %output7 into %output_next_7[%token_of7, %none]
              : !own_output
            scf.yield %output_written : !own_output
          } else {
            scf.yield %output_next_7 : !own_output
          }
          %last_number = arith.constant 15 : index
          %until_here = memref.load %made_lds[%c, %three, %last_number] : !numbers
          %until_scaled = arith.mulf %until_here, %inverse : f32
          %until_each = vector.broadcast %until_scaled
            : f32 to !state_sums
          %state_left = arith.mulf %state, %until_each : !state_sums
          %share_written = arith.mulf %written, %writes_key_here : !own_f32
          %share_written_rounded = arith.truncf %share_written : vector<8xf32> to vector<8xf16>
          %share_written_here = vector.bitcast %share_written_rounded : vector<8xf16> to vector<4xi32>
          %share_written_here0 = vector.extract %share_written_here[0] : i32 from vector<4xi32>
          %share_written_there0, %share_written_is_there0 =
            gpu.shuffle xor %share_written_here0, %distance16, %wave_size : i32
          %share_written_here1 = vector.extract %share_written_here[1] : i32 from vector<4xi32>
          %share_written_there1, %share_written_is_there1 =
            gpu.shuffle xor %share_written_here1, %distance16, %wave_size : i32
          %share_written_here2 = vector.extract %share_written_here[2] : i32 from vector<4xi32>
          %share_written_there2, %share_written_is_there2 =
            gpu.shuffle xor %share_written_here2, %distance16, %wave_size : i32
          %share_written_here3 = vector.extract %share_written_here[3] : i32 from vector<4xi32>
          %share_written_there3, %share_written_is_there3 =
            gpu.shuffle xor %share_written_here3, %distance16, %wave_size : i32
          %share_written_there = vector.from_elements %share_written_there0, %share_written_there1, %share_written_there2, %share_written_there3
            : vector<4xi32>
          %share_written_of_group0 = arith.select %is_group0, %share_written_here, %share_written_there : vector<4xi32>
          %share_written_of_group1 = arith.select %is_group0, %share_written_there, %share_written_here : vector<4xi32>
          %share_written_pairs = vector.shuffle %share_written_of_group0, %share_written_of_group1
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %share_written_both = vector.bitcast %share_written_pairs : vector<8xi32> to vector<16xf16>
          %share_written_operand = vector.shape_cast %share_written_both : vector<16xf16> to !chunk_operand
          %no_turned = arith.constant dense<0.0> : !turned_operand
          %turned_place0 = affine.apply affine_map<(t) -> (t + 0)>(%token)
          %turned_part0 = "vector.load"(%turned_keys_lds, %c, %turned_place0, %own_depth)
            <{alignment = 16 : i64}> : (!turned_keys, index, index, index) -> !part
          %turned_keys = vector.insert %turned_part0, %no_turned[0, 0, 0]
            : !part into !turned_operand
          %state_scaled = iree_codegen.inner_tiled ins(%turned_keys, %share_written_operand) outs(%state_left)
            <indexing_maps = [#left, #right, #sums], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
            : !turned_operand, !chunk_operand into !state_sums
          %powers = vector.broadcast %power : f32 to !state_sums
          %state_next = arith.mulf %state_scaled, %powers : !state_sums
          scf.yield %state_next, %output_next : !state_sums, !own_output
          }
          scf.yield %state_after_turn, %output_after_turn : !state_sums, !own_output
      }

      %output_done = scf.for %t = %tokens to %output_rows step %one
          iter_args(%output_before = %output_real) -> (!own_output) {
        %output_next = tensor.insert %no_element into %output_before[%t, %none] : !own_output
        scf.yield %output_next : !own_output
      }

      %end_flat = vector.shape_cast %end_state : !state_sums to !own_state_f32
      %end0 = vector.extract %end_flat[0] : f32 from !own_state_f32
      %state_done_1 = tensor.insert %end0 into %state_own[%row_number0, %none] : !own_state
      %end1 = vector.extract %end_flat[1] : f32 from !own_state_f32
      %state_done_2 = tensor.insert %end1 into %state_done_1[%row_number1, %none] : !own_state
      %end2 = vector.extract %end_flat[2] : f32 from !own_state_f32
      %state_done_3 = tensor.insert %end2 into %state_done_2[%row_number2, %none] : !own_state
      %end3 = vector.extract %end_flat[3] : f32 from !own_state_f32
      %state_done_4 = tensor.insert %end3 into %state_done_3[%row_number3, %none] : !own_state
      %end4 = vector.extract %end_flat[4] : f32 from !own_state_f32
      %state_done_5 = tensor.insert %end4 into %state_done_4[%row_number4, %none] : !own_state
      %end5 = vector.extract %end_flat[5] : f32 from !own_state_f32
      %state_done_6 = tensor.insert %end5 into %state_done_5[%row_number5, %none] : !own_state
      %end6 = vector.extract %end_flat[6] : f32 from !own_state_f32
      %state_done_7 = tensor.insert %end6 into %state_done_6[%row_number6, %none] : !own_state
      %end7 = vector.extract %end_flat[7] : f32 from !own_state_f32
      %state_done = tensor.insert %end7 into %state_done_7[%row_number7, %none] : !own_state
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %state_done into %state_tile[%own_row, %own_column]
          [8, 1] [1, 1] : !own_state into tensor<16x16xf32>
        tensor.parallel_insert_slice %output_done into %output_tile[%none, %own_column]
          [%output_rows, 1] [1, 1] : !own_output into tensor<40x16xf16>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %state_after, %state_in,
      offsets = [%state_row, %column], sizes = [16, 16], strides = [1, 1]
      : tensor<16x16xf32> -> !state_in
    iree_tensor_ext.dispatch.tensor.store %output_after, %output_out,
      offsets = [%value_row, %column], sizes = [40, 16], strides = [1, 1]
      : tensor<40x16xf16> -> !output_out
    return
  }
  }
}
!query_scores_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<80x16xf32>>
!key_factor_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<80xf32>>
!query_factor_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<80xf32>>
flow.executable private @delta_scores_kernel {
  flow.executable.export public @delta_scores_kernel
      workgroups() -> (index, index, index) {
    %turns = arith.constant 3 : index
    %heads = arith.constant 1 : index
    %batch = arith.constant 2 : index
    flow.return %turns, %heads, %batch : index, index, index
  }
  builtin.module {
  func.func @delta_scores_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %q_lens_in: !q_lens_in,
      %query_scores_out: !query_scores_out,
      %key_factor_out: !key_factor_out,
      %query_factor_out: !query_factor_out
    ) attributes {translation_info = #lanes} {
    %batch = arith.constant 2 : index
    %q_len = arith.constant 40 : index
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %turn = flow.dispatch.workgroup.id[0] : index
    %key_head = flow.dispatch.workgroup.id[1] : index
    %b = flow.dispatch.workgroup.id[2] : index
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
    %query_tile = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [%key_row, 0], sizes = [%count, 16], strides = [1, 1]
      : !query_in -> tensor<?x16xf16>
    %key_tile = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [%key_row, 0], sizes = [%count, 16], strides = [1, 1]
      : !key_in -> tensor<?x16xf16>
    %no_element = arith.constant 0.0 : f16
    %no_sums = arith.constant dense<0.0> : !sums
    %last_token = arith.subi %tokens, %one : index
    %scale = arith.constant 0.25 : f32
    %eps = arith.constant 1.0e-06 : f32
    %wave_size = arith.constant 32 : i32
    %distance16 = arith.constant 16 : i32
    %query_scores_empty = tensor.empty(%count) : tensor<?x16xf32>
    %key_factor_empty = tensor.empty(%count) : tensor<?xf32>
    %query_factor_empty = tensor.empty(%count) : tensor<?xf32>
    %query_scores_of_lanes, %key_factor_of_lanes, %query_factor_of_lanes = scf.forall (%lane) in (32)
        shared_outs(%query_scores_tile = %query_scores_empty, %key_factor_tile = %key_factor_empty, %query_factor_tile = %query_factor_empty)
        -> (tensor<?x16xf32>, tensor<?xf32>, tensor<?xf32>) {
      %wave, %group, %index = affine.delinearize_index %lane
        into (1, 2, 16) : index, index, index
      %own_row = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %own_token = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %token = affine.apply affine_map<(i)
        -> (i mod 2 * 8 + i floordiv 2)>(%index)
      %chunk = affine.apply affine_map<(t, w) -> (t * 16 + w * 16)>(%turn, %wave)
      %token_any = affine.apply affine_map<(c, t) -> (c + t)>(%chunk, %token)
      %is_real = arith.cmpi slt, %token_any, %tokens : index
      %is_group0 = arith.cmpi eq, %group, %none : index
      %is_once = arith.andi %is_real, %is_group0 : i1
      %query_scores_own = tensor.extract_slice %query_scores_tile[%none, %own_token]
        [%tokens, 8] [1, 1] : tensor<?x16xf32> to !own_scores
      %has_chunk = arith.cmpi slt, %chunk, %tokens : index
      %query_scores_after, %key_factor_after, %query_factor_after =
        scf.if %has_chunk -> (!own_scores, tensor<?xf32>, tensor<?xf32>) {
          %row = arith.minsi %token_any, %last_token : index
          %query_none = arith.constant dense<0.0> : !key_groups
          %query_column0 = arith.constant 0 : index
          %query_read0 = vector.transfer_read
            %query_tile[%row, %query_column0], %no_element {in_bounds = [true]}
            : tensor<?x16xf16>, !own_keys
          %query_steps0 = vector.shape_cast %query_read0
            : !own_keys to !key_steps
          %query_groups_1 = vector.insert %query_steps0, %query_none[0]
            : !key_steps into !key_groups
          %query_column1 = arith.constant 8 : index
          %query_read1 = vector.transfer_read
            %query_tile[%row, %query_column1], %no_element {in_bounds = [true]}
            : tensor<?x16xf16>, !own_keys
          %query_steps1 = vector.shape_cast %query_read1
            : !own_keys to !key_steps
          %query_groups = vector.insert %query_steps1, %query_groups_1[1]
            : !key_steps into !key_groups
          %query_turned = vector.transpose %query_groups, [1, 0, 2]
            : !key_groups to !steps_of_groups
          %query_operand = vector.shape_cast %query_turned : !steps_of_groups to !key_operand
          %query_own = vector.transfer_read %query_tile[%row, %own_row], %no_element
            {in_bounds = [true]} : tensor<?x16xf16>, !own_keys
          %query_f32 = arith.extf %query_own : !own_keys to !own_keys_f32
          %query_squares = arith.mulf %query_f32, %query_f32 : !own_keys_f32
          %query_sum = vector.reduction <add>, %query_squares fastmath<reassoc>
            : !own_keys_f32 into f32
          %query_sum_there16, %query_sum_is_there16 =
            gpu.shuffle xor %query_sum, %distance16, %wave_size : f32
          %query_sum_of_all = arith.addf %query_sum, %query_sum_there16 : f32
          %query_more = arith.addf %query_sum_of_all, %eps : f32
          %query_inverse = math.rsqrt %query_more : f32
          %query_factor = arith.mulf %query_inverse, %scale : f32
          %key_none = arith.constant dense<0.0> : !key_groups
          %key_column0 = arith.constant 0 : index
          %key_read0 = vector.transfer_read
            %key_tile[%row, %key_column0], %no_element {in_bounds = [true]}
            : tensor<?x16xf16>, !own_keys
          %key_steps0 = vector.shape_cast %key_read0
            : !own_keys to !key_steps
          %key_groups_1 = vector.insert %key_steps0, %key_none[0]
            : !key_steps into !key_groups
          %key_column1 = arith.constant 8 : index
          %key_read1 = vector.transfer_read
            %key_tile[%row, %key_column1], %no_element {in_bounds = [true]}
            : tensor<?x16xf16>, !own_keys
          %key_steps1 = vector.shape_cast %key_read1
            : !own_keys to !key_steps
          %key_groups = vector.insert %key_steps1, %key_groups_1[1]
            : !key_steps into !key_groups
          %key_turned = vector.transpose %key_groups, [1, 0, 2]
            : !key_groups to !steps_of_groups
          %key_operand = vector.shape_cast %key_turned : !steps_of_groups to !key_operand
          %key_own = vector.transfer_read %key_tile[%row, %own_row], %no_element
            {in_bounds = [true]} : tensor<?x16xf16>, !own_keys
          %key_f32 = arith.extf %key_own : !own_keys to !own_keys_f32
          %key_squares = arith.mulf %key_f32, %key_f32 : !own_keys_f32
          %key_sum = vector.reduction <add>, %key_squares fastmath<reassoc>
            : !own_keys_f32 into f32
          %key_sum_there16, %key_sum_is_there16 =
            gpu.shuffle xor %key_sum, %distance16, %wave_size : f32
          %key_sum_of_all = arith.addf %key_sum, %key_sum_there16 : f32
          %key_more = arith.addf %key_sum_of_all, %eps : f32
          %key_factor = math.rsqrt %key_more : f32
          %query_sums = iree_codegen.inner_tiled ins(%query_operand, %key_operand) outs(%no_sums)
            <indexing_maps = [#left, #right, #sums], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
            : !key_operand, !key_operand into !sums
          %query_column = vector.shape_cast %query_sums : !sums to !own_f32
          %query_scores_written = scf.if %is_real -> (!own_scores) {
            %query_scores_done = vector.transfer_write %query_column, %query_scores_own[%token_any, %none]
              {in_bounds = [true]} : !own_f32, !own_scores
            scf.yield %query_scores_done : !own_scores
          } else {
            scf.yield %query_scores_own : !own_scores
          }
          %key_factor_written, %query_factor_written = scf.if %is_once -> (tensor<?xf32>, tensor<?xf32>) {
            %key_factor_done = tensor.insert %key_factor into
              %key_factor_tile[%token_any]
              : tensor<?xf32>
            %query_factor_done = tensor.insert %query_factor into
              %query_factor_tile[%token_any]
              : tensor<?xf32>
            scf.yield %key_factor_done, %query_factor_done : tensor<?xf32>, tensor<?xf32>
          } else {
            scf.yield %key_factor_tile, %query_factor_tile : tensor<?xf32>, tensor<?xf32>
          }
        scf.yield %query_scores_written, %key_factor_written, %query_factor_written : !own_scores, tensor<?xf32>, tensor<?xf32>
      } else {
        scf.yield %query_scores_own, %key_factor_tile, %query_factor_tile : !own_scores, tensor<?xf32>, tensor<?xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %query_scores_after into %query_scores_tile[%none, %own_token]
          [%tokens, 8] [1, 1] : !own_scores into tensor<?x16xf32>
        tensor.parallel_insert_slice %key_factor_after into
          %key_factor_tile[0] [%count] [1]
          : tensor<?xf32> into tensor<?xf32>
        tensor.parallel_insert_slice %query_factor_after into
          %query_factor_tile[0] [%count] [1]
          : tensor<?xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %query_scores_of_lanes, %query_scores_out,
      offsets = [%key_row, 0], sizes = [%count, 16], strides = [1, 1]
      : tensor<?x16xf32> -> !query_scores_out
    iree_tensor_ext.dispatch.tensor.store %key_factor_of_lanes, %key_factor_out,
      offsets = [%key_row], sizes = [%count], strides = [1]
      : tensor<?xf32> -> !key_factor_out
    iree_tensor_ext.dispatch.tensor.store %query_factor_of_lanes, %query_factor_out,
      offsets = [%key_row], sizes = [%count], strides = [1]
      : tensor<?xf32> -> !query_factor_out
    return
  }
  }
}

func.func @gated_delta_rule(%query: !query, %key: !key, %value: !value, %g: !g, %beta: !beta, %initial_state: !initial_state {iree.abi.consume}, %q_lens: !q_lens) -> (!output, !final_state) {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]]
    : !query into tensor<80x16xf16>
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]]
    : !key into tensor<80x16xf16>
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]]
    : !value into tensor<160x16xf16>
  %g_rows = tensor.collapse_shape %g [[0, 1, 2]]
    : !g into tensor<160xf32>
  %beta_rows = tensor.collapse_shape %beta [[0, 1, 2]]
    : !beta into tensor<160xf16>
  %initial_state_rows = tensor.collapse_shape %initial_state [[0, 1, 2], [3]]
    : !initial_state into tensor<64x16xf32>
  %query_scores_rows, %key_factor_rows, %query_factor_rows = flow.dispatch @delta_scores_kernel::@delta_scores_kernel(
      %query_rows, %key_rows, %q_lens
    ) : (
      tensor<80x16xf16>,
      tensor<80x16xf16>,
      tensor<2xi32>
    ) -> (tensor<80x16xf32>, tensor<80xf32>, tensor<80xf32>)
  %made:2 = flow.dispatch @gated_delta_rule_kernel::@gated_delta_rule_kernel(
      %query_rows, %key_rows, %value_rows, %g_rows, %beta_rows, %q_lens, %query_scores_rows, %key_factor_rows, %query_factor_rows, %initial_state_rows
    ) : (
      tensor<80x16xf16>,
      tensor<80x16xf16>,
      tensor<160x16xf16>,
      tensor<160xf32>,
      tensor<160xf16>,
      tensor<2xi32>,
      tensor<80x16xf32>,
      tensor<80xf32>,
      tensor<80xf32>,
      tensor<64x16xf32>
    ) -> (%initial_state_rows, tensor<160x16xf16>)
  %final_state = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [2, 2, 16, 16] : tensor<64x16xf32> into !final_state
  %output = tensor.expand_shape %made#1 [[0, 1, 2], [3]]
    output_shape [2, 2, 40, 16] : tensor<160x16xf16> into !output
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
