// The attention half of a decoder layer of packed tokens. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<?x512xf16>
!norm__weight = tensor<512xf16>
!norm__output = tensor<?x512xf16>
!norm__row = tensor<?xf32>
#norm__x = affine_map<(r, n) -> (r, n)>
#norm__row = affine_map<(r, n) -> (r)>
#norm__weight = affine_map<(r, n) -> (n)>

func.func private @norm(%x: !norm__x, %weight: !norm__weight) -> !norm__output {
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %x, %rows_axis : !norm__x
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty(%rows_dim) : !norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !norm__row) -> !norm__row
  %squares = linalg.generic {
      indexing_maps = [#norm__x, #norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !norm__x) outs(%start : !norm__row) {
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !norm__row
  %columns = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty(%rows_dim) : !norm__output
  %output = linalg.generic {
      indexing_maps = [#norm__x, #norm__row, #norm__weight, #norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !norm__x, !norm__row, !norm__weight) outs(%output_empty : !norm__output) {
  ^bb0(%in_stored: f16, %sum: f32, %w_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %w = arith.extf %w_stored : f16 to f32
    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !norm__output
  return %output : !norm__output
}
// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// b batch, h head, m token, n head column, k hidden column
!qkv__hidden = tensor<?x1x512xf16>
!qkv__weight = tensor<768x512xf16>
!qkv__query = tensor<?x8x1x64xf16>
!qkv__key = tensor<?x2x1x64xf16>
!qkv__value = tensor<?x2x1x64xf16>
!qkv__tokens = tensor<?x512xf16>
!qkv__depth_single_given = vector<8xf16>
!qkv__depth_single_lanes = vector<8xf32>
!qkv__depth_single_block = vector<1x8x8xf32>
!qkv__depth_single_part = vector<1x8x8xf32>
!qkv__depth_single_sums = vector<1x8xf32>
!qkv__depth_single_row = vector<8xf32>
!qkv__depth_single_numbers = vector<8xf32>
!qkv__depth_single_rows0 = vector<8x8xf32>
!qkv__depth_single_register8 = vector<8xf32>
!qkv__depth_several_given = vector<8xf16>
!qkv__depth_several_lanes = vector<8xf32>
!qkv__depth_several_block = vector<3x4x8xf32>
!qkv__depth_several_part = vector<1x4x8xf32>
!qkv__depth_several_sums = vector<1x4xf32>
!qkv__depth_several_row = vector<4xf32>
!qkv__depth_several_numbers = vector<4xf32>
!qkv__depth_several_rows0 = vector<4x8xf32>
!qkv__depth_several_register4 = vector<4xf32>
!qkv__depth_several_register8 = vector<8xf32>
!qkv__tokens_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x512xf16>>
!qkv__weight_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf16>>
!qkv__query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x512xf32>>
!qkv__tokens_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x512xf16>>
!qkv__weight_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf16>>
!qkv__key_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
!qkv__tokens_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x512xf16>>
!qkv__weight_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf16>>
!qkv__value_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
#qkv__sums = affine_map<(b, h, m, n) -> (b, m, h, n)>
#qkv__heads = affine_map<(b, h, m, n) -> (b, h, m, n)>

func.func private @qkv(%hidden: !qkv__hidden, %weight: !qkv__weight) -> (!qkv__query, !qkv__key, !qkv__value) {
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %hidden, %batch_axis : !qkv__hidden
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !qkv__hidden into !qkv__tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !qkv__tokens
  // query: 8 heads from head 0 on
  %query_sums =
    flow.dispatch @qkv_query_sums_kernel::@qkv_query_sums_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x512xf16>{%rows_dim},
      tensor<768x512xf16>,
      index
    ) -> (tensor<?x512xf32>{%rows_dim})
  %acc_of_query = tensor.expand_shape %query_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 1, 8, 64] : tensor<?x512xf32> into tensor<?x1x8x64xf32>
  %empty_query = tensor.empty(%batch_dim) : tensor<?x8x1x64xf16>
  %query = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_query : tensor<?x1x8x64xf32>) outs(%empty_query : tensor<?x8x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<?x8x1x64xf16>
  // key: 2 heads from head 8 on
  %key_sums =
    flow.dispatch @qkv_key_sums_kernel::@qkv_key_sums_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x512xf16>{%rows_dim},
      tensor<768x512xf16>,
      index
    ) -> (tensor<?x128xf32>{%rows_dim})
  %acc_of_key = tensor.expand_shape %key_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 1, 2, 64] : tensor<?x128xf32> into tensor<?x1x2x64xf32>
  %empty_key = tensor.empty(%batch_dim) : tensor<?x2x1x64xf16>
  %key = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_key : tensor<?x1x2x64xf32>) outs(%empty_key : tensor<?x2x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<?x2x1x64xf16>
  // value: 2 heads from head 10 on
  %value_sums =
    flow.dispatch @qkv_value_sums_kernel::@qkv_value_sums_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x512xf16>{%rows_dim},
      tensor<768x512xf16>,
      index
    ) -> (tensor<?x128xf32>{%rows_dim})
  %acc_of_value = tensor.expand_shape %value_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 1, 2, 64] : tensor<?x128xf32> into tensor<?x1x2x64xf32>
  %empty_value = tensor.empty(%batch_dim) : tensor<?x2x1x64xf16>
  %value = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_value : tensor<?x1x2x64xf32>) outs(%empty_value : tensor<?x2x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<?x2x1x64xf16>
  return %query, %key, %value : !qkv__query, !qkv__key, !qkv__value
}
flow.executable private @qkv_query_sums_kernel {
  flow.executable.export public @qkv_query_sums_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @qkv_query_sums_kernel(
      %tokens_in: !qkv__tokens_of_query_sums,
      %weight_in: !qkv__weight_of_query_sums,
      %rows_dim_in: index,
      %query_sums_out: !qkv__query_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !qkv__tokens_of_query_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : !qkv__tokens_of_query_sums{%rows_dim} -> tensor<?x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_query_sums -> tensor<768x512xf16>
    %query_sums_tied = flow.dispatch.tie_shape %query_sums_out
      : !qkv__query_sums_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 8 : index
    %columns = arith.constant 512 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows_dim]
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
        %no_sums = arith.constant dense<0.0> : !qkv__depth_single_block
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
            -> (!qkv__depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !qkv__depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            scf.yield %more : !qkv__depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_single_block to !qkv__depth_single_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_single_part to !qkv__depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !qkv__depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_single_numbers to !qkv__depth_single_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_single_row from !qkv__depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_single_row, tensor<?x512xf32>
          scf.yield %after : tensor<?x512xf32>
        }
        scf.yield %of_rows : tensor<?x512xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x512xf32>) {
        %no_sums = arith.constant dense<0.0> : !qkv__depth_several_block
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
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!qkv__depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x512xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !qkv__depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !qkv__depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_1_0 = vector.extract %more_3[0, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_several_lanes
            %more_4 = vector.insert %new0_1_0, %more_3 [0, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_1_0 = vector.extract %more_4[1, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !qkv__depth_several_lanes
            %more_5 = vector.insert %new1_1_0, %more_4 [1, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_1_0 = vector.extract %more_5[2, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !qkv__depth_several_lanes
            %more_6 = vector.insert %new2_1_0, %more_5 [2, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_2_0 = vector.extract %more_6[0, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_several_lanes
            %more_7 = vector.insert %new0_2_0, %more_6 [0, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_2_0 = vector.extract %more_7[1, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !qkv__depth_several_lanes
            %more_8 = vector.insert %new1_2_0, %more_7 [1, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_2_0 = vector.extract %more_8[2, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !qkv__depth_several_lanes
            %more_9 = vector.insert %new2_2_0, %more_8 [2, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_3_0 = vector.extract %more_9[0, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_several_lanes
            %more_10 = vector.insert %new0_3_0, %more_9 [0, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_3_0 = vector.extract %more_10[1, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !qkv__depth_several_lanes
            %more_11 = vector.insert %new1_3_0, %more_10 [1, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_3_0 = vector.extract %more_11[2, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !qkv__depth_several_lanes
            %more = vector.insert %new2_3_0, %more_11 [2, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            scf.yield %more : !qkv__depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers1 = vector.shape_cast %part1 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums1 = vector.shape_cast %numbers1 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row1 = vector.extract %sums1[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers2 = vector.shape_cast %part2 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums2 = vector.shape_cast %numbers2 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row2 = vector.extract %sums2[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x512xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x512xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x512xf32>
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
      : tensor<?x512xf32> -> !qkv__query_sums_out{%rows_dim}
    return
  }
  }
}
flow.executable private @qkv_key_sums_kernel {
  flow.executable.export public @qkv_key_sums_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @qkv_key_sums_kernel(
      %tokens_in: !qkv__tokens_of_key_sums,
      %weight_in: !qkv__weight_of_key_sums,
      %rows_dim_in: index,
      %key_sums_out: !qkv__key_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !qkv__tokens_of_key_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : !qkv__tokens_of_key_sums{%rows_dim} -> tensor<?x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_key_sums -> tensor<768x512xf16>
    %key_sums_tied = flow.dispatch.tie_shape %key_sums_out
      : !qkv__key_sums_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 8 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows_dim]
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
        %no_sums = arith.constant dense<0.0> : !qkv__depth_single_block
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
            -> (!qkv__depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !qkv__depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            scf.yield %more : !qkv__depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_single_block to !qkv__depth_single_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_single_part to !qkv__depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !qkv__depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_single_numbers to !qkv__depth_single_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_single_row from !qkv__depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_single_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !qkv__depth_several_block
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
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!qkv__depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x512xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !qkv__depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !qkv__depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_1_0 = vector.extract %more_3[0, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_several_lanes
            %more_4 = vector.insert %new0_1_0, %more_3 [0, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_1_0 = vector.extract %more_4[1, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !qkv__depth_several_lanes
            %more_5 = vector.insert %new1_1_0, %more_4 [1, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_1_0 = vector.extract %more_5[2, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !qkv__depth_several_lanes
            %more_6 = vector.insert %new2_1_0, %more_5 [2, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_2_0 = vector.extract %more_6[0, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_several_lanes
            %more_7 = vector.insert %new0_2_0, %more_6 [0, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_2_0 = vector.extract %more_7[1, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !qkv__depth_several_lanes
            %more_8 = vector.insert %new1_2_0, %more_7 [1, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_2_0 = vector.extract %more_8[2, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !qkv__depth_several_lanes
            %more_9 = vector.insert %new2_2_0, %more_8 [2, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_3_0 = vector.extract %more_9[0, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_several_lanes
            %more_10 = vector.insert %new0_3_0, %more_9 [0, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_3_0 = vector.extract %more_10[1, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !qkv__depth_several_lanes
            %more_11 = vector.insert %new1_3_0, %more_10 [1, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_3_0 = vector.extract %more_11[2, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !qkv__depth_several_lanes
            %more = vector.insert %new2_3_0, %more_11 [2, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            scf.yield %more : !qkv__depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers1 = vector.shape_cast %part1 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums1 = vector.shape_cast %numbers1 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row1 = vector.extract %sums1[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers2 = vector.shape_cast %part2 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums2 = vector.shape_cast %numbers2 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row2 = vector.extract %sums2[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x128xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x128xf32>
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
      : tensor<?x128xf32> -> !qkv__key_sums_out{%rows_dim}
    return
  }
  }
}
flow.executable private @qkv_value_sums_kernel {
  flow.executable.export public @qkv_value_sums_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @qkv_value_sums_kernel(
      %tokens_in: !qkv__tokens_of_value_sums,
      %weight_in: !qkv__weight_of_value_sums,
      %rows_dim_in: index,
      %value_sums_out: !qkv__value_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !qkv__tokens_of_value_sums{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : !qkv__tokens_of_value_sums{%rows_dim} -> tensor<?x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_value_sums -> tensor<768x512xf16>
    %value_sums_tied = flow.dispatch.tie_shape %value_sums_out
      : !qkv__value_sums_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 8 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows_dim]
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
        %no_sums = arith.constant dense<0.0> : !qkv__depth_single_block
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
            -> (!qkv__depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !qkv__depth_single_given to !qkv__depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !qkv__depth_single_lanes from !qkv__depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !qkv__depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !qkv__depth_single_lanes into !qkv__depth_single_block
            scf.yield %more : !qkv__depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_single_block to !qkv__depth_single_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_single_part to !qkv__depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !qkv__depth_single_register8 from !qkv__depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !qkv__depth_single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !qkv__depth_single_register8, !qkv__depth_single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !qkv__depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_single_numbers to !qkv__depth_single_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_single_row from !qkv__depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_single_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !qkv__depth_several_block
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
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!qkv__depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x512xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !qkv__depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !qkv__depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !qkv__depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_1_0 = vector.extract %more_3[0, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_several_lanes
            %more_4 = vector.insert %new0_1_0, %more_3 [0, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_1_0 = vector.extract %more_4[1, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !qkv__depth_several_lanes
            %more_5 = vector.insert %new1_1_0, %more_4 [1, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_1_0 = vector.extract %more_5[2, 1] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !qkv__depth_several_lanes
            %more_6 = vector.insert %new2_1_0, %more_5 [2, 1]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_2_0 = vector.extract %more_6[0, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_several_lanes
            %more_7 = vector.insert %new0_2_0, %more_6 [0, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_2_0 = vector.extract %more_7[1, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !qkv__depth_several_lanes
            %more_8 = vector.insert %new1_2_0, %more_7 [1, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_2_0 = vector.extract %more_8[2, 2] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !qkv__depth_several_lanes
            %more_9 = vector.insert %new2_2_0, %more_8 [2, 2]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_several_given to !qkv__depth_several_lanes
            %old0_3_0 = vector.extract %more_9[0, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_several_lanes
            %more_10 = vector.insert %new0_3_0, %more_9 [0, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old1_3_0 = vector.extract %more_10[1, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !qkv__depth_several_lanes
            %more_11 = vector.insert %new1_3_0, %more_10 [1, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            %old2_3_0 = vector.extract %more_11[2, 3] : !qkv__depth_several_lanes from !qkv__depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !qkv__depth_several_lanes
            %more = vector.insert %new2_3_0, %more_11 [2, 3]
              : !qkv__depth_several_lanes into !qkv__depth_several_block
            scf.yield %more : !qkv__depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers1 = vector.shape_cast %part1 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums1 = vector.shape_cast %numbers1 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row1 = vector.extract %sums1[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !qkv__depth_several_block to !qkv__depth_several_part
          %registers2 = vector.shape_cast %part2 : !qkv__depth_several_part to !qkv__depth_several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !qkv__depth_several_register8 from !qkv__depth_several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !qkv__depth_several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !qkv__depth_several_register8, !qkv__depth_several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !qkv__depth_several_register4
          %sums2 = vector.shape_cast %numbers2 : !qkv__depth_several_numbers to !qkv__depth_several_sums
          %row2 = vector.extract %sums2[0] : !qkv__depth_several_row from !qkv__depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x128xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !qkv__depth_several_row, tensor<?x128xf32>
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
      : tensor<?x128xf32> -> !qkv__value_sums_out{%rows_dim}
    return
  }
  }
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!rope__turns = tensor<32xi64>
!rope__of_tokens = tensor<?x1x32xf32>
!rope__query = tensor<?x8x1x64xf16>
!rope__key = tensor<?x2x1x64xf16>
!rope__positions = tensor<?x1xi32>
!rope__rotated_query = tensor<?x8x1x64xf16>
!rope__rotated_key = tensor<?x2x1x64xf16>

func.func private @rope(%query: !rope__query, %key: !rope__key, %positions: !rope__positions) -> (!rope__rotated_query, !rope__rotated_key) {
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %query, %batch_axis : !rope__query
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !rope__turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %chunk0 = arith.constant 0 : index
  %of_tokens_empty = tensor.empty(%batch_dim) : !rope__of_tokens
  %cos_made, %sin_made = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, i) -> (b, m)>, affine_map<(b, m, i) -> (i)>,
        affine_map<(b, m, i) -> (b, m, i)>, affine_map<(b, m, i) -> (b, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%positions, %turns : !rope__positions, !rope__turns) outs(%of_tokens_empty, %of_tokens_empty : !rope__of_tokens, !rope__of_tokens) {
  ^bb0(%position: i32, %turn: i64, %unused_cos: f32, %unused_sin: f32):
    %position_i64 = arith.extui %position : i32 to i64
    // Wrapping around takes whole turns away and nothing else; the rest is -1/2 to 1/2 turn.
    %fraction = arith.muli %position_i64, %turn : i64
    %fraction_top = arith.shrsi %fraction, %half_of_i64 : i64
    %fraction_i32 = arith.trunci %fraction_top : i64 to i32
    %fraction_f32 = arith.sitofp %fraction_i32 : i32 to f32
    %angle = arith.mulf %fraction_f32, %radians_per_unit : f32
    %cos_at = math.cos %angle : f32
    %sin_at = math.sin %angle : f32
    linalg.yield %cos_at, %sin_at : f32, f32
  } -> (!rope__of_tokens, !rope__of_tokens)
  // Beyond a barrier, no kernel of query or key makes them again for each of its heads.
  %cos_of_tokens = iree_tensor_ext.compute_barrier.start %cos_made : !rope__of_tokens{%batch_dim} -> !rope__of_tokens
  %sin_of_tokens = iree_tensor_ext.compute_barrier.start %sin_made : !rope__of_tokens{%batch_dim} -> !rope__of_tokens
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [%batch_dim, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<?x8x1x32xf16>
  %high_query = tensor.extract_slice %query[0, 0, 0, 32] [%batch_dim, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<?x8x1x32xf16>
  %empty_query = tensor.empty(%batch_dim) : tensor<?x8x1x2x32xf16>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %cos_of_tokens, %sin_of_tokens
        : tensor<?x8x1x32xf16>, tensor<?x8x1x32xf16>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_query : tensor<?x8x1x2x32xf16>) {
  ^bb0(%low: f16, %high: f16, %cos_at: f32, %sin_at: f32, %unused: f16):
    %c = linalg.index 3 : index
    %is_low = arith.cmpi eq, %c, %chunk0 : index
    %this_stored = arith.select %is_low, %low, %high : f16
    %other_stored = arith.select %is_low, %high, %low : f16
    %this = arith.extf %this_stored : f16 to f32
    %other = arith.extf %other_stored : f16 to f32
    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32
    %turned_stored = arith.truncf %turned : f32 to f16
    linalg.yield %turned_stored : f16
  } -> tensor<?x8x1x2x32xf16>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<?x8x1x2x32xf16> into !rope__rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [%batch_dim, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<?x2x1x32xf16>
  %high_key = tensor.extract_slice %key[0, 0, 0, 32] [%batch_dim, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<?x2x1x32xf16>
  %empty_key = tensor.empty(%batch_dim) : tensor<?x2x1x2x32xf16>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %cos_of_tokens, %sin_of_tokens
        : tensor<?x2x1x32xf16>, tensor<?x2x1x32xf16>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_key : tensor<?x2x1x2x32xf16>) {
  ^bb0(%low: f16, %high: f16, %cos_at: f32, %sin_at: f32, %unused: f16):
    %c = linalg.index 3 : index
    %is_low = arith.cmpi eq, %c, %chunk0 : index
    %this_stored = arith.select %is_low, %low, %high : f16
    %other_stored = arith.select %is_low, %high, %low : f16
    %this = arith.extf %this_stored : f16 to f32
    %other = arith.extf %other_stored : f16 to f32
    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32
    %turned_stored = arith.truncf %turned : f32 to f16
    linalg.yield %turned_stored : f16
  } -> tensor<?x2x1x2x32xf16>
  %rotated_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<?x2x1x2x32xf16> into !rope__rotated_key
  return %rotated_query, %rotated_key : !rope__rotated_query, !rope__rotated_key
}
// New tokens are written into a block cache, in its own memory.
// Packed queries attend over a block cache: many of a sequence first, then those of sequences of a few.
// New keys and values are written into the blocks of a cache, in its own memory.
!write__key = tensor<?x2x64xf16>
!write__value = tensor<?x2x64xf16>
!write__key_cache = tensor<99x2x16x64xf16>
!write__value_cache = tensor<99x2x16x64xf16>
!write__slot_mapping = tensor<?xi32>
!write__updated_key_cache = tensor<99x2x16x64xf16>
!write__updated_value_cache = tensor<99x2x16x64xf16>
!write__slot_mapping_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!write__key_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x64xf16>>
!write__value_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x2x64xf16>>
!write__key_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<99x2x16x64xf16>>
!write__value_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<99x2x16x64xf16>>
!write__some_of_key = vector<32xf16>
!write__some_of_value = vector<32xf16>

func.func private @write(%key: !write__key, %value: !write__value, %key_cache: !write__key_cache, %value_cache: !write__value_cache, %slot_mapping: !write__slot_mapping) -> (!write__updated_key_cache, !write__updated_value_cache) {
  %num_tokens_axis = arith.constant 0 : index
  %num_tokens_dim = tensor.dim %key, %num_tokens_axis : !write__key
  %updated_key_cache, %updated_value_cache =
    flow.dispatch @write_updated_key_cache_kernel::@write_updated_key_cache_kernel[%num_tokens_dim](
      %slot_mapping, %key, %value, %key_cache, %value_cache, %num_tokens_dim
    ) : (
      tensor<?xi32>{%num_tokens_dim},
      tensor<?x2x64xf16>{%num_tokens_dim},
      tensor<?x2x64xf16>{%num_tokens_dim},
      tensor<99x2x16x64xf16>,
      tensor<99x2x16x64xf16>,
      index
    ) -> (%key_cache, %value_cache)
  return %updated_key_cache, %updated_value_cache
    : !write__updated_key_cache, !write__updated_value_cache
}
flow.executable private @write_updated_key_cache_kernel {
  flow.executable.export public @write_updated_key_cache_kernel
      workgroups(%num_tokens_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%num_tokens_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @write_updated_key_cache_kernel(
      %slot_mapping_in: !write__slot_mapping_to_write,
      %key_in: !write__key_to_write,
      %value_in: !write__value_to_write,
      %key_cache_in: !write__key_cache_to_write,
      %value_cache_in: !write__value_cache_to_write,
      %num_tokens_dim_in: index
    ) {
    %num_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal %num_tokens_dim_in, 0 : index
    %slot_mapping_tied = flow.dispatch.tie_shape %slot_mapping_in
      : !write__slot_mapping_to_write{%num_tokens_dim}
    %slot_mapping = iree_tensor_ext.dispatch.tensor.load %slot_mapping_tied,
      offsets = [0], sizes = [%num_tokens_dim], strides = [1]
      : !write__slot_mapping_to_write{%num_tokens_dim} -> tensor<?xi32>
    %key_tied = flow.dispatch.tie_shape %key_in
      : !write__key_to_write{%num_tokens_dim}
    %key = iree_tensor_ext.dispatch.tensor.load %key_tied,
      offsets = [0, 0, 0], sizes = [%num_tokens_dim, 2, 64], strides = [1, 1, 1]
      : !write__key_to_write{%num_tokens_dim} -> tensor<?x2x64xf16>
    %value_tied = flow.dispatch.tie_shape %value_in
      : !write__value_to_write{%num_tokens_dim}
    %value = iree_tensor_ext.dispatch.tensor.load %value_tied,
      offsets = [0, 0, 0], sizes = [%num_tokens_dim, 2, 64], strides = [1, 1, 1]
      : !write__value_to_write{%num_tokens_dim} -> tensor<?x2x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : !write__key_cache_to_write -> tensor<99x2x16x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : !write__value_cache_to_write -> tensor<99x2x16x64xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %sequences = arith.constant 1 : index
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 16)>()[%num_tokens_dim]
    %workgroups:2 = scf.forall (%b, %i) in (%sequences, %groups)
        shared_outs(%key_cache_all = %key_cache, %value_cache_all = %value_cache)
          -> (!write__key_cache, !write__value_cache) {
      %first = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %end = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first)[%num_tokens_dim]
      %written:2 = scf.for %t = %first to %end step %one
          iter_args(%key_cache_before = %key_cache_all, %value_cache_before = %value_cache_all)
            -> (!write__key_cache, !write__value_cache) {
        %slot_i32 = tensor.extract %slot_mapping[%t] : !write__slot_mapping
        %no_slot = arith.constant -1 : i32
        %is_written = arith.cmpi sgt, %slot_i32, %no_slot : i32
        %written_heads = arith.select %is_written, %heads, %none : index
        %slots_per_block = arith.constant 16 : index
        %slot = arith.index_cast %slot_i32 : i32 to index
        %block = arith.divui %slot, %slots_per_block : index
        %slot_in_block = arith.remui %slot, %slots_per_block : index
        %key_cache_after, %value_cache_after = scf.for %h = %none to %written_heads step %one
            iter_args(%key_cache_so_far = %key_cache_before, %value_cache_so_far = %value_cache_before)
              -> (!write__key_cache, !write__value_cache) {
          %key_moved_unused = arith.constant 0.0 : f16
          %key_moved_columns = arith.constant 64 : index
          %key_moved_step = arith.constant 32 : index
          %key_moved = scf.for %c = %none to %key_moved_columns step %key_moved_step
              iter_args(%so_far = %key_cache_so_far) -> (!write__key_cache) {
            %some = vector.transfer_read %key[%t, %h, %c], %key_moved_unused
              {in_bounds = [true]} : !write__key, !write__some_of_key
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !write__some_of_key, !write__key_cache
            scf.yield %moved : !write__key_cache
          }
          %value_moved_unused = arith.constant 0.0 : f16
          %value_moved_columns = arith.constant 64 : index
          %value_moved_step = arith.constant 32 : index
          %value_moved = scf.for %c = %none to %value_moved_columns step %value_moved_step
              iter_args(%so_far = %value_cache_so_far) -> (!write__value_cache) {
            %some = vector.transfer_read %value[%t, %h, %c], %value_moved_unused
              {in_bounds = [true]} : !write__value, !write__some_of_value
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !write__some_of_value, !write__value_cache
            scf.yield %moved : !write__value_cache
          }
          scf.yield %key_moved, %value_moved : !write__key_cache, !write__value_cache
        }
        scf.yield %key_cache_after, %value_cache_after : !write__key_cache, !write__value_cache
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written#0 into %key_cache_all
          [0, 0, 0, 0] [99, 2, 16, 64] [1, 1, 1, 1]
          : tensor<99x2x16x64xf16> into tensor<99x2x16x64xf16>
        tensor.parallel_insert_slice %written#1 into %value_cache_all
          [0, 0, 0, 0] [99, 2, 16, 64] [1, 1, 1, 1]
          : tensor<99x2x16x64xf16> into tensor<99x2x16x64xf16>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : tensor<99x2x16x64xf16> -> !write__key_cache_to_write
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [99, 2, 16, 64], strides = [1, 1, 1, 1]
      : tensor<99x2x16x64xf16> -> !write__value_cache_to_write
    return
  }
  }
}
// Attention as one kernel of tensors.
!many__query = tensor<?x8x64xf16>
!many__key_cache = tensor<99x2x16x64xf16>
!many__value_cache = tensor<99x2x16x64xf16>
!many__cu_seqlens_q = tensor<?xi32>
!many__block_table = tensor<?x40xi32>
!many__context_lens = tensor<?xi32>
!many__output = tensor<?x8x64xf16>
!many__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
!many__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!many__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!many__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!many__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!many__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!many__output_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x512xf16>>
!many__query_tile = tensor<16x64xf16>
!many__key_tile = tensor<16x64xf16>
!many__value_tile = tensor<16x64xf16>
!many__values = !many__value_tile
!many__scores = tensor<16x16xf32>
!many__weights = tensor<16x16xf16>
!many__acc = tensor<16x64xf32>
!many__row = tensor<16xf32>
!many__output_tile = tensor<16x64xf16>
!many__query_numbers = tensor<16xi32>
!many__key_numbers = tensor<16xi32>
// m row of the tile, t key of the step
#many__element = affine_map<(m, t) -> (m, t)>
#many__of_row = affine_map<(m, t) -> (m)>
#many__of_key = affine_map<(m, t) -> (t)>
#many__each = affine_map<(m) -> (m)>
#many__row_of_query = affine_map<(m, t, k) -> (m, k)>
#many__row_of_key = affine_map<(m, t, k) -> (t, k)>
#many__score = affine_map<(m, t, k) -> (m, t)>
#many__weight = affine_map<(m, n, t) -> (m, t)>
#many__column_of_value = affine_map<(m, n, t) -> (t, n)>
#many__sum_of_values = affine_map<(m, n, t) -> (m, n)>
#many__sum = affine_map<(m, n) -> (m, n)>
#many__row_of_sum = affine_map<(m, n) -> (m)>
#many__query_key = #iree_cpu.lowering_config<
  distribution = [0, 0, 0],
  vector_common_parallel = [4, 16, 0],
  vector_reduction = [0, 0, 4]>
#many__weights_value = #many__query_key
#many__in_vectors = #iree_cpu.lowering_config<
  distribution = [0, 0],
  vector_common_parallel = [4, 16]>
#many__tile = #iree_codegen.compilation_info<
  lowering_config = #many__query_key,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>
flow.executable private @packed_paged_many_kernel {
  flow.executable.export public @packed_paged_many_kernel
      workgroups(%q_tokens_dim: index, %bounds_dim: index, %batch_dim: index, %query_rows_dim: index, %cu_seqlens_q_dim: index, %block_table_rows_dim: index, %context_lens_dim: index, %output_rows_dim: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%q_tokens_dim, %bounds_dim, %batch_dim, %query_rows_dim, %cu_seqlens_q_dim, %block_table_rows_dim, %context_lens_dim, %output_rows_dim)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @packed_paged_many_kernel(
      %query_rows_in: !many__query_rows_in,
      %key_cache_rows_in: !many__key_cache_rows_in,
      %value_cache_rows_in: !many__value_cache_rows_in,
      %cu_seqlens_q_in: !many__cu_seqlens_q_in,
      %block_table_rows_in: !many__block_table_rows_in,
      %context_lens_in: !many__context_lens_in,
      %q_tokens_dim_in: index,
      %bounds_dim_in: index,
      %batch_dim_in: index,
      %query_rows_dim_in: index,
      %cu_seqlens_q_dim_in: index,
      %block_table_rows_dim_in: index,
      %context_lens_dim_in: index,
      %output_rows_dim_in: index,
      %output_rows_out: !many__output_rows_out
    ) {
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %q_tokens_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal
      %bounds_dim_in, 1 : index
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal
      %batch_dim_in, 2 : index
    %query_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %query_rows_dim_in, 3 : index
    %cu_seqlens_q_dim = iree_tensor_ext.dispatch.workload.ordinal
      %cu_seqlens_q_dim_in, 4 : index
    %block_table_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %block_table_rows_dim_in, 5 : index
    %context_lens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %context_lens_dim_in, 6 : index
    %output_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %output_rows_dim_in, 7 : index
    %query_rows_tied = flow.dispatch.tie_shape %query_rows_in
      : !many__query_rows_in{%query_rows_dim}
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_tied,
      offsets = [0, 0], sizes = [%query_rows_dim, 64], strides = [1, 1]
      : !many__query_rows_in{%query_rows_dim} -> tensor<?x64xf16>
    %key_cache_rows = iree_tensor_ext.dispatch.tensor.load %key_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !many__key_cache_rows_in -> tensor<3168x64xf16>
    %value_cache_rows = iree_tensor_ext.dispatch.tensor.load %value_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !many__value_cache_rows_in -> tensor<3168x64xf16>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !many__cu_seqlens_q_in{%cu_seqlens_q_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%cu_seqlens_q_dim], strides = [1]
      : !many__cu_seqlens_q_in{%cu_seqlens_q_dim} -> tensor<?xi32>
    %block_table_rows_tied = flow.dispatch.tie_shape %block_table_rows_in
      : !many__block_table_rows_in{%block_table_rows_dim}
    %block_table_rows = iree_tensor_ext.dispatch.tensor.load %block_table_rows_tied,
      offsets = [0], sizes = [%block_table_rows_dim], strides = [1]
      : !many__block_table_rows_in{%block_table_rows_dim} -> tensor<?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !many__context_lens_in{%context_lens_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%context_lens_dim], strides = [1]
      : !many__context_lens_in{%context_lens_dim} -> tensor<?xi32>
    %output_rows_empty = tensor.empty(%output_rows_dim) : tensor<?x512xf16>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %kv_tokens = arith.constant 640 : index
    %pages = arith.constant 40 : index
    %cache_blocks = arith.constant 99 : index
    // One less than bounds.
    %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
    %begun_of_all = affine.min
      affine_map<()[q, n] -> (n, q floordiv 9)>()[%q_tokens_dim, %packed]
    %tiles = affine.apply
      affine_map<()[q, n] -> (q floordiv 16 + n + 1)>()[%q_tokens_dim, %begun_of_all]
    %workgroups =
      scf.forall (%b, %i, %head_number) in (%sequences, %tiles, %heads)
        shared_outs(%output_rows_all = %output_rows_empty) -> (tensor<?x512xf16>) {
    %x = affine.apply
      affine_map<(x) -> (x mod 2 * 4 + x floordiv 2)>(%head_number)
    %last_block_index = affine.apply affine_map<()[n] -> (n - 1)>()[%cache_blocks]
    %last_block = arith.index_cast %last_block_index : index to i32
    // The last sequence's last tiles begin first: of each sequence those with most keys.
    %tile_of_all = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%i)[%tiles]
    %one = arith.constant 1 : index
    %first_sequence = arith.constant 0 : index
    %most_queries = arith.index_cast %q_tokens_dim : index to i32
    %halvings = arith.constant 3 : index
    %widest = arith.constant 4 : index
    %sequence = scf.for %halving = %first_sequence to %halvings step %one
        iter_args(%found = %first_sequence) -> (index) {
      %width = arith.shrui %widest, %halving : index
      %further = arith.addi %found, %width : index
      %candidate = arith.minsi %further, %packed : index
      %candidate_i32 = tensor.extract %cu_seqlens_q[%candidate] : tensor<?xi32>
    %candidate_start_kept = arith.minui %candidate_i32, %most_queries : i32
    %candidate_start = arith.index_cast %candidate_start_kept : i32 to index
      %begun = affine.min
        affine_map<(q, s) -> (s, q floordiv 9)>(%candidate_start, %candidate)
      %candidate_place = affine.apply
        affine_map<(q, s) -> (q floordiv 16 + s)>(%candidate_start, %begun)
      %is_there = arith.cmpi sle, %candidate_place, %tile_of_all : index
      %better = arith.select %is_there, %candidate, %found : index
      scf.yield %better : index
    }
    %next = affine.min affine_map<(s)[n] -> (s + 1, n)>(%sequence)[%packed]
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<?xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<?xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    // Padding stands where the last sequence does.
    %real_sequence = affine.min affine_map<(s)[n] -> (s, n - 1)>(%sequence)[%packed]
    %is_padding = arith.cmpi eq, %sequence, %packed : index
    %q_end = arith.select %is_padding, %q_tokens_dim, %q_next : index
    %q_count = arith.subi %q_end, %q_start : index
    %few = arith.constant 8 : index
    %is_many = arith.cmpi sgt, %q_count, %few : index
    %has_tiles = arith.ori %is_many, %is_padding : i1
    %q_len = arith.select %has_tiles, %q_count, %first_sequence : index
    %rows_of_head = arith.select %has_tiles, %q_count, %first_sequence : index
    %tiles_begun = affine.min
      affine_map<(q, s) -> (s, q floordiv 9)>(%q_start, %sequence)
    // A sequence that is told to begin after this tile has its first one here.
    %tile = affine.max
      affine_map<(i, q, s) -> (i - q floordiv 16 - s, 0)>(%tile_of_all, %q_start, %tiles_begun)
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%real_sequence] : tensor<?xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %real_sequence, %pages : index
    %context_len = arith.select %is_padding, %first_sequence, %context_len_of_sequence : index
    %first_key_token = arith.constant 0 : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    // Where there are no more tokens, the last one is read, and counts for nothing.
    %first_token = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens_dim]
    %query_base = affine.apply affine_map<(q, x) -> (q * 8 + x)>(%first_token, %x)
    %result_row = affine.apply affine_map<(q, i) -> (q + i * 16)>(%q_start, %tile)
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens_dim : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 16 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (16, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %query_end = affine.min
      affine_map<(r, n) -> (r + 16, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %begin = affine.max affine_map<(a) -> (a)>(%none)
    %end = affine.min affine_map<(a, b) -> (a, b)>(%keys_end, %seen_end)
    %row_numbers_empty = tensor.empty() : !many__query_numbers
    %rows_in_head = linalg.generic {indexing_maps = [#many__each], iterator_types = ["parallel"]}
      outs(%row_numbers_empty : !many__query_numbers) {
    ^bb0(%unused: i32):
      %m = linalg.index 0 : index
      %r = arith.addi %m, %row_0 : index
      %row = arith.minsi %r, %last_row : index
      %row_i32 = arith.index_cast %row : index to i32
      linalg.yield %row_i32 : i32
    } -> !many__query_numbers
    %query_numbers = linalg.generic {indexing_maps = [#many__each, #many__each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !many__query_numbers) outs(%row_numbers_empty : !many__query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %base = arith.index_cast %query_base : index to i32
      %stride = arith.constant 8 : i32
      %ahead = arith.muli %row, %stride : i32
      %number = arith.addi %base, %ahead : i32
      linalg.yield %number : i32
    } -> !many__query_numbers
      %empty_query = tensor.empty() : !many__query_tile
      %read_query = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %query_numbers : tensor<?x64xf16>, !many__query_numbers)
        outs(%empty_query : !many__query_tile) -> !many__query_tile
    %positions = linalg.generic {indexing_maps = [#many__each, #many__each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !many__query_numbers) outs(%row_numbers_empty : !many__query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %position = arith.addi %first, %row : i32
      linalg.yield %position : i32
    } -> !many__query_numbers
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %acc_empty = tensor.empty() : !many__acc
    %row_empty = tensor.empty() : !many__row
    %scores_empty = tensor.empty() : !many__scores
    %weights_empty = tensor.empty() : !many__weights
    %acc_start = linalg.fill ins(%zero : f32) outs(%acc_empty : !many__acc) -> !many__acc
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !many__row) -> !many__row
    %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !many__row) -> !many__row
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %keys_of_step
        iter_args(%acc = %acc_start, %max = %max_start, %sum = %sum_start) -> (!many__acc, !many__row, !many__row) {
      %key_numbers_empty = tensor.empty() : !many__key_numbers
      %table_places = linalg.generic {indexing_maps = [#many__each], iterator_types = ["parallel"]}
        outs(%key_numbers_empty : !many__key_numbers) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %page = affine.apply affine_map<(t) -> (t floordiv 16)>(%real_key)
        %place = arith.addi %table_base, %page : index
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> !many__key_numbers
      %blocks_empty = tensor.empty() : !many__key_numbers
      %blocks = iree_linalg_ext.gather dimension_map = [0]
        ins(%block_table_rows, %table_places : tensor<?xi32>, !many__key_numbers)
        outs(%blocks_empty : !many__key_numbers) -> !many__key_numbers
      %key_numbers = linalg.generic {indexing_maps = [#many__each, #many__each], iterator_types = ["parallel"]}
        ins(%blocks : !many__key_numbers) outs(%key_numbers_empty : !many__key_numbers) {
      ^bb0(%block_i32: i32, %unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %slot = affine.apply affine_map<(t) -> (t mod 16)>(%real_key)
    %block_kept = arith.minui %block_i32, %last_block : i32
    %block = arith.index_cast %block_kept : i32 to index
        %number = affine.apply
          affine_map<(p, h, s)
          -> ((p * 2 + h) * 16 + s)>(%block, %kv_head, %slot)
        %number_i32 = arith.index_cast %number : index to i32
        linalg.yield %number_i32 : i32
      } -> !many__key_numbers
      %empty_keys = tensor.empty() : !many__key_tile
      %read_keys = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_cache_rows, %key_numbers : tensor<3168x64xf16>, !many__key_numbers)
        outs(%empty_keys : !many__key_tile) -> !many__key_tile
      %empty_values = tensor.empty() : !many__value_tile
      %read_values = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_cache_rows, %key_numbers : tensor<3168x64xf16>, !many__key_numbers)
        outs(%empty_values : !many__value_tile) -> !many__value_tile
      %scores_start = linalg.fill ins(%zero : f32) outs(%scores_empty : !many__scores) -> !many__scores
      %scores = linalg.generic {
          indexing_maps = [#many__row_of_query, #many__row_of_key, #many__score],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%read_query, %read_keys : !many__query_tile, !many__key_tile)
          outs(%scores_start : !many__scores) attrs = {compilation_info = #many__tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !many__scores
      %logits = linalg.generic {
          indexing_maps = [#many__element, #many__of_row, #many__element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions
          : !many__scores, !many__query_numbers)
        outs(%scores_empty : !many__scores) attrs = {lowering_config = #many__in_vectors} {
      ^bb0(%score: f32, %position: i32, %unused: f32):
        %scale = arith.constant 0.18033688011112042 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
        %seen0 = arith.constant true
        %keys_end_i32 = arith.index_cast %context_len : index to i32
        %key_is_real = arith.cmpi slt, %token, %keys_end_i32 : i32
        %seen1 = arith.andi %seen0, %key_is_real : i1
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen2 = arith.andi %seen1, %ahead_is_seen : i1
        %logit = arith.select %seen2, %logit0, %minus_inf : f32
        linalg.yield %logit : f32
      } -> !many__scores
      // A NaN is no maximum, and makes its weight, and so its row, NaN.
      %best_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !many__row) -> !many__row
      %best = linalg.generic {indexing_maps = [#many__element, #many__of_row], iterator_types = ["parallel", "reduction"]}
        ins(%logits : !many__scores) outs(%best_start : !many__row) {
      ^bb0(%logit: f32, %top: f32):
        %better = arith.maxnumf %logit, %top : f32
        linalg.yield %better : f32
      } -> !many__row
      %shrink = linalg.generic {indexing_maps = [#many__each, #many__each, #many__each], iterator_types = ["parallel"]}
        ins(%max, %best : !many__row, !many__row) outs(%row_empty : !many__row) {
      ^bb0(%before: f32, %now: f32, %unused: f32):
        %top = arith.maxnumf %before, %now : f32
        %below = arith.subf %before, %top : f32
        %factor = math.exp2 %below : f32
        linalg.yield %factor : f32
      } -> !many__row
      %max_next = linalg.generic {indexing_maps = [#many__each, #many__each], iterator_types = ["parallel"]}
        ins(%best : !many__row) outs(%max : !many__row) {
      ^bb0(%now: f32, %before: f32):
        %top = arith.maxnumf %before, %now : f32
        linalg.yield %top : f32
      } -> !many__row
      %exps = linalg.generic {
          indexing_maps = [#many__element, #many__of_row, #many__element], iterator_types = ["parallel", "parallel"]
        } ins(%logits, %max_next : !many__scores, !many__row) outs(%scores_empty : !many__scores) attrs = {lowering_config = #many__in_vectors} {
      ^bb0(%logit: f32, %top: f32, %unused: f32):
        %below = arith.subf %logit, %top : f32
        %exp = math.exp2 %below : f32
        linalg.yield %exp : f32
      } -> !many__scores
      %sum_before = linalg.generic {indexing_maps = [#many__each, #many__each], iterator_types = ["parallel"]}
        ins(%shrink : !many__row) outs(%sum : !many__row) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !many__row
      %sum_next = linalg.generic {
          indexing_maps = [#many__element, #many__of_row], iterator_types = ["parallel", "reduction"]
        } ins(%exps : !many__scores) outs(%sum_before : !many__row) {
      ^bb0(%exp: f32, %total: f32):
        %more = arith.addf %total, %exp : f32
        linalg.yield %more : f32
      } -> !many__row
      %weights = linalg.generic {
          indexing_maps = [#many__element, #many__element], iterator_types = ["parallel", "parallel"]
        } ins(%exps : !many__scores) outs(%weights_empty : !many__weights) attrs = {lowering_config = #many__in_vectors} {
      ^bb0(%exp: f32, %unused: f16):
        %weight = arith.truncf %exp : f32 to f16
        linalg.yield %weight : f16
      } -> !many__weights
      %acc_before = linalg.generic {
          indexing_maps = [#many__row_of_sum, #many__sum], iterator_types = ["parallel", "parallel"]
        } ins(%shrink : !many__row) outs(%acc : !many__acc) attrs = {lowering_config = #many__in_vectors} {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !many__acc
      %acc_next = linalg.generic {
          indexing_maps = [#many__weight, #many__column_of_value, #many__sum_of_values],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%weights, %read_values : !many__weights, !many__values)
          outs(%acc_before : !many__acc) attrs = {lowering_config = #many__weights_value} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !many__acc
      %acc_kept = bufferization.materialize_in_destination %acc_next in %acc : (!many__acc, !many__acc) -> !many__acc
      %max_kept = bufferization.materialize_in_destination %max_next in %max : (!many__row, !many__row) -> !many__row
      %sum_kept = bufferization.materialize_in_destination %sum_next in %sum : (!many__row, !many__row) -> !many__row
      scf.yield %acc_kept, %max_kept, %sum_kept : !many__acc, !many__row, !many__row
    }
    %output_tile_empty = tensor.empty() : !many__output_tile
    %output_tile = linalg.generic {
        indexing_maps = [#many__sum, #many__row_of_sum, #many__row_of_sum, #many__sum],
        iterator_types = ["parallel", "parallel"]
      } ins(%acc_end, %max_end, %sum_end : !many__acc, !many__row, !many__row)
      outs(%output_tile_empty : !many__output_tile) attrs = {lowering_config = #many__in_vectors} {
    ^bb0(%weighted: f32, %max: f32, %sum: f32, %unused: f16):
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %quotient = arith.divf %weighted, %sum : f32
      %mean = arith.select %is_empty, %zero, %quotient : f32
    %mean_stored = arith.truncf %mean : f32 to f16
      linalg.yield %mean_stored : f16
    } -> !many__output_tile
    %output_rows_stored = tensor.extract_slice %output_tile[0, 0]
      [%rows_here, 64] [1, 1]
      : tensor<16x64xf16> to tensor<?x64xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_rows_stored
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<?x512xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    %output_rows_tied = flow.dispatch.tie_shape %output_rows_out
      : !many__output_rows_out{%output_rows_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_tied,
      offsets = [0, 0], sizes = [%output_rows_dim, 512], strides = [1, 1]
      : tensor<?x512xf16> -> !many__output_rows_out{%output_rows_dim}
    return
  }
  }
}
func.func private @many(%query: !many__query, %key_cache: !many__key_cache, %value_cache: !many__value_cache, %cu_seqlens_q: !many__cu_seqlens_q, %block_table: !many__block_table, %context_lens: !many__context_lens) -> !many__output {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_dim = tensor.dim %query, %q_tokens_axis : !many__query
  %bounds_axis = arith.constant 0 : index
  %bounds_dim = tensor.dim %cu_seqlens_q, %bounds_axis : !many__cu_seqlens_q
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %block_table, %batch_axis : !many__block_table
  %query_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 8)>()[%q_tokens_dim]
  %cu_seqlens_q_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%bounds_dim]
  %block_table_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 40)>()[%batch_dim]
  %context_lens_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%batch_dim]
  %output_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%q_tokens_dim]
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<?x8x64xf16> into tensor<?x64xf16>
  %key_cache_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %value_cache_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<?x40xi32> into tensor<?xi32>
  %made = flow.dispatch @packed_paged_many_kernel::@packed_paged_many_kernel[%q_tokens_dim, %bounds_dim, %batch_dim, %query_rows_dim, %cu_seqlens_q_dim, %block_table_rows_dim, %context_lens_dim, %output_rows_dim](
      %query_rows, %key_cache_rows, %value_cache_rows, %cu_seqlens_q, %block_table_rows, %context_lens, %q_tokens_dim, %bounds_dim, %batch_dim, %query_rows_dim, %cu_seqlens_q_dim, %block_table_rows_dim, %context_lens_dim, %output_rows_dim
    ) : (
      tensor<?x64xf16>{%query_rows_dim},
      tensor<3168x64xf16>,
      tensor<3168x64xf16>,
      tensor<?xi32>{%cu_seqlens_q_dim},
      tensor<?xi32>{%block_table_rows_dim},
      tensor<?xi32>{%context_lens_dim},
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index
    ) -> tensor<?x512xf16>{%output_rows_dim}
  %output = tensor.expand_shape %made [[0], [1, 2]]
    output_shape [%q_tokens_dim, 8, 64] : tensor<?x512xf16> into tensor<?x8x64xf16>
  return %output
    : !many__output
}
// Attention as one kernel of tensors, and a merge of parts of the keys.
!few__query = tensor<?x8x64xf16>
!few__key_cache = tensor<99x2x16x64xf16>
!few__value_cache = tensor<99x2x16x64xf16>
!few__cu_seqlens_q = tensor<?xi32>
!few__block_table = tensor<?x40xi32>
!few__context_lens = tensor<?xi32>
!few__output_of_many = tensor<?x8x64xf16>
!few__output = tensor<?x8x64xf16>
!few__query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf16>>
!few__key_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!few__value_cache_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<3168x64xf16>>
!few__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__block_table_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi32>>
!few__part_acc_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x64xf32>>
!few__part_max_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>
!few__part_sum_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>
!few__part_acc = tensor<2x3x?x64xf32>
!few__part_max = tensor<2x3x?xf32>
!few__part_sum = tensor<2x3x?xf32>
!few__part_acc_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x?x64xf32>>
!few__part_max_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x?xf32>>
!few__part_sum_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x3x?xf32>>
!few__output_rows_out = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x512xf16>>
!few__merged = vector<1x1xf16>
!few__merged_columns = vector<1xf16>
!few__columns_of_lane = vector<1xf32>
!few__merged_lse = vector<1xf32>
!few__merged_row = tensor<64xf16>
!few__own_of_output_rows = tensor<?x1xf16>
#few__each_column = affine_map<(n) -> (n)>
#few__merge = #iree_codegen.compilation_info<
  lowering_config = #iree_cpu.lowering_config<distribution = [0], vector_common_parallel = [1]>,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>
!few__query_tile = tensor<16x64xf16>
!few__key_tile = tensor<16x64xf16>
!few__value_tile = tensor<16x64xf16>
!few__values = !few__value_tile
!few__scores = tensor<16x16xf32>
!few__weights = tensor<16x16xf16>
!few__acc = tensor<16x64xf32>
!few__row = tensor<16xf32>
!few__output_tile = tensor<16x64xf16>
!few__query_numbers = tensor<16xi32>
!few__key_numbers = tensor<16xi32>
// m row of the tile, t key of the step
#few__element = affine_map<(m, t) -> (m, t)>
#few__of_row = affine_map<(m, t) -> (m)>
#few__of_key = affine_map<(m, t) -> (t)>
#few__each = affine_map<(m) -> (m)>
#few__row_of_query = affine_map<(m, t, k) -> (m, k)>
#few__row_of_key = affine_map<(m, t, k) -> (t, k)>
#few__score = affine_map<(m, t, k) -> (m, t)>
#few__weight = affine_map<(m, n, t) -> (m, t)>
#few__column_of_value = affine_map<(m, n, t) -> (t, n)>
#few__sum_of_values = affine_map<(m, n, t) -> (m, n)>
#few__sum = affine_map<(m, n) -> (m, n)>
#few__row_of_sum = affine_map<(m, n) -> (m)>
#few__query_key = #iree_cpu.lowering_config<
  distribution = [0, 0, 0],
  vector_common_parallel = [4, 16, 0],
  vector_reduction = [0, 0, 4]>
#few__weights_value = #few__query_key
#few__in_vectors = #iree_cpu.lowering_config<
  distribution = [0, 0],
  vector_common_parallel = [4, 16]>
#few__tile = #iree_codegen.compilation_info<
  lowering_config = #few__query_key,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>
flow.executable private @packed_paged_few_kernel {
  flow.executable.export public @packed_paged_few_kernel
      workgroups(%q_tokens_dim: index, %bounds_dim: index, %batch_dim: index, %few_rows_dim: index, %query_rows_dim: index, %cu_seqlens_q_dim: index, %block_table_rows_dim: index, %context_lens_dim: index, %part_acc_rows_dim: index, %part_max_rows_dim: index, %part_sum_rows_dim: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%q_tokens_dim, %bounds_dim, %batch_dim, %few_rows_dim, %query_rows_dim, %cu_seqlens_q_dim, %block_table_rows_dim, %context_lens_dim, %part_acc_rows_dim, %part_max_rows_dim, %part_sum_rows_dim)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @packed_paged_few_kernel(
      %query_rows_in: !few__query_rows_in,
      %key_cache_rows_in: !few__key_cache_rows_in,
      %value_cache_rows_in: !few__value_cache_rows_in,
      %cu_seqlens_q_in: !few__cu_seqlens_q_in,
      %block_table_rows_in: !few__block_table_rows_in,
      %context_lens_in: !few__context_lens_in,
      %q_tokens_dim_in: index,
      %bounds_dim_in: index,
      %batch_dim_in: index,
      %few_rows_dim_in: index,
      %query_rows_dim_in: index,
      %cu_seqlens_q_dim_in: index,
      %block_table_rows_dim_in: index,
      %context_lens_dim_in: index,
      %part_acc_rows_dim_in: index,
      %part_max_rows_dim_in: index,
      %part_sum_rows_dim_in: index,
      %part_acc_rows_out: !few__part_acc_rows_out,
      %part_max_rows_out: !few__part_max_rows_out,
      %part_sum_rows_out: !few__part_sum_rows_out
    ) {
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %q_tokens_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal
      %bounds_dim_in, 1 : index
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal
      %batch_dim_in, 2 : index
    %few_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %few_rows_dim_in, 3 : index
    %query_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %query_rows_dim_in, 4 : index
    %cu_seqlens_q_dim = iree_tensor_ext.dispatch.workload.ordinal
      %cu_seqlens_q_dim_in, 5 : index
    %block_table_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %block_table_rows_dim_in, 6 : index
    %context_lens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %context_lens_dim_in, 7 : index
    %part_acc_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %part_acc_rows_dim_in, 8 : index
    %part_max_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %part_max_rows_dim_in, 9 : index
    %part_sum_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %part_sum_rows_dim_in, 10 : index
    %query_rows_tied = flow.dispatch.tie_shape %query_rows_in
      : !few__query_rows_in{%query_rows_dim}
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_tied,
      offsets = [0, 0], sizes = [%query_rows_dim, 64], strides = [1, 1]
      : !few__query_rows_in{%query_rows_dim} -> tensor<?x64xf16>
    %key_cache_rows = iree_tensor_ext.dispatch.tensor.load %key_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !few__key_cache_rows_in -> tensor<3168x64xf16>
    %value_cache_rows = iree_tensor_ext.dispatch.tensor.load %value_cache_rows_in,
      offsets = [0, 0], sizes = [3168, 64], strides = [1, 1]
      : !few__value_cache_rows_in -> tensor<3168x64xf16>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !few__cu_seqlens_q_in{%cu_seqlens_q_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%cu_seqlens_q_dim], strides = [1]
      : !few__cu_seqlens_q_in{%cu_seqlens_q_dim} -> tensor<?xi32>
    %block_table_rows_tied = flow.dispatch.tie_shape %block_table_rows_in
      : !few__block_table_rows_in{%block_table_rows_dim}
    %block_table_rows = iree_tensor_ext.dispatch.tensor.load %block_table_rows_tied,
      offsets = [0], sizes = [%block_table_rows_dim], strides = [1]
      : !few__block_table_rows_in{%block_table_rows_dim} -> tensor<?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !few__context_lens_in{%context_lens_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%context_lens_dim], strides = [1]
      : !few__context_lens_in{%context_lens_dim} -> tensor<?xi32>
    %part_acc_rows_empty = tensor.empty(%part_acc_rows_dim) : tensor<?x64xf32>
    %part_max_rows_empty = tensor.empty(%part_max_rows_dim) : tensor<?xf32>
    %part_sum_rows_empty = tensor.empty(%part_sum_rows_dim) : tensor<?xf32>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %parts = arith.constant 3 : index
    %kv_tokens = arith.constant 640 : index
    %pages = arith.constant 40 : index
    %cache_blocks = arith.constant 99 : index
    // One less than bounds.
    %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
    %parts_begun = affine.min affine_map<()[n, p]
      -> (n * 16 ceildiv 256, p)>
      ()[%pages, %parts]
    %tiles = affine.apply affine_map<()[n, p] -> (n * 2 * p)>()[%packed, %parts_begun]
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%part_acc_rows_all = %part_acc_rows_empty, %part_max_rows_all = %part_max_rows_empty, %part_sum_rows_all = %part_sum_rows_empty) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) {
    %last_block_index = affine.apply affine_map<()[n] -> (n - 1)>()[%cache_blocks]
    %last_block = arith.index_cast %last_block_index : index to i32
    %part = affine.apply affine_map<(i)[p] -> (i mod p)>(%i)[%parts_begun]
    %sequence = affine.apply affine_map<(i)[p, n] -> ((i floordiv p) mod n)>(%i)[%parts_begun, %packed]
    %tile = affine.apply affine_map<(i)[p, n] -> ((i floordiv p) floordiv n)>(%i)[%parts_begun, %packed]
    %zero_queries = arith.constant 0 : index
    %next = affine.apply affine_map<(s) -> (s + 1)>(%sequence)
    %most_queries = arith.index_cast %q_tokens_dim : index to i32
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<?xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<?xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    %few_slot = affine.min affine_map<(q, s) -> (q, s * 8)>(%q_start, %sequence)
    %q_count = arith.subi %q_next, %q_start : index
    %few = arith.constant 8 : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %queries_of_few = arith.select %is_few, %q_count, %zero_queries : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%sequence] : tensor<?xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %sequence, %pages : index
    %context_len = affine.apply affine_map<(n) -> (n)>(%context_len_of_sequence)
    %part_keys = arith.constant 256 : index
    %part_start = arith.muli %part, %part_keys : index
    %is_part = arith.cmpi slt, %part_start, %context_len : index
    %q_len = arith.select %is_part, %queries_of_few, %zero_queries : index
    %rows_of_head = affine.apply affine_map<(q) -> (q * 4)>(%q_len)
    %kv_head = affine.apply affine_map<(x) -> (x)>(%x)
    %first_token = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens_dim]
    %first_key_token = arith.constant 0 : index
    %query_base = affine.apply
      affine_map<(q, x) -> (q * 8 + x * 4)>(%first_token, %x)
    %head_and_part = affine.apply affine_map<(x, p)[n] -> (x * n + p)>(%x, %part)[%parts]
    %rows_of_parts = arith.muli %head_and_part, %few_rows_dim : index
    %result_row = affine.apply
      affine_map<(p, q, i) -> (p + q * 4 + i * 16)>(%rows_of_parts, %few_slot, %tile)
    %none = arith.constant 0 : index
    %keys_of_step = arith.constant 16 : index
    %row_0 = affine.apply affine_map<(i) -> (i * 16)>(%tile)
    %rows_left = affine.min
      affine_map<(r, n) -> (16, n - r)>(%row_0, %rows_of_head)
    %rows_here = arith.maxsi %rows_left, %none : index
    %last_row = affine.max affine_map<(n) -> (n - 1, 0)>(%rows_of_head)
    %last_key = affine.max affine_map<(n) -> (n - 1, 0)>(%context_len)
    %first_position = arith.subi %context_len, %q_len : index
    // Queries [%first_query, %query_end) have rows in the tile.
    %first_query = affine.apply affine_map<(r) -> (r floordiv 4)>(%row_0)
    %query_end = affine.min
      affine_map<(r, n) -> ((r + 16) ceildiv 4, n)>(%row_0, %q_len)
    %has_queries = arith.cmpi slt, %first_query, %query_end : index
    %keys_end = arith.select %has_queries, %context_len, %none : index
    // From here on the last query sees no key.
    %seen_end = affine.apply
      affine_map<(q, p) -> (p + q + 0)>(%query_end, %first_position)
    %part_begin = arith.muli %part, %part_keys : index
    %part_end = arith.addi %part_begin, %part_keys : index
    %begin = affine.max affine_map<(a, b) -> (a, b)>(%none, %part_begin)
    %end = affine.min affine_map<(a, b, c) -> (a, b, c)>(%keys_end, %seen_end, %part_end)
    %row_numbers_empty = tensor.empty() : !few__query_numbers
    %rows_in_head = linalg.generic {indexing_maps = [#few__each], iterator_types = ["parallel"]}
      outs(%row_numbers_empty : !few__query_numbers) {
    ^bb0(%unused: i32):
      %m = linalg.index 0 : index
      %r = arith.addi %m, %row_0 : index
      %row = arith.minsi %r, %last_row : index
      %row_i32 = arith.index_cast %row : index to i32
      linalg.yield %row_i32 : i32
    } -> !few__query_numbers
    %query_numbers = linalg.generic {indexing_maps = [#few__each, #few__each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !few__query_numbers) outs(%row_numbers_empty : !few__query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %base = arith.index_cast %query_base : index to i32
      %row_index = arith.index_cast %row : i32 to index
      %rows_ahead = affine.apply affine_map<(r)
        -> ((r floordiv 4) * 8 + r mod 4)>(
          %row_index)
      %ahead = arith.index_cast %rows_ahead : index to i32
      %number = arith.addi %base, %ahead : i32
      linalg.yield %number : i32
    } -> !few__query_numbers
      %empty_query = tensor.empty() : !few__query_tile
      %read_query = iree_linalg_ext.gather dimension_map = [0]
        ins(%query_rows, %query_numbers : tensor<?x64xf16>, !few__query_numbers)
        outs(%empty_query : !few__query_tile) -> !few__query_tile
    %positions = linalg.generic {indexing_maps = [#few__each, #few__each], iterator_types = ["parallel"]}
      ins(%rows_in_head : !few__query_numbers) outs(%row_numbers_empty : !few__query_numbers) {
    ^bb0(%row: i32, %unused: i32):
      %first = arith.index_cast %first_position : index to i32
      %heads_of_group = arith.constant 4 : i32
      %query = arith.divsi %row, %heads_of_group : i32
      %position = arith.addi %first, %query : i32
      linalg.yield %position : i32
    } -> !few__query_numbers
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %acc_empty = tensor.empty() : !few__acc
    %row_empty = tensor.empty() : !few__row
    %scores_empty = tensor.empty() : !few__scores
    %weights_empty = tensor.empty() : !few__weights
    %acc_start = linalg.fill ins(%zero : f32) outs(%acc_empty : !few__acc) -> !few__acc
    %max_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !few__row) -> !few__row
    %sum_start = linalg.fill ins(%zero : f32) outs(%row_empty : !few__row) -> !few__row
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %keys_of_step
        iter_args(%acc = %acc_start, %max = %max_start, %sum = %sum_start) -> (!few__acc, !few__row, !few__row) {
      %key_numbers_empty = tensor.empty() : !few__key_numbers
      %table_places = linalg.generic {indexing_maps = [#few__each], iterator_types = ["parallel"]}
        outs(%key_numbers_empty : !few__key_numbers) {
      ^bb0(%unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %page = affine.apply affine_map<(t) -> (t floordiv 16)>(%real_key)
        %place = arith.addi %table_base, %page : index
        %place_i32 = arith.index_cast %place : index to i32
        linalg.yield %place_i32 : i32
      } -> !few__key_numbers
      %blocks_empty = tensor.empty() : !few__key_numbers
      %blocks = iree_linalg_ext.gather dimension_map = [0]
        ins(%block_table_rows, %table_places : tensor<?xi32>, !few__key_numbers)
        outs(%blocks_empty : !few__key_numbers) -> !few__key_numbers
      %key_numbers = linalg.generic {indexing_maps = [#few__each, #few__each], iterator_types = ["parallel"]}
        ins(%blocks : !few__key_numbers) outs(%key_numbers_empty : !few__key_numbers) {
      ^bb0(%block_i32: i32, %unused: i32):
        %t = linalg.index 0 : index
        %key = arith.addi %t, %t0 : index
        %real_key = arith.minsi %key, %last_key : index
        %slot = affine.apply affine_map<(t) -> (t mod 16)>(%real_key)
    %block_kept = arith.minui %block_i32, %last_block : i32
    %block = arith.index_cast %block_kept : i32 to index
        %number = affine.apply
          affine_map<(p, h, s)
          -> ((p * 2 + h) * 16 + s)>(%block, %kv_head, %slot)
        %number_i32 = arith.index_cast %number : index to i32
        linalg.yield %number_i32 : i32
      } -> !few__key_numbers
      %empty_keys = tensor.empty() : !few__key_tile
      %read_keys = iree_linalg_ext.gather dimension_map = [0]
        ins(%key_cache_rows, %key_numbers : tensor<3168x64xf16>, !few__key_numbers)
        outs(%empty_keys : !few__key_tile) -> !few__key_tile
      %empty_values = tensor.empty() : !few__value_tile
      %read_values = iree_linalg_ext.gather dimension_map = [0]
        ins(%value_cache_rows, %key_numbers : tensor<3168x64xf16>, !few__key_numbers)
        outs(%empty_values : !few__value_tile) -> !few__value_tile
      %scores_start = linalg.fill ins(%zero : f32) outs(%scores_empty : !few__scores) -> !few__scores
      %scores = linalg.generic {
          indexing_maps = [#few__row_of_query, #few__row_of_key, #few__score],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%read_query, %read_keys : !few__query_tile, !few__key_tile)
          outs(%scores_start : !few__scores) attrs = {compilation_info = #few__tile} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !few__scores
      %logits = linalg.generic {
          indexing_maps = [#few__element, #few__of_row, #few__element],
          iterator_types = ["parallel", "parallel"]
        } ins(%scores, %positions
          : !few__scores, !few__query_numbers)
        outs(%scores_empty : !few__scores) attrs = {lowering_config = #few__in_vectors} {
      ^bb0(%score: f32, %position: i32, %unused: f32):
        %scale = arith.constant 0.18033688011112042 : f32
        %logit0 = arith.mulf %score, %scale : f32
        %t = linalg.index 1 : index
        %t_i32 = arith.index_cast %t : index to i32
        %t0_i32 = arith.index_cast %t0 : index to i32
        %token = arith.addi %t_i32, %t0_i32 : i32
        %ahead = arith.subi %token, %position : i32
        %seen0 = arith.constant true
        %keys_end_i32 = arith.index_cast %context_len : index to i32
        %key_is_real = arith.cmpi slt, %token, %keys_end_i32 : i32
        %seen1 = arith.andi %seen0, %key_is_real : i1
        %last_seen = arith.constant 0 : i32
        %ahead_is_seen = arith.cmpi sle, %ahead, %last_seen : i32
        %seen2 = arith.andi %seen1, %ahead_is_seen : i1
        %logit = arith.select %seen2, %logit0, %minus_inf : f32
        linalg.yield %logit : f32
      } -> !few__scores
      // A NaN is no maximum, and makes its weight, and so its row, NaN.
      %best_start = linalg.fill ins(%lowest : f32) outs(%row_empty : !few__row) -> !few__row
      %best = linalg.generic {indexing_maps = [#few__element, #few__of_row], iterator_types = ["parallel", "reduction"]}
        ins(%logits : !few__scores) outs(%best_start : !few__row) {
      ^bb0(%logit: f32, %top: f32):
        %better = arith.maxnumf %logit, %top : f32
        linalg.yield %better : f32
      } -> !few__row
      %shrink = linalg.generic {indexing_maps = [#few__each, #few__each, #few__each], iterator_types = ["parallel"]}
        ins(%max, %best : !few__row, !few__row) outs(%row_empty : !few__row) {
      ^bb0(%before: f32, %now: f32, %unused: f32):
        %top = arith.maxnumf %before, %now : f32
        %below = arith.subf %before, %top : f32
        %factor = math.exp2 %below : f32
        linalg.yield %factor : f32
      } -> !few__row
      %max_next = linalg.generic {indexing_maps = [#few__each, #few__each], iterator_types = ["parallel"]}
        ins(%best : !few__row) outs(%max : !few__row) {
      ^bb0(%now: f32, %before: f32):
        %top = arith.maxnumf %before, %now : f32
        linalg.yield %top : f32
      } -> !few__row
      %exps = linalg.generic {
          indexing_maps = [#few__element, #few__of_row, #few__element], iterator_types = ["parallel", "parallel"]
        } ins(%logits, %max_next : !few__scores, !few__row) outs(%scores_empty : !few__scores) attrs = {lowering_config = #few__in_vectors} {
      ^bb0(%logit: f32, %top: f32, %unused: f32):
        %below = arith.subf %logit, %top : f32
        %exp = math.exp2 %below : f32
        linalg.yield %exp : f32
      } -> !few__scores
      %sum_before = linalg.generic {indexing_maps = [#few__each, #few__each], iterator_types = ["parallel"]}
        ins(%shrink : !few__row) outs(%sum : !few__row) {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !few__row
      %sum_next = linalg.generic {
          indexing_maps = [#few__element, #few__of_row], iterator_types = ["parallel", "reduction"]
        } ins(%exps : !few__scores) outs(%sum_before : !few__row) {
      ^bb0(%exp: f32, %total: f32):
        %more = arith.addf %total, %exp : f32
        linalg.yield %more : f32
      } -> !few__row
      %weights = linalg.generic {
          indexing_maps = [#few__element, #few__element], iterator_types = ["parallel", "parallel"]
        } ins(%exps : !few__scores) outs(%weights_empty : !few__weights) attrs = {lowering_config = #few__in_vectors} {
      ^bb0(%exp: f32, %unused: f16):
        %weight = arith.truncf %exp : f32 to f16
        linalg.yield %weight : f16
      } -> !few__weights
      %acc_before = linalg.generic {
          indexing_maps = [#few__row_of_sum, #few__sum], iterator_types = ["parallel", "parallel"]
        } ins(%shrink : !few__row) outs(%acc : !few__acc) attrs = {lowering_config = #few__in_vectors} {
      ^bb0(%factor: f32, %total: f32):
        %less = arith.mulf %total, %factor : f32
        linalg.yield %less : f32
      } -> !few__acc
      %acc_next = linalg.generic {
          indexing_maps = [#few__weight, #few__column_of_value, #few__sum_of_values],
          iterator_types = ["parallel", "parallel", "reduction"]
        } ins(%weights, %read_values : !few__weights, !few__values)
          outs(%acc_before : !few__acc) attrs = {lowering_config = #few__weights_value} {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
      } -> !few__acc
      %acc_kept = bufferization.materialize_in_destination %acc_next in %acc : (!few__acc, !few__acc) -> !few__acc
      %max_kept = bufferization.materialize_in_destination %max_next in %max : (!few__row, !few__row) -> !few__row
      %sum_kept = bufferization.materialize_in_destination %sum_next in %sum : (!few__row, !few__row) -> !few__row
      scf.yield %acc_kept, %max_kept, %sum_kept : !few__acc, !few__row, !few__row
    }
    %part_acc_rows_stored = tensor.extract_slice %acc_end[0, 0]
      [%rows_here, 64] [1, 1]
      : tensor<16x64xf32> to tensor<?x64xf32>
    %part_max_rows_stored = tensor.extract_slice %max_end[0]
      [%rows_here] [1]
      : tensor<16xf32> to tensor<?xf32>
    %part_sum_rows_stored = tensor.extract_slice %sum_end[0]
      [%rows_here] [1]
      : tensor<16xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part_acc_rows_stored
        into %part_acc_rows_all[%result_row, %none]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf32> into tensor<?x64xf32>
      tensor.parallel_insert_slice %part_max_rows_stored
        into %part_max_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %part_sum_rows_stored
        into %part_sum_rows_all[%result_row]
        [%rows_here] [1]
        : tensor<?xf32> into tensor<?xf32>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    %part_acc_rows_tied = flow.dispatch.tie_shape %part_acc_rows_out
      : !few__part_acc_rows_out{%part_acc_rows_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_rows_tied,
      offsets = [0, 0], sizes = [%part_acc_rows_dim, 64], strides = [1, 1]
      : tensor<?x64xf32> -> !few__part_acc_rows_out{%part_acc_rows_dim}
    %part_max_rows_tied = flow.dispatch.tie_shape %part_max_rows_out
      : !few__part_max_rows_out{%part_max_rows_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_rows_tied,
      offsets = [0], sizes = [%part_max_rows_dim], strides = [1]
      : tensor<?xf32> -> !few__part_max_rows_out{%part_max_rows_dim}
    %part_sum_rows_tied = flow.dispatch.tie_shape %part_sum_rows_out
      : !few__part_sum_rows_out{%part_sum_rows_dim}
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_rows_tied,
      offsets = [0], sizes = [%part_sum_rows_dim], strides = [1]
      : tensor<?xf32> -> !few__part_sum_rows_out{%part_sum_rows_dim}
    return
  }
  }
}
flow.executable private @packed_paged_few_merge {
  flow.executable.export public @packed_paged_few_merge
      workgroups(%q_tokens_dim: index, %bounds_dim: index, %batch_dim: index, %few_rows_dim: index, %cu_seqlens_q_dim: index, %context_lens_dim: index, %output_of_many_rows_dim: index, %output_rows_dim: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%q_tokens_dim, %bounds_dim, %batch_dim, %few_rows_dim, %cu_seqlens_q_dim, %context_lens_dim, %output_of_many_rows_dim, %output_rows_dim)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @packed_paged_few_merge(
      %part_acc_in: !few__part_acc_in,
      %part_max_in: !few__part_max_in,
      %part_sum_in: !few__part_sum_in,
      %cu_seqlens_q_in: !few__cu_seqlens_q_in,
      %context_lens_in: !few__context_lens_in,
      %output_rows_out: !few__output_rows_out,
      %q_tokens_dim_in: index,
      %bounds_dim_in: index,
      %batch_dim_in: index,
      %few_rows_dim_in: index,
      %cu_seqlens_q_dim_in: index,
      %context_lens_dim_in: index,
      %output_of_many_rows_dim_in: index,
      %output_rows_dim_in: index
    ) {
    %q_tokens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %q_tokens_dim_in, 0 : index
    %bounds_dim = iree_tensor_ext.dispatch.workload.ordinal
      %bounds_dim_in, 1 : index
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal
      %batch_dim_in, 2 : index
    %few_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %few_rows_dim_in, 3 : index
    %cu_seqlens_q_dim = iree_tensor_ext.dispatch.workload.ordinal
      %cu_seqlens_q_dim_in, 4 : index
    %context_lens_dim = iree_tensor_ext.dispatch.workload.ordinal
      %context_lens_dim_in, 5 : index
    %output_of_many_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %output_of_many_rows_dim_in, 6 : index
    %output_rows_dim = iree_tensor_ext.dispatch.workload.ordinal
      %output_rows_dim_in, 7 : index
    %part_acc_tied = flow.dispatch.tie_shape %part_acc_in
      : !few__part_acc_in{%few_rows_dim}
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_tied,
      offsets = [0, 0, 0, 0], sizes = [2, 3, %few_rows_dim, 64], strides = [1, 1, 1, 1]
      : !few__part_acc_in{%few_rows_dim} -> tensor<2x3x?x64xf32>
    %part_max_tied = flow.dispatch.tie_shape %part_max_in
      : !few__part_max_in{%few_rows_dim}
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_tied,
      offsets = [0, 0, 0], sizes = [2, 3, %few_rows_dim], strides = [1, 1, 1]
      : !few__part_max_in{%few_rows_dim} -> tensor<2x3x?xf32>
    %part_sum_tied = flow.dispatch.tie_shape %part_sum_in
      : !few__part_sum_in{%few_rows_dim}
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_tied,
      offsets = [0, 0, 0], sizes = [2, 3, %few_rows_dim], strides = [1, 1, 1]
      : !few__part_sum_in{%few_rows_dim} -> tensor<2x3x?xf32>
    %cu_seqlens_q_tied = flow.dispatch.tie_shape %cu_seqlens_q_in
      : !few__cu_seqlens_q_in{%cu_seqlens_q_dim}
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_tied,
      offsets = [0], sizes = [%cu_seqlens_q_dim], strides = [1]
      : !few__cu_seqlens_q_in{%cu_seqlens_q_dim} -> tensor<?xi32>
    %context_lens_tied = flow.dispatch.tie_shape %context_lens_in
      : !few__context_lens_in{%context_lens_dim}
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_tied,
      offsets = [0], sizes = [%context_lens_dim], strides = [1]
      : !few__context_lens_in{%context_lens_dim} -> tensor<?xi32>
    %output_rows_tied = flow.dispatch.tie_shape %output_rows_out
      : !few__output_rows_out{%output_rows_dim}
    %output_rows_before = iree_tensor_ext.dispatch.tensor.load
      %output_rows_tied,
      offsets = [0, 0], sizes = [%output_rows_dim, 512], strides = [1, 1]
      : !few__output_rows_out{%output_rows_dim} -> tensor<?x512xf16>
    %sequences = arith.constant 1 : index
    %heads = arith.constant 8 : index
    %pages = arith.constant 40 : index
    // One less than bounds.
    %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %batch_dim)
        shared_outs(%output_rows_all = %output_rows_before) -> (tensor<?x512xf16>) {
    %sequence = affine.apply affine_map<(i) -> (i)>(%i)
    %zero_queries = arith.constant 0 : index
    %next = affine.apply affine_map<(s) -> (s + 1)>(%sequence)
    %most_queries = arith.index_cast %q_tokens_dim : index to i32
    %q_start_i32 = tensor.extract %cu_seqlens_q[%sequence] : tensor<?xi32>
    %q_start_kept = arith.minui %q_start_i32, %most_queries : i32
    %q_start = arith.index_cast %q_start_kept : i32 to index
    %q_next_i32 = tensor.extract %cu_seqlens_q[%next] : tensor<?xi32>
    %q_next_any_kept = arith.minui %q_next_i32, %most_queries : i32
    %q_next_any = arith.index_cast %q_next_any_kept : i32 to index
    %q_next = arith.maxsi %q_next_any, %q_start : index
    %few_slot = affine.min affine_map<(q, s) -> (q, s * 8)>(%q_start, %sequence)
    %q_count = arith.subi %q_next, %q_start : index
    %few = arith.constant 8 : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %queries_of_few = arith.select %is_few, %q_count, %zero_queries : index
    %most_keys_index = affine.apply affine_map<()[n] -> (n * 16)>()[%pages]
    %most_keys = arith.index_cast %most_keys_index : index to i32
    %context_len_i32 = tensor.extract %context_lens[%sequence] : tensor<?xi32>
    %context_len_of_sequence_kept = arith.minui %context_len_i32, %most_keys : i32
    %context_len_of_sequence = arith.index_cast %context_len_of_sequence_kept : i32 to index
    %table_base = arith.muli %sequence, %pages : index
    %context_len = affine.apply affine_map<(n) -> (n)>(%context_len_of_sequence)
    %part_keys = arith.constant 256 : index
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows_here = affine.apply affine_map<(q) -> (q)>(%queries_of_few)
    %parts_here = arith.ceildivui %context_len, %part_keys : index
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %first_row = affine.apply affine_map<(q, x) -> (q * 4 + x mod 4)>(%few_slot, %x)
    %result_row = affine.min affine_map<(q)[n] -> (q, n - 1)>(%q_start)[%q_tokens_dim]
    %result_column = affine.apply affine_map<(x) -> (x * 64)>(%x)
    %head_of_lse = arith.muli %x, %q_tokens_dim : index
    %lse_place = arith.addi %head_of_lse, %result_row : index
    %at_once = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %slice0 = tensor.extract_slice %output_rows_all[%result_row, %result_column]
      [%rows_here, 64] [1, 1]
      : tensor<?x512xf16> to tensor<?x64xf16>
    %output_tile = scf.for %m = %none to %rows_here step %one
      iter_args(%before0 = %slice0)
      -> (tensor<?x64xf16>) {
      %row = affine.apply affine_map<(r, m) -> (r + m * 4)>(%first_row, %m)
      %max = scf.for %p = %none to %parts_here step %at_once iter_args(%max_before = %lowest) -> (f32) {
        %part0 = affine.min affine_map<(p)[e] -> (p + 0, e - 1)>(%p)[%parts_here]
        %max_of_part0 = tensor.extract %part_max[%kv_head, %part0, %row] : !few__part_max
        %max_after = arith.maxnumf %max_before, %max_of_part0 : f32
        scf.yield %max_after : f32
      }
      %sum = scf.for %p = %none to %parts_here step %at_once iter_args(%sum_before = %zero) -> (f32) {
        %part_any0 = affine.apply affine_map<(p) -> (p + 0)>(%p)
        %is_part0 = arith.cmpi slt, %part_any0, %parts_here : index
        %part0 = affine.min affine_map<(p)[e] -> (p + 0, e - 1)>(%p)[%parts_here]
        %max_of_part0 = tensor.extract %part_max[%kv_head, %part0, %row] : !few__part_max
        %below_max0 = arith.subf %max_of_part0, %max : f32
        %shrink_any0 = math.exp2 %below_max0 : f32
        %shrink0 = arith.select %is_part0, %shrink_any0, %zero : f32
        %sum_of_part0 = tensor.extract %part_sum[%kv_head, %part0, %row] : !few__part_sum
        %sum_after = math.fma %sum_of_part0, %shrink0, %sum_before : f32
        scf.yield %sum_after : f32
      }
      %is_empty = arith.cmpf oeq, %sum, %zero : f32
      %merged_row_empty = tensor.empty() : !few__merged_row
      %merged_row = linalg.generic {indexing_maps = [#few__each_column], iterator_types = ["parallel"]}
        outs(%merged_row_empty : !few__merged_row) attrs = {compilation_info = #few__merge} {
      ^bb0(%unused: f16):
        %column = linalg.index 0 : index
        %acc = scf.for %p = %none to %parts_here step %at_once iter_args(%acc_before = %zero) -> (f32) {
        %part_any0 = affine.apply affine_map<(p) -> (p + 0)>(%p)
        %is_part0 = arith.cmpi slt, %part_any0, %parts_here : index
        %part0 = affine.min affine_map<(p)[e] -> (p + 0, e - 1)>(%p)[%parts_here]
        %max_of_part0 = tensor.extract %part_max[%kv_head, %part0, %row] : !few__part_max
        %below_max0 = arith.subf %max_of_part0, %max : f32
        %shrink_any0 = math.exp2 %below_max0 : f32
        %shrink0 = arith.select %is_part0, %shrink_any0, %zero : f32
          %acc_of_part0 = tensor.extract %part_acc[%kv_head, %part0, %row, %column] : !few__part_acc
          %acc_after = math.fma %acc_of_part0, %shrink0, %acc_before : f32
          scf.yield %acc_after : f32
        }
      %mean_any = arith.divf %acc, %sum : f32
      %mean = arith.select %is_empty, %zero, %mean_any : f32
    %mean_stored = arith.truncf %mean : f32 to f16
        linalg.yield %mean_stored : f16
      } -> !few__merged_row
      %after0 = tensor.insert_slice %merged_row into %before0[%m, 0] [1, 64] [1, 1]
        : !few__merged_row into tensor<?x64xf16>
      scf.yield %after0
        : tensor<?x64xf16>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_tile
        into %output_rows_all[%result_row, %result_column]
        [%rows_here, 64] [1, 1]
        : tensor<?x64xf16> into tensor<?x512xf16>
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_rows_tied,
      offsets = [0, 0], sizes = [%output_rows_dim, 512], strides = [1, 1]
      : tensor<?x512xf16> -> !few__output_rows_out{%output_rows_dim}
    return
  }
  }
}
func.func private @few(%query: !few__query, %key_cache: !few__key_cache, %value_cache: !few__value_cache, %cu_seqlens_q: !few__cu_seqlens_q, %block_table: !few__block_table, %context_lens: !few__context_lens, %output_of_many: !few__output_of_many) -> !few__output {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_dim = tensor.dim %query, %q_tokens_axis : !few__query
  %bounds_axis = arith.constant 0 : index
  %bounds_dim = tensor.dim %cu_seqlens_q, %bounds_axis : !few__cu_seqlens_q
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %block_table, %batch_axis : !few__block_table
  %packed = affine.apply affine_map<()[n] -> (n - 1)>()[%bounds_dim]
  %few_rows_dim = affine.min affine_map<()[q, b] -> (q * 4, b * 32)>()[
    %q_tokens_dim, %packed]
  %query_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 8)>()[%q_tokens_dim]
  %cu_seqlens_q_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%bounds_dim]
  %block_table_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 40)>()[%batch_dim]
  %context_lens_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%batch_dim]
  %part_acc_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 6)>()[%few_rows_dim]
  %part_max_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 6)>()[%few_rows_dim]
  %part_sum_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 6)>()[%few_rows_dim]
  %query_rows = tensor.collapse_shape %query [[0, 1], [2]]
    : tensor<?x8x64xf16> into tensor<?x64xf16>
  %key_cache_rows = tensor.collapse_shape %key_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %value_cache_rows = tensor.collapse_shape %value_cache [[0, 1, 2], [3]]
    : tensor<99x2x16x64xf16> into tensor<3168x64xf16>
  %block_table_rows = tensor.collapse_shape %block_table [[0, 1]]
    : tensor<?x40xi32> into tensor<?xi32>
  %made:3 = flow.dispatch @packed_paged_few_kernel::@packed_paged_few_kernel[%q_tokens_dim, %bounds_dim, %batch_dim, %few_rows_dim, %query_rows_dim, %cu_seqlens_q_dim, %block_table_rows_dim, %context_lens_dim, %part_acc_rows_dim, %part_max_rows_dim, %part_sum_rows_dim](
      %query_rows, %key_cache_rows, %value_cache_rows, %cu_seqlens_q, %block_table_rows, %context_lens, %q_tokens_dim, %bounds_dim, %batch_dim, %few_rows_dim, %query_rows_dim, %cu_seqlens_q_dim, %block_table_rows_dim, %context_lens_dim, %part_acc_rows_dim, %part_max_rows_dim, %part_sum_rows_dim
    ) : (
      tensor<?x64xf16>{%query_rows_dim},
      tensor<3168x64xf16>,
      tensor<3168x64xf16>,
      tensor<?xi32>{%cu_seqlens_q_dim},
      tensor<?xi32>{%block_table_rows_dim},
      tensor<?xi32>{%context_lens_dim},
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index
    ) -> (tensor<?x64xf32>{%part_acc_rows_dim}, tensor<?xf32>{%part_max_rows_dim}, tensor<?xf32>{%part_sum_rows_dim})
  %part_acc = tensor.expand_shape %made#0 [[0, 1, 2], [3]]
    output_shape [2, 3, %few_rows_dim, 64] : tensor<?x64xf32> into tensor<2x3x?x64xf32>
  %part_max = tensor.expand_shape %made#1 [[0, 1, 2]]
    output_shape [2, 3, %few_rows_dim] : tensor<?xf32> into tensor<2x3x?xf32>
  %part_sum = tensor.expand_shape %made#2 [[0, 1, 2]]
    output_shape [2, 3, %few_rows_dim] : tensor<?xf32> into tensor<2x3x?xf32>
  %output_of_many_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%q_tokens_dim]
  %output_rows_dim = affine.apply
    affine_map<()[a]
    -> (a * 1)>()[%q_tokens_dim]
  %output_of_many_rows = tensor.collapse_shape %output_of_many [[0], [1, 2]]
    : tensor<?x8x64xf16> into tensor<?x512xf16>
  %merged = flow.dispatch @packed_paged_few_merge::@packed_paged_few_merge[%q_tokens_dim, %bounds_dim, %batch_dim, %few_rows_dim, %cu_seqlens_q_dim, %context_lens_dim, %output_of_many_rows_dim, %output_rows_dim](
      %part_acc, %part_max, %part_sum, %cu_seqlens_q, %context_lens, %output_of_many_rows, %q_tokens_dim, %bounds_dim, %batch_dim, %few_rows_dim, %cu_seqlens_q_dim, %context_lens_dim, %output_of_many_rows_dim, %output_rows_dim
    ) : (
      tensor<2x3x?x64xf32>{%few_rows_dim},
      tensor<2x3x?xf32>{%few_rows_dim},
      tensor<2x3x?xf32>{%few_rows_dim},
      tensor<?xi32>{%cu_seqlens_q_dim},
      tensor<?xi32>{%context_lens_dim},
      tensor<?x512xf16>{%output_of_many_rows_dim},
      index,
      index,
      index,
      index,
      index,
      index,
      index,
      index
    ) -> %output_of_many_rows{%output_of_many_rows_dim}
  %output = tensor.expand_shape %merged [[0], [1, 2]]
    output_shape [%q_tokens_dim, 8, 64] : tensor<?x512xf16> into tensor<?x8x64xf16>
  return %output
    : !few__output
}
!attention__query = tensor<?x8x64xf16>
!attention__key = tensor<?x2x64xf16>
!attention__value = tensor<?x2x64xf16>
!attention__slot_mapping = tensor<?xi32>
!attention__key_cache = tensor<99x2x16x64xf16>
!attention__value_cache = tensor<99x2x16x64xf16>
!attention__cu_seqlens_q = tensor<?xi32>
!attention__block_table = tensor<?x40xi32>
!attention__context_lens = tensor<?xi32>
!attention__output = tensor<?x8x64xf16>
!attention__updated_key_cache = tensor<99x2x16x64xf16>
!attention__updated_value_cache = tensor<99x2x16x64xf16>

func.func private @attention(%query: !attention__query, %key: !attention__key, %value: !attention__value, %slot_mapping: !attention__slot_mapping, %key_cache: !attention__key_cache, %value_cache: !attention__value_cache, %cu_seqlens_q: !attention__cu_seqlens_q, %block_table: !attention__block_table, %context_lens: !attention__context_lens) -> (!attention__output, !attention__updated_key_cache, !attention__updated_value_cache) {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_dim = tensor.dim %query, %q_tokens_axis : !attention__query
  %bounds_axis = arith.constant 0 : index
  %bounds_dim = tensor.dim %cu_seqlens_q, %bounds_axis : !attention__cu_seqlens_q
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %block_table, %batch_axis : !attention__block_table
  %updated_key_cache, %updated_value_cache = call @write(%key, %value, %key_cache, %value_cache, %slot_mapping)
    : (tensor<?x2x64xf16>, tensor<?x2x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<?xi32>)
    -> (tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>)
  %output_of_many = call @many(%query, %updated_key_cache, %updated_value_cache, %cu_seqlens_q, %block_table, %context_lens)
    : (tensor<?x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<?xi32>, tensor<?x40xi32>, tensor<?xi32>)
    -> (tensor<?x8x64xf16>)
  %output = call @few(%query, %updated_key_cache, %updated_value_cache, %cu_seqlens_q, %block_table, %context_lens, %output_of_many)
    : (tensor<?x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<?xi32>, tensor<?x40xi32>, tensor<?xi32>, tensor<?x8x64xf16>)
    -> (tensor<?x8x64xf16>)
  return %output, %updated_key_cache, %updated_value_cache
    : !attention__output, !attention__updated_key_cache, !attention__updated_value_cache
}
// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!projection__attended = tensor<?x8x1x64xf16>
!projection__weight = tensor<512x512xf16>
!projection__output = tensor<?x1x512xf16>
!projection__by_token = tensor<?x1x8x64xf16>
!projection__sequences = tensor<?x512xf16>
!projection__acc = tensor<?x512xf32>
!projection__sums = tensor<?x512xf16>
!projection__depth_single_given = vector<8xf16>
!projection__depth_single_lanes = vector<8xf32>
!projection__depth_single_block = vector<1x8x8xf32>
!projection__depth_single_part = vector<1x8x8xf32>
!projection__depth_single_sums = vector<1x8xf32>
!projection__depth_single_row = vector<8xf32>
!projection__depth_single_numbers = vector<8xf32>
!projection__depth_single_rows0 = vector<8x8xf32>
!projection__depth_single_register8 = vector<8xf32>
!projection__depth_several_given = vector<8xf16>
!projection__depth_several_lanes = vector<8xf32>
!projection__depth_several_block = vector<3x4x8xf32>
!projection__depth_several_part = vector<1x4x8xf32>
!projection__depth_several_sums = vector<1x4xf32>
!projection__depth_several_row = vector<4xf32>
!projection__depth_several_numbers = vector<4xf32>
!projection__depth_several_rows0 = vector<4x8xf32>
!projection__depth_several_register4 = vector<4xf32>
!projection__depth_several_register8 = vector<8xf32>
!projection__sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x512xf16>>
!projection__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x512xf16>>
!projection__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x512xf32>>
#projection__sums = affine_map<(m, n) -> (m, n)>

func.func private @projection(%attended: !projection__attended, %weight: !projection__weight) -> !projection__output {
  %batch_axis = arith.constant 0 : index
  %batch_dim = tensor.dim %attended, %batch_axis : !projection__attended
  %by_token_empty = tensor.empty(%batch_dim) : !projection__by_token
  %by_token = linalg.transpose ins(%attended : !projection__attended) outs(%by_token_empty : !projection__by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !projection__by_token into !projection__sequences
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %sequences, %rows_axis : !projection__sequences
  %acc =
    flow.dispatch @projection_acc_kernel::@projection_acc_kernel[%rows_dim](
      %sequences, %weight, %rows_dim
    ) : (
      tensor<?x512xf16>{%rows_dim},
      tensor<512x512xf16>,
      index
    ) -> (tensor<?x512xf32>{%rows_dim})
  %empty = tensor.empty(%rows_dim) : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !projection__sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [%batch_dim, 1, 512] : !projection__sums into !projection__output
  return %output : !projection__output
}
flow.executable private @projection_acc_kernel {
  flow.executable.export public @projection_acc_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @projection_acc_kernel(
      %sequences_in: !projection__sequences_of_acc,
      %weight_in: !projection__weight_of_acc,
      %rows_dim_in: index,
      %acc_out: !projection__acc_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %sequences_tied = flow.dispatch.tie_shape %sequences_in
      : !projection__sequences_of_acc{%rows_dim}
    %sequences = iree_tensor_ext.dispatch.tensor.load %sequences_tied,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : !projection__sequences_of_acc{%rows_dim} -> tensor<?x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [512, 512], strides = [1, 1]
      : !projection__weight_of_acc -> tensor<512x512xf16>
    %acc_tied = flow.dispatch.tie_shape %acc_out
      : !projection__acc_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 8 : index
    %columns = arith.constant 512 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x512xf16>
    %empty = tensor.empty(%rows_dim) : tensor<?x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows_dim]
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
        %no_sums = arith.constant dense<0.0> : !projection__depth_single_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 511)>(%n)[%column_step_single]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 511)>(%n)[%column_step_single]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 511)>(%n)[%column_step_single]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 511)>(%n)[%column_step_single]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 511)>(%n)[%column_step_single]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 511)>(%n)[%column_step_single]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 511)>(%n)[%column_step_single]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 511)>(%n)[%column_step_single]
        %of_rows = scf.for %m = %first_row to %end_row_single step %row_step_single
          iter_args(%before = %of_all) -> (tensor<?x512xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!projection__depth_single_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<512x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %sequences[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !projection__depth_single_given
    %left0_0 = arith.extf %left0_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right0_0 = arith.extf %right0_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !projection__depth_single_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right1_0 = arith.extf %right1_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !projection__depth_single_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right2_0 = arith.extf %right2_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !projection__depth_single_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right3_0 = arith.extf %right3_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !projection__depth_single_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right4_0 = arith.extf %right4_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !projection__depth_single_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right5_0 = arith.extf %right5_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !projection__depth_single_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right6_0 = arith.extf %right6_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !projection__depth_single_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !projection__depth_single_lanes into !projection__depth_single_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_single_given
    %right7_0 = arith.extf %right7_0_stored : !projection__depth_single_given to !projection__depth_single_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !projection__depth_single_lanes from !projection__depth_single_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !projection__depth_single_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !projection__depth_single_lanes into !projection__depth_single_block
            scf.yield %more : !projection__depth_single_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !projection__depth_single_block to !projection__depth_single_part
          %registers0 = vector.shape_cast %part0 : !projection__depth_single_part to !projection__depth_single_rows0
        %numbers0_0 = vector.extract %registers0[0] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_1 = vector.extract %registers0[1] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_2 = vector.extract %registers0[2] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_3 = vector.extract %registers0[3] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_4 = vector.extract %registers0[4] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_5 = vector.extract %registers0[5] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_6 = vector.extract %registers0[6] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_7 = vector.extract %registers0[7] : !projection__depth_single_register8 from !projection__depth_single_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !projection__depth_single_register8
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !projection__depth_single_register8
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !projection__depth_single_register8
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !projection__depth_single_register8
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !projection__depth_single_register8
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !projection__depth_single_register8
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15] : !projection__depth_single_register8, !projection__depth_single_register8
        %numbers0 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !projection__depth_single_register8
          %sums0 = vector.shape_cast %numbers0 : !projection__depth_single_numbers to !projection__depth_single_sums
          %row0 = vector.extract %sums0[0] : !projection__depth_single_row from !projection__depth_single_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !projection__depth_single_row, tensor<?x512xf32>
          scf.yield %after : tensor<?x512xf32>
        }
        scf.yield %of_rows : tensor<?x512xf32>
      }
      %column_step_several = arith.constant 4 : index
      %row_step_several = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step_several
        iter_args(%of_all = %of_columns_1) -> (tensor<?x512xf32>) {
        %no_sums = arith.constant dense<0.0> : !projection__depth_several_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 511)>(%n)[%column_step_several]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 511)>(%n)[%column_step_several]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 511)>(%n)[%column_step_several]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 511)>(%n)[%column_step_several]
        %of_rows = scf.for %m = %first_row to %end_row_several step %row_step_several
          iter_args(%before = %of_all) -> (tensor<?x512xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 511)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!projection__depth_several_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x512xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<512x512xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %sequences[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !projection__depth_several_given
    %left0_0 = arith.extf %left0_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %left1_0_stored = vector.transfer_read
              %sequences[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !projection__depth_several_given
    %left1_0 = arith.extf %left1_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %left2_0_stored = vector.transfer_read
              %sequences[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<?x512xf16>, !projection__depth_several_given
    %left2_0 = arith.extf %left2_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_several_given
    %right0_0 = arith.extf %right0_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !projection__depth_several_lanes from !projection__depth_several_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !projection__depth_several_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !projection__depth_several_lanes from !projection__depth_several_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !projection__depth_several_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !projection__depth_several_lanes from !projection__depth_several_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !projection__depth_several_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_several_given
    %right1_0 = arith.extf %right1_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %old0_1_0 = vector.extract %more_3[0, 1] : !projection__depth_several_lanes from !projection__depth_several_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !projection__depth_several_lanes
            %more_4 = vector.insert %new0_1_0, %more_3 [0, 1]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old1_1_0 = vector.extract %more_4[1, 1] : !projection__depth_several_lanes from !projection__depth_several_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !projection__depth_several_lanes
            %more_5 = vector.insert %new1_1_0, %more_4 [1, 1]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old2_1_0 = vector.extract %more_5[2, 1] : !projection__depth_several_lanes from !projection__depth_several_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !projection__depth_several_lanes
            %more_6 = vector.insert %new2_1_0, %more_5 [2, 1]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_several_given
    %right2_0 = arith.extf %right2_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %old0_2_0 = vector.extract %more_6[0, 2] : !projection__depth_several_lanes from !projection__depth_several_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !projection__depth_several_lanes
            %more_7 = vector.insert %new0_2_0, %more_6 [0, 2]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old1_2_0 = vector.extract %more_7[1, 2] : !projection__depth_several_lanes from !projection__depth_several_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !projection__depth_several_lanes
            %more_8 = vector.insert %new1_2_0, %more_7 [1, 2]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old2_2_0 = vector.extract %more_8[2, 2] : !projection__depth_several_lanes from !projection__depth_several_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !projection__depth_several_lanes
            %more_9 = vector.insert %new2_2_0, %more_8 [2, 2]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_several_given
    %right3_0 = arith.extf %right3_0_stored : !projection__depth_several_given to !projection__depth_several_lanes
            %old0_3_0 = vector.extract %more_9[0, 3] : !projection__depth_several_lanes from !projection__depth_several_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !projection__depth_several_lanes
            %more_10 = vector.insert %new0_3_0, %more_9 [0, 3]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old1_3_0 = vector.extract %more_10[1, 3] : !projection__depth_several_lanes from !projection__depth_several_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !projection__depth_several_lanes
            %more_11 = vector.insert %new1_3_0, %more_10 [1, 3]
              : !projection__depth_several_lanes into !projection__depth_several_block
            %old2_3_0 = vector.extract %more_11[2, 3] : !projection__depth_several_lanes from !projection__depth_several_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !projection__depth_several_lanes
            %more = vector.insert %new2_3_0, %more_11 [2, 3]
              : !projection__depth_several_lanes into !projection__depth_several_block
            scf.yield %more : !projection__depth_several_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !projection__depth_several_block to !projection__depth_several_part
          %registers0 = vector.shape_cast %part0 : !projection__depth_several_part to !projection__depth_several_rows0
        %numbers0_0 = vector.extract %registers0[0] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers0_1 = vector.extract %registers0[1] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers0_2 = vector.extract %registers0[2] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers0_3 = vector.extract %registers0[3] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !projection__depth_several_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !projection__depth_several_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !projection__depth_several_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !projection__depth_several_register4
          %sums0 = vector.shape_cast %numbers0 : !projection__depth_several_numbers to !projection__depth_several_sums
          %row0 = vector.extract %sums0[0] : !projection__depth_several_row from !projection__depth_several_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !projection__depth_several_block to !projection__depth_several_part
          %registers1 = vector.shape_cast %part1 : !projection__depth_several_part to !projection__depth_several_rows0
        %numbers1_0 = vector.extract %registers1[0] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers1_1 = vector.extract %registers1[1] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers1_2 = vector.extract %registers1[2] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers1_3 = vector.extract %registers1[3] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !projection__depth_several_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !projection__depth_several_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !projection__depth_several_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !projection__depth_several_register4
          %sums1 = vector.shape_cast %numbers1 : !projection__depth_several_numbers to !projection__depth_several_sums
          %row1 = vector.extract %sums1[0] : !projection__depth_several_row from !projection__depth_several_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !projection__depth_several_block to !projection__depth_several_part
          %registers2 = vector.shape_cast %part2 : !projection__depth_several_part to !projection__depth_several_rows0
        %numbers2_0 = vector.extract %registers2[0] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers2_1 = vector.extract %registers2[1] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers2_2 = vector.extract %registers2[2] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers2_3 = vector.extract %registers2[3] : !projection__depth_several_register8 from !projection__depth_several_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !projection__depth_several_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !projection__depth_several_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !projection__depth_several_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !projection__depth_several_register8, !projection__depth_several_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !projection__depth_several_register4
          %sums2 = vector.shape_cast %numbers2 : !projection__depth_several_numbers to !projection__depth_several_sums
          %row2 = vector.extract %sums2[0] : !projection__depth_several_row from !projection__depth_several_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !projection__depth_several_row, tensor<?x512xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !projection__depth_several_row, tensor<?x512xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !projection__depth_several_row, tensor<?x512xf32>
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
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_tied,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : tensor<?x512xf32> -> !projection__acc_out{%rows_dim}
    return
  }
  }
}
!hidden = tensor<?x512xf16>
!norm_weight = tensor<512xf16>
!qkv_weight = tensor<768x512xf16>
!positions = tensor<?xi32>
!slot_mapping = tensor<?xi32>
!key_cache = tensor<99x2x16x64xf16>
!value_cache = tensor<99x2x16x64xf16>
!cu_seqlens_q = tensor<?xi32>
!block_table = tensor<?x40xi32>
!context_lens = tensor<?xi32>
!output_weight = tensor<512x512xf16>
!output = tensor<?x512xf16>
!updated_key_cache = tensor<99x2x16x64xf16>
!updated_value_cache = tensor<99x2x16x64xf16>
!tokens = tensor<?x1x512xf16>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden_given: !hidden, %norm_weight: !norm_weight, %qkv_weight: !qkv_weight, %positions_given: !positions, %slot_mapping_given: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %cu_seqlens_q_given: !cu_seqlens_q, %block_table_given: !block_table, %context_lens_given: !context_lens, %output_weight: !output_weight) -> (!output, !updated_key_cache, !updated_value_cache) {
  %q_tokens_axis = arith.constant 0 : index
  %q_tokens_given = tensor.dim %hidden_given, %q_tokens_axis : !hidden
  %q_tokens_dim = util.assume.int %q_tokens_given
    <umin = 1, umax = 50, udiv = 1> : index
  %bounds_axis = arith.constant 0 : index
  %bounds_given = tensor.dim %cu_seqlens_q_given, %bounds_axis : !cu_seqlens_q
  %bounds_dim = util.assume.int %bounds_given
    <umin = 1, umax = 5, udiv = 1> : index
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %block_table_given, %batch_axis : !block_table
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 4, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%q_tokens_dim}
  %positions = flow.tensor.tie_shape %positions_given
    : !positions{%q_tokens_dim}
  %slot_mapping = flow.tensor.tie_shape %slot_mapping_given
    : !slot_mapping{%q_tokens_dim}
  %cu_seqlens_q = flow.tensor.tie_shape %cu_seqlens_q_given
    : !cu_seqlens_q{%bounds_dim}
  %block_table = flow.tensor.tie_shape %block_table_given
    : !block_table{%batch_dim}
  %context_lens = flow.tensor.tie_shape %context_lens_given
    : !context_lens{%batch_dim}
  %tokens = tensor.expand_shape %hidden [[0, 1], [2]] output_shape [%q_tokens_dim, 1, 512] : tensor<?x512xf16> into tensor<?x1x512xf16>
  %rows_of_normed = tensor.collapse_shape %tokens [[0, 1], [2]] : tensor<?x1x512xf16> into tensor<?x512xf16>
  %normed_rows_of_normed = call @norm(%rows_of_normed, %norm_weight) : (tensor<?x512xf16>, tensor<512xf16>) -> (tensor<?x512xf16>)
  %normed = tensor.expand_shape %normed_rows_of_normed [[0, 1], [2]] output_shape [%q_tokens_dim, 1, 512] : tensor<?x512xf16> into tensor<?x1x512xf16>
  %qkv:3 = call @qkv(%normed, %qkv_weight) : (tensor<?x1x512xf16>, tensor<768x512xf16>) -> (tensor<?x8x1x64xf16>, tensor<?x2x1x64xf16>, tensor<?x2x1x64xf16>)
  %positions_of_tokens = tensor.expand_shape %positions [[0, 1]] output_shape [%q_tokens_dim, 1] : tensor<?xi32> into tensor<?x1xi32>
  %rotated:2 = call @rope(%qkv#0, %qkv#1, %positions_of_tokens) : (tensor<?x8x1x64xf16>, tensor<?x2x1x64xf16>, tensor<?x1xi32>) -> (tensor<?x8x1x64xf16>, tensor<?x2x1x64xf16>)
  %packed_query = tensor.collapse_shape %rotated#0 [[0], [1, 2], [3]] : tensor<?x8x1x64xf16> into tensor<?x8x64xf16>
  %packed_key = tensor.collapse_shape %rotated#1 [[0], [1, 2], [3]] : tensor<?x2x1x64xf16> into tensor<?x2x64xf16>
  %packed_value = tensor.collapse_shape %qkv#2 [[0], [1, 2], [3]] : tensor<?x2x1x64xf16> into tensor<?x2x64xf16>
  // On a CPU, the kernel that writes the cache would compute all new keys in its stack.
  %new_key_apart = util.optimization_barrier %packed_key : tensor<?x2x64xf16>
  %new_key = flow.tensor.tie_shape %new_key_apart : tensor<?x2x64xf16>{%q_tokens_dim}
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %packed_query : tensor<?x8x64xf16>{%q_tokens_dim} -> tensor<?x8x64xf16>
  %attended:3 = call @attention(%new_query, %new_key, %packed_value, %slot_mapping, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens) : (tensor<?x8x64xf16>, tensor<?x2x64xf16>, tensor<?x2x64xf16>, tensor<?xi32>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>, tensor<?xi32>, tensor<?x40xi32>, tensor<?xi32>) -> (tensor<?x8x64xf16>, tensor<99x2x16x64xf16>, tensor<99x2x16x64xf16>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<?x8x64xf16>{%q_tokens_dim} -> tensor<?x8x64xf16>
  %heads_of_tokens = tensor.expand_shape %heads [[0], [1, 2], [3]] output_shape [%q_tokens_dim, 8, 1, 64] : tensor<?x8x64xf16> into tensor<?x8x1x64xf16>
  %projected = call @projection(%heads_of_tokens, %output_weight) : (tensor<?x8x1x64xf16>, tensor<512x512xf16>) -> (tensor<?x1x512xf16>)
  %empty_output = tensor.empty(%q_tokens_dim) : !tokens
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%tokens, %projected : !tokens, !tokens) outs(%empty_output : !tokens) {
  ^bb0(%residual_stored: f16, %change_stored: f16, %unused: f16):
    %residual = arith.extf %residual_stored : f16 to f32
    %change = arith.extf %change_stored : f16 to f32
    %sum = arith.addf %residual, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !tokens
  %packed_output = tensor.collapse_shape %output [[0, 1], [2]] : tensor<?x1x512xf16> into tensor<?x512xf16>
  return %packed_output, %attended#1, %attended#2 : !output, !updated_key_cache, !updated_value_cache
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @decoder_layer$async(
    %hidden: !hidden,
    %norm_weight: !norm_weight,
    %qkv_weight: !qkv_weight,
    %positions: !positions,
    %slot_mapping: !slot_mapping,
    %key_cache: !key_cache {iree.abi.consume},
    %value_cache: !value_cache {iree.abi.consume},
    %cu_seqlens_q: !cu_seqlens_q,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %output_weight: !output_weight
  ) -> (!output, !updated_key_cache, !updated_value_cache) attributes {iree.abi.model = "coarse-fences"} {
  %output, %updated_key_cache, %updated_value_cache = func.call @decoder_layer(%hidden, %norm_weight, %qkv_weight, %positions, %slot_mapping, %key_cache, %value_cache, %cu_seqlens_q, %block_table, %context_lens, %output_weight)
    : (!hidden, !norm_weight, !qkv_weight, !positions, !slot_mapping, !key_cache, !value_cache, !cu_seqlens_q, !block_table, !context_lens, !output_weight) -> (!output, !updated_key_cache, !updated_value_cache)
  util.return %output, %updated_key_cache, %updated_value_cache : !output, !updated_key_cache, !updated_value_cache
}
