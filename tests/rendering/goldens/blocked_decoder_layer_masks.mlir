// The attention half of a decoder layer. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<1x512xf32>
!norm__weight = tensor<512xf32>
!norm__output = tensor<1x512xf32>
!norm__row = tensor<1xf32>
#norm__x = affine_map<(r, n) -> (r, n)>
#norm__row = affine_map<(r, n) -> (r)>
#norm__weight = affine_map<(r, n) -> (n)>

func.func private @norm(%x: !norm__x, %weight: !norm__weight) -> !norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !norm__row) -> !norm__row
  %squares = linalg.generic {
      indexing_maps = [#norm__x, #norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !norm__x) outs(%start : !norm__row) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !norm__row
  %columns = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !norm__output
  %output = linalg.generic {
      indexing_maps = [#norm__x, #norm__row, #norm__weight, #norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !norm__x, !norm__row, !norm__weight) outs(%output_empty : !norm__output) {
  ^bb0(%in: f32, %sum: f32, %w: f32, %unused: f32):


    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32

    linalg.yield %scaled : f32
  } -> !norm__output
  return %output : !norm__output
}
// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!qkv__hidden = tensor<1x1x512xf32>
!qkv__weight = tensor<768x512xf32>
!qkv__query = tensor<1x8x1x64xf32>
!qkv__key = tensor<1x2x1x64xf32>
!qkv__value = tensor<1x2x1x64xf32>
!qkv__tokens = tensor<1x512xf32>
!qkv__depth_given = vector<16xf32>
!qkv__depth_lanes = vector<16xf32>
!qkv__depth_block = vector<1x8x16xf32>
!qkv__depth_part = vector<1x8x16xf32>
!qkv__depth_sums = vector<1x8xf32>
!qkv__depth_row = vector<8xf32>
!qkv__depth_numbers = vector<8xf32>
!qkv__depth_rows0 = vector<8x16xf32>
!qkv__depth_register8 = vector<8xf32>
!qkv__depth_register16 = vector<16xf32>
!qkv__tokens_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf32>>
!qkv__weight_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf32>>
!qkv__query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x512xf32>>
!qkv__tokens_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf32>>
!qkv__weight_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf32>>
!qkv__key_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x128xf32>>
!qkv__tokens_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf32>>
!qkv__weight_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf32>>
!qkv__value_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x128xf32>>
#qkv__sums = affine_map<(h, m, n) -> (m, h, n)>
#qkv__heads = affine_map<(h, m, n) -> (h, m, n)>

func.func private @qkv(%hidden: !qkv__hidden, %weight: !qkv__weight) -> (!qkv__query, !qkv__key, !qkv__value) {
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !qkv__hidden into !qkv__tokens
  // query: 8 heads from head 0 on
  %query_sums =
    flow.dispatch @qkv_query_sums_kernel::@qkv_query_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf32>,
      tensor<768x512xf32>
    ) -> (tensor<1x512xf32>)
  %acc_of_query = tensor.expand_shape %query_sums [[0], [1, 2]] output_shape [1, 8, 64] : tensor<1x512xf32> into tensor<1x8x64xf32>
  %empty_query = tensor.empty() : tensor<8x1x64xf32>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_query : tensor<1x8x64xf32>) outs(%empty_query : tensor<8x1x64xf32>) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> tensor<8x1x64xf32>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 1, 64] : tensor<8x1x64xf32> into !qkv__query
  // key: 2 heads from head 8 on
  %key_sums =
    flow.dispatch @qkv_key_sums_kernel::@qkv_key_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf32>,
      tensor<768x512xf32>
    ) -> (tensor<1x128xf32>)
  %acc_of_key = tensor.expand_shape %key_sums [[0], [1, 2]] output_shape [1, 2, 64] : tensor<1x128xf32> into tensor<1x2x64xf32>
  %empty_key = tensor.empty() : tensor<2x1x64xf32>
  %grouped_key = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_key : tensor<1x2x64xf32>) outs(%empty_key : tensor<2x1x64xf32>) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> tensor<2x1x64xf32>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, 1, 64] : tensor<2x1x64xf32> into !qkv__key
  // value: 2 heads from head 10 on
  %value_sums =
    flow.dispatch @qkv_value_sums_kernel::@qkv_value_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf32>,
      tensor<768x512xf32>
    ) -> (tensor<1x128xf32>)
  %acc_of_value = tensor.expand_shape %value_sums [[0], [1, 2]] output_shape [1, 2, 64] : tensor<1x128xf32> into tensor<1x2x64xf32>
  %empty_value = tensor.empty() : tensor<2x1x64xf32>
  %grouped_value = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_value : tensor<1x2x64xf32>) outs(%empty_value : tensor<2x1x64xf32>) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> tensor<2x1x64xf32>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, 1, 64] : tensor<2x1x64xf32> into !qkv__value
  return %query, %key, %value : !qkv__query, !qkv__key, !qkv__value
}
flow.executable private @qkv_query_sums_kernel {
  flow.executable.export public @qkv_query_sums_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @qkv_query_sums_kernel(
      %tokens_in: !qkv__tokens_of_query_sums,
      %weight_in: !qkv__weight_of_query_sums,
      %query_sums_out: !qkv__query_sums_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !qkv__tokens_of_query_sums -> tensor<1x512xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_query_sums -> tensor<768x512xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf32>
    %empty = tensor.empty() : tensor<1x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x512xf32>) {
        %no_sums = arith.constant dense<0.0> : !qkv__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 767)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 767)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 767)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 767)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 767)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 767)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 767)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 767)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x512xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!qkv__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x512xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf32>, !qkv__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %right4_0 = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_lanes from !qkv__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_lanes into !qkv__depth_block
            %right5_0 = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_lanes from !qkv__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_lanes into !qkv__depth_block
            %right6_0 = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_lanes from !qkv__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_lanes into !qkv__depth_block
            %right7_0 = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_7_0 = vector.extract %more_7[0, 7] : !qkv__depth_lanes from !qkv__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !qkv__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !qkv__depth_lanes into !qkv__depth_block
            scf.yield %more : !qkv__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_block to !qkv__depth_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_part to !qkv__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !qkv__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !qkv__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !qkv__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !qkv__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !qkv__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !qkv__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !qkv__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !qkv__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_numbers to !qkv__depth_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_row from !qkv__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<1x512xf32>
          scf.yield %after : tensor<1x512xf32>
        }
        scf.yield %of_rows : tensor<1x512xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 512] [1, 1]
          : tensor<1x512xf32> into tensor<1x512xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %query_sums_out,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : tensor<1x512xf32> -> !qkv__query_sums_out
    return
  }
  }
}
flow.executable private @qkv_key_sums_kernel {
  flow.executable.export public @qkv_key_sums_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @qkv_key_sums_kernel(
      %tokens_in: !qkv__tokens_of_key_sums,
      %weight_in: !qkv__weight_of_key_sums,
      %key_sums_out: !qkv__key_sums_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !qkv__tokens_of_key_sums -> tensor<1x512xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_key_sums -> tensor<768x512xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf32>
    %empty = tensor.empty() : tensor<1x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !qkv__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 512)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 512, 767)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 513)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 513, 767)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 514)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 514, 767)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 515)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 515, 767)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 516)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 516, 767)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 517)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 517, 767)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 518)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 518, 767)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 519)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 519, 767)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x128xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!qkv__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x512xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf32>, !qkv__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %right4_0 = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_lanes from !qkv__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_lanes into !qkv__depth_block
            %right5_0 = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_lanes from !qkv__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_lanes into !qkv__depth_block
            %right6_0 = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_lanes from !qkv__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_lanes into !qkv__depth_block
            %right7_0 = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_7_0 = vector.extract %more_7[0, 7] : !qkv__depth_lanes from !qkv__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !qkv__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !qkv__depth_lanes into !qkv__depth_block
            scf.yield %more : !qkv__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_block to !qkv__depth_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_part to !qkv__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !qkv__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !qkv__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !qkv__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !qkv__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !qkv__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !qkv__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !qkv__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !qkv__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_numbers to !qkv__depth_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_row from !qkv__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<1x128xf32>
          scf.yield %after : tensor<1x128xf32>
        }
        scf.yield %of_rows : tensor<1x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 128] [1, 1]
          : tensor<1x128xf32> into tensor<1x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %key_sums_out,
      offsets = [0, 0], sizes = [1, 128], strides = [1, 1]
      : tensor<1x128xf32> -> !qkv__key_sums_out
    return
  }
  }
}
flow.executable private @qkv_value_sums_kernel {
  flow.executable.export public @qkv_value_sums_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @qkv_value_sums_kernel(
      %tokens_in: !qkv__tokens_of_value_sums,
      %weight_in: !qkv__weight_of_value_sums,
      %value_sums_out: !qkv__value_sums_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !qkv__tokens_of_value_sums -> tensor<1x512xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_value_sums -> tensor<768x512xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf32>
    %empty = tensor.empty() : tensor<1x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !qkv__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 640)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 640, 767)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 641)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 641, 767)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 642)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 642, 767)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 643)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 643, 767)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 644)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 644, 767)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 645)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 645, 767)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 646)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 646, 767)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 647)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 647, 767)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x128xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!qkv__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<768x512xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<768x512xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf32>, !qkv__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %right4_0 = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_lanes from !qkv__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_lanes into !qkv__depth_block
            %right5_0 = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_lanes from !qkv__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_lanes into !qkv__depth_block
            %right6_0 = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_lanes from !qkv__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_lanes into !qkv__depth_block
            %right7_0 = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf32>, !qkv__depth_given
            %old0_7_0 = vector.extract %more_7[0, 7] : !qkv__depth_lanes from !qkv__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !qkv__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !qkv__depth_lanes into !qkv__depth_block
            scf.yield %more : !qkv__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !qkv__depth_block to !qkv__depth_part
          %registers0 = vector.shape_cast %part0 : !qkv__depth_part to !qkv__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !qkv__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !qkv__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !qkv__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !qkv__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !qkv__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !qkv__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !qkv__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !qkv__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_numbers to !qkv__depth_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_row from !qkv__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<1x128xf32>
          scf.yield %after : tensor<1x128xf32>
        }
        scf.yield %of_rows : tensor<1x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 128] [1, 1]
          : tensor<1x128xf32> into tensor<1x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %value_sums_out,
      offsets = [0, 0], sizes = [1, 128], strides = [1, 1]
      : tensor<1x128xf32> -> !qkv__value_sums_out
    return
  }
  }
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!rope__turns = tensor<32xi64>
!rope__of_tokens = tensor<1x1x32xf32>
!rope__query = tensor<1x8x1x64xf32>
!rope__key = tensor<1x2x1x64xf32>
!rope__positions = tensor<1x1xi32>
!rope__rotated_query = tensor<1x8x1x64xf32>
!rope__rotated_key = tensor<1x2x1x64xf32>

func.func private @rope(%query: !rope__query, %key: !rope__key, %positions: !rope__positions) -> (!rope__rotated_query, !rope__rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 2201607287645322240, 1650972556229361408, 1238054759683200512, 928410095122917248, 696209354218470144, 522083363211519360, 391507290861131648, 293589050328200128, 220160728764532224, 165097255622936160, 123805475968320048, 92841009512291728, 69620935421847016, 52208336321151936, 39150729086113168, 29358905032820016, 22016072876453220, 16509725562293616, 12380547596832006, 9284100951229172, 6962093542184702, 5220833632115193, 3915072908611316, 2935890503282001, 2201607287645322, 1650972556229361, 1238054759683200, 928410095122917, 696209354218470, 522083363211519, 391507290861131]> : !rope__turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %chunk0 = arith.constant 0 : index
  %of_tokens_empty = tensor.empty() : !rope__of_tokens
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
  %cos_of_tokens = iree_tensor_ext.compute_barrier.start %cos_made : !rope__of_tokens -> !rope__of_tokens
  %sin_of_tokens = iree_tensor_ext.compute_barrier.start %sin_made : !rope__of_tokens -> !rope__of_tokens
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf32>
  %high_query = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf32>
  %empty_query = tensor.empty() : tensor<1x8x1x2x32xf32>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %cos_of_tokens, %sin_of_tokens
        : tensor<1x8x1x32xf32>, tensor<1x8x1x32xf32>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_query : tensor<1x8x1x2x32xf32>) {
  ^bb0(%low: f32, %high: f32, %cos_at: f32, %sin_at: f32, %unused: f32):
    %c = linalg.index 3 : index
    %is_low = arith.cmpi eq, %c, %chunk0 : index
    %this = arith.select %is_low, %low, %high : f32
    %other = arith.select %is_low, %high, %low : f32


    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32

    linalg.yield %turned : f32
  } -> tensor<1x8x1x2x32xf32>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<1x8x1x2x32xf32> into !rope__rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x1x32xf32>
  %high_key = tensor.extract_slice %key[0, 0, 0, 32] [1, 2, 1, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x1x32xf32>
  %empty_key = tensor.empty() : tensor<1x2x1x2x32xf32>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %cos_of_tokens, %sin_of_tokens
        : tensor<1x2x1x32xf32>, tensor<1x2x1x32xf32>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_key : tensor<1x2x1x2x32xf32>) {
  ^bb0(%low: f32, %high: f32, %cos_at: f32, %sin_at: f32, %unused: f32):
    %c = linalg.index 3 : index
    %is_low = arith.cmpi eq, %c, %chunk0 : index
    %this = arith.select %is_low, %low, %high : f32
    %other = arith.select %is_low, %high, %low : f32


    %minus_sin = arith.negf %sin_at : f32
    %signed_sin = arith.select %is_low, %minus_sin, %sin_at : f32
    %from_this = arith.mulf %this, %cos_at : f32
    %from_other = arith.mulf %other, %signed_sin : f32
    %turned = arith.addf %from_this, %from_other : f32

    linalg.yield %turned : f32
  } -> tensor<1x2x1x2x32xf32>
  %rotated_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<1x2x1x2x32xf32> into !rope__rotated_key
  return %rotated_query, %rotated_key : !rope__rotated_query, !rope__rotated_key
}
// Attention as one kernel of few rows.
!attention__query = tensor<1x8x1x64xf32>
!attention__key = tensor<1x2x1x64xf32>
!attention__value = tensor<1x2x1x64xf32>
!attention__slot_mapping = tensor<1x1xi32>
!attention__key_cache = tensor<9x2x16x64xf32>
!attention__value_cache = tensor<9x2x16x64xf32>
!attention__block_table = tensor<1x4xi32>
!attention__context_lens = tensor<1xi32>
!attention__bias = tensor<1x8x1x64xf32>
!attention__keep_mask = tensor<1x1x1x64xi1>
!attention__output = tensor<1x8x1x64xf32>
!attention__updated_key_cache = tensor<9x2x16x64xf32>
!attention__updated_value_cache = tensor<9x2x16x64xf32>
!attention__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x1x64xf32>>
!attention__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf32>>
!attention__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf32>>
!attention__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4xi32>>
!attention__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xi32>>
!attention__bias_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x1x64xf32>>
!attention__keep_mask_bytes_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1x1x64xi8>>
!attention__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8x1x64xf32>>
!attention__output_slice = tensor<8x?x64xf32>
!attention__lse_slice = tensor<8x?xf32>
!attention__queries = tensor<4x64xf32>
!attention__scores = tensor<4x32xf32>
!attention__weights = tensor<4x32xf32>
!attention__factors = tensor<4xf32>
!attention__row_lanes = tensor<4x16xf32>
!attention__acc = tensor<8x64xf32>
!attention__row = tensor<8xf32>
!attention__given_query = vector<64xf32>
!attention__query_row = vector<64xf32>
!attention__given_value = vector<64xf32>
!attention__value_row = vector<64xf32>
!attention__value_block = vector<4x64xf32>
!attention__acc_row = vector<64xf32>
!attention__output_f32 = vector<64xf32>
!attention__output_row = vector<64xf32>
!attention__logits = vector<32xf32>
!attention__logit_bits = vector<32xi32>
!attention__logit_flags = vector<32xi1>
!attention__key_indices = vector<32xindex>
!attention__key_numbers = vector<32xi32>
!attention__lanes_f32 = vector<16xf32>
!attention__block_bits = vector<4xi32>
!attention__block_flags = vector<4xi1>
!attention__block_numbers = vector<4xf32>
!attention__block_rows0 = vector<4x16xf32>
!attention__block_register4 = vector<4xf32>
!attention__block_register8 = vector<8xf32>
!attention__block_register16 = vector<16xf32>
!attention__bias_of_row = tensor<?xf32>
!attention__bias_read = vector<32xf32>
!attention__keep_mask_bytes = tensor<1x1x1x64xi8>
!attention__keep_mask_bytes_of_row = tensor<?xi8>
!attention__keep_mask_bytes_read = vector<32xi8>
#attention__of_row = affine_map<(m, k) -> (m, 0)>
#attention__of_column = affine_map<(k, n) -> (0, n)>
#attention__of_element = affine_map<(m) -> (m, 0)>
!attention__slot_mapping_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1xi32>>
!attention__key_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x1x64xf32>>
!attention__value_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x1x64xf32>>
!attention__key_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x2x16x64xf32>>
!attention__value_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x2x16x64xf32>>
!attention__some_of_key = vector<16xf32>
!attention__some_of_value = vector<16xf32>
!attention__given_key = vector<16xf32>
!attention__key_lanes = vector<16xf32>
!attention__row_sums = vector<4x16xf32>
!attention__score_sums = vector<4x4x16xf32>
!attention__scores_of_keys = vector<4x4xf32>
!attention__scores_of_rows = vector<4x4xf32>
!attention__keys_numbers = vector<16xf32>
!attention__keys_rows0 = vector<16x16xf32>
!attention__keys_register16 = vector<16xf32>
!attention__key_memory = memref<9x2x16x64xf32>
!attention__value_memory = memref<9x2x16x64xf32>
#attention__arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func private @attention(%query: !attention__query, %key: !attention__key, %value: !attention__value, %slot_mapping: !attention__slot_mapping, %key_cache: !attention__key_cache, %value_cache: !attention__value_cache, %block_table: !attention__block_table, %context_lens: !attention__context_lens, %bias: !attention__bias, %keep_mask: !attention__keep_mask) -> (!attention__output, !attention__updated_key_cache, !attention__updated_value_cache) {
  // New tokens are written into the cache, in its own memory.
  %updated_key_cache, %updated_value_cache =
    flow.dispatch @attention_updated_key_cache_kernel::@attention_updated_key_cache_kernel(
      %slot_mapping, %key, %value, %key_cache, %value_cache
    ) : (
      tensor<1x1xi32>,
      tensor<1x2x1x64xf32>,
      tensor<1x2x1x64xf32>,
      tensor<9x2x16x64xf32>,
      tensor<9x2x16x64xf32>
    ) -> (%key_cache, %value_cache)
  %keep_mask_bytes = arith.extui %keep_mask : !attention__keep_mask to !attention__keep_mask_bytes
  %output =
    flow.dispatch @attention_output_kernel::@attention_output_kernel(
      %query, %updated_key_cache, %updated_value_cache, %block_table, %context_lens, %bias, %keep_mask_bytes
    ) : (
      tensor<1x8x1x64xf32>,
      tensor<9x2x16x64xf32>,
      tensor<9x2x16x64xf32>,
      tensor<1x4xi32>,
      tensor<1xi32>,
      tensor<1x8x1x64xf32>,
      tensor<1x1x1x64xi8>
    ) -> (tensor<1x8x1x64xf32>)
  return %output, %updated_key_cache, %updated_value_cache
    : !attention__output, !attention__updated_key_cache, !attention__updated_value_cache
}
flow.executable private @attention_updated_key_cache_kernel {
  flow.executable.export public @attention_updated_key_cache_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @attention_updated_key_cache_kernel(
      %slot_mapping_in: !attention__slot_mapping_to_write,
      %key_in: !attention__key_to_write,
      %value_in: !attention__value_to_write,
      %key_cache_in: !attention__key_cache_to_write,
      %value_cache_in: !attention__value_cache_to_write
    ) {
    %slot_mapping = iree_tensor_ext.dispatch.tensor.load %slot_mapping_in,
      offsets = [0, 0], sizes = [1, 1], strides = [1, 1]
      : !attention__slot_mapping_to_write -> tensor<1x1xi32>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 1, 64], strides = [1, 1, 1, 1]
      : !attention__key_to_write -> tensor<1x2x1x64xf32>
    %value = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 1, 64], strides = [1, 1, 1, 1]
      : !attention__value_to_write -> tensor<1x2x1x64xf32>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__key_cache_to_write -> tensor<9x2x16x64xf32>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__value_cache_to_write -> tensor<9x2x16x64xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %sequences = arith.constant 1 : index
    %tokens = arith.constant 1 : index
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 16)>()[%tokens]
    %workgroups:2 = scf.forall (%b, %i) in (%sequences, %groups)
        shared_outs(%key_cache_all = %key_cache, %value_cache_all = %value_cache)
          -> (!attention__key_cache, !attention__value_cache) {
      %first = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %end = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first)[%tokens]
      %written:2 = scf.for %t = %first to %end step %one
          iter_args(%key_cache_before = %key_cache_all, %value_cache_before = %value_cache_all)
            -> (!attention__key_cache, !attention__value_cache) {
        %slot_i32 = tensor.extract %slot_mapping[%b, %t] : !attention__slot_mapping
        %no_slot = arith.constant -1 : i32
        %is_written = arith.cmpi sgt, %slot_i32, %no_slot : i32
        %written_heads = arith.select %is_written, %heads, %none : index
        %slots_per_block = arith.constant 16 : index
        %slot = arith.index_cast %slot_i32 : i32 to index
        %block = arith.divui %slot, %slots_per_block : index
        %slot_in_block = arith.remui %slot, %slots_per_block : index
        %key_cache_after, %value_cache_after = scf.for %h = %none to %written_heads step %one
            iter_args(%key_cache_so_far = %key_cache_before, %value_cache_so_far = %value_cache_before)
              -> (!attention__key_cache, !attention__value_cache) {
          %key_moved_unused = arith.constant 0.0 : f32
          %key_moved_columns = arith.constant 64 : index
          %key_moved_step = arith.constant 16 : index
          %key_moved = scf.for %c = %none to %key_moved_columns step %key_moved_step
              iter_args(%so_far = %key_cache_so_far) -> (!attention__key_cache) {
            %some = vector.transfer_read %key[%b, %h, %t, %c], %key_moved_unused
              {in_bounds = [true]} : !attention__key, !attention__some_of_key
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !attention__some_of_key, !attention__key_cache
            scf.yield %moved : !attention__key_cache
          }
          %value_moved_unused = arith.constant 0.0 : f32
          %value_moved_columns = arith.constant 64 : index
          %value_moved_step = arith.constant 16 : index
          %value_moved = scf.for %c = %none to %value_moved_columns step %value_moved_step
              iter_args(%so_far = %value_cache_so_far) -> (!attention__value_cache) {
            %some = vector.transfer_read %value[%b, %h, %t, %c], %value_moved_unused
              {in_bounds = [true]} : !attention__value, !attention__some_of_value
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !attention__some_of_value, !attention__value_cache
            scf.yield %moved : !attention__value_cache
          }
          scf.yield %key_moved, %value_moved : !attention__key_cache, !attention__value_cache
        }
        scf.yield %key_cache_after, %value_cache_after : !attention__key_cache, !attention__value_cache
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written#0 into %key_cache_all
          [0, 0, 0, 0] [9, 2, 16, 64] [1, 1, 1, 1]
          : tensor<9x2x16x64xf32> into tensor<9x2x16x64xf32>
        tensor.parallel_insert_slice %written#1 into %value_cache_all
          [0, 0, 0, 0] [9, 2, 16, 64] [1, 1, 1, 1]
          : tensor<9x2x16x64xf32> into tensor<9x2x16x64xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : tensor<9x2x16x64xf32> -> !attention__key_cache_to_write
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : tensor<9x2x16x64xf32> -> !attention__value_cache_to_write
    return
  }
  }
}
flow.executable private @attention_output_kernel {
  flow.executable.export public @attention_output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @attention_output_kernel(
      %query_in: !attention__query_in,
      %key_cache_in: !attention__key_cache_in,
      %value_cache_in: !attention__value_cache_in,
      %block_table_in: !attention__block_table_in,
      %context_lens_in: !attention__context_lens_in,
      %bias_in: !attention__bias_in,
      %keep_mask_bytes_in: !attention__keep_mask_bytes_in,
      %output_out: !attention__output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 1, 64], strides = [1, 1, 1, 1]
      : !attention__query_in -> tensor<1x8x1x64xf32>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__key_cache_in -> tensor<9x2x16x64xf32>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__value_cache_in -> tensor<9x2x16x64xf32>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [1, 4], strides = [1, 1]
      : !attention__block_table_in -> tensor<1x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [1], strides = [1]
      : !attention__context_lens_in -> tensor<1xi32>
    %bias = iree_tensor_ext.dispatch.tensor.load %bias_in,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 1, 64], strides = [1, 1, 1, 1]
      : !attention__bias_in -> tensor<1x8x1x64xf32>
    %keep_mask_bytes = iree_tensor_ext.dispatch.tensor.load %keep_mask_bytes_in,
      offsets = [0, 0, 0, 0], sizes = [1, 1, 1, 64], strides = [1, 1, 1, 1]
      : !attention__keep_mask_bytes_in -> tensor<1x1x1x64xi8>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 32 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 8 : index
    %rows = arith.constant 8 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 64 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 1 : index
    %heads = arith.constant 1 : index
    %queries_of_head = arith.constant 1 : index
    %keys_of_axis = arith.constant 64 : index
    %q_len = arith.constant 1 : index
    %tiles = arith.constant 1 : index
    %output_empty = tensor.empty() : tensor<1x8x1x64xf32>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<1x8x1x64xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 8)>(%x)
    // The tiles with most keys begin first.
    %first_query = affine.apply affine_map<(i)[n] -> ((n - 1 - i) * 1)>(%i)[%tiles]
    %queries_here = affine.min
      affine_map<(m)[n] -> (n - m, 1)>(%first_query)[%queries_of_head]
    %last_query = affine.apply affine_map<()[n] -> (n - 1)>()[%queries_of_head]
    %context_len_i32 = tensor.extract %context_lens[%b] : !attention__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 1)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 32 * 32)>(%tile_begin)
    %key_memory = hal.interface.binding.subspan layout(#attention__arguments) binding(1)
      alignment(64) offset(%none) : !attention__key_memory
    %value_memory = hal.interface.binding.subspan layout(#attention__arguments) binding(2)
      alignment(64) offset(%none) : !attention__value_memory
    %line0 = arith.constant 0 : index
    %line16 = arith.constant 16 : index
    %line32 = arith.constant 32 : index
    %line48 = arith.constant 48 : index
    %key_numbers = vector.step : !attention__key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !attention__key_indices to !attention__key_numbers
    %padding = arith.constant 0.0 : f32
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !attention__value_block
    %acc_empty = tensor.empty() : !attention__acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !attention__acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !attention__acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !attention__value_block, !attention__acc
        scf.yield %after : !attention__acc
      }
      scf.yield %filled : !attention__acc
    }
    %max_empty = tensor.empty() : !attention__row
    %sum_empty = tensor.empty() : !attention__row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!attention__row, !attention__row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !attention__row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !attention__row
      scf.yield %max_after, %sum_after : !attention__row, !attention__row
    }
    %no_scores = arith.constant dense<0.0> : !attention__score_sums
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!attention__acc, !attention__row, !attention__row) {
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!attention__acc, !attention__row, !attention__row) {
    %keys_end_query = arith.minsi %queries_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %first_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 32)>(%keys_end, %t0, %end)
        %sees = arith.cmpi slt, %from, %to : index
        %kv_head = affine.apply
          affine_map<(h, r) -> ((h + r floordiv 1) floordiv 4)>
          (%first_head, %r0)
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!attention__acc, !attention__row, !attention__row) {
    %queries_empty = tensor.empty() : !attention__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !attention__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
      %query_row = vector.transfer_read
        %query[%b, %head, %query_token, %none], %padding
        {in_bounds = [true]} : !attention__query, !attention__given_query

      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !attention__query_row, !attention__queries
      scf.yield %after : !attention__queries
    }
          %step_run0_key = affine.min affine_map<(t, e) -> (t + 0, e - 1)>(%t0, %end)
          %step_run0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%step_run0_key)
          %step_run0_block_i32 = tensor.extract %block_table[%b, %step_run0_page]
            : !attention__block_table
          %step_run0_block = arith.index_cast %step_run0_block_i32 : i32 to index
          %step_run16_key = affine.min affine_map<(t, e) -> (t + 16, e - 1)>(%t0, %end)
          %step_run16_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%step_run16_key)
          %step_run16_block_i32 = tensor.extract %block_table[%b, %step_run16_page]
            : !attention__block_table
          %step_run16_block = arith.index_cast %step_run16_block_i32 : i32 to index
          %next_head = affine.apply
            affine_map<(h) -> ((h + 1) mod 2 + h floordiv 2 * 2)>(%kv_head)
          %next_t0 = affine.apply
            affine_map<(t, h)
            -> (t + (h mod 2 + 1) floordiv 2 * 32)>(%t0, %kv_head)
          %next_run0_key = affine.min affine_map<(t, e) -> (t + 0, e - 1)>(%next_t0, %end)
          %next_run0_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run0_key)
          %next_run0_block_i32 = tensor.extract %block_table[%b, %next_run0_page]
            : !attention__block_table
          %next_run0_block = arith.index_cast %next_run0_block_i32 : i32 to index
          %next_run16_key = affine.min affine_map<(t, e) -> (t + 16, e - 1)>(%next_t0, %end)
          %next_run16_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run16_key)
          %next_run16_block_i32 = tensor.extract %block_table[%b, %next_run16_page]
            : !attention__block_table
          %next_run16_block = arith.index_cast %next_run16_block_i32 : i32 to index
          %first_scored = affine.apply
            affine_map<(t) -> (t floordiv 4 * 4)>(%from)
          %scores_empty = tensor.empty() : !attention__scores
          %scores = scf.for %j = %first_scored to %to
            step %scored_keys iter_args(%before = %scores_empty) -> (!attention__scores) {
          %step_block_begin = arith.constant 16 : index
          %step_block_is_behind = arith.cmpi sge, %j, %step_block_begin : index
          %step_block = arith.select %step_block_is_behind, %step_run16_block, %step_run0_block
            : index
          %next_block_begin = arith.constant 16 : index
          %next_block_is_behind = arith.cmpi sge, %j, %next_block_begin : index
          %next_block = arith.select %next_block_is_behind, %next_run16_block, %next_run0_block
            : index
            %key0 = affine.apply affine_map<(j, t) -> (t + j + 0)>(%j, %t0)
        %key0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key0)
        %key0_block = arith.addi %step_block, %none : index
            %key1 = affine.apply affine_map<(j, t) -> (t + j + 1)>(%j, %t0)
        %key1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key1)
        %key1_block = arith.addi %step_block, %none : index
            %key2 = affine.apply affine_map<(j, t) -> (t + j + 2)>(%j, %t0)
        %key2_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key2)
        %key2_block = arith.addi %step_block, %none : index
            %key3 = affine.apply affine_map<(j, t) -> (t + j + 3)>(%j, %t0)
        %key3_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%key3)
        %key3_block = arith.addi %step_block, %none : index
            %next0 = affine.apply
              affine_map<(t, j) -> (t + j + 0)>(%next_t0, %j)
        %next0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next0)
        %next0_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line16],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line48],
              read, locality<2>, data : !attention__key_memory
            %next1 = affine.apply
              affine_map<(t, j) -> (t + j + 1)>(%next_t0, %j)
        %next1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next1)
        %next1_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line16],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line48],
              read, locality<2>, data : !attention__key_memory
            %next2 = affine.apply
              affine_map<(t, j) -> (t + j + 2)>(%next_t0, %j)
        %next2_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next2)
        %next2_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line16],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line48],
              read, locality<2>, data : !attention__key_memory
            %next3 = affine.apply
              affine_map<(t, j) -> (t + j + 3)>(%next_t0, %j)
        %next3_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next3)
        %next3_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line16],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line48],
              read, locality<2>, data : !attention__key_memory
            %lane_sums = scf.for %k = %none to %head_steps step %lanes iter_args(%so_far = %no_scores)
              -> !attention__score_sums {
              %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
              %key_lanes0 = vector.transfer_read
                %key_cache[%key0_block, %kv_head, %key0_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key

              %key_lanes1 = vector.transfer_read
                %key_cache[%key1_block, %kv_head, %key1_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key

              %key_lanes2 = vector.transfer_read
                %key_cache[%key2_block, %kv_head, %key2_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key

              %key_lanes3 = vector.transfer_read
                %key_cache[%key3_block, %kv_head, %key3_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key

              %left = vector.transfer_read %queries[%none, %k], %zero {in_bounds = [true, true]}
                : !attention__queries, !attention__row_sums
              %right0 = vector.broadcast %key_lanes0 : !attention__key_lanes to !attention__row_sums
              %old0 = vector.extract %so_far[0] : !attention__row_sums from !attention__score_sums
              %new0 = vector.fma %left, %right0, %old0 : !attention__row_sums
              %more_1 = vector.insert %new0, %so_far [0] : !attention__row_sums into !attention__score_sums
              %right1 = vector.broadcast %key_lanes1 : !attention__key_lanes to !attention__row_sums
              %old1 = vector.extract %so_far[1] : !attention__row_sums from !attention__score_sums
              %new1 = vector.fma %left, %right1, %old1 : !attention__row_sums
              %more_2 = vector.insert %new1, %more_1 [1] : !attention__row_sums into !attention__score_sums
              %right2 = vector.broadcast %key_lanes2 : !attention__key_lanes to !attention__row_sums
              %old2 = vector.extract %so_far[2] : !attention__row_sums from !attention__score_sums
              %new2 = vector.fma %left, %right2, %old2 : !attention__row_sums
              %more_3 = vector.insert %new2, %more_2 [2] : !attention__row_sums into !attention__score_sums
              %right3 = vector.broadcast %key_lanes3 : !attention__key_lanes to !attention__row_sums
              %old3 = vector.extract %so_far[3] : !attention__row_sums from !attention__score_sums
              %new3 = vector.fma %left, %right3, %old3 : !attention__row_sums
              %more = vector.insert %new3, %more_3 [3] : !attention__row_sums into !attention__score_sums
              scf.yield %more : !attention__score_sums
            }
            %sums_of_keys = vector.shape_cast %lane_sums : !attention__score_sums to !attention__keys_rows0
        %sums_0 = vector.extract %sums_of_keys[0] : !attention__keys_register16 from !attention__keys_rows0
        %sums_1 = vector.extract %sums_of_keys[1] : !attention__keys_register16 from !attention__keys_rows0
        %sums_2 = vector.extract %sums_of_keys[2] : !attention__keys_register16 from !attention__keys_rows0
        %sums_3 = vector.extract %sums_of_keys[3] : !attention__keys_register16 from !attention__keys_rows0
        %sums_4 = vector.extract %sums_of_keys[4] : !attention__keys_register16 from !attention__keys_rows0
        %sums_5 = vector.extract %sums_of_keys[5] : !attention__keys_register16 from !attention__keys_rows0
        %sums_6 = vector.extract %sums_of_keys[6] : !attention__keys_register16 from !attention__keys_rows0
        %sums_7 = vector.extract %sums_of_keys[7] : !attention__keys_register16 from !attention__keys_rows0
        %sums_8 = vector.extract %sums_of_keys[8] : !attention__keys_register16 from !attention__keys_rows0
        %sums_9 = vector.extract %sums_of_keys[9] : !attention__keys_register16 from !attention__keys_rows0
        %sums_10 = vector.extract %sums_of_keys[10] : !attention__keys_register16 from !attention__keys_rows0
        %sums_11 = vector.extract %sums_of_keys[11] : !attention__keys_register16 from !attention__keys_rows0
        %sums_12 = vector.extract %sums_of_keys[12] : !attention__keys_register16 from !attention__keys_rows0
        %sums_13 = vector.extract %sums_of_keys[13] : !attention__keys_register16 from !attention__keys_rows0
        %sums_14 = vector.extract %sums_of_keys[14] : !attention__keys_register16 from !attention__keys_rows0
        %sums_15 = vector.extract %sums_of_keys[15] : !attention__keys_register16 from !attention__keys_rows0
        %sums_evens16 = vector.shuffle
          %sums_0, %sums_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds16 = vector.shuffle
          %sums_0, %sums_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_16 = arith.addf
          %sums_evens16, %sums_odds16 fastmath<reassoc> : !attention__keys_register16
        %sums_evens17 = vector.shuffle
          %sums_2, %sums_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds17 = vector.shuffle
          %sums_2, %sums_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_17 = arith.addf
          %sums_evens17, %sums_odds17 fastmath<reassoc> : !attention__keys_register16
        %sums_evens18 = vector.shuffle
          %sums_4, %sums_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds18 = vector.shuffle
          %sums_4, %sums_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_18 = arith.addf
          %sums_evens18, %sums_odds18 fastmath<reassoc> : !attention__keys_register16
        %sums_evens19 = vector.shuffle
          %sums_6, %sums_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds19 = vector.shuffle
          %sums_6, %sums_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_19 = arith.addf
          %sums_evens19, %sums_odds19 fastmath<reassoc> : !attention__keys_register16
        %sums_evens20 = vector.shuffle
          %sums_8, %sums_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds20 = vector.shuffle
          %sums_8, %sums_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_20 = arith.addf
          %sums_evens20, %sums_odds20 fastmath<reassoc> : !attention__keys_register16
        %sums_evens21 = vector.shuffle
          %sums_10, %sums_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds21 = vector.shuffle
          %sums_10, %sums_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_21 = arith.addf
          %sums_evens21, %sums_odds21 fastmath<reassoc> : !attention__keys_register16
        %sums_evens22 = vector.shuffle
          %sums_12, %sums_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds22 = vector.shuffle
          %sums_12, %sums_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_22 = arith.addf
          %sums_evens22, %sums_odds22 fastmath<reassoc> : !attention__keys_register16
        %sums_evens23 = vector.shuffle
          %sums_14, %sums_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds23 = vector.shuffle
          %sums_14, %sums_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_23 = arith.addf
          %sums_evens23, %sums_odds23 fastmath<reassoc> : !attention__keys_register16
        %sums_evens24 = vector.shuffle
          %sums_16, %sums_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds24 = vector.shuffle
          %sums_16, %sums_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_24 = arith.addf
          %sums_evens24, %sums_odds24 fastmath<reassoc> : !attention__keys_register16
        %sums_evens25 = vector.shuffle
          %sums_18, %sums_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds25 = vector.shuffle
          %sums_18, %sums_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_25 = arith.addf
          %sums_evens25, %sums_odds25 fastmath<reassoc> : !attention__keys_register16
        %sums_evens26 = vector.shuffle
          %sums_20, %sums_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds26 = vector.shuffle
          %sums_20, %sums_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_26 = arith.addf
          %sums_evens26, %sums_odds26 fastmath<reassoc> : !attention__keys_register16
        %sums_evens27 = vector.shuffle
          %sums_22, %sums_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__keys_register16, !attention__keys_register16
        %sums_odds27 = vector.shuffle
          %sums_22, %sums_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_27 = arith.addf
          %sums_evens27, %sums_odds27 fastmath<reassoc> : !attention__keys_register16
        %sums_evens28 = vector.shuffle
          %sums_24, %sums_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !attention__keys_register16, !attention__keys_register16
        %sums_odds28 = vector.shuffle
          %sums_24, %sums_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_28 = arith.addf
          %sums_evens28, %sums_odds28 fastmath<reassoc> : !attention__keys_register16
        %sums_evens29 = vector.shuffle
          %sums_26, %sums_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !attention__keys_register16, !attention__keys_register16
        %sums_odds29 = vector.shuffle
          %sums_26, %sums_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !attention__keys_register16, !attention__keys_register16
        %sums_29 = arith.addf
          %sums_evens29, %sums_odds29 fastmath<reassoc> : !attention__keys_register16
        %sums_evens30 = vector.shuffle
          %sums_28, %sums_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !attention__keys_register16, !attention__keys_register16
        %sums_odds30 = vector.shuffle
          %sums_28, %sums_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !attention__keys_register16, !attention__keys_register16
        %sums = arith.addf
          %sums_evens30, %sums_odds30 fastmath<reassoc> : !attention__keys_register16
            %scores_of_keys = vector.shape_cast %sums : !attention__keys_numbers to !attention__scores_of_keys
            %scores_of_rows = vector.transpose %scores_of_keys, [1, 0] : !attention__scores_of_keys to !attention__scores_of_rows
            %after = vector.transfer_write %scores_of_rows, %before[%none, %j] {in_bounds = [true, true]}
              : !attention__scores_of_rows, !attention__scores
            scf.yield %after : !attention__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !attention__logits
        %lanes_empty = tensor.empty() : !attention__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!attention__scores, !attention__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 1, 7)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 1)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %query_token = arith.minsi %m, %last_query : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !attention__scores, !attention__logits
          %scale = arith.constant dense<0.125> : !attention__logits
          %scaled = arith.mulf %score, %scale : !attention__logits
          %bias_left = affine.min affine_map<(t)[n] -> (n - t, 32)>
            (%t0)[%keys_of_axis]
          %bias_of_row = tensor.extract_slice %bias[%none, %head, %none, %t0]
            [1, 1, 1, %bias_left] [1, 1, 1, 1] : !attention__bias to !attention__bias_of_row
          %bias_none = arith.constant 0.0 : f32
          %bias_of_keys = vector.transfer_read %bias_of_row[%none], %bias_none
            {in_bounds = [false]} : !attention__bias_of_row, !attention__bias_read

          %keep_mask_bytes_left = affine.min affine_map<(t)[n] -> (n - t, 32)>
            (%t0)[%keys_of_axis]
          %keep_mask_bytes_of_row = tensor.extract_slice %keep_mask_bytes[%none, %none, %query_token, %t0]
            [1, 1, 1, %keep_mask_bytes_left] [1, 1, 1, 1] : !attention__keep_mask_bytes to !attention__keep_mask_bytes_of_row
          %keep_mask_bytes_none = arith.constant 0 : i8
          %bytes_of_keys = vector.transfer_read %keep_mask_bytes_of_row[%none], %keep_mask_bytes_none
            {in_bounds = [false]} : !attention__keep_mask_bytes_of_row, !attention__keep_mask_bytes_read
          %nothing = arith.constant dense<0> : !attention__keep_mask_bytes_read
          %kept = arith.cmpi ne, %bytes_of_keys, %nothing : !attention__keep_mask_bytes_read
          %sum_with_bias = arith.addf %scaled, %bias_of_keys : !attention__logits
          // The sum alone would not hide a key whose score is NaN or infinite.
          %bias_shows = arith.cmpf une, %bias_of_keys, %hidden : !attention__logits
          %logit_added = arith.select %bias_shows, %sum_with_bias, %hidden : !attention__logit_flags, !attention__logits
          %next_query = arith.addi %m, %one : index
    %row_end_query = arith.minsi %next_query, %q_len : index
    %row_end_is_real = arith.cmpi slt, %m, %row_end_query : index
    %row_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%row_end_query, %first_position, %context_len)
    %row_end = arith.select %row_end_is_real, %row_end_limit, %none : index
    %row_begin = arith.constant 0 : index
          %row_to = arith.subi %row_end, %t0 : index
          %row_to_i32 = arith.index_cast %row_to : index to i32
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !attention__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !attention__key_numbers
          %is_seen = arith.andi %ahead_is_seen, %kept : !attention__logit_flags
          %logit = arith.select %is_seen, %logit_added, %hidden
            : !attention__logit_flags, !attention__logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %top = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !attention__lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !attention__logits, !attention__scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !attention__lanes_f32, !attention__row_lanes
          scf.yield %logits_after, %tops_after : !attention__scores, !attention__row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !attention__row_lanes, !attention__block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_evens4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_4 = arith.maxnumf
          %max_of_step_evens4, %max_of_step_odds4 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_5 = arith.maxnumf
          %max_of_step_evens5, %max_of_step_odds5 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_6 = arith.maxnumf
          %max_of_step_evens6, %max_of_step_odds6 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !attention__block_register16, !attention__block_register16
        %max_of_step_7 = arith.maxnumf
          %max_of_step_evens7, %max_of_step_odds7 fastmath<nnan> : !attention__block_register8
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [0, 1, 2, 3] : !attention__block_register8, !attention__block_register8
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [4, 5, 6, 7] : !attention__block_register8, !attention__block_register8
        %max_of_step = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !attention__block_register4
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !attention__row, !attention__block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !attention__block_numbers
        %max_below = arith.subf %max_before, %max_now : !attention__block_numbers
          %factor_log2e = arith.constant dense<1.4426950408889634> : !attention__block_numbers
          %factor_in_base_2 = arith.mulf %max_below, %factor_log2e : !attention__block_numbers
          %factor_least = arith.constant dense<-127.0> : !attention__block_numbers
          %factor_is_low = arith.cmpf olt, %factor_in_base_2, %factor_least : !attention__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %factor_in_base_2
            : !attention__block_flags, !attention__block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !attention__block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !attention__block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !attention__block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !attention__block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !attention__block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !attention__block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !attention__block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !attention__block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !attention__block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !attention__block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !attention__block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !attention__block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !attention__block_numbers
          %factor_term5 = arith.constant dense<1.0> : !attention__block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !attention__block_numbers
          %factor_number = arith.bitcast %factor_rounded : !attention__block_numbers to !attention__block_bits
          %factor_place = arith.constant dense<23> : !attention__block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !attention__block_bits
          %factor_scale = arith.bitcast %factor_shifted : !attention__block_bits to !attention__block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !attention__block_numbers
        %factors_empty = tensor.empty() : !attention__factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !attention__block_numbers, !attention__factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !attention__block_numbers, !attention__row
        %weights_empty = tensor.empty() : !attention__weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!attention__weights, !attention__row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !attention__scores, !attention__logits
          %max_of_row = tensor.extract %max_next[%row] : !attention__row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !attention__logits
          %below = arith.subf %logit, %max_everywhere : !attention__logits
          %weight_log2e = arith.constant dense<1.4426950408889634> : !attention__logits
          %weight_in_base_2 = arith.mulf %below, %weight_log2e : !attention__logits
          %weight_least = arith.constant dense<-127.0> : !attention__logits
          %weight_is_low = arith.cmpf olt, %weight_in_base_2, %weight_least : !attention__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %weight_in_base_2
            : !attention__logit_flags, !attention__logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !attention__logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !attention__logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !attention__logits
          %weight_left = arith.subf %weight_power, %weight_whole : !attention__logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !attention__logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !attention__logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !attention__logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !attention__logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !attention__logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !attention__logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !attention__logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !attention__logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !attention__logits
          %weight_term5 = arith.constant dense<1.0> : !attention__logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !attention__logits
          %weight_number = arith.bitcast %weight_rounded : !attention__logits to !attention__logit_bits
          %weight_place = arith.constant dense<23> : !attention__logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !attention__logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !attention__logit_bits to !attention__logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !attention__logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %weight_sum = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !attention__lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !attention__lanes_f32, !attention__row_lanes
          %weights_after = vector.transfer_write %weight, %weights_before[%r, %none] {in_bounds = [true]}
            : !attention__logits, !attention__weights
          scf.yield %weights_after, %sums_after : !attention__weights, !attention__row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !attention__row_lanes, !attention__block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_evens4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_4 = arith.addf
          %sum_of_step_evens4, %sum_of_step_odds4 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_5 = arith.addf
          %sum_of_step_evens5, %sum_of_step_odds5 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_6 = arith.addf
          %sum_of_step_evens6, %sum_of_step_odds6 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !attention__block_register16, !attention__block_register16
        %sum_of_step_7 = arith.addf
          %sum_of_step_evens7, %sum_of_step_odds7 fastmath<reassoc> : !attention__block_register8
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [0, 1, 2, 3] : !attention__block_register8, !attention__block_register8
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [4, 5, 6, 7] : !attention__block_register8, !attention__block_register8
        %sum_of_step = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !attention__block_register4
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !attention__row, !attention__block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !attention__block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !attention__block_numbers, !attention__row
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !attention__acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !attention__acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !attention__acc, !attention__value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #attention__of_element, in_bounds = [true, true]} : !attention__factors, !attention__value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !attention__value_block
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk)
                -> !attention__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #attention__of_row, in_bounds = [true, true]} : !attention__weights, !attention__value_block
                %next_column = affine.apply
                  affine_map<(n, v)
                  -> (n + v floordiv 4 * 64)>(%n, %v)
                %first_of_values = affine.apply affine_map<(j) -> (1 * j)>(%j)
          %step_block_begin = arith.constant 16 : index
          %step_block_is_behind = arith.cmpi sge, %first_of_values, %step_block_begin : index
          %step_block = arith.select %step_block_is_behind, %step_run16_block, %step_run0_block
            : index
          %next_block_begin = arith.constant 16 : index
          %next_block_is_behind = arith.cmpi sge, %first_of_values, %next_block_begin : index
          %next_block = arith.select %next_block_is_behind, %next_run16_block, %next_run0_block
            : index
                %next0 = affine.apply
                  affine_map<(t, j) -> (t + 1 * j + 0)>(%next_t0, %j)
        %next0_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next0)
        %next0_block = arith.addi %next_block, %none : index
                %next0_column0 = arith.addi %next_column, %line0 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column0],
                  read, locality<2>, data : !attention__value_memory
                %next0_column16 = arith.addi %next_column, %line16 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column16],
                  read, locality<2>, data : !attention__value_memory
                %next0_column32 = arith.addi %next_column, %line32 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column32],
                  read, locality<2>, data : !attention__value_memory
                %next0_column48 = arith.addi %next_column, %line48 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column48],
                  read, locality<2>, data : !attention__value_memory
        %t = arith.addi %t0, %j : index
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block = arith.addi %step_block, %none : index
        %value_row = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %n], %padding
          {in_bounds = [true]} : !attention__value_cache, !attention__given_value
                %right = vector.broadcast %value_row : !attention__value_row to !attention__value_block
                %more = vector.fma %left, %right, %so_far : !attention__value_block
                scf.yield %more : !attention__value_block
              }
              %after = vector.transfer_write %sums, %before[%first_row, %n] {in_bounds = [true, true]}
                : !attention__value_block, !attention__acc
              scf.yield %after : !attention__acc
            }
            scf.yield %acc_of_columns : !attention__acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !attention__acc, !attention__row, !attention__row
        } else {
          scf.yield %acc, %max, %sum : !attention__acc, !attention__row, !attention__row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !attention__acc, !attention__row, !attention__row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !attention__acc, !attention__row, !attention__row
    }
    %output_slice = tensor.extract_slice %output_all[%b, %first_head, %first_query, %none] [1, 8, %queries_here, 64] [1, 1, 1, 1] : !attention__output to !attention__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !attention__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !attention__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !attention__row
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !attention__acc, !attention__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !attention__output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !attention__output_f32
        %nothing = arith.constant dense<0.0> : !attention__output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !attention__output_f32

        %after = vector.transfer_write %mean,
          %before[%g, %m, %none] {in_bounds = [true]}
          : !attention__output_row, !attention__output_slice
        scf.yield %after : !attention__output_slice
      }
      scf.yield %of_head : !attention__output_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%b, %first_head, %first_query, %none] [1, 8, %queries_here, 64] [1, 1, 1, 1]
        : !attention__output_slice into !attention__output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 1, 64], strides = [1, 1, 1, 1]
      : tensor<1x8x1x64xf32> -> !attention__output_out
    return
  }
  }
}
// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!projection__attended = tensor<1x8x1x64xf32>
!projection__weight = tensor<512x512xf32>
!projection__output = tensor<1x1x512xf32>
!projection__by_token = tensor<1x1x8x64xf32>
!projection__sequences = tensor<1x512xf32>
!projection__acc = tensor<1x512xf32>
!projection__sums = tensor<1x512xf32>
!projection__depth_given = vector<16xf32>
!projection__depth_lanes = vector<16xf32>
!projection__depth_block = vector<1x8x16xf32>
!projection__depth_part = vector<1x8x16xf32>
!projection__depth_sums = vector<1x8xf32>
!projection__depth_row = vector<8xf32>
!projection__depth_numbers = vector<8xf32>
!projection__depth_rows0 = vector<8x16xf32>
!projection__depth_register8 = vector<8xf32>
!projection__depth_register16 = vector<16xf32>
!projection__sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf32>>
!projection__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x512xf32>>
!projection__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x512xf32>>
#projection__sums = affine_map<(m, n) -> (m, n)>

func.func private @projection(%attended: !projection__attended, %weight: !projection__weight) -> !projection__output {
  %by_token_empty = tensor.empty() : !projection__by_token
  %by_token = linalg.transpose ins(%attended : !projection__attended) outs(%by_token_empty : !projection__by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !projection__by_token into !projection__sequences
  %acc =
    flow.dispatch @projection_acc_kernel::@projection_acc_kernel(
      %sequences, %weight
    ) : (
      tensor<1x512xf32>,
      tensor<512x512xf32>
    ) -> (tensor<1x512xf32>)
  %empty = tensor.empty() : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !projection__sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [1, 1, 512] : !projection__sums into !projection__output
  return %output : !projection__output
}
flow.executable private @projection_acc_kernel {
  flow.executable.export public @projection_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @projection_acc_kernel(
      %sequences_in: !projection__sequences_of_acc,
      %weight_in: !projection__weight_of_acc,
      %acc_out: !projection__acc_out
    ) {
    %sequences = iree_tensor_ext.dispatch.tensor.load %sequences_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !projection__sequences_of_acc -> tensor<1x512xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [512, 512], strides = [1, 1]
      : !projection__weight_of_acc -> tensor<512x512xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x512xf32>
    %empty = tensor.empty() : tensor<1x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x512xf32>) {
        %no_sums = arith.constant dense<0.0> : !projection__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 511)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 511)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 511)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 511)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 511)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 511)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 511)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 511)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x512xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!projection__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<512x512xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<512x512xf32>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %sequences[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf32>, !projection__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !projection__depth_lanes from !projection__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !projection__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !projection__depth_lanes into !projection__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_1_0 = vector.extract %more_1[0, 1] : !projection__depth_lanes from !projection__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !projection__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !projection__depth_lanes into !projection__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_2_0 = vector.extract %more_2[0, 2] : !projection__depth_lanes from !projection__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !projection__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !projection__depth_lanes into !projection__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_3_0 = vector.extract %more_3[0, 3] : !projection__depth_lanes from !projection__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !projection__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !projection__depth_lanes into !projection__depth_block
            %right4_0 = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_4_0 = vector.extract %more_4[0, 4] : !projection__depth_lanes from !projection__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !projection__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !projection__depth_lanes into !projection__depth_block
            %right5_0 = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_5_0 = vector.extract %more_5[0, 5] : !projection__depth_lanes from !projection__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !projection__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !projection__depth_lanes into !projection__depth_block
            %right6_0 = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_6_0 = vector.extract %more_6[0, 6] : !projection__depth_lanes from !projection__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !projection__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !projection__depth_lanes into !projection__depth_block
            %right7_0 = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf32>, !projection__depth_given
            %old0_7_0 = vector.extract %more_7[0, 7] : !projection__depth_lanes from !projection__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !projection__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !projection__depth_lanes into !projection__depth_block
            scf.yield %more : !projection__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !projection__depth_block to !projection__depth_part
          %registers0 = vector.shape_cast %part0 : !projection__depth_part to !projection__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !projection__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !projection__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !projection__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !projection__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !projection__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !projection__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !projection__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !projection__depth_register16, !projection__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !projection__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !projection__depth_numbers to !projection__depth_sums
          %row0 = vector.extract %sums0[0] : !projection__depth_row from !projection__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<1x512xf32>
          scf.yield %after : tensor<1x512xf32>
        }
        scf.yield %of_rows : tensor<1x512xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 512] [1, 1]
          : tensor<1x512xf32> into tensor<1x512xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : tensor<1x512xf32> -> !projection__acc_out
    return
  }
  }
}
!hidden = tensor<1x1x512xf32>
!norm_weight = tensor<512xf32>
!qkv_weight = tensor<768x512xf32>
!positions = tensor<1x1xi32>
!slot_mapping = tensor<1x1xi32>
!key_cache = tensor<9x2x16x64xf32>
!value_cache = tensor<9x2x16x64xf32>
!block_table = tensor<1x4xi32>
!context_lens = tensor<1xi32>
!bias = tensor<1x8x1x64xf32>
!keep_mask = tensor<1x1x1x64xi1>
!output_weight = tensor<512x512xf32>
!output = tensor<1x1x512xf32>
!updated_key_cache = tensor<9x2x16x64xf32>
!updated_value_cache = tensor<9x2x16x64xf32>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden: !hidden, %norm_weight: !norm_weight, %qkv_weight: !qkv_weight, %positions: !positions, %slot_mapping: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %block_table: !block_table, %context_lens: !context_lens, %bias: !bias, %keep_mask: !keep_mask, %output_weight: !output_weight) -> (!output, !updated_key_cache, !updated_value_cache) {
  %rows_of_normed = tensor.collapse_shape %hidden [[0, 1], [2]] : tensor<1x1x512xf32> into tensor<1x512xf32>
  %normed_rows_of_normed = call @norm(%rows_of_normed, %norm_weight) : (tensor<1x512xf32>, tensor<512xf32>) -> (tensor<1x512xf32>)
  %normed = tensor.expand_shape %normed_rows_of_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf32> into tensor<1x1x512xf32>
  %qkv:3 = call @qkv(%normed, %qkv_weight) : (tensor<1x1x512xf32>, tensor<768x512xf32>) -> (tensor<1x8x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>)
  %rotated:2 = call @rope(%qkv#0, %qkv#1, %positions) : (tensor<1x8x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x1xi32>) -> (tensor<1x8x1x64xf32>, tensor<1x2x1x64xf32>)
  // On a CPU, the kernel that writes the cache would compute all new keys in its stack.
  %new_key = util.optimization_barrier %rotated#1 : tensor<1x2x1x64xf32>
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %rotated#0 : tensor<1x8x1x64xf32> -> tensor<1x8x1x64xf32>
  %attended:3 = call @attention(%new_query, %new_key, %qkv#2, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens, %bias, %keep_mask) : (tensor<1x8x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x1xi32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<1x4xi32>, tensor<1xi32>, tensor<1x8x1x64xf32>, tensor<1x1x1x64xi1>) -> (tensor<1x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<1x8x1x64xf32> -> tensor<1x8x1x64xf32>
  %projected = call @projection(%heads, %output_weight) : (tensor<1x8x1x64xf32>, tensor<512x512xf32>) -> (tensor<1x1x512xf32>)
  %empty_output = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %projected : !hidden, !output) outs(%empty_output : !output) {
  ^bb0(%residual: f32, %change: f32, %unused: f32):


    %sum = arith.addf %residual, %change : f32

    linalg.yield %sum : f32
  } -> !output
  return %output, %attended#1, %attended#2 : !output, !updated_key_cache, !updated_value_cache
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
    %block_table: !block_table,
    %context_lens: !context_lens,
    %bias: !bias,
    %keep_mask: !keep_mask,
    %output_weight: !output_weight
  ) -> (!output, !updated_key_cache, !updated_value_cache) attributes {iree.abi.model = "coarse-fences"} {
  %output, %updated_key_cache, %updated_value_cache = func.call @decoder_layer(%hidden, %norm_weight, %qkv_weight, %positions, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens, %bias, %keep_mask, %output_weight)
    : (!hidden, !norm_weight, !qkv_weight, !positions, !slot_mapping, !key_cache, !value_cache, !block_table, !context_lens, !bias, !keep_mask, !output_weight) -> (!output, !updated_key_cache, !updated_value_cache)
  util.return %output, %updated_key_cache, %updated_value_cache : !output, !updated_key_cache, !updated_value_cache
}
