// heads · weightᵀ, head by head.
// h head, m token, n column of the output, k column of what goes in
!heads = tensor<?x4x1x32xf32>
!weight = tensor<4x64x32xf32>
!projected = tensor<?x4x1x64xf32>
!rows_of_heads = tensor<?x4x32xf32>
!acc = tensor<?x4x64xf32>
!rows = tensor<?x4x64xf32>
!weight_rows = tensor<256x32xf32>
!depth_given = vector<16xf32>
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
!rows_of_heads_of_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4x32xf32>>
!weight_rows_of_sums = !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x32xf32>>
!sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x256xf32>>
#rows = affine_map<(m, h, n) -> (m, h, n)>

func.func @head_projection(%heads_given: !heads, %weight: !weight) -> !projected {
  %batch_axis = arith.constant 0 : index
  %batch_given = tensor.dim %heads_given, %batch_axis : !heads
  %batch_dim = util.assume.int %batch_given
    <umin = 1, umax = 9, udiv = 1> : index
  %heads = flow.tensor.tie_shape %heads_given
    : !heads{%batch_dim}
  %rows_of_heads = tensor.collapse_shape %heads [[0], [1, 2], [3]] : !heads into !rows_of_heads
  %weight_rows = tensor.collapse_shape %weight [[0, 1], [2]] : !weight into !weight_rows
  %sums =
    flow.dispatch.workgroups[%batch_dim](
      %rows_of_heads, %weight_rows, %batch_dim
    ) : (
      tensor<?x4x32xf32>{%batch_dim},
      tensor<256x32xf32>,
      index
    ) -> (tensor<?x256xf32>{%batch_dim}) = (
      %rows_of_heads_in: !rows_of_heads_of_sums,
      %weight_rows_in: !weight_rows_of_sums,
      %batch_dim_in: index,
      %sums_out: !sums_out
    ) {
    %batch_dim = iree_tensor_ext.dispatch.workload.ordinal %batch_dim_in, 0 : index
    %rows_of_heads = iree_tensor_ext.dispatch.tensor.load %rows_of_heads_in,
      offsets = [0, 0, 0], sizes = [%batch_dim, 4, 32], strides = [1, 1, 1]
      : !rows_of_heads_of_sums{%batch_dim} -> tensor<?x4x32xf32>
    %weight_rows = iree_tensor_ext.dispatch.tensor.load %weight_rows_in,
      offsets = [0, 0], sizes = [256, 32], strides = [1, 1]
      : !weight_rows_of_sums -> tensor<256x32xf32>
    %none = arith.constant 0 : index
    %row_step = arith.constant 4 : index
    %column_step = arith.constant 4 : index
    %depth = arith.constant 32 : index
    %depth_step = arith.constant 16 : index
    %columns = arith.constant 256 : index
    %padding = arith.constant 0.0 : f32
    %no_sums = arith.constant dense<0.0> : !depth_block
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 32)>()[%batch_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 16)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<256x32xf32>
    %one = arith.constant 1 : index
    %is_read_once = arith.cmpi eq, %row_tiles, %one : index
    %ahead = arith.select %is_read_once, %column_step, %none : index
    %empty = tensor.empty(%batch_dim) : tensor<?x256xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x256xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 32)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 32, m)>(%first_row)[%batch_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 16)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 16, n)>(%first_column)[%columns]
      %head = affine.apply affine_map<(n) -> (n floordiv 64)>(%first_column)
      %of_columns = scf.for %n = %first_column to %end_column step %column_step iter_args(%of_all = %all)
        -> (tensor<?x256xf32>) {
        %n0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %next0 = affine.min
          affine_map<(n)[a] -> (n + a + 0, 255)>(%n)[%ahead]
        %n1 = affine.apply affine_map<(n) -> (n + 1)>(%n)
        %next1 = affine.min
          affine_map<(n)[a] -> (n + a + 1, 255)>(%n)[%ahead]
        %n2 = affine.apply affine_map<(n) -> (n + 2)>(%n)
        %next2 = affine.min
          affine_map<(n)[a] -> (n + a + 2, 255)>(%n)[%ahead]
        %n3 = affine.apply affine_map<(n) -> (n + 3)>(%n)
        %next3 = affine.min
          affine_map<(n)[a] -> (n + a + 3, 255)>(%n)[%ahead]
        %of_rows = scf.for %m = %first_row to %end_row step %row_step iter_args(%before = %of_all)
          -> (tensor<?x256xf32>) {
          %m0 = affine.min
            affine_map<(m)[c] -> (m + 0, c - 1)>(%m)[%batch_dim]
          %m1 = affine.min
            affine_map<(m)[c] -> (m + 1, c - 1)>(%m)[%batch_dim]
          %m2 = affine.min
            affine_map<(m)[c] -> (m + 2, c - 1)>(%m)[%batch_dim]
          %m3 = affine.min
            affine_map<(m)[c] -> (m + 3, c - 1)>(%m)[%batch_dim]
          %block = scf.for %k = %none to %depth step %depth_step iter_args(%so_far = %no_sums)
            -> (!depth_block) {
            %left0 = vector.transfer_read
              %rows_of_heads[%m0, %head, %k], %padding {in_bounds = [true]} : tensor<?x4x32xf32>, !depth_given
            %left1 = vector.transfer_read
              %rows_of_heads[%m1, %head, %k], %padding {in_bounds = [true]} : tensor<?x4x32xf32>, !depth_given
            %left2 = vector.transfer_read
              %rows_of_heads[%m2, %head, %k], %padding {in_bounds = [true]} : tensor<?x4x32xf32>, !depth_given
            %left3 = vector.transfer_read
              %rows_of_heads[%m3, %head, %k], %padding {in_bounds = [true]} : tensor<?x4x32xf32>, !depth_given
            %right0 = vector.transfer_read
              %weight_rows[%n0, %k], %padding {in_bounds = [true]} : tensor<256x32xf32>, !depth_given
            memref.prefetch %weight_memory[%next0, %k], read, locality<2>, data
              : memref<256x32xf32>
            %right1 = vector.transfer_read
              %weight_rows[%n1, %k], %padding {in_bounds = [true]} : tensor<256x32xf32>, !depth_given
            memref.prefetch %weight_memory[%next1, %k], read, locality<2>, data
              : memref<256x32xf32>
            %right2 = vector.transfer_read
              %weight_rows[%n2, %k], %padding {in_bounds = [true]} : tensor<256x32xf32>, !depth_given
            memref.prefetch %weight_memory[%next2, %k], read, locality<2>, data
              : memref<256x32xf32>
            %right3 = vector.transfer_read
              %weight_rows[%n3, %k], %padding {in_bounds = [true]} : tensor<256x32xf32>, !depth_given
            memref.prefetch %weight_memory[%next3, %k], read, locality<2>, data
              : memref<256x32xf32>
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
            {in_bounds = [true]} : !depth_row, tensor<?x256xf32>
          %row1 = vector.extract %numbers_of_block[1] : !depth_row from !depth_sums
          %after_2 = vector.transfer_write %row1, %after_1[%m1, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x256xf32>
          %row2 = vector.extract %numbers_of_block[2] : !depth_row from !depth_sums
          %after_3 = vector.transfer_write %row2, %after_2[%m2, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x256xf32>
          %row3 = vector.extract %numbers_of_block[3] : !depth_row from !depth_sums
          %after = vector.transfer_write %row3, %after_3[%m3, %n]
            {in_bounds = [true]} : !depth_row, tensor<?x256xf32>
          scf.yield %after : tensor<?x256xf32>
        }
        scf.yield %of_rows : tensor<?x256xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%batch_dim, 256] [1, 1]
          : tensor<?x256xf32> into tensor<?x256xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %sums_out,
      offsets = [0, 0], sizes = [%batch_dim, 256], strides = [1, 1]
      : tensor<?x256xf32> -> !sums_out{%batch_dim}
    flow.return
  } count(%batch_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%batch_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  %acc = tensor.expand_shape %sums [[0], [1, 2]] output_shape [%batch_dim, 4, 64] : tensor<?x256xf32> into !acc
  %empty = tensor.empty(%batch_dim) : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f32):

    linalg.yield %sum : f32
  } -> !rows
  %projected = tensor.expand_shape %rows [[0], [1, 2], [3]] output_shape [%batch_dim, 4, 1, 64] : !rows into !projected
  return %projected : !projected
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @head_projection$async(
    %heads: !heads,
    %weight: !weight
  ) -> (!projected) attributes {iree.abi.model = "coarse-fences"} {
  %projected = func.call @head_projection(%heads, %weight)
    : (!heads, !weight) -> (!projected)
  util.return %projected : !projected
}
