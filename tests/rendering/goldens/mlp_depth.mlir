// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!hidden = tensor<2x20x256xbf16>
!gate_up_weight = tensor<768x256xbf16>
!down_weight = tensor<256x384xbf16>
!output = tensor<2x20x256xbf16>
!tokens = tensor<40x256xbf16>
!gate = tensor<40x384xf32>
!active = tensor<40x384xbf16>
!up = tensor<40x384xf32>
!inner = tensor<40x384xbf16>
!down = tensor<40x256xf32>
!rows = tensor<40x256xbf16>
!depth_given = vector<16xbf16>
!depth_lanes = vector<16xf32>
!depth_block = vector<4x4x16xf32>
!depth_part = vector<4x4x16xf32>
!depth_sums = vector<4x4xf32>
!depth_row = vector<4xf32>
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
!tokens_of_gate = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x256xbf16>>
!gate_up_weight_of_gate = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xbf16>>
!gate_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x384xf32>>
!tokens_of_up = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x256xbf16>>
!gate_up_weight_of_up = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xbf16>>
!up_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x384xf32>>
!inner_of_down = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x384xbf16>>
!down_weight_of_down = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x384xbf16>>
!down_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x256xf32>>
#rows = affine_map<(m, n) -> (m, n)>

func.func @mlp(%hidden: !hidden, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %gate =
    flow.dispatch.workgroups(
      %tokens, %gate_up_weight
    ) : (
      tensor<40x256xbf16>,
      tensor<768x256xbf16>
    ) -> (tensor<40x384xf32>) = (
      %tokens_in: !tokens_of_gate,
      %gate_up_weight_in: !gate_up_weight_of_gate,
      %gate_out: !gate_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [40, 256], strides = [1, 1]
      : !tokens_of_gate -> tensor<40x256xbf16>
    %gate_up_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !gate_up_weight_of_gate -> tensor<768x256xbf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 384 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : bf16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xbf16>
    %empty = tensor.empty() : tensor<40x384xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x384xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x384xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_block
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x384xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %m3 = affine.apply affine_map<(m) -> (m + 3)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xbf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xbf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xbf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xbf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x256xbf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left0_0 = arith.extf %left0_0_stored : !depth_given to !depth_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left1_0 = arith.extf %left1_0_stored : !depth_given to !depth_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left2_0 = arith.extf %left2_0_stored : !depth_given to !depth_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left3_0 = arith.extf %left3_0_stored : !depth_given to !depth_lanes
            %right0_0_stored = vector.transfer_read
              %gate_up_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
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
            %old3_0_0 = vector.extract %more_3[3, 0] : !depth_lanes from !depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !depth_lanes into !depth_block
            %right1_0_stored = vector.transfer_read
              %gate_up_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
    %right1_0 = arith.extf %right1_0_stored : !depth_given to !depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !depth_lanes from !depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !depth_lanes into !depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !depth_lanes from !depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !depth_lanes into !depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !depth_lanes from !depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !depth_lanes into !depth_block
            %right2_0_stored = vector.transfer_read
              %gate_up_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
    %right2_0 = arith.extf %right2_0_stored : !depth_given to !depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !depth_lanes from !depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !depth_lanes into !depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !depth_lanes from !depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !depth_lanes into !depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !depth_lanes from !depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !depth_lanes into !depth_block
            %right3_0_stored = vector.transfer_read
              %gate_up_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
    %right3_0 = arith.extf %right3_0_stored : !depth_given to !depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !depth_lanes from !depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !depth_lanes into !depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !depth_lanes from !depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !depth_lanes into !depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !depth_lanes from !depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
          %row2 = vector.extract %sums0[2] : !depth_row from !depth_sums
          %row3 = vector.extract %sums0[3] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          scf.yield %after : tensor<40x384xf32>
        }
        scf.yield %of_rows : tensor<40x384xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 384] [1, 1]
          : tensor<40x384xf32> into tensor<40x384xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %gate_out,
      offsets = [0, 0], sizes = [40, 384], strides = [1, 1]
      : tensor<40x384xf32> -> !gate_out
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  %empty_active = tensor.empty() : !active
  %active = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !gate) outs(%empty_active : !active) {
  ^bb0(%sum: f32, %unused: bf16):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %sum : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %sum, %divisor : f32
    %active_stored = arith.truncf %active : f32 to bf16
    linalg.yield %active_stored : bf16
  } -> !active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !active -> !active
  %up =
    flow.dispatch.workgroups(
      %tokens, %gate_up_weight
    ) : (
      tensor<40x256xbf16>,
      tensor<768x256xbf16>
    ) -> (tensor<40x384xf32>) = (
      %tokens_in: !tokens_of_up,
      %gate_up_weight_in: !gate_up_weight_of_up,
      %up_out: !up_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [40, 256], strides = [1, 1]
      : !tokens_of_up -> tensor<40x256xbf16>
    %gate_up_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !gate_up_weight_of_up -> tensor<768x256xbf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 384 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : bf16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xbf16>
    %empty = tensor.empty() : tensor<40x384xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x384xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x384xf32>) {
        %no_sums = arith.constant dense<0.0> : !depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 384)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 384, 767)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 385)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 385, 767)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 386)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 386, 767)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 387)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 387, 767)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x384xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %m3 = affine.apply affine_map<(m) -> (m + 3)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 767)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<768x256xbf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<768x256xbf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<768x256xbf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<768x256xbf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<768x256xbf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left0_0 = arith.extf %left0_0_stored : !depth_given to !depth_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left1_0 = arith.extf %left1_0_stored : !depth_given to !depth_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left2_0 = arith.extf %left2_0_stored : !depth_given to !depth_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x256xbf16>, !depth_given
    %left3_0 = arith.extf %left3_0_stored : !depth_given to !depth_lanes
            %right0_0_stored = vector.transfer_read
              %gate_up_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
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
            %old3_0_0 = vector.extract %more_3[3, 0] : !depth_lanes from !depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !depth_lanes into !depth_block
            %right1_0_stored = vector.transfer_read
              %gate_up_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
    %right1_0 = arith.extf %right1_0_stored : !depth_given to !depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !depth_lanes from !depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !depth_lanes into !depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !depth_lanes from !depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !depth_lanes into !depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !depth_lanes from !depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !depth_lanes into !depth_block
            %right2_0_stored = vector.transfer_read
              %gate_up_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
    %right2_0 = arith.extf %right2_0_stored : !depth_given to !depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !depth_lanes from !depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !depth_lanes into !depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !depth_lanes from !depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !depth_lanes into !depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !depth_lanes from !depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !depth_lanes into !depth_block
            %right3_0_stored = vector.transfer_read
              %gate_up_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x256xbf16>, !depth_given
    %right3_0 = arith.extf %right3_0_stored : !depth_given to !depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !depth_lanes from !depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !depth_lanes into !depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !depth_lanes from !depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !depth_lanes into !depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !depth_lanes from !depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
          %row2 = vector.extract %sums0[2] : !depth_row from !depth_sums
          %row3 = vector.extract %sums0[3] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x384xf32>
          scf.yield %after : tensor<40x384xf32>
        }
        scf.yield %of_rows : tensor<40x384xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 384] [1, 1]
          : tensor<40x384xf32> into tensor<40x384xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %up_out,
      offsets = [0, 0], sizes = [40, 384], strides = [1, 1]
      : tensor<40x384xf32> -> !up_out
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  %empty_inner = tensor.empty() : !inner
  %inner = linalg.generic {
      indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !up, !active) outs(%empty_inner : !inner) {
  ^bb0(%sum: f32, %factor_stored: bf16, %unused: bf16):
    %factor = arith.extf %factor_stored : bf16 to f32
    %gated = arith.mulf %sum, %factor : f32
    %gated_stored = arith.truncf %gated : f32 to bf16
    linalg.yield %gated_stored : bf16
  } -> !inner
  %down =
    flow.dispatch.workgroups(
      %inner, %down_weight
    ) : (
      tensor<40x384xbf16>,
      tensor<256x384xbf16>
    ) -> (tensor<40x256xf32>) = (
      %inner_in: !inner_of_down,
      %down_weight_in: !down_weight_of_down,
      %down_out: !down_out
    ) {
    %inner = iree_tensor_ext.dispatch.tensor.load %inner_in,
      offsets = [0, 0], sizes = [40, 384], strides = [1, 1]
      : !inner_of_down -> tensor<40x384xbf16>
    %down_weight = iree_tensor_ext.dispatch.tensor.load %down_weight_in,
      offsets = [0, 0], sizes = [256, 384], strides = [1, 1]
      : !down_weight_of_down -> tensor<256x384xbf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 384 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 256 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : bf16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<256x384xbf16>
    %empty = tensor.empty() : tensor<40x256xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x256xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x256xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x256xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %m3 = affine.apply affine_map<(m) -> (m + 3)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 255)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<256x384xbf16>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<256x384xbf16>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<256x384xbf16>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<256x384xbf16>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<256x384xbf16>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0_stored = vector.transfer_read
              %inner[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x384xbf16>, !depth_given
    %left0_0 = arith.extf %left0_0_stored : !depth_given to !depth_lanes
            %left1_0_stored = vector.transfer_read
              %inner[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x384xbf16>, !depth_given
    %left1_0 = arith.extf %left1_0_stored : !depth_given to !depth_lanes
            %left2_0_stored = vector.transfer_read
              %inner[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x384xbf16>, !depth_given
    %left2_0 = arith.extf %left2_0_stored : !depth_given to !depth_lanes
            %left3_0_stored = vector.transfer_read
              %inner[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x384xbf16>, !depth_given
    %left3_0 = arith.extf %left3_0_stored : !depth_given to !depth_lanes
            %right0_0_stored = vector.transfer_read
              %down_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<256x384xbf16>, !depth_given
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
            %old3_0_0 = vector.extract %more_3[3, 0] : !depth_lanes from !depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !depth_lanes into !depth_block
            %right1_0_stored = vector.transfer_read
              %down_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<256x384xbf16>, !depth_given
    %right1_0 = arith.extf %right1_0_stored : !depth_given to !depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !depth_lanes from !depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !depth_lanes into !depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !depth_lanes from !depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !depth_lanes into !depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !depth_lanes from !depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !depth_lanes into !depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !depth_lanes from !depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !depth_lanes into !depth_block
            %right2_0_stored = vector.transfer_read
              %down_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<256x384xbf16>, !depth_given
    %right2_0 = arith.extf %right2_0_stored : !depth_given to !depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !depth_lanes from !depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !depth_lanes into !depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !depth_lanes from !depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !depth_lanes into !depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !depth_lanes from !depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !depth_lanes into !depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !depth_lanes from !depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !depth_lanes into !depth_block
            %right3_0_stored = vector.transfer_read
              %down_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<256x384xbf16>, !depth_given
    %right3_0 = arith.extf %right3_0_stored : !depth_given to !depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !depth_lanes from !depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !depth_lanes into !depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !depth_lanes from !depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !depth_lanes into !depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !depth_lanes from !depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !depth_lanes into !depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !depth_lanes from !depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
          %row2 = vector.extract %sums0[2] : !depth_row from !depth_sums
          %row3 = vector.extract %sums0[3] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x256xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x256xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x256xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<40x256xf32>
          scf.yield %after : tensor<40x256xf32>
        }
        scf.yield %of_rows : tensor<40x256xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 256] [1, 1]
          : tensor<40x256xf32> into tensor<40x256xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %down_out,
      offsets = [0, 0], sizes = [40, 256], strides = [1, 1]
      : tensor<40x256xf32> -> !down_out
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  %empty_rows = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !down) outs(%empty_rows : !rows) {
  ^bb0(%sum: f32, %unused: bf16):
    %sum_stored = arith.truncf %sum : f32 to bf16
    linalg.yield %sum_stored : bf16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 20, 256]
    : !rows into !output
  return %output : !output
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @mlp$async(
    %hidden: !hidden,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @mlp(%hidden, %gate_up_weight, %down_weight)
    : (!hidden, !gate_up_weight, !down_weight) -> (!output)
  util.return %output : !output
}
