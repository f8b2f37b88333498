// A decoder layer of packed tokens. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<40x128xf32>
!norm__weight = tensor<128xf32>
!norm__output = tensor<40x128xf32>
!norm__row = tensor<40xf32>
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
  %columns = arith.constant 128.0 : f32
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
// Hidden states to absorbed queries and to latents. The parts are functions, which the compiler inlines.
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!query_down__hidden = tensor<40x1x128xf32>
!query_down__weight = tensor<24x128xf32>
!query_down__output = tensor<40x1x24xf32>
!query_down__tokens = tensor<40x128xf32>
!query_down__acc = tensor<40x24xf32>
!query_down__rows = tensor<40x24xf32>
!query_down__depth_given = vector<16xf32>
!query_down__depth_lanes = vector<16xf32>
!query_down__depth_block = vector<6x4x16xf32>
!query_down__depth_part = vector<2x4x16xf32>
!query_down__depth_sums = vector<2x4xf32>
!query_down__depth_row = vector<4xf32>
!query_down__depth_numbers = vector<8xf32>
!query_down__depth_rows0 = vector<8x16xf32>
!query_down__depth_register8 = vector<8xf32>
!query_down__depth_register16 = vector<16xf32>
!query_down__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x128xf32>>
!query_down__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<24x128xf32>>
!query_down__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x24xf32>>
#query_down__rows = affine_map<(m, n) -> (m, n)>

func.func private @query_down(%hidden: !query_down__hidden, %weight: !query_down__weight) -> !query_down__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !query_down__hidden into !query_down__tokens
  %acc =
    flow.dispatch @query_down_acc_kernel::@query_down_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<40x128xf32>,
      tensor<24x128xf32>
    ) -> (tensor<40x24xf32>)
  %empty = tensor.empty() : !query_down__rows
  %rows = linalg.generic {
      indexing_maps = [#query_down__rows, #query_down__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !query_down__acc) outs(%empty : !query_down__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !query_down__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [40, 1, 24]
    : !query_down__rows into !query_down__output
  return %output : !query_down__output
}
flow.executable private @query_down_acc_kernel {
  flow.executable.export public @query_down_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @query_down_acc_kernel(
      %tokens_in: !query_down__tokens_of_acc,
      %weight_in: !query_down__weight_of_acc,
      %acc_out: !query_down__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : !query_down__tokens_of_acc -> tensor<40x128xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [24, 128], strides = [1, 1]
      : !query_down__weight_of_acc -> tensor<24x128xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 128 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 24 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<24x128xf32>
    %empty = tensor.empty() : tensor<40x24xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x24xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 6 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x24xf32>) {
        %no_sums = arith.constant dense<0.0> : !query_down__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 23)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 23)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 23)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 23)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x24xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows]
          %m4 = affine.min
            affine_map<(m)[c] -> (m + 4, c - 1)>(%m)[%rows]
          %m5 = affine.min
            affine_map<(m)[c] -> (m + 5, c - 1)>(%m)[%rows]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 6 mod 4
              + 4, 23)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 18)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!query_down__depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<24x128xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<24x128xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<24x128xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<24x128xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<24x128xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !query_down__depth_given
            %left1_0 = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !query_down__depth_given
            %left2_0 = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !query_down__depth_given
            %left3_0 = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !query_down__depth_given
            %left4_0 = vector.transfer_read
              %tokens[%m4, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !query_down__depth_given
            %left5_0 = vector.transfer_read
              %tokens[%m5, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !query_down__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<24x128xf32>, !query_down__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !query_down__depth_lanes from !query_down__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !query_down__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !query_down__depth_lanes into !query_down__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !query_down__depth_lanes from !query_down__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !query_down__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !query_down__depth_lanes into !query_down__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !query_down__depth_lanes from !query_down__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !query_down__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !query_down__depth_lanes into !query_down__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !query_down__depth_lanes from !query_down__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !query_down__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !query_down__depth_lanes into !query_down__depth_block
            %old4_0_0 = vector.extract %more_4[4, 0] : !query_down__depth_lanes from !query_down__depth_block
            %new4_0_0 = vector.fma %left4_0, %right0_0, %old4_0_0 : !query_down__depth_lanes
            %more_5 = vector.insert %new4_0_0, %more_4 [4, 0]
              : !query_down__depth_lanes into !query_down__depth_block
            %old5_0_0 = vector.extract %more_5[5, 0] : !query_down__depth_lanes from !query_down__depth_block
            %new5_0_0 = vector.fma %left5_0, %right0_0, %old5_0_0 : !query_down__depth_lanes
            %more_6 = vector.insert %new5_0_0, %more_5 [5, 0]
              : !query_down__depth_lanes into !query_down__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<24x128xf32>, !query_down__depth_given
            %old0_1_0 = vector.extract %more_6[0, 1] : !query_down__depth_lanes from !query_down__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !query_down__depth_lanes
            %more_7 = vector.insert %new0_1_0, %more_6 [0, 1]
              : !query_down__depth_lanes into !query_down__depth_block
            %old1_1_0 = vector.extract %more_7[1, 1] : !query_down__depth_lanes from !query_down__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !query_down__depth_lanes
            %more_8 = vector.insert %new1_1_0, %more_7 [1, 1]
              : !query_down__depth_lanes into !query_down__depth_block
            %old2_1_0 = vector.extract %more_8[2, 1] : !query_down__depth_lanes from !query_down__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !query_down__depth_lanes
            %more_9 = vector.insert %new2_1_0, %more_8 [2, 1]
              : !query_down__depth_lanes into !query_down__depth_block
            %old3_1_0 = vector.extract %more_9[3, 1] : !query_down__depth_lanes from !query_down__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !query_down__depth_lanes
            %more_10 = vector.insert %new3_1_0, %more_9 [3, 1]
              : !query_down__depth_lanes into !query_down__depth_block
            %old4_1_0 = vector.extract %more_10[4, 1] : !query_down__depth_lanes from !query_down__depth_block
            %new4_1_0 = vector.fma %left4_0, %right1_0, %old4_1_0 : !query_down__depth_lanes
            %more_11 = vector.insert %new4_1_0, %more_10 [4, 1]
              : !query_down__depth_lanes into !query_down__depth_block
            %old5_1_0 = vector.extract %more_11[5, 1] : !query_down__depth_lanes from !query_down__depth_block
            %new5_1_0 = vector.fma %left5_0, %right1_0, %old5_1_0 : !query_down__depth_lanes
            %more_12 = vector.insert %new5_1_0, %more_11 [5, 1]
              : !query_down__depth_lanes into !query_down__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<24x128xf32>, !query_down__depth_given
            %old0_2_0 = vector.extract %more_12[0, 2] : !query_down__depth_lanes from !query_down__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !query_down__depth_lanes
            %more_13 = vector.insert %new0_2_0, %more_12 [0, 2]
              : !query_down__depth_lanes into !query_down__depth_block
            %old1_2_0 = vector.extract %more_13[1, 2] : !query_down__depth_lanes from !query_down__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !query_down__depth_lanes
            %more_14 = vector.insert %new1_2_0, %more_13 [1, 2]
              : !query_down__depth_lanes into !query_down__depth_block
            %old2_2_0 = vector.extract %more_14[2, 2] : !query_down__depth_lanes from !query_down__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !query_down__depth_lanes
            %more_15 = vector.insert %new2_2_0, %more_14 [2, 2]
              : !query_down__depth_lanes into !query_down__depth_block
            %old3_2_0 = vector.extract %more_15[3, 2] : !query_down__depth_lanes from !query_down__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !query_down__depth_lanes
            %more_16 = vector.insert %new3_2_0, %more_15 [3, 2]
              : !query_down__depth_lanes into !query_down__depth_block
            %old4_2_0 = vector.extract %more_16[4, 2] : !query_down__depth_lanes from !query_down__depth_block
            %new4_2_0 = vector.fma %left4_0, %right2_0, %old4_2_0 : !query_down__depth_lanes
            %more_17 = vector.insert %new4_2_0, %more_16 [4, 2]
              : !query_down__depth_lanes into !query_down__depth_block
            %old5_2_0 = vector.extract %more_17[5, 2] : !query_down__depth_lanes from !query_down__depth_block
            %new5_2_0 = vector.fma %left5_0, %right2_0, %old5_2_0 : !query_down__depth_lanes
            %more_18 = vector.insert %new5_2_0, %more_17 [5, 2]
              : !query_down__depth_lanes into !query_down__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<24x128xf32>, !query_down__depth_given
            %old0_3_0 = vector.extract %more_18[0, 3] : !query_down__depth_lanes from !query_down__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !query_down__depth_lanes
            %more_19 = vector.insert %new0_3_0, %more_18 [0, 3]
              : !query_down__depth_lanes into !query_down__depth_block
            %old1_3_0 = vector.extract %more_19[1, 3] : !query_down__depth_lanes from !query_down__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !query_down__depth_lanes
            %more_20 = vector.insert %new1_3_0, %more_19 [1, 3]
              : !query_down__depth_lanes into !query_down__depth_block
            %old2_3_0 = vector.extract %more_20[2, 3] : !query_down__depth_lanes from !query_down__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !query_down__depth_lanes
            %more_21 = vector.insert %new2_3_0, %more_20 [2, 3]
              : !query_down__depth_lanes into !query_down__depth_block
            %old3_3_0 = vector.extract %more_21[3, 3] : !query_down__depth_lanes from !query_down__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !query_down__depth_lanes
            %more_22 = vector.insert %new3_3_0, %more_21 [3, 3]
              : !query_down__depth_lanes into !query_down__depth_block
            %old4_3_0 = vector.extract %more_22[4, 3] : !query_down__depth_lanes from !query_down__depth_block
            %new4_3_0 = vector.fma %left4_0, %right3_0, %old4_3_0 : !query_down__depth_lanes
            %more_23 = vector.insert %new4_3_0, %more_22 [4, 3]
              : !query_down__depth_lanes into !query_down__depth_block
            %old5_3_0 = vector.extract %more_23[5, 3] : !query_down__depth_lanes from !query_down__depth_block
            %new5_3_0 = vector.fma %left5_0, %right3_0, %old5_3_0 : !query_down__depth_lanes
            %more = vector.insert %new5_3_0, %more_23 [5, 3]
              : !query_down__depth_lanes into !query_down__depth_block
            scf.yield %more : !query_down__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
            : !query_down__depth_block to !query_down__depth_part
          %registers0 = vector.shape_cast %part0 : !query_down__depth_part to !query_down__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !query_down__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !query_down__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !query_down__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !query_down__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !query_down__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !query_down__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !query_down__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !query_down__depth_register16, !query_down__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !query_down__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !query_down__depth_numbers to !query_down__depth_sums
          %row0 = vector.extract %sums0[0] : !query_down__depth_row from !query_down__depth_sums
          %row1 = vector.extract %sums0[1] : !query_down__depth_row from !query_down__depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [2], strides = [1]
            : !query_down__depth_block to !query_down__depth_part
          %registers2 = vector.shape_cast %part2 : !query_down__depth_part to !query_down__depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_4 = vector.extract %registers2[4] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_5 = vector.extract %registers2[5] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_6 = vector.extract %registers2[6] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_7 = vector.extract %registers2[7] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers2_evens8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_8 = arith.addf
          %numbers2_evens8, %numbers2_odds8 fastmath<none> : !query_down__depth_register16
        %numbers2_evens9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_9 = arith.addf
          %numbers2_evens9, %numbers2_odds9 fastmath<none> : !query_down__depth_register16
        %numbers2_evens10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_10 = arith.addf
          %numbers2_evens10, %numbers2_odds10 fastmath<none> : !query_down__depth_register16
        %numbers2_evens11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_11 = arith.addf
          %numbers2_evens11, %numbers2_odds11 fastmath<none> : !query_down__depth_register16
        %numbers2_evens12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_12 = arith.addf
          %numbers2_evens12, %numbers2_odds12 fastmath<none> : !query_down__depth_register16
        %numbers2_evens13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_13 = arith.addf
          %numbers2_evens13, %numbers2_odds13 fastmath<none> : !query_down__depth_register16
        %numbers2_evens14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_14 = arith.addf
          %numbers2_evens14, %numbers2_odds14 fastmath<none> : !query_down__depth_register16
        %numbers2_evens15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2_odds15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !query_down__depth_register16, !query_down__depth_register16
        %numbers2 = arith.addf
          %numbers2_evens15, %numbers2_odds15 fastmath<none> : !query_down__depth_register8
          %sums2 = vector.shape_cast %numbers2 : !query_down__depth_numbers to !query_down__depth_sums
          %row2 = vector.extract %sums2[0] : !query_down__depth_row from !query_down__depth_sums
          %row3 = vector.extract %sums2[1] : !query_down__depth_row from !query_down__depth_sums
          %part4 = vector.extract_strided_slice %block
            offsets = [4], sizes = [2], strides = [1]
            : !query_down__depth_block to !query_down__depth_part
          %registers4 = vector.shape_cast %part4 : !query_down__depth_part to !query_down__depth_rows0
        %numbers4_0 = vector.extract %registers4[0] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_1 = vector.extract %registers4[1] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_2 = vector.extract %registers4[2] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_3 = vector.extract %registers4[3] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_4 = vector.extract %registers4[4] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_5 = vector.extract %registers4[5] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_6 = vector.extract %registers4[6] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_7 = vector.extract %registers4[7] : !query_down__depth_register16 from !query_down__depth_rows0
        %numbers4_evens8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_8 = arith.addf
          %numbers4_evens8, %numbers4_odds8 fastmath<none> : !query_down__depth_register16
        %numbers4_evens9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_9 = arith.addf
          %numbers4_evens9, %numbers4_odds9 fastmath<none> : !query_down__depth_register16
        %numbers4_evens10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_10 = arith.addf
          %numbers4_evens10, %numbers4_odds10 fastmath<none> : !query_down__depth_register16
        %numbers4_evens11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_11 = arith.addf
          %numbers4_evens11, %numbers4_odds11 fastmath<none> : !query_down__depth_register16
        %numbers4_evens12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_12 = arith.addf
          %numbers4_evens12, %numbers4_odds12 fastmath<none> : !query_down__depth_register16
        %numbers4_evens13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_13 = arith.addf
          %numbers4_evens13, %numbers4_odds13 fastmath<none> : !query_down__depth_register16
        %numbers4_evens14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_14 = arith.addf
          %numbers4_evens14, %numbers4_odds14 fastmath<none> : !query_down__depth_register16
        %numbers4_evens15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4_odds15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !query_down__depth_register16, !query_down__depth_register16
        %numbers4 = arith.addf
          %numbers4_evens15, %numbers4_odds15 fastmath<none> : !query_down__depth_register8
          %sums4 = vector.shape_cast %numbers4 : !query_down__depth_numbers to !query_down__depth_sums
          %row4 = vector.extract %sums4[0] : !query_down__depth_row from !query_down__depth_sums
          %row5 = vector.extract %sums4[1] : !query_down__depth_row from !query_down__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !query_down__depth_row, tensor<40x24xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !query_down__depth_row, tensor<40x24xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !query_down__depth_row, tensor<40x24xf32>
          %after_4 = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !query_down__depth_row, tensor<40x24xf32>
          %after_5 = vector.transfer_write %row4, %after_4[%m4, %n]
            {in_bounds = [true]} : !query_down__depth_row, tensor<40x24xf32>
          %after = vector.transfer_write %row5, %after_5[%m5, %n]
            {in_bounds = [true]} : !query_down__depth_row, tensor<40x24xf32>
          scf.yield %after : tensor<40x24xf32>
        }
        scf.yield %of_rows : tensor<40x24xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 24] [1, 1]
          : tensor<40x24xf32> into tensor<40x24xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [40, 24], strides = [1, 1]
      : tensor<40x24xf32> -> !query_down__acc_out
    return
  }
  }
}
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!query_down_norm__x = tensor<40x24xf32>
!query_down_norm__weight = tensor<24xf32>
!query_down_norm__output = tensor<40x24xf32>
!query_down_norm__row = tensor<40xf32>
#query_down_norm__x = affine_map<(r, n) -> (r, n)>
#query_down_norm__row = affine_map<(r, n) -> (r)>
#query_down_norm__weight = affine_map<(r, n) -> (n)>

func.func private @query_down_norm(%x: !query_down_norm__x, %weight: !query_down_norm__weight) -> !query_down_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !query_down_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !query_down_norm__row) -> !query_down_norm__row
  %squares = linalg.generic {
      indexing_maps = [#query_down_norm__x, #query_down_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !query_down_norm__x) outs(%start : !query_down_norm__row) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !query_down_norm__row
  %columns = arith.constant 24.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !query_down_norm__output
  %output = linalg.generic {
      indexing_maps = [#query_down_norm__x, #query_down_norm__row, #query_down_norm__weight, #query_down_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !query_down_norm__x, !query_down_norm__row, !query_down_norm__weight) outs(%output_empty : !query_down_norm__output) {
  ^bb0(%in: f32, %sum: f32, %w: f32, %unused: f32):


    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32

    linalg.yield %scaled : f32
  } -> !query_down_norm__output
  return %output : !query_down_norm__output
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!query_up__hidden = tensor<40x1x24xf32>
!query_up__weight = tensor<96x24xf32>
!query_up__output = tensor<40x1x96xf32>
!query_up__tokens = tensor<40x24xf32>
!query_up__acc = tensor<40x96xf32>
!query_up__rows = tensor<40x96xf32>
#query_up__x = affine_map<(m, n, k) -> (m, k)>
#query_up__weight = affine_map<(m, n, k) -> (n, k)>
#query_up__acc = affine_map<(m, n, k) -> (m, n)>
#query_up__rows = affine_map<(m, n) -> (m, n)>

func.func private @query_up(%hidden: !query_up__hidden, %weight: !query_up__weight) -> !query_up__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !query_up__hidden into !query_up__tokens
  %empty_acc = tensor.empty() : !query_up__acc
  %start_of_acc = linalg.fill ins(%zero : f32)
    outs(%empty_acc : !query_up__acc) -> !query_up__acc
  %acc = linalg.generic {
      indexing_maps = [#query_up__x, #query_up__weight, #query_up__acc],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%tokens, %weight : !query_up__tokens, !query_up__weight) outs(%start_of_acc : !query_up__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !query_up__acc
  %empty = tensor.empty() : !query_up__rows
  %rows = linalg.generic {
      indexing_maps = [#query_up__rows, #query_up__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !query_up__acc) outs(%empty : !query_up__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !query_up__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [40, 1, 96]
    : !query_up__rows into !query_up__output
  return %output : !query_up__output
}
// heads · weightᵀ, head by head.
// h head, m token, n column of the output, k column of what goes in
!absorption__heads = tensor<40x4x1x16xf32>
!absorption__weight = tensor<4x32x16xf32>
!absorption__projected = tensor<40x4x1x32xf32>
!absorption__rows_of_heads = tensor<40x4x16xf32>
!absorption__acc = tensor<40x4x32xf32>
!absorption__rows = tensor<40x4x32xf32>
#absorption__x = affine_map<(h, m, n, k) -> (m, h, k)>
#absorption__weight = affine_map<(h, m, n, k) -> (h, n, k)>
#absorption__acc = affine_map<(h, m, n, k) -> (m, h, n)>
#absorption__rows = affine_map<(m, h, n) -> (m, h, n)>

func.func private @absorption(%heads: !absorption__heads, %weight: !absorption__weight) -> !absorption__projected {
  %rows_of_heads = tensor.collapse_shape %heads [[0], [1, 2], [3]] : !absorption__heads into !absorption__rows_of_heads
  %zero = arith.constant 0.0 : f32
  %empty_acc = tensor.empty() : !absorption__acc
  %start = linalg.fill ins(%zero : f32) outs(%empty_acc : !absorption__acc) -> !absorption__acc
  %acc = linalg.generic {
      indexing_maps = [#absorption__x, #absorption__weight, #absorption__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%rows_of_heads, %weight : !absorption__rows_of_heads, !absorption__weight) outs(%start : !absorption__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !absorption__acc
  %empty = tensor.empty() : !absorption__rows
  %rows = linalg.generic {
      indexing_maps = [#absorption__rows, #absorption__rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc : !absorption__acc) outs(%empty : !absorption__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !absorption__rows
  %projected = tensor.expand_shape %rows [[0], [1, 2], [3]] output_shape [40, 4, 1, 32] : !absorption__rows into !absorption__projected
  return %projected : !absorption__projected
}
// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!latent_down__hidden = tensor<40x1x128xf32>
!latent_down__weight = tensor<40x128xf32>
!latent_down__output = tensor<40x1x40xf32>
!latent_down__tokens = tensor<40x128xf32>
!latent_down__acc = tensor<40x40xf32>
!latent_down__rows = tensor<40x40xf32>
!latent_down__depth_given = vector<16xf32>
!latent_down__depth_lanes = vector<16xf32>
!latent_down__depth_block = vector<6x4x16xf32>
!latent_down__depth_part = vector<2x4x16xf32>
!latent_down__depth_sums = vector<2x4xf32>
!latent_down__depth_row = vector<4xf32>
!latent_down__depth_numbers = vector<8xf32>
!latent_down__depth_rows0 = vector<8x16xf32>
!latent_down__depth_register8 = vector<8xf32>
!latent_down__depth_register16 = vector<16xf32>
!latent_down__tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x128xf32>>
!latent_down__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x128xf32>>
!latent_down__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x40xf32>>
#latent_down__rows = affine_map<(m, n) -> (m, n)>

func.func private @latent_down(%hidden: !latent_down__hidden, %weight: !latent_down__weight) -> !latent_down__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !latent_down__hidden into !latent_down__tokens
  %acc =
    flow.dispatch @latent_down_acc_kernel::@latent_down_acc_kernel(
      %tokens, %weight
    ) : (
      tensor<40x128xf32>,
      tensor<40x128xf32>
    ) -> (tensor<40x40xf32>)
  %empty = tensor.empty() : !latent_down__rows
  %rows = linalg.generic {
      indexing_maps = [#latent_down__rows, #latent_down__rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !latent_down__acc) outs(%empty : !latent_down__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !latent_down__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [40, 1, 40]
    : !latent_down__rows into !latent_down__output
  return %output : !latent_down__output
}
flow.executable private @latent_down_acc_kernel {
  flow.executable.export public @latent_down_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @latent_down_acc_kernel(
      %tokens_in: !latent_down__tokens_of_acc,
      %weight_in: !latent_down__weight_of_acc,
      %acc_out: !latent_down__acc_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : !latent_down__tokens_of_acc -> tensor<40x128xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : !latent_down__weight_of_acc -> tensor<40x128xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 128 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 40 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<40x128xf32>
    %empty = tensor.empty() : tensor<40x40xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x40xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 6 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x40xf32>) {
        %no_sums = arith.constant dense<0.0> : !latent_down__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 39)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 39)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 39)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 39)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x40xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows]
          %m4 = affine.min
            affine_map<(m)[c] -> (m + 4, c - 1)>(%m)[%rows]
          %m5 = affine.min
            affine_map<(m)[c] -> (m + 5, c - 1)>(%m)[%rows]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 6 mod 4
              + 4, 39)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 18)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!latent_down__depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<40x128xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<40x128xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<40x128xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<40x128xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<40x128xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %left1_0 = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %left2_0 = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %left3_0 = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %left4_0 = vector.transfer_read
              %tokens[%m4, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %left5_0 = vector.transfer_read
              %tokens[%m5, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !latent_down__depth_lanes from !latent_down__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !latent_down__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !latent_down__depth_lanes from !latent_down__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !latent_down__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !latent_down__depth_lanes from !latent_down__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !latent_down__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !latent_down__depth_lanes from !latent_down__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !latent_down__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old4_0_0 = vector.extract %more_4[4, 0] : !latent_down__depth_lanes from !latent_down__depth_block
            %new4_0_0 = vector.fma %left4_0, %right0_0, %old4_0_0 : !latent_down__depth_lanes
            %more_5 = vector.insert %new4_0_0, %more_4 [4, 0]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old5_0_0 = vector.extract %more_5[5, 0] : !latent_down__depth_lanes from !latent_down__depth_block
            %new5_0_0 = vector.fma %left5_0, %right0_0, %old5_0_0 : !latent_down__depth_lanes
            %more_6 = vector.insert %new5_0_0, %more_5 [5, 0]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %old0_1_0 = vector.extract %more_6[0, 1] : !latent_down__depth_lanes from !latent_down__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !latent_down__depth_lanes
            %more_7 = vector.insert %new0_1_0, %more_6 [0, 1]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old1_1_0 = vector.extract %more_7[1, 1] : !latent_down__depth_lanes from !latent_down__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !latent_down__depth_lanes
            %more_8 = vector.insert %new1_1_0, %more_7 [1, 1]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old2_1_0 = vector.extract %more_8[2, 1] : !latent_down__depth_lanes from !latent_down__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !latent_down__depth_lanes
            %more_9 = vector.insert %new2_1_0, %more_8 [2, 1]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old3_1_0 = vector.extract %more_9[3, 1] : !latent_down__depth_lanes from !latent_down__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !latent_down__depth_lanes
            %more_10 = vector.insert %new3_1_0, %more_9 [3, 1]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old4_1_0 = vector.extract %more_10[4, 1] : !latent_down__depth_lanes from !latent_down__depth_block
            %new4_1_0 = vector.fma %left4_0, %right1_0, %old4_1_0 : !latent_down__depth_lanes
            %more_11 = vector.insert %new4_1_0, %more_10 [4, 1]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old5_1_0 = vector.extract %more_11[5, 1] : !latent_down__depth_lanes from !latent_down__depth_block
            %new5_1_0 = vector.fma %left5_0, %right1_0, %old5_1_0 : !latent_down__depth_lanes
            %more_12 = vector.insert %new5_1_0, %more_11 [5, 1]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %old0_2_0 = vector.extract %more_12[0, 2] : !latent_down__depth_lanes from !latent_down__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !latent_down__depth_lanes
            %more_13 = vector.insert %new0_2_0, %more_12 [0, 2]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old1_2_0 = vector.extract %more_13[1, 2] : !latent_down__depth_lanes from !latent_down__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !latent_down__depth_lanes
            %more_14 = vector.insert %new1_2_0, %more_13 [1, 2]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old2_2_0 = vector.extract %more_14[2, 2] : !latent_down__depth_lanes from !latent_down__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !latent_down__depth_lanes
            %more_15 = vector.insert %new2_2_0, %more_14 [2, 2]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old3_2_0 = vector.extract %more_15[3, 2] : !latent_down__depth_lanes from !latent_down__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !latent_down__depth_lanes
            %more_16 = vector.insert %new3_2_0, %more_15 [3, 2]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old4_2_0 = vector.extract %more_16[4, 2] : !latent_down__depth_lanes from !latent_down__depth_block
            %new4_2_0 = vector.fma %left4_0, %right2_0, %old4_2_0 : !latent_down__depth_lanes
            %more_17 = vector.insert %new4_2_0, %more_16 [4, 2]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old5_2_0 = vector.extract %more_17[5, 2] : !latent_down__depth_lanes from !latent_down__depth_block
            %new5_2_0 = vector.fma %left5_0, %right2_0, %old5_2_0 : !latent_down__depth_lanes
            %more_18 = vector.insert %new5_2_0, %more_17 [5, 2]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !latent_down__depth_given
            %old0_3_0 = vector.extract %more_18[0, 3] : !latent_down__depth_lanes from !latent_down__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !latent_down__depth_lanes
            %more_19 = vector.insert %new0_3_0, %more_18 [0, 3]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old1_3_0 = vector.extract %more_19[1, 3] : !latent_down__depth_lanes from !latent_down__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !latent_down__depth_lanes
            %more_20 = vector.insert %new1_3_0, %more_19 [1, 3]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old2_3_0 = vector.extract %more_20[2, 3] : !latent_down__depth_lanes from !latent_down__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !latent_down__depth_lanes
            %more_21 = vector.insert %new2_3_0, %more_20 [2, 3]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old3_3_0 = vector.extract %more_21[3, 3] : !latent_down__depth_lanes from !latent_down__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !latent_down__depth_lanes
            %more_22 = vector.insert %new3_3_0, %more_21 [3, 3]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old4_3_0 = vector.extract %more_22[4, 3] : !latent_down__depth_lanes from !latent_down__depth_block
            %new4_3_0 = vector.fma %left4_0, %right3_0, %old4_3_0 : !latent_down__depth_lanes
            %more_23 = vector.insert %new4_3_0, %more_22 [4, 3]
              : !latent_down__depth_lanes into !latent_down__depth_block
            %old5_3_0 = vector.extract %more_23[5, 3] : !latent_down__depth_lanes from !latent_down__depth_block
            %new5_3_0 = vector.fma %left5_0, %right3_0, %old5_3_0 : !latent_down__depth_lanes
            %more = vector.insert %new5_3_0, %more_23 [5, 3]
              : !latent_down__depth_lanes into !latent_down__depth_block
            scf.yield %more : !latent_down__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
            : !latent_down__depth_block to !latent_down__depth_part
          %registers0 = vector.shape_cast %part0 : !latent_down__depth_part to !latent_down__depth_rows0
        %numbers0_0 = vector.extract %registers0[0] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_1 = vector.extract %registers0[1] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_2 = vector.extract %registers0[2] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_3 = vector.extract %registers0[3] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_4 = vector.extract %registers0[4] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_5 = vector.extract %registers0[5] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_6 = vector.extract %registers0[6] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_7 = vector.extract %registers0[7] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers0_evens8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds8 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_8 = arith.addf
          %numbers0_evens8, %numbers0_odds8 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds9 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_9 = arith.addf
          %numbers0_evens9, %numbers0_odds9 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds10 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_10 = arith.addf
          %numbers0_evens10, %numbers0_odds10 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds11 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_11 = arith.addf
          %numbers0_evens11, %numbers0_odds11 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds12 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_12 = arith.addf
          %numbers0_evens12, %numbers0_odds12 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds13 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_13 = arith.addf
          %numbers0_evens13, %numbers0_odds13 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds14 = vector.shuffle
          %numbers0_12, %numbers0_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_14 = arith.addf
          %numbers0_evens14, %numbers0_odds14 fastmath<none> : !latent_down__depth_register16
        %numbers0_evens15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0_odds15 = vector.shuffle
          %numbers0_14, %numbers0_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens15, %numbers0_odds15 fastmath<none> : !latent_down__depth_register8
          %sums0 = vector.shape_cast %numbers0 : !latent_down__depth_numbers to !latent_down__depth_sums
          %row0 = vector.extract %sums0[0] : !latent_down__depth_row from !latent_down__depth_sums
          %row1 = vector.extract %sums0[1] : !latent_down__depth_row from !latent_down__depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [2], strides = [1]
            : !latent_down__depth_block to !latent_down__depth_part
          %registers2 = vector.shape_cast %part2 : !latent_down__depth_part to !latent_down__depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_4 = vector.extract %registers2[4] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_5 = vector.extract %registers2[5] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_6 = vector.extract %registers2[6] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_7 = vector.extract %registers2[7] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers2_evens8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_8 = arith.addf
          %numbers2_evens8, %numbers2_odds8 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_9 = arith.addf
          %numbers2_evens9, %numbers2_odds9 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_10 = arith.addf
          %numbers2_evens10, %numbers2_odds10 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_11 = arith.addf
          %numbers2_evens11, %numbers2_odds11 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_12 = arith.addf
          %numbers2_evens12, %numbers2_odds12 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_13 = arith.addf
          %numbers2_evens13, %numbers2_odds13 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_14 = arith.addf
          %numbers2_evens14, %numbers2_odds14 fastmath<none> : !latent_down__depth_register16
        %numbers2_evens15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2_odds15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers2 = arith.addf
          %numbers2_evens15, %numbers2_odds15 fastmath<none> : !latent_down__depth_register8
          %sums2 = vector.shape_cast %numbers2 : !latent_down__depth_numbers to !latent_down__depth_sums
          %row2 = vector.extract %sums2[0] : !latent_down__depth_row from !latent_down__depth_sums
          %row3 = vector.extract %sums2[1] : !latent_down__depth_row from !latent_down__depth_sums
          %part4 = vector.extract_strided_slice %block
            offsets = [4], sizes = [2], strides = [1]
            : !latent_down__depth_block to !latent_down__depth_part
          %registers4 = vector.shape_cast %part4 : !latent_down__depth_part to !latent_down__depth_rows0
        %numbers4_0 = vector.extract %registers4[0] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_1 = vector.extract %registers4[1] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_2 = vector.extract %registers4[2] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_3 = vector.extract %registers4[3] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_4 = vector.extract %registers4[4] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_5 = vector.extract %registers4[5] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_6 = vector.extract %registers4[6] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_7 = vector.extract %registers4[7] : !latent_down__depth_register16 from !latent_down__depth_rows0
        %numbers4_evens8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_8 = arith.addf
          %numbers4_evens8, %numbers4_odds8 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_9 = arith.addf
          %numbers4_evens9, %numbers4_odds9 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_10 = arith.addf
          %numbers4_evens10, %numbers4_odds10 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_11 = arith.addf
          %numbers4_evens11, %numbers4_odds11 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_12 = arith.addf
          %numbers4_evens12, %numbers4_odds12 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_13 = arith.addf
          %numbers4_evens13, %numbers4_odds13 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_14 = arith.addf
          %numbers4_evens14, %numbers4_odds14 fastmath<none> : !latent_down__depth_register16
        %numbers4_evens15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4_odds15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !latent_down__depth_register16, !latent_down__depth_register16
        %numbers4 = arith.addf
          %numbers4_evens15, %numbers4_odds15 fastmath<none> : !latent_down__depth_register8
          %sums4 = vector.shape_cast %numbers4 : !latent_down__depth_numbers to !latent_down__depth_sums
          %row4 = vector.extract %sums4[0] : !latent_down__depth_row from !latent_down__depth_sums
          %row5 = vector.extract %sums4[1] : !latent_down__depth_row from !latent_down__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !latent_down__depth_row, tensor<40x40xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !latent_down__depth_row, tensor<40x40xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !latent_down__depth_row, tensor<40x40xf32>
          %after_4 = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !latent_down__depth_row, tensor<40x40xf32>
          %after_5 = vector.transfer_write %row4, %after_4[%m4, %n]
            {in_bounds = [true]} : !latent_down__depth_row, tensor<40x40xf32>
          %after = vector.transfer_write %row5, %after_5[%m5, %n]
            {in_bounds = [true]} : !latent_down__depth_row, tensor<40x40xf32>
          scf.yield %after : tensor<40x40xf32>
        }
        scf.yield %of_rows : tensor<40x40xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 40] [1, 1]
          : tensor<40x40xf32> into tensor<40x40xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [40, 40], strides = [1, 1]
      : tensor<40x40xf32> -> !latent_down__acc_out
    return
  }
  }
}
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!latent_norm__x = tensor<40x32xf32>
!latent_norm__weight = tensor<32xf32>
!latent_norm__output = tensor<40x32xf32>
!latent_norm__row = tensor<40xf32>
#latent_norm__x = affine_map<(r, n) -> (r, n)>
#latent_norm__row = affine_map<(r, n) -> (r)>
#latent_norm__weight = affine_map<(r, n) -> (n)>

func.func private @latent_norm(%x: !latent_norm__x, %weight: !latent_norm__weight) -> !latent_norm__output {
  %zero = arith.constant 0.0 : f32
  %row_empty = tensor.empty() : !latent_norm__row
  %start = linalg.fill ins(%zero : f32) outs(%row_empty : !latent_norm__row) -> !latent_norm__row
  %squares = linalg.generic {
      indexing_maps = [#latent_norm__x, #latent_norm__row], iterator_types = ["parallel", "reduction"]
    } ins(%x : !latent_norm__x) outs(%start : !latent_norm__row) {
  ^bb0(%in: f32, %sum: f32):

    %square = arith.mulf %in, %in : f32
    %more = arith.addf %sum, %square : f32
    linalg.yield %more : f32
  } -> !latent_norm__row
  %columns = arith.constant 32.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %offset = arith.constant 0.0 : f32
  %output_empty = tensor.empty() : !latent_norm__output
  %output = linalg.generic {
      indexing_maps = [#latent_norm__x, #latent_norm__row, #latent_norm__weight, #latent_norm__x], iterator_types = ["parallel", "parallel"]
    } ins(%x, %squares, %weight : !latent_norm__x, !latent_norm__row, !latent_norm__weight) outs(%output_empty : !latent_norm__output) {
  ^bb0(%in: f32, %sum: f32, %w: f32, %unused: f32):


    %mean = arith.divf %sum, %columns : f32
    %positive = arith.addf %mean, %eps : f32
    %size = math.sqrt %positive : f32
    %unit = arith.divf %in, %size : f32
    %factor = arith.addf %w, %offset : f32
    %scaled = arith.mulf %unit, %factor : f32

    linalg.yield %scaled : f32
  } -> !latent_norm__output
  return %output : !latent_norm__output
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!latent_rope__turns = tensor<4xi64>
!latent_rope__of_tokens = tensor<40x1x4xf32>
!latent_rope__query = tensor<40x4x1x8xf32>
!latent_rope__key = tensor<40x1x1x8xf32>
!latent_rope__positions = tensor<40x1xi32>
!latent_rope__rotated_query = tensor<40x4x1x8xf32>
!latent_rope__rotated_key = tensor<40x1x1x8xf32>

func.func private @latent_rope(%query: !latent_rope__query, %key: !latent_rope__key, %positions: !latent_rope__positions) -> (!latent_rope__rotated_query, !latent_rope__rotated_key) {
  // What a token adds to the angle of each pair, in 2**-64 turns without whole ones.
  %turns = arith.constant dense<[2935890503282001408, 293589050328200128, 29358905032820016, 2935890503282001]> : !latent_rope__turns
  %half_of_i64 = arith.constant 32 : i64
  // 2 pi / 2**32: what is left of a product is read in units of 2**-32 turns.
  %radians_per_unit = arith.constant 1.4629180792671596e-09 : f32
  %column_bits = arith.constant 32 : i64
  %of_tokens_empty = tensor.empty() : !latent_rope__of_tokens
  %cos_made, %sin_made = linalg.generic {
      indexing_maps = [
        affine_map<(b, m, i) -> (b, m)>, affine_map<(b, m, i) -> (i)>,
        affine_map<(b, m, i) -> (b, m, i)>, affine_map<(b, m, i) -> (b, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%positions, %turns : !latent_rope__positions, !latent_rope__turns) outs(%of_tokens_empty, %of_tokens_empty : !latent_rope__of_tokens, !latent_rope__of_tokens) {
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
  } -> (!latent_rope__of_tokens, !latent_rope__of_tokens)
  // Beyond a barrier, no kernel of query or key makes them again for each of its heads.
  %cos_of_tokens = iree_tensor_ext.compute_barrier.start %cos_made : !latent_rope__of_tokens -> !latent_rope__of_tokens
  %sin_of_tokens = iree_tensor_ext.compute_barrier.start %sin_made : !latent_rope__of_tokens -> !latent_rope__of_tokens
  %words_of_query = iree_tensor_ext.bitcast %query : !latent_rope__query -> tensor<40x4x1x4xi64>
  %empty_query = tensor.empty() : tensor<40x4x1x4xi64>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_query, %cos_of_tokens, %sin_of_tokens : tensor<40x4x1x4xi64>, !latent_rope__of_tokens, !latent_rope__of_tokens)
      outs(%empty_query : tensor<40x4x1x4xi64>) {
  ^bb0(%word: i64, %cos_at: f32, %sin_at: f32, %unused: i64):
    %low_bits = arith.trunci %word : i64 to i32
    %high_word = arith.shrui %word, %column_bits : i64
    %high_bits = arith.trunci %high_word : i64 to i32
    %low = arith.bitcast %low_bits : i32 to f32
    %high = arith.bitcast %high_bits : i32 to f32


    %low_cos = arith.mulf %low, %cos_at : f32
    %high_sin = arith.mulf %high, %sin_at : f32
    %high_cos = arith.mulf %high, %cos_at : f32
    %low_sin = arith.mulf %low, %sin_at : f32
    %turned_low = arith.subf %low_cos, %high_sin : f32
    %turned_high = arith.addf %high_cos, %low_sin : f32


    %out_low_bits = arith.bitcast %turned_low : f32 to i32
    %out_high_bits = arith.bitcast %turned_high : f32 to i32
    %out_low = arith.extui %out_low_bits : i32 to i64
    %out_high_word = arith.extui %out_high_bits : i32 to i64
    %out_high = arith.shli %out_high_word, %column_bits : i64
    %turned = arith.ori %out_low, %out_high : i64
    linalg.yield %turned : i64
  } -> tensor<40x4x1x4xi64>
  %rotated_query = iree_tensor_ext.bitcast %turned_query : tensor<40x4x1x4xi64> -> !latent_rope__rotated_query
  %words_of_key = iree_tensor_ext.bitcast %key : !latent_rope__key -> tensor<40x1x1x4xi64>
  %empty_key = tensor.empty() : tensor<40x1x1x4xi64>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, i) -> (b, h, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>, affine_map<(b, h, m, i) -> (b, m, i)>,
        affine_map<(b, h, m, i) -> (b, h, m, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%words_of_key, %cos_of_tokens, %sin_of_tokens : tensor<40x1x1x4xi64>, !latent_rope__of_tokens, !latent_rope__of_tokens)
      outs(%empty_key : tensor<40x1x1x4xi64>) {
  ^bb0(%word: i64, %cos_at: f32, %sin_at: f32, %unused: i64):
    %low_bits = arith.trunci %word : i64 to i32
    %high_word = arith.shrui %word, %column_bits : i64
    %high_bits = arith.trunci %high_word : i64 to i32
    %low = arith.bitcast %low_bits : i32 to f32
    %high = arith.bitcast %high_bits : i32 to f32


    %low_cos = arith.mulf %low, %cos_at : f32
    %high_sin = arith.mulf %high, %sin_at : f32
    %high_cos = arith.mulf %high, %cos_at : f32
    %low_sin = arith.mulf %low, %sin_at : f32
    %turned_low = arith.subf %low_cos, %high_sin : f32
    %turned_high = arith.addf %high_cos, %low_sin : f32


    %out_low_bits = arith.bitcast %turned_low : f32 to i32
    %out_high_bits = arith.bitcast %turned_high : f32 to i32
    %out_low = arith.extui %out_low_bits : i32 to i64
    %out_high_word = arith.extui %out_high_bits : i32 to i64
    %out_high = arith.shli %out_high_word, %column_bits : i64
    %turned = arith.ori %out_low, %out_high : i64
    linalg.yield %turned : i64
  } -> tensor<40x1x1x4xi64>
  %rotated_key = iree_tensor_ext.bitcast %turned_key : tensor<40x1x1x4xi64> -> !latent_rope__rotated_key
  return %rotated_query, %rotated_key : !latent_rope__rotated_query, !latent_rope__rotated_key
}
!latent_projection__hidden = tensor<40x1x128xf32>
!latent_projection__query_down_weight = tensor<24x128xf32>
!latent_projection__query_down_norm_weight = tensor<24xf32>
!latent_projection__query_weight = tensor<96x24xf32>
!latent_projection__key_weight = tensor<4x32x16xf32>
!latent_projection__latent_weight = tensor<40x128xf32>
!latent_projection__latent_norm_weight = tensor<32xf32>
!latent_projection__positions = tensor<40x1xi32>
!latent_projection__query = tensor<40x4x1x40xf32>
!latent_projection__latents = tensor<40x1x1x40xf32>

func.func private @latent_projection(%hidden: !latent_projection__hidden, %query_down_weight: !latent_projection__query_down_weight, %query_down_norm_weight: !latent_projection__query_down_norm_weight, %query_weight: !latent_projection__query_weight, %key_weight: !latent_projection__key_weight, %latent_weight: !latent_projection__latent_weight, %latent_norm_weight: !latent_projection__latent_norm_weight, %positions: !latent_projection__positions) -> (!latent_projection__query, !latent_projection__latents) {
  %down = call @query_down(%hidden, %query_down_weight) : (tensor<40x1x128xf32>, tensor<24x128xf32>) -> (tensor<40x1x24xf32>)
  %rows_of_normed_down = tensor.collapse_shape %down [[0, 1], [2]] : tensor<40x1x24xf32> into tensor<40x24xf32>
  %normed_rows_of_normed_down = call @query_down_norm(%rows_of_normed_down, %query_down_norm_weight) : (tensor<40x24xf32>, tensor<24xf32>) -> (tensor<40x24xf32>)
  %normed_down = tensor.expand_shape %normed_rows_of_normed_down [[0, 1], [2]] output_shape [40, 1, 24] : tensor<40x24xf32> into tensor<40x1x24xf32>
  %of_all_heads = call @query_up(%normed_down, %query_weight) : (tensor<40x1x24xf32>, tensor<96x24xf32>) -> (tensor<40x1x96xf32>)
  %by_token = tensor.expand_shape %of_all_heads [[0], [1], [2, 3]] output_shape [40, 1, 4, 24]
    : tensor<40x1x96xf32> into tensor<40x1x4x24xf32>
  %of_one_token = tensor.collapse_shape %by_token [[0], [1, 2], [3]] : tensor<40x1x4x24xf32> into tensor<40x4x24xf32>
  %heads = tensor.expand_shape %of_one_token [[0], [1, 2], [3]] output_shape [40, 4, 1, 24]
    : tensor<40x4x24xf32> into tensor<40x4x1x24xf32>
  %plain = tensor.extract_slice %heads[0, 0, 0, 0] [40, 4, 1, 16] [1, 1, 1, 1]
    : tensor<40x4x1x24xf32> to tensor<40x4x1x16xf32>
  %unturned = tensor.extract_slice %heads[0, 0, 0, 16] [40, 4, 1, 8] [1, 1, 1, 1]
    : tensor<40x4x1x24xf32> to tensor<40x4x1x8xf32>
  %absorbed = call @absorption(%plain, %key_weight) : (tensor<40x4x1x16xf32>, tensor<4x32x16xf32>) -> (tensor<40x4x1x32xf32>)
  %latent_and_key = call @latent_down(%hidden, %latent_weight) : (tensor<40x1x128xf32>, tensor<40x128xf32>) -> (tensor<40x1x40xf32>)
  %latent = tensor.extract_slice %latent_and_key[0, 0, 0] [40, 1, 32] [1, 1, 1]
    : tensor<40x1x40xf32> to tensor<40x1x32xf32>
  %rows_of_normed_latent = tensor.collapse_shape %latent [[0, 1], [2]] : tensor<40x1x32xf32> into tensor<40x32xf32>
  %normed_rows_of_normed_latent = call @latent_norm(%rows_of_normed_latent, %latent_norm_weight) : (tensor<40x32xf32>, tensor<32xf32>) -> (tensor<40x32xf32>)
  %normed_latent = tensor.expand_shape %normed_rows_of_normed_latent [[0, 1], [2]] output_shape [40, 1, 32] : tensor<40x32xf32> into tensor<40x1x32xf32>
  %key = tensor.extract_slice %latent_and_key[0, 0, 32] [40, 1, 8] [1, 1, 1]
    : tensor<40x1x40xf32> to tensor<40x1x8xf32>
  %latent_of_head = tensor.expand_shape %normed_latent [[0], [1, 2], [3]] output_shape [40, 1, 1, 32]
    : tensor<40x1x32xf32> into tensor<40x1x1x32xf32>
  %key_of_head = tensor.expand_shape %key [[0], [1, 2], [3]] output_shape [40, 1, 1, 8]
    : tensor<40x1x8xf32> into tensor<40x1x1x8xf32>
  %rotated:2 = call @latent_rope(%unturned, %key_of_head, %positions) : (tensor<40x4x1x8xf32>, tensor<40x1x1x8xf32>, tensor<40x1xi32>) -> (tensor<40x4x1x8xf32>, tensor<40x1x1x8xf32>)
  %empty_query = tensor.empty() : tensor<40x4x1x40xf32>
  %left_of_query = tensor.insert_slice %absorbed into %empty_query[0, 0, 0, 0] [40, 4, 1, 32] [1, 1, 1, 1]
    : tensor<40x4x1x32xf32> into tensor<40x4x1x40xf32>
  %query = tensor.insert_slice %rotated#0 into %left_of_query[0, 0, 0, 32] [40, 4, 1, 8] [1, 1, 1, 1]
    : tensor<40x4x1x8xf32> into tensor<40x4x1x40xf32>
  %empty_latents = tensor.empty() : tensor<40x1x1x40xf32>
  %left_of_latents = tensor.insert_slice %latent_of_head into %empty_latents[0, 0, 0, 0] [40, 1, 1, 32] [1, 1, 1, 1]
    : tensor<40x1x1x32xf32> into tensor<40x1x1x40xf32>
  %latents = tensor.insert_slice %rotated#1 into %left_of_latents[0, 0, 0, 32] [40, 1, 1, 8] [1, 1, 1, 1]
    : tensor<40x1x1x8xf32> into tensor<40x1x1x40xf32>
  return %query, %latents : !latent_projection__query, !latent_projection__latents
}
// New tokens are written into a block cache, in its own memory.
// Packed queries attend over a block cache: many of a sequence first, then those of sequences of a few.
// New keys and values are written into the blocks of a cache, in its own memory.
!write__key = tensor<40x1x40xf32>
!write__key_cache = tensor<8x1x16x40xf32>
!write__slot_mapping = tensor<40xi32>
!write__updated_key_cache = tensor<8x1x16x40xf32>
!write__slot_mapping_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40xi32>>
!write__key_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x1x40xf32>>
!write__key_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<8x1x16x40xf32>>
!write__some_of_key = vector<8xf32>

func.func private @write(%key: !write__key, %key_cache: !write__key_cache, %slot_mapping: !write__slot_mapping) -> !write__updated_key_cache {
  %updated_key_cache =
    flow.dispatch @write_updated_key_cache_kernel::@write_updated_key_cache_kernel(
      %slot_mapping, %key, %key_cache
    ) : (
      tensor<40xi32>,
      tensor<40x1x40xf32>,
      tensor<8x1x16x40xf32>
    ) -> (%key_cache)
  return %updated_key_cache
    : !write__updated_key_cache
}
flow.executable private @write_updated_key_cache_kernel {
  flow.executable.export public @write_updated_key_cache_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @write_updated_key_cache_kernel(
      %slot_mapping_in: !write__slot_mapping_to_write,
      %key_in: !write__key_to_write,
      %key_cache_in: !write__key_cache_to_write
    ) {
    %slot_mapping = iree_tensor_ext.dispatch.tensor.load %slot_mapping_in,
      offsets = [0], sizes = [40], strides = [1]
      : !write__slot_mapping_to_write -> tensor<40xi32>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0], sizes = [40, 1, 40], strides = [1, 1, 1]
      : !write__key_to_write -> tensor<40x1x40xf32>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [8, 1, 16, 40], strides = [1, 1, 1, 1]
      : !write__key_cache_to_write -> tensor<8x1x16x40xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %heads = arith.constant 1 : index
    %sequences = arith.constant 1 : index
    %tokens = arith.constant 40 : index
    %groups = affine.apply affine_map<()[n] -> (n ceildiv 16)>()[%tokens]
    %workgroups:1 = scf.forall (%b, %i) in (%sequences, %groups)
        shared_outs(%key_cache_all = %key_cache)
          -> (!write__key_cache) {
      %first = affine.apply affine_map<(i) -> (i * 16)>(%i)
      %end = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first)[%tokens]
      %written:1 = scf.for %t = %first to %end step %one
          iter_args(%key_cache_before = %key_cache_all)
            -> (!write__key_cache) {
        %slot_i32 = tensor.extract %slot_mapping[%t] : !write__slot_mapping
        %no_slot = arith.constant -1 : i32
        %is_written = arith.cmpi sgt, %slot_i32, %no_slot : i32
        %written_heads = arith.select %is_written, %heads, %none : index
        %slots_per_block = arith.constant 16 : index
        %slot = arith.index_cast %slot_i32 : i32 to index
        %block = arith.divui %slot, %slots_per_block : index
        %slot_in_block = arith.remui %slot, %slots_per_block : index
        %key_cache_after = scf.for %h = %none to %written_heads step %one
            iter_args(%key_cache_so_far = %key_cache_before)
              -> (!write__key_cache) {
          %key_moved_unused = arith.constant 0.0 : f32
          %key_moved_columns = arith.constant 40 : index
          %key_moved_step = arith.constant 8 : index
          %key_moved = scf.for %c = %none to %key_moved_columns step %key_moved_step
              iter_args(%so_far = %key_cache_so_far) -> (!write__key_cache) {
            %some = vector.transfer_read %key[%t, %h, %c], %key_moved_unused
              {in_bounds = [true]} : !write__key, !write__some_of_key
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !write__some_of_key, !write__key_cache
            scf.yield %moved : !write__key_cache
          }
          scf.yield %key_moved : !write__key_cache
        }
        scf.yield %key_cache_after : !write__key_cache
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written#0 into %key_cache_all
          [0, 0, 0, 0] [8, 1, 16, 40] [1, 1, 1, 1]
          : tensor<8x1x16x40xf32> into tensor<8x1x16x40xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [8, 1, 16, 40], strides = [1, 1, 1, 1]
      : tensor<8x1x16x40xf32> -> !write__key_cache_to_write
    return
  }
  }
}
// Attention as one kernel of many rows.
!many__query = tensor<40x4x40xf32>
!many__key_cache = tensor<8x1x16x40xf32>
!many__cu_seqlens_q = tensor<5xi32>
!many__block_table = tensor<4x4xi32>
!many__context_lens = tensor<4xi32>
!many__output = tensor<40x4x32xf32>
!many__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x4x40xf32>>
!many__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x1x16x40xf32>>
!many__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!many__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xi32>>
!many__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!many__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x4x32xf32>>
!many__output_slice = tensor<?x4x32xf32>
!many__lse_slice = tensor<4x?xf32>
!many__queries = tensor<8x40xf32>
!many__scores = tensor<8x64xf32>
!many__weights = tensor<8x64xf32>
!many__factors = tensor<8xf32>
!many__row_lanes = tensor<8x16xf32>
!many__acc = tensor<128x32xf32>
!many__row = tensor<128xf32>
!many__given_query = vector<40xf32>
!many__query_row = vector<40xf32>
!many__given_value = vector<32xf32>
!many__value_row = vector<32xf32>
!many__value_block = vector<8x32xf32>
!many__acc_row = vector<32xf32>
!many__output_f32 = vector<32xf32>
!many__output_row = vector<32xf32>
!many__logits = vector<64xf32>
!many__logit_bits = vector<64xi32>
!many__logit_flags = vector<64xi1>
!many__key_indices = vector<64xindex>
!many__key_numbers = vector<64xi32>
!many__lanes_f32 = vector<16xf32>
!many__block_bits = vector<8xi32>
!many__block_flags = vector<8xi1>
!many__block_numbers = vector<8xf32>
!many__block_rows0 = vector<8x16xf32>
!many__block_register8 = vector<8xf32>
!many__block_register16 = vector<16xf32>
#many__of_row = affine_map<(m, k) -> (m, 0)>
#many__of_column = affine_map<(k, n) -> (0, n)>
#many__of_element = affine_map<(m) -> (m, 0)>
!many__keys = tensor<48x64xf32>
!many__values = tensor<64x32xf32>
!many__run_rows = tensor<?x40xf32>
!many__given_run = vector<16x16xf32>
!many__run = vector<16x16xf32>
!many__turned_run = vector<16x16xf32>
!many__half_run = vector<8x16xf32>
!many__pairs = vector<8x32xf32>
!many__score_block = vector<8x32xf32>
!many__score_row = vector<32xf32>
func.func private @many(%query: !many__query, %key_cache: !many__key_cache, %cu_seqlens_q: !many__cu_seqlens_q, %block_table: !many__block_table, %context_lens: !many__context_lens) -> !many__output {
  %output =
    flow.dispatch @many_output_kernel::@many_output_kernel(
      %query, %key_cache, %cu_seqlens_q, %block_table, %context_lens
    ) : (
      tensor<40x4x40xf32>,
      tensor<8x1x16x40xf32>,
      tensor<5xi32>,
      tensor<4x4xi32>,
      tensor<4xi32>
    ) -> (tensor<40x4x32xf32>)
  return %output
    : !many__output
}
flow.executable private @many_output_kernel {
  flow.executable.export public @many_output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @many_output_kernel(
      %query_in: !many__query_in,
      %key_cache_in: !many__key_cache_in,
      %cu_seqlens_q_in: !many__cu_seqlens_q_in,
      %block_table_in: !many__block_table_in,
      %context_lens_in: !many__context_lens_in,
      %output_out: !many__output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0], sizes = [40, 4, 40], strides = [1, 1, 1]
      : !many__query_in -> tensor<40x4x40xf32>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [8, 1, 16, 40], strides = [1, 1, 1, 1]
      : !many__key_cache_in -> tensor<8x1x16x40xf32>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !many__cu_seqlens_q_in -> tensor<5xi32>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [4, 4], strides = [1, 1]
      : !many__block_table_in -> tensor<4x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !many__context_lens_in -> tensor<4xi32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 40 : index
    %tile_heads = arith.constant 4 : index
    %tile_rows = arith.constant 128 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 32 : index
    %sequences = arith.constant 1 : index
    %heads = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %q_tokens = arith.constant 40 : index
    %keys_of_axis = arith.constant 64 : index
    %few = arith.constant 8 : index
    %tiles = arith.constant 6 : index
    %output_empty = tensor.empty() : tensor<40x4x32xf32>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<40x4x32xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %with_padding = arith.addi %packed, %one : index
    %all_tiles, %first_tile, %q_start, %q_end, %k_start, %k_end, %s_or_padding =
      scf.for %s = %none to %with_padding step %one
        iter_args(%tiles_before = %none, %tile_0 = %none, %q_0 = %none, %q_1 = %none, %k_0 = %none,
          %k_1 = %none, %s_0 = %none)
        -> (index, index, index, index, index, index, index) {
      %after = affine.min affine_map<(s)[n] -> (s + 1, n)>(%s)[%packed]
      %is_padding = arith.cmpi eq, %s, %packed : index
      %q_from_i32 = tensor.extract %cu_seqlens_q[%s] : !many__cu_seqlens_q
      %q_from = arith.index_cast %q_from_i32 : i32 to index
      %q_to_i32 = tensor.extract %cu_seqlens_q[%after] : !many__cu_seqlens_q
      %q_to = arith.index_cast %q_to_i32 : i32 to index
      %known = affine.min affine_map<(s)[n] -> (s, n - 1)>(%s)[%packed]
      %k_known_i32 = tensor.extract %context_lens[%known] : !many__context_lens
      %k_known = arith.index_cast %k_known_i32 : i32 to index
      %k_from = arith.constant 0 : index
      %k_to = arith.select %is_padding, %none, %k_known : index
      %q_until = arith.select %is_padding, %q_tokens, %q_to : index
      // Those of a few queries have no tile.
      %q_count = arith.subi %q_until, %q_from : index
      %is_many = arith.cmpi sgt, %q_count, %few : index
      %has_tiles = arith.ori %is_many, %is_padding : i1
      %q_tiled = arith.select %has_tiles, %q_until, %q_from : index
      %tiles_after = affine.apply
        affine_map<(n, a, e)
        -> (n + (e - a) ceildiv 32)>(%tiles_before, %q_from, %q_tiled)
      %begun = arith.cmpi sle, %tiles_before, %i : index
      %unfinished = arith.cmpi slt, %i, %tiles_after : index
      %is_here = arith.andi %begun, %unfinished : i1
      %tile_here = arith.select %is_here, %tiles_before, %tile_0 : index
      %q_from_here = arith.select %is_here, %q_from, %q_0 : index
      %q_to_here = arith.select %is_here, %q_until, %q_1 : index
      %k_from_here = arith.select %is_here, %k_from, %k_0 : index
      %k_to_here = arith.select %is_here, %k_to, %k_1 : index
      %s_here = arith.select %is_here, %s, %s_0 : index
      scf.yield %tiles_after, %tile_here, %q_from_here, %q_to_here, %k_from_here, %k_to_here, %s_here
        : index, index, index, index, index, index, index
    }
    // Padding stands where the last sequence does.
    %sequence = affine.min affine_map<(s)[n] -> (s, n - 1)>(%s_or_padding)[%packed]
    %q_len = arith.subi %q_end, %q_start : index
    %context_len = arith.subi %k_end, %k_start : index
    %first_query = affine.apply affine_map<(i, f) -> ((i - f) * 32)>(%i, %first_tile)
    %queries_left = affine.min affine_map<(m, n) -> (n - m, 32)>(%first_query, %q_len)
    %queries_here = arith.maxsi %queries_left, %none : index
    %first_token = arith.addi %q_start, %first_query : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 32)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %is_tile = arith.cmpi sgt, %queries_here, %none : index
    %rows = arith.select %is_tile, %tile_rows, %none : index
    %key_numbers = vector.step : !many__key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !many__key_indices to !many__key_numbers
    %padding = arith.constant 0.0 : f32
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !many__value_block
    %acc_empty = tensor.empty() : !many__acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !many__acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !many__acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !many__value_block, !many__acc
        scf.yield %after : !many__acc
      }
      scf.yield %filled : !many__acc
    }
    %max_empty = tensor.empty() : !many__row
    %sum_empty = tensor.empty() : !many__row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!many__row, !many__row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !many__row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !many__row
      scf.yield %max_after, %sum_after : !many__row, !many__row
    }
    %no_scores = arith.constant dense<0.0> : !many__score_block
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!many__acc, !many__row, !many__row) {
      %keys_here = affine.min affine_map<(t, e) -> (e - t, 64)>(%t0, %end)
      %first_run = affine.max
        affine_map<(s, t) -> ((s - t) floordiv 16 * 16, 0)>(%tile_begin, %t0)
      %run_keys = arith.constant 16 : index
      %keys_empty = tensor.empty() : !many__keys
      %keys = scf.for %j = %first_run to %keys_here step %run_keys iter_args(%of_step = %keys_empty)
        -> !many__keys {
        %t = arith.addi %t0, %j : index
        %left = affine.min affine_map<(j, n) -> (n - j, 16)>(%j, %keys_here)
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%sequence, %t_page]
          : !many__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %run_rows = tensor.extract_slice %key_cache[%t_block, %kv_head, %t_slot, 0]
          [1, 1, %left, 40] [1, 1, 1, 1]
          : !many__key_cache to !many__run_rows
        %of_run = scf.for %k = %none to %head_steps step %lanes iter_args(%before = %of_step) -> !many__keys {
          %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
          %run = vector.transfer_read %run_rows[%none, %column], %padding
            {in_bounds = [false, false]} : !many__run_rows, !many__given_run

          %first0 = vector.extract_strided_slice %run
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second0 = vector.extract_strided_slice %run
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs0 = vector.interleave %first0, %second0
            : !many__half_run -> !many__pairs
          %turned_1 = vector.shape_cast %pairs0 : !many__pairs to !many__run
          %first1 = vector.extract_strided_slice %turned_1
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second1 = vector.extract_strided_slice %turned_1
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs1 = vector.interleave %first1, %second1
            : !many__half_run -> !many__pairs
          %turned_2 = vector.shape_cast %pairs1 : !many__pairs to !many__run
          %first2 = vector.extract_strided_slice %turned_2
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second2 = vector.extract_strided_slice %turned_2
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs2 = vector.interleave %first2, %second2
            : !many__half_run -> !many__pairs
          %turned_3 = vector.shape_cast %pairs2 : !many__pairs to !many__run
          %first3 = vector.extract_strided_slice %turned_3
            offsets = [0], sizes = [8], strides = [1] : !many__run to !many__half_run
          %second3 = vector.extract_strided_slice %turned_3
            offsets = [8], sizes = [8], strides = [1] : !many__run to !many__half_run
          %pairs3 = vector.interleave %first3, %second3
            : !many__half_run -> !many__pairs
          %turned = vector.shape_cast %pairs3 : !many__pairs to !many__run
          %after = vector.transfer_write %turned, %before[%k, %j] {in_bounds = [true, true]}
            : !many__turned_run, !many__keys
          scf.yield %after : !many__keys
        }
        scf.yield %of_run : !many__keys
      }
      %values_empty = tensor.empty() : !many__values
      %first_seen = affine.max affine_map<(s, t) -> (s - t, 0)>(%tile_begin, %t0)
      %values = scf.for %j = %first_seen
        to %keys_here step %one
        iter_args(%before = %values_empty) -> !many__values {
        %t = arith.addi %t0, %j : index
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%sequence, %t_page]
          : !many__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %value_row = vector.transfer_read
          %key_cache[%t_block, %kv_head, %t_slot, %none], %padding
          {in_bounds = [true]} : !many__key_cache, !many__given_value
        %after = vector.transfer_write %value_row, %before[%j, %none] {in_bounds = [true]}
          : !many__value_row, !many__values
        scf.yield %after : !many__values
      }
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!many__acc, !many__row, !many__row) {
    %block_query = affine.apply affine_map<(r, m) -> (m + r mod 32)>(%r0, %first_query)
    %block_end = affine.apply affine_map<(m) -> (m + 8)>(%block_query)
    %keys_end_query = arith.minsi %block_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %block_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 64)>(%keys_end, %t0, %end)
        %from_block = affine.apply
          affine_map<(t) -> (t floordiv 32 * 32)>(%from)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!many__acc, !many__row, !many__row) {
          %block_head = affine.apply
            affine_map<(h, r) -> (h + r floordiv 32)>(%first_head, %r0)
          %block_token0 = affine.min
            affine_map<(m, e, s) -> (s + m + 0, s + e)>(%block_query, %last_query, %q_start)
          %block_token1 = affine.min
            affine_map<(m, e, s) -> (s + m + 1, s + e)>(%block_query, %last_query, %q_start)
          %block_token2 = affine.min
            affine_map<(m, e, s) -> (s + m + 2, s + e)>(%block_query, %last_query, %q_start)
          %block_token3 = affine.min
            affine_map<(m, e, s) -> (s + m + 3, s + e)>(%block_query, %last_query, %q_start)
          %block_token4 = affine.min
            affine_map<(m, e, s) -> (s + m + 4, s + e)>(%block_query, %last_query, %q_start)
          %block_token5 = affine.min
            affine_map<(m, e, s) -> (s + m + 5, s + e)>(%block_query, %last_query, %q_start)
          %block_token6 = affine.min
            affine_map<(m, e, s) -> (s + m + 6, s + e)>(%block_query, %last_query, %q_start)
          %block_token7 = affine.min
            affine_map<(m, e, s) -> (s + m + 7, s + e)>(%block_query, %last_query, %q_start)
          %scores_empty = tensor.empty() : !many__scores
          %scores = scf.for %n = %from_block to %to step %score_block iter_args(%before = %scores_empty)
            -> !many__scores {
            %sums = scf.for %k = %none to %head_steps step %one iter_args(%so_far = %no_scores)
              -> !many__score_block {
              %query0 = tensor.extract
                %query[%block_token0, %block_head, %k]
                : !many__query
              %query0_everywhere = vector.broadcast %query0 : f32 to !many__score_row
              %left_1 = vector.insert %query0_everywhere, %no_scores [0]
                : !many__score_row into !many__score_block
              %query1 = tensor.extract
                %query[%block_token1, %block_head, %k]
                : !many__query
              %query1_everywhere = vector.broadcast %query1 : f32 to !many__score_row
              %left_2 = vector.insert %query1_everywhere, %left_1 [1]
                : !many__score_row into !many__score_block
              %query2 = tensor.extract
                %query[%block_token2, %block_head, %k]
                : !many__query
              %query2_everywhere = vector.broadcast %query2 : f32 to !many__score_row
              %left_3 = vector.insert %query2_everywhere, %left_2 [2]
                : !many__score_row into !many__score_block
              %query3 = tensor.extract
                %query[%block_token3, %block_head, %k]
                : !many__query
              %query3_everywhere = vector.broadcast %query3 : f32 to !many__score_row
              %left_4 = vector.insert %query3_everywhere, %left_3 [3]
                : !many__score_row into !many__score_block
              %query4 = tensor.extract
                %query[%block_token4, %block_head, %k]
                : !many__query
              %query4_everywhere = vector.broadcast %query4 : f32 to !many__score_row
              %left_5 = vector.insert %query4_everywhere, %left_4 [4]
                : !many__score_row into !many__score_block
              %query5 = tensor.extract
                %query[%block_token5, %block_head, %k]
                : !many__query
              %query5_everywhere = vector.broadcast %query5 : f32 to !many__score_row
              %left_6 = vector.insert %query5_everywhere, %left_5 [5]
                : !many__score_row into !many__score_block
              %query6 = tensor.extract
                %query[%block_token6, %block_head, %k]
                : !many__query
              %query6_everywhere = vector.broadcast %query6 : f32 to !many__score_row
              %left_7 = vector.insert %query6_everywhere, %left_6 [6]
                : !many__score_row into !many__score_block
              %query7 = tensor.extract
                %query[%block_token7, %block_head, %k]
                : !many__query
              %query7_everywhere = vector.broadcast %query7 : f32 to !many__score_row
              %left = vector.insert %query7_everywhere, %left_7 [7]
                : !many__score_row into !many__score_block
              %right = vector.transfer_read %keys[%k, %n], %zero
                {permutation_map = #many__of_column, in_bounds = [true, true]} : !many__keys, !many__score_block
              %more = vector.fma %left, %right, %so_far : !many__score_block
              scf.yield %more : !many__score_block
            }
            %after = vector.transfer_write %sums, %before[%none, %n] {in_bounds = [true, true]}
              : !many__score_block, !many__scores
            scf.yield %after : !many__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !many__logits
        %lanes_empty = tensor.empty() : !many__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!many__scores, !many__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 32, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 32)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !many__scores, !many__logits
          %scale = arith.constant dense<0.2944888920518061> : !many__logits
          %scaled = arith.mulf %score, %scale : !many__logits
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
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !many__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !many__key_numbers
          %logit = arith.select %ahead_is_seen, %scaled, %hidden
            : !many__logit_flags, !many__logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !many__lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !many__lanes_f32
          %top = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
            : !many__lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !many__logits, !many__scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !many__lanes_f32, !many__row_lanes
          scf.yield %logits_after, %tops_after : !many__scores, !many__row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !many__row_lanes, !many__block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !many__block_register16 from !many__block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !many__block_register16 from !many__block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !many__block_register16 from !many__block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !many__block_register16 from !many__block_rows0
        %max_of_step_4 = vector.extract %tops_of_rows[4] : !many__block_register16 from !many__block_rows0
        %max_of_step_5 = vector.extract %tops_of_rows[5] : !many__block_register16 from !many__block_rows0
        %max_of_step_6 = vector.extract %tops_of_rows[6] : !many__block_register16 from !many__block_rows0
        %max_of_step_7 = vector.extract %tops_of_rows[7] : !many__block_register16 from !many__block_rows0
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_8 = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !many__block_register16
        %max_of_step_evens9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_9 = arith.maxnumf
          %max_of_step_evens9, %max_of_step_odds9 fastmath<nnan> : !many__block_register16
        %max_of_step_evens10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_10 = arith.maxnumf
          %max_of_step_evens10, %max_of_step_odds10 fastmath<nnan> : !many__block_register16
        %max_of_step_evens11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_11 = arith.maxnumf
          %max_of_step_evens11, %max_of_step_odds11 fastmath<nnan> : !many__block_register16
        %max_of_step_evens12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_12 = arith.maxnumf
          %max_of_step_evens12, %max_of_step_odds12 fastmath<nnan> : !many__block_register16
        %max_of_step_evens13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %max_of_step_odds13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %max_of_step_13 = arith.maxnumf
          %max_of_step_evens13, %max_of_step_odds13 fastmath<nnan> : !many__block_register16
        %max_of_step_evens14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !many__block_register16, !many__block_register16
        %max_of_step_odds14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !many__block_register16, !many__block_register16
        %max_of_step_14 = arith.maxnumf
          %max_of_step_evens14, %max_of_step_odds14 fastmath<nnan> : !many__block_register16
        %max_of_step_evens15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !many__block_register16, !many__block_register16
        %max_of_step_odds15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !many__block_register16, !many__block_register16
        %max_of_step = arith.maxnumf
          %max_of_step_evens15, %max_of_step_odds15 fastmath<nnan> : !many__block_register8
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !many__row, !many__block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !many__block_numbers
        %max_below = arith.subf %max_before, %max_now : !many__block_numbers
          %factor_least = arith.constant dense<-127.0> : !many__block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !many__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
            : !many__block_flags, !many__block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !many__block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !many__block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !many__block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !many__block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !many__block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !many__block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !many__block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !many__block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !many__block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !many__block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !many__block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !many__block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !many__block_numbers
          %factor_term5 = arith.constant dense<1.0> : !many__block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !many__block_numbers
          %factor_number = arith.bitcast %factor_rounded : !many__block_numbers to !many__block_bits
          %factor_place = arith.constant dense<23> : !many__block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !many__block_bits
          %factor_scale = arith.bitcast %factor_shifted : !many__block_bits to !many__block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !many__block_numbers
        %factors_empty = tensor.empty() : !many__factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !many__block_numbers, !many__factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !many__block_numbers, !many__row
        %weights_empty = tensor.empty() : !many__weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!many__weights, !many__row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !many__scores, !many__logits
          %max_of_row = tensor.extract %max_next[%row] : !many__row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !many__logits
          %below = arith.subf %logit, %max_everywhere : !many__logits
          %weight_least = arith.constant dense<-127.0> : !many__logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !many__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
            : !many__logit_flags, !many__logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !many__logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !many__logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !many__logits
          %weight_left = arith.subf %weight_power, %weight_whole : !many__logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !many__logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !many__logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !many__logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !many__logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !many__logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !many__logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !many__logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !many__logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !many__logits
          %weight_term5 = arith.constant dense<1.0> : !many__logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !many__logits
          %weight_number = arith.bitcast %weight_rounded : !many__logits to !many__logit_bits
          %weight_place = arith.constant dense<23> : !many__logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !many__logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !many__logit_bits to !many__logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !many__logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !many__logits to !many__lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !many__lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !many__lanes_f32
          %weight_sum = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
            : !many__lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !many__lanes_f32, !many__row_lanes
          %weights_after = vector.transfer_write %weight, %weights_before[%r, %none] {in_bounds = [true]}
            : !many__logits, !many__weights
          scf.yield %weights_after, %sums_after : !many__weights, !many__row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !many__row_lanes, !many__block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !many__block_register16 from !many__block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !many__block_register16 from !many__block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !many__block_register16 from !many__block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !many__block_register16 from !many__block_rows0
        %sum_of_step_4 = vector.extract %sums_of_rows[4] : !many__block_register16 from !many__block_rows0
        %sum_of_step_5 = vector.extract %sums_of_rows[5] : !many__block_register16 from !many__block_rows0
        %sum_of_step_6 = vector.extract %sums_of_rows[6] : !many__block_register16 from !many__block_rows0
        %sum_of_step_7 = vector.extract %sums_of_rows[7] : !many__block_register16 from !many__block_rows0
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_8 = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_9 = arith.addf
          %sum_of_step_evens9, %sum_of_step_odds9 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_10 = arith.addf
          %sum_of_step_evens10, %sum_of_step_odds10 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_11 = arith.addf
          %sum_of_step_evens11, %sum_of_step_odds11 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_12 = arith.addf
          %sum_of_step_evens12, %sum_of_step_odds12 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !many__block_register16, !many__block_register16
        %sum_of_step_odds13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_13 = arith.addf
          %sum_of_step_evens13, %sum_of_step_odds13 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !many__block_register16, !many__block_register16
        %sum_of_step_odds14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !many__block_register16, !many__block_register16
        %sum_of_step_14 = arith.addf
          %sum_of_step_evens14, %sum_of_step_odds14 fastmath<reassoc> : !many__block_register16
        %sum_of_step_evens15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !many__block_register16, !many__block_register16
        %sum_of_step_odds15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !many__block_register16, !many__block_register16
        %sum_of_step = arith.addf
          %sum_of_step_evens15, %sum_of_step_odds15 fastmath<reassoc> : !many__block_register8
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !many__row, !many__block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !many__block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !many__block_numbers, !many__row
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !many__acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !many__acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !many__acc, !many__value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #many__of_element, in_bounds = [true, true]} : !many__factors, !many__value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !many__value_block
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk) -> !many__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #many__of_row, in_bounds = [true, true]} : !many__weights, !many__value_block
                %right = vector.transfer_read %values[%j, %n], %zero
                  {permutation_map = #many__of_column, in_bounds = [true, true]} : !many__values, !many__value_block
                %more = vector.fma %left, %right, %so_far : !many__value_block
                scf.yield %more : !many__value_block
              }
              %after = vector.transfer_write %sums, %before[%first_row, %n] {in_bounds = [true, true]}
                : !many__value_block, !many__acc
              scf.yield %after : !many__acc
            }
            scf.yield %acc_of_columns : !many__acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !many__acc, !many__row, !many__row
        } else {
          scf.yield %acc, %max, %sum : !many__acc, !many__row, !many__row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !many__acc, !many__row, !many__row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !many__acc, !many__row, !many__row
    }
    %output_slice = tensor.extract_slice %output_all[%first_token, %first_head, %none] [%queries_here, 4, 32] [1, 1, 1] : !many__output to !many__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !many__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !many__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 32 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !many__row
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !many__acc, !many__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !many__output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !many__output_f32
        %nothing = arith.constant dense<0.0> : !many__output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !many__output_f32

        %after = vector.transfer_write %mean,
          %before[%m, %g, %none] {in_bounds = [true]}
          : !many__output_row, !many__output_slice
        scf.yield %after : !many__output_slice
      }
      scf.yield %of_head : !many__output_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%first_token, %first_head, %none] [%queries_here, 4, 32] [1, 1, 1]
        : !many__output_slice into !many__output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0], sizes = [40, 4, 32], strides = [1, 1, 1]
      : tensor<40x4x32xf32> -> !many__output_out
    return
  }
  }
}
// Attention as one kernel of few rows, and a merge of parts of the keys.
!few__query = tensor<40x4x40xf32>
!few__key_cache = tensor<8x1x16x40xf32>
!few__cu_seqlens_q = tensor<5xi32>
!few__block_table = tensor<4x4xi32>
!few__context_lens = tensor<4xi32>
!few__output_of_many = tensor<40x4x32xf32>
!few__output = tensor<40x4x32xf32>
!few__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x4x40xf32>>
!few__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x1x16x40xf32>>
!few__cu_seqlens_q_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!few__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xi32>>
!few__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__part_acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x1x128x32xf32>>
!few__part_max_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x1x128xf32>>
!few__part_sum_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x1x128xf32>>
!few__output_slice = tensor<?x4x32xf32>
!few__lse_slice = tensor<4x?xf32>
!few__part_acc = tensor<1x1x128x32xf32>
!few__part_max = tensor<1x1x128xf32>
!few__part_acc_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1x128x32xf32>>
!few__part_max_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1x128xf32>>
!few__part_sum_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x1x128xf32>>
!few__cu_seqlens_q_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<5xi32>>
!few__context_lens_to_merge = !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>
!few__output_of_many_to_merge = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<40x4x32xf32>>
!few__acc_of_query = tensor<4x32xf32>
!few__row_of_query = tensor<4xf32>
!few__queries = tensor<4x48xf32>
!few__scores = tensor<4x64xf32>
!few__weights = tensor<4x64xf32>
!few__factors = tensor<4xf32>
!few__row_lanes = tensor<4x16xf32>
!few__acc = tensor<?x32xf32>
!few__row = tensor<?xf32>
!few__given_query = vector<48xf32>
!few__query_row = vector<48xf32>
!few__given_value = vector<32xf32>
!few__value_row = vector<32xf32>
!few__value_block = vector<4x32xf32>
!few__acc_row = vector<32xf32>
!few__output_f32 = vector<32xf32>
!few__output_row = vector<32xf32>
!few__logits = vector<64xf32>
!few__logit_bits = vector<64xi32>
!few__logit_flags = vector<64xi1>
!few__key_indices = vector<64xindex>
!few__key_numbers = vector<64xi32>
!few__lanes_f32 = vector<16xf32>
!few__block_bits = vector<4xi32>
!few__block_flags = vector<4xi1>
!few__block_numbers = vector<4xf32>
!few__block_rows0 = vector<4x16xf32>
!few__block_register4 = vector<4xf32>
!few__block_register8 = vector<8xf32>
!few__block_register16 = vector<16xf32>
#few__of_row = affine_map<(m, k) -> (m, 0)>
#few__of_column = affine_map<(k, n) -> (0, n)>
#few__of_element = affine_map<(m) -> (m, 0)>
!few__given_key = vector<16xf32>
!few__key_lanes = vector<16xf32>
!few__row_sums = vector<4x16xf32>
!few__score_sums = vector<4x4x16xf32>
!few__scores_of_keys = vector<4x4xf32>
!few__scores_of_rows = vector<4x4xf32>
!few__keys_numbers = vector<16xf32>
!few__keys_rows0 = vector<16x16xf32>
!few__keys_register16 = vector<16xf32>
!few__key_memory = memref<8x1x16x40xf32>
!few__value_memory = memref<8x1x16x40xf32>
#few__arguments = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>

func.func private @few(%query: !few__query, %key_cache: !few__key_cache, %cu_seqlens_q: !few__cu_seqlens_q, %block_table: !few__block_table, %context_lens: !few__context_lens, %output_of_many: !few__output_of_many) -> !few__output {
  %part_acc, %part_max, %part_sum =
    flow.dispatch @few_part_acc_kernel::@few_part_acc_kernel(
      %query, %key_cache, %cu_seqlens_q, %block_table, %context_lens
    ) : (
      tensor<40x4x40xf32>,
      tensor<8x1x16x40xf32>,
      tensor<5xi32>,
      tensor<4x4xi32>,
      tensor<4xi32>
    ) -> (tensor<1x1x128x32xf32>, tensor<1x1x128xf32>, tensor<1x1x128xf32>)
  %output =
    flow.dispatch @few_output_kernel::@few_output_kernel(
      %part_acc, %part_max, %part_sum, %cu_seqlens_q, %context_lens, %output_of_many
    ) : (
      tensor<1x1x128x32xf32>,
      tensor<1x1x128xf32>,
      tensor<1x1x128xf32>,
      tensor<5xi32>,
      tensor<4xi32>,
      tensor<40x4x32xf32>
    ) -> (%output_of_many)
  return %output
    : !few__output
}
flow.executable private @few_part_acc_kernel {
  flow.executable.export public @few_part_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @few_part_acc_kernel(
      %query_in: !few__query_in,
      %key_cache_in: !few__key_cache_in,
      %cu_seqlens_q_in: !few__cu_seqlens_q_in,
      %block_table_in: !few__block_table_in,
      %context_lens_in: !few__context_lens_in,
      %part_acc_out: !few__part_acc_out,
      %part_max_out: !few__part_max_out,
      %part_sum_out: !few__part_sum_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0], sizes = [40, 4, 40], strides = [1, 1, 1]
      : !few__query_in -> tensor<40x4x40xf32>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [8, 1, 16, 40], strides = [1, 1, 1, 1]
      : !few__key_cache_in -> tensor<8x1x16x40xf32>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !few__cu_seqlens_q_in -> tensor<5xi32>
    %block_table = iree_tensor_ext.dispatch.tensor.load %block_table_in,
      offsets = [0, 0], sizes = [4, 4], strides = [1, 1]
      : !few__block_table_in -> tensor<4x4xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__context_lens_in -> tensor<4xi32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 40 : index
    %tile_heads = arith.constant 4 : index
    %tile_rows = arith.constant 4 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 64 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 32 : index
    %sequences = arith.constant 4 : index
    %heads = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %q_tokens = arith.constant 40 : index
    %keys_of_axis = arith.constant 64 : index
    %few = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %part_acc_empty = tensor.empty() : tensor<1x1x128x32xf32>
    %part_max_empty = tensor.empty() : tensor<1x1x128xf32>
    %part_sum_empty = tensor.empty() : tensor<1x1x128xf32>
    %workgroups:3 =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %parts)
        shared_outs(%part_acc_all = %part_acc_empty, %part_max_all = %part_max_empty, %part_sum_all = %part_sum_empty) -> (tensor<1x1x128x32xf32>, tensor<1x1x128xf32>, tensor<1x1x128xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %first_query = arith.constant 0 : index
    %q_start_i32 = tensor.extract %cu_seqlens_q[%b] : !few__cu_seqlens_q
    %q_start = arith.index_cast %q_start_i32 : i32 to index
    %next_sequence = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %q_end_i32 = tensor.extract %cu_seqlens_q[%next_sequence] : !few__cu_seqlens_q
    %q_end = arith.index_cast %q_end_i32 : i32 to index
    %q_count = arith.subi %q_end, %q_start : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %q_len = arith.select %is_few, %q_count, %none : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %rows_begin = affine.min
      affine_map<(q, b) -> (q * 4, b * (8 * 4))>
      (%q_start, %b)
    %context_len_i32 = tensor.extract %context_lens[%b] : !few__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %tile_end_query = arith.minsi %queries_end, %q_len : index
    %tile_end_is_real = arith.cmpi slt, %first_query, %tile_end_query : index
    %tile_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%tile_end_query, %first_position, %context_len)
    %tile_end = arith.select %tile_end_is_real, %tile_end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %first_step = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %first_part = affine.apply affine_map<(t) -> (t floordiv 1024)>(%first_step)
    %end_part = affine.apply affine_map<(t) -> (t ceildiv 1024)>(%tile_end)
    %begin = affine.max affine_map<(t, i) -> (t, i * 1024)>(%first_step, %i)
    %end = affine.min
      affine_map<(t, i) -> (t, i * 1024 + 1024)>(%tile_end, %i)
    %is_behind_first = arith.cmpi sge, %i, %first_part : index
    %is_before_end = arith.cmpi slt, %i, %end_part : index
    %exists = arith.andi %is_behind_first, %is_before_end : i1
    %rows_of_queries = affine.apply affine_map<(m) -> (m * 4)>(%q_len)
    %rows = arith.select %exists, %rows_of_queries, %none : index
    %key_memory = hal.interface.binding.subspan layout(#few__arguments) binding(1)
      alignment(64) offset(%none) : !few__key_memory
    %value_memory = hal.interface.binding.subspan layout(#few__arguments) binding(1)
      alignment(64) offset(%none) : !few__value_memory
    %line0 = arith.constant 0 : index
    %line16 = arith.constant 16 : index
    %line32 = arith.constant 32 : index
    %key_numbers = vector.step : !few__key_indices
    %key_numbers_i32 = arith.index_cast %key_numbers : !few__key_indices to !few__key_numbers
    %padding = arith.constant 0.0 : f32
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !few__value_block
    %acc_empty = tensor.extract_slice %part_acc_all[%x, %i, %rows_begin, %none] [1, 1, %rows, 32] [1, 1, 1, 1] : !few__part_acc to !few__acc
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !few__acc {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !few__acc {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !few__value_block, !few__acc
        scf.yield %after : !few__acc
      }
      scf.yield %filled : !few__acc
    }
    %max_empty = tensor.extract_slice %part_max_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1]
      : !few__part_max to !few__row
    %sum_empty = tensor.extract_slice %part_sum_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1]
      : !few__part_max to !few__row
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!few__row, !few__row) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !few__row
      %sum_after = tensor.insert %zero into %sum_before[%r] : !few__row
      scf.yield %max_after, %sum_after : !few__row, !few__row
    }
    %no_scores = arith.constant dense<0.0> : !few__score_sums
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!few__acc, !few__row, !few__row) {
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!few__acc, !few__row, !few__row) {
    %block_query = affine.apply affine_map<(r) -> (r floordiv 4)>(%r0)
    %block_end = affine.apply affine_map<(m) -> (m + 1)>(%block_query)
    %keys_end_query = arith.minsi %block_end, %q_len : index
    %keys_end_is_real = arith.cmpi slt, %block_query, %keys_end_query : index
    %keys_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%keys_end_query, %first_position, %context_len)
    %keys_end = arith.select %keys_end_is_real, %keys_end_limit, %none : index
    %keys_begin = arith.constant 0 : index
    %from = affine.max affine_map<(k, t) -> (k - t, 0)>(%keys_begin, %t0)
    %to = affine.min affine_map<(k, t, e) -> (k - t, e - t, 64)>(%keys_end, %t0, %end)
        %sees = arith.cmpi slt, %from, %to : index
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!few__acc, !few__row, !few__row) {
    %queries_empty = tensor.empty() : !few__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !few__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r mod 4, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r floordiv 4)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
      %query_row = vector.transfer_read
        %query[%query_token, %head, %none], %padding
        {in_bounds = [false]} : !few__query, !few__given_query

      %after = vector.transfer_write %query_row, %before[%r, %none] {in_bounds = [true]}
        : !few__query_row, !few__queries
      scf.yield %after : !few__queries
    }
          %next_t0 = affine.apply affine_map<(t) -> (t + 32)>(%t0)
          %first_scored = affine.apply
            affine_map<(t) -> (t floordiv 4 * 4)>(%from)
          %scores_empty = tensor.empty() : !few__scores
          %first_run = affine.apply
            affine_map<(t, f) -> ((t + f) floordiv 16)>(%t0, %from)
          %end_run = affine.apply
            affine_map<(t, e) -> ((t + e) ceildiv 16)>(%t0, %to)
          %scores = scf.for %number = %first_run to %end_run step %one
            iter_args(%before_run = %scores_empty)
            -> (!few__scores) {
          %run_key = affine.apply affine_map<(r) -> (r * 16)>(%number)
          %next_run_key = affine.min
            affine_map<(t, e) -> (t + 32, (e - 1) floordiv 16 * 16)>
            (%run_key, %end)
          %run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%run_key)
          %run_block_i32 = tensor.extract %block_table[%b, %run_page]
            : !few__block_table
          %run_block = arith.index_cast %run_block_i32 : i32 to index
          %run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %run_key)
          %next_run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run_key)
          %next_run_block_i32 = tensor.extract %block_table[%b, %next_run_page]
            : !few__block_table
          %next_run_block = arith.index_cast %next_run_block_i32 : i32 to index
          %next_run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %next_run_key)
          %run_from = affine.max affine_map<(r, t, f) -> (r - t, f)>(%run_key, %t0, %first_scored)
          %run_to = affine.min
            affine_map<(r, t, e) -> (r + 16 - t, e)>(%run_key, %t0, %to)
          %scores_of_run = scf.for %j = %run_from to %run_to
            step %scored_keys iter_args(%before = %before_run) -> (!few__scores) {
            %key0 = affine.apply affine_map<(j, t) -> (t + j + 0)>(%j, %t0)
        %key0_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%key0, %run_begin)
        %key0_block = arith.addi %run_block, %none : index
            %key1 = affine.apply affine_map<(j, t) -> (t + j + 1)>(%j, %t0)
        %key1_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%key1, %run_begin)
        %key1_block = arith.addi %run_block, %none : index
            %key2 = affine.apply affine_map<(j, t) -> (t + j + 2)>(%j, %t0)
        %key2_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%key2, %run_begin)
        %key2_block = arith.addi %run_block, %none : index
            %key3 = affine.apply affine_map<(j, t) -> (t + j + 3)>(%j, %t0)
        %key3_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%key3, %run_begin)
        %key3_block = arith.addi %run_block, %none : index
            %next0 = affine.apply
              affine_map<(t, j) -> (t + j + 0)>(%t0, %j)
        %next0_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next0, %next_run_begin)
        %next0_block = arith.addi %next_run_block, %none : index
            memref.prefetch %key_memory[%next0_block, %kv_head, %next0_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next0_block, %kv_head, %next0_slot, %line16],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next0_block, %kv_head, %next0_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %next1 = affine.apply
              affine_map<(t, j) -> (t + j + 1)>(%t0, %j)
        %next1_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next1, %next_run_begin)
        %next1_block = arith.addi %next_run_block, %none : index
            memref.prefetch %key_memory[%next1_block, %kv_head, %next1_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next1_block, %kv_head, %next1_slot, %line16],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next1_block, %kv_head, %next1_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %next2 = affine.apply
              affine_map<(t, j) -> (t + j + 2)>(%t0, %j)
        %next2_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next2, %next_run_begin)
        %next2_block = arith.addi %next_run_block, %none : index
            memref.prefetch %key_memory[%next2_block, %kv_head, %next2_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next2_block, %kv_head, %next2_slot, %line16],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next2_block, %kv_head, %next2_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %next3 = affine.apply
              affine_map<(t, j) -> (t + j + 3)>(%t0, %j)
        %next3_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%next3, %next_run_begin)
        %next3_block = arith.addi %next_run_block, %none : index
            memref.prefetch %key_memory[%next3_block, %kv_head, %next3_slot, %line0],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next3_block, %kv_head, %next3_slot, %line16],
              read, locality<2>, data : !few__key_memory
            memref.prefetch %key_memory[%next3_block, %kv_head, %next3_slot, %line32],
              read, locality<2>, data : !few__key_memory
            %lane_sums = scf.for %k = %none to %head_steps step %lanes iter_args(%so_far = %no_scores)
              -> !few__score_sums {
              %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
              %key_lanes0 = vector.transfer_read
                %key_cache[%key0_block, %kv_head, %key0_slot, %column], %padding
                {in_bounds = [false]} : !few__key_cache, !few__given_key

              %key_lanes1 = vector.transfer_read
                %key_cache[%key1_block, %kv_head, %key1_slot, %column], %padding
                {in_bounds = [false]} : !few__key_cache, !few__given_key

              %key_lanes2 = vector.transfer_read
                %key_cache[%key2_block, %kv_head, %key2_slot, %column], %padding
                {in_bounds = [false]} : !few__key_cache, !few__given_key

              %key_lanes3 = vector.transfer_read
                %key_cache[%key3_block, %kv_head, %key3_slot, %column], %padding
                {in_bounds = [false]} : !few__key_cache, !few__given_key

              %left = vector.transfer_read %queries[%none, %k], %zero {in_bounds = [true, true]}
                : !few__queries, !few__row_sums
              %right0 = vector.broadcast %key_lanes0 : !few__key_lanes to !few__row_sums
              %old0 = vector.extract %so_far[0] : !few__row_sums from !few__score_sums
              %new0 = vector.fma %left, %right0, %old0 : !few__row_sums
              %more_1 = vector.insert %new0, %so_far [0] : !few__row_sums into !few__score_sums
              %right1 = vector.broadcast %key_lanes1 : !few__key_lanes to !few__row_sums
              %old1 = vector.extract %so_far[1] : !few__row_sums from !few__score_sums
              %new1 = vector.fma %left, %right1, %old1 : !few__row_sums
              %more_2 = vector.insert %new1, %more_1 [1] : !few__row_sums into !few__score_sums
              %right2 = vector.broadcast %key_lanes2 : !few__key_lanes to !few__row_sums
              %old2 = vector.extract %so_far[2] : !few__row_sums from !few__score_sums
              %new2 = vector.fma %left, %right2, %old2 : !few__row_sums
              %more_3 = vector.insert %new2, %more_2 [2] : !few__row_sums into !few__score_sums
              %right3 = vector.broadcast %key_lanes3 : !few__key_lanes to !few__row_sums
              %old3 = vector.extract %so_far[3] : !few__row_sums from !few__score_sums
              %new3 = vector.fma %left, %right3, %old3 : !few__row_sums
              %more = vector.insert %new3, %more_3 [3] : !few__row_sums into !few__score_sums
              scf.yield %more : !few__score_sums
            }
            %sums_of_keys = vector.shape_cast %lane_sums : !few__score_sums to !few__keys_rows0
        %sums_0 = vector.extract %sums_of_keys[0] : !few__keys_register16 from !few__keys_rows0
        %sums_1 = vector.extract %sums_of_keys[1] : !few__keys_register16 from !few__keys_rows0
        %sums_2 = vector.extract %sums_of_keys[2] : !few__keys_register16 from !few__keys_rows0
        %sums_3 = vector.extract %sums_of_keys[3] : !few__keys_register16 from !few__keys_rows0
        %sums_4 = vector.extract %sums_of_keys[4] : !few__keys_register16 from !few__keys_rows0
        %sums_5 = vector.extract %sums_of_keys[5] : !few__keys_register16 from !few__keys_rows0
        %sums_6 = vector.extract %sums_of_keys[6] : !few__keys_register16 from !few__keys_rows0
        %sums_7 = vector.extract %sums_of_keys[7] : !few__keys_register16 from !few__keys_rows0
        %sums_8 = vector.extract %sums_of_keys[8] : !few__keys_register16 from !few__keys_rows0
        %sums_9 = vector.extract %sums_of_keys[9] : !few__keys_register16 from !few__keys_rows0
        %sums_10 = vector.extract %sums_of_keys[10] : !few__keys_register16 from !few__keys_rows0
        %sums_11 = vector.extract %sums_of_keys[11] : !few__keys_register16 from !few__keys_rows0
        %sums_12 = vector.extract %sums_of_keys[12] : !few__keys_register16 from !few__keys_rows0
        %sums_13 = vector.extract %sums_of_keys[13] : !few__keys_register16 from !few__keys_rows0
        %sums_14 = vector.extract %sums_of_keys[14] : !few__keys_register16 from !few__keys_rows0
        %sums_15 = vector.extract %sums_of_keys[15] : !few__keys_register16 from !few__keys_rows0
        %sums_evens16 = vector.shuffle
          %sums_0, %sums_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds16 = vector.shuffle
          %sums_0, %sums_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_16 = arith.addf
          %sums_evens16, %sums_odds16 fastmath<reassoc> : !few__keys_register16
        %sums_evens17 = vector.shuffle
          %sums_2, %sums_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds17 = vector.shuffle
          %sums_2, %sums_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_17 = arith.addf
          %sums_evens17, %sums_odds17 fastmath<reassoc> : !few__keys_register16
        %sums_evens18 = vector.shuffle
          %sums_4, %sums_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds18 = vector.shuffle
          %sums_4, %sums_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_18 = arith.addf
          %sums_evens18, %sums_odds18 fastmath<reassoc> : !few__keys_register16
        %sums_evens19 = vector.shuffle
          %sums_6, %sums_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds19 = vector.shuffle
          %sums_6, %sums_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_19 = arith.addf
          %sums_evens19, %sums_odds19 fastmath<reassoc> : !few__keys_register16
        %sums_evens20 = vector.shuffle
          %sums_8, %sums_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds20 = vector.shuffle
          %sums_8, %sums_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_20 = arith.addf
          %sums_evens20, %sums_odds20 fastmath<reassoc> : !few__keys_register16
        %sums_evens21 = vector.shuffle
          %sums_10, %sums_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds21 = vector.shuffle
          %sums_10, %sums_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_21 = arith.addf
          %sums_evens21, %sums_odds21 fastmath<reassoc> : !few__keys_register16
        %sums_evens22 = vector.shuffle
          %sums_12, %sums_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds22 = vector.shuffle
          %sums_12, %sums_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_22 = arith.addf
          %sums_evens22, %sums_odds22 fastmath<reassoc> : !few__keys_register16
        %sums_evens23 = vector.shuffle
          %sums_14, %sums_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds23 = vector.shuffle
          %sums_14, %sums_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_23 = arith.addf
          %sums_evens23, %sums_odds23 fastmath<reassoc> : !few__keys_register16
        %sums_evens24 = vector.shuffle
          %sums_16, %sums_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds24 = vector.shuffle
          %sums_16, %sums_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_24 = arith.addf
          %sums_evens24, %sums_odds24 fastmath<reassoc> : !few__keys_register16
        %sums_evens25 = vector.shuffle
          %sums_18, %sums_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds25 = vector.shuffle
          %sums_18, %sums_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_25 = arith.addf
          %sums_evens25, %sums_odds25 fastmath<reassoc> : !few__keys_register16
        %sums_evens26 = vector.shuffle
          %sums_20, %sums_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds26 = vector.shuffle
          %sums_20, %sums_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_26 = arith.addf
          %sums_evens26, %sums_odds26 fastmath<reassoc> : !few__keys_register16
        %sums_evens27 = vector.shuffle
          %sums_22, %sums_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__keys_register16, !few__keys_register16
        %sums_odds27 = vector.shuffle
          %sums_22, %sums_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__keys_register16, !few__keys_register16
        %sums_27 = arith.addf
          %sums_evens27, %sums_odds27 fastmath<reassoc> : !few__keys_register16
        %sums_evens28 = vector.shuffle
          %sums_24, %sums_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__keys_register16, !few__keys_register16
        %sums_odds28 = vector.shuffle
          %sums_24, %sums_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__keys_register16, !few__keys_register16
        %sums_28 = arith.addf
          %sums_evens28, %sums_odds28 fastmath<reassoc> : !few__keys_register16
        %sums_evens29 = vector.shuffle
          %sums_26, %sums_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__keys_register16, !few__keys_register16
        %sums_odds29 = vector.shuffle
          %sums_26, %sums_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__keys_register16, !few__keys_register16
        %sums_29 = arith.addf
          %sums_evens29, %sums_odds29 fastmath<reassoc> : !few__keys_register16
        %sums_evens30 = vector.shuffle
          %sums_28, %sums_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !few__keys_register16, !few__keys_register16
        %sums_odds30 = vector.shuffle
          %sums_28, %sums_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !few__keys_register16, !few__keys_register16
        %sums = arith.addf
          %sums_evens30, %sums_odds30 fastmath<reassoc> : !few__keys_register16
            %scores_of_keys = vector.shape_cast %sums : !few__keys_numbers to !few__scores_of_keys
            %scores_of_rows = vector.transpose %scores_of_keys, [1, 0] : !few__scores_of_keys to !few__scores_of_rows
            %after = vector.transfer_write %scores_of_rows, %before[%none, %j] {in_bounds = [true, true]}
              : !few__scores_of_rows, !few__scores
            scf.yield %after : !few__scores
          }
          scf.yield %scores_of_run : !few__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !few__logits
        %lanes_empty = tensor.empty() : !few__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!few__scores, !few__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r mod 4, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r floordiv 4)>(%row)
    %head = arith.addi %first_head, %head_of_row : index
    %m = arith.addi %first_query, %query_of_row : index
    %real_query = arith.minsi %m, %last_query : index
    %query_token = arith.addi %real_query, %q_start : index
          %score = vector.transfer_read %logits_before[%r, %none], %zero {in_bounds = [true]}
            : !few__scores, !few__logits
          %scale = arith.constant dense<0.2944888920518061> : !few__logits
          %scaled = arith.mulf %score, %scale : !few__logits
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
          %row_to_everywhere = vector.broadcast %row_to_i32 : i32 to !few__key_numbers
          %ahead_is_seen = arith.cmpi slt, %key_numbers_i32, %row_to_everywhere : !few__key_numbers
          %logit = arith.select %ahead_is_seen, %scaled, %hidden
            : !few__logit_flags, !few__logits
          %top_lanes0 = vector.extract_strided_slice %logit
            offsets = [0], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes1 = vector.extract_strided_slice %logit
            offsets = [16], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !few__lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !few__lanes_f32
          %top = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
            : !few__lanes_f32
          %logits_after = vector.transfer_write %logit, %logits_before[%r, %none] {in_bounds = [true]}
            : !few__logits, !few__scores
          %tops_after = vector.transfer_write %top, %tops_before[%r, %none] {in_bounds = [true]}
            : !few__lanes_f32, !few__row_lanes
          scf.yield %logits_after, %tops_after : !few__scores, !few__row_lanes
        }
        %tops_of_rows = vector.transfer_read %tops[%none, %none], %zero {in_bounds = [true, true]}
          : !few__row_lanes, !few__block_rows0
        %max_of_step_0 = vector.extract %tops_of_rows[0] : !few__block_register16 from !few__block_rows0
        %max_of_step_1 = vector.extract %tops_of_rows[1] : !few__block_register16 from !few__block_rows0
        %max_of_step_2 = vector.extract %tops_of_rows[2] : !few__block_register16 from !few__block_rows0
        %max_of_step_3 = vector.extract %tops_of_rows[3] : !few__block_register16 from !few__block_rows0
        %max_of_step_evens4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds4 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_4 = arith.maxnumf
          %max_of_step_evens4, %max_of_step_odds4 fastmath<nnan> : !few__block_register16
        %max_of_step_evens5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds5 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_5 = arith.maxnumf
          %max_of_step_evens5, %max_of_step_odds5 fastmath<nnan> : !few__block_register16
        %max_of_step_evens6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %max_of_step_odds6 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %max_of_step_6 = arith.maxnumf
          %max_of_step_evens6, %max_of_step_odds6 fastmath<nnan> : !few__block_register16
        %max_of_step_evens7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !few__block_register16, !few__block_register16
        %max_of_step_odds7 = vector.shuffle
          %max_of_step_6, %max_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !few__block_register16, !few__block_register16
        %max_of_step_7 = arith.maxnumf
          %max_of_step_evens7, %max_of_step_odds7 fastmath<nnan> : !few__block_register8
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [0, 1, 2, 3] : !few__block_register8, !few__block_register8
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_7, %max_of_step_7
          [4, 5, 6, 7] : !few__block_register8, !few__block_register8
        %max_of_step = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !few__block_register4
        %max_before = vector.transfer_read %max[%r0], %zero {in_bounds = [true]} : !few__row, !few__block_numbers
        %max_now = arith.maxnumf %max_before, %max_of_step fastmath<nnan> : !few__block_numbers
        %max_below = arith.subf %max_before, %max_now : !few__block_numbers
          %factor_least = arith.constant dense<-127.0> : !few__block_numbers
          %factor_is_low = arith.cmpf olt, %max_below, %factor_least : !few__block_numbers
          %factor_power = arith.select %factor_is_low, %factor_least, %max_below
            : !few__block_flags, !few__block_numbers
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant dense<12583039.0> : !few__block_numbers
          %factor_rounded = arith.addf %factor_power, %factor_rounder : !few__block_numbers
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : !few__block_numbers
          %factor_left = arith.subf %factor_power, %factor_whole : !few__block_numbers
          %factor_p0 = arith.constant dense<0.0013264727200922393> : !few__block_numbers
          %factor_term1 = arith.constant dense<0.009671512659844018> : !few__block_numbers
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : !few__block_numbers
          %factor_term2 = arith.constant dense<0.05550733743430322> : !few__block_numbers
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : !few__block_numbers
          %factor_term3 = arith.constant dense<0.24022242085060824> : !few__block_numbers
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : !few__block_numbers
          %factor_term4 = arith.constant dense<0.6931469775989539> : !few__block_numbers
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : !few__block_numbers
          %factor_term5 = arith.constant dense<1.0> : !few__block_numbers
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : !few__block_numbers
          %factor_number = arith.bitcast %factor_rounded : !few__block_numbers to !few__block_bits
          %factor_place = arith.constant dense<23> : !few__block_bits
          %factor_shifted = arith.shli %factor_number, %factor_place : !few__block_bits
          %factor_scale = arith.bitcast %factor_shifted : !few__block_bits to !few__block_numbers
          %factor = arith.mulf %factor_p5, %factor_scale
            : !few__block_numbers
        %factors_empty = tensor.empty() : !few__factors
        %factors = vector.transfer_write %factor, %factors_empty[%none] {in_bounds = [true]}
          : !few__block_numbers, !few__factors
        %max_next = vector.transfer_write %max_now, %max[%r0] {in_bounds = [true]} : !few__block_numbers, !few__row
        %weights_empty = tensor.empty() : !few__weights
        %weights, %weight_sums = scf.for %r = %none to %block_rows step %one
            iter_args(%weights_before = %weights_empty, %sums_before = %lanes_empty)
              -> (!few__weights, !few__row_lanes) {
          %row = arith.addi %r0, %r : index
          %logit = vector.transfer_read %logits[%r, %none], %zero {in_bounds = [true]} : !few__scores, !few__logits
          %max_of_row = tensor.extract %max_next[%row] : !few__row
          %max_everywhere = vector.broadcast %max_of_row : f32 to !few__logits
          %below = arith.subf %logit, %max_everywhere : !few__logits
          %weight_least = arith.constant dense<-127.0> : !few__logits
          %weight_is_low = arith.cmpf olt, %below, %weight_least : !few__logits
          %weight_power = arith.select %weight_is_low, %weight_least, %below
            : !few__logit_flags, !few__logits
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %weight_rounder = arith.constant dense<12583039.0> : !few__logits
          %weight_rounded = arith.addf %weight_power, %weight_rounder : !few__logits
          %weight_whole = arith.subf %weight_rounded, %weight_rounder : !few__logits
          %weight_left = arith.subf %weight_power, %weight_whole : !few__logits
          %weight_p0 = arith.constant dense<0.0013264727200922393> : !few__logits
          %weight_term1 = arith.constant dense<0.009671512659844018> : !few__logits
          %weight_p1 = math.fma %weight_p0, %weight_left,
            %weight_term1 : !few__logits
          %weight_term2 = arith.constant dense<0.05550733743430322> : !few__logits
          %weight_p2 = math.fma %weight_p1, %weight_left,
            %weight_term2 : !few__logits
          %weight_term3 = arith.constant dense<0.24022242085060824> : !few__logits
          %weight_p3 = math.fma %weight_p2, %weight_left,
            %weight_term3 : !few__logits
          %weight_term4 = arith.constant dense<0.6931469775989539> : !few__logits
          %weight_p4 = math.fma %weight_p3, %weight_left,
            %weight_term4 : !few__logits
          %weight_term5 = arith.constant dense<1.0> : !few__logits
          %weight_p5 = math.fma %weight_p4, %weight_left,
            %weight_term5 : !few__logits
          %weight_number = arith.bitcast %weight_rounded : !few__logits to !few__logit_bits
          %weight_place = arith.constant dense<23> : !few__logit_bits
          %weight_shifted = arith.shli %weight_number, %weight_place : !few__logit_bits
          %weight_scale = arith.bitcast %weight_shifted : !few__logit_bits to !few__logits
          %weight = arith.mulf %weight_p5, %weight_scale
            : !few__logits
          %weight_sum_lanes0 = vector.extract_strided_slice %weight
            offsets = [0], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_lanes1 = vector.extract_strided_slice %weight
            offsets = [16], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !few__logits to !few__lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !few__lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !few__lanes_f32
          %weight_sum = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
            : !few__lanes_f32
          %sums_after = vector.transfer_write %weight_sum, %sums_before[%r, %none] {in_bounds = [true]}
            : !few__lanes_f32, !few__row_lanes
          %weights_after = vector.transfer_write %weight, %weights_before[%r, %none] {in_bounds = [true]}
            : !few__logits, !few__weights
          scf.yield %weights_after, %sums_after : !few__weights, !few__row_lanes
        }
        %sums_of_rows = vector.transfer_read %weight_sums[%none, %none], %zero {in_bounds = [true, true]}
          : !few__row_lanes, !few__block_rows0
        %sum_of_step_0 = vector.extract %sums_of_rows[0] : !few__block_register16 from !few__block_rows0
        %sum_of_step_1 = vector.extract %sums_of_rows[1] : !few__block_register16 from !few__block_rows0
        %sum_of_step_2 = vector.extract %sums_of_rows[2] : !few__block_register16 from !few__block_rows0
        %sum_of_step_3 = vector.extract %sums_of_rows[3] : !few__block_register16 from !few__block_rows0
        %sum_of_step_evens4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds4 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_4 = arith.addf
          %sum_of_step_evens4, %sum_of_step_odds4 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds5 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_5 = arith.addf
          %sum_of_step_evens5, %sum_of_step_odds5 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !few__block_register16, !few__block_register16
        %sum_of_step_odds6 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !few__block_register16, !few__block_register16
        %sum_of_step_6 = arith.addf
          %sum_of_step_evens6, %sum_of_step_odds6 fastmath<reassoc> : !few__block_register16
        %sum_of_step_evens7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [0, 1, 2, 3, 8, 9, 10, 11] : !few__block_register16, !few__block_register16
        %sum_of_step_odds7 = vector.shuffle
          %sum_of_step_6, %sum_of_step_6
          [4, 5, 6, 7, 12, 13, 14, 15] : !few__block_register16, !few__block_register16
        %sum_of_step_7 = arith.addf
          %sum_of_step_evens7, %sum_of_step_odds7 fastmath<reassoc> : !few__block_register8
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [0, 1, 2, 3] : !few__block_register8, !few__block_register8
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_7, %sum_of_step_7
          [4, 5, 6, 7] : !few__block_register8, !few__block_register8
        %sum_of_step = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !few__block_register4
        %sum_before = vector.transfer_read %sum[%r0], %zero {in_bounds = [true]} : !few__row, !few__block_numbers
        %sum_now = math.fma %sum_before, %factor, %sum_of_step : !few__block_numbers
        %sum_next = vector.transfer_write %sum_now, %sum[%r0] {in_bounds = [true]} : !few__block_numbers, !few__row
          %acc_next = scf.for %v = %none to %block_rows step %value_rows iter_args(%acc_of_rows = %acc)
            -> !few__acc {
            %first_row = arith.addi %r0, %v : index
            %acc_of_columns = scf.for %n = %none to %value_columns step %value_block
              iter_args(%before = %acc_of_rows) -> !few__acc {
              %old = vector.transfer_read %before[%first_row, %n], %zero {in_bounds = [true, true]}
                : !few__acc, !few__value_block
              %factor_of_rows = vector.transfer_read %factors[%v], %zero
                {permutation_map = #few__of_element, in_bounds = [true, true]} : !few__factors, !few__value_block
              %shrunk = arith.mulf %old, %factor_of_rows : !few__value_block
              %sums = scf.for %number = %first_run to %end_run step %one
                iter_args(%before_run = %shrunk) -> !few__value_block {
          %run_key = affine.apply affine_map<(r) -> (r * 16)>(%number)
          %next_run_key = affine.min
            affine_map<(t, e) -> (t + 32, (e - 1) floordiv 16 * 16)>
            (%run_key, %end)
          %run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%run_key)
          %run_block_i32 = tensor.extract %block_table[%b, %run_page]
            : !few__block_table
          %run_block = arith.index_cast %run_block_i32 : i32 to index
          %run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %run_key)
          %next_run_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%next_run_key)
          %next_run_block_i32 = tensor.extract %block_table[%b, %next_run_page]
            : !few__block_table
          %next_run_block = arith.index_cast %next_run_block_i32 : i32 to index
          %next_run_begin = affine.apply
            affine_map<(r, t) -> (r - t mod 16)>(%run_key, %next_run_key)
                %run_from = affine.max
                  affine_map<(r, t, f) -> ((r - t) floordiv 1, f)>
                  (%run_key, %t0, %from)
                %run_to = affine.min
                  affine_map<(r, t, e) -> ((r + 16 - t) floordiv 1, e)>
                  (%run_key, %t0, %to)
              %of_run = scf.for %j = %run_from to %run_to step %one iter_args(%so_far = %before_run)
                -> !few__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #few__of_row, in_bounds = [true, true]} : !few__weights, !few__value_block
                %next_column = affine.apply
                  affine_map<(n, v)
                  -> (n + v floordiv 4 * 32)>(%n, %v)
        %t = arith.addi %t0, %j : index
        %t_slot = affine.apply affine_map<(t, b)
          -> (t - b)>(%t, %run_begin)
        %t_block = arith.addi %run_block, %none : index
        %value_row = vector.transfer_read
          %key_cache[%t_block, %kv_head, %t_slot, %n], %padding
          {in_bounds = [true]} : !few__key_cache, !few__given_value
                %right = vector.broadcast %value_row : !few__value_row to !few__value_block
                %more = vector.fma %left, %right, %so_far : !few__value_block
                scf.yield %more : !few__value_block
              }
                scf.yield %of_run : !few__value_block
              }
              %after = vector.transfer_write %sums, %before[%first_row, %n] {in_bounds = [true, true]}
                : !few__value_block, !few__acc
              scf.yield %after : !few__acc
            }
            scf.yield %acc_of_columns : !few__acc
          }
          scf.yield %acc_next, %max_next, %sum_next : !few__acc, !few__row, !few__row
        } else {
          scf.yield %acc, %max, %sum : !few__acc, !few__row, !few__row
        }
        scf.yield %acc_of_block, %max_of_block, %sum_of_block : !few__acc, !few__row, !few__row
      }
      scf.yield %acc_of_step, %max_of_all, %sum_of_all : !few__acc, !few__row, !few__row
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %acc_end into %part_acc_all[%x, %i, %rows_begin, %none] [1, 1, %rows, 32] [1, 1, 1, 1] : !few__acc into !few__part_acc
      tensor.parallel_insert_slice %max_end into %part_max_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1] : !few__row into !few__part_max
      tensor.parallel_insert_slice %sum_end into %part_sum_all[%x, %i, %rows_begin] [1, 1, %rows] [1, 1, 1] : !few__row into !few__part_max
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %part_acc_out,
      offsets = [0, 0, 0, 0], sizes = [1, 1, 128, 32], strides = [1, 1, 1, 1]
      : tensor<1x1x128x32xf32> -> !few__part_acc_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %part_max_out,
      offsets = [0, 0, 0], sizes = [1, 1, 128], strides = [1, 1, 1]
      : tensor<1x1x128xf32> -> !few__part_max_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %part_sum_out,
      offsets = [0, 0, 0], sizes = [1, 1, 128], strides = [1, 1, 1]
      : tensor<1x1x128xf32> -> !few__part_sum_out
    return
  }
  }
}
flow.executable private @few_output_kernel {
  flow.executable.export public @few_output_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @few_output_kernel(
      %part_acc_in: !few__part_acc_to_merge,
      %part_max_in: !few__part_max_to_merge,
      %part_sum_in: !few__part_sum_to_merge,
      %cu_seqlens_q_in: !few__cu_seqlens_q_to_merge,
      %context_lens_in: !few__context_lens_to_merge,
      %output_of_many_in: !few__output_of_many_to_merge
    ) {
    %part_acc = iree_tensor_ext.dispatch.tensor.load %part_acc_in,
      offsets = [0, 0, 0, 0], sizes = [1, 1, 128, 32], strides = [1, 1, 1, 1]
      : !few__part_acc_to_merge -> tensor<1x1x128x32xf32>
    %part_max = iree_tensor_ext.dispatch.tensor.load %part_max_in,
      offsets = [0, 0, 0], sizes = [1, 1, 128], strides = [1, 1, 1]
      : !few__part_max_to_merge -> tensor<1x1x128xf32>
    %part_sum = iree_tensor_ext.dispatch.tensor.load %part_sum_in,
      offsets = [0, 0, 0], sizes = [1, 1, 128], strides = [1, 1, 1]
      : !few__part_sum_to_merge -> tensor<1x1x128xf32>
    %cu_seqlens_q = iree_tensor_ext.dispatch.tensor.load %cu_seqlens_q_in,
      offsets = [0], sizes = [5], strides = [1]
      : !few__cu_seqlens_q_to_merge -> tensor<5xi32>
    %context_lens = iree_tensor_ext.dispatch.tensor.load %context_lens_in,
      offsets = [0], sizes = [4], strides = [1]
      : !few__context_lens_to_merge -> tensor<4xi32>
    %output_of_many = iree_tensor_ext.dispatch.tensor.load %output_of_many_in,
      offsets = [0, 0, 0], sizes = [40, 4, 32], strides = [1, 1, 1]
      : !few__output_of_many_to_merge -> tensor<40x4x32xf32>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 40 : index
    %tile_heads = arith.constant 4 : index
    %tile_rows = arith.constant 4 : index
    %block_rows = arith.constant 4 : index
    %score_block = arith.constant 64 : index
    %scored_keys = arith.constant 4 : index
    %value_rows = arith.constant 4 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 32 : index
    %sequences = arith.constant 4 : index
    %heads = arith.constant 1 : index
    %packed = arith.constant 4 : index
    %q_tokens = arith.constant 40 : index
    %keys_of_axis = arith.constant 64 : index
    %few = arith.constant 8 : index
    %parts = arith.constant 1 : index
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %few)
        shared_outs(%output_all = %output_of_many) -> (tensor<40x4x32xf32>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    %first_query = arith.constant 0 : index
    %q_start_i32 = tensor.extract %cu_seqlens_q[%b] : !few__cu_seqlens_q
    %q_start = arith.index_cast %q_start_i32 : i32 to index
    %next_sequence = affine.apply affine_map<(b) -> (b + 1)>(%b)
    %q_end_i32 = tensor.extract %cu_seqlens_q[%next_sequence] : !few__cu_seqlens_q
    %q_end = arith.index_cast %q_end_i32 : i32 to index
    %q_count = arith.subi %q_end, %q_start : index
    %is_few = arith.cmpi sle, %q_count, %few : index
    %q_len = arith.select %is_few, %q_count, %none : index
    %last_query = affine.apply affine_map<(n) -> (n - 1)>(%q_len)
    %rows_begin = affine.min
      affine_map<(q, b) -> (q * 4, b * (8 * 4))>
      (%q_start, %b)
    %context_len_i32 = tensor.extract %context_lens[%b] : !few__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 8)>(%first_query)
    %tile_end_query = arith.minsi %queries_end, %q_len : index
    %tile_end_is_real = arith.cmpi slt, %first_query, %tile_end_query : index
    %tile_end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%tile_end_query, %first_position, %context_len)
    %tile_end = arith.select %tile_end_is_real, %tile_end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %first_step = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
    %first_part = affine.apply affine_map<(t) -> (t floordiv 1024)>(%first_step)
    %end_part = affine.apply affine_map<(t) -> (t ceildiv 1024)>(%tile_end)
    %is_query = arith.cmpi slt, %i, %q_len : index
    %queries_here = arith.select %is_query, %one, %none : index
    %rows = arith.select %is_query, %tile_rows, %none : index
    %first_token = arith.addi %q_start, %i : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %no_values = arith.constant dense<0.0> : !few__value_block
    %acc_empty = tensor.empty() : !few__acc_of_query
    %acc_start = scf.for %r = %none to %rows step %value_rows iter_args(%rows_before = %acc_empty)
      -> !few__acc_of_query {
      %filled = scf.for %n = %none to %value_columns step %value_block iter_args(%before = %rows_before)
        -> !few__acc_of_query {
        %after = vector.transfer_write %no_values, %before[%r, %n] {in_bounds = [true, true]}
          : !few__value_block, !few__acc_of_query
        scf.yield %after : !few__acc_of_query
      }
      scf.yield %filled : !few__acc_of_query
    }
    %max_empty = tensor.empty() : !few__row_of_query
    %sum_empty = tensor.empty() : !few__row_of_query
    %max_start, %sum_start = scf.for %r = %none to %rows step %one
        iter_args(%max_before = %max_empty, %sum_before = %sum_empty) -> (!few__row_of_query, !few__row_of_query) {
      %max_after = tensor.insert %lowest into %max_before[%r] : !few__row_of_query
      %sum_after = tensor.insert %zero into %sum_before[%r] : !few__row_of_query
      scf.yield %max_after, %sum_after : !few__row_of_query, !few__row_of_query
    }
    %acc_end, %max_end, %sum_end = scf.for %part = %first_part to %end_part step %one
        iter_args(%acc_of_parts = %acc_start, %max_of_parts = %max_start, %sum_of_parts = %sum_start)
          -> (!few__acc_of_query, !few__row_of_query, !few__row_of_query) {
      %acc_of_part, %max_of_part, %sum_of_part = scf.for %row = %none to %rows step %one
          iter_args(%acc = %acc_of_parts, %max = %max_of_parts, %sum = %sum_of_parts)
          -> (!few__acc_of_query, !few__row_of_query, !few__row_of_query) {
        %row_of_part = affine.apply
          affine_map<(i, r, f) -> (f + i * 4 + r)>(%i, %row, %rows_begin)
        %max_before = tensor.extract %max[%row] : !few__row_of_query
        %part_row_max = tensor.extract %part_max[%x, %part, %row_of_part] : !few__part_max
        %max_now = arith.maxnumf %max_before, %part_row_max : f32
        %below = arith.subf %max_before, %max_now : f32
          %factor_least = arith.constant -127.0 : f32
          %factor_is_low = arith.cmpf olt, %below, %factor_least : f32
          %factor_power = arith.select %factor_is_low, %factor_least, %below
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %factor_rounder = arith.constant 12583039.0 : f32
          %factor_rounded = arith.addf %factor_power, %factor_rounder : f32
          %factor_whole = arith.subf %factor_rounded, %factor_rounder : f32
          %factor_left = arith.subf %factor_power, %factor_whole : f32
          %factor_p0 = arith.constant 0.0013264727200922393 : f32
          %factor_term1 = arith.constant 0.009671512659844018 : f32
          %factor_p1 = math.fma %factor_p0, %factor_left,
            %factor_term1 : f32
          %factor_term2 = arith.constant 0.05550733743430322 : f32
          %factor_p2 = math.fma %factor_p1, %factor_left,
            %factor_term2 : f32
          %factor_term3 = arith.constant 0.24022242085060824 : f32
          %factor_p3 = math.fma %factor_p2, %factor_left,
            %factor_term3 : f32
          %factor_term4 = arith.constant 0.6931469775989539 : f32
          %factor_p4 = math.fma %factor_p3, %factor_left,
            %factor_term4 : f32
          %factor_term5 = arith.constant 1.0 : f32
          %factor_p5 = math.fma %factor_p4, %factor_left,
            %factor_term5 : f32
          %factor_number = arith.bitcast %factor_rounded : f32 to i32
          %factor_place = arith.constant 23 : i32
          %factor_shifted = arith.shli %factor_number, %factor_place : i32
          %factor_scale = arith.bitcast %factor_shifted : i32 to f32
          %factor = arith.mulf %factor_p5, %factor_scale
            : f32
        %part_below = arith.subf %part_row_max, %max_now : f32
          %part_factor_least = arith.constant -127.0 : f32
          %part_factor_is_low = arith.cmpf olt, %part_below, %part_factor_least : f32
          %part_factor_power = arith.select %part_factor_is_low, %part_factor_least, %part_below
            : i1, f32
          // Added to this, a number is rounded to a whole one: it and f32's bias, 127, are in the
          // lowest bits.
          %part_factor_rounder = arith.constant 12583039.0 : f32
          %part_factor_rounded = arith.addf %part_factor_power, %part_factor_rounder : f32
          %part_factor_whole = arith.subf %part_factor_rounded, %part_factor_rounder : f32
          %part_factor_left = arith.subf %part_factor_power, %part_factor_whole : f32
          %part_factor_p0 = arith.constant 0.0013264727200922393 : f32
          %part_factor_term1 = arith.constant 0.009671512659844018 : f32
          %part_factor_p1 = math.fma %part_factor_p0, %part_factor_left,
            %part_factor_term1 : f32
          %part_factor_term2 = arith.constant 0.05550733743430322 : f32
          %part_factor_p2 = math.fma %part_factor_p1, %part_factor_left,
            %part_factor_term2 : f32
          %part_factor_term3 = arith.constant 0.24022242085060824 : f32
          %part_factor_p3 = math.fma %part_factor_p2, %part_factor_left,
            %part_factor_term3 : f32
          %part_factor_term4 = arith.constant 0.6931469775989539 : f32
          %part_factor_p4 = math.fma %part_factor_p3, %part_factor_left,
            %part_factor_term4 : f32
          %part_factor_term5 = arith.constant 1.0 : f32
          %part_factor_p5 = math.fma %part_factor_p4, %part_factor_left,
            %part_factor_term5 : f32
          %part_factor_number = arith.bitcast %part_factor_rounded : f32 to i32
          %part_factor_place = arith.constant 23 : i32
          %part_factor_shifted = arith.shli %part_factor_number, %part_factor_place : i32
          %part_factor_scale = arith.bitcast %part_factor_shifted : i32 to f32
          %part_factor = arith.mulf %part_factor_p5, %part_factor_scale
            : f32
        %sum_before = tensor.extract %sum[%row] : !few__row_of_query
        %part_row_sum = tensor.extract %part_sum[%x, %part, %row_of_part] : !few__part_max
        %sum_shrunk = arith.mulf %sum_before, %factor : f32
        %sum_now = math.fma %part_row_sum, %part_factor, %sum_shrunk : f32
        %max_after = tensor.insert %max_now into %max[%row] : !few__row_of_query
        %sum_after = tensor.insert %sum_now into %sum[%row] : !few__row_of_query
        %factor_everywhere = vector.broadcast %factor : f32 to !few__acc_row
        %part_factor_everywhere = vector.broadcast %part_factor : f32 to !few__acc_row
        %acc_now = vector.transfer_read %acc[%row, %none], %zero {in_bounds = [true]} : !few__acc_of_query, !few__acc_row
        %part_row_acc = vector.transfer_read %part_acc[%x, %part, %row_of_part, %none], %zero
          {in_bounds = [true]} : !few__part_acc, !few__acc_row
        %acc_shrunk = arith.mulf %acc_now, %factor_everywhere : !few__acc_row
        %acc_sum = vector.fma %part_row_acc, %part_factor_everywhere, %acc_shrunk : !few__acc_row
        %acc_after = vector.transfer_write %acc_sum, %acc[%row, %none] {in_bounds = [true]}
          : !few__acc_row, !few__acc_of_query
        scf.yield %acc_after, %max_after, %sum_after : !few__acc_of_query, !few__row_of_query, !few__row_of_query
      }
      scf.yield %acc_of_part, %max_of_part, %sum_of_part : !few__acc_of_query, !few__row_of_query, !few__row_of_query
    }
    %output_slice = tensor.extract_slice %output_all[%first_token, %first_head, %none] [%queries_here, 4, 32] [1, 1, 1] : !few__output to !few__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !few__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !few__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 1 + m)>(%g, %m)
        %row_sum = tensor.extract %sum_end[%row] : !few__row_of_query
        %weighted = vector.transfer_read %acc_end[%row, %none], %zero {in_bounds = [true]}
          : !few__acc_of_query, !few__output_f32
        %is_empty = arith.cmpf oeq, %row_sum, %zero : f32
        %unit = arith.constant 1.0 : f32
        %inverse = arith.divf %unit, %row_sum : f32
        %inverse_everywhere = vector.broadcast %inverse : f32 to !few__output_f32
        %mean_any = arith.mulf %weighted, %inverse_everywhere : !few__output_f32
        %nothing = arith.constant dense<0.0> : !few__output_f32
        %mean = arith.select %is_empty, %nothing, %mean_any : !few__output_f32

        %after = vector.transfer_write %mean,
          %before[%m, %g, %none] {in_bounds = [true]}
          : !few__output_row, !few__output_slice
        scf.yield %after : !few__output_slice
      }
      scf.yield %of_head : !few__output_slice
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %output_written into %output_all[%first_token, %first_head, %none] [%queries_here, 4, 32] [1, 1, 1]
        : !few__output_slice into !few__output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_of_many_in,
      offsets = [0, 0, 0], sizes = [40, 4, 32], strides = [1, 1, 1]
      : tensor<40x4x32xf32> -> !few__output_of_many_to_merge
    return
  }
  }
}
!attention__query = tensor<40x4x40xf32>
!attention__key = tensor<40x1x40xf32>
!attention__slot_mapping = tensor<40xi32>
!attention__key_cache = tensor<8x1x16x40xf32>
!attention__cu_seqlens_q = tensor<5xi32>
!attention__block_table = tensor<4x4xi32>
!attention__context_lens = tensor<4xi32>
!attention__output = tensor<40x4x32xf32>
!attention__updated_key_cache = tensor<8x1x16x40xf32>

func.func private @attention(%query: !attention__query, %key: !attention__key, %slot_mapping: !attention__slot_mapping, %key_cache: !attention__key_cache, %cu_seqlens_q: !attention__cu_seqlens_q, %block_table: !attention__block_table, %context_lens: !attention__context_lens) -> (!attention__output, !attention__updated_key_cache) {
  %updated_key_cache = call @write(%key, %key_cache, %slot_mapping)
    : (tensor<40x1x40xf32>, tensor<8x1x16x40xf32>, tensor<40xi32>)
    -> (tensor<8x1x16x40xf32>)
  %output_of_many = call @many(%query, %updated_key_cache, %cu_seqlens_q, %block_table, %context_lens)
    : (tensor<40x4x40xf32>, tensor<8x1x16x40xf32>, tensor<5xi32>, tensor<4x4xi32>, tensor<4xi32>)
    -> (tensor<40x4x32xf32>)
  %output = call @few(%query, %updated_key_cache, %cu_seqlens_q, %block_table, %context_lens, %output_of_many)
    : (tensor<40x4x40xf32>, tensor<8x1x16x40xf32>, tensor<5xi32>, tensor<4x4xi32>, tensor<4xi32>, tensor<40x4x32xf32>)
    -> (tensor<40x4x32xf32>)
  return %output, %updated_key_cache
    : !attention__output, !attention__updated_key_cache
}
// heads · weightᵀ, head by head.
// h head, m token, n column of the output, k column of what goes in
!values__heads = tensor<40x4x1x32xf32>
!values__weight = tensor<4x24x32xf32>
!values__projected = tensor<40x4x1x24xf32>
!values__rows_of_heads = tensor<40x4x32xf32>
!values__acc = tensor<40x4x24xf32>
!values__rows = tensor<40x4x24xf32>
#values__x = affine_map<(h, m, n, k) -> (m, h, k)>
#values__weight = affine_map<(h, m, n, k) -> (h, n, k)>
#values__acc = affine_map<(h, m, n, k) -> (m, h, n)>
#values__rows = affine_map<(m, h, n) -> (m, h, n)>

func.func private @values(%heads: !values__heads, %weight: !values__weight) -> !values__projected {
  %rows_of_heads = tensor.collapse_shape %heads [[0], [1, 2], [3]] : !values__heads into !values__rows_of_heads
  %zero = arith.constant 0.0 : f32
  %empty_acc = tensor.empty() : !values__acc
  %start = linalg.fill ins(%zero : f32) outs(%empty_acc : !values__acc) -> !values__acc
  %acc = linalg.generic {
      indexing_maps = [#values__x, #values__weight, #values__acc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]
    } ins(%rows_of_heads, %weight : !values__rows_of_heads, !values__weight) outs(%start : !values__acc) {
  ^bb0(%left: f32, %right: f32, %total: f32):


    %product = arith.mulf %left, %right : f32
    %more = arith.addf %total, %product : f32
    linalg.yield %more : f32
  } -> !values__acc
  %empty = tensor.empty() : !values__rows
  %rows = linalg.generic {
      indexing_maps = [#values__rows, #values__rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc : !values__acc) outs(%empty : !values__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !values__rows
  %projected = tensor.expand_shape %rows [[0], [1, 2], [3]] output_shape [40, 4, 1, 24] : !values__rows into !values__projected
  return %projected : !values__projected
}
// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!projection__attended = tensor<40x4x1x24xf32>
!projection__weight = tensor<128x96xf32>
!projection__output = tensor<40x1x128xf32>
!projection__by_token = tensor<40x1x4x24xf32>
!projection__sequences = tensor<40x96xf32>
!projection__acc = tensor<40x128xf32>
!projection__sums = tensor<40x128xf32>
!projection__depth_given = vector<16xf32>
!projection__depth_lanes = vector<16xf32>
!projection__depth_block = vector<6x4x16xf32>
!projection__depth_part = vector<2x4x16xf32>
!projection__depth_sums = vector<2x4xf32>
!projection__depth_row = vector<4xf32>
!projection__depth_numbers = vector<8xf32>
!projection__depth_rows0 = vector<8x16xf32>
!projection__depth_register8 = vector<8xf32>
!projection__depth_register16 = vector<16xf32>
!projection__sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x96xf32>>
!projection__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x96xf32>>
!projection__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x128xf32>>
#projection__sums = affine_map<(m, n) -> (m, n)>

func.func private @projection(%attended: !projection__attended, %weight: !projection__weight) -> !projection__output {
  %by_token_empty = tensor.empty() : !projection__by_token
  %by_token = linalg.transpose ins(%attended : !projection__attended) outs(%by_token_empty : !projection__by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !projection__by_token into !projection__sequences
  %acc =
    flow.dispatch @projection_acc_kernel::@projection_acc_kernel(
      %sequences, %weight
    ) : (
      tensor<40x96xf32>,
      tensor<128x96xf32>
    ) -> (tensor<40x128xf32>)
  %empty = tensor.empty() : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !projection__sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [40, 1, 128] : !projection__sums into !projection__output
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
      offsets = [0, 0], sizes = [40, 96], strides = [1, 1]
      : !projection__sequences_of_acc -> tensor<40x96xf32>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [128, 96], strides = [1, 1]
      : !projection__weight_of_acc -> tensor<128x96xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 96 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<128x96xf32>
    %empty = tensor.empty() : tensor<40x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 6 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !projection__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 127)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 127)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 127)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 127)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows]
          %m4 = affine.min
            affine_map<(m)[c] -> (m + 4, c - 1)>(%m)[%rows]
          %m5 = affine.min
            affine_map<(m)[c] -> (m + 5, c - 1)>(%m)[%rows]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 6 mod 4
              + 4, 127)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 18)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!projection__depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<128x96xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<128x96xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<128x96xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<128x96xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<128x96xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %sequences[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x96xf32>, !projection__depth_given
            %left1_0 = vector.transfer_read
              %sequences[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x96xf32>, !projection__depth_given
            %left2_0 = vector.transfer_read
              %sequences[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x96xf32>, !projection__depth_given
            %left3_0 = vector.transfer_read
              %sequences[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x96xf32>, !projection__depth_given
            %left4_0 = vector.transfer_read
              %sequences[%m4, %k0], %padding {in_bounds = [true]}
              : tensor<40x96xf32>, !projection__depth_given
            %left5_0 = vector.transfer_read
              %sequences[%m5, %k0], %padding {in_bounds = [true]}
              : tensor<40x96xf32>, !projection__depth_given
            %right0_0 = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<128x96xf32>, !projection__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !projection__depth_lanes from !projection__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !projection__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !projection__depth_lanes into !projection__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !projection__depth_lanes from !projection__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !projection__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !projection__depth_lanes into !projection__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !projection__depth_lanes from !projection__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !projection__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !projection__depth_lanes into !projection__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !projection__depth_lanes from !projection__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !projection__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !projection__depth_lanes into !projection__depth_block
            %old4_0_0 = vector.extract %more_4[4, 0] : !projection__depth_lanes from !projection__depth_block
            %new4_0_0 = vector.fma %left4_0, %right0_0, %old4_0_0 : !projection__depth_lanes
            %more_5 = vector.insert %new4_0_0, %more_4 [4, 0]
              : !projection__depth_lanes into !projection__depth_block
            %old5_0_0 = vector.extract %more_5[5, 0] : !projection__depth_lanes from !projection__depth_block
            %new5_0_0 = vector.fma %left5_0, %right0_0, %old5_0_0 : !projection__depth_lanes
            %more_6 = vector.insert %new5_0_0, %more_5 [5, 0]
              : !projection__depth_lanes into !projection__depth_block
            %right1_0 = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<128x96xf32>, !projection__depth_given
            %old0_1_0 = vector.extract %more_6[0, 1] : !projection__depth_lanes from !projection__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !projection__depth_lanes
            %more_7 = vector.insert %new0_1_0, %more_6 [0, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old1_1_0 = vector.extract %more_7[1, 1] : !projection__depth_lanes from !projection__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !projection__depth_lanes
            %more_8 = vector.insert %new1_1_0, %more_7 [1, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old2_1_0 = vector.extract %more_8[2, 1] : !projection__depth_lanes from !projection__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !projection__depth_lanes
            %more_9 = vector.insert %new2_1_0, %more_8 [2, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old3_1_0 = vector.extract %more_9[3, 1] : !projection__depth_lanes from !projection__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !projection__depth_lanes
            %more_10 = vector.insert %new3_1_0, %more_9 [3, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old4_1_0 = vector.extract %more_10[4, 1] : !projection__depth_lanes from !projection__depth_block
            %new4_1_0 = vector.fma %left4_0, %right1_0, %old4_1_0 : !projection__depth_lanes
            %more_11 = vector.insert %new4_1_0, %more_10 [4, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old5_1_0 = vector.extract %more_11[5, 1] : !projection__depth_lanes from !projection__depth_block
            %new5_1_0 = vector.fma %left5_0, %right1_0, %old5_1_0 : !projection__depth_lanes
            %more_12 = vector.insert %new5_1_0, %more_11 [5, 1]
              : !projection__depth_lanes into !projection__depth_block
            %right2_0 = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<128x96xf32>, !projection__depth_given
            %old0_2_0 = vector.extract %more_12[0, 2] : !projection__depth_lanes from !projection__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !projection__depth_lanes
            %more_13 = vector.insert %new0_2_0, %more_12 [0, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old1_2_0 = vector.extract %more_13[1, 2] : !projection__depth_lanes from !projection__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !projection__depth_lanes
            %more_14 = vector.insert %new1_2_0, %more_13 [1, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old2_2_0 = vector.extract %more_14[2, 2] : !projection__depth_lanes from !projection__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !projection__depth_lanes
            %more_15 = vector.insert %new2_2_0, %more_14 [2, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old3_2_0 = vector.extract %more_15[3, 2] : !projection__depth_lanes from !projection__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !projection__depth_lanes
            %more_16 = vector.insert %new3_2_0, %more_15 [3, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old4_2_0 = vector.extract %more_16[4, 2] : !projection__depth_lanes from !projection__depth_block
            %new4_2_0 = vector.fma %left4_0, %right2_0, %old4_2_0 : !projection__depth_lanes
            %more_17 = vector.insert %new4_2_0, %more_16 [4, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old5_2_0 = vector.extract %more_17[5, 2] : !projection__depth_lanes from !projection__depth_block
            %new5_2_0 = vector.fma %left5_0, %right2_0, %old5_2_0 : !projection__depth_lanes
            %more_18 = vector.insert %new5_2_0, %more_17 [5, 2]
              : !projection__depth_lanes into !projection__depth_block
            %right3_0 = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<128x96xf32>, !projection__depth_given
            %old0_3_0 = vector.extract %more_18[0, 3] : !projection__depth_lanes from !projection__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !projection__depth_lanes
            %more_19 = vector.insert %new0_3_0, %more_18 [0, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old1_3_0 = vector.extract %more_19[1, 3] : !projection__depth_lanes from !projection__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !projection__depth_lanes
            %more_20 = vector.insert %new1_3_0, %more_19 [1, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old2_3_0 = vector.extract %more_20[2, 3] : !projection__depth_lanes from !projection__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !projection__depth_lanes
            %more_21 = vector.insert %new2_3_0, %more_20 [2, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old3_3_0 = vector.extract %more_21[3, 3] : !projection__depth_lanes from !projection__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !projection__depth_lanes
            %more_22 = vector.insert %new3_3_0, %more_21 [3, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old4_3_0 = vector.extract %more_22[4, 3] : !projection__depth_lanes from !projection__depth_block
            %new4_3_0 = vector.fma %left4_0, %right3_0, %old4_3_0 : !projection__depth_lanes
            %more_23 = vector.insert %new4_3_0, %more_22 [4, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old5_3_0 = vector.extract %more_23[5, 3] : !projection__depth_lanes from !projection__depth_block
            %new5_3_0 = vector.fma %left5_0, %right3_0, %old5_3_0 : !projection__depth_lanes
            %more = vector.insert %new5_3_0, %more_23 [5, 3]
              : !projection__depth_lanes into !projection__depth_block
            scf.yield %more : !projection__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
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
          %row1 = vector.extract %sums0[1] : !projection__depth_row from !projection__depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [2], strides = [1]
            : !projection__depth_block to !projection__depth_part
          %registers2 = vector.shape_cast %part2 : !projection__depth_part to !projection__depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_4 = vector.extract %registers2[4] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_5 = vector.extract %registers2[5] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_6 = vector.extract %registers2[6] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_7 = vector.extract %registers2[7] : !projection__depth_register16 from !projection__depth_rows0
        %numbers2_evens8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_8 = arith.addf
          %numbers2_evens8, %numbers2_odds8 fastmath<none> : !projection__depth_register16
        %numbers2_evens9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_9 = arith.addf
          %numbers2_evens9, %numbers2_odds9 fastmath<none> : !projection__depth_register16
        %numbers2_evens10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_10 = arith.addf
          %numbers2_evens10, %numbers2_odds10 fastmath<none> : !projection__depth_register16
        %numbers2_evens11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_11 = arith.addf
          %numbers2_evens11, %numbers2_odds11 fastmath<none> : !projection__depth_register16
        %numbers2_evens12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_12 = arith.addf
          %numbers2_evens12, %numbers2_odds12 fastmath<none> : !projection__depth_register16
        %numbers2_evens13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_13 = arith.addf
          %numbers2_evens13, %numbers2_odds13 fastmath<none> : !projection__depth_register16
        %numbers2_evens14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers2_14 = arith.addf
          %numbers2_evens14, %numbers2_odds14 fastmath<none> : !projection__depth_register16
        %numbers2_evens15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !projection__depth_register16, !projection__depth_register16
        %numbers2_odds15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !projection__depth_register16, !projection__depth_register16
        %numbers2 = arith.addf
          %numbers2_evens15, %numbers2_odds15 fastmath<none> : !projection__depth_register8
          %sums2 = vector.shape_cast %numbers2 : !projection__depth_numbers to !projection__depth_sums
          %row2 = vector.extract %sums2[0] : !projection__depth_row from !projection__depth_sums
          %row3 = vector.extract %sums2[1] : !projection__depth_row from !projection__depth_sums
          %part4 = vector.extract_strided_slice %block
            offsets = [4], sizes = [2], strides = [1]
            : !projection__depth_block to !projection__depth_part
          %registers4 = vector.shape_cast %part4 : !projection__depth_part to !projection__depth_rows0
        %numbers4_0 = vector.extract %registers4[0] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_1 = vector.extract %registers4[1] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_2 = vector.extract %registers4[2] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_3 = vector.extract %registers4[3] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_4 = vector.extract %registers4[4] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_5 = vector.extract %registers4[5] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_6 = vector.extract %registers4[6] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_7 = vector.extract %registers4[7] : !projection__depth_register16 from !projection__depth_rows0
        %numbers4_evens8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_8 = arith.addf
          %numbers4_evens8, %numbers4_odds8 fastmath<none> : !projection__depth_register16
        %numbers4_evens9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_9 = arith.addf
          %numbers4_evens9, %numbers4_odds9 fastmath<none> : !projection__depth_register16
        %numbers4_evens10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_10 = arith.addf
          %numbers4_evens10, %numbers4_odds10 fastmath<none> : !projection__depth_register16
        %numbers4_evens11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_11 = arith.addf
          %numbers4_evens11, %numbers4_odds11 fastmath<none> : !projection__depth_register16
        %numbers4_evens12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_12 = arith.addf
          %numbers4_evens12, %numbers4_odds12 fastmath<none> : !projection__depth_register16
        %numbers4_evens13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_13 = arith.addf
          %numbers4_evens13, %numbers4_odds13 fastmath<none> : !projection__depth_register16
        %numbers4_evens14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers4_14 = arith.addf
          %numbers4_evens14, %numbers4_odds14 fastmath<none> : !projection__depth_register16
        %numbers4_evens15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !projection__depth_register16, !projection__depth_register16
        %numbers4_odds15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !projection__depth_register16, !projection__depth_register16
        %numbers4 = arith.addf
          %numbers4_evens15, %numbers4_odds15 fastmath<none> : !projection__depth_register8
          %sums4 = vector.shape_cast %numbers4 : !projection__depth_numbers to !projection__depth_sums
          %row4 = vector.extract %sums4[0] : !projection__depth_row from !projection__depth_sums
          %row5 = vector.extract %sums4[1] : !projection__depth_row from !projection__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<40x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<40x128xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<40x128xf32>
          %after_4 = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<40x128xf32>
          %after_5 = vector.transfer_write %row4, %after_4[%m4, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<40x128xf32>
          %after = vector.transfer_write %row5, %after_5[%m5, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<40x128xf32>
          scf.yield %after : tensor<40x128xf32>
        }
        scf.yield %of_rows : tensor<40x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 128] [1, 1]
          : tensor<40x128xf32> into tensor<40x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : tensor<40x128xf32> -> !projection__acc_out
    return
  }
  }
}
// down(silu(gate(hidden)) * up(hidden)), each of them x · weightᵀ.
// Gate and up are products of their own, each with what is done to it.
// m token, n column of a product, k column of what is multiplied
!mlp__hidden = tensor<40x1x128xf32>
!mlp__gate_up_weight = tensor<384x128xf32>
!mlp__down_weight = tensor<128x192xf32>
!mlp__output = tensor<40x1x128xf32>
!mlp__tokens = tensor<40x128xf32>
!mlp__gate = tensor<40x192xf32>
!mlp__active = tensor<40x192xf32>
!mlp__up = tensor<40x192xf32>
!mlp__inner = tensor<40x192xf32>
!mlp__down = tensor<40x128xf32>
!mlp__rows = tensor<40x128xf32>
!mlp__depth_given = vector<16xf32>
!mlp__depth_lanes = vector<16xf32>
!mlp__depth_block = vector<6x4x16xf32>
!mlp__depth_part = vector<2x4x16xf32>
!mlp__depth_sums = vector<2x4xf32>
!mlp__depth_row = vector<4xf32>
!mlp__depth_numbers = vector<8xf32>
!mlp__depth_rows0 = vector<8x16xf32>
!mlp__depth_register8 = vector<8xf32>
!mlp__depth_register16 = vector<16xf32>
!mlp__tokens_of_gate = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x128xf32>>
!mlp__gate_up_weight_of_gate = !iree_tensor_ext.dispatch.tensor<readonly:tensor<384x128xf32>>
!mlp__gate_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x192xf32>>
!mlp__tokens_of_up = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x128xf32>>
!mlp__gate_up_weight_of_up = !iree_tensor_ext.dispatch.tensor<readonly:tensor<384x128xf32>>
!mlp__up_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x192xf32>>
!mlp__inner_of_down = !iree_tensor_ext.dispatch.tensor<readonly:tensor<40x192xf32>>
!mlp__down_weight_of_down = !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x192xf32>>
!mlp__down_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<40x128xf32>>
#mlp__rows = affine_map<(m, n) -> (m, n)>

func.func private @mlp(%hidden: !mlp__hidden, %gate_up_weight: !mlp__gate_up_weight, %down_weight: !mlp__down_weight) -> !mlp__output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !mlp__hidden into !mlp__tokens
  %gate =
    flow.dispatch @mlp_gate_kernel::@mlp_gate_kernel(
      %tokens, %gate_up_weight
    ) : (
      tensor<40x128xf32>,
      tensor<384x128xf32>
    ) -> (tensor<40x192xf32>)
  %empty_active = tensor.empty() : !mlp__active
  %active = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%gate : !mlp__gate) outs(%empty_active : !mlp__active) {
  ^bb0(%sum: f32, %unused: f32):
    %one = arith.constant 1.0 : f32
    %negated = arith.negf %sum : f32
    %exponential = math.exp %negated : f32
    %divisor = arith.addf %exponential, %one : f32
    %active = arith.divf %sum, %divisor : f32

    linalg.yield %active : f32
  } -> !mlp__active
  // Before the barrier: else sums of the gate would go through memory in f32.
  %open = iree_tensor_ext.compute_barrier.start %active : !mlp__active -> !mlp__active
  %up =
    flow.dispatch @mlp_up_kernel::@mlp_up_kernel(
      %tokens, %gate_up_weight
    ) : (
      tensor<40x128xf32>,
      tensor<384x128xf32>
    ) -> (tensor<40x192xf32>)
  %empty_inner = tensor.empty() : !mlp__inner
  %inner = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%up, %open : !mlp__up, !mlp__active) outs(%empty_inner : !mlp__inner) {
  ^bb0(%sum: f32, %factor: f32, %unused: f32):

    %gated = arith.mulf %sum, %factor : f32

    linalg.yield %gated : f32
  } -> !mlp__inner
  %down =
    flow.dispatch @mlp_down_kernel::@mlp_down_kernel(
      %inner, %down_weight
    ) : (
      tensor<40x192xf32>,
      tensor<128x192xf32>
    ) -> (tensor<40x128xf32>)
  %empty_rows = tensor.empty() : !mlp__rows
  %rows = linalg.generic {
      indexing_maps = [#mlp__rows, #mlp__rows], iterator_types = ["parallel", "parallel"]
    } ins(%down : !mlp__down) outs(%empty_rows : !mlp__rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !mlp__rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [40, 1, 128]
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
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : !mlp__tokens_of_gate -> tensor<40x128xf32>
    %gate_up_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_weight_in,
      offsets = [0, 0], sizes = [384, 128], strides = [1, 1]
      : !mlp__gate_up_weight_of_gate -> tensor<384x128xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 128 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 192 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<384x128xf32>
    %empty = tensor.empty() : tensor<40x192xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x192xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 6 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x192xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x192xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows]
          %m4 = affine.min
            affine_map<(m)[c] -> (m + 4, c - 1)>(%m)[%rows]
          %m5 = affine.min
            affine_map<(m)[c] -> (m + 5, c - 1)>(%m)[%rows]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 6 mod 4
              + 4, 383)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 18)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!mlp__depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<384x128xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<384x128xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<384x128xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<384x128xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<384x128xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left1_0 = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left2_0 = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left3_0 = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left4_0 = vector.transfer_read
              %tokens[%m4, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left5_0 = vector.transfer_read
              %tokens[%m5, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %right0_0 = vector.transfer_read
              %gate_up_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !mlp__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !mlp__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !mlp__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !mlp__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_0_0 = vector.extract %more_4[4, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new4_0_0 = vector.fma %left4_0, %right0_0, %old4_0_0 : !mlp__depth_lanes
            %more_5 = vector.insert %new4_0_0, %more_4 [4, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_0_0 = vector.extract %more_5[5, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new5_0_0 = vector.fma %left5_0, %right0_0, %old5_0_0 : !mlp__depth_lanes
            %more_6 = vector.insert %new5_0_0, %more_5 [5, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %right1_0 = vector.transfer_read
              %gate_up_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_1_0 = vector.extract %more_6[0, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !mlp__depth_lanes
            %more_7 = vector.insert %new0_1_0, %more_6 [0, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_1_0 = vector.extract %more_7[1, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !mlp__depth_lanes
            %more_8 = vector.insert %new1_1_0, %more_7 [1, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_1_0 = vector.extract %more_8[2, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !mlp__depth_lanes
            %more_9 = vector.insert %new2_1_0, %more_8 [2, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_1_0 = vector.extract %more_9[3, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !mlp__depth_lanes
            %more_10 = vector.insert %new3_1_0, %more_9 [3, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_1_0 = vector.extract %more_10[4, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new4_1_0 = vector.fma %left4_0, %right1_0, %old4_1_0 : !mlp__depth_lanes
            %more_11 = vector.insert %new4_1_0, %more_10 [4, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_1_0 = vector.extract %more_11[5, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new5_1_0 = vector.fma %left5_0, %right1_0, %old5_1_0 : !mlp__depth_lanes
            %more_12 = vector.insert %new5_1_0, %more_11 [5, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %right2_0 = vector.transfer_read
              %gate_up_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_2_0 = vector.extract %more_12[0, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !mlp__depth_lanes
            %more_13 = vector.insert %new0_2_0, %more_12 [0, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_2_0 = vector.extract %more_13[1, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !mlp__depth_lanes
            %more_14 = vector.insert %new1_2_0, %more_13 [1, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_2_0 = vector.extract %more_14[2, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !mlp__depth_lanes
            %more_15 = vector.insert %new2_2_0, %more_14 [2, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_2_0 = vector.extract %more_15[3, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !mlp__depth_lanes
            %more_16 = vector.insert %new3_2_0, %more_15 [3, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_2_0 = vector.extract %more_16[4, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new4_2_0 = vector.fma %left4_0, %right2_0, %old4_2_0 : !mlp__depth_lanes
            %more_17 = vector.insert %new4_2_0, %more_16 [4, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_2_0 = vector.extract %more_17[5, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new5_2_0 = vector.fma %left5_0, %right2_0, %old5_2_0 : !mlp__depth_lanes
            %more_18 = vector.insert %new5_2_0, %more_17 [5, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %right3_0 = vector.transfer_read
              %gate_up_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_3_0 = vector.extract %more_18[0, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !mlp__depth_lanes
            %more_19 = vector.insert %new0_3_0, %more_18 [0, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_3_0 = vector.extract %more_19[1, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !mlp__depth_lanes
            %more_20 = vector.insert %new1_3_0, %more_19 [1, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_3_0 = vector.extract %more_20[2, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !mlp__depth_lanes
            %more_21 = vector.insert %new2_3_0, %more_20 [2, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_3_0 = vector.extract %more_21[3, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !mlp__depth_lanes
            %more_22 = vector.insert %new3_3_0, %more_21 [3, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_3_0 = vector.extract %more_22[4, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new4_3_0 = vector.fma %left4_0, %right3_0, %old4_3_0 : !mlp__depth_lanes
            %more_23 = vector.insert %new4_3_0, %more_22 [4, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_3_0 = vector.extract %more_23[5, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new5_3_0 = vector.fma %left5_0, %right3_0, %old5_3_0 : !mlp__depth_lanes
            %more = vector.insert %new5_3_0, %more_23 [5, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            scf.yield %more : !mlp__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
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
          %row1 = vector.extract %sums0[1] : !mlp__depth_row from !mlp__depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [2], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers2 = vector.shape_cast %part2 : !mlp__depth_part to !mlp__depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_4 = vector.extract %registers2[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_5 = vector.extract %registers2[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_6 = vector.extract %registers2[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_7 = vector.extract %registers2[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_evens8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_8 = arith.addf
          %numbers2_evens8, %numbers2_odds8 fastmath<none> : !mlp__depth_register16
        %numbers2_evens9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_9 = arith.addf
          %numbers2_evens9, %numbers2_odds9 fastmath<none> : !mlp__depth_register16
        %numbers2_evens10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_10 = arith.addf
          %numbers2_evens10, %numbers2_odds10 fastmath<none> : !mlp__depth_register16
        %numbers2_evens11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_11 = arith.addf
          %numbers2_evens11, %numbers2_odds11 fastmath<none> : !mlp__depth_register16
        %numbers2_evens12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_12 = arith.addf
          %numbers2_evens12, %numbers2_odds12 fastmath<none> : !mlp__depth_register16
        %numbers2_evens13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_13 = arith.addf
          %numbers2_evens13, %numbers2_odds13 fastmath<none> : !mlp__depth_register16
        %numbers2_evens14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_14 = arith.addf
          %numbers2_evens14, %numbers2_odds14 fastmath<none> : !mlp__depth_register16
        %numbers2_evens15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2 = arith.addf
          %numbers2_evens15, %numbers2_odds15 fastmath<none> : !mlp__depth_register8
          %sums2 = vector.shape_cast %numbers2 : !mlp__depth_numbers to !mlp__depth_sums
          %row2 = vector.extract %sums2[0] : !mlp__depth_row from !mlp__depth_sums
          %row3 = vector.extract %sums2[1] : !mlp__depth_row from !mlp__depth_sums
          %part4 = vector.extract_strided_slice %block
            offsets = [4], sizes = [2], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers4 = vector.shape_cast %part4 : !mlp__depth_part to !mlp__depth_rows0
        %numbers4_0 = vector.extract %registers4[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_1 = vector.extract %registers4[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_2 = vector.extract %registers4[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_3 = vector.extract %registers4[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_4 = vector.extract %registers4[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_5 = vector.extract %registers4[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_6 = vector.extract %registers4[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_7 = vector.extract %registers4[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_evens8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_8 = arith.addf
          %numbers4_evens8, %numbers4_odds8 fastmath<none> : !mlp__depth_register16
        %numbers4_evens9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_9 = arith.addf
          %numbers4_evens9, %numbers4_odds9 fastmath<none> : !mlp__depth_register16
        %numbers4_evens10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_10 = arith.addf
          %numbers4_evens10, %numbers4_odds10 fastmath<none> : !mlp__depth_register16
        %numbers4_evens11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_11 = arith.addf
          %numbers4_evens11, %numbers4_odds11 fastmath<none> : !mlp__depth_register16
        %numbers4_evens12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_12 = arith.addf
          %numbers4_evens12, %numbers4_odds12 fastmath<none> : !mlp__depth_register16
        %numbers4_evens13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_13 = arith.addf
          %numbers4_evens13, %numbers4_odds13 fastmath<none> : !mlp__depth_register16
        %numbers4_evens14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_14 = arith.addf
          %numbers4_evens14, %numbers4_odds14 fastmath<none> : !mlp__depth_register16
        %numbers4_evens15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4 = arith.addf
          %numbers4_evens15, %numbers4_odds15 fastmath<none> : !mlp__depth_register8
          %sums4 = vector.shape_cast %numbers4 : !mlp__depth_numbers to !mlp__depth_sums
          %row4 = vector.extract %sums4[0] : !mlp__depth_row from !mlp__depth_sums
          %row5 = vector.extract %sums4[1] : !mlp__depth_row from !mlp__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_4 = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_5 = vector.transfer_write %row4, %after_4[%m4, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after = vector.transfer_write %row5, %after_5[%m5, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          scf.yield %after : tensor<40x192xf32>
        }
        scf.yield %of_rows : tensor<40x192xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 192] [1, 1]
          : tensor<40x192xf32> into tensor<40x192xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %gate_out,
      offsets = [0, 0], sizes = [40, 192], strides = [1, 1]
      : tensor<40x192xf32> -> !mlp__gate_out
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
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : !mlp__tokens_of_up -> tensor<40x128xf32>
    %gate_up_weight = iree_tensor_ext.dispatch.tensor.load %gate_up_weight_in,
      offsets = [0, 0], sizes = [384, 128], strides = [1, 1]
      : !mlp__gate_up_weight_of_up -> tensor<384x128xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 128 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 192 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<384x128xf32>
    %empty = tensor.empty() : tensor<40x192xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x192xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 6 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x192xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x192xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows]
          %m4 = affine.min
            affine_map<(m)[c] -> (m + 4, c - 1)>(%m)[%rows]
          %m5 = affine.min
            affine_map<(m)[c] -> (m + 5, c - 1)>(%m)[%rows]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 6 mod 4
              + 4, 383)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 18)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!mlp__depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<384x128xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<384x128xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<384x128xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<384x128xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<384x128xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %tokens[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left1_0 = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left2_0 = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left3_0 = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left4_0 = vector.transfer_read
              %tokens[%m4, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %left5_0 = vector.transfer_read
              %tokens[%m5, %k0], %padding {in_bounds = [true]}
              : tensor<40x128xf32>, !mlp__depth_given
            %right0_0 = vector.transfer_read
              %gate_up_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !mlp__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !mlp__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !mlp__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !mlp__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_0_0 = vector.extract %more_4[4, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new4_0_0 = vector.fma %left4_0, %right0_0, %old4_0_0 : !mlp__depth_lanes
            %more_5 = vector.insert %new4_0_0, %more_4 [4, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_0_0 = vector.extract %more_5[5, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new5_0_0 = vector.fma %left5_0, %right0_0, %old5_0_0 : !mlp__depth_lanes
            %more_6 = vector.insert %new5_0_0, %more_5 [5, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %right1_0 = vector.transfer_read
              %gate_up_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_1_0 = vector.extract %more_6[0, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !mlp__depth_lanes
            %more_7 = vector.insert %new0_1_0, %more_6 [0, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_1_0 = vector.extract %more_7[1, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !mlp__depth_lanes
            %more_8 = vector.insert %new1_1_0, %more_7 [1, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_1_0 = vector.extract %more_8[2, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !mlp__depth_lanes
            %more_9 = vector.insert %new2_1_0, %more_8 [2, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_1_0 = vector.extract %more_9[3, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !mlp__depth_lanes
            %more_10 = vector.insert %new3_1_0, %more_9 [3, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_1_0 = vector.extract %more_10[4, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new4_1_0 = vector.fma %left4_0, %right1_0, %old4_1_0 : !mlp__depth_lanes
            %more_11 = vector.insert %new4_1_0, %more_10 [4, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_1_0 = vector.extract %more_11[5, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new5_1_0 = vector.fma %left5_0, %right1_0, %old5_1_0 : !mlp__depth_lanes
            %more_12 = vector.insert %new5_1_0, %more_11 [5, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %right2_0 = vector.transfer_read
              %gate_up_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_2_0 = vector.extract %more_12[0, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !mlp__depth_lanes
            %more_13 = vector.insert %new0_2_0, %more_12 [0, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_2_0 = vector.extract %more_13[1, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !mlp__depth_lanes
            %more_14 = vector.insert %new1_2_0, %more_13 [1, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_2_0 = vector.extract %more_14[2, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !mlp__depth_lanes
            %more_15 = vector.insert %new2_2_0, %more_14 [2, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_2_0 = vector.extract %more_15[3, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !mlp__depth_lanes
            %more_16 = vector.insert %new3_2_0, %more_15 [3, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_2_0 = vector.extract %more_16[4, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new4_2_0 = vector.fma %left4_0, %right2_0, %old4_2_0 : !mlp__depth_lanes
            %more_17 = vector.insert %new4_2_0, %more_16 [4, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_2_0 = vector.extract %more_17[5, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new5_2_0 = vector.fma %left5_0, %right2_0, %old5_2_0 : !mlp__depth_lanes
            %more_18 = vector.insert %new5_2_0, %more_17 [5, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %right3_0 = vector.transfer_read
              %gate_up_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<384x128xf32>, !mlp__depth_given
            %old0_3_0 = vector.extract %more_18[0, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !mlp__depth_lanes
            %more_19 = vector.insert %new0_3_0, %more_18 [0, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_3_0 = vector.extract %more_19[1, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !mlp__depth_lanes
            %more_20 = vector.insert %new1_3_0, %more_19 [1, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_3_0 = vector.extract %more_20[2, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !mlp__depth_lanes
            %more_21 = vector.insert %new2_3_0, %more_20 [2, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_3_0 = vector.extract %more_21[3, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !mlp__depth_lanes
            %more_22 = vector.insert %new3_3_0, %more_21 [3, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_3_0 = vector.extract %more_22[4, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new4_3_0 = vector.fma %left4_0, %right3_0, %old4_3_0 : !mlp__depth_lanes
            %more_23 = vector.insert %new4_3_0, %more_22 [4, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_3_0 = vector.extract %more_23[5, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new5_3_0 = vector.fma %left5_0, %right3_0, %old5_3_0 : !mlp__depth_lanes
            %more = vector.insert %new5_3_0, %more_23 [5, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            scf.yield %more : !mlp__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
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
          %row1 = vector.extract %sums0[1] : !mlp__depth_row from !mlp__depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [2], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers2 = vector.shape_cast %part2 : !mlp__depth_part to !mlp__depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_4 = vector.extract %registers2[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_5 = vector.extract %registers2[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_6 = vector.extract %registers2[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_7 = vector.extract %registers2[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_evens8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_8 = arith.addf
          %numbers2_evens8, %numbers2_odds8 fastmath<none> : !mlp__depth_register16
        %numbers2_evens9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_9 = arith.addf
          %numbers2_evens9, %numbers2_odds9 fastmath<none> : !mlp__depth_register16
        %numbers2_evens10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_10 = arith.addf
          %numbers2_evens10, %numbers2_odds10 fastmath<none> : !mlp__depth_register16
        %numbers2_evens11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_11 = arith.addf
          %numbers2_evens11, %numbers2_odds11 fastmath<none> : !mlp__depth_register16
        %numbers2_evens12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_12 = arith.addf
          %numbers2_evens12, %numbers2_odds12 fastmath<none> : !mlp__depth_register16
        %numbers2_evens13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_13 = arith.addf
          %numbers2_evens13, %numbers2_odds13 fastmath<none> : !mlp__depth_register16
        %numbers2_evens14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_14 = arith.addf
          %numbers2_evens14, %numbers2_odds14 fastmath<none> : !mlp__depth_register16
        %numbers2_evens15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2 = arith.addf
          %numbers2_evens15, %numbers2_odds15 fastmath<none> : !mlp__depth_register8
          %sums2 = vector.shape_cast %numbers2 : !mlp__depth_numbers to !mlp__depth_sums
          %row2 = vector.extract %sums2[0] : !mlp__depth_row from !mlp__depth_sums
          %row3 = vector.extract %sums2[1] : !mlp__depth_row from !mlp__depth_sums
          %part4 = vector.extract_strided_slice %block
            offsets = [4], sizes = [2], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers4 = vector.shape_cast %part4 : !mlp__depth_part to !mlp__depth_rows0
        %numbers4_0 = vector.extract %registers4[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_1 = vector.extract %registers4[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_2 = vector.extract %registers4[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_3 = vector.extract %registers4[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_4 = vector.extract %registers4[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_5 = vector.extract %registers4[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_6 = vector.extract %registers4[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_7 = vector.extract %registers4[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_evens8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_8 = arith.addf
          %numbers4_evens8, %numbers4_odds8 fastmath<none> : !mlp__depth_register16
        %numbers4_evens9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_9 = arith.addf
          %numbers4_evens9, %numbers4_odds9 fastmath<none> : !mlp__depth_register16
        %numbers4_evens10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_10 = arith.addf
          %numbers4_evens10, %numbers4_odds10 fastmath<none> : !mlp__depth_register16
        %numbers4_evens11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_11 = arith.addf
          %numbers4_evens11, %numbers4_odds11 fastmath<none> : !mlp__depth_register16
        %numbers4_evens12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_12 = arith.addf
          %numbers4_evens12, %numbers4_odds12 fastmath<none> : !mlp__depth_register16
        %numbers4_evens13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_13 = arith.addf
          %numbers4_evens13, %numbers4_odds13 fastmath<none> : !mlp__depth_register16
        %numbers4_evens14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_14 = arith.addf
          %numbers4_evens14, %numbers4_odds14 fastmath<none> : !mlp__depth_register16
        %numbers4_evens15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4 = arith.addf
          %numbers4_evens15, %numbers4_odds15 fastmath<none> : !mlp__depth_register8
          %sums4 = vector.shape_cast %numbers4 : !mlp__depth_numbers to !mlp__depth_sums
          %row4 = vector.extract %sums4[0] : !mlp__depth_row from !mlp__depth_sums
          %row5 = vector.extract %sums4[1] : !mlp__depth_row from !mlp__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_4 = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after_5 = vector.transfer_write %row4, %after_4[%m4, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          %after = vector.transfer_write %row5, %after_5[%m5, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x192xf32>
          scf.yield %after : tensor<40x192xf32>
        }
        scf.yield %of_rows : tensor<40x192xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 192] [1, 1]
          : tensor<40x192xf32> into tensor<40x192xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %up_out,
      offsets = [0, 0], sizes = [40, 192], strides = [1, 1]
      : tensor<40x192xf32> -> !mlp__up_out
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
      offsets = [0, 0], sizes = [40, 192], strides = [1, 1]
      : !mlp__inner_of_down -> tensor<40x192xf32>
    %down_weight = iree_tensor_ext.dispatch.tensor.load %down_weight_in,
      offsets = [0, 0], sizes = [128, 192], strides = [1, 1]
      : !mlp__down_weight_of_down -> tensor<128x192xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 192 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %rows = arith.constant 40 : index
    %padding = arith.constant 0.0 : f32
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 30)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<128x192xf32>
    %empty = tensor.empty() : tensor<40x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<40x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 30)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 30, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 6 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<40x128xf32>) {
        %no_sums = arith.constant dense<0.0> : !mlp__depth_block
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 127)>(%n)[%column_step]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 127)>(%n)[%column_step]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 127)>(%n)[%column_step]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 127)>(%n)[%column_step]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<40x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows]
          %m4 = affine.min
            affine_map<(m)[c] -> (m + 4, c - 1)>(%m)[%rows]
          %m5 = affine.min
            affine_map<(m)[c] -> (m + 5, c - 1)>(%m)[%rows]
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 6 mod 4
              + 4, 127)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 18)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!mlp__depth_block) {
            scf.if %fetches_all {
              memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
                : memref<128x192xf32>
              memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
                : memref<128x192xf32>
              memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
                : memref<128x192xf32>
              memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
                : memref<128x192xf32>
            } else {
              memref.prefetch %weight_memory[%next_row, %k], read, locality<2>, data
                : memref<128x192xf32>
            }
            %k0 = affine.apply affine_map<(k) -> (k + 0)>(%k)
            %left0_0 = vector.transfer_read
              %inner[%m0, %k0], %padding {in_bounds = [true]}
              : tensor<40x192xf32>, !mlp__depth_given
            %left1_0 = vector.transfer_read
              %inner[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<40x192xf32>, !mlp__depth_given
            %left2_0 = vector.transfer_read
              %inner[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<40x192xf32>, !mlp__depth_given
            %left3_0 = vector.transfer_read
              %inner[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<40x192xf32>, !mlp__depth_given
            %left4_0 = vector.transfer_read
              %inner[%m4, %k0], %padding {in_bounds = [true]}
              : tensor<40x192xf32>, !mlp__depth_given
            %left5_0 = vector.transfer_read
              %inner[%m5, %k0], %padding {in_bounds = [true]}
              : tensor<40x192xf32>, !mlp__depth_given
            %right0_0 = vector.transfer_read
              %down_weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<128x192xf32>, !mlp__depth_given
            %old0_0_0 = vector.extract %so_far[0, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !mlp__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !mlp__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !mlp__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !mlp__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_0_0 = vector.extract %more_4[4, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new4_0_0 = vector.fma %left4_0, %right0_0, %old4_0_0 : !mlp__depth_lanes
            %more_5 = vector.insert %new4_0_0, %more_4 [4, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_0_0 = vector.extract %more_5[5, 0] : !mlp__depth_lanes from !mlp__depth_block
            %new5_0_0 = vector.fma %left5_0, %right0_0, %old5_0_0 : !mlp__depth_lanes
            %more_6 = vector.insert %new5_0_0, %more_5 [5, 0]
              : !mlp__depth_lanes into !mlp__depth_block
            %right1_0 = vector.transfer_read
              %down_weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<128x192xf32>, !mlp__depth_given
            %old0_1_0 = vector.extract %more_6[0, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !mlp__depth_lanes
            %more_7 = vector.insert %new0_1_0, %more_6 [0, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_1_0 = vector.extract %more_7[1, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !mlp__depth_lanes
            %more_8 = vector.insert %new1_1_0, %more_7 [1, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_1_0 = vector.extract %more_8[2, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !mlp__depth_lanes
            %more_9 = vector.insert %new2_1_0, %more_8 [2, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_1_0 = vector.extract %more_9[3, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !mlp__depth_lanes
            %more_10 = vector.insert %new3_1_0, %more_9 [3, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_1_0 = vector.extract %more_10[4, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new4_1_0 = vector.fma %left4_0, %right1_0, %old4_1_0 : !mlp__depth_lanes
            %more_11 = vector.insert %new4_1_0, %more_10 [4, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_1_0 = vector.extract %more_11[5, 1] : !mlp__depth_lanes from !mlp__depth_block
            %new5_1_0 = vector.fma %left5_0, %right1_0, %old5_1_0 : !mlp__depth_lanes
            %more_12 = vector.insert %new5_1_0, %more_11 [5, 1]
              : !mlp__depth_lanes into !mlp__depth_block
            %right2_0 = vector.transfer_read
              %down_weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<128x192xf32>, !mlp__depth_given
            %old0_2_0 = vector.extract %more_12[0, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !mlp__depth_lanes
            %more_13 = vector.insert %new0_2_0, %more_12 [0, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_2_0 = vector.extract %more_13[1, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !mlp__depth_lanes
            %more_14 = vector.insert %new1_2_0, %more_13 [1, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_2_0 = vector.extract %more_14[2, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !mlp__depth_lanes
            %more_15 = vector.insert %new2_2_0, %more_14 [2, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_2_0 = vector.extract %more_15[3, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !mlp__depth_lanes
            %more_16 = vector.insert %new3_2_0, %more_15 [3, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_2_0 = vector.extract %more_16[4, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new4_2_0 = vector.fma %left4_0, %right2_0, %old4_2_0 : !mlp__depth_lanes
            %more_17 = vector.insert %new4_2_0, %more_16 [4, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_2_0 = vector.extract %more_17[5, 2] : !mlp__depth_lanes from !mlp__depth_block
            %new5_2_0 = vector.fma %left5_0, %right2_0, %old5_2_0 : !mlp__depth_lanes
            %more_18 = vector.insert %new5_2_0, %more_17 [5, 2]
              : !mlp__depth_lanes into !mlp__depth_block
            %right3_0 = vector.transfer_read
              %down_weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<128x192xf32>, !mlp__depth_given
            %old0_3_0 = vector.extract %more_18[0, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !mlp__depth_lanes
            %more_19 = vector.insert %new0_3_0, %more_18 [0, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old1_3_0 = vector.extract %more_19[1, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !mlp__depth_lanes
            %more_20 = vector.insert %new1_3_0, %more_19 [1, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old2_3_0 = vector.extract %more_20[2, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !mlp__depth_lanes
            %more_21 = vector.insert %new2_3_0, %more_20 [2, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old3_3_0 = vector.extract %more_21[3, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !mlp__depth_lanes
            %more_22 = vector.insert %new3_3_0, %more_21 [3, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old4_3_0 = vector.extract %more_22[4, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new4_3_0 = vector.fma %left4_0, %right3_0, %old4_3_0 : !mlp__depth_lanes
            %more_23 = vector.insert %new4_3_0, %more_22 [4, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            %old5_3_0 = vector.extract %more_23[5, 3] : !mlp__depth_lanes from !mlp__depth_block
            %new5_3_0 = vector.fma %left5_0, %right3_0, %old5_3_0 : !mlp__depth_lanes
            %more = vector.insert %new5_3_0, %more_23 [5, 3]
              : !mlp__depth_lanes into !mlp__depth_block
            scf.yield %more : !mlp__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [2], strides = [1]
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
          %row1 = vector.extract %sums0[1] : !mlp__depth_row from !mlp__depth_sums
          %part2 = vector.extract_strided_slice %block
            offsets = [2], sizes = [2], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers2 = vector.shape_cast %part2 : !mlp__depth_part to !mlp__depth_rows0
        %numbers2_0 = vector.extract %registers2[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_1 = vector.extract %registers2[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_2 = vector.extract %registers2[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_3 = vector.extract %registers2[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_4 = vector.extract %registers2[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_5 = vector.extract %registers2[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_6 = vector.extract %registers2[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_7 = vector.extract %registers2[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers2_evens8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds8 = vector.shuffle
          %numbers2_0, %numbers2_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_8 = arith.addf
          %numbers2_evens8, %numbers2_odds8 fastmath<none> : !mlp__depth_register16
        %numbers2_evens9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds9 = vector.shuffle
          %numbers2_2, %numbers2_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_9 = arith.addf
          %numbers2_evens9, %numbers2_odds9 fastmath<none> : !mlp__depth_register16
        %numbers2_evens10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds10 = vector.shuffle
          %numbers2_4, %numbers2_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_10 = arith.addf
          %numbers2_evens10, %numbers2_odds10 fastmath<none> : !mlp__depth_register16
        %numbers2_evens11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds11 = vector.shuffle
          %numbers2_6, %numbers2_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_11 = arith.addf
          %numbers2_evens11, %numbers2_odds11 fastmath<none> : !mlp__depth_register16
        %numbers2_evens12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds12 = vector.shuffle
          %numbers2_8, %numbers2_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_12 = arith.addf
          %numbers2_evens12, %numbers2_odds12 fastmath<none> : !mlp__depth_register16
        %numbers2_evens13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds13 = vector.shuffle
          %numbers2_10, %numbers2_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_13 = arith.addf
          %numbers2_evens13, %numbers2_odds13 fastmath<none> : !mlp__depth_register16
        %numbers2_evens14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds14 = vector.shuffle
          %numbers2_12, %numbers2_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_14 = arith.addf
          %numbers2_evens14, %numbers2_odds14 fastmath<none> : !mlp__depth_register16
        %numbers2_evens15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2_odds15 = vector.shuffle
          %numbers2_14, %numbers2_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers2 = arith.addf
          %numbers2_evens15, %numbers2_odds15 fastmath<none> : !mlp__depth_register8
          %sums2 = vector.shape_cast %numbers2 : !mlp__depth_numbers to !mlp__depth_sums
          %row2 = vector.extract %sums2[0] : !mlp__depth_row from !mlp__depth_sums
          %row3 = vector.extract %sums2[1] : !mlp__depth_row from !mlp__depth_sums
          %part4 = vector.extract_strided_slice %block
            offsets = [4], sizes = [2], strides = [1]
            : !mlp__depth_block to !mlp__depth_part
          %registers4 = vector.shape_cast %part4 : !mlp__depth_part to !mlp__depth_rows0
        %numbers4_0 = vector.extract %registers4[0] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_1 = vector.extract %registers4[1] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_2 = vector.extract %registers4[2] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_3 = vector.extract %registers4[3] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_4 = vector.extract %registers4[4] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_5 = vector.extract %registers4[5] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_6 = vector.extract %registers4[6] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_7 = vector.extract %registers4[7] : !mlp__depth_register16 from !mlp__depth_rows0
        %numbers4_evens8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds8 = vector.shuffle
          %numbers4_0, %numbers4_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_8 = arith.addf
          %numbers4_evens8, %numbers4_odds8 fastmath<none> : !mlp__depth_register16
        %numbers4_evens9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds9 = vector.shuffle
          %numbers4_2, %numbers4_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_9 = arith.addf
          %numbers4_evens9, %numbers4_odds9 fastmath<none> : !mlp__depth_register16
        %numbers4_evens10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds10 = vector.shuffle
          %numbers4_4, %numbers4_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_10 = arith.addf
          %numbers4_evens10, %numbers4_odds10 fastmath<none> : !mlp__depth_register16
        %numbers4_evens11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds11 = vector.shuffle
          %numbers4_6, %numbers4_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_11 = arith.addf
          %numbers4_evens11, %numbers4_odds11 fastmath<none> : !mlp__depth_register16
        %numbers4_evens12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds12 = vector.shuffle
          %numbers4_8, %numbers4_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_12 = arith.addf
          %numbers4_evens12, %numbers4_odds12 fastmath<none> : !mlp__depth_register16
        %numbers4_evens13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds13 = vector.shuffle
          %numbers4_10, %numbers4_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_13 = arith.addf
          %numbers4_evens13, %numbers4_odds13 fastmath<none> : !mlp__depth_register16
        %numbers4_evens14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds14 = vector.shuffle
          %numbers4_12, %numbers4_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_14 = arith.addf
          %numbers4_evens14, %numbers4_odds14 fastmath<none> : !mlp__depth_register16
        %numbers4_evens15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4_odds15 = vector.shuffle
          %numbers4_14, %numbers4_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !mlp__depth_register16, !mlp__depth_register16
        %numbers4 = arith.addf
          %numbers4_evens15, %numbers4_odds15 fastmath<none> : !mlp__depth_register8
          %sums4 = vector.shape_cast %numbers4 : !mlp__depth_numbers to !mlp__depth_sums
          %row4 = vector.extract %sums4[0] : !mlp__depth_row from !mlp__depth_sums
          %row5 = vector.extract %sums4[1] : !mlp__depth_row from !mlp__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x128xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x128xf32>
          %after_4 = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x128xf32>
          %after_5 = vector.transfer_write %row4, %after_4[%m4, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x128xf32>
          %after = vector.transfer_write %row5, %after_5[%m5, %n]
            {in_bounds = [true]} : !mlp__depth_row, tensor<40x128xf32>
          scf.yield %after : tensor<40x128xf32>
        }
        scf.yield %of_rows : tensor<40x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [40, 128] [1, 1]
          : tensor<40x128xf32> into tensor<40x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %down_out,
      offsets = [0, 0], sizes = [40, 128], strides = [1, 1]
      : tensor<40x128xf32> -> !mlp__down_out
    return
  }
  }
}
!hidden = tensor<40x128xf32>
!norm_weight = tensor<128xf32>
!query_down_weight = tensor<24x128xf32>
!query_down_norm_weight = tensor<24xf32>
!query_weight = tensor<96x24xf32>
!key_weight = tensor<4x32x16xf32>
!latent_weight = tensor<40x128xf32>
!latent_norm_weight = tensor<32xf32>
!value_weight = tensor<4x24x32xf32>
!positions = tensor<40xi32>
!slot_mapping = tensor<40xi32>
!key_cache = tensor<8x1x16x40xf32>
!cu_seqlens_q = tensor<5xi32>
!block_table = tensor<4x4xi32>
!context_lens = tensor<4xi32>
!output_weight = tensor<128x96xf32>
!mlp_norm_weight = tensor<128xf32>
!gate_up_weight = tensor<384x128xf32>
!down_weight = tensor<128x192xf32>
!output = tensor<40x128xf32>
!updated_key_cache = tensor<8x1x16x40xf32>
!tokens = tensor<40x1x128xf32>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden: !hidden, %norm_weight: !norm_weight, %query_down_weight: !query_down_weight, %query_down_norm_weight: !query_down_norm_weight, %query_weight: !query_weight, %key_weight: !key_weight, %latent_weight: !latent_weight, %latent_norm_weight: !latent_norm_weight, %value_weight: !value_weight, %positions: !positions, %slot_mapping: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %cu_seqlens_q: !cu_seqlens_q, %block_table: !block_table, %context_lens: !context_lens, %output_weight: !output_weight, %mlp_norm_weight: !mlp_norm_weight, %gate_up_weight: !gate_up_weight, %down_weight: !down_weight) -> (!output, !updated_key_cache) {
  %tokens = tensor.expand_shape %hidden [[0, 1], [2]] output_shape [40, 1, 128] : tensor<40x128xf32> into tensor<40x1x128xf32>
  %rows_of_normed = tensor.collapse_shape %tokens [[0, 1], [2]] : tensor<40x1x128xf32> into tensor<40x128xf32>
  %normed_rows_of_normed = call @norm(%rows_of_normed, %norm_weight) : (tensor<40x128xf32>, tensor<128xf32>) -> (tensor<40x128xf32>)
  %normed = tensor.expand_shape %normed_rows_of_normed [[0, 1], [2]] output_shape [40, 1, 128] : tensor<40x128xf32> into tensor<40x1x128xf32>
  %positions_of_tokens = tensor.expand_shape %positions [[0, 1]] output_shape [40, 1] : tensor<40xi32> into tensor<40x1xi32>
  %made:2 = call @latent_projection(%normed, %query_down_weight, %query_down_norm_weight, %query_weight, %key_weight, %latent_weight, %latent_norm_weight, %positions_of_tokens) : (tensor<40x1x128xf32>, tensor<24x128xf32>, tensor<24xf32>, tensor<96x24xf32>, tensor<4x32x16xf32>, tensor<40x128xf32>, tensor<32xf32>, tensor<40x1xi32>) -> (tensor<40x4x1x40xf32>, tensor<40x1x1x40xf32>)
  %packed_query = tensor.collapse_shape %made#0 [[0], [1, 2], [3]] : tensor<40x4x1x40xf32> into tensor<40x4x40xf32>
  %packed_key = tensor.collapse_shape %made#1 [[0], [1, 2], [3]] : tensor<40x1x1x40xf32> into tensor<40x1x40xf32>
  // On a CPU, the kernel that writes the cache would compute all new keys in its stack.
  %new_key = util.optimization_barrier %packed_key : tensor<40x1x40xf32>
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %packed_query : tensor<40x4x40xf32> -> tensor<40x4x40xf32>
  %attended:2 = call @attention(%new_query, %new_key, %slot_mapping, %key_cache, %cu_seqlens_q, %block_table, %context_lens) : (tensor<40x4x40xf32>, tensor<40x1x40xf32>, tensor<40xi32>, tensor<8x1x16x40xf32>, tensor<5xi32>, tensor<4x4xi32>, tensor<4xi32>) -> (tensor<40x4x32xf32>, tensor<8x1x16x40xf32>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<40x4x32xf32> -> tensor<40x4x32xf32>
  %heads_of_tokens = tensor.expand_shape %heads [[0], [1, 2], [3]] output_shape [40, 4, 1, 32] : tensor<40x4x32xf32> into tensor<40x4x1x32xf32>
  %values = call @values(%heads_of_tokens, %value_weight) : (tensor<40x4x1x32xf32>, tensor<4x24x32xf32>) -> (tensor<40x4x1x24xf32>)
  %projected = call @projection(%values, %output_weight) : (tensor<40x4x1x24xf32>, tensor<128x96xf32>) -> (tensor<40x1x128xf32>)
  %empty_between = tensor.empty() : !tokens
  %between = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%tokens, %projected : !tokens, !tokens) outs(%empty_between : !tokens) {
  ^bb0(%residual: f32, %change: f32, %unused: f32):


    %sum = arith.addf %residual, %change : f32

    linalg.yield %sum : f32
  } -> !tokens
  %rows_of_mlp_normed = tensor.collapse_shape %between [[0, 1], [2]] : tensor<40x1x128xf32> into tensor<40x128xf32>
  %normed_rows_of_mlp_normed = call @norm(%rows_of_mlp_normed, %mlp_norm_weight) : (tensor<40x128xf32>, tensor<128xf32>) -> (tensor<40x128xf32>)
  %mlp_normed = tensor.expand_shape %normed_rows_of_mlp_normed [[0, 1], [2]] output_shape [40, 1, 128] : tensor<40x128xf32> into tensor<40x1x128xf32>
  %mlp = call @mlp(%mlp_normed, %gate_up_weight, %down_weight) : (tensor<40x1x128xf32>, tensor<384x128xf32>, tensor<128x192xf32>) -> (tensor<40x1x128xf32>)
  %empty_output = tensor.empty() : !tokens
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%between, %mlp : !tokens, !tokens) outs(%empty_output : !tokens) {
  ^bb0(%residual: f32, %change: f32, %unused: f32):


    %sum = arith.addf %residual, %change : f32

    linalg.yield %sum : f32
  } -> !tokens
  %packed_output = tensor.collapse_shape %output [[0, 1], [2]] : tensor<40x1x128xf32> into tensor<40x128xf32>
  return %packed_output, %attended#1 : !output, !updated_key_cache
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @decoder_layer$async(
    %hidden: !hidden,
    %norm_weight: !norm_weight,
    %query_down_weight: !query_down_weight,
    %query_down_norm_weight: !query_down_norm_weight,
    %query_weight: !query_weight,
    %key_weight: !key_weight,
    %latent_weight: !latent_weight,
    %latent_norm_weight: !latent_norm_weight,
    %value_weight: !value_weight,
    %positions: !positions,
    %slot_mapping: !slot_mapping,
    %key_cache: !key_cache {iree.abi.consume},
    %cu_seqlens_q: !cu_seqlens_q,
    %block_table: !block_table,
    %context_lens: !context_lens,
    %output_weight: !output_weight,
    %mlp_norm_weight: !mlp_norm_weight,
    %gate_up_weight: !gate_up_weight,
    %down_weight: !down_weight
  ) -> (!output, !updated_key_cache) attributes {iree.abi.model = "coarse-fences"} {
  %output, %updated_key_cache = func.call @decoder_layer(%hidden, %norm_weight, %query_down_weight, %query_down_norm_weight, %query_weight, %key_weight, %latent_weight, %latent_norm_weight, %value_weight, %positions, %slot_mapping, %key_cache, %cu_seqlens_q, %block_table, %context_lens, %output_weight, %mlp_norm_weight, %gate_up_weight, %down_weight)
    : (!hidden, !norm_weight, !query_down_weight, !query_down_norm_weight, !query_weight, !key_weight, !latent_weight, !latent_norm_weight, !value_weight, !positions, !slot_mapping, !key_cache, !cu_seqlens_q, !block_table, !context_lens, !output_weight, !mlp_norm_weight, !gate_up_weight, !down_weight) -> (!output, !updated_key_cache)
  util.return %output, %updated_key_cache : !output, !updated_key_cache
}
