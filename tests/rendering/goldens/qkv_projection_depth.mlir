// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// b batch, h head, m token, n head column, k hidden column
!hidden = tensor<?x40x256xf16>
!weight = tensor<768x256xf16>
!bias = tensor<768xf16>
!query = tensor<?x8x40x64xf16>
!key = tensor<?x2x40x64xf16>
!value = tensor<?x2x40x64xf16>
!tokens = tensor<?x256xf16>
!head_bias = tensor<12x64xf16>
#bias = affine_map<(b, h, m, n) -> (h, n)>
!depth_single_given = vector<16xf16>
!depth_single_lanes = vector<16xf32>
!depth_single_block = vector<1x8x16xf32>
!depth_single_part = vector<1x8x16xf32>
!depth_single_sums = vector<1x8xf32>
!depth_single_row = vector<8xf32>
!depth_single_numbers = vector<8xf32>
!depth_single_rows0 = vector<8x16xf32>
!depth_single_register8 = vector<8xf32>
!depth_single_register16 = vector<16xf32>
!depth_several_given = vector<16xf16>
!depth_several_lanes = vector<16xf32>
!depth_several_block = vector<4x4x16xf32>
!depth_several_part = vector<4x4x16xf32>
!depth_several_sums = vector<4x4xf32>
!depth_several_row = vector<4xf32>
!depth_several_numbers = vector<16xf32>
!depth_several_rows0 = vector<16x16xf32>
!depth_several_register16 = vector<16xf32>
!tokens_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xf16>>
!weight_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xf16>>
!query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x512xf32>>
!tokens_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xf16>>
!weight_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xf16>>
!key_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
!tokens_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xf16>>
!weight_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xf16>>
!value_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
#sums = affine_map<(b, h, m, n) -> (b, m, h, n)>
#heads = affine_map<(b, h, m, n) -> (b, h, m, n)>

func.func @qkv_projection(%hidden_given: !hidden, %weight: !weight, %bias: !bias) -> (!query, !key, !value) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %hidden_given, %batch_axis : !hidden
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%batch_dim}
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !tokens
  %head_bias = tensor.expand_shape %bias [[0, 1]] output_shape [12, 64] : !bias into !head_bias
  // query: 8 heads from head 0 on
  %query_sums =
    flow.dispatch @query_sums_kernel::@query_sums_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xf16>{%rows_dim},
      tensor<768x256xf16>,
      index
    ) -> (tensor<?x512xf32>{%rows_dim})
  %acc_of_query = tensor.expand_shape %query_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 40, 8, 64] : tensor<?x512xf32> into tensor<?x40x8x64xf32>
  %bias_of_query = tensor.extract_slice %head_bias[0, 0] [8, 64] [1, 1] : !head_bias to tensor<8x64xf16>
  %empty_query = tensor.empty(%batch_dim) : tensor<?x8x40x64xf16>
  %query = linalg.generic {
      indexing_maps = [#sums, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_query, %bias_of_query : tensor<?x40x8x64xf32>, tensor<8x64xf16>) outs(%empty_query : tensor<?x8x40x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<?x8x40x64xf16>
  // key: 2 heads from head 8 on
  %key_sums =
    flow.dispatch @key_sums_kernel::@key_sums_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xf16>{%rows_dim},
      tensor<768x256xf16>,
      index
    ) -> (tensor<?x128xf32>{%rows_dim})
  %acc_of_key = tensor.expand_shape %key_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 40, 2, 64] : tensor<?x128xf32> into tensor<?x40x2x64xf32>
  %bias_of_key = tensor.extract_slice %head_bias[8, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf16>
  %empty_key = tensor.empty(%batch_dim) : tensor<?x2x40x64xf16>
  %key = linalg.generic {
      indexing_maps = [#sums, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_key, %bias_of_key : tensor<?x40x2x64xf32>, tensor<2x64xf16>) outs(%empty_key : tensor<?x2x40x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<?x2x40x64xf16>
  // value: 2 heads from head 10 on
  %value_sums =
    flow.dispatch @value_sums_kernel::@value_sums_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xf16>{%rows_dim},
      tensor<768x256xf16>,
      index
    ) -> (tensor<?x128xf32>{%rows_dim})
  %acc_of_value = tensor.expand_shape %value_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 40, 2, 64] : tensor<?x128xf32> into tensor<?x40x2x64xf32>
  %bias_of_value = tensor.extract_slice %head_bias[10, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf16>
  %empty_value = tensor.empty(%batch_dim) : tensor<?x2x40x64xf16>
  %value = linalg.generic {
      indexing_maps = [#sums, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_value, %bias_of_value : tensor<?x40x2x64xf32>, tensor<2x64xf16>) outs(%empty_value : tensor<?x2x40x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<?x2x40x64xf16>
  return %query, %key, %value : !query, !key, !value
}
flow.executable private @query_sums_kernel {
  flow.executable.export public @query_sums_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @query_sums_kernel(
      %tokens_in: !tokens_of_query_sums,
      %weight_in: !weight_of_query_sums,
      %rows_dim_in: index,
      %query_sums_out: !query_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !tokens_of_query_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_query_sums{%rows_dim} -> tensor<?x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !weight_of_query_sums -> tensor<768x256xf16>
    %query_sums_tied = flow.dispatch.tie_shape %query_sums_out
      : !query_sums_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %second_row = affine.apply affine_map<(f) -> (f + 1)>(%first_row)
      %is_single = arith.cmpi eq, %second_row, %end_row : index
      %end_row_single = arith.select %is_single, %end_row, %first_row : index
      %end_row_several = arith.select %is_single, %first_row, %end_row : index
      %column_step_single = arith.constant 8 : index
      %row_step_single = arith.constant 1 : index
      %of_columns_1 = scf.for %n = %first_column to %end_column step %column_step_single
        iter_args(%of_all = %all) -> (tensor<?x512xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_single_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 767)>(%n)[%column_step_single]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 767)>(%n)[%column_step_single]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 767)>(%n)[%column_step_single]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 767)>(%n)[%column_step_single]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 767)>(%n)[%column_step_single]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 767)>(%n)[%column_step_single]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 767)>(%n)[%column_step_single]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 767)>(%n)[%column_step_single]
        %of_rows = scf.for %m = %first_row to %end_row_single step %row_step_single
          iter_args(%before = %of_all) -> (tensor<?x512xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x256xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !depth_single_given to !depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !depth_single_given to !depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_single_lanes from !depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_single_lanes into !depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !depth_single_given to !depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !depth_single_lanes from !depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !depth_single_lanes into !depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !depth_single_given to !depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !depth_single_lanes from !depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !depth_single_lanes into !depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !depth_single_given to !depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !depth_single_lanes from !depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !depth_single_lanes into !depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !depth_single_given to !depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !depth_single_lanes from !depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !depth_single_lanes into !depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !depth_single_given to !depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !depth_single_lanes from !depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !depth_single_lanes into !depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !depth_single_given to !depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !depth_single_lanes from !depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !depth_single_lanes into !depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !depth_single_given to !depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !depth_single_lanes from !depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !depth_single_lanes into !depth_single_block
            scf.yield %more : !depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_single_block to !depth_single_part
          %registers0 = vector.shape_cast %part0 : !depth_single_part to !depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_single_register16 from !depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_single_register16 from !depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_single_register16 from !depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_single_register16 from !depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_single_register16 from !depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_single_register16 from !depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_single_register16 from !depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_single_register16 from !depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !depth_single_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !depth_single_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !depth_single_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !depth_single_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !depth_single_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !depth_single_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_single_register16, !depth_single_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !depth_single_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !depth_single_register16, !depth_single_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !depth_single_register16, !depth_single_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !depth_single_numbers to !depth_single_sums
          %row0 = vector.extract %sums0[0] : !depth_single_row from !depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_single_row, tensor<?x512xf32>
          scf.yield %after : tensor<?x512xf32>
        }
        scf.yield %of_rows : tensor<?x512xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x512xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_several_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 767)>(%n)[%column_step_several]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 767)>(%n)[%column_step_several]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 767)>(%n)[%column_step_several]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 767)>(%n)[%column_step_several]
        %of_rows = scf.for %m = %first_row to %end_row_several step %row_step_several
          iter_args(%before = %of_all) -> (tensor<?x512xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x256xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !depth_several_given to !depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !depth_several_given to !depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !depth_several_given to !depth_several_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left3_0 = arith.extf %left3_0_stored : !depth_several_given to !depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !depth_several_given to !depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_several_lanes from !depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_several_lanes into !depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !depth_several_lanes from !depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !depth_several_lanes into !depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !depth_several_lanes from !depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !depth_several_lanes into !depth_several_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !depth_several_lanes from !depth_several_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !depth_several_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !depth_several_lanes into !depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !depth_several_given to !depth_several_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !depth_several_lanes from !depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_several_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !depth_several_lanes into !depth_several_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !depth_several_lanes from !depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_several_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !depth_several_lanes into !depth_several_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !depth_several_lanes from !depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_several_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !depth_several_lanes into !depth_several_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !depth_several_lanes from !depth_several_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !depth_several_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !depth_several_lanes into !depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !depth_several_given to !depth_several_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !depth_several_lanes from !depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_several_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !depth_several_lanes into !depth_several_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !depth_several_lanes from !depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_several_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !depth_several_lanes into !depth_several_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !depth_several_lanes from !depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_several_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !depth_several_lanes into !depth_several_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !depth_several_lanes from !depth_several_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !depth_several_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !depth_several_lanes into !depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !depth_several_given to !depth_several_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !depth_several_lanes from !depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_several_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !depth_several_lanes into !depth_several_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !depth_several_lanes from !depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_several_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !depth_several_lanes into !depth_several_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !depth_several_lanes from !depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_several_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !depth_several_lanes into !depth_several_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !depth_several_lanes from !depth_several_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !depth_several_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !depth_several_lanes into !depth_several_block
            scf.yield %more : !depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
            : !depth_several_block to !depth_several_part
          %registers0 = vector.shape_cast %part0 : !depth_several_part to !depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_several_register16 from !depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_several_register16 from !depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_several_register16 from !depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_several_register16 from !depth_several_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_several_register16 from !depth_several_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_several_register16 from !depth_several_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_several_register16 from !depth_several_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_several_register16 from !depth_several_rows0
        %numbers0_8 = vector.extract %registers0[8] : !depth_several_register16 from !depth_several_rows0
        %numbers0_9 = vector.extract %registers0[9] : !depth_several_register16 from !depth_several_rows0
        %numbers0_10 = vector.extract %registers0[10] : !depth_several_register16 from !depth_several_rows0
        %numbers0_11 = vector.extract %registers0[11] : !depth_several_register16 from !depth_several_rows0
        %numbers0_12 = vector.extract %registers0[12] : !depth_several_register16 from !depth_several_rows0
        %numbers0_13 = vector.extract %registers0[13] : !depth_several_register16 from !depth_several_rows0
        %numbers0_14 = vector.extract %registers0[14] : !depth_several_register16 from !depth_several_rows0
        %numbers0_15 = vector.extract %registers0[15] : !depth_several_register16 from !depth_several_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !depth_several_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !depth_several_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !depth_several_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !depth_several_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !depth_several_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !depth_several_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !depth_several_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !depth_several_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !depth_several_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !depth_several_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !depth_several_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !depth_several_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !depth_several_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !depth_several_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !depth_several_register16
          %sums0 = vector.shape_cast %numbers0 : !depth_several_numbers to !depth_several_sums
          %row0 = vector.extract %sums0[0] : !depth_several_row from !depth_several_sums
          %row1 = vector.extract %sums0[1] : !depth_several_row from !depth_several_sums
          %row2 = vector.extract %sums0[2] : !depth_several_row from !depth_several_sums
          %row3 = vector.extract %sums0[3] : !depth_several_row from !depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x512xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x512xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x512xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x512xf32>
          scf.yield %after : tensor<?x512xf32>
        }
        scf.yield %of_rows : tensor<?x512xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 512] [1, 1]
          : tensor<?x512xf32> into tensor<?x512xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %query_sums_tied,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : tensor<?x512xf32> -> !query_sums_out{%rows_dim}
    return
  }
  }
}
flow.executable private @key_sums_kernel {
  flow.executable.export public @key_sums_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @key_sums_kernel(
      %tokens_in: !tokens_of_key_sums,
      %weight_in: !weight_of_key_sums,
      %rows_dim_in: index,
      %key_sums_out: !key_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !tokens_of_key_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_key_sums{%rows_dim} -> tensor<?x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !weight_of_key_sums -> tensor<768x256xf16>
    %key_sums_tied = flow.dispatch.tie_shape %key_sums_out
      : !key_sums_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %second_row = affine.apply affine_map<(f) -> (f + 1)>(%first_row)
      %is_single = arith.cmpi eq, %second_row, %end_row : index
      %end_row_single = arith.select %is_single, %end_row, %first_row : index
      %end_row_several = arith.select %is_single, %first_row, %end_row : index
      %column_step_single = arith.constant 8 : index
      %row_step_single = arith.constant 1 : index
      %of_columns_1 = scf.for %n = %first_column to %end_column step %column_step_single
        iter_args(%of_all = %all) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_single_block
        %n0 = affine.apply affine_map<(n) -> (n + 512)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 512, 767)>(%n)[%column_step_single]
        %n1 = affine.apply affine_map<(n) -> (n + 513)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 513, 767)>(%n)[%column_step_single]
        %n2 = affine.apply affine_map<(n) -> (n + 514)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 514, 767)>(%n)[%column_step_single]
        %n3 = affine.apply affine_map<(n) -> (n + 515)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 515, 767)>(%n)[%column_step_single]
        %n4 = affine.apply affine_map<(n) -> (n + 516)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 516, 767)>(%n)[%column_step_single]
        %n5 = affine.apply affine_map<(n) -> (n + 517)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 517, 767)>(%n)[%column_step_single]
        %n6 = affine.apply affine_map<(n) -> (n + 518)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 518, 767)>(%n)[%column_step_single]
        %n7 = affine.apply affine_map<(n) -> (n + 519)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 519, 767)>(%n)[%column_step_single]
        %of_rows = scf.for %m = %first_row to %end_row_single step %row_step_single
          iter_args(%before = %of_all) -> (tensor<?x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x256xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !depth_single_given to !depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !depth_single_given to !depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_single_lanes from !depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_single_lanes into !depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !depth_single_given to !depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !depth_single_lanes from !depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !depth_single_lanes into !depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !depth_single_given to !depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !depth_single_lanes from !depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !depth_single_lanes into !depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !depth_single_given to !depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !depth_single_lanes from !depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !depth_single_lanes into !depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !depth_single_given to !depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !depth_single_lanes from !depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !depth_single_lanes into !depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !depth_single_given to !depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !depth_single_lanes from !depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !depth_single_lanes into !depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !depth_single_given to !depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !depth_single_lanes from !depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !depth_single_lanes into !depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !depth_single_given to !depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !depth_single_lanes from !depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !depth_single_lanes into !depth_single_block
            scf.yield %more : !depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_single_block to !depth_single_part
          %registers0 = vector.shape_cast %part0 : !depth_single_part to !depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_single_register16 from !depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_single_register16 from !depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_single_register16 from !depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_single_register16 from !depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_single_register16 from !depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_single_register16 from !depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_single_register16 from !depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_single_register16 from !depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !depth_single_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !depth_single_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !depth_single_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !depth_single_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !depth_single_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !depth_single_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_single_register16, !depth_single_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !depth_single_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !depth_single_register16, !depth_single_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !depth_single_register16, !depth_single_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !depth_single_numbers to !depth_single_sums
          %row0 = vector.extract %sums0[0] : !depth_single_row from !depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_single_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_several_block
        %n0 = affine.apply affine_map<(n) -> (n + 512)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 512, 767)>(%n)[%column_step_several]
        %n1 = affine.apply affine_map<(n) -> (n + 513)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 513, 767)>(%n)[%column_step_several]
        %n2 = affine.apply affine_map<(n) -> (n + 514)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 514, 767)>(%n)[%column_step_several]
        %n3 = affine.apply affine_map<(n) -> (n + 515)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 515, 767)>(%n)[%column_step_several]
        %of_rows = scf.for %m = %first_row to %end_row_several step %row_step_several
          iter_args(%before = %of_all) -> (tensor<?x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x256xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !depth_several_given to !depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !depth_several_given to !depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !depth_several_given to !depth_several_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left3_0 = arith.extf %left3_0_stored : !depth_several_given to !depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !depth_several_given to !depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_several_lanes from !depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_several_lanes into !depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !depth_several_lanes from !depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !depth_several_lanes into !depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !depth_several_lanes from !depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !depth_several_lanes into !depth_several_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !depth_several_lanes from !depth_several_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !depth_several_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !depth_several_lanes into !depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !depth_several_given to !depth_several_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !depth_several_lanes from !depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_several_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !depth_several_lanes into !depth_several_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !depth_several_lanes from !depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_several_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !depth_several_lanes into !depth_several_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !depth_several_lanes from !depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_several_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !depth_several_lanes into !depth_several_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !depth_several_lanes from !depth_several_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !depth_several_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !depth_several_lanes into !depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !depth_several_given to !depth_several_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !depth_several_lanes from !depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_several_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !depth_several_lanes into !depth_several_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !depth_several_lanes from !depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_several_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !depth_several_lanes into !depth_several_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !depth_several_lanes from !depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_several_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !depth_several_lanes into !depth_several_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !depth_several_lanes from !depth_several_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !depth_several_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !depth_several_lanes into !depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !depth_several_given to !depth_several_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !depth_several_lanes from !depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_several_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !depth_several_lanes into !depth_several_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !depth_several_lanes from !depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_several_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !depth_several_lanes into !depth_several_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !depth_several_lanes from !depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_several_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !depth_several_lanes into !depth_several_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !depth_several_lanes from !depth_several_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !depth_several_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !depth_several_lanes into !depth_several_block
            scf.yield %more : !depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
            : !depth_several_block to !depth_several_part
          %registers0 = vector.shape_cast %part0 : !depth_several_part to !depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_several_register16 from !depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_several_register16 from !depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_several_register16 from !depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_several_register16 from !depth_several_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_several_register16 from !depth_several_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_several_register16 from !depth_several_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_several_register16 from !depth_several_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_several_register16 from !depth_several_rows0
        %numbers0_8 = vector.extract %registers0[8] : !depth_several_register16 from !depth_several_rows0
        %numbers0_9 = vector.extract %registers0[9] : !depth_several_register16 from !depth_several_rows0
        %numbers0_10 = vector.extract %registers0[10] : !depth_several_register16 from !depth_several_rows0
        %numbers0_11 = vector.extract %registers0[11] : !depth_several_register16 from !depth_several_rows0
        %numbers0_12 = vector.extract %registers0[12] : !depth_several_register16 from !depth_several_rows0
        %numbers0_13 = vector.extract %registers0[13] : !depth_several_register16 from !depth_several_rows0
        %numbers0_14 = vector.extract %registers0[14] : !depth_several_register16 from !depth_several_rows0
        %numbers0_15 = vector.extract %registers0[15] : !depth_several_register16 from !depth_several_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !depth_several_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !depth_several_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !depth_several_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !depth_several_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !depth_several_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !depth_several_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !depth_several_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !depth_several_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !depth_several_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !depth_several_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !depth_several_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !depth_several_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !depth_several_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !depth_several_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !depth_several_register16
          %sums0 = vector.shape_cast %numbers0 : !depth_several_numbers to !depth_several_sums
          %row0 = vector.extract %sums0[0] : !depth_several_row from !depth_several_sums
          %row1 = vector.extract %sums0[1] : !depth_several_row from !depth_several_sums
          %row2 = vector.extract %sums0[2] : !depth_several_row from !depth_several_sums
          %row3 = vector.extract %sums0[3] : !depth_several_row from !depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 128] [1, 1]
          : tensor<?x128xf32> into tensor<?x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %key_sums_tied,
      offsets = [0, 0], sizes = [%rows_dim, 128], strides = [1, 1]
      : tensor<?x128xf32> -> !key_sums_out{%rows_dim}
    return
  }
  }
}
flow.executable private @value_sums_kernel {
  flow.executable.export public @value_sums_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @value_sums_kernel(
      %tokens_in: !tokens_of_value_sums,
      %weight_in: !weight_of_value_sums,
      %rows_dim_in: index,
      %value_sums_out: !value_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !tokens_of_value_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_value_sums{%rows_dim} -> tensor<?x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !weight_of_value_sums -> tensor<768x256xf16>
    %value_sums_tied = flow.dispatch.tie_shape %value_sums_out
      : !value_sums_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %second_row = affine.apply affine_map<(f) -> (f + 1)>(%first_row)
      %is_single = arith.cmpi eq, %second_row, %end_row : index
      %end_row_single = arith.select %is_single, %end_row, %first_row : index
      %end_row_several = arith.select %is_single, %first_row, %end_row : index
      %column_step_single = arith.constant 8 : index
      %row_step_single = arith.constant 1 : index
      %of_columns_1 = scf.for %n = %first_column to %end_column step %column_step_single
        iter_args(%of_all = %all) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_single_block
        %n0 = affine.apply affine_map<(n) -> (n + 640)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 640, 767)>(%n)[%column_step_single]
        %n1 = affine.apply affine_map<(n) -> (n + 641)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 641, 767)>(%n)[%column_step_single]
        %n2 = affine.apply affine_map<(n) -> (n + 642)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 642, 767)>(%n)[%column_step_single]
        %n3 = affine.apply affine_map<(n) -> (n + 643)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 643, 767)>(%n)[%column_step_single]
        %n4 = affine.apply affine_map<(n) -> (n + 644)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 644, 767)>(%n)[%column_step_single]
        %n5 = affine.apply affine_map<(n) -> (n + 645)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 645, 767)>(%n)[%column_step_single]
        %n6 = affine.apply affine_map<(n) -> (n + 646)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 646, 767)>(%n)[%column_step_single]
        %n7 = affine.apply affine_map<(n) -> (n + 647)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 647, 767)>(%n)[%column_step_single]
        %of_rows = scf.for %m = %first_row to %end_row_single step %row_step_single
          iter_args(%before = %of_all) -> (tensor<?x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x256xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !depth_single_given to !depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !depth_single_given to !depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_single_lanes from !depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_single_lanes into !depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !depth_single_given to !depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !depth_single_lanes from !depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !depth_single_lanes into !depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !depth_single_given to !depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !depth_single_lanes from !depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !depth_single_lanes into !depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !depth_single_given to !depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !depth_single_lanes from !depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !depth_single_lanes into !depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !depth_single_given to !depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !depth_single_lanes from !depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !depth_single_lanes into !depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !depth_single_given to !depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !depth_single_lanes from !depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !depth_single_lanes into !depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !depth_single_given to !depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !depth_single_lanes from !depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !depth_single_lanes into !depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !depth_single_given to !depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !depth_single_lanes from !depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !depth_single_lanes into !depth_single_block
            scf.yield %more : !depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_single_block to !depth_single_part
          %registers0 = vector.shape_cast %part0 : !depth_single_part to !depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_single_register16 from !depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_single_register16 from !depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_single_register16 from !depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_single_register16 from !depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_single_register16 from !depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_single_register16 from !depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_single_register16 from !depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_single_register16 from !depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !depth_single_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !depth_single_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !depth_single_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !depth_single_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !depth_single_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_single_register16, !depth_single_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !depth_single_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_single_register16, !depth_single_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_single_register16, !depth_single_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !depth_single_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !depth_single_register16, !depth_single_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !depth_single_register16, !depth_single_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !depth_single_numbers to !depth_single_sums
          %row0 = vector.extract %sums0[0] : !depth_single_row from !depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_single_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_several_block
        %n0 = affine.apply affine_map<(n) -> (n + 640)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 640, 767)>(%n)[%column_step_several]
        %n1 = affine.apply affine_map<(n) -> (n + 641)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 641, 767)>(%n)[%column_step_several]
        %n2 = affine.apply affine_map<(n) -> (n + 642)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 642, 767)>(%n)[%column_step_several]
        %n3 = affine.apply affine_map<(n) -> (n + 643)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 643, 767)>(%n)[%column_step_several]
        %of_rows = scf.for %m = %first_row to %end_row_several step %row_step_several
          iter_args(%before = %of_all) -> (tensor<?x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x256xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !depth_several_given to !depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !depth_several_given to !depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !depth_several_given to !depth_several_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<?x256xf16>, !depth_several_given
    %left3_0 = arith.extf %left3_0_stored : !depth_several_given to !depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !depth_several_given to !depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_several_lanes from !depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_several_lanes into !depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !depth_several_lanes from !depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !depth_several_lanes into !depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !depth_several_lanes from !depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !depth_several_lanes into !depth_several_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !depth_several_lanes from !depth_several_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !depth_several_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !depth_several_lanes into !depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !depth_several_given to !depth_several_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !depth_several_lanes from !depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_several_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !depth_several_lanes into !depth_several_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !depth_several_lanes from !depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_several_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !depth_several_lanes into !depth_several_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !depth_several_lanes from !depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_several_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !depth_several_lanes into !depth_several_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !depth_several_lanes from !depth_several_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !depth_several_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !depth_several_lanes into !depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !depth_several_given to !depth_several_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !depth_several_lanes from !depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_several_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !depth_several_lanes into !depth_several_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !depth_several_lanes from !depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_several_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !depth_several_lanes into !depth_several_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !depth_several_lanes from !depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_several_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !depth_several_lanes into !depth_several_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !depth_several_lanes from !depth_several_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !depth_several_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !depth_several_lanes into !depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xf16>, !depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !depth_several_given to !depth_several_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !depth_several_lanes from !depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_several_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !depth_several_lanes into !depth_several_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !depth_several_lanes from !depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_several_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !depth_several_lanes into !depth_several_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !depth_several_lanes from !depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_several_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !depth_several_lanes into !depth_several_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !depth_several_lanes from !depth_several_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !depth_several_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !depth_several_lanes into !depth_several_block
            scf.yield %more : !depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
            : !depth_several_block to !depth_several_part
          %registers0 = vector.shape_cast %part0 : !depth_several_part to !depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_several_register16 from !depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_several_register16 from !depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_several_register16 from !depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_several_register16 from !depth_several_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_several_register16 from !depth_several_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_several_register16 from !depth_several_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_several_register16 from !depth_several_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_several_register16 from !depth_several_rows0
        %numbers0_8 = vector.extract %registers0[8] : !depth_several_register16 from !depth_several_rows0
        %numbers0_9 = vector.extract %registers0[9] : !depth_several_register16 from !depth_several_rows0
        %numbers0_10 = vector.extract %registers0[10] : !depth_several_register16 from !depth_several_rows0
        %numbers0_11 = vector.extract %registers0[11] : !depth_several_register16 from !depth_several_rows0
        %numbers0_12 = vector.extract %registers0[12] : !depth_several_register16 from !depth_several_rows0
        %numbers0_13 = vector.extract %registers0[13] : !depth_several_register16 from !depth_several_rows0
        %numbers0_14 = vector.extract %registers0[14] : !depth_several_register16 from !depth_several_rows0
        %numbers0_15 = vector.extract %registers0[15] : !depth_several_register16 from !depth_several_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !depth_several_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !depth_several_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !depth_several_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !depth_several_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !depth_several_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !depth_several_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !depth_several_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !depth_several_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !depth_several_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !depth_several_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !depth_several_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_several_register16, !depth_several_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !depth_several_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !depth_several_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !depth_several_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_several_register16, !depth_several_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_several_register16, !depth_several_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !depth_several_register16
          %sums0 = vector.shape_cast %numbers0 : !depth_several_numbers to !depth_several_sums
          %row0 = vector.extract %sums0[0] : !depth_several_row from !depth_several_sums
          %row1 = vector.extract %sums0[1] : !depth_several_row from !depth_several_sums
          %row2 = vector.extract %sums0[2] : !depth_several_row from !depth_several_sums
          %row3 = vector.extract %sums0[3] : !depth_several_row from !depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_several_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 128] [1, 1]
          : tensor<?x128xf32> into tensor<?x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %value_sums_tied,
      offsets = [0, 0], sizes = [%rows_dim, 128], strides = [1, 1]
      : tensor<?x128xf32> -> !value_sums_out{%rows_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @qkv_projection$async(
    %hidden: !hidden,
    %weight: !weight,
    %bias: !bias
  ) -> (!query, !key, !value) attributes {iree.abi.model = "coarse-fences"} {
  %query, %key, %value = func.call @qkv_projection(%hidden, %weight, %bias)
    : (!hidden, !weight, !bias) -> (!query, !key, !value)
  util.return %query, %key, %value : !query, !key, !value
}
