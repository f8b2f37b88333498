// A decoder layer. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<1x512xf16>
!norm__weight = tensor<512xf16>
!norm__output = tensor<1x512xf16>
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
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
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
// hidden · weightᵀ + bias. Queries are products of their own, which write each where it
// is returned and may run at the same time; one product for all would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!qkv__hidden = tensor<1x1x512xf16>
!qkv__weight = tensor<512x512xf16>
!qkv__query = tensor<1x8x1x64xf16>
!qkv__tokens = tensor<1x512xf16>
!qkv__depth_given = vector<16xf16>
!qkv__depth_lanes = vector<16xf32>
!qkv__depth_block = vector<1x8x16xf32>
!qkv__depth_part = vector<1x8x16xf32>
!qkv__depth_sums = vector<1x8xf32>
!qkv__depth_row = vector<8xf32>
!qkv__depth_numbers = vector<8xf32>
!qkv__depth_rows0 = vector<8x16xf32>
!qkv__depth_register8 = vector<8xf32>
!qkv__depth_register16 = vector<16xf32>
!qkv__tokens_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!qkv__weight_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x512xf16>>
!qkv__query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x512xf32>>
#qkv__sums = affine_map<(h, m, n) -> (m, h, n)>
#qkv__heads = affine_map<(h, m, n) -> (h, m, n)>

func.func private @qkv(%hidden: !qkv__hidden, %weight: !qkv__weight) -> !qkv__query {
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !qkv__hidden into !qkv__tokens
  // query: 8 heads from head 0 on
  %query_sums =
    flow.dispatch @qkv_query_sums_kernel::@qkv_query_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf16>,
      tensor<512x512xf16>
    ) -> (tensor<1x512xf32>)
  %acc_of_query = tensor.expand_shape %query_sums [[0], [1, 2]] output_shape [1, 8, 64] : tensor<1x512xf32> into tensor<1x8x64xf32>
  %empty_query = tensor.empty() : tensor<8x1x64xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_query : tensor<1x8x64xf32>) outs(%empty_query : tensor<8x1x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<8x1x64xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 1, 64] : tensor<8x1x64xf16> into !qkv__query
  return %query : !qkv__query
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
      : !qkv__tokens_of_query_sums -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [512, 512], strides = [1, 1]
      : !qkv__weight_of_query_sums -> tensor<512x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x512xf16>
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
            -> (!qkv__depth_block) {
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
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !qkv__depth_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right4_0 = arith.extf %right4_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !qkv__depth_lanes from !qkv__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !qkv__depth_lanes into !qkv__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right5_0 = arith.extf %right5_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !qkv__depth_lanes from !qkv__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !qkv__depth_lanes into !qkv__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right6_0 = arith.extf %right6_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !qkv__depth_lanes from !qkv__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !qkv__depth_lanes into !qkv__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !qkv__depth_given
    %right7_0 = arith.extf %right7_0_stored : !qkv__depth_given to !qkv__depth_lanes
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
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!rope__turns = tensor<32xi64>
!rope__of_tokens = tensor<1x1x32xf32>
!rope__query = tensor<1x8x1x64xf16>
!rope__positions = tensor<1x1xi32>
!rope__rotated_query = tensor<1x8x1x64xf16>

func.func private @rope(%query: !rope__query, %positions: !rope__positions) -> !rope__rotated_query {
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
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf16>
  %high_query = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, 1, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x1x32xf16>
  %empty_query = tensor.empty() : tensor<1x8x1x2x32xf16>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %cos_of_tokens, %sin_of_tokens
        : tensor<1x8x1x32xf16>, tensor<1x8x1x32xf16>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_query : tensor<1x8x1x2x32xf16>) {
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
  } -> tensor<1x8x1x2x32xf16>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<1x8x1x2x32xf16> into !rope__rotated_query
  return %rotated_query : !rope__rotated_query
}
// Attention as one kernel of few rows.
!attention__query = tensor<1x8x1x64xf16>
!attention__key_cache = tensor<9x2x16x64xf16>
!attention__value_cache = tensor<9x2x16x64xf16>
!attention__block_table = tensor<1x4xi32>
!attention__context_lens = tensor<1xi32>
!attention__output = tensor<1x8x1x64xf16>
!attention__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x1x64xf16>>
!attention__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf16>>
!attention__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf16>>
!attention__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4xi32>>
!attention__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xi32>>
!attention__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8x1x64xf16>>
!attention__output_slice = tensor<8x?x64xf16>
!attention__lse_slice = tensor<8x?xf32>
!attention__queries = tensor<4x64xf32>
!attention__scores = tensor<4x32xf32>
!attention__weights = tensor<4x32xf32>
!attention__factors = tensor<4xf32>
!attention__row_lanes = tensor<4x16xf32>
!attention__acc = tensor<8x64xf32>
!attention__row = tensor<8xf32>
!attention__given_query = vector<64xf16>
!attention__query_row = vector<64xf32>
!attention__given_value = vector<64xf16>
!attention__value_row = vector<64xf32>
!attention__value_block = vector<4x64xf32>
!attention__acc_row = vector<64xf32>
!attention__output_f32 = vector<64xf32>
!attention__output_row = vector<64xf16>
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
#attention__of_row = affine_map<(m, k) -> (m, 0)>
#attention__of_column = affine_map<(k, n) -> (0, n)>
#attention__of_element = affine_map<(m) -> (m, 0)>
!attention__given_key = vector<16xf16>
!attention__key_lanes = vector<16xf32>
!attention__row_sums = vector<4x16xf32>
!attention__score_sums = vector<4x4x16xf32>
!attention__scores_of_keys = vector<4x4xf32>
!attention__scores_of_rows = vector<4x4xf32>
!attention__keys_numbers = vector<16xf32>
!attention__keys_rows0 = vector<16x16xf32>
!attention__keys_register16 = vector<16xf32>
!attention__key_memory = memref<9x2x16x64xf16>
!attention__value_memory = memref<9x2x16x64xf16>
#attention__arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func private @attention(%query: !attention__query, %key_cache: !attention__key_cache, %value_cache: !attention__value_cache, %block_table: !attention__block_table, %context_lens: !attention__context_lens) -> !attention__output {
  %output =
    flow.dispatch @attention_output_kernel::@attention_output_kernel(
      %query, %key_cache, %value_cache, %block_table, %context_lens
    ) : (
      tensor<1x8x1x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<1x4xi32>,
      tensor<1xi32>
    ) -> (tensor<1x8x1x64xf16>)
  return %output
    : !attention__output
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
      %output_out: !attention__output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 1, 64], strides = [1, 1, 1, 1]
      : !attention__query_in -> tensor<1x8x1x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__key_cache_in -> tensor<9x2x16x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__value_cache_in -> tensor<9x2x16x64xf16>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [1, 4], strides = [1, 1]
      : !attention__block_table_in -> tensor<1x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [1], strides = [1]
      : !attention__context_lens_in -> tensor<1xi32>
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
    %output_empty = tensor.empty() : tensor<1x8x1x64xf16>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<1x8x1x64xf16>) {
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
    %line32 = arith.constant 32 : index
    %key_numbers = vector.step : !attention__key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !attention__key_indices to !attention__key_numbers
    %padding = arith.constant 0.0 : f16
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
      %query_row_stored = vector.transfer_read
        %query[%b, %head, %query_token, %none], %padding
        {in_bounds = [true]} : !attention__query, !attention__given_query
    %query_row = arith.extf %query_row_stored : !attention__given_query to !attention__query_row
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
            memref.prefetch %key_memory[%next0_block, %next_head, %next0_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            %next1 = affine.apply
              affine_map<(t, j) -> (t + j + 1)>(%next_t0, %j)
        %next1_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next1)
        %next1_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next1_block, %next_head, %next1_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            %next2 = affine.apply
              affine_map<(t, j) -> (t + j + 2)>(%next_t0, %j)
        %next2_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next2)
        %next2_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next2_block, %next_head, %next2_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            %next3 = affine.apply
              affine_map<(t, j) -> (t + j + 3)>(%next_t0, %j)
        %next3_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%next3)
        %next3_block = arith.addi %next_block, %none : index
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line0],
              read, locality<2>, data : !attention__key_memory
            memref.prefetch %key_memory[%next3_block, %next_head, %next3_slot, %line32],
              read, locality<2>, data : !attention__key_memory
            %lane_sums = scf.for %k = %none to %head_steps step %lanes iter_args(%so_far = %no_scores)
              -> !attention__score_sums {
              %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
              %key_lanes0_stored = vector.transfer_read
                %key_cache[%key0_block, %kv_head, %key0_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key
    %key_lanes0 = arith.extf %key_lanes0_stored : !attention__given_key to !attention__key_lanes
              %key_lanes1_stored = vector.transfer_read
                %key_cache[%key1_block, %kv_head, %key1_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key
    %key_lanes1 = arith.extf %key_lanes1_stored : !attention__given_key to !attention__key_lanes
              %key_lanes2_stored = vector.transfer_read
                %key_cache[%key2_block, %kv_head, %key2_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key
    %key_lanes2 = arith.extf %key_lanes2_stored : !attention__given_key to !attention__key_lanes
              %key_lanes3_stored = vector.transfer_read
                %key_cache[%key3_block, %kv_head, %key3_slot, %column], %padding
                {in_bounds = [true]} : !attention__key_cache, !attention__given_key
    %key_lanes3 = arith.extf %key_lanes3_stored : !attention__given_key to !attention__key_lanes
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
          %scale = arith.constant dense<0.18033688011112042> : !attention__logits
          %scaled = arith.mulf %score, %scale : !attention__logits
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
          %logit = arith.select %ahead_is_seen, %scaled, %hidden
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
          %factor_least = arith.constant dense<-127.0> : !attention__block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !attention__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
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
          %weight_least = arith.constant dense<-127.0> : !attention__logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !attention__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
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
                %next0_column32 = arith.addi %next_column, %line32 : index
                memref.prefetch %value_memory[
                  %next0_block, %next_head, %next0_slot, %next0_column32],
                  read, locality<2>, data : !attention__value_memory
        %t = arith.addi %t0, %j : index
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block = arith.addi %step_block, %none : index
        %value_row_stored = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %n], %padding
          {in_bounds = [true]} : !attention__value_cache, !attention__given_value
    %value_row = arith.extf %value_row_stored : !attention__given_value to !attention__value_row
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
    %mean_stored = arith.truncf %mean : !attention__output_f32 to !attention__output_row
        %after = vector.transfer_write %mean_stored,
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
      : tensor<1x8x1x64xf16> -> !attention__output_out
    return
  }
  }
}
// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!projection__attended = tensor<1x8x1x64xf16>
!projection__weight = tensor<512x512xf16>
!projection__output = tensor<1x1x512xf16>
!projection__by_token = tensor<1x1x8x64xf16>
!projection__sequences = tensor<1x512xf16>
!projection__acc = tensor<1x512xf32>
!projection__sums = tensor<1x512xf16>
!projection__depth_given = vector<16xf16>
!projection__depth_lanes = vector<16xf32>
!projection__depth_block = vector<1x8x16xf32>
!projection__depth_part = vector<1x8x16xf32>
!projection__depth_sums = vector<1x8xf32>
!projection__depth_row = vector<8xf32>
!projection__depth_numbers = vector<8xf32>
!projection__depth_rows0 = vector<8x16xf32>
!projection__depth_register8 = vector<8xf32>
!projection__depth_register16 = vector<16xf32>
!projection__sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!projection__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x512xf16>>
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
      tensor<1x512xf16>,
      tensor<512x512xf16>
    ) -> (tensor<1x512xf32>)
  %empty = tensor.empty() : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
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
      : !projection__sequences_of_acc -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [512, 512], strides = [1, 1]
      : !projection__weight_of_acc -> tensor<512x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x512xf16>
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
              : tensor<1x512xf16>, !projection__depth_given
    %left0_0 = arith.extf %left0_0_stored : !projection__depth_given to !projection__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right0_0 = arith.extf %right0_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !projection__depth_lanes from !projection__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !projection__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !projection__depth_lanes into !projection__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right1_0 = arith.extf %right1_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !projection__depth_lanes from !projection__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !projection__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !projection__depth_lanes into !projection__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right2_0 = arith.extf %right2_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !projection__depth_lanes from !projection__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !projection__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !projection__depth_lanes into !projection__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right3_0 = arith.extf %right3_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !projection__depth_lanes from !projection__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !projection__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !projection__depth_lanes into !projection__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right4_0 = arith.extf %right4_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !projection__depth_lanes from !projection__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !projection__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !projection__depth_lanes into !projection__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right5_0 = arith.extf %right5_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !projection__depth_lanes from !projection__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !projection__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !projection__depth_lanes into !projection__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right6_0 = arith.extf %right6_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !projection__depth_lanes from !projection__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !projection__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !projection__depth_lanes into !projection__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right7_0 = arith.extf %right7_0_stored : !projection__depth_given to !projection__depth_lanes
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
// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!mlp__hidden = tensor<1x1x512xf16>
!mlp__gate_up_weight = tensor<384x512xf16>
!mlp__down_weight = tensor<512x192xf16>
!mlp__output = tensor<1x1x512xf16>
!mlp__tokens = tensor<1x512xf16>
!mlp__gate = tensor<1x192xf32>
!mlp__kept = !mlp__gate
!mlp__active = tensor<1x192xf16>
!mlp__up = tensor<1x192xf32>
!mlp__inner = tensor<1x192xf16>
!mlp__down = tensor<1x512xf32>
!mlp__rows = tensor<1x512xf16>
!mlp__depth_given = vector<16xf16>
!mlp__depth_lanes = vector<16xf32>
!mlp__depth_block = vector<1x8x16xf32>
!mlp__depth_part = vector<1x8x16xf32>
!mlp__depth_sums = vector<1x8xf32>
!mlp__depth_row = vector<8xf32>
!mlp__depth_numbers = vector<8xf32>
!mlp__depth_rows0 = vector<8x16xf32>
!mlp__depth_register8 = vector<8xf32>
!mlp__depth_register16 = vector<16xf32>
!mlp__tokens_of_gate = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!mlp__gate_up_weight_of_gate = !iree_tensor_ext.dispatch.tensor<readonly:tensor<384x512xf16>>
!mlp__gate_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x192xf32>>
!mlp__tokens_of_up = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!mlp__gate_up_weight_of_up = !iree_tensor_ext.dispatch.tensor<readonly:tensor<384x512xf16>>
!mlp__up_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x192xf32>>
!mlp__inner_of_down = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x192xf16>>
!mlp__down_weight_of_down = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x192xf16>>
!mlp__down_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x512xf32>>
#mlp__rows = affine_map<(m, n) -> (m, n)>

func.func private @mlp(%hidden: !mlp__hidden, %gate_up_weight: !mlp__gate_up_weight, %down_weight: !mlp__down_weight) -> !mlp__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !mlp__hidden into !mlp__tokens
  %gate =
    flow.dispatch @mlp_gate_kernel::@mlp_gate_kernel(
      %tokens, %gate_up_weight
    ) : (
      tensor<1x512xf16>,
      tensor<384x512xf16>
    ) -> (tensor<1x192xf32>)
  %columns_of_gate = arith.constant 192.0 : f32
  %cutoff = arith.constant 1.6448536269514715 : f32
  %empty_of_row = tensor.empty() : tensor<1xf32>
  %start_of_row = linalg.fill ins(%zero : f32) outs(%empty_of_row : tensor<1xf32>) -> tensor<1xf32>
  %gate_sums = linalg.generic {
      indexing_maps = [#mlp__rows, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%gate : !mlp__gate) outs(%start_of_row : tensor<1xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %more = arith.addf %sum, %in : f32
    linalg.yield %more : f32
  } -> tensor<1xf32>
  %gate_squares = linalg.generic {
      indexing_maps = [#mlp__rows, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%gate, %gate_sums : !mlp__gate, tensor<1xf32>) outs(%start_of_row : tensor<1xf32>) {
  ^bb0(%in: f32, %of_row: f32, %sum: f32):
    %mean = arith.divf %of_row, %columns_of_gate : f32
    %off = arith.subf %in, %mean : f32
    %square = arith.mulf %off, %off : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> tensor<1xf32>
  %empty_kept = tensor.empty() : !mlp__gate
  %kept = linalg.generic {
      indexing_maps = [#mlp__rows, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>, #mlp__rows],
      iterator_types = ["parallel", "parallel"]
    } ins(%gate, %gate_sums, %gate_squares : !mlp__gate, tensor<1xf32>, tensor<1xf32>) outs(%empty_kept : !mlp__gate) {
  ^bb0(%in: f32, %of_row: f32, %square_of_row: f32, %unused: f32):
    %mean = arith.divf %of_row, %columns_of_gate : f32
    %variance = arith.divf %square_of_row, %columns_of_gate : f32
    %deviation = math.sqrt %variance : f32
    %above = arith.mulf %deviation, %cutoff : f32
    %off = arith.subf %in, %mean : f32
    %rest = arith.subf %off, %above : f32
    %left = arith.maximumf %rest, %zero : f32
    linalg.yield %left : f32
  } -> !mlp__gate
  %empty_active = tensor.empty() : !mlp__active
  %active = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%kept : !mlp__kept) outs(%empty_active : !mlp__active) {
  ^bb0(%sum: f32, %unused: f16):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %sum : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %sum, %divisor : f32
    %active_stored = arith.truncf %active : f32 to f16
    linalg.yield %active_stored : f16
  } -> !mlp__active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !mlp__active -> !mlp__active
  %up =
    flow.dispatch @mlp_up_kernel::@mlp_up_kernel(
      %tokens, %gate_up_weight
    ) : (
      tensor<1x512xf16>,
      tensor<384x512xf16>
    ) -> (tensor<1x192xf32>)
  %empty_inner = tensor.empty() : !mlp__inner
  %inner = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !mlp__up, !mlp__active) outs(%empty_inner : !mlp__inner) {
  ^bb0(%sum: f32, %factor_stored: f16, %unused: f16):
    %factor = arith.extf %factor_stored : f16 to f32
    %gated = arith.mulf %sum, %factor : f32
    %gated_stored = arith.truncf %gated : f32 to f16
    linalg.yield %gated_stored : f16
  } -> !mlp__inner
  %down =
    flow.dispatch @mlp_down_kernel::@mlp_down_kernel(
      %inner, %down_weight
    ) : (
      tensor<1x192xf16>,
      tensor<512x192xf16>
    ) -> (tensor<1x512xf32>)
  %empty_rows = tensor.empty() : !mlp__rows
  %rows = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !mlp__down) outs(%empty_rows : !mlp__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !mlp__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 512]
    : !mlp__rows into !mlp__output
  return %output : !mlp__output
}
flow.executable private @mlp_gate_kernel {
  flow.executable.export public @mlp_gate_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @mlp_gate_kernel(
      %tokens_in: !mlp__tokens_of_gate,
      %gate_up_weight_in: !mlp__gate_up_weight_of_gate,
      %gate_out: !mlp__gate_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !mlp__tokens_of_gate -> tensor<1x512xf16>
    %gate_up_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_weight_in,
      offsets = [0, 0], sizes = [384, 512], strides = [1, 1]
      : !mlp__gate_up_weight_of_gate -> tensor<384x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 192 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<384x512xf16>
    %empty = tensor.empty() : tensor<1x192xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x192xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x192xf32>) {
        %no_sums = arith.constant dense<0.0> : !mlp__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 383)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 383)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 383)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 383)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 383)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 383)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 383)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 383)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x192xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!mlp__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<384x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !mlp__depth_given
    %left0_0 = arith.extf %left0_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %right0_0_stored = vector.transfer_read
              %gate_up_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right0_0 = arith.extf %right0_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !mlp__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %right1_0_stored = vector.transfer_read
              %gate_up_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right1_0 = arith.extf %right1_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !mlp__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %right2_0_stored = vector.transfer_read
              %gate_up_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right2_0 = arith.extf %right2_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !mlp__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %right3_0_stored = vector.transfer_read
              %gate_up_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right3_0 = arith.extf %right3_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !mlp__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %right4_0_stored = vector.transfer_read
              %gate_up_weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right4_0 = arith.extf %right4_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !mlp__depth_lanes from !mlp__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !mlp__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !mlp__depth_lanes into !mlp__depth_block
            %right5_0_stored = vector.transfer_read
              %gate_up_weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right5_0 = arith.extf %right5_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !mlp__depth_lanes from !mlp__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !mlp__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !mlp__depth_lanes into !mlp__depth_block
            %right6_0_stored = vector.transfer_read
              %gate_up_weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right6_0 = arith.extf %right6_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !mlp__depth_lanes from !mlp__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !mlp__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !mlp__depth_lanes into !mlp__depth_block
            %right7_0_stored = vector.transfer_read
              %gate_up_weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right7_0 = arith.extf %right7_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !mlp__depth_lanes from !mlp__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !mlp__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !mlp__depth_lanes into !mlp__depth_block
            scf.yield %more : !mlp__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers0 = vector.shape_cast %part0 : !mlp__depth_part to !mlp__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !mlp__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !mlp__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !mlp__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !mlp__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !mlp__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !mlp__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !mlp__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !mlp__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !mlp__depth_numbers to !mlp__depth_sums
          %row0 = vector.extract %sums0[0] : !mlp__depth_row from !mlp__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<1x192xf32>
          scf.yield %after : tensor<1x192xf32>
        }
        scf.yield %of_rows : tensor<1x192xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 192] [1, 1]
          : tensor<1x192xf32> into tensor<1x192xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %gate_out,
      offsets = [0, 0], sizes = [1, 192], strides = [1, 1]
      : tensor<1x192xf32> -> !mlp__gate_out
    return
  }
  }
}
flow.executable private @mlp_up_kernel {
  flow.executable.export public @mlp_up_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @mlp_up_kernel(
      %tokens_in: !mlp__tokens_of_up,
      %gate_up_weight_in: !mlp__gate_up_weight_of_up,
      %up_out: !mlp__up_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !mlp__tokens_of_up -> tensor<1x512xf16>
    %gate_up_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_weight_in,
      offsets = [0, 0], sizes = [384, 512], strides = [1, 1]
      : !mlp__gate_up_weight_of_up -> tensor<384x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 192 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<384x512xf16>
    %empty = tensor.empty() : tensor<1x192xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x192xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x192xf32>) {
        %no_sums = arith.constant dense<0.0> : !mlp__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 192)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 192, 383)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 193)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 193, 383)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 194)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 194, 383)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 195)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 195, 383)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 196)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 196, 383)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 197)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 197, 383)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 198)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 198, 383)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 199)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 199, 383)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x192xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!mlp__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<384x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<384x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !mlp__depth_given
    %left0_0 = arith.extf %left0_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %right0_0_stored = vector.transfer_read
              %gate_up_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right0_0 = arith.extf %right0_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !mlp__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %right1_0_stored = vector.transfer_read
              %gate_up_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right1_0 = arith.extf %right1_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !mlp__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %right2_0_stored = vector.transfer_read
              %gate_up_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right2_0 = arith.extf %right2_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !mlp__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %right3_0_stored = vector.transfer_read
              %gate_up_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right3_0 = arith.extf %right3_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !mlp__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %right4_0_stored = vector.transfer_read
              %gate_up_weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right4_0 = arith.extf %right4_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !mlp__depth_lanes from !mlp__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !mlp__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !mlp__depth_lanes into !mlp__depth_block
            %right5_0_stored = vector.transfer_read
              %gate_up_weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right5_0 = arith.extf %right5_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !mlp__depth_lanes from !mlp__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !mlp__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !mlp__depth_lanes into !mlp__depth_block
            %right6_0_stored = vector.transfer_read
              %gate_up_weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right6_0 = arith.extf %right6_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !mlp__depth_lanes from !mlp__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !mlp__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !mlp__depth_lanes into !mlp__depth_block
            %right7_0_stored = vector.transfer_read
              %gate_up_weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<384x512xf16>, !mlp__depth_given
    %right7_0 = arith.extf %right7_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !mlp__depth_lanes from !mlp__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !mlp__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !mlp__depth_lanes into !mlp__depth_block
            scf.yield %more : !mlp__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers0 = vector.shape_cast %part0 : !mlp__depth_part to !mlp__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !mlp__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !mlp__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !mlp__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !mlp__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !mlp__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !mlp__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !mlp__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !mlp__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !mlp__depth_numbers to !mlp__depth_sums
          %row0 = vector.extract %sums0[0] : !mlp__depth_row from !mlp__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<1x192xf32>
          scf.yield %after : tensor<1x192xf32>
        }
        scf.yield %of_rows : tensor<1x192xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 192] [1, 1]
          : tensor<1x192xf32> into tensor<1x192xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %up_out,
      offsets = [0, 0], sizes = [1, 192], strides = [1, 1]
      : tensor<1x192xf32> -> !mlp__up_out
    return
  }
  }
}
flow.executable private @mlp_down_kernel {
  flow.executable.export public @mlp_down_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @mlp_down_kernel(
      %inner_in: !mlp__inner_of_down,
      %down_weight_in: !mlp__down_weight_of_down,
      %down_out: !mlp__down_out
    ) {
    %inner = iree_tensor_ext.dispatch.tensor.load %inner_in,
      offsets = [0, 0], sizes = [1, 192], strides = [1, 1]
      : !mlp__inner_of_down -> tensor<1x192xf16>
    %down_weight = iree_tensor_ext.dispatch.tensor.load %down_weight_in,
      offsets = [0, 0], sizes = [512, 192], strides = [1, 1]
      : !mlp__down_weight_of_down -> tensor<512x192xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 192 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x192xf16>
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
        %no_sums = arith.constant dense<0.0> : !mlp__depth_block
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
            -> (!mlp__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<512x192xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<512x192xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %inner[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x192xf16>, !mlp__depth_given
    %left0_0 = arith.extf %left0_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %right0_0_stored = vector.transfer_read
              %down_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right0_0 = arith.extf %right0_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !mlp__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %right1_0_stored = vector.transfer_read
              %down_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right1_0 = arith.extf %right1_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !mlp__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %right2_0_stored = vector.transfer_read
              %down_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right2_0 = arith.extf %right2_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !mlp__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %right3_0_stored = vector.transfer_read
              %down_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right3_0 = arith.extf %right3_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !mlp__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %right4_0_stored = vector.transfer_read
              %down_weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right4_0 = arith.extf %right4_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !mlp__depth_lanes from !mlp__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !mlp__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !mlp__depth_lanes into !mlp__depth_block
            %right5_0_stored = vector.transfer_read
              %down_weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right5_0 = arith.extf %right5_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !mlp__depth_lanes from !mlp__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !mlp__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !mlp__depth_lanes into !mlp__depth_block
            %right6_0_stored = vector.transfer_read
              %down_weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right6_0 = arith.extf %right6_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !mlp__depth_lanes from !mlp__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !mlp__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !mlp__depth_lanes into !mlp__depth_block
            %right7_0_stored = vector.transfer_read
              %down_weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x192xf16>, !mlp__depth_given
    %right7_0 = arith.extf %right7_0_stored : !mlp__depth_given to !mlp__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !mlp__depth_lanes from !mlp__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !mlp__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !mlp__depth_lanes into !mlp__depth_block
            scf.yield %more : !mlp__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers0 = vector.shape_cast %part0 : !mlp__depth_part to !mlp__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !mlp__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !mlp__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !mlp__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !mlp__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !mlp__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !mlp__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !mlp__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !mlp__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !mlp__depth_numbers to !mlp__depth_sums
          %row0 = vector.extract %sums0[0] : !mlp__depth_row from !mlp__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<1x512xf32>
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
    iree_tensor_ext.dispatch.tensor.store %workgroups, %down_out,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : tensor<1x512xf32> -> !mlp__down_out
    return
  }
  }
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!laurel_down__hidden = tensor<1x1x512xf16>
!laurel_down__weight = tensor<8x512xf16>
!laurel_down__output = tensor<1x1x8xf16>
!laurel_down__tokens = tensor<1x512xf16>
!laurel_down__acc = tensor<1x8xf32>
!laurel_down__rows = tensor<1x8xf16>
!laurel_down__depth_given = vector<16xf16>
!laurel_down__depth_lanes = vector<16xf32>
!laurel_down__depth_block = vector<1x8x16xf32>
!laurel_down__depth_part = vector<1x8x16xf32>
!laurel_down__depth_sums = vector<1x8xf32>
!laurel_down__depth_row = vector<8xf32>
!laurel_down__depth_numbers = vector<8xf32>
!laurel_down__depth_rows0 = vector<8x16xf32>
!laurel_down__depth_register8 = vector<8xf32>
!laurel_down__depth_register16 = vector<16xf32>
!laurel_down__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!laurel_down__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x512xf16>>
!laurel_down__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8xf32>>
#laurel_down__rows = affine_map<(m, n) -> (m, n)>

func.func private @laurel_down(%hidden: !laurel_down__hidden, %weight: !laurel_down__weight) -> !laurel_down__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !laurel_down__hidden into !laurel_down__tokens
  %acc =
    flow.dispatch @laurel_down_acc_kernel::@laurel_down_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf16>,
      tensor<8x512xf16>
    ) -> (tensor<1x8xf32>)
  %empty = tensor.empty() : !laurel_down__rows
  %rows = linalg.generic {
      indexing_maps = [#laurel_down__rows, #laurel_down__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !laurel_down__acc) outs(%empty : !laurel_down__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !laurel_down__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 8]
    : !laurel_down__rows into !laurel_down__output
  return %output : !laurel_down__output
}
flow.executable private @laurel_down_acc_kernel {
  flow.executable.export public @laurel_down_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @laurel_down_acc_kernel(
      %tokens_in: !laurel_down__tokens_of_acc,
      %weight_in: !laurel_down__weight_of_acc,
      %acc_out: !laurel_down__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !laurel_down__tokens_of_acc -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [8, 512], strides = [1, 1]
      : !laurel_down__weight_of_acc -> tensor<8x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 8 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<8x512xf16>
    %empty = tensor.empty() : tensor<1x8xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x8xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x8xf32>) {
        %no_sums = arith.constant dense<0.0> : !laurel_down__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 7)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 7)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 7)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 7)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 7)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 7)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 7)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 7)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x8xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!laurel_down__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<8x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<8x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !laurel_down__depth_given
    %left0_0 = arith.extf %left0_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right0_0 = arith.extf %right0_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !laurel_down__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right1_0 = arith.extf %right1_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !laurel_down__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right2_0 = arith.extf %right2_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !laurel_down__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right3_0 = arith.extf %right3_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !laurel_down__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right4_0 = arith.extf %right4_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !laurel_down__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right5_0 = arith.extf %right5_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !laurel_down__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right6_0 = arith.extf %right6_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !laurel_down__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<8x512xf16>, !laurel_down__depth_given
    %right7_0 = arith.extf %right7_0_stored : !laurel_down__depth_given to !laurel_down__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !laurel_down__depth_lanes from !laurel_down__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !laurel_down__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !laurel_down__depth_lanes into !laurel_down__depth_block
            scf.yield %more : !laurel_down__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !laurel_down__depth_block to !laurel_down__depth_part
          %registers0 = vector.shape_cast %part0 : !laurel_down__depth_part to !laurel_down__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !laurel_down__depth_register16 from !laurel_down__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !laurel_down__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !laurel_down__depth_register16, !laurel_down__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !laurel_down__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !laurel_down__depth_numbers to !laurel_down__depth_sums
          %row0 = vector.extract %sums0[0] : !laurel_down__depth_row from !laurel_down__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !laurel_down__depth_row, tensor<1x8xf32>
          scf.yield %after : tensor<1x8xf32>
        }
        scf.yield %of_rows : tensor<1x8xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 8] [1, 1]
          : tensor<1x8xf32> into tensor<1x8xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 8], strides = [1, 1]
      : tensor<1x8xf32> -> !laurel_down__acc_out
    return
  }
  }
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!laurel_up__hidden = tensor<1x1x8xf16>
!laurel_up__weight = tensor<512x8xf16>
!laurel_up__output = tensor<1x1x512xf16>
!laurel_up__tokens = tensor<1x8xf16>
!laurel_up__acc = tensor<1x512xf32>
!laurel_up__rows = tensor<1x512xf16>
#laurel_up__x = affine_map<(m, n, k) -> (m, k)>
#laurel_up__weight = affine_map<(m, n, k) -> (n, k)>
#laurel_up__acc = affine_map<(m, n, k) -> (m, n)>
#laurel_up__rows = affine_map<(m, n) -> (m, n)>

func.func private @laurel_up(%hidden: !laurel_up__hidden, %weight: !laurel_up__weight) -> !laurel_up__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !laurel_up__hidden into !laurel_up__tokens
  %empty_acc = tensor.empty() : !laurel_up__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !laurel_up__acc) -> !laurel_up__acc
  %acc = linalg.generic {
      indexing_maps = [#laurel_up__x, #laurel_up__weight, #laurel_up__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !laurel_up__tokens, !laurel_up__weight) outs(%start_of_acc : !laurel_up__acc) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !laurel_up__acc
  %empty = tensor.empty() : !laurel_up__rows
  %rows = linalg.generic {
      indexing_maps = [#laurel_up__rows, #laurel_up__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !laurel_up__acc) outs(%empty : !laurel_up__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !laurel_up__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 512]
    : !laurel_up__rows into !laurel_up__output
  return %output : !laurel_up__output
}
// tanh(RMSNorm(hidden) · router_weightᵀ / hidden_size) · weightᵀ.
// The parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!prediction_norm__x = tensor<1x512xf16>
!prediction_norm__weight = tensor<512xf16>
!prediction_norm__output = tensor<1x512xf16>
!prediction_norm__row = tensor<1xf32>
#prediction_norm__x = affine_map<(r, n) -> (r, n)>
#prediction_norm__row = affine_map<(r, n) -> (r)>
#prediction_norm__weight = affine_map<(r, n) -> (n)>

func.func private @prediction_norm(%x: !prediction_norm__x, %weight: !prediction_norm__weight) -> !prediction_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !prediction_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !prediction_norm__row) -> !prediction_norm__row
  %squares = linalg.generic {
      indexing_maps = [#prediction_norm__x, #prediction_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !prediction_norm__x) outs(%start : !prediction_norm__row) {
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !prediction_norm__row
  %columns = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !prediction_norm__output
  %output = linalg.generic {
      indexing_maps = [#prediction_norm__x, #prediction_norm__row, #prediction_norm__weight, #prediction_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !prediction_norm__x, !prediction_norm__row, !prediction_norm__weight) outs(%output_empty : !prediction_norm__output) {
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
  } -> !prediction_norm__output
  return %output : !prediction_norm__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!prediction_router__hidden = tensor<1x1x512xf16>
!prediction_router__weight = tensor<4x512xf16>
!prediction_router__output = tensor<1x1x4xf16>
!prediction_router__tokens = tensor<1x512xf16>
!prediction_router__acc = tensor<1x4xf32>
!prediction_router__rows = tensor<1x4xf16>
!prediction_router__depth_given = vector<16xf16>
!prediction_router__depth_lanes = vector<16xf32>
!prediction_router__depth_block = vector<1x8x16xf32>
!prediction_router__depth_part = vector<1x8x16xf32>
!prediction_router__depth_sums = vector<1x8xf32>
!prediction_router__depth_row = vector<8xf32>
!prediction_router__depth_numbers = vector<8xf32>
!prediction_router__depth_rows0 = vector<8x16xf32>
!prediction_router__depth_register8 = vector<8xf32>
!prediction_router__depth_register16 = vector<16xf32>
!prediction_router__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!prediction_router__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x512xf16>>
!prediction_router__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x4xf32>>
#prediction_router__rows = affine_map<(m, n) -> (m, n)>

func.func private @prediction_router(%hidden: !prediction_router__hidden, %weight: !prediction_router__weight) -> !prediction_router__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !prediction_router__hidden into !prediction_router__tokens
  %acc =
    flow.dispatch @prediction_router_acc_kernel::@prediction_router_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf16>,
      tensor<4x512xf16>
    ) -> (tensor<1x4xf32>)
  %empty = tensor.empty() : !prediction_router__rows
  %rows = linalg.generic {
      indexing_maps = [#prediction_router__rows, #prediction_router__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !prediction_router__acc) outs(%empty : !prediction_router__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !prediction_router__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 4]
    : !prediction_router__rows into !prediction_router__output
  return %output : !prediction_router__output
}
flow.executable private @prediction_router_acc_kernel {
  flow.executable.export public @prediction_router_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @prediction_router_acc_kernel(
      %tokens_in: !prediction_router__tokens_of_acc,
      %weight_in: !prediction_router__weight_of_acc,
      %acc_out: !prediction_router__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !prediction_router__tokens_of_acc -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [4, 512], strides = [1, 1]
      : !prediction_router__weight_of_acc -> tensor<4x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 4 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<4x512xf16>
    %empty = tensor.empty() : tensor<1x4xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x4xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x4xf32>) {
        %no_sums = arith.constant dense<0.0> : !prediction_router__depth_block
        %n0 = affine.min affine_map<(n) -> (n + 0, 3)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 3)>(%n)[%column_step]
        %n1 = affine.min affine_map<(n) -> (n + 1, 3)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 3)>(%n)[%column_step]
        %n2 = affine.min affine_map<(n) -> (n + 2, 3)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 3)>(%n)[%column_step]
        %n3 = affine.min affine_map<(n) -> (n + 3, 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 3)>(%n)[%column_step]
        %n4 = affine.min affine_map<(n) -> (n + 4, 3)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 3)>(%n)[%column_step]
        %n5 = affine.min affine_map<(n) -> (n + 5, 3)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 3)>(%n)[%column_step]
        %n6 = affine.min affine_map<(n) -> (n + 6, 3)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 3)>(%n)[%column_step]
        %n7 = affine.min affine_map<(n) -> (n + 7, 3)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 3)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x4xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!prediction_router__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<4x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !prediction_router__depth_given
    %left0_0 = arith.extf %left0_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right0_0 = arith.extf %right0_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !prediction_router__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right1_0 = arith.extf %right1_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !prediction_router__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right2_0 = arith.extf %right2_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !prediction_router__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right3_0 = arith.extf %right3_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !prediction_router__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right4_0 = arith.extf %right4_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !prediction_router__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right5_0 = arith.extf %right5_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !prediction_router__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right6_0 = arith.extf %right6_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !prediction_router__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !prediction_router__depth_given
    %right7_0 = arith.extf %right7_0_stored : !prediction_router__depth_given to !prediction_router__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !prediction_router__depth_lanes from !prediction_router__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !prediction_router__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !prediction_router__depth_lanes into !prediction_router__depth_block
            scf.yield %more : !prediction_router__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !prediction_router__depth_block to !prediction_router__depth_part
          %registers0 = vector.shape_cast %part0 : !prediction_router__depth_part to !prediction_router__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !prediction_router__depth_register16 from !prediction_router__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !prediction_router__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !prediction_router__depth_register16, !prediction_router__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !prediction_router__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !prediction_router__depth_numbers to !prediction_router__depth_sums
          %row0 = vector.extract %sums0[0] : !prediction_router__depth_row from !prediction_router__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [false]} : !prediction_router__depth_row, tensor<1x4xf32>
          scf.yield %after : tensor<1x4xf32>
        }
        scf.yield %of_rows : tensor<1x4xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 4] [1, 1]
          : tensor<1x4xf32> into tensor<1x4xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 4], strides = [1, 1]
      : tensor<1x4xf32> -> !prediction_router__acc_out
    return
  }
  }
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!prediction_product__hidden = tensor<1x1x4xf16>
!prediction_product__weight = tensor<16x4xf16>
!prediction_product__output = tensor<1x1x16xf16>
!prediction_product__tokens = tensor<1x4xf16>
!prediction_product__acc = tensor<1x16xf32>
!prediction_product__rows = tensor<1x16xf16>
#prediction_product__x = affine_map<(m, n, k) -> (m, k)>
#prediction_product__weight = affine_map<(m, n, k) -> (n, k)>
#prediction_product__acc = affine_map<(m, n, k) -> (m, n)>
#prediction_product__rows = affine_map<(m, n) -> (m, n)>

func.func private @prediction_product(%hidden: !prediction_product__hidden, %weight: !prediction_product__weight) -> !prediction_product__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !prediction_product__hidden into !prediction_product__tokens
  %empty_acc = tensor.empty() : !prediction_product__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !prediction_product__acc) -> !prediction_product__acc
  %acc = linalg.generic {
      indexing_maps = [#prediction_product__x, #prediction_product__weight, #prediction_product__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !prediction_product__tokens, !prediction_product__weight) outs(%start_of_acc : !prediction_product__acc) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !prediction_product__acc
  %empty = tensor.empty() : !prediction_product__rows
  %rows = linalg.generic {
      indexing_maps = [#prediction_product__rows, #prediction_product__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !prediction_product__acc) outs(%empty : !prediction_product__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !prediction_product__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 16]
    : !prediction_product__rows into !prediction_product__output
  return %output : !prediction_product__output
}
!prediction__hidden = tensor<1x512xf16>
!prediction__norm_weight = tensor<512xf16>
!prediction__router_weight = tensor<4x512xf16>
!prediction__weight = tensor<16x4xf16>
!prediction__coefficients = tensor<1x16xf16>
!prediction__tokens = tensor<1x1x512xf16>
!prediction__routed = tensor<1x1x4xf16>
#prediction__routed = affine_map<(b, m, n) -> (b, m, n)>

func.func private @prediction(%hidden: !prediction__hidden, %norm_weight: !prediction__norm_weight, %router_weight: !prediction__router_weight, %weight: !prediction__weight) -> !prediction__coefficients {
  %normed = call @prediction_norm(%hidden, %norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %tokens = tensor.expand_shape %normed [[0, 1], [2]] output_shape [1, 1, 512]
      : !prediction__hidden into !prediction__tokens
  %routed = call @prediction_router(%tokens, %router_weight) : (tensor<1x1x512xf16>, tensor<4x512xf16>) -> (tensor<1x1x4xf16>)
  %size = arith.constant 512.0 : f32
  %empty = tensor.empty() : !prediction__routed
  %bent = linalg.generic {
      indexing_maps = [#prediction__routed, #prediction__routed], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%routed : !prediction__routed) outs(%empty : !prediction__routed) {
  ^bb0(%in_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %small = arith.divf %in, %size : f32
    %tanh = math.tanh %small : f32
    %tanh_stored = arith.truncf %tanh : f32 to f16
    linalg.yield %tanh_stored : f16
  } -> !prediction__routed
  %made = call @prediction_product(%bent, %weight) : (tensor<1x1x4xf16>, tensor<16x4xf16>) -> (tensor<1x1x16xf16>)
  %coefficients = tensor.collapse_shape %made [[0, 1], [2]]
      : tensor<1x1x16xf16> into !prediction__coefficients
  return %coefficients : !prediction__coefficients
}
// tanh(RMSNorm(hidden) · router_weightᵀ / hidden_size) · weightᵀ.
// The parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!correction_norm__x = tensor<1x512xf16>
!correction_norm__weight = tensor<512xf16>
!correction_norm__output = tensor<1x512xf16>
!correction_norm__row = tensor<1xf32>
#correction_norm__x = affine_map<(r, n) -> (r, n)>
#correction_norm__row = affine_map<(r, n) -> (r)>
#correction_norm__weight = affine_map<(r, n) -> (n)>

func.func private @correction_norm(%x: !correction_norm__x, %weight: !correction_norm__weight) -> !correction_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !correction_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !correction_norm__row) -> !correction_norm__row
  %squares = linalg.generic {
      indexing_maps = [#correction_norm__x, #correction_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !correction_norm__x) outs(%start : !correction_norm__row) {
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !correction_norm__row
  %columns = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !correction_norm__output
  %output = linalg.generic {
      indexing_maps = [#correction_norm__x, #correction_norm__row, #correction_norm__weight, #correction_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !correction_norm__x, !correction_norm__row, !correction_norm__weight) outs(%output_empty : !correction_norm__output) {
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
  } -> !correction_norm__output
  return %output : !correction_norm__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!correction_router__hidden = tensor<1x1x512xf16>
!correction_router__weight = tensor<4x512xf16>
!correction_router__output = tensor<1x1x4xf16>
!correction_router__tokens = tensor<1x512xf16>
!correction_router__acc = tensor<1x4xf32>
!correction_router__rows = tensor<1x4xf16>
!correction_router__depth_given = vector<16xf16>
!correction_router__depth_lanes = vector<16xf32>
!correction_router__depth_block = vector<1x8x16xf32>
!correction_router__depth_part = vector<1x8x16xf32>
!correction_router__depth_sums = vector<1x8xf32>
!correction_router__depth_row = vector<8xf32>
!correction_router__depth_numbers = vector<8xf32>
!correction_router__depth_rows0 = vector<8x16xf32>
!correction_router__depth_register8 = vector<8xf32>
!correction_router__depth_register16 = vector<16xf32>
!correction_router__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!correction_router__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x512xf16>>
!correction_router__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x4xf32>>
#correction_router__rows = affine_map<(m, n) -> (m, n)>

func.func private @correction_router(%hidden: !correction_router__hidden, %weight: !correction_router__weight) -> !correction_router__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !correction_router__hidden into !correction_router__tokens
  %acc =
    flow.dispatch @correction_router_acc_kernel::@correction_router_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf16>,
      tensor<4x512xf16>
    ) -> (tensor<1x4xf32>)
  %empty = tensor.empty() : !correction_router__rows
  %rows = linalg.generic {
      indexing_maps = [#correction_router__rows, #correction_router__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !correction_router__acc) outs(%empty : !correction_router__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !correction_router__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 4]
    : !correction_router__rows into !correction_router__output
  return %output : !correction_router__output
}
flow.executable private @correction_router_acc_kernel {
  flow.executable.export public @correction_router_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @correction_router_acc_kernel(
      %tokens_in: !correction_router__tokens_of_acc,
      %weight_in: !correction_router__weight_of_acc,
      %acc_out: !correction_router__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !correction_router__tokens_of_acc -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [4, 512], strides = [1, 1]
      : !correction_router__weight_of_acc -> tensor<4x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 4 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<4x512xf16>
    %empty = tensor.empty() : tensor<1x4xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x4xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x4xf32>) {
        %no_sums = arith.constant dense<0.0> : !correction_router__depth_block
        %n0 = affine.min affine_map<(n) -> (n + 0, 3)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 3)>(%n)[%column_step]
        %n1 = affine.min affine_map<(n) -> (n + 1, 3)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 3)>(%n)[%column_step]
        %n2 = affine.min affine_map<(n) -> (n + 2, 3)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 3)>(%n)[%column_step]
        %n3 = affine.min affine_map<(n) -> (n + 3, 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 3)>(%n)[%column_step]
        %n4 = affine.min affine_map<(n) -> (n + 4, 3)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 3)>(%n)[%column_step]
        %n5 = affine.min affine_map<(n) -> (n + 5, 3)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 3)>(%n)[%column_step]
        %n6 = affine.min affine_map<(n) -> (n + 6, 3)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 3)>(%n)[%column_step]
        %n7 = affine.min affine_map<(n) -> (n + 7, 3)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 3)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x4xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!correction_router__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<4x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<4x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !correction_router__depth_given
    %left0_0 = arith.extf %left0_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right0_0 = arith.extf %right0_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !correction_router__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right1_0 = arith.extf %right1_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !correction_router__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right2_0 = arith.extf %right2_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !correction_router__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right3_0 = arith.extf %right3_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !correction_router__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right4_0 = arith.extf %right4_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !correction_router__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right5_0 = arith.extf %right5_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !correction_router__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right6_0 = arith.extf %right6_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !correction_router__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !correction_router__depth_lanes into !correction_router__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<4x512xf16>, !correction_router__depth_given
    %right7_0 = arith.extf %right7_0_stored : !correction_router__depth_given to !correction_router__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !correction_router__depth_lanes from !correction_router__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !correction_router__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !correction_router__depth_lanes into !correction_router__depth_block
            scf.yield %more : !correction_router__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !correction_router__depth_block to !correction_router__depth_part
          %registers0 = vector.shape_cast %part0 : !correction_router__depth_part to !correction_router__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !correction_router__depth_register16 from !correction_router__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !correction_router__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !correction_router__depth_register16, !correction_router__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !correction_router__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !correction_router__depth_numbers to !correction_router__depth_sums
          %row0 = vector.extract %sums0[0] : !correction_router__depth_row from !correction_router__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [false]} : !correction_router__depth_row, tensor<1x4xf32>
          scf.yield %after : tensor<1x4xf32>
        }
        scf.yield %of_rows : tensor<1x4xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 4] [1, 1]
          : tensor<1x4xf32> into tensor<1x4xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 4], strides = [1, 1]
      : tensor<1x4xf32> -> !correction_router__acc_out
    return
  }
  }
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!correction_product__hidden = tensor<1x1x4xf16>
!correction_product__weight = tensor<4x4xf16>
!correction_product__output = tensor<1x1x4xf16>
!correction_product__tokens = tensor<1x4xf16>
!correction_product__acc = tensor<1x4xf32>
!correction_product__rows = tensor<1x4xf16>
#correction_product__x = affine_map<(m, n, k) -> (m, k)>
#correction_product__weight = affine_map<(m, n, k) -> (n, k)>
#correction_product__acc = affine_map<(m, n, k) -> (m, n)>
#correction_product__rows = affine_map<(m, n) -> (m, n)>

func.func private @correction_product(%hidden: !correction_product__hidden, %weight: !correction_product__weight) -> !correction_product__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !correction_product__hidden into !correction_product__tokens
  %empty_acc = tensor.empty() : !correction_product__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !correction_product__acc) -> !correction_product__acc
  %acc = linalg.generic {
      indexing_maps = [#correction_product__x, #correction_product__weight, #correction_product__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !correction_product__tokens, !correction_product__weight) outs(%start_of_acc : !correction_product__acc) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !correction_product__acc
  %empty = tensor.empty() : !correction_product__rows
  %rows = linalg.generic {
      indexing_maps = [#correction_product__rows, #correction_product__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !correction_product__acc) outs(%empty : !correction_product__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !correction_product__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 4]
    : !correction_product__rows into !correction_product__output
  return %output : !correction_product__output
}
!correction__hidden = tensor<1x512xf16>
!correction__norm_weight = tensor<512xf16>
!correction__router_weight = tensor<4x512xf16>
!correction__weight = tensor<4x4xf16>
!correction__coefficients = tensor<1x4xf16>
!correction__tokens = tensor<1x1x512xf16>
!correction__routed = tensor<1x1x4xf16>
#correction__routed = affine_map<(b, m, n) -> (b, m, n)>

func.func private @correction(%hidden: !correction__hidden, %norm_weight: !correction__norm_weight, %router_weight: !correction__router_weight, %weight: !correction__weight) -> !correction__coefficients {
  %normed = call @correction_norm(%hidden, %norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %tokens = tensor.expand_shape %normed [[0, 1], [2]] output_shape [1, 1, 512]
      : !correction__hidden into !correction__tokens
  %routed = call @correction_router(%tokens, %router_weight) : (tensor<1x1x512xf16>, tensor<4x512xf16>) -> (tensor<1x1x4xf16>)
  %size = arith.constant 512.0 : f32
  %empty = tensor.empty() : !correction__routed
  %bent = linalg.generic {
      indexing_maps = [#correction__routed, #correction__routed], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%routed : !correction__routed) outs(%empty : !correction__routed) {
  ^bb0(%in_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %small = arith.divf %in, %size : f32
    %tanh = math.tanh %small : f32
    %tanh_stored = arith.truncf %tanh : f32 to f16
    linalg.yield %tanh_stored : f16
  } -> !correction__routed
  %made = call @correction_product(%bent, %weight) : (tensor<1x1x4xf16>, tensor<4x4xf16>) -> (tensor<1x1x4xf16>)
  %coefficients = tensor.collapse_shape %made [[0, 1], [2]]
      : tensor<1x1x4xf16> into !correction__coefficients
  return %coefficients : !correction__coefficients
}
// The row of the weights that each token id names, scaled.
!token_embedding__token_ids = tensor<1x1xi32>
!token_embedding__weight = tensor<30x16xf16>
!token_embedding__output = tensor<1x1x16xf16>
!token_embedding__token_ids_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1xi32>>
!token_embedding__weight_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<30x16xf16>>
!token_embedding__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x1x16xf16>>
!token_embedding__some = vector<32xf16>
!token_embedding__some_f32 = vector<32xf32>
func.func private @token_embedding(%token_ids: !token_embedding__token_ids, %weight: !token_embedding__weight) -> !token_embedding__output {
  %output =
    flow.dispatch @token_embedding_output_kernel::@token_embedding_output_kernel(
      %token_ids, %weight
    ) : (
      tensor<1x1xi32>,
      tensor<30x16xf16>
    ) -> (tensor<1x1x16xf16>)
  return %output : !token_embedding__output
}
flow.executable private @token_embedding_output_kernel {
  flow.executable.export public @token_embedding_output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @token_embedding_output_kernel(
      %token_ids_in: !token_embedding__token_ids_in,
      %weight_in: !token_embedding__weight_in,
      %output_out: !token_embedding__output_out
    ) {
    %token_ids = iree_tensor_ext.dispatch.tensor.load %token_ids_in,
      offsets = [0, 0], sizes = [1, 1], strides = [1, 1]
      : !token_embedding__token_ids_in -> tensor<1x1xi32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [30, 16], strides = [1, 1]
      : !token_embedding__weight_in -> tensor<30x16xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %columns = arith.constant 16 : index
    %step = arith.constant 32 : index
    %sequences = arith.constant 1 : index
    %tokens = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %scale = arith.constant dense<4.0> : !token_embedding__some_f32
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 16)>()[%tokens]
    %empty = tensor.empty() : !token_embedding__output
    %workgroups = scf.forall (%b, %i) in (%sequences, %groups) shared_outs(%all = %empty)
      -> (!token_embedding__output) {
      %first = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %end = affine.min affine_map<(f)[n] -> (f + 16, n)>(%first)[%tokens]
      %embedded = scf.for %t = %first to %end step %one iter_args(%of_tokens = %all) -> (!token_embedding__output) {
        %id = tensor.extract %token_ids[%b, %t] : !token_embedding__token_ids
        %row = arith.index_cast %id : i32 to index
        %of_token = scf.for %c = %none to %columns step %step iter_args(%before = %of_tokens) -> (!token_embedding__output) {
          %some = vector.transfer_read %weight[%row, %c], %padding {in_bounds = [false]}
            : !token_embedding__weight, !token_embedding__some
          %some_f32 = arith.extf %some : !token_embedding__some to !token_embedding__some_f32
          %scaled_f32 = arith.mulf %some_f32, %scale : !token_embedding__some_f32
          %scaled = arith.truncf %scaled_f32 : !token_embedding__some_f32 to !token_embedding__some
          %after = vector.transfer_write %scaled, %before[%b, %t, %c]
            {in_bounds = [false]} : !token_embedding__some, !token_embedding__output
          scf.yield %after : !token_embedding__output
        }
        scf.yield %of_token : !token_embedding__output
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %embedded
          into %all[0, 0, 0] [1, 1, 16] [1, 1, 1] : !token_embedding__output into !token_embedding__output
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0], sizes = [1, 1, 16], strides = [1, 1, 1]
      : tensor<1x1x16xf16> -> !token_embedding__output_out
    return
  }
  }
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!token_projection__hidden = tensor<1x1x512xf16>
!token_projection__weight = tensor<16x512xf16>
!token_projection__output = tensor<1x1x16xf16>
!token_projection__tokens = tensor<1x512xf16>
!token_projection__acc = tensor<1x16xf32>
!token_projection__rows = tensor<1x16xf16>
!token_projection__depth_given = vector<16xf16>
!token_projection__depth_lanes = vector<16xf32>
!token_projection__depth_block = vector<1x8x16xf32>
!token_projection__depth_part = vector<1x8x16xf32>
!token_projection__depth_sums = vector<1x8xf32>
!token_projection__depth_row = vector<8xf32>
!token_projection__depth_numbers = vector<8xf32>
!token_projection__depth_rows0 = vector<8x16xf32>
!token_projection__depth_register8 = vector<8xf32>
!token_projection__depth_register16 = vector<16xf32>
!token_projection__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!token_projection__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x512xf16>>
!token_projection__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x16xf32>>
#token_projection__rows = affine_map<(m, n) -> (m, n)>

func.func private @token_projection(%hidden: !token_projection__hidden, %weight: !token_projection__weight) -> !token_projection__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !token_projection__hidden into !token_projection__tokens
  %acc =
    flow.dispatch @token_projection_acc_kernel::@token_projection_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf16>,
      tensor<16x512xf16>
    ) -> (tensor<1x16xf32>)
  %empty = tensor.empty() : !token_projection__rows
  %rows = linalg.generic {
      indexing_maps = [#token_projection__rows, #token_projection__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !token_projection__acc) outs(%empty : !token_projection__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !token_projection__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 16]
    : !token_projection__rows into !token_projection__output
  return %output : !token_projection__output
}
flow.executable private @token_projection_acc_kernel {
  flow.executable.export public @token_projection_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @token_projection_acc_kernel(
      %tokens_in: !token_projection__tokens_of_acc,
      %weight_in: !token_projection__weight_of_acc,
      %acc_out: !token_projection__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !token_projection__tokens_of_acc -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : !token_projection__weight_of_acc -> tensor<16x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<16x512xf16>
    %empty = tensor.empty() : tensor<1x16xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x16xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x16xf32>) {
        %no_sums = arith.constant dense<0.0> : !token_projection__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 15)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 15)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 15)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 15)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 15)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 15)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 15)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 15)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x16xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!token_projection__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<16x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !token_projection__depth_given
    %left0_0 = arith.extf %left0_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right0_0 = arith.extf %right0_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !token_projection__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right1_0 = arith.extf %right1_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !token_projection__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right2_0 = arith.extf %right2_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !token_projection__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right3_0 = arith.extf %right3_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !token_projection__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right4_0 = arith.extf %right4_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !token_projection__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right5_0 = arith.extf %right5_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !token_projection__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right6_0 = arith.extf %right6_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !token_projection__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !token_projection__depth_lanes into !token_projection__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_projection__depth_given
    %right7_0 = arith.extf %right7_0_stored : !token_projection__depth_given to !token_projection__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !token_projection__depth_lanes from !token_projection__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !token_projection__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !token_projection__depth_lanes into !token_projection__depth_block
            scf.yield %more : !token_projection__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !token_projection__depth_block to !token_projection__depth_part
          %registers0 = vector.shape_cast %part0 : !token_projection__depth_part to !token_projection__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !token_projection__depth_register16 from !token_projection__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !token_projection__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !token_projection__depth_register16, !token_projection__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !token_projection__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !token_projection__depth_numbers to !token_projection__depth_sums
          %row0 = vector.extract %sums0[0] : !token_projection__depth_row from !token_projection__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !token_projection__depth_row, tensor<1x16xf32>
          scf.yield %after : tensor<1x16xf32>
        }
        scf.yield %of_rows : tensor<1x16xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 16] [1, 1]
          : tensor<1x16xf32> into tensor<1x16xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
      : tensor<1x16xf32> -> !token_projection__acc_out
    return
  }
  }
}
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!token_norm__x = tensor<1x16xf16>
!token_norm__weight = tensor<16xf16>
!token_norm__output = tensor<1x16xf16>
!token_norm__row = tensor<1xf32>
#token_norm__x = affine_map<(r, n) -> (r, n)>
#token_norm__row = affine_map<(r, n) -> (r)>
#token_norm__weight = affine_map<(r, n) -> (n)>

func.func private @token_norm(%x: !token_norm__x, %weight: !token_norm__weight) -> !token_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !token_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !token_norm__row) -> !token_norm__row
  %squares = linalg.generic {
      indexing_maps = [#token_norm__x, #token_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !token_norm__x) outs(%start : !token_norm__row) {
  ^bb0(%in_stored: f16, %sum: f32):
    %in = arith.extf %in_stored : f16 to f32
    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !token_norm__row
  %columns = arith.constant 16.0 : f32
  %eps = arith.constant 0.000512 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !token_norm__output
  %output = linalg.generic {
      indexing_maps = [#token_norm__x, #token_norm__row, #token_norm__weight, #token_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !token_norm__x, !token_norm__row, !token_norm__weight) outs(%output_empty : !token_norm__output) {
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
  } -> !token_norm__output
  return %output : !token_norm__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!token_gate__hidden = tensor<1x1x512xf16>
!token_gate__weight = tensor<16x512xf16>
!token_gate__output = tensor<1x1x16xf16>
!token_gate__tokens = tensor<1x512xf16>
!token_gate__acc = tensor<1x16xf32>
!token_gate__rows = tensor<1x16xf16>
!token_gate__depth_given = vector<16xf16>
!token_gate__depth_lanes = vector<16xf32>
!token_gate__depth_block = vector<1x8x16xf32>
!token_gate__depth_part = vector<1x8x16xf32>
!token_gate__depth_sums = vector<1x8xf32>
!token_gate__depth_row = vector<8xf32>
!token_gate__depth_numbers = vector<8xf32>
!token_gate__depth_rows0 = vector<8x16xf32>
!token_gate__depth_register8 = vector<8xf32>
!token_gate__depth_register16 = vector<16xf32>
!token_gate__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x512xf16>>
!token_gate__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x512xf16>>
!token_gate__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x16xf32>>
#token_gate__rows = affine_map<(m, n) -> (m, n)>

func.func private @token_gate(%hidden: !token_gate__hidden, %weight: !token_gate__weight) -> !token_gate__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !token_gate__hidden into !token_gate__tokens
  %acc =
    flow.dispatch @token_gate_acc_kernel::@token_gate_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<1x512xf16>,
      tensor<16x512xf16>
    ) -> (tensor<1x16xf32>)
  %empty = tensor.empty() : !token_gate__rows
  %rows = linalg.generic {
      indexing_maps = [#token_gate__rows, #token_gate__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !token_gate__acc) outs(%empty : !token_gate__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !token_gate__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 16]
    : !token_gate__rows into !token_gate__output
  return %output : !token_gate__output
}
flow.executable private @token_gate_acc_kernel {
  flow.executable.export public @token_gate_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @token_gate_acc_kernel(
      %tokens_in: !token_gate__tokens_of_acc,
      %weight_in: !token_gate__weight_of_acc,
      %acc_out: !token_gate__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 512], strides = [1, 1]
      : !token_gate__tokens_of_acc -> tensor<1x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : !token_gate__weight_of_acc -> tensor<16x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 16 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<16x512xf16>
    %empty = tensor.empty() : tensor<1x16xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x16xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<1x16xf32>) {
        %no_sums = arith.constant dense<0.0> : !token_gate__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 15)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 15)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 15)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 15)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 15)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 15)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 15)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 15)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<1x16xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!token_gate__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<16x512xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<16x512xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x512xf16>, !token_gate__depth_given
    %left0_0 = arith.extf %left0_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right0_0 = arith.extf %right0_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !token_gate__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right1_0 = arith.extf %right1_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !token_gate__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right2_0 = arith.extf %right2_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !token_gate__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right3_0 = arith.extf %right3_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !token_gate__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right4_0 = arith.extf %right4_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !token_gate__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right5_0 = arith.extf %right5_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !token_gate__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right6_0 = arith.extf %right6_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !token_gate__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !token_gate__depth_lanes into !token_gate__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !token_gate__depth_given
    %right7_0 = arith.extf %right7_0_stored : !token_gate__depth_given to !token_gate__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !token_gate__depth_lanes from !token_gate__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !token_gate__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !token_gate__depth_lanes into !token_gate__depth_block
            scf.yield %more : !token_gate__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !token_gate__depth_block to !token_gate__depth_part
          %registers0 = vector.shape_cast %part0 : !token_gate__depth_part to !token_gate__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !token_gate__depth_register16 from !token_gate__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !token_gate__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !token_gate__depth_register16, !token_gate__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !token_gate__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !token_gate__depth_numbers to !token_gate__depth_sums
          %row0 = vector.extract %sums0[0] : !token_gate__depth_row from !token_gate__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !token_gate__depth_row, tensor<1x16xf32>
          scf.yield %after : tensor<1x16xf32>
        }
        scf.yield %of_rows : tensor<1x16xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 16] [1, 1]
          : tensor<1x16xf32> into tensor<1x16xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
      : tensor<1x16xf32> -> !token_gate__acc_out
    return
  }
  }
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!token_output__hidden = tensor<1x1x16xf16>
!token_output__weight = tensor<512x16xf16>
!token_output__output = tensor<1x1x512xf16>
!token_output__tokens = tensor<1x16xf16>
!token_output__acc = tensor<1x512xf32>
!token_output__rows = tensor<1x512xf16>
!token_output__depth_given = vector<16xf16>
!token_output__depth_lanes = vector<16xf32>
!token_output__depth_block = vector<1x8x16xf32>
!token_output__depth_part = vector<1x8x16xf32>
!token_output__depth_sums = vector<1x8xf32>
!token_output__depth_row = vector<8xf32>
!token_output__depth_numbers = vector<8xf32>
!token_output__depth_rows0 = vector<8x16xf32>
!token_output__depth_register8 = vector<8xf32>
!token_output__depth_register16 = vector<16xf32>
!token_output__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x16xf16>>
!token_output__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x16xf16>>
!token_output__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x512xf32>>
#token_output__rows = affine_map<(m, n) -> (m, n)>

func.func private @token_output(%hidden: !token_output__hidden, %weight: !token_output__weight) -> !token_output__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !token_output__hidden into !token_output__tokens
  %acc =
    flow.dispatch @token_output_acc_kernel::@token_output_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<1x16xf16>,
      tensor<512x16xf16>
    ) -> (tensor<1x512xf32>)
  %empty = tensor.empty() : !token_output__rows
  %rows = linalg.generic {
      indexing_maps = [#token_output__rows, #token_output__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !token_output__acc) outs(%empty : !token_output__rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !token_output__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 512]
    : !token_output__rows into !token_output__output
  return %output : !token_output__output
}
flow.executable private @token_output_acc_kernel {
  flow.executable.export public @token_output_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @token_output_acc_kernel(
      %tokens_in: !token_output__tokens_of_acc,
      %weight_in: !token_output__weight_of_acc,
      %acc_out: !token_output__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
      : !token_output__tokens_of_acc -> tensor<1x16xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [512, 16], strides = [1, 1]
      : !token_output__weight_of_acc -> tensor<512x16xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 16 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x16xf16>
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
        %no_sums = arith.constant dense<0.0> : !token_output__depth_block
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
            -> (!token_output__depth_block) {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<512x16xf16>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<512x16xf16>
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<1x16xf16>, !token_output__depth_given
    %left0_0 = arith.extf %left0_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right0_0 = arith.extf %right0_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !token_output__depth_lanes from !token_output__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !token_output__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !token_output__depth_lanes into !token_output__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right1_0 = arith.extf %right1_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_1_0 = vector.extract %more_1[0, 1] : !token_output__depth_lanes from !token_output__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !token_output__depth_lanes
            %more_2 = vector.insert %new0_1_0, %more_1 [0, 1]
              : !token_output__depth_lanes into !token_output__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right2_0 = arith.extf %right2_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_2_0 = vector.extract %more_2[0, 2] : !token_output__depth_lanes from !token_output__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !token_output__depth_lanes
            %more_3 = vector.insert %new0_2_0, %more_2 [0, 2]
              : !token_output__depth_lanes into !token_output__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right3_0 = arith.extf %right3_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_3_0 = vector.extract %more_3[0, 3] : !token_output__depth_lanes from !token_output__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !token_output__depth_lanes
            %more_4 = vector.insert %new0_3_0, %more_3 [0, 3]
              : !token_output__depth_lanes into !token_output__depth_block
            %right4_0_stored = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right4_0 = arith.extf %right4_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_4_0 = vector.extract %more_4[0, 4] : !token_output__depth_lanes from !token_output__depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !token_output__depth_lanes
            %more_5 = vector.insert %new0_4_0, %more_4 [0, 4]
              : !token_output__depth_lanes into !token_output__depth_block
            %right5_0_stored = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right5_0 = arith.extf %right5_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_5_0 = vector.extract %more_5[0, 5] : !token_output__depth_lanes from !token_output__depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !token_output__depth_lanes
            %more_6 = vector.insert %new0_5_0, %more_5 [0, 5]
              : !token_output__depth_lanes into !token_output__depth_block
            %right6_0_stored = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right6_0 = arith.extf %right6_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_6_0 = vector.extract %more_6[0, 6] : !token_output__depth_lanes from !token_output__depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !token_output__depth_lanes
            %more_7 = vector.insert %new0_6_0, %more_6 [0, 6]
              : !token_output__depth_lanes into !token_output__depth_block
            %right7_0_stored = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<512x16xf16>, !token_output__depth_given
    %right7_0 = arith.extf %right7_0_stored : !token_output__depth_given to !token_output__depth_lanes
            %old0_7_0 = vector.extract %more_7[0, 7] : !token_output__depth_lanes from !token_output__depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !token_output__depth_lanes
            %more = vector.insert %new0_7_0, %more_7 [0, 7]
              : !token_output__depth_lanes into !token_output__depth_block
            scf.yield %more : !token_output__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !token_output__depth_block to !token_output__depth_part
          %registers0 = vector.shape_cast %part0 : !token_output__depth_part to !token_output__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !token_output__depth_register16 from !token_output__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !token_output__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !token_output__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !token_output__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !token_output__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !token_output__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !token_output__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !token_output__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !token_output__depth_register16, !token_output__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !token_output__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !token_output__depth_numbers to !token_output__depth_sums
          %row0 = vector.extract %sums0[0] : !token_output__depth_row from !token_output__depth_sums
          %after = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !token_output__depth_row, tensor<1x512xf32>
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
      : tensor<1x512xf32> -> !token_output__acc_out
    return
  }
  }
}
!hidden = tensor<1x1x4x512xf16>
!stream_norm_weight = tensor<512xf16>
!stream_router_weight = tensor<4x512xf16>
!stream_prediction_weight = tensor<16x4xf16>
!stream_correction_weight = tensor<4x4xf16>
!stream_scale = tensor<512xf16>
!norm_weight = tensor<512xf16>
!qkv_weight = tensor<512x512xf16>
!positions = tensor<1x1xi32>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<1x4xi32>
!context_lens = tensor<1xi32>
!output_weight = tensor<512x512xf16>
!post_norm_weight = tensor<512xf16>
!laurel_down_weight = tensor<8x512xf16>
!laurel_up_weight = tensor<512x8xf16>
!laurel_norm_weight = tensor<512xf16>
!mlp_norm_weight = tensor<512xf16>
!gate_up_weight = tensor<384x512xf16>
!down_weight = tensor<512x192xf16>
!mlp_post_norm_weight = tensor<512xf16>
!token_ids = tensor<1x1xi32>
!embedded = tensor<1x1x512xf16>
!token_embedding_weight = tensor<30x16xf16>
!token_projection_weight = tensor<16x512xf16>
!token_norm_weight = tensor<16xf16>
!token_gate_weight = tensor<16x512xf16>
!token_output_weight = tensor<512x16xf16>
!token_post_norm_weight = tensor<512xf16>
!output = tensor<1x1x4x512xf16>
!tokens = tensor<1x1x512xf16>
!streams = tensor<1x1x4x512xf16>
#stream = affine_map<(b, m, s, n) -> (b, m, s, n)>
#token = affine_map<(b, m, s, n) -> (b, m, n)>
#id = affine_map<(b, m) -> (b, m)>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden: !hidden, %stream_norm_weight: !stream_norm_weight, %stream_router_weight: !stream_router_weight, %stream_prediction_weight: !stream_prediction_weight, %stream_correction_weight: !stream_correction_weight, %stream_scale: !stream_scale, %norm_weight: !norm_weight, %qkv_weight: !qkv_weight, %positions: !positions, %key_cache: !key_cache, %value_cache: !value_cache, %block_table: !block_table, %context_lens: !context_lens, %output_weight: !output_weight, %post_norm_weight: !post_norm_weight, %laurel_down_weight: !laurel_down_weight, %laurel_up_weight: !laurel_up_weight, %laurel_norm_weight: !laurel_norm_weight, %mlp_norm_weight: !mlp_norm_weight, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight, %mlp_post_norm_weight: !mlp_post_norm_weight, %token_ids: !token_ids, %embedded: !embedded, %token_embedding_weight: !token_embedding_weight, %token_projection_weight: !token_projection_weight, %token_norm_weight: !token_norm_weight, %token_gate_weight: !token_gate_weight, %token_output_weight: !token_output_weight, %token_post_norm_weight: !token_post_norm_weight) -> !output {
  %given = tensor.extract_slice %hidden[0, 0, 0, 0]
    [1, 1, 1, 512] [1, 1, 1, 1] : !streams to !tokens
  %rows_of_predicting = tensor.collapse_shape %given [[0, 1], [2]]
      : !tokens into tensor<1x512xf16>
  %of_rows_predicting = call @prediction(%rows_of_predicting, %stream_norm_weight, %stream_router_weight, %stream_prediction_weight) : (tensor<1x512xf16>, tensor<512xf16>, tensor<4x512xf16>, tensor<16x4xf16>) -> (tensor<1x16xf16>)
  %predicting = tensor.expand_shape %of_rows_predicting [[0, 1], [2, 3]]
      output_shape [1, 1, 4, 4] : tensor<1x16xf16> into tensor<1x1x4x4xf16>
  %predicted_empty = tensor.empty() : !streams
  %sums_empty = tensor.empty() : tensor<1x1x4x512xf32>
  %no_sum = arith.constant 0.0 : f32
  %sums_start = linalg.fill ins(%no_sum : f32) outs(%sums_empty : tensor<1x1x4x512xf32>)
    -> tensor<1x1x4x512xf32>
  %predicted_sums = linalg.generic {
      indexing_maps = [affine_map<(b, m, s, n, t) -> (b, m, s, t)>,
          affine_map<(b, m, s, n, t) -> (b, m, t, n)>, affine_map<(b, m, s, n, t) -> (b, m, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
    } ins(%predicting, %hidden : tensor<1x1x4x4xf16>, !streams)
        outs(%sums_start : tensor<1x1x4x512xf32>) {
  ^bb0(%left_stored: f16, %right_stored: f16, %total: f32):
    %left = arith.extf %left_stored : f16 to f32
    %right = arith.extf %right_stored : f16 to f32
    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> tensor<1x1x4x512xf32>
  %predicted = linalg.generic {
      indexing_maps = [#stream, #stream, #stream],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%hidden, %predicted_sums : !streams, tensor<1x1x4x512xf32>)
        outs(%predicted_empty : !streams) {
  ^bb0(%in_stored: f16, %change: f32, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %sum = arith.addf %in, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !streams
  %tokens = tensor.extract_slice %predicted[0, 0, 0, 0]
    [1, 1, 1, 512] [1, 1, 1, 1] : !streams to !tokens
  %rows_of_normed = tensor.collapse_shape %tokens [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_normed = call @norm(%rows_of_normed, %norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %normed = tensor.expand_shape %normed_rows_of_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %qkv = call @qkv(%normed, %qkv_weight) : (tensor<1x1x512xf16>, tensor<512x512xf16>) -> (tensor<1x8x1x64xf16>)
  %rotated = call @rope(%qkv, %positions) : (tensor<1x8x1x64xf16>, tensor<1x1xi32>) -> (tensor<1x8x1x64xf16>)
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %rotated : tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  %attended = call @attention(%new_query, %key_cache, %value_cache, %block_table, %context_lens) : (tensor<1x8x1x64xf16>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>, tensor<1x4xi32>, tensor<1xi32>) -> (tensor<1x8x1x64xf16>)
  %heads = iree_tensor_ext.compute_barrier.start %attended : tensor<1x8x1x64xf16> -> tensor<1x8x1x64xf16>
  %projected = call @projection(%heads, %output_weight) : (tensor<1x8x1x64xf16>, tensor<512x512xf16>) -> (tensor<1x1x512xf16>)
  %rows_of_added = tensor.collapse_shape %projected [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_added = call @norm(%rows_of_added, %post_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %added = tensor.expand_shape %normed_rows_of_added [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %empty_attended_too = tensor.empty() : !tokens
  %attended_too = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%tokens, %added : !tokens, !tokens) outs(%empty_attended_too : !tokens) {
  ^bb0(%residual_stored: f16, %change_stored: f16, %unused: f16):
    %residual = arith.extf %residual_stored : f16 to f32
    %change = arith.extf %change_stored : f16 to f32
    %sum = arith.addf %residual, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !tokens
  %laurel_few = call @laurel_down(%normed, %laurel_down_weight) : (tensor<1x1x512xf16>, tensor<8x512xf16>) -> (tensor<1x1x8xf16>)
  %laurel_made = call @laurel_up(%laurel_few, %laurel_up_weight) : (tensor<1x1x8xf16>, tensor<512x8xf16>) -> (tensor<1x1x512xf16>)
  %rows_of_laurel = tensor.collapse_shape %laurel_made [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_laurel = call @norm(%rows_of_laurel, %laurel_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %laurel = tensor.expand_shape %normed_rows_of_laurel [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %empty_between = tensor.empty() : !tokens
  %between = linalg.generic {
      indexing_maps = [#same, #same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%attended_too, %normed, %laurel : !tokens, !tokens, !tokens)
        outs(%empty_between : !tokens) {
  ^bb0(%one_stored: f16, %read_stored: f16,
       %learned_stored: f16, %unused: f16):
    %one = arith.extf %one_stored : f16 to f32
    %read = arith.extf %read_stored : f16 to f32
    %learned = arith.extf %learned_stored : f16 to f32
    %sqrt_of_half = arith.constant 0.7071067811865476 : f32
    %with_read = arith.addf %one, %read : f32
    %with_both = arith.addf %with_read, %learned : f32
    %half = arith.mulf %with_both, %sqrt_of_half : f32
    %half_stored = arith.truncf %half : f32 to f16
    linalg.yield %half_stored : f16
  } -> !tokens
  %rows_of_mlp_normed = tensor.collapse_shape %between [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_mlp_normed = call @norm(%rows_of_mlp_normed, %mlp_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %mlp_normed = tensor.expand_shape %normed_rows_of_mlp_normed [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %mlp = call @mlp(%mlp_normed, %gate_up_weight, %down_weight) : (tensor<1x1x512xf16>, tensor<384x512xf16>, tensor<512x192xf16>) -> (tensor<1x1x512xf16>)
  %rows_of_mlp_added = tensor.collapse_shape %mlp [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_mlp_added = call @norm(%rows_of_mlp_added, %mlp_post_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %mlp_added = tensor.expand_shape %normed_rows_of_mlp_added [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %empty_activated = tensor.empty() : !tokens
  %activated = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%between, %mlp_added : !tokens, !tokens) outs(%empty_activated : !tokens) {
  ^bb0(%residual_stored: f16, %change_stored: f16, %unused: f16):
    %residual = arith.extf %residual_stored : f16 to f32
    %change = arith.extf %change_stored : f16 to f32
    %sum = arith.addf %residual, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !tokens
  %rows_of_correcting = tensor.collapse_shape %activated [[0, 1], [2]]
      : !tokens into tensor<1x512xf16>
  %of_rows_correcting = call @correction(%rows_of_correcting, %stream_norm_weight, %stream_router_weight, %stream_correction_weight) : (tensor<1x512xf16>, tensor<512xf16>, tensor<4x512xf16>, tensor<4x4xf16>) -> (tensor<1x4xf16>)
  %correcting = tensor.expand_shape %of_rows_correcting [[0, 1], [2]]
      output_shape [1, 1, 4] : tensor<1x4xf16> into tensor<1x1x4xf16>
  %corrected_empty = tensor.empty() : !streams
  %corrected = linalg.generic {
      indexing_maps = [#stream, affine_map<(b, m, s, n) -> (b, m, s)>, #token, #token, #stream],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%predicted, %correcting, %activated, %tokens : !streams, tensor<1x1x4xf16>, !tokens, !tokens)
        outs(%corrected_empty : !streams) {
  ^bb0(%in_stored: f16, %share_stored: f16,
       %new_stored: f16, %old_stored: f16,
       %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %share = arith.extf %share_stored : f16 to f32
    %new = arith.extf %new_stored : f16 to f32
    %old = arith.extf %old_stored : f16 to f32
    %one = arith.constant 1.0 : f32
    %times = arith.addf %share, %one : f32
    %changed = arith.subf %new, %old : f32
    %part = arith.mulf %changed, %times : f32
    %sum = arith.addf %in, %part : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !streams
  %first_output = tensor.extract_slice %corrected[0, 0, 0, 0]
    [1, 1, 1, 512] [1, 1, 1, 1] : !streams to !tokens
  %scaled_empty = tensor.empty() : !tokens
  %with_mlp = linalg.generic {
      indexing_maps = [#same, affine_map<(b, m, n) -> (n)>, #same],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%first_output, %stream_scale : !tokens, !stream_scale) outs(%scaled_empty : !tokens) {
  ^bb0(%in_stored: f16, %factor_stored: f16,
       %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %factor = arith.extf %factor_stored : f16 to f32
    %scaled = arith.mulf %in, %factor : f32
    %scaled_stored = arith.truncf %scaled : f32 to f16
    linalg.yield %scaled_stored : f16
  } -> !tokens
  %ids_empty = tensor.empty() : tensor<1x1xi32>
  %ids_in_table = linalg.generic {
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]
    } ins(%token_ids : tensor<1x1xi32>) outs(%ids_empty : tensor<1x1xi32>) {
  ^bb0(%id: i32, %unused: i32):
    %none = arith.constant 0 : i32
    %table_size = arith.constant 30 : i32
    %is_there = arith.cmpi ult, %id, %table_size : i32
    %id_in_table = arith.select %is_there, %id, %none : i32
    linalg.yield %id_in_table : i32
  } -> tensor<1x1xi32>
  %token_embedded = call @token_embedding(%ids_in_table, %token_embedding_weight) : (tensor<1x1xi32>, tensor<30x16xf16>) -> (tensor<1x1x16xf16>)
  %token_projected = call @token_projection(%embedded, %token_projection_weight) : (tensor<1x1x512xf16>, tensor<16x512xf16>) -> (tensor<1x1x16xf16>)
  %rows_of_token_normed = tensor.collapse_shape %token_projected [[0, 1], [2]] : tensor<1x1x16xf16> into tensor<1x16xf16>
  %normed_rows_of_token_normed = call @token_norm(%rows_of_token_normed, %token_norm_weight) : (tensor<1x16xf16>, tensor<16xf16>) -> (tensor<1x16xf16>)
  %token_normed = tensor.expand_shape %normed_rows_of_token_normed [[0, 1], [2]] output_shape [1, 1, 16] : tensor<1x16xf16> into tensor<1x1x16xf16>
  %token_gate = call @token_gate(%with_mlp, %token_gate_weight) : (tensor<1x1x512xf16>, tensor<16x512xf16>) -> (tensor<1x1x16xf16>)
  %token_empty = tensor.empty() : tensor<1x1x16xf16>
  %token_let_through = linalg.generic {
      indexing_maps = [#same, #same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%token_gate, %token_normed, %token_embedded : tensor<1x1x16xf16>, tensor<1x1x16xf16>, tensor<1x1x16xf16>)
      outs(%token_empty : tensor<1x1x16xf16>) {
  ^bb0(%gate_stored: f16, %made_stored: f16, %found_stored: f16, %unused: f16):
    %gate = arith.extf %gate_stored : f16 to f32
    %made = arith.extf %made_stored : f16 to f32
    %found = arith.extf %found_stored : f16 to f32
    %sqrt_of_half = arith.constant 0.7071067811865476 : f32
    %sum_of_both = arith.addf %made, %found : f32
    %token = arith.mulf %sum_of_both, %sqrt_of_half : f32
    %cubic = arith.constant 0.044715 : f32
    %sqrt_8_over_pi = arith.constant 1.5957691216057308 : f32
    %square = arith.mulf %gate, %gate : f32
    %cube = arith.mulf %square, %gate : f32
    %part = arith.mulf %cube, %cubic : f32
    %curved = arith.addf %gate, %part : f32
    %bent = arith.mulf %curved, %sqrt_8_over_pi : f32
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %bent : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %gate, %divisor : f32
    %through = arith.mulf %active, %token : f32
    %through_stored = arith.truncf %through : f32 to f16
    linalg.yield %through_stored : f16
  } -> tensor<1x1x16xf16>
  %token_output = call @token_output(%token_let_through, %token_output_weight) : (tensor<1x1x16xf16>, tensor<512x16xf16>) -> (tensor<1x1x512xf16>)
  %rows_of_token_added = tensor.collapse_shape %token_output [[0, 1], [2]] : tensor<1x1x512xf16> into tensor<1x512xf16>
  %normed_rows_of_token_added = call @norm(%rows_of_token_added, %token_post_norm_weight) : (tensor<1x512xf16>, tensor<512xf16>) -> (tensor<1x512xf16>)
  %token_added = tensor.expand_shape %normed_rows_of_token_added [[0, 1], [2]] output_shape [1, 1, 512] : tensor<1x512xf16> into tensor<1x1x512xf16>
  %output_empty = tensor.empty() : !streams
  %output = linalg.generic {
      indexing_maps = [#stream, #token, #stream],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%corrected, %token_added : !streams, !tokens) outs(%output_empty : !streams) {
  ^bb0(%in_stored: f16, %more_stored: f16,
       %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %more = arith.extf %more_stored : f16 to f32
    %stream = linalg.index 2 : index
    %first_stream = arith.constant 0 : index
    %is_first = arith.cmpi eq, %stream, %first_stream : index
    %with_more = arith.addf %in, %more : f32
    %sum = arith.select %is_first, %in, %with_more : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !streams
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @decoder_layer$async(
    %hidden: !hidden,
    %stream_norm_weight: !stream_norm_weight,
    %stream_router_weight: !stream_router_weight,
    %stream_prediction_weight: !stream_prediction_weight,
    %stream_correction_weight: !stream_correction_weight,
    %stream_scale: !stream_scale,
    %norm_weight: !norm_weight,
    %qkv_weight: !qkv_weight,
    %positions: !positions,
    %key_cache: !key_cache,
    %value_cache: !value_cache,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %output_weight: !output_weight,
    %post_norm_weight: !post_norm_weight,
    %laurel_down_weight: !laurel_down_weight,
    %laurel_up_weight: !laurel_up_weight,
    %laurel_norm_weight: !laurel_norm_weight,
    %mlp_norm_weight: !mlp_norm_weight,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight,
    %mlp_post_norm_weight: !mlp_post_norm_weight,
    %token_ids: !token_ids,
    %embedded: !embedded,
    %token_embedding_weight: !token_embedding_weight,
    %token_projection_weight: !token_projection_weight,
    %token_norm_weight: !token_norm_weight,
    %token_gate_weight: !token_gate_weight,
    %token_output_weight: !token_output_weight,
    %token_post_norm_weight: !token_post_norm_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @decoder_layer(%hidden, %stream_norm_weight, %stream_router_weight, %stream_prediction_weight, %stream_correction_weight, %stream_scale, %norm_weight, %qkv_weight, %positions, %key_cache, %value_cache, %block_table, %context_lens, %output_weight, %post_norm_weight, %laurel_down_weight, %laurel_up_weight, %laurel_norm_weight, %mlp_norm_weight, %gate_up_weight, %down_weight, %mlp_post_norm_weight, %token_ids, %embedded, %token_embedding_weight, %token_projection_weight, %token_norm_weight, %token_gate_weight, %token_output_weight, %token_post_norm_weight)
    : (!hidden, !stream_norm_weight, !stream_router_weight, !stream_prediction_weight, !stream_correction_weight, !stream_scale, !norm_weight, !qkv_weight, !positions, !key_cache, !value_cache, !block_table, !context_lens, !output_weight, !post_norm_weight, !laurel_down_weight, !laurel_up_weight, !laurel_norm_weight, !mlp_norm_weight, !gate_up_weight, !down_weight, !mlp_post_norm_weight, !token_ids, !embedded, !token_embedding_weight, !token_projection_weight, !token_norm_weight, !token_gate_weight, !token_output_weight, !token_post_norm_weight) -> (!output)
  util.return %output : !output
}
