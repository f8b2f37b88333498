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
!tokens_of_acc_sums_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8xi32>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x37xf32>>
!tokens_for_tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x256xf16>>
!tokens_of_acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x256xi8>>
!tokens_of_acc_scales_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8xf32>>
!tokens_of_acc_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8xi32>>
#rows = affine_map<(m, n) -> (m, n)>

func.func @linear(%hidden: !hidden, %weight: !weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %tokens_of_acc, %tokens_of_acc_scales, %tokens_of_acc_sums =
    flow.dispatch @tokens_of_acc_kernel::@tokens_of_acc_kernel(
      %tokens
    ) : (
      tensor<1x256xf16>
    ) -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xi32>)
  %acc =
    flow.dispatch @acc_kernel::@acc_kernel(
      %tokens_of_acc, %weight, %tokens_of_acc_scales, %tokens_of_acc_sums
    ) : (
      tensor<1x256xi8>,
      tensor<37x144xi8>,
      tensor<1x8xf32>,
      tensor<1x8xi32>
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
    %taken_times = arith.constant -8.0 : f32
    %empty0 = tensor.empty() : tensor<1x256xi8>
    %empty1 = tensor.empty() : tensor<1x8xf32>
    %empty2 = tensor.empty() : tensor<1x8xi32>
    %workgroups:3 = scf.forall (%m) in (%rows)
      shared_outs(%all0 = %empty0, %all1 = %empty1, %all2 = %empty2)
      -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xi32>) {
      %of_row:3 = scf.for %p = %none to %parts step %one
        iter_args(%so_far0 = %all0, %so_far1 = %all1, %so_far2 = %all2)
        -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xi32>) {
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
        %whole_times = arith.constant dense<-8> : vector<1xi32>
        %taken = arith.muli %counted, %whole_times : vector<1xi32>
        %sum_place = affine.apply affine_map<(p) -> (p * 1)>(%p)
        %with_sums = vector.transfer_write %taken, %so_far2[%m, %sum_place] {in_bounds = [true]}
          : vector<1xi32>, tensor<1x8xi32>
        scf.yield %with_numbers, %with_scale, %with_sums : tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xi32>
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
          : tensor<1x8xi32> into tensor<1x8xi32>
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
      : tensor<1x8xi32> -> !tokens_of_acc_sums_out
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
      : !tokens_of_acc_sums_of_acc -> tensor<1x8xi32>
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 256 : index
    %columns = arith.constant 37 : index
    %rows = arith.constant 1 : index
    %block_step = arith.constant 1 : index
    %depth_blocks = arith.constant 1 : index
    %one = arith.constant 1 : index
    %groups = arith.constant 2 : index
    %blocks = arith.constant 8 : index
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
    %halves = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : !words
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
      %blocks_at_once = arith.constant 8 : index
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
                affine_map<(s, b) -> (s + b * 18)>(%step_byte, %b)
              %ahead_byte = affine.apply affine_map<(d, b) -> (d * 2304
                + b * 288)>(%d, %b)
              %ahead_index = arith.addi %ahead_row, %ahead_byte : index
              %ahead_place = arith.index_cast %ahead_index : index to i64
              %piece0_bytes0_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes0 = vector.transfer_read %weight[%n0, %piece0_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column0 = vector.bitcast %piece0_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes1_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes1 = vector.transfer_read %weight[%n1, %piece0_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column1 = vector.bitcast %piece0_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes2_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes2 = vector.transfer_read %weight[%n2, %piece0_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column2 = vector.bitcast %piece0_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes3_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes3 = vector.transfer_read %weight[%n3, %piece0_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column3 = vector.bitcast %piece0_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes4_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes4 = vector.transfer_read %weight[%n4, %piece0_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column4 = vector.bitcast %piece0_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes5_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes5 = vector.transfer_read %weight[%n5, %piece0_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column5 = vector.bitcast %piece0_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes6_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes6 = vector.transfer_read %weight[%n6, %piece0_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column6 = vector.bitcast %piece0_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes7_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes7 = vector.transfer_read %weight[%n7, %piece0_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column7 = vector.bitcast %piece0_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes8_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes8 = vector.transfer_read %weight[%n8, %piece0_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column8 = vector.bitcast %piece0_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes9_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes9 = vector.transfer_read %weight[%n9, %piece0_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column9 = vector.bitcast %piece0_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes10_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes10 = vector.transfer_read %weight[%n10, %piece0_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column10 = vector.bitcast %piece0_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes11_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes11 = vector.transfer_read %weight[%n11, %piece0_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column11 = vector.bitcast %piece0_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes12_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes12 = vector.transfer_read %weight[%n12, %piece0_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column12 = vector.bitcast %piece0_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes13_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes13 = vector.transfer_read %weight[%n13, %piece0_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column13 = vector.bitcast %piece0_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes14_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes14 = vector.transfer_read %weight[%n14, %piece0_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column14 = vector.bitcast %piece0_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece0_bytes15_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
              %piece0_bytes15 = vector.transfer_read %weight[%n15, %piece0_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece0_column15 = vector.bitcast %piece0_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece0_two0 = vector.shuffle
                %piece0_column0, %piece0_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_two8 = vector.shuffle
                %piece0_column8, %piece0_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_row0 = vector.shuffle %piece0_two0, %piece0_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece0_two1 = vector.shuffle
                %piece0_column1, %piece0_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_two9 = vector.shuffle
                %piece0_column9, %piece0_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_row1 = vector.shuffle %piece0_two1, %piece0_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece0_two2 = vector.shuffle
                %piece0_column2, %piece0_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_two10 = vector.shuffle
                %piece0_column10, %piece0_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_row2 = vector.shuffle %piece0_two2, %piece0_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece0_two3 = vector.shuffle
                %piece0_column3, %piece0_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_two11 = vector.shuffle
                %piece0_column11, %piece0_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece0_row3 = vector.shuffle %piece0_two3, %piece0_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece0_low0 = vector.shuffle
                %piece0_row0, %piece0_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece0_low2 = vector.shuffle
                %piece0_row2, %piece0_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece0_0 = vector.shuffle %piece0_low0, %piece0_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece0_1 = vector.shuffle %piece0_low0, %piece0_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece0_high0 = vector.shuffle
                %piece0_row0, %piece0_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece0_high2 = vector.shuffle
                %piece0_row2, %piece0_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece0_2 = vector.shuffle %piece0_high0, %piece0_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece0_3 = vector.shuffle %piece0_high0, %piece0_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece1_bytes0_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes0 = vector.transfer_read %weight[%n0, %piece1_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column0 = vector.bitcast %piece1_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes1_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes1 = vector.transfer_read %weight[%n1, %piece1_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column1 = vector.bitcast %piece1_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes2_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes2 = vector.transfer_read %weight[%n2, %piece1_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column2 = vector.bitcast %piece1_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes3_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes3 = vector.transfer_read %weight[%n3, %piece1_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column3 = vector.bitcast %piece1_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes4_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes4 = vector.transfer_read %weight[%n4, %piece1_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column4 = vector.bitcast %piece1_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes5_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes5 = vector.transfer_read %weight[%n5, %piece1_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column5 = vector.bitcast %piece1_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes6_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes6 = vector.transfer_read %weight[%n6, %piece1_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column6 = vector.bitcast %piece1_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes7_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes7 = vector.transfer_read %weight[%n7, %piece1_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column7 = vector.bitcast %piece1_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes8_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes8 = vector.transfer_read %weight[%n8, %piece1_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column8 = vector.bitcast %piece1_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes9_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes9 = vector.transfer_read %weight[%n9, %piece1_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column9 = vector.bitcast %piece1_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes10_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes10 = vector.transfer_read %weight[%n10, %piece1_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column10 = vector.bitcast %piece1_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes11_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes11 = vector.transfer_read %weight[%n11, %piece1_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column11 = vector.bitcast %piece1_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes12_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes12 = vector.transfer_read %weight[%n12, %piece1_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column12 = vector.bitcast %piece1_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes13_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes13 = vector.transfer_read %weight[%n13, %piece1_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column13 = vector.bitcast %piece1_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes14_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes14 = vector.transfer_read %weight[%n14, %piece1_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column14 = vector.bitcast %piece1_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece1_bytes15_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
              %piece1_bytes15 = vector.transfer_read %weight[%n15, %piece1_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece1_column15 = vector.bitcast %piece1_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece1_two0 = vector.shuffle
                %piece1_column0, %piece1_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_two8 = vector.shuffle
                %piece1_column8, %piece1_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_row0 = vector.shuffle %piece1_two0, %piece1_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece1_two1 = vector.shuffle
                %piece1_column1, %piece1_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_two9 = vector.shuffle
                %piece1_column9, %piece1_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_row1 = vector.shuffle %piece1_two1, %piece1_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece1_two2 = vector.shuffle
                %piece1_column2, %piece1_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_two10 = vector.shuffle
                %piece1_column10, %piece1_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_row2 = vector.shuffle %piece1_two2, %piece1_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece1_two3 = vector.shuffle
                %piece1_column3, %piece1_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_two11 = vector.shuffle
                %piece1_column11, %piece1_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece1_row3 = vector.shuffle %piece1_two3, %piece1_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece1_low0 = vector.shuffle
                %piece1_row0, %piece1_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece1_low2 = vector.shuffle
                %piece1_row2, %piece1_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece1_0 = vector.shuffle %piece1_low0, %piece1_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece1_1 = vector.shuffle %piece1_low0, %piece1_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece1_high0 = vector.shuffle
                %piece1_row0, %piece1_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece1_high2 = vector.shuffle
                %piece1_row2, %piece1_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece1_2 = vector.shuffle %piece1_high0, %piece1_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece1_3 = vector.shuffle %piece1_high0, %piece1_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale0_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale0_word = arith.andi %piece0_0, %scale0_word_mask
                : vector<16xi32>
              %scale0_bits = arith.trunci %scale0_word : vector<16xi32> to vector<16xi16>
              %scale0_half = arith.bitcast %scale0_bits : vector<16xi16> to vector<16xf16>
              %scale0 = arith.extf %scale0_half : vector<16xf16> to vector<16xf32>
              %scale_place0 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 0)>(%d, %b)
              %token_scale_alone0 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place0] : tensor<1x8xf32>
              %token_scale0 = vector.broadcast %token_scale_alone0 : f32 to vector<16xf32>
              %sum_place0 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 0)>(%d, %b)
              %token_sum_alone0 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place0] : tensor<1x8xi32>
              %token_sum0 = vector.broadcast %token_sum_alone0
                : i32 to vector<16xi32>
              %number0_0_by = arith.constant dense<16> : vector<16xi32>
              %number0_0_moved = arith.shrui %piece0_0, %number0_0_by
                : vector<16xi32>
              %number0_0_mask = arith.constant dense<3855> : vector<16xi32>
              %number0_0 = arith.andi %number0_0_moved, %number0_0_mask
                : vector<16xi32>
              %k0_0 = affine.apply
                affine_map<(d) -> (d * 256 + 0)>(%d)
              %left0_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_0_word = vector.bitcast %left0_0_bytes : vector<4xi8> to vector<1xi32>
              %left0_0_alone = vector.extract %left0_0_word[0] : i32 from vector<1xi32>
              %left0_0_words = vector.broadcast %left0_0_alone : i32 to vector<16xi32>
              %left0_0 = vector.bitcast %left0_0_words : vector<16xi32> to vector<64xi8>

              %dot0_1_right = vector.bitcast %number0_0
                : vector<16xi32> to vector<64xi8>
              %dot0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum0, %dot0_1_right, %left0_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_1_by = arith.constant dense<20> : vector<16xi32>
              %number0_1_moved = arith.shrui %piece0_0, %number0_1_by
                : vector<16xi32>
              %number0_1_mask = arith.constant dense<3855> : vector<16xi32>
              %number0_1 = arith.andi %number0_1_moved, %number0_1_mask
                : vector<16xi32>
              %k0_1 = affine.apply
                affine_map<(d) -> (d * 256 + 16)>(%d)
              %left0_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_1_word = vector.bitcast %left0_1_bytes : vector<4xi8> to vector<1xi32>
              %left0_1_alone = vector.extract %left0_1_word[0] : i32 from vector<1xi32>
              %left0_1_words = vector.broadcast %left0_1_alone : i32 to vector<16xi32>
              %left0_1 = vector.bitcast %left0_1_words : vector<16xi32> to vector<64xi8>
              %number0_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 0($2)",
                "=v,0,r" %number0_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_2_right = vector.bitcast %number0_1_held
                : vector<16xi32> to vector<64xi8>
              %dot0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1, %dot0_2_right, %left0_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_2 = arith.andi %piece0_1, %number0_2_mask
                : vector<16xi32>
              %k0_2 = affine.apply
                affine_map<(d) -> (d * 256 + 2)>(%d)
              %left0_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_2_word = vector.bitcast %left0_2_bytes : vector<4xi8> to vector<1xi32>
              %left0_2_alone = vector.extract %left0_2_word[0] : i32 from vector<1xi32>
              %left0_2_words = vector.broadcast %left0_2_alone : i32 to vector<16xi32>
              %left0_2 = vector.bitcast %left0_2_words : vector<16xi32> to vector<64xi8>
              %number0_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 64($2)",
                "=v,0,r" %number0_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_3_right = vector.bitcast %number0_2_held
                : vector<16xi32> to vector<64xi8>
              %dot0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_2, %dot0_3_right, %left0_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_3_by = arith.constant dense<4> : vector<16xi32>
              %number0_3_moved = arith.shrui %piece0_1, %number0_3_by
                : vector<16xi32>
              %number0_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_3 = arith.andi %number0_3_moved, %number0_3_mask
                : vector<16xi32>
              %k0_3 = affine.apply
                affine_map<(d) -> (d * 256 + 18)>(%d)
              %left0_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_3_word = vector.bitcast %left0_3_bytes : vector<4xi8> to vector<1xi32>
              %left0_3_alone = vector.extract %left0_3_word[0] : i32 from vector<1xi32>
              %left0_3_words = vector.broadcast %left0_3_alone : i32 to vector<16xi32>
              %left0_3 = vector.bitcast %left0_3_words : vector<16xi32> to vector<64xi8>
              %number0_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 128($2)",
                "=v,0,r" %number0_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_4_right = vector.bitcast %number0_3_held
                : vector<16xi32> to vector<64xi8>
              %dot0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_3, %dot0_4_right, %left0_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_4 = arith.andi %piece0_2, %number0_4_mask
                : vector<16xi32>
              %k0_4 = affine.apply
                affine_map<(d) -> (d * 256 + 6)>(%d)
              %left0_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_4_word = vector.bitcast %left0_4_bytes : vector<4xi8> to vector<1xi32>
              %left0_4_alone = vector.extract %left0_4_word[0] : i32 from vector<1xi32>
              %left0_4_words = vector.broadcast %left0_4_alone : i32 to vector<16xi32>
              %left0_4 = vector.bitcast %left0_4_words : vector<16xi32> to vector<64xi8>
              %number0_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 192($2)",
                "=v,0,r" %number0_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_5_right = vector.bitcast %number0_4_held
                : vector<16xi32> to vector<64xi8>
              %dot0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_4, %dot0_5_right, %left0_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_5_by = arith.constant dense<4> : vector<16xi32>
              %number0_5_moved = arith.shrui %piece0_2, %number0_5_by
                : vector<16xi32>
              %number0_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_5 = arith.andi %number0_5_moved, %number0_5_mask
                : vector<16xi32>
              %k0_5 = affine.apply
                affine_map<(d) -> (d * 256 + 22)>(%d)
              %left0_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_5_word = vector.bitcast %left0_5_bytes : vector<4xi8> to vector<1xi32>
              %left0_5_alone = vector.extract %left0_5_word[0] : i32 from vector<1xi32>
              %left0_5_words = vector.broadcast %left0_5_alone : i32 to vector<16xi32>
              %left0_5 = vector.bitcast %left0_5_words : vector<16xi32> to vector<64xi8>

              %dot0_6_right = vector.bitcast %number0_5
                : vector<16xi32> to vector<64xi8>
              %dot0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_5, %dot0_6_right, %left0_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_6 = arith.andi %piece0_3, %number0_6_mask
                : vector<16xi32>
              %k0_6 = affine.apply
                affine_map<(d) -> (d * 256 + 10)>(%d)
              %left0_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_6_word = vector.bitcast %left0_6_bytes : vector<4xi8> to vector<1xi32>
              %left0_6_alone = vector.extract %left0_6_word[0] : i32 from vector<1xi32>
              %left0_6_words = vector.broadcast %left0_6_alone : i32 to vector<16xi32>
              %left0_6 = vector.bitcast %left0_6_words : vector<16xi32> to vector<64xi8>
              %number0_6_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 256($2)",
                "=v,0,r" %number0_6, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_7_right = vector.bitcast %number0_6_held
                : vector<16xi32> to vector<64xi8>
              %dot0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_6, %dot0_7_right, %left0_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_7_by = arith.constant dense<4> : vector<16xi32>
              %number0_7_moved = arith.shrui %piece0_3, %number0_7_by
                : vector<16xi32>
              %number0_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number0_7 = arith.andi %number0_7_moved, %number0_7_mask
                : vector<16xi32>
              %k0_7 = affine.apply
                affine_map<(d) -> (d * 256 + 26)>(%d)
              %left0_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_7_word = vector.bitcast %left0_7_bytes : vector<4xi8> to vector<1xi32>
              %left0_7_alone = vector.extract %left0_7_word[0] : i32 from vector<1xi32>
              %left0_7_words = vector.broadcast %left0_7_alone : i32 to vector<16xi32>
              %left0_7 = vector.bitcast %left0_7_words : vector<16xi32> to vector<64xi8>
              %number0_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 320($2)",
                "=v,0,r" %number0_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_8_right = vector.bitcast %number0_7_held
                : vector<16xi32> to vector<64xi8>
              %dot0_8 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_7, %dot0_8_right, %left0_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_8_mask = arith.constant dense<3855> : vector<16xi32>
              %number0_8 = arith.andi %piece1_0, %number0_8_mask
                : vector<16xi32>
              %k0_8 = affine.apply
                affine_map<(d) -> (d * 256 + 14)>(%d)
              %left0_8_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_8], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_8_word = vector.bitcast %left0_8_bytes : vector<4xi8> to vector<1xi32>
              %left0_8_alone = vector.extract %left0_8_word[0] : i32 from vector<1xi32>
              %left0_8_words = vector.broadcast %left0_8_alone : i32 to vector<16xi32>
              %left0_8 = vector.bitcast %left0_8_words : vector<16xi32> to vector<64xi8>
              %number0_8_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 384($2)",
                "=v,0,r" %number0_8, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_9_right = vector.bitcast %number0_8_held
                : vector<16xi32> to vector<64xi8>
              %dot0_9 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_8, %dot0_9_right, %left0_8)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number0_9_by = arith.constant dense<4> : vector<16xi32>
              %number0_9_moved = arith.shrui %piece1_0, %number0_9_by
                : vector<16xi32>
              %number0_9_mask = arith.constant dense<3855> : vector<16xi32>
              %number0_9 = arith.andi %number0_9_moved, %number0_9_mask
                : vector<16xi32>
              %k0_9 = affine.apply
                affine_map<(d) -> (d * 256 + 30)>(%d)
              %left0_9_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k0_9], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left0_9_word = vector.bitcast %left0_9_bytes : vector<4xi8> to vector<1xi32>
              %left0_9_alone = vector.extract %left0_9_word[0] : i32 from vector<1xi32>
              %left0_9_words = vector.broadcast %left0_9_alone : i32 to vector<16xi32>
              %left0_9 = vector.bitcast %left0_9_words : vector<16xi32> to vector<64xi8>
              %number0_9_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 448($2)",
                "=v,0,r" %number0_9, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot0_right = vector.bitcast %number0_9_held
                : vector<16xi32> to vector<64xi8>
              %dot0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_9, %dot0_right, %left0_9)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole0 = arith.sitofp %dot0 : vector<16xi32> to vector<16xf32>
              %both0 = arith.mulf %scale0, %token_scale0 : vector<16xf32>
              %more0 = vector.fma %whole0, %both0,
                %so_far : vector<16xf32>
              %piece2_bytes0_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes0 = vector.transfer_read %weight[%n0, %piece2_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column0 = vector.bitcast %piece2_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes1_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes1 = vector.transfer_read %weight[%n1, %piece2_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column1 = vector.bitcast %piece2_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes2_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes2 = vector.transfer_read %weight[%n2, %piece2_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column2 = vector.bitcast %piece2_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes3_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes3 = vector.transfer_read %weight[%n3, %piece2_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column3 = vector.bitcast %piece2_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes4_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes4 = vector.transfer_read %weight[%n4, %piece2_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column4 = vector.bitcast %piece2_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes5_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes5 = vector.transfer_read %weight[%n5, %piece2_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column5 = vector.bitcast %piece2_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes6_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes6 = vector.transfer_read %weight[%n6, %piece2_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column6 = vector.bitcast %piece2_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes7_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes7 = vector.transfer_read %weight[%n7, %piece2_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column7 = vector.bitcast %piece2_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes8_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes8 = vector.transfer_read %weight[%n8, %piece2_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column8 = vector.bitcast %piece2_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes9_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes9 = vector.transfer_read %weight[%n9, %piece2_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column9 = vector.bitcast %piece2_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes10_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes10 = vector.transfer_read %weight[%n10, %piece2_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column10 = vector.bitcast %piece2_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes11_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes11 = vector.transfer_read %weight[%n11, %piece2_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column11 = vector.bitcast %piece2_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes12_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes12 = vector.transfer_read %weight[%n12, %piece2_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column12 = vector.bitcast %piece2_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes13_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes13 = vector.transfer_read %weight[%n13, %piece2_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column13 = vector.bitcast %piece2_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes14_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes14 = vector.transfer_read %weight[%n14, %piece2_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column14 = vector.bitcast %piece2_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece2_bytes15_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
              %piece2_bytes15 = vector.transfer_read %weight[%n15, %piece2_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece2_column15 = vector.bitcast %piece2_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece2_two0 = vector.shuffle
                %piece2_column0, %piece2_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_two8 = vector.shuffle
                %piece2_column8, %piece2_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_row0 = vector.shuffle %piece2_two0, %piece2_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece2_two1 = vector.shuffle
                %piece2_column1, %piece2_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_two9 = vector.shuffle
                %piece2_column9, %piece2_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_row1 = vector.shuffle %piece2_two1, %piece2_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece2_two2 = vector.shuffle
                %piece2_column2, %piece2_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_two10 = vector.shuffle
                %piece2_column10, %piece2_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_row2 = vector.shuffle %piece2_two2, %piece2_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece2_two3 = vector.shuffle
                %piece2_column3, %piece2_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_two11 = vector.shuffle
                %piece2_column11, %piece2_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece2_row3 = vector.shuffle %piece2_two3, %piece2_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece2_low0 = vector.shuffle
                %piece2_row0, %piece2_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece2_low2 = vector.shuffle
                %piece2_row2, %piece2_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece2_0 = vector.shuffle %piece2_low0, %piece2_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece2_1 = vector.shuffle %piece2_low0, %piece2_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece2_high0 = vector.shuffle
                %piece2_row0, %piece2_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece2_high2 = vector.shuffle
                %piece2_row2, %piece2_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece2_2 = vector.shuffle %piece2_high0, %piece2_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece2_3 = vector.shuffle %piece2_high0, %piece2_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale1_word_by = arith.constant dense<16> : vector<16xi32>
              %scale1_word_moved = arith.shrui %piece1_0, %scale1_word_by
                : vector<16xi32>
              %scale1_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale1_word = arith.andi %scale1_word_moved, %scale1_word_mask
                : vector<16xi32>
              %scale1_bits = arith.trunci %scale1_word : vector<16xi32> to vector<16xi16>
              %scale1_half = arith.bitcast %scale1_bits : vector<16xi16> to vector<16xf16>
              %scale1 = arith.extf %scale1_half : vector<16xf16> to vector<16xf32>
              %scale_place1 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 1)>(%d, %b)
              %token_scale_alone1 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place1] : tensor<1x8xf32>
              %token_scale1 = vector.broadcast %token_scale_alone1 : f32 to vector<16xf32>
              %sum_place1 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 1)>(%d, %b)
              %token_sum_alone1 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place1] : tensor<1x8xi32>
              %token_sum1 = vector.broadcast %token_sum_alone1
                : i32 to vector<16xi32>
              %number1_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_0 = arith.andi %piece1_1, %number1_0_mask
                : vector<16xi32>
              %k1_0 = affine.apply
                affine_map<(d) -> (d * 256 + 32)>(%d)
              %left1_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_0_word = vector.bitcast %left1_0_bytes : vector<4xi8> to vector<1xi32>
              %left1_0_alone = vector.extract %left1_0_word[0] : i32 from vector<1xi32>
              %left1_0_words = vector.broadcast %left1_0_alone : i32 to vector<16xi32>
              %left1_0 = vector.bitcast %left1_0_words : vector<16xi32> to vector<64xi8>

              %dot1_1_right = vector.bitcast %number1_0
                : vector<16xi32> to vector<64xi8>
              %dot1_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum1, %dot1_1_right, %left1_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_1_by = arith.constant dense<4> : vector<16xi32>
              %number1_1_moved = arith.shrui %piece1_1, %number1_1_by
                : vector<16xi32>
              %number1_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_1 = arith.andi %number1_1_moved, %number1_1_mask
                : vector<16xi32>
              %k1_1 = affine.apply
                affine_map<(d) -> (d * 256 + 48)>(%d)
              %left1_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_1_word = vector.bitcast %left1_1_bytes : vector<4xi8> to vector<1xi32>
              %left1_1_alone = vector.extract %left1_1_word[0] : i32 from vector<1xi32>
              %left1_1_words = vector.broadcast %left1_1_alone : i32 to vector<16xi32>
              %left1_1 = vector.bitcast %left1_1_words : vector<16xi32> to vector<64xi8>
              %number1_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 512($2)",
                "=v,0,r" %number1_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_2_right = vector.bitcast %number1_1_held
                : vector<16xi32> to vector<64xi8>
              %dot1_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1, %dot1_2_right, %left1_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_2 = arith.andi %piece1_2, %number1_2_mask
                : vector<16xi32>
              %k1_2 = affine.apply
                affine_map<(d) -> (d * 256 + 36)>(%d)
              %left1_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_2_word = vector.bitcast %left1_2_bytes : vector<4xi8> to vector<1xi32>
              %left1_2_alone = vector.extract %left1_2_word[0] : i32 from vector<1xi32>
              %left1_2_words = vector.broadcast %left1_2_alone : i32 to vector<16xi32>
              %left1_2 = vector.bitcast %left1_2_words : vector<16xi32> to vector<64xi8>

              %dot1_3_right = vector.bitcast %number1_2
                : vector<16xi32> to vector<64xi8>
              %dot1_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_2, %dot1_3_right, %left1_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_3_by = arith.constant dense<4> : vector<16xi32>
              %number1_3_moved = arith.shrui %piece1_2, %number1_3_by
                : vector<16xi32>
              %number1_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_3 = arith.andi %number1_3_moved, %number1_3_mask
                : vector<16xi32>
              %k1_3 = affine.apply
                affine_map<(d) -> (d * 256 + 52)>(%d)
              %left1_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_3_word = vector.bitcast %left1_3_bytes : vector<4xi8> to vector<1xi32>
              %left1_3_alone = vector.extract %left1_3_word[0] : i32 from vector<1xi32>
              %left1_3_words = vector.broadcast %left1_3_alone : i32 to vector<16xi32>
              %left1_3 = vector.bitcast %left1_3_words : vector<16xi32> to vector<64xi8>
              %number1_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 576($2)",
                "=v,0,r" %number1_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_4_right = vector.bitcast %number1_3_held
                : vector<16xi32> to vector<64xi8>
              %dot1_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_3, %dot1_4_right, %left1_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_4 = arith.andi %piece1_3, %number1_4_mask
                : vector<16xi32>
              %k1_4 = affine.apply
                affine_map<(d) -> (d * 256 + 40)>(%d)
              %left1_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_4_word = vector.bitcast %left1_4_bytes : vector<4xi8> to vector<1xi32>
              %left1_4_alone = vector.extract %left1_4_word[0] : i32 from vector<1xi32>
              %left1_4_words = vector.broadcast %left1_4_alone : i32 to vector<16xi32>
              %left1_4 = vector.bitcast %left1_4_words : vector<16xi32> to vector<64xi8>

              %dot1_5_right = vector.bitcast %number1_4
                : vector<16xi32> to vector<64xi8>
              %dot1_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_4, %dot1_5_right, %left1_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_5_by = arith.constant dense<4> : vector<16xi32>
              %number1_5_moved = arith.shrui %piece1_3, %number1_5_by
                : vector<16xi32>
              %number1_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_5 = arith.andi %number1_5_moved, %number1_5_mask
                : vector<16xi32>
              %k1_5 = affine.apply
                affine_map<(d) -> (d * 256 + 56)>(%d)
              %left1_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_5_word = vector.bitcast %left1_5_bytes : vector<4xi8> to vector<1xi32>
              %left1_5_alone = vector.extract %left1_5_word[0] : i32 from vector<1xi32>
              %left1_5_words = vector.broadcast %left1_5_alone : i32 to vector<16xi32>
              %left1_5 = vector.bitcast %left1_5_words : vector<16xi32> to vector<64xi8>
              %number1_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 640($2)",
                "=v,0,r" %number1_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_6_right = vector.bitcast %number1_5_held
                : vector<16xi32> to vector<64xi8>
              %dot1_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_5, %dot1_6_right, %left1_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_6 = arith.andi %piece2_0, %number1_6_mask
                : vector<16xi32>
              %k1_6 = affine.apply
                affine_map<(d) -> (d * 256 + 44)>(%d)
              %left1_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_6_word = vector.bitcast %left1_6_bytes : vector<4xi8> to vector<1xi32>
              %left1_6_alone = vector.extract %left1_6_word[0] : i32 from vector<1xi32>
              %left1_6_words = vector.broadcast %left1_6_alone : i32 to vector<16xi32>
              %left1_6 = vector.bitcast %left1_6_words : vector<16xi32> to vector<64xi8>

              %dot1_7_right = vector.bitcast %number1_6
                : vector<16xi32> to vector<64xi8>
              %dot1_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_6, %dot1_7_right, %left1_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number1_7_by = arith.constant dense<4> : vector<16xi32>
              %number1_7_moved = arith.shrui %piece2_0, %number1_7_by
                : vector<16xi32>
              %number1_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number1_7 = arith.andi %number1_7_moved, %number1_7_mask
                : vector<16xi32>
              %k1_7 = affine.apply
                affine_map<(d) -> (d * 256 + 60)>(%d)
              %left1_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k1_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left1_7_word = vector.bitcast %left1_7_bytes : vector<4xi8> to vector<1xi32>
              %left1_7_alone = vector.extract %left1_7_word[0] : i32 from vector<1xi32>
              %left1_7_words = vector.broadcast %left1_7_alone : i32 to vector<16xi32>
              %left1_7 = vector.bitcast %left1_7_words : vector<16xi32> to vector<64xi8>
              %number1_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 704($2)",
                "=v,0,r" %number1_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot1_right = vector.bitcast %number1_7_held
                : vector<16xi32> to vector<64xi8>
              %dot1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_7, %dot1_right, %left1_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole1 = arith.sitofp %dot1 : vector<16xi32> to vector<16xf32>
              %both1 = arith.mulf %scale1, %token_scale1 : vector<16xf32>
              %more1 = vector.fma %whole1, %both1,
                %more0 : vector<16xf32>
              %piece3_bytes0_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes0 = vector.transfer_read %weight[%n0, %piece3_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column0 = vector.bitcast %piece3_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes1_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes1 = vector.transfer_read %weight[%n1, %piece3_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column1 = vector.bitcast %piece3_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes2_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes2 = vector.transfer_read %weight[%n2, %piece3_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column2 = vector.bitcast %piece3_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes3_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes3 = vector.transfer_read %weight[%n3, %piece3_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column3 = vector.bitcast %piece3_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes4_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes4 = vector.transfer_read %weight[%n4, %piece3_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column4 = vector.bitcast %piece3_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes5_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes5 = vector.transfer_read %weight[%n5, %piece3_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column5 = vector.bitcast %piece3_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes6_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes6 = vector.transfer_read %weight[%n6, %piece3_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column6 = vector.bitcast %piece3_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes7_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes7 = vector.transfer_read %weight[%n7, %piece3_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column7 = vector.bitcast %piece3_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes8_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes8 = vector.transfer_read %weight[%n8, %piece3_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column8 = vector.bitcast %piece3_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes9_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes9 = vector.transfer_read %weight[%n9, %piece3_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column9 = vector.bitcast %piece3_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes10_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes10 = vector.transfer_read %weight[%n10, %piece3_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column10 = vector.bitcast %piece3_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes11_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes11 = vector.transfer_read %weight[%n11, %piece3_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column11 = vector.bitcast %piece3_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes12_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes12 = vector.transfer_read %weight[%n12, %piece3_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column12 = vector.bitcast %piece3_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes13_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes13 = vector.transfer_read %weight[%n13, %piece3_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column13 = vector.bitcast %piece3_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes14_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes14 = vector.transfer_read %weight[%n14, %piece3_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column14 = vector.bitcast %piece3_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece3_bytes15_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
              %piece3_bytes15 = vector.transfer_read %weight[%n15, %piece3_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece3_column15 = vector.bitcast %piece3_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece3_two0 = vector.shuffle
                %piece3_column0, %piece3_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_two8 = vector.shuffle
                %piece3_column8, %piece3_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_row0 = vector.shuffle %piece3_two0, %piece3_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece3_two1 = vector.shuffle
                %piece3_column1, %piece3_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_two9 = vector.shuffle
                %piece3_column9, %piece3_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_row1 = vector.shuffle %piece3_two1, %piece3_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece3_two2 = vector.shuffle
                %piece3_column2, %piece3_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_two10 = vector.shuffle
                %piece3_column10, %piece3_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_row2 = vector.shuffle %piece3_two2, %piece3_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece3_two3 = vector.shuffle
                %piece3_column3, %piece3_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_two11 = vector.shuffle
                %piece3_column11, %piece3_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece3_row3 = vector.shuffle %piece3_two3, %piece3_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece3_low0 = vector.shuffle
                %piece3_row0, %piece3_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece3_low2 = vector.shuffle
                %piece3_row2, %piece3_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece3_0 = vector.shuffle %piece3_low0, %piece3_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece3_1 = vector.shuffle %piece3_low0, %piece3_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece3_high0 = vector.shuffle
                %piece3_row0, %piece3_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece3_high2 = vector.shuffle
                %piece3_row2, %piece3_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece3_2 = vector.shuffle %piece3_high0, %piece3_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece3_3 = vector.shuffle %piece3_high0, %piece3_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale2_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale2_word = arith.andi %piece2_1, %scale2_word_mask
                : vector<16xi32>
              %scale2_bits = arith.trunci %scale2_word : vector<16xi32> to vector<16xi16>
              %scale2_half = arith.bitcast %scale2_bits : vector<16xi16> to vector<16xf16>
              %scale2 = arith.extf %scale2_half : vector<16xf16> to vector<16xf32>
              %scale_place2 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 2)>(%d, %b)
              %token_scale_alone2 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place2] : tensor<1x8xf32>
              %token_scale2 = vector.broadcast %token_scale_alone2 : f32 to vector<16xf32>
              %sum_place2 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 2)>(%d, %b)
              %token_sum_alone2 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place2] : tensor<1x8xi32>
              %token_sum2 = vector.broadcast %token_sum_alone2
                : i32 to vector<16xi32>
              %number2_0_by = arith.constant dense<16> : vector<16xi32>
              %number2_0_moved = arith.shrui %piece2_1, %number2_0_by
                : vector<16xi32>
              %number2_0_mask = arith.constant dense<3855> : vector<16xi32>
              %number2_0 = arith.andi %number2_0_moved, %number2_0_mask
                : vector<16xi32>
              %k2_0 = affine.apply
                affine_map<(d) -> (d * 256 + 64)>(%d)
              %left2_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_0_word = vector.bitcast %left2_0_bytes : vector<4xi8> to vector<1xi32>
              %left2_0_alone = vector.extract %left2_0_word[0] : i32 from vector<1xi32>
              %left2_0_words = vector.broadcast %left2_0_alone : i32 to vector<16xi32>
              %left2_0 = vector.bitcast %left2_0_words : vector<16xi32> to vector<64xi8>

              %dot2_1_right = vector.bitcast %number2_0
                : vector<16xi32> to vector<64xi8>
              %dot2_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum2, %dot2_1_right, %left2_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_1_by = arith.constant dense<20> : vector<16xi32>
              %number2_1_moved = arith.shrui %piece2_1, %number2_1_by
                : vector<16xi32>
              %number2_1_mask = arith.constant dense<3855> : vector<16xi32>
              %number2_1 = arith.andi %number2_1_moved, %number2_1_mask
                : vector<16xi32>
              %k2_1 = affine.apply
                affine_map<(d) -> (d * 256 + 80)>(%d)
              %left2_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_1_word = vector.bitcast %left2_1_bytes : vector<4xi8> to vector<1xi32>
              %left2_1_alone = vector.extract %left2_1_word[0] : i32 from vector<1xi32>
              %left2_1_words = vector.broadcast %left2_1_alone : i32 to vector<16xi32>
              %left2_1 = vector.bitcast %left2_1_words : vector<16xi32> to vector<64xi8>

              %dot2_2_right = vector.bitcast %number2_1
                : vector<16xi32> to vector<64xi8>
              %dot2_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1, %dot2_2_right, %left2_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_2 = arith.andi %piece2_2, %number2_2_mask
                : vector<16xi32>
              %k2_2 = affine.apply
                affine_map<(d) -> (d * 256 + 66)>(%d)
              %left2_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_2_word = vector.bitcast %left2_2_bytes : vector<4xi8> to vector<1xi32>
              %left2_2_alone = vector.extract %left2_2_word[0] : i32 from vector<1xi32>
              %left2_2_words = vector.broadcast %left2_2_alone : i32 to vector<16xi32>
              %left2_2 = vector.bitcast %left2_2_words : vector<16xi32> to vector<64xi8>
              %number2_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 768($2)",
                "=v,0,r" %number2_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_3_right = vector.bitcast %number2_2_held
                : vector<16xi32> to vector<64xi8>
              %dot2_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_2, %dot2_3_right, %left2_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_3_by = arith.constant dense<4> : vector<16xi32>
              %number2_3_moved = arith.shrui %piece2_2, %number2_3_by
                : vector<16xi32>
              %number2_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_3 = arith.andi %number2_3_moved, %number2_3_mask
                : vector<16xi32>
              %k2_3 = affine.apply
                affine_map<(d) -> (d * 256 + 82)>(%d)
              %left2_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_3_word = vector.bitcast %left2_3_bytes : vector<4xi8> to vector<1xi32>
              %left2_3_alone = vector.extract %left2_3_word[0] : i32 from vector<1xi32>
              %left2_3_words = vector.broadcast %left2_3_alone : i32 to vector<16xi32>
              %left2_3 = vector.bitcast %left2_3_words : vector<16xi32> to vector<64xi8>

              %dot2_4_right = vector.bitcast %number2_3
                : vector<16xi32> to vector<64xi8>
              %dot2_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_3, %dot2_4_right, %left2_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_4 = arith.andi %piece2_3, %number2_4_mask
                : vector<16xi32>
              %k2_4 = affine.apply
                affine_map<(d) -> (d * 256 + 70)>(%d)
              %left2_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_4_word = vector.bitcast %left2_4_bytes : vector<4xi8> to vector<1xi32>
              %left2_4_alone = vector.extract %left2_4_word[0] : i32 from vector<1xi32>
              %left2_4_words = vector.broadcast %left2_4_alone : i32 to vector<16xi32>
              %left2_4 = vector.bitcast %left2_4_words : vector<16xi32> to vector<64xi8>
              %number2_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 832($2)",
                "=v,0,r" %number2_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_5_right = vector.bitcast %number2_4_held
                : vector<16xi32> to vector<64xi8>
              %dot2_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_4, %dot2_5_right, %left2_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_5_by = arith.constant dense<4> : vector<16xi32>
              %number2_5_moved = arith.shrui %piece2_3, %number2_5_by
                : vector<16xi32>
              %number2_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_5 = arith.andi %number2_5_moved, %number2_5_mask
                : vector<16xi32>
              %k2_5 = affine.apply
                affine_map<(d) -> (d * 256 + 86)>(%d)
              %left2_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_5_word = vector.bitcast %left2_5_bytes : vector<4xi8> to vector<1xi32>
              %left2_5_alone = vector.extract %left2_5_word[0] : i32 from vector<1xi32>
              %left2_5_words = vector.broadcast %left2_5_alone : i32 to vector<16xi32>
              %left2_5 = vector.bitcast %left2_5_words : vector<16xi32> to vector<64xi8>

              %dot2_6_right = vector.bitcast %number2_5
                : vector<16xi32> to vector<64xi8>
              %dot2_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_5, %dot2_6_right, %left2_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_6 = arith.andi %piece3_0, %number2_6_mask
                : vector<16xi32>
              %k2_6 = affine.apply
                affine_map<(d) -> (d * 256 + 74)>(%d)
              %left2_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_6_word = vector.bitcast %left2_6_bytes : vector<4xi8> to vector<1xi32>
              %left2_6_alone = vector.extract %left2_6_word[0] : i32 from vector<1xi32>
              %left2_6_words = vector.broadcast %left2_6_alone : i32 to vector<16xi32>
              %left2_6 = vector.bitcast %left2_6_words : vector<16xi32> to vector<64xi8>

              %dot2_7_right = vector.bitcast %number2_6
                : vector<16xi32> to vector<64xi8>
              %dot2_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_6, %dot2_7_right, %left2_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_7_by = arith.constant dense<4> : vector<16xi32>
              %number2_7_moved = arith.shrui %piece3_0, %number2_7_by
                : vector<16xi32>
              %number2_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number2_7 = arith.andi %number2_7_moved, %number2_7_mask
                : vector<16xi32>
              %k2_7 = affine.apply
                affine_map<(d) -> (d * 256 + 90)>(%d)
              %left2_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_7_word = vector.bitcast %left2_7_bytes : vector<4xi8> to vector<1xi32>
              %left2_7_alone = vector.extract %left2_7_word[0] : i32 from vector<1xi32>
              %left2_7_words = vector.broadcast %left2_7_alone : i32 to vector<16xi32>
              %left2_7 = vector.bitcast %left2_7_words : vector<16xi32> to vector<64xi8>
              %number2_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 896($2)",
                "=v,0,r" %number2_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_8_right = vector.bitcast %number2_7_held
                : vector<16xi32> to vector<64xi8>
              %dot2_8 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_7, %dot2_8_right, %left2_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_8_mask = arith.constant dense<3855> : vector<16xi32>
              %number2_8 = arith.andi %piece3_1, %number2_8_mask
                : vector<16xi32>
              %k2_8 = affine.apply
                affine_map<(d) -> (d * 256 + 78)>(%d)
              %left2_8_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_8], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_8_word = vector.bitcast %left2_8_bytes : vector<4xi8> to vector<1xi32>
              %left2_8_alone = vector.extract %left2_8_word[0] : i32 from vector<1xi32>
              %left2_8_words = vector.broadcast %left2_8_alone : i32 to vector<16xi32>
              %left2_8 = vector.bitcast %left2_8_words : vector<16xi32> to vector<64xi8>

              %dot2_9_right = vector.bitcast %number2_8
                : vector<16xi32> to vector<64xi8>
              %dot2_9 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_8, %dot2_9_right, %left2_8)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number2_9_by = arith.constant dense<4> : vector<16xi32>
              %number2_9_moved = arith.shrui %piece3_1, %number2_9_by
                : vector<16xi32>
              %number2_9_mask = arith.constant dense<3855> : vector<16xi32>
              %number2_9 = arith.andi %number2_9_moved, %number2_9_mask
                : vector<16xi32>
              %k2_9 = affine.apply
                affine_map<(d) -> (d * 256 + 94)>(%d)
              %left2_9_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k2_9], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left2_9_word = vector.bitcast %left2_9_bytes : vector<4xi8> to vector<1xi32>
              %left2_9_alone = vector.extract %left2_9_word[0] : i32 from vector<1xi32>
              %left2_9_words = vector.broadcast %left2_9_alone : i32 to vector<16xi32>
              %left2_9 = vector.bitcast %left2_9_words : vector<16xi32> to vector<64xi8>
              %number2_9_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 960($2)",
                "=v,0,r" %number2_9, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot2_right = vector.bitcast %number2_9_held
                : vector<16xi32> to vector<64xi8>
              %dot2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_9, %dot2_right, %left2_9)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole2 = arith.sitofp %dot2 : vector<16xi32> to vector<16xf32>
              %both2 = arith.mulf %scale2, %token_scale2 : vector<16xf32>
              %more2 = vector.fma %whole2, %both2,
                %more1 : vector<16xf32>
              %piece4_bytes0_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes0 = vector.transfer_read %weight[%n0, %piece4_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column0 = vector.bitcast %piece4_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes1_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes1 = vector.transfer_read %weight[%n1, %piece4_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column1 = vector.bitcast %piece4_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes2_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes2 = vector.transfer_read %weight[%n2, %piece4_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column2 = vector.bitcast %piece4_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes3_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes3 = vector.transfer_read %weight[%n3, %piece4_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column3 = vector.bitcast %piece4_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes4_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes4 = vector.transfer_read %weight[%n4, %piece4_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column4 = vector.bitcast %piece4_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes5_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes5 = vector.transfer_read %weight[%n5, %piece4_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column5 = vector.bitcast %piece4_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes6_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes6 = vector.transfer_read %weight[%n6, %piece4_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column6 = vector.bitcast %piece4_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes7_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes7 = vector.transfer_read %weight[%n7, %piece4_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column7 = vector.bitcast %piece4_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes8_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes8 = vector.transfer_read %weight[%n8, %piece4_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column8 = vector.bitcast %piece4_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes9_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes9 = vector.transfer_read %weight[%n9, %piece4_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column9 = vector.bitcast %piece4_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes10_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes10 = vector.transfer_read %weight[%n10, %piece4_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column10 = vector.bitcast %piece4_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes11_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes11 = vector.transfer_read %weight[%n11, %piece4_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column11 = vector.bitcast %piece4_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes12_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes12 = vector.transfer_read %weight[%n12, %piece4_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column12 = vector.bitcast %piece4_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes13_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes13 = vector.transfer_read %weight[%n13, %piece4_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column13 = vector.bitcast %piece4_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes14_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes14 = vector.transfer_read %weight[%n14, %piece4_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column14 = vector.bitcast %piece4_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece4_bytes15_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
              %piece4_bytes15 = vector.transfer_read %weight[%n15, %piece4_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece4_column15 = vector.bitcast %piece4_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece4_two0 = vector.shuffle
                %piece4_column0, %piece4_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_two8 = vector.shuffle
                %piece4_column8, %piece4_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_row0 = vector.shuffle %piece4_two0, %piece4_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece4_two1 = vector.shuffle
                %piece4_column1, %piece4_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_two9 = vector.shuffle
                %piece4_column9, %piece4_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_row1 = vector.shuffle %piece4_two1, %piece4_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece4_two2 = vector.shuffle
                %piece4_column2, %piece4_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_two10 = vector.shuffle
                %piece4_column10, %piece4_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_row2 = vector.shuffle %piece4_two2, %piece4_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece4_two3 = vector.shuffle
                %piece4_column3, %piece4_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_two11 = vector.shuffle
                %piece4_column11, %piece4_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece4_row3 = vector.shuffle %piece4_two3, %piece4_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece4_low0 = vector.shuffle
                %piece4_row0, %piece4_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece4_low2 = vector.shuffle
                %piece4_row2, %piece4_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece4_0 = vector.shuffle %piece4_low0, %piece4_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece4_1 = vector.shuffle %piece4_low0, %piece4_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece4_high0 = vector.shuffle
                %piece4_row0, %piece4_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece4_high2 = vector.shuffle
                %piece4_row2, %piece4_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece4_2 = vector.shuffle %piece4_high0, %piece4_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece4_3 = vector.shuffle %piece4_high0, %piece4_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale3_word_by = arith.constant dense<16> : vector<16xi32>
              %scale3_word_moved = arith.shrui %piece3_1, %scale3_word_by
                : vector<16xi32>
              %scale3_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale3_word = arith.andi %scale3_word_moved, %scale3_word_mask
                : vector<16xi32>
              %scale3_bits = arith.trunci %scale3_word : vector<16xi32> to vector<16xi16>
              %scale3_half = arith.bitcast %scale3_bits : vector<16xi16> to vector<16xf16>
              %scale3 = arith.extf %scale3_half : vector<16xf16> to vector<16xf32>
              %scale_place3 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 3)>(%d, %b)
              %token_scale_alone3 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place3] : tensor<1x8xf32>
              %token_scale3 = vector.broadcast %token_scale_alone3 : f32 to vector<16xf32>
              %sum_place3 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 3)>(%d, %b)
              %token_sum_alone3 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place3] : tensor<1x8xi32>
              %token_sum3 = vector.broadcast %token_sum_alone3
                : i32 to vector<16xi32>
              %number3_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_0 = arith.andi %piece3_2, %number3_0_mask
                : vector<16xi32>
              %k3_0 = affine.apply
                affine_map<(d) -> (d * 256 + 96)>(%d)
              %left3_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_0_word = vector.bitcast %left3_0_bytes : vector<4xi8> to vector<1xi32>
              %left3_0_alone = vector.extract %left3_0_word[0] : i32 from vector<1xi32>
              %left3_0_words = vector.broadcast %left3_0_alone : i32 to vector<16xi32>
              %left3_0 = vector.bitcast %left3_0_words : vector<16xi32> to vector<64xi8>

              %dot3_1_right = vector.bitcast %number3_0
                : vector<16xi32> to vector<64xi8>
              %dot3_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum3, %dot3_1_right, %left3_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_1_by = arith.constant dense<4> : vector<16xi32>
              %number3_1_moved = arith.shrui %piece3_2, %number3_1_by
                : vector<16xi32>
              %number3_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_1 = arith.andi %number3_1_moved, %number3_1_mask
                : vector<16xi32>
              %k3_1 = affine.apply
                affine_map<(d) -> (d * 256 + 112)>(%d)
              %left3_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_1_word = vector.bitcast %left3_1_bytes : vector<4xi8> to vector<1xi32>
              %left3_1_alone = vector.extract %left3_1_word[0] : i32 from vector<1xi32>
              %left3_1_words = vector.broadcast %left3_1_alone : i32 to vector<16xi32>
              %left3_1 = vector.bitcast %left3_1_words : vector<16xi32> to vector<64xi8>
              %number3_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1024($2)",
                "=v,0,r" %number3_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_2_right = vector.bitcast %number3_1_held
                : vector<16xi32> to vector<64xi8>
              %dot3_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1, %dot3_2_right, %left3_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_2 = arith.andi %piece3_3, %number3_2_mask
                : vector<16xi32>
              %k3_2 = affine.apply
                affine_map<(d) -> (d * 256 + 100)>(%d)
              %left3_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_2_word = vector.bitcast %left3_2_bytes : vector<4xi8> to vector<1xi32>
              %left3_2_alone = vector.extract %left3_2_word[0] : i32 from vector<1xi32>
              %left3_2_words = vector.broadcast %left3_2_alone : i32 to vector<16xi32>
              %left3_2 = vector.bitcast %left3_2_words : vector<16xi32> to vector<64xi8>

              %dot3_3_right = vector.bitcast %number3_2
                : vector<16xi32> to vector<64xi8>
              %dot3_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_2, %dot3_3_right, %left3_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_3_by = arith.constant dense<4> : vector<16xi32>
              %number3_3_moved = arith.shrui %piece3_3, %number3_3_by
                : vector<16xi32>
              %number3_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_3 = arith.andi %number3_3_moved, %number3_3_mask
                : vector<16xi32>
              %k3_3 = affine.apply
                affine_map<(d) -> (d * 256 + 116)>(%d)
              %left3_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_3_word = vector.bitcast %left3_3_bytes : vector<4xi8> to vector<1xi32>
              %left3_3_alone = vector.extract %left3_3_word[0] : i32 from vector<1xi32>
              %left3_3_words = vector.broadcast %left3_3_alone : i32 to vector<16xi32>
              %left3_3 = vector.bitcast %left3_3_words : vector<16xi32> to vector<64xi8>
              %number3_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1088($2)",
                "=v,0,r" %number3_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_4_right = vector.bitcast %number3_3_held
                : vector<16xi32> to vector<64xi8>
              %dot3_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_3, %dot3_4_right, %left3_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_4 = arith.andi %piece4_0, %number3_4_mask
                : vector<16xi32>
              %k3_4 = affine.apply
                affine_map<(d) -> (d * 256 + 104)>(%d)
              %left3_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_4_word = vector.bitcast %left3_4_bytes : vector<4xi8> to vector<1xi32>
              %left3_4_alone = vector.extract %left3_4_word[0] : i32 from vector<1xi32>
              %left3_4_words = vector.broadcast %left3_4_alone : i32 to vector<16xi32>
              %left3_4 = vector.bitcast %left3_4_words : vector<16xi32> to vector<64xi8>

              %dot3_5_right = vector.bitcast %number3_4
                : vector<16xi32> to vector<64xi8>
              %dot3_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_4, %dot3_5_right, %left3_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_5_by = arith.constant dense<4> : vector<16xi32>
              %number3_5_moved = arith.shrui %piece4_0, %number3_5_by
                : vector<16xi32>
              %number3_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_5 = arith.andi %number3_5_moved, %number3_5_mask
                : vector<16xi32>
              %k3_5 = affine.apply
                affine_map<(d) -> (d * 256 + 120)>(%d)
              %left3_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_5_word = vector.bitcast %left3_5_bytes : vector<4xi8> to vector<1xi32>
              %left3_5_alone = vector.extract %left3_5_word[0] : i32 from vector<1xi32>
              %left3_5_words = vector.broadcast %left3_5_alone : i32 to vector<16xi32>
              %left3_5 = vector.bitcast %left3_5_words : vector<16xi32> to vector<64xi8>
              %number3_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1152($2)",
                "=v,0,r" %number3_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_6_right = vector.bitcast %number3_5_held
                : vector<16xi32> to vector<64xi8>
              %dot3_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_5, %dot3_6_right, %left3_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_6 = arith.andi %piece4_1, %number3_6_mask
                : vector<16xi32>
              %k3_6 = affine.apply
                affine_map<(d) -> (d * 256 + 108)>(%d)
              %left3_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_6_word = vector.bitcast %left3_6_bytes : vector<4xi8> to vector<1xi32>
              %left3_6_alone = vector.extract %left3_6_word[0] : i32 from vector<1xi32>
              %left3_6_words = vector.broadcast %left3_6_alone : i32 to vector<16xi32>
              %left3_6 = vector.bitcast %left3_6_words : vector<16xi32> to vector<64xi8>

              %dot3_7_right = vector.bitcast %number3_6
                : vector<16xi32> to vector<64xi8>
              %dot3_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_6, %dot3_7_right, %left3_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number3_7_by = arith.constant dense<4> : vector<16xi32>
              %number3_7_moved = arith.shrui %piece4_1, %number3_7_by
                : vector<16xi32>
              %number3_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number3_7 = arith.andi %number3_7_moved, %number3_7_mask
                : vector<16xi32>
              %k3_7 = affine.apply
                affine_map<(d) -> (d * 256 + 124)>(%d)
              %left3_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k3_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left3_7_word = vector.bitcast %left3_7_bytes : vector<4xi8> to vector<1xi32>
              %left3_7_alone = vector.extract %left3_7_word[0] : i32 from vector<1xi32>
              %left3_7_words = vector.broadcast %left3_7_alone : i32 to vector<16xi32>
              %left3_7 = vector.bitcast %left3_7_words : vector<16xi32> to vector<64xi8>
              %number3_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1216($2)",
                "=v,0,r" %number3_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot3_right = vector.bitcast %number3_7_held
                : vector<16xi32> to vector<64xi8>
              %dot3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_7, %dot3_right, %left3_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole3 = arith.sitofp %dot3 : vector<16xi32> to vector<16xf32>
              %both3 = arith.mulf %scale3, %token_scale3 : vector<16xf32>
              %more3 = vector.fma %whole3, %both3,
                %more2 : vector<16xf32>
              %piece5_bytes0_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes0 = vector.transfer_read %weight[%n0, %piece5_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column0 = vector.bitcast %piece5_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes1_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes1 = vector.transfer_read %weight[%n1, %piece5_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column1 = vector.bitcast %piece5_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes2_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes2 = vector.transfer_read %weight[%n2, %piece5_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column2 = vector.bitcast %piece5_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes3_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes3 = vector.transfer_read %weight[%n3, %piece5_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column3 = vector.bitcast %piece5_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes4_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes4 = vector.transfer_read %weight[%n4, %piece5_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column4 = vector.bitcast %piece5_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes5_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes5 = vector.transfer_read %weight[%n5, %piece5_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column5 = vector.bitcast %piece5_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes6_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes6 = vector.transfer_read %weight[%n6, %piece5_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column6 = vector.bitcast %piece5_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes7_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes7 = vector.transfer_read %weight[%n7, %piece5_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column7 = vector.bitcast %piece5_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes8_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes8 = vector.transfer_read %weight[%n8, %piece5_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column8 = vector.bitcast %piece5_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes9_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes9 = vector.transfer_read %weight[%n9, %piece5_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column9 = vector.bitcast %piece5_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes10_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes10 = vector.transfer_read %weight[%n10, %piece5_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column10 = vector.bitcast %piece5_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes11_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes11 = vector.transfer_read %weight[%n11, %piece5_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column11 = vector.bitcast %piece5_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes12_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes12 = vector.transfer_read %weight[%n12, %piece5_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column12 = vector.bitcast %piece5_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes13_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes13 = vector.transfer_read %weight[%n13, %piece5_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column13 = vector.bitcast %piece5_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes14_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes14 = vector.transfer_read %weight[%n14, %piece5_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column14 = vector.bitcast %piece5_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece5_bytes15_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
              %piece5_bytes15 = vector.transfer_read %weight[%n15, %piece5_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece5_column15 = vector.bitcast %piece5_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece5_two0 = vector.shuffle
                %piece5_column0, %piece5_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_two8 = vector.shuffle
                %piece5_column8, %piece5_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_row0 = vector.shuffle %piece5_two0, %piece5_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece5_two1 = vector.shuffle
                %piece5_column1, %piece5_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_two9 = vector.shuffle
                %piece5_column9, %piece5_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_row1 = vector.shuffle %piece5_two1, %piece5_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece5_two2 = vector.shuffle
                %piece5_column2, %piece5_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_two10 = vector.shuffle
                %piece5_column10, %piece5_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_row2 = vector.shuffle %piece5_two2, %piece5_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece5_two3 = vector.shuffle
                %piece5_column3, %piece5_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_two11 = vector.shuffle
                %piece5_column11, %piece5_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece5_row3 = vector.shuffle %piece5_two3, %piece5_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece5_low0 = vector.shuffle
                %piece5_row0, %piece5_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece5_low2 = vector.shuffle
                %piece5_row2, %piece5_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece5_0 = vector.shuffle %piece5_low0, %piece5_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece5_1 = vector.shuffle %piece5_low0, %piece5_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece5_high0 = vector.shuffle
                %piece5_row0, %piece5_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece5_high2 = vector.shuffle
                %piece5_row2, %piece5_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece5_2 = vector.shuffle %piece5_high0, %piece5_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece5_3 = vector.shuffle %piece5_high0, %piece5_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale4_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale4_word = arith.andi %piece4_2, %scale4_word_mask
                : vector<16xi32>
              %scale4_bits = arith.trunci %scale4_word : vector<16xi32> to vector<16xi16>
              %scale4_half = arith.bitcast %scale4_bits : vector<16xi16> to vector<16xf16>
              %scale4 = arith.extf %scale4_half : vector<16xf16> to vector<16xf32>
              %scale_place4 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 4)>(%d, %b)
              %token_scale_alone4 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place4] : tensor<1x8xf32>
              %token_scale4 = vector.broadcast %token_scale_alone4 : f32 to vector<16xf32>
              %sum_place4 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 4)>(%d, %b)
              %token_sum_alone4 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place4] : tensor<1x8xi32>
              %token_sum4 = vector.broadcast %token_sum_alone4
                : i32 to vector<16xi32>
              %number4_0_by = arith.constant dense<16> : vector<16xi32>
              %number4_0_moved = arith.shrui %piece4_2, %number4_0_by
                : vector<16xi32>
              %number4_0_mask = arith.constant dense<3855> : vector<16xi32>
              %number4_0 = arith.andi %number4_0_moved, %number4_0_mask
                : vector<16xi32>
              %k4_0 = affine.apply
                affine_map<(d) -> (d * 256 + 128)>(%d)
              %left4_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_0_word = vector.bitcast %left4_0_bytes : vector<4xi8> to vector<1xi32>
              %left4_0_alone = vector.extract %left4_0_word[0] : i32 from vector<1xi32>
              %left4_0_words = vector.broadcast %left4_0_alone : i32 to vector<16xi32>
              %left4_0 = vector.bitcast %left4_0_words : vector<16xi32> to vector<64xi8>

              %dot4_1_right = vector.bitcast %number4_0
                : vector<16xi32> to vector<64xi8>
              %dot4_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum4, %dot4_1_right, %left4_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_1_by = arith.constant dense<20> : vector<16xi32>
              %number4_1_moved = arith.shrui %piece4_2, %number4_1_by
                : vector<16xi32>
              %number4_1_mask = arith.constant dense<3855> : vector<16xi32>
              %number4_1 = arith.andi %number4_1_moved, %number4_1_mask
                : vector<16xi32>
              %k4_1 = affine.apply
                affine_map<(d) -> (d * 256 + 144)>(%d)
              %left4_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_1_word = vector.bitcast %left4_1_bytes : vector<4xi8> to vector<1xi32>
              %left4_1_alone = vector.extract %left4_1_word[0] : i32 from vector<1xi32>
              %left4_1_words = vector.broadcast %left4_1_alone : i32 to vector<16xi32>
              %left4_1 = vector.bitcast %left4_1_words : vector<16xi32> to vector<64xi8>

              %dot4_2_right = vector.bitcast %number4_1
                : vector<16xi32> to vector<64xi8>
              %dot4_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_1, %dot4_2_right, %left4_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_2 = arith.andi %piece4_3, %number4_2_mask
                : vector<16xi32>
              %k4_2 = affine.apply
                affine_map<(d) -> (d * 256 + 130)>(%d)
              %left4_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_2_word = vector.bitcast %left4_2_bytes : vector<4xi8> to vector<1xi32>
              %left4_2_alone = vector.extract %left4_2_word[0] : i32 from vector<1xi32>
              %left4_2_words = vector.broadcast %left4_2_alone : i32 to vector<16xi32>
              %left4_2 = vector.bitcast %left4_2_words : vector<16xi32> to vector<64xi8>
              %number4_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1280($2)",
                "=v,0,r" %number4_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_3_right = vector.bitcast %number4_2_held
                : vector<16xi32> to vector<64xi8>
              %dot4_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_2, %dot4_3_right, %left4_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_3_by = arith.constant dense<4> : vector<16xi32>
              %number4_3_moved = arith.shrui %piece4_3, %number4_3_by
                : vector<16xi32>
              %number4_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_3 = arith.andi %number4_3_moved, %number4_3_mask
                : vector<16xi32>
              %k4_3 = affine.apply
                affine_map<(d) -> (d * 256 + 146)>(%d)
              %left4_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_3_word = vector.bitcast %left4_3_bytes : vector<4xi8> to vector<1xi32>
              %left4_3_alone = vector.extract %left4_3_word[0] : i32 from vector<1xi32>
              %left4_3_words = vector.broadcast %left4_3_alone : i32 to vector<16xi32>
              %left4_3 = vector.bitcast %left4_3_words : vector<16xi32> to vector<64xi8>

              %dot4_4_right = vector.bitcast %number4_3
                : vector<16xi32> to vector<64xi8>
              %dot4_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_3, %dot4_4_right, %left4_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_4 = arith.andi %piece5_0, %number4_4_mask
                : vector<16xi32>
              %k4_4 = affine.apply
                affine_map<(d) -> (d * 256 + 134)>(%d)
              %left4_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_4_word = vector.bitcast %left4_4_bytes : vector<4xi8> to vector<1xi32>
              %left4_4_alone = vector.extract %left4_4_word[0] : i32 from vector<1xi32>
              %left4_4_words = vector.broadcast %left4_4_alone : i32 to vector<16xi32>
              %left4_4 = vector.bitcast %left4_4_words : vector<16xi32> to vector<64xi8>
              %number4_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1344($2)",
                "=v,0,r" %number4_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_5_right = vector.bitcast %number4_4_held
                : vector<16xi32> to vector<64xi8>
              %dot4_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_4, %dot4_5_right, %left4_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_5_by = arith.constant dense<4> : vector<16xi32>
              %number4_5_moved = arith.shrui %piece5_0, %number4_5_by
                : vector<16xi32>
              %number4_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_5 = arith.andi %number4_5_moved, %number4_5_mask
                : vector<16xi32>
              %k4_5 = affine.apply
                affine_map<(d) -> (d * 256 + 150)>(%d)
              %left4_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_5_word = vector.bitcast %left4_5_bytes : vector<4xi8> to vector<1xi32>
              %left4_5_alone = vector.extract %left4_5_word[0] : i32 from vector<1xi32>
              %left4_5_words = vector.broadcast %left4_5_alone : i32 to vector<16xi32>
              %left4_5 = vector.bitcast %left4_5_words : vector<16xi32> to vector<64xi8>

              %dot4_6_right = vector.bitcast %number4_5
                : vector<16xi32> to vector<64xi8>
              %dot4_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_5, %dot4_6_right, %left4_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_6 = arith.andi %piece5_1, %number4_6_mask
                : vector<16xi32>
              %k4_6 = affine.apply
                affine_map<(d) -> (d * 256 + 138)>(%d)
              %left4_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_6_word = vector.bitcast %left4_6_bytes : vector<4xi8> to vector<1xi32>
              %left4_6_alone = vector.extract %left4_6_word[0] : i32 from vector<1xi32>
              %left4_6_words = vector.broadcast %left4_6_alone : i32 to vector<16xi32>
              %left4_6 = vector.bitcast %left4_6_words : vector<16xi32> to vector<64xi8>

              %dot4_7_right = vector.bitcast %number4_6
                : vector<16xi32> to vector<64xi8>
              %dot4_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_6, %dot4_7_right, %left4_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_7_by = arith.constant dense<4> : vector<16xi32>
              %number4_7_moved = arith.shrui %piece5_1, %number4_7_by
                : vector<16xi32>
              %number4_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number4_7 = arith.andi %number4_7_moved, %number4_7_mask
                : vector<16xi32>
              %k4_7 = affine.apply
                affine_map<(d) -> (d * 256 + 154)>(%d)
              %left4_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_7_word = vector.bitcast %left4_7_bytes : vector<4xi8> to vector<1xi32>
              %left4_7_alone = vector.extract %left4_7_word[0] : i32 from vector<1xi32>
              %left4_7_words = vector.broadcast %left4_7_alone : i32 to vector<16xi32>
              %left4_7 = vector.bitcast %left4_7_words : vector<16xi32> to vector<64xi8>
              %number4_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1408($2)",
                "=v,0,r" %number4_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_8_right = vector.bitcast %number4_7_held
                : vector<16xi32> to vector<64xi8>
              %dot4_8 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_7, %dot4_8_right, %left4_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_8_mask = arith.constant dense<3855> : vector<16xi32>
              %number4_8 = arith.andi %piece5_2, %number4_8_mask
                : vector<16xi32>
              %k4_8 = affine.apply
                affine_map<(d) -> (d * 256 + 142)>(%d)
              %left4_8_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_8], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_8_word = vector.bitcast %left4_8_bytes : vector<4xi8> to vector<1xi32>
              %left4_8_alone = vector.extract %left4_8_word[0] : i32 from vector<1xi32>
              %left4_8_words = vector.broadcast %left4_8_alone : i32 to vector<16xi32>
              %left4_8 = vector.bitcast %left4_8_words : vector<16xi32> to vector<64xi8>

              %dot4_9_right = vector.bitcast %number4_8
                : vector<16xi32> to vector<64xi8>
              %dot4_9 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_8, %dot4_9_right, %left4_8)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number4_9_by = arith.constant dense<4> : vector<16xi32>
              %number4_9_moved = arith.shrui %piece5_2, %number4_9_by
                : vector<16xi32>
              %number4_9_mask = arith.constant dense<3855> : vector<16xi32>
              %number4_9 = arith.andi %number4_9_moved, %number4_9_mask
                : vector<16xi32>
              %k4_9 = affine.apply
                affine_map<(d) -> (d * 256 + 158)>(%d)
              %left4_9_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k4_9], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left4_9_word = vector.bitcast %left4_9_bytes : vector<4xi8> to vector<1xi32>
              %left4_9_alone = vector.extract %left4_9_word[0] : i32 from vector<1xi32>
              %left4_9_words = vector.broadcast %left4_9_alone : i32 to vector<16xi32>
              %left4_9 = vector.bitcast %left4_9_words : vector<16xi32> to vector<64xi8>
              %number4_9_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1472($2)",
                "=v,0,r" %number4_9, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot4_right = vector.bitcast %number4_9_held
                : vector<16xi32> to vector<64xi8>
              %dot4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot4_9, %dot4_right, %left4_9)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole4 = arith.sitofp %dot4 : vector<16xi32> to vector<16xf32>
              %both4 = arith.mulf %scale4, %token_scale4 : vector<16xf32>
              %more4 = vector.fma %whole4, %both4,
                %more3 : vector<16xf32>
              %piece6_bytes0_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes0 = vector.transfer_read %weight[%n0, %piece6_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column0 = vector.bitcast %piece6_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes1_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes1 = vector.transfer_read %weight[%n1, %piece6_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column1 = vector.bitcast %piece6_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes2_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes2 = vector.transfer_read %weight[%n2, %piece6_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column2 = vector.bitcast %piece6_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes3_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes3 = vector.transfer_read %weight[%n3, %piece6_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column3 = vector.bitcast %piece6_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes4_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes4 = vector.transfer_read %weight[%n4, %piece6_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column4 = vector.bitcast %piece6_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes5_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes5 = vector.transfer_read %weight[%n5, %piece6_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column5 = vector.bitcast %piece6_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes6_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes6 = vector.transfer_read %weight[%n6, %piece6_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column6 = vector.bitcast %piece6_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes7_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes7 = vector.transfer_read %weight[%n7, %piece6_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column7 = vector.bitcast %piece6_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes8_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes8 = vector.transfer_read %weight[%n8, %piece6_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column8 = vector.bitcast %piece6_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes9_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes9 = vector.transfer_read %weight[%n9, %piece6_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column9 = vector.bitcast %piece6_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes10_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes10 = vector.transfer_read %weight[%n10, %piece6_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column10 = vector.bitcast %piece6_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes11_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes11 = vector.transfer_read %weight[%n11, %piece6_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column11 = vector.bitcast %piece6_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes12_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes12 = vector.transfer_read %weight[%n12, %piece6_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column12 = vector.bitcast %piece6_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes13_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes13 = vector.transfer_read %weight[%n13, %piece6_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column13 = vector.bitcast %piece6_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes14_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes14 = vector.transfer_read %weight[%n14, %piece6_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column14 = vector.bitcast %piece6_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece6_bytes15_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
              %piece6_bytes15 = vector.transfer_read %weight[%n15, %piece6_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece6_column15 = vector.bitcast %piece6_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece6_two0 = vector.shuffle
                %piece6_column0, %piece6_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_two8 = vector.shuffle
                %piece6_column8, %piece6_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_row0 = vector.shuffle %piece6_two0, %piece6_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece6_two1 = vector.shuffle
                %piece6_column1, %piece6_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_two9 = vector.shuffle
                %piece6_column9, %piece6_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_row1 = vector.shuffle %piece6_two1, %piece6_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece6_two2 = vector.shuffle
                %piece6_column2, %piece6_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_two10 = vector.shuffle
                %piece6_column10, %piece6_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_row2 = vector.shuffle %piece6_two2, %piece6_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece6_two3 = vector.shuffle
                %piece6_column3, %piece6_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_two11 = vector.shuffle
                %piece6_column11, %piece6_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece6_row3 = vector.shuffle %piece6_two3, %piece6_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece6_low0 = vector.shuffle
                %piece6_row0, %piece6_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece6_low2 = vector.shuffle
                %piece6_row2, %piece6_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece6_0 = vector.shuffle %piece6_low0, %piece6_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece6_1 = vector.shuffle %piece6_low0, %piece6_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece6_high0 = vector.shuffle
                %piece6_row0, %piece6_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece6_high2 = vector.shuffle
                %piece6_row2, %piece6_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece6_2 = vector.shuffle %piece6_high0, %piece6_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece6_3 = vector.shuffle %piece6_high0, %piece6_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale5_word_by = arith.constant dense<16> : vector<16xi32>
              %scale5_word_moved = arith.shrui %piece5_2, %scale5_word_by
                : vector<16xi32>
              %scale5_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale5_word = arith.andi %scale5_word_moved, %scale5_word_mask
                : vector<16xi32>
              %scale5_bits = arith.trunci %scale5_word : vector<16xi32> to vector<16xi16>
              %scale5_half = arith.bitcast %scale5_bits : vector<16xi16> to vector<16xf16>
              %scale5 = arith.extf %scale5_half : vector<16xf16> to vector<16xf32>
              %scale_place5 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 5)>(%d, %b)
              %token_scale_alone5 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place5] : tensor<1x8xf32>
              %token_scale5 = vector.broadcast %token_scale_alone5 : f32 to vector<16xf32>
              %sum_place5 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 5)>(%d, %b)
              %token_sum_alone5 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place5] : tensor<1x8xi32>
              %token_sum5 = vector.broadcast %token_sum_alone5
                : i32 to vector<16xi32>
              %number5_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_0 = arith.andi %piece5_3, %number5_0_mask
                : vector<16xi32>
              %k5_0 = affine.apply
                affine_map<(d) -> (d * 256 + 160)>(%d)
              %left5_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_0_word = vector.bitcast %left5_0_bytes : vector<4xi8> to vector<1xi32>
              %left5_0_alone = vector.extract %left5_0_word[0] : i32 from vector<1xi32>
              %left5_0_words = vector.broadcast %left5_0_alone : i32 to vector<16xi32>
              %left5_0 = vector.bitcast %left5_0_words : vector<16xi32> to vector<64xi8>

              %dot5_1_right = vector.bitcast %number5_0
                : vector<16xi32> to vector<64xi8>
              %dot5_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum5, %dot5_1_right, %left5_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_1_by = arith.constant dense<4> : vector<16xi32>
              %number5_1_moved = arith.shrui %piece5_3, %number5_1_by
                : vector<16xi32>
              %number5_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_1 = arith.andi %number5_1_moved, %number5_1_mask
                : vector<16xi32>
              %k5_1 = affine.apply
                affine_map<(d) -> (d * 256 + 176)>(%d)
              %left5_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_1_word = vector.bitcast %left5_1_bytes : vector<4xi8> to vector<1xi32>
              %left5_1_alone = vector.extract %left5_1_word[0] : i32 from vector<1xi32>
              %left5_1_words = vector.broadcast %left5_1_alone : i32 to vector<16xi32>
              %left5_1 = vector.bitcast %left5_1_words : vector<16xi32> to vector<64xi8>
              %number5_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1536($2)",
                "=v,0,r" %number5_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_2_right = vector.bitcast %number5_1_held
                : vector<16xi32> to vector<64xi8>
              %dot5_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_1, %dot5_2_right, %left5_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_2 = arith.andi %piece6_0, %number5_2_mask
                : vector<16xi32>
              %k5_2 = affine.apply
                affine_map<(d) -> (d * 256 + 164)>(%d)
              %left5_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_2_word = vector.bitcast %left5_2_bytes : vector<4xi8> to vector<1xi32>
              %left5_2_alone = vector.extract %left5_2_word[0] : i32 from vector<1xi32>
              %left5_2_words = vector.broadcast %left5_2_alone : i32 to vector<16xi32>
              %left5_2 = vector.bitcast %left5_2_words : vector<16xi32> to vector<64xi8>

              %dot5_3_right = vector.bitcast %number5_2
                : vector<16xi32> to vector<64xi8>
              %dot5_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_2, %dot5_3_right, %left5_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_3_by = arith.constant dense<4> : vector<16xi32>
              %number5_3_moved = arith.shrui %piece6_0, %number5_3_by
                : vector<16xi32>
              %number5_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_3 = arith.andi %number5_3_moved, %number5_3_mask
                : vector<16xi32>
              %k5_3 = affine.apply
                affine_map<(d) -> (d * 256 + 180)>(%d)
              %left5_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_3_word = vector.bitcast %left5_3_bytes : vector<4xi8> to vector<1xi32>
              %left5_3_alone = vector.extract %left5_3_word[0] : i32 from vector<1xi32>
              %left5_3_words = vector.broadcast %left5_3_alone : i32 to vector<16xi32>
              %left5_3 = vector.bitcast %left5_3_words : vector<16xi32> to vector<64xi8>
              %number5_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1600($2)",
                "=v,0,r" %number5_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_4_right = vector.bitcast %number5_3_held
                : vector<16xi32> to vector<64xi8>
              %dot5_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_3, %dot5_4_right, %left5_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_4 = arith.andi %piece6_1, %number5_4_mask
                : vector<16xi32>
              %k5_4 = affine.apply
                affine_map<(d) -> (d * 256 + 168)>(%d)
              %left5_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_4_word = vector.bitcast %left5_4_bytes : vector<4xi8> to vector<1xi32>
              %left5_4_alone = vector.extract %left5_4_word[0] : i32 from vector<1xi32>
              %left5_4_words = vector.broadcast %left5_4_alone : i32 to vector<16xi32>
              %left5_4 = vector.bitcast %left5_4_words : vector<16xi32> to vector<64xi8>

              %dot5_5_right = vector.bitcast %number5_4
                : vector<16xi32> to vector<64xi8>
              %dot5_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_4, %dot5_5_right, %left5_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_5_by = arith.constant dense<4> : vector<16xi32>
              %number5_5_moved = arith.shrui %piece6_1, %number5_5_by
                : vector<16xi32>
              %number5_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_5 = arith.andi %number5_5_moved, %number5_5_mask
                : vector<16xi32>
              %k5_5 = affine.apply
                affine_map<(d) -> (d * 256 + 184)>(%d)
              %left5_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_5_word = vector.bitcast %left5_5_bytes : vector<4xi8> to vector<1xi32>
              %left5_5_alone = vector.extract %left5_5_word[0] : i32 from vector<1xi32>
              %left5_5_words = vector.broadcast %left5_5_alone : i32 to vector<16xi32>
              %left5_5 = vector.bitcast %left5_5_words : vector<16xi32> to vector<64xi8>
              %number5_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1664($2)",
                "=v,0,r" %number5_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_6_right = vector.bitcast %number5_5_held
                : vector<16xi32> to vector<64xi8>
              %dot5_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_5, %dot5_6_right, %left5_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_6 = arith.andi %piece6_2, %number5_6_mask
                : vector<16xi32>
              %k5_6 = affine.apply
                affine_map<(d) -> (d * 256 + 172)>(%d)
              %left5_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_6_word = vector.bitcast %left5_6_bytes : vector<4xi8> to vector<1xi32>
              %left5_6_alone = vector.extract %left5_6_word[0] : i32 from vector<1xi32>
              %left5_6_words = vector.broadcast %left5_6_alone : i32 to vector<16xi32>
              %left5_6 = vector.bitcast %left5_6_words : vector<16xi32> to vector<64xi8>

              %dot5_7_right = vector.bitcast %number5_6
                : vector<16xi32> to vector<64xi8>
              %dot5_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_6, %dot5_7_right, %left5_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number5_7_by = arith.constant dense<4> : vector<16xi32>
              %number5_7_moved = arith.shrui %piece6_2, %number5_7_by
                : vector<16xi32>
              %number5_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number5_7 = arith.andi %number5_7_moved, %number5_7_mask
                : vector<16xi32>
              %k5_7 = affine.apply
                affine_map<(d) -> (d * 256 + 188)>(%d)
              %left5_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k5_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left5_7_word = vector.bitcast %left5_7_bytes : vector<4xi8> to vector<1xi32>
              %left5_7_alone = vector.extract %left5_7_word[0] : i32 from vector<1xi32>
              %left5_7_words = vector.broadcast %left5_7_alone : i32 to vector<16xi32>
              %left5_7 = vector.bitcast %left5_7_words : vector<16xi32> to vector<64xi8>
              %number5_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1728($2)",
                "=v,0,r" %number5_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot5_right = vector.bitcast %number5_7_held
                : vector<16xi32> to vector<64xi8>
              %dot5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot5_7, %dot5_right, %left5_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole5 = arith.sitofp %dot5 : vector<16xi32> to vector<16xf32>
              %both5 = arith.mulf %scale5, %token_scale5 : vector<16xf32>
              %more5 = vector.fma %whole5, %both5,
                %more4 : vector<16xf32>
              %piece7_bytes0_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes0 = vector.transfer_read %weight[%n0, %piece7_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column0 = vector.bitcast %piece7_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes1_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes1 = vector.transfer_read %weight[%n1, %piece7_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column1 = vector.bitcast %piece7_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes2_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes2 = vector.transfer_read %weight[%n2, %piece7_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column2 = vector.bitcast %piece7_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes3_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes3 = vector.transfer_read %weight[%n3, %piece7_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column3 = vector.bitcast %piece7_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes4_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes4 = vector.transfer_read %weight[%n4, %piece7_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column4 = vector.bitcast %piece7_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes5_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes5 = vector.transfer_read %weight[%n5, %piece7_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column5 = vector.bitcast %piece7_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes6_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes6 = vector.transfer_read %weight[%n6, %piece7_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column6 = vector.bitcast %piece7_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes7_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes7 = vector.transfer_read %weight[%n7, %piece7_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column7 = vector.bitcast %piece7_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes8_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes8 = vector.transfer_read %weight[%n8, %piece7_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column8 = vector.bitcast %piece7_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes9_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes9 = vector.transfer_read %weight[%n9, %piece7_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column9 = vector.bitcast %piece7_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes10_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes10 = vector.transfer_read %weight[%n10, %piece7_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column10 = vector.bitcast %piece7_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes11_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes11 = vector.transfer_read %weight[%n11, %piece7_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column11 = vector.bitcast %piece7_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes12_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes12 = vector.transfer_read %weight[%n12, %piece7_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column12 = vector.bitcast %piece7_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes13_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes13 = vector.transfer_read %weight[%n13, %piece7_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column13 = vector.bitcast %piece7_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes14_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes14 = vector.transfer_read %weight[%n14, %piece7_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column14 = vector.bitcast %piece7_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece7_bytes15_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
              %piece7_bytes15 = vector.transfer_read %weight[%n15, %piece7_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece7_column15 = vector.bitcast %piece7_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece7_two0 = vector.shuffle
                %piece7_column0, %piece7_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_two8 = vector.shuffle
                %piece7_column8, %piece7_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_row0 = vector.shuffle %piece7_two0, %piece7_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece7_two1 = vector.shuffle
                %piece7_column1, %piece7_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_two9 = vector.shuffle
                %piece7_column9, %piece7_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_row1 = vector.shuffle %piece7_two1, %piece7_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece7_two2 = vector.shuffle
                %piece7_column2, %piece7_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_two10 = vector.shuffle
                %piece7_column10, %piece7_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_row2 = vector.shuffle %piece7_two2, %piece7_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece7_two3 = vector.shuffle
                %piece7_column3, %piece7_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_two11 = vector.shuffle
                %piece7_column11, %piece7_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece7_row3 = vector.shuffle %piece7_two3, %piece7_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece7_low0 = vector.shuffle
                %piece7_row0, %piece7_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece7_low2 = vector.shuffle
                %piece7_row2, %piece7_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece7_0 = vector.shuffle %piece7_low0, %piece7_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece7_1 = vector.shuffle %piece7_low0, %piece7_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece7_high0 = vector.shuffle
                %piece7_row0, %piece7_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece7_high2 = vector.shuffle
                %piece7_row2, %piece7_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece7_2 = vector.shuffle %piece7_high0, %piece7_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece7_3 = vector.shuffle %piece7_high0, %piece7_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale6_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale6_word = arith.andi %piece6_3, %scale6_word_mask
                : vector<16xi32>
              %scale6_bits = arith.trunci %scale6_word : vector<16xi32> to vector<16xi16>
              %scale6_half = arith.bitcast %scale6_bits : vector<16xi16> to vector<16xf16>
              %scale6 = arith.extf %scale6_half : vector<16xf16> to vector<16xf32>
              %scale_place6 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 6)>(%d, %b)
              %token_scale_alone6 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place6] : tensor<1x8xf32>
              %token_scale6 = vector.broadcast %token_scale_alone6 : f32 to vector<16xf32>
              %sum_place6 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 6)>(%d, %b)
              %token_sum_alone6 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place6] : tensor<1x8xi32>
              %token_sum6 = vector.broadcast %token_sum_alone6
                : i32 to vector<16xi32>
              %number6_0_by = arith.constant dense<16> : vector<16xi32>
              %number6_0_moved = arith.shrui %piece6_3, %number6_0_by
                : vector<16xi32>
              %number6_0_mask = arith.constant dense<3855> : vector<16xi32>
              %number6_0 = arith.andi %number6_0_moved, %number6_0_mask
                : vector<16xi32>
              %k6_0 = affine.apply
                affine_map<(d) -> (d * 256 + 192)>(%d)
              %left6_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_0_word = vector.bitcast %left6_0_bytes : vector<4xi8> to vector<1xi32>
              %left6_0_alone = vector.extract %left6_0_word[0] : i32 from vector<1xi32>
              %left6_0_words = vector.broadcast %left6_0_alone : i32 to vector<16xi32>
              %left6_0 = vector.bitcast %left6_0_words : vector<16xi32> to vector<64xi8>

              %dot6_1_right = vector.bitcast %number6_0
                : vector<16xi32> to vector<64xi8>
              %dot6_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum6, %dot6_1_right, %left6_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_1_by = arith.constant dense<20> : vector<16xi32>
              %number6_1_moved = arith.shrui %piece6_3, %number6_1_by
                : vector<16xi32>
              %number6_1_mask = arith.constant dense<3855> : vector<16xi32>
              %number6_1 = arith.andi %number6_1_moved, %number6_1_mask
                : vector<16xi32>
              %k6_1 = affine.apply
                affine_map<(d) -> (d * 256 + 208)>(%d)
              %left6_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_1_word = vector.bitcast %left6_1_bytes : vector<4xi8> to vector<1xi32>
              %left6_1_alone = vector.extract %left6_1_word[0] : i32 from vector<1xi32>
              %left6_1_words = vector.broadcast %left6_1_alone : i32 to vector<16xi32>
              %left6_1 = vector.bitcast %left6_1_words : vector<16xi32> to vector<64xi8>

              %dot6_2_right = vector.bitcast %number6_1
                : vector<16xi32> to vector<64xi8>
              %dot6_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_1, %dot6_2_right, %left6_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_2 = arith.andi %piece7_0, %number6_2_mask
                : vector<16xi32>
              %k6_2 = affine.apply
                affine_map<(d) -> (d * 256 + 194)>(%d)
              %left6_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_2_word = vector.bitcast %left6_2_bytes : vector<4xi8> to vector<1xi32>
              %left6_2_alone = vector.extract %left6_2_word[0] : i32 from vector<1xi32>
              %left6_2_words = vector.broadcast %left6_2_alone : i32 to vector<16xi32>
              %left6_2 = vector.bitcast %left6_2_words : vector<16xi32> to vector<64xi8>
              %number6_2_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1792($2)",
                "=v,0,r" %number6_2, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_3_right = vector.bitcast %number6_2_held
                : vector<16xi32> to vector<64xi8>
              %dot6_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_2, %dot6_3_right, %left6_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_3_by = arith.constant dense<4> : vector<16xi32>
              %number6_3_moved = arith.shrui %piece7_0, %number6_3_by
                : vector<16xi32>
              %number6_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_3 = arith.andi %number6_3_moved, %number6_3_mask
                : vector<16xi32>
              %k6_3 = affine.apply
                affine_map<(d) -> (d * 256 + 210)>(%d)
              %left6_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_3_word = vector.bitcast %left6_3_bytes : vector<4xi8> to vector<1xi32>
              %left6_3_alone = vector.extract %left6_3_word[0] : i32 from vector<1xi32>
              %left6_3_words = vector.broadcast %left6_3_alone : i32 to vector<16xi32>
              %left6_3 = vector.bitcast %left6_3_words : vector<16xi32> to vector<64xi8>

              %dot6_4_right = vector.bitcast %number6_3
                : vector<16xi32> to vector<64xi8>
              %dot6_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_3, %dot6_4_right, %left6_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_4 = arith.andi %piece7_1, %number6_4_mask
                : vector<16xi32>
              %k6_4 = affine.apply
                affine_map<(d) -> (d * 256 + 198)>(%d)
              %left6_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_4_word = vector.bitcast %left6_4_bytes : vector<4xi8> to vector<1xi32>
              %left6_4_alone = vector.extract %left6_4_word[0] : i32 from vector<1xi32>
              %left6_4_words = vector.broadcast %left6_4_alone : i32 to vector<16xi32>
              %left6_4 = vector.bitcast %left6_4_words : vector<16xi32> to vector<64xi8>
              %number6_4_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1856($2)",
                "=v,0,r" %number6_4, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_5_right = vector.bitcast %number6_4_held
                : vector<16xi32> to vector<64xi8>
              %dot6_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_4, %dot6_5_right, %left6_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_5_by = arith.constant dense<4> : vector<16xi32>
              %number6_5_moved = arith.shrui %piece7_1, %number6_5_by
                : vector<16xi32>
              %number6_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_5 = arith.andi %number6_5_moved, %number6_5_mask
                : vector<16xi32>
              %k6_5 = affine.apply
                affine_map<(d) -> (d * 256 + 214)>(%d)
              %left6_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_5_word = vector.bitcast %left6_5_bytes : vector<4xi8> to vector<1xi32>
              %left6_5_alone = vector.extract %left6_5_word[0] : i32 from vector<1xi32>
              %left6_5_words = vector.broadcast %left6_5_alone : i32 to vector<16xi32>
              %left6_5 = vector.bitcast %left6_5_words : vector<16xi32> to vector<64xi8>

              %dot6_6_right = vector.bitcast %number6_5
                : vector<16xi32> to vector<64xi8>
              %dot6_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_5, %dot6_6_right, %left6_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_6 = arith.andi %piece7_2, %number6_6_mask
                : vector<16xi32>
              %k6_6 = affine.apply
                affine_map<(d) -> (d * 256 + 202)>(%d)
              %left6_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_6_word = vector.bitcast %left6_6_bytes : vector<4xi8> to vector<1xi32>
              %left6_6_alone = vector.extract %left6_6_word[0] : i32 from vector<1xi32>
              %left6_6_words = vector.broadcast %left6_6_alone : i32 to vector<16xi32>
              %left6_6 = vector.bitcast %left6_6_words : vector<16xi32> to vector<64xi8>

              %dot6_7_right = vector.bitcast %number6_6
                : vector<16xi32> to vector<64xi8>
              %dot6_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_6, %dot6_7_right, %left6_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_7_by = arith.constant dense<4> : vector<16xi32>
              %number6_7_moved = arith.shrui %piece7_2, %number6_7_by
                : vector<16xi32>
              %number6_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number6_7 = arith.andi %number6_7_moved, %number6_7_mask
                : vector<16xi32>
              %k6_7 = affine.apply
                affine_map<(d) -> (d * 256 + 218)>(%d)
              %left6_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_7_word = vector.bitcast %left6_7_bytes : vector<4xi8> to vector<1xi32>
              %left6_7_alone = vector.extract %left6_7_word[0] : i32 from vector<1xi32>
              %left6_7_words = vector.broadcast %left6_7_alone : i32 to vector<16xi32>
              %left6_7 = vector.bitcast %left6_7_words : vector<16xi32> to vector<64xi8>
              %number6_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1920($2)",
                "=v,0,r" %number6_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_8_right = vector.bitcast %number6_7_held
                : vector<16xi32> to vector<64xi8>
              %dot6_8 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_7, %dot6_8_right, %left6_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_8_mask = arith.constant dense<3855> : vector<16xi32>
              %number6_8 = arith.andi %piece7_3, %number6_8_mask
                : vector<16xi32>
              %k6_8 = affine.apply
                affine_map<(d) -> (d * 256 + 206)>(%d)
              %left6_8_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_8], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_8_word = vector.bitcast %left6_8_bytes : vector<4xi8> to vector<1xi32>
              %left6_8_alone = vector.extract %left6_8_word[0] : i32 from vector<1xi32>
              %left6_8_words = vector.broadcast %left6_8_alone : i32 to vector<16xi32>
              %left6_8 = vector.bitcast %left6_8_words : vector<16xi32> to vector<64xi8>

              %dot6_9_right = vector.bitcast %number6_8
                : vector<16xi32> to vector<64xi8>
              %dot6_9 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_8, %dot6_9_right, %left6_8)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number6_9_by = arith.constant dense<4> : vector<16xi32>
              %number6_9_moved = arith.shrui %piece7_3, %number6_9_by
                : vector<16xi32>
              %number6_9_mask = arith.constant dense<3855> : vector<16xi32>
              %number6_9 = arith.andi %number6_9_moved, %number6_9_mask
                : vector<16xi32>
              %k6_9 = affine.apply
                affine_map<(d) -> (d * 256 + 222)>(%d)
              %left6_9_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k6_9], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left6_9_word = vector.bitcast %left6_9_bytes : vector<4xi8> to vector<1xi32>
              %left6_9_alone = vector.extract %left6_9_word[0] : i32 from vector<1xi32>
              %left6_9_words = vector.broadcast %left6_9_alone : i32 to vector<16xi32>
              %left6_9 = vector.bitcast %left6_9_words : vector<16xi32> to vector<64xi8>
              %number6_9_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 1984($2)",
                "=v,0,r" %number6_9, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot6_right = vector.bitcast %number6_9_held
                : vector<16xi32> to vector<64xi8>
              %dot6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot6_9, %dot6_right, %left6_9)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole6 = arith.sitofp %dot6 : vector<16xi32> to vector<16xf32>
              %both6 = arith.mulf %scale6, %token_scale6 : vector<16xf32>
              %more6 = vector.fma %whole6, %both6,
                %more5 : vector<16xf32>
              %piece8_bytes0_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes0 = vector.transfer_read %weight[%n0, %piece8_bytes0_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column0 = vector.bitcast %piece8_bytes0
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes1_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes1 = vector.transfer_read %weight[%n1, %piece8_bytes1_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column1 = vector.bitcast %piece8_bytes1
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes2_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes2 = vector.transfer_read %weight[%n2, %piece8_bytes2_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column2 = vector.bitcast %piece8_bytes2
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes3_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes3 = vector.transfer_read %weight[%n3, %piece8_bytes3_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column3 = vector.bitcast %piece8_bytes3
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes4_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes4 = vector.transfer_read %weight[%n4, %piece8_bytes4_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column4 = vector.bitcast %piece8_bytes4
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes5_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes5 = vector.transfer_read %weight[%n5, %piece8_bytes5_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column5 = vector.bitcast %piece8_bytes5
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes6_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes6 = vector.transfer_read %weight[%n6, %piece8_bytes6_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column6 = vector.bitcast %piece8_bytes6
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes7_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes7 = vector.transfer_read %weight[%n7, %piece8_bytes7_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column7 = vector.bitcast %piece8_bytes7
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes8_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes8 = vector.transfer_read %weight[%n8, %piece8_bytes8_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column8 = vector.bitcast %piece8_bytes8
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes9_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes9 = vector.transfer_read %weight[%n9, %piece8_bytes9_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column9 = vector.bitcast %piece8_bytes9
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes10_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes10 = vector.transfer_read %weight[%n10, %piece8_bytes10_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column10 = vector.bitcast %piece8_bytes10
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes11_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes11 = vector.transfer_read %weight[%n11, %piece8_bytes11_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column11 = vector.bitcast %piece8_bytes11
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes12_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes12 = vector.transfer_read %weight[%n12, %piece8_bytes12_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column12 = vector.bitcast %piece8_bytes12
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes13_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes13 = vector.transfer_read %weight[%n13, %piece8_bytes13_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column13 = vector.bitcast %piece8_bytes13
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes14_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes14 = vector.transfer_read %weight[%n14, %piece8_bytes14_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column14 = vector.bitcast %piece8_bytes14
                : vector<16xi8> to vector<4xi32>
              %piece8_bytes15_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
              %piece8_bytes15 = vector.transfer_read %weight[%n15, %piece8_bytes15_place], %no_byte
                {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
              %piece8_column15 = vector.bitcast %piece8_bytes15
                : vector<16xi8> to vector<4xi32>
              %piece8_two0 = vector.shuffle
                %piece8_column0, %piece8_column4
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_two8 = vector.shuffle
                %piece8_column8, %piece8_column12
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_row0 = vector.shuffle %piece8_two0, %piece8_two8
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece8_two1 = vector.shuffle
                %piece8_column1, %piece8_column5
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_two9 = vector.shuffle
                %piece8_column9, %piece8_column13
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_row1 = vector.shuffle %piece8_two1, %piece8_two9
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece8_two2 = vector.shuffle
                %piece8_column2, %piece8_column6
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_two10 = vector.shuffle
                %piece8_column10, %piece8_column14
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_row2 = vector.shuffle %piece8_two2, %piece8_two10
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece8_two3 = vector.shuffle
                %piece8_column3, %piece8_column7
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_two11 = vector.shuffle
                %piece8_column11, %piece8_column15
                [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
              %piece8_row3 = vector.shuffle %piece8_two3, %piece8_two11
                [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
              %piece8_low0 = vector.shuffle
                %piece8_row0, %piece8_row1
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece8_low2 = vector.shuffle
                %piece8_row2, %piece8_row3
                [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29] : vector<16xi32>, vector<16xi32>
              %piece8_0 = vector.shuffle %piece8_low0, %piece8_low2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece8_1 = vector.shuffle %piece8_low0, %piece8_low2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %piece8_high0 = vector.shuffle
                %piece8_row0, %piece8_row1
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece8_high2 = vector.shuffle
                %piece8_row2, %piece8_row3
                [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31] : vector<16xi32>, vector<16xi32>
              %piece8_2 = vector.shuffle %piece8_high0, %piece8_high2
                [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29] : vector<16xi32>, vector<16xi32>
              %piece8_3 = vector.shuffle %piece8_high0, %piece8_high2
                [2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31] : vector<16xi32>, vector<16xi32>
              %scale7_word_by = arith.constant dense<16> : vector<16xi32>
              %scale7_word_moved = arith.shrui %piece7_3, %scale7_word_by
                : vector<16xi32>
              %scale7_word_mask = arith.constant dense<65535> : vector<16xi32>
              %scale7_word = arith.andi %scale7_word_moved, %scale7_word_mask
                : vector<16xi32>
              %scale7_bits = arith.trunci %scale7_word : vector<16xi32> to vector<16xi16>
              %scale7_half = arith.bitcast %scale7_bits : vector<16xi16> to vector<16xf16>
              %scale7 = arith.extf %scale7_half : vector<16xf16> to vector<16xf32>
              %scale_place7 = affine.apply affine_map<(d, b)
                -> (d * 8 + b * 1
                + 7)>(%d, %b)
              %token_scale_alone7 = tensor.extract
                %tokens_of_acc_scales[%first_row, %scale_place7] : tensor<1x8xf32>
              %token_scale7 = vector.broadcast %token_scale_alone7 : f32 to vector<16xf32>
              %sum_place7 = affine.apply affine_map<(d, b) -> (d * 8
                + b * 1 + 7)>(%d, %b)
              %token_sum_alone7 = tensor.extract
                %tokens_of_acc_sums[%first_row, %sum_place7] : tensor<1x8xi32>
              %token_sum7 = vector.broadcast %token_sum_alone7
                : i32 to vector<16xi32>
              %number7_0_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_0 = arith.andi %piece8_0, %number7_0_mask
                : vector<16xi32>
              %k7_0 = affine.apply
                affine_map<(d) -> (d * 256 + 224)>(%d)
              %left7_0_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_0], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_0_word = vector.bitcast %left7_0_bytes : vector<4xi8> to vector<1xi32>
              %left7_0_alone = vector.extract %left7_0_word[0] : i32 from vector<1xi32>
              %left7_0_words = vector.broadcast %left7_0_alone : i32 to vector<16xi32>
              %left7_0 = vector.bitcast %left7_0_words : vector<16xi32> to vector<64xi8>

              %dot7_1_right = vector.bitcast %number7_0
                : vector<16xi32> to vector<64xi8>
              %dot7_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum7, %dot7_1_right, %left7_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_1_by = arith.constant dense<4> : vector<16xi32>
              %number7_1_moved = arith.shrui %piece8_0, %number7_1_by
                : vector<16xi32>
              %number7_1_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_1 = arith.andi %number7_1_moved, %number7_1_mask
                : vector<16xi32>
              %k7_1 = affine.apply
                affine_map<(d) -> (d * 256 + 240)>(%d)
              %left7_1_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_1], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_1_word = vector.bitcast %left7_1_bytes : vector<4xi8> to vector<1xi32>
              %left7_1_alone = vector.extract %left7_1_word[0] : i32 from vector<1xi32>
              %left7_1_words = vector.broadcast %left7_1_alone : i32 to vector<16xi32>
              %left7_1 = vector.bitcast %left7_1_words : vector<16xi32> to vector<64xi8>
              %number7_1_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2048($2)",
                "=v,0,r" %number7_1, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_2_right = vector.bitcast %number7_1_held
                : vector<16xi32> to vector<64xi8>
              %dot7_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_1, %dot7_2_right, %left7_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_2_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_2 = arith.andi %piece8_1, %number7_2_mask
                : vector<16xi32>
              %k7_2 = affine.apply
                affine_map<(d) -> (d * 256 + 228)>(%d)
              %left7_2_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_2], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_2_word = vector.bitcast %left7_2_bytes : vector<4xi8> to vector<1xi32>
              %left7_2_alone = vector.extract %left7_2_word[0] : i32 from vector<1xi32>
              %left7_2_words = vector.broadcast %left7_2_alone : i32 to vector<16xi32>
              %left7_2 = vector.bitcast %left7_2_words : vector<16xi32> to vector<64xi8>

              %dot7_3_right = vector.bitcast %number7_2
                : vector<16xi32> to vector<64xi8>
              %dot7_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_2, %dot7_3_right, %left7_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_3_by = arith.constant dense<4> : vector<16xi32>
              %number7_3_moved = arith.shrui %piece8_1, %number7_3_by
                : vector<16xi32>
              %number7_3_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_3 = arith.andi %number7_3_moved, %number7_3_mask
                : vector<16xi32>
              %k7_3 = affine.apply
                affine_map<(d) -> (d * 256 + 244)>(%d)
              %left7_3_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_3], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_3_word = vector.bitcast %left7_3_bytes : vector<4xi8> to vector<1xi32>
              %left7_3_alone = vector.extract %left7_3_word[0] : i32 from vector<1xi32>
              %left7_3_words = vector.broadcast %left7_3_alone : i32 to vector<16xi32>
              %left7_3 = vector.bitcast %left7_3_words : vector<16xi32> to vector<64xi8>
              %number7_3_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2112($2)",
                "=v,0,r" %number7_3, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_4_right = vector.bitcast %number7_3_held
                : vector<16xi32> to vector<64xi8>
              %dot7_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_3, %dot7_4_right, %left7_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_4_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_4 = arith.andi %piece8_2, %number7_4_mask
                : vector<16xi32>
              %k7_4 = affine.apply
                affine_map<(d) -> (d * 256 + 232)>(%d)
              %left7_4_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_4], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_4_word = vector.bitcast %left7_4_bytes : vector<4xi8> to vector<1xi32>
              %left7_4_alone = vector.extract %left7_4_word[0] : i32 from vector<1xi32>
              %left7_4_words = vector.broadcast %left7_4_alone : i32 to vector<16xi32>
              %left7_4 = vector.bitcast %left7_4_words : vector<16xi32> to vector<64xi8>

              %dot7_5_right = vector.bitcast %number7_4
                : vector<16xi32> to vector<64xi8>
              %dot7_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_4, %dot7_5_right, %left7_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_5_by = arith.constant dense<4> : vector<16xi32>
              %number7_5_moved = arith.shrui %piece8_2, %number7_5_by
                : vector<16xi32>
              %number7_5_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_5 = arith.andi %number7_5_moved, %number7_5_mask
                : vector<16xi32>
              %k7_5 = affine.apply
                affine_map<(d) -> (d * 256 + 248)>(%d)
              %left7_5_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_5], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_5_word = vector.bitcast %left7_5_bytes : vector<4xi8> to vector<1xi32>
              %left7_5_alone = vector.extract %left7_5_word[0] : i32 from vector<1xi32>
              %left7_5_words = vector.broadcast %left7_5_alone : i32 to vector<16xi32>
              %left7_5 = vector.bitcast %left7_5_words : vector<16xi32> to vector<64xi8>
              %number7_5_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2176($2)",
                "=v,0,r" %number7_5, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_6_right = vector.bitcast %number7_5_held
                : vector<16xi32> to vector<64xi8>
              %dot7_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_5, %dot7_6_right, %left7_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_6_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_6 = arith.andi %piece8_3, %number7_6_mask
                : vector<16xi32>
              %k7_6 = affine.apply
                affine_map<(d) -> (d * 256 + 236)>(%d)
              %left7_6_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_6], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_6_word = vector.bitcast %left7_6_bytes : vector<4xi8> to vector<1xi32>
              %left7_6_alone = vector.extract %left7_6_word[0] : i32 from vector<1xi32>
              %left7_6_words = vector.broadcast %left7_6_alone : i32 to vector<16xi32>
              %left7_6 = vector.bitcast %left7_6_words : vector<16xi32> to vector<64xi8>

              %dot7_7_right = vector.bitcast %number7_6
                : vector<16xi32> to vector<64xi8>
              %dot7_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_6, %dot7_7_right, %left7_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %number7_7_by = arith.constant dense<4> : vector<16xi32>
              %number7_7_moved = arith.shrui %piece8_3, %number7_7_by
                : vector<16xi32>
              %number7_7_mask = arith.constant dense<252645135> : vector<16xi32>
              %number7_7 = arith.andi %number7_7_moved, %number7_7_mask
                : vector<16xi32>
              %k7_7 = affine.apply
                affine_map<(d) -> (d * 256 + 252)>(%d)
              %left7_7_bytes = vector.transfer_read %tokens_of_acc[%first_row, %k7_7], %no_byte
                {in_bounds = [true]} : tensor<1x256xi8>, vector<4xi8>
              %left7_7_word = vector.bitcast %left7_7_bytes : vector<4xi8> to vector<1xi32>
              %left7_7_alone = vector.extract %left7_7_word[0] : i32 from vector<1xi32>
              %left7_7_words = vector.broadcast %left7_7_alone : i32 to vector<16xi32>
              %left7_7 = vector.bitcast %left7_7_words : vector<16xi32> to vector<64xi8>
              %number7_7_held = llvm.inline_asm has_side_effects asm_dialect = att "prefetcht1 2240($2)",
                "=v,0,r" %number7_7, %ahead_place : (vector<16xi32>, i64) -> vector<16xi32>
              %dot7_right = vector.bitcast %number7_7_held
                : vector<16xi32> to vector<64xi8>
              %dot7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot7_7, %dot7_right, %left7_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %whole7 = arith.sitofp %dot7 : vector<16xi32> to vector<16xf32>
              %both7 = arith.mulf %scale7, %token_scale7 : vector<16xf32>
              %more7 = vector.fma %whole7, %both7,
                %more6 : vector<16xf32>
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
