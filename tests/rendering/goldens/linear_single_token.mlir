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
    flow.dispatch.workgroups(
      %tokens
    ) : (
      tensor<1x256xf16>
    ) -> (tensor<1x256xi8>, tensor<1x8xf32>, tensor<1x8xf32>) = (
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
        %half_place0 = affine.apply
          affine_map<(p) -> ((p floordiv 2) * 64 + (p mod 2) * 16 + 0)>(%p)
        %half0 = vector.extract_strided_slice %numbers
          offsets = [0], sizes = [16], strides = [1] : vector<32xi8> to vector<16xi8>
        %with_numbers_1 = vector.transfer_write %half0, %so_far0[%m, %half_place0]
          {in_bounds = [true]} : vector<16xi8>, tensor<1x256xi8>
        %half_place1 = affine.apply
          affine_map<(p) -> ((p floordiv 2) * 64 + (p mod 2) * 16 + 32)>(%p)
        %half1 = vector.extract_strided_slice %numbers
          offsets = [16], sizes = [16], strides = [1] : vector<32xi8> to vector<16xi8>
        %with_numbers = vector.transfer_write %half1, %with_numbers_1[%m, %half_place1]
          {in_bounds = [true]} : vector<16xi8>, tensor<1x256xi8>
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
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  %acc =
    flow.dispatch.workgroups(
      %tokens_of_acc, %weight, %tokens_of_acc_scales, %tokens_of_acc_sums
    ) : (
      tensor<1x256xi8>,
      tensor<37x144xi8>,
      tensor<1x8xf32>,
      tensor<1x8xf32>
    ) -> (tensor<1x37xf32>) = (
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
      %weight_rows = arith.constant 37 : index
      %rows_at_once = arith.constant 8 : index
      %half_byte = arith.constant dense<4> : !words
      %byte_mask = arith.constant dense<252645135> : !words
      %byte_signs = arith.constant dense<0x80808080> : !words
      %halves = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : !words
      %no_start = arith.constant dense<0> : !words
      %no_lanes = arith.constant dense<0.0> : !scales
      %of_columns = scf.for %n = %first_column to %end_column step %rows_at_once
        iter_args(%of_all = %all) -> (tensor<1x37xf32>) {
        %n0 = affine.min
          affine_map<(n) -> (n + 0, 36)>(%n)
        %n1 = affine.min
          affine_map<(n) -> (n + 1, 36)>(%n)
        %n2 = affine.min
          affine_map<(n) -> (n + 2, 36)>(%n)
        %n3 = affine.min
          affine_map<(n) -> (n + 3, 36)>(%n)
        %n4 = affine.min
          affine_map<(n) -> (n + 4, 36)>(%n)
        %n5 = affine.min
          affine_map<(n) -> (n + 5, 36)>(%n)
        %n6 = affine.min
          affine_map<(n) -> (n + 6, 36)>(%n)
        %n7 = affine.min
          affine_map<(n) -> (n + 7, 36)>(%n)
        %next = affine.apply affine_map<(n) -> (n + 112)>(%n)
        %is_next = arith.cmpi slt, %next, %weight_rows : index
        %of_columns_single = scf.for %d = %none to %depth_blocks step %block_step
          iter_args(%so_far = %no_lanes) -> (!scales) {
          %first_byte = affine.apply affine_map<(d) -> (d * 144)>(%d)
          %ahead_byte = affine.apply affine_map<(d) -> (d * 1152)>(%d)
          %k0 = affine.apply
            affine_map<(d) -> (d * 256 + 0)>(%d)
          %k1 = affine.apply
            affine_map<(d) -> (d * 256 + 32)>(%d)
          %k2 = affine.apply
            affine_map<(d) -> (d * 256 + 64)>(%d)
          %k3 = affine.apply
            affine_map<(d) -> (d * 256 + 96)>(%d)
          %k4 = affine.apply
            affine_map<(d) -> (d * 256 + 128)>(%d)
          %k5 = affine.apply
            affine_map<(d) -> (d * 256 + 160)>(%d)
          %k6 = affine.apply
            affine_map<(d) -> (d * 256 + 192)>(%d)
          %k7 = affine.apply
            affine_map<(d) -> (d * 256 + 224)>(%d)
          %left0 = vector.transfer_read %tokens_of_acc[%first_row, %k0], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left1 = vector.transfer_read %tokens_of_acc[%first_row, %k1], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left2 = vector.transfer_read %tokens_of_acc[%first_row, %k2], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left3 = vector.transfer_read %tokens_of_acc[%first_row, %k3], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left4 = vector.transfer_read %tokens_of_acc[%first_row, %k4], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left5 = vector.transfer_read %tokens_of_acc[%first_row, %k5], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left6 = vector.transfer_read %tokens_of_acc[%first_row, %k6], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %left7 = vector.transfer_read %tokens_of_acc[%first_row, %k7], %no_byte
            {in_bounds = [true]} : tensor<1x256xi8>, vector<32xi8>
          %part_place = affine.apply affine_map<(d) -> (d * 8)>(%d)
          %token_scales = vector.transfer_read %tokens_of_acc_scales[%first_row, %part_place], %no_scale
            {in_bounds = [true]} : tensor<1x8xf32>, vector<8xf32>
          %token_scales0 = vector.shuffle %token_scales, %token_scales
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
          scf.if %is_next {
            %line0 = affine.apply affine_map<(b) -> (b + 0)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line0], read, locality<2>, data
              : memref<37x144xi8>
            %line64 = affine.apply affine_map<(b) -> (b + 64)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line64], read, locality<2>, data
              : memref<37x144xi8>
            %line128 = affine.apply affine_map<(b) -> (b + 128)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line128], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w0_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w0_both_bytes = vector.transfer_read %weight[%n0, %w0_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w0_both_halves = vector.bitcast %w0_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w0_both = arith.extf %w0_both_halves : vector<2xf16> to vector<2xf32>
            %w0_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w0_factors_bytes = vector.transfer_read %weight[%n0, %w0_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w0_factors = vector.bitcast %w0_factors_bytes : vector<12xi8> to vector<3xi32>
            %w0_factors0 = vector.extract %w0_factors[0]
              : i32 from vector<3xi32>
            %w0_factors1 = vector.extract %w0_factors[1]
              : i32 from vector<3xi32>
            %w0_factors2 = vector.extract %w0_factors[2]
              : i32 from vector<3xi32>
            %w0_later1 = arith.shrui %w0_factors2, %by_four : i32
            %w0_scales_first = arith.andi %w0_factors0, %six_bits : i32
            %w0_scales_last = arith.andi %w0_factors2, %four_bits : i32
            %w0_scales_moved = arith.shrui %w0_factors0, %by_two : i32
            %w0_scales_upper = arith.andi %w0_scales_moved, %upper_bits : i32
            %w0_scales_second = arith.ori %w0_scales_last, %w0_scales_upper : i32
            %w0_scales_pair = vector.from_elements %w0_scales_first, %w0_scales_second : vector<2xi32>
            %w0_scales_bytes = vector.bitcast %w0_scales_pair : vector<2xi32> to vector<8xi8>
            %w0_scales_real = arith.uitofp %w0_scales_bytes : vector<8xi8> to !scales
            %w0_scales_factor_alone = vector.extract %w0_both[0] : f32 from vector<2xf32>
            %w0_scales_factor = vector.broadcast %w0_scales_factor_alone : f32 to !scales
            %w0_scales = arith.mulf %w0_scales_real, %w0_scales_factor : !scales
            %w0_scale0_alone = vector.extract %w0_scales[0] : f32 from vector<8xf32>
            %w0_scale0 = vector.broadcast %w0_scale0_alone : f32 to !scales
            %w0_scale1_alone = vector.extract %w0_scales[1] : f32 from vector<8xf32>
            %w0_scale1 = vector.broadcast %w0_scale1_alone : f32 to !scales
            %w0_scale2_alone = vector.extract %w0_scales[2] : f32 from vector<8xf32>
            %w0_scale2 = vector.broadcast %w0_scale2_alone : f32 to !scales
            %w0_scale3_alone = vector.extract %w0_scales[3] : f32 from vector<8xf32>
            %w0_scale3 = vector.broadcast %w0_scale3_alone : f32 to !scales
            %w0_scale4_alone = vector.extract %w0_scales[4] : f32 from vector<8xf32>
            %w0_scale4 = vector.broadcast %w0_scale4_alone : f32 to !scales
            %w0_scale5_alone = vector.extract %w0_scales[5] : f32 from vector<8xf32>
            %w0_scale5 = vector.broadcast %w0_scale5_alone : f32 to !scales
            %w0_scale6_alone = vector.extract %w0_scales[6] : f32 from vector<8xf32>
            %w0_scale6 = vector.broadcast %w0_scale6_alone : f32 to !scales
            %w0_scale7_alone = vector.extract %w0_scales[7] : f32 from vector<8xf32>
            %w0_scale7 = vector.broadcast %w0_scale7_alone : f32 to !scales
            %w0_minimums_first = arith.andi %w0_factors1, %six_bits : i32
            %w0_minimums_last = arith.andi %w0_later1, %four_bits : i32
            %w0_minimums_moved = arith.shrui %w0_factors1, %by_two : i32
            %w0_minimums_upper = arith.andi %w0_minimums_moved, %upper_bits : i32
            %w0_minimums_second = arith.ori %w0_minimums_last, %w0_minimums_upper : i32
            %w0_minimums_pair = vector.from_elements %w0_minimums_first, %w0_minimums_second : vector<2xi32>
            %w0_minimums_bytes = vector.bitcast %w0_minimums_pair : vector<2xi32> to vector<8xi8>
            %w0_minimums_real = arith.uitofp %w0_minimums_bytes : vector<8xi8> to !scales
            %w0_minimums_factor_alone = vector.extract %w0_both[1] : f32 from vector<2xf32>
            %w0_minimums_factor = vector.broadcast %w0_minimums_factor_alone : f32 to !scales
            %w0_minimums = arith.mulf %w0_minimums_real, %w0_minimums_factor : !scales
            %w0_minimum0_alone = vector.extract %w0_minimums[0] : f32 from vector<8xf32>
            %w0_minimum0 = vector.broadcast %w0_minimum0_alone : f32 to !scales
            %w0_minimum1_alone = vector.extract %w0_minimums[1] : f32 from vector<8xf32>
            %w0_minimum1 = vector.broadcast %w0_minimum1_alone : f32 to !scales
            %w0_minimum2_alone = vector.extract %w0_minimums[2] : f32 from vector<8xf32>
            %w0_minimum2 = vector.broadcast %w0_minimum2_alone : f32 to !scales
            %w0_minimum3_alone = vector.extract %w0_minimums[3] : f32 from vector<8xf32>
            %w0_minimum3 = vector.broadcast %w0_minimum3_alone : f32 to !scales
            %w0_minimum4_alone = vector.extract %w0_minimums[4] : f32 from vector<8xf32>
            %w0_minimum4 = vector.broadcast %w0_minimum4_alone : f32 to !scales
            %w0_minimum5_alone = vector.extract %w0_minimums[5] : f32 from vector<8xf32>
            %w0_minimum5 = vector.broadcast %w0_minimum5_alone : f32 to !scales
            %w0_minimum6_alone = vector.extract %w0_minimums[6] : f32 from vector<8xf32>
            %w0_minimum6 = vector.broadcast %w0_minimum6_alone : f32 to !scales
            %w0_minimum7_alone = vector.extract %w0_minimums[7] : f32 from vector<8xf32>
            %w0_minimum7 = vector.broadcast %w0_minimum7_alone : f32 to !scales
            %w0_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w0_words0_bytes = vector.transfer_read %weight[%n0, %w0_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w0_words0 = vector.bitcast %w0_words0_bytes : vector<32xi8> to vector<8xi32>
            %w0_words1 = arith.shrui %w0_words0, %four : !words
            %w0_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w0_words2_bytes = vector.transfer_read %weight[%n0, %w0_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w0_words2 = vector.bitcast %w0_words2_bytes : vector<32xi8> to vector<8xi32>
            %w0_words3 = arith.shrui %w0_words2, %four : !words
            %w0_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w0_words4_bytes = vector.transfer_read %weight[%n0, %w0_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w0_words4 = vector.bitcast %w0_words4_bytes : vector<32xi8> to vector<8xi32>
            %w0_words5 = arith.shrui %w0_words4, %four : !words
            %w0_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w0_words6_bytes = vector.transfer_read %weight[%n0, %w0_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w0_words6 = vector.bitcast %w0_words6_bytes : vector<32xi8> to vector<8xi32>
            %w0_words7 = arith.shrui %w0_words6, %four : !words
            %low_words0_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_0_once_bytes = vector.transfer_read %weight[%n0, %low_words0_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_0_once = vector.bitcast %low_words0_0_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_0_twice = vector.shuffle %low_words0_0_once, %low_words0_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_0 = arith.shrui %low_words0_0_twice, %halves : !words
            %low_right0_0_told = arith.andi %low_words0_0, %byte_mask : !words
            %low_right0_0 = vector.bitcast %low_right0_0_told : !words to vector<32xi8>
            %high_words0_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_0_once_bytes = vector.transfer_read %weight[%n0, %high_words0_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_0_once = vector.bitcast %high_words0_0_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_0_twice = vector.shuffle %high_words0_0_once, %high_words0_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_0 = arith.shrui %high_words0_0_twice, %halves : !words
            %high_right0_0_told = arith.andi %high_words0_0, %byte_mask : !words
            %high_right0_0 = vector.bitcast %high_right0_0_told : !words to vector<32xi8>
            %low_dot0_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_0, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_0, %high_right0_0, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_0_once_bytes = vector.transfer_read %weight[%n0, %low_words2_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_0_once = vector.bitcast %low_words2_0_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_0_twice = vector.shuffle %low_words2_0_once, %low_words2_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_0 = arith.shrui %low_words2_0_twice, %halves : !words
            %low_right2_0_told = arith.andi %low_words2_0, %byte_mask : !words
            %low_right2_0 = vector.bitcast %low_right2_0_told : !words to vector<32xi8>
            %high_words2_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_0_once_bytes = vector.transfer_read %weight[%n0, %high_words2_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_0_once = vector.bitcast %high_words2_0_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_0_twice = vector.shuffle %high_words2_0_once, %high_words2_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_0 = arith.shrui %high_words2_0_twice, %halves : !words
            %high_right2_0_told = arith.andi %high_words2_0, %byte_mask : !words
            %high_right2_0 = vector.bitcast %high_right2_0_told : !words to vector<32xi8>
            %low_dot2_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_0, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_0, %high_right2_0, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_0_once_bytes = vector.transfer_read %weight[%n0, %low_words4_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_0_once = vector.bitcast %low_words4_0_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_0_twice = vector.shuffle %low_words4_0_once, %low_words4_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_0 = arith.shrui %low_words4_0_twice, %halves : !words
            %low_right4_0_told = arith.andi %low_words4_0, %byte_mask : !words
            %low_right4_0 = vector.bitcast %low_right4_0_told : !words to vector<32xi8>
            %high_words4_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_0_once_bytes = vector.transfer_read %weight[%n0, %high_words4_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_0_once = vector.bitcast %high_words4_0_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_0_twice = vector.shuffle %high_words4_0_once, %high_words4_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_0 = arith.shrui %high_words4_0_twice, %halves : !words
            %high_right4_0_told = arith.andi %high_words4_0, %byte_mask : !words
            %high_right4_0 = vector.bitcast %high_right4_0_told : !words to vector<32xi8>
            %low_dot4_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_0, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_0, %high_right4_0, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_0_once_bytes = vector.transfer_read %weight[%n0, %low_words6_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_0_once = vector.bitcast %low_words6_0_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_0_twice = vector.shuffle %low_words6_0_once, %low_words6_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_0 = arith.shrui %low_words6_0_twice, %halves : !words
            %low_right6_0_told = arith.andi %low_words6_0, %byte_mask : !words
            %low_right6_0 = vector.bitcast %low_right6_0_told : !words to vector<32xi8>
            %high_words6_0_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_0_once_bytes = vector.transfer_read %weight[%n0, %high_words6_0_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_0_once = vector.bitcast %high_words6_0_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_0_twice = vector.shuffle %high_words6_0_once, %high_words6_0_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_0 = arith.shrui %high_words6_0_twice, %halves : !words
            %high_right6_0_told = arith.andi %high_words6_0, %byte_mask : !words
            %high_right6_0 = vector.bitcast %high_right6_0_told : !words to vector<32xi8>
            %low_dot6_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_0, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_0 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_0, %high_right6_0, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_0 = vector.shuffle %dot0_0, %dot2_0
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_0 = vector.shuffle %dot0_0, %dot2_0
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_0 = arith.addi %earlier_low0_0, %later_low0_0 : !words
          %earlier_high0_0 = vector.shuffle %dot4_0, %dot6_0
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_0 = vector.shuffle %dot4_0, %dot6_0
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_0 = arith.addi %earlier_high0_0, %later_high0_0 : !words
          %earlier_counted0_0 = vector.shuffle %low0_0, %high0_0
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_0 = vector.shuffle %low0_0, %high0_0
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_0 = arith.addi %earlier_counted0_0, %later_counted0_0 : !words
          scf.if %is_next {
            %line192 = affine.apply affine_map<(b) -> (b + 192)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line192], read, locality<2>, data
              : memref<37x144xi8>
            %line256 = affine.apply affine_map<(b) -> (b + 256)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line256], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w1_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w1_both_bytes = vector.transfer_read %weight[%n1, %w1_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w1_both_halves = vector.bitcast %w1_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w1_both = arith.extf %w1_both_halves : vector<2xf16> to vector<2xf32>
            %w1_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w1_factors_bytes = vector.transfer_read %weight[%n1, %w1_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w1_factors = vector.bitcast %w1_factors_bytes : vector<12xi8> to vector<3xi32>
            %w1_factors0 = vector.extract %w1_factors[0]
              : i32 from vector<3xi32>
            %w1_factors1 = vector.extract %w1_factors[1]
              : i32 from vector<3xi32>
            %w1_factors2 = vector.extract %w1_factors[2]
              : i32 from vector<3xi32>
            %w1_later1 = arith.shrui %w1_factors2, %by_four : i32
            %w1_scales_first = arith.andi %w1_factors0, %six_bits : i32
            %w1_scales_last = arith.andi %w1_factors2, %four_bits : i32
            %w1_scales_moved = arith.shrui %w1_factors0, %by_two : i32
            %w1_scales_upper = arith.andi %w1_scales_moved, %upper_bits : i32
            %w1_scales_second = arith.ori %w1_scales_last, %w1_scales_upper : i32
            %w1_scales_pair = vector.from_elements %w1_scales_first, %w1_scales_second : vector<2xi32>
            %w1_scales_bytes = vector.bitcast %w1_scales_pair : vector<2xi32> to vector<8xi8>
            %w1_scales_real = arith.uitofp %w1_scales_bytes : vector<8xi8> to !scales
            %w1_scales_factor_alone = vector.extract %w1_both[0] : f32 from vector<2xf32>
            %w1_scales_factor = vector.broadcast %w1_scales_factor_alone : f32 to !scales
            %w1_scales = arith.mulf %w1_scales_real, %w1_scales_factor : !scales
            %w1_scale0_alone = vector.extract %w1_scales[0] : f32 from vector<8xf32>
            %w1_scale0 = vector.broadcast %w1_scale0_alone : f32 to !scales
            %w1_scale1_alone = vector.extract %w1_scales[1] : f32 from vector<8xf32>
            %w1_scale1 = vector.broadcast %w1_scale1_alone : f32 to !scales
            %w1_scale2_alone = vector.extract %w1_scales[2] : f32 from vector<8xf32>
            %w1_scale2 = vector.broadcast %w1_scale2_alone : f32 to !scales
            %w1_scale3_alone = vector.extract %w1_scales[3] : f32 from vector<8xf32>
            %w1_scale3 = vector.broadcast %w1_scale3_alone : f32 to !scales
            %w1_scale4_alone = vector.extract %w1_scales[4] : f32 from vector<8xf32>
            %w1_scale4 = vector.broadcast %w1_scale4_alone : f32 to !scales
            %w1_scale5_alone = vector.extract %w1_scales[5] : f32 from vector<8xf32>
            %w1_scale5 = vector.broadcast %w1_scale5_alone : f32 to !scales
            %w1_scale6_alone = vector.extract %w1_scales[6] : f32 from vector<8xf32>
            %w1_scale6 = vector.broadcast %w1_scale6_alone : f32 to !scales
            %w1_scale7_alone = vector.extract %w1_scales[7] : f32 from vector<8xf32>
            %w1_scale7 = vector.broadcast %w1_scale7_alone : f32 to !scales
            %w1_minimums_first = arith.andi %w1_factors1, %six_bits : i32
            %w1_minimums_last = arith.andi %w1_later1, %four_bits : i32
            %w1_minimums_moved = arith.shrui %w1_factors1, %by_two : i32
            %w1_minimums_upper = arith.andi %w1_minimums_moved, %upper_bits : i32
            %w1_minimums_second = arith.ori %w1_minimums_last, %w1_minimums_upper : i32
            %w1_minimums_pair = vector.from_elements %w1_minimums_first, %w1_minimums_second : vector<2xi32>
            %w1_minimums_bytes = vector.bitcast %w1_minimums_pair : vector<2xi32> to vector<8xi8>
            %w1_minimums_real = arith.uitofp %w1_minimums_bytes : vector<8xi8> to !scales
            %w1_minimums_factor_alone = vector.extract %w1_both[1] : f32 from vector<2xf32>
            %w1_minimums_factor = vector.broadcast %w1_minimums_factor_alone : f32 to !scales
            %w1_minimums = arith.mulf %w1_minimums_real, %w1_minimums_factor : !scales
            %w1_minimum0_alone = vector.extract %w1_minimums[0] : f32 from vector<8xf32>
            %w1_minimum0 = vector.broadcast %w1_minimum0_alone : f32 to !scales
            %w1_minimum1_alone = vector.extract %w1_minimums[1] : f32 from vector<8xf32>
            %w1_minimum1 = vector.broadcast %w1_minimum1_alone : f32 to !scales
            %w1_minimum2_alone = vector.extract %w1_minimums[2] : f32 from vector<8xf32>
            %w1_minimum2 = vector.broadcast %w1_minimum2_alone : f32 to !scales
            %w1_minimum3_alone = vector.extract %w1_minimums[3] : f32 from vector<8xf32>
            %w1_minimum3 = vector.broadcast %w1_minimum3_alone : f32 to !scales
            %w1_minimum4_alone = vector.extract %w1_minimums[4] : f32 from vector<8xf32>
            %w1_minimum4 = vector.broadcast %w1_minimum4_alone : f32 to !scales
            %w1_minimum5_alone = vector.extract %w1_minimums[5] : f32 from vector<8xf32>
            %w1_minimum5 = vector.broadcast %w1_minimum5_alone : f32 to !scales
            %w1_minimum6_alone = vector.extract %w1_minimums[6] : f32 from vector<8xf32>
            %w1_minimum6 = vector.broadcast %w1_minimum6_alone : f32 to !scales
            %w1_minimum7_alone = vector.extract %w1_minimums[7] : f32 from vector<8xf32>
            %w1_minimum7 = vector.broadcast %w1_minimum7_alone : f32 to !scales
            %w1_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w1_words0_bytes = vector.transfer_read %weight[%n1, %w1_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w1_words0 = vector.bitcast %w1_words0_bytes : vector<32xi8> to vector<8xi32>
            %w1_words1 = arith.shrui %w1_words0, %four : !words
            %w1_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w1_words2_bytes = vector.transfer_read %weight[%n1, %w1_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w1_words2 = vector.bitcast %w1_words2_bytes : vector<32xi8> to vector<8xi32>
            %w1_words3 = arith.shrui %w1_words2, %four : !words
            %w1_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w1_words4_bytes = vector.transfer_read %weight[%n1, %w1_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w1_words4 = vector.bitcast %w1_words4_bytes : vector<32xi8> to vector<8xi32>
            %w1_words5 = arith.shrui %w1_words4, %four : !words
            %w1_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w1_words6_bytes = vector.transfer_read %weight[%n1, %w1_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w1_words6 = vector.bitcast %w1_words6_bytes : vector<32xi8> to vector<8xi32>
            %w1_words7 = arith.shrui %w1_words6, %four : !words
            %low_words0_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_1_once_bytes = vector.transfer_read %weight[%n1, %low_words0_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_1_once = vector.bitcast %low_words0_1_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_1_twice = vector.shuffle %low_words0_1_once, %low_words0_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_1 = arith.shrui %low_words0_1_twice, %halves : !words
            %low_right0_1_told = arith.andi %low_words0_1, %byte_mask : !words
            %low_right0_1 = vector.bitcast %low_right0_1_told : !words to vector<32xi8>
            %high_words0_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_1_once_bytes = vector.transfer_read %weight[%n1, %high_words0_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_1_once = vector.bitcast %high_words0_1_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_1_twice = vector.shuffle %high_words0_1_once, %high_words0_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_1 = arith.shrui %high_words0_1_twice, %halves : !words
            %high_right0_1_told = arith.andi %high_words0_1, %byte_mask : !words
            %high_right0_1 = vector.bitcast %high_right0_1_told : !words to vector<32xi8>
            %low_dot0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_1, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_1, %high_right0_1, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_1_once_bytes = vector.transfer_read %weight[%n1, %low_words2_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_1_once = vector.bitcast %low_words2_1_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_1_twice = vector.shuffle %low_words2_1_once, %low_words2_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_1 = arith.shrui %low_words2_1_twice, %halves : !words
            %low_right2_1_told = arith.andi %low_words2_1, %byte_mask : !words
            %low_right2_1 = vector.bitcast %low_right2_1_told : !words to vector<32xi8>
            %high_words2_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_1_once_bytes = vector.transfer_read %weight[%n1, %high_words2_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_1_once = vector.bitcast %high_words2_1_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_1_twice = vector.shuffle %high_words2_1_once, %high_words2_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_1 = arith.shrui %high_words2_1_twice, %halves : !words
            %high_right2_1_told = arith.andi %high_words2_1, %byte_mask : !words
            %high_right2_1 = vector.bitcast %high_right2_1_told : !words to vector<32xi8>
            %low_dot2_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_1, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_1, %high_right2_1, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_1_once_bytes = vector.transfer_read %weight[%n1, %low_words4_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_1_once = vector.bitcast %low_words4_1_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_1_twice = vector.shuffle %low_words4_1_once, %low_words4_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_1 = arith.shrui %low_words4_1_twice, %halves : !words
            %low_right4_1_told = arith.andi %low_words4_1, %byte_mask : !words
            %low_right4_1 = vector.bitcast %low_right4_1_told : !words to vector<32xi8>
            %high_words4_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_1_once_bytes = vector.transfer_read %weight[%n1, %high_words4_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_1_once = vector.bitcast %high_words4_1_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_1_twice = vector.shuffle %high_words4_1_once, %high_words4_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_1 = arith.shrui %high_words4_1_twice, %halves : !words
            %high_right4_1_told = arith.andi %high_words4_1, %byte_mask : !words
            %high_right4_1 = vector.bitcast %high_right4_1_told : !words to vector<32xi8>
            %low_dot4_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_1, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_1, %high_right4_1, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_1_once_bytes = vector.transfer_read %weight[%n1, %low_words6_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_1_once = vector.bitcast %low_words6_1_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_1_twice = vector.shuffle %low_words6_1_once, %low_words6_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_1 = arith.shrui %low_words6_1_twice, %halves : !words
            %low_right6_1_told = arith.andi %low_words6_1, %byte_mask : !words
            %low_right6_1 = vector.bitcast %low_right6_1_told : !words to vector<32xi8>
            %high_words6_1_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_1_once_bytes = vector.transfer_read %weight[%n1, %high_words6_1_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_1_once = vector.bitcast %high_words6_1_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_1_twice = vector.shuffle %high_words6_1_once, %high_words6_1_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_1 = arith.shrui %high_words6_1_twice, %halves : !words
            %high_right6_1_told = arith.andi %high_words6_1, %byte_mask : !words
            %high_right6_1 = vector.bitcast %high_right6_1_told : !words to vector<32xi8>
            %low_dot6_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_1, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_1 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_1, %high_right6_1, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_1 = vector.shuffle %dot0_1, %dot2_1
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_1 = vector.shuffle %dot0_1, %dot2_1
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_1 = arith.addi %earlier_low0_1, %later_low0_1 : !words
          %earlier_high0_1 = vector.shuffle %dot4_1, %dot6_1
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_1 = vector.shuffle %dot4_1, %dot6_1
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_1 = arith.addi %earlier_high0_1, %later_high0_1 : !words
          %earlier_counted0_1 = vector.shuffle %low0_1, %high0_1
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_1 = vector.shuffle %low0_1, %high0_1
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_1 = arith.addi %earlier_counted0_1, %later_counted0_1 : !words
          scf.if %is_next {
            %line320 = affine.apply affine_map<(b) -> (b + 320)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line320], read, locality<2>, data
              : memref<37x144xi8>
            %line384 = affine.apply affine_map<(b) -> (b + 384)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line384], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w2_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w2_both_bytes = vector.transfer_read %weight[%n2, %w2_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w2_both_halves = vector.bitcast %w2_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w2_both = arith.extf %w2_both_halves : vector<2xf16> to vector<2xf32>
            %w2_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w2_factors_bytes = vector.transfer_read %weight[%n2, %w2_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w2_factors = vector.bitcast %w2_factors_bytes : vector<12xi8> to vector<3xi32>
            %w2_factors0 = vector.extract %w2_factors[0]
              : i32 from vector<3xi32>
            %w2_factors1 = vector.extract %w2_factors[1]
              : i32 from vector<3xi32>
            %w2_factors2 = vector.extract %w2_factors[2]
              : i32 from vector<3xi32>
            %w2_later1 = arith.shrui %w2_factors2, %by_four : i32
            %w2_scales_first = arith.andi %w2_factors0, %six_bits : i32
            %w2_scales_last = arith.andi %w2_factors2, %four_bits : i32
            %w2_scales_moved = arith.shrui %w2_factors0, %by_two : i32
            %w2_scales_upper = arith.andi %w2_scales_moved, %upper_bits : i32
            %w2_scales_second = arith.ori %w2_scales_last, %w2_scales_upper : i32
            %w2_scales_pair = vector.from_elements %w2_scales_first, %w2_scales_second : vector<2xi32>
            %w2_scales_bytes = vector.bitcast %w2_scales_pair : vector<2xi32> to vector<8xi8>
            %w2_scales_real = arith.uitofp %w2_scales_bytes : vector<8xi8> to !scales
            %w2_scales_factor_alone = vector.extract %w2_both[0] : f32 from vector<2xf32>
            %w2_scales_factor = vector.broadcast %w2_scales_factor_alone : f32 to !scales
            %w2_scales = arith.mulf %w2_scales_real, %w2_scales_factor : !scales
            %w2_scale0_alone = vector.extract %w2_scales[0] : f32 from vector<8xf32>
            %w2_scale0 = vector.broadcast %w2_scale0_alone : f32 to !scales
            %w2_scale1_alone = vector.extract %w2_scales[1] : f32 from vector<8xf32>
            %w2_scale1 = vector.broadcast %w2_scale1_alone : f32 to !scales
            %w2_scale2_alone = vector.extract %w2_scales[2] : f32 from vector<8xf32>
            %w2_scale2 = vector.broadcast %w2_scale2_alone : f32 to !scales
            %w2_scale3_alone = vector.extract %w2_scales[3] : f32 from vector<8xf32>
            %w2_scale3 = vector.broadcast %w2_scale3_alone : f32 to !scales
            %w2_scale4_alone = vector.extract %w2_scales[4] : f32 from vector<8xf32>
            %w2_scale4 = vector.broadcast %w2_scale4_alone : f32 to !scales
            %w2_scale5_alone = vector.extract %w2_scales[5] : f32 from vector<8xf32>
            %w2_scale5 = vector.broadcast %w2_scale5_alone : f32 to !scales
            %w2_scale6_alone = vector.extract %w2_scales[6] : f32 from vector<8xf32>
            %w2_scale6 = vector.broadcast %w2_scale6_alone : f32 to !scales
            %w2_scale7_alone = vector.extract %w2_scales[7] : f32 from vector<8xf32>
            %w2_scale7 = vector.broadcast %w2_scale7_alone : f32 to !scales
            %w2_minimums_first = arith.andi %w2_factors1, %six_bits : i32
            %w2_minimums_last = arith.andi %w2_later1, %four_bits : i32
            %w2_minimums_moved = arith.shrui %w2_factors1, %by_two : i32
            %w2_minimums_upper = arith.andi %w2_minimums_moved, %upper_bits : i32
            %w2_minimums_second = arith.ori %w2_minimums_last, %w2_minimums_upper : i32
            %w2_minimums_pair = vector.from_elements %w2_minimums_first, %w2_minimums_second : vector<2xi32>
            %w2_minimums_bytes = vector.bitcast %w2_minimums_pair : vector<2xi32> to vector<8xi8>
            %w2_minimums_real = arith.uitofp %w2_minimums_bytes : vector<8xi8> to !scales
            %w2_minimums_factor_alone = vector.extract %w2_both[1] : f32 from vector<2xf32>
            %w2_minimums_factor = vector.broadcast %w2_minimums_factor_alone : f32 to !scales
            %w2_minimums = arith.mulf %w2_minimums_real, %w2_minimums_factor : !scales
            %w2_minimum0_alone = vector.extract %w2_minimums[0] : f32 from vector<8xf32>
            %w2_minimum0 = vector.broadcast %w2_minimum0_alone : f32 to !scales
            %w2_minimum1_alone = vector.extract %w2_minimums[1] : f32 from vector<8xf32>
            %w2_minimum1 = vector.broadcast %w2_minimum1_alone : f32 to !scales
            %w2_minimum2_alone = vector.extract %w2_minimums[2] : f32 from vector<8xf32>
            %w2_minimum2 = vector.broadcast %w2_minimum2_alone : f32 to !scales
            %w2_minimum3_alone = vector.extract %w2_minimums[3] : f32 from vector<8xf32>
            %w2_minimum3 = vector.broadcast %w2_minimum3_alone : f32 to !scales
            %w2_minimum4_alone = vector.extract %w2_minimums[4] : f32 from vector<8xf32>
            %w2_minimum4 = vector.broadcast %w2_minimum4_alone : f32 to !scales
            %w2_minimum5_alone = vector.extract %w2_minimums[5] : f32 from vector<8xf32>
            %w2_minimum5 = vector.broadcast %w2_minimum5_alone : f32 to !scales
            %w2_minimum6_alone = vector.extract %w2_minimums[6] : f32 from vector<8xf32>
            %w2_minimum6 = vector.broadcast %w2_minimum6_alone : f32 to !scales
            %w2_minimum7_alone = vector.extract %w2_minimums[7] : f32 from vector<8xf32>
            %w2_minimum7 = vector.broadcast %w2_minimum7_alone : f32 to !scales
            %w2_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w2_words0_bytes = vector.transfer_read %weight[%n2, %w2_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w2_words0 = vector.bitcast %w2_words0_bytes : vector<32xi8> to vector<8xi32>
            %w2_words1 = arith.shrui %w2_words0, %four : !words
            %w2_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w2_words2_bytes = vector.transfer_read %weight[%n2, %w2_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w2_words2 = vector.bitcast %w2_words2_bytes : vector<32xi8> to vector<8xi32>
            %w2_words3 = arith.shrui %w2_words2, %four : !words
            %w2_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w2_words4_bytes = vector.transfer_read %weight[%n2, %w2_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w2_words4 = vector.bitcast %w2_words4_bytes : vector<32xi8> to vector<8xi32>
            %w2_words5 = arith.shrui %w2_words4, %four : !words
            %w2_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w2_words6_bytes = vector.transfer_read %weight[%n2, %w2_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w2_words6 = vector.bitcast %w2_words6_bytes : vector<32xi8> to vector<8xi32>
            %w2_words7 = arith.shrui %w2_words6, %four : !words
            %low_words0_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_2_once_bytes = vector.transfer_read %weight[%n2, %low_words0_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_2_once = vector.bitcast %low_words0_2_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_2_twice = vector.shuffle %low_words0_2_once, %low_words0_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_2 = arith.shrui %low_words0_2_twice, %halves : !words
            %low_right0_2_told = arith.andi %low_words0_2, %byte_mask : !words
            %low_right0_2 = vector.bitcast %low_right0_2_told : !words to vector<32xi8>
            %high_words0_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_2_once_bytes = vector.transfer_read %weight[%n2, %high_words0_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_2_once = vector.bitcast %high_words0_2_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_2_twice = vector.shuffle %high_words0_2_once, %high_words0_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_2 = arith.shrui %high_words0_2_twice, %halves : !words
            %high_right0_2_told = arith.andi %high_words0_2, %byte_mask : !words
            %high_right0_2 = vector.bitcast %high_right0_2_told : !words to vector<32xi8>
            %low_dot0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_2, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_2, %high_right0_2, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_2_once_bytes = vector.transfer_read %weight[%n2, %low_words2_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_2_once = vector.bitcast %low_words2_2_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_2_twice = vector.shuffle %low_words2_2_once, %low_words2_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_2 = arith.shrui %low_words2_2_twice, %halves : !words
            %low_right2_2_told = arith.andi %low_words2_2, %byte_mask : !words
            %low_right2_2 = vector.bitcast %low_right2_2_told : !words to vector<32xi8>
            %high_words2_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_2_once_bytes = vector.transfer_read %weight[%n2, %high_words2_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_2_once = vector.bitcast %high_words2_2_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_2_twice = vector.shuffle %high_words2_2_once, %high_words2_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_2 = arith.shrui %high_words2_2_twice, %halves : !words
            %high_right2_2_told = arith.andi %high_words2_2, %byte_mask : !words
            %high_right2_2 = vector.bitcast %high_right2_2_told : !words to vector<32xi8>
            %low_dot2_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_2, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_2, %high_right2_2, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_2_once_bytes = vector.transfer_read %weight[%n2, %low_words4_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_2_once = vector.bitcast %low_words4_2_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_2_twice = vector.shuffle %low_words4_2_once, %low_words4_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_2 = arith.shrui %low_words4_2_twice, %halves : !words
            %low_right4_2_told = arith.andi %low_words4_2, %byte_mask : !words
            %low_right4_2 = vector.bitcast %low_right4_2_told : !words to vector<32xi8>
            %high_words4_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_2_once_bytes = vector.transfer_read %weight[%n2, %high_words4_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_2_once = vector.bitcast %high_words4_2_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_2_twice = vector.shuffle %high_words4_2_once, %high_words4_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_2 = arith.shrui %high_words4_2_twice, %halves : !words
            %high_right4_2_told = arith.andi %high_words4_2, %byte_mask : !words
            %high_right4_2 = vector.bitcast %high_right4_2_told : !words to vector<32xi8>
            %low_dot4_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_2, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_2, %high_right4_2, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_2_once_bytes = vector.transfer_read %weight[%n2, %low_words6_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_2_once = vector.bitcast %low_words6_2_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_2_twice = vector.shuffle %low_words6_2_once, %low_words6_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_2 = arith.shrui %low_words6_2_twice, %halves : !words
            %low_right6_2_told = arith.andi %low_words6_2, %byte_mask : !words
            %low_right6_2 = vector.bitcast %low_right6_2_told : !words to vector<32xi8>
            %high_words6_2_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_2_once_bytes = vector.transfer_read %weight[%n2, %high_words6_2_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_2_once = vector.bitcast %high_words6_2_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_2_twice = vector.shuffle %high_words6_2_once, %high_words6_2_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_2 = arith.shrui %high_words6_2_twice, %halves : !words
            %high_right6_2_told = arith.andi %high_words6_2, %byte_mask : !words
            %high_right6_2 = vector.bitcast %high_right6_2_told : !words to vector<32xi8>
            %low_dot6_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_2, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_2 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_2, %high_right6_2, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_2 = vector.shuffle %dot0_2, %dot2_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_2 = vector.shuffle %dot0_2, %dot2_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_2 = arith.addi %earlier_low0_2, %later_low0_2 : !words
          %earlier_high0_2 = vector.shuffle %dot4_2, %dot6_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_2 = vector.shuffle %dot4_2, %dot6_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_2 = arith.addi %earlier_high0_2, %later_high0_2 : !words
          %earlier_counted0_2 = vector.shuffle %low0_2, %high0_2
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_2 = vector.shuffle %low0_2, %high0_2
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_2 = arith.addi %earlier_counted0_2, %later_counted0_2 : !words
          scf.if %is_next {
            %line448 = affine.apply affine_map<(b) -> (b + 448)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line448], read, locality<2>, data
              : memref<37x144xi8>
            %line512 = affine.apply affine_map<(b) -> (b + 512)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line512], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w3_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w3_both_bytes = vector.transfer_read %weight[%n3, %w3_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w3_both_halves = vector.bitcast %w3_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w3_both = arith.extf %w3_both_halves : vector<2xf16> to vector<2xf32>
            %w3_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w3_factors_bytes = vector.transfer_read %weight[%n3, %w3_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w3_factors = vector.bitcast %w3_factors_bytes : vector<12xi8> to vector<3xi32>
            %w3_factors0 = vector.extract %w3_factors[0]
              : i32 from vector<3xi32>
            %w3_factors1 = vector.extract %w3_factors[1]
              : i32 from vector<3xi32>
            %w3_factors2 = vector.extract %w3_factors[2]
              : i32 from vector<3xi32>
            %w3_later1 = arith.shrui %w3_factors2, %by_four : i32
            %w3_scales_first = arith.andi %w3_factors0, %six_bits : i32
            %w3_scales_last = arith.andi %w3_factors2, %four_bits : i32
            %w3_scales_moved = arith.shrui %w3_factors0, %by_two : i32
            %w3_scales_upper = arith.andi %w3_scales_moved, %upper_bits : i32
            %w3_scales_second = arith.ori %w3_scales_last, %w3_scales_upper : i32
            %w3_scales_pair = vector.from_elements %w3_scales_first, %w3_scales_second : vector<2xi32>
            %w3_scales_bytes = vector.bitcast %w3_scales_pair : vector<2xi32> to vector<8xi8>
            %w3_scales_real = arith.uitofp %w3_scales_bytes : vector<8xi8> to !scales
            %w3_scales_factor_alone = vector.extract %w3_both[0] : f32 from vector<2xf32>
            %w3_scales_factor = vector.broadcast %w3_scales_factor_alone : f32 to !scales
            %w3_scales = arith.mulf %w3_scales_real, %w3_scales_factor : !scales
            %w3_scale0_alone = vector.extract %w3_scales[0] : f32 from vector<8xf32>
            %w3_scale0 = vector.broadcast %w3_scale0_alone : f32 to !scales
            %w3_scale1_alone = vector.extract %w3_scales[1] : f32 from vector<8xf32>
            %w3_scale1 = vector.broadcast %w3_scale1_alone : f32 to !scales
            %w3_scale2_alone = vector.extract %w3_scales[2] : f32 from vector<8xf32>
            %w3_scale2 = vector.broadcast %w3_scale2_alone : f32 to !scales
            %w3_scale3_alone = vector.extract %w3_scales[3] : f32 from vector<8xf32>
            %w3_scale3 = vector.broadcast %w3_scale3_alone : f32 to !scales
            %w3_scale4_alone = vector.extract %w3_scales[4] : f32 from vector<8xf32>
            %w3_scale4 = vector.broadcast %w3_scale4_alone : f32 to !scales
            %w3_scale5_alone = vector.extract %w3_scales[5] : f32 from vector<8xf32>
            %w3_scale5 = vector.broadcast %w3_scale5_alone : f32 to !scales
            %w3_scale6_alone = vector.extract %w3_scales[6] : f32 from vector<8xf32>
            %w3_scale6 = vector.broadcast %w3_scale6_alone : f32 to !scales
            %w3_scale7_alone = vector.extract %w3_scales[7] : f32 from vector<8xf32>
            %w3_scale7 = vector.broadcast %w3_scale7_alone : f32 to !scales
            %w3_minimums_first = arith.andi %w3_factors1, %six_bits : i32
            %w3_minimums_last = arith.andi %w3_later1, %four_bits : i32
            %w3_minimums_moved = arith.shrui %w3_factors1, %by_two : i32
            %w3_minimums_upper = arith.andi %w3_minimums_moved, %upper_bits : i32
            %w3_minimums_second = arith.ori %w3_minimums_last, %w3_minimums_upper : i32
            %w3_minimums_pair = vector.from_elements %w3_minimums_first, %w3_minimums_second : vector<2xi32>
            %w3_minimums_bytes = vector.bitcast %w3_minimums_pair : vector<2xi32> to vector<8xi8>
            %w3_minimums_real = arith.uitofp %w3_minimums_bytes : vector<8xi8> to !scales
            %w3_minimums_factor_alone = vector.extract %w3_both[1] : f32 from vector<2xf32>
            %w3_minimums_factor = vector.broadcast %w3_minimums_factor_alone : f32 to !scales
            %w3_minimums = arith.mulf %w3_minimums_real, %w3_minimums_factor : !scales
            %w3_minimum0_alone = vector.extract %w3_minimums[0] : f32 from vector<8xf32>
            %w3_minimum0 = vector.broadcast %w3_minimum0_alone : f32 to !scales
            %w3_minimum1_alone = vector.extract %w3_minimums[1] : f32 from vector<8xf32>
            %w3_minimum1 = vector.broadcast %w3_minimum1_alone : f32 to !scales
            %w3_minimum2_alone = vector.extract %w3_minimums[2] : f32 from vector<8xf32>
            %w3_minimum2 = vector.broadcast %w3_minimum2_alone : f32 to !scales
            %w3_minimum3_alone = vector.extract %w3_minimums[3] : f32 from vector<8xf32>
            %w3_minimum3 = vector.broadcast %w3_minimum3_alone : f32 to !scales
            %w3_minimum4_alone = vector.extract %w3_minimums[4] : f32 from vector<8xf32>
            %w3_minimum4 = vector.broadcast %w3_minimum4_alone : f32 to !scales
            %w3_minimum5_alone = vector.extract %w3_minimums[5] : f32 from vector<8xf32>
            %w3_minimum5 = vector.broadcast %w3_minimum5_alone : f32 to !scales
            %w3_minimum6_alone = vector.extract %w3_minimums[6] : f32 from vector<8xf32>
            %w3_minimum6 = vector.broadcast %w3_minimum6_alone : f32 to !scales
            %w3_minimum7_alone = vector.extract %w3_minimums[7] : f32 from vector<8xf32>
            %w3_minimum7 = vector.broadcast %w3_minimum7_alone : f32 to !scales
            %w3_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w3_words0_bytes = vector.transfer_read %weight[%n3, %w3_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w3_words0 = vector.bitcast %w3_words0_bytes : vector<32xi8> to vector<8xi32>
            %w3_words1 = arith.shrui %w3_words0, %four : !words
            %w3_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w3_words2_bytes = vector.transfer_read %weight[%n3, %w3_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w3_words2 = vector.bitcast %w3_words2_bytes : vector<32xi8> to vector<8xi32>
            %w3_words3 = arith.shrui %w3_words2, %four : !words
            %w3_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w3_words4_bytes = vector.transfer_read %weight[%n3, %w3_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w3_words4 = vector.bitcast %w3_words4_bytes : vector<32xi8> to vector<8xi32>
            %w3_words5 = arith.shrui %w3_words4, %four : !words
            %w3_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w3_words6_bytes = vector.transfer_read %weight[%n3, %w3_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w3_words6 = vector.bitcast %w3_words6_bytes : vector<32xi8> to vector<8xi32>
            %w3_words7 = arith.shrui %w3_words6, %four : !words
            %low_words0_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_3_once_bytes = vector.transfer_read %weight[%n3, %low_words0_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_3_once = vector.bitcast %low_words0_3_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_3_twice = vector.shuffle %low_words0_3_once, %low_words0_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_3 = arith.shrui %low_words0_3_twice, %halves : !words
            %low_right0_3_told = arith.andi %low_words0_3, %byte_mask : !words
            %low_right0_3 = vector.bitcast %low_right0_3_told : !words to vector<32xi8>
            %high_words0_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_3_once_bytes = vector.transfer_read %weight[%n3, %high_words0_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_3_once = vector.bitcast %high_words0_3_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_3_twice = vector.shuffle %high_words0_3_once, %high_words0_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_3 = arith.shrui %high_words0_3_twice, %halves : !words
            %high_right0_3_told = arith.andi %high_words0_3, %byte_mask : !words
            %high_right0_3 = vector.bitcast %high_right0_3_told : !words to vector<32xi8>
            %low_dot0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_3, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_3, %high_right0_3, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_3_once_bytes = vector.transfer_read %weight[%n3, %low_words2_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_3_once = vector.bitcast %low_words2_3_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_3_twice = vector.shuffle %low_words2_3_once, %low_words2_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_3 = arith.shrui %low_words2_3_twice, %halves : !words
            %low_right2_3_told = arith.andi %low_words2_3, %byte_mask : !words
            %low_right2_3 = vector.bitcast %low_right2_3_told : !words to vector<32xi8>
            %high_words2_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_3_once_bytes = vector.transfer_read %weight[%n3, %high_words2_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_3_once = vector.bitcast %high_words2_3_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_3_twice = vector.shuffle %high_words2_3_once, %high_words2_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_3 = arith.shrui %high_words2_3_twice, %halves : !words
            %high_right2_3_told = arith.andi %high_words2_3, %byte_mask : !words
            %high_right2_3 = vector.bitcast %high_right2_3_told : !words to vector<32xi8>
            %low_dot2_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_3, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_3, %high_right2_3, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_3_once_bytes = vector.transfer_read %weight[%n3, %low_words4_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_3_once = vector.bitcast %low_words4_3_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_3_twice = vector.shuffle %low_words4_3_once, %low_words4_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_3 = arith.shrui %low_words4_3_twice, %halves : !words
            %low_right4_3_told = arith.andi %low_words4_3, %byte_mask : !words
            %low_right4_3 = vector.bitcast %low_right4_3_told : !words to vector<32xi8>
            %high_words4_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_3_once_bytes = vector.transfer_read %weight[%n3, %high_words4_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_3_once = vector.bitcast %high_words4_3_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_3_twice = vector.shuffle %high_words4_3_once, %high_words4_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_3 = arith.shrui %high_words4_3_twice, %halves : !words
            %high_right4_3_told = arith.andi %high_words4_3, %byte_mask : !words
            %high_right4_3 = vector.bitcast %high_right4_3_told : !words to vector<32xi8>
            %low_dot4_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_3, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_3, %high_right4_3, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_3_once_bytes = vector.transfer_read %weight[%n3, %low_words6_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_3_once = vector.bitcast %low_words6_3_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_3_twice = vector.shuffle %low_words6_3_once, %low_words6_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_3 = arith.shrui %low_words6_3_twice, %halves : !words
            %low_right6_3_told = arith.andi %low_words6_3, %byte_mask : !words
            %low_right6_3 = vector.bitcast %low_right6_3_told : !words to vector<32xi8>
            %high_words6_3_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_3_once_bytes = vector.transfer_read %weight[%n3, %high_words6_3_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_3_once = vector.bitcast %high_words6_3_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_3_twice = vector.shuffle %high_words6_3_once, %high_words6_3_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_3 = arith.shrui %high_words6_3_twice, %halves : !words
            %high_right6_3_told = arith.andi %high_words6_3, %byte_mask : !words
            %high_right6_3 = vector.bitcast %high_right6_3_told : !words to vector<32xi8>
            %low_dot6_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_3, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_3 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_3, %high_right6_3, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_3 = vector.shuffle %dot0_3, %dot2_3
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_3 = vector.shuffle %dot0_3, %dot2_3
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_3 = arith.addi %earlier_low0_3, %later_low0_3 : !words
          %earlier_high0_3 = vector.shuffle %dot4_3, %dot6_3
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_3 = vector.shuffle %dot4_3, %dot6_3
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_3 = arith.addi %earlier_high0_3, %later_high0_3 : !words
          %earlier_counted0_3 = vector.shuffle %low0_3, %high0_3
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_3 = vector.shuffle %low0_3, %high0_3
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_3 = arith.addi %earlier_counted0_3, %later_counted0_3 : !words
          scf.if %is_next {
            %line576 = affine.apply affine_map<(b) -> (b + 576)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line576], read, locality<2>, data
              : memref<37x144xi8>
            %line640 = affine.apply affine_map<(b) -> (b + 640)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line640], read, locality<2>, data
              : memref<37x144xi8>
            %line704 = affine.apply affine_map<(b) -> (b + 704)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line704], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w4_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w4_both_bytes = vector.transfer_read %weight[%n4, %w4_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w4_both_halves = vector.bitcast %w4_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w4_both = arith.extf %w4_both_halves : vector<2xf16> to vector<2xf32>
            %w4_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w4_factors_bytes = vector.transfer_read %weight[%n4, %w4_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w4_factors = vector.bitcast %w4_factors_bytes : vector<12xi8> to vector<3xi32>
            %w4_factors0 = vector.extract %w4_factors[0]
              : i32 from vector<3xi32>
            %w4_factors1 = vector.extract %w4_factors[1]
              : i32 from vector<3xi32>
            %w4_factors2 = vector.extract %w4_factors[2]
              : i32 from vector<3xi32>
            %w4_later1 = arith.shrui %w4_factors2, %by_four : i32
            %w4_scales_first = arith.andi %w4_factors0, %six_bits : i32
            %w4_scales_last = arith.andi %w4_factors2, %four_bits : i32
            %w4_scales_moved = arith.shrui %w4_factors0, %by_two : i32
            %w4_scales_upper = arith.andi %w4_scales_moved, %upper_bits : i32
            %w4_scales_second = arith.ori %w4_scales_last, %w4_scales_upper : i32
            %w4_scales_pair = vector.from_elements %w4_scales_first, %w4_scales_second : vector<2xi32>
            %w4_scales_bytes = vector.bitcast %w4_scales_pair : vector<2xi32> to vector<8xi8>
            %w4_scales_real = arith.uitofp %w4_scales_bytes : vector<8xi8> to !scales
            %w4_scales_factor_alone = vector.extract %w4_both[0] : f32 from vector<2xf32>
            %w4_scales_factor = vector.broadcast %w4_scales_factor_alone : f32 to !scales
            %w4_scales = arith.mulf %w4_scales_real, %w4_scales_factor : !scales
            %w4_scale0_alone = vector.extract %w4_scales[0] : f32 from vector<8xf32>
            %w4_scale0 = vector.broadcast %w4_scale0_alone : f32 to !scales
            %w4_scale1_alone = vector.extract %w4_scales[1] : f32 from vector<8xf32>
            %w4_scale1 = vector.broadcast %w4_scale1_alone : f32 to !scales
            %w4_scale2_alone = vector.extract %w4_scales[2] : f32 from vector<8xf32>
            %w4_scale2 = vector.broadcast %w4_scale2_alone : f32 to !scales
            %w4_scale3_alone = vector.extract %w4_scales[3] : f32 from vector<8xf32>
            %w4_scale3 = vector.broadcast %w4_scale3_alone : f32 to !scales
            %w4_scale4_alone = vector.extract %w4_scales[4] : f32 from vector<8xf32>
            %w4_scale4 = vector.broadcast %w4_scale4_alone : f32 to !scales
            %w4_scale5_alone = vector.extract %w4_scales[5] : f32 from vector<8xf32>
            %w4_scale5 = vector.broadcast %w4_scale5_alone : f32 to !scales
            %w4_scale6_alone = vector.extract %w4_scales[6] : f32 from vector<8xf32>
            %w4_scale6 = vector.broadcast %w4_scale6_alone : f32 to !scales
            %w4_scale7_alone = vector.extract %w4_scales[7] : f32 from vector<8xf32>
            %w4_scale7 = vector.broadcast %w4_scale7_alone : f32 to !scales
            %w4_minimums_first = arith.andi %w4_factors1, %six_bits : i32
            %w4_minimums_last = arith.andi %w4_later1, %four_bits : i32
            %w4_minimums_moved = arith.shrui %w4_factors1, %by_two : i32
            %w4_minimums_upper = arith.andi %w4_minimums_moved, %upper_bits : i32
            %w4_minimums_second = arith.ori %w4_minimums_last, %w4_minimums_upper : i32
            %w4_minimums_pair = vector.from_elements %w4_minimums_first, %w4_minimums_second : vector<2xi32>
            %w4_minimums_bytes = vector.bitcast %w4_minimums_pair : vector<2xi32> to vector<8xi8>
            %w4_minimums_real = arith.uitofp %w4_minimums_bytes : vector<8xi8> to !scales
            %w4_minimums_factor_alone = vector.extract %w4_both[1] : f32 from vector<2xf32>
            %w4_minimums_factor = vector.broadcast %w4_minimums_factor_alone : f32 to !scales
            %w4_minimums = arith.mulf %w4_minimums_real, %w4_minimums_factor : !scales
            %w4_minimum0_alone = vector.extract %w4_minimums[0] : f32 from vector<8xf32>
            %w4_minimum0 = vector.broadcast %w4_minimum0_alone : f32 to !scales
            %w4_minimum1_alone = vector.extract %w4_minimums[1] : f32 from vector<8xf32>
            %w4_minimum1 = vector.broadcast %w4_minimum1_alone : f32 to !scales
            %w4_minimum2_alone = vector.extract %w4_minimums[2] : f32 from vector<8xf32>
            %w4_minimum2 = vector.broadcast %w4_minimum2_alone : f32 to !scales
            %w4_minimum3_alone = vector.extract %w4_minimums[3] : f32 from vector<8xf32>
            %w4_minimum3 = vector.broadcast %w4_minimum3_alone : f32 to !scales
            %w4_minimum4_alone = vector.extract %w4_minimums[4] : f32 from vector<8xf32>
            %w4_minimum4 = vector.broadcast %w4_minimum4_alone : f32 to !scales
            %w4_minimum5_alone = vector.extract %w4_minimums[5] : f32 from vector<8xf32>
            %w4_minimum5 = vector.broadcast %w4_minimum5_alone : f32 to !scales
            %w4_minimum6_alone = vector.extract %w4_minimums[6] : f32 from vector<8xf32>
            %w4_minimum6 = vector.broadcast %w4_minimum6_alone : f32 to !scales
            %w4_minimum7_alone = vector.extract %w4_minimums[7] : f32 from vector<8xf32>
            %w4_minimum7 = vector.broadcast %w4_minimum7_alone : f32 to !scales
            %w4_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w4_words0_bytes = vector.transfer_read %weight[%n4, %w4_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w4_words0 = vector.bitcast %w4_words0_bytes : vector<32xi8> to vector<8xi32>
            %w4_words1 = arith.shrui %w4_words0, %four : !words
            %w4_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w4_words2_bytes = vector.transfer_read %weight[%n4, %w4_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w4_words2 = vector.bitcast %w4_words2_bytes : vector<32xi8> to vector<8xi32>
            %w4_words3 = arith.shrui %w4_words2, %four : !words
            %w4_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w4_words4_bytes = vector.transfer_read %weight[%n4, %w4_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w4_words4 = vector.bitcast %w4_words4_bytes : vector<32xi8> to vector<8xi32>
            %w4_words5 = arith.shrui %w4_words4, %four : !words
            %w4_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w4_words6_bytes = vector.transfer_read %weight[%n4, %w4_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w4_words6 = vector.bitcast %w4_words6_bytes : vector<32xi8> to vector<8xi32>
            %w4_words7 = arith.shrui %w4_words6, %four : !words
            %low_words0_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_4_once_bytes = vector.transfer_read %weight[%n4, %low_words0_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_4_once = vector.bitcast %low_words0_4_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_4_twice = vector.shuffle %low_words0_4_once, %low_words0_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_4 = arith.shrui %low_words0_4_twice, %halves : !words
            %low_right0_4_told = arith.andi %low_words0_4, %byte_mask : !words
            %low_right0_4 = vector.bitcast %low_right0_4_told : !words to vector<32xi8>
            %high_words0_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_4_once_bytes = vector.transfer_read %weight[%n4, %high_words0_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_4_once = vector.bitcast %high_words0_4_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_4_twice = vector.shuffle %high_words0_4_once, %high_words0_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_4 = arith.shrui %high_words0_4_twice, %halves : !words
            %high_right0_4_told = arith.andi %high_words0_4, %byte_mask : !words
            %high_right0_4 = vector.bitcast %high_right0_4_told : !words to vector<32xi8>
            %low_dot0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_4, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_4, %high_right0_4, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_4_once_bytes = vector.transfer_read %weight[%n4, %low_words2_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_4_once = vector.bitcast %low_words2_4_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_4_twice = vector.shuffle %low_words2_4_once, %low_words2_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_4 = arith.shrui %low_words2_4_twice, %halves : !words
            %low_right2_4_told = arith.andi %low_words2_4, %byte_mask : !words
            %low_right2_4 = vector.bitcast %low_right2_4_told : !words to vector<32xi8>
            %high_words2_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_4_once_bytes = vector.transfer_read %weight[%n4, %high_words2_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_4_once = vector.bitcast %high_words2_4_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_4_twice = vector.shuffle %high_words2_4_once, %high_words2_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_4 = arith.shrui %high_words2_4_twice, %halves : !words
            %high_right2_4_told = arith.andi %high_words2_4, %byte_mask : !words
            %high_right2_4 = vector.bitcast %high_right2_4_told : !words to vector<32xi8>
            %low_dot2_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_4, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_4, %high_right2_4, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_4_once_bytes = vector.transfer_read %weight[%n4, %low_words4_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_4_once = vector.bitcast %low_words4_4_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_4_twice = vector.shuffle %low_words4_4_once, %low_words4_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_4 = arith.shrui %low_words4_4_twice, %halves : !words
            %low_right4_4_told = arith.andi %low_words4_4, %byte_mask : !words
            %low_right4_4 = vector.bitcast %low_right4_4_told : !words to vector<32xi8>
            %high_words4_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_4_once_bytes = vector.transfer_read %weight[%n4, %high_words4_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_4_once = vector.bitcast %high_words4_4_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_4_twice = vector.shuffle %high_words4_4_once, %high_words4_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_4 = arith.shrui %high_words4_4_twice, %halves : !words
            %high_right4_4_told = arith.andi %high_words4_4, %byte_mask : !words
            %high_right4_4 = vector.bitcast %high_right4_4_told : !words to vector<32xi8>
            %low_dot4_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_4, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_4, %high_right4_4, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_4_once_bytes = vector.transfer_read %weight[%n4, %low_words6_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_4_once = vector.bitcast %low_words6_4_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_4_twice = vector.shuffle %low_words6_4_once, %low_words6_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_4 = arith.shrui %low_words6_4_twice, %halves : !words
            %low_right6_4_told = arith.andi %low_words6_4, %byte_mask : !words
            %low_right6_4 = vector.bitcast %low_right6_4_told : !words to vector<32xi8>
            %high_words6_4_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_4_once_bytes = vector.transfer_read %weight[%n4, %high_words6_4_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_4_once = vector.bitcast %high_words6_4_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_4_twice = vector.shuffle %high_words6_4_once, %high_words6_4_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_4 = arith.shrui %high_words6_4_twice, %halves : !words
            %high_right6_4_told = arith.andi %high_words6_4, %byte_mask : !words
            %high_right6_4 = vector.bitcast %high_right6_4_told : !words to vector<32xi8>
            %low_dot6_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_4, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_4, %high_right6_4, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_4 = vector.shuffle %dot0_4, %dot2_4
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_4 = vector.shuffle %dot0_4, %dot2_4
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_4 = arith.addi %earlier_low0_4, %later_low0_4 : !words
          %earlier_high0_4 = vector.shuffle %dot4_4, %dot6_4
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_4 = vector.shuffle %dot4_4, %dot6_4
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_4 = arith.addi %earlier_high0_4, %later_high0_4 : !words
          %earlier_counted0_4 = vector.shuffle %low0_4, %high0_4
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_4 = vector.shuffle %low0_4, %high0_4
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_4 = arith.addi %earlier_counted0_4, %later_counted0_4 : !words
          scf.if %is_next {
            %line768 = affine.apply affine_map<(b) -> (b + 768)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line768], read, locality<2>, data
              : memref<37x144xi8>
            %line832 = affine.apply affine_map<(b) -> (b + 832)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line832], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w5_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w5_both_bytes = vector.transfer_read %weight[%n5, %w5_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w5_both_halves = vector.bitcast %w5_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w5_both = arith.extf %w5_both_halves : vector<2xf16> to vector<2xf32>
            %w5_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w5_factors_bytes = vector.transfer_read %weight[%n5, %w5_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w5_factors = vector.bitcast %w5_factors_bytes : vector<12xi8> to vector<3xi32>
            %w5_factors0 = vector.extract %w5_factors[0]
              : i32 from vector<3xi32>
            %w5_factors1 = vector.extract %w5_factors[1]
              : i32 from vector<3xi32>
            %w5_factors2 = vector.extract %w5_factors[2]
              : i32 from vector<3xi32>
            %w5_later1 = arith.shrui %w5_factors2, %by_four : i32
            %w5_scales_first = arith.andi %w5_factors0, %six_bits : i32
            %w5_scales_last = arith.andi %w5_factors2, %four_bits : i32
            %w5_scales_moved = arith.shrui %w5_factors0, %by_two : i32
            %w5_scales_upper = arith.andi %w5_scales_moved, %upper_bits : i32
            %w5_scales_second = arith.ori %w5_scales_last, %w5_scales_upper : i32
            %w5_scales_pair = vector.from_elements %w5_scales_first, %w5_scales_second : vector<2xi32>
            %w5_scales_bytes = vector.bitcast %w5_scales_pair : vector<2xi32> to vector<8xi8>
            %w5_scales_real = arith.uitofp %w5_scales_bytes : vector<8xi8> to !scales
            %w5_scales_factor_alone = vector.extract %w5_both[0] : f32 from vector<2xf32>
            %w5_scales_factor = vector.broadcast %w5_scales_factor_alone : f32 to !scales
            %w5_scales = arith.mulf %w5_scales_real, %w5_scales_factor : !scales
            %w5_scale0_alone = vector.extract %w5_scales[0] : f32 from vector<8xf32>
            %w5_scale0 = vector.broadcast %w5_scale0_alone : f32 to !scales
            %w5_scale1_alone = vector.extract %w5_scales[1] : f32 from vector<8xf32>
            %w5_scale1 = vector.broadcast %w5_scale1_alone : f32 to !scales
            %w5_scale2_alone = vector.extract %w5_scales[2] : f32 from vector<8xf32>
            %w5_scale2 = vector.broadcast %w5_scale2_alone : f32 to !scales
            %w5_scale3_alone = vector.extract %w5_scales[3] : f32 from vector<8xf32>
            %w5_scale3 = vector.broadcast %w5_scale3_alone : f32 to !scales
            %w5_scale4_alone = vector.extract %w5_scales[4] : f32 from vector<8xf32>
            %w5_scale4 = vector.broadcast %w5_scale4_alone : f32 to !scales
            %w5_scale5_alone = vector.extract %w5_scales[5] : f32 from vector<8xf32>
            %w5_scale5 = vector.broadcast %w5_scale5_alone : f32 to !scales
            %w5_scale6_alone = vector.extract %w5_scales[6] : f32 from vector<8xf32>
            %w5_scale6 = vector.broadcast %w5_scale6_alone : f32 to !scales
            %w5_scale7_alone = vector.extract %w5_scales[7] : f32 from vector<8xf32>
            %w5_scale7 = vector.broadcast %w5_scale7_alone : f32 to !scales
            %w5_minimums_first = arith.andi %w5_factors1, %six_bits : i32
            %w5_minimums_last = arith.andi %w5_later1, %four_bits : i32
            %w5_minimums_moved = arith.shrui %w5_factors1, %by_two : i32
            %w5_minimums_upper = arith.andi %w5_minimums_moved, %upper_bits : i32
            %w5_minimums_second = arith.ori %w5_minimums_last, %w5_minimums_upper : i32
            %w5_minimums_pair = vector.from_elements %w5_minimums_first, %w5_minimums_second : vector<2xi32>
            %w5_minimums_bytes = vector.bitcast %w5_minimums_pair : vector<2xi32> to vector<8xi8>
            %w5_minimums_real = arith.uitofp %w5_minimums_bytes : vector<8xi8> to !scales
            %w5_minimums_factor_alone = vector.extract %w5_both[1] : f32 from vector<2xf32>
            %w5_minimums_factor = vector.broadcast %w5_minimums_factor_alone : f32 to !scales
            %w5_minimums = arith.mulf %w5_minimums_real, %w5_minimums_factor : !scales
            %w5_minimum0_alone = vector.extract %w5_minimums[0] : f32 from vector<8xf32>
            %w5_minimum0 = vector.broadcast %w5_minimum0_alone : f32 to !scales
            %w5_minimum1_alone = vector.extract %w5_minimums[1] : f32 from vector<8xf32>
            %w5_minimum1 = vector.broadcast %w5_minimum1_alone : f32 to !scales
            %w5_minimum2_alone = vector.extract %w5_minimums[2] : f32 from vector<8xf32>
            %w5_minimum2 = vector.broadcast %w5_minimum2_alone : f32 to !scales
            %w5_minimum3_alone = vector.extract %w5_minimums[3] : f32 from vector<8xf32>
            %w5_minimum3 = vector.broadcast %w5_minimum3_alone : f32 to !scales
            %w5_minimum4_alone = vector.extract %w5_minimums[4] : f32 from vector<8xf32>
            %w5_minimum4 = vector.broadcast %w5_minimum4_alone : f32 to !scales
            %w5_minimum5_alone = vector.extract %w5_minimums[5] : f32 from vector<8xf32>
            %w5_minimum5 = vector.broadcast %w5_minimum5_alone : f32 to !scales
            %w5_minimum6_alone = vector.extract %w5_minimums[6] : f32 from vector<8xf32>
            %w5_minimum6 = vector.broadcast %w5_minimum6_alone : f32 to !scales
            %w5_minimum7_alone = vector.extract %w5_minimums[7] : f32 from vector<8xf32>
            %w5_minimum7 = vector.broadcast %w5_minimum7_alone : f32 to !scales
            %w5_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w5_words0_bytes = vector.transfer_read %weight[%n5, %w5_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w5_words0 = vector.bitcast %w5_words0_bytes : vector<32xi8> to vector<8xi32>
            %w5_words1 = arith.shrui %w5_words0, %four : !words
            %w5_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w5_words2_bytes = vector.transfer_read %weight[%n5, %w5_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w5_words2 = vector.bitcast %w5_words2_bytes : vector<32xi8> to vector<8xi32>
            %w5_words3 = arith.shrui %w5_words2, %four : !words
            %w5_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w5_words4_bytes = vector.transfer_read %weight[%n5, %w5_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w5_words4 = vector.bitcast %w5_words4_bytes : vector<32xi8> to vector<8xi32>
            %w5_words5 = arith.shrui %w5_words4, %four : !words
            %w5_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w5_words6_bytes = vector.transfer_read %weight[%n5, %w5_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w5_words6 = vector.bitcast %w5_words6_bytes : vector<32xi8> to vector<8xi32>
            %w5_words7 = arith.shrui %w5_words6, %four : !words
            %low_words0_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_5_once_bytes = vector.transfer_read %weight[%n5, %low_words0_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_5_once = vector.bitcast %low_words0_5_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_5_twice = vector.shuffle %low_words0_5_once, %low_words0_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_5 = arith.shrui %low_words0_5_twice, %halves : !words
            %low_right0_5_told = arith.andi %low_words0_5, %byte_mask : !words
            %low_right0_5 = vector.bitcast %low_right0_5_told : !words to vector<32xi8>
            %high_words0_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_5_once_bytes = vector.transfer_read %weight[%n5, %high_words0_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_5_once = vector.bitcast %high_words0_5_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_5_twice = vector.shuffle %high_words0_5_once, %high_words0_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_5 = arith.shrui %high_words0_5_twice, %halves : !words
            %high_right0_5_told = arith.andi %high_words0_5, %byte_mask : !words
            %high_right0_5 = vector.bitcast %high_right0_5_told : !words to vector<32xi8>
            %low_dot0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_5, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_5, %high_right0_5, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_5_once_bytes = vector.transfer_read %weight[%n5, %low_words2_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_5_once = vector.bitcast %low_words2_5_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_5_twice = vector.shuffle %low_words2_5_once, %low_words2_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_5 = arith.shrui %low_words2_5_twice, %halves : !words
            %low_right2_5_told = arith.andi %low_words2_5, %byte_mask : !words
            %low_right2_5 = vector.bitcast %low_right2_5_told : !words to vector<32xi8>
            %high_words2_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_5_once_bytes = vector.transfer_read %weight[%n5, %high_words2_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_5_once = vector.bitcast %high_words2_5_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_5_twice = vector.shuffle %high_words2_5_once, %high_words2_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_5 = arith.shrui %high_words2_5_twice, %halves : !words
            %high_right2_5_told = arith.andi %high_words2_5, %byte_mask : !words
            %high_right2_5 = vector.bitcast %high_right2_5_told : !words to vector<32xi8>
            %low_dot2_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_5, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_5, %high_right2_5, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_5_once_bytes = vector.transfer_read %weight[%n5, %low_words4_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_5_once = vector.bitcast %low_words4_5_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_5_twice = vector.shuffle %low_words4_5_once, %low_words4_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_5 = arith.shrui %low_words4_5_twice, %halves : !words
            %low_right4_5_told = arith.andi %low_words4_5, %byte_mask : !words
            %low_right4_5 = vector.bitcast %low_right4_5_told : !words to vector<32xi8>
            %high_words4_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_5_once_bytes = vector.transfer_read %weight[%n5, %high_words4_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_5_once = vector.bitcast %high_words4_5_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_5_twice = vector.shuffle %high_words4_5_once, %high_words4_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_5 = arith.shrui %high_words4_5_twice, %halves : !words
            %high_right4_5_told = arith.andi %high_words4_5, %byte_mask : !words
            %high_right4_5 = vector.bitcast %high_right4_5_told : !words to vector<32xi8>
            %low_dot4_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_5, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_5, %high_right4_5, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_5_once_bytes = vector.transfer_read %weight[%n5, %low_words6_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_5_once = vector.bitcast %low_words6_5_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_5_twice = vector.shuffle %low_words6_5_once, %low_words6_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_5 = arith.shrui %low_words6_5_twice, %halves : !words
            %low_right6_5_told = arith.andi %low_words6_5, %byte_mask : !words
            %low_right6_5 = vector.bitcast %low_right6_5_told : !words to vector<32xi8>
            %high_words6_5_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_5_once_bytes = vector.transfer_read %weight[%n5, %high_words6_5_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_5_once = vector.bitcast %high_words6_5_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_5_twice = vector.shuffle %high_words6_5_once, %high_words6_5_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_5 = arith.shrui %high_words6_5_twice, %halves : !words
            %high_right6_5_told = arith.andi %high_words6_5, %byte_mask : !words
            %high_right6_5 = vector.bitcast %high_right6_5_told : !words to vector<32xi8>
            %low_dot6_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_5, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_5 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_5, %high_right6_5, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_5 = vector.shuffle %dot0_5, %dot2_5
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_5 = vector.shuffle %dot0_5, %dot2_5
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_5 = arith.addi %earlier_low0_5, %later_low0_5 : !words
          %earlier_high0_5 = vector.shuffle %dot4_5, %dot6_5
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_5 = vector.shuffle %dot4_5, %dot6_5
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_5 = arith.addi %earlier_high0_5, %later_high0_5 : !words
          %earlier_counted0_5 = vector.shuffle %low0_5, %high0_5
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_5 = vector.shuffle %low0_5, %high0_5
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_5 = arith.addi %earlier_counted0_5, %later_counted0_5 : !words
          scf.if %is_next {
            %line896 = affine.apply affine_map<(b) -> (b + 896)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line896], read, locality<2>, data
              : memref<37x144xi8>
            %line960 = affine.apply affine_map<(b) -> (b + 960)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line960], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w6_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w6_both_bytes = vector.transfer_read %weight[%n6, %w6_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w6_both_halves = vector.bitcast %w6_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w6_both = arith.extf %w6_both_halves : vector<2xf16> to vector<2xf32>
            %w6_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w6_factors_bytes = vector.transfer_read %weight[%n6, %w6_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w6_factors = vector.bitcast %w6_factors_bytes : vector<12xi8> to vector<3xi32>
            %w6_factors0 = vector.extract %w6_factors[0]
              : i32 from vector<3xi32>
            %w6_factors1 = vector.extract %w6_factors[1]
              : i32 from vector<3xi32>
            %w6_factors2 = vector.extract %w6_factors[2]
              : i32 from vector<3xi32>
            %w6_later1 = arith.shrui %w6_factors2, %by_four : i32
            %w6_scales_first = arith.andi %w6_factors0, %six_bits : i32
            %w6_scales_last = arith.andi %w6_factors2, %four_bits : i32
            %w6_scales_moved = arith.shrui %w6_factors0, %by_two : i32
            %w6_scales_upper = arith.andi %w6_scales_moved, %upper_bits : i32
            %w6_scales_second = arith.ori %w6_scales_last, %w6_scales_upper : i32
            %w6_scales_pair = vector.from_elements %w6_scales_first, %w6_scales_second : vector<2xi32>
            %w6_scales_bytes = vector.bitcast %w6_scales_pair : vector<2xi32> to vector<8xi8>
            %w6_scales_real = arith.uitofp %w6_scales_bytes : vector<8xi8> to !scales
            %w6_scales_factor_alone = vector.extract %w6_both[0] : f32 from vector<2xf32>
            %w6_scales_factor = vector.broadcast %w6_scales_factor_alone : f32 to !scales
            %w6_scales = arith.mulf %w6_scales_real, %w6_scales_factor : !scales
            %w6_scale0_alone = vector.extract %w6_scales[0] : f32 from vector<8xf32>
            %w6_scale0 = vector.broadcast %w6_scale0_alone : f32 to !scales
            %w6_scale1_alone = vector.extract %w6_scales[1] : f32 from vector<8xf32>
            %w6_scale1 = vector.broadcast %w6_scale1_alone : f32 to !scales
            %w6_scale2_alone = vector.extract %w6_scales[2] : f32 from vector<8xf32>
            %w6_scale2 = vector.broadcast %w6_scale2_alone : f32 to !scales
            %w6_scale3_alone = vector.extract %w6_scales[3] : f32 from vector<8xf32>
            %w6_scale3 = vector.broadcast %w6_scale3_alone : f32 to !scales
            %w6_scale4_alone = vector.extract %w6_scales[4] : f32 from vector<8xf32>
            %w6_scale4 = vector.broadcast %w6_scale4_alone : f32 to !scales
            %w6_scale5_alone = vector.extract %w6_scales[5] : f32 from vector<8xf32>
            %w6_scale5 = vector.broadcast %w6_scale5_alone : f32 to !scales
            %w6_scale6_alone = vector.extract %w6_scales[6] : f32 from vector<8xf32>
            %w6_scale6 = vector.broadcast %w6_scale6_alone : f32 to !scales
            %w6_scale7_alone = vector.extract %w6_scales[7] : f32 from vector<8xf32>
            %w6_scale7 = vector.broadcast %w6_scale7_alone : f32 to !scales
            %w6_minimums_first = arith.andi %w6_factors1, %six_bits : i32
            %w6_minimums_last = arith.andi %w6_later1, %four_bits : i32
            %w6_minimums_moved = arith.shrui %w6_factors1, %by_two : i32
            %w6_minimums_upper = arith.andi %w6_minimums_moved, %upper_bits : i32
            %w6_minimums_second = arith.ori %w6_minimums_last, %w6_minimums_upper : i32
            %w6_minimums_pair = vector.from_elements %w6_minimums_first, %w6_minimums_second : vector<2xi32>
            %w6_minimums_bytes = vector.bitcast %w6_minimums_pair : vector<2xi32> to vector<8xi8>
            %w6_minimums_real = arith.uitofp %w6_minimums_bytes : vector<8xi8> to !scales
            %w6_minimums_factor_alone = vector.extract %w6_both[1] : f32 from vector<2xf32>
            %w6_minimums_factor = vector.broadcast %w6_minimums_factor_alone : f32 to !scales
            %w6_minimums = arith.mulf %w6_minimums_real, %w6_minimums_factor : !scales
            %w6_minimum0_alone = vector.extract %w6_minimums[0] : f32 from vector<8xf32>
            %w6_minimum0 = vector.broadcast %w6_minimum0_alone : f32 to !scales
            %w6_minimum1_alone = vector.extract %w6_minimums[1] : f32 from vector<8xf32>
            %w6_minimum1 = vector.broadcast %w6_minimum1_alone : f32 to !scales
            %w6_minimum2_alone = vector.extract %w6_minimums[2] : f32 from vector<8xf32>
            %w6_minimum2 = vector.broadcast %w6_minimum2_alone : f32 to !scales
            %w6_minimum3_alone = vector.extract %w6_minimums[3] : f32 from vector<8xf32>
            %w6_minimum3 = vector.broadcast %w6_minimum3_alone : f32 to !scales
            %w6_minimum4_alone = vector.extract %w6_minimums[4] : f32 from vector<8xf32>
            %w6_minimum4 = vector.broadcast %w6_minimum4_alone : f32 to !scales
            %w6_minimum5_alone = vector.extract %w6_minimums[5] : f32 from vector<8xf32>
            %w6_minimum5 = vector.broadcast %w6_minimum5_alone : f32 to !scales
            %w6_minimum6_alone = vector.extract %w6_minimums[6] : f32 from vector<8xf32>
            %w6_minimum6 = vector.broadcast %w6_minimum6_alone : f32 to !scales
            %w6_minimum7_alone = vector.extract %w6_minimums[7] : f32 from vector<8xf32>
            %w6_minimum7 = vector.broadcast %w6_minimum7_alone : f32 to !scales
            %w6_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w6_words0_bytes = vector.transfer_read %weight[%n6, %w6_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w6_words0 = vector.bitcast %w6_words0_bytes : vector<32xi8> to vector<8xi32>
            %w6_words1 = arith.shrui %w6_words0, %four : !words
            %w6_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w6_words2_bytes = vector.transfer_read %weight[%n6, %w6_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w6_words2 = vector.bitcast %w6_words2_bytes : vector<32xi8> to vector<8xi32>
            %w6_words3 = arith.shrui %w6_words2, %four : !words
            %w6_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w6_words4_bytes = vector.transfer_read %weight[%n6, %w6_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w6_words4 = vector.bitcast %w6_words4_bytes : vector<32xi8> to vector<8xi32>
            %w6_words5 = arith.shrui %w6_words4, %four : !words
            %w6_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w6_words6_bytes = vector.transfer_read %weight[%n6, %w6_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w6_words6 = vector.bitcast %w6_words6_bytes : vector<32xi8> to vector<8xi32>
            %w6_words7 = arith.shrui %w6_words6, %four : !words
            %low_words0_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_6_once_bytes = vector.transfer_read %weight[%n6, %low_words0_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_6_once = vector.bitcast %low_words0_6_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_6_twice = vector.shuffle %low_words0_6_once, %low_words0_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_6 = arith.shrui %low_words0_6_twice, %halves : !words
            %low_right0_6_told = arith.andi %low_words0_6, %byte_mask : !words
            %low_right0_6 = vector.bitcast %low_right0_6_told : !words to vector<32xi8>
            %high_words0_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_6_once_bytes = vector.transfer_read %weight[%n6, %high_words0_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_6_once = vector.bitcast %high_words0_6_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_6_twice = vector.shuffle %high_words0_6_once, %high_words0_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_6 = arith.shrui %high_words0_6_twice, %halves : !words
            %high_right0_6_told = arith.andi %high_words0_6, %byte_mask : !words
            %high_right0_6 = vector.bitcast %high_right0_6_told : !words to vector<32xi8>
            %low_dot0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_6, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_6, %high_right0_6, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_6_once_bytes = vector.transfer_read %weight[%n6, %low_words2_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_6_once = vector.bitcast %low_words2_6_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_6_twice = vector.shuffle %low_words2_6_once, %low_words2_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_6 = arith.shrui %low_words2_6_twice, %halves : !words
            %low_right2_6_told = arith.andi %low_words2_6, %byte_mask : !words
            %low_right2_6 = vector.bitcast %low_right2_6_told : !words to vector<32xi8>
            %high_words2_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_6_once_bytes = vector.transfer_read %weight[%n6, %high_words2_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_6_once = vector.bitcast %high_words2_6_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_6_twice = vector.shuffle %high_words2_6_once, %high_words2_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_6 = arith.shrui %high_words2_6_twice, %halves : !words
            %high_right2_6_told = arith.andi %high_words2_6, %byte_mask : !words
            %high_right2_6 = vector.bitcast %high_right2_6_told : !words to vector<32xi8>
            %low_dot2_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_6, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_6, %high_right2_6, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_6_once_bytes = vector.transfer_read %weight[%n6, %low_words4_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_6_once = vector.bitcast %low_words4_6_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_6_twice = vector.shuffle %low_words4_6_once, %low_words4_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_6 = arith.shrui %low_words4_6_twice, %halves : !words
            %low_right4_6_told = arith.andi %low_words4_6, %byte_mask : !words
            %low_right4_6 = vector.bitcast %low_right4_6_told : !words to vector<32xi8>
            %high_words4_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_6_once_bytes = vector.transfer_read %weight[%n6, %high_words4_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_6_once = vector.bitcast %high_words4_6_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_6_twice = vector.shuffle %high_words4_6_once, %high_words4_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_6 = arith.shrui %high_words4_6_twice, %halves : !words
            %high_right4_6_told = arith.andi %high_words4_6, %byte_mask : !words
            %high_right4_6 = vector.bitcast %high_right4_6_told : !words to vector<32xi8>
            %low_dot4_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_6, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_6, %high_right4_6, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_6_once_bytes = vector.transfer_read %weight[%n6, %low_words6_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_6_once = vector.bitcast %low_words6_6_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_6_twice = vector.shuffle %low_words6_6_once, %low_words6_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_6 = arith.shrui %low_words6_6_twice, %halves : !words
            %low_right6_6_told = arith.andi %low_words6_6, %byte_mask : !words
            %low_right6_6 = vector.bitcast %low_right6_6_told : !words to vector<32xi8>
            %high_words6_6_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_6_once_bytes = vector.transfer_read %weight[%n6, %high_words6_6_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_6_once = vector.bitcast %high_words6_6_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_6_twice = vector.shuffle %high_words6_6_once, %high_words6_6_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_6 = arith.shrui %high_words6_6_twice, %halves : !words
            %high_right6_6_told = arith.andi %high_words6_6, %byte_mask : !words
            %high_right6_6 = vector.bitcast %high_right6_6_told : !words to vector<32xi8>
            %low_dot6_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_6, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_6 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_6, %high_right6_6, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_6 = vector.shuffle %dot0_6, %dot2_6
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_6 = vector.shuffle %dot0_6, %dot2_6
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_6 = arith.addi %earlier_low0_6, %later_low0_6 : !words
          %earlier_high0_6 = vector.shuffle %dot4_6, %dot6_6
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_6 = vector.shuffle %dot4_6, %dot6_6
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_6 = arith.addi %earlier_high0_6, %later_high0_6 : !words
          %earlier_counted0_6 = vector.shuffle %low0_6, %high0_6
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_6 = vector.shuffle %low0_6, %high0_6
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_6 = arith.addi %earlier_counted0_6, %later_counted0_6 : !words
          scf.if %is_next {
            %line1024 = affine.apply affine_map<(b) -> (b + 1024)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line1024], read, locality<2>, data
              : memref<37x144xi8>
            %line1088 = affine.apply affine_map<(b) -> (b + 1088)>(%ahead_byte)
            memref.prefetch %weight_memory[%next, %line1088], read, locality<2>, data
              : memref<37x144xi8>
          }
            %w7_both_bytes_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %w7_both_bytes = vector.transfer_read %weight[%n7, %w7_both_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<4xi8>
            %w7_both_halves = vector.bitcast %w7_both_bytes
              : vector<4xi8> to vector<2xf16>
            %w7_both = arith.extf %w7_both_halves : vector<2xf16> to vector<2xf32>
            %w7_factors_bytes_place = affine.apply affine_map<(b) -> (b + 4)>(%first_byte)
            %w7_factors_bytes = vector.transfer_read %weight[%n7, %w7_factors_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<12xi8>
            %w7_factors = vector.bitcast %w7_factors_bytes : vector<12xi8> to vector<3xi32>
            %w7_factors0 = vector.extract %w7_factors[0]
              : i32 from vector<3xi32>
            %w7_factors1 = vector.extract %w7_factors[1]
              : i32 from vector<3xi32>
            %w7_factors2 = vector.extract %w7_factors[2]
              : i32 from vector<3xi32>
            %w7_later1 = arith.shrui %w7_factors2, %by_four : i32
            %w7_scales_first = arith.andi %w7_factors0, %six_bits : i32
            %w7_scales_last = arith.andi %w7_factors2, %four_bits : i32
            %w7_scales_moved = arith.shrui %w7_factors0, %by_two : i32
            %w7_scales_upper = arith.andi %w7_scales_moved, %upper_bits : i32
            %w7_scales_second = arith.ori %w7_scales_last, %w7_scales_upper : i32
            %w7_scales_pair = vector.from_elements %w7_scales_first, %w7_scales_second : vector<2xi32>
            %w7_scales_bytes = vector.bitcast %w7_scales_pair : vector<2xi32> to vector<8xi8>
            %w7_scales_real = arith.uitofp %w7_scales_bytes : vector<8xi8> to !scales
            %w7_scales_factor_alone = vector.extract %w7_both[0] : f32 from vector<2xf32>
            %w7_scales_factor = vector.broadcast %w7_scales_factor_alone : f32 to !scales
            %w7_scales = arith.mulf %w7_scales_real, %w7_scales_factor : !scales
            %w7_scale0_alone = vector.extract %w7_scales[0] : f32 from vector<8xf32>
            %w7_scale0 = vector.broadcast %w7_scale0_alone : f32 to !scales
            %w7_scale1_alone = vector.extract %w7_scales[1] : f32 from vector<8xf32>
            %w7_scale1 = vector.broadcast %w7_scale1_alone : f32 to !scales
            %w7_scale2_alone = vector.extract %w7_scales[2] : f32 from vector<8xf32>
            %w7_scale2 = vector.broadcast %w7_scale2_alone : f32 to !scales
            %w7_scale3_alone = vector.extract %w7_scales[3] : f32 from vector<8xf32>
            %w7_scale3 = vector.broadcast %w7_scale3_alone : f32 to !scales
            %w7_scale4_alone = vector.extract %w7_scales[4] : f32 from vector<8xf32>
            %w7_scale4 = vector.broadcast %w7_scale4_alone : f32 to !scales
            %w7_scale5_alone = vector.extract %w7_scales[5] : f32 from vector<8xf32>
            %w7_scale5 = vector.broadcast %w7_scale5_alone : f32 to !scales
            %w7_scale6_alone = vector.extract %w7_scales[6] : f32 from vector<8xf32>
            %w7_scale6 = vector.broadcast %w7_scale6_alone : f32 to !scales
            %w7_scale7_alone = vector.extract %w7_scales[7] : f32 from vector<8xf32>
            %w7_scale7 = vector.broadcast %w7_scale7_alone : f32 to !scales
            %w7_minimums_first = arith.andi %w7_factors1, %six_bits : i32
            %w7_minimums_last = arith.andi %w7_later1, %four_bits : i32
            %w7_minimums_moved = arith.shrui %w7_factors1, %by_two : i32
            %w7_minimums_upper = arith.andi %w7_minimums_moved, %upper_bits : i32
            %w7_minimums_second = arith.ori %w7_minimums_last, %w7_minimums_upper : i32
            %w7_minimums_pair = vector.from_elements %w7_minimums_first, %w7_minimums_second : vector<2xi32>
            %w7_minimums_bytes = vector.bitcast %w7_minimums_pair : vector<2xi32> to vector<8xi8>
            %w7_minimums_real = arith.uitofp %w7_minimums_bytes : vector<8xi8> to !scales
            %w7_minimums_factor_alone = vector.extract %w7_both[1] : f32 from vector<2xf32>
            %w7_minimums_factor = vector.broadcast %w7_minimums_factor_alone : f32 to !scales
            %w7_minimums = arith.mulf %w7_minimums_real, %w7_minimums_factor : !scales
            %w7_minimum0_alone = vector.extract %w7_minimums[0] : f32 from vector<8xf32>
            %w7_minimum0 = vector.broadcast %w7_minimum0_alone : f32 to !scales
            %w7_minimum1_alone = vector.extract %w7_minimums[1] : f32 from vector<8xf32>
            %w7_minimum1 = vector.broadcast %w7_minimum1_alone : f32 to !scales
            %w7_minimum2_alone = vector.extract %w7_minimums[2] : f32 from vector<8xf32>
            %w7_minimum2 = vector.broadcast %w7_minimum2_alone : f32 to !scales
            %w7_minimum3_alone = vector.extract %w7_minimums[3] : f32 from vector<8xf32>
            %w7_minimum3 = vector.broadcast %w7_minimum3_alone : f32 to !scales
            %w7_minimum4_alone = vector.extract %w7_minimums[4] : f32 from vector<8xf32>
            %w7_minimum4 = vector.broadcast %w7_minimum4_alone : f32 to !scales
            %w7_minimum5_alone = vector.extract %w7_minimums[5] : f32 from vector<8xf32>
            %w7_minimum5 = vector.broadcast %w7_minimum5_alone : f32 to !scales
            %w7_minimum6_alone = vector.extract %w7_minimums[6] : f32 from vector<8xf32>
            %w7_minimum6 = vector.broadcast %w7_minimum6_alone : f32 to !scales
            %w7_minimum7_alone = vector.extract %w7_minimums[7] : f32 from vector<8xf32>
            %w7_minimum7 = vector.broadcast %w7_minimum7_alone : f32 to !scales
            %w7_words0_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %w7_words0_bytes = vector.transfer_read %weight[%n7, %w7_words0_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w7_words0 = vector.bitcast %w7_words0_bytes : vector<32xi8> to vector<8xi32>
            %w7_words1 = arith.shrui %w7_words0, %four : !words
            %w7_words2_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %w7_words2_bytes = vector.transfer_read %weight[%n7, %w7_words2_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w7_words2 = vector.bitcast %w7_words2_bytes : vector<32xi8> to vector<8xi32>
            %w7_words3 = arith.shrui %w7_words2, %four : !words
            %w7_words4_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %w7_words4_bytes = vector.transfer_read %weight[%n7, %w7_words4_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w7_words4 = vector.bitcast %w7_words4_bytes : vector<32xi8> to vector<8xi32>
            %w7_words5 = arith.shrui %w7_words4, %four : !words
            %w7_words6_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %w7_words6_bytes = vector.transfer_read %weight[%n7, %w7_words6_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<32xi8>
            %w7_words6 = vector.bitcast %w7_words6_bytes : vector<32xi8> to vector<8xi32>
            %w7_words7 = arith.shrui %w7_words6, %four : !words
            %low_words0_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 16)>(%first_byte)
            %low_words0_7_once_bytes = vector.transfer_read %weight[%n7, %low_words0_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words0_7_once = vector.bitcast %low_words0_7_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words0_7_twice = vector.shuffle %low_words0_7_once, %low_words0_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words0_7 = arith.shrui %low_words0_7_twice, %halves : !words
            %low_right0_7_told = arith.andi %low_words0_7, %byte_mask : !words
            %low_right0_7 = vector.bitcast %low_right0_7_told : !words to vector<32xi8>
            %high_words0_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 32)>(%first_byte)
            %high_words0_7_once_bytes = vector.transfer_read %weight[%n7, %high_words0_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words0_7_once = vector.bitcast %high_words0_7_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words0_7_twice = vector.shuffle %high_words0_7_once, %high_words0_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words0_7 = arith.shrui %high_words0_7_twice, %halves : !words
            %high_right0_7_told = arith.andi %high_words0_7, %byte_mask : !words
            %high_right0_7 = vector.bitcast %high_right0_7_told : !words to vector<32xi8>
            %low_dot0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right0_7, %left0) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot0_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot0_7, %high_right0_7, %left1) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words2_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 48)>(%first_byte)
            %low_words2_7_once_bytes = vector.transfer_read %weight[%n7, %low_words2_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words2_7_once = vector.bitcast %low_words2_7_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words2_7_twice = vector.shuffle %low_words2_7_once, %low_words2_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words2_7 = arith.shrui %low_words2_7_twice, %halves : !words
            %low_right2_7_told = arith.andi %low_words2_7, %byte_mask : !words
            %low_right2_7 = vector.bitcast %low_right2_7_told : !words to vector<32xi8>
            %high_words2_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 64)>(%first_byte)
            %high_words2_7_once_bytes = vector.transfer_read %weight[%n7, %high_words2_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words2_7_once = vector.bitcast %high_words2_7_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words2_7_twice = vector.shuffle %high_words2_7_once, %high_words2_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words2_7 = arith.shrui %high_words2_7_twice, %halves : !words
            %high_right2_7_told = arith.andi %high_words2_7, %byte_mask : !words
            %high_right2_7 = vector.bitcast %high_right2_7_told : !words to vector<32xi8>
            %low_dot2_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right2_7, %left2) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot2_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot2_7, %high_right2_7, %left3) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words4_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 80)>(%first_byte)
            %low_words4_7_once_bytes = vector.transfer_read %weight[%n7, %low_words4_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words4_7_once = vector.bitcast %low_words4_7_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words4_7_twice = vector.shuffle %low_words4_7_once, %low_words4_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words4_7 = arith.shrui %low_words4_7_twice, %halves : !words
            %low_right4_7_told = arith.andi %low_words4_7, %byte_mask : !words
            %low_right4_7 = vector.bitcast %low_right4_7_told : !words to vector<32xi8>
            %high_words4_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 96)>(%first_byte)
            %high_words4_7_once_bytes = vector.transfer_read %weight[%n7, %high_words4_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words4_7_once = vector.bitcast %high_words4_7_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words4_7_twice = vector.shuffle %high_words4_7_once, %high_words4_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words4_7 = arith.shrui %high_words4_7_twice, %halves : !words
            %high_right4_7_told = arith.andi %high_words4_7, %byte_mask : !words
            %high_right4_7 = vector.bitcast %high_right4_7_told : !words to vector<32xi8>
            %low_dot4_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right4_7, %left4) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot4_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot4_7, %high_right4_7, %left5) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %low_words6_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 112)>(%first_byte)
            %low_words6_7_once_bytes = vector.transfer_read %weight[%n7, %low_words6_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %low_words6_7_once = vector.bitcast %low_words6_7_once_bytes : vector<16xi8> to vector<4xi32>
            %low_words6_7_twice = vector.shuffle %low_words6_7_once, %low_words6_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %low_words6_7 = arith.shrui %low_words6_7_twice, %halves : !words
            %low_right6_7_told = arith.andi %low_words6_7, %byte_mask : !words
            %low_right6_7 = vector.bitcast %low_right6_7_told : !words to vector<32xi8>
            %high_words6_7_once_bytes_place = affine.apply affine_map<(b) -> (b + 128)>(%first_byte)
            %high_words6_7_once_bytes = vector.transfer_read %weight[%n7, %high_words6_7_once_bytes_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
            %high_words6_7_once = vector.bitcast %high_words6_7_once_bytes : vector<16xi8> to vector<4xi32>
            %high_words6_7_twice = vector.shuffle %high_words6_7_once, %high_words6_7_once [0, 1, 2, 3, 0, 1, 2, 3]
              : vector<4xi32>, vector<4xi32>
            %high_words6_7 = arith.shrui %high_words6_7_twice, %halves : !words
            %high_right6_7_told = arith.andi %high_words6_7, %byte_mask : !words
            %high_right6_7 = vector.bitcast %high_right6_7_told : !words to vector<32xi8>
            %low_dot6_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %no_start, %low_right6_7, %left6) : (!words, vector<32xi8>, vector<32xi8>) -> !words
            %dot6_7 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(
              %low_dot6_7, %high_right6_7, %left7) : (!words, vector<32xi8>, vector<32xi8>) -> !words
          %earlier_low0_7 = vector.shuffle %dot0_7, %dot2_7
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_low0_7 = vector.shuffle %dot0_7, %dot2_7
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %low0_7 = arith.addi %earlier_low0_7, %later_low0_7 : !words
          %earlier_high0_7 = vector.shuffle %dot4_7, %dot6_7
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %later_high0_7 = vector.shuffle %dot4_7, %dot6_7
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %high0_7 = arith.addi %earlier_high0_7, %later_high0_7 : !words
          %earlier_counted0_7 = vector.shuffle %low0_7, %high0_7
            [0, 2, 8, 10, 4, 6, 12, 14] : !words, !words
          %later_counted0_7 = vector.shuffle %low0_7, %high0_7
            [1, 3, 9, 11, 5, 7, 13, 15] : !words, !words
          %counted0_7 = arith.addi %earlier_counted0_7, %later_counted0_7 : !words
          %counted0_half0_0 = vector.shuffle %counted0_0, %counted0_4
            [0, 1, 2, 3, 8, 9, 10, 11] : !words, !words
          %counted0_half0_1 = vector.shuffle %counted0_1, %counted0_5
            [0, 1, 2, 3, 8, 9, 10, 11] : !words, !words
          %counted0_half0_2 = vector.shuffle %counted0_2, %counted0_6
            [0, 1, 2, 3, 8, 9, 10, 11] : !words, !words
          %counted0_half0_3 = vector.shuffle %counted0_3, %counted0_7
            [0, 1, 2, 3, 8, 9, 10, 11] : !words, !words
          %counted0_turn00_0 = vector.shuffle
            %counted0_half0_0, %counted0_half0_1
            [0, 8, 1, 9, 4, 12, 5, 13] : !words, !words
          %counted0_turn00_2 = vector.shuffle
            %counted0_half0_2, %counted0_half0_3
            [0, 8, 1, 9, 4, 12, 5, 13] : !words, !words
          %counted0_of0 = vector.shuffle %counted0_turn00_0, %counted0_turn00_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %counted0_of1 = vector.shuffle %counted0_turn00_0, %counted0_turn00_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %counted0_turn02_0 = vector.shuffle
            %counted0_half0_0, %counted0_half0_1
            [2, 10, 3, 11, 6, 14, 7, 15] : !words, !words
          %counted0_turn02_2 = vector.shuffle
            %counted0_half0_2, %counted0_half0_3
            [2, 10, 3, 11, 6, 14, 7, 15] : !words, !words
          %counted0_of2 = vector.shuffle %counted0_turn02_0, %counted0_turn02_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %counted0_of3 = vector.shuffle %counted0_turn02_0, %counted0_turn02_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %counted0_half4_0 = vector.shuffle %counted0_0, %counted0_4
            [4, 5, 6, 7, 12, 13, 14, 15] : !words, !words
          %counted0_half4_1 = vector.shuffle %counted0_1, %counted0_5
            [4, 5, 6, 7, 12, 13, 14, 15] : !words, !words
          %counted0_half4_2 = vector.shuffle %counted0_2, %counted0_6
            [4, 5, 6, 7, 12, 13, 14, 15] : !words, !words
          %counted0_half4_3 = vector.shuffle %counted0_3, %counted0_7
            [4, 5, 6, 7, 12, 13, 14, 15] : !words, !words
          %counted0_turn40_0 = vector.shuffle
            %counted0_half4_0, %counted0_half4_1
            [0, 8, 1, 9, 4, 12, 5, 13] : !words, !words
          %counted0_turn40_2 = vector.shuffle
            %counted0_half4_2, %counted0_half4_3
            [0, 8, 1, 9, 4, 12, 5, 13] : !words, !words
          %counted0_of4 = vector.shuffle %counted0_turn40_0, %counted0_turn40_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %counted0_of5 = vector.shuffle %counted0_turn40_0, %counted0_turn40_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %counted0_turn42_0 = vector.shuffle
            %counted0_half4_0, %counted0_half4_1
            [2, 10, 3, 11, 6, 14, 7, 15] : !words, !words
          %counted0_turn42_2 = vector.shuffle
            %counted0_half4_2, %counted0_half4_3
            [2, 10, 3, 11, 6, 14, 7, 15] : !words, !words
          %counted0_of6 = vector.shuffle %counted0_turn42_0, %counted0_turn42_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %counted0_of7 = vector.shuffle %counted0_turn42_0, %counted0_turn42_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words

            %head_bytes0_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes0 = vector.transfer_read %weight[%n0, %head_bytes0_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head0 = vector.bitcast %head_bytes0 : vector<16xi8> to vector<4xi32>
            %head_bytes1_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes1 = vector.transfer_read %weight[%n1, %head_bytes1_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head1 = vector.bitcast %head_bytes1 : vector<16xi8> to vector<4xi32>
            %head_bytes2_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes2 = vector.transfer_read %weight[%n2, %head_bytes2_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head2 = vector.bitcast %head_bytes2 : vector<16xi8> to vector<4xi32>
            %head_bytes3_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes3 = vector.transfer_read %weight[%n3, %head_bytes3_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head3 = vector.bitcast %head_bytes3 : vector<16xi8> to vector<4xi32>
            %head_bytes4_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes4 = vector.transfer_read %weight[%n4, %head_bytes4_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head4 = vector.bitcast %head_bytes4 : vector<16xi8> to vector<4xi32>
            %head_bytes5_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes5 = vector.transfer_read %weight[%n5, %head_bytes5_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head5 = vector.bitcast %head_bytes5 : vector<16xi8> to vector<4xi32>
            %head_bytes6_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes6 = vector.transfer_read %weight[%n6, %head_bytes6_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head6 = vector.bitcast %head_bytes6 : vector<16xi8> to vector<4xi32>
            %head_bytes7_place = affine.apply affine_map<(b) -> (b + 0)>(%first_byte)
            %head_bytes7 = vector.transfer_read %weight[%n7, %head_bytes7_place], %no_byte
              {in_bounds = [true]} : tensor<37x144xi8>, vector<16xi8>
          %head7 = vector.bitcast %head_bytes7 : vector<16xi8> to vector<4xi32>
          %head_half0_0 = vector.shuffle %head0, %head4
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %head_half0_1 = vector.shuffle %head1, %head5
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %head_half0_2 = vector.shuffle %head2, %head6
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %head_half0_3 = vector.shuffle %head3, %head7
            [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
          %head_turn00_0 = vector.shuffle
            %head_half0_0, %head_half0_1
            [0, 8, 1, 9, 4, 12, 5, 13] : !words, !words
          %head_turn00_2 = vector.shuffle
            %head_half0_2, %head_half0_3
            [0, 8, 1, 9, 4, 12, 5, 13] : !words, !words
          %head_of0 = vector.shuffle %head_turn00_0, %head_turn00_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %head_of1 = vector.shuffle %head_turn00_0, %head_turn00_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
          %head_turn02_0 = vector.shuffle
            %head_half0_0, %head_half0_1
            [2, 10, 3, 11, 6, 14, 7, 15] : !words, !words
          %head_turn02_2 = vector.shuffle
            %head_half0_2, %head_half0_3
            [2, 10, 3, 11, 6, 14, 7, 15] : !words, !words
          %head_of2 = vector.shuffle %head_turn02_0, %head_turn02_2
            [0, 1, 8, 9, 4, 5, 12, 13] : !words, !words
          %head_of3 = vector.shuffle %head_turn02_0, %head_turn02_2
            [2, 3, 10, 11, 6, 7, 14, 15] : !words, !words
              %scale_of_block_word_mask = arith.constant dense<65535> : !words
              %scale_of_block_word = arith.andi %head_of0, %scale_of_block_word_mask
                : !words
          %scale_of_block_bits = arith.trunci %scale_of_block_word : !words to vector<8xi16>
          %scale_of_block_half = arith.bitcast %scale_of_block_bits : vector<8xi16> to vector<8xf16>
          %scale_of_block = arith.extf %scale_of_block_half : vector<8xf16> to !scales
              %scale_part0_whole_mask = arith.constant dense<63> : !words
              %scale_part0_whole = arith.andi %head_of1, %scale_part0_whole_mask
                : !words
          %scale_part0_real = arith.sitofp %scale_part0_whole : !words to !scales
          %scale_part0 = arith.mulf %scale_part0_real, %scale_of_block : !scales
          %scale_place0 = affine.apply
            affine_map<(d) -> (d * 8 + 0)>(%d)
          %token_scale_alone0 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place0]
            : tensor<1x8xf32>
          %token_scale0 = vector.broadcast %token_scale_alone0 : f32 to !scales
          %scale0_of0 = arith.mulf %scale_part0, %token_scale0 : !scales
              %scale_part1_whole_by = arith.constant dense<8> : !words
              %scale_part1_whole_moved = arith.shrui %head_of1, %scale_part1_whole_by
                : !words
              %scale_part1_whole_mask = arith.constant dense<63> : !words
              %scale_part1_whole = arith.andi %scale_part1_whole_moved, %scale_part1_whole_mask
                : !words
          %scale_part1_real = arith.sitofp %scale_part1_whole : !words to !scales
          %scale_part1 = arith.mulf %scale_part1_real, %scale_of_block : !scales
          %scale_place1 = affine.apply
            affine_map<(d) -> (d * 8 + 1)>(%d)
          %token_scale_alone1 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place1]
            : tensor<1x8xf32>
          %token_scale1 = vector.broadcast %token_scale_alone1 : f32 to !scales
          %scale0_of1 = arith.mulf %scale_part1, %token_scale1 : !scales
              %scale_part2_whole_by = arith.constant dense<16> : !words
              %scale_part2_whole_moved = arith.shrui %head_of1, %scale_part2_whole_by
                : !words
              %scale_part2_whole_mask = arith.constant dense<63> : !words
              %scale_part2_whole = arith.andi %scale_part2_whole_moved, %scale_part2_whole_mask
                : !words
          %scale_part2_real = arith.sitofp %scale_part2_whole : !words to !scales
          %scale_part2 = arith.mulf %scale_part2_real, %scale_of_block : !scales
          %scale_place2 = affine.apply
            affine_map<(d) -> (d * 8 + 2)>(%d)
          %token_scale_alone2 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place2]
            : tensor<1x8xf32>
          %token_scale2 = vector.broadcast %token_scale_alone2 : f32 to !scales
          %scale0_of2 = arith.mulf %scale_part2, %token_scale2 : !scales
              %scale_part3_whole_by = arith.constant dense<24> : !words
              %scale_part3_whole_moved = arith.shrui %head_of1, %scale_part3_whole_by
                : !words
              %scale_part3_whole_mask = arith.constant dense<63> : !words
              %scale_part3_whole = arith.andi %scale_part3_whole_moved, %scale_part3_whole_mask
                : !words
          %scale_part3_real = arith.sitofp %scale_part3_whole : !words to !scales
          %scale_part3 = arith.mulf %scale_part3_real, %scale_of_block : !scales
          %scale_place3 = affine.apply
            affine_map<(d) -> (d * 8 + 3)>(%d)
          %token_scale_alone3 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place3]
            : tensor<1x8xf32>
          %token_scale3 = vector.broadcast %token_scale_alone3 : f32 to !scales
          %scale0_of3 = arith.mulf %scale_part3, %token_scale3 : !scales
              %scale_part4_low_mask = arith.constant dense<15> : !words
              %scale_part4_low = arith.andi %head_of3, %scale_part4_low_mask
                : !words
              %scale_part4_high_by = arith.constant dense<2> : !words
              %scale_part4_high_moved = arith.shrui %head_of1, %scale_part4_high_by
                : !words
              %scale_part4_high_mask = arith.constant dense<48> : !words
              %scale_part4_high = arith.andi %scale_part4_high_moved, %scale_part4_high_mask
                : !words
          %scale_part4_whole = arith.ori %scale_part4_low, %scale_part4_high : !words
          %scale_part4_real = arith.sitofp %scale_part4_whole : !words to !scales
          %scale_part4 = arith.mulf %scale_part4_real, %scale_of_block : !scales
          %scale_place4 = affine.apply
            affine_map<(d) -> (d * 8 + 4)>(%d)
          %token_scale_alone4 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place4]
            : tensor<1x8xf32>
          %token_scale4 = vector.broadcast %token_scale_alone4 : f32 to !scales
          %scale0_of4 = arith.mulf %scale_part4, %token_scale4 : !scales
              %scale_part5_low_by = arith.constant dense<8> : !words
              %scale_part5_low_moved = arith.shrui %head_of3, %scale_part5_low_by
                : !words
              %scale_part5_low_mask = arith.constant dense<15> : !words
              %scale_part5_low = arith.andi %scale_part5_low_moved, %scale_part5_low_mask
                : !words
              %scale_part5_high_by = arith.constant dense<10> : !words
              %scale_part5_high_moved = arith.shrui %head_of1, %scale_part5_high_by
                : !words
              %scale_part5_high_mask = arith.constant dense<48> : !words
              %scale_part5_high = arith.andi %scale_part5_high_moved, %scale_part5_high_mask
                : !words
          %scale_part5_whole = arith.ori %scale_part5_low, %scale_part5_high : !words
          %scale_part5_real = arith.sitofp %scale_part5_whole : !words to !scales
          %scale_part5 = arith.mulf %scale_part5_real, %scale_of_block : !scales
          %scale_place5 = affine.apply
            affine_map<(d) -> (d * 8 + 5)>(%d)
          %token_scale_alone5 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place5]
            : tensor<1x8xf32>
          %token_scale5 = vector.broadcast %token_scale_alone5 : f32 to !scales
          %scale0_of5 = arith.mulf %scale_part5, %token_scale5 : !scales
              %scale_part6_low_by = arith.constant dense<16> : !words
              %scale_part6_low_moved = arith.shrui %head_of3, %scale_part6_low_by
                : !words
              %scale_part6_low_mask = arith.constant dense<15> : !words
              %scale_part6_low = arith.andi %scale_part6_low_moved, %scale_part6_low_mask
                : !words
              %scale_part6_high_by = arith.constant dense<18> : !words
              %scale_part6_high_moved = arith.shrui %head_of1, %scale_part6_high_by
                : !words
              %scale_part6_high_mask = arith.constant dense<48> : !words
              %scale_part6_high = arith.andi %scale_part6_high_moved, %scale_part6_high_mask
                : !words
          %scale_part6_whole = arith.ori %scale_part6_low, %scale_part6_high : !words
          %scale_part6_real = arith.sitofp %scale_part6_whole : !words to !scales
          %scale_part6 = arith.mulf %scale_part6_real, %scale_of_block : !scales
          %scale_place6 = affine.apply
            affine_map<(d) -> (d * 8 + 6)>(%d)
          %token_scale_alone6 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place6]
            : tensor<1x8xf32>
          %token_scale6 = vector.broadcast %token_scale_alone6 : f32 to !scales
          %scale0_of6 = arith.mulf %scale_part6, %token_scale6 : !scales
              %scale_part7_low_by = arith.constant dense<24> : !words
              %scale_part7_low_moved = arith.shrui %head_of3, %scale_part7_low_by
                : !words
              %scale_part7_low_mask = arith.constant dense<15> : !words
              %scale_part7_low = arith.andi %scale_part7_low_moved, %scale_part7_low_mask
                : !words
              %scale_part7_high_by = arith.constant dense<26> : !words
              %scale_part7_high_moved = arith.shrui %head_of1, %scale_part7_high_by
                : !words
              %scale_part7_high_mask = arith.constant dense<48> : !words
              %scale_part7_high = arith.andi %scale_part7_high_moved, %scale_part7_high_mask
                : !words
          %scale_part7_whole = arith.ori %scale_part7_low, %scale_part7_high : !words
          %scale_part7_real = arith.sitofp %scale_part7_whole : !words to !scales
          %scale_part7 = arith.mulf %scale_part7_real, %scale_of_block : !scales
          %scale_place7 = affine.apply
            affine_map<(d) -> (d * 8 + 7)>(%d)
          %token_scale_alone7 = tensor.extract %tokens_of_acc_scales[%first_row, %scale_place7]
            : tensor<1x8xf32>
          %token_scale7 = vector.broadcast %token_scale_alone7 : f32 to !scales
          %scale0_of7 = arith.mulf %scale_part7, %token_scale7 : !scales
              %minimum_of_block_word_by = arith.constant dense<16> : !words
              %minimum_of_block_word_moved = arith.shrui %head_of0, %minimum_of_block_word_by
                : !words
              %minimum_of_block_word_mask = arith.constant dense<65535> : !words
              %minimum_of_block_word = arith.andi %minimum_of_block_word_moved, %minimum_of_block_word_mask
                : !words
          %minimum_of_block_bits = arith.trunci %minimum_of_block_word : !words to vector<8xi16>
          %minimum_of_block_half = arith.bitcast %minimum_of_block_bits : vector<8xi16> to vector<8xf16>
          %minimum_of_block = arith.extf %minimum_of_block_half : vector<8xf16> to !scales
              %minimum_part0_whole_mask = arith.constant dense<63> : !words
              %minimum_part0_whole = arith.andi %head_of2, %minimum_part0_whole_mask
                : !words
          %minimum_part0_real = arith.sitofp %minimum_part0_whole : !words to !scales
          %minimum0_of0 = arith.mulf %minimum_part0_real, %minimum_of_block : !scales
              %minimum_part1_whole_by = arith.constant dense<8> : !words
              %minimum_part1_whole_moved = arith.shrui %head_of2, %minimum_part1_whole_by
                : !words
              %minimum_part1_whole_mask = arith.constant dense<63> : !words
              %minimum_part1_whole = arith.andi %minimum_part1_whole_moved, %minimum_part1_whole_mask
                : !words
          %minimum_part1_real = arith.sitofp %minimum_part1_whole : !words to !scales
          %minimum0_of1 = arith.mulf %minimum_part1_real, %minimum_of_block : !scales
              %minimum_part2_whole_by = arith.constant dense<16> : !words
              %minimum_part2_whole_moved = arith.shrui %head_of2, %minimum_part2_whole_by
                : !words
              %minimum_part2_whole_mask = arith.constant dense<63> : !words
              %minimum_part2_whole = arith.andi %minimum_part2_whole_moved, %minimum_part2_whole_mask
                : !words
          %minimum_part2_real = arith.sitofp %minimum_part2_whole : !words to !scales
          %minimum0_of2 = arith.mulf %minimum_part2_real, %minimum_of_block : !scales
              %minimum_part3_whole_by = arith.constant dense<24> : !words
              %minimum_part3_whole_moved = arith.shrui %head_of2, %minimum_part3_whole_by
                : !words
              %minimum_part3_whole_mask = arith.constant dense<63> : !words
              %minimum_part3_whole = arith.andi %minimum_part3_whole_moved, %minimum_part3_whole_mask
                : !words
          %minimum_part3_real = arith.sitofp %minimum_part3_whole : !words to !scales
          %minimum0_of3 = arith.mulf %minimum_part3_real, %minimum_of_block : !scales
              %minimum_part4_low_by = arith.constant dense<4> : !words
              %minimum_part4_low_moved = arith.shrui %head_of3, %minimum_part4_low_by
                : !words
              %minimum_part4_low_mask = arith.constant dense<15> : !words
              %minimum_part4_low = arith.andi %minimum_part4_low_moved, %minimum_part4_low_mask
                : !words
              %minimum_part4_high_by = arith.constant dense<2> : !words
              %minimum_part4_high_moved = arith.shrui %head_of2, %minimum_part4_high_by
                : !words
              %minimum_part4_high_mask = arith.constant dense<48> : !words
              %minimum_part4_high = arith.andi %minimum_part4_high_moved, %minimum_part4_high_mask
                : !words
          %minimum_part4_whole = arith.ori %minimum_part4_low, %minimum_part4_high : !words
          %minimum_part4_real = arith.sitofp %minimum_part4_whole : !words to !scales
          %minimum0_of4 = arith.mulf %minimum_part4_real, %minimum_of_block : !scales
              %minimum_part5_low_by = arith.constant dense<12> : !words
              %minimum_part5_low_moved = arith.shrui %head_of3, %minimum_part5_low_by
                : !words
              %minimum_part5_low_mask = arith.constant dense<15> : !words
              %minimum_part5_low = arith.andi %minimum_part5_low_moved, %minimum_part5_low_mask
                : !words
              %minimum_part5_high_by = arith.constant dense<10> : !words
              %minimum_part5_high_moved = arith.shrui %head_of2, %minimum_part5_high_by
                : !words
              %minimum_part5_high_mask = arith.constant dense<48> : !words
              %minimum_part5_high = arith.andi %minimum_part5_high_moved, %minimum_part5_high_mask
                : !words
          %minimum_part5_whole = arith.ori %minimum_part5_low, %minimum_part5_high : !words
          %minimum_part5_real = arith.sitofp %minimum_part5_whole : !words to !scales
          %minimum0_of5 = arith.mulf %minimum_part5_real, %minimum_of_block : !scales
              %minimum_part6_low_by = arith.constant dense<20> : !words
              %minimum_part6_low_moved = arith.shrui %head_of3, %minimum_part6_low_by
                : !words
              %minimum_part6_low_mask = arith.constant dense<15> : !words
              %minimum_part6_low = arith.andi %minimum_part6_low_moved, %minimum_part6_low_mask
                : !words
              %minimum_part6_high_by = arith.constant dense<18> : !words
              %minimum_part6_high_moved = arith.shrui %head_of2, %minimum_part6_high_by
                : !words
              %minimum_part6_high_mask = arith.constant dense<48> : !words
              %minimum_part6_high = arith.andi %minimum_part6_high_moved, %minimum_part6_high_mask
                : !words
          %minimum_part6_whole = arith.ori %minimum_part6_low, %minimum_part6_high : !words
          %minimum_part6_real = arith.sitofp %minimum_part6_whole : !words to !scales
          %minimum0_of6 = arith.mulf %minimum_part6_real, %minimum_of_block : !scales
              %minimum_part7_low_by = arith.constant dense<28> : !words
              %minimum_part7_low_moved = arith.shrui %head_of3, %minimum_part7_low_by
                : !words
              %minimum_part7_low_mask = arith.constant dense<15> : !words
              %minimum_part7_low = arith.andi %minimum_part7_low_moved, %minimum_part7_low_mask
                : !words
              %minimum_part7_high_by = arith.constant dense<26> : !words
              %minimum_part7_high_moved = arith.shrui %head_of2, %minimum_part7_high_by
                : !words
              %minimum_part7_high_mask = arith.constant dense<48> : !words
              %minimum_part7_high = arith.andi %minimum_part7_high_moved, %minimum_part7_high_mask
                : !words
          %minimum_part7_whole = arith.ori %minimum_part7_low, %minimum_part7_high : !words
          %minimum_part7_real = arith.sitofp %minimum_part7_whole : !words to !scales
          %minimum0_of7 = arith.mulf %minimum_part7_real, %minimum_of_block : !scales
          %sum_place0_0 = affine.apply
            affine_map<(d) -> (d * 8 + 0)>(%d)
          %token_sum0_0_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_0]
            : tensor<1x8xf32>
          %token_sum0_0 = vector.broadcast %token_sum0_0_alone
            : f32 to vector<8xf32>
          %taken0_0 = vector.fma %minimum0_of0, %token_sum0_0, %so_far
            : !scales
          %real0_0 = arith.sitofp %counted0_of0 : !words to !scales
          %more_1 = vector.fma %real0_0, %scale0_of0,
            %taken0_0 : !scales
          %sum_place0_1 = affine.apply
            affine_map<(d) -> (d * 8 + 1)>(%d)
          %token_sum0_1_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_1]
            : tensor<1x8xf32>
          %token_sum0_1 = vector.broadcast %token_sum0_1_alone
            : f32 to vector<8xf32>
          %taken0_1 = vector.fma %minimum0_of1, %token_sum0_1, %more_1
            : !scales
          %real0_1 = arith.sitofp %counted0_of4 : !words to !scales
          %more_2 = vector.fma %real0_1, %scale0_of1,
            %taken0_1 : !scales
          %sum_place0_2 = affine.apply
            affine_map<(d) -> (d * 8 + 2)>(%d)
          %token_sum0_2_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_2]
            : tensor<1x8xf32>
          %token_sum0_2 = vector.broadcast %token_sum0_2_alone
            : f32 to vector<8xf32>
          %taken0_2 = vector.fma %minimum0_of2, %token_sum0_2, %more_2
            : !scales
          %real0_2 = arith.sitofp %counted0_of1 : !words to !scales
          %more_3 = vector.fma %real0_2, %scale0_of2,
            %taken0_2 : !scales
          %sum_place0_3 = affine.apply
            affine_map<(d) -> (d * 8 + 3)>(%d)
          %token_sum0_3_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_3]
            : tensor<1x8xf32>
          %token_sum0_3 = vector.broadcast %token_sum0_3_alone
            : f32 to vector<8xf32>
          %taken0_3 = vector.fma %minimum0_of3, %token_sum0_3, %more_3
            : !scales
          %real0_3 = arith.sitofp %counted0_of5 : !words to !scales
          %more_4 = vector.fma %real0_3, %scale0_of3,
            %taken0_3 : !scales
          %sum_place0_4 = affine.apply
            affine_map<(d) -> (d * 8 + 4)>(%d)
          %token_sum0_4_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_4]
            : tensor<1x8xf32>
          %token_sum0_4 = vector.broadcast %token_sum0_4_alone
            : f32 to vector<8xf32>
          %taken0_4 = vector.fma %minimum0_of4, %token_sum0_4, %more_4
            : !scales
          %real0_4 = arith.sitofp %counted0_of2 : !words to !scales
          %more_5 = vector.fma %real0_4, %scale0_of4,
            %taken0_4 : !scales
          %sum_place0_5 = affine.apply
            affine_map<(d) -> (d * 8 + 5)>(%d)
          %token_sum0_5_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_5]
            : tensor<1x8xf32>
          %token_sum0_5 = vector.broadcast %token_sum0_5_alone
            : f32 to vector<8xf32>
          %taken0_5 = vector.fma %minimum0_of5, %token_sum0_5, %more_5
            : !scales
          %real0_5 = arith.sitofp %counted0_of6 : !words to !scales
          %more_6 = vector.fma %real0_5, %scale0_of5,
            %taken0_5 : !scales
          %sum_place0_6 = affine.apply
            affine_map<(d) -> (d * 8 + 6)>(%d)
          %token_sum0_6_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_6]
            : tensor<1x8xf32>
          %token_sum0_6 = vector.broadcast %token_sum0_6_alone
            : f32 to vector<8xf32>
          %taken0_6 = vector.fma %minimum0_of6, %token_sum0_6, %more_6
            : !scales
          %real0_6 = arith.sitofp %counted0_of3 : !words to !scales
          %more_7 = vector.fma %real0_6, %scale0_of6,
            %taken0_6 : !scales
          %sum_place0_7 = affine.apply
            affine_map<(d) -> (d * 8 + 7)>(%d)
          %token_sum0_7_alone = tensor.extract %tokens_of_acc_sums[%first_row, %sum_place0_7]
            : tensor<1x8xf32>
          %token_sum0_7 = vector.broadcast %token_sum0_7_alone
            : f32 to vector<8xf32>
          %taken0_7 = vector.fma %minimum0_of7, %token_sum0_7, %more_7
            : !scales
          %real0_7 = arith.sitofp %counted0_of7 : !words to !scales
          %more = vector.fma %real0_7, %scale0_of7,
            %taken0_7 : !scales
          scf.yield %more : !scales
        }
        %with_columns = vector.transfer_write %of_columns_single, %of_all[%first_row, %n]
          {in_bounds = [false]} : !scales, tensor<1x37xf32>
        scf.yield %with_columns : tensor<1x37xf32>
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
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
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
// The same in a queue: waits for a fence, and signals another when the outputs are there.
util.func public @linear$async(
    %hidden: !hidden,
    %weight: !weight
  ) -> (!output) attributes {iree.abi.model = "coarse-fences"} {
  %output = func.call @linear(%hidden, %weight)
    : (!hidden, !weight) -> (!output)
  util.return %output : !output
}
