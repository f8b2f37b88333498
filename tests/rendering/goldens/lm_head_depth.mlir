// hidden · weightᵀ
// m token, n token of the vocabulary, k hidden column
!hidden = tensor<2x3x256xf16>
!weight = tensor<1000x256xf16>
!logits = tensor<2x3x1000xf16>
!tokens = tensor<6x256xf16>
!acc = tensor<6x1000xf32>
!rows = tensor<6x1000xf16>
!depth_given = vector<8xf16>
!depth_lanes = vector<8xf32>
!depth_block = vector<3x4x8xf32>
!depth_part = vector<1x4x8xf32>
!depth_sums = vector<1x4xf32>
!depth_row = vector<4xf32>
!depth_numbers = vector<4xf32>
!depth_rows0 = vector<4x8xf32>
!depth_register4 = vector<4xf32>
!depth_register8 = vector<8xf32>
!tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x256xf16>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1000x256xf16>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x1000xf32>>
#rows = affine_map<(m, n) -> (m, n)>

func.func @lm_head(%hidden: !hidden, %weight: !weight) -> !logits {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %acc =
    flow.dispatch @acc_kernel::@acc_kernel(
      %tokens, %weight
    ) : (
      tensor<6x256xf16>,
      tensor<1000x256xf16>
    ) -> (tensor<6x1000xf32>)
  %empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %logits = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 3, 1000]
    : !rows into !logits
  return %logits : !logits
}
flow.executable private @acc_kernel {
  flow.executable.export public @acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @acc_kernel(
      %tokens_in: !tokens_of_acc,
      %weight_in: !weight_of_acc,
      %acc_out: !acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [6, 256], strides = [1, 1]
      : !tokens_of_acc -> tensor<6x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [1000, 256], strides = [1, 1]
      : !weight_of_acc -> tensor<1000x256xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 8 : index
    %columns = arith.constant 1000 : index
    %rows = arith.constant 6 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<1000x256xf16>
    %empty = tensor.empty() : tensor<6x1000xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<6x1000xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 3 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<6x1000xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 999)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 999)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 999)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 999)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<6x1000xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 3 mod 4
              + 4, 999)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 9)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<1000x256xf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<1000x256xf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<1000x256xf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<1000x256xf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<1000x256xf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<6x256xf16>, !depth_given
    %left0_0 = arith.extf %left0_0_stored : !depth_given to !depth_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<6x256xf16>, !depth_given
    %left1_0 = arith.extf %left1_0_stored : !depth_given to !depth_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<6x256xf16>, !depth_given
    %left2_0 = arith.extf %left2_0_stored : !depth_given to !depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<1000x256xf16>, !depth_given
    %right0_0 = arith.extf %right0_0_stored : !depth_given to !depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !depth_lanes from !depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !depth_lanes into !depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !depth_lanes from !depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !depth_lanes into !depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<1000x256xf16>, !depth_given
    %right1_0 = arith.extf %right1_0_stored : !depth_given to !depth_lanes
            %old0_1_0 = vector.extract %more_3[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more_4 = vector.insert %new0_1_0, %more_3 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_0 = vector.extract %more_4[1, 1] : !depth_lanes from !depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_lanes
            %more_5 = vector.insert %new1_1_0, %more_4 [1, 1]
              : !depth_lanes into !depth_block
            %old2_1_0 = vector.extract %more_5[2, 1] : !depth_lanes from !depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_lanes
            %more_6 = vector.insert %new2_1_0, %more_5 [2, 1]
              : !depth_lanes into !depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<1000x256xf16>, !depth_given
    %right2_0 = arith.extf %right2_0_stored : !depth_given to !depth_lanes
            %old0_2_0 = vector.extract %more_6[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more_7 = vector.insert %new0_2_0, %more_6 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_0 = vector.extract %more_7[1, 2] : !depth_lanes from !depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_lanes
            %more_8 = vector.insert %new1_2_0, %more_7 [1, 2]
              : !depth_lanes into !depth_block
            %old2_2_0 = vector.extract %more_8[2, 2] : !depth_lanes from !depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_lanes
            %more_9 = vector.insert %new2_2_0, %more_8 [2, 2]
              : !depth_lanes into !depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<1000x256xf16>, !depth_given
    %right3_0 = arith.extf %right3_0_stored : !depth_given to !depth_lanes
            %old0_3_0 = vector.extract %more_9[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more_10 = vector.insert %new0_3_0, %more_9 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_0 = vector.extract %more_10[1, 3] : !depth_lanes from !depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_lanes
            %more_11 = vector.insert %new1_3_0, %more_10 [1, 3]
              : !depth_lanes into !depth_block
            %old2_3_0 = vector.extract %more_11[2, 3] : !depth_lanes from !depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_lanes
            %more = vector.insert %new2_3_0, %more_11 [2, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
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
            {in_bounds = [true]} : !depth_row, tensor<6x1000xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<6x1000xf32>
          %after = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<6x1000xf32>
          scf.yield %after : tensor<6x1000xf32>
        }
        scf.yield %of_rows : tensor<6x1000xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [6, 1000] [1, 1]
          : tensor<6x1000xf32> into tensor<6x1000xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [6, 1000], strides = [1, 1]
      : tensor<6x1000xf32> -> !acc_out
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @lm_head$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!logits) attributes {iree.abi.model = "coarse-fences"} {
  %logits = func.call @lm_head(%hidden, %weight)
    : (!hidden, !weight) -> (!logits)
  util.return %logits : !logits
}
