// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!hidden = tensor<1x?x256xbf16>
!weight = tensor<37x144xi8>
!output = tensor<1x?x37xbf16>
!tokens = tensor<?x256xbf16>
!acc = tensor<?x37xf32>
!rows = tensor<?x37xbf16>
!words = vector<8xi32>
!scales = vector<8xf32>
!depth_single_given = vector<256xbf16>
!depth_single_lanes = vector<8xf32>
!depth_single_block = vector<1x4x8xf32>
!depth_single_part = vector<1x4x8xf32>
!depth_single_sums = vector<1x4xf32>
!depth_single_row = vector<4xf32>
!depth_single_numbers = vector<4xf32>
!depth_single_rows0 = vector<4x8xf32>
!depth_single_register4 = vector<4xf32>
!depth_single_register8 = vector<8xf32>
!depth_several_given = vector<256xbf16>
!depth_several_lanes = vector<8xf32>
!depth_several_block = vector<4x4x8xf32>
!depth_several_part = vector<4x4x8xf32>
!depth_several_sums = vector<4x4xf32>
!depth_several_row = vector<4xf32>
!depth_several_numbers = vector<16xf32>
!depth_several_rows0 = vector<16x8xf32>
!depth_several_register8 = vector<8xf32>
!depth_several_registers = vector<2x8xf32>
!tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x256xbf16>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<37x144xi8>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x37xf32>>
#rows = affine_map<(m, n) -> (m, n)>

func.func @linear(%hidden_given: !hidden, %weight: !weight) -> !output {
  %q_len_axis = arith.constant 1 : index
  %q_len_given = tensor.dim %hidden_given, %q_len_axis : !hidden
  %q_len_dim = util.assume.int %q_len_given
    <umin = 1, umax = 2, udiv = 1> : index
  %hidden = flow.tensor.tie_shape %hidden_given
    : !hidden{%q_len_dim}
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %rows_axis = arith.constant 0 : index
  %rows_dim = tensor.dim %tokens, %rows_axis : !tokens

  %acc =
    flow.dispatch @acc_kernel::@acc_kernel[%rows_dim](
      %tokens, %weight, %rows_dim
    ) : (
      tensor<?x256xbf16>{%rows_dim},
      tensor<37x144xi8>,
      index
    ) -> (tensor<?x37xf32>{%rows_dim})
  %empty = tensor.empty(%rows_dim) : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: bf16):
    %sum_stored = arith.truncf %sum : f32 to bf16
    linalg.yield %sum_stored : bf16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, %q_len_dim, 37]
    : !rows into !output
  return %output : !output
}
flow.executable private @acc_kernel {
  flow.executable.export public @acc_kernel
      workgroups(%rows_dim_asked: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%rows_dim_asked)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @acc_kernel(
      %tokens_in: !tokens_of_acc,
      %weight_in: !weight_of_acc,
      %rows_dim_in: index,
      %acc_out: !acc_out
    ) {
    %rows_dim = iree_tensor_ext.dispatch.workload.ordinal %rows_dim_in, 0 : index
    %tokens_tied = flow.dispatch.tie_shape %tokens_in
      : !tokens_of_acc{%rows_dim}
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_tied,
      offsets = [0, 0], sizes = [%rows_dim, 256], strides = [1, 1]
      : !tokens_of_acc{%rows_dim} -> tensor<?x256xbf16>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [37, 144], strides = [1, 1]
      : !weight_of_acc -> tensor<37x144xi8>
    %acc_tied = flow.dispatch.tie_shape %acc_out
      : !acc_out{%rows_dim}
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 256 : index
    %columns = arith.constant 37 : index
    %block_step = arith.constant 1 : index
    %depth_blocks = arith.constant 1 : index
    %one = arith.constant 1 : index
    %groups = arith.constant 2 : index
    %blocks = arith.constant 8 : index
    %parts = arith.constant 8 : index
    %width = arith.constant 32 : index
    %row_step = arith.constant 4 : index
    %no_word = arith.constant 0 : i32
    %no_scale = arith.constant 0.0 : f32
    %no_words = arith.constant dense<0> : vector<16xi32>
    %no_sums = arith.constant dense<0.0> : vector<16xf32>
    %no_byte = arith.constant 0 : i8
    %mask0 = arith.constant dense<15> : !words
    %mask1 = arith.constant dense<3840> : !words
    %mask2 = arith.constant dense<983040> : !words
    %mask3 = arith.constant dense<251658240> : !words
    %halves = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : !words
    %group0 = arith.constant 0 : index
    %group1 = arith.constant 1 : index
    %no_token = arith.constant 0.0 : bf16
    %table = arith.constant dense<[49408, 49376, 49344, 49312, 49280, 49216, 49152, 49024, 0, 16256, 16384, 16448, 16512, 16544, 16576, 16608, 49408, 49376, 49344, 49312, 49280, 49216, 49152, 49024, 0, 16256, 16384, 16448, 16512, 16544, 16576, 16608]> : vector<32xi16>
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 256)>()[%rows_dim]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 32)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<37x144xi8>
    %empty = tensor.empty(%rows_dim) : tensor<?x37xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<?x37xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 256)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 256, m)>(%first_row)[%rows_dim]
      %first_column = affine.apply affine_map<(x) -> (x * 32)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 32, n)>(%first_column)[%columns]
      %second_row = affine.apply affine_map<(f) -> (f + 1)>(%first_row)
      %is_single = arith.cmpi eq, %second_row, %end_row : index
      %end_column_single = arith.select %is_single, %end_column, %first_column : index
      %end_column_several = arith.select %is_single, %first_column, %end_column : index
      %weight_place = memref.extract_aligned_pointer_as_index %weight_memory
        : memref<37x144xi8> -> index
      %blocks_at_once = arith.constant 1 : index
      %of_columns_1 = scf.for %n = %first_column to %end_column_single step %width
        iter_args(%of_all = %all) -> (tensor<?x37xf32>) {
        %of_panel = scf.for %g = %none to %groups step %one iter_args(%of_groups = %of_all)
          -> (tensor<?x37xf32>) {
            %n0 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 0, 36)>(%n, %g)
            %n1 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 1, 36)>(%n, %g)
            %n2 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 2, 36)>(%n, %g)
            %n3 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 3, 36)>(%n, %g)
            %n4 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 4, 36)>(%n, %g)
            %n5 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 5, 36)>(%n, %g)
            %n6 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 6, 36)>(%n, %g)
            %n7 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 7, 36)>(%n, %g)
            %n8 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 8, 36)>(%n, %g)
            %n9 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 9, 36)>(%n, %g)
            %n10 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 10, 36)>(%n, %g)
            %n11 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 11, 36)>(%n, %g)
            %n12 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 12, 36)>(%n, %g)
            %n13 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 13, 36)>(%n, %g)
            %n14 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 14, 36)>(%n, %g)
            %n15 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 15, 36)>(%n, %g)
          %ahead_row = affine.apply affine_map<(n, g)[w]
            -> (w + (n + g * 16 + 32) * 144)>
            (%n, %g)[%weight_place]
          %of_depth = scf.for %d = %none to %depth_blocks step %block_step iter_args(%of_steps = %no_sums)
            -> (vector<16xf32>) {
            %step_byte = affine.apply affine_map<(d) -> (d * 144)>(%d)
            %of_blocks = scf.for %b = %none to %blocks step %blocks_at_once iter_args(%so_far = %of_steps)
              -> (vector<16xf32>) {
              %first_byte = affine.apply
                affine_map<(s, b) -> (s + b * 18)>(%step_byte, %b)
              %ahead_byte = affine.apply affine_map<(d, b) -> (d * 2304
                + b * 288)>(%d, %b)
              %ahead_index = arith.addi %ahead_row, %ahead_byte : index
              %ahead_place = arith.index_cast %ahead_index : index to i64
              %scale0_bytes0_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes0 = vector.transfer_read %weight[%n0, %scale0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half0 = vector.bitcast %scale0_bytes0 : vector<2xi8> to vector<1xf16>
              %scale0_alone0 = vector.extract %scale0_half0[0] : f16 from vector<1xf16>
              %scale0_bytes1_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes1 = vector.transfer_read %weight[%n1, %scale0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half1 = vector.bitcast %scale0_bytes1 : vector<2xi8> to vector<1xf16>
              %scale0_alone1 = vector.extract %scale0_half1[0] : f16 from vector<1xf16>
              %scale0_bytes2_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes2 = vector.transfer_read %weight[%n2, %scale0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half2 = vector.bitcast %scale0_bytes2 : vector<2xi8> to vector<1xf16>
              %scale0_alone2 = vector.extract %scale0_half2[0] : f16 from vector<1xf16>
              %scale0_bytes3_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes3 = vector.transfer_read %weight[%n3, %scale0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half3 = vector.bitcast %scale0_bytes3 : vector<2xi8> to vector<1xf16>
              %scale0_alone3 = vector.extract %scale0_half3[0] : f16 from vector<1xf16>
              %scale0_bytes4_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes4 = vector.transfer_read %weight[%n4, %scale0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half4 = vector.bitcast %scale0_bytes4 : vector<2xi8> to vector<1xf16>
              %scale0_alone4 = vector.extract %scale0_half4[0] : f16 from vector<1xf16>
              %scale0_bytes5_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes5 = vector.transfer_read %weight[%n5, %scale0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half5 = vector.bitcast %scale0_bytes5 : vector<2xi8> to vector<1xf16>
              %scale0_alone5 = vector.extract %scale0_half5[0] : f16 from vector<1xf16>
              %scale0_bytes6_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes6 = vector.transfer_read %weight[%n6, %scale0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half6 = vector.bitcast %scale0_bytes6 : vector<2xi8> to vector<1xf16>
              %scale0_alone6 = vector.extract %scale0_half6[0] : f16 from vector<1xf16>
              %scale0_bytes7_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes7 = vector.transfer_read %weight[%n7, %scale0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half7 = vector.bitcast %scale0_bytes7 : vector<2xi8> to vector<1xf16>
              %scale0_alone7 = vector.extract %scale0_half7[0] : f16 from vector<1xf16>
              %scale0_bytes8_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes8 = vector.transfer_read %weight[%n8, %scale0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half8 = vector.bitcast %scale0_bytes8 : vector<2xi8> to vector<1xf16>
              %scale0_alone8 = vector.extract %scale0_half8[0] : f16 from vector<1xf16>
              %scale0_bytes9_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes9 = vector.transfer_read %weight[%n9, %scale0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half9 = vector.bitcast %scale0_bytes9 : vector<2xi8> to vector<1xf16>
              %scale0_alone9 = vector.extract %scale0_half9[0] : f16 from vector<1xf16>
              %scale0_bytes10_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes10 = vector.transfer_read %weight[%n10, %scale0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half10 = vector.bitcast %scale0_bytes10 : vector<2xi8> to vector<1xf16>
              %scale0_alone10 = vector.extract %scale0_half10[0] : f16 from vector<1xf16>
              %scale0_bytes11_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes11 = vector.transfer_read %weight[%n11, %scale0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half11 = vector.bitcast %scale0_bytes11 : vector<2xi8> to vector<1xf16>
              %scale0_alone11 = vector.extract %scale0_half11[0] : f16 from vector<1xf16>
              %scale0_bytes12_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes12 = vector.transfer_read %weight[%n12, %scale0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half12 = vector.bitcast %scale0_bytes12 : vector<2xi8> to vector<1xf16>
              %scale0_alone12 = vector.extract %scale0_half12[0] : f16 from vector<1xf16>
              %scale0_bytes13_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes13 = vector.transfer_read %weight[%n13, %scale0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half13 = vector.bitcast %scale0_bytes13 : vector<2xi8> to vector<1xf16>
              %scale0_alone13 = vector.extract %scale0_half13[0] : f16 from vector<1xf16>
              %scale0_bytes14_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes14 = vector.transfer_read %weight[%n14, %scale0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half14 = vector.bitcast %scale0_bytes14 : vector<2xi8> to vector<1xf16>
              %scale0_alone14 = vector.extract %scale0_half14[0] : f16 from vector<1xf16>
              %scale0_bytes15_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes15 = vector.transfer_read %weight[%n15, %scale0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half15 = vector.bitcast %scale0_bytes15 : vector<2xi8> to vector<1xf16>
              %scale0_alone15 = vector.extract %scale0_half15[0] : f16 from vector<1xf16>
              %scale0_halves = vector.from_elements %scale0_alone0, %scale0_alone1, %scale0_alone2, %scale0_alone3, %scale0_alone4, %scale0_alone5, %scale0_alone6, %scale0_alone7, %scale0_alone8, %scale0_alone9, %scale0_alone10, %scale0_alone11, %scale0_alone12, %scale0_alone13, %scale0_alone14, %scale0_alone15
                : vector<16xf16>
              %scale0 = arith.extf %scale0_halves : vector<16xf16> to vector<16xf32>
              %given_bytes0_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes0 = vector.transfer_read %weight[%n0, %given_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column0 = vector.bitcast %given_bytes0
                : vector<16xi8> to vector<4xi32>
              %given_bytes1_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes1 = vector.transfer_read %weight[%n1, %given_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column1 = vector.bitcast %given_bytes1
                : vector<16xi8> to vector<4xi32>
              %given_bytes2_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes2 = vector.transfer_read %weight[%n2, %given_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column2 = vector.bitcast %given_bytes2
                : vector<16xi8> to vector<4xi32>
              %given_bytes3_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes3 = vector.transfer_read %weight[%n3, %given_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column3 = vector.bitcast %given_bytes3
                : vector<16xi8> to vector<4xi32>
              %given_bytes4_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes4 = vector.transfer_read %weight[%n4, %given_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column4 = vector.bitcast %given_bytes4
                : vector<16xi8> to vector<4xi32>
              %given_bytes5_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes5 = vector.transfer_read %weight[%n5, %given_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column5 = vector.bitcast %given_bytes5
                : vector<16xi8> to vector<4xi32>
              %given_bytes6_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes6 = vector.transfer_read %weight[%n6, %given_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column6 = vector.bitcast %given_bytes6
                : vector<16xi8> to vector<4xi32>
              %given_bytes7_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes7 = vector.transfer_read %weight[%n7, %given_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column7 = vector.bitcast %given_bytes7
                : vector<16xi8> to vector<4xi32>
              %given_bytes8_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes8 = vector.transfer_read %weight[%n8, %given_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column8 = vector.bitcast %given_bytes8
                : vector<16xi8> to vector<4xi32>
              %given_bytes9_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes9 = vector.transfer_read %weight[%n9, %given_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column9 = vector.bitcast %given_bytes9
                : vector<16xi8> to vector<4xi32>
              %given_bytes10_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes10 = vector.transfer_read %weight[%n10, %given_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column10 = vector.bitcast %given_bytes10
                : vector<16xi8> to vector<4xi32>
              %given_bytes11_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes11 = vector.transfer_read %weight[%n11, %given_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column11 = vector.bitcast %given_bytes11
                : vector<16xi8> to vector<4xi32>
              %given_bytes12_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes12 = vector.transfer_read %weight[%n12, %given_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column12 = vector.bitcast %given_bytes12
                : vector<16xi8> to vector<4xi32>
              %given_bytes13_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes13 = vector.transfer_read %weight[%n13, %given_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column13 = vector.bitcast %given_bytes13
                : vector<16xi8> to vector<4xi32>
              %given_bytes14_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes14 = vector.transfer_read %weight[%n14, %given_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column14 = vector.bitcast %given_bytes14
                : vector<16xi8> to vector<4xi32>
              %given_bytes15_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes15 = vector.transfer_read %weight[%n15, %given_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column15 = vector.bitcast %given_bytes15
                : vector<16xi8> to vector<4xi32>
              %given_two0 = vector.shuffle
                %given_column0, %given_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two8 = vector.shuffle
                %given_column8, %given_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row0 = vector.shuffle %given_two0, %given_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_two1 = vector.shuffle
                %given_column1, %given_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two9 = vector.shuffle
                %given_column9, %given_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row1 = vector.shuffle %given_two1, %given_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_two2 = vector.shuffle
                %given_column2, %given_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two10 = vector.shuffle
                %given_column10, %given_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row2 = vector.shuffle %given_two2, %given_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_two3 = vector.shuffle
                %given_column3, %given_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two11 = vector.shuffle
                %given_column11, %given_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row3 = vector.shuffle %given_two3, %given_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_low0 = vector.shuffle
                %given_row0, %given_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given_low2 = vector.shuffle
                %given_row2, %given_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given_0 = vector.shuffle %given_low0, %given_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given_1 = vector.shuffle %given_low0, %given_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given_high0 = vector.shuffle
                %given_row0, %given_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given_high2 = vector.shuffle
                %given_row2, %given_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given_2 = vector.shuffle %given_high0, %given_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given_3 = vector.shuffle %given_high0, %given_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number0_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_0 = arith.andi %given_0, %number0_0_mask
                : vector<16xi32>
              %number0_4_by = arith.constant dense<4> : vector<16xi32>
              %number0_4_moved = arith.shrui %given_0, %number0_4_by
                : vector<16xi32>
              %number0_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_4 = arith.andi %number0_4_moved, %number0_4_mask
                : vector<16xi32>
              %number0_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_1 = arith.andi %given_1, %number0_1_mask
                : vector<16xi32>
              %number0_5_by = arith.constant dense<4> : vector<16xi32>
              %number0_5_moved = arith.shrui %given_1, %number0_5_by
                : vector<16xi32>
              %number0_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_5 = arith.andi %number0_5_moved, %number0_5_mask
                : vector<16xi32>
              %number0_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_2 = arith.andi %given_2, %number0_2_mask
                : vector<16xi32>
              %number0_6_by = arith.constant dense<4> : vector<16xi32>
              %number0_6_moved = arith.shrui %given_2, %number0_6_by
                : vector<16xi32>
              %number0_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_6 = arith.andi %number0_6_moved, %number0_6_mask
                : vector<16xi32>
              %number0_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_3 = arith.andi %given_3, %number0_3_mask
                : vector<16xi32>
              %number0_7_by = arith.constant dense<4> : vector<16xi32>
              %number0_7_moved = arith.shrui %given_3, %number0_7_by
                : vector<16xi32>
              %number0_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_7 = arith.andi %number0_7_moved, %number0_7_mask
                : vector<16xi32>
              %pair0_bytes0 = vector.bitcast %number0_0 : vector<16xi32> to vector<64xi8>
              %pair0_0_bytes = vector.shuffle %pair0_bytes0, %pair0_bytes0
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_0_places = vector.bitcast %pair0_0_bytes : vector<64xi8> to vector<32xi16>
              %pair0_0_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_0_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_0 = vector.bitcast %pair0_0_numbers : vector<32xi16> to vector<16xi32>
              %pair0_1_bytes = vector.shuffle %pair0_bytes0, %pair0_bytes0
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_1_places = vector.bitcast %pair0_1_bytes : vector<64xi8> to vector<32xi16>
              %pair0_1_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_1_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_1 = vector.bitcast %pair0_1_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes1 = vector.bitcast %number0_1 : vector<16xi32> to vector<64xi8>
              %pair0_2_bytes = vector.shuffle %pair0_bytes1, %pair0_bytes1
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_2_places = vector.bitcast %pair0_2_bytes : vector<64xi8> to vector<32xi16>
              %pair0_2_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_2_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_2 = vector.bitcast %pair0_2_numbers : vector<32xi16> to vector<16xi32>
              %pair0_3_bytes = vector.shuffle %pair0_bytes1, %pair0_bytes1
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_3_places = vector.bitcast %pair0_3_bytes : vector<64xi8> to vector<32xi16>
              %pair0_3_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_3_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_3 = vector.bitcast %pair0_3_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes2 = vector.bitcast %number0_2 : vector<16xi32> to vector<64xi8>
              %pair0_4_bytes = vector.shuffle %pair0_bytes2, %pair0_bytes2
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_4_places = vector.bitcast %pair0_4_bytes : vector<64xi8> to vector<32xi16>
              %pair0_4_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_4_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_4 = vector.bitcast %pair0_4_numbers : vector<32xi16> to vector<16xi32>
              %pair0_5_bytes = vector.shuffle %pair0_bytes2, %pair0_bytes2
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_5_places = vector.bitcast %pair0_5_bytes : vector<64xi8> to vector<32xi16>
              %pair0_5_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_5_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_5 = vector.bitcast %pair0_5_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes3 = vector.bitcast %number0_3 : vector<16xi32> to vector<64xi8>
              %pair0_6_bytes = vector.shuffle %pair0_bytes3, %pair0_bytes3
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_6_places = vector.bitcast %pair0_6_bytes : vector<64xi8> to vector<32xi16>
              %pair0_6_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_6_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_6 = vector.bitcast %pair0_6_numbers : vector<32xi16> to vector<16xi32>
              %pair0_7_bytes = vector.shuffle %pair0_bytes3, %pair0_bytes3
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_7_places = vector.bitcast %pair0_7_bytes : vector<64xi8> to vector<32xi16>
              %pair0_7_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_7_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_7 = vector.bitcast %pair0_7_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes4 = vector.bitcast %number0_4 : vector<16xi32> to vector<64xi8>
              %pair0_8_bytes = vector.shuffle %pair0_bytes4, %pair0_bytes4
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_8_places = vector.bitcast %pair0_8_bytes : vector<64xi8> to vector<32xi16>
              %pair0_8_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_8_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_8 = vector.bitcast %pair0_8_numbers : vector<32xi16> to vector<16xi32>
              %pair0_9_bytes = vector.shuffle %pair0_bytes4, %pair0_bytes4
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_9_places = vector.bitcast %pair0_9_bytes : vector<64xi8> to vector<32xi16>
              %pair0_9_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_9_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_9 = vector.bitcast %pair0_9_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes5 = vector.bitcast %number0_5 : vector<16xi32> to vector<64xi8>
              %pair0_10_bytes = vector.shuffle %pair0_bytes5, %pair0_bytes5
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_10_places = vector.bitcast %pair0_10_bytes : vector<64xi8> to vector<32xi16>
              %pair0_10_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_10_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_10 = vector.bitcast %pair0_10_numbers : vector<32xi16> to vector<16xi32>
              %pair0_11_bytes = vector.shuffle %pair0_bytes5, %pair0_bytes5
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_11_places = vector.bitcast %pair0_11_bytes : vector<64xi8> to vector<32xi16>
              %pair0_11_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_11_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_11 = vector.bitcast %pair0_11_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes6 = vector.bitcast %number0_6 : vector<16xi32> to vector<64xi8>
              %pair0_12_bytes = vector.shuffle %pair0_bytes6, %pair0_bytes6
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_12_places = vector.bitcast %pair0_12_bytes : vector<64xi8> to vector<32xi16>
              %pair0_12_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_12_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_12 = vector.bitcast %pair0_12_numbers : vector<32xi16> to vector<16xi32>
              %pair0_13_bytes = vector.shuffle %pair0_bytes6, %pair0_bytes6
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_13_places = vector.bitcast %pair0_13_bytes : vector<64xi8> to vector<32xi16>
              %pair0_13_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_13_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_13 = vector.bitcast %pair0_13_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes7 = vector.bitcast %number0_7 : vector<16xi32> to vector<64xi8>
              %pair0_14_bytes = vector.shuffle %pair0_bytes7, %pair0_bytes7
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_14_places = vector.bitcast %pair0_14_bytes : vector<64xi8> to vector<32xi16>
              %pair0_14_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_14_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_14 = vector.bitcast %pair0_14_numbers : vector<32xi16> to vector<16xi32>
              %pair0_15_bytes = vector.shuffle %pair0_bytes7, %pair0_bytes7
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_15_places = vector.bitcast %pair0_15_bytes : vector<64xi8> to vector<32xi16>
              %pair0_15_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_15_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_15 = vector.bitcast %pair0_15_numbers : vector<32xi16> to vector<16xi32>
              %part0 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 0)>(%d, %b)
              %k0_0 = affine.apply affine_map<(p) -> (p * 32 + 0)>(%part0)
              %left0_0_pair = vector.transfer_read %tokens[%first_row, %k0_0], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_0_word = vector.bitcast %left0_0_pair : vector<2xbf16> to vector<1xi32>
              %left0_0_alone = vector.extract %left0_0_word[0] : i32 from vector<1xi32>
              %left0_0_words = vector.broadcast %left0_0_alone : i32 to vector<16xi32>
              %left0_0 = vector.bitcast %left0_0_words : vector<16xi32> to vector<32xbf16>

              %right0_0 = vector.bitcast %pair0_0
                : vector<16xi32> to vector<32xbf16>
              %k0_1 = affine.apply affine_map<(p) -> (p * 32 + 2)>(%part0)
              %left0_1_pair = vector.transfer_read %tokens[%first_row, %k0_1], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_1_word = vector.bitcast %left0_1_pair : vector<2xbf16> to vector<1xi32>
              %left0_1_alone = vector.extract %left0_1_word[0] : i32 from vector<1xi32>
              %left0_1_words = vector.broadcast %left0_1_alone : i32 to vector<16xi32>
              %left0_1 = vector.bitcast %left0_1_words : vector<16xi32> to vector<32xbf16>

              %right0_1 = vector.bitcast %pair0_1
                : vector<16xi32> to vector<32xbf16>
              %k0_2 = affine.apply affine_map<(p) -> (p * 32 + 4)>(%part0)
              %left0_2_pair = vector.transfer_read %tokens[%first_row, %k0_2], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_2_word = vector.bitcast %left0_2_pair : vector<2xbf16> to vector<1xi32>
              %left0_2_alone = vector.extract %left0_2_word[0] : i32 from vector<1xi32>
              %left0_2_words = vector.broadcast %left0_2_alone : i32 to vector<16xi32>
              %left0_2 = vector.bitcast %left0_2_words : vector<16xi32> to vector<32xbf16>

              %right0_2 = vector.bitcast %pair0_2
                : vector<16xi32> to vector<32xbf16>
              %k0_3 = affine.apply affine_map<(p) -> (p * 32 + 6)>(%part0)
              %left0_3_pair = vector.transfer_read %tokens[%first_row, %k0_3], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_3_word = vector.bitcast %left0_3_pair : vector<2xbf16> to vector<1xi32>
              %left0_3_alone = vector.extract %left0_3_word[0] : i32 from vector<1xi32>
              %left0_3_words = vector.broadcast %left0_3_alone : i32 to vector<16xi32>
              %left0_3 = vector.bitcast %left0_3_words : vector<16xi32> to vector<32xbf16>
              %pair0_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 0($2)",
                "=v,0,r" %pair0_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %right0_3 = vector.bitcast %pair0_3_held
                : vector<16xi32> to vector<32xbf16>
              %k0_4 = affine.apply affine_map<(p) -> (p * 32 + 8)>(%part0)
              %left0_4_pair = vector.transfer_read %tokens[%first_row, %k0_4], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_4_word = vector.bitcast %left0_4_pair : vector<2xbf16> to vector<1xi32>
              %left0_4_alone = vector.extract %left0_4_word[0] : i32 from vector<1xi32>
              %left0_4_words = vector.broadcast %left0_4_alone : i32 to vector<16xi32>
              %left0_4 = vector.bitcast %left0_4_words : vector<16xi32> to vector<32xbf16>

              %right0_4 = vector.bitcast %pair0_4
                : vector<16xi32> to vector<32xbf16>
              %k0_5 = affine.apply affine_map<(p) -> (p * 32 + 10)>(%part0)
              %left0_5_pair = vector.transfer_read %tokens[%first_row, %k0_5], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_5_word = vector.bitcast %left0_5_pair : vector<2xbf16> to vector<1xi32>
              %left0_5_alone = vector.extract %left0_5_word[0] : i32 from vector<1xi32>
              %left0_5_words = vector.broadcast %left0_5_alone : i32 to vector<16xi32>
              %left0_5 = vector.bitcast %left0_5_words : vector<16xi32> to vector<32xbf16>

              %right0_5 = vector.bitcast %pair0_5
                : vector<16xi32> to vector<32xbf16>
              %k0_6 = affine.apply affine_map<(p) -> (p * 32 + 12)>(%part0)
              %left0_6_pair = vector.transfer_read %tokens[%first_row, %k0_6], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_6_word = vector.bitcast %left0_6_pair : vector<2xbf16> to vector<1xi32>
              %left0_6_alone = vector.extract %left0_6_word[0] : i32 from vector<1xi32>
              %left0_6_words = vector.broadcast %left0_6_alone : i32 to vector<16xi32>
              %left0_6 = vector.bitcast %left0_6_words : vector<16xi32> to vector<32xbf16>
              %pair0_6_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 64($2)",
                "=v,0,r" %pair0_6, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %right0_6 = vector.bitcast %pair0_6_held
                : vector<16xi32> to vector<32xbf16>
              %k0_7 = affine.apply affine_map<(p) -> (p * 32 + 14)>(%part0)
              %left0_7_pair = vector.transfer_read %tokens[%first_row, %k0_7], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_7_word = vector.bitcast %left0_7_pair : vector<2xbf16> to vector<1xi32>
              %left0_7_alone = vector.extract %left0_7_word[0] : i32 from vector<1xi32>
              %left0_7_words = vector.broadcast %left0_7_alone : i32 to vector<16xi32>
              %left0_7 = vector.bitcast %left0_7_words : vector<16xi32> to vector<32xbf16>

              %right0_7 = vector.bitcast %pair0_7
                : vector<16xi32> to vector<32xbf16>
              %k0_8 = affine.apply affine_map<(p) -> (p * 32 + 16)>(%part0)
              %left0_8_pair = vector.transfer_read %tokens[%first_row, %k0_8], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_8_word = vector.bitcast %left0_8_pair : vector<2xbf16> to vector<1xi32>
              %left0_8_alone = vector.extract %left0_8_word[0] : i32 from vector<1xi32>
              %left0_8_words = vector.broadcast %left0_8_alone : i32 to vector<16xi32>
              %left0_8 = vector.bitcast %left0_8_words : vector<16xi32> to vector<32xbf16>

              %right0_8 = vector.bitcast %pair0_8
                : vector<16xi32> to vector<32xbf16>
              %k0_9 = affine.apply affine_map<(p) -> (p * 32 + 18)>(%part0)
              %left0_9_pair = vector.transfer_read %tokens[%first_row, %k0_9], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_9_word = vector.bitcast %left0_9_pair : vector<2xbf16> to vector<1xi32>
              %left0_9_alone = vector.extract %left0_9_word[0] : i32 from vector<1xi32>
              %left0_9_words = vector.broadcast %left0_9_alone : i32 to vector<16xi32>
              %left0_9 = vector.bitcast %left0_9_words : vector<16xi32> to vector<32xbf16>
              %pair0_9_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 128($2)",
                "=v,0,r" %pair0_9, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %right0_9 = vector.bitcast %pair0_9_held
                : vector<16xi32> to vector<32xbf16>
              %k0_10 = affine.apply affine_map<(p) -> (p * 32 + 20)>(%part0)
              %left0_10_pair = vector.transfer_read %tokens[%first_row, %k0_10], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_10_word = vector.bitcast %left0_10_pair : vector<2xbf16> to vector<1xi32>
              %left0_10_alone = vector.extract %left0_10_word[0] : i32 from vector<1xi32>
              %left0_10_words = vector.broadcast %left0_10_alone : i32 to vector<16xi32>
              %left0_10 = vector.bitcast %left0_10_words : vector<16xi32> to vector<32xbf16>

              %right0_10 = vector.bitcast %pair0_10
                : vector<16xi32> to vector<32xbf16>
              %k0_11 = affine.apply affine_map<(p) -> (p * 32 + 22)>(%part0)
              %left0_11_pair = vector.transfer_read %tokens[%first_row, %k0_11], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_11_word = vector.bitcast %left0_11_pair : vector<2xbf16> to vector<1xi32>
              %left0_11_alone = vector.extract %left0_11_word[0] : i32 from vector<1xi32>
              %left0_11_words = vector.broadcast %left0_11_alone : i32 to vector<16xi32>
              %left0_11 = vector.bitcast %left0_11_words : vector<16xi32> to vector<32xbf16>

              %right0_11 = vector.bitcast %pair0_11
                : vector<16xi32> to vector<32xbf16>
              %k0_12 = affine.apply affine_map<(p) -> (p * 32 + 24)>(%part0)
              %left0_12_pair = vector.transfer_read %tokens[%first_row, %k0_12], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_12_word = vector.bitcast %left0_12_pair : vector<2xbf16> to vector<1xi32>
              %left0_12_alone = vector.extract %left0_12_word[0] : i32 from vector<1xi32>
              %left0_12_words = vector.broadcast %left0_12_alone : i32 to vector<16xi32>
              %left0_12 = vector.bitcast %left0_12_words : vector<16xi32> to vector<32xbf16>
              %pair0_12_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 192($2)",
                "=v,0,r" %pair0_12, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %right0_12 = vector.bitcast %pair0_12_held
                : vector<16xi32> to vector<32xbf16>
              %k0_13 = affine.apply affine_map<(p) -> (p * 32 + 26)>(%part0)
              %left0_13_pair = vector.transfer_read %tokens[%first_row, %k0_13], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_13_word = vector.bitcast %left0_13_pair : vector<2xbf16> to vector<1xi32>
              %left0_13_alone = vector.extract %left0_13_word[0] : i32 from vector<1xi32>
              %left0_13_words = vector.broadcast %left0_13_alone : i32 to vector<16xi32>
              %left0_13 = vector.bitcast %left0_13_words : vector<16xi32> to vector<32xbf16>

              %right0_13 = vector.bitcast %pair0_13
                : vector<16xi32> to vector<32xbf16>
              %k0_14 = affine.apply affine_map<(p) -> (p * 32 + 28)>(%part0)
              %left0_14_pair = vector.transfer_read %tokens[%first_row, %k0_14], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_14_word = vector.bitcast %left0_14_pair : vector<2xbf16> to vector<1xi32>
              %left0_14_alone = vector.extract %left0_14_word[0] : i32 from vector<1xi32>
              %left0_14_words = vector.broadcast %left0_14_alone : i32 to vector<16xi32>
              %left0_14 = vector.bitcast %left0_14_words : vector<16xi32> to vector<32xbf16>

              %right0_14 = vector.bitcast %pair0_14
                : vector<16xi32> to vector<32xbf16>
              %k0_15 = affine.apply affine_map<(p) -> (p * 32 + 30)>(%part0)
              %left0_15_pair = vector.transfer_read %tokens[%first_row, %k0_15], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_15_word = vector.bitcast %left0_15_pair : vector<2xbf16> to vector<1xi32>
              %left0_15_alone = vector.extract %left0_15_word[0] : i32 from vector<1xi32>
              %left0_15_words = vector.broadcast %left0_15_alone : i32 to vector<16xi32>
              %left0_15 = vector.bitcast %left0_15_words : vector<16xi32> to vector<32xbf16>
              %pair0_15_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 256($2)",
                "=v,0,r" %pair0_15, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %right0_15 = vector.bitcast %pair0_15_held
                : vector<16xi32> to vector<32xbf16>
              %dot0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left0_0, %right0_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1, %left0_1, %right0_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_2, %left0_2, %right0_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_3, %left0_3, %right0_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_4, %left0_4, %right0_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_5, %left0_5, %right0_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_6, %left0_6, %right0_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_7, %left0_7, %right0_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_8, %left0_8, %right0_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_9, %left0_9, %right0_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_10, %left0_10, %right0_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_11, %left0_11, %right0_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_12, %left0_12, %right0_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_13, %left0_13, %right0_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_14, %left0_14, %right0_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_15, %left0_15, %right0_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %more0 = vector.fma %dot0, %scale0,
                %so_far : vector<16xf32>
              scf.yield %more0 : vector<16xf32>
            }
            scf.yield %of_blocks : vector<16xf32>
          }
          %column = affine.apply affine_map<(n, g) -> (n + g * 16)>(%n, %g)
          %with_group = vector.transfer_write %of_depth, %of_groups[%first_row, %column]
            {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
          scf.yield %with_group : tensor<?x37xf32>
        }
        scf.yield %of_panel : tensor<?x37xf32>
      }
      %of_columns = scf.for %n = %first_column to %end_column_several step %width
        iter_args(%of_all = %of_columns_1) -> (tensor<?x37xf32>) {
        %n_0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %n_1 = affine.apply affine_map<(n) -> (n + 16)>(%n)
        %ahead = affine.min
          affine_map<(n) -> (n + 32, 36)>(%n)
        %of_depth = scf.for %d = %none to %depth_blocks step %block_step iter_args(%of_steps = %of_all)
          -> (tensor<?x37xf32>) {
          %is_begun = arith.cmpi sgt, %d, %none : index
          %empty0 = tensor.empty() : tensor<128x2x16xi32>
          %empty1 = tensor.empty() : tensor<8x2x16xf32>
          %panel:2 = scf.for %g = %none to %groups step %one
            iter_args(%made0 = %empty0, %made1 = %empty1)
            -> (tensor<128x2x16xi32>, tensor<8x2x16xf32>) {
            %n0 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 0, 36)>(%n, %g)
            %n1 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 1, 36)>(%n, %g)
            %n2 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 2, 36)>(%n, %g)
            %n3 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 3, 36)>(%n, %g)
            %n4 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 4, 36)>(%n, %g)
            %n5 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 5, 36)>(%n, %g)
            %n6 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 6, 36)>(%n, %g)
            %n7 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 7, 36)>(%n, %g)
            %n8 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 8, 36)>(%n, %g)
            %n9 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 9, 36)>(%n, %g)
            %n10 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 10, 36)>(%n, %g)
            %n11 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 11, 36)>(%n, %g)
            %n12 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 12, 36)>(%n, %g)
            %n13 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 13, 36)>(%n, %g)
            %n14 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 14, 36)>(%n, %g)
            %n15 = affine.min affine_map<(n, g)
              -> (n + g * 16 + 15, 36)>(%n, %g)
            %step_byte = affine.apply affine_map<(d) -> (d * 144)>(%d)
            %of_blocks:2 = scf.for %b = %none to %blocks step %one
              iter_args(%to0 = %made0, %to1 = %made1)
              -> (tensor<128x2x16xi32>, tensor<8x2x16xf32>) {
              %first_byte = affine.apply
                affine_map<(s, b) -> (s + b * 18)>(%step_byte, %b)
              %ahead_byte = affine.apply affine_map<(d, g, b) -> (d * 4608
                + g * 2304 + b * 288)>(%d, %g, %b)
              %line0 = affine.apply affine_map<(b) -> (b + 0)>(%ahead_byte)
              memref.prefetch %weight_memory[%ahead, %line0], read, locality<2>, data
                : memref<37x144xi8>
              %line64 = affine.apply affine_map<(b) -> (b + 64)>(%ahead_byte)
              memref.prefetch %weight_memory[%ahead, %line64], read, locality<2>, data
                : memref<37x144xi8>
              %line128 = affine.apply affine_map<(b) -> (b + 128)>(%ahead_byte)
              memref.prefetch %weight_memory[%ahead, %line128], read, locality<2>, data
                : memref<37x144xi8>
              %line192 = affine.apply affine_map<(b) -> (b + 192)>(%ahead_byte)
              memref.prefetch %weight_memory[%ahead, %line192], read, locality<2>, data
                : memref<37x144xi8>
              %line256 = affine.apply affine_map<(b) -> (b + 256)>(%ahead_byte)
              memref.prefetch %weight_memory[%ahead, %line256], read, locality<2>, data
                : memref<37x144xi8>
              %scale0_bytes0_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes0 = vector.transfer_read %weight[%n0, %scale0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half0 = vector.bitcast %scale0_bytes0 : vector<2xi8> to vector<1xf16>
              %scale0_alone0 = vector.extract %scale0_half0[0] : f16 from vector<1xf16>
              %scale0_bytes1_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes1 = vector.transfer_read %weight[%n1, %scale0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half1 = vector.bitcast %scale0_bytes1 : vector<2xi8> to vector<1xf16>
              %scale0_alone1 = vector.extract %scale0_half1[0] : f16 from vector<1xf16>
              %scale0_bytes2_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes2 = vector.transfer_read %weight[%n2, %scale0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half2 = vector.bitcast %scale0_bytes2 : vector<2xi8> to vector<1xf16>
              %scale0_alone2 = vector.extract %scale0_half2[0] : f16 from vector<1xf16>
              %scale0_bytes3_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes3 = vector.transfer_read %weight[%n3, %scale0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half3 = vector.bitcast %scale0_bytes3 : vector<2xi8> to vector<1xf16>
              %scale0_alone3 = vector.extract %scale0_half3[0] : f16 from vector<1xf16>
              %scale0_bytes4_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes4 = vector.transfer_read %weight[%n4, %scale0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half4 = vector.bitcast %scale0_bytes4 : vector<2xi8> to vector<1xf16>
              %scale0_alone4 = vector.extract %scale0_half4[0] : f16 from vector<1xf16>
              %scale0_bytes5_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes5 = vector.transfer_read %weight[%n5, %scale0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half5 = vector.bitcast %scale0_bytes5 : vector<2xi8> to vector<1xf16>
              %scale0_alone5 = vector.extract %scale0_half5[0] : f16 from vector<1xf16>
              %scale0_bytes6_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes6 = vector.transfer_read %weight[%n6, %scale0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half6 = vector.bitcast %scale0_bytes6 : vector<2xi8> to vector<1xf16>
              %scale0_alone6 = vector.extract %scale0_half6[0] : f16 from vector<1xf16>
              %scale0_bytes7_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes7 = vector.transfer_read %weight[%n7, %scale0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half7 = vector.bitcast %scale0_bytes7 : vector<2xi8> to vector<1xf16>
              %scale0_alone7 = vector.extract %scale0_half7[0] : f16 from vector<1xf16>
              %scale0_bytes8_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes8 = vector.transfer_read %weight[%n8, %scale0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half8 = vector.bitcast %scale0_bytes8 : vector<2xi8> to vector<1xf16>
              %scale0_alone8 = vector.extract %scale0_half8[0] : f16 from vector<1xf16>
              %scale0_bytes9_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes9 = vector.transfer_read %weight[%n9, %scale0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half9 = vector.bitcast %scale0_bytes9 : vector<2xi8> to vector<1xf16>
              %scale0_alone9 = vector.extract %scale0_half9[0] : f16 from vector<1xf16>
              %scale0_bytes10_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes10 = vector.transfer_read %weight[%n10, %scale0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half10 = vector.bitcast %scale0_bytes10 : vector<2xi8> to vector<1xf16>
              %scale0_alone10 = vector.extract %scale0_half10[0] : f16 from vector<1xf16>
              %scale0_bytes11_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes11 = vector.transfer_read %weight[%n11, %scale0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half11 = vector.bitcast %scale0_bytes11 : vector<2xi8> to vector<1xf16>
              %scale0_alone11 = vector.extract %scale0_half11[0] : f16 from vector<1xf16>
              %scale0_bytes12_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes12 = vector.transfer_read %weight[%n12, %scale0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half12 = vector.bitcast %scale0_bytes12 : vector<2xi8> to vector<1xf16>
              %scale0_alone12 = vector.extract %scale0_half12[0] : f16 from vector<1xf16>
              %scale0_bytes13_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes13 = vector.transfer_read %weight[%n13, %scale0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half13 = vector.bitcast %scale0_bytes13 : vector<2xi8> to vector<1xf16>
              %scale0_alone13 = vector.extract %scale0_half13[0] : f16 from vector<1xf16>
              %scale0_bytes14_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes14 = vector.transfer_read %weight[%n14, %scale0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half14 = vector.bitcast %scale0_bytes14 : vector<2xi8> to vector<1xf16>
              %scale0_alone14 = vector.extract %scale0_half14[0] : f16 from vector<1xf16>
              %scale0_bytes15_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %scale0_bytes15 = vector.transfer_read %weight[%n15, %scale0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<2xi8>
              %scale0_half15 = vector.bitcast %scale0_bytes15 : vector<2xi8> to vector<1xf16>
              %scale0_alone15 = vector.extract %scale0_half15[0] : f16 from vector<1xf16>
              %scale0_halves = vector.from_elements %scale0_alone0, %scale0_alone1, %scale0_alone2, %scale0_alone3, %scale0_alone4, %scale0_alone5, %scale0_alone6, %scale0_alone7, %scale0_alone8, %scale0_alone9, %scale0_alone10, %scale0_alone11, %scale0_alone12, %scale0_alone13, %scale0_alone14, %scale0_alone15
                : vector<16xf16>
              %scale0 = arith.extf %scale0_halves : vector<16xf16> to vector<16xf32>
              %given_bytes0_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes0 = vector.transfer_read %weight[%n0, %given_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column0 = vector.bitcast %given_bytes0
                : vector<16xi8> to vector<4xi32>
              %given_bytes1_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes1 = vector.transfer_read %weight[%n1, %given_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column1 = vector.bitcast %given_bytes1
                : vector<16xi8> to vector<4xi32>
              %given_bytes2_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes2 = vector.transfer_read %weight[%n2, %given_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column2 = vector.bitcast %given_bytes2
                : vector<16xi8> to vector<4xi32>
              %given_bytes3_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes3 = vector.transfer_read %weight[%n3, %given_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column3 = vector.bitcast %given_bytes3
                : vector<16xi8> to vector<4xi32>
              %given_bytes4_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes4 = vector.transfer_read %weight[%n4, %given_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column4 = vector.bitcast %given_bytes4
                : vector<16xi8> to vector<4xi32>
              %given_bytes5_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes5 = vector.transfer_read %weight[%n5, %given_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column5 = vector.bitcast %given_bytes5
                : vector<16xi8> to vector<4xi32>
              %given_bytes6_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes6 = vector.transfer_read %weight[%n6, %given_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column6 = vector.bitcast %given_bytes6
                : vector<16xi8> to vector<4xi32>
              %given_bytes7_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes7 = vector.transfer_read %weight[%n7, %given_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column7 = vector.bitcast %given_bytes7
                : vector<16xi8> to vector<4xi32>
              %given_bytes8_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes8 = vector.transfer_read %weight[%n8, %given_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column8 = vector.bitcast %given_bytes8
                : vector<16xi8> to vector<4xi32>
              %given_bytes9_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes9 = vector.transfer_read %weight[%n9, %given_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column9 = vector.bitcast %given_bytes9
                : vector<16xi8> to vector<4xi32>
              %given_bytes10_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes10 = vector.transfer_read %weight[%n10, %given_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column10 = vector.bitcast %given_bytes10
                : vector<16xi8> to vector<4xi32>
              %given_bytes11_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes11 = vector.transfer_read %weight[%n11, %given_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column11 = vector.bitcast %given_bytes11
                : vector<16xi8> to vector<4xi32>
              %given_bytes12_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes12 = vector.transfer_read %weight[%n12, %given_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column12 = vector.bitcast %given_bytes12
                : vector<16xi8> to vector<4xi32>
              %given_bytes13_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes13 = vector.transfer_read %weight[%n13, %given_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column13 = vector.bitcast %given_bytes13
                : vector<16xi8> to vector<4xi32>
              %given_bytes14_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes14 = vector.transfer_read %weight[%n14, %given_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column14 = vector.bitcast %given_bytes14
                : vector<16xi8> to vector<4xi32>
              %given_bytes15_place = affine.apply affine_map<(b) -> (b + 2)>(%first_byte)
              %given_bytes15 = vector.transfer_read %weight[%n15, %given_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given_column15 = vector.bitcast %given_bytes15
                : vector<16xi8> to vector<4xi32>
              %given_two0 = vector.shuffle
                %given_column0, %given_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two8 = vector.shuffle
                %given_column8, %given_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row0 = vector.shuffle %given_two0, %given_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_two1 = vector.shuffle
                %given_column1, %given_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two9 = vector.shuffle
                %given_column9, %given_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row1 = vector.shuffle %given_two1, %given_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_two2 = vector.shuffle
                %given_column2, %given_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two10 = vector.shuffle
                %given_column10, %given_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row2 = vector.shuffle %given_two2, %given_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_two3 = vector.shuffle
                %given_column3, %given_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_two11 = vector.shuffle
                %given_column11, %given_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given_row3 = vector.shuffle %given_two3, %given_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given_low0 = vector.shuffle
                %given_row0, %given_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given_low2 = vector.shuffle
                %given_row2, %given_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given_0 = vector.shuffle %given_low0, %given_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given_1 = vector.shuffle %given_low0, %given_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given_high0 = vector.shuffle
                %given_row0, %given_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given_high2 = vector.shuffle
                %given_row2, %given_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given_2 = vector.shuffle %given_high0, %given_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given_3 = vector.shuffle %given_high0, %given_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number0_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_0 = arith.andi %given_0, %number0_0_mask
                : vector<16xi32>
              %number0_4_by = arith.constant dense<4> : vector<16xi32>
              %number0_4_moved = arith.shrui %given_0, %number0_4_by
                : vector<16xi32>
              %number0_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_4 = arith.andi %number0_4_moved, %number0_4_mask
                : vector<16xi32>
              %number0_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_1 = arith.andi %given_1, %number0_1_mask
                : vector<16xi32>
              %number0_5_by = arith.constant dense<4> : vector<16xi32>
              %number0_5_moved = arith.shrui %given_1, %number0_5_by
                : vector<16xi32>
              %number0_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_5 = arith.andi %number0_5_moved, %number0_5_mask
                : vector<16xi32>
              %number0_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_2 = arith.andi %given_2, %number0_2_mask
                : vector<16xi32>
              %number0_6_by = arith.constant dense<4> : vector<16xi32>
              %number0_6_moved = arith.shrui %given_2, %number0_6_by
                : vector<16xi32>
              %number0_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_6 = arith.andi %number0_6_moved, %number0_6_mask
                : vector<16xi32>
              %number0_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_3 = arith.andi %given_3, %number0_3_mask
                : vector<16xi32>
              %number0_7_by = arith.constant dense<4> : vector<16xi32>
              %number0_7_moved = arith.shrui %given_3, %number0_7_by
                : vector<16xi32>
              %number0_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_7 = arith.andi %number0_7_moved, %number0_7_mask
                : vector<16xi32>
              %pair0_bytes0 = vector.bitcast %number0_0 : vector<16xi32> to vector<64xi8>
              %pair0_0_bytes = vector.shuffle %pair0_bytes0, %pair0_bytes0
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_0_places = vector.bitcast %pair0_0_bytes : vector<64xi8> to vector<32xi16>
              %pair0_0_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_0_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_0 = vector.bitcast %pair0_0_numbers : vector<32xi16> to vector<16xi32>
              %pair0_1_bytes = vector.shuffle %pair0_bytes0, %pair0_bytes0
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_1_places = vector.bitcast %pair0_1_bytes : vector<64xi8> to vector<32xi16>
              %pair0_1_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_1_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_1 = vector.bitcast %pair0_1_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes1 = vector.bitcast %number0_1 : vector<16xi32> to vector<64xi8>
              %pair0_2_bytes = vector.shuffle %pair0_bytes1, %pair0_bytes1
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_2_places = vector.bitcast %pair0_2_bytes : vector<64xi8> to vector<32xi16>
              %pair0_2_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_2_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_2 = vector.bitcast %pair0_2_numbers : vector<32xi16> to vector<16xi32>
              %pair0_3_bytes = vector.shuffle %pair0_bytes1, %pair0_bytes1
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_3_places = vector.bitcast %pair0_3_bytes : vector<64xi8> to vector<32xi16>
              %pair0_3_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_3_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_3 = vector.bitcast %pair0_3_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes2 = vector.bitcast %number0_2 : vector<16xi32> to vector<64xi8>
              %pair0_4_bytes = vector.shuffle %pair0_bytes2, %pair0_bytes2
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_4_places = vector.bitcast %pair0_4_bytes : vector<64xi8> to vector<32xi16>
              %pair0_4_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_4_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_4 = vector.bitcast %pair0_4_numbers : vector<32xi16> to vector<16xi32>
              %pair0_5_bytes = vector.shuffle %pair0_bytes2, %pair0_bytes2
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_5_places = vector.bitcast %pair0_5_bytes : vector<64xi8> to vector<32xi16>
              %pair0_5_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_5_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_5 = vector.bitcast %pair0_5_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes3 = vector.bitcast %number0_3 : vector<16xi32> to vector<64xi8>
              %pair0_6_bytes = vector.shuffle %pair0_bytes3, %pair0_bytes3
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_6_places = vector.bitcast %pair0_6_bytes : vector<64xi8> to vector<32xi16>
              %pair0_6_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_6_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_6 = vector.bitcast %pair0_6_numbers : vector<32xi16> to vector<16xi32>
              %pair0_7_bytes = vector.shuffle %pair0_bytes3, %pair0_bytes3
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_7_places = vector.bitcast %pair0_7_bytes : vector<64xi8> to vector<32xi16>
              %pair0_7_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_7_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_7 = vector.bitcast %pair0_7_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes4 = vector.bitcast %number0_4 : vector<16xi32> to vector<64xi8>
              %pair0_8_bytes = vector.shuffle %pair0_bytes4, %pair0_bytes4
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_8_places = vector.bitcast %pair0_8_bytes : vector<64xi8> to vector<32xi16>
              %pair0_8_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_8_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_8 = vector.bitcast %pair0_8_numbers : vector<32xi16> to vector<16xi32>
              %pair0_9_bytes = vector.shuffle %pair0_bytes4, %pair0_bytes4
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_9_places = vector.bitcast %pair0_9_bytes : vector<64xi8> to vector<32xi16>
              %pair0_9_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_9_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_9 = vector.bitcast %pair0_9_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes5 = vector.bitcast %number0_5 : vector<16xi32> to vector<64xi8>
              %pair0_10_bytes = vector.shuffle %pair0_bytes5, %pair0_bytes5
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_10_places = vector.bitcast %pair0_10_bytes : vector<64xi8> to vector<32xi16>
              %pair0_10_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_10_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_10 = vector.bitcast %pair0_10_numbers : vector<32xi16> to vector<16xi32>
              %pair0_11_bytes = vector.shuffle %pair0_bytes5, %pair0_bytes5
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_11_places = vector.bitcast %pair0_11_bytes : vector<64xi8> to vector<32xi16>
              %pair0_11_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_11_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_11 = vector.bitcast %pair0_11_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes6 = vector.bitcast %number0_6 : vector<16xi32> to vector<64xi8>
              %pair0_12_bytes = vector.shuffle %pair0_bytes6, %pair0_bytes6
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_12_places = vector.bitcast %pair0_12_bytes : vector<64xi8> to vector<32xi16>
              %pair0_12_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_12_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_12 = vector.bitcast %pair0_12_numbers : vector<32xi16> to vector<16xi32>
              %pair0_13_bytes = vector.shuffle %pair0_bytes6, %pair0_bytes6
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_13_places = vector.bitcast %pair0_13_bytes : vector<64xi8> to vector<32xi16>
              %pair0_13_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_13_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_13 = vector.bitcast %pair0_13_numbers : vector<32xi16> to vector<16xi32>
              %pair0_bytes7 = vector.bitcast %number0_7 : vector<16xi32> to vector<64xi8>
              %pair0_14_bytes = vector.shuffle %pair0_bytes7, %pair0_bytes7
                [0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, 16, 16, 17, 17, 20, 20, 21, 21, 24, 24, 25, 25, 28, 28, 29, 29, 32, 32, 33, 33, 36, 36, 37, 37, 40, 40, 41, 41, 44, 44, 45, 45, 48, 48, 49, 49, 52, 52, 53, 53, 56, 56, 57, 57, 60, 60, 61, 61] : vector<64xi8>, vector<64xi8>
              %pair0_14_places = vector.bitcast %pair0_14_bytes : vector<64xi8> to vector<32xi16>
              %pair0_14_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_14_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_14 = vector.bitcast %pair0_14_numbers : vector<32xi16> to vector<16xi32>
              %pair0_15_bytes = vector.shuffle %pair0_bytes7, %pair0_bytes7
                [2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15, 18, 18, 19, 19, 22, 22, 23, 23, 26, 26, 27, 27, 30, 30, 31, 31, 34, 34, 35, 35, 38, 38, 39, 39, 42, 42, 43, 43, 46, 46, 47, 47, 50, 50, 51, 51, 54, 54, 55, 55, 58, 58, 59, 59, 62, 62, 63, 63] : vector<64xi8>, vector<64xi8>
              %pair0_15_places = vector.bitcast %pair0_15_bytes : vector<64xi8> to vector<32xi16>
              %pair0_15_numbers = llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"(
                %table, %pair0_15_places) : (vector<32xi16>, vector<32xi16>) -> vector<32xi16>
              %pair0_15 = vector.bitcast %pair0_15_numbers : vector<32xi16> to vector<16xi32>
              %to_word0_0 = affine.apply
                affine_map<(b) -> (b * 16 + 0)>(%b)
              %numbers_1 = vector.transfer_write %pair0_0,
                %to0[%to_word0_0, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_1 = affine.apply
                affine_map<(b) -> (b * 16 + 1)>(%b)
              %numbers_2 = vector.transfer_write %pair0_1,
                %numbers_1[%to_word0_1, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_2 = affine.apply
                affine_map<(b) -> (b * 16 + 2)>(%b)
              %numbers_3 = vector.transfer_write %pair0_2,
                %numbers_2[%to_word0_2, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_3 = affine.apply
                affine_map<(b) -> (b * 16 + 3)>(%b)
              %numbers_4 = vector.transfer_write %pair0_3,
                %numbers_3[%to_word0_3, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_4 = affine.apply
                affine_map<(b) -> (b * 16 + 4)>(%b)
              %numbers_5 = vector.transfer_write %pair0_4,
                %numbers_4[%to_word0_4, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_5 = affine.apply
                affine_map<(b) -> (b * 16 + 5)>(%b)
              %numbers_6 = vector.transfer_write %pair0_5,
                %numbers_5[%to_word0_5, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_6 = affine.apply
                affine_map<(b) -> (b * 16 + 6)>(%b)
              %numbers_7 = vector.transfer_write %pair0_6,
                %numbers_6[%to_word0_6, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_7 = affine.apply
                affine_map<(b) -> (b * 16 + 7)>(%b)
              %numbers_8 = vector.transfer_write %pair0_7,
                %numbers_7[%to_word0_7, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_8 = affine.apply
                affine_map<(b) -> (b * 16 + 8)>(%b)
              %numbers_9 = vector.transfer_write %pair0_8,
                %numbers_8[%to_word0_8, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_9 = affine.apply
                affine_map<(b) -> (b * 16 + 9)>(%b)
              %numbers_10 = vector.transfer_write %pair0_9,
                %numbers_9[%to_word0_9, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_10 = affine.apply
                affine_map<(b) -> (b * 16 + 10)>(%b)
              %numbers_11 = vector.transfer_write %pair0_10,
                %numbers_10[%to_word0_10, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_11 = affine.apply
                affine_map<(b) -> (b * 16 + 11)>(%b)
              %numbers_12 = vector.transfer_write %pair0_11,
                %numbers_11[%to_word0_11, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_12 = affine.apply
                affine_map<(b) -> (b * 16 + 12)>(%b)
              %numbers_13 = vector.transfer_write %pair0_12,
                %numbers_12[%to_word0_12, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_13 = affine.apply
                affine_map<(b) -> (b * 16 + 13)>(%b)
              %numbers_14 = vector.transfer_write %pair0_13,
                %numbers_13[%to_word0_13, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_14 = affine.apply
                affine_map<(b) -> (b * 16 + 14)>(%b)
              %numbers_15 = vector.transfer_write %pair0_14,
                %numbers_14[%to_word0_14, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_word0_15 = affine.apply
                affine_map<(b) -> (b * 16 + 15)>(%b)
              %numbers = vector.transfer_write %pair0_15,
                %numbers_15[%to_word0_15, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<128x2x16xi32>
              %to_scale0 = affine.apply
                affine_map<(b) -> (b * 1 + 0)>(%b)
              %scales = vector.transfer_write %scale0,
                %to1[%to_scale0, %g, %none] {in_bounds = [true]}
                : vector<16xf32>, tensor<8x2x16xf32>
              scf.yield %numbers, %scales
                : tensor<128x2x16xi32>, tensor<8x2x16xf32>
            }
            scf.yield %of_blocks#0, %of_blocks#1 : tensor<128x2x16xi32>, tensor<8x2x16xf32>
          }
          %of_rows = scf.for %m = %first_row to %end_row step %row_step
            iter_args(%before = %of_steps) -> (tensor<?x37xf32>) {
            %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end_row]
            %m1 = affine.min affine_map<(m)[e] -> (m + 1, e - 1)>(%m)[%end_row]
            %m2 = affine.min affine_map<(m)[e] -> (m + 2, e - 1)>(%m)[%end_row]
            %m3 = affine.min affine_map<(m)[e] -> (m + 3, e - 1)>(%m)[%end_row]
            %given0_0 = vector.transfer_read %before[%m0, %n_0], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin0_0 = arith.select %is_begun, %given0_0, %no_sums : vector<16xf32>
            %given0_1 = vector.transfer_read %before[%m0, %n_1], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin0_1 = arith.select %is_begun, %given0_1, %no_sums : vector<16xf32>
            %given1_0 = vector.transfer_read %before[%m1, %n_0], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin1_0 = arith.select %is_begun, %given1_0, %no_sums : vector<16xf32>
            %given1_1 = vector.transfer_read %before[%m1, %n_1], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin1_1 = arith.select %is_begun, %given1_1, %no_sums : vector<16xf32>
            %given2_0 = vector.transfer_read %before[%m2, %n_0], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin2_0 = arith.select %is_begun, %given2_0, %no_sums : vector<16xf32>
            %given2_1 = vector.transfer_read %before[%m2, %n_1], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin2_1 = arith.select %is_begun, %given2_1, %no_sums : vector<16xf32>
            %given3_0 = vector.transfer_read %before[%m3, %n_0], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin3_0 = arith.select %is_begun, %given3_0, %no_sums : vector<16xf32>
            %given3_1 = vector.transfer_read %before[%m3, %n_1], %no_scale
              {in_bounds = [false]} : tensor<?x37xf32>, vector<16xf32>
            %begin3_1 = arith.select %is_begun, %given3_1, %no_sums : vector<16xf32>
            %block:8 = scf.for %p = %none to %parts step %one iter_args(
              %so_far0_0 = %begin0_0,
              %so_far0_1 = %begin0_1,
              %so_far1_0 = %begin1_0,
              %so_far1_1 = %begin1_1,
              %so_far2_0 = %begin2_0,
              %so_far2_1 = %begin2_1,
              %so_far3_0 = %begin3_0,
              %so_far3_1 = %begin3_1
            ) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
              %part = affine.apply affine_map<(d, p) -> (d * 8 + p)>(%d, %p)
              %scale_place0 = affine.apply affine_map<(p) -> (p * 1 + 0)>(%p)
              %word0 = affine.apply affine_map<(p) -> (p * 16 + 0)>(%p)
              %k0 = affine.apply affine_map<(p) -> (p * 32 + 0)>(%part)
              %right_words0_0 = vector.transfer_read %panel#0[%word0, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_0 = vector.bitcast %right_words0_0
                : vector<16xi32> to vector<32xbf16>
              %right_words1_0 = vector.transfer_read %panel#0[%word0, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_0 = vector.bitcast %right_words1_0
                : vector<16xi32> to vector<32xbf16>
              %left0_0_pair = vector.transfer_read %tokens[%m0, %k0], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_0_word = vector.bitcast %left0_0_pair : vector<2xbf16> to vector<1xi32>
              %left0_0_alone = vector.extract %left0_0_word[0] : i32 from vector<1xi32>
              %left0_0_words = vector.broadcast %left0_0_alone : i32 to vector<16xi32>
              %left0_0 = vector.bitcast %left0_0_words : vector<16xi32> to vector<32xbf16>
              %left1_0_pair = vector.transfer_read %tokens[%m1, %k0], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_0_word = vector.bitcast %left1_0_pair : vector<2xbf16> to vector<1xi32>
              %left1_0_alone = vector.extract %left1_0_word[0] : i32 from vector<1xi32>
              %left1_0_words = vector.broadcast %left1_0_alone : i32 to vector<16xi32>
              %left1_0 = vector.bitcast %left1_0_words : vector<16xi32> to vector<32xbf16>
              %left2_0_pair = vector.transfer_read %tokens[%m2, %k0], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_0_word = vector.bitcast %left2_0_pair : vector<2xbf16> to vector<1xi32>
              %left2_0_alone = vector.extract %left2_0_word[0] : i32 from vector<1xi32>
              %left2_0_words = vector.broadcast %left2_0_alone : i32 to vector<16xi32>
              %left2_0 = vector.bitcast %left2_0_words : vector<16xi32> to vector<32xbf16>
              %left3_0_pair = vector.transfer_read %tokens[%m3, %k0], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_0_word = vector.bitcast %left3_0_pair : vector<2xbf16> to vector<1xi32>
              %left3_0_alone = vector.extract %left3_0_word[0] : i32 from vector<1xi32>
              %left3_0_words = vector.broadcast %left3_0_alone : i32 to vector<16xi32>
              %left3_0 = vector.bitcast %left3_0_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left0_0, %right0_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left0_0, %right1_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left1_0, %right0_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left1_0, %right1_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left2_0, %right0_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left2_0, %right1_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left3_0, %right0_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_0 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %no_sums, %left3_0, %right1_0)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word1 = affine.apply affine_map<(p) -> (p * 16 + 1)>(%p)
              %k1 = affine.apply affine_map<(p) -> (p * 32 + 2)>(%part)
              %right_words0_1 = vector.transfer_read %panel#0[%word1, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_1 = vector.bitcast %right_words0_1
                : vector<16xi32> to vector<32xbf16>
              %right_words1_1 = vector.transfer_read %panel#0[%word1, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_1 = vector.bitcast %right_words1_1
                : vector<16xi32> to vector<32xbf16>
              %left0_1_pair = vector.transfer_read %tokens[%m0, %k1], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_1_word = vector.bitcast %left0_1_pair : vector<2xbf16> to vector<1xi32>
              %left0_1_alone = vector.extract %left0_1_word[0] : i32 from vector<1xi32>
              %left0_1_words = vector.broadcast %left0_1_alone : i32 to vector<16xi32>
              %left0_1 = vector.bitcast %left0_1_words : vector<16xi32> to vector<32xbf16>
              %left1_1_pair = vector.transfer_read %tokens[%m1, %k1], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_1_word = vector.bitcast %left1_1_pair : vector<2xbf16> to vector<1xi32>
              %left1_1_alone = vector.extract %left1_1_word[0] : i32 from vector<1xi32>
              %left1_1_words = vector.broadcast %left1_1_alone : i32 to vector<16xi32>
              %left1_1 = vector.bitcast %left1_1_words : vector<16xi32> to vector<32xbf16>
              %left2_1_pair = vector.transfer_read %tokens[%m2, %k1], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_1_word = vector.bitcast %left2_1_pair : vector<2xbf16> to vector<1xi32>
              %left2_1_alone = vector.extract %left2_1_word[0] : i32 from vector<1xi32>
              %left2_1_words = vector.broadcast %left2_1_alone : i32 to vector<16xi32>
              %left2_1 = vector.bitcast %left2_1_words : vector<16xi32> to vector<32xbf16>
              %left3_1_pair = vector.transfer_read %tokens[%m3, %k1], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_1_word = vector.bitcast %left3_1_pair : vector<2xbf16> to vector<1xi32>
              %left3_1_alone = vector.extract %left3_1_word[0] : i32 from vector<1xi32>
              %left3_1_words = vector.broadcast %left3_1_alone : i32 to vector<16xi32>
              %left3_1 = vector.bitcast %left3_1_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_0, %left0_1, %right0_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_0, %left0_1, %right1_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_0, %left1_1, %right0_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_0, %left1_1, %right1_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_0, %left2_1, %right0_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_0, %left2_1, %right1_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_0, %left3_1, %right0_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_1 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_0, %left3_1, %right1_1)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word2 = affine.apply affine_map<(p) -> (p * 16 + 2)>(%p)
              %k2 = affine.apply affine_map<(p) -> (p * 32 + 4)>(%part)
              %right_words0_2 = vector.transfer_read %panel#0[%word2, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_2 = vector.bitcast %right_words0_2
                : vector<16xi32> to vector<32xbf16>
              %right_words1_2 = vector.transfer_read %panel#0[%word2, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_2 = vector.bitcast %right_words1_2
                : vector<16xi32> to vector<32xbf16>
              %left0_2_pair = vector.transfer_read %tokens[%m0, %k2], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_2_word = vector.bitcast %left0_2_pair : vector<2xbf16> to vector<1xi32>
              %left0_2_alone = vector.extract %left0_2_word[0] : i32 from vector<1xi32>
              %left0_2_words = vector.broadcast %left0_2_alone : i32 to vector<16xi32>
              %left0_2 = vector.bitcast %left0_2_words : vector<16xi32> to vector<32xbf16>
              %left1_2_pair = vector.transfer_read %tokens[%m1, %k2], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_2_word = vector.bitcast %left1_2_pair : vector<2xbf16> to vector<1xi32>
              %left1_2_alone = vector.extract %left1_2_word[0] : i32 from vector<1xi32>
              %left1_2_words = vector.broadcast %left1_2_alone : i32 to vector<16xi32>
              %left1_2 = vector.bitcast %left1_2_words : vector<16xi32> to vector<32xbf16>
              %left2_2_pair = vector.transfer_read %tokens[%m2, %k2], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_2_word = vector.bitcast %left2_2_pair : vector<2xbf16> to vector<1xi32>
              %left2_2_alone = vector.extract %left2_2_word[0] : i32 from vector<1xi32>
              %left2_2_words = vector.broadcast %left2_2_alone : i32 to vector<16xi32>
              %left2_2 = vector.bitcast %left2_2_words : vector<16xi32> to vector<32xbf16>
              %left3_2_pair = vector.transfer_read %tokens[%m3, %k2], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_2_word = vector.bitcast %left3_2_pair : vector<2xbf16> to vector<1xi32>
              %left3_2_alone = vector.extract %left3_2_word[0] : i32 from vector<1xi32>
              %left3_2_words = vector.broadcast %left3_2_alone : i32 to vector<16xi32>
              %left3_2 = vector.bitcast %left3_2_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_1, %left0_2, %right0_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_1, %left0_2, %right1_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_1, %left1_2, %right0_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_1, %left1_2, %right1_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_1, %left2_2, %right0_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_1, %left2_2, %right1_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_1, %left3_2, %right0_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_2 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_1, %left3_2, %right1_2)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word3 = affine.apply affine_map<(p) -> (p * 16 + 3)>(%p)
              %k3 = affine.apply affine_map<(p) -> (p * 32 + 6)>(%part)
              %right_words0_3 = vector.transfer_read %panel#0[%word3, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_3 = vector.bitcast %right_words0_3
                : vector<16xi32> to vector<32xbf16>
              %right_words1_3 = vector.transfer_read %panel#0[%word3, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_3 = vector.bitcast %right_words1_3
                : vector<16xi32> to vector<32xbf16>
              %left0_3_pair = vector.transfer_read %tokens[%m0, %k3], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_3_word = vector.bitcast %left0_3_pair : vector<2xbf16> to vector<1xi32>
              %left0_3_alone = vector.extract %left0_3_word[0] : i32 from vector<1xi32>
              %left0_3_words = vector.broadcast %left0_3_alone : i32 to vector<16xi32>
              %left0_3 = vector.bitcast %left0_3_words : vector<16xi32> to vector<32xbf16>
              %left1_3_pair = vector.transfer_read %tokens[%m1, %k3], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_3_word = vector.bitcast %left1_3_pair : vector<2xbf16> to vector<1xi32>
              %left1_3_alone = vector.extract %left1_3_word[0] : i32 from vector<1xi32>
              %left1_3_words = vector.broadcast %left1_3_alone : i32 to vector<16xi32>
              %left1_3 = vector.bitcast %left1_3_words : vector<16xi32> to vector<32xbf16>
              %left2_3_pair = vector.transfer_read %tokens[%m2, %k3], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_3_word = vector.bitcast %left2_3_pair : vector<2xbf16> to vector<1xi32>
              %left2_3_alone = vector.extract %left2_3_word[0] : i32 from vector<1xi32>
              %left2_3_words = vector.broadcast %left2_3_alone : i32 to vector<16xi32>
              %left2_3 = vector.bitcast %left2_3_words : vector<16xi32> to vector<32xbf16>
              %left3_3_pair = vector.transfer_read %tokens[%m3, %k3], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_3_word = vector.bitcast %left3_3_pair : vector<2xbf16> to vector<1xi32>
              %left3_3_alone = vector.extract %left3_3_word[0] : i32 from vector<1xi32>
              %left3_3_words = vector.broadcast %left3_3_alone : i32 to vector<16xi32>
              %left3_3 = vector.bitcast %left3_3_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_2, %left0_3, %right0_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_2, %left0_3, %right1_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_2, %left1_3, %right0_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_2, %left1_3, %right1_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_2, %left2_3, %right0_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_2, %left2_3, %right1_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_2, %left3_3, %right0_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_2, %left3_3, %right1_3)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word4 = affine.apply affine_map<(p) -> (p * 16 + 4)>(%p)
              %k4 = affine.apply affine_map<(p) -> (p * 32 + 8)>(%part)
              %right_words0_4 = vector.transfer_read %panel#0[%word4, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_4 = vector.bitcast %right_words0_4
                : vector<16xi32> to vector<32xbf16>
              %right_words1_4 = vector.transfer_read %panel#0[%word4, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_4 = vector.bitcast %right_words1_4
                : vector<16xi32> to vector<32xbf16>
              %left0_4_pair = vector.transfer_read %tokens[%m0, %k4], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_4_word = vector.bitcast %left0_4_pair : vector<2xbf16> to vector<1xi32>
              %left0_4_alone = vector.extract %left0_4_word[0] : i32 from vector<1xi32>
              %left0_4_words = vector.broadcast %left0_4_alone : i32 to vector<16xi32>
              %left0_4 = vector.bitcast %left0_4_words : vector<16xi32> to vector<32xbf16>
              %left1_4_pair = vector.transfer_read %tokens[%m1, %k4], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_4_word = vector.bitcast %left1_4_pair : vector<2xbf16> to vector<1xi32>
              %left1_4_alone = vector.extract %left1_4_word[0] : i32 from vector<1xi32>
              %left1_4_words = vector.broadcast %left1_4_alone : i32 to vector<16xi32>
              %left1_4 = vector.bitcast %left1_4_words : vector<16xi32> to vector<32xbf16>
              %left2_4_pair = vector.transfer_read %tokens[%m2, %k4], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_4_word = vector.bitcast %left2_4_pair : vector<2xbf16> to vector<1xi32>
              %left2_4_alone = vector.extract %left2_4_word[0] : i32 from vector<1xi32>
              %left2_4_words = vector.broadcast %left2_4_alone : i32 to vector<16xi32>
              %left2_4 = vector.bitcast %left2_4_words : vector<16xi32> to vector<32xbf16>
              %left3_4_pair = vector.transfer_read %tokens[%m3, %k4], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_4_word = vector.bitcast %left3_4_pair : vector<2xbf16> to vector<1xi32>
              %left3_4_alone = vector.extract %left3_4_word[0] : i32 from vector<1xi32>
              %left3_4_words = vector.broadcast %left3_4_alone : i32 to vector<16xi32>
              %left3_4 = vector.bitcast %left3_4_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_3, %left0_4, %right0_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_3, %left0_4, %right1_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_3, %left1_4, %right0_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_3, %left1_4, %right1_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_3, %left2_4, %right0_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_3, %left2_4, %right1_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_3, %left3_4, %right0_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_4 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_3, %left3_4, %right1_4)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word5 = affine.apply affine_map<(p) -> (p * 16 + 5)>(%p)
              %k5 = affine.apply affine_map<(p) -> (p * 32 + 10)>(%part)
              %right_words0_5 = vector.transfer_read %panel#0[%word5, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_5 = vector.bitcast %right_words0_5
                : vector<16xi32> to vector<32xbf16>
              %right_words1_5 = vector.transfer_read %panel#0[%word5, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_5 = vector.bitcast %right_words1_5
                : vector<16xi32> to vector<32xbf16>
              %left0_5_pair = vector.transfer_read %tokens[%m0, %k5], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_5_word = vector.bitcast %left0_5_pair : vector<2xbf16> to vector<1xi32>
              %left0_5_alone = vector.extract %left0_5_word[0] : i32 from vector<1xi32>
              %left0_5_words = vector.broadcast %left0_5_alone : i32 to vector<16xi32>
              %left0_5 = vector.bitcast %left0_5_words : vector<16xi32> to vector<32xbf16>
              %left1_5_pair = vector.transfer_read %tokens[%m1, %k5], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_5_word = vector.bitcast %left1_5_pair : vector<2xbf16> to vector<1xi32>
              %left1_5_alone = vector.extract %left1_5_word[0] : i32 from vector<1xi32>
              %left1_5_words = vector.broadcast %left1_5_alone : i32 to vector<16xi32>
              %left1_5 = vector.bitcast %left1_5_words : vector<16xi32> to vector<32xbf16>
              %left2_5_pair = vector.transfer_read %tokens[%m2, %k5], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_5_word = vector.bitcast %left2_5_pair : vector<2xbf16> to vector<1xi32>
              %left2_5_alone = vector.extract %left2_5_word[0] : i32 from vector<1xi32>
              %left2_5_words = vector.broadcast %left2_5_alone : i32 to vector<16xi32>
              %left2_5 = vector.bitcast %left2_5_words : vector<16xi32> to vector<32xbf16>
              %left3_5_pair = vector.transfer_read %tokens[%m3, %k5], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_5_word = vector.bitcast %left3_5_pair : vector<2xbf16> to vector<1xi32>
              %left3_5_alone = vector.extract %left3_5_word[0] : i32 from vector<1xi32>
              %left3_5_words = vector.broadcast %left3_5_alone : i32 to vector<16xi32>
              %left3_5 = vector.bitcast %left3_5_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_4, %left0_5, %right0_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_4, %left0_5, %right1_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_4, %left1_5, %right0_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_4, %left1_5, %right1_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_4, %left2_5, %right0_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_4, %left2_5, %right1_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_4, %left3_5, %right0_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_5 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_4, %left3_5, %right1_5)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word6 = affine.apply affine_map<(p) -> (p * 16 + 6)>(%p)
              %k6 = affine.apply affine_map<(p) -> (p * 32 + 12)>(%part)
              %right_words0_6 = vector.transfer_read %panel#0[%word6, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_6 = vector.bitcast %right_words0_6
                : vector<16xi32> to vector<32xbf16>
              %right_words1_6 = vector.transfer_read %panel#0[%word6, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_6 = vector.bitcast %right_words1_6
                : vector<16xi32> to vector<32xbf16>
              %left0_6_pair = vector.transfer_read %tokens[%m0, %k6], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_6_word = vector.bitcast %left0_6_pair : vector<2xbf16> to vector<1xi32>
              %left0_6_alone = vector.extract %left0_6_word[0] : i32 from vector<1xi32>
              %left0_6_words = vector.broadcast %left0_6_alone : i32 to vector<16xi32>
              %left0_6 = vector.bitcast %left0_6_words : vector<16xi32> to vector<32xbf16>
              %left1_6_pair = vector.transfer_read %tokens[%m1, %k6], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_6_word = vector.bitcast %left1_6_pair : vector<2xbf16> to vector<1xi32>
              %left1_6_alone = vector.extract %left1_6_word[0] : i32 from vector<1xi32>
              %left1_6_words = vector.broadcast %left1_6_alone : i32 to vector<16xi32>
              %left1_6 = vector.bitcast %left1_6_words : vector<16xi32> to vector<32xbf16>
              %left2_6_pair = vector.transfer_read %tokens[%m2, %k6], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_6_word = vector.bitcast %left2_6_pair : vector<2xbf16> to vector<1xi32>
              %left2_6_alone = vector.extract %left2_6_word[0] : i32 from vector<1xi32>
              %left2_6_words = vector.broadcast %left2_6_alone : i32 to vector<16xi32>
              %left2_6 = vector.bitcast %left2_6_words : vector<16xi32> to vector<32xbf16>
              %left3_6_pair = vector.transfer_read %tokens[%m3, %k6], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_6_word = vector.bitcast %left3_6_pair : vector<2xbf16> to vector<1xi32>
              %left3_6_alone = vector.extract %left3_6_word[0] : i32 from vector<1xi32>
              %left3_6_words = vector.broadcast %left3_6_alone : i32 to vector<16xi32>
              %left3_6 = vector.bitcast %left3_6_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_5, %left0_6, %right0_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_5, %left0_6, %right1_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_5, %left1_6, %right0_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_5, %left1_6, %right1_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_5, %left2_6, %right0_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_5, %left2_6, %right1_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_5, %left3_6, %right0_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_6 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_5, %left3_6, %right1_6)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word7 = affine.apply affine_map<(p) -> (p * 16 + 7)>(%p)
              %k7 = affine.apply affine_map<(p) -> (p * 32 + 14)>(%part)
              %right_words0_7 = vector.transfer_read %panel#0[%word7, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_7 = vector.bitcast %right_words0_7
                : vector<16xi32> to vector<32xbf16>
              %right_words1_7 = vector.transfer_read %panel#0[%word7, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_7 = vector.bitcast %right_words1_7
                : vector<16xi32> to vector<32xbf16>
              %left0_7_pair = vector.transfer_read %tokens[%m0, %k7], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_7_word = vector.bitcast %left0_7_pair : vector<2xbf16> to vector<1xi32>
              %left0_7_alone = vector.extract %left0_7_word[0] : i32 from vector<1xi32>
              %left0_7_words = vector.broadcast %left0_7_alone : i32 to vector<16xi32>
              %left0_7 = vector.bitcast %left0_7_words : vector<16xi32> to vector<32xbf16>
              %left1_7_pair = vector.transfer_read %tokens[%m1, %k7], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_7_word = vector.bitcast %left1_7_pair : vector<2xbf16> to vector<1xi32>
              %left1_7_alone = vector.extract %left1_7_word[0] : i32 from vector<1xi32>
              %left1_7_words = vector.broadcast %left1_7_alone : i32 to vector<16xi32>
              %left1_7 = vector.bitcast %left1_7_words : vector<16xi32> to vector<32xbf16>
              %left2_7_pair = vector.transfer_read %tokens[%m2, %k7], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_7_word = vector.bitcast %left2_7_pair : vector<2xbf16> to vector<1xi32>
              %left2_7_alone = vector.extract %left2_7_word[0] : i32 from vector<1xi32>
              %left2_7_words = vector.broadcast %left2_7_alone : i32 to vector<16xi32>
              %left2_7 = vector.bitcast %left2_7_words : vector<16xi32> to vector<32xbf16>
              %left3_7_pair = vector.transfer_read %tokens[%m3, %k7], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_7_word = vector.bitcast %left3_7_pair : vector<2xbf16> to vector<1xi32>
              %left3_7_alone = vector.extract %left3_7_word[0] : i32 from vector<1xi32>
              %left3_7_words = vector.broadcast %left3_7_alone : i32 to vector<16xi32>
              %left3_7 = vector.bitcast %left3_7_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_6, %left0_7, %right0_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_6, %left0_7, %right1_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_6, %left1_7, %right0_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_6, %left1_7, %right1_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_6, %left2_7, %right0_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_6, %left2_7, %right1_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_6, %left3_7, %right0_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_7 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_6, %left3_7, %right1_7)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word8 = affine.apply affine_map<(p) -> (p * 16 + 8)>(%p)
              %k8 = affine.apply affine_map<(p) -> (p * 32 + 16)>(%part)
              %right_words0_8 = vector.transfer_read %panel#0[%word8, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_8 = vector.bitcast %right_words0_8
                : vector<16xi32> to vector<32xbf16>
              %right_words1_8 = vector.transfer_read %panel#0[%word8, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_8 = vector.bitcast %right_words1_8
                : vector<16xi32> to vector<32xbf16>
              %left0_8_pair = vector.transfer_read %tokens[%m0, %k8], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_8_word = vector.bitcast %left0_8_pair : vector<2xbf16> to vector<1xi32>
              %left0_8_alone = vector.extract %left0_8_word[0] : i32 from vector<1xi32>
              %left0_8_words = vector.broadcast %left0_8_alone : i32 to vector<16xi32>
              %left0_8 = vector.bitcast %left0_8_words : vector<16xi32> to vector<32xbf16>
              %left1_8_pair = vector.transfer_read %tokens[%m1, %k8], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_8_word = vector.bitcast %left1_8_pair : vector<2xbf16> to vector<1xi32>
              %left1_8_alone = vector.extract %left1_8_word[0] : i32 from vector<1xi32>
              %left1_8_words = vector.broadcast %left1_8_alone : i32 to vector<16xi32>
              %left1_8 = vector.bitcast %left1_8_words : vector<16xi32> to vector<32xbf16>
              %left2_8_pair = vector.transfer_read %tokens[%m2, %k8], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_8_word = vector.bitcast %left2_8_pair : vector<2xbf16> to vector<1xi32>
              %left2_8_alone = vector.extract %left2_8_word[0] : i32 from vector<1xi32>
              %left2_8_words = vector.broadcast %left2_8_alone : i32 to vector<16xi32>
              %left2_8 = vector.bitcast %left2_8_words : vector<16xi32> to vector<32xbf16>
              %left3_8_pair = vector.transfer_read %tokens[%m3, %k8], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_8_word = vector.bitcast %left3_8_pair : vector<2xbf16> to vector<1xi32>
              %left3_8_alone = vector.extract %left3_8_word[0] : i32 from vector<1xi32>
              %left3_8_words = vector.broadcast %left3_8_alone : i32 to vector<16xi32>
              %left3_8 = vector.bitcast %left3_8_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_7, %left0_8, %right0_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_7, %left0_8, %right1_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_7, %left1_8, %right0_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_7, %left1_8, %right1_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_7, %left2_8, %right0_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_7, %left2_8, %right1_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_7, %left3_8, %right0_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_8 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_7, %left3_8, %right1_8)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word9 = affine.apply affine_map<(p) -> (p * 16 + 9)>(%p)
              %k9 = affine.apply affine_map<(p) -> (p * 32 + 18)>(%part)
              %right_words0_9 = vector.transfer_read %panel#0[%word9, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_9 = vector.bitcast %right_words0_9
                : vector<16xi32> to vector<32xbf16>
              %right_words1_9 = vector.transfer_read %panel#0[%word9, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_9 = vector.bitcast %right_words1_9
                : vector<16xi32> to vector<32xbf16>
              %left0_9_pair = vector.transfer_read %tokens[%m0, %k9], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_9_word = vector.bitcast %left0_9_pair : vector<2xbf16> to vector<1xi32>
              %left0_9_alone = vector.extract %left0_9_word[0] : i32 from vector<1xi32>
              %left0_9_words = vector.broadcast %left0_9_alone : i32 to vector<16xi32>
              %left0_9 = vector.bitcast %left0_9_words : vector<16xi32> to vector<32xbf16>
              %left1_9_pair = vector.transfer_read %tokens[%m1, %k9], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_9_word = vector.bitcast %left1_9_pair : vector<2xbf16> to vector<1xi32>
              %left1_9_alone = vector.extract %left1_9_word[0] : i32 from vector<1xi32>
              %left1_9_words = vector.broadcast %left1_9_alone : i32 to vector<16xi32>
              %left1_9 = vector.bitcast %left1_9_words : vector<16xi32> to vector<32xbf16>
              %left2_9_pair = vector.transfer_read %tokens[%m2, %k9], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_9_word = vector.bitcast %left2_9_pair : vector<2xbf16> to vector<1xi32>
              %left2_9_alone = vector.extract %left2_9_word[0] : i32 from vector<1xi32>
              %left2_9_words = vector.broadcast %left2_9_alone : i32 to vector<16xi32>
              %left2_9 = vector.bitcast %left2_9_words : vector<16xi32> to vector<32xbf16>
              %left3_9_pair = vector.transfer_read %tokens[%m3, %k9], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_9_word = vector.bitcast %left3_9_pair : vector<2xbf16> to vector<1xi32>
              %left3_9_alone = vector.extract %left3_9_word[0] : i32 from vector<1xi32>
              %left3_9_words = vector.broadcast %left3_9_alone : i32 to vector<16xi32>
              %left3_9 = vector.bitcast %left3_9_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_8, %left0_9, %right0_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_8, %left0_9, %right1_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_8, %left1_9, %right0_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_8, %left1_9, %right1_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_8, %left2_9, %right0_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_8, %left2_9, %right1_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_8, %left3_9, %right0_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_9 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_8, %left3_9, %right1_9)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word10 = affine.apply affine_map<(p) -> (p * 16 + 10)>(%p)
              %k10 = affine.apply affine_map<(p) -> (p * 32 + 20)>(%part)
              %right_words0_10 = vector.transfer_read %panel#0[%word10, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_10 = vector.bitcast %right_words0_10
                : vector<16xi32> to vector<32xbf16>
              %right_words1_10 = vector.transfer_read %panel#0[%word10, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_10 = vector.bitcast %right_words1_10
                : vector<16xi32> to vector<32xbf16>
              %left0_10_pair = vector.transfer_read %tokens[%m0, %k10], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_10_word = vector.bitcast %left0_10_pair : vector<2xbf16> to vector<1xi32>
              %left0_10_alone = vector.extract %left0_10_word[0] : i32 from vector<1xi32>
              %left0_10_words = vector.broadcast %left0_10_alone : i32 to vector<16xi32>
              %left0_10 = vector.bitcast %left0_10_words : vector<16xi32> to vector<32xbf16>
              %left1_10_pair = vector.transfer_read %tokens[%m1, %k10], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_10_word = vector.bitcast %left1_10_pair : vector<2xbf16> to vector<1xi32>
              %left1_10_alone = vector.extract %left1_10_word[0] : i32 from vector<1xi32>
              %left1_10_words = vector.broadcast %left1_10_alone : i32 to vector<16xi32>
              %left1_10 = vector.bitcast %left1_10_words : vector<16xi32> to vector<32xbf16>
              %left2_10_pair = vector.transfer_read %tokens[%m2, %k10], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_10_word = vector.bitcast %left2_10_pair : vector<2xbf16> to vector<1xi32>
              %left2_10_alone = vector.extract %left2_10_word[0] : i32 from vector<1xi32>
              %left2_10_words = vector.broadcast %left2_10_alone : i32 to vector<16xi32>
              %left2_10 = vector.bitcast %left2_10_words : vector<16xi32> to vector<32xbf16>
              %left3_10_pair = vector.transfer_read %tokens[%m3, %k10], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_10_word = vector.bitcast %left3_10_pair : vector<2xbf16> to vector<1xi32>
              %left3_10_alone = vector.extract %left3_10_word[0] : i32 from vector<1xi32>
              %left3_10_words = vector.broadcast %left3_10_alone : i32 to vector<16xi32>
              %left3_10 = vector.bitcast %left3_10_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_9, %left0_10, %right0_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_9, %left0_10, %right1_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_9, %left1_10, %right0_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_9, %left1_10, %right1_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_9, %left2_10, %right0_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_9, %left2_10, %right1_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_9, %left3_10, %right0_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_10 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_9, %left3_10, %right1_10)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word11 = affine.apply affine_map<(p) -> (p * 16 + 11)>(%p)
              %k11 = affine.apply affine_map<(p) -> (p * 32 + 22)>(%part)
              %right_words0_11 = vector.transfer_read %panel#0[%word11, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_11 = vector.bitcast %right_words0_11
                : vector<16xi32> to vector<32xbf16>
              %right_words1_11 = vector.transfer_read %panel#0[%word11, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_11 = vector.bitcast %right_words1_11
                : vector<16xi32> to vector<32xbf16>
              %left0_11_pair = vector.transfer_read %tokens[%m0, %k11], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_11_word = vector.bitcast %left0_11_pair : vector<2xbf16> to vector<1xi32>
              %left0_11_alone = vector.extract %left0_11_word[0] : i32 from vector<1xi32>
              %left0_11_words = vector.broadcast %left0_11_alone : i32 to vector<16xi32>
              %left0_11 = vector.bitcast %left0_11_words : vector<16xi32> to vector<32xbf16>
              %left1_11_pair = vector.transfer_read %tokens[%m1, %k11], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_11_word = vector.bitcast %left1_11_pair : vector<2xbf16> to vector<1xi32>
              %left1_11_alone = vector.extract %left1_11_word[0] : i32 from vector<1xi32>
              %left1_11_words = vector.broadcast %left1_11_alone : i32 to vector<16xi32>
              %left1_11 = vector.bitcast %left1_11_words : vector<16xi32> to vector<32xbf16>
              %left2_11_pair = vector.transfer_read %tokens[%m2, %k11], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_11_word = vector.bitcast %left2_11_pair : vector<2xbf16> to vector<1xi32>
              %left2_11_alone = vector.extract %left2_11_word[0] : i32 from vector<1xi32>
              %left2_11_words = vector.broadcast %left2_11_alone : i32 to vector<16xi32>
              %left2_11 = vector.bitcast %left2_11_words : vector<16xi32> to vector<32xbf16>
              %left3_11_pair = vector.transfer_read %tokens[%m3, %k11], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_11_word = vector.bitcast %left3_11_pair : vector<2xbf16> to vector<1xi32>
              %left3_11_alone = vector.extract %left3_11_word[0] : i32 from vector<1xi32>
              %left3_11_words = vector.broadcast %left3_11_alone : i32 to vector<16xi32>
              %left3_11 = vector.bitcast %left3_11_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_10, %left0_11, %right0_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_10, %left0_11, %right1_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_10, %left1_11, %right0_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_10, %left1_11, %right1_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_10, %left2_11, %right0_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_10, %left2_11, %right1_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_10, %left3_11, %right0_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_11 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_10, %left3_11, %right1_11)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word12 = affine.apply affine_map<(p) -> (p * 16 + 12)>(%p)
              %k12 = affine.apply affine_map<(p) -> (p * 32 + 24)>(%part)
              %right_words0_12 = vector.transfer_read %panel#0[%word12, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_12 = vector.bitcast %right_words0_12
                : vector<16xi32> to vector<32xbf16>
              %right_words1_12 = vector.transfer_read %panel#0[%word12, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_12 = vector.bitcast %right_words1_12
                : vector<16xi32> to vector<32xbf16>
              %left0_12_pair = vector.transfer_read %tokens[%m0, %k12], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_12_word = vector.bitcast %left0_12_pair : vector<2xbf16> to vector<1xi32>
              %left0_12_alone = vector.extract %left0_12_word[0] : i32 from vector<1xi32>
              %left0_12_words = vector.broadcast %left0_12_alone : i32 to vector<16xi32>
              %left0_12 = vector.bitcast %left0_12_words : vector<16xi32> to vector<32xbf16>
              %left1_12_pair = vector.transfer_read %tokens[%m1, %k12], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_12_word = vector.bitcast %left1_12_pair : vector<2xbf16> to vector<1xi32>
              %left1_12_alone = vector.extract %left1_12_word[0] : i32 from vector<1xi32>
              %left1_12_words = vector.broadcast %left1_12_alone : i32 to vector<16xi32>
              %left1_12 = vector.bitcast %left1_12_words : vector<16xi32> to vector<32xbf16>
              %left2_12_pair = vector.transfer_read %tokens[%m2, %k12], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_12_word = vector.bitcast %left2_12_pair : vector<2xbf16> to vector<1xi32>
              %left2_12_alone = vector.extract %left2_12_word[0] : i32 from vector<1xi32>
              %left2_12_words = vector.broadcast %left2_12_alone : i32 to vector<16xi32>
              %left2_12 = vector.bitcast %left2_12_words : vector<16xi32> to vector<32xbf16>
              %left3_12_pair = vector.transfer_read %tokens[%m3, %k12], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_12_word = vector.bitcast %left3_12_pair : vector<2xbf16> to vector<1xi32>
              %left3_12_alone = vector.extract %left3_12_word[0] : i32 from vector<1xi32>
              %left3_12_words = vector.broadcast %left3_12_alone : i32 to vector<16xi32>
              %left3_12 = vector.bitcast %left3_12_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_11, %left0_12, %right0_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_11, %left0_12, %right1_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_11, %left1_12, %right0_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_11, %left1_12, %right1_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_11, %left2_12, %right0_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_11, %left2_12, %right1_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_11, %left3_12, %right0_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_12 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_11, %left3_12, %right1_12)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word13 = affine.apply affine_map<(p) -> (p * 16 + 13)>(%p)
              %k13 = affine.apply affine_map<(p) -> (p * 32 + 26)>(%part)
              %right_words0_13 = vector.transfer_read %panel#0[%word13, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_13 = vector.bitcast %right_words0_13
                : vector<16xi32> to vector<32xbf16>
              %right_words1_13 = vector.transfer_read %panel#0[%word13, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_13 = vector.bitcast %right_words1_13
                : vector<16xi32> to vector<32xbf16>
              %left0_13_pair = vector.transfer_read %tokens[%m0, %k13], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_13_word = vector.bitcast %left0_13_pair : vector<2xbf16> to vector<1xi32>
              %left0_13_alone = vector.extract %left0_13_word[0] : i32 from vector<1xi32>
              %left0_13_words = vector.broadcast %left0_13_alone : i32 to vector<16xi32>
              %left0_13 = vector.bitcast %left0_13_words : vector<16xi32> to vector<32xbf16>
              %left1_13_pair = vector.transfer_read %tokens[%m1, %k13], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_13_word = vector.bitcast %left1_13_pair : vector<2xbf16> to vector<1xi32>
              %left1_13_alone = vector.extract %left1_13_word[0] : i32 from vector<1xi32>
              %left1_13_words = vector.broadcast %left1_13_alone : i32 to vector<16xi32>
              %left1_13 = vector.bitcast %left1_13_words : vector<16xi32> to vector<32xbf16>
              %left2_13_pair = vector.transfer_read %tokens[%m2, %k13], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_13_word = vector.bitcast %left2_13_pair : vector<2xbf16> to vector<1xi32>
              %left2_13_alone = vector.extract %left2_13_word[0] : i32 from vector<1xi32>
              %left2_13_words = vector.broadcast %left2_13_alone : i32 to vector<16xi32>
              %left2_13 = vector.bitcast %left2_13_words : vector<16xi32> to vector<32xbf16>
              %left3_13_pair = vector.transfer_read %tokens[%m3, %k13], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_13_word = vector.bitcast %left3_13_pair : vector<2xbf16> to vector<1xi32>
              %left3_13_alone = vector.extract %left3_13_word[0] : i32 from vector<1xi32>
              %left3_13_words = vector.broadcast %left3_13_alone : i32 to vector<16xi32>
              %left3_13 = vector.bitcast %left3_13_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_12, %left0_13, %right0_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_12, %left0_13, %right1_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_12, %left1_13, %right0_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_12, %left1_13, %right1_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_12, %left2_13, %right0_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_12, %left2_13, %right1_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_12, %left3_13, %right0_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_13 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_12, %left3_13, %right1_13)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word14 = affine.apply affine_map<(p) -> (p * 16 + 14)>(%p)
              %k14 = affine.apply affine_map<(p) -> (p * 32 + 28)>(%part)
              %right_words0_14 = vector.transfer_read %panel#0[%word14, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_14 = vector.bitcast %right_words0_14
                : vector<16xi32> to vector<32xbf16>
              %right_words1_14 = vector.transfer_read %panel#0[%word14, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_14 = vector.bitcast %right_words1_14
                : vector<16xi32> to vector<32xbf16>
              %left0_14_pair = vector.transfer_read %tokens[%m0, %k14], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_14_word = vector.bitcast %left0_14_pair : vector<2xbf16> to vector<1xi32>
              %left0_14_alone = vector.extract %left0_14_word[0] : i32 from vector<1xi32>
              %left0_14_words = vector.broadcast %left0_14_alone : i32 to vector<16xi32>
              %left0_14 = vector.bitcast %left0_14_words : vector<16xi32> to vector<32xbf16>
              %left1_14_pair = vector.transfer_read %tokens[%m1, %k14], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_14_word = vector.bitcast %left1_14_pair : vector<2xbf16> to vector<1xi32>
              %left1_14_alone = vector.extract %left1_14_word[0] : i32 from vector<1xi32>
              %left1_14_words = vector.broadcast %left1_14_alone : i32 to vector<16xi32>
              %left1_14 = vector.bitcast %left1_14_words : vector<16xi32> to vector<32xbf16>
              %left2_14_pair = vector.transfer_read %tokens[%m2, %k14], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_14_word = vector.bitcast %left2_14_pair : vector<2xbf16> to vector<1xi32>
              %left2_14_alone = vector.extract %left2_14_word[0] : i32 from vector<1xi32>
              %left2_14_words = vector.broadcast %left2_14_alone : i32 to vector<16xi32>
              %left2_14 = vector.bitcast %left2_14_words : vector<16xi32> to vector<32xbf16>
              %left3_14_pair = vector.transfer_read %tokens[%m3, %k14], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_14_word = vector.bitcast %left3_14_pair : vector<2xbf16> to vector<1xi32>
              %left3_14_alone = vector.extract %left3_14_word[0] : i32 from vector<1xi32>
              %left3_14_words = vector.broadcast %left3_14_alone : i32 to vector<16xi32>
              %left3_14 = vector.bitcast %left3_14_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_13, %left0_14, %right0_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_13, %left0_14, %right1_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_13, %left1_14, %right0_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_13, %left1_14, %right1_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_13, %left2_14, %right0_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_13, %left2_14, %right1_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_13, %left3_14, %right0_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_14 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_13, %left3_14, %right1_14)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %word15 = affine.apply affine_map<(p) -> (p * 16 + 15)>(%p)
              %k15 = affine.apply affine_map<(p) -> (p * 32 + 30)>(%part)
              %right_words0_15 = vector.transfer_read %panel#0[%word15, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right0_15 = vector.bitcast %right_words0_15
                : vector<16xi32> to vector<32xbf16>
              %right_words1_15 = vector.transfer_read %panel#0[%word15, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<128x2x16xi32>, vector<16xi32>
              %right1_15 = vector.bitcast %right_words1_15
                : vector<16xi32> to vector<32xbf16>
              %left0_15_pair = vector.transfer_read %tokens[%m0, %k15], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left0_15_word = vector.bitcast %left0_15_pair : vector<2xbf16> to vector<1xi32>
              %left0_15_alone = vector.extract %left0_15_word[0] : i32 from vector<1xi32>
              %left0_15_words = vector.broadcast %left0_15_alone : i32 to vector<16xi32>
              %left0_15 = vector.bitcast %left0_15_words : vector<16xi32> to vector<32xbf16>
              %left1_15_pair = vector.transfer_read %tokens[%m1, %k15], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left1_15_word = vector.bitcast %left1_15_pair : vector<2xbf16> to vector<1xi32>
              %left1_15_alone = vector.extract %left1_15_word[0] : i32 from vector<1xi32>
              %left1_15_words = vector.broadcast %left1_15_alone : i32 to vector<16xi32>
              %left1_15 = vector.bitcast %left1_15_words : vector<16xi32> to vector<32xbf16>
              %left2_15_pair = vector.transfer_read %tokens[%m2, %k15], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left2_15_word = vector.bitcast %left2_15_pair : vector<2xbf16> to vector<1xi32>
              %left2_15_alone = vector.extract %left2_15_word[0] : i32 from vector<1xi32>
              %left2_15_words = vector.broadcast %left2_15_alone : i32 to vector<16xi32>
              %left2_15 = vector.bitcast %left2_15_words : vector<16xi32> to vector<32xbf16>
              %left3_15_pair = vector.transfer_read %tokens[%m3, %k15], %no_token
                {in_bounds = [true]} : tensor<?x256xbf16>, vector<2xbf16>
              %left3_15_word = vector.bitcast %left3_15_pair : vector<2xbf16> to vector<1xi32>
              %left3_15_alone = vector.extract %left3_15_word[0] : i32 from vector<1xi32>
              %left3_15_words = vector.broadcast %left3_15_alone : i32 to vector<16xi32>
              %left3_15 = vector.bitcast %left3_15_words : vector<16xi32> to vector<32xbf16>
              %dot0_0_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_0_14, %left0_15, %right0_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot0_1_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot0_1_14, %left0_15, %right1_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_0_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_0_14, %left1_15, %right0_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot1_1_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot1_1_14, %left1_15, %right1_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_0_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_0_14, %left2_15, %right0_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot2_1_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot2_1_14, %left2_15, %right1_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_0_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_0_14, %left3_15, %right0_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %dot3_1_15 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(
                %dot3_1_14, %left3_15, %right1_15)
                : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
              %scale0_0 = vector.transfer_read
                %panel#1[%scale_place0, %group0, %none], %no_scale {in_bounds = [true]}
                : tensor<8x2x16xf32>, vector<16xf32>
              %scale1_0 = vector.transfer_read
                %panel#1[%scale_place0, %group1, %none], %no_scale {in_bounds = [true]}
                : tensor<8x2x16xf32>, vector<16xf32>
              %more0_0_0 = vector.fma %dot0_0_15, %scale0_0,
                %so_far0_0 : vector<16xf32>
              %more0_1_0 = vector.fma %dot0_1_15, %scale1_0,
                %so_far0_1 : vector<16xf32>
              %more1_0_0 = vector.fma %dot1_0_15, %scale0_0,
                %so_far1_0 : vector<16xf32>
              %more1_1_0 = vector.fma %dot1_1_15, %scale1_0,
                %so_far1_1 : vector<16xf32>
              %more2_0_0 = vector.fma %dot2_0_15, %scale0_0,
                %so_far2_0 : vector<16xf32>
              %more2_1_0 = vector.fma %dot2_1_15, %scale1_0,
                %so_far2_1 : vector<16xf32>
              %more3_0_0 = vector.fma %dot3_0_15, %scale0_0,
                %so_far3_0 : vector<16xf32>
              %more3_1_0 = vector.fma %dot3_1_15, %scale1_0,
                %so_far3_1 : vector<16xf32>
              scf.yield
                %more0_0_0,
                %more0_1_0,
                %more1_0_0,
                %more1_1_0,
                %more2_0_0,
                %more2_1_0,
                %more3_0_0,
                %more3_1_0
                : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
            }
            %after_1 = vector.transfer_write %block#0, %before[%m0, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after_2 = vector.transfer_write %block#1, %after_1[%m0, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after_3 = vector.transfer_write %block#2, %after_2[%m1, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after_4 = vector.transfer_write %block#3, %after_3[%m1, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after_5 = vector.transfer_write %block#4, %after_4[%m2, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after_6 = vector.transfer_write %block#5, %after_5[%m2, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after_7 = vector.transfer_write %block#6, %after_6[%m3, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            %after = vector.transfer_write %block#7, %after_7[%m3, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<?x37xf32>
            scf.yield %after : tensor<?x37xf32>
          }
          scf.yield %of_rows : tensor<?x37xf32>
        }
        scf.yield %of_depth : tensor<?x37xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [%rows_dim, 37] [1, 1]
          : tensor<?x37xf32> into tensor<?x37xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_tied,
      offsets = [0, 0], sizes = [%rows_dim, 37], strides = [1, 1]
      : tensor<?x37xf32> -> !acc_out{%rows_dim}
    return
  }
  }
}
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @linear$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @linear(%hidden, %weight)
    : (!hidden, !weight) -> (!output)
  util.return %output : !output
}
