// hidden · weightᵀ
// m token, n column of the output, k column of the hidden state
!hidden = tensor<1x6x256xf16>
!weight = tensor<37x144xi8>
!output = tensor<1x6x37xf16>
!tokens = tensor<6x256xf16>
!acc = tensor<6x37xf32>
!rows = tensor<6x37xf16>
!words = vector<8xi32>
!scales = vector<8xf32>
!depth_given = vector<256xi8>
!depth_lanes = vector<8xf32>
!depth_block = vector<4x4x8xf32>
!depth_part = vector<4x4x8xf32>
!depth_sums = vector<4x4xf32>
!depth_row = vector<4xf32>
!depth_numbers = vector<16xf32>
!depth_rows0 = vector<16x8xf32>
!depth_register8 = vector<8xf32>
!depth_registers = vector<2x8xf32>
!tokens_of_acc_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x256xi8>>
!weight_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<37x144xi8>>
!tokens_of_acc_scales_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x8xf32>>
!tokens_of_acc_sums_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x8xi32>>
!acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x37xf32>>
!tokens_for_tokens_of_acc = !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x256xf16>>
!tokens_of_acc_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x256xi8>>
!tokens_of_acc_scales_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x8xf32>>
!tokens_of_acc_sums_out = !iree_tensor_ext.dispatch.tensor<writeonly:tensor<6x8xi32>>
#rows = affine_map<(m, n) -> (m, n)>

func.func @linear(%hidden: !hidden, %weight: !weight) -> !output {
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.collapse_shape %hidden [[0, 1], [2]] : !hidden into !tokens
  %tokens_of_acc, %tokens_of_acc_scales, %tokens_of_acc_sums =
    flow.dispatch @tokens_of_acc_kernel::@tokens_of_acc_kernel(
      %tokens
    ) : (
      tensor<6x256xf16>
    ) -> (tensor<6x256xi8>, tensor<6x8xf32>, tensor<6x8xi32>)
  %acc =
    flow.dispatch @acc_kernel::@acc_kernel(
      %tokens_of_acc, %weight, %tokens_of_acc_scales, %tokens_of_acc_sums
    ) : (
      tensor<6x256xi8>,
      tensor<37x144xi8>,
      tensor<6x8xf32>,
      tensor<6x8xi32>
    ) -> (tensor<6x37xf32>)
  %empty = tensor.empty() : !rows
  %rows = linalg.generic {
      indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]
    } ins(%acc : !acc) outs(%empty : !rows) {
  ^bb0(%sum: f32, %unused: f16):
    %sum_stored = arith.truncf %sum : f32 to f16
    linalg.yield %sum_stored : f16
  } -> !rows
  %output = tensor.expand_shape %rows [[0, 1], [2]] output_shape [1, 6, 37]
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
      offsets = [0, 0], sizes = [6, 256], strides = [1, 1]
      : !tokens_for_tokens_of_acc -> tensor<6x256xf16>
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %parts = arith.constant 8 : index
    %rows = arith.constant 6 : index
    %padding = arith.constant 0.0 : f16
    %most_number = arith.constant 127.0 : f32
    %over_numbers = arith.constant dense<128.0> : vector<32xf32>
    %least_scale = arith.constant 0x00800000 : f32
    %zeros = arith.constant dense<0.0> : vector<32xf32>
    %taken_times = arith.constant -8.0 : f32
    %empty0 = tensor.empty() : tensor<6x256xi8>
    %empty1 = tensor.empty() : tensor<6x8xf32>
    %empty2 = tensor.empty() : tensor<6x8xi32>
    %workgroups:3 = scf.forall (%m) in (%rows)
      shared_outs(%all0 = %empty0, %all1 = %empty1, %all2 = %empty2)
      -> (tensor<6x256xi8>, tensor<6x8xf32>, tensor<6x8xi32>) {
      %of_row:3 = scf.for %p = %none to %parts step %one
        iter_args(%so_far0 = %all0, %so_far1 = %all1, %so_far2 = %all2)
        -> (tensor<6x256xi8>, tensor<6x8xf32>, tensor<6x8xi32>) {
        %k = affine.apply affine_map<(p) -> (p * 32)>(%p)
        %x_stored = vector.transfer_read %tokens[%m, %k], %padding
          {in_bounds = [true]} : tensor<6x256xf16>, vector<32xf16>
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
          : vector<32xi8>, tensor<6x256xi8>
        %scale_alone = vector.broadcast %scale : f32 to vector<1xf32>
        %with_scale = vector.transfer_write %scale_alone, %so_far1[%m, %p] {in_bounds = [true]}
          : vector<1xf32>, tensor<6x8xf32>
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
          : vector<1xi32>, tensor<6x8xi32>
        scf.yield %with_numbers, %with_scale, %with_sums : tensor<6x256xi8>, tensor<6x8xf32>, tensor<6x8xi32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_row#0
          into %all0[0, 0] [6, 256] [1, 1]
          : tensor<6x256xi8> into tensor<6x256xi8>
        tensor.parallel_insert_slice %of_row#1
          into %all1[0, 0] [6, 8] [1, 1]
          : tensor<6x8xf32> into tensor<6x8xf32>
        tensor.parallel_insert_slice %of_row#2
          into %all2[0, 0] [6, 8] [1, 1]
          : tensor<6x8xi32> into tensor<6x8xi32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups#0, %tokens_of_acc_out,
      offsets = [0, 0], sizes = [6, 256], strides = [1, 1]
      : tensor<6x256xi8> -> !tokens_of_acc_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#1, %tokens_of_acc_scales_out,
      offsets = [0, 0], sizes = [6, 8], strides = [1, 1]
      : tensor<6x8xf32> -> !tokens_of_acc_scales_out
    iree_tensor_ext.dispatch.tensor.store %workgroups#2, %tokens_of_acc_sums_out,
      offsets = [0, 0], sizes = [6, 8], strides = [1, 1]
      : tensor<6x8xi32> -> !tokens_of_acc_sums_out
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
      offsets = [0, 0], sizes = [6, 256], strides = [1, 1]
      : !tokens_of_acc_of_acc -> tensor<6x256xi8>
    %weight = iree_tensor_ext.dispatch.tensor.load %weight_in,
      offsets = [0, 0], sizes = [37, 144], strides = [1, 1]
      : !weight_of_acc -> tensor<37x144xi8>
    %tokens_of_acc_scales = iree_tensor_ext.dispatch.tensor.load %tokens_of_acc_scales_in,
      offsets = [0, 0], sizes = [6, 8], strides = [1, 1]
      : !tokens_of_acc_scales_of_acc -> tensor<6x8xf32>
    %tokens_of_acc_sums = iree_tensor_ext.dispatch.tensor.load %tokens_of_acc_sums_in,
      offsets = [0, 0], sizes = [6, 8], strides = [1, 1]
      : !tokens_of_acc_sums_of_acc -> tensor<6x8xi32>
    %none = arith.constant 0 : index
    %depth = arith.constant 256 : index
    %depth_step = arith.constant 256 : index
    %columns = arith.constant 37 : index
    %rows = arith.constant 6 : index
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
    %row_tiles = affine.apply
      affine_map<()[m] -> (m ceildiv 256)>()[%rows]
    %column_tiles = affine.apply
      affine_map<()[n] -> (n ceildiv 32)>()[%columns]
    %weight_memory = hal.interface.binding.subspan
      layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>)
      binding(1) alignment(64) offset(%none) : memref<37x144xi8>
    %empty = tensor.empty() : tensor<6x37xf32>
    // Workgroups with the same columns follow one another: the weight is read from memory once.
    %workgroups = scf.forall (%x, %i) in (%column_tiles, %row_tiles) shared_outs(%all = %empty)
      -> (tensor<6x37xf32>) {
      %first_row = affine.apply affine_map<(i) -> (i * 256)>(%i)
      %end_row = affine.min
        affine_map<(f)[m] -> (f + 256, m)>(%first_row)[%rows]
      %first_column = affine.apply affine_map<(x) -> (x * 32)>(%x)
      %end_column = affine.min
        affine_map<(f)[n] -> (f + 32, n)>(%first_column)[%columns]
      %of_columns = scf.for %n = %first_column to %end_column step %width
        iter_args(%of_all = %all) -> (tensor<6x37xf32>) {
        %n_0 = affine.apply affine_map<(n) -> (n + 0)>(%n)
        %n_1 = affine.apply affine_map<(n) -> (n + 16)>(%n)
        %ahead = affine.min
          affine_map<(n) -> (n + 32, 36)>(%n)
        %of_depth = scf.for %d = %none to %depth_blocks step %block_step iter_args(%of_steps = %of_all)
          -> (tensor<6x37xf32>) {
          %is_begun = arith.cmpi sgt, %d, %none : index
          %empty0 = tensor.empty() : tensor<64x2x16xi32>
          %empty1 = tensor.empty() : tensor<8x2x16xf32>
          %panel:2 = scf.for %g = %none to %groups step %one
            iter_args(%made0 = %empty0, %made1 = %empty1)
            -> (tensor<64x2x16xi32>, tensor<8x2x16xf32>) {
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
              -> (tensor<64x2x16xi32>, tensor<8x2x16xf32>) {
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
              %to_word0_0 = affine.apply
                affine_map<(b) -> (b * 8 + 0)>(%b)
              %numbers_1 = vector.transfer_write %number0_0,
                %to0[%to_word0_0, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_1 = affine.apply
                affine_map<(b) -> (b * 8 + 1)>(%b)
              %numbers_2 = vector.transfer_write %number0_1,
                %numbers_1[%to_word0_1, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_2 = affine.apply
                affine_map<(b) -> (b * 8 + 2)>(%b)
              %numbers_3 = vector.transfer_write %number0_2,
                %numbers_2[%to_word0_2, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_3 = affine.apply
                affine_map<(b) -> (b * 8 + 3)>(%b)
              %numbers_4 = vector.transfer_write %number0_3,
                %numbers_3[%to_word0_3, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_4 = affine.apply
                affine_map<(b) -> (b * 8 + 4)>(%b)
              %numbers_5 = vector.transfer_write %number0_4,
                %numbers_4[%to_word0_4, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_5 = affine.apply
                affine_map<(b) -> (b * 8 + 5)>(%b)
              %numbers_6 = vector.transfer_write %number0_5,
                %numbers_5[%to_word0_5, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_6 = affine.apply
                affine_map<(b) -> (b * 8 + 6)>(%b)
              %numbers_7 = vector.transfer_write %number0_6,
                %numbers_6[%to_word0_6, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_word0_7 = affine.apply
                affine_map<(b) -> (b * 8 + 7)>(%b)
              %numbers = vector.transfer_write %number0_7,
                %numbers_7[%to_word0_7, %g, %none] {in_bounds = [true]}
                : vector<16xi32>, tensor<64x2x16xi32>
              %to_scale0 = affine.apply
                affine_map<(b) -> (b * 1 + 0)>(%b)
              %scales = vector.transfer_write %scale0,
                %to1[%to_scale0, %g, %none] {in_bounds = [true]}
                : vector<16xf32>, tensor<8x2x16xf32>
              scf.yield %numbers, %scales
                : tensor<64x2x16xi32>, tensor<8x2x16xf32>
            }
            scf.yield %of_blocks#0, %of_blocks#1 : tensor<64x2x16xi32>, tensor<8x2x16xf32>
          }
          %of_rows = scf.for %m = %first_row to %end_row step %row_step
            iter_args(%before = %of_steps) -> (tensor<6x37xf32>) {
            %m0 = affine.min affine_map<(m)[e] -> (m + 0, e - 1)>(%m)[%end_row]
            %m1 = affine.min affine_map<(m)[e] -> (m + 1, e - 1)>(%m)[%end_row]
            %m2 = affine.min affine_map<(m)[e] -> (m + 2, e - 1)>(%m)[%end_row]
            %m3 = affine.min affine_map<(m)[e] -> (m + 3, e - 1)>(%m)[%end_row]
            %given0_0 = vector.transfer_read %before[%m0, %n_0], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin0_0 = arith.select %is_begun, %given0_0, %no_sums : vector<16xf32>
            %given0_1 = vector.transfer_read %before[%m0, %n_1], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin0_1 = arith.select %is_begun, %given0_1, %no_sums : vector<16xf32>
            %given1_0 = vector.transfer_read %before[%m1, %n_0], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin1_0 = arith.select %is_begun, %given1_0, %no_sums : vector<16xf32>
            %given1_1 = vector.transfer_read %before[%m1, %n_1], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin1_1 = arith.select %is_begun, %given1_1, %no_sums : vector<16xf32>
            %given2_0 = vector.transfer_read %before[%m2, %n_0], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin2_0 = arith.select %is_begun, %given2_0, %no_sums : vector<16xf32>
            %given2_1 = vector.transfer_read %before[%m2, %n_1], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin2_1 = arith.select %is_begun, %given2_1, %no_sums : vector<16xf32>
            %given3_0 = vector.transfer_read %before[%m3, %n_0], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
            %begin3_0 = arith.select %is_begun, %given3_0, %no_sums : vector<16xf32>
            %given3_1 = vector.transfer_read %before[%m3, %n_1], %no_scale
              {in_bounds = [false]} : tensor<6x37xf32>, vector<16xf32>
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
              %token_scale_alone0 = tensor.extract %tokens_of_acc_scales[%m0, %part]
                : tensor<6x8xf32>
              %token_scale0 = vector.broadcast %token_scale_alone0 : f32 to vector<16xf32>
              %token_scale_alone1 = tensor.extract %tokens_of_acc_scales[%m1, %part]
                : tensor<6x8xf32>
              %token_scale1 = vector.broadcast %token_scale_alone1 : f32 to vector<16xf32>
              %token_scale_alone2 = tensor.extract %tokens_of_acc_scales[%m2, %part]
                : tensor<6x8xf32>
              %token_scale2 = vector.broadcast %token_scale_alone2 : f32 to vector<16xf32>
              %token_scale_alone3 = tensor.extract %tokens_of_acc_scales[%m3, %part]
                : tensor<6x8xf32>
              %token_scale3 = vector.broadcast %token_scale_alone3 : f32 to vector<16xf32>
              %sum_place0 = affine.apply affine_map<(p) -> (p * 1 + 0)>(%part)
              %scale_place0 = affine.apply affine_map<(p) -> (p * 1 + 0)>(%p)
              %token_sum_alone0_0 = tensor.extract
                %tokens_of_acc_sums[%m0, %sum_place0]
                : tensor<6x8xi32>
              %token_sum0_0 = vector.broadcast %token_sum_alone0_0
                : i32 to vector<16xi32>
              %token_sum_alone1_0 = tensor.extract
                %tokens_of_acc_sums[%m1, %sum_place0]
                : tensor<6x8xi32>
              %token_sum1_0 = vector.broadcast %token_sum_alone1_0
                : i32 to vector<16xi32>
              %token_sum_alone2_0 = tensor.extract
                %tokens_of_acc_sums[%m2, %sum_place0]
                : tensor<6x8xi32>
              %token_sum2_0 = vector.broadcast %token_sum_alone2_0
                : i32 to vector<16xi32>
              %token_sum_alone3_0 = tensor.extract
                %tokens_of_acc_sums[%m3, %sum_place0]
                : tensor<6x8xi32>
              %token_sum3_0 = vector.broadcast %token_sum_alone3_0
                : i32 to vector<16xi32>
              %word0 = affine.apply affine_map<(p) -> (p * 8 + 0)>(%p)
              %k0 = affine.apply affine_map<(p) -> (p * 32 + 0)>(%part)
              %right_words0_0 = vector.transfer_read %panel#0[%word0, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_0 = vector.bitcast %right_words0_0
                : vector<16xi32> to vector<64xi8>
              %right_words1_0 = vector.transfer_read %panel#0[%word0, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_0 = vector.bitcast %right_words1_0
                : vector<16xi32> to vector<64xi8>
              %left0_0_bytes = vector.transfer_read %tokens_of_acc[%m0, %k0], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_0_word = vector.bitcast %left0_0_bytes : vector<4xi8> to vector<1xi32>
              %left0_0_alone = vector.extract %left0_0_word[0] : i32 from vector<1xi32>
              %left0_0_words = vector.broadcast %left0_0_alone : i32 to vector<16xi32>
              %left0_0 = vector.bitcast %left0_0_words : vector<16xi32> to vector<64xi8>
              %left1_0_bytes = vector.transfer_read %tokens_of_acc[%m1, %k0], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_0_word = vector.bitcast %left1_0_bytes : vector<4xi8> to vector<1xi32>
              %left1_0_alone = vector.extract %left1_0_word[0] : i32 from vector<1xi32>
              %left1_0_words = vector.broadcast %left1_0_alone : i32 to vector<16xi32>
              %left1_0 = vector.bitcast %left1_0_words : vector<16xi32> to vector<64xi8>
              %left2_0_bytes = vector.transfer_read %tokens_of_acc[%m2, %k0], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_0_word = vector.bitcast %left2_0_bytes : vector<4xi8> to vector<1xi32>
              %left2_0_alone = vector.extract %left2_0_word[0] : i32 from vector<1xi32>
              %left2_0_words = vector.broadcast %left2_0_alone : i32 to vector<16xi32>
              %left2_0 = vector.bitcast %left2_0_words : vector<16xi32> to vector<64xi8>
              %left3_0_bytes = vector.transfer_read %tokens_of_acc[%m3, %k0], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_0_word = vector.bitcast %left3_0_bytes : vector<4xi8> to vector<1xi32>
              %left3_0_alone = vector.extract %left3_0_word[0] : i32 from vector<1xi32>
              %left3_0_words = vector.broadcast %left3_0_alone : i32 to vector<16xi32>
              %left3_0 = vector.bitcast %left3_0_words : vector<16xi32> to vector<64xi8>
              %dot0_0_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum0_0,
                %right0_0, %left0_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum0_0,
                %right1_0, %left0_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum1_0,
                %right0_0, %left1_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum1_0,
                %right1_0, %left1_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum2_0,
                %right0_0, %left2_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum2_0,
                %right1_0, %left2_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum3_0,
                %right0_0, %left3_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %token_sum3_0,
                %right1_0, %left3_0)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word1 = affine.apply affine_map<(p) -> (p * 8 + 1)>(%p)
              %k1 = affine.apply affine_map<(p) -> (p * 32 + 4)>(%part)
              %right_words0_1 = vector.transfer_read %panel#0[%word1, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_1 = vector.bitcast %right_words0_1
                : vector<16xi32> to vector<64xi8>
              %right_words1_1 = vector.transfer_read %panel#0[%word1, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_1 = vector.bitcast %right_words1_1
                : vector<16xi32> to vector<64xi8>
              %left0_1_bytes = vector.transfer_read %tokens_of_acc[%m0, %k1], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_1_word = vector.bitcast %left0_1_bytes : vector<4xi8> to vector<1xi32>
              %left0_1_alone = vector.extract %left0_1_word[0] : i32 from vector<1xi32>
              %left0_1_words = vector.broadcast %left0_1_alone : i32 to vector<16xi32>
              %left0_1 = vector.bitcast %left0_1_words : vector<16xi32> to vector<64xi8>
              %left1_1_bytes = vector.transfer_read %tokens_of_acc[%m1, %k1], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_1_word = vector.bitcast %left1_1_bytes : vector<4xi8> to vector<1xi32>
              %left1_1_alone = vector.extract %left1_1_word[0] : i32 from vector<1xi32>
              %left1_1_words = vector.broadcast %left1_1_alone : i32 to vector<16xi32>
              %left1_1 = vector.bitcast %left1_1_words : vector<16xi32> to vector<64xi8>
              %left2_1_bytes = vector.transfer_read %tokens_of_acc[%m2, %k1], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_1_word = vector.bitcast %left2_1_bytes : vector<4xi8> to vector<1xi32>
              %left2_1_alone = vector.extract %left2_1_word[0] : i32 from vector<1xi32>
              %left2_1_words = vector.broadcast %left2_1_alone : i32 to vector<16xi32>
              %left2_1 = vector.bitcast %left2_1_words : vector<16xi32> to vector<64xi8>
              %left3_1_bytes = vector.transfer_read %tokens_of_acc[%m3, %k1], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_1_word = vector.bitcast %left3_1_bytes : vector<4xi8> to vector<1xi32>
              %left3_1_alone = vector.extract %left3_1_word[0] : i32 from vector<1xi32>
              %left3_1_words = vector.broadcast %left3_1_alone : i32 to vector<16xi32>
              %left3_1 = vector.bitcast %left3_1_words : vector<16xi32> to vector<64xi8>
              %dot0_0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_0,
                %right0_1, %left0_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_0,
                %right1_1, %left0_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_0,
                %right0_1, %left1_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_0,
                %right1_1, %left1_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_0,
                %right0_1, %left2_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_0,
                %right1_1, %left2_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_0,
                %right0_1, %left3_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_0,
                %right1_1, %left3_1)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word2 = affine.apply affine_map<(p) -> (p * 8 + 2)>(%p)
              %k2 = affine.apply affine_map<(p) -> (p * 32 + 8)>(%part)
              %right_words0_2 = vector.transfer_read %panel#0[%word2, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_2 = vector.bitcast %right_words0_2
                : vector<16xi32> to vector<64xi8>
              %right_words1_2 = vector.transfer_read %panel#0[%word2, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_2 = vector.bitcast %right_words1_2
                : vector<16xi32> to vector<64xi8>
              %left0_2_bytes = vector.transfer_read %tokens_of_acc[%m0, %k2], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_2_word = vector.bitcast %left0_2_bytes : vector<4xi8> to vector<1xi32>
              %left0_2_alone = vector.extract %left0_2_word[0] : i32 from vector<1xi32>
              %left0_2_words = vector.broadcast %left0_2_alone : i32 to vector<16xi32>
              %left0_2 = vector.bitcast %left0_2_words : vector<16xi32> to vector<64xi8>
              %left1_2_bytes = vector.transfer_read %tokens_of_acc[%m1, %k2], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_2_word = vector.bitcast %left1_2_bytes : vector<4xi8> to vector<1xi32>
              %left1_2_alone = vector.extract %left1_2_word[0] : i32 from vector<1xi32>
              %left1_2_words = vector.broadcast %left1_2_alone : i32 to vector<16xi32>
              %left1_2 = vector.bitcast %left1_2_words : vector<16xi32> to vector<64xi8>
              %left2_2_bytes = vector.transfer_read %tokens_of_acc[%m2, %k2], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_2_word = vector.bitcast %left2_2_bytes : vector<4xi8> to vector<1xi32>
              %left2_2_alone = vector.extract %left2_2_word[0] : i32 from vector<1xi32>
              %left2_2_words = vector.broadcast %left2_2_alone : i32 to vector<16xi32>
              %left2_2 = vector.bitcast %left2_2_words : vector<16xi32> to vector<64xi8>
              %left3_2_bytes = vector.transfer_read %tokens_of_acc[%m3, %k2], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_2_word = vector.bitcast %left3_2_bytes : vector<4xi8> to vector<1xi32>
              %left3_2_alone = vector.extract %left3_2_word[0] : i32 from vector<1xi32>
              %left3_2_words = vector.broadcast %left3_2_alone : i32 to vector<16xi32>
              %left3_2 = vector.bitcast %left3_2_words : vector<16xi32> to vector<64xi8>
              %dot0_0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_1,
                %right0_2, %left0_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_1,
                %right1_2, %left0_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_1,
                %right0_2, %left1_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_1,
                %right1_2, %left1_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_1,
                %right0_2, %left2_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_1,
                %right1_2, %left2_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_1,
                %right0_2, %left3_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_1,
                %right1_2, %left3_2)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word3 = affine.apply affine_map<(p) -> (p * 8 + 3)>(%p)
              %k3 = affine.apply affine_map<(p) -> (p * 32 + 12)>(%part)
              %right_words0_3 = vector.transfer_read %panel#0[%word3, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_3 = vector.bitcast %right_words0_3
                : vector<16xi32> to vector<64xi8>
              %right_words1_3 = vector.transfer_read %panel#0[%word3, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_3 = vector.bitcast %right_words1_3
                : vector<16xi32> to vector<64xi8>
              %left0_3_bytes = vector.transfer_read %tokens_of_acc[%m0, %k3], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_3_word = vector.bitcast %left0_3_bytes : vector<4xi8> to vector<1xi32>
              %left0_3_alone = vector.extract %left0_3_word[0] : i32 from vector<1xi32>
              %left0_3_words = vector.broadcast %left0_3_alone : i32 to vector<16xi32>
              %left0_3 = vector.bitcast %left0_3_words : vector<16xi32> to vector<64xi8>
              %left1_3_bytes = vector.transfer_read %tokens_of_acc[%m1, %k3], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_3_word = vector.bitcast %left1_3_bytes : vector<4xi8> to vector<1xi32>
              %left1_3_alone = vector.extract %left1_3_word[0] : i32 from vector<1xi32>
              %left1_3_words = vector.broadcast %left1_3_alone : i32 to vector<16xi32>
              %left1_3 = vector.bitcast %left1_3_words : vector<16xi32> to vector<64xi8>
              %left2_3_bytes = vector.transfer_read %tokens_of_acc[%m2, %k3], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_3_word = vector.bitcast %left2_3_bytes : vector<4xi8> to vector<1xi32>
              %left2_3_alone = vector.extract %left2_3_word[0] : i32 from vector<1xi32>
              %left2_3_words = vector.broadcast %left2_3_alone : i32 to vector<16xi32>
              %left2_3 = vector.bitcast %left2_3_words : vector<16xi32> to vector<64xi8>
              %left3_3_bytes = vector.transfer_read %tokens_of_acc[%m3, %k3], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_3_word = vector.bitcast %left3_3_bytes : vector<4xi8> to vector<1xi32>
              %left3_3_alone = vector.extract %left3_3_word[0] : i32 from vector<1xi32>
              %left3_3_words = vector.broadcast %left3_3_alone : i32 to vector<16xi32>
              %left3_3 = vector.bitcast %left3_3_words : vector<16xi32> to vector<64xi8>
              %dot0_0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_2,
                %right0_3, %left0_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_2,
                %right1_3, %left0_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_2,
                %right0_3, %left1_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_2,
                %right1_3, %left1_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_2,
                %right0_3, %left2_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_2,
                %right1_3, %left2_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_2,
                %right0_3, %left3_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_2,
                %right1_3, %left3_3)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word4 = affine.apply affine_map<(p) -> (p * 8 + 4)>(%p)
              %k4 = affine.apply affine_map<(p) -> (p * 32 + 16)>(%part)
              %right_words0_4 = vector.transfer_read %panel#0[%word4, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_4 = vector.bitcast %right_words0_4
                : vector<16xi32> to vector<64xi8>
              %right_words1_4 = vector.transfer_read %panel#0[%word4, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_4 = vector.bitcast %right_words1_4
                : vector<16xi32> to vector<64xi8>
              %left0_4_bytes = vector.transfer_read %tokens_of_acc[%m0, %k4], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_4_word = vector.bitcast %left0_4_bytes : vector<4xi8> to vector<1xi32>
              %left0_4_alone = vector.extract %left0_4_word[0] : i32 from vector<1xi32>
              %left0_4_words = vector.broadcast %left0_4_alone : i32 to vector<16xi32>
              %left0_4 = vector.bitcast %left0_4_words : vector<16xi32> to vector<64xi8>
              %left1_4_bytes = vector.transfer_read %tokens_of_acc[%m1, %k4], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_4_word = vector.bitcast %left1_4_bytes : vector<4xi8> to vector<1xi32>
              %left1_4_alone = vector.extract %left1_4_word[0] : i32 from vector<1xi32>
              %left1_4_words = vector.broadcast %left1_4_alone : i32 to vector<16xi32>
              %left1_4 = vector.bitcast %left1_4_words : vector<16xi32> to vector<64xi8>
              %left2_4_bytes = vector.transfer_read %tokens_of_acc[%m2, %k4], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_4_word = vector.bitcast %left2_4_bytes : vector<4xi8> to vector<1xi32>
              %left2_4_alone = vector.extract %left2_4_word[0] : i32 from vector<1xi32>
              %left2_4_words = vector.broadcast %left2_4_alone : i32 to vector<16xi32>
              %left2_4 = vector.bitcast %left2_4_words : vector<16xi32> to vector<64xi8>
              %left3_4_bytes = vector.transfer_read %tokens_of_acc[%m3, %k4], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_4_word = vector.bitcast %left3_4_bytes : vector<4xi8> to vector<1xi32>
              %left3_4_alone = vector.extract %left3_4_word[0] : i32 from vector<1xi32>
              %left3_4_words = vector.broadcast %left3_4_alone : i32 to vector<16xi32>
              %left3_4 = vector.bitcast %left3_4_words : vector<16xi32> to vector<64xi8>
              %dot0_0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_3,
                %right0_4, %left0_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_3,
                %right1_4, %left0_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_3,
                %right0_4, %left1_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_3,
                %right1_4, %left1_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_3,
                %right0_4, %left2_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_3,
                %right1_4, %left2_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_3,
                %right0_4, %left3_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_3,
                %right1_4, %left3_4)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word5 = affine.apply affine_map<(p) -> (p * 8 + 5)>(%p)
              %k5 = affine.apply affine_map<(p) -> (p * 32 + 20)>(%part)
              %right_words0_5 = vector.transfer_read %panel#0[%word5, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_5 = vector.bitcast %right_words0_5
                : vector<16xi32> to vector<64xi8>
              %right_words1_5 = vector.transfer_read %panel#0[%word5, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_5 = vector.bitcast %right_words1_5
                : vector<16xi32> to vector<64xi8>
              %left0_5_bytes = vector.transfer_read %tokens_of_acc[%m0, %k5], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_5_word = vector.bitcast %left0_5_bytes : vector<4xi8> to vector<1xi32>
              %left0_5_alone = vector.extract %left0_5_word[0] : i32 from vector<1xi32>
              %left0_5_words = vector.broadcast %left0_5_alone : i32 to vector<16xi32>
              %left0_5 = vector.bitcast %left0_5_words : vector<16xi32> to vector<64xi8>
              %left1_5_bytes = vector.transfer_read %tokens_of_acc[%m1, %k5], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_5_word = vector.bitcast %left1_5_bytes : vector<4xi8> to vector<1xi32>
              %left1_5_alone = vector.extract %left1_5_word[0] : i32 from vector<1xi32>
              %left1_5_words = vector.broadcast %left1_5_alone : i32 to vector<16xi32>
              %left1_5 = vector.bitcast %left1_5_words : vector<16xi32> to vector<64xi8>
              %left2_5_bytes = vector.transfer_read %tokens_of_acc[%m2, %k5], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_5_word = vector.bitcast %left2_5_bytes : vector<4xi8> to vector<1xi32>
              %left2_5_alone = vector.extract %left2_5_word[0] : i32 from vector<1xi32>
              %left2_5_words = vector.broadcast %left2_5_alone : i32 to vector<16xi32>
              %left2_5 = vector.bitcast %left2_5_words : vector<16xi32> to vector<64xi8>
              %left3_5_bytes = vector.transfer_read %tokens_of_acc[%m3, %k5], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_5_word = vector.bitcast %left3_5_bytes : vector<4xi8> to vector<1xi32>
              %left3_5_alone = vector.extract %left3_5_word[0] : i32 from vector<1xi32>
              %left3_5_words = vector.broadcast %left3_5_alone : i32 to vector<16xi32>
              %left3_5 = vector.bitcast %left3_5_words : vector<16xi32> to vector<64xi8>
              %dot0_0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_4,
                %right0_5, %left0_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_4,
                %right1_5, %left0_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_4,
                %right0_5, %left1_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_4,
                %right1_5, %left1_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_4,
                %right0_5, %left2_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_4,
                %right1_5, %left2_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_4,
                %right0_5, %left3_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_4,
                %right1_5, %left3_5)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word6 = affine.apply affine_map<(p) -> (p * 8 + 6)>(%p)
              %k6 = affine.apply affine_map<(p) -> (p * 32 + 24)>(%part)
              %right_words0_6 = vector.transfer_read %panel#0[%word6, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_6 = vector.bitcast %right_words0_6
                : vector<16xi32> to vector<64xi8>
              %right_words1_6 = vector.transfer_read %panel#0[%word6, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_6 = vector.bitcast %right_words1_6
                : vector<16xi32> to vector<64xi8>
              %left0_6_bytes = vector.transfer_read %tokens_of_acc[%m0, %k6], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_6_word = vector.bitcast %left0_6_bytes : vector<4xi8> to vector<1xi32>
              %left0_6_alone = vector.extract %left0_6_word[0] : i32 from vector<1xi32>
              %left0_6_words = vector.broadcast %left0_6_alone : i32 to vector<16xi32>
              %left0_6 = vector.bitcast %left0_6_words : vector<16xi32> to vector<64xi8>
              %left1_6_bytes = vector.transfer_read %tokens_of_acc[%m1, %k6], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_6_word = vector.bitcast %left1_6_bytes : vector<4xi8> to vector<1xi32>
              %left1_6_alone = vector.extract %left1_6_word[0] : i32 from vector<1xi32>
              %left1_6_words = vector.broadcast %left1_6_alone : i32 to vector<16xi32>
              %left1_6 = vector.bitcast %left1_6_words : vector<16xi32> to vector<64xi8>
              %left2_6_bytes = vector.transfer_read %tokens_of_acc[%m2, %k6], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_6_word = vector.bitcast %left2_6_bytes : vector<4xi8> to vector<1xi32>
              %left2_6_alone = vector.extract %left2_6_word[0] : i32 from vector<1xi32>
              %left2_6_words = vector.broadcast %left2_6_alone : i32 to vector<16xi32>
              %left2_6 = vector.bitcast %left2_6_words : vector<16xi32> to vector<64xi8>
              %left3_6_bytes = vector.transfer_read %tokens_of_acc[%m3, %k6], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_6_word = vector.bitcast %left3_6_bytes : vector<4xi8> to vector<1xi32>
              %left3_6_alone = vector.extract %left3_6_word[0] : i32 from vector<1xi32>
              %left3_6_words = vector.broadcast %left3_6_alone : i32 to vector<16xi32>
              %left3_6 = vector.bitcast %left3_6_words : vector<16xi32> to vector<64xi8>
              %dot0_0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_5,
                %right0_6, %left0_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_5,
                %right1_6, %left0_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_5,
                %right0_6, %left1_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_5,
                %right1_6, %left1_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_5,
                %right0_6, %left2_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_5,
                %right1_6, %left2_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_5,
                %right0_6, %left3_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_5,
                %right1_6, %left3_6)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %word7 = affine.apply affine_map<(p) -> (p * 8 + 7)>(%p)
              %k7 = affine.apply affine_map<(p) -> (p * 32 + 28)>(%part)
              %right_words0_7 = vector.transfer_read %panel#0[%word7, %group0, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right0_7 = vector.bitcast %right_words0_7
                : vector<16xi32> to vector<64xi8>
              %right_words1_7 = vector.transfer_read %panel#0[%word7, %group1, %none],
                %no_word {in_bounds = [true]} : tensor<64x2x16xi32>, vector<16xi32>
              %right1_7 = vector.bitcast %right_words1_7
                : vector<16xi32> to vector<64xi8>
              %left0_7_bytes = vector.transfer_read %tokens_of_acc[%m0, %k7], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left0_7_word = vector.bitcast %left0_7_bytes : vector<4xi8> to vector<1xi32>
              %left0_7_alone = vector.extract %left0_7_word[0] : i32 from vector<1xi32>
              %left0_7_words = vector.broadcast %left0_7_alone : i32 to vector<16xi32>
              %left0_7 = vector.bitcast %left0_7_words : vector<16xi32> to vector<64xi8>
              %left1_7_bytes = vector.transfer_read %tokens_of_acc[%m1, %k7], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left1_7_word = vector.bitcast %left1_7_bytes : vector<4xi8> to vector<1xi32>
              %left1_7_alone = vector.extract %left1_7_word[0] : i32 from vector<1xi32>
              %left1_7_words = vector.broadcast %left1_7_alone : i32 to vector<16xi32>
              %left1_7 = vector.bitcast %left1_7_words : vector<16xi32> to vector<64xi8>
              %left2_7_bytes = vector.transfer_read %tokens_of_acc[%m2, %k7], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left2_7_word = vector.bitcast %left2_7_bytes : vector<4xi8> to vector<1xi32>
              %left2_7_alone = vector.extract %left2_7_word[0] : i32 from vector<1xi32>
              %left2_7_words = vector.broadcast %left2_7_alone : i32 to vector<16xi32>
              %left2_7 = vector.bitcast %left2_7_words : vector<16xi32> to vector<64xi8>
              %left3_7_bytes = vector.transfer_read %tokens_of_acc[%m3, %k7], %no_byte
                {in_bounds = [true]} : tensor<6x256xi8>, vector<4xi8>
              %left3_7_word = vector.bitcast %left3_7_bytes : vector<4xi8> to vector<1xi32>
              %left3_7_alone = vector.extract %left3_7_word[0] : i32 from vector<1xi32>
              %left3_7_words = vector.broadcast %left3_7_alone : i32 to vector<16xi32>
              %left3_7 = vector.bitcast %left3_7_words : vector<16xi32> to vector<64xi8>
              %dot0_0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_0_6,
                %right0_7, %left0_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot0_1_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot0_1_6,
                %right1_7, %left0_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_0_6,
                %right0_7, %left1_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot1_1_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot1_1_6,
                %right1_7, %left1_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_0_6,
                %right0_7, %left2_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot2_1_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot2_1_6,
                %right1_7, %left2_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_0_6,
                %right0_7, %left3_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %dot3_1_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(
                %dot3_1_6,
                %right1_7, %left3_7)
                : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
              %scale0_0 = vector.transfer_read
                %panel#1[%scale_place0, %group0, %none], %no_scale {in_bounds = [true]}
                : tensor<8x2x16xf32>, vector<16xf32>
              %scale1_0 = vector.transfer_read
                %panel#1[%scale_place0, %group1, %none], %no_scale {in_bounds = [true]}
                : tensor<8x2x16xf32>, vector<16xf32>
              %whole0_0_0 = arith.sitofp %dot0_0_7
                : vector<16xi32> to vector<16xf32>
              %both0_0_0 = arith.mulf %scale0_0, %token_scale0 : vector<16xf32>
              %more0_0_0 = vector.fma %whole0_0_0, %both0_0_0,
                %so_far0_0 : vector<16xf32>
              %whole0_1_0 = arith.sitofp %dot0_1_7
                : vector<16xi32> to vector<16xf32>
              %both0_1_0 = arith.mulf %scale1_0, %token_scale0 : vector<16xf32>
              %more0_1_0 = vector.fma %whole0_1_0, %both0_1_0,
                %so_far0_1 : vector<16xf32>
              %whole1_0_0 = arith.sitofp %dot1_0_7
                : vector<16xi32> to vector<16xf32>
              %both1_0_0 = arith.mulf %scale0_0, %token_scale1 : vector<16xf32>
              %more1_0_0 = vector.fma %whole1_0_0, %both1_0_0,
                %so_far1_0 : vector<16xf32>
              %whole1_1_0 = arith.sitofp %dot1_1_7
                : vector<16xi32> to vector<16xf32>
              %both1_1_0 = arith.mulf %scale1_0, %token_scale1 : vector<16xf32>
              %more1_1_0 = vector.fma %whole1_1_0, %both1_1_0,
                %so_far1_1 : vector<16xf32>
              %whole2_0_0 = arith.sitofp %dot2_0_7
                : vector<16xi32> to vector<16xf32>
              %both2_0_0 = arith.mulf %scale0_0, %token_scale2 : vector<16xf32>
              %more2_0_0 = vector.fma %whole2_0_0, %both2_0_0,
                %so_far2_0 : vector<16xf32>
              %whole2_1_0 = arith.sitofp %dot2_1_7
                : vector<16xi32> to vector<16xf32>
              %both2_1_0 = arith.mulf %scale1_0, %token_scale2 : vector<16xf32>
              %more2_1_0 = vector.fma %whole2_1_0, %both2_1_0,
                %so_far2_1 : vector<16xf32>
              %whole3_0_0 = arith.sitofp %dot3_0_7
                : vector<16xi32> to vector<16xf32>
              %both3_0_0 = arith.mulf %scale0_0, %token_scale3 : vector<16xf32>
              %more3_0_0 = vector.fma %whole3_0_0, %both3_0_0,
                %so_far3_0 : vector<16xf32>
              %whole3_1_0 = arith.sitofp %dot3_1_7
                : vector<16xi32> to vector<16xf32>
              %both3_1_0 = arith.mulf %scale1_0, %token_scale3 : vector<16xf32>
              %more3_1_0 = vector.fma %whole3_1_0, %both3_1_0,
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
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after_2 = vector.transfer_write %block#1, %after_1[%m0, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after_3 = vector.transfer_write %block#2, %after_2[%m1, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after_4 = vector.transfer_write %block#3, %after_3[%m1, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after_5 = vector.transfer_write %block#4, %after_4[%m2, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after_6 = vector.transfer_write %block#5, %after_5[%m2, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after_7 = vector.transfer_write %block#6, %after_6[%m3, %n_0]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            %after = vector.transfer_write %block#7, %after_7[%m3, %n_1]
              {in_bounds = [false]} : vector<16xf32>, tensor<6x37xf32>
            scf.yield %after : tensor<6x37xf32>
          }
          scf.yield %of_rows : tensor<6x37xf32>
        }
        scf.yield %of_depth : tensor<6x37xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %of_columns
          into %all[0, 0] [6, 37] [1, 1]
          : tensor<6x37xf32> into tensor<6x37xf32>
      }
    } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
    iree_tensor_ext.dispatch.tensor.store %workgroups, %acc_out,
      offsets = [0, 0], sizes = [6, 37], strides = [1, 1]
      : tensor<6x37xf32> -> !acc_out
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
