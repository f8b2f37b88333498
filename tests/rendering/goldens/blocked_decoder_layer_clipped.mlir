// The attention half of a decoder layer. Its parts are functions, which the compiler inlines.
// x / sqrt(mean(x²) + eps) * (offset + weight), row by row.
// r row, n column
!norm__x = tensor<16x512xf16>
!norm__weight = tensor<512xf16>
!norm__output = tensor<16x512xf16>
!norm__row = tensor<16xf32>
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
// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// h head, m token, n head column, k hidden column
!qkv__hidden = tensor<1x16x512xf16>
!qkv__weight = tensor<768x512xf16>
!qkv__query = tensor<1x8x16x64xf16>
!qkv__key = tensor<1x2x16x64xf16>
!qkv__value = tensor<1x2x16x64xf16>
!qkv__tokens = tensor<16x512xf16>
!qkv__depth_given = vector<16xf16>
!qkv__depth_lanes = vector<16xf32>
!qkv__depth_block = vector<4x4x16xf32>
!qkv__depth_part = vector<4x4x16xf32>
!qkv__depth_sums = vector<4x4xf32>
!qkv__depth_row = vector<4xf32>
!qkv__depth_numbers = vector<16xf32>
!qkv__depth_rows0 = vector<16x16xf32>
!qkv__depth_register16 = vector<16xf32>
!qkv__tokens_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x512xf16>>
!qkv__weight_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf16>>
!qkv__query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x512xf32>>
!qkv__tokens_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x512xf16>>
!qkv__weight_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf16>>
!qkv__key_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x128xf32>>
!qkv__tokens_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x512xf16>>
!qkv__weight_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x512xf16>>
!qkv__value_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x128xf32>>
#qkv__sums = affine_map<(h, m, n) -> (m, h, n)>
#qkv__heads = affine_map<(h, m, n) -> (h, m, n)>

func.func private @qkv(%hidden: !qkv__hidden, %weight: !qkv__weight) -> (!qkv__query, !qkv__key, !qkv__value) {
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !qkv__hidden into !qkv__tokens
  // query: 8 heads from head 0 on
  %query_sums =
    flow.dispatch @qkv_query_sums_kernel::@qkv_query_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<16x512xf16>,
      tensor<768x512xf16>
    ) -> (tensor<16x512xf32>)
  %acc_of_query = tensor.expand_shape %query_sums [[0], [1, 2]] output_shape [16, 8, 64] : tensor<16x512xf32> into tensor<16x8x64xf32>
  %empty_query = tensor.empty() : tensor<8x16x64xf16>
  %grouped_query = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_query : tensor<16x8x64xf32>) outs(%empty_query : tensor<8x16x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<8x16x64xf16>
  %query = tensor.expand_shape %grouped_query [[0, 1], [2], [3]] output_shape [1, 8, 16, 64] : tensor<8x16x64xf16> into !qkv__query
  // key: 2 heads from head 8 on
  %key_sums =
    flow.dispatch @qkv_key_sums_kernel::@qkv_key_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<16x512xf16>,
      tensor<768x512xf16>
    ) -> (tensor<16x128xf32>)
  %acc_of_key = tensor.expand_shape %key_sums [[0], [1, 2]] output_shape [16, 2, 64] : tensor<16x128xf32> into tensor<16x2x64xf32>
  %empty_key = tensor.empty() : tensor<2x16x64xf16>
  %grouped_key = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_key : tensor<16x2x64xf32>) outs(%empty_key : tensor<2x16x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<2x16x64xf16>
  %key = tensor.expand_shape %grouped_key [[0, 1], [2], [3]] output_shape [1, 2, 16, 64] : tensor<2x16x64xf16> into !qkv__key
  // value: 2 heads from head 10 on
  %value_sums =
    flow.dispatch @qkv_value_sums_kernel::@qkv_value_sums_kernel(
      %tokens, %weight
    ) : (
      tensor<16x512xf16>,
      tensor<768x512xf16>
    ) -> (tensor<16x128xf32>)
  %acc_of_value = tensor.expand_shape %value_sums [[0], [1, 2]] output_shape [16, 2, 64] : tensor<16x128xf32> into tensor<16x2x64xf32>
  %empty_value = tensor.empty() : tensor<2x16x64xf16>
  %grouped_value = linalg.generic {
      indexing_maps = [#qkv__sums, #qkv__heads],
      iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc_of_value : tensor<16x2x64xf32>) outs(%empty_value : tensor<2x16x64xf16>) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> tensor<2x16x64xf16>
  %value = tensor.expand_shape %grouped_value [[0, 1], [2], [3]] output_shape [1, 2, 16, 64] : tensor<2x16x64xf16> into !qkv__value
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
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : !qkv__tokens_of_query_sums -> tensor<16x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_query_sums -> tensor<768x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 16 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf16>
    %empty = tensor.empty() : tensor<16x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<16x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<16x512xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<16x512xf32>) {
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
            -> (!qkv__depth_block) {
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
              : tensor<16x512xf16>, !qkv__depth_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left1_0 = arith.extf %left1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left2_0 = arith.extf %left2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left3_0 = arith.extf %left3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !qkv__depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !qkv__depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !qkv__depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !qkv__depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !qkv__depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !qkv__depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !qkv__depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            scf.yield %more : !qkv__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
        %numbers0_8 = vector.extract %registers0[8] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_9 = vector.extract %registers0[9] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_10 = vector.extract %registers0[10] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_11 = vector.extract %registers0[11] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_12 = vector.extract %registers0[12] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_13 = vector.extract %registers0[13] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_14 = vector.extract %registers0[14] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_15 = vector.extract %registers0[15] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !qkv__depth_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !qkv__depth_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !qkv__depth_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !qkv__depth_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !qkv__depth_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !qkv__depth_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !qkv__depth_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !qkv__depth_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !qkv__depth_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !qkv__depth_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !qkv__depth_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !qkv__depth_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !qkv__depth_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !qkv__depth_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !qkv__depth_register16
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_numbers to !qkv__depth_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_row from !qkv__depth_sums
          %row1 = vector.extract %sums0[1] : !qkv__depth_row from !qkv__depth_sums
          %row2 = vector.extract %sums0[2] : !qkv__depth_row from !qkv__depth_sums
          %row3 = vector.extract %sums0[3] : !qkv__depth_row from !qkv__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x512xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x512xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x512xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x512xf32>
          scf.yield %after : tensor<16x512xf32>
        }
        scf.yield %of_rows : tensor<16x512xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [16, 512] [1, 1]
          : tensor<16x512xf32> into tensor<16x512xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %query_sums_out,
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : tensor<16x512xf32> -> !qkv__query_sums_out
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
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : !qkv__tokens_of_key_sums -> tensor<16x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_key_sums -> tensor<768x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %rows = arith.constant 16 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf16>
    %empty = tensor.empty() : tensor<16x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<16x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<16x128xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<16x128xf32>) {
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
            -> (!qkv__depth_block) {
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
              : tensor<16x512xf16>, !qkv__depth_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left1_0 = arith.extf %left1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left2_0 = arith.extf %left2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left3_0 = arith.extf %left3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !qkv__depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !qkv__depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !qkv__depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !qkv__depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !qkv__depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !qkv__depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !qkv__depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            scf.yield %more : !qkv__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
        %numbers0_8 = vector.extract %registers0[8] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_9 = vector.extract %registers0[9] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_10 = vector.extract %registers0[10] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_11 = vector.extract %registers0[11] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_12 = vector.extract %registers0[12] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_13 = vector.extract %registers0[13] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_14 = vector.extract %registers0[14] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_15 = vector.extract %registers0[15] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !qkv__depth_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !qkv__depth_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !qkv__depth_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !qkv__depth_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !qkv__depth_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !qkv__depth_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !qkv__depth_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !qkv__depth_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !qkv__depth_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !qkv__depth_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !qkv__depth_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !qkv__depth_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !qkv__depth_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !qkv__depth_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !qkv__depth_register16
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_numbers to !qkv__depth_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_row from !qkv__depth_sums
          %row1 = vector.extract %sums0[1] : !qkv__depth_row from !qkv__depth_sums
          %row2 = vector.extract %sums0[2] : !qkv__depth_row from !qkv__depth_sums
          %row3 = vector.extract %sums0[3] : !qkv__depth_row from !qkv__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          scf.yield %after : tensor<16x128xf32>
        }
        scf.yield %of_rows : tensor<16x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [16, 128] [1, 1]
          : tensor<16x128xf32> into tensor<16x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %key_sums_out,
      offsets = [0, 0], sizes = [16, 128], strides = [1, 1]
      : tensor<16x128xf32> -> !qkv__key_sums_out
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
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : !qkv__tokens_of_value_sums -> tensor<16x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 512], strides = [1, 1]
      : !qkv__weight_of_value_sums -> tensor<768x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %rows = arith.constant 16 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x512xf16>
    %empty = tensor.empty() : tensor<16x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<16x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<16x128xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<16x128xf32>) {
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
            -> (!qkv__depth_block) {
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
              : tensor<16x512xf16>, !qkv__depth_given
    %left0_0 = arith.extf %left0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left1_0_stored = vector.transfer_read
              %tokens[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left1_0 = arith.extf %left1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left2_0_stored = vector.transfer_read
              %tokens[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left2_0 = arith.extf %left2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %left3_0_stored = vector.transfer_read
              %tokens[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !qkv__depth_given
    %left3_0 = arith.extf %left3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right0_0 = arith.extf %right0_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_0_0 = vector.extract %so_far[0, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new0_0_0 = vector.fma %left0_0, %right0_0, %old0_0_0 : !qkv__depth_lanes
            %more_1 = vector.insert %new0_0_0, %so_far [0, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_0_0 = vector.extract %more_1[1, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new1_0_0 = vector.fma %left1_0, %right0_0, %old1_0_0 : !qkv__depth_lanes
            %more_2 = vector.insert %new1_0_0, %more_1 [1, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_0_0 = vector.extract %more_2[2, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new2_0_0 = vector.fma %left2_0, %right0_0, %old2_0_0 : !qkv__depth_lanes
            %more_3 = vector.insert %new2_0_0, %more_2 [2, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_0_0 = vector.extract %more_3[3, 0] : !qkv__depth_lanes from !qkv__depth_block
            %new3_0_0 = vector.fma %left3_0, %right0_0, %old3_0_0 : !qkv__depth_lanes
            %more_4 = vector.insert %new3_0_0, %more_3 [3, 0]
              : !qkv__depth_lanes into !qkv__depth_block
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right1_0 = arith.extf %right1_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !qkv__depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !qkv__depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !qkv__depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !qkv__depth_lanes from !qkv__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !qkv__depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !qkv__depth_lanes into !qkv__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right2_0 = arith.extf %right2_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !qkv__depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !qkv__depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !qkv__depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !qkv__depth_lanes from !qkv__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !qkv__depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !qkv__depth_lanes into !qkv__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<768x512xf16>, !qkv__depth_given
    %right3_0 = arith.extf %right3_0_stored : !qkv__depth_given to !qkv__depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !qkv__depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !qkv__depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !qkv__depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !qkv__depth_lanes from !qkv__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !qkv__depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !qkv__depth_lanes into !qkv__depth_block
            scf.yield %more : !qkv__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
        %numbers0_8 = vector.extract %registers0[8] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_9 = vector.extract %registers0[9] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_10 = vector.extract %registers0[10] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_11 = vector.extract %registers0[11] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_12 = vector.extract %registers0[12] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_13 = vector.extract %registers0[13] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_14 = vector.extract %registers0[14] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_15 = vector.extract %registers0[15] : !qkv__depth_register16 from !qkv__depth_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !qkv__depth_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !qkv__depth_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !qkv__depth_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !qkv__depth_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !qkv__depth_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !qkv__depth_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !qkv__depth_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !qkv__depth_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !qkv__depth_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !qkv__depth_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !qkv__depth_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !qkv__depth_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !qkv__depth_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !qkv__depth_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !qkv__depth_register16, !qkv__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !qkv__depth_register16
          %sums0 = vector.shape_cast %numbers0 : !qkv__depth_numbers to !qkv__depth_sums
          %row0 = vector.extract %sums0[0] : !qkv__depth_row from !qkv__depth_sums
          %row1 = vector.extract %sums0[1] : !qkv__depth_row from !qkv__depth_sums
          %row2 = vector.extract %sums0[2] : !qkv__depth_row from !qkv__depth_sums
          %row3 = vector.extract %sums0[3] : !qkv__depth_row from !qkv__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !qkv__depth_row, tensor<16x128xf32>
          scf.yield %after : tensor<16x128xf32>
        }
        scf.yield %of_rows : tensor<16x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [16, 128] [1, 1]
          : tensor<16x128xf32> into tensor<16x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %value_sums_out,
      offsets = [0, 0], sizes = [16, 128], strides = [1, 1]
      : tensor<16x128xf32> -> !qkv__value_sums_out
    return
  }
  }
}
// Rotary position embedding: pairs of columns turned by an angle that grows with the position.
// b batch, h head, m token, c chunk of the head, i pair of columns
!rope__turns = tensor<32xi64>
!rope__of_tokens = tensor<1x16x32xf32>
!rope__query = tensor<1x8x16x64xf16>
!rope__key = tensor<1x2x16x64xf16>
!rope__positions = tensor<1x16xi32>
!rope__rotated_query = tensor<1x8x16x64xf16>
!rope__rotated_key = tensor<1x2x16x64xf16>

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
  %low_query = tensor.extract_slice %query[0, 0, 0, 0] [1, 8, 16, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x16x32xf16>
  %high_query = tensor.extract_slice %query[0, 0, 0, 32] [1, 8, 16, 32] [1, 1, 1, 1] : !rope__query to tensor<1x8x16x32xf16>
  %empty_query = tensor.empty() : tensor<1x8x16x2x32xf16>
  %turned_query = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_query, %high_query, %cos_of_tokens, %sin_of_tokens
        : tensor<1x8x16x32xf16>, tensor<1x8x16x32xf16>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_query : tensor<1x8x16x2x32xf16>) {
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
  } -> tensor<1x8x16x2x32xf16>
  %rotated_query = tensor.collapse_shape %turned_query [[0], [1], [2], [3, 4]] : tensor<1x8x16x2x32xf16> into !rope__rotated_query
  %low_key = tensor.extract_slice %key[0, 0, 0, 0] [1, 2, 16, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x16x32xf16>
  %high_key = tensor.extract_slice %key[0, 0, 0, 32] [1, 2, 16, 32] [1, 1, 1, 1] : !rope__key to tensor<1x2x16x32xf16>
  %empty_key = tensor.empty() : tensor<1x2x16x2x32xf16>
  %turned_key = linalg.generic {
      indexing_maps = [
        affine_map<(b, h, m, c, i) -> (b, h, m, i)>, affine_map<(b, h, m, c, i) -> (b, h, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, m, i)>, affine_map<(b, h, m, c, i) -> (b, m, i)>,
        affine_map<(b, h, m, c, i) -> (b, h, m, c, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
    } ins(%low_key, %high_key, %cos_of_tokens, %sin_of_tokens
        : tensor<1x2x16x32xf16>, tensor<1x2x16x32xf16>, !rope__of_tokens, !rope__of_tokens)
      outs(%empty_key : tensor<1x2x16x2x32xf16>) {
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
  } -> tensor<1x2x16x2x32xf16>
  %rotated_key = tensor.collapse_shape %turned_key [[0], [1], [2], [3, 4]] : tensor<1x2x16x2x32xf16> into !rope__rotated_key
  return %rotated_query, %rotated_key : !rope__rotated_query, !rope__rotated_key
}
// Attention as one kernel of many rows.
!attention__query = tensor<1x8x16x64xf16>
!attention__key = tensor<1x2x16x64xf16>
!attention__value = tensor<1x2x16x64xf16>
!attention__slot_mapping = tensor<1x16xi32>
!attention__key_cache = tensor<9x2x16x64xf16>
!attention__value_cache = tensor<9x2x16x64xf16>
!attention__block_table = tensor<1x4xi32>
!attention__context_lens = tensor<1xi32>
!attention__output = tensor<1x8x16x64xf16>
!attention__updated_key_cache = tensor<9x2x16x64xf16>
!attention__updated_value_cache = tensor<9x2x16x64xf16>
!attention__query_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x16x64xf16>>
!attention__key_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf16>>
!attention__value_cache_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<9x2x16x64xf16>>
!attention__block_table_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x4xi32>>
!attention__context_lens_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xi32>>
!attention__output_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8x16x64xf16>>
!attention__output_slice = tensor<4x?x64xf16>
!attention__lse_slice = tensor<4x?xf32>
!attention__queries = tensor<8x64xf32>
!attention__scores = tensor<8x64xf32>
!attention__weights = tensor<8x64xf32>
!attention__factors = tensor<8xf32>
!attention__row_lanes = tensor<8x16xf32>
!attention__acc = tensor<64x64xf32>
!attention__row = tensor<64xf32>
!attention__given_query = vector<64xf16>
!attention__query_row = vector<64xf32>
!attention__given_value = vector<64xf16>
!attention__value_row = vector<64xf32>
!attention__value_block = vector<8x32xf32>
!attention__acc_row = vector<64xf32>
!attention__output_f32 = vector<64xf32>
!attention__output_row = vector<64xf16>
!attention__logits = vector<64xf32>
!attention__logit_bits = vector<64xi32>
!attention__logit_flags = vector<64xi1>
!attention__key_indices = vector<64xindex>
!attention__key_numbers = vector<64xi32>
!attention__lanes_f32 = vector<16xf32>
!attention__block_bits = vector<8xi32>
!attention__block_flags = vector<8xi1>
!attention__block_numbers = vector<8xf32>
!attention__block_rows0 = vector<8x16xf32>
!attention__block_register8 = vector<8xf32>
!attention__block_register16 = vector<16xf32>
#attention__of_row = affine_map<(m, k) -> (m, 0)>
#attention__of_column = affine_map<(k, n) -> (0, n)>
#attention__of_element = affine_map<(m) -> (m, 0)>
!attention__slot_mapping_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x16xi32>>
!attention__key_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x16x64xf16>>
!attention__value_to_write = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x16x64xf16>>
!attention__key_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x2x16x64xf16>>
!attention__value_cache_to_write = !iree_tensor_ext.dispatch.tensor<readwrite:tensor<9x2x16x64xf16>>
!attention__some_of_key = vector<32xf16>
!attention__some_of_value = vector<32xf16>
!attention__keys = tensor<64x64xf32>
!attention__values = tensor<64x64xf32>
!attention__run_rows = tensor<?x64xf16>
!attention__given_run = vector<16x16xf16>
!attention__run = vector<16x16xf32>
!attention__turned_run = vector<16x16xf32>
!attention__half_run = vector<8x16xf32>
!attention__pairs = vector<8x32xf32>
!attention__score_block = vector<8x32xf32>
!attention__score_row = vector<32xf32>
func.func private @attention(%query: !attention__query, %key: !attention__key, %value: !attention__value, %slot_mapping: !attention__slot_mapping, %key_cache: !attention__key_cache, %value_cache: !attention__value_cache, %block_table: !attention__block_table, %context_lens: !attention__context_lens) -> (!attention__output, !attention__updated_key_cache, !attention__updated_value_cache) {
  // New tokens are written into the cache, in its own memory.
  %updated_key_cache, %updated_value_cache =
    flow.dispatch @attention_updated_key_cache_kernel::@attention_updated_key_cache_kernel(
      %slot_mapping, %key, %value, %key_cache, %value_cache
    ) : (
      tensor<1x16xi32>,
      tensor<1x2x16x64xf16>,
      tensor<1x2x16x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<9x2x16x64xf16>
    ) -> (%key_cache, %value_cache)
  %output =
    flow.dispatch @attention_output_kernel::@attention_output_kernel(
      %query, %updated_key_cache, %updated_value_cache, %block_table, %context_lens
    ) : (
      tensor<1x8x16x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<9x2x16x64xf16>,
      tensor<1x4xi32>,
      tensor<1xi32>
    ) -> (tensor<1x8x16x64xf16>)
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
      offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
      : !attention__slot_mapping_to_write -> tensor<1x16xi32>
    %key = iree_tensor_ext.dispatch.tensor.load %key_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__key_to_write -> tensor<1x2x16x64xf16>
    %value = iree_tensor_ext.dispatch.tensor.load %value_in,
      offsets = [0, 0, 0, 0], sizes = [1, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__value_to_write -> tensor<1x2x16x64xf16>
    %key_cache = iree_tensor_ext.dispatch.tensor.load %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__key_cache_to_write -> tensor<9x2x16x64xf16>
    %value_cache = iree_tensor_ext.dispatch.tensor.load %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : !attention__value_cache_to_write -> tensor<9x2x16x64xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %sequences = arith.constant 1 : index
    %tokens = arith.constant 16 : index
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
          %key_moved_unused = arith.constant 0.0 : f16
          %key_moved_columns = arith.constant 64 : index
          %key_moved_step = arith.constant 32 : index
          %key_moved = scf.for %c = %none to %key_moved_columns step %key_moved_step
              iter_args(%so_far = %key_cache_so_far) -> (!attention__key_cache) {
            %some = vector.transfer_read %key[%b, %h, %t, %c], %key_moved_unused
              {in_bounds = [true]} : !attention__key, !attention__some_of_key
            %moved = vector.transfer_write %some, %so_far[%block, %h, %slot_in_block, %c]
              {in_bounds = [true]} : !attention__some_of_key, !attention__key_cache
            scf.yield %moved : !attention__key_cache
          }
          %value_moved_unused = arith.constant 0.0 : f16
          %value_moved_columns = arith.constant 64 : index
          %value_moved_step = arith.constant 32 : index
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
          : tensor<9x2x16x64xf16> into tensor<9x2x16x64xf16>
        tensor.parallel_insert_slice %written#1 into %value_cache_all
          [0, 0, 0, 0] [9, 2, 16, 64] [1, 1, 1, 1]
          : tensor<9x2x16x64xf16> into tensor<9x2x16x64xf16>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %key_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : tensor<9x2x16x64xf16> -> !attention__key_cache_to_write
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %value_cache_in,
      offsets = [0, 0, 0, 0], sizes = [9, 2, 16, 64], strides = [1, 1, 1, 1]
      : tensor<9x2x16x64xf16> -> !attention__value_cache_to_write
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
      %output_out: !attention__output_out
    ) {
    %query = iree_tensor_ext.dispatch.tensor.load %query_in,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 16, 64], strides = [1, 1, 1, 1]
      : !attention__query_in -> tensor<1x8x16x64xf16>
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
    %step = arith.constant 64 : index
    %lanes = arith.constant 16 : index
    %head_steps = arith.constant 64 : index
    %tile_heads = arith.constant 4 : index
    %rows = arith.constant 64 : index
    %block_rows = arith.constant 8 : index
    %score_block = arith.constant 32 : index
    %scored_keys = arith.constant 2 : index
    %value_rows = arith.constant 8 : index
    %value_block = arith.constant 32 : index
    %value_columns = arith.constant 64 : index
    %sequences = arith.constant 1 : index
    %heads = arith.constant 2 : index
    %queries_of_head = arith.constant 16 : index
    %keys_of_axis = arith.constant 64 : index
    %q_len = arith.constant 16 : index
    %tiles = arith.constant 1 : index
    %output_empty = tensor.empty() : tensor<1x8x16x64xf16>
    %workgroups =
      scf.forall (%b, %x, %i) in (%sequences, %heads, %tiles)
        shared_outs(%output_all = %output_empty) -> (tensor<1x8x16x64xf16>) {
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %kv_head = affine.apply affine_map<(x) -> (x floordiv 1)>(%x)
    // The tiles with most keys begin first.
    %first_query = affine.apply affine_map<(i)[n] -> ((n - 1 - i) * 16)>(%i)[%tiles]
    %queries_here = affine.min
      affine_map<(m)[n] -> (n - m, 16)>(%first_query)[%queries_of_head]
    %last_query = affine.apply affine_map<()[n] -> (n - 1)>()[%queries_of_head]
    %context_len_i32 = tensor.extract %context_lens[%b] : !attention__context_lens
    %context_len = arith.index_cast %context_len_i32 : i32 to index
    %first_position = arith.subi %context_len, %q_len : index
    %queries_end = affine.apply affine_map<(m) -> (m + 16)>(%first_query)
    %end_query = arith.minsi %queries_end, %q_len : index
    %end_is_real = arith.cmpi slt, %first_query, %end_query : index
    %end_limit = affine.min
      affine_map<(q, p, n)
      -> (p + q + 0, n)>(%end_query, %first_position, %context_len)
    %end = arith.select %end_is_real, %end_limit, %none : index
    %tile_begin = arith.constant 0 : index
    %begin = affine.apply
      affine_map<(t) -> (t floordiv 64 * 64)>(%tile_begin)
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
    %no_scores = arith.constant dense<0.0> : !attention__score_block
    %acc_end, %max_end, %sum_end = scf.for %t0 = %begin to %end step %step
        iter_args(%acc_before = %acc_start, %max_before_step = %max_start, %sum_before_step = %sum_start)
          -> (!attention__acc, !attention__row, !attention__row) {
      %keys_here = affine.min affine_map<(t, e) -> (e - t, 64)>(%t0, %end)
      %first_run = affine.max
        affine_map<(s, t) -> ((s - t) floordiv 16 * 16, 0)>(%tile_begin, %t0)
      %run_keys = arith.constant 16 : index
      %keys_empty = tensor.empty() : !attention__keys
      %keys = scf.for %j = %first_run to %keys_here step %run_keys iter_args(%of_step = %keys_empty)
        -> !attention__keys {
        %t = arith.addi %t0, %j : index
        %left = affine.min affine_map<(j, n) -> (n - j, 16)>(%j, %keys_here)
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%b, %t_page]
          : !attention__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %run_rows = tensor.extract_slice %key_cache[%t_block, %kv_head, %t_slot, 0]
          [1, 1, %left, 64] [1, 1, 1, 1]
          : !attention__key_cache to !attention__run_rows
        %of_run = scf.for %k = %none to %head_steps step %lanes iter_args(%before = %of_step) -> !attention__keys {
          %column = affine.apply affine_map<(k) -> (k * 1)>(%k)
          %run_stored = vector.transfer_read %run_rows[%none, %column], %padding
            {in_bounds = [false, true]} : !attention__run_rows, !attention__given_run
    %run = arith.extf %run_stored : !attention__given_run to !attention__run
          %first0 = vector.extract_strided_slice %run
            offsets = [0], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %second0 = vector.extract_strided_slice %run
            offsets = [8], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %pairs0 = vector.interleave %first0, %second0
            : !attention__half_run -> !attention__pairs
          %turned_1 = vector.shape_cast %pairs0 : !attention__pairs to !attention__run
          %first1 = vector.extract_strided_slice %turned_1
            offsets = [0], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %second1 = vector.extract_strided_slice %turned_1
            offsets = [8], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %pairs1 = vector.interleave %first1, %second1
            : !attention__half_run -> !attention__pairs
          %turned_2 = vector.shape_cast %pairs1 : !attention__pairs to !attention__run
          %first2 = vector.extract_strided_slice %turned_2
            offsets = [0], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %second2 = vector.extract_strided_slice %turned_2
            offsets = [8], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %pairs2 = vector.interleave %first2, %second2
            : !attention__half_run -> !attention__pairs
          %turned_3 = vector.shape_cast %pairs2 : !attention__pairs to !attention__run
          %first3 = vector.extract_strided_slice %turned_3
            offsets = [0], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %second3 = vector.extract_strided_slice %turned_3
            offsets = [8], sizes = [8], strides = [1] : !attention__run to !attention__half_run
          %pairs3 = vector.interleave %first3, %second3
            : !attention__half_run -> !attention__pairs
          %turned = vector.shape_cast %pairs3 : !attention__pairs to !attention__run
          %after = vector.transfer_write %turned, %before[%k, %j] {in_bounds = [true, true]}
            : !attention__turned_run, !attention__keys
          scf.yield %after : !attention__keys
        }
        scf.yield %of_run : !attention__keys
      }
      %values_empty = tensor.empty() : !attention__values
      %first_seen = affine.max affine_map<(s, t) -> (s - t, 0)>(%tile_begin, %t0)
      %values = scf.for %j = %first_seen
        to %keys_here step %one
        iter_args(%before = %values_empty) -> !attention__values {
        %t = arith.addi %t0, %j : index
        %t_page = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
        %t_slot = affine.apply affine_map<(t)
          -> (t mod 16)>(%t)
        %t_block_i32 = tensor.extract %block_table[%b, %t_page]
          : !attention__block_table
        %t_block = arith.index_cast %t_block_i32 : i32 to index
        %value_row_stored = vector.transfer_read
          %value_cache[%t_block, %kv_head, %t_slot, %none], %padding
          {in_bounds = [true]} : !attention__value_cache, !attention__given_value
    %value_row = arith.extf %value_row_stored : !attention__given_value to !attention__value_row
        %after = vector.transfer_write %value_row, %before[%j, %none] {in_bounds = [true]}
          : !attention__value_row, !attention__values
        scf.yield %after : !attention__values
      }
      %acc_of_step, %max_of_all, %sum_of_all = scf.for %r0 = %none to %rows step %block_rows
          iter_args(%acc = %acc_before, %max = %max_before_step, %sum = %sum_before_step)
            -> (!attention__acc, !attention__row, !attention__row) {
    %block_query = affine.apply affine_map<(r, m) -> (m + r mod 16)>(%r0, %first_query)
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
        %acc_of_block, %max_of_block, %sum_of_block = scf.if %sees -> (!attention__acc, !attention__row, !attention__row) {
    %queries_empty = tensor.empty() : !attention__queries
    %queries = scf.for %r = %none to %block_rows step %one iter_args(%before = %queries_empty) -> !attention__queries {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 16, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 16)>(%row)
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
          %scores_empty = tensor.empty() : !attention__scores
          %scores = scf.for %n = %from_block to %to step %score_block iter_args(%before = %scores_empty)
            -> !attention__scores {
            %sums = scf.for %k = %none to %head_steps step %one iter_args(%so_far = %no_scores)
              -> !attention__score_block {
              %left = vector.transfer_read %queries[%none, %k], %zero
                {permutation_map = #attention__of_row, in_bounds = [true, true]} : !attention__queries, !attention__score_block
              %right = vector.transfer_read %keys[%k, %n], %zero
                {permutation_map = #attention__of_column, in_bounds = [true, true]} : !attention__keys, !attention__score_block
              %more = vector.fma %left, %right, %so_far : !attention__score_block
              scf.yield %more : !attention__score_block
            }
            %after = vector.transfer_write %sums, %before[%none, %n] {in_bounds = [true, true]}
              : !attention__score_block, !attention__scores
            scf.yield %after : !attention__scores
          }
        %hidden = arith.constant dense<0xFF800000> : !attention__logits
        %lanes_empty = tensor.empty() : !attention__row_lanes
        %logits, %tops = scf.for %r = %none to %block_rows step %one
            iter_args(%logits_before = %scores, %tops_before = %lanes_empty) -> (!attention__scores, !attention__row_lanes) {
    %row = arith.addi %r0, %r : index
    %head_of_row = affine.min affine_map<(r) -> (r floordiv 16, 3)>(%row)
    %query_of_row = affine.apply affine_map<(r) -> (r mod 16)>(%row)
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
          %top_lanes2 = vector.extract_strided_slice %logit
            offsets = [32], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %top_lanes3 = vector.extract_strided_slice %logit
            offsets = [48], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %top_1 = arith.maxnumf %top_lanes0, %top_lanes1 fastmath<nnan>
            : !attention__lanes_f32
          %top_2 = arith.maxnumf %top_1, %top_lanes2 fastmath<nnan>
            : !attention__lanes_f32
          %top = arith.maxnumf %top_2, %top_lanes3 fastmath<nnan>
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
        %max_of_step_4 = vector.extract %tops_of_rows[4] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_5 = vector.extract %tops_of_rows[5] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_6 = vector.extract %tops_of_rows[6] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_7 = vector.extract %tops_of_rows[7] : !attention__block_register16 from !attention__block_rows0
        %max_of_step_evens8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds8 = vector.shuffle
          %max_of_step_0, %max_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_8 = arith.maxnumf
          %max_of_step_evens8, %max_of_step_odds8 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds9 = vector.shuffle
          %max_of_step_2, %max_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_9 = arith.maxnumf
          %max_of_step_evens9, %max_of_step_odds9 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds10 = vector.shuffle
          %max_of_step_4, %max_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_10 = arith.maxnumf
          %max_of_step_evens10, %max_of_step_odds10 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds11 = vector.shuffle
          %max_of_step_6, %max_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_11 = arith.maxnumf
          %max_of_step_evens11, %max_of_step_odds11 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds12 = vector.shuffle
          %max_of_step_8, %max_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_12 = arith.maxnumf
          %max_of_step_evens12, %max_of_step_odds12 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds13 = vector.shuffle
          %max_of_step_10, %max_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_13 = arith.maxnumf
          %max_of_step_evens13, %max_of_step_odds13 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds14 = vector.shuffle
          %max_of_step_12, %max_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !attention__block_register16, !attention__block_register16
        %max_of_step_14 = arith.maxnumf
          %max_of_step_evens14, %max_of_step_odds14 fastmath<nnan> : !attention__block_register16
        %max_of_step_evens15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !attention__block_register16, !attention__block_register16
        %max_of_step_odds15 = vector.shuffle
          %max_of_step_14, %max_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !attention__block_register16, !attention__block_register16
        %max_of_step = arith.maxnumf
          %max_of_step_evens15, %max_of_step_odds15 fastmath<nnan> : !attention__block_register8
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
          %weight_sum_lanes2 = vector.extract_strided_slice %weight
            offsets = [32], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %weight_sum_lanes3 = vector.extract_strided_slice %weight
            offsets = [48], sizes = [16], strides = [1]
            : !attention__logits to !attention__lanes_f32
          %weight_sum_1 = arith.addf %weight_sum_lanes0, %weight_sum_lanes1 fastmath<reassoc>
            : !attention__lanes_f32
          %weight_sum_2 = arith.addf %weight_sum_1, %weight_sum_lanes2 fastmath<reassoc>
            : !attention__lanes_f32
          %weight_sum = arith.addf %weight_sum_2, %weight_sum_lanes3 fastmath<reassoc>
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
        %sum_of_step_4 = vector.extract %sums_of_rows[4] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_5 = vector.extract %sums_of_rows[5] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_6 = vector.extract %sums_of_rows[6] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_7 = vector.extract %sums_of_rows[7] : !attention__block_register16 from !attention__block_rows0
        %sum_of_step_evens8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds8 = vector.shuffle
          %sum_of_step_0, %sum_of_step_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_8 = arith.addf
          %sum_of_step_evens8, %sum_of_step_odds8 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds9 = vector.shuffle
          %sum_of_step_2, %sum_of_step_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_9 = arith.addf
          %sum_of_step_evens9, %sum_of_step_odds9 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds10 = vector.shuffle
          %sum_of_step_4, %sum_of_step_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_10 = arith.addf
          %sum_of_step_evens10, %sum_of_step_odds10 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds11 = vector.shuffle
          %sum_of_step_6, %sum_of_step_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_11 = arith.addf
          %sum_of_step_evens11, %sum_of_step_odds11 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds12 = vector.shuffle
          %sum_of_step_8, %sum_of_step_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_12 = arith.addf
          %sum_of_step_evens12, %sum_of_step_odds12 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds13 = vector.shuffle
          %sum_of_step_10, %sum_of_step_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_13 = arith.addf
          %sum_of_step_evens13, %sum_of_step_odds13 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds14 = vector.shuffle
          %sum_of_step_12, %sum_of_step_13
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !attention__block_register16, !attention__block_register16
        %sum_of_step_14 = arith.addf
          %sum_of_step_evens14, %sum_of_step_odds14 fastmath<reassoc> : !attention__block_register16
        %sum_of_step_evens15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [0, 1, 2, 3, 8, 9, 10, 11] : !attention__block_register16, !attention__block_register16
        %sum_of_step_odds15 = vector.shuffle
          %sum_of_step_14, %sum_of_step_14
          [4, 5, 6, 7, 12, 13, 14, 15] : !attention__block_register16, !attention__block_register16
        %sum_of_step = arith.addf
          %sum_of_step_evens15, %sum_of_step_odds15 fastmath<reassoc> : !attention__block_register8
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
              %sums = scf.for %j = %from to %to step %one iter_args(%so_far = %shrunk) -> !attention__value_block {
                %left = vector.transfer_read %weights[%v, %j], %zero
                  {permutation_map = #attention__of_row, in_bounds = [true, true]} : !attention__weights, !attention__value_block
                %right = vector.transfer_read %values[%j, %n], %zero
                  {permutation_map = #attention__of_column, in_bounds = [true, true]} : !attention__values, !attention__value_block
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
    %output_slice = tensor.extract_slice %output_all[%b, %first_head, %first_query, %none] [1, 4, %queries_here, 64] [1, 1, 1, 1] : !attention__output to !attention__output_slice
    %output_written = scf.for %g = %none to %tile_heads step %one iter_args(%of_heads = %output_slice)
      -> !attention__output_slice {
      %of_head = scf.for %m = %none to %queries_here step %one iter_args(%before = %of_heads)
        -> !attention__output_slice {
        %row = affine.apply affine_map<(g, m) -> (g * 16 + m)>(%g, %m)
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
      tensor.parallel_insert_slice %output_written into %output_all[%b, %first_head, %first_query, %none] [1, 4, %queries_here, 64] [1, 1, 1, 1]
        : !attention__output_slice into !attention__output
    }
    } {mapping = [#iree_codegen.workgroup_mapping<z>, #iree_codegen.workgroup_mapping<y>,
                  #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %output_out,
      offsets = [0, 0, 0, 0], sizes = [1, 8, 16, 64], strides = [1, 1, 1, 1]
      : tensor<1x8x16x64xf16> -> !attention__output_out
    return
  }
  }
}
// attended · weightᵀ + bias, with the heads of a token side by side.
// m token, n hidden column, k column of a head
!projection__attended = tensor<1x8x16x64xf16>
!projection__weight = tensor<512x512xf16>
!projection__output = tensor<1x16x512xf16>
!projection__by_token = tensor<1x16x8x64xf16>
!projection__sequences = tensor<16x512xf16>
!projection__acc = tensor<16x512xf32>
!projection__sums = tensor<16x512xf16>
!projection__depth_given = vector<16xf16>
!projection__depth_lanes = vector<16xf32>
!projection__depth_block = vector<4x4x16xf32>
!projection__depth_part = vector<4x4x16xf32>
!projection__depth_sums = vector<4x4xf32>
!projection__depth_row = vector<4xf32>
!projection__depth_numbers = vector<16xf32>
!projection__depth_rows0 = vector<16x16xf32>
!projection__depth_register16 = vector<16xf32>
!projection__sequences_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x512xf16>>
!projection__weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x512xf16>>
!projection__acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x512xf32>>
#projection__sums = affine_map<(m, n) -> (m, n)>

func.func private @projection(%attended: !projection__attended, %weight: !projection__weight) -> !projection__output {
  %by_token_empty = tensor.empty() : !projection__by_token
  %by_token = linalg.transpose ins(%attended : !projection__attended) outs(%by_token_empty : !projection__by_token) permutation = [0, 2, 1, 3]
  %sequences = tensor.collapse_shape %by_token [[0, 1], [2, 3]] : !projection__by_token into !projection__sequences
  %acc =
    flow.dispatch @projection_acc_kernel::@projection_acc_kernel(
      %sequences, %weight
    ) : (
      tensor<16x512xf16>,
      tensor<512x512xf16>
    ) -> (tensor<16x512xf32>)
  %empty = tensor.empty() : !projection__sums
  %sums = linalg.generic {
      indexing_maps = [#projection__sums, #projection__sums],
      iterator_types = ["parallel", "parallel"]
    } ins(%acc : !projection__acc) outs(%empty : !projection__sums) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !projection__sums
  %output = tensor.expand_shape %sums [[0, 1], [2]] output_shape [1, 16, 512] : !projection__sums into !projection__output
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
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : !projection__sequences_of_acc -> tensor<16x512xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [512, 512], strides = [1, 1]
      : !projection__weight_of_acc -> tensor<512x512xf16>
    %none = arith.constant 0 : index
    %depth = arith.constant 512 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %rows = arith.constant 16 : index
    %padding = arith.constant 0.0 : f16
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<512x512xf16>
    %empty = tensor.empty() : tensor<16x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<16x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %column_step = arith.constant 4 : index
      %row_step = arith.constant 4 : index
      %of_columns = scf.for %n = %first_column to %end_column step %column_step
        iter_args(%of_all = %all) -> (tensor<16x512xf32>) {
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
        %of_rows = scf.for %m = %first_row to %end_row step %row_step
          iter_args(%before = %of_all) -> (tensor<16x512xf32>) {
          %m0 = affine.apply affine_map<(m) -> (m + 0)>(%m)
          %m1 = affine.apply affine_map<(m) -> (m + 1)>(%m)
          %m2 = affine.apply affine_map<(m) -> (m + 2)>(%m)
          %m3 = affine.apply affine_map<(m) -> (m + 3)>(%m)
          %is_first = arith.cmpi eq, %m, %first_row : index
          %next_row = affine.min
            affine_map<(n, m)[f] -> (n + (m - f) floordiv 4 mod 4
              + 4, 511)>(%n0, %m)[%first_row]
          %few_end = affine.apply affine_map<()[f] -> (f + 12)>()[%first_row]
          %is_few = arith.cmpi sle, %end_row, %few_end : index
          %fetches_all = arith.andi %is_first, %is_few : i1
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!projection__depth_block) {
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
              : tensor<16x512xf16>, !projection__depth_given
    %left0_0 = arith.extf %left0_0_stored : !projection__depth_given to !projection__depth_lanes
            %left1_0_stored = vector.transfer_read
              %sequences[%m1, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !projection__depth_given
    %left1_0 = arith.extf %left1_0_stored : !projection__depth_given to !projection__depth_lanes
            %left2_0_stored = vector.transfer_read
              %sequences[%m2, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !projection__depth_given
    %left2_0 = arith.extf %left2_0_stored : !projection__depth_given to !projection__depth_lanes
            %left3_0_stored = vector.transfer_read
              %sequences[%m3, %k0], %padding {in_bounds = [true]}
              : tensor<16x512xf16>, !projection__depth_given
    %left3_0 = arith.extf %left3_0_stored : !projection__depth_given to !projection__depth_lanes
            %right0_0_stored = vector.transfer_read
              %weight[%n0, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right0_0 = arith.extf %right0_0_stored : !projection__depth_given to !projection__depth_lanes
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
            %right1_0_stored = vector.transfer_read
              %weight[%n1, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right1_0 = arith.extf %right1_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_1_0 = vector.extract %more_4[0, 1] : !projection__depth_lanes from !projection__depth_block
            %new0_1_0 = vector.fma %left0_0, %right1_0, %old0_1_0 : !projection__depth_lanes
            %more_5 = vector.insert %new0_1_0, %more_4 [0, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old1_1_0 = vector.extract %more_5[1, 1] : !projection__depth_lanes from !projection__depth_block
            %new1_1_0 = vector.fma %left1_0, %right1_0, %old1_1_0 : !projection__depth_lanes
            %more_6 = vector.insert %new1_1_0, %more_5 [1, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old2_1_0 = vector.extract %more_6[2, 1] : !projection__depth_lanes from !projection__depth_block
            %new2_1_0 = vector.fma %left2_0, %right1_0, %old2_1_0 : !projection__depth_lanes
            %more_7 = vector.insert %new2_1_0, %more_6 [2, 1]
              : !projection__depth_lanes into !projection__depth_block
            %old3_1_0 = vector.extract %more_7[3, 1] : !projection__depth_lanes from !projection__depth_block
            %new3_1_0 = vector.fma %left3_0, %right1_0, %old3_1_0 : !projection__depth_lanes
            %more_8 = vector.insert %new3_1_0, %more_7 [3, 1]
              : !projection__depth_lanes into !projection__depth_block
            %right2_0_stored = vector.transfer_read
              %weight[%n2, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right2_0 = arith.extf %right2_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_2_0 = vector.extract %more_8[0, 2] : !projection__depth_lanes from !projection__depth_block
            %new0_2_0 = vector.fma %left0_0, %right2_0, %old0_2_0 : !projection__depth_lanes
            %more_9 = vector.insert %new0_2_0, %more_8 [0, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old1_2_0 = vector.extract %more_9[1, 2] : !projection__depth_lanes from !projection__depth_block
            %new1_2_0 = vector.fma %left1_0, %right2_0, %old1_2_0 : !projection__depth_lanes
            %more_10 = vector.insert %new1_2_0, %more_9 [1, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old2_2_0 = vector.extract %more_10[2, 2] : !projection__depth_lanes from !projection__depth_block
            %new2_2_0 = vector.fma %left2_0, %right2_0, %old2_2_0 : !projection__depth_lanes
            %more_11 = vector.insert %new2_2_0, %more_10 [2, 2]
              : !projection__depth_lanes into !projection__depth_block
            %old3_2_0 = vector.extract %more_11[3, 2] : !projection__depth_lanes from !projection__depth_block
            %new3_2_0 = vector.fma %left3_0, %right2_0, %old3_2_0 : !projection__depth_lanes
            %more_12 = vector.insert %new3_2_0, %more_11 [3, 2]
              : !projection__depth_lanes into !projection__depth_block
            %right3_0_stored = vector.transfer_read
              %weight[%n3, %k0], %padding {in_bounds = [true]}
              : tensor<512x512xf16>, !projection__depth_given
    %right3_0 = arith.extf %right3_0_stored : !projection__depth_given to !projection__depth_lanes
            %old0_3_0 = vector.extract %more_12[0, 3] : !projection__depth_lanes from !projection__depth_block
            %new0_3_0 = vector.fma %left0_0, %right3_0, %old0_3_0 : !projection__depth_lanes
            %more_13 = vector.insert %new0_3_0, %more_12 [0, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old1_3_0 = vector.extract %more_13[1, 3] : !projection__depth_lanes from !projection__depth_block
            %new1_3_0 = vector.fma %left1_0, %right3_0, %old1_3_0 : !projection__depth_lanes
            %more_14 = vector.insert %new1_3_0, %more_13 [1, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old2_3_0 = vector.extract %more_14[2, 3] : !projection__depth_lanes from !projection__depth_block
            %new2_3_0 = vector.fma %left2_0, %right3_0, %old2_3_0 : !projection__depth_lanes
            %more_15 = vector.insert %new2_3_0, %more_14 [2, 3]
              : !projection__depth_lanes into !projection__depth_block
            %old3_3_0 = vector.extract %more_15[3, 3] : !projection__depth_lanes from !projection__depth_block
            %new3_3_0 = vector.fma %left3_0, %right3_0, %old3_3_0 : !projection__depth_lanes
            %more = vector.insert %new3_3_0, %more_15 [3, 3]
              : !projection__depth_lanes into !projection__depth_block
            scf.yield %more : !projection__depth_block
          }
          %part0 = vector.extract_strided_slice %block
            offsets = [0], sizes = [4], strides = [1]
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
        %numbers0_8 = vector.extract %registers0[8] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_9 = vector.extract %registers0[9] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_10 = vector.extract %registers0[10] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_11 = vector.extract %registers0[11] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_12 = vector.extract %registers0[12] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_13 = vector.extract %registers0[13] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_14 = vector.extract %registers0[14] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_15 = vector.extract %registers0[15] : !projection__depth_register16 from !projection__depth_rows0
        %numbers0_evens16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds16 = vector.shuffle
          %numbers0_0, %numbers0_1
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_16 = arith.addf
          %numbers0_evens16, %numbers0_odds16 fastmath<none> : !projection__depth_register16
        %numbers0_evens17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds17 = vector.shuffle
          %numbers0_2, %numbers0_3
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_17 = arith.addf
          %numbers0_evens17, %numbers0_odds17 fastmath<none> : !projection__depth_register16
        %numbers0_evens18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds18 = vector.shuffle
          %numbers0_4, %numbers0_5
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_18 = arith.addf
          %numbers0_evens18, %numbers0_odds18 fastmath<none> : !projection__depth_register16
        %numbers0_evens19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds19 = vector.shuffle
          %numbers0_6, %numbers0_7
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_19 = arith.addf
          %numbers0_evens19, %numbers0_odds19 fastmath<none> : !projection__depth_register16
        %numbers0_evens20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds20 = vector.shuffle
          %numbers0_8, %numbers0_9
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_20 = arith.addf
          %numbers0_evens20, %numbers0_odds20 fastmath<none> : !projection__depth_register16
        %numbers0_evens21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds21 = vector.shuffle
          %numbers0_10, %numbers0_11
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_21 = arith.addf
          %numbers0_evens21, %numbers0_odds21 fastmath<none> : !projection__depth_register16
        %numbers0_evens22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds22 = vector.shuffle
          %numbers0_12, %numbers0_13
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_22 = arith.addf
          %numbers0_evens22, %numbers0_odds22 fastmath<none> : !projection__depth_register16
        %numbers0_evens23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds23 = vector.shuffle
          %numbers0_14, %numbers0_15
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_23 = arith.addf
          %numbers0_evens23, %numbers0_odds23 fastmath<none> : !projection__depth_register16
        %numbers0_evens24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds24 = vector.shuffle
          %numbers0_16, %numbers0_17
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_24 = arith.addf
          %numbers0_evens24, %numbers0_odds24 fastmath<none> : !projection__depth_register16
        %numbers0_evens25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds25 = vector.shuffle
          %numbers0_18, %numbers0_19
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_25 = arith.addf
          %numbers0_evens25, %numbers0_odds25 fastmath<none> : !projection__depth_register16
        %numbers0_evens26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds26 = vector.shuffle
          %numbers0_20, %numbers0_21
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_26 = arith.addf
          %numbers0_evens26, %numbers0_odds26 fastmath<none> : !projection__depth_register16
        %numbers0_evens27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds27 = vector.shuffle
          %numbers0_22, %numbers0_23
          [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_27 = arith.addf
          %numbers0_evens27, %numbers0_odds27 fastmath<none> : !projection__depth_register16
        %numbers0_evens28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds28 = vector.shuffle
          %numbers0_24, %numbers0_25
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_28 = arith.addf
          %numbers0_evens28, %numbers0_odds28 fastmath<none> : !projection__depth_register16
        %numbers0_evens29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds29 = vector.shuffle
          %numbers0_26, %numbers0_27
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0_29 = arith.addf
          %numbers0_evens29, %numbers0_odds29 fastmath<none> : !projection__depth_register16
        %numbers0_evens30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : !projection__depth_register16, !projection__depth_register16
        %numbers0_odds30 = vector.shuffle
          %numbers0_28, %numbers0_29
          [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31] : !projection__depth_register16, !projection__depth_register16
        %numbers0 = arith.addf
          %numbers0_evens30, %numbers0_odds30 fastmath<none> : !projection__depth_register16
          %sums0 = vector.shape_cast %numbers0 : !projection__depth_numbers to !projection__depth_sums
          %row0 = vector.extract %sums0[0] : !projection__depth_row from !projection__depth_sums
          %row1 = vector.extract %sums0[1] : !projection__depth_row from !projection__depth_sums
          %row2 = vector.extract %sums0[2] : !projection__depth_row from !projection__depth_sums
          %row3 = vector.extract %sums0[3] : !projection__depth_row from !projection__depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<16x512xf32>
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<16x512xf32>
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<16x512xf32>
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !projection__depth_row, tensor<16x512xf32>
          scf.yield %after : tensor<16x512xf32>
        }
        scf.yield %of_rows : tensor<16x512xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [16, 512] [1, 1]
          : tensor<16x512xf32> into tensor<16x512xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [16, 512], strides = [1, 1]
      : tensor<16x512xf32> -> !projection__acc_out
    return
  }
  }
}
!hidden = tensor<1x16x512xf16>
!norm_weight = tensor<512xf16>
!qkv_weight = tensor<768x512xf16>
!positions = tensor<1x16xi32>
!slot_mapping = tensor<1x16xi32>
!key_cache = tensor<9x2x16x64xf16>
!value_cache = tensor<9x2x16x64xf16>
!block_table = tensor<1x4xi32>
!context_lens = tensor<1xi32>
!output_weight = tensor<512x512xf16>
!output = tensor<1x16x512xf16>
!updated_key_cache = tensor<9x2x16x64xf16>
!updated_value_cache = tensor<9x2x16x64xf16>
#clipped = affine_map<(b, h, m, d) -> (b, h, m, d)>
#same = affine_map<(b, m, n) -> (b, m, n)>

func.func @decoder_layer(%hidden: !hidden, %norm_weight: !norm_weight, %qkv_weight: !qkv_weight, %positions: !positions, %slot_mapping: !slot_mapping, %key_cache: !key_cache {iree.abi.consume}, %value_cache: !value_cache {iree.abi.consume}, %block_table: !block_table, %context_lens: !context_lens, %output_weight: !output_weight) -> (!output, !updated_key_cache, !updated_value_cache) {
  %rows_of_normed = tensor.collapse_shape %hidden [[0, 1], [2]] : tensor<1x16x512xf16> into tensor<16x512xf16>
  %normed_rows_of_normed = call @norm(%rows_of_normed, %norm_weight) : (tensor<16x512xf16>, tensor<512xf16>) -> (tensor<16x512xf16>)
  %normed = tensor.expand_shape %normed_rows_of_normed [[0, 1], [2]] output_shape [1, 16, 512] : tensor<16x512xf16> into tensor<1x16x512xf16>
  %qkv:3 = call @qkv(%normed, %qkv_weight) : (tensor<1x16x512xf16>, tensor<768x512xf16>) -> (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x2x16x64xf16>)
  %empty_clipped_query = tensor.empty() : tensor<1x8x16x64xf16>
  %clipped_query = linalg.generic {
      indexing_maps = [#clipped, #clipped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%qkv#0 : tensor<1x8x16x64xf16>) outs(%empty_clipped_query : tensor<1x8x16x64xf16>) {
  ^bb0(%in_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %most = arith.constant 8.0 : f32
    %least = arith.negf %most : f32
    %below = arith.minimumf %in, %most : f32
    %held = arith.maximumf %below, %least : f32
    %held_stored = arith.truncf %held : f32 to f16
    linalg.yield %held_stored : f16
  } -> tensor<1x8x16x64xf16>
  %empty_clipped_key = tensor.empty() : tensor<1x2x16x64xf16>
  %clipped_key = linalg.generic {
      indexing_maps = [#clipped, #clipped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%qkv#1 : tensor<1x2x16x64xf16>) outs(%empty_clipped_key : tensor<1x2x16x64xf16>) {
  ^bb0(%in_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %most = arith.constant 8.0 : f32
    %least = arith.negf %most : f32
    %below = arith.minimumf %in, %most : f32
    %held = arith.maximumf %below, %least : f32
    %held_stored = arith.truncf %held : f32 to f16
    linalg.yield %held_stored : f16
  } -> tensor<1x2x16x64xf16>
  %empty_clipped_value = tensor.empty() : tensor<1x2x16x64xf16>
  %clipped_value = linalg.generic {
      indexing_maps = [#clipped, #clipped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%qkv#2 : tensor<1x2x16x64xf16>) outs(%empty_clipped_value : tensor<1x2x16x64xf16>) {
  ^bb0(%in_stored: f16, %unused: f16):
    %in = arith.extf %in_stored : f16 to f32
    %most = arith.constant 8.0 : f32
    %least = arith.negf %most : f32
    %below = arith.minimumf %in, %most : f32
    %held = arith.maximumf %below, %least : f32
    %held_stored = arith.truncf %held : f32 to f16
    linalg.yield %held_stored : f16
  } -> tensor<1x2x16x64xf16>
  %rotated:2 = call @rope(%clipped_query, %clipped_key, %positions) : (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x16xi32>) -> (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>)
  // On a CPU, the kernel that writes the cache would compute all new keys in its stack.
  %new_key = util.optimization_barrier %rotated#1 : tensor<1x2x16x64xf16>
  // Between barriers, the kernel of attention keeps the dimensions that its tile is made for.
  %new_query = iree_tensor_ext.compute_barrier.start %rotated#0 : tensor<1x8x16x64xf16> -> tensor<1x8x16x64xf16>
  %attended:3 = call @attention(%new_query, %new_key, %clipped_value, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens) : (tensor<1x8x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x2x16x64xf16>, tensor<1x16xi32>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>, tensor<1x4xi32>, tensor<1xi32>) -> (tensor<1x8x16x64xf16>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>)
  %heads = iree_tensor_ext.compute_barrier.start %attended#0 : tensor<1x8x16x64xf16> -> tensor<1x8x16x64xf16>
  %projected = call @projection(%heads, %output_weight) : (tensor<1x8x16x64xf16>, tensor<512x512xf16>) -> (tensor<1x16x512xf16>)
  %empty_output = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%hidden, %projected : !hidden, !output) outs(%empty_output : !output) {
  ^bb0(%residual_stored: f16, %change_stored: f16, %unused: f16):
    %residual = arith.extf %residual_stored : f16 to f32
    %change = arith.extf %change_stored : f16 to f32
    %sum = arith.addf %residual, %change : f32
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
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
    %output_weight: !output_weight
  ) -> (!output, !updated_key_cache, !updated_value_cache) attributes {iree.abi.model = "coarse-fences"} {
  %output, %updated_key_cache, %updated_value_cache = func.call @decoder_layer(%hidden, %norm_weight, %qkv_weight, %positions, %slot_mapping, %key_cache, %value_cache, %block_table, %context_lens, %output_weight)
    : (!hidden, !norm_weight, !qkv_weight, !positions, !slot_mapping, !key_cache, !value_cache, !block_table, !context_lens, !output_weight) -> (!output, !updated_key_cache, !updated_value_cache)
  util.return %output, %updated_key_cache, %updated_value_cache : !output, !updated_key_cache, !updated_value_cache
}
