// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!attended = tensor<2x8x33x512xf32>
!weight = tensor<256x4096xf32>
!output = tensor<2x33x256xf32>
!by_token = tensor<2x33x8x512xf32>
!sequences = tensor<66x4096xf32>
!acc = tensor<66x256xf32>
!sums = tensor<66x256xf32>
!depth_given = vector<8xf32>
!depth_lanes = vector<8xf32>
!depth_block = vector<3x4x8xf32>
!depth_part = vector<1x4x8xf32>
!depth_sums = vector<1x4xf32>
!depth_row = vector<4xf32>
!depth_numbers = vector<4xf32>
!depth_rows0 = vector<4x8xf32>
!depth_register4 = vector<4xf32>
!depth_register8 = vector<8xf32>
!depth_kept = tensor<30x4x8xf32>
!sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<66x4112xf32>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x4096xf32>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<66x256xf32>>
#sums = affine_map<(m, n) -> (m, n)>

func.func @output_projection(%attended: !attended, %weight: !weight) -> !output {
  %by_token_empty = tensor.empty() : !by_token
  %by_token = linalg.transpose ins(%attended : !attended) outs(%by_token_empty : !by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !by_token into !sequences
  %sequences_of_acc_empty = tensor.empty() : tensor<66x4112xf32>
  %sequences_of_acc = tensor.insert_slice %sequences into %sequences_of_acc_empty[0, 0]
    [66, 4096] [1, 1] : tensor<66x4096xf32> into tensor<66x4112xf32>
  %acc =
    flow.dispatch @acc_kernel::@acc_kernel(
      %sequences_of_acc, %weight
    ) : (
      tensor<66x4112xf32>,
      tensor<256x4096xf32>
    ) -> (tensor<66x256xf32>)
  %empty = tensor.empty() : !sums
  %sums = linalg.generic {
      indexing_maps = [#sums, #sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !sums) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [2, 33, 256] : !sums into !output
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
      offsets = [0, 0], sizes = [66, 4112], strides = [1, 1]
      : !sequences_of_acc -> tensor<66x4112xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [256, 4096], strides = [1, 1]
      : !weight_of_acc -> tensor<256x4096xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 4096 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 256 : index
    %rows = arith.constant 66 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<256x4096xf32>
    %empty = tensor.empty() : tensor<66x256xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<66x256xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<66x256xf32>) {
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
        %depth_part = arith.constant 512 : index
        %kept_empty = tensor.empty() : !depth_kept
        %kept = scf.for %part_begin = %none to %depth step %depth_part iter_args(%of_parts = %kept_empty)
          -> (!depth_kept) {
          %part_end = affine.min
            affine_map<(k)[d] -> (k + 512, d)>(%part_begin)[%depth]
          %is_begun = arith.cmpi ne, %part_begin, %none : index
          %of_part = scf.for %m = %first_row to %end_row step %row_step iter_args(%kept_before = %of_parts)
            -> (!depth_kept) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 255)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
            %place = arith.subi %m, %first_row : index
            %block_before = vector.transfer_read %kept_before[%place, %none, %none], %padding
              {in_bounds = [true, true, true]} : !depth_kept, !depth_block
            %block_start = arith.select %is_begun, %block_before, %no_sums : !depth_block
          %block = scf.for %k = %part_begin to %part_end step %depth_step iter_args(%so_far = %block_start)
            -> (!depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<256x4096xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<256x4096xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<256x4096xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<256x4096xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<256x4096xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %sequences[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<66x4112xf32>, !depth_given
            %left1_0 = vector.transfer_read
              %sequences[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<66x4112xf32>, !depth_given
            %left2_0 = vector.transfer_read
              %sequences[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<66x4112xf32>, !depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_lanes
            %more0_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %old1_0_0 = vector.extract %more0_1[1, 0] : !depth_lanes from !depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_lanes
            %more0_2 = vector.insert %new1_0_0, %more0_1 [1, 0]
              : !depth_lanes into !depth_block
            %old2_0_0 = vector.extract %more0_2[2, 0] : !depth_lanes from !depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !depth_lanes
            %more0_3 = vector.insert %new2_0_0, %more0_2 [2, 0]
              : !depth_lanes into !depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_1_0 = vector.extract %more0_3[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more0_4 = vector.insert %new0_1_0, %more0_3 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_0 = vector.extract %more0_4[1, 1] : !depth_lanes from !depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_lanes
            %more0_5 = vector.insert %new1_1_0, %more0_4 [1, 1]
              : !depth_lanes into !depth_block
            %old2_1_0 = vector.extract %more0_5[2, 1] : !depth_lanes from !depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_lanes
            %more0_6 = vector.insert %new2_1_0, %more0_5 [2, 1]
              : !depth_lanes into !depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_2_0 = vector.extract %more0_6[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more0_7 = vector.insert %new0_2_0, %more0_6 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_0 = vector.extract %more0_7[1, 2] : !depth_lanes from !depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_lanes
            %more0_8 = vector.insert %new1_2_0, %more0_7 [1, 2]
              : !depth_lanes into !depth_block
            %old2_2_0 = vector.extract %more0_8[2, 2] : !depth_lanes from !depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_lanes
            %more0_9 = vector.insert %new2_2_0, %more0_8 [2, 2]
              : !depth_lanes into !depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_3_0 = vector.extract %more0_9[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more0_10 = vector.insert %new0_3_0, %more0_9 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_0 = vector.extract %more0_10[1, 3] : !depth_lanes from !depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_lanes
            %more0_11 = vector.insert %new1_3_0, %more0_10 [1, 3]
              : !depth_lanes into !depth_block
            %old2_3_0 = vector.extract %more0_11[2, 3] : !depth_lanes from !depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_lanes
            %more0 = vector.insert %new2_3_0, %more0_11 [2, 3]
              : !depth_lanes into !depth_block
            %k8 = affine.apply affine_map<(k) -> (k + 8)>(%k)
            %left0_8 = vector.transfer_read
              %sequences[%m0, %k8], %padding {in_bounds = [true]}
              : tensor<66x4112xf32>, !depth_given
            %left1_8 = vector.transfer_read
              %sequences[%m1, %k8], %padding {in_bounds = [true]}
              : tensor<66x4112xf32>, !depth_given
            %left2_8 = vector.transfer_read
              %sequences[%m2, %k8], %padding {in_bounds = [true]}
              : tensor<66x4112xf32>, !depth_given
            %right0_8 = vector.transfer_read
              %weight[%n0, %k8], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_0_8 = vector.extract %more0[0, 0] : !depth_lanes from !depth_block
            %new0_0_8 = vector.fma %left0_8, %right0_8, %old0_0_8 : !depth_lanes
            %more_1 = vector.insert %new0_0_8, %more0 [0, 0]
              : !depth_lanes into !depth_block
            %old1_0_8 = vector.extract %more_1[1, 0] : !depth_lanes from !depth_block
            %new1_0_8 = vector.fma %left1_8, %right0_8, %old1_0_8 : !depth_lanes
            %more_2 = vector.insert %new1_0_8, %more_1 [1, 0]
              : !depth_lanes into !depth_block
            %old2_0_8 = vector.extract %more_2[2, 0] : !depth_lanes from !depth_block
            %new2_0_8 = vector.fma %left2_8, %right0_8, %old2_0_8 : !depth_lanes
            %more_3 = vector.insert %new2_0_8, %more_2 [2, 0]
              : !depth_lanes into !depth_block
            %right1_8 = vector.transfer_read
              %weight[%n1, %k8], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_1_8 = vector.extract %more_3[0, 1] : !depth_lanes from !depth_block
            %new0_1_8 = vector.fma %left0_8, %right1_8, %old0_1_8 : !depth_lanes
            %more_4 = vector.insert %new0_1_8, %more_3 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_8 = vector.extract %more_4[1, 1] : !depth_lanes from !depth_block
            %new1_1_8 = vector.fma %left1_8, %right1_8, %old1_1_8 : !depth_lanes
            %more_5 = vector.insert %new1_1_8, %more_4 [1, 1]
              : !depth_lanes into !depth_block
            %old2_1_8 = vector.extract %more_5[2, 1] : !depth_lanes from !depth_block
            %new2_1_8 = vector.fma %left2_8, %right1_8, %old2_1_8 : !depth_lanes
            %more_6 = vector.insert %new2_1_8, %more_5 [2, 1]
              : !depth_lanes into !depth_block
            %right2_8 = vector.transfer_read
              %weight[%n2, %k8], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_2_8 = vector.extract %more_6[0, 2] : !depth_lanes from !depth_block
            %new0_2_8 = vector.fma %left0_8, %right2_8, %old0_2_8 : !depth_lanes
            %more_7 = vector.insert %new0_2_8, %more_6 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_8 = vector.extract %more_7[1, 2] : !depth_lanes from !depth_block
            %new1_2_8 = vector.fma %left1_8, %right2_8, %old1_2_8 : !depth_lanes
            %more_8 = vector.insert %new1_2_8, %more_7 [1, 2]
              : !depth_lanes into !depth_block
            %old2_2_8 = vector.extract %more_8[2, 2] : !depth_lanes from !depth_block
            %new2_2_8 = vector.fma %left2_8, %right2_8, %old2_2_8 : !depth_lanes
            %more_9 = vector.insert %new2_2_8, %more_8 [2, 2]
              : !depth_lanes into !depth_block
            %right3_8 = vector.transfer_read
              %weight[%n3, %k8], %padding {in_bounds = [true]}
              : tensor<256x4096xf32>, !depth_given
            %old0_3_8 = vector.extract %more_9[0, 3] : !depth_lanes from !depth_block
            %new0_3_8 = vector.fma %left0_8, %right3_8, %old0_3_8 : !depth_lanes
            %more_10 = vector.insert %new0_3_8, %more_9 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_8 = vector.extract %more_10[1, 3] : !depth_lanes from !depth_block
            %new1_3_8 = vector.fma %left1_8, %right3_8, %old1_3_8 : !depth_lanes
            %more_11 = vector.insert %new1_3_8, %more_10 [1, 3]
              : !depth_lanes into !depth_block
            %old2_3_8 = vector.extract %more_11[2, 3] : !depth_lanes from !depth_block
            %new2_3_8 = vector.fma %left2_8, %right3_8, %old2_3_8 : !depth_lanes
            %more = vector.insert %new2_3_8, %more_11 [2, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
            %kept_after = vector.transfer_write %block, %kept_before[%place, %none, %none]
              {in_bounds = [true, true, true]} : !depth_block, !depth_kept
            scf.yield %kept_after : !depth_kept
          }
          scf.yield %of_part : !depth_kept
        }
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<66x256xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %place = arith.subi %m, %first_row : index
          %block = vector.transfer_read %kept[%place, %none, %none], %padding
            {in_bounds = [true, true, true]} : !depth_kept, !depth_block
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [1], strides = [1]
            : !depth_block to !depth_part
          %registers0 = vector.shape_cast %part0 : !depth_part to !depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !depth_register8 from !depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !depth_register8 from !depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !depth_register8 from !depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !depth_register8 from !depth_rows0
        %numbers0_evens4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers0_odds4 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers0_4 = arith.addf
          %numbers0_evens4, %numbers0_odds4 fastmath<none> : !depth_register8
        %numbers0_evens5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers0_odds5 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers0_5 = arith.addf
          %numbers0_evens5, %numbers0_odds5 fastmath<none> : !depth_register8
        %numbers0_evens6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers0_odds6 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers0_6 = arith.addf
          %numbers0_evens6, %numbers0_odds6 fastmath<none> : !depth_register8
        %numbers0_evens7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [0, 1, 2, 3] : !depth_register8, !depth_register8
        %numbers0_odds7 = vector.shuffle
          %numbers0_6, %numbers0_6
          [4, 5, 6, 7] : !depth_register8, !depth_register8
        %numbers0 = arith.addf
          %numbers0_evens7, %numbers0_odds7 fastmath<none> : !depth_register4
          %sums0 = vector.shape_cast %numbers0 : !depth_numbers to !depth_sums
          %row0 = vector.extract %sums0[0] : !depth_row from !depth_sums
          %part1 = vector.extract_strided_slice %block
            offsets = [1], sizes = [1], strides = [1]
            : !depth_block to !depth_part
          %registers1 = vector.shape_cast %part1 : !depth_part to !depth_rows0
        %numbers1_0 = vector.extract %registers1[0] : !depth_register8 from !depth_rows0
        %numbers1_1 = vector.extract %registers1[1] : !depth_register8 from !depth_rows0
        %numbers1_2 = vector.extract %registers1[2] : !depth_register8 from !depth_rows0
        %numbers1_3 = vector.extract %registers1[3] : !depth_register8 from !depth_rows0
        %numbers1_evens4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers1_odds4 = vector.shuffle
          %numbers1_0, %numbers1_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers1_4 = arith.addf
          %numbers1_evens4, %numbers1_odds4 fastmath<none> : !depth_register8
        %numbers1_evens5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers1_odds5 = vector.shuffle
          %numbers1_2, %numbers1_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers1_5 = arith.addf
          %numbers1_evens5, %numbers1_odds5 fastmath<none> : !depth_register8
        %numbers1_evens6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers1_odds6 = vector.shuffle
          %numbers1_4, %numbers1_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers1_6 = arith.addf
          %numbers1_evens6, %numbers1_odds6 fastmath<none> : !depth_register8
        %numbers1_evens7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [0, 1, 2, 3] : !depth_register8, !depth_register8
        %numbers1_odds7 = vector.shuffle
          %numbers1_6, %numbers1_6
          [4, 5, 6, 7] : !depth_register8, !depth_register8
        %numbers1 = arith.addf
          %numbers1_evens7, %numbers1_odds7 fastmath<none> : !depth_register4
          %sums1 = vector.shape_cast %numbers1 : !depth_numbers to !depth_sums
          %row1 = vector.extract %sums1[0] : !depth_row from !depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [1], strides = [1]
            : !depth_block to !depth_part
          %registers2 = vector.shape_cast %part2 : !depth_part to !depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !depth_register8 from !depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !depth_register8 from !depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !depth_register8 from !depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !depth_register8 from !depth_rows0
        %numbers2_evens4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers2_odds4 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers2_4 = arith.addf
          %numbers2_evens4, %numbers2_odds4 fastmath<none> : !depth_register8
        %numbers2_evens5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers2_odds5 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers2_5 = arith.addf
          %numbers2_evens5, %numbers2_odds5 fastmath<none> : !depth_register8
        %numbers2_evens6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 8, 10, 4, 6, 12, 14] : !depth_register8, !depth_register8
        %numbers2_odds6 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 9, 11, 5, 7, 13, 15] : !depth_register8, !depth_register8
        %numbers2_6 = arith.addf
          %numbers2_evens6, %numbers2_odds6 fastmath<none> : !depth_register8
        %numbers2_evens7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [0, 1, 2, 3] : !depth_register8, !depth_register8
        %numbers2_odds7 = vector.shuffle
          %numbers2_6, %numbers2_6
          [4, 5, 6, 7] : !depth_register8, !depth_register8
        %numbers2 = arith.addf
          %numbers2_evens7, %numbers2_odds7 fastmath<none> : !depth_register4
          %sums2 = vector.shape_cast %numbers2 : !depth_numbers to !depth_sums
          %row2 = vector.extract %sums2[0] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<66x256xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<66x256xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<66x256xf32>
          scf.yield %after : tensor<66x256xf32>
        }
        scf.yield %of_rows : tensor<66x256xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [66, 256] [1, 1]
          : tensor<66x256xf32> into tensor<66x256xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [66, 256], strides = [1, 1]
      : tensor<66x256xf32> -> !acc_out
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
