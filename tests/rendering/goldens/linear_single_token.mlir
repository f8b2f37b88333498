// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!hidden = tensor<1x1x256xf16>
!weight = tensor<37x144xi8>
!output = tensor<1x1x37xf16>
!tokens = tensor<1x256xf16>
!acc = tensor<1x37xf32>
!rows = tensor<1x37xf16>
!words = vector<8xi32>
!scales = vector<8xf32>
!depth_given = vector<256xi8>
!depth_lanes = vector<8xf32>
!depth_block = vector<1x4x8xf32>
!depth_part = vector<1x4x8xf32>
!depth_sums = vector<1x4xf32>
!depth_row = vector<4xf32>
!depth_numbers = vector<4xf32>
!depth_rows0 = vector<4x8xf32>
!depth_register4 = vector<4xf32>
!depth_register8 = vector<8xf32>
!tokens_of_acc_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x256xi8>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<37x144xi8>>
!tokens_of_acc_scales_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8xf32>>
!tokens_of_acc_sums_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8xf32>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x37xf32>>
!tokens_for_tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x256xf16>>
!tokens_of_acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x256xi8>>
!tokens_of_acc_scales_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8xf32>>
!tokens_of_acc_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8xf32>>
#rows = affine_map<(m, n) -> (m, n)>

func.func @linear(%hidden: !hidden, %weight: !weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %tokens_of_acc, %tokens_of_acc_scales, %tokens_of_acc_sums =
    flow.dispatch @tokens_of_acc_kernel::@tokens_of_acc_kernel(
      %tokens
    ) : (
      tensor<1x256xf16>
    ) -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xf32>)
  %acc =
    flow.dispatch @acc_kernel::@acc_kernel(
      %tokens_of_acc, %weight, %tokens_of_acc_scales, %tokens_of_acc_sums
    ) : (
      tensor<1x256xi8>,
      tensor<37x144xi8>,
      tensor<1x8xf32>,
      tensor<1x8xf32>
    ) -> (tensor<1x37xf32>)
  %empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 1, 37]
    : !rows into !output
  return %output : !output
}
flow.executable private @tokens_of_acc_kernel {
  flow.executable.export public @tokens_of_acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @tokens_of_acc_kernel(
      %tokens_in: !tokens_for_tokens_of_acc,
      %tokens_of_acc_out: !tokens_of_acc_out,
      %tokens_of_acc_scales_out: !tokens_of_acc_scales_out,
      %tokens_of_acc_sums_out: !tokens_of_acc_sums_out
    ) {
    %tokens = iree_tensor_ext.dispatch.tensor.load %tokens_in,
      offsets = [0, 0], sizes = [1, 256], strides = [1, 1]
      : !tokens_for_tokens_of_acc -> tensor<1x256xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %parts = arith.constant 8 : index
    %rows = arith.constant 1 : index
    %padding = arith.constant 0.0 : f16
    %most_number = arith.constant 127.0 : f32
    %over_numbers = arith.constant dense<128.0> : vector<32xf32>
    %least_scale = arith.constant 0x00800000 : f32
    %zeros = arith.constant dense<0.0> : vector<32xf32>
    %taken_times = arith.constant -1.0 : f32
    %empty0 = tensor.empty() : tensor<1x256xi8>
    %empty1 = tensor.empty() : tensor<1x8xf32>
    %empty2 = tensor.empty() : tensor<1x8xf32>
    %workgroups:3 = scf.forall (%m) in (%rows)
      shared_outs(%all0 = %empty0, %all1 = %empty1, %all2 = %empty2)
      -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xf32>) {
      %of_row:3 = scf.for %p = %none to %parts step %one
        iter_args(%so_far0 = %all0, %so_far1 = %all1, %so_far2 = %all2)
        -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xf32>) {
        %k = affine.apply affine_map<(p) -> (p * 32)>(%p)
        %x_stored = vector.transfer_read %tokens[%m, %k], %padding
          {in_bounds = [true]} : tensor<1x256xf16>, vector<32xf16>
    %x = arith.extf %x_stored : vector<32xf16> to vector<32xf32>
        %sizes = math.absf %x : vector<32xf32>
        %largest = vector.reduction <maximumf>, %sizes : vector<32xf32> into f32
        %scale = arith.divf %largest, %most_number : f32
        %scale_of_all = vector.broadcast %scale : f32 to vector<32xf32>
        %quotients = arith.divf %x, %scale_of_all : vector<32xf32>
        %whole = math.roundeven %quotients : vector<32xf32>
        %whole_size = math.absf %whole : vector<32xf32>
        %fits = arith.cmpf olt, %whole_size, %over_numbers : vector<32xf32>
        %is_any = arith.cmpf oge, %scale, %least_scale : f32
        %is_any_of_all = vector.broadcast %is_any : i1 to vector<32xi1>
        %is_told = arith.andi %fits, %is_any_of_all : vector<32xi1>
        %told = arith.select %is_told, %whole, %zeros : vector<32xi1>, vector<32xf32>
        %wide = arith.fptosi %told : vector<32xf32> to vector<32xi32>
        %numbers = arith.trunci %wide : vector<32xi32> to vector<32xi8>
        %with_numbers = vector.transfer_write %numbers, %so_far0[%m, %k] {in_bounds = [true]}
          : vector<32xi8>, tensor<1x256xi8>
        %scale_alone = vector.broadcast %scale : f32 to vector<1xf32>
        %with_scale = vector.transfer_write %scale_alone, %so_far1[%m, %p] {in_bounds = [true]}
          : vector<1xf32>, tensor<1x8xf32>
        %of_place0 = vector.shuffle %wide, %wide
          [0, 4, 8, 12, 16, 20, 24, 28] : vector<32xi32>, vector<32xi32>
        %of_place1 = vector.shuffle %wide, %wide
          [1, 5, 9, 13, 17, 21, 25, 29] : vector<32xi32>, vector<32xi32>
        %of_place2 = vector.shuffle %wide, %wide
          [2, 6, 10, 14, 18, 22, 26, 30] : vector<32xi32>, vector<32xi32>
        %of_place3 = vector.shuffle %wide, %wide
          [3, 7, 11, 15, 19, 23, 27, 31] : vector<32xi32>, vector<32xi32>
        %of_first = arith.addi %of_place0, %of_place1 : vector<8xi32>
        %of_last = arith.addi %of_place2, %of_place3 : vector<8xi32>
        %of_words = arith.addi %of_first, %of_last : vector<8xi32>
        %sum0 = vector.reduction <add>, %of_words : vector<8xi32> into i32
        %counted = vector.from_elements %sum0 : vector<1xi32>
        %counted_real = arith.sitofp %counted : vector<1xi32> to vector<1xf32>
        %taken_scale = arith.mulf %scale, %taken_times : f32
        %taken_scale_of_all = vector.broadcast %taken_scale : f32 to vector<1xf32>
        %taken = arith.mulf %counted_real, %taken_scale_of_all : vector<1xf32>
        %sum_place = affine.apply affine_map<(p) -> (p * 1)>(%p)
        %with_sums = vector.transfer_write %taken, %so_far2[%m, %sum_place] {in_bounds = [true]}
          : vector<1xf32>, tensor<1x8xf32>
        scf.yield %with_numbers, %with_scale, %with_sums : tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_row#0
          into %all0[0, 0] [1, 256] [1, 1]
          : tensor<1x256xi8> into tensor<1x256xi8>
        tensor.parallel_insert_slice %of_row#1
          into %all1[0, 0] [1, 8] [1, 1]
          : tensor<1x8xf32> into tensor<1x8xf32>
        tensor.parallel_insert_slice %of_row#2
          into %all2[0, 0] [1, 8] [1, 1]
          : tensor<1x8xf32> into tensor<1x8xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %tokens_of_acc_out,
      offsets = [0, 0], sizes = [1, 256], strides = [1, 1]
      : tensor<1x256xi8> -> !tokens_of_acc_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %tokens_of_acc_scales_out,
      offsets = [0, 0], sizes = [1, 8], strides = [1, 1]
      : tensor<1x8xf32> -> !tokens_of_acc_scales_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %tokens_of_acc_sums_out,
      offsets = [0, 0], sizes = [1, 8], strides = [1, 1]
      : tensor<1x8xf32> -> !tokens_of_acc_sums_out
    return
  }
  }
}
flow.executable private @acc_kernel {
  flow.executable.export public @acc_kernel
      workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
  func.func @acc_kernel(
      %tokens_of_acc_in: !tokens_of_acc_of_acc,
      %weight_in: !weight_of_acc,
      %tokens_of_acc_scales_in: !tokens_of_acc_scales_of_acc,
      %tokens_of_acc_sums_in: !tokens_of_acc_sums_of_acc,
      %acc_out: !acc_out
    ) {
    %tokens_of_acc = iree_tensor_ext.dispatch.tensor.load %tokens_of_acc_in,
      offsets = [0, 0], sizes = [1, 256], strides = [1, 1]
      : !tokens_of_acc_of_acc -> tensor<1x256xi8>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [37, 144], strides = [1, 1]
      : !weight_of_acc -> tensor<37x144xi8>
    %tokens_of_acc_scales = iree_tensor_ext.dispatch.tensor.load %tokens_of_acc_scales_in,
      offsets = [0, 0], sizes = [1, 8], strides = [1, 1]
      : !tokens_of_acc_scales_of_acc -> tensor<1x8xf32>
    %tokens_of_acc_sums = iree_tensor_ext.dispatch.tensor.load %tokens_of_acc_sums_in,
      offsets = [0, 0], sizes = [1, 8], strides = [1, 1]
      : !tokens_of_acc_sums_of_acc -> tensor<1x8xf32>
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 256 : index
    %columns = arith.constant 37 : index
    %rows = arith.constant 1 : index
    %block_step = arith.constant 1 : index
    %depth_blocks = arith.constant 1 : index
    %one = arith.constant 1 : index
    %groups = arith.constant 2 : index
    %blocks = arith.constant 1 : index
    %parts = arith.constant 8 : index
    %width = arith.constant 32 : index
    %row_step = arith.constant 1 : index
    %no_word = arith.constant 0 : i32
    %no_scale = arith.constant 0.0 : f32
    %no_words = arith.constant dense<0> : vector<16xi32>
    %no_sums = arith.constant dense<0.0> : vector<16xf32>
    %no_byte = arith.constant 0 : i8
    %mask0 = arith.constant dense<15> : !words
    %mask1 = arith.constant dense<3840> : !words
    %mask2 = arith.constant dense<983040> : !words
    %mask3 = arith.constant dense<251658240> : !words
    %four = arith.constant dense<4> : !words
    %six_bits = arith.constant 0x3F3F3F3F : i32
    %four_bits = arith.constant 0x0F0F0F0F : i32
    %upper_bits = arith.constant 0x30303030 : i32
    %by_two = arith.constant 2 : i32
    %by_four = arith.constant 4 : i32
    %group0 = arith.constant 0 : index
    %group1 = arith.constant 1 : index
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 256)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 32)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<37x144xi8>
    %empty = tensor.empty() : tensor<1x37xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<1x37xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 256)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 256, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 32)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 32, n)>(%first_column)[%columns]
      %weight_place = memref.extract_aligned_pointer_as_index %weight_memory
        : memref<37x144xi8> -> index
      %blocks_at_once = arith.constant 1 : index
      %of_columns = scf.for %n = %first_column to %end_column step %width
        iter_args(%of_all = %all) -> (tensor<1x37xf32>) {
        %of_panel = scf.for %g = %none to %groups step %one iter_args(%of_groups = %of_all)
          -> (tensor<1x37xf32>) {
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
                affine_map<(s, b) -> (s + b * 144)>(%step_byte, %b)
              %ahead_byte = affine.apply affine_map<(d, b) -> (d * 2304
                + b * 2304)>(%d, %b)
              %ahead_index = arith.addi %ahead_row, %ahead_byte : index
              %ahead_place = arith.index_cast %ahead_index : index to i64
              %head_bytes0_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes0 = vector.transfer_read %weight[%n0, %head_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column0 = vector.bitcast %head_bytes0
                : vector<16xi8> to vector<4xi32>
              %head_bytes1_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes1 = vector.transfer_read %weight[%n1, %head_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column1 = vector.bitcast %head_bytes1
                : vector<16xi8> to vector<4xi32>
              %head_bytes2_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes2 = vector.transfer_read %weight[%n2, %head_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column2 = vector.bitcast %head_bytes2
                : vector<16xi8> to vector<4xi32>
              %head_bytes3_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes3 = vector.transfer_read %weight[%n3, %head_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column3 = vector.bitcast %head_bytes3
                : vector<16xi8> to vector<4xi32>
              %head_bytes4_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes4 = vector.transfer_read %weight[%n4, %head_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column4 = vector.bitcast %head_bytes4
                : vector<16xi8> to vector<4xi32>
              %head_bytes5_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes5 = vector.transfer_read %weight[%n5, %head_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column5 = vector.bitcast %head_bytes5
                : vector<16xi8> to vector<4xi32>
              %head_bytes6_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes6 = vector.transfer_read %weight[%n6, %head_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column6 = vector.bitcast %head_bytes6
                : vector<16xi8> to vector<4xi32>
              %head_bytes7_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes7 = vector.transfer_read %weight[%n7, %head_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column7 = vector.bitcast %head_bytes7
                : vector<16xi8> to vector<4xi32>
              %head_bytes8_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes8 = vector.transfer_read %weight[%n8, %head_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column8 = vector.bitcast %head_bytes8
                : vector<16xi8> to vector<4xi32>
              %head_bytes9_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes9 = vector.transfer_read %weight[%n9, %head_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column9 = vector.bitcast %head_bytes9
                : vector<16xi8> to vector<4xi32>
              %head_bytes10_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes10 = vector.transfer_read %weight[%n10, %head_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column10 = vector.bitcast %head_bytes10
                : vector<16xi8> to vector<4xi32>
              %head_bytes11_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes11 = vector.transfer_read %weight[%n11, %head_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column11 = vector.bitcast %head_bytes11
                : vector<16xi8> to vector<4xi32>
              %head_bytes12_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes12 = vector.transfer_read %weight[%n12, %head_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column12 = vector.bitcast %head_bytes12
                : vector<16xi8> to vector<4xi32>
              %head_bytes13_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes13 = vector.transfer_read %weight[%n13, %head_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column13 = vector.bitcast %head_bytes13
                : vector<16xi8> to vector<4xi32>
              %head_bytes14_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes14 = vector.transfer_read %weight[%n14, %head_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column14 = vector.bitcast %head_bytes14
                : vector<16xi8> to vector<4xi32>
              %head_bytes15_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %head_bytes15 = vector.transfer_read %weight[%n15, %head_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %head_column15 = vector.bitcast %head_bytes15
                : vector<16xi8> to vector<4xi32>
              %head_two0 = vector.shuffle
                %head_column0, %head_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_two8 = vector.shuffle
                %head_column8, %head_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_row0 = vector.shuffle %head_two0, %head_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %head_two1 = vector.shuffle
                %head_column1, %head_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_two9 = vector.shuffle
                %head_column9, %head_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_row1 = vector.shuffle %head_two1, %head_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %head_two2 = vector.shuffle
                %head_column2, %head_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_two10 = vector.shuffle
                %head_column10, %head_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_row2 = vector.shuffle %head_two2, %head_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %head_two3 = vector.shuffle
                %head_column3, %head_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_two11 = vector.shuffle
                %head_column11, %head_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %head_row3 = vector.shuffle %head_two3, %head_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %head_low0 = vector.shuffle
                %head_row0, %head_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %head_low2 = vector.shuffle
                %head_row2, %head_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %head_0 = vector.shuffle %head_low0, %head_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %head_1 = vector.shuffle %head_low0, %head_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %head_high0 = vector.shuffle
                %head_row0, %head_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %head_high2 = vector.shuffle
                %head_row2, %head_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %head_2 = vector.shuffle %head_high0, %head_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %head_3 = vector.shuffle %head_high0, %head_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale_of_block_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale_of_block_word = arith.andi %head_0, %scale_of_block_word_mask
                : vector<16xi32>
              %scale_of_block_bits = arith.trunci %scale_of_block_word : vector<16xi32> to vector<16xi16>
              %scale_of_block_half = arith.bitcast %scale_of_block_bits : vector<16xi16> to vector<16xf16>
              %scale_of_block = arith.extf %scale_of_block_half : vector<16xf16> to vector<16xf32>
              %minimum_of_block_word_by = arith.constant dense<16> : vector<16xi32>
              %minimum_of_block_word_moved = arith.shrui %head_0, %minimum_of_block_word_by
                : vector<16xi32>
              %minimum_of_block_word_mask = arith.constant dense<65535> : vector<16xi32>
              %minimum_of_block_word = arith.andi %minimum_of_block_word_moved, %minimum_of_block_word_mask
                : vector<16xi32>
              %minimum_of_block_bits = arith.trunci %minimum_of_block_word : vector<16xi32> to vector<16xi16>
              %minimum_of_block_half = arith.bitcast %minimum_of_block_bits : vector<16xi16> to vector<16xf16>
              %minimum_of_block = arith.extf %minimum_of_block_half : vector<16xf16> to vector<16xf32>
              %given0_0_bytes0_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes0 = vector.transfer_read %weight[%n0, %given0_0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column0 = vector.bitcast %given0_0_bytes0
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes1_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes1 = vector.transfer_read %weight[%n1, %given0_0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column1 = vector.bitcast %given0_0_bytes1
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes2_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes2 = vector.transfer_read %weight[%n2, %given0_0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column2 = vector.bitcast %given0_0_bytes2
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes3_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes3 = vector.transfer_read %weight[%n3, %given0_0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column3 = vector.bitcast %given0_0_bytes3
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes4_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes4 = vector.transfer_read %weight[%n4, %given0_0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column4 = vector.bitcast %given0_0_bytes4
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes5_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes5 = vector.transfer_read %weight[%n5, %given0_0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column5 = vector.bitcast %given0_0_bytes5
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes6_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes6 = vector.transfer_read %weight[%n6, %given0_0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column6 = vector.bitcast %given0_0_bytes6
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes7_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes7 = vector.transfer_read %weight[%n7, %given0_0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column7 = vector.bitcast %given0_0_bytes7
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes8_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes8 = vector.transfer_read %weight[%n8, %given0_0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column8 = vector.bitcast %given0_0_bytes8
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes9_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes9 = vector.transfer_read %weight[%n9, %given0_0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column9 = vector.bitcast %given0_0_bytes9
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes10_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes10 = vector.transfer_read %weight[%n10, %given0_0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column10 = vector.bitcast %given0_0_bytes10
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes11_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes11 = vector.transfer_read %weight[%n11, %given0_0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column11 = vector.bitcast %given0_0_bytes11
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes12_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes12 = vector.transfer_read %weight[%n12, %given0_0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column12 = vector.bitcast %given0_0_bytes12
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes13_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes13 = vector.transfer_read %weight[%n13, %given0_0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column13 = vector.bitcast %given0_0_bytes13
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes14_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes14 = vector.transfer_read %weight[%n14, %given0_0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column14 = vector.bitcast %given0_0_bytes14
                : vector<16xi8> to vector<4xi32>
              %given0_0_bytes15_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %given0_0_bytes15 = vector.transfer_read %weight[%n15, %given0_0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_0_column15 = vector.bitcast %given0_0_bytes15
                : vector<16xi8> to vector<4xi32>
              %given0_0_two0 = vector.shuffle
                %given0_0_column0, %given0_0_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_two8 = vector.shuffle
                %given0_0_column8, %given0_0_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_row0 = vector.shuffle %given0_0_two0, %given0_0_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_0_two1 = vector.shuffle
                %given0_0_column1, %given0_0_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_two9 = vector.shuffle
                %given0_0_column9, %given0_0_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_row1 = vector.shuffle %given0_0_two1, %given0_0_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_0_two2 = vector.shuffle
                %given0_0_column2, %given0_0_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_two10 = vector.shuffle
                %given0_0_column10, %given0_0_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_row2 = vector.shuffle %given0_0_two2, %given0_0_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_0_two3 = vector.shuffle
                %given0_0_column3, %given0_0_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_two11 = vector.shuffle
                %given0_0_column11, %given0_0_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_0_row3 = vector.shuffle %given0_0_two3, %given0_0_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_0_low0 = vector.shuffle
                %given0_0_row0, %given0_0_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given0_0_low2 = vector.shuffle
                %given0_0_row2, %given0_0_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given0_0_0 = vector.shuffle %given0_0_low0, %given0_0_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given0_0_1 = vector.shuffle %given0_0_low0, %given0_0_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given0_0_high0 = vector.shuffle
                %given0_0_row0, %given0_0_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given0_0_high2 = vector.shuffle
                %given0_0_row2, %given0_0_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given0_0_2 = vector.shuffle %given0_0_high0, %given0_0_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given0_0_3 = vector.shuffle %given0_0_high0, %given0_0_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number0_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_0 = arith.andi %given0_0_0, %number0_0_mask
                : vector<16xi32>
              %number1_0_by = arith.constant dense<4> : vector<16xi32>
              %number1_0_moved = arith.shrui %given0_0_0, %number1_0_by
                : vector<16xi32>
              %number1_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_0 = arith.andi %number1_0_moved, %number1_0_mask
                : vector<16xi32>
              %number0_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_1 = arith.andi %given0_0_1, %number0_1_mask
                : vector<16xi32>
              %number1_1_by = arith.constant dense<4> : vector<16xi32>
              %number1_1_moved = arith.shrui %given0_0_1, %number1_1_by
                : vector<16xi32>
              %number1_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_1 = arith.andi %number1_1_moved, %number1_1_mask
                : vector<16xi32>
              %number0_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_2 = arith.andi %given0_0_2, %number0_2_mask
                : vector<16xi32>
              %number1_2_by = arith.constant dense<4> : vector<16xi32>
              %number1_2_moved = arith.shrui %given0_0_2, %number1_2_by
                : vector<16xi32>
              %number1_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_2 = arith.andi %number1_2_moved, %number1_2_mask
                : vector<16xi32>
              %number0_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_3 = arith.andi %given0_0_3, %number0_3_mask
                : vector<16xi32>
              %number1_3_by = arith.constant dense<4> : vector<16xi32>
              %number1_3_moved = arith.shrui %given0_0_3, %number1_3_by
                : vector<16xi32>
              %number1_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_3 = arith.andi %number1_3_moved, %number1_3_mask
                : vector<16xi32>
              %given0_1_bytes0_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes0 = vector.transfer_read %weight[%n0, %given0_1_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column0 = vector.bitcast %given0_1_bytes0
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes1_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes1 = vector.transfer_read %weight[%n1, %given0_1_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column1 = vector.bitcast %given0_1_bytes1
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes2_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes2 = vector.transfer_read %weight[%n2, %given0_1_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column2 = vector.bitcast %given0_1_bytes2
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes3_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes3 = vector.transfer_read %weight[%n3, %given0_1_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column3 = vector.bitcast %given0_1_bytes3
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes4_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes4 = vector.transfer_read %weight[%n4, %given0_1_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column4 = vector.bitcast %given0_1_bytes4
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes5_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes5 = vector.transfer_read %weight[%n5, %given0_1_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column5 = vector.bitcast %given0_1_bytes5
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes6_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes6 = vector.transfer_read %weight[%n6, %given0_1_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column6 = vector.bitcast %given0_1_bytes6
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes7_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes7 = vector.transfer_read %weight[%n7, %given0_1_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column7 = vector.bitcast %given0_1_bytes7
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes8_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes8 = vector.transfer_read %weight[%n8, %given0_1_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column8 = vector.bitcast %given0_1_bytes8
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes9_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes9 = vector.transfer_read %weight[%n9, %given0_1_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column9 = vector.bitcast %given0_1_bytes9
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes10_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes10 = vector.transfer_read %weight[%n10, %given0_1_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column10 = vector.bitcast %given0_1_bytes10
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes11_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes11 = vector.transfer_read %weight[%n11, %given0_1_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column11 = vector.bitcast %given0_1_bytes11
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes12_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes12 = vector.transfer_read %weight[%n12, %given0_1_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column12 = vector.bitcast %given0_1_bytes12
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes13_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes13 = vector.transfer_read %weight[%n13, %given0_1_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column13 = vector.bitcast %given0_1_bytes13
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes14_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes14 = vector.transfer_read %weight[%n14, %given0_1_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column14 = vector.bitcast %given0_1_bytes14
                : vector<16xi8> to vector<4xi32>
              %given0_1_bytes15_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %given0_1_bytes15 = vector.transfer_read %weight[%n15, %given0_1_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given0_1_column15 = vector.bitcast %given0_1_bytes15
                : vector<16xi8> to vector<4xi32>
              %given0_1_two0 = vector.shuffle
                %given0_1_column0, %given0_1_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_two8 = vector.shuffle
                %given0_1_column8, %given0_1_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_row0 = vector.shuffle %given0_1_two0, %given0_1_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_1_two1 = vector.shuffle
                %given0_1_column1, %given0_1_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_two9 = vector.shuffle
                %given0_1_column9, %given0_1_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_row1 = vector.shuffle %given0_1_two1, %given0_1_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_1_two2 = vector.shuffle
                %given0_1_column2, %given0_1_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_two10 = vector.shuffle
                %given0_1_column10, %given0_1_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_row2 = vector.shuffle %given0_1_two2, %given0_1_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_1_two3 = vector.shuffle
                %given0_1_column3, %given0_1_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_two11 = vector.shuffle
                %given0_1_column11, %given0_1_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given0_1_row3 = vector.shuffle %given0_1_two3, %given0_1_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given0_1_low0 = vector.shuffle
                %given0_1_row0, %given0_1_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given0_1_low2 = vector.shuffle
                %given0_1_row2, %given0_1_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given0_1_0 = vector.shuffle %given0_1_low0, %given0_1_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given0_1_1 = vector.shuffle %given0_1_low0, %given0_1_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given0_1_high0 = vector.shuffle
                %given0_1_row0, %given0_1_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given0_1_high2 = vector.shuffle
                %given0_1_row2, %given0_1_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given0_1_2 = vector.shuffle %given0_1_high0, %given0_1_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given0_1_3 = vector.shuffle %given0_1_high0, %given0_1_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number0_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_4 = arith.andi %given0_1_0, %number0_4_mask
                : vector<16xi32>
              %number1_4_by = arith.constant dense<4> : vector<16xi32>
              %number1_4_moved = arith.shrui %given0_1_0, %number1_4_by
                : vector<16xi32>
              %number1_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_4 = arith.andi %number1_4_moved, %number1_4_mask
                : vector<16xi32>
              %number0_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_5 = arith.andi %given0_1_1, %number0_5_mask
                : vector<16xi32>
              %number1_5_by = arith.constant dense<4> : vector<16xi32>
              %number1_5_moved = arith.shrui %given0_1_1, %number1_5_by
                : vector<16xi32>
              %number1_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_5 = arith.andi %number1_5_moved, %number1_5_mask
                : vector<16xi32>
              %number0_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_6 = arith.andi %given0_1_2, %number0_6_mask
                : vector<16xi32>
              %number1_6_by = arith.constant dense<4> : vector<16xi32>
              %number1_6_moved = arith.shrui %given0_1_2, %number1_6_by
                : vector<16xi32>
              %number1_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_6 = arith.andi %number1_6_moved, %number1_6_mask
                : vector<16xi32>
              %number0_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_7 = arith.andi %given0_1_3, %number0_7_mask
                : vector<16xi32>
              %number1_7_by = arith.constant dense<4> : vector<16xi32>
              %number1_7_moved = arith.shrui %given0_1_3, %number1_7_by
                : vector<16xi32>
              %number1_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_7 = arith.andi %number1_7_moved, %number1_7_mask
                : vector<16xi32>
              %scale0_whole_mask = arith.constant dense<63> : vector<16xi32>
              %scale0_whole = arith.andi %head_1, %scale0_whole_mask
                : vector<16xi32>
              %scale0_real = arith.sitofp %scale0_whole : vector<16xi32> to vector<16xf32>
              %scale0 = arith.mulf %scale0_real, %scale_of_block : vector<16xf32>
              %scale1_whole_by = arith.constant dense<8> : vector<16xi32>
              %scale1_whole_moved = arith.shrui %head_1, %scale1_whole_by
                : vector<16xi32>
              %scale1_whole_mask = arith.constant dense<63> : vector<16xi32>
              %scale1_whole = arith.andi %scale1_whole_moved, %scale1_whole_mask
                : vector<16xi32>
              %scale1_real = arith.sitofp %scale1_whole : vector<16xi32> to vector<16xf32>
              %scale1 = arith.mulf %scale1_real, %scale_of_block : vector<16xf32>
              %minimum0_whole_mask = arith.constant dense<63> : vector<16xi32>
              %minimum0_whole = arith.andi %head_2, %minimum0_whole_mask
                : vector<16xi32>
              %minimum0_real = arith.sitofp %minimum0_whole : vector<16xi32> to vector<16xf32>
              %minimum0 = arith.mulf %minimum0_real, %minimum_of_block : vector<16xf32>
              %minimum1_whole_by = arith.constant dense<8> : vector<16xi32>
              %minimum1_whole_moved = arith.shrui %head_2, %minimum1_whole_by
                : vector<16xi32>
              %minimum1_whole_mask = arith.constant dense<63> : vector<16xi32>
              %minimum1_whole = arith.andi %minimum1_whole_moved, %minimum1_whole_mask
                : vector<16xi32>
              %minimum1_real = arith.sitofp %minimum1_whole : vector<16xi32> to vector<16xf32>
              %minimum1 = arith.mulf %minimum1_real, %minimum_of_block : vector<16xf32>
              %k0_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 0)>(%d, %b)
              %left0_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_0_word = vector.bitcast %left0_0_bytes : vector<4xi8> to vector<1xi32>
              %left0_0_alone = vector.extract %left0_0_word[0] : i32 from vector<1xi32>
              %left0_0_words = vector.broadcast %left0_0_alone : i32 to vector<16xi32>
              %left0_0 = vector.bitcast %left0_0_words : vector<16xi32> to vector<64xi8>
              %k0_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 4)>(%d, %b)
              %left0_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_1_word = vector.bitcast %left0_1_bytes : vector<4xi8> to vector<1xi32>
              %left0_1_alone = vector.extract %left0_1_word[0] : i32 from vector<1xi32>
              %left0_1_words = vector.broadcast %left0_1_alone : i32 to vector<16xi32>
              %left0_1 = vector.bitcast %left0_1_words : vector<16xi32> to vector<64xi8>
              %k0_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 8)>(%d, %b)
              %left0_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_2_word = vector.bitcast %left0_2_bytes : vector<4xi8> to vector<1xi32>
              %left0_2_alone = vector.extract %left0_2_word[0] : i32 from vector<1xi32>
              %left0_2_words = vector.broadcast %left0_2_alone : i32 to vector<16xi32>
              %left0_2 = vector.bitcast %left0_2_words : vector<16xi32> to vector<64xi8>
              %k0_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 12)>(%d, %b)
              %left0_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_3_word = vector.bitcast %left0_3_bytes : vector<4xi8> to vector<1xi32>
              %left0_3_alone = vector.extract %left0_3_word[0] : i32 from vector<1xi32>
              %left0_3_words = vector.broadcast %left0_3_alone : i32 to vector<16xi32>
              %left0_3 = vector.bitcast %left0_3_words : vector<16xi32> to vector<64xi8>
              %k0_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 16)>(%d, %b)
              %left0_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_4_word = vector.bitcast %left0_4_bytes : vector<4xi8> to vector<1xi32>
              %left0_4_alone = vector.extract %left0_4_word[0] : i32 from vector<1xi32>
              %left0_4_words = vector.broadcast %left0_4_alone : i32 to vector<16xi32>
              %left0_4 = vector.bitcast %left0_4_words : vector<16xi32> to vector<64xi8>
              %k0_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 20)>(%d, %b)
              %left0_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_5_word = vector.bitcast %left0_5_bytes : vector<4xi8> to vector<1xi32>
              %left0_5_alone = vector.extract %left0_5_word[0] : i32 from vector<1xi32>
              %left0_5_words = vector.broadcast %left0_5_alone : i32 to vector<16xi32>
              %left0_5 = vector.bitcast %left0_5_words : vector<16xi32> to vector<64xi8>
              %k0_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 24)>(%d, %b)
              %left0_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_6_word = vector.bitcast %left0_6_bytes : vector<4xi8> to vector<1xi32>
              %left0_6_alone = vector.extract %left0_6_word[0] : i32 from vector<1xi32>
              %left0_6_words = vector.broadcast %left0_6_alone : i32 to vector<16xi32>
              %left0_6 = vector.bitcast %left0_6_words : vector<16xi32> to vector<64xi8>
              %k0_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 28)>(%d, %b)
              %left0_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_7_word = vector.bitcast %left0_7_bytes : vector<4xi8> to vector<1xi32>
              %left0_7_alone = vector.extract %left0_7_word[0] : i32 from vector<1xi32>
              %left0_7_words = vector.broadcast %left0_7_alone : i32 to vector<16xi32>
              %left0_7 = vector.bitcast %left0_7_words : vector<16xi32> to vector<64xi8>
              %scale_place0 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 0)>(%d, %b)
              %token_scale_alone0 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place0] : tensor<1x8xf32>
              %token_scale0 = vector.broadcast %token_scale_alone0 : f32 to vector<16xf32>
              %sum_place0 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 0)>(%d, %b)
              %token_sum_alone0 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place0] : tensor<1x8xf32>
              %token_sum0 = vector.broadcast %token_sum_alone0
                : f32 to vector<16xf32>

              %dot0_1_right = vector.bitcast %number0_0
                : vector<16xi32> to vector<64xi8>
              %dot0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot0_1_right, %left0_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 0($2)",
                "=v,0,r" %number0_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_2_right = vector.bitcast %number0_1_held
                : vector<16xi32> to vector<64xi8>
              %dot0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1, %dot0_2_right, %left0_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot0_3_right = vector.bitcast %number0_2
                : vector<16xi32> to vector<64xi8>
              %dot0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_2, %dot0_3_right, %left0_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 64($2)",
                "=v,0,r" %number0_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_4_right = vector.bitcast %number0_3_held
                : vector<16xi32> to vector<64xi8>
              %dot0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_3, %dot0_4_right, %left0_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot0_5_right = vector.bitcast %number0_4
                : vector<16xi32> to vector<64xi8>
              %dot0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_4, %dot0_5_right, %left0_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 128($2)",
                "=v,0,r" %number0_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_6_right = vector.bitcast %number0_5_held
                : vector<16xi32> to vector<64xi8>
              %dot0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_5, %dot0_6_right, %left0_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot0_7_right = vector.bitcast %number0_6
                : vector<16xi32> to vector<64xi8>
              %dot0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_6, %dot0_7_right, %left0_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 192($2)",
                "=v,0,r" %number0_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_right = vector.bitcast %number0_7_held
                : vector<16xi32> to vector<64xi8>
              %dot0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_7, %dot0_right, %left0_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken0 = vector.fma %minimum0, %token_sum0, %so_far
                : vector<16xf32>
              %whole0 = arith.sitofp %dot0 : vector<16xi32> to vector<16xf32>
              %both0 = arith.mulf %scale0, %token_scale0 : vector<16xf32>
              %more0 = vector.fma %whole0, %both0,
                %taken0 : vector<16xf32>
              %k1_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 32)>(%d, %b)
              %left1_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_0_word = vector.bitcast %left1_0_bytes : vector<4xi8> to vector<1xi32>
              %left1_0_alone = vector.extract %left1_0_word[0] : i32 from vector<1xi32>
              %left1_0_words = vector.broadcast %left1_0_alone : i32 to vector<16xi32>
              %left1_0 = vector.bitcast %left1_0_words : vector<16xi32> to vector<64xi8>
              %k1_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 36)>(%d, %b)
              %left1_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_1_word = vector.bitcast %left1_1_bytes : vector<4xi8> to vector<1xi32>
              %left1_1_alone = vector.extract %left1_1_word[0] : i32 from vector<1xi32>
              %left1_1_words = vector.broadcast %left1_1_alone : i32 to vector<16xi32>
              %left1_1 = vector.bitcast %left1_1_words : vector<16xi32> to vector<64xi8>
              %k1_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 40)>(%d, %b)
              %left1_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_2_word = vector.bitcast %left1_2_bytes : vector<4xi8> to vector<1xi32>
              %left1_2_alone = vector.extract %left1_2_word[0] : i32 from vector<1xi32>
              %left1_2_words = vector.broadcast %left1_2_alone : i32 to vector<16xi32>
              %left1_2 = vector.bitcast %left1_2_words : vector<16xi32> to vector<64xi8>
              %k1_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 44)>(%d, %b)
              %left1_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_3_word = vector.bitcast %left1_3_bytes : vector<4xi8> to vector<1xi32>
              %left1_3_alone = vector.extract %left1_3_word[0] : i32 from vector<1xi32>
              %left1_3_words = vector.broadcast %left1_3_alone : i32 to vector<16xi32>
              %left1_3 = vector.bitcast %left1_3_words : vector<16xi32> to vector<64xi8>
              %k1_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 48)>(%d, %b)
              %left1_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_4_word = vector.bitcast %left1_4_bytes : vector<4xi8> to vector<1xi32>
              %left1_4_alone = vector.extract %left1_4_word[0] : i32 from vector<1xi32>
              %left1_4_words = vector.broadcast %left1_4_alone : i32 to vector<16xi32>
              %left1_4 = vector.bitcast %left1_4_words : vector<16xi32> to vector<64xi8>
              %k1_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 52)>(%d, %b)
              %left1_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_5_word = vector.bitcast %left1_5_bytes : vector<4xi8> to vector<1xi32>
              %left1_5_alone = vector.extract %left1_5_word[0] : i32 from vector<1xi32>
              %left1_5_words = vector.broadcast %left1_5_alone : i32 to vector<16xi32>
              %left1_5 = vector.bitcast %left1_5_words : vector<16xi32> to vector<64xi8>
              %k1_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 56)>(%d, %b)
              %left1_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_6_word = vector.bitcast %left1_6_bytes : vector<4xi8> to vector<1xi32>
              %left1_6_alone = vector.extract %left1_6_word[0] : i32 from vector<1xi32>
              %left1_6_words = vector.broadcast %left1_6_alone : i32 to vector<16xi32>
              %left1_6 = vector.bitcast %left1_6_words : vector<16xi32> to vector<64xi8>
              %k1_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 60)>(%d, %b)
              %left1_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_7_word = vector.bitcast %left1_7_bytes : vector<4xi8> to vector<1xi32>
              %left1_7_alone = vector.extract %left1_7_word[0] : i32 from vector<1xi32>
              %left1_7_words = vector.broadcast %left1_7_alone : i32 to vector<16xi32>
              %left1_7 = vector.bitcast %left1_7_words : vector<16xi32> to vector<64xi8>
              %scale_place1 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 1)>(%d, %b)
              %token_scale_alone1 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place1] : tensor<1x8xf32>
              %token_scale1 = vector.broadcast %token_scale_alone1 : f32 to vector<16xf32>
              %sum_place1 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 1)>(%d, %b)
              %token_sum_alone1 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place1] : tensor<1x8xf32>
              %token_sum1 = vector.broadcast %token_sum_alone1
                : f32 to vector<16xf32>
              %number1_0_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 256($2)",
                "=v,0,r" %number1_0, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_1_right = vector.bitcast %number1_0_held
                : vector<16xi32> to vector<64xi8>
              %dot1_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot1_1_right, %left1_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot1_2_right = vector.bitcast %number1_1
                : vector<16xi32> to vector<64xi8>
              %dot1_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1, %dot1_2_right, %left1_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 320($2)",
                "=v,0,r" %number1_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_3_right = vector.bitcast %number1_2_held
                : vector<16xi32> to vector<64xi8>
              %dot1_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_2, %dot1_3_right, %left1_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot1_4_right = vector.bitcast %number1_3
                : vector<16xi32> to vector<64xi8>
              %dot1_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_3, %dot1_4_right, %left1_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 384($2)",
                "=v,0,r" %number1_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_5_right = vector.bitcast %number1_4_held
                : vector<16xi32> to vector<64xi8>
              %dot1_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_4, %dot1_5_right, %left1_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot1_6_right = vector.bitcast %number1_5
                : vector<16xi32> to vector<64xi8>
              %dot1_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_5, %dot1_6_right, %left1_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_6_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 448($2)",
                "=v,0,r" %number1_6, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_7_right = vector.bitcast %number1_6_held
                : vector<16xi32> to vector<64xi8>
              %dot1_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_6, %dot1_7_right, %left1_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 512($2)",
                "=v,0,r" %number1_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_right = vector.bitcast %number1_7_held
                : vector<16xi32> to vector<64xi8>
              %dot1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_7, %dot1_right, %left1_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken1 = vector.fma %minimum1, %token_sum1, %more0
                : vector<16xf32>
              %whole1 = arith.sitofp %dot1 : vector<16xi32> to vector<16xf32>
              %both1 = arith.mulf %scale1, %token_scale1 : vector<16xf32>
              %more1 = vector.fma %whole1, %both1,
                %taken1 : vector<16xf32>
              %given2_0_bytes0_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes0 = vector.transfer_read %weight[%n0, %given2_0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column0 = vector.bitcast %given2_0_bytes0
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes1_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes1 = vector.transfer_read %weight[%n1, %given2_0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column1 = vector.bitcast %given2_0_bytes1
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes2_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes2 = vector.transfer_read %weight[%n2, %given2_0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column2 = vector.bitcast %given2_0_bytes2
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes3_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes3 = vector.transfer_read %weight[%n3, %given2_0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column3 = vector.bitcast %given2_0_bytes3
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes4_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes4 = vector.transfer_read %weight[%n4, %given2_0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column4 = vector.bitcast %given2_0_bytes4
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes5_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes5 = vector.transfer_read %weight[%n5, %given2_0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column5 = vector.bitcast %given2_0_bytes5
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes6_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes6 = vector.transfer_read %weight[%n6, %given2_0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column6 = vector.bitcast %given2_0_bytes6
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes7_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes7 = vector.transfer_read %weight[%n7, %given2_0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column7 = vector.bitcast %given2_0_bytes7
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes8_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes8 = vector.transfer_read %weight[%n8, %given2_0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column8 = vector.bitcast %given2_0_bytes8
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes9_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes9 = vector.transfer_read %weight[%n9, %given2_0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column9 = vector.bitcast %given2_0_bytes9
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes10_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes10 = vector.transfer_read %weight[%n10, %given2_0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column10 = vector.bitcast %given2_0_bytes10
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes11_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes11 = vector.transfer_read %weight[%n11, %given2_0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column11 = vector.bitcast %given2_0_bytes11
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes12_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes12 = vector.transfer_read %weight[%n12, %given2_0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column12 = vector.bitcast %given2_0_bytes12
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes13_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes13 = vector.transfer_read %weight[%n13, %given2_0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column13 = vector.bitcast %given2_0_bytes13
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes14_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes14 = vector.transfer_read %weight[%n14, %given2_0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column14 = vector.bitcast %given2_0_bytes14
                : vector<16xi8> to vector<4xi32>
              %given2_0_bytes15_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %given2_0_bytes15 = vector.transfer_read %weight[%n15, %given2_0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_0_column15 = vector.bitcast %given2_0_bytes15
                : vector<16xi8> to vector<4xi32>
              %given2_0_two0 = vector.shuffle
                %given2_0_column0, %given2_0_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_two8 = vector.shuffle
                %given2_0_column8, %given2_0_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_row0 = vector.shuffle %given2_0_two0, %given2_0_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_0_two1 = vector.shuffle
                %given2_0_column1, %given2_0_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_two9 = vector.shuffle
                %given2_0_column9, %given2_0_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_row1 = vector.shuffle %given2_0_two1, %given2_0_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_0_two2 = vector.shuffle
                %given2_0_column2, %given2_0_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_two10 = vector.shuffle
                %given2_0_column10, %given2_0_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_row2 = vector.shuffle %given2_0_two2, %given2_0_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_0_two3 = vector.shuffle
                %given2_0_column3, %given2_0_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_two11 = vector.shuffle
                %given2_0_column11, %given2_0_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_0_row3 = vector.shuffle %given2_0_two3, %given2_0_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_0_low0 = vector.shuffle
                %given2_0_row0, %given2_0_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given2_0_low2 = vector.shuffle
                %given2_0_row2, %given2_0_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given2_0_0 = vector.shuffle %given2_0_low0, %given2_0_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given2_0_1 = vector.shuffle %given2_0_low0, %given2_0_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given2_0_high0 = vector.shuffle
                %given2_0_row0, %given2_0_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given2_0_high2 = vector.shuffle
                %given2_0_row2, %given2_0_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given2_0_2 = vector.shuffle %given2_0_high0, %given2_0_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given2_0_3 = vector.shuffle %given2_0_high0, %given2_0_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number2_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_0 = arith.andi %given2_0_0, %number2_0_mask
                : vector<16xi32>
              %number3_0_by = arith.constant dense<4> : vector<16xi32>
              %number3_0_moved = arith.shrui %given2_0_0, %number3_0_by
                : vector<16xi32>
              %number3_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_0 = arith.andi %number3_0_moved, %number3_0_mask
                : vector<16xi32>
              %number2_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_1 = arith.andi %given2_0_1, %number2_1_mask
                : vector<16xi32>
              %number3_1_by = arith.constant dense<4> : vector<16xi32>
              %number3_1_moved = arith.shrui %given2_0_1, %number3_1_by
                : vector<16xi32>
              %number3_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_1 = arith.andi %number3_1_moved, %number3_1_mask
                : vector<16xi32>
              %number2_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_2 = arith.andi %given2_0_2, %number2_2_mask
                : vector<16xi32>
              %number3_2_by = arith.constant dense<4> : vector<16xi32>
              %number3_2_moved = arith.shrui %given2_0_2, %number3_2_by
                : vector<16xi32>
              %number3_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_2 = arith.andi %number3_2_moved, %number3_2_mask
                : vector<16xi32>
              %number2_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_3 = arith.andi %given2_0_3, %number2_3_mask
                : vector<16xi32>
              %number3_3_by = arith.constant dense<4> : vector<16xi32>
              %number3_3_moved = arith.shrui %given2_0_3, %number3_3_by
                : vector<16xi32>
              %number3_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_3 = arith.andi %number3_3_moved, %number3_3_mask
                : vector<16xi32>
              %given2_1_bytes0_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes0 = vector.transfer_read %weight[%n0, %given2_1_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column0 = vector.bitcast %given2_1_bytes0
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes1_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes1 = vector.transfer_read %weight[%n1, %given2_1_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column1 = vector.bitcast %given2_1_bytes1
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes2_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes2 = vector.transfer_read %weight[%n2, %given2_1_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column2 = vector.bitcast %given2_1_bytes2
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes3_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes3 = vector.transfer_read %weight[%n3, %given2_1_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column3 = vector.bitcast %given2_1_bytes3
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes4_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes4 = vector.transfer_read %weight[%n4, %given2_1_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column4 = vector.bitcast %given2_1_bytes4
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes5_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes5 = vector.transfer_read %weight[%n5, %given2_1_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column5 = vector.bitcast %given2_1_bytes5
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes6_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes6 = vector.transfer_read %weight[%n6, %given2_1_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column6 = vector.bitcast %given2_1_bytes6
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes7_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes7 = vector.transfer_read %weight[%n7, %given2_1_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column7 = vector.bitcast %given2_1_bytes7
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes8_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes8 = vector.transfer_read %weight[%n8, %given2_1_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column8 = vector.bitcast %given2_1_bytes8
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes9_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes9 = vector.transfer_read %weight[%n9, %given2_1_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column9 = vector.bitcast %given2_1_bytes9
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes10_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes10 = vector.transfer_read %weight[%n10, %given2_1_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column10 = vector.bitcast %given2_1_bytes10
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes11_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes11 = vector.transfer_read %weight[%n11, %given2_1_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column11 = vector.bitcast %given2_1_bytes11
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes12_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes12 = vector.transfer_read %weight[%n12, %given2_1_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column12 = vector.bitcast %given2_1_bytes12
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes13_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes13 = vector.transfer_read %weight[%n13, %given2_1_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column13 = vector.bitcast %given2_1_bytes13
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes14_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes14 = vector.transfer_read %weight[%n14, %given2_1_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column14 = vector.bitcast %given2_1_bytes14
                : vector<16xi8> to vector<4xi32>
              %given2_1_bytes15_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %given2_1_bytes15 = vector.transfer_read %weight[%n15, %given2_1_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given2_1_column15 = vector.bitcast %given2_1_bytes15
                : vector<16xi8> to vector<4xi32>
              %given2_1_two0 = vector.shuffle
                %given2_1_column0, %given2_1_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_two8 = vector.shuffle
                %given2_1_column8, %given2_1_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_row0 = vector.shuffle %given2_1_two0, %given2_1_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_1_two1 = vector.shuffle
                %given2_1_column1, %given2_1_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_two9 = vector.shuffle
                %given2_1_column9, %given2_1_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_row1 = vector.shuffle %given2_1_two1, %given2_1_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_1_two2 = vector.shuffle
                %given2_1_column2, %given2_1_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_two10 = vector.shuffle
                %given2_1_column10, %given2_1_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_row2 = vector.shuffle %given2_1_two2, %given2_1_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_1_two3 = vector.shuffle
                %given2_1_column3, %given2_1_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_two11 = vector.shuffle
                %given2_1_column11, %given2_1_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given2_1_row3 = vector.shuffle %given2_1_two3, %given2_1_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given2_1_low0 = vector.shuffle
                %given2_1_row0, %given2_1_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given2_1_low2 = vector.shuffle
                %given2_1_row2, %given2_1_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given2_1_0 = vector.shuffle %given2_1_low0, %given2_1_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given2_1_1 = vector.shuffle %given2_1_low0, %given2_1_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given2_1_high0 = vector.shuffle
                %given2_1_row0, %given2_1_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given2_1_high2 = vector.shuffle
                %given2_1_row2, %given2_1_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given2_1_2 = vector.shuffle %given2_1_high0, %given2_1_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given2_1_3 = vector.shuffle %given2_1_high0, %given2_1_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number2_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_4 = arith.andi %given2_1_0, %number2_4_mask
                : vector<16xi32>
              %number3_4_by = arith.constant dense<4> : vector<16xi32>
              %number3_4_moved = arith.shrui %given2_1_0, %number3_4_by
                : vector<16xi32>
              %number3_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_4 = arith.andi %number3_4_moved, %number3_4_mask
                : vector<16xi32>
              %number2_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_5 = arith.andi %given2_1_1, %number2_5_mask
                : vector<16xi32>
              %number3_5_by = arith.constant dense<4> : vector<16xi32>
              %number3_5_moved = arith.shrui %given2_1_1, %number3_5_by
                : vector<16xi32>
              %number3_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_5 = arith.andi %number3_5_moved, %number3_5_mask
                : vector<16xi32>
              %number2_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_6 = arith.andi %given2_1_2, %number2_6_mask
                : vector<16xi32>
              %number3_6_by = arith.constant dense<4> : vector<16xi32>
              %number3_6_moved = arith.shrui %given2_1_2, %number3_6_by
                : vector<16xi32>
              %number3_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_6 = arith.andi %number3_6_moved, %number3_6_mask
                : vector<16xi32>
              %number2_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_7 = arith.andi %given2_1_3, %number2_7_mask
                : vector<16xi32>
              %number3_7_by = arith.constant dense<4> : vector<16xi32>
              %number3_7_moved = arith.shrui %given2_1_3, %number3_7_by
                : vector<16xi32>
              %number3_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_7 = arith.andi %number3_7_moved, %number3_7_mask
                : vector<16xi32>
              %scale2_whole_by = arith.constant dense<16> : vector<16xi32>
              %scale2_whole_moved = arith.shrui %head_1, %scale2_whole_by
                : vector<16xi32>
              %scale2_whole_mask = arith.constant dense<63> : vector<16xi32>
              %scale2_whole = arith.andi %scale2_whole_moved, %scale2_whole_mask
                : vector<16xi32>
              %scale2_real = arith.sitofp %scale2_whole : vector<16xi32> to vector<16xf32>
              %scale2 = arith.mulf %scale2_real, %scale_of_block : vector<16xf32>
              %scale3_whole_by = arith.constant dense<24> : vector<16xi32>
              %scale3_whole_moved = arith.shrui %head_1, %scale3_whole_by
                : vector<16xi32>
              %scale3_whole_mask = arith.constant dense<63> : vector<16xi32>
              %scale3_whole = arith.andi %scale3_whole_moved, %scale3_whole_mask
                : vector<16xi32>
              %scale3_real = arith.sitofp %scale3_whole : vector<16xi32> to vector<16xf32>
              %scale3 = arith.mulf %scale3_real, %scale_of_block : vector<16xf32>
              %minimum2_whole_by = arith.constant dense<16> : vector<16xi32>
              %minimum2_whole_moved = arith.shrui %head_2, %minimum2_whole_by
                : vector<16xi32>
              %minimum2_whole_mask = arith.constant dense<63> : vector<16xi32>
              %minimum2_whole = arith.andi %minimum2_whole_moved, %minimum2_whole_mask
                : vector<16xi32>
              %minimum2_real = arith.sitofp %minimum2_whole : vector<16xi32> to vector<16xf32>
              %minimum2 = arith.mulf %minimum2_real, %minimum_of_block : vector<16xf32>
              %minimum3_whole_by = arith.constant dense<24> : vector<16xi32>
              %minimum3_whole_moved = arith.shrui %head_2, %minimum3_whole_by
                : vector<16xi32>
              %minimum3_whole_mask = arith.constant dense<63> : vector<16xi32>
              %minimum3_whole = arith.andi %minimum3_whole_moved, %minimum3_whole_mask
                : vector<16xi32>
              %minimum3_real = arith.sitofp %minimum3_whole : vector<16xi32> to vector<16xf32>
              %minimum3 = arith.mulf %minimum3_real, %minimum_of_block : vector<16xf32>
              %k2_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 64)>(%d, %b)
              %left2_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_0_word = vector.bitcast %left2_0_bytes : vector<4xi8> to vector<1xi32>
              %left2_0_alone = vector.extract %left2_0_word[0] : i32 from vector<1xi32>
              %left2_0_words = vector.broadcast %left2_0_alone : i32 to vector<16xi32>
              %left2_0 = vector.bitcast %left2_0_words : vector<16xi32> to vector<64xi8>
              %k2_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 68)>(%d, %b)
              %left2_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_1_word = vector.bitcast %left2_1_bytes : vector<4xi8> to vector<1xi32>
              %left2_1_alone = vector.extract %left2_1_word[0] : i32 from vector<1xi32>
              %left2_1_words = vector.broadcast %left2_1_alone : i32 to vector<16xi32>
              %left2_1 = vector.bitcast %left2_1_words : vector<16xi32> to vector<64xi8>
              %k2_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 72)>(%d, %b)
              %left2_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_2_word = vector.bitcast %left2_2_bytes : vector<4xi8> to vector<1xi32>
              %left2_2_alone = vector.extract %left2_2_word[0] : i32 from vector<1xi32>
              %left2_2_words = vector.broadcast %left2_2_alone : i32 to vector<16xi32>
              %left2_2 = vector.bitcast %left2_2_words : vector<16xi32> to vector<64xi8>
              %k2_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 76)>(%d, %b)
              %left2_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_3_word = vector.bitcast %left2_3_bytes : vector<4xi8> to vector<1xi32>
              %left2_3_alone = vector.extract %left2_3_word[0] : i32 from vector<1xi32>
              %left2_3_words = vector.broadcast %left2_3_alone : i32 to vector<16xi32>
              %left2_3 = vector.bitcast %left2_3_words : vector<16xi32> to vector<64xi8>
              %k2_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 80)>(%d, %b)
              %left2_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_4_word = vector.bitcast %left2_4_bytes : vector<4xi8> to vector<1xi32>
              %left2_4_alone = vector.extract %left2_4_word[0] : i32 from vector<1xi32>
              %left2_4_words = vector.broadcast %left2_4_alone : i32 to vector<16xi32>
              %left2_4 = vector.bitcast %left2_4_words : vector<16xi32> to vector<64xi8>
              %k2_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 84)>(%d, %b)
              %left2_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_5_word = vector.bitcast %left2_5_bytes : vector<4xi8> to vector<1xi32>
              %left2_5_alone = vector.extract %left2_5_word[0] : i32 from vector<1xi32>
              %left2_5_words = vector.broadcast %left2_5_alone : i32 to vector<16xi32>
              %left2_5 = vector.bitcast %left2_5_words : vector<16xi32> to vector<64xi8>
              %k2_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 88)>(%d, %b)
              %left2_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_6_word = vector.bitcast %left2_6_bytes : vector<4xi8> to vector<1xi32>
              %left2_6_alone = vector.extract %left2_6_word[0] : i32 from vector<1xi32>
              %left2_6_words = vector.broadcast %left2_6_alone : i32 to vector<16xi32>
              %left2_6 = vector.bitcast %left2_6_words : vector<16xi32> to vector<64xi8>
              %k2_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 92)>(%d, %b)
              %left2_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_7_word = vector.bitcast %left2_7_bytes : vector<4xi8> to vector<1xi32>
              %left2_7_alone = vector.extract %left2_7_word[0] : i32 from vector<1xi32>
              %left2_7_words = vector.broadcast %left2_7_alone : i32 to vector<16xi32>
              %left2_7 = vector.bitcast %left2_7_words : vector<16xi32> to vector<64xi8>
              %scale_place2 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 2)>(%d, %b)
              %token_scale_alone2 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place2] : tensor<1x8xf32>
              %token_scale2 = vector.broadcast %token_scale_alone2 : f32 to vector<16xf32>
              %sum_place2 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 2)>(%d, %b)
              %token_sum_alone2 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place2] : tensor<1x8xf32>
              %token_sum2 = vector.broadcast %token_sum_alone2
                : f32 to vector<16xf32>

              %dot2_1_right = vector.bitcast %number2_0
                : vector<16xi32> to vector<64xi8>
              %dot2_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot2_1_right, %left2_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 576($2)",
                "=v,0,r" %number2_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_2_right = vector.bitcast %number2_1_held
                : vector<16xi32> to vector<64xi8>
              %dot2_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1, %dot2_2_right, %left2_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot2_3_right = vector.bitcast %number2_2
                : vector<16xi32> to vector<64xi8>
              %dot2_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_2, %dot2_3_right, %left2_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 640($2)",
                "=v,0,r" %number2_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_4_right = vector.bitcast %number2_3_held
                : vector<16xi32> to vector<64xi8>
              %dot2_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_3, %dot2_4_right, %left2_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot2_5_right = vector.bitcast %number2_4
                : vector<16xi32> to vector<64xi8>
              %dot2_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_4, %dot2_5_right, %left2_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 704($2)",
                "=v,0,r" %number2_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_6_right = vector.bitcast %number2_5_held
                : vector<16xi32> to vector<64xi8>
              %dot2_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_5, %dot2_6_right, %left2_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot2_7_right = vector.bitcast %number2_6
                : vector<16xi32> to vector<64xi8>
              %dot2_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_6, %dot2_7_right, %left2_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 768($2)",
                "=v,0,r" %number2_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_right = vector.bitcast %number2_7_held
                : vector<16xi32> to vector<64xi8>
              %dot2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_7, %dot2_right, %left2_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken2 = vector.fma %minimum2, %token_sum2, %more1
                : vector<16xf32>
              %whole2 = arith.sitofp %dot2 : vector<16xi32> to vector<16xf32>
              %both2 = arith.mulf %scale2, %token_scale2 : vector<16xf32>
              %more2 = vector.fma %whole2, %both2,
                %taken2 : vector<16xf32>
              %k3_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 96)>(%d, %b)
              %left3_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_0_word = vector.bitcast %left3_0_bytes : vector<4xi8> to vector<1xi32>
              %left3_0_alone = vector.extract %left3_0_word[0] : i32 from vector<1xi32>
              %left3_0_words = vector.broadcast %left3_0_alone : i32 to vector<16xi32>
              %left3_0 = vector.bitcast %left3_0_words : vector<16xi32> to vector<64xi8>
              %k3_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 100)>(%d, %b)
              %left3_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_1_word = vector.bitcast %left3_1_bytes : vector<4xi8> to vector<1xi32>
              %left3_1_alone = vector.extract %left3_1_word[0] : i32 from vector<1xi32>
              %left3_1_words = vector.broadcast %left3_1_alone : i32 to vector<16xi32>
              %left3_1 = vector.bitcast %left3_1_words : vector<16xi32> to vector<64xi8>
              %k3_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 104)>(%d, %b)
              %left3_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_2_word = vector.bitcast %left3_2_bytes : vector<4xi8> to vector<1xi32>
              %left3_2_alone = vector.extract %left3_2_word[0] : i32 from vector<1xi32>
              %left3_2_words = vector.broadcast %left3_2_alone : i32 to vector<16xi32>
              %left3_2 = vector.bitcast %left3_2_words : vector<16xi32> to vector<64xi8>
              %k3_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 108)>(%d, %b)
              %left3_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_3_word = vector.bitcast %left3_3_bytes : vector<4xi8> to vector<1xi32>
              %left3_3_alone = vector.extract %left3_3_word[0] : i32 from vector<1xi32>
              %left3_3_words = vector.broadcast %left3_3_alone : i32 to vector<16xi32>
              %left3_3 = vector.bitcast %left3_3_words : vector<16xi32> to vector<64xi8>
              %k3_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 112)>(%d, %b)
              %left3_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_4_word = vector.bitcast %left3_4_bytes : vector<4xi8> to vector<1xi32>
              %left3_4_alone = vector.extract %left3_4_word[0] : i32 from vector<1xi32>
              %left3_4_words = vector.broadcast %left3_4_alone : i32 to vector<16xi32>
              %left3_4 = vector.bitcast %left3_4_words : vector<16xi32> to vector<64xi8>
              %k3_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 116)>(%d, %b)
              %left3_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_5_word = vector.bitcast %left3_5_bytes : vector<4xi8> to vector<1xi32>
              %left3_5_alone = vector.extract %left3_5_word[0] : i32 from vector<1xi32>
              %left3_5_words = vector.broadcast %left3_5_alone : i32 to vector<16xi32>
              %left3_5 = vector.bitcast %left3_5_words : vector<16xi32> to vector<64xi8>
              %k3_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 120)>(%d, %b)
              %left3_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_6_word = vector.bitcast %left3_6_bytes : vector<4xi8> to vector<1xi32>
              %left3_6_alone = vector.extract %left3_6_word[0] : i32 from vector<1xi32>
              %left3_6_words = vector.broadcast %left3_6_alone : i32 to vector<16xi32>
              %left3_6 = vector.bitcast %left3_6_words : vector<16xi32> to vector<64xi8>
              %k3_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 124)>(%d, %b)
              %left3_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_7_word = vector.bitcast %left3_7_bytes : vector<4xi8> to vector<1xi32>
              %left3_7_alone = vector.extract %left3_7_word[0] : i32 from vector<1xi32>
              %left3_7_words = vector.broadcast %left3_7_alone : i32 to vector<16xi32>
              %left3_7 = vector.bitcast %left3_7_words : vector<16xi32> to vector<64xi8>
              %scale_place3 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 3)>(%d, %b)
              %token_scale_alone3 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place3] : tensor<1x8xf32>
              %token_scale3 = vector.broadcast %token_scale_alone3 : f32 to vector<16xf32>
              %sum_place3 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 3)>(%d, %b)
              %token_sum_alone3 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place3] : tensor<1x8xf32>
              %token_sum3 = vector.broadcast %token_sum_alone3
                : f32 to vector<16xf32>
              %number3_0_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 832($2)",
                "=v,0,r" %number3_0, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_1_right = vector.bitcast %number3_0_held
                : vector<16xi32> to vector<64xi8>
              %dot3_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot3_1_right, %left3_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot3_2_right = vector.bitcast %number3_1
                : vector<16xi32> to vector<64xi8>
              %dot3_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1, %dot3_2_right, %left3_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 896($2)",
                "=v,0,r" %number3_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_3_right = vector.bitcast %number3_2_held
                : vector<16xi32> to vector<64xi8>
              %dot3_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_2, %dot3_3_right, %left3_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot3_4_right = vector.bitcast %number3_3
                : vector<16xi32> to vector<64xi8>
              %dot3_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_3, %dot3_4_right, %left3_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 960($2)",
                "=v,0,r" %number3_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_5_right = vector.bitcast %number3_4_held
                : vector<16xi32> to vector<64xi8>
              %dot3_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_4, %dot3_5_right, %left3_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot3_6_right = vector.bitcast %number3_5
                : vector<16xi32> to vector<64xi8>
              %dot3_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_5, %dot3_6_right, %left3_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_6_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1024($2)",
                "=v,0,r" %number3_6, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_7_right = vector.bitcast %number3_6_held
                : vector<16xi32> to vector<64xi8>
              %dot3_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_6, %dot3_7_right, %left3_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1088($2)",
                "=v,0,r" %number3_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_right = vector.bitcast %number3_7_held
                : vector<16xi32> to vector<64xi8>
              %dot3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_7, %dot3_right, %left3_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken3 = vector.fma %minimum3, %token_sum3, %more2
                : vector<16xf32>
              %whole3 = arith.sitofp %dot3 : vector<16xi32> to vector<16xf32>
              %both3 = arith.mulf %scale3, %token_scale3 : vector<16xf32>
              %more3 = vector.fma %whole3, %both3,
                %taken3 : vector<16xf32>
              %given4_0_bytes0_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes0 = vector.transfer_read %weight[%n0, %given4_0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column0 = vector.bitcast %given4_0_bytes0
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes1_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes1 = vector.transfer_read %weight[%n1, %given4_0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column1 = vector.bitcast %given4_0_bytes1
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes2_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes2 = vector.transfer_read %weight[%n2, %given4_0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column2 = vector.bitcast %given4_0_bytes2
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes3_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes3 = vector.transfer_read %weight[%n3, %given4_0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column3 = vector.bitcast %given4_0_bytes3
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes4_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes4 = vector.transfer_read %weight[%n4, %given4_0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column4 = vector.bitcast %given4_0_bytes4
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes5_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes5 = vector.transfer_read %weight[%n5, %given4_0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column5 = vector.bitcast %given4_0_bytes5
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes6_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes6 = vector.transfer_read %weight[%n6, %given4_0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column6 = vector.bitcast %given4_0_bytes6
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes7_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes7 = vector.transfer_read %weight[%n7, %given4_0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column7 = vector.bitcast %given4_0_bytes7
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes8_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes8 = vector.transfer_read %weight[%n8, %given4_0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column8 = vector.bitcast %given4_0_bytes8
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes9_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes9 = vector.transfer_read %weight[%n9, %given4_0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column9 = vector.bitcast %given4_0_bytes9
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes10_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes10 = vector.transfer_read %weight[%n10, %given4_0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column10 = vector.bitcast %given4_0_bytes10
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes11_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes11 = vector.transfer_read %weight[%n11, %given4_0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column11 = vector.bitcast %given4_0_bytes11
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes12_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes12 = vector.transfer_read %weight[%n12, %given4_0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column12 = vector.bitcast %given4_0_bytes12
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes13_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes13 = vector.transfer_read %weight[%n13, %given4_0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column13 = vector.bitcast %given4_0_bytes13
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes14_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes14 = vector.transfer_read %weight[%n14, %given4_0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column14 = vector.bitcast %given4_0_bytes14
                : vector<16xi8> to vector<4xi32>
              %given4_0_bytes15_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %given4_0_bytes15 = vector.transfer_read %weight[%n15, %given4_0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_0_column15 = vector.bitcast %given4_0_bytes15
                : vector<16xi8> to vector<4xi32>
              %given4_0_two0 = vector.shuffle
                %given4_0_column0, %given4_0_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_two8 = vector.shuffle
                %given4_0_column8, %given4_0_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_row0 = vector.shuffle %given4_0_two0, %given4_0_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_0_two1 = vector.shuffle
                %given4_0_column1, %given4_0_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_two9 = vector.shuffle
                %given4_0_column9, %given4_0_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_row1 = vector.shuffle %given4_0_two1, %given4_0_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_0_two2 = vector.shuffle
                %given4_0_column2, %given4_0_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_two10 = vector.shuffle
                %given4_0_column10, %given4_0_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_row2 = vector.shuffle %given4_0_two2, %given4_0_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_0_two3 = vector.shuffle
                %given4_0_column3, %given4_0_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_two11 = vector.shuffle
                %given4_0_column11, %given4_0_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_0_row3 = vector.shuffle %given4_0_two3, %given4_0_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_0_low0 = vector.shuffle
                %given4_0_row0, %given4_0_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given4_0_low2 = vector.shuffle
                %given4_0_row2, %given4_0_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given4_0_0 = vector.shuffle %given4_0_low0, %given4_0_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given4_0_1 = vector.shuffle %given4_0_low0, %given4_0_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given4_0_high0 = vector.shuffle
                %given4_0_row0, %given4_0_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given4_0_high2 = vector.shuffle
                %given4_0_row2, %given4_0_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given4_0_2 = vector.shuffle %given4_0_high0, %given4_0_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given4_0_3 = vector.shuffle %given4_0_high0, %given4_0_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number4_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_0 = arith.andi %given4_0_0, %number4_0_mask
                : vector<16xi32>
              %number5_0_by = arith.constant dense<4> : vector<16xi32>
              %number5_0_moved = arith.shrui %given4_0_0, %number5_0_by
                : vector<16xi32>
              %number5_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_0 = arith.andi %number5_0_moved, %number5_0_mask
                : vector<16xi32>
              %number4_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_1 = arith.andi %given4_0_1, %number4_1_mask
                : vector<16xi32>
              %number5_1_by = arith.constant dense<4> : vector<16xi32>
              %number5_1_moved = arith.shrui %given4_0_1, %number5_1_by
                : vector<16xi32>
              %number5_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_1 = arith.andi %number5_1_moved, %number5_1_mask
                : vector<16xi32>
              %number4_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_2 = arith.andi %given4_0_2, %number4_2_mask
                : vector<16xi32>
              %number5_2_by = arith.constant dense<4> : vector<16xi32>
              %number5_2_moved = arith.shrui %given4_0_2, %number5_2_by
                : vector<16xi32>
              %number5_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_2 = arith.andi %number5_2_moved, %number5_2_mask
                : vector<16xi32>
              %number4_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_3 = arith.andi %given4_0_3, %number4_3_mask
                : vector<16xi32>
              %number5_3_by = arith.constant dense<4> : vector<16xi32>
              %number5_3_moved = arith.shrui %given4_0_3, %number5_3_by
                : vector<16xi32>
              %number5_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_3 = arith.andi %number5_3_moved, %number5_3_mask
                : vector<16xi32>
              %given4_1_bytes0_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes0 = vector.transfer_read %weight[%n0, %given4_1_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column0 = vector.bitcast %given4_1_bytes0
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes1_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes1 = vector.transfer_read %weight[%n1, %given4_1_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column1 = vector.bitcast %given4_1_bytes1
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes2_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes2 = vector.transfer_read %weight[%n2, %given4_1_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column2 = vector.bitcast %given4_1_bytes2
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes3_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes3 = vector.transfer_read %weight[%n3, %given4_1_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column3 = vector.bitcast %given4_1_bytes3
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes4_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes4 = vector.transfer_read %weight[%n4, %given4_1_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column4 = vector.bitcast %given4_1_bytes4
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes5_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes5 = vector.transfer_read %weight[%n5, %given4_1_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column5 = vector.bitcast %given4_1_bytes5
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes6_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes6 = vector.transfer_read %weight[%n6, %given4_1_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column6 = vector.bitcast %given4_1_bytes6
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes7_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes7 = vector.transfer_read %weight[%n7, %given4_1_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column7 = vector.bitcast %given4_1_bytes7
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes8_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes8 = vector.transfer_read %weight[%n8, %given4_1_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column8 = vector.bitcast %given4_1_bytes8
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes9_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes9 = vector.transfer_read %weight[%n9, %given4_1_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column9 = vector.bitcast %given4_1_bytes9
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes10_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes10 = vector.transfer_read %weight[%n10, %given4_1_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column10 = vector.bitcast %given4_1_bytes10
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes11_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes11 = vector.transfer_read %weight[%n11, %given4_1_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column11 = vector.bitcast %given4_1_bytes11
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes12_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes12 = vector.transfer_read %weight[%n12, %given4_1_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column12 = vector.bitcast %given4_1_bytes12
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes13_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes13 = vector.transfer_read %weight[%n13, %given4_1_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column13 = vector.bitcast %given4_1_bytes13
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes14_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes14 = vector.transfer_read %weight[%n14, %given4_1_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column14 = vector.bitcast %given4_1_bytes14
                : vector<16xi8> to vector<4xi32>
              %given4_1_bytes15_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %given4_1_bytes15 = vector.transfer_read %weight[%n15, %given4_1_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given4_1_column15 = vector.bitcast %given4_1_bytes15
                : vector<16xi8> to vector<4xi32>
              %given4_1_two0 = vector.shuffle
                %given4_1_column0, %given4_1_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_two8 = vector.shuffle
                %given4_1_column8, %given4_1_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_row0 = vector.shuffle %given4_1_two0, %given4_1_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_1_two1 = vector.shuffle
                %given4_1_column1, %given4_1_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_two9 = vector.shuffle
                %given4_1_column9, %given4_1_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_row1 = vector.shuffle %given4_1_two1, %given4_1_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_1_two2 = vector.shuffle
                %given4_1_column2, %given4_1_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_two10 = vector.shuffle
                %given4_1_column10, %given4_1_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_row2 = vector.shuffle %given4_1_two2, %given4_1_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_1_two3 = vector.shuffle
                %given4_1_column3, %given4_1_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_two11 = vector.shuffle
                %given4_1_column11, %given4_1_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given4_1_row3 = vector.shuffle %given4_1_two3, %given4_1_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given4_1_low0 = vector.shuffle
                %given4_1_row0, %given4_1_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given4_1_low2 = vector.shuffle
                %given4_1_row2, %given4_1_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given4_1_0 = vector.shuffle %given4_1_low0, %given4_1_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given4_1_1 = vector.shuffle %given4_1_low0, %given4_1_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given4_1_high0 = vector.shuffle
                %given4_1_row0, %given4_1_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given4_1_high2 = vector.shuffle
                %given4_1_row2, %given4_1_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given4_1_2 = vector.shuffle %given4_1_high0, %given4_1_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given4_1_3 = vector.shuffle %given4_1_high0, %given4_1_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number4_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_4 = arith.andi %given4_1_0, %number4_4_mask
                : vector<16xi32>
              %number5_4_by = arith.constant dense<4> : vector<16xi32>
              %number5_4_moved = arith.shrui %given4_1_0, %number5_4_by
                : vector<16xi32>
              %number5_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_4 = arith.andi %number5_4_moved, %number5_4_mask
                : vector<16xi32>
              %number4_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_5 = arith.andi %given4_1_1, %number4_5_mask
                : vector<16xi32>
              %number5_5_by = arith.constant dense<4> : vector<16xi32>
              %number5_5_moved = arith.shrui %given4_1_1, %number5_5_by
                : vector<16xi32>
              %number5_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_5 = arith.andi %number5_5_moved, %number5_5_mask
                : vector<16xi32>
              %number4_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_6 = arith.andi %given4_1_2, %number4_6_mask
                : vector<16xi32>
              %number5_6_by = arith.constant dense<4> : vector<16xi32>
              %number5_6_moved = arith.shrui %given4_1_2, %number5_6_by
                : vector<16xi32>
              %number5_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_6 = arith.andi %number5_6_moved, %number5_6_mask
                : vector<16xi32>
              %number4_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_7 = arith.andi %given4_1_3, %number4_7_mask
                : vector<16xi32>
              %number5_7_by = arith.constant dense<4> : vector<16xi32>
              %number5_7_moved = arith.shrui %given4_1_3, %number5_7_by
                : vector<16xi32>
              %number5_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_7 = arith.andi %number5_7_moved, %number5_7_mask
                : vector<16xi32>
              %scale4_low_mask = arith.constant dense<15> : vector<16xi32>
              %scale4_low = arith.andi %head_3, %scale4_low_mask
                : vector<16xi32>
              %scale4_high_by = arith.constant dense<2> : vector<16xi32>
              %scale4_high_moved = arith.shrui %head_1, %scale4_high_by
                : vector<16xi32>
              %scale4_high_mask = arith.constant dense<48> : vector<16xi32>
              %scale4_high = arith.andi %scale4_high_moved, %scale4_high_mask
                : vector<16xi32>
              %scale4_whole = arith.ori %scale4_low, %scale4_high : vector<16xi32>
              %scale4_real = arith.sitofp %scale4_whole : vector<16xi32> to vector<16xf32>
              %scale4 = arith.mulf %scale4_real, %scale_of_block : vector<16xf32>
              %scale5_low_by = arith.constant dense<8> : vector<16xi32>
              %scale5_low_moved = arith.shrui %head_3, %scale5_low_by
                : vector<16xi32>
              %scale5_low_mask = arith.constant dense<15> : vector<16xi32>
              %scale5_low = arith.andi %scale5_low_moved, %scale5_low_mask
                : vector<16xi32>
              %scale5_high_by = arith.constant dense<10> : vector<16xi32>
              %scale5_high_moved = arith.shrui %head_1, %scale5_high_by
                : vector<16xi32>
              %scale5_high_mask = arith.constant dense<48> : vector<16xi32>
              %scale5_high = arith.andi %scale5_high_moved, %scale5_high_mask
                : vector<16xi32>
              %scale5_whole = arith.ori %scale5_low, %scale5_high : vector<16xi32>
              %scale5_real = arith.sitofp %scale5_whole : vector<16xi32> to vector<16xf32>
              %scale5 = arith.mulf %scale5_real, %scale_of_block : vector<16xf32>
              %minimum4_low_by = arith.constant dense<4> : vector<16xi32>
              %minimum4_low_moved = arith.shrui %head_3, %minimum4_low_by
                : vector<16xi32>
              %minimum4_low_mask = arith.constant dense<15> : vector<16xi32>
              %minimum4_low = arith.andi %minimum4_low_moved, %minimum4_low_mask
                : vector<16xi32>
              %minimum4_high_by = arith.constant dense<2> : vector<16xi32>
              %minimum4_high_moved = arith.shrui %head_2, %minimum4_high_by
                : vector<16xi32>
              %minimum4_high_mask = arith.constant dense<48> : vector<16xi32>
              %minimum4_high = arith.andi %minimum4_high_moved, %minimum4_high_mask
                : vector<16xi32>
              %minimum4_whole = arith.ori %minimum4_low, %minimum4_high : vector<16xi32>
              %minimum4_real = arith.sitofp %minimum4_whole : vector<16xi32> to vector<16xf32>
              %minimum4 = arith.mulf %minimum4_real, %minimum_of_block : vector<16xf32>
              %minimum5_low_by = arith.constant dense<12> : vector<16xi32>
              %minimum5_low_moved = arith.shrui %head_3, %minimum5_low_by
                : vector<16xi32>
              %minimum5_low_mask = arith.constant dense<15> : vector<16xi32>
              %minimum5_low = arith.andi %minimum5_low_moved, %minimum5_low_mask
                : vector<16xi32>
              %minimum5_high_by = arith.constant dense<10> : vector<16xi32>
              %minimum5_high_moved = arith.shrui %head_2, %minimum5_high_by
                : vector<16xi32>
              %minimum5_high_mask = arith.constant dense<48> : vector<16xi32>
              %minimum5_high = arith.andi %minimum5_high_moved, %minimum5_high_mask
                : vector<16xi32>
              %minimum5_whole = arith.ori %minimum5_low, %minimum5_high : vector<16xi32>
              %minimum5_real = arith.sitofp %minimum5_whole : vector<16xi32> to vector<16xf32>
              %minimum5 = arith.mulf %minimum5_real, %minimum_of_block : vector<16xf32>
              %k4_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 128)>(%d, %b)
              %left4_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_0_word = vector.bitcast %left4_0_bytes : vector<4xi8> to vector<1xi32>
              %left4_0_alone = vector.extract %left4_0_word[0] : i32 from vector<1xi32>
              %left4_0_words = vector.broadcast %left4_0_alone : i32 to vector<16xi32>
              %left4_0 = vector.bitcast %left4_0_words : vector<16xi32> to vector<64xi8>
              %k4_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 132)>(%d, %b)
              %left4_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_1_word = vector.bitcast %left4_1_bytes : vector<4xi8> to vector<1xi32>
              %left4_1_alone = vector.extract %left4_1_word[0] : i32 from vector<1xi32>
              %left4_1_words = vector.broadcast %left4_1_alone : i32 to vector<16xi32>
              %left4_1 = vector.bitcast %left4_1_words : vector<16xi32> to vector<64xi8>
              %k4_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 136)>(%d, %b)
              %left4_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_2_word = vector.bitcast %left4_2_bytes : vector<4xi8> to vector<1xi32>
              %left4_2_alone = vector.extract %left4_2_word[0] : i32 from vector<1xi32>
              %left4_2_words = vector.broadcast %left4_2_alone : i32 to vector<16xi32>
              %left4_2 = vector.bitcast %left4_2_words : vector<16xi32> to vector<64xi8>
              %k4_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 140)>(%d, %b)
              %left4_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_3_word = vector.bitcast %left4_3_bytes : vector<4xi8> to vector<1xi32>
              %left4_3_alone = vector.extract %left4_3_word[0] : i32 from vector<1xi32>
              %left4_3_words = vector.broadcast %left4_3_alone : i32 to vector<16xi32>
              %left4_3 = vector.bitcast %left4_3_words : vector<16xi32> to vector<64xi8>
              %k4_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 144)>(%d, %b)
              %left4_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_4_word = vector.bitcast %left4_4_bytes : vector<4xi8> to vector<1xi32>
              %left4_4_alone = vector.extract %left4_4_word[0] : i32 from vector<1xi32>
              %left4_4_words = vector.broadcast %left4_4_alone : i32 to vector<16xi32>
              %left4_4 = vector.bitcast %left4_4_words : vector<16xi32> to vector<64xi8>
              %k4_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 148)>(%d, %b)
              %left4_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_5_word = vector.bitcast %left4_5_bytes : vector<4xi8> to vector<1xi32>
              %left4_5_alone = vector.extract %left4_5_word[0] : i32 from vector<1xi32>
              %left4_5_words = vector.broadcast %left4_5_alone : i32 to vector<16xi32>
              %left4_5 = vector.bitcast %left4_5_words : vector<16xi32> to vector<64xi8>
              %k4_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 152)>(%d, %b)
              %left4_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_6_word = vector.bitcast %left4_6_bytes : vector<4xi8> to vector<1xi32>
              %left4_6_alone = vector.extract %left4_6_word[0] : i32 from vector<1xi32>
              %left4_6_words = vector.broadcast %left4_6_alone : i32 to vector<16xi32>
              %left4_6 = vector.bitcast %left4_6_words : vector<16xi32> to vector<64xi8>
              %k4_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 156)>(%d, %b)
              %left4_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_7_word = vector.bitcast %left4_7_bytes : vector<4xi8> to vector<1xi32>
              %left4_7_alone = vector.extract %left4_7_word[0] : i32 from vector<1xi32>
              %left4_7_words = vector.broadcast %left4_7_alone : i32 to vector<16xi32>
              %left4_7 = vector.bitcast %left4_7_words : vector<16xi32> to vector<64xi8>
              %scale_place4 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 4)>(%d, %b)
              %token_scale_alone4 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place4] : tensor<1x8xf32>
              %token_scale4 = vector.broadcast %token_scale_alone4 : f32 to vector<16xf32>
              %sum_place4 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 4)>(%d, %b)
              %token_sum_alone4 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place4] : tensor<1x8xf32>
              %token_sum4 = vector.broadcast %token_sum_alone4
                : f32 to vector<16xf32>

              %dot4_1_right = vector.bitcast %number4_0
                : vector<16xi32> to vector<64xi8>
              %dot4_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot4_1_right, %left4_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1152($2)",
                "=v,0,r" %number4_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_2_right = vector.bitcast %number4_1_held
                : vector<16xi32> to vector<64xi8>
              %dot4_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_1, %dot4_2_right, %left4_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot4_3_right = vector.bitcast %number4_2
                : vector<16xi32> to vector<64xi8>
              %dot4_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_2, %dot4_3_right, %left4_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1216($2)",
                "=v,0,r" %number4_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_4_right = vector.bitcast %number4_3_held
                : vector<16xi32> to vector<64xi8>
              %dot4_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_3, %dot4_4_right, %left4_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot4_5_right = vector.bitcast %number4_4
                : vector<16xi32> to vector<64xi8>
              %dot4_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_4, %dot4_5_right, %left4_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1280($2)",
                "=v,0,r" %number4_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_6_right = vector.bitcast %number4_5_held
                : vector<16xi32> to vector<64xi8>
              %dot4_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_5, %dot4_6_right, %left4_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot4_7_right = vector.bitcast %number4_6
                : vector<16xi32> to vector<64xi8>
              %dot4_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_6, %dot4_7_right, %left4_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1344($2)",
                "=v,0,r" %number4_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_right = vector.bitcast %number4_7_held
                : vector<16xi32> to vector<64xi8>
              %dot4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_7, %dot4_right, %left4_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken4 = vector.fma %minimum4, %token_sum4, %more3
                : vector<16xf32>
              %whole4 = arith.sitofp %dot4 : vector<16xi32> to vector<16xf32>
              %both4 = arith.mulf %scale4, %token_scale4 : vector<16xf32>
              %more4 = vector.fma %whole4, %both4,
                %taken4 : vector<16xf32>
              %k5_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 160)>(%d, %b)
              %left5_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_0_word = vector.bitcast %left5_0_bytes : vector<4xi8> to vector<1xi32>
              %left5_0_alone = vector.extract %left5_0_word[0] : i32 from vector<1xi32>
              %left5_0_words = vector.broadcast %left5_0_alone : i32 to vector<16xi32>
              %left5_0 = vector.bitcast %left5_0_words : vector<16xi32> to vector<64xi8>
              %k5_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 164)>(%d, %b)
              %left5_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_1_word = vector.bitcast %left5_1_bytes : vector<4xi8> to vector<1xi32>
              %left5_1_alone = vector.extract %left5_1_word[0] : i32 from vector<1xi32>
              %left5_1_words = vector.broadcast %left5_1_alone : i32 to vector<16xi32>
              %left5_1 = vector.bitcast %left5_1_words : vector<16xi32> to vector<64xi8>
              %k5_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 168)>(%d, %b)
              %left5_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_2_word = vector.bitcast %left5_2_bytes : vector<4xi8> to vector<1xi32>
              %left5_2_alone = vector.extract %left5_2_word[0] : i32 from vector<1xi32>
              %left5_2_words = vector.broadcast %left5_2_alone : i32 to vector<16xi32>
              %left5_2 = vector.bitcast %left5_2_words : vector<16xi32> to vector<64xi8>
              %k5_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 172)>(%d, %b)
              %left5_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_3_word = vector.bitcast %left5_3_bytes : vector<4xi8> to vector<1xi32>
              %left5_3_alone = vector.extract %left5_3_word[0] : i32 from vector<1xi32>
              %left5_3_words = vector.broadcast %left5_3_alone : i32 to vector<16xi32>
              %left5_3 = vector.bitcast %left5_3_words : vector<16xi32> to vector<64xi8>
              %k5_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 176)>(%d, %b)
              %left5_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_4_word = vector.bitcast %left5_4_bytes : vector<4xi8> to vector<1xi32>
              %left5_4_alone = vector.extract %left5_4_word[0] : i32 from vector<1xi32>
              %left5_4_words = vector.broadcast %left5_4_alone : i32 to vector<16xi32>
              %left5_4 = vector.bitcast %left5_4_words : vector<16xi32> to vector<64xi8>
              %k5_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 180)>(%d, %b)
              %left5_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_5_word = vector.bitcast %left5_5_bytes : vector<4xi8> to vector<1xi32>
              %left5_5_alone = vector.extract %left5_5_word[0] : i32 from vector<1xi32>
              %left5_5_words = vector.broadcast %left5_5_alone : i32 to vector<16xi32>
              %left5_5 = vector.bitcast %left5_5_words : vector<16xi32> to vector<64xi8>
              %k5_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 184)>(%d, %b)
              %left5_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_6_word = vector.bitcast %left5_6_bytes : vector<4xi8> to vector<1xi32>
              %left5_6_alone = vector.extract %left5_6_word[0] : i32 from vector<1xi32>
              %left5_6_words = vector.broadcast %left5_6_alone : i32 to vector<16xi32>
              %left5_6 = vector.bitcast %left5_6_words : vector<16xi32> to vector<64xi8>
              %k5_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 188)>(%d, %b)
              %left5_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_7_word = vector.bitcast %left5_7_bytes : vector<4xi8> to vector<1xi32>
              %left5_7_alone = vector.extract %left5_7_word[0] : i32 from vector<1xi32>
              %left5_7_words = vector.broadcast %left5_7_alone : i32 to vector<16xi32>
              %left5_7 = vector.bitcast %left5_7_words : vector<16xi32> to vector<64xi8>
              %scale_place5 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 5)>(%d, %b)
              %token_scale_alone5 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place5] : tensor<1x8xf32>
              %token_scale5 = vector.broadcast %token_scale_alone5 : f32 to vector<16xf32>
              %sum_place5 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 5)>(%d, %b)
              %token_sum_alone5 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place5] : tensor<1x8xf32>
              %token_sum5 = vector.broadcast %token_sum_alone5
                : f32 to vector<16xf32>
              %number5_0_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1408($2)",
                "=v,0,r" %number5_0, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_1_right = vector.bitcast %number5_0_held
                : vector<16xi32> to vector<64xi8>
              %dot5_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot5_1_right, %left5_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot5_2_right = vector.bitcast %number5_1
                : vector<16xi32> to vector<64xi8>
              %dot5_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_1, %dot5_2_right, %left5_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1472($2)",
                "=v,0,r" %number5_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_3_right = vector.bitcast %number5_2_held
                : vector<16xi32> to vector<64xi8>
              %dot5_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_2, %dot5_3_right, %left5_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot5_4_right = vector.bitcast %number5_3
                : vector<16xi32> to vector<64xi8>
              %dot5_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_3, %dot5_4_right, %left5_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1536($2)",
                "=v,0,r" %number5_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_5_right = vector.bitcast %number5_4_held
                : vector<16xi32> to vector<64xi8>
              %dot5_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_4, %dot5_5_right, %left5_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot5_6_right = vector.bitcast %number5_5
                : vector<16xi32> to vector<64xi8>
              %dot5_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_5, %dot5_6_right, %left5_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_6_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1600($2)",
                "=v,0,r" %number5_6, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_7_right = vector.bitcast %number5_6_held
                : vector<16xi32> to vector<64xi8>
              %dot5_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_6, %dot5_7_right, %left5_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1664($2)",
                "=v,0,r" %number5_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_right = vector.bitcast %number5_7_held
                : vector<16xi32> to vector<64xi8>
              %dot5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_7, %dot5_right, %left5_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken5 = vector.fma %minimum5, %token_sum5, %more4
                : vector<16xf32>
              %whole5 = arith.sitofp %dot5 : vector<16xi32> to vector<16xf32>
              %both5 = arith.mulf %scale5, %token_scale5 : vector<16xf32>
              %more5 = vector.fma %whole5, %both5,
                %taken5 : vector<16xf32>
              %given6_0_bytes0_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes0 = vector.transfer_read %weight[%n0, %given6_0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column0 = vector.bitcast %given6_0_bytes0
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes1_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes1 = vector.transfer_read %weight[%n1, %given6_0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column1 = vector.bitcast %given6_0_bytes1
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes2_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes2 = vector.transfer_read %weight[%n2, %given6_0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column2 = vector.bitcast %given6_0_bytes2
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes3_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes3 = vector.transfer_read %weight[%n3, %given6_0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column3 = vector.bitcast %given6_0_bytes3
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes4_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes4 = vector.transfer_read %weight[%n4, %given6_0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column4 = vector.bitcast %given6_0_bytes4
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes5_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes5 = vector.transfer_read %weight[%n5, %given6_0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column5 = vector.bitcast %given6_0_bytes5
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes6_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes6 = vector.transfer_read %weight[%n6, %given6_0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column6 = vector.bitcast %given6_0_bytes6
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes7_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes7 = vector.transfer_read %weight[%n7, %given6_0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column7 = vector.bitcast %given6_0_bytes7
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes8_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes8 = vector.transfer_read %weight[%n8, %given6_0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column8 = vector.bitcast %given6_0_bytes8
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes9_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes9 = vector.transfer_read %weight[%n9, %given6_0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column9 = vector.bitcast %given6_0_bytes9
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes10_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes10 = vector.transfer_read %weight[%n10, %given6_0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column10 = vector.bitcast %given6_0_bytes10
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes11_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes11 = vector.transfer_read %weight[%n11, %given6_0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column11 = vector.bitcast %given6_0_bytes11
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes12_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes12 = vector.transfer_read %weight[%n12, %given6_0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column12 = vector.bitcast %given6_0_bytes12
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes13_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes13 = vector.transfer_read %weight[%n13, %given6_0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column13 = vector.bitcast %given6_0_bytes13
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes14_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes14 = vector.transfer_read %weight[%n14, %given6_0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column14 = vector.bitcast %given6_0_bytes14
                : vector<16xi8> to vector<4xi32>
              %given6_0_bytes15_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %given6_0_bytes15 = vector.transfer_read %weight[%n15, %given6_0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_0_column15 = vector.bitcast %given6_0_bytes15
                : vector<16xi8> to vector<4xi32>
              %given6_0_two0 = vector.shuffle
                %given6_0_column0, %given6_0_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_two8 = vector.shuffle
                %given6_0_column8, %given6_0_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_row0 = vector.shuffle %given6_0_two0, %given6_0_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_0_two1 = vector.shuffle
                %given6_0_column1, %given6_0_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_two9 = vector.shuffle
                %given6_0_column9, %given6_0_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_row1 = vector.shuffle %given6_0_two1, %given6_0_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_0_two2 = vector.shuffle
                %given6_0_column2, %given6_0_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_two10 = vector.shuffle
                %given6_0_column10, %given6_0_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_row2 = vector.shuffle %given6_0_two2, %given6_0_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_0_two3 = vector.shuffle
                %given6_0_column3, %given6_0_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_two11 = vector.shuffle
                %given6_0_column11, %given6_0_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_0_row3 = vector.shuffle %given6_0_two3, %given6_0_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_0_low0 = vector.shuffle
                %given6_0_row0, %given6_0_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given6_0_low2 = vector.shuffle
                %given6_0_row2, %given6_0_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given6_0_0 = vector.shuffle %given6_0_low0, %given6_0_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given6_0_1 = vector.shuffle %given6_0_low0, %given6_0_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given6_0_high0 = vector.shuffle
                %given6_0_row0, %given6_0_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given6_0_high2 = vector.shuffle
                %given6_0_row2, %given6_0_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given6_0_2 = vector.shuffle %given6_0_high0, %given6_0_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given6_0_3 = vector.shuffle %given6_0_high0, %given6_0_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number6_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_0 = arith.andi %given6_0_0, %number6_0_mask
                : vector<16xi32>
              %number7_0_by = arith.constant dense<4> : vector<16xi32>
              %number7_0_moved = arith.shrui %given6_0_0, %number7_0_by
                : vector<16xi32>
              %number7_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_0 = arith.andi %number7_0_moved, %number7_0_mask
                : vector<16xi32>
              %number6_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_1 = arith.andi %given6_0_1, %number6_1_mask
                : vector<16xi32>
              %number7_1_by = arith.constant dense<4> : vector<16xi32>
              %number7_1_moved = arith.shrui %given6_0_1, %number7_1_by
                : vector<16xi32>
              %number7_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_1 = arith.andi %number7_1_moved, %number7_1_mask
                : vector<16xi32>
              %number6_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_2 = arith.andi %given6_0_2, %number6_2_mask
                : vector<16xi32>
              %number7_2_by = arith.constant dense<4> : vector<16xi32>
              %number7_2_moved = arith.shrui %given6_0_2, %number7_2_by
                : vector<16xi32>
              %number7_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_2 = arith.andi %number7_2_moved, %number7_2_mask
                : vector<16xi32>
              %number6_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_3 = arith.andi %given6_0_3, %number6_3_mask
                : vector<16xi32>
              %number7_3_by = arith.constant dense<4> : vector<16xi32>
              %number7_3_moved = arith.shrui %given6_0_3, %number7_3_by
                : vector<16xi32>
              %number7_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_3 = arith.andi %number7_3_moved, %number7_3_mask
                : vector<16xi32>
              %given6_1_bytes0_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes0 = vector.transfer_read %weight[%n0, %given6_1_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column0 = vector.bitcast %given6_1_bytes0
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes1_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes1 = vector.transfer_read %weight[%n1, %given6_1_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column1 = vector.bitcast %given6_1_bytes1
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes2_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes2 = vector.transfer_read %weight[%n2, %given6_1_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column2 = vector.bitcast %given6_1_bytes2
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes3_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes3 = vector.transfer_read %weight[%n3, %given6_1_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column3 = vector.bitcast %given6_1_bytes3
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes4_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes4 = vector.transfer_read %weight[%n4, %given6_1_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column4 = vector.bitcast %given6_1_bytes4
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes5_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes5 = vector.transfer_read %weight[%n5, %given6_1_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column5 = vector.bitcast %given6_1_bytes5
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes6_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes6 = vector.transfer_read %weight[%n6, %given6_1_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column6 = vector.bitcast %given6_1_bytes6
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes7_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes7 = vector.transfer_read %weight[%n7, %given6_1_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column7 = vector.bitcast %given6_1_bytes7
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes8_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes8 = vector.transfer_read %weight[%n8, %given6_1_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column8 = vector.bitcast %given6_1_bytes8
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes9_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes9 = vector.transfer_read %weight[%n9, %given6_1_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column9 = vector.bitcast %given6_1_bytes9
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes10_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes10 = vector.transfer_read %weight[%n10, %given6_1_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column10 = vector.bitcast %given6_1_bytes10
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes11_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes11 = vector.transfer_read %weight[%n11, %given6_1_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column11 = vector.bitcast %given6_1_bytes11
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes12_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes12 = vector.transfer_read %weight[%n12, %given6_1_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column12 = vector.bitcast %given6_1_bytes12
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes13_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes13 = vector.transfer_read %weight[%n13, %given6_1_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column13 = vector.bitcast %given6_1_bytes13
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes14_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes14 = vector.transfer_read %weight[%n14, %given6_1_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column14 = vector.bitcast %given6_1_bytes14
                : vector<16xi8> to vector<4xi32>
              %given6_1_bytes15_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %given6_1_bytes15 = vector.transfer_read %weight[%n15, %given6_1_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %given6_1_column15 = vector.bitcast %given6_1_bytes15
                : vector<16xi8> to vector<4xi32>
              %given6_1_two0 = vector.shuffle
                %given6_1_column0, %given6_1_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_two8 = vector.shuffle
                %given6_1_column8, %given6_1_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_row0 = vector.shuffle %given6_1_two0, %given6_1_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_1_two1 = vector.shuffle
                %given6_1_column1, %given6_1_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_two9 = vector.shuffle
                %given6_1_column9, %given6_1_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_row1 = vector.shuffle %given6_1_two1, %given6_1_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_1_two2 = vector.shuffle
                %given6_1_column2, %given6_1_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_two10 = vector.shuffle
                %given6_1_column10, %given6_1_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_row2 = vector.shuffle %given6_1_two2, %given6_1_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_1_two3 = vector.shuffle
                %given6_1_column3, %given6_1_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_two11 = vector.shuffle
                %given6_1_column11, %given6_1_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %given6_1_row3 = vector.shuffle %given6_1_two3, %given6_1_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %given6_1_low0 = vector.shuffle
                %given6_1_row0, %given6_1_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given6_1_low2 = vector.shuffle
                %given6_1_row2, %given6_1_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %given6_1_0 = vector.shuffle %given6_1_low0, %given6_1_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given6_1_1 = vector.shuffle %given6_1_low0, %given6_1_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %given6_1_high0 = vector.shuffle
                %given6_1_row0, %given6_1_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given6_1_high2 = vector.shuffle
                %given6_1_row2, %given6_1_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %given6_1_2 = vector.shuffle %given6_1_high0, %given6_1_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %given6_1_3 = vector.shuffle %given6_1_high0, %given6_1_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %number6_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_4 = arith.andi %given6_1_0, %number6_4_mask
                : vector<16xi32>
              %number7_4_by = arith.constant dense<4> : vector<16xi32>
              %number7_4_moved = arith.shrui %given6_1_0, %number7_4_by
                : vector<16xi32>
              %number7_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_4 = arith.andi %number7_4_moved, %number7_4_mask
                : vector<16xi32>
              %number6_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_5 = arith.andi %given6_1_1, %number6_5_mask
                : vector<16xi32>
              %number7_5_by = arith.constant dense<4> : vector<16xi32>
              %number7_5_moved = arith.shrui %given6_1_1, %number7_5_by
                : vector<16xi32>
              %number7_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_5 = arith.andi %number7_5_moved, %number7_5_mask
                : vector<16xi32>
              %number6_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_6 = arith.andi %given6_1_2, %number6_6_mask
                : vector<16xi32>
              %number7_6_by = arith.constant dense<4> : vector<16xi32>
              %number7_6_moved = arith.shrui %given6_1_2, %number7_6_by
                : vector<16xi32>
              %number7_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_6 = arith.andi %number7_6_moved, %number7_6_mask
                : vector<16xi32>
              %number6_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_7 = arith.andi %given6_1_3, %number6_7_mask
                : vector<16xi32>
              %number7_7_by = arith.constant dense<4> : vector<16xi32>
              %number7_7_moved = arith.shrui %given6_1_3, %number7_7_by
                : vector<16xi32>
              %number7_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_7 = arith.andi %number7_7_moved, %number7_7_mask
                : vector<16xi32>
              %scale6_low_by = arith.constant dense<16> : vector<16xi32>
              %scale6_low_moved = arith.shrui %head_3, %scale6_low_by
                : vector<16xi32>
              %scale6_low_mask = arith.constant dense<15> : vector<16xi32>
              %scale6_low = arith.andi %scale6_low_moved, %scale6_low_mask
                : vector<16xi32>
              %scale6_high_by = arith.constant dense<18> : vector<16xi32>
              %scale6_high_moved = arith.shrui %head_1, %scale6_high_by
                : vector<16xi32>
              %scale6_high_mask = arith.constant dense<48> : vector<16xi32>
              %scale6_high = arith.andi %scale6_high_moved, %scale6_high_mask
                : vector<16xi32>
              %scale6_whole = arith.ori %scale6_low, %scale6_high : vector<16xi32>
              %scale6_real = arith.sitofp %scale6_whole : vector<16xi32> to vector<16xf32>
              %scale6 = arith.mulf %scale6_real, %scale_of_block : vector<16xf32>
              %scale7_low_by = arith.constant dense<24> : vector<16xi32>
              %scale7_low_moved = arith.shrui %head_3, %scale7_low_by
                : vector<16xi32>
              %scale7_low_mask = arith.constant dense<15> : vector<16xi32>
              %scale7_low = arith.andi %scale7_low_moved, %scale7_low_mask
                : vector<16xi32>
              %scale7_high_by = arith.constant dense<26> : vector<16xi32>
              %scale7_high_moved = arith.shrui %head_1, %scale7_high_by
                : vector<16xi32>
              %scale7_high_mask = arith.constant dense<48> : vector<16xi32>
              %scale7_high = arith.andi %scale7_high_moved, %scale7_high_mask
                : vector<16xi32>
              %scale7_whole = arith.ori %scale7_low, %scale7_high : vector<16xi32>
              %scale7_real = arith.sitofp %scale7_whole : vector<16xi32> to vector<16xf32>
              %scale7 = arith.mulf %scale7_real, %scale_of_block : vector<16xf32>
              %minimum6_low_by = arith.constant dense<20> : vector<16xi32>
              %minimum6_low_moved = arith.shrui %head_3, %minimum6_low_by
                : vector<16xi32>
              %minimum6_low_mask = arith.constant dense<15> : vector<16xi32>
              %minimum6_low = arith.andi %minimum6_low_moved, %minimum6_low_mask
                : vector<16xi32>
              %minimum6_high_by = arith.constant dense<18> : vector<16xi32>
              %minimum6_high_moved = arith.shrui %head_2, %minimum6_high_by
                : vector<16xi32>
              %minimum6_high_mask = arith.constant dense<48> : vector<16xi32>
              %minimum6_high = arith.andi %minimum6_high_moved, %minimum6_high_mask
                : vector<16xi32>
              %minimum6_whole = arith.ori %minimum6_low, %minimum6_high : vector<16xi32>
              %minimum6_real = arith.sitofp %minimum6_whole : vector<16xi32> to vector<16xf32>
              %minimum6 = arith.mulf %minimum6_real, %minimum_of_block : vector<16xf32>
              %minimum7_low_by = arith.constant dense<28> : vector<16xi32>
              %minimum7_low_moved = arith.shrui %head_3, %minimum7_low_by
                : vector<16xi32>
              %minimum7_low_mask = arith.constant dense<15> : vector<16xi32>
              %minimum7_low = arith.andi %minimum7_low_moved, %minimum7_low_mask
                : vector<16xi32>
              %minimum7_high_by = arith.constant dense<26> : vector<16xi32>
              %minimum7_high_moved = arith.shrui %head_2, %minimum7_high_by
                : vector<16xi32>
              %minimum7_high_mask = arith.constant dense<48> : vector<16xi32>
              %minimum7_high = arith.andi %minimum7_high_moved, %minimum7_high_mask
                : vector<16xi32>
              %minimum7_whole = arith.ori %minimum7_low, %minimum7_high : vector<16xi32>
              %minimum7_real = arith.sitofp %minimum7_whole : vector<16xi32> to vector<16xf32>
              %minimum7 = arith.mulf %minimum7_real, %minimum_of_block : vector<16xf32>
              %k6_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 192)>(%d, %b)
              %left6_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_0_word = vector.bitcast %left6_0_bytes : vector<4xi8> to vector<1xi32>
              %left6_0_alone = vector.extract %left6_0_word[0] : i32 from vector<1xi32>
              %left6_0_words = vector.broadcast %left6_0_alone : i32 to vector<16xi32>
              %left6_0 = vector.bitcast %left6_0_words : vector<16xi32> to vector<64xi8>
              %k6_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 196)>(%d, %b)
              %left6_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_1_word = vector.bitcast %left6_1_bytes : vector<4xi8> to vector<1xi32>
              %left6_1_alone = vector.extract %left6_1_word[0] : i32 from vector<1xi32>
              %left6_1_words = vector.broadcast %left6_1_alone : i32 to vector<16xi32>
              %left6_1 = vector.bitcast %left6_1_words : vector<16xi32> to vector<64xi8>
              %k6_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 200)>(%d, %b)
              %left6_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_2_word = vector.bitcast %left6_2_bytes : vector<4xi8> to vector<1xi32>
              %left6_2_alone = vector.extract %left6_2_word[0] : i32 from vector<1xi32>
              %left6_2_words = vector.broadcast %left6_2_alone : i32 to vector<16xi32>
              %left6_2 = vector.bitcast %left6_2_words : vector<16xi32> to vector<64xi8>
              %k6_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 204)>(%d, %b)
              %left6_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_3_word = vector.bitcast %left6_3_bytes : vector<4xi8> to vector<1xi32>
              %left6_3_alone = vector.extract %left6_3_word[0] : i32 from vector<1xi32>
              %left6_3_words = vector.broadcast %left6_3_alone : i32 to vector<16xi32>
              %left6_3 = vector.bitcast %left6_3_words : vector<16xi32> to vector<64xi8>
              %k6_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 208)>(%d, %b)
              %left6_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_4_word = vector.bitcast %left6_4_bytes : vector<4xi8> to vector<1xi32>
              %left6_4_alone = vector.extract %left6_4_word[0] : i32 from vector<1xi32>
              %left6_4_words = vector.broadcast %left6_4_alone : i32 to vector<16xi32>
              %left6_4 = vector.bitcast %left6_4_words : vector<16xi32> to vector<64xi8>
              %k6_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 212)>(%d, %b)
              %left6_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_5_word = vector.bitcast %left6_5_bytes : vector<4xi8> to vector<1xi32>
              %left6_5_alone = vector.extract %left6_5_word[0] : i32 from vector<1xi32>
              %left6_5_words = vector.broadcast %left6_5_alone : i32 to vector<16xi32>
              %left6_5 = vector.bitcast %left6_5_words : vector<16xi32> to vector<64xi8>
              %k6_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 216)>(%d, %b)
              %left6_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_6_word = vector.bitcast %left6_6_bytes : vector<4xi8> to vector<1xi32>
              %left6_6_alone = vector.extract %left6_6_word[0] : i32 from vector<1xi32>
              %left6_6_words = vector.broadcast %left6_6_alone : i32 to vector<16xi32>
              %left6_6 = vector.bitcast %left6_6_words : vector<16xi32> to vector<64xi8>
              %k6_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 220)>(%d, %b)
              %left6_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_7_word = vector.bitcast %left6_7_bytes : vector<4xi8> to vector<1xi32>
              %left6_7_alone = vector.extract %left6_7_word[0] : i32 from vector<1xi32>
              %left6_7_words = vector.broadcast %left6_7_alone : i32 to vector<16xi32>
              %left6_7 = vector.bitcast %left6_7_words : vector<16xi32> to vector<64xi8>
              %scale_place6 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 6)>(%d, %b)
              %token_scale_alone6 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place6] : tensor<1x8xf32>
              %token_scale6 = vector.broadcast %token_scale_alone6 : f32 to vector<16xf32>
              %sum_place6 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 6)>(%d, %b)
              %token_sum_alone6 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place6] : tensor<1x8xf32>
              %token_sum6 = vector.broadcast %token_sum_alone6
                : f32 to vector<16xf32>

              %dot6_1_right = vector.bitcast %number6_0
                : vector<16xi32> to vector<64xi8>
              %dot6_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot6_1_right, %left6_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1728($2)",
                "=v,0,r" %number6_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_2_right = vector.bitcast %number6_1_held
                : vector<16xi32> to vector<64xi8>
              %dot6_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_1, %dot6_2_right, %left6_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot6_3_right = vector.bitcast %number6_2
                : vector<16xi32> to vector<64xi8>
              %dot6_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_2, %dot6_3_right, %left6_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1792($2)",
                "=v,0,r" %number6_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_4_right = vector.bitcast %number6_3_held
                : vector<16xi32> to vector<64xi8>
              %dot6_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_3, %dot6_4_right, %left6_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot6_5_right = vector.bitcast %number6_4
                : vector<16xi32> to vector<64xi8>
              %dot6_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_4, %dot6_5_right, %left6_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1856($2)",
                "=v,0,r" %number6_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_6_right = vector.bitcast %number6_5_held
                : vector<16xi32> to vector<64xi8>
              %dot6_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_5, %dot6_6_right, %left6_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot6_7_right = vector.bitcast %number6_6
                : vector<16xi32> to vector<64xi8>
              %dot6_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_6, %dot6_7_right, %left6_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1920($2)",
                "=v,0,r" %number6_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_right = vector.bitcast %number6_7_held
                : vector<16xi32> to vector<64xi8>
              %dot6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_7, %dot6_right, %left6_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken6 = vector.fma %minimum6, %token_sum6, %more5
                : vector<16xf32>
              %whole6 = arith.sitofp %dot6 : vector<16xi32> to vector<16xf32>
              %both6 = arith.mulf %scale6, %token_scale6 : vector<16xf32>
              %more6 = vector.fma %whole6, %both6,
                %taken6 : vector<16xf32>
              %k7_0 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 224)>(%d, %b)
              %left7_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_0_word = vector.bitcast %left7_0_bytes : vector<4xi8> to vector<1xi32>
              %left7_0_alone = vector.extract %left7_0_word[0] : i32 from vector<1xi32>
              %left7_0_words = vector.broadcast %left7_0_alone : i32 to vector<16xi32>
              %left7_0 = vector.bitcast %left7_0_words : vector<16xi32> to vector<64xi8>
              %k7_1 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 228)>(%d, %b)
              %left7_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_1_word = vector.bitcast %left7_1_bytes : vector<4xi8> to vector<1xi32>
              %left7_1_alone = vector.extract %left7_1_word[0] : i32 from vector<1xi32>
              %left7_1_words = vector.broadcast %left7_1_alone : i32 to vector<16xi32>
              %left7_1 = vector.bitcast %left7_1_words : vector<16xi32> to vector<64xi8>
              %k7_2 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 232)>(%d, %b)
              %left7_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_2_word = vector.bitcast %left7_2_bytes : vector<4xi8> to vector<1xi32>
              %left7_2_alone = vector.extract %left7_2_word[0] : i32 from vector<1xi32>
              %left7_2_words = vector.broadcast %left7_2_alone : i32 to vector<16xi32>
              %left7_2 = vector.bitcast %left7_2_words : vector<16xi32> to vector<64xi8>
              %k7_3 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 236)>(%d, %b)
              %left7_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_3_word = vector.bitcast %left7_3_bytes : vector<4xi8> to vector<1xi32>
              %left7_3_alone = vector.extract %left7_3_word[0] : i32 from vector<1xi32>
              %left7_3_words = vector.broadcast %left7_3_alone : i32 to vector<16xi32>
              %left7_3 = vector.bitcast %left7_3_words : vector<16xi32> to vector<64xi8>
              %k7_4 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 240)>(%d, %b)
              %left7_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_4_word = vector.bitcast %left7_4_bytes : vector<4xi8> to vector<1xi32>
              %left7_4_alone = vector.extract %left7_4_word[0] : i32 from vector<1xi32>
              %left7_4_words = vector.broadcast %left7_4_alone : i32 to vector<16xi32>
              %left7_4 = vector.bitcast %left7_4_words : vector<16xi32> to vector<64xi8>
              %k7_5 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 244)>(%d, %b)
              %left7_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_5_word = vector.bitcast %left7_5_bytes : vector<4xi8> to vector<1xi32>
              %left7_5_alone = vector.extract %left7_5_word[0] : i32 from vector<1xi32>
              %left7_5_words = vector.broadcast %left7_5_alone : i32 to vector<16xi32>
              %left7_5 = vector.bitcast %left7_5_words : vector<16xi32> to vector<64xi8>
              %k7_6 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 248)>(%d, %b)
              %left7_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_6_word = vector.bitcast %left7_6_bytes : vector<4xi8> to vector<1xi32>
              %left7_6_alone = vector.extract %left7_6_word[0] : i32 from vector<1xi32>
              %left7_6_words = vector.broadcast %left7_6_alone : i32 to vector<16xi32>
              %left7_6 = vector.bitcast %left7_6_words : vector<16xi32> to vector<64xi8>
              %k7_7 = affine.apply affine_map<(d, b) -> (d * 256
                + b * 256 + 252)>(%d, %b)
              %left7_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_7_word = vector.bitcast %left7_7_bytes : vector<4xi8> to vector<1xi32>
              %left7_7_alone = vector.extract %left7_7_word[0] : i32 from vector<1xi32>
              %left7_7_words = vector.broadcast %left7_7_alone : i32 to vector<16xi32>
              %left7_7 = vector.bitcast %left7_7_words : vector<16xi32> to vector<64xi8>
              %scale_place7 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 8
                + 7)>(%d, %b)
              %token_scale_alone7 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place7] : tensor<1x8xf32>
              %token_scale7 = vector.broadcast %token_scale_alone7 : f32 to vector<16xf32>
              %sum_place7 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 8 + 7)>(%d, %b)
              %token_sum_alone7 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place7] : tensor<1x8xf32>
              %token_sum7 = vector.broadcast %token_sum_alone7
                : f32 to vector<16xf32>
              %number7_0_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1984($2)",
                "=v,0,r" %number7_0, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_1_right = vector.bitcast %number7_0_held
                : vector<16xi32> to vector<64xi8>
              %dot7_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %no_words, %dot7_1_right, %left7_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot7_2_right = vector.bitcast %number7_1
                : vector<16xi32> to vector<64xi8>
              %dot7_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_1, %dot7_2_right, %left7_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2048($2)",
                "=v,0,r" %number7_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_3_right = vector.bitcast %number7_2_held
                : vector<16xi32> to vector<64xi8>
              %dot7_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_2, %dot7_3_right, %left7_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot7_4_right = vector.bitcast %number7_3
                : vector<16xi32> to vector<64xi8>
              %dot7_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_3, %dot7_4_right, %left7_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2112($2)",
                "=v,0,r" %number7_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_5_right = vector.bitcast %number7_4_held
                : vector<16xi32> to vector<64xi8>
              %dot7_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_4, %dot7_5_right, %left7_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>

              %dot7_6_right = vector.bitcast %number7_5
                : vector<16xi32> to vector<64xi8>
              %dot7_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_5, %dot7_6_right, %left7_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_6_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2176($2)",
                "=v,0,r" %number7_6, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_7_right = vector.bitcast %number7_6_held
                : vector<16xi32> to vector<64xi8>
              %dot7_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_6, %dot7_7_right, %left7_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2240($2)",
                "=v,0,r" %number7_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_right = vector.bitcast %number7_7_held
                : vector<16xi32> to vector<64xi8>
              %dot7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_7, %dot7_right, %left7_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %taken7 = vector.fma %minimum7, %token_sum7, %more6
                : vector<16xf32>
              %whole7 = arith.sitofp %dot7 : vector<16xi32> to vector<16xf32>
              %both7 = arith.mulf %scale7, %token_scale7 : vector<16xf32>
              %more7 = vector.fma %whole7, %both7,
                %taken7 : vector<16xf32>
              scf.yield %more7 : vector<16xf32>
            }
            scf.yield %of_blocks : vector<16xf32>
          }
          %column = affine.apply affine_map<(n, g) -> (n + g * 16)>(%n, %g)
          %with_group = vector.transfer_write %of_depth, %of_groups[%first_row, %column]
            {in_bounds = [false]} : vector<16xf32>, tensor<1x37xf32>
          scf.yield %with_group : tensor<1x37xf32>
        }
        scf.yield %of_panel : tensor<1x37xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [1, 37] [1, 1]
          : tensor<1x37xf32> into tensor<1x37xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [1, 37], strides = [1, 1]
      : tensor<1x37xf32> -> !acc_out
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
