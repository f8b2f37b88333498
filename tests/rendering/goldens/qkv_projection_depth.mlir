// hidden · weightᵀ + bias. Query, key and value are products of their own, which write each where it
// is returned and may run at the same time; one product for all three would have to be taken apart
// by copies.
// b batch, h head, m token, n head column, k hidden column
!hidden = tensor<?x40x256xf16>
!weight = tensor<768x256xf16>
!bias = tensor<768xf16>
!query = tensor<?x8x40x64xf16>
!key = tensor<?x2x40x64xf16>
!value = tensor<?x2x40x64xf16>
!tokens = tensor<?x256xf16>
!head_bias = tensor<12x64xf16>
#bias = affine_map<(b, h, m, n) -> (h, n)>
!depth_given = vector<16xf16>
!depth_lanes = vector<16xf32>
!depth_block = vector<4x4x16xf32>
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
!tokens_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xf16>>
!weight_of_query_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xf16>>
!query_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x512xf32>>
!tokens_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xf16>>
!weight_of_key_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xf16>>
!key_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
!tokens_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xf16>>
!weight_of_value_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<768x256xf16>>
!value_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x128xf32>>
#sums = affine_map<(b, h, m, n) -> (b, m, h, n)>
#heads = affine_map<(b, h, m, n) -> (b, h, m, n)>

func.func @qkv_projection(%hidden_given: !hidden, %weight: !weight, %bias: !bias) -> (!query, !key, !value) {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %hidden_given, %batch_axis : !hidden
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 2, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%batch_dim}
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !tokens
  %head_bias = tensor.expand_shape %bias [[0, 1]] output_shape [12, 64] : !bias into !head_bias
  // query: 8 heads from head 0 on
  %query_sums =
    flow.dispatch.workgroups[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xf16>{%rows_dim},
      tensor<768x256xf16>,
      index
    ) -> (tensor<?x512xf32>{%rows_dim}) = (
      %tokens_in: !tokens_of_query_sums,
      %weight_in: !weight_of_query_sums,
      %rows_dim_in: index,
      %query_sums_out: !query_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_query_sums{%rows_dim} -> tensor<?x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !weight_of_query_sums -> tensor<768x256xf16>
    %none = arith.constant 0 : index
    %row_step = arith.constant 4 : index
    %column_step = arith.constant 4 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 512 : index
    %padding = arith.constant 0.0 : f16
    %no_sums = arith.constant dense<0.0> : !depth_block
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xf16>
    %one = arith.constant 1 : index
    %is_read_once = arith.cmpi eq, %row_tiles, %one : index
    %ahead = arith.select %is_read_once, %column_step, %none : index
    %empty = tensor.empty(%rows_dim) : tensor<?x512xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x512xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %of_columns = scf.for %n = %first_column to %end_column step %column_step iter_args(%of_all = %all)
        -> (tensor<?x512xf32>) {
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 767)>(%n)[%ahead]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 767)>(%n)[%ahead]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 767)>(%n)[%ahead]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 767)>(%n)[%ahead]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step iter_args(%before = %of_all)
          -> (tensor<?x512xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows_dim]
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            %left0_stored = vector.transfer_read
              %tokens[%m0, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left0 = arith.extf %left0_stored : !depth_given to !depth_lanes
            %left1_stored = vector.transfer_read
              %tokens[%m1, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left1 = arith.extf %left1_stored : !depth_given to !depth_lanes
            %left2_stored = vector.transfer_read
              %tokens[%m2, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left2 = arith.extf %left2_stored : !depth_given to !depth_lanes
            %left3_stored = vector.transfer_read
              %tokens[%m3, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left3 = arith.extf %left3_stored : !depth_given to !depth_lanes
            %right0_stored = vector.transfer_read
              %weight[%n0, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right0 = arith.extf %right0_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right1_stored = vector.transfer_read
              %weight[%n1, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right1 = arith.extf %right1_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right2_stored = vector.transfer_read
              %weight[%n2, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right2 = arith.extf %right2_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right3_stored = vector.transfer_read
              %weight[%n3, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right3 = arith.extf %right3_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
              : memref<768x256xf16>
            %old0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0 = vector.fma %left0, %right0, %old0_0 : !depth_lanes
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %old0_1 = vector.extract %so_far[0, 1] : !depth_lanes from !depth_block
            %new0_1 = vector.fma %left0, %right1, %old0_1 : !depth_lanes
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !depth_lanes into !depth_block
            %old0_2 = vector.extract %so_far[0, 2] : !depth_lanes from !depth_block
            %new0_2 = vector.fma %left0, %right2, %old0_2 : !depth_lanes
            %more_3 = vector.insert %new0_2, %more_2 [0, 2]
              : !depth_lanes into !depth_block
            %old0_3 = vector.extract %so_far[0, 3] : !depth_lanes from !depth_block
            %new0_3 = vector.fma %left0, %right3, %old0_3 : !depth_lanes
            %more_4 = vector.insert %new0_3, %more_3 [0, 3]
              : !depth_lanes into !depth_block
            %old1_0 = vector.extract %so_far[1, 0] : !depth_lanes from !depth_block
            %new1_0 = vector.fma %left1, %right0, %old1_0 : !depth_lanes
            %more_5 = vector.insert %new1_0, %more_4 [1, 0]
              : !depth_lanes into !depth_block
            %old1_1 = vector.extract %so_far[1, 1] : !depth_lanes from !depth_block
            %new1_1 = vector.fma %left1, %right1, %old1_1 : !depth_lanes
            %more_6 = vector.insert %new1_1, %more_5 [1, 1]
              : !depth_lanes into !depth_block
            %old1_2 = vector.extract %so_far[1, 2] : !depth_lanes from !depth_block
            %new1_2 = vector.fma %left1, %right2, %old1_2 : !depth_lanes
            %more_7 = vector.insert %new1_2, %more_6 [1, 2]
              : !depth_lanes into !depth_block
            %old1_3 = vector.extract %so_far[1, 3] : !depth_lanes from !depth_block
            %new1_3 = vector.fma %left1, %right3, %old1_3 : !depth_lanes
            %more_8 = vector.insert %new1_3, %more_7 [1, 3]
              : !depth_lanes into !depth_block
            %old2_0 = vector.extract %so_far[2, 0] : !depth_lanes from !depth_block
            %new2_0 = vector.fma %left2, %right0, %old2_0 : !depth_lanes
            %more_9 = vector.insert %new2_0, %more_8 [2, 0]
              : !depth_lanes into !depth_block
            %old2_1 = vector.extract %so_far[2, 1] : !depth_lanes from !depth_block
            %new2_1 = vector.fma %left2, %right1, %old2_1 : !depth_lanes
            %more_10 = vector.insert %new2_1, %more_9 [2, 1]
              : !depth_lanes into !depth_block
            %old2_2 = vector.extract %so_far[2, 2] : !depth_lanes from !depth_block
            %new2_2 = vector.fma %left2, %right2, %old2_2 : !depth_lanes
            %more_11 = vector.insert %new2_2, %more_10 [2, 2]
              : !depth_lanes into !depth_block
            %old2_3 = vector.extract %so_far[2, 3] : !depth_lanes from !depth_block
            %new2_3 = vector.fma %left2, %right3, %old2_3 : !depth_lanes
            %more_12 = vector.insert %new2_3, %more_11 [2, 3]
              : !depth_lanes into !depth_block
            %old3_0 = vector.extract %so_far[3, 0] : !depth_lanes from !depth_block
            %new3_0 = vector.fma %left3, %right0, %old3_0 : !depth_lanes
            %more_13 = vector.insert %new3_0, %more_12 [3, 0]
              : !depth_lanes into !depth_block
            %old3_1 = vector.extract %so_far[3, 1] : !depth_lanes from !depth_block
            %new3_1 = vector.fma %left3, %right1, %old3_1 : !depth_lanes
            %more_14 = vector.insert %new3_1, %more_13 [3, 1]
              : !depth_lanes into !depth_block
            %old3_2 = vector.extract %so_far[3, 2] : !depth_lanes from !depth_block
            %new3_2 = vector.fma %left3, %right2, %old3_2 : !depth_lanes
            %more_15 = vector.insert %new3_2, %more_14 [3, 2]
              : !depth_lanes into !depth_block
            %old3_3 = vector.extract %so_far[3, 3] : !depth_lanes from !depth_block
            %new3_3 = vector.fma %left3, %right3, %old3_3 : !depth_lanes
            %more = vector.insert %new3_3, %more_15 [3, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %registers = vector.shape_cast %block : !depth_block to !depth_rows0
        %numbers_first1 = vector.extract_strided_slice %registers
          offsets = [0], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers_second1 = vector.extract_strided_slice %registers
          offsets = [8], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers_pairs1 = vector.interleave
          %numbers_first1, %numbers_second1
          : !depth_rows1 -> !depth_pairs1
        %numbers_low1 = vector.extract_strided_slice %numbers_pairs1
          offsets = [0, 0], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers_high1 = vector.extract_strided_slice %numbers_pairs1
          offsets = [0, 16], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers_rows1 = arith.addf
          %numbers_low1, %numbers_high1 fastmath<none>
          : !depth_rows1
        %numbers_first2 = vector.extract_strided_slice %numbers_rows1
          offsets = [0], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers_second2 = vector.extract_strided_slice %numbers_rows1
          offsets = [4], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers_pairs2 = vector.interleave
          %numbers_first2, %numbers_second2
          : !depth_rows2 -> !depth_pairs2
        %numbers_low2 = vector.extract_strided_slice %numbers_pairs2
          offsets = [0, 0], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers_high2 = vector.extract_strided_slice %numbers_pairs2
          offsets = [0, 16], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers_rows2 = arith.addf
          %numbers_low2, %numbers_high2 fastmath<none>
          : !depth_rows2
        %numbers_first3 = vector.extract_strided_slice %numbers_rows2
          offsets = [0], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers_second3 = vector.extract_strided_slice %numbers_rows2
          offsets = [2], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers_pairs3 = vector.interleave
          %numbers_first3, %numbers_second3
          : !depth_rows3 -> !depth_pairs3
        %numbers_low3 = vector.extract_strided_slice %numbers_pairs3
          offsets = [0, 0], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers_high3 = vector.extract_strided_slice %numbers_pairs3
          offsets = [0, 16], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers_rows3 = arith.addf
          %numbers_low3, %numbers_high3 fastmath<none>
          : !depth_rows3
        %numbers_first4 = vector.extract_strided_slice %numbers_rows3
          offsets = [0], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers_second4 = vector.extract_strided_slice %numbers_rows3
          offsets = [1], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers_pairs4 = vector.interleave
          %numbers_first4, %numbers_second4
          : !depth_rows4 -> !depth_pairs4
        %numbers_low4 = vector.extract_strided_slice %numbers_pairs4
          offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers_high4 = vector.extract_strided_slice %numbers_pairs4
          offsets = [0, 16], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers_rows4 = arith.addf
          %numbers_low4, %numbers_high4 fastmath<none>
          : !depth_rows4
        %numbers_turned = vector.transpose %numbers_rows4, [1, 0]
          : !depth_rows4 to !depth_turned
        %numbers = vector.shape_cast %numbers_turned
          : !depth_turned to !depth_numbers
          %numbers_of_block = vector.shape_cast %numbers : !depth_numbers to !depth_sums
          %row0 = vector.extract %numbers_of_block[0] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x512xf32>
          %row1 = vector.extract %numbers_of_block[1] : !depth_row from !depth_sums
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x512xf32>
          %row2 = vector.extract %numbers_of_block[2] : !depth_row from !depth_sums
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x512xf32>
          %row3 = vector.extract %numbers_of_block[3] : !depth_row from !depth_sums
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x512xf32>
          scf.yield %after : tensor<?x512xf32>
        }
        scf.yield %of_rows : tensor<?x512xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 512] [1, 1]
          : tensor<?x512xf32> into tensor<?x512xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %query_sums_out,
      offsets = [0, 0], sizes = [%rows_dim, 512], strides = [1, 1]
      : tensor<?x512xf32> -> !query_sums_out{%rows_dim}
    flow.return
  } count(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  %acc_of_query = tensor.expand_shape %query_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 40, 8, 64] : tensor<?x512xf32> into tensor<?x40x8x64xf32>
  %bias_of_query = tensor.extract_slice %head_bias[0, 0] [8, 64] [1, 1] : !head_bias to tensor<8x64xf16>
  %empty_query = tensor.empty(%batch_dim) : tensor<?x8x40x64xf16>
  %query = linalg.generic {
      indexing_maps = [#sums, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_query, %bias_of_query : tensor<?x40x8x64xf32>, tensor<8x64xf16>) outs(%empty_query : tensor<?x8x40x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<?x8x40x64xf16>
  // key: 2 heads from head 8 on
  %key_sums =
    flow.dispatch.workgroups[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xf16>{%rows_dim},
      tensor<768x256xf16>,
      index
    ) -> (tensor<?x128xf32>{%rows_dim}) = (
      %tokens_in: !tokens_of_key_sums,
      %weight_in: !weight_of_key_sums,
      %rows_dim_in: index,
      %key_sums_out: !key_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_key_sums{%rows_dim} -> tensor<?x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !weight_of_key_sums -> tensor<768x256xf16>
    %none = arith.constant 0 : index
    %row_step = arith.constant 4 : index
    %column_step = arith.constant 4 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %no_sums = arith.constant dense<0.0> : !depth_block
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xf16>
    %one = arith.constant 1 : index
    %is_read_once = arith.cmpi eq, %row_tiles, %one : index
    %ahead = arith.select %is_read_once, %column_step, %none : index
    %empty = tensor.empty(%rows_dim) : tensor<?x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %of_columns = scf.for %n = %first_column to %end_column step %column_step iter_args(%of_all = %all)
        -> (tensor<?x128xf32>) {
        %n0 = affine.apply affine_map<(n) -> (n + 512)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 512, 767)>(%n)[%ahead]
        %n1 = affine.apply affine_map<(n) -> (n + 513)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 513, 767)>(%n)[%ahead]
        %n2 = affine.apply affine_map<(n) -> (n + 514)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 514, 767)>(%n)[%ahead]
        %n3 = affine.apply affine_map<(n) -> (n + 515)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 515, 767)>(%n)[%ahead]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step iter_args(%before = %of_all)
          -> (tensor<?x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows_dim]
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            %left0_stored = vector.transfer_read
              %tokens[%m0, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left0 = arith.extf %left0_stored : !depth_given to !depth_lanes
            %left1_stored = vector.transfer_read
              %tokens[%m1, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left1 = arith.extf %left1_stored : !depth_given to !depth_lanes
            %left2_stored = vector.transfer_read
              %tokens[%m2, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left2 = arith.extf %left2_stored : !depth_given to !depth_lanes
            %left3_stored = vector.transfer_read
              %tokens[%m3, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left3 = arith.extf %left3_stored : !depth_given to !depth_lanes
            %right0_stored = vector.transfer_read
              %weight[%n0, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right0 = arith.extf %right0_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right1_stored = vector.transfer_read
              %weight[%n1, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right1 = arith.extf %right1_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right2_stored = vector.transfer_read
              %weight[%n2, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right2 = arith.extf %right2_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right3_stored = vector.transfer_read
              %weight[%n3, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right3 = arith.extf %right3_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
              : memref<768x256xf16>
            %old0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0 = vector.fma %left0, %right0, %old0_0 : !depth_lanes
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %old0_1 = vector.extract %so_far[0, 1] : !depth_lanes from !depth_block
            %new0_1 = vector.fma %left0, %right1, %old0_1 : !depth_lanes
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !depth_lanes into !depth_block
            %old0_2 = vector.extract %so_far[0, 2] : !depth_lanes from !depth_block
            %new0_2 = vector.fma %left0, %right2, %old0_2 : !depth_lanes
            %more_3 = vector.insert %new0_2, %more_2 [0, 2]
              : !depth_lanes into !depth_block
            %old0_3 = vector.extract %so_far[0, 3] : !depth_lanes from !depth_block
            %new0_3 = vector.fma %left0, %right3, %old0_3 : !depth_lanes
            %more_4 = vector.insert %new0_3, %more_3 [0, 3]
              : !depth_lanes into !depth_block
            %old1_0 = vector.extract %so_far[1, 0] : !depth_lanes from !depth_block
            %new1_0 = vector.fma %left1, %right0, %old1_0 : !depth_lanes
            %more_5 = vector.insert %new1_0, %more_4 [1, 0]
              : !depth_lanes into !depth_block
            %old1_1 = vector.extract %so_far[1, 1] : !depth_lanes from !depth_block
            %new1_1 = vector.fma %left1, %right1, %old1_1 : !depth_lanes
            %more_6 = vector.insert %new1_1, %more_5 [1, 1]
              : !depth_lanes into !depth_block
            %old1_2 = vector.extract %so_far[1, 2] : !depth_lanes from !depth_block
            %new1_2 = vector.fma %left1, %right2, %old1_2 : !depth_lanes
            %more_7 = vector.insert %new1_2, %more_6 [1, 2]
              : !depth_lanes into !depth_block
            %old1_3 = vector.extract %so_far[1, 3] : !depth_lanes from !depth_block
            %new1_3 = vector.fma %left1, %right3, %old1_3 : !depth_lanes
            %more_8 = vector.insert %new1_3, %more_7 [1, 3]
              : !depth_lanes into !depth_block
            %old2_0 = vector.extract %so_far[2, 0] : !depth_lanes from !depth_block
            %new2_0 = vector.fma %left2, %right0, %old2_0 : !depth_lanes
            %more_9 = vector.insert %new2_0, %more_8 [2, 0]
              : !depth_lanes into !depth_block
            %old2_1 = vector.extract %so_far[2, 1] : !depth_lanes from !depth_block
            %new2_1 = vector.fma %left2, %right1, %old2_1 : !depth_lanes
            %more_10 = vector.insert %new2_1, %more_9 [2, 1]
              : !depth_lanes into !depth_block
            %old2_2 = vector.extract %so_far[2, 2] : !depth_lanes from !depth_block
            %new2_2 = vector.fma %left2, %right2, %old2_2 : !depth_lanes
            %more_11 = vector.insert %new2_2, %more_10 [2, 2]
              : !depth_lanes into !depth_block
            %old2_3 = vector.extract %so_far[2, 3] : !depth_lanes from !depth_block
            %new2_3 = vector.fma %left2, %right3, %old2_3 : !depth_lanes
            %more_12 = vector.insert %new2_3, %more_11 [2, 3]
              : !depth_lanes into !depth_block
            %old3_0 = vector.extract %so_far[3, 0] : !depth_lanes from !depth_block
            %new3_0 = vector.fma %left3, %right0, %old3_0 : !depth_lanes
            %more_13 = vector.insert %new3_0, %more_12 [3, 0]
              : !depth_lanes into !depth_block
            %old3_1 = vector.extract %so_far[3, 1] : !depth_lanes from !depth_block
            %new3_1 = vector.fma %left3, %right1, %old3_1 : !depth_lanes
            %more_14 = vector.insert %new3_1, %more_13 [3, 1]
              : !depth_lanes into !depth_block
            %old3_2 = vector.extract %so_far[3, 2] : !depth_lanes from !depth_block
            %new3_2 = vector.fma %left3, %right2, %old3_2 : !depth_lanes
            %more_15 = vector.insert %new3_2, %more_14 [3, 2]
              : !depth_lanes into !depth_block
            %old3_3 = vector.extract %so_far[3, 3] : !depth_lanes from !depth_block
            %new3_3 = vector.fma %left3, %right3, %old3_3 : !depth_lanes
            %more = vector.insert %new3_3, %more_15 [3, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %registers = vector.shape_cast %block : !depth_block to !depth_rows0
        %numbers_first1 = vector.extract_strided_slice %registers
          offsets = [0], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers_second1 = vector.extract_strided_slice %registers
          offsets = [8], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers_pairs1 = vector.interleave
          %numbers_first1, %numbers_second1
          : !depth_rows1 -> !depth_pairs1
        %numbers_low1 = vector.extract_strided_slice %numbers_pairs1
          offsets = [0, 0], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers_high1 = vector.extract_strided_slice %numbers_pairs1
          offsets = [0, 16], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers_rows1 = arith.addf
          %numbers_low1, %numbers_high1 fastmath<none>
          : !depth_rows1
        %numbers_first2 = vector.extract_strided_slice %numbers_rows1
          offsets = [0], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers_second2 = vector.extract_strided_slice %numbers_rows1
          offsets = [4], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers_pairs2 = vector.interleave
          %numbers_first2, %numbers_second2
          : !depth_rows2 -> !depth_pairs2
        %numbers_low2 = vector.extract_strided_slice %numbers_pairs2
          offsets = [0, 0], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers_high2 = vector.extract_strided_slice %numbers_pairs2
          offsets = [0, 16], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers_rows2 = arith.addf
          %numbers_low2, %numbers_high2 fastmath<none>
          : !depth_rows2
        %numbers_first3 = vector.extract_strided_slice %numbers_rows2
          offsets = [0], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers_second3 = vector.extract_strided_slice %numbers_rows2
          offsets = [2], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers_pairs3 = vector.interleave
          %numbers_first3, %numbers_second3
          : !depth_rows3 -> !depth_pairs3
        %numbers_low3 = vector.extract_strided_slice %numbers_pairs3
          offsets = [0, 0], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers_high3 = vector.extract_strided_slice %numbers_pairs3
          offsets = [0, 16], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers_rows3 = arith.addf
          %numbers_low3, %numbers_high3 fastmath<none>
          : !depth_rows3
        %numbers_first4 = vector.extract_strided_slice %numbers_rows3
          offsets = [0], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers_second4 = vector.extract_strided_slice %numbers_rows3
          offsets = [1], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers_pairs4 = vector.interleave
          %numbers_first4, %numbers_second4
          : !depth_rows4 -> !depth_pairs4
        %numbers_low4 = vector.extract_strided_slice %numbers_pairs4
          offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers_high4 = vector.extract_strided_slice %numbers_pairs4
          offsets = [0, 16], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers_rows4 = arith.addf
          %numbers_low4, %numbers_high4 fastmath<none>
          : !depth_rows4
        %numbers_turned = vector.transpose %numbers_rows4, [1, 0]
          : !depth_rows4 to !depth_turned
        %numbers = vector.shape_cast %numbers_turned
          : !depth_turned to !depth_numbers
          %numbers_of_block = vector.shape_cast %numbers : !depth_numbers to !depth_sums
          %row0 = vector.extract %numbers_of_block[0] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          %row1 = vector.extract %numbers_of_block[1] : !depth_row from !depth_sums
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          %row2 = vector.extract %numbers_of_block[2] : !depth_row from !depth_sums
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          %row3 = vector.extract %numbers_of_block[3] : !depth_row from !depth_sums
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 128] [1, 1]
          : tensor<?x128xf32> into tensor<?x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %key_sums_out,
      offsets = [0, 0], sizes = [%rows_dim, 128], strides = [1, 1]
      : tensor<?x128xf32> -> !key_sums_out{%rows_dim}
    flow.return
  } count(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  %acc_of_key = tensor.expand_shape %key_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 40, 2, 64] : tensor<?x128xf32> into tensor<?x40x2x64xf32>
  %bias_of_key = tensor.extract_slice %head_bias[8, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf16>
  %empty_key = tensor.empty(%batch_dim) : tensor<?x2x40x64xf16>
  %key = linalg.generic {
      indexing_maps = [#sums, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_key, %bias_of_key : tensor<?x40x2x64xf32>, tensor<2x64xf16>) outs(%empty_key : tensor<?x2x40x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<?x2x40x64xf16>
  // value: 2 heads from head 10 on
  %value_sums =
    flow.dispatch.workgroups[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xf16>{%rows_dim},
      tensor<768x256xf16>,
      index
    ) -> (tensor<?x128xf32>{%rows_dim}) = (
      %tokens_in: !tokens_of_value_sums,
      %weight_in: !weight_of_value_sums,
      %rows_dim_in: index,
      %value_sums_out: !value_sums_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_value_sums{%rows_dim} -> tensor<?x256xf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [768, 256], strides = [1, 1]
      : !weight_of_value_sums -> tensor<768x256xf16>
    %none = arith.constant 0 : index
    %row_step = arith.constant 4 : index
    %column_step = arith.constant 4 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 128 : index
    %padding = arith.constant 0.0 : f16
    %no_sums = arith.constant dense<0.0> : !depth_block
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<768x256xf16>
    %one = arith.constant 1 : index
    %is_read_once = arith.cmpi eq, %row_tiles, %one : index
    %ahead = arith.select %is_read_once, %column_step, %none : index
    %empty = tensor.empty(%rows_dim) : tensor<?x128xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x128xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %of_columns = scf.for %n = %first_column to %end_column step %column_step iter_args(%of_all = %all)
        -> (tensor<?x128xf32>) {
        %n0 = affine.apply affine_map<(n) -> (n + 640)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 640, 767)>(%n)[%ahead]
        %n1 = affine.apply affine_map<(n) -> (n + 641)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 641, 767)>(%n)[%ahead]
        %n2 = affine.apply affine_map<(n) -> (n + 642)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 642, 767)>(%n)[%ahead]
        %n3 = affine.apply affine_map<(n) -> (n + 643)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 643, 767)>(%n)[%ahead]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step iter_args(%before = %of_all)
          -> (tensor<?x128xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%rows_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%rows_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%rows_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%rows_dim]
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            %left0_stored = vector.transfer_read
              %tokens[%m0, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left0 = arith.extf %left0_stored : !depth_given to !depth_lanes
            %left1_stored = vector.transfer_read
              %tokens[%m1, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left1 = arith.extf %left1_stored : !depth_given to !depth_lanes
            %left2_stored = vector.transfer_read
              %tokens[%m2, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left2 = arith.extf %left2_stored : !depth_given to !depth_lanes
            %left3_stored = vector.transfer_read
              %tokens[%m3, %k], %padding {in_bounds = [true]} : tensor<?x256xf16>, !depth_given
    %left3 = arith.extf %left3_stored : !depth_given to !depth_lanes
            %right0_stored = vector.transfer_read
              %weight[%n0, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right0 = arith.extf %right0_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right1_stored = vector.transfer_read
              %weight[%n1, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right1 = arith.extf %right1_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right2_stored = vector.transfer_read
              %weight[%n2, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right2 = arith.extf %right2_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
              : memref<768x256xf16>
            %right3_stored = vector.transfer_read
              %weight[%n3, %k], %padding {in_bounds = [true]} : tensor<768x256xf16>, !depth_given
    %right3 = arith.extf %right3_stored : !depth_given to !depth_lanes
            memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
              : memref<768x256xf16>
            %old0_0 = vector.extract %so_far[0, 0] : !depth_lanes from !depth_block
            %new0_0 = vector.fma %left0, %right0, %old0_0 : !depth_lanes
            %more_1 = vector.insert %new0_0, %so_far [0, 0]
              : !depth_lanes into !depth_block
            %old0_1 = vector.extract %so_far[0, 1] : !depth_lanes from !depth_block
            %new0_1 = vector.fma %left0, %right1, %old0_1 : !depth_lanes
            %more_2 = vector.insert %new0_1, %more_1 [0, 1]
              : !depth_lanes into !depth_block
            %old0_2 = vector.extract %so_far[0, 2] : !depth_lanes from !depth_block
            %new0_2 = vector.fma %left0, %right2, %old0_2 : !depth_lanes
            %more_3 = vector.insert %new0_2, %more_2 [0, 2]
              : !depth_lanes into !depth_block
            %old0_3 = vector.extract %so_far[0, 3] : !depth_lanes from !depth_block
            %new0_3 = vector.fma %left0, %right3, %old0_3 : !depth_lanes
            %more_4 = vector.insert %new0_3, %more_3 [0, 3]
              : !depth_lanes into !depth_block
            %old1_0 = vector.extract %so_far[1, 0] : !depth_lanes from !depth_block
            %new1_0 = vector.fma %left1, %right0, %old1_0 : !depth_lanes
            %more_5 = vector.insert %new1_0, %more_4 [1, 0]
              : !depth_lanes into !depth_block
            %old1_1 = vector.extract %so_far[1, 1] : !depth_lanes from !depth_block
            %new1_1 = vector.fma %left1, %right1, %old1_1 : !depth_lanes
            %more_6 = vector.insert %new1_1, %more_5 [1, 1]
              : !depth_lanes into !depth_block
            %old1_2 = vector.extract %so_far[1, 2] : !depth_lanes from !depth_block
            %new1_2 = vector.fma %left1, %right2, %old1_2 : !depth_lanes
            %more_7 = vector.insert %new1_2, %more_6 [1, 2]
              : !depth_lanes into !depth_block
            %old1_3 = vector.extract %so_far[1, 3] : !depth_lanes from !depth_block
            %new1_3 = vector.fma %left1, %right3, %old1_3 : !depth_lanes
            %more_8 = vector.insert %new1_3, %more_7 [1, 3]
              : !depth_lanes into !depth_block
            %old2_0 = vector.extract %so_far[2, 0] : !depth_lanes from !depth_block
            %new2_0 = vector.fma %left2, %right0, %old2_0 : !depth_lanes
            %more_9 = vector.insert %new2_0, %more_8 [2, 0]
              : !depth_lanes into !depth_block
            %old2_1 = vector.extract %so_far[2, 1] : !depth_lanes from !depth_block
            %new2_1 = vector.fma %left2, %right1, %old2_1 : !depth_lanes
            %more_10 = vector.insert %new2_1, %more_9 [2, 1]
              : !depth_lanes into !depth_block
            %old2_2 = vector.extract %so_far[2, 2] : !depth_lanes from !depth_block
            %new2_2 = vector.fma %left2, %right2, %old2_2 : !depth_lanes
            %more_11 = vector.insert %new2_2, %more_10 [2, 2]
              : !depth_lanes into !depth_block
            %old2_3 = vector.extract %so_far[2, 3] : !depth_lanes from !depth_block
            %new2_3 = vector.fma %left2, %right3, %old2_3 : !depth_lanes
            %more_12 = vector.insert %new2_3, %more_11 [2, 3]
              : !depth_lanes into !depth_block
            %old3_0 = vector.extract %so_far[3, 0] : !depth_lanes from !depth_block
            %new3_0 = vector.fma %left3, %right0, %old3_0 : !depth_lanes
            %more_13 = vector.insert %new3_0, %more_12 [3, 0]
              : !depth_lanes into !depth_block
            %old3_1 = vector.extract %so_far[3, 1] : !depth_lanes from !depth_block
            %new3_1 = vector.fma %left3, %right1, %old3_1 : !depth_lanes
            %more_14 = vector.insert %new3_1, %more_13 [3, 1]
              : !depth_lanes into !depth_block
            %old3_2 = vector.extract %so_far[3, 2] : !depth_lanes from !depth_block
            %new3_2 = vector.fma %left3, %right2, %old3_2 : !depth_lanes
            %more_15 = vector.insert %new3_2, %more_14 [3, 2]
              : !depth_lanes into !depth_block
            %old3_3 = vector.extract %so_far[3, 3] : !depth_lanes from !depth_block
            %new3_3 = vector.fma %left3, %right3, %old3_3 : !depth_lanes
            %more = vector.insert %new3_3, %more_15 [3, 3]
              : !depth_lanes into !depth_block
            scf.yield %more : !depth_block
          }
          %registers = vector.shape_cast %block : !depth_block to !depth_rows0
        %numbers_first1 = vector.extract_strided_slice %registers
          offsets = [0], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers_second1 = vector.extract_strided_slice %registers
          offsets = [8], sizes = [8], strides = [1]
          : !depth_rows0 to !depth_rows1
        %numbers_pairs1 = vector.interleave
          %numbers_first1, %numbers_second1
          : !depth_rows1 -> !depth_pairs1
        %numbers_low1 = vector.extract_strided_slice %numbers_pairs1
          offsets = [0, 0], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers_high1 = vector.extract_strided_slice %numbers_pairs1
          offsets = [0, 16], sizes = [8, 16], strides = [1, 1]
          : !depth_pairs1 to !depth_rows1
        %numbers_rows1 = arith.addf
          %numbers_low1, %numbers_high1 fastmath<none>
          : !depth_rows1
        %numbers_first2 = vector.extract_strided_slice %numbers_rows1
          offsets = [0], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers_second2 = vector.extract_strided_slice %numbers_rows1
          offsets = [4], sizes = [4], strides = [1]
          : !depth_rows1 to !depth_rows2
        %numbers_pairs2 = vector.interleave
          %numbers_first2, %numbers_second2
          : !depth_rows2 -> !depth_pairs2
        %numbers_low2 = vector.extract_strided_slice %numbers_pairs2
          offsets = [0, 0], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers_high2 = vector.extract_strided_slice %numbers_pairs2
          offsets = [0, 16], sizes = [4, 16], strides = [1, 1]
          : !depth_pairs2 to !depth_rows2
        %numbers_rows2 = arith.addf
          %numbers_low2, %numbers_high2 fastmath<none>
          : !depth_rows2
        %numbers_first3 = vector.extract_strided_slice %numbers_rows2
          offsets = [0], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers_second3 = vector.extract_strided_slice %numbers_rows2
          offsets = [2], sizes = [2], strides = [1]
          : !depth_rows2 to !depth_rows3
        %numbers_pairs3 = vector.interleave
          %numbers_first3, %numbers_second3
          : !depth_rows3 -> !depth_pairs3
        %numbers_low3 = vector.extract_strided_slice %numbers_pairs3
          offsets = [0, 0], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers_high3 = vector.extract_strided_slice %numbers_pairs3
          offsets = [0, 16], sizes = [2, 16], strides = [1, 1]
          : !depth_pairs3 to !depth_rows3
        %numbers_rows3 = arith.addf
          %numbers_low3, %numbers_high3 fastmath<none>
          : !depth_rows3
        %numbers_first4 = vector.extract_strided_slice %numbers_rows3
          offsets = [0], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers_second4 = vector.extract_strided_slice %numbers_rows3
          offsets = [1], sizes = [1], strides = [1]
          : !depth_rows3 to !depth_rows4
        %numbers_pairs4 = vector.interleave
          %numbers_first4, %numbers_second4
          : !depth_rows4 -> !depth_pairs4
        %numbers_low4 = vector.extract_strided_slice %numbers_pairs4
          offsets = [0, 0], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers_high4 = vector.extract_strided_slice %numbers_pairs4
          offsets = [0, 16], sizes = [1, 16], strides = [1, 1]
          : !depth_pairs4 to !depth_rows4
        %numbers_rows4 = arith.addf
          %numbers_low4, %numbers_high4 fastmath<none>
          : !depth_rows4
        %numbers_turned = vector.transpose %numbers_rows4, [1, 0]
          : !depth_rows4 to !depth_turned
        %numbers = vector.shape_cast %numbers_turned
          : !depth_turned to !depth_numbers
          %numbers_of_block = vector.shape_cast %numbers : !depth_numbers to !depth_sums
          %row0 = vector.extract %numbers_of_block[0] : !depth_row from !depth_sums
          %after_1 = vector.transfer_write %row0, %before[%m0, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          %row1 = vector.extract %numbers_of_block[1] : !depth_row from !depth_sums
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          %row2 = vector.extract %numbers_of_block[2] : !depth_row from !depth_sums
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          %row3 = vector.extract %numbers_of_block[3] : !depth_row from !depth_sums
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x128xf32>
          scf.yield %after : tensor<?x128xf32>
        }
        scf.yield %of_rows : tensor<?x128xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 128] [1, 1]
          : tensor<?x128xf32> into tensor<?x128xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %value_sums_out,
      offsets = [0, 0], sizes = [%rows_dim, 128], strides = [1, 1]
      : tensor<?x128xf32> -> !value_sums_out{%rows_dim}
    flow.return
  } count(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  %acc_of_value = tensor.expand_shape %value_sums [[0, 1], [2, 3]] output_shape [%batch_dim, 40, 2, 64] : tensor<?x128xf32> into tensor<?x40x2x64xf32>
  %bias_of_value = tensor.extract_slice %head_bias[10, 0] [2, 64] [1, 1] : !head_bias to tensor<2x64xf16>
  %empty_value = tensor.empty(%batch_dim) : tensor<?x2x40x64xf16>
  %value = linalg.generic {
      indexing_maps = [#sums, #bias, #heads],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%acc_of_value, %bias_of_value : tensor<?x40x2x64xf32>, tensor<2x64xf16>) outs(%empty_value : tensor<?x2x40x64xf16>) {
  ^bb0(%sum: f32, %shift_stored: f16, %unused: f16):
    %shift = arith.extf %shift_stored : f16 to f32
    %shifted = arith.addf %sum, %shift : f32
    %shifted_stored = arith.truncf %shifted : f32 to f16
    linalg.yield %shifted_stored : f16
  } -> tensor<?x2x40x64xf16>
  return %query, %key, %value : !query, !key, !value
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @qkv_projection$async(
    %hidden: !hidden,
    %weight: !weight,
    %bias: !bias
  ) -> (!query, !key, !value) attributes {iree.abi.model = "coarse-fences"} {
  %query, %key, %value = func.call @qkv_projection(%hidden, %weight, %bias)
    : (!hidden, !weight, !bias) -> (!query, !key, !value)
  util.return %query, %key, %value : !query, !key, !value
}
