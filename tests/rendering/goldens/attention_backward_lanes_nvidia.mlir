// The gradient of attention: a kernel of keys and one of queries, of lanes. Both make scores anew, their
// weights by the log-sum-exp, and products with these.
!query = tensor<1x4x37x64xf16>
!key = tensor<1x1x53x64xf16>
!value = tensor<1x1x53x64xf16>
!output = tensor<1x4x37x64xf16>
!lse = tensor<1x4x37xf32>
!output_gradient = tensor<1x4x37x64xf16>
!sinks = tensor<4xf32>
!query_gradient = tensor<1x4x37x64xf16>
!key_gradient = tensor<1x1x53x64xf16>
!value_gradient = tensor<1x1x53x64xf16>
!sinks_gradient = tensor<4xf32>
!row_numbers = tensor<1x4x37xf32>
#values = affine_map<(b, h, m, n) -> (b, h, m, n)>
#value_row = affine_map<(b, h, m, n) -> (b, h, m)>
#head = affine_map<(h, b, m) -> (h)>
#row_of_head = affine_map<(h, b, m) -> (b, h, m)>
!query_rows = tensor<148x64xf16>
!query_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<148x64xf16>>
!key_rows = tensor<53x64xf16>
!key_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<53x64xf16>>
!value_rows = tensor<53x64xf16>
!value_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<53x64xf16>>
!output_rows = tensor<148x64xf16>
!output_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<148x64xf16>>
!lse_rows = tensor<148xf32>
!lse_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<148xf32>>
!output_gradient_rows = tensor<148x64xf16>
!output_gradient_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<148x64xf16>>
!delta_rows = tensor<148x4xf32>
!delta_rows_in = !iree_tensor_ext.dispatch.tensor<readonly:tensor<148x4xf32>>
!query_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<148x64xf16>>
!value_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<53x64xf16>>
!key_gradient_rows_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<53x64xf16>>
!tile = tensor<?x64xf16>
!own_tile = tensor<?x16xf16>
!delta_rows_out =
  !iree_tensor_ext.dispatch.tensor<writeonly:tensor<148x4xf32>>
!delta_tile = tensor<?x4xf32>
!own_delta = tensor<?x1xf32>
!chunk_f32 = vector<8xf32>
!access = vector<8xf16>
!fetched = vector<2x8xf16>
!pair = vector<2xf16>
!chunk = vector<8xf16>
!row_parts = vector<2x2x2xf16>
!own_parts =
  vector<1x2x2x2x2xf16>
!own_turned =
  vector<1x2x2x2x2xf16>
!own_operand =
  vector<1x2x4x2xf16>
!step_operand = vector<1x2x2x2xf16>
!column_part = vector<2xf16>
!column_parts = vector<2x2xf16>
!columns_operand = vector<1x1x2x2xf16>
!weights_operand = vector<1x1x4x2xf16>
!sums = vector<1x1x2x2xf32>
!own_f32 = vector<2xf32>
!score_tile = vector<2x2xf32>
!scores = vector<2x2x2xf32>
!scores_flat = vector<8xf32>
!score_bits = vector<2x2x2xi32>
!is_seen = vector<2x2x2xi1>
!row_bits = vector<2x1xi32>
!row_numbers_of_lane = vector<2x1xf32>
!stored_scores = vector<2x2x2xf16>
!stored_by_row = vector<2x2x2xf16>
!acc = vector<8x1x1x2x2xf32>
!acc_by_column = vector<8x2x2xf32>
!acc_by_row = vector<2x8x2xf32>
!result_rows = vector<2x16xf32>
!stored_rows = vector<2x16xf16>
!matrices = vector<4x2xf16>
!two_columns = vector<2x2x2xf16>
!stored_row = vector<16xf16>
!row_pairs = vector<8xi32>
!query_there = memref<148x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!key_there = memref<53x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!value_there = memref<53x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!output_gradient_there = memref<148x64xf16, strided<[?, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
!own_lds = memref<64x80xf16, #gpu.address_space<workgroup>>
!rows_lds = memref<64x72xf16,
  #gpu.address_space<workgroup>>
!columns_lds = memref<64x40xf16, #gpu.address_space<workgroup>>
!numbers_lds = memref<4x32xf32, #gpu.address_space<workgroup>>
// i row and j column of a product, k depth
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#product = affine_map<(i, j, k) -> (i, j)>
#parallel = #linalg.iterator_type<parallel>
#reduction = #linalg.iterator_type<reduction>
#lanes = #iree_codegen.translation_info<
  pipeline = #iree_gpu.pipeline<TileAndFuse>
  workgroup_size = [128, 1, 1] subgroup_size = 32,
  {gpu_pipeline_options = #iree_gpu.pipeline_options<no_reduce_shared_memory_bank_conflicts = true>,
   iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>

flow.executable private @attention_backward_of_queries {
  flow.executable.export public @attention_backward_of_queries
      workgroups() -> (index, index, index) {
    %own_count = arith.constant 37 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %heads = arith.constant 4 : index
    %sequences = arith.constant 1 : index
    flow.return %heads, %blocks, %sequences : index, index, index
  }
  builtin.module {
  func.func @attention_backward_of_queries(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %output_rows_in: !output_rows_in,
      %lse_rows_in: !lse_rows_in,
      %output_gradient_rows_in: !output_gradient_rows_in,
      %delta_rows_out: !delta_rows_out,
      %query_gradient_rows_out: !query_gradient_rows_out
    ) attributes {translation_info = #lanes} {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %chunk_tokens = arith.constant 16 : index
    %step_tokens = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %minus_unit = arith.constant -1.4426950408889634 : f32
    %no_element = arith.constant 0.0 : f16
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [148, 64], strides = [1, 1]
      : !query_rows_in -> !query_rows
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !key_rows_in -> !key_rows
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !value_rows_in -> !value_rows
    %output_rows = iree_tensor_ext.dispatch.tensor.load %output_rows_in,
      offsets = [0, 0], sizes = [148, 64], strides = [1, 1]
      : !output_rows_in -> !output_rows
    %lse_rows = iree_tensor_ext.dispatch.tensor.load %lse_rows_in,
      offsets = [0], sizes = [148], strides = [1]
      : !lse_rows_in -> !lse_rows
    %output_gradient_rows = iree_tensor_ext.dispatch.tensor.load %output_gradient_rows_in,
      offsets = [0, 0], sizes = [148, 64], strides = [1, 1]
      : !output_gradient_rows_in -> !output_gradient_rows
    %key_there = bufferization.to_buffer %key_rows read_only
      : !key_rows to !key_there
    %value_there = bufferization.to_buffer %value_rows read_only
      : !value_rows to !value_there
    %own_count = arith.constant 37 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %block_any = flow.dispatch.workgroup.id[1] : index
    // The last queries see most keys: they begin.
    %block = affine.apply affine_map<(i)[n] -> (n - 1 - i)>(%block_any)[%blocks]
    %x = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %row_0 = affine.apply affine_map<(i) -> (i * 64)>(%block)
    %own_len = arith.constant 37 : index
    %step_len = arith.constant 53 : index
    %shift = arith.constant 16 : index
    %last_token = arith.constant 52 : index
    %own_base = affine.apply affine_map<(b, x, r)
      -> ((b * 4 + x) * 37 + r)>(%b, %x, %row_0)
    %rows_to_end = affine.min affine_map<(r, n) -> (64, n - r)>(%row_0, %own_len)
    %rows_here = arith.maxsi %rows_to_end, %none : index
    %first_head = affine.apply affine_map<(x) -> (x floordiv 4)>(%x)
    %begin = arith.constant 0 : index
    %end = affine.min affine_map<(r, n, s, l) -> (r + n + s + 0, l)>(
      %row_0, %rows_here, %shift, %step_len)
    %steps_any = affine.apply affine_map<(f, e) -> ((e - f) ceildiv 32)>(%begin, %end)
    %steps_of_head = arith.maxsi %steps_any, %none : index
    %steps = affine.apply affine_map<(n) -> (n * 1)>(%steps_of_head)
    %key_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %value_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %empty0 = tensor.empty(%rows_here) : !tile
    %empty_delta = tensor.empty(%rows_here) : !delta_tile
    %delta_rows_made, %query_gradient_rows_made =
      scf.forall (%lane) in (128)
        shared_outs(
          %tile_delta = %empty_delta,
          %tile0 = %empty0
        ) -> (!delta_tile, !tile) {
      %wave, %index, %group = affine.delinearize_index %lane into (4, 8, 4)
        : index, index, index
      %distance1 = arith.constant 1 : i32
      %distance2 = arith.constant 2 : i32
      %wave_size = arith.constant 32 : i32
      %first_row =
        affine.apply affine_map<(w, i) -> (w * 16 + i * 2)>(%wave, %index)
      %chunk_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %no_own = arith.constant dense<0.0> : !own_parts
      %own_row0 = affine.min affine_map<(r, n) -> (r + 0, n - 1)>(%first_row, %rows_here)
      %own_place0 = arith.addi %own_base, %own_row0 : index
      %own_row1 = affine.min affine_map<(r, n) -> (r + 1, n - 1)>(%first_row, %rows_here)
      %own_place1 = arith.addi %own_base, %own_row1 : index
      %column0 = affine.apply affine_map<(c) -> (c + 0)>(%chunk_column)
      %column0_0 = affine.apply affine_map<(g) -> (g * 2 + 0)>(%group)
      %column0_1 = affine.apply affine_map<(g) -> (g * 2 + 8)>(%group)
      %column0_2 = affine.apply affine_map<(g) -> (g * 2 + 16)>(%group)
      %column0_3 = affine.apply affine_map<(g) -> (g * 2 + 24)>(%group)
      %column1 = affine.apply affine_map<(c) -> (c + 32)>(%chunk_column)
      %column1_0 = affine.apply affine_map<(g) -> (g * 2 + 32)>(%group)
      %column1_1 = affine.apply affine_map<(g) -> (g * 2 + 40)>(%group)
      %column1_2 = affine.apply affine_map<(g) -> (g * 2 + 48)>(%group)
      %column1_3 = affine.apply affine_map<(g) -> (g * 2 + 56)>(%group)
      %query_read0_0_none = arith.constant dense<0.0> : !matrices
      %query_read0_0_pair0 =
        vector.transfer_read %query_rows[%own_place0, %column0_0],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_0_pairs_1 = vector.insert %query_read0_0_pair0, %query_read0_0_none[0] : !pair into !matrices
      %query_read0_0_pair1 =
        vector.transfer_read %query_rows[%own_place0, %column0_1],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_0_pairs_2 = vector.insert %query_read0_0_pair1, %query_read0_0_pairs_1[1] : !pair into !matrices
      %query_read0_0_pair2 =
        vector.transfer_read %query_rows[%own_place0, %column0_2],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_0_pairs_3 = vector.insert %query_read0_0_pair2, %query_read0_0_pairs_2[2] : !pair into !matrices
      %query_read0_0_pair3 =
        vector.transfer_read %query_rows[%own_place0, %column0_3],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_0_pairs = vector.insert %query_read0_0_pair3, %query_read0_0_pairs_3[3] : !pair into !matrices
      %query_read0_0 = vector.shape_cast %query_read0_0_pairs : !matrices to !chunk
      %query_read1_0_none = arith.constant dense<0.0> : !matrices
      %query_read1_0_pair0 =
        vector.transfer_read %query_rows[%own_place1, %column0_0],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_0_pairs_1 = vector.insert %query_read1_0_pair0, %query_read1_0_none[0] : !pair into !matrices
      %query_read1_0_pair1 =
        vector.transfer_read %query_rows[%own_place1, %column0_1],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_0_pairs_2 = vector.insert %query_read1_0_pair1, %query_read1_0_pairs_1[1] : !pair into !matrices
      %query_read1_0_pair2 =
        vector.transfer_read %query_rows[%own_place1, %column0_2],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_0_pairs_3 = vector.insert %query_read1_0_pair2, %query_read1_0_pairs_2[2] : !pair into !matrices
      %query_read1_0_pair3 =
        vector.transfer_read %query_rows[%own_place1, %column0_3],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_0_pairs = vector.insert %query_read1_0_pair3, %query_read1_0_pairs_3[3] : !pair into !matrices
      %query_read1_0 = vector.shape_cast %query_read1_0_pairs : !matrices to !chunk
            %query_parts0_0 = vector.shape_cast %query_read0_0
              : !chunk to !row_parts
            %query_rows0_1 = vector.insert
              %query_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_parts1_0 = vector.shape_cast %query_read1_0
              : !chunk to !row_parts
            %query_rows0 = vector.insert
              %query_parts1_0, %query_rows0_1[0, 1]
              : !row_parts into !own_parts
            %query_turned0 = vector.transpose %query_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own0 = vector.shape_cast %query_turned0
              : !own_turned to !own_operand
      %query_read0_1_none = arith.constant dense<0.0> : !matrices
      %query_read0_1_pair0 =
        vector.transfer_read %query_rows[%own_place0, %column1_0],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_1_pairs_1 = vector.insert %query_read0_1_pair0, %query_read0_1_none[0] : !pair into !matrices
      %query_read0_1_pair1 =
        vector.transfer_read %query_rows[%own_place0, %column1_1],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_1_pairs_2 = vector.insert %query_read0_1_pair1, %query_read0_1_pairs_1[1] : !pair into !matrices
      %query_read0_1_pair2 =
        vector.transfer_read %query_rows[%own_place0, %column1_2],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_1_pairs_3 = vector.insert %query_read0_1_pair2, %query_read0_1_pairs_2[2] : !pair into !matrices
      %query_read0_1_pair3 =
        vector.transfer_read %query_rows[%own_place0, %column1_3],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read0_1_pairs = vector.insert %query_read0_1_pair3, %query_read0_1_pairs_3[3] : !pair into !matrices
      %query_read0_1 = vector.shape_cast %query_read0_1_pairs : !matrices to !chunk
      %query_read1_1_none = arith.constant dense<0.0> : !matrices
      %query_read1_1_pair0 =
        vector.transfer_read %query_rows[%own_place1, %column1_0],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_1_pairs_1 = vector.insert %query_read1_1_pair0, %query_read1_1_none[0] : !pair into !matrices
      %query_read1_1_pair1 =
        vector.transfer_read %query_rows[%own_place1, %column1_1],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_1_pairs_2 = vector.insert %query_read1_1_pair1, %query_read1_1_pairs_1[1] : !pair into !matrices
      %query_read1_1_pair2 =
        vector.transfer_read %query_rows[%own_place1, %column1_2],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_1_pairs_3 = vector.insert %query_read1_1_pair2, %query_read1_1_pairs_2[2] : !pair into !matrices
      %query_read1_1_pair3 =
        vector.transfer_read %query_rows[%own_place1, %column1_3],
        %no_element {in_bounds = [true]} : !query_rows, !pair
      %query_read1_1_pairs = vector.insert %query_read1_1_pair3, %query_read1_1_pairs_3[3] : !pair into !matrices
      %query_read1_1 = vector.shape_cast %query_read1_1_pairs : !matrices to !chunk
            %query_parts0_1 = vector.shape_cast %query_read0_1
              : !chunk to !row_parts
            %query_rows1_1 = vector.insert
              %query_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %query_parts1_1 = vector.shape_cast %query_read1_1
              : !chunk to !row_parts
            %query_rows1 = vector.insert
              %query_parts1_1, %query_rows1_1[0, 1]
              : !row_parts into !own_parts
            %query_turned1 = vector.transpose %query_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %query_own1 = vector.shape_cast %query_turned1
              : !own_turned to !own_operand
      %output_gradient_read0_0_none = arith.constant dense<0.0> : !matrices
      %output_gradient_read0_0_pair0 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column0_0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_0_pairs_1 = vector.insert %output_gradient_read0_0_pair0, %output_gradient_read0_0_none[0] : !pair into !matrices
      %output_gradient_read0_0_pair1 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column0_1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_0_pairs_2 = vector.insert %output_gradient_read0_0_pair1, %output_gradient_read0_0_pairs_1[1] : !pair into !matrices
      %output_gradient_read0_0_pair2 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column0_2],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_0_pairs_3 = vector.insert %output_gradient_read0_0_pair2, %output_gradient_read0_0_pairs_2[2] : !pair into !matrices
      %output_gradient_read0_0_pair3 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column0_3],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_0_pairs = vector.insert %output_gradient_read0_0_pair3, %output_gradient_read0_0_pairs_3[3] : !pair into !matrices
      %output_gradient_read0_0 = vector.shape_cast %output_gradient_read0_0_pairs : !matrices to !chunk
      %output_gradient_read1_0_none = arith.constant dense<0.0> : !matrices
      %output_gradient_read1_0_pair0 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column0_0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_0_pairs_1 = vector.insert %output_gradient_read1_0_pair0, %output_gradient_read1_0_none[0] : !pair into !matrices
      %output_gradient_read1_0_pair1 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column0_1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_0_pairs_2 = vector.insert %output_gradient_read1_0_pair1, %output_gradient_read1_0_pairs_1[1] : !pair into !matrices
      %output_gradient_read1_0_pair2 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column0_2],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_0_pairs_3 = vector.insert %output_gradient_read1_0_pair2, %output_gradient_read1_0_pairs_2[2] : !pair into !matrices
      %output_gradient_read1_0_pair3 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column0_3],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_0_pairs = vector.insert %output_gradient_read1_0_pair3, %output_gradient_read1_0_pairs_3[3] : !pair into !matrices
      %output_gradient_read1_0 = vector.shape_cast %output_gradient_read1_0_pairs : !matrices to !chunk
            %output_gradient_parts0_0 = vector.shape_cast %output_gradient_read0_0
              : !chunk to !row_parts
            %output_gradient_rows0_1 = vector.insert
              %output_gradient_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_parts1_0 = vector.shape_cast %output_gradient_read1_0
              : !chunk to !row_parts
            %output_gradient_rows0 = vector.insert
              %output_gradient_parts1_0, %output_gradient_rows0_1[0, 1]
              : !row_parts into !own_parts
            %output_gradient_turned0 = vector.transpose %output_gradient_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own0 = vector.shape_cast %output_gradient_turned0
              : !own_turned to !own_operand
      %output_gradient_read0_1_none = arith.constant dense<0.0> : !matrices
      %output_gradient_read0_1_pair0 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column1_0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_1_pairs_1 = vector.insert %output_gradient_read0_1_pair0, %output_gradient_read0_1_none[0] : !pair into !matrices
      %output_gradient_read0_1_pair1 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column1_1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_1_pairs_2 = vector.insert %output_gradient_read0_1_pair1, %output_gradient_read0_1_pairs_1[1] : !pair into !matrices
      %output_gradient_read0_1_pair2 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column1_2],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_1_pairs_3 = vector.insert %output_gradient_read0_1_pair2, %output_gradient_read0_1_pairs_2[2] : !pair into !matrices
      %output_gradient_read0_1_pair3 =
        vector.transfer_read %output_gradient_rows[%own_place0, %column1_3],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read0_1_pairs = vector.insert %output_gradient_read0_1_pair3, %output_gradient_read0_1_pairs_3[3] : !pair into !matrices
      %output_gradient_read0_1 = vector.shape_cast %output_gradient_read0_1_pairs : !matrices to !chunk
      %output_gradient_read1_1_none = arith.constant dense<0.0> : !matrices
      %output_gradient_read1_1_pair0 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column1_0],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_1_pairs_1 = vector.insert %output_gradient_read1_1_pair0, %output_gradient_read1_1_none[0] : !pair into !matrices
      %output_gradient_read1_1_pair1 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column1_1],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_1_pairs_2 = vector.insert %output_gradient_read1_1_pair1, %output_gradient_read1_1_pairs_1[1] : !pair into !matrices
      %output_gradient_read1_1_pair2 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column1_2],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_1_pairs_3 = vector.insert %output_gradient_read1_1_pair2, %output_gradient_read1_1_pairs_2[2] : !pair into !matrices
      %output_gradient_read1_1_pair3 =
        vector.transfer_read %output_gradient_rows[%own_place1, %column1_3],
        %no_element {in_bounds = [true]} : !output_gradient_rows, !pair
      %output_gradient_read1_1_pairs = vector.insert %output_gradient_read1_1_pair3, %output_gradient_read1_1_pairs_3[3] : !pair into !matrices
      %output_gradient_read1_1 = vector.shape_cast %output_gradient_read1_1_pairs : !matrices to !chunk
            %output_gradient_parts0_1 = vector.shape_cast %output_gradient_read0_1
              : !chunk to !row_parts
            %output_gradient_rows1_1 = vector.insert
              %output_gradient_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %output_gradient_parts1_1 = vector.shape_cast %output_gradient_read1_1
              : !chunk to !row_parts
            %output_gradient_rows1 = vector.insert
              %output_gradient_parts1_1, %output_gradient_rows1_1[0, 1]
              : !row_parts into !own_parts
            %output_gradient_turned1 = vector.transpose %output_gradient_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %output_gradient_own1 = vector.shape_cast %output_gradient_turned1
              : !own_turned to !own_operand
      %own_number0 = affine.apply affine_map<(p) -> (p)>(%own_place0)
      %lse0 = tensor.extract %lse_rows[%own_number0] : !lse_rows
        %base0_any = arith.mulf %lse0, %minus_unit : f32
        %base0_is_empty = arith.cmpf oeq, %lse0, %minus_inf : f32
        %base0 = arith.select %base0_is_empty, %minus_inf, %base0_any : f32
      %delta_none0 = arith.constant dense<0.0> : !chunk_f32
      %output_read0_0_none = arith.constant dense<0.0> : !matrices
      %output_read0_0_pair0 =
        vector.transfer_read %output_rows[%own_place0, %column0_0],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_0_pairs_1 = vector.insert %output_read0_0_pair0, %output_read0_0_none[0] : !pair into !matrices
      %output_read0_0_pair1 =
        vector.transfer_read %output_rows[%own_place0, %column0_1],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_0_pairs_2 = vector.insert %output_read0_0_pair1, %output_read0_0_pairs_1[1] : !pair into !matrices
      %output_read0_0_pair2 =
        vector.transfer_read %output_rows[%own_place0, %column0_2],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_0_pairs_3 = vector.insert %output_read0_0_pair2, %output_read0_0_pairs_2[2] : !pair into !matrices
      %output_read0_0_pair3 =
        vector.transfer_read %output_rows[%own_place0, %column0_3],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_0_pairs = vector.insert %output_read0_0_pair3, %output_read0_0_pairs_3[3] : !pair into !matrices
      %output_read0_0 = vector.shape_cast %output_read0_0_pairs : !matrices to !chunk
      %output_read0_0_f32 = arith.extf %output_read0_0 : !chunk to !chunk_f32
      %output_read0_0_given = arith.extf %output_gradient_read0_0 : !chunk to !chunk_f32
      %delta_columns0_1 = math.fma %output_read0_0_f32, %output_read0_0_given, %delta_none0 : !chunk_f32
      %output_read0_1_none = arith.constant dense<0.0> : !matrices
      %output_read0_1_pair0 =
        vector.transfer_read %output_rows[%own_place0, %column1_0],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_1_pairs_1 = vector.insert %output_read0_1_pair0, %output_read0_1_none[0] : !pair into !matrices
      %output_read0_1_pair1 =
        vector.transfer_read %output_rows[%own_place0, %column1_1],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_1_pairs_2 = vector.insert %output_read0_1_pair1, %output_read0_1_pairs_1[1] : !pair into !matrices
      %output_read0_1_pair2 =
        vector.transfer_read %output_rows[%own_place0, %column1_2],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_1_pairs_3 = vector.insert %output_read0_1_pair2, %output_read0_1_pairs_2[2] : !pair into !matrices
      %output_read0_1_pair3 =
        vector.transfer_read %output_rows[%own_place0, %column1_3],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read0_1_pairs = vector.insert %output_read0_1_pair3, %output_read0_1_pairs_3[3] : !pair into !matrices
      %output_read0_1 = vector.shape_cast %output_read0_1_pairs : !matrices to !chunk
      %output_read0_1_f32 = arith.extf %output_read0_1 : !chunk to !chunk_f32
      %output_read0_1_given = arith.extf %output_gradient_read0_1 : !chunk to !chunk_f32
      %delta_columns0 = math.fma %output_read0_1_f32, %output_read0_1_given, %delta_columns0_1 : !chunk_f32
      %delta_own0 = vector.reduction <add>, %delta_columns0 fastmath<reassoc>
        : !chunk_f32 into f32
      %delta_there0_1, %delta_is_there0_1 =
        gpu.shuffle xor %delta_own0, %distance1, %wave_size : f32
      %delta0_1 = arith.addf %delta_own0, %delta_there0_1 : f32
      %delta_there0_2, %delta_is_there0_2 =
        gpu.shuffle xor %delta0_1, %distance2, %wave_size : f32
      %delta0 = arith.addf %delta0_1, %delta_there0_2 : f32
      %own_number1 = affine.apply affine_map<(p) -> (p)>(%own_place1)
      %lse1 = tensor.extract %lse_rows[%own_number1] : !lse_rows
        %base1_any = arith.mulf %lse1, %minus_unit : f32
        %base1_is_empty = arith.cmpf oeq, %lse1, %minus_inf : f32
        %base1 = arith.select %base1_is_empty, %minus_inf, %base1_any : f32
      %delta_none1 = arith.constant dense<0.0> : !chunk_f32
      %output_read1_0_none = arith.constant dense<0.0> : !matrices
      %output_read1_0_pair0 =
        vector.transfer_read %output_rows[%own_place1, %column0_0],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_0_pairs_1 = vector.insert %output_read1_0_pair0, %output_read1_0_none[0] : !pair into !matrices
      %output_read1_0_pair1 =
        vector.transfer_read %output_rows[%own_place1, %column0_1],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_0_pairs_2 = vector.insert %output_read1_0_pair1, %output_read1_0_pairs_1[1] : !pair into !matrices
      %output_read1_0_pair2 =
        vector.transfer_read %output_rows[%own_place1, %column0_2],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_0_pairs_3 = vector.insert %output_read1_0_pair2, %output_read1_0_pairs_2[2] : !pair into !matrices
      %output_read1_0_pair3 =
        vector.transfer_read %output_rows[%own_place1, %column0_3],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_0_pairs = vector.insert %output_read1_0_pair3, %output_read1_0_pairs_3[3] : !pair into !matrices
      %output_read1_0 = vector.shape_cast %output_read1_0_pairs : !matrices to !chunk
      %output_read1_0_f32 = arith.extf %output_read1_0 : !chunk to !chunk_f32
      %output_read1_0_given = arith.extf %output_gradient_read1_0 : !chunk to !chunk_f32
      %delta_columns1_1 = math.fma %output_read1_0_f32, %output_read1_0_given, %delta_none1 : !chunk_f32
      %output_read1_1_none = arith.constant dense<0.0> : !matrices
      %output_read1_1_pair0 =
        vector.transfer_read %output_rows[%own_place1, %column1_0],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_1_pairs_1 = vector.insert %output_read1_1_pair0, %output_read1_1_none[0] : !pair into !matrices
      %output_read1_1_pair1 =
        vector.transfer_read %output_rows[%own_place1, %column1_1],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_1_pairs_2 = vector.insert %output_read1_1_pair1, %output_read1_1_pairs_1[1] : !pair into !matrices
      %output_read1_1_pair2 =
        vector.transfer_read %output_rows[%own_place1, %column1_2],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_1_pairs_3 = vector.insert %output_read1_1_pair2, %output_read1_1_pairs_2[2] : !pair into !matrices
      %output_read1_1_pair3 =
        vector.transfer_read %output_rows[%own_place1, %column1_3],
        %no_element {in_bounds = [true]} : !output_rows, !pair
      %output_read1_1_pairs = vector.insert %output_read1_1_pair3, %output_read1_1_pairs_3[3] : !pair into !matrices
      %output_read1_1 = vector.shape_cast %output_read1_1_pairs : !matrices to !chunk
      %output_read1_1_f32 = arith.extf %output_read1_1 : !chunk to !chunk_f32
      %output_read1_1_given = arith.extf %output_gradient_read1_1 : !chunk to !chunk_f32
      %delta_columns1 = math.fma %output_read1_1_f32, %output_read1_1_given, %delta_columns1_1 : !chunk_f32
      %delta_own1 = vector.reduction <add>, %delta_columns1 fastmath<reassoc>
        : !chunk_f32 into f32
      %delta_there1_1, %delta_is_there1_1 =
        gpu.shuffle xor %delta_own1, %distance1, %wave_size : f32
      %delta1_1 = arith.addf %delta_own1, %delta_there1_1 : f32
      %delta_there1_2, %delta_is_there1_2 =
        gpu.shuffle xor %delta1_1, %distance2, %wave_size : f32
      %delta1 = arith.addf %delta1_1, %delta_there1_2 : f32
      %base_rows = vector.from_elements %base0, %base1 : !row_numbers_of_lane
      %bases = vector.broadcast %base_rows : !row_numbers_of_lane to !scores
      %delta_of_rows = vector.from_elements %delta0, %delta1 : !row_numbers_of_lane
      %deltas = vector.broadcast %delta_of_rows : !row_numbers_of_lane to !scores
      %token_of_group = affine.apply affine_map<(g) -> (g * 2)>(%group)
      %position0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %first_seen0 = arith.constant 0 : index
      %seen0 = affine.min affine_map<(p, f, n)
        -> (p - f + 1, n - f)>(
          %position0, %first_seen0, %step_len)
      %seen_any0 = arith.maxsi %seen0, %none : index
      %seen_count0 = arith.index_cast %seen_any0 : index to i32
      %position1 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 1)>(%row_0, %first_row, %shift)
      %first_seen1 = arith.constant 0 : index
      %seen1 = affine.min affine_map<(p, f, n)
        -> (p - f + 1, n - f)>(
          %position1, %first_seen1, %step_len)
      %seen_any1 = arith.maxsi %seen1, %none : index
      %seen_count1 = arith.index_cast %seen_any1 : index to i32
      %seen_rows = vector.from_elements %seen_count0, %seen_count1 : !row_bits
      %seen_counts = vector.broadcast %seen_rows : !row_bits to !score_bits
      %token_numbers = arith.constant dense<[[[0, 1], [0, 1]], [[8, 9], [8, 9]]]> : !score_bits
      %wave_position = affine.apply affine_map<(r, w, s)
        -> (r + w * 16 + s)>(%row_0, %wave, %shift)
      %fetch_column = affine.apply
        affine_map<(l) -> (l mod 8 * 8)>(%lane)
      %access = arith.constant 8 : index
      %row_of_matrix = affine.apply affine_map<(l) -> (l mod 8)>(%lane)
      %column_of_matrix = affine.apply affine_map<(l) -> (l mod 32 floordiv 8 * 8)>(%lane)
      %row_turned = affine.apply affine_map<(l) -> (l mod 16)>(%lane)
      %column_turned = affine.apply affine_map<(l) -> (l mod 32 floordiv 16 * 8)>(%lane)
      %token_of_index = affine.apply affine_map<(i) -> (i)>(%index)
      %depth_of_group = affine.apply affine_map<(g) -> (g * 2)>(%group)
      %scale = arith.constant dense<0.18033688011112042> : !scores
      %no_scores = arith.constant dense<0.0> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
        %base_first = affine.apply affine_map<(b, h)
          -> ((b * 1 + h) * 53)>(%b, %first_head)
        %buffer_first = affine.apply affine_map<(i) -> (i mod 2 * 32)>(%none)
        %token_first0 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 0, n)>(%begin, %lane, %last_token)
        %row_first0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first0)
        %place_first0 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 0)>(%buffer_first, %lane)
        %token_any_first0 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 0)>(%begin, %lane)
        %is_token_first0 = arith.cmpi slt, %token_any_first0, %step_len : index
        %elements_first0 = arith.select %is_token_first0, %access, %none : index
        %key_copy_first0 = "nvgpu.device_async_copy"(
            %key_lds, %place_first0, %fetch_column,
            %key_there, %row_first0, %fetch_column, %elements_first0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !key_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy_first0 = "nvgpu.device_async_copy"(
            %value_lds, %place_first0, %fetch_column,
            %value_there, %row_first0, %fetch_column, %elements_first0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !value_there, index, index, index)
          -> !nvgpu.device.async.token
        %token_first1 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 16, n)>(%begin, %lane, %last_token)
        %row_first1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first1)
        %place_first1 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 16)>(%buffer_first, %lane)
        %token_any_first1 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 16)>(%begin, %lane)
        %is_token_first1 = arith.cmpi slt, %token_any_first1, %step_len : index
        %elements_first1 = arith.select %is_token_first1, %access, %none : index
        %key_copy_first1 = "nvgpu.device_async_copy"(
            %key_lds, %place_first1, %fetch_column,
            %key_there, %row_first1, %fetch_column, %elements_first1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !key_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy_first1 = "nvgpu.device_async_copy"(
            %value_lds, %place_first1, %fetch_column,
            %value_there, %row_first1, %fetch_column, %elements_first1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !value_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
      %t_done, %head_done, %acc_done0
           =
        scf.for %i = %none to %steps step %one
          iter_args(%t0 = %begin, %head = %first_head,
            %acc0 = %no_acc
          ) -> (index, index, !acc) {
        %t_more = arith.addi %t0, %step_tokens : index
        %t_next = affine.apply affine_map<(t) -> (t)>(%t_more)
        %head_next = affine.apply affine_map<(h) -> (h)>(%head)
        %i_after = affine.apply affine_map<(i) -> (i + 1)>(%i)
        %buffer_here = affine.apply affine_map<(i) -> (i mod 2 * 32)>(%i)
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %base_next = affine.apply affine_map<(b, h)
          -> ((b * 1 + h) * 53)>(%b, %head_next)
        %buffer_next = affine.apply affine_map<(i) -> (i mod 2 * 32)>(%i_after)
        %token_next0 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 0, n)>(%t_next, %lane, %last_token)
        %row_next0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next0)
        %place_next0 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 0)>(%buffer_next, %lane)
        %token_any_next0 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 0)>(%t_next, %lane)
        %is_token_next0 = arith.cmpi slt, %token_any_next0, %step_len : index
        %elements_next0 = arith.select %is_token_next0, %access, %none : index
        %key_copy_next0 = "nvgpu.device_async_copy"(
            %key_lds, %place_next0, %fetch_column,
            %key_there, %row_next0, %fetch_column, %elements_next0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !key_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy_next0 = "nvgpu.device_async_copy"(
            %value_lds, %place_next0, %fetch_column,
            %value_there, %row_next0, %fetch_column, %elements_next0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !value_there, index, index, index)
          -> !nvgpu.device.async.token
        %token_next1 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 16, n)>(%t_next, %lane, %last_token)
        %row_next1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next1)
        %place_next1 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 16)>(%buffer_next, %lane)
        %token_any_next1 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 16)>(%t_next, %lane)
        %is_token_next1 = arith.cmpi slt, %token_any_next1, %step_len : index
        %elements_next1 = arith.select %is_token_next1, %access, %none : index
        %key_copy_next1 = "nvgpu.device_async_copy"(
            %key_lds, %place_next1, %fetch_column,
            %key_there, %row_next1, %fetch_column, %elements_next1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !key_there, index, index, index)
          -> !nvgpu.device.async.token
        %value_copy_next1 = "nvgpu.device_async_copy"(
            %value_lds, %place_next1, %fetch_column,
            %value_there, %row_next1, %fetch_column, %elements_next1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !value_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %acc_next0 = scf.for %c = %none to %step_tokens step %chunk_tokens
            iter_args(%acc_before0 = %acc0) -> (!acc) {
          %t_chunk = arith.addi %t0, %c : index
          %before_end = arith.cmpi slt, %t_chunk, %end : index
          %last_of_wave =
            affine.apply affine_map<(p) -> (p + 15)>(%wave_position)
          %is_not_ahead = arith.cmpi sle, %t_chunk, %last_of_wave : index
          %always = arith.constant true
          %wave_sees_1 = arith.andi %always, %before_end : i1
          %wave_sees = arith.andi %wave_sees_1, %is_not_ahead : i1
          %acc_after0 = scf.if %wave_sees -> (!acc) {
            %token_row0 = affine.apply affine_map<(b, c, i)
              -> (b + c + i + 0)>(%buffer_here, %c, %row_of_matrix)
            %token_row1 = affine.apply affine_map<(b, c, i)
              -> (b + c + i + 8)>(%buffer_here, %c, %row_of_matrix)
            %columns_of_step0 =
              affine.apply affine_map<(c) -> (c + 0)>(%column_of_matrix)
            %columns_of_step1 =
              affine.apply affine_map<(c) -> (c + 32)>(%column_of_matrix)
            %key0_0_read =
              "nvgpu.ldmatrix"(%key_lds, %token_row0, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %key0_0 = vector.shape_cast %key0_0_read : !matrices to !step_operand
            %score_sums0_1 = iree_codegen.inner_tiled
              ins(%query_own0, %key0_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %key0_1_read =
              "nvgpu.ldmatrix"(%key_lds, %token_row0, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %key0_1 = vector.shape_cast %key0_1_read : !matrices to !step_operand
            %score_sums0 = iree_codegen.inner_tiled
              ins(%query_own1, %key0_1) outs(%score_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %score_tile0 = vector.shape_cast %score_sums0 : !sums to !score_tile
            %key1_0_read =
              "nvgpu.ldmatrix"(%key_lds, %token_row1, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %key1_0 = vector.shape_cast %key1_0_read : !matrices to !step_operand
            %score_sums1_1 = iree_codegen.inner_tiled
              ins(%query_own0, %key1_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %key1_1_read =
              "nvgpu.ldmatrix"(%key_lds, %token_row1, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %key1_1 = vector.shape_cast %key1_1_read : !matrices to !step_operand
            %score_sums1 = iree_codegen.inner_tiled
              ins(%query_own1, %key1_1) outs(%score_sums1_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %score_tile1 = vector.shape_cast %score_sums1 : !sums to !score_tile
            %scores_given_1 = vector.insert %score_tile0, %no_scores[0]
              : !score_tile into !scores
            %scores_given = vector.insert %score_tile1, %scores_given_1[1]
              : !score_tile into !scores
            %value0_0_read =
              "nvgpu.ldmatrix"(%value_lds, %token_row0, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %value0_0 = vector.shape_cast %value0_0_read : !matrices to !step_operand
            %weight_sums0_1 = iree_codegen.inner_tiled
              ins(%output_gradient_own0, %value0_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %value0_1_read =
              "nvgpu.ldmatrix"(%value_lds, %token_row0, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %value0_1 = vector.shape_cast %value0_1_read : !matrices to !step_operand
            %weight_sums0 = iree_codegen.inner_tiled
              ins(%output_gradient_own1, %value0_1) outs(%weight_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %weight_tile0 = vector.shape_cast %weight_sums0 : !sums to !score_tile
            %value1_0_read =
              "nvgpu.ldmatrix"(%value_lds, %token_row1, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %value1_0 = vector.shape_cast %value1_0_read : !matrices to !step_operand
            %weight_sums1_1 = iree_codegen.inner_tiled
              ins(%output_gradient_own0, %value1_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %value1_1_read =
              "nvgpu.ldmatrix"(%value_lds, %token_row1, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %value1_1 = vector.shape_cast %value1_1_read : !matrices to !step_operand
            %weight_sums1 = iree_codegen.inner_tiled
              ins(%output_gradient_own1, %value1_1) outs(%weight_sums1_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %weight_tile1 = vector.shape_cast %weight_sums1 : !sums to !score_tile
            %weights_given_1 = vector.insert %weight_tile0, %no_scores[0]
              : !score_tile into !scores
            %weights_given = vector.insert %weight_tile1, %weights_given_1[1]
              : !score_tile into !scores
            %below = math.fma %scores_given, %scale, %bases : !scores
            %below_flat = vector.shape_cast %below : !scores to !scores_flat
            %below_0 = vector.extract %below_flat[0] : f32 from !scores_flat
            %weights_any_0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_0)
              : (f32) -> f32
            %below_1 = vector.extract %below_flat[1] : f32 from !scores_flat
            %weights_any_1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_1)
              : (f32) -> f32
            %below_2 = vector.extract %below_flat[2] : f32 from !scores_flat
            %weights_any_2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_2)
              : (f32) -> f32
            %below_3 = vector.extract %below_flat[3] : f32 from !scores_flat
            %weights_any_3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_3)
              : (f32) -> f32
            %below_4 = vector.extract %below_flat[4] : f32 from !scores_flat
            %weights_any_4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_4)
              : (f32) -> f32
            %below_5 = vector.extract %below_flat[5] : f32 from !scores_flat
            %weights_any_5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_5)
              : (f32) -> f32
            %below_6 = vector.extract %below_flat[6] : f32 from !scores_flat
            %weights_any_6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_6)
              : (f32) -> f32
            %below_7 = vector.extract %below_flat[7] : f32 from !scores_flat
            %weights_any_7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_7)
              : (f32) -> f32
            %weights_any_flat = vector.from_elements %weights_any_0, %weights_any_1, %weights_any_2, %weights_any_3, %weights_any_4, %weights_any_5, %weights_any_6, %weights_any_7
              : !scores_flat
            %weights_any = vector.shape_cast %weights_any_flat : !scores_flat to !scores
            %beyond = arith.subf %weights_given, %deltas : !scores
            %of_logits = arith.mulf %weights_any, %beyond : !scores
            %first_of_chunk0 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen0, %t_chunk, %token_of_group)
            %first_i32_0 = arith.index_cast %first_of_chunk0 : index to i32
            %first_of_chunk1 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen1, %t_chunk, %token_of_group)
            %first_i32_1 = arith.index_cast %first_of_chunk1 : index to i32
            %first_rows = vector.from_elements %first_i32_0, %first_i32_1 : !row_bits
            %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
            %after_first = arith.subi %token_numbers, %firsts : !score_bits
            %is_seen =
              arith.cmpi ult, %after_first, %seen_counts : !score_bits
            %weights = arith.select %is_seen, %weights_any, %no_scores : !is_seen, !scores
            %of_scores = arith.select %is_seen, %of_logits, %no_scores : !is_seen, !scores
            %tokens_turned = affine.apply affine_map<(b, c, i) -> (b + c + i)>(%buffer_here, %c, %row_turned)
    %of_scores_stored = arith.truncf %of_scores : !scores to !stored_scores
            %of_scores_by_row = vector.transpose %of_scores_stored, [1, 0, 2]
              : !stored_scores to !stored_by_row
            %of_scores_operand = vector.shape_cast %of_scores_by_row : !stored_by_row to !weights_operand
            %key_column0 =
              affine.apply affine_map<(c) -> (c + 0)>(%column_turned)
            %key_turned0 =
              "nvgpu.ldmatrix"(%key_lds, %tokens_turned, %key_column0)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %key_tiles0 = vector.shape_cast %key_turned0
              : !matrices to !two_columns
            %key_columns0 = vector.extract %key_tiles0[0]
              : !column_parts from !two_columns
            %key_operand0 = vector.shape_cast %key_columns0
              : !column_parts to !columns_operand
            %key_so_far0 = vector.extract %acc_before0[0] : !sums from !acc
            %key_summed0 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand0) outs(%key_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_1 = vector.insert %key_summed0, %acc_before0[0] : !sums into !acc
            %key_columns1 = vector.extract %key_tiles0[1]
              : !column_parts from !two_columns
            %key_operand1 = vector.shape_cast %key_columns1
              : !column_parts to !columns_operand
            %key_so_far1 = vector.extract %acc_added0_1[1] : !sums from !acc
            %key_summed1 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand1) outs(%key_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_2 = vector.insert %key_summed1, %acc_added0_1[1] : !sums into !acc
            %key_column2 =
              affine.apply affine_map<(c) -> (c + 16)>(%column_turned)
            %key_turned2 =
              "nvgpu.ldmatrix"(%key_lds, %tokens_turned, %key_column2)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %key_tiles2 = vector.shape_cast %key_turned2
              : !matrices to !two_columns
            %key_columns2 = vector.extract %key_tiles2[0]
              : !column_parts from !two_columns
            %key_operand2 = vector.shape_cast %key_columns2
              : !column_parts to !columns_operand
            %key_so_far2 = vector.extract %acc_added0_2[2] : !sums from !acc
            %key_summed2 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand2) outs(%key_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_3 = vector.insert %key_summed2, %acc_added0_2[2] : !sums into !acc
            %key_columns3 = vector.extract %key_tiles2[1]
              : !column_parts from !two_columns
            %key_operand3 = vector.shape_cast %key_columns3
              : !column_parts to !columns_operand
            %key_so_far3 = vector.extract %acc_added0_3[3] : !sums from !acc
            %key_summed3 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand3) outs(%key_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_4 = vector.insert %key_summed3, %acc_added0_3[3] : !sums into !acc
            %key_column4 =
              affine.apply affine_map<(c) -> (c + 32)>(%column_turned)
            %key_turned4 =
              "nvgpu.ldmatrix"(%key_lds, %tokens_turned, %key_column4)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %key_tiles4 = vector.shape_cast %key_turned4
              : !matrices to !two_columns
            %key_columns4 = vector.extract %key_tiles4[0]
              : !column_parts from !two_columns
            %key_operand4 = vector.shape_cast %key_columns4
              : !column_parts to !columns_operand
            %key_so_far4 = vector.extract %acc_added0_4[4] : !sums from !acc
            %key_summed4 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand4) outs(%key_so_far4) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_5 = vector.insert %key_summed4, %acc_added0_4[4] : !sums into !acc
            %key_columns5 = vector.extract %key_tiles4[1]
              : !column_parts from !two_columns
            %key_operand5 = vector.shape_cast %key_columns5
              : !column_parts to !columns_operand
            %key_so_far5 = vector.extract %acc_added0_5[5] : !sums from !acc
            %key_summed5 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand5) outs(%key_so_far5) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_6 = vector.insert %key_summed5, %acc_added0_5[5] : !sums into !acc
            %key_column6 =
              affine.apply affine_map<(c) -> (c + 48)>(%column_turned)
            %key_turned6 =
              "nvgpu.ldmatrix"(%key_lds, %tokens_turned, %key_column6)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %key_tiles6 = vector.shape_cast %key_turned6
              : !matrices to !two_columns
            %key_columns6 = vector.extract %key_tiles6[0]
              : !column_parts from !two_columns
            %key_operand6 = vector.shape_cast %key_columns6
              : !column_parts to !columns_operand
            %key_so_far6 = vector.extract %acc_added0_6[6] : !sums from !acc
            %key_summed6 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand6) outs(%key_so_far6) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_7 = vector.insert %key_summed6, %acc_added0_6[6] : !sums into !acc
            %key_columns7 = vector.extract %key_tiles6[1]
              : !column_parts from !two_columns
            %key_operand7 = vector.shape_cast %key_columns7
              : !column_parts to !columns_operand
            %key_so_far7 = vector.extract %acc_added0_7[7] : !sums from !acc
            %key_summed7 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %key_operand7) outs(%key_so_far7) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0 = vector.insert %key_summed7, %acc_added0_7[7] : !sums into !acc
            scf.yield %acc_added0 : !acc
          } else {
            scf.yield %acc_before0 : !acc
          }
          scf.yield %acc_after0 : !acc
        }
        scf.yield %t_next, %head_next, %acc_next0
            
          : index, index, !acc
      }
      nvvm.cp.async.wait.group 0
      %rows_left = affine.min affine_map<(n, r) -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %by_column0 = vector.shape_cast %acc_done0 : !acc to !acc_by_column
      %by_row0 = vector.transpose %by_column0, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums0 = vector.shape_cast %by_row0 : !acc_by_row to !result_rows
      %factor0 = arith.constant dense<0.125> : !result_rows
      %made0 = arith.mulf %sums0, %factor0 : !result_rows
    %made0_stored = arith.truncf %made0 : !result_rows to !stored_rows
      %is_upper_of0_ = affine.apply affine_map<(g) -> (g floordiv 2)>(%group)
      %is_odd_of0_ = affine.apply affine_map<(g) -> (g mod 2)>(%group)
      %is_bit2_of0_ = arith.cmpi ne, %is_upper_of0_, %none : index
      %is_bit1_of0_ = arith.cmpi ne, %is_odd_of0_, %none : index
      %no_output_of0_ = arith.constant dense<0.0> : !stored_rows
      %spread_of0_0 = vector.extract %made0_stored[0] : !stored_row from !stored_rows
      %spread_bits_of0_0 = vector.bitcast %spread_of0_0 : !stored_row to !row_pairs
      %pair_of0_0_0_s = vector.extract %spread_bits_of0_0[0] : i32 from !row_pairs
      %pair_of0_0_1_s = vector.extract %spread_bits_of0_0[1] : i32 from !row_pairs
      %pair_of0_0_2_s = vector.extract %spread_bits_of0_0[2] : i32 from !row_pairs
      %pair_of0_0_3_s = vector.extract %spread_bits_of0_0[3] : i32 from !row_pairs
      %pair_of0_0_4_s = vector.extract %spread_bits_of0_0[4] : i32 from !row_pairs
      %pair_of0_0_5_s = vector.extract %spread_bits_of0_0[5] : i32 from !row_pairs
      %pair_of0_0_6_s = vector.extract %spread_bits_of0_0[6] : i32 from !row_pairs
      %pair_of0_0_7_s = vector.extract %spread_bits_of0_0[7] : i32 from !row_pairs
      %given_of0_0_0_s = arith.select %is_bit2_of0_, %pair_of0_0_0_s, %pair_of0_0_4_s : i32
      %kept_of0_0_0_s = arith.select %is_bit2_of0_, %pair_of0_0_4_s, %pair_of0_0_0_s : i32
      %there_of0_0_0_s, %is_there_of0_0_0_s =
        gpu.shuffle xor %given_of0_0_0_s, %distance2, %wave_size : i32
      %pair_of0_0_0_s0 = arith.select %is_bit2_of0_, %there_of0_0_0_s, %kept_of0_0_0_s : i32
      %pair_of0_0_0_s1 = arith.select %is_bit2_of0_, %kept_of0_0_0_s, %there_of0_0_0_s : i32
      %given_of0_0_1_s = arith.select %is_bit2_of0_, %pair_of0_0_1_s, %pair_of0_0_5_s : i32
      %kept_of0_0_1_s = arith.select %is_bit2_of0_, %pair_of0_0_5_s, %pair_of0_0_1_s : i32
      %there_of0_0_1_s, %is_there_of0_0_1_s =
        gpu.shuffle xor %given_of0_0_1_s, %distance2, %wave_size : i32
      %pair_of0_0_1_s0 = arith.select %is_bit2_of0_, %there_of0_0_1_s, %kept_of0_0_1_s : i32
      %pair_of0_0_1_s1 = arith.select %is_bit2_of0_, %kept_of0_0_1_s, %there_of0_0_1_s : i32
      %given_of0_0_2_s = arith.select %is_bit2_of0_, %pair_of0_0_2_s, %pair_of0_0_6_s : i32
      %kept_of0_0_2_s = arith.select %is_bit2_of0_, %pair_of0_0_6_s, %pair_of0_0_2_s : i32
      %there_of0_0_2_s, %is_there_of0_0_2_s =
        gpu.shuffle xor %given_of0_0_2_s, %distance2, %wave_size : i32
      %pair_of0_0_2_s0 = arith.select %is_bit2_of0_, %there_of0_0_2_s, %kept_of0_0_2_s : i32
      %pair_of0_0_2_s1 = arith.select %is_bit2_of0_, %kept_of0_0_2_s, %there_of0_0_2_s : i32
      %given_of0_0_3_s = arith.select %is_bit2_of0_, %pair_of0_0_3_s, %pair_of0_0_7_s : i32
      %kept_of0_0_3_s = arith.select %is_bit2_of0_, %pair_of0_0_7_s, %pair_of0_0_3_s : i32
      %there_of0_0_3_s, %is_there_of0_0_3_s =
        gpu.shuffle xor %given_of0_0_3_s, %distance2, %wave_size : i32
      %pair_of0_0_3_s0 = arith.select %is_bit2_of0_, %there_of0_0_3_s, %kept_of0_0_3_s : i32
      %pair_of0_0_3_s1 = arith.select %is_bit2_of0_, %kept_of0_0_3_s, %there_of0_0_3_s : i32
      %given_of0_0_0_s0 = arith.select %is_bit1_of0_, %pair_of0_0_0_s0, %pair_of0_0_2_s0 : i32
      %kept_of0_0_0_s0 = arith.select %is_bit1_of0_, %pair_of0_0_2_s0, %pair_of0_0_0_s0 : i32
      %there_of0_0_0_s0, %is_there_of0_0_0_s0 =
        gpu.shuffle xor %given_of0_0_0_s0, %distance1, %wave_size : i32
      %pair_of0_0_0_s00 = arith.select %is_bit1_of0_, %there_of0_0_0_s0, %kept_of0_0_0_s0 : i32
      %pair_of0_0_0_s01 = arith.select %is_bit1_of0_, %kept_of0_0_0_s0, %there_of0_0_0_s0 : i32
      %given_of0_0_1_s0 = arith.select %is_bit1_of0_, %pair_of0_0_1_s0, %pair_of0_0_3_s0 : i32
      %kept_of0_0_1_s0 = arith.select %is_bit1_of0_, %pair_of0_0_3_s0, %pair_of0_0_1_s0 : i32
      %there_of0_0_1_s0, %is_there_of0_0_1_s0 =
        gpu.shuffle xor %given_of0_0_1_s0, %distance1, %wave_size : i32
      %pair_of0_0_1_s00 = arith.select %is_bit1_of0_, %there_of0_0_1_s0, %kept_of0_0_1_s0 : i32
      %pair_of0_0_1_s01 = arith.select %is_bit1_of0_, %kept_of0_0_1_s0, %there_of0_0_1_s0 : i32
      %given_of0_0_0_s1 = arith.select %is_bit1_of0_, %pair_of0_0_0_s1, %pair_of0_0_2_s1 : i32
      %kept_of0_0_0_s1 = arith.select %is_bit1_of0_, %pair_of0_0_2_s1, %pair_of0_0_0_s1 : i32
      %there_of0_0_0_s1, %is_there_of0_0_0_s1 =
        gpu.shuffle xor %given_of0_0_0_s1, %distance1, %wave_size : i32
      %pair_of0_0_0_s10 = arith.select %is_bit1_of0_, %there_of0_0_0_s1, %kept_of0_0_0_s1 : i32
      %pair_of0_0_0_s11 = arith.select %is_bit1_of0_, %kept_of0_0_0_s1, %there_of0_0_0_s1 : i32
      %given_of0_0_1_s1 = arith.select %is_bit1_of0_, %pair_of0_0_1_s1, %pair_of0_0_3_s1 : i32
      %kept_of0_0_1_s1 = arith.select %is_bit1_of0_, %pair_of0_0_3_s1, %pair_of0_0_1_s1 : i32
      %there_of0_0_1_s1, %is_there_of0_0_1_s1 =
        gpu.shuffle xor %given_of0_0_1_s1, %distance1, %wave_size : i32
      %pair_of0_0_1_s10 = arith.select %is_bit1_of0_, %there_of0_0_1_s1, %kept_of0_0_1_s1 : i32
      %pair_of0_0_1_s11 = arith.select %is_bit1_of0_, %kept_of0_0_1_s1, %there_of0_0_1_s1 : i32
      %gathered_of0_0 = vector.from_elements
        %pair_of0_0_0_s00,
        %pair_of0_0_0_s01,
        %pair_of0_0_0_s10,
        %pair_of0_0_0_s11,
        %pair_of0_0_1_s00,
        %pair_of0_0_1_s01,
        %pair_of0_0_1_s10,
        %pair_of0_0_1_s11
        : !row_pairs
      %gathered_row_of0_0 = vector.bitcast %gathered_of0_0 : !row_pairs to !stored_row
      %neighbours0_1 = vector.insert %gathered_row_of0_0, %no_output_of0_[0]
        : !stored_row into !stored_rows
      %spread_of0_1 = vector.extract %made0_stored[1] : !stored_row from !stored_rows
      %spread_bits_of0_1 = vector.bitcast %spread_of0_1 : !stored_row to !row_pairs
      %pair_of0_1_0_s = vector.extract %spread_bits_of0_1[0] : i32 from !row_pairs
      %pair_of0_1_1_s = vector.extract %spread_bits_of0_1[1] : i32 from !row_pairs
      %pair_of0_1_2_s = vector.extract %spread_bits_of0_1[2] : i32 from !row_pairs
      %pair_of0_1_3_s = vector.extract %spread_bits_of0_1[3] : i32 from !row_pairs
      %pair_of0_1_4_s = vector.extract %spread_bits_of0_1[4] : i32 from !row_pairs
      %pair_of0_1_5_s = vector.extract %spread_bits_of0_1[5] : i32 from !row_pairs
      %pair_of0_1_6_s = vector.extract %spread_bits_of0_1[6] : i32 from !row_pairs
      %pair_of0_1_7_s = vector.extract %spread_bits_of0_1[7] : i32 from !row_pairs
      %given_of0_1_0_s = arith.select %is_bit2_of0_, %pair_of0_1_0_s, %pair_of0_1_4_s : i32
      %kept_of0_1_0_s = arith.select %is_bit2_of0_, %pair_of0_1_4_s, %pair_of0_1_0_s : i32
      %there_of0_1_0_s, %is_there_of0_1_0_s =
        gpu.shuffle xor %given_of0_1_0_s, %distance2, %wave_size : i32
      %pair_of0_1_0_s0 = arith.select %is_bit2_of0_, %there_of0_1_0_s, %kept_of0_1_0_s : i32
      %pair_of0_1_0_s1 = arith.select %is_bit2_of0_, %kept_of0_1_0_s, %there_of0_1_0_s : i32
      %given_of0_1_1_s = arith.select %is_bit2_of0_, %pair_of0_1_1_s, %pair_of0_1_5_s : i32
      %kept_of0_1_1_s = arith.select %is_bit2_of0_, %pair_of0_1_5_s, %pair_of0_1_1_s : i32
      %there_of0_1_1_s, %is_there_of0_1_1_s =
        gpu.shuffle xor %given_of0_1_1_s, %distance2, %wave_size : i32
      %pair_of0_1_1_s0 = arith.select %is_bit2_of0_, %there_of0_1_1_s, %kept_of0_1_1_s : i32
      %pair_of0_1_1_s1 = arith.select %is_bit2_of0_, %kept_of0_1_1_s, %there_of0_1_1_s : i32
      %given_of0_1_2_s = arith.select %is_bit2_of0_, %pair_of0_1_2_s, %pair_of0_1_6_s : i32
      %kept_of0_1_2_s = arith.select %is_bit2_of0_, %pair_of0_1_6_s, %pair_of0_1_2_s : i32
      %there_of0_1_2_s, %is_there_of0_1_2_s =
        gpu.shuffle xor %given_of0_1_2_s, %distance2, %wave_size : i32
      %pair_of0_1_2_s0 = arith.select %is_bit2_of0_, %there_of0_1_2_s, %kept_of0_1_2_s : i32
      %pair_of0_1_2_s1 = arith.select %is_bit2_of0_, %kept_of0_1_2_s, %there_of0_1_2_s : i32
      %given_of0_1_3_s = arith.select %is_bit2_of0_, %pair_of0_1_3_s, %pair_of0_1_7_s : i32
      %kept_of0_1_3_s = arith.select %is_bit2_of0_, %pair_of0_1_7_s, %pair_of0_1_3_s : i32
      %there_of0_1_3_s, %is_there_of0_1_3_s =
        gpu.shuffle xor %given_of0_1_3_s, %distance2, %wave_size : i32
      %pair_of0_1_3_s0 = arith.select %is_bit2_of0_, %there_of0_1_3_s, %kept_of0_1_3_s : i32
      %pair_of0_1_3_s1 = arith.select %is_bit2_of0_, %kept_of0_1_3_s, %there_of0_1_3_s : i32
      %given_of0_1_0_s0 = arith.select %is_bit1_of0_, %pair_of0_1_0_s0, %pair_of0_1_2_s0 : i32
      %kept_of0_1_0_s0 = arith.select %is_bit1_of0_, %pair_of0_1_2_s0, %pair_of0_1_0_s0 : i32
      %there_of0_1_0_s0, %is_there_of0_1_0_s0 =
        gpu.shuffle xor %given_of0_1_0_s0, %distance1, %wave_size : i32
      %pair_of0_1_0_s00 = arith.select %is_bit1_of0_, %there_of0_1_0_s0, %kept_of0_1_0_s0 : i32
      %pair_of0_1_0_s01 = arith.select %is_bit1_of0_, %kept_of0_1_0_s0, %there_of0_1_0_s0 : i32
      %given_of0_1_1_s0 = arith.select %is_bit1_of0_, %pair_of0_1_1_s0, %pair_of0_1_3_s0 : i32
      %kept_of0_1_1_s0 = arith.select %is_bit1_of0_, %pair_of0_1_3_s0, %pair_of0_1_1_s0 : i32
      %there_of0_1_1_s0, %is_there_of0_1_1_s0 =
        gpu.shuffle xor %given_of0_1_1_s0, %distance1, %wave_size : i32
      %pair_of0_1_1_s00 = arith.select %is_bit1_of0_, %there_of0_1_1_s0, %kept_of0_1_1_s0 : i32
      %pair_of0_1_1_s01 = arith.select %is_bit1_of0_, %kept_of0_1_1_s0, %there_of0_1_1_s0 : i32
      %given_of0_1_0_s1 = arith.select %is_bit1_of0_, %pair_of0_1_0_s1, %pair_of0_1_2_s1 : i32
      %kept_of0_1_0_s1 = arith.select %is_bit1_of0_, %pair_of0_1_2_s1, %pair_of0_1_0_s1 : i32
      %there_of0_1_0_s1, %is_there_of0_1_0_s1 =
        gpu.shuffle xor %given_of0_1_0_s1, %distance1, %wave_size : i32
      %pair_of0_1_0_s10 = arith.select %is_bit1_of0_, %there_of0_1_0_s1, %kept_of0_1_0_s1 : i32
      %pair_of0_1_0_s11 = arith.select %is_bit1_of0_, %kept_of0_1_0_s1, %there_of0_1_0_s1 : i32
      %given_of0_1_1_s1 = arith.select %is_bit1_of0_, %pair_of0_1_1_s1, %pair_of0_1_3_s1 : i32
      %kept_of0_1_1_s1 = arith.select %is_bit1_of0_, %pair_of0_1_3_s1, %pair_of0_1_1_s1 : i32
      %there_of0_1_1_s1, %is_there_of0_1_1_s1 =
        gpu.shuffle xor %given_of0_1_1_s1, %distance1, %wave_size : i32
      %pair_of0_1_1_s10 = arith.select %is_bit1_of0_, %there_of0_1_1_s1, %kept_of0_1_1_s1 : i32
      %pair_of0_1_1_s11 = arith.select %is_bit1_of0_, %kept_of0_1_1_s1, %there_of0_1_1_s1 : i32
      %gathered_of0_1 = vector.from_elements
        %pair_of0_1_0_s00,
        %pair_of0_1_0_s01,
        %pair_of0_1_0_s10,
        %pair_of0_1_0_s11,
        %pair_of0_1_1_s00,
        %pair_of0_1_1_s01,
        %pair_of0_1_1_s10,
        %pair_of0_1_1_s11
        : !row_pairs
      %gathered_row_of0_1 = vector.bitcast %gathered_of0_1 : !row_pairs to !stored_row
      %neighbours0 = vector.insert %gathered_row_of0_1, %neighbours0_1[1]
        : !stored_row into !stored_rows
      %own_tile0 = tensor.extract_slice %tile0[%first_row, %output_column]
        [%own_rows, 16] [1, 1] : !tile to !own_tile
        %written0 =
          vector.transfer_write %neighbours0, %own_tile0[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
      %own_delta = tensor.extract_slice %tile_delta[%first_row, %group] [%own_rows, 1] [1, 1]
        : !delta_tile to !own_delta
      %delta_written = vector.transfer_write %delta_of_rows, %own_delta[%none, %none]
        {in_bounds = [false, true]} : !row_numbers_of_lane, !own_delta
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %delta_written into %tile_delta[%first_row, %group] [%own_rows, 1] [1, 1]
          : !own_delta into !delta_tile
        tensor.parallel_insert_slice %written0
          into %tile0[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : !own_tile into !tile
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %query_gradient_rows_made,
      %query_gradient_rows_out,
      offsets = [%own_base, 0],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !query_gradient_rows_out
    iree_tensor_ext.dispatch.tensor.store %delta_rows_made, %delta_rows_out,
      offsets = [%own_base, 0], sizes = [%rows_here, 4], strides = [1, 1]
      : !delta_tile -> !delta_rows_out
    return
  }
  }
}
flow.executable private @attention_backward_of_keys {
  flow.executable.export public @attention_backward_of_keys
      workgroups() -> (index, index, index) {
    %own_count = arith.constant 53 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %heads = arith.constant 1 : index
    %sequences = arith.constant 1 : index
    flow.return %heads, %blocks, %sequences : index, index, index
  }
  builtin.module {
  func.func @attention_backward_of_keys(
      %query_rows_in: !query_rows_in,
      %key_rows_in: !key_rows_in,
      %value_rows_in: !value_rows_in,
      %lse_rows_in: !lse_rows_in,
      %output_gradient_rows_in: !output_gradient_rows_in,
      %delta_rows_in: !delta_rows_in,
      %value_gradient_rows_out: !value_gradient_rows_out,
      %key_gradient_rows_out: !key_gradient_rows_out
    ) attributes {translation_info = #lanes} {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %chunk_tokens = arith.constant 16 : index
    %step_tokens = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %minus_inf = arith.constant 0xFF800000 : f32
    %minus_unit = arith.constant -1.4426950408889634 : f32
    %no_element = arith.constant 0.0 : f16
    %query_rows = iree_tensor_ext.dispatch.tensor.load %query_rows_in,
      offsets = [0, 0], sizes = [148, 64], strides = [1, 1]
      : !query_rows_in -> !query_rows
    %key_rows = iree_tensor_ext.dispatch.tensor.load %key_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !key_rows_in -> !key_rows
    %value_rows = iree_tensor_ext.dispatch.tensor.load %value_rows_in,
      offsets = [0, 0], sizes = [53, 64], strides = [1, 1]
      : !value_rows_in -> !value_rows
    %lse_rows = iree_tensor_ext.dispatch.tensor.load %lse_rows_in,
      offsets = [0], sizes = [148], strides = [1]
      : !lse_rows_in -> !lse_rows
    %output_gradient_rows = iree_tensor_ext.dispatch.tensor.load %output_gradient_rows_in,
      offsets = [0, 0], sizes = [148, 64], strides = [1, 1]
      : !output_gradient_rows_in -> !output_gradient_rows
    %delta_rows = iree_tensor_ext.dispatch.tensor.load %delta_rows_in,
      offsets = [0, 0], sizes = [148, 4], strides = [1, 1]
      : !delta_rows_in -> !delta_rows
    %query_there = bufferization.to_buffer %query_rows read_only
      : !query_rows to !query_there
    %output_gradient_there = bufferization.to_buffer %output_gradient_rows read_only
      : !output_gradient_rows to !output_gradient_there
    %own_count = arith.constant 53 : index
    %blocks = affine.apply affine_map<()[n]
      -> (n ceildiv 64 + 0)>()[%own_count]
    %block = flow.dispatch.workgroup.id[1] : index
    %x = flow.dispatch.workgroup.id[0] : index
    %b = flow.dispatch.workgroup.id[2] : index
    %row_0 = affine.apply affine_map<(i) -> (i * 64)>(%block)
    %own_len = arith.constant 53 : index
    %step_len = arith.constant 37 : index
    %shift = arith.constant -16 : index
    %last_token = arith.constant 36 : index
    %own_base = affine.apply affine_map<(b, x, r)
      -> ((b * 1 + x) * 53 + r)>(%b, %x, %row_0)
    %rows_to_end = affine.min affine_map<(r, n) -> (64, n - r)>(%row_0, %own_len)
    %rows_here = arith.maxsi %rows_to_end, %none : index
    %first_head = affine.apply affine_map<(x) -> (x * 4)>(%x)
    %last_head = affine.apply affine_map<(x) -> (x * 4 + 3)>(%x)
    %begin = affine.max affine_map<(r, s)
      -> ((r + s - 0) floordiv 32 * 32, 0)>(
        %row_0, %shift)
    %end = affine.apply affine_map<(n) -> (n)>(%step_len)
    %steps_any = affine.apply affine_map<(f, e) -> ((e - f) ceildiv 32)>(%begin, %end)
    %steps_of_head = arith.maxsi %steps_any, %none : index
    %steps = affine.apply affine_map<(n) -> (n * 4)>(%steps_of_head)
    %query_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %output_gradient_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !rows_lds
    %numbers_lds = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : ()
      -> !numbers_lds
    %empty0 = tensor.empty(%rows_here) : !tile
    %empty1 = tensor.empty(%rows_here) : !tile
    %value_gradient_rows_made, %key_gradient_rows_made =
      scf.forall (%lane) in (128)
        shared_outs(
          %tile0 = %empty0,
          %tile1 = %empty1
        ) -> (!tile, !tile) {
      %wave, %index, %group = affine.delinearize_index %lane into (4, 8, 4)
        : index, index, index
      %distance1 = arith.constant 1 : i32
      %distance2 = arith.constant 2 : i32
      %wave_size = arith.constant 32 : i32
      %first_row =
        affine.apply affine_map<(w, i) -> (w * 16 + i * 2)>(%wave, %index)
      %chunk_column = affine.apply affine_map<(g) -> (g * 8)>(%group)
      %no_own = arith.constant dense<0.0> : !own_parts
      %own_row0 = affine.min affine_map<(r, n) -> (r + 0, n - 1)>(%first_row, %rows_here)
      %own_place0 = arith.addi %own_base, %own_row0 : index
      %own_row1 = affine.min affine_map<(r, n) -> (r + 1, n - 1)>(%first_row, %rows_here)
      %own_place1 = arith.addi %own_base, %own_row1 : index
      %column0 = affine.apply affine_map<(c) -> (c + 0)>(%chunk_column)
      %column0_0 = affine.apply affine_map<(g) -> (g * 2 + 0)>(%group)
      %column0_1 = affine.apply affine_map<(g) -> (g * 2 + 8)>(%group)
      %column0_2 = affine.apply affine_map<(g) -> (g * 2 + 16)>(%group)
      %column0_3 = affine.apply affine_map<(g) -> (g * 2 + 24)>(%group)
      %column1 = affine.apply affine_map<(c) -> (c + 32)>(%chunk_column)
      %column1_0 = affine.apply affine_map<(g) -> (g * 2 + 32)>(%group)
      %column1_1 = affine.apply affine_map<(g) -> (g * 2 + 40)>(%group)
      %column1_2 = affine.apply affine_map<(g) -> (g * 2 + 48)>(%group)
      %column1_3 = affine.apply affine_map<(g) -> (g * 2 + 56)>(%group)
      %key_read0_0_none = arith.constant dense<0.0> : !matrices
      %key_read0_0_pair0 =
        vector.transfer_read %key_rows[%own_place0, %column0_0],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_0_pairs_1 = vector.insert %key_read0_0_pair0, %key_read0_0_none[0] : !pair into !matrices
      %key_read0_0_pair1 =
        vector.transfer_read %key_rows[%own_place0, %column0_1],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_0_pairs_2 = vector.insert %key_read0_0_pair1, %key_read0_0_pairs_1[1] : !pair into !matrices
      %key_read0_0_pair2 =
        vector.transfer_read %key_rows[%own_place0, %column0_2],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_0_pairs_3 = vector.insert %key_read0_0_pair2, %key_read0_0_pairs_2[2] : !pair into !matrices
      %key_read0_0_pair3 =
        vector.transfer_read %key_rows[%own_place0, %column0_3],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_0_pairs = vector.insert %key_read0_0_pair3, %key_read0_0_pairs_3[3] : !pair into !matrices
      %key_read0_0 = vector.shape_cast %key_read0_0_pairs : !matrices to !chunk
      %key_read1_0_none = arith.constant dense<0.0> : !matrices
      %key_read1_0_pair0 =
        vector.transfer_read %key_rows[%own_place1, %column0_0],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_0_pairs_1 = vector.insert %key_read1_0_pair0, %key_read1_0_none[0] : !pair into !matrices
      %key_read1_0_pair1 =
        vector.transfer_read %key_rows[%own_place1, %column0_1],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_0_pairs_2 = vector.insert %key_read1_0_pair1, %key_read1_0_pairs_1[1] : !pair into !matrices
      %key_read1_0_pair2 =
        vector.transfer_read %key_rows[%own_place1, %column0_2],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_0_pairs_3 = vector.insert %key_read1_0_pair2, %key_read1_0_pairs_2[2] : !pair into !matrices
      %key_read1_0_pair3 =
        vector.transfer_read %key_rows[%own_place1, %column0_3],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_0_pairs = vector.insert %key_read1_0_pair3, %key_read1_0_pairs_3[3] : !pair into !matrices
      %key_read1_0 = vector.shape_cast %key_read1_0_pairs : !matrices to !chunk
            %key_parts0_0 = vector.shape_cast %key_read0_0
              : !chunk to !row_parts
            %key_rows0_1 = vector.insert
              %key_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_parts1_0 = vector.shape_cast %key_read1_0
              : !chunk to !row_parts
            %key_rows0 = vector.insert
              %key_parts1_0, %key_rows0_1[0, 1]
              : !row_parts into !own_parts
            %key_turned0 = vector.transpose %key_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own0 = vector.shape_cast %key_turned0
              : !own_turned to !own_operand
      %key_read0_1_none = arith.constant dense<0.0> : !matrices
      %key_read0_1_pair0 =
        vector.transfer_read %key_rows[%own_place0, %column1_0],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_1_pairs_1 = vector.insert %key_read0_1_pair0, %key_read0_1_none[0] : !pair into !matrices
      %key_read0_1_pair1 =
        vector.transfer_read %key_rows[%own_place0, %column1_1],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_1_pairs_2 = vector.insert %key_read0_1_pair1, %key_read0_1_pairs_1[1] : !pair into !matrices
      %key_read0_1_pair2 =
        vector.transfer_read %key_rows[%own_place0, %column1_2],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_1_pairs_3 = vector.insert %key_read0_1_pair2, %key_read0_1_pairs_2[2] : !pair into !matrices
      %key_read0_1_pair3 =
        vector.transfer_read %key_rows[%own_place0, %column1_3],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read0_1_pairs = vector.insert %key_read0_1_pair3, %key_read0_1_pairs_3[3] : !pair into !matrices
      %key_read0_1 = vector.shape_cast %key_read0_1_pairs : !matrices to !chunk
      %key_read1_1_none = arith.constant dense<0.0> : !matrices
      %key_read1_1_pair0 =
        vector.transfer_read %key_rows[%own_place1, %column1_0],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_1_pairs_1 = vector.insert %key_read1_1_pair0, %key_read1_1_none[0] : !pair into !matrices
      %key_read1_1_pair1 =
        vector.transfer_read %key_rows[%own_place1, %column1_1],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_1_pairs_2 = vector.insert %key_read1_1_pair1, %key_read1_1_pairs_1[1] : !pair into !matrices
      %key_read1_1_pair2 =
        vector.transfer_read %key_rows[%own_place1, %column1_2],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_1_pairs_3 = vector.insert %key_read1_1_pair2, %key_read1_1_pairs_2[2] : !pair into !matrices
      %key_read1_1_pair3 =
        vector.transfer_read %key_rows[%own_place1, %column1_3],
        %no_element {in_bounds = [true]} : !key_rows, !pair
      %key_read1_1_pairs = vector.insert %key_read1_1_pair3, %key_read1_1_pairs_3[3] : !pair into !matrices
      %key_read1_1 = vector.shape_cast %key_read1_1_pairs : !matrices to !chunk
            %key_parts0_1 = vector.shape_cast %key_read0_1
              : !chunk to !row_parts
            %key_rows1_1 = vector.insert
              %key_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %key_parts1_1 = vector.shape_cast %key_read1_1
              : !chunk to !row_parts
            %key_rows1 = vector.insert
              %key_parts1_1, %key_rows1_1[0, 1]
              : !row_parts into !own_parts
            %key_turned1 = vector.transpose %key_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %key_own1 = vector.shape_cast %key_turned1
              : !own_turned to !own_operand
      %value_read0_0_none = arith.constant dense<0.0> : !matrices
      %value_read0_0_pair0 =
        vector.transfer_read %value_rows[%own_place0, %column0_0],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_0_pairs_1 = vector.insert %value_read0_0_pair0, %value_read0_0_none[0] : !pair into !matrices
      %value_read0_0_pair1 =
        vector.transfer_read %value_rows[%own_place0, %column0_1],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_0_pairs_2 = vector.insert %value_read0_0_pair1, %value_read0_0_pairs_1[1] : !pair into !matrices
      %value_read0_0_pair2 =
        vector.transfer_read %value_rows[%own_place0, %column0_2],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_0_pairs_3 = vector.insert %value_read0_0_pair2, %value_read0_0_pairs_2[2] : !pair into !matrices
      %value_read0_0_pair3 =
        vector.transfer_read %value_rows[%own_place0, %column0_3],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_0_pairs = vector.insert %value_read0_0_pair3, %value_read0_0_pairs_3[3] : !pair into !matrices
      %value_read0_0 = vector.shape_cast %value_read0_0_pairs : !matrices to !chunk
      %value_read1_0_none = arith.constant dense<0.0> : !matrices
      %value_read1_0_pair0 =
        vector.transfer_read %value_rows[%own_place1, %column0_0],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_0_pairs_1 = vector.insert %value_read1_0_pair0, %value_read1_0_none[0] : !pair into !matrices
      %value_read1_0_pair1 =
        vector.transfer_read %value_rows[%own_place1, %column0_1],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_0_pairs_2 = vector.insert %value_read1_0_pair1, %value_read1_0_pairs_1[1] : !pair into !matrices
      %value_read1_0_pair2 =
        vector.transfer_read %value_rows[%own_place1, %column0_2],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_0_pairs_3 = vector.insert %value_read1_0_pair2, %value_read1_0_pairs_2[2] : !pair into !matrices
      %value_read1_0_pair3 =
        vector.transfer_read %value_rows[%own_place1, %column0_3],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_0_pairs = vector.insert %value_read1_0_pair3, %value_read1_0_pairs_3[3] : !pair into !matrices
      %value_read1_0 = vector.shape_cast %value_read1_0_pairs : !matrices to !chunk
            %value_parts0_0 = vector.shape_cast %value_read0_0
              : !chunk to !row_parts
            %value_rows0_1 = vector.insert
              %value_parts0_0, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_parts1_0 = vector.shape_cast %value_read1_0
              : !chunk to !row_parts
            %value_rows0 = vector.insert
              %value_parts1_0, %value_rows0_1[0, 1]
              : !row_parts into !own_parts
            %value_turned0 = vector.transpose %value_rows0, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own0 = vector.shape_cast %value_turned0
              : !own_turned to !own_operand
      %value_read0_1_none = arith.constant dense<0.0> : !matrices
      %value_read0_1_pair0 =
        vector.transfer_read %value_rows[%own_place0, %column1_0],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_1_pairs_1 = vector.insert %value_read0_1_pair0, %value_read0_1_none[0] : !pair into !matrices
      %value_read0_1_pair1 =
        vector.transfer_read %value_rows[%own_place0, %column1_1],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_1_pairs_2 = vector.insert %value_read0_1_pair1, %value_read0_1_pairs_1[1] : !pair into !matrices
      %value_read0_1_pair2 =
        vector.transfer_read %value_rows[%own_place0, %column1_2],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_1_pairs_3 = vector.insert %value_read0_1_pair2, %value_read0_1_pairs_2[2] : !pair into !matrices
      %value_read0_1_pair3 =
        vector.transfer_read %value_rows[%own_place0, %column1_3],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read0_1_pairs = vector.insert %value_read0_1_pair3, %value_read0_1_pairs_3[3] : !pair into !matrices
      %value_read0_1 = vector.shape_cast %value_read0_1_pairs : !matrices to !chunk
      %value_read1_1_none = arith.constant dense<0.0> : !matrices
      %value_read1_1_pair0 =
        vector.transfer_read %value_rows[%own_place1, %column1_0],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_1_pairs_1 = vector.insert %value_read1_1_pair0, %value_read1_1_none[0] : !pair into !matrices
      %value_read1_1_pair1 =
        vector.transfer_read %value_rows[%own_place1, %column1_1],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_1_pairs_2 = vector.insert %value_read1_1_pair1, %value_read1_1_pairs_1[1] : !pair into !matrices
      %value_read1_1_pair2 =
        vector.transfer_read %value_rows[%own_place1, %column1_2],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_1_pairs_3 = vector.insert %value_read1_1_pair2, %value_read1_1_pairs_2[2] : !pair into !matrices
      %value_read1_1_pair3 =
        vector.transfer_read %value_rows[%own_place1, %column1_3],
        %no_element {in_bounds = [true]} : !value_rows, !pair
      %value_read1_1_pairs = vector.insert %value_read1_1_pair3, %value_read1_1_pairs_3[3] : !pair into !matrices
      %value_read1_1 = vector.shape_cast %value_read1_1_pairs : !matrices to !chunk
            %value_parts0_1 = vector.shape_cast %value_read0_1
              : !chunk to !row_parts
            %value_rows1_1 = vector.insert
              %value_parts0_1, %no_own[0, 0]
              : !row_parts into !own_parts
            %value_parts1_1 = vector.shape_cast %value_read1_1
              : !chunk to !row_parts
            %value_rows1 = vector.insert
              %value_parts1_1, %value_rows1_1[0, 1]
              : !row_parts into !own_parts
            %value_turned1 = vector.transpose %value_rows1, [0, 2, 1, 3, 4]
              : !own_parts to !own_turned
            %value_own1 = vector.shape_cast %value_turned1
              : !own_turned to !own_operand
      %token_of_group = affine.apply affine_map<(g) -> (g * 2)>(%group)
      %position0 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 0)>(%row_0, %first_row, %shift)
      %first_seen0 = affine.max affine_map<(p) -> (p - 0, 0)>(%position0)
      %seen0 = affine.min affine_map<(p, f, n)
        -> (n - f)>(
          %position0, %first_seen0, %step_len)
      %seen_any0 = arith.maxsi %seen0, %none : index
      %seen_count0 = arith.index_cast %seen_any0 : index to i32
      %position1 =
        affine.apply affine_map<(r, i, s) -> (r + i + s + 1)>(%row_0, %first_row, %shift)
      %first_seen1 = affine.max affine_map<(p) -> (p - 0, 0)>(%position1)
      %seen1 = affine.min affine_map<(p, f, n)
        -> (n - f)>(
          %position1, %first_seen1, %step_len)
      %seen_any1 = arith.maxsi %seen1, %none : index
      %seen_count1 = arith.index_cast %seen_any1 : index to i32
      %seen_rows = vector.from_elements %seen_count0, %seen_count1 : !row_bits
      %seen_counts = vector.broadcast %seen_rows : !row_bits to !score_bits
      %token_numbers = arith.constant dense<[[[0, 1], [0, 1]], [[8, 9], [8, 9]]]> : !score_bits
      %wave_position = affine.apply affine_map<(r, w, s)
        -> (r + w * 16 + s)>(%row_0, %wave, %shift)
      %fetch_column = affine.apply
        affine_map<(l) -> (l mod 8 * 8)>(%lane)
      %access = arith.constant 8 : index
      %row_of_matrix = affine.apply affine_map<(l) -> (l mod 8)>(%lane)
      %column_of_matrix = affine.apply affine_map<(l) -> (l mod 32 floordiv 8 * 8)>(%lane)
      %row_turned = affine.apply affine_map<(l) -> (l mod 16)>(%lane)
      %column_turned = affine.apply affine_map<(l) -> (l mod 32 floordiv 16 * 8)>(%lane)
      %token_of_index = affine.apply affine_map<(i) -> (i)>(%index)
      %depth_of_group = affine.apply affine_map<(g) -> (g * 2)>(%group)
      %scale = arith.constant dense<0.18033688011112042> : !scores
      %no_scores = arith.constant dense<0.0> : !scores
      %no_sums = arith.constant dense<0.0> : !sums
      %no_acc = arith.constant dense<0.0> : !acc
      %places_numbers = arith.cmpi slt, %lane, %step_tokens : index
      %number_place = affine.apply affine_map<(l) -> (l mod 32)>(%lane)
        %base_first = affine.apply affine_map<(b, h)
          -> ((b * 4 + h) * 37)>(%b, %first_head)
        %buffer_first = affine.apply affine_map<(i) -> (i mod 2 * 32)>(%none)
        %token_first0 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 0, n)>(%begin, %lane, %last_token)
        %row_first0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first0)
        %place_first0 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 0)>(%buffer_first, %lane)
        %token_any_first0 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 0)>(%begin, %lane)
        %is_token_first0 = arith.cmpi slt, %token_any_first0, %step_len : index
        %elements_first0 = arith.select %is_token_first0, %access, %none : index
        %query_copy_first0 = "nvgpu.device_async_copy"(
            %query_lds, %place_first0, %fetch_column,
            %query_there, %row_first0, %fetch_column, %elements_first0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !query_there, index, index, index)
          -> !nvgpu.device.async.token
        %output_gradient_copy_first0 = "nvgpu.device_async_copy"(
            %output_gradient_lds, %place_first0, %fetch_column,
            %output_gradient_there, %row_first0, %fetch_column, %elements_first0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !output_gradient_there, index, index, index)
          -> !nvgpu.device.async.token
        %token_first1 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 16, n)>(%begin, %lane, %last_token)
        %row_first1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_first, %token_first1)
        %place_first1 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 16)>(%buffer_first, %lane)
        %token_any_first1 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 16)>(%begin, %lane)
        %is_token_first1 = arith.cmpi slt, %token_any_first1, %step_len : index
        %elements_first1 = arith.select %is_token_first1, %access, %none : index
        %query_copy_first1 = "nvgpu.device_async_copy"(
            %query_lds, %place_first1, %fetch_column,
            %query_there, %row_first1, %fetch_column, %elements_first1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !query_there, index, index, index)
          -> !nvgpu.device.async.token
        %output_gradient_copy_first1 = "nvgpu.device_async_copy"(
            %output_gradient_lds, %place_first1, %fetch_column,
            %output_gradient_there, %row_first1, %fetch_column, %elements_first1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !output_gradient_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %number_token_first = affine.min
          affine_map<(t, l, n) -> (t + l mod 32, n)>(%begin, %lane, %last_token)
        %number_row_first = arith.addi %base_first, %number_token_first : index
        %lse_first = tensor.extract %lse_rows[%number_row_first] : !lse_rows
        %delta_first = tensor.extract %delta_rows[%number_row_first, %none] : !delta_rows
        %base_any_first_any = arith.mulf %lse_first, %minus_unit : f32
        %base_any_first_is_empty = arith.cmpf oeq, %lse_first, %minus_inf : f32
        %base_any_first = arith.select %base_any_first_is_empty, %minus_inf, %base_any_first_any : f32
        %number_place_first = arith.addi %begin, %number_place : index
        %is_query_first = arith.cmpi slt, %number_place_first, %step_len : index
        %base_here_first = arith.select %is_query_first, %base_any_first, %minus_inf : f32
        %delta_here_first = arith.select %is_query_first, %delta_first, %zero : f32
        scf.if %places_numbers {
          memref.store %base_here_first, %numbers_lds[%none, %number_place] : !numbers_lds
          memref.store %delta_here_first, %numbers_lds[%one, %number_place] : !numbers_lds
        }
      %t_done, %head_done, %acc_done0, %acc_done1
           =
        scf.for %i = %none to %steps step %one
          iter_args(%t0 = %begin, %head = %first_head,
            %acc0 = %no_acc,
            %acc1 = %no_acc
          ) -> (index, index, !acc, !acc) {
        %t_more = arith.addi %t0, %step_tokens : index
        %is_last_of_head = arith.cmpi sge, %t_more, %end : index
        %t_next = arith.select %is_last_of_head, %begin, %t_more : index
        %head_more = affine.min affine_map<(h, l) -> (h + 1, l)>(%head, %last_head)
        %head_next = arith.select %is_last_of_head, %head_more, %head : index
        %i_after = affine.apply affine_map<(i) -> (i + 1)>(%i)
        %buffer_here = affine.apply affine_map<(i) -> (i mod 2 * 32)>(%i)
        %base_row = affine.apply affine_map<(i) -> (i mod 2 * 2)>(%i)
        %delta_row = affine.apply affine_map<(i) -> (i mod 2 * 2 + 1)>(%i)
        %base_row_next = affine.apply affine_map<(i) -> (i mod 2 * 2)>(%i_after)
        %delta_row_next = affine.apply affine_map<(i) -> (i mod 2 * 2 + 1)>(%i_after)
        nvvm.cp.async.wait.group 0
        gpu.barrier memfence [#gpu.address_space<workgroup>]
        %base_next = affine.apply affine_map<(b, h)
          -> ((b * 4 + h) * 37)>(%b, %head_next)
        %buffer_next = affine.apply affine_map<(i) -> (i mod 2 * 32)>(%i_after)
        %token_next0 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 0, n)>(%t_next, %lane, %last_token)
        %row_next0 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next0)
        %place_next0 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 0)>(%buffer_next, %lane)
        %token_any_next0 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 0)>(%t_next, %lane)
        %is_token_next0 = arith.cmpi slt, %token_any_next0, %step_len : index
        %elements_next0 = arith.select %is_token_next0, %access, %none : index
        %query_copy_next0 = "nvgpu.device_async_copy"(
            %query_lds, %place_next0, %fetch_column,
            %query_there, %row_next0, %fetch_column, %elements_next0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !query_there, index, index, index)
          -> !nvgpu.device.async.token
        %output_gradient_copy_next0 = "nvgpu.device_async_copy"(
            %output_gradient_lds, %place_next0, %fetch_column,
            %output_gradient_there, %row_next0, %fetch_column, %elements_next0)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !output_gradient_there, index, index, index)
          -> !nvgpu.device.async.token
        %token_next1 = affine.min affine_map<(t, l, n)
          -> (t + l floordiv 8 + 16, n)>(%t_next, %lane, %last_token)
        %row_next1 = affine.apply affine_map<(b, t)
          -> (b + t * 1)>(%base_next, %token_next1)
        %place_next1 = affine.apply affine_map<(b, l)
          -> (b + l floordiv 8 + 16)>(%buffer_next, %lane)
        %token_any_next1 = affine.apply
          affine_map<(t, l) -> (t + l floordiv 8 + 16)>(%t_next, %lane)
        %is_token_next1 = arith.cmpi slt, %token_any_next1, %step_len : index
        %elements_next1 = arith.select %is_token_next1, %access, %none : index
        %query_copy_next1 = "nvgpu.device_async_copy"(
            %query_lds, %place_next1, %fetch_column,
            %query_there, %row_next1, %fetch_column, %elements_next1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !query_there, index, index, index)
          -> !nvgpu.device.async.token
        %output_gradient_copy_next1 = "nvgpu.device_async_copy"(
            %output_gradient_lds, %place_next1, %fetch_column,
            %output_gradient_there, %row_next1, %fetch_column, %elements_next1)
          <{bypassL1, dstElements = 8 : index,
            operandSegmentSizes = array<i32: 1, 2, 1, 2, 1>}>
          : (!rows_lds, index, index, !output_gradient_there, index, index, index)
          -> !nvgpu.device.async.token
        nvvm.cp.async.commit.group
        %number_token_next = affine.min
          affine_map<(t, l, n) -> (t + l mod 32, n)>(%t_next, %lane, %last_token)
        %number_row_next = arith.addi %base_next, %number_token_next : index
        %lse_next = tensor.extract %lse_rows[%number_row_next] : !lse_rows
        %delta_next = tensor.extract %delta_rows[%number_row_next, %none] : !delta_rows
        %acc_next0, %acc_next1 = scf.for %c = %none to %step_tokens step %chunk_tokens
            iter_args(%acc_before0 = %acc0, %acc_before1 = %acc1) -> (!acc, !acc) {
          %t_chunk = arith.addi %t0, %c : index
          %before_end = arith.cmpi slt, %t_chunk, %end : index
          %first_of_wave = affine.apply affine_map<(p) -> (p - 15)>(%wave_position)
          %is_not_behind = arith.cmpi sge, %t_chunk, %first_of_wave : index
          %always = arith.constant true
          %wave_sees_1 = arith.andi %always, %before_end : i1
          %wave_sees = arith.andi %wave_sees_1, %is_not_behind : i1
          %acc_after0, %acc_after1 = scf.if %wave_sees -> (!acc, !acc) {
            %token_row0 = affine.apply affine_map<(b, c, i)
              -> (b + c + i + 0)>(%buffer_here, %c, %row_of_matrix)
            %token_row1 = affine.apply affine_map<(b, c, i)
              -> (b + c + i + 8)>(%buffer_here, %c, %row_of_matrix)
            %columns_of_step0 =
              affine.apply affine_map<(c) -> (c + 0)>(%column_of_matrix)
            %columns_of_step1 =
              affine.apply affine_map<(c) -> (c + 32)>(%column_of_matrix)
            %query0_0_read =
              "nvgpu.ldmatrix"(%query_lds, %token_row0, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %query0_0 = vector.shape_cast %query0_0_read : !matrices to !step_operand
            %score_sums0_1 = iree_codegen.inner_tiled
              ins(%key_own0, %query0_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %query0_1_read =
              "nvgpu.ldmatrix"(%query_lds, %token_row0, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %query0_1 = vector.shape_cast %query0_1_read : !matrices to !step_operand
            %score_sums0 = iree_codegen.inner_tiled
              ins(%key_own1, %query0_1) outs(%score_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %score_tile0 = vector.shape_cast %score_sums0 : !sums to !score_tile
            %query1_0_read =
              "nvgpu.ldmatrix"(%query_lds, %token_row1, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %query1_0 = vector.shape_cast %query1_0_read : !matrices to !step_operand
            %score_sums1_1 = iree_codegen.inner_tiled
              ins(%key_own0, %query1_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %query1_1_read =
              "nvgpu.ldmatrix"(%query_lds, %token_row1, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %query1_1 = vector.shape_cast %query1_1_read : !matrices to !step_operand
            %score_sums1 = iree_codegen.inner_tiled
              ins(%key_own1, %query1_1) outs(%score_sums1_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %score_tile1 = vector.shape_cast %score_sums1 : !sums to !score_tile
            %scores_given_1 = vector.insert %score_tile0, %no_scores[0]
              : !score_tile into !scores
            %scores_given = vector.insert %score_tile1, %scores_given_1[1]
              : !score_tile into !scores
            %output_gradient0_0_read =
              "nvgpu.ldmatrix"(%output_gradient_lds, %token_row0, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %output_gradient0_0 = vector.shape_cast %output_gradient0_0_read : !matrices to !step_operand
            %weight_sums0_1 = iree_codegen.inner_tiled
              ins(%value_own0, %output_gradient0_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %output_gradient0_1_read =
              "nvgpu.ldmatrix"(%output_gradient_lds, %token_row0, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %output_gradient0_1 = vector.shape_cast %output_gradient0_1_read : !matrices to !step_operand
            %weight_sums0 = iree_codegen.inner_tiled
              ins(%value_own1, %output_gradient0_1) outs(%weight_sums0_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %weight_tile0 = vector.shape_cast %weight_sums0 : !sums to !score_tile
            %output_gradient1_0_read =
              "nvgpu.ldmatrix"(%output_gradient_lds, %token_row1, %columns_of_step0)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %output_gradient1_0 = vector.shape_cast %output_gradient1_0_read : !matrices to !step_operand
            %weight_sums1_1 = iree_codegen.inner_tiled
              ins(%value_own0, %output_gradient1_0) outs(%no_sums) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %output_gradient1_1_read =
              "nvgpu.ldmatrix"(%output_gradient_lds, %token_row1, %columns_of_step1)
              <{numTiles = 4 : i32, transpose = false}> : (!rows_lds, index, index) -> !matrices
            %output_gradient1_1 = vector.shape_cast %output_gradient1_1_read : !matrices to !step_operand
            %weight_sums1 = iree_codegen.inner_tiled
              ins(%value_own1, %output_gradient1_1) outs(%weight_sums1_1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !own_operand, !step_operand into !sums
            %weight_tile1 = vector.shape_cast %weight_sums1 : !sums to !score_tile
            %weights_given_1 = vector.insert %weight_tile0, %no_scores[0]
              : !score_tile into !scores
            %weights_given = vector.insert %weight_tile1, %weights_given_1[1]
              : !score_tile into !scores
            %bases_token0 = affine.apply affine_map<(c, g)
              -> (c + g * 2 + 0)>(%c, %group)
            %bases_read0 =
              "vector.load"(%numbers_lds, %base_row, %bases_token0)
              <{alignment = 8 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %bases_tile0 = vector.broadcast %bases_read0 : !own_f32 to !score_tile
            %bases_1 = vector.insert %bases_tile0, %no_scores[0]
              : !score_tile into !scores
            %bases_token1 = affine.apply affine_map<(c, g)
              -> (c + g * 2 + 8)>(%c, %group)
            %bases_read1 =
              "vector.load"(%numbers_lds, %base_row, %bases_token1)
              <{alignment = 8 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %bases_tile1 = vector.broadcast %bases_read1 : !own_f32 to !score_tile
            %bases = vector.insert %bases_tile1, %bases_1[1]
              : !score_tile into !scores
            %deltas_token0 = affine.apply affine_map<(c, g)
              -> (c + g * 2 + 0)>(%c, %group)
            %deltas_read0 =
              "vector.load"(%numbers_lds, %delta_row, %deltas_token0)
              <{alignment = 8 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %deltas_tile0 = vector.broadcast %deltas_read0 : !own_f32 to !score_tile
            %deltas_1 = vector.insert %deltas_tile0, %no_scores[0]
              : !score_tile into !scores
            %deltas_token1 = affine.apply affine_map<(c, g)
              -> (c + g * 2 + 8)>(%c, %group)
            %deltas_read1 =
              "vector.load"(%numbers_lds, %delta_row, %deltas_token1)
              <{alignment = 8 : i64}> : (!numbers_lds, index, index) -> !own_f32
            %deltas_tile1 = vector.broadcast %deltas_read1 : !own_f32 to !score_tile
            %deltas = vector.insert %deltas_tile1, %deltas_1[1]
              : !score_tile into !scores
            %below = math.fma %scores_given, %scale, %bases : !scores
            %below_flat = vector.shape_cast %below : !scores to !scores_flat
            %below_0 = vector.extract %below_flat[0] : f32 from !scores_flat
            %weights_any_0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_0)
              : (f32) -> f32
            %below_1 = vector.extract %below_flat[1] : f32 from !scores_flat
            %weights_any_1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_1)
              : (f32) -> f32
            %below_2 = vector.extract %below_flat[2] : f32 from !scores_flat
            %weights_any_2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_2)
              : (f32) -> f32
            %below_3 = vector.extract %below_flat[3] : f32 from !scores_flat
            %weights_any_3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_3)
              : (f32) -> f32
            %below_4 = vector.extract %below_flat[4] : f32 from !scores_flat
            %weights_any_4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_4)
              : (f32) -> f32
            %below_5 = vector.extract %below_flat[5] : f32 from !scores_flat
            %weights_any_5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_5)
              : (f32) -> f32
            %below_6 = vector.extract %below_flat[6] : f32 from !scores_flat
            %weights_any_6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_6)
              : (f32) -> f32
            %below_7 = vector.extract %below_flat[7] : f32 from !scores_flat
            %weights_any_7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%below_7)
              : (f32) -> f32
            %weights_any_flat = vector.from_elements %weights_any_0, %weights_any_1, %weights_any_2, %weights_any_3, %weights_any_4, %weights_any_5, %weights_any_6, %weights_any_7
              : !scores_flat
            %weights_any = vector.shape_cast %weights_any_flat : !scores_flat to !scores
            %beyond = arith.subf %weights_given, %deltas : !scores
            %of_logits = arith.mulf %weights_any, %beyond : !scores
            %first_of_chunk0 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen0, %t_chunk, %token_of_group)
            %first_i32_0 = arith.index_cast %first_of_chunk0 : index to i32
            %first_of_chunk1 = affine.apply affine_map<(f, t, g) -> (f - t - g)>(
              %first_seen1, %t_chunk, %token_of_group)
            %first_i32_1 = arith.index_cast %first_of_chunk1 : index to i32
            %first_rows = vector.from_elements %first_i32_0, %first_i32_1 : !row_bits
            %firsts = vector.broadcast %first_rows : !row_bits to !score_bits
            %after_first = arith.subi %token_numbers, %firsts : !score_bits
            %is_seen =
              arith.cmpi ult, %after_first, %seen_counts : !score_bits
            %weights = arith.select %is_seen, %weights_any, %no_scores : !is_seen, !scores
            %of_scores = arith.select %is_seen, %of_logits, %no_scores : !is_seen, !scores
            %tokens_turned = affine.apply affine_map<(b, c, i) -> (b + c + i)>(%buffer_here, %c, %row_turned)
    %weights_stored = arith.truncf %weights : !scores to !stored_scores
            %weights_by_row = vector.transpose %weights_stored, [1, 0, 2]
              : !stored_scores to !stored_by_row
            %weights_operand = vector.shape_cast %weights_by_row : !stored_by_row to !weights_operand
            %output_gradient_column0 =
              affine.apply affine_map<(c) -> (c + 0)>(%column_turned)
            %output_gradient_turned0 =
              "nvgpu.ldmatrix"(%output_gradient_lds, %tokens_turned, %output_gradient_column0)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %output_gradient_tiles0 = vector.shape_cast %output_gradient_turned0
              : !matrices to !two_columns
            %output_gradient_columns0 = vector.extract %output_gradient_tiles0[0]
              : !column_parts from !two_columns
            %output_gradient_operand0 = vector.shape_cast %output_gradient_columns0
              : !column_parts to !columns_operand
            %output_gradient_so_far0 = vector.extract %acc_before0[0] : !sums from !acc
            %output_gradient_summed0 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand0) outs(%output_gradient_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_1 = vector.insert %output_gradient_summed0, %acc_before0[0] : !sums into !acc
            %output_gradient_columns1 = vector.extract %output_gradient_tiles0[1]
              : !column_parts from !two_columns
            %output_gradient_operand1 = vector.shape_cast %output_gradient_columns1
              : !column_parts to !columns_operand
            %output_gradient_so_far1 = vector.extract %acc_added0_1[1] : !sums from !acc
            %output_gradient_summed1 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand1) outs(%output_gradient_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_2 = vector.insert %output_gradient_summed1, %acc_added0_1[1] : !sums into !acc
            %output_gradient_column2 =
              affine.apply affine_map<(c) -> (c + 16)>(%column_turned)
            %output_gradient_turned2 =
              "nvgpu.ldmatrix"(%output_gradient_lds, %tokens_turned, %output_gradient_column2)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %output_gradient_tiles2 = vector.shape_cast %output_gradient_turned2
              : !matrices to !two_columns
            %output_gradient_columns2 = vector.extract %output_gradient_tiles2[0]
              : !column_parts from !two_columns
            %output_gradient_operand2 = vector.shape_cast %output_gradient_columns2
              : !column_parts to !columns_operand
            %output_gradient_so_far2 = vector.extract %acc_added0_2[2] : !sums from !acc
            %output_gradient_summed2 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand2) outs(%output_gradient_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_3 = vector.insert %output_gradient_summed2, %acc_added0_2[2] : !sums into !acc
            %output_gradient_columns3 = vector.extract %output_gradient_tiles2[1]
              : !column_parts from !two_columns
            %output_gradient_operand3 = vector.shape_cast %output_gradient_columns3
              : !column_parts to !columns_operand
            %output_gradient_so_far3 = vector.extract %acc_added0_3[3] : !sums from !acc
            %output_gradient_summed3 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand3) outs(%output_gradient_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_4 = vector.insert %output_gradient_summed3, %acc_added0_3[3] : !sums into !acc
            %output_gradient_column4 =
              affine.apply affine_map<(c) -> (c + 32)>(%column_turned)
            %output_gradient_turned4 =
              "nvgpu.ldmatrix"(%output_gradient_lds, %tokens_turned, %output_gradient_column4)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %output_gradient_tiles4 = vector.shape_cast %output_gradient_turned4
              : !matrices to !two_columns
            %output_gradient_columns4 = vector.extract %output_gradient_tiles4[0]
              : !column_parts from !two_columns
            %output_gradient_operand4 = vector.shape_cast %output_gradient_columns4
              : !column_parts to !columns_operand
            %output_gradient_so_far4 = vector.extract %acc_added0_4[4] : !sums from !acc
            %output_gradient_summed4 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand4) outs(%output_gradient_so_far4) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_5 = vector.insert %output_gradient_summed4, %acc_added0_4[4] : !sums into !acc
            %output_gradient_columns5 = vector.extract %output_gradient_tiles4[1]
              : !column_parts from !two_columns
            %output_gradient_operand5 = vector.shape_cast %output_gradient_columns5
              : !column_parts to !columns_operand
            %output_gradient_so_far5 = vector.extract %acc_added0_5[5] : !sums from !acc
            %output_gradient_summed5 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand5) outs(%output_gradient_so_far5) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_6 = vector.insert %output_gradient_summed5, %acc_added0_5[5] : !sums into !acc
            %output_gradient_column6 =
              affine.apply affine_map<(c) -> (c + 48)>(%column_turned)
            %output_gradient_turned6 =
              "nvgpu.ldmatrix"(%output_gradient_lds, %tokens_turned, %output_gradient_column6)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %output_gradient_tiles6 = vector.shape_cast %output_gradient_turned6
              : !matrices to !two_columns
            %output_gradient_columns6 = vector.extract %output_gradient_tiles6[0]
              : !column_parts from !two_columns
            %output_gradient_operand6 = vector.shape_cast %output_gradient_columns6
              : !column_parts to !columns_operand
            %output_gradient_so_far6 = vector.extract %acc_added0_6[6] : !sums from !acc
            %output_gradient_summed6 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand6) outs(%output_gradient_so_far6) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0_7 = vector.insert %output_gradient_summed6, %acc_added0_6[6] : !sums into !acc
            %output_gradient_columns7 = vector.extract %output_gradient_tiles6[1]
              : !column_parts from !two_columns
            %output_gradient_operand7 = vector.shape_cast %output_gradient_columns7
              : !column_parts to !columns_operand
            %output_gradient_so_far7 = vector.extract %acc_added0_7[7] : !sums from !acc
            %output_gradient_summed7 = iree_codegen.inner_tiled
              ins(%weights_operand, %output_gradient_operand7) outs(%output_gradient_so_far7) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added0 = vector.insert %output_gradient_summed7, %acc_added0_7[7] : !sums into !acc
    %of_scores_stored = arith.truncf %of_scores : !scores to !stored_scores
            %of_scores_by_row = vector.transpose %of_scores_stored, [1, 0, 2]
              : !stored_scores to !stored_by_row
            %of_scores_operand = vector.shape_cast %of_scores_by_row : !stored_by_row to !weights_operand
            %query_column0 =
              affine.apply affine_map<(c) -> (c + 0)>(%column_turned)
            %query_turned0 =
              "nvgpu.ldmatrix"(%query_lds, %tokens_turned, %query_column0)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %query_tiles0 = vector.shape_cast %query_turned0
              : !matrices to !two_columns
            %query_columns0 = vector.extract %query_tiles0[0]
              : !column_parts from !two_columns
            %query_operand0 = vector.shape_cast %query_columns0
              : !column_parts to !columns_operand
            %query_so_far0 = vector.extract %acc_before1[0] : !sums from !acc
            %query_summed0 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand0) outs(%query_so_far0) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_1 = vector.insert %query_summed0, %acc_before1[0] : !sums into !acc
            %query_columns1 = vector.extract %query_tiles0[1]
              : !column_parts from !two_columns
            %query_operand1 = vector.shape_cast %query_columns1
              : !column_parts to !columns_operand
            %query_so_far1 = vector.extract %acc_added1_1[1] : !sums from !acc
            %query_summed1 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand1) outs(%query_so_far1) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_2 = vector.insert %query_summed1, %acc_added1_1[1] : !sums into !acc
            %query_column2 =
              affine.apply affine_map<(c) -> (c + 16)>(%column_turned)
            %query_turned2 =
              "nvgpu.ldmatrix"(%query_lds, %tokens_turned, %query_column2)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %query_tiles2 = vector.shape_cast %query_turned2
              : !matrices to !two_columns
            %query_columns2 = vector.extract %query_tiles2[0]
              : !column_parts from !two_columns
            %query_operand2 = vector.shape_cast %query_columns2
              : !column_parts to !columns_operand
            %query_so_far2 = vector.extract %acc_added1_2[2] : !sums from !acc
            %query_summed2 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand2) outs(%query_so_far2) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_3 = vector.insert %query_summed2, %acc_added1_2[2] : !sums into !acc
            %query_columns3 = vector.extract %query_tiles2[1]
              : !column_parts from !two_columns
            %query_operand3 = vector.shape_cast %query_columns3
              : !column_parts to !columns_operand
            %query_so_far3 = vector.extract %acc_added1_3[3] : !sums from !acc
            %query_summed3 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand3) outs(%query_so_far3) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_4 = vector.insert %query_summed3, %acc_added1_3[3] : !sums into !acc
            %query_column4 =
              affine.apply affine_map<(c) -> (c + 32)>(%column_turned)
            %query_turned4 =
              "nvgpu.ldmatrix"(%query_lds, %tokens_turned, %query_column4)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %query_tiles4 = vector.shape_cast %query_turned4
              : !matrices to !two_columns
            %query_columns4 = vector.extract %query_tiles4[0]
              : !column_parts from !two_columns
            %query_operand4 = vector.shape_cast %query_columns4
              : !column_parts to !columns_operand
            %query_so_far4 = vector.extract %acc_added1_4[4] : !sums from !acc
            %query_summed4 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand4) outs(%query_so_far4) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_5 = vector.insert %query_summed4, %acc_added1_4[4] : !sums into !acc
            %query_columns5 = vector.extract %query_tiles4[1]
              : !column_parts from !two_columns
            %query_operand5 = vector.shape_cast %query_columns5
              : !column_parts to !columns_operand
            %query_so_far5 = vector.extract %acc_added1_5[5] : !sums from !acc
            %query_summed5 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand5) outs(%query_so_far5) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_6 = vector.insert %query_summed5, %acc_added1_5[5] : !sums into !acc
            %query_column6 =
              affine.apply affine_map<(c) -> (c + 48)>(%column_turned)
            %query_turned6 =
              "nvgpu.ldmatrix"(%query_lds, %tokens_turned, %query_column6)
              <{numTiles = 4 : i32, transpose = true}> : (!rows_lds, index, index) -> !matrices
            %query_tiles6 = vector.shape_cast %query_turned6
              : !matrices to !two_columns
            %query_columns6 = vector.extract %query_tiles6[0]
              : !column_parts from !two_columns
            %query_operand6 = vector.shape_cast %query_columns6
              : !column_parts to !columns_operand
            %query_so_far6 = vector.extract %acc_added1_6[6] : !sums from !acc
            %query_summed6 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand6) outs(%query_so_far6) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1_7 = vector.insert %query_summed6, %acc_added1_6[6] : !sums into !acc
            %query_columns7 = vector.extract %query_tiles6[1]
              : !column_parts from !two_columns
            %query_operand7 = vector.shape_cast %query_columns7
              : !column_parts to !columns_operand
            %query_so_far7 = vector.extract %acc_added1_7[7] : !sums from !acc
            %query_summed7 = iree_codegen.inner_tiled
              ins(%of_scores_operand, %query_operand7) outs(%query_so_far7) <indexing_maps = [#left, #right, #product], iterator_types = [#parallel, #parallel, #reduction],
             kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>,
             semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>>
              : !weights_operand, !columns_operand into !sums
            %acc_added1 = vector.insert %query_summed7, %acc_added1_7[7] : !sums into !acc
            scf.yield %acc_added0, %acc_added1 : !acc, !acc
          } else {
            scf.yield %acc_before0, %acc_before1 : !acc, !acc
          }
          scf.yield %acc_after0, %acc_after1 : !acc, !acc
        }
        %base_any_next_any = arith.mulf %lse_next, %minus_unit : f32
        %base_any_next_is_empty = arith.cmpf oeq, %lse_next, %minus_inf : f32
        %base_any_next = arith.select %base_any_next_is_empty, %minus_inf, %base_any_next_any : f32
        %number_place_next = arith.addi %t_next, %number_place : index
        %is_query_next = arith.cmpi slt, %number_place_next, %step_len : index
        %base_here_next = arith.select %is_query_next, %base_any_next, %minus_inf : f32
        %delta_here_next = arith.select %is_query_next, %delta_next, %zero : f32
        scf.if %places_numbers {
          memref.store %base_here_next, %numbers_lds[%base_row_next, %number_place] : !numbers_lds
          memref.store %delta_here_next, %numbers_lds[%delta_row_next, %number_place] : !numbers_lds
        }
        scf.yield %t_next, %head_next, %acc_next0, %acc_next1
            
          : index, index, !acc, !acc
      }
      nvvm.cp.async.wait.group 0
      %rows_left = affine.min affine_map<(n, r) -> (n - r, 2)>(%rows_here, %first_row)
      %own_rows = arith.maxsi %rows_left, %none : index
      %output_column = affine.apply affine_map<(g) -> (g * 16)>(%group)
      %by_column0 = vector.shape_cast %acc_done0 : !acc to !acc_by_column
      %by_row0 = vector.transpose %by_column0, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums0 = vector.shape_cast %by_row0 : !acc_by_row to !result_rows
      %factor0 = arith.constant dense<1.0> : !result_rows
      %made0 = arith.mulf %sums0, %factor0 : !result_rows
    %made0_stored = arith.truncf %made0 : !result_rows to !stored_rows
      %is_upper_of0_ = affine.apply affine_map<(g) -> (g floordiv 2)>(%group)
      %is_odd_of0_ = affine.apply affine_map<(g) -> (g mod 2)>(%group)
      %is_bit2_of0_ = arith.cmpi ne, %is_upper_of0_, %none : index
      %is_bit1_of0_ = arith.cmpi ne, %is_odd_of0_, %none : index
      %no_output_of0_ = arith.constant dense<0.0> : !stored_rows
      %spread_of0_0 = vector.extract %made0_stored[0] : !stored_row from !stored_rows
      %spread_bits_of0_0 = vector.bitcast %spread_of0_0 : !stored_row to !row_pairs
      %pair_of0_0_0_s = vector.extract %spread_bits_of0_0[0] : i32 from !row_pairs
      %pair_of0_0_1_s = vector.extract %spread_bits_of0_0[1] : i32 from !row_pairs
      %pair_of0_0_2_s = vector.extract %spread_bits_of0_0[2] : i32 from !row_pairs
      %pair_of0_0_3_s = vector.extract %spread_bits_of0_0[3] : i32 from !row_pairs
      %pair_of0_0_4_s = vector.extract %spread_bits_of0_0[4] : i32 from !row_pairs
      %pair_of0_0_5_s = vector.extract %spread_bits_of0_0[5] : i32 from !row_pairs
      %pair_of0_0_6_s = vector.extract %spread_bits_of0_0[6] : i32 from !row_pairs
      %pair_of0_0_7_s = vector.extract %spread_bits_of0_0[7] : i32 from !row_pairs
      %given_of0_0_0_s = arith.select %is_bit2_of0_, %pair_of0_0_0_s, %pair_of0_0_4_s : i32
      %kept_of0_0_0_s = arith.select %is_bit2_of0_, %pair_of0_0_4_s, %pair_of0_0_0_s : i32
      %there_of0_0_0_s, %is_there_of0_0_0_s =
        gpu.shuffle xor %given_of0_0_0_s, %distance2, %wave_size : i32
      %pair_of0_0_0_s0 = arith.select %is_bit2_of0_, %there_of0_0_0_s, %kept_of0_0_0_s : i32
      %pair_of0_0_0_s1 = arith.select %is_bit2_of0_, %kept_of0_0_0_s, %there_of0_0_0_s : i32
      %given_of0_0_1_s = arith.select %is_bit2_of0_, %pair_of0_0_1_s, %pair_of0_0_5_s : i32
      %kept_of0_0_1_s = arith.select %is_bit2_of0_, %pair_of0_0_5_s, %pair_of0_0_1_s : i32
      %there_of0_0_1_s, %is_there_of0_0_1_s =
        gpu.shuffle xor %given_of0_0_1_s, %distance2, %wave_size : i32
      %pair_of0_0_1_s0 = arith.select %is_bit2_of0_, %there_of0_0_1_s, %kept_of0_0_1_s : i32
      %pair_of0_0_1_s1 = arith.select %is_bit2_of0_, %kept_of0_0_1_s, %there_of0_0_1_s : i32
      %given_of0_0_2_s = arith.select %is_bit2_of0_, %pair_of0_0_2_s, %pair_of0_0_6_s : i32
      %kept_of0_0_2_s = arith.select %is_bit2_of0_, %pair_of0_0_6_s, %pair_of0_0_2_s : i32
      %there_of0_0_2_s, %is_there_of0_0_2_s =
        gpu.shuffle xor %given_of0_0_2_s, %distance2, %wave_size : i32
      %pair_of0_0_2_s0 = arith.select %is_bit2_of0_, %there_of0_0_2_s, %kept_of0_0_2_s : i32
      %pair_of0_0_2_s1 = arith.select %is_bit2_of0_, %kept_of0_0_2_s, %there_of0_0_2_s : i32
      %given_of0_0_3_s = arith.select %is_bit2_of0_, %pair_of0_0_3_s, %pair_of0_0_7_s : i32
      %kept_of0_0_3_s = arith.select %is_bit2_of0_, %pair_of0_0_7_s, %pair_of0_0_3_s : i32
      %there_of0_0_3_s, %is_there_of0_0_3_s =
        gpu.shuffle xor %given_of0_0_3_s, %distance2, %wave_size : i32
      %pair_of0_0_3_s0 = arith.select %is_bit2_of0_, %there_of0_0_3_s, %kept_of0_0_3_s : i32
      %pair_of0_0_3_s1 = arith.select %is_bit2_of0_, %kept_of0_0_3_s, %there_of0_0_3_s : i32
      %given_of0_0_0_s0 = arith.select %is_bit1_of0_, %pair_of0_0_0_s0, %pair_of0_0_2_s0 : i32
      %kept_of0_0_0_s0 = arith.select %is_bit1_of0_, %pair_of0_0_2_s0, %pair_of0_0_0_s0 : i32
      %there_of0_0_0_s0, %is_there_of0_0_0_s0 =
        gpu.shuffle xor %given_of0_0_0_s0, %distance1, %wave_size : i32
      %pair_of0_0_0_s00 = arith.select %is_bit1_of0_, %there_of0_0_0_s0, %kept_of0_0_0_s0 : i32
      %pair_of0_0_0_s01 = arith.select %is_bit1_of0_, %kept_of0_0_0_s0, %there_of0_0_0_s0 : i32
      %given_of0_0_1_s0 = arith.select %is_bit1_of0_, %pair_of0_0_1_s0, %pair_of0_0_3_s0 : i32
      %kept_of0_0_1_s0 = arith.select %is_bit1_of0_, %pair_of0_0_3_s0, %pair_of0_0_1_s0 : i32
      %there_of0_0_1_s0, %is_there_of0_0_1_s0 =
        gpu.shuffle xor %given_of0_0_1_s0, %distance1, %wave_size : i32
      %pair_of0_0_1_s00 = arith.select %is_bit1_of0_, %there_of0_0_1_s0, %kept_of0_0_1_s0 : i32
      %pair_of0_0_1_s01 = arith.select %is_bit1_of0_, %kept_of0_0_1_s0, %there_of0_0_1_s0 : i32
      %given_of0_0_0_s1 = arith.select %is_bit1_of0_, %pair_of0_0_0_s1, %pair_of0_0_2_s1 : i32
      %kept_of0_0_0_s1 = arith.select %is_bit1_of0_, %pair_of0_0_2_s1, %pair_of0_0_0_s1 : i32
      %there_of0_0_0_s1, %is_there_of0_0_0_s1 =
        gpu.shuffle xor %given_of0_0_0_s1, %distance1, %wave_size : i32
      %pair_of0_0_0_s10 = arith.select %is_bit1_of0_, %there_of0_0_0_s1, %kept_of0_0_0_s1 : i32
      %pair_of0_0_0_s11 = arith.select %is_bit1_of0_, %kept_of0_0_0_s1, %there_of0_0_0_s1 : i32
      %given_of0_0_1_s1 = arith.select %is_bit1_of0_, %pair_of0_0_1_s1, %pair_of0_0_3_s1 : i32
      %kept_of0_0_1_s1 = arith.select %is_bit1_of0_, %pair_of0_0_3_s1, %pair_of0_0_1_s1 : i32
      %there_of0_0_1_s1, %is_there_of0_0_1_s1 =
        gpu.shuffle xor %given_of0_0_1_s1, %distance1, %wave_size : i32
      %pair_of0_0_1_s10 = arith.select %is_bit1_of0_, %there_of0_0_1_s1, %kept_of0_0_1_s1 : i32
      %pair_of0_0_1_s11 = arith.select %is_bit1_of0_, %kept_of0_0_1_s1, %there_of0_0_1_s1 : i32
      %gathered_of0_0 = vector.from_elements
        %pair_of0_0_0_s00,
        %pair_of0_0_0_s01,
        %pair_of0_0_0_s10,
        %pair_of0_0_0_s11,
        %pair_of0_0_1_s00,
        %pair_of0_0_1_s01,
        %pair_of0_0_1_s10,
        %pair_of0_0_1_s11
        : !row_pairs
      %gathered_row_of0_0 = vector.bitcast %gathered_of0_0 : !row_pairs to !stored_row
      %neighbours0_1 = vector.insert %gathered_row_of0_0, %no_output_of0_[0]
        : !stored_row into !stored_rows
      %spread_of0_1 = vector.extract %made0_stored[1] : !stored_row from !stored_rows
      %spread_bits_of0_1 = vector.bitcast %spread_of0_1 : !stored_row to !row_pairs
      %pair_of0_1_0_s = vector.extract %spread_bits_of0_1[0] : i32 from !row_pairs
      %pair_of0_1_1_s = vector.extract %spread_bits_of0_1[1] : i32 from !row_pairs
      %pair_of0_1_2_s = vector.extract %spread_bits_of0_1[2] : i32 from !row_pairs
      %pair_of0_1_3_s = vector.extract %spread_bits_of0_1[3] : i32 from !row_pairs
      %pair_of0_1_4_s = vector.extract %spread_bits_of0_1[4] : i32 from !row_pairs
      %pair_of0_1_5_s = vector.extract %spread_bits_of0_1[5] : i32 from !row_pairs
      %pair_of0_1_6_s = vector.extract %spread_bits_of0_1[6] : i32 from !row_pairs
      %pair_of0_1_7_s = vector.extract %spread_bits_of0_1[7] : i32 from !row_pairs
      %given_of0_1_0_s = arith.select %is_bit2_of0_, %pair_of0_1_0_s, %pair_of0_1_4_s : i32
      %kept_of0_1_0_s = arith.select %is_bit2_of0_, %pair_of0_1_4_s, %pair_of0_1_0_s : i32
      %there_of0_1_0_s, %is_there_of0_1_0_s =
        gpu.shuffle xor %given_of0_1_0_s, %distance2, %wave_size : i32
      %pair_of0_1_0_s0 = arith.select %is_bit2_of0_, %there_of0_1_0_s, %kept_of0_1_0_s : i32
      %pair_of0_1_0_s1 = arith.select %is_bit2_of0_, %kept_of0_1_0_s, %there_of0_1_0_s : i32
      %given_of0_1_1_s = arith.select %is_bit2_of0_, %pair_of0_1_1_s, %pair_of0_1_5_s : i32
      %kept_of0_1_1_s = arith.select %is_bit2_of0_, %pair_of0_1_5_s, %pair_of0_1_1_s : i32
      %there_of0_1_1_s, %is_there_of0_1_1_s =
        gpu.shuffle xor %given_of0_1_1_s, %distance2, %wave_size : i32
      %pair_of0_1_1_s0 = arith.select %is_bit2_of0_, %there_of0_1_1_s, %kept_of0_1_1_s : i32
      %pair_of0_1_1_s1 = arith.select %is_bit2_of0_, %kept_of0_1_1_s, %there_of0_1_1_s : i32
      %given_of0_1_2_s = arith.select %is_bit2_of0_, %pair_of0_1_2_s, %pair_of0_1_6_s : i32
      %kept_of0_1_2_s = arith.select %is_bit2_of0_, %pair_of0_1_6_s, %pair_of0_1_2_s : i32
      %there_of0_1_2_s, %is_there_of0_1_2_s =
        gpu.shuffle xor %given_of0_1_2_s, %distance2, %wave_size : i32
      %pair_of0_1_2_s0 = arith.select %is_bit2_of0_, %there_of0_1_2_s, %kept_of0_1_2_s : i32
      %pair_of0_1_2_s1 = arith.select %is_bit2_of0_, %kept_of0_1_2_s, %there_of0_1_2_s : i32
      %given_of0_1_3_s = arith.select %is_bit2_of0_, %pair_of0_1_3_s, %pair_of0_1_7_s : i32
      %kept_of0_1_3_s = arith.select %is_bit2_of0_, %pair_of0_1_7_s, %pair_of0_1_3_s : i32
      %there_of0_1_3_s, %is_there_of0_1_3_s =
        gpu.shuffle xor %given_of0_1_3_s, %distance2, %wave_size : i32
      %pair_of0_1_3_s0 = arith.select %is_bit2_of0_, %there_of0_1_3_s, %kept_of0_1_3_s : i32
      %pair_of0_1_3_s1 = arith.select %is_bit2_of0_, %kept_of0_1_3_s, %there_of0_1_3_s : i32
      %given_of0_1_0_s0 = arith.select %is_bit1_of0_, %pair_of0_1_0_s0, %pair_of0_1_2_s0 : i32
      %kept_of0_1_0_s0 = arith.select %is_bit1_of0_, %pair_of0_1_2_s0, %pair_of0_1_0_s0 : i32
      %there_of0_1_0_s0, %is_there_of0_1_0_s0 =
        gpu.shuffle xor %given_of0_1_0_s0, %distance1, %wave_size : i32
      %pair_of0_1_0_s00 = arith.select %is_bit1_of0_, %there_of0_1_0_s0, %kept_of0_1_0_s0 : i32
      %pair_of0_1_0_s01 = arith.select %is_bit1_of0_, %kept_of0_1_0_s0, %there_of0_1_0_s0 : i32
      %given_of0_1_1_s0 = arith.select %is_bit1_of0_, %pair_of0_1_1_s0, %pair_of0_1_3_s0 : i32
      %kept_of0_1_1_s0 = arith.select %is_bit1_of0_, %pair_of0_1_3_s0, %pair_of0_1_1_s0 : i32
      %there_of0_1_1_s0, %is_there_of0_1_1_s0 =
        gpu.shuffle xor %given_of0_1_1_s0, %distance1, %wave_size : i32
      %pair_of0_1_1_s00 = arith.select %is_bit1_of0_, %there_of0_1_1_s0, %kept_of0_1_1_s0 : i32
      %pair_of0_1_1_s01 = arith.select %is_bit1_of0_, %kept_of0_1_1_s0, %there_of0_1_1_s0 : i32
      %given_of0_1_0_s1 = arith.select %is_bit1_of0_, %pair_of0_1_0_s1, %pair_of0_1_2_s1 : i32
      %kept_of0_1_0_s1 = arith.select %is_bit1_of0_, %pair_of0_1_2_s1, %pair_of0_1_0_s1 : i32
      %there_of0_1_0_s1, %is_there_of0_1_0_s1 =
        gpu.shuffle xor %given_of0_1_0_s1, %distance1, %wave_size : i32
      %pair_of0_1_0_s10 = arith.select %is_bit1_of0_, %there_of0_1_0_s1, %kept_of0_1_0_s1 : i32
      %pair_of0_1_0_s11 = arith.select %is_bit1_of0_, %kept_of0_1_0_s1, %there_of0_1_0_s1 : i32
      %given_of0_1_1_s1 = arith.select %is_bit1_of0_, %pair_of0_1_1_s1, %pair_of0_1_3_s1 : i32
      %kept_of0_1_1_s1 = arith.select %is_bit1_of0_, %pair_of0_1_3_s1, %pair_of0_1_1_s1 : i32
      %there_of0_1_1_s1, %is_there_of0_1_1_s1 =
        gpu.shuffle xor %given_of0_1_1_s1, %distance1, %wave_size : i32
      %pair_of0_1_1_s10 = arith.select %is_bit1_of0_, %there_of0_1_1_s1, %kept_of0_1_1_s1 : i32
      %pair_of0_1_1_s11 = arith.select %is_bit1_of0_, %kept_of0_1_1_s1, %there_of0_1_1_s1 : i32
      %gathered_of0_1 = vector.from_elements
        %pair_of0_1_0_s00,
        %pair_of0_1_0_s01,
        %pair_of0_1_0_s10,
        %pair_of0_1_0_s11,
        %pair_of0_1_1_s00,
        %pair_of0_1_1_s01,
        %pair_of0_1_1_s10,
        %pair_of0_1_1_s11
        : !row_pairs
      %gathered_row_of0_1 = vector.bitcast %gathered_of0_1 : !row_pairs to !stored_row
      %neighbours0 = vector.insert %gathered_row_of0_1, %neighbours0_1[1]
        : !stored_row into !stored_rows
      %own_tile0 = tensor.extract_slice %tile0[%first_row, %output_column]
        [%own_rows, 16] [1, 1] : !tile to !own_tile
        %written0 =
          vector.transfer_write %neighbours0, %own_tile0[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
      %by_column1 = vector.shape_cast %acc_done1 : !acc to !acc_by_column
      %by_row1 = vector.transpose %by_column1, [1, 0, 2] : !acc_by_column to !acc_by_row
      %sums1 = vector.shape_cast %by_row1 : !acc_by_row to !result_rows
      %factor1 = arith.constant dense<0.125> : !result_rows
      %made1 = arith.mulf %sums1, %factor1 : !result_rows
    %made1_stored = arith.truncf %made1 : !result_rows to !stored_rows
      %is_upper_of1_ = affine.apply affine_map<(g) -> (g floordiv 2)>(%group)
      %is_odd_of1_ = affine.apply affine_map<(g) -> (g mod 2)>(%group)
      %is_bit2_of1_ = arith.cmpi ne, %is_upper_of1_, %none : index
      %is_bit1_of1_ = arith.cmpi ne, %is_odd_of1_, %none : index
      %no_output_of1_ = arith.constant dense<0.0> : !stored_rows
      %spread_of1_0 = vector.extract %made1_stored[0] : !stored_row from !stored_rows
      %spread_bits_of1_0 = vector.bitcast %spread_of1_0 : !stored_row to !row_pairs
      %pair_of1_0_0_s = vector.extract %spread_bits_of1_0[0] : i32 from !row_pairs
      %pair_of1_0_1_s = vector.extract %spread_bits_of1_0[1] : i32 from !row_pairs
      %pair_of1_0_2_s = vector.extract %spread_bits_of1_0[2] : i32 from !row_pairs
      %pair_of1_0_3_s = vector.extract %spread_bits_of1_0[3] : i32 from !row_pairs
      %pair_of1_0_4_s = vector.extract %spread_bits_of1_0[4] : i32 from !row_pairs
      %pair_of1_0_5_s = vector.extract %spread_bits_of1_0[5] : i32 from !row_pairs
      %pair_of1_0_6_s = vector.extract %spread_bits_of1_0[6] : i32 from !row_pairs
      %pair_of1_0_7_s = vector.extract %spread_bits_of1_0[7] : i32 from !row_pairs
      %given_of1_0_0_s = arith.select %is_bit2_of1_, %pair_of1_0_0_s, %pair_of1_0_4_s : i32
      %kept_of1_0_0_s = arith.select %is_bit2_of1_, %pair_of1_0_4_s, %pair_of1_0_0_s : i32
      %there_of1_0_0_s, %is_there_of1_0_0_s =
        gpu.shuffle xor %given_of1_0_0_s, %distance2, %wave_size : i32
      %pair_of1_0_0_s0 = arith.select %is_bit2_of1_, %there_of1_0_0_s, %kept_of1_0_0_s : i32
      %pair_of1_0_0_s1 = arith.select %is_bit2_of1_, %kept_of1_0_0_s, %there_of1_0_0_s : i32
      %given_of1_0_1_s = arith.select %is_bit2_of1_, %pair_of1_0_1_s, %pair_of1_0_5_s : i32
      %kept_of1_0_1_s = arith.select %is_bit2_of1_, %pair_of1_0_5_s, %pair_of1_0_1_s : i32
      %there_of1_0_1_s, %is_there_of1_0_1_s =
        gpu.shuffle xor %given_of1_0_1_s, %distance2, %wave_size : i32
      %pair_of1_0_1_s0 = arith.select %is_bit2_of1_, %there_of1_0_1_s, %kept_of1_0_1_s : i32
      %pair_of1_0_1_s1 = arith.select %is_bit2_of1_, %kept_of1_0_1_s, %there_of1_0_1_s : i32
      %given_of1_0_2_s = arith.select %is_bit2_of1_, %pair_of1_0_2_s, %pair_of1_0_6_s : i32
      %kept_of1_0_2_s = arith.select %is_bit2_of1_, %pair_of1_0_6_s, %pair_of1_0_2_s : i32
      %there_of1_0_2_s, %is_there_of1_0_2_s =
        gpu.shuffle xor %given_of1_0_2_s, %distance2, %wave_size : i32
      %pair_of1_0_2_s0 = arith.select %is_bit2_of1_, %there_of1_0_2_s, %kept_of1_0_2_s : i32
      %pair_of1_0_2_s1 = arith.select %is_bit2_of1_, %kept_of1_0_2_s, %there_of1_0_2_s : i32
      %given_of1_0_3_s = arith.select %is_bit2_of1_, %pair_of1_0_3_s, %pair_of1_0_7_s : i32
      %kept_of1_0_3_s = arith.select %is_bit2_of1_, %pair_of1_0_7_s, %pair_of1_0_3_s : i32
      %there_of1_0_3_s, %is_there_of1_0_3_s =
        gpu.shuffle xor %given_of1_0_3_s, %distance2, %wave_size : i32
      %pair_of1_0_3_s0 = arith.select %is_bit2_of1_, %there_of1_0_3_s, %kept_of1_0_3_s : i32
      %pair_of1_0_3_s1 = arith.select %is_bit2_of1_, %kept_of1_0_3_s, %there_of1_0_3_s : i32
      %given_of1_0_0_s0 = arith.select %is_bit1_of1_, %pair_of1_0_0_s0, %pair_of1_0_2_s0 : i32
      %kept_of1_0_0_s0 = arith.select %is_bit1_of1_, %pair_of1_0_2_s0, %pair_of1_0_0_s0 : i32
      %there_of1_0_0_s0, %is_there_of1_0_0_s0 =
        gpu.shuffle xor %given_of1_0_0_s0, %distance1, %wave_size : i32
      %pair_of1_0_0_s00 = arith.select %is_bit1_of1_, %there_of1_0_0_s0, %kept_of1_0_0_s0 : i32
      %pair_of1_0_0_s01 = arith.select %is_bit1_of1_, %kept_of1_0_0_s0, %there_of1_0_0_s0 : i32
      %given_of1_0_1_s0 = arith.select %is_bit1_of1_, %pair_of1_0_1_s0, %pair_of1_0_3_s0 : i32
      %kept_of1_0_1_s0 = arith.select %is_bit1_of1_, %pair_of1_0_3_s0, %pair_of1_0_1_s0 : i32
      %there_of1_0_1_s0, %is_there_of1_0_1_s0 =
        gpu.shuffle xor %given_of1_0_1_s0, %distance1, %wave_size : i32
      %pair_of1_0_1_s00 = arith.select %is_bit1_of1_, %there_of1_0_1_s0, %kept_of1_0_1_s0 : i32
      %pair_of1_0_1_s01 = arith.select %is_bit1_of1_, %kept_of1_0_1_s0, %there_of1_0_1_s0 : i32
      %given_of1_0_0_s1 = arith.select %is_bit1_of1_, %pair_of1_0_0_s1, %pair_of1_0_2_s1 : i32
      %kept_of1_0_0_s1 = arith.select %is_bit1_of1_, %pair_of1_0_2_s1, %pair_of1_0_0_s1 : i32
      %there_of1_0_0_s1, %is_there_of1_0_0_s1 =
        gpu.shuffle xor %given_of1_0_0_s1, %distance1, %wave_size : i32
      %pair_of1_0_0_s10 = arith.select %is_bit1_of1_, %there_of1_0_0_s1, %kept_of1_0_0_s1 : i32
      %pair_of1_0_0_s11 = arith.select %is_bit1_of1_, %kept_of1_0_0_s1, %there_of1_0_0_s1 : i32
      %given_of1_0_1_s1 = arith.select %is_bit1_of1_, %pair_of1_0_1_s1, %pair_of1_0_3_s1 : i32
      %kept_of1_0_1_s1 = arith.select %is_bit1_of1_, %pair_of1_0_3_s1, %pair_of1_0_1_s1 : i32
      %there_of1_0_1_s1, %is_there_of1_0_1_s1 =
        gpu.shuffle xor %given_of1_0_1_s1, %distance1, %wave_size : i32
      %pair_of1_0_1_s10 = arith.select %is_bit1_of1_, %there_of1_0_1_s1, %kept_of1_0_1_s1 : i32
      %pair_of1_0_1_s11 = arith.select %is_bit1_of1_, %kept_of1_0_1_s1, %there_of1_0_1_s1 : i32
      %gathered_of1_0 = vector.from_elements
        %pair_of1_0_0_s00,
        %pair_of1_0_0_s01,
        %pair_of1_0_0_s10,
        %pair_of1_0_0_s11,
        %pair_of1_0_1_s00,
        %pair_of1_0_1_s01,
        %pair_of1_0_1_s10,
        %pair_of1_0_1_s11
        : !row_pairs
      %gathered_row_of1_0 = vector.bitcast %gathered_of1_0 : !row_pairs to !stored_row
      %neighbours1_1 = vector.insert %gathered_row_of1_0, %no_output_of1_[0]
        : !stored_row into !stored_rows
      %spread_of1_1 = vector.extract %made1_stored[1] : !stored_row from !stored_rows
      %spread_bits_of1_1 = vector.bitcast %spread_of1_1 : !stored_row to !row_pairs
      %pair_of1_1_0_s = vector.extract %spread_bits_of1_1[0] : i32 from !row_pairs
      %pair_of1_1_1_s = vector.extract %spread_bits_of1_1[1] : i32 from !row_pairs
      %pair_of1_1_2_s = vector.extract %spread_bits_of1_1[2] : i32 from !row_pairs
      %pair_of1_1_3_s = vector.extract %spread_bits_of1_1[3] : i32 from !row_pairs
      %pair_of1_1_4_s = vector.extract %spread_bits_of1_1[4] : i32 from !row_pairs
      %pair_of1_1_5_s = vector.extract %spread_bits_of1_1[5] : i32 from !row_pairs
      %pair_of1_1_6_s = vector.extract %spread_bits_of1_1[6] : i32 from !row_pairs
      %pair_of1_1_7_s = vector.extract %spread_bits_of1_1[7] : i32 from !row_pairs
      %given_of1_1_0_s = arith.select %is_bit2_of1_, %pair_of1_1_0_s, %pair_of1_1_4_s : i32
      %kept_of1_1_0_s = arith.select %is_bit2_of1_, %pair_of1_1_4_s, %pair_of1_1_0_s : i32
      %there_of1_1_0_s, %is_there_of1_1_0_s =
        gpu.shuffle xor %given_of1_1_0_s, %distance2, %wave_size : i32
      %pair_of1_1_0_s0 = arith.select %is_bit2_of1_, %there_of1_1_0_s, %kept_of1_1_0_s : i32
      %pair_of1_1_0_s1 = arith.select %is_bit2_of1_, %kept_of1_1_0_s, %there_of1_1_0_s : i32
      %given_of1_1_1_s = arith.select %is_bit2_of1_, %pair_of1_1_1_s, %pair_of1_1_5_s : i32
      %kept_of1_1_1_s = arith.select %is_bit2_of1_, %pair_of1_1_5_s, %pair_of1_1_1_s : i32
      %there_of1_1_1_s, %is_there_of1_1_1_s =
        gpu.shuffle xor %given_of1_1_1_s, %distance2, %wave_size : i32
      %pair_of1_1_1_s0 = arith.select %is_bit2_of1_, %there_of1_1_1_s, %kept_of1_1_1_s : i32
      %pair_of1_1_1_s1 = arith.select %is_bit2_of1_, %kept_of1_1_1_s, %there_of1_1_1_s : i32
      %given_of1_1_2_s = arith.select %is_bit2_of1_, %pair_of1_1_2_s, %pair_of1_1_6_s : i32
      %kept_of1_1_2_s = arith.select %is_bit2_of1_, %pair_of1_1_6_s, %pair_of1_1_2_s : i32
      %there_of1_1_2_s, %is_there_of1_1_2_s =
        gpu.shuffle xor %given_of1_1_2_s, %distance2, %wave_size : i32
      %pair_of1_1_2_s0 = arith.select %is_bit2_of1_, %there_of1_1_2_s, %kept_of1_1_2_s : i32
      %pair_of1_1_2_s1 = arith.select %is_bit2_of1_, %kept_of1_1_2_s, %there_of1_1_2_s : i32
      %given_of1_1_3_s = arith.select %is_bit2_of1_, %pair_of1_1_3_s, %pair_of1_1_7_s : i32
      %kept_of1_1_3_s = arith.select %is_bit2_of1_, %pair_of1_1_7_s, %pair_of1_1_3_s : i32
      %there_of1_1_3_s, %is_there_of1_1_3_s =
        gpu.shuffle xor %given_of1_1_3_s, %distance2, %wave_size : i32
      %pair_of1_1_3_s0 = arith.select %is_bit2_of1_, %there_of1_1_3_s, %kept_of1_1_3_s : i32
      %pair_of1_1_3_s1 = arith.select %is_bit2_of1_, %kept_of1_1_3_s, %there_of1_1_3_s : i32
      %given_of1_1_0_s0 = arith.select %is_bit1_of1_, %pair_of1_1_0_s0, %pair_of1_1_2_s0 : i32
      %kept_of1_1_0_s0 = arith.select %is_bit1_of1_, %pair_of1_1_2_s0, %pair_of1_1_0_s0 : i32
      %there_of1_1_0_s0, %is_there_of1_1_0_s0 =
        gpu.shuffle xor %given_of1_1_0_s0, %distance1, %wave_size : i32
      %pair_of1_1_0_s00 = arith.select %is_bit1_of1_, %there_of1_1_0_s0, %kept_of1_1_0_s0 : i32
      %pair_of1_1_0_s01 = arith.select %is_bit1_of1_, %kept_of1_1_0_s0, %there_of1_1_0_s0 : i32
      %given_of1_1_1_s0 = arith.select %is_bit1_of1_, %pair_of1_1_1_s0, %pair_of1_1_3_s0 : i32
      %kept_of1_1_1_s0 = arith.select %is_bit1_of1_, %pair_of1_1_3_s0, %pair_of1_1_1_s0 : i32
      %there_of1_1_1_s0, %is_there_of1_1_1_s0 =
        gpu.shuffle xor %given_of1_1_1_s0, %distance1, %wave_size : i32
      %pair_of1_1_1_s00 = arith.select %is_bit1_of1_, %there_of1_1_1_s0, %kept_of1_1_1_s0 : i32
      %pair_of1_1_1_s01 = arith.select %is_bit1_of1_, %kept_of1_1_1_s0, %there_of1_1_1_s0 : i32
      %given_of1_1_0_s1 = arith.select %is_bit1_of1_, %pair_of1_1_0_s1, %pair_of1_1_2_s1 : i32
      %kept_of1_1_0_s1 = arith.select %is_bit1_of1_, %pair_of1_1_2_s1, %pair_of1_1_0_s1 : i32
      %there_of1_1_0_s1, %is_there_of1_1_0_s1 =
        gpu.shuffle xor %given_of1_1_0_s1, %distance1, %wave_size : i32
      %pair_of1_1_0_s10 = arith.select %is_bit1_of1_, %there_of1_1_0_s1, %kept_of1_1_0_s1 : i32
      %pair_of1_1_0_s11 = arith.select %is_bit1_of1_, %kept_of1_1_0_s1, %there_of1_1_0_s1 : i32
      %given_of1_1_1_s1 = arith.select %is_bit1_of1_, %pair_of1_1_1_s1, %pair_of1_1_3_s1 : i32
      %kept_of1_1_1_s1 = arith.select %is_bit1_of1_, %pair_of1_1_3_s1, %pair_of1_1_1_s1 : i32
      %there_of1_1_1_s1, %is_there_of1_1_1_s1 =
        gpu.shuffle xor %given_of1_1_1_s1, %distance1, %wave_size : i32
      %pair_of1_1_1_s10 = arith.select %is_bit1_of1_, %there_of1_1_1_s1, %kept_of1_1_1_s1 : i32
      %pair_of1_1_1_s11 = arith.select %is_bit1_of1_, %kept_of1_1_1_s1, %there_of1_1_1_s1 : i32
      %gathered_of1_1 = vector.from_elements
        %pair_of1_1_0_s00,
        %pair_of1_1_0_s01,
        %pair_of1_1_0_s10,
        %pair_of1_1_0_s11,
        %pair_of1_1_1_s00,
        %pair_of1_1_1_s01,
        %pair_of1_1_1_s10,
        %pair_of1_1_1_s11
        : !row_pairs
      %gathered_row_of1_1 = vector.bitcast %gathered_of1_1 : !row_pairs to !stored_row
      %neighbours1 = vector.insert %gathered_row_of1_1, %neighbours1_1[1]
        : !stored_row into !stored_rows
      %own_tile1 = tensor.extract_slice %tile1[%first_row, %output_column]
        [%own_rows, 16] [1, 1] : !tile to !own_tile
        %written1 =
          vector.transfer_write %neighbours1, %own_tile1[%none, %none]
          {in_bounds = [false, true]} : !stored_rows, !own_tile
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written0
          into %tile0[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : !own_tile into !tile
        tensor.parallel_insert_slice %written1
          into %tile1[%first_row, %output_column]
          [%own_rows, 16] [1, 1] : !own_tile into !tile
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    iree_tensor_ext.dispatch.tensor.store %value_gradient_rows_made,
      %value_gradient_rows_out,
      offsets = [%own_base, 0],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !value_gradient_rows_out
    iree_tensor_ext.dispatch.tensor.store %key_gradient_rows_made,
      %key_gradient_rows_out,
      offsets = [%own_base, 0],
      sizes = [%rows_here, 64], strides = [1, 1]
      : !tile -> !key_gradient_rows_out
    return
  }
  }
}
func.func @attention_backward(%query: !query, %key: !key, %value: !value, %output: !output, %lse: !lse, %output_gradient: !output_gradient, %sinks: !sinks) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient) {
  %query_rows = tensor.collapse_shape %query [[0, 1, 2], [3]] : !query into !query_rows
  %key_rows = tensor.collapse_shape %key [[0, 1, 2], [3]] : !key into !key_rows
  %value_rows = tensor.collapse_shape %value [[0, 1, 2], [3]] : !value into !value_rows
  %output_gradient_rows = tensor.collapse_shape %output_gradient [[0, 1, 2], [3]] : !output_gradient into !output_gradient_rows
  %output_rows = tensor.collapse_shape %output [[0, 1, 2], [3]] : !output into !output_rows
  %lse_rows = tensor.collapse_shape %lse [[0, 1, 2]] : !lse into !lse_rows
  %delta_rows, %query_gradient_rows = flow.dispatch @attention_backward_of_queries::@attention_backward_of_queries(
      %query_rows, %key_rows, %value_rows, %output_rows, %lse_rows, %output_gradient_rows)
    : (!query_rows, !key_rows, !value_rows, !output_rows, !lse_rows, !output_gradient_rows)
    -> (!delta_rows, tensor<148x64xf16>)
  %query_gradient = tensor.expand_shape %query_gradient_rows [[0, 1, 2], [3]]
    output_shape [1, 4, 37, 64] : tensor<148x64xf16> into !query_gradient
  %value_gradient_rows, %key_gradient_rows = flow.dispatch @attention_backward_of_keys::@attention_backward_of_keys(
      %query_rows, %key_rows, %value_rows, %lse_rows, %output_gradient_rows, %delta_rows)
    : (!query_rows, !key_rows, !value_rows, !lse_rows, !output_gradient_rows, !delta_rows)
    -> (tensor<53x64xf16>, tensor<53x64xf16>)
  %value_gradient = tensor.expand_shape %value_gradient_rows [[0, 1, 2], [3]]
    output_shape [1, 1, 53, 64] : tensor<53x64xf16> into !value_gradient
  %key_gradient = tensor.expand_shape %key_gradient_rows [[0, 1, 2], [3]]
    output_shape [1, 1, 53, 64] : tensor<53x64xf16> into !key_gradient
  %delta_zero = arith.constant 0.0 : f32
  %delta_column = tensor.extract_slice %delta_rows[0, 0] [148, 1] [1, 1]
    : !delta_rows to !lse_rows
  %delta = tensor.expand_shape %delta_column [[0, 1, 2]]
    output_shape [1, 4, 37] : !lse_rows into !row_numbers
  %sinks_empty = tensor.empty() : !sinks_gradient
  %sinks_start = linalg.fill ins(%delta_zero : f32) outs(%sinks_empty : !sinks_gradient) -> !sinks_gradient
  %sinks_gradient = linalg.generic {
      indexing_maps = [#head, #row_of_head, #row_of_head, #head],
      iterator_types = ["parallel", "reduction", "reduction"]
    } ins(%sinks, %lse, %delta : !sinks, !lse, !row_numbers) outs(%sinks_start : !sinks_gradient) {
  ^bb0(%sink: f32, %lse_of_row: f32, %delta_of_row: f32, %total: f32):
    %minus_inf = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %is_empty = arith.cmpf oeq, %lse_of_row, %minus_inf : f32
    %base = arith.select %is_empty, %none, %lse_of_row : f32
    %below = arith.subf %sink, %base : f32
    // IREE 3.13.0 shares a sum among lanes where terms are added, and refuses terms that are taken away.
    %share = math.exp %below : f32
    %share_lost = arith.negf %share : f32
    %term = arith.mulf %share_lost, %delta_of_row : f32
    %more = arith.addf %total, %term : f32
    linalg.yield %more : f32
  } -> !sinks_gradient
  return %query_gradient, %key_gradient, %value_gradient, %sinks_gradient
    : !query_gradient, !key_gradient, !value_gradient, !sinks_gradient
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @attention_backward$async(
    %query: !query,
    %key: !key,
    %value: !value,
    %output: !output,
    %lse: !lse,
    %output_gradient: !output_gradient,
    %sinks: !sinks,
    %query_gradient_memory: !hal.buffer {iree.abi.output = 0 : index},
    %key_gradient_memory: !hal.buffer {iree.abi.output = 1 : index},
    %value_gradient_memory: !hal.buffer {iree.abi.output = 2 : index},
    %sinks_gradient_memory: !hal.buffer {iree.abi.output = 3 : index},
    %between: !hal.buffer {iree.abi.transients}
  ) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient) attributes {iree.abi.model = "coarse-fences"} {
  %query_gradient, %key_gradient, %value_gradient, %sinks_gradient = func.call @attention_backward(%query, %key, %value, %output, %lse, %output_gradient, %sinks)
    : (!query, !key, !value, !output, !lse, !output_gradient, !sinks) -> (!query_gradient, !key_gradient, !value_gradient, !sinks_gradient)
  util.return %query_gradient, %key_gradient, %value_gradient, %sinks_gradient : !query_gradient, !key_gradient, !value_gradient, !sinks_gradient
}
