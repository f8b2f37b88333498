// Attention as one kernel of few rows.
!query = tensor<1x8x1x64xbf16>
!key = tensor<1x2x128x64xi8>
!value = tensor<1x2x128x64xi8>
!key_scale = tensor<1xf32>
!value_scale = tensor<1xf32>
!output = tensor<1x8x1x64xbf16>
!query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x1x64xbf16>>
!key_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x128x64xi8>>
!value_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x128x64xi8>>
!key_scale_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>
!value_scale_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>
!output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8x1x64xbf16>>
!output_slice = tensor<4x?x64xbf16>
!lse_slice = tensor<4x?xf32>
!queries = tensor<4x32xi32>
!scores = tensor<4x512xf32>
!weights = tensor<4x256xi32>
!factors = tensor<4xf32>
!row_lanes = tensor<4x16xf32>
!acc = tensor<4x64xf32>
!row = tensor<4xf32>
!given_query = vector<64xbf16>
!query_row = vector<32xi32>
!given_value = vector<64xi8>
!value_row = vector<64xi32>
!table = vector<64xi8>
!factors_of_keys = tensor<512xf32>
!value_block = vector<4x64xf32>
!acc_row = vector<64xf32>
!output_f32 = vector<64xf32>
!output_row = vector<64xbf16>
!logits = vector<512xf32>
!logit_bits = vector<512xi32>
!logit_flags = vector<512xi1>
!key_indices = vector<512xindex>
!key_numbers = vector<512xi32>
!lanes_f32 = vector<16xf32>
!block_bits = vector<4xi32>
!block_flags = vector<4xi1>
!block_numbers = vector<4xf32>
!block_rows0 = vector<4x16xf32>
!block_register4 = vector<4xf32>
!block_register8 = vector<8xf32>
!block_register16 = vector<16xf32>
!lanes_i32 = vector<16xi32>
!lane_pairs = vector<32xbf16>
!value_left = vector<4x16xi32>
!value_right = vector<64xi32>
!value_sums = vector<4x4x16xf32>
!value_pairs = vector<128xi16>
!weight_parts = vector<512xbf16>
!weight_pairs = vector<256xi32>
#of_row = affine_map<(m, k) -> (m, 0)>
#of_column = affine_map<(k, n) -> (0, n)>
#of_element = affine_map<(m) -> (m, 0)>
!given_key = vector<64xi8>
!key_lanes = vector<32xi32>
!bytes_of_row = vector<64xi8>
!flags_of_row = vector<64xi1>
!key_register = vector<16xi32>
!row_sums = vector<4x16xf32>
!score_sums = vector<4x4x16xf32>
!scores_of_keys = vector<4x4xf32>
!scores_of_rows = vector<4x4xf32>
!keys_numbers = vector<16xf32>
!keys_rows0 = vector<16x16xf32>
!keys_register16 = vector<16xf32>
!query_lanes = vector<4x16xi32>
!score_left = vector<4x16xi32>
!value_block_row = vector<64xf32>
!score_right = vector<64xi32>
!key_memory = memref<1x2x128x64xi8>
!value_memory = memref<1x2x128x64xi8>
#arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func @attention(%query: !query, %key: !key, %value: !value, %key_scale: !key_scale, %value_scale: !value_scale) -> !output {
  %output =
    flow.dispatch @output_kernel::@output_kernel(
      %query, %key, %value, %key_scale, %value_scale
    ) : (
      tensor<1x8x1x64xbf16>,
      tensor<1x2x128x64xi8>,
      tensor<1x2x128x64xi8>,
      tensor<1xf32>,
      tensor<1xf32>
    ) -> (tensor<1x8x1x64xbf16>)
  return %output
    : !output
}
flow.executable private @output_kernel {
  flow.executable.export public @output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @output_kernel(
      %query_in: !query_in,
      %key_in: !key_in,
      %value_in: !value_in,
      %key_scale_in: !key_scale_in,
      %value_scale_in: !value_scale_in,
      %output_out: !output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 1, 64], strides = [1, 1, 1, 1]
      : !query_in -> tensor<1x8x1x64xbf16>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 128, 64], strides = [1, 1, 1, 1]
      : !key_in -> tensor<1x2x128x64xi8>
    %value = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 128, 64], strides = [1, 1, 1, 1]
      : !value_in -> tensor<1x2x128x64xi8>
    %key_scale = iree_tensor_ext.dispatch.tensor.load %key_scale_in,
      offsets = [0], sizes = [1], strides = [1]
      : !key_scale_in -> tensor<1xf32>
    %value_scale = iree_tensor_ext.dispatch.tensor.load %value_scale_in,
      offsets = [0], sizes = [1], strides = [1]
      : !value_scale_in -> tensor<1xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 512 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 32 : index
    %tile_heads = arith.constant 4 : index
    %rows = arith.constant 4 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 64 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 64 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %queries_of_head = arith.constant 1 : index
    %keys_of_axis = arith.constant 128 : index
    %q_len = arith.constant 1 : index
    %context_len = arith.constant 128 : index
    %tiles = arith.constant 1 : index
    %output_empty = tensor.empty() : tensor<1x8x1x64xbf16>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<1x8x1x64xbf16>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %first_query = affine.apply affine_map<(i) -> (i * 1)>(%i)
    %queries_here = affine.min
      affine_map<(m)[n] -> (n - m, 1)>(%first_query)[%queries_of_head]
    %last_query = affine.apply affine_map<()[n] -> (n - 1)>()[%queries_of_head]
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 1)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end = arith.select %end_is_real, %context_len, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 512 * 512)>(%tile_begin)
    %key_memory = hal.interface.binding.subspan layout(#arguments) binding(1)
      alignment(64) offset(%none) : !key_memory
    %value_memory = hal.interface.binding.subspan layout(#arguments) binding(2)
      alignment(64) offset(%none) : !value_memory
    %line0 = arith.constant 0 : index
    %key_numbers = vector.step : !key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !key_indices to !key_numbers
    %padding = arith.constant 0.0 : bf16
    %no_number = arith.constant 0 : i8
    %table_low_first = arith.constant dense<[0, 0, -128, -64, 0, 32, 64, 96, -128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -16]> : !table
    %table_low_last = arith.constant dense<[0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64, 80, 96, 112, -128, -112, -96, -80, -64, -48, -32, -64]> : !table
    %table_high_first = arith.constant dense<[0, 55, 55, 55, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59]> : !table
    %table_high_last = arith.constant dense<[60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 127]> : !table
    %table_sign = arith.constant dense<-128> : !table
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !value_block
    %acc_empty = tensor.empty() : !acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !value_block, !acc
        scf.yield %after : !acc
      }
      scf.yield %filled : !acc
    }
    %max_empty = tensor.empty() : !row
    %sum_empty = tensor.empty() : !row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!row, !row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !row
      scf.yield %max_after, %sum_after : !row, !row
    }
    %no_scores = arith.constant dense<0.0> : !score_sums
    %turn = arith.constant 32 : index
    %no_pair = arith.constant 0 : i32
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!acc, !row, !row) {
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!acc, !row, !row) {
    %keys_end_query = arith.minsi %queries_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %first_query, %keys_end_query : index
    %keys_end = arith.select %keys_end_is_real, %context_len, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 512)>(%keys_end, %t0, %end)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!acc, !row, !row) {
    %queries_empty = tensor.empty() : !queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
      %query_row_stored = vector.transfer_read
        %query[%b, %head, %query_token, %none], %padding
        {in_bounds = [true]} : !query, !given_query
      %query_row = vector.bitcast %query_row_stored : !given_query to !query_row
      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !query_row, !queries
      scf.yield %after : !queries
    }
    %key_unit = arith.constant 46.16624130844683 : f32
    %value_unit = arith.constant 256.0 : f32
    %key_scale_here = tensor.extract %key_scale[%none] : !key_scale
    %key_factor = arith.mulf %key_scale_here, %key_unit : f32
    %key_factors = vector.broadcast %key_factor : f32 to !logits
    %value_scale_here = tensor.extract %value_scale[%none] : !value_scale
    %value_factor = arith.mulf %value_scale_here, %value_unit : f32
    %value_factors = vector.broadcast %value_factor : f32 to !logits
          %next_t0 = affine.apply affine_map<(t) -> (t + 32)>(%t0)
          %first_scored = affine.apply
            affine_map<(t) -> (t floordiv 4 * 4)>(%from)
          %scores_empty = tensor.empty() : !scores
          %scores = scf.for %j = %first_scored to %to
            step %scored_keys iter_args(%before = %scores_empty) -> (!scores) {
            %seen0 = affine.max affine_map<(s, j) -> (s, j + 0)>(%from, %j)
            %key0 = affine.min affine_map<(j, e, t) -> (t + j, t + e - 1)>(%seen0, %to, %t0)

            %seen1 = affine.max affine_map<(s, j) -> (s, j + 1)>(%from, %j)
            %key1 = affine.min affine_map<(j, e, t) -> (t + j, t + e - 1)>(%seen1, %to, %t0)

            %seen2 = affine.max affine_map<(s, j) -> (s, j + 2)>(%from, %j)
            %key2 = affine.min affine_map<(j, e, t) -> (t + j, t + e - 1)>(%seen2, %to, %t0)

            %seen3 = affine.max affine_map<(s, j) -> (s, j + 3)>(%from, %j)
            %key3 = affine.min affine_map<(j, e, t) -> (t + j, t + e - 1)>(%seen3, %to, %t0)

            scf.for %u = %none to %scored_keys step %one {
              %next = affine.min
                affine_map<(t, j, u, e) -> (t + j + u, e - 1)>(%next_t0, %j, %u, %end)

              memref.prefetch %key_memory[%b, %kv_head, %next, %line0],
                read, locality<2>, data : !key_memory
            }
            %lane_sums = scf.for %k = %none to %head_steps step %turn iter_args(%so_far = %no_scores)
              -> !score_sums {
              %column = affine.apply affine_map<(k) -> (k * 2)>(%k)
              %key_lanes0_stored = vector.transfer_read
                %key[%b, %kv_head, %key0, %column], %no_number
                {in_bounds = [true]} : !key, !given_key
      %key_lanes0_bytes = vector.shuffle %key_lanes0_stored, %key_lanes0_stored
        [0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39, 8, 9, 10, 11, 12, 13, 14, 15, 40, 41, 42, 43, 44, 45, 46, 47, 16, 17, 18, 19, 20, 21, 22, 23, 48, 49, 50, 51, 52, 53, 54, 55, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59, 60, 61, 62, 63] : !given_key, !given_key
      %key_lanes0_low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_low_first, %key_lanes0_bytes, %table_low_last)
        : (!table, !table, !table) -> !table
      %key_lanes0_high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_high_first, %key_lanes0_bytes, %table_high_last)
        : (!table, !table, !table) -> !table
      %key_lanes0_sign = arith.andi %key_lanes0_bytes, %table_sign : !table
      %key_lanes0_signed = arith.ori %key_lanes0_high, %key_lanes0_sign : !table
      %key_lanes0_first_bytes = vector.shuffle %key_lanes0_low, %key_lanes0_signed
        [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119] : !table, !table
      %key_lanes0_first = vector.bitcast %key_lanes0_first_bytes : !table to !lanes_i32
      %key_lanes0_last_bytes = vector.shuffle %key_lanes0_low, %key_lanes0_signed
        [8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127] : !table, !table
      %key_lanes0_last = vector.bitcast %key_lanes0_last_bytes : !table to !lanes_i32
              %key_lanes1_stored = vector.transfer_read
                %key[%b, %kv_head, %key1, %column], %no_number
                {in_bounds = [true]} : !key, !given_key
      %key_lanes1_bytes = vector.shuffle %key_lanes1_stored, %key_lanes1_stored
        [0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39, 8, 9, 10, 11, 12, 13, 14, 15, 40, 41, 42, 43, 44, 45, 46, 47, 16, 17, 18, 19, 20, 21, 22, 23, 48, 49, 50, 51, 52, 53, 54, 55, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59, 60, 61, 62, 63] : !given_key, !given_key
      %key_lanes1_low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_low_first, %key_lanes1_bytes, %table_low_last)
        : (!table, !table, !table) -> !table
      %key_lanes1_high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_high_first, %key_lanes1_bytes, %table_high_last)
        : (!table, !table, !table) -> !table
      %key_lanes1_sign = arith.andi %key_lanes1_bytes, %table_sign : !table
      %key_lanes1_signed = arith.ori %key_lanes1_high, %key_lanes1_sign : !table
      %key_lanes1_first_bytes = vector.shuffle %key_lanes1_low, %key_lanes1_signed
        [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119] : !table, !table
      %key_lanes1_first = vector.bitcast %key_lanes1_first_bytes : !table to !lanes_i32
      %key_lanes1_last_bytes = vector.shuffle %key_lanes1_low, %key_lanes1_signed
        [8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127] : !table, !table
      %key_lanes1_last = vector.bitcast %key_lanes1_last_bytes : !table to !lanes_i32
              %key_lanes2_stored = vector.transfer_read
                %key[%b, %kv_head, %key2, %column], %no_number
                {in_bounds = [true]} : !key, !given_key
      %key_lanes2_bytes = vector.shuffle %key_lanes2_stored, %key_lanes2_stored
        [0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39, 8, 9, 10, 11, 12, 13, 14, 15, 40, 41, 42, 43, 44, 45, 46, 47, 16, 17, 18, 19, 20, 21, 22, 23, 48, 49, 50, 51, 52, 53, 54, 55, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59, 60, 61, 62, 63] : !given_key, !given_key
      %key_lanes2_low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_low_first, %key_lanes2_bytes, %table_low_last)
        : (!table, !table, !table) -> !table
      %key_lanes2_high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_high_first, %key_lanes2_bytes, %table_high_last)
        : (!table, !table, !table) -> !table
      %key_lanes2_sign = arith.andi %key_lanes2_bytes, %table_sign : !table
      %key_lanes2_signed = arith.ori %key_lanes2_high, %key_lanes2_sign : !table
      %key_lanes2_first_bytes = vector.shuffle %key_lanes2_low, %key_lanes2_signed
        [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119] : !table, !table
      %key_lanes2_first = vector.bitcast %key_lanes2_first_bytes : !table to !lanes_i32
      %key_lanes2_last_bytes = vector.shuffle %key_lanes2_low, %key_lanes2_signed
        [8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127] : !table, !table
      %key_lanes2_last = vector.bitcast %key_lanes2_last_bytes : !table to !lanes_i32
              %key_lanes3_stored = vector.transfer_read
                %key[%b, %kv_head, %key3, %column], %no_number
                {in_bounds = [true]} : !key, !given_key
      %key_lanes3_bytes = vector.shuffle %key_lanes3_stored, %key_lanes3_stored
        [0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39, 8, 9, 10, 11, 12, 13, 14, 15, 40, 41, 42, 43, 44, 45, 46, 47, 16, 17, 18, 19, 20, 21, 22, 23, 48, 49, 50, 51, 52, 53, 54, 55, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59, 60, 61, 62, 63] : !given_key, !given_key
      %key_lanes3_low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_low_first, %key_lanes3_bytes, %table_low_last)
        : (!table, !table, !table) -> !table
      %key_lanes3_high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_high_first, %key_lanes3_bytes, %table_high_last)
        : (!table, !table, !table) -> !table
      %key_lanes3_sign = arith.andi %key_lanes3_bytes, %table_sign : !table
      %key_lanes3_signed = arith.ori %key_lanes3_high, %key_lanes3_sign : !table
      %key_lanes3_first_bytes = vector.shuffle %key_lanes3_low, %key_lanes3_signed
        [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119] : !table, !table
      %key_lanes3_first = vector.bitcast %key_lanes3_first_bytes : !table to !lanes_i32
      %key_lanes3_last_bytes = vector.shuffle %key_lanes3_low, %key_lanes3_signed
        [8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127] : !table, !table
      %key_lanes3_last = vector.bitcast %key_lanes3_last_bytes : !table to !lanes_i32
              %no_keys = arith.constant dense<0> : !score_left
              %keys_from0_1 = vector.insert %key_lanes0_first, %no_keys [0]
                : !lanes_i32 into !score_left
              %keys_from0_2 = vector.insert %key_lanes1_first, %keys_from0_1 [1]
                : !lanes_i32 into !score_left
              %keys_from0_3 = vector.insert %key_lanes2_first, %keys_from0_2 [2]
                : !lanes_i32 into !score_left
              %keys_from0 = vector.insert %key_lanes3_first, %keys_from0_3 [3]
                : !lanes_i32 into !score_left
              %column0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
              %keys_from16_1 = vector.insert %key_lanes0_last, %no_keys [0]
                : !lanes_i32 into !score_left
              %keys_from16_2 = vector.insert %key_lanes1_last, %keys_from16_1 [1]
                : !lanes_i32 into !score_left
              %keys_from16_3 = vector.insert %key_lanes2_last, %keys_from16_2 [2]
                : !lanes_i32 into !score_left
              %keys_from16 = vector.insert %key_lanes3_last, %keys_from16_3 [3]
                : !lanes_i32 into !score_left
              %column16 = affine.apply affine_map<(k) -> (k + 16)>(%k)
              %query_lanes = vector.transfer_read %queries[%none, %column0], %no_pair
                {in_bounds = [true, true]} : !queries, !query_lanes
              %right = vector.shape_cast %query_lanes : !query_lanes to !score_right
            %right0_i32 = vector.extract_strided_slice %right
              offsets = [0], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right0 = vector.bitcast %right0_i32 : !lanes_i32 to !lane_pairs
            %right1_i32 = vector.extract_strided_slice %right
              offsets = [16], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right1 = vector.bitcast %right1_i32 : !lanes_i32 to !lane_pairs
            %right2_i32 = vector.extract_strided_slice %right
              offsets = [32], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right2 = vector.bitcast %right2_i32 : !lanes_i32 to !lane_pairs
            %right3_i32 = vector.extract_strided_slice %right
              offsets = [48], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right3 = vector.bitcast %right3_i32 : !lanes_i32 to !lane_pairs
            %left0_i32 = vector.extract %keys_from0[0] : !lanes_i32 from !score_left
            %left0 = vector.bitcast %left0_i32 : !lanes_i32 to !lane_pairs
            %old0_0 = vector.extract %so_far[0, 0]
              : !lanes_f32 from !score_sums
            %new0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_0, %left0, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !lanes_f32 into !score_sums
            %old0_1 = vector.extract %so_far[0, 1]
              : !lanes_f32 from !score_sums
            %new0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_1, %left0, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !lanes_f32 into !score_sums
            %old0_2 = vector.extract %so_far[0, 2]
              : !lanes_f32 from !score_sums
            %new0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_2, %left0, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_3 = vector.insert %new0_2, %more_2 [0, 2]
              : !lanes_f32 into !score_sums
            %old0_3 = vector.extract %so_far[0, 3]
              : !lanes_f32 from !score_sums
            %new0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_3, %left0, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_4 = vector.insert %new0_3, %more_3 [0, 3]
              : !lanes_f32 into !score_sums
            %left1_i32 = vector.extract %keys_from0[1] : !lanes_i32 from !score_left
            %left1 = vector.bitcast %left1_i32 : !lanes_i32 to !lane_pairs
            %old1_0 = vector.extract %so_far[1, 0]
              : !lanes_f32 from !score_sums
            %new1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_0, %left1, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_5 = vector.insert %new1_0, %more_4 [1, 0]
              : !lanes_f32 into !score_sums
            %old1_1 = vector.extract %so_far[1, 1]
              : !lanes_f32 from !score_sums
            %new1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_1, %left1, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_6 = vector.insert %new1_1, %more_5 [1, 1]
              : !lanes_f32 into !score_sums
            %old1_2 = vector.extract %so_far[1, 2]
              : !lanes_f32 from !score_sums
            %new1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_2, %left1, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_7 = vector.insert %new1_2, %more_6 [1, 2]
              : !lanes_f32 into !score_sums
            %old1_3 = vector.extract %so_far[1, 3]
              : !lanes_f32 from !score_sums
            %new1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_3, %left1, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_8 = vector.insert %new1_3, %more_7 [1, 3]
              : !lanes_f32 into !score_sums
            %left2_i32 = vector.extract %keys_from0[2] : !lanes_i32 from !score_left
            %left2 = vector.bitcast %left2_i32 : !lanes_i32 to !lane_pairs
            %old2_0 = vector.extract %so_far[2, 0]
              : !lanes_f32 from !score_sums
            %new2_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_0, %left2, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_9 = vector.insert %new2_0, %more_8 [2, 0]
              : !lanes_f32 into !score_sums
            %old2_1 = vector.extract %so_far[2, 1]
              : !lanes_f32 from !score_sums
            %new2_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_1, %left2, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_10 = vector.insert %new2_1, %more_9 [2, 1]
              : !lanes_f32 into !score_sums
            %old2_2 = vector.extract %so_far[2, 2]
              : !lanes_f32 from !score_sums
            %new2_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_2, %left2, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_11 = vector.insert %new2_2, %more_10 [2, 2]
              : !lanes_f32 into !score_sums
            %old2_3 = vector.extract %so_far[2, 3]
              : !lanes_f32 from !score_sums
            %new2_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_3, %left2, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_12 = vector.insert %new2_3, %more_11 [2, 3]
              : !lanes_f32 into !score_sums
            %left3_i32 = vector.extract %keys_from0[3] : !lanes_i32 from !score_left
            %left3 = vector.bitcast %left3_i32 : !lanes_i32 to !lane_pairs
            %old3_0 = vector.extract %so_far[3, 0]
              : !lanes_f32 from !score_sums
            %new3_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_0, %left3, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_13 = vector.insert %new3_0, %more_12 [3, 0]
              : !lanes_f32 into !score_sums
            %old3_1 = vector.extract %so_far[3, 1]
              : !lanes_f32 from !score_sums
            %new3_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_1, %left3, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_14 = vector.insert %new3_1, %more_13 [3, 1]
              : !lanes_f32 into !score_sums
            %old3_2 = vector.extract %so_far[3, 2]
              : !lanes_f32 from !score_sums
            %new3_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_2, %left3, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_15 = vector.insert %new3_2, %more_14 [3, 2]
              : !lanes_f32 into !score_sums
            %old3_3 = vector.extract %so_far[3, 3]
              : !lanes_f32 from !score_sums
            %new3_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_3, %left3, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more = vector.insert %new3_3, %more_15 [3, 3]
              : !lanes_f32 into !score_sums
              %query_lanes_at16 = vector.transfer_read %queries[%none, %column16], %no_pair
                {in_bounds = [true, true]} : !queries, !query_lanes
              %right_at16 = vector.shape_cast %query_lanes_at16 : !query_lanes to !score_right
            %right_at160_i32 = vector.extract_strided_slice %right_at16
              offsets = [0], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right_at160 = vector.bitcast %right_at160_i32 : !lanes_i32 to !lane_pairs
            %right_at161_i32 = vector.extract_strided_slice %right_at16
              offsets = [16], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right_at161 = vector.bitcast %right_at161_i32 : !lanes_i32 to !lane_pairs
            %right_at162_i32 = vector.extract_strided_slice %right_at16
              offsets = [32], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right_at162 = vector.bitcast %right_at162_i32 : !lanes_i32 to !lane_pairs
            %right_at163_i32 = vector.extract_strided_slice %right_at16
              offsets = [48], sizes = [16], strides = [1]
              : !score_right to !lanes_i32
            %right_at163 = vector.bitcast %right_at163_i32 : !lanes_i32 to !lane_pairs
            %left_at160_i32 = vector.extract %keys_from16[0] : !lanes_i32 from !score_left
            %left_at160 = vector.bitcast %left_at160_i32 : !lanes_i32 to !lane_pairs
            %old_at160_0 = vector.extract %more[0, 0]
              : !lanes_f32 from !score_sums
            %new_at160_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at160_0, %left_at160, %right_at160)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_1 = vector.insert %new_at160_0, %more [0, 0]
              : !lanes_f32 into !score_sums
            %old_at160_1 = vector.extract %more[0, 1]
              : !lanes_f32 from !score_sums
            %new_at160_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at160_1, %left_at160, %right_at161)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_2 = vector.insert %new_at160_1, %more_at16_1 [0, 1]
              : !lanes_f32 into !score_sums
            %old_at160_2 = vector.extract %more[0, 2]
              : !lanes_f32 from !score_sums
            %new_at160_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at160_2, %left_at160, %right_at162)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_3 = vector.insert %new_at160_2, %more_at16_2 [0, 2]
              : !lanes_f32 into !score_sums
            %old_at160_3 = vector.extract %more[0, 3]
              : !lanes_f32 from !score_sums
            %new_at160_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at160_3, %left_at160, %right_at163)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_4 = vector.insert %new_at160_3, %more_at16_3 [0, 3]
              : !lanes_f32 into !score_sums
            %left_at161_i32 = vector.extract %keys_from16[1] : !lanes_i32 from !score_left
            %left_at161 = vector.bitcast %left_at161_i32 : !lanes_i32 to !lane_pairs
            %old_at161_0 = vector.extract %more[1, 0]
              : !lanes_f32 from !score_sums
            %new_at161_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at161_0, %left_at161, %right_at160)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_5 = vector.insert %new_at161_0, %more_at16_4 [1, 0]
              : !lanes_f32 into !score_sums
            %old_at161_1 = vector.extract %more[1, 1]
              : !lanes_f32 from !score_sums
            %new_at161_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at161_1, %left_at161, %right_at161)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_6 = vector.insert %new_at161_1, %more_at16_5 [1, 1]
              : !lanes_f32 into !score_sums
            %old_at161_2 = vector.extract %more[1, 2]
              : !lanes_f32 from !score_sums
            %new_at161_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at161_2, %left_at161, %right_at162)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_7 = vector.insert %new_at161_2, %more_at16_6 [1, 2]
              : !lanes_f32 into !score_sums
            %old_at161_3 = vector.extract %more[1, 3]
              : !lanes_f32 from !score_sums
            %new_at161_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at161_3, %left_at161, %right_at163)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_8 = vector.insert %new_at161_3, %more_at16_7 [1, 3]
              : !lanes_f32 into !score_sums
            %left_at162_i32 = vector.extract %keys_from16[2] : !lanes_i32 from !score_left
            %left_at162 = vector.bitcast %left_at162_i32 : !lanes_i32 to !lane_pairs
            %old_at162_0 = vector.extract %more[2, 0]
              : !lanes_f32 from !score_sums
            %new_at162_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at162_0, %left_at162, %right_at160)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_9 = vector.insert %new_at162_0, %more_at16_8 [2, 0]
              : !lanes_f32 into !score_sums
            %old_at162_1 = vector.extract %more[2, 1]
              : !lanes_f32 from !score_sums
            %new_at162_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at162_1, %left_at162, %right_at161)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_10 = vector.insert %new_at162_1, %more_at16_9 [2, 1]
              : !lanes_f32 into !score_sums
            %old_at162_2 = vector.extract %more[2, 2]
              : !lanes_f32 from !score_sums
            %new_at162_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at162_2, %left_at162, %right_at162)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_11 = vector.insert %new_at162_2, %more_at16_10 [2, 2]
              : !lanes_f32 into !score_sums
            %old_at162_3 = vector.extract %more[2, 3]
              : !lanes_f32 from !score_sums
            %new_at162_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at162_3, %left_at162, %right_at163)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_12 = vector.insert %new_at162_3, %more_at16_11 [2, 3]
              : !lanes_f32 into !score_sums
            %left_at163_i32 = vector.extract %keys_from16[3] : !lanes_i32 from !score_left
            %left_at163 = vector.bitcast %left_at163_i32 : !lanes_i32 to !lane_pairs
            %old_at163_0 = vector.extract %more[3, 0]
              : !lanes_f32 from !score_sums
            %new_at163_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at163_0, %left_at163, %right_at160)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_13 = vector.insert %new_at163_0, %more_at16_12 [3, 0]
              : !lanes_f32 into !score_sums
            %old_at163_1 = vector.extract %more[3, 1]
              : !lanes_f32 from !score_sums
            %new_at163_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at163_1, %left_at163, %right_at161)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_14 = vector.insert %new_at163_1, %more_at16_13 [3, 1]
              : !lanes_f32 into !score_sums
            %old_at163_2 = vector.extract %more[3, 2]
              : !lanes_f32 from !score_sums
            %new_at163_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at163_2, %left_at163, %right_at162)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16_15 = vector.insert %new_at163_2, %more_at16_14 [3, 2]
              : !lanes_f32 into !score_sums
            %old_at163_3 = vector.extract %more[3, 3]
              : !lanes_f32 from !score_sums
            %new_at163_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old_at163_3, %left_at163, %right_at163)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_at16 = vector.insert %new_at163_3, %more_at16_15 [3, 3]
              : !lanes_f32 into !score_sums
              scf.yield %more_at16 : !score_sums
            }
            %sums_of_keys = vector.shape_cast %lane_sums : !score_sums to !keys_rows0
        %sums_0 = vector.extract %sums_of_keys[0] : !keys_register16 from !keys_rows0
        %sums_1 = vector.extract %sums_of_keys[1] : !keys_register16 from !keys_rows0
        %sums_2 = vector.extract %sums_of_keys[2] : !keys_register16 from !keys_rows0
        %sums_3 = vector.extract %sums_of_keys[3] : !keys_register16 from !keys_rows0
        %sums_4 = vector.extract %sums_of_keys[4] : !keys_register16 from !keys_rows0
        %sums_5 = vector.extract %sums_of_keys[5] : !keys_register16 from !keys_rows0
        %sums_6 = vector.extract %sums_of_keys[6] : !keys_register16 from !keys_rows0
        %sums_7 = vector.extract %sums_of_keys[7] : !keys_register16 from !keys_rows0
        %sums_8 = vector.extract %sums_of_keys[8] : !keys_register16 from !keys_rows0
        %sums_9 = vector.extract %sums_of_keys[9] : !keys_register16 from !keys_rows0
        %sums_10 = vector.extract %sums_of_keys[10] : !keys_register16 from !keys_rows0
        %sums_11 = vector.extract %sums_of_keys[11] : !keys_register16 from !keys_rows0
        %sums_12 = vector.extract %sums_of_keys[12] : !keys_register16 from !keys_rows0
        %sums_13 = vector.extract %sums_of_keys[13] : !keys_register16 from !keys_rows0
        %sums_14 = vector.extract %sums_of_keys[14] : !keys_register16 from !keys_rows0
        %sums_15 = vector.extract %sums_of_keys[15] : !keys_register16 from !keys_rows0
        %sums_evens16 = vector.shuffle
          %sums_0, %sums_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds16 = vector.shuffle
          %sums_0, %sums_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_16 = arith.addf
          %sums_evens16, %sums_odds16 fastmath<reassoc> : !keys_register16
        %sums_evens17 = vector.shuffle
          %sums_2, %sums_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds17 = vector.shuffle
          %sums_2, %sums_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_17 = arith.addf
          %sums_evens17, %sums_odds17 fastmath<reassoc> : !keys_register16
        %sums_evens18 = vector.shuffle
          %sums_4, %sums_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds18 = vector.shuffle
          %sums_4, %sums_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_18 = arith.addf
          %sums_evens18, %sums_odds18 fastmath<reassoc> : !keys_register16
        %sums_evens19 = vector.shuffle
          %sums_6, %sums_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds19 = vector.shuffle
          %sums_6, %sums_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_19 = arith.addf
          %sums_evens19, %sums_odds19 fastmath<reassoc> : !keys_register16
        %sums_evens20 = vector.shuffle
          %sums_8, %sums_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds20 = vector.shuffle
          %sums_8, %sums_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_20 = arith.addf
          %sums_evens20, %sums_odds20 fastmath<reassoc> : !keys_register16
        %sums_evens21 = vector.shuffle
          %sums_10, %sums_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds21 = vector.shuffle
          %sums_10, %sums_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_21 = arith.addf
          %sums_evens21, %sums_odds21 fastmath<reassoc> : !keys_register16
        %sums_evens22 = vector.shuffle
          %sums_12, %sums_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds22 = vector.shuffle
          %sums_12, %sums_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_22 = arith.addf
          %sums_evens22, %sums_odds22 fastmath<reassoc> : !keys_register16
        %sums_evens23 = vector.shuffle
          %sums_14, %sums_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds23 = vector.shuffle
          %sums_14, %sums_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_23 = arith.addf
          %sums_evens23, %sums_odds23 fastmath<reassoc> : !keys_register16
        %sums_evens24 = vector.shuffle
          %sums_16, %sums_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds24 = vector.shuffle
          %sums_16, %sums_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_24 = arith.addf
          %sums_evens24, %sums_odds24 fastmath<reassoc> : !keys_register16
        %sums_evens25 = vector.shuffle
          %sums_18, %sums_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds25 = vector.shuffle
          %sums_18, %sums_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_25 = arith.addf
          %sums_evens25, %sums_odds25 fastmath<reassoc> : !keys_register16
        %sums_evens26 = vector.shuffle
          %sums_20, %sums_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds26 = vector.shuffle
          %sums_20, %sums_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_26 = arith.addf
          %sums_evens26, %sums_odds26 fastmath<reassoc> : !keys_register16
        %sums_evens27 = vector.shuffle
          %sums_22, %sums_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !keys_register16, !keys_register16
        %sums_odds27 = vector.shuffle
          %sums_22, %sums_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !keys_register16, !keys_register16
        %sums_27 = arith.addf
          %sums_evens27, %sums_odds27 fastmath<reassoc> : !keys_register16
        %sums_evens28 = vector.shuffle
          %sums_24, %sums_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !keys_register16, !keys_register16
        %sums_odds28 = vector.shuffle
          %sums_24, %sums_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !keys_register16, !keys_register16
        %sums_28 = arith.addf
          %sums_evens28, %sums_odds28 fastmath<reassoc> : !keys_register16
        %sums_evens29 = vector.shuffle
          %sums_26, %sums_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !keys_register16, !keys_register16
        %sums_odds29 = vector.shuffle
          %sums_26, %sums_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !keys_register16, !keys_register16
        %sums_29 = arith.addf
          %sums_evens29, %sums_odds29 fastmath<reassoc> : !keys_register16
        %sums_evens30 = vector.shuffle
          %sums_28, %sums_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !keys_register16, !keys_register16
        %sums_odds30 = vector.shuffle
          %sums_28, %sums_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !keys_register16, !keys_register16
        %sums = arith.addf
          %sums_evens30, %sums_odds30 fastmath<reassoc> : !keys_register16
            %scores_of_keys = vector.shape_cast %sums : !keys_numbers to !scores_of_keys
            %scores_of_rows = vector.transpose %scores_of_keys, [1, 0] : !scores_of_keys to !scores_of_rows
            %after = vector.transfer_write %scores_of_rows, %before[%none, %j] {in_bounds = [true, true]}
              : !scores_of_rows, !scores
            scf.yield %after : !scores
          }
        %hidden = arith.constant dense<0xFF800000> : !logits
        %lanes_empty = tensor.empty() : !row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!scores, !row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !scores, !logits
          %scaled = arith.mulf %score, %key_factors
            : !logits
          %next_query = arith.addi %m, %one : index
    %row_end_query = arith.minsi %next_query, %q_len : index
    %row_end_is_real = arith.cmpi slt, %m, %row_end_query : index
    %row_end = arith.select %row_end_is_real, %context_len, %none : index
    %row_begin = arith.constant 0 : index
          %row_to = arith.subi %row_end, %t0 : index
          %row_to_i32 = arith.index_cast %row_to : index to i32
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !key_numbers
          %logit = arith.select %ahead_is_seen, %scaled, %hidden
            : !logit_flags, !logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes4 = vector.extract_strided_slice %logit
            offsets = [64], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes5 = vector.extract_strided_slice %logit
            offsets = [80], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes6 = vector.extract_strided_slice %logit
            offsets = [96], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes7 = vector.extract_strided_slice %logit
            offsets = [112], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes8 = vector.extract_strided_slice %logit
            offsets = [128], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes9 = vector.extract_strided_slice %logit
            offsets = [144], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes10 = vector.extract_strided_slice %logit
            offsets = [160], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes11 = vector.extract_strided_slice %logit
            offsets = [176], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes12 = vector.extract_strided_slice %logit
            offsets = [192], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes13 = vector.extract_strided_slice %logit
            offsets = [208], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes14 = vector.extract_strided_slice %logit
            offsets = [224], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes15 = vector.extract_strided_slice %logit
            offsets = [240], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes16 = vector.extract_strided_slice %logit
            offsets = [256], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes17 = vector.extract_strided_slice %logit
            offsets = [272], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes18 = vector.extract_strided_slice %logit
            offsets = [288], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes19 = vector.extract_strided_slice %logit
            offsets = [304], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes20 = vector.extract_strided_slice %logit
            offsets = [320], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes21 = vector.extract_strided_slice %logit
            offsets = [336], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes22 = vector.extract_strided_slice %logit
            offsets = [352], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes23 = vector.extract_strided_slice %logit
            offsets = [368], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes24 = vector.extract_strided_slice %logit
            offsets = [384], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes25 = vector.extract_strided_slice %logit
            offsets = [400], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes26 = vector.extract_strided_slice %logit
            offsets = [416], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes27 = vector.extract_strided_slice %logit
            offsets = [432], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes28 = vector.extract_strided_slice %logit
            offsets = [448], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes29 = vector.extract_strided_slice %logit
            offsets = [464], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes30 = vector.extract_strided_slice %logit
            offsets = [480], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_lanes31 = vector.extract_strided_slice %logit
            offsets = [496], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !lanes_f32
          %top_3 = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
            : !lanes_f32
          %top_4 = arith.maxnumf %top_3, %top_lanes4 fastmath<nnan>
            : !lanes_f32
          %top_5 = arith.maxnumf %top_4, %top_lanes5 fastmath<nnan>
            : !lanes_f32
          %top_6 = arith.maxnumf %top_5, %top_lanes6 fastmath<nnan>
            : !lanes_f32
          %top_7 = arith.maxnumf %top_6, %top_lanes7 fastmath<nnan>
            : !lanes_f32
          %top_8 = arith.maxnumf %top_7, %top_lanes8 fastmath<nnan>
            : !lanes_f32
          %top_9 = arith.maxnumf %top_8, %top_lanes9 fastmath<nnan>
            : !lanes_f32
          %top_10 = arith.maxnumf %top_9, %top_lanes10 fastmath<nnan>
            : !lanes_f32
          %top_11 = arith.maxnumf %top_10, %top_lanes11 fastmath<nnan>
            : !lanes_f32
          %top_12 = arith.maxnumf %top_11, %top_lanes12 fastmath<nnan>
            : !lanes_f32
          %top_13 = arith.maxnumf %top_12, %top_lanes13 fastmath<nnan>
            : !lanes_f32
          %top_14 = arith.maxnumf %top_13, %top_lanes14 fastmath<nnan>
            : !lanes_f32
          %top_15 = arith.maxnumf %top_14, %top_lanes15 fastmath<nnan>
            : !lanes_f32
          %top_16 = arith.maxnumf %top_15, %top_lanes16 fastmath<nnan>
            : !lanes_f32
          %top_17 = arith.maxnumf %top_16, %top_lanes17 fastmath<nnan>
            : !lanes_f32
          %top_18 = arith.maxnumf %top_17, %top_lanes18 fastmath<nnan>
            : !lanes_f32
          %top_19 = arith.maxnumf %top_18, %top_lanes19 fastmath<nnan>
            : !lanes_f32
          %top_20 = arith.maxnumf %top_19, %top_lanes20 fastmath<nnan>
            : !lanes_f32
          %top_21 = arith.maxnumf %top_20, %top_lanes21 fastmath<nnan>
            : !lanes_f32
          %top_22 = arith.maxnumf %top_21, %top_lanes22 fastmath<nnan>
            : !lanes_f32
          %top_23 = arith.maxnumf %top_22, %top_lanes23 fastmath<nnan>
            : !lanes_f32
          %top_24 = arith.maxnumf %top_23, %top_lanes24 fastmath<nnan>
            : !lanes_f32
          %top_25 = arith.maxnumf %top_24, %top_lanes25 fastmath<nnan>
            : !lanes_f32
          %top_26 = arith.maxnumf %top_25, %top_lanes26 fastmath<nnan>
            : !lanes_f32
          %top_27 = arith.maxnumf %top_26, %top_lanes27 fastmath<nnan>
            : !lanes_f32
          %top_28 = arith.maxnumf %top_27, %top_lanes28 fastmath<nnan>
            : !lanes_f32
          %top_29 = arith.maxnumf %top_28, %top_lanes29 fastmath<nnan>
            : !lanes_f32
          %top_30 = arith.maxnumf %top_29, %top_lanes30 fastmath<nnan>
            : !lanes_f32
          %top = arith.maxnumf %top_30, %top_lanes31 fastmath<nnan>
            : !lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !logits, !scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !lanes_f32, !row_lanes
          scf.yield %logits_after, %tops_after : !scores, !row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !row_lanes, !block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !block_register16 from !block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !block_register16 from !block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !block_register16 from !block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !block_register16 from !block_rows0
        %max_of_step_evens4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_4 = arith.maxnumf
          %max_of_step_evens4, %max_of_step_odds4 fastmath<nnan> : !block_register16
        %max_of_step_evens5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_5 = arith.maxnumf
          %max_of_step_evens5, %max_of_step_odds5 fastmath<nnan> : !block_register16
        %max_of_step_evens6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %max_of_step_odds6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %max_of_step_6 = arith.maxnumf
          %max_of_step_evens6, %max_of_step_odds6 fastmath<nnan> : !block_register16
        %max_of_step_evens7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !block_register16, !block_register16
        %max_of_step_odds7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !block_register16, !block_register16
        %max_of_step_7 = arith.maxnumf
          %max_of_step_evens7, %max_of_step_odds7 fastmath<nnan> : !block_register8
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [0, 1, 2, 3] : !block_register8, !block_register8
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [4, 5, 6, 7] : !block_register8, !block_register8
        %max_of_step = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !block_register4
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !row, !block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !block_numbers
        %max_below = arith.subf %max_before, %max_now : !block_numbers
          %factor_least = arith.constant dense<-127.0> : !block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
            : !block_flags, !block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !block_numbers
          %factor_term5 = arith.constant dense<1.0> : !block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !block_numbers
          %factor_number = arith.bitcast %factor_rounded : !block_numbers to !block_bits
          %factor_place = arith.constant dense<23> : !block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !block_bits
          %factor_scale = arith.bitcast %factor_shifted : !block_bits to !block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !block_numbers
        %factors_empty = tensor.empty() : !factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !block_numbers, !factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !block_numbers, !row
        %weights_empty = tensor.empty() : !weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!weights, !row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !scores, !logits
          %max_of_row = tensor.extract %max_next[%row] : !row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !logits
          %below = arith.subf %logit, %max_everywhere : !logits
          %weight_least = arith.constant dense<-127.0> : !logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
            : !logit_flags, !logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !logits
          %weight_left = arith.subf %weight_power, %weight_whole : !logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !logits
          %weight_term5 = arith.constant dense<1.0> : !logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !logits
          %weight_number = arith.bitcast %weight_rounded : !logits to !logit_bits
          %weight_place = arith.constant dense<23> : !logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !logit_bits to !logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes4 = vector.extract_strided_slice %weight
            offsets = [64], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes5 = vector.extract_strided_slice %weight
            offsets = [80], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes6 = vector.extract_strided_slice %weight
            offsets = [96], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes7 = vector.extract_strided_slice %weight
            offsets = [112], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes8 = vector.extract_strided_slice %weight
            offsets = [128], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes9 = vector.extract_strided_slice %weight
            offsets = [144], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes10 = vector.extract_strided_slice %weight
            offsets = [160], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes11 = vector.extract_strided_slice %weight
            offsets = [176], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes12 = vector.extract_strided_slice %weight
            offsets = [192], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes13 = vector.extract_strided_slice %weight
            offsets = [208], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes14 = vector.extract_strided_slice %weight
            offsets = [224], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes15 = vector.extract_strided_slice %weight
            offsets = [240], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes16 = vector.extract_strided_slice %weight
            offsets = [256], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes17 = vector.extract_strided_slice %weight
            offsets = [272], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes18 = vector.extract_strided_slice %weight
            offsets = [288], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes19 = vector.extract_strided_slice %weight
            offsets = [304], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes20 = vector.extract_strided_slice %weight
            offsets = [320], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes21 = vector.extract_strided_slice %weight
            offsets = [336], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes22 = vector.extract_strided_slice %weight
            offsets = [352], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes23 = vector.extract_strided_slice %weight
            offsets = [368], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes24 = vector.extract_strided_slice %weight
            offsets = [384], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes25 = vector.extract_strided_slice %weight
            offsets = [400], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes26 = vector.extract_strided_slice %weight
            offsets = [416], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes27 = vector.extract_strided_slice %weight
            offsets = [432], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes28 = vector.extract_strided_slice %weight
            offsets = [448], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes29 = vector.extract_strided_slice %weight
            offsets = [464], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes30 = vector.extract_strided_slice %weight
            offsets = [480], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_lanes31 = vector.extract_strided_slice %weight
            offsets = [496], sizes = [16], strides = [1]
            : !logits to !lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_3 = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_4 = arith.addf %weight_sum_3, %weight_sum_lanes4 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_5 = arith.addf %weight_sum_4, %weight_sum_lanes5 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_6 = arith.addf %weight_sum_5, %weight_sum_lanes6 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_7 = arith.addf %weight_sum_6, %weight_sum_lanes7 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_8 = arith.addf %weight_sum_7, %weight_sum_lanes8 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_9 = arith.addf %weight_sum_8, %weight_sum_lanes9 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_10 = arith.addf %weight_sum_9, %weight_sum_lanes10 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_11 = arith.addf %weight_sum_10, %weight_sum_lanes11 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_12 = arith.addf %weight_sum_11, %weight_sum_lanes12 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_13 = arith.addf %weight_sum_12, %weight_sum_lanes13 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_14 = arith.addf %weight_sum_13, %weight_sum_lanes14 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_15 = arith.addf %weight_sum_14, %weight_sum_lanes15 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_16 = arith.addf %weight_sum_15, %weight_sum_lanes16 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_17 = arith.addf %weight_sum_16, %weight_sum_lanes17 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_18 = arith.addf %weight_sum_17, %weight_sum_lanes18 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_19 = arith.addf %weight_sum_18, %weight_sum_lanes19 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_20 = arith.addf %weight_sum_19, %weight_sum_lanes20 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_21 = arith.addf %weight_sum_20, %weight_sum_lanes21 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_22 = arith.addf %weight_sum_21, %weight_sum_lanes22 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_23 = arith.addf %weight_sum_22, %weight_sum_lanes23 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_24 = arith.addf %weight_sum_23, %weight_sum_lanes24 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_25 = arith.addf %weight_sum_24, %weight_sum_lanes25 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_26 = arith.addf %weight_sum_25, %weight_sum_lanes26 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_27 = arith.addf %weight_sum_26, %weight_sum_lanes27 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_28 = arith.addf %weight_sum_27, %weight_sum_lanes28 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_29 = arith.addf %weight_sum_28, %weight_sum_lanes29 fastmath<reassoc>
            : !lanes_f32
          %weight_sum_30 = arith.addf %weight_sum_29, %weight_sum_lanes30 fastmath<reassoc>
            : !lanes_f32
          %weight_sum = arith.addf %weight_sum_30, %weight_sum_lanes31 fastmath<reassoc>
            : !lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !lanes_f32, !row_lanes
          %weight_of_numbers = arith.mulf %weight, %value_factors : !logits
          %hidden_logit = arith.constant dense<0xFF800000> : !logits
          %is_hidden = arith.cmpf oeq, %logit, %hidden_logit : !logits
          %no_weight = arith.constant dense<0.0> : !logits
          %weight_shown = arith.select %is_hidden, %no_weight, %weight_of_numbers : !logit_flags, !logits
          %weight_parts = arith.truncf %weight_shown : !logits to !weight_parts
          %weight_pairs = vector.bitcast %weight_parts : !weight_parts to !weight_pairs
          %weights_after = vector.transfer_write %weight_pairs, %weights_before[%r, %none]
            {in_bounds = [true]} : !weight_pairs, !weights
          scf.yield %weights_after, %sums_after : !weights, !row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !row_lanes, !block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !block_register16 from !block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !block_register16 from !block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !block_register16 from !block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !block_register16 from !block_rows0
        %sum_of_step_evens4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_4 = arith.addf
          %sum_of_step_evens4, %sum_of_step_odds4 fastmath<reassoc> : !block_register16
        %sum_of_step_evens5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_5 = arith.addf
          %sum_of_step_evens5, %sum_of_step_odds5 fastmath<reassoc> : !block_register16
        %sum_of_step_evens6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !block_register16, !block_register16
        %sum_of_step_odds6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !block_register16, !block_register16
        %sum_of_step_6 = arith.addf
          %sum_of_step_evens6, %sum_of_step_odds6 fastmath<reassoc> : !block_register16
        %sum_of_step_evens7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !block_register16, !block_register16
        %sum_of_step_odds7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !block_register16, !block_register16
        %sum_of_step_7 = arith.addf
          %sum_of_step_evens7, %sum_of_step_odds7 fastmath<reassoc> : !block_register8
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [0, 1, 2, 3] : !block_register8, !block_register8
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [4, 5, 6, 7] : !block_register8, !block_register8
        %sum_of_step = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !block_register4
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !row, !block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !block_numbers, !row
          %from_pair = affine.apply affine_map<(j) -> (j floordiv 2)>(%from)
          %to_pair = affine.apply affine_map<(j) -> (j ceildiv 2)>(%to)
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !acc, !value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #of_element, in_bounds = [true, true]} : !factors, !value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !value_block
              %shrunk_lanes = vector.shape_cast %shrunk
                : !value_block to !value_sums
              %lane_sums = scf.for %j = %from_pair to %to_pair step %one iter_args(%so_far = %shrunk_lanes)
                -> !value_sums {
                %left = vector.transfer_read %weights[%v, %j], %no_pair
                  {permutation_map = #of_row, in_bounds = [true, true]} : !weights, !value_left
                %next_column = affine.apply
                  affine_map<(n, v)
                  -> (n + v floordiv 4 * 64)>(%n, %v)
                %next0 = affine.min
                  affine_map<(t, j, e)
                  -> (t + 2 * j + 0, e - 1)>(%next_t0, %j, %end)

                %next0_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %b, %kv_head, %next0, %next0_column0],
                  read, locality<2>, data : !value_memory
                %next1 = affine.min
                  affine_map<(t, j, e)
                  -> (t + 2 * j + 1, e - 1)>(%next_t0, %j, %end)

                %next1_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %b, %kv_head, %next1, %next1_column0],
                  read, locality<2>, data : !value_memory
        %no_value = arith.constant dense<0> : !given_value
        %even_any = affine.apply affine_map<(j, t) -> (2 * j + t)>(%j, %t0)
        %odd_any = arith.addi %even_any, %one : index
        %even = arith.maxsi %even_any, %tile_begin : index
        %odd = affine.min affine_map<(t, e) -> (t, e - 1)>(%odd_any, %end)
        %even_is_seen = arith.cmpi sge, %even_any, %tile_begin : index
        %odd_is_seen = arith.cmpi slt, %odd_any, %end : index

        %even_value = vector.transfer_read %value[%b, %kv_head, %even, %n], %no_number
          {in_bounds = [true]} : !value, !given_value

        %odd_value = vector.transfer_read %value[%b, %kv_head, %odd, %n], %no_number
          {in_bounds = [true]} : !value, !given_value
        %even_counted = arith.select %even_is_seen, %even_value, %no_value : !given_value
        %odd_counted = arith.select %odd_is_seen, %odd_value, %no_value : !given_value
        %no_pairs = arith.constant dense<0> : !value_row
        %columns0_bytes = vector.shuffle %even_counted, %odd_counted
          [0, 64, 1, 65, 2, 66, 3, 67, 16, 80, 17, 81, 18, 82, 19, 83, 4, 68, 5, 69, 6, 70, 7, 71, 20, 84, 21, 85, 22, 86, 23, 87, 8, 72, 9, 73, 10, 74, 11, 75, 24, 88, 25, 89, 26, 90, 27, 91, 12, 76, 13, 77, 14, 78, 15, 79, 28, 92, 29, 93, 30, 94, 31, 95]
          : !given_value, !given_value
      %columns0_low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_low_first, %columns0_bytes, %table_low_last)
        : (!table, !table, !table) -> !table
      %columns0_high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_high_first, %columns0_bytes, %table_high_last)
        : (!table, !table, !table) -> !table
      %columns0_sign = arith.andi %columns0_bytes, %table_sign : !table
      %columns0_signed = arith.ori %columns0_high, %columns0_sign : !table
      %columns0_first_bytes = vector.shuffle %columns0_low, %columns0_signed
        [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119] : !table, !table
      %columns0_first = vector.bitcast %columns0_first_bytes : !table to !lanes_i32
      %columns0_last_bytes = vector.shuffle %columns0_low, %columns0_signed
        [8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127] : !table, !table
      %columns0_last = vector.bitcast %columns0_last_bytes : !table to !lanes_i32
        %columns0_begun = vector.insert_strided_slice %columns0_first, %no_pairs
          offsets = [0], strides = [1] : !lanes_i32 into !value_row
        %value_row_1 = vector.insert_strided_slice %columns0_last, %columns0_begun
          offsets = [16], strides = [1] : !lanes_i32 into !value_row
        %columns32_bytes = vector.shuffle %even_counted, %odd_counted
          [32, 96, 33, 97, 34, 98, 35, 99, 48, 112, 49, 113, 50, 114, 51, 115, 36, 100, 37, 101, 38, 102, 39, 103, 52, 116, 53, 117, 54, 118, 55, 119, 40, 104, 41, 105, 42, 106, 43, 107, 56, 120, 57, 121, 58, 122, 59, 123, 44, 108, 45, 109, 46, 110, 47, 111, 60, 124, 61, 125, 62, 126, 63, 127]
          : !given_value, !given_value
      %columns32_low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_low_first, %columns32_bytes, %table_low_last)
        : (!table, !table, !table) -> !table
      %columns32_high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(
        %table_high_first, %columns32_bytes, %table_high_last)
        : (!table, !table, !table) -> !table
      %columns32_sign = arith.andi %columns32_bytes, %table_sign : !table
      %columns32_signed = arith.ori %columns32_high, %columns32_sign : !table
      %columns32_first_bytes = vector.shuffle %columns32_low, %columns32_signed
        [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119] : !table, !table
      %columns32_first = vector.bitcast %columns32_first_bytes : !table to !lanes_i32
      %columns32_last_bytes = vector.shuffle %columns32_low, %columns32_signed
        [8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90, 27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127] : !table, !table
      %columns32_last = vector.bitcast %columns32_last_bytes : !table to !lanes_i32
        %columns32_begun = vector.insert_strided_slice %columns32_first, %value_row_1
          offsets = [32], strides = [1] : !lanes_i32 into !value_row
        %value_row = vector.insert_strided_slice %columns32_last, %columns32_begun
          offsets = [48], strides = [1] : !lanes_i32 into !value_row
            %right0_i32 = vector.extract_strided_slice %value_row
              offsets = [0], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right0 = vector.bitcast %right0_i32 : !lanes_i32 to !lane_pairs
            %right1_i32 = vector.extract_strided_slice %value_row
              offsets = [16], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right1 = vector.bitcast %right1_i32 : !lanes_i32 to !lane_pairs
            %right2_i32 = vector.extract_strided_slice %value_row
              offsets = [32], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right2 = vector.bitcast %right2_i32 : !lanes_i32 to !lane_pairs
            %right3_i32 = vector.extract_strided_slice %value_row
              offsets = [48], sizes = [16], strides = [1]
              : !value_right to !lanes_i32
            %right3 = vector.bitcast %right3_i32 : !lanes_i32 to !lane_pairs
            %left0_i32 = vector.extract %left[0] : !lanes_i32 from !value_left
            %left0 = vector.bitcast %left0_i32 : !lanes_i32 to !lane_pairs
            %old0_0 = vector.extract %so_far[0, 0]
              : !lanes_f32 from !value_sums
            %new0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_0, %left0, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !lanes_f32 into !value_sums
            %old0_1 = vector.extract %so_far[0, 1]
              : !lanes_f32 from !value_sums
            %new0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_1, %left0, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !lanes_f32 into !value_sums
            %old0_2 = vector.extract %so_far[0, 2]
              : !lanes_f32 from !value_sums
            %new0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_2, %left0, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_3 = vector.insert %new0_2, %more_2 [0, 2]
              : !lanes_f32 into !value_sums
            %old0_3 = vector.extract %so_far[0, 3]
              : !lanes_f32 from !value_sums
            %new0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old0_3, %left0, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_4 = vector.insert %new0_3, %more_3 [0, 3]
              : !lanes_f32 into !value_sums
            %left1_i32 = vector.extract %left[1] : !lanes_i32 from !value_left
            %left1 = vector.bitcast %left1_i32 : !lanes_i32 to !lane_pairs
            %old1_0 = vector.extract %so_far[1, 0]
              : !lanes_f32 from !value_sums
            %new1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_0, %left1, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_5 = vector.insert %new1_0, %more_4 [1, 0]
              : !lanes_f32 into !value_sums
            %old1_1 = vector.extract %so_far[1, 1]
              : !lanes_f32 from !value_sums
            %new1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_1, %left1, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_6 = vector.insert %new1_1, %more_5 [1, 1]
              : !lanes_f32 into !value_sums
            %old1_2 = vector.extract %so_far[1, 2]
              : !lanes_f32 from !value_sums
            %new1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_2, %left1, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_7 = vector.insert %new1_2, %more_6 [1, 2]
              : !lanes_f32 into !value_sums
            %old1_3 = vector.extract %so_far[1, 3]
              : !lanes_f32 from !value_sums
            %new1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old1_3, %left1, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_8 = vector.insert %new1_3, %more_7 [1, 3]
              : !lanes_f32 into !value_sums
            %left2_i32 = vector.extract %left[2] : !lanes_i32 from !value_left
            %left2 = vector.bitcast %left2_i32 : !lanes_i32 to !lane_pairs
            %old2_0 = vector.extract %so_far[2, 0]
              : !lanes_f32 from !value_sums
            %new2_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_0, %left2, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_9 = vector.insert %new2_0, %more_8 [2, 0]
              : !lanes_f32 into !value_sums
            %old2_1 = vector.extract %so_far[2, 1]
              : !lanes_f32 from !value_sums
            %new2_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_1, %left2, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_10 = vector.insert %new2_1, %more_9 [2, 1]
              : !lanes_f32 into !value_sums
            %old2_2 = vector.extract %so_far[2, 2]
              : !lanes_f32 from !value_sums
            %new2_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_2, %left2, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_11 = vector.insert %new2_2, %more_10 [2, 2]
              : !lanes_f32 into !value_sums
            %old2_3 = vector.extract %so_far[2, 3]
              : !lanes_f32 from !value_sums
            %new2_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old2_3, %left2, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_12 = vector.insert %new2_3, %more_11 [2, 3]
              : !lanes_f32 into !value_sums
            %left3_i32 = vector.extract %left[3] : !lanes_i32 from !value_left
            %left3 = vector.bitcast %left3_i32 : !lanes_i32 to !lane_pairs
            %old3_0 = vector.extract %so_far[3, 0]
              : !lanes_f32 from !value_sums
            %new3_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_0, %left3, %right0)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_13 = vector.insert %new3_0, %more_12 [3, 0]
              : !lanes_f32 into !value_sums
            %old3_1 = vector.extract %so_far[3, 1]
              : !lanes_f32 from !value_sums
            %new3_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_1, %left3, %right1)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_14 = vector.insert %new3_1, %more_13 [3, 1]
              : !lanes_f32 into !value_sums
            %old3_2 = vector.extract %so_far[3, 2]
              : !lanes_f32 from !value_sums
            %new3_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_2, %left3, %right2)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more_15 = vector.insert %new3_2, %more_14 [3, 2]
              : !lanes_f32 into !value_sums
            %old3_3 = vector.extract %so_far[3, 3]
              : !lanes_f32 from !value_sums
            %new3_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
              %old3_3, %left3, %right3)
              : (!lanes_f32, !lane_pairs, !lane_pairs) -> !lanes_f32
            %more = vector.insert %new3_3, %more_15 [3, 3]
              : !lanes_f32 into !value_sums
                scf.yield %more : !value_sums
              }
              %columns = vector.shape_cast %lane_sums : !value_sums to !value_block
              %after = vector.transfer_write %columns, %before[%first_row, %n] {in_bounds = [true, true]}
                : !value_block, !acc
              scf.yield %after : !acc
            }
            scf.yield %acc_of_columns : !acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !acc, !row, !row
        } else {
          scf.yield %acc, %max, %sum : !acc, !row, !row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !acc, !row, !row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !acc, !row, !row
    }
    %output_slice = tensor.extract_slice %output_all[%b, %first_head, %first_query, %none] [1, 4, %queries_here, 64] [1, 1, 1, 1] : !output to !output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !row
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !acc, !output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !output_f32
        %nothing = arith.constant dense<0.0> : !output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !output_f32
    %mean_stored = arith.truncf %mean : !output_f32 to !output_row
        %after = vector.transfer_write %mean_stored,
          %before[%g, %m, %none] {in_bounds = [true]}
          : !output_row, !output_slice
        scf.yield %after : !output_slice
      }
      scf.yield %of_head : !output_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%b, %first_head, %first_query, %none] [1, 4, %queries_here, 64] [1, 1, 1, 1]
        : !output_slice into !output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 1, 64], strides = [1, 1, 1, 1]
      : tensor<1x8x1x64xbf16> -> !output_out
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %key_scale: !key_scale,
    %value_scale: !value_scale
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @attention(%query, %key, %value, %key_scale, %value_scale)
    : (!query, !key, !value, !key_scale, !value_scale) -> (!output)
  util.return %output : !output
}
