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
!depth_register16 = vector<16xf32>
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
    flow.dispatch @gate_kernel::@gate_kernel(
      %tokens, %gate_up_weight
    ) : (
      tensor<40x256xbf16>,
      tensor<768x256xbf16>
    ) -> (tensor<40x384xf32>)
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
    flow.dispatch @up_kernel::@up_kernel(
      %tokens, %gate_up_weight
    ) : (
      tensor<40x256xbf16>,
      tensor<768x256xbf16>
    ) -> (tensor<40x384xf32>)
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
    flow.dispatch @down_kernel::@down_kernel(
      %inner, %down_weight
    ) : (
      tensor<40x384xbf16>,
      tensor<256x384xbf16>
    ) -> (tensor<40x256xf32>)
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
flow.executable private @gate_kernel {
  flow.executable.export public @gate_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @gate_kernel(
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
    return
  }
  }
}
flow.executable private @up_kernel {
  flow.executable.export public @up_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @up_kernel(
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
    return
  }
  }
}
flow.executable private @down_kernel {
  flow.executable.export public @down_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @down_kernel(
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
    return
  }
  }
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
