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
!depth_rows1 = vector<8x16xf32>
!depth_pairs1 = vector<8x32xf32>
!depth_rows2 = vector<4x16xf32>
!depth_pairs2 = vector<4x32xf32>
!depth_rows3 = vector<2x16xf32>
!depth_pairs3 = vector<2x32xf32>
!depth_rows4 = vector<1x16xf32>
!depth_pairs4 = vector<1x32xf32>
!depth_turned = vector<16x1xf32>
!depth_turns0 = vector<16xf32>
!sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x512xf32>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x512xf32>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x256xf32>>
#sums = affine_map<(m, n) -> (m, n)>

func.func @output_projection(%attended: !attended, %weight: !weight) -> !output {
  %by_token_empty = tensor.empty() : !by_token
  %by_token = linalg.transpose ins(%attended : !attended) outs(%by_token_empty : !by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !by_token into !sequences
  %acc =
    flow.dispatch.workgroups(
      %sequences, %weight
    ) : (
      tensor<2x512xf32>,
      tensor<256x512xf32>
    ) -> (tensor<2x256xf32>) = (
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
        %numbers0_first1 = vector.extract_strided_slice %registers0
          offsets = [0], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers0_second1 = vector.extract_strided_slice %registers0
          offsets = [8], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers0_pairs1 = vector.interleave
          %numbers0_first1, %numbers0_second1
          : !depth_rows1 -> !depth_pairs1
        %numbers0_low1 = vector.extract_strided_slice %numbers0_pairs1
          offsets = [0, 0], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers0_high1 = vector.extract_strided_slice %numbers0_pairs1
          offsets = [0, 16], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers0_rows1 = arith.addf
          %numbers0_low1, %numbers0_high1 fastmath<none>
          : !depth_rows1
        %numbers0_first2 = vector.extract_strided_slice %numbers0_rows1
          offsets = [0], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers0_second2 = vector.extract_strided_slice %numbers0_rows1
          offsets = [4], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers0_pairs2 = vector.interleave
          %numbers0_first2, %numbers0_second2
          : !depth_rows2 -> !depth_pairs2
        %numbers0_low2 = vector.extract_strided_slice %numbers0_pairs2
          offsets = [0, 0], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers0_high2 = vector.extract_strided_slice %numbers0_pairs2
          offsets = [0, 16], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers0_rows2 = arith.addf
          %numbers0_low2, %numbers0_high2 fastmath<none>
          : !depth_rows2
        %numbers0_first3 = vector.extract_strided_slice %numbers0_rows2
          offsets = [0], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers0_second3 = vector.extract_strided_slice %numbers0_rows2
          offsets = [2], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers0_pairs3 = vector.interleave
          %numbers0_first3, %numbers0_second3
          : !depth_rows3 -> !depth_pairs3
        %numbers0_low3 = vector.extract_strided_slice %numbers0_pairs3
          offsets = [0, 0], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers0_high3 = vector.extract_strided_slice %numbers0_pairs3
          offsets = [0, 16], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers0_rows3 = arith.addf
          %numbers0_low3, %numbers0_high3 fastmath<none>
          : !depth_rows3
        %numbers0_first4 = vector.extract_strided_slice %numbers0_rows3
          offsets = [0], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers0_second4 = vector.extract_strided_slice %numbers0_rows3
          offsets = [1], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers0_pairs4 = vector.interleave
          %numbers0_first4, %numbers0_second4
          : !depth_rows4 -> !depth_pairs4
        %numbers0_low4 = vector.extract_strided_slice %numbers0_pairs4
          offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers0_high4 = vector.extract_strided_slice %numbers0_pairs4
          offsets = [0, 16], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers0_rows4 = arith.addf
          %numbers0_low4, %numbers0_high4 fastmath<none>
          : !depth_rows4
        %numbers0_turned = vector.transpose %numbers0_rows4, [1, 0]
          : !depth_rows4 to !depth_turned
        %numbers0 = vector.shape_cast %numbers0_turned
          : !depth_turned to !depth_numbers
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
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
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
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @output_projection$async(
    %attended: !attended,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @output_projection(%attended, %weight)
    : (!attended, !weight) -> (!output)
  util.return %output : !output
}
