// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!attended = tensor<2x8x1x64xf32>
!weight = tensor<256x512xf32>
!output = tensor<2x1x256xf32>
!by_token = tensor<2x1x8x64xf32>
!sequences = tensor<2x512xf32>
!acc = tensor<2x256xf32>
!sums = tensor<2x256xf32>
!depth_given = vector<16xf32>
!depth_lanes = vector<16xf32>
!depth_block = vector<2x8x16xf32>
!depth_part = vector<2x8x16xf32>
!depth_sums = vector<2x8xf32>
!depth_row = vector<8xf32>
!depth_numbers = vector<16xf32>
!depth_rows0 = vector<16x16xf32>
!depth_register16 = vector<16xf32>
!sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x512xf32>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x512xf32>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x256xf32>>
#sums = affine_map<(m, n) -> (m, n)>

func.func @output_projection(%attended: !attended, %weight: !weight) -> !output {
  %by_token_empty = tensor.empty() : !by_token
  %by_token = linalg.transpose ins(%attended : !attended) outs(%by_token_empty : !by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !by_token into !sequences
  %acc =
    flow.dispatch @acc_kernel::@acc_kernel(
      %sequences, %weight
    ) : (
      tensor<2x512xf32>,
      tensor<256x512xf32>
    ) -> (tensor<2x256xf32>)
  %empty = tensor.empty() : !sums
  %sums = linalg.generic {
      indexing_maps = [#sums, #sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !sums) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [2, 1, 256] : !sums into !output
  return %output : !output
}
flow.executable private @acc_kernel {
  flow.executable.export public @acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @acc_kernel(
      %sequences_in: !sequences_of_acc,
      %weight_in: !weight_of_acc,
      %acc_out: !acc_out
    ) {
    %sequences = iree_tensor_ext.dispatch.tensor.load %sequences_in,
      offsets = [0, 0], sizes = [2, 512], strides = [1, 1]
      : !sequences_of_acc -> tensor<2x512xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [256, 512], strides = [1, 1]
      : !weight_of_acc -> tensor<256x512xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 256 : index
    %rows = arith.constant 2 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<256x512xf32>
    %empty = tensor.empty() : tensor<2x256xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<2x256xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 8 : index
      %row_step = arith.constant 2 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<2x256xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 255)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 255)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 255)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 255)>(%n)[%column_step]
        %n4 = affine.apply affine_map<(n) -> (n + 4)>(%n)
        %next4 = affine.min
          affine_map<(n)[a] -> (n + a + 4, 255)>(%n)[%column_step]
        %n5 = affine.apply affine_map<(n) -> (n + 5)>(%n)
        %next5 = affine.min
          affine_map<(n)[a] -> (n + a + 5, 255)>(%n)[%column_step]
        %n6 = affine.apply affine_map<(n) -> (n + 6)>(%n)
        %next6 = affine.min
          affine_map<(n)[a] -> (n + a + 6, 255)>(%n)[%column_step]
        %n7 = affine.apply affine_map<(n) -> (n + 7)>(%n)
        %next7 = affine.min
          affine_map<(n)[a] -> (n + a + 7, 255)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<2x256xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 2 mod 8
              + 8, 255)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 14)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next4, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next5, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next6, %k], read, locality<2>, data
                : memref<256x512xf32>
              memref.prefetch %weight_memory[%next7, %k], read, locality<2>, data
                : memref<256x512xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<256x512xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %sequences[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<2x512xf32>, !depth_given
            %left1_0 = vector.transfer_read
              %sequences[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<2x512xf32>, !depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !depth_lanes from !depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !depth_lanes into !depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_1_0 = vector.extract %more_2[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more_3 = vector.insert %new0_1_0, %more_2 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_0 = vector.extract %more_3[1, 1] : !depth_lanes from !depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_lanes
            %more_4 = vector.insert %new1_1_0, %more_3 [1, 1]
              : !depth_lanes into !depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_2_0 = vector.extract %more_4[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more_5 = vector.insert %new0_2_0, %more_4 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_0 = vector.extract %more_5[1, 2] : !depth_lanes from !depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_lanes
            %more_6 = vector.insert %new1_2_0, %more_5 [1, 2]
              : !depth_lanes into !depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_3_0 = vector.extract %more_6[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more_7 = vector.insert %new0_3_0, %more_6 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_0 = vector.extract %more_7[1, 3] : !depth_lanes from !depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_lanes
            %more_8 = vector.insert %new1_3_0, %more_7 [1, 3]
              : !depth_lanes into !depth_block
            %right4_0 = vector.transfer_read
              %weight[%n4, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_4_0 = vector.extract %more_8[0, 4] : !depth_lanes from !depth_block
            %new0_4_0 = vector.fma %left0_0, %right4_0, %old0_4_0 : !depth_lanes
            %more_9 = vector.insert %new0_4_0, %more_8 [0, 4]
              : !depth_lanes into !depth_block
            %old1_4_0 = vector.extract %more_9[1, 4] : !depth_lanes from !depth_block
            %new1_4_0 = vector.fma %left1_0, %right4_0, %old1_4_0 : !depth_lanes
            %more_10 = vector.insert %new1_4_0, %more_9 [1, 4]
              : !depth_lanes into !depth_block
            %right5_0 = vector.transfer_read
              %weight[%n5, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_5_0 = vector.extract %more_10[0, 5] : !depth_lanes from !depth_block
            %new0_5_0 = vector.fma %left0_0, %right5_0, %old0_5_0 : !depth_lanes
            %more_11 = vector.insert %new0_5_0, %more_10 [0, 5]
              : !depth_lanes into !depth_block
            %old1_5_0 = vector.extract %more_11[1, 5] : !depth_lanes from !depth_block
            %new1_5_0 = vector.fma %left1_0, %right5_0, %old1_5_0 : !depth_lanes
            %more_12 = vector.insert %new1_5_0, %more_11 [1, 5]
              : !depth_lanes into !depth_block
            %right6_0 = vector.transfer_read
              %weight[%n6, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_6_0 = vector.extract %more_12[0, 6] : !depth_lanes from !depth_block
            %new0_6_0 = vector.fma %left0_0, %right6_0, %old0_6_0 : !depth_lanes
            %more_13 = vector.insert %new0_6_0, %more_12 [0, 6]
              : !depth_lanes into !depth_block
            %old1_6_0 = vector.extract %more_13[1, 6] : !depth_lanes from !depth_block
            %new1_6_0 = vector.fma %left1_0, %right6_0, %old1_6_0 : !depth_lanes
            %more_14 = vector.insert %new1_6_0, %more_13 [1, 6]
              : !depth_lanes into !depth_block
            %right7_0 = vector.transfer_read
              %weight[%n7, %k0], %padding {in_bounds = [true]}
              : tensor<256x512xf32>, !depth_given
            %old0_7_0 = vector.extract %more_14[0, 7] : !depth_lanes from !depth_block
            %new0_7_0 = vector.fma %left0_0, %right7_0, %old0_7_0 : !depth_lanes
            %more_15 = vector.insert %new0_7_0, %more_14 [0, 7]
              : !depth_lanes into !depth_block
            %old1_7_0 = vector.extract %more_15[1, 7] : !depth_lanes from !depth_block
            %new1_7_0 = vector.fma %left1_0, %right7_0, %old1_7_0 : !depth_lanes
            %more = vector.insert %new1_7_0, %more_15 [1, 7]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
            : !depth_block to !depth_part
          %registers0 = vector.shape_cast %part0 : !depth_part to !depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_register16 from !depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_register16 from !depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_register16 from !depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_register16 from !depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !depth_register16 from !depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !depth_register16 from !depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !depth_register16 from !depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !depth_register16 from !depth_rows0
        %numbers0_8 = vector.extract %registers0[8] : !depth_register16 from !depth_rows0
        %numbers0_9 = vector.extract %registers0[9] : !depth_register16 from !depth_rows0
        %numbers0_10 = vector.extract %registers0[10] : !depth_register16 from !depth_rows0
        %numbers0_11 = vector.extract %registers0[11] : !depth_register16 from !depth_rows0
        %numbers0_12 = vector.extract %registers0[12] : !depth_register16 from !depth_rows0
        %numbers0_13 = vector.extract %registers0[13] : !depth_register16 from !depth_rows0
        %numbers0_14 = vector.extract %registers0[14] : !depth_register16 from !depth_rows0
        %numbers0_15 = vector.extract %registers0[15] : !depth_register16 from !depth_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !depth_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !depth_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !depth_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !depth_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !depth_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !depth_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !depth_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !depth_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !depth_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !depth_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !depth_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !depth_register16, !depth_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !depth_register16, !depth_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !depth_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_register16, !depth_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_register16, !depth_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !depth_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_register16, !depth_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_register16, !depth_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !depth_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !depth_register16, !depth_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !depth_register16, !depth_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !depth_register16
          %sums0 = vector.shape_cast %numbers0 : !depth_numbers to !depth_sums
          %row0 = vector.extract %sums0[0] : !depth_row from !depth_sums
          %row1 = vector.extract %sums0[1] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<2x256xf32>
          %after = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<2x256xf32>
          scf.yield %after : tensor<2x256xf32>
        }
        scf.yield %of_rows : tensor<2x256xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [2, 256] [1, 1]
          : tensor<2x256xf32> into tensor<2x256xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [2, 256], strides = [1, 1]
      : tensor<2x256xf32> -> !acc_out
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @output_projection$async(
    %attended: !attended,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @output_projection(%attended, %weight)
    : (!attended, !weight) -> (!output)
  util.return %output : !output
}
